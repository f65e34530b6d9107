/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interior points: every law, whatever the rank of W, and to the end that Gauss-Seidel has where
 * there is one alone. NSSIM_LONG: ten times as many. */
#include "problems/mechanical_tools.h"
#include "support/suite.h"

#include <check.h>

static int many(int n) { return getenv("NSSIM_LONG") ? 10 * n : n; }

static ns_outcome run(const char *name, const ns_mechanical *p, double tol, double *r)
{
  const ns_mechanical_solver_ops *ops = ns_mechanical_solver_find(name);
  ns_mechanical_capacity cap = {.structure = p->W, .kind = p->kind};
  ns_mechanical_options opt = ns_mechanical_defaults();
  double *u = calloc((size_t)p->W->m + 1, sizeof *u);
  ns_outcome out;
  ns_ctx c = {0};
  void *s;
  opt.tol = tol;
  ck_assert_int_eq(ops->create(&c, &cap, &opt, &s), NS_OK);
  ck_assert_int_eq(ops->solve(s, &c, p, NULL, r, u, &out), NS_OK);
  ck_assert(ns_mechanical_residual(p, r, u, NULL) == out.residual);
  ops->destroy(s);
  free(u);
  return out;
}

/* Contacts in the plane (d = 2) and in space, with a solution that is known; few bodies: W of
 * deficient rank, where the cascade may have to go on. */
START_TEST(planted_contacts)
{
  static const struct {
    int d, contacts, bodies;
    const char *solver;
  } row[] = {{2, 20, 30, "interior"}, {2, 40, 4, "auto"}, {2, 90, 12, "auto"},
             {3, 20, 30, "interior"}, {3, 30, 4, "auto"}, {3, 60, 10, "auto"}};
  int n = many(10), missed = 0;
  seed = 1234567 + (uint64_t)_i;
  for (int k = 0; k < n; k++) {
    made m = make(row[_i].d, row[_i].contacts, row[_i].bodies);
    m.p.W = &m.W;
    double *r = calloc((size_t)m.W.m, sizeof *r);
    ns_outcome out = run(row[_i].solver, &m.p, 1e-8, r);
    missed += out.kind != NS_SOLVED;
    free(r);
    make_free(&m);
  }
  ck_assert_msg(missed == 0, "%d of %d problems were not solved", missed, n);
}
END_TEST

/* Contacts with friction and without, normals alone, equalities, relays, bounds from above, bounds
 * that are one. */
static void choose_laws(made *m, unsigned char *kind, double *lb, double *ub)
{
  for (int a = 0; a < m->W.nb; a++) {
    int at = m->W.first[a];
    kind[a] = uniform() < 0.5 ? NS_BLOCK_FRICTION : NS_BLOCK_BOX;
    if (uniform() < 0.2) m->mu[a] = 0;
    for (int i = at; i < at + m->W.dim[a]; i++) {
      static const double bound[][2] = {{0, INFINITY},    {-INFINITY, INFINITY}, {-1, 1},
                                        {-INFINITY, 0.5}, {0.25, 0.25},          {-3, 0.1}};
      int which = (int)(6 * uniform());
      lb[i] = bound[which][0];
      ub[i] = bound[which][1];
    }
  }
  m->p.kind = kind;
  m->p.lb = lb;
  m->p.ub = ub;
}

/* W is strictly diagonally dominant and mu small: one solution. */
START_TEST(laws_by_chance)
{
  enum { BLOCKS = 25 };
  seed = 777 + (uint64_t)_i;
  for (int k = 0; k < many(20); k++) {
    int d = 2 + k % 2;
    unsigned char kind[BLOCKS];
    double lb[3 * BLOCKS], ub[3 * BLOCKS], r[3 * BLOCKS] = {0}, want[3 * BLOCKS] = {0};
    made m = chain(d, BLOCKS, 3);
    m.p.W = &m.W;
    for (int a = 0; a < BLOCKS; a++) m.mu[a] = 0.1;
    for (int i = 0; i < m.W.m; i++) m.q[i] += signedu();
    choose_laws(&m, kind, lb, ub);
    ns_outcome out = run("interior", &m.p, 1e-10, r), other = run("nsgs", &m.p, 1e-10, want);
    ck_assert_msg(out.kind == NS_SOLVED && other.kind == NS_SOLVED, "%d: %g, %g", k, out.residual,
                  other.residual);
    for (int i = 0; i < m.W.m; i++) ck_assert_double_eq_tol(r[i], want[i], 1e-8);
    make_free(&m);
  }
}
END_TEST

START_TEST(rolling_contacts)
{
  enum { BLOCKS = 25 };
  for (int d = 3; d <= 5; d += 2)
    for (int k = 0; k < many(10); k++) {
      unsigned char kind[BLOCKS];
      double mu_rolling[BLOCKS], r[5 * BLOCKS] = {0}, want[5 * BLOCKS] = {0};
      made m = chain(d, BLOCKS, 3);
      m.p.W = &m.W;
      roll(&m, kind, mu_rolling);
      for (int a = 0; a < BLOCKS; a++) {
        m.mu[a] = uniform() < 0.2 ? 0 : 0.1;
        mu_rolling[a] = uniform() < 0.2 ? 0 : 0.05;
      }
      for (int i = 0; i < m.W.m; i++) m.q[i] += signedu();
      ns_outcome out = run("interior", &m.p, 1e-10, r), other = run("nsgs", &m.p, 1e-10, want);
      ck_assert_msg(out.kind == NS_SOLVED && other.kind == NS_SOLVED, "%d, %d: %g, %g", d, k,
                    out.residual, other.residual);
      for (int i = 0; i < m.W.m; i++) ck_assert_double_eq_tol(r[i], want[i], 1e-8);
      make_free(&m);
    }
}
END_TEST

/* Other units of mass and time. */
START_TEST(units_do_not_matter)
{
  static const double by[][2] = {{1e-9, 1}, {1e9, 1},    {1, 1e-7},
                                 {1, 1e7},  {1e6, 1e-6}, {1e-6, 1e6}};
  for (int k = 0; k < 6; k++) {
    made m = chain(3, 12, 3);
    double r[36] = {0};
    m.p.W = &m.W;
    for (size_t i = 0; i < (size_t)m.W.row[12] * 9; i++) m.W.val[i] *= by[k][0];
    for (int i = 0; i < m.W.m; i++) m.q[i] *= by[k][1];
    ns_outcome out = run("interior", &m.p, 1e-8, r);
    ck_assert_msg(out.kind == NS_SOLVED, "W by %g, q by %g: %g", by[k][0], by[k][1], out.residual);
    make_free(&m);
  }
}
END_TEST

/* A contact of bodies that nothing moves, beside others: it carries nothing, and hinders nobody. */
START_TEST(contacts_that_nothing_moves)
{
  static const char *const solver[] = {"auto", "nsgs", "regular", "interior"};
  for (int d = 2; d <= 3; d++)
    for (int k = 0; k < 4; k++) {
      enum { STILL = 4 };
      made m = chain(d, 9, 3);
      double r[27] = {0};
      m.p.W = &m.W;
      for (int a = 0; a < 9; a++)
        for (int e = m.W.row[a]; e < m.W.row[a + 1]; e++)
          if (a == STILL || m.W.col[e] == STILL)
            memset(m.W.val + m.W.off[e], 0, (size_t)(d * d) * sizeof(double));
      for (int i = 0; i < d; i++) m.q[STILL * d + i] = i == 1 ? 6 : 0;
      ns_outcome out = run(solver[k], &m.p, 1e-8, r);
      ck_assert_msg(out.kind == NS_SOLVED, "%s, %d rows: %g", solver[k], d, out.residual);
      for (int i = 0; i < d; i++) ck_assert_double_eq_tol(r[STILL * d + i], 0, 1e-7);
      make_free(&m);
    }
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, planted_contacts, 0, 6);
  tcase_add_loop_test(t, laws_by_chance, 0, 2);
  tcase_add_test(t, rolling_contacts);
  tcase_add_test(t, contacts_that_nothing_moves);
  tcase_add_test(t, units_do_not_matter);
}

int main(void) { return suite_run("central path", fill); }
