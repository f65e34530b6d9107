/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_inertia.h -- mass, centre and inertia of solids composed of shapes. */
#ifndef NS_MODEL_SYSTEMS_RIGID_INERTIA_H
#define NS_MODEL_SYSTEMS_RIGID_INERTIA_H

#include "collision/shape.h"

/* A solid shape placed in the user's axes: x = at + R(turn) X. */
typedef struct ns_solid_part {
  const ns_shape *shape;
  double density;        /* kg/m^3; negative for a part cut out of others */
  double at[3], turn[4]; /* m; unit quaternion */
} ns_solid_part;

/* Mass (kg) of n parts, centre [3] (m) and inertia [3 x 3] (kg m^2) about the centre, in the axes
 * in which they are placed, by the parallel axis theorem. Overlapping volumes count twice. Returns
 * -1, or the index of a part that is not a solid (a plane). The caller must check that the mass is
 * positive; otherwise centre and inertia are 0. */
int ns_rigid_from_shapes(int n, const ns_solid_part *part, double *mass, double *centre,
                         double *inertia);

/* Eigenvalues, ascending, of a symmetric matrix I [3 x 3], by Jacobi rotations (1846). */
void ns_principal_moments(const double *I, double *moment);

#endif
