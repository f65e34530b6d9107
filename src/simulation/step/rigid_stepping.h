/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_stepping.h -- time-stepping of rigid bodies: the Moreau-Jean theta scheme on positions and
 * orientations.
 *
 * A step: velocities and a first position q_k (+) h v_k; passes of Newton's method, in each of
 * which rows of joints and contacts are those of the iterate, one problem of all bodies
 * (problems/multibody.h) gives velocities and impulses, and the position follows; then, with
 * MoreauJeanDirectProjectionOSI and MoreauJeanCombinedProjectionOSI, positions are brought back to
 * what joints and contacts ask (rigid_projection.h). Contacts between shapes are found at q_k and
 * their rows stay for the step.
 *
 * The passes end when the equations of motion hold and rows have come to rest, as in
 * time_stepping.h; after one where nothing depends on the state. newtonAbsolute: |r| <=
 * newtonTolerance of every body and nothing else. */
#ifndef NS_SIMULATION_STEP_RIGID_STEPPING_H
#define NS_SIMULATION_STEP_RIGID_STEPPING_H

#include "simulation/step/strategy.h"

extern const ns_strategy_ops ns_rigid_time_stepping;

#endif
