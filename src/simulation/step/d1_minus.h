/* SPDX-License-Identifier: GPL-3.0-or-later */
/* d1_minus.h -- the half-explicit time-discontinuous Galerkin scheme D1-minus-linear.
 *
 * Second order between impacts, with consistent impacts [Schindler2014]. A step from (q, v) to (q+,
 * v+); a contact is closed if its gap y (or velocity ydot) is <= tolerance:
 *
 *   1. Contact forces l at t_k+ from the accelerations, M a = F + H^T l:
 *      0 <= H a + bias _|_ l >= 0 on contacts with y and ydot closed.
 *   2. v1 = v + h a,  q+ = q + h/2 (v + v1).
 *   3. Forces l- at t_k+1 in the same way, with v1, on contacts that were closed before the step; a
 *      contact that closes in the step has no force. v- = v + h/2 (a + a-).
 *   4. Impact on contacts with y+ closed: 0 <= (1 + e) U- + D P _|_ P >= 0, v+ = v- + M^-1 H^T P.
 *
 * Velocity variant: steps 1 and 3 at velocity level. The impulse h l of the first half follows from
 * 0 <= H(q + h v)(v + h M^-1 F) + D h l _|_ h l >= 0 on contacts with y closed, that of the second
 * half from 0 <= U- on contacts that are closed before and after the step.
 *
 * In step 3 the literature omits the forces of all contacts if one of them closes. A body resting
 * on another contact would then rebound by e h g; here only the contact that closes has no force.
 *
 * The work of contacts is P (U- + U+)/2 in step 4 and h/2 (l + l-) (U + U-)/2 before it, exact in
 * the kinetic energy; the work of moving obstacles is separate. Positions do not follow v-, so the
 * potential energy changes by an additional h/2 (v1 - v-) f, the defect: O(h^2) in smooth motion,
 * O(h) if a contact rebounds in every step. This happens in the acceleration variant after an
 * impact, if ydot > tolerance and therefore no force acts in step 1; in the velocity variant the
 * contact remains closed.
 *
 * lambda is the total impulse of the step, P + h/2 (l + l-). Positions are not corrected after q+:
 * penetration is O(h) at impacts, drift O(h^2) otherwise. For unilateral contact without friction,
 * of Lagrangian systems and of rigid bodies, for which q+ is q (+) h/2 (v + v1).
 *
 * [Schindler2014] Timestepping schemes for nonsmooth dynamics based on discontinuous Galerkin
 *                 methods: definition and outlook, Math. Comput. Simul. 95:180-199,
 *                 doi:10.1016/j.matcom.2012.04.012 */
#ifndef NS_SIMULATION_STEP_D1_MINUS_H
#define NS_SIMULATION_STEP_D1_MINUS_H

#include "simulation/step/strategy.h"

extern const ns_strategy_ops ns_d1_minus;

#endif
