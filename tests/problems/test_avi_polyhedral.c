/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The AVI on polyhedra: known answers, polytopes with any matrix, planted solutions, empty sets. */
#include "problems/avi_tools.h"
#include "problems/polyhedral.h"

#define MAX 8
#define ROWS 24

static double chance(void) { return 0.5 * (uniform() + 1); }

typedef struct data {
  int n, p;
  double M[MAX * MAX], q[MAX], H[MAX * ROWS], k[ROWS];
} data;

static ns_polyhedral of(const data *d)
{
  return (ns_polyhedral){.n = d->n, .p = d->p, .M = d->M, .q = d->q, .H = d->H, .k = d->k};
}

/* Residual written out anew in long double. */
static double oracle(const data *d, const double *z, const double *mu)
{
  long double worst = 0, q = 0, k = 0;
  for (int i = 0; i < d->n; i++) {
    long double v = d->q[i], s = 0;
    for (int j = 0; j < d->n; j++) {
      v += (long double)d->M[i + j * d->n] * z[j];
      s = fmaxl(s, fabsl(d->M[i + j * d->n]));
    }
    for (int j = 0; j < d->p; j++) v -= (long double)d->H[j + i * d->p] * mu[j];
    if (s == 0) s = 1;
    worst = fmaxl(worst, fabsl(v / s));
    q = fmaxl(q, fabsl(d->q[i] / s));
  }
  for (int j = 0; j < d->p; j++) {
    long double v = -d->k[j], t = 0;
    for (int i = 0; i < d->n; i++) {
      v += (long double)d->H[j + i * d->p] * z[i];
      t = fmaxl(t, fabsl(d->H[j + i * d->p]));
    }
    if (t == 0) t = 1;
    worst = fmaxl(worst, fabsl(fminl(mu[j], v / t)));
    k = fmaxl(k, fabsl(d->k[j] / t));
  }
  return (double)(worst / (1 + q + k));
}

static ns_outcome run_polyhedral(const char *what, const data *d, double *z, double *mu, double *w)
{
  ns_ctx c = {0};
  ns_polyhedral_solver *s;
  ns_outcome out = {.kind = NS_LIMIT};
  ns_polyhedral p = of(d);
  double guess[MAX], g[ROWS];
  memcpy(guess, z, sizeof(double) * (size_t)d->n);
  memcpy(g, mu, sizeof(double) * (size_t)d->p);
  ck_assert_msg(ns_polyhedral_create(&c, d->n, d->p, NULL, &s) == NS_OK, "%s", c.msg);
  ck_assert_msg(ns_polyhedral_solve(s, &c, &p, z, mu, w, &out) == NS_OK, "%s", c.msg);
  ns_polyhedral_destroy(s);
  double r = oracle(d, z, mu);
  ck_assert_double_eq_tol(out.residual, r, 1e-12 * (1 + r));
  if (out.kind == NS_SOLVED) {
    ck_assert_msg(r <= 1.01e-10, "%s: claims %g, has %g", what, out.residual, r);
    for (int j = 0; j < d->p; j++) ck_assert_double_ge(mu[j], 0);
  } else {
    ck_assert_int_eq(memcmp(guess, z, sizeof(double) * (size_t)d->n), 0);
    ck_assert_int_eq(memcmp(g, mu, sizeof(double) * (size_t)d->p), 0);
  }
  return out;
}

/* The hexagon with apothem 1: z = (1, 0), w = (-3, 0). */
START_TEST(hexagon)
{
  data d = {.n = 2, .p = 6, .M = {2, -1, 1, 1}, .q = {-5, 1}};
  double z[2] = {0}, mu[6] = {0}, w[2];
  for (int j = 0; j < 6; j++) {
    d.H[j] = -cos(j * M_PI / 3);
    d.H[j + 6] = -sin(j * M_PI / 3);
    d.k[j] = -1;
  }
  ck_assert_int_eq(run_polyhedral("hexagon", &d, z, mu, w).kind, NS_SOLVED);
  ck_assert_double_eq_tol(z[0], 1, 1e-14);
  ck_assert_double_eq_tol(z[1], 0, 1e-14);
  ck_assert_double_eq_tol(w[0], -3, 1e-14);
  ck_assert_double_eq_tol(w[1], 0, 1e-14);
}
END_TEST

/* A polytope: a box cut by random rows; whole numbers make it degenerate. */
static void polytope(data *d, int trial)
{
  d->n = 1 + trial % 6;
  d->p = 2 * d->n + trial % 7;
  memset(d->H, 0, sizeof d->H);
  for (int j = 0; j < d->p; j++)
    for (int i = 0; i < d->n; i++) {
      double h = trial % 3 ? uniform() : floor(2 * uniform() + 0.5);
      d->H[j + i * d->p] = j < 2 * d->n ? (j / 2 == i) * (j % 2 ? 1 : -1) : h;
    }
  for (int j = 0; j < d->p; j++) d->k[j] = trial % 3 ? -0.1 - chance() : -1;
}

/* Any matrix on a polytope has a solution, and the vertex form finds it. */
START_TEST(polytopes_are_solved_for_any_matrix)
{
  int vertex = 0, last = 0;
  for (int trial = 0; trial < 1000; trial++) {
    data d;
    double z[MAX] = {0}, mu[ROWS] = {0}, w[MAX];
    polytope(&d, trial);
    for (int i = 0; i < d.n * d.n; i++)
      d.M[i] = trial % 3 ? 2 * uniform() : floor(2 * uniform() + 0.5);
    for (int i = 0; i < d.n; i++) d.q[i] = trial % 3 ? uniform() : floor(3 * uniform() + 0.5);
    ns_outcome out = run_polyhedral("polytope", &d, z, mu, w);
    ck_assert_msg(out.kind == NS_SOLVED, "trial %d: %s", trial, ns_outcome_text(out.kind));
    vertex += !strcmp(out.solver, "lemke at a vertex");
    last += !strcmp(out.solver, "auto");
  }
  ck_assert_int_ge(vertex, 50); /* else this tests something else */
  ck_assert_int_eq(last, 0);
}
END_TEST

/* A random polyhedron, often with a lineality space or double rows, and a solution put in. */
static void planted(data *d, int trial, int definite)
{
  double z[MAX], mu[ROWS];
  d->n = 1 + trial % 6;
  d->p = 1 + trial % 11;
  int rank = definite ? d->n : trial % (d->n + 1);
  semidefinite(d->n, rank, trial % 2 ? 0.5 : 0, definite ? 0.1 : 0, d->M);
  for (int j = 0; j < d->p; j++)
    for (int i = 0; i < d->n; i++) {
      int empty = i == 0 && trial % 4 == 0, twice = j % 2 && trial % 5 == 0;
      d->H[j + i * d->p] = empty ? 0 : twice ? d->H[j - 1 + i * d->p] : uniform();
    }
  for (int i = 0; i < d->n; i++) z[i] = uniform();
  for (int j = 0; j < d->p; j++) {
    double c = chance();
    mu[j] = c < 0.3 ? chance() : 0;
    d->k[j] = c < 0.4 ? 0 : -chance();
    for (int i = 0; i < d->n; i++) d->k[j] += d->H[j + i * d->p] * z[i];
  }
  for (int i = 0; i < d->n; i++) {
    d->q[i] = 0;
    for (int j = 0; j < d->p; j++) d->q[i] += d->H[j + i * d->p] * mu[j];
    for (int j = 0; j < d->n; j++) d->q[i] -= d->M[i + j * d->n] * z[j];
  }
}

START_TEST(planted_solutions_are_found)
{
  for (int trial = 0; trial < 1000; trial++) {
    data d;
    double z[MAX] = {0}, mu[ROWS] = {0}, w[MAX];
    planted(&d, trial, _i);
    if (trial % 2)
      for (int i = 0; i < d.n; i++) z[i] = uniform();
    if (trial % 2)
      for (int j = 0; j < d.p; j++) mu[j] = uniform();
    ns_outcome out = run_polyhedral("planted", &d, z, mu, w);
    ck_assert_msg(out.kind == NS_SOLVED, "trial %d: %s, %g", trial, ns_outcome_text(out.kind),
                  out.residual);
  }
}
END_TEST

/* Two rows that exclude each other: a ray, whatever else there is. */
START_TEST(empty_sets_are_rays)
{
  for (int trial = 0; trial < 1000; trial++) {
    data d;
    double z[MAX] = {0}, mu[ROWS] = {0}, w[MAX], sum = 0;
    planted(&d, trial, trial % 2);
    if (d.p < 2) continue;
    for (int i = 0; i < d.n; i++) {
      d.H[1 + i * d.p] = -d.H[i * d.p];
      sum += fabs(d.H[i * d.p]);
    }
    if (!(sum > 0.01)) continue;
    d.k[1] = -d.k[0] + 0.1;
    ns_outcome out = run_polyhedral("empty", &d, z, mu, w);
    ck_assert_msg(out.kind == NS_RAY, "trial %d: %s", trial, ns_outcome_text(out.kind));
  }
}
END_TEST

/* A box written as rows: the answer of the box AVI. No rows at all: linear equations. */
START_TEST(boxes_and_linear_equations)
{
  for (int trial = 0; trial < 200; trial++) {
    data d = {.n = 1 + trial % 6};
    double lb[MAX], ub[MAX], z[MAX] = {0}, x[MAX] = {0}, mu[ROWS] = {0}, w[MAX], v[MAX];
    d.p = 2 * d.n;
    semidefinite(d.n, d.n, 0.5, 0.1, d.M);
    for (int i = 0; i < d.n; i++) {
      d.q[i] = uniform();
      d.H[2 * i + i * d.p] = 1;
      d.H[2 * i + 1 + i * d.p] = -1;
      d.k[2 * i] = lb[i] = uniform() - 1;
      ub[i] = uniform() + 1;
      d.k[2 * i + 1] = -ub[i];
    }
    ns_avi p = {.n = d.n, .dense = d.M, .ld = d.n, .q = d.q, .lb = lb, .ub = ub};
    ck_assert_int_eq(avi_once("auto", &p, 0, x, v).kind, NS_SOLVED);
    ck_assert_int_eq(run_polyhedral("box", &d, z, mu, w).kind, NS_SOLVED);
    for (int i = 0; i < d.n; i++) ck_assert_double_eq_tol(z[i], x[i], 1e-9);
    d.p = 0;
    ck_assert_int_eq(run_polyhedral("linear", &d, z, mu, w).kind, NS_SOLVED);
    for (int i = 0; i < d.n; i++) ck_assert_double_eq_tol(w[i], 0, 1e-12);
  }
}
END_TEST

START_TEST(nonsense_is_reported)
{
  data d;
  double z[MAX] = {0}, mu[ROWS] = {0}, w[MAX];
  ns_ctx c = {0};
  ns_polyhedral_solver *s;
  polytope(&d, 5);
  memset(d.M, 0, sizeof d.M);
  memset(d.q, 0, sizeof d.q);
  for (int k = 0; k < 4; k++) {
    double *x = k == 0 ? d.M : k == 1 ? d.q : k == 2 ? d.H : d.k, keep = *x;
    *x = k % 2 ? NAN : INFINITY;
    ns_polyhedral p = of(&d);
    ns_outcome out;
    ck_assert_int_eq(ns_polyhedral_create(&c, d.n, d.p, NULL, &s), NS_OK);
    ck_assert_int_eq(ns_polyhedral_solve(s, &c, &p, z, mu, w, &out), NS_OK);
    ck_assert_int_eq(out.kind, NS_NOT_FINITE);
    *x = keep;
    p.p++;
    ck_assert_int_lt(ns_polyhedral_solve(s, &c, &p, z, mu, w, &out), 0);
    c = (ns_ctx){0};
    ns_polyhedral_destroy(s);
  }
  ck_assert_int_lt(ns_polyhedral_create(&c, 0, 3, NULL, &s), 0);
  ck_assert_ptr_null(s);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("avi_polyhedral");
  TCase *t = tcase_create("avi_polyhedral");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, hexagon);
  tcase_add_test(t, polytopes_are_solved_for_any_matrix);
  tcase_add_loop_test(t, planted_solutions_are_found, 0, 2);
  tcase_add_test(t, empty_sets_are_rays);
  tcase_add_test(t, boxes_and_linear_equations);
  tcase_add_test(t, nonsense_is_reported);
  suite_add_tcase(s, t);
  return suite_end(s);
}
