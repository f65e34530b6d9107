/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense.h -- factor and solve small dense systems, column-major, A(i,j) = A[i + j*ld], ld >= n.
 *
 * Up to NS_DENSE_SMALL rows the kernels are written out, because a library call costs more than
 * the work; above it they are LAPACK's. Both stand behind the same four functions, and what a
 * factorisation leaves in A is for its solve alone (the small kernels keep reciprocals on the
 * diagonal).
 *
 * Nothing here allocates, and the same input gives the same bytes, as long as LAPACK runs in one thread: see
 * ns_dense_single_thread. n = 0 is allowed everywhere. */
#ifndef NS_ALGEBRA_DENSE_H
#define NS_ALGEBRA_DENSE_H

#define NS_DENSE_SMALL 24

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
void ns_dense_lu_solve(int n, const double *LU, int ld, const int *piv, int nrhs, double *B, int ldb);

/* Keep the BLAS of this process from starting threads for its work (OpenBLAS would from about 100 rows on, and
 * allocate for them). For a program to call at its start; runs in parallel are threads of the program. */
void ns_dense_single_thread(void);

#endif
