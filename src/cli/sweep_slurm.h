/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_slurm.h -- a sweep as an array job of Slurm: DIR/slurm.sh, and its submission.
 *
 * Each task does one share. A task that is asked to end before its time (USR1, or SIGTERM of a
 * preemption) keeps what is done, ends with status 75 and is put back into the queue; a task that
 * is killed does, when it is started again, what is left of its share. */
#ifndef NS_CLI_SWEEP_SLURM_H
#define NS_CLI_SWEEP_SLURM_H

#include "base/arena.h"
#include "cli/job.h"
#include "study/study.h"

typedef struct ns_slurm_job {
  const char *study, *dir, *name; /* name: of the job, "" for none */
  const ns_study_options *options;
  const char *trajectories; /* suffix, NULL: none */
  int retry;
  long long tasks, jobs; /* of the array; runs at once in each */
} ns_slurm_job;

/* Write DIR/slurm.sh. NS_NOCREATE, NS_OUTPUT, NS_NOMEM. */
int ns_slurm_write(ns_ctx *c, ns_arena *a, const ns_slurm_job *j);
/* sbatch DIR/slurm.sh; what it says goes to standard output. NS_OUTPUT. */
int ns_slurm_submit(ns_ctx *c, const char *dir);

#endif
