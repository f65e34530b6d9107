/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theta_stepping.h -- time-stepping of systems of any kind in one model, and of first-order systems
 * alone: circuits, first-order and Lagrangian systems, rigid bodies with joints and contacts
 * between their shapes.
 *
 * A step consists of the iterate of all systems and its iteration matrix by groups
 * (integrators/theta.h); rows of mechanical interactions (contacts.h: velocities and positions,
 * with their index set), of first-order relations (couplings.h: outputs at the end of the step) and
 * of bodies (rigid_parts.h), linearised at the iterate; one problem of all rows (step_problem.h);
 * and passes of Newton's method until the residuals of equations of motion, rows and relations are
 * small relative to their size. Multipliers are impulses z; for first-order relations lambda = z /
 * h.
 *
 * A relation whose offset reads another system, such as the source K*rotor.v_phi in a loop with a
 * diode, has entries for that system in its rows. If its other matrices do (a switch closed by a
 * position), their values are those at the beginning of the step.
 *
 * First-order systems alone have relations as their only rows. One linearisation at the iterate (x,
 * lambda), with C, D, B, K of all interactions and Gain of the integrator, gives the one-step
 * problem in lambda+ (Acary & Brogliato 2008, ch. 9):
 *
 *   x_p   = xfree + Gain sum_a (g_a - B_a lambda_a)
 *   w = y+ = q + D lambda+,   q_a = h_a + C_a where (x_p - x) - D_a lambda_a,
 *   (a,b) block: delta_ab D_a + where C_a Gain B_b      for interactions that share a group
 *   x+ = x_p + Gain sum_a B_a lambda_a+,   R_a+ = g_a + B_a (lambda_a+ - lambda_a) + K_a (x+ - x)
 *
 * with -w in N_K(lambda+) by the laws: a box (problems/avi.h), or a polyhedron
 * (problems/polyhedral.h) if the model has a NormalConeNSL. The loop ends when the residuals of
 * state (theta.h), output and input are small:
 *
 *   |w_a - h_a| <= atol + rtol (1 + |w_a|),   |R_a - g_a| <= atol + rtol (1 + |R_a|)
 *
 * in 2-norms, with an allowance for rounding; atol = newtonTolerance, rtol =
 * newtonRelativeTolerance. For linear systems and relations one pass is exact. A loop or a problem
 * that does not converge is a failure, never a result. Three kernels: dense (few rows),
 * block-sparse (many systems with few rows each), and sparse in saddle-point form (one large linear
 * time-invariant circuit with the unknowns x and lambda). Constants are computed once: a step of a
 * linear time-invariant model is q = C x_free + offset, a solve that begins with the state of the
 * last one, and x+ = x_free + G lambda.
 *
 * y and lambda of the state are those of the accepted iterate, with y from the relations;
 * `violation` is their distance from the laws. Events are switches of rows (events.h). */
#ifndef NS_SIMULATION_STEP_THETA_STEPPING_H
#define NS_SIMULATION_STEP_THETA_STEPPING_H

#include "simulation/step/strategy.h"

/* TimeStepping where all systems are of first order, and of several kinds; found by family, see
 * simulation.c. */
extern const ns_strategy_ops ns_first_order_stepping, ns_mixed_stepping;

#endif
