/* SPDX-License-Identifier: GPL-3.0-or-later */
/* circuit_tableau.h -- the equations of a circuit while it is assembled: shared by circuit*.c. */
#ifndef NS_MODEL_CIRCUIT_TABLEAU_H
#define NS_MODEL_CIRCUIT_TABLEAU_H

#include "model/circuit.h"
#include "model/circuit_rows.h"

/* A port whose two variables p and q are tied by something else than a resistive equation. It is wanted that p
 * follows from q and the rest: q is state or lambda. Where the circuit does not let it, they change places. */
typedef struct ns_port {
  int element;
  int p, q;  /* columns. C: i, v. L: v, i. D: w = value + on j - v, j. S: v - on j, j. O: y, v. */
  int dq;    /* C, L: column of q'; other ports -1 */
  int state; /* C, L: index into x, -1: redundant */
  int row;   /* D, S: row of the interaction */
  int lambda; /* column that is its lambda */
} ns_port;

/* What a column means, once the circuit is solved. */
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

typedef struct ns_tableau {
  const ns_circuit *k;
  ns_ctx *c;
  ns_arena *a;
  int ncols, one;            /* columns; that of the constant 1 */
  int *i, *i2, *s, *ds;      /* columns by element, -1: none. i2: reverse branch of Z; s, ds: source and its slope */
  int *store_of;             /* index into store by element, -1: none */
  int notes;                 /* redundant states that were told */
  int nstores, ndevices;
  ns_port *store, *device;
  ns_rows r;                 /* resistive equations */
  ns_rows slope;             /* equations of q', in the same columns */
  int *unsettled;            /* rows that are left as equalities [nunsettled] */
  int *mu;                   /* their unknowns [nunsettled] */
  int nunsettled;
  int n, m, me;              /* states, rows, equality rows among them */
  ns_meaning *meaning;       /* [ncols] */
  double *acc, *mag;         /* sums by column [ncols], 0 between uses */
  int *touched, ntouched;
} ns_tableau;

/* `file:line: <netlist id="...">: R1: ` and the sentence. */
int ns_tableau_fail(const ns_tableau *t, int element, const char *fmt, ...) NS_PRINTF(3, 4);

/* Its voltage and current are tied by a law alone: diodes, switches. */
static inline int ns_tableau_is_device(ns_circuit_kind k)
{
  return k == NS_CIRCUIT_D || k == NS_CIRCUIT_Z || k == NS_CIRCUIT_S;
}

/* Every node has a way to ground; reported otherwise. */
int ns_tableau_check(ns_tableau *t);
/* Nodes that only diodes and switches lead from: notes. */
int ns_tableau_floating(ns_tableau *t);
/* a u_col, added to the sum that is being made; the column is expressed by free ones. */
void ns_tableau_sum_add(ns_tableau *t, int col, double a);
/* The sum; clears it for the next one. Memory of t->a; n < 0: out of memory. */
ns_sum ns_tableau_sum_take(ns_tableau *t);
/* Columns and factors of v or i of an element into the sum. */
void ns_tableau_voltage(ns_tableau *t, int element);
void ns_tableau_current(ns_tableau *t, int element);
void ns_tableau_potential(ns_tableau *t, int node);

/* From the solved tableau to system, interaction, observables (circuit_build.c). */
int ns_tableau_build(ns_tableau *t, ns_model *m, ns_graph *g, const char *interaction_id, double t0);

#endif
