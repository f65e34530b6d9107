/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solving does not allocate; a creation that runs out of memory says so and leaks nothing. */
#include "algebra/lapack.h"
#include "problems/avi_tools.h"
#include "problems/polyhedral.h"
#include "support/counted.h"

/* Bounds of every kind in turn; kind 0: an LCP. */
static void bounds_of(int n, int kind, double *lb, double *ub)
{
  for (int i = 0; i < n; i++) {
    lb[i] = kind && i % 3 == 0 ? -INFINITY : kind == 2 ? -0.5 : 0;
    ub[i] = kind == 2 && i % 4 ? 0.5 : INFINITY;
  }
}

/* Sizes on both sides of every change of method; definite, indefinite, singular, nonsense. */
START_TEST(solving_does_not_allocate)
{
  static const int size[] = {1, 2, 8, 9, 20, 40, 130};
  static double M[130 * 130], q[130], z[130], w[130], lb[130], ub[130];
  for (int k = 0; avi_dense(k); k++)
    for (int t = 0; t < 7; t++)
      for (int f = 0; f < 6; f++) {
        int n = size[t], sparse_form = f & 1;
        if (!strcmp(ns_avi_solvers[k]->name, "enumeration") && n > 9) continue;
        memset(M, 0, sizeof M);
        for (int j = 0; j < n; j++)
          for (int i = 0; i < n; i++)
            if (abs(i - j) <= 3) M[i + j * n] = i == j ? 4 : -0.5 + 0.3 * (i < j);
        bounds_of(n, f / 2, lb, ub);
        sparse s = sparse_of(n, M, n, NULL);
        ns_avi p = {.n = n, .dense = M, .ld = n, .q = q, .lb = lb, .ub = ub};
        if (sparse_form) p.dense = NULL, p.blocks = &s.A;
        avi_object o = avi_make(ns_avi_solvers[k]->name, &p, 0, NULL);
        for (int kind = 0; kind < 4; kind++) {
          double *diagonal = sparse_form ? ns_blocks_at(&s.A, n / 2, n / 2) : &M[n / 2 + n / 2 * n],
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

/* The polyhedral one: a unit cube, cut off, with a definite, an indefinite and a singular matrix;
 * an empty set. */
START_TEST(solving_on_polyhedra_does_not_allocate)
{
  enum { N = 30, P = 2 * N + 1 };
  static double M[N * N], q[N], H[P * N], k[P], z[N], mu[P], w[N];
  ns_ctx c = {0};
  ns_polyhedral_solver *s;
  ck_assert_int_eq(ns_polyhedral_create(&c, N, P, NULL, &s), NS_OK);
  for (int i = 0; i < N; i++) {
    H[2 * i + i * P] = H[2 * N + i * P] = 1;
    H[2 * i + 1 + i * P] = -1;
    k[2 * i] = k[2 * i + 1] = -1;
  }
  for (int kind = 0; kind < 4; kind++) {
    for (int i = 0; i < N * N; i++)
      M[i] = kind == 2 ? 0 : uniform() + (kind == 0) * (i % (N + 1) == 0) * N;
    for (int i = 0; i < N; i++) q[i] = uniform();
    k[2 * N] = kind == 3 ? N + 1 : 1;
    ns_polyhedral p = {.n = N, .p = P, .M = M, .q = q, .H = H, .k = k};
    ns_outcome out;
    long before = calls;
    int rc = ns_polyhedral_solve(s, &c, &p, z, mu, w, &out);
    long after = calls;
    ck_assert_int_eq(rc, NS_OK);
    ck_assert_int_eq(after, before);
    ck_assert_int_eq(out.kind, kind == 3 ? NS_RAY : NS_SOLVED);
  }
  ns_polyhedral_destroy(s);
}
END_TEST

START_TEST(creation_survives_every_failure)
{
#if COUNTED
  static double lb[200], ub[200];
  sparse s = chain_of(200, 2, -1);
  for (int k = 0; k == 0 || avi_dense(k - 1); k++)
    for (int f = 0; f < 6; f++) {
      const ns_avi_solver_ops *ops = avi_dense(k);
      int n = !ops || strcmp(ops->name, "enumeration") ? 200 : 10, done = 0;
      ns_blocks A = s.A;
      A.nb = A.m = n;
      bounds_of(n, f / 2, lb, ub);
      ns_avi_capacity cap = {.n = n, .structure = f & 1 ? &A : NULL, .lb = lb, .ub = ub};
      for (long at = 0; !done && at < 1000; at++) {
        ns_ctx c = {0};
        void *self = &c;
        ns_polyhedral_solver *poly = NULL;
        long before = live;
        fail_at = calls + at;
        int rc = ops ? ops->create(&c, &cap, NULL, &self)
                     : ns_polyhedral_create(&c, 20, 30, NULL, &poly);
        fail_at = -1;
        if (rc == NS_OK) {
          done = 1;
          if (ops) ops->destroy(self);
          else ns_polyhedral_destroy(poly);
        } else {
          ck_assert_int_eq(rc, NS_NOMEM);
          ck_assert_ptr_null(ops ? self : poly);
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
  Suite *s = suite_create("avi_memory");
  TCase *t = tcase_create("avi_memory");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, solving_does_not_allocate);
  tcase_add_test(t, solving_on_polyhedra_does_not_allocate);
  tcase_add_test(t, creation_survives_every_failure);
  suite_add_tcase(s, t);
  return suite_end(s);
}
