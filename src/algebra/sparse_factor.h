/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse_factor.h -- direct solution with principal submatrices of a sparse matrix.
 *
 *   B = diag(scale) A + diag(add),  without the rows and columns outside `keep`
 *
 * The largest structure is analysed once: a fill-reducing order (AMD, or the given one if its fill
 * is no larger), and memory for the factors of every principal submatrix, whose fill in the induced
 * order is part of the fill of the whole matrix. After that nothing allocates.
 *
 * Symmetric: B = L D L^T; otherwise B = L D U on the pattern of A + A^T. No pivoting: for matrices
 * with nonzero principal minors (positive definite, M- and P-matrices); others may be refused, or
 * lose accuracy, so check the residual.
 *
 * The cost of a factorisation depends on the kept rows, their entries and the operations of the
 * elimination; of the analysed size, only one bit per row is read. */
#ifndef NS_ALGEBRA_SPARSE_FACTOR_H
#define NS_ALGEBRA_SPARSE_FACTOR_H

#include "algebra/blocks.h"
#include "base/context.h"

typedef struct ns_sparse_factor ns_sparse_factor;

/* Only nb, dim, row, col of the structure are read, now. */
int ns_sparse_factor_create(ns_ctx *c, const ns_blocks *structure, int symmetric,
                            ns_sparse_factor **out);
void ns_sparse_factor_destroy(ns_sparse_factor *f); /* NULL-safe */

/* Entries of L below the diagonal for the whole structure. */
size_t ns_sparse_factor_fill(const ns_sparse_factor *f);

/* Factor. A: a principal submatrix of the structure; row [A->m], ascending: which scalar rows
 * of the structure its rows are (NULL: the first ones). keep [A->m]: 1 for rows that stay (NULL:
 * all). scale, add [A->m]: NULL for 1 and 0; scale is
 * not for a symmetric factor.
 * 0; k > 0: the pivot of row k - 1 of A is below rounding (or not finite); -1: A does not lie in
 * the structure. After a failure there is no factor. */
int ns_sparse_factor_numeric(ns_sparse_factor *f, const ns_blocks *A, const int *row,
                             const unsigned char *keep, const double *scale, const double *add);
/* Remove from keep [A->m] the rows that depend on preceding ones, in the order of elimination; for
 * a semidefinite A the rest is a basis. Returns their number, or -1 as above. Leaves no factor. */
int ns_sparse_factor_drop(ns_sparse_factor *f, const ns_blocks *A, const int *row,
                          unsigned char *keep);
/* x [A->m] = B^-1 x in the kept rows; the others are neither read nor written. */
void ns_sparse_factor_solve(ns_sparse_factor *f, double *x);

#endif
