/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_roots.h -- roots within one step of the integrator, however many.
 *
 * The integrator compares the signs of root functions at the ends of its steps, which may be long,
 * as long as the run where a motion is simple: of a function g that changes its sign several times
 * within one of them nothing would be seen, or not the first. (Roots of the slope of g find such
 * changes, too, but the slope is all rounding where a motion comes to rest, and has roots for
 * ever.) Here what the integrator sees is
 *
 *   G(t) = g(t) up to a place s where g has changed its sign, g(s) from there on
 *
 * with s in the present step, whose first root is that of g.
 *
 * Functions that bend, as sin(20 x), are looked into (sign_change.h), as long as no step of about
 * the same length has been told by few values. What is flat may have peaks: it is looked at in each
 * interval of the time grid. Others are as smooth as the motion that the
 * integrator follows, and a change is looked for only where it may be. With the curvature k of g,
 * by the last three points at which the integrator has looked, a parabola that is positive at both
 * ends of a step of length d comes at most k d^2/8 below them. There one more point is taken, in
 * the middle, and then those that successive parabolas propose (Brent 1973, ch. 5).
 *
 * Functions from `either` on are looked at on both sides of 0; of the others those that are above
 * it where a step begins. */
#ifndef NS_SIMULATION_EVENTS_STEP_ROOTS_H
#define NS_SIMULATION_EVENTS_STEP_ROOTS_H

#include "algebra/sign_change.h"
#include "base/arena.h"
#include "model/model.h"

enum { NS_ROOT_LOOKS = 3, NS_ROOT_INNER = NS_SIGN_NODES - 2 };

/* Root functions at the ends of the last steps, and where they have changed within the last one. */
typedef struct ns_step_roots {
  void *of; /* handed to look */
  /* Root functions g [n] at t. 0; > 0: t is not in the last step, or they cannot be evaluated
   * there; < 0: fatal. */
  int (*look)(void *of, double t, double *g);
  const double *shallow; /* what comes no further to the other side is no change [n]; NULL: 0 */
  const unsigned char *bends; /* 1: not as smooth as the motion [n]; NULL: none */
  int n;                      /* root functions */
  int either;                 /* the first whose roots count both ways; n: none */
  double widest;              /* s: those that bend and look flat are looked at so often */
  int looks;                  /* points since the restart, up to NS_ROOT_LOOKS */
  double t[NS_ROOT_LOOKS];    /* s; the last first */
  double *g[NS_ROOT_LOOKS];   /* root functions there [n] */
  double *where, *bottom; /* time of a point on the other side (INFINITY: none), value there [n] */
  double *told;           /* s: last step of function k that six values told; 0: none [n] */
  unsigned char *rough;   /* rounding alone, until the next restart [n] */
  double *middle, *trial; /* scratch: root functions in between [n] */
  int sampled;            /* root functions at inner points of the last step: they are known */
  double met_t;           /* of the last root, s */
  signed char *met;       /* functions whose second root after it is looked for: their sign [n] */
  double inner_t[NS_ROOT_INNER];
  double *inner[NS_ROOT_INNER]; /* [n] */
  int of_trial;                 /* the function that is looked at */
} ns_step_roots;

/* What `bends` is of an output of a formula whose variables are of these banks (bits 1 << bank):
 * 0 where it is linear in t and the unknowns. NS_NOMEM. */
int ns_root_bends(const ns_model *m, const ns_tape *f, unsigned banks, int output,
                  unsigned char *bends);

/* d->of, look, shallow, bends, n, either and widest are set. NS_NOMEM. */
int ns_step_roots_init(ns_step_roots *d, ns_arena *mem);
/* The flow begins anew: no step has been made. */
void ns_step_roots_forget(ns_step_roots *d);
/* The flow has come to a root at t of the functions that fired [n], 1 upwards or -1 downwards, else
 * 0, and may go on from there without a restart. */
void ns_step_roots_met(ns_step_roots *d, double t, const int *fired);
/* g [n] at t, to which the flow has come or within its last step: as they are, or on the other side
 * where they were so before in that step. < 0: fatal. */
int ns_step_roots_apply(ns_step_roots *d, double t, double *g);

#endif
