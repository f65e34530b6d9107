/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small problems whose answers are known, in the LCP, the mixed and the box form, and the residual.
 */
#include "problems/avi_tools.h"
#include "problems/box/work.h"

#define EACH(s) for (int s_ = 0; avi_dense(s_) && ((s) = ns_avi_solvers[s_]->name); s_++)
#define INF INFINITY

static ns_avi dense_avi(int n, const double *M, const double *q, const double *lb, const double *ub)
{
  return (ns_avi){.n = n, .dense = M, .ld = n, .q = q, .lb = lb, .ub = ub};
}

START_TEST(names_are_those_of_the_lcp)
{
  int n = 0;
  for (; avi_dense(n); n++) {
    ck_assert_str_eq(ns_avi_solvers[n]->name, ns_lcp_solvers[n]->name);
    ck_assert_ptr_eq(ns_avi_solver_find(ns_avi_solvers[n]->name), ns_avi_solvers[n]);
    ns_avi_solvers[n]->destroy(NULL);
  }
  ck_assert_ptr_null(ns_lcp_solvers[n]);
  ck_assert_ptr_null(ns_avi_solver_find("nonesuch"));
}
END_TEST

START_TEST(bounds_say_what_kind_of_problem)
{
  double zero[] = {0, 0, 0}, inf[] = {INF, INF, INF}, none[] = {-INF, -INF, -INF},
         some[] = {-INF, 0, 0}, box[] = {INF, 1, INF};
  ck_assert_int_eq(ns_avi_classify(3, zero, inf), NS_AVI_LCP);
  ck_assert_int_eq(ns_avi_classify(3, none, inf), NS_AVI_LINEAR);
  ck_assert_int_eq(ns_avi_classify(3, some, inf), NS_AVI_MLCP);
  ck_assert_int_eq(ns_avi_classify(3, some, box), NS_AVI_BOX);
  ck_assert_int_eq(ns_avi_classify(0, zero, inf), NS_AVI_LCP);
}
END_TEST

/* A heavy and a light body at rest, in all three storages: z = 0 of the light one is no solution,
 * and what rounding leaves in its row is none the less. */
START_TEST(row_of_a_light_body_counts)
{
  static const double light[] = {1e-3, 1e-6, 1e-9, 1e-12};
  double m = light[_i], M[] = {1, 0, 0, 1 / m}, D[] = {1, 1 / m}, q[] = {-1e-2, -1e-2};
  double lb[] = {0, 0}, ub[] = {INF, INF}, w[2];
  int one[] = {1, 1}, two[] = {2}, at[] = {0, 1, 2}, first[] = {0, 2}, col[] = {0, 1};
  size_t off[] = {0, 1};
  ns_blocks csr = {.nb = 2, .dim = one, .first = at, .row = at, .col = col, .off = off, .val = D};
  ns_blocks block = {
      .nb = 1, .dim = two, .first = first, .row = at, .col = col, .off = off, .val = M};
  ns_avi p[] = {dense_avi(2, M, q, lb, ub),
                dense_avi(2, M, q, NULL, NULL),
                {.n = 2, .blocks = &csr, .q = q, .lb = lb, .ub = ub},
                {.n = 2, .blocks = &block, .q = q, .lb = lb, .ub = ub}};
  for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
    double z[] = {1e-2, 1e-2 * m}, none[] = {1e-2, 0}, near[] = {1e-2, 1e-2 * m * (1 + 1e-9)};
    ck_assert_double_le(ns_avi_residual(&p[i], z, w), 1e-17);
    ck_assert_double_ge(ns_avi_residual(&p[i], none, w), 0.9e-6);
    ck_assert_double_le(ns_avi_residual(&p[i], near, w), 1e-12);
    q[1] = -1e-17; /* rounding beside 1e-2 */
    ck_assert_double_le(ns_avi_residual(&p[i], none, w), 1e-10);
    q[1] = -1e-2;
  }
}
END_TEST

/* The residual against its definition in long double; for an LCP that of the LCP, to the bit; a NaN
 * gives infinity. */
START_TEST(residual_is_its_definition)
{
  for (int trial = 0; trial < 300; trial++) {
    int n = 1 + trial % 17;
    avi_data d = avi_alloc(n);
    double z[17], v[17], w[17];
    for (int i = 0; i < n * n; i++) d.M[i] = uniform() > 0.5 ? 0 : uniform();
    for (int i = 0; i < n; i++) {
      d.q[i] = 3 * uniform();
      z[i] = uniform();
      d.lb[i] = trial % 3 == 0 ? 0 : uniform() > 0.5 ? -INF : uniform() - 1;
      d.ub[i] = trial % 3 == 0 || uniform() > 0.5 ? INF : uniform() + 1;
    }
    ns_avi p = avi_of(&d);
    ck_assert_double_eq_tol(ns_avi_residual(&p, z, w), avi_oracle(&d, z), 1e-15);
    ns_lcp l = dense_lcp(n, d.M, d.q);
    if (trial % 3 == 0) {
      ck_assert_double_eq(ns_lcp_residual(&l, z, v), ns_avi_residual(&p, z, w));
      ck_assert_int_eq(memcmp(v, w, sizeof(double) * (size_t)n), 0);
    }
    z[n / 2] = NAN;
    ck_assert_double_eq(ns_avi_residual(&p, z, w), INF);
    avi_free(&d);
  }
}
END_TEST

/* A row of bounds that makes every solver do the problem itself: one more unknown, fixed, without
 * influence. */
typedef struct widened {
  int n;
  double M[121], q[11], lb[11], ub[11];
} widened;

static widened widen(int n, const double *M, const double *q)
{
  widened x = {.n = n + 1};
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) x.M[i + j * (n + 1)] = M[i + j * n];
  x.M[n + n * (n + 1)] = 1;
  for (int i = 0; i < n; i++) {
    x.q[i] = q[i];
    x.ub[i] = INF;
  }
  x.lb[n] = x.ub[n] = 0.5;
  return x;
}

/* Murty's example: 1 on the diagonal, 2 below: the first unit vector after 2^n pivots; transposed
 * the last one. */
START_TEST(lemke_needs_two_to_the_n_pivots)
{
  for (int n = 1; n <= 10; n++) {
    double M[100], T[100], q[10], z[11] = {0}, w[11];
    for (int j = 0; j < n; j++) {
      q[j] = -1;
      for (int i = 0; i < n; i++) T[j + i * n] = M[i + j * n] = i == j ? 1 : i > j ? 2 : 0;
    }
    widened a = widen(n, M, q), b = widen(n, T, q);
    ns_avi p = dense_avi(n + 1, a.M, a.q, a.lb, a.ub), t = dense_avi(n + 1, b.M, b.q, b.lb, b.ub);
    ns_outcome out = avi_once("lemke", &p, 0, z, w);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    if (n == 3) ck_assert_int_eq(out.iterations, 8);
    for (int i = 0; i < n; i++) ck_assert_double_eq(z[i], i == 0);
    ck_assert_double_eq(z[n], 0.5);
    const char *s;
    EACH(s)
    {
      double x[11] = {0}, y[11] = {0};
      int must = !!strcmp(s, "newton-min") && !!strcmp(s, "pgs");
      ns_outcome o1 = avi_once(s, &p, 0, x, w), o2 = avi_once(s, &t, 0, y, w);
      ck_assert_msg(!must || (o1.kind == NS_SOLVED && o2.kind == NS_SOLVED), "%s, n = %d", s, n);
      for (int i = 0; i < n && o1.kind == NS_SOLVED; i++)
        ck_assert_double_eq_tol(x[i], i == 0, 1e-9);
      for (int i = 0; i < n && o2.kind == NS_SOLVED; i++)
        ck_assert_double_eq_tol(y[i], i == n - 1, 1e-9);
    }
  }
}
END_TEST

/* M = [-1]: q = -1 has no solution, q = 1 has 0 and 1; as an LCP and with a row beside it. */
START_TEST(a_negative_matrix_has_none_or_two)
{
  const char *s;
  double M = -1, none = -1, two = 1, w[2], lb = 0, ub = INF;
  widened a = widen(1, &M, &none), b = widen(1, &M, &two);
  ns_avi form[4] = {dense_avi(1, &M, &none, &lb, &ub), dense_avi(2, a.M, a.q, a.lb, a.ub),
                    dense_avi(1, &M, &two, &lb, &ub), dense_avi(2, b.M, b.q, b.lb, b.ub)};
  EACH(s) for (int f = 0; f < 4; f++)
  {
    double z[] = {0.25, 0.5};
    ns_outcome out = avi_once(s, &form[f], 0, z, w);
    if (f < 2) {
      ck_assert_int_ne(out.kind, NS_SOLVED);
      ck_assert_double_eq(z[0], 0.25);
      ck_assert_double_eq(w[0], -1.25);
      if (!strcmp(s, "lemke") || !strcmp(s, "auto")) ck_assert_int_eq(out.kind, NS_RAY);
      if (!strcmp(s, "enumeration")) ck_assert_int_eq(out.kind, NS_EXHAUSTED);
    } else if (out.kind == NS_SOLVED) ck_assert(z[0] == 0 || z[0] == 1);
    else ck_assert(strcmp(s, "auto") && strcmp(s, "lemke") && strcmp(s, "enumeration"));
  }
}
END_TEST

/* Semidefinite and infeasible: a ray. Skew: z = (2, 1). Also where a row is an equality: 0 z = 1.
 */
START_TEST(semidefinite_problems_end_in_a_ray_or_a_solution)
{
  double D[] = {0, 0, 0, 1}, d[] = {-1, 1}, S[] = {0, -1, 1, 0}, q[] = {-1, 2}, w[3];
  widened a = widen(2, D, d), b = widen(2, S, q);
  ns_avi p = dense_avi(3, a.M, a.q, a.lb, a.ub), t = dense_avi(3, b.M, b.q, b.lb, b.ub);
  for (int k = 0; k < 2; k++) {
    double z[3] = {0}, x[3] = {0}, y[3] = {0};
    ck_assert_int_eq(avi_once(ns_avi_solvers[k]->name, &p, 0, z, w).kind, NS_RAY);
    ck_assert_int_eq(avi_once(ns_avi_solvers[k]->name, &t, 0, x, w).kind, NS_SOLVED);
    ck_assert_double_eq_tol(x[0], 2, 1e-15);
    ck_assert_double_eq_tol(x[1], 1, 1e-15);
    double lb[] = {-INF, 0}, ub[] = {INF, INF};
    ns_avi e = dense_avi(2, D, d, lb, ub);
    ck_assert_int_eq(avi_once(ns_avi_solvers[k]->name, &e, 0, y, w).kind, NS_RAY);
  }
}
END_TEST

/* A P-matrix on which plain newton-min goes round {1}, {2}, {3} (Ben Gharbia & Gilbert): it says
 * so; auto leaves the cycle. */
START_TEST(newton_min_sees_its_cycle_and_auto_leaves_it)
{
  double M[] = {1, 2, 0, 0, 1, 2, 2, 0, 1}, q[] = {1, 1, 1}, w[4];
  widened a = widen(3, M, q);
  ns_avi p = dense_avi(4, a.M, a.q, a.lb, a.ub);
  double z[] = {1, 0, 0, 0.5};
  ns_outcome out = avi_once("newton-min", &p, 0, z, w);
  ck_assert_int_eq(out.kind, NS_LIMIT);
  ck_assert_int_eq(out.iterations, 4);
  ck_assert_double_eq(z[0], 1);
  ck_assert_int_eq(avi_once("auto", &p, 0, z, w).kind, NS_SOLVED);
  for (int i = 0; i < 3; i++) ck_assert_double_eq(z[i], 0);
}
END_TEST

/* 300 definite problems: all that are proved to solve them agree with enumeration, to the bit. */
START_TEST(definite_problems_have_one_answer)
{
  static const char *const proved[] = {"auto", "lemke", "fischer-burmeister"};
  for (int trial = 0; trial < 300; trial++) {
    int n = 1 + trial % 7;
    avi_data d = avi_alloc(n);
    semidefinite(n, n, trial % 3 ? 0.7 : 0, 0.1, d.M);
    for (int i = 0; i < n; i++) {
      d.q[i] = uniform();
      d.lb[i] = trial % 2 ? uniform() - 0.5 : uniform() > 0 ? 0 : -INF;
      d.ub[i] = trial % 2 ? d.lb[i] + uniform() + 1 : INF;
    }
    ns_avi p = avi_of(&d);
    double truth[7] = {0}, w[7];
    ck_assert_int_eq(avi_once("enumeration", &p, 0, truth, w).kind, NS_SOLVED);
    for (int k = 0; k < 3; k++) {
      double z[7], guess[7];
      for (int i = 0; i < n; i++) guess[i] = z[i] = uniform();
      ns_outcome out = avi_once(proved[k], &p, 0, z, w);
      avi_check(proved[k], &d, guess, z, w, &out);
      ck_assert_msg(out.kind == NS_SOLVED, "%s, trial %d: %s", proved[k], trial,
                    ns_outcome_text(out.kind));
      for (int i = 0; i < n; i++) ck_assert_double_eq_tol(z[i], truth[i], 1e-8);
    }
    avi_free(&d);
  }
}
END_TEST

/* Derivatives of Phi by differences, away from its kinks; at a corner the row of z = lb, w = 0 is
 * one of the limits. */
START_TEST(fischer_derivatives_are_differences)
{
  static const double bound[][2] = {{0, INF}, {-INF, 1}, {-0.5, 1}, {-INF, INF}, {0.5, 0.5}};
  for (int trial = 0; trial < 200; trial++)
    for (int k = 0; k < 5; k++) {
      double z = 2 * uniform(), b = 2 * uniform(), h = 1e-6, dz, db, x, y, lb = bound[k][0],
             ub = bound[k][1];
      ns_box_fischer_row(z, b, lb, ub, &dz, &db);
      double byz = (ns_box_fischer_row(z + h, b, lb, ub, &x, &y) -
                    ns_box_fischer_row(z - h, b, lb, ub, &x, &y)) /
                   (2 * h);
      double byb = (ns_box_fischer_row(z, b + h, lb, ub, &x, &y) -
                    ns_box_fischer_row(z, b - h, lb, ub, &x, &y)) /
                   (2 * h);
      ck_assert_double_eq_tol(dz, byz, 1e-6);
      ck_assert_double_eq_tol(db, byb, 1e-6);
    }
  double dz, db;
  ck_assert_double_eq(ns_box_fischer_row(0, 0, 0, INF, &dz, &db), 0);
  ck_assert_double_eq_tol(dz, 1 - sqrt(0.5), 1e-15);
  ck_assert_double_eq_tol(db, 1 - sqrt(0.5), 1e-15);
}
END_TEST

/* Elimination by hand: u = -A^-1 (a + C v) and the LCP in v with B - D A^-1 C have the answer of
 * the mixed problem. */
START_TEST(equalities_are_eliminated)
{
  for (int trial = 0; trial < 100; trial++) {
    enum { N = 6, E = 2 };
    double M[N * N], q[N], lb[N], ub[N], z[N] = {0}, w[N], S[16], r[4], v[4] = {0}, y[4];
    semidefinite(N, N, 0.5, 0.2, M);
    for (int i = 0; i < N; i++) {
      q[i] = uniform();
      lb[i] = i < E ? -INF : 0;
      ub[i] = INF;
    }
    double det = M[0] * M[7] - M[1] * M[6],
           I[4] = {M[7] / det, -M[1] / det, -M[6] / det, M[0] / det};
    for (int i = 0; i < 4; i++) {
      r[i] = q[E + i];
      for (int a = 0; a < E; a++)
        for (int b = 0; b < E; b++) r[i] -= M[E + i + a * N] * I[a + 2 * b] * q[b];
      for (int j = 0; j < 4; j++) {
        S[i + 4 * j] = M[E + i + (E + j) * N];
        for (int a = 0; a < E; a++)
          for (int b = 0; b < E; b++)
            S[i + 4 * j] -= M[E + i + a * N] * I[a + 2 * b] * M[b + (E + j) * N];
      }
    }
    ns_avi p = dense_avi(N, M, q, lb, ub);
    ns_lcp l = dense_lcp(4, S, r);
    ck_assert_int_eq(avi_once("auto", &p, 0, z, w).kind, NS_SOLVED);
    ck_assert_int_eq(solve_once("auto", &l, 0, v, y).kind, NS_SOLVED);
    for (int i = 0; i < 4; i++) ck_assert_double_eq_tol(z[E + i], v[i], 1e-10);
    for (int i = 0; i < 4; i++) ck_assert_double_eq_tol(w[E + i], y[i], 1e-10);
  }
}
END_TEST

/* An equality block that is 0: [0 1; -1 r] (a source in series with a diode); through a
 * complementary pair. And one whose rows repeat: the pair of currents is not determined, their sum
 * is. */
START_TEST(singular_equality_blocks_are_solved)
{
  double M[] = {0, -1, 1, 0.5}, q[] = {-2, 3}, lb[] = {-INF, 0}, ub[] = {INF, INF}, w[3];
  ns_avi p = dense_avi(2, M, q, lb, ub);
  double R[] = {1, 1, -1, 1, 1, -1, 1, 1, 0}, r[] = {-1, -1, 0}, lo[] = {-INF, -INF, 0},
         up[] = {INF, INF, INF};
  ns_avi t = dense_avi(3, R, r, lo, up);
  for (int k = 0; k < 2; k++) {
    double z[2] = {0}, x[3] = {0};
    ck_assert_int_eq(avi_once(ns_avi_solvers[k]->name, &p, 0, z, w).kind, NS_SOLVED);
    ck_assert_double_eq_tol(z[1], 2, 1e-15);
    ck_assert_double_eq_tol(z[0], 4, 1e-15);
    ns_outcome out = avi_once(ns_avi_solvers[k]->name, &t, 0, x, w);
    ck_assert_msg(out.kind == NS_SOLVED, "%s: %s", ns_avi_solvers[k]->name,
                  ns_outcome_text(out.kind));
    ck_assert_double_eq_tol(x[0] + x[1] + x[2], 1, 1e-12);
    ck_assert_double_le(x[0] + x[1], 1e-12);
  }
}
END_TEST

/* M scaled by h = 1e-9 beside entries of 1: relays whose states move by h. */
START_TEST(entries_of_a_small_step_count)
{
  double h = 1e-9, M[] = {h, 0, 0.3 * h, h}, q[] = {0.5 * h, -0.2 * h}, lb[] = {-1, -1},
         ub[] = {1, 1}, z[] = {1, 1}, w[2];
  ns_avi p = dense_avi(2, M, q, lb, ub);
  for (int k = 0; k < 2; k++) {
    z[0] = z[1] = 1;
    ck_assert_int_eq(avi_once(ns_avi_solvers[k]->name, &p, 0, z, w).kind, NS_SOLVED);
    ck_assert_double_eq_tol(z[1], 0.2, 1e-15);
    ck_assert_double_eq_tol(z[0], -0.56, 1e-15);
  }
}
END_TEST

/* n = 1: z = proj(-q/m) where m > 0; a stamp and a kept factor change nothing. */
START_TEST(one_row_is_a_projection)
{
  for (int trial = 0; trial < 200; trial++) {
    double m = 1.5 + uniform(), q = 3 * uniform(), lb = -1, ub = 1, z = uniform(), w,
           want = fmin(1, fmax(-1, -q / m));
    ns_avi p = dense_avi(1, &m, &q, &lb, &ub);
    const char *s;
    EACH(s)
    {
      ck_assert_int_eq(avi_once(s, &p, 1, &z, &w).kind, NS_SOLVED);
      ck_assert_double_eq_tol(z, want, 1e-9);
      if (!strcmp(s, "auto")) ck_assert_double_eq(z, want);
    }
  }
}
END_TEST

/* One object over many right-hand sides, with a stamp and without: the same bytes. */
START_TEST(kept_factors_do_not_change_the_answer)
{
  avi_data d = avi_alloc(8);
  semidefinite(8, 8, 0.5, 0.1, d.M);
  for (int i = 0; i < 8; i++) {
    d.lb[i] = i % 3 == 0 ? -INF : -0.3;
    d.ub[i] = i % 4 ? INF : 0.4;
  }
  ns_avi p = avi_of(&d), stamped = p;
  stamped.stamp = 7;
  avi_object a = avi_make("auto", &p, 0, NULL), b = avi_make("auto", &p, 0, NULL);
  double x[8] = {0}, y[8] = {0}, v[8], w[8];
  for (int trial = 0; trial < 300; trial++) {
    for (int i = 0; i < 8; i++) d.q[i] = trial % 10 ? d.q[i] + 0.01 * uniform() : uniform();
    ns_outcome one = avi_run(a, &p, x, v), two = avi_run(b, &stamped, y, w);
    ck_assert_int_eq(one.kind, NS_SOLVED);
    ck_assert_int_eq(two.kind, NS_SOLVED);
    ck_assert_int_eq(memcmp(x, y, sizeof x), 0);
    ck_assert_int_eq(memcmp(v, w, sizeof v), 0);
  }
  a.ops->destroy(a.self);
  b.ops->destroy(b.self);
  avi_free(&d);
}
END_TEST

START_TEST(limits_are_respected)
{
  ns_ctx c = {0};
  void *self = &c;
  double lb[40], ub[40], M[4] = {2, 1, 1, 2}, q[2] = {-1, -1}, z[2] = {0}, w[2];
  for (int i = 0; i < 40; i++) lb[i] = -1, ub[i] = 1;
  ns_avi_capacity cap = {.n = 40, .lb = lb, .ub = ub};
  ck_assert_int_eq(ns_avi_solver_find("enumeration")->create(&c, &cap, NULL, &self), NS_MODEL);
  ck_assert_ptr_null(self);
  ck_assert_ptr_nonnull(strstr(c.msg, "auto"));
  ns_lcp_options bad = ns_lcp_defaults();
  bad.omega = 2;
  ck_assert_int_eq(ns_avi_solver_find("pgs")->create(&c, &cap, &bad, &self), NS_MODEL);
  ns_avi p = dense_avi(1, M, q, lb, ub);
  avi_object o = avi_make("auto", &p, 1, NULL);
  ns_outcome out;
  p.n = 2;
  p.ld = 2;
  ck_assert_int_lt(o.ops->solve(o.self, &c, &p, NULL, z, w, &out), 0);
  o.ops->destroy(o.self);
  p.n = 0;
  const char *s;
  EACH(s) ck_assert_int_eq(avi_once(s, &p, 1, z, w).kind, NS_SOLVED);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("avi");
  TCase *t = tcase_create("avi");
  tcase_add_test(t, names_are_those_of_the_lcp);
  tcase_add_test(t, bounds_say_what_kind_of_problem);
  tcase_add_test(t, residual_is_its_definition);
  tcase_add_loop_test(t, row_of_a_light_body_counts, 0, 4);
  tcase_add_test(t, lemke_needs_two_to_the_n_pivots);
  tcase_add_test(t, a_negative_matrix_has_none_or_two);
  tcase_add_test(t, semidefinite_problems_end_in_a_ray_or_a_solution);
  tcase_add_test(t, newton_min_sees_its_cycle_and_auto_leaves_it);
  tcase_add_test(t, definite_problems_have_one_answer);
  tcase_add_test(t, fischer_derivatives_are_differences);
  tcase_add_test(t, equalities_are_eliminated);
  tcase_add_test(t, singular_equality_blocks_are_solved);
  tcase_add_test(t, entries_of_a_small_step_count);
  tcase_add_test(t, one_row_is_a_projection);
  tcase_add_test(t, kept_factors_do_not_change_the_answer);
  tcase_add_test(t, limits_are_respected);
  suite_add_tcase(s, t);
  return suite_end(s);
}
