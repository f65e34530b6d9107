/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_stepping.h -- event-capturing time-stepping: steps of fixed length, with impacts inside
 * steps. One driver for all kinds of systems.
 *
 * A step from t_k to t_k+1 = t0 + (k+1) h (Acary & Brogliato 2008, ch. 10):
 *   1. controls act; parameters of laws that are formulas are updated
 *   2. begin: the first iterate, and the active rows
 *   3. passes of Newton's method: one-step problem of the linearised step, next iterate, residual
 *   4. projection of positions, if the scheme has one; 2 to 4 again until no contact is added
 *   5. commit: the iterate becomes the state; a failure before this leaves the state unchanged
 *   6. accept: outputs and events, then the certificate
 *
 * A part implements these operations for one kind of systems, as a table of operations; what parts
 * have in common is in ns_time_stepping and done here: memory, controls, the watch, laws and p of
 * contacts. Parts:
 * Lagrangian systems with an integrator (lagrangian_stepping.h), rigid bodies with one problem in
 * factored form (rigid_stepping.h), first-order systems, and any of them together, with the theta
 * scheme (theta_stepping.h), and the schemes of d1_minus.h and schatzman_paoli.h. A part may have a
 * fast path for simple models, chosen when it is created (`step` of lagrangian_stepping.c).
 *
 * Passes end when the residual is <= 1: for every system
 *   ||R - p|| <= newtonTolerance + newtonRelativeTolerance (||p|| + h ||F||)    (2-norms, N s)
 * (newtonTolerance by ns_newton_unit) plus the rounding error of R, with R the residual of the
 * equations of motion and p the contact impulse; rows and relations relative to their size. For
 * rigid bodies, moments are divided by the radius of gyration, and newtonTolerance is reduced for
 * small bodies (rigid_motion.h). If everything is linear there is one pass.
 * Passes or a one-step problem that do not converge are a failure, never a result.
 * Impulses that solve the problem to its tolerance stay as they are, and with them the residual of
 * a body far smaller than the largest: after a few passes that came no nearer, problems are solved
 * to a hundredth of what the last one left.
 *
 * If impulses are not unique, as for two wheels on one axle that push against each other, passes
 * may alternate between solutions with the same motion, or move slowly along them. After a number
 * of passes in which the residual was not halved, the loop has stalled: the correction of the free
 * velocity by impulses is frozen (rested, from the next pass), the change of impulses is ignored,
 * and only the motion has to converge. If this fails, a part may try another method (retry). */
#ifndef NS_SIMULATION_STEP_TIME_STEPPING_H
#define NS_SIMULATION_STEP_TIME_STEPPING_H

#include "problems/box/box.h"
#include "simulation/step/controls.h"
#include "simulation/step/stepper.h"
#include "simulation/step/strategy.h"

typedef struct ns_pass {
  int number; /* from 1 */
  int stalled, rested;
  double tol; /* residual that the one-step problem is solved to; 0: the usual one */
  /* set by the part */
  ns_outcome out;  /* outcome of the one-step problem */
  int active;      /* number of its rows */
  double residual; /* of the new iterate; <= 1: converged */
} ns_pass;

/* Operations of a part. self: the part, which begins with an ns_time_stepping. Errors as in
 * strategy.h. */
typedef struct ns_step_ops {
  size_t size; /* size of the part in bytes */
  /* Create everything; the memory of self is zeroed, model, state and h are set. */
  int (*create)(void *self, ns_ctx *c, ns_plan *plan);
  /* Frees what create allocated outside of mem and stepper, also after its failure; does not free
   * self. NULL: nothing. */
  void (*destroy)(void *self);
  /* Compute forces and energies (of x->cert) of a state whose z a control has changed or, with
   * `set`, that was changed from outside. */
  int (*restart)(void *self, ns_ctx *c, int set);
  /* Read the laws of the step, whose parameters have been updated; NULL: the contacts k do. */
  int (*take_laws)(void *self, ns_ctx *c);
  /* All of a step in one pass, for schemes without passes and projection: replaces begin to
   * project. Adds to report. */
  int (*make)(void *self, ns_ctx *c, ns_step_report *report);
  /* First iterate of the step to t1 in this round and attempt, and the active rows. */
  int (*begin)(void *self, ns_ctx *c);
  /* solve the one-step problem at the iterate: p->out */
  int (*solve)(void *self, ns_ctx *c, ns_pass *p);
  /* Compute the next iterate and the rest of p. */
  int (*advance)(void *self, ns_ctx *c, ns_pass *p);
  /* Failure: the problem was not solved (NULL: that of the contacts k). */
  int (*unsolved)(void *self, ns_ctx *c, const ns_outcome *out);
  /* Passes have not converged: a failure if the cause is known (a function that is not finite),
   * otherwise NS_OK and the equation whose residual is worst in w, for the common message. */
  int (*diverged)(void *self, ns_ctx *c, double residual, ns_suspect *w);
  /* After passes that did not converge: returns 1, with another value of attempt, if another method
   * is left. NULL: none. */
  int (*retry)(void *self);
  void (*solved)(void *self); /* called after the last pass; may be NULL */
  /* Project positions onto their constraints; *again = 1: contacts were added, another round is
   * needed. NULL: no projection. */
  int (*project)(void *self, ns_ctx *c, int *again);
  int (*commit)(void *self, ns_ctx *c, ns_recorder *rec);
  /* Compute outputs and events of the new state; *x->step has been incremented. */
  int (*accept)(void *self, ns_ctx *c, ns_recorder *rec);
} ns_step_ops;

typedef struct ns_time_stepping {
  const ns_step_ops *ops;
  const ns_model *m;
  ns_state *x;
  ns_arena *mem;         /* memory of the part */
  ns_controls *controls; /* NULL: none */
  double *work;          /* of ns_state_outputs; NULL without controls */
  const ns_watch *w;     /* NULL: problems are not shown */
  double *bounds;        /* of shown problems of k (ns_show_bounds) */
  double t1, h;          /* end and length of the step, s */
  int recorded;          /* 1: contacts of the step are recorded */
  int round, attempt;    /* both from 0 */
  ns_step_report report; /* of the step: x->report once it is accepted */
  /* set by the part */
  ns_contacts *k;      /* all rows, of Lagrangian systems; NULL: the part has other rows */
  ns_stepper *stepper; /* of `make`, which k belongs to; is freed here. NULL: none */
  int one_pass;        /* 1: only one pass */
  int unscaled;        /* 1: residuals get no allowance for the error of the one-step problem */
  int may_stall;       /* 1: passes may stall, see above */
} ns_time_stepping;

/* Common functions for the tables of strategies. */
int ns_time_stepping_create(const ns_strategy_ops *ops, ns_ctx *c, const ns_model *m, ns_state *x,
                            ns_plan *plan, void **self);
void ns_time_stepping_destroy(void *self); /* NULL-safe */
int ns_time_stepping_step(void *self, ns_ctx *c, ns_recorder *rec);
int ns_time_stepping_changed(void *self, ns_ctx *c);
int ns_time_stepping_watch(void *self, ns_ctx *c, const ns_watch *w);
/* For parts whose rows are the contacts k. */
void ns_time_stepping_report(void *self);
int ns_time_stepping_savable(const void *self);
#define NS_TIME_STEPPING(a_step) \
  .name = "TimeStepping", .create = ns_time_stepping_create, .step = a_step, \
  .destroy = ns_time_stepping_destroy, .changed = ns_time_stepping_changed, \
  .watch = ns_time_stepping_watch

/* Called by create. Vectors [n] of the memory of the part, zeroed. */
int ns_time_stepping_vectors(ns_time_stepping *o, ns_ctx *c, size_t n, size_t count,
                             double **const *list);
/* The same for schemes with `make`: contacts and matrices (ns_stepper_init), and the plan. */
int ns_time_stepping_over(ns_time_stepping *o, ns_ctx *c, ns_stepper *s, const char *scheme,
                          int laws, double b, double k, ns_plan *plan);

/* A step for drivers with a separate grid (event_driven_hybrid.c): from the state to t1, of length
 * h, which may differ from that of the previous step. */
int ns_time_stepping_to(void *self, ns_ctx *c, ns_recorder *rec, double t1, double h);

#endif
