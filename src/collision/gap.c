/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/gap.h"

#include "collision/touch_parts.h"

#include <math.h>
#include <string.h>

static const double FLAT = 1e-9; /* sine of the tilt of a cap whose lowest point is not known */
enum { ENDS = 2, CROSSING = 2 * ENDS, CAPSULE_GAPS }; /* two capsules: ends of either, and this */
enum { WITHIN, OUTSIDE }; /* regions of a crossing: on both axes between their ends, or not */
enum { LOWEST = 8 };             /* name of the lowest point of a rim (touch_cylinder.c) */
enum {
  SIDE,
  CAPS,
  RIMS = CAPS + 2,
  ABOUT_CYLINDER = RIMS + 2
}; /* regions: those of -z before those of z */

/* ---- kinds ----------------------------------------------------------------------------------- */

static int is_ball(const ns_shape *s)
{
  return s->kind == NS_SHAPE_SPHERE || s->kind == NS_SHAPE_DISK;
}

/* Regions about a shape in which a point may be. */
static int regions_about(const ns_shape *s)
{
  switch (s->kind) {
  case NS_SHAPE_PLANE:
  case NS_SHAPE_SPHERE:
  case NS_SHAPE_DISK: return 1;
  case NS_SHAPE_CAPSULE: return 3; /* between its ends, and about each */
  case NS_SHAPE_CYLINDER: return ABOUT_CYLINDER;
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL: return s->polytope->nfaces + s->polytope->nedges + s->polytope->nvertices;
  case NS_SHAPE_POLYGON: return 2 * s->ncorners; /* sides, corners */
  case NS_SHAPE_CHAIN: return 3; /* about each link: between its ends, and about each */
  default: return 0;
  }
}

/* Points of a shape of which one is the nearest to a plane. */
static int points_of(const ns_shape *s)
{
  switch (s->kind) {
  case NS_SHAPE_SPHERE:
  case NS_SHAPE_DISK: return 1;
  case NS_SHAPE_CAPSULE:
  case NS_SHAPE_CYLINDER: return 2;
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL: return s->polytope->nvertices;
  case NS_SHAPE_POLYGON: return s->ncorners;
  default: return 0;
  }
}

static int are_capsules(const ns_shape *a, const ns_shape *b)
{
  return a->kind == NS_SHAPE_CAPSULE && b->kind == NS_SHAPE_CAPSULE;
}

/* The second of a pair is what the first has points for. */
static int is_in_order(const ns_shape *a, const ns_shape *b)
{
  if (b->kind == NS_SHAPE_PLANE) return 1;
  return is_ball(a) && a->kind != NS_SHAPE_PLANE && (!is_ball(b) || b->kind == a->kind);
}

static int gaps_in_order(const ns_shape *a, const ns_shape *b)
{
  if (b->kind == NS_SHAPE_PLANE) return points_of(a);
  if (b->kind == NS_SHAPE_CHAIN) return is_ball(a) ? b->ncorners - !b->closed : 0;
  return is_ball(a) && regions_about(b) ? 1 : 0;
}

int ns_gap_is_sharp(const ns_shape *a, const ns_shape *b)
{
  return a->kind == NS_SHAPE_POLYGON && b->kind == NS_SHAPE_POLYGON;
}

int ns_gap_ends(const ns_shape *a, const ns_shape *b, int which)
{
  return ns_gap_is_sharp(a, b) || (are_capsules(a, b) && which >= ENDS);
}

/* The second has the point of gap `which`, and the first what it is near to. */
static int is_turned(const ns_shape *a, const ns_shape *b, int which)
{
  if (are_capsules(a, b)) return which >= ENDS && which < CROSSING;
  return ns_gap_is_sharp(a, b) ? which >= a->ncorners : !is_in_order(a, b);
}

int ns_gaps_of(const ns_shape *a, const ns_shape *b)
{
  if (ns_gap_is_sharp(a, b)) return a->ncorners + b->ncorners;
  if (are_capsules(a, b)) return CAPSULE_GAPS;
  if (is_in_order(a, b)) return gaps_in_order(a, b);
  return is_in_order(b, a) ? gaps_in_order(b, a) : 0;
}

int ns_gap_regions(const ns_shape *a, const ns_shape *b)
{
  if (ns_gap_is_sharp(a, b)) return a->ncorners > b->ncorners ? a->ncorners : b->ncorners;
  return regions_about(is_in_order(a, b) ? b : a);
}

/* ---- polyhedra ------------------------------------------------------------------------------- */

/* Distance of x from the nearest side of face f, in its plane; < 0 outside. */
static double room_of_face(const ns_polytope *p, int f, const double *x)
{
  double least = INFINITY;
  for (int i = p->first[f]; i < p->first[f + 1]; i++) {
    const double *a = p->vertex + 3 * p->loop[i];
    int next = i + 1 < p->first[f + 1] ? i + 1 : p->first[f];
    double e[3], d[3], out[3];
    ns_sub3(p->vertex + 3 * p->loop[next], a, e);
    ns_cross3(e, p->normal + 3 * f, out);
    ns_unit3(out);
    ns_sub3(x, a, d);
    least = fmin(least, -ns_dot3(out, d));
  }
  return least;
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

static double room_of_edge(const ns_polytope *p, int e, const double *x)
{
  ns_edge k;
  double d[3];
  ns_edge_of(p, e, NULL, &k);
  ns_sub3(x, k.a, d);
  double s = ns_dot3(d, k.u), beside = fmin(beyond_face(d, k.n1, k.n2), beyond_face(d, k.n2, k.n1));
  return fmin(beside, fmin(s, k.length - s));
}

static double room_of_vertex(const ns_polytope *p, int v, const double *x)
{
  double least = INFINITY, d[3];
  ns_sub3(x, p->vertex + 3 * v, d);
  for (int e = 0; e < p->nedges; e++) {
    const int *k = p->edge + 4 * e;
    double u[3];
    if (k[0] != v && k[1] != v) continue;
    ns_sub3(p->vertex + 3 * (k[0] == v ? k[1] : k[0]), p->vertex + 3 * v, u);
    ns_unit3(u);
    least = fmin(least, -ns_dot3(u, d));
  }
  return least;
}

static double room_of_polytope(const ns_polytope *p, int region, const double *x)
{
  if (region < p->nfaces) return room_of_face(p, region, x);
  region -= p->nfaces;
  return region < p->nedges ? room_of_edge(p, region, x) : room_of_vertex(p, region - p->nedges, x);
}

static int region_of_polytope(const ns_polytope *p, const double *x)
{
  double point[3], n[3], most = -INFINITY;
  int face, best = p->nfaces;
  ns_polytope_nearest(p, x, point, n, &face);
  if (face >= 0) return face;
  for (int k = p->nfaces; k < p->nfaces + p->nedges + p->nvertices; k++) {
    double room = room_of_polytope(p, k, x);
    if (room > most) most = room, best = k;
  }
  return best;
}

/* ---- polygons -------------------------------------------------------------------------------- */

/* Side k of a polygon: its begin, unit vector along it; returns its length. */
static double side_of(const ns_shape *s, int k, double *a, double *u)
{
  const double *from = s->corner + 2 * k, *to = s->corner + 2 * ((k + 1) % s->ncorners);
  for (int i = 0; i < 2; i++) a[i] = from[i], u[i] = to[i] - from[i];
  a[2] = u[2] = 0;
  return ns_unit3(u);
}

static double room_of_polygon(const ns_shape *s, int region, const double *x)
{
  double a[3], u[3], before[3], d[3];
  int n = s->ncorners;
  double length = side_of(s, region % n, a, u);
  ns_sub3(x, a, d);
  double along = ns_dot3(d, u);
  if (region < n) return fmin(along, length - along);
  length = side_of(s, (region + n - 1) % n, before, u); /* that ends at the corner */
  return fmin(-along, ns_dot3(d, u));
}

static int region_of_polygon(const ns_shape *s, const double *x)
{
  double most = -INFINITY, a[3], u[3], d[3];
  int n = s->ncorners, best = 0;
  for (int k = 0; k < n; k++) {
    side_of(s, k, a, u);
    ns_sub3(x, a, d);
    double out = u[1] * d[0] - u[0] * d[1];
    if (out > most) most = out, best = k;
  }
  if (most <= 0 || room_of_polygon(s, best, x) >= 0) return best;
  most = -INFINITY;
  for (int k = n; k < 2 * n; k++) {
    double room = room_of_polygon(s, k, x);
    if (room > most) most = room, best = k;
  }
  return best;
}

/* n, y of a point: straight from it to x; concentric ones are parted along z, in the plane along y.
 */
static void from_point(const ns_shape *s, const double *y, const double *x, double *n)
{
  ns_sub3(x, y, n);
  if (ns_unit3(n) == 0)
    n[s->kind == NS_SHAPE_POLYGON || s->kind == NS_SHAPE_CHAIN || s->kind == NS_SHAPE_DISK ? 1
                                                                                           : 2] = 1;
}

static void from_plane(const double *a, const double *normal, const double *x, double *y, double *n)
{
  double d[3];
  ns_sub3(x, a, d);
  memcpy(n, normal, 3 * sizeof *n);
  ns_axpy3(x, -ns_dot3(n, d), n, y);
}

/* ---- chains: link by link -------------------------------------------------------------------- */

static int region_of_link(const ns_shape *s, int link, const double *x)
{
  double a[3], u[3], d[3], length = side_of(s, link, a, u);
  ns_sub3(x, a, d);
  double along = ns_dot3(d, u);
  return along < 0 ? 1 : 2 * (along > length);
}

static double room_of_link(const ns_shape *s, int link, int region, const double *x)
{
  double a[3], u[3], d[3], length = side_of(s, link, a, u);
  ns_sub3(x, a, d);
  double along = ns_dot3(d, u);
  if (region == 0) return fmin(along, length - along);
  return region == 1 ? -along : along - length;
}

/* A link has two sides: x stays on its own. */
static void from_link(const ns_shape *s, int link, int region, const double *x, double *y,
                      double *n)
{
  double a[3], u[3], d[3], length = side_of(s, link, a, u);
  ns_sub3(x, a, d);
  if (region != 0) {
    ns_axpy3(a, region == 1 ? 0 : length, u, y);
    from_point(s, y, x, n);
    return;
  }
  double side = u[1] * d[0] - u[0] * d[1] < 0 ? -1 : 1;
  from_plane(a, (double[]){side * u[1], -side * u[0], 0}, x, y, n);
}

/* ---- cylinders ------------------------------------------------------------------------------- */

static int region_of_cylinder(const ns_shape *s, const double *x)
{
  double side = hypot(x[0], x[1]) - s->radius, cap = fabs(x[2]) - s->half[2];
  int above = x[2] > 0;
  if (side > 0 && cap > 0) return RIMS + above;
  return side > 0 || cap <= side ? SIDE : CAPS + above;
}

static double room_of_cylinder(const ns_shape *s, int region, const double *x)
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

/* ---- a point about a shape, in its axes ------------------------------------------------------ */

static int region_about(const ns_shape *s, int which, const double *x)
{
  switch (s->kind) {
  case NS_SHAPE_CAPSULE: return x[2] < -s->half[2] ? 1 : 2 * (x[2] > s->half[2]);
  case NS_SHAPE_CYLINDER: return region_of_cylinder(s, x);
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL: return region_of_polytope(s->polytope, x);
  case NS_SHAPE_POLYGON: return region_of_polygon(s, x);
  case NS_SHAPE_CHAIN: return region_of_link(s, which, x);
  default: return 0;
  }
}

static double room_about(const ns_shape *s, int which, int region, const double *x)
{
  switch (s->kind) {
  case NS_SHAPE_CAPSULE:
    if (region == 0) return s->half[2] - fabs(x[2]);
    return (region == 1 ? -x[2] : x[2]) - s->half[2];
  case NS_SHAPE_CYLINDER: return room_of_cylinder(s, region, x);
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL: return room_of_polytope(s->polytope, region, x);
  case NS_SHAPE_POLYGON: return room_of_polygon(s, region, x);
  case NS_SHAPE_CHAIN: return room_of_link(s, which, region, x);
  default: return INFINITY;
  }
}

static void from_polytope(const ns_shape *s, int region, const double *x, double *y, double *n)
{
  const ns_polytope *p = s->polytope;
  if (region < p->nfaces) {
    from_plane(p->vertex + 3 * p->loop[p->first[region]], p->normal + 3 * region, x, y, n);
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
  from_point(s, y, x, n);
}

static void from_polygon(const ns_shape *s, int region, const double *x, double *y, double *n)
{
  double u[3];
  side_of(s, region % s->ncorners, y, u);
  if (region < s->ncorners)
    from_plane((double[]){y[0], y[1], 0}, (double[]){u[1], -u[0], 0}, x, y, n);
  else from_point(s, y, x, n);
}

/* About its core: the surface of a cylinder is its own. */
static double radius_of(const ns_shape *s) { return s->kind == NS_SHAPE_CYLINDER ? 0 : s->radius; }

/* Nearest point y of the core of a shape, about which it has its radius, and the unit vector n from
 * there to x. */
static void nearest(const ns_shape *s, int which, int region, const double *x, double *y, double *n)
{
  memset(y, 0, 3 * sizeof *y);
  switch (s->kind) {
  case NS_SHAPE_PLANE: from_plane(y, (double[]){0, 0, 1}, x, y, n); return;
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL: from_polytope(s, region, x, y, n); return;
  case NS_SHAPE_POLYGON: from_polygon(s, region, x, y, n); return;
  case NS_SHAPE_CHAIN: from_link(s, which, region, x, y, n); return;
  case NS_SHAPE_CYLINDER: from_cylinder(s, region, x, y, n); return;
  case NS_SHAPE_CAPSULE:
    y[2] = region == 0 ? x[2] : (region == 1 ? -1 : 1) * s->half[2];
    from_point(s, y, x, n);
    return;
  default: from_point(s, y, x, n);
  }
}

/* ---- points of a shape ----------------------------------------------------------------------- */

/* Point `which` of a for b, in the world, about which a has *radius. 0: it is not known. */
static int point_of(const ns_placed *a, const ns_placed *b, int which, double *x, double *radius)
{
  const ns_shape *s = a->shape;
  const double *axis = a->R + 6, *normal = b->R + 6;
  double down[3];
  *radius = 0;
  switch (s->kind) {
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL: ns_placed_out(a, s->polytope->vertex + 3 * which, x); return 1;
  case NS_SHAPE_POLYGON:
    ns_placed_out(a, (double[]){s->corner[2 * which], s->corner[2 * which + 1], 0}, x);
    return 1;
  case NS_SHAPE_CYLINDER:
    ns_axpy3(a->at, (which ? 1 : -1) * s->half[2], axis, x);
    ns_axpy3(normal, -ns_dot3(normal, axis), axis, down);
    if (ns_unit3(down) < FLAT) return 0;
    ns_axpy3(x, -s->radius, down, x);
    return 1;
  case NS_SHAPE_CAPSULE: ns_axpy3(a->at, (2 * which - 1) * s->half[2], axis, x); break;
  default: memcpy(x, a->at, 3 * sizeof *x);
  }
  *radius = s->radius;
  return 1;
}

/* As the touches of the pair are named. */
static uint64_t name_of(const ns_shape *a, const ns_shape *b, int which, int turned)
{
  if (b->kind == NS_SHAPE_CHAIN)
    return turned ? ns_feature(NS_MEET_CORNER_2, which + 1, 0)
                  : ns_feature(NS_MEET_CORNER_1, 0, which + 1);
  if (a->kind == NS_SHAPE_CYLINDER) return (uint64_t)(16 * which + LOWEST);
  if (a->kind != NS_SHAPE_POLYGON) return (uint64_t)which;
  return turned ? ns_feature(NS_MEET_CORNER_2, 0, which) : ns_feature(NS_MEET_CORNER_1, which, 0);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static const double SLACK = 1e-10; /* by its reach: a corner so near to a side is on it */

/* Distance of x, in the axes of a polygon, from the line of its side k. */
static double beyond_side(const ns_shape *s, int k, const double *x)
{
  double a[3], u[3], d[3];
  side_of(s, k, a, u);
  ns_sub3(x, a, d);
  return u[1] * d[0] - u[0] * d[1];
}

/* How far side k of the second parts it from the first. */
static double parts(const ns_placed *first, const ns_placed *second, int k)
{
  double least = INFINITY;
  for (int i = 0; i < first->shape->ncorners; i++) {
    const double *corner = first->shape->corner + 2 * i;
    double world[3], x[3];
    ns_placed_out(first, (double[]){corner[0], corner[1], 0}, world);
    ns_placed_in(second, world, x);
    least = fmin(least, beyond_side(second->shape, k, x));
  }
  return least;
}

/* The side of the second that a corner of the first at x, in its axes, is the farthest from. */
static int side_for_corner(const ns_placed *first, const ns_placed *second, const double *x)
{
  const ns_shape *s = second->shape;
  double most = -INFINITY, apart = -INFINITY;
  int farthest = 0, parting = 0, beside = 0;
  for (int k = 0; k < s->ncorners; k++) {
    double y = beyond_side(s, k, x), by = parts(first, second, k);
    if (y > most) most = y, farthest = k;
    if (by > apart) apart = by, parting = k;
  }
  for (int k = 0; k < s->ncorners; k++)
    beside |= k != parting && beyond_side(s, k, x) > SLACK * s->reach;
  return beside ? farthest : parting;
}

/* Which shape has the point of a gap, and where that is in the axes of the other. 0: it is not
 * known. */
static int arrange(const ns_placed *a, const ns_placed *b, int which, const ns_placed **first,
                   const ns_placed **second, double *x, double *local, double *radius)
{
  int turned = is_turned(a->shape, b->shape, which), before = 0;
  if (turned && ns_gap_is_sharp(a->shape, b->shape)) before = a->shape->ncorners;
  if (turned && are_capsules(a->shape, b->shape)) before = ENDS;
  *first = turned ? b : a;
  *second = turned ? a : b;
  if (!point_of(*first, *second, which - before, x, radius)) return 0;
  ns_placed_in(*second, x, local);
  return 1;
}

/* ---- capsules that cross ---------------------------------------------------------------------
 *
 * The axes u1, u2 of two capsules come nearest at c1 = x1 + s u1, c2 = x2 + t u2 with
 *
 *   s = (A e - d)/(1 - A^2),   t = e + s A,   A = u1.u2, d = u1.w, e = u2.w, w = x1 - x2
 *
 * (Ericson 2005, 5.1.9), along u1 x u2. Where one of these is beyond the ends of its axis the gap
 * of an end is the nearest, and this one is longer than any. */

typedef struct crossing {
  double w[3], s, t, A, d, e;
  double c[3], sine; /* u1 x u2, its length */
  double n[3];
} crossing;

static int is_crossing(const ns_placed *a, const ns_placed *b, int which)
{
  return which == CROSSING && are_capsules(a->shape, b->shape);
}

static int cross(const ns_placed *a, const ns_placed *b, crossing *k)
{
  const double *u1 = a->R + 6, *u2 = b->R + 6;
  ns_sub3(a->at, b->at, k->w);
  k->A = ns_dot3(u1, u2), k->d = ns_dot3(u1, k->w), k->e = ns_dot3(u2, k->w);
  ns_cross3(u1, u2, k->c);
  memcpy(k->n, k->c, sizeof k->c);
  k->sine = ns_unit3(k->n);
  if (k->sine < FLAT) return 0;
  for (int i = 0; i < 3 && ns_dot3(k->c, k->w) < 0; i++) k->n[i] = -k->c[i] / k->sine;
  k->s = (k->A * k->e - k->d) / (k->sine * k->sine);
  k->t = k->e + k->s * k->A;
  return 1;
}

static double room_of_crossing(const ns_placed *a, const ns_placed *b, int region)
{
  crossing k;
  if (region != WITHIN || !cross(a, b, &k)) return INFINITY;
  return fmin(a->shape->half[2] - fabs(k.s), b->shape->half[2] - fabs(k.t));
}

static int region_of_crossing(const ns_placed *a, const ns_placed *b)
{
  double room = room_of_crossing(a, b, WITHIN);
  return room >= 0 && isfinite(room) ? WITHIN : OUTSIDE;
}

/* A gap that another one stands in for: longer than that. */
static double no_gap(const ns_placed *a, const ns_placed *b)
{
  double d[3];
  ns_sub3(a->at, b->at, d);
  return ns_norm3(d) + a->shape->reach + b->shape->reach;
}

/* As seen from the centres, where it is no gap. */
static void between_centres(const ns_placed *a, const ns_placed *b, ns_touch *t)
{
  memcpy(t->p1, a->at, sizeof t->p1);
  memcpy(t->p2, b->at, sizeof t->p2);
  ns_sub3(t->p1, t->p2, t->n);
  if (ns_unit3(t->n) == 0) t->n[2] = 1;
  t->gap = no_gap(a, b);
}

static void touch_crossing(const ns_placed *a, const ns_placed *b, int region, ns_touch *t)
{
  crossing k;
  double d[3];
  t->feature = CROSSING;
  if (region < 0) region = region_of_crossing(a, b);
  if (region != WITHIN || !cross(a, b, &k)) {
    between_centres(a, b, t);
    return;
  }
  memcpy(t->n, k.n, sizeof t->n);
  ns_axpy3(a->at, k.s, a->R + 6, t->p1);
  ns_axpy3(b->at, k.t, b->R + 6, t->p2);
  ns_axpy3(t->p1, -a->shape->radius, t->n, t->p1);
  ns_axpy3(t->p2, b->shape->radius, t->n, t->p2);
  ns_sub3(t->p1, t->p2, d);
  t->gap = ns_dot3(t->n, d);
}

static int region_of(const ns_placed *first, const ns_placed *second, int which,
                     const double *local)
{
  if (ns_gap_is_sharp(first->shape, second->shape)) return side_for_corner(first, second, local);
  return region_about(second->shape, which, local);
}

int ns_gap_region(const ns_placed *a, const ns_placed *b, int which)
{
  const ns_placed *first, *second;
  double x[3], local[3], radius;
  if (is_crossing(a, b, which)) return region_of_crossing(a, b);
  return arrange(a, b, which, &first, &second, x, local, &radius)
             ? region_of(first, second, which, local)
             : 0;
}

double ns_gap_room(const ns_placed *a, const ns_placed *b, int which, int region)
{
  const ns_placed *first, *second;
  double x[3], local[3], radius;
  if (is_crossing(a, b, which)) return room_of_crossing(a, b, region);
  return arrange(a, b, which, &first, &second, x, local, &radius)
             ? room_about(second->shape, which, region, local)
             : INFINITY;
}

static void exchange(double *p, double *q)
{
  double t[3];
  memcpy(t, p, sizeof t);
  memcpy(p, q, sizeof t);
  memcpy(q, t, sizeof t);
}

/* What is known of a touch beside it: point x of the first and its radius, and how x and the core
 * of the second meet. */
typedef struct meeting {
  const ns_placed *first, *second;
  int turned, region;
  double x[3], radius, distance; /* of x from the core */
} meeting;

static int meet(const ns_placed *a, const ns_placed *b, int which, int region, meeting *m,
                ns_touch *t)
{
  double local[3], y[3], n[3], d[3];
  *m = (meeting){.turned = is_turned(a->shape, b->shape, which)};
  if (!arrange(a, b, which, &m->first, &m->second, m->x, local, &m->radius)) return 0;
  m->region = region < 0 ? region_of(m->first, m->second, which, local) : region;
  nearest(m->second->shape, which, m->region, local, y, n);
  ns_placed_out(m->second, y, t->p2);
  ns_mul3(m->second->R, n, t->n);
  ns_sub3(m->x, t->p2, d);
  m->distance = ns_dot3(t->n, d);
  ns_axpy3(m->x, -m->radius, t->n, t->p1);
  ns_axpy3(t->p2, radius_of(m->second->shape), t->n, t->p2);
  ns_sub3(t->p1, t->p2, d);
  t->gap = ns_dot3(t->n, d);
  if (m->turned && are_capsules(a->shape, b->shape) && m->region != 0) t->gap = no_gap(a, b);
  if (m->turned && ns_gap_is_sharp(a->shape, b->shape)) which -= a->shape->ncorners;
  t->feature = name_of(m->first->shape, m->second->shape, which, m->turned);
  return 1;
}

/* So that n goes from b to a. */
static void put_in_order(const meeting *m, ns_touch *t)
{
  if (!m->turned) return;
  exchange(t->p1, t->p2);
  for (int i = 0; i < 3; i++) t->n[i] = -t->n[i];
}

int ns_gap_touch(const ns_placed *a, const ns_placed *b, int which, int region, ns_touch *t)
{
  meeting m;
  if (is_crossing(a, b, which)) {
    touch_crossing(a, b, region, t);
    return 1;
  }
  if (!meet(a, b, which, region, &m, t)) return 0;
  put_in_order(&m, t);
  return 1;
}

/* ---- rates ----------------------------------------------------------------------------------- */

static void velocity_at(const ns_twist *of, const double *x, double *v)
{
  double arm[3], turn[3];
  ns_sub3(x, of->x, arm);
  ns_cross3(of->w, arm, turn);
  ns_axpy3(of->v, 1, turn, v);
}

static void without(const double *n, double *v) { ns_axpy3(v, -ns_dot3(n, v), n, v); }

/* What the nearest point of a shape moves on, in a region: a line along u, a circle about the axis
 * u, both in its axes. */
typedef enum core { FLAT_CORE, LINE, POINT, CIRCLE } core;

static core core_of_polytope(const ns_polytope *p, int region, double *u)
{
  ns_edge k;
  if (region < p->nfaces) return FLAT_CORE;
  if (region >= p->nfaces + p->nedges) return POINT;
  ns_edge_of(p, region - p->nfaces, NULL, &k);
  memcpy(u, k.u, sizeof k.u);
  return LINE;
}

static core core_of(const ns_shape *s, int region, double *u)
{
  u[0] = u[1] = 0;
  u[2] = 1;
  switch (s->kind) {
  case NS_SHAPE_PLANE: return FLAT_CORE;
  case NS_SHAPE_POLYGON: return region < s->ncorners ? FLAT_CORE : POINT;
  case NS_SHAPE_CHAIN: return region == 0 ? FLAT_CORE : POINT;
  case NS_SHAPE_CAPSULE: return region == 0 ? LINE : POINT;
  case NS_SHAPE_CYLINDER:
    if (region == SIDE) return LINE; /* round about its axis */
    return region < RIMS ? FLAT_CORE : CIRCLE;
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL: return core_of_polytope(s->polytope, region, u);
  default: return POINT;
  }
}

/* On a circle about the axis u the nearest point goes along as x goes round: what is left of its
 * velocity past is as if it did not. */
static void slide_round(const meeting *m, const double *u, double *past)
{
  double arm[3], round[3];
  ns_sub3(m->x, m->second->at, arm);
  without(u, arm);
  double across = ns_unit3(arm);
  ns_cross3(u, arm, round);
  ns_axpy3(past, -ns_dot3(round, past) * m->second->shape->radius / across, round, past);
}

/* Of x from what its normal turns about: the core, of the side of a cylinder its axis. */
static double lever_of(const meeting *m)
{
  const ns_shape *s = m->second->shape;
  return m->distance + (s->kind == NS_SHAPE_CYLINDER && m->region == SIDE ? s->radius : 0);
}

/* Of the unit vector from the core of the second to x, which moves at v: it turns with the second,
 * and as x moves past that. */
static void normal_rate(const meeting *m, const ns_twist *of, const double *n, const double *v,
                        double *rate)
{
  double local[3], u[3], carried[3], past[3];
  core on = core_of(m->second->shape, m->region, local);
  ns_cross3(of->w, n, rate);
  if (on == FLAT_CORE) return;
  ns_mul3(m->second->R, local, u);
  velocity_at(of, m->x, carried);
  ns_sub3(v, carried, past);
  if (on == LINE) without(u, past);
  if (on == CIRCLE) slide_round(m, u, past);
  without(n, past);
  ns_axpy3(rate, 1 / lever_of(m), past, rate);
}

/* Of the lowest point of a rim over the centre of its cap: along -r, r the part of n across the
 * axis. */
static void rim_rate(const meeting *m, const ns_twist *of, const double *n, const double *n_rate,
                     double *rate)
{
  const double *axis = m->first->R + 6;
  double axis_rate[3], r[3], change[3];
  ns_cross3(of->w, axis, axis_rate);
  ns_axpy3(n, -ns_dot3(n, axis), axis, r);
  double across = ns_unit3(r);
  ns_axpy3(n_rate, -(ns_dot3(n_rate, axis) + ns_dot3(n, axis_rate)), axis, change);
  ns_axpy3(change, -ns_dot3(n, axis), axis_rate, change);
  without(r, change);
  ns_axpy3(rate, -m->first->shape->radius / across, change, rate);
  /* the centre of the cap in place of the point on the rim */
  double arm[3], turn[3];
  for (int i = 0; i < 3; i++) arm[i] = m->first->shape->radius * r[i];
  ns_cross3(of->w, arm, turn);
  ns_axpy3(rate, 1, turn, rate);
}

/* Of a vector that is carried along at the rate dv: of its direction n. */
static void direction_rate(const double *dv, const double *n, double length, double *rate)
{
  for (int i = 0; i < 3; i++) rate[i] = length > 0 ? dv[i] / length : 0;
  without(n, rate);
}

/* s' u1 + s u1', and n', from the rates of what they are made of. */
static void rates_of_crossing(const ns_placed *a, const ns_placed *b, int region,
                              const ns_twist *of_a, const ns_twist *of_b, const ns_touch *t,
                              double *at_rate, double *n_rate)
{
  const double *u1 = a->R + 6, *u2 = b->R + 6;
  crossing k;
  double v1[3], v2[3], dw[3], du1[3], du2[3], part[3], dc[3];
  velocity_at(of_a, a->at, v1);
  velocity_at(of_b, b->at, v2);
  ns_sub3(v1, v2, dw);
  memcpy(at_rate, v1, sizeof v1);
  if (region < 0) region = region_of_crossing(a, b);
  if (region != WITHIN || !cross(a, b, &k)) {
    ns_sub3(a->at, b->at, part);
    direction_rate(dw, t->n, ns_norm3(part), n_rate);
    return;
  }
  ns_cross3(of_a->w, u1, du1);
  ns_cross3(of_b->w, u2, du2);
  double dA = ns_dot3(du1, u2) + ns_dot3(u1, du2), D = k.sine * k.sine;
  double dd = ns_dot3(du1, k.w) + ns_dot3(u1, dw), de = ns_dot3(du2, k.w) + ns_dot3(u2, dw);
  double ds = (dA * k.e + k.A * de - dd + 2 * k.A * dA * k.s) / D;
  ns_cross3(du1, u2, dc);
  ns_cross3(u1, du2, part);
  double sign = ns_dot3(k.c, k.n) < 0 ? -1 : 1;
  for (int i = 0; i < 3; i++) dc[i] = sign * (dc[i] + part[i]);
  direction_rate(dc, k.n, k.sine, n_rate);
  ns_axpy3(at_rate, ds, u1, at_rate);
  ns_axpy3(at_rate, k.s, du1, at_rate);
  ns_axpy3(at_rate, -a->shape->radius, n_rate, at_rate);
}

int ns_gap_rates(const ns_placed *a, const ns_placed *b, int which, int region,
                 const ns_twist *of_a, const ns_twist *of_b, ns_touch *t, double *at,
                 double *at_rate, double *n_rate)
{
  meeting m;
  if (is_crossing(a, b, which)) {
    touch_crossing(a, b, region, t);
    memcpy(at, t->p1, sizeof t->p1);
    rates_of_crossing(a, b, region, of_a, of_b, t, at_rate, n_rate);
    return 1;
  }
  if (!meet(a, b, which, region, &m, t)) return 0;
  const ns_twist *first = m.turned ? of_b : of_a, *second = m.turned ? of_a : of_b;
  memcpy(at, t->p1, sizeof t->p1);
  velocity_at(first, m.x, at_rate);
  normal_rate(&m, second, t->n, at_rate, n_rate);
  if (m.first->shape->kind == NS_SHAPE_CYLINDER) rim_rate(&m, first, t->n, n_rate, at_rate);
  ns_axpy3(at_rate, -m.radius, n_rate, at_rate);
  put_in_order(&m, t);
  for (int i = 0; i < 3 && m.turned; i++) n_rate[i] = -n_rate[i];
  return 1;
}
