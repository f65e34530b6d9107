/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interpolant.h -- functions given by a table, in formulas.
 *
 * Between the knots of one argument: `step`, the value of the knot before; `linear`; `cubic`, the
 * spline with continuous second derivative, which vanishes at the ends (periodic: continuous there,
 * too); `pchip`, cubic pieces that have no extremes but at knots (Fritsch & Butland 1984). Of two
 * arguments: `step`, `linear` in each (bilinear), or `cubic`: the spline in one argument of the
 * splines in the other (bicubic: de Boor 2001, ch. 17), whichever is taken first.
 *
 * Outside of the knots: `error`, NaN, which ends a run with a sentence (a billionth of the range is
 * forgiven: times are sums); `hold`, the value at the end; `zero`; `periodic`, in one argument.
 *
 * Jumps and corners, those at the ends too, are switches of freeze.h, so that an event-driven run
 * steps on them; cubic and pchip have none in between. Derivatives are exact. */
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

/* y [n] at x [n >= 2], finite and ascending. NULL: out of memory of `a`, which must outlive the
 * formulas, and so must name. */
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
