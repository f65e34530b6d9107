/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_inertia.h -- mass, centre and inertia of solids that are put together from shapes. */
#ifndef NS_MODEL_SYSTEMS_RIGID_INERTIA_H
#define NS_MODEL_SYSTEMS_RIGID_INERTIA_H

#include "collision/shape.h"

/* A filled shape, placed in axes of the user: x = at + R(turn) X. */
typedef struct ns_solid_part {
  const ns_shape *shape;
  double density;        /* kg/m^3; negative where it is cut out of others */
  double at[3], turn[4]; /* m; unit quaternion */
} ns_solid_part;

/* Mass (kg) of n parts, centre [3] (m) and inertia [3 x 3] (kg m^2) about the centre, in the axes
 * in which they are placed, by the theorem of parallel axes. Parts that overlap count twice. -1, or
 * the index of a part that is no solid (a plane); a mass that is not positive is the caller's to
 * see, centre and inertia are then 0. */
int ns_rigid_from_shapes(int n, const ns_solid_part *part, double *mass, double *centre,
                         double *inertia);

/* Eigenvalues, ascending, of a symmetric matrix I [3 x 3], by the rotations of Jacobi (1846). */
void ns_principal_moments(const double *I, double *moment);

#endif
