/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solving does not allocate; a creation that runs out of memory says so and leaks nothing. */
#include "algebra/lapack.h"
#include "problems/lcp_tools.h"
#include "support/counted.h"

/* Sizes on both sides of every change of method; definite, semidefinite, unsolvable, nonsense. */
START_TEST(solving_does_not_allocate)
{
  static const int size[] = {1, 2, 8, 9, 20, 40, 130};
  static double M[130 * 130], q[130], z[130], w[130];
  for (int k = 0; ns_lcp_solvers[k]; k++)
    for (int t = 0; t < 7; t++)
      for (int f = 0; f < 4; f++) {
        int n = size[t], symmetric = f & 1;
        if (!strcmp(ns_lcp_solvers[k]->name, "enumeration") && n > 9) continue;
        memset(M, 0, sizeof M);
        for (int j = 0; j < n; j++)
          for (int i = 0; i < n; i++)
            if (abs(i - j) <= 3) M[i + j * n] = i == j ? 4 : -0.5 + (symmetric ? 0 : 0.3 * (i < j));
        sparse s = sparse_of(n, M, n, NULL);
        ns_lcp p = dense_lcp(n, M, q);
        if (f & 2) p = (ns_lcp){.n = n, .blocks = &s.A, .q = q};
        object o = make(ns_lcp_solvers[k]->name, n, f & 2 ? &s.A : NULL, symmetric, NULL);
        for (int kind = 0; kind < 4; kind++) {
          double *diagonal = f & 2 ? ns_blocks_at(&s.A, n / 2, n / 2) : &M[n / 2 + n / 2 * n],
                 keep = *diagonal;
          if (kind == 1) *diagonal = -4;
          if (kind == 2) *diagonal = 0;
          if (kind == 3) *diagonal = NAN;
          for (int i = 0; i < n; i++) {
            q[i] = uniform();
            z[i] = uniform();
          }
          ns_ctx c = {0};
          ns_outcome out;
          long before = calls;
          int rc = o.ops->solve(o.self, &c, &p, NULL, z, w, &out);
          long after = calls;
          ck_assert_int_eq(rc, NS_OK);
          ck_assert_msg(after == before, "%s, n = %d: %ld allocations", o.ops->name, n,
                        after - before);
          *diagonal = keep;
        }
        o.ops->destroy(o.self);
        sparse_free(&s);
      }
}
END_TEST

START_TEST(creation_survives_every_failure)
{
#if COUNTED
  sparse s = chain_of(200, 2, -1);
  for (int k = 0; ns_lcp_solvers[k]; k++)
    for (int f = 0; f < 2; f++) {
      int n = strcmp(ns_lcp_solvers[k]->name, "enumeration") ? 200 : 20, done = 0;
      ns_blocks A = s.A;
      A.nb = A.m = n;
      ns_lcp_capacity cap = {.n = n, .structure = f && n == 200 ? &A : NULL};
      for (long at = 0; !done && at < 1000; at++) {
        ns_ctx c = {0};
        void *self = &c;
        long before = live;
        fail_at = calls + at;
        int rc = ns_lcp_solvers[k]->create(&c, &cap, NULL, &self);
        fail_at = -1;
        if (rc == NS_OK) {
          done = 1;
          ns_lcp_solvers[k]->destroy(self);
        } else {
          ck_assert_int_eq(rc, NS_NOMEM);
          ck_assert_ptr_null(self);
        }
        ck_assert_int_eq(live, before);
      }
      ck_assert_int_eq(done, 1);
    }
  sparse_free(&s);
#endif
}
END_TEST

int main(void)
{
  ns_lapack_load();
  Suite *s = suite_create("lcp_memory");
  TCase *t = tcase_create("lcp_memory");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, solving_does_not_allocate);
  tcase_add_test(t, creation_survives_every_failure);
  suite_add_tcase(s, t);
  return suite_end(s);
}
