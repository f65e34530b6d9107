/* SPDX-License-Identifier: GPL-3.0-or-later */
/* user_events.h -- the events of the user while a model runs.
 *
 * A driver that locates roots asks for them and applies what happened, at its time:
 *
 *   ns_user_events_begin       before the first step: scheduled at t0, stops whose condition holds
 *                              already
 *   ns_user_events_roots       g_i(state), i = 0..n-1, one for each event with a condition, above 0
 *                              where it holds
 *   ns_user_events_direction   the sign changes of g_i that count
 *   ns_user_events_next        the next scheduled time
 *   ns_user_events_happened    a root or scheduled time was reached: the state is that at the
 *                              event, t its time; record, set, stop
 *
 * Such a driver says so in its operations (strategy.h). Measures see both sides of an event, by
 * ns_recorder_state. ns_user_events_fired and ns_user_events_due do all of this with what the
 * driver knows of its state.
 *
 * A driver with a grid calls ns_user_events_step after each step and leaves all of it to that:
 * roots are where the margin of a condition, linear in the step, is zero; the event has that time,
 * its sets act at the end of the step. Events of one step happen in the order of their times, those
 * of one time in the order of the model. What an event changes may make the condition of another
 * one hold: that one happens after the next step.
 *
 * All that changes is in the state of the run. */
#ifndef NS_SIMULATION_STEP_USER_EVENTS_H
#define NS_SIMULATION_STEP_USER_EVENTS_H

#include "model/observables.h"
#include "model/user_event.h"
#include "simulation/record/recorder.h"

typedef struct ns_user_events ns_user_events;

/* What a driver has to do after events happened. */
typedef struct ns_user_outcome {
  int happened;     /* events */
  unsigned changed; /* bits 1 << NS_BANK_Q, _V, _Z: what of the state they set */
  int row;          /* 1: a row is to be recorded */
  int stop;         /* 1: the run ends here */
} ns_user_outcome;

/* o: of the same model, must outlive it. *out NULL without failure: the model has none. */
int ns_user_events_create(ns_ctx *c, const ns_model *m, const ns_observables *o, ns_state *x,
                          ns_user_events **out);
void ns_user_events_destroy(ns_user_events *u); /* NULL-safe */

/* ---- for drivers that locate roots; u is not NULL -------------------------------------------- */

int ns_user_events_nroots(const ns_user_events *u);
/* g [nroots] at x, which may be another state than that of the run; none is 0. NS_PLUGIN where a
 * plug-in of an observable fails. */
int ns_user_events_roots(const ns_user_events *u, ns_ctx *c, const ns_state *x, double *g);
/* Of root i: 1 where g rises through 0, -1 where it falls, 0 both. */
int ns_user_events_direction(const ns_user_events *u, int i);
/* The event of root i, an index into ns_model.user_events. */
int ns_user_events_of_root(const ns_user_events *u, int i);
/* The earliest scheduled time that has not been, +inf: none; *event: whose (NULL: not wanted). */
double ns_user_events_next(const ns_user_events *u, int *event);
/* Event k (an index into ns_model.user_events) happens at time t; the state of the run is that at
 * t, before it. Events go to rec (may be NULL). Adds to *out. */
int ns_user_events_happened(ns_user_events *u, ns_ctx *c, ns_recorder *rec, int k, double t,
                            ns_user_outcome *out);

/* What a driver does about an event: `output` brings to date what follows from the state; `row`
 * records it (side 0, 1 before, 2 after); `changed`: the state was set. */
typedef struct ns_user_driver {
  void *of;
  ns_recorder *rec; /* may be NULL */
  int (*output)(void *of);
  int (*row)(void *of, double side);
  int (*changed)(void *of);
} ns_user_driver;

/* All that happens at the time of the state: the events whose root was found, fired [nroots], or
 * those scheduled up to it. *stopped comes to 1 where one ends the run: none happens after it. */
int ns_user_events_fired(ns_user_events *u, ns_ctx *c, const ns_user_driver *d,
                         const unsigned char *fired, int *stopped);
int ns_user_events_due(ns_user_events *u, ns_ctx *c, const ns_user_driver *d, int *stopped);
/* Levels that hold at the state happen, until none does. NS_NUMERIC where that does not end. */
int ns_user_events_levels(ns_user_events *u, ns_ctx *c, const ns_user_driver *d, int *stopped);

/* ---- for drivers with a grid ----------------------------------------------------------------- */

/* Before the first step; does nothing in a run that goes on. u may be NULL. */
int ns_user_events_begin(ns_user_events *u, ns_ctx *c, ns_recorder *rec, ns_user_outcome *out);
/* At the initial state: warns of each event whose condition is to begin to hold, and does already,
 * so that it does not happen. */
int ns_user_events_warn(ns_user_events *u, ns_ctx *c);
/* After a step. */
int ns_user_events_step(ns_user_events *u, ns_ctx *c, ns_recorder *rec, ns_user_outcome *out);

/* y and ydot of the relations at the state that events have set; lambda stays. */
int ns_user_events_outputs(ns_user_events *u, ns_ctx *c);

/* ---- of any state ---------------------------------------------------------------------------- */

/* The event that ended the run, NULL: none did; *t: when (NULL: not wanted). */
const ns_user_event *ns_user_events_stopped(const ns_model *m, const ns_state *x, double *t);
/* How often event k happened. */
long long ns_user_events_count(const ns_model *m, const ns_state *x, int k);

#endif
