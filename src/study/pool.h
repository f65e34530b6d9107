/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.h -- do many runs at once, in processes that each do many of them.
 *
 * The workers are forks: they share the model's tree, and a plug-in that crashes, or that keeps
 * variables, harms none but its own run. They take runs from one counter in shared memory and write
 * their records themselves, so that a kill of all loses the runs in flight and no others. The
 * caller waits, says how far it is, and makes new workers for those that were lost. */
#ifndef NS_STUDY_POOL_H
#define NS_STUDY_POOL_H

#include "study/run.h"

typedef struct ns_pool_state {
  /* runs: all, those that ended, how many of these failed; without those that were killed */
  long long todo, done, failed;
} ns_pool_state;

typedef struct ns_pool {
  ns_sweep_job job; /* stop: of the caller, when it is asked to end */
  int journal;      /* where records go */
  int workers;
  const long long *run; /* indices of the runs to do, in order [nruns] */
  long long nruns;
  void (*show)(void *to, const ns_pool_state *s); /* about ten times a second; may be NULL */
  void *to;
} ns_pool;

/* NS_OK: all have ended, s->failed of them in a failure; NS_STOPPED: the caller's stop was set;
 * NS_OUTPUT, NS_NOMEM: given up, what is in the journal is whole. */
int ns_pool_run(const ns_pool *p, ns_ctx *c, ns_pool_state *s);

#endif
