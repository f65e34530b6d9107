/* SPDX-License-Identifier: GPL-3.0-or-later */
/* groups.h -- which systems have an iteration matrix in common: those that are joined, directly or
 * through others. */
#ifndef NS_INTEGRATORS_GROUPS_H
#define NS_INTEGRATORS_GROUPS_H

#include "integrators/rate.h"

/* A forest over the systems; the lowest of those that are joined stands for all. up [nsystems]. */
void ns_groups_begin(int *up, int nsystems);
void ns_groups_join(int *up, int i, int j);
/* The groups of the forest, in the order of their lowest systems; memory: a. up is lost. NS_NOMEM.
 * */
int ns_groups_make(ns_arena *a, const ns_model *m, int *up, ns_rate_groups *out);

#endif
