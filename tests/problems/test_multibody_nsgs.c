/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps over the velocities of bodies: what they claim is so, with and without threads, whatever
 * rows are redundant. */
#include "algebra/keys.h"
#include "algebra/rotation.h"
#include "algebra/vector.h"
#include "problems/multibody_sweep.h"
#include "problems/multibody_tools.h"
#include "support/suite.h"

#include <check.h>

static ns_outcome solved_by(const char *name, double tol, int limit, int threads, many *k)
{
  ns_ctx c = {0};
  ns_multibody_solver *s;
  ns_outcome out;
  ns_team *team = threads > 1 ? ns_team_create(threads) : NULL;
  ns_multibody_options o = {.solver = name, .tol = tol, .max_iterations = limit, .team = team};
  ck_assert_int_eq(ns_multibody_create(&c, &o, &s), NS_OK);
  ck_assert_int_eq(ns_multibody_solve(s, &c, &k->p, k->r, k->v, k->u, &out), NS_OK);
  ck_assert_str_eq(ns_multibody_used(s), strcmp(name, "nsgs") != 0 ? ns_multibody_used(s) : "nsgs");
  ns_multibody_destroy(s);
  ns_team_destroy(team);
  return out;
}

static ns_outcome solved_by_any(const char *name, many *k)
{
  ns_ctx c = {0};
  ns_multibody_solver *s;
  ns_outcome out;
  ns_multibody_options o = {.solver = name, .tol = 1e-8};
  ck_assert_int_eq(ns_multibody_create(&c, &o, &s), NS_OK);
  ck_assert_int_eq(ns_multibody_solve(s, &c, &k->p, k->r, k->v, k->u, &out), NS_OK);
  ns_multibody_destroy(s);
  return out;
}

static size_t rows(const many *k) { return (size_t)k->row[k->p.nblocks]; }
static void forget(many *k) { memset(k->r, 0, rows(k) * sizeof *k->r); }

/* W^-1 = diag(a, a, a, b, b, b). */
static void round_bodies(many *k)
{
  int dof = k->p.dof;
  for (int i = 0; i < k->p.nbodies; i++) {
    double *W = k->inverse + i * dof * dof, a = 0.5 + uniform(), b = 0.5 + uniform();
    for (int j = 0; j < dof * dof; j++)
      W[j] = j % (dof + 1) ? 0 : j / dof < dof / 2 + dof % 2 ? a : b;
  }
}

/* By sweeps to 1e-10, and the velocities are those of the reduced problem: more bodies than
 * constraints, so that they are unique. */
START_TEST(velocities_are_those_of_the_reduced_problem)
{
  double v[6 * 60];
  for (int t = 0; t < 8; t++) {
    many k = many_random(60, _i ? 3 : 6, 40, t % 4);
    if (t >= 4) /* inverses that are not symmetric */
      for (int i = 0; i < 60; i++) k.inverse[i * k.p.dof * k.p.dof + 1] += 0.2;
    k.p.symmetric = t < 4;
    if (t == 2 || t == 3) round_bodies(&k);
    for (int a = 0; a < k.p.nblocks; a++) {
      k.mu[a] *= 0.3;
      k.mu_rolling[a] *= 0.3;
    }
    ns_outcome out = solved_by("nsgs", 1e-10, 0, 1, &k);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    ck_assert_double_le(out.residual, 1e-10);
    memcpy(v, k.v, (size_t)(60 * k.p.dof) * sizeof *v);
    forget(&k);
    ck_assert_int_eq(solved_by("reduced", 1e-10, 0, 1, &k).kind, NS_SOLVED);
    for (int i = 0; i < 60 * k.p.dof; i++) ck_assert_double_eq_tol(v[i], k.v[i], 1e-6);
    many_free(&k);
  }
}
END_TEST

/* Rows of a body in axes that are turned from those of the world, of each in others; every third
 * block in other units. */
static void turn_bodies(many *k)
{
  for (int i = 0; i < k->p.nbodies; i++) {
    double axis[3] = {3 * signedu(), 3 * signedu(), 3 * signedu()}, p[4], R[9], y[3];
    ns_quaternion_exp(axis, p);
    ns_quaternion_matrix(p, R);
    for (int e = 0; e < 2 * k->p.nblocks; e++)
      for (int r = k->row[e / 2]; r < k->row[e / 2 + 1] && k->body[e] == i; r++) {
        double *H = k->H + 12 * r + 6 * (e % 2) + 3;
        ns_mul3t(R, H, y);
        memcpy(H, y, sizeof y);
      }
  }
  for (int a = 0; a < k->p.nblocks; a += 3)
    for (int r = k->row[a]; r < k->row[a + 1]; r++) {
      double s = a % 2 ? 0.25 : 2;
      ns_scale(12, s, k->H + 12 * r);
      k->b[r] *= s;
    }
}

/* Balls are solved in a form of their own: to the same velocities as if their bodies were not
 * round. So are those that are turned, among contacts that are not of balls and rows of others. */
START_TEST(balls)
{
  double v[6 * 27];
  many k = many_balls(3);
  if (_i > 0) turn_bodies(&k);
  for (int a = 0; a < k.p.nblocks && _i > 1; a++) {
    double *H = k.H + 12 * k.row[a];
    for (int i = k.row[a]; i < k.row[a + 1] && a % 7 == 3; i++) { /* no slip */
      k.kind[a] = NS_BLOCK_BOX;
      k.lb[i] = i > k.row[a] ? -INFINITY : 0;
      k.ub[i] = INFINITY;
    }
    if (a % 7 == 5) H[15] += 0.1;     /* no lever */
    if (a % 7 == 6) H[0] *= 1 + 1e-9; /* no frame */
  }
  ck_assert_int_eq(solved_by("nsgs", 1e-11, 0, 1, &k).kind, NS_SOLVED);
  memcpy(v, k.v, sizeof v);
  forget(&k);
  for (int i = 0; i < 27; i++) k.inverse[36 * i] *= 1 + 1e-12;
  ck_assert_int_eq(solved_by("nsgs", 1e-11, 0, 1, &k).kind, NS_SOLVED);
  for (int i = 0; i < 6 * 27; i++) ck_assert_double_eq_tol(v[i], k.v[i], 1e-8);
  many_free(&k);
}
END_TEST

/* So are disks in the plane. */
START_TEST(disks)
{
  double v[3 * 36];
  many k = many_disks(6);
  ck_assert_int_eq(solved_by("nsgs", 1e-11, 0, 1, &k).kind, NS_SOLVED);
  memcpy(v, k.v, sizeof v);
  forget(&k);
  for (int i = 0; i < 36; i++) k.inverse[9 * i] *= 1 + 1e-12;
  ck_assert_int_eq(solved_by("nsgs", 1e-11, 0, 1, &k).kind, NS_SOLVED);
  for (int i = 0; i < 3 * 36; i++) ck_assert_double_eq_tol(v[i], k.v[i], 1e-8);
  many_free(&k);
}
END_TEST

/* And normal rows of both, which turn nothing; the same with rows that turn a body by 1e-6 or, at
 * a wall, push it with another force, which are read in full: so are they beside the others. */
START_TEST(normals)
{
  int dof = _i ? 3 : 6;
  many of = _i ? many_disks(6) : many_balls(4), k = many_normals(&of);
  int n = dof * k.p.nbodies, blocks = k.p.nblocks;
  double *v = malloc((size_t)n * sizeof *v);
  for (int a = 0; a < blocks; a += 3) k.H[2 * dof * a + dof - 1] = 1e-6;
  for (int a = 1; a < blocks; a += 3)
    if (k.body[2 * a + 1] < 0) k.H[2 * dof * a] *= 1.5;
  ck_assert_int_eq(solved_by("nsgs", 1e-11, 0, 1, &k).kind, NS_SOLVED);
  memcpy(v, k.v, (size_t)n * sizeof *v);
  forget(&k);
  for (int i = 0; i < k.p.nbodies; i++) k.inverse[dof * dof * i] *= 1 + 1e-12;
  ck_assert_int_eq(solved_by("nsgs", 1e-11, 0, 1, &k).kind, NS_SOLVED);
  for (int i = 0; i < n; i++) ck_assert_double_eq_tol(v[i], k.v[i], 1e-8);
  forget(&k);
  ck_assert_int_eq(solved_by("reduced", 1e-11, 0, 1, &k).kind, NS_SOLVED);
  for (int i = 0; i < n; i++) ck_assert_double_eq_tol(v[i], k.v[i], 1e-8);
  free(v);
  many_free(&k);
  many_free(&of);
}
END_TEST

/* Every solver of one contact finds the same velocities. */
START_TEST(solvers_of_one_contact)
{
  ns_ctx c = {0};
  ns_multibody_solver *s;
  ns_outcome out;
  many k = many_random(30, 6, 20, FRICTION);
  double v[6 * 30];
  for (int a = 0; a < 20; a++) k.mu[a] *= 0.3;
  ck_assert_int_eq(solved_by("nsgs", 1e-10, 0, 1, &k).kind, NS_SOLVED);
  memcpy(v, k.v, sizeof v);
  for (int i = 0; ns_contact_solvers[i]; i++) {
    ns_multibody_options o = {.solver = "nsgs", .tol = 1e-9, .contact = ns_contact_solvers[i]};
    forget(&k);
    ck_assert_int_eq(ns_multibody_create(&c, &o, &s), NS_OK);
    ck_assert_int_eq(ns_multibody_solve(s, &c, &k.p, k.r, k.v, k.u, &out), NS_OK);
    ck_assert_msg(out.kind == NS_SOLVED, "%s: %g", ns_contact_solvers[i]->name, out.residual);
    for (int j = 0; j < 6 * 30; j++) ck_assert_double_eq_tol(v[j], k.v[j], 1e-6);
    ns_multibody_destroy(s);
  }
  many_free(&k);
}
END_TEST

/* A chain of bodies held by blocks of six equalities, each of which says one thing twice: solved,
 * though no row is left alone. */
START_TEST(redundant_equalities)
{
  enum { N = 12 };
  many k = many_new(N, 6, N);
  many_bodies(&k);
  for (int a = 0; a < N; a++) {
    int at = many_add(&k, NS_BLOCK_BOX, 6, a, a - 1);
    many_fill(&k, at, 6);
    for (int i = at; i < at + 6; i++) {
      k.lb[i] = -INFINITY;
      k.ub[i] = INFINITY;
      k.b[i] = 0;
    }
    memcpy(k.H + 12 * (at + 5), k.H + 12 * (at + 2), 12 * sizeof *k.H);
    memcpy(k.H + 12 * (at + 4), k.H + 12 * (at + 1), 12 * sizeof *k.H);
  }
  static const char *const name[] = {"nsgs", "auto", "reduced"};
  ns_outcome out = solved_by(name[_i], 1e-9, 20000, 1, &k);
  ck_assert_int_eq(out.kind, NS_SOLVED);
  ck_assert_double_le(ns_norm(rows(&k), k.u),
                      1e-9 * ns_norm(rows(&k), k.r) + 1e-9 * ns_norm(6 * N, k.vfree) * 10);
  many_free(&k);
}
END_TEST

/* Two equal rows that want different velocities have no solution, and none is claimed. */
START_TEST(contradictions)
{
  static const char *const name[] = {"nsgs", "auto", "reduced"};
  many k = many_new(2, 6, 1);
  many_bodies(&k);
  int at = many_add(&k, NS_BLOCK_BOX, 2, 0, 1);
  many_fill(&k, at, 2);
  memcpy(k.H + 12, k.H, 12 * sizeof *k.H);
  for (int i = 0; i < 2; i++) {
    k.lb[i] = -INFINITY;
    k.ub[i] = INFINITY;
    k.b[i] = i;
  }
  ck_assert_int_ne(solved_by(name[_i], 1e-8, 100, 1, &k).kind, NS_SOLVED);
  many_free(&k);
}
END_TEST

/* Bodies in an order that has nothing to do with their blocks. */
static int *give_along(many *k)
{
  enum { STEP = 7919 };
  int n = k->p.nbodies, *along = malloc((size_t)n * sizeof *along);
  for (int i = 0; i < n; i++) along[i] = (int)((long long)STEP * i % n);
  k->p.along = along;
  return along;
}

/* Bodies of a grid along a curve. */
static int *give_squares(many *k, int side)
{
  int n = k->p.nbodies, *along = malloc((size_t)n * sizeof *along);
  double *at = calloc(3 * (size_t)n, sizeof *at);
  ns_keyed *x = malloc(2 * (size_t)n * sizeof *x);
  for (int i = 0; i < n; i++) {
    at[3 * i] = i % side;
    at[3 * i + 1] = i / side % side;
    at[3 * i + 2] = i / side / side;
  }
  ns_keys_of_points((size_t)n, k->p.dof / 3 + 1, at, 3, x);
  ns_keys_sort((size_t)n, x, x + n);
  for (int i = 0; i < n; i++) along[x[i].index] = i;
  k->p.along = along;
  free(at);
  free(x);
  return along;
}

/* Many bodies, one part, without clusters and with them: the bytes are those of one thread. */
START_TEST(threads_leave_the_bytes)
{
  int kind = _i % 5, clusters = _i >= 5, side[] = {clusters ? 50 : 40, clusters ? 14 : 12};
  many of = kind == 0       ? many_random(clusters ? 2600 : 1400, 6, clusters ? 5000 : 2500, ALL)
            : kind % 2 == 1 ? many_balls(side[1])
                            : many_disks(side[0]);
  many k = kind > 2 ? many_normals(&of) : of;
  int *along = !clusters ? NULL : kind == 0 ? give_along(&k) : give_squares(&k, side[kind % 2]);
  size_t bytes = rows(&k) * sizeof *k.r;
  double *first = malloc(bytes);
  for (int threads = 1; threads <= 4; threads *= 2) {
    forget(&k);
    ns_outcome out = solved_by("nsgs", 1e-6, 40, threads, &k);
    ck_assert_int_gt(out.iterations, 5);
    if (threads == 1) memcpy(first, k.r, bytes);
    else ck_assert_mem_eq(first, k.r, bytes);
  }
  free(first);
  free(along);
  if (kind > 2) many_free(&k);
  many_free(&of);
}
END_TEST

/* Boxes without bounds of their own are from 0 on: every solver does the same to the bit as where
 * that is written, on boxes of one row and of several beside friction, and on normal rows in packs.
 */
START_TEST(bounds_that_are_not_given)
{
  static const char *const solvers[] = {"auto", "nsgs", "augmented", "reduced"};
  int is_normal = _i % 3 < 2;
  many of = _i % 3 == 0 ? many_disks(12) : many_balls(5),
       k = is_normal ? many_normals(&of) : many_random(20, _i < 12 ? 6 : 3, 40, BOXES);
  size_t n = rows(&k);
  double *first = malloc(n * sizeof *first);
  for (size_t i = 0; i < n; i++) k.lb[i] = 0, k.ub[i] = INFINITY;
  ns_outcome given = solved_by(solvers[_i / 3 % 4], 1e-9, 0, 1, &k);
  memcpy(first, k.r, n * sizeof *first);
  forget(&k);
  k.p.lb = k.p.ub = NULL;
  ns_outcome not_given = solved_by(solvers[_i / 3 % 4], 1e-9, 0, 1, &k);
  ck_assert_mem_eq(first, k.r, n * sizeof *first);
  ck_assert_int_eq(given.kind, not_given.kind);
  ck_assert(given.residual == not_given.residual);
  ck_assert_int_eq(ns_multibody_worst(&k.p, k.r, k.u), ns_multibody_worst(&k.p, first, k.u));
  free(first);
  many_free(&k);
  many_free(&of);
}
END_TEST

/* Visits from .. to-1 share no body where none of them says so, and have bodies of `only`, -1: of
 * any cluster. mark [nbodies]: larger than all so far where a body has been met. */
static void check_visits(const ns_sweep *s, int from, int to, int only, int *mark, int *marks)
{
  for (int k = from; k < to; k++) {
    const ns_visit *x = &s->visit[k];
    *marks += x->begins;
    for (int e = 0; e < 2; e++) {
      int body = x->body[e];
      if (body < 0) continue;
      if (only >= 0) ck_assert_int_eq(body / NS_CLUSTER_BODIES, only);
      ck_assert_int_lt(mark[body], *marks);
      mark[body] = *marks;
    }
  }
}

/* Clusters of bodies that are near each other: each block is visited once, those of a cluster meet
 * its bodies alone, and what may be solved at once shares none, though one body meets more blocks
 * than there are colours. In a grid few blocks are between clusters. */
START_TEST(clusters_share_no_body)
{
  many k = _i ? many_disks(100) : many_random(3000, 6, 6000, ALL);
  int n = k.p.nblocks, *along = _i ? give_squares(&k, 100) : give_along(&k), marks = 1, between;
  for (int a = 0; a < 500 && !_i; a++)
    if (k.body[2 * a] > 0 && k.body[2 * a + 1] >= 0) k.body[2 * a + 1] = 0;
  ns_arena *a = ns_arena_create(0, 1);
  ns_sweep s;
  int *block = ns_arena_get(a, (size_t)n, sizeof *block),
      *number = ns_arena_get(a, (size_t)k.p.nbodies, sizeof *number),
      *met = ns_arena_zero(a, (size_t)n, sizeof *met),
      *mark = ns_arena_zero(a, (size_t)k.p.nbodies, sizeof *mark);
  for (int i = 0; i < n; i++) block[i] = i;
  for (int i = 0; i < k.p.nbodies; i++) number[i] = -1;
  ck_assert(ns_sweep_load(&k.p, (ns_multibody_part){n, block}, NULL, number, NULL, a, &s));
  ck_assert_int_ge(s.nclusters, 5);
  for (int i = 0; i < n; i++) ck_assert_int_eq(met[s.visit[i].block]++, 0);
  for (int c = 0; c < s.nclusters; c++)
    check_visits(&s, s.cluster[c], s.cluster[c + 1], c, mark, &marks);
  ck_assert_int_eq(s.cluster[s.nclusters], s.begin[1]);
  check_visits(&s, s.begin[1], s.begin[s.ncolours - 1], -1, mark, &marks);
  between = n - s.begin[1];
  if (_i) ck_assert_int_lt(between, n / 8);
  else ck_assert_int_lt(s.begin[s.ncolours - 1], n);
  free(along);
  ns_arena_destroy(a);
  many_free(&k);
}
END_TEST

/* A visit of a pack by itself, and its entries. */
static void check_pack_visit(ns_sweep *s, const ns_visit *x, const ns_visit *first, double *entries)
{
  ns_visit y = ns_sweep_pack_visit(s, first, first->pack - 1, (int)(x - first), entries);
  ck_assert_int_eq(y.kind, x->kind);
  ck_assert_int_eq(y.d, x->d);
  ck_assert_int_eq(y.at, x->at);
  for (int e = 0; e < 2; e++) ck_assert_int_eq(y.body[e], x->body[e]);
  for (int e = 0; e < 2 && x->kind == NS_VISIT_POINT; e++)
    s->local[x->local + e] = s->points[first->pack - 1].slip[e][x - first];
}

/* Packs of a sweep become visits, with entries of their own; returns how many there were. */
static int take_apart(ns_arena *a, ns_sweep *s)
{
  enum { ENTRIES = 36 };
  int packed = 0;
  const ns_visit *first = NULL;
  double *K = ns_arena_get(a, (size_t)s->n * ENTRIES, sizeof *K);
  for (int i = 0; i < s->n; i++) {
    ns_visit *x = &s->visit[i];
    size_t at = (size_t)i * ENTRIES;
    if (x->pack) first = x;
    if (x->packed) check_pack_visit(s, x, first, K + at);
    else memcpy(K + at, s->K + x->from, ns_visit_entries(s, x) * sizeof *K);
    packed += x->packed;
    x->from = at;
  }
  for (int i = 0; i < s->n; i++) s->visit[i].pack = s->visit[i].packed = 0;
  s->K = s->L = K;
  return packed;
}

enum { AS_IT_IS, SIXTEEN, PLAIN, ONE_BY_ONE, WAYS };

/* Sweeps over all of a problem, in the layout that was loaded: four contacts at once, by wide
 * vectors where the processor has them, by sixteen of these, without them; one by one. */
static int load_all_ways(const many *k, ns_arena *a, ns_sweep s[WAYS])
{
  int n = k->p.nblocks;
  int *block = ns_arena_get(a, (size_t)n, sizeof *block),
      *number = ns_arena_get(a, (size_t)k->p.nbodies, sizeof *number);
  for (int i = 0; i < n; i++) block[i] = i;
  for (int i = 0; i < k->p.nbodies; i++) number[i] = -1;
  for (int e = 0; e < WAYS; e++)
    ck_assert(ns_sweep_load(&k->p, (ns_multibody_part){n, block}, NULL, number, NULL, a, &s[e]));
  s[SIXTEEN].wide = s->wide != 0;
  s[PLAIN].wide = 0;
  return take_apart(a, &s[ONE_BY_ONE]);
}

/* Sums of squares by vectors of any width are the same to the bit, and those of one visit after the
 * other to rounding, as they are added in another order. */
static void check_sums(const ns_sweep s[WAYS])
{
  ns_sweep_sums t[WAYS] = {{0}}, one;
  for (int e = 0; e < WAYS; e++) ns_sweep_measure(&s[e], 0, s[e].n, &t[e]);
  ck_assert_mem_eq(t, &t[SIXTEEN], sizeof *t);
  ck_assert_mem_eq(t, &t[PLAIN], sizeof *t);
  one = t[ONE_BY_ONE];
  ck_assert_double_gt(one.map, 0);
  ck_assert_double_eq_tol(t->map, one.map, 1e-12 * one.map);
  ck_assert_double_eq_tol(t->r, one.r, 1e-12 * one.r);
  ck_assert_double_eq_tol(t->u, one.u, 1e-12 * one.u);
  ck_assert_double_eq_tol(t->q, one.q, 1e-12 * one.q);
}

/* Visits in packs, of contacts with the floor. */
static int packed_on_floor(const ns_sweep *s)
{
  int n = 0;
  for (int k = 0; k < s->n; k++) n += s->visit[k].packed && s->visit[k].body[1] < 0;
  return n;
}

/* Balls that touch beside their centres: contacts of bodies of any shape. odd: and whose W^-1 is
 * full. */
static many many_points(int side, int odd)
{
  many k = many_balls(side);
  if (odd) many_bodies(&k);
  for (int a = 0; a < k.p.nblocks; a++)
    for (int i = k.row[a]; i < k.row[a + 1]; i++)
      for (int e = 0; e < 12; e++) k.H[12 * i + e] += e % 6 < 3 ? 0 : 0.3 * (uniform() - 0.5);
  return k;
}

START_TEST(four_at_once_leave_the_bytes)
{
  int is_planar = _i < 3, any_shape = _i >= 6 && _i < 8, rows_of = _i < 6 ? _i % 3 : 0,
      one_sided = rows_of == 2;
  many of = is_planar ? many_disks(40) : any_shape ? many_points(12, _i == 7) : many_balls(12);
  if (_i == 8) turn_bodies(&of);
  many k = rows_of ? many_normals(&of) : of;
  size_t n = rows(&k), y = (size_t)k.p.nbodies * NS_SWEEP_STRIDE;
  for (size_t i = 0; i < n && one_sided; i++) k.lb[i] = 0, k.ub[i] = INFINITY;
  ns_arena *a = ns_arena_create(0, 1);
  ns_sweep s[WAYS];
  double *past[WAYS];
  ck_assert_int_gt(load_all_ways(&k, a, s), k.p.nblocks / 2);
  ck_assert_int_gt(packed_on_floor(s), (is_planar ? 40 : 12 * 12) / 2);
  for (int e = 0; e < WAYS; e++) {
    past[e] = ns_arena_zero(a, n, sizeof **past);
    for (size_t i = 0; i < n; i++) s[e].r[i] = 0.01 * (double)(i % 7);
    s[e].n = ns_sweep_shorten(&s[e], 0, s[e].n, 0);
    ns_sweep_push(&s[e], 0, s[e].n);
    for (int sweep = 0; sweep < 4; sweep++) ns_sweep_visit(&s[e], 0, s[e].n, 0.3, past[e]);
    ck_assert_double_gt(ns_norm(n, s[e].r), 0);
    ck_assert_mem_eq(s[0].r, s[e].r, n * sizeof *s->r);
    ck_assert_mem_eq(s[0].y, s[e].y, y * sizeof *s->y);
    ck_assert_mem_eq(past[0], past[e], n * sizeof **past);
  }
  ck_assert_int_eq(s->one_sided, rows_of != 1);
  ck_assert_int_eq(s->scaled, _i == 8);
  check_sums(s);
  ns_arena_destroy(a);
  if (rows_of) many_free(&k);
  many_free(&of);
}
END_TEST

/* A body that meets more contacts than there are colours, and a floor that is a body without
 * inverse: of 400 small balls between two large ones each is solved, and nothing is multiplied out
 * over the floor. */
START_TEST(one_body_with_very_many_contacts)
{
  enum { N = 400 };
  many k = many_new(N + 2, 6, 2 * N);
  many_bodies(&k);
  memset(k.inverse + 36 * (N + 1), 0, 36 * sizeof *k.inverse);
  for (int i = 0; i < 36; i++) k.inverse[36 * N + i] *= 1e-4;
  memset(k.vfree + 6 * (N + 1), 0, 6 * sizeof *k.vfree);
  for (int a = 0; a < 2 * N; a++) {
    int at = many_add(&k, NS_BLOCK_FRICTION, 3, a % N, a < N ? N + 1 : N);
    many_fill(&k, at, 3);
    for (int i = 0; i < 6; i++) /* of the large body: opposite to the small one's */
      k.H[12 * at + 6 + i] = -k.H[12 * at + i] * (i < 3);
    k.mu[a] = 0.2;
  }
  ns_outcome out = solved_by(_i ? "auto" : "nsgs", 1e-6, 0, 2, &k);
  ck_assert_int_eq(out.kind, NS_SOLVED);
  many_free(&k);
}
END_TEST

/* A part is solved as if the others were not there, whatever the numbers of its blocks and bodies
 * are. */
START_TEST(parts_do_not_mix)
{
  enum { N = 7 };
  many one = many_random(N, 6, 14, BOXES), two = many_new(2 * N, 6, 28);
  two.p.nblocks = 0;
  for (int i = 0; i < 2 * N; i++) {
    memcpy(two.inverse + 36 * i, one.inverse + 36 * (i / 2), 36 * sizeof(double));
    for (int j = 0; j < 6; j++) two.vfree[6 * i + j] = one.vfree[6 * (i / 2) + j] * (i % 2 ? 2 : 1);
  }
  for (int a = 0; a < 28; a++) {
    int from = a / 2, side = a % 2, d = one.row[from + 1] - one.row[from],
        second = one.body[2 * from + 1];
    int at = many_add(&two, one.kind[from], d, 2 * one.body[2 * from] + side,
                      second < 0 ? -1 : 2 * second + side);
    two.mu[a] = one.mu[from];
    for (int i = 0; i < d; i++) {
      memcpy(two.H + 12 * (at + i), one.H + 12 * (one.row[from] + i), 12 * sizeof(double));
      two.b[at + i] = one.b[one.row[from] + i] * (side ? 2 : 1);
      two.lb[at + i] = one.lb[one.row[from] + i] * (side ? 2 : 1);
      two.ub[at + i] = one.ub[one.row[from] + i] * (side ? 2 : 1);
    }
  }
  ck_assert_int_eq(solved_by("auto", 1e-10, 0, 1, &one).kind, NS_SOLVED);
  ck_assert_int_eq(solved_by("auto", 1e-10, 0, 1, &two).kind, NS_SOLVED);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 6; j++) { /* twice the velocities, twice the impulses */
      ck_assert_double_eq_tol(two.v[12 * i + j], one.v[6 * i + j], 1e-7);
      ck_assert_double_eq_tol(two.v[12 * i + 6 + j], 2 * one.v[6 * i + j], 1e-7);
    }
  many_free(&one);
  many_free(&two);
}
END_TEST

/* Nonsense is not solved, and a guess that is none does no harm. */
START_TEST(not_a_number)
{
  many k = many_random(60, 6, 60, FRICTION);
  for (size_t i = 0; i < rows(&k); i++) k.r[i] = NAN;
  ck_assert_int_eq(solved_by("nsgs", 1e-10, 0, 1, &k).kind, NS_SOLVED);
  forget(&k);
  k.vfree[6 * k.body[0] + 1] = NAN;
  ck_assert_int_ne(solved_by("nsgs", 1e-10, 0, 1, &k).kind, NS_SOLVED);
  many_free(&k);
}
END_TEST

/* Bytes that a solver holds after calls that sweeps alone have solved. */
static size_t held_by(const char *name, many *k)
{
  ns_ctx c = {0};
  ns_multibody_solver *s;
  ns_outcome out;
  ns_multibody_options o = {.solver = name, .tol = 1e-4};
  ck_assert_int_eq(ns_multibody_create(&c, &o, &s), NS_OK);
  for (int call = 0; call < 2; call++) { /* the second begins with enough */
    forget(k);
    ck_assert_int_eq(ns_multibody_solve(s, &c, &k->p, k->r, k->v, k->u, &out), NS_OK);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    ck_assert_str_eq(ns_multibody_used(s), "nsgs");
  }
  size_t bytes = ns_multibody_bytes(s);
  ns_multibody_destroy(s);
  return bytes;
}

/* Where sweeps solve a problem, "auto" needs no memory for other methods. */
START_TEST(auto_holds_what_sweeps_do)
{
  many k = _i ? many_balls(12) : many_disks(50);
  ck_assert_uint_le(held_by("auto", &k), held_by("nsgs", &k) + 1000);
  many_free(&k);
}
END_TEST

/* W^-1 that are diagonal are the same to the bit where their diagonals alone are given, whatever
 * solves the problem. */
START_TEST(diagonals_alone)
{
  static const char *const name[] = {"auto", "nsgs", "augmented", "reduced"};
  int dof = _i % 2 ? 3 : 6, by = _i / 2 % 4, round = _i >= 8;
  many k = many_random(30, dof, 40, round ? FRICTION : ALL);
  double v[6 * 30], r[6 * 40], diagonal[6 * 30], *full = k.inverse;
  for (int i = 0; i < 30 * dof * dof; i++) {
    double w = 0.5 + uniform();
    if (round && i % (dof * dof)) w = full[i / (dof * dof) * dof * dof];
    full[i] = i % (dof * dof) % (dof + 1) ? 0 : w;
    if (full[i] != 0) diagonal[i / (dof * dof) * dof + i % (dof * dof) / (dof + 1)] = w;
  }
  for (int a = 0; a < k.p.nblocks; a++) k.mu[a] *= 0.3;
  ns_outcome one = solved_by_any(name[by], &k);
  memcpy(v, k.v, (size_t)(30 * dof) * sizeof *v);
  memcpy(r, k.r, rows(&k) * sizeof *r);
  forget(&k);
  k.p.inverse = diagonal;
  k.p.diagonal = 1;
  ns_outcome two = solved_by_any(name[by], &k);
  ck_assert_int_eq(one.kind, two.kind);
  ck_assert_mem_eq(&one.residual, &two.residual, sizeof one.residual);
  ck_assert_mem_eq(v, k.v, (size_t)(30 * dof) * sizeof *v);
  ck_assert_mem_eq(r, k.r, rows(&k) * sizeof *r);
  many_free(&k);
}
END_TEST

/* Contacts far from the origin, whose points are rounded: they stay what they are. */
START_TEST(levers_are_rounded)
{
  many k = _i ? many_balls(4) : many_disks(8);
  int n = k.p.nblocks, dof = k.p.dof, lin = dof / 2 + dof % 2;
  for (int e = 0; e < 2 * (int)rows(&k); e++)
    for (int j = lin; j < dof; j++) k.H[dof * e + j] += (_i ? 1e-12 : 5e-12) * signedu();
  ns_arena *a = ns_arena_create(0, 1);
  ns_sweep s;
  int *block = ns_arena_get(a, (size_t)n, sizeof *block),
      *number = ns_arena_get(a, (size_t)k.p.nbodies, sizeof *number);
  for (int i = 0; i < n; i++) block[i] = i;
  for (int i = 0; i < k.p.nbodies; i++) number[i] = -1;
  ck_assert(ns_sweep_load(&k.p, (ns_multibody_part){n, block}, NULL, number, NULL, a, &s));
  for (int i = 0; i < n; i++) ck_assert_int_eq(s.visit[i].kind, _i ? NS_VISIT_BALL : NS_VISIT_DISK);
  ck_assert_int_eq(solved_by("nsgs", 1e-10, 0, 1, &k).kind, NS_SOLVED);
  ns_arena_destroy(a);
  many_free(&k);
}
END_TEST

/* What sweeps hold of a contact of balls and its share of the bodies. */
START_TEST(balls_take_few_bytes)
{
  many k = many_balls(16);
  if (_i) turn_bodies(&k);
  ck_assert_uint_le(held_by("nsgs", &k), 340 * (size_t)k.p.nblocks);
  many_free(&k);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, velocities_are_those_of_the_reduced_problem, 0, 2);
  tcase_add_loop_test(t, balls, 0, 3);
  tcase_add_test(t, disks);
  tcase_add_loop_test(t, normals, 0, 2);
  tcase_add_test(t, solvers_of_one_contact);
  tcase_add_loop_test(t, redundant_equalities, 0, 3);
  tcase_add_loop_test(t, contradictions, 0, 3);
  tcase_add_loop_test(t, threads_leave_the_bytes, 0, 10);
  tcase_add_loop_test(t, bounds_that_are_not_given, 0, 24);
  tcase_add_loop_test(t, clusters_share_no_body, 0, 2);
  tcase_add_loop_test(t, diagonals_alone, 0, 16);
  tcase_add_loop_test(t, levers_are_rounded, 0, 2);
  tcase_add_loop_test(t, balls_take_few_bytes, 0, 2);
  tcase_add_loop_test(t, four_at_once_leave_the_bytes, 0, 9);
  tcase_add_loop_test(t, one_body_with_very_many_contacts, 0, 2);
  tcase_add_test(t, parts_do_not_mix);
  tcase_add_test(t, not_a_number);
  tcase_add_loop_test(t, auto_holds_what_sweeps_do, 0, 2);
}

int main(void) { return suite_run("multibody_nsgs", fill); }
