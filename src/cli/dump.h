/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump.h -- writes one-step problems of a run to files, so that `nssim solve` can solve each alone.
 *
 * Its options are an argp child (ns_dump_argp) whose input is the ns_dump. If a file cannot be
 * written, dumping ends with a warning and the run continues. */
#ifndef NS_CLI_DUMP_H
#define NS_CLI_DUMP_H

#include "model/model.h"
#include "simulation/simulation.h"

#include <argp.h>

typedef enum ns_dump_when {
  NS_DUMP_FAILED, /* not solved */
  NS_DUMP_SLOW,   /* or with unusually many iterations (below) */
  NS_DUMP_ALL
} ns_dump_when;

/* Slow: more than NS_DUMP_TIMES times the median number of iterations so far, once there are
 * NS_DUMP_ENOUGH problems, or more than NS_DUMP_ITERATIONS. */
enum { NS_DUMP_TIMES = 10, NS_DUMP_ENOUGH = 100, NS_DUMP_ITERATIONS = 1000 };

typedef struct ns_dump {
  /* Options. */
  const char *folder; /* NULL: nothing is dumped */
  ns_dump_when when;
  int when_given;
  long long max; /* maximum number of files */
  /* Of the run. */
  ns_ctx *c;
  const char *shown; /* the model's file, for comments */
  long long written, left_out;
  long long step; /* step of the last problem; in_step: number of its problems */
  int in_step, ended;
  int lock;                                       /* descriptor of the folder, locked; -1: none */
  long long solves, with[NS_DUMP_ITERATIONS + 1]; /* number of problems with k iterations */
} ns_dump;

extern const struct argp ns_dump_argp;

/* Create the folder if it is missing, and lock it. NS_NOCREATE. */
int ns_dump_begin(ns_dump *d, ns_ctx *c, const char *shown);
/* Report a problem of the step that begins at t, and the outcome of its solver. */
void ns_dump_problem(ns_dump *d, long long step, double t, const ns_shown *p,
                     const ns_outcome *out);
/* Print what was written. */
void ns_dump_end(const ns_dump *d);
void ns_dump_fini(ns_dump *d); /* unlocks the folder */

#endif
