/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense.h -- factor and solve small dense systems, column-major, A(i,j) = A[i + j*ld], ld >= n.
 *
 * Up to NS_DENSE_SMALL rows the kernels are written out, because a library call would cost more
 * than the computation. For larger matrices LAPACK is used, which is three times as fast at
 * NS_DENSE_OWN rows; without LAPACK, the written kernels are used up to NS_DENSE_OWN rows. The
 * format of the factors in A is private to the matching solve function (the small kernels store
 * reciprocals on the diagonal).
 *
 * Nothing here allocates, and the same input gives the same bytes: LAPACK runs in one thread
 * (lapack.h). n = 0 is allowed everywhere. */
#ifndef NS_ALGEBRA_DENSE_H
#define NS_ALGEBRA_DENSE_H

#include "base/context.h"

#define NS_DENSE_SMALL 24
#define NS_DENSE_OWN 100

/* A = L L^T. Reads and writes the lower triangle only, diagonal included. 0, or the number (1..n)
 * of the first pivot that is not positive: pivots below 8 n eps times the diagonal entry of A count
 * as rounding, so that singular semidefinite matrices are refused, and so is a NaN. A is then
 * partly overwritten. */
int ns_dense_cholesky(int n, double *A, int ld);
/* B = A^-1 B for nrhs columns of leading dimension ldb. */
void ns_dense_cholesky_solve(int n, const double *L, int ld, int nrhs, double *B, int ldb);

/* P A = L U with partial pivoting, piv [n].
 * 0, or the number (1..n) of a pivot that is exactly zero or not finite. */
int ns_dense_lu(int n, double *A, int ld, int *piv);
void ns_dense_lu_solve(int n, const double *LU, int ld, const int *piv, int nrhs, double *B,
                       int ldb);

/* b := A^-1 b by Gaussian elimination with row pivots, for systems too small for a library call;
 * A is overwritten. Returns 0 if a pivot is not > `min`. */
int ns_dense_eliminate(int n, double *A, int ld, double min, double *b);

/* Replace row and column j of A [n x n] by those of the identity: unknown j is known, b_j. */
void ns_dense_isolate(int n, double *A, int j);

/* Called where memory for matrices of up to n rows is allocated: above NS_DENSE_SMALL it loads
 * LAPACK (lapack.h); NS_NOINPUT if there is none and n is above NS_DENSE_OWN. Otherwise the first
 * factorisation loads it, and without LAPACK returns pivot 1 above NS_DENSE_OWN. */
int ns_dense_prepare(ns_ctx *c, int n);

#endif
