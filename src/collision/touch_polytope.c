/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boxes and hulls among themselves and on planes.
 *
 * The axis of least overlap, or of largest distance, is a normal of a face of either or a product
 * of two edges (Gottschalk, Lin & Manocha 1996); of edges only those whose arcs of normals cross
 * (Gregorius 2013). On an axis of a face, the face of the other that is most opposite is cut by the
 * prism of the first (touch_clip.h): one touch for each corner of what is left. Forces on a polygon
 * have the wrenches of forces on its corners (each point is a mean of them), so nothing is lost and
 * nothing more is kept. Where nothing is left, or edges pass each other, the shapes are apart at
 * corners and edges: touch_apart.c. All this is of the cores of rounded shapes (touch.c). */
#include "algebra/vector.h"
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

/* ---- axes ------------------------------------------------------------------------------------ */

/* Distances that differ by no more are one. */
static double tie_of(const ns_placed *a, const ns_placed *b)
{
  return 1e-6 * fmin(a->shape->reach, b->shape->reach);
}

/* May q, the second, have the normal that is n from the first to it? */
static int allows(const ns_allowed *only, const ns_relative *r, const double *n, double s)
{
  double out[3], local[3];
  if (!only) return 1;
  for (int i = 0; i < 3; i++) out[i] = -n[i];
  ns_mul3t(r->R, out, local);
  return ns_allows(only, local, s);
}

/* Distance of q (r: in the axes of p) from face f of p. */
static double part_by_face(const ns_polytope *p, const ns_polytope *q, const ns_relative *r, int f)
{
  const double *n = p->normal + 3 * f;
  double d[3];
  ns_mul3t(r->R, n, d);
  ns_scale(3, -1, d);
  return ns_dot3(n, r->at) - ns_dot3(d, q->vertex + 3 * ns_polytope_support(q, d)) - p->offset[f];
}

/* Largest distance of q from a face of p; early out above margin. Of faces that part them by as
 * much but for `tie` the first is taken: where corners or edges meet several do, and which one has
 * more of it is rounding, other in each step; the frame of a contact must not change with it. */
static double part_by_faces(const ns_polytope *p, const ns_polytope *q, const ns_relative *r,
                            double margin, double tie, const ns_allowed *only, int *face)
{
  double max = -INFINITY, taken = -INFINITY;
  for (int f = 0; f < p->nfaces && max < margin; f++) {
    double s = part_by_face(p, q, r, f);
    if (s <= max || (s < margin && !allows(only, r, p->normal + 3 * f, s))) continue;
    max = s;
    if (s > taken + tie) taken = s, *face = f;
  }
  return max;
}

/* Do the arcs n1 n2 of edge e of p, along u, and -n1 -n2 of edge g of q cross on the sphere of
 * directions? a, b: n1, n2 of e along g; c, d: -n1, -n2 of g along e; as u is along n1 x n2, triple
 * products are plain ones. */
static int arcs_cross(double a, double b, double c, double d)
{
  return c * d < 0 && a * b < 0 && c * b > 0;
}

typedef struct crossing {
  double s, n[3]; /* n from the first to the second, in the axes of the first */
  int e, g;
} crossing;

/* Edges i of p and j of q, whose arcs cross, if they part the two by more than max->s. Few do:
 * roots and quotients are left to them, by the squares of what is compared. */
static void part_by_pair(const ns_edge *e, const ns_edge *g, int i, int j, crossing *max)
{
  static const double ROUNDING = 1e-12;
  double n[3], d[3], s, bound;
  ns_cross3(e->u, g->u, n);
  if (ns_dot3(n, e->n1) + ns_dot3(n, e->n2) < 0) ns_scale(3, -1, n);
  ns_sub3(g->a, e->a, d);
  s = ns_dot3(n, d);
  bound = max->s * fabs(max->s) * ns_dot3(n, n);
  if (s * fabs(s) < bound - ROUNDING * fabs(bound) || ns_unit3(n) < 1e-9) return;
  s = ns_dot3(n, d);
  if (s <= max->s) return;
  max->s = s, max->e = i, max->g = j;
  memcpy(max->n, n, sizeof n);
}

/* Up to so many edges, and of the other the first normals, products are kept: edges share faces. A
 * polytope of 48 edges has at most 32 faces. */
enum { FEW_EDGES = 48, FEW_NORMALS = 32 };

/* How many normals its edges name: those of a triangle of a mesh (touch_mesh.c) are more than its
 * faces. */
static int normals_of(const ns_polytope *p)
{
  int n = 0;
  for (int i = 0; i < p->nedges; i++)
    for (int side = 2; side < 4; side++)
      if (p->edge[4 * i + side] >= n) n = p->edge[4 * i + side] + 1;
  return n;
}

static void part_by_few(const ns_polytope *p, const ns_polytope *q, const ns_relative *r,
                        double margin, crossing *max)
{
  ns_edge own[FEW_EDGES], g;
  double n[3], along[FEW_NORMALS][FEW_EDGES], across[FEW_NORMALS];
  int mine = normals_of(p), others = normals_of(q);
  for (int i = 0; i < p->nedges; i++) ns_edge_of(p, i, NULL, own + i);
  for (int f = 0; f < others && f < FEW_NORMALS; f++) {
    ns_mul3(r->R, q->normal + 3 * f, n);
    for (int i = 0; i < p->nedges; i++) along[f][i] = -ns_dot3(n, own[i].u);
  }
  for (int j = 0; j < q->nedges && max->s < margin; j++) {
    const int *k = q->edge + 4 * j, kept = k[2] < FEW_NORMALS && k[3] < FEW_NORMALS;
    ns_edge_of(q, j, r, &g);
    for (int f = 0; f < mine; f++) across[f] = ns_dot3(p->normal + 3 * f, g.u);
    for (int i = 0; i < p->nedges; i++) {
      double c = kept ? along[k[2]][i] : -ns_dot3(g.n1, own[i].u),
             d = kept ? along[k[3]][i] : -ns_dot3(g.n2, own[i].u);
      if (arcs_cross(across[p->edge[4 * i + 2]], across[p->edge[4 * i + 3]], c, d))
        part_by_pair(own + i, &g, i, j, max);
    }
  }
}

/* The largest distance of the two along a product of their edges, if it is more than max->s. */
static void part_by_edges(const ns_polytope *p, const ns_polytope *q, const ns_relative *r,
                          double margin, crossing *max)
{
  if (p->nedges <= FEW_EDGES && normals_of(p) <= FEW_NORMALS) {
    part_by_few(p, q, r, margin, max);
    return;
  }
  for (int j = 0; j < q->nedges && max->s < margin; j++) {
    ns_edge e, g;
    ns_edge_of(q, j, r, &g);
    for (int i = 0; i < p->nedges; i++) {
      ns_edge_of(p, i, NULL, &e);
      if (arcs_cross(ns_dot3(e.n1, g.u), ns_dot3(e.n2, g.u), -ns_dot3(g.n1, e.u),
                     -ns_dot3(g.n2, e.u)))
        part_by_pair(&e, &g, i, j, max);
    }
  }
}

/* ---- touches --------------------------------------------------------------------------------- */

/* Nearest points of the lines of two edges, if they are on the edges. */
static void touch_edges(const ns_placed *a, const ns_placed *b, const ns_relative *r,
                        const crossing *k, double margin, ns_touches *t)
{
  const ns_polytope *p = a->shape->polytope, *q = b->shape->polytope;
  ns_edge e, g;
  double d[3], x[3], y[3], n[3], from[3], to[3];
  ns_edge_of(p, k->e, NULL, &e);
  ns_edge_of(q, k->g, r, &g);
  ns_sub3(g.a, e.a, d);
  double c = ns_dot3(e.u, g.u), du = ns_dot3(d, e.u), dg = ns_dot3(d, g.u), det = 1 - c * c;
  double s = (du - c * dg) / det, l = (c * du - dg) / det,
         slack = 1e-9 * (e.length + g.length) / sqrt(det);
  if (s < -slack || s > e.length + slack || l < -slack || l > g.length + slack) return;
  ns_axpy3(e.a, s, e.u, x);
  ns_axpy3(g.a, l, g.u, y);
  ns_placed_out(a, x, from);
  ns_placed_out(b, ns_relative_in(r, y, d), to);
  ns_mul3(a->R, k->n, n);
  ns_scale(3, -1, n); /* from b to a */
  ns_touch_add(t, from, to, n, margin, ns_feature(NS_MEET_EDGES, k->e, k->g));
}

/* Of the faces at its farthest corner along -n, the one of p that is most opposite to n. */
static int opposite(const ns_polytope *p, const double *n, double slack)
{
  const double minus[3] = {-n[0], -n[1], -n[2]}, *v = p->vertex + 3 * ns_polytope_support(p, minus);
  double min = INFINITY;
  int best = 0;
  for (int f = 0; f < p->nfaces; f++) {
    double c = ns_dot3(p->normal + 3 * f, n);
    if (c >= min || ns_dot3(p->normal + 3 * f, v) < p->offset[f] - slack) continue;
    best = f;
    min = c;
  }
  return best;
}

/* Face f of a, with the face of b that lies on it. swapped: a is the second shape. */
static void touch_face(const ns_placed *a, const ns_placed *b, const ns_relative *r, int f,
                       int swapped, double margin, ns_touches *t)
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
  if (!swapped) ns_scale(3, -1, world); /* from the second to the first */
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

typedef struct axes {
  /* of faces of the first, of the second; n: the direction taken, from the first to the second, in
   * its axes */
  double sf, sg, n[3];
  int f, g;
  crossing k;
  enum { BY_FIRST, BY_SECOND, BY_EDGES } by;
} axes;

static void choose(const ns_placed *a, const ns_placed *b, const ns_relative *r,
                   const ns_allowed *only, axes *x)
{
  /* faces before edges, the first before the second */
  const double preferred = tie_of(a, b);
  const double *mine = a->shape->polytope->normal + 3 * x->f;
  double other[3];
  ns_mul3(r->R, b->shape->polytope->normal + 3 * x->g, other);
  ns_scale(3, -1, other);
  x->by = x->sg > x->sf + preferred && !parallel(mine, other) ? BY_SECOND : BY_FIRST;
  /* corners of the body before crossings */
  if (only && (x->sf == -INFINITY || parallel(mine, other))) x->by = BY_SECOND;
  memcpy(x->n, x->by == BY_SECOND ? other : mine, sizeof x->n);
  if (!(x->k.s > fmax(x->sf, x->sg) + preferred) || parallel(x->k.n, x->n)) return;
  x->by = BY_EDGES;
  memcpy(x->n, x->k.n, sizeof x->n);
}

/* Cores of rounded shapes are apart where these touch. There the distance is the least of the two
 * bodies, and no more than the largest that a face or two edges part them by, unless corners or
 * edges are nearest: then what is over a face is not. Directions that are taken for one (parallel)
 * differ by their square. */
static int misses_the_nearest(const ns_placed *a, const ns_placed *b, double max,
                              const ns_touches *t, int before)
{
  double skins = ns_shape_skin(a->shape) + ns_shape_skin(b->shape), min = INFINITY;
  for (int i = before; i < t->count; i++) min = fmin(min, t->at[i].gap);
  return skins > 0 && max > 0 && min > max + 2e-6 * skins;
}

void ns_touch_polytopes(const ns_placed *a, const ns_placed *b, double margin,
                        const ns_allowed *only, ns_touches *t)
{
  const ns_polytope *p = a->shape->polytope, *q = b->shape->polytope;
  ns_relative r, back;
  axes x = {0};
  int before = t->count;
  ns_relate(a, b, &r);
  x.sf = part_by_faces(p, q, &r, margin, tie_of(a, b), only, &x.f);
  if (x.sf >= margin) return;
  ns_relate(b, a, &back);
  x.sg = part_by_faces(q, p, &back, margin, tie_of(a, b), NULL, &x.g);
  if (x.sg >= margin) return;
  x.k.s = fmax(x.sf, x.sg); /* edges that part them by less are not asked for */
  part_by_edges(p, q, &r, margin, &x.k);
  if (x.k.s >= margin) return;
  choose(a, b, &r, only, &x);
  if (x.by == BY_EDGES) touch_edges(a, b, &r, &x.k, margin, t);
  else if (x.by == BY_SECOND) touch_face(b, a, &back, x.g, 1, margin, t);
  else touch_face(a, b, &r, x.f, 0, margin, t);
  double max = fmax(fmax(x.sf, x.sg), x.k.s);
  if (misses_the_nearest(a, b, max, t, before)) t->count = before;
  if (t->count == before && !t->failed) ns_touch_apart(a, b, &r, margin, t);
}

void ns_touch_polytope_polytope(const ns_placed *a, const ns_placed *b, double margin,
                                ns_touches *t)
{
  ns_touch_polytopes(a, b, margin, NULL, t);
}

double ns_polytopes_apart(const ns_placed *a, const ns_placed *b, double enough)
{
  const ns_polytope *p = a->shape->polytope, *q = b->shape->polytope;
  ns_relative r, back;
  int face;
  ns_relate(a, b, &r);
  double max = part_by_faces(p, q, &r, enough, 0, NULL, &face);
  if (max >= enough) return max;
  ns_relate(b, a, &back);
  max = fmax(max, part_by_faces(q, p, &back, enough, 0, NULL, &face));
  if (max >= enough) return max;
  crossing k = {.s = max};
  part_by_edges(p, q, &r, enough, &k);
  return k.s;
}
