/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random problems: solvers against each other, against what was put in, and against nonsense. */
#include "problems/lcp_tools.h"

#define EACH(s) for (int s_ = 0; ns_lcp_solvers[s_] && ((s) = ns_lcp_solvers[s_]->name); s_++)

/* Positive definite, symmetric and not: one solution, and all that claim it have it; those that are
 * proved to solve this class must. Dense and sparse alike. Direct answers on the same support: the
 * same bytes. */
START_TEST(definite_problems_have_one_answer)
{
  int failures[8] = {0};
  for (int trial = 0; trial < 300; trial++) {
    int n = 1 + trial % 8, symmetric = trial % 3 == 0;
    double M[64], q[8], truth[8] = {0}, w[8];
    semidefinite(n, n, symmetric ? 0 : 0.7, 0.1, M);
    for (int i = 0; i < n; i++) q[i] = uniform();
    sparse sp = sparse_of(n, M, n, NULL);
    ns_lcp form[] = {dense_lcp(n, M, q), {.n = n, .blocks = &sp.A, .q = q}};
    ck_assert_int_eq(solve_once("enumeration", &form[0], symmetric, truth, w).kind, NS_SOLVED);
    ck_assert_double_le(oracle_residual(n, M, q, truth), 1e-12);
    const char *s;
    EACH(s) for (int f = 0; f < 2; f++) for (int start = 0; start < 2; start++)
    {
      double z[8], guess[8];
      for (int i = 0; i < n; i++) guess[i] = z[i] = start * uniform();
      ns_outcome out = solve_once(s, &form[f], symmetric, z, w);
      check_claim(s, n, M, q, guess, z, w, &out);
      failures[s_] += out.kind != NS_SOLVED;
      if (out.kind != NS_SOLVED) continue;
      for (int i = 0; i < n; i++) ck_assert_double_eq_tol(z[i], truth[i], 1e-8);
      if (strcmp(s, "pgs"))
        ck_assert_msg(!memcmp(z, truth, sizeof(double) * (size_t)n), "%s: other bytes", s);
    }
    sparse_free(&sp);
  }
  ck_assert_int_eq(failures[0], 0);  /* auto */
  ck_assert_int_eq(failures[1], 0);  /* lemke */
  ck_assert_int_le(failures[2], 60); /* newton-min: cycles, of 1200 */
  ck_assert_int_eq(failures[4], 0);  /* fischer-burmeister */
  ck_assert_int_eq(failures[5], 0);  /* enumeration */
}
END_TEST

/* Symmetric and definite: projected Gauss-Seidel converges, relaxed too. */
START_TEST(gauss_seidel_converges_for_definite_matrices)
{
  for (int trial = 0; trial < 100; trial++) {
    int n = 1 + trial % 12;
    double M[144], q[12], z[12] = {0}, w[12];
    semidefinite(n, n, 0, 0.1, M);
    for (int i = 0; i < n; i++) q[i] = uniform();
    ns_lcp p = dense_lcp(n, M, q);
    ns_lcp_options opt = ns_lcp_defaults();
    opt.omega = 0.6 + trial % 10 * 0.1;
    object o = make("pgs", n, NULL, 1, &opt);
    ck_assert_int_eq(run(o, &p, NULL, z, w).kind, NS_SOLVED);
    ck_assert_double_le(oracle_residual(n, M, q, z), 1.001e-10);
    o.ops->destroy(o.self);
  }
}
END_TEST

/* M-matrices: newton-min is finite from every start, and quick. */
START_TEST(newton_min_is_finite_for_m_matrices)
{
  for (int trial = 0; trial < 300; trial++) {
    int n = 1 + trial % 40;
    double M[1600], q[40], z[40], guess[40], w[40];
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) M[i + j * n] = i == j ? 0 : uniform() > 0.4 ? uniform() - 1 : 0;
    for (int i = 0; i < n; i++) {
      double sum = 0.01;
      for (int j = 0; j < n; j++) sum -= M[i + j * n];
      M[i + i * n] = sum;
      q[i] = uniform();
      guess[i] = z[i] = uniform();
    }
    ns_lcp p = dense_lcp(n, M, q);
    ns_outcome out = solve_once("newton-min", &p, 0, z, w);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    ck_assert_int_le(out.iterations, n + 2);
    check_claim("newton-min", n, M, q, guess, z, w, &out);
  }
}
END_TEST

/* A semidefinite M of any rank and a q made from z, w >= 0 with z w = 0: solvable; w (M symmetric)
 * is unique. */
START_TEST(feasible_semidefinite_problems_are_solved)
{
  const char *s;
  int unsolved[8] = {0};
  for (int trial = 0; trial < 200; trial++) {
    int n = 2 + trial % 39, rank = 1 + trial % n;
    double M[1600], q[40], zs[40], ws[40], w[40], zero[40] = {0};
    semidefinite(n, rank, 0, 0, M);
    for (int i = 0; i < n; i++) {
      double u = uniform();
      zs[i] = u > 0.2 ? u : 0;
      ws[i] = u < -0.2 ? -u : 0;
    }
    for (int i = 0; i < n; i++) {
      q[i] = ws[i];
      for (int j = 0; j < n; j++) q[i] -= M[i + j * n] * zs[j];
    }
    ns_lcp p = dense_lcp(n, M, q);
    EACH(s)
    {
      double z[40] = {0};
      if (!strcmp(s, "enumeration") && n > 10) continue;
      ns_outcome out = solve_once(s, &p, 1, z, w);
      check_claim(s, n, M, q, zero, z, w, &out);
      unsolved[s_] += out.kind != NS_SOLVED;
      for (int i = 0; i < n && out.kind == NS_SOLVED; i++)
        ck_assert_double_eq_tol(w[i], ws[i], 1e-4);
    }
  }
  ck_assert_int_eq(unsolved[0], 0);
  ck_assert_int_eq(unsolved[1], 0);
  ck_assert_int_eq(unsolved[5], 0);
}
END_TEST

/* No z >= 0 makes w >= 0: a row of M below zero everywhere, its q negative. */
START_TEST(infeasible_problems_stay_unsolved)
{
  const char *s;
  for (int trial = 0; trial < 60; trial++) {
    int n = 2 + trial % 9;
    double M[144], q[12], w[12], guess[12];
    semidefinite(n, n, 0.5, 0, M);
    for (int j = 0; j < n; j++) M[trial % n + j * n] = -fabs(uniform());
    for (int i = 0; i < n; i++) {
      q[i] = uniform();
      guess[i] = fabs(uniform());
    }
    q[trial % n] = -0.1;
    ns_lcp p = dense_lcp(n, M, q);
    EACH(s)
    {
      double z[12];
      memcpy(z, guess, sizeof z);
      ns_outcome out = solve_once(s, &p, 0, z, w);
      ck_assert_int_ne(out.kind, NS_SOLVED);
      check_claim(s, n, M, q, guess, z, w, &out);
    }
  }
}
END_TEST

/* Any matrix at all: no false claim, and auto finds what enumeration finds. */
START_TEST(indefinite_problems_are_never_claimed_wrongly)
{
  const char *s;
  for (int trial = 0; trial < 200; trial++) {
    int n = 1 + trial % 7;
    double M[49], q[7], w[7], zero[7] = {0};
    for (int i = 0; i < n * n; i++) M[i] = trial % 2 ? uniform() : floor(3 * uniform() + 0.5);
    for (int i = 0; i < n; i++) q[i] = trial % 2 ? uniform() : floor(3 * uniform() + 0.5);
    ns_lcp p = dense_lcp(n, M, q);
    int solved[8] = {0};
    EACH(s)
    {
      double z[7] = {0};
      ns_outcome out = solve_once(s, &p, 0, z, w);
      check_claim(s, n, M, q, zero, z, w, &out);
      solved[s_] = out.kind == NS_SOLVED;
    }
    ck_assert_int_ge(solved[0], solved[5]);
  }
}
END_TEST

/* A NaN or an infinity anywhere: an end, no claim, the guess back. */
START_TEST(nonsense_is_reported)
{
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  static const int size[] = {1, 2, 5, 18};
  const char *s;
  for (int t = 0; t < 4; t++) EACH(s) for (int f = 0; f < 2; f++) for (int b = 0; b < 3; b++)
    {
      int n = size[t], places = n * n + n;
      for (int at = 0; at < places; at += 1 + places / 40) {
        double M[18 * 18], q[18], z[18], guess[18], w[18];
        semidefinite(n, n, 0, 0.5, M);
        for (int i = 0; i < n; i++) {
          q[i] = uniform() - 0.5;
          guess[i] = z[i] = uniform();
        }
        *(at < n * n ? &M[at] : &q[at - n * n]) = bad[b];
        sparse sp = sparse_of(n, M, n, NULL);
        ns_lcp p = dense_lcp(n, M, q);
        if (f) p = (ns_lcp){.n = n, .blocks = &sp.A, .q = q};
        ns_outcome out = solve_once(s, &p, f, z, w);
        ck_assert_int_eq(out.kind, NS_NOT_FINITE);
        ck_assert_int_eq(memcmp(z, guess, sizeof(double) * (size_t)n), 0);
        sparse_free(&sp);
      }
    }
}
END_TEST

/* A guess with a NaN is no more than a bad guess. */
START_TEST(a_nan_in_the_guess_does_not_matter)
{
  const char *s;
  double M[] = {2, 1, 1, 2}, q[] = {-5, -6}, w[2];
  ns_lcp p = dense_lcp(2, M, q);
  EACH(s)
  {
    double z[] = {NAN, NAN};
    ck_assert_int_eq(solve_once(s, &p, 1, z, w).kind, NS_SOLVED);
    ck_assert_double_eq_tol(z[0], 4. / 3, 1e-9);
    ck_assert_double_eq_tol(z[1], 7. / 3, 1e-9);
  }
}
END_TEST

/* Rows and columns in units that differ by 1e12, together or each for itself: solved as well. */
START_TEST(units_do_not_matter)
{
  static const char *const solver[] = {"auto", "lemke", "enumeration"};
  for (int trial = 0; trial < 100; trial++) {
    int n = 2 + trial % 7;
    double M[64], q[8], z[8] = {0}, x[8] = {0}, w[8];
    semidefinite(n, n, 0.5, 0.1, M);
    for (int i = 0; i < n; i++) q[i] = uniform();
    ns_lcp p = dense_lcp(n, M, q);
    ck_assert_int_eq(solve_once("auto", &p, 0, z, w).kind, NS_SOLVED);
    double r[8], c[8];
    for (int i = 0; i < n; i++) {
      r[i] = pow(10, 6 * uniform());
      c[i] = trial % 2 ? r[i] : pow(10, 6 * uniform());
    }
    for (int i = 0; i < n; i++) {
      q[i] *= r[i];
      for (int j = 0; j < n; j++) M[i + j * n] *= r[i] * c[j];
    }
    for (int k = 0; k < 3; k++) {
      memset(x, 0, sizeof x);
      ns_outcome out = solve_once(solver[k], &p, 0, x, w);
      ck_assert_msg(out.kind == NS_SOLVED, "%s: %s, n = %d", solver[k], ns_outcome_text(out.kind),
                    n);
    }
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("lcp_random");
  TCase *t = tcase_create("lcp_random");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, definite_problems_have_one_answer);
  tcase_add_test(t, gauss_seidel_converges_for_definite_matrices);
  tcase_add_test(t, newton_min_is_finite_for_m_matrices);
  tcase_add_test(t, feasible_semidefinite_problems_are_solved);
  tcase_add_test(t, infeasible_problems_stay_unsolved);
  tcase_add_test(t, indefinite_problems_are_never_claimed_wrongly);
  tcase_add_test(t, nonsense_is_reported);
  tcase_add_test(t, a_nan_in_the_guess_does_not_matter);
  tcase_add_test(t, units_do_not_matter);
  suite_add_tcase(s, t);
  return suite_end(s);
}
