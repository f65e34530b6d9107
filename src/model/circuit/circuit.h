/* SPDX-License-Identifier: GPL-3.0-or-later */
/* circuit.h -- a circuit of ideal elements as a linear complementarity system.
 *
 *   x' = A x + b(t) + B lambda,   y = C x + D(t) lambda + e(t),   y and lambda complementary
 *
 * The state x is made of capacitor voltages and inductor currents, as few as describe the circuit:
 * where capacitors (and voltage sources) form a loop, or inductors (and current sources) meet in a
 * cut, the surplus one follows from the others and from the derivatives of the sources. All
 * resistive unknowns are eliminated (circuit.c). Passive circuits with any topology have this form
 * (Acary, Bonnefon & Brogliato 2011, "Nonsmooth Modeling and Simulation for Switched Circuits", ch.
 * 6); where controlled sources leave no complementary choice of port variables, the rest are
 * unknowns of equality rows.
 *
 * Directions: v = voltage of the first node over the second, i flows through the element from the
 * first node to the second, so v i is the power that it takes. SI units. */
#ifndef NS_MODEL_CIRCUIT_CIRCUIT_H
#define NS_MODEL_CIRCUIT_CIRCUIT_H

#include "expression/expression.h"
#include "model/model.h"

typedef enum ns_circuit_kind {
  NS_CIRCUIT_R, /* v = value i */
  NS_CIRCUIT_C, /* i = value v' */
  NS_CIRCUIT_L, /* v = value i' (and mutual terms) */
  NS_CIRCUIT_V, /* v = source(t) */
  NS_CIRCUIT_I, /* i = source(t) */
  NS_CIRCUIT_D, /* j = i - leak v:  0 <= j _|_ value + on j - v >= 0 */
  NS_CIRCUIT_Z, /* j = i - leak v in the normal cone of [-value, forward] at v - on j */
  NS_CIRCUIT_S, /* j = i - leak v:  closed: v = on j, open: j = 0 */
  NS_CIRCUIT_M, /* the same, and a diode from 1 to 0 beside it with `forward` and `on`; 2: gate */
  NS_CIRCUIT_Q, /* the same */
  NS_CIRCUIT_P, /* of netlists alone: S and D in series */
  NS_CIRCUIT_B, /* of netlists alone: V or I */
  NS_CIRCUIT_O, /* v(0,1) in [low, high], where 0: value v(2,3) is its value or beyond the bound */
  NS_CIRCUIT_Y, /* i(0,1) = value v(2,3), i(2,3) = -value v(0,1) */
  NS_CIRCUIT_T, /* v(0,1) = value v(2,3), i(2,3) = -value i(0,1) */
  NS_CIRCUIT_E, /* v(0,1) = value v(2,3) */
  NS_CIRCUIT_G, /* i(0,1) = value v(2,3) */
  NS_CIRCUIT_F, /* i = value times the current of of[0] */
  NS_CIRCUIT_H, /* v = value times the current of of[0] */
  NS_CIRCUIT_K, /* mutual inductance value sqrt(L L) of of[0], of[1]; has no nodes */
  NS_CIRCUIT_KINDS
} ns_circuit_kind;

/* What formulas of elements read of the circuit, as NS_BANK_LAMBDA of that number: the current of
 * an element, or, where that is -1, the voltage of the first node over the second. */
typedef struct ns_circuit_read {
  int element, node[2];
} ns_circuit_read;

/* A switch that keeps its state, and a source that has two values by it (comparators): it closes
 * where source > above and opens where source < below and |its current| <= holding. A switch that
 * keeps nothing is closed while source > above; where that depends on the circuit, too, it changes
 * by events all the same: below is above then. */
#define NS_CIRCUIT_HOLDING 1e-9 /* A, of a thyristor without ih= */
typedef struct ns_circuit_control {
  int keeps;
  double above, below;
  int hold;       /* where holding > 0: read that is its current */
  double holding; /* A; 0: it opens whatever flows */
} ns_circuit_control;

typedef struct ns_circuit_element {
  ns_circuit_kind kind;
  int part; /* netlist that it is of, where several are one circuit */
  const char *name;
  const char *file; /* where it is written */
  int line;
  int node[4]; /* 0: ground */
  int of[2];   /* indices of elements */
  double value;
  double forward; /* Z: voltage at which it conducts forward, V */
  /* D, Z, S: resistance in series where it conducts, ohm; conductance beside it, S */
  double on, leak;
  /* O: rails, V, or infinite; its value: gain, or infinite. V with two values: those */
  double low, high;
  ns_node source; /* V, I, S, M, Q: function of NS_BANK_T, of NS_BANK_FOREIGN, and of reads */
  int two;        /* V: source is a control that chooses of two values */
  ns_circuit_control control; /* S, M, Q, V with two values */
  double ic; /* C, L: initial voltage or current; of what keeps its state: 1 is closed */
  int has_ic;
  int shown[2]; /* nodes of the voltage that is shown of it; equal: its own */
  int hidden;   /* it is not shown: part of another one */
  int against;  /* element whose current is shown, and read, as against its own; 0: none */
} ns_circuit_element;

/* A netlist of several that read each other's voltages and currents: they are solved as one
 * circuit, and each has a system of its own. Elements, nodes and inputs of a part are in a row. */
typedef struct ns_circuit_part {
  ns_place at;
  int ninputs;
} ns_circuit_part;

typedef struct ns_circuit {
  ns_place at; /* of the netlist; at.id: id of the system that is made; of parts: of the first */
  const ns_circuit_part *part; /* [nparts]; NULL, 0: it is one netlist */
  int nparts;
  const int *node_part;    /* of parts: of each node [nnodes] */
  int nnodes;              /* ground included */
  const char *const *node; /* names [nnodes] */
  int n;
  const ns_circuit_element *element;  /* [n] */
  const ns_foreign_variable *foreign; /* of other systems, which sources read [nforeign] */
  int nforeign;
  const ns_circuit_read *read; /* [nreads] */
  int nreads;
  const char *const *input; /* names of the first entries of z [ninputs], which sources read; */
  const char *const *input_unit; /* NULL: none have; an entry of NULL: it has none [ninputs] */
  const double *input0;          /* at t0 [ninputs] */
  int ninputs;
} ns_circuit;

/* Letters of the kinds, nodes that each has, and a line of help. */
typedef struct ns_circuit_form {
  char letter;
  int nodes; /* 0, 2, 3 or 4; names of nodes that hold a ~ are not shown */
  int of;    /* other elements that it names */
  const char *usage, *example;
} ns_circuit_form;
extern const ns_circuit_form ns_circuit_forms[NS_CIRCUIT_KINDS];

/* floats [nnodes]: 1 for one node of each set that nothing but diodes, switches and current sources
 * ties to ground, or nothing at all; -1: out of memory, without a text. */
int ns_circuit_floating(const ns_circuit *k, unsigned char *floats);

/* Add the system k->at.id, where there are devices the interaction `interaction_id`, and the
 * observables to m: v and i of each element (group "elements"), v of each node but ground (group
 * "nodes", id "node_NAME"). g holds the sources and grows. Errors NS_MODEL name elements and their
 * lines; redundant states are notes. All that lasts is copied to m->arena, but the texts of k:
 * names, files. */
int ns_circuit_assemble(ns_model *m, ns_ctx *c, ns_graph *g, const ns_circuit *k,
                        const char *interaction_id, double t0);

#endif
