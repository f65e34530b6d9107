/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spheres and capsules: a point or a segment, and a radius about it. */
#include "collision/touch_parts.h"

/* Of two points at distance d along n (from y to x) with radii about them. */
static void add_round(const double *x, double rx, const double *y, double ry, const double *n,
                      double margin, uint64_t feature, ns_touches *t)
{
  double p1[3], p2[3];
  ns_axpy3(x, -rx, n, p1);
  ns_axpy3(y, ry, n, p2);
  ns_touch_add(t, p1, p2, n, margin, feature);
}

/* Two balls; concentric ones are parted along z. */
static void add_balls(const double *x, double rx, const double *y, double ry, double margin,
                      uint64_t feature, ns_touches *t)
{
  double n[3], reach = rx + ry + margin;
  ns_sub3(x, y, n);
  if (ns_dot3(n, n) >= reach * reach) return;
  if (ns_unit3(n) == 0) n[2] = 1;
  add_round(x, rx, y, ry, n, margin, feature, t);
}

static void add_ball_plane(const double *x, double r, const ns_placed *plane, double margin,
                           uint64_t feature, ns_touches *t)
{
  const double *n = plane->R + 6;
  double d[3], y[3];
  ns_sub3(x, plane->at, d);
  ns_axpy3(x, -ns_dot3(n, d), n, y);
  add_round(x, r, y, 0, n, margin, feature, t);
}

void ns_touch_sphere_plane(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  add_ball_plane(a->at, a->shape->radius, b, margin, 0, t);
}

void ns_touch_sphere_sphere(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  add_balls(a->at, a->shape->radius, b->at, b->shape->radius, margin, 0, t);
}

/* ---- segments -------------------------------------------------------------------------------- */

/* End e (-1 or 1), or any point between, of the segment of a capsule. */
static void point_of(const ns_placed *a, double e, double *x)
{
  ns_axpy3(a->at, e * a->shape->half[2], a->R + 6, x);
}

void ns_touch_sphere_capsule(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  double d[3], y[3];
  ns_sub3(a->at, b->at, d);
  point_of(b, ns_clamp(ns_dot3(d, b->R + 6) / b->shape->half[2], -1, 1), y);
  add_balls(a->at, a->shape->radius, y, b->shape->radius, margin, 0, t);
}

void ns_touch_capsule_plane(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  for (int e = 0; e < 2; e++) {
    double x[3];
    point_of(a, 2 * e - 1, x);
    add_ball_plane(x, a->shape->radius, b, margin, (unsigned)e, t);
  }
}

/* Parallel segments touch along a line: where it begins and ends. */
static int along(const double *d, const double *u, double S, double c, double L, double *s)
{
  double middle = ns_dot3(d, u), reach = L * fabs(c);
  s[0] = ns_clamp(middle - reach, -S, S);
  s[1] = ns_clamp(middle + reach, -S, S);
  return middle - reach < S && middle + reach > -S;
}

void ns_touch_capsule_capsule(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  const double *u = a->R + 6, *w = b->R + 6;
  double S = a->shape->half[2], L = b->shape->half[2], ra = a->shape->radius, rb = b->shape->radius;
  double d[3], x[3], y[3], c = ns_dot3(u, w), s[2], r;
  ns_sub3(b->at, a->at, d);
  if (1 - c * c < 1e-8 && along(d, u, S, c, L, s)) {
    for (unsigned e = 0; e < 2; e++) {
      ns_axpy3(a->at, s[e], u, x);
      ns_sub3(x, b->at, y);
      ns_axpy3(b->at, ns_clamp(ns_dot3(y, w), -L, L), w, y);
      add_balls(x, ra, y, rb, margin, e, t);
    }
    return;
  }
  if (1 - c * c < 1e-8) { /* one behind the other */
    r = ns_clamp(-ns_dot3(d, w), -L, L);
    s[0] = ns_clamp(ns_dot3(d, u) + c * r, -S, S);
  } else {
    ns_nearest_lines(d, u, S, w, L, s, &r);
  }
  ns_axpy3(a->at, s[0], u, x);
  ns_axpy3(b->at, r, w, y);
  add_balls(x, ra, y, rb, margin, 0, t);
}

/* ---- against polytopes ----------------------------------------------------------------------- */

/* Nearest point of the segment of the loop's edge i to x. */
static void on_edge(const ns_polytope *p, int a, int b, const double *x, double *y)
{
  const double *va = p->vertex + 3 * a;
  double e[3], d[3];
  ns_sub3(p->vertex + 3 * b, va, e);
  ns_sub3(x, va, d);
  ns_axpy3(va, ns_clamp(ns_dot3(d, e) / ns_dot3(e, e), 0, 1), e, y);
}

/* Is the foot of x on the plane of face f within it? */
static int over_face(const ns_polytope *p, int f, const double *x)
{
  for (int i = p->first[f]; i < p->first[f + 1]; i++) {
    const double *a = p->vertex + 3 * p->loop[i];
    double e[3], d[3], out[3];
    ns_sub3(p->vertex + 3 * p->loop[i + 1 < p->first[f + 1] ? i + 1 : p->first[f]], a, e);
    ns_cross3(e, p->normal + 3 * f, out);
    ns_sub3(x, a, d);
    if (ns_dot3(out, d) > 0) return 0;
  }
  return 1;
}

static double on_edges(const ns_polytope *p, const double *x, double *point, double *n)
{
  double best = INFINITY;
  for (int e = 0; e < p->nedges; e++) {
    double y[3], d[3], s;
    on_edge(p, p->edge[4 * e], p->edge[4 * e + 1], x, y);
    ns_sub3(x, y, d);
    s = ns_dot3(d, d);
    if (s >= best) continue;
    best = s;
    memcpy(point, y, sizeof y);
    memcpy(n, d, sizeof d);
  }
  return ns_unit3(n);
}

double ns_polytope_nearest(const ns_polytope *p, const double *x, double *point, double *n,
                           int *face)
{
  double max = -INFINITY;
  int above = 0;
  *face = 0;
  for (int f = 0; f < p->nfaces; f++) {
    double s = ns_dot3(p->normal + 3 * f, x) - p->offset[f];
    if (s > max) max = s, *face = f;
    if (s > 0 && !above && over_face(p, f, x)) above = f + 1;
  }
  if (above) *face = above - 1;
  else if (max > 0) {
    *face = -1;
    return on_edges(p, x, point, n);
  }
  const double *normal = p->normal + 3 * *face;
  double s = ns_dot3(normal, x) - p->offset[*face];
  memcpy(n, normal, 3 * sizeof *n);
  ns_axpy3(x, -s, n, point);
  return s;
}

/* Of the ball about x with a polytope. */
static void add_ball_polytope(const double *x, double r, const ns_placed *b, double margin,
                              uint64_t feature, ns_touches *t)
{
  double local[3], y[3], n[3], world[3], out[3];
  int face;
  ns_placed_in(b, x, local);
  if (ns_polytope_nearest(b->shape->polytope, local, y, n, &face) >= r + margin) return;
  ns_placed_out(b, y, world);
  ns_mul3(b->R, n, out);
  add_round(x, r, world, 0, out, margin, feature, t);
}

void ns_touch_sphere_polytope(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  add_ball_polytope(a->at, a->shape->radius, b, margin, 0, t);
}

int ns_clip_segment(const ns_polytope *p, int f, double slack, double *x, double *y, int *side)
{
  double from = 0, to = 1, u[3], x0[3];
  int begin = -1, end = -1;
  ns_sub3(y, x, u);
  memcpy(x0, x, sizeof x0);
  for (int i = p->first[f]; i < p->first[f + 1]; i++) {
    const double *a = p->vertex + 3 * p->loop[i];
    double e[3], d[3], out[3];
    ns_sub3(p->vertex + 3 * p->loop[i + 1 < p->first[f + 1] ? i + 1 : p->first[f]], a, e);
    ns_cross3(e, p->normal + 3 * f, out);
    ns_unit3(out);
    ns_sub3(x0, a, d);
    double s = ns_dot3(out, d) - slack, slope = ns_dot3(out, u);
    if (slope == 0) {
      if (s > 0) return 0;
    } else if (slope > 0) {
      if (-s / slope < to) to = -s / slope, end = i;
    } else if (-s / slope > from) from = -s / slope, begin = i;
  }
  if (from > to) return 0;
  ns_axpy3(x0, from, u, x);
  ns_axpy3(x0, to, u, y);
  if (side) side[0] = begin, side[1] = end;
  return 1;
}

/* Does the segment x .. y pass through? (Cyrus & Beck 1978) */
static int overlaps(const ns_polytope *p, const double *x, const double *y)
{
  double from = 0, to = 1;
  for (int f = 0; f < p->nfaces; f++) {
    double a = ns_dot3(p->normal + 3 * f, x) - p->offset[f],
           b = ns_dot3(p->normal + 3 * f, y) - p->offset[f];
    if (a > 0 && b > 0) return 0;
    if (a > 0) from = fmax(from, a / (a - b));
    else if (b > 0) to = fmin(to, a / (a - b));
  }
  return from < to;
}

/* The face that the segment is least below, and where: its deepest end and the foot of that. */
static int min_deep(const ns_polytope *p, double x[2][3], double *xs, double *ys)
{
  double max = -INFINITY;
  int best = 0, end = 0;
  for (int f = 0; f < p->nfaces; f++) {
    const double *n = p->normal + 3 * f;
    int e = ns_dot3(n, x[1]) < ns_dot3(n, x[0]);
    double s = ns_dot3(n, x[e]) - p->offset[f];
    if (s > max) max = s, best = f, end = e;
  }
  memcpy(xs, x[end], 3 * sizeof *xs);
  ns_axpy3(xs, -max, p->normal + 3 * best, ys);
  return best;
}

/* Nearest points of a segment (ends in x, axis u, half length S about mid) and a polytope apart
 * from it: on the segment to xs, on the polytope to ys. Returns the face that an end is over, -1
 * where there is none. */
static int nearest_segment(const ns_polytope *p, double x[2][3], double *xs, double *ys)
{
  double mid[3], u[3], min = INFINITY, n[3], foot[3];
  int face = -1, f;
  for (int e = 0; e < 2; e++) {
    double s = ns_polytope_nearest(p, x[e], foot, n, &f);
    if (s >= min) continue;
    min = s, face = f;
    memcpy(xs, x[e], sizeof foot);
    memcpy(ys, foot, sizeof foot);
  }
  ns_sub3(x[1], x[0], u);
  double S = ns_unit3(u) / 2;
  ns_axpy3(x[0], S, u, mid);
  for (int e = 0; e < p->nedges; e++) {
    const double *a = p->vertex + 3 * p->edge[4 * e];
    double w[3], c[3], d[3], s, r, on[3];
    ns_sub3(p->vertex + 3 * p->edge[4 * e + 1], a, w);
    double L = ns_unit3(w) / 2, cosine = ns_dot3(u, w);
    if (1 - cosine * cosine < 1e-12) continue; /* their ends say it */
    ns_axpy3(a, L, w, c);
    ns_sub3(c, mid, d);
    ns_nearest_lines(d, u, S, w, L, &s, &r);
    ns_axpy3(mid, s, u, on);
    ns_axpy3(c, r, w, foot);
    ns_sub3(on, foot, n);
    if (ns_norm3(n) >= min * (1 - 1e-12)) continue;
    min = ns_norm3(n), face = -1;
    memcpy(xs, on, sizeof on);
    memcpy(ys, foot, sizeof foot);
  }
  return face;
}

/* Both ends of what is over a face: a capsule that lies on it does not roll over. */
static int over_both(const ns_placed *a, const ns_placed *b, double x[2][3], int f, double margin,
                     ns_touches *t)
{
  const ns_polytope *p = b->shape->polytope;
  double n[3];
  if (!ns_clip_segment(p, f, 1e-9 * fmin(a->shape->reach, b->shape->reach), x[0], x[1], NULL))
    return 0;
  ns_mul3(b->R, p->normal + 3 * f, n);
  for (unsigned e = 0; e < 2; e++) {
    double foot[3], from[3], to[3];
    ns_axpy3(x[e], p->offset[f] - ns_dot3(p->normal + 3 * f, x[e]), p->normal + 3 * f, foot);
    ns_placed_out(b, x[e], from);
    ns_placed_out(b, foot, to);
    add_round(from, a->shape->radius, to, 0, n, margin, e, t);
  }
  return 1;
}

void ns_touch_capsule_polytope(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  const ns_polytope *p = b->shape->polytope;
  double x[2][3], xs[3] = {0}, ys[3] = {0}, from[3], to[3], out[3];
  int face, inside;
  for (int e = 0; e < 2; e++) {
    point_of(a, 2 * e - 1, from);
    ns_placed_in(b, from, x[e]);
  }
  inside = overlaps(p, x[0], x[1]);
  face = inside ? min_deep(p, x, xs, ys) : nearest_segment(p, x, xs, ys);
  if (face >= 0 && over_both(a, b, x, face, margin, t)) return;
  ns_placed_out(b, xs, from);
  ns_placed_out(b, ys, to);
  if (!inside) {
    add_balls(from, a->shape->radius, to, 0, margin, 2, t);
    return;
  }
  ns_mul3(b->R, p->normal + 3 * face, out);
  add_round(from, a->shape->radius, to, 0, out, margin, 2, t);
}
