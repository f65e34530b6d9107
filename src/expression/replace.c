/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replace.c -- variables of a formula as other formulas. */
#include "expression/nodeset.h"

#include <stdlib.h>

ns_node ns_graph_rebuilt(ns_graph *g, ns_node f, const ns_node *to)
{
  ns_term t = g->term[f];
  int n = ns_term_operands(&t), same = 1;
  ns_node a[3] = {t.arg[0], t.arg[1], t.arg[2]};
  for (int k = 0; k < n; k++) {
    a[k] = to[t.arg[k]];
    same &= a[k] == t.arg[k];
    if (a[k] < 0) return -1;
  }
  if (same) return f;
  if (t.op == NS_OP_POWER) a[2] = to[t.arg[2]];
  /* Operands that commute stand in one order (lift.c). */
  int turns = (t.op == NS_OP_ADD || t.op == NS_OP_MUL) && a[1] < a[0];
  return ns_graph_intern(g, t.op, turns ? a[1] : a[0], turns ? a[0] : a[1], a[2], t.value);
}

ns_node ns_graph_replace(ns_graph *g, ns_node f, int bank, const ns_node *by)
{
  if (f < 0 || !ns_graph_uses(g, f, bank)) return f;
  ns_nodeset s; /* f alone: by has no entries for variables of other formulas */
  int rc = ns_nodeset_collect(&s, g, &f, 1);
  ns_node *to = rc ? NULL : malloc(((size_t)f + 1) * sizeof *to), out = -1;
  for (int i = 0; to && i < s.count; i++) {
    ns_node k = s.member[i].node;
    const ns_term *t = &g->term[k];
    if (!(t->uses & ns_bank_bit(bank))) to[k] = k;
    else if (t->op != NS_OP_VAR) to[k] = ns_graph_rebuilt(g, k, to);
    else to[k] = t->arg[0] == bank ? by[t->arg[1]] : k;
  }
  if (to) out = to[f];
  free(to);
  ns_nodeset_fini(&s);
  return out;
}
