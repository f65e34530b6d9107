/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Block-sparse problems: columns of beads, parts of a structure, kept factors, redundant contacts
 * in great number. */
#include "problems/lcp_tools.h"

#include <stdio.h>

/* A solution put into a chain: random active rows, q = w - M z. */
static void plant(const ns_blocks *A, double active, double *z, double *q)
{
  for (int i = 0; i < A->m; i++) {
    int on = uniform() < active;
    double v = 0.5 + 0.4 * uniform();
    z[i] = on ? v : 0;
    q[i] = on ? 0 : v;
  }
  ns_blocks_gemv(-1, A, z, q);
}

/* Columns of beads (tridiagonal, 2 and -1: hardly dominant), n = 1000: the solution planted is
 * found, from no guess and from a wrong one, and Gauss-Seidel agrees where it converges. */
START_TEST(bead_columns_are_solved)
{
  enum { n = 1000 };
  static double z[n], x[n], y[n], q[n], w[n];
  for (int trial = 0; trial < 30; trial++) {
    int symmetric = trial % 2;
    sparse s = chain_of(n, trial % 3 ? 2 : 2.5, -1);
    plant(&s.A, (trial % 10 - 4.5) / 5, z, q);
    ns_lcp p = {.n = n, .blocks = &s.A, .q = q};
    for (int i = 0; i < n; i++) x[i] = trial % 4 == 0 ? 0 : uniform();
    ns_outcome out = solve_once("auto", &p, symmetric, x, w);
    ck_assert_msg(out.kind == NS_SOLVED, "%s", ns_outcome_text(out.kind));
    ck_assert_str_eq(out.solver, "newton-min");
    ck_assert_double_le(out.residual, 1e-12);
    for (int i = 0; i < n; i++) ck_assert_double_eq_tol(x[i], z[i], 1e-9);
    memset(y, 0, sizeof y);
    out = solve_once("pgs", &p, symmetric, y, w);
    if (trial % 3 == 0) ck_assert_int_eq(out.kind, NS_SOLVED);
    if (out.kind == NS_SOLVED)
      for (int i = 0; i < n; i++) ck_assert_double_eq_tol(y[i], z[i], 1e-6);
    if (trial < 4) {
      memset(y, 0, sizeof y);
      out = solve_once("fischer-burmeister", &p, symmetric, y, w);
      ck_assert_int_eq(out.kind, NS_SOLVED);
      ck_assert_mem_eq(y, x, sizeof x);
    }
    sparse_free(&s);
  }
}
END_TEST

/* Random q: the answer is not planted. The residual says it all; M is an M-matrix, so the answer is
 * one. */
START_TEST(columns_under_random_loads_are_solved)
{
  enum { n = 1000 };
  static double x[n], y[n], q[n], w[n];
  for (int trial = 0; trial < 20; trial++) {
    sparse s = chain_of(n, 2.001, -1);
    for (int i = 0; i < n; i++) {
      q[i] = uniform() + trial * 0.02;
      x[i] = y[i] = 0;
    }
    for (int i = 0; i < n; i++) y[i] = 1;
    ns_lcp p = {.n = n, .blocks = &s.A, .q = q};
    ns_outcome out = solve_once("auto", &p, 1, x, w);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    ck_assert_double_le(out.residual, 1e-12);
    ck_assert_int_eq(solve_once("auto", &p, 1, y, w).kind, NS_SOLVED);
    ck_assert_mem_eq(x, y, sizeof x); /* whatever the guess */
    sparse_free(&s);
  }
}
END_TEST

/* Mixed blocks, symmetric and not, against the same problem dense. */
START_TEST(mixed_blocks_are_the_dense_problem)
{
  static const int dim[] = {3, 2, 1, 3, 3, 2, 2, 4}; /* 20 */
  for (int trial = 0; trial < 60; trial++) {
    int n = 20, symmetric = trial % 2;
    double M[400], q[20], z[20] = {0}, x[20] = {0}, w[20];
    semidefinite(n, n, symmetric ? 0 : 0.3, 0.2, M);
    for (int b = 0, at = 0; b < 6; at += dim[b++]) /* some zero blocks */
      for (int i = 0; i < n; i++)
        for (int j = at; j < at + dim[b]; j++)
          if (i >= at + dim[b] + 5) M[i + j * n] = M[j + i * n] = 0;
    for (int i = 0; i < n; i++) {
      M[i + i * n] += 2;
      q[i] = uniform();
    }
    sparse s = sparse_of(n, M, 8, dim);
    ns_lcp p = dense_lcp(n, M, q), b = {.n = n, .blocks = &s.A, .q = q};
    ck_assert_int_eq(solve_once("auto", &p, symmetric, z, w).kind, NS_SOLVED);
    for (int k = 0; ns_lcp_solvers[k]; k++) {
      double guess[20] = {0};
      /* a million supports */
      if (!strcmp(ns_lcp_solvers[k]->name, "enumeration") && trial > 1) continue;
      memset(x, 0, sizeof x);
      ns_outcome out = solve_once(ns_lcp_solvers[k]->name, &b, symmetric, x, w);
      check_claim(ns_lcp_solvers[k]->name, n, M, q, guess, x, w, &out);
      if (out.kind == NS_SOLVED || k == 0)
        for (int i = 0; i < n; i++) ck_assert_double_eq_tol(x[i], z[i], 1e-8);
    }
    sparse_free(&s);
  }
}
END_TEST

/* Contacts come and go: problems on some rows of a structure, in one solver object. */
START_TEST(parts_of_a_structure_are_solved)
{
  enum { n = 300 };
  static double z[n], q[n], w[n], x[n];
  static int row[n], ints[6 * n + 6];
  static size_t off[3 * n];
  static double val[3 * n];
  for (int symmetric = 0; symmetric < 2; symmetric++) {
    sparse s = chain_of(n, 2.1, -1);
    object o = make("auto", n, &s.A, symmetric, NULL);
    for (int trial = 0; trial < 40; trial++) {
      int m = 0, k = 0;
      for (int i = 0; i < n; i++)
        if (uniform() < (trial % 8 - 3.5) / 4) row[m++] = i;
      ns_blocks A = {m, m, ints, ints + n, ints + 2 * n + 1, ints + 3 * n + 2, off, val};
      for (int i = 0; i < m; i++) {
        A.dim[i] = 1;
        A.first[i] = i;
        A.row[i] = k;
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < m; j++) {
          if (abs(row[i] - row[j]) > 1) continue;
          A.col[k] = j;
          off[k] = (size_t)k;
          val[k++] = i == j ? 2.1 : -1;
        }
      }
      A.row[m] = k;
      plant(&A, 0.2, z, q);
      ns_lcp p = {.n = m, .blocks = &A, .q = q};
      for (int i = 0; i < m; i++) x[i] = uniform();
      ck_assert_int_eq(run(o, &p, row, x, w).kind, NS_SOLVED);
      for (int i = 0; i < m; i++) ck_assert_double_eq_tol(x[i], z[i], 1e-11);
    }
    o.ops->destroy(o.self);
    sparse_free(&s);
  }
}
END_TEST

/* What an object has done before does not show: same problem and guess, same bytes; with the factor
 * kept or made anew. */
START_TEST(history_leaves_no_trace)
{
  enum { n = 60 };
  static const int forms[] = {5, 12, 40, n};
  for (int t = 0; t < 8; t++) {
    int m = forms[t % 4], dense = t / 4;
    static double M[n * n], q[n], other[n], a[n], b[n], w[n], g[n];
    sparse s = chain_of(m, 2.1, -1);
    ns_blocks_dense(&s.A, M, m);
    for (int i = 0; i < m; i++) {
      q[i] = uniform();
      other[i] = uniform();
      g[i] = uniform();
    }
    ns_lcp p = {.n = m, .q = q, .stamp = 7};
    if (dense) p.dense = M, p.ld = m;
    else p.blocks = &s.A;
    object o = make("auto", m, dense ? NULL : &s.A, 1, NULL);
    memcpy(a, g, sizeof a);
    ns_outcome first = run(o, &p, NULL, a, w);
    ck_assert_int_eq(first.kind, NS_SOLVED);
    for (int k = 0; k < 6; k++) {
      ns_lcp between = p;
      between.q = other;
      between.stamp = k % 3 == 0 ? 0 : 7;
      memcpy(b, k % 2 ? a : g, sizeof b);
      run(o, &between, NULL, b, w);
      p.stamp = k % 2 ? 7 : 0;
      memcpy(b, g, sizeof b);
      ns_outcome again = run(o, &p, NULL, b, w);
      ck_assert_mem_eq(a, b, (size_t)m * sizeof *a);
      ck_assert_mem_eq(&first.residual, &again.residual, sizeof first.residual);
      memcpy(b, a, sizeof b); /* from the answer itself */
      ck_assert_int_eq(run(o, &p, NULL, b, w).iterations <= 1, 1);
      ck_assert_mem_eq(a, b, (size_t)m * sizeof *a);
    }
    o.ops->destroy(o.self);
    sparse_free(&s);
  }
}
END_TEST

/* A new stamp means a new matrix, even in the same memory. */
START_TEST(a_new_stamp_is_a_new_matrix)
{
  double M[] = {2, 1, 1, 2}, q[] = {-3, -3}, z[] = {0, 0}, w[2];
  ns_lcp p = dense_lcp(2, M, q);
  p.stamp = 1;
  object o = make("auto", 2, NULL, 1, NULL);
  ck_assert_int_eq(run(o, &p, NULL, z, w).kind, NS_SOLVED);
  ck_assert_double_eq_tol(z[0], 1, 1e-15);
  M[0] = M[3] = 5;
  p.stamp = 2;
  ck_assert_int_eq(run(o, &p, NULL, z, w).kind, NS_SOLVED);
  ck_assert_double_eq_tol(z[0], 0.5, 1e-15);
  o.ops->destroy(o.self);
}
END_TEST

/* Every contact of a chain of n twice: all supports that carry are singular. Solved all the same,
 * and an infeasible load on it is not. */
START_TEST(many_redundant_contacts_are_carried)
{
  enum { n = 600, N = 2 * n };
  static int ints[4 * N + 16 * N];
  static size_t off[16 * N];
  static double val[16 * N], q[N], z[N], w[N];
  for (int symmetric = 0; symmetric < 2; symmetric++) {
    ns_blocks A = {N, N, ints, ints + N, ints + 2 * N + 1, ints + 3 * N + 2, off, val};
    int k = 0;
    for (int i = 0; i < N; i++) {
      A.dim[i] = 1;
      A.first[i] = i;
      A.row[i] = k;
      for (int j = 0; j < N; j++) {
        if (abs(i / 2 - j / 2) > 1) continue;
        A.col[k] = j;
        off[k] = (size_t)k;
        val[k++] = i / 2 == j / 2 ? 2 : -1;
      }
    }
    A.row[N] = k;
    for (int i = 0; i < n; i++) q[2 * i] = q[2 * i + 1] = uniform() - 0.2;
    ns_lcp p = {.n = N, .blocks = &A, .q = q};
    for (int start = 0; start < 2; start++) {
      for (int i = 0; i < N; i++) z[i] = start;
      ns_outcome out = solve_once("auto", &p, symmetric, z, w);
      ck_assert_msg(out.kind == NS_SOLVED, "%s %g", ns_outcome_text(out.kind), out.residual);
      ck_assert_double_le(out.residual, 1e-10);
      out = solve_once("auto", &p, symmetric, z, w); /* its support is a basis: at once */
      ck_assert_int_eq(out.kind, NS_SOLVED);
      ck_assert_int_eq(out.iterations, 1);
    }
    for (int i = 0; i < N; i++) q[i] = i % 2 ? 1 : -1; /* two contacts, one body, contrary slacks */
    q[0] = 1;
    for (int i = 0; i < N; i++) z[i] = 0;
    ns_outcome out = solve_once("auto", &p, symmetric, z, w);
    for (int i = 0; i < N && out.kind == NS_SOLVED; i++) {
      ck_assert_double_ge(w[i], -1e-9 * 2);
      ck_assert_double_le(fmin(z[i], w[i]), 1e-9 * 2);
    }
  }
}
END_TEST

/* Many contacts on few bodies that move along one axis each: M of 0, 1 and -1, its rank a tenth of
 * the rows, solutions in plenty. Sweeps find one at once, all that factors meets singular matrices:
 * within a hundred sweeps or so, not hundreds of factors. */
START_TEST(degenerate_problems_are_solved_by_sweeps)
{
  enum { ROWS = 400, BODIES = 40 };
  static double M[ROWS * ROWS], z[ROWS], x[ROWS], w[ROWS], q[ROWS];
  for (int trial = 0; trial < 6; trial++) {
    int n = 150 + 50 * trial, bodies = n / 10;
    signed char A[ROWS][BODIES] = {{0}};
    for (int i = 0; i < n; i++) {
      A[i][(int)((uniform() + 1) / 2 * bodies)] = uniform() < 0 ? -1 : 1;
      z[i] = uniform() < -0.4 ? 1 + uniform() : 0;
      x[i] = 0;
      q[i] = z[i] > 0 || uniform() < 0.4 ? 0 : 1 + uniform();
    }
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        M[i + j * n] = 0;
        for (int k = 0; k < bodies; k++) M[i + j * n] += A[i][k] * A[j][k];
        q[i] -= M[i + j * n] * z[j];
      }
    ns_lcp p = dense_lcp(n, M, q);
    ns_outcome out = solve_once("auto", &p, 1, x, w);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    ck_assert_double_le(out.residual, 1e-10);
    ck_assert_str_eq(out.solver, "pgs");
    ck_assert_int_le(out.iterations, 400);
  }
}
END_TEST

/* Degenerate problems of low rank: rows of A are bodies along an axis, pairs of bodies, chains of
 * pairs, random directions, and M = A A^T, with a skew part at the end; a solution is planted, many
 * rows of which have z = w = 0. */
typedef enum structure { PAIRS, CHAIN, THIRD_OF_RANK, TENTH_OF_RANK, SKEW, STRUCTURES } structure;
enum { MAX = 400 };
static double degenerate_matrix[MAX * MAX], degenerate_q[MAX];

static int rank_of(structure kind, int n)
{
  static const int part[STRUCTURES] = {8, 2, 3, 10, 10};
  return n / part[kind];
}

static void directions(structure kind, int n, int rank, double (*A)[MAX])
{
  for (int i = 0; i < n; i++) {
    memset(A[i], 0, sizeof A[i]);
    int a = kind == CHAIN ? i / 2 : (int)((uniform() + 1) / 2 * rank);
    int b = kind == CHAIN ? a + 1 : (int)((uniform() + 1) / 2 * rank);
    if (kind <= CHAIN) {
      A[i][a] = 1;
      if (b != a && b < rank) A[i][b] -= 1;
    } else
      for (int k = 0; k < rank; k++) A[i][k] = uniform() + uniform() + uniform();
  }
}

static ns_lcp degenerate(structure kind, int n)
{
  static double A[MAX][MAX], z[MAX];
  double *M = degenerate_matrix, *q = degenerate_q;
  int rank = rank_of(kind, n);
  directions(kind, n, rank, A);
  for (int i = 0; i < n; i++) {
    z[i] = uniform() < -0.4 ? 1.5 + 0.5 * uniform() : 0;
    q[i] = z[i] > 0 || uniform() < 0.4 ? 0 : 1.5 + 0.5 * uniform();
  }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int k = 0; k < rank; k++) sum += A[i][k] * A[j][k];
      for (int k = 0; kind == SKEW && k < rank; k++)
        sum += 0.3 * (A[i][k] * A[j][(k + 1) % rank] - A[j][k] * A[i][(k + 1) % rank]);
      M[i + j * n] = sum;
      q[i] -= sum * z[j];
    }
  return dense_lcp(n, M, q);
}

/* What auto does on them is counted in sweeps and factorisations, of which it may take some, and
 * held against Gauss-Seidel alone. NSSIM_LONG: 40 seeds for 3; one in a hundred may take longer, as
 * sweeps may creep at a degenerate vertex. */
START_TEST(degenerate_problems_of_low_rank_cost_what_sweeps_cost)
{
  static double x[MAX], w[MAX];
  structure kind = (structure)_i;
  int seeds = getenv("NSSIM_LONG") ? 40 : 3, count = 0, slow = 0;
  for (int n = 150; n <= MAX; n += kind == CHAIN ? 50 : 125)
    for (int seed = 0; seed < seeds; seed++) {
      lcp_state = (uint64_t)(1000 * _i + n + 7 * seed);
      for (int k = 0; k < 10; k++) uniform();
      ns_lcp p = degenerate(kind, n);
      memset(x, 0, sizeof x);
      ns_outcome alone = solve_once("pgs", &p, kind != SKEW, x, w);
      memset(x, 0, sizeof x);
      ns_outcome out = solve_once("auto", &p, kind != SKEW, x, w);
      ck_assert_int_eq(alone.kind, NS_SOLVED);
      ck_assert_int_eq(out.kind, NS_SOLVED);
      ck_assert_double_le(out.residual, 1e-10);
      int longer = out.iterations > alone.iterations + alone.iterations / 5 + 5;
      if (longer)
        printf("%d of %d rows, seed %d: %d of %s, %d sweeps\n", _i, n, seed, out.iterations,
               out.solver, alone.iterations);
      slow += longer;
      count++;
    }
  ck_assert_int_le(slow, count / 100);
}
END_TEST

/* Definite matrices, well conditioned and full: a few sweeps show the support, one or two
 * factorisations end. */
START_TEST(definite_problems_cost_few_factors)
{
  static double x[MAX], w[MAX];
  for (int n = 40; n <= MAX; n += 90) {
    for (int j = 0; j < n; j++) {
      degenerate_q[j] = uniform();
      for (int i = 0; i < n; i++) degenerate_matrix[i + j * n] = i == j ? 1 : uniform() / sqrt(n);
    }
    ns_lcp p = dense_lcp(n, degenerate_matrix, degenerate_q);
    memset(x, 0, sizeof x);
    ns_outcome out = solve_once("auto", &p, 0, x, w);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    ck_assert_int_le(out.iterations, 12);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("lcp_large");
  TCase *t = tcase_create("lcp_large");
  tcase_set_timeout(t, getenv("NSSIM_LONG") ? 600 : 60);
  tcase_add_test(t, bead_columns_are_solved);
  tcase_add_test(t, columns_under_random_loads_are_solved);
  tcase_add_test(t, mixed_blocks_are_the_dense_problem);
  tcase_add_test(t, parts_of_a_structure_are_solved);
  tcase_add_test(t, history_leaves_no_trace);
  tcase_add_test(t, a_new_stamp_is_a_new_matrix);
  tcase_add_test(t, many_redundant_contacts_are_carried);
  tcase_add_test(t, degenerate_problems_are_solved_by_sweeps);
  tcase_add_loop_test(t, degenerate_problems_of_low_rank_cost_what_sweeps_cost, 0, STRUCTURES);
  tcase_add_test(t, definite_problems_cost_few_factors);
  suite_add_tcase(s, t);
  return suite_end(s);
}
