/* SPDX-License-Identifier: GPL-3.0-or-later */
/* groups.h -- groups of systems that share an iteration matrix because they are coupled, directly
 * or through other systems (union-find, Tarjan & van Leeuwen 1984). */
#ifndef NS_INTEGRATORS_GROUPS_H
#define NS_INTEGRATORS_GROUPS_H

#include "integrators/rate.h"

/* Disjoint sets of systems as a forest up [nsystems]; each set is represented by its lowest index.
 * _begin: one set per system; _join: unites the sets of i and j. */
void ns_groups_begin(int *up, int nsystems);
void ns_groups_join(int *up, int i, int j);
/* Build the groups from the forest, in the order of their lowest systems, in memory of a;
 * overwrites up. NS_NOMEM. */
int ns_groups_make(ns_arena *a, const ns_model *m, int *up, ns_rate_groups *out);

#endif
