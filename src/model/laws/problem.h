/* SPDX-License-Identifier: GPL-3.0-or-later */
/* problem.h -- choice of the one-step problem from the laws of a model, for all families of
 * systems. */
#ifndef NS_MODEL_LAWS_PROBLEM_H
#define NS_MODEL_LAWS_PROBLEM_H

#include "model/model.h"

/* Bounds of all rows [nrows] in a step of length h; of lambda with h = 1. Rows of polyhedra have
 * none. */
void ns_laws_bounds(const ns_model *m, double h, double *lb, double *ub);
/* Restitution of all rows [nrows]. */
void ns_laws_restitution(const ns_model *m, double *e);
/* _takes: 1 if the problem supports the law. _is_of: 1 if it is for this kind of systems. Both
 * return 1 for unknown names, which the strategy refuses. */
int ns_problem_takes(const char *name, const ns_law_ops *law);
int ns_problem_is_of(const char *name, int first_order);
/* Name of the simplest problem that supports all laws of the model, of interactions and of
 * shapes. */
const char *ns_laws_problem(const ns_model *m);
/* The problem named in <simulation>; by default ns_laws_problem. */
const char *ns_model_problem(const ns_model *m);

#endif
