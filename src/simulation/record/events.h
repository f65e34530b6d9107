/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.h -- what happened at a contact in a step of an event-capturing scheme.
 *
 * A row is loaded if its impulse is positive. If it is loaded and approaching at the beginning of
 * the step, this is an impact. If it is loaded in a second step without approach, a lasting contact
 * begins; if it is then not loaded, it is released.
 *
 * Approaching means faster than what the forces add in one step, |U_free - U_k|: a slower rebound
 * would last less than two steps, which the grid cannot distinguish from contact (the end of an
 * accumulation of impacts). It also means faster than 1e-9 times the fastest approach so far,
 * because the velocity of a resting contact is zero only to rounding. It is not an impact if more
 * than half of the approach velocity remains: this happens for resting contacts with errors of the
 * solver.
 *
 * A loaded contact with friction sticks or slips. After sliding, it sticks when it is at rest in a
 * second step, because at a turning point it may be at rest in one step; it slips again in the
 * first step in which it slides.
 *
 * In first-order systems an event is a switch: a multiplier reaches or leaves a bound of its
 * law. */
#ifndef NS_SIMULATION_RECORD_EVENTS_H
#define NS_SIMULATION_RECORD_EVENTS_H

#include "simulation/record/recorder.h"

typedef enum ns_mode {
  NS_MODE_FREE = NS_ROW_FREE,
  NS_MODE_LOADED = NS_ROW_LOADED,
  NS_MODE_LASTING = NS_ROW_CLOSED,
  /* it lasted until its gap jumped open, and takes part in a step only as a free one does */
  NS_MODE_PARTED
} ns_mode;

/* Velocity before the step for the detection of impacts: 0 if the approach is within rounding and
 * solver errors relative to `fast`, the speed of connected bodies. */
static inline double ns_events_approach(double before, double fast)
{
  return before < 0 && -before <= 1e-9 * fast ? 0 : before;
}

/* 1 if an impulse acted on a contact that approached faster than by the forces of the step, and
 * reversed it; counted in x->cert. */
int ns_events_impact(ns_state *x, double before, double after, double impulse, double free_speed);
/* The next *mode of one row, an ns_mode, after a step: velocities before and after, impulse,
 * velocity without contact. Counts impacts in x->cert. Returns the ns_event_kind, -1 where nothing
 * happened. */
int ns_events_mode(ns_state *x, unsigned char *mode, double before, double after, double impulse,
                   double free_speed);

/* Modes before and after to e, and the energy that its impulse took. */
static inline void ns_events_note(ns_event *e, int was, int is)
{
  e->was = (ns_row_mode)(was == NS_MODE_PARTED ? NS_MODE_LASTING : was);
  e->is = (ns_row_mode)(is == NS_MODE_PARTED ? NS_MODE_LASTING : is);
  e->lost = 0 - e->impulse * (e->before + e->after) / 2;
}

/* One row after a step: e has time, velocities before and after, impulse; free_speed is its
 * velocity without contact. Writes energy and modes to e, updates x->mode and counts impacts in
 * x->cert. Returns the ns_event_kind, -1 where nothing happened. */
int ns_events_row(ns_state *x, int row, ns_event *e, double free_speed);

/* State of sliding of a closed contact with friction, stored as mode of its first row of slip.
 * Unknown if it is open, and in the first step in which it is closed. */
typedef enum ns_slide {
  NS_SLIDE_UNKNOWN = 0,
  NS_SLIDE_STICK = 1,
  NS_SLIDE_SLIP = 2,
  /* it slid before, and was at rest in the last step: it will stick, or reverse */
  NS_SLIDE_PAUSE = 3
} ns_slide;

/* Row r of the model, of an interaction, with time, velocities, impulse and modes in e, goes to rec
 * as an event of this kind. */
int ns_events_report(ns_recorder *rec, ns_ctx *c, const ns_model *m, int interaction, int r,
                     int kind, ns_event *e);

/* After a step with these impulses of a contact, the normal first, then 1 or 2 of slip, and these
 * speeds of the solution along its plane: the next *mode, an ns_slide; NS_EVENT_STICK,
 * NS_EVENT_SLIP or -1. tension: impulse that a bond adds to the normal one in the law of friction
 * (rows/bonds.h). */
int ns_events_slide(unsigned char *mode, double mu, int slip, double tension, const double *impulse,
                    const double *speed);
/* To e what ns_events_slide found: velocities before and after, impulse, energy, modes. All [1 +
 * slip]. */
void ns_events_slid(ns_event *e, int kind, int slip, const double *impulse, const double *before,
                    const double *after);

/* 1 if the slip e is no faster than rounding and errors of solvers leave, relative to `fast`, the
 * speed of connected bodies: it is none, and *mode sticks. */
int ns_events_still_sticks(const ns_event *e, double fast, unsigned char *mode);

/* Births and deaths of bodies and shapes after `from` and up to `to`, s, to rec as events at t. */
int ns_events_of_lives(ns_recorder *rec, ns_ctx *c, const ns_model *m, double t, double from,
                       double to);

/* A contact with friction after a step: what was solved for its rows, the normal first. */
typedef struct ns_slipping {
  int interaction;
  int normal;            /* its row in the model; those of slip follow */
  int slip;              /* of them: 1 or 2 */
  const double *impulse; /* [1 + slip] */
  double tension;        /* of a bond, see ns_events_slide */
  const double *speed;   /* of the solution, which moves along the plane or does not [1 + slip] */
  const double *before;  /* velocities of all rows of the model before the step */
  double (*fastest)(const void *of); /* speed of connected bodies, m/s */
  const void *of;
} ns_slipping;
/* Its mode, and where it begins to stick or slip the event to rec (NULL: to nobody). */
int ns_events_friction(ns_recorder *rec, ns_ctx *c, const ns_model *m, ns_state *x,
                       const ns_slipping *k);

/* Position of a multiplier in [lb, ub], stored as mode of its row. Unknown before the first
 * step. */
typedef enum ns_side {
  NS_SIDE_UNKNOWN = 0,
  NS_SIDE_LOWER = 1,
  NS_SIDE_BETWEEN = 2,
  NS_SIDE_UPPER = 3
} ns_side;

static inline ns_row_mode ns_events_side_mode(int side)
{
  return (ns_row_mode)(NS_ROW_LOWER + side - NS_SIDE_LOWER);
}

/* A multiplier is at a bound if its distance from it is <= `within`. */
static inline ns_side ns_events_side(double lb, double ub, double lambda, double within)
{
  if (lambda - lb <= within) return NS_SIDE_LOWER;
  return ub - lambda <= within ? NS_SIDE_UPPER : NS_SIDE_BETWEEN;
}

#endif
