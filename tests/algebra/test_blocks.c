/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/blocks.h"
#include "support/suite.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Blocks of sizes 1, 2, 3, 5; block (i,j) present where (i + 2j) % 3 != 1; entries known. */
#define NB 7
#define M 17
static int dim[NB] = {1, 2, 3, 5, 3, 2, 1}, ones[M], first[M + 1], row[M + 1], col[M * M];
static size_t off[M * M];
static double val[M * M];

static int present(int i, int j) { return (i + 2 * j) % 3 != 1; }
static double entry(int i, int j) { return sin(1 + 3 * i + 7.7 * j); }

static ns_blocks build(int nb, int *dims)
{
  ns_blocks A = {nb, 0, dims, first, row, col, off, val};
  first[0] = row[0] = 0;
  for (int i = 0; i < nb; i++) first[i + 1] = first[i] + dims[i];
  A.m = first[nb];
  size_t at = 0;
  int k = 0;
  for (int i = 0; i < nb; i++) {
    for (int j = 0; j < nb; j++) {
      if (!present(i, j)) continue;
      col[k] = j;
      off[k++] = at;
      for (int c = first[j]; c < first[j + 1]; c++)
        for (int r = first[i]; r < first[i + 1]; r++) val[at++] = entry(r, c);
    }
    row[i + 1] = k;
  }
  return A;
}

static void check_all(const ns_blocks *A)
{
  double dense[(M + 2) * M], x[M], y[M], yt[M];
  ns_blocks_dense(A, dense, M + 2);
  for (int i = 0; i < A->m; i++) {
    x[i] = cos(i);
    y[i] = yt[i] = 0.5 * i;
  }
  ns_blocks_gemv(-2, A, x, y);
  ns_blocks_gemv_t(-2, A, x, yt);
  int seen = 0;
  for (int i = 0; i < A->nb; i++)
    for (int j = 0; j < A->nb; j++) {
      double *b = ns_blocks_at(A, i, j);
      ck_assert_int_eq(b != NULL, present(i, j));
      for (int c = first[j]; c < first[j + 1]; c++)
        for (int r = first[i]; r < first[i + 1]; r++) {
          double want = b ? entry(r, c) : 0;
          ck_assert_double_eq(dense[r + c * (M + 2)], want);
          if (b) ck_assert_double_eq(b[r - first[i] + (c - first[j]) * A->dim[i]], want);
          seen++;
        }
    }
  ck_assert_int_eq(seen, A->m * A->m);
  for (int i = 0; i < A->m; i++) {
    double s = 0.5 * i, t = 0.5 * i;
    for (int j = 0; j < A->m; j++) {
      s -= 2 * dense[i + j * (M + 2)] * x[j];
      t -= 2 * dense[j + i * (M + 2)] * x[j];
    }
    ck_assert_double_eq_tol(y[i], s, 4 * M * DBL_EPSILON);
    ck_assert_double_eq_tol(yt[i], t, 4 * M * DBL_EPSILON);
  }
}

START_TEST(blocks_are_the_dense_matrix)
{
  ns_blocks A = build(NB, dim);
  ck_assert_int_eq(A.m, M);
  check_all(&A);
}
END_TEST

START_TEST(scalar_blocks_are_the_dense_matrix)
{
  for (int i = 0; i < M; i++) ones[i] = 1;
  ns_blocks A = build(M, ones);
  check_all(&A);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("blocks");
  TCase *t = tcase_create("blocks");
  tcase_add_test(t, blocks_are_the_dense_matrix);
  tcase_add_test(t, scalar_blocks_are_the_dense_matrix);
  suite_add_tcase(s, t);
  return suite_end(s);
}
