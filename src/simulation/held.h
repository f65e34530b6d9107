/* SPDX-License-Identifier: GPL-3.0-or-later */
/* held.h -- small square systems that may be singular: multipliers that hold rows, corrections onto surfaces.
 *
 *   A z = b,   A [n x n] by columns
 *
 * Elimination with complete pivoting of rows divided by their largest entry (Golub & Van Loan 2013, 3.4.8). Unknowns beyond the
 * rank are 0, rows beyond it are not looked at. Small n: everything is dense. */
#ifndef NS_SIMULATION_HELD_H
#define NS_SIMULATION_HELD_H

#include "base/arena.h"

typedef struct ns_held {
  int n, rank;
  double *A;        /* [n x n]; factors after ns_held_factor */
  double *scale;    /* of rows [n] */
  int *row, *col;   /* pivots [n] */
  double *work;     /* [n] */
} ns_held;

/* Memory for n rows, from a; NS_NOMEM without text. */
int ns_held_init(ns_held *h, ns_arena *a, int n);
/* Factor h->A, of h->n rows. */
void ns_held_factor(ns_held *h);
/* b := z. */
void ns_held_solve(const ns_held *h, double *b);

#endif
