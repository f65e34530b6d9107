/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape_planar.h -- private to collision: shapes of the plane that have corners. */
#ifndef NS_COLLISION_SHAPE_PLANAR_H
#define NS_COLLISION_SHAPE_PLANAR_H

#include "collision/shape.h"

/* A corner in the world [2]. */
static inline void ns_corner_at(const ns_placed *p, int i, double *x)
{
  const double *X = p->shape->corner + 2 * i;
  for (int k = 0; k < 2; k++) x[k] = p->at[k] + p->R[k] * X[0] + p->R[k + 3] * X[1];
}

/* Area, centre [3], and inertia about it of a lamina of mass 1 [3 x 3]. */
void ns_polygon_solid(int n, const double *corner, double *area, double *centre, double *inertia);

/* Box around its corners. */
void ns_corner_bounds(const ns_placed *p, double *low, double *high);

#endif
