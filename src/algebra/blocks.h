/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blocks.h -- block-sparse matrix [m x m], e.g. the Delassus matrix W = H M^-1 H^T. With every dim
 * = 1 it is a CSR matrix: off[k] = k. Every dim is at least 1. */
#ifndef NS_ALGEBRA_BLOCKS_H
#define NS_ALGEBRA_BLOCKS_H

#include "base/arena.h"

#include <stddef.h>

typedef struct ns_blocks {
  int nb;      /* block rows = block columns */
  int m;       /* rows = sum of dim */
  int *dim;    /* size of block row i [nb] */
  int *first;  /* first scalar row of block row i [nb+1] */
  int *row;    /* first block of block row i in col, off [nb+1] */
  int *col;    /* block column, ascending in a row [nnzb] */
  size_t *off; /* start of the block in val [nnzb] */
  double *val; /* dim[i] x dim[j] each, column-major */
} ns_blocks;

/* Allocate a matrix of n scalar rows with nnz entries, every dim 1, row and val zeroed; the caller
 * sets row, col and val. NS_NOMEM without a message. */
int ns_blocks_scalar(ns_arena *a, int n, size_t nnz, ns_blocks *A);
/* y += a*A*x; x, y [m], not overlapping. */
void ns_blocks_gemv(double a, const ns_blocks *A, const double *x, double *y);
/* The same only for block rows [from, to), equal to the bit. */
void ns_blocks_gemv_part(double a, const ns_blocks *A, int from, int to, const double *x,
                         double *y);
/* y += a*A^T*x. */
void ns_blocks_gemv_t(double a, const ns_blocks *A, const double *x, double *y);
/* Entries of all blocks. */
size_t ns_blocks_entries(const ns_blocks *A);
/* Block (i,j), borrowed; NULL if structurally zero. */
double *ns_blocks_at(const ns_blocks *A, int i, int j);
/* Dense copy, column-major with leading dimension ld >= m. */
void ns_blocks_dense(const ns_blocks *A, double *dense, int ld);

#endif
