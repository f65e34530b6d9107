/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_slurm.h -- a sweep as an array job of Slurm: writes and submits DIR/slurm.sh.
 *
 * Each task does one share. A task that receives SIGUSR1, or SIGTERM at a preemption, before it is
 * finished keeps its results, ends with status 75 and is requeued. A task that was killed does the
 * rest of its share when it is restarted. */
#ifndef NS_CLI_SWEEP_SLURM_H
#define NS_CLI_SWEEP_SLURM_H

#include "base/arena.h"
#include "cli/job.h"
#include "study/study.h"

typedef struct ns_slurm_job {
  const char *study, *dir, *name; /* name: of the job, "" if none */
  const ns_study_options *options;
  const char *trajectories; /* suffix, NULL: none */
  int retry;
  long long tasks, jobs; /* tasks of the array; jobs: simultaneous runs of each */
} ns_slurm_job;

/* Write DIR/slurm.sh. NS_NOCREATE, NS_OUTPUT, NS_NOMEM. */
int ns_slurm_write(ns_ctx *c, ns_arena *a, const ns_slurm_job *j);
/* Run sbatch DIR/slurm.sh; its output goes to standard output. NS_OUTPUT. */
int ns_slurm_submit(ns_ctx *c, const char *dir);

#endif
