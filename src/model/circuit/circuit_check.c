/* SPDX-License-Identifier: GPL-3.0-or-later */
/* circuit_check.c -- every node hangs together with ground: potentials are differences to it.
 *
 * Where it does so by diodes and switches alone it floats while these block: its potential is then
 * whatever they can bear. That has no say in the motion; of all multipliers the shortest are taken
 * in event-driven runs (simulation/rows/singular.h). Such nodes are told. */
#include "model/circuit/circuit_tableau.h"

#include "base/sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The first node whose piece does not hold ground, 0: there is none. */
static int loose_node(const ns_circuit *k, int *up)
{
  ns_sets_begin(up, k->nnodes);
  for (int e = 0; e < k->n; e++) {
    const ns_circuit_element *x = &k->element[e];
    if (ns_circuit_forms[x->kind].nodes == 0) continue;
    ns_sets_join(up, x->node[0], x->node[1]);
    if (x->kind == NS_CIRCUIT_T || x->kind == NS_CIRCUIT_Y)
      ns_sets_join(up, x->node[2], x->node[3]);
  }
  for (int i = 1; i < k->nnodes; i++)
    if (!ns_sets_share(up, i, 0)) return i;
  return 0;
}

static int touches(const ns_circuit_element *x, int node)
{
  for (int j = 0; j < ns_circuit_forms[x->kind].nodes; j++)
    if (x->node[j] == node) return 1;
  return 0;
}

/* In SPICE gnd is another name of node 0. */
static void warn_of_gnd(const ns_tableau *t)
{
  const ns_circuit *k = t->k;
  for (int node = 1, e = 0; node < k->nnodes; node++) {
    if (strcasecmp(k->node[node], "gnd")) continue;
    while (e < k->n && !touches(&k->element[e], node)) e++;
    if (e == k->n) return;
    ns_warn(t->c,
            "%.200s:%d: <%s id=\"%.80s\">: %.60s: node %.40s is not the ground; write 0, the only "
            "name of the ground in a <netlist>, or another name",
            k->element[e].file, k->element[e].line, k->at.element, k->at.id, k->element[e].name,
            k->node[node]);
    return;
  }
}

int ns_tableau_check(ns_tableau *t)
{
  const ns_circuit *k = t->k;
  int *up = ns_arena_get(t->a, (size_t)k->nnodes, sizeof *up), ground = 0;
  if (!up) return ns_nomem(t->c, "circuit");
  if (k->n == 0)
    return ns_fail(
        t->c, NS_MODEL,
        "%.200s:%d: <%s id=\"%.80s\">: contains no element, expected lines such as \"R1 a b 1e3\"",
        k->at.file, k->at.line, k->at.element, k->at.id);
  int node = loose_node(k, up), e = 0;
  for (int i = 0; i < k->n; i++) ground |= touches(&k->element[i], 0);
  if (!ground)
    return ns_tableau_fail(t, 0,
                           "no element of the circuit touches node 0, the ground, expected at "
                           "least one; write 0 for the reference node of voltages");
  warn_of_gnd(t);
  if (!node) return NS_OK;
  while (e < k->n && !touches(&k->element[e], node)) e++;
  if (e == k->n) /* those that named it have both ends there, by a call of a .subckt */
    return ns_fail(t->c, NS_MODEL,
                   "%.200s:%d: <%s id=\"%.80s\">: node %.40s is floating: the devices at it have "
                   "both ends there; connect it to node 0, or give gmin=",
                   k->at.file, k->at.line, k->at.element, k->at.id, k->node[node]);
  return ns_tableau_fail(t, e,
                         "node %.40s is floating: no elements connect it to node 0; connect it, or "
                         "a node beyond it, to node 0, or give gmin=",
                         k->node[node]);
}

/* ---- nodes that float ------------------------------------------------------------------------ */

enum { TOLD = 10 }; /* sets of nodes */

/* One that blocks for good: a conductance beside it carries what is left. */
static int is_device(const ns_circuit_element *x)
{
  return ns_tableau_is_device(x->kind) && x->leak == 0;
}

/* Its voltage depends on nothing but what the element is: the nodes hang together. */
static int ties(const ns_circuit_element *x)
{
  if (is_device(x) || ns_circuit_forms[x->kind].nodes == 0) return 0;
  if (x->kind == NS_CIRCUIT_G || x->kind == NS_CIRCUIT_Y) return 0;
  return x->kind != NS_CIRCUIT_I && x->kind != NS_CIRCUIT_F;
}

/* ", p" behind the names so far. */
static void list(char *buf, size_t size, const char *name)
{
  size_t n = strlen(buf);
  if (n + 4 < size) snprintf(buf + n, size - n, "%s%.40s", n ? ", " : "", name);
}

/* It gives the voltage between its first two nodes, whatever its current is; that of a transformer
 * is that of its other side. */
static int gives_voltage(const ns_circuit_element *x)
{
  ns_circuit_kind k = x->kind;
  return k == NS_CIRCUIT_V || k == NS_CIRCUIT_E || k == NS_CIRCUIT_H || k == NS_CIRCUIT_O;
}

/* It gives the current between them, whatever its voltage is. */
static int gives_current(const ns_circuit_element *x)
{
  ns_circuit_kind k = x->kind;
  return k == NS_CIRCUIT_I || k == NS_CIRCUIT_F || k == NS_CIRCUIT_G;
}

void ns_tableau_loop(const ns_tableau *t, int e, char *buf, size_t size)
{
  const ns_circuit *k = t->k;
  const ns_circuit_element *own = &k->element[e];
  int *from = ns_arena_get(t->a, (size_t)k->nnodes, sizeof *from), grows = from != NULL;
  *buf = 0;
  list(buf, size, own->name);
  for (int i = 0; from && i < k->nnodes; i++) from[i] = -1;
  if (from) from[own->node[0]] = e; /* how a node was come to: by that element */
  for (int round = 0; grows && round < k->nnodes && from[own->node[1]] < 0; round++) {
    grows = 0;
    for (int i = 0; i < k->n; i++) {
      const ns_circuit_element *x = &k->element[i];
      if (i == e || !gives_voltage(x)) continue;
      for (int j = 0; j < 2; j++) {
        int a = x->node[j], b = x->node[1 - j];
        if (from[a] < 0 || from[b] >= 0) continue;
        from[b] = i;
        grows = 1;
      }
    }
  }
  for (int node = own->node[1]; from && from[node] >= 0 && node != own->node[0];) {
    const ns_circuit_element *x = &k->element[from[node]];
    list(buf, size, x->name);
    node = x->node[x->node[0] == node];
  }
}

void ns_tableau_cut(const ns_tableau *t, int e, char *buf, size_t size)
{
  const ns_circuit *k = t->k;
  const ns_circuit_element *own = &k->element[e];
  int *up = ns_arena_get(t->a, (size_t)k->nnodes, sizeof *up);
  *buf = 0;
  list(buf, size, own->name);
  for (int i = 0; up && i < k->nnodes; i++) up[i] = i;
  for (int i = 0; up && i < k->n; i++)
    if (!gives_current(&k->element[i]) && ns_circuit_forms[k->element[i].kind].nodes)
      ns_sets_join(up, k->element[i].node[0], k->element[i].node[1]);
  if (!up || ns_sets_share(up, own->node[0], own->node[1])) return;
  int side = ns_sets_share(up, own->node[0], 0) ? own->node[1] : own->node[0];
  for (int i = 0; i < k->n; i++) {
    const ns_circuit_element *x = &k->element[i];
    int in = ns_sets_share(up, x->node[0], side), out = !ns_sets_share(up, x->node[1], side);
    if (i != e && gives_current(x) && in == out) list(buf, size, x->name);
  }
}

void ns_tableau_at_node(const ns_tableau *t, int node, char *buf, size_t size)
{
  int told = 0;
  *buf = 0;
  for (int e = 0; e < t->k->n && told < TOLD; e++)
    if (touches(&t->k->element[e], node)) list(buf, size, t->k->element[e].name), told++;
}

/* A device leads from the nodes that hang together with `first` to others. */
static int leads_out(const ns_circuit_element *x, int *up, int first)
{
  if (!is_device(x)) return 0;
  return ns_sets_share(up, x->node[0], first) != ns_sets_share(up, x->node[1], first);
}

/* The nodes that hang together with `first`, and the devices that lead from them. */
static void tell_floating(const ns_tableau *t, int *up, int first)
{
  const ns_circuit *k = t->k;
  char nodes[200] = "", devices[200] = "";
  int e = k->n;
  for (int i = 1; i < k->nnodes; i++)
    if (ns_sets_share(up, i, first) && !strchr(k->node[i], '~'))
      list(nodes, sizeof nodes, k->node[i]);
  for (int i = k->n - 1; i >= 0; i--)
    if (leads_out(&k->element[i], up, first)) e = i;
  for (int i = e; i < k->n; i++)
    if (leads_out(&k->element[i], up, first)) list(devices, sizeof devices, k->element[i].name);
  if (e == k->n || !*nodes) return; /* inside of an element */
  ns_note(t->c,
          "%.200s:%d: <%s id=\"%.80s\">: floating while %s block: node %s; the voltage to the rest "
          "is then not determined, and does not affect the motion; a large resistor, or gmin=, "
          "determines it",
          k->element[e].file, k->element[e].line, ns_tableau_place(t, e)->element,
          ns_tableau_place(t, e)->id, devices, nodes);
}

int ns_circuit_floating(const ns_circuit *k, unsigned char *floats)
{
  int *up = malloc((size_t)k->nnodes * sizeof *up);
  if (!up) return -1;
  ns_sets_begin(up, k->nnodes);
  for (int e = 0; e < k->n; e++) {
    const ns_circuit_element *x = &k->element[e];
    if (!ties(x)) continue;
    ns_sets_join(up, x->node[0], x->node[1]);
    if (x->kind == NS_CIRCUIT_T) ns_sets_join(up, x->node[2], x->node[3]);
  }
  memset(floats, 0, (size_t)k->nnodes * sizeof *floats);
  for (int i = 1; i < k->nnodes; i++) {
    if (ns_sets_share(up, i, 0)) continue;
    floats[i] = 1;
    ns_sets_join(up, i, 0);
  }
  free(up);
  return 0;
}

int ns_tableau_floating(ns_tableau *t)
{
  const ns_circuit *k = t->k;
  size_t n = (size_t)k->nnodes;
  int *up = ns_arena_get(t->a, n, sizeof *up), told = 0;
  unsigned char *seen = ns_arena_zero(t->a, n, 1);
  if (!up || !seen) return ns_nomem(t->c, "circuit");
  ns_sets_begin(up, k->nnodes);
  for (int e = 0; e < k->n; e++)
    if (ties(&k->element[e])) ns_sets_join(up, k->element[e].node[0], k->element[e].node[1]);
  seen[ns_sets_root(up, 0)] = 1;
  for (int i = 1; i < k->nnodes && told < TOLD; i++) {
    int at = ns_sets_root(up, i);
    if (seen[at]) continue;
    seen[at] = 1;
    told++;
    tell_floating(t, up, i);
  }
  return NS_OK;
}
