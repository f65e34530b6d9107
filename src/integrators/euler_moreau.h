/* SPDX-License-Identifier: GPL-3.0-or-later */
/* euler_moreau.h -- the Euler-Moreau theta-gamma scheme for first-order systems.
 *
 *   standard   M (x+ - x) = h [theta f+ + (1-theta) f] + h [gamma r+ + (1-gamma) r]
 *              law and r+ at the end of the step
 *   full       M (x+ - x) = h [theta f+ + (1-theta) f] + h r
 *              law and r at t + gamma h, x + gamma (x+ - x)
 *
 *   W = M - h theta A - h gamma K,   A = df/dx,   K = dR/dX,   R the input of a relation
 *
 * [Moreau1977], [Acary2008, chapter 9].
 *
 * M(t) is evaluated at t + theta h; at the end of the step it would reduce the order to 1. Order 2
 * for smooth motion at theta = 1/2, and with a continuous input at theta = gamma = 1/2; order 1
 * otherwise. The control term T u uses the rate of the previous step, which avoids an algebraic
 * loop but reduces the order to 1 if u depends on the rate. W contains its derivative with respect
 * to x.
 *
 * Three kernels:
 *   linear     M, A constant, no K: W^-1 A and W^-1 are computed once; a step is one or two
 *              matrix-vector products
 *   newton     all others: W is evaluated at each iterate and factored if it has changed; if f
 *              is linear, one pass is exact
 *   unreduced  linear, but W and the right-hand side stay sparse over all unknowns, for the
 *              driver to factor
 *
 * [Moreau1977] J. Diff. Eq. 26:347-374, doi:10.1016/0022-0396(77)90085-7
 * [Acary2008]  Acary & Brogliato, Numerical methods for nonsmooth dynamical systems, LNACM 35 */
#ifndef NS_INTEGRATORS_EULER_MOREAU_H
#define NS_INTEGRATORS_EULER_MOREAU_H

#include "integrators/rate.h"

extern const ns_rate_ops ns_euler_moreau;

#endif
