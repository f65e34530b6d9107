/* SPDX-License-Identifier: GPL-3.0-or-later */
/* circuit_rows.h -- sparse homogeneous linear equations, solved for some of their unknowns.
 *
 * Every row says  sum_j a_j u_j = 0.  Pivoting on (row, column) makes the row the equation of that
 *                 column; the
 * columns that never were pivots are free, and ns_rows_resolve expresses the others by them alone.
 * Entries that cancel to rounding become exact zeros and leave the pattern. */
#ifndef NS_MODEL_CIRCUIT_CIRCUIT_ROWS_H
#define NS_MODEL_CIRCUIT_CIRCUIT_ROWS_H

#include "base/arena.h"

/* Entries: some seconds, some 500 MB. A model may come from a stranger. */
enum { NS_ROWS_WORK = 400000000, NS_ROWS_HELD = 40000000 };

typedef struct ns_row {
  int n, cap;
  int *col;    /* ascending [n] */
  double *val; /* [n], none of them 0 */
} ns_row;

typedef struct ns_rows {
  ns_arena *a;
  int nrows, cap, ncols, npivots;
  ns_row *row; /* [nrows] */
  int *used;   /* [nrows] the row is the equation of column used - 1; 0: of none */
  int *pivot;  /* [ncols] row that is the equation of this column, -1: none */
  int *order;  /* rows in the order of pivots [npivots] */
  ns_row *in;  /* [ncols] rows that hold a column, or did (col is the row; val unused) */
  ns_row tmp;
  long long work; /* entries looked at so far */
  long long held; /* entries for which there is room */
  int spent;      /* work or held was too much */
  int nomem;      /* set once, also when spent; all later calls do nothing */
} ns_rows;

/* Room for cap rows in ncols unknowns; memory of a. 0, or -1: out of memory. */
int ns_rows_init(ns_rows *r, ns_arena *a, int cap, int ncols);
/* A new, empty row; its number. */
int ns_rows_new(ns_rows *r);
/* a u_col to the end of sum i. */
void ns_rows_add(ns_rows *r, int i, int col, double a);
/* Make some row the equation of col: a sparse one, whose entry is not small. 0: no row is left that
 * holds it. */
int ns_rows_pivot(ns_rows *r, int col);
/* All columns with kind[col] == k, in an order that keeps the rows sparse; those left without are
 * skipped. */
void ns_rows_pivot_all(ns_rows *r, const unsigned char *kind, int k);
/* Express all pivots by free columns. */
void ns_rows_resolve(ns_rows *r);
/* After that: entries of the row of `col` are a; u_col = -sum_j a_j / a_col u_j over the others. */
const ns_row *ns_rows_of(const ns_rows *r, int col);
/* Entry of a row, 0 where it has none. */
double ns_row_at(const ns_row *r, int col);

#endif
