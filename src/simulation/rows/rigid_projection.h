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
 * to the bodies. */
#ifndef NS_SIMULATION_ROWS_RIGID_PROJECTION_H
#define NS_SIMULATION_ROWS_RIGID_PROJECTION_H

#include "integrators/rigid_motion.h"
#include "simulation/rows/rigid_contacts.h"
#include "simulation/rows/rigid_rows.h"

typedef struct ns_rigid_projection ns_rigid_projection;

/* Create; contacts may be NULL. All arguments are borrowed. combined: for NS_PROJECT_COMBINED. */
int ns_rigid_projection_create(ns_ctx *c, const ns_rigid_motion *motion, ns_rigid_rows *rows,
                               ns_rigid_contacts *contacts, int combined,
                               ns_rigid_projection **out);
void ns_rigid_projection_destroy(ns_rigid_projection *o);       /* NULL-safe */
size_t ns_rigid_projection_bytes(const ns_rigid_projection *o); /* 0 of NULL */

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

#endif
