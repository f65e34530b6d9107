/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moreau_jean.h -- the Moreau-Jean theta scheme for Lagrangian systems.
 *
 *   M(q*) (v+ - v) - h [theta F+ + (1-theta) F] = H^T P,    q+ = q + h (theta v+ + (1-theta) v)
 *   W = M + h theta C_t + h^2 theta^2 K_t                                  [Moreau1988, Jean1999]
 *
 * q* = q + massGamma (q+ - q). If M depends on q, second order at theta = 1/2 requires massGamma =
 * 1/2, because M(q+)^-1 F differs from M(q)^-1 F by O(h) (order measured in tests/orders: 2.0 with
 * massGamma = 1/2, 1.0 with 1). Siconos 4 uses massGamma = 1.
 *
 * Impulses P and velocities are solved together: contact is treated implicitly, at velocity level.
 * Order 2 for smooth motion at theta = 1/2, else 1; order 1 across impacts. theta = 1/2 without
 * damping keeps the energy of linear systems to rounding; contact adds no energy if and only if
 * theta <= 1/(1+e) [Acary2016].
 *
 * Four kernels, chosen by system:
 *   diagonal   M, C, K diagonal: straight loops over runs of degrees of freedom
 *   dense      M, C, K constant: W factored once
 *   sparse     the same, large and mostly zero (moreau_jean_sparse.c)
 *   nonlinear  W evaluated and factored in every iteration
 *
 * [Moreau1988] Unilateral contact and dry friction in finite freedom dynamics, CISM 302
 * [Jean1999]   CMAME 177:235-257, doi:10.1016/S0045-7825(98)00383-1
 * [Acary2016]  ZAMM 96:585-603, doi:10.1002/zamm.201400231 */
#ifndef NS_INTEGRATORS_MOREAU_JEAN_H
#define NS_INTEGRATORS_MOREAU_JEAN_H

#include "integrators/integrator.h"

extern const ns_integrator_ops ns_moreau_jean;
/* The same scheme with one-step problems in saddle-point form. */
extern const ns_integrator_ops ns_moreau_jean_global;
/* With projection of positions, simulation/rows/projection.h. */
extern const ns_integrator_ops ns_moreau_jean_direct, ns_moreau_jean_combined;

#endif
