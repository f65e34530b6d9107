/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touch_parts.h -- private to touch*.c: one function for each pair of kinds. All add touches with a
 * gap < margin to t. */
#ifndef NS_COLLISION_TOUCH_PARTS_H
#define NS_COLLISION_TOUCH_PARTS_H

#include "algebra/vector.h"
#include "collision/touch.h"

typedef void ns_touch_pair(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t);

/* touch_round.c: of centres and segments with a radius about them */
ns_touch_pair ns_touch_sphere_plane, ns_touch_sphere_sphere, ns_touch_sphere_capsule,
    ns_touch_capsule_plane, ns_touch_capsule_capsule;
ns_touch_pair ns_touch_sphere_polytope, ns_touch_capsule_polytope;
/* touch_polytope.c */
ns_touch_pair ns_touch_polytope_plane, ns_touch_polytope_polytope;
/* touch_mesh.c: all but planes and meshes */
ns_touch_pair ns_touch_mesh;
/* touch_cylinder.c */
/* the first: cones, too; the last: polytopes, capsules, cylinders */
ns_touch_pair ns_touch_cylinder_plane, ns_touch_sphere_cylinder, ns_touch_cylinder;

/* touch_cone.c; the last: polytopes, capsules, cylinders, cones */
ns_touch_pair ns_touch_sphere_cone, ns_touch_cone;

/* ---- identities: what of the first meets what of the second (vertex, edge, face by number; of a
 * round shape by its list) ---- */

enum { NS_MEET_CORNER_1 = 1, NS_MEET_CORNER_2, NS_MEET_EDGES, NS_MEET_RIM_1, NS_MEET_RIM_2 };

static inline uint64_t ns_feature(int meet, int first, int second)
{
  return (uint64_t)meet << 60 | (uint64_t)first << 30 | (uint64_t)second;
}

/* ---- two shapes, in the axes of the first ---------------------------------------------------- */

/* x1 = R x2 + at */
typedef struct ns_relative {
  double at[3], R[9];
} ns_relative;

static inline void ns_relate(const ns_placed *a, const ns_placed *b, ns_relative *r)
{
  ns_placed_in(a, b->at, r->at);
  for (int j = 0; j < 3; j++) ns_mul3t(a->R, b->R + 3 * j, r->R + 3 * j);
}
static inline void ns_relative_out(const ns_relative *r, const double *x2, double *x1)
{
  ns_mul3(r->R, x2, x1);
  ns_axpy3(x1, 1, r->at, x1);
}
/* Returns x2. */
static inline const double *ns_relative_in(const ns_relative *r, const double *x1, double *x2)
{
  double d[3];
  ns_sub3(x1, r->at, d);
  ns_mul3t(r->R, d, x2);
  return x2;
}

/* Edge e of p: its begin, direction, length and the normals of its faces; in the axes of the first
 * where r is given. */
typedef struct ns_edge {
  double a[3], u[3], n1[3], n2[3], length;
} ns_edge;

static inline void ns_edge_of(const ns_polytope *p, int e, const ns_relative *r, ns_edge *out)
{
  static const ns_relative same = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const int *k = p->edge + 4 * e;
  double b[3];
  if (!r) r = &same;
  ns_relative_out(r, p->vertex + 3 * k[0], out->a);
  ns_relative_out(r, p->vertex + 3 * k[1], b);
  ns_mul3(r->R, p->normal + 3 * k[2], out->n1);
  ns_mul3(r->R, p->normal + 3 * k[3], out->n2);
  ns_sub3(b, out->a, out->u);
  out->length = ns_unit3(out->u);
}

/* Parameters of the nearest points of x + s u, |s| <= S, and y + r w, |r| <= L, that are not
 * parallel; d = y - x (Ericson 2005, 5.1.9). */
static inline void ns_nearest_lines(const double *d, const double *u, double S, const double *w,
                                    double L, double *s, double *r)
{
  double c = ns_dot3(u, w), du = ns_dot3(d, u), dw = ns_dot3(d, w), det = 1 - c * c;
  *s = ns_clamp((du - c * dw) / det, -S, S);
  *r = ns_clamp(c * *s - dw, -L, L);
  *s = ns_clamp(c * *r + du, -S, S);
}

/* One touch: points x on the surface of a and y on that of b along n, unless it is farther than
 * margin. */
static inline void ns_touch_add(ns_touches *t, const double *x, const double *y, const double *n,
                                double margin, uint64_t feature)
{
  double d[3], gap;
  ns_sub3(x, y, d);
  gap = ns_dot3(n, d);
  if (!(gap < margin)) return;
  ns_touch *c = ns_touches_more(t);
  if (!c) return;
  memcpy(c->p1, x, sizeof c->p1);
  memcpy(c->p2, y, sizeof c->p2);
  memcpy(c->n, n, sizeof c->n);
  c->gap = gap;
  c->feature = feature;
}

/* Polytopes (touch_apart.c) that do not overlap, where they are nearest */
void ns_touch_apart(const ns_placed *a, const ns_placed *b, const ns_relative *r, double margin,
                    ns_touches *t);

/* Permitted normals (from the second to the first, in axes of the second); that of face 0 of the
 * second is always permitted. For triangles of a mesh, whose edges are not edges of the mesh if it
 * continues flat (touch_mesh.c). */
typedef struct ns_allowed {
  int (*allows)(const void *self, const double *n);
  const void *self;
  double *apart; /* updated to the max. separation by a normal that is not permitted */
} ns_allowed;

static inline int ns_allows(const ns_allowed *only, const double *n, double s)
{
  if (!only || only->allows(only->self, n)) return 1;
  *only->apart = fmax(*only->apart, s);
  return 0;
}

void ns_touch_polytopes(const ns_placed *a, const ns_placed *b, double margin,
                        const ns_allowed *only, ns_touches *t);
/* Max. separation of two polytopes by a plane; < 0: they overlap; returns early with a value above
 * `enough`. */
double ns_polytopes_apart(const ns_placed *a, const ns_placed *b, double enough);
/* The same of a cylinder and a polytope, a capsule or a cylinder. */
double ns_cylinders_apart(const ns_placed *a, const ns_placed *b, double enough);
/* And of a cone a and any of these or a cone. */
double ns_cones_apart(const ns_placed *a, const ns_placed *b, double enough);
void ns_touch_cylinders(const ns_placed *a, const ns_placed *b, double margin,
                        const ns_allowed *only, ns_touches *t);

void ns_touch_cones(const ns_placed *a, const ns_placed *b, double margin, const ns_allowed *only,
                    ns_touches *t);

/* Nearest point y of a solid to x, unit n from it outwards; returns the signed distance. */
typedef double ns_nearest(const ns_shape *s, const double *x, double *y, double *n);
ns_nearest ns_cylinder_nearest, ns_cone_nearest;
/* A sphere a on a solid b whose nearest points these are. */
void ns_touch_sphere_solid(const ns_placed *a, const ns_placed *b, ns_nearest *nearest,
                           double margin, ns_touches *t);

/* Clip x .. y to the part above face f, extended by slack; returns 0 if nothing remains. side [2]:
 * index in p->loop of the side that clips the beginning and the end, -1: none. May be NULL. */
int ns_clip_segment(const ns_polytope *p, int f, double slack, double *x, double *y, int *side);

/* The point of a polytope nearest to x, all in its axes, and the unit vector from it to x (of the
 * nearest face where x is inside). Returns the signed distance; *face is where the point lies
 * within a face, -1 on an edge or a vertex. */
double ns_polytope_nearest(const ns_polytope *p, const double *x, double *point, double *n,
                           int *face);

#endif
