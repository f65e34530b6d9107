/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_certificate.h -- verification that an event-driven run satisfies its equations and laws, by
 * a method that shares no code with the integrator.
 *
 * A run is a sequence of intervals of constant mode. Each is integrated again, from the state at
 * its beginning, by the method of order 8 of Dormand and Prince (dormand_prince.h), and the result
 * Phi is compared with the state x at its end:
 *
 *   defect = max_i |x_i - Phi_i| / w_i,   w_i = atol_i + rtol (max |x_i| + (t1 - t0) max |x_i'|)
 *
 * with the tolerances of the run; the second term of w is the effect of an error of the rate on a
 * state that is small itself. An interval ends at events, and at a point of the grid once the
 * integrator has evaluated its rate SHARE times as often as the method requires for a step, so that
 * the cost of the check is a fixed fraction of the run for any grid. If formulas act on the
 * systems, steps of the integrator are limited to a fraction of the run (ns_event_stride), and so
 * are those of the method while only few evaluations have been made; otherwise both could skip a
 * force that acts in a narrow region.
 *
 * If the method requires far more evaluations than an implicit flow, the motion is stiff. It is
 * then integrated by an implicit method (extrapolation.h), for as many intervals as cost no more
 * than the integrator; the others are not checked, and `checked` is the duration of those that
 * were. A motion that neither method can integrate, although the integrator needed only a tenth of
 * the evaluations, has a jump, and the check fails. The selection depends only on counts, so that
 * it is the same whenever the run is repeated.
 *
 * Laws are checked where the rate was just evaluated, with the constraint forces of the mode: at
 * both ends of an interval and at each step of the method in it. Events are checked by their
 * driver, which reports its result (ns_event_certificate_event).
 *
 * The times at which formulas of t jump or have corners are known before the run
 * (ns_event_certificate_known). An interval that contains such a time has missed the event.
 *
 * If an error exceeds what is accepted, the run ends with NS_NUMERIC and a message. The certificate
 * of the state contains each error relative to the accepted one: > 1 fails. Only `create`
 * allocates. */
#ifndef NS_SIMULATION_EVENTS_EVENT_CERTIFICATE_H
#define NS_SIMULATION_EVENTS_EVENT_CERTIFICATE_H

#include "integrators/flow.h"
#include "model/frozen.h"
#include "model/state.h"

/* The largest violation of a law at a point. */
typedef struct ns_breach {
  double by;        /* violation relative to the accepted one; 0: none */
  int row;          /* row of the law; -1: none */
  double value;     /* value found */
  const char *what; /* description of the value: "a closed contact pulls with" */
  const char *unit;
} ns_breach;

/* The run to verify; borrowed, outlives the certificate. */
typedef struct ns_certified {
  void *of;                    /* passed to laws and place */
  const ns_flow_problem *flow; /* rate, tolerances and names */
  /* number of unknowns, the first ones, that the integrator controls by its tolerances */
  size_t judged;
  int fixed;          /* 1: its steps have a fixed length, without tolerance */
  ns_certificate *to; /* numbers */
  /* Data that `rate` reads in addition to the unknowns and updates from point to point: angles of
   * joints with revolutions [nangles]; borrowed. `passed` updates them to x, less than half a
   * revolution away; a check restores their present values. 0, NULL: none. */
  size_t nangles;
  double *angle;
  void (*passed)(void *of, const double *x);
  /* Check the laws of the mode at x, the point of the last evaluation of rate; `error`: possible
   * error of the unknowns there. Return codes of rate. */
  int (*laws)(void *of, double t, const double *x, double error, ns_breach *worst);
  /* 1: towards the point of the last evaluation of rate, rates grow without bound at a time that
   * errors of the state shift: what is judged is the path. NULL: there are none */
  int (*is_steep)(void *of);
  /* "file.xml:3: <interaction id="c">" of a row, -1: of the simulation; buf [512]. */
  const char *(*place)(const void *of, int row, char *buf);
} ns_certified;

typedef struct ns_event_certificate ns_event_certificate;

/* Create; *self is NULL if the model has certificate="off". */
int ns_event_certificate_create(ns_ctx *c, const ns_certified *what, ns_event_certificate **self);
void ns_event_certificate_destroy(ns_event_certificate *o); /* NULL-safe, as all that follow */

/* Times at which formulas of t change, in order, borrowed: an interval with one inside has missed
 * an event. */
void ns_event_certificate_known(ns_event_certificate *o, const double *times, size_t n);
/* The same for all times that depend only on t, or the first MOST of them, from the formulas of a
 * run whose branches are those of x. Called before the run begins. */
int ns_event_certificate_schedule(ns_event_certificate *o, ns_ctx *c, const ns_model *m,
                                  const ns_state *x);

/* *stride: max. step of a run, s, such that forces given by formulas that act for longer than this
 * are found. 0: no limit, as no formula acts on the systems. NS_NOMEM. */
int ns_event_stride(ns_ctx *c, const ns_model *m, double *stride);

/* Begin an interval after a restart of the flow from x at t. `rates`: evaluations of the integrator
 * so far. */
void ns_event_certificate_begin(ns_event_certificate *o, double t, const double *x,
                                long long rates);
/* The flow has reached x at t in the same mode. event: the interval ends; otherwise it ends if it
 * is due. The last evaluation is the rate at x. */
int ns_event_certificate_check(ns_event_certificate *o, ns_ctx *c, double t, const double *x,
                               long long rates, int event);
/* Report a violation at a row, or of an event, at t. */
int ns_event_certificate_laws(ns_event_certificate *o, ns_ctx *c, double t, const ns_breach *b);
int ns_event_certificate_event(ns_event_certificate *o, ns_ctx *c, double t, const ns_breach *b);

/* Save and restore the data that survive a restart of the flow. */
void ns_event_certificate_save(const ns_event_certificate *o, ns_blob *b);
void ns_event_certificate_restore(ns_event_certificate *o, ns_blob *b);

#endif
