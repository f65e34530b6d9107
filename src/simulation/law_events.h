/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law_events.h -- modes and events of multipliers on boxes after a step: at a bound of the law, or
 * between (events.h, ns_side). */
#ifndef NS_SIMULATION_LAW_EVENTS_H
#define NS_SIMULATION_LAW_EVENTS_H

#include "simulation/events.h"

/* Rows of first order; they stand in the state from row `first` on. */
typedef struct ns_law_rows {
  int n, first;
  const int *interaction;       /* of each row [n] */
  const double *lambda;         /* of the step [n] */
  const double *lb, *ub;        /* [n] */
  /* what rounding makes of multipliers in the problem of the step */
  double (*level)(const void *of);
  const void *of;
} ns_law_rows;

/* lambda goes to the state, with the largest that each row ever had (in ydot), modes and events
 * (rec NULL: to nobody). *between: rows that are not at a bound. */
int ns_law_events(const ns_model *m, ns_ctx *c, ns_state *x, const ns_law_rows *k,
                  ns_recorder *rec, int *between);

#endif
