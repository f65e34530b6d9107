/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction: problems of one contact against closed forms, random certified problems by every
 * solver. */
#include "problems/mechanical_tools.h"
#include "problems/mechanical_work.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct one {
  double W[9], q[3], mu, r[3];
} one;

static const one cases[] = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 2, -1}, 0.5, {0, 0, 0}},
                            {{2, 0, 0, 0, 1, 0, 0, 0, 1}, {-2, 0.3, -0.2}, 0.5, {1, -0.3, 0.2}},
                            {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1, 1, 0}, 0.5, {1, -0.5, 0}},
                            {{1, 0, 0, 0, 2, 0, 0, 0, 2}, {-1, 3, 4}, 0.5, {1, -0.3, -0.4}},
                            {{15, -1, -2, -1, 14, 1, -2, 1, 16},
                             {-1, 2, 3},
                             0.1,
                             {0.06569568289773832, -0.003678614906806759, -0.005443070813559287}}};

static void same(const double *r, const double *want, const char *by)
{
  for (int i = 0; i < 3; i++)
    ck_assert_msg(fabs(r[i] - want[i]) <= 1e-12 * fmax(1, fabs(want[0])),
                  "%s: r[%d] = %.17g, want %.17g", by, i, r[i], want[i]);
}

START_TEST(one_contact_in_closed_form)
{
  const one *t = &cases[_i];
  ns_contact k;
  double r[3] = {0};
  ck_assert_int_eq(ns_contact_prepare(3, t->W, t->mu, &k), 0);
  ns_contact_solve_space(&k, t->q, r);
  same(r, t->r, "cases");
  for (int kind = 0; kind < 2; kind++) {
    double s[3] = {1, 0, 0};
    ns_contact_newton(3, &k, kind, t->q, s, 60);
    same(s, t->r, kind ? "Jean-Moreau" : "Alart-Curnier");
  }
  double s[3] = {0};
  ns_contact_projection(3, &k, t->q, s, 20000, 1e-15);
  same(s, t->r, "projection");
  ck_assert(ns_contact_quartic(&k, t->q, s));
  same(s, t->r, "quartic");
}
END_TEST

START_TEST(random_contacts_are_solved)
{
  for (int n = 0; n < 5000; n++) {
    double G[9], W[9] = {0}, q[3], r[3] = {0}, u[3], s[3] = {0};
    for (int i = 0; i < 9; i++) G[i] = signedu();
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        for (int l = 0; l < 3; l++) W[i + 3 * j] += G[i + 3 * l] * G[j + 3 * l];
    for (int i = 0; i < 3; i++) W[4 * i] += 0.05;
    for (int i = 0; i < 3; i++) q[i] = signedu();
    q[0] = -fabs(q[0]);
    ns_contact k;
    ck_assert_int_eq(ns_contact_prepare(3, W, 0.05 + 1.15 * uniform(), &k), 0);
    double e = ns_contact_solve_space(&k, q, r);
    ck_assert_msg(e <= 1e-12, "problem %d: defect %g", n, e);
    for (int i = 0; i < 3; i++) u[i] = q[i] + W[i] * r[0] + W[i + 3] * r[1] + W[i + 6] * r[2];
    ck_assert(ns_contact_defect(3, k.mu, u, r) <= 1e-22 * (1 + r[0] * r[0]));
    if (r[0] > 0 && hypot(r[1], r[2]) > k.mu * r[0] * (1 - 1e-9) && ns_contact_quartic(&k, q, s))
      for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(r[i], s[i], 1e-6 * (1 + r[0]));
  }
}
END_TEST

/* A random problem of one contact, W symmetric and positive definite; its mu. */
static double random_contact(int d, double *W, double *q)
{
  double G[9];
  int dd = d * d;
  memset(W, 0, (size_t)dd * sizeof *W);
  for (int i = 0; i < dd; i++) G[i] = signedu();
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++)
      for (int l = 0; l < d; l++) W[i + d * j] += G[i + d * l] * G[j + d * l];
  for (int i = 0; i < d; i++) {
    W[i + d * i] += 0.05;
    q[i] = signedu();
  }
  return 0.05 + 1.15 * uniform();
}

/* Each method of one contact: what it brings is no worse than the guess, and good to rounding in at
 * least so many of 5000; the quartic finds by itself what the secular equation of the exact cases
 * does. */
START_TEST(named_solvers_of_one_contact)
{
  static const struct {
    const char *name;
    int min[2]; /* plane, space */
  } row[] = {{"quartic", {5000, 5000}},
             {"alart-curnier", {4970, 4980}},
             {"jean-moreau", {4950, 4960}},
             {"projection", {4985, 4980}}};
  const ns_contact_solver *by = ns_contact_solver_find(row[_i].name);
  for (int d = 2; d <= 3; d++) {
    int good = 0;
    for (int n = 0; n < 5000; n++) {
      double W[9], q[3], r[3] = {0}, mu = random_contact(d, W, q);
      ns_contact k;
      ck_assert_int_eq(ns_contact_prepare(d, W, mu, &k), 0);
      double before = ns_contact_worth(d, &k, q, r);
      ns_contact_solve_by(by, d, &k, q, r);
      double e = ns_contact_worth(d, &k, q, r);
      ck_assert_msg(e <= before, "%s: problem %d: %g from %g", by->name, n, e, before);
      good += e <= 1e-11;
      if (d == 3 && _i == 0) {
        double s[3] = {0};
        ck_assert_msg(ns_contact_quartic(&k, q, s) && ns_contact_worth(3, &k, q, s) <= 1e-11,
                      "problem %d", n);
      }
    }
    ck_assert_msg(good >= row[_i].min[d - 2], "%s, %d rows: %d of 5000", by->name, d, good);
  }
}
END_TEST

/* The cone of mu = 0 is a ray: what pulls is not in it, however small the rows of slip. */
START_TEST(without_friction_nothing_pulls)
{
  static const double zero[3];
  for (int d = 2; d <= 3; d++)
    for (double mu = 0; mu <= 0.5; mu += 0.5) {
      double r[3] = {-1e-3, 0, 0};
      ck_assert_double_eq_tol(ns_contact_defect(d, mu, zero, r), 1e-6, 1e-18);
      ns_contact_project(d, mu, r);
      ck_assert(r[0] == 0 && r[1] == 0 && r[2] == 0);
    }
}
END_TEST

/* A force in a polygon of pairs of opposite faces, beside a contact:
 *
 *   u_0 = w r_0 - N mu + q,   u_1 = N^T r_0 + k,   0 <= mu _|_ u_1 >= 0
 *
 * N has +n and -n of each pair. */
enum { PAIRS = 3, FACES = 2 * PAIRS, LAST = 2 + FACES, ROWS = LAST + 2, BLOCKS = 2 + FACES };

typedef struct polygon {
  double full[ROWS][ROWS], q[ROWS], val[ROWS * ROWS], lb[ROWS], ub[ROWS], mu[BLOCKS];
  int dim[BLOCKS], first[BLOCKS + 1], row[BLOCKS + 1], col[BLOCKS * BLOCKS];
  size_t off[BLOCKS * BLOCKS];
  unsigned char kind[BLOCKS];
  ns_blocks W;
  ns_mechanical p;
} polygon;

/* From `full`. */
static void finish(polygon *g)
{
  size_t at = 0;
  for (int a = 0; a < BLOCKS; a++) {
    g->dim[a] = a == 0 || a == BLOCKS - 1 ? 2 : 1;
    g->first[a + 1] = g->first[a] + g->dim[a];
    g->kind[a] = a == BLOCKS - 1 ? NS_BLOCK_FRICTION : NS_BLOCK_BOX;
    g->mu[a] = 0.3;
  }
  for (int i = 0; i < ROWS; i++) {
    g->lb[i] = i < 2 ? -INFINITY : 0;
    g->ub[i] = INFINITY;
  }
  for (int a = 0; a < BLOCKS; a++) {
    g->row[a] = a * BLOCKS;
    for (int b = 0; b < BLOCKS; b++) {
      g->col[a * BLOCKS + b] = b;
      g->off[a * BLOCKS + b] = at;
      for (int j = 0; j < g->dim[b]; j++)
        for (int i = 0; i < g->dim[a]; i++)
          g->val[at++] = g->full[g->first[a] + i][g->first[b] + j];
    }
  }
  g->row[BLOCKS] = BLOCKS * BLOCKS;
  g->W = (ns_blocks){.nb = BLOCKS,
                     .m = ROWS,
                     .dim = g->dim,
                     .first = g->first,
                     .row = g->row,
                     .col = g->col,
                     .off = g->off,
                     .val = g->val};
  g->p = (ns_mechanical){
      .W = &g->W, .q = g->q, .kind = g->kind, .mu = g->mu, .lb = g->lb, .ub = g->ub};
}

static void random_faces(polygon *g, double size)
{
  for (int k = 0; k < FACES; k++)
    for (int i = 0; i < 2; i++) {
      g->full[2 + k][i] = k % 2 ? -g->full[1 + k][i] : size * signedu();
      g->full[i][2 + k] = -g->full[2 + k][i];
    }
}

/* Equal multipliers of the two faces of a pair have no effect, however large. At most one face of a
 * pair is reached: such multipliers are no solution. */
START_TEST(multipliers_without_effect_hide_no_violated_bound)
{
  seed = 88172645463325252u;
  for (int n = 0; n < 500; n++) {
    polygon g = {0};
    double r[ROWS] = {0}, u[ROWS];
    for (int i = 0; i < 2; i++) {
      g.full[i][i] = g.full[LAST + i][LAST + i] = 0.5 + uniform();
      r[i] = 0.5 * signedu();
    }
    random_faces(&g, 1);
    finish(&g);
    for (int i = 0; i < ROWS; i++) { /* the motion stands, no face is reached, the contact opens */
      g.q[i] = i < 2 ? 0 : 1 + uniform();
      for (int j = 0; j < ROWS; j++) g.q[i] -= i < 2 ? g.full[i][j] * r[j] : 0;
    }
    double e = ns_mechanical_residual(&g.p, r, u, NULL);
    ck_assert_msg(e <= 1e-15, "problem %d: residual %g of the solution", n, e);
    int pair = (int)(PAIRS * uniform());
    r[2 + 2 * pair] = r[3 + 2 * pair] = pow(10, 2 + 13 * uniform());
    e = ns_mechanical_residual(&g.p, r, u, NULL);
    ck_assert_msg(e > 1e-2, "problem %d: residual %g with multipliers of %g", n, e,
                  r[2 + 2 * pair]);
  }
}
END_TEST

/* One mass whose contact strikes, rebounds or slides under a force in a polygon around 0. There is
 * a solution, as W is positive semidefinite and no impulses contradict it. */
START_TEST(polygons_beside_a_contact_that_strikes_are_solved)
{
  seed = 88172645463325252u;
  for (int n = 0; n < 400; n++) {
    polygon g = {0};
    ns_ctx c = {0};
    ns_outcome out;
    void *self;
    double r[ROWS] = {0}, u[ROWS], w = 0.5 + uniform(), size = pow(10, 4 * uniform() - 1);
    for (int i = 0; i < 2; i++) {
      g.full[i][i] = g.full[LAST + 1 - i][LAST + 1 - i] = w; /* the normal is along 1 */
      g.full[i][LAST + 1 - i] = g.full[LAST + 1 - i][i] = w;
    }
    random_faces(&g, size);
    g.q[0] = g.q[LAST + 1] = signedu();
    g.q[1] = -uniform();
    g.q[LAST] = (1.5 + 0.5 * uniform()) * g.q[1];
    for (int k = 0; k < FACES; k++) g.q[2 + k] = 1e-4 * size * (0.5 + uniform());
    finish(&g);
    ns_mechanical_capacity cap = {.structure = &g.W, .kind = g.kind};
    const ns_mechanical_solver_ops *a = ns_mechanical_solver_find("auto");
    ck_assert_int_eq(a->create(&c, &cap, NULL, &self), NS_OK);
    ck_assert_int_eq(a->solve(self, &c, &g.p, NULL, r, u, &out), NS_OK);
    a->destroy(self);
    ck_assert_msg(out.kind == NS_SOLVED, "problem %d: kind %d, residual %g", n, (int)out.kind,
                  out.residual);
  }
}
END_TEST

START_TEST(random_contacts_in_the_plane)
{
  for (int n = 0; n < 5000; n++) {
    double a = signedu(), b = signedu(), c = signedu(), e = signedu();
    double W[4] = {a * a + b * b + 0.05, a * c + b * e, a * c + b * e, c * c + e * e + 0.05};
    double q[2] = {-uniform(), signedu()}, r[2] = {0};
    ns_contact k;
    ck_assert_int_eq(ns_contact_prepare(2, W, uniform(), &k), 0);
    double f = ns_contact_solve_plane(&k, q, r);
    ck_assert_msg(f <= 1e-13, "problem %d: defect %g", n, f);
  }
}
END_TEST

START_TEST(certified_problems)
{
  const ns_mechanical_solver_ops *ops = ns_mechanical_solvers[_i];
  ns_ctx c = {0};
  int solved = 0;
  for (int n = 0; n < 60; n++) {
    int pivot = !strcmp(ops->name, "pivot"), d = pivot ? 2 : 2 + n % 2, nc = 1 + n;
    made m = make(d, nc, nc + 1);
    m.p.W = &m.W;
    size_t rows = (size_t)(d * nc);
    double *r = calloc(rows, sizeof *r), *u = calloc(rows, sizeof *u);
    ck_assert_double_le(ns_mechanical_residual(&m.p, m.r, u, NULL), 1e-14); /* the certificate */
    ns_mechanical_capacity cap = {.structure = &m.W, .symmetric = 1};
    void *s;
    ns_outcome out;
    ck_assert_int_eq(ops->create(&c, &cap, NULL, &s), NS_OK);
    ck_assert_int_eq(ops->solve(s, &c, &m.p, NULL, r, u, &out), NS_OK);
    double e = ns_mechanical_residual(&m.p, r, u, NULL);
    ck_assert_msg(e == out.residual && (out.kind != NS_SOLVED || e <= 1e-8), "%s claims %g, is %g",
                  ops->name, out.residual, e);
    ck_assert_msg(out.kind == NS_SOLVED || strcmp(ops->name, "auto"),
                  "problem %d: %s, residual %g after %d", n, ns_outcome_text(out.kind), e,
                  out.iterations);
    solved += out.kind == NS_SOLVED;
    ops->destroy(s);
    make_free(&m);
    free(r), free(u);
  }
  ck_assert_msg(solved >= 45, "%s solves %d of 60", ops->name, solved);
}
END_TEST

static int iterations_of(const char *name, const made *m)
{
  const ns_mechanical_solver_ops *ops = ns_mechanical_solver_find(name);
  ns_ctx c = {0};
  ns_mechanical_capacity cap = {.structure = &m->W, .symmetric = 1};
  ns_outcome out;
  void *s;
  double *r = calloc((size_t)m->W.m, sizeof *r), *u = calloc((size_t)m->W.m, sizeof *u);
  ck_assert_int_eq(ops->create(&c, &cap, NULL, &s), NS_OK);
  ck_assert_int_eq(ops->solve(s, &c, &m->p, NULL, r, u, &out), NS_OK);
  ck_assert_msg(out.kind == NS_SOLVED && out.residual <= 1e-8, "%s: %s, %g", name,
                ns_outcome_text(out.kind), out.residual);
  ops->destroy(s);
  free(r), free(u);
  return out.iterations;
}

/* Contacts that part, but for one that comes near by 1e-6 m/s: r = 0 as it is where few digits are
 * wanted; else that impulse. */
START_TEST(few_digits_take_what_suffices)
{
  seed = 88172645463325252u;
  for (int n = 0; n < 40; n++) {
    int d = 2 + n % 2;
    made m = make(d, 2 + n % 7, 12);
    int near = n % m.W.nb;
    for (int a = 0; a < m.W.nb; a++) {
      for (int i = 1; i < d; i++) m.q[m.W.first[a] + i] = 0;
      m.q[m.W.first[a]] = a == near ? -1e-6 : 1;
    }
    for (int digits = 4; digits <= 8; digits += 4) {
      ns_mechanical_options opt = ns_mechanical_defaults();
      ns_mechanical_capacity cap = {.structure = &m.W};
      double r[27] = {0}, u[27];
      ns_ctx c = {0};
      ns_outcome out;
      void *s;
      opt.tol = pow(10, -digits);
      m.p.W = &m.W;
      ck_assert_int_eq(ns_mechanical_solver_find("auto")->create(&c, &cap, &opt, &s), NS_OK);
      ck_assert_int_eq(ns_mechanical_solver_find("auto")->solve(s, &c, &m.p, NULL, r, u, &out),
                       NS_OK);
      ns_mechanical_solver_find("auto")->destroy(s);
      ck_assert_int_eq(out.kind, NS_SOLVED);
      ck_assert_double_le(ns_mechanical_residual(&m.p, r, u, NULL), opt.tol);
      if (digits == 4) ck_assert_int_eq(out.iterations, 0);
      ck_assert((r[m.W.first[near]] > 0) == (digits == 8));
    }
    make_free(&m);
  }
}
END_TEST

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* Median of the iterations to 1e-8 on nine certified problems: what independent programs of the
 * same methods needed on such ones, give or take a half. 8 and 20 contacts of bodies in plenty:
 * full rank. */
START_TEST(iterations_are_those_of_the_method)
{
  static const struct {
    const char *name;
    int contacts, bodies, max;
  } row[] = {{"nsgs", 8, 12, 30},         {"nsgs", 20, 40, 50},  {"newton", 20, 40, 8},
             {"jean-moreau", 20, 40, 10}, {"admm", 20, 40, 110}, {"extragradient", 20, 40, 700},
             {"auto", 30, 10, 500}}; /* the last: 90 rows of rank 60 */
  int count[9];
  seed = 88172645463325252u;
  for (int n = 0; n < 9; n++) {
    made m = make(3, row[_i].contacts, row[_i].bodies);
    m.p.W = &m.W;
    count[n] = iterations_of(row[_i].name, &m);
    make_free(&m);
  }
  qsort(count, 9, sizeof *count, ascending);
  ck_assert_msg(count[4] <= row[_i].max, "%s: %d iterations, expected %d at most", row[_i].name,
                count[4], row[_i].max);
}
END_TEST

enum { FRICTIONS = 6, SHARED = 3 + FRICTIONS, FREEDOMS = 12 };

/* What a friction between bounds of +-b gets wrong: of b, or of the terms of its velocity. */
static double wrong_by(double b, double terms, double u, double r)
{
  return fmin(fabs(r + copysign(b, u)) / b, fabs(u) / terms);
}

/* |q| + |W| |r| of row i, W = H H^T. */
static double terms_of(double H[SHARED][FREEDOMS], const double *q, const double *r, int i)
{
  double terms = fabs(q[i]);
  for (int j = 0; j < SHARED; j++) {
    double w = 0;
    for (int k = 0; k < FREEDOMS; k++) w += H[i][k] * H[j][k];
    terms += fabs(w * r[j]);
  }
  return terms;
}

/* Frictions of 1e-14 to 1 N s beside a contact, on one body, from impulses at the wrong bound: each
 * is right by its own size, whichever solver says that the problem is solved. */
START_TEST(frictions_of_any_size_are_right)
{
  const ns_mechanical_solver_ops *ops = ns_mechanical_solvers[_i];
  enum { N = 1 + FRICTIONS };
  int dim[N], first[N + 1] = {0}, row[N + 1] = {0}, col[N * N];
  size_t off[N * N];
  unsigned char kind[N] = {NS_BLOCK_FRICTION};
  seed = 88172645463325252u;
  for (int n = 0; n < 100; n++) {
    double H[SHARED][FREEDOMS], val[SHARED * SHARED], q[SHARED], lb[SHARED], ub[SHARED],
        r[SHARED] = {0}, u[SHARED], mu[N] = {0.4};
    size_t at = 0;
    for (int i = 0; i < SHARED; i++) {
      for (int j = 0; j < FREEDOMS; j++) H[i][j] = signedu();
      q[i] = signedu();
      ub[i] = pow(10, -14 * uniform());
      lb[i] = -ub[i];
      if (i > 2) r[i] = copysign(ub[i], q[i]);
    }
    for (int a = 0; a < N; a++) {
      dim[a] = a ? 1 : 3;
      kind[a] = a ? NS_BLOCK_BOX : NS_BLOCK_FRICTION;
      first[a + 1] = first[a] + dim[a];
      row[a + 1] = N * (a + 1);
    }
    for (int a = 0; a < N; a++)
      for (int b = 0; b < N; b++) {
        col[N * a + b] = b;
        off[N * a + b] = at;
        for (int j = first[b]; j < first[b + 1]; j++)
          for (int i = first[a]; i < first[a + 1]; i++, at++) {
            val[at] = 0;
            for (int k = 0; k < FREEDOMS; k++) val[at] += H[i][k] * H[j][k];
          }
      }
    ns_blocks W = {.nb = N,
                   .m = SHARED,
                   .dim = dim,
                   .first = first,
                   .row = row,
                   .col = col,
                   .off = off,
                   .val = val};
    ns_mechanical p = {.W = &W, .q = q, .kind = kind, .mu = mu, .lb = lb, .ub = ub};
    ns_mechanical_capacity cap = {.structure = &W, .kind = kind, .symmetric = 1};
    ns_ctx c = {0};
    ns_outcome out;
    void *self;
    if (ops->create(&c, &cap, NULL, &self)) return; /* pivot is for contacts in the plane */
    ck_assert_int_eq(ops->solve(self, &c, &p, NULL, r, u, &out), NS_OK);
    ops->destroy(self);
    if (out.kind != NS_SOLVED) {
      ck_assert_msg(_i > 1, "%s, problem %d: residual %g", ops->name, n, out.residual);
      continue;
    }
    for (int i = 3; i < SHARED; i++)
      ck_assert_msg(wrong_by(ub[i], terms_of(H, q, r, i), u[i], r[i]) <= 1.01e-8,
                    "%s, problem %d: friction of %g is %g at %g m/s", ops->name, n, ub[i], r[i],
                    u[i]);
  }
}
END_TEST

static void fill(TCase *t)
{
  int n = 0;
  while (ns_mechanical_solvers[n]) n++;
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, one_contact_in_closed_form, 0, 5);
  tcase_add_test(t, random_contacts_are_solved);
  tcase_add_test(t, without_friction_nothing_pulls);
  tcase_add_test(t, multipliers_without_effect_hide_no_violated_bound);
  tcase_add_test(t, polygons_beside_a_contact_that_strikes_are_solved);
  tcase_add_test(t, random_contacts_in_the_plane);
  tcase_add_loop_test(t, named_solvers_of_one_contact, 0, 4);
  tcase_add_loop_test(t, certified_problems, 0, n);
  tcase_add_loop_test(t, frictions_of_any_size_are_right, 0, n);
  tcase_add_test(t, few_digits_take_what_suffices);
  tcase_add_loop_test(t, iterations_are_those_of_the_method, 0, 7);
}

int main(void) { return suite_run("mechanical", fill); }
