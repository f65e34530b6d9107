/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_stepping.h -- time-stepping of rigid bodies: the Moreau-Jean theta scheme on positions and
 * orientations.
 *
 * A step: velocities and a first position q_k (+) h v_k; passes of Newton's method, in each of
 * which rows of joints and contacts are those of the iterate, one problem of all bodies
 * (problems/multibody.h) gives velocities and impulses, and the position follows; then, with
 * MoreauJeanDirectProjectionOSI and MoreauJeanCombinedProjectionOSI, positions are projected onto
 * joints and contacts (rigid_projection.h). Contacts between shapes are found at q_k and kept for
 * the step; rows of rolling contacts follow the motion (rigid_contacts.h).
 *
 * The passes end when the residuals of the equations of motion and the changes of rows are small,
 * as in time_stepping.h; after one pass if nothing depends on the state. newtonAbsolute: the only
 * test is |r| <= newtonTolerance for every body. */
#ifndef NS_SIMULATION_STEP_RIGID_STEPPING_H
#define NS_SIMULATION_STEP_RIGID_STEPPING_H

#include "simulation/step/strategy.h"

extern const ns_strategy_ops ns_rigid_time_stepping;

#endif
