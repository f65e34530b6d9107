/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boxes and hulls among themselves and on planes.
 *
 * The axis of least overlap, or of largest distance, is a normal of a face of either or a product of two edges (Gottschalk, Lin &
 * Manocha 1996); of edges only those whose arcs of normals cross (Gregorius 2013). On an axis of a face, the face of the other
 * that is most opposite is cut by the prism of the first (Sutherland & Hodgman 1974): one touch for each corner of what is left.
 * These distances vanish where the shapes touch, and are at most the true ones where they are apart. */
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

/* The second polytope in the axes of the first: x1 = R x2 + at. */
typedef struct relative {
  double at[3], R[9];
} relative;

static void relate(const ns_placed *a, const ns_placed *b, relative *r)
{
  ns_placed_in(a, b->at, r->at);
  for (int j = 0; j < 3; j++) ns_mul3t(a->R, b->R + 3 * j, r->R + 3 * j);
}

static void invert(const relative *r, relative *back)
{
  double x[3];
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) back->R[i + 3 * j] = r->R[j + 3 * i];
  ns_mul3t(r->R, r->at, x);
  for (int i = 0; i < 3; i++) back->at[i] = -x[i];
}

static void to_first(const relative *r, const double *x2, double *x1)
{
  ns_mul3(r->R, x2, x1);
  ns_axpy3(x1, 1, r->at, x1);
}

/* Largest distance of q (r: in the axes of p) from a face of p; early out above margin. */
static double part_by_faces(const ns_polytope *p, const ns_polytope *q, const relative *r, double margin, int *face)
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

/* An edge: its ends and the normals of its faces, all in the axes of the first. */
typedef struct edge {
  double a[3], u[3], n1[3], n2[3], length;
} edge;

static void edge_of(const ns_polytope *p, int e, const relative *r, edge *out)
{
  const int *k = p->edge + 4 * e;
  double b[3];
  if (r) {
    to_first(r, p->vertex + 3 * k[0], out->a);
    to_first(r, p->vertex + 3 * k[1], b);
    ns_mul3(r->R, p->normal + 3 * k[2], out->n1);
    ns_mul3(r->R, p->normal + 3 * k[3], out->n2);
  } else {
    memcpy(out->a, p->vertex + 3 * k[0], sizeof out->a);
    memcpy(b, p->vertex + 3 * k[1], sizeof b);
    memcpy(out->n1, p->normal + 3 * k[2], sizeof out->n1);
    memcpy(out->n2, p->normal + 3 * k[3], sizeof out->n2);
  }
  ns_sub3(b, out->a, out->u);
  out->length = ns_unit3(out->u);
}

/* Do the arcs n1 n2 of e and -n1 -n2 of g cross on the sphere of directions? u is along n1 x n2, so that triple products are
 * plain ones. */
static int arcs_cross(const edge *e, const edge *g)
{
  double a = ns_dot3(e->n1, g->u), b = ns_dot3(e->n2, g->u), c = -ns_dot3(g->n1, e->u), d = -ns_dot3(g->n2, e->u);
  return c * d < 0 && a * b < 0 && c * b > 0;
}

typedef struct crossing {
  double s, n[3]; /* n from the first to the second, in the axes of the first */
  int e, g;
} crossing;

static void part_by_edges(const ns_polytope *p, const ns_polytope *q, const relative *r, double margin, crossing *most)
{
  most->s = -INFINITY;
  for (int j = 0; j < q->nedges; j++) {
    edge g, e;
    edge_of(q, j, r, &g);
    for (int i = 0; i < p->nedges && most->s < margin; i++) {
      double n[3], d[3], s;
      edge_of(p, i, NULL, &e);
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

/* Nearest points of the lines of two edges. */
static void touch_edges(const ns_placed *a, const ns_placed *b, const relative *r, const crossing *k, double margin, ns_touches *t)
{
  const ns_polytope *p = a->shape->polytope, *q = b->shape->polytope;
  edge e, g;
  double d[3], x[3], y[3], n[3], from[3], to[3];
  edge_of(p, k->e, NULL, &e);
  edge_of(q, k->g, r, &g);
  ns_sub3(g.a, e.a, d);
  double c = ns_dot3(e.u, g.u), du = ns_dot3(d, e.u), dg = ns_dot3(d, g.u), det = 1 - c * c;
  ns_axpy3(e.a, (du - c * dg) / det, e.u, x);
  ns_axpy3(g.a, (c * du - dg) / det, g.u, y);
  ns_placed_out(a, x, from);
  ns_placed_out(a, y, to);
  ns_mul3(a->R, k->n, n);
  for (int i = 0; i < 3; i++) n[i] = -n[i]; /* from b to a */
  ns_touch_add(t, from, to, n, margin, 1u << 30 | (unsigned)(k->e * q->nedges + k->g));
}

/* Face of p most opposite to n. */
static int opposite(const ns_polytope *p, const double *n)
{
  int best = 0;
  for (int f = 1; f < p->nfaces; f++)
    if (ns_dot3(p->normal + 3 * f, n) < ns_dot3(p->normal + 3 * best, n)) best = f;
  return best;
}

enum { CORNERS = 2 * NS_POLYTOPE_CORNERS }; /* a cut adds at most one corner a side */

typedef struct polygon {
  int n;
  double x[CORNERS][3];
  unsigned id[CORNERS]; /* which corner of the one face, or which of its edges meets which of the other */
} polygon;

/* Face f of q in the axes of p. */
static void corners(const ns_polytope *q, int f, const relative *r, polygon *out)
{
  int n = q->first[f + 1] - q->first[f];
  out->n = 0;
  for (int i = 0; i < n; i++) {
    int v = q->loop[q->first[f] + i];
    to_first(r, q->vertex + 3 * v, out->x[out->n]);
    out->id[out->n++] = (unsigned)v;
  }
}

/* Cut by the half space out.x <= offset. */
static void cut(polygon *g, const double *out, double offset, unsigned side)
{
  polygon h = {.n = 0};
  for (int i = 0; i < g->n; i++) {
    int j = i + 1 < g->n ? i + 1 : 0;
    double a = ns_dot3(out, g->x[i]) - offset, b = ns_dot3(out, g->x[j]) - offset;
    if (a <= 0) {
      memcpy(h.x[h.n], g->x[i], sizeof *h.x);
      h.id[h.n++] = g->id[i];
    }
    if ((a < 0 && b > 0) || (a > 0 && b < 0)) {
      double d[3];
      ns_sub3(g->x[j], g->x[i], d);
      ns_axpy3(g->x[i], a / (a - b), d, h.x[h.n]);
      h.id[h.n++] = (side + 1) * 4096u + (a < 0 ? g->id[i] : g->id[j]) * 2u + (a < 0);
    }
  }
  *g = h;
}

/* Face f of p, with the face of q that lies on it. swapped: p is of the second shape. */
static void touch_face(const ns_placed *a, const ns_placed *b, const relative *r, int f, int swapped, double margin, ns_touches *t)
{
  const ns_polytope *p = a->shape->polytope, *q = b->shape->polytope;
  const double *n = p->normal + 3 * f;
  double in[3], world[3];
  polygon g;
  ns_mul3t(r->R, n, in);
  corners(q, opposite(q, in), r, &g);
  for (int i = p->first[f]; i < p->first[f + 1] && g.n; i++) {
    const double *v = p->vertex + 3 * p->loop[i];
    double e[3], out[3];
    ns_sub3(p->vertex + 3 * p->loop[i + 1 < p->first[f + 1] ? i + 1 : p->first[f]], v, e);
    ns_cross3(e, n, out);
    cut(&g, out, ns_dot3(out, v), (unsigned)(i - p->first[f]));
  }
  ns_mul3(a->R, n, world);
  if (!swapped)
    for (int i = 0; i < 3; i++) world[i] = -world[i]; /* from the second to the first */
  for (int i = 0; i < g.n; i++) {
    double foot[3], x[3], y[3];
    ns_axpy3(g.x[i], p->offset[f] - ns_dot3(n, g.x[i]), n, foot);
    ns_placed_out(a, foot, x);
    ns_placed_out(a, g.x[i], y);
    ns_touch_add(t, swapped ? y : x, swapped ? x : y, world, margin, (unsigned)swapped << 29 | g.id[i]);
  }
}

/* A tilt below which two directions are one: corners and gaps by either agree to its square. */
static int parallel(const double *n, const double *m) { return fabs(ns_dot3(n, m)) > 1 - 1e-6; }

void ns_touch_polytope_polytope(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  const ns_polytope *p = a->shape->polytope, *q = b->shape->polytope;
  const double preferred = 1e-6 * fmin(a->shape->reach, b->shape->reach); /* faces before edges, the first before the second */
  relative r, back;
  int f = 0, g = 0;
  crossing k = {0};
  double other[3];
  relate(a, b, &r);
  double sf = part_by_faces(p, q, &r, margin, &f);
  if (sf >= margin) return;
  invert(&r, &back);
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
}
