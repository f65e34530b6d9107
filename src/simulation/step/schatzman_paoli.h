/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schatzman_paoli.h -- the position-level scheme of Paoli & Schatzman for linear Lagrangian systems
 * and bodies in the plane.
 *
 *   M (q+ - 2 q + q-) + h^2 [K q_theta + C v_theta - F_theta] = h H^T P,   v+ = (q+ - q-)/(2h)
 *   0 <= y(q+) + e y(q-)  _|_  P >= 0                                                   [Paoli2002]
 *
 * with q- the position before q, q_theta = theta q+ + (1-theta) q, and P the impulse of the step in
 * N s (the multiplier of the literature is h P). Every contact is active in every step. With
 * q_free = q - W^-1 R,
 *
 *   W = M + h/2 theta C + h^2 theta K      (theta K, not theta^2 K, because of q_theta)
 *   R = M (q- - q) + h^2 K q + h^2 C [theta (q - q-)/(2h) + (1-theta) v] - h^2 F_theta
 *
 * Resting positions are exact. An impact takes two steps: in the first q+ = -e q-, in the second
 * the velocity is reversed; it is recorded as one event, after the second. v+ is a central
 * difference, the velocity in the middle of (q-, q+). Order 1 if K is not zero (q_theta is
 * one-sided and damps), and across impacts.
 *
 * Gaps that are not linear in q have the law of the set of positions y >= 0 (Paoli & Schatzman
 * 2002): at z = (q+ + e q-)/(1 + e), the impulse along the normal there,
 *
 *   0 <= (1 + e) y(z)  _|_  P >= 0,   H = dy/dq(z)
 *
 * which is the same for linear ones; z is found by Newton's method.
 *
 * Start: q-(t0) = q0 - h v0 + h^2/2 a0, with the forces of closed contacts in a0; or q0 - h v0
 * (start="velocity"), as in published results. q- is part of the state, so restarts are exact.
 *
 * The scheme has an energy balance at half steps: with d = (q+ - q)/h,
 *
 *   E = d^T M d / 2 + q+^T K q / 2 - f^T (q + q+)/2
 *
 * changes by the work of F, C and P along (q+ - q-)/2, and by the damping of theta (the defect; 0
 * for K = 0).
 *
 * [Paoli2002] A numerical scheme for impact problems I, SIAM J. Numer. Anal. 40:702-733,
 * doi:10.1137/S0036142900378728 */
#ifndef NS_SIMULATION_STEP_SCHATZMAN_PAOLI_H
#define NS_SIMULATION_STEP_SCHATZMAN_PAOLI_H

#include "simulation/step/strategy.h"

extern const ns_strategy_ops ns_schatzman_paoli;

#endif
