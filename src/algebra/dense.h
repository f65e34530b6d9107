/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense.h -- factor and solve small dense systems, column-major, A(i,j) = A[i + j*ld], ld >= n.
 *
 * Up to NS_DENSE_SMALL rows the kernels are written out, because a library call costs more than
 * the work; above it they are LAPACK's, three times as fast at NS_DENSE_OWN rows, up to which the
 * written ones do where the machine has no LAPACK. Both stand behind the same four functions, and
 * what a factorisation leaves in A is for its solve alone (the small kernels keep reciprocals on
 * the diagonal).
 *
 * Nothing here allocates, and the same input gives the same bytes: LAPACK runs in one
 * thread (lapack.h). n = 0 is allowed everywhere. */
#ifndef NS_ALGEBRA_DENSE_H
#define NS_ALGEBRA_DENSE_H

#include "base/context.h"

#define NS_DENSE_SMALL 24
#define NS_DENSE_OWN 100

/* A = L L^T. Reads and writes the lower triangle only, diagonal included.
 * 0, or the number (1..n) of the first pivot that is not positive: below 8 n eps times its own
 * diagonal entry of A a pivot is rounding, so a singular semidefinite matrix is refused too,
 * as is a NaN. A is then overwritten in part. */
int ns_dense_cholesky(int n, double *A, int ld);
/* B = A^-1 B for nrhs columns of leading dimension ldb. */
void ns_dense_cholesky_solve(int n, const double *L, int ld, int nrhs, double *B, int ldb);

/* P A = L U with partial pivoting, piv [n].
 * 0, or the number (1..n) of a pivot that is exactly zero or not finite. */
int ns_dense_lu(int n, double *A, int ld, int *piv);
void ns_dense_lu_solve(int n, const double *LU, int ld, const int *piv, int nrhs, double *B,
                       int ldb);

/* Row and column j of A [n x n] become those of the unit matrix: unknown j is known, b_j. */
void ns_dense_isolate(int n, double *A, int j);

/* To be called where memory is got for matrices of up to n rows: above NS_DENSE_SMALL it loads
 * LAPACK (lapack.h), NS_NOINPUT where there is none and n is above NS_DENSE_OWN. Without it the
 * first factorisation loads, and where there is no LAPACK reports pivot 1 above NS_DENSE_OWN. */
int ns_dense_prepare(ns_ctx *c, int n);

#endif
