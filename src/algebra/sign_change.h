/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sign_change.h -- the first of any number of sign changes of a function within an interval.
 *
 * A function g that is smooth except at some points is sampled at six points with unequal spacing,
 * to avoid aliasing of oscillations. The polynomial through four of them predicts the other two;
 * the prediction error is an estimate E of the error of the polynomial P through all six. The
 * Bernstein coefficients of P bound P and its slope (M. Ainsworth, M. A. Sanchez, "Computing the
 * Bezier control points of the Lagrangian interpolant in arbitrary dimension", SIAM J. Sci. Comput.
 * 38, 2016). There is no root if |P| exceeds a multiple of E, and at most one if the slope of P
 * does; otherwise the interval is bisected, and its left part is searched first. Corners and jumps
 * are thus enclosed until both sides are resolved.
 *
 * In parts narrower than 1.5e-11 of the interval, or than the rounding of time, the signs of values
 * decide; values within 1e-14 of the largest value are not a change. A function that contains only
 * rounding errors has no sign: the search ends with NS_SIGN_ROUGH. */
#ifndef NS_ALGEBRA_SIGN_CHANGE_H
#define NS_ALGEBRA_SIGN_CHANGE_H

enum { NS_SIGN_NODES = 6 };
/* Values that differ by a smaller fraction make a function look flat: it may have a peak between
 * them. */
#define NS_SIGN_FLAT 1e-6
/* Sampling points in an interval from 0 to 1, in the order of their use. */
extern const double ns_sign_node[NS_SIGN_NODES];

typedef struct ns_sign_search {
  void *of;
  /* Compute g at t. Returns 0; > 0: it cannot be evaluated there; < 0: fatal. */
  int (*value)(void *of, double t, double *g);
  double a, b;   /* s: the interval */
  double ga, gb; /* g there */
  double sign;   /* sign of g at the beginning, 1 or -1; 0: the sign with which it first leaves 0 */
  double low;    /* >= 0: values that reach no farther to the other side are not a change */
  double widest; /* longer intervals in which g may have a peak are divided, s; 0: none */
} ns_sign_search;

typedef enum ns_sign_found {
  NS_SIGN_KEPT,    /* there is no change */
  NS_SIGN_CHANGED, /* there is exactly one change before *t, where g is *g */
  NS_SIGN_ROUGH    /* g is rounding, or cannot be evaluated */
} ns_sign_found;

typedef enum ns_sign_told {
  NS_SIGN_DIVIDED, /* the six values of the interval do not resolve g */
  NS_SIGN_PEAKED, /* they do, but look flat or like no polynomial: g may have a peak between them */
  NS_SIGN_RESOLVED
} ns_sign_told;

/* Returns the code of `value` if it is < 0. NS_NUMERIC: too many changes, corners or jumps. */
int ns_sign_change(const ns_sign_search *s, ns_sign_found *found, double *t, double *g,
                   ns_sign_told *told);

#endif
