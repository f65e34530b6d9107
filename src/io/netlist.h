/* SPDX-License-Identifier: GPL-3.0-or-later */
/* netlist.h -- the lines of a <netlist>, put together and repeated, and the elements they describe.
 *
 *   netlist_lines.c    text -> lines (comments, continuations, .repeat), each visited with its index values put in
 *   netlist_element.c  one such line -> ns_circuit_element
 *   netlist_source.c   SIN(0 10 50) -> a formula
 *   load_netlist.c     all of it -> ns_circuit -> model */
#ifndef NS_IO_NETLIST_H
#define NS_IO_NETLIST_H

#include "io/load_job.h"
#include "model/circuit.h"

enum { NS_NETLIST_MAX = 200000, /* elements */
       NS_NETLIST_NAME = 64 };  /* bytes of a name */

struct ns_netlist_name; /* of a node or an element (uthash) */

typedef struct ns_netlist {
  ns_load *l;
  ns_arena *a;          /* of names and elements: the model's */
  ns_graph *g;          /* of the sources */
  ns_elem here;         /* the <netlist>, with file and line of the line in hand: for messages */
  struct ns_netlist_name *nodes, *names;
  ns_circuit_element *element; /* malloced [n of cap] */
  int n, cap;
  const char **node;    /* malloced: names of nodes [nnodes of cap_nodes] */
  int nnodes, cap_nodes;
  ns_load_foreign foreign; /* variables of other systems that sources read */
  int bad;              /* errors were reported */
} ns_netlist;

/* One line of an element, ended by 0: comments gone, indices put in. NS_OK, NS_MODEL (reported) or NS_NOMEM. */
int ns_netlist_element(ns_netlist *k, const char *text);
/* Elements that F, H and K name, when all are known. */
int ns_netlist_link(ns_netlist *k);
void ns_netlist_fini(ns_netlist *k);

/* Call ns_netlist_element for all lines of a text that begins in the given line of its file. NS_NOMEM or NS_OK. */
int ns_netlist_read(ns_netlist *k, const char *text, int line);

/* Parse a value to a node of k->g that may read `banks`; `who`, an element, begins messages. Numbers may have suffixes. */
int ns_netlist_formula(ns_netlist *k, const char *who, const char *text, size_t n, unsigned banks, ns_node *f);
/* The same of parameters alone: a number. */
int ns_netlist_number(ns_netlist *k, const char *who, const char *text, size_t n, double *x);
/* 1: the text is a source as SPICE writes it, SIN(...) or DC 5, in *f, or its fault is in *rc; 0: it is something else. */
int ns_netlist_source(ns_netlist *k, const char *who, const char *text, size_t n, ns_node *f, int *rc);

/* The first `key =` of a text at a word's begin, that is no comparison; its end to *end. NULL: none. */
const char *ns_netlist_option(const char *text, const char **end);

/* Report at the line in hand; NS_MODEL, or NS_NOMEM where a report failed. */
int ns_netlist_fail(ns_netlist *k, const char *fmt, ...) NS_PRINTF(2, 3);

#endif
