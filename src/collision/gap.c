/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/gap_parts.h"

#include "collision/touch_cylinder.h"

#include <math.h>
#include <string.h>

static const double FLAT =
    NS_RIM_LEANS; /* sine of the tilt of a cap, up to which it lies flat on a plane */
static const double KNOWN = 1e-9; /* the same of one whose lowest point is not known */
enum { ENDS = 2 };                /* of a capsule */
enum { BACK = 1 << 28 };          /* region of a vertex of a mesh that the body has not before it */
enum { BESIDE = 1 }; /* region of a corner of a polygon and a link that it is not over */
enum {
  LOWEST = 8,
  FIXED = 64
}; /* names of the lowest point of a rim (touch_cylinder.c), of the first of those fixed */
enum {
  RIM = 16,
  TURNS = 1 << 30
  /* points fixed about a rim; directions that they may begin in: regions; in the next they stand
     back */
};
static const double TURN = 6.28318530717958647692;
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
  case NS_SHAPE_MESH: return NS_ABOUT_TRIANGLE;
  default: return 0;
  }
}

int ns_gap_points_of(const ns_shape *s)
{
  switch (s->kind) {
  case NS_SHAPE_SPHERE:
  case NS_SHAPE_DISK: return 1;
  case NS_SHAPE_CAPSULE: return 2;
  case NS_SHAPE_CYLINDER: return 2 * (1 + RIM); /* of either rim the lowest; fixed ones */
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL: return s->polytope->nvertices;
  case NS_SHAPE_POLYGON: return s->ncorners;
  default: return 0;
  }
}

/* A cap may lie flat on the other. */
static int has_rims(const ns_shape *a, const ns_shape *b)
{
  return a->kind == NS_SHAPE_CYLINDER && b->kind == NS_SHAPE_PLANE;
}

static int is_capsule(const ns_shape *s) { return s->kind == NS_SHAPE_CAPSULE; }
static int is_polygon(const ns_shape *s) { return s->kind == NS_SHAPE_POLYGON; }
static int is_mesh(const ns_shape *s) { return s->kind == NS_SHAPE_MESH; }
static int is_chain(const ns_shape *s) { return s->kind == NS_SHAPE_CHAIN; }
static int links_of(const ns_shape *s) { return s->ncorners - !s->closed; }

/* The second of a pair is what the first has points for. */
static int is_in_order(const ns_shape *a, const ns_shape *b)
{
  if (b->kind == NS_SHAPE_PLANE) return 1;
  return is_ball(a) && a->kind != NS_SHAPE_PLANE && (!is_ball(b) || b->kind == a->kind);
}

static int gaps_in_order(const ns_shape *a, const ns_shape *b)
{
  if (b->kind == NS_SHAPE_PLANE) return ns_gap_points_of(a);
  if (is_chain(b)) return is_ball(a) ? links_of(b) : 0;
  if (b->kind == NS_SHAPE_MESH) return is_ball(a) ? b->mesh->ntriangles : 0;
  return is_ball(a) && regions_about(b) ? 1 : 0;
}

/* ---- which parts of them --------------------------------------------------------------------- */

/* Both have points for the other, and some may have edges that cross. */
static int are_mutual(const ns_shape *a, const ns_shape *b)
{
  if (is_polygon(a)) return is_polygon(b) || is_chain(b);
  if (is_chain(a)) return is_polygon(b);
  if (ns_gap_is_on_mesh(a, b)) return 1;
  return (is_capsule(a) || a->polytope) && (is_capsule(b) || b->polytope);
}

/* Gaps of the points of the one about the other: a corner has one for each link. */
static int points_about(const ns_shape *of, const ns_shape *other)
{
  if (is_chain(of)) return of->ncorners;
  return ns_gap_points_of(of) * (is_chain(other) ? links_of(other) : 1);
}

/* Axes or edges of a that cross edges of b, a gap for each of their colours. */
static int crossings_with(const ns_shape *a, const ns_shape *b)
{
  return ns_crossing_regions(a) * ns_crossing_colours(b);
}

/* Either way round, whichever takes fewer. */
static int second_crosses(const ns_shape *a, const ns_shape *b)
{
  return crossings_with(b, a) < crossings_with(a, b);
}

static int crossings_of(const ns_shape *a, const ns_shape *b)
{
  if (is_polygon(a) || is_polygon(b)) return 0;
  return second_crosses(a, b) ? crossings_with(b, a) : crossings_with(a, b);
}

/* A body and a mesh in any order, and how many points and rods the body has. */
typedef struct on_mesh {
  const ns_mesh *mesh;
  int points, rods;
} on_mesh;

static on_mesh body_on_mesh(const ns_shape *a, const ns_shape *b)
{
  const ns_shape *body = is_mesh(a) ? b : a;
  return (on_mesh){.mesh = (is_mesh(a) ? a : b)->mesh,
                   .points = ns_gap_points_of(body),
                   .rods = ns_crossing_regions(body)};
}

/* Gaps of a body and a mesh are numbered as if the body was the first. */
static ns_gap_part part_on_mesh(const ns_shape *a, const ns_shape *b, int which)
{
  on_mesh k = body_on_mesh(a, b);
  ns_gap_part p = ns_mesh_gap_part(k.mesh, k.points, k.rods, which);
  if (is_mesh(a)) p.turned = !p.turned;
  return p;
}

static ns_gap_part part_of(const ns_shape *a, const ns_shape *b, int which)
{
  if (ns_gap_is_on_mesh(a, b)) return part_on_mesh(a, b, which);
  ns_gap_part p = {.turned = !is_in_order(a, b)};
  if (!are_mutual(a, b)) {
    p.index = p.link = which; /* of one of these the pair has several */
    return p;
  }
  int mine = points_about(a, b), its = points_about(b, a);
  p.crosses = which >= mine + its;
  p.turned = p.crosses ? second_crosses(a, b) : which >= mine;
  p.index = which - (p.crosses ? mine + its : p.turned ? mine : 0);
  if (p.crosses) {
    int colours = ns_crossing_colours(p.turned ? a : b);
    p.colour = p.index % colours;
    p.index /= colours;
  } else if (is_chain(p.turned ? a : b)) {
    int n = ns_gap_points_of(p.turned ? b : a);
    p.link = p.index / n;
    p.index %= n;
  }
  return p;
}

int ns_gaps_of(const ns_shape *a, const ns_shape *b)
{
  if (ns_gap_is_on_mesh(a, b)) {
    on_mesh k = body_on_mesh(a, b);
    return ns_mesh_gaps_of(k.mesh, k.points, k.rods);
  }
  if (are_mutual(a, b)) return points_about(a, b) + points_about(b, a) + crossings_of(a, b);
  if (is_in_order(a, b)) return gaps_in_order(a, b);
  return is_in_order(b, a) ? gaps_in_order(b, a) : 0;
}

int ns_gap_is_used(const ns_shape *a, const ns_shape *b, int which)
{
  if (!ns_gap_is_on_mesh(a, b)) return 1;
  ns_gap_part p = part_on_mesh(a, b, which);
  return ns_mesh_gap_is_used(body_on_mesh(a, b).mesh, &p);
}

int ns_gaps_in_use(const ns_shape *a, const ns_shape *b)
{
  if (!ns_gap_is_on_mesh(a, b)) return ns_gaps_of(a, b);
  on_mesh k = body_on_mesh(a, b);
  return ns_mesh_gaps_in_use(k.mesh, k.points, k.rods);
}

static int is_rounded(const ns_shape *s) { return (s->polytope || is_polygon(s)) && s->radius > 0; }

int ns_gap_is_sharp(const ns_shape *a, const ns_shape *b)
{
  int round = is_capsule(a) || is_capsule(b) || is_rounded(a) || is_rounded(b);
  return are_mutual(a, b) && !round;
}

/* Of two round ones, points of the second, and corners about a capsule: another gap stands in for
 * them where they are not beside an axis, or are nearest to a corner. */
static int may_stand_back(const ns_shape *a, const ns_shape *b, const ns_gap_part *p)
{
  const ns_shape *of = p->turned ? b : a, *other = p->turned ? a : b;
  if (!are_mutual(a, b) || p->crosses || ns_gap_is_sharp(a, b)) return 0;
  if (is_chain(a) || is_chain(b) || is_mesh(other)) return 0;
  if (is_mesh(of)) return 1;
  if (is_capsule(other)) return p->turned || of->polytope;
  return p->turned && !is_capsule(of);
}

static int stands_back(const ns_shape *a, const ns_shape *b, const ns_gap_part *p, int region)
{
  const ns_shape *other = p->turned ? a : b;
  if (is_mesh(other) && are_mutual(a, b)) return region == NS_BEHIND;
  if (is_mesh(p->turned ? b : a) && region == BACK) return 1;
  if (!may_stand_back(a, b, p)) return 0;
  if (is_capsule(other)) return region != 0;
  int corners = is_polygon(other) ? other->ncorners
                                  : other->polytope->nfaces + other->polytope->nedges;
  return region >= corners;
}

/* A corner of a polygon and a link that it may be beside. */
static int is_about_link(const ns_shape *a, const ns_shape *b, const ns_gap_part *p)
{
  return are_mutual(a, b) && is_chain(p->turned ? a : b);
}

int ns_gap_may_end(const ns_shape *a, const ns_shape *b) { return are_mutual(a, b); }

int ns_gaps_are_rims(const ns_shape *a, const ns_shape *b)
{
  return has_rims(a, b) || has_rims(b, a);
}

int ns_gap_ends(const ns_shape *a, const ns_shape *b, int which)
{
  ns_gap_part p = part_of(a, b, which);
  if (!are_mutual(a, b)) return ns_gaps_are_rims(a, b);
  return ns_gap_is_sharp(a, b) || p.crosses || may_stand_back(a, b, &p) || is_about_link(a, b, &p);
}

int ns_gap_regions(const ns_shape *a, const ns_shape *b)
{
  if (ns_gaps_are_rims(a, b)) return 2; /* more than one */
  if (are_mutual(a, b) && !is_capsule(b)) return 2;
  return regions_about(is_in_order(a, b) ? b : a);
}

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
static double side_of(const ns_shape *s, int k, double *a, double *u)
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
  double length = side_of(s, region % n, a, u);
  ns_sub3(x, a, d);
  double along = ns_dot3(d, u);
  if (region < n) return fmin(along, length - along);
  length = side_of(s, (region + n - 1) % n, before, u); /* that ends at the corner */
  return fmin(-along, ns_dot3(d, u));
}

static int region_of_polygon(const ns_shape *s, const double *x)
{
  double max = -INFINITY, a[3], u[3], d[3];
  int n = s->ncorners, best = 0;
  for (int k = 0; k < n; k++) {
    side_of(s, k, a, u);
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
  double a[3], u[3], d[3], length = side_of(s, link, a, u);
  ns_sub3(x, a, d);
  double along = ns_dot3(d, u);
  return along < 0 ? 1 : 2 * (along > length);
}

static double clearance_of_link(const ns_shape *s, int link, int region, const double *x)
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
  case NS_SHAPE_MESH: return ns_triangle_region(s->mesh, which, x);
  default: return 0;
  }
}

static double clearance_about(const ns_shape *s, int which, int region, const double *x)
{
  switch (s->kind) {
  case NS_SHAPE_CAPSULE:
    if (region == 0) return s->half[2] - fabs(x[2]);
    return (region == 1 ? -x[2] : x[2]) - s->half[2];
  case NS_SHAPE_CYLINDER: return clearance_of_cylinder(s, region, x);
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
  side_of(s, region % s->ncorners, y, u);
  if (region < s->ncorners)
    ns_gap_from_plane((double[]){y[0], y[1], 0}, (double[]){u[1], -u[0], 0}, x, y, n);
  else ns_gap_from_point(s, y, x, n);
}

/* About its core: the surface of a cylinder is its own. */
static double radius_of(const ns_shape *s) { return s->kind == NS_SHAPE_CYLINDER ? 0 : s->radius; }

/* Nearest point y of the core of a shape, about which it has its radius, and the unit vector n from
 * there to x. */
static void nearest(const ns_shape *s, int which, int region, const double *x, double *y, double *n)
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
  case NS_SHAPE_CAPSULE:
    y[2] = region == 0 ? x[2] : (region == 1 ? -1 : 1) * s->half[2];
    ns_gap_from_point(s, y, x, n);
    return;
  default: ns_gap_from_point(s, y, x, n);
  }
}

/* ---- points of a shape ----------------------------------------------------------------------- */

/* Sine of the tilt of the caps of a over the plane b, in the direction *r that they lean in, of
 * unit length, across the axis. */
static double tilt_of(const ns_placed *a, const ns_placed *b, double *r)
{
  const double *axis = a->R + 6, *normal = b->R + 6;
  ns_axpy3(normal, -ns_dot3(normal, axis), axis, r);
  return ns_unit3(r);
}

/* Where the fixed points of a rim begin, as a part of TURNS: the middle of a side at its lowest
 * point, where one is known. A cap that comes to lie flat has been on that one, and in a plane of
 * motion comes down on the one across. */
static int rim_begins(const ns_placed *a, const ns_placed *b)
{
  double r[3];
  if (tilt_of(a, b, r) < KNOWN) return 0;
  double turn = atan2(-ns_dot3(a->R + 3, r), -ns_dot3(a->R, r)) / TURN;
  return (int)(TURNS * (turn - floor(turn))) % TURNS;
}

/* Point `which` of the rims of a for the plane b, `region` as region_of_rim. The fixed ones are
 * corners of a polygon about the rim: a cap that tilts over a side of it goes on upon the rim
 * without a step, and over a corner comes down on that. */
static void on_rim(const ns_placed *a, const ns_placed *b, int which, int region, double *x)
{
  const ns_shape *s = a->shape;
  int cap = which < 2 ? which : (which - 2) / RIM;
  double corner = ((which - 2) % RIM + 0.5) / RIM + region / (double)TURNS;
  double down[3], radius = s->radius / cos(TURN / (2 * RIM));
  ns_axpy3(a->at, (cap ? 1 : -1) * s->half[2], a->R + 6, x);
  if (which < 2) {
    if (tilt_of(a, b, down) >= KNOWN) ns_axpy3(x, -s->radius, down, x);
    return;
  }
  ns_axpy3(x, radius * cos(TURN * corner), a->R, x);
  ns_axpy3(x, radius * sin(TURN * corner), a->R + 3, x);
}

/* The lowest point where the cap is tilted, the fixed ones where it lies flat; else they stand
 * back. These begin where they did. */
static int region_of_rim(const ns_placed *a, const ns_placed *b, int which, int was)
{
  double r[3];
  int flat = tilt_of(a, b, r) < FLAT;
  if (which < 2) return flat ? TURNS : 0;
  if (!flat) return TURNS;
  if (was < 0 || was == TURNS) return rim_begins(a, b);
  return was;
}

static double clearance_of_rim(const ns_placed *a, const ns_placed *b, int which, int region)
{
  double r[3], over = a->shape->radius * (tilt_of(a, b, r) - FLAT);
  if (region == TURNS) return INFINITY;
  return which < 2 ? over : -over;
}

void ns_gap_point_of(const ns_placed *a, int which, double *x, double *radius)
{
  const ns_shape *s = a->shape;
  const double *axis = a->R + 6;
  switch (s->kind) {
  case NS_SHAPE_BOX:
  case NS_SHAPE_HULL: ns_placed_out(a, s->polytope->vertex + 3 * which, x); break;
  case NS_SHAPE_POLYGON:
  case NS_SHAPE_CHAIN:
    ns_placed_out(a, (double[]){s->corner[2 * which], s->corner[2 * which + 1], 0}, x);
    break;
  case NS_SHAPE_CAPSULE: ns_axpy3(a->at, (2 * which - 1) * s->half[2], axis, x); break;
  case NS_SHAPE_MESH: {
    double local[3];
    ns_mesh_vertex(s->mesh, which, local);
    ns_placed_out(a, local, x);
    break;
  }
  default: memcpy(x, a->at, 3 * sizeof *x);
  }
  *radius = s->radius;
}

/* Of the end or corner of a body and a patch, or a vertex. */
static uint64_t name_on_mesh(const ns_shape *of, const ns_shape *other, const ns_gap_part *p)
{
  int kind = NS_MEET_CORNER_1, index = p->index;
  if (is_capsule(of)) kind = NS_MEET_RIM_1;
  int its = is_mesh(of) ? 0 : other->mesh->patch[p->link];
  if (p->turned) return ns_feature(kind + 1, its, index);
  return ns_feature(kind, index, its);
}

/* As the touches of the pair are named. */
static uint64_t name_of(const ns_shape *of, const ns_shape *other, const ns_gap_part *p)
{
  if (ns_gap_is_on_mesh(of, other)) return name_on_mesh(of, other, p);
  int corner = is_polygon(of) || (is_chain(of) && is_polygon(other)) ||
               (of->polytope && other->polytope);
  if (corner)
    return p->turned ? ns_feature(NS_MEET_CORNER_2, 0, p->index)
                     : ns_feature(NS_MEET_CORNER_1, p->index, 0);
  if (is_chain(other))
    return p->turned ? ns_feature(NS_MEET_CORNER_2, p->link + 1, 0)
                     : ns_feature(NS_MEET_CORNER_1, 0, p->link + 1);
  if (of->kind == NS_SHAPE_CYLINDER && p->index < 2) return (uint64_t)(16 * p->index + LOWEST);
  if (of->kind == NS_SHAPE_CYLINDER) return (uint64_t)(FIXED + p->index - 2);
  return (uint64_t)p->index;
}

/* A point of one shape about another. */
typedef struct meeting {
  const ns_placed *first, *second;
  ns_gap_part part;
  int region;
  double x[3], radius, distance; /* of x, in the world, from the core of the second */
  double local[3];               /* x in the axes of the second */
} meeting;

/* ---- corners about polygons and polyhedra ---------------------------------------------------- */

static const double SLACK = 1e-10; /* by its reach: a corner so near to a side is on it */
static const double DEEP = 1e-6;   /* the same: as near as the nearest, */
static const double DEEPER = 4;    /* or by how far it is behind that */

static int sides_of(const ns_shape *s) { return is_polygon(s) ? s->ncorners : s->polytope->nfaces; }

/* Outward unit normal of side k, which returns its distance from the origin. */
static double normal_of_side(const ns_shape *s, int k, double *n)
{
  double a[3], u[3];
  if (!is_polygon(s)) {
    memcpy(n, s->polytope->normal + 3 * k, 3 * sizeof *n);
    return s->polytope->offset[k];
  }
  side_of(s, k, a, u);
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
  if (!is_mesh(s)) return s->polytope ? s->polytope->nvertices : s->ncorners;
  return 1 + ns_mesh_ring(s->mesh, at, of_field, ring);
}

/* How far side k of the second parts it from the first, there. */
static double parts(const ns_placed *first, int at, const ns_placed *second, int k)
{
  double min = INFINITY, n[3], world[3], along[3], arm[3];
  double offset = normal_of_side(second->shape, k, n);
  const int *ring = NULL;
  int of_field[6], corners = corners_at(first->shape, at, &ring, of_field);
  ns_mul3(second->R, n, world);
  ns_mul3t(first->R, world, along);
  ns_sub3(first->at, second->at, arm);
  for (int i = 0; i < corners; i++) {
    double x[3];
    if (is_mesh(first->shape)) ns_mesh_vertex(first->shape->mesh, i ? ring[i - 1] : at, x);
    else corner_of(first->shape, i, x);
    min = fmin(min, ns_dot3(along, x));
  }
  return min + ns_dot3(world, arm) - offset;
}

/* ---- links of chains as a polygon sees them -------------------------------------------------- */

/* In the world: begin, unit vector along it, unit normal towards the middle of the polygon. */
typedef struct line {
  double a[3], u[3], n[3], length;
} line;

static void line_of_link(const ns_placed *chain, int link, const ns_placed *polygon, line *l)
{
  const ns_shape *s = polygon->shape;
  double a[3], u[3], middle[3] = {0}, x[3], d[3];
  l->length = side_of(chain->shape, link, a, u);
  ns_placed_out(chain, a, l->a);
  ns_mul3(chain->R, u, l->u);
  for (int i = 0; i < 2 * s->ncorners; i++) middle[i % 2] += s->corner[i] / s->ncorners;
  ns_placed_out(polygon, middle, x);
  ns_sub3(x, l->a, d);
  double side = l->u[1] * d[0] - l->u[0] * d[1] < 0 ? -1 : 1;
  l->n[0] = side * l->u[1], l->n[1] = -side * l->u[0], l->n[2] = 0;
}

/* Some side of the polygon parts the two. */
static int is_apart(const ns_placed *polygon, const line *l)
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
static int region_of_corner(const ns_placed *polygon, const line *l, const double *x)
{
  double d[3];
  ns_sub3(x, l->a, d);
  double along = ns_dot3(d, l->u), y = ns_dot3(d, l->n);
  if (along < 0 || along > l->length) return BESIDE;
  return y < -SLACK * polygon->shape->reach && is_apart(polygon, l) ? BESIDE : 0;
}

/* Normals of the links at corner i of a chain, towards the middle of the second, added up, in the
 * axes of that. */
static void normals_at_corner(const ns_placed *chain, int i, const ns_placed *second, double *sum)
{
  const ns_shape *s = chain->shape;
  double out[3] = {0};
  for (int k = 0; k < 2; k++) {
    int link = (i + s->ncorners - 1 + k) % s->ncorners;
    line l;
    if (link == links_of(s)) continue; /* there is none */
    line_of_link(chain, link, second, &l);
    ns_axpy3(out, 1, l.n, out);
  }
  ns_mul3t(second->R, out, sum);
}

/* The side of the second that its corner is on where it is on several, none of which it is beyond
 * by more than `max` <= 0: that which parts the two most. A chain goes on beyond the second: there
 * of the sides that are about as near that which is most along its links. */
static int side_between(const meeting *m, double max)
{
  const ns_shape *s = m->second->shape;
  double best_by = -INFINITY, sum[3] = {0}, min = DEEPER * max - DEEP * s->reach;
  int best = 0, of_chain = is_chain(m->first->shape);
  if (of_chain) normals_at_corner(m->first, m->part.index, m->second, sum);
  for (int k = 0; k < sides_of(s); k++) {
    double n[3];
    normal_of_side(s, k, n);
    if (of_chain && beyond_side(s, k, m->local) < min) continue;
    double by = of_chain ? -ns_dot3(n, sum) : parts(m->first, m->part.index, m->second, k);
    if (by > best_by) best_by = by, best = k;
  }
  return best;
}

/* The side of the second that the corner is the farthest from. */
static int side_for_corner(const meeting *m)
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

/* ---- where a point is ------------------------------------------------------------------------ */

/* The polygon and link of it, if these are what meets. */
static int is_on_link(const meeting *m)
{
  return is_polygon(m->first->shape) && is_chain(m->second->shape);
}

static int has_sides(const meeting *m)
{
  const ns_shape *s = m->second->shape;
  return ns_gap_is_sharp(m->first->shape, s) && !is_chain(s) && !is_mesh(s);
}

static int is_on_rim(const meeting *m) { return has_rims(m->first->shape, m->second->shape); }

/* A body and a mesh: the first of them has the point. */
static int is_over_triangle(const meeting *m)
{
  return is_mesh(m->second->shape) && ns_gap_is_on_mesh(m->first->shape, m->second->shape);
}

static int region_over_triangle(const meeting *m)
{
  const ns_shape *body = m->first->shape, *mesh = m->second->shape;
  double world[3], middle[3];
  ns_gap_middle(m->first, world);
  ns_placed_in(m->second, world, middle);
  return ns_mesh_point_region(mesh->mesh, m->part.link, m->local, middle,
                              ns_gap_is_sharp(body, mesh), body->reach);
}

/* A vertex of a mesh that is near a body whose middle is behind it is not met. */
static int is_vertex_behind(const meeting *m)
{
  double world[3], middle[3];
  if (!is_mesh(m->first->shape) || ns_norm3(m->local) > m->second->shape->reach) return 0;
  ns_gap_middle(m->second, world);
  ns_placed_in(m->first, world, middle);
  return !ns_mesh_is_before(m->first->shape->mesh, m->part.index, middle);
}

static int region_of(const meeting *m, int was)
{
  line l;
  if (is_over_triangle(m)) return region_over_triangle(m);
  if (is_vertex_behind(m)) return BACK;
  if (is_on_rim(m)) return region_of_rim(m->first, m->second, m->part.index, was);
  if (has_sides(m)) return side_for_corner(m);
  if (!is_on_link(m)) return region_about(m->second->shape, m->part.link, m->local);
  line_of_link(m->second, m->part.link, m->first, &l);
  return region_of_corner(m->first, &l, m->x);
}

/* Which shape has the point of a gap, where that is, and in which region: whichever, where that is
 * < 0. */
static void arrange(const ns_placed *a, const ns_placed *b, const ns_gap_part *part, int region,
                    meeting *m)
{
  *m = (meeting){.first = part->turned ? b : a,
                 .second = part->turned ? a : b,
                 .part = *part,
                 .region = region};
  if (!is_on_rim(m)) {
    ns_gap_point_of(m->first, part->index, m->x, &m->radius);
    ns_placed_in(m->second, m->x, m->local);
  }
  if (region < 0) m->region = region_of(m, 0);
  if (!is_on_rim(m)) return;
  on_rim(m->first, m->second, part->index, m->region, m->x);
  ns_placed_in(m->second, m->x, m->local);
}

int ns_gap_region(const ns_placed *a, const ns_placed *b, int which, int was)
{
  if (which == NS_NO_GAP) return 0;
  ns_gap_part p = part_of(a->shape, b->shape, which);
  meeting m;
  if (p.crosses) return ns_crossing_region(p.turned ? b : a, p.turned ? a : b, &p);
  arrange(a, b, &p, 0, &m);
  return region_of(&m, was);
}

double ns_gap_clearance(const ns_placed *a, const ns_placed *b, int which, int region)
{
  if (which == NS_NO_GAP) return INFINITY;
  ns_gap_part p = part_of(a->shape, b->shape, which);
  meeting m;
  if (p.crosses) return ns_crossing_clearance(p.turned ? b : a, p.turned ? a : b, &p, region);
  arrange(a, b, &p, region, &m);
  if (is_on_rim(&m)) return clearance_of_rim(m.first, m.second, p.index, region);
  if (is_on_link(&m) && region == BESIDE) return INFINITY;
  if (region == BACK) return INFINITY;
  return clearance_about(m.second->shape, p.link, region, m.local);
}

void ns_gap_between_centres(const ns_placed *a, const ns_placed *b, ns_touch *t)
{
  memcpy(t->p1, a->at, sizeof t->p1);
  memcpy(t->p2, b->at, sizeof t->p2);
  ns_sub3(t->p1, t->p2, t->n);
  double apart = ns_unit3(t->n);
  if (apart == 0) t->n[b->shape->ncorners ? 1 : 2] = 1;
  t->gap = apart + a->shape->reach + b->shape->reach;
}

static void exchange(double *p, double *q)
{
  double t[3];
  memcpy(t, p, sizeof t);
  memcpy(p, q, sizeof t);
  memcpy(q, t, sizeof t);
}

/* Normal and nearest point of the link, which the corner of a polygon may be behind. */
static void onto_link(const meeting *m, ns_touch *t)
{
  line l;
  line_of_link(m->second, m->part.link, m->first, &l);
  memcpy(t->n, l.n, sizeof t->n);
  double d[3];
  ns_sub3(m->x, l.a, d);
  ns_axpy3(m->x, -ns_dot3(l.n, d), l.n, t->p2);
}

static void onto_core(const meeting *m, ns_touch *t)
{
  double y[3], n[3];
  nearest(m->second->shape, m->part.link, m->region, m->local, y, n);
  ns_placed_out(m->second, y, t->p2);
  ns_mul3(m->second->R, n, t->n);
}

/* As if the first were that of the pair: n from the second to the first. */
static void meet(const ns_placed *a, const ns_placed *b, const ns_gap_part *part, int region,
                 meeting *m, ns_touch *t)
{
  double d[3];
  arrange(a, b, part, region, m);
  if (m->region == BACK) {
    ns_gap_between_centres(m->first, m->second, t);
    t->feature = name_of(m->first->shape, m->second->shape, part);
    return;
  }
  (is_on_link(m) ? onto_link : onto_core)(m, t);
  ns_sub3(m->x, t->p2, d);
  m->distance = ns_dot3(t->n, d);
  ns_axpy3(m->x, -m->radius, t->n, t->p1);
  ns_axpy3(t->p2, radius_of(m->second->shape), t->n, t->p2);
  ns_sub3(t->p1, t->p2, d);
  t->gap = ns_dot3(t->n, d);
  int back = stands_back(a->shape, b->shape, part, m->region);
  int behind = is_mesh(m->second->shape) && m->region == NS_BEHIND;
  if (back || behind || (is_on_link(m) && m->region == BESIDE)) {
    ns_sub3(a->at, b->at, d);
    t->gap = ns_norm3(d) + a->shape->reach + b->shape->reach;
  }
  if (is_on_rim(m) && m->region == TURNS) t->gap = fabs(t->gap) + 4 * m->first->shape->reach;
  t->feature = name_of(m->first->shape, m->second->shape, part);
}

/* So that n goes from b to a. */
static void put_in_order(const ns_gap_part *part, ns_touch *t)
{
  if (!part->turned) return;
  exchange(t->p1, t->p2);
  for (int i = 0; i < 3; i++) t->n[i] = -t->n[i];
}

void ns_gap_touch(const ns_placed *a, const ns_placed *b, int which, int region, ns_touch *t)
{
  if (which == NS_NO_GAP) {
    ns_gap_between_centres(a, b, t);
    t->feature = 0;
    return;
  }
  ns_gap_part p = part_of(a->shape, b->shape, which);
  const ns_placed *first = p.turned ? b : a, *second = p.turned ? a : b;
  meeting m;
  if (p.crosses && region < 0) region = ns_crossing_region(first, second, &p);
  if (p.crosses) ns_crossing_touch(first, second, &p, region, t);
  else meet(a, b, &p, region, &m, t);
  put_in_order(&p, t);
}

/* ---- rates ----------------------------------------------------------------------------------- */

void ns_twist_at(const ns_twist *of, const double *x, double *v)
{
  double arm[3], turn[3];
  ns_sub3(x, of->x, arm);
  ns_cross3(of->w, arm, turn);
  ns_axpy3(of->v, 1, turn, v);
}

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

static core core_of_triangle(const ns_shape *s, int k, int region, double *u)
{
  if (region == 0 || region == NS_BEHIND) return FLAT_CORE;
  return ns_triangle_side(s->mesh, k, region, u) ? LINE : POINT;
}

static core core_of(const ns_shape *s, int which, int region, double *u)
{
  u[0] = u[1] = 0;
  u[2] = 1;
  switch (s->kind) {
  case NS_SHAPE_PLANE: return FLAT_CORE;
  case NS_SHAPE_POLYGON: return region < s->ncorners ? FLAT_CORE : POINT;
  case NS_SHAPE_CHAIN: return region == 0 ? FLAT_CORE : POINT;
  case NS_SHAPE_MESH: return core_of_triangle(s, which, region, u);
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
  ns_without3(u, arm);
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
  core on = is_on_link(m) ? FLAT_CORE : core_of(m->second->shape, m->part.link, m->region, local);
  ns_cross3(of->w, n, rate);
  if (on == FLAT_CORE) return;
  ns_mul3(m->second->R, local, u);
  ns_twist_at(of, m->x, carried);
  ns_sub3(v, carried, past);
  if (on == LINE) ns_without3(u, past);
  if (on == CIRCLE) slide_round(m, u, past);
  ns_without3(n, past);
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
  if (across < KNOWN) return; /* the centre of the cap stands in for it */
  ns_axpy3(n_rate, -(ns_dot3(n_rate, axis) + ns_dot3(n, axis_rate)), axis, change);
  ns_axpy3(change, -ns_dot3(n, axis), axis_rate, change);
  ns_without3(r, change);
  ns_axpy3(rate, -m->first->shape->radius / across, change, rate);
  /* the centre of the cap in place of the point on the rim */
  double arm[3], turn[3];
  for (int i = 0; i < 3; i++) arm[i] = m->first->shape->radius * r[i];
  ns_cross3(of->w, arm, turn);
  ns_axpy3(rate, 1, turn, rate);
}

void ns_gap_rates(const ns_placed *a, const ns_placed *b, int which, int region,
                  const ns_twist *of_a, const ns_twist *of_b, ns_touch *t, double *at,
                  double *at_rate, double *n_rate)
{
  if (which == NS_NO_GAP) {
    ns_gap_touch(a, b, which, region, t);
    ns_gap_rates_between_centres(a, b, of_a, of_b, t, at_rate, n_rate);
    memcpy(at, t->p1, sizeof t->p1);
    return;
  }
  ns_gap_part p = part_of(a->shape, b->shape, which);
  const ns_placed *first = p.turned ? b : a, *second = p.turned ? a : b;
  const ns_twist *of_first = p.turned ? of_b : of_a, *of_second = p.turned ? of_a : of_b;
  meeting m;
  if (p.crosses) {
    if (region < 0) region = ns_crossing_region(first, second, &p);
    ns_crossing_touch(first, second, &p, region, t);
    ns_crossing_rates(first, second, &p, region, of_first, of_second, t, at_rate, n_rate);
  } else {
    meet(a, b, &p, region, &m, t);
    ns_twist_at(of_first, m.x, at_rate);
    normal_rate(&m, of_second, t->n, at_rate, n_rate);
    if (is_on_rim(&m) && p.index < 2) rim_rate(&m, of_first, t->n, n_rate, at_rate);
    ns_axpy3(at_rate, -m.radius, n_rate, at_rate);
  }
  memcpy(at, t->p1, sizeof t->p1);
  put_in_order(&p, t);
  for (int i = 0; i < 3 && p.turned; i++) n_rate[i] = -n_rate[i];
}
