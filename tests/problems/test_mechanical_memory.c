/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solving friction problems does not allocate; a creation that runs out of memory says so and leaks
 * nothing. */
#include "algebra/lapack.h"
#include "problems/global.h"
#include "problems/mechanical_tools.h"
#include "support/counted.h"
#include "support/suite.h"

#include <check.h>

/* Sizes on both sides of every change of method; usual, singular, nonsense. */
START_TEST(solving_does_not_allocate)
{
  static const int size[] = {1, 3, 19, 40, 700};
  static unsigned char rolling[700];
  static double mu_rolling[700];
  const ns_mechanical_solver_ops *ops = ns_mechanical_solvers[_i];
  for (int t = 0; t < 5; t++)
    for (int d = 2; d <= 5; d += d == 3 ? 2 : 1)
      for (int kind = 0; kind < 3; kind++) {
        made m = chain(d, size[t], 3);
        if (d == 5) roll(&m, rolling, mu_rolling);
        ns_mechanical_options opt = {.tol = 1e-8, .max_iterations = 20, .threads = 1};
        ns_mechanical_capacity cap = {.structure = &m.W, .kind = m.p.kind};
        ns_ctx c = {0};
        void *s;
        m.p.W = &m.W;
        if (ops->create(&c, &cap, &opt, &s) == NS_OK) {
          ns_outcome out;
          double *u = calloc((size_t)m.W.m, sizeof *u),
                 *x = ns_blocks_at(&m.W, size[t] / 2, size[t] / 2);
          if (kind == 1) memset(x, 0, (size_t)(d * d) * sizeof *x);
          if (kind == 2) *x = NAN;
          long before = calls;
          int rc = ops->solve(s, &c, &m.p, NULL, m.r, u, &out);
          long after = calls;
          ck_assert_int_eq(rc, NS_OK);
          ck_assert_msg(kind != 2 || out.kind != NS_SOLVED, "%s solves NaN", ops->name);
          ck_assert_msg(after == before, "%s, %d contacts: %ld allocations", ops->name, size[t],
                        after - before);
          free(u);
          ops->destroy(s);
        }
        make_free(&m);
      }
}
END_TEST

START_TEST(creation_survives_every_failure)
{
#if COUNTED
  static const int size[] = {20, 190, 700, 30, 700};
  static unsigned char rolling[700];
  static double mu_rolling[700];
  const ns_mechanical_solver_ops *ops = ns_mechanical_solvers[_i];
  for (int t = 0; t < 5; t++) {
    made m = chain(t < 3 ? 2 : 3, size[t], 3);
    if (t >= 3) roll(&m, rolling, mu_rolling);
    ns_mechanical_capacity cap = {.structure = &m.W, .kind = m.p.kind};
    int done = 0;
    for (long at = 0; !done && at < 1000; at++) {
      ns_ctx c = {0};
      void *self = &c;
      long before = live;
      fail_at = calls + at;
      int rc = ops->create(&c, &cap, NULL, &self);
      fail_at = -1;
      done = rc == NS_OK || rc == NS_MODEL;
      if (rc == NS_OK) ops->destroy(self);
      else ck_assert_ptr_null(self);
      ck_assert(done || rc == NS_NOMEM);
      ck_assert_int_eq(live, before);
    }
    ck_assert_int_eq(done, 1);
    make_free(&m);
  }
#endif
}
END_TEST

/* A row of masses with springs, long enough for a sparse factor; contacts at some of them. */
START_TEST(global_problems)
{
  enum { N = 90, NC = 10 };
  static double val[3 * N], q[N], b[2 * NC], mu[NC], H[2 * NC], r[2 * NC], u[2 * NC], v[N];
  static int dim[N], first[N + 1], row[N + 1], col[3 * N], hrow[2 * NC + 1], hcol[2 * NC], cdim[NC],
      cfirst[NC + 1];
  static size_t off[3 * N];
  int at = 0;
  for (int i = 0; i < N; i++) {
    dim[i] = 1;
    first[i + 1] = i + 1;
    q[i] = i % 2 ? -1 : 0.3;
    for (int j = i - 1; j <= i + 1; j++) {
      if (j < 0 || j >= N) continue;
      col[at] = j;
      off[at] = (size_t)at;
      val[at++] = i == j ? 4 : -1;
    }
    row[i + 1] = at;
  }
  for (int a = 0; a < NC; a++) {
    cdim[a] = 2;
    cfirst[a + 1] = 2 * a + 2;
    mu[a] = 0.3;
    for (int k = 0; k < 2; k++) {
      hrow[2 * a + k + 1] = 2 * a + k + 1;
      hcol[2 * a + k] = 8 * a + 1 - k;
      H[2 * a + k] = 1;
    }
  }
  ns_blocks M = {
      .nb = N, .m = N, .dim = dim, .first = first, .row = row, .col = col, .off = off, .val = val};
  ns_global p = {.M = &M,
                 .q = q,
                 .row = hrow,
                 .col = hcol,
                 .val = H,
                 .b = b,
                 .nb = NC,
                 .m = 2 * NC,
                 .dim = cdim,
                 .first = cfirst,
                 .mu = mu};
  const ns_mechanical_solver_ops *ops = ns_mechanical_solver_find("auto");
  for (int symmetric = 1; symmetric >= 0; symmetric--) {
    ns_global_solver *s;
    ns_ctx c = {0};
    ns_outcome out;
    if (!symmetric) val[1] = -1.1;
    ck_assert_int_eq(ns_global_create(&c, &p, ops, NULL, &s), NS_OK);
    memset(r, 0, sizeof r);
    long before = calls;
    int solved = ns_global_solve(s, &c, r, u, v, &out);
    long after = calls;
    ck_assert_int_eq(solved, NS_OK);
    ck_assert_int_eq(after, before);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    ns_global_destroy(s);
#if COUNTED
    int done = 0;
    for (long k = 0; !done && k < 1000; k++) {
      ns_ctx e = {0};
      long was = live;
      s = (void *)&e;
      fail_at = calls + k;
      int rc = ns_global_create(&e, &p, ops, NULL, &s);
      fail_at = -1;
      if (rc == NS_OK) ns_global_destroy(s);
      else ck_assert(rc == NS_NOMEM && !s);
      done = rc == NS_OK;
      ck_assert_int_eq(live, was);
    }
    ck_assert_int_eq(done, 1);
#endif
  }
}
END_TEST

int main(void)
{
  int n = 0;
  while (ns_mechanical_solvers[n]) n++;
  ns_lapack_load();
  Suite *s = suite_create("mechanical_memory");
  TCase *t = tcase_create("mechanical_memory");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, solving_does_not_allocate, 0, n);
  tcase_add_loop_test(t, creation_survives_every_failure, 0, n);
  tcase_add_test(t, global_problems);
  suite_add_tcase(s, t);
  return suite_end(s);
}
