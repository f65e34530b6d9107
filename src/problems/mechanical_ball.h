/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanical_ball.h -- blocks whose impulse is a vector of bounded length: dry friction that knows
 * no direction, as of a ball joint.
 *
 *   u = W r + q,   -u in N_B(r),   B = { |r| <= radius },   2-norm
 *
 * so that r = -radius u/|u| where it slips: for an r on the sphere (W + alpha) r = -q with alpha =
 * |u|/radius, the problem of a trust region (More & Sorensen 1983). Private to src/problems. */
#ifndef NS_PROBLEMS_MECHANICAL_BALL_H
#define NS_PROBLEMS_MECHANICAL_BALL_H

#include "problems/mechanical.h"

/* Nearest r [d] of the ball, in place. */
void ns_ball_project(int d, double radius, double *r);
/* The block alone, W [d x d] by columns, whose symmetric part has no negative eigenvalue: exact.
 * 1, or 0 where it was not found: then r [d] is as before. */
int ns_ball_solve(int d, const double *W, double radius, const double *q, double *r);
/* F = r - P_B(r - rho u) and A = dF/du, B = dF/dr [d x d] by columns; A NULL: F alone. */
void ns_ball_map(int d, double radius, double rho, const double *r, const double *u, double *F,
                 double *A, double *B);

#endif
