/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.h -- sparse rows over the degrees of freedom, and the structure of products of such rows.
 *
 * The matrix of a one-step problem is a product of rows H and columns G, D = H G: it has an entry
 * (i, j) only if H_i and G_j have a common degree of freedom. Structures are computed once, values
 * often. */
#ifndef NS_SIMULATION_ROWS_ROWS_H
#define NS_SIMULATION_ROWS_ROWS_H

#include "algebra/blocks.h"
#include "base/arena.h"
#include "integrators/groups.h"

#include <math.h>

/* Row r: entries ptr[r] .. ptr[r+1). A degree of freedom may occur twice in a row; its entries
 * add. */
typedef struct ns_rows {
  int *ptr;    /* [nrows+1] */
  int *dof;    /* [nnz] */
  double *val; /* [nnz] */
} ns_rows;

/* Max. number of entries of the matrix of a model: with it, memory for the matrix, its active part
 * and the copies of a solver is about 3 GB, and all indices fit an int. Larger models are refused
 * with a message. */
enum { NS_ROWS_PAIRS = 1 << 25 };

/* Max. number of entries of a matrix or of its rows, so that they can be counted by an int. */
enum { NS_ROWS_ENTRIES = 1 << 30 };

/* Allocate n rows with this number of entries, zeroed. NS_NOMEM without a message, also for too
 * many entries. */
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

/* Rows with an entry for each degree of freedom, as lists: row[ptr[d] .. ptr[d+1]), ascending. */
typedef struct ns_touching {
  int *ptr, *row;
} ns_touching;
/* Compute these lists for the first n rows of R; NS_NOMEM without a message. Call _free also after
 * a failure. */
int ns_rows_invert(const ns_rows *R, int n, size_t ndof, ns_touching *t);
void ns_touching_free(ns_touching *t);

/* Rows and columns of a product. */
typedef struct ns_meeting {
  int n; /* rows */
  size_t ndof;
  /* the product has an entry (r, j) if H_r and G_j have a common degree of freedom */
  const ns_rows *H, *G;
  /* additional entries: row r also has the columns dof[] of D_r, and the diagonal; NULL: none */
  const ns_rows *D;
  const int *some; /* the rows and columns of the product, ascending; NULL: all n */
  int nsome;
} ns_meeting;

/* Failure: with a row of the interaction at this place, which meets `met` rows, there are more than
 * NS_ROWS_PAIRS. */
int ns_rows_too_many(ns_ctx *c, const ns_place *at, size_t met);
/* The structure of the product. NS_MODEL without a message: more than NS_ROWS_PAIRS entries; *full
 * is the row at which they were exceeded, *met its number of entries. NS_NOMEM without a
 * message. */
int ns_rows_meet(ns_arena *a, const ns_meeting *k, ns_blocks *out, int *full, size_t *met);
/* The same of `some` rows; the others of out->row [n + 1], which is the owner's, are empty. Entries
 * are in malloced memory that grows, with room for *cap. Same errors. */
int ns_rows_meet_some(const ns_meeting *k, ns_blocks *out, size_t *cap, int *full, size_t *met);

/* The matrix of a one-step problem reduced to its rows,
 *
 *   A = factor H W^-1 G + D   [n x n]
 *
 * for rows that act on groups of systems with one W each: G may be H^T or not. */
typedef struct ns_delassus {
  /* set by the owner before create; borrowed */
  int n;
  size_t ndof;
  const ns_rows *H, *G, *D; /* structure at create, values at each call; D over rows */
  const ns_rate_groups *groups;
  /* B := W_g^-1 B for group g, or another gain; B [size x nrhs] by columns */
  void (*solve)(const void *of, int g, int nrhs, double *B);
  const void *of;
  /* made here */
  ns_rows gain;    /* W^-1 G: each group on which a row acts stands there once, in its order */
  ns_blocks A;     /* scalar rows, with the diagonal */
  int *D_at;       /* index of each entry of D in A */
  double *scatter; /* [ndof] zero between calls */
  double *column;  /* of the largest group, some columns */
} ns_delassus;

/* Compute the structure. Errors of ns_rows_meet. */
int ns_delassus_create(ns_delassus *o, ns_arena *a, int *full, size_t *met);
/* Compute the gain of n rows. */
void ns_delassus_gain(ns_delassus *o, int n, const int *rows);
/* Compute row r of A from the gains; columns j with position[j] < 0 become 0; NULL: none. */
void ns_delassus_row(ns_delassus *o, int r, double factor, const int *position);

#endif
