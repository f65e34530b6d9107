/* SPDX-License-Identifier: GPL-3.0-or-later */
/* circuit_rows.h -- sparse homogeneous linear equations, solved for some of their unknowns.
 *
 * Each row states  sum_j a_j u_j = 0.  Pivoting on (row, column) makes the row the equation of that
 * column. Columns that were never pivots are free; ns_rows_resolve expresses the others by the free
 * ones. Entries that cancel to rounding become exact zeros and leave the pattern: a running error
 * analysis (Higham 2002, 3.3) bounds what rounding has left of terms that are no longer there. */
#ifndef NS_MODEL_CIRCUIT_CIRCUIT_ROWS_H
#define NS_MODEL_CIRCUIT_CIRCUIT_ROWS_H

#include "base/arena.h"

/* Limits of work and memory, in entries: some seconds, some 500 MB. Models may come from untrusted
 * sources. */
enum { NS_ROWS_WORK = 400000000, NS_ROWS_HELD = 40000000 };

typedef struct ns_row {
  int n, cap;
  int *col;    /* ascending [n] */
  double *val; /* [n], none of them 0; NULL if only the pattern is kept */
  double *err; /* bounds of their rounding errors [n] */
} ns_row;

typedef struct ns_rows {
  ns_arena *a;
  int nrows, cap, ncols, npivots;
  ns_row *row; /* [nrows] */
  int *used;   /* column + 1 of which the row is the equation; 0: none [nrows] */
  int *pivot;  /* row that is the equation of the column; -1: none [ncols] */
  int *order;  /* rows in the order of pivots [npivots] */
  ns_row *in;  /* rows that contain a column, or did (col is the row; no values) [ncols] */
  ns_row tmp;
  long long work; /* entries visited so far */
  long long held; /* entries allocated */
  int spent;      /* 1: a limit was exceeded */
  int nomem;      /* 1: out of memory, or spent; all later calls do nothing */
} ns_rows;

/* Allocate cap rows in ncols unknowns from a. Returns 0, or -1: out of memory. */
int ns_rows_init(ns_rows *r, ns_arena *a, int cap, int ncols);
/* Add an empty row; returns its index. */
int ns_rows_new(ns_rows *r);
/* Append a u_col to the sum of row i. */
void ns_rows_add(ns_rows *r, int i, int col, double a);
/* Choose a sparse row whose entry in col is not small as the equation of col. Returns 0 if no
 * remaining row contains col. */
int ns_rows_pivot(ns_rows *r, int col);
/* Pivot on all columns with kind[col] == k, in an order that keeps the rows sparse; columns without
 * a row are skipped. */
void ns_rows_pivot_all(ns_rows *r, const unsigned char *kind, int k);
/* Express all pivot columns by free columns. */
void ns_rows_resolve(ns_rows *r);
/* After ns_rows_resolve: the row of `col` with entries a, u_col = -sum_j a_j / a_col u_j over the
 * other columns. */
const ns_row *ns_rows_of(const ns_rows *r, int col);
/* Entry of a row in col; 0 if there is none. _error: the bound of its rounding error, relative. */
double ns_row_at(const ns_row *r, int col);
double ns_row_error(const ns_row *r, int col);

#endif
