/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touch.h -- where two shapes meet, or nearly so: points, normals and gaps.
 *
 * A touch has the nearest points P1 on the first and P2 on the second shape, a unit normal n from
 * the second to the first, and
 *
 *   gap = n.(P1 - P2)      > 0 apart, < 0 overlapping
 *
 * (the points differ along n alone). Shapes that meet in a face or along a line have several.
 * `feature` says which of a pair of shapes it is: it stays as long as the same corners, edges and
 * faces meet, so that a solver's last impulse finds its contact again. */
#ifndef NS_COLLISION_TOUCH_H
#define NS_COLLISION_TOUCH_H

#include "collision/shape.h"

#include <stdint.h>

typedef struct ns_touch {
  double p1[3], p2[3], n[3], gap;
  uint64_t feature;
} ns_touch;

/* A list that grows; nothing is got while it is long enough. */
typedef struct ns_touches {
  ns_touch *at;
  int count, most;
  int failed; /* out of memory: touches are missing */
} ns_touches;

/* Place for one more; NULL and `failed` where there is none. */
ns_touch *ns_touches_more(ns_touches *t);
void ns_touches_fini(ns_touches *t);

/* Touches of a and b with a gap below margin, added to t. a and b may be of any kinds in space;
 * planes and meshes do not meet each other. */
void ns_touch_shapes(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t);

/* The same of disks, polygons and chains that lie in the plane z = 0, and of planes whose normals
 * do. Points and normals have z = 0. Planes and chains do not meet each other. */
void ns_touch_planar(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t);

#endif
