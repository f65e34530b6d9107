/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Touches in the plane z = 0. A disk, a polygon or a segment of a chain is a point, a polygon or a
 * segment with a radius about it. The side of either of two that parts them most is cut to by the
 * most opposite side of the other: one touch for each end of what is left; where nothing is left
 * the nearest corners meet. Touches are named by the corner that they are at.
 *
 * A segment goes on in its chain: a normal at its end counts where it is one of the chain, between
 * those of both segments, so that what slides along a chain feels no ends. Normals that do not
 * count still part the two. */
#include "algebra/vector.h"
#include "collision/shape_planar.h"
#include "collision/touch_parts.h"

typedef struct section {
  int n, link; /* link: which segment of its chain it is, counted from 1; 0: no chain */
  double x[NS_POLYTOPE_CORNERS][2], r;
  int id[NS_POLYTOPE_CORNERS];
  double beyond[2][2]; /* of a link: the corners of the chain before and after it */
  int goes_on[2];      /* where there are such */
} section;

static const double TILT = 1e-9; /* of normals at corners of chains, rad */

static double dot2(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1]; }

static void section_of(const ns_placed *p, section *s)
{
  s->link = s->n = 0;
  s->r = p->shape->radius;
  if (!p->shape->corner) {
    memcpy(s->x[0], p->at, sizeof s->x[0]);
    s->id[s->n++] = 0;
  }
  for (; s->n < p->shape->ncorners; s->n++) {
    ns_corner_at(p, s->n, s->x[s->n]);
    s->id[s->n] = s->n;
  }
}

/* Segment k of a chain. */
static void section_of_link(const ns_placed *p, int k, section *s)
{
  int n = p->shape->ncorners, closed = p->shape->closed;
  s->n = 2;
  s->link = k + 1;
  s->r = 0;
  for (int e = 0; e < 2; e++) {
    s->id[e] = (k + e) % n;
    ns_corner_at(p, s->id[e], s->x[e]);
  }
  s->goes_on[0] = closed || k > 0;
  s->goes_on[1] = closed || k + 2 < n;
  if (s->goes_on[0]) ns_corner_at(p, (k + n - 1) % n, s->beyond[0]);
  if (s->goes_on[1]) ns_corner_at(p, (k + 2) % n, s->beyond[1]);
}

static void direction(const double *from, const double *to, double *d)
{
  double length = hypot(to[0] - from[0], to[1] - from[1]);
  for (int c = 0; c < 2; c++) d[c] = (to[c] - from[c]) / length;
}

/* n, away from the chain, is one of its normals at corner e of a link: none where it goes straight
 * on. What is no link has all. */
static int allows(const section *s, int e, const double *n)
{
  double along[2], on[2];
  if (!s->link) return 1;
  direction(s->x[e], s->x[1 - e], along);
  if (dot2(n, along) > TILT) return 0;
  if (!s->goes_on[e]) return 1;
  direction(s->x[e], s->beyond[e], on);
  int straight = dot2(along, on) < 0 && fabs(along[0] * on[1] - along[1] * on[0]) <= TILT;
  return dot2(n, on) <= TILT && !straight;
}

/* Outward unit normal of the side from corner i; its length. */
static double normal_of(const section *s, int i, double *n)
{
  const double *a = s->x[i], *b = s->x[(i + 1) % s->n];
  double length = hypot(b[0] - a[0], b[1] - a[1]);
  n[0] = (b[1] - a[1]) / length;
  n[1] = -(b[0] - a[0]) / length;
  return length;
}

/* Largest distance of q from a side of p whose normal counts; a point has none. *apart grows to
 * that of a side whose normal does not. */
static double part(const section *p, const section *q, int *side, double *apart)
{
  double max = -INFINITY;
  for (int i = 0; i < p->n && p->n > 1; i++) {
    double n[2], min = INFINITY;
    int at = 0;
    normal_of(p, i, n);
    for (int j = 0; j < q->n; j++) {
      double d = dot2(n, q->x[j]) - dot2(n, p->x[i]);
      if (d < min) min = d, at = j;
    }
    if (!allows(q, at, (double[]){-n[0], -n[1]})) *apart = fmax(*apart, min);
    else if (min > max) max = min, *side = i;
  }
  return max;
}

typedef struct meeting {
  const section *p, *q; /* p has the side, or its corner comes first */
  int swapped;          /* p is the second shape */
  double margin;
  ns_touches *t;
  int first; /* of this pair of shapes in t */
} meeting;

/* A corner of a chain belongs to two of its links. */
static int is_known(const meeting *k, uint64_t name)
{
  for (int i = k->first; i < k->t->count; i++)
    if (k->t->at[i].feature == name) return 1;
  return 0;
}

/* Core points x of p and y of q, n from p to q; at corner `at` of q or of p. */
static void add(const meeting *k, const double *x, const double *y, const double *n, int of_q,
                int at)
{
  const section *s = of_q ? k->q : k->p, *other = of_q ? k->p : k->q;
  if (!allows(s, at, of_q ? (double[]){-n[0], -n[1]} : n)) return;
  double a[3] = {x[0] + k->p->r * n[0], x[1] + k->p->r * n[1], 0},
         b[3] = {y[0] - k->q->r * n[0], y[1] - k->q->r * n[1], 0};
  double sign = k->swapped ? 1 : -1, m[3] = {sign * n[0], sign * n[1], 0};
  int id = s->id[at], second = of_q != k->swapped;
  uint64_t name = second ? ns_feature(NS_MEET_CORNER_2, other->link, id)
                         : ns_feature(NS_MEET_CORNER_1, id, other->link);
  if (!is_known(k, name))
    ns_touch_add(k->t, k->swapped ? b : a, k->swapped ? a : b, m, k->margin, name);
}

/* The side of q at its corner nearest to p along n that is most opposite to n: begins at its
 * result. */
static int opposite(const section *q, const double *n)
{
  int best = 0, before;
  double m[2], l[2];
  for (int j = 1; j < q->n; j++)
    if (dot2(n, q->x[j]) < dot2(n, q->x[best])) best = j;
  if (q->n < 2) return best;
  before = (best + q->n - 1) % q->n;
  normal_of(q, best, m);
  normal_of(q, before, l);
  return dot2(n, l) < dot2(n, m) ? before : best;
}

/* Side i of p against what of q is over it; 0 where nothing is. */
static int meet_side(const meeting *k, int i)
{
  const section *p = k->p, *q = k->q;
  const double *a = p->x[i];
  double n[2], u[2], length = normal_of(p, i, n), slack = 1e-9 * length;
  u[0] = -n[1], u[1] = n[0];
  int j = opposite(q, n), ends = q->n > 1 ? 2 : 1, found = 0;
  const double *end[2] = {q->x[j], q->x[(j + 1) % q->n]};
  double s[2];
  for (int e = 0; e < ends; e++) s[e] = dot2(u, end[e]) - dot2(u, a);
  for (int e = 0; e < ends; e++) {
    double at = s[e], foot[2], y[2] = {end[e][0], end[e][1]};
    int corner = e ? (j + 1) % q->n : j, of_q = 1;
    if (at < -slack || at > length + slack) {
      double limit = at < 0 ? 0 : length,
             part_way = ends > 1 && s[1] != s[0] ? (limit - at) / (s[1 - e] - at) : -1;
      if (!(part_way >= 0 && part_way <= 1)) continue; /* both ends are beyond it */
      for (int c = 0; c < 2; c++) y[c] += part_way * (end[1 - e][c] - end[e][c]);
      at = limit;
      corner = limit > 0 ? (i + 1) % p->n : i;
      of_q = 0;
    }
    ns_linear_sum(2, a, at, u, foot);
    double gap = dot2(n, y) - dot2(n, a);
    ns_linear_sum(2, foot, gap, n, y);
    add(k, foot, y, n, of_q, corner);
    found = 1;
  }
  return found;
}

/* What is over a side is not the nearest of rounded polygons where their corners are: these then
 * are nearer than any side parts the cores by `max`. */
static int misses_the_nearest(const meeting *k, double max, int before)
{
  double r = k->p->r + k->q->r, min = INFINITY;
  for (int i = before; i < k->t->count; i++) min = fmin(min, k->t->at[i].gap);
  return r > 0 && max > 0 && k->t->count > before && min + r > max + 2e-6 * r;
}

static void meet_corners(const meeting *k)
{
  const section *p = k->p, *q = k->q;
  double min = INFINITY, n[2];
  int i = 0, j = 0;
  for (int v = 0; v < p->n; v++)
    for (int w = 0; w < q->n; w++) {
      double d = hypot(q->x[w][0] - p->x[v][0], q->x[w][1] - p->x[v][1]);
      if (d < min) min = d, i = v, j = w;
    }
  for (int c = 0; c < 2; c++) n[c] = min > 0 ? (q->x[j][c] - p->x[i][c]) / min : c;
  int of_q = q->link != 0; /* a chain says which of its corners have such a normal */
  add(k, p->x[i], q->x[j], n, of_q, of_q ? j : i);
}

static void meet_half_plane(const ns_placed *plane, const section *s, int plane_is_first,
                            double margin, ns_touches *t)
{
  double n[3] = {plane->R[6], plane->R[7], 0}, out[3];
  ns_unit3(n);
  for (int i = 0; i < 3; i++) out[i] = plane_is_first ? -n[i] : n[i];
  for (int i = 0; i < s->n; i++) {
    double x[3] = {s->x[i][0], s->x[i][1], 0}, y[3],
           d[3] = {x[0] - plane->at[0], x[1] - plane->at[1], 0};
    ns_axpy3(x, -ns_dot3(n, d), n, y);
    ns_axpy3(x, -s->r, n, x);
    ns_touch_add(t, plane_is_first ? y : x, plane_is_first ? x : y, out, margin,
                 plane_is_first ? ns_feature(NS_MEET_CORNER_2, 0, s->id[i])
                                : ns_feature(NS_MEET_CORNER_1, s->id[i], 0));
  }
}

static void meet(const section *p, const section *q, const ns_placed *a, const ns_placed *b,
                 double margin, int first, ns_touches *t)
{
  int f = 0, g = 0;
  double apart = -INFINITY, sp = part(p, q, &f, &apart), sq = part(q, p, &g, &apart),
         reach = p->r + q->r + margin;
  if (sp >= reach || sq >= reach || apart >= reach) return;
  int second = sq > sp + 1e-9 * fmin(a->shape->reach, b->shape->reach);
  meeting k = {second ? q : p, second ? p : q, second, margin, t, first};
  int before = t->count, over = k.p->n > 1 && meet_side(&k, second ? g : f);
  if (over && k.q->n > 1 && misses_the_nearest(&k, fmax(sp, sq), before)) {
    t->count = before;
    over = 0;
  }
  if (!over) meet_corners(&k);
}

/* The chain is the first or the second of the two. */
static void meet_chain(const ns_placed *chain, const ns_placed *body, int chain_is_first,
                       double margin, ns_touches *t)
{
  section link, s;
  double low[3], high[3];
  int links = chain->shape->ncorners - !chain->shape->closed, first = t->count;
  section_of(body, &s);
  ns_placed_bounds(body, margin, low, high);
  for (int k = 0; k < links; k++) {
    int near = 1;
    section_of_link(chain, k, &link);
    for (int i = 0; i < 2; i++)
      near &= fmin(link.x[0][i], link.x[1][i]) <= high[i] &&
              fmax(link.x[0][i], link.x[1][i]) >= low[i];
    if (near && chain_is_first) meet(&link, &s, chain, body, margin, first, t);
    else if (near) meet(&s, &link, body, chain, margin, first, t);
  }
}

static int is_boundary(const ns_placed *p)
{
  return p->shape->kind == NS_SHAPE_PLANE || p->shape->kind == NS_SHAPE_CHAIN;
}

/* Two disks, as `meet_corners` of their centres; most pairs of large scenes are such. */
static void meet_disks(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  static const double ROUNDING = 1e-12;
  double r = a->shape->radius, s = b->shape->radius, reach = r + s + margin,
         d[2] = {b->at[0] - a->at[0], b->at[1] - a->at[1]}, n[2];
  if (dot2(d, d) > (1 + ROUNDING) * reach * reach) return;
  double length = hypot(d[0], d[1]);
  for (int c = 0; c < 2; c++) n[c] = length > 0 ? d[c] / length : c;
  double x[3] = {a->at[0] + r * n[0], a->at[1] + r * n[1], 0},
         y[3] = {b->at[0] - s * n[0], b->at[1] - s * n[1], 0}, out[3] = {-n[0], -n[1], 0};
  ns_touch_add(t, x, y, out, margin, ns_feature(NS_MEET_CORNER_1, 0, 0));
}

static int is_disk(const ns_placed *p) { return p->shape->kind == NS_SHAPE_DISK; }

void ns_touch_planar(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  if (is_disk(a) && is_disk(b)) {
    meet_disks(a, b, margin, t);
    return;
  }
  section p, q;
  int first = is_boundary(a);
  if (first && is_boundary(b)) return;
  if (first || is_boundary(b)) {
    const ns_placed *boundary = first ? a : b, *body = first ? b : a;
    section_of(body, &p);
    if (boundary->shape->kind == NS_SHAPE_PLANE) meet_half_plane(boundary, &p, first, margin, t);
    else meet_chain(boundary, body, first, margin, t);
    return;
  }
  section_of(a, &p);
  section_of(b, &q);
  meet(&p, &q, a, b, margin, t->count, t);
}
