/* SPDX-License-Identifier: GPL-3.0-or-later */
/* newmark_alpha.h -- flows by the generalised alpha method: fixed steps of second order that damp
 * the frequencies that they cannot resolve.
 *
 *   (1 - alpha_m) a_n+1 + alpha_m a_n = (1 - alpha_f) q''_n+1 + alpha_f q''_n
 *   q_n+1 = q_n + h v_n + h^2 ((1/2 - beta) a_n + beta a_n+1)
 *   v_n+1 = v_n + h ((1 - gamma) a_n + gamma a_n+1)
 *
 * where q'' is the acceleration computed from (t, q, v) and a is a variable of the method. Chung &
 * Hulbert 1993 in the form of Arnold & Bruels 2007 (eqs. 6-8), which has second order also if the
 * mass depends on q or constraints are active. With the spectral radius rho at infinite frequency
 *
 *   alpha_m = (2 rho - 1)/(rho + 1),  alpha_f = rho/(rho + 1),  gamma = 1/2 + alpha_f - alpha_m
 *   beta = (1/2 + gamma)^2 / 4
 *
 * Newmark's own method is alpha_m = alpha_f = 0 with beta and gamma as given (Newmark 1959).
 *
 * a_n belongs to t_n + (alpha_m - alpha_f) h. One more evaluation in the first step ensures this
 * after a restart (otherwise v has an error of O(h^2) for some steps: Arnold & Bruels 2007, section
 * 4); a step shorter than the previous one is treated in the same way.
 *
 * Newton's method on a_n+1 with the matrix (1 - alpha_m) 1 - (1 - alpha_f) (beta h^2 dq''/dq +
 * gamma h dq''/dv), which is kept from step to step as long as the iteration converges. A step is
 * accepted if the next correction of q and v would be below the tolerances. Other variables than q
 * and v are integrated by the trapezoidal rule.
 *
 * Steps begin at each restart and have the length options->step (that of the grid if it is
 * infinite); the last one before `stop` is shorter. Dense output: the cubic of Hermite from x and
 * x' at both ends, error O(h^4). Roots are located on it (bracket.h); for a constant acceleration
 * they are exact.
 *
 * [Chung1993]  A time integration algorithm for structural dynamics with improved numerical
 *              dissipation, J. Appl. Mech. 60:371-375, doi:10.1115/1.2900803
 * [Arnold2007] Convergence of the generalized-alpha scheme for constrained mechanical systems,
 *              Multibody Syst. Dyn. 18:185-202, doi:10.1007/s11044-007-9084-0
 * [Newmark1959] A method of computation for structural dynamics, J. Eng. Mech. Div. ASCE
 *               85:67-94 */
#ifndef NS_INTEGRATORS_NEWMARK_ALPHA_H
#define NS_INTEGRATORS_NEWMARK_ALPHA_H

#include "integrators/flow.h"

extern const ns_flow_ops ns_newmark_alpha;

#endif
