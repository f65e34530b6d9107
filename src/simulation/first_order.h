/* SPDX-License-Identifier: GPL-3.0-or-later */
/* first_order.h -- time-stepping of first-order systems: relations, laws and the Newton loop of a step.
 *
 * One linearisation at the iterate (x, lambda), with C, D, B, K of all interactions and Gain of the integrator (rate.h),
 * gives the one-step problem in lambda+ (Acary & Brogliato 2008, ch. 9):
 *
 *   x_p   = xfree + Gain sum_a (g_a - B_a lambda_a)
 *   w = y+ = q + D lambda+,   q_a = h_a + C_a where (x_p - x) - D_a lambda_a,
 *   (a,b) block: delta_ab D_a + where C_a Gain B_b         blocks of interactions that share a group of systems
 *   x+ = x_p + Gain sum_a B_a lambda_a+,   R_a+ = g_a + B_a (lambda_a+ - lambda_a) + K_a (x+ - x)
 *
 * with -w in N_K(lambda+) by the laws: a box (problems/avi.h), or a polyhedron (problems/polyhedral.h) where the model
 * has a NormalConeNSL. It ends when state, output and input residuals are small; for linear systems and relations one
 * pass is exact. Three kernels: dense (few rows), block-sparse (many systems with few rows each), and unreduced
 * sparse (one large linear time-invariant circuit: unknowns x and lambda together, [W, -g B; C, D]). */
#ifndef NS_SIMULATION_FIRST_ORDER_H
#define NS_SIMULATION_FIRST_ORDER_H

#include "simulation/strategy.h"

/* TimeStepping where the systems are of first order; found by family, see simulation.c. */
extern const ns_strategy_ops ns_first_order_stepping;

#endif
