/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schatzman_paoli.h -- the position-level scheme of Paoli & Schatzman for linear Lagrangian
 * systems.
 *
 *   M (q+ - 2 q + q-) + h^2 [K q_theta + C v_theta - F_theta] = h H^T P,   v+ = (q+ - q-)/(2h)
 *   0 <= y(q+) + e y(q-)  _|_  P >= 0                                                   [Paoli2002]
 *
 * with q- the position before q, q_theta = theta q+ + (1-theta) q, and P the impulse of the step in
 * N s (the multiplier of the literature is h P). Every contact is active in every step. With
 * q_free = q - W^-1 R,
 *
 *   W = M + h/2 theta C + h^2 theta K                  (theta K follows from q_theta; theta^2 K
 *       solves another scheme)
 *   R = M (q- - q) + h^2 K q + h^2 C [theta (q - q-)/(2h) + (1-theta) v] - h^2 F_theta
 *
 * Rest is exact in position. An impact takes two steps: q+ = -e q- in the first, in the second the
 * velocity has turned; it is recorded as one event, after the second. v+ is a central difference
 * and belongs to the middle of (q-, q+). Order 1 where K acts (q_theta is one-sided and damps), and
 * across impacts.
 *
 * Start: q-(t0) = q0 - h v0 + h^2/2 a0, a0 with the forces of the contacts that are closed; or q0 -
 * h v0 (start="velocity"), as in published results. q- is part of the state: a restart is
 * exact.
 *
 * Energies belong to the half step, where the scheme has a balance: with d = (q+ - q)/h,
 *   E = d^T M d / 2 + q+^T K q / 2 - f^T (q + q+)/2
 * changes by the work of F, C and P along (q+ - q-)/2, and by what theta damps (the defect; 0 for K
 * = 0).
 *
 * [Paoli2002] A numerical scheme for impact problems I, SIAM J. Numer. Anal. 40:702-733,
 * doi:10.1137/S0036142900378728 */
#ifndef NS_SIMULATION_STEP_SCHATZMAN_PAOLI_H
#define NS_SIMULATION_STEP_SCHATZMAN_PAOLI_H

#include "simulation/step/strategy.h"

extern const ns_strategy_ops ns_schatzman_paoli;

#endif
