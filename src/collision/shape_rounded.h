/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shape_rounded.h -- private to shape*.c: solids of rounded shapes. */
#ifndef NS_COLLISION_SHAPE_ROUNDED_H
#define NS_COLLISION_SHAPE_ROUNDED_H

#include "collision/shape.h"

/* Of density 1: volume (in the plane area), centre [3] and inertia about it [3 x 3]. */
void ns_rounded_solid(const ns_shape *s, double *volume, double *centre, double *inertia);

#endif
