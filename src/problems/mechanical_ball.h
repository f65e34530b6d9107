/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanical_ball.h -- blocks whose impulse is a vector of bounded length: isotropic dry friction,
 * as in a ball joint.
 *
 *   u = W r + q,   -u in N_B(r),   B = { |r| <= radius },   2-norm
 *
 * so that r = -radius u/|u| if it slips. An r on the sphere solves (W + alpha) r = -q with alpha =
 * |u|/radius, a trust-region problem (More & Sorensen 1983). Private to src/problems. */
#ifndef NS_PROBLEMS_MECHANICAL_BALL_H
#define NS_PROBLEMS_MECHANICAL_BALL_H

#include "problems/mechanical.h"

/* Project r [d] onto the ball, in place. */
void ns_ball_project(int d, double radius, double *r);
/* Solve one block exactly; W [d x d] by columns, with a positive semidefinite symmetric part.
 * Returns 1; or 0 with r [d] unchanged. */
int ns_ball_solve(int d, const double *W, double radius, const double *q, double *r);
/* F = r - P_B(r - rho u), A = dF/du, B = dF/dr [d x d] by columns; A = NULL: only F. */
void ns_ball_map(int d, double radius, double rho, const double *r, const double *u, double *F,
                 double *A, double *B);

#endif
