/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boxes, hulls and polygons with rounded edges: all within r of a core, which is what lies deeper
 * than r under every face of the sharp shape.
 *
 * The solid is the core, a prism on each face, a sector of a cylinder along each edge and a sector
 * of a ball at each corner (Steiner's decomposition). With the unit normals n1, n2 of the faces at
 * an edge and their angle a,
 *
 *   int m = (n1 + n2) tan(a/2) =: w    over the arc of normals,
 *
 * and at a corner with the solid angle W of its normals, from the divergence theorem on that sector
 * of the unit ball, whose flat sides have the edges u (away from the corner) as normals,
 *
 *   int m = -sum a u/2,   int m m^T = W/3 - sum w u^T/3.
 */
#include "collision/shape_rounded.h"

#include "algebra/vector.h"
#include "collision/shape_planar.h"
#include "collision/touch_parts.h"

enum { PARTS = 4 }; /* of a rounded edge in pictures */

/* ---- moments --------------------------------------------------------------------------------- */

/* to += f (x y^T + y x^T)/2 */
static void add_product(double *to, double f, const double *x, const double *y)
{
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) to[i + 3 * j] += f / 2 * (x[i] * y[j] + y[i] * x[j]);
}

/* The arc of normals from n1 to n2: its angle, int m and int m m^T over it. */
typedef struct normals {
  double angle, w[3], Q[9];
} normals;

static void arc_of(const double *n1, const double *n2, normals *o)
{
  double c[3], middle[3], across[3];
  *o = (normals){0};
  ns_cross3(n1, n2, c);
  o->angle = atan2(ns_norm3(c), ns_dot3(n1, n2));
  for (int i = 0; i < 3; i++) {
    middle[i] = n1[i] + n2[i];
    across[i] = n2[i] - n1[i];
    o->w[i] = tan(o->angle / 2) * middle[i];
  }
  ns_unit3(middle);
  ns_unit3(across);
  add_product(o->Q, (o->angle + sin(o->angle)) / 2, middle, middle);
  add_product(o->Q, (o->angle - sin(o->angle)) / 2, across, across);
}

/* A patch of measure A, with int x = first and int x x^T = second over it, times what lies within a
 * sector of normals that ends at the radius: `size` of that sector, its first and second moments.
 */
static void add_sector(ns_moments *m, double A, const double *first, const double *second,
                       double size, const double *w, const double *Q)
{
  m->volume += A * size;
  for (int i = 0; i < 3; i++) m->first[i] += size * first[i] + A * w[i];
  for (int i = 0; i < 9; i++) m->second[i] += size * second[i] + A * Q[i];
  add_product(m->second, 2, first, w);
}

/* The triangle a b c, moved along n up to r. */
static void add_prism(ns_moments *m, const double *a, const double *b, const double *c,
                      const double *n, double r)
{
  double e[3], f[3], cross[3], sum[3], first[3], second[9] = {0}, w[3], Q[9] = {0};
  ns_sub3(b, a, e);
  ns_sub3(c, a, f);
  ns_cross3(e, f, cross);
  double A = ns_norm3(cross) / 2;
  for (int i = 0; i < 3; i++) {
    sum[i] = a[i] + b[i] + c[i];
    first[i] = A * sum[i] / 3;
    w[i] = r * r / 2 * n[i];
  }
  add_product(second, A / 12, sum, sum);
  add_product(second, A / 12, a, a);
  add_product(second, A / 12, b, b);
  add_product(second, A / 12, c, c);
  add_product(Q, r * r * r / 3, n, n);
  add_sector(m, A, first, second, r, w, Q);
}

/* The segment from a to b: int 1, x, x x^T; returns its length. */
static double segment_moments(const double *a, const double *b, double *first, double *second)
{
  double middle[3], d[3];
  ns_sub3(b, a, d);
  double length = ns_norm3(d);
  memset(second, 0, 9 * sizeof *second);
  for (int i = 0; i < 3; i++) {
    middle[i] = (a[i] + b[i]) / 2;
    first[i] = length * middle[i];
  }
  add_product(second, length, middle, middle);
  add_product(second, length / 12, d, d);
  return length;
}

static void add_edge(ns_moments *m, const double *a, const double *b, const normals *o, double r)
{
  double first[3], second[9], w[3], Q[9];
  double length = segment_moments(a, b, first, second);
  for (int i = 0; i < 3; i++) w[i] = r * r * r / 3 * o->w[i];
  for (int i = 0; i < 9; i++) Q[i] = r * r * r * r / 4 * o->Q[i];
  add_sector(m, length, first, second, o->angle * r * r / 2, w, Q);
}

double ns_solid_angle(const double *a, const double *b, const double *c)
{
  double x[3];
  ns_cross3(b, c, x);
  double below = 1 + ns_dot3(a, b) + ns_dot3(b, c) + ns_dot3(c, a);
  return 2 * atan2(ns_dot3(a, x), below);
}

/* Edges at corner v: their arcs, and the solid angle within, by triangles about their mean. */
static void add_corner(ns_moments *m, const ns_polytope *p, int v, const double *origin, double r)
{
  double mean[3] = {0}, at[3], N[3] = {0}, M[9] = {0}, angle = 0, second[9] = {0};
  ns_sub3(p->vertex + 3 * v, origin, at);
  for (int pass = 0; pass < 2; pass++) {
    if (pass) ns_unit3(mean);
    for (int e = 0; e < p->nedges; e++) {
      const int *k = p->edge + 4 * e;
      if (k[0] != v && k[1] != v) continue;
      const double *n1 = p->normal + 3 * k[2], *n2 = p->normal + 3 * k[3];
      if (!pass) {
        ns_axpy3(mean, 1, n1, mean);
        ns_axpy3(mean, 1, n2, mean);
        continue;
      }
      normals o;
      double u[3];
      arc_of(n1, n2, &o);
      ns_sub3(p->vertex + 3 * (k[0] == v ? k[1] : k[0]), p->vertex + 3 * v, u);
      ns_unit3(u);
      ns_axpy3(N, -o.angle / 2, u, N);
      add_product(M, -1.0 / 3, o.w, u);
      angle += fabs(ns_solid_angle(mean, n1, n2));
    }
  }
  for (int i = 0; i < 3; i++) M[4 * i] += angle / 3;
  ns_scale(3, r * r * r * r / 4, N);
  ns_scale(9, r * r * r * r * r / 5, M);
  add_product(second, 1, at, at);
  add_sector(m, 1, at, second, angle * r * r * r / 3, N, M);
}

/* About one of the core's corners, as of sharp ones (polytope.c). */
static void solid_of_hull(const ns_shape *s, ns_moments *m, double *origin)
{
  const ns_polytope *p = s->polytope;
  memcpy(origin, p->vertex, 3 * sizeof *origin);
  for (int f = 0; f < p->nfaces; f++) {
    const int *loop = p->loop + p->first[f];
    int n = p->first[f + 1] - p->first[f];
    for (int i = 1; i + 1 < n; i++) {
      double x[3][3];
      for (int k = 0; k < 3; k++) ns_sub3(p->vertex + 3 * loop[k ? i + k - 1 : 0], origin, x[k]);
      ns_moments_add(m, x[0], x[1], x[2]);
      add_prism(m, x[0], x[1], x[2], p->normal + 3 * f, s->radius);
    }
  }
  for (int e = 0; e < p->nedges; e++) {
    const int *k = p->edge + 4 * e;
    double a[3], b[3];
    normals o;
    arc_of(p->normal + 3 * k[2], p->normal + 3 * k[3], &o);
    ns_sub3(p->vertex + 3 * k[0], origin, a);
    ns_sub3(p->vertex + 3 * k[1], origin, b);
    add_edge(m, a, b, &o, s->radius);
  }
  for (int v = 0; v < p->nvertices; v++) add_corner(m, p, v, origin, s->radius);
}

/* Side k: its ends and its outward normal. */
static double side_of(const ns_shape *s, int k, double *a, double *b, double *n)
{
  for (int i = 0; i < 2; i++) {
    a[i] = s->corner[2 * (k % s->ncorners) + i];
    b[i] = s->corner[2 * ((k + 1) % s->ncorners) + i];
  }
  a[2] = b[2] = n[2] = 0;
  n[0] = b[1] - a[1];
  n[1] = a[0] - b[0];
  return ns_unit3(n);
}

/* Areas in place of volumes. */
static void solid_of_polygon(const ns_shape *s, ns_moments *m, double *origin)
{
  double r = s->radius, area, centre[3], inertia[9], a[3], b[3], n[3], next[3];
  ns_polygon_solid(s->ncorners, s->corner, &area, centre, inertia);
  memcpy(origin, centre, sizeof centre);
  m->volume = area;
  /* int y^2 = Ixx, int x^2 = Iyy, -int x y = Ixy of what has no depth */
  m->second[0] = area * inertia[4];
  m->second[4] = area * inertia[0];
  m->second[1] = m->second[3] = -area * inertia[1];
  for (int k = 0; k < s->ncorners; k++) {
    double first[3], second[9], w[3] = {0}, Q[9] = {0};
    normals o;
    side_of(s, k, a, b, n);
    ns_sub3(a, origin, a);
    ns_sub3(b, origin, b);
    double length = segment_moments(a, b, first, second);
    for (int i = 0; i < 3; i++) w[i] = r * r / 2 * n[i];
    add_product(Q, r * r * r / 3, n, n);
    add_sector(m, length, first, second, r, w, Q);
    side_of(s, k + 1, (double[3]){0}, (double[3]){0}, next);
    arc_of(n, next, &o);
    memset(second, 0, sizeof second);
    add_product(second, 1, b, b);
    for (int i = 0; i < 3; i++) w[i] = r * r * r / 3 * o.w[i];
    for (int i = 0; i < 9; i++) Q[i] = r * r * r * r / 4 * o.Q[i];
    add_sector(m, 1, b, second, o.angle * r * r / 2, w, Q);
  }
}

void ns_rounded_solid(const ns_shape *s, double *volume, double *centre, double *inertia)
{
  ns_moments m = {0};
  double origin[3];
  if (s->polytope) solid_of_hull(s, &m, origin);
  else solid_of_polygon(s, &m, origin);
  ns_moments_solid(&m, volume, centre, inertia);
  ns_axpy3(centre, 1, origin, centre);
}

/* ---- cores ----------------------------------------------------------------------------------- */

static int too_round(ns_ctx *c, const char *at, double r, double depth, const char *what)
{
  return ns_fail(c, NS_MODEL, "%s: attribute rounding is %.10g, expected less than %.10g, %s", at,
                 r, depth, what);
}

static int round_box(ns_shape *s, ns_ctx *c, const char *at, ns_arena *a, double r)
{
  double core[3], min = fmin(s->half[0], fmin(s->half[1], s->half[2]));
  if (!(r < min * (1 - 1e-9)))
    return too_round(c, at, r, min,
                     "half of its shortest edge; use a <Capsule> or <Sphere> for rounder shapes");
  for (int i = 0; i < 3; i++) core[i] = s->half[i] - r;
  s->polytope = ns_polytope_box(a, core);
  s->reach = ns_norm3(core) + r;
  return s->polytope ? NS_OK : ns_nomem(c, "a shape");
}

double ns_polytope_depth(const ns_polytope *p, double *centre)
{
  double volume, inertia[9], depth = INFINITY;
  ns_polytope_solid(p, &volume, centre, inertia);
  for (int f = 0; f < p->nfaces; f++)
    depth = fmin(depth, p->offset[f] - ns_dot3(p->normal + 3 * f, centre));
  return depth;
}

/* Where moved planes meet: seen from a point between them, that which has n.x = d stands for the
 * point n/d, and corners for the faces of their hull. */
int ns_polytope_moved(ns_ctx *c, const char *at, ns_arena *a, const ns_polytope *p, double r,
                      ns_polytope **core)
{
  double centre[3], depth = ns_polytope_depth(p, centre);
  ns_polytope *dual;
  if (!(r < depth * (1 - 1e-6)))
    return too_round(c, at, r, depth, "the distance of its centre from the nearest face");
  double *x = ns_arena_get(a, 3 * (size_t)p->nfaces, sizeof *x);
  if (!x) return ns_nomem(c, "a shape");
  for (int f = 0; f < p->nfaces; f++) {
    const double *n = p->normal + 3 * f;
    double d = p->offset[f] - r - ns_dot3(n, centre);
    for (int i = 0; i < 3; i++) x[3 * f + i] = (depth - r) / d * n[i];
  }
  int rc = ns_polytope_hull(c, at, a, p->nfaces, x, &dual);
  double *corner = rc ? NULL : ns_arena_get(a, 3 * (size_t)dual->nfaces, sizeof *corner);
  if (!corner) return rc ? rc : ns_nomem(c, "a shape");
  for (int f = 0; f < dual->nfaces; f++)
    ns_axpy3(centre, (depth - r) / dual->offset[f], dual->normal + 3 * f, corner + 3 * f);
  return ns_polytope_hull(c, at, a, dual->nfaces, corner, core);
}

static int round_hull(ns_shape *s, ns_ctx *c, const char *at, ns_arena *a, double r)
{
  ns_polytope *core;
  int rc = ns_polytope_moved(c, at, a, s->polytope, r, &core);
  if (rc) return rc;
  ns_shape_hull(s, core);
  s->reach += r;
  return NS_OK;
}

/* What of a polygon is on the inner side of n.x = d. */
static int cut(int n, const double *x, const double *normal, double d, double slack, double *to)
{
  int m = 0;
  for (int i = 0; i < n; i++) {
    const double *a = x + 2 * i, *b = x + 2 * ((i + 1) % n);
    double s = normal[0] * a[0] + normal[1] * a[1] - d, t = normal[0] * b[0] + normal[1] * b[1] - d;
    if (s <= slack) memcpy(to + 2 * m++, a, 2 * sizeof *to);
    if ((s < -slack && t > slack) || (s > slack && t < -slack)) {
      for (int k = 0; k < 2; k++) to[2 * m + k] = a[k] + s / (s - t) * (b[k] - a[k]);
      m++;
    }
  }
  return m;
}

static int round_polygon(ns_shape *s, ns_ctx *c, const char *at, ns_arena *a, double r)
{
  double buffer[2][4 * NS_POLYTOPE_CORNERS], area, centre[3], inertia[9], depth = INFINITY;
  double x[3], y[3], normal[3];
  int n = s->ncorners, from = 0;
  ns_polygon_solid(n, s->corner, &area, centre, inertia);
  memcpy(buffer[0], s->corner, 2 * (size_t)n * sizeof **buffer);
  for (int k = 0; k < s->ncorners; k++) {
    side_of(s, k, x, y, normal);
    double d = ns_dot3(normal, x);
    depth = fmin(depth, d - ns_dot3(normal, centre));
    n = cut(n, buffer[from], normal, d - r, 1e-12 * s->reach, buffer[!from]);
    from = !from;
  }
  if (!(r < depth * (1 - 1e-9)) || n < 3)
    return too_round(c, at, r, depth, "the distance of its centre from the nearest side");
  int rc = ns_shape_polygon(s, c, at, a, n, buffer[from]);
  s->radius = r;
  s->reach += r;
  return rc;
}

int ns_shape_round(ns_shape *s, ns_ctx *c, const char *at, ns_arena *a, double r)
{
  int rc = s->kind == NS_SHAPE_BOX    ? round_box(s, c, at, a, r)
           : s->kind == NS_SHAPE_HULL ? round_hull(s, c, at, a, r)
                                      : round_polygon(s, c, at, a, r);
  s->radius = r;
  return rc;
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* x + r times the direction at t of 0..1 from n1 to n2. */
static void put_bent(const double *x, double r, const double *n1, const double *n2, double t,
                     double *to)
{
  double n[3], c[3];
  ns_cross3(n1, n2, c);
  double angle = atan2(ns_norm3(c), ns_dot3(n1, n2)), across = sin(angle);
  double f = across > 0 ? sin((1 - t) * angle) / across : 1,
         g = across > 0 ? sin(t * angle) / across : 0;
  for (int i = 0; i < 3; i++) n[i] = f * n1[i] + g * n2[i];
  ns_axpy3(x, r, n, to);
}

int ns_shape_facets(const ns_shape *s, ns_ctx *c, ns_arena *a, ns_polytope **out)
{
  const ns_polytope *p = s->polytope;
  double *x = ns_arena_get(a, (size_t)(p->nedges * 2 * (PARTS + 1)), 3 * sizeof *x);
  int n = 0;
  if (!x) return ns_nomem(c, "a shape");
  for (int e = 0; e < p->nedges; e++)
    for (int k = 0; k < 2 * (PARTS + 1); k++, n++)
      put_bent(p->vertex + 3 * p->edge[4 * e + k % 2], s->radius,
               p->normal + 3 * p->edge[4 * e + 2], p->normal + 3 * p->edge[4 * e + 3],
               (double)(k / 2) / PARTS, x + 3 * n);
  return ns_polytope_hull(c, "a rounded shape", a, n, x, out);
}

int ns_shape_outline(const ns_shape *s, double *corner)
{
  int parts = s->radius > 0 ? PARTS + 1 : 1;
  for (int k = 0; k < s->ncorners && corner; k++) {
    double a[3], b[3], n[3], before[3], x[3];
    side_of(s, k + s->ncorners - 1, a, b, before);
    side_of(s, k, a, b, n);
    for (int i = 0; i < parts; i++) {
      put_bent(a, s->radius, before, n, parts > 1 ? (double)i / PARTS : 0, x);
      memcpy(corner + 2 * (parts * k + i), x, 2 * sizeof *x);
    }
  }
  return parts * s->ncorners;
}
