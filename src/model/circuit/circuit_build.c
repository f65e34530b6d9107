/* SPDX-License-Identifier: GPL-3.0-or-later */
/* circuit_build.c -- from solved equations of a circuit to the operators of the model. */
#include "algebra/vector.h"
#include "model/circuit/circuit_tableau.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  ENTRIES_MAX = 1 << 24,       /* of one matrix */
  MOVING_ENTRIES_MAX = 1 << 22 /* of one that depends on time: each entry is a node of a formula */
};

/* Matrices and vectors being filled; by columns. Entries of time are nodes of g. */
typedef struct build {
  ns_tableau *t;
  ns_model *m;
  ns_graph *g;
  ns_arena *a; /* the model's */
  double *A, *B, *C, *D;
  ns_node *Ct, *Dt; /* entries of C, D that depend on time, -1 where not; NULL: none do */
  ns_node *b, *e;
  int varies;         /* some switch moves */
  const char **fault; /* of each row (ns_interaction.row_faults) [m] */
  int slope;          /* a source that a state moves and whose slope is needed; -1: none */
} build;

static int reads_state(const build *b, ns_node f)
{
  return ns_graph_uses(b->g, f, NS_BANK_Q) || ns_graph_uses(b->g, f, NS_BANK_LAMBDA);
}

static ns_node constant(const build *b, double x) { return ns_graph_constant(b->g, x); }

/* Node of sources and constants in a sum, those that states have beyond them too. */
static ns_node known(build *b, const ns_sum *s)
{
  ns_node sum = constant(b, 0);
  for (int k = 0; k < s->n; k++) {
    const ns_meaning *m = &b->t->meaning[s->col[k]];
    ns_node x = constant(b, 1);
    if (m->kind == NS_COL_LAMBDA) continue;
    if (m->kind == NS_COL_STATE) x = ns_tableau_beyond(b->t, m->k);
    if (m->kind == NS_COL_SOURCE) x = b->t->f[m->k];
    if (m->kind == NS_COL_SLOPE) {
      ns_node f = b->t->f[m->k];
      if (ns_graph_uses(b->g, f, NS_BANK_FOREIGN) || reads_state(b, f)) b->slope = m->k;
      x = ns_graph_diff(b->g, f, NS_BANK_T, 0);
    }
    sum = ns_graph_add(b->g, sum, ns_graph_multiply(b->g, constant(b, s->val[k]), x));
  }
  return sum;
}

/* The whole sum as a formula of t, x, lambda. */
static ns_node formula(build *b, const ns_sum *s)
{
  ns_node sum = known(b, s);
  for (int k = 0; k < s->n; k++) {
    const ns_meaning *m = &b->t->meaning[s->col[k]];
    if (m->kind != NS_COL_STATE && m->kind != NS_COL_LAMBDA) continue;
    ns_node x = ns_graph_variable(b->g, m->kind == NS_COL_STATE ? NS_BANK_Q : NS_BANK_LAMBDA, m->k);
    sum = ns_graph_add(b->g, sum, ns_graph_multiply(b->g, constant(b, s->val[k]), x));
  }
  return sum;
}

/* States and lambda of a sum to row i of two matrices with the given numbers of rows. */
static void scatter(const build *b, const ns_sum *s, int i, int rows, double *X, double *L)
{
  for (int k = 0; k < s->n; k++) {
    const ns_meaning *m = &b->t->meaning[s->col[k]];
    double *to = m->kind == NS_COL_STATE ? X : m->kind == NS_COL_LAMBDA ? L : NULL;
    if (to) to[(size_t)i + (size_t)m->k * (size_t)rows] = s->val[k];
  }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int state_rows(build *b)
{
  ns_tableau *t = b->t;
  for (int s = 0; s < t->nstores; s++) {
    const ns_port *p = &t->store[s];
    if (p->state < 0) continue;
    ns_tableau_sum_add(t, p->dq, 1);
    ns_sum sum = ns_tableau_sum_take(t);
    if (sum.n < 0) return -1;
    scatter(b, &sum, p->state, t->n, b->A, b->B);
    ns_tableau_without_edges(t, p->state, &sum);
    b->b[p->state] = known(b, &sum);
  }
  return 0;
}

/* One entry of a row that is `closed` ? v : i. */
static void mix(build *b, ns_node closed, double *X, ns_node *Xt, size_t at, double v, double i)
{
  double x;
  ns_node f = ns_graph_select(b->g, closed, constant(b, v), constant(b, i));
  if (ns_graph_is_constant(b->g, f, &x)) X[at] = x;
  else Xt[at] = f;
}

/* Names of the sources of a kind that are in a sum; 0: there are none. */
static int sources_in(const build *b, const ns_sum *s, ns_circuit_kind kind, char *buf, size_t size)
{
  const ns_circuit_element *x = b->t->k->element;
  int n = 0;
  size_t used = 0;
  for (int k = 0; k < s->n; k++) {
    const ns_meaning *m = &b->t->meaning[s->col[k]];
    if (m->kind != NS_COL_SOURCE || x[m->k].kind != kind) continue;
    if (used < size)
      used += (size_t)snprintf(buf + used, size - used, "%s%.40s", n ? ", " : "", x[m->k].name);
    n++;
  }
  return n;
}

/* Whether a sum holds a state, which can jump, or lambda of this row, which can change it. */
static int has_freedom(const build *b, const ns_sum *s, int row)
{
  for (int k = 0; k < s->n; k++) {
    const ns_meaning *m = &b->t->meaning[s->col[k]];
    if (m->kind == NS_COL_STATE || (m->kind == NS_COL_LAMBDA && m->k == row)) return 1;
  }
  return 0;
}

/* Names of the device p and of those whose currents are in a sum, p first; their number. */
static int devices_in(const build *b, const ns_port *p, const ns_sum *s, char *buf, size_t size)
{
  const ns_tableau *t = b->t;
  int n = 1;
  size_t used = (size_t)snprintf(buf, size, "%.40s", t->k->element[p->element].name);
  for (int k = 0; k < s->n; k++) {
    const ns_meaning *m = &t->meaning[s->col[k]];
    for (int d = 0; m->kind == NS_COL_LAMBDA && d < t->ndevices; d++) {
      const ns_port *o = &t->device[d];
      if (o->row != m->k || o->lambda != o->q || o->element == p->element) continue;
      if (used < size)
        used += (size_t)snprintf(buf + used, size - used, ", %.40s",
                                 t->k->element[o->element].name);
      n++;
    }
  }
  return n;
}

/* What may contradict the law of a device whose other variable is the sum s: in a cut of current
 * sources and devices its current, in a loop of voltage sources and devices its voltage. Where it
 * does, no step and no mode has a solution. */
static int put_fault(build *b, const ns_port *p, const ns_sum *s)
{
  char names[200], devices[200], text[700];
  const char *device = b->t->k->element[p->element].name;
  int by_current = p->lambda == p->p;
  if (p->kind == NS_PORT_RAILS || has_freedom(b, s, p->row)) return 0;
  int n = sources_in(b, s, by_current ? NS_CIRCUIT_I : NS_CIRCUIT_V, names, sizeof names);
  if (!n) return 0;
  if (by_current) {
    int several = devices_in(b, p, s, devices, sizeof devices) > 1;
    snprintf(text, sizeof text,
             "the current of %s has no path: only %s could carry it, and %s, expected a path for "
             "the current of a source at all times; add a resistor in parallel with %.40s, or "
             "reverse it",
             names, devices, several ? "they block" : "it blocks", device);
  } else
    snprintf(text, sizeof text,
             "%s %s short-circuited: %.40s conducts, and nothing limits its current, expected a "
             "resistance in each loop of voltage sources, diodes and switches; add a resistor in "
             "series with %.40s, or give it ron=",
             names, n > 1 ? "are" : "is", device, device);
  b->fault[p->row] = ns_arena_text(b->a, text);
  return b->fault[p->row] ? 0 : -1;
}

/* closed: y = v, open: y = i (of the same size as v in a circuit of 1 ohm). */
static int switch_row(build *b, const ns_port *p)
{
  ns_tableau *t = b->t;
  ns_node closed = t->closed[p->element];
  double *dense = ns_arena_zero(t->a, 2 * (size_t)(t->n + t->m), sizeof *dense), x;
  if (!dense) return -1;
  double *vx = dense, *vl = vx + t->n, *ix = vl + t->m, *il = ix + t->n;
  ns_tableau_sum_add(t, p->p, 1);
  ns_sum v = ns_tableau_sum_take(t);
  ns_tableau_sum_add(t, p->q, 1);
  ns_sum i = ns_tableau_sum_take(t);
  if (v.n < 0 || i.n < 0 || put_fault(b, p, p->lambda == p->p ? &i : &v)) return -1;
  scatter(b, &v, 0, 1, vx, vl);
  scatter(b, &i, 0, 1, ix, il);
  size_t row = (size_t)p->row, m = (size_t)t->m;
  for (int k = 0; k < t->n; k++) mix(b, closed, b->C, b->Ct, row + (size_t)k * m, vx[k], ix[k]);
  for (int k = 0; k < t->m; k++) mix(b, closed, b->D, b->Dt, row + (size_t)k * m, vl[k], il[k]);
  /* A condition that is no number makes y none, so that the step fails, rather than leave the
   * switch open unseen. */
  ns_node condition = t->f[p->element], open = known(b, &i);
  if (t->latch[p->element] < 0)
    open = ns_graph_select(b->g, ns_graph_equal(b->g, condition, condition), open, condition);
  b->e[row] = ns_graph_select(b->g, closed, known(b, &v), open);
  if (!ns_graph_is_constant(b->g, closed, &x)) b->varies = 1;
  return 0;
}

/* p: whose row it is; NULL: of an equation that is left. */
static int output_row(build *b, int row, const ns_port *p)
{
  ns_sum sum = ns_tableau_sum_take(b->t);
  if (sum.n < 0 || (p && put_fault(b, p, &sum))) return -1;
  scatter(b, &sum, row, b->t->m, b->C, b->D);
  b->e[row] = known(b, &sum);
  return 0;
}

static int device_rows(build *b)
{
  ns_tableau *t = b->t;
  for (int u = 0; u < t->nunsettled; u++) {
    const ns_row *w = &t->r.row[t->unsettled[u]];
    for (int k = 0; k < w->n; k++) ns_tableau_sum_add(t, w->col[k], w->val[k]);
    if (output_row(b, u, NULL)) return -1;
  }
  for (int e = 0; e < t->k->n; e++) {
    if (t->rank[e] >= 0) continue;
    ns_node f = ns_tableau_source(t, e);
    b->e[t->row_of[e]] = ns_graph_subtract(
        b->g, ns_graph_variable(b->g, NS_BANK_LAMBDA, t->row_of[e]), f);
  }
  for (int d = 0; d < t->ndevices; d++) {
    const ns_port *p = &t->device[d];
    int is_switch = p->kind == NS_PORT_SWITCH;
    if (is_switch && switch_row(b, p)) return -1;
    if (is_switch) continue;
    ns_tableau_sum_add(t, p->lambda == p->p ? p->q : p->p, 1);
    if (output_row(b, p->row, p)) return -1;
  }
  return 0;
}

/* ---- rounding -------------------------------------------------------------------------------- */

/* No element of the circuit acts on another that does not act back. */
static int is_reciprocal(const ns_tableau *t)
{
  for (int e = 0; e < t->k->n; e++) {
    ns_circuit_kind kind = t->k->element[e].kind;
    if (kind == NS_CIRCUIT_E || kind == NS_CIRCUIT_F || kind == NS_CIRCUIT_G ||
        kind == NS_CIRCUIT_H)
      return 0;
    if (kind == NS_CIRCUIT_O || kind == NS_CIRCUIT_Y) return 0;
  }
  return t->nunsettled == 0;
}

static int is_nil(const double *X, const ns_node *Xt, size_t at)
{
  return X[at] == 0 && (!Xt || Xt[at] < 0);
}

/* What ports of such a circuit do to each other is the same but for a sign (Tellegen 1952): where
 * one does nothing to the other, what the other seems to do to it is rounding, of terms that need
 * not be seen in the result. */
static void drop_one_sided(build *b)
{
  const ns_tableau *t = b->t;
  size_t n = (size_t)t->n, m = (size_t)t->m;
  if (!is_reciprocal(t)) return;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++)
      if (is_nil(b->D, b->Dt, j + i * m)) b->D[i + j * m] = 0;
  for (size_t i = 0; i < m; i++)
    for (size_t k = 0; k < n; k++)
      if (b->B[k + i * n] == 0) b->C[i + k * m] = 0;
}

/* ---- operators ------------------------------------------------------------------------------- */

static int compile(const build *b, ns_operator *o, const ns_node *node, int n)
{
  return ns_tableau_compile(b->t, b->m, node, n, o);
}

/* A matrix: numbers, with nodes in the place of some (may be NULL). ABSENT where it is zero. */
static int matrix(const build *b, ns_operator *o, int rows, int cols, double *value, ns_node *node)
{
  size_t n = (size_t)rows * (size_t)cols;
  int zero = 1, varies = 0;
  *o = (ns_operator){.rows = rows, .cols = cols};
  for (size_t k = 0; k < n; k++) {
    zero &= value[k] == 0;
    varies |= node && node[k] >= 0;
  }
  if (zero && !varies) return NS_OK;
  o->how = NS_OP_CONSTANT;
  o->value = value;
  if (!varies) return NS_OK;
  for (size_t k = 0; k < n; k++)
    if (node[k] < 0) node[k] = constant(b, value[k]);
  o->value = NULL;
  return compile(b, o, node, (int)n);
}

static int vector(const build *b, ns_operator *o, int rows, const ns_node *node)
{
  double *value = ns_arena_zero(b->a, (size_t)rows, sizeof *value);
  int numbers = 1;
  if (!value) return ns_nomem(b->t->c, "circuit");
  for (int k = 0; k < rows; k++) numbers &= ns_graph_is_constant(b->g, node[k], &value[k]);
  if (numbers) return matrix(b, o, rows, 1, value, NULL);
  *o = (ns_operator){.rows = rows, .cols = 1};
  return compile(b, o, node, rows);
}

/* ---- initial state --------------------------------------------------------------------------- */

/* Inputs, and what keeps its state, as ic= says. */
static double *latches(const build *b)
{
  const ns_circuit *k = b->t->k;
  double *z = ns_arena_zero(b->a, (size_t)b->t->nlatches + 1, sizeof *z);
  for (int j = 0; z && j < k->ninputs; j++) z[j] = k->input0[j];
  for (int e = 0; z && e < b->t->k->n; e++)
    if (b->t->latch[e] >= 0) z[b->t->latch[e]] = b->t->k->element[e].ic;
  return z;
}

/* Sources at t0, by element. */
static double *sources_at(const build *b, double t0)
{
  const ns_circuit *k = b->t->k;
  ns_arena *a = b->t->a;
  ns_node *node = ns_arena_get(a, (size_t)k->n, sizeof *node);
  double *value = ns_arena_get(a, (size_t)k->n, sizeof *value);
  const ns_tape *tape;
  if (!node || !value) return NULL;
  for (int e = 0; e < k->n; e++)
    node[e] = b->t->s[e] < 0 || reads_state(b, b->t->f[e]) ? constant(b, 0) : b->t->f[e];
  if (ns_tape_compile(b->g, b->t->c, a, node, k->n, &tape)) return NULL;
  double *work = ns_arena_get(a, ns_tape_work(tape), sizeof *work);
  /* at rest: these systems are not made yet */
  double *others = ns_arena_zero(a, (size_t)k->nforeign, sizeof *others);
  double *z = latches(b);
  const double *bank[NS_BANKS] = {[NS_BANK_T] = &t0, [NS_BANK_Z] = z, [NS_BANK_FOREIGN] = others};
  if (!work || !others || !z) return NULL;
  ns_tape_eval(tape, bank, work, value);
  return value;
}

/* A redundant state follows from others; what ic= says about it must be that. */
static int check_redundant(const build *b, const ns_port *p, const double *x0, const double *source)
{
  ns_tableau *t = b->t;
  const ns_circuit_element *x = &t->k->element[p->element];
  if (p->state >= 0 || !p->has_ic) return NS_OK;
  ns_tableau_sum_add(t, p->q, 1);
  ns_sum s = ns_tableau_sum_take(t);
  double sum = 0, size = fabs(p->ic);
  for (int k = 0; k < s.n; k++) {
    const ns_meaning *m = &t->meaning[s.col[k]];
    double v = s.val[k] * (m->kind == NS_COL_STATE    ? x0[m->k]
                           : m->kind == NS_COL_SOURCE ? source[m->k]
                                                      : 1);
    sum += v;
    size = fmax(size, fabs(v));
  }
  if (s.n < 0) return ns_nomem(t->c, "circuit");
  if (fabs(sum - p->ic) <= 1e-9 * size) return NS_OK;
  const char *what = x->kind == NS_CIRCUIT_C ? "V by the loop of capacitors and voltage sources"
                                             : "A by the cut of inductors and current sources";
  return ns_tableau_fail(
      t, p->element,
      "ic is %.10g, expected %.10g %s that it closes; remove ic or correct one of the others",
      p->ic, sum, what);
}

/* Names and units of inputs and, behind them, of elements that keep their state; a netlist without
 * inputs has none. */
static int name_inputs(const build *b, int part, ns_system *s)
{
  const ns_tableau *t = b->t;
  int any = 0;
  for (int j = 0; j < t->k->ninputs; j++) any |= t->z_part[j] == part;
  if (!any) return NS_OK;
  const char **name = ns_arena_get(b->a, (size_t)s->nz, sizeof *name);
  const char **unit = ns_arena_zero(b->a, (size_t)s->nz, sizeof *unit);
  if (!name || !unit) return ns_nomem(t->c, "circuit");
  for (int j = 0; j < t->k->ninputs; j++) {
    if (t->z_part[j] != part) continue;
    const char *own = name[t->z_local[j]] = t->k->input[j];
    if (t->k->input_unit) unit[t->z_local[j]] = t->k->input_unit[j];
    for (int i = 0; i < s->n; i++)
      if (!strcmp(s->names[i], own)) {
        return ns_fail_at(t->c, NS_MODEL, &s->at,
                          "the input %s has the name of a state, expected another; rename it", own);
      }
  }
  for (int e = 0; e < t->k->n; e++)
    if (t->latch[e] >= 0 && t->z_part[t->latch[e]] == part) {
      name[t->z_local[t->latch[e]]] = t->k->element[e].name;
      unit[t->z_local[t->latch[e]]] = "1";
    }
  s->znames = name;
  s->zunits = unit;
  return NS_OK;
}

/* The state is the voltage of its capacitor, or the current of its inductor. */
static int is_itself(const ns_tableau *t, const ns_port *p)
{
  return t->beyond[p->state].n == 0 && t->winding_of[p->element] == NS_WINDING_ALONE;
}

/* States of a part at the start, x0 those of all, and their names. A netlist without states gets
 * one that rests, so that there is a system. */
static int initial(const build *b, int part, double *x0, ns_system *s)
{
  ns_tableau *t = b->t;
  int first = t->first[part];
  s->n = t->nstates[part];
  const char **names = ns_arena_get(b->a, (size_t)s->n, sizeof *names);
  const char **units = ns_arena_zero(b->a, (size_t)s->n, sizeof *units);
  double *z = latches(b), *own = ns_arena_zero(b->a, (size_t)t->nz[part] + 1, sizeof *own);
  if (!names || !units || !z || !own) return ns_nomem(t->c, "circuit");
  names[0] = "none";
  for (int k = 0; k < t->nstores; k++) {
    const ns_port *p = &t->store[k];
    const ns_circuit_element *x = &t->k->element[p->element];
    if (p->state < 0 || t->state_part[p->state] != part) continue;
    char kind = x->kind == NS_CIRCUIT_C ? 'v' : 'i';
    char *name = ns_arena_format(b->a, "%c_%s", is_itself(t, p) ? kind : 'x', x->name);
    if (!name) return ns_nomem(t->c, "circuit");
    names[p->state - first] = name;
    units[p->state - first] = x->kind == NS_CIRCUIT_C ? "V" : "A";
  }
  for (int j = 0; j < t->nlatches; j++)
    if (t->z_part[j] == part) own[t->z_local[j]] = z[j];
  s->q0 = x0 + first;
  s->names = names;
  s->units = units;
  s->nz = t->nz[part];
  s->z0 = own;
  return name_inputs(b, part, s);
}

/* The states of all parts at the start, to *out. */
static int states_at(const build *b, double t0, double **out)
{
  ns_tableau *t = b->t;
  size_t n = t->n ? (size_t)t->n : 1;
  double *x0 = *out = ns_arena_zero(b->a, n, sizeof *x0), *source = sources_at(b, t0);
  int rc = x0 && source ? NS_OK : ns_nomem(t->c, "circuit");
  for (int k = 0; k < t->nstores && !rc; k++)
    if (t->store[k].state >= 0) x0[t->store[k].state] = t->store[k].ic;
  for (int k = 0; k < t->nstores && !rc; k++) rc = check_redundant(b, &t->store[k], x0, source);
  for (int s = 0; s < t->n && !rc; s++)
    for (int k = 0; k < t->beyond[s].n; k++)
      x0[s] -= t->beyond[s].val[k] * source[t->beyond[s].col[k]];
  for (int e = 0; e < t->k->n && !rc; e++)
    if (t->s[e] >= 0 && !isfinite(source[e]))
      rc = ns_tableau_fail(t, e, "the source is %g at t0, expected a finite value", source[e]);
  return rc;
}

/* ---- the model ------------------------------------------------------------------------------- */

static int is_constant(const ns_operator *o)
{
  return o->how == NS_OP_ABSENT || o->how == NS_OP_CONSTANT;
}

/* f = A x + b of n states, and df, its derivative [n x n]. */
static int field(const build *b, int n, const double *A, const ns_node *rest, ns_node **f,
                 ns_node **df)
{
  size_t N = (size_t)n;
  *f = ns_arena_get(b->t->a, N, sizeof **f);
  *df = ns_arena_get(b->t->a, N * N, sizeof **df);
  if (!*f || !*df) return ns_nomem(b->t->c, "circuit");
  for (size_t i = 0; i < N; i++) {
    ns_node sum = rest[i];
    for (size_t j = 0; j < N; j++) {
      ns_node x = ns_graph_variable(b->g, NS_BANK_Q, (int)j);
      sum = ns_graph_add(b->g, sum, ns_graph_multiply(b->g, constant(b, A[i + j * N]), x));
    }
    (*f)[i] = sum;
  }
  for (size_t k = 0; k < N * N; k++)
    (*df)[k] = ns_graph_diff(b->g, (*f)[k % N], NS_BANK_Q, (int)(k / N));
  return NS_OK;
}

/* x' = f(x, t, z), f = A x + b. */
static int nonlinear_field(const build *b, ns_system *s, const double *A, const ns_node *rest)
{
  ns_node *f, *df;
  int rc = field(b, s->n, A, rest, &f, &df);
  if (rc) return rc;
  s->kind = ns_system_kind_find("FirstOrderNonLinearDS");
  ns_operator *op[] = {&s->fo.A, &s->fo.b};
  for (int k = 0; k < 2; k++) *op[k] = (ns_operator){.rows = s->n, .cols = k ? 1 : s->n};
  s->fo.f = (ns_operator){.rows = s->n, .cols = 1};
  s->fo.dx_f = (ns_operator){.rows = s->n, .cols = s->n};
  rc = compile(b, &s->fo.f, f, s->n);
  return rc ? rc : compile(b, &s->fo.dx_f, df, s->n * s->n);
}

static int any_reads_state(const build *b, const ns_node *f, int n)
{
  int any = 0;
  for (int k = 0; k < n; k++) any |= reads_state(b, f[k]);
  return any;
}

/* The block of A that is a part's own, and in `rest` what else moves its states: sources, and
 * states of the other parts. */
static int own_block(const build *b, int part, double **A, ns_node **rest)
{
  const ns_tableau *t = b->t;
  size_t n = (size_t)t->nstates[part], first = (size_t)t->first[part], N = t->n ? (size_t)t->n : 1;
  *A = b->A;
  *rest = b->b;
  if (t->parts == 1) return NS_OK;
  *A = ns_arena_get(b->a, n * n, sizeof **A);
  *rest = ns_arena_get(t->a, n, sizeof **rest);
  if (!*A || !*rest) return ns_nomem(t->c, "circuit");
  for (size_t i = 0; i < n; i++) {
    ns_node sum = b->b[first + i];
    for (size_t j = 0; j < N; j++) {
      double a = b->A[first + i + j * N];
      if (t->state_part[j] == part) (*A)[i + (j - first) * n] = a;
      else if (a != 0)
        sum = ns_graph_add(
            b->g, sum,
            ns_graph_multiply(b->g, constant(b, a), ns_graph_variable(b->g, NS_BANK_Q, (int)j)));
    }
    (*rest)[i] = sum;
  }
  return ns_tableau_see(b->t, part, *rest, (int)n);
}

static int add_system(const build *b, int part, double *x0)
{
  ns_tableau *t = b->t;
  ns_system s = {.at = t->k->nparts > 1 ? t->k->part[part].at : t->k->at};
  double *A;
  ns_node *rest;
  int rc = initial(b, part, x0, &s);
  if (!rc) rc = own_block(b, part, &A, &rest);
  if (!rc) rc = matrix(b, &s.fo.A, s.n, s.n, A, NULL);
  if (!rc) rc = vector(b, &s.fo.b, s.n, rest);
  if (rc) return rc;
  ns_operator *absent[] = {&s.fo.M, &s.fo.f, &s.fo.dx_f, &s.fo.T, &s.fo.u};
  for (size_t k = 0; k < sizeof absent / sizeof *absent; k++)
    absent[k]->rows = absent[k]->cols = s.n;
  s.fo.f.cols = s.fo.u.cols = 1;
  s.kind = ns_system_kind_find(is_constant(&s.fo.b) ? "FirstOrderLinearTIDS"
                                                    : "FirstOrderLinearDS");
  if (any_reads_state(b, rest, t->n ? s.n : 0) && (rc = nonlinear_field(b, &s, A, rest))) return rc;
  return ns_model_add_system(b->m, t->c, &s) < 0 ? NS_NOMEM : NS_OK;
}

/* Of all parts as if they were one system: where a check asks for it. */
static int whole_field(const build *b, ns_operator *op)
{
  const ns_system *s = &b->m->systems[b->t->system[0]];
  int n = b->t->n;
  ns_node *f, *df;
  *op = s->fo.dx_f.how != NS_OP_ABSENT ? s->fo.dx_f : s->fo.A;
  if (b->t->parts == 1) return NS_OK;
  *op = (ns_operator){.how = NS_OP_CONSTANT, .rows = n, .cols = n, .value = b->A};
  if (!any_reads_state(b, b->b, n)) return NS_OK;
  int rc = field(b, n, b->A, b->b, &f, &df);
  *op = (ns_operator){.rows = n, .cols = n};
  return rc ? rc : ns_operator_compile(op, b->t->c, b->g, b->t->a, df, n * n);
}

/* Equality rows first, then complementarity and rails. */
static int bounds(const build *b, ns_interaction *it)
{
  double *lb = ns_arena_get(b->a, (size_t)it->m, sizeof *lb),
         *ub = ns_arena_get(b->a, (size_t)it->m, sizeof *ub);
  int me = b->t->me;
  if (!lb || !ub) return ns_nomem(b->t->c, "circuit");
  for (int i = 0; i < it->m; i++) {
    lb[i] = i < me ? -INFINITY : 0;
    ub[i] = INFINITY;
  }
  it->law.lb = lb;
  it->law.ub = ub;
  it->law.ops = ns_law_mixes(me, it->m);
  for (int d = 0; d < b->t->ndevices; d++) {
    const ns_port *p = &b->t->device[d];
    const ns_circuit_element *x = &b->t->k->element[p->element];
    if (x->kind != NS_CIRCUIT_O) continue;
    lb[p->row] = x->low;
    ub[p->row] = x->high;
    it->law.ops = ns_law_between_bounds();
  }
  return NS_OK;
}

/* Of y and lambda of each row: of a device, the voltage and the current that its law ties, in one
 * order or the other; of a source that is an unknown, its value. What a switch has for y is its
 * voltage while it is closed and its current while it is open, and what an equation that is left
 * has is a sum of either: these have no unit. And the names of devices. */
static int describe_rows(const build *b, ns_interaction *it)
{
  const ns_tableau *t = b->t;
  const ns_circuit_element *x = t->k->element;
  const char **y = ns_arena_zero(b->a, (size_t)it->m, sizeof *y),
             **lambda = ns_arena_zero(b->a, (size_t)it->m, sizeof *lambda),
             **name = ns_arena_zero(b->a, (size_t)it->m, sizeof *name);
  if (!y || !lambda || !name) return ns_nomem(t->c, "circuit");
  for (int e = 0; e < t->k->n; e++)
    if (t->rank[e] < 0) {
      y[t->row_of[e]] = lambda[t->row_of[e]] = x[e].kind == NS_CIRCUIT_V ? "V" : "A";
      name[t->row_of[e]] = x[e].name;
    }
  for (int d = 0; d < t->ndevices; d++) {
    const ns_port *p = &t->device[d];
    const char *of_q = p->kind == NS_PORT_RAILS ? "V" : "A"; /* p is a voltage */
    int by_voltage = p->lambda == p->p;
    name[p->row] = x[p->element].name;
    lambda[p->row] = by_voltage ? "V" : of_q;
    if (p->kind != NS_PORT_SWITCH) y[p->row] = by_voltage ? of_q : "V";
  }
  for (int u = 0; u < t->nunsettled; u++) lambda[u] = "V"; /* p of a device */
  it->row_units = y;
  it->row_lambda_units = lambda;
  it->row_names = name;
  it->row_faults = b->fault;
  return NS_OK;
}

/* The derivative of h [rows] by variables of a bank, in memory J; `value`: room for those that are
 * numbers. */
static int tangent(const build *b, ns_operator *o, int rows, int cols, const ns_node *h, int bank,
                   ns_node *J, double *value)
{
  for (int k = 0; k < rows * cols; k++) {
    J[k] = ns_graph_diff(b->g, h[k % rows], bank, k / rows);
    if (J[k] < 0) return ns_nomem(b->t->c, "circuit");
    value[k] = 0;
    if (ns_graph_is_constant(b->g, J[k], &value[k])) J[k] = -1;
  }
  return matrix(b, o, rows, cols, value, J);
}

/* y = h(x, t, lambda, z), h = C x + D lambda + e; R = B lambda. */
static int nonlinear_rows(const build *b, ns_interaction *it, int n)
{
  ns_first_order_relation *r = &it->fo;
  size_t m = (size_t)it->m, N = (size_t)n;
  ns_node *h = ns_arena_get(b->t->a, m, sizeof *h), *g = ns_arena_get(b->t->a, N, sizeof *g);
  ns_node *J = ns_arena_get(b->t->a, m * (N > m ? N : m), sizeof *J);
  if (!h || !g || !J) return ns_nomem(b->t->c, "circuit");
  for (size_t i = 0; i < m; i++) {
    h[i] = b->e[i];
    for (size_t j = 0; j < N + m; j++) {
      int state = j < N;
      size_t at = i + (state ? j : j - N) * m;
      const ns_node *moving = state ? b->Ct : b->Dt;
      ns_node a = moving && moving[at] >= 0 ? moving[at] : constant(b, state ? b->C[at] : b->D[at]);
      ns_node x = ns_graph_variable(b->g, state ? NS_BANK_Q : NS_BANK_LAMBDA,
                                    (int)(state ? j : j - N));
      h[i] = ns_graph_add(b->g, h[i], ns_graph_multiply(b->g, a, x));
    }
  }
  for (size_t i = 0; i < N; i++) {
    g[i] = constant(b, 0);
    for (size_t j = 0; j < m; j++) {
      ns_node x = ns_graph_variable(b->g, NS_BANK_LAMBDA, (int)j);
      g[i] = ns_graph_add(b->g, g[i], ns_graph_multiply(b->g, constant(b, b->B[i + j * N]), x));
    }
  }
  r->h = (ns_operator){.rows = it->m, .cols = 1};
  r->g = (ns_operator){.rows = n, .cols = 1};
  r->e = (ns_operator){.rows = it->m, .cols = 1};
  int rc = compile(b, &r->h, h, it->m);
  if (!rc) rc = compile(b, &r->g, g, n);
  if (!rc) rc = tangent(b, &r->C, it->m, n, h, NS_BANK_Q, J, b->C);
  if (!rc) rc = tangent(b, &r->D, it->m, it->m, h, NS_BANK_LAMBDA, J, b->D);
  it->relation = ns_relation_named("FirstOrderNonLinearR");
  return rc;
}

static int see_rows(const build *b, int n)
{
  ns_tableau *t = b->t;
  int rc = ns_tableau_see(t, NS_ALL_PARTS, b->e, t->m);
  if (!rc && b->Ct) rc = ns_tableau_see(t, NS_ALL_PARTS, b->Ct, n * t->m);
  if (!rc && b->Dt) rc = ns_tableau_see(t, NS_ALL_PARTS, b->Dt, t->m * t->m);
  return rc;
}

/* A thyristor without ih= turns off a little before its current is 0, in ideal circuits the end of
 * that current: no jump that is worth a warning. One with ih= does what is asked for, and tells. */
static double cut_off(const ns_circuit *k)
{
  for (int e = 0; e < k->n; e++)
    if (k->element[e].control.holding == NS_CIRCUIT_HOLDING) return NS_CIRCUIT_HOLDING;
  return 0;
}

static int add_interaction(const build *b, const char *id, int n)
{
  ns_interaction it = {.at = b->t->k->at,
                       .m = b->t->m,
                       .nsystems = b->t->parts,
                       .systems = b->t->system,
                       .nQ = n,
                       .nZ = b->t->nlatches,
                       .cut = cut_off(b->t->k)};
  ns_first_order_relation *r = &it.fo;
  int nonlinear = any_reads_state(b, b->e, b->t->m);
  it.at.id = id;
  int rc = see_rows(b, n);
  if (!rc) rc = bounds(b, &it);
  if (!rc) rc = describe_rows(b, &it);
  if (!rc) rc = matrix(b, &r->B, n, it.m, b->B, NULL);
  if (!rc && !nonlinear) rc = matrix(b, &r->C, it.m, n, b->C, b->Ct);
  if (!rc && !nonlinear) rc = matrix(b, &r->D, it.m, it.m, b->D, b->Dt);
  if (!rc && !nonlinear) rc = vector(b, &r->e, it.m, b->e);
  if (rc) return rc;
  r->F.rows = it.m;
  r->h = (ns_operator){.rows = it.m, .cols = 1};
  r->g = (ns_operator){.rows = n, .cols = 1};
  r->K = (ns_operator){.rows = n, .cols = n};
  int fixed = is_constant(&r->C) && is_constant(&r->D) && is_constant(&r->e);
  it.relation = ns_relation_named(fixed ? "FirstOrderLinearTIR" : "FirstOrderLinearR");
  if (nonlinear && (rc = nonlinear_rows(b, &it, n))) return rc;
  return ns_model_add_interaction(b->m, b->t->c, &it) < 0 ? NS_NOMEM : NS_OK;
}

static int add_observable(build *b, int part, ns_observable *o)
{
  o->systems = &b->t->system[part];
  ns_sum sum = ns_tableau_sum_take(b->t);
  if (sum.n < 0) return ns_nomem(b->t->c, "circuit");
  ns_node f = formula(b, &sum);
  int rc = ns_tableau_see(b->t, part, &f, 1);
  if (!rc) rc = vector(b, &o->value, 1, &f);
  if (rc) return rc;
  return ns_model_add_observable(b->m, b->t->c, o) < 0 ? NS_NOMEM : NS_OK;
}

static int add_observables(build *b, int interaction)
{
  ns_tableau *t = b->t;
  ns_observable o = {.group = "elements", .nsystems = 1, .interaction = interaction};
  int rc = NS_OK;
  for (int e = 0; e < t->k->n && !rc; e++) {
    const ns_circuit_element *x = &t->k->element[e];
    if (x->kind == NS_CIRCUIT_K || x->hidden) continue;
    o.at = *ns_tableau_place(t, e);
    o.at.file = x->file, o.at.line = x->line, o.id = x->name;
    o.name = "v", o.unit = "V", o.help = "voltage of the first node over the second";
    ns_tableau_voltage(t, e);
    rc = add_observable(b, x->part, &o);
    o.name = "i", o.unit = "A",
    o.help = "current from the first node through the element to the second";
    ns_tableau_current(t, e);
    if (!rc) rc = add_observable(b, x->part, &o);
  }
  o.group = "nodes", o.name = "v", o.unit = "V", o.help = "voltage over node 0";
  for (int k = 1; k < t->k->nnodes && !rc; k++) {
    if (strchr(t->k->node[k], '~')) continue;
    char *id = ns_arena_format(b->a, "node_%s", t->k->node[k]);
    if (!id) return ns_nomem(t->c, "circuit");
    int part = t->k->nparts > 1 ? t->k->node_part[k] : 0;
    o.id = id;
    o.at = t->k->nparts > 1 ? t->k->part[part].at : t->k->at;
    ns_tableau_potential(t, k);
    rc = add_observable(b, part, &o);
  }
  return rc;
}

static int has_moving_switch(const build *b)
{
  const ns_circuit *k = b->t->k;
  double x;
  for (int e = 0; e < k->n; e++)
    if (ns_tableau_is_switch(k->element[e].kind) &&
        !ns_graph_is_constant(b->g, b->t->closed[e], &x))
      return 1;
  return 0;
}

static int get_memory(build *b)
{
  size_t n = b->t->n ? (size_t)b->t->n : 1, m = (size_t)b->t->m;
  int moving = has_moving_switch(b);
  size_t max = moving ? MOVING_ENTRIES_MAX : ENTRIES_MAX;
  if (n * n > ENTRIES_MAX || n * m > max || m * m > max)
    return ns_fail(b->t->c, NS_MODEL,
                   "%.200s:%d: <%s id=\"%.80s\">: has %zu states and %zu rows of devices%s, "
                   "expected matrices of at most %zu entries; split the circuit",
                   b->t->k->at.file, b->t->k->at.line, b->t->k->at.element, b->t->k->at.id, n, m,
                   moving ? " and a switch" : "", max);
  const ns_array kept[] = {{&b->A, n * n, sizeof *b->A},
                           {&b->B, n * m, sizeof *b->B},
                           {&b->C, n * m, sizeof *b->C},
                           {&b->D, m * m, sizeof *b->D},
                           {&b->fault, m, sizeof *b->fault}};
  const ns_array of_tableau[] = {{&b->b, n, sizeof *b->b}, {&b->e, m, sizeof *b->e}};
  if (ns_arena_arrays(b->a, kept, sizeof kept / sizeof *kept) ||
      ns_arena_arrays(b->t->a, of_tableau, sizeof of_tableau / sizeof *of_tableau))
    return ns_nomem(b->t->c, "circuit");
  for (size_t i = 0; i < n; i++) b->b[i] = constant(b, 0);
  if (!moving) return NS_OK;
  b->Ct = ns_arena_get(b->t->a, n * m, sizeof *b->Ct);
  b->Dt = ns_arena_get(b->t->a, m * m, sizeof *b->Dt);
  if (!b->Ct || !b->Dt) return ns_nomem(b->t->c, "circuit");
  ns_fill_ints(n * m, -1, b->Ct);
  ns_fill_ints(m * m, -1, b->Dt);
  return NS_OK;
}

int ns_tableau_build(ns_tableau *t, ns_model *m, const char *interaction_id, double t0)
{
  build b = {.t = t, .m = m, .g = t->g, .a = m->arena, .slope = -1};
  int n = t->n ? t->n : 1, interaction = -1, rc = ns_tableau_parts(t, m, m->nsystems);
  if (!rc) rc = get_memory(&b);
  if (rc) return rc;
  if (state_rows(&b) || device_rows(&b)) return ns_nomem(t->c, "circuit");
  drop_one_sided(&b);
  double *x0;
  rc = states_at(&b, t0, &x0);
  for (int part = 0; part < t->parts && !rc; part++) rc = add_system(&b, part, x0);
  if (!rc && t->m > 0) {
    ns_operator whole;
    interaction = m->ninteractions;
    rc = whole_field(&b, &whole);
    if (!rc) rc = add_interaction(&b, interaction_id, n);
    if (!rc) rc = ns_tableau_determined(t, m, &whole, n, interaction);
  }
  if (!rc) rc = add_observables(&b, interaction);
  if (!rc && t->nlatches) rc = ns_tableau_latches(t, m, interaction);
  if (!rc && b.slope >= 0)
    return ns_tableau_fail(
        t, b.slope,
        "reads %s and closes a loop of capacitors and voltage sources, or a cut of inductors and "
        "current sources, where its time derivative is needed, which is %s; add a resistor",
        reads_state(&b, t->f[b.slope]) ? "the circuit" : "another system",
        reads_state(&b, t->f[b.slope]) ? "a rate of the variable that it reads"
                                       : "an acceleration of that system");
  return rc;
}
