/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/touch_clip.h"

void ns_polygon_face(const ns_polytope *q, int f, const ns_relative *r, int first, ns_polygon *g)
{
  int from = q->first[f];
  g->n = q->first[f + 1] - from;
  for (int i = 0; i < g->n; i++) {
    int v = q->loop[from + i];
    ns_relative_out(r, q->vertex + 3 * v, g->x[i]);
    g->id[i] = first ? ns_feature(NS_MEET_CORNER_1, v, 0) : ns_feature(NS_MEET_CORNER_2, 0, v);
    g->side[i] = q->side[from + i];
  }
}

/* A side that cuts: the half space out.x <= offset. */
typedef struct knife {
  const ns_polytope *p;
  int f, k, second; /* side k of face f */
  double out[3], offset, slack;
} knife;

static void sharpen(knife *s)
{
  int n = s->p->first[s->f + 1] - s->p->first[s->f];
  const int *loop = s->p->loop + s->p->first[s->f];
  const double *v = s->p->vertex + 3 * loop[s->k];
  double e[3];
  ns_sub3(s->p->vertex + 3 * loop[(s->k + 1) % n], v, e);
  ns_cross3(e, s->p->normal + 3 * s->f, s->out);
  ns_unit3(s->out);
  s->offset = ns_dot3(s->out, v);
}

/* Where the polygon's side crosses the knife; between two knives it is a corner of their face. */
static uint64_t name(const knife *s, int side)
{
  int from = s->p->first[s->f], n = s->p->first[s->f + 1] - from;
  if (side >= 0) {
    int edge = s->p->side[from + s->k];
    return s->second ? ns_feature(NS_MEET_EDGES, side, edge)
                     : ns_feature(NS_MEET_EDGES, edge, side);
  }
  int v = s->p->loop[from + (~side == (s->k + 1) % n ? ~side : s->k)];
  return s->second ? ns_feature(NS_MEET_CORNER_2, 0, v) : ns_feature(NS_MEET_CORNER_1, v, 0);
}

static void push(ns_polygon *h, const double *x, uint64_t id, int side)
{
  memcpy(h->x[h->n], x, sizeof *h->x);
  h->id[h->n] = id;
  h->side[h->n++] = side;
}

static void push_crossing(ns_polygon *h, const ns_polygon *g, int i, int j, double part,
                          const knife *s, int side)
{
  double d[3], x[3];
  ns_sub3(g->x[j], g->x[i], d);
  ns_axpy3(g->x[i], part, d, x);
  push(h, x, name(s, g->side[i]), side);
}

static void cut(const ns_polygon *g, const knife *s, ns_polygon *h)
{
  h->n = 0;
  for (int i = 0; i < g->n; i++) {
    int j = i + 1 < g->n ? i + 1 : 0;
    double a = ns_dot3(s->out, g->x[i]) - s->offset, b = ns_dot3(s->out, g->x[j]) - s->offset;
    int leaves = a <= s->slack && b > s->slack, enters = a > s->slack && b < -s->slack;
    if (a <= s->slack) push(h, g->x[i], g->id[i], leaves && a >= -s->slack ? ~s->k : g->side[i]);
    if (leaves && a < -s->slack) push_crossing(h, g, i, j, a / (a - b), s, ~s->k);
    if (enters) push_crossing(h, g, i, j, a / (a - b), s, g->side[i]);
  }
}

void ns_polygon_clip(ns_polygon *g, const ns_polytope *p, int f, double slack, int second)
{
  ns_polygon other, *from = g, *to = &other;
  knife s = {.p = p, .f = f, .second = second, .slack = slack};
  int n = p->first[f + 1] - p->first[f];
  for (s.k = 0; s.k < n && from->n; s.k++) {
    sharpen(&s);
    cut(from, &s, to);
    ns_polygon *swap = from;
    from = to;
    to = swap;
  }
  if (from == g) return;
  g->n = from->n;
  memcpy(g->x, from->x, (size_t)g->n * sizeof *g->x);
  memcpy(g->id, from->id, (size_t)g->n * sizeof *g->id);
  memcpy(g->side, from->side, (size_t)g->n * sizeof *g->side);
}
