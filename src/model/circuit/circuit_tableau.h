/* SPDX-License-Identifier: GPL-3.0-or-later */
/* circuit_tableau.h -- the equations of a circuit during assembly; private to circuit*.c. */
#ifndef NS_MODEL_CIRCUIT_CIRCUIT_TABLEAU_H
#define NS_MODEL_CIRCUIT_CIRCUIT_TABLEAU_H

#include "model/circuit/circuit.h"
#include "model/circuit/circuit_rows.h"

/* A port whose variables p and q are related by something other than a resistive equation. The aim
 * is that p follows from q, a state or lambda, and the rest. If the circuit does not permit this, p
 * and q are exchanged. */
typedef enum ns_port_kind {
  NS_PORT_STORE,
  NS_PORT_DIODE,
  NS_PORT_SWITCH,
  NS_PORT_RAILS
} ns_port_kind;

typedef struct ns_port {
  ns_port_kind kind;
  int element;
  /* Columns. C: i, v. L: v, i (or j, circuit_coupling.c). D: w = value + on j - v, j. S: v - on j,
   * j. O: y, v. */
  int p, q;
  int dq;     /* C, L: column of q'; other ports -1 */
  int state;  /* C, L: index into x, -1: redundant */
  double ic;  /* C, L: initial value */
  int has_ic; /* 1: the initial value was given */
  int row;    /* D, S: row of the interaction */
  int lambda; /* column that is its lambda */
} ns_port;

/* Meaning of a column after the circuit is solved. */
typedef struct ns_meaning {
  enum { NS_COL_NONE, NS_COL_STATE, NS_COL_LAMBDA, NS_COL_SOURCE, NS_COL_SLOPE, NS_COL_ONE } kind;
  int k; /* state, row of lambda, element of the source */
} ns_meaning;

/* A sparse sum over free columns. */
typedef struct ns_sum {
  int n;
  int *col;
  double *val;
} ns_sum;

/* For coupled inductors without leakage: the voltage of `element` is a sum of factors times the
 * voltages of `of`, whose magnetizing current contains the same factor times the current of
 * `element`. */
typedef struct ns_winding {
  int element, of;
  double factor;
} ns_winding;
enum { NS_WINDING_ALONE, NS_WINDING_LEADS, NS_WINDING_FOLLOWS };

typedef struct ns_tableau {
  const ns_circuit *k;
  ns_ctx *c;
  ns_arena *a;
  int ncols, one; /* columns; that of the constant 1 */
  /* columns by element, -1: none. i2: reverse branch of Z; s, ds: source and its slope */
  int *i, *i2, *s, *ds;
  int *store_of;             /* index into store by element, -1: none */
  unsigned char *winding_of; /* of each element, as above [k->n] */
  ns_winding *winding;       /* [nwindings] */
  int nwindings;
  int notes; /* number of redundant states reported */
  int nstores, ndevices;
  ns_port *store, *device;
  ns_rows r;      /* resistive equations */
  ns_rows slope;  /* equations of q', in the same columns */
  int *unsettled; /* rows that remain as equalities [nunsettled] */
  int *mu;        /* their unknowns [nunsettled] */
  int nunsettled;
  int n, m, me; /* states, rows, equality rows among them */
  /* For each state, what its capacitor or inductor has in addition to it: a sum over elements of
   * sources that jump or have edges; n = 0: nothing [n] */
  ns_sum *beyond;
  ns_graph *g;
  ns_sum *read; /* quantities read by formulas, by free columns [k->nreads] */
  /* of sources that read the circuit: order of evaluation, from 1; 0: other sources; -1: unknowns
   * of a row [k->n] */
  int *rank;
  int *row_of; /* for rank -1: that row [k->n] */
  /* sources and controls as functions of t, x, lambda, z; -1: none [k->n] */
  ns_node *f;
  ns_node *closed; /* conditions of switches [k->n] */
  int *latch;      /* entry of z of elements with hysteresis; -1: none [k->n] */
  int nlatches;
  /* parts (circuit_parts.c); 1 for one netlist */
  int parts;
  int *first, *nstates, *nz;    /* states of each, entries of z [parts] */
  int *state_part, *z_part;     /* [n], [nlatches] */
  int *z_local;                 /* entry of the system of its part [nlatches] */
  int *z_joined;                /* of all systems one after the other [nlatches] */
  int *system;                  /* [parts], in memory of the model */
  ns_foreign_variable *read_of; /* k->foreign, then all states, then all of z [nread_of] */
  int nread_of;
  ns_meaning *meaning; /* [ncols] */
  double *acc, *mag;   /* sums by column [ncols], 0 between uses */
  double *err;         /* bounds of their rounding errors [ncols] */
  int *touched, ntouched;
} ns_tableau;

/* Fails with the message "file:line: <netlist id="...">: R1: ...". */
int ns_tableau_fail(const ns_tableau *t, int element, const char *fmt, ...) NS_PRINTF(3, 4);

/* 1 if voltage and current are related only by a law: diodes, switches. */
static inline int ns_tableau_is_device(ns_circuit_kind k)
{
  return k == NS_CIRCUIT_D || k == NS_CIRCUIT_Z || k == NS_CIRCUIT_S || k == NS_CIRCUIT_M ||
         k == NS_CIRCUIT_Q;
}

static inline int ns_tableau_is_switch(ns_circuit_kind k)
{
  return k == NS_CIRCUIT_S || k == NS_CIRCUIT_M || k == NS_CIRCUIT_Q;
}

/* Place of the netlist of an element. */
const ns_place *ns_tableau_place(const ns_tableau *t, int element);

/* ---- circuit_parts.c ------------------------------------------------------------------------- */
/* Assign states and entries of z to parts, whose systems are number `first` of m and the following
 * ones. */
int ns_tableau_parts(ns_tableau *t, ns_model *m, int first);
/* Rewrite formulas f [n] of all states and all of z for the system of a part, or, with part -1, for
 * an interaction of all parts. */
enum { NS_ALL_PARTS = -1 };
int ns_tableau_see(ns_tableau *t, int part, ns_node *f, int n);
/* Compile f [n], formulas rewritten by ns_tableau_see, to op, with their variables of other
 * systems. */
int ns_tableau_compile(ns_tableau *t, ns_model *m, const ns_node *f, int n, ns_operator *op);

/* ---- circuit_coupling.c ---------------------------------------------------------------------- */
/* Set t->winding; called first. Couplings that are physically impossible are reported. */
int ns_tableau_couplings(ns_tableau *t);
/* Notes on states that are magnetizing currents. */
void ns_tableau_report_windings(ns_tableau *t);

/* ---- circuit_edges.c: sources that jump in loops of capacitors and cuts of inductors --------- */
/* Set t->beyond; called after states are numbered, before formulas are made. */
int ns_tableau_edges(ns_tableau *t);
/* Remove from a rate the slopes of sources in t->beyond of a state. */
void ns_tableau_without_edges(const ns_tableau *t, int state, ns_sum *rate);

/* Check that every node is connected to ground; reported otherwise. */
int ns_tableau_check(ns_tableau *t);
/* Write to buf the names of at most 10 elements: _loop: those that form a loop of given voltages
 * with e, e first; _cut: those whose given currents form a cut set with e; _at_node: those at a
 * node. */
void ns_tableau_loop(const ns_tableau *t, int e, char *buf, size_t size);
void ns_tableau_cut(const ns_tableau *t, int e, char *buf, size_t size);
void ns_tableau_at_node(const ns_tableau *t, int node, char *buf, size_t size);
/* Notes on nodes that are connected only by diodes and switches. */
int ns_tableau_floating(ns_tableau *t);
/* Add a u_col to the current sum; the column is expressed by free ones. */
void ns_tableau_sum_add(ns_tableau *t, int col, double a);
/* Return the current sum in memory of t->a, and clear it; n < 0: out of memory. */
ns_sum ns_tableau_sum_take(ns_tableau *t);
/* Add v or i of an element, or the potential of a node, to the current sum. */
void ns_tableau_voltage(ns_tableau *t, int element);
void ns_tableau_current(ns_tableau *t, int element);
void ns_tableau_potential(ns_tableau *t, int node);

/* ---- circuit_control.c: formulas that read the circuit --------------------------------------- */
/* Decide which sources follow from states and which are unknowns; called after the equations are
 * solved. */
int ns_tableau_classify(ns_tableau *t);
/* Formulas of sources, conditions of switches and entries of z; called after rows are numbered. */
int ns_tableau_formulas(ns_tableau *t);
/* The source or control of an element, with the quantities of the circuit that it reads
 * substituted; < 0: out of memory. */
ns_node ns_tableau_source(ns_tableau *t, int e);
/* t->beyond of a state as a formula; < 0: out of memory. */
ns_node ns_tableau_beyond(ns_tableau *t, int state);
/* Add the events at which switches close and open; the system, and the interaction (-1: none), are
 * in m. */
int ns_tableau_latches(ns_tableau *t, ns_model *m, int interaction);

/* Check that the values of sources that are unknowns of rows are determined, in the interaction
 * just made; field: derivatives of the rates of all states [n x n] (circuit_determined.c). Reported
 * otherwise. */
int ns_tableau_determined(ns_tableau *t, const ns_model *m, const ns_operator *field, int n,
                          int interaction);

/* Create system, interaction and observables from the solved tableau (circuit_build.c). */
int ns_tableau_build(ns_tableau *t, ns_model *m, const char *interaction_id, double t0);

#endif
