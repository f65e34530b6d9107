/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_error.h -- what is wrong with one row of a one-step problem, in its own units.
 *
 * Residuals of one-step problems compare the natural map of all rows with one size. The map of a
 * row between two finite bounds is never more than their distance: a friction of 1e-12 N s or a
 * current of 1e-12 A is nothing beside a size of 1, whatever w = q + M z says of it. So with units
 * of z and w that are those of the row,
 *
 *   e = | z/Z - proj(z/Z - w/T) |,   Z = max(|lb|, |ub|),   T = |q| + sum_j |M_j z_j|,
 *
 * is what is wrong: a part of the bounds, or of the terms that w is the sum of, so that what
 * rounding leaves of w is no error. A residual is at least the largest e of such rows. Private to
 * src/problems. */
#ifndef NS_PROBLEMS_ROW_ERROR_H
#define NS_PROBLEMS_ROW_ERROR_H

#include <float.h>
#include <math.h>

/* Rounding error of a sum relative to the size of its terms. */
#define NS_ROUNDING (64 * DBL_EPSILON)

/* Bounds of e that are not made better. */
#define NS_ROW_FINE 1e-12

static inline int ns_row_is_between(double lb, double ub) { return ub - lb < INFINITY; }

/* Z/T, the step of the map in units of Z. Numbers below DBL_MIN have lost digits: sizes count as
 * DBL_MIN at least. Of bounds like 1e300 it is no more than is finite: times w = 0 it is 0. */
static inline double ns_row_step(double Z, double T)
{
  return T > 0 ? fmin(Z / fmax(T, DBL_MIN), DBL_MAX) : 0;
}

/* A distance in units of Z. */
static inline double ns_row_part(double distance, double Z)
{
  return distance > NS_ROUNDING * Z ? distance / fmax(Z, DBL_MIN) : 0;
}

/* e of a row between two bounds. */
static inline double ns_row_error(double z, double w, double lb, double ub, double T)
{
  double Z = fmax(fabs(lb), fabs(ub)), to = z - ns_row_step(Z, T) * w;
  return ns_row_part(fabs(z - fmin(fmax(to, lb), ub)), Z);
}

#endif
