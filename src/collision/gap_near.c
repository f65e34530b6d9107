/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which gaps of a body and a mesh are near, by lower bounds of distances: of a point from the box
 * around a triangle, of a vertex of the mesh from the planes of the faces of a body, of an edge
 * from an edge. */
#include "collision/gap_parts.h"

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

/* Of x from the box around a triangle. */
static double from_box(const ns_mesh *m, int triangle, const double *x)
{
  int corner[3];
  double v[3][3], d[3];
  ns_mesh_corners(m, triangle, corner);
  for (int i = 0; i < 3; i++) ns_mesh_vertex(m, corner[i], v[i]);
  for (int j = 0; j < 3; j++) {
    double low = fmin(v[0][j], fmin(v[1][j], v[2][j]));
    double high = fmax(v[0][j], fmax(v[1][j], v[2][j]));
    d[j] = fmax(0, fmax(low - x[j], x[j] - high));
  }
  return ns_norm3(d);
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
  local[2] = fmax(0, fabs(local[2]) - body->shape->half[2]);
  return ns_norm3(local);
}

static void look_at_points(const search *s, int k)
{
  for (int i = 0; i < s->points; i++) {
    double x[3], radius;
    ns_gap_point_of(&s->body, i, x, &radius);
    if (from_box(s->mesh, k, x) < radius + s->margin) s->found(s->to, i + s->points * k);
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
    if (from_core(&s->body, x) < s->body.shape->radius + s->margin) s->found(s->to, before + v);
  }
}

static void look_at_sides(const search *s, int k)
{
  int before = s->points * s->mesh->ntriangles + s->mesh->nvertices;
  for (int side = 3 * k; side < 3 * k + 3; side++) {
    if (!ns_mesh_side_is_convex(s->mesh, k, side % 3)) continue;
    for (int r = 0; r < s->rods; r++)
      if (ns_crossing_apart(&s->body, r, &s->ground, side) < s->body.shape->radius + s->margin)
        s->found(s->to, before + s->rods * side + r);
  }
}

static void look_at(void *of, int triangle)
{
  const search *s = of;
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
  if (!s.ball) s.rods = ns_crossing_regions(body);
  ns_gap_pose_on_mesh(a, b, s.body.at, s.body.R);
  ns_placed_bounds(&s.body, margin, low, high);
  ns_mesh_near(s.mesh, low, high, look_at, &s);
}
