/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many contacts on threads, parts of a capacity, and the corners: nothing to solve, no friction, no
 * rank, odd scales. */
#include "problems/mechanical_tools.h"
#include "support/suite.h"

#include <check.h>

static double *zeros(int n) { return calloc((size_t)n + 1, sizeof(double)); }

/* r, and what came of it. */
static ns_outcome run(const char *name, const ns_mechanical *p, const ns_mechanical_options *opt,
                      double *r)
{
  const ns_mechanical_solver_ops *ops = ns_mechanical_solver_find(name);
  ns_ctx c = {0};
  void *s;
  ns_outcome out;
  ns_mechanical_capacity cap = {.structure = p->W, .kind = p->kind};
  double *u = zeros(p->W->m);
  ck_assert_msg(ops->create(&c, &cap, opt, &s) == NS_OK, "%s", c.msg);
  ck_assert_int_eq(ops->solve(s, &c, p, NULL, r, u, &out), NS_OK);
  ck_assert(ns_mechanical_residual(p, r, u, NULL) == out.residual);
  ops->destroy(s);
  free(u);
  return out;
}

START_TEST(threads_make_the_same_bytes)
{
  for (int d = 2; d <= 3; d++) {
    made m = chain(d, 2000, 3);
    m.p.W = &m.W;
    double *first = zeros(m.W.m);
    for (int threads = 1; threads <= 4; threads++) {
      ns_mechanical_options opt = {.tol = 1e-10, .threads = threads};
      double *r = zeros(m.W.m);
      ns_outcome out = run("nsgs", &m.p, &opt, r);
      ck_assert_int_eq(out.kind, NS_SOLVED);
      if (threads == 1) memcpy(first, r, (size_t)m.W.m * sizeof *r);
      ck_assert(!memcmp(first, r, (size_t)m.W.m * sizeof *r));
      free(r);
    }
    free(first);
    make_free(&m);
  }
}
END_TEST

/* W is strictly diagonally dominant and mu small: one solution, which all colours and orders find.
 */
START_TEST(solvers_agree)
{
  made m = chain(2, 60, 3);
  m.p.W = &m.W;
  for (int a = 0; a < 60; a++) m.mu[a] = 0.1;
  double *want = zeros(120);
  ns_mechanical_options opt = {.tol = 1e-11, .threads = 1};
  ck_assert_int_eq(run("pivot", &m.p, &opt, want).kind, NS_SOLVED);
  for (int k = 0; ns_mechanical_solvers[k]; k++) {
    double *r = zeros(120);
    ns_outcome out = run(ns_mechanical_solvers[k]->name, &m.p, &opt, r);
    ck_assert_msg(out.kind == NS_SOLVED, "%s: %s, %g", ns_mechanical_solvers[k]->name,
                  ns_outcome_text(out.kind), out.residual);
    for (int i = 0; i < 120; i++) ck_assert_double_eq_tol(r[i], want[i], 1e-9);
    free(r);
  }
  free(want);
  make_free(&m);
}
END_TEST

/* Blocks 1, 3, 4, ... of the capacity: as a problem of its own capacity. */
START_TEST(parts_of_a_capacity)
{
  made whole = chain(3, 900, 3), part = chain(3, 700, 3);
  int *block = calloc(700, sizeof *block);
  for (int a = 0; a < 700; a++) block[a] = a + 1; /* a chain again */
  part.p.W = &part.W;
  ns_ctx c = {0};
  static const char *const names[] = {"auto",     "nsgs", "newton",       "regular",
                                      "proximal", "admm", "extragradient"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    const ns_mechanical_solver_ops *ops = ns_mechanical_solver_find(names[k]);
    ns_mechanical_capacity cap = {.structure = &whole.W};
    void *s;
    ns_outcome out;
    double *r = zeros(part.W.m), *u = zeros(part.W.m);
    ck_assert_int_eq(ops->create(&c, &cap, NULL, &s), NS_OK);
    ck_assert_int_eq(ops->solve(s, &c, &part.p, block, r, u, &out), NS_OK);
    ck_assert_msg(out.kind == NS_SOLVED && ns_mechanical_residual(&part.p, r, u, NULL) <= 1e-8,
                  "%s: %s, %g", names[k], ns_outcome_text(out.kind), out.residual);
    ops->destroy(s);
    free(r), free(u);
  }
  free(block);
  make_free(&whole), make_free(&part);
}
END_TEST

static void each(const ns_mechanical *p, const char *what)
{
  for (int k = 0; ns_mechanical_solvers[k]; k++) {
    double *r = zeros(p->W->m);
    if (strcmp(ns_mechanical_solvers[k]->name, "pivot") || !p->W->nb || p->W->dim[0] == 2) {
      ns_outcome out = run(ns_mechanical_solvers[k]->name, p, NULL, r);
      ck_assert_msg(out.kind == NS_SOLVED, "%s, %s: %s, %g", what, ns_mechanical_solvers[k]->name,
                    ns_outcome_text(out.kind), out.residual);
    }
    free(r);
  }
}

START_TEST(corners)
{
  made empty = chain(3, 0, 1);
  empty.p.W = &empty.W;
  each(&empty.p, "no contact");
  make_free(&empty);
  for (int d = 2; d <= 3; d++) {
    made m = chain(d, 8, 3);
    m.p.W = &m.W;
    memset(m.mu, 0, 8 * sizeof *m.mu);
    each(&m.p, "mu = 0");
    memset(m.q, 0, (size_t)m.W.m * sizeof *m.q);
    each(&m.p, "q = 0");
    make_free(&m);
  }
}
END_TEST

/* The problem in other units of mass and time: W by a, q by b. */
START_TEST(scales)
{
  static const double by[][2] = {{1e-9, 1}, {1e9, 1},    {1, 1e-7},
                                 {1, 1e7},  {1e6, 1e-6}, {1e-6, 1e6}};
  for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
    made m = chain(3, 12, 3);
    m.p.W = &m.W;
    for (size_t i = 0; i < (size_t)m.W.row[12] * 9; i++) m.W.val[i] *= by[k][0];
    for (int i = 0; i < m.W.m; i++) m.q[i] *= by[k][1];
    double *r = zeros(m.W.m);
    ns_outcome out = run("auto", &m.p, NULL, r);
    ck_assert_msg(out.kind == NS_SOLVED, "W by %g, q by %g: %s, %g", by[k][0], by[k][1],
                  ns_outcome_text(out.kind), out.residual);
    free(r);
    make_free(&m);
  }
}
END_TEST

/* Each contact twice: W = [A A; A A]. A solution of one shared by two is one; auto finds some, also
 * where W is not quite symmetric, as rounding makes it. */
START_TEST(every_contact_twice)
{
  for (int n = 0; n < 12; n++) {
    int d = 2 + n % 2, nb = 4 + n, both = 2 * nb;
    made one = make(d, nb, nb + 1), two = make(d, both, 1);
    size_t dd = (size_t)(d * d);
    memset(two.W.val, 0, (size_t)(both * both) * dd * sizeof(double));
    for (int a = 0; a < both; a++) {
      two.W.row[a + 1] = (a + 1) * both;
      two.mu[a] = one.mu[a % nb];
      for (int i = 0; i < d; i++) two.q[a * d + i] = one.q[(a % nb) * d + i];
      for (int b = 0; b < both; b++) {
        const double *B = ns_blocks_at(&one.W, a % nb, b % nb);
        size_t at = (size_t)(a * both + b);
        two.W.col[at] = b;
        two.W.off[at] = at * dd;
        for (size_t e = 0; e < dd && B; e++)
          two.W.val[at * dd + e] = B[e] * (n < 6 ? 1 : 1 + 1e-9 * signedu());
      }
    }
    two.p = (ns_mechanical){.W = &two.W, .q = two.q, .mu = two.mu};
    double *r = zeros(two.W.m);
    ns_outcome out = run("auto", &two.p, NULL, r);
    ck_assert_msg(out.kind == NS_SOLVED, "problem %d: %s, %g", n, ns_outcome_text(out.kind),
                  out.residual);
    free(r);
    make_free(&one), make_free(&two);
  }
}
END_TEST

/* Certified problems with several contacts to a body, far more rows than the bodies have freedoms:
 * auto solves all, among them three that each of its parts leaves at 1e-8 to 4e-7 when it starts
 * from r = 0. */
START_TEST(many_redundant_contacts)
{
  static const struct {
    int contacts, bodies, count;
    uint64_t seed; /* 0: go on */
  } row[] = {{24, 5, 1, 12439694406385073586u},
             {24, 5, 1, 4224055398812371975u},
             {24, 6, 1, 2181456543620391074u},
             {24, 5, 20, 0},
             {30, 10, 20, 0},
             {40, 6, 5, 0}};
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    if (row[k].seed) seed = row[k].seed;
    for (int n = 0; n < row[k].count; n++) {
      made m = make(3, row[k].contacts, row[k].bodies);
      m.p.W = &m.W;
      double *r = zeros(m.W.m);
      ns_outcome out = run("auto", &m.p, NULL, r);
      ck_assert_msg(out.kind == NS_SOLVED && out.residual <= 1e-8,
                    "%d contacts, %d bodies, problem %d: %s, %g", row[k].contacts, row[k].bodies, n,
                    ns_outcome_text(out.kind), out.residual);
      free(r);
      make_free(&m);
    }
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_test(t, threads_make_the_same_bytes);
  tcase_add_test(t, solvers_agree);
  tcase_add_test(t, parts_of_a_capacity);
  tcase_add_test(t, corners);
  tcase_add_test(t, scales);
  tcase_add_test(t, every_contact_twice);
  tcase_add_test(t, many_redundant_contacts);
}

int main(void) { return suite_run("mechanical_large", fill); }
