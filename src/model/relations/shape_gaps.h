/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape_gaps.h -- contacts between shapes as interactions, for event-driven runs.
 *
 * A run that finds roots has rows that stay: each gap (collision/gap.h) of each pair of shapes that
 * may meet is an interaction of its own, with the law of their materials, whether they are near or
 * not. They stand behind those of the model, in a copy of it that belongs to the run; results know
 * the model alone, and these as contacts between shapes. */
#ifndef NS_MODEL_RELATIONS_SHAPE_GAPS_H
#define NS_MODEL_RELATIONS_SHAPE_GAPS_H

#include "model/model.h"

enum {
  NS_SHAPE_GAPS = 8000
}; /* the most: each is up to three rows with memory, though few are near at a time */

typedef struct ns_shape_gaps {
  ns_model model; /* borrows all but its interactions */
  ns_arena *mem;
  int first, n;           /* of model.interactions: the first of them, their number */
  int (*pair)[2];         /* shapes a < b of each [n] */
  unsigned char *swapped; /* its body 1 is that of b [n] */
  int *region;            /* in which each of them is, -1: in whichever is the nearest [n] */
  unsigned char *bends;   /* it has several [n] */
  unsigned char *sharp;   /* it is closed in one alone [n] */
  unsigned char *lasts;   /* it is in one of them while it is open, too [n] */
} ns_shape_gaps;

/* Two shapes of the model may meet: bodies are two, layers fit, no joint keeps them apart, and
 * there is a law for them. */
int ns_shapes_may_meet(const ns_model *m, int a, int b);
/* NS_MODEL, with a sentence: pairs that have no smooth gaps; too many; what event-driven runs do
 * not look at. */
int ns_shape_gaps_check(const ns_model *m, ns_ctx *c);
/* *out NULL: the model has no shapes. m outlives it. NS_NOMEM. */
int ns_shape_gaps_create(ns_ctx *c, const ns_model *m, ns_shape_gaps **out);
void ns_shape_gaps_destroy(ns_shape_gaps *g); /* NULL-safe */

#endif
