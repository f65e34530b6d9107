/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hundreds of contacts of few bodies: W = H H^T of a rank well below its rows, a planted solution.
 * NSSIM_CONTACTS: contacts of the largest problem (500). */
#include "problems/mechanical.h"

#include "support/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long seed;

static double uniform(void)
{
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(seed >> 11) * 0x1p-53;
}

static double normal(void)
{
  return sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
}

static void *need(size_t n, size_t size)
{
  void *p = calloc(n + 1, size);
  ck_assert_ptr_nonnull(p);
  return p;
}

typedef struct scene {
  int nc, bodies;
  int *body; /* two of each contact; -1: none [2 nc] */
  double *H; /* 3 rows of 2 x 6 [36 nc] */
  ns_blocks W;
  ns_mechanical p;
  double *q, *mu, *r, *u;
} scene;

static void cross(const double *a, const double *b, double *c)
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static void random_frame(double e[3][3])
{
  double t[3], n = 0;
  for (int i = 0; i < 3; i++) e[0][i] = normal(), t[i] = normal();
  for (int i = 0; i < 3; i++) n += e[0][i] * e[0][i];
  for (int i = 0; i < 3; i++) e[0][i] /= sqrt(n);
  cross(e[0], t, e[1]);
  n = 0;
  for (int i = 0; i < 3; i++) n += e[1][i] * e[1][i];
  for (int i = 0; i < 3; i++) e[1][i] /= sqrt(n);
  cross(e[0], e[1], e[2]);
}

static void make_contact(scene *s, int a)
{
  double e[3][3];
  int first = (int)(uniform() * s->bodies), other = (int)(uniform() * s->bodies);
  random_frame(e);
  s->body[2 * a] = first;
  s->body[2 * a + 1] = uniform() < 0.7 && other != first ? other : -1;
  for (int k = 0; k < 2; k++) {
    double arm[3], moment[3];
    for (int i = 0; i < 3; i++) arm[i] = 0.5 * normal();
    for (int row = 0; row < 3; row++) {
      double *h = s->H + 36 * a + 12 * row + 6 * k;
      cross(arm, e[row], moment);
      for (int i = 0; i < 3 && s->body[2 * a + k] >= 0; i++) {
        h[i] = k ? -e[row][i] : e[row][i];
        h[3 + i] = 1.5 * (k ? -moment[i] : moment[i]);
      }
    }
  }
}

/* Block (a, b) of W to w; 0 where they have no body in common. */
static int block(const scene *s, int a, int b, double *w)
{
  int any = 0;
  memset(w, 0, 9 * sizeof *w);
  for (int k = 0; k < 2; k++)
    for (int l = 0; l < 2; l++) {
      if (s->body[2 * a + k] < 0 || s->body[2 * a + k] != s->body[2 * b + l]) continue;
      any = 1;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          for (int c = 0; c < 6; c++)
            w[i + 3 * j] += s->H[36 * a + 12 * i + 6 * k + c] * s->H[36 * b + 12 * j + 6 * l + c];
    }
  return any;
}

static void fill_matrix(scene *s)
{
  size_t nc = (size_t)s->nc, at = 0;
  ns_blocks *W = &s->W;
  double w[9];
  for (int a = 0; a < s->nc; a++)
    for (int b = 0; b < s->nc; b++) at += (size_t)block(s, a, b, w);
  W->nb = s->nc;
  W->m = 3 * s->nc;
  W->dim = need(nc, sizeof(int));
  W->first = need(nc + 1, sizeof(int));
  W->row = need(nc + 1, sizeof(int));
  W->col = need(at, sizeof(int));
  W->off = need(at, sizeof(size_t));
  W->val = need(9 * at, sizeof(double));
  at = 0;
  for (int a = 0; a < s->nc; a++) {
    W->dim[a] = 3;
    W->first[a + 1] = 3 * (a + 1);
    for (int b = 0; b < s->nc; b++) {
      if (!block(s, a, b, W->val + 9 * at)) continue;
      W->col[at] = b;
      W->off[at] = 9 * at;
      at++;
    }
    W->row[a + 1] = (int)at;
  }
}

/* Take-off, stick or slip by chance; then q = u - W r. */
static void plant(scene *s, double open, double stick)
{
  for (int a = 0; a < s->nc; a++) {
    double *r = s->r + 3 * a, *u = s->u + 3 * a, how = uniform(),
           angle = 6.283185307179586 * uniform();
    s->mu[a] = 0.2 + 0.6 * uniform();
    if (how < open) {
      u[0] = uniform();
      u[1] = 0.3 * normal();
      u[2] = 0.3 * normal();
      continue;
    }
    r[0] = uniform();
    double slip = how < open + stick ? 0 : 0.5 * uniform(), f = s->mu[a] * r[0];
    if (how < open + stick) f *= 0.95 * uniform();
    r[1] = f * cos(angle), r[2] = f * sin(angle);
    u[1] = -slip * cos(angle), u[2] = -slip * sin(angle);
  }
  memcpy(s->q, s->u, (size_t)s->W.m * sizeof *s->q);
  ns_blocks_gemv(-1, &s->W, s->r, s->q);
}

static scene make(int nc, int bodies, double open, double stick)
{
  size_t m = 3 * (size_t)nc;
  scene s = {.nc = nc, .bodies = bodies};
  s.body = need(2 * (size_t)nc, sizeof(int));
  s.H = need(36 * (size_t)nc, sizeof(double));
  s.q = need(m, sizeof(double));
  s.r = need(m, sizeof(double));
  s.u = need(m, sizeof(double));
  s.mu = need((size_t)nc, sizeof(double));
  for (int a = 0; a < nc; a++) make_contact(&s, a);
  fill_matrix(&s);
  plant(&s, open, stick);
  return s;
}

static void destroy(scene *s)
{
  free(s->W.dim), free(s->W.first), free(s->W.row), free(s->W.col), free(s->W.off), free(s->W.val);
  free(s->body), free(s->H), free(s->q), free(s->r), free(s->u), free(s->mu);
}

static ns_outcome solve(const ns_mechanical *p, const char *solver, double *r, double *u)
{
  ns_ctx c = {0};
  ns_outcome out;
  void *self = NULL;
  ns_mechanical_capacity cap = {.structure = p->W, .symmetric = 1};
  const ns_mechanical_solver_ops *s = ns_mechanical_solver_find(solver);
  ck_assert_int_eq(s->create(&c, &cap, NULL, &self), NS_OK);
  memset(r, 0, (size_t)p->W->m * sizeof *r);
  ck_assert_int_eq(s->solve(self, &c, p, NULL, r, u, &out), NS_OK);
  s->destroy(self);
  return out;
}

/* Rows of it, bodies, parts that take off and that stick. */
static const struct {
  int contacts, bodies;
  double open, stick;
} kind[] = {{150, 4, 0.3, 0.45}, {150, 4, 0, 0.75}, {200, 8, 0, 0},
            {300, 10, 0.8, 0.1}, {300, 6, 0, 1},    {500, 10, 0.3, 0.45}};
enum { KINDS = sizeof kind / sizeof *kind };

START_TEST(contacts_of_few_bodies_are_solved)
{
  const char *wish = getenv("NSSIM_CONTACTS");
  int nc = wish && _i == KINDS - 1 ? atoi(wish) : kind[_i].contacts;
  seed = 40 + (unsigned)_i;
  scene s = make(nc, kind[_i].bodies, kind[_i].open, kind[_i].stick);
  ns_mechanical p = {.W = &s.W, .q = s.q, .mu = s.mu};
  double *r = need((size_t)s.W.m, sizeof *r), *u = need((size_t)s.W.m, sizeof *u);
  ck_assert_double_le(ns_mechanical_residual(&p, s.r, u, NULL), 1e-12); /* the planted solution */
  ns_outcome out = solve(&p, "auto", r, u);
  ck_assert_msg(out.kind == NS_SOLVED, "%d contacts: residual %g by %s", nc, out.residual,
                out.solver);
  ck_assert_double_le(ns_mechanical_residual(&p, r, u, NULL), 1e-8);
  free(r), free(u);
  destroy(&s);
}
END_TEST

/* Steps on the factors of low rank are those on the whole matrix: the same path as far as rounding
 * lets it. */
START_TEST(steps_of_low_rank_solve_what_full_ones_do)
{
  seed = 3;
  scene s = make(120, 4, 0.3, 0.45);
  ns_mechanical p = {.W = &s.W, .q = s.q, .mu = s.mu};
  double *r = need((size_t)s.W.m, sizeof *r), *u = need((size_t)s.W.m, sizeof *u);
  static const char *const solver[] = {"regular", "proximal"};
  for (int k = 0; k < 2; k++) {
    ns_outcome out = solve(&p, solver[k], r, u);
    ck_assert_msg(out.kind == NS_SOLVED, "%s: residual %g", solver[k], out.residual);
  }
  free(r), free(u);
  destroy(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, contacts_of_few_bodies_are_solved, 0, KINDS);
  tcase_add_test(t, steps_of_low_rank_solve_what_full_ones_do);
}

int main(void) { return suite_run("contacts of few bodies", fill); }
