/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Touches against what they are defined by: support functions, samples of the surfaces, closed
 * forms. */
#include "collision/touch.h"
#include "collision/touch_parts.h"
#include "support/cloud.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static ns_placed place(const ns_shape *s, double x, double y, double z)
{
  return (ns_placed){s, {x, y, z}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

static void turn(ns_placed *p, const double *phi)
{
  double q[4];
  ns_quaternion_exp(phi, q);
  ns_quaternion_unit(q);
  ns_quaternion_matrix(q, p->R);
}

static void anyhow(ns_placed *p, double spread)
{
  double phi[3];
  direction(phi);
  for (int i = 0; i < 3; i++) {
    p->at[i] = uniform(-spread, spread);
    phi[i] *= uniform(0, 3);
  }
  turn(p, phi);
}

/* h(d) = max d.x over the shape. */
static double support(const ns_placed *p, const double *d)
{
  const ns_shape *s = p->shape;
  double l[3], h = ns_dot3(d, p->at);
  ns_mul3t(p->R, d, l);
  switch (s->kind) {
  case NS_SHAPE_SPHERE: return h + s->radius;
  case NS_SHAPE_CAPSULE: return h + s->half[2] * fabs(l[2]) + s->radius;
  case NS_SHAPE_CYLINDER: return h + s->half[2] * fabs(l[2]) + s->radius * hypot(l[0], l[1]);
  default: return h + ns_dot3(l, s->polytope->vertex + 3 * ns_polytope_support(s->polytope, l));
  }
}

/* How far apart along d, from b to a. */
static double apart(const ns_placed *a, const ns_placed *b, const double *d)
{
  double minus[3] = {-d[0], -d[1], -d[2]};
  return -support(a, minus) - support(b, d);
}

/* No two axes are nearly parallel: else a face is taken where the shortest way is a hair's breadth
 * off it. */
static int is_generic(const ns_placed *a, const ns_placed *b)
{
  for (int i = 0; i < 9; i++)
    if (fabs(ns_dot3(a->R + 3 * (i % 3), b->R + 3 * (i / 3))) > 1 - 1e-4) return 0;
  return 1;
}

static ns_arena *mem;
static ns_shape shapes[5];
enum { SPHERE, CAPSULE, BOX, SLAB, CYLINDER };

static void make(void)
{
  mem = ns_arena_create(0, 1);
  ck_assert(ns_shape_sphere(&shapes[SPHERE], 0.4));
  ck_assert(ns_shape_capsule(&shapes[CAPSULE], 0.2, 0.5));
  ck_assert(ns_shape_box(&shapes[BOX], mem, (double[]){0.5, 0.4, 0.3}));
  ck_assert(ns_shape_box(&shapes[SLAB], mem, (double[]){1, 0.8, 0.1}));
  ck_assert(ns_shape_cylinder(&shapes[CYLINDER], 0.4, 0.3));
}

static void drop(void) { ns_arena_destroy(mem); }

static double min(const ns_touches *t)
{
  double g = INFINITY;
  for (int i = 0; i < t->count; i++) g = fmin(g, t->at[i].gap);
  return g;
}

/* An axis within 1.4e-3 rad of a face's normal is taken for it: what that changes in a lever of 1
 * m. */
static const double tilt = 2e-3;

/* The axis is one that parts the shapes by no less than any other; the least gap is that along it.
 */
static void check_pair(const ns_placed *a, const ns_placed *b, double margin, int *overlapping)
{
  ns_touches t = {0}, back = {0};
  ns_touch_shapes(a, b, margin, &t);
  ns_touch_shapes(b, a, margin, &back);
  ck_assert_int_eq(t.count, back.count);
  if (t.count) ck_assert_double_eq_tol(min(&t), min(&back), tilt);
  *overlapping = t.count && min(&t) < 0;
  for (int i = 0; i < t.count; i++) {
    const ns_touch *c = &t.at[i];
    double d[3];
    ns_sub3(c->p1, c->p2, d);
    ck_assert_double_eq_tol(ns_norm3(c->n), 1, 1e-14);
    ck_assert_double_eq_tol(ns_dot3(d, c->n), c->gap, 1e-14);
    ck_assert_double_le(fabs(ns_norm3(d) - fabs(c->gap)), 1e-12); /* they differ along n */
    if (c->gap == min(&t) && a->shape->polytope && b->shape->polytope)
      ck_assert_double_eq_tol(apart(a, b, c->n), c->gap, tilt);
    for (int k = 0; k < 40 && *overlapping && min(&t) > -0.15; k++) {
      double n[3];
      direction(n);
      for (int j = 0; j < 3; j++) n[j] = c->n[j] + 0.3 * n[j];
      ns_unit3(n);
      ck_assert_msg(apart(a, b, n) <= min(&t) + tilt, "kinds %d %d: %g along one, %g along another",
                    a->shape->kind, b->shape->kind, min(&t), apart(a, b, n));
    }
  }
  ns_touches_fini(&t);
  ns_touches_fini(&back);
}

START_TEST(shapes_are_parted_by_the_shortest_way)
{
  static const int pairs[][2] = {{SPHERE, SPHERE},    {SPHERE, CAPSULE},  {SPHERE, BOX},
                                 {SPHERE, CYLINDER},  {CAPSULE, CAPSULE}, {BOX, BOX},
                                 {BOX, SLAB},         {SLAB, SLAB},       {CYLINDER, CYLINDER},
                                 {CYLINDER, CAPSULE}, {CYLINDER, BOX},    {CYLINDER, SLAB}};
  int overlapping = 0, all = 0, some;
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
    for (int i = 0; i < 2000; i++) {
      ns_placed a = place(&shapes[pairs[k][0]], 0, 0, 0), b = place(&shapes[pairs[k][1]], 0, 0, 0);
      anyhow(&a, 0.7);
      anyhow(&b, 0.7);
      if (!is_generic(&a, &b)) continue;
      check_pair(&a, &b, 0.05, &some);
      overlapping += some;
      all++;
    }
  ck_assert_int_gt(overlapping, all / 4);
}
END_TEST

/* The most that any direction parts them by, found by trial: their distance where they are apart.
 */
static double distance(const ns_placed *a, const ns_placed *b)
{
  double best[3] = {0, 0, 1}, max = -INFINITY, step = 2;
  for (int k = 0; k < 900; k++) {
    double n[3];
    direction(n);
    ns_axpy3(best, step, n, n);
    ns_unit3(n);
    double s = apart(a, b, n);
    if (s > max) {
      max = s;
      memcpy(best, n, sizeof n);
    } else if (k > 100) {
      step = fmax(0.99 * step, 1e-4);
    }
  }
  return max;
}

/* Where no touch is found they are farther apart than the margin; what is found is no farther than
 * they are. */
START_TEST(what_is_near_is_found)
{
  static const int pairs[][2] = {{BOX, BOX},           {BOX, SLAB},         {SPHERE, BOX},
                                 {SPHERE, CYLINDER},   {CAPSULE, CAPSULE},  {CAPSULE, BOX},
                                 {CYLINDER, CYLINDER}, {CYLINDER, CAPSULE}, {CYLINDER, BOX},
                                 {CYLINDER, SLAB}};
  enum { PAIRS = sizeof pairs / sizeof *pairs };
  int missed = 0, found = 0;
  for (int i = 0; i < PAIRS * 600; i++) {
    const int *k = pairs[i % PAIRS];
    ns_placed a = place(&shapes[k[0]], 0, 0, 0), b = place(&shapes[k[1]], 0, 0, 0);
    ns_touches t = {0};
    anyhow(&a, 0.8);
    anyhow(&b, 0.8);
    ns_touch_shapes(&a, &b, 0.2, &t);
    double d = distance(&a, &b);
    if (t.count) {
      if (d > 0)
        ck_assert_msg(min(&t) >= d - 1e-12, "kinds %d %d: %g apart, found %g", k[0], k[1], d,
                      min(&t));
      if (d > 0) found++;
      ck_assert_double_lt(min(&t), 0.2);
    } else {
      /* of what the trials leave */
      ck_assert_msg(d >= 0.2 - 1e-3, "kinds %d %d: %g apart", k[0], k[1], d);
      missed++;
    }
    ns_touches_fini(&t);
  }
  ck_assert_int_gt(missed, 600);
  ck_assert_int_gt(found, 600);
}
END_TEST

START_TEST(a_box_rests_on_four_corners)
{
  for (int k = 0; k < 200; k++) {
    double z = 0.3 + 0.1 + pow(10, uniform(-12, -2)) * (k % 2 ? 1 : -1), angle = uniform(-3, 3),
           x = uniform(-0.1, 0.1);
    ns_placed a = place(&shapes[BOX], x, 0, z), b = place(&shapes[SLAB], 0, 0, 0),
              floor = place(NULL, 0, 0, 0.1);
    ns_shape plane;
    ns_touches t = {0}, p = {0};
    ns_shape_plane(&plane);
    floor.shape = &plane;
    turn(&a, (double[]){0, 0, angle});
    ns_touch_shapes(&a, &b, 0.02, &t);
    ns_touch_shapes(&a, &floor, 0.02, &p);
    ck_assert_int_eq(t.count, 4);
    ck_assert_int_eq(p.count, 4);
    for (int i = 0; i < 4; i++) {
      ck_assert_double_eq_tol(t.at[i].gap, z - 0.4, 1e-15);
      ck_assert_double_eq_tol(p.at[i].gap, z - 0.4, 1e-15);
      ck_assert_double_eq_tol(t.at[i].n[2], 1, 1e-15);
      int found = 0; /* the same points */
      for (int j = 0; j < 4; j++)
        found += hypot(t.at[i].p1[0] - p.at[j].p1[0], t.at[i].p1[1] - p.at[j].p1[1]) < 1e-14;
      ck_assert_int_eq(found, 1);
    }
    ns_touches_fini(&t);
    ns_touches_fini(&p);
  }
}
END_TEST

/* Features of a resting box stay while it slides and shakes a little, and differ among themselves.
 */
START_TEST(features_stay_and_differ)
{
  uint64_t first[8];
  for (int k = 0; k < 100; k++) {
    ns_placed a = place(&shapes[BOX], 0.3 + 1e-3 * k, 0.1, 0.4 - 1e-4),
              b = place(&shapes[SLAB], 0, 0, 0);
    ns_touches t = {0};
    turn(&a, (double[]){uniform(-1e-5, 1e-5), uniform(-1e-5, 1e-5), 0.3});
    ns_touch_shapes(&a, &b, 0.02, &t);
    ck_assert_int_eq(t.count, 4);
    for (int i = 0; i < 4; i++) {
      if (k == 0) first[i] = t.at[i].feature;
      ck_assert_uint_eq(t.at[i].feature, first[i]);
      for (int j = 0; j < i; j++) ck_assert_uint_ne(t.at[i].feature, t.at[j].feature);
    }
    ns_touches_fini(&t);
  }
}
END_TEST

/* Boxes that meet in an edge or a corner, as bricks in bond do, are parted as much by two or three
 * faces: which one says so is not for rounding, whatever their axes. */
START_TEST(rounding_has_no_say_where_edges_meet)
{
  const double *half = shapes[BOX].half, tiny = 1e-10;
  for (int k = 0; k < 60; k++) {
    double common[3], q[4], side[3];
    ns_touch first[4];
    int count = 0;
    direction(common);
    for (int i = 0; i < 3; i++) common[i] *= uniform(0, 3);
    for (int i = 0; i < 3; i++) side[i] = (k & 1 << i ? 2 : -2) * half[i];
    if (k % 3) side[k % 3] = uniform(-1, 1) * half[k % 3]; /* along an edge */
    for (int again = 0; again < 20; again++) {
      double at[3];
      ns_touches t = {0};
      ns_placed b = place(&shapes[BOX], uniform(-tiny, tiny), uniform(-tiny, tiny), 0), a = b;
      turn(&b, common);
      ns_mul3(b.R, side, at);
      for (int i = 0; i < 3; i++) a.at[i] += at[i] + uniform(-tiny, tiny);
      ns_quaternion_exp(common, q);
      for (int i = 0; i < 4; i++) q[i] += uniform(-tiny, tiny);
      ns_quaternion_unit(q);
      ns_quaternion_matrix(q, a.R);
      ns_touch_shapes(&a, &b, 0.02, &t);
      ck_assert_int_gt(t.count, 0);
      if (!again) count = t.count;
      ck_assert_int_eq(t.count, count);
      ck_assert_int_le(count, 4);
      for (int i = 0; i < count; i++) {
        if (!again) first[i] = t.at[i];
        ck_assert_uint_eq(t.at[i].feature, first[i].feature);
        ck_assert_double_ge(ns_dot3(t.at[i].n, first[i].n), 1 - 1e-8);
      }
      ns_touches_fini(&t);
    }
  }
}
END_TEST

/* Distances to what was sampled. */
START_TEST(capsules_and_spheres_by_samples)
{
  for (int i = 0; i < 1200; i++) {
    int kind = i % 3 == 0 ? CAPSULE : i % 3 == 1 ? BOX : SLAB;
    ns_placed a = place(&shapes[CAPSULE], 0, 0, 0), b = place(&shapes[kind], 0, 0, 0),
              ball = place(&shapes[SPHERE], 0, 0, 0);
    ns_touches t = {0};
    ns_shape point;
    double nearest = INFINITY;
    anyhow(&a, 0.9);
    anyhow(&b, 0.9);
    ns_touch_shapes(&a, &b, 10, &t);
    ns_shape_sphere(&point, 1e-12);
    ball.shape = &point;
    for (int k = 0; k <= 400; k++) { /* balls on the axis of the capsule */
      ns_touches s = {0};
      ns_axpy3(a.at, 0.5 * (k / 200.0 - 1), a.R + 6, ball.at);
      ns_touch_shapes(&ball, &b, 10, &s);
      nearest = fmin(nearest, min(&s) - 0.2);
      ns_touches_fini(&s);
    }
    ck_assert_int_ge(t.count, 1);
    if (nearest > -0.2) { /* the axis is outside: a sample is at most a step of 2.5 mm off */
      ck_assert_double_le(min(&t), nearest + 1e-9);
      ck_assert_double_ge(min(&t), nearest - 2.5e-3);
    }
    ns_touches_fini(&t);
  }
}
END_TEST

START_TEST(flat_rims_and_lines_of_cylinders)
{
  ns_shape plane;
  ns_shape_plane(&plane);
  ns_placed floor = place(&plane, 0, 0, 0), up = place(&shapes[CYLINDER], 0, 0, 0.3 - 1e-6),
            lying = place(&shapes[CYLINDER], 1, 2, 0.4);
  ns_touches t = {0};
  ns_touch_shapes(&up, &floor, 0.01, &t);
  ck_assert_int_eq(t.count, 8);
  double sum[3] = {0};
  for (int i = 0; i < 8; i++) {
    ck_assert_double_eq_tol(t.at[i].gap, -1e-6, 1e-15);
    ck_assert_double_eq_tol(hypot(t.at[i].p1[0], t.at[i].p1[1]), 0.4, 1e-15);
    ns_axpy3(sum, 1, t.at[i].p1, sum);
  }
  ck_assert_double_le(hypot(sum[0], sum[1]), 1e-14);
  t.count = 0;
  turn(&lying, (double[]){1.57079632679489661923, 0, 0});
  ns_touch_shapes(&lying, &floor, 0.01, &t);
  ck_assert_int_eq(t.count, 2);
  for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(t.at[i].gap, 0, 1e-15);
  ck_assert_double_eq_tol(fabs(t.at[0].p1[1] - t.at[1].p1[1]), 0.6, 1e-15);
  ns_touches_fini(&t);
}
END_TEST

/* Inertia against sums over points 1 cm apart, of the hundredth that those are off; of a box in
 * closed form. */
START_TEST(solids_by_sums_over_points)
{
  double v, c[3], I[9];
  ck_assert(ns_shape_solid(&shapes[BOX], &v, c, I));
  ck_assert_double_eq_tol(v, 0.48, 1e-15);
  ck_assert_double_eq_tol(I[0], (0.16 + 0.09) / 3, 1e-15);
  ck_assert_double_eq_tol(I[4], (0.25 + 0.09) / 3, 1e-15);
  ck_assert_double_eq_tol(I[8], (0.25 + 0.16) / 3, 1e-15);
  ck_assert_double_le(fabs(I[1]) + fabs(I[2]) + fabs(I[5]) + ns_norm3(c), 1e-15);
  for (int kind = 0; kind < 3; kind++) {
    const ns_shape *s = &shapes[kind == 0 ? SPHERE : kind == 1 ? CAPSULE : CYLINDER];
    double sums[4] = {0}, x[3], h = 0.01;
    for (x[0] = -0.5 + h / 2; x[0] < 0.5; x[0] += h)
      for (x[1] = -0.5 + h / 2; x[1] < 0.5; x[1] += h)
        for (x[2] = -0.8 + h / 2; x[2] < 0.8; x[2] += h) {
          double r = hypot(x[0], x[1]), l = fmax(fabs(x[2]) - s->half[2], 0);
          int in = s->kind == NS_SHAPE_CYLINDER ? r <= s->radius && l == 0
                                                : hypot(r, l) <= s->radius;
          if (!in) continue;
          sums[0] += h * h * h;
          sums[1] += h * h * h * (x[1] * x[1] + x[2] * x[2]);
          sums[2] += h * h * h * r * r;
        }
    ck_assert(ns_shape_solid(s, &v, c, I));
    ck_assert_double_eq_tol(v, sums[0], 1e-2 * v);
    ck_assert_double_eq_tol(I[0], sums[1] / sums[0], 1e-2 * I[0]);
    ck_assert_double_eq_tol(I[8], sums[2] / sums[0], 1e-2 * I[8]);
    ck_assert_double_eq_tol(I[4], I[0], 1e-15);
  }
}
END_TEST

START_TEST(bounds_hold_the_shape)
{
  for (int i = 0; i < 1000; i++) {
    ns_placed p = place(&shapes[i % 5], 0, 0, 0);
    double low[3], high[3];
    anyhow(&p, 1);
    ns_placed_bounds(&p, 0, low, high);
    for (int k = 0; k < 3; k++) {
      double d[3] = {k == 0, k == 1, k == 2}, m[3] = {-(k == 0), -(k == 1), -(k == 2)};
      ck_assert_double_eq_tol(support(&p, d), high[k], 1e-14);
      ck_assert_double_eq_tol(-support(&p, m), low[k], 1e-14);
    }
  }
}
END_TEST

/* The most that a search at random finds, by steps of 1 to 1e-5. */
static double parted_most(const ns_placed *a, const ns_placed *b)
{
  enum { TRIES = 1500 };
  double best[3] = {0, 0, 1}, most = apart(a, b, best);
  for (int i = 0; i < TRIES; i++) {
    double n[3], step = pow(10, uniform(-5, 0));
    direction(n);
    for (int j = 0; j < 3; j++) n[j] = best[j] + (i < TRIES / 5 ? 10 : step) * n[j];
    ns_unit3(n);
    if (!(apart(a, b, n) > most)) continue;
    most = apart(a, b, n);
    memcpy(best, n, sizeof best);
  }
  return most;
}

/* Cylinders of any proportions, in any pose, also with axes that are nearly or exactly parallel or
 * at right angles, a hundredth to 1e-8 of the smallest dimension apart or inside: no direction
 * parts them by more than what is found. */
START_TEST(cylinders_are_parted_the_most)
{
  static const double TURN[] = {0, 1e-7, 1e-3, 1.57079632679489661923};
  static const double GAP[] = {-1e-2, -1e-4, -1e-8, 1e-8, 1e-4, 1e-2};
  cloud_seed = 20;
  for (int i = 0; i < 1200; i++) {
    ns_shape one, two;
    double d[3], Q[9], R[9], q[4], low = 0, high = 20, shift[3];
    double size[4];
    for (int k = 0; k < 4; k++)
      size[k] = k > 1 && i % 3 == 0 ? size[k - 2] : pow(10, uniform(-1.7, 0.3));
    ns_shape_cylinder(&one, size[0], size[1]);
    ns_shape_cylinder(&two, size[2], size[3]);
    ns_placed a = place(&one, 0, 0, 0), b = place(&two, 0, 0, 0);
    anyhow(&a, 0);
    anyhow(&b, 0);
    if (i % 7 < 4) { /* turned from the other about a line across, or any line */
      direction(d);
      if (i % 7 == 3) d[2] = 0;
      ns_scale(3, TURN[i % 7] / ns_norm3(d), d);
      ns_quaternion_exp(d, q);
      ns_quaternion_matrix(q, Q);
      ns_matmul3(a.R, Q, R);
      memcpy(b.R, R, sizeof R);
    }
    direction(d);
    direction(shift);
    double smallest = fmin(fmin(size[0], size[1]), fmin(size[2], size[3]));
    double gap = GAP[i / 7 % 6] * smallest, reach = fmin(one.reach, two.reach);
    double aside = i % 5 ? uniform(0, 1) * fmin(size[0], size[2]) : 0;
    for (int k = 0; k < 50; k++) {
      double at = (low + high) / 2;
      for (int j = 0; j < 3; j++) a.at[j] = at * d[j] + aside * shift[j];
      if (ns_cylinders_apart(&a, &b, INFINITY) < gap) low = at;
      else high = at;
    }
    double found = ns_cylinders_apart(&a, &b, INFINITY), most = parted_most(&a, &b);
    ck_assert_msg(most <= found + 1e-9 * reach, "%d: parted by %.9g, but found %.9g", i, most,
                  found);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_checked_fixture(t, make, drop);
  tcase_set_timeout(t, 60);
  tcase_add_test(t, shapes_are_parted_by_the_shortest_way);
  tcase_add_test(t, what_is_near_is_found);
  tcase_add_test(t, a_box_rests_on_four_corners);
  tcase_add_test(t, features_stay_and_differ);
  tcase_add_test(t, rounding_has_no_say_where_edges_meet);
  tcase_add_test(t, capsules_and_spheres_by_samples);
  tcase_add_test(t, flat_rims_and_lines_of_cylinders);
  tcase_add_test(t, cylinders_are_parted_the_most);
  tcase_add_test(t, solids_by_sums_over_points);
  tcase_add_test(t, bounds_hold_the_shape);
}

int main(void) { return suite_run("touch", fill); }
