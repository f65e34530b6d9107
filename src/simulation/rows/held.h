/* SPDX-License-Identifier: GPL-3.0-or-later */
/* held.h -- small square systems that may be singular: multipliers that hold rows, corrections onto
 * surfaces.
 *
 *   A z = b,   A [n x n] by columns
 *
 * Elimination with complete pivoting of rows and columns divided by their largest entry (Golub &
 * Van Loan 2013, 3.4.8). Rows beyond the rank are not looked at; of all z that obey the others it
 * is the shortest, each unknown measured by the largest entry of its column, so that units have no
 * say: multipliers that nothing determines, as voltages over switches in series that are open,
 * share what there is. An unknown whose column is 0 is 0. Small n: everything is dense. */
#ifndef NS_SIMULATION_ROWS_HELD_H
#define NS_SIMULATION_ROWS_HELD_H

#include "base/arena.h"

typedef struct ns_held {
  int n, rank;
  double *A;      /* [n x n]; factors after ns_held_factor */
  double *scale;  /* of rows [n] */
  double *unit;   /* of columns [n] */
  int *row, *col; /* pivots [n] */
  double *work;   /* [n] */
} ns_held;

/* Memory for n rows, from a; NS_NOMEM without text. */
int ns_held_init(ns_held *h, ns_arena *a, int n);
/* Factor h->A, of h->n rows. */
void ns_held_factor(ns_held *h);
/* b := z. */
void ns_held_solve(const ns_held *h, double *b);

#endif
