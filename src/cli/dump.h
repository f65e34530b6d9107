/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump.h -- one-step problems of a run to files, so that `nssim solve` can take each alone.
 *
 * Options are an argp child (ns_dump_argp) whose input is the ns_dump. A file that cannot be
 * written ends the dumping with a warning, not the run. */
#ifndef NS_CLI_DUMP_H
#define NS_CLI_DUMP_H

#include "model/model.h"
#include "simulation/simulation.h"

#include <argp.h>

typedef enum ns_dump_when {
  NS_DUMP_FAILED, /* not solved */
  NS_DUMP_SLOW,   /* or with unusually many iterations, NS_DUMP_TIMES and NS_DUMP_ITERATIONS */
  NS_DUMP_ALL
} ns_dump_when;

/* Slow: more than so many times the median of the iterations before, once there are enough to have
 * one that says something; or more than so many. */
enum { NS_DUMP_TIMES = 10, NS_DUMP_ENOUGH = 100, NS_DUMP_ITERATIONS = 1000 };

typedef struct ns_dump {
  /* Options. */
  const char *folder; /* NULL: nothing is dumped */
  ns_dump_when when;
  int when_given;
  long long most; /* files */
  /* Of the run. */
  ns_ctx *c;
  const char *shown; /* the model's file, for comments */
  long long written, left_out;
  long long step; /* of the last problem, and how many there were in it */
  int in_step, ended;
  int lock;                                       /* descriptor of the folder, locked; -1: none */
  long long solves, with[NS_DUMP_ITERATIONS + 1]; /* how many took k iterations */
} ns_dump;

extern const struct argp ns_dump_argp;

/* Make the folder, where it is missing, and lock it. NS_NOCREATE. */
int ns_dump_begin(ns_dump *d, ns_ctx *c, const char *shown);
/* A problem of the step that begins at t, and how its solution went. */
void ns_dump_problem(ns_dump *d, long long step, double t, const ns_shown *p,
                     const ns_outcome *out);
/* Say what was written. */
void ns_dump_end(const ns_dump *d);
void ns_dump_fini(ns_dump *d); /* lets the folder go */

#endif
