/* SPDX-License-Identifier: GPL-3.0-or-later */
/* one_step.h -- the common part of flows by one-step methods (flow.h): the last step with x and x'
 * at both ends, Hermite's cubic between them, roots of functions on it (bracket.h), and the grid of
 * fixed steps.
 *
 * The object of a method begins with an ns_one_step and provides an ns_one_step_method; its
 * ns_flow_ops contains the operations below unchanged. The error of the cubic is O(h^4). */
#ifndef NS_INTEGRATORS_ONE_STEP_H
#define NS_INTEGRATORS_ONE_STEP_H

#include "integrators/bracket.h"
#include "integrators/flow.h"

typedef struct ns_one_step ns_one_step;

typedef struct ns_one_step_method {
  /* Step from (t1, x1), where x' is f1, to a time *t <= stop that the method chooses; writes x2 and
   * f2 [n each]. Returns 0, or a failure with its message. */
  int (*step)(ns_one_step *o, ns_ctx *c, double stop, double *t);
  /* The failure, with its message, after a function of the problem returned rc at t, within a step
   * of length h. */
  int (*refused)(ns_one_step *o, ns_ctx *c, int rc, double t, double h);
} ns_one_step_method;

struct ns_one_step {
  const ns_flow_problem *p;
  const ns_one_step_method *method;
  double t0, t1;             /* the last step; equal before the first one */
  double *x0, *f0, *x1, *f1; /* x and x' at both ends [p->n] */
  double *x2, *f2;           /* at the end of the next one, for the method [p->n] */
  double length;             /* length of fixed steps, s; set by the method */
  double base;               /* fixed steps end at base + k length */
  long long k;
  ns_bracket roots;
  double *x;      /* point at which root functions are evaluated, scratch [p->n] */
  int begun;      /* 1: f1 and the values of root functions belong to (t1, x1) */
  int inspects;   /* 1: the driver inspects steps (flow.h, inspect) */
  double reached; /* end of the last inspection, s */
  ns_flow_work work;
};

/* Vectors for p, in the arena; NS_NOMEM without a message. */
int ns_one_step_init(ns_one_step *o, ns_arena *mem, const ns_flow_problem *p,
                     const ns_one_step_method *method);
/* Evaluate x' of the problem and count it. */
int ns_one_step_rate(ns_one_step *o, double t, const double *x, double *f);
/* Length of the next fixed step, and its end *t. If only a rounding error would remain before
 * `stop`, the step ends at `stop`. */
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
extern const ns_memory ns_one_step_memory; /* of methods without data that survive a restart */

#endif
