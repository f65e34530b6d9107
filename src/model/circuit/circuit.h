/* SPDX-License-Identifier: GPL-3.0-or-later */
/* circuit.h -- a circuit of ideal elements as a linear complementarity system.
 *
 *   x' = A x + b(t) + B lambda,   y = C x + D(t) lambda + e(t),   y and lambda complementary
 *
 * The state x is a minimal set of capacitor voltages and inductor currents: if capacitors (and
 * voltage sources) form a loop, or inductors (and current sources) a cut set, one of them follows
 * from the others and from derivatives of the sources. All resistive unknowns are eliminated
 * (circuit.c). Passive circuits of any topology have this form (Acary, Bonnefon & Brogliato 2011,
 * "Nonsmooth Modeling and Simulation for Switched Circuits", ch. 6). If, because of controlled
 * sources, there is no complementary choice of port variables, the remaining ones are unknowns of
 * equality rows.
 *
 * Directions: v = voltage of the first node over the second, i flows through the element from the
 * first node to the second, so v i is the power that the element absorbs. SI units. */
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
  NS_CIRCUIT_M, /* the same, with a parallel diode from 1 to 0 with `forward` and `on`; 2: gate */
  NS_CIRCUIT_Q, /* the same */
  NS_CIRCUIT_P, /* only in netlists: S and D in series */
  NS_CIRCUIT_B, /* only in netlists: V or I */
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

/* A quantity of the circuit that formulas of elements read as NS_BANK_LAMBDA of that index: the
 * current of `element` or, if that is -1, the voltage of the first node over the second. */
typedef struct ns_circuit_read {
  int element, node[2];
} ns_circuit_read;

/* Hysteresis of a switch, or of a source with two values (comparator): it closes if source > above,
 * and opens if source < below and |its current| <= holding. A switch without hysteresis is closed
 * while source > above; if source depends on the circuit it also changes by events, with below =
 * above. */
#define NS_CIRCUIT_HOLDING 1e-9 /* default holding current of a thyristor, A */
typedef struct ns_circuit_control {
  int keeps;
  double above, below;
  int hold;       /* if holding > 0: the ns_circuit_read of its current */
  double holding; /* A; 0: it opens at any current */
} ns_circuit_control;

typedef struct ns_circuit_element {
  ns_circuit_kind kind;
  int part; /* netlist to which it belongs, if several form one circuit */
  const char *name;
  const char *file; /* file and line of the element */
  int line;
  int node[4]; /* 0: ground */
  int of[2];   /* indices of elements */
  double value;
  double forward; /* Z: forward voltage, V */
  /* D, Z, S: series resistance when conducting, ohm; parallel conductance, S */
  double on, leak;
  /* O: rails, V, or infinite; `value` is the gain, or infinite. V with two values: these */
  double low, high;
  ns_node source; /* V, I, S, M, Q: function of NS_BANK_T, of NS_BANK_FOREIGN, and of reads */
  int two;        /* V: 1: source is a control that selects one of two values */
  ns_circuit_control control; /* S, M, Q, V with two values */
  double ic; /* C, L: initial voltage or current; elements with hysteresis: 1: initially closed */
  int has_ic;
  int shown[2]; /* nodes of its voltage in results; equal: its own nodes */
  int hidden;   /* 1: not in results, part of another element */
  /* element whose current is subtracted from that of this one in results and formulas (triacs); 0:
   * none */
  int against;
} ns_circuit_element;

/* One of several netlists that read each other's voltages and currents: they are solved as one
 * circuit, and each has a separate system. Elements, nodes and inputs of a part are consecutive. */
typedef struct ns_circuit_part {
  ns_place at;
  int ninputs;
} ns_circuit_part;

typedef struct ns_circuit {
  ns_place at; /* place of the netlist; at.id: id of its system; with parts, of the first part */
  const ns_circuit_part *part; /* [nparts]; NULL, 0: one netlist */
  int nparts;
  const int *node_part;    /* with parts: part of each node [nnodes] */
  int nnodes;              /* ground included */
  const char *const *node; /* names [nnodes] */
  int n;
  const ns_circuit_element *element;  /* [n] */
  const ns_foreign_variable *foreign; /* variables of other systems read by sources [nforeign] */
  int nforeign;
  const ns_circuit_read *read; /* [nreads] */
  int nreads;
  const char *const *input;      /* names of the first entries of z, read by sources [ninputs] */
  const char *const *input_unit; /* units of these [ninputs]; NULL, or an entry NULL: none */
  const double *input0;          /* at t0 [ninputs] */
  int ninputs;
} ns_circuit;

/* Letter, number of nodes and help text of each kind. */
typedef struct ns_circuit_form {
  char letter;
  int nodes; /* 0, 2, 3 or 4; nodes whose names contain ~ are not shown */
  int of;    /* number of other elements that it names */
  const char *usage, *example;
} ns_circuit_form;
extern const ns_circuit_form ns_circuit_forms[NS_CIRCUIT_KINDS];

/* floats [nnodes]: 1 for one node of each set that is connected to ground only by diodes, switches
 * and current sources, or not at all. Returns -1 if out of memory, without a message. */
int ns_circuit_floating(const ns_circuit *k, unsigned char *floats);

/* Add to m the system k->at.id, the interaction `interaction_id` if there are devices, and the
 * observables: v and i of each element (group "elements"), v of each node except ground (group
 * "nodes", id "node_NAME"). g contains the sources and grows. Errors NS_MODEL name elements and
 * their lines; redundant states are notes. Data are copied to m->arena, except the texts of k
 * (names, files). */
int ns_circuit_assemble(ns_model *m, ns_ctx *c, ns_graph *g, const ns_circuit *k,
                        const char *interaction_id, double t0);

#endif
