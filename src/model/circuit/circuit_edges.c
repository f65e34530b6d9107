/* SPDX-License-Identifier: GPL-3.0-or-later */
/* circuit_edges.c -- sources that jump in loops of capacitors and cuts of inductors.
 *
 * The rate of a state x in such a loop contains slopes of sources,
 *
 *   x' = A x + B lambda + b + E s'
 *
 * which are impulses where s jumps, and pass unseen between two steps where it has a short edge.
 * The state is then X = x - E s, which is continuous: X' = A (X + E s) + B lambda + b. Sources
 * without corners have slopes that every scheme integrates: their states remain voltages of
 * capacitors and currents of inductors. */
#include "model/circuit/circuit_tableau.h"

#include "expression/freeze.h"

/* Does the source of an element have corners or jumps in time, by itself? One that reads the
 * circuit or another system needs their rates, which is told elsewhere. */
static int has_edges(const ns_tableau *t, int e, int *out)
{
  const ns_circuit_element *x = &t->k->element[e];
  const ns_tape *tape;
  double value;
  *out = 0;
  if (x->two) *out = 1;
  if (x->two || x->source < 0 || ns_graph_is_constant(t->g, x->source, &value)) return NS_OK;
  if (ns_graph_uses(t->g, x->source, NS_BANK_FOREIGN) ||
      ns_graph_uses(t->g, x->source, NS_BANK_LAMBDA) || ns_graph_uses(t->g, x->source, NS_BANK_Q))
    return NS_OK;
  int rc = ns_tape_compile(t->g, t->c, t->a, &x->source, 1, &tape);
  if (!rc) *out = ns_graph_uses(t->g, x->source, NS_BANK_Z) || !ns_tape_is_smooth(tape);
  return rc;
}

static void tell(const ns_tableau *t, const ns_port *p)
{
  const ns_circuit_element *x = &t->k->element[p->element];
  const ns_place *at = ns_tableau_place(t, p->element);
  const ns_sum *s = &t->beyond[p->state];
  int c = x->kind == NS_CIRCUIT_C;
  ns_note(t->c,
          "%.200s:%d: <%s id=\"%.80s\">: the %s of %.60s jumps with %.60s%s: the state x_%.60s is "
          "the remaining part; formulas read %.60s.%c",
          x->file, x->line, at->element, at->id, c ? "voltage" : "current", x->name,
          t->k->element[s->col[0]].name, s->n > 1 ? " and others" : "", x->name, x->name,
          c ? 'v' : 'i');
}

/* Slopes of a state's rate by sources with edges. */
static int edges_of(ns_tableau *t, const ns_port *p)
{
  ns_sum *to = &t->beyond[p->state];
  ns_tableau_sum_add(t, p->dq, 1);
  ns_sum rate = ns_tableau_sum_take(t);
  to->col = ns_arena_get(t->a, (size_t)rate.n + 1, sizeof *to->col);
  to->val = ns_arena_get(t->a, (size_t)rate.n + 1, sizeof *to->val);
  if (rate.n < 0 || !to->col || !to->val) return ns_nomem(t->c, "circuit");
  for (int k = 0; k < rate.n; k++) {
    const ns_meaning *m = &t->meaning[rate.col[k]];
    int edges, rc = m->kind == NS_COL_SLOPE ? has_edges(t, m->k, &edges) : NS_OK;
    if (rc) return rc;
    if (m->kind != NS_COL_SLOPE || !edges) continue;
    to->col[to->n] = m->k;
    to->val[to->n++] = rate.val[k];
  }
  return NS_OK;
}

static int is_beyond(const ns_sum *s, int element)
{
  for (int k = 0; k < s->n; k++)
    if (s->col[k] == element) return 1;
  return 0;
}

void ns_tableau_without_edges(const ns_tableau *t, int state, ns_sum *rate)
{
  int n = 0;
  for (int k = 0; k < rate->n; k++) {
    const ns_meaning *m = &t->meaning[rate->col[k]];
    if (m->kind == NS_COL_SLOPE && is_beyond(&t->beyond[state], m->k)) continue;
    rate->col[n] = rate->col[k];
    rate->val[n++] = rate->val[k];
  }
  rate->n = n;
}

int ns_tableau_edges(ns_tableau *t)
{
  enum { NOTES = 10 };
  int notes = 0;
  t->beyond = ns_arena_zero(t->a, (size_t)t->n + 1, sizeof *t->beyond);
  if (!t->beyond) return ns_nomem(t->c, "circuit");
  for (int s = 0; s < t->nstores; s++) {
    const ns_port *p = &t->store[s];
    if (p->state < 0) continue;
    int rc = edges_of(t, p);
    if (rc) return rc;
    if (t->beyond[p->state].n > 0 && notes++ < NOTES) tell(t, p);
  }
  return NS_OK;
}
