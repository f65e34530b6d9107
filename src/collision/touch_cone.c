/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cones against all but planes.
 *
 * The signed distance of a point from a convex solid is a convex function. So along an edge, an
 * axis or a line of a cone's side it has one stretch of least points, between zeros of its
 * slope, and its gradient there is a normal that both shapes have. Such normals, those of faces and
 * caps, and those between the tip and the nearest point of the other are the directions that may
 * part the two most,
 *
 *   s(n) = -h1(-n) - h2(n),   h the support functions,
 *
 * and the largest of them does. Along rims and round the side of another cone the least points are
 * sought between samples. Bases that lie on something are caps of the cylinder about the cone
 * (touch_cylinder_meet.c). */
#include "collision/minima.h"
#include "collision/touch_cylinder.h"

#include <float.h>

enum { ROUND = 24, EVALUATIONS = 200, TIP = 40, LINE = 50 };
static const double SLOPE =
    1e-6; /* of a distance that stays the same: as directions that are one */

/* ---- points ---------------------------------------------------------------------------------- */

double ns_cone_nearest(const ns_shape *s, const double *x, double *y, double *n)
{
  double h = s->half[2], R = s->radius, l = sqrt(R * R + 4 * h * h);
  double across = sqrt(x[0] * x[0] + x[1] * x[1]);
  double out[2] = {across > 0 ? x[0] / across : 1, across > 0 ? x[1] / across : 0};
  double below = -h - x[2], side = ((across - R) * 2 * h + (x[2] + h) * R) / l;
  double up = ((R - across) * R + (x[2] + h) * 2 * h) / l; /* along the side, from the rim */
  double r = 0, z = h, nr = 2 * h / l, nz = R / l; /* nearest point; the normal of the side */
  int inside = below <= 0 && side <= 0;
  if (inside ? below > side : below > 0 && across <= R) {
    r = across, z = -h, nr = 0, nz = -1;
  } else if (inside || (up > 0 && up < l)) {
    r = across - side * nr, z = x[2] - side * nz;
  } else {
    if (up <= 0) r = R, z = -h;
    double dr = across - r, dz = x[2] - z, length = sqrt(dr * dr + dz * dz);
    if (length > 0) nr = dr / length, nz = dz / length;
  }
  for (int i = 0; i < 2; i++) {
    y[i] = r * out[i];
    n[i] = nr * out[i];
  }
  y[2] = z, n[2] = nz;
  return (across - r) * nr + (x[2] - z) * nz;
}

void ns_touch_sphere_cone(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  ns_touch_sphere_solid(a, b, ns_cone_nearest, margin, t);
}

/* Signed distance of a point of the world from a solid, and the normal there, in the world. */
static double distance(const ns_placed *p, const double *world, double *n)
{
  const ns_shape *s = p->shape;
  double x[3], y[3], m[3], d;
  int face;
  ns_placed_in(p, world, x);
  switch (s->kind) {
  case NS_SHAPE_CONE: d = ns_cone_nearest(s, x, y, m); break;
  case NS_SHAPE_CYLINDER: d = ns_cylinder_nearest(s, x, y, m); break;
  case NS_SHAPE_CAPSULE:
    x[2] -= ns_clamp(x[2], -s->half[2], s->half[2]);
    memcpy(m, x, sizeof m);
    d = ns_unit3(m) - s->radius;
    break;
  default: d = ns_polytope_nearest(s->polytope, x, y, m, &face);
  }
  ns_mul3(p->R, m, n);
  return d;
}

/* max d.x over a solid, d in the world. */
static double support(const ns_placed *p, const double *d)
{
  const ns_shape *s = p->shape;
  double l[3], h = ns_dot3(d, p->at);
  ns_mul3t(p->R, d, l);
  double across = sqrt(l[0] * l[0] + l[1] * l[1]);
  switch (s->kind) {
  case NS_SHAPE_CONE: return h + fmax(s->half[2] * l[2], s->radius * across - s->half[2] * l[2]);
  case NS_SHAPE_CYLINDER: return h + s->half[2] * fabs(l[2]) + s->radius * across;
  case NS_SHAPE_CAPSULE: return h + s->half[2] * fabs(l[2]) + s->radius;
  default: return h + ns_dot3(l, s->polytope->vertex + 3 * ns_polytope_support(s->polytope, l));
  }
}

/* ---- ways that may part them ----------------------------------------------------------------- */

/* RIDGE: on an edge of the second, by its normals. */
typedef enum way_kind { CURVED, RIDGE, FACE, BASE, CAP } way_kind;

/* From the second to the first, in the world; points on the second or, of_first, on the first. */
typedef struct way {
  double s, n[3], x[2][3];
  int points, of_first;
  uint64_t id;
  way_kind kind;
  int which; /* face of the second */
} way;

typedef struct cones {
  const ns_placed *a, *b; /* the first is a cone */
  const ns_allowed *only;
  double size, margin;
  ns_touches *t;
  const ns_touch *near; /* ns_touches.near */
  way flat, best;
} cones;

/* Identities of ways. */
#define AT_TIP ns_feature(NS_MEET_CORNER_1, TIP, 0)
#define AT_OTHER_TIP ns_feature(NS_MEET_CORNER_2, 0, TIP)
#define AT_CORNER(v) ns_feature(NS_MEET_CORNER_2, 0, v)
#define ON_EDGE(e) ns_feature(NS_MEET_EDGES, LINE, e)
#define ON_AXIS ns_feature(NS_MEET_EDGES, LINE, 0)
#define ON_SIDES ns_feature(NS_MEET_EDGES, LINE, 1)
#define ON_RIM ns_feature(NS_MEET_RIM_1, TIP, 0)
#define ON_OTHER_RIM(cap) ns_feature(NS_MEET_RIM_2, TIP, cap)
#define BESIDE ns_feature(NS_MEET_RIM_1, TIP + 3, 0)

static double parting(const cones *k, const double *n)
{
  double minus[3] = {-n[0], -n[1], -n[2]};
  return -support(k->a, minus) - support(k->b, n);
}

/* Flat ones come first, then those that are better by more than rounding. */
static void consider(cones *k, way *w)
{
  double local[3];
  w->s = parting(k, w->n);
  if (!(w->s > k->best.s + 1e-9 * k->size)) return;
  ns_mul3t(k->b->R, w->n, local);
  if (w->s < k->margin && !ns_allows(k->only, local, w->s)) return;
  k->best = *w;
}

/* The far side of the other has normals of distances, too, but its points are not those that meet.
 */
static void consider_point(cones *k, way *w)
{
  int is_axis = k->b->shape->kind == NS_SHAPE_CAPSULE || w->id == ON_AXIS;
  double skin = !k->b->shape->polytope && !w->of_first && is_axis ? k->b->shape->radius : 0, n[3];
  double d = distance(w->of_first ? k->b : k->a, w->x[0], n) - skin;
  if (!(parting(k, w->n) < d - 1e-5 * k->size)) consider(k, w);
}

static void consider_flat(cones *k, const double *n, double sign, way_kind kind, int which)
{
  way w = {.kind = kind, .which = which};
  for (int i = 0; i < 3; i++) w.n[i] = sign * n[i];
  consider(k, &w);
}

static void on_flats(cones *k)
{
  const ns_polytope *q = k->b->shape->polytope;
  ns_shape_kind kind = k->b->shape->kind;
  double n[3];
  for (int f = 0; q && f < q->nfaces; f++) {
    ns_mul3(k->b->R, q->normal + 3 * f, n);
    consider_flat(k, n, 1, FACE, f);
  }
  consider_flat(k, k->a->R + 6, 1, BASE, 0);
  if (kind == NS_SHAPE_CYLINDER || kind == NS_SHAPE_CONE) consider_flat(k, k->b->R + 6, -1, CAP, 0);
  if (kind == NS_SHAPE_CYLINDER) consider_flat(k, k->b->R + 6, 1, CAP, 1);
}

/* The point of a cone that is the farthest against n. */
static void lowest(const ns_placed *a, const double *n, double *x)
{
  const ns_shape *c = a->shape;
  double l[3], on[3] = {0, 0, c->half[2]};
  ns_mul3t(a->R, n, l);
  double across = sqrt(l[0] * l[0] + l[1] * l[1]);
  if (c->radius * across + c->half[2] * l[2] > -c->half[2] * l[2]) { /* on the rim */
    for (int i = 0; i < 2 && across > 0; i++) on[i] = -c->radius * l[i] / across;
    on[2] = -c->half[2];
  }
  ns_placed_out(a, on, x);
}

/* The line of the side that is farthest against n, from the rim to the tip. */
static void side_line(const ns_placed *a, const double *n, double end[2][3])
{
  const double *axis = a->R + 6;
  double low[3];
  ns_axpy3(n, -ns_dot3(n, axis), axis, low);
  ns_unit3(low);
  for (int i = 0; i < 2; i++) ns_axpy3(a->at, (i ? 1 : -1) * a->shape->half[2], axis, end[i]);
  ns_axpy3(end[0], -a->shape->radius, low, end[0]);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Slope of the distance from p at x along u. */
static double slope(const ns_placed *p, const double *x, const double *u)
{
  double n[3];
  distance(p, x, n);
  return ns_dot3(n, u);
}

/* Where a function that rises from `below` <= 0 at low to `above` > 0 at high passes zero, to
 * rounding: false position with halved end values (Illinois; Dowell & Jarratt 1971), and bisection
 * for what jumps or is flat. */
static double zero_of(double (*value)(const void *self, double at), const void *self, double low,
                      double below, double high, double above)
{
  /* numbers between which there is no other one are as near as can be */
  const double least = DBL_EPSILON * fmax(4 * (high - low), fmax(fabs(low), fabs(high)));
  int side = 0;
  for (int i = 1; high - low > 2 * least && i < EVALUATIONS; i++) {
    double at = i % 4 ? low + (high - low) * (below / (below - above)) : (low + high) / 2;
    at = fmin(fmax(at, low + least), high - least); /* so that the other end comes, too */
    double v = value(self, at);
    if (v > 0) {
      high = at, above = v;
      if (side > 0) below /= 2;
    } else {
      low = at, below = v;
      if (side < 0) above /= 2;
    }
    side = v > 0 ? 1 : -1;
  }
  return (low + high) / 2;
}

/* x + t u, 0 <= t <= length, near p; slopes of the distance at its ends. */
typedef struct line {
  const ns_placed *p;
  const double *x, *u;
  double length, begin, end, bound;
} line;

static line line_near(const ns_placed *p, const double *x, const double *u, double length)
{
  double y[3];
  ns_axpy3(x, length, u, y);
  return (line){p, x, u, length, .begin = slope(p, x, u), .end = slope(p, y, u)};
}

static double above_bound(const void *self, double at)
{
  const line *l = self;
  double y[3];
  ns_axpy3(l->x, at, l->u, y);
  return slope(l->p, y, l->u) - l->bound;
}

/* Where on the line the slope comes to be above a bound. */
static double passes(line *l, double bound)
{
  double below = l->begin - bound, above = l->end - bound;
  l->bound = bound;
  if (below > 0) return 0;
  return above > 0 ? zero_of(above_bound, l, 0, below, l->length, above) : l->length;
}

/* A line of the second against the cone, or of_first of the cone against the second: where it is
 * nearest. Both ends of a stretch that is, else its middle. */
static void on_line(cones *k, const double *from, const double *to, int of_first, uint64_t id)
{
  const ns_placed *p = of_first ? k->b : k->a;
  way w = {.kind = CURVED, .points = 2, .of_first = of_first, .id = id};
  double u[3], x[3];
  ns_sub3(to, from, u);
  double length = ns_unit3(u);
  line l = line_near(p, from, u, length);
  double low = passes(&l, -SLOPE), high = passes(&l, SLOPE);
  double middle = (low + high) / 2;
  if (high - low < 1e-5 * k->size) low = high = middle, w.points = 1;
  ns_axpy3(from, low, u, w.x[0]);
  ns_axpy3(from, high, u, w.x[1]);
  ns_axpy3(from, middle, u, x);
  distance(p, x, w.n);
  for (int i = 0; i < 3 && !of_first; i++) w.n[i] = -w.n[i];
  consider_point(k, &w);
}

/* ---- polytopes ------------------------------------------------------------------------------- */

/* From corner v of the second, in the world, against n, unless another point of it is before. */
static void on_corner(cones *k, int v, const double *x, const double *n)
{
  way w = {.kind = CURVED,
           .points = 1,
           .id = AT_CORNER(v),
           .x[0] = {x[0], x[1], x[2]},
           .n = {-n[0], -n[1], -n[2]}};
  double s = ns_dot3(n, x) - support(k->a, n);
  if (!(parting(k, w.n) < s - 1e-5 * k->size)) consider(k, &w);
}

/* To the nearest point of the cone, and to its side, of which the base may be nearer to what is
 * inside. */
static void from_corner(cones *k, int v)
{
  const ns_shape *c = k->a->shape;
  double x[3], n[3], in[3];
  ns_placed_out(k->b, k->b->shape->polytope->vertex + 3 * v, x);
  if (distance(k->a, x, n) < 0) {
    ns_placed_in(k->a, x, in);
    double across = sqrt(in[0] * in[0] + in[1] * in[1]), up = c->radius / (2 * c->half[2]);
    double side[3] = {in[0], in[1], across * up}, out[3];
    if (ns_unit3(side) > 0) {
      ns_mul3(k->a->R, side, out);
      on_corner(k, v, x, out);
    }
  }
  on_corner(k, v, x, n);
}

/* An edge of the second, in the world. */
typedef struct ridge {
  cones *k;
  ns_edge e;
  int which;
} ridge;

static void difference(const void *self, const double *n, double *d)
{
  const ridge *r = self;
  double x[3];
  lowest(r->k->a, n, x);
  ns_sub3(x, r->e.a, d);
}

/* A rim, or a line of the side, over the edge. Lines along it are those of on_line(). */
static void on_ridge(const void *self, const double *n)
{
  const ridge *r = self;
  cones *k = r->k;
  way w = {.kind = RIDGE, .points = 1, .of_first = 1, .id = ON_EDGE(r->which)};
  double end[2][3], u[3], x[3], d[3], along, s;
  memcpy(w.n, n, sizeof w.n);
  side_line(k->a, n, end);
  ns_sub3(end[1], end[0], u);
  double half = ns_unit3(u) / 2, cosine = ns_dot3(u, r->e.u);
  if (fabs(ns_dot3(u, n)) > 1e-9) {
    lowest(k->a, n, w.x[0]);
  } else {
    double middle[3];
    if (1 - cosine * cosine < 1e-12) return;
    ns_axpy3(end[0], half, u, x);
    ns_axpy3(r->e.a, r->e.length / 2, r->e.u, middle);
    ns_sub3(middle, x, d);
    ns_nearest_lines(d, u, half, r->e.u, r->e.length / 2, &s, &along);
    ns_axpy3(x, s, u, w.x[0]);
  }
  ns_sub3(w.x[0], r->e.a, d);
  along = ns_dot3(d, r->e.u);
  if (along > 0 && along < r->e.length) consider(k, &w);
}

/* Tops of s on the arc between the normals of both faces, also of a rim that is within. */
static void over_edge(cones *k, int e)
{
  ns_relative world;
  ridge r = {.k = k, .which = e};
  ns_arc g = {.difference = difference, .top = on_ridge, .self = &r};
  memcpy(world.at, k->b->at, sizeof world.at);
  memcpy(world.R, k->b->R, sizeof world.R);
  ns_edge_of(k->b->shape->polytope, e, &world, &r.e);
  double angle = ns_arc_of_edge(&r.e, &g);
  ns_arc_tops(&g, 0, angle, 4);
}

/* The line along the edge. */
static void along_edge(cones *k, int e)
{
  const ns_polytope *q = k->b->shape->polytope;
  double from[3], to[3];
  ns_placed_out(k->b, q->vertex + 3 * q->edge[4 * e], from);
  ns_placed_out(k->b, q->vertex + 3 * q->edge[4 * e + 1], to);
  on_line(k, from, to, 0, ON_EDGE(e));
}

/* Ridges are the first of those that are equal but for rounding: they are exact. */
static void on_polytope(cones *k)
{
  const ns_polytope *q = k->b->shape->polytope;
  for (int e = 0; e < q->nedges; e++) over_edge(k, e);
  for (int v = 0; v < q->nvertices; v++) from_corner(k, v);
  for (int e = 0; e < q->nedges; e++) along_edge(k, e);
}

/* From the point x of the first to the second. */
static void on_tip(cones *k)
{
  way w = {.kind = CURVED, .points = 1, .of_first = 1, .id = AT_TIP};
  ns_axpy3(k->a->at, k->a->shape->half[2], k->a->R + 6, w.x[0]);
  distance(k->b, w.x[0], w.n);
  consider_point(k, &w);
}

/* ---- round rims and sides -------------------------------------------------------------------- */

typedef struct circle {
  const ns_placed *of, *other; /* what it is of, and what it is near to */
  double z;                    /* its height on the axis of that */
  int lines;                   /* instead of points lines up to the tip */
} circle;

/* At an angle: the point of a rim, or the nearest of a line of the side; the slope of the distance
 * as it goes round. */
static double round_at(const circle *c, double angle, double *x, double *n)
{
  const double *R = c->of->R;
  double r = c->of->shape->radius, along[3], to[3], u[3];
  for (int i = 0; i < 3; i++) {
    double axis = c->of->at[i] + c->z * R[6 + i];
    x[i] = axis + r * (cos(angle) * R[i] + sin(angle) * R[3 + i]);
    along[i] = cos(angle) * R[3 + i] - sin(angle) * R[i];
  }
  if (c->lines) {
    ns_axpy3(c->of->at, c->of->shape->half[2], R + 6, to);
    ns_sub3(to, x, u);
    double length = ns_unit3(u);
    line l = line_near(c->other, x, u, length);
    ns_axpy3(x, passes(&l, 0), u, x);
  }
  distance(c->other, x, n);
  return ns_dot3(n, along);
}

static double round_slope(void *self, double angle)
{
  double x[3], n[3];
  return round_at(self, angle, x, n);
}

static double round_value(const void *self, double angle)
{
  double x[3], n[3];
  return round_at(self, angle, x, n);
}

/* The minimum next to the touch that is looked for, between angles ever farther from it. 0: it is
 * not found. */
static int minimum_near(const cones *k, circle *c, ns_minimum *m)
{
  static const double CLOSE = 1e-3, FAR = 0.3; /* rad */
  double local[3];
  ns_placed_in(c->of, c->of == k->a ? k->near->p1 : k->near->p2, local);
  double across = sqrt(local[0] * local[0] + local[1] * local[1]);
  if (!(across > CLOSE * c->of->shape->radius)) return 0; /* all angles meet at the tip */
  double angle = atan2(local[1], local[0]);
  for (double width = CLOSE; width < FAR; width *= 5) {
    *m = (ns_minimum){.low = angle - width, .high = angle + width};
    m->below = round_slope(c, m->low);
    m->above = round_slope(c, m->high);
    if (m->below < 0 && m->above >= 0) return 1;
  }
  return 0;
}

static void on_round(cones *k, circle *c, uint64_t id)
{
  ns_minimum m[NS_MINIMA];
  way w = {.kind = CURVED, .points = 1, .of_first = c->of == k->a, .id = id};
  int n = k->near ? minimum_near(k, c, m) : 0;
  if (!n) n = ns_minima_round(round_slope, c, ROUND, m);
  for (int i = 0; i < n; i++) {
    double at = zero_of(round_value, c, m[i].low, m[i].below, m[i].high, m[i].above);
    round_at(c, at, w.x[0], w.n);
    for (int j = 0; j < 3 && !w.of_first; j++) w.n[j] = -w.n[j];
    consider_point(k, &w);
  }
}

/* The end of the axis of the second. */
static void axis_end(const cones *k, int side, double *x)
{
  ns_axpy3(k->b->at, side * k->b->shape->half[2], k->b->R + 6, x);
}

/* Of all but cones, which have a tip instead. */
static void on_axis(cones *k)
{
  double from[3], to[3];
  if (k->b->shape->kind == NS_SHAPE_CONE) return;
  axis_end(k, -1, from);
  axis_end(k, 1, to);
  on_line(k, from, to, 0, ON_AXIS);
}

static void on_rim(cones *k)
{
  circle rim = {k->a, k->b, -k->a->shape->half[2], 0};
  on_round(k, &rim, ON_RIM);
}

static void on_other_rim(cones *k, int cap)
{
  double h = k->b->shape->half[2];
  circle rim = {k->b, k->a, cap ? h : -h, 0};
  on_round(k, &rim, ON_OTHER_RIM(cap));
}

static void on_other_tip(cones *k)
{
  way w = {.kind = CURVED, .points = 1, .id = AT_OTHER_TIP};
  if (k->b->shape->kind != NS_SHAPE_CONE) return;
  axis_end(k, 1, w.x[0]);
  distance(k->a, w.x[0], w.n);
  for (int i = 0; i < 3; i++) w.n[i] = -w.n[i];
  consider_point(k, &w);
}

static void on_sides(cones *k)
{
  circle rim = {k->b, k->a, -k->b->shape->half[2], 1};
  on_round(k, &rim, ON_SIDES);
}

static void on_rod(cones *k)
{
  ns_shape_kind kind = k->b->shape->kind;
  on_axis(k);
  if (kind == NS_SHAPE_CAPSULE) return;
  on_rim(k);
  for (int cap = 0; cap < (kind == NS_SHAPE_CYLINDER ? 2 : 1); cap++) on_other_rim(k, cap);
  on_other_tip(k);
  if (kind == NS_SHAPE_CONE) on_sides(k);
}

/* ---- touches --------------------------------------------------------------------------------- */

/* Points of a curve: each with the normal of the way and its own gap along it. */
static void add_points(const cones *k, const way *w)
{
  const ns_placed *p = w->of_first ? k->b : k->a;
  int is_axis = k->b->shape->kind == NS_SHAPE_CAPSULE || k->b->shape->kind == NS_SHAPE_CYLINDER;
  double skin = !w->of_first && is_axis ? k->b->shape->radius : 0;
  for (int i = 0; i < w->points; i++) {
    double n[3], x[3], y[3], gap = w->s;
    int is_rim = w->id >> 60 == NS_MEET_RIM_2;
    if (w->points > 1) gap = distance(p, w->x[i], n) - (w->of_first || is_rim ? 0 : skin);
    if (w->of_first) {
      memcpy(x, w->x[i], sizeof x);
      ns_axpy3(x, -gap, w->n, y);
    } else {
      ns_axpy3(w->x[i], is_rim ? 0 : skin, w->n, y);
      ns_axpy3(y, gap, w->n, x);
    }
    ns_touch_add(k->t, x, y, w->n, k->margin, w->id + ((uint64_t)i << 56));
  }
}

/* The tip and the lowest point of the rim, cut to a face. */
static void side_on_face(const cones *k, const way *w)
{
  const ns_placed *a = k->a, *b = k->b;
  const ns_polytope *q = b->shape->polytope;
  const double *m = q->normal + 3 * w->which;
  double end[2][3], local[2][3];
  side_line(a, w->n, end);
  for (int i = 0; i < 2; i++) ns_placed_in(b, end[i], local[i]);
  if (!ns_clip_segment(q, w->which, 1e-5 * k->size, local[0], local[1], NULL)) return;
  for (int i = 0; i < 2; i++) {
    double x[3], y[3], foot[3];
    ns_axpy3(local[i], q->offset[w->which] - ns_dot3(m, local[i]), m, foot);
    ns_placed_out(b, local[i], x);
    ns_placed_out(b, foot, y);
    ns_touch_add(k->t, x, y, w->n, k->margin, ns_feature(NS_MEET_RIM_1, TIP + 1 + i, 0));
  }
}

/* Tip and lowest point of the rim on the cap of another. */
static void side_on_cap(const cones *k, const way *w)
{
  double end[2][3], y[3], n[3];
  side_line(k->a, w->n, end);
  for (int i = 0; i < 2; i++) {
    const double *x = end[i];
    double gap = distance(k->b, x, n);
    if (ns_dot3(n, w->n) < 1 - 1e-6) continue;
    ns_axpy3(x, -gap, w->n, y);
    ns_touch_add(k->t, x, y, w->n, k->margin, ns_feature(NS_MEET_RIM_1, TIP + 1 + i, 0));
  }
}

static void meet_flat(const cones *k, const way *w)
{
  const double upright = 0.70710678118654752440;
  const ns_shape *s = k->b->shape;
  ns_duel d = {.first = k->a,
               .second = k->b,
               .q = s->polytope,
               .only = k->only,
               .size = k->size,
               .margin = k->margin,
               .t = k->t,
               .first_touch = k->t->count};
  double n[3];
  ns_mul3t(k->b->R, w->n, n);
  ns_rod_of(k->a, k->b, 0, &d.a, d.Ra);
  if (!d.q) ns_rod_of(k->b, k->b, s->kind == NS_SHAPE_CAPSULE, &d.b, d.Rb);
  int on_base = ns_dot3(w->n, k->a->R + 6) > upright;
  double cosine = ns_dot3(w->n, k->b->R + 6);
  int has_cap = s->kind == NS_SHAPE_CYLINDER ? fabs(cosine) > upright
                                             : s->kind == NS_SHAPE_CONE && cosine < -upright;
  if (d.q && on_base)
    ns_duel_disc_on_face(&d, n, w->kind == FACE ? w->which : ns_duel_facing(&d, n));
  else if (w->kind == FACE) side_on_face(k, w);
  else if (on_base && has_cap) ns_duel_disc_on_disc(&d, n);
  else if (on_base && s->kind != NS_SHAPE_CONE && fabs(cosine) < upright)
    ns_duel_line_on_disc(&d, n, 0);
  else if (w->kind == CAP) side_on_cap(k, w);
}

/* The end of a capsule, or the point of a cone, that meets the base of the first: of that every
 * point is the lowest. */
static int is_under_base(const cones *k, way *w)
{
  const ns_placed *b = k->b;
  double minus[3] = {-w->n[0], -w->n[1], -w->n[2]};
  int is_capsule = b->shape->kind == NS_SHAPE_CAPSULE;
  if (w->kind != BASE || !(is_capsule || b->shape->kind == NS_SHAPE_CONE)) return 0;
  double end = ns_dot3(w->n, b->R + 6) > 0 ? b->shape->half[2] : -b->shape->half[2];
  if (is_capsule) ns_axpy3(b->at, end, b->R + 6, w->x[0]);
  else lowest(b, minus, w->x[0]);
  return 1;
}

/* Uphill from n, by steps that are halved; returns s there. */
static double top_near(const cones *k, double *n)
{
  double s = parting(k, n), t[2][3], to[3];
  double step = 0.1;
  for (int tries = 0; tries < 200 && step > 1e-8; tries++) {
    int rises = 0;
    ns_tangents3(n, t[0], t[1]);
    for (int i = 0; i < 4 && !rises; i++) {
      ns_axpy3(n, i & 1 ? -step : step, t[i / 2], to);
      ns_unit3(to);
      double more = parting(k, to);
      rises = more > s + 1e-13 * k->size;
      if (rises) s = more, memcpy(n, to, sizeof to);
    }
    if (!rises) step /= 2;
  }
  return s;
}

/* The top of s that is uphill from n, which changes; 1 where it is the best. */
static int climb_from(cones *k, double *n)
{
  way w = {.kind = CURVED, .points = 1, .of_first = 1, .id = BESIDE};
  w.s = top_near(k, n);
  if (!(w.s > k->best.s + 1e-5 * k->size)) return 0;
  memcpy(w.n, n, sizeof w.n);
  lowest(k->a, w.n, w.x[0]);
  k->best = w;
  return 1;
}

/* Rims within the other have tops of s on arcs between normals, which no curve meets: sought from
 * the best way and from beside it. */
static void climb(cones *k)
{
  static const double beside[9][2] = {{0, 0}, {0.4, 0}, {-0.4, 0}, {0, 0.4}, {0, -0.4},
                                      {1, 1}, {1, -1},  {-1, 1},   {-1, -1}};
  const double from[3] = {k->best.n[0], k->best.n[1], k->best.n[2]};
  double t[2][3], n[3];
  ns_tangents3(from, t[0], t[1]);
  for (int i = 0; i < 9; i++) {
    ns_axpy3(from, beside[i][0], t[0], n);
    ns_axpy3(n, beside[i][1], t[1], n);
    ns_unit3(n);
    climb_from(k, n);
  }
}

/* As all ways, but of those round rims and sides, which take most of the time, only the one that
 * has the identity of a touch. Others may be as good but for rounding: the first of them is the
 * best, as where all are sought, for a contact that is another one at each look is none. */
static void again(cones *k, uint64_t id)
{
  double n[3] = {k->near->n[0], k->near->n[1], k->near->n[2]};
  on_tip(k);
  if (k->b->shape->polytope) {
    on_polytope(k);
    return;
  }
  on_axis(k);
  if (id == ON_RIM) on_rim(k);
  else if (id == ON_OTHER_RIM(0) || id == ON_OTHER_RIM(1)) on_other_rim(k, (int)(id & 1));
  on_other_tip(k);
  if (id == ON_SIDES) on_sides(k);
  else if (id == BESIDE && k->best.s < 0 && !climb_from(k, n)) climb(k);
}

/* The way that parts them most. 0: they are farther apart than the margin. */
static int part(cones *k)
{
  k->size = fmin(k->a->shape->reach, k->b->shape->reach);
  on_flats(k);
  k->flat = k->best;
  if (k->flat.s >= k->margin) return 0;
  if (k->near) {
    again(k, k->near->feature);
    return k->best.s < k->margin;
  }
  on_tip(k);
  if (k->b->shape->polytope) on_polytope(k);
  else on_rod(k);
  if (k->best.s >= k->margin) return 0;
  if (k->best.s < 0 && !k->b->shape->polytope) climb(k);
  return 1;
}

double ns_cones_apart(const ns_placed *a, const ns_placed *b, double enough)
{
  cones k = {.a = a, .b = b, .margin = enough, .best = {.s = -INFINITY}};
  part(&k);
  return k.best.s;
}

void ns_touch_cones(const ns_placed *a, const ns_placed *b, double margin, const ns_allowed *only,
                    ns_touches *t)
{
  cones k = {.a = a, .b = b, .only = only, .margin = margin, .t = t, .best = {.s = -INFINITY}};
  if (!only) k.near = t->near;
  double d[3], reach = a->shape->reach + b->shape->reach + margin;
  int before = t->count;
  ns_sub3(a->at, b->at, d);
  if (!only && ns_dot3(d, d) > reach * reach) return;
  if (!part(&k)) return;
  int is_flat = ns_dot3(k.flat.n, k.best.n) > 1 - 1e-6;
  if (is_flat) meet_flat(&k, &k.flat);
  double min = INFINITY;
  for (int i = before; i < t->count; i++) min = fmin(min, t->at[i].gap);
  if (min <= k.best.s + 1e-4 * k.size || (only && is_flat)) return;
  t->count = before; /* what is deepest is beside the face */
  if (k.best.kind <= RIDGE) {
    add_points(&k, &k.best);
    return;
  }
  k.best.points = 1;
  k.best.id = BESIDE;
  k.best.of_first = !is_under_base(&k, &k.best);
  if (k.best.of_first) lowest(a, k.best.n, k.best.x[0]);
  add_points(&k, &k.best);
}

void ns_touch_cone(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  ns_touch_cones(a, b, margin, NULL, t);
}
