/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bodies on meshes and height fields.
 *
 * A surface is met on faces, on convex edges and borders, and on the vertices of those; a normal
 * counts where it is one of the surface: on an edge between the normals of its faces, at a vertex
 * away from all its edges. So what rolls over a plane of triangles feels the plane alone. Spheres
 * and capsules meet features by their nearest points; bodies with faces meet each triangle as they
 * do a polytope of one face, with the edges that it has in the mesh, and its corners on flat edges
 * are left out: they are not corners of the patch. What has its middle behind a triangle is not
 * held by that. */
#include "collision/touch_parts.h"

typedef struct probe {
  const ns_placed *a, *b;
  double margin, size;
  ns_touches *t;
  int first;                     /* of this pair in t */
  double at[3], R[9], middle[3]; /* the body in the axes of the mesh; a point within it */
  /* the triangle at hand */
  int triangle, corner[3];
  double x[3][3], n[3];
} probe;

/* Points x on the body, y on the mesh, in its axes; once for each identity. */
static void add(const probe *k, const double *x, const double *y, const double *n, uint64_t id)
{
  double from[3], to[3], out[3];
  for (int i = k->first; i < k->t->count; i++)
    if (k->t->at[i].feature == id) return;
  ns_placed_out(k->b, x, from);
  ns_placed_out(k->b, y, to);
  ns_mul3(k->b->R, n, out);
  ns_touch_add(k->t, from, to, out, k->margin, id);
}

/* ---- normals that the surface has ------------------------------------------------------------ */

/* Edge i of the triangle at hand: unit direction e, normal m across it (at a border: outwards).
 * Returns its fold; that of a border is 1. */
static double edge_at(const probe *k, int i, double *e, double *m)
{
  int other = ns_mesh_across(k->b->shape->mesh, k->triangle, i);
  ns_sub3(k->x[(i + 1) % 3], k->x[i], e);
  ns_unit3(e);
  if (other < 0) {
    ns_cross3(e, k->n, m);
    return 1;
  }
  ns_mesh_normal(k->b->shape->mesh, other, m);
  return ns_mesh_fold(k->n, m, e);
}

static int within_arc(const probe *k, const double *e, const double *m, const double *n,
                      double tilt)
{
  double c[3], d[3];
  ns_cross3(k->n, n, c);
  ns_cross3(n, m, d);
  return ns_dot3(c, e) >= -tilt && ns_dot3(d, e) >= -tilt && ns_dot3(n, k->n) + ns_dot3(n, m) > 0;
}

static int within_cone(const probe *k, int v, const double *n, double tilt)
{
  const ns_mesh *m = k->b->shape->mesh;
  const int *ring;
  int mine[6], count = ns_mesh_ring(m, v, mine, &ring);
  double x[3], y[3], d[3];
  ns_mesh_vertex(m, v, x);
  for (int i = 0; i < count; i++) {
    ns_mesh_vertex(m, ring[i], y);
    ns_sub3(y, x, d);
    if (ns_dot3(n, d) > tilt * ns_norm3(d)) return 0;
  }
  /* a border: not from behind */
  return m->sharp[v] == 1 || (m->sharp[v] && ns_dot3(n, k->n) >= -tilt);
}

/* ---- round bodies ---------------------------------------------------------------------------- */

static int over_triangle(const probe *k, const double *y, double slack)
{
  for (int i = 0; i < 3; i++) {
    double e[3], out[3], d[3];
    ns_sub3(k->x[(i + 1) % 3], k->x[i], e);
    ns_cross3(e, k->n, out);
    ns_unit3(out);
    ns_sub3(y, k->x[i], d);
    if (ns_dot3(out, d) > slack) return 0;
  }
  return 1;
}

static void ball_on_face(const probe *k, const double *c, double r, int which)
{
  double d[3], x[3], y[3];
  ns_sub3(c, k->x[0], d);
  double height = ns_dot3(k->n, d);
  ns_axpy3(c, -height, k->n, y);
  if (height - r >= k->margin || !over_triangle(k, y, 1e-9 * k->size)) return;
  ns_axpy3(c, -r, k->n, x);
  add(k, x, y, k->n, ns_feature(NS_MEET_RIM_1, which, k->b->shape->mesh->patch[k->triangle]));
}

/* A ball about c against the point y of an edge or vertex. */
static int ball_on_point(const probe *k, const double *c, double r, const double *y, double *x,
                         double *n)
{
  ns_sub3(c, y, n);
  double d = ns_unit3(n);
  ns_axpy3(c, -r, n, x);
  return d > 0 && d - r < k->margin;
}

/* Ends of a body's axis; one of a sphere. */
static int axis_of(const probe *k, double c[2][3])
{
  int n = k->a->shape->kind == NS_SHAPE_CAPSULE ? 2 : 1;
  for (int i = 0; i < n; i++) ns_axpy3(k->at, (2 * i - 1) * k->a->shape->half[2], k->R + 6, c[i]);
  return n;
}

static void try_edge_point(const probe *k, const double *c, const double *y, const double *e,
                           const double *m, int edge, int which)
{
  double x[3], n[3];
  if (!ball_on_point(k, c, k->a->shape->radius, y, x, n) || !within_arc(k, e, m, n, 1e-9)) return;
  add(k, x, y, n, ns_feature(NS_MEET_EDGES, which, edge));
}

static void ball_on_edge(const probe *k, const double *c, int i, const double *e, const double *m,
                         int which)
{
  double d[3], y[3], length;
  ns_sub3(k->x[(i + 1) % 3], k->x[i], d);
  length = ns_dot3(d, e);
  ns_sub3(c, k->x[i], d);
  double at = ns_dot3(d, e);
  if (at <= 0 || at >= length) return; /* the vertices' task */
  ns_axpy3(k->x[i], at, e, y);
  try_edge_point(k, c, y, e, m, 3 * k->triangle + i, which);
}

/* Where the axis of a capsule is nearest to an edge; ends of what lies along it. */
static void capsule_on_edge(const probe *k, int i, const double *e, const double *m)
{
  const double *u = k->R + 6, L = k->a->shape->half[2], cosine = ns_dot3(u, e);
  double mid[3], d[3], c[3], y[3], s, r, half;
  ns_sub3(k->x[(i + 1) % 3], k->x[i], d);
  half = ns_dot3(d, e) / 2;
  ns_axpy3(k->x[i], half, e, mid);
  ns_sub3(mid, k->at, d);
  if (1 - cosine * cosine > 1e-8) {
    ns_nearest_lines(d, u, L, e, half, &s, &r);
    if (fabs(r) >= half) return;
    ns_axpy3(k->at, s, u, c);
    ns_axpy3(mid, r, e, y);
    try_edge_point(k, c, y, e, m, 3 * k->triangle + i, 2);
    return;
  }
  double ends[2][3];
  axis_of(k, ends);
  for (int j = 0; j < 2; j++) ball_on_edge(k, ends[j], i, e, m, j);
}

static void round_on_vertex(const probe *k, int v, const double *y)
{
  double ends[2][3], c[3], u[3], d[3], x[3], n[3];
  memcpy(c, k->at, sizeof c);
  if (axis_of(k, ends) == 2) {
    ns_sub3(ends[1], ends[0], u);
    ns_sub3(y, ends[0], d);
    ns_axpy3(ends[0], ns_clamp(ns_dot3(d, u) / ns_dot3(u, u), 0, 1), u, c);
  }
  if (!ball_on_point(k, c, k->a->shape->radius, y, x, n) || !within_cone(k, v, n, 1e-9)) return;
  add(k, x, y, n, ns_feature(NS_MEET_CORNER_2, 0, v));
}

/* The face, where the body is before it. Each edge is looked at once, from the lower of its
 * triangles; each vertex from its owner. */
static void round_on_triangle(const probe *k, int before)
{
  const ns_mesh *mesh = k->b->shape->mesh;
  double ends[2][3], e[3], m[3];
  int n = axis_of(k, ends);
  for (int i = 0; i < n && before; i++) ball_on_face(k, ends[i], k->a->shape->radius, i);
  for (int i = 0; i < 3; i++) {
    int other = ns_mesh_across(mesh, k->triangle, i), v = k->corner[i];
    if ((other < 0 || k->triangle < other) && edge_at(k, i, e, m) > 0) {
      if (n == 1) ball_on_edge(k, k->at, i, e, m, 0);
      else capsule_on_edge(k, i, e, m);
    }
    if (mesh->sharp[v] && ns_mesh_owner(mesh, v) == k->triangle) round_on_vertex(k, v, k->x[i]);
  }
}

/* ---- bodies with faces ----------------------------------------------------------------------- */

/* A normal of the surface where the triangle is farthest along it, up to the tilt at which shapes
 * lie on each other. */
static int allows(const void *self, const double *n)
{
  const probe *k = self;
  const double tilt = 2e-3;
  int far[3], count = 0;
  double max = -INFINITY, h[3], e[3], m[3];
  if (ns_dot3(n, k->n) > 1 - 1e-6) return 1;
  for (int i = 0; i < 3; i++) max = fmax(max, h[i] = ns_dot3(n, k->x[i]));
  for (int i = 0; i < 3; i++)
    if (h[i] >= max - 1e-5 * k->size) far[count++] = i;
  if (count == 1) return within_cone(k, k->corner[far[0]], n, tilt);
  if (count == 3) return 0;
  int i = far[0] == 0 && far[1] == 2 ? 2 : far[0];
  return edge_at(k, i, e, m) > 0 && within_arc(k, e, m, n, tilt);
}

/* The triangle as a polytope: one face, and edges with the normals on both sides; those that are
 * not convex have none to meet. */
typedef struct facet {
  ns_polytope p;
  ns_shape shape;
  int first[2], loop[3], side[3], edge[12];
  double vertex[9], normal[12], offset[4];
} facet;

static void make_facet(const probe *k, facet *f)
{
  static const int next[3] = {1, 2, 0};
  double e[3];
  f->first[0] = 0;
  f->first[1] = 3;
  memcpy(f->normal, k->n, sizeof k->n);
  f->offset[0] = ns_dot3(k->n, k->x[0]);
  for (int i = 0; i < 3; i++) {
    f->loop[i] = f->side[i] = i;
    memcpy(f->vertex + 3 * i, k->x[i], sizeof k->x[i]);
    if (edge_at(k, i, e, f->normal + 3 * (i + 1)) <= 0)
      memcpy(f->normal + 3 * (i + 1), k->n, sizeof k->n);
    memcpy(f->edge + 4 * i, (int[]){i, next[i], 0, i + 1}, 4 * sizeof *f->edge);
  }
  f->p = (ns_polytope){3,        1,       3,       f->vertex, f->normal, f->offset,
                       f->first, f->loop, f->side, f->edge,   0,         NULL};
  f->shape = (ns_shape){.kind = NS_SHAPE_HULL, .polytope = &f->p, .reach = k->size};
  for (int i = 0; i < 3; i++) f->shape.reach = fmax(f->shape.reach, ns_norm3(k->x[i]));
}

/* The edge as its lower triangle names it. */
static int edge_number(const probe *k, int i)
{
  const ns_mesh *m = k->b->shape->mesh;
  int other = ns_mesh_across(m, k->triangle, i);
  if (other < 0 || other > k->triangle) return 3 * k->triangle + i;
  for (int j = 0; j < 3; j++)
    if (ns_mesh_across(m, other, j) == k->triangle) return 3 * other + j;
  return 3 * k->triangle + i;
}

/* Is the touch one of the triangle? Not where the normal that would part them most is not one of
 * the mesh: an overlap along another while the triangle is apart, or points beside the two. */
static int is_sound(const probe *k, const ns_touch *c, double apart)
{
  double x[3], y[3], d[3], n[3];
  ns_placed_in(k->b, c->p2, y);
  ns_sub3(y, k->x[0], d);
  ns_mul3t(k->b->R, c->n, n);
  if (!allows(k, n)) return 0;
  if (apart > 0 && c->gap < apart - 1e-5 * k->size) return 0;
  if (fabs(ns_dot3(d, k->n)) > 1e-3 * k->size || !over_triangle(k, y, 1e-3 * k->size)) return 0;
  ns_placed_in(k->a, c->p1, x);
  if (k->a->shape->kind == NS_SHAPE_CONE)
    return fabs(ns_cone_nearest(k->a->shape, x, y, n)) < 1e-3 * k->size;
  if (k->a->shape->kind != NS_SHAPE_CYLINDER) return 1;
  return fabs(ns_cylinder_nearest(k->a->shape, x, y, n)) < 1e-3 * k->size;
}

/* Touches of one triangle from `from` on: named in the mesh, without what the mesh has no corner at
 * and what is known already. */
static void rename_touches(const probe *k, int from, double apart)
{
  const ns_mesh *mesh = k->b->shape->mesh;
  ns_touches *t = k->t;
  int kept = from;
  double e[3], m[3];
  for (int i = from; i < t->count; i++) {
    ns_touch c = t->at[i];
    int meet = (int)(c.feature >> 60), mine = (int)(c.feature >> 30 & 0x3fffffff),
        its = (int)(c.feature & 0x3fffffff), known = 0;
    if (!is_sound(k, &c, apart)) continue;
    if (meet == NS_MEET_CORNER_2) {
      if (!mesh->sharp[k->corner[its]]) continue;
      c.feature = ns_feature(meet, mine, k->corner[its]);
    } else if (meet == NS_MEET_EDGES && its < 3) {
      int edge = edge_number(k, its);
      if (edge_at(k, its, e, m) == 0) continue;
      c.feature = ns_feature(meet, mine, edge);
    } else {
      c.feature = ns_feature(meet, mine, mesh->patch[k->triangle]);
    }
    for (int j = k->first; j < kept && !known; j++) {
      known = t->at[j].feature == c.feature;
      /* an edge, from its other triangle: the nearer */
      if (known && c.gap < t->at[j].gap) t->at[j] = c;
    }
    if (!known) t->at[kept++] = c;
  }
  t->count = kept;
}

static void faces_on_triangle(const probe *k)
{
  facet f;
  ns_placed second = *k->b;
  double apart = -INFINITY;
  ns_allowed only = {allows, k, &apart};
  int from = k->t->count;
  make_facet(k, &f);
  second.shape = &f.shape;
  if (k->a->shape->polytope) ns_touch_polytopes(k->a, &second, k->margin, &only, k->t);
  else if (k->a->shape->kind == NS_SHAPE_CONE)
    ns_touch_cones(k->a, &second, k->margin, &only, k->t);
  else ns_touch_cylinders(k->a, &second, k->margin, &only, k->t);
  rename_touches(k, from, apart);
}

/* ---- all triangles --------------------------------------------------------------------------- */

static void on_triangle(void *to, int triangle)
{
  probe *k = to;
  const ns_mesh *m = k->b->shape->mesh;
  double d[3];
  k->triangle = triangle;
  ns_mesh_corners(m, triangle, k->corner);
  ns_mesh_normal(m, triangle, k->n);
  for (int i = 0; i < 3; i++) ns_mesh_vertex(m, k->corner[i], k->x[i]);
  ns_sub3(k->middle, k->x[0], d);
  int before = ns_dot3(k->n, d) >= 0;
  if (k->a->shape->kind == NS_SHAPE_SPHERE || k->a->shape->kind == NS_SHAPE_CAPSULE)
    round_on_triangle(k, before);
  else if (before) faces_on_triangle(k);
}

/* The mean of a hull's vertices; its origin may be anywhere. */
static void find_middle(probe *k)
{
  const ns_polytope *p = k->a->shape->polytope;
  double mean[3] = {0};
  for (int v = 0; p && v < p->nvertices; v++)
    ns_axpy3(mean, 1.0 / p->nvertices, p->vertex + 3 * v, mean);
  ns_mul3(k->R, mean, k->middle);
  ns_axpy3(k->middle, 1, k->at, k->middle);
}

void ns_touch_mesh(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t)
{
  probe k = {.a = a, .b = b, .margin = margin, .size = a->shape->reach, .t = t, .first = t->count};
  ns_placed local = {.shape = a->shape};
  double low[3], high[3];
  ns_placed_in(b, a->at, local.at);
  for (int j = 0; j < 3; j++) ns_mul3t(b->R, a->R + 3 * j, local.R + 3 * j);
  memcpy(k.at, local.at, sizeof k.at);
  memcpy(k.R, local.R, sizeof k.R);
  find_middle(&k);
  ns_placed_bounds(&local, margin, low, high);
  ns_mesh_near(b->shape->mesh, low, high, on_triangle, &k);
}
