/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/dense.h"

#include "algebra/vector.h"

#include "algebra/lapack.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#define COL(A, j) ((A) + (size_t)(j) * (size_t)ld)

/* Whose kernels a matrix of n rows meets: LAPACK's, or NULL: those of this file. The same for all
 * of a process. */
static const ns_lapack *library(int n) { return n <= NS_DENSE_SMALL ? NULL : ns_lapack_load(); }

/* A = L D L^T, L unit below the diagonal, 1/D on it: no square roots. Right-looking: column j is
 * taken off the columns to its right, then scaled. */
static int cholesky_small(int n, double *A, int ld)
{
  double min[NS_DENSE_OWN]; /* smallest pivot that is more than rounding */
  for (int j = 0; j < n; j++) min[j] = 8 * n * DBL_EPSILON * COL(A, j)[j];
  for (int j = 0; j < n; j++) {
    double *a = COL(A, j), d = a[j];
    if (!(d > min[j]) || !(d <= DBL_MAX) || min[j] < 0) return j + 1;
    double r = 1 / d;
    a[j] = r;
    for (int k = j + 1; k < n; k++) {
      double *b = COL(A, k), f = a[k] * r;
      for (int i = k; i < n; i++) b[i] -= a[i] * f;
      a[k] = f;
    }
  }
  return 0;
}

/* The pivots of a finished L against the diagonal of A: A_jj = sum of squares of row j. */
static int cholesky_tiny(int n, const double *L, int ld)
{
  for (int j = 0; j < n; j++) {
    double s = 0, d = COL(L, j)[j];
    for (int k = 0; k <= j; k++) s += COL(L, k)[j] * COL(L, k)[j];
    if (!(d * d > 8 * n * DBL_EPSILON * s) || !(s <= DBL_MAX)) return j + 1;
  }
  return 0;
}

int ns_dense_cholesky(int n, double *A, int ld)
{
  const ns_lapack *l = library(n);
  int info = 0;
  if (!l) return n <= NS_DENSE_OWN ? cholesky_small(n, A, ld) : 1;
  l->potrf("L", &n, A, &ld, &info, 1);
  return info ? info : cholesky_tiny(n, A, ld);
}

static void cholesky_solve_small(int n, const double *L, int ld, double *x)
{
  for (int i = 1; i < n; i++) {
    double f = x[i];
    for (int j = 0; j < i; j++) f -= COL(L, j)[i] * x[j];
    x[i] = f;
  }
  for (int j = n - 1; j >= 0; j--) {
    const double *l = COL(L, j);
    double f = x[j] * l[j];
    for (int i = n - 1; i > j; i--) f -= l[i] * x[i];
    x[j] = f;
  }
}

void ns_dense_cholesky_solve(int n, const double *L, int ld, int nrhs, double *B, int ldb)
{
  const ns_lapack *l = library(n);
  int info = 0;
  if (!l) {
    for (int r = 0; r < nrhs; r++) cholesky_solve_small(n, L, ld, B + (size_t)r * (size_t)ldb);
    return;
  }
  l->potrs("L", &n, &nrhs, L, &ld, B, &ldb, &info, 1);
}

static void swap_rows(int n, double *A, int ld, int i, int k)
{
  for (int j = 0; j < n; j++) ns_swap(&COL(A, j)[i], &COL(A, j)[k]);
}

static int lu_small(int n, double *A, int ld, int *piv)
{
  for (int j = 0; j < n; j++) {
    double *a = COL(A, j);
    int p = j;
    for (int i = j + 1; i < n; i++)
      if (fabs(a[i]) > fabs(a[p])) p = i;
    piv[j] = p;
    if (!(fabs(a[p]) > 0) || !(fabs(a[p]) <= DBL_MAX)) return j + 1;
    if (p != j) swap_rows(n, A, ld, j, p);
    double r = 1 / a[j];
    int below = 0; /* models are sparse */
    a[j] = r;
    for (int i = j + 1; i < n; i++) {
      a[i] *= r;
      below |= a[i] != 0;
    }
    for (int k = j + 1; below && k < n; k++) {
      double *b = COL(A, k), f = b[j];
      if (f == 0) continue;
      for (int i = j + 1; i < n; i++) b[i] -= a[i] * f;
    }
  }
  return 0;
}

int ns_dense_lu(int n, double *A, int ld, int *piv)
{
  const ns_lapack *l = library(n);
  int info = 0;
  if (!l) return n <= NS_DENSE_OWN ? lu_small(n, A, ld, piv) : 1;
  l->getrf(&n, &n, A, &ld, piv, &info);
  for (int j = 0; j < n && !info; j++) /* LAPACK does not look for NaN */
    if (!(fabs(COL(A, j)[j]) <= DBL_MAX)) info = j + 1;
  return info;
}

/* Inlined with a constant n its loops vanish. */
static inline __attribute__((always_inline)) void lu_solve_n(int n, const double *restrict LU,
                                                             int ld, const int *piv,
                                                             double *restrict x)
{
  for (int j = 0; j < n; j++) ns_swap(&x[piv[j]], &x[j]);
  for (int j = 0; j < n; j++) {
    const double *l = COL(LU, j);
    for (int i = j + 1; i < n; i++) x[i] -= l[i] * x[j];
  }
  for (int j = n - 1; j >= 0; j--) {
    const double *u = COL(LU, j);
    double f = x[j] *= u[j];
    for (int i = 0; i < j; i++) x[i] -= u[i] * f;
  }
}

static void lu_solve_small(int n, const double *LU, int ld, const int *piv, double *x)
{
  switch (n) {
  case 2: lu_solve_n(2, LU, ld, piv, x); break;
  case 3: lu_solve_n(3, LU, ld, piv, x); break;
  case 4: lu_solve_n(4, LU, ld, piv, x); break;
  default: lu_solve_n(n, LU, ld, piv, x); break;
  }
}

void ns_dense_lu_solve(int n, const double *LU, int ld, const int *piv, int nrhs, double *B,
                       int ldb)
{
  const ns_lapack *l = library(n);
  int info = 0;
  if (!l) {
    for (int r = 0; r < nrhs; r++) lu_solve_small(n, LU, ld, piv, B + (size_t)r * (size_t)ldb);
    return;
  }
  l->getrs("N", &n, &nrhs, LU, &ld, piv, B, &ldb, &info, 1);
}

int ns_dense_eliminate(int n, double *A, int ld, double min, double *b)
{
  for (int c = 0; c < n; c++) {
    int best = c;
    for (int i = c + 1; i < n; i++)
      if (fabs(A[i + c * ld]) > fabs(A[best + c * ld])) best = i;
    double d = A[best + c * ld];
    if (!(fabs(d) > min)) return 0;
    for (int j = c; j < n && best != c; j++) ns_swap(&A[c + j * ld], &A[best + j * ld]);
    ns_swap(&b[c], &b[best]);
    for (int i = c + 1; i < n; i++) {
      double f = A[i + c * ld] / d;
      for (int j = c + 1; j < n; j++) A[i + j * ld] -= f * A[c + j * ld];
      b[i] -= f * b[c];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) b[i] -= A[i + j * ld] * b[j];
    b[i] /= A[i + i * ld];
  }
  return 1;
}

void ns_dense_isolate(int n, double *A, int j)
{
  for (int i = 0; i < n; i++) A[i + j * n] = A[j + i * n] = i == j;
}

int ns_dense_prepare(ns_ctx *c, int n)
{
  if (library(n) || n <= NS_DENSE_OWN) return NS_OK;
  return ns_fail(c, NS_NOINPUT,
                 "liblapack.so.3 cannot be loaded, and a full matrix of %d rows needs it (up to %d "
                 "do not); install the package liblapack3",
                 n, NS_DENSE_OWN);
}
