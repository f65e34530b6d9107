/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.h -- internals of the graph of formulas, private to this folder; other layers use
 * expression.h.
 *
 * Nodes are stored in one array, each after its operands, so that the index is a topological order.
 * Equal nodes are stored once (hash table of indices, open addressing). A node < 0 is "out of
 * memory" and makes every node built from it < 0, so a chain of constructors is checked once, at
 * its end. */
#ifndef NS_EXPRESSION_GRAPH_H
#define NS_EXPRESSION_GRAPH_H

#include "expression/expression.h"
#include "expression/op.h"

#include <stdint.h>

typedef struct ns_term {
  double value;  /* CONST: value; POWER: exponent */
  uint64_t uses; /* banks and variables below, see ns_variable_bit */
  int arg[3];    /* operands; VAR: bank, index; POWER: factor, factor, base */
  ns_op op;
  /* Scratch of one differentiation, valid while stamp is the graph's. */
  int derivative;
  unsigned stamp;
} ns_term;

struct ns_graph {
  ns_arena *arena;
  ns_term *term;
  int count, cap;
  int *slot; /* node or -1; 2*cap of them */
  unsigned stamp;
};

/* Bits 0-15 of `uses` are banks (15: that one or a later one), 16-63 a signature of the variables:
 * a clear bit proves that a variable does not occur. */
uint64_t ns_bank_bit(int bank);
uint64_t ns_variable_bit(int bank, int index);

/* The node with these fields, created if there is none. No simplification. */
ns_node ns_graph_intern(ns_graph *g, ns_op op, ns_node a, ns_node b, ns_node c, double value);
/* The same; -1 if there is none. */
ns_node ns_graph_find(const ns_graph *g, ns_op op, ns_node a, ns_node b, ns_node c, double value);
/* Node f with the operands that `to` has for its own; no simplification. */
ns_node ns_graph_rebuilt(ns_graph *g, ns_node f, const ns_node *to);
/* Operands that a tape reads: 0-3 of arg[]. */
int ns_term_operands(const ns_term *t);

/* Simplified nodes (fold.c). */
ns_node ns_make1(ns_graph *g, ns_op op, ns_node a);
ns_node ns_make2(ns_graph *g, ns_op op, ns_node a, ns_node b);
ns_node ns_make_select(ns_graph *g, ns_node c, ns_node a, ns_node b);
/* A mixture of a and b by the branch c (op.h). */
ns_node ns_make_mix(ns_graph *g, ns_node c, ns_node a, ns_node b);
ns_node ns_make_power(ns_graph *g, ns_node a, ns_node b);
/* Column j of row k of the lookup h. */
ns_node ns_make_entry(ns_graph *g, ns_node k, ns_node j, ns_node h);
/* a modulo b with the sign of b. */
ns_node ns_make_mod(ns_graph *g, ns_node a, ns_node b);

#endif
