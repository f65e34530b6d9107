/* SPDX-License-Identifier: GPL-3.0-or-later */
/* user_events.h -- user events during a run.
 *
 * A driver that locates roots uses these functions and applies events at their times:
 *
 *   ns_user_events_begin       before the first step: events scheduled at t0, stops whose
 *                              condition already holds
 *   ns_user_events_roots       g_i(state), i = 0..n-1, one for each event with a condition,
 *                              > 0 if it holds
 *   ns_user_events_direction   the sign changes of g_i that count
 *   ns_user_events_next        the next scheduled time
 *   ns_user_events_happened    a root or scheduled time was reached; the state is that at the
 *                              event, t its time: record, set, stop
 *
 * Such a driver has ns_strategy_ops.user_events (strategy.h). Measures receive both sides of an
 * event, by ns_recorder_state. ns_user_events_fired and ns_user_events_due do all of this with the
 * callbacks of a driver.
 *
 * A driver with a grid only calls ns_user_events_step after each step: the time of an event is the
 * zero of the margin of its condition, which is taken as linear in the step; its assignments act at
 * the end of the step. Events of one step occur in the order of their times, and at equal times in
 * the order of the model. If an event makes the condition of another one true, that one occurs
 * after the next step.
 *
 * All data that change are in the state of the run. */
#ifndef NS_SIMULATION_STEP_USER_EVENTS_H
#define NS_SIMULATION_STEP_USER_EVENTS_H

#include "model/observables.h"
#include "model/user_event.h"
#include "simulation/record/recorder.h"

typedef struct ns_user_events ns_user_events;

/* What a driver has to do after events. */
typedef struct ns_user_outcome {
  int happened;     /* events */
  unsigned changed; /* bits 1 << NS_BANK_Q, _V, _Z: parts of the state that were assigned */
  int row;          /* 1: a row is to be recorded */
  int stop;         /* 1: the run ends here */
} ns_user_outcome;

/* o: of the same model, must outlive it. *out NULL without failure: the model has none. */
int ns_user_events_create(ns_ctx *c, const ns_model *m, const ns_observables *o, ns_state *x,
                          ns_user_events **out);
void ns_user_events_destroy(ns_user_events *u); /* NULL-safe */

/* ---- for drivers that locate roots; u is not NULL -------------------------------------------- */

int ns_user_events_nroots(const ns_user_events *u);
/* g [nroots] at x, which need not be the state of the run; no entry is 0. NS_PLUGIN if a plug-in of
 * an observable fails. */
int ns_user_events_roots(const ns_user_events *u, ns_ctx *c, const ns_state *x, double *g);
/* Each condition has a side, whether it holds, in the state. It changes at a root or a jump, and
 * its event happens there, once. _begin_flow: before a flow that begins at x evaluates roots there;
 * conditions that are 0 but for rounding begin on their side, wherever rounding has left the
 * margin, so that the flow meets what has yet to be met. _forget: the state was changed from
 * outside, which is no event. */
int ns_user_events_begin_flow(ns_user_events *u, ns_ctx *c, const ns_state *x);
void ns_user_events_forget(ns_user_events *u);
/* Direction of root i: 1: g rises through 0, -1: it falls, 0: both. */
int ns_user_events_direction(const ns_user_events *u, int i);
/* The event of root i, an index into ns_model.user_events. */
int ns_user_events_of_root(const ns_user_events *u, int i);
/* The next scheduled time, +inf: none; *event: its event (may be NULL). */
double ns_user_events_next(const ns_user_events *u, int *event);
/* Execute event k (an index into ns_model.user_events) at time t; the state of the run is that at
 * t, before the event. Events go to rec (may be NULL). Adds to *out. */
int ns_user_events_happened(ns_user_events *u, ns_ctx *c, ns_recorder *rec, int k, double t,
                            ns_user_outcome *out);

/* Callbacks of a driver for events: `output` updates everything that follows from the state; `row`
 * records it (side 0, 1 before, 2 after); `changed`: the state was changed. */
typedef struct ns_user_driver {
  void *of;
  ns_recorder *rec; /* may be NULL */
  int (*output)(void *of);
  int (*row)(void *of, double side);
  int (*changed)(void *of);
} ns_user_driver;

/* What a condition did at a root. MEETS: that of a level that does not hold yet is exactly 0 there,
 * as where one switch opens at 0 and another one closes above it. */
enum { NS_USER_RISES = 1, NS_USER_FALLS = 2, NS_USER_MEETS = 3 };
/* 1 if the margin of root i, of such a level, is exactly 0 at the state. */
int ns_user_events_meets(const ns_user_events *u, ns_ctx *c, int i);

/* The condition of root i begins (rises = 1) or ceases to hold, as a root of it shows, or otherwise
 * a jump. Returns what it did, 0: nothing that counts; a root that was met already does not. */
int ns_user_events_changed(ns_user_events *u, int i, int rises, int is_root);

/* Execute the events at the time of the state: _fired: those whose root was found, fired [nroots];
 * _due: those scheduled up to `until`, which is it but for rounding. *stopped = 1 if one ends the
 * run; later ones are not executed. */
int ns_user_events_fired(ns_user_events *u, ns_ctx *c, const ns_user_driver *d,
                         const unsigned char *fired, int *stopped);
int ns_user_events_due(ns_user_events *u, ns_ctx *c, const ns_user_driver *d, double until,
                       int *stopped);
/* Conditions also change where the state, its inputs or a formula jumps, which is no root: _mark
 * keeps them as they are before that, at an up-to-date state. */
int ns_user_events_mark(ns_user_events *u, ns_ctx *c);
/* Execute events with `level` whose condition holds at the state and, if conditions are `marked`,
 * those whose condition has changed since, until there is none; *happened: their number. NS_NUMERIC
 * if this does not end. */
int ns_user_events_now(ns_user_events *u, ns_ctx *c, const ns_user_driver *d, int marked,
                       int *happened, int *stopped);

/* ---- for drivers with a grid ----------------------------------------------------------------- */

/* Called before the first step; does nothing in a resumed run. u may be NULL. */
int ns_user_events_begin(ns_user_events *u, ns_ctx *c, ns_recorder *rec, ns_user_outcome *out);
/* At the initial state, warn of events whose condition holds already, so that it cannot begin to
 * hold and the event does not occur. */
int ns_user_events_warn(ns_user_events *u, ns_ctx *c);
/* After a step. */
int ns_user_events_step(ns_user_events *u, ns_ctx *c, ns_recorder *rec, ns_user_outcome *out);

/* Compute y and ydot of the relations at the state changed by events; lambda is unchanged. */
int ns_user_events_outputs(ns_user_events *u, ns_ctx *c);

/* ---- of any state ---------------------------------------------------------------------------- */

/* The event that ended the run, NULL: none; *t: its time (may be NULL). */
const ns_user_event *ns_user_events_stopped(const ns_model *m, const ns_state *x, double *t);
/* Number of occurrences of event k. */
long long ns_user_events_count(const ns_model *m, const ns_state *x, int k);

#endif
