/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Touches in the plane: closed forms at rest, the axis that parts most for random poses, names that
 * stay, chains without bumps, a scene of planar bodies; laminas; polygons that are none. */
#include "collision/scene.h"
#include "support/cloud.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>

enum { DISC, BOX, SLAB, PENTAGON, LINE, KINDS };
static ns_shape shapes[KINDS];
static ns_arena *mem;
static ns_ctx ctx;

static void polygon(ns_shape *s, int n, const double *x)
{
  ck_assert_int_eq(ns_shape_polygon(s, &ctx, "polygon", mem, n, x), NS_OK);
}

static void rectangle(ns_shape *s, double a, double b)
{
  polygon(s, 4, (double[]){-a, -b, a, -b, a, b, -a, b});
}

static void make(void)
{
  double x[10];
  ctx = (ns_ctx){0};
  mem = ns_arena_create(0, 1);
  for (int i = 0; i < 5; i++) {
    x[2 * i] = cos(i * 1.25663706143591729539);
    x[2 * i + 1] = sin(i * 1.25663706143591729539);
  }
  ck_assert(ns_shape_disk(&shapes[DISC], 0.5) && ns_shape_plane(&shapes[LINE]));
  rectangle(&shapes[BOX], 0.5, 0.5);
  rectangle(&shapes[SLAB], 2, 0.25);
  polygon(&shapes[PENTAGON], 5, x);
}

static void drop(void) { ns_arena_destroy(mem); }

/* At (x, y), turned by an angle; lines have their normal along x before. */
static ns_placed put(int kind, double x, double y, double angle)
{
  ns_placed p = {&shapes[kind], {x, y, 0}, {0}};
  double c = cos(angle), s = sin(angle), lying[9] = {0, 0, 1, s, -c, 0, c, s, 0},
         upright[9] = {c, s, 0, -s, c, 0, 0, 0, 1};
  memcpy(p.R, kind == LINE ? lying : upright, sizeof p.R);
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
    {"disc at a corner",
     DISC,
     BOX,
     1,
     {0.5 + 0.5 * HALF_ROOT, 0.5 + 0.5 * HALF_ROOT},
     0,
     {HALF_ROOT, HALF_ROOT},
     0},
    {"box on box", BOX, BOX, 2, {0, 1}, 0, {0, 1}, 0},
    {"box on box, shifted", BOX, BOX, 2, {0.3, 1}, 0, {0, 1}, 0},
    {"box on slab", BOX, SLAB, 2, {0.3, 0.75}, 0, {0, 1}, 0},
    {"slab on box", SLAB, BOX, 2, {0.3, 0.75}, 0, {0, 1}, 0},
    {"slab over the end of a slab", SLAB, SLAB, 2, {3, 0.5}, 0, {0, 1}, 0},
    {"corner on slab", BOX, SLAB, 1, {0, 0.25 + HALF_ROOT}, RIGHT / 2, {0, 1}, 0},
    {"pentagon on slab", PENTAGON, SLAB, 2, {0, 0.25 + 0.80901699437494742410}, RIGHT, {0, 1}, 0},
    {"box on line", BOX, LINE, 2, {0, 0.5}, 0, {0, 1}, RIGHT},
    {"disc on line", DISC, LINE, 1, {0.3, 0.5}, 1, {0, 1}, RIGHT},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Gaps and normals to rounding at any gap, either way round, with the same names. */
START_TEST(rest_is_exact)
{
  static const double gaps[] = {0, 1e-12, -1e-12, 1e-9, -1e-9, 1e-3, -1e-3};
  uint64_t first[2] = {0};
  for (int k = 0; k < 70; k++) {
    double g = gaps[k % 7], w = k < 7 ? 0 : uniform(-3, 3), c = cos(w), s = sin(w),
           x = rows[_i].at[0] + g * rows[_i].n[0], y = rows[_i].at[1] + g * rows[_i].n[1];
    double n[2] = {c * rows[_i].n[0] - s * rows[_i].n[1], s * rows[_i].n[0] + c * rows[_i].n[1]};
    ns_placed a = put(rows[_i].a, c * x - s * y, s * x + c * y, rows[_i].turn + w),
              b = put(rows[_i].b, 0, 0, rows[_i].base + w);
    ns_touches t = {0}, back = {0};
    ns_touch_planar(&a, &b, 0.01, &t);
    ns_touch_planar(&b, &a, 0.01, &back);
    ck_assert_msg(t.count == rows[_i].count && back.count == t.count, "%s: %d and %d touches at %g",
                  rows[_i].what, t.count, back.count, g);
    for (int i = 0; i < t.count; i++) {
      const ns_touch *m = &t.at[i], *l = &back.at[i];
      ck_assert_msg(fabs(m->gap - g) < 2e-15 && fabs(l->gap - g) < 2e-15, "%s: gap %g is off by %g",
                    rows[_i].what, g, m->gap - g);
      ck_assert_msg(fabs(m->n[0] - n[0]) + fabs(m->n[1] - n[1]) < 3e-15, "%s: normal %g %g",
                    rows[_i].what, m->n[0], m->n[1]);
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
  double h = x * p->at[0] + y * p->at[1], max = p->shape->ncorners ? -INFINITY : 0;
  for (int i = 0; i < p->shape->ncorners; i++) {
    const double *X = p->shape->corner + 2 * i;
    max = fmax(max, x * (p->R[0] * X[0] + p->R[3] * X[1]) + y * (p->R[1] * X[0] + p->R[4] * X[1]));
  }
  return h + max + p->shape->radius;
}

/* The most that any of 7200 directions parts them by is the least gap: their distance, or minus the
 * least shift; within what half a step of 0.05 degrees changes in a lever of 2 m, 1 mm. */
START_TEST(they_are_parted_by_the_shortest_way)
{
  int apart = 0, overlap = 0;
  for (int trial = 0; trial < 1500; trial++) {
    ns_placed a = put(trial % 4, uniform(-1, 1), uniform(-1, 1), uniform(-3, 3)),
              b = put(trial / 4 % 4, uniform(-1, 1), uniform(-1, 1), uniform(-3, 3));
    double max = -INFINITY, min = INFINITY;
    ns_touches t = {0};
    ns_touch_planar(&a, &b, 0.3, &t);
    for (int k = 0; k < 7200; k++) {
      double x = cos(k * 8.7266462599716e-4), y = sin(k * 8.7266462599716e-4);
      max = fmax(max, -support(&a, -x, -y) - support(&b, x, y));
    }
    for (int i = 0; i < t.count; i++) min = fmin(min, t.at[i].gap);
    if (t.count == 0) ck_assert_double_ge(max, 0.3 - 1e-3);
    else if (max > 0)
      ck_assert_msg(min > max - 1e-12 && min < max + (t.at[0].gap > 0 ? 0.3 : 0),
                    "trial %d: %g, not %g", trial, min, max);
    else ck_assert_msg(fabs(min - max) < 1.5e-3, "trial %d: %g, not %g", trial, min, max);
    apart += t.count && max > 0;
    overlap += max < 0;
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
  /* its normal along y */
  k[5] = (ns_collider){.body = -1,
                       .shape = &shapes[LINE],
                       .turn = {HALF_ROOT, -HALF_ROOT, 0, 0},
                       .layers = 1,
                       .with = 1};
  for (int i = 0; i < 5; i++) {
    k[i] = (ns_collider){
        .body = i, .shape = &shapes[BOX], .turn = {1, 0, 0, 0}, .layers = 1, .with = 1};
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

/* ---- chains ---------------------------------------------------------------------------------- */

static ns_placed chain(ns_shape *s, int n, const double *x, int closed)
{
  ns_placed p = {s, {0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  ck_assert_int_eq(ns_shape_chain(s, &ctx, "chain", mem, n, x, closed), NS_OK);
  return p;
}

/* Segments of one line are one: a disk, a box, a box on its corner that slide along it, on either
 * side, 1e-4 in it, are held straight up by what they are in it; also where they have just passed
 * an end. */
START_TEST(a_straight_chain_has_no_ends)
{
  static const double line[] = {-3, 0, -1, 0, -0.25, 0, 0.5, 0, 0.75, 0, 3, 0},
                      heights[] = {0.5, 0.5, 0.70710678118654752440};
  const int kinds[] = {DISC, BOX, BOX};
  const double turns[] = {0.3, 0, RIGHT / 2}, in = 1e-4;
  ns_shape s;
  ns_placed c = chain(&s, 6, line, 0);
  for (int k = 0; k < 4001; k++) {
    double up = _i % 2 ? -1 : 1, x = -2 + 1e-3 * k + (k % 7 ? 1e-6 * (k % 7) : 0);
    ns_placed a = put(kinds[_i / 2], x, up * (heights[_i / 2] - in), turns[_i / 2]);
    ns_touches t = {0}, back = {0};
    ns_touch_planar(&a, &c, 1e-3, &t);
    ns_touch_planar(&c, &a, 1e-3, &back);
    ck_assert_int_ge(t.count, 1);
    ck_assert_int_eq(t.count, back.count);
    for (int i = 0; i < t.count; i++) {
      ck_assert_msg(fabs(t.at[i].gap + in) < 1e-15, "at %g: gap %g", x, t.at[i].gap);
      ck_assert_double_le(fabs(t.at[i].n[0]), 1e-15);
      ck_assert_double_eq_tol(t.at[i].n[1], up, 1e-15);
      ck_assert_double_eq_tol(back.at[i].n[1], -up, 1e-15);
      for (int j = 0; j < i; j++) ck_assert(t.at[i].feature != t.at[j].feature);
    }
    ns_touches_fini(&t);
    ns_touches_fini(&back);
  }
}
END_TEST

/* A disk in a corner is held by both sides and not by the point where they meet; over an edge by
 * the one point of both. */
START_TEST(chains_fold)
{
  static const double folded[] = {-2, 2, 0, 0, 2, 2, 4, 0};
  ns_shape s;
  ns_placed c = chain(&s, 4, folded, 0), in = put(DISC, 0, HALF_ROOT, 0.2),
            on = put(DISC, 2, 2.5, 0.2), through = put(DISC, 2, 2.3, 0);
  ns_touches t = {0};
  ns_touch_planar(&in, &c, 0.3, &t);
  ck_assert_int_eq(t.count, 2);
  for (int i = 0; i < 2; i++) {
    ck_assert_double_eq_tol(t.at[i].gap, 0, 1e-15);
    ck_assert_double_eq_tol(t.at[i].n[0], i ? -HALF_ROOT : HALF_ROOT, 1e-15);
    ck_assert_double_eq_tol(t.at[i].n[1], HALF_ROOT, 1e-15);
  }
  t.count = 0;
  ns_touch_planar(&on, &c, 0.3, &t);
  ck_assert_int_eq(t.count, 1);
  ck_assert_double_eq_tol(t.at[0].gap, 0, 1e-15);
  ck_assert_double_eq_tol(t.at[0].n[1], 1, 1e-15);
  uint64_t name = t.at[0].feature;
  t.count = 0;
  ns_touch_planar(&through, &c, 0.3, &t);
  ck_assert_int_eq(t.count, 1);
  ck_assert(t.at[0].feature == name);
  ck_assert_double_eq_tol(t.at[0].gap, -0.2, 1e-14);
  ns_touches_fini(&t);
}
END_TEST

/* A ring of chain holds a disk within: all around the same gap. */
START_TEST(closed_chains)
{
  static const double square[] = {-1, -1, 1, -1, 1, 1, -1, 1};
  ns_shape s;
  ns_placed c = chain(&s, 4, square, 1), a = put(DISC, -0.5, 0.25, 0);
  ns_touches t = {0};
  ns_touch_planar(&a, &c, 0.01, &t);
  ck_assert_int_eq(t.count, 1); /* of the segment that closes it */
  ck_assert_double_eq_tol(t.at[0].gap, 0, 1e-15);
  ck_assert_double_eq_tol(t.at[0].n[0], 1, 1e-15);
  ns_touches_fini(&t);
}
END_TEST

/* ---- shapes ---------------------------------------------------------------------------------- */

/* A triangle, far from its origin: area, centre and moment of inertia in closed form, (a^2 + b^2) /
 * 18 of one with a right angle. */
START_TEST(laminas)
{
  ns_shape s;
  double A, c[3], I[9];
  polygon(&s, 3, (double[]){1000, 2000, 1003, 2000, 1000, 2004});
  ck_assert(ns_shape_solid(&s, &A, c, I));
  ck_assert_double_eq_tol(A, 6, 1e-12);
  ck_assert_double_eq_tol(c[0], 1001, 1e-12);
  ck_assert_double_eq_tol(c[1], 2000 + 4 / 3.0, 1e-12);
  ck_assert_double_eq_tol(I[8], 25 / 18.0, 1e-13);
  ck_assert_double_eq_tol(I[1], 12 / 36.0, 1e-13); /* -Ixy, with Ixy = -ab / 36 */
  ck_assert(ns_shape_solid(&shapes[DISC], &A, c, I));
  ck_assert_double_eq_tol(A, 0.78539816339744830962, 1e-15);
  ck_assert_double_eq_tol(I[8], 0.125, 1e-16);
}
END_TEST

static const struct {
  const char *what;
  int n;
  double x[12];
} none[] = {
    {"has 2 points", 2, {0, 0, 1, 0}},
    {"clockwise", 4, {0, 0, 0, 1, 1, 1, 1, 0}},
    {"not convex: it turns right at point 3, (0.5, 0.2)", 4, {0, 0, 1, 0, 0.5, 0.2, 0.5, 1}},
    {"it winds 2 times",
     5,
     {1, 0, -0.80901699437494742410, 0.58778525229247312917, 0.30901699437494742410,
      -0.95105651629515357212, 0.30901699437494742410, 0.95105651629515357212,
      -0.80901699437494742410, -0.58778525229247312917}},
    {"points 1 and 2 are the same", 4, {0, 0, 0, 0, 1, 0, 0, 1}},
    {"points 4 and 1 are the same, (0, 0), expected different points; remove one of them: the last "
     "point is always connected to the first",
     4,
     {0, 0, 1, 0, 0, 1, 0, 0}},
    {"has no area", 3, {0, 0, 1, 1, 2, 2}},
    {"point 2 is (inf, 0)", 3, {0, 0, INFINITY, 0, 0, 1}},
};

START_TEST(polygons_that_are_none)
{
  ns_shape s;
  ck_assert_int_eq(ns_shape_polygon(&s, &ctx, "m.xml:3: <Polygon>", mem, none[_i].n, none[_i].x),
                   NS_MODEL);
  ck_assert_msg(strstr(ctx.msg, none[_i].what) && strstr(ctx.msg, "m.xml:3"), "%s", ctx.msg);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_checked_fixture(t, make, drop);
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, rest_is_exact, 0, ROWS);
  tcase_add_test(t, they_are_parted_by_the_shortest_way);
  tcase_add_test(t, planar_bodies_in_a_scene);
  tcase_add_loop_test(t, a_straight_chain_has_no_ends, 0, 6);
  tcase_add_test(t, chains_fold);
  tcase_add_test(t, closed_chains);
  tcase_add_test(t, laminas);
  tcase_add_loop_test(t, polygons_that_are_none, 0, sizeof none / sizeof *none);
}

int main(void) { return suite_run("planar", fill); }
