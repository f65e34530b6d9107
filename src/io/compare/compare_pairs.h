/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_pairs.h -- pairs the columns of two results and selects those to compare. */
#ifndef NS_IO_COMPARE_COMPARE_PAIRS_H
#define NS_IO_COMPARE_COMPARE_PAIRS_H

#include "io/compare/compare.h"

/* Behaviour of a quantity at an event. Diagnostics count as velocities, because energies jump. */
typedef enum ns_quantity_kind {
  NS_QUANTITY_SMOOTH, /* q, y, x: continuous */
  NS_QUANTITY_V,      /* v, ydot: jumps */
  NS_QUANTITY_P,      /* impulse over a step: of all contacts of a system */
  NS_QUANTITY_LAMBDA, /* of one contact */
  NS_QUANTITY_FORCE   /* its mean over a step */
} ns_quantity_kind;
/* Kind by the last part of the channel's path; in a foreign table by its heading ("ball.v_x",
 * "lambda"). */
ns_quantity_kind ns_quantity_kind_of(const char *path, const char *label);

typedef struct ns_compare_pair {
  ns_column a, b;
  int side; /* -1: both; 0: only A has it, 1: only B */
  ns_quantity_kind kind;
  int held; /* constant over the step that ends at a row, in both results */
  /* the side that has forces, as event-driven runs have, where the other has impulses of steps; -1:
   * both have the same */
  int forces;
  int has_jump; /* jump: its column of impulses of events */
  ns_column jump;
  double nominal; /* from the options, 0: none */
} ns_compare_pair;

typedef struct ns_compare_pairs {
  ns_compare_pair *pair; /* in the order of B, followed by those only in A [n] */
  size_t n;
} ns_compare_pairs;

/* The pairs selected by the options, except time. Allocated in arena. NS_USAGE: a name of --only or
 * --map does not exist. */
int ns_compare_pairs_make(ns_ctx *c, ns_result *a, ns_result *b, const ns_compare_options *o,
                          ns_arena *arena, ns_compare_pairs *p);

#endif
