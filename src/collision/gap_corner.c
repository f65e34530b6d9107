/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/gap_parts.h"

#include <math.h>
#include <string.h>

/* ---- corners about polygons and polyhedra ---------------------------------------------------- */

static const double SLACK = 1e-10; /* by its reach: a corner so near to a side is on it */
static const double DEEP = 1e-6;   /* the same: as near as the nearest, */
static const double DEEPER = 4;    /* or by how far it is behind that */

static int sides_of(const ns_shape *s)
{
  return ns_is_polygon(s) ? s->ncorners : s->polytope->nfaces;
}

/* Outward unit normal of side k, which returns its distance from the origin. */
static double normal_of_side(const ns_shape *s, int k, double *n)
{
  double a[3], u[3];
  if (!ns_is_polygon(s)) {
    memcpy(n, s->polytope->normal + 3 * k, 3 * sizeof *n);
    return s->polytope->offset[k];
  }
  ns_side_of(s, k, a, u);
  n[0] = u[1], n[1] = -u[0], n[2] = 0;
  return ns_dot3(n, a);
}

/* Distance of x, in its axes, from the line or plane of side k. */
static double beyond_side(const ns_shape *s, int k, const double *x)
{
  double n[3], offset = normal_of_side(s, k, n);
  return ns_dot3(n, x) - offset;
}

/* Corner i of a polygon, a polyhedron or a chain. */
static void corner_of(const ns_shape *s, int i, double *x)
{
  if (s->polytope) memcpy(x, s->polytope->vertex + 3 * i, 3 * sizeof *x);
  else x[0] = s->corner[2 * i], x[1] = s->corner[2 * i + 1], x[2] = 0;
}

/* Corner i of what is at its corner `at`: of a mesh those that are joined to that, and itself. */
static int corners_at(const ns_shape *s, int at, const int **ring, int *of_field)
{
  if (!ns_is_mesh(s)) return s->polytope ? s->polytope->nvertices : s->ncorners;
  return 1 + ns_mesh_ring(s->mesh, at, of_field, ring);
}

double ns_gap_parts(const ns_placed *first, int at, const ns_placed *second, const double *n,
                    double offset)
{
  double min = INFINITY, world[3], along[3], arm[3];
  const int *ring = NULL;
  const ns_shape *s = first->shape;
  int of_field[6], corners = corners_at(s, at, &ring, of_field);
  ns_mul3(second->R, n, world);
  ns_mul3t(first->R, world, along);
  ns_sub3(first->at, second->at, arm);
  for (int i = 0; i < corners; i++) {
    double x[3];
    if (ns_is_mesh(s)) ns_mesh_vertex(s->mesh, i ? ring[i - 1] : at, x);
    else corner_of(s, i, x);
    min = fmin(min, ns_dot3(along, x));
  }
  if (ns_is_cone(s)) /* of its tip and its rim */
    min = fmin(s->half[2] * along[2],
               -s->half[2] * along[2] - s->radius * hypot(along[0], along[1]));
  return min + ns_dot3(world, arm) - offset;
}

/* How far side k of the second parts it from the first, there. */
static double parts(const ns_placed *first, int at, const ns_placed *second, int k)
{
  double n[3], offset = normal_of_side(second->shape, k, n);
  return ns_gap_parts(first, at, second, n, offset);
}

/* ---- links of chains as a polygon sees them -------------------------------------------------- */

void ns_link_line(const ns_placed *chain, int link, const ns_placed *polygon, ns_line *l)
{
  const ns_shape *s = polygon->shape;
  double a[3], u[3], middle[3] = {0}, x[3], d[3];
  l->length = ns_side_of(chain->shape, link, a, u);
  ns_placed_out(chain, a, l->a);
  ns_mul3(chain->R, u, l->u);
  for (int i = 0; i < 2 * s->ncorners; i++) middle[i % 2] += s->corner[i] / s->ncorners;
  ns_placed_out(polygon, middle, x);
  ns_sub3(x, l->a, d);
  double side = l->u[1] * d[0] - l->u[0] * d[1] < 0 ? -1 : 1;
  l->n[0] = side * l->u[1], l->n[1] = -side * l->u[0], l->n[2] = 0;
}

/* Some side of the polygon parts the two. */
static int is_apart(const ns_placed *polygon, const ns_line *l)
{
  const ns_shape *s = polygon->shape;
  double from[3], to[3], end[3];
  ns_axpy3(l->a, l->length, l->u, end);
  ns_placed_in(polygon, l->a, from);
  ns_placed_in(polygon, end, to);
  for (int k = 0; k < s->ncorners; k++)
    if (fmin(beyond_side(s, k, from), beyond_side(s, k, to)) > SLACK * s->reach) return 1;
  return 0;
}

/* Corner x of the polygon, in the world, may be on the link; else another one is. */
int ns_link_region(const ns_placed *polygon, const ns_line *l, const double *x)
{
  double d[3];
  ns_sub3(x, l->a, d);
  double along = ns_dot3(d, l->u), y = ns_dot3(d, l->n);
  if (along < 0 || along > l->length) return NS_BESIDE;
  return y < -SLACK * polygon->shape->reach && is_apart(polygon, l) ? NS_BESIDE : 0;
}

/* Normals of the links at corner i of a chain, towards the middle of the second, added up, in the
 * axes of that. */
static void normals_at_corner(const ns_placed *chain, int i, const ns_placed *second, double *sum)
{
  const ns_shape *s = chain->shape;
  double out[3] = {0};
  for (int k = 0; k < 2; k++) {
    int link = (i + s->ncorners - 1 + k) % s->ncorners;
    ns_line l;
    if (link == ns_chain_links(s)) continue; /* there is none */
    ns_link_line(chain, link, second, &l);
    ns_axpy3(out, 1, l.n, out);
  }
  ns_mul3t(second->R, out, sum);
}

/* The side of the second that its corner is on where it is on several, none of which it is beyond
 * by more than `max` <= 0: that which parts the two most. A chain or a mesh goes on beyond the
 * second, which none of its sides may part from that: there of the sides that are about as near,
 * of a chain that which is most along its links. */
static int side_between(const ns_meeting *m, double max)
{
  const ns_shape *s = m->second->shape;
  double best_by = -INFINITY, sum[3] = {0}, min = DEEPER * max - DEEP * s->reach;
  int best = 0, of_chain = ns_is_chain(m->first->shape);
  int goes_on = of_chain || ns_is_mesh(m->first->shape);
  if (of_chain) normals_at_corner(m->first, m->part.index, m->second, sum);
  for (int k = 0; k < sides_of(s); k++) {
    double n[3];
    normal_of_side(s, k, n);
    if (goes_on && beyond_side(s, k, m->local) < min) continue;
    double by = of_chain ? -ns_dot3(n, sum) : parts(m->first, m->part.index, m->second, k);
    if (by > best_by) best_by = by, best = k;
  }
  return best;
}

/* The side of the second that the corner is the farthest from. */
int ns_corner_region(const ns_meeting *m)
{
  const ns_shape *s = m->second->shape;
  double max = -INFINITY;
  int farthest = 0;
  for (int k = 0; k < sides_of(s); k++) {
    double y = beyond_side(s, k, m->local);
    if (y > max) max = y, farthest = k;
  }
  return max > SLACK * s->reach ? farthest : side_between(m, fmin(max, 0));
}
