/* SPDX-License-Identifier: GPL-3.0-or-later */
/* broad.h -- pairs of overlapping boxes, in time proportional to the number of boxes instead of
 * their pairs.
 *
 * Boxes are sorted into grids by size, each grid with cells twice as wide as those of the next
 * smaller one; a box is tested against the boxes in neighbouring cells of its own grid and of
 * larger ones. Rare sizes and infinite boxes are tested against all others. Measured on one core,
 * including the contact points of spheres packed in a cube with 3 contacts per sphere: 0.21 us per
 * contact for 1000 and 10,000 equal spheres, 0.25 to 0.3 us for 100,000; 0.8 us for 10,000 spheres
 * with radii distributed evenly on a logarithmic scale over a factor of 20, with 1.7 contacts per
 * sphere. A scene takes about 1 kB per sphere. */
#ifndef NS_COLLISION_BROAD_H
#define NS_COLLISION_BROAD_H

#include "base/team.h"

#include <stddef.h>

typedef struct ns_pair {
  int a, b; /* a < b */
} ns_pair;

typedef struct ns_broad ns_broad;

/* Create; reach [n]: max. distance of each box from its position, may be infinite. NULL: out of
 * memory. */
ns_broad *ns_broad_create(int n, const double *reach);
void ns_broad_destroy(ns_broad *b); /* NULL-safe */

/* Pairs of overlapping boxes for which `may` returns nonzero, ascending. at [3 n]: positions; low,
 * high [3 n]: boxes, which exceed `reach` by at most `margin`, but for rounding. The list is
 * borrowed until the next call; memory grows as needed. -1: out of memory. */
int ns_broad_pairs(ns_broad *b, ns_team *team, const double *at, const float *low,
                   const float *high, double margin, int (*may)(const void *self, int a, int b),
                   const void *self, const ns_pair **pairs);

size_t ns_broad_bytes(const ns_broad *b);

#endif
