/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_roots.h -- several roots of a function within one step of the integrator.
 *
 * The integrator compares the signs of root functions at the ends of its steps, which for simple
 * motions can be as long as the run. If a function g changes its sign several times within a step,
 * it would find no root, or not the first one. (Roots of dg/dt would show such changes, but when a
 * motion comes to rest dg/dt contains only rounding errors and has roots without end.) Therefore
 * the integrator gets the function
 *
 *   G(t) = g(t) for t <= s,   g(s) for t > s
 *
 * where g has changed its sign at s in the current step. The first root of G is that of g.
 *
 * Functions that bend (`bends`), such as sin(20 x), are sampled within the step (sign_change.h),
 * unless a step of about the same length was resolved by few values. Bending functions that look
 * flat may have peaks and are sampled in each interval of the time grid. Other functions are as
 * smooth as the motion, and are searched only where a change is possible: with the curvature k of g
 * from the last three points, a parabola that is positive at both ends of a step of length d is at
 * most k d^2/8 below them. If that reaches zero, the middle is evaluated, and then the points
 * proposed by successive parabolas (Brent 1973, ch. 5).
 *
 * Functions from index `either` on are searched on both sides of 0; the others only if they are
 * positive at the beginning of a step. */
#ifndef NS_SIMULATION_EVENTS_STEP_ROOTS_H
#define NS_SIMULATION_EVENTS_STEP_ROOTS_H

#include "algebra/sign_change.h"
#include "base/arena.h"
#include "model/model.h"

enum { NS_ROOT_LOOKS = 3, NS_ROOT_INNER = NS_SIGN_NODES - 2 };

/* Root functions at the ends of the last steps, and their changes within the last one. */
typedef struct ns_step_roots {
  void *of; /* passed to look */
  /* Compute root functions g [n] at t. Returns 0; > 0: t is not in the last step, or they cannot be
   * evaluated there; < 0: fatal. */
  int (*look)(void *of, double t, double *g);
  /* values that reach no further to the other side are not a change [n]; NULL: 0 */
  const double *shallow;
  const unsigned char *bends; /* 1: not as smooth as the motion [n]; NULL: none */
  int n;                      /* root functions */
  /* index of the first function whose roots count in both directions; n: none */
  int either;
  double widest;            /* interval for sampling bending functions that look flat, s */
  int looks;                /* number of points since the restart, up to NS_ROOT_LOOKS */
  double t[NS_ROOT_LOOKS];  /* s; the most recent first */
  double *g[NS_ROOT_LOOKS]; /* root functions there [n] */
  double *where, *bottom; /* time of a point on the other side (INFINITY: none), value there [n] */
  /* length of the last step in which six values resolved the function, s; shorter where it may have
   * peaks; 0: none [n] */
  double *told;
  unsigned char *rough;   /* 1: only rounding, until the next restart [n] */
  double *middle, *trial; /* scratch: root functions in between [n] */
  int sampled;            /* 1: root functions at inner points of the last step are known */
  double met_t;           /* of the last root, s */
  signed char *met;       /* sign of functions whose second root after it is searched [n] */
  double inner_t[NS_ROOT_INNER];
  double *inner[NS_ROOT_INNER]; /* [n] */
  int of_trial;                 /* index of the function being searched */
} ns_step_roots;

/* `bends` for an output of a formula with variables of these banks (bits 1 << bank): 0 if it is
 * linear in t and the unknowns. NS_NOMEM. */
int ns_root_bends(const ns_model *m, const ns_tape *f, unsigned banks, int output,
                  unsigned char *bends);

/* Allocate memory; d->of, look, shallow, bends, n, either and widest are set. NS_NOMEM. */
int ns_step_roots_init(ns_step_roots *d, ns_arena *mem);
/* Called at a restart of the flow: forget all points. */
void ns_step_roots_forget(ns_step_roots *d);
/* The flow has reached a root at t of the functions that fired [n] (1 upwards, -1 downwards,
 * otherwise 0), and may continue without a restart. */
void ns_step_roots_met(ns_step_roots *d, double t, const int *fired);
/* Modify g [n] at t, the point reached by the flow or within its last step: unchanged, or with the
 * value on the other side if the function changed its sign earlier in that step. < 0: fatal. */
int ns_step_roots_apply(ns_step_roots *d, double t, double *g);

#endif
