/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touch.h -- contacts of two shapes that touch or are close: points, normals and gaps.
 *
 * A touch has the nearest points P1 on the first and P2 on the second shape, a unit normal n from
 * the second to the first, and
 *
 *   gap = n.(P1 - P2)      > 0 apart, < 0 overlapping
 *
 * (the points differ only along n). Shapes that touch in a face or along a line have several
 * touches. `feature` identifies a touch of a pair of shapes: it does not change while the same
 * corners, edges and faces touch, so that the last impulse can be assigned to the same contact. */
#ifndef NS_COLLISION_TOUCH_H
#define NS_COLLISION_TOUCH_H

#include "collision/shape.h"

#include <stdint.h>

typedef struct ns_touch {
  double p1[3], p2[3], n[3], gap;
  uint64_t feature;
} ns_touch;

/* A growing list; nothing is allocated while it is long enough. */
typedef struct ns_touches {
  ns_touch *at;
  int count, max;
  int failed; /* 1: out of memory, touches are missing */
  /* the touch that is looked for, as it was before the shapes moved a little: others may be left
   * out; NULL: all are looked for */
  const ns_touch *near;
} ns_touches;

/* Add an entry; NULL, and `failed`, if out of memory. */
ns_touch *ns_touches_more(ns_touches *t);
void ns_touches_fini(ns_touches *t);

/* Add to t the touches of a and b with a gap < margin, for shapes of any kind in space; planes and
 * meshes do not touch each other. */
void ns_touch_shapes(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t);

/* The same for disks, polygons and chains in the plane z = 0, and planes whose normals are in it.
 * Points and normals have z = 0. Planes and chains do not touch each other. */
void ns_touch_planar(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t);

#endif
