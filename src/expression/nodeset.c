/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "expression/nodeset.h"

#include "algebra/vector.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_MEMBERS 64

static unsigned slot_of(const ns_nodeset *s, ns_node node)
{
  unsigned mask = 2 * (unsigned)s->cap - 1, i = ((unsigned)node * 2654435769u >> 7) & mask;
  while (s->slot[i] >= 0 && s->member[s->slot[i]].node != node) i = (i + 1) & mask;
  return i;
}

static void reindex(ns_nodeset *s)
{
  ns_fill_ints(2 * (size_t)s->cap, -1, s->slot);
  for (int i = 0; i < s->count; i++) s->slot[slot_of(s, s->member[i].node)] = i;
}

static int grow(ns_nodeset *s)
{
  if (s->cap > INT_MAX / 4) return NS_NOMEM;
  size_t cap = s->cap ? 2 * (size_t)s->cap : FIRST_MEMBERS;
  ns_member *m = realloc(s->member, cap * sizeof *m);
  if (!m) return NS_NOMEM;
  s->member = m;
  int *slot = realloc(s->slot, 2 * cap * sizeof *slot);
  if (!slot) return NS_NOMEM;
  s->slot = slot;
  s->cap = (int)cap;
  reindex(s);
  return NS_OK;
}

static int use(ns_nodeset *s, ns_node node)
{
  if (s->count == s->cap && grow(s) != NS_OK) return NS_NOMEM;
  unsigned i = slot_of(s, node);
  if (s->slot[i] < 0) {
    s->slot[i] = s->count;
    s->member[s->count++] = (ns_member){.node = node};
  }
  s->member[s->slot[i]].users++;
  return NS_OK;
}

static int by_node(const void *x, const void *y)
{
  ns_node a = ((const ns_member *)x)->node, b = ((const ns_member *)y)->node;
  return (a > b) - (a < b);
}

int ns_nodeset_collect(ns_nodeset *s, const ns_graph *g, const ns_node *out, int n)
{
  *s = (ns_nodeset){0};
  int rc = grow(s);
  for (int k = 0; k < n && rc == NS_OK; k++) rc = use(s, out[k]);
  /* The members are their own queue. */
  for (int i = 0; i < s->count && rc == NS_OK; i++) {
    const ns_term *t = &g->term[s->member[i].node];
    for (int k = 0; k < ns_term_operands(t) && rc == NS_OK; k++) rc = use(s, t->arg[k]);
  }
  if (rc != NS_OK) return rc;
  qsort(s->member, (size_t)s->count, sizeof *s->member, by_node);
  reindex(s);
  return NS_OK;
}

void ns_nodeset_fini(ns_nodeset *s)
{
  free(s->member);
  free(s->slot);
}

ns_member *ns_nodeset_at(const ns_nodeset *s, ns_node node)
{
  int i = s->slot[slot_of(s, node)];
  return i < 0 ? NULL : &s->member[i];
}
