/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hulls of points: what they hold, how many faces known bodies have, volumes in closed form,
 * sentences for what is no solid. */
#include "algebra/rotation.h"
#include "collision/polytope.h"
#include "support/cloud.h"
#include "support/shapes.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static ns_polytope *hull_of(int n, const double *x)
{
  ns_polytope *p;
  ck_assert_msg(ns_polytope_hull(&ctx, "here", mem, n, x, &p) == NS_OK, "%s", ctx.msg);
  return p;
}

/* All that a polytope promises: planes hold all points and touch their loops, loops go round
 * counterclockwise, edges join two faces. */
static void check_polytope(const ns_polytope *p, int n, const double *x, double tol)
{
  ck_assert_int_eq(p->nvertices - p->nedges + p->nfaces, 2);
  ck_assert_int_eq(2 * p->nedges, p->first[p->nfaces]);
  for (int f = 0; f < p->nfaces; f++) {
    const double *m = p->normal + 3 * f;
    int k = p->first[f + 1] - p->first[f];
    const int *loop = p->loop + p->first[f];
    ck_assert_double_eq_tol(ns_norm3(m), 1, 1e-15);
    double above = 0;
    for (int i = 0; i < n; i++) above = fmax(above, ns_dot3(m, x + 3 * i) - p->offset[f]);
    ck_assert_double_le(above, tol);
    for (int i = 0; i < k; i++) {
      double a[3], b[3], c[3];
      ck_assert_double_eq_tol(ns_dot3(m, p->vertex + 3 * loop[i]), p->offset[f], tol);
      ns_sub3(p->vertex + 3 * loop[(i + 1) % k], p->vertex + 3 * loop[i], a);
      ns_sub3(p->vertex + 3 * loop[(i + 2) % k], p->vertex + 3 * loop[(i + 1) % k], b);
      ns_cross3(a, b, c);
      ck_assert_double_gt(ns_dot3(c, m), 0);
    }
  }
  for (int e = 0; e < p->nedges; e++) {
    const int *k = p->edge + 4 * e;
    double u[3], c[3];
    ns_sub3(p->vertex + 3 * k[1], p->vertex + 3 * k[0], u);
    ns_cross3(p->normal + 3 * k[2], p->normal + 3 * k[3], c);
    ck_assert_double_gt(ns_dot3(u, c), 0); /* left and right */
  }
}

/* Edges of one face have different colours, few more than it has sides. */
static void check_colours(const ns_polytope *p)
{
  int sides = 0;
  for (int f = 0; f < p->nfaces; f++) {
    int first = p->first[f], last = p->first[f + 1];
    for (int i = first; i < last; i++)
      for (int j = first; j < i; j++)
        ck_assert_int_ne(p->colour[p->side[i]], p->colour[p->side[j]]);
    if (last - first > sides) sides = last - first;
  }
  ck_assert_int_ge(p->ncolours, sides);
  ck_assert_int_le(p->ncolours, sides + 2);
}

START_TEST(hulls_of_random_points_hold_them)
{
  static double x[3 * 400];
  for (int trial = 0; trial < 30; trial++) {
    int n = 4 + trial * 8;
    double shift[3] = {uniform(-9, 9), uniform(-9, 9), uniform(-9, 9)},
           scale = pow(10, uniform(-4, 3));
    for (int i = 0; i < n; i++) {
      if (trial % 2) direction(x + 3 * i);
      else
        for (int k = 0; k < 3; k++) x[3 * i + k] = uniform(-1, 1);
      for (int k = 0; k < 3; k++) x[3 * i + k] = scale * (x[3 * i + k] + shift[k]);
    }
    ns_polytope *p = hull_of(n, x);
    check_polytope(p, n, x, 1e-5 * scale);
    if (trial % 2) ck_assert_int_eq(p->nvertices, n);
    check_colours(p);
  }
}
END_TEST

/* Cube with points on its faces and edges and in it, however it is turned: 8, 12, 6. */
START_TEST(faces_are_whole_polygons)
{
  static double x[3 * 200];
  for (int trial = 0; trial < 100; trial++) {
    double phi[3], q[4], R[9], v, c[3], I[9];
    int n = 0;
    direction(phi);
    ns_quaternion_exp(phi, q);
    ns_quaternion_unit(q);
    ns_quaternion_matrix(q, R);
    for (int i = 0; i < 27 && trial % 2; i++) { /* mid-points first */
      double y[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
      ns_mul3(R, y, x + 3 * n++);
    }
    for (int i = 0; i < 8; i++) {
      double y[3] = {i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1};
      ns_mul3(R, y, x + 3 * n++);
    }
    for (int i = 0; i < 40; i++) {
      double y[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      y[i % 3] = i & 1 ? 1 : -1;
      ns_mul3(R, y, x + 3 * n++);
    }
    ns_polytope *p = hull_of(n, x);
    ck_assert_int_eq(p->nvertices, 8);
    ck_assert_int_eq(p->nedges, 12);
    ck_assert_int_eq(p->nfaces, 6);
    check_polytope(p, n, x, 1e-14);
    ns_polytope_solid(p, &v, c, I);
    ck_assert_double_eq_tol(v, 8, 1e-13);
    ck_assert_double_le(ns_norm3(c), 1e-14);
    for (int i = 0; i < 9; i++) ck_assert_double_eq_tol(I[i], i % 4 ? 0 : 8 * 2 / 3.0, 1e-13);
  }
}
END_TEST

/* Volume of the dodecahedron of edge 2/phi = sqrt 5 - 1, given with six digits: (15 + 7 sqrt 5)/4
 * a^3; its 12 pentagons are flat to 1e-6. */
START_TEST(a_dodecahedron_of_six_digits)
{
  const double g = 1.618034, h = 0.618034, a = sqrt(5) - 1;
  double x[60], v, c[3], I[9];
  int n = 0;
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) x[n++] = i >> k & 1 ? 1 : -1;
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < 4; i++, n += 3) {
      x[n + axis] = 0;
      x[n + (axis + 1) % 3] = i & 1 ? h : -h;
      x[n + (axis + 2) % 3] = i & 2 ? g : -g;
    }
  ns_polytope *p = hull_of(20, x);
  ck_assert_int_eq(p->nvertices, 20);
  ck_assert_int_eq(p->nedges, 30);
  ck_assert_int_eq(p->nfaces, 12);
  check_polytope(p, 20, x, 3e-6);
  ns_polytope_solid(p, &v, c, I);
  ck_assert_double_eq_tol(v, (15 + 7 * sqrt(5)) / 4 * a * a * a, 1e-5);
}
END_TEST

/* Tetrahedron (0, e1, e2, e3): V = 1/6, centre 1/4, I_xx = V 3/40 x 2/... by integration: int y^2 =
 * 1/60, centre taken off. */
START_TEST(the_corner_of_a_cube)
{
  const double x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  double v, c[3], I[9];
  ns_polytope *p = hull_of(4, x);
  ck_assert_int_eq(p->nfaces, 4);
  ns_polytope_solid(p, &v, c, I);
  ck_assert_double_eq_tol(v, 1 / 6.0, 1e-16);
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(c[i], 0.25, 1e-16);
  double square = 1 / 60.0 - 1 / 96.0, mixed = 1 / 120.0 - 1 / 96.0;
  for (int i = 0; i < 9; i++) ck_assert_double_eq_tol(I[i], i % 4 ? -mixed : 2 * square, 1e-16);
}
END_TEST

START_TEST(what_is_no_solid_is_said)
{
  static const struct {
    int n;
    double x[18];
    const char *says;
  } row[] = {
      {0, {0}, "here: 0 points are given, a hull needs at least 4"},
      {3, {0, 0, 0, 1, 0, 0, 0, 1, 0}, "here: 3 points are given"},
      {4, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, "here: the 4 points are one point"},
      {5, {0, 0, 0, 1, 2, 3, 2, 4, 6, -1, -2, -3, 1, 2, 3}, "here: the 5 points lie on a line"},
      {6,
       {0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0.3, 0.2, 1, 9, 9, 1 + 1e-10},
       "here: the 6 points lie in a plane"},
      {4,
       {0, 0, 0, 1, 0, 0, 0, NAN, 0, 0, 0, 1},
       "here: coordinate 2 of point 3 is nan, expected finite numbers"},
  };
  ns_polytope *p;
  ck_assert_int_eq(ns_polytope_hull(&ctx, "here", mem, row[_i].n, row[_i].x, &p), NS_MODEL);
  ck_assert_ptr_null(p);
  ck_assert_msg(strncmp(ctx.msg, row[_i].says, strlen(row[_i].says)) == 0, "%s", ctx.msg);
}
END_TEST

/* Thin, but a solid. */
START_TEST(a_slate_is_a_hull)
{
  double x[24], v, c[3], I[9];
  for (int i = 0; i < 8; i++) {
    x[3 * i] = i & 1 ? 1 : -1;
    x[3 * i + 1] = i & 2 ? 1 : -1;
    x[3 * i + 2] = i & 4 ? 1e-4 : 0;
  }
  ns_polytope *p = hull_of(8, x);
  ck_assert_int_eq(p->nfaces, 6);
  ns_polytope_solid(p, &v, c, I);
  ck_assert_double_eq_tol(v, 4e-4, 1e-18);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_checked_fixture(t, make, drop);
  tcase_add_test(t, hulls_of_random_points_hold_them);
  tcase_add_test(t, faces_are_whole_polygons);
  tcase_add_test(t, a_dodecahedron_of_six_digits);
  tcase_add_test(t, the_corner_of_a_cube);
  tcase_add_loop_test(t, what_is_no_solid_is_said, 0, 6);
  tcase_add_test(t, a_slate_is_a_hull);
}

int main(void) { return suite_run("hull", fill); }
