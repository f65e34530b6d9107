/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gap_parts.h -- private to gap*.c: the parts of two shapes to which a gap belongs.
 *
 *   gap.c           points of one shape near the other: centres, ends, corners, rims
 *   gap_crossing.c  axes and edges that cross */
#ifndef NS_COLLISION_GAP_PARTS_H
#define NS_COLLISION_GAP_PARTS_H

#include "collision/gap.h"

/* Part of the shape with the point, axis or edge; it is the second of the pair if `turned`. */
typedef struct ns_gap_part {
  int crosses; /* 1: an axis or edge; 0: a point */
  int turned;
  int index;  /* index of the point or edge; 0 for an axis */
  int link;   /* link of the chain that is near, or whose corner it is */
  int colour; /* crossings: colour of the edges of the other */
} ns_gap_part;

/* Touch for a gap that is not active because another one replaces it: along the line of the
 * centres, with a gap longer than any between the two shapes. */
void ns_gap_between_centres(const ns_placed *a, const ns_placed *b, ns_touch *t);
/* Velocity of the point x of a body with this motion. */
void ns_twist_at(const ns_twist *of, const double *x, double *v);
/* Remove the component of v along the unit vector n. */
static inline void ns_without3(const double *n, double *v) { ns_axpy3(v, -ns_dot3(n, v), n, v); }

/* ---- gap_crossing.c: as the functions of gap.h, first having the axis or edge; n from the second
 * to it ---- */

/* Edges of a polytope; the axis of a capsule. */
int ns_crossing_regions(const ns_shape *s);
int ns_crossing_colours(const ns_shape *s);
int ns_crossing_region(const ns_placed *first, const ns_placed *second, const ns_gap_part *part);
double ns_crossing_room(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                        int region);
void ns_crossing_touch(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                       int region, ns_touch *t);
/* Rates of p1 of t, and of its normal. */
void ns_crossing_rates(const ns_placed *first, const ns_placed *second, const ns_gap_part *part,
                       int region, const ns_twist *of_first, const ns_twist *of_second,
                       const ns_touch *t, double *at_rate, double *n_rate);

#endif
