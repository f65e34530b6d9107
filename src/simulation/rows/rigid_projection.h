/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_projection.h -- projection of positions of rigid bodies onto joints and contacts after a
 * velocity step.
 *
 * As in projection.h for generalised coordinates, velocities do not change, and passes of
 *
 *   y(q) + H B H^T L  against  L,   xi = B H^T L,   q <- q (+) xi
 *
 * are repeated until gaps and joints are within tolerance. B = M^-1 ("mass": the change of position
 * is the smallest in kinetic energy), or follows from the identity on (x, p), diag(1, 1, 1, 4, 4,
 * 4) (Siconos, notes on projection): the increment is tangent to the unit sphere, so orientations
 * need no further treatment. The problem is in factored form (problems/multibody.h), so that rows
 * may be linearly dependent.
 *
 * Contacts between shapes keep their normal from the beginning of the step, and their points fixed
 * to the bodies.
 *
 * Recovery is the projection of schemes that have none: removal of overlaps of shapes from the
 * positions after a step, without changing velocities.
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
 * interactions do not move, because joints would separate: projections correct them. */
#ifndef NS_SIMULATION_ROWS_RIGID_PROJECTION_H
#define NS_SIMULATION_ROWS_RIGID_PROJECTION_H

#include "integrators/integrator.h"
#include "integrators/rigid_motion.h"
#include "simulation/rows/rigid_contacts.h"
#include "simulation/rows/rigid_rows.h"

typedef struct ns_rigid_projection ns_rigid_projection;

/* Create; how: NS_PROJECT_NOT for recovery. Without it contacts may be NULL. All arguments are
 * borrowed. */
int ns_rigid_projection_create(ns_ctx *c, const ns_rigid_motion *motion, ns_rigid_rows *rows,
                               ns_rigid_contacts *contacts, ns_projecting how,
                               ns_rigid_projection **out);
void ns_rigid_projection_destroy(ns_rigid_projection *o);       /* NULL-safe */
size_t ns_rigid_projection_bytes(const ns_rigid_projection *o); /* 0 of NULL */
/* Recovery: use the memory of a problem that is solved and not needed any more when recovery
 * begins; borrowed. */
void ns_rigid_projection_take(ns_rigid_projection *o, ns_rigid_problem *problem);
/* Its solver uses the scratch memory of another one, ns_multibody_borrow. */
void ns_rigid_projection_borrow(ns_rigid_projection *o, ns_multibody_solver *lender);

/* Direct: choose the active rows of the step from x. */
void ns_rigid_projection_activate(ns_rigid_projection *o, const ns_state *x, double h);
/* Combined: _begin: only equalities are active. _join: add contacts with y <= 0 at the end of the
 * step from x; returns 1 if there are any. */
void ns_rigid_projection_begin(ns_rigid_projection *o);
int ns_rigid_projection_join(ns_rigid_projection *o, const ns_state *x);
/* Project q [nq] onto the active constraints; velocity: the velocity problem that was solved, NULL:
 * none. *moved: 1 if q has changed. NS_NUMERIC: not within tolerance after all passes. */
int ns_rigid_projection_apply(ns_rigid_projection *o, ns_ctx *c, const ns_state *x, double t,
                              double *q, const double *v, const ns_rigid_problem *velocity,
                              int *moved);
/* Recovery, after a step of length h to q with v: changes q; *moved: 1 if it did. NS_NOMEM. */
int ns_rigid_projection_recover(ns_rigid_projection *o, ns_ctx *c, double *q, const double *v,
                                double h, int *moved);

#endif
