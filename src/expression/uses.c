/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uses.c -- which variables a formula depends on. */
#include "algebra/vector.h"
#include "expression/nodeset.h"

#include <stdlib.h>

int ns_graph_uses(const ns_graph *g, ns_node f, int bank)
{
  if (f < 0 || !(g->term[f].uses & ns_bank_bit(bank))) return 0;
  if (bank < 15) return 1; /* a bit of its own */
  ns_nodeset s;
  int found = ns_nodeset_collect(&s, g, &f, 1) != NS_OK; /* out of memory: "perhaps" */
  for (int i = 0; i < s.count && !found; i++) {
    const ns_term *t = &g->term[s.member[i].node];
    found = t->op == NS_OP_VAR && t->arg[0] == bank;
  }
  ns_nodeset_fini(&s);
  return found;
}

int ns_graph_variables(const ns_graph *g, const ns_node *f, int n, int bank, int *index, int max)
{
  ns_nodeset s;
  int found = 0;
  for (int k = 0; k < n; k++)
    if (f[k] < 0) return NS_NOMEM;
  int rc = ns_nodeset_collect(&s, g, f, n);
  for (int i = 0; i < s.count && rc == NS_OK; i++) {
    const ns_term *t = &g->term[s.member[i].node];
    if (t->op != NS_OP_VAR || t->arg[0] != bank) continue;
    if (found < max) index[found] = t->arg[1];
    found++;
  }
  ns_nodeset_fini(&s);
  if (rc != NS_OK) return rc;
  if (max > 1) qsort(index, (size_t)(found < max ? found : max), sizeof *index, ns_ascending);
  return found;
}
