/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values.h -- from a value element (<mass>, <fInt>, <H>, ...) to an operator.
 *
 * A value is made once for its element. What does not depend on indices is shared by all instances;
 * what depends on them alone is evaluated for each; what depends on time or state is one tape that
 * reads the indices at run time. */
#ifndef NS_IO_LOAD_VALUES_H
#define NS_IO_LOAD_VALUES_H

#include "io/load/load_job.h"

typedef struct ns_value {
  /* as for every instance, but where `each` is set its value is still to come */
  ns_operator op;
  const ns_tape *each; /* entries by columns, of the indices */
  double *work;
} ns_value;

/* The shape that is wanted; a count < 0 is free. Memory of values: the model's arena. */
typedef struct ns_wanted {
  int rows, cols;  /* of a vector: cols = 1 */
  int diagonal;    /* the entries of a vector are the diagonal of [rows x rows] */
  int compact;     /* a constant diagonal may be kept as such (ns_operator.diagonal) */
  const char *why; /* "n = 3 by <q0>", for messages */
} ns_wanted;

/* Entries of a value as nodes of a graph, by rows. */
typedef struct ns_nodes {
  int rows, cols;
  ns_node *node; /* malloced; NULL where the value is a file or a plug-in */
} ns_nodes;

/* nodes may be NULL; else it is for ns_value_derive, and its node is to be freed. NS_MODEL,
 * reported. */
int ns_value_make(ns_load *l, const ns_elem *e, ns_graph *g, ns_load_scope *s, const ns_wanted *w,
                  ns_value *v, ns_nodes *nodes);
/* The same of entries that the caller has made, for messages and bounds of memory of element e. */
int ns_value_of_nodes(ns_load *l, const ns_elem *e, ns_graph *g, const ns_nodes *nodes,
                      ns_value *v);
/* Value `name` of e, of parameters and indices alone; ABSENT where it is not written. */
int ns_value_constant(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                      const ns_wanted *w, ns_value *v);
/* Room for the values of an operator of element e, by columns, zeroed; of the model's arena. NULL:
 * reported. */
double *ns_value_room(ns_load *l, const ns_elem *e, const ns_operator *op);
/* Number of entries of a vector that is written as text, unread; -1: a file, a plug-in or no
 * vector. */
int ns_value_count(const ns_elem *e);
/* Jacobian [m x n] of f, the value of e with m entries, by variables 0..n-1 of a bank; ABSENT where
 * it is zero. */
int ns_value_derive(ns_load *l, const ns_elem *e, ns_graph *g, const ns_nodes *f, int bank, int n,
                    ns_value *v);
/* Second derivative of f along Q' = V, t' = 1, V held: sum_jk f_QjQk V_j V_k + 2 sum_k f_Qkt V_k +
 * f_tt [m]; n: length of Q. */
int ns_value_derive_flow(ns_load *l, const ns_elem *e, ns_graph *g, const ns_nodes *f, int n,
                         ns_value *v);
/* The operator of one instance. id: of the instance, for messages. */
int ns_value_get(ns_load *l, const ns_elem *e, const ns_value *v, const ns_indices *index,
                 const char *id, ns_operator *op);

/* Numbers of a table file, rows by line; malloced, by rows. Blank lines and lines with # are left
 * out. A matrix in MatrixMarket format (Boisvert, Pozo & Remington 1996, NISTIR 5935) is full. */
int ns_values_parse_file(ns_ctx *c, const char *at, const char *shown, const char *text, size_t n,
                         double **value, int *rows, int *cols);
int ns_values_is_matrix_market(const char *text, size_t n);

#endif
