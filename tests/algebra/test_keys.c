/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting by keys, and the curve that fills space. */
#include "algebra/keys.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

/* Keys of all sizes come in order, and equal ones keep theirs. */
START_TEST(keys_ascend_and_equal_ones_keep_their_order)
{
  enum { N = 5000 };
  static ns_keyed x[N], work[N];
  uint64_t seed = 1;
  for (int i = 0; i < N; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    x[i] = (ns_keyed){.key = seed >> _i >> (seed >> 59), .index = i};
  }
  ns_keys_sort(N, x, work);
  for (int i = 1; i < N; i++) {
    ck_assert(x[i - 1].key <= x[i].key);
    if (x[i - 1].key == x[i].key) ck_assert_int_lt(x[i - 1].index, x[i].index);
  }
}
END_TEST

/* Of a grid of 2^m points each way the curve goes through each block of 2^k points each way before
 * it leaves it; and a point that is nowhere does no harm. */
START_TEST(blocks_of_a_grid_follow_each_other)
{
  enum { SIDE = 8, BLOCK = 4 };
  int axes = 2 + _i, n = 1, in_block = 1;
  for (int k = 0; k < axes; k++) n *= SIDE, in_block *= BLOCK;
  double *at = calloc((size_t)n + 1, 4 * sizeof *at);
  ns_keyed *x = calloc((size_t)n + 1, sizeof *x), *work = calloc((size_t)n + 1, sizeof *work);
  for (int i = 0; i < n; i++)
    for (int k = 0, left = i; k < axes; k++, left /= SIDE) at[4 * i + k] = left % SIDE - 3.5;
  at[4 * n] = NAN;
  at[4 * n + 1] = INFINITY;
  at[4 * n + 2] = -INFINITY;
  ns_keys_of_points((size_t)n + 1, axes, at, 4, x);
  ck_assert(x[n].key == 0);
  ns_keys_sort((size_t)n, x, work);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < axes; k++) {
      const double *first = at + 4 * x[i - i % in_block].index, *here = at + 4 * x[i].index;
      ck_assert_double_eq(floor((here[k] + 3.5) / BLOCK), floor((first[k] + 3.5) / BLOCK));
    }
  free(at);
  free(x);
  free(work);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, keys_ascend_and_equal_ones_keep_their_order, 0, 60);
  tcase_add_loop_test(t, blocks_of_a_grid_follow_each_other, 0, 2);
}

int main(void) { return suite_run("keys", fill); }
