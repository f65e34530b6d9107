/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/vector.h"
#include "collision/minima.h"
#include "collision/touch_cylinder.h"

/* Candidates in the order of preference: flat ones, then those that are better by more than
 * rounding. */
static void consider(const ns_duel *k, ns_parting *best, double s, const double *n,
                     ns_encounter kind, int which)
{
  if (!(s > best->s + 1e-9 * k->size)) return;
  if (s < k->margin && !ns_allows(k->only, n, s)) return; /* apart is apart, whatever n */
  *best = (ns_parting){s, {n[0], n[1], n[2]}, kind, which};
}

/* s(n), with the point v of the second where it is the farthest, else with its support. */
static double parting(const ns_duel *k, const double *n, const double *v)
{
  double d[3], reach = ns_rod_reach(&k->a, n);
  if (!v && k->q) v = k->q->vertex + 3 * ns_polytope_support(k->q, n);
  ns_sub3(k->a.c, v ? v : k->b.c, d);
  if (!v) reach += ns_rod_reach(&k->b, n);
  else if (!k->q) reach += k->b.R; /* an end of a capsule */
  return ns_dot3(n, d) - reach;
}

/* The difference of the support points: its part across n is the gradient of s on the sphere. */
static void difference(const ns_duel *k, const double *n, const double *v, double *d)
{
  double minus[3] = {-n[0], -n[1], -n[2]}, x[3], y[3];
  ns_rod_support(&k->a, minus, x);
  if (v) memcpy(y, v, sizeof y);
  else ns_rod_support(&k->b, n, y);
  ns_sub3(x, y, d);
}

/* ---- flat: faces and caps -------------------------------------------------------------------- */

static void on_cap(const ns_duel *k, const ns_rod *r, ns_encounter kind, ns_parting *best)
{
  for (int e = -1; e < 2; e += 2) {
    double n[3] = {e * r->u[0], e * r->u[1], e * r->u[2]};
    consider(k, best, parting(k, n, NULL), n, kind, e);
  }
}

static void on_flat(const ns_duel *k, ns_parting *best)
{
  for (int f = 0; k->q && f < k->q->nfaces; f++) {
    const double *n = k->q->normal + 3 * f;
    consider(k, best, ns_dot3(n, k->a.c) - ns_rod_reach(&k->a, n) - k->q->offset[f], n, NS_ON_FACE,
             f);
  }
  on_cap(k, &k->a, NS_ON_CAP_1, best);
  if (!k->q && !k->b.round) on_cap(k, &k->b, NS_ON_CAP_2, best);
}

/* ---- arcs: a rim against a line -------------------------------------------------------------- */

static double slope(const ns_arc *g, double angle, double *n)
{
  double d[3], t[3];
  for (int i = 0; i < 3; i++) {
    n[i] = cos(angle) * g->f1[i] + sin(angle) * g->f2[i];
    t[i] = cos(angle) * g->f2[i] - sin(angle) * g->f1[i];
  }
  g->difference(g->self, n, d);
  return ns_dot3(d, t);
}

/* The top between two angles where s rises and falls: false position after Illinois, halving where
 * that stalls (at a kink of s). */
static void climb(const ns_arc *g, double low, double rise, double high, double fall, double *n)
{
  int last = 0;
  for (int i = 0; i < 80; i++) {
    double at = i > 30 ? (low + high) / 2 : low + (high - low) * rise / (rise - fall), s;
    if (!(at > low && at < high)) at = (low + high) / 2;
    s = slope(g, at, n);
    if (s == 0 || high - low < 1e-15) return;
    int side = s > 0 ? 1 : -1;
    if (s > 0) low = at, rise = s;
    else high = at, fall = s;
    if (side == last && s > 0) fall /= 2;
    if (side == last && s < 0) rise /= 2;
    last = side;
  }
}

void ns_arc_tops(const ns_arc *g, double from, double to, int pieces)
{
  double n[3], low = from, rise = slope(g, low, n);
  for (int i = 1; i <= pieces; i++) {
    double high = from + (to - from) * i / pieces, fall = slope(g, high, n);
    if (rise > 0 && fall <= 0) {
      climb(g, low, rise, high, fall, n);
      g->top(g->self, n);
    }
    low = high;
    rise = fall;
  }
}

double ns_arc_of_edge(const ns_edge *e, ns_arc *g)
{
  double c = ns_dot3(e->n1, e->n2);
  memcpy(g->f1, e->n1, sizeof g->f1);
  ns_axpy3(e->n2, -c, e->n1, g->f2);
  double s = ns_unit3(g->f2);
  return atan2(s, c);
}

/* Against the line through v, or the rod b. */
typedef struct against {
  const ns_duel *k;
  const double *v;
  ns_encounter kind;
  int which;
  ns_parting *best;
} against;

static void difference_at(const void *self, const double *n, double *d)
{
  const against *g = self;
  difference(g->k, n, g->v, d);
}

static void consider_top(const void *self, const double *n)
{
  const against *g = self;
  consider(g->k, g->best, parting(g->k, n, g->v), n, g->kind, g->which);
}

/* ---- against a polytope ---------------------------------------------------------------------- */

/* Is n, across the edge, between the normals of its faces? */
static int within(const ns_edge *e, const double *n)
{
  double c[3], d[3];
  ns_cross3(e->n1, n, c);
  ns_cross3(n, e->n2, d);
  return ns_dot3(c, e->u) > 0 && ns_dot3(d, e->u) > 0;
}

static void on_edge(const ns_duel *k, int i, ns_parting *best)
{
  ns_edge e;
  double n[3];
  against at = {k, e.a, NS_ON_RIM, i, best};
  ns_arc g = {.difference = difference_at, .top = consider_top, .self = &at};
  ns_edge_of(k->q, i, NULL, &e);
  ns_cross3(k->a.u, e.u, n);
  if (ns_unit3(n) > 1e-6)
    for (int sign = 0; sign < 2; sign++) {
      if (within(&e, n)) consider(k, best, parting(k, n, e.a), n, NS_ON_LINES, i);
      ns_scale(3, -1, n);
    }
  double angle = ns_arc_of_edge(&e, &g);
  ns_arc_tops(&g, 0, angle, 2);
}

/* From the point v of the second: across the axis, and from the nearest point of the cylinder where
 * v is outside of it. */
static void on_point(const ns_duel *k, const double *v, int which, ns_parting *best)
{
  const ns_rod *a = &k->a;
  double d[3], side[3], n[3], radius = k->q ? 0 : k->b.R;
  ns_sub3(a->c, v, d);
  double along = ns_dot3(d, a->u), beyond = fabs(along) - a->L;
  ns_axpy3(d, -along, a->u, side);
  double across = ns_unit3(side);
  if (across - a->R - radius > best->s)
    consider(k, best, parting(k, side, NULL), side, NS_ON_POINT, which);
  if (across <= a->R || beyond <= 0) return;
  for (int i = 0; i < 3; i++) n[i] = (across - a->R) * side[i] + copysign(beyond, along) * a->u[i];
  if (ns_unit3(n) - radius > best->s) consider(k, best, parting(k, n, NULL), n, NS_ON_POINT, which);
}

/* ---- against a rod --------------------------------------------------------------------------- */

/* Rim of `one` round the side of the other. */
static void on_side(const ns_duel *k, const ns_rod *other, ns_encounter kind, ns_parting *best)
{
  against side = {k, NULL, kind, -1, best};
  ns_arc g = {.difference = difference_at, .top = consider_top, .self = &side};
  ns_tangents3(other->u, g.f1, g.f2);
  ns_arc_tops(&g, 0, 6.28318530717958647693, 16);
}

/* 1 if s has a top on the axis of one rod next to n: there a cap is met, which is another's task.
 * The rim lowers s by R |n x u|, with a kink on the axis; is the slope of all else less than R? */
static int is_near_cap(const ns_duel *k, const ns_rod *r, const double *n)
{
  const double near = 0.2;
  double axis[3], d[3];
  if (ns_across(n, r->u) > near) return 0;
  for (int i = 0; i < 3; i++) axis[i] = copysign(1, ns_dot3(n, r->u)) * r->u[i];
  ns_duel without = *k;
  if (r == &k->a) without.a.R = 0;
  else without.b.R = 0;
  difference(&without, axis, NULL, d);
  return ns_across(d, axis) < r->R;
}

/* Gradient g and Hessian H = (H00, H01, H11) of s on the sphere, by tangents t of n:
 * d2s = -s - R k k^T/|n x u| for each rim, k its tangent at the point that supports. 0 on an axis,
 * where a rim has no such point. */
static int derivatives(const ns_duel *k, const double *n, double t[2][3], double *g, double *H)
{
  const ns_rod *rod[2] = {&k->a, &k->b};
  double d[3];
  ns_tangents3(n, t[0], t[1]);
  difference(k, n, NULL, d);
  g[0] = ns_dot3(d, t[0]);
  g[1] = ns_dot3(d, t[1]);
  H[0] = H[2] = -parting(k, n, NULL);
  H[1] = 0;
  for (int i = 0; i < 2; i++) {
    double m[3], across;
    ns_cross3(rod[i]->u, n, m);
    across = ns_unit3(m);
    if (across < 1e-6) return 0;
    double x = ns_dot3(m, t[0]), y = ns_dot3(m, t[1]), curved = rod[i]->R / across;
    H[0] -= curved * x * x;
    H[1] -= curved * x * y;
    H[2] -= curved * y * y;
  }
  return 1;
}

/* One step upwards, Newton's where s bends down, cut until s grows; returns its length, negative
 * where it cannot be taken. */
static double step_up(const ns_duel *k, double *n)
{
  double t[2][3], g[2], H[3], x, y, s = parting(k, n, NULL), to[3];
  if (is_near_cap(k, &k->a, n) || is_near_cap(k, &k->b, n)) return -1;
  if (!derivatives(k, n, t, g, H)) return -1;
  double det = H[0] * H[2] - H[1] * H[1], steep = hypot(g[0], g[1]);
  if (det > 0 && H[0] < 0) {
    x = -(H[2] * g[0] - H[1] * g[1]) / det;
    y = -(H[0] * g[1] - H[1] * g[0]) / det;
  } else {
    x = 0.2 * g[0] / steep;
    y = 0.2 * g[1] / steep;
  }
  double length = hypot(x, y), part = length > 0.3 ? 0.3 / length : 1;
  if (!(length > 1e-14)) return 0;
  for (int i = 0; i < 20; i++, part /= 2) {
    ns_axpy3(n, part * x, t[0], to);
    ns_axpy3(to, part * y, t[1], to);
    ns_unit3(to);
    if (parting(k, to, NULL) < s - (length < 1e-7 ? 1e-14 * k->size : 0)) continue;
    memcpy(n, to, sizeof to);
    return length;
  }
  return -1;
}

/* The caps that support n, as one of four pairs. */
enum { PAIRS = 4, SAMPLES = NS_MINIMA_SAMPLES };

static int pair_along(const ns_duel *k, const double *n)
{
  return (ns_dot3(n, k->a.u) > 0) + 2 * (ns_dot3(n, k->b.u) > 0);
}

/* The rims of a pair alone: their s is smooth where that of the cylinders has kinks, on the
 * equators. A point goes round the smaller one, in a plane x, y, as two minima of the distance are
 * the farthest apart there: its tangent t, and d from the nearest point of the other; the least
 * |d| that was met. */
typedef struct rims {
  ns_duel duel;
  int on_second;
  double x[3], y[3], t[3], d[3], least;
} rims;

static void rims_of(const ns_duel *k, int pair, rims *m)
{
  *m = (rims){.duel = *k, .on_second = k->b.R < k->a.R, .least = INFINITY};
  ns_axpy3(k->a.c, pair & 1 ? -k->a.L : k->a.L, k->a.u, m->duel.a.c);
  ns_axpy3(k->b.c, pair & 2 ? k->b.L : -k->b.L, k->b.u, m->duel.b.c);
  m->duel.a.L = m->duel.b.L = 0;
  ns_tangents3(m->on_second ? k->b.u : k->a.u, m->x, m->y);
}

static double slope_of_rims(void *self, double angle)
{
  rims *m = self;
  const ns_rod *own = m->on_second ? &m->duel.b : &m->duel.a,
               *other = m->on_second ? &m->duel.a : &m->duel.b;
  double from[3], out[3];
  for (int i = 0; i < 3; i++) {
    m->t[i] = cos(angle) * m->y[i] - sin(angle) * m->x[i];
    from[i] = own->c[i] + own->R * (cos(angle) * m->x[i] + sin(angle) * m->y[i]) - other->c[i];
  }
  ns_axpy3(from, -ns_dot3(from, other->u), other->u, out);
  ns_unit3(out);
  ns_axpy3(from, -other->R, out, m->d);
  m->least = fmin(m->least, ns_norm3(m->d));
  return ns_dot3(m->d, m->t);
}

/* A top of a pair of rims counts where these are the ones that support its direction: elsewhere it
 * is no top of the cylinders. */
static void top_near(const ns_duel *k, const rims *m, const double *from, ns_parting *best)
{
  double n[3] = {from[0], from[1], from[2]}, length = 1;
  ns_unit3(n);
  for (int i = 0; i < 40 && length > 1e-14; i++) length = step_up(&m->duel, n);
  if (!(length >= 0 && length < 1e-9)) return;
  double s = parting(k, n, NULL);
  if (s >= parting(&m->duel, n, NULL) - 1e-12 * k->size) consider(k, best, s, n, NS_ON_RIM, -1);
}

/* Tops of s along the nearest points of the rims between two angles. There may be two minima with a
 * maximum between them, where discs that are nearly parallel overlap by a narrow lens, seen along
 * their axes. */
static void on_near_rims(const ns_duel *k, rims *m, const ns_minimum *between, ns_parting *best)
{
  enum { PARTS = 8 };
  ns_minimum part = {.high = between->low, .above = between->below};
  for (int i = 1; i <= PARTS; i++) {
    part.low = part.high;
    part.below = part.above;
    part.high = between->low + (between->high - between->low) * i / PARTS;
    part.above = slope_of_rims(m, part.high);
    if (!(part.below < 0 && part.above >= 0)) continue;
    ns_minimum_go_to(slope_of_rims, m, &part);
    if (m->on_second) ns_scale(3, -1, m->d);
    top_near(k, m, m->d, best);
  }
}

/* As s is concave and of the first degree in n, a positive top is the only one: the way between the
 * nearest points. */
static void on_rims_apart(const ns_duel *k, ns_parting *best)
{
  for (int pair = 0; pair < PAIRS; pair++) {
    ns_minimum minimum[NS_MINIMA];
    rims m;
    rims_of(k, pair, &m);
    int n = ns_minima_round(slope_of_rims, &m, SAMPLES, minimum);
    for (int i = 0; i < n; i++) on_near_rims(k, &m, &minimum[i], best);
  }
}

/* No points of both rims are as near to each other as `reach`: between samples the distance from
 * the second changes by less than half the arc. */
static int are_beyond(rims *m, double reach)
{
  const double turn = 6.28318530717958647692;
  for (int i = 0; i < SAMPLES; i++) slope_of_rims(m, turn * i / SAMPLES);
  return m->least > reach + fmin(m->duel.a.R, m->duel.b.R) * turn / (2 * SAMPLES);
}

/* Of those that overlap there may be more: from either side of the best so far, and from all round
 * where s is not much less. At a top, rims are as near to each other as it is deep. */
static void on_rims_inside(const ns_duel *k, ns_parting *best)
{
  const ns_parting so_far = *best;
  rims of[PAIRS];
  int beyond[PAIRS];
  double n[3];
  for (int pair = 0; pair < PAIRS; pair++) {
    rims_of(k, pair, &of[pair]);
    beyond[pair] = are_beyond(&of[pair], -so_far.s);
  }
  for (int i = 0; i < 8; i++) {
    double x = i < 4 ? 0.02 : 0.3;
    ns_axpy3(so_far.n, i & 1 ? x : -x, k->a.u, n);
    ns_axpy3(n, i & 2 ? x : -x, k->b.u, n);
    int pair = pair_along(k, n);
    if (!beyond[pair]) top_near(k, &of[pair], n, best);
  }
  for (int i = 0; i < 125; i++) {
    int is_double = 1; /* of another direction */
    for (int j = 0, r = i; j < 3; j++, r /= 5) {
      n[j] = r % 5 - 2;
      is_double = is_double && r % 5 % 2 == 0;
    }
    int pair = pair_along(k, n);
    if (is_double || beyond[pair]) continue;
    ns_unit3(n);
    if (parting(k, n, NULL) > so_far.s - 0.3 * k->size) top_near(k, &of[pair], n, best);
  }
}

static void on_rod(const ns_duel *k, ns_parting *best)
{
  double n[3], d[3];
  ns_cross3(k->a.u, k->b.u, n);
  double crossing = ns_unit3(n);
  ns_sub3(k->a.c, k->b.c, d);
  for (int sign = 0; sign < 2 && crossing > 1e-6; sign++) {
    consider(k, best, parting(k, n, NULL), n, NS_ON_LINES, -1);
    ns_scale(3, -1, n);
  }
  ns_axpy3(d, -ns_dot3(d, k->b.u), k->b.u, n);
  if (crossing < 1e-3 && ns_unit3(n) > 0)
    consider(k, best, parting(k, n, NULL), n, NS_ON_LINES, -1);
  on_side(k, &k->b, NS_ON_RIM, best);
  if (k->b.round) {
    for (int e = -1; e < 2; e += 2) {
      double v[3];
      ns_axpy3(k->b.c, e * k->b.L, k->b.u, v);
      on_point(k, v, e, best);
    }
    return;
  }
  on_side(k, &k->a, NS_ON_POINT, best);
  if (best->s < k->margin) on_rims_apart(k, best);
  if (best->s < 0) on_rims_inside(k, best);
}

int ns_duel_part(const ns_duel *k, ns_parting *flat, ns_parting *best)
{
  *best = (ns_parting){.s = -INFINITY};
  on_flat(k, best);
  *flat = *best;
  if (flat->s >= k->margin) return 0;
  for (int e = 0; k->q && e < k->q->nedges; e++) on_edge(k, e, best);
  for (int v = 0; k->q && v < k->q->nvertices; v++) on_point(k, k->q->vertex + 3 * v, v, best);
  if (!k->q) on_rod(k, best);
  return best->s < k->margin;
}
