/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape_gaps.h -- contacts between shapes as interactions, for event-driven runs.
 *
 * Root finding requires a fixed set of rows. Each gap (collision/gap.h) of each pair of shapes that
 * may touch is therefore a separate interaction with the law of their materials, at any distance.
 * A body has a gap for each pair of a part of it and one of a mesh, of which only those of near
 * parts matter. If there are many, there are NS_MESH_PLACES of these interactions, which are those
 * of near parts and become others as the body moves (ns_shape_gaps_renew); those that are closed
 * stay.
 *
 * These interactions follow after those of the model, in a copy of the model that belongs to the
 * run; results contain them as contacts between shapes. */
#ifndef NS_MODEL_RELATIONS_SHAPE_GAPS_H
#define NS_MODEL_RELATIONS_SHAPE_GAPS_H

#include "model/model.h"

enum {
  NS_SHAPE_GAPS = 1000000,   /* most: 3 GB, */
  NS_SHAPE_GAP_BYTES = 3200, /* as each has up to three rows, whose memory is about this */
  NS_MESH_PLACES = 192,      /* of a body and a mesh, and of a ball and one */
  NS_MESH_PLACES_OF_BALL = 32
};

/* A body and a mesh that have a place only for gaps of near parts. */
typedef struct ns_near_gaps {
  int first, n;      /* its places among the gaps */
  double margin;     /* parts nearer than this have one, m */
  double c[3], R[9]; /* where the body was on the mesh then */
  int *which;        /* scratch [n] */
} ns_near_gaps;

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
  ns_near_gaps *near;     /* [nnear] */
  int nnear;
} ns_shape_gaps;

/* NS_MODEL, after t0 NS_NUMERIC, with a message: with the bodies at q at t the middle of a shape is
 * inside a closed mesh that it may meet, where it is behind all triangles. passes: 1 if the two may
 * be so all the same; NULL: none may. */
int ns_shapes_check_inside(const ns_model *m, ns_ctx *c, const double *q, double t,
                           int (*passes)(const void *of, int a, int b), const void *of);
/* NS_MODEL, with a message: pairs without smooth gaps; too many gaps; or features that event-driven
 * runs do not support. */
int ns_shape_gaps_check(const ns_model *m, ns_ctx *c);
/* Create; *out NULL: the model has no shapes. m outlives *out. NS_NOMEM. */
int ns_shape_gaps_create(ns_ctx *c, const ns_model *m, ns_shape_gaps **out);
/* For near gaps k of the model m, or a part of one, with its bodies at Q. _moved: how far any point
 * of the body has moved since its places were given, as a part of the margin. _renew: give them
 * anew; those with stays[i] != 0, by the index of the gap, are kept; NULL: none. *changed |= 1 if
 * some were given. NS_NUMERIC: too many parts are near. */
double ns_shape_gaps_moved(const ns_model *m, int k, const double *Q);
int ns_shape_gaps_renew(const ns_model *m, ns_ctx *c, int k, const double *Q,
                        const unsigned char *stays, int *changed);
/* Place `gap`, by its index, is one for this gap of the pair, or NS_NO_GAP. */
void ns_shape_gaps_give(const ns_model *m, int gap, int which);
void ns_shape_gaps_destroy(ns_shape_gaps *g); /* NULL-safe */

#endif
