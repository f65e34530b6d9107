/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owned.h -- the operators of systems and interactions by name, for code that iterates over all
 * functions of a model.
 *
 * The tables follow the kinds (model.h): an operator that a kind does not have is not in its table.
 * The constants of linear Lagrangian relations are not operators. */
#ifndef NS_MODEL_OWNED_H
#define NS_MODEL_OWNED_H

#include "model/model.h"

typedef struct ns_owned {
  const char *name; /* its element, "fInt"; NULL: end of the table */
  size_t at;        /* offset in ns_system, or in ns_interaction */
  int derived;      /* 1: it is a derivative of another one */
} ns_owned;

const ns_owned *ns_system_owned(const ns_system *s);
const ns_owned *ns_interaction_owned(const ns_interaction *it);

/* The operator of an entry; _in: of an object that may be changed. */
static inline const ns_operator *ns_owned_of(const ns_owned *row, const void *object)
{
  return (const ns_operator *)(const void *)((const char *)object + row->at);
}
static inline ns_operator *ns_owned_in(const ns_owned *row, void *object)
{
  return (ns_operator *)(void *)((char *)object + row->at);
}

/* The place of the first system with a force or right-hand side from a plug-in, which may have
 * jumps; *count: number of such systems. NULL: none. */
const ns_place *ns_moved_by_plugin(const ns_model *m, int *count);

/* 1 if a plug-in, or a formula that is not affine in t, the state and multipliers, acts on a
 * system, so that its rate may change within a short time or distance. 0: everything is constant or
 * affine, apart from the rotation of rigid bodies. -1: out of memory. */
int ns_motion_has_formulas(const ns_model *m);

/* Name of a variable of an operator of these systems, as in formulas: "theta", "v_theta", "q[0]",
 * "lambda[1]". index: in the bank, over the systems one after the other. Returns buf. */
const char *ns_variable_text(const ns_model *m, const int *systems, int nsystems, int bank,
                             int index, char *buf, size_t size);

/* Name of a variable of another system: `ball.v_x`, `hinge.angle`, `s1.length`. */
const char *ns_foreign_text(const ns_model *m, const ns_foreign_variable *v, char *buf,
                            size_t size);

#endif
