/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaps of shapes for event-driven runs: they are those of the touches, smooth within a region, and
 * their rates are those of differences. */
#include "collision/gap.h"
#include "collision/minima.h"
#include "collision/touch_parts.h"
#include "support/random_model.h"
#include "support/some_of.h"
#include "support/suite.h"

#include <string.h>

typedef struct pair {
  ns_shape a, b;
  ns_placed x, y;
  int planar;
} pair;

static void turned(generator *g, int planar, double *R)
{
  double axis[3] = {planar ? 0 : between(g, -1, 1), planar ? 0 : between(g, -1, 1), 1},
         angle = between(g, -3, 3), p[4];
  ns_unit3(axis);
  for (int i = 0; i < 3; i++) axis[i] *= angle;
  ns_quaternion_exp(axis, p);
  ns_quaternion_matrix(p, R);
}

/* A height field, or the surface of a box by triangles. */
static void make_mesh(generator *g, ns_arena *mem, ns_shape *s)
{
  enum { SIDE = 5 };
  static const int corner[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                               2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  double height[SIDE * SIDE], x[24], half[3];
  ns_ctx c = {0};
  ns_mesh *m;
  for (int i = 0; i < SIDE * SIDE; i++) height[i] = between(g, -0.15, 0.15);
  for (int i = 0; i < 3; i++) half[i] = between(g, 0.3, 1);
  for (int i = 0; i < 24; i++) x[i] = i / 3 >> i % 3 & 1 ? half[i % 3] : -half[i % 3];
  int rc = pick(g, 2) ? ns_mesh_field(&c, "", mem, SIDE, SIDE, 0.5, 0.6, height, &m)
                      : ns_mesh_create(&c, "", mem, 8, x, 12, corner, &m);
  ck_assert_msg(rc == NS_OK, "%s", c.msg);
  ns_shape_mesh(s, m);
}

static void make(generator *g, ns_arena *mem, ns_shape *s, int kind)
{
  static const double corners[] = {-0.4, -0.3, 0.5, -0.2, 0.3, 0.4, -0.2, 0.5};
  ns_ctx c = {0};
  int rc = 0;
  switch (kind) {
  case NS_SHAPE_PLANE: rc = ns_shape_plane(s) != 0; break;
  case NS_SHAPE_SPHERE: ns_shape_sphere(s, spread(g, 0.1, 1)); break;
  case NS_SHAPE_CAPSULE: ns_shape_capsule(s, spread(g, 0.1, 0.4), spread(g, 0.1, 1)); break;
  case NS_SHAPE_CONE: ns_shape_cone(s, spread(g, 0.1, 0.4), spread(g, 0.1, 1)); break;
  case NS_SHAPE_CYLINDER: ns_shape_cylinder(s, spread(g, 0.1, 0.4), spread(g, 0.1, 1)); break;
  case NS_SHAPE_BOX:
    ns_shape_box(s, mem, (double[]){spread(g, 0.1, 1), spread(g, 0.1, 1), spread(g, 0.1, 1)});
    break;
  case NS_SHAPE_HULL: {
    double x[3 * 9];
    ns_polytope *hull;
    for (int i = 0; i < 27; i++) x[i] = between(g, -0.7, 0.7);
    ck_assert_int_eq(ns_polytope_hull(&c, "", mem, 9, x, &hull), NS_OK);
    ns_shape_hull(s, hull);
    break;
  }
  case NS_SHAPE_MESH: make_mesh(g, mem, s); break;
  case NS_SHAPE_DISK: ns_shape_disk(s, spread(g, 0.1, 1)); break;
  case NS_SHAPE_CHAIN: rc = ns_shape_chain(s, &c, "", mem, 4, corners, pick(g, 2)) ? 1 : 0; break;
  default: rc = ns_shape_polygon(s, &c, "", mem, 4, corners) ? 1 : 0;
  }
  (void)rc;
}

/* Two shapes that do not overlap by more than their radii. */
static void place(generator *g, ns_arena *mem, int first, int second, pair *k)
{
  k->planar = first == NS_SHAPE_DISK || first == NS_SHAPE_POLYGON;
  make(g, mem, &k->a, first);
  make(g, mem, &k->b, second);
  k->x = (ns_placed){.shape = &k->a};
  k->y = (ns_placed){.shape = &k->b};
  for (int i = 0; i < 2 + !k->planar; i++)
    k->x.at[i] = between(g, -2, 2), k->y.at[i] = between(g, -1, 1);
  turned(g, k->planar, k->x.R);
  turned(g, k->planar, k->y.R);
  if (k->planar && second == NS_SHAPE_PLANE) { /* its normal in the plane */
    double M[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0}, R[9];
    ns_matmul3(k->y.R, M, R);
    memcpy(k->y.R, R, sizeof R);
  }
}

static const int kinds[][2] = {
    {NS_SHAPE_SPHERE, NS_SHAPE_PLANE},    {NS_SHAPE_SPHERE, NS_SHAPE_SPHERE},
    {NS_SHAPE_SPHERE, NS_SHAPE_CAPSULE},  {NS_SHAPE_SPHERE, NS_SHAPE_BOX},
    {NS_SHAPE_SPHERE, NS_SHAPE_CYLINDER}, {NS_SHAPE_BOX, NS_SHAPE_PLANE},
    {NS_SHAPE_CAPSULE, NS_SHAPE_PLANE},   {NS_SHAPE_CYLINDER, NS_SHAPE_PLANE},
    {NS_SHAPE_DISK, NS_SHAPE_PLANE},      {NS_SHAPE_DISK, NS_SHAPE_DISK},
    {NS_SHAPE_DISK, NS_SHAPE_POLYGON},    {NS_SHAPE_POLYGON, NS_SHAPE_PLANE},
    {NS_SHAPE_POLYGON, NS_SHAPE_POLYGON}, {NS_SHAPE_DISK, NS_SHAPE_CHAIN},
    {NS_SHAPE_CAPSULE, NS_SHAPE_CAPSULE}, {NS_SHAPE_CAPSULE, NS_SHAPE_BOX},
    {NS_SHAPE_CAPSULE, NS_SHAPE_HULL},    {NS_SHAPE_BOX, NS_SHAPE_BOX},
    {NS_SHAPE_BOX, NS_SHAPE_HULL},        {NS_SHAPE_HULL, NS_SHAPE_HULL},
    {NS_SHAPE_POLYGON, NS_SHAPE_CHAIN},   {NS_SHAPE_SPHERE, NS_SHAPE_CONE},
    {NS_SHAPE_CONE, NS_SHAPE_PLANE},      {NS_SHAPE_CAPSULE, NS_SHAPE_MESH},
    {NS_SHAPE_BOX, NS_SHAPE_MESH},        {NS_SHAPE_HULL, NS_SHAPE_MESH},
    {NS_SHAPE_CYLINDER, NS_SHAPE_MESH},   {NS_SHAPE_CONE, NS_SHAPE_MESH}};
enum { ALL_PAIRS = sizeof kinds / sizeof *kinds, MESHES = 5, PAIRS = ALL_PAIRS - MESHES };
enum { TIMES = 200 };

static int is_revolved(const ns_shape *s)
{
  return s->kind == NS_SHAPE_CYLINDER || s->kind == NS_SHAPE_CONE;
}

/* Points of a body over each triangle: of its rims, its corners or its ends. */
static int points_over(const ns_shape *s)
{
  if (s->kind == NS_SHAPE_CONE) return 18;
  return s->kind == NS_SHAPE_CYLINDER ? 34 : s->polytope ? s->polytope->nvertices : 2;
}

/* Corners of one that have gaps to the other, if both have; ends of a capsule. */
static int points(const ns_shape *of, const ns_shape *to)
{
  int links = to->kind == NS_SHAPE_CHAIN ? to->ncorners - !to->closed : 1;
  int both = (of->ncorners && to->ncorners) || ((of->polytope || of->kind == NS_SHAPE_CAPSULE) &&
                                                (to->polytope || to->kind == NS_SHAPE_CAPSULE));
  if (!both) return 0;
  if (of->kind == NS_SHAPE_CAPSULE) return 2;
  return links * (of->polytope ? of->polytope->nvertices : of->ncorners);
}

/* The gap w of a and b, as one of b and a. */
static int other_way(const pair *k, int w)
{
  int capsules = k->a.kind == NS_SHAPE_CAPSULE && k->b.kind == NS_SHAPE_CAPSULE;
  if (capsules) return w == 4 ? 4 : (w + 2) % 4; /* ends of either, and where they cross */
  int mine = points(&k->a, &k->b), its = points(&k->b, &k->a);
  if (mine == 0) return w;
  if (w < mine) return w + its;
  return w < mine + its ? w - mine : w; /* where edges cross */
}

/* Two bodies of the same number of edges: each of the first crosses those of the second, and the
 * other way round. */
static int crosses_otherwise(const pair *k, int w)
{
  if (!k->a.polytope || !k->b.polytope || k->a.polytope->nedges != k->b.polytope->nedges) return 0;
  return w >= points(&k->a, &k->b) + points(&k->b, &k->a);
}

/* The least of the gaps is the least of the touches, by either order; regions part space. */
START_TEST(gaps_are_those_of_touches)
{
  generator g = {.state = 3 + (unsigned long long)_i};
  for (int k = 0; k < some_of(TIMES); k++) {
    ns_arena *mem = ns_arena_create(0, 1);
    ns_touches t = {0};
    pair of;
    place(&g, mem, kinds[_i][0], kinds[_i][1], &of);
    (of.planar ? ns_touch_planar : ns_touch_shapes)(&of.x, &of.y, 100, &t);
    double min = INFINITY, touching = INFINITY, reach = of.a.reach + of.b.reach;
    int n = ns_gaps_of(&of.a, &of.b);
    ck_assert_int_eq(n, ns_gaps_of(&of.b, &of.a));
    ck_assert_int_ge(n, 1);
    for (int w = 0; w < n; w++) {
      ns_touch one, other;
      ns_gap_touch(&of.x, &of.y, w, -1, &one);
      ns_gap_touch(&of.y, &of.x, other_way(&of, w), -1, &other);
      double d[3];
      ns_sub3(of.x.at, of.y.at, d);
      min = fmin(min, one.gap);
      /* longer than any: another one stands in for it */
      if (crosses_otherwise(&of, w)) continue;
      if (fmax(one.gap, other.gap) > ns_norm3(d) + of.a.reach + of.b.reach - 1e-12) continue;
      ck_assert_double_eq_tol(one.gap, other.gap, 1e-14);
      for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(one.n[i], -other.n[i], 1e-14);
    }
    for (int i = 0; i < t.count; i++) touching = fmin(touching, t.at[i].gap);
    int sharp = ns_gap_is_sharp(&of.a, &of.b);
    int through = of.b.polytope && touching < 1e-3; /* edges of these pass through the other */
    double between[3];
    ns_sub3(of.x.at, of.y.at, between);
    int far = of.b.polytope && ns_norm3(between) > reach; /* edges are not looked at */
    ck_assert(through || sharp || min >= touching - 1e-13);
    if (!sharp && !through && !far) ck_assert_double_eq_tol(min, touching, 1e-13);
    if (sharp && !through)
      ck_assert(min > 1e-9 ? touching > 0
                           : touching < 1e-9); /* which corner it is, they need not agree on */
    int both = of.b.polytope && of.a.kind == NS_SHAPE_CAPSULE;
    int regions = ns_gap_regions(&of.a, &of.b), inside = 0;
    for (int r = 0; r < regions && !sharp && !both; r++)
      inside += ns_gap_clearance(&of.x, &of.y, 0, r) > 0;
    if (min > -0.09 && !sharp && !both) ck_assert_int_ge(inside, 1);
    if (!sharp)
      ck_assert_double_ge(ns_gap_clearance(&of.x, &of.y, 0, ns_gap_region(&of.x, &of.y, 0, -1)), 0);
    ns_touches_fini(&t);
    ns_arena_destroy(mem);
  }
}
END_TEST

/* Bodies with edges that are brought to a hair's breadth, from all sides: the least gap vanishes as
 * they touch, and is negative as they overlap. */
START_TEST(gaps_vanish_where_bodies_touch)
{
  generator g = {.state = 211 + (unsigned long long)_i};
  int edges = 0, corners = 0;
  for (int k = 0; k < some_of(TIMES); k++) {
    ns_arena *mem = ns_arena_create(0, 1);
    ns_touches t = {0};
    pair of;
    place(&g, mem, NS_SHAPE_BOX, _i ? NS_SHAPE_HULL : NS_SHAPE_BOX, &of);
    for (int i = 0; i < 3; i++) of.x.at[i] *= 2;
    ns_touch_shapes(&of.x, &of.y, 100, &t);
    const ns_touch *nearest = t.at;
    for (int i = 1; i < t.count; i++)
      if (t.at[i].gap < nearest->gap) nearest = t.at + i;
    static const double over[] = {1e-3, 1e-6, 1e-9, -1e-9, -1e-7};
    for (size_t j = 0; j < sizeof over / sizeof *over && nearest->gap > 1e-2; j++) {
      double gap = INFINITY;
      ns_placed x = of.x;
      int which = 0;
      ns_axpy3(of.x.at, over[j] - nearest->gap, nearest->n, x.at);
      /* touches that are far may be along a normal that is not that of the shortest way */
      if (fabs(ns_polytopes_apart(&x, &of.y, 1) - over[j]) > 1e-12) continue;
      for (int w = 0; w < ns_gaps_of(&of.a, &of.b); w++) {
        ns_touch one;
        ns_gap_touch(&x, &of.y, w, -1, &one);
        if (one.gap < gap) gap = one.gap, which = w;
      }
      ck_assert_msg(fabs(gap) <= 1.0001 * fabs(over[j]) + 1e-14 && gap * over[j] > 0,
                    "%d: %g for %g by %d, %llx", k, gap, over[j], which,
                    (unsigned long long)nearest->feature);
      *(which < of.a.polytope->nvertices + of.b.polytope->nvertices ? &corners : &edges) += 1;
    }
    ns_touches_fini(&t);
    ns_arena_destroy(mem);
  }
  ck_assert_int_ge(edges, some_of(40));
  ck_assert_int_ge(corners, some_of(40));
}
END_TEST

/* Distance of x from a triangle, in its axes. */
static double point_from_triangle(const double *x, double corner[3][3])
{
  double n[3], e[3][3], d[3], c[3], best = INFINITY;
  int over = 1;
  for (int i = 0; i < 3; i++) ns_sub3(corner[(i + 1) % 3], corner[i], e[i]);
  ns_cross3(e[0], e[1], n);
  ns_unit3(n);
  for (int i = 0; i < 3; i++) {
    ns_sub3(x, corner[i], d);
    ns_cross3(e[i], d, c);
    if (ns_dot3(c, n) < 0) over = 0;
    double s = ns_clamp(ns_dot3(d, e[i]) / ns_dot3(e[i], e[i]), 0, 1);
    ns_axpy3(d, -s, e[i], c);
    best = fmin(best, ns_norm3(c));
  }
  ns_sub3(x, corner[0], d);
  return over ? fabs(ns_dot3(n, d)) : best;
}

static double between_segments(const double *a, const double *b, const double *p, const double *q)
{
  double u[3], w[3], m[3], o[3], d[3], s, r;
  ns_sub3(b, a, u);
  ns_sub3(q, p, w);
  double S = ns_unit3(u) / 2, L = ns_unit3(w) / 2;
  if (1 - ns_dot3(u, w) * ns_dot3(u, w) < 1e-12) return INFINITY; /* their ends have it */
  ns_axpy3(a, S, u, m);
  ns_axpy3(p, L, w, o);
  ns_sub3(o, m, d);
  ns_nearest_lines(d, u, S, w, L, &s, &r);
  ns_axpy3(m, s, u, m);
  ns_axpy3(o, r, w, o);
  ns_sub3(o, m, d);
  return ns_norm3(d);
}

/* Distance of the segment x .. y from a cylinder or a cone, in its axes, which is convex along it.
 */
static double segment_from_revolved(const ns_shape *s, const double *x, const double *y)
{
  const double golden = 0.61803398874989484820;
  double from = 0, to = 1, best = INFINITY;
  for (int i = 0; i < 80; i++) {
    double at[2] = {to - golden * (to - from), from + golden * (to - from)}, d[2];
    for (int j = 0; j < 2; j++) {
      double p[3], q[3], n[3], u[3];
      ns_sub3(y, x, u);
      ns_axpy3(x, at[j], u, p);
      d[j] = (s->kind == NS_SHAPE_CONE ? ns_cone_nearest : ns_cylinder_nearest)(s, p, q, n);
      best = fmin(best, d[j]);
    }
    if (d[0] < d[1]) to = at[1];
    else from = at[0];
  }
  return best;
}

/* Distance of a cylinder or a cone that is apart from a triangle, in its axes: from the sides, or
 * where a point of a rim, or the tip, is over the face. */
static double revolved_from_triangle(const ns_shape *s, double corner[3][3])
{
  double best = INFINITY, n[3], e[2][3];
  for (int i = 0; i < 3; i++)
    best = fmin(best, segment_from_revolved(s, corner[i], corner[(i + 1) % 3]));
  for (int i = 0; i < 2; i++) ns_sub3(corner[i + 1], corner[0], e[i]);
  ns_cross3(e[0], e[1], n);
  double across = hypot(n[0], n[1]);
  for (int k = 0; k < 4; k++) { /* of either rim the points farthest along n, and against it */
    double r = (k % 2 ? -s->radius : s->radius) / across;
    if (k / 2 && s->kind == NS_SHAPE_CONE) r = 0;
    double x[3] = {r * n[0], r * n[1], (k / 2 ? 1 : -1) * s->half[2]};
    best = fmin(best, point_from_triangle(x, corner));
  }
  return best;
}

/* Distance of a body that is apart from a mesh: of its corners or ends from triangles, of vertices
 * from it, of edges from edges. */
static double from_mesh(const ns_placed *body, const ns_placed *of)
{
  const ns_polytope *p = body->shape->polytope;
  const ns_mesh *m = of->shape->mesh;
  double best = INFINITY, end[2][3], x[3], y[3], n[3];
  int nv = p ? p->nvertices : 2, ne = p ? p->nedges : 1, f;
  for (int i = 0; i < 2; i++)
    memcpy(end[i], (double[]){0, 0, (2 * i - 1) * body->shape->half[2]}, 24);
  const double *vertex = p ? p->vertex : end[0];
  for (int k = 0; k < m->ntriangles; k++) {
    double corner[3][3];
    int c[3];
    ns_mesh_corners(m, k, c);
    for (int i = 0; i < 3; i++) {
      ns_mesh_vertex(m, c[i], x);
      ns_placed_out(of, x, y);
      ns_placed_in(body, y, corner[i]);
      if (p) best = fmin(best, ns_polytope_nearest(p, corner[i], y, n, &f));
    }
    if (is_revolved(body->shape)) {
      best = fmin(best, revolved_from_triangle(body->shape, corner));
      continue;
    }
    for (int i = 0; i < nv; i++) best = fmin(best, point_from_triangle(vertex + 3 * i, corner));
    for (int e = 0; e < ne; e++)
      for (int i = 0; i < 3; i++)
        best = fmin(best, between_segments(vertex + 3 * (p ? p->edge[4 * e] : 0),
                                           vertex + 3 * (p ? p->edge[4 * e + 1] : 1), corner[i],
                                           corner[(i + 1) % 3]));
  }
  return is_revolved(body->shape) ? best : best - body->shape->radius;
}

/* A shape carried for the time h by what moves as `of`. */
static ns_placed carried(const ns_placed *p, const ns_twist *of, double h)
{
  ns_placed to = {.shape = p->shape};
  double arm[3], phi[3], q[4], R[9];
  for (int i = 0; i < 3; i++) phi[i] = h * of->w[i];
  ns_quaternion_exp(phi, q);
  ns_quaternion_matrix(q, R);
  ns_sub3(p->at, of->x, arm);
  ns_mul3(R, arm, to.at);
  for (int i = 0; i < 3; i++) to.at[i] += of->x[i] + h * of->v[i];
  ns_matmul3(R, p->R, to.R);
  return to;
}

static void check_rates(const ns_placed *x, const ns_placed *y, int w, const ns_twist *m)
{
  double at[3], at_rate[3], n_rate[3], h = 1e-6;
  int region = ns_gap_region(x, y, w, -1);
  ns_touch t, side[4];
  ns_gap_rates(x, y, w, region, &m[0], &m[1], &t, at, at_rate, n_rate);
  if (t.gap > x->shape->reach + y->shape->reach) return; /* another stands in for it */
  if (ns_gap_clearance(x, y, w, region) < 1e-3) return;
  for (int s = 0; s < 4; s++) {
    double time = (s % 2 ? h : -h) * (1 + s / 2);
    ns_placed p = carried(x, &m[0], time), q = carried(y, &m[1], time);
    ns_gap_touch(&p, &q, w, region, &side[s]);
  }
  int second = memcmp(at, t.p2, sizeof at) == 0;
  for (int i = 0; i < 3; i++) {
    double of_n[4], of_p[4], N[2], P[2];
    for (int s = 0; s < 4; s++)
      of_n[s] = side[s].n[i], of_p[s] = (second ? side[s].p2 : side[s].p1)[i];
    for (int s = 0; s < 2; s++) {
      N[s] = (of_n[2 * s + 1] - of_n[2 * s]) / (2 * h * (1 + s));
      P[s] = (of_p[2 * s + 1] - of_p[2 * s]) / (2 * h * (1 + s));
    }
    /* what differences of h and 2 h disagree on, they do not know */
    ck_assert_double_eq_tol(n_rate[i], (4 * N[0] - N[1]) / 3, 1e-6 + fabs(N[1] - N[0]));
    ck_assert_double_eq_tol(at_rate[i], (4 * P[0] - P[1]) / 3, 1e-6 + fabs(P[1] - P[0]));
  }
}

/* Random bodies brought to a hair's breadth of a mesh or a field, from outside: the same. */
START_TEST(gaps_to_meshes_vanish_where_bodies_touch)
{
  generator g = {.state = 911 + (unsigned long long)_i};
  int met[3] = {0}, rims = 0;
  ns_twist m[2];
  generator motion = {.state = 3};
  for (int i = 0; i < 18; i++) ((double *)m)[i] = between(&motion, -1, 1);
  for (int k = 0; k < some_of(TIMES); k++) {
    ns_arena *mem = ns_arena_create(0, 1);
    ns_touches t = {0};
    ns_ctx c = {0};
    pair of;
    place(&g, mem, kinds[PAIRS + (_i < 6 ? _i % 3 : _i / 2)][0], NS_SHAPE_MESH, &of);
    double centre[3];
    if (_i >= 3 && of.a.polytope)
      ck_assert_int_eq(
          ns_shape_round(&of.a, &c, "", mem, 0.3 * ns_polytope_depth(of.a.polytope, centre)), 0);
    double up[3] = {between(&g, -1, 1), between(&g, -1, 1), between(&g, 2.5, 3)};
    if (!of.b.mesh->columns)
      for (int i = 0; i < 2; i++) up[i] *= 2.5;
    ns_mul3(of.y.R, up, of.x.at);
    ns_axpy3(of.y.at, 1, of.x.at, of.x.at);
    ns_touch_shapes(&of.x, &of.y, 100, &t);
    const ns_touch *nearest = t.at;
    for (int i = 1; i < t.count; i++)
      if (t.at[i].gap < nearest->gap) nearest = t.at + i;
    static const double over[] = {1e-3, 1e-6, 1e-9, -1e-9, -1e-7, -1e-4};
    int apart = 0;
    for (size_t j = 0; j < sizeof over / sizeof *over && t.count > 0; j++) {
      double gap = INFINITY, touching = INFINITY;
      ns_placed x = of.x;
      ns_touches again = {0};
      int which = 0;
      ns_axpy3(of.x.at, over[j] - nearest->gap, nearest->n, x.at);
      ns_touch_shapes(&x, &of.y, 1, &again);
      for (int i = 0; i < again.count; i++) touching = fmin(touching, again.at[i].gap);
      ns_touches_fini(&again);
      if (over[j] > 0) apart = fabs(from_mesh(&x, &of.y) - over[j]) < 1e-12;
      if (!apart || fabs(touching - over[j]) > 1e-12) continue;
      for (int w = 0; w < ns_gaps_of(&of.a, &of.b); w++) {
        ns_touch one, other;
        if (!ns_gap_is_used(&of.a, &of.b, w)) continue;
        ns_gap_touch(&x, &of.y, w, -1, &one);
        ns_gap_touch(&of.y, &x, w, -1, &other);
        ck_assert_double_eq_tol(one.gap, other.gap, 1e-14);
        for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(one.n[i], -other.n[i], 1e-14);
        if (one.gap < gap) gap = one.gap, which = w;
        if (j < 2 && is_revolved(&of.a)) check_rates(&x, &of.y, w, m), check_rates(&of.y, &x, w, m);
      }
      /* a corner without a radius is not over the edge that it is nearest to */
      int beside = ns_gap_is_sharp(&of.a, &of.b) && gap > over[j] && over[j] > 0;
      int same = fabs(gap) <= 1.0001 * fabs(over[j]) + 1e-14 && gap * over[j] > 0;
      /* and a rim that meets one is known to rounding of where they meet, its depth to 2 % */
      int near_rim = of.a.kind == NS_SHAPE_CONE && over[j] < 0 &&
                     fabs(gap - over[j]) <= 0.02 * fabs(over[j]) + 2e-9;
      rims += !same && !beside && near_rim;
      ck_assert_msg(same || beside || near_rim, "%d: %g for %g by %d, %llx", k, gap, over[j], which,
                    (unsigned long long)nearest->feature);
      which -= points_over(&of.a) * of.b.mesh->ntriangles;
      met[which < 0 ? 0 : which < of.b.mesh->nvertices ? 1 : 2]++;
    }
    ns_touches_fini(&t);
    ns_arena_destroy(mem);
  }
  ck_assert_int_le(rims, 4); /* checks of some thousand */
  for (int i = 0; i < 3 && some_of(TIMES) == TIMES; i++)
    ck_assert_msg(met[i] >= 20, "%d %d %d", met[0], met[1], met[2]);
}
END_TEST

/* The cap of a cylinder lies flat on a plane, or nearly so: on the other's z, of a field on one of
 * its triangles. */
static void stand(generator *g, pair *of, double tilt)
{
  double q[4], R[9], T[9], n[3] = {0, 0, 1}, turned_by[3];
  const ns_mesh *m = of->b.mesh;
  if (m) ns_mesh_normal(m, pick(g, m->ntriangles), n);
  ns_cross3((double[]){0, 0, 1}, n, turned_by);
  double sine = ns_norm3(turned_by), angle = atan2(sine, n[2]);
  for (int i = 0; i < 3 && sine > 0; i++) turned_by[i] *= angle / sine;
  ns_quaternion_exp(turned_by, q);
  ns_quaternion_matrix(q, R);
  ns_matmul3(of->y.R, R, T);
  ns_quaternion_exp((double[]){between(g, -tilt, tilt), between(g, -tilt, tilt), 1}, q);
  ns_quaternion_matrix(q, R);
  ns_matmul3(T, R, of->x.R);
}

typedef struct listing {
  int n, *times; /* how often each gap was found */
} listing;

static void note(void *of, int which)
{
  listing *l = of;
  l->n++, l->times[which]++;
}

/* Whatever is within the margin, and between the ends of its region, is found, once, by either
 * order; so is what is there after the body has moved by less than that, nearer than what is left
 * of it; most others are not. */
START_TEST(near_gaps_are_found)
{
  static const int bodies[] = {NS_SHAPE_CAPSULE, NS_SHAPE_BOX, NS_SHAPE_HULL, NS_SHAPE_SPHERE};
  static const int revolved[] = {NS_SHAPE_CYLINDER, NS_SHAPE_CONE};
  generator g = {.state = 977 + (unsigned long long)_i};
  int near = 0, found = 0, all = 0;
  for (int k = 0; k < some_of(TIMES); k++) {
    ns_arena *mem = ns_arena_create(0, 1);
    pair of;
    place(&g, mem, _i < 8 ? bodies[_i % 4] : revolved[_i / 10], NS_SHAPE_MESH, &of);
    double up[3] = {between(&g, -1, 1), between(&g, -1, 1), between(&g, 0, 1.5)};
    double margin = spread(&g, 0.01, 0.3);
    ns_mul3(of.y.R, up, of.x.at);
    ns_axpy3(of.y.at, 1, of.x.at, of.x.at);
    if (is_revolved(&of.a) && k % 3 == 0) stand(&g, &of, 0.02);
    int n = ns_gaps_of(&of.a, &of.b);
    listing l[2];
    for (int i = 0; i < 2; i++) {
      l[i] = (listing){.times = ns_arena_zero(mem, (size_t)n, sizeof(int))};
      ns_gaps_near(i ? &of.y : &of.x, i ? &of.x : &of.y, margin, note, &l[i]);
    }
    for (int w = 0; w < n; w++) {
      ns_touch t;
      ck_assert_int_le(l[0].times[w], 1);
      ck_assert_int_eq(l[0].times[w], l[1].times[w]);
      if (!ns_gap_is_used(&of.a, &of.b, w)) continue;
      ns_gap_touch(&of.x, &of.y, w, -1, &t);
      int region = ns_gap_region(&of.x, &of.y, w, -1);
      int is_near = t.gap < margin && t.gap > -1e-6 &&
                    ns_gap_clearance(&of.x, &of.y, w, region) >= 0;
      ck_assert_msg(!is_near || l[0].times[w], "%d: gap %d of %g within %g", k, w, t.gap, margin);
      near += is_near, all++;
    }
    ns_twist way;
    double part = between(&g, 0.2, 0.9), reach = of.a.reach, speed;
    memcpy(way.x, of.x.at, sizeof way.x);
    for (int i = 0; i < 3; i++)
      way.v[i] = between(&g, -1, 1), way.w[i] = between(&g, -2, 2) / reach;
    speed = ns_norm3(way.v) + reach * ns_norm3(way.w);
    ns_placed later = carried(&of.x, &way, part * margin / speed);
    for (int w = 0; w < n; w++) {
      ns_touch t;
      if (l[0].times[w] || !ns_gap_is_used(&of.a, &of.b, w)) continue;
      ns_gap_touch(&later, &of.y, w, -1, &t);
      int region = ns_gap_region(&later, &of.y, w, -1);
      int is_near = t.gap < (1 - part) * margin && t.gap > -1e-6 &&
                    ns_gap_clearance(&later, &of.y, w, region) >= 0;
      ck_assert_msg(!is_near, "%d: gap %d comes to %g within %g", k, w, t.gap, margin);
    }
    found += l[0].n;
    ns_arena_destroy(mem);
  }
  int few = _i < 8 ? 4 : 6; /* what is round has fewer points over a triangle */
  int enough = some_of(TIMES) < TIMES || few * near > TIMES;
  ck_assert_msg(enough && 3 * found < all, "%d near, %d found of %d", near, found, all);
}
END_TEST

START_TEST(rates_are_those_of_differences)
{
  generator g = {.state = 77 + (unsigned long long)_i};
  for (int k = 0; k < some_of(TIMES); k++) {
    ns_arena *mem = ns_arena_create(0, 1);
    pair of;
    ns_twist m[2];
    place(&g, mem, kinds[_i][0], kinds[_i][1], &of);
    for (int b = 0; b < 2; b++)
      for (int i = 0; i < 3; i++) {
        int flat = of.planar && i == 2;
        m[b].x[i] = flat ? 0 : between(&g, -1, 1);
        m[b].v[i] = flat ? 0 : between(&g, -1, 1);
        m[b].w[i] = of.planar && i < 2 ? 0 : between(&g, -1, 1);
      }
    /* its cap lies flat, or nearly so, on fixed points */
    int stands = is_revolved(&of.a) && k % 3 == 0;
    if (stands) stand(&g, &of, 5e-4);
    int fixed = stands && of.b.kind == NS_SHAPE_PLANE ? 2 : 0;
    int which = fixed + pick(&g, ns_gaps_of(&of.a, &of.b) - fixed), turn = k % 2, region;
    double at[3], at_rate[3], n_rate[3], h = 1e-5;
    ns_touch t, side[2];
    ns_placed *x = turn ? &of.y : &of.x, *y = turn ? &of.x : &of.y;
    region = ns_gap_region(x, y, which, -1);
    ns_gap_rates(x, y, which, region, &m[0], &m[1], &t, at, at_rate, n_rate);
    if (fabs(t.gap) < 0.02) { /* near its centre a ball has no normal to speak of */
      ns_arena_destroy(mem);
      continue;
    }
    for (int s = 0; s < 2; s++) {
      ns_placed p = carried(x, &m[0], s ? h : -h), q = carried(y, &m[1], s ? h : -h);
      ns_gap_touch(&p, &q, which, region, &side[s]);
    }
    int second = memcmp(at, t.p2, sizeof at) == 0;
    for (int i = 0; i < 3; i++) {
      double P = second ? side[1].p2[i] - side[0].p2[i] : side[1].p1[i] - side[0].p1[i];
      ck_assert_double_eq_tol(n_rate[i], (side[1].n[i] - side[0].n[i]) / (2 * h), 1e-6);
      ck_assert_double_eq_tol(at_rate[i], P / (2 * h), 1e-6);
    }
    double t1[2][3], t2[2][3], r1[3], r2[3];
    for (int s = 0; s < 2; s++) ns_tangents3(side[s].n, t1[s], t2[s]);
    ns_tangents3_rate(t.n, n_rate, r1, r2);
    for (int i = 0; i < 3 && side[0].n[2] * side[1].n[2] > 0; i++) {
      ck_assert_double_eq_tol(r1[i], (t1[1][i] - t1[0][i]) / (2 * h), 1e-6);
      ck_assert_double_eq_tol(r2[i], (t2[1][i] - t2[0][i]) / (2 * h), 1e-6);
    }
    ns_arena_destroy(mem);
  }
}
END_TEST

/* ---- cylinders and cones --------------------------------------------------------------------- */

static const struct {
  int of, other, is_rounded;
} revolved[] = {{NS_SHAPE_CYLINDER, NS_SHAPE_CAPSULE, 0}, {NS_SHAPE_CYLINDER, NS_SHAPE_BOX, 0},
                {NS_SHAPE_CYLINDER, NS_SHAPE_HULL, 0},    {NS_SHAPE_CYLINDER, NS_SHAPE_CYLINDER, 0},
                {NS_SHAPE_CYLINDER, NS_SHAPE_BOX, 1},     {NS_SHAPE_CONE, NS_SHAPE_CAPSULE, 0},
                {NS_SHAPE_CONE, NS_SHAPE_BOX, 0},         {NS_SHAPE_CONE, NS_SHAPE_HULL, 0},
                {NS_SHAPE_CONE, NS_SHAPE_BOX, 1},         {NS_SHAPE_CONE, NS_SHAPE_CYLINDER, 0},
                {NS_SHAPE_CONE, NS_SHAPE_CONE, 0}};
enum { REVOLVED = sizeof revolved / sizeof *revolved };

/* A cylinder or a cone and another at random, every third time with one of its axes along one of
 * the other's. */
static void place_revolved(generator *g, ns_arena *mem, int which, int k, pair *of)
{
  ns_ctx c = {0};
  double centre[3];
  place(g, mem, revolved[which].of, revolved[which].other, of);
  if (revolved[which].is_rounded) {
    double r = 0.3 * ns_polytope_depth(of->b.polytope, centre);
    ck_assert_int_eq(ns_shape_round(&of->b, &c, "", mem, r), NS_OK);
  }
  for (int i = 0; i < 3; i++) of->x.at[i] *= 1.5;
  if (k % 3) return;
  double q[4], R[9];
  int axis = pick(g, 3);
  double v[3] = {0};
  v[axis] = pick(g, 4) * 1.57079632679489661923;
  ns_quaternion_exp(v, q);
  ns_quaternion_matrix(q, R);
  ns_matmul3(of->y.R, R, of->x.R);
}

/* Two rims run along each other where they are nearest, or the two are farther apart than the
 * reaches of both. */
static int are_along_or_far(const ns_placed *x, const ns_placed *y, const double *n)
{
  double t[2][3], c[3], d[3];
  ns_cross3(x->R + 6, n, t[0]);
  ns_cross3(y->R + 6, n, t[1]);
  ns_cross3(t[0], t[1], c);
  ns_sub3(x->at, y->at, d);
  if (ns_norm3(d) > x->shape->reach + y->shape->reach) return 1;
  return is_revolved(y->shape) && ns_norm3(c) < 0.01 * ns_norm3(t[0]) * ns_norm3(t[1]);
}

/* Cylinders and cones at random that are brought to a hair's breadth of another: the least gap
 * vanishes as they touch, and is negative as they overlap; rates are those of differences. */
START_TEST(gaps_of_revolved_vanish_where_bodies_touch)
{
  generator g = {.state = 1211 + (unsigned long long)_i};
  int met[2] = {0};
  for (int k = 0; k < some_of(TIMES / 2); k++) {
    ns_arena *mem = ns_arena_create(0, 1);
    ns_touches t = {0};
    pair of;
    ns_twist m[2];
    place_revolved(&g, mem, _i, k, &of);
    for (int i = 0; i < 18; i++) ((double *)m)[i] = between(&g, -1, 1);
    ns_touch_shapes(&of.x, &of.y, 100, &t);
    const ns_touch *nearest = t.at;
    for (int i = 1; i < t.count; i++)
      if (t.at[i].gap < nearest->gap) nearest = t.at + i;
    static const double over[] = {1e-3, 1e-6, 1e-9, -1e-9, -1e-7, -1e-4};
    for (size_t j = 0; j < sizeof over / sizeof *over && nearest->gap > 1e-2; j++) {
      double gap = INFINITY, touching = INFINITY;
      ns_placed x = of.x;
      ns_touches again = {0};
      int which = 0;
      ns_axpy3(of.x.at, over[j] - nearest->gap, nearest->n, x.at);
      ns_touch_shapes(&x, &of.y, 1, &again);
      for (int i = 0; i < again.count; i++) touching = fmin(touching, again.at[i].gap);
      ns_touches_fini(&again);
      if (fabs(touching - over[j]) > 1e-12) continue;
      for (int w = 0; w < ns_gaps_of(&of.a, &of.b); w++) {
        ns_touch one;
        ns_gap_touch(&x, &of.y, w, -1, &one);
        if (one.gap < gap) gap = one.gap, which = w;
        if (j < 2) check_rates(&x, &of.y, w, m), check_rates(&of.y, &x, w, m);
      }
      /* a rim that is along an edge or a rim, both apart, has no gap to it; where bodies overlap,
       * other parts of them may be deeper in each other than they are along the shortest way */
      double found = of.a.kind == NS_SHAPE_CONE ? 1e-12 : 0; /* touches of cones are bisected */
      int same = gap * over[j] > 0 && (over[j] < 0 || fabs(gap) <= 1.0001 * over[j] + found);
      int deeper = over[j] < 0 && gap < 4 * over[j];
      int along = over[j] > 0 && gap > over[j] && of.b.kind != NS_SHAPE_CAPSULE &&
                  (k % 3 == 0 || are_along_or_far(&x, &of.y, nearest->n));
      ck_assert_msg((same && !deeper) || along, "%d: %g for %g by %d, %llx", k, gap, over[j], which,
                    (unsigned long long)nearest->feature);
      met[over[j] > 0]++;
    }
    ns_touches_fini(&t);
    ns_arena_destroy(mem);
  }
  ck_assert_msg(met[0] >= some_of(TIMES / 8) && met[1] >= some_of(TIMES / 8), "%d %d", met[0],
                met[1]);
}
END_TEST

/* ---- a vertex of a mesh on an edge of a body ------------------------------------------------- */

/* The other vertices around it may be on either side of both faces there: it is on them, and not
 * below another face of the body, which none of these parts from the mesh. */
START_TEST(vertices_on_edges_are_on_them)
{
  generator g = {.state = 4100 + (unsigned)_i};
  int met = 0;
  for (int k = 0; k < some_of(TIMES); k++) {
    ns_arena *mem = ns_arena_create(0, 1);
    pair p;
    ns_edge e;
    double local[3], x[3], from[3], d[3];
    place(&g, mem, _i ? NS_SHAPE_HULL : NS_SHAPE_BOX, NS_SHAPE_MESH, &p);
    const ns_mesh *m = p.b.mesh;
    int v = pick(&g, m->nvertices), over = p.a.polytope->nvertices * m->ntriangles;
    ns_edge_of(p.a.polytope, pick(&g, p.a.polytope->nedges), NULL, &e);
    ns_axpy3(e.a, between(&g, 0, 1) * e.length, e.u, local);
    ns_mesh_vertex(m, v, from);
    ns_placed_out(&p.x, local, x);
    ns_placed_out(&p.y, from, d);
    ns_sub3(d, x, d);
    ns_axpy3(p.x.at, 1, d, p.x.at);
    if (ns_gap_is_used(&p.a, &p.b, over + v)) {
      ns_touch t;
      ns_gap_touch(&p.x, &p.y, over + v, -1, &t);
      ck_assert_double_ge(t.gap, -1e-12);
      met += t.gap < 1e-12;
    }
    ns_arena_destroy(mem);
  }
  ck_assert_int_ge(met, some_of(TIMES) / 4);
}
END_TEST

/* ---- minima round a circle ------------------------------------------------------------------- */

enum { ROOTS = 6 };

/* A slope with these zeros; it rises through every other one. */
static double slope_by_zeros(void *of, double angle)
{
  const double *zero = of;
  double product = -1;
  for (int i = 0; i < ROOTS; i++) product *= sin((angle - zero[i]) / 2);
  return product;
}

/* Two minima with a maximum between them, nearer to each other than samples are or not, and another
 * one or two elsewhere: each is found once. */
START_TEST(minima_next_to_each_other_are_found)
{
  const double turn = 2 * acos(-1);
  generator g = {.state = 4200 + (unsigned)_i};
  for (int k = 0; k < some_of(50 * TIMES); k++) {
    ns_minimum m[NS_MINIMA];
    double width = spread(&g, 0.05, 0.3), begin = between(&g, 0, turn), zero[ROOTS];
    for (int i = 0; i < 3; i++)
      zero[i] = begin + i / 2. * width * (i == 1 ? between(&g, 0.8, 1.2) : 1);
    double other = spread(&g, 0.05, 0.5);
    zero[3] = begin + between(&g, 1.5, 4), zero[4] = zero[3] + other / 2, zero[5] = zero[3] + other;
    int n = ns_minima_round(slope_by_zeros, zero, 24 + 8 * (_i % 2), m), found = 0;
    for (int i = 0; i < ROOTS; i++) {
      int here = 0, rises = slope_by_zeros(zero, zero[i] + 1e-4) > 0;
      for (int j = 0; j < n; j++)
        here += sin((zero[i] - m[j].low) / 2) * sin((zero[i] - m[j].high) / 2) <= 0 &&
                cos(zero[i] - m[j].low) > 0;
      ck_assert_msg(here == rises, "%d: zero %d of width %g in %d of %d", k, i, width, here, n);
      found += rises;
    }
    ck_assert_int_eq(n, found);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, gaps_are_those_of_touches, 0, PAIRS);
  tcase_add_loop_test(t, gaps_vanish_where_bodies_touch, 0, 2);
  tcase_add_loop_test(t, gaps_to_meshes_vanish_where_bodies_touch, 0, 2 * MESHES);
  tcase_add_loop_test(t, gaps_of_revolved_vanish_where_bodies_touch, 0, REVOLVED);
  tcase_add_loop_test(t, near_gaps_are_found, 0, 12);
  tcase_add_loop_test(t, vertices_on_edges_are_on_them, 0, 2);
  tcase_add_loop_test(t, minima_next_to_each_other_are_found, 0, 2);
  tcase_add_loop_test(t, rates_are_those_of_differences, 0, ALL_PAIRS);
}

int main(void) { return suite_run("gaps of shapes", fill); }
