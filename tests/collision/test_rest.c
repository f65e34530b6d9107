/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes at rest on each other: number of touches, gaps and normals known in closed form, anywhere
 * in space and turned anyhow. Gaps are exact to rounding, and touches keep their identities,
 * whether there is a hair's breadth between the shapes or less. */
#include "collision/touch.h"
#include "support/cloud.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>

enum { CUBE, BLOCK, HULL, WEDGE, PLANE, LOG, COIN, CAPSULE, KINDS };
static ns_shape shapes[KINDS];
static ns_arena *mem;

static void make(void)
{
  ns_ctx c = {0};
  ns_polytope *p;
  double x[24] = {0};
  mem = ns_arena_create(0, 1);
  ck_assert(ns_shape_box(&shapes[CUBE], mem, (double[]){0.5, 0.5, 0.5}));
  ck_assert(ns_shape_box(&shapes[BLOCK], mem, (double[]){1, 2, 0.5}));
  for (int i = 0; i < 24; i++) x[i] = i / 3 >> i % 3 & 1 ? 0.5 : -0.5;
  ck_assert_int_eq(ns_polytope_hull(&c, "hull", mem, 8, x, &p), NS_OK);
  ck_assert(ns_shape_hull(&shapes[HULL], p));
  for (int i = 0; i < 6; i++) { /* its upper edge along y at z = 1 */
    x[3 * i] = i < 4 ? (i & 1 ? 1 : -1) : 0;
    x[3 * i + 1] = i & 2 || i == 5 ? 1 : -1;
    x[3 * i + 2] = i < 4 ? 0 : 1;
  }
  ck_assert_int_eq(ns_polytope_hull(&c, "wedge", mem, 6, x, &p), NS_OK);
  ck_assert(ns_shape_hull(&shapes[WEDGE], p));
  ck_assert(ns_shape_plane(&shapes[PLANE]));
  ck_assert(ns_shape_cylinder(&shapes[LOG], 0.5, 2));
  ck_assert(ns_shape_cylinder(&shapes[COIN], 1, 0.25));
  ck_assert(ns_shape_capsule(&shapes[CAPSULE], 0.25, 1));
}

static void drop(void) { ns_arena_destroy(mem); }

#define QUARTER 0.78539816339744830962 /* pi/4 */
#define HALF_ROOT 0.70710678118654752440
#define TIP 0.67551085885603996302 /* turns the diagonal of a cube upright: atan(sqrt 2)/sqrt 2 */

/* A at `at`, turned by w, touches B at the origin; the normal from B to A is n. */
static const struct {
  const char *what;
  int a, b, count;
  double at[3], turn[3], n[3];
} rows[] = {
    {"cube on cube", CUBE, CUBE, 4, {0, 0, 1}, {0, 0, 0}, {0, 0, 1}},
    {"cube on cube, shifted", CUBE, CUBE, 4, {0.25, 0.125, 1}, {0, 0, 0}, {0, 0, 1}},
    {"cube on cube, turned", CUBE, CUBE, 8, {0, 0, 1}, {0, 0, QUARTER}, {0, 0, 1}},
    {"cube beside cube", CUBE, CUBE, 4, {0, -1, 0}, {0, 0, 0}, {0, -1, 0}},
    {"cube on block", CUBE, BLOCK, 4, {0.2, 1, 1}, {0, 0, 0.3}, {0, 0, 1}},
    {"block on cube", BLOCK, CUBE, 4, {0.2, 1, 1}, {0, 0, 0}, {0, 0, 1}},
    {"hull on hull", HULL, HULL, 4, {0, 0, 1}, {0, 0, 0}, {0, 0, 1}},
    {"hull on cube", HULL, CUBE, 4, {0.1, 0.1, 1}, {0, 0, 0}, {0, 0, 1}},
    {"cube on plane", CUBE, PLANE, 4, {0, 0, 0.5}, {0, 0, 0.7}, {0, 0, 1}},
    {"hull on plane", HULL, PLANE, 4, {0, 0, 0.5}, {0, 0, 0.7}, {0, 0, 1}},
    {"edge on face", CUBE, BLOCK, 2, {0, 0, 0.5 + HALF_ROOT}, {0, QUARTER, 0}, {0, 0, 1}},
    {"edge on plane", CUBE, PLANE, 2, {0, 0, HALF_ROOT}, {0, QUARTER, 0}, {0, 0, 1}},
    {"corner on face",
     CUBE,
     BLOCK,
     1,
     {0, 0, 0.5 + 0.86602540378443864676},
     {TIP, -TIP, 0},
     {0, 0, 1}},
    {"corner on plane", CUBE, PLANE, 1, {0, 0, 0.86602540378443864676}, {TIP, -TIP, 0}, {0, 0, 1}},
    {"edge on edge", CUBE, WEDGE, 1, {0.1, 0.2, 1 + HALF_ROOT}, {QUARTER, 0, 0}, {0, 0, 1}},
    {"log along log", LOG, LOG, 2, {0, 1, 0}, {0, 0, 0}, {0, 1, 0}},
    {"log along log, shifted", LOG, LOG, 2, {0, 1, 1.5}, {0, 0, 1}, {0, 1, 0}},
    {"log in the hollow of two",
     LOG,
     LOG,
     2,
     {0.5, 0.86602540378443864676, 0},
     {0, 0, 0},
     {0.5, 0.86602540378443864676, 0}},
    {"log across log", LOG, LOG, 1, {0, 1, 0.3}, {0, 0.4, 0}, {0, 1, 0}},
    {"log on the end of a log", LOG, LOG, 8, {0, 0, 4}, {0, 0, 0.1}, {0, 0, 1}},
    {"log half on the end of a log", LOG, LOG, 8, {0.5, 0, 4}, {0, 0, 0}, {0, 0, 1}},
    {"coin on coin", COIN, COIN, 8, {0, 0, 0.5}, {0, 0, 0}, {0, 0, 1}},
    {"log on coin", LOG, COIN, 8, {0.1, 0, 2.25}, {0, 0, 0}, {0, 0, 1}},
    {"coin on log", COIN, LOG, 8, {0.1, 0, 2.25}, {0, 0, 0}, {0, 0, 1}},
    {"log lying on a coin", LOG, COIN, 2, {0, 0, 0.75}, {2 * QUARTER, 0, 0}, {0, 0, 1}},
    {"coin on a lying log", COIN, LOG, 2, {0, 0.75, 0}, {2 * QUARTER, 0, 0}, {0, 1, 0}},
    {"edge of a coin on a log", COIN, LOG, 1, {0, 1.5, 0}, {0, 2 * QUARTER, 0}, {0, 1, 0}},
    {"coin on edge on a coin", COIN, COIN, 2, {0, 0, 1.25}, {2 * QUARTER, 0, 0}, {0, 0, 1}},
    {"coin aslant on a coin",
     COIN,
     COIN,
     1,
     {0.25, 0, 0.25 + 1.25 * HALF_ROOT},
     {0, QUARTER, 0},
     {0, 0, 1}},
    {"coin aslant on a log",
     COIN,
     LOG,
     1,
     {0, 0.5 + 1.25 * HALF_ROOT, 0},
     {QUARTER, 0, 0},
     {0, 1, 0}},
    {"log lying on a block", LOG, BLOCK, 2, {0, 0, 1}, {2 * QUARTER, 0, 0}, {0, 0, 1}},
    {"log standing on a block", LOG, BLOCK, 8, {0, 0, 2.5}, {0, 0, 0}, {0, 0, 1}},
    {"log standing on a hull", LOG, HULL, 8, {0, 0, 2.5}, {0, 0, 0}, {0, 0, 1}},
    {"log over the side of a block", LOG, BLOCK, 5, {1, 0, 2.5}, {0, 0, 0}, {0, 0, 1}},
    {"cube on a coin", CUBE, COIN, 4, {0, 0, 0.75}, {0, 0, 0.2}, {0, 0, 1}},
    {"edge of a cube on a coin",
     CUBE,
     COIN,
     2,
     {0, 0, 0.25 + HALF_ROOT},
     {0, QUARTER, 0},
     {0, 0, 1}},
    {"edge of a cube across a log",
     CUBE,
     LOG,
     1,
     {0, 0.5 + HALF_ROOT, 0},
     {QUARTER, 0, 0},
     {0, 1, 0}},
    {"edge of a cube along a log",
     CUBE,
     LOG,
     2,
     {0, 0.5 + HALF_ROOT, 0},
     {0, 0, QUARTER},
     {0, 1, 0}},
    {"cube on a lying log", CUBE, LOG, 2, {0, 1, 0}, {0, 0, 0}, {0, 1, 0}},
    {"corner of a cube on a log",
     CUBE,
     LOG,
     1,
     {0, 0.5 + 0.86602540378443864676, 0},
     {TIP, 0, TIP},
     {0, 1, 0}},
    {"corner of a cube on a coin",
     CUBE,
     COIN,
     1,
     {0, 0, 0.25 + 0.86602540378443864676},
     {TIP, -TIP, 0},
     {0, 0, 1}},
    {"log aslant on a cube",
     LOG,
     CUBE,
     1,
     {1.2, 0, 0.5 + 2.5 * HALF_ROOT},
     {0, QUARTER, 0},
     {0, 0, 1}},
    {"coin on the edge of a wedge", COIN, WEDGE, 2, {0, 0, 1.25}, {0, 0, 0}, {0, 0, 1}},
    {"log along the edge of a wedge", LOG, WEDGE, 2, {0, 0, 1.5}, {2 * QUARTER, 0, 0}, {0, 0, 1}},
    {"log across the edge of a wedge", LOG, WEDGE, 1, {0, 0, 1.5}, {0, 2 * QUARTER, 0}, {0, 0, 1}},
    {"rim on the edge of a wedge",
     COIN,
     WEDGE,
     1,
     {0, 0.1, 1 + 1.25 * HALF_ROOT},
     {QUARTER, 0, 0},
     {0, 0, 1}},
    {"capsule along a log", LOG, CAPSULE, 2, {0, 0.75, 0}, {0, 0, 0}, {0, 1, 0}},
    {"capsule across a log", LOG, CAPSULE, 1, {0, 0.75, 0}, {0, 1, 0}, {0, 1, 0}},
    {"capsule standing on a coin", CAPSULE, COIN, 1, {0.2, 0, 1.5}, {0, 0, 0}, {0, 0, 1}},
    {"capsule lying on a coin", CAPSULE, COIN, 2, {0, 0, 0.5}, {2 * QUARTER, 0, 0}, {0, 0, 1}},
    {"log on plane", LOG, PLANE, 2, {0, 0, 0.5}, {2 * QUARTER, 0, 0}, {0, 0, 1}},
    {"coin on plane", COIN, PLANE, 8, {0, 0, 0.25}, {0, 0, 0.3}, {0, 0, 1}},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void move(ns_placed *p, const double *R, const double *shift)
{
  double x[3], Q[9];
  ns_mul3(R, p->at, x);
  ns_axpy3(x, 1, shift, p->at);
  ns_matmul3(R, p->R, Q);
  memcpy(p->R, Q, sizeof Q);
}

static void matrix(const double *phi, double *R)
{
  double q[4];
  ns_quaternion_exp(phi, q);
  ns_quaternion_unit(q);
  ns_quaternion_matrix(q, R);
}

/* The row with a gap g, moved; n: its normal there. */
static void pose(int row, double g, const double *phi, const double *shift, ns_placed *a,
                 ns_placed *b, double *n)
{
  double R[9];
  *b = (ns_placed){&shapes[rows[row].b], {0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  a->shape = &shapes[rows[row].a];
  ns_axpy3(rows[row].at, g, rows[row].n, a->at);
  matrix(rows[row].turn, a->R);
  matrix(phi, R);
  move(a, R, shift);
  move(b, R, shift);
  ns_mul3(R, rows[row].n, n);
}

static const double gaps[] = {0,     1e-15, -1e-15, 1e-12, -1e-12, 1e-9,
                              -1e-9, 1e-6,  -1e-6,  1e-3,  -1e-3,  -1e-2};
enum { GAPS = sizeof gaps / sizeof *gaps };

START_TEST(gaps_and_normals_are_exact)
{
  for (int trial = 0; trial < 20; trial++)
    for (int k = 0; k < GAPS; k++) {
      double phi[3], shift[3] = {uniform(-3, 3), uniform(-3, 3), uniform(-3, 3)}, n[3], d[3];
      ns_placed a, b;
      ns_touches t = {0};
      direction(phi);
      pose(_i, gaps[k], phi, shift, &a, &b, n);
      ns_touch_shapes(&a, &b, 0.02, &t);
      ck_assert_msg(t.count == rows[_i].count, "%s: %d touches at gap %g", rows[_i].what, t.count,
                    gaps[k]);
      for (int i = 0; i < t.count; i++) {
        ns_sub3(t.at[i].n, n, d);
        ck_assert_msg(ns_norm3(d) < 4e-15, "%s: normal off by %g", rows[_i].what, ns_norm3(d));
        ck_assert_msg(fabs(t.at[i].gap - gaps[k]) < 8e-15, "%s: gap %g is off by %g", rows[_i].what,
                      gaps[k], t.at[i].gap - gaps[k]);
      }
      ns_touches_fini(&t);
    }
}
END_TEST

static int by_feature(const void *a, const void *b)
{
  const ns_touch *x = a, *y = b;
  return (x->feature > y->feature) - (x->feature < y->feature);
}

/* While they tremble by 1e-6 the same corners and edges meet; cubes that are turned on each other
 * have 8 corners in common. */
START_TEST(identities_stay)
{
  uint64_t first[16];
  for (int trial = 0; trial < 200; trial++) {
    double none[3] = {0}, n[3], w[3], d[3], R[9], Q[9];
    ns_placed a, b;
    ns_touches t = {0};
    pose(_i, trial ? uniform(-1e-6, 1e-6) : 0, none, none, &a, &b, n);
    direction(w);
    for (int i = 0; i < 3 && trial; i++) w[i] *= 1e-6, d[i] = uniform(-1e-6, 1e-6);
    if (trial) {
      matrix(w, R);
      ns_matmul3(R, a.R, Q);
      memcpy(a.R, Q, sizeof Q);
      ns_axpy3(a.at, 1, d, a.at);
    }
    ns_touch_shapes(&a, &b, 0.02, &t);
    ck_assert_msg(t.count == rows[_i].count, "%s: %d touches", rows[_i].what, t.count);
    qsort(t.at, (size_t)t.count, sizeof *t.at, by_feature);
    for (int i = 0; i < t.count; i++) {
      if (trial == 0) first[i] = t.at[i].feature;
      ck_assert_msg(t.at[i].feature == first[i], "%s: touch %d", rows[_i].what, i);
      ck_assert_double_le(fabs(t.at[i].gap), 5e-6);
      if (i) ck_assert(t.at[i].feature != t.at[i - 1].feature);
    }
    ns_touches_fini(&t);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_checked_fixture(t, make, drop);
  tcase_add_loop_test(t, gaps_and_normals_are_exact, 0, ROWS);
  tcase_add_loop_test(t, identities_stay, 0, ROWS);
}

int main(void) { return suite_run("rest", fill); }
