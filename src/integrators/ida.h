/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ida.h -- flows under constraints as differential-algebraic equations, by IDA of SUNDIALS 6;
 * without constraints, by CVODE (cvode.h).
 *
 * Active constraints are equations of the integrator, so that positions and velocities satisfy them
 * without drift: at the ends of steps to the residual of Newton's iteration, a hundredth of the
 * tolerance, and within a step to the tolerance. In the stabilised form of index 2 [GGL1985],
 *
 *   q' = v + M^-1 H^T mu,   M v' = F + H^T lambda,   0 = y(t, q),   0 = ydot(t, q, v)
 *
 * with mu = 0 in the exact solution. Or in the form of index 1, which constrains only the
 * accelerations, so that y drifts with the square of time unless it is stabilised with a > 0
 * [Baumgarte1972],
 *
 *   q' = v,   M v' = F + H^T lambda,   0 = yddot + 2 a ydot + a^2 y,   a in 1/s
 *
 * The problem computes consistent values at a restart (ns_flow_constraints.hold): x satisfies the
 * constraints, lambda solves the equations of accelerations, mu is zero. Newton's iteration
 * computes the multipliers, but they are excluded from its convergence test and from the local
 * error: they amplify rounding errors of positions and velocities by 1/h, so their errors do not
 * measure accuracy. Their number changes only at restarts.
 *
 * If constraints become dependent during the motion, as in a singular position of a mechanism,
 * Newton's iteration fails; CVODE then integrates until the next restart.
 *
 * The matrix of a step is computed by finite differences (ida_matrix.h).
 *
 * [GGL1985]       Gear, Leimkuhler, Gupta, J. Comput. Appl. Math. 12-13:77-90,
 *                 doi:10.1016/0377-0427(85)90008-1
 * [Baumgarte1972] CMAME 1:1-16, doi:10.1016/0045-7825(72)90018-7
 * [Hairer1993]    Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, Springer
 * [Hindmarsh2005] SUNDIALS, ACM TOMS 31:363-396, doi:10.1145/1089014.1089020 */
#ifndef NS_INTEGRATORS_IDA_H
#define NS_INTEGRATORS_IDA_H

#include "integrators/flow.h"

extern const ns_flow_ops ns_ida;

#endif
