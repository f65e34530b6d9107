/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.h -- what happened at a contact in a step of an event-capturing scheme.
 *
 * A row is loaded if its impulse is positive. Loaded and approaching at the begin of the step: an
 * impact. Loaded in a second step without approach: a contact that lasts begins; not loaded
 * afterwards: it is released.
 *
 * Approaching means faster than what the forces add in one step, |U_free - U_k|: a slower rebound
 * would last less than two steps, which the grid cannot tell from contact (the end of an
 * accumulation of impacts), and also faster than 1e-9 times the fastest approach so far: the velocity
 * of a resting contact is zero to rounding only.
 *
 * In first-order systems what happens is a switch: a multiplier reaches or leaves a bound of its law. */
#ifndef NS_SIMULATION_EVENTS_H
#define NS_SIMULATION_EVENTS_H

#include "simulation/recorder.h"

typedef enum ns_mode { NS_MODE_FREE = NS_ROW_FREE, NS_MODE_LOADED = NS_ROW_LOADED, NS_MODE_LASTING = NS_ROW_CLOSED } ns_mode;

/* One row after a step: e has time, velocities before and after, impulse; free_speed is its velocity
 * without contact. Writes energy and modes to e, updates x->mode and counts impacts in x->cert. Returns the ns_event_kind, -1 where
 * nothing happened. */
int ns_events_row(ns_state *x, int row, ns_event *e, double free_speed);

/* Where a multiplier is in [lb, ub], kept as the mode of its row. Unknown before the first step. */
typedef enum ns_side { NS_SIDE_UNKNOWN = 0, NS_SIDE_LOWER = 1, NS_SIDE_BETWEEN = 2, NS_SIDE_UPPER = 3 } ns_side;

static inline ns_row_mode ns_events_side_mode(int side) { return (ns_row_mode)(NS_ROW_LOWER + side - NS_SIDE_LOWER); }

/* At a bound is what is nearer to it than `within`. */
static inline ns_side ns_events_side(double lb, double ub, double lambda, double within)
{
  if (lambda - lb <= within) return NS_SIDE_LOWER;
  return ub - lambda <= within ? NS_SIDE_UPPER : NS_SIDE_BETWEEN;
}

#endif
