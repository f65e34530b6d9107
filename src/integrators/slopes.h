/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slopes.h -- derivatives at an iterate of Newton's method. */
#ifndef NS_INTEGRATORS_SLOPES_H
#define NS_INTEGRATORS_SLOPES_H

#include <math.h>
#include <stddef.h>

/* J [n]: entries without a finite value become 0. A root has none where it is 0, as in a tank that
 * is empty: the pass takes what has no slope there as a constant, and the next one begins where it
 * has a slope. */
static inline void ns_finite_slopes(size_t n, double *J)
{
  for (size_t i = 0; i < n; i++)
    if (!isfinite(J[i])) J[i] = 0;
}

#endif
