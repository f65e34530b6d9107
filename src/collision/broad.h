/* SPDX-License-Identifier: GPL-3.0-or-later */
/* broad.h -- which of many boxes meet, in time that grows with their number and not with that of
 * their pairs.
 *
 * Boxes lie in grids by their size, each grid with cells twice as wide as that of the next smaller
 * ones; a box looks for partners in the cells about it in its own grid and in those of larger ones.
 * Sizes that few have, and those without bound, are tried against all. Measured with the touches of
 * spheres packed in a cube, 3 a sphere, on one core that was not idle: 0.21 us a contact for 1000
 * and 10,000 equal spheres, 0.25 to 0.3 us for 100,000; 0.8 us for 10,000 with radii spread evenly
 * by logarithm over a factor of 20, 1.7 contacts each. About 1 kB a sphere for all of a scene. */
#ifndef NS_COLLISION_BROAD_H
#define NS_COLLISION_BROAD_H

#include "base/team.h"

#include <stddef.h>

typedef struct ns_pair {
  int a, b; /* a < b */
} ns_pair;

typedef struct ns_broad ns_broad;

/* reach [n]: of each box from its place, at most; may be infinite. NULL: out of memory. */
ns_broad *ns_broad_create(int n, const double *reach);
void ns_broad_destroy(ns_broad *b); /* NULL-safe */

/* Pairs that meet and that `may` meet, ascending. Places at [3 n], boxes low and high [3 n], which
 * reach beyond `reach` by margin at most. The list is borrowed until the next call; grows where it
 * must. -1: out of memory. */
int ns_broad_pairs(ns_broad *b, ns_team *team, const double *at, const double *low,
                   const double *high, double margin, int (*may)(const void *self, int a, int b),
                   const void *self, const ns_pair **pairs);

size_t ns_broad_bytes(const ns_broad *b);

#endif
