/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/shape.h"

#include "algebra/vector.h"
#include "collision/shape_planar.h"
#include "collision/shape_rounded.h"

#include <float.h>

static const double pi = 3.14159265358979323846;

int ns_shape_plane(ns_shape *s)
{
  *s = (ns_shape){.kind = NS_SHAPE_PLANE, .reach = INFINITY};
  return 1;
}

int ns_shape_sphere(ns_shape *s, double radius)
{
  *s = (ns_shape){.kind = NS_SHAPE_SPHERE, .radius = radius, .reach = radius};
  return 1;
}

int ns_shape_capsule(ns_shape *s, double radius, double half)
{
  *s = (ns_shape){
      .kind = NS_SHAPE_CAPSULE, .radius = radius, .half = {0, 0, half}, .reach = half + radius};
  return 1;
}

int ns_shape_cylinder(ns_shape *s, double radius, double half)
{
  *s = (ns_shape){.kind = NS_SHAPE_CYLINDER,
                  .radius = radius,
                  .half = {0, 0, half},
                  .reach = hypot(radius, half)};
  return 1;
}

int ns_shape_cone(ns_shape *s, double radius, double half)
{
  *s = (ns_shape){
      .kind = NS_SHAPE_CONE, .radius = radius, .half = {0, 0, half}, .reach = hypot(radius, half)};
  return 1;
}

int ns_shape_box(ns_shape *s, ns_arena *a, const double *half)
{
  *s = (ns_shape){
      .kind = NS_SHAPE_BOX, .half = {half[0], half[1], half[2]}, .reach = ns_norm3(half)};
  s->polytope = ns_polytope_box(a, half);
  return s->polytope != NULL;
}

int ns_shape_hull(ns_shape *s, const ns_polytope *p)
{
  *s = (ns_shape){.kind = NS_SHAPE_HULL, .polytope = p};
  for (int i = 0; i < p->nvertices; i++) s->reach = fmax(s->reach, ns_norm3(p->vertex + 3 * i));
  return 1;
}

int ns_shape_mesh(ns_shape *s, const ns_mesh *m)
{
  *s = (ns_shape){.kind = NS_SHAPE_MESH, .mesh = m};
  for (int i = 0; i < m->nvertices; i++) {
    double x[3];
    ns_mesh_vertex(m, i, x);
    s->reach = fmax(s->reach, ns_norm3(x));
  }
  return 1;
}

/* ---- solids ---------------------------------------------------------------------------------- */

/* Of revolution about z: I_xx = I_yy = across, I_zz = along. */
static void revolution(double across, double along, double *inertia)
{
  memset(inertia, 0, 9 * sizeof *inertia);
  inertia[0] = inertia[4] = across;
  inertia[8] = along;
}

/* A cylinder between two half balls. */
static double capsule(double r, double l, double *inertia)
{
  double tube = 2 * pi * r * r * l, balls = 4 * pi * r * r * r / 3, mass = tube + balls;
  double along = tube * r * r / 2 + balls * 2 * r * r / 5;
  double across = tube * (r * r / 4 + l * l / 3) + balls * (2 * r * r / 5 + l * l + 3 * l * r / 4);
  revolution(across / mass, along / mass, inertia);
  return mass;
}

static int mesh_solid(const ns_mesh *m, double *volume, double *centre, double *inertia)
{
  ns_ctx quiet = {0};
  if (ns_mesh_solid(&quiet, "", m, volume, centre, inertia)) return 0;
  ns_divide(9, *volume, inertia);
  return 1;
}

int ns_shape_solid(const ns_shape *s, double *volume, double *centre, double *inertia)
{
  double r = s->radius, l = s->half[2];
  memset(centre, 0, 3 * sizeof *centre);
  switch (s->kind) {
  case NS_SHAPE_SPHERE:
    *volume = 4 * pi * r * r * r / 3;
    revolution(2 * r * r / 5, 2 * r * r / 5, inertia);
    return 1;
  case NS_SHAPE_CAPSULE: *volume = capsule(r, l, inertia); return 1;
  case NS_SHAPE_CYLINDER:
    *volume = 2 * pi * r * r * l;
    revolution(r * r / 4 + l * l / 3, r * r / 2, inertia);
    return 1;
  case NS_SHAPE_CONE: /* its centre is at a quarter of its height, 2 l */
    *volume = 2 * pi * r * r * l / 3;
    centre[2] = -l / 2;
    revolution(3 * r * r / 20 + 3 * l * l / 20, 3 * r * r / 10, inertia);
    return 1;
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL:
    if (r > 0) ns_rounded_solid(s, volume, centre, inertia);
    else ns_polytope_solid(s->polytope, volume, centre, inertia);
    ns_divide(9, *volume, inertia);
    return 1;
  case NS_SHAPE_DISK:
    *volume = pi * r * r;
    revolution(r * r / 4, r * r / 2, inertia);
    return 1;
  case NS_SHAPE_POLYGON:
    if (r == 0) {
      ns_polygon_solid(s->ncorners, s->corner, volume, centre, inertia);
      return 1;
    }
    ns_rounded_solid(s, volume, centre, inertia);
    ns_divide(9, *volume, inertia);
    return 1;
  case NS_SHAPE_MESH: return mesh_solid(s->mesh, volume, centre, inertia);
  default: return 0;
  }
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* How far it goes along axis i of the world, each way from its origin. */
static double extent(const ns_placed *p, int i)
{
  const ns_shape *s = p->shape;
  const double *R = p->R;
  double along = fabs(R[i + 6]);
  switch (s->kind) {
  case NS_SHAPE_SPHERE: return s->radius;
  case NS_SHAPE_CAPSULE: return s->half[2] * along + s->radius;
  case NS_SHAPE_CONE:
  case NS_SHAPE_CYLINDER: return s->half[2] * along + s->radius * hypot(R[i], R[i + 3]);
  case NS_SHAPE_BOX:
    return (s->half[0] - s->radius) * fabs(R[i]) + (s->half[1] - s->radius) * fabs(R[i + 3]) +
           (s->half[2] - s->radius) * along + s->radius;
  case NS_SHAPE_DISK: return s->radius * hypot(R[i], R[i + 3]);
  default: return INFINITY;
  }
}

static void hull_bounds(const ns_placed *p, double *low, double *high)
{
  const ns_polytope *h = p->shape->polytope;
  for (int i = 0; i < 3; i++) low[i] = INFINITY, high[i] = -INFINITY;
  for (int k = 0; k < h->nvertices; k++) {
    double x[3];
    ns_placed_out(p, h->vertex + 3 * k, x);
    for (int i = 0; i < 3; i++) {
      low[i] = fmin(low[i], x[i]);
      high[i] = fmax(high[i], x[i]);
    }
  }
}

/* Around the box in its own axes. */
static void mesh_bounds(const ns_placed *p, double *low, double *high)
{
  const ns_mesh *m = p->shape->mesh;
  double middle[3], half[3], x[3];
  for (int i = 0; i < 3; i++) {
    middle[i] = (m->low[i] + m->high[i]) / 2;
    half[i] = (m->high[i] - m->low[i]) / 2;
  }
  ns_placed_out(p, middle, x);
  for (int i = 0; i < 3; i++) {
    double e = half[0] * fabs(p->R[i]) + half[1] * fabs(p->R[i + 3]) + half[2] * fabs(p->R[i + 6]);
    low[i] = x[i] - e;
    high[i] = x[i] + e;
  }
}

void ns_placed_bounds(const ns_placed *p, double margin, double *low, double *high)
{
  if (p->shape->kind == NS_SHAPE_HULL) hull_bounds(p, low, high);
  else if (p->shape->corner) ns_corner_bounds(p, low, high);
  else if (p->shape->kind == NS_SHAPE_MESH) mesh_bounds(p, low, high);
  else
    for (int i = 0; i < 3; i++) {
      double e = extent(p, i);
      low[i] = p->at[i] - e;
      high[i] = p->at[i] + e;
    }
  /* the others have said so themselves */
  int is_core = p->shape->kind == NS_SHAPE_HULL || p->shape->corner;
  double more = margin + (is_core ? p->shape->radius : 0);
  for (int i = 0; i < 3; i++) {
    low[i] -= more;
    high[i] += more;
  }
}
