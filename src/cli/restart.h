/* SPDX-License-Identifier: GPL-3.0-or-later */
/* restart.h -- checkpoints of `nssim run`: when one is due, writing it, and beginning at one.
 *
 * Options are an argp child (ns_restart_argp) whose input is the ns_restart. */
#ifndef NS_CLI_RESTART_H
#define NS_CLI_RESTART_H

#include "cli/job.h"
#include "io/results/checkpoint_file.h"

#include <argp.h>

typedef struct ns_restart {
  /* Options. */
  const char *path;   /* --checkpoint; NULL: none, or as --resume says */
  const char *resume; /* --resume: a file or "auto"; NULL: begin anew */
  double every;       /* of simulated time, s; 0: not by that */
  double every_wall;  /* of wall clock, s; 0: not by that */
  double max_wall;    /* s; 0: no limit */
  /* Of the run. */
  int on;                  /* checkpoints are written */
  int found;               /* the run begins at `k` */
  char *file;              /* where they are written; owned */
  ns_outside outside;      /* plug-ins */
  double begin, last;      /* of the command; of the last checkpoint (ns_job_clock) */
  double t_last;           /* simulated time of the last one on disk; NaN: none */
  int timed_out;           /* --max-wall has come */
  ns_checkpoint_lock lock; /* of the file, from ns_restart_names on */
  ns_checkpoint k;         /* the one begun at, then the last one made */
} ns_restart;

extern const struct argp ns_restart_argp;

/* 1 where an option wants checkpoints. */
int ns_restart_wanted(const ns_restart *r);
/* Before the model is read. output: NULL where there is none. NS_USAGE: nothing to resume into, no
 * name; NS_NOCREATE: another process writes it. */
int ns_restart_names(ns_restart *r, ns_ctx *c, const char *output);
/* Once the simulation is made: what run this is, and the checkpoint to begin at, if there is one.
 * NS_NOINPUT: it is of another run, or damaged and there is no good one before it. */
int ns_restart_find(ns_restart *r, ns_job *s, const char *format);
/* Put the simulation where the checkpoint stands; inside ns_guard_run where plug-ins are used. */
int ns_restart_restore(ns_restart *r, ns_job *s);
/* ns_watch.due */
ns_due ns_restart_due(ns_restart *r);
/* ns_watch.checkpoint: wall is that of the step loop so far, s. One that cannot be written is a
 * warning where the run goes on, and a failure (NS_OUTPUT) where it stops. That of the end is only
 * made. */
int ns_restart_save(ns_restart *r, ns_job *s, ns_recorder *rec, double wall, ns_checkpoint_why why);
/* The run is complete, and so is its output: the checkpoint of the end goes to the disk, so that
 * nobody does it again. steps: to T. */
void ns_restart_complete(ns_restart *r, ns_ctx *c, long long steps);
void ns_restart_fini(ns_restart *r);

#endif
