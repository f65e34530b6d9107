/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touch_clip.h -- private to touch*.c: the part of one face that is above another (Sutherland &
 * Hodgman 1974).
 *
 * Corners are identified as a corner of either face, or as the crossing of two edges, independent
 * of which of the two faces is clipped. Corners within `slack` of a side count as on it, so that
 * two equal faces on each other have exactly their common corners in spite of rounding. */
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
