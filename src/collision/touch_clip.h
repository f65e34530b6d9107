/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touch_clip.h -- private to touch*.c: the part of one face that lies over another (Sutherland &
 * Hodgman 1974).
 *
 * Corners are named by what they are: a corner of either face, or where an edge of the one crosses
 * an edge of the other; so names do not depend on which of the two is cut. Corners within `slack`
 * of a side are taken to be on it: two equal faces on each other have their own corners in common
 * and no more, although rounding says otherwise. */
#ifndef NS_COLLISION_TOUCH_CLIP_H
#define NS_COLLISION_TOUCH_CLIP_H

#include "collision/touch_parts.h"

enum { NS_POLYGON_CORNERS = 2 * NS_POLYTOPE_CORNERS }; /* a cut adds at most one */

typedef struct ns_polygon {
  int n;
  double x[NS_POLYGON_CORNERS][3];
  uint64_t id[NS_POLYGON_CORNERS];
  /* from this corner to the next: edge of the polygon's own polytope, or ~k of side k that cut it
   */
  int side[NS_POLYGON_CORNERS];
} ns_polygon;

/* Face f of q, in the axes of the other. first: q is the first shape, as its names tell. */
void ns_polygon_face(const ns_polytope *q, int f, const ns_relative *r, int first, ns_polygon *g);
/* What is over face f of p, in its axes. second: p is the second shape. */
void ns_polygon_clip(ns_polygon *g, const ns_polytope *p, int f, double slack, int second);

#endif
