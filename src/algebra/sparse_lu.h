/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse_lu.h -- LU factors of a sparse matrix whose rows are switched on and off.
 *
 *   K_i = A_i (row i of A, perhaps with a shift on the diagonal),  or  K_i = e_i  where row i is a
 *       unit row
 *
 * That is the matrix of an active-set method: a unit row says z_i = bound, any other w_i = q_i. All
 * memory is got at creation, from the structure alone.
 *
 * Multifrontal (Duff & Reid 1983): the matrix is eliminated in small dense fronts along a tree
 * (sparse_lu_tree.h), with threshold pivoting inside a front; a column without a good pivot there
 * is delayed to the parent. Every front keeps its factor and its contribution, so that after a
 * change only the fronts on the way from the changed row to the root are computed anew: O(log n) of
 * them on a chain or a ladder, where a new factor takes O(n). What comes out is the new factor to
 * the bit: the factor depends on K, not on the way K came about.
 *
 * Rows of A are scaled by powers of two, and so are right-hand sides, by the caller. Vectors of
 * solve are in the order of elimination: entry place[i] belongs to row i. */
#ifndef NS_ALGEBRA_SPARSE_LU_H
#define NS_ALGEBRA_SPARSE_LU_H

#include "algebra/blocks.h"
#include "base/context.h"

typedef struct ns_sparse_lu ns_sparse_lu;

/* Structure: every dim 1; its values are not read. Failures: NS_NOMEM; NS_NUMERIC where it is too
 * large. */
int ns_sparse_lu_create(ns_ctx *c, const ns_blocks *structure, ns_sparse_lu **out);
void ns_sparse_lu_destroy(ns_sparse_lu *f);           /* NULL-safe */
const int *ns_sparse_lu_place(const ns_sparse_lu *f); /* [n], borrowed */
/* Estimate of one whole factorisation, in nanoseconds of some machine: for a choice between
 * methods. */
double ns_sparse_lu_cost(const ns_sparse_lu *f);
size_t ns_sparse_lu_bytes(const ns_sparse_lu *f);

/* Values of A. row [A->m], ascending: which rows and columns of the structure A consists of (NULL:
 * all); the others are unit rows until the next load. No row of A is a unit row, shifts are 0. 0;
 * -1: A does not fit the structure. */
int ns_sparse_lu_load(ns_sparse_lu *f, const ns_blocks *A, const int *row);
/* Is row i (of the structure) a unit row? */
void ns_sparse_lu_unit(ns_sparse_lu *f, int i, int unit);
/* Add `shift` times the scale of the row to the diagonal of row i where it is no unit row; the
 * scale is within a factor 2 of the row's largest entry. */
void ns_sparse_lu_shift(ns_sparse_lu *f, int i, double shift);
/* What row i of A is multiplied by, 1 / scale: a power of two. A unit row is not. */
double ns_sparse_lu_scale(const ns_sparse_lu *f, int i);

/* Bring the factors up to date. 0; i+1: singular to rounding, column i depends on others (K may be
 * changed and updated again); -1: too many columns were delayed for the memory there is. */
int ns_sparse_lu_update(ns_sparse_lu *f);
/* K x = b, b_i multiplied by ns_sparse_lu_scale where row i is no unit row; b is overwritten. After
 * an update that returned 0. */
void ns_sparse_lu_solve(ns_sparse_lu *f, double *b, double *x);
/* The same where b is zero but at the places at[0..count-1], leaving out parts of x that would
 * follow only from entries of x up to `small`; b is zero again afterwards. */
void ns_sparse_lu_solve_few(ns_sparse_lu *f, const int *at, int count, double small, double *b,
                            double *x);

/* Counts since creation. */
typedef struct ns_sparse_lu_stats {
  int fronts;    /* of the tree */
  long full;     /* updates that computed all fronts */
  long partial;  /* updates that computed some */
  long computed; /* fronts computed in the latter */
  long delayed;  /* columns delayed, in all of them */
} ns_sparse_lu_stats;
ns_sparse_lu_stats ns_sparse_lu_counts(const ns_sparse_lu *f);

#endif
