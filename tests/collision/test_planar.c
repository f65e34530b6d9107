/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Touches in the plane: closed forms at rest, the axis that parts most for random poses, names that stay, a scene of planar bodies. */
#include "collision/scene.h"
#include "support/cloud.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>

enum { DISC, BOX, SLAB, PRISM, CAPSULE, LINE, KINDS };
static ns_shape shapes[KINDS];
static ns_arena *mem;
static ns_ctx ctx;

static void make(void)
{
  ns_polytope *p;
  double x[30];
  ctx = (ns_ctx){0};
  mem = ns_arena_create(0, 1);
  for (int i = 0; i < 10; i++) { /* on a pentagon */
    x[3 * i] = cos(i % 5 * 1.25663706143591729539);
    x[3 * i + 1] = sin(i % 5 * 1.25663706143591729539);
    x[3 * i + 2] = i < 5 ? -1 : 1;
  }
  ck_assert_int_eq(ns_polytope_hull(&ctx, "prism", mem, 10, x, &p), NS_OK);
  ck_assert(ns_shape_sphere(&shapes[DISC], 0.5) && ns_shape_box(&shapes[BOX], mem, (double[]){0.5, 0.5, 1}));
  ck_assert(ns_shape_box(&shapes[SLAB], mem, (double[]){2, 0.25, 1}) && ns_shape_hull(&shapes[PRISM], p));
  ck_assert(ns_shape_capsule(&shapes[CAPSULE], 0.25, 1) && ns_shape_plane(&shapes[LINE]));
}

static void drop(void) { ns_arena_destroy(mem); }

/* At (x, y), turned by an angle; capsules and lines have their axis along x before. */
static ns_placed put(int kind, double x, double y, double angle)
{
  ns_placed p = {&shapes[kind], {x, y, 0}, {0}};
  double c = cos(angle), s = sin(angle), lying[9] = {0, 0, 1, s, -c, 0, c, s, 0}, upright[9] = {c, s, 0, -s, c, 0, 0, 0, 1};
  memcpy(p.R, kind == CAPSULE || kind == LINE ? lying : upright, sizeof p.R);
  return p;
}

#define RIGHT 1.57079632679489661923
#define HALF_ROOT 0.70710678118654752440

static const struct {
  const char *what;
  int a, b, count;
  double at[2], turn, n[2], base; /* base: the angle of b */
} rows[] = {
    {"disc on disc", DISC, DISC, 1, {0.6, 0.8}, 0, {0.6, 0.8}, 0},
    {"disc on slab", DISC, SLAB, 1, {1, 0.75}, 0, {0, 1}, 0},
    {"disc at a corner", DISC, BOX, 1, {0.5 + 0.5 * HALF_ROOT, 0.5 + 0.5 * HALF_ROOT}, 0, {HALF_ROOT, HALF_ROOT}, 0},
    {"box on box", BOX, BOX, 2, {0, 1}, 0, {0, 1}, 0},
    {"box on box, shifted", BOX, BOX, 2, {0.3, 1}, 0, {0, 1}, 0},
    {"box on slab", BOX, SLAB, 2, {0.3, 0.75}, 0, {0, 1}, 0},
    {"slab on box", SLAB, BOX, 2, {0.3, 0.75}, 0, {0, 1}, 0},
    {"slab over the end of a slab", SLAB, SLAB, 2, {3, 0.5}, 0, {0, 1}, 0},
    {"corner on slab", BOX, SLAB, 1, {0, 0.25 + HALF_ROOT}, RIGHT / 2, {0, 1}, 0},
    {"pentagon on slab", PRISM, SLAB, 2, {0, 0.25 + 0.80901699437494742410}, RIGHT, {0, 1}, 0},
    {"box on line", BOX, LINE, 2, {0, 0.5}, 0, {0, 1}, RIGHT},
    {"disc on line", DISC, LINE, 1, {0.3, 0.5}, 1, {0, 1}, RIGHT},
    {"capsule on line", CAPSULE, LINE, 2, {0.3, 0.25}, 0, {0, 1}, RIGHT},
    {"capsule on slab", CAPSULE, SLAB, 2, {0.3, 0.5}, 0, {0, 1}, 0},
    {"capsule over the end of a slab", CAPSULE, SLAB, 2, {2, 0.5}, 0, {0, 1}, 0},
    {"capsule on capsule", CAPSULE, CAPSULE, 2, {0.5, 0.5}, 0, {0, 1}, 0},
    {"capsule on its end", CAPSULE, SLAB, 1, {0.5, 1.5}, RIGHT, {0, 1}, 0},
    {"disc on capsule", DISC, CAPSULE, 1, {0.5, 0.75}, 0, {0, 1}, 0},
    {"disc at the end of a capsule", DISC, CAPSULE, 1, {1.75, 0}, 0, {1, 0}, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Gaps and normals to rounding at any gap, either way round, with the same names. */
START_TEST(rest_is_exact)
{
  static const double gaps[] = {0, 1e-12, -1e-12, 1e-9, -1e-9, 1e-3, -1e-3};
  uint64_t first[2] = {0};
  for (int k = 0; k < 70; k++) {
    double g = gaps[k % 7], w = k < 7 ? 0 : uniform(-3, 3), c = cos(w), s = sin(w), x = rows[_i].at[0] + g * rows[_i].n[0], y = rows[_i].at[1] + g * rows[_i].n[1];
    double n[2] = {c * rows[_i].n[0] - s * rows[_i].n[1], s * rows[_i].n[0] + c * rows[_i].n[1]};
    ns_placed a = put(rows[_i].a, c * x - s * y, s * x + c * y, rows[_i].turn + w), b = put(rows[_i].b, 0, 0, rows[_i].base + w);
    ns_touches t = {0}, back = {0};
    ns_touch_planar(&a, &b, 0.01, &t);
    ns_touch_planar(&b, &a, 0.01, &back);
    ck_assert_msg(t.count == rows[_i].count && back.count == t.count, "%s: %d and %d touches at %g", rows[_i].what, t.count, back.count, g);
    for (int i = 0; i < t.count; i++) {
      const ns_touch *m = &t.at[i], *l = &back.at[i];
      ck_assert_msg(fabs(m->gap - g) < 2e-15 && fabs(l->gap - g) < 2e-15, "%s: gap %g is off by %g", rows[_i].what, g, m->gap - g);
      ck_assert_msg(fabs(m->n[0] - n[0]) + fabs(m->n[1] - n[1]) < 3e-15, "%s: normal %g %g", rows[_i].what, m->n[0], m->n[1]);
      ck_assert_double_le(fabs(l->n[0] + n[0]) + fabs(l->n[1] + n[1]), 3e-15);
      ck_assert(m->p1[2] == 0 && m->p2[2] == 0 && m->n[2] == 0);
      if (k == 0) first[i] = m->feature;
      int found = 0;
      for (int j = 0; j < t.count; j++) found += m->feature == first[j];
      ck_assert_msg(found == 1, "%s: touch %d has another name", rows[_i].what, i);
    }
    ns_touches_fini(&t);
    ns_touches_fini(&back);
  }
}
END_TEST

static double support(const ns_placed *p, double x, double y)
{
  double d[3] = {x, y, 0}, l[3], h = ns_dot3(d, p->at);
  ns_mul3t(p->R, d, l);
  if (p->shape->kind == NS_SHAPE_SPHERE) return h + p->shape->radius;
  if (p->shape->kind == NS_SHAPE_CAPSULE) return h + p->shape->half[2] * fabs(l[2]) + p->shape->radius;
  return h + ns_dot3(l, p->shape->polytope->vertex + 3 * ns_polytope_support(p->shape->polytope, l));
}

/* The most that any of 7200 directions parts them by is the least gap: their distance, or minus the least shift; within what half a step
 * of 0.05 degrees changes in a lever of 2 m, 1 mm. */
START_TEST(they_are_parted_by_the_shortest_way)
{
  int apart = 0, overlap = 0;
  for (int trial = 0; trial < 1500; trial++) {
    ns_placed a = put(trial % 5, uniform(-1, 1), uniform(-1, 1), uniform(-3, 3)), b = put(trial / 5 % 5, uniform(-1, 1), uniform(-1, 1), uniform(-3, 3));
    double most = -INFINITY, least = INFINITY;
    ns_touches t = {0};
    ns_touch_planar(&a, &b, 0.3, &t);
    for (int k = 0; k < 7200; k++) {
      double x = cos(k * 8.7266462599716e-4), y = sin(k * 8.7266462599716e-4);
      most = fmax(most, -support(&a, -x, -y) - support(&b, x, y));
    }
    for (int i = 0; i < t.count; i++) least = fmin(least, t.at[i].gap);
    if (t.count == 0) ck_assert_double_ge(most, 0.3 - 1e-3);
    else if (most > 0) ck_assert_msg(least > most - 1e-12 && least < most + (t.at[0].gap > 0 ? 0.3 : 0), "trial %d: %g, not %g", trial, least, most);
    else ck_assert_msg(fabs(least - most) < 1.5e-3, "trial %d: %g, not %g", trial, least, most);
    apart += t.count && most > 0;
    overlap += most < 0;
    ns_touches_fini(&t);
  }
  ck_assert_int_gt(apart, 100);
  ck_assert_int_gt(overlap, 100);
}
END_TEST

/* A wall of bricks: q = x, y, angle; three on the ground, two above across their joints. */
START_TEST(planar_bodies_in_a_scene)
{
  ns_collider k[6];
  ns_scene *s;
  int n;
  const double at[5][2] = {{-1, 0.5}, {0.25, 0.5}, {1.5, 0.5}, {-0.4, 1.5}, {0.9, 1.5}};
  double q[15] = {0};
  k[5] = (ns_collider){.body = -1, .shape = &shapes[LINE], .turn = {HALF_ROOT, -HALF_ROOT, 0, 0}, .layers = 1, .with = 1}; /* its normal along y */
  for (int i = 0; i < 5; i++) {
    k[i] = (ns_collider){.body = i, .shape = &shapes[BOX], .turn = {1, 0, 0, 0}, .layers = 1, .with = 1};
    memcpy(q + 3 * i, at[i], sizeof at[i]);
  }
  ck_assert_int_eq(ns_scene_create_planar(&ctx, 6, k, &s), NS_OK);
  for (int step = 0; step < 3; step++) {
    ck_assert_int_eq(ns_scene_update(s, &ctx, q, 1e-3), NS_OK);
    const ns_scene_contact *c = ns_scene_contacts(s, &n);
    ck_assert_int_eq(n, 6 + 8);
    for (int i = 0; i < n; i++) {
      ck_assert_double_eq_tol(c[i].touch.gap, 0, 1e-15);
      ck_assert_double_eq_tol(fabs(c[i].touch.n[1]), 1, 1e-15);
      ck_assert_int_eq(c[i].was, step ? i : -1);
    }
  }
  ns_scene_destroy(s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_checked_fixture(t, make, drop);
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, rest_is_exact, 0, ROWS);
  tcase_add_test(t, they_are_parted_by_the_shortest_way);
  tcase_add_test(t, planar_bodies_in_a_scene);
}

int main(void) { return suite_run("planar", fill); }
