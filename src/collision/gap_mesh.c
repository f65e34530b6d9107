/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Meshes and height fields, triangle by triangle.
 *
 * A ball has a gap for each triangle, from its face, its sides or its corners. A capsule, a box
 * or a hull has one for each of its ends or corners and each triangle, for each vertex of the mesh
 * on a convex edge or a border, and for each of its edges, or its axis, and each of these edges of
 * the mesh. Flat and concave edges are never met first. A cylinder has them, too, and in place of
 * corners the points of its rims over a plane, and two gaps of each rim and each of these edges;
 * likewise a cone, whose tip is a corner.
 *
 * A surface acts only from outside: the middle of the body is before the triangle. A point that is
 * behind a triangle is in its body if the line from the middle to it passes through the triangle,
 * as a step that goes too far leaves it; else it has gone round an edge. A corner without a radius
 * is over a triangle, or this is not its gap: it leaves a triangle for the next across a side, and
 * only one of the two is closed. */
#include "collision/gap_parts.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* by the reach of a body: a corner so near to a side is over both triangles, */
static const double SLACK = 1e-10;
/* and one no deeper behind a triangle is over it where its foot is */
static const double DEEP = 1e-6;

/* Corners, unit vectors along the sides that begin there, their lengths, unit vectors out of them
 * in its plane, its normal. */
typedef struct triangle {
  double x[3][3], u[3][3], length[3], out[3][3], n[3];
} triangle;

static void triangle_of(const ns_mesh *m, int k, triangle *t)
{
  int corner[3];
  ns_mesh_corners(m, k, corner);
  ns_mesh_normal(m, k, t->n);
  for (int i = 0; i < 3; i++) ns_mesh_vertex(m, corner[i], t->x[i]);
  for (int i = 0; i < 3; i++) {
    ns_sub3(t->x[(i + 1) % 3], t->x[i], t->u[i]);
    t->length[i] = ns_unit3(t->u[i]);
    ns_cross3(t->u[i], t->n, t->out[i]);
  }
}

/* ---- regions: its face, sides, corners ------------------------------------------------------- */

static double clearance_of(const triangle *t, int region, const double *x)
{
  double d[3][3], min = INFINITY;
  for (int i = 0; i < 3; i++) ns_sub3(x, t->x[i], d[i]);
  for (int i = 0; i < 3 && region == 0; i++) min = fmin(min, -ns_dot3(t->out[i], d[i]));
  if (region == 0) return min;
  int i = (region - 1) % 3, before = (i + 2) % 3;
  double along = ns_dot3(t->u[i], d[i]);
  if (region <= 3) return fmin(ns_dot3(t->out[i], d[i]), fmin(along, t->length[i] - along));
  return region <= 6 ? fmin(-along, ns_dot3(t->u[before], d[i])) : INFINITY;
}

static double height_over(const triangle *t, const double *x)
{
  double d[3];
  ns_sub3(x, t->x[0], d);
  return ns_dot3(t->n, d);
}

static int nearest_region(const triangle *t, const double *x)
{
  double max = -INFINITY;
  int best = 0;
  for (int k = 0; k < NS_BEHIND; k++) {
    double clearance = clearance_of(t, k, x);
    if (clearance > max) max = clearance, best = k;
  }
  return best;
}

/* A surface holds from outside alone. */
int ns_triangle_region(const ns_mesh *m, int k, const double *x)
{
  triangle t;
  triangle_of(m, k, &t);
  return height_over(&t, x) < 0 ? NS_BEHIND : nearest_region(&t, x);
}

double ns_triangle_clearance(const ns_mesh *m, int k, int region, const double *x)
{
  triangle t;
  triangle_of(m, k, &t);
  return clearance_of(&t, region, x);
}

void ns_triangle_nearest(const ns_shape *s, int k, int region, const double *x, double *y,
                         double *n)
{
  triangle t;
  double d[3];
  triangle_of(s->mesh, k, &t);
  if (region == 0 || region == NS_BEHIND) {
    ns_gap_from_plane(t.x[0], t.n, x, y, n);
    return;
  }
  int i = (region - 1) % 3;
  ns_sub3(x, t.x[i], d);
  ns_axpy3(t.x[i], region <= 3 ? ns_dot3(t.u[i], d) : 0, t.u[i], y);
  ns_gap_from_point(s, y, x, n);
}

int ns_triangle_side(const ns_mesh *m, int k, int region, double *u)
{
  triangle t;
  if (region < 1 || region > 3) return 0;
  triangle_of(m, k, &t);
  memcpy(u, t.u[region - 1], sizeof t.u[0]);
  return 1;
}

/* ---- the gaps of a body with edges ----------------------------------------------------------- */

static int has_edges(const ns_shape *s)
{
  return s->kind == NS_SHAPE_CAPSULE || ns_is_revolved(s) || s->polytope;
}

int ns_gap_is_on_mesh(const ns_shape *a, const ns_shape *b)
{
  if (a->kind == NS_SHAPE_MESH) return has_edges(b);
  return b->kind == NS_SHAPE_MESH && has_edges(a);
}

enum { SIDES = 2 }; /* of a rim that meets a line */

int ns_mesh_rods_of(const ns_shape *body)
{
  return ns_crossing_regions(body) + (ns_is_revolved(body) ? SIDES * ns_caps_of(body) : 0);
}

int ns_mesh_gaps_of(const ns_mesh *m, int points, int rods)
{
  double n = m->nvertices + (double)m->ntriangles * (points + 3.0 * rods);
  return n < INT_MAX ? (int)n : INT_MAX;
}

ns_gap_part ns_mesh_gap_part(const ns_shape *body, const ns_mesh *m, int which)
{
  int points = ns_gap_points_of(body), rods = ns_mesh_rods_of(body), over = points * m->ntriangles;
  int of_rim = ns_is_revolved(body) && !ns_is_tip(body, which % points);
  ns_gap_rim face = of_rim ? NS_RIM_FACE : NS_RIM_NONE;
  if (which < over)
    return (ns_gap_part){.rim = face, .index = which % points, .link = which / points};
  which -= over;
  if (which < m->nvertices) return (ns_gap_part){.turned = 1, .index = which};
  which -= m->nvertices;
  int rim = which % rods - ns_crossing_regions(body), side = which / rods;
  if (rim >= 0)
    return (ns_gap_part){.rim = NS_RIM_LINE, .index = ns_rim_index(body, rim), .link = side};
  return (ns_gap_part){.crosses = 1, .index = which % rods, .link = side};
}

/* The edge is looked at once, from the lower of its triangles. */
int ns_mesh_side_is_convex(const ns_mesh *m, int k, int side)
{
  int other = ns_mesh_across(m, k, side);
  double n[3];
  triangle t;
  if (other < 0) return 1;
  if (other < k) return 0;
  triangle_of(m, k, &t);
  ns_mesh_normal(m, other, n);
  return ns_mesh_fold(t.n, n, t.u[side]) > 0;
}

int ns_mesh_gap_is_used(const ns_mesh *m, const ns_gap_part *part)
{
  if (part->crosses || part->rim == NS_RIM_LINE)
    return ns_mesh_side_is_convex(m, part->link / 3, part->link % 3);
  return !part->turned || m->sharp[part->index];
}

int ns_mesh_gaps_in_use(const ns_mesh *m, int points, int rods)
{
  double n = (double)points * m->ntriangles;
  for (int v = 0; v < m->nvertices; v++) n += m->sharp[v] != 0;
  for (int k = 0; k < m->ntriangles; k++)
    for (int side = 0; side < 3; side++) n += ns_mesh_side_is_convex(m, k, side) ? rods : 0;
  return n < INT_MAX ? (int)n : INT_MAX;
}

double ns_mesh_from_box(const ns_mesh *m, int k, const double *x)
{
  int corner[3];
  double v[3][3], d[3];
  ns_mesh_corners(m, k, corner);
  for (int i = 0; i < 3; i++) ns_mesh_vertex(m, corner[i], v[i]);
  for (int j = 0; j < 3; j++) {
    double low = fmin(v[0][j], fmin(v[1][j], v[2][j]));
    double high = fmax(v[0][j], fmax(v[1][j], v[2][j]));
    d[j] = fmax(0, fmax(low - x[j], x[j] - high));
  }
  return ns_norm3(d);
}

/* ---- what is inside -------------------------------------------------------------------------- */

/* Where the line from the middle, before the triangle, to x, behind it, passes through. */
static int is_passed(const triangle *t, const double *middle, double before, const double *x,
                     double height)
{
  double to[3], y[3];
  ns_sub3(x, middle, to);
  ns_axpy3(middle, before / (before - height), to, y);
  return clearance_of(t, 0, y) >= 0;
}

int ns_mesh_point_region(const ns_mesh *m, int k, const double *x, const double *middle, int sharp,
                         double size)
{
  triangle t;
  triangle_of(m, k, &t);
  double height = height_over(&t, x), before = height_over(&t, middle);
  int deep = height < -DEEP * size;
  if (before < 0 || (deep && !is_passed(&t, middle, before, x, height))) return NS_BEHIND;
  if (deep) return 0;
  if (!sharp) return height < 0 && clearance_of(&t, 0, x) < 0 ? NS_BEHIND : nearest_region(&t, x);
  return clearance_of(&t, 0, x) >= -SLACK * size ? 0 : NS_BEHIND;
}

/* Round the vertex from its owner across side after side, one way or the other. */
static int is_before_some(const ns_mesh *m, int v, int back, const double *x)
{
  enum { MAX = 64 };
  int k = ns_mesh_owner(m, v);
  for (int n = 0; n < MAX && k >= 0; n++) {
    triangle t;
    int corner[3], i = 0;
    triangle_of(m, k, &t);
    if (height_over(&t, x) >= 0) return 1;
    ns_mesh_corners(m, k, corner);
    while (i < 2 && corner[i] != v) i++;
    k = ns_mesh_across(m, k, back ? (i + 2) % 3 : i);
    if (k == ns_mesh_owner(m, v)) return 0;
  }
  return 0;
}

int ns_mesh_is_before(const ns_mesh *m, int v, const double *x)
{
  return is_before_some(m, v, 0, x) || is_before_some(m, v, 1, x);
}

void ns_gap_middle(const ns_placed *body, double *middle)
{
  const ns_polytope *p = body->shape->polytope;
  double mean[3] = {0};
  for (int v = 0; p && v < p->nvertices; v++)
    ns_axpy3(mean, 1.0 / p->nvertices, p->vertex + 3 * v, mean);
  ns_placed_out(body, mean, middle);
}

static int is_closed(const ns_mesh *m)
{
  if (m->columns) return 0;
  for (int k = 0; k < m->ntriangles; k++)
    for (int side = 0; side < 3; side++)
      if (ns_mesh_across(m, k, side) < 0) return 0;
  return 1;
}

double ns_gap_depth_inside(const ns_placed *a, const ns_placed *b)
{
  static const double HALF = 6.28318530717958647692; /* of all directions */
  const ns_mesh *m = b->shape->mesh;
  double middle[3], x[3], y[3], n[3], d[3], to[3][3], angle = 0, depth = INFINITY;
  if (!ns_is_mesh(b->shape)) return 0;
  ns_gap_middle(a, middle);
  ns_placed_in(b, middle, x);
  for (int i = 0; i < 3; i++)
    if (x[i] < m->low[i] || x[i] > m->high[i]) return 0;
  if (!is_closed(m)) return 0;
  for (int k = 0; k < m->ntriangles; k++) {
    triangle t;
    triangle_of(m, k, &t);
    for (int i = 0; i < 3; i++) {
      ns_sub3(t.x[i], x, to[i]);
      ns_unit3(to[i]);
    }
    angle += ns_solid_angle(to[0], to[1], to[2]);
    ns_triangle_nearest(b->shape, k, nearest_region(&t, x), x, y, n);
    ns_sub3(x, y, d);
    depth = fmin(depth, ns_norm3(d));
  }
  return angle > HALF ? depth : 0;
}
