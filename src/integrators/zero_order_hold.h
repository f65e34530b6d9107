/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zero_order_hold.h -- exact motion of linear systems with inputs that are constant over the step.
 *
 *   M(t) x' = A(t) x + b + T u + r:   x+ = Phi x + Gamma (b + T u + r+)
 *
 * with y+, r+ and the law at the end of the step.
 *
 * Constant M, A: Phi = exp(h M^-1 A), Gamma = int_0^h exp(s M^-1 A) ds M^-1, computed once for each
 * h (Van Loan 1978, Higham 2005; A may be singular). Otherwise both are integrated over every step
 * (propagator.h).
 *
 * Constant over the step are: r+; T u of the state at its beginning; b(t) at its middle, which is
 * exact for inputs that jump only at the ends of steps, and of second order for smooth ones. */
#ifndef NS_INTEGRATORS_ZERO_ORDER_HOLD_H
#define NS_INTEGRATORS_ZERO_ORDER_HOLD_H

#include "integrators/rate.h"

extern const ns_rate_ops ns_zero_order_hold;

#endif
