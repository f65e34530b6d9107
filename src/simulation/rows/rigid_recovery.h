/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_recovery.h -- overlaps of shapes that a step has left are taken out of the positions, and
 * not of the velocities.
 *
 * The velocity law of Moreau & Jean lets a gap g close at the speed of the step in which a contact
 * is found: up to (1 - theta) h |u| of overlap, which nothing takes back; and what an impact throws
 * at a third body closes a gap that did not take part. After each step the
 * displacement xi of least kinetic energy is sought with
 *
 *   g_i + H_i xi >= -(1 - recover) |overlap_i|,   xi = M^-1 H^T L,   0 <= L orthogonal to what is
 *       left
 *
 * for all gaps that are near: a projection in the metric of the mass by a bounded number of sweeps;
 * what they leave, the next step finds. Velocities stay to the bit, so restitution and friction do;
 * what lifts bodies against forces that have a potential is work of the contacts, and the energies
 * of the run balance.
 *
 * Nothing moves up to an overlap of SLACK of the smallest shape, so what rests stays loaded, and
 * what only drifts by O(h^2) is left alone: order and energy of smooth motion are those of the
 * scheme. Contacts whose law has restitution and that open by their own velocity are left to it;
 * compliant ones live by their overlap. A contact alone that bounces has the motion of the
 * same gap as an interaction, which keeps it (ns_rigid_contacts_activate). Bodies of interactions
 * stay, a joint would be torn: projections move them (rigid_projection.h). */
#ifndef NS_SIMULATION_ROWS_RIGID_RECOVERY_H
#define NS_SIMULATION_ROWS_RIGID_RECOVERY_H

#include "integrators/rigid_motion.h"
#include "simulation/rows/rigid_contacts.h"

typedef struct ns_rigid_recovery ns_rigid_recovery;

/* Both borrowed. */
int ns_rigid_recovery_create(ns_ctx *c, const ns_rigid_motion *motion, ns_rigid_contacts *contacts,
                             ns_rigid_recovery **out);
void ns_rigid_recovery_destroy(ns_rigid_recovery *o); /* NULL-safe */
/* Its solver has the scratch of another one, ns_multibody_borrow. */
void ns_rigid_recovery_borrow(ns_rigid_recovery *o, ns_multibody_solver *lender);
size_t ns_rigid_recovery_bytes(const ns_rigid_recovery *o); /* 0 of NULL */
/* After a step of length h to q with v: q moves; *moved: 1 where it did. NS_NOMEM. */
int ns_rigid_recovery_apply(ns_rigid_recovery *o, ns_ctx *c, double *q, const double *v, double h,
                            int *moved);

#endif
