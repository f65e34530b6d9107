/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/lcp_tools.h"

/* Murty's example: 1 on the diagonal, 2 below; the first unit vector after 2^n pivots. */
START_TEST(lemke_needs_two_to_the_n_pivots)
{
  for (int n = 1; n <= 10; n++) {
    double M[100], q[10], z[10] = {0}, w[10];
    for (int j = 0; j < n; j++) {
      q[j] = -1;
      for (int i = 0; i < n; i++) M[i + j * n] = i == j ? 1 : i > j ? 2 : 0;
    }
    ns_lcp p = dense_lcp(n, M, q);
    ns_outcome out = solve_once("lemke", &p, 0, z, w);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    ck_assert_int_eq(out.iterations, 1 << n);
    for (int i = 0; i < n; i++) ck_assert_double_eq(z[i], i == 0);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("lcp");
  TCase *t = tcase_create("lcp");
  tcase_add_test(t, lemke_needs_two_to_the_n_pivots);
  suite_add_tcase(s, t);
  SRunner *r = srunner_create(s);
  srunner_run_all(r, CK_NORMAL);
  int failed = srunner_ntests_failed(r);
  srunner_free(r);
  return failed != 0;
}
