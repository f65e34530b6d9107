/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h -- one run of a sweep: make the model with its values, step it to the end, gather what is
 * collected.
 *
 * Collected are the measures of the model, where it has any, else the final state; and the
 * certificate of the run. */
#ifndef NS_STUDY_RUN_H
#define NS_STUDY_RUN_H

#include "simulation/record/recorder.h"
#include "study/manifest.h"
#include "study/record.h"

#include <signal.h>

typedef struct ns_sweep_job {
  const ns_manifest *m;
  ns_base *base;
  const ns_study_options *options; /* where plug-ins are */
  const char *dir;
  const char *trajectories; /* suffix of their files: ".h5", ".csv"; NULL: none */
  const ns_sink_ops *sink;  /* of them */
  const ns_run_info *info;  /* for them, but the model */
  const volatile sig_atomic_t *stop;
} ns_sweep_job;

enum { NS_TRAJECTORY_PATH = 4096 };
/* DIR/runs/KEY.h5; returns buf [NS_TRAJECTORY_PATH]. */
const char *ns_sweep_trajectory(const ns_sweep_job *j, long long k, char *buf);

/* Do run k. NS_OK: done, or failed for a reason of its own; r holds the record of the journal,
 * *failed tells, *crashed whether a plug-in crashed in it: this process should do no other run.
 * NS_STOPPED: given up, as asked; no record. NS_NOMEM and NS_OUTPUT (of a trajectory): a fault of
 * the machine, not of the run; the sentence is in c. */
int ns_sweep_run(const ns_sweep_job *j, ns_ctx *c, long long k, ns_record *r, int *failed,
                 int *crashed);

#endif
