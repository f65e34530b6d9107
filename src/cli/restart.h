/* SPDX-License-Identifier: GPL-3.0-or-later */
/* restart.h -- checkpoints of `nssim run`: when one is due, writing one, and resuming from one.
 *
 * Its options are an argp child (ns_restart_argp) whose input is the ns_restart. */
#ifndef NS_CLI_RESTART_H
#define NS_CLI_RESTART_H

#include "cli/job.h"
#include "io/results/checkpoint_file.h"

#include <argp.h>

typedef struct ns_restart {
  /* Options. */
  const char *path;   /* --checkpoint; NULL: none, or the file of --resume */
  const char *resume; /* --resume: a file or "auto"; NULL: start from the beginning */
  double every;       /* interval of simulated time, s; 0: none */
  double every_wall;  /* interval of wall clock, s; 0: none */
  double max_wall;    /* s; 0: no limit */
  /* Of the run. */
  int on;                  /* checkpoints are written */
  int found;               /* the run resumes from `k` */
  char *file;              /* path of the checkpoint; owned */
  ns_outside outside;      /* plug-ins */
  double begin, last;      /* start of the command; last checkpoint (ns_clock) */
  double t_last;           /* simulated time of the last one on disk; NaN: none */
  char aside[32];          /* suffix of files set aside, from ns_restart_name_aside on */
  int timed_out;           /* the limit --max-wall has been reached */
  ns_checkpoint_lock lock; /* lock of the file, from ns_restart_names on */
  ns_checkpoint k;         /* checkpoint resumed from, later the last one taken */
} ns_restart;

extern const struct argp ns_restart_argp;

/* Call before the model is read. output: NULL if there is none. NS_USAGE: the output is standard
 * output, which cannot be resumed, or is the checkpoint itself, or the checkpoint has no name.
 * NS_NOCREATE: the checkpoint cannot be written, or another process is writing it. */
int ns_restart_names(ns_restart *r, ns_ctx *c, const char *output);
/* Call once the simulation has been created: determines the identity of the run and finds the
 * checkpoint to resume from, if any. NS_NOINPUT: it belongs to another run, or it is damaged and
 * there is no intact earlier one; with `auto` the damaged ones are set aside with a warning. */
int ns_restart_find(ns_restart *r, ns_job *s, const char *format);
/* 1 if the run starts again where its checkpoint or output cannot be used. */
int ns_restart_is_auto(const ns_restart *r);
/* The suffix for files that the run sets aside to start again, in r->aside: .unreadable, or
 * .unreadable.N where files have it already, from an earlier time: nothing is lost. output: NULL if
 * it stays where it is. NS_NOMEM. */
int ns_restart_name_aside(ns_restart *r, ns_ctx *c, const char *output);
/* The run starts again, since its output cannot be used: rename the checkpoint FILE and the
 * previous one, with the suffix r->aside; ns_restart_find then finds none. NS_NOCREATE. */
int ns_restart_set_aside(ns_restart *r, ns_ctx *c);
/* Where the checkpoint is that of a complete run: its output can be read, is complete, and was
 * begun when the checkpoint says; pipes and devices are not looked at. NS_NOINPUT. */
int ns_restart_check_output(const ns_restart *r, ns_ctx *c, const char *output);
/* A run that goes on to T, of time-stepping to the first step that reaches it, removes no rows of
 * its output that it would not write again. NS_USAGE. */
int ns_restart_check_end(const ns_restart *r, ns_ctx *c, const char *output,
                         const ns_simulation_options *o);
/* Restore the simulation from the checkpoint; call inside ns_guard_run if there are plug-ins. */
int ns_restart_restore(ns_restart *r, ns_job *s);
/* Callback for ns_watch.due. */
ns_due ns_restart_due(ns_restart *r);
/* Callback for ns_watch.checkpoint. wall: time spent in the step loop, s. If it cannot be written,
 * this is a warning while the run continues, and a failure (NS_OUTPUT) when it stops. The
 * checkpoint of the end is taken but not yet written. */
int ns_restart_save(ns_restart *r, ns_job *s, ns_recorder *rec, double wall, ns_checkpoint_why why);
/* Call when the run and its output are complete: writes the checkpoint of the end, so that the run
 * is not repeated. steps: number of steps to T. */
void ns_restart_complete(ns_restart *r, ns_ctx *c, long long steps);
void ns_restart_fini(ns_restart *r);

#endif
