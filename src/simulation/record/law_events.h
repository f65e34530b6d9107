/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law_events.h -- modes and events of multipliers on boxes after a step: at a bound of the law, or
 * between (events.h, ns_side). */
#ifndef NS_SIMULATION_RECORD_LAW_EVENTS_H
#define NS_SIMULATION_RECORD_LAW_EVENTS_H

#include "simulation/record/events.h"

#include <float.h>
#include <math.h>

/* First-order rows; in the state they begin at row `first`. */
typedef struct ns_law_rows {
  int n, first;
  const int *interaction; /* of each row [n] */
  const double *lambda;   /* of the step [n] */
  const double *lb, *ub;  /* [n] */
  /* size of rounding errors of multipliers in the problem of the step */
  double (*level)(const void *of);
  const void *of;
} ns_law_rows;

/* Tolerance for being at a bound: relative to the width of a finite box, otherwise to the largest
 * multiplier that the row has had. */
static inline double ns_law_nearness(double lb, double ub, double largest)
{
  return ub - lb <= DBL_MAX ? 1e-9 * (ub - lb) : 1e-12 * largest;
}

/* Row i is not on the side of its mode: update the mode and record the event. *side: from the
 * bounds and `within`; if the change is within rounding errors of multipliers, *level (negative:
 * not computed yet), it is set back. */
int ns_law_events_changed(const ns_model *m, ns_ctx *c, ns_state *x, const ns_law_rows *k,
                          ns_recorder *rec, int i, double before, double within, double *level,
                          int *side);

/* lambda goes to the state, with the largest that each row ever had (in ydot), modes and events
 * (rec NULL: to nobody). *between: rows that are not at a bound. */
static inline int ns_law_events(const ns_model *m, ns_ctx *c, ns_state *x, const ns_law_rows *k,
                                ns_recorder *rec, int *between)
{
  const double *lambda = k->lambda, *lb = k->lb, *ub = k->ub;
  double *now = x->lambda + k->first, *largest = x->ydot + k->first, level = -1;
  const unsigned char *mode = x->mode + k->first;
  int n = k->n, count = 0, rc = NS_OK;
  for (int i = 0; i < n; i++) {
    double before = now[i], l = lambda[i], within = 0;
    int side = NS_SIDE_LOWER;
    now[i] = l;
    if (fabs(l) > largest[i]) largest[i] = fabs(l);
    if (!(l <= lb[i])) {
      within = ns_law_nearness(lb[i], ub[i], largest[i]);
      side = (int)ns_events_side(lb[i], ub[i], l, within);
    }
    if (side != mode[i]) {
      int told = ns_law_events_changed(m, c, x, k, rec, i, before, within, &level, &side);
      if (!rc) rc = told;
    }
    count += side == NS_SIDE_BETWEEN;
  }
  *between = count;
  return rc;
}

#endif
