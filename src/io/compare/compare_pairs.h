/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_pairs.h -- which column of one result is which of another, and which are asked for. */
#ifndef NS_IO_COMPARE_COMPARE_PAIRS_H
#define NS_IO_COMPARE_COMPARE_PAIRS_H

#include "io/compare/compare.h"

/* What a quantity does at an event. Diagnostics count as velocities: energies jump. */
typedef enum ns_quantity_kind {
  NS_QUANTITY_SMOOTH, /* q, y, x: continuous */
  NS_QUANTITY_V,      /* v, ydot: jumps */
  NS_QUANTITY_P,      /* impulse over a step: of all contacts of a system */
  NS_QUANTITY_LAMBDA, /* of one contact */
  NS_QUANTITY_FORCE   /* its mean over a step */
} ns_quantity_kind;
/* By the last part of the channel's path; of a foreign table by its heading ("ball.v_x", "lambda").
 */
ns_quantity_kind ns_quantity_kind_of(const char *path, const char *label);

typedef struct ns_compare_pair {
  ns_column a, b;
  int side; /* -1: both; 0: only A has it, 1: only B */
  ns_quantity_kind kind;
  int held;       /* over the step that ends at a row, in both */
  double nominal; /* by the options, 0: none */
} ns_compare_pair;

typedef struct ns_compare_pairs {
  ns_compare_pair *pair; /* in the order of B, then what only A has [n] */
  size_t n;
} ns_compare_pairs;

/* The pairs that the options ask for, but time. Memory of arena. NS_USAGE: a name of --only or
 * --map that is not there. */
int ns_compare_pairs_make(ns_ctx *c, ns_result *a, ns_result *b, const ns_compare_options *o,
                          ns_arena *arena, ns_compare_pairs *p);

#endif
