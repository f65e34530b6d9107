/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/dense.h"
#include "support/suite.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX 40
#define LD 43

static uint64_t state = 1;
static double uniform(void) /* [-1, 1) */
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)(state >> 11) / 4503599627370496.0 - 1;
}

/* Backward error of X for A X = B: max |B - A X| / (n eps max|A| max|X|). */
static double defect(int n, const double *A, int nrhs, const double *X, const double *B)
{
  double worst = 0, a = 0, x = 0;
  for (int r = 0; r < nrhs; r++)
    for (int i = 0; i < n; i++) {
      double s = B[i + r * LD];
      for (int j = 0; j < n; j++) {
        s -= A[i + j * LD] * X[j + r * LD];
        a = fmax(a, fabs(A[i + j * LD]));
      }
      worst = fmax(worst, fabs(s));
      x = fmax(x, fabs(X[i + r * LD]));
    }
  return worst / (n * DBL_EPSILON * a * x);
}

static void fill(double *A, int columns)
{
  for (int i = 0; i < LD * columns; i++) A[i] = uniform();
}

/* Both the kernels written out and LAPACK's: every size around the change. */
START_TEST(cholesky_is_backward_stable)
{
  double G[LD * MAX], A[LD * MAX], L[LD * MAX], B[LD * 3], X[LD * 3];
  for (int n = 1; n <= MAX; n++) {
    fill(G, MAX);
    fill(B, 3);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        A[i + j * LD] = i == j ? 0.1 : 0;
        for (int k = 0; k < n; k++) A[i + j * LD] += G[i + k * LD] * G[j + k * LD];
      }
    memcpy(L, A, sizeof L);
    for (int j = 1; j < n; j++) /* the upper triangle is not read */
      for (int i = 0; i < j; i++) L[i + j * LD] = NAN;
    memcpy(X, B, sizeof X);
    ck_assert_int_eq(ns_dense_cholesky(n, L, LD), 0);
    ns_dense_cholesky_solve(n, L, LD, 3, X, LD);
    ck_assert_double_lt(defect(n, A, 3, X, B), 4);
  }
}
END_TEST

START_TEST(lu_is_backward_stable)
{
  double A[LD * MAX], F[LD * MAX], B[LD * 3], X[LD * 3];
  int piv[MAX];
  for (int n = 1; n <= MAX; n++) {
    fill(A, MAX);
    fill(B, 3);
    if (n > 1) A[0] = 0; /* needs a pivot */
    memcpy(F, A, sizeof F);
    memcpy(X, B, sizeof X);
    ck_assert_int_eq(ns_dense_lu(n, F, LD, piv), 0);
    ns_dense_lu_solve(n, F, LD, piv, 3, X, LD);
    ck_assert_double_lt(defect(n, A, 3, X, B), 4);
  }
}
END_TEST

/* A = g g^T + unit in all but the last direction: the last pivot is rounding, at every size. */
START_TEST(cholesky_names_the_pivot_of_a_singular_matrix)
{
  for (int n = 2; n <= MAX; n++) {
    double A[LD * MAX], g[MAX];
    for (int i = 0; i < n; i++) g[i] = i < n - 1 ? uniform() : 0;
    /* rows 0..n-2 independent, row n-1 = their combination with weights g */
    for (int j = 0; j < n - 1; j++)
      for (int i = 0; i < n - 1; i++) A[i + j * LD] = (i == j) + g[i] * g[j];
    for (int j = 0; j < n - 1; j++) {
      double s = 0;
      for (int i = 0; i < n - 1; i++) s += g[i] * A[i + j * LD];
      A[n - 1 + j * LD] = s;
    }
    A[n - 1 + (n - 1) * LD] = 0;
    for (int i = 0; i < n - 1; i++) A[n - 1 + (n - 1) * LD] += g[i] * A[n - 1 + i * LD];
    ck_assert_int_eq(ns_dense_cholesky(n, A, LD), n);
  }
}
END_TEST

START_TEST(bad_pivots_are_named)
{
  static const int size[] = {3, 30};
  for (int k = 0; k < 2; k++) {
    int n = size[k], piv[MAX];
    static const double bad[] = {0, -1, NAN, INFINITY};
    for (int b = 0; b < 4; b++) {
      double A[LD * MAX] = {0};
      for (int i = 0; i < n; i++) A[i + i * LD] = 1;
      A[1 + LD] = bad[b];
      double F[LD * MAX];
      memcpy(F, A, sizeof F);
      ck_assert_int_eq(ns_dense_cholesky(n, F, LD), 2);
      memcpy(F, A, sizeof F);
      int rc = ns_dense_lu(n, F, LD, piv);
      if (b == 1) ck_assert_int_eq(rc, 0);
      else ck_assert_int_gt(rc, 0);
    }
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("dense");
  TCase *t = tcase_create("dense");
  tcase_add_test(t, cholesky_is_backward_stable);
  tcase_add_test(t, lu_is_backward_stable);
  tcase_add_test(t, cholesky_names_the_pivot_of_a_singular_matrix);
  tcase_add_test(t, bad_pivots_are_named);
  suite_add_tcase(s, t);
  return suite_end(s);
}
