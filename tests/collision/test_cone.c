/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cones: solids and distances by samples; touches by the direction that parts two bodies by the gap
 * (support functions), and by two points of them that are the gap apart. */
#include "collision/touch.h"
#include "collision/touch_parts.h"
#include "support/poses.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>

static ns_arena *mem;
static ns_ctx ctx;
static ns_shape cone;
enum { BOX, ROUND, HULL, CAPSULE, CYLINDER, CONE, SPHERE, SHAPES };
static ns_shape shapes[SHAPES];

static void make(void)
{
  double x[30];
  mem = ns_arena_create(0, 1);
  ctx = (ns_ctx){0};
  ns_polytope *p;
  for (int i = 0; i < 10; i++) {
    direction(x + 3 * i);
    for (int k = 0; k < 3; k++) x[3 * i + k] *= 0.4;
  }
  ck_assert(!ns_polytope_hull(&ctx, "here", mem, 10, x, &p));
  ns_shape_hull(&shapes[HULL], p);
  ns_shape_cone(&cone, 0.4, 0.5);
  ns_shape_box(&shapes[BOX], mem, (double[]){0.5, 0.4, 0.3});
  ns_shape_box(&shapes[ROUND], mem, (double[]){0.5, 0.4, 0.3});
  ck_assert(!ns_shape_round(&shapes[ROUND], &ctx, "here", mem, 0.1));
  ns_shape_capsule(&shapes[CAPSULE], 0.2, 0.3);
  ns_shape_cylinder(&shapes[CYLINDER], 0.4, 0.2);
  ns_shape_cone(&shapes[CONE], 0.3, 0.3);
  ns_shape_sphere(&shapes[SPHERE], 0.3);
}

static void drop(void) { ns_arena_destroy(mem); }

static double support(const ns_placed *p, const double *d)
{
  const ns_shape *s = p->shape;
  double l[3], h = ns_dot3(d, p->at);
  ns_mul3t(p->R, d, l);
  double across = hypot(l[0], l[1]);
  switch (s->kind) {
  case NS_SHAPE_SPHERE: return h + s->radius;
  case NS_SHAPE_CAPSULE: return h + s->half[2] * fabs(l[2]) + s->radius;
  case NS_SHAPE_CYLINDER: return h + s->half[2] * fabs(l[2]) + s->radius * across;
  case NS_SHAPE_CONE: return h + fmax(s->half[2] * l[2], s->radius * across - s->half[2] * l[2]);
  default:
    return h + s->radius +
           ns_dot3(l, s->polytope->vertex + 3 * ns_polytope_support(s->polytope, l));
  }
}

static double apart(const ns_placed *a, const ns_placed *b, const double *n)
{
  double minus[3] = {-n[0], -n[1], -n[2]};
  return -support(a, minus) - support(b, n);
}

START_TEST(solid_by_sums_over_points)
{
  double v, c[3], I[9], sums[4] = {0}, x[3], h = 0.01;
  ck_assert(ns_shape_solid(&cone, &v, c, I));
  for (x[0] = -0.5 + h / 2; x[0] < 0.5; x[0] += h)
    for (x[1] = -0.5 + h / 2; x[1] < 0.5; x[1] += h)
      for (x[2] = -0.5 + h / 2; x[2] < 0.5; x[2] += h) {
        if (hypot(x[0], x[1]) > 0.4 * (0.5 - x[2])) continue;
        sums[0] += h * h * h;
        sums[1] += h * h * h * x[2];
        sums[2] += h * h * h * (x[0] * x[0] + x[1] * x[1]);
        sums[3] += h * h * h * (x[0] * x[0] + (x[2] - c[2]) * (x[2] - c[2]));
      }
  ck_assert_double_eq_tol(v / sums[0], 1, 2e-3);
  ck_assert_double_eq_tol(c[2], sums[1] / sums[0], 1e-3);
  ck_assert_double_eq_tol(I[8] * sums[0] / sums[2], 1, 5e-3);
  ck_assert_double_eq_tol(I[0] * sums[0] / sums[3], 1, 5e-3);
}
END_TEST

/* The distance of a point is the least over points of the surface, or inside, of planes. */
START_TEST(points_by_samples)
{
  for (int i = 0; i < 300; i++) {
    double x[3], y[3], n[3], max = -INFINITY;
    for (int k = 0; k < 3; k++) x[k] = uniform(-0.8, 0.8);
    ns_placed p = {&cone, {0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    double d = ns_cone_nearest(&cone, x, y, n);
    ck_assert_double_eq_tol(ns_norm3(n), 1, 1e-13);
    ck_assert_double_eq_tol(ns_dot3(n, x) - support(&p, n), d, 1e-13);
    for (int k = 0; k < 4000; k++) {
      double m[3];
      direction(m);
      max = fmax(max, ns_dot3(m, x) - support(&p, m));
    }
    ck_assert_double_le(max, d + 1e-13);
    ck_assert_double_le(d, max + 0.02);
  }
}
END_TEST

/* Apart or overlapping a little: no direction parts them by more than the least gap, which is what
 * its own normal does. */
START_TEST(gaps_are_certified)
{
  int kind = _i, open = 0, closed = 0;
  for (int i = 0; i < 1500; i++) {
    ns_placed a = anywhere(&cone, 0.6), b = anywhere(&shapes[kind], 0.6);
    ns_touches t = {0}, back = {0};
    int best = 0;
    ns_touch_shapes(&a, &b, 0.2, &t);
    ns_touch_shapes(&b, &a, 0.2, &back);
    if (kind != CONE) ck_assert_int_eq(t.count, back.count);
    for (int k = 0; k < t.count; k++) {
      double d[3];
      ns_sub3(t.at[k].p1, t.at[k].p2, d);
      ck_assert_double_eq_tol(ns_dot3(d, t.at[k].n), t.at[k].gap, 1e-12);
      if (t.at[k].gap < t.at[best].gap) best = k;
    }
    if (t.count) {
      const ns_touch *c = &t.at[best];
      /* a direction within 1.4e-3 rad of a flat one is taken for it, as of all shapes */
      double eps = c->gap > 0 ? 1e-3 : 2e-3;
      if (c->gap > -0.05)
        ck_assert_msg(fabs(apart(&a, &b, c->n) - c->gap) < eps, "%d: gap %.9g, parted by %.9g", i,
                      c->gap, apart(&a, &b, c->n));
      for (int k = 0; k < 60 && c->gap > -0.05; k++) {
        double n[3];
        direction(n);
        for (int j = 0; j < 3; j++) n[j] = c->n[j] + 0.4 * n[j];
        ns_unit3(n);
        ck_assert_msg(apart(&a, &b, n) <= c->gap + eps, "%d: %.9g along one, %.9g along another", i,
                      c->gap, apart(&a, &b, n));
      }
      open += c->gap > 0;
      closed += c->gap < 0 && c->gap > -0.05;
    }
    for (int k = 0; !t.count; k++) {
      double n[3];
      direction(n);
      if (apart(&a, &b, n) >= 0.2 - 1e-2) break;
      ck_assert_int_lt(k, 50000);
    }
    ns_touches_fini(&t);
    ns_touches_fini(&back);
  }
  ck_assert_int_gt(open, 100);
  ck_assert_int_gt(closed, 50);
}
END_TEST

/* On a plane and on a box: on the base, on the side, on the tip. */
START_TEST(stands_and_lies)
{
  ns_shape plane, slab;
  ns_shape_plane(&plane);
  ns_shape_box(&slab, mem, (double[]){3, 3, 0.5});
  double lean = atan2(2 * 0.5, 0.4); /* of the side against the base */
  for (int on = 0; on < 2; on++)
    for (int way = 0; way < 3; way++) {
      double turn = way == 0 ? 0 : way == 1 ? acos(-1) - lean : acos(-1), q[4] = {1, 0, 0, 0};
      double gap = 1e-3, R = 0.4, h = 0.5, phi[3] = {turn, 0, 0};
      ns_quaternion_exp(phi, q);
      ns_placed a = {.shape = &cone},
                b = {on ? &slab : &plane, {0, 0, on ? -0.5 : 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
      ns_quaternion_matrix(q, a.R);
      a.at[2] = gap + support(&a, (double[]){0, 0, -1});
      ns_touches t = {0};
      ns_touch_shapes(&a, &b, 0.01, &t);
      ck_assert_int_eq(t.count, way == 0 ? 8 : way == 1 ? 2 : 1);
      for (int k = 0; k < t.count; k++) {
        ck_assert_double_eq_tol(t.at[k].gap, gap, 1e-14);
        ck_assert_double_eq_tol(t.at[k].n[2], 1, 1e-14);
        if (way == 0) ck_assert_double_eq_tol(hypot(t.at[k].p1[0], t.at[k].p1[1]), R, 1e-14);
      }
      if (way == 1)
        ck_assert_double_eq_tol(fabs(t.at[0].p1[1] - t.at[1].p1[1]), hypot(R, 2 * h), 1e-14);
      ns_touches_fini(&t);
    }
}
END_TEST

/* The base on what lies, stands or leans below it: the points are of both, and the least gap parts
 * the two. */
START_TEST(base_meets_points_of_both)
{
  static const double leans[] = {0, 1e-6, 5e-4, 1.3e-3, 1e-2, 0.5, 1.3};
  ns_shape below[3];
  const ns_shape *s = &below[_i];
  int two = 0;
  ns_shape_capsule(&below[0], 0.1, 0.25);
  ns_shape_cylinder(&below[1], 0.1, 0.25);
  ns_shape_cone(&below[2], 0.15, 0.2);
  for (int i = 0; i < 300; i++) {
    double q[4], y[3], n[3], x[3], lean = leans[i % 7], way = uniform(-3, 3), min = INFINITY;
    double half_pi = 1.57079632679489661923, on = i % 2 ? half_pi - lean : lean;
    ns_placed a = anywhere(&cone, 0.6), b = {.shape = s};
    ns_touches t = {0};
    ns_quaternion_exp((double[]){on * cos(way), on * sin(way), 0}, q);
    double R[9];
    ns_quaternion_matrix(q, R);
    ns_matmul3(a.R, R, b.R);
    ns_axpy3(a.at, -2, a.R + 6, b.at);
    for (int k = 0; k < 2; k++) ns_axpy3(b.at, uniform(-0.05, 0.05), a.R + 3 * k, b.at);
    ns_axpy3(b.at, apart(&a, &b, a.R + 6) - 1e-6, a.R + 6, b.at);
    ns_touch_shapes(&a, &b, 1e-3, &t);
    ck_assert_int_ge(t.count, 1);
    for (int k = 0; k < t.count; k++) {
      ns_placed_in(&a, t.at[k].p1, x);
      double of_a = ns_cone_nearest(&cone, x, y, n);
      ns_placed_in(&b, t.at[k].p2, x);
      double end = ns_clamp(x[2], -s->half[2], s->half[2]);
      double of_b = hypot(hypot(x[0], x[1]), x[2] - end) - s->radius;
      if (_i) of_b = (_i == 1 ? ns_cylinder_nearest : ns_cone_nearest)(s, x, y, n);
      ck_assert_msg(fabs(of_a) < 2e-3 && fabs(of_b) < 2e-3, "%d %d: leans %g, off by %g, %g", i, k,
                    lean, of_a, of_b);
      min = fmin(min, t.at[k].gap);
    }
    /* of a cap that leans by 1e-6 one of eight points is the lowest */
    ck_assert_double_eq_tol(min, 1e-6, _i == 1 ? 1e-8 : 1e-9);
    two += t.count > 1;
    ns_touches_fini(&t);
  }
  if (_i < 2) ck_assert_int_ge(two, 30);
}
END_TEST

static void move(ns_placed *p, double by)
{
  double phi[3], q[4], turn[9], before[9];
  direction(phi);
  ns_scale(3, by, phi);
  ns_quaternion_exp(phi, q);
  ns_quaternion_matrix(q, turn);
  memcpy(before, p->R, sizeof before);
  ns_matmul3(turn, before, p->R);
  direction(phi);
  ns_axpy3(p->at, by, phi, p->at);
}

static const ns_touch *touch_with(const ns_touches *t, uint64_t feature)
{
  for (int i = 0; i < t->count; i++)
    if (t->at[i].feature == feature) return &t->at[i];
  return NULL;
}

/* After both have moved a little: what is looked for next to where it was is what is found where
 * all is. Tops of s that no curve meets, of deep overlaps, are known to what a search by steps
 * finds: their gap parts the two. */
START_TEST(known_touches_are_found_again)
{
  const uint64_t beside = ns_feature(NS_MEET_RIM_1, 43, 0);
  static const double steps[] = {1e-9, 1e-5, 1e-3, 1e-2};
  int found = 0, other = 0;
  for (int i = 0; i < 4000; i++) {
    double step = steps[i / 2 % 4];
    ns_placed a = anywhere(&cone, 0.4), b = anywhere(&shapes[_i], 0.4);
    ns_touches before = {0}, all = {0};
    if (i & 1) {
      ns_placed c = a;
      a = b;
      b = c;
    }
    ns_touch_shapes(&a, &b, 0.1, &before);
    move(&a, step);
    move(&b, step);
    ns_touch_shapes(&a, &b, 0.15, &all);
    for (int k = 0; k < before.count; k++) {
      ns_touches near = {.near = &before.at[k]};
      uint64_t id = before.at[k].feature;
      ns_touch_shapes(&a, &b, 0.15, &near);
      const ns_touch *x = touch_with(&near, id), *y = touch_with(&all, id);
      ck_assert_msg(x || !y, "%d: %llx is not found again", i, (unsigned long long)id);
      found += y != NULL;
      other += x && !y;
      if (x && id == beside) ck_assert_double_eq_tol(apart(&a, &b, x->n), x->gap, 1e-9);
      for (int j = 0; j < 3 && y && id != beside; j++) {
        ck_assert_double_eq_tol(x->n[j], y->n[j], 1e-9);
        ck_assert_double_eq_tol(x->p1[j], y->p1[j], 1e-9);
      }
      ns_touches_fini(&near);
    }
    ns_touches_fini(&before);
    ns_touches_fini(&all);
  }
  ck_assert_int_gt(found, 1000);
  ck_assert_int_lt(other, found / 50);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, known_touches_are_found_again, 0, SHAPES);
  tcase_add_checked_fixture(t, make, drop);
  tcase_set_timeout(t, 120);
  tcase_add_test(t, solid_by_sums_over_points);
  tcase_add_test(t, points_by_samples);
  tcase_add_loop_test(t, gaps_are_certified, 0, SHAPES);
  tcase_add_test(t, stands_and_lies);
  tcase_add_loop_test(t, base_meets_points_of_both, 0, 3);
}

int main(void) { return suite_run("cone", fill); }
