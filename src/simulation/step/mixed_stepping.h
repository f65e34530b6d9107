/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mixed_stepping.h -- time-stepping of systems of any kind in one model: circuits, first-order and
 * Lagrangian systems, rigid bodies with joints and contacts between their shapes.
 *
 * A step consists of the iterate of all systems and its iteration matrix by groups
 * (integrators/theta.h); rows of mechanical interactions (contacts.h: velocities and positions,
 * with their index set), of first-order relations (couplings.h: outputs at the end of the step) and
 * of bodies (rigid_parts.h), linearised at the iterate; one problem of all rows (step_problem.h);
 * and passes of Newton's method until the residuals of equations of motion, rows and relations are
 * small relative to their size. Multipliers are impulses z; for first-order relations lambda = z /
 * h.
 *
 * A relation whose offset reads another system, such as the source K*rotor.v_phi in a loop with a
 * diode, has entries for that system in its rows. If its other matrices do (a switch closed by a
 * position), their values are those at the beginning of the step. */
#ifndef NS_SIMULATION_STEP_MIXED_STEPPING_H
#define NS_SIMULATION_STEP_MIXED_STEPPING_H

#include "simulation/step/strategy.h"

extern const ns_strategy_ops ns_mixed_stepping;

#endif
