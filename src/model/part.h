/* SPDX-License-Identifier: GPL-3.0-or-later */
/* part.h -- the rigid bodies of a mixed model as a model of their own.
 *
 * Motion, rows and contacts of bodies count bodies from 0, and their quantities from the first of
 * them. In a mixed model bodies stand behind all other systems, and so do their rows: the part is
 * the same model with these alone, and its vectors are those of the whole from part_q, part_v and
 * part_row on (model.h). Formulas that read other systems find them before these places.
 * Interactions keep their numbers; those of other systems have no rows. */
#ifndef NS_MODEL_PART_H
#define NS_MODEL_PART_H

#include "model/state.h"

/* In a view of a model with the interactions of one kind of systems alone, what stands in the place
 * of another one: it keeps its number and has no rows. relation: the name of a kind that the view
 * has. */
ns_interaction ns_part_without_rows(const ns_interaction *it, const char *relation);
/* A set of families of systems. */
enum {
  NS_PART_FIRST_ORDER = 1 << NS_FAMILY_FIRST_ORDER,
  NS_PART_RIGID = 1 << NS_FAMILY_RIGID,
  NS_PART_MECHANICS = NS_PART_RIGID | 1 << NS_FAMILY_LAGRANGIAN | 1 << NS_FAMILY_MIXED
};
static inline int ns_part_has(int families, ns_family f) { return families >> f & 1; }
/* The systems of m of these families, in its order, to out in memory of mem; the place of each
 * among them, -1 of others, to number [m->nsystems]. NS_NOMEM. */
int ns_part_systems(const ns_model *m, ns_arena *mem, int families, int *number, ns_model *out);
/* number[systems[k]], in memory of mem; NULL: no memory. */
int *ns_part_numbers(ns_arena *mem, const int *number, int n, const int *systems);
/* Prescribed velocities, shapes and forces of out, which has the systems of m that have a number in
 * it, -1 of others: number [m->nsystems]. NS_NOMEM. */
int ns_part_renumber(const ns_model *m, ns_arena *mem, const int *number, ns_model *out);
/* *out: views of m, new arrays in memory of mem. nsystems 0: m has no body. NS_NOMEM. */
int ns_part_bodies(const ns_model *m, ns_ctx *c, ns_arena *mem, ns_model *out);
/* Laws of m that were renewed (law_values.h), in its part. */
void ns_part_renew_laws(const ns_model *m, ns_model *part);
/* The state of the whole as that of the part: the same memory. Valid as long as x is. */
ns_state ns_part_state(const ns_model *part, const ns_state *x);

#endif
