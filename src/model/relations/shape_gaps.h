/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape_gaps.h -- contacts between shapes as interactions, for event-driven runs.
 *
 * Root finding requires a fixed set of rows. Each gap (collision/gap.h) of each pair of shapes that
 * may touch is therefore a separate interaction with the law of their materials, at any distance.
 * These interactions follow after those of the model, in a copy of the model that belongs to the
 * run; results contain them as contacts between shapes. */
#ifndef NS_MODEL_RELATIONS_SHAPE_GAPS_H
#define NS_MODEL_RELATIONS_SHAPE_GAPS_H

#include "model/model.h"

enum {
  NS_SHAPE_GAPS = 8000
}; /* max. number; each has up to three rows with memory, though few are close at any time */

typedef struct ns_shape_gaps {
  ns_model model; /* borrows all but its interactions */
  ns_arena *mem;
  int first, n;           /* first of these in model.interactions, their number */
  int (*pair)[2];         /* shapes a < b of each [n] */
  unsigned char *swapped; /* 1: its body 1 is that of b [n] */
  int *region;            /* region of each; -1: the nearest [n] */
  unsigned char *bends;   /* 1: it has several regions [n] */
  unsigned char *sharp;   /* 1: its contact ends with its region [n] */
  unsigned char *lasts;   /* 1: it also has a region while it is open [n] */
} ns_shape_gaps;

/* 1 if two shapes of the model may touch: they are on different bodies, their layers match, no
 * joint disables contact, and there is a law for their materials. */
int ns_shapes_may_meet(const ns_model *m, int a, int b);
/* NS_MODEL, with a message: pairs without smooth gaps; too many gaps; or features that event-driven
 * runs do not support. */
int ns_shape_gaps_check(const ns_model *m, ns_ctx *c);
/* Create; *out NULL: the model has no shapes. m outlives *out. NS_NOMEM. */
int ns_shape_gaps_create(ns_ctx *c, const ns_model *m, ns_shape_gaps **out);
void ns_shape_gaps_destroy(ns_shape_gaps *g); /* NULL-safe */

#endif
