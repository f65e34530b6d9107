/* SPDX-License-Identifier: GPL-3.0-or-later */
/* initial_input.h -- multipliers that are consistent with the laws at t0.
 *
 * Schemes that use the input r_k of the previous step (gamma < 1) require r_0 = g(x_0, lambda_0)
 * with lambda_0 from the law at t0: for rows whose output depends on lambda (relative degree 0), y
 * = h(x_0, lambda) with -y in N_K(lambda). Rows of higher degree begin with 0, or the value in K
 * nearest to it. Solved by Newton's method in lambda with fixed x_0. */
#ifndef NS_SIMULATION_STEP_INITIAL_INPUT_H
#define NS_SIMULATION_STEP_INITIAL_INPUT_H

#include "simulation/rows/couplings.h"

/* Write lambda_0 to lambda [nrows], initially zero. If the laws at t0 have no solution, lambda_0 =
 * 0, with a warning. */
int ns_initial_input(ns_ctx *c, ns_couplings *k, const ns_state *x, double *lambda);

#endif
