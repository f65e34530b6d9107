/* SPDX-License-Identifier: GPL-3.0-or-later */
/* root_dips.h -- roots that come in pairs within one step of the integrator.
 *
 * The integrator compares the signs of root functions at the ends of its steps, which may be long:
 * where a function g comes below 0 and above it again within one of them nothing would be seen.
 * (Roots of the slope of g find such dips, too, but the slope is all rounding where a motion comes
 * to rest, and has roots for ever.) Here what the integrator sees is
 *
 *   G(t) = g(t) up to the place s of a dip, min(g(s), g(t)) from there on
 *
 * with s in the present step and g(s) < 0,
 *
 * which has a sign change, and as its first root that of g. A dip is looked for only where it may
 * be: with the curvature k of g, by the last three points at which the integrator has looked, a
 * parabola that is positive at both ends of a step of length d comes at most k d^2/8 below them.
 * There one more point is taken, in the middle, and then those that successive parabolas propose
 * (Brent 1973, ch. 5).
 *
 * Functions from `either` on are looked at on both sides of 0: of those that are below it where a
 * step begins, what is said here holds for -g. */
#ifndef NS_SIMULATION_EVENTS_ROOT_DIPS_H
#define NS_SIMULATION_EVENTS_ROOT_DIPS_H

#include "base/arena.h"

enum { NS_ROOT_LOOKS = 3 };

/* Root functions at the ends of the last steps, and where they were below 0 within the last one. */
typedef struct ns_root_dips {
  void *of; /* handed to look */
  /* Root functions g [n] at t. 0; > 0: t is not in the last step, or they cannot be evaluated
   * there; < 0: fatal. */
  int (*look)(void *of, double t, double *g);
  const double *shallow;    /* dips that come no further below 0 are none [n]; NULL: 0 */
  int n;                    /* root functions */
  int either;               /* the first whose roots count both ways; n: none */
  int looks;                /* points since the restart, up to NS_ROOT_LOOKS */
  double t[NS_ROOT_LOOKS];  /* s; the last first */
  double *g[NS_ROOT_LOOKS]; /* root functions there [n] */
  double *where, *bottom;   /* time of a point below 0 (INFINITY: none), value there [n] */
  double *middle, *trial;   /* scratch: root functions in between [n] */
} ns_root_dips;

/* d->of, look, shallow and n are set. NS_NOMEM. */
int ns_root_dips_init(ns_root_dips *d, ns_arena *mem);
/* The flow begins anew: no step has been made. */
static inline void ns_root_dips_forget(ns_root_dips *d) { d->looks = 0; }
/* The flow has come to a root of the functions that fired [n], not 0, and may go on from there
 * without a restart: the signs of g itself tell of the second root. */
void ns_root_dips_met(ns_root_dips *d, const int *fired);
/* g [n] at t, to which the flow has come or within its last step: as they are, or below 0 where
 * they were so before in that step. < 0: fatal. */
int ns_root_dips_apply(ns_root_dips *d, double t, double *g);

#endif
