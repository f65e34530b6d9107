/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Global friction problems solved as they stand: against their reduction, with contacts left out,
 * redundant contacts. */
#include "problems/global_newton.h"

#include "problems/mechanical_tools.h"
#include "support/suite.h"

#include <check.h>

/* A chain of N masses in d directions; a contact under each of the first nc of them, once more
 * under the first `again`. */
enum { N = 40, D = 3, V = N * D, CONTACTS = 2 * N, ROWS = CONTACTS * D };

typedef struct world {
  ns_global g;
  ns_blocks M;
  int dim[V], first[V + 1], row[V + 1], col[3 * V], hrow[ROWS + 1], hcol[2 * ROWS], cdim[CONTACTS],
      cfirst[CONTACTS + 1];
  size_t off[3 * V];
  double val[3 * V], q[V], hval[2 * ROWS], b[ROWS], mu[CONTACTS], lb[ROWS], ub[ROWS];
  unsigned char kind[CONTACTS];
} world;

static world w;

static void fill_mass(int n, double stiffness)
{
  int at = 0;
  for (int i = 0; i < n; i++) {
    w.dim[i] = 1;
    w.first[i] = i;
    for (int j = i - D; j <= i + D; j += D) {
      if (j < 0 || j >= n) continue;
      w.col[at] = j;
      w.off[at] = (size_t)at;
      w.val[at++] = i == j ? 1 + 2 * stiffness : -stiffness;
    }
    w.row[i + 1] = at;
    w.q[i] = signedu();
  }
  w.first[n] = n;
  w.M = (ns_blocks){.nb = n,
                    .m = n,
                    .dim = w.dim,
                    .first = w.first,
                    .row = w.row,
                    .col = w.col,
                    .off = w.off,
                    .val = w.val};
}

/* Contact a under mass a mod N; each tenth is a box (unilateral, equality, relay by turns). Rows
 * mix two directions. */
static void fill_contacts(int d, int nc)
{
  int at = 0, m = 0;
  for (int a = 0; a < nc; a++) {
    int box = a % 10 == 7, what = a / 10 % 3;
    w.kind[a] = box ? NS_BLOCK_BOX : NS_BLOCK_FRICTION;
    w.cdim[a] = box ? 1 : d;
    w.cfirst[a] = m;
    w.mu[a] = box ? 0 : 0.1 + 0.6 * uniform();
    for (int i = 0; i < w.cdim[a]; i++, m++) {
      w.hrow[m] = at;
      w.lb[m] = what == 1 ? -INFINITY : what == 2 ? -0.1 : 0;
      w.ub[m] = what == 2 ? 0.1 : INFINITY;
      w.b[m] = a < N ? (i ? 1 : 0.5) * signedu() - (i == 0 && !box) * 0.3
                     : w.b[w.cfirst[a - N] + i];
      for (int k = 0; k < 2; k++, at++) {
        w.hcol[at] = (a % N) * D + (i + k) % D;
        w.hval[at] = k ? 0.3 : 1;
      }
    }
  }
  w.cfirst[nc] = m;
  w.hrow[m] = at;
  for (int a = N; a < nc; a++) w.mu[a] = w.mu[a - N];
  w.g = (ns_global){.M = &w.M,
                    .q = w.q,
                    .row = w.hrow,
                    .col = w.hcol,
                    .val = w.hval,
                    .b = w.b,
                    .nb = nc,
                    .m = m,
                    .dim = w.cdim,
                    .first = w.cfirst,
                    .kind = w.kind,
                    .mu = w.mu,
                    .lb = w.lb,
                    .ub = w.ub};
}

static double distance(const double *a, const double *b, int n)
{
  double d = 0;
  for (int i = 0; i < n; i++) d = fmax(d, fabs(a[i] - b[i]));
  return d;
}

START_TEST(it_is_the_solution_of_the_reduced_problem)
{
  static const double stiffness[] = {0, 1, 100};
  for (int k = 0; k < 60; k++) {
    ns_ctx c = {0};
    ns_global_newton *s;
    ns_global_solver *reduced;
    ns_mechanical_options opt = ns_mechanical_defaults();
    ns_outcome out, other;
    double r[ROWS] = {0}, u[ROWS], v[V], r1[ROWS] = {0}, u1[ROWS], v1[V], work[V];
    opt.tol = 1e-11;
    fill_mass(V, stiffness[k % 3]);
    fill_contacts(2 + k % 2, N);
    ck_assert_int_eq(ns_global_newton_create(&c, &w.g, &opt, &s), NS_OK);
    ck_assert_int_eq(ns_global_newton_solve(s, NULL, r, u, v, &out), NS_OK);
    ck_assert_msg(out.kind == NS_SOLVED && out.residual <= 1e-11, "problem %d: %s, %g", k,
                  ns_outcome_text(out.kind), out.residual);
    ck_assert_double_le(ns_global_residual(&w.g, v, r, u1, work), 1e-10);
    ck_assert_int_eq(ns_global_create(&c, &w.g, ns_mechanical_solver_find("auto"), &opt, &reduced),
                     NS_OK);
    ck_assert_int_eq(ns_global_solve(reduced, &c, r1, u1, v1, &other), NS_OK);
    ck_assert_double_le(distance(v, v1, V), 1e-8);
    /* M times what v may be off */
    ck_assert_double_le(distance(r, r1, w.g.m), 1e-8 * (1 + 4 * stiffness[k % 3]));
    ns_global_newton_destroy(s);
    ns_global_destroy(reduced);
  }
}
END_TEST

/* What takes no part has no impulse, and the rest is the problem without it; what was solved in
 * between leaves no trace. */
START_TEST(contacts_are_left_out)
{
  ns_ctx c = {0};
  ns_global_newton *s, *alone;
  ns_outcome out;
  unsigned char active[CONTACTS] = {0};
  double r[ROWS] = {0}, u[ROWS], v[V], again[ROWS] = {0}, v1[V], whole[ROWS] = {0}, v2[V];
  fill_mass(V, 10);
  fill_contacts(3, N);
  ns_global part = w.g;
  part.nb = N / 2;
  part.m = w.cfirst[part.nb];
  memset(active, 1, (size_t)part.nb);
  ck_assert_int_eq(ns_global_newton_create(&c, &w.g, NULL, &s), NS_OK);
  ck_assert_int_eq(ns_global_newton_create(&c, &part, NULL, &alone), NS_OK);
  ck_assert_int_eq(ns_global_newton_solve(s, active, r, u, v, &out), NS_OK);
  ck_assert_int_eq(out.kind, NS_SOLVED);
  for (int i = part.m; i < w.g.m; i++) ck_assert_double_eq(r[i], 0);
  ck_assert_int_eq(ns_global_newton_solve(alone, NULL, again, u, v1, &out), NS_OK);
  ck_assert_double_le(distance(v, v1, V), 1e-9);
  ck_assert_double_le(distance(r, again, part.m), 1e-9);
  ck_assert_int_eq(ns_global_newton_solve(s, NULL, whole, u, v2, &out), NS_OK);
  ck_assert_double_ge(distance(v, v2, V), 1e-3);
  memset(again, 0, sizeof again);
  ck_assert_int_eq(ns_global_newton_solve(s, active, again, u, v1, &out), NS_OK);
  ck_assert_mem_eq(again, r, (size_t)w.g.m * sizeof *r);
  ck_assert_mem_eq(v1, v, sizeof v);
  ns_global_newton_destroy(s);
  ns_global_newton_destroy(alone);
}
END_TEST

/* Each contact twice: the Jacobian is singular wherever one of them sticks. */
START_TEST(redundant_contacts)
{
  for (int k = 0; k < 40; k++) {
    ns_ctx c = {0};
    ns_global_newton *s;
    ns_outcome out;
    double r[ROWS] = {0}, u[ROWS], v[V], again[ROWS], work[V];
    fill_mass(V, k % 3);
    fill_contacts(2 + k % 2, CONTACTS);
    ck_assert_int_eq(ns_global_newton_create(&c, &w.g, NULL, &s), NS_OK);
    ck_assert_int_eq(ns_global_newton_solve(s, NULL, r, u, v, &out), NS_OK);
    ck_assert_msg(out.kind == NS_SOLVED, "problem %d: %s, %g, %d", k, ns_outcome_text(out.kind),
                  out.residual, out.iterations);
    ck_assert_double_le(ns_global_residual(&w.g, v, r, again, work), 1e-7);
    ns_global_newton_destroy(s);
  }
}
END_TEST

/* A NaN is told; a block that is too large is refused. */
START_TEST(what_is_no_problem)
{
  ns_ctx c = {0};
  ns_global_newton *s;
  ns_outcome out;
  double r[ROWS] = {0}, u[ROWS], v[V];
  fill_mass(V, 1);
  fill_contacts(2, N);
  w.b[3] = NAN;
  ck_assert_int_eq(ns_global_newton_create(&c, &w.g, NULL, &s), NS_OK);
  ck_assert_int_eq(ns_global_newton_solve(s, NULL, r, u, v, &out), NS_OK);
  ck_assert_int_eq(out.kind, NS_NOT_FINITE);
  ns_global_newton_destroy(s);
  w.cdim[2] = 4;
  ck_assert_int_eq(ns_global_newton_create(&c, &w.g, NULL, &s), NS_NUMERIC);
  ck_assert_ptr_null(s);
  ck_assert_ptr_nonnull(strstr(c.msg, "block 2 has 4 rows"));
}
END_TEST

/* Newton on the reduced problem, by sparse factors with scaled rows: quadratic, so that a few steps
 * are enough. */
START_TEST(newton_by_sparse_factors_is_quadratic)
{
  for (int k = 0; k < 12; k++) {
    ns_ctx c = {0};
    ns_global_solver *s;
    ns_outcome out;
    double r[ROWS] = {0}, u[ROWS], v[V];
    fill_mass(V, 0.3 * k);
    fill_contacts(3, N);
    ck_assert_int_eq(ns_global_create(&c, &w.g, ns_mechanical_solver_find("newton"), NULL, &s),
                     NS_OK);
    ck_assert_int_ge(ns_global_reduced(s)->W->m, 100);
    ck_assert_int_eq(ns_global_solve(s, &c, r, u, v, &out), NS_OK);
    ck_assert_msg(out.kind == NS_SOLVED && out.iterations <= 8, "%d: %g after %d steps", k,
                  out.residual, out.iterations);
    ns_global_destroy(s);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, newton_by_sparse_factors_is_quadratic);
  tcase_add_test(t, it_is_the_solution_of_the_reduced_problem);
  tcase_add_test(t, contacts_are_left_out);
  tcase_add_test(t, redundant_contacts);
  tcase_add_test(t, what_is_no_problem);
}

int main(void) { return suite_run("global_newton", fill); }
