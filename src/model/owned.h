/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owned.h -- the operators of systems and interactions by name: for all that goes through the
 * functions of a model whatever they are made of.
 *
 * The tables follow the kinds (model.h): an operator that a kind does not have is not in its table.
 * The constants of linear Lagrangian relations are no operators. */
#ifndef NS_MODEL_OWNED_H
#define NS_MODEL_OWNED_H

#include "model/model.h"

typedef struct ns_owned {
  const char *name; /* its element, "fInt"; NULL: the table ends here */
  size_t at;        /* where it is in ns_system, or in ns_interaction */
  int derived;      /* 1: it is a derivative of one of the others */
} ns_owned;

const ns_owned *ns_system_owned(const ns_system *s);
const ns_owned *ns_interaction_owned(const ns_interaction *it);

/* The operator of a row; of an object that may be changed. */
static inline const ns_operator *ns_owned_of(const ns_owned *row, const void *object)
{
  return (const ns_operator *)(const void *)((const char *)object + row->at);
}
static inline ns_operator *ns_owned_in(const ns_owned *row, void *object)
{
  return (ns_operator *)(void *)((char *)object + row->at);
}

/* The place of the first system that a plug-in moves: forces or right-hand sides that may jump
 * without a word; *count of them. NULL: none. */
const ns_place *ns_moved_by_plugin(const ns_model *m, int *count);

/* 1 where a plug-in, or a formula that is not affine in t, the state and multipliers, acts on a
 * system: its rate may change within a short time or a narrow place. 0: what acts is constant or
 * affine, and rigid bodies turn. -1: out of memory. */
int ns_motion_has_formulas(const ns_model *m);

/* A variable that an operator of these systems reads, as formulas write it: "theta", "v_theta",
 * "q[0]", "lambda[1]". index: of the bank, over the systems one after the other. Returns buf. */
const char *ns_variable_text(const ns_model *m, const int *systems, int nsystems, int bank,
                             int index, char *buf, size_t size);

/* What a variable of others is called: `ball.v_x`, `hinge.angle`, `s1.length`. */
const char *ns_foreign_text(const ns_model *m, const ns_foreign_variable *v, char *buf,
                            size_t size);

#endif
