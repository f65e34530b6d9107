/* SPDX-License-Identifier: GPL-3.0-or-later */
/* d1_minus.h -- the half-explicit time-discontinuous Galerkin scheme D1-minus-linear.
 *
 * Second order away from impacts, impacts consistent [Schindler2014]. A step from (q, v) to (q+,
 * v+), sets by y, ydot <= tolerance:
 *
 *   1. contact forces l at t_k+ from the acceleration: 0 <= H a + bias _|_ l >= 0 on { y, ydot
 *   closed }, M a = F + H^T l
 *   2. v1 = v + h a,  q+ = q + h/2 (v + v1)
 *   3. forces l- at t_k+1 likewise, with v1, on what was closed before the step: a contact that
 *   closes in it has no forces.
 *      v- = v + h/2 (a + a-)
 *   4. impact on { y+ closed }: 0 <= (1 + e) U- + D P _|_ P >= 0,  v+ = v- + M^-1 H^T P
 *
 * Velocity variant: 1. and 3. at velocity level: the impulse h l of the first half from 0 <= H(q +
 * h v)(v + h M^-1 F) + D h l on { y closed }, that of the second half from 0 <= U- on what was
 * closed before and is closed after.
 *
 * In step 3 the literature drops the forces of all contacts where one of them closes; a body that
 * rests on another contact would then rebound by e h g, so here only the one that closes has none.
 *
 * Works of contacts are P (U- + U+)/2 in 4. and h/2 (l + l-) (U + U-)/2 before it, exact in the
 * kinetic energy; what obstacles that move add is apart. Positions do not follow v-, so that the
 * potential changes by h/2 (v1 - v-) f more: the defect, O(h^2) in smooth motion, O(h) where a
 * contact rebounds in every step. That happens in the acceleration variant after an impact, which
 * leaves ydot > tolerance and so no force in 1.; the velocity variant keeps it closed.
 *
 * lambda is the whole impulse of the step, P + h/2 (l + l-). Positions are not controlled beyond
 * q+: penetration O(h) at impacts, drift O(h^2) otherwise. For unilateral contact without friction,
 * of Lagrangian systems and of rigid bodies, whose q+ is q (+) h/2 (v + v1).
 *
 * [Schindler2014] Timestepping schemes for nonsmooth dynamics based on discontinuous Galerkin
 * methods: definition and
 *                 outlook, Math. Comput. Simul. 95:180-199, doi:10.1016/j.matcom.2012.04.012 */
#ifndef NS_SIMULATION_STEP_D1_MINUS_H
#define NS_SIMULATION_STEP_D1_MINUS_H

#include "simulation/step/strategy.h"

extern const ns_strategy_ops ns_d1_minus;

#endif
