/* SPDX-License-Identifier: GPL-3.0-or-later */
/* family_part.h -- the mechanics, or the first-order systems, of a model that has both, as a model.
 *
 * A part has the systems of one kind and what acts on them: interactions, prescribed velocities,
 * shapes and forces between bodies, in the order of the whole and with places of their own: drivers
 * that know one kind of systems take it as they take any model. Angles of joints and what is shown
 * of forces stand where they do in the whole: no other systems have any. It has nothing else:
 * controls, observables, measures and events are of the whole. What it borrows lives in the whole;
 * formulas that read other systems read variables of the whole (operator.h).
 *
 * Relations of first order that act on mechanics, or whose formulas read it, see velocities of it
 * as states: in the part of first order each of these systems has an image, behind all others,
 * whose states those are (ns_first_order.image_of); whoever drives the part gives them and their
 * rates. */
#ifndef NS_MODEL_FAMILY_PART_H
#define NS_MODEL_FAMILY_PART_H

#include "model/model.h"

typedef struct ns_family_part {
  ns_model model;
  ns_arena *mem;
  int *interaction; /* of the whole, of each of its own [model.ninteractions] */
  /* where entries stand in vectors of the whole [nq], [nv], [nz], [nrows] */
  size_t *q, *v, *z, *row;
  /* images: how many of its states they have, the last ones; q and v of these are entries of v of
   * the whole */
  size_t nimages;
} ns_family_part;

/* Its q and v without those of images. */
static inline size_t ns_part_nq(const ns_family_part *p) { return p->model.nq - p->nimages; }
static inline size_t ns_part_nv(const ns_family_part *p) { return p->model.nv - p->nimages; }

/* Of m, which outlives it: first-order systems, or all others. It may have none. NS_NOMEM. */
int ns_family_part_create(ns_ctx *c, const ns_model *m, int first_order, ns_family_part *p);
void ns_family_part_destroy(ns_family_part *p); /* of {0}, too */

/* own[i] = whole[at[i]], and back. */
static inline void ns_part_take(size_t n, const size_t *at, const double *whole, double *own)
{
  for (size_t i = 0; i < n; i++) own[i] = whole[at[i]];
}
static inline void ns_part_give(size_t n, const size_t *at, const double *own, double *whole)
{
  for (size_t i = 0; i < n; i++) whole[at[i]] = own[i];
}

#endif
