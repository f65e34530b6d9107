/* SPDX-License-Identifier: GPL-3.0-or-later */
/* groups.h -- groups of systems that share an iteration matrix because they are coupled, directly
 * or through other systems (union-find, Tarjan & van Leeuwen 1984). */
#ifndef NS_INTEGRATORS_GROUPS_H
#define NS_INTEGRATORS_GROUPS_H

#include "base/arena.h"
#include "model/model.h"

/* Groups of systems with a common W. The vector of a group holds the x of its systems one after the
 * other. */
typedef struct ns_rate_groups {
  int n;
  const int *size;  /* length of its vector [n] */
  const int *first; /* its systems: list[first[g] .. first[g+1]) [n+1] */
  const int *list;  /* [nsystems] */
  /* of each system: its group, and its first entry in the group's vector [nsystems] */
  const int *of, *at;
  /* of each entry of velocities and rates: its group, and its index in the group's vector [nv] */
  const int *group, *place;
  /* the entries of a group's vector: entry[begin[g] .. begin[g+1]) [nv], [n+1] */
  const int *entry, *begin;
} ns_rate_groups;

/* K of one interaction; rows and columns are the stacked inputs and states X of its systems, [nQ x
 * nQ] by columns. */
typedef struct ns_rate_tangent {
  int interaction;
  const double *K;
} ns_rate_tangent;

/* Build the groups from disjoint sets of systems (base/sets.h), in the order of their lowest
 * systems, in memory of a; overwrites up. NS_NOMEM. */
int ns_groups_make(ns_arena *a, const ns_model *m, int *up, ns_rate_groups *out);

#endif
