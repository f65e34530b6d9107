/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touch_parts.h -- private to touch*.c: one function for each pair of kinds. All add to t what is nearer than margin. */
#ifndef NS_COLLISION_TOUCH_PARTS_H
#define NS_COLLISION_TOUCH_PARTS_H

#include "collision/touch.h"

typedef void ns_touch_pair(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t);

/* touch_round.c: of centres and segments with a radius about them */
ns_touch_pair ns_touch_sphere_plane, ns_touch_sphere_sphere, ns_touch_sphere_capsule, ns_touch_capsule_plane, ns_touch_capsule_capsule;
ns_touch_pair ns_touch_sphere_polytope, ns_touch_capsule_polytope;
/* touch_polytope.c */
ns_touch_pair ns_touch_polytope_plane, ns_touch_polytope_polytope;
/* touch_cylinder.c */
ns_touch_pair ns_touch_cylinder_plane, ns_touch_sphere_cylinder;

/* One touch: points x on the surface of a and y on that of b along n, unless it is farther than margin. */
static inline void ns_touch_add(ns_touches *t, const double *x, const double *y, const double *n, double margin, unsigned feature)
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

/* The point of a polytope nearest to x, all in its axes, and the unit vector from it to x (of the nearest face where x is inside).
 * Returns the signed distance; *face is where the point lies within a face, -1 on an edge or a vertex. */
double ns_polytope_nearest(const ns_polytope *p, const double *x, double *point, double *n, int *face);

#endif
