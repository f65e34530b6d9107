/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/groups.h"

#include "algebra/vector.h"
#include "base/sets.h"

#include <string.h>

/* The same by entries of velocities and rates. */
static int list_entries(ns_arena *mem, const ns_model *m, ns_rate_groups *g)
{
  int *group = ns_arena_zero(mem, m->nv, sizeof *group);
  int *place = ns_arena_zero(mem, m->nv, sizeof *place);
  int *entry = ns_arena_zero(mem, m->nv, sizeof *entry);
  int *begin = ns_arena_zero(mem, (size_t)g->n + 1, sizeof *begin);
  if (!group || !place || !entry || !begin) return NS_NOMEM;
  for (int k = 0; k < g->n; k++) begin[k + 1] = begin[k] + g->size[k];
  for (int i = 0; i < m->nsystems; i++)
    for (int j = 0; j < m->systems[i].n; j++) {
      size_t e = m->systems[i].v + (size_t)j;
      group[e] = g->of[i];
      place[e] = g->at[i] + j;
      entry[begin[group[e]] + place[e]] = (int)e;
    }
  g->group = group;
  g->place = place;
  g->entry = entry;
  g->begin = begin;
  return NS_OK;
}

int ns_groups_make(ns_arena *mem, const ns_model *m, int *up, ns_rate_groups *out)
{
  size_t ns = (size_t)m->nsystems;
  int *size = ns_arena_zero(mem, ns, sizeof *size),
      *first = ns_arena_zero(mem, ns + 1, sizeof *first);
  int *list = ns_arena_zero(mem, ns, sizeof *list), *of = ns_arena_zero(mem, ns, sizeof *of);
  int *at = ns_arena_zero(mem, ns, sizeof *at), n = 0;
  if (!size || !first || !list || !of || !at) return NS_NOMEM;
  for (int i = 0; i < m->nsystems; i++) {
    int r = ns_sets_root(up, i);
    of[i] = r == i ? n++ : of[r];
    at[i] = size[of[i]];
    size[of[i]] += m->systems[i].n;
    first[of[i] + 1]++;
  }
  ns_prefix_sums((size_t)n, first);
  memcpy(up, first, (size_t)n * sizeof *first); /* where the next one goes */
  for (int i = 0; i < m->nsystems; i++) list[up[of[i]]++] = i;
  *out = (ns_rate_groups){.n = n, .size = size, .first = first, .list = list, .of = of, .at = at};
  return list_entries(mem, m, out);
}
