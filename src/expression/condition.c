/* SPDX-License-Identifier: GPL-3.0-or-later */
/* condition.c -- from a formula to whether it holds, and by how much. */
#include "expression/graph.h"

enum { DEEPEST = 250 };

static int is_truth(ns_op op)
{
  return op == NS_OP_LT || op == NS_OP_LE || op == NS_OP_EQ || op == NS_OP_NE || op == NS_OP_AND ||
         op == NS_OP_OR || op == NS_OP_NOT;
}

/* -|a - b| where `same`, else |a - b| */
static ns_node distance(ns_graph *g, ns_node a, ns_node b, int same)
{
  ns_node d = ns_make1(g, NS_OP_ABS, ns_make2(g, NS_OP_SUB, a, b));
  return same ? ns_make1(g, NS_OP_NEG, d) : d;
}

/* Of a formula with a truth value; of another one f itself, which holds where it is above 0. */
static ns_node margin(ns_graph *g, ns_node f, int depth)
{
  if (f < 0) return f;
  const ns_term t = g->term[f]; /* a copy: the graph may grow */
  if (depth > DEEPEST) return f;
  switch (t.op) {
  case NS_OP_LT:
  case NS_OP_LE: return ns_make2(g, NS_OP_SUB, t.arg[1], t.arg[0]);
  case NS_OP_EQ: return distance(g, t.arg[0], t.arg[1], 1);
  case NS_OP_NE: return distance(g, t.arg[0], t.arg[1], 0);
  case NS_OP_AND:
    return ns_make2(g, NS_OP_MIN, margin(g, t.arg[0], depth + 1), margin(g, t.arg[1], depth + 1));
  case NS_OP_OR:
    return ns_make2(g, NS_OP_MAX, margin(g, t.arg[0], depth + 1), margin(g, t.arg[1], depth + 1));
  case NS_OP_NOT:
    if (is_truth(g->term[t.arg[0]].op))
      return ns_make1(g, NS_OP_NEG, margin(g, t.arg[0], depth + 1));
    return distance(g, t.arg[0], ns_graph_constant(g, 0), 1);
  default: return f;
  }
}

void ns_graph_condition(ns_graph *g, ns_node f, ns_node *holds, ns_node *by)
{
  *holds = f >= 0 && is_truth(g->term[f].op) ? f : ns_graph_less(g, ns_graph_constant(g, 0), f);
  *by = margin(g, f, 0);
}
