/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boxes and hulls among themselves and on planes.
 *
 * The axis of least overlap, or of largest distance, is a normal of a face of either or a product of two edges (Gottschalk, Lin &
 * Manocha 1996); of edges only those whose arcs of normals cross (Gregorius 2013). On an axis of a face, the face of the other
 * that is most opposite is cut by the prism of the first (touch_clip.h): one touch for each corner of what is left. Forces on a
 * polygon have the wrenches of forces on its corners (each point is a mean of them), so nothing is lost and nothing more is kept.
 * Where nothing is left, or edges pass each other, the shapes are apart at corners and edges: touch_apart.c. */
#include "collision/touch_clip.h"
#include "collision/touch_parts.h"

void ns_touch_polytope_plane(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  const ns_polytope *p = a->shape->polytope;
  const double *n = b->R + 6;
  for (int i = 0; i < p->nvertices; i++) {
    double x[3], d[3], y[3];
    ns_placed_out(a, p->vertex + 3 * i, x);
    ns_sub3(x, b->at, d);
    ns_axpy3(x, -ns_dot3(n, d), n, y);
    ns_touch_add(t, x, y, n, margin, (unsigned)i);
  }
}

/* ---- axes -------------------------------------------------------------------------------------------------------------------- */

/* Largest distance of q (r: in the axes of p) from a face of p; early out above margin. */
static double part_by_faces(const ns_polytope *p, const ns_polytope *q, const ns_relative *r, double margin, int *face)
{
  double most = -INFINITY;
  for (int f = 0; f < p->nfaces && most < margin; f++) {
    const double *n = p->normal + 3 * f;
    double d[3];
    ns_mul3t(r->R, n, d);
    for (int i = 0; i < 3; i++) d[i] = -d[i];
    double s = ns_dot3(n, r->at) - ns_dot3(d, q->vertex + 3 * ns_polytope_support(q, d)) - p->offset[f];
    if (s > most) most = s, *face = f;
  }
  return most;
}

/* Do the arcs n1 n2 of e and -n1 -n2 of g cross on the sphere of directions? u is along n1 x n2, so that triple products are
 * plain ones. */
static int arcs_cross(const ns_edge *e, const ns_edge *g)
{
  double a = ns_dot3(e->n1, g->u), b = ns_dot3(e->n2, g->u), c = -ns_dot3(g->n1, e->u), d = -ns_dot3(g->n2, e->u);
  return c * d < 0 && a * b < 0 && c * b > 0;
}

typedef struct crossing {
  double s, n[3]; /* n from the first to the second, in the axes of the first */
  int e, g;
} crossing;

static void part_by_edges(const ns_polytope *p, const ns_polytope *q, const ns_relative *r, double margin, crossing *most)
{
  most->s = -INFINITY;
  for (int j = 0; j < q->nedges; j++) {
    ns_edge g, e;
    ns_edge_of(q, j, r, &g);
    for (int i = 0; i < p->nedges && most->s < margin; i++) {
      double n[3], d[3], s;
      ns_edge_of(p, i, NULL, &e);
      if (!arcs_cross(&e, &g)) continue;
      ns_cross3(e.u, g.u, n);
      if (ns_unit3(n) < 1e-9) continue;
      if (ns_dot3(n, e.n1) + ns_dot3(n, e.n2) < 0)
        for (int k = 0; k < 3; k++) n[k] = -n[k];
      ns_sub3(g.a, e.a, d);
      s = ns_dot3(n, d);
      if (s <= most->s) continue;
      most->s = s, most->e = i, most->g = j;
      memcpy(most->n, n, sizeof n);
    }
  }
}

/* ---- touches ------------------------------------------------------------------------------------------------------------------ */

/* Nearest points of the lines of two edges, if they are on the edges. */
static void touch_edges(const ns_placed *a, const ns_placed *b, const ns_relative *r, const crossing *k, double margin, ns_touches *t)
{
  const ns_polytope *p = a->shape->polytope, *q = b->shape->polytope;
  ns_edge e, g;
  double d[3], x[3], y[3], n[3], from[3], to[3];
  ns_edge_of(p, k->e, NULL, &e);
  ns_edge_of(q, k->g, r, &g);
  ns_sub3(g.a, e.a, d);
  double c = ns_dot3(e.u, g.u), du = ns_dot3(d, e.u), dg = ns_dot3(d, g.u), det = 1 - c * c;
  double s = (du - c * dg) / det, l = (c * du - dg) / det, slack = 1e-9 * (e.length + g.length) / sqrt(det);
  if (s < -slack || s > e.length + slack || l < -slack || l > g.length + slack) return;
  ns_axpy3(e.a, s, e.u, x);
  ns_axpy3(g.a, l, g.u, y);
  ns_placed_out(a, x, from);
  ns_placed_out(b, ns_relative_in(r, y, d), to);
  ns_mul3(a->R, k->n, n);
  for (int i = 0; i < 3; i++) n[i] = -n[i]; /* from b to a */
  ns_touch_add(t, from, to, n, margin, ns_feature(NS_MEET_EDGES, k->e, k->g));
}

/* Of the faces at its farthest corner along -n, the one of p that is most opposite to n. */
static int opposite(const ns_polytope *p, const double *n, double slack)
{
  const double minus[3] = {-n[0], -n[1], -n[2]}, *v = p->vertex + 3 * ns_polytope_support(p, minus);
  double least = INFINITY;
  int best = 0;
  for (int f = 0; f < p->nfaces; f++) {
    double c = ns_dot3(p->normal + 3 * f, n);
    if (c >= least || ns_dot3(p->normal + 3 * f, v) < p->offset[f] - slack) continue;
    best = f;
    least = c;
  }
  return best;
}

/* Face f of a, with the face of b that lies on it. swapped: a is the second shape. */
static void touch_face(const ns_placed *a, const ns_placed *b, const ns_relative *r, int f, int swapped, double margin, ns_touches *t)
{
  const ns_polytope *p = a->shape->polytope, *q = b->shape->polytope;
  const double *n = p->normal + 3 * f;
  const double slack = 1e-5 * fmin(a->shape->reach, b->shape->reach);
  double in[3], world[3];
  ns_polygon g;
  ns_mul3t(r->R, n, in);
  ns_polygon_face(q, opposite(q, in, slack), r, swapped, &g);
  ns_polygon_clip(&g, p, f, slack, swapped);
  ns_mul3(a->R, n, world);
  if (!swapped)
    for (int i = 0; i < 3; i++) world[i] = -world[i]; /* from the second to the first */
  for (int i = 0; i < g.n; i++) {
    double foot[3], x[3], y[3];
    ns_axpy3(g.x[i], p->offset[f] - ns_dot3(n, g.x[i]), n, foot);
    ns_placed_out(a, foot, x);
    ns_placed_out(a, g.x[i], y);
    ns_touch_add(t, swapped ? y : x, swapped ? x : y, world, margin, g.id[i]);
  }
}

/* A tilt below which two directions are one: corners and gaps by either agree to its square. */
static int parallel(const double *n, const double *m) { return fabs(ns_dot3(n, m)) > 1 - 1e-6; }

void ns_touch_polytope_polytope(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  const ns_polytope *p = a->shape->polytope, *q = b->shape->polytope;
  const double preferred = 1e-6 * fmin(a->shape->reach, b->shape->reach); /* faces before edges, the first before the second */
  ns_relative r, back;
  int f = 0, g = 0, before = t->count;
  crossing k = {0};
  double other[3];
  ns_relate(a, b, &r);
  double sf = part_by_faces(p, q, &r, margin, &f);
  if (sf >= margin) return;
  ns_relate(b, a, &back);
  double sg = part_by_faces(q, p, &back, margin, &g);
  if (sg >= margin) return;
  part_by_edges(p, q, &r, margin, &k);
  if (k.s >= margin) return;
  const double *mine = p->normal + 3 * f;
  ns_mul3(r.R, q->normal + 3 * g, other);
  int second = sg > sf + preferred && !parallel(mine, other);
  if (k.s > fmax(sf, sg) + preferred && !parallel(k.n, second ? other : mine)) touch_edges(a, b, &r, &k, margin, t);
  else if (second) touch_face(b, a, &back, g, 1, margin, t);
  else touch_face(a, b, &r, f, 0, margin, t);
  if (t->count == before && !t->failed) ns_touch_apart(a, b, &r, margin, t);
}
