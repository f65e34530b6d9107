/* SPDX-License-Identifier: GPL-3.0-or-later */
/* condition.c -- from a formula to whether it holds, and by how much. */
#include "expression/graph.h"

enum { DEEPEST = 250 };
/* Beyond any margin, and small enough for differences of two. */
static const double FAR = 1e100;

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

/* 1 where f reads t, and beside it what is constant between events: its changes are known. */
static int is_known(const ns_graph *g, ns_node f, int time, unsigned fixed)
{
  unsigned uses = (unsigned)(g->term[f].uses & 0xffffu);
  return uses & 1u << time && !(uses & ~(fixed | 1u << time));
}

/* What a margin is made of. */
typedef struct atoms {
  ns_graph *g;
  int time;       /* bank of t; < 0: no margin is known beforehand */
  unsigned fixed; /* bits 1 << bank of what is constant between events */
} atoms;

static ns_node less(const atoms *m, ns_node a, ns_node b, int depth);

/* f < b of an f = max(a, c), f > b of an f = min(a, c): both are; of the others one is. */
static ns_node less_extreme(const atoms *m, ns_node a, ns_node b, int depth)
{
  ns_graph *g = m->g;
  const ns_term left = g->term[a], right = g->term[b];
  if (left.op == NS_OP_MAX || left.op == NS_OP_MIN)
    return ns_make2(g, left.op == NS_OP_MAX ? NS_OP_MIN : NS_OP_MAX, less(m, left.arg[0], b, depth),
                    less(m, left.arg[1], b, depth));
  return ns_make2(g, right.op, less(m, a, right.arg[0], depth), less(m, a, right.arg[1], depth));
}

static int is_extreme(const ns_graph *g, ns_node f)
{
  return g->term[f].op == NS_OP_MIN || g->term[f].op == NS_OP_MAX;
}

/* b - a */
static ns_node less(const atoms *m, ns_node a, ns_node b, int depth)
{
  ns_node by = ns_make2(m->g, NS_OP_SUB, b, a);
  if (a < 0 || b < 0 || by < 0 || m->time < 0) return by;
  if (is_known(m->g, by, m->time, m->fixed))
    return ns_graph_select(m->g, ns_graph_less(m->g, a, b), ns_graph_constant(m->g, FAR),
                           ns_graph_constant(m->g, -FAR));
  int mixed = m->g->term[by].uses >> m->time & 1 && (is_extreme(m->g, a) || is_extreme(m->g, b));
  return mixed && depth <= DEEPEST ? less_extreme(m, a, b, depth + 1) : by;
}

/* Of a formula with a truth value; of another one f itself, which holds where it is above 0. */
static ns_node margin(const atoms *m, ns_node f, int depth)
{
  if (f < 0) return f;
  ns_graph *g = m->g;
  const ns_term t = g->term[f]; /* a copy: the graph may grow */
  if (depth > DEEPEST) return f;
  switch (t.op) {
  case NS_OP_LT:
  case NS_OP_LE: return less(m, t.arg[0], t.arg[1], depth);
  case NS_OP_EQ: return distance(g, t.arg[0], t.arg[1], 1);
  case NS_OP_NE: return distance(g, t.arg[0], t.arg[1], 0);
  case NS_OP_AND:
    return ns_make2(g, NS_OP_MIN, margin(m, t.arg[0], depth + 1), margin(m, t.arg[1], depth + 1));
  case NS_OP_OR:
    return ns_make2(g, NS_OP_MAX, margin(m, t.arg[0], depth + 1), margin(m, t.arg[1], depth + 1));
  case NS_OP_NOT:
    if (is_truth(g->term[t.arg[0]].op))
      return ns_make1(g, NS_OP_NEG, margin(m, t.arg[0], depth + 1));
    return distance(g, t.arg[0], ns_graph_constant(g, 0), 1);
  default: return f;
  }
}

void ns_graph_condition(ns_graph *g, ns_node f, ns_node *holds, ns_node *by)
{
  const atoms m = {.g = g, .time = -1};
  *holds = f >= 0 && is_truth(g->term[f].op) ? f : ns_graph_less(g, ns_graph_constant(g, 0), f);
  *by = margin(&m, f, 0);
}

ns_node ns_graph_known_margin(ns_graph *g, ns_node holds, ns_node by, int time, unsigned fixed)
{
  const atoms plain = {.g = g, .time = -1}, m = {.g = g, .time = time, .fixed = fixed};
  return margin(&plain, holds, 0) == by ? margin(&m, holds, 0) : by;
}
