/* SPDX-License-Identifier: GPL-3.0-or-later */
/* netlist.h -- the lines of a <netlist>, put together and repeated, and the elements they describe.
 *
 *   netlist_text.c     text -> lines (comments, continuations, .include)
 *   netlist_lines.c    lines (.repeat, .subckt), each visited with its index values put in
 *   netlist_element.c  one such line -> ns_circuit_element
 *   netlist_poly.c     E1 a b POLY(1) c d 0 0 1 -> a line with a formula
 *   netlist_source.c   SIN(0 10 50) -> a formula
 *   netlist_probe.c    v(a,b), i(R1) in formulas
 *   load_netlist.c     all of it -> ns_circuit -> model */
#ifndef NS_IO_LOAD_NETLIST_H
#define NS_IO_LOAD_NETLIST_H

#include "io/load/load_job.h"
#include "io/load/netlist_text.h"
#include "model/circuit/circuit.h"

enum {
  NS_NETLIST_MAX = 200000, /* elements */
  NS_NETLIST_NAME = 64
}; /* bytes of a name */

struct ns_netlist_name; /* of a node or an element (uthash) */

/* v(a,b) or i(R1) of a formula, whose text then holds it as the name v.a.b, i.R1; of another
 * netlist c that is read, c.v.a.b, c.i.R1, and as measures name it, c.node_a.v, c.R1.v, c.R1.i,
 * c.v_C1. */
typedef struct ns_netlist_probe {
  const char *name;
  enum { NS_PROBE_NODES, NS_PROBE_CURRENT, NS_PROBE_ELEMENT } kind; /* ELEMENT: its voltage */
  const char *of[2];           /* nodes, the second may be NULL; or the element */
  const struct ns_netlist *in; /* whose they are */
  const char *who;             /* the element whose formula reads it first */
  int line;
} ns_netlist_probe;

/* An entry of .ic: v(a), or i(L1), at the start. */
typedef struct ns_netlist_initial {
  const char *name; /* v.a, i.L1 */
  double value;     /* V, A */
  int line, used;
} ns_netlist_initial;

typedef struct ns_netlist {
  ns_load *l;
  const char *id;
  /* netlists that are one circuit with this one, itself among them [nmates] */
  const struct ns_netlist *const *mates;
  int nmates;
  ns_arena *a;  /* of names and elements: the model's */
  ns_graph *g;  /* of the sources */
  ns_elem here; /* the <netlist>, with file and line of the line in hand: for messages */
  struct ns_netlist_name *nodes, *names;
  ns_circuit_element *element; /* malloced [n] */
  int n;
  const char **node; /* malloced: names of nodes [nnodes] */
  int nnodes;
  ns_load_foreign foreign; /* variables of other systems that sources read */
  const char **input;      /* names of its inputs [ninputs], and their values at t0; the model's */
  double *input0;
  const char *const *input_unit; /* NULL: they have none */
  int ninputs;
  ns_netlist_initial *initial; /* malloced [ninitial] */
  int ninitial;
  ns_netlist_probe *probe; /* malloced [nprobes] */
  int nprobes;
  ns_circuit_read *read; /* malloced [nprobes]: what they are, after ns_netlist_link */
  int inside;            /* the line in hand is of a subcircuit that is called */
  int bad;               /* errors were reported */
} ns_netlist;

/* One line of an element, ended by 0: comments gone, indices put in. NS_OK, NS_MODEL (reported) or
 * NS_NOMEM. */
int ns_netlist_element(ns_netlist *k, const char *text);
/* key=value of .ic, key being v.a or i.L1, put down until all elements are known. */
int ns_netlist_initial_add(ns_netlist *k, const char *key, size_t n, double value);
/* Elements that F, H and K name, what formulas read and .ic sets, when all are known. */
int ns_netlist_link(ns_netlist *k);
/* A resistor from a node to ground that is not shown. */
int ns_netlist_tie(ns_netlist *k, int node, double ohm);
void ns_netlist_fini(ns_netlist *k);

/* Call ns_netlist_element for all lines of a text that begins in the given line of its file.
 * NS_NOMEM or NS_OK. */
int ns_netlist_read(ns_netlist *k, const char *text, int line);

/* ---- netlist_poly.c -------------------------------------------------------------------------- */
/* The line of an element as it is, or with POLY, TABLE, VALUE and pwl() as a formula, of
 * l->scratch, to *out. */
int ns_netlist_spice(ns_netlist *k, const char *line, const char **out);
/* v=... or i=... at s. */
int ns_netlist_formula_begins(const char *s);

/* ---- netlist_probe.c ------------------------------------------------------------------------- */
/* v(a,b), V(a), i(R1) at s: bytes of it, 0: it is none. */
size_t ns_netlist_probe_at(const char *s);
enum { NS_NETLIST_PROBES = 64, NS_NETLIST_INPUTS = 64 }; /* of one formula, and of a circuit */
/* Names v.a.b and i.R1 of text[0..n) as variables of NS_BANK_LAMBDA, ascending: their number; -1:
 * reported, or out of memory. */
int ns_netlist_probes(ns_netlist *k, const char *who, const char *text, size_t n,
                      ns_coordinate *name);
/* Number of the voltage of node a over b, or of the current of a (b NULL, i: 1), of this netlist;
 * -1: out of memory. */
int ns_netlist_probe_add(ns_netlist *k, const char *who, int i, const char *a, const char *b);

/* Parse a value to a node of k->g that may read `banks`; `who`, an element, begins messages.
 * Numbers may have suffixes. */
int ns_netlist_formula(ns_netlist *k, const char *who, const char *text, size_t n, unsigned banks,
                       ns_node *f);
/* The same of parameters alone: a number. */
int ns_netlist_number(ns_netlist *k, const char *who, const char *text, size_t n, double *x);
/* 1: the text is a source as SPICE writes it, SIN(...) or DC 5, in *f, or its fault is in *rc; 0:
 * it is something else. *options: what stands behind it, or NULL; NULL where it took that. */
int ns_netlist_source(ns_netlist *k, const char *who, const char *text, size_t n,
                      const char **options, ns_node *f, int *rc);

/* Report at the line in hand; NS_MODEL, or NS_NOMEM where a report failed. */
int ns_netlist_fail(ns_netlist *k, const char *fmt, ...) NS_PRINTF(2, 3);

#endif
