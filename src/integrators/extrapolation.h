/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extrapolation.h -- one step of the extrapolated linearly implicit Euler method, for stiff x' =
 * f(t, x).
 *
 * For m = 1 .. COLUMNS, the step is divided into m equal steps of length h/m (Deuflhard 1985;
 * Hairer & Wanner 1996, IV.9, SEULEX)
 *
 *   (I - h/m J) (x_{i+1} - x_i) = h/m f(t_{i+1}, x_i),   J = df/dx at t_0, by differences
 *
 * and polynomial extrapolation of the results T_m1 to h/m = 0 (Aitken and Neville):
 *
 *   T_{m,k+1} = T_{m,k} + (T_{m,k} - T_{m-1,k}) / (m/(m-k) - 1)
 *
 * solved for unknowns in parts of their size: a pivot is the largest entry of a column, and among
 * unknowns of different units, such as works and lengths, it would be chosen by the units.
 *
 * Order COLUMNS where the motion is not stiff; steps need not resolve components that have decayed.
 * The error estimate is the difference from the result with one column fewer. It shares no code
 * with the flows (flow.h), because it verifies their results
 * (simulation/events/event_certificate.h).
 *
 * [Deuflhard1985] SIAM Review 27:505-535, doi:10.1137/1027140 */
#ifndef NS_INTEGRATORS_EXTRAPOLATION_H
#define NS_INTEGRATORS_EXTRAPOLATION_H

#include "base/arena.h"

enum { NS_EXTRAPOLATION_COLUMNS = 7 };

typedef struct ns_extrapolation {
  void *of;
  size_t n;
  /* f [n]. Returns 0, or another code if f cannot be evaluated at (t, x). */
  int (*rate)(void *of, double t, const double *x, double *f);
  /* df/dx of x / scale; I - h/m J and its factors [n x n] by columns */
  double *J, *A;
  int *pivot;    /* [n] */
  double *table; /* T_m1, T_m2, ... of the current m, then those of m - 1 [2 COLUMNS x n] */
  double *x, *f; /* scratch [n] */
  double *scale; /* sizes of the unknowns: max(|x|, small) [n] */
} ns_extrapolation;

/* Allocate memory from a; NS_NOMEM without text. The caller sets of, n and rate before. */
int ns_extrapolation_init(ns_extrapolation *o, ns_arena *a);
/* Compute J at (t, x), where f = f(t, x), by n evaluations, with differences of sqrt(eps)
 * max(|x|, small), small > 0 [n]. Returns 0, or the nonzero code of `rate`. */
int ns_extrapolation_jacobian(ns_extrapolation *o, double t, const double *x, const double *f,
                              const double *small);
/* Step from x at t to `to` [n] at t + h with the last J. *error: the estimated error scaled by
 * weight [n]; INFINITY if a matrix is singular. Returns 0, or the nonzero code of `rate`. */
int ns_extrapolation_step(ns_extrapolation *o, double t, double h, const double *x,
                          const double *weight, double *to, double *error);

#endif
