/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse_factor.h -- direct solution with principal submatrices of a sparse matrix.
 *
 *   B = diag(scale) A + diag(add),  rows and columns outside `keep` left out
 *
 * The largest structure is analysed once: a fill-reducing order (AMD, or the given one where that
 * fills no more), and the memory for the factors of every principal submatrix: their fill under
 * the induced order is part of the whole one's. After that nothing allocates.
 *
 * Symmetric: B = L D L^T; otherwise B = L D U on the pattern of A + A^T. No pivoting: made for
 * matrices whose principal minors do not vanish (positive definite, M-, P-matrices); others may
 * be refused, or lose accuracy, so check the residual.
 *
 * Cost of a factorisation: the rows kept, their entries and the operations of the elimination;
 * of the analysed size only one bit a row. */
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
/* Take the rows out of keep [A->m] that depend on the rows before them (in the order of
 * elimination): for a semidefinite A the rest is a basis. Their number, or -1 as above. Leaves no
 * factor. */
int ns_sparse_factor_drop(ns_sparse_factor *f, const ns_blocks *A, const int *row,
                          unsigned char *keep);
/* x [A->m] = B^-1 x in the rows kept; the others are neither read nor written. */
void ns_sparse_factor_solve(ns_sparse_factor *f, double *x);

#endif
