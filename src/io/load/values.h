/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values.h -- converts a value element (<mass>, <fInt>, <H>, ...) to an operator.
 *
 * A value is compiled once for its element. Entries that do not depend on indices are shared by all
 * instances; entries that depend only on indices are evaluated for each instance; entries that
 * depend on time or state are one tape that reads the indices at run time. */
#ifndef NS_IO_LOAD_VALUES_H
#define NS_IO_LOAD_VALUES_H

#include "io/load/load_job.h"

typedef struct ns_value {
  /* operator of every instance; if `each` is set, its values still have to be evaluated */
  ns_operator op;
  const ns_tape *each; /* entries by columns, of the indices */
  double *work;
} ns_value;

/* The required shape; a count < 0 is arbitrary. Values are allocated in the model's arena. */
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

/* Compile a value. nodes may be NULL; else they are for ns_value_derive, and nodes->node is freed
 * by the caller. NS_MODEL, reported. */
int ns_value_make(ns_load *l, const ns_elem *e, ns_graph *g, ns_load_scope *s, const ns_wanted *w,
                  ns_value *v, ns_nodes *nodes);
/* The same of entries that the caller has made, for messages and bounds of memory of element e. */
int ns_value_of_nodes(ns_load *l, const ns_elem *e, ns_graph *g, const ns_nodes *nodes,
                      ns_value *v);
/* Value `name` of e, of parameters and indices alone; ABSENT where it is not written. */
int ns_value_constant(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                      const ns_wanted *w, ns_value *v);
/* Zeroed array for the values of an operator of element e, by columns, in the model's arena. NULL:
 * failed, reported. */
double *ns_value_capacity(ns_load *l, const ns_elem *e, const ns_operator *op);
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
