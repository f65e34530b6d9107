/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_certificate.h -- whether an event-driven run has followed its equations and laws, by a rule
 * that shares nothing with the integrator.
 *
 * A run is a chain of intervals of one mode. Each is travelled again, from the state at its begin
 * by Dormand and Prince's method of order 8 (dormand_prince.h), and what that comes to is held
 * against the state at its end:
 *
 *   defect = max_i |x_i - Phi_i| / w_i,   w_i = atol_i + rtol (max |x_i| + (t1 - t0) max |x_i'|)
 *
 * in the tolerances of the run; the second term of w is what an error of a rate makes of a state
 * that is small itself. An interval ends at an event, and at points of the grid once the
 * integrator has evaluated its rate SHARE times as often as the method needs for a step, so that
 * checking costs a fixed part of the run whatever the grid. Where formulas move the systems,
 * steps of the integrator are no longer than a part of the run (ns_event_stride), and as long as
 * few evaluations were made those of the method too: or else both would pass over a force that
 * stands in a narrow place. Where it needs far more than the
 * integrator, the motion of an implicit flow is stiff: then an implicit method (extrapolation.h)
 * travels in its place, as often as costs no more than the integrator; other intervals are left
 * out, and `checked` is the time of those that were not. A motion that neither method can follow
 * though the integrator has passed it with a tenth of the evaluations jumps, and fails. What is
 * taken follows from counts alone: the same for the same run.
 *
 * Laws are looked at where the rate was just evaluated, with the forces that hold the mode solved
 * there: at both ends of an interval and at each step of the method in it. An event is what its
 * driver says of it (ns_event_certificate_event).
 *
 * Each time at which a formula of t alone jumps or has a corner is known before the run
 * (ns_event_certificate_known), however short what happens there: intervals end at them, or the
 * event was missed.
 *
 * Beyond what is allowed the run ends with NS_NUMERIC and a sentence. Numbers are in the
 * certificate of the state, each by what is allowed: > 1 fails. Nothing but `create` allocates. */
#ifndef NS_SIMULATION_EVENTS_EVENT_CERTIFICATE_H
#define NS_SIMULATION_EVENTS_EVENT_CERTIFICATE_H

#include "integrators/flow.h"
#include "model/frozen.h"
#include "model/state.h"

/* The worst of the laws at a point. */
typedef struct ns_breach {
  double by;        /* of what is allowed; 0: none */
  int row;          /* whose law it is; -1: of the run */
  double value;     /* what was found */
  const char *what; /* of what: "a closed contact pulls with" */
  const char *unit;
} ns_breach;

/* What is certified; borrowed, outlives the certificate. */
typedef struct ns_certified {
  void *of;                    /* handed to laws and place */
  const ns_flow_problem *flow; /* rate, tolerances and names */
  /* of the unknowns: the first ones, which the integrator keeps to its tolerances */
  size_t judged;
  int fixed;          /* 1: its steps have a length and no tolerance */
  ns_certificate *to; /* numbers */
  /* What rate reads beside the unknowns and counts on from where it was: angles of joints over
   * turns [nangles]; borrowed. `passed` lets them follow to x, which is less than half a turn on;
   * as they are now again after a check. 0, NULL: there are none. */
  size_t nangles;
  double *angle;
  void (*passed)(void *of, const double *x);
  /* The laws of the mode at x, where rate was evaluated last; the method may be wrong by `error` in
   * the unknowns. The codes of rate. */
  int (*laws)(void *of, double t, const double *x, double error, ns_breach *worst);
  /* "file.xml:3: <interaction id="c">" of a row, -1: of the simulation; buf [512]. */
  const char *(*place)(void *of, int row, char *buf);
} ns_certified;

typedef struct ns_event_certificate ns_event_certificate;

/* *self is NULL where the model has certificate="off". */
int ns_event_certificate_create(ns_ctx *c, const ns_certified *what, ns_event_certificate **self);
void ns_event_certificate_destroy(ns_event_certificate *o); /* NULL-safe, as all that follow */

/* Times at which formulas of t change, in order: an interval that holds one inside it has missed
 * it. Borrowed. */
void ns_event_certificate_known(ns_event_certificate *o, const double *times, size_t n);
/* The same from the formulas of a run whose branches are those of x: all times that depend on t
 * alone, or the first MOST of them. Before the run begins. */
int ns_event_certificate_schedule(ns_event_certificate *o, ns_ctx *c, const ns_model *m,
                                  const ns_state *x);

/* The longest step of a run, s: forces by formulas that come and go within a longer one than that
 * part of the run are met. 0: nothing moves the systems that could. NS_NOMEM. */
int ns_event_stride(ns_ctx *c, const ns_model *m, double *stride);

/* The flow was restarted from x at t: an interval begins. `rates`: evaluations of the integrator so
 * far. */
void ns_event_certificate_begin(ns_event_certificate *o, double t, const double *x,
                                long long rates);
/* The flow has come to x at t in the mode that it began with. An event: the interval ends; else it
 * ends if it is due. What it evaluates last is the rate at x. */
int ns_event_certificate_check(ns_event_certificate *o, ns_ctx *c, double t, const double *x,
                               long long rates, int event);
/* What was found at a row, or of an event, at t. */
int ns_event_certificate_laws(ns_event_certificate *o, ns_ctx *c, double t, const ns_breach *b);
int ns_event_certificate_event(ns_event_certificate *o, ns_ctx *c, double t, const ns_breach *b);

/* What goes on beyond a restart of the flow. */
void ns_event_certificate_save(const ns_event_certificate *o, ns_blob *b);
void ns_event_certificate_restore(ns_event_certificate *o, ns_blob *b);

#endif
