/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse_lu.h -- LU factors of a sparse matrix in which rows are switched between two values.
 *
 *   K_i = A_i  (row i of A, possibly with a shift on the diagonal), or
 *   K_i = e_i  if row i is a unit row
 *
 * This is the matrix of an active-set method: a unit row states z_i = bound, any other w_i = q_i.
 * All memory is allocated at creation, from the structure.
 *
 * Multifrontal (Duff & Reid 1983): the matrix is eliminated in small dense fronts along a tree
 * (sparse_lu_tree.h), with threshold pivoting inside a front; a column without a good pivot there
 * is delayed to the parent. Every front stores its factor and its contribution, so that after a
 * change only the fronts on the path from the changed row to the root are computed again: O(log n)
 * fronts for a chain or a ladder, while a new factorisation takes O(n). The result equals a new
 * factorisation to the bit: it depends on K, not on the sequence of changes.
 *
 * Rows of A are scaled by powers of two; the caller scales right-hand sides. Vectors of solve are
 * in the order of elimination: entry place[i] belongs to row i. */
#ifndef NS_ALGEBRA_SPARSE_LU_H
#define NS_ALGEBRA_SPARSE_LU_H

#include "algebra/blocks.h"
#include "base/context.h"

typedef struct ns_sparse_lu ns_sparse_lu;

/* Create from a structure, every dim 1; values are not read. Errors: NS_NOMEM; NS_NUMERIC (too
 * large). */
int ns_sparse_lu_create(ns_ctx *c, const ns_blocks *structure, ns_sparse_lu **out);
void ns_sparse_lu_destroy(ns_sparse_lu *f);           /* NULL-safe */
const int *ns_sparse_lu_place(const ns_sparse_lu *f); /* [n], borrowed */
/* Estimated cost of a complete factorisation, in nanoseconds on a reference machine, for choosing
 * between methods. */
double ns_sparse_lu_cost(const ns_sparse_lu *f);
size_t ns_sparse_lu_bytes(const ns_sparse_lu *f);

/* Load values of A. row [A->m], ascending: the rows and columns of the structure of which A
 * consists (NULL: all); the others are unit rows until the next load. No row of A is a unit row,
 * shifts are 0. Returns 0; -1: A does not fit the structure. */
int ns_sparse_lu_load(ns_sparse_lu *f, const ns_blocks *A, const int *row);
/* Set whether row i of the structure is a unit row. */
void ns_sparse_lu_unit(ns_sparse_lu *f, int i, int unit);
/* Add `shift` times the scale of the row to the diagonal of row i, unless it is a unit row; the
 * scale is within a factor of 2 of the row's largest entry. */
void ns_sparse_lu_shift(ns_sparse_lu *f, int i, double shift);
/* Factor by which row i of A is multiplied, 1 / scale, a power of two. Unit rows are not scaled. */
double ns_sparse_lu_scale(const ns_sparse_lu *f, int i);

/* Update the factors. Returns 0; i+1: singular to rounding, column i depends on others (K may be
 * changed and updated again); -1: out of memory for delayed columns. */
int ns_sparse_lu_update(ns_sparse_lu *f);
/* Solve K x = b, with b_i multiplied by ns_sparse_lu_scale unless row i is a unit row; b is
 * overwritten. Requires an update that returned 0. */
void ns_sparse_lu_solve(ns_sparse_lu *f, double *b, double *x);
/* r := A^-1 r in the order and the scale of A, without unit rows; b, x: scratch [n]. */
void ns_sparse_lu_apply(ns_sparse_lu *f, double *b, double *x, double *r);
/* As ns_sparse_lu_solve if b is zero except at the positions at[0..count-1], omitting parts of x
 * that would follow only from entries with |x_i| <= `small`; b is zero afterwards. */
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
