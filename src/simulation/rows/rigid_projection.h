/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_projection.h -- positions of rigid bodies brought back to joints and contacts after a
 * velocity step.
 *
 * As projection.h does for generalised coordinates: velocities stay, and passes of
 *
 *   y(q) + H B H^T L  against  L,   xi = B H^T L,   q <- q (+) xi
 *
 * go on until gaps and joints are within tolerance. B = M^-1 ("mass": the change of position is the
 * smallest in kinetic energy), or that of the identity on (x, p), diag(1, 1, 1, 4, 4, 4) (Siconos,
 * notes on projection): the increment is tangent to the unit sphere, orientations need no care. The
 * problem is one of bodies (problems/multibody.h), so rows may depend on each other.
 *
 * Contacts between shapes keep the normal of the begin of the step and the points that bodies
 * carry. */
#ifndef NS_SIMULATION_ROWS_RIGID_PROJECTION_H
#define NS_SIMULATION_ROWS_RIGID_PROJECTION_H

#include "integrators/rigid_motion.h"
#include "simulation/rows/rigid_contacts.h"
#include "simulation/rows/rigid_rows.h"

typedef struct ns_rigid_projection ns_rigid_projection;

/* What is projected; contacts may be NULL. All borrowed. combined: as NS_PROJECT_COMBINED. */
int ns_rigid_projection_create(ns_ctx *c, const ns_rigid_motion *motion, ns_rigid_rows *rows,
                               ns_rigid_contacts *contacts, int combined,
                               ns_rigid_projection **out);
void ns_rigid_projection_destroy(ns_rigid_projection *o);       /* NULL-safe */
size_t ns_rigid_projection_bytes(const ns_rigid_projection *o); /* 0 of NULL */

/* Direct: who takes part in the step from x. */
void ns_rigid_projection_activate(ns_rigid_projection *o, const ns_state *x, double h);
/* Combined: nobody but equalities; and those who ended at or behind y = 0 in the step from x join:
 * 1 where there were any. */
void ns_rigid_projection_begin(ns_rigid_projection *o);
int ns_rigid_projection_join(ns_rigid_projection *o, const ns_state *x);
/* q [nq] goes to the constraints of those who take part; velocity: the problem that was solved,
 * NULL: none. *moved: 1 where q has changed. NS_NUMERIC: not within tolerance after all passes. */
int ns_rigid_projection_apply(ns_rigid_projection *o, ns_ctx *c, const ns_state *x, double t,
                              double *q, const double *v, const ns_rigid_problem *velocity,
                              int *moved);

#endif
