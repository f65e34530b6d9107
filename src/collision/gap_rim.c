/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/gap_parts.h"

#include "collision/touch_cylinder.h"

#include <math.h>
#include <string.h>

/* Sine of the tilt of a cap: up to FLAT it lies flat on a plane, below KNOWN it has no lowest point
 * that is known. */
static const double FLAT = NS_RIM_LEANS;
static const double KNOWN = 1e-9;
static const double TURN = 6.28318530717958647692;

/* Sine of the tilt of the caps of a over the plane b, in the direction *r that they lean in, of
 * unit length, across the axis. */
static double tilt_of(const ns_placed *a, const ns_placed *b, double *r)
{
  const double *axis = a->R + 6, *normal = b->R + 6;
  ns_axpy3(normal, -ns_dot3(normal, axis), axis, r);
  return ns_unit3(r);
}

/* Where the fixed points of a rim begin, as a part of NS_RIM_BACK: the middle of a side at its
 * lowest point, where one is known. A cap that comes to lie flat has been on that one, and in a
 * plane of motion comes down on the one across. */
static int rim_begins(const ns_placed *a, const ns_placed *b)
{
  double r[3];
  if (tilt_of(a, b, r) < KNOWN) return 0;
  double turn = atan2(-ns_dot3(a->R + 3, r), -ns_dot3(a->R, r)) / TURN;
  return (int)(NS_RIM_BACK * (turn - floor(turn))) % NS_RIM_BACK;
}

/* The tip of a cone is a cap without radius, which does not lie flat. */
static int is_tip(const ns_placed *a, int which) { return ns_is_tip(a->shape, which); }

void ns_rim_point(const ns_placed *a, const ns_placed *b, int which, int region, double *x)
{
  const ns_shape *s = a->shape;
  int cap = which < 2 ? which : (which - 2) / NS_RIM_POINTS;
  double corner = ((which - 2) % NS_RIM_POINTS + 0.5) / NS_RIM_POINTS +
                  region / (double)NS_RIM_BACK;
  double down[3], radius = s->radius / cos(TURN / (2 * NS_RIM_POINTS));
  ns_axpy3(a->at, (cap ? 1 : -1) * s->half[2], a->R + 6, x);
  if (which < 2) {
    if (!is_tip(a, which) && tilt_of(a, b, down) >= KNOWN) ns_axpy3(x, -s->radius, down, x);
    return;
  }
  ns_axpy3(x, radius * cos(TURN * corner), a->R, x);
  ns_axpy3(x, radius * sin(TURN * corner), a->R + 3, x);
}

int ns_rim_region(const ns_placed *a, const ns_placed *b, int which, int was)
{
  double r[3];
  int flat = tilt_of(a, b, r) < FLAT;
  if (is_tip(a, which)) return 0;
  if (which < 2) return flat ? NS_RIM_BACK : 0;
  if (!flat) return NS_RIM_BACK;
  if (was < 0 || was == NS_RIM_BACK) return rim_begins(a, b);
  return was;
}

double ns_rim_clearance(const ns_placed *a, const ns_placed *b, int which, int region)
{
  double r[3], over = a->shape->radius * (tilt_of(a, b, r) - FLAT);
  if (region == NS_RIM_BACK || is_tip(a, which)) return INFINITY;
  return which < 2 ? over : -over;
}

/* The lowest point lies from the centre of its cap along -r, r the part of n across the axis. */
void ns_rim_rate(const ns_meeting *m, const ns_twist *of, const double *n, const double *n_rate,
                 double *rate)
{
  if (is_tip(m->first, m->part.index)) return;
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

/* ---- over faces and caps --------------------------------------------------------------------- */

enum { CAPS = 2, BESIDE = 1 };
/* by its radius: how much larger a cap is where one of its size stands on it, beyond rounding */
static const double WIDER = 1e-6;
static const double SLACK =
    1e-10; /* by the reach of a body: a point at the end of a face is on it */

/* by the reach of a body: a point deeper than this behind a triangle is there by a wall beside it,
 * unless the rim is, too */
static const double DEEP = 1e-6;

/* Faces of the shape that a gap looks at: of a mesh its triangle. */
static int faces_of(const ns_shape *s)
{
  if (ns_is_mesh(s)) return 1;
  return s->polytope ? s->polytope->nfaces : ns_caps_of(s);
}

/* Its region about the shape, of a triangle its number. */
static int region_of_face(const ns_shape *s, const ns_gap_part *part, int face)
{
  return ns_is_mesh(s) ? part->link : s->polytope ? face : NS_CYLINDER_CAPS + face;
}

/* The plane of a face, its normal along z, and outwards. */
static void plane_of(const ns_placed *p, int region, ns_placed *plane)
{
  const ns_shape *s = p->shape;
  double x[3] = {0}, n[3] = {0};
  plane->shape = s;
  if (ns_is_mesh(s)) {
    int corner[3];
    ns_mesh_corners(s->mesh, region, corner);
    ns_mesh_vertex(s->mesh, corner[0], x);
    ns_mesh_normal(s->mesh, region, n);
  } else if (s->polytope) {
    memcpy(n, s->polytope->normal + 3 * region, sizeof n);
    ns_axpy3(x, s->polytope->offset[region] + s->radius, n, x);
  } else {
    n[2] = region == NS_CYLINDER_CAPS ? -1 : 1;
    x[2] = n[2] * s->half[2];
  }
  ns_placed_out(p, x, plane->at);
  memset(plane->R, 0, sizeof plane->R);
  ns_mul3(p->R, n, plane->R + 6);
}

static double height(const ns_placed *plane, const double *x)
{
  double d[3];
  ns_sub3(x, plane->at, d);
  return ns_dot3(plane->R + 6, d);
}

/* A cap is as large as the polygon of points that stand on it, so that a disc stands on one that is
 * as large; once, not again by the points of the other. */
static double wider(const ns_shape *s, int wide)
{
  if (!wide || !ns_is_revolved(s)) return 0;
  return s->radius * (1 / cos(TURN / (2 * NS_RIM_POINTS)) - 1 + WIDER);
}

/* Distance of x of the world from the end of a face, < 0 beside it. */
static double over_face(const ns_placed *p, int region, const double *x, int wide)
{
  double local[3];
  ns_placed_in(p, x, local);
  int about = ns_is_mesh(p->shape) ? 0 : region; /* its face, of a triangle */
  return wider(p->shape, wide) + ns_region_clearance(p->shape, region, about, local);
}

/* x of the world is not farther beyond another face of the body: it is before this one, or in the
 * body. */
static int is_before_face(const ns_placed *p, const ns_placed *plane, const double *x, int wide,
                          double slack)
{
  const ns_shape *s = p->shape;
  double local[3], most = height(plane, x) + slack;
  ns_placed_in(p, x, local);
  if (!s->polytope) {
    double side, cap;
    ns_beyond_revolved(s, local, &side, &cap);
    return fmax(side - wider(s, wide), cap) <= most;
  }
  for (int f = 0; f < s->polytope->nfaces; f++) {
    const double *n = s->polytope->normal + 3 * f;
    if (ns_dot3(n, local) - s->polytope->offset[f] - s->radius > most) return 0;
  }
  return 1;
}

static int is_wide(const ns_gap_part *part) { return part->index >= CAPS && !part->turned; }
static int cap_of(int which) { return which < CAPS ? which : (which - CAPS) / NS_RIM_POINTS; }

static int is_over_triangle(const ns_placed *first, const ns_placed *mesh, int k, const double *x)
{
  double local[3], middle[3];
  ns_placed_in(mesh, x, local);
  ns_placed_in(mesh, first->at, middle);
  return ns_mesh_point_region(mesh->shape->mesh, k, local, middle, 1, first->shape->reach) == 0;
}

/* The point x of the polygon about a rim, drawn in to the rim. */
static void draw_in(const ns_placed *first, int cap, double *x)
{
  double c[3], d[3];
  ns_axpy3(first->at, (cap ? 1 : -1) * first->shape->half[2], first->R + 6, c);
  ns_sub3(x, c, d);
  ns_axpy3(c, first->shape->radius / ns_norm3(d), d, x);
}

/* x of the world, the point of a gap, is over the face, and before it or in the body. */
static int is_on_face(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                      const ns_placed *plane, int region, const double *x)
{
  int wide = is_wide(part), which = part->index;
  double slack = SLACK * ns_gap_size(first, second), rim[3] = {x[0], x[1], x[2]};
  if (!ns_is_mesh(second->shape))
    return over_face(second, region, x, wide) >= -slack &&
           is_before_face(second, plane, x, wide, slack);
  if (!is_over_triangle(first, second, region, x)) return 0;
  if (which < CAPS || height(plane, x) >= -DEEP * first->shape->reach) return 1;
  draw_in(first, cap_of(which), rim);
  return is_over_triangle(first, second, region, rim);
}

/* Region of the face that looks most against a cap of the first, and its plane; *away: how far the
 * cap is from lying flat above it, m, by its tilt or by the height of the middle of the first; < 0
 * where it does. */
static int facing(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                  ns_placed *plane, double *away)
{
  double min = INFINITY, r[3];
  int best = 0, cap = cap_of(part->index);
  for (int f = 0; f < faces_of(second->shape); f++) {
    ns_placed of_face;
    int region = region_of_face(second->shape, part, f);
    plane_of(second, region, &of_face);
    double along = (cap ? 1 : -1) * ns_dot3(of_face.R + 6, first->R + 6);
    if (f == 0 || along < min) min = along, best = region, *plane = of_face;
  }
  double tilt = min < 0 ? tilt_of(first, plane, r) : 1;
  *away = fmax(first->shape->radius * (tilt - FLAT), -height(plane, first->at));
  return best;
}

/* The face that the lowest point over it is the nearest to. */
static int face_below(const ns_placed *first, const ns_placed *second, const ns_gap_part *part)
{
  double min = INFINITY, r[3], x[3];
  int best = NS_RIM_BACK;
  if (ns_gap_are_far(first, second)) return best;
  for (int f = 0; f < faces_of(second->shape); f++) {
    int region = region_of_face(second->shape, part, f);
    ns_placed plane;
    plane_of(second, region, &plane);
    if (tilt_of(first, &plane, r) < FLAT) continue;
    ns_rim_point(first, &plane, part->index, 0, x);
    double gap = height(&plane, x);
    if (gap >= min || !is_on_face(first, second, part, &plane, region, x)) continue;
    min = gap;
    best = region;
  }
  return best;
}

/* Of a fixed point, whether it is over the face or beside it. */
static int fixed_region(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                        int was)
{
  double away, x[3];
  ns_placed plane;
  int face = facing(first, second, part, &plane, &away);
  if (away >= 0) return NS_RIM_BACK;
  int begin = was < 0 || was == NS_RIM_BACK ? rim_begins(first, &plane) : was;
  if (ns_is_mesh(second->shape)) begin %= NS_RIM_BACK / NS_RIM_POINTS;
  begin &= ~BESIDE;
  ns_rim_point(first, &plane, part->index, begin, x);
  return is_on_face(first, second, part, &plane, face, x) ? begin : begin | BESIDE;
}

int ns_rim_face_region(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                       int was)
{
  return part->index < CAPS ? face_below(first, second, part)
                            : fixed_region(first, second, part, was);
}

/* Face, its plane and the point of a gap that does not stand back; *away of a fixed point. */
static int find(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                int region, ns_placed *plane, double *x, double *away)
{
  int which = part->index, face = region;
  if (which < CAPS) plane_of(second, face, plane);
  else face = facing(first, second, part, plane, away);
  ns_rim_point(first, plane, which, which < CAPS ? 0 : region & ~BESIDE, x);
  return face;
}

double ns_rim_face_clearance(const ns_placed *first, const ns_placed *second,
                             const ns_gap_part *part, int region)
{
  int which = part->index, fixed = which >= CAPS;
  double x[3], r[3], away = INFINITY;
  ns_placed plane;
  if (region == NS_RIM_BACK) {
    /* one of each cap looks when it comes to lie flat */
    if (fixed && (which - CAPS) % NS_RIM_POINTS == 0) facing(first, second, part, &plane, &away);
    return away;
  }
  int face = find(first, second, part, region, &plane, x, &away);
  double on = over_face(second, face, x, is_wide(part));
  if (!fixed) return fmin(first->shape->radius * (tilt_of(first, &plane, r) - FLAT), on);
  /* a point beside may be deep below the face instead */
  if (region & BESIDE && on >= 0) return -away;
  return fmin(-away, region & BESIDE ? -on : on);
}

/* Such a gap is open, wherever the bodies are. */
static int stands_back(const ns_gap_part *part, int region)
{
  return region == NS_RIM_BACK || (part->index >= CAPS && region & BESIDE);
}

int ns_rim_face_touch(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                      int region, ns_touch *t)
{
  double away;
  ns_placed plane;
  if (stands_back(part, region)) return 0;
  find(first, second, part, region, &plane, t->p1, &away);
  memcpy(t->n, plane.R + 6, sizeof t->n);
  t->gap = height(&plane, t->p1);
  ns_axpy3(t->p1, -t->gap, t->n, t->p2);
  return 1;
}

int ns_rim_face_rates(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                      int region, const ns_twist *of_first, const ns_twist *of_second,
                      double *at_rate, double *n_rate)
{
  double x[3], away;
  ns_placed plane;
  if (stands_back(part, region)) return 0;
  find(first, second, part, region, &plane, x, &away);
  const double *n = plane.R + 6;
  ns_cross3(of_second->w, n, n_rate);
  ns_twist_at(of_first, x, at_rate);
  if (part->index < CAPS) ns_rim_rate(&(ns_meeting){.first = first}, of_first, n, n_rate, at_rate);
  return 1;
}

/* ---- near a triangle ------------------------------------------------------------------------- */

int ns_rim_points_near(const ns_placed *first, const ns_placed *mesh, int cap, int k, double margin,
                       int *which)
{
  const ns_shape *s = first->shape;
  const double turns = margin / s->radius; /* of the normal, as seen from the body, rad */
  const double side = 2 * sin(TURN / (4 * NS_RIM_POINTS)) / cos(TURN / (2 * NS_RIM_POINTS));
  int n = 0, fixed = CAPS + cap * NS_RIM_POINTS, begin = NS_RIM_BACK / (2 * NS_RIM_POINTS);
  double x[3], r[3], local[3];
  ns_placed plane;
  plane_of(mesh, k, &plane);
  double tilt = tilt_of(first, &plane, r);
  ns_rim_point(first, &plane, cap, 0, x);
  if (tilt + turns > FLAT && height(&plane, x) < margin) {
    /* the part of the normal across the axis, of length `tilt`, goes round by that */
    double goes = turns < tilt ? fmin(sqrt(2) * turns / tilt, 2) : 2;
    ns_placed_in(mesh, x, local);
    if (ns_mesh_from_box(mesh->shape->mesh, k, local) < margin + s->radius * goes) which[n++] = cap;
  }
  if (tilt - turns > FLAT || (cap ? 1 : -1) * ns_dot3(plane.R + 6, first->R + 6) >= 0) return n;
  for (int i = 0, some = 0; i < NS_RIM_POINTS; i++) {
    ns_rim_point(first, &plane, fixed + i, begin, x); /* it is within half a side of there */
    ns_placed_in(mesh, x, local);
    if (ns_mesh_from_box(mesh->shape->mesh, k, local) >= margin + s->radius * side) continue;
    if (i > 0 && !some) which[n++] = fixed; /* it looks when the cap comes to lie flat */
    which[n++] = fixed + i;
    some = 1;
  }
  return n;
}
