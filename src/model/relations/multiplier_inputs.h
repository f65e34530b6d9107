/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multiplier_inputs.h -- formulas of systems that read multipliers: inputs of the relation.
 *
 * The right-hand side f(x, lambda) of a system, a current through a diode in a torque, in a rate of
 * heat, follows at the same instant from the multipliers of a relation of first order:
 *
 *   f(x, lambda) = f(x, 0) + g(x, lambda),   g(x, lambda) = f(x, lambda) - f(x, 0)
 *
 * The system keeps f(x, 0); it becomes one of the systems of the relation, whose input to it is g.
 * So multipliers and what they do to those that read them are solved in one problem, in steps, and
 * between events. A linear relation stays linear where g is constant times lambda. */
#ifndef NS_MODEL_RELATIONS_MULTIPLIER_INPUTS_H
#define NS_MODEL_RELATIONS_MULTIPLIER_INPUTS_H

#include "model/model.h"

/* Once all systems and interactions are there, and the latter known to variables NS_OF_MULTIPLIER
 * (operator.h), of which none is left. Errors NS_MODEL name the system. */
int ns_multiplier_inputs(ns_model *m, ns_ctx *c);

#endif
