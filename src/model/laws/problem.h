/* SPDX-License-Identifier: GPL-3.0-or-later */
/* problem.h -- which one-step problem the laws of a model make: one choice for all families of
 * systems. */
#ifndef NS_MODEL_LAWS_PROBLEM_H
#define NS_MODEL_LAWS_PROBLEM_H

#include "model/model.h"

/* Bounds of all rows [nrows] in a step of length h, of lambda with h = 1; none of polyhedra. */
void ns_laws_bounds(const ns_model *m, double h, double *lb, double *ub);
/* Names that are not known take all laws, and are of all systems: they are the strategy's to
 * refuse. */
int ns_problem_takes(const char *name, const ns_law_ops *law);
int ns_problem_is_of(const char *name, int first_order);
/* The smallest one that takes all laws of the model, of interactions and of shapes. */
const char *ns_laws_problem(const ns_model *m);
/* That of <simulation>, or the one above. */
const char *ns_model_problem(const ns_model *m);

#endif
