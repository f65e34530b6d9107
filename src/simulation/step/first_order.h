/* SPDX-License-Identifier: GPL-3.0-or-later */
/* first_order.h -- time-stepping of first-order systems: relations, laws and the Newton loop of a
 * step.
 *
 * One linearisation at the iterate (x, lambda), with C, D, B, K of all interactions and Gain of the
 * integrator (rate.h), gives the one-step problem in lambda+ (Acary & Brogliato 2008, ch. 9):
 *
 *   x_p   = xfree + Gain sum_a (g_a - B_a lambda_a)
 *   w = y+ = q + D lambda+,   q_a = h_a + C_a where (x_p - x) - D_a lambda_a,
 *   (a,b) block: delta_ab D_a + where C_a Gain B_b         blocks of interactions that share a
 *       group of systems
 *   x+ = x_p + Gain sum_a B_a lambda_a+,   R_a+ = g_a + B_a (lambda_a+ - lambda_a) + K_a (x+ - x)
 *
 * with -w in N_K(lambda+) by the laws: a box (problems/avi.h), or a polyhedron
 * (problems/polyhedral.h) where the model has a NormalConeNSL. It ends when state, output and input
 * residuals are small:
 *
 *   |w_a - h_a| <= atol + rtol (1 + |w_a|),  |R_a - g_a| <= atol + rtol (1 + |R_a|)       2-norms,
 *       and their rounding
 *
 * with newtonTolerance and newtonRelativeTolerance, the state as in rate.h; for linear systems and
 * relations one pass is exact. A loop or a problem that does not end well is a failure, never a
 * result.
 *
 * Three kernels: dense (few rows), block-sparse (many systems with few rows each), and unreduced
 * sparse (one large linear time-invariant circuit: unknowns x and lambda together, unreduced.h).
 * couplings.h has the relations, law_problem.h the problem. What is constant is computed once: a
 * step of a linear time-invariant model is q = C x_free + offset, a solve from the state of the
 * last one, and x+ = x_free + G lambda.
 *
 * y and lambda of the state are those of the accepted iterate, y from the relations themselves; how
 * far they are from the laws is `violation`. What happens are switches of rows (events.h). */
#ifndef NS_SIMULATION_STEP_FIRST_ORDER_H
#define NS_SIMULATION_STEP_FIRST_ORDER_H

#include "simulation/step/strategy.h"

/* TimeStepping where the systems are of first order; found by family, see simulation.c. */
extern const ns_strategy_ops ns_first_order_stepping;

#endif
