/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rate.h -- one-step integrators of first-order systems as tables of operations.
 *
 *   M x' = f(x,t) + r,   r = sum of the inputs R_a of all interactions
 *
 * The driver (simulation/step/first_order.h) owns relations, laws and the Newton loop; the
 * integrator owns the smooth dynamics. Linearised at an iterate (x, r), the step is
 *
 *   x+ = xfree + Gain r+,      Gain = h gamma W^-1 (Euler-Moreau) or Gamma (zero-order hold)
 *
 * where r+ is the input that the driver solves for, and W = M - h theta A - h gamma K has the
 * Jacobian A = df/dx and the derivative K = dR/dX of the inputs in it (Acary & Brogliato 2008, ch.
 * 9). With K, xfree applies to increments of the input: W with K solves x+ = xfree + Gain (r+ - K
 * (x+ - x)).
 *
 *   begin      x_k, f_k, r_k of the state; the iterate x becomes x_k
 *   loop:      linearise, free, [driver: one-step problem, writes the new iterate], residual
 *   commit     accept; nothing is written to the state before
 *
 * Relations are evaluated at t_rel and x_rel = (1 - where) x_k + where x: at the end of the step
 * (where = 1), or in the full theta-gamma scheme at t_k + gamma h (where = gamma).
 *
 * A K that couples systems makes one group of them, with one W; without it every system is a group.
 * Functions return 0 done, < 0 fatal with text in c. SI units, t and h in s. Nothing but create
 * allocates. */
#ifndef NS_INTEGRATORS_RATE_H
#define NS_INTEGRATORS_RATE_H

#include "algebra/blocks.h"
#include "integrators/integrator.h"
#include "model/check/diagnose.h"

/* Groups of systems with a common W. The vector of a group holds the x of its systems one after the
 * other. */
typedef struct ns_rate_groups {
  int n;
  const int *size;  /* length of its vector [n] */
  const int *first; /* its systems: list[first[g] .. first[g+1]) [n+1] */
  const int *list;  /* [nsystems] */
  /* of each system: its group, and its first entry in the group's vector [nsystems] */
  const int *of, *at;
  /* of each entry of velocities and rates: its group, and its index in the group's vector [nv] */
  const int *group, *place;
  /* the entries of a group's vector: entry[begin[g] .. begin[g+1]) [nv], [n+1] */
  const int *entry, *begin;
} ns_rate_groups;

/* K of one interaction; rows and columns are the stacked inputs and states X of its systems, [nQ x
 * nQ] by columns. */
typedef struct ns_rate_tangent {
  int interaction;
  const double *K;
} ns_rate_tangent;

/* Where relations are evaluated: t in s, and the weight `where` of the new state in x_rel. */
typedef struct ns_rate_point {
  double t, where;
} ns_rate_point;

typedef struct ns_rate_ops {
  const char *name; /* XML element */
  const char *help; /* one line, for `nssim list schemes` */
  int order;        /* for smooth motion with the default options; tests/orders measures it */
  /* unreduced = 1 (only if ops->sparse, and all systems are linear and time-invariant): W is a
   * sparse matrix over all nq unknowns, and except for the model's A no memory of size nq^2 is
   * allocated. */
  int (*create)(ns_ctx *c, const ns_model *m, int unreduced, void **self);
  int sparse; /* 1: `unreduced` is supported */
  void (*info)(const void *self, ns_integrator_info *info);
  const ns_rate_groups *(*groups)(const void *self);
  /* Compute f and the rate at the initial state, to x->f and x->v (x->p is the input r0). Called
   * once per run. */
  int (*start)(void *self, ns_ctx *c, ns_state *x);
  /* Begin a step of length h from x that ends at t1. */
  int (*begin)(void *self, ns_ctx *c, const ns_state *x, double t1, double h);
  ns_rate_point (*point)(const void *self);
  /* The iterate x [nq], in memory of the integrator, which the driver overwrites; the address does
   * not change during a run. */
  double *(*iterate)(void *self);
  /* Compute the Jacobians at the iterate, and W. K [nk]: tangents of the relations at the iterate.
   * *changed = 1 if any W differs from that of the last call, and in the first call. */
  int (*linearise)(void *self, ns_ctx *c, const ns_rate_tangent *K, int nk, int *changed);
  /* xfree [nq] of this linearisation; unreduced: the right-hand side b [nq] of  W x+ = b +
   *     input_gain r+. */
  int (*free)(void *self, ns_ctx *c, double *xfree);
  /* B := Gain_g B for group g; B [size x nrhs] by columns. Not for `unreduced`. */
  void (*gain)(const void *self, int g, int nrhs, double *B);
  /* `unreduced` only: W [nq x nq], every dim 1, and the factor of r in its equation (h gamma, or
   * h), in s. */
  const ns_blocks *(*matrix)(const void *self, double *input_gain);
  /* Residual of the equations of motion at the iterate with the input r [nq], scaled so that <= 1
   * means convergence: max over systems of |R_i| / (newton_atol + newton_rtol (|M (x - x_k)| + |h
   * f| + |h r|)), plus an allowance for rounding in the denominator. w: receives the contribution
   * of each system; may be NULL. */
  int (*residual)(void *self, ns_ctx *c, const double *r, double *residual, ns_suspect *w);
  /* Write the iterate to x: q, f = f(x_k+1), p = r, v = M^-1 (f + r), *x->t. If something is not
   * finite, fails with NS_NUMERIC and a message that names system and component; x is unchanged. */
  int (*commit)(void *self, ns_ctx *c, ns_state *x, const double *r);
  void (*destroy)(void *self); /* NULL-safe */
  /* data that pass from step to step and are not in the state; restored instead of calling
   * `start` */
  const ns_memory *memory;
} ns_rate_ops;

/* Registry; ends with NULL. */
extern const ns_rate_ops *const ns_rate_integrators[];
const ns_rate_ops *ns_rate_integrator_find(const char *name); /* NULL if there is none */

#endif
