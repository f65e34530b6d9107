/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sets.h -- disjoint sets of the numbers 0 .. n-1 as trees: up [n] has the parent of each number,
 * itself for the root, which is the least number of its set. Paths are halved on the way (Tarjan &
 * van Leeuwen 1984). */
#ifndef NS_BASE_SETS_H
#define NS_BASE_SETS_H

/* Each number on its own. */
static inline void ns_sets_begin(int *up, int n)
{
  for (int i = 0; i < n; i++) up[i] = i;
}

static inline int ns_sets_root(int *up, int i)
{
  while (up[i] != i) i = up[i] = up[up[i]];
  return i;
}

static inline int ns_sets_share(int *up, int i, int j)
{
  return ns_sets_root(up, i) == ns_sets_root(up, j);
}

static inline void ns_sets_join(int *up, int i, int j)
{
  i = ns_sets_root(up, i);
  j = ns_sets_root(up, j);
  if (i < j) up[j] = i;
  else up[i] = j;
}

#endif
