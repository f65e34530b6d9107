/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.h -- does many runs in parallel, in worker processes that each do several runs.
 *
 * The workers are forks: they share the model's tree, and a plug-in that crashes or modifies its
 * variables affects only its own run. Workers take runs from a counter in shared memory and write
 * their records themselves, so that a kill loses only the unfinished runs. The caller waits,
 * reports progress, and replaces workers that died. */
#ifndef NS_STUDY_POOL_H
#define NS_STUDY_POOL_H

#include "study/run.h"

typedef struct ns_pool_state {
  /* number of runs: all, those that ended, those of them that failed; without killed runs */
  long long todo, done, failed;
} ns_pool_state;

typedef struct ns_pool {
  ns_sweep_job job; /* its member stop is set to end the sweep */
  int journal;      /* descriptor of the journal */
  int workers;
  const long long *run; /* indices of the runs to do, in order [nruns] */
  long long nruns;
  void (*show)(void *to, const ns_pool_state *s); /* called about ten times a second; may be NULL */
  void *to;
} ns_pool;

/* NS_OK: all runs have ended, s->failed of them in a failure; NS_STOPPED: stop was set; NS_OUTPUT,
 * NS_NOMEM: the sweep was abandoned, but all records of the journal are complete. */
int ns_pool_run(const ns_pool *p, ns_ctx *c, ns_pool_state *s);

#endif
