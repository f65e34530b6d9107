/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gap_parts.h -- private to gap*.c: which parts of two shapes a gap is between.
 *
 *   gap.c           points of one shape about the other: centres, ends, corners, rims
 *   gap_crossing.c  axes and edges that cross */
#ifndef NS_COLLISION_GAP_PARTS_H
#define NS_COLLISION_GAP_PARTS_H

#include "collision/gap.h"

/* Of the one that has the point, axis or edge: the second of the pair where turned. */
typedef struct ns_gap_part {
  int crosses; /* an axis or edge, else a point */
  int turned;
  int index;  /* of the point or edge; 0 of an axis */
  int link;   /* of the chain that it is near to, or whose corner it is */
  int colour; /* of crossings: of the edges of the other */
} ns_gap_part;

/* A gap that another one stands in for: longer than that, as seen from the centres. */
void ns_gap_between_centres(const ns_placed *a, const ns_placed *b, ns_touch *t);
/* Velocity of the point x of what moves so. */
void ns_twist_at(const ns_twist *of, const double *x, double *v);
/* v without its part along the unit vector n. */
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
