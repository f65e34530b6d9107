/* SPDX-License-Identifier: GPL-3.0-or-later */
/* circuit_check.c -- every node hangs together with ground: potentials are differences to it. */
#include "model/circuit_tableau.h"

static int root(int *up, int k)
{
  while (up[k] != k) k = up[k] = up[up[k]];
  return k;
}

static void join(int *up, int a, int b) { up[root(up, a)] = root(up, b); }

/* The first node whose piece does not hold ground, 0: there is none. */
static int loose_node(const ns_circuit *k, int *up)
{
  for (int i = 0; i < k->nnodes; i++) up[i] = i;
  for (int e = 0; e < k->n; e++) {
    const ns_circuit_element *x = &k->element[e];
    if (ns_circuit_forms[x->kind].nodes == 0) continue;
    join(up, x->node[0], x->node[1]);
    if (x->kind == NS_CIRCUIT_T) join(up, x->node[2], x->node[3]);
  }
  for (int i = 1; i < k->nnodes; i++)
    if (root(up, i) != root(up, 0)) return i;
  return 0;
}

static int touches(const ns_circuit_element *x, int node)
{
  for (int j = 0; j < ns_circuit_forms[x->kind].nodes; j++)
    if (x->node[j] == node) return 1;
  return 0;
}

int ns_tableau_check(ns_tableau *t)
{
  const ns_circuit *k = t->k;
  int *up = ns_arena_get(t->a, (size_t)k->nnodes, sizeof *up), ground = 0;
  if (!up) return ns_nomem(t->c, "circuit");
  if (k->n == 0)
    return ns_fail(t->c, NS_MODEL, "%.200s:%d: <%s id=\"%.80s\">: holds no element, expected lines such as \"R1 a b 1e3\"", k->at.file,
                   k->at.line, k->at.element, k->at.id);
  int node = loose_node(k, up), e = 0;
  for (int i = 0; i < k->n; i++) ground |= touches(&k->element[i], 0);
  if (!ground)
    return ns_tableau_fail(t, 0, "no element of the circuit touches node 0, the ground, expected at least one; write 0 for the node "
                           "that voltages are measured from");
  if (!node) return NS_OK;
  while (!touches(&k->element[e], node)) e++;
  return ns_tableau_fail(t, e, "node %.40s is floating: no elements lead from it to node 0, expected a way; connect it, or a node behind "
                         "it, to node 0", k->node[node]);
}
