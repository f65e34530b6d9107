/* SPDX-License-Identifier: GPL-3.0-or-later */
/* part.h -- the rigid bodies of a mixed model as a separate model.
 *
 * Code for motion, rows and contacts of bodies counts bodies, and their quantities, from 0. In a
 * mixed model, bodies and their rows come after those of all other systems. The part is the same
 * model with only the bodies, and its vectors are those of the whole from part_q, part_v and
 * part_row on (model.h). Formulas that read other systems find their variables before these
 * offsets. Interactions keep their indices; those of other systems have no rows. */
#ifndef NS_MODEL_PART_H
#define NS_MODEL_PART_H

#include "model/state.h"

/* Set the interactions of out to those of m of this family; the others keep their indices and have
 * no rows. Rows are counted from the first of the family, out->part_row; systems are numbered by
 * number [m->nsystems], NULL: as in m. NS_NOMEM. */
int ns_part_interactions(const ns_model *m, ns_arena *mem, ns_family family, const int *number,
                         ns_model *out);
/* A set of families of systems. */
enum {
  NS_PART_FIRST_ORDER = 1 << NS_FAMILY_FIRST_ORDER,
  NS_PART_RIGID = 1 << NS_FAMILY_RIGID,
  NS_PART_MECHANICS = NS_PART_RIGID | 1 << NS_FAMILY_LAGRANGIAN | 1 << NS_FAMILY_MIXED
};
static inline int ns_part_has(int families, ns_family f) { return families >> f & 1; }
/* Write the systems of m of these families, in its order, to out, in memory of mem; number
 * [m->nsystems]: the index of each among them, -1 for others. NS_NOMEM. */
int ns_part_systems(const ns_model *m, ns_arena *mem, int families, int *number, ns_model *out);
/* Array of number[systems[k]] in memory of mem; NULL: out of memory. */
int *ns_part_numbers(ns_arena *mem, const int *number, int n, const int *systems);
/* Set the prescribed velocities, shapes and forces of out, whose systems have the indices number
 * [m->nsystems] (-1: not in out). NS_NOMEM. */
int ns_part_renumber(const ns_model *m, ns_arena *mem, const int *number, ns_model *out);
/* *out: the bodies of m, views and new arrays in memory of mem. nsystems 0: m has no body.
 * NS_NOMEM. */
int ns_part_bodies(const ns_model *m, ns_ctx *c, ns_arena *mem, ns_model *out);
/* Copy laws of m that were updated (law_values.h) to its part. */
void ns_part_renew_laws(const ns_model *m, ns_model *part);
/* The state of the whole as state of the part, in the same memory; valid as long as x is. */
ns_state ns_part_state(const ns_model *part, const ns_state *x);

#endif
