/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems of many bodies: their residual and reduction are those of mechanical.h; small ones are
 * solved to rounding. */
#include "problems/multibody_tools.h"
#include "problems/multibody_work.h"
#include "support/suite.h"

#include <check.h>

static ns_outcome solved_by(const char *name, double tol, many *k)
{
  ns_ctx c = {0};
  ns_multibody_solver *s;
  ns_outcome out;
  ns_multibody_options o = {.solver = name, .tol = tol, .contact = ns_contact_solvers[0]};
  ck_assert_int_eq(ns_multibody_create(&c, &o, &s), NS_OK);
  ck_assert_int_eq(ns_multibody_solve(s, &c, &k->p, k->r, k->v, k->u, &out), NS_OK);
  ns_multibody_destroy(s);
  return out;
}

/* Whether a guess is a solution is what the residual says: it is within what it is, and within
 * nothing less. Near solutions, far from them, and small impulses beside fast bodies. */
START_TEST(guesses_are_known_by_their_residual)
{
  for (int t = 0; t < 12; t++) {
    many k = many_random(150, _i ? 3 : 6, 100, ALL);
    int block[100], rows = k.row[k.p.nblocks];
    ns_multibody_part all = {k.p.nblocks, block};
    for (int a = 0; a < k.p.nblocks; a++) block[a] = a;
    ck_assert_int_eq(solved_by("nsgs", 1e-8, &k).kind, NS_SOLVED);
    for (int i = 0; i < rows; i++) k.r[i] *= (t % 4 == 3 ? 1e-3 : 1) + pow(0.01, t / 2) * signedu();
    double e = ns_multibody_residual(&k.p, k.r, k.v, k.u, NULL);
    ck_assert_double_gt(e, 1e-14);
    ns_multibody_velocities(&k.p, k.r, k.v);
    ck_assert(ns_multibody_is_solved(&k.p, all, e * (1 + 1e-6), k.r, k.v, k.u));
    ck_assert(!ns_multibody_is_solved(&k.p, all, e * (1 - 1e-6), k.r, k.v, k.u));
    k.r[rows / 2] = NAN;
    ns_multibody_velocities(&k.p, k.r, k.v);
    ck_assert(!ns_multibody_is_solved(&k.p, all, 1, k.r, k.v, k.u));
    many_free(&k);
  }
}
END_TEST

/* Residual, u, v and q without a matrix are those with one, for any r. */
START_TEST(residual_is_that_of_the_reduced_problem)
{
  ns_ctx c = {0};
  for (int t = 0; t < 20; t++) {
    many k = many_random(1 + t % 7, _i ? 3 : 6, 12, ALL);
    ns_arena *a = ns_arena_create(0, 1);
    ns_blocks W;
    double *q, w[100], over, over2;
    for (int i = 0; i < k.row[k.p.nblocks]; i++) k.r[i] = t ? signedu() : 0;
    ck_assert_int_eq(ns_multibody_reduce(&c, &k.p, a, &W, &q), NS_OK);
    ns_mechanical m = {.W = &W,
                       .q = q,
                       .kind = k.kind,
                       .mu = k.mu,
                       .mu_rolling = k.mu_rolling,
                       .lb = k.lb,
                       .ub = k.ub};
    double e = ns_multibody_residual(&k.p, k.r, k.v, k.u, &over),
           e2 = ns_mechanical_residual(&m, k.r, w, &over2);
    ck_assert_double_eq_tol(e, e2, 1e-13 * (1 + e));
    ck_assert_double_eq_tol(over, over2, 1e-13 * (1 + over));
    for (int i = 0; i < W.m; i++) ck_assert_double_eq_tol(k.u[i], w[i], 1e-12);
    ns_arena_destroy(a);
    many_free(&k);
  }
}
END_TEST

/* W is symmetric where the inverses are, and u = W r + q is what one unit impulse does. */
START_TEST(columns_of_the_reduced_matrix)
{
  ns_ctx c = {0};
  many k = many_random(4, 6, 9, ALL);
  ns_arena *a = ns_arena_create(0, 1);
  ns_blocks W;
  double *q, D[60 * 60];
  k.inverse[1] += 0.3; /* and where they are not */
  ck_assert_int_eq(ns_multibody_reduce(&c, &k.p, a, &W, &q), NS_OK);
  ns_blocks_dense(&W, D, 60);
  for (int j = 0; j < W.m; j++) {
    memset(k.r, 0, (size_t)W.m * sizeof *k.r);
    k.r[j] = 1;
    ns_multibody_residual(&k.p, k.r, k.v, k.u, NULL);
    for (int i = 0; i < W.m; i++) ck_assert_double_eq_tol(k.u[i], D[i + 60 * j] + q[i], 1e-13);
  }
  ns_arena_destroy(a);
  many_free(&k);
}
END_TEST

/* A sphere that comes down on a plane (verification case V3): stick and slide, to rounding. */
START_TEST(sphere_on_a_plane)
{
  static const struct {
    double vx, vz, wy, to[3];
  } row[] = {{2, -3, 0, {10 / 7.0, 2.4, 100 / 7.0}},
             {0.5, -3, 0, {2.5 / 7, 2.4, 25 / 7.0}},
             {2, -3, -40, {0.92, 2.4, -13}}};
  many k = many_new(1, 6, 1);
  double m = 0.7, R = 0.1, e = 0.8;
  int at = many_add(&k, NS_BLOCK_FRICTION, 3, 0, -1);
  k.mu[0] = 0.2;
  for (int i = 0; i < 6; i++) k.inverse[7 * i] = i < 3 ? 1 / m : 2.5 / (m * R * R);
  k.H[12 * at + 2] = k.H[12 * (at + 1)] = k.H[12 * (at + 2) + 1] = 1;
  k.H[12 * (at + 1) + 4] = -R;
  k.H[12 * (at + 2) + 3] = R;
  k.vfree[0] = row[_i].vx;
  k.vfree[2] = row[_i].vz;
  k.vfree[4] = row[_i].wy;
  k.b[at] = e * row[_i].vz;
  ns_outcome out = solved_by("auto", 1e-12, &k);
  ck_assert_int_eq(out.kind, NS_SOLVED);
  ck_assert_double_eq_tol(k.v[0], row[_i].to[0], 1e-14);
  ck_assert_double_eq_tol(k.v[2], row[_i].to[1], 1e-14);
  ck_assert_double_eq_tol(k.v[4], row[_i].to[2], 1e-13);
  many_free(&k);
}
END_TEST

/* Whatever the solver says, the residual of the result of it is what it claims; small problems are
 * solved. */
START_TEST(small_problems)
{
  static const char *const name[] = {"auto", "reduced", "newton", "nsgs"};
  int failed = 0;
  for (int t = 0; t < 60; t++) {
    many k = many_random(2 + t % 5, t % 2 ? 3 : 6, 1 + t % 6, t % 4);
    ns_outcome out = solved_by(name[_i], 1e-8, &k);
    double e = ns_multibody_residual(&k.p, k.r, k.v, k.u, NULL);
    ck_assert_double_eq(e, out.residual);
    ck_assert_int_eq(out.kind == NS_SOLVED, e <= 1e-8);
    failed += out.kind != NS_SOLVED;
    many_free(&k);
  }
  if (_i < 2) ck_assert_int_eq(failed, 0);
  else ck_assert_int_le(failed, 20);
}
END_TEST

/* A contact of body i at `arm` from its middle, with the one below, -1: the floor, at arm2 from
 * that of it; the slip along t1 and t2, n = t1 x t2. */
static void touch(many *k, int i, int below, const double *arm, const double *arm2,
                  double axis[3][3], double mu)
{
  int at = many_add(k, NS_BLOCK_FRICTION, 3, i, below);
  k->mu[k->p.nblocks - 1] = mu;
  for (int e = 0; e < 2; e++)
    for (int r = 0; r < 3; r++) {
      const double *a = e ? arm2 : arm, *n = axis[r];
      double *h = k->H + 12 * (at + r) + 6 * e, sign = e ? -1 : 1;
      for (int d = 0; d < 3; d++) {
        int f = (d + 1) % 3, g = (d + 2) % 3;
        h[d] = sign * n[d];
        h[3 + d] = sign * (a[f] * n[g] - a[g] * n[f]);
      }
    }
}

/* A tower of n unit boxes that falls or slides, each by itself. */
static many tower(int n)
{
  static double up[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  many k = many_new(n, 6, 4 * n);
  for (int i = 0; i < n; i++) {
    double m = 1 + 0.5 * uniform();
    for (int d = 0; d < 6; d++) {
      k.inverse[36 * i + 7 * d] = (d < 3 ? 1 : 6) / m;
      k.vfree[6 * i + d] = 0.1 * signedu();
    }
    k.vfree[6 * i + 2] -= 0.2;
    for (int c = 0; c < 4; c++) {
      double arm[] = {c % 2 - 0.5, c / 2 - 0.5, -0.5}, top[] = {arm[0], arm[1], 0.5};
      touch(&k, i, i - 1, arm, top, up, 0.2 + 0.6 * uniform());
    }
  }
  return k;
}

/* Of few boxes in motion few digits, where few are wanted, by sweeps; they are two more. */
START_TEST(few_digits_by_sweeps)
{
  int swept = 0;
  for (int t = 0; t < 100; t++) {
    many k = tower(2 + t % 4);
    double *start = calloc(6 * (size_t)k.p.nbodies, sizeof *start);
    for (int i = 0; i < 6 * k.p.nbodies; i++) start[i] = signedu();
    k.p.start = start;
    ns_outcome out = solved_by("auto", 1e-4, &k);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    double e = ns_multibody_residual(&k.p, k.r, k.v, k.u, NULL);
    ck_assert_double_le(e, 1e-4);
    swept += !strcmp(out.solver, "nsgs") && e <= 1.1e-6;
    many_free(&k);
    free(start);
  }
  ck_assert_int_ge(swept, 30);
}
END_TEST

/* A ball in a groove whose walls are steeper than friction holds any torque: that it slides is
 * another solution. Where it was at rest it stays, whatever the digits that are wanted. */
START_TEST(what_can_rest_stays)
{
  static const double tol[] = {1e-4, 1e-8};
  for (int t = 0; t < 200; t++) {
    double b = 0.1 + 0.5 * uniform(), mu = tan(b) * (1.1 + uniform()), m = 0.5 + uniform();
    double start[6] = {0};
    many k = many_new(1, 6, 2);
    for (int d = 0; d < 6; d++) k.inverse[7 * d] = (d < 3 ? 1 : 2.5) / m;
    k.vfree[2] = -0.05;
    k.vfree[4] = 0.2 * signedu();
    for (int e = 0; e < 2; e++) {
      double c = cos(b), s = sin(b), x = e ? -1 : 1, arm[] = {-x * c, 0, -s};
      double axis[3][3] = {{x * c, 0, s}, {0, 1, 0}, {-s, 0, x * c}};
      touch(&k, 0, -1, arm, arm, axis, mu);
    }
    k.p.start = start;
    ns_outcome out = solved_by("auto", tol[_i], &k);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    for (int d = 0; d < 6; d++) ck_assert_double_le(fabs(k.v[d]), 10 * tol[_i]);
    many_free(&k);
  }
}
END_TEST

/* A block of any kind between two bodies of a chain. */
static void beside(many *k, int kind, int body)
{
  int d = kind == NS_BLOCK_BOX ? 1
                               : k->p.dof / 3 + 1 + (kind == NS_BLOCK_ROLLING ? k->p.dof / 3 : 0),
      at = many_add(k, (ns_block_kind)kind, d, body, body - 1);
  many_fill(k, at, d);
  k->mu[k->p.nblocks - 1] = 0.4;
  k->mu_rolling[k->p.nblocks - 1] = 0.1;
  for (int i = at; i < at + d; i++) k->ub[i] = INFINITY;
}

/* A chain that hangs from the surroundings, one of its joints twice; one other block, before the
 * joints or behind them; inverses that are not symmetric. */
static many hanging_chain(int n, int dof, int kind, int symmetric)
{
  many k = many_new(n, dof, n + 2);
  int width = 2 * dof, none = kind > NS_BLOCK_ROLLING, early = n % 2;
  many_bodies(&k);
  for (int i = 0; i < n && !symmetric; i++)
    for (int j = 0; j < dof - 1; j++) k.inverse[(i * dof + j) * dof + j + 1] += 0.3 * signedu();
  k.p.symmetric = symmetric;
  if (early && !none) beside(&k, kind, n - 1);
  for (int i = 0; i <= n; i++) {
    int at = many_add(&k, NS_BLOCK_BOX, dof / 3 + 1, i % n, i % n - 1), d = dof / 3 + 1;
    if (i < n) many_fill(&k, at, d);
    for (int r = at; r < at + d; r++) {
      k.lb[r] = -INFINITY;
      k.ub[r] = INFINITY;
      for (int j = 0; j < width && i == n; j++) k.H[width * r + j] = k.H[width * (r - n * d) + j];
      if (i == n) k.b[r] = k.b[r - n * d];
    }
  }
  if (!early && !none) beside(&k, kind, n - 1);
  return k;
}

/* Joints of a chain and one block more: eliminated, whatever solver of one contact is the default,
 * and the motion is that of the reduced problem. */
START_TEST(chain_is_eliminated)
{
  static const int kinds[] = {NS_BLOCK_FRICTION, NS_BLOCK_BOX, NS_BLOCK_ROLLING,
                              NS_BLOCK_ROLLING + 1};
  for (int t = 0; t < 40; t++) {
    many k = hanging_chain(2 + t % 5, _i & 1 ? 3 : 6, kinds[t % 4], _i / 2);
    double v[6 * 6];
    solved_by("reduced", 1e-12, &k);
    memcpy(v, k.v, (size_t)(k.p.nbodies * k.p.dof) * sizeof *v);
    memset(k.r, 0, (size_t)k.row[k.p.nblocks] * sizeof *k.r);
    ns_outcome out = solved_by("auto", 1e-12, &k);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    ck_assert_str_eq(out.solver, "elimination");
    for (int i = 0; i < k.p.nbodies * k.p.dof; i++) ck_assert_double_eq_tol(k.v[i], v[i], 1e-10);
    many_free(&k);
  }
}
END_TEST

/* What a solver object has solved before does not matter: the bytes are those of a new one. */
START_TEST(nothing_is_remembered)
{
  ns_ctx c = {0};
  ns_multibody_solver *s;
  ns_multibody_options o = {.solver = "auto", .tol = 1e-8};
  ck_assert_int_eq(ns_multibody_create(&c, &o, &s), NS_OK);
  for (int t = 0; t < 40; t++) {
    many k = many_random(8 + t % 9, 6, 1 + (t * 7) % 23, ALL);
    size_t bytes = (size_t)k.row[k.p.nblocks] * sizeof *k.r;
    double r[6 * 24];
    ns_outcome out;
    ck_assert_int_eq(ns_multibody_solve(s, &c, &k.p, k.r, k.v, k.u, &out), NS_OK);
    memcpy(r, k.r, bytes);
    memset(k.r, 0, bytes);
    solved_by("auto", 1e-8, &k);
    ck_assert_mem_eq(r, k.r, bytes);
    many_free(&k);
  }
  ns_multibody_destroy(s);
}
END_TEST

START_TEST(nothing_at_all)
{
  many k = many_new(2, 6, 0);
  k.vfree[3] = 0.25;
  ns_outcome out = solved_by("auto", 1e-8, &k);
  ck_assert_int_eq(out.kind, NS_SOLVED);
  ck_assert_double_eq(k.v[3], 0.25);
  many_free(&k);
}
END_TEST

START_TEST(names)
{
  ns_ctx c = {0};
  ns_multibody_solver *s;
  ns_multibody_options o = {.solver = "nsgss", .tol = 1e-8};
  ck_assert_int_eq(ns_multibody_create(&c, &o, &s), NS_USAGE);
  ck_assert_ptr_null(s);
  ck_assert_ptr_nonnull(strstr(c.msg, "did you mean 'nsgs'"));
}
END_TEST

/* ---- blocks of more than two bodies ---------------------------------------------------------- */

/* Such a problem, and its further bodies. */
typedef struct wide {
  many k;
  int *body2;
  double *H2;
} wide;

static wide wide_random(int nbodies, int dof, int blocks, int with)
{
  wide w = {.k = many_random(nbodies, dof, blocks, with)};
  ns_multibody *p = &w.k.p;
  int n = p->further = 1 + nbodies % 6;
  size_t rows = (size_t)w.k.row[p->nblocks], width = (size_t)(n * dof);
  w.body2 = calloc((size_t)(n * blocks) + 1, sizeof *w.body2);
  w.H2 = calloc(rows * width + 1, sizeof *w.H2);
  for (int a = 0; a < blocks; a++) {
    int more = w.k.body[2 * a + 1] < 0 ? 0 : a % (n + 1), next = 0;
    for (int e = 0; e < n; e++) w.body2[n * a + e] = -1;
    for (int i = 0; i < nbodies && next < more; i++)
      if (i != w.k.body[2 * a] && i != w.k.body[2 * a + 1]) w.body2[n * a + next++] = i;
    for (int i = w.k.row[a]; i < w.k.row[a + 1]; i++)
      for (int j = 0; j < n * dof; j++) {
        double *h = &w.H2[width * (size_t)i + (size_t)j];
        int body = w.body2[n * a + j / dof];
        *h = signedu();
        if (body >= 0) w.k.b[i] += 0.3 * *h * sin(body * dof + j % dof);
      }
  }
  p->body2 = w.body2;
  p->H2 = w.H2;
  return w;
}

static void wide_free(wide *w)
{
  many_free(&w->k);
  free(w->body2);
  free(w->H2);
}

/* H with a column for each velocity of the problem, by rows. */
static void dense_rows(const wide *w, double *H)
{
  const ns_multibody *p = &w->k.p;
  int n = p->nbodies * p->dof;
  memset(H, 0, (size_t)(w->k.row[p->nblocks] * n) * sizeof *H);
  for (int a = 0; a < p->nblocks; a++)
    for (int i = p->row[a]; i < p->row[a + 1]; i++)
      for (int j = 0; j < (2 + p->further) * p->dof; j++) {
        int side = j / p->dof, at = j - 2 * p->dof;
        int body = side < 2 ? p->body[2 * a + side] : w->body2[p->further * a + side - 2];
        double h = side < 2 ? p->H[2 * p->dof * i + j] : w->H2[p->further * p->dof * i + at];
        if (body >= 0) H[i * n + body * p->dof + j % p->dof] += h;
      }
}

/* v = vfree + W^-1 H^T r and u = H v + b by the dense H. */
static void dense_motion(const wide *w, const double *H, const double *r, double *v, double *u)
{
  const ns_multibody *p = &w->k.p;
  int dof = p->dof, n = p->nbodies * dof, m = w->k.row[p->nblocks];
  for (int i = 0; i < n; i++) {
    v[i] = p->vfree[i];
    for (int j = 0; j < dof; j++)
      for (int e = 0; e < m; e++)
        v[i] += p->inverse[i / dof * dof * dof + i % dof + j * dof] * H[e * n + i / dof * dof + j] *
                r[e];
  }
  for (int e = 0; e < m; e++) {
    u[e] = p->b[e];
    for (int i = 0; i < n; i++) u[e] += H[e * n + i] * v[i];
  }
}

/* u and v of random r: by the residual, by the matrix that is multiplied out, by H with all its
 * zeros. */
START_TEST(wide_rows_three_ways)
{
  ns_ctx c = {0};
  for (int t = 0; t < 20; t++) {
    wide w = wide_random(2 + t % 7, _i ? 3 : 6, 12, ALL);
    many *k = &w.k;
    ns_arena *a = ns_arena_create(0, 1);
    ns_blocks W;
    double *q, reduced[100], u[100], v[100], H[100 * 60];
    for (int i = 0; i < k->row[k->p.nblocks]; i++) k->r[i] = signedu();
    dense_rows(&w, H);
    dense_motion(&w, H, k->r, v, u);
    ck_assert_int_eq(ns_multibody_reduce(&c, &k->p, a, &W, &q), NS_OK);
    ns_mechanical m = {.W = &W,
                       .q = q,
                       .kind = k->kind,
                       .mu = k->mu,
                       .mu_rolling = k->mu_rolling,
                       .lb = k->lb,
                       .ub = k->ub};
    double e = ns_multibody_residual(&k->p, k->r, k->v, k->u, NULL),
           e2 = ns_mechanical_residual(&m, k->r, reduced, NULL);
    ck_assert_double_eq_tol(e, e2, 1e-13 * (1 + e));
    for (int i = 0; i < W.m; i++) ck_assert_double_eq_tol(k->u[i], u[i], 1e-11);
    for (int i = 0; i < W.m; i++) ck_assert_double_eq_tol(reduced[i], u[i], 1e-11);
    for (int i = 0; i < k->p.nbodies * k->p.dof; i++) ck_assert_double_eq_tol(k->v[i], v[i], 1e-12);
    ns_arena_destroy(a);
    wide_free(&w);
  }
}
END_TEST

/* Solved, with u and v of the dense H; few blocks and many, one alone. */
START_TEST(wide_rows_are_solved)
{
  static const int blocks[] = {1, 3, 8, 30};
  for (int t = 0; t < 10; t++) {
    wide w = wide_random(4 + t % 3 + blocks[_i] / 2, t % 2 ? 3 : 6, blocks[_i],
                         t % 3 ? BOXES : FRICTION);
    many *k = &w.k;
    int n = k->p.nbodies * k->p.dof, m = k->row[k->p.nblocks];
    double *H = calloc((size_t)(m * n) + 1, sizeof *H), v[200], u[200];
    ns_outcome out = solved_by("auto", 1e-10, k);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    ck_assert_double_le(out.residual, 1e-10);
    dense_rows(&w, H);
    dense_motion(&w, H, k->r, v, u);
    for (int i = 0; i < m; i++) ck_assert_double_eq_tol(k->u[i], u[i], 1e-10);
    for (int i = 0; i < n; i++) ck_assert_double_eq_tol(k->v[i], v[i], 1e-10);
    free(H);
    wide_free(&w);
  }
}
END_TEST

/* Methods that know two bodies say so. */
START_TEST(wide_rows_are_refused)
{
  static const char *const name[] = {"nsgs", "augmented"};
  wide w = wide_random(6, 6, 6, BOXES);
  ns_ctx c = {0};
  ns_multibody_solver *s;
  ns_outcome out;
  ns_multibody_options o = {.solver = name[_i], .tol = 1e-8};
  ck_assert_int_eq(ns_multibody_create(&c, &o, &s), NS_OK);
  ck_assert_int_eq(ns_multibody_solve(s, &c, &w.k.p, w.k.r, w.k.v, w.k.u, &out), NS_MODEL);
  ck_assert_ptr_nonnull(strstr(c.msg, "supports rows of two bodies"));
  ns_multibody_destroy(s);
  wide_free(&w);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, guesses_are_known_by_their_residual, 0, 2);
  tcase_add_loop_test(t, residual_is_that_of_the_reduced_problem, 0, 2);
  tcase_add_test(t, columns_of_the_reduced_matrix);
  tcase_add_loop_test(t, sphere_on_a_plane, 0, 3);
  tcase_add_loop_test(t, small_problems, 0, 4);
  tcase_add_test(t, few_digits_by_sweeps);
  tcase_add_loop_test(t, what_can_rest_stays, 0, 2);
  tcase_add_loop_test(t, chain_is_eliminated, 0, 4);
  tcase_add_test(t, nothing_is_remembered);
  tcase_add_test(t, nothing_at_all);
  tcase_add_test(t, names);
  tcase_add_loop_test(t, wide_rows_three_ways, 0, 2);
  tcase_add_loop_test(t, wide_rows_are_solved, 0, 4);
  tcase_add_loop_test(t, wide_rows_are_refused, 0, 2);
}

int main(void) { return suite_run("multibody", fill); }
