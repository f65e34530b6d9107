/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gram matrices whose rows follow from others, or all but follow: A = H H^T of n rows in `rank`
 * directions, scaled by rows of other units, and a little of other directions. */
#include "problems/gram.h"
#include "support/cloud.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

enum { LD = NS_GRAM_ROWS };

typedef struct system {
  int n, rank, order[LD];
  double A[LD * LD], factors[LD * LD], b[LD], x[LD];
} system;

/* `out`: how far rows are out of the directions that they share. */
static system random_system(double out)
{
  system k = {.n = 2 + (int)uniform(0, LD - 2)};
  double H[LD][LD], x[LD];
  k.rank = 1 + (int)uniform(0, k.n);
  for (int i = 0; i < k.n; i++) {
    double unit = pow(10, uniform(-3, 3));
    x[i] = uniform(-1, 1);
    for (int j = 0; j < k.n; j++)
      H[i][j] = unit * (j < k.rank ? uniform(-1, 1) : out * uniform(-1, 1));
  }
  for (int i = 0; i < k.n; i++)
    for (int j = 0; j < k.n; j++) {
      for (int l = 0; l < k.n; l++) k.A[i + j * LD] += H[i][l] * H[j][l];
      k.b[i] += k.A[i + j * LD] * x[j];
    }
  memcpy(k.factors, k.A, sizeof k.A);
  return k;
}

/* |A x - b| of row i by what its terms are. */
static double defect(const system *k, int i)
{
  double sum = -k->b[i], size = fabs(k->b[i]);
  for (int j = 0; j < k->n; j++) {
    sum += k->A[i + j * LD] * k->x[j];
    size += fabs(k->A[i + j * LD] * k->x[j]);
  }
  return fabs(sum) / size;
}

static int vanished(const system *k)
{
  int n = 0;
  for (int c = 0; c < k->n; c++) n += k->factors[c + c * LD] == 0;
  return n;
}

static void solve(system *k)
{
  double y[LD];
  for (int i = 0; i < k->n; i++) y[i] = k->b[k->order[i]];
  ns_gram_solve(k->n, k->factors, y);
  for (int i = 0; i < k->n; i++) k->x[k->order[i]] = y[i];
}

START_TEST(rank_is_found)
{
  cloud_seed = (uint64_t)_i + 1;
  system k = random_system(0);
  double left = ns_gram_factor_pivoted(k.n, NS_GRAM_VANISHED, k.factors, k.order);
  ck_assert_int_eq(vanished(&k), k.n - k.rank);
  ck_assert_double_le(left, NS_GRAM_VANISHED);
  solve(&k);
  for (int i = 0; i < k.n; i++) ck_assert_double_le(defect(&k, i), 1e-8);
}
END_TEST

/* Out of line by 1e-5, of which pivots have the square: what is left vanishes where it may, and is
 * told. */
START_TEST(nearly_redundant_rows_come_last)
{
  cloud_seed = (uint64_t)_i + 1;
  system k = random_system(1e-5), all = k;
  double left = ns_gram_factor_pivoted(k.n, 1e-7, k.factors, k.order);
  if (k.rank == k.n) return;
  ck_assert_int_ge(vanished(&k), 1);
  ck_assert_double_le(left, 1e-7);
  ck_assert_double_gt(left, 0);
  for (int c = 1; c < k.n; c++)
    ck_assert(k.factors[c + c * LD] == 0 || k.factors[c - 1 + (c - 1) * LD] != 0);
  ns_gram_factor_pivoted(all.n, left / 2, all.factors, all.order);
  ck_assert_int_lt(vanished(&all), vanished(&k));
  solve(&k);
  for (int i = 0; i < k.n; i++) ck_assert_double_le(defect(&k, i), 1e-3);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, rank_is_found, 0, 300);
  tcase_add_loop_test(t, nearly_redundant_rows_come_last, 0, 300);
}

int main(void) { return suite_run("Gram matrices", fill); }
