/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h -- one run of a sweep: builds the model with its values, advances it to the end, and
 * collects results.
 *
 * The results are the measures of the model, or its final state if it has none, and the certificate
 * of the run. */
#ifndef NS_STUDY_RUN_H
#define NS_STUDY_RUN_H

#include "simulation/record/recorder.h"
#include "study/manifest.h"
#include "study/record.h"

#include <signal.h>

typedef struct ns_sweep_job {
  const ns_manifest *m;
  ns_base *base;
  const ns_study_options *options; /* for the paths of plug-ins */
  const char *dir;
  /* suffix of the files with trajectories: ".h5", ".csv"; NULL: none are written */
  const char *trajectories;
  const ns_sink_ops *sink; /* writes them */
  const ns_run_info *info; /* for their provenance; without the model */
  const volatile sig_atomic_t *stop;
} ns_sweep_job;

enum { NS_TRAJECTORY_PATH = 4096 };
/* Path of the trajectory of run k, DIR/runs/KEY.h5; returns buf [NS_TRAJECTORY_PATH]. */
const char *ns_sweep_trajectory(const ns_sweep_job *j, long long k, char *buf);

/* Do run k. NS_OK: it is complete, or it failed for a reason of its own (*failed); r contains its
 * journal record. *crashed: a plug-in crashed or did not return, so this process should do no
 * further run. NS_STOPPED: abandoned because stop was set; no record. NS_NOMEM, and NS_NOCREATE and
 * NS_OUTPUT of a trajectory: a failure of the machine, not of the run; reported in c, no record. */
int ns_sweep_run(const ns_sweep_job *j, ns_ctx *c, long long k, ns_record *r, int *failed,
                 int *crashed);

#endif
