/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Meshes and height fields: what a surface refuses, that a plane of triangles is a plane to all
 * shapes, that a convex mesh is the polytope that it encloses. */
#include "collision/gap.h"
#include "collision/touch.h"
#include "collision/touch_parts.h"
#include "support/cloud.h"
#include "support/shapes.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>

static const double cube_vertex[24] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1,
                                       -1, -1, 1,  1, -1, 1,  -1, 1, 1,  1, 1, 1};
static const int cube_corner[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                    2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

static ns_mesh *mesh_of(int nv, const double *x, int nt, const int *corner)
{
  ns_mesh *m;
  ck_assert_msg(ns_mesh_create(&ctx, "here", mem, nv, x, nt, corner, &m) == NS_OK, "%s", ctx.msg);
  return m;
}

/* ---- what is refused ------------------------------------------------------------------------- */

START_TEST(faults_are_said_with_their_number)
{
  static const struct {
    int nv, nt, corner[9];
    const char *says;
  } row[] = {
      {4, 2, {0, 1, 2, 0, 2, 4}, "here: triangle 2 names vertex 4, expected 0 to 3"},
      {4, 1, {0, -1, 2}, "here: triangle 1 names vertex -1"},
      {4, 2, {0, 1, 2, 1, 1, 2}, "here: triangle 2 (vertices 1, 1 and 2) has no area"},
      {5, 1, {0, 1, 4}, "here: triangle 1 (vertices 0, 1 and 4) has no area"},
      {4,
       3,
       {0, 1, 2, 1, 0, 3, 0, 1, 3},
       "here: the edge between vertices 0 and 1 belongs to 3 triangles (1, 2 and 3 among them)"},
      {4,
       2,
       {0, 1, 2, 0, 1, 3},
       "here: triangles 1 and 2 go along the edge between vertices 0 and 1 in the same direction"},
      {2, 1, {0, 1, 1}, "here: a mesh of 2 vertices and 1 triangles"},
  };
  static const double x[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0};
  ns_mesh *m;
  ck_assert_int_eq(ns_mesh_create(&ctx, "here", mem, row[_i].nv, x, row[_i].nt, row[_i].corner, &m),
                   NS_MODEL);
  ck_assert_ptr_null(m);
  ck_assert_msg(strncmp(ctx.msg, row[_i].says, strlen(row[_i].says)) == 0, "%s", ctx.msg);
}
END_TEST

START_TEST(fields_are_checked)
{
  ns_mesh *m;
  ck_assert_int_eq(ns_mesh_field(&ctx, "here", mem, 1, 3, 1, 1, cube_vertex, &m), NS_MODEL);
  ctx = (ns_ctx){0};
  ck_assert_int_eq(ns_mesh_field(&ctx, "here", mem, 2, 2, 0, 1, cube_vertex, &m), NS_MODEL);
  ctx = (ns_ctx){0};
  ck_assert_int_eq(ns_mesh_field(&ctx, "here", mem, 2, 2, 1, 1, (double[]){0, 0, INFINITY, 0}, &m),
                   NS_MODEL);
  ck_assert_str_eq(ctx.msg, "here: the height in column 1, row 2 is inf, expected finite numbers");
}
END_TEST

/* Cube of edge 2 anywhere, also with corners of its own for each triangle: V = 8, I = 2/3 V. */
START_TEST(solids_of_closed_meshes)
{
  double x[24], soup[108], v, c[3], I[9], shift[3] = {100, -20, 7};
  int own[36];
  for (int i = 0; i < 24; i++) x[i] = cube_vertex[i] + shift[i % 3];
  for (int i = 0; i < 36; i++) {
    memcpy(soup + 3 * i, x + 3 * cube_corner[i], 3 * sizeof *x);
    own[i] = i;
  }
  for (int k = 0; k < 2; k++) {
    ns_mesh *m = k ? mesh_of(36, soup, 12, own) : mesh_of(8, x, 12, cube_corner);
    ck_assert_int_eq(ns_mesh_solid(&ctx, "here", m, &v, c, I), NS_OK);
    ck_assert_double_eq_tol(v, 8, 1e-13);
    for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(c[i], shift[i], 1e-13);
    for (int i = 0; i < 9; i++) ck_assert_double_eq_tol(I[i], i % 4 ? 0 : 16 / 3.0, 1e-13);
  }
  ck_assert_int_eq(ns_mesh_solid(&ctx, "here", mesh_of(8, x, 11, cube_corner), &v, c, I), NS_MODEL);
  ck_assert_msg(strstr(ctx.msg, "is not closed") != NULL, "%s", ctx.msg);
  ctx = (ns_ctx){0};
  int inward[36];
  for (int i = 0; i < 36; i++) inward[i] = cube_corner[i / 3 * 3 + 2 - i % 3];
  ck_assert_int_eq(ns_mesh_solid(&ctx, "here", mesh_of(8, x, 12, inward), &v, c, I), NS_MODEL);
  ck_assert_msg(strstr(ctx.msg, "inside out") != NULL, "%s", ctx.msg);
}
END_TEST

static void turn(ns_placed *p, const double *phi)
{
  double q[4];
  ns_quaternion_exp(phi, q);
  ns_quaternion_unit(q);
  ns_quaternion_matrix(q, p->R);
}

/* What is within a closed mesh, by how much: points in a cube of edge 2, anywhere and in any pose;
 * nothing is within one that is turned inside out, or has a hole. */
START_TEST(what_is_inside)
{
  ns_shape ball, cube[3];
  int inward[36];
  double scale = pow(10, _i - 2), x[24];
  for (int i = 0; i < 36; i++) inward[i] = cube_corner[i / 3 * 3 + 2 - i % 3];
  for (int i = 0; i < 24; i++) x[i] = scale * cube_vertex[i];
  ck_assert(ns_shape_sphere(&ball, 0.1 * scale));
  ck_assert(ns_shape_mesh(&cube[0], mesh_of(8, x, 12, cube_corner)));
  ck_assert(ns_shape_mesh(&cube[1], mesh_of(8, x, 12, inward)));
  ck_assert(ns_shape_mesh(&cube[2], mesh_of(8, x, 11, cube_corner)));
  for (int n = 0; n < 200; n++) {
    double phi[3], local[3], depth = INFINITY;
    ns_placed mesh = {.shape = cube}, b = {.shape = &ball, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int i = 0; i < 3; i++) {
      phi[i] = uniform(-3, 3), mesh.at[i] = scale * uniform(-100, 100);
      local[i] = scale * uniform(-1.3, 1.3);
      depth = fmin(depth, scale - fabs(local[i]));
    }
    turn(&mesh, phi);
    ns_placed_out(&mesh, local, b.at);
    ck_assert_double_eq_tol(ns_gap_depth_inside(&b, &mesh), fmax(0, depth), 1e-12 * scale);
    for (int k = 1; k < 3; k++) {
      mesh.shape = &cube[k];
      ck_assert_double_eq(ns_gap_depth_inside(&b, &mesh), 0);
    }
  }
}
END_TEST

/* ---- planes ---------------------------------------------------------------------------------- */

enum { SIDE = 9 };

/* A plane of 2 x 8 x 8 triangles, vertices anywhere about a grid, the diagonals either way; or a
 * field. */
static void plane_of_triangles(int field, double slope, ns_shape *s)
{
  double x[3 * SIDE * SIDE], height[SIDE * SIDE];
  int corner[6 * (SIDE - 1) * (SIDE - 1)], n = 0;
  ns_mesh *m;
  for (int v = 0; v < SIDE * SIDE; v++) {
    int i = v % SIDE, j = v / SIDE, inner = i > 0 && j > 0 && i < SIDE - 1 && j < SIDE - 1;
    x[3 * v] = i - 4 + (inner ? uniform(-0.3, 0.3) : 0);
    x[3 * v + 1] = j - 4 + (inner ? uniform(-0.3, 0.3) : 0);
    x[3 * v + 2] = slope * x[3 * v];
    height[v] = slope * (i - 4);
  }
  for (int c = 0; c < (SIDE - 1) * (SIDE - 1); c++) {
    int a = c % (SIDE - 1) + SIDE * (c / (SIDE - 1)), b = a + 1, d = a + SIDE, e = d + 1;
    int two[2][6] = {{a, b, e, a, e, d}, {a, b, d, b, e, d}};
    for (int k = 0; k < 6; k++) corner[n++] = two[uniform(0, 1) < 0.5][k];
    memcpy(corner + n - 6, two[c % 2], sizeof two[0]);
  }
  if (field)
    ck_assert_int_eq(ns_mesh_field(&ctx, "here", mem, SIDE, SIDE, 1, 1, height, &m), NS_OK);
  else m = mesh_of(SIDE * SIDE, x, n / 3, corner);
  ck_assert(ns_shape_mesh(s, m));
}

/* Sphere, capsule, box, hull, standing and lying cylinder, a box on its edge: as many touches as on
 * a plane, the same gaps. Nothing is felt of edges within, wherever the body is; at x = y = 0 it is
 * exactly over a vertex. */
START_TEST(a_plane_of_triangles_is_a_plane)
{
  ns_shape shape[6], flat, plane;
  ns_polytope *p;
  double x[36];
  ck_assert(ns_shape_sphere(&shape[0], 0.5));
  ck_assert(ns_shape_capsule(&shape[1], 0.3, 0.7));
  ck_assert(ns_shape_box(&shape[2], mem, (double[]){0.6, 0.8, 0.5}));
  for (int i = 0; i < 12; i++) { /* a prism on a hexagon */
    x[3 * i] = 0.9 * cos(i % 6 * 1.0471975511965976);
    x[3 * i + 1] = 0.9 * sin(i % 6 * 1.0471975511965976);
    x[3 * i + 2] = i < 6 ? -0.5 : 0.5;
  }
  ck_assert_int_eq(ns_polytope_hull(&ctx, "hull", mem, 12, x, &p), NS_OK);
  ck_assert(ns_shape_hull(&shape[3], p));
  ck_assert(ns_shape_cylinder(&shape[4], 0.8, 0.5));
  ck_assert(ns_shape_cylinder(&shape[5], 0.5, 0.8));
  ck_assert(ns_shape_plane(&plane));
  for (int trial = 0; trial < 400; trial++) {
    int kind = trial % 7, tilted = kind == 6 || kind == 5 || kind == 1;
    double slope = trial % 4 < 2 ? 0 : 0.3, angle = atan(slope), g = (trial % 5 - 2) * 1e-3,
           z = kind == 1   ? 0.3
               : kind == 6 ? 0.55
                           : 0.5,
           w[3], phi[3], R[9];
    plane_of_triangles(trial % 2, slope, &flat);
    ns_placed a = {.shape = &shape[kind == 6 ? 2 : kind]},
              b = {&flat, {0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}, floor = b;
    floor.shape = &plane;
    turn(&floor, (double[]){0, -angle, 0});
    turn(&a, (double[]){0, 0, trial < 7 ? 0 : uniform(-3, 3)});
    if (kind == 6) z = 0.6 * sin(0.7) + 0.5 * cos(0.7);
    if (tilted) {
      ns_placed lying;
      turn(&lying, (double[]){0, kind == 6 ? 0.7 : 1.57079632679489661923, 0});
      ns_matmul3(a.R, lying.R, R);
      memcpy(a.R, R, sizeof R);
    }
    ns_matmul3(floor.R, a.R, R);
    memcpy(a.R, R, sizeof R);
    ns_axpy3(a.at, trial < 7 ? 0 : uniform(-2, 2), floor.R, a.at);
    ns_axpy3(a.at, trial < 7 ? 0 : uniform(-2, 2), floor.R + 3, a.at);
    ns_axpy3(a.at, z + g, floor.R + 6, a.at);
    direction(phi); /* all of it anywhere */
    ns_placed any = b;
    turn(&any, phi);
    for (int i = 0; i < 3; i++) any.at[i] = uniform(-9, 9);
    ns_placed *all[] = {&a, &b, &floor};
    for (int i = 0; i < 3; i++) {
      ns_placed_out(&any, all[i]->at, w);
      ns_matmul3(any.R, all[i]->R, R);
      memcpy(all[i]->at, w, sizeof w);
      memcpy(all[i]->R, R, sizeof R);
    }
    ns_touches t = {0}, s = {0};
    ns_touch_shapes(&a, &b, 0.02, &t);
    ns_touch_shapes(&a, &floor, 0.02, &s);
    ck_assert_msg(t.count == s.count, "trial %d, kind %d: %d touches, %d on a plane", trial, kind,
                  t.count, s.count);
    for (int i = 0; i < t.count; i++) {
      int found = 0;
      double d[3];
      for (int j = 0; j < s.count; j++) {
        ns_sub3(t.at[i].p1, s.at[j].p1, d);
        found += ns_norm3(d) < 1e-13 && fabs(t.at[i].gap - s.at[j].gap) < 1e-13;
      }
      ck_assert_msg(found == 1, "trial %d, kind %d, touch %d: gap %g", trial, kind, i, t.at[i].gap);
      ns_sub3(t.at[i].n, floor.R + 6, d);
      ck_assert_double_le(ns_norm3(d), 1e-14);
    }
    ns_touches_fini(&t);
    ns_touches_fini(&s);
  }
}
END_TEST

/* A sphere that rolls keeps one touch, the same all the way: the plane is one patch. */
START_TEST(rolling_keeps_the_identity)
{
  for (int field = 0; field < 2; field++) {
    ns_shape ball, flat;
    uint64_t first = 0;
    ns_shape_sphere(&ball, 0.5);
    plane_of_triangles(field, 0, &flat);
    for (int k = 0; k <= 600; k++) {
      ns_placed a = {&ball, {k * 0.01 - 3, 0.3 * sin(k * 0.01), 0.5}, {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                b = {&flat, {0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
      ns_touches t = {0};
      ns_touch_shapes(&a, &b, 0.02, &t);
      ck_assert_int_eq(t.count, 1);
      if (k == 0) first = t.at[0].feature;
      ck_assert(t.at[0].feature == first);
      ck_assert_double_eq_tol(t.at[0].gap, 0, 1e-15);
      ns_touches_fini(&t);
    }
  }
}
END_TEST

/* ---- convex meshes --------------------------------------------------------------------------- */

/* Faces of a polytope as fans of triangles. */
static ns_mesh *mesh_of_polytope(const ns_polytope *p)
{
  int n = 0, *corner = malloc(3 * (size_t)p->first[p->nfaces] * sizeof *corner);
  for (int f = 0; f < p->nfaces; f++)
    for (int i = p->first[f] + 1; i + 1 < p->first[f + 1]; i++) {
      corner[n++] = p->loop[p->first[f]];
      corner[n++] = p->loop[i];
      corner[n++] = p->loop[i + 1];
    }
  ns_mesh *m = mesh_of(p->nvertices, p->vertex, n / 3, corner);
  free(corner);
  return m;
}

static double min(const ns_touches *t)
{
  double g = INFINITY;
  for (int i = 0; i < t->count; i++) g = fmin(g, t->at[i].gap);
  return g;
}

/* Shapes over a hull and over its mesh: the same least gap; of bodies with faces, deeper in than 5
 * mm, about the same, as each triangle is met for itself. */
START_TEST(a_convex_mesh_is_its_hull)
{
  ns_shape shape[5], whole, skin;
  double x[60];
  int overlapping = 0, apart = 0;
  ck_assert(ns_shape_sphere(&shape[0], 0.3));
  ck_assert(ns_shape_capsule(&shape[1], 0.2, 0.3));
  ck_assert(ns_shape_box(&shape[2], mem, (double[]){0.3, 0.4, 0.2}));
  ck_assert(ns_shape_cylinder(&shape[3], 0.3, 0.2));
  ck_assert(ns_shape_cone(&shape[4], 0.3, 0.2));
  for (int trial = 0; trial < 4000; trial++) {
    int kind = trial < 3000 ? trial % 4 : 4;
    ns_polytope *p;
    if (trial % 100 == 0) {
      for (int i = 0; i < 20; i++) direction(x + 3 * i);
      ck_assert_int_eq(ns_polytope_hull(&ctx, "hull", mem, 20, x, &p), NS_OK);
      if (trial % 200 == 0) p = ns_polytope_box(mem, (double[]){0.7, 0.8, 0.9});
      ck_assert(ns_shape_hull(&whole, p));
      ck_assert(ns_shape_mesh(&skin, mesh_of_polytope(p)));
    }
    ns_placed a = {.shape = &shape[kind]}, b = {&whole, {0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}, c = b;
    ns_touches t = {0}, s = {0};
    double phi[3];
    c.shape = &skin;
    direction(a.at);
    direction(phi);
    turn(&a, phi);
    for (int i = 0; i < 3; i++) a.at[i] *= uniform(0.9, 1.6);
    ns_touch_shapes(&a, &b, 0.1, &t);
    ns_touch_shapes(&a, &c, 0.1, &s);
    double g = min(&t);
    if (g > -0.04) {
      ck_assert_msg(t.count ? s.count > 0 : s.count == 0,
                    "trial %d kind %d: %d touches of the hull, %d of the mesh; %g %g", trial, kind,
                    t.count, s.count, g, min(&s));
      if (t.count)
        ck_assert_msg(fabs(g - min(&s)) < (kind < 2     ? 1e-13
                                           : g > -0.005 ? 3e-3
                                                        : -0.5 * g),
                      "trial %d kind %d: %g of the hull, %g of the mesh", trial, kind, g, min(&s));
      overlapping += g < 0;
      apart += t.count && g > 0;
    }
    ns_touches_fini(&t);
    ns_touches_fini(&s);
  }
  ck_assert_int_gt(overlapping, 100);
  ck_assert_int_gt(apart, 100);
}
END_TEST

/* The triangles of a field are those of a mesh that lists them. */
START_TEST(a_field_is_its_mesh)
{
  double height[SIDE * SIDE], x[3 * SIDE * SIDE];
  int corner[6 * (SIDE - 1) * (SIDE - 1)];
  ns_mesh *m, *f;
  ns_shape list, grid, ball, box, rod;
  for (int v = 0; v < SIDE * SIDE; v++) {
    height[v] = uniform(-0.5, 0.5);
    memcpy(x + 3 * v, (double[]){0.7 * (v % SIDE - 4), 0.6 * (v / SIDE - 4), height[v]},
           3 * sizeof *x);
  }
  ck_assert_int_eq(ns_mesh_field(&ctx, "here", mem, SIDE, SIDE, 0.7, 0.6, height, &f), NS_OK);
  for (int t = 0; t < f->ntriangles; t++) ns_mesh_corners(f, t, corner + 3 * t);
  m = mesh_of(SIDE * SIDE, x, f->ntriangles, corner);
  for (int t = 0; t < f->ntriangles; t++) {
    ck_assert_int_eq(m->patch[t], f->patch[t]);
    for (int k = 0; k < 3; k++) ck_assert_int_eq(ns_mesh_across(m, t, k), ns_mesh_across(f, t, k));
  }
  for (int v = 0; v < SIDE * SIDE; v++) {
    ck_assert_int_eq(m->sharp[v], f->sharp[v]);
    ck_assert_int_eq(ns_mesh_owner(m, v), ns_mesh_owner(f, v));
  }
  ck_assert(ns_shape_mesh(&list, m) && ns_shape_mesh(&grid, f) && ns_shape_sphere(&ball, 0.4));
  ck_assert(ns_shape_box(&box, mem, (double[]){0.3, 0.4, 0.2}) &&
            ns_shape_cylinder(&rod, 0.2, 0.4));
  for (int trial = 0, met = 0; trial < 1000 || met < 300; trial++) {
    ns_placed a = {.shape = trial % 3 == 0   ? &ball
                            : trial % 3 == 1 ? &box
                                             : &rod},
              b = {&list, {0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}, c = b;
    ns_touches t = {0}, s = {0};
    double phi[3];
    c.shape = &grid;
    direction(phi);
    turn(&a, phi);
    for (int i = 0; i < 3; i++) a.at[i] = uniform(i == 2 ? 0.1 : -3, i == 2 ? 0.9 : 3);
    ns_touch_shapes(&a, &b, 0.05, &t);
    ns_touch_shapes(&a, &c, 0.05, &s);
    ck_assert_int_eq(t.count, s.count);
    for (int i = 0; i < t.count; i++) {
      int found = 0;
      for (int j = 0; j < s.count; j++)
        found += fabs(t.at[i].gap - s.at[j].gap) < 1e-12 &&
                 fabs(t.at[i].p1[0] - s.at[j].p1[0]) < 1e-12;
      ck_assert_int_ge(found, 1);
    }
    met += t.count > 0;
    ns_touches_fini(&t);
    ns_touches_fini(&s);
  }
}
END_TEST

/* ---- cones ----------------------------------------------------------------------------------- */

/* Least signed distance from the cone over points x + r u + s (1 - r) w of a triangle, or s of a
 * line: a convex function, by thirds. */
static double least(const ns_placed *a, const double *x, const double *u, const double *w)
{
  double low = 0, high = 1, d[2], y[3], in[3], n[3];
  for (int i = 0; i < 32; i++) {
    for (int j = 0; j < 2; j++) {
      double r = low + (high - low) * (1 + j) / 3, left[3];
      ns_axpy3(x, r, u, y);
      for (int l = 0; w && l < 3; l++) left[l] = (1 - r) * w[l];
      ns_placed_in(a, y, in);
      d[j] = w ? least(a, y, left, NULL) : ns_cone_nearest(a->shape, in, y, n);
    }
    if (d[0] < d[1]) high = low + (high - low) * 2 / 3;
    else low = low + (high - low) / 3;
  }
  return fmin(d[0], d[1]);
}

/* Of all triangles; not of those whose first corner is too far away for one to be the nearest. */
static double apart(const ns_placed *a, const ns_mesh *m)
{
  double near = INFINITY, x[3][3], u[3], w[3], in[3], y[3], n[3];
  for (int pass = 0; pass < 2; pass++)
    for (int t = 0; t < m->ntriangles; t++) {
      int corner[3];
      ns_mesh_corners(m, t, corner);
      for (int i = 0; i < 3; i++) ns_mesh_vertex(m, corner[i], x[i]);
      ns_sub3(x[1], x[0], u);
      ns_sub3(x[2], x[0], w);
      ns_placed_in(a, x[0], in);
      double d = ns_cone_nearest(a->shape, in, y, n);
      if (pass == 0) near = fmin(near, d);
      else if (d - fmax(ns_norm3(u), ns_norm3(w)) < near) near = fmin(near, least(a, x[0], u, w));
    }
  return near;
}

static int is_normal_of(const ns_mesh *m, const double *n)
{
  double of[3];
  for (int t = 0; t < m->ntriangles; t++) {
    ns_mesh_normal(m, t, of);
    if (ns_dot3(of, n) > 1 - 1e-9) return 1;
  }
  return 0;
}

static int deepest(const ns_touches *t)
{
  int best = 0;
  for (int i = 1; i < t->count; i++)
    if (t->at[i].gap < t->at[best].gap) best = i;
  return best;
}

/* A cone of any pose comes down on a field of ridges and peaks: while it is apart, its least gap is
 * the distance from the triangles; as it comes in, its depth is the way by which it does along the
 * normal that it touched with, at that point along no other where that is of an edge or a peak; all
 * points are on the cone. */
START_TEST(cones_come_down_on_a_field)
{
  enum { N = 5 };
  double height[N * N], n[3], y[3], in[3];
  ns_mesh *m;
  ns_shape field, cone;
  for (int v = 0; v < N * N; v++) height[v] = uniform(-0.06, 0.06);
  ck_assert_int_eq(ns_mesh_field(&ctx, "here", mem, N, N, 0.15, 0.15, height, &m), NS_OK);
  ck_assert(ns_shape_mesh(&field, m));
  for (int trial = 0; trial < 40; trial++) {
    ck_assert(ns_shape_cone(&cone, uniform(0.05, 0.12), uniform(0.05, 0.15)));
    ns_placed b = {&field, {3, -2, 1}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}, a = {.shape = &cone}, in_field;
    double phi[3], low, high = 0.4;
    direction(phi);
    double angle = uniform(0, 3);
    for (int i = 0; i < 3; i++) phi[i] *= angle;
    turn(&a, phi);
    for (int i = 0; i < 2; i++) a.at[i] = uniform(-0.15, 0.15);
    for (a.at[2] = high; apart(&a, m) > 0;) a.at[2] -= 0.02;
    low = a.at[2];
    for (int i = 0; i < 25; i++) {
      a.at[2] = (low + high) / 2;
      if (apart(&a, m) > 0) high = a.at[2];
      else low = a.at[2];
    }
    in_field = a;
    for (int i = 0; i < 3; i++) a.at[i] += b.at[i];
    double touching = a.at[2], up = 0;
    for (int i = 0; i < 4; i++) {
      const double d[] = {1e-3, 1e-6, -1e-5, -1e-4};
      ns_touches t = {0};
      a.at[2] = touching + d[i];
      in_field.at[2] = touching - b.at[2] + d[i];
      ns_touch_shapes(&a, &b, 0.01, &t);
      ck_assert_msg(t.count > 0, "trial %d: none at %g", trial, d[i]);
      const ns_touch *c = &t.at[deepest(&t)];
      double away = d[i] > 0 ? apart(&in_field, m) : 0;
      if (d[i] > 0)
        ck_assert_msg(fabs(c->gap - away) < 1e-7, "trial %d: %g, not %g", trial, c->gap, away);
      if (d[i] < 0)
        ck_assert_msg(fabs(c->gap - up * d[i]) < 0.03 * fabs(d[i]), "trial %d: %g deep, not %g",
                      trial, c->gap, up * d[i]);
      up = c->n[2];
      for (int j = 0; j < t.count; j++) {
        ns_placed_in(&a, t.at[j].p1, in);
        ck_assert_double_le(fabs(ns_cone_nearest(&cone, in, y, n)), 1e-4);
        double off[3];
        ns_sub3(t.at[j].p1, c->p1, off);
        if (d[i] < 0 && t.at[j].gap < 0.5 * d[i] && !is_normal_of(m, c->n))
          ck_assert_msg(ns_dot3(t.at[j].n, c->n) > 1 - 1e-4 || ns_norm3(off) > 1e-2,
                        "trial %d: two normals at one point", trial);
      }
      ns_touches_fini(&t);
    }
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_checked_fixture(t, make, drop);
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, faults_are_said_with_their_number, 0, 7);
  tcase_add_test(t, fields_are_checked);
  tcase_add_test(t, solids_of_closed_meshes);
  tcase_add_loop_test(t, what_is_inside, 0, 5);
  tcase_add_test(t, a_plane_of_triangles_is_a_plane);
  tcase_add_test(t, rolling_keeps_the_identity);
  tcase_add_test(t, a_convex_mesh_is_its_hull);
  tcase_add_test(t, a_field_is_its_mesh);
  tcase_add_test(t, cones_come_down_on_a_field);
}

int main(void) { return suite_run("mesh", fill); }
