/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_stepping.h -- event-capturing time-stepping of any systems: steps of one length, impacts
 * inside them. One driver for all of it.
 *
 * A step from t_k to t_k+1 = t0 + (k+1) h (Acary & Brogliato 2008, ch. 10):
 *   1. controls act, laws with formulas are renewed
 *   2. begin: the first iterate, and the rows that take part
 *   3. passes of Newton's method: one-step problem of the linearised step, next iterate, residual
 *   4. projection of positions, where the scheme has one; 2 to 4 again until no contact joins
 *   5. commit: the iterate becomes the state; whatever failed until then left that as it was
 *   6. accept: outputs and events, then the certificate
 *
 * Systems differ in what each of these is for them, and that is a part: a table of operations.
 * Parts are Lagrangian systems over an integrator (lagrangian_stepping.h), first-order systems
 * (first_order.h), rigid bodies with one problem in factored form (rigid_stepping.h), any of them
 * together under the theta scheme (mixed_stepping.h), and schemes of their own for Lagrangian
 * systems (d1_minus.h, schatzman_paoli.h). Where steps are simpler than this a part
 * has a short way of its own, chosen when it is made (`step` of lagrangian_stepping.c).
 *
 * Passes end when the residual is <= 1: for every system
 *   ||R - p|| <= newtonTolerance + newtonRelativeTolerance (||p|| + h ||F||)    (2-norms, N s)
 * and the rounding of R, with R the residual of the equations of motion and p the contact impulse,
 * rows and relations each against their own size; after one pass where all is linear. Passes or a
 * one-step problem that do not converge are a failure, never a result.
 *
 * Where impulses are not unique, as of wheels of one axle that push against each other, passes may
 * go from one solution to another for ever, with the same motion, or creep along them. After so
 * many in which the residual was not halved they have stalled: what bends the free velocity stays
 * as it is (rested, from the pass after), their own change is no matter, and the motion alone has
 * to rest. Where that does not help a part may have another way to try. */
#ifndef NS_SIMULATION_STEP_TIME_STEPPING_H
#define NS_SIMULATION_STEP_TIME_STEPPING_H

#include "problems/box/box.h"
#include "simulation/step/controls.h"
#include "simulation/step/strategy.h"

typedef struct ns_pass {
  int number; /* from 1 */
  int stalled, rested;
  /* what the part says of it */
  ns_outcome out;  /* of the one-step problem */
  int active;      /* its rows */
  double residual; /* of the new iterate; <= 1: converged */
} ns_pass;

/* Operations of a part. self: it, which begins with an ns_time_stepping. Failures as in strategy.h.
 */
typedef struct ns_step_ops {
  size_t size; /* of the part, B */
  /* Everything, with zero memory and model, state and h known. */
  int (*create)(void *self, ns_ctx *c, ns_plan *plan);
  void (*destroy)(void *self); /* what create made, also where that has failed; self stays */
  /* Forces and energies (of x->cert) of the state, whose z a control has changed, or (set) any of
   * it from outside. */
  int (*restart)(void *self, ns_ctx *c, int set);
  int (*renew_laws)(void *self, ns_ctx *c);
  /* First iterate of the step to t1 in this round and attempt, and who takes part. */
  int (*begin)(void *self, ns_ctx *c);
  int (*solve)(void *self, ns_ctx *c, ns_pass *p); /* the one-step problem at the iterate: p->out */
  /* The next iterate, and the rest of p; NULL: the problem was all of the step, or a sentence. */
  int (*advance)(void *self, ns_ctx *c, ns_pass *p);
  /* The sentences: the problem was not solved; passes have not converged. */
  int (*unsolved)(void *self, ns_ctx *c, const ns_outcome *out);
  int (*diverged)(void *self, ns_ctx *c, double residual);
  /* Passes that do not converge: 1, attempt being another one then, where something else is left.
   * NULL: nothing is. */
  int (*retry)(void *self);
  void (*solved)(void *self); /* the last pass is done; NULL: nothing to do */
  /* Positions to their constraints; *again = 1: contacts joined, one more round. NULL: none. */
  int (*project)(void *self, ns_ctx *c, int *again);
  int (*commit)(void *self, ns_ctx *c, ns_recorder *rec);
  /* What follows from the new state; *x->step counts it already. */
  int (*accept)(void *self, ns_ctx *c, ns_recorder *rec);
  int (*watch)(void *self, ns_ctx *c, const ns_watch *w); /* what that takes; NULL: nothing */
} ns_step_ops;

typedef struct ns_time_stepping {
  const ns_step_ops *ops;
  const ns_model *m;
  ns_state *x;
  ns_controls *controls; /* NULL: none */
  const ns_watch *w;     /* NULL: nobody looks at problems */
  double t1, h;          /* the end of the step, and how long it is */
  int round, attempt;    /* both from 0 */
  ns_step_report report; /* of the step: x->report once it is accepted */
  /* by the part */
  int one_pass;  /* the first pass is the last */
  int unscaled;  /* residuals are what they are, however well problems are solved */
  int may_stall; /* passes may, see above */
} ns_time_stepping;

/* For the tables of strategies: they are all made alike. */
int ns_time_stepping_create(ns_ctx *c, const ns_model *m, ns_state *x, ns_plan *plan,
                            const ns_step_ops *ops, void **self);
void ns_time_stepping_destroy(void *self); /* NULL-safe */
int ns_time_stepping_step(void *self, ns_ctx *c, ns_recorder *rec);
int ns_time_stepping_changed(void *self, ns_ctx *c);
int ns_time_stepping_watch(void *self, ns_ctx *c, const ns_watch *w);
#define NS_TIME_STEPPING(a_step)                                                                 \
  .name = "TimeStepping", .step = a_step,                       \
  .destroy = ns_time_stepping_destroy, .changed = ns_time_stepping_changed,                      \
  .watch = ns_time_stepping_watch

/* A step for drivers that have a grid of their own (event_driven_hybrid.c): from the state to t1, h
 * long; h may differ from that of the step before. */
int ns_time_stepping_to(void *self, ns_ctx *c, ns_recorder *rec, double t1, double h);

#endif
