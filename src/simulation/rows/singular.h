/* SPDX-License-Identifier: GPL-3.0-or-later */
/* singular.h -- small square linear systems that may be singular, for multipliers that keep y = 0,
 * and for projections onto y = 0.
 *
 *   A z = b,   A [n x n] by columns
 *
 * Elimination with complete pivoting of rows and columns divided by their largest entry (Golub &
 * Van Loan 2013, 3.4.8). Rows beyond the rank are ignored. Of all z that satisfy the others, the
 * one of minimum norm is returned, with each unknown scaled by the largest entry of its column, so
 * that it does not depend on units. Undetermined multipliers, such as the voltages over open
 * switches in series, are thus distributed evenly. An unknown whose column is 0 is 0. For small n:
 * everything is dense. */
#ifndef NS_SIMULATION_ROWS_SINGULAR_H
#define NS_SIMULATION_ROWS_SINGULAR_H

#include "base/arena.h"

typedef struct ns_singular {
  int n, rank;
  double *A;      /* [n x n]; factors after ns_singular_factor */
  double *scale;  /* scales of rows [n] */
  double *unit;   /* scales of columns [n] */
  int *row, *col; /* pivots [n] */
  double *work;   /* [n] */
} ns_singular;

/* Allocate memory for n rows from a; NS_NOMEM without a message. */
int ns_singular_init(ns_singular *h, ns_arena *a, int n);
/* Factor h->A, of h->n rows. */
void ns_singular_factor(ns_singular *h);
/* Solve: b := z. */
void ns_singular_solve(const ns_singular *h, double *b);

#endif
