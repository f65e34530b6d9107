/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nodeset.h -- the nodes required by some outputs, found without recursion in time proportional to
 * their number, independent of the size of the graph. */
#ifndef NS_EXPRESSION_NODESET_H
#define NS_EXPRESSION_NODESET_H

#include "expression/graph.h"

typedef struct ns_member {
  ns_node node;
  int users; /* operands and outputs that read it */
  /* for the tape */
  uint32_t slot;
  int depth;  /* cycles of the longest chain up to the result */
  int fused;  /* computed inside its only user */
  int placed; /* has its slot, or needs none */
} ns_member;

typedef struct ns_nodeset {
  ns_member *member; /* [count], by node after ns_nodeset_collect, so operands first */
  int count, cap;
  int *slot; /* index of a member or -1, open addressing [2*cap] */
} ns_nodeset;

/* What out[0..n) need, themselves included. NS_OK or NS_NOMEM; fini in either case. */
int ns_nodeset_collect(ns_nodeset *s, const ns_graph *g, const ns_node *out, int n);
void ns_nodeset_fini(ns_nodeset *s);
/* NULL where it is not in the set. */
ns_member *ns_nodeset_at(const ns_nodeset *s, ns_node node);

#endif
