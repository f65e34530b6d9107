/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/sparse_factor.h"
#include "support/suite.h"

#include "algebra/dense.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;
static double uniform(void)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)(state >> 11) / 4503599627370496.0 - 1;
}

/* A random block matrix with its own memory; diagonally dominant by `margin`. */
typedef struct owned {
  ns_blocks A;
  int dim[64], first[65], row[65], col[64 * 64];
  size_t off[64 * 64];
  double val[192 * 192];
} owned;

static void fill(owned *o, int nb, int max, double density, int symmetric, double margin)
{
  static double dense[192 * 192];
  static unsigned char present[64 * 64];
  int m = 0;
  for (int i = 0; i < nb; i++) {
    o->first[i] = m;
    m += o->dim[i] = 1 + (int)((uniform() + 1) / 2 * max) % max;
  }
  o->first[nb] = m;
  for (int i = 0; i < nb; i++)
    for (int j = 0; j <= i; j++) {
      present[i * 64 + j] = i == j || (uniform() + 1) / 2 < density;
      present[j * 64 + i] = symmetric || i == j ? present[i * 64 + j]
                                                : (uniform() + 1) / 2 < density;
    }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      dense[i + j * m] = symmetric && j < i ? dense[j + i * m] : uniform();
  int k = 0;
  size_t at = 0;
  for (int i = 0; i < nb; i++) {
    o->row[i] = k;
    for (int j = 0; j < nb; j++) {
      if (!present[i * 64 + j]) continue;
      o->col[k] = j;
      o->off[k++] = at;
      for (int c = o->first[j]; c < o->first[j + 1]; c++)
        for (int r = o->first[i]; r < o->first[i + 1]; r++)
          o->val[at++] = dense[r + c * m] + (r == c ? margin : 0);
    }
  }
  o->row[nb] = k;
  o->A = (ns_blocks){nb, m, o->dim, o->first, o->row, o->col, o->off, o->val};
}

/* Scalar principal submatrix of rows row[0..n-1], as a CSR of its own. */
static void submatrix(const ns_blocks *A, int n, const int *row, owned *o)
{
  static double D[192 * 192];
  ns_blocks_dense(A, D, A->m);
  int k = 0;
  for (int i = 0; i < n; i++) {
    o->dim[i] = 1;
    o->first[i] = i;
    o->row[i] = k;
    for (int j = 0; j < n; j++)
      if (D[row[i] + row[j] * A->m] != 0) {
        o->col[k] = j;
        o->off[k] = (size_t)k;
        o->val[k++] = D[row[i] + row[j] * A->m];
      }
  }
  o->first[n] = n;
  o->row[n] = k;
  o->A = (ns_blocks){n, n, o->dim, o->first, o->row, o->col, o->off, o->val};
}

/* Largest entry of B x - b over the kept rows, B = diag(scale) A + diag(add). */
static double defect(const ns_blocks *A, const unsigned char *keep, const double *scale,
                     const double *add, const double *x, const double *b)
{
  static double D[192 * 192];
  int m = A->m;
  double worst = 0;
  ns_blocks_dense(A, D, m);
  for (int i = 0; i < m; i++) {
    if (keep && !keep[i]) continue;
    double s = -b[i] + (add ? add[i] * x[i] : 0);
    for (int j = 0; j < m; j++)
      if (!keep || keep[j]) s += (scale ? scale[i] : 1) * D[i + j * m] * x[j];
    worst = fmax(worst, fabs(s));
  }
  return worst;
}

static owned big, sub;

/* Random supports of random block matrices against the product with the dense copy. */
START_TEST(principal_submatrices_are_solved)
{
  int symmetric = _i & 1, max = _i & 2 ? 3 : 1;
  ns_ctx c = {0};
  for (int trial = 0; trial < 40; trial++) {
    ns_sparse_factor *f = NULL;
    fill(&big, 1 + trial, max, 0.1, symmetric, 1 + 2.0 * max * trial * 0.12 + max);
    ck_assert_int_eq(ns_sparse_factor_create(&c, &big.A, symmetric, &f), NS_OK);
    for (int k = 0; k < 5; k++) {
      unsigned char keep[192];
      double b[192], x[192], scale[192], add[192];
      for (int i = 0; i < big.A.m; i++) {
        keep[i] = uniform() < (k - 2) / 2.0;
        b[i] = x[i] = uniform();
        scale[i] = 1.5 + uniform();
        add[i] = 2 + uniform();
      }
      const double *s = symmetric || k == 3 ? NULL : scale, *d = k == 3 ? NULL : add;
      ck_assert_int_eq(ns_sparse_factor_numeric(f, &big.A, NULL, k == 4 ? NULL : keep, s, d), 0);
      ns_sparse_factor_solve(f, x);
      ck_assert_double_lt(defect(&big.A, k == 4 ? NULL : keep, s, d, x, b), 1e-13);
      for (int i = 0; i < big.A.m; i++)
        if (k < 4 && !keep[i]) ck_assert_double_eq(x[i], b[i]);
    }
    ns_sparse_factor_destroy(f);
  }
}
END_TEST

/* A matrix that is itself a part of the one analysed, its rows named. */
START_TEST(a_part_of_the_structure_is_solved)
{
  int symmetric = _i;
  ns_ctx c = {0};
  for (int trial = 0; trial < 40; trial++) {
    ns_sparse_factor *f = NULL;
    fill(&big, 5 + trial / 2, 3, 0.15, symmetric, 20);
    ck_assert_int_eq(ns_sparse_factor_create(&c, &big.A, symmetric, &f), NS_OK);
    int row[192], n = 0;
    for (int i = 0; i < big.A.m && n < 60; i++)
      if (uniform() > 0) row[n++] = i;
    submatrix(&big.A, n, row, &sub);
    unsigned char keep[192];
    double b[192], x[192];
    for (int i = 0; i < n; i++) {
      keep[i] = uniform() > -0.5;
      b[i] = x[i] = uniform();
    }
    ck_assert_int_eq(ns_sparse_factor_numeric(f, &sub.A, row, keep, NULL, NULL), 0);
    ns_sparse_factor_solve(f, x);
    ck_assert_double_lt(defect(&sub.A, keep, NULL, NULL, x, b), 1e-13);
    ns_sparse_factor_destroy(f);
  }
}
END_TEST

/* Two legs too many: the last pivot of a block of ones is zero. */
START_TEST(singular_pivots_are_named)
{
  for (int symmetric = 0; symmetric < 2; symmetric++) {
    fill(&big, 3, 1, 1, 1, 0);
    for (int k = 0; k < 9; k++) big.val[k] = 1 + (k == 0);
    ns_ctx c = {0};
    ns_sparse_factor *f = NULL;
    ck_assert_int_eq(ns_sparse_factor_create(&c, &big.A, symmetric, &f), NS_OK);
    ck_assert_int_eq(ns_sparse_factor_numeric(f, &big.A, NULL, NULL, NULL, NULL), 3);
    unsigned char keep[] = {1, 1, 0};
    ck_assert_int_eq(ns_sparse_factor_numeric(f, &big.A, NULL, keep, NULL, NULL), 0);
    static const double bad[] = {NAN, INFINITY, 0};
    for (int k = 0; k < 3; k++) {
      big.val[0] = bad[k];
      ck_assert_int_ne(ns_sparse_factor_numeric(f, &big.A, NULL, keep, NULL, NULL), 0);
    }
    ns_sparse_factor_destroy(f);
  }
}
END_TEST

/* Each row of a definite matrix twice: exactly one of each pair goes, and what stays is regular. */
START_TEST(dependent_rows_are_dropped)
{
  ns_ctx c = {0};
  for (int symmetric = 0; symmetric < 2; symmetric++)
    for (int n = 1; n < 30; n++) {
      int twice[60];
      unsigned char keep[60];
      ns_sparse_factor *f = NULL;
      fill(&big, n, 1, 0.2, 1, 8);
      for (int i = 0; i < 2 * n; i++) {
        twice[i] = i / 2;
        keep[i] = 1;
      }
      submatrix(&big.A, 2 * n, twice, &sub);
      ck_assert_int_eq(ns_sparse_factor_create(&c, &sub.A, symmetric, &f), NS_OK);
      ck_assert_int_ne(ns_sparse_factor_numeric(f, &sub.A, NULL, keep, NULL, NULL), 0);
      ck_assert_int_eq(ns_sparse_factor_drop(f, &sub.A, NULL, keep), n);
      for (int i = 0; i < n; i++) ck_assert_int_eq(keep[2 * i] + keep[2 * i + 1], 1);
      ck_assert_int_eq(ns_sparse_factor_numeric(f, &sub.A, NULL, keep, NULL, NULL), 0);
      ck_assert_int_eq(ns_sparse_factor_drop(f, &sub.A, NULL, keep), 0);
      ns_sparse_factor_destroy(f);
    }
}
END_TEST

START_TEST(a_matrix_outside_the_structure_is_refused)
{
  ns_ctx c = {0};
  ns_sparse_factor *f = NULL;
  fill(&big, 30, 1, 0, 1, 4); /* diagonal */
  ck_assert_int_eq(ns_sparse_factor_create(&c, &big.A, 1, &f), NS_OK);
  fill(&sub, 30, 1, 1, 1, 40); /* full */
  ck_assert_int_eq(ns_sparse_factor_numeric(f, &sub.A, NULL, NULL, NULL, NULL), -1);
  ns_sparse_factor_destroy(f);
}
END_TEST

/* A chain fills nothing more than itself, an arrow pointing the wrong way is turned round. */
START_TEST(fill_is_reduced)
{
  static int one[200], first[201], row[201], col[600];
  ns_ctx c = {0};
  int n = 200, k = 0;
  for (int i = 0; i < n; i++) {
    one[i] = 1;
    first[i] = i;
    row[i] = k;
    if (i == 0)
      for (int j = 0; j < n; j++) col[k++] = j;
    else {
      col[k++] = 0;
      col[k++] = i;
    }
  }
  first[n] = n;
  row[n] = k;
  ns_blocks A = {n, n, one, first, row, col, NULL, NULL};
  ns_sparse_factor *f = NULL;
  ck_assert_int_eq(ns_sparse_factor_create(&c, &A, 1, &f), NS_OK);
  ck_assert_uint_eq(ns_sparse_factor_fill(f), (size_t)n - 1);
  ns_sparse_factor_destroy(f);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("sparse_factor");
  TCase *t = tcase_create("sparse_factor");
  tcase_add_loop_test(t, principal_submatrices_are_solved, 0, 4);
  tcase_add_loop_test(t, a_part_of_the_structure_is_solved, 0, 2);
  tcase_add_test(t, singular_pivots_are_named);
  tcase_add_test(t, dependent_rows_are_dropped);
  tcase_add_test(t, a_matrix_outside_the_structure_is_refused);
  tcase_add_test(t, fill_is_reduced);
  suite_add_tcase(s, t);
  return suite_end(s);
}
