/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_recovery.h -- removal of overlaps of shapes from the positions after a step, without
 * changing velocities.
 *
 * In the Moreau-Jean scheme a gap closes at the velocity of the step in which a contact is found,
 * with an overlap of up to (1 - theta) h |u| that is never corrected; and a body thrown against
 * another one by an impact closes a gap that was not active. After each step, the displacement xi
 * of minimum kinetic energy is computed with
 *
 *   g_i + H_i xi >= -(1 - recover) |overlap_i|,   xi = M^-1 H^T L
 *
 * for all small gaps, with L >= 0 complementary to the difference of both sides: a projection in
 * the metric of the mass, by a bounded number of sweeps; the rest remains for the next step.
 * Velocities are unchanged to the bit, and so are restitution and friction. The potential energy
 * gained by the bodies counts as work of the contacts in the energy balance.
 *
 * Overlaps up to SLACK times the smallest shape are not removed, so that resting contacts remain
 * loaded and drift of O(h^2) is not corrected: order and energy of smooth motion are those of the
 * scheme. Excluded are contacts with restitution that are opening, and compliant contacts, whose
 * force depends on the overlap. A single contact that rebounds is excluded, too, so that its motion
 * equals that of the same gap as an interaction (ns_rigid_contacts_activate). Bodies with
 * interactions do not move, because joints would separate: projections correct them
 * (rigid_projection.h). */
#ifndef NS_SIMULATION_ROWS_RIGID_RECOVERY_H
#define NS_SIMULATION_ROWS_RIGID_RECOVERY_H

#include "integrators/rigid_motion.h"
#include "simulation/rows/rigid_contacts.h"

typedef struct ns_rigid_recovery ns_rigid_recovery;

/* Create; both arguments are borrowed. */
int ns_rigid_recovery_create(ns_ctx *c, const ns_rigid_motion *motion, ns_rigid_contacts *contacts,
                             ns_rigid_recovery **out);
void ns_rigid_recovery_destroy(ns_rigid_recovery *o); /* NULL-safe */
/* Its solver uses the scratch memory of another one, ns_multibody_borrow. */
void ns_rigid_recovery_borrow(ns_rigid_recovery *o, ns_multibody_solver *lender);
size_t ns_rigid_recovery_bytes(const ns_rigid_recovery *o); /* 0 of NULL */
/* Called after a step of length h to q with v: changes q; *moved: 1 if it did. NS_NOMEM. */
int ns_rigid_recovery_apply(ns_rigid_recovery *o, ns_ctx *c, double *q, const double *v, double h,
                            int *moved);

#endif
