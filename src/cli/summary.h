/* SPDX-License-Identifier: GPL-3.0-or-later */
/* summary.h -- summary of a run as text or JSON; its last line certifies the result. */
#ifndef NS_CLI_SUMMARY_H
#define NS_CLI_SUMMARY_H

#include "io/json.h"
#include "simulation/simulation.h"

#include <stdio.h>

typedef struct ns_summary {
  const ns_model *model;
  const ns_plan *plan;
  const ns_state *state; /* last valid state */
  const char *status;    /* "complete", "failed", "interrupted" */
  const char *message;   /* reason why it is not complete; "" */
  const char *output;    /* path; NULL: nothing was written */
  int output_bad;        /* the output is incomplete */
  int exit;              /* exit status of the process */
  /* number of steps of the initial state (not 0 when a run is resumed) */
  long long first_step;
  double load, setup, loop, total; /* wall clock, s */
  ns_shares shares;                /* of the loop */
} ns_summary;

void ns_summary_text(const ns_summary *s, FILE *f);
ns_json ns_summary_json(const ns_summary *s);
/* Keys steps, loop_seconds, load_seconds, setup_seconds, total_seconds, ns_per_step; with many
 * contacts also collision_seconds, solver_seconds. */
ns_json ns_summary_timing(const ns_summary *s);

#endif
