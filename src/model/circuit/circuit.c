/* SPDX-License-Identifier: GPL-3.0-or-later */
/* circuit.c -- from elements to solved equations.
 *
 * Unknowns are node potentials, currents, the variables p, q of the ports and q'. Kirchhoff's
 * current law at each node and one equation for each element are solved in stages; each makes as
 * many of its unknowns dependent as the equations before left possible:
 *
 *   1  potentials, currents of resistors, sources, transformers   all of them, or the circuit is
 *      singular
 *   2  p of capacitors and inductors, those with ic= first        those left: redundant states
 *   3  p of diodes and switches                                   those left: lambda is p, not q
 *   4  q of the ports whose p was left
 *
 * In a passive network stage 4 always succeeds: the values that the q of all ports can take
 * together form the complement of those p that are left (a maximal monotone linear relation S has
 * S(0) = dom(S)^perp). With controlled sources it may not; then the rows left are equalities, with
 * the p left as their unknowns. What is left after that relates sources alone: a loop or a cut of
 * them.
 *
 * The slopes q' follow from C v' = i, L i' = v and from the derivatives of the equations of
 * redundant q. */
#include "algebra/vector.h"
#include "model/circuit/circuit_tableau.h"

#include "base/grow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const ns_circuit_form ns_circuit_forms[NS_CIRCUIT_KINDS] = {
    [NS_CIRCUIT_R] = {'R', 2, 0, "Rname a b ohm", "R1 a b 1e3"},
    [NS_CIRCUIT_C] = {'C', 2, 0, "Cname a b farad [ic=volt]", "C1 a 0 1e-6 ic=10"},
    [NS_CIRCUIT_L] = {'L', 2, 0, "Lname a b henry [ic=ampere]", "L1 a b 1e-2"},
    [NS_CIRCUIT_V] = {'V', 2, 0, "Vname a b volt(t)", "V1 a 0 10*sin(2*pi*50*t)"},
    [NS_CIRCUIT_I] = {'I', 2, 0, "Iname a b ampere(t)", "I1 0 a 1e-3"},
    [NS_CIRCUIT_D] = {'D', 2, 0, "Dname anode cathode [vf=volt ron=ohm roff=ohm]", "D1 a b"},
    [NS_CIRCUIT_Z] = {'Z', 2, 0, "Zname anode cathode volt [vf=volt ron=ohm roff=ohm]",
                      "Z1 0 a 5.1"},
    [NS_CIRCUIT_S] = {'S', 2, 0, "Sname a b FORMULA [on=number off=number ic=0|1 ron=ohm roff=ohm]",
                      "S1 a b v(c,d) on=5 off=3"},
    [NS_CIRCUIT_M] = {'M', 3, 0, "Mname drain gate source volt [vf=volt ron=ohm roff=ohm]",
                      "M1 d g s 2"},
    [NS_CIRCUIT_Q] = {'Q', 3, 0, "Qname collector gate emitter volt [vf=volt ron=ohm roff=ohm]",
                      "Q1 c g e 5"},
    [NS_CIRCUIT_P] = {'P', 2, 0, "Pname anode cathode GATE [vf= ron= roff= ih=ampere triac=0|1]",
                      "P1 a k pulse(t-2m,10m,0.1m)-0.5"},
    [NS_CIRCUIT_B] = {'B', 2, 0, "Bname a b v=FORMULA|i=FORMULA", "B1 a 0 v=2*v(b)^2"},
    [NS_CIRCUIT_O] = {'O', 4, 0, "Oname out ref plus minus [lo=volt hi=volt gain=number]",
                      "O1 out 0 a b lo=-15 hi=15"},
    [NS_CIRCUIT_Y] = {'Y', 4, 0, "Yname a b c d siemens", "Y1 a 0 b 0 1e-3"},
    [NS_CIRCUIT_T] = {'T', 4, 0, "Tname a b c d ratio", "T1 a 0 b 0 10"},
    [NS_CIRCUIT_E] = {'E', 4, 0, "Ename a b c d gain", "E1 a 0 b 0 2"},
    [NS_CIRCUIT_G] = {'G', 4, 0, "Gname a b c d siemens", "G1 a 0 b 0 1e-3"},
    [NS_CIRCUIT_F] = {'F', 2, 1, "Fname a b ELEMENT gain", "F1 a 0 V1 2"},
    [NS_CIRCUIT_H] = {'H', 2, 1, "Hname a b ELEMENT ohm", "H1 a 0 V1 50"},
    [NS_CIRCUIT_K] = {'K', 0, 2, "Kname L1 L2 coupling", "K1 L1 L2 0.99"},
};

int ns_tableau_fail(const ns_tableau *t, int element, const char *fmt, ...)
{
  char what[700];
  NS_FORMAT(what, fmt);
  const ns_circuit_element *e = &t->k->element[element];
  const ns_place *at = ns_tableau_place(t, element);
  return ns_fail(t->c, NS_MODEL, "%.200s:%d: <%s id=\"%.80s\">: %.60s: %s", e->file, e->line,
                 at->element, at->id, e->name, what);
}

/* The rows could not be solved: memory, or a circuit that is one dense knot. */
static int unsolved(const ns_tableau *t)
{
  if (!t->r.spent && !t->slope.spent) return ns_nomem(t->c, "circuit");
  return ns_fail(t->c, NS_MODEL,
                 "%.200s:%d: <%s id=\"%.80s\">: the elements are connected so densely that the "
                 "circuit cannot be solved in seconds, expected fewer of them; split the circuit",
                 t->k->at.file, t->k->at.line, t->k->at.element, t->k->at.id);
}

/* ---- columns --------------------------------------------------------------------------------- */

enum { REST = 0, RESISTIVE = 1 }; /* kinds of columns for stage 1 */

static int is_source(ns_circuit_kind k) { return k == NS_CIRCUIT_V || k == NS_CIRCUIT_I; }
static int is_store(ns_circuit_kind k) { return k == NS_CIRCUIT_C || k == NS_CIRCUIT_L; }

/* An output between rails is a port, too; without rails it takes what makes its input 0. */
static int has_rails(const ns_circuit_element *x)
{
  return x->kind == NS_CIRCUIT_O && (isfinite(x->low) || isfinite(x->high));
}

static int number_columns(ns_tableau *t)
{
  const ns_circuit *k = t->k;
  size_t n = (size_t)k->n;
  int top = k->nnodes - 1, *by[] = {NULL, NULL, NULL, NULL, NULL};
  for (int b = 0; b < 5; b++)
    if (!(by[b] = ns_arena_get(t->a, n, sizeof(int)))) return -1;
  t->i = by[0], t->i2 = by[1], t->s = by[2], t->ds = by[3], t->store_of = by[4];
  t->store = ns_arena_zero(t->a, n, sizeof *t->store);
  t->device = ns_arena_zero(t->a, 2 * n, sizeof *t->device);
  if (!t->store || !t->device) return -1;
  t->one = top++;
  for (int e = 0; e < k->n; e++) {
    ns_circuit_kind kind = k->element[e].kind;
    t->i[e] = t->i2[e] = t->s[e] = t->ds[e] = t->store_of[e] = -1;
    if (kind == NS_CIRCUIT_K) continue;
    if (is_source(kind)) t->s[e] = top++, t->ds[e] = top++;
    t->i[e] = kind == NS_CIRCUIT_I ? t->s[e] : top++;
    ns_port port = {.kind = NS_PORT_STORE,
                    .element = e,
                    .q = t->i[e],
                    .dq = -1,
                    .state = -1,
                    .row = -1,
                    .lambda = -1};
    if (is_store(kind) && t->winding_of[e] != NS_WINDING_FOLLOWS) {
      int v = top++;
      port.ic = k->element[e].ic;
      port.has_ic = k->element[e].has_ic;
      if (t->winding_of[e] == NS_WINDING_LEADS) port.q = top++;
      port.p = kind == NS_CIRCUIT_C ? t->i[e] : v;
      port.q = kind == NS_CIRCUIT_C ? v : port.q;
      port.dq = top++;
      t->store_of[e] = t->nstores;
      t->store[t->nstores++] = port;
    } else if (ns_tableau_is_device(kind) || has_rails(&k->element[e])) {
      port.kind = ns_tableau_is_switch(kind) ? NS_PORT_SWITCH : NS_PORT_DIODE;
      if (kind == NS_CIRCUIT_O) port.kind = NS_PORT_RAILS, port.q = top++;
      port.p = top++;
      t->device[t->ndevices++] = port;
    }
    if (kind == NS_CIRCUIT_Z || kind == NS_CIRCUIT_M || kind == NS_CIRCUIT_Q) {
      port.kind = NS_PORT_DIODE;
      port.q = t->i2[e] = top++;
      port.p = top++;
      t->device[t->ndevices++] = port;
    }
  }
  for (int w = 0; w < t->nwindings; w++) {
    ns_port *to = &t->store[t->store_of[t->winding[w].of]];
    const ns_circuit_element *x = &k->element[t->winding[w].element];
    to->ic += t->winding[w].factor * x->ic;
    to->has_ic |= x->has_ic;
  }
  t->ncols = top;
  return 0;
}

/* ---- equations ------------------------------------------------------------------------------- */

/* a (potential of node x - potential of node y) to row i. */
static void drop(ns_tableau *t, int i, int x, int y, double a)
{
  if (x) ns_rows_add(&t->r, i, x - 1, a);
  if (y) ns_rows_add(&t->r, i, y - 1, -a);
}

/* a times the current of an element to row i. */
static void flow(ns_tableau *t, int i, int e, double a)
{
  const ns_circuit_element *x = &t->k->element[e];
  ns_rows_add(&t->r, i, t->i[e], a);
  if (t->i2[e] >= 0) ns_rows_add(&t->r, i, t->i2[e], -a);
  if (x->leak > 0) drop(t, i, x->node[0], x->node[1], a * x->leak);
}

/* Currents of the second pair of nodes. */
static void second_pair(ns_tableau *t, int e)
{
  const ns_circuit_element *x = &t->k->element[e];
  for (int j = 2; j < 4; j++) {
    double a = j == 2 ? -x->value : x->value;
    if (!x->node[j]) continue;
    if (x->kind == NS_CIRCUIT_T) flow(t, x->node[j] - 1, e, a);
    else drop(t, x->node[j] - 1, x->node[0], x->node[1], a);
  }
}

/* Kirchhoff's current law; rows 0..nnodes-2. */
static void node_equations(ns_tableau *t)
{
  for (int k = 1; k < t->k->nnodes; k++) ns_rows_new(&t->r);
  for (int e = 0; e < t->k->n; e++) {
    const ns_circuit_element *x = &t->k->element[e];
    if (x->kind == NS_CIRCUIT_K) continue;
    if (x->node[0]) flow(t, x->node[0] - 1, e, 1);
    if (x->node[1]) flow(t, x->node[1] - 1, e, -1);
    if (x->kind == NS_CIRCUIT_T || x->kind == NS_CIRCUIT_Y) second_pair(t, e);
  }
}

static void element_equation(ns_tableau *t, int e)
{
  const ns_circuit_element *x = &t->k->element[e];
  if (x->kind == NS_CIRCUIT_K || x->kind == NS_CIRCUIT_I || is_store(x->kind)) return;
  if (ns_tableau_is_device(x->kind) || has_rails(x)) return;
  int i = ns_rows_new(&t->r), current = x->kind == NS_CIRCUIT_F || x->kind == NS_CIRCUIT_G;
  if (current || x->kind == NS_CIRCUIT_Y) ns_rows_add(&t->r, i, t->i[e], 1);
  else if (x->kind == NS_CIRCUIT_O) drop(t, i, x->node[0], x->node[1], 1 / x->value);
  else drop(t, i, x->node[0], x->node[1], 1);
  switch (x->kind) {
  case NS_CIRCUIT_R: ns_rows_add(&t->r, i, t->i[e], -x->value); break;
  case NS_CIRCUIT_V: ns_rows_add(&t->r, i, t->s[e], -1); break;
  case NS_CIRCUIT_T:
  case NS_CIRCUIT_E:
  case NS_CIRCUIT_Y:
  case NS_CIRCUIT_G: drop(t, i, x->node[2], x->node[3], -x->value); break;
  case NS_CIRCUIT_O: drop(t, i, x->node[2], x->node[3], -1); break;
  default: /* F, H */
    flow(t, i, x->of[0], -x->value);
    if (t->k->element[x->of[0]].against > 0) flow(t, i, t->k->element[x->of[0]].against, x->value);
    break;
  }
}

/* Output s = q, y = s/gain - v(2,3) = p. */
static void rails_equations(ns_tableau *t, const ns_port *p)
{
  const ns_circuit_element *x = &t->k->element[p->element];
  int i = ns_rows_new(&t->r), input = ns_rows_new(&t->r);
  drop(t, i, x->node[0], x->node[1], 1);
  ns_rows_add(&t->r, i, p->q, -1);
  drop(t, input, x->node[2], x->node[3], 1);
  ns_rows_add(&t->r, input, p->p, 1);
  ns_rows_add(&t->r, input, p->q, -1 / x->value);
}

/* v of a store; v - on j of a switch; w = voltage + on j - v of a diode. The second branch of Z is
 * turned round. */
static void port_equation(ns_tableau *t, const ns_port *p)
{
  const ns_circuit_element *x = &t->k->element[p->element];
  if (x->kind == NS_CIRCUIT_O) {
    rails_equations(t, p);
    return;
  }
  int i = ns_rows_new(&t->r), turned = p->q == t->i2[p->element];
  /* of M and Q beside a switch */
  int forward = turned ? x->kind != NS_CIRCUIT_Z : x->kind == NS_CIRCUIT_Z;
  drop(t, i, x->node[0], x->node[1], turned ? -1 : 1);
  if (x->kind == NS_CIRCUIT_C) ns_rows_add(&t->r, i, p->q, -1);
  else if (x->kind == NS_CIRCUIT_L || p->kind == NS_PORT_SWITCH) ns_rows_add(&t->r, i, p->p, -1);
  else {
    ns_rows_add(&t->r, i, p->p, 1);
    ns_rows_add(&t->r, i, t->one, forward ? -x->forward : -x->value);
  }
  if (ns_tableau_is_device(x->kind)) ns_rows_add(&t->r, i, p->q, -x->on);
}

/* Voltages of inductors that follow others, and magnetizing currents of those. */
static void winding_equations(ns_tableau *t)
{
  const ns_circuit_element *x = t->k->element;
  for (int s = 0; s < t->nstores; s++) {
    int e = t->store[s].element,
        i = t->store[s].q == t->i[e] || x[e].kind == NS_CIRCUIT_C ? -1 : ns_rows_new(&t->r);
    if (i < 0) continue;
    ns_rows_add(&t->r, i, t->store[s].q, 1);
    ns_rows_add(&t->r, i, t->i[e], -1);
    for (int w = 0; w < t->nwindings; w++)
      if (t->winding[w].of == e)
        ns_rows_add(&t->r, i, t->i[t->winding[w].element], -t->winding[w].factor);
  }
  for (int w = 0, i = -1; w < t->nwindings; w++) {
    int e = t->winding[w].element, of = t->winding[w].of;
    if (w == 0 || t->winding[w - 1].element != e) {
      i = ns_rows_new(&t->r);
      drop(t, i, x[e].node[0], x[e].node[1], 1);
    }
    drop(t, i, x[of].node[0], x[of].node[1], -t->winding[w].factor);
  }
}

static int write_equations(ns_tableau *t)
{
  int cap = t->k->nnodes + t->k->n + t->nstores + 2 * t->ndevices + 1;
  if (ns_rows_init(&t->r, t->a, cap, t->ncols)) return -1;
  node_equations(t);
  for (int e = 0; e < t->k->n; e++) element_equation(t, e);
  for (int s = 0; s < t->nstores; s++) port_equation(t, &t->store[s]);
  for (int d = 0; d < t->ndevices; d++) port_equation(t, &t->device[d]);
  if (t->nwindings) winding_equations(t);
  return t->r.nomem ? -1 : 0;
}

/* ---- stages ---------------------------------------------------------------------------------- */

static int is_pivot(const ns_tableau *t, int col) { return t->r.pivot[col] >= 0; }

static int eliminate_resistive(ns_tableau *t)
{
  unsigned char *kind = ns_arena_zero(t->a, (size_t)t->ncols, 1);
  if (!kind) return -1;
  for (int k = 0; k < t->k->nnodes - 1; k++) kind[k] = RESISTIVE;
  for (int e = 0; e < t->k->n; e++)
    if (t->k->element[e].kind != NS_CIRCUIT_I && t->i[e] >= 0) kind[t->i[e]] = RESISTIVE;
  for (int s = 0; s < t->nstores; s++) kind[t->store[s].p] = kind[t->store[s].q] = REST;
  for (int d = 0; d < t->ndevices; d++) kind[t->device[d].q] = REST;
  ns_rows_pivot_all(&t->r, kind, RESISTIVE);
  return t->r.nomem ? -1 : 0;
}

static void choose_ports(ns_tableau *t)
{
  /* The input of what has rails is never their multiplier: the box is that of its output. */
  for (int d = 0; d < t->ndevices; d++)
    if (t->k->element[t->device[d].element].kind == NS_CIRCUIT_O)
      ns_rows_pivot(&t->r, t->device[d].p);
  for (int wanted = 1; wanted >= 0; wanted--)
    for (int s = 0; s < t->nstores; s++)
      if (t->store[s].has_ic == wanted) ns_rows_pivot(&t->r, t->store[s].p);
  for (int d = 0; d < t->ndevices; d++) ns_rows_pivot(&t->r, t->device[d].p);
  for (int s = 0; s < t->nstores; s++)
    if (!is_pivot(t, t->store[s].p)) ns_rows_pivot(&t->r, t->store[s].q);
  for (int d = 0; d < t->ndevices; d++)
    if (!is_pivot(t, t->device[d].p)) ns_rows_pivot(&t->r, t->device[d].q);
}

/* ---- what cannot be -------------------------------------------------------------------------- */

/* ", V2" behind the names so far. */
static void name(const ns_tableau *t, int e, char *buf, size_t size)
{
  size_t n = strlen(buf);
  if (n + 1 < size) snprintf(buf + n, size - n, "%s%.40s", n ? ", " : "", t->k->element[e].name);
}

static int is_controlled(ns_circuit_kind k)
{
  return k == NS_CIRCUIT_E || k == NS_CIRCUIT_F || k == NS_CIRCUIT_G || k == NS_CIRCUIT_H;
}

/* Gains that cancel what the rest of the circuit does: `names`, of which e is one, are controlled
 * sources. */
static int cancelling_gains(const ns_tableau *t, int e, const char *names)
{
  int several = strchr(names, ',') != NULL;
  return ns_tableau_fail(
      t, e,
      "the gain%s of %s cancel%s what the rest of the circuit does: voltages or currents are then "
      "not determined, expected %s; change %s or add a resistor there",
      several ? "s" : "", names, several ? "" : "s", several ? "other gains" : "another gain",
      several ? "one" : "it");
}

/* The same of all that the circuit has; 0: it has none. */
static int all_cancelling(const ns_tableau *t)
{
  char names[300] = "";
  int first = -1;
  for (int e = t->k->n - 1; e >= 0; e--)
    if (is_controlled(t->k->element[e].kind)) first = e;
  for (int e = first; first >= 0 && e < t->k->n; e++)
    if (is_controlled(t->k->element[e].kind)) name(t, e, names, sizeof names);
  return first >= 0 ? cancelling_gains(t, first, names) : NS_OK;
}

/* The same of those whose current moves with column col, which nothing determines; 0: none. */
static int cancelling_with(ns_tableau *t, int col)
{
  char names[300] = "";
  int first = -1;
  ns_rows_resolve(&t->r);
  if (t->r.nomem) return NS_OK;
  for (int e = 0; e < t->k->n; e++) {
    int i = t->i[e];
    if (!is_controlled(t->k->element[e].kind)) continue;
    if (i != col && (!is_pivot(t, i) || ns_row_at(ns_rows_of(&t->r, i), col) == 0)) continue;
    if (first < 0) first = e;
    name(t, e, names, sizeof names);
  }
  return first >= 0 ? cancelling_gains(t, first, names) : NS_OK;
}

/* A row of sources and constants alone: the circuit would tie them to each other. */
static int tied_sources(const ns_tableau *t, const ns_row *w)
{
  char volts[300] = "", amps[300] = "";
  int v = -1, i = -1;
  for (int e = 0; e < t->k->n; e++) {
    if (t->s[e] < 0 || ns_row_at(w, t->s[e]) == 0) continue;
    int is_v = t->k->element[e].kind == NS_CIRCUIT_V;
    name(t, e, is_v ? volts : amps, is_v ? sizeof volts : sizeof amps);
    if (is_v) v = e;
    else i = e;
  }
  /* with controlled ones */
  if (v >= 0 && i < 0 && !strchr(volts, ',')) ns_tableau_loop(t, v, volts, sizeof volts);
  if (i >= 0 && v < 0 && !strchr(amps, ',')) ns_tableau_cut(t, i, amps, sizeof amps);
  int one = (v >= 0) != (i >= 0) && !strchr(v >= 0 ? volts : amps, ',');
  int rc = one ? all_cancelling(t) : NS_OK;
  if (rc) return rc;
  if (v >= 0 && i < 0)
    return ns_tableau_fail(t, v,
                           "%s form%s a loop of voltage sources, whose current is not determined, "
                           "expected another element in every loop; add a resistor in series",
                           volts, strchr(volts, ',') ? "" : "s");
  if (i >= 0 && v < 0)
    return ns_tableau_fail(
        t, i,
        "%s meet%s in a cut of current sources, whose voltage is not determined, expected another "
        "path for the current; add a resistor in parallel",
        amps, strchr(amps, ',') ? "" : "s");
  return ns_tableau_fail(
      t, v >= 0 ? v : t->k->n - 1,
      "the controlled sources make %s%s%s depend on each other, expected independent sources",
      volts, *volts && *amps ? ", " : "", amps);
}

static int undetermined_current(ns_tableau *t, int e)
{
  char loop[300];
  ns_circuit_kind kind = t->k->element[e].kind;
  int rc = kind == NS_CIRCUIT_R || is_controlled(kind) ? cancelling_with(t, t->i[e]) : NS_OK;
  if (rc) return rc;
  if (kind == NS_CIRCUIT_L)
    return ns_tableau_fail(t, e,
                           "its current is not determined: it is fully coupled, in a loop of such "
                           "inductors and of voltage sources only, expected a coupling below 1 or "
                           "a resistor somewhere in the loop");
  ns_tableau_loop(t, e, loop, sizeof loop);
  return ns_tableau_fail(
      t, e,
      "its current is not determined: it is in a loop of voltage sources, transformers or "
      "controlled sources only%s%s, expected a resistor somewhere in the loop",
      strchr(loop, ',') ? ", " : "", strchr(loop, ',') ? loop : "");
}

/* A potential or a current that no equation determines. */
static int undetermined(ns_tableau *t)
{
  for (int e = 0; e < t->k->n; e++)
    if (t->i[e] >= 0 && t->k->element[e].kind != NS_CIRCUIT_I && !is_pivot(t, t->i[e])) {
      ns_circuit_kind kind = t->k->element[e].kind;
      int resistive = !is_store(kind) || t->winding_of[e] != NS_WINDING_ALONE;
      if (resistive && !ns_tableau_is_device(kind)) return undetermined_current(t, e);
    }
  for (int k = 1; k < t->k->nnodes; k++)
    if (!is_pivot(t, k - 1)) {
      int rc = cancelling_with(t, k - 1);
      if (rc) return rc;
      for (int e = 0; e < t->k->n; e++)
        for (int j = 0; j < ns_circuit_forms[t->k->element[e].kind].nodes; j++)
          if (t->k->element[e].node[j] == k) {
            char names[300];
            ns_tableau_at_node(t, k, names, sizeof names);
            return ns_tableau_fail(t, e,
                                   "the voltage of node %.40s is not determined, expected more "
                                   "than the current sources and control inputs connected to it, "
                                   "which are %s; add a resistor from it to node 0",
                                   t->k->node[k], names);
          }
    }
  return NS_OK;
}

/* Rows that no stage has used: equalities, or faults. */
static int left_over(ns_tableau *t)
{
  int capacity = t->ndevices + 1, open = 0;
  for (int d = 0; d < t->ndevices; d++) {
    const ns_port *p = &t->device[d];
    if (t->k->element[p->element].kind != NS_CIRCUIT_O || is_pivot(t, p->p)) continue;
    return ns_tableau_fail(t, p->element,
                           "its input is not determined by the circuit, expected a resistor or a "
                           "source from each input to node 0 or to its output; add one");
  }
  t->unsettled = ns_arena_get(t->a, (size_t)capacity, sizeof(int));
  t->mu = ns_arena_get(t->a, (size_t)capacity, sizeof(int));
  if (!t->unsettled || !t->mu) return ns_nomem(t->c, "circuit");
  for (int d = 0; d < t->ndevices; d++)
    if (!is_pivot(t, t->device[d].p) && !is_pivot(t, t->device[d].q))
      t->mu[open++] = t->device[d].p;
  for (int i = 0; i < t->r.nrows; i++) {
    const ns_row *w = &t->r.row[i];
    int inner = 0, stores = -1;
    if (t->r.used[i] || w->n == 0) continue;
    for (int d = 0; d < t->ndevices; d++)
      inner |= ns_row_at(w, t->device[d].p) != 0 || ns_row_at(w, t->device[d].q) != 0;
    for (int s = 0; s < t->nstores; s++)
      if (ns_row_at(w, t->store[s].p) != 0 || ns_row_at(w, t->store[s].q) != 0)
        stores = t->store[s].element;
    if (!inner && stores < 0) return tied_sources(t, w);
    if (!inner || t->nunsettled == open)
      return ns_tableau_fail(
          t, stores >= 0 ? stores : t->k->n - 1,
          "the controlled sources make its state depend on other states and leave a current or "
          "voltage undetermined, expected a resistor in that loop or cut");
    t->unsettled[t->nunsettled++] = i;
  }
  int rc = undetermined(t);
  if (!rc && t->nunsettled < open)
    for (int d = 0; d < t->ndevices && !rc; d++)
      if (t->device[d].p == t->mu[t->nunsettled])
        rc = ns_tableau_fail(t, t->device[d].element,
                             "its current and its voltage are not determined by the circuit, "
                             "expected a resistor in parallel or in series");
  return rc;
}

/* ---- slopes ---------------------------------------------------------------------------------- */

/* Copy the equation of a column, or the column itself, to row i of the slopes: a u_col. */
static void expressed(ns_tableau *t, int i, int col, double a)
{
  if (!is_pivot(t, col)) {
    ns_rows_add(&t->slope, i, col, a);
    return;
  }
  const ns_row *w = ns_rows_of(&t->r, col);
  double own = ns_row_at(w, col);
  for (int k = 0; k < w->n; k++)
    if (w->col[k] != col) ns_rows_add(&t->slope, i, w->col[k], -a * w->val[k] / own);
}

/* value q' - p = 0; row s of the slopes. */
static void slope_equation(ns_tableau *t, const ns_port *s)
{
  int i = ns_rows_new(&t->slope);
  ns_rows_add(&t->slope, i, s->dq, t->k->element[s->element].value);
  expressed(t, i, s->p, -1);
}

/* Mutual terms of all pairs of inductors. */
static void mutual_terms(ns_tableau *t)
{
  for (int e = 0; e < t->k->n; e++) {
    const ns_circuit_element *k = &t->k->element[e];
    if (k->kind != NS_CIRCUIT_K || t->store_of[k->of[0]] < 0 || t->store_of[k->of[1]] < 0) continue;
    int a = t->store_of[k->of[0]], b = t->store_of[k->of[1]];
    double M = k->value * sqrt(t->k->element[k->of[0]].value * t->k->element[k->of[1]].value);
    ns_rows_add(&t->slope, a, t->store[b].dq, M);
    ns_rows_add(&t->slope, b, t->store[a].dq, M);
  }
}

/* The derivative of  q - (states and sources) = 0. */
static int redundant_equation(ns_tableau *t, const ns_port *s, const int *dq_of)
{
  const ns_row *w = ns_rows_of(&t->r, s->q);
  int i = ns_rows_new(&t->slope);
  for (int k = 0; k < w->n; k++) {
    int col = w->col[k];
    if (col == t->one) continue;
    if (dq_of[col] < 0)
      return ns_tableau_fail(t, s->element,
                             "its state depends directly on a diode or switch, expected a resistor "
                             "in that loop of capacitors or cut of inductors; add one");
    ns_rows_add(&t->slope, i, dq_of[col], w->val[k]);
  }
  return NS_OK;
}

enum { NOTES_MAX = 10 };

/* What a redundant state follows from. */
static void note_redundant(ns_tableau *t, const ns_port *s)
{
  if (t->notes++ >= NOTES_MAX) return;
  const ns_row *w = ns_rows_of(&t->r, s->q);
  const ns_circuit_element *x = &t->k->element[s->element];
  char names[300] = "";
  for (int e = 0; e < t->k->n; e++) {
    const ns_port *o = t->store_of[e] >= 0 ? &t->store[t->store_of[e]] : NULL;
    if (e != s->element &&
        ((o && ns_row_at(w, o->q) != 0) || (t->s[e] >= 0 && ns_row_at(w, t->s[e]) != 0)))
      name(t, e, names, sizeof names);
  }
  int c = x->kind == NS_CIRCUIT_C;
  const ns_place *at = ns_tableau_place(t, s->element);
  ns_note(t->c,
          "%.200s:%d: <%s id=\"%.80s\">: %.60s is in a %s with %s: its %s is determined by theirs "
          "and is not a state",
          x->file, x->line, at->element, at->id, x->name, c ? "loop" : "cut",
          *names ? names : "no other state", c ? "voltage" : "current");
}

static int solve_slopes(ns_tableau *t)
{
  unsigned char *kind = ns_arena_zero(t->a, (size_t)t->ncols, 1);
  int *dq_of = ns_arena_get(t->a, (size_t)t->ncols, sizeof *dq_of);
  if (!kind || !dq_of || ns_rows_init(&t->slope, t->a, 2 * t->nstores + 1, t->ncols))
    return ns_nomem(t->c, "circuit");
  ns_fill_ints((size_t)t->ncols, -1, dq_of);
  for (int e = 0; e < t->k->n; e++)
    if (t->s[e] >= 0) dq_of[t->s[e]] = t->ds[e];
  for (int s = 0; s < t->nstores; s++) dq_of[t->store[s].q] = t->store[s].dq;
  for (int s = 0; s < t->nstores; s++) slope_equation(t, &t->store[s]);
  mutual_terms(t);
  for (int s = 0; s < t->nstores; s++) {
    const ns_port *p = &t->store[s];
    kind[p->dq] = RESISTIVE;
    if (is_pivot(t, p->p)) continue;
    kind[p->p] = RESISTIVE;
    int rc = redundant_equation(t, p, dq_of);
    if (rc) return rc;
    note_redundant(t, p);
  }
  if (t->notes > NOTES_MAX)
    ns_note(t->c, "%.200s:%d: <%s id=\"%.80s\">: %d more elements are in such loops and cuts",
            t->k->at.file, t->k->at.line, t->k->at.element, t->k->at.id, t->notes - NOTES_MAX);
  ns_rows_pivot_all(&t->slope, kind, RESISTIVE);
  if (t->slope.nomem) return unsolved(t);
  for (int s = 0; s < t->nstores; s++)
    if (t->slope.pivot[t->store[s].dq] < 0)
      return ns_tableau_fail(
          t, t->store[s].element,
          "its time derivative is not determined: capacitances or inductances cancel, or many "
          "inductors are nearly fully coupled, expected smaller couplings; an ideal transformer is "
          "T");
  ns_rows_resolve(&t->slope);
  return t->slope.nomem ? unsolved(t) : NS_OK;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Of error e. */
static void accumulate(ns_tableau *t, int col, double a, double e)
{
  if (t->mag[col] == 0) t->touched[t->ntouched++] = col;
  t->acc[col] += a;
  t->mag[col] += fabs(a);
  t->err[col] += e;
}

/* a times a column, which equation w determines by others: what is added for them. */
static void add_by_equation(ns_tableau *t, const ns_row *w, int col, double a, double e,
                            void (*add)(ns_tableau *t, int col, double a, double e))
{
  double own = ns_row_at(w, col), error = e / fabs(a) + ns_row_error(w, col);
  for (int k = 0; k < w->n; k++) {
    double by = -(w->val[k] / own) * a;
    if (w->col[k] != col) add(t, w->col[k], by, fabs(by) * (error + w->err[k] / fabs(w->val[k])));
  }
}

/* Free columns of the resistive equations, in which p of redundant states is solved by the slopes.
 */
static void add_solved(ns_tableau *t, int col, double a, double e)
{
  if (a == 0) return;
  if (t->slope.pivot[col] < 0) accumulate(t, col, a, e);
  else add_by_equation(t, ns_rows_of(&t->slope, col), col, a, e, accumulate);
}

void ns_tableau_sum_add(ns_tableau *t, int col, double a)
{
  if (a == 0) return;
  if (is_pivot(t, col)) add_by_equation(t, ns_rows_of(&t->r, col), col, a, 0, add_solved);
  else add_solved(t, col, a, 0);
}

ns_sum ns_tableau_sum_take(ns_tableau *t)
{
  ns_sum s = {0, ns_arena_get(t->a, (size_t)t->ntouched, sizeof(int)),
              ns_arena_get(t->a, (size_t)t->ntouched, sizeof(double))};
  for (int k = 0; k < t->ntouched; k++) {
    int col = t->touched[k];
    if (s.col && s.val && fabs(t->acc[col]) > fmax(1e-13 * t->mag[col], t->err[col])) {
      s.col[s.n] = col;
      s.val[s.n++] = t->acc[col];
    }
    t->acc[col] = t->mag[col] = t->err[col] = 0;
  }
  t->ntouched = 0;
  if (!s.col || !s.val) s.n = -1;
  return s;
}

void ns_tableau_potential(ns_tableau *t, int node)
{
  if (node) ns_tableau_sum_add(t, node - 1, 1);
}

void ns_tableau_voltage(ns_tableau *t, int e)
{
  const ns_circuit_element *x = &t->k->element[e];
  const int *node = x->shown[0] != x->shown[1] ? x->shown : x->node;
  if (node[0]) ns_tableau_sum_add(t, node[0] - 1, 1);
  if (node[1]) ns_tableau_sum_add(t, node[1] - 1, -1);
}

static void add_current(ns_tableau *t, int e, double a)
{
  const ns_circuit_element *x = &t->k->element[e];
  ns_tableau_sum_add(t, t->i[e], a);
  if (t->i2[e] >= 0) ns_tableau_sum_add(t, t->i2[e], -a);
  if (x->leak > 0 && x->node[0]) ns_tableau_sum_add(t, x->node[0] - 1, a * x->leak);
  if (x->leak > 0 && x->node[1]) ns_tableau_sum_add(t, x->node[1] - 1, -a * x->leak);
}

void ns_tableau_current(ns_tableau *t, int e)
{
  add_current(t, e, 1);
  if (t->k->element[e].against > 0) add_current(t, t->k->element[e].against, -1);
}

/* ---- rows of the interaction ----------------------------------------------------------------- */

/* Stores stand by parts; a part without states has one that rests. */
static int number_states(ns_tableau *t)
{
  int states = 0, s = 0;
  for (int part = 0; part < (t->k->nparts > 1 ? t->k->nparts : 1); part++) {
    int first = states;
    for (; s < t->nstores && t->k->element[t->store[s].element].part == part; s++) {
      ns_port *p = &t->store[s];
      if (!is_pivot(t, p->p)) continue;
      p->state = states++;
      t->meaning[p->q] = (ns_meaning){NS_COL_STATE, p->state};
    }
    if (states == first && t->k->nparts > 1) states++;
  }
  return states;
}

static void number_rows(ns_tableau *t)
{
  int states = number_states(t), row = 0;
  for (int u = 0; u < t->nunsettled; u++) t->meaning[t->mu[u]] = (ns_meaning){NS_COL_LAMBDA, row++};
  for (int e = 0; e < t->k->n; e++)
    if (t->rank[e] < 0) t->row_of[e] = row++;
  for (int pass = 0; pass < 2; pass++) { /* equality rows first */
    for (int d = 0; d < t->ndevices; d++) {
      ns_port *p = &t->device[d];
      if ((p->kind == NS_PORT_SWITCH) != (pass == 0)) continue;
      p->row = row++;
      p->lambda = is_pivot(t, p->q) ? p->p : p->q;
      t->meaning[p->lambda] = (ns_meaning){NS_COL_LAMBDA, p->row};
    }
    if (pass == 0) t->me = row;
  }
  t->n = states;
  t->m = row;
  t->meaning[t->one].kind = NS_COL_ONE;
  for (int e = 0; e < t->k->n; e++)
    if (t->s[e] >= 0) {
      t->meaning[t->s[e]] = (ns_meaning){NS_COL_SOURCE, e};
      t->meaning[t->ds[e]] = (ns_meaning){NS_COL_SLOPE, e};
      if (t->rank[e] < 0) t->meaning[t->s[e]] = (ns_meaning){NS_COL_LAMBDA, t->row_of[e]};
    }
}

static int prepare_sums(ns_tableau *t)
{
  size_t n = (size_t)t->ncols;
  t->acc = ns_arena_zero(t->a, n, sizeof(double));
  t->mag = ns_arena_zero(t->a, n, sizeof(double));
  t->err = ns_arena_zero(t->a, n, sizeof(double));
  t->touched = ns_arena_get(t->a, n, sizeof(int));
  t->meaning = ns_arena_zero(t->a, n, sizeof *t->meaning);
  return t->acc && t->mag && t->err && t->touched && t->meaning ? 0 : -1;
}

static int assemble(ns_tableau *t, ns_model *m, const char *interaction_id, double t0)
{
  int rc = ns_tableau_check(t);
  if (rc) return rc;
  if ((rc = ns_tableau_couplings(t))) return rc;
  if (number_columns(t) || prepare_sums(t) || write_equations(t) || eliminate_resistive(t))
    return unsolved(t);
  choose_ports(t);
  if (t->r.nomem) return unsolved(t);
  if ((rc = left_over(t))) return rc;
  ns_rows_resolve(&t->r);
  if (t->r.nomem) return unsolved(t);
  if ((rc = solve_slopes(t))) return rc;
  if ((rc = ns_tableau_classify(t))) return rc;
  number_rows(t);
  if (t->nwindings) ns_tableau_report_windings(t);
  if ((rc = ns_tableau_edges(t))) return rc;
  if ((rc = ns_tableau_formulas(t))) return rc;
  if ((rc = ns_tableau_floating(t))) return rc;
  return ns_tableau_build(t, m, interaction_id, t0);
}

int ns_circuit_assemble(ns_model *m, ns_ctx *c, ns_graph *g, const ns_circuit *k,
                        const char *interaction_id, double t0)
{
  ns_tableau t = {.k = k, .c = c, .g = g, .a = ns_arena_create(1 << 16, 1)};
  int rc = t.a ? assemble(&t, m, interaction_id, t0) : ns_nomem(c, "circuit");
  ns_arena_destroy(t.a);
  return rc;
}
