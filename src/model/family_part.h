/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family_part.h -- the mechanical systems, or the first-order systems, of a model with both, as a
 * separate model.
 *
 * A part has the systems of one kind and what acts on them: interactions, prescribed velocities,
 * shapes and forces between bodies, in the order of the whole model but with separate offsets, so
 * that drivers for one kind of systems treat it like any model. Angles of joints and results of
 * forces have the same offsets as in the whole. Controls, observables, measures and events belong
 * only to the whole model. The part borrows from the whole, which must outlive it; formulas that
 * read other systems read variables of the whole (operator.h).
 *
 * First-order relations that act on mechanical systems, or read them, treat their velocities as
 * states: in the first-order part each such system has an image, after all other systems, whose
 * states are these velocities (ns_first_order.image_of). The driver provides them and their
 * rates. */
#ifndef NS_MODEL_FAMILY_PART_H
#define NS_MODEL_FAMILY_PART_H

#include "model/model.h"

typedef struct ns_family_part {
  ns_model model;
  ns_arena *mem;
  int *interaction; /* index in the whole of each interaction [model.ninteractions] */
  /* index in vectors of the whole of each entry [nq], [nv], [nz], [nrows] */
  size_t *q, *v, *z, *row;
  /* number of states of images, the last ones; their q and v are entries of v of the whole */
  size_t nimages;
} ns_family_part;

/* Lengths of q and v without images. */
static inline size_t ns_part_nq(const ns_family_part *p) { return p->model.nq - p->nimages; }
static inline size_t ns_part_nv(const ns_family_part *p) { return p->model.nv - p->nimages; }

/* Create the part of m, which outlives it: first_order: the first-order systems, otherwise all
 * others. It may be empty. NS_NOMEM. */
int ns_family_part_create(ns_ctx *c, const ns_model *m, int first_order, ns_family_part *p);
void ns_family_part_destroy(ns_family_part *p); /* also for {0} */

/* _take: own[i] = whole[at[i]]; _give: whole[at[i]] = own[i]. */
static inline void ns_part_take(size_t n, const size_t *at, const double *whole, double *own)
{
  for (size_t i = 0; i < n; i++) own[i] = whole[at[i]];
}
static inline void ns_part_give(size_t n, const size_t *at, const double *own, double *whole)
{
  for (size_t i = 0; i < n; i++) whole[at[i]] = own[i];
}

#endif
