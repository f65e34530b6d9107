/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interpolant.h -- interpolation of tables, as functions in formulas.
 *
 * Interpolation between the knots, with one argument: `step`, the value at the preceding knot;
 * `linear`; `cubic`, the spline with continuous second derivative, which is zero at the ends
 * (periodic: continuous there, too); `pchip`, cubic pieces with extrema only at knots (Fritsch &
 * Butland 1984). With two arguments: `step`; `linear`, bilinear; `cubic`, the bicubic
 * tensor-product spline (de Boor 2001, ch. 17).
 *
 * Outside of the knots: `error`, NaN, which ends a run with an error (with a tolerance of a
 * billionth of the range, for rounding of times); `hold`, the value at the end; `zero`; `periodic`,
 * only with one argument.
 *
 * Jumps and corners, including those at the ends, are switches of freeze.h, so that they are events
 * of an event-driven run; cubic and pchip have none in between. Where second derivatives matter, as
 * in gaps, knots of pchip are switches, too, because its second derivative jumps there. Derivatives
 * are exact. */
#ifndef NS_EXPRESSION_INTERPOLANT_H
#define NS_EXPRESSION_INTERPOLANT_H

#include "base/context.h"
#include "expression/expression.h"

typedef enum ns_interpolation {
  NS_INTERPOLATION_STEP,
  NS_INTERPOLATION_LINEAR,
  NS_INTERPOLATION_CUBIC,
  NS_INTERPOLATION_PCHIP
} ns_interpolation;
typedef enum ns_outside {
  NS_OUTSIDE_ERROR,
  NS_OUTSIDE_HOLD,
  NS_OUTSIDE_ZERO,
  NS_OUTSIDE_PERIODIC
} ns_outside;

typedef struct ns_interpolant ns_interpolant;

/* Create from y [n] at x [n >= 2], finite and ascending. NULL: out of memory of `a`; `a` and name
 * must outlive the formulas. */
const ns_interpolant *ns_interpolant_create(ns_arena *a, const char *name, ns_interpolation how,
                                            ns_outside outside, int n, const double *x,
                                            const double *y);
/* f(x, y) = value [nx x ny] by rows of x; step, linear or cubic, not periodic. */
const ns_interpolant *ns_interpolant_create_2d(ns_arena *a, const char *name, ns_interpolation how,
                                               ns_outside outside, int nx, const double *x, int ny,
                                               const double *y, const double *value);
/* Its value at argument [arguments]; < 0: out of memory. */
ns_node ns_interpolant_node(const ns_interpolant *f, ns_graph *g, const ns_node *argument);

#endif
