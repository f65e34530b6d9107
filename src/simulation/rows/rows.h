/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.h -- sparse rows over the degrees of freedom, and the matrix of those that meet in them.
 *
 * The operator of a one-step problem is a product of rows H and columns G, D = H G: two of its rows
 * meet only where they touch a common degree of freedom. Structures are made once, values often. */
#ifndef NS_SIMULATION_ROWS_ROWS_H
#define NS_SIMULATION_ROWS_ROWS_H

#include "algebra/blocks.h"
#include "base/arena.h"
#include "integrators/rate.h"

#include <math.h>

/* Row r: entries ptr[r] .. ptr[r+1). A degree of freedom may stand twice in a row: its entries add.
 */
typedef struct ns_rows {
  int *ptr;    /* [nrows+1] */
  int *dof;    /* [nnz] */
  double *val; /* [nnz] */
} ns_rows;

/* Bound of what one model may ask for: with it the operator, its part and a solver's copies stay
 * near 3 GB, and every index fits an int. Beyond it a sentence, not a machine that swaps. */
enum { NS_ROWS_PAIRS = 1 << 25 };

/* Entries that a matrix or rows of one may have, so that an int counts them. */
enum { NS_ROWS_ENTRIES = 1 << 30 };

/* Memory of n rows with so many entries, zero. NS_NOMEM without text: also where these are too
 * many. */
int ns_rows_get(ns_arena *a, int n, size_t entries, ns_rows *R);

/* R_r . x */
static inline double ns_rows_dot(const ns_rows *R, int r, const double *x)
{
  double s = 0;
  for (int e = R->ptr[r]; e < R->ptr[r + 1]; e++) s += R->val[e] * x[R->dof[e]];
  return s;
}

/* |R_r| . |x|: the size of the terms of R_r . x */
static inline double ns_rows_size(const ns_rows *R, int r, const double *x)
{
  double s = 0;
  for (int e = R->ptr[r]; e < R->ptr[r + 1]; e++) s += fabs(R->val[e] * x[R->dof[e]]);
  return s;
}

/* R_r . q and R_r . v in one pass. */
static inline void ns_rows_dot_both(const ns_rows *R, int r, const double *q, const double *v,
                                    double *y, double *ydot)
{
  double a = 0, b = 0;
  for (int e = R->ptr[r], end = R->ptr[r + 1]; e < end; e++) {
    a += R->val[e] * q[R->dof[e]];
    b += R->val[e] * v[R->dof[e]];
  }
  *y = a;
  *ydot = b;
}

/* x += a R_r^T */
static inline void ns_rows_add(const ns_rows *R, int r, double a, double *x)
{
  for (int e = R->ptr[r]; e < R->ptr[r + 1]; e++) x[R->dof[e]] += R->val[e] * a;
}

/* Rows that touch each degree of freedom, as lists: row[ptr[d] .. ptr[d+1]), ascending. */
typedef struct ns_touching {
  int *ptr, *row;
} ns_touching;
/* Of the first n rows of R; NS_NOMEM without text. Either way what is there is freed by the other
 * one. */
int ns_rows_invert(const ns_rows *R, int n, size_t ndof, ns_touching *t);
void ns_touching_free(ns_touching *t);

/* Memory of a matrix of nb scalar rows with nnz entries: every dim 1; row, col and val are still to
 * be filled. */
int ns_rows_matrix(ns_arena *a, int nb, size_t nnz, ns_blocks *B);

/* The structure of W^-1 B of the first n rows of B: each has all entries of the groups that it acts
 * on, group by group. NS_NOMEM without text. */
int ns_rows_gain(ns_arena *a, const ns_rate_groups *g, const ns_rows *B, int n, ns_rows *gain);

/* Which rows meet. */
typedef struct ns_meeting {
  int n; /* rows */
  size_t ndof;
  const ns_rows *H, *G; /* row r has column j where H_r and G_j share a degree of freedom */
  /* NULL, or more entries: row r has the columns dof[] of D_r, and the diagonal */
  const ns_rows *D;
} ns_meeting;

/* The structure of that matrix. NS_MODEL (no text): more than NS_ROWS_PAIRS entries, with row *full
 * the one that was too much and *met the rows it meets; NS_NOMEM (no text). */
int ns_rows_meet(ns_arena *a, const ns_meeting *k, ns_blocks *out, int *full, size_t *met);

#endif
