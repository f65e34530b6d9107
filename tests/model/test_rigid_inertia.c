/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inertia put together from shapes: closed forms of hollow, composite and turned solids. */
#include "support/suite.h"

#include "model/systems/rigid_inertia.h"

#include <check.h>
#include <math.h>

static ns_arena *arena;
static void begin(void) { arena = ns_arena_create(0, 1); }
static void end(void) { ns_arena_destroy(arena); }

static ns_solid_part part(const ns_shape *s, double density, double x, double y, double z)
{
  return (ns_solid_part){s, density, {x, y, z}, {1, 0, 0, 0}};
}

static void near(const double *a, const double *b, int n, double tol)
{
  for (int i = 0; i < n; i++)
    ck_assert_msg(fabs(a[i] - b[i]) <= tol, "entry %d is %.17g, expected %.17g", i, a[i], b[i]);
}

/* Between spheres of radii a and b: m = 4/3 pi rho (b^3 - a^3), I = 2/5 m (b^5 - a^5)/(b^3 - a^3).
 */
START_TEST(hollow_sphere)
{
  ns_shape outer, inner;
  ns_shape_sphere(&outer, 0.3);
  ns_shape_sphere(&inner, 0.2);
  ns_solid_part p[] = {part(&outer, 1000, 1, 2, 3), part(&inner, -1000, 1, 2, 3)};
  double mass, c[3], I[9], at[] = {1, 2, 3}, m = 4.0 / 3 * M_PI * 1000 * 0.019,
                           want = 0.4 * m * (0.00243 - 0.00032) / 0.019;
  ck_assert_int_eq(ns_rigid_from_shapes(2, p, &mass, c, I), -1);
  ck_assert_double_eq_tol(mass, m, 1e-12);
  near(c, at, 3, 1e-14);
  near(I, (double[]){want, 0, 0, 0, want, 0, 0, 0, want}, 9, 1e-13);
}
END_TEST

/* Balls of radius r and mass m at +-l, the bar left out: 2 m l^2 across, 4/5 m r^2 along and more
 * across. */
START_TEST(dumbbell)
{
  ns_shape ball;
  ns_shape_sphere(&ball, 0.1);
  double m = 4.0 / 3 * M_PI * 0.001 * 500, along = 0.8 * m * 0.01, across = along + 2 * m * 0.25,
         mass, c[3], I[9];
  ns_solid_part p[] = {part(&ball, 500, 0, 0.2, 0.7), part(&ball, 500, 0, 0.2, -0.3)};
  ck_assert_int_eq(ns_rigid_from_shapes(2, p, &mass, c, I), -1);
  ck_assert_double_eq_tol(mass, 2 * m, 1e-15);
  near(c, (double[]){0, 0.2, 0.2}, 3, 1e-16);
  near(I, (double[]){across, 0, 0, 0, across, 0, 0, 0, along}, 9, 1e-15);
}
END_TEST

/* A unit cube of eight cubes, and one of two halves of other density: centre and moments about it.
 */
START_TEST(blocks)
{
  static const double quarter[] = {0.25, 0.25, 0.25}, half[] = {0.25, 0.5, 0.5};
  ns_shape small, slab;
  ns_shape_box(&small, arena, quarter);
  ns_shape_box(&slab, arena, half);
  ns_solid_part p[8], two[] = {part(&slab, 3, -0.25, 0, 0), part(&slab, 1, 0.25, 0, 0)};
  double mass, c[3], I[9], sixth = 6.0 / 6;
  for (int k = 0; k < 8; k++)
    p[k] = part(&small, 6, k & 1 ? 0.25 : -0.25, k & 2 ? 0.25 : -0.25, k & 4 ? 0.25 : -0.25);
  ck_assert_int_eq(ns_rigid_from_shapes(8, p, &mass, c, I), -1);
  ck_assert_double_eq_tol(mass, 6, 1e-14);
  near(c, (double[]){0, 0, 0}, 3, 1e-15);
  near(I, (double[]){sixth, 0, 0, 0, sixth, 0, 0, 0, sixth}, 9, 1e-14);
  ck_assert_int_eq(ns_rigid_from_shapes(2, two, &mass, c, I), -1);
  double yy = 2 * (0.25 + 1) / 12 + 1.5 * 0.125 * 0.125 + 0.5 * 0.375 * 0.375;
  near(c, (double[]){-0.125, 0, 0}, 3, 1e-15);
  near(I, (double[]){2.0 / 6, 0, 0, 0, yy, 0, 0, 0, yy}, 9, 1e-15);
}
END_TEST

/* Turned by 0.7 about x and then moved: R I R^T, the same principal moments. */
START_TEST(turned_cylinder)
{
  ns_shape rod;
  ns_shape_cylinder(&rod, 0.1, 0.5);
  ns_solid_part p = part(&rod, 2, 4, 5, 6);
  double phi[] = {0.7, 0, 0}, mass, c[3], I[9], m = M_PI * 0.01 * 2, along = m * 0.01 / 2,
         across = m * (0.03 + 1) / 12, moment[3];
  ns_quaternion_exp(phi, p.turn);
  ck_assert_int_eq(ns_rigid_from_shapes(1, &p, &mass, c, I), -1);
  double s = sin(0.7), k = cos(0.7), yy = across * k * k + along * s * s,
         zz = across * s * s + along * k * k, yz = s * k * (across - along);
  near(I, (double[]){across, 0, 0, 0, yy, yz, 0, yz, zz}, 9, 1e-17);
  ns_principal_moments(I, moment);
  near(moment, (double[]){along, across, across}, 3, 1e-17);
}
END_TEST

START_TEST(planes_are_no_solids)
{
  ns_shape ball, ground;
  ns_shape_sphere(&ball, 1);
  ns_shape_plane(&ground);
  ns_solid_part p[] = {part(&ball, 1, 0, 0, 0), part(&ground, 1, 0, 0, 0),
                       part(&ball, -1, 0, 0, 0)};
  double mass, c[3], I[9];
  ck_assert_int_eq(ns_rigid_from_shapes(2, p, &mass, c, I), 1);
  p[1] = p[2];
  ck_assert_int_eq(ns_rigid_from_shapes(2, p, &mass, c, I), -1);
  ck_assert_double_eq(mass, 0);
  near(I, (double[9]){0}, 9, 0);
}
END_TEST

/* ---- closed meshes --------------------------------------------------------------------------- */

static ns_shape mesh(int nv, const double *vertex, int nt, const int *corner)
{
  ns_ctx ctx = {0};
  ns_mesh *m;
  ns_shape s;
  ck_assert_msg(ns_mesh_create(&ctx, "mesh", arena, nv, vertex, nt, corner, &m) == NS_OK, "%s",
                ctx.msg);
  ck_assert(ns_shape_mesh(&s, m));
  return s;
}

/* Corners 0, (a,0,0), (0,b,0), (0,0,c), away from the origin: m = rho a b c/6, about the centre
 * I_xx = 3 m (b^2 + c^2)/80, I_xy = m a b/80. */
START_TEST(tetrahedron_of_triangles)
{
  static const double a = 0.6, b = 0.9, h = 1.5, at[] = {3, -2, 5};
  double x[] = {3, -2, 5, 3 + a, -2, 5, 3, -2 + b, 5, 3, -2, 5 + h}, mass, c[3], I[9];
  ns_shape s = mesh(4, x, 4, (int[]){0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3});
  ns_solid_part p = part(&s, 800, 0, 0, 0);
  ck_assert_int_eq(ns_rigid_from_shapes(1, &p, &mass, c, I), -1);
  double m = 800 * a * b * h / 6, k = 3 * m / 80, xy = m * a * b / 80, yz = m * b * h / 80,
         zx = m * h * a / 80;
  ck_assert_double_eq_tol(mass, m, 1e-13 * m);
  near(c, (double[]){at[0] + a / 4, at[1] + b / 4, at[2] + h / 4}, 3, 2e-15);
  near(I,
       (double[]){k * (b * b + h * h), xy, zx, xy, k * (a * a + h * h), yz, zx, yz,
                  k * (a * a + b * b)},
       9, 1e-13 * m);
}
END_TEST

/* Twelve triangles off the origin and turned are the box, also as what is cut out of a ball. */
START_TEST(box_of_triangles)
{
  static const double half[] = {0.2, 0.3, 0.4};
  static const int corner[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                               2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  double x[24], M[2], c[2][3], I[2][9], phi[] = {0.3, -0.5, 0.9};
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < 3; i++) x[3 * k + i] = k >> i & 1 ? half[i] : -half[i];
  ns_shape box, ball, skin = mesh(8, x, 12, corner);
  ns_shape_box(&box, arena, half);
  ns_shape_sphere(&ball, 2);
  for (int k = 0; k < 2; k++) {
    ns_solid_part p[] = {part(k ? &skin : &box, -1000, 1, 0.5, 0.2), part(&ball, 1000, 0, 0, 0)};
    ns_quaternion_exp(phi, p[0].turn);
    ck_assert_int_eq(ns_rigid_from_shapes(2, p, &M[k], c[k], I[k]), -1);
  }
  ck_assert_double_eq_tol(M[1], M[0], 1e-14 * M[0]);
  near(c[1], c[0], 3, 1e-14);
  near(I[1], I[0], 9, 1e-14 * M[0]);
}
END_TEST

START_TEST(open_mesh_is_no_solid)
{
  static const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  ns_shape s = mesh(4, x, 3, (int[]){0, 2, 1, 0, 1, 3, 0, 3, 2});
  ns_solid_part p = part(&s, 1, 0, 0, 0);
  double mass, c[3], I[9];
  ck_assert_int_eq(ns_rigid_from_shapes(1, &p, &mass, c, I), 0);
}
END_TEST

START_TEST(principal_moments)
{
  static const struct {
    double I[9], moment[3];
  } row[] = {{{1, 0, 0, 0, 2, 0, 0, 0, 3}, {1, 2, 3}}, {{2, 0, 0, 0, 2, 0, 0, 0, 2}, {2, 2, 2}},
             {{2, 1, 0, 1, 2, 0, 0, 0, 5}, {1, 3, 5}}, {{4, 1, 1, 1, 4, 1, 1, 1, 4}, {3, 3, 6}},
             {{0, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 1, 1}}, {{0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0}}};
  double moment[3];
  ns_principal_moments(row[_i].I, moment);
  near(moment, row[_i].moment, 3, 2e-15);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_checked_fixture(t, begin, end);
  tcase_add_test(t, hollow_sphere);
  tcase_add_test(t, dumbbell);
  tcase_add_test(t, blocks);
  tcase_add_test(t, turned_cylinder);
  tcase_add_test(t, planes_are_no_solids);
  tcase_add_test(t, tetrahedron_of_triangles);
  tcase_add_test(t, box_of_triangles);
  tcase_add_test(t, open_mesh_is_no_solid);
  tcase_add_loop_test(t, principal_moments, 0, 6);
}

int main(void) { return suite_run("inertia from shapes", fill); }
