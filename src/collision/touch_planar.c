/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Touches in the plane z = 0. What a shape leaves there is a point, a segment or a convex polygon, with a radius about it, or a half
 * plane. The side of either that parts two most is cut to by the most opposite side of the other: one touch for each end of what is
 * left; where nothing is left the nearest corners meet. Touches are named by the corner that they are at. */
#include "collision/touch_parts.h"

typedef struct section {
  int n;
  double x[NS_POLYTOPE_CORNERS][2], r;
  int id[NS_POLYTOPE_CORNERS];
} section;

static double dot2(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1]; }

static void corner(section *s, double x, double y, int id)
{
  s->x[s->n][0] = x;
  s->x[s->n][1] = y;
  s->id[s->n++] = id;
}

/* The face that looks up is the section of a prism, counterclockwise. */
static void section_of_polytope(const ns_placed *p, section *s)
{
  const ns_polytope *q = p->shape->polytope;
  const double up[3] = {p->R[2], p->R[5], p->R[8]};
  int f = 0;
  for (int i = 1; i < q->nfaces; i++)
    if (ns_dot3(q->normal + 3 * i, up) > ns_dot3(q->normal + 3 * f, up)) f = i;
  for (int i = q->first[f]; i < q->first[f + 1]; i++) {
    double x[3];
    ns_placed_out(p, q->vertex + 3 * q->loop[i], x);
    corner(s, x[0], x[1], q->loop[i]);
  }
}

static void section_of(const ns_placed *p, section *s)
{
  const double *at = p->at, *u = p->R + 6, L = p->shape->half[2], R = p->shape->radius;
  int lies = fabs(u[2]) < 0.5;
  *s = (section){.n = 0};
  if (p->shape->polytope) section_of_polytope(p, s);
  else if (!lies || p->shape->kind == NS_SHAPE_SPHERE) {
    s->r = R;
    corner(s, at[0], at[1], 0);
  } else if (p->shape->kind == NS_SHAPE_CAPSULE) {
    s->r = R;
    for (int e = 0; e < 2; e++) corner(s, at[0] + (2 * e - 1) * L * u[0], at[1] + (2 * e - 1) * L * u[1], e);
  } else {
    static const int along[4] = {-1, 1, 1, -1}, across[4] = {-1, -1, 1, 1};
    for (int i = 0; i < 4; i++) corner(s, at[0] + along[i] * L * u[0] - across[i] * R * u[1], at[1] + along[i] * L * u[1] + across[i] * R * u[0], i);
  }
}

/* Outward unit normal of the side from corner i. */
static void normal_of(const section *s, int i, double *n)
{
  const double *a = s->x[i], *b = s->x[(i + 1) % s->n];
  double length = hypot(b[0] - a[0], b[1] - a[1]);
  n[0] = (b[1] - a[1]) / length;
  n[1] = -(b[0] - a[0]) / length;
}

/* Largest distance of q from a side of p; a point has none. */
static double part(const section *p, const section *q, int *side)
{
  double most = -INFINITY;
  for (int i = 0; i < p->n && p->n > 1; i++) {
    double n[2], least = INFINITY;
    normal_of(p, i, n);
    for (int j = 0; j < q->n; j++) least = fmin(least, dot2(n, q->x[j]) - dot2(n, p->x[i]));
    if (least > most) most = least, *side = i;
  }
  return most;
}

typedef struct meeting {
  const section *p, *q; /* p has the side, or its corner comes first */
  int swapped;          /* p is the second shape */
  double margin;
  ns_touches *t;
} meeting;

/* Core points x of p and y of q, n from p to q. */
static void add(const meeting *k, const double *x, const double *y, const double *n, int of_q, int id)
{
  double a[3] = {x[0] + k->p->r * n[0], x[1] + k->p->r * n[1], 0}, b[3] = {y[0] - k->q->r * n[0], y[1] - k->q->r * n[1], 0};
  double s = k->swapped ? 1 : -1, m[3] = {s * n[0], s * n[1], 0};
  uint64_t name = of_q != k->swapped ? ns_feature(NS_MEET_CORNER_2, 0, id) : ns_feature(NS_MEET_CORNER_1, id, 0);
  ns_touch_add(k->t, k->swapped ? b : a, k->swapped ? a : b, m, k->margin, name);
}

/* The side of q at its corner nearest to p along n that is most opposite to n: begins at its result. */
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
  const double *a = p->x[i], *b = p->x[(i + 1) % p->n];
  double n[2], u[2], length = hypot(b[0] - a[0], b[1] - a[1]), slack = 1e-9 * length;
  normal_of(p, i, n);
  u[0] = -n[1], u[1] = n[0];
  int j = opposite(q, n), ends = q->n > 1 ? 2 : 1, found = 0;
  const double *end[2] = {q->x[j], q->x[(j + 1) % q->n]};
  double s[2];
  for (int e = 0; e < ends; e++) s[e] = dot2(u, end[e]) - dot2(u, a);
  for (int e = 0; e < ends; e++) {
    double at = s[e], foot[2], y[2] = {end[e][0], end[e][1]};
    int id = q->id[e ? (j + 1) % q->n : j], of_q = 1;
    if (at < -slack || at > length + slack) {
      double limit = at < 0 ? 0 : length, part_way = ends > 1 && s[1] != s[0] ? (limit - at) / (s[1 - e] - at) : -1;
      if (!(part_way >= 0 && part_way <= 1)) continue; /* both ends are beyond it */
      for (int c = 0; c < 2; c++) y[c] += part_way * (end[1 - e][c] - end[e][c]);
      at = limit;
      id = p->id[limit > 0 ? (i + 1) % p->n : i];
      of_q = 0;
    }
    for (int c = 0; c < 2; c++) foot[c] = a[c] + at * u[c];
    double gap = dot2(n, y) - dot2(n, a);
    for (int c = 0; c < 2; c++) y[c] = foot[c] + gap * n[c];
    add(k, foot, y, n, of_q, id);
    found = 1;
  }
  return found;
}

static void meet_corners(const meeting *k)
{
  const section *p = k->p, *q = k->q;
  double least = INFINITY, n[2];
  int i = 0, j = 0;
  for (int v = 0; v < p->n; v++)
    for (int w = 0; w < q->n; w++) {
      double d = hypot(q->x[w][0] - p->x[v][0], q->x[w][1] - p->x[v][1]);
      if (d < least) least = d, i = v, j = w;
    }
  for (int c = 0; c < 2; c++) n[c] = least > 0 ? (q->x[j][c] - p->x[i][c]) / least : c;
  add(k, p->x[i], q->x[j], n, 0, p->id[i]);
}

static void meet_half_plane(const ns_placed *plane, const section *s, int plane_is_first, double margin, ns_touches *t)
{
  double n[3] = {plane->R[6], plane->R[7], 0}, out[3];
  ns_unit3(n);
  for (int i = 0; i < 3; i++) out[i] = plane_is_first ? -n[i] : n[i];
  for (int i = 0; i < s->n; i++) {
    double x[3] = {s->x[i][0], s->x[i][1], 0}, y[3], d[3] = {x[0] - plane->at[0], x[1] - plane->at[1], 0};
    ns_axpy3(x, -ns_dot3(n, d), n, y);
    ns_axpy3(x, -s->r, n, x);
    ns_touch_add(t, plane_is_first ? y : x, plane_is_first ? x : y, out, margin, plane_is_first ? ns_feature(NS_MEET_CORNER_2, 0, s->id[i]) : ns_feature(NS_MEET_CORNER_1, s->id[i], 0));
  }
}

void ns_touch_planar(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  section p, q;
  int f = 0, g = 0;
  if (a->shape->kind == NS_SHAPE_MESH || b->shape->kind == NS_SHAPE_MESH) return;
  if (a->shape->kind == NS_SHAPE_PLANE || b->shape->kind == NS_SHAPE_PLANE) {
    int first = a->shape->kind == NS_SHAPE_PLANE;
    if (first && b->shape->kind == NS_SHAPE_PLANE) return;
    section_of(first ? b : a, &p);
    meet_half_plane(first ? a : b, &p, first, margin, t);
    return;
  }
  section_of(a, &p);
  section_of(b, &q);
  double sp = part(&p, &q, &f), sq = part(&q, &p, &g), reach = p.r + q.r + margin;
  if (sp >= reach || sq >= reach) return;
  int second = sq > sp + 1e-9 * fmin(a->shape->reach, b->shape->reach);
  meeting k = {second ? &q : &p, second ? &p : &q, second, margin, t};
  if (k.p->n < 2 || !meet_side(&k, second ? g : f)) meet_corners(&k);
}
