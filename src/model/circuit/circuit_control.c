/* SPDX-License-Identifier: GPL-3.0-or-later */
/* circuit_control.c -- sources and switches whose formulas read the circuit.
 *
 * A source whose formula reads states and sources alone is that function of them. One that reads
 * what depends on it, or on multipliers, is an unknown s of an equality row  y = s - f(x, lambda,
 *     t).
 *
 * A switch that reads the circuit, or has thresholds that differ, keeps its state in an entry of z
 * of the system, which events set: where its control comes to `above`, and to `below`. So its mode
 * is constant between events, in time-stepping as in event-driven runs (there at the end of the
 * step in which the control crosses). One that reads time and other systems alone needs none. */
#include "model/circuit/circuit_tableau.h"
#include "model/user_event.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int nomem(const ns_tableau *t) { return ns_nomem(t->c, "circuit"); }

static int reads_circuit(const ns_tableau *t, int e)
{
  ns_node f = t->k->element[e].source;
  return f >= 0 && ns_graph_uses(t->g, f, NS_BANK_LAMBDA);
}

/* A source whose value is its formula. */
static int is_free_source(const ns_tableau *t, int e)
{
  return t->s[e] >= 0 && !t->k->element[e].two && reads_circuit(t, e);
}

/* ---- which sources are unknowns -------------------------------------------------------------- */

/* Element whose source is column `col`; -1: it is none. */
static int source_of(const ns_tableau *t, int col)
{
  for (int e = 0; e < t->k->n; e++)
    if (t->s[e] == col) return e;
  return -1;
}

static int is_state(const ns_tableau *t, int col)
{
  for (int s = 0; s < t->nstores; s++)
    if (t->store[s].q == col && t->r.pivot[t->store[s].p] >= 0) return 1;
  return 0;
}

/* Every term of a sum is a state, or a source that is known by now. */
static int is_known(const ns_tableau *t, const ns_sum *s)
{
  for (int k = 0; k < s->n; k++) {
    int col = s->col[k], e = source_of(t, col);
    if (e >= 0 ? is_free_source(t, e) && t->rank[e] <= 0 : col != t->one && !is_state(t, col))
      return 0;
  }
  return 1;
}

/* Reads of the source of an element, to *index [n]: their number, -1: out of memory. */
static int reads_of(const ns_tableau *t, int e, int **index)
{
  ns_node f = t->k->element[e].source;
  int n = ns_graph_variables(t->g, &f, 1, NS_BANK_LAMBDA, NULL, 0);
  *index = n >= 0 ? ns_arena_get(t->a, (size_t)n + 1, sizeof **index) : NULL;
  if (!*index || ns_graph_variables(t->g, &f, 1, NS_BANK_LAMBDA, *index, n) != n) return -1;
  return n;
}

/* 1: all that it reads is known by now; -1: out of memory. */
static int reads_known(const ns_tableau *t, int e)
{
  int *index, n = reads_of(t, e, &index), known = n < 0 ? -1 : 1;
  for (int k = 0; k < n && known; k++) known = is_known(t, &t->read[index[k]]);
  return known;
}

int ns_tableau_classify(ns_tableau *t)
{
  size_t n = (size_t)t->k->n;
  int rank = 0, last = -1;
  const ns_array want[] = {{&t->read, (size_t)t->k->nreads, sizeof *t->read},
                           {&t->rank, n, sizeof *t->rank},
                           {&t->row_of, n, sizeof *t->row_of}};
  if (ns_arena_arrays(t->a, want, sizeof want / sizeof *want)) return nomem(t);
  for (int j = 0; j < t->k->nreads; j++) {
    const ns_circuit_read *x = &t->k->read[j];
    if (x->element >= 0) ns_tableau_current(t, x->element);
    else {
      if (x->node[0]) ns_tableau_sum_add(t, x->node[0] - 1, 1);
      if (x->node[1]) ns_tableau_sum_add(t, x->node[1] - 1, -1);
    }
    t->read[j] = ns_tableau_sum_take(t);
    if (t->read[j].n < 0) return nomem(t);
  }
  while (last != rank) {
    last = rank;
    for (int e = 0; e < t->k->n; e++) {
      int known = t->rank[e] == 0 && is_free_source(t, e) ? reads_known(t, e) : 0;
      if (known < 0) return nomem(t);
      if (known) t->rank[e] = ++rank;
    }
  }
  for (int e = 0; e < t->k->n; e++)
    if (t->rank[e] == 0 && is_free_source(t, e)) t->rank[e] = -1;
  return NS_OK;
}

/* ---- formulas -------------------------------------------------------------------------------- */

ns_node ns_tableau_beyond(ns_tableau *t, int state)
{
  const ns_sum *s = &t->beyond[state];
  ns_node sum = ns_graph_constant(t->g, 0);
  for (int k = 0; k < s->n; k++)
    sum = ns_graph_add(
        t->g, sum, ns_graph_multiply(t->g, ns_graph_constant(t->g, s->val[k]), t->f[s->col[k]]));
  return sum;
}

/* A sum as a formula of t, x, lambda; < 0: out of memory. */
static ns_node formula_of_sum(ns_tableau *t, const ns_sum *s)
{
  ns_node sum = ns_graph_constant(t->g, 0);
  for (int k = 0; k < s->n; k++) {
    const ns_meaning *m = &t->meaning[s->col[k]];
    ns_node x = ns_graph_constant(t->g, 1);
    if (m->kind == NS_COL_STATE)
      x = ns_graph_add(t->g, ns_graph_variable(t->g, NS_BANK_Q, m->k), ns_tableau_beyond(t, m->k));
    if (m->kind == NS_COL_LAMBDA) x = ns_graph_variable(t->g, NS_BANK_LAMBDA, m->k);
    if (m->kind == NS_COL_SOURCE) x = t->f[m->k];
    if (m->kind == NS_COL_SLOPE) x = ns_graph_diff(t->g, t->f[m->k], NS_BANK_T, 0);
    sum = ns_graph_add(t->g, sum, ns_graph_multiply(t->g, ns_graph_constant(t->g, s->val[k]), x));
  }
  return sum;
}

ns_node ns_tableau_source(ns_tableau *t, int e)
{
  ns_node f = t->k->element[e].source;
  if (!reads_circuit(t, e)) return f;
  int *index, n = reads_of(t, e, &index);
  ns_node *by = ns_arena_get(t->a, (size_t)t->k->nreads, sizeof *by);
  if (!by || n < 0) return -1;
  for (int k = 0; k < t->k->nreads; k++) by[k] = -1; /* those of other formulas */
  for (int k = 0; k < n; k++) by[index[k]] = formula_of_sum(t, &t->read[index[k]]);
  return ns_graph_replace(t->g, f, NS_BANK_LAMBDA, by);
}

static int changes_with_circuit(const ns_tableau *t, ns_node f)
{
  return ns_graph_uses(t->g, f, NS_BANK_Q) || ns_graph_uses(t->g, f, NS_BANK_LAMBDA);
}

static ns_node is_set(const ns_tableau *t, int e)
{
  return ns_graph_less(t->g, ns_graph_constant(t->g, 0.5),
                       ns_graph_variable(t->g, NS_BANK_Z, t->latch[e]));
}

int ns_tableau_formulas(ns_tableau *t)
{
  const ns_circuit *k = t->k;
  size_t n = (size_t)k->n;
  const ns_array want[] = {{&t->f, n, sizeof *t->f},
                           {&t->closed, n, sizeof *t->closed},
                           {&t->latch, n, sizeof *t->latch}};
  if (ns_arena_arrays(t->a, want, sizeof want / sizeof *want)) return nomem(t);
  int last = 0;
  t->nlatches = k->ninputs; /* which stand before them in z */
  for (int e = 0; e < k->n; e++) {
    const ns_circuit_element *x = &k->element[e];
    t->f[e] = x->source;
    t->closed[e] = t->latch[e] = -1;
    if (t->rank[e] > last) last = t->rank[e];
    if (!x->two) continue;
    t->latch[e] = t->nlatches++;
    t->f[e] = ns_graph_select(t->g, is_set(t, e), ns_graph_constant(t->g, x->high),
                              ns_graph_constant(t->g, x->low));
  }
  for (int e = 0; e < k->n; e++) /* a value that is an unknown is that, wherever it is read */
    if (t->rank[e] < 0) t->f[e] = ns_graph_variable(t->g, NS_BANK_LAMBDA, t->row_of[e]);
  for (int rank = 1; rank <= last; rank++)
    for (int e = 0; e < k->n; e++)
      if (t->rank[e] == rank && (t->f[e] = ns_tableau_source(t, e)) < 0) return nomem(t);
  for (int e = 0; e < k->n; e++) {
    const ns_circuit_element *x = &k->element[e];
    if (!ns_tableau_is_switch(x->kind)) continue;
    if ((t->f[e] = ns_tableau_source(t, e)) < 0) return nomem(t);
    if (x->control.keeps || changes_with_circuit(t, t->f[e])) t->latch[e] = t->nlatches++;
    t->closed[e] = t->latch[e] >= 0
                       ? is_set(t, e)
                       : ns_graph_less(t->g, ns_graph_constant(t->g, x->control.above), t->f[e]);
  }
  return NS_OK;
}

/* ---- events ---------------------------------------------------------------------------------- */

static ns_node lesser(ns_graph *g, ns_node a, ns_node b)
{
  return ns_graph_select(g, ns_graph_less(g, a, b), a, b);
}

/* a and b, conditions. */
static ns_node both(ns_graph *g, ns_node a, ns_node b)
{
  return ns_graph_select(g, a, b, ns_graph_constant(g, 0));
}

static ns_node negated(ns_graph *g, ns_node a)
{
  return ns_graph_select(g, a, ns_graph_constant(g, 0), ns_graph_constant(g, 1));
}

/* A condition, which begins to hold where `by` rises through 0, and a set of z. */
static int add_event(ns_tableau *t, ns_model *m, int e, int closes, ns_node holds, ns_node by,
                     ns_observable o)
{
  const ns_circuit_element *x = &t->k->element[e];
  ns_node zero = ns_graph_constant(t->g, 0), one = ns_graph_constant(t->g, 1),
          value = closes ? one : zero;
  ns_node f[2] = {holds, by};
  ns_user_set *set = ns_arena_zero(m->arena, 1, sizeof *set);
  char *id = ns_arena_format(m->arena, "%s_%s", x->name, closes ? "on" : "off");
  if (!set || !id) return nomem(t);
  o.at = (ns_place){
      .file = x->file, .element = ns_tableau_place(t, e)->element, .id = id, .line = x->line};
  ns_user_event v = {.at = o.at,
                     .id = id,
                     .help = closes ? "the switch closes" : "the switch opens",
                     .direction = 1,
                     .from = -INFINITY,
                     .until = INFINITY,
                     .level = 1,
                     .nsets = 1,
                     .sets = set};
  int part = t->parts > 1 ? x->part : 0;
  set->bank = NS_BANK_Z;
  for (int i = 0; i < *o.systems; i++) set->entry += (size_t)m->systems[i].nz;
  set->entry += (size_t)t->z_local[t->latch[e]];
  set->to = v.when = o;
  int rc = ns_tableau_see(t, part, f, 2);
  for (int k = 0; k < 2 && !rc; k++) {
    ns_operator *op = k ? &set->to.value : &v.when.value;
    *op = (ns_operator){.rows = 2 - k, .cols = 1};
    rc = ns_tableau_compile(t, m, k ? &value : f, 2 - k, op);
  }
  if (rc) return rc;
  return ns_model_add_user_event(m, t->c, &v) < 0 ? NS_NOMEM : NS_OK;
}

int ns_tableau_latches(ns_tableau *t, ns_model *m, int interaction)
{
  ns_observable o = {.nsystems = 1, .interaction = interaction};
  ns_graph *g = t->g;
  int rc = NS_OK;
  for (int e = 0; e < t->k->n && !rc; e++) {
    const ns_circuit_control *c = &t->k->element[e].control;
    if (t->latch[e] < 0) continue;
    o.systems = &t->system[t->z_part[t->latch[e]]];
    ns_node z = ns_graph_variable(g, NS_BANK_Z, t->latch[e]), half = ns_graph_constant(g, 0.5),
            above = ns_graph_constant(g, c->above), below = ns_graph_constant(g, c->below), f,
            holds, by;
    /* A control with comparisons is a condition, another one a number. */
    f = t->k->element[e].two ? ns_tableau_source(t, e) : t->f[e];
    ns_graph_condition(g, f, &holds, &by);
    /* A control that is 0 is not above 0: a switch opens at 0 itself. Both conditions compare it in
     * the same way, so that of equal thresholds one holds wherever the other one does not. */
    ns_node on = ns_graph_subtract(g, by, above), off = ns_graph_subtract(g, below, by);
    ns_node closed = ns_graph_less(g, half, z), closes = ns_graph_less(g, above, by),
            opens = negated(g, ns_graph_less(g, below, by));
    if (c->holding > 0) {
      ns_node i = formula_of_sum(t, &t->read[c->hold]), min = ns_graph_constant(g, c->holding);
      off = lesser(g, off, ns_graph_subtract(g, min, i));
      opens = both(g, opens, negated(g, ns_graph_less(g, min, i)));
    }
    rc = add_event(t, m, e, 1, both(g, negated(g, closed), closes),
                   lesser(g, ns_graph_subtract(g, half, z), on), o);
    if (!rc)
      rc = add_event(t, m, e, 0, both(g, closed, opens),
                     lesser(g, ns_graph_subtract(g, z, half), off), o);
  }
  return rc;
}
