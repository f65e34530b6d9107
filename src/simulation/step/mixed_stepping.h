/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mixed_stepping.h -- time-stepping of systems of any kind in one model: circuits, first-order and
 * Lagrangian systems, rigid bodies with joints and contacts between their shapes.
 *
 * One step: the iterate of all systems and its iteration matrix by groups (integrators/theta.h);
 * rows of mechanical interactions (contacts.h, velocities and positions, with their index set) and
 * of relations of first order (couplings.h, outputs of the end), rows of bodies (rigid_parts.h),
 * each linearised there; one problem of all rows (step_problem.h); passes of Newton's method until
 * equations of motion, rows and relations hold, each against its own size. Multipliers are
 * impulses: those of relations of first order, lambda, are z / h.
 *
 * A relation whose offset reads another system, the source K*rotor.v_phi in a loop with a diode,
 * has entries of that system in its rows. Where its other matrices do (a switch that a position
 * closes), their values are those of the begin of the step. */
#ifndef NS_SIMULATION_STEP_MIXED_STEPPING_H
#define NS_SIMULATION_STEP_MIXED_STEPPING_H

#include "simulation/step/strategy.h"

extern const ns_strategy_ops ns_mixed_stepping;

#endif
