/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rims of cylinders and cones against straight lines - edges of polyhedra, axes with a radius about
 * them - against the sides of cones, and against other rims.
 *
 * A point p = c + R e of a rim, with the tangent t = u x e there, is nearest to a line along w
 * through a where
 *
 *   t.d = 0,   d = (1 - w w^T)(p - a)
 *
 * which stays regular as d vanishes, unless t is along w. With x along the part of w in the plane
 * of the rim, m its length, D = (1 - w w^T)(c - a), e = (cos f, sin f):
 *
 *   |d|^2 = |D|^2 + R^2 + 2 R (Dx cos f + Dy sin f) - (R m cos f)^2
 *
 * It has two minima, one on either side of cos f = 0, where Dx^(2/3) + Dy^(2/3) < (R m^2)^(2/3)
 * (within the evolute of an ellipse), as where a rod lies across a cap; otherwise it has one.
 * Each side has a gap, so that these are the same as the bodies move. A single minimum belongs to
 * the first: parallel cylinders meet where cos f is zero.
 *
 * The gap of an axis is |d| less its radius. That of an edge is n.d, n along t x w, outwards from
 * the polyhedron. It is < 0 only where the point of the rim is inside the polyhedron, or that of
 * the edge in the cylinder, and the two overlap by about as much: other edges are at the back.
 *
 * A rim is nearest to the side of a cone where t is across the normal n of that, which is at p in
 * the plane of p and its axis. The gap is n.(p - tip). Again there may be two.
 *
 * Two rims are nearest where t1.d = t2.d = 0, d = p1 - p2, with the gap n.d along t1 x t2. Discs
 * that overlap cross twice: there t1 x t2 and n are along each other once, and once opposed, and
 * each has its gap. */
#include "collision/gap_parts.h"
#include "collision/minima.h"
#include "collision/touch_parts.h"

#include <math.h>
#include <string.h>

static const double SLACK = 1e-10;   /* by the reach of a body: how near to its end a line ends */
static const double ALONG = 1e-2;    /* the same of rims: discs of a size cover each other */
static const double PARALLEL = 1e-6; /* sine of the angle of what counts as parallel, */
/* and of a rim and an edge: nearer to that, where two points of the rim on the edge run into one,
 * rounding of positions turns the normal of either */
static const double TANGENT = 1e-3;
static const double TILT =
    2e-3; /* by which a normal may be beyond those of faces, where a gap is < 0 */
static const double TURN = 10;  /* and by an overlap and the reach: of steps that go too far */
static const double DEEP = 0.2; /* by the reach: overlaps of which no step goes too far, */
static const double DEEPER = 4; /* by that of the bodies: of parts that meet there */
static const double ROUNDING = 1e-14; /* of unit vectors */
/* by the length of the side of a cone: nearer to the tip rounding of positions turns its normal */
static const double AT_TIP = 1e-8;

enum { CAPS = 2, SAMPLES = NS_MINIMA_SAMPLES, ITERATIONS = 60 };

/* ---- a rim and its points -------------------------------------------------------------------- */

typedef struct circle {
  double c[3], u[3], R; /* u: out of the body */
  double nr, nu;        /* normal of its side at the rim, out of the circle and along u */
} circle;

/* A point of it: e to it from the centre, t along the rim. */
typedef struct point {
  double e[3], t[3], p[3];
} point;

static void circle_of(const ns_placed *a, int cap, circle *k)
{
  int sign = cap ? 1 : -1;
  for (int i = 0; i < 3; i++) k->u[i] = sign * a->R[6 + i];
  ns_axpy3(a->at, a->shape->half[2], k->u, k->c);
  k->R = a->shape->radius;
  double high = ns_is_cone(a->shape) ? 2 * a->shape->half[2] : INFINITY;
  k->nr = 1 / hypot(1, k->R / high), k->nu = -k->nr * k->R / high;
}

static void point_towards(const circle *k, const double *e, point *p)
{
  memcpy(p->e, e, sizeof p->e);
  ns_cross3(k->u, e, p->t);
  ns_axpy3(k->c, k->R, e, p->p);
}

/* The body is on the far side of n from there. */
static int is_before(const circle *k, const point *p, const double *n, double sign)
{
  return sign * (k->nr * ns_dot3(n, p->e) + (1 + k->nu) * ns_dot3(n, k->u)) > 0;
}

/* n is between the normals of side and cap at a point of a rim, or beyond them by a tilt. */
static int is_out_of_rim(const circle *k, const point *p, const double *n, double sign, double tilt)
{
  double out = ns_dot3(n, p->e), up = ns_dot3(n, k->u) - k->nu / k->nr * out;
  return sign * out >= -tilt && sign * up >= -tilt;
}

/* x of the world is in the core of a body, or beyond its surface by no more than slack. */
static int is_inside(const ns_placed *body, const double *x, double slack)
{
  const ns_shape *s = body->shape;
  double local[3];
  ns_placed_in(body, x, local);
  if (!s->polytope) {
    double side, cap;
    ns_beyond_revolved(s, local, &side, &cap);
    return fmax(side, cap) <= slack;
  }
  for (int f = 0; f < s->polytope->nfaces; f++)
    if (ns_dot3(s->polytope->normal + 3 * f, local) - s->polytope->offset[f] > slack) return 0;
  return 1;
}

int ns_gap_is_overlap(const ns_placed *first, const ns_placed *second, double gap)
{
  double slack = SLACK * ns_gap_size(first, second);
  double skins = ns_shape_skin(first->shape) + ns_shape_skin(second->shape), apart;
  if (gap >= -slack) return 1;
  if (ns_is_cone(first->shape)) apart = ns_cones_apart(first, second, skins + slack);
  else if (ns_is_cone(second->shape)) apart = ns_cones_apart(second, first, skins + slack);
  else apart = ns_cylinders_apart(first, second, skins + slack);
  return gap >= DEEPER * (apart - skins) - slack;
}

/* A gap < 0 is one of bodies that overlap there: of the nearest points one is in the other body,
 * and the bodies overlap by about as much. What lies in both at a rim of a cone may be beside these
 * points, for that can be sharper than a right angle. */
static int overlap(const ns_placed *first, const ns_placed *second, const double *p,
                   const double *q, double gap)
{
  double size = ns_gap_size(first, second), slack = SLACK * size;
  int acute = ns_is_cone(first->shape) || ns_is_cone(second->shape);
  if (-gap > DEEP * size) return 0;
  if (!acute && !is_inside(second, p, slack) && !is_inside(first, q, slack)) return 0;
  return ns_gap_is_overlap(first, second, gap);
}

/* The same of a side of a mesh, where q is inside the first. */
static int overlaps_side(const ns_placed *first, const ns_gap_rod *r, const double *q, double gap)
{
  double size = first->shape->reach;
  if (-gap > DEEP * size) return 0;
  if (!ns_is_cone(first->shape) && !is_inside(first, q, SLACK * size)) return 0;
  return ns_gap_is_of_side(first, r, gap);
}

/* By how much the normal of a gap < 0 may be beyond those of its faces: caps that lie flat are
 * tilted, too, and steps may go too far. */
static double tilt_at(const ns_placed *first, const ns_placed *second, double gap)
{
  return TILT - TURN * gap / ns_gap_size(first, second);
}

/* ---- a rim and a line ------------------------------------------------------------------------ */

typedef struct meeting {
  circle k;
  ns_gap_rod q;
  point of;                     /* the point of the rim */
  double w[3], d[3], s;         /* p - a, its part across the line, the other */
  double c[3], sine, n[3], gap; /* t x w, its length; n from the line to the rim */
  int two;                      /* there are two minima */
  double evolute;               /* > 0 where there are, m */
} meeting;

/* Root in [0, high] of -a sin f - b cos f + K sin f cos f, b >= 0, which rises through it. */
static double angle_of(double a, double b, double K)
{
  const double half_pi = 1.57079632679489661923;
  double low = 0, high = a > 0 ? atan(cbrt(b / a)) : half_pi, f = atan2(b, K - a > 0 ? K - a : 0);
  double scale = fabs(a) + b + K;
  if (scale == 0) return 0;
  for (int i = 0; i < ITERATIONS && high > low; i++) {
    if (!(f >= low && f <= high)) f = (low + high) / 2;
    double s = sin(f), c = cos(f), g = -a * s - b * c + K * s * c;
    double slope = -a * c + b * s + K * (c * c - s * s);
    if (g < 0) low = f;
    else high = f;
    double next = slope > 0 ? f - g / slope : low - 1;
    if (g == 0 || fabs(next - f) < 1e-16) break;
    f = next;
  }
  return fmin(fmax(f, low), high);
}

/* The minimum of side `slot`, where two = 1 says that there are two, or -1 to find it out.
 * 0: there is none. */
static int nearest_on_rim(const circle *k, const ns_gap_rod *q, int slot, int two, meeting *m)
{
  const double *w = q->u;
  double x[3], y[3], D[3], e[3];
  m->k = *k, m->q = *q;
  ns_axpy3(w, -ns_dot3(k->u, w), k->u, x);
  double along = ns_unit3(x);
  ns_without3(k->u, x); /* of a small one what rounding leaves along u */
  ns_unit3(x);
  ns_sub3(k->c, q->x, D);
  ns_without3(w, D);
  if (along < ROUNDING) {
    ns_tangents3(k->u, x, y);
    along = 0;
  }
  ns_cross3(k->u, x, y);
  double Dx = ns_dot3(D, x), Dy = ns_dot3(D, y), K = k->R * along * along;
  m->evolute = cbrt(k->R) * (cbrt(K * K) - cbrt(Dx * Dx) - cbrt(Dy * Dy));
  m->two = two < 0 ? m->evolute > 0 : two;
  if (!m->two && slot == 1) return 0;
  int near = Dx > 0 ? -1 : 1, side = m->two ? 1 - 2 * slot : near;
  double f = angle_of(side * Dx, fabs(Dy), K), c = side * cos(f), s = Dy > 0 ? -sin(f) : sin(f);
  for (int i = 0; i < 3; i++) e[i] = c * x[i] + s * y[i];
  point_towards(k, e, &m->of);
  ns_sub3(m->of.p, q->x, m->w);
  m->s = ns_dot3(m->w, w);
  memcpy(m->d, m->w, sizeof m->d);
  ns_axpy3(m->d, -m->s, w, m->d);
  return 1;
}

/* Normal and gap. 0: there is no normal, where the rim is along the edge. */
static int part_from_line(meeting *m)
{
  ns_cross3(m->of.t, m->q.u, m->c);
  memcpy(m->n, m->c, sizeof m->n);
  m->sine = ns_unit3(m->n);
  if (m->q.is_edge && m->q.radius == 0) {
    double out = ns_dot3(m->n, m->q.n1) + ns_dot3(m->n, m->q.n2);
    for (int i = 0; i < 3 && out < 0; i++) m->n[i] = -m->n[i];
    m->gap = ns_dot3(m->n, m->d);
    return m->sine > 0;
  }
  double n[3] = {m->d[0], m->d[1], m->d[2]}, apart = ns_unit3(n);
  if (apart > 0) memcpy(m->n, n, sizeof n);
  m->gap = apart - m->q.radius;
  return apart > 0;
}

static int is_sharp(const ns_gap_rod *q) { return q->is_edge && q->radius == 0; }

/* An edge that is met there, and not one at the back of its body. */
static int is_edge_met(const ns_placed *first, const ns_placed *second, const meeting *m)
{
  double foot[3], tilt = tilt_at(first, second, m->gap);
  if (m->sine < TANGENT) return 0;
  if (m->gap >= -SLACK * ns_gap_size(first, second)) return 1;
  if (!ns_gap_is_between(&m->q, m->n, 1, tilt) || !is_out_of_rim(&m->k, &m->of, m->n, -1, tilt))
    return 0;
  ns_axpy3(m->q.x, m->s, m->q.u, foot);
  if (ns_is_mesh(second->shape)) return overlaps_side(first, &m->q, foot, m->gap);
  return overlap(first, second, m->of.p, foot, m->gap);
}

/* The same of the side of a cylinder just below its cap. */
static int is_side_met(const ns_placed *first, const ns_placed *second, const meeting *m)
{
  return !ns_is_revolved(second->shape) || ns_gap_is_overlap(first, second, m->gap);
}

/* Regions are 2 i + 1 of line i where there are two minima, 2 i where there is one. */
static int line_region(const ns_placed *first, const ns_placed *second, const ns_gap_part *part)
{
  int n = ns_crossing_regions(second->shape), best = 2 * n;
  double min = INFINITY, slack = SLACK * ns_gap_size(first, second);
  circle k;
  if (ns_gap_are_far(first, second)) return best;
  circle_of(first, part->index % CAPS, &k);
  for (int i = 0; i < n; i++) {
    meeting m;
    ns_gap_rod q;
    if (ns_crossing_colour_of(second->shape, i) != part->colour) continue;
    ns_gap_rod_in_world(second, ns_crossing_rod(second->shape, part, i), &q);
    if (ns_is_mesh(second->shape) && !ns_gap_faces_side(first, &q)) return best;
    if (!nearest_on_rim(&k, &q, part->index / CAPS, -1, &m) || !part_from_line(&m)) continue;
    double inside = q.half - fabs(m.s);
    if (m.gap >= min || (is_sharp(&q) ? !(inside > slack) : inside < -slack)) continue;
    if (!is_before(&k, &m.of, m.n, -1)) continue;
    if (is_sharp(&q) ? !is_edge_met(first, second, &m) : !is_side_met(first, second, &m)) continue;
    min = m.gap;
    best = 2 * i + m.two;
  }
  return best;
}

/* 0: it stands back. */
static int find_line(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                     int region, meeting *m)
{
  circle k;
  ns_gap_rod q;
  if (region >= 2 * ns_crossing_regions(second->shape)) return 0;
  circle_of(first, part->index % CAPS, &k);
  ns_gap_rod_in_world(second, ns_crossing_rod(second->shape, part, region / 2), &q);
  return nearest_on_rim(&k, &q, part->index / CAPS, region % 2, m) && part_from_line(m);
}

static double line_clearance(const ns_placed *first, const ns_placed *second,
                             const ns_gap_part *part, int region)
{
  meeting m;
  if (!find_line(first, second, part, region, &m)) return INFINITY;
  double end = fmin(m.q.half - fabs(m.s), region % 2 ? m.evolute : -m.evolute);
  return is_sharp(&m.q) ? fmin(end, m.k.R * (m.sine - TANGENT)) : end;
}

static int line_touch(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                      int region, ns_touch *t)
{
  meeting m;
  if (!find_line(first, second, part, region, &m)) return 0;
  memcpy(t->n, m.n, sizeof t->n);
  memcpy(t->p1, m.of.p, sizeof t->p1);
  ns_axpy3(m.q.x, m.s, m.q.u, t->p2);
  ns_axpy3(t->p2, m.q.radius, m.n, t->p2);
  t->gap = m.gap;
  return 1;
}

/* Rate of the direction of c where `n` may be opposed to it. */
static void normal_rate(const double *c, double length, const double *dc, const double *n,
                        double *rate)
{
  double sign = ns_dot3(c, n) < 0 ? -1 : 1, signed_rate[3];
  for (int i = 0; i < 3; i++) signed_rate[i] = sign * dc[i];
  ns_gap_direction_rate(signed_rate, n, length, rate);
}

/* The rate f of the point along the rim, from d/dt (t.d) = 0. */
static int line_rates(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                      int region, const ns_twist *of_first, const ns_twist *of_second,
                      double *at_rate, double *n_rate)
{
  meeting m;
  if (!find_line(first, second, part, region, &m)) return 0;
  const double *w = m.q.u, *t = m.of.t, *e = m.of.e;
  double v1[3], v2[3], dw[3], dt[3], dd[3], change[3];
  ns_twist_at(of_first, m.of.p, v1);
  ns_twist_at(of_second, m.q.x, v2);
  ns_cross3(of_second->w, w, dw);
  ns_cross3(of_first->w, t, dt);
  ns_sub3(v1, v2, dd);
  double ds = ns_dot3(m.w, dw) + ns_dot3(dd, w), tw = ns_dot3(t, w);
  memcpy(change, dd, sizeof change); /* of d, for a point fixed on the rim */
  ns_axpy3(change, -m.s, dw, change);
  ns_axpy3(change, -ds, w, change);
  double rest = ns_dot3(dt, m.d) + ns_dot3(t, change);
  double curved = m.k.R * (1 - tw * tw) - ns_dot3(e, m.d);
  double f = curved > ROUNDING * m.k.R ? -rest / curved : 0;
  ns_axpy3(v1, m.k.R * f, t, at_rate);
  if (is_sharp(&m.q)) {
    double part_of[3], dc[3];
    ns_axpy3(dt, -f, e, dt);
    ns_cross3(dt, w, dc);
    ns_cross3(t, dw, part_of);
    ns_axpy3(dc, 1, part_of, dc);
    normal_rate(m.c, m.sine, dc, m.n, n_rate);
    return 1;
  }
  ns_axpy3(change, m.k.R * f, t, change);
  ns_axpy3(change, -m.k.R * f * tw, w, change);
  ns_gap_direction_rate(change, m.n, m.gap + m.q.radius, n_rate);
  return 1;
}

/* ---- what is nearest round a rim ------------------------------------------------------------- */

static void point_at(const circle *k, const double *x, const double *y, double angle, point *p)
{
  double e[3];
  for (int i = 0; i < 3; i++) e[i] = cos(angle) * x[i] + sin(angle) * y[i];
  point_towards(k, e, p);
}

/* ---- a rim and the side of a cone ------------------------------------------------------------ */

typedef struct beside {
  circle k;
  const ns_placed *cone;
  double x[3], y[3]; /* x: of the plane of the rim, towards the tip */
  point of;
  double n[3], round[3], curved; /* of the side there: normal, tangent, curvature along that */
  double gap, s;                 /* along the line of the side from its tip */
} beside;

static double slope_beside(void *to, double angle)
{
  beside *m = to;
  const double *axis = m->cone->R + 6;
  const ns_shape *s = m->cone->shape;
  double arm[3], e[3], length = hypot(s->radius, 2 * s->half[2]);
  double nr = 2 * s->half[2] / length, nz = s->radius / length;
  point_at(&m->k, m->x, m->y, angle, &m->of);
  ns_sub3(m->of.p, m->cone->at, arm);
  ns_axpy3(arm, -s->half[2], axis, arm);
  double down = ns_dot3(arm, axis);
  ns_axpy3(arm, -down, axis, e);
  double across = ns_unit3(e);
  if (across == 0) memcpy(e, m->cone->R, sizeof e);
  for (int i = 0; i < 3; i++) m->n[i] = nr * e[i] + nz * axis[i];
  ns_cross3(axis, e, m->round);
  m->curved = nr / across;
  m->gap = nr * across + nz * down;
  m->s = nz * across - nr * down;
  return ns_dot3(m->of.t, m->n);
}

/* Of two minima the first is the one towards the tip; a single one is the first, if it is on that
 * half of the rim, else the second. 0: there is none; *inside: how far it is from the end of where
 * it is the one that `part` has, m. */
static int find_beside(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                       beside *m, double *inside)
{
  int slot = part->index / CAPS, sign = slot ? -1 : 1, found = 0;
  double along[2] = {0};
  ns_minimum minimum[NS_MINIMA];
  beside at;
  m->cone = second;
  circle_of(first, part->index % CAPS, &m->k);
  memcpy(m->x, second->R + 6, sizeof m->x);
  ns_without3(m->k.u, m->x);
  if (ns_unit3(m->x) < PARALLEL) ns_tangents3(m->k.u, m->x, m->y);
  ns_without3(m->k.u, m->x); /* of a small one what rounding leaves along u */
  ns_unit3(m->x);
  ns_cross3(m->k.u, m->x, m->y);
  at = *m;
  int n = ns_minima_round(slope_beside, m, SAMPLES, minimum);
  for (; found < 2 && found < n; found++) {
    ns_minimum_go_to(slope_beside, m, &minimum[found]);
    along[found] = sign * ns_dot3(m->of.e, m->x);
    if (found == 0 || along[1] > along[0]) at = *m;
  }
  *m = at;
  *inside = m->k.R * (found == 2 ? fabs(along[1] - along[0]) / 2 : along[0]);
  return found > 0;
}
/* Regions of a rim and a side, and of two rims: they meet, or the gap stands back. */
enum { CROSS, APART };

static double clearance_beside(const beside *m, double inside)
{
  double length = hypot(m->cone->shape->radius, 2 * m->cone->shape->half[2]);
  return fmin(inside, fmin(m->s, length - m->s));
}

static int side_region(const ns_placed *first, const ns_placed *second, const ns_gap_part *part)
{
  beside m;
  double inside;
  if (ns_gap_are_far(first, second) || !find_beside(first, second, part, &m, &inside)) return APART;
  double size = hypot(second->shape->radius, 2 * second->shape->half[2]);
  if (clearance_beside(&m, inside) < 0 || m.s < AT_TIP * size) return APART;
  if (!is_before(&m.k, &m.of, m.n, -1)) return APART;
  return ns_gap_is_overlap(first, second, m.gap) ? CROSS : APART;
}

static double side_clearance(const ns_placed *first, const ns_placed *second,
                             const ns_gap_part *part, int region)
{
  beside m;
  double inside;
  if (region == APART) return INFINITY;
  return find_beside(first, second, part, &m, &inside) ? clearance_beside(&m, inside) : 0;
}

static int side_touch(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                      int region, ns_touch *t)
{
  beside m;
  double inside;
  if (region == APART || !find_beside(first, second, part, &m, &inside)) return 0;
  memcpy(t->n, m.n, sizeof t->n);
  memcpy(t->p1, m.of.p, sizeof t->p1);
  ns_axpy3(t->p1, -m.gap, t->n, t->p2);
  t->gap = m.gap;
  return 1;
}

/* The rate f of the point along the rim, from d/dt (t.n) = 0, where n turns with the cone, and by
 * what the point moves round that. */
static int side_rates(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                      int region, const ns_twist *of_first, const ns_twist *of_second,
                      double *at_rate, double *n_rate)
{
  beside m;
  double inside, v1[3], v2[3], past[3], dt[3];
  if (region == APART || !find_beside(first, second, part, &m, &inside)) return 0;
  const double *t = m.of.t, *e = m.of.e;
  ns_twist_at(of_first, m.of.p, v1);
  ns_twist_at(of_second, m.of.p, v2);
  ns_sub3(v1, v2, past);
  ns_cross3(of_first->w, t, dt);
  ns_cross3(of_second->w, m.n, n_rate);
  double along = m.curved * ns_dot3(t, m.round), goes = ns_dot3(m.round, past);
  double rest = ns_dot3(dt, m.n) + ns_dot3(t, n_rate) + along * goes;
  double curved = m.k.R * along * ns_dot3(t, m.round) - ns_dot3(e, m.n);
  double f = curved > ROUNDING ? -rest / curved : 0;
  ns_axpy3(v1, m.k.R * f, t, at_rate);
  ns_axpy3(n_rate, m.curved * goes + m.k.R * f * along, m.round, n_rate);
  return 1;
}

/* ---- a rim and a rim ------------------------------------------------------------------------- */

typedef struct rims {
  circle k, l;
  double x[3], y[3]; /* of the plane of the first */
  point p, q;
  double d[3], c[3], sine, n[3], gap;
} rims;

/* At an angle about the first: the nearest point of the second, and t1.d. */
static double slope_of_rims(void *of, double angle)
{
  rims *m = of;
  double e[3], d[3];
  point_at(&m->k, m->x, m->y, angle, &m->p);
  ns_sub3(m->p.p, m->l.c, d);
  ns_without3(m->l.u, d);
  if (ns_unit3(d) == 0) ns_tangents3(m->l.u, d, e);
  point_towards(&m->l, d, &m->q);
  ns_sub3(m->p.p, m->q.p, m->d);
  return ns_dot3(m->p.t, m->d);
}

/* Normal and gap, by the side `slot`. 0: not that one, or the rims are along each other. */
static int part_rims(rims *m, int slot)
{
  ns_cross3(m->p.t, m->q.t, m->c);
  memcpy(m->n, m->c, sizeof m->n);
  m->sine = ns_unit3(m->n);
  if (m->sine < ALONG) return 0;
  for (int i = 0; i < 3 && slot; i++) m->n[i] = -m->n[i];
  m->gap = ns_dot3(m->n, m->d);
  return is_before(&m->k, &m->p, m->n, -1) && is_before(&m->l, &m->q, m->n, 1);
}

static int are_met(const ns_placed *first, const ns_placed *second, const rims *m)
{
  double tilt = tilt_at(first, second, m->gap);
  if (m->gap >= -SLACK * ns_gap_size(first, second)) return 1;
  return is_out_of_rim(&m->k, &m->p, m->n, -1, tilt) &&
         is_out_of_rim(&m->l, &m->q, m->n, 1, tilt) &&
         overlap(first, second, m->p.p, m->q.p, m->gap);
}

static int find_rims(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                     rims *best)
{
  int slot = part->index / (CAPS * CAPS), found = 0;
  double d[3];
  rims m;
  ns_minimum minimum[NS_MINIMA];
  circle_of(first, part->index % CAPS, &m.k);
  circle_of(second, part->index / CAPS % CAPS, &m.l);
  ns_sub3(m.k.c, m.l.c, d);
  double reach = m.k.R + m.l.R;
  if (ns_norm3(d) > 2 * reach) return 0;
  ns_tangents3(m.k.u, m.x, m.y);
  int n = ns_minima_round(slope_of_rims, &m, SAMPLES, minimum);
  for (int i = 0; i < n; i++) {
    ns_minimum_go_to(slope_of_rims, &m, &minimum[i]);
    if (part_rims(&m, slot) && (!found || m.gap < best->gap) && are_met(first, second, &m))
      *best = m, found = 1;
  }
  return found;
}

static int rims_touch(const rims *m, ns_touch *t)
{
  memcpy(t->n, m->n, sizeof t->n);
  memcpy(t->p1, m->p.p, sizeof t->p1);
  memcpy(t->p2, m->q.p, sizeof t->p2);
  t->gap = m->gap;
  return 1;
}

/* The rates f, g of both points along their rims, from d/dt (t1.d) = d/dt (t2.d) = 0. */
static void rims_rates(const rims *m, const ns_twist *of_first, const ns_twist *of_second,
                       double *at_rate, double *n_rate)
{
  double v1[3], v2[3], dd[3], dt1[3], dt2[3], dc[3], part_of[3];
  ns_twist_at(of_first, m->p.p, v1);
  ns_twist_at(of_second, m->q.p, v2);
  ns_sub3(v1, v2, dd);
  ns_cross3(of_first->w, m->p.t, dt1);
  ns_cross3(of_second->w, m->q.t, dt2);
  double c = ns_dot3(m->p.t, m->q.t), R = m->k.R, S = m->l.R;
  double a11 = R - ns_dot3(m->p.e, m->d), a12 = -S * c, a21 = R * c,
         a22 = -S - ns_dot3(m->q.e, m->d);
  double b1 = -ns_dot3(dt1, m->d) - ns_dot3(m->p.t, dd);
  double b2 = -ns_dot3(dt2, m->d) - ns_dot3(m->q.t, dd);
  double det = a11 * a22 - a12 * a21;
  double f = det != 0 ? (b1 * a22 - a12 * b2) / det : 0;
  double g = det != 0 ? (a11 * b2 - a21 * b1) / det : 0;
  ns_axpy3(v1, R * f, m->p.t, at_rate);
  ns_axpy3(dt1, -f, m->p.e, dt1);
  ns_axpy3(dt2, -g, m->q.e, dt2);
  ns_cross3(dt1, m->q.t, dc);
  ns_cross3(m->p.t, dt2, part_of);
  ns_axpy3(dc, 1, part_of, dc);
  normal_rate(m->c, m->sine, dc, m->n, n_rate);
}

/* ---- any of them ----------------------------------------------------------------------------- */

int ns_circle_region(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                     int was)
{
  rims m;
  if (part->rim == NS_RIM_FACE) return ns_rim_face_region(first, second, part, was);
  if (part->rim == NS_RIM_LINE) return line_region(first, second, part);
  if (part->rim == NS_RIM_SIDE) return side_region(first, second, part);
  return !ns_gap_are_far(first, second) && find_rims(first, second, part, &m) ? CROSS : APART;
}

double ns_circle_clearance(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                           int region)
{
  rims m;
  if (part->rim == NS_RIM_FACE) return ns_rim_face_clearance(first, second, part, region);
  if (part->rim == NS_RIM_LINE) return line_clearance(first, second, part, region);
  if (part->rim == NS_RIM_SIDE) return side_clearance(first, second, part, region);
  if (region == APART) return INFINITY;
  return find_rims(first, second, part, &m) ? ns_gap_size(first, second) * (m.sine - ALONG) : 0;
}

static int circle_touch(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                        int region, ns_touch *t)
{
  rims m;
  if (part->rim == NS_RIM_FACE) return ns_rim_face_touch(first, second, part, region, t);
  if (part->rim == NS_RIM_LINE) return line_touch(first, second, part, region, t);
  if (part->rim == NS_RIM_SIDE) return side_touch(first, second, part, region, t);
  return region == CROSS && find_rims(first, second, part, &m) ? rims_touch(&m, t) : 0;
}

void ns_circle_touch(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                     int region, ns_touch *t)
{
  enum { KINDS = 256 };
  int mine = KINDS * (int)part->rim + part->index, its = region & 0xfffffff;
  if (!circle_touch(first, second, part, region, t)) ns_gap_between_centres(first, second, t);
  if (part->rim == NS_RIM_FACE && part->index >= CAPS) its = 0;
  if (ns_is_mesh(second->shape))
    its = part->rim == NS_RIM_FACE ? second->shape->mesh->patch[part->link] : part->link;
  t->feature = part->turned ? ns_feature(NS_MEET_RIM_2, its, mine)
                            : ns_feature(NS_MEET_RIM_1, mine, its);
}

void ns_circle_rates(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                     int region, const ns_twist *of_first, const ns_twist *of_second,
                     const ns_touch *t, double *at_rate, double *n_rate)
{
  rims m;
  int met = 0;
  if (part->rim == NS_RIM_FACE)
    met = ns_rim_face_rates(first, second, part, region, of_first, of_second, at_rate, n_rate);
  else if (part->rim == NS_RIM_LINE)
    met = line_rates(first, second, part, region, of_first, of_second, at_rate, n_rate);
  else if (part->rim == NS_RIM_SIDE)
    met = side_rates(first, second, part, region, of_first, of_second, at_rate, n_rate);
  else if (region == CROSS && find_rims(first, second, part, &m)) {
    rims_rates(&m, of_first, of_second, at_rate, n_rate);
    met = 1;
  }
  if (!met) ns_gap_rates_between_centres(first, second, of_first, of_second, t, at_rate, n_rate);
}
