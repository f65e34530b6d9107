/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Polytopes past each other's faces: the nearest of corners to the other body, and of edges to
 * edges, by trying all. Edges that run along each other are near at two corners: all corners as
 * near as the nearest count. A last resort, few pairs come here. */
#include "collision/touch_parts.h"

typedef struct search {
  const ns_placed *a, *b;
  const ns_relative *r;
  double reach, slack; /* how far to look; below it distances are equal */
  double margin;
  ns_touches *t;
} search;

/* Points x on the first, y on the second, in the axes of the first. */
static void add(const search *k, const double *x, const double *y, const double *n, uint64_t id)
{
  double from[3], to[3], out[3];
  ns_placed_out(k->a, x, from);
  ns_placed_out(k->a, y, to);
  ns_mul3(k->a->R, n, out);
  ns_touch_add(k->t, from, to, out, k->margin, id);
}

/* Corner v of the first (or of the second): the nearest point of the other, and n from the second
 * to the first. */
static double of_corner(const search *k, int second, int v, double *x, double *y, double *n)
{
  const ns_polytope *p = k->a->shape->polytope, *q = k->b->shape->polytope;
  double local[3], foot[3], m[3], gap;
  int face;
  if (second) {
    ns_relative_out(k->r, q->vertex + 3 * v, y);
    gap = ns_polytope_nearest(p, y, x, m, &face);
    for (int i = 0; i < 3; i++) n[i] = -m[i];
  } else {
    memcpy(x, p->vertex + 3 * v, 3 * sizeof *x);
    gap = ns_polytope_nearest(q, ns_relative_in(k->r, x, local), foot, m, &face);
    ns_relative_out(k->r, foot, y);
    ns_mul3(k->r->R, m, n);
  }
  return gap;
}

static double min_of_corners(const search *k)
{
  double min = INFINITY, x[3], y[3], n[3];
  for (int second = 0; second < 2; second++) {
    int count = second ? k->b->shape->polytope->nvertices : k->a->shape->polytope->nvertices;
    for (int v = 0; v < count; v++) min = fmin(min, of_corner(k, second, v, x, y, n));
  }
  return min;
}

/* Two corners that are nearest to each other are one touch, named by that of the first. */
static int is_known(const search *k, int from, const double *y)
{
  double world[3], d[3];
  ns_placed_out(k->a, y, world);
  for (int i = from; i < k->t->count; i++) {
    ns_sub3(k->t->at[i].p2, world, d);
    if (ns_norm3(d) <= k->slack) return 1;
  }
  return 0;
}

static void add_corners(const search *k, double max)
{
  int from = k->t->count;
  double x[3], y[3], n[3];
  for (int second = 0; second < 2; second++) {
    int count = second ? k->b->shape->polytope->nvertices : k->a->shape->polytope->nvertices;
    for (int v = 0; v < count; v++) {
      if (of_corner(k, second, v, x, y, n) > max || is_known(k, from, y)) continue;
      add(k, x, y, n,
          second ? ns_feature(NS_MEET_CORNER_2, 0, v) : ns_feature(NS_MEET_CORNER_1, v, 0));
    }
  }
}

/* The nearest pair of edges that cross, if it is nearer than `min` by more than slack. */
static int add_edges(const search *k, double min)
{
  const ns_polytope *p = k->a->shape->polytope, *q = k->b->shape->polytope;
  double best[3][3];
  int e = -1, g = -1;
  for (int j = 0; j < q->nedges; j++)
    for (int i = 0; i < p->nedges; i++) {
      ns_edge v, w;
      double d[3], s, l, x[3], y[3], n[3];
      ns_edge_of(p, i, NULL, &v);
      ns_edge_of(q, j, k->r, &w);
      if (fabs(ns_dot3(v.u, w.u)) > 1 - 1e-12) continue; /* their corners say it */
      ns_axpy3(v.a, v.length / 2, v.u, v.a);
      ns_axpy3(w.a, w.length / 2, w.u, w.a);
      ns_sub3(w.a, v.a, d);
      ns_nearest_lines(d, v.u, v.length / 2, w.u, w.length / 2, &s, &l);
      ns_axpy3(v.a, s, v.u, x);
      ns_axpy3(w.a, l, w.u, y);
      ns_sub3(x, y, n);
      double gap = ns_unit3(n);
      if (gap >= min - k->slack) continue;
      min = gap, e = i, g = j;
      memcpy(best[0], x, sizeof x);
      memcpy(best[1], y, sizeof y);
      memcpy(best[2], n, sizeof n);
    }
  if (e >= 0) add(k, best[0], best[1], best[2], ns_feature(NS_MEET_EDGES, e, g));
  return e >= 0;
}

void ns_touch_apart(const ns_placed *a, const ns_placed *b, const ns_relative *r, double margin,
                    ns_touches *t)
{
  search k = {.a = a, .b = b, .r = r, .margin = margin, .t = t};
  k.slack = 1e-9 * fmin(a->shape->reach, b->shape->reach);
  double min = min_of_corners(&k);
  if (!add_edges(&k, fmin(min, margin))) add_corners(&k, min + k.slack);
}
