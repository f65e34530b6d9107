/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multiplier_inputs.h -- formulas of systems that read multipliers, treated as inputs of the
 * relation.
 *
 * The right-hand side f(x, lambda) of a system may depend on multipliers of a first-order relation
 * at the same time, for example a torque or a heat flow on the current through a diode:
 *
 *   f(x, lambda) = f(x, 0) + g(x, lambda),   g(x, lambda) = f(x, lambda) - f(x, 0)
 *
 * The system keeps f(x, 0) and becomes one of the systems of the relation, whose input to it is g.
 * Multipliers and their effect are then solved in one problem, in steps and between events. A
 * linear relation remains linear if g is a constant times lambda. */
#ifndef NS_MODEL_RELATIONS_MULTIPLIER_INPUTS_H
#define NS_MODEL_RELATIONS_MULTIPLIER_INPUTS_H

#include "model/model.h"

/* Called after all systems and interactions are added and assigned to variables NS_OF_MULTIPLIER
 * (operator.h), all of which are replaced. Errors NS_MODEL name the system. */
int ns_multiplier_inputs(ns_model *m, ns_ctx *c);

#endif
