/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lift.c -- from straight code back to nodes: undo what the compiler of tapes fused and forwarded.
 * Operands that commute are put in one order, so that equal terms of different tapes meet in one
 * node. */
#include "expression/graph.h"
#include "expression/tape.h"

#include <stdlib.h>

/* The node as it is: what could be simplified has been, before the tape was made. */
static ns_node node_of(ns_graph *g, ns_op op, ns_node a, ns_node b, ns_node c)
{
  int turns = (op == NS_OP_ADD || op == NS_OP_MUL) && b < a, n = ns_op_arity(op);
  if ((n > 0 && a < 0) || (n > 1 && b < 0) || (n > 2 && c < 0)) return -1;
  return ns_graph_intern(g, op, turns ? b : a, n > 1 ? (turns ? a : b) : 0, n > 2 ? c : 0, 0);
}

static ns_node lifted(ns_graph *g, const ns_instruction *i, const ns_node *slot)
{
  ns_op op = ns_op_base(i->op);
  ns_node a = slot[i->a], b = slot[i->b], c = slot[i->c];
  if (op != NS_OP_MULADD && op != NS_OP_MULSUB && op != NS_OP_SUBMUL)
    return node_of(g, op, a, b, c);
  ns_node product = node_of(g, NS_OP_MUL, a, b, 0);
  if (op == NS_OP_MULADD) return node_of(g, NS_OP_ADD, product, c, 0);
  return op == NS_OP_MULSUB ? node_of(g, NS_OP_SUB, product, c, 0)
                            : node_of(g, NS_OP_SUB, c, product, 0);
}

int ns_tape_lift(const ns_tape *t, ns_graph *g, ns_node *out)
{
  return ns_tape_lift_shifted(t, g, -1, 0, out);
}

int ns_tape_lift_shifted(const ns_tape *t, ns_graph *g, int bank, int by, ns_node *out)
{
  ns_node *slot = malloc((t->nslots + 1) * sizeof *slot), *to = slot;
  if (!slot) return NS_NOMEM;
  for (int i = 0; i < t->nvariables; i++) {
    int of = t->variable[i].bank, index = t->variable[i].index;
    *to++ = ns_graph_variable(g, of, of == bank ? index + by : index);
  }
  for (int i = 0; i < t->nconstants; i++) *to++ = ns_graph_constant(g, t->constant[i]);
  for (const ns_instruction *i = t->code; i->op != NS_OP_END; i++) {
    if (i->op != NS_OP_SINCOS) {
      *to++ = lifted(g, i, slot);
      continue;
    }
    ns_node a = slot[i->a];
    *to++ = node_of(g, NS_OP_SIN, a, 0, 0);
    *to++ = node_of(g, NS_OP_COS, a, 0, 0);
  }
  int rc = NS_OK;
  for (int k = 0; k < t->noutputs; k++)
    if ((out[k] = slot[t->output[k]]) < 0) rc = NS_NOMEM;
  free(slot);
  return rc;
}
