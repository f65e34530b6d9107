/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sign_change.h -- the first change of sign of a function within an interval, however many there
 * are.
 *
 * A function g that is smooth but for some points is looked at by six values, at places that are
 * not equally far apart, so that no oscillation looks like something slow. The polynomial through
 * four of them predicts the two others; what it misses them by is the error E of what is taken for
 * g: the polynomial P through all six. Its coefficients in Bernstein's basis bound P and its slope
 * (M. Ainsworth, M. A. Sanchez, "Computing the Bezier control points of the Lagrangian interpolant
 * in arbitrary dimension", SIAM J. Sci. Comput. 38, 2016). There is no root where P is farther from
 * 0 than a multiple of E, at most one where the slope of P is; else the interval is divided, and
 * its left part comes first. Corners and jumps are thus closed in on until both sides are told.
 *
 * What is narrower than 1.5e-11 of the interval, or than the rounding of its times, is told by the
 * signs of values; what stays within 1e-14 of the largest value is no change. A function that is
 * rounding alone has no sign: it is given up. */
#ifndef NS_ALGEBRA_SIGN_CHANGE_H
#define NS_ALGEBRA_SIGN_CHANGE_H

enum { NS_SIGN_NODES = 6 };
/* A function whose values differ by a smaller part looks flat: it may have a peak between them. */
#define NS_SIGN_FLAT 1e-6
/* Places of values in an interval from 0 to 1, in the order of their use. */
extern const double ns_sign_node[NS_SIGN_NODES];

typedef struct ns_sign_search {
  void *of;
  /* g at t. 0; > 0: it cannot be evaluated there; < 0: fatal. */
  int (*value)(void *of, double t, double *g);
  double a, b;   /* s: the interval */
  double ga, gb; /* g there */
  double sign;   /* 1, -1: g is on that side of 0 in the beginning; 0: where it first leaves 0 */
  double low;    /* >= 0: what comes no farther to the other side has not changed its sign */
  double widest; /* s: longer intervals in which g may have a peak are divided; 0: none is */
} ns_sign_search;

typedef enum ns_sign_found {
  NS_SIGN_KEPT,    /* there is no change */
  NS_SIGN_CHANGED, /* before *t, where g is *g: that is the only one before *t */
  NS_SIGN_ROUGH    /* g is rounding, or cannot be evaluated */
} ns_sign_found;

/* *parts: intervals that were looked at; 1: all of it was told at once. Returns what `value` did
 * where that is < 0. NS_NUMERIC: changes, corners or jumps are too many to be told. */
int ns_sign_change(const ns_sign_search *s, ns_sign_found *found, double *t, double *g, int *parts);

#endif
