/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lagrangian_stepping.h -- time-stepping of Lagrangian systems: an integrator
 * (integrators/integrator.h) and its contacts (contacts.h). Index set I_1 from y_k + gamma h
 * ydot_k, fixed for the step or, with combined projection, for a round. There are fast paths for
 * diagonal masses with constant forces, and for linear systems with plain rows. */
#ifndef NS_SIMULATION_STEP_LAGRANGIAN_STEPPING_H
#define NS_SIMULATION_STEP_LAGRANGIAN_STEPPING_H

#include "simulation/step/strategy.h"

extern const ns_strategy_ops ns_lagrangian_stepping;

#endif
