/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/gap_parts.h"
#include "collision/touch_parts.h"

#include <math.h>
#include <string.h>

enum {
  SIDE = NS_CYLINDER_SIDE,
  CAPS = NS_CYLINDER_CAPS,
  RIMS = NS_CYLINDER_RIMS,
  ABOUT_CYLINDER = RIMS + 2
};
/* by the reach: as near to a side as to a cap, not beyond either */
static const double NEAR_RIM = 1e-6, BEYOND = 1e-10;

/* ---- polyhedra ------------------------------------------------------------------------------- */

/* Distance of x from the nearest side of face f, in its plane; < 0 outside. */
static double clearance_of_face(const ns_polytope *p, int f, const double *x)
{
  double min = INFINITY;
  for (int i = p->first[f]; i < p->first[f + 1]; i++) {
    const double *a = p->vertex + 3 * p->loop[i];
    int next = i + 1 < p->first[f + 1] ? i + 1 : p->first[f];
    double e[3], d[3], out[3];
    ns_sub3(p->vertex + 3 * p->loop[next], a, e);
    ns_cross3(e, p->normal + 3 * f, out);
    ns_unit3(out);
    ns_sub3(x, a, d);
    min = fmin(min, -ns_dot3(out, d));
  }
  return min;
}

/* d along the plane with normal n, away from its face at an edge whose other face has the normal m.
 */
static double beyond_face(const double *d, const double *n, const double *m)
{
  double out[3];
  ns_axpy3(m, -ns_dot3(n, m), n, out);
  ns_unit3(out);
  return ns_dot3(d, out);
}

static double clearance_of_edge(const ns_polytope *p, int e, const double *x)
{
  ns_edge k;
  double d[3];
  ns_edge_of(p, e, NULL, &k);
  ns_sub3(x, k.a, d);
  double s = ns_dot3(d, k.u), beside = fmin(beyond_face(d, k.n1, k.n2), beyond_face(d, k.n2, k.n1));
  return fmin(beside, fmin(s, k.length - s));
}

static double clearance_of_vertex(const ns_polytope *p, int v, const double *x)
{
  double min = INFINITY, d[3];
  ns_sub3(x, p->vertex + 3 * v, d);
  for (int e = 0; e < p->nedges; e++) {
    const int *k = p->edge + 4 * e;
    double u[3];
    if (k[0] != v && k[1] != v) continue;
    ns_sub3(p->vertex + 3 * (k[0] == v ? k[1] : k[0]), p->vertex + 3 * v, u);
    ns_unit3(u);
    min = fmin(min, -ns_dot3(u, d));
  }
  return min;
}

static double clearance_of_polytope(const ns_polytope *p, int region, const double *x)
{
  if (region < p->nfaces) return clearance_of_face(p, region, x);
  region -= p->nfaces;
  return region < p->nedges ? clearance_of_edge(p, region, x)
                            : clearance_of_vertex(p, region - p->nedges, x);
}

static int region_of_polytope(const ns_polytope *p, const double *x)
{
  double point[3], n[3], max = -INFINITY;
  int face, best = p->nfaces;
  ns_polytope_nearest(p, x, point, n, &face);
  if (face >= 0) return face;
  for (int k = p->nfaces; k < p->nfaces + p->nedges + p->nvertices; k++) {
    double clearance = clearance_of_polytope(p, k, x);
    if (clearance > max) max = clearance, best = k;
  }
  return best;
}

/* ---- polygons -------------------------------------------------------------------------------- */

/* Side k of a polygon: its begin, unit vector along it; returns its length. */
double ns_side_of(const ns_shape *s, int k, double *a, double *u)
{
  const double *from = s->corner + 2 * k, *to = s->corner + 2 * ((k + 1) % s->ncorners);
  for (int i = 0; i < 2; i++) a[i] = from[i], u[i] = to[i] - from[i];
  a[2] = u[2] = 0;
  return ns_unit3(u);
}

static double clearance_of_polygon(const ns_shape *s, int region, const double *x)
{
  double a[3], u[3], before[3], d[3];
  int n = s->ncorners;
  double length = ns_side_of(s, region % n, a, u);
  ns_sub3(x, a, d);
  double along = ns_dot3(d, u);
  if (region < n) return fmin(along, length - along);
  length = ns_side_of(s, (region + n - 1) % n, before, u); /* that ends at the corner */
  return fmin(-along, ns_dot3(d, u));
}

static int region_of_polygon(const ns_shape *s, const double *x)
{
  double max = -INFINITY, a[3], u[3], d[3];
  int n = s->ncorners, best = 0;
  for (int k = 0; k < n; k++) {
    ns_side_of(s, k, a, u);
    ns_sub3(x, a, d);
    double out = u[1] * d[0] - u[0] * d[1];
    if (out > max) max = out, best = k;
  }
  if (max <= 0 || clearance_of_polygon(s, best, x) >= 0) return best;
  max = -INFINITY;
  for (int k = n; k < 2 * n; k++) {
    double clearance = clearance_of_polygon(s, k, x);
    if (clearance > max) max = clearance, best = k;
  }
  return best;
}

/* ---- points and planes ----------------------------------------------------------------------- */

void ns_gap_from_point(const ns_shape *s, const double *y, const double *x, double *n)
{
  int planar = s->kind == NS_SHAPE_POLYGON || s->kind == NS_SHAPE_CHAIN || s->kind == NS_SHAPE_DISK;
  ns_sub3(x, y, n);
  if (ns_unit3(n) == 0) n[planar ? 1 : 2] = 1;
}

void ns_gap_from_plane(const double *a, const double *normal, const double *x, double *y, double *n)
{
  double d[3];
  ns_sub3(x, a, d);
  memcpy(n, normal, 3 * sizeof *n);
  ns_axpy3(x, -ns_dot3(n, d), n, y);
}

/* ---- chains: link by link -------------------------------------------------------------------- */

static int region_of_link(const ns_shape *s, int link, const double *x)
{
  double a[3], u[3], d[3], length = ns_side_of(s, link, a, u);
  ns_sub3(x, a, d);
  double along = ns_dot3(d, u);
  return along < 0 ? 1 : 2 * (along > length);
}

static double clearance_of_link(const ns_shape *s, int link, int region, const double *x)
{
  double a[3], u[3], d[3], length = ns_side_of(s, link, a, u);
  ns_sub3(x, a, d);
  double along = ns_dot3(d, u);
  if (region == 0) return fmin(along, length - along);
  return region == 1 ? -along : along - length;
}

/* A link has two sides: x stays on its own. */
static void from_link(const ns_shape *s, int link, int region, const double *x, double *y,
                      double *n)
{
  double a[3], u[3], d[3], length = ns_side_of(s, link, a, u);
  ns_sub3(x, a, d);
  if (region != 0) {
    ns_axpy3(a, region == 1 ? 0 : length, u, y);
    ns_gap_from_point(s, y, x, n);
    return;
  }
  double side = u[1] * d[0] - u[0] * d[1] < 0 ? -1 : 1;
  ns_gap_from_plane(a, (double[]){side * u[1], -side * u[0], 0}, x, y, n);
}

/* ---- cylinders ------------------------------------------------------------------------------- */

static int region_of_cylinder(const ns_shape *s, const double *x)
{
  double side = hypot(x[0], x[1]) - s->radius, cap = fabs(x[2]) - s->half[2];
  int above = x[2] > 0;
  if (side > 0 && cap > 0) return RIMS + above;
  return side > 0 || cap <= side ? SIDE : CAPS + above;
}

static double clearance_of_cylinder(const ns_shape *s, int region, const double *x)
{
  double beside = hypot(x[0], x[1]) - s->radius, beyond = x[2];
  if (region == SIDE) return s->half[2] - fabs(x[2]);
  if (region == CAPS || region == RIMS) beyond = -beyond;
  beyond -= s->half[2];
  return region < RIMS ? -beside : fmin(beside, beyond);
}

static void from_cylinder(const ns_shape *s, int region, const double *x, double *y, double *n)
{
  double across = hypot(x[0], x[1]), end = region % 2 == CAPS % 2 ? -s->half[2] : s->half[2];
  memcpy(y, x, 3 * sizeof *y);
  memset(n, 0, 3 * sizeof *n);
  if (region != SIDE) y[2] = end;
  if (region == CAPS || region == CAPS + 1) {
    n[2] = end < 0 ? -1 : 1;
    return;
  }
  n[0] = 1;
  for (int i = 0; i < 2 && across > 0; i++) n[i] = x[i] / across;
  for (int i = 0; i < 2; i++) y[i] = s->radius * n[i];
  if (region == SIDE) return;
  ns_sub3(x, y, n);
  ns_unit3(n);
}

/* ---- cones ----------------------------------------------------------------------------------- */

enum { CONE_SIDE = SIDE, CONE_BASE = CAPS, CONE_RIM, CONE_TIP, ABOUT_CONE };

/* x of its axes in the half plane through the axis, from the rim: how far it is from the axis, up
 * along the side, out of that, below the base. */
typedef struct on_cone {
  double across, up, out, below, length;
  double nr, nz; /* normal of the side */
} on_cone;

static void onto_cone(const ns_shape *s, const double *x, on_cone *k)
{
  double R = s->radius, high = 2 * s->half[2], over = x[2] + s->half[2];
  k->length = hypot(R, high);
  k->nr = high / k->length, k->nz = R / k->length;
  k->across = hypot(x[0], x[1]);
  k->up = over * k->nr + (R - k->across) * k->nz;
  k->out = (k->across - R) * k->nr + over * k->nz;
  k->below = -over;
}

static double clearance_of_cone(const ns_shape *s, int region, const double *x)
{
  on_cone k;
  onto_cone(s, x, &k);
  if (region == CONE_SIDE) return fmin(k.up, k.length - k.up);
  if (region == CONE_BASE) return s->radius - k.across;
  return region == CONE_RIM ? fmin(-k.up, k.across - s->radius) : k.up - k.length;
}

static int region_of_cone(const ns_shape *s, const double *x)
{
  on_cone k;
  onto_cone(s, x, &k);
  if (k.below <= 0 && k.out <= 0) return k.below > k.out ? CONE_BASE : CONE_SIDE;
  if (k.below > 0 && k.across <= s->radius) return CONE_BASE;
  if (k.up > 0 && k.up < k.length) return CONE_SIDE;
  return k.up <= 0 ? CONE_RIM : CONE_TIP;
}

static void from_cone(const ns_shape *s, int region, const double *x, double *y, double *n)
{
  on_cone k;
  onto_cone(s, x, &k);
  double e[2] = {1, 0}, r = s->radius;
  for (int i = 0; i < 2 && k.across > 0; i++) e[i] = x[i] / k.across;
  if (region == CONE_BASE) r = k.across;
  if (region == CONE_SIDE) r = k.across - k.out * k.nr;
  if (region == CONE_TIP) r = 0;
  for (int i = 0; i < 2; i++) y[i] = r * e[i], n[i] = region == CONE_SIDE ? k.nr * e[i] : 0;
  y[2] = region == CONE_SIDE ? x[2] - k.out * k.nz : region == CONE_TIP ? s->half[2] : -s->half[2];
  n[2] = region == CONE_SIDE ? k.nz : -1;
  if (region == CONE_RIM || region == CONE_TIP) ns_gap_from_point(s, y, x, n);
}

/* ---- cylinders and cones: their sides and caps ----------------------------------------------- */

void ns_beyond_revolved(const ns_shape *s, const double *x, double *side, double *cap)
{
  on_cone k;
  *side = hypot(x[0], x[1]) - s->radius, *cap = fabs(x[2]) - s->half[2];
  if (!ns_is_cone(s)) return;
  onto_cone(s, x, &k);
  *side = k.out, *cap = k.below;
}

int ns_corner_on_revolved(const ns_placed *revolved, const ns_placed *body, int corner,
                          const double *x)
{
  const ns_shape *s = revolved->shape;
  double side, cap, radial[3], foot[3], offset = s->radius;
  int above = x[2] > 0 && !ns_is_cone(s);
  ns_beyond_revolved(s, x, &side, &cap);
  if (fabs(side - cap) > NEAR_RIM * s->reach || fmax(side, cap) > BEYOND * s->reach)
    return cap > side ? CAPS + above : SIDE;
  ns_region_nearest(s, 0, SIDE, x, foot, radial);
  if (ns_is_cone(s)) offset = radial[2] * s->half[2]; /* of its tip */
  double axial[3] = {0, 0, above ? 1 : -1};
  double by_side = ns_gap_parts(body, corner, revolved, radial, offset);
  double by_cap = ns_gap_parts(body, corner, revolved, axial, s->half[2]);
  return by_cap > by_side ? CAPS + above : SIDE;
}

/* ---- any shape: a point in its axes ------------------------------------------------------ */

/* Regions about a shape in which a point may be. */
int ns_regions_about(const ns_shape *s)
{
  switch (s->kind) {
  case NS_SHAPE_PLANE:
  case NS_SHAPE_SPHERE:
  case NS_SHAPE_DISK: return 1;
  case NS_SHAPE_CAPSULE: return 3; /* between its ends, and about each */
  case NS_SHAPE_CYLINDER: return ABOUT_CYLINDER;
  case NS_SHAPE_CONE: return ABOUT_CONE;
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL: return s->polytope->nfaces + s->polytope->nedges + s->polytope->nvertices;
  case NS_SHAPE_POLYGON: return 2 * s->ncorners; /* sides, corners */
  case NS_SHAPE_CHAIN: return 3; /* about each link: between its ends, and about each */
  case NS_SHAPE_MESH: return NS_ABOUT_TRIANGLE;
  default: return 0;
  }
}

int ns_region_about(const ns_shape *s, int which, const double *x)
{
  switch (s->kind) {
  case NS_SHAPE_CAPSULE: return x[2] < -s->half[2] ? 1 : 2 * (x[2] > s->half[2]);
  case NS_SHAPE_CYLINDER: return region_of_cylinder(s, x);
  case NS_SHAPE_CONE: return region_of_cone(s, x);
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL: return region_of_polytope(s->polytope, x);
  case NS_SHAPE_POLYGON: return region_of_polygon(s, x);
  case NS_SHAPE_CHAIN: return region_of_link(s, which, x);
  case NS_SHAPE_MESH: return ns_triangle_region(s->mesh, which, x);
  default: return 0;
  }
}

double ns_region_clearance(const ns_shape *s, int which, int region, const double *x)
{
  switch (s->kind) {
  case NS_SHAPE_CAPSULE:
    if (region == 0) return s->half[2] - fabs(x[2]);
    return (region == 1 ? -x[2] : x[2]) - s->half[2];
  case NS_SHAPE_CYLINDER: return clearance_of_cylinder(s, region, x);
  case NS_SHAPE_CONE: return clearance_of_cone(s, region, x);
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL: return clearance_of_polytope(s->polytope, region, x);
  case NS_SHAPE_POLYGON: return clearance_of_polygon(s, region, x);
  case NS_SHAPE_CHAIN: return clearance_of_link(s, which, region, x);
  case NS_SHAPE_MESH: return ns_triangle_clearance(s->mesh, which, region, x);
  default: return INFINITY;
  }
}

static void from_polytope(const ns_shape *s, int region, const double *x, double *y, double *n)
{
  const ns_polytope *p = s->polytope;
  if (region < p->nfaces) {
    ns_gap_from_plane(p->vertex + 3 * p->loop[p->first[region]], p->normal + 3 * region, x, y, n);
    return;
  }
  region -= p->nfaces;
  if (region < p->nedges) {
    ns_edge k;
    double d[3];
    ns_edge_of(p, region, NULL, &k);
    ns_sub3(x, k.a, d);
    ns_axpy3(k.a, ns_dot3(d, k.u), k.u, y);
  } else {
    memcpy(y, p->vertex + 3 * (region - p->nedges), 3 * sizeof *y);
  }
  ns_gap_from_point(s, y, x, n);
}

static void from_polygon(const ns_shape *s, int region, const double *x, double *y, double *n)
{
  double u[3];
  ns_side_of(s, region % s->ncorners, y, u);
  if (region < s->ncorners)
    ns_gap_from_plane((double[]){y[0], y[1], 0}, (double[]){u[1], -u[0], 0}, x, y, n);
  else ns_gap_from_point(s, y, x, n);
}

/* About its core: the surfaces of cylinders and cones are their own. */
double ns_core_radius(const ns_shape *s) { return ns_is_revolved(s) ? 0 : s->radius; }

/* Nearest point y of the core of a shape, about which it has its radius, and the unit vector n from
 * there to x. */
void ns_region_nearest(const ns_shape *s, int which, int region, const double *x, double *y,
                       double *n)
{
  memset(y, 0, 3 * sizeof *y);
  switch (s->kind) {
  case NS_SHAPE_PLANE: ns_gap_from_plane(y, (double[]){0, 0, 1}, x, y, n); return;
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL: from_polytope(s, region, x, y, n); return;
  case NS_SHAPE_POLYGON: from_polygon(s, region, x, y, n); return;
  case NS_SHAPE_CHAIN: from_link(s, which, region, x, y, n); return;
  case NS_SHAPE_MESH: ns_triangle_nearest(s, which, region, x, y, n); return;
  case NS_SHAPE_CYLINDER: from_cylinder(s, region, x, y, n); return;
  case NS_SHAPE_CONE: from_cone(s, region, x, y, n); return;
  case NS_SHAPE_CAPSULE:
    y[2] = region == 0 ? x[2] : (region == 1 ? -1 : 1) * s->half[2];
    ns_gap_from_point(s, y, x, n);
    return;
  default: ns_gap_from_point(s, y, x, n);
  }
}

static ns_core core_of_polytope(const ns_polytope *p, int region, double *u)
{
  ns_edge k;
  if (region < p->nfaces) return NS_CORE_FLAT;
  if (region >= p->nfaces + p->nedges) return NS_CORE_POINT;
  ns_edge_of(p, region - p->nfaces, NULL, &k);
  memcpy(u, k.u, sizeof k.u);
  return NS_CORE_LINE;
}

static ns_core core_of_triangle(const ns_shape *s, int k, int region, double *u)
{
  if (region == 0 || region == NS_BEHIND) return NS_CORE_FLAT;
  return ns_triangle_side(s->mesh, k, region, u) ? NS_CORE_LINE : NS_CORE_POINT;
}

/* Along the line of its side that x is over. */
static ns_core core_of_cone(const ns_shape *s, int region, const double *x, double *u)
{
  on_cone k;
  if (region == CONE_TIP) return NS_CORE_POINT;
  if (region != CONE_SIDE) return region == CONE_BASE ? NS_CORE_FLAT : NS_CORE_CIRCLE;
  onto_cone(s, x, &k);
  for (int i = 0; i < 2; i++) u[i] = k.across > 0 ? -k.nz * x[i] / k.across : -k.nz * (i == 0);
  u[2] = k.nr;
  return NS_CORE_LINE;
}

ns_core ns_core_of(const ns_shape *s, int which, int region, const double *x, double *u)
{
  u[0] = u[1] = 0;
  u[2] = 1;
  switch (s->kind) {
  case NS_SHAPE_PLANE: return NS_CORE_FLAT;
  case NS_SHAPE_POLYGON: return region < s->ncorners ? NS_CORE_FLAT : NS_CORE_POINT;
  case NS_SHAPE_CHAIN: return region == 0 ? NS_CORE_FLAT : NS_CORE_POINT;
  case NS_SHAPE_MESH: return core_of_triangle(s, which, region, u);
  case NS_SHAPE_CAPSULE: return region == 0 ? NS_CORE_LINE : NS_CORE_POINT;
  case NS_SHAPE_CYLINDER:
    if (region == SIDE) return NS_CORE_LINE; /* round about its axis */
    return region < RIMS ? NS_CORE_FLAT : NS_CORE_CIRCLE;
  case NS_SHAPE_CONE: return core_of_cone(s, region, x, u);
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL: return core_of_polytope(s->polytope, region, u);
  default: return NS_CORE_POINT;
  }
}

double ns_region_lever(const ns_shape *s, int region, const double *x, double distance)
{
  on_cone k;
  if (s->kind == NS_SHAPE_CONE && region == CONE_SIDE) {
    onto_cone(s, x, &k);
    return k.across / k.nr;
  }
  return distance + (s->kind == NS_SHAPE_CYLINDER && region == SIDE ? s->radius : 0);
}
