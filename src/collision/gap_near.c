/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which gaps of a body and a mesh are near, by lower bounds of distances: of a point from the box
 * around a triangle, of a vertex of the mesh from the planes of the faces of a body, of an edge
 * from an edge. */
#include "collision/gap_parts.h"
#include "collision/touch_parts.h"

#include <math.h>
#include <string.h>

typedef struct search {
  const ns_mesh *mesh;
  ns_placed body, ground; /* in axes of the mesh */
  int points, rods;       /* of the body; a ball has one point */
  int ball;
  double margin;
  ns_gap_found *found;
  void *to;
} search;

int ns_gaps_are_local(const ns_shape *a, const ns_shape *b)
{
  const ns_shape *body = a->kind == NS_SHAPE_MESH ? b : a;
  if (ns_gap_is_on_mesh(a, b)) return 1;
  return body->kind == NS_SHAPE_SPHERE && (body == a ? b : a)->kind == NS_SHAPE_MESH;
}

void ns_gap_pose_on_mesh(const ns_placed *a, const ns_placed *b, double *c, double *R)
{
  const ns_placed *mesh = a->shape->kind == NS_SHAPE_MESH ? a : b, *body = mesh == a ? b : a;
  ns_placed_in(mesh, body->at, c);
  for (int k = 0; k < 3; k++) ns_mul3t(mesh->R, body->R + 3 * k, R + 3 * k);
}

/* Of x from the core of a body, at least. */
static double from_core(const ns_placed *body, const double *x)
{
  const ns_polytope *p = body->shape->polytope;
  double local[3], max = -INFINITY;
  ns_placed_in(body, x, local);
  for (int f = 0; p && f < p->nfaces; f++)
    max = fmax(max, ns_dot3(p->normal + 3 * f, local) - p->offset[f]);
  if (p) return max;
  if (ns_is_revolved(body->shape)) { /* from its surface, as if that was of its radius */
    double side, cap;
    ns_beyond_revolved(body->shape, local, &side, &cap);
    return fmax(side, cap);
  }
  local[2] = fmax(0, fabs(local[2]) - body->shape->half[2]);
  return ns_norm3(local);
}

static void look_at_rims(const search *s, int k)
{
  for (int cap = 0; cap < ns_caps_of(s->body.shape); cap++) {
    int which[1 + NS_RIM_POINTS];
    int n = ns_rim_points_near(&s->body, &s->ground, cap, k, s->margin, which);
    for (int i = 0; i < n; i++) s->found(s->to, which[i] + s->points * k);
  }
}

/* Its ends or corners, or the tip of a cone. */
static void look_at_points(const search *s, int k)
{
  for (int i = 0; i < s->points; i++) {
    double x[3], radius;
    if (ns_is_revolved(s->body.shape) && !ns_is_tip(s->body.shape, i)) continue;
    ns_gap_point_of(&s->body, i, x, &radius);
    if (ns_mesh_from_box(s->mesh, k, x) < radius + s->margin) s->found(s->to, i + s->points * k);
  }
}

/* Each is looked at once, from its owner. */
static void look_at_vertices(const search *s, int k)
{
  int corner[3], before = s->points * s->mesh->ntriangles;
  ns_mesh_corners(s->mesh, k, corner);
  for (int i = 0; i < 3; i++) {
    int v = corner[i];
    double x[3];
    if (!s->mesh->sharp[v] || ns_mesh_owner(s->mesh, v) != k) continue;
    ns_mesh_vertex(s->mesh, v, x);
    if (from_core(&s->body, x) < ns_core_radius(s->body.shape) + s->margin)
      s->found(s->to, before + v);
  }
}

/* The side of a triangle from a rim: its ends are not all within that, and it passes near. */
static int is_near_rim(const search *s, int cap, int side)
{
  const ns_shape *of = s->body.shape;
  int corner[3];
  double x[2][3], out = 0, u[3], d[3], c = (cap ? 1 : -1) * of->half[2];
  double low = INFINITY, high = -INFINITY;
  ns_mesh_corners(s->mesh, side / 3, corner);
  for (int i = 0; i < 2; i++) {
    double v[3];
    ns_mesh_vertex(s->mesh, corner[(side % 3 + i) % 3], v);
    ns_placed_in(&s->body, v, x[i]);
    x[i][2] -= c;
    out = fmax(out, hypot(x[i][0], x[i][1]));
    low = fmin(low, x[i][2]), high = fmax(high, x[i][2]);
  }
  ns_sub3(x[1], x[0], u);
  double length = ns_unit3(u);
  ns_axpy3(x[0], ns_clamp(-ns_dot3(u, x[0]), 0, length), u,
           d); /* nearest to the middle of the cap */
  return out > of->radius - s->margin && low < s->margin && high > -s->margin &&
         ns_norm3(d) < of->radius + s->margin;
}

static void look_at_sides(const search *s, int k)
{
  int before = s->points * s->mesh->ntriangles + s->mesh->nvertices;
  int axes = ns_crossing_regions(s->body.shape);
  for (int side = 3 * k; side < 3 * k + 3; side++) {
    if (!ns_mesh_side_is_convex(s->mesh, k, side % 3)) continue;
    for (int r = axes; r < s->rods; r++)
      if (is_near_rim(s, (r - axes) % ns_caps_of(s->body.shape), side))
        s->found(s->to, before + s->rods * side + r);
    for (int r = 0; r < axes; r++)
      if (ns_crossing_apart(&s->body, r, &s->ground, side) < s->body.shape->radius + s->margin)
        s->found(s->to, before + s->rods * side + r);
  }
}

static void look_at(void *of, int triangle)
{
  const search *s = of;
  if (ns_is_revolved(s->body.shape)) look_at_rims(s, triangle);
  look_at_points(s, triangle);
  if (s->ball) return;
  look_at_vertices(s, triangle);
  look_at_sides(s, triangle);
}

void ns_gaps_near(const ns_placed *a, const ns_placed *b, double margin, ns_gap_found *found,
                  void *to)
{
  const ns_shape *mesh = (a->shape->kind == NS_SHAPE_MESH ? a : b)->shape;
  const ns_shape *body = mesh == a->shape ? b->shape : a->shape;
  search s = {.mesh = mesh->mesh,
              .body = {.shape = body},
              .ground = {.shape = mesh, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
              .points = ns_gap_points_of(body),
              .ball = body->kind == NS_SHAPE_SPHERE,
              .margin = margin,
              .found = found,
              .to = to};
  double low[3], high[3];
  if (!s.ball) s.rods = ns_mesh_rods_of(body);
  ns_gap_pose_on_mesh(a, b, s.body.at, s.body.R);
  ns_placed_bounds(&s.body, margin, low, high);
  ns_mesh_near(s.mesh, low, high, look_at, &s);
}
