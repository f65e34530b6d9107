/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_drive.h -- torques about the axes of joints and forces along them: springs, dampers, motors.
 *
 *   d = angle or slide of body 2 relative to body 1,   d' = g V,   wrench on both bodies = g^T tau(t, d, d', Z)
 *
 * with the row g of the free coordinate (rigid_parts.h), so that the power is tau d'. Tangents by increments and velocities of the
 * bodies, as those of rigid_body.h, leave out what g changes by:
 *
 *   -dF/d(increment) = -g^T (dtau/dd) g,   -dF/dV = -g^T (dtau/dd') g */
#ifndef NS_MODEL_RIGID_DRIVE_H
#define NS_MODEL_RIGID_DRIVE_H

#include "model/model.h"

typedef struct ns_drive_state {
  int n;                /* free coordinates, 1 or 2 */
  int dof;              /* velocities of a body: 6, in the plane 3 */
  double g[2][12];      /* their rows, dof entries of each body */
  double tau[2];        /* N m, N */
  double k[4], c[4];    /* -dtau_i/dd_j, -dtau_i/dd'_j [n x n] by columns */
} ns_drive_state;

/* Doubles of scratch. */
size_t ns_joint_drive_work(const ns_interaction *it);
/* The drive of a joint at (t, q, v, z) of the whole model; angle: ns_state.angle, from which turns are counted. */
int ns_joint_drive_eval(const ns_model *m, ns_ctx *c, const ns_interaction *it, double t, const double *q, const double *v,
                        const double *z, const double *angle, double *work, ns_drive_state *s);

#endif
