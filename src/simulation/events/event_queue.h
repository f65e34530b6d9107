/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_queue.h -- times at which an event-driven run looks up: the grid of the output and its end;
 * and the tolerances that it looks with.
 *
 * Times of the grid are t0 + k h, never added up; the last is T. Two times are one where they
 * differ by less than the larger of 1e-12 of the run, or of |T|, and 4 units in the last place: a
 * root that close to the grid is the grid's. A run may take 1e9 s or 1e-15 s. */
#ifndef NS_SIMULATION_EVENTS_EVENT_QUEUE_H
#define NS_SIMULATION_EVENTS_EVENT_QUEUE_H

#include "model/model.h"

#include <float.h>
#include <math.h>

/* What times are told apart by, around t. */
static inline double ns_event_resolution(const ns_simulation_options *o, double t)
{
  return fmax(1e-12 * fmax(o->T - o->t0, fabs(o->T)), 4 * DBL_EPSILON * fabs(t));
}

static inline int ns_event_same(const ns_simulation_options *o, double a, double b)
{
  return fabs(a - b) <= ns_event_resolution(o, fmax(fabs(a), fabs(b)));
}

/* A tolerance of the options, by a scale of the model where the user gave none. */
static inline double ns_event_unless_given(double value, int given, double scale)
{
  return given ? value : scale * value;
}

/* Point k of the grid. */
static inline double ns_event_grid(const ns_simulation_options *o, long long k)
{
  double t = o->t0 + (double)k * o->ts.h;
  return t + 1e-6 * o->ts.h >= o->T ? o->T : t;
}

#endif
