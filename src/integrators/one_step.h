/* SPDX-License-Identifier: GPL-3.0-or-later */
/* one_step.h -- the common part of flows by one-step methods (flow.h): the last step with x and x'
 * at both ends, the cubic of Hermite between them, the roots on it (bracket.h), and fixed steps.
 *
 * The object of a method begins with an ns_one_step; the method fills in its functions and takes
 * steps; the operations below go into its table unchanged. Errors of the cubic are O(h^4). */
#ifndef NS_INTEGRATORS_ONE_STEP_H
#define NS_INTEGRATORS_ONE_STEP_H

#include "integrators/bracket.h"
#include "integrators/flow.h"

typedef struct ns_one_step ns_one_step;

typedef struct ns_one_step_method {
  /* From (t1, x1), where x' is f1: x2 and f2 [n each] at *t <= stop, the method's to choose.
   * Returns 0 or a failure with its sentence. */
  int (*step)(ns_one_step *o, ns_ctx *c, double stop, double *t);
  /* The sentence where a function of the problem ended with rc at t, within a step of length h. */
  int (*refused)(ns_one_step *o, ns_ctx *c, int rc, double t, double h);
} ns_one_step_method;

struct ns_one_step {
  const ns_flow_problem *p;
  const ns_one_step_method *method;
  double t0, t1;             /* the last step; equal before the first one */
  double *x0, *f0, *x1, *f1; /* x and x' at both ends [p->n] */
  double *x2, *f2;           /* at the end of the next one, for the method [p->n] */
  double length;             /* of steps that have one; the method's to set */
  double base;               /* they end at base + k length */
  long long k;
  ns_bracket roots;
  double *x;      /* where their functions are evaluated, scratch [p->n] */
  int begun;      /* x' and these functions are those of where the flow is */
  int inspects;   /* the driver looks into steps (flow.h, inspect) */
  double reached; /* where the last look ended */
  ns_flow_work work;
};

/* Memory for p; NS_NOMEM: told by the caller. fini is for what init has begun, too. */
int ns_one_step_init(ns_one_step *o, const ns_flow_problem *p, const ns_one_step_method *method);
void ns_one_step_fini(ns_one_step *o);
/* x' of the problem, counted. */
int ns_one_step_rate(ns_one_step *o, double t, const double *x, double *f);
/* Length of the next of the steps that have one, and its end *t. What would be left before `stop`
 * is added where it is rounding. */
double ns_one_step_next(const ns_one_step *o, double stop, double *t);

/* ---- operations of ns_flow_ops; `self` begins with an ns_one_step --------------------------- */

int ns_one_step_restart(void *self, ns_ctx *c, double t, const double *x,
                        const signed char *direction);
int ns_one_step_advance(void *self, ns_ctx *c, double end, double stop, double *t, double *x,
                        ns_flow_end *why);
const int *ns_one_step_fired(const void *self);
int ns_one_step_dense(void *self, ns_ctx *c, double t, int k, double *x);
void ns_one_step_span(const void *self, double *from, double *to);
void ns_one_step_work(const void *self, ns_flow_work *w);
extern const ns_memory ns_one_step_memory; /* of methods that keep nothing over a restart */

#endif
