/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounded boxes, hulls and polygons: their solids against closed forms and samples, their touches
 * against support functions (a direction that parts two bodies by the gap, and two points of them
 * that are the gap apart, prove each other) and against the smooth solids that they become. */
#include "collision/gap.h"
#include "collision/touch.h"
#include "support/poses.h"
#include "support/shapes.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static ns_shape rounded_box(double a, double b, double c, double r)
{
  ns_shape s;
  ck_assert(ns_shape_box(&s, mem, (double[]){a, b, c}));
  if (r > 0) ck_assert_msg(!ns_shape_round(&s, &ctx, "here", mem, r), "%s", ctx.msg);
  return s;
}

static ns_shape hull_of(int n, const double *x, double r)
{
  ns_polytope *p;
  ns_shape s;
  ck_assert(!ns_polytope_hull(&ctx, "here", mem, n, x, &p));
  ns_shape_hull(&s, p);
  if (r > 0) ck_assert_msg(!ns_shape_round(&s, &ctx, "here", mem, r), "%s", ctx.msg);
  return s;
}

static ns_shape random_hull(int n, double size, double r)
{
  double x[3 * 40];
  for (int i = 0; i < n; i++) {
    direction(x + 3 * i);
    for (int k = 0; k < 3; k++) x[3 * i + k] *= size;
  }
  return hull_of(n, x, r);
}

/* ---- solids ---------------------------------------------------------------------------------- */

START_TEST(box_has_steiners_volume)
{
  double r = 0.07, a = 1 - 2 * r, b = 0.8 - 2 * r, c = 0.5 - 2 * r, volume, centre[3], I[9];
  ns_shape s = rounded_box(0.5, 0.4, 0.25, r);
  ck_assert(ns_shape_solid(&s, &volume, centre, I));
  double steiner = a * b * c + 2 * r * (a * b + b * c + c * a) + pi * r * r * (a + b + c) +
                   4 * pi * r * r * r / 3;
  ck_assert_double_eq_tol(volume, steiner, 1e-14);
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(centre[i], 0, 1e-15);
}
END_TEST

START_TEST(cube_becomes_a_ball)
{
  double volume, centre[3], I[9], r = 0.5 * (1 - 1e-7);
  ns_shape s = rounded_box(0.5, 0.5, 0.5, r);
  ck_assert(ns_shape_solid(&s, &volume, centre, I));
  ck_assert_double_eq_tol(volume, 4 * pi / 3 * 0.125, 1e-6);
  for (int i = 0; i < 9; i++) ck_assert_double_eq_tol(I[i], i % 4 ? 0 : 0.1, 1e-6);
}
END_TEST

/* A pencil of the length l + 2 r is a capsule. */
START_TEST(beam_becomes_a_capsule)
{
  double r = 0.1, volume[2], centre[3], I[2][9];
  ns_shape s = rounded_box(r * (1 + 1e-8), r * (1 + 1e-8), 0.5 + r, r), capsule;
  ns_shape_capsule(&capsule, r, 0.5);
  ck_assert(ns_shape_solid(&s, &volume[0], centre, I[0]));
  ck_assert(ns_shape_solid(&capsule, &volume[1], centre, I[1]));
  ck_assert_double_eq_tol(volume[0], volume[1], 1e-8);
  for (int i = 0; i < 9; i++) ck_assert_double_eq_tol(I[0][i], I[1][i], 1e-8);
}
END_TEST

/* Of a skew hull far from the origin, by points of a grid. */
START_TEST(hull_has_the_moments_of_its_points)
{
  double x[12] = {0, 0, 0, 1, 0.1, 0, 0.2, 1.1, 0, 0.3, 0.2, 0.9}, r = 0.12, h = 0.01;
  double volume, centre[3], I[9], V = 0, first[3] = {0}, second[9] = {0}, J[9], c[3], off[3];
  const double away[3] = {5, -3, 2};
  for (int i = 0; i < 12; i++) x[i] += away[i % 3];
  ns_shape s = hull_of(4, x, r);
  ck_assert(ns_shape_solid(&s, &volume, centre, I));
  ns_placed here = {&s, {0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  ns_shape point;
  ns_shape_sphere(&point, 1e-9);
  ns_touches t = {0};
  for (int i = 0; i < 110; i++)
    for (int j = 0; j < 120; j++)
      for (int k = 0; k < 100; k++) {
        ns_placed at = {&point,
                        {away[0] + (i + 0.5) * h, away[1] + (j + 0.5) * h, away[2] + (k + 0.5) * h},
                        {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        t.count = 0;
        ns_touch_shapes(&at, &here, 0, &t);
        if (!t.count) continue;
        V += h * h * h;
        for (int p = 0; p < 3; p++) first[p] += h * h * h * (at.at[p] - away[p]);
        for (int p = 0; p < 9; p++)
          second[p] += h * h * h * (at.at[p % 3] - away[p % 3]) * (at.at[p / 3] - away[p / 3]);
      }
  ns_touches_fini(&t);
  ns_moments m = {.volume = V};
  memcpy(m.first, first, sizeof first);
  memcpy(m.second, second, sizeof second);
  ns_moments_solid(&m, &V, c, J);
  ck_assert_double_eq_tol(volume / V, 1, 2e-3);
  ns_sub3(centre, away, off);
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(off[i], c[i], 5e-4);
  for (int i = 0; i < 9; i++) ck_assert_double_eq_tol(I[i], J[i] / V, 2e-4);
}
END_TEST

START_TEST(square_of_the_plane)
{
  double corner[8] = {3, 1, 4, 1, 4, 2, 3, 2}, r = 0.2, area, centre[3], I[9];
  ns_shape s;
  ck_assert(!ns_shape_polygon(&s, &ctx, "here", mem, 4, corner));
  ck_assert(!ns_shape_round(&s, &ctx, "here", mem, r));
  ck_assert(ns_shape_solid(&s, &area, centre, I));
  ck_assert_double_eq_tol(area, 1 - (4 - pi) * r * r, 1e-14);
  ck_assert_double_eq_tol(centre[0], 3.5, 1e-14);
  ck_assert_double_eq_tol(centre[1], 1.5, 1e-14);
  /* a square less its corners: squares of side r less quarter discs, whose int x^2 + y^2 is in the
   * axes of the corner of the core */
  double d = 0.5 - r, quarter = pi * r * r / 4, spandrel = r * r - quarter;
  double along = r * r * r / 2 - r * r * r / 3,
         round = 2 * r * r * r * r / 3 - pi * r * r * r * r / 8;
  double about = 1.0 / 6 - 4 * (2 * d * d * spandrel + 4 * d * along + round);
  ck_assert_double_eq_tol(I[8], about / area, 1e-14);
}
END_TEST

START_TEST(too_round_is_refused)
{
  ns_shape s;
  double corner[8] = {0, 0, 1, 0, 1, 0.5, 0, 0.5};
  ns_shape_box(&s, mem, (double[]){0.5, 0.4, 0.3});
  ck_assert_int_eq(ns_shape_round(&s, &ctx, "here", mem, 0.3), NS_MODEL);
  ck_assert_str_eq(ctx.msg, "here: attribute rounding is 0.3, expected less than 0.3, half of its "
                            "shortest edge; use a <Capsule> or <Sphere> for rounder shapes");
  ctx = (ns_ctx){0};
  ck_assert(!ns_shape_polygon(&s, &ctx, "here", mem, 4, corner));
  ck_assert_int_eq(ns_shape_round(&s, &ctx, "here", mem, 0.25), NS_MODEL);
  ck_assert_str_eq(ctx.msg, "here: attribute rounding is 0.25, expected less than 0.25, the "
                            "distance of its centre from the nearest side");
}
END_TEST

/* ---- touches --------------------------------------------------------------------------------- */

static double support(const ns_placed *p, const double *d)
{
  const ns_shape *s = p->shape;
  double l[3], h = ns_dot3(d, p->at) + s->radius;
  ns_mul3t(p->R, d, l);
  if (s->kind == NS_SHAPE_SPHERE) return h;
  if (s->kind == NS_SHAPE_CAPSULE) return h + s->half[2] * fabs(l[2]);
  if (s->kind == NS_SHAPE_CYLINDER)
    return h - s->radius + s->half[2] * fabs(l[2]) + s->radius * hypot(l[0], l[1]);
  return h + ns_dot3(l, s->polytope->vertex + 3 * ns_polytope_support(s->polytope, l));
}

static double apart(const ns_placed *a, const ns_placed *b, const double *n)
{
  double minus[3] = {-n[0], -n[1], -n[2]};
  return -support(a, minus) - support(b, n);
}

/* A point is within a body when no direction of many parts it from that by more than eps. */
static void is_in(const ns_placed *p, const double *x, double eps)
{
  for (int k = 0; k < 60; k++) {
    double n[3];
    direction(n);
    ck_assert_double_le(ns_dot3(n, x), support(p, n) + eps);
  }
}

static int certified; /* touches whose direction parts the bodies by their gap */

/* The nearest touch is certified by its own normal: to the error of directions that count as one.
 */
static void check(const ns_placed *a, const ns_placed *b, double margin)
{
  ns_touches t = {0};
  int best = 0;
  ns_touch_shapes(a, b, margin, &t);
  for (int i = 0; i < t.count; i++) {
    double d[3];
    ns_sub3(t.at[i].p1, t.at[i].p2, d);
    ck_assert_double_eq_tol(ns_dot3(d, t.at[i].n), t.at[i].gap, 1e-13);
    if (t.at[i].gap < t.at[best].gap) best = i;
  }
  double eps = 1e-5; /* of faces that overlap by their slack */
  if (t.count && t.at[best].gap > 0) {
    const ns_touch *c = &t.at[best];
    ck_assert_msg(fabs(apart(a, b, c->n) - c->gap) < eps, "gap %.9g, parted by %.9g, kinds %d %d",
                  c->gap, apart(a, b, c->n), a->shape->kind, b->shape->kind);
    is_in(a, c->p1, eps);
    is_in(b, c->p2, eps);
    certified++;
  }
  for (int k = 0; k < 200 && !t.count; k++) { /* they are really apart: some direction says so */
    double n[3];
    direction(n);
    if (apart(a, b, n) >= margin) break;
    ck_assert_int_lt(k, 20000);
  }
  ns_touches_fini(&t);
}

START_TEST(gaps_are_certified)
{
  certified = 0;
  ns_shape s[6];
  s[0] = rounded_box(0.5, 0.4, 0.3, 0.1);
  s[1] = rounded_box(0.6, 0.2, 0.3, 0);
  s[2] = random_hull(12, 0.5, 0.05);
  ns_shape_sphere(&s[3], 0.3);
  ns_shape_capsule(&s[4], 0.2, 0.3);
  ns_shape_cylinder(&s[5], 0.3, 0.2);
  for (int i = 0; i < 2000; i++) {
    int j = i % 6, k = i / 6 % 3;
    ns_placed a = anywhere(&s[k == 1 ? 0 : k], 0.6), b = anywhere(&s[j], 0.6);
    for (int d = 0; d < 3; d++) a.at[d] *= 1.3;
    check(&a, &b, 0.4);
  }
  ck_assert_int_gt(certified, 500);
}
END_TEST

/* Sharp shapes and the same rounded by next to nothing. */
START_TEST(a_little_rounding_changes_little)
{
  ns_shape sharp = rounded_box(0.5, 0.4, 0.3, 0), round = rounded_box(0.5, 0.4, 0.3, 1e-9);
  for (int i = 0; i < 500; i++) {
    ns_placed a = anywhere(&sharp, 0.5), b = anywhere(&sharp, 0.5), ra = a, rb = b;
    ra.shape = rb.shape = &round;
    ns_touches t = {0}, u = {0};
    double min = INFINITY, other = INFINITY;
    ns_touch_shapes(&a, &b, 0.01, &t);
    ns_touch_shapes(&ra, &rb, 0.01, &u);
    for (int k = 0; k < t.count; k++) min = fmin(min, t.at[k].gap);
    for (int k = 0; k < u.count; k++) other = fmin(other, u.at[k].gap);
    if (min < 0) ck_assert_double_eq_tol(min, other, 1e-7);
    ns_touches_fini(&t);
    ns_touches_fini(&u);
  }
}
END_TEST

START_TEST(lies_flat_on_four_corners)
{
  ns_shape s = rounded_box(0.5, 0.4, 0.3, 0.05), slab = rounded_box(3, 3, 0.5, 0.02), plane;
  ns_shape_plane(&plane);
  const ns_shape *below[2] = {&plane, &slab};
  for (int i = 0; i < 2; i++) {
    ns_placed a = {&s, {0.1, 0.2, 0.31}, {1, 0, 0, 0, 1, 0, 0, 0, 1}},
              b = {below[i], {0, 0, i ? -0.5 : 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    ns_touches t = {0};
    ns_touch_shapes(&a, &b, 0.05, &t);
    ck_assert_int_eq(t.count, 4);
    for (int k = 0; k < 4; k++) {
      ck_assert_double_eq_tol(t.at[k].gap, 0.01, 1e-15);
      ck_assert_double_eq_tol(fabs(t.at[k].p1[0] - 0.1), 0.45, 1e-15);
      ck_assert_double_eq_tol(fabs(t.at[k].p1[1] - 0.2), 0.35, 1e-15);
      ck_assert_double_eq_tol(t.at[k].p2[2], 0, 1e-15);
    }
    ns_touches_fini(&t);
  }
}
END_TEST

/* A beam on its rounded edge is as high as a capsule or cylinder of that radius, and touches along
 * the same line. */
START_TEST(an_edge_is_a_cylinder)
{
  double r = 0.1;
  ns_shape s = rounded_box(0.4, 0.3, 0.5 + r, r), slab = rounded_box(3, 3, 0.5, 0), capsule;
  ns_shape_capsule(&capsule, r, 0.5);
  for (double angle = 0.1; angle < 1.5; angle += 0.1) {
    double q[4] = {cos(angle / 2), 0, sin(angle / 2), 0}, x[3] = {0}, lowest = INFINITY;
    double lie[4] = {sqrt(0.5), sqrt(0.5), 0, 0}, to[4]; /* z along -y */
    ns_placed a = {.shape = &s}, b = {&slab, {0, 0, -0.5}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}, c;
    ns_quaternion_mul(q, lie, to);
    ns_quaternion_matrix(to, a.R);
    for (int i = 0; i < 4; i++) { /* the lowest edge of the core */
      double e[3] = {i & 1 ? 0.3 : -0.3, i & 2 ? 0.2 : -0.2, 0}, y[3];
      ns_mul3(a.R, e, y);
      if (y[2] < lowest) {
        lowest = y[2];
        memcpy(x, y, sizeof y);
      }
    }
    a.at[2] = r + 0.003 - x[2];
    c = a;
    c.shape = &capsule;
    for (int i = 0; i < 3; i++) c.at[i] = a.at[i] + x[i];
    ns_touches t = {0}, u = {0};
    ns_touch_shapes(&a, &b, 0.005, &t);
    ns_touch_shapes(&c, &b, 0.005, &u);
    ck_assert_int_eq(t.count, 2);
    ck_assert_int_eq(u.count, 2);
    for (int i = 0; i < 2; i++) {
      ck_assert_double_eq_tol(t.at[i].gap, u.at[i].gap, 1e-14);
      int j = fabs(t.at[i].p1[1] - u.at[0].p1[1]) < 1e-9 ? 0 : 1;
      for (int k = 0; k < 3; k++) ck_assert_double_eq_tol(t.at[i].p1[k], u.at[j].p1[k], 1e-12);
    }
    ns_touches_fini(&t);
    ns_touches_fini(&u);
  }
}
END_TEST

/* Of an edge across another, and of corners, in the plane: as discs about the corners of the core.
 */
START_TEST(corners_of_the_plane_are_disks)
{
  ns_shape s[2], disk;
  double corner[8] = {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5}, r = 0.1;
  for (int i = 0; i < 2; i++) {
    ck_assert(!ns_shape_polygon(&s[i], &ctx, "here", mem, 4, corner));
    ck_assert(!ns_shape_round(&s[i], &ctx, "here", mem, r));
  }
  ns_shape_disk(&disk, r);
  for (int i = 0; i < 500; i++) {
    double phi = uniform(0, 2 * pi), turn = uniform(0, 2 * pi), c = cos(turn), e = sin(turn);
    ns_placed a = {&s[0], {0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}},
              b = {&s[1], {1.2 * cos(phi), 1.2 * sin(phi), 0}, {c, e, 0, -e, c, 0, 0, 0, 1}};
    ns_touches t = {0};
    double min = INFINITY, nearest = INFINITY;
    ns_touch_planar(&a, &b, 0.3, &t);
    for (int k = 0; k < t.count; k++) min = fmin(min, t.at[k].gap);
    /* corners of either against the other */
    for (int k = 0; k < 8; k++) {
      const ns_placed *of = k < 4 ? &a : &b, *other = k < 4 ? &b : &a;
      double x[3] = {of->shape->corner[2 * (k % 4)], of->shape->corner[2 * (k % 4) + 1], 0}, y[3],
             l[3], d[3];
      ns_placed_out(of, x, y);
      ns_placed_in(other, y, l);
      for (int j = 0; j < 2; j++) d[j] = fmax(fabs(l[j]) - 0.4, 0);
      nearest = fmin(nearest, hypot(d[0], d[1]) - 2 * r);
    }
    if (nearest > 0 - 2 * r && nearest < 0.3 && nearest > -0.19)
      ck_assert_double_eq_tol(min, nearest, 1e-6);
    ns_touches_fini(&t);
  }
}
END_TEST

/* ---- gaps of event-driven runs --------------------------------------------------------------- */

/* The least of them is that of the touches. */
START_TEST(gaps_are_those_of_touches)
{
  ns_shape s[6];
  int compared = 0;
  s[0] = rounded_box(0.5, 0.4, 0.3, 0.1);
  s[1] = rounded_box(0.6, 0.2, 0.3, 0);
  s[2] = random_hull(8, 0.5, 0.05);
  ns_shape_sphere(&s[3], 0.3);
  ns_shape_capsule(&s[4], 0.2, 0.3);
  ns_shape_plane(&s[5]);
  for (int i = 0; i < 600; i++) {
    int j = i % 6, k = i / 6 % 2 ? 2 : 0;
    ns_placed a = anywhere(&s[k], 0.6), b = anywhere(&s[j], 0.6);
    if (j == 5)
      b.at[2] = -0.7, a.at[2] = 0, memset(b.R, 0, sizeof b.R), b.R[0] = b.R[4] = b.R[8] = 1;
    ns_touches t = {0};
    double min = INFINITY, of_gaps = INFINITY;
    ns_touch_shapes(&a, &b, 0.3, &t);
    for (int m = 0; m < t.count; m++) min = fmin(min, t.at[m].gap);
    for (int g = 0; g < ns_gaps_of(a.shape, b.shape); g++) {
      ns_touch c;
      ns_gap_touch(&a, &b, g, -1, &c);
      of_gaps = fmin(of_gaps, c.gap);
    }
    ns_touches_fini(&t);
    if (!(min > 0 && min < 0.3)) continue;
    compared++;
    ck_assert_msg(fabs(min - of_gaps) < 1e-5, "%d: touch %.9g, gap %.9g, kinds %d %d", i, min,
                  of_gaps, a.shape->kind, b.shape->kind);
  }
  ck_assert_int_gt(compared, 100);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_checked_fixture(t, make, drop);
  tcase_set_timeout(t, 60);
  tcase_add_test(t, box_has_steiners_volume);
  tcase_add_test(t, cube_becomes_a_ball);
  tcase_add_test(t, beam_becomes_a_capsule);
  tcase_add_test(t, hull_has_the_moments_of_its_points);
  tcase_add_test(t, square_of_the_plane);
  tcase_add_test(t, too_round_is_refused);
  tcase_add_test(t, gaps_are_certified);
  tcase_add_test(t, a_little_rounding_changes_little);
  tcase_add_test(t, lies_flat_on_four_corners);
  tcase_add_test(t, an_edge_is_a_cylinder);
  tcase_add_test(t, corners_of_the_plane_are_disks);
  tcase_add_test(t, gaps_are_those_of_touches);
}

int main(void) { return suite_run("rounded", fill); }
