/* SPDX-License-Identifier: GPL-3.0-or-later */
/* soclcp.h -- complementarity on second-order cones: its statement, its residual, its solver.
 *
 *   w = M z + q,   K = K_1 x K_2 x ...  contains z  _|_  w in K*,
 *   K_a = { |x_T| <= tau_a x_0 },  K_a* = { tau_a |x_T| <= x_0 },
 *   x = (x_0, x_T) the rows of cone a
 *
 * (Fukushima, Luo & Tseng 2001). A cone of one row is the half-line of an LCP; so is the first row
 * of a cone with tau = 0, whose z_T is 0. The law of contacts with friction (mechanical.h) has an
 * additional term: without it, as here, a sliding contact also opens. */
#ifndef NS_PROBLEMS_SOCLCP_H
#define NS_PROBLEMS_SOCLCP_H

#include "problems/lcp.h"

typedef struct ns_soclcp {
  int n, nc;             /* unknowns, cones */
  const double *M;       /* [n x n] by columns */
  const double *q;       /* [n] */
  const int *first;      /* first row of each cone, ascending from 0; first[nc] = n [nc+1] */
  const double *tau;     /* >= 0 [nc] */
  ns_solve_watch *watch; /* NULL: no limits */
} ns_soclcp;

/* Natural map | z - P_K(z - w/s) | / (c + |q|/s), s = max |M_ij| (1 if M is 0), 2-norms; c is 1, or
 * 1e6 (|z| + |q|/s) if that is less (box.h). w [n] is computed and stored. If z contains a NaN the
 * result is +inf. */
double ns_soclcp_residual(const ns_soclcp *p, const double *z, double *w);

typedef struct ns_soclcp_solver ns_soclcp_solver;
/* Create a solver for up to n unknowns; allocates all memory. opt NULL: defaults. */
int ns_soclcp_create(ns_ctx *c, int n, const ns_lcp_options *opt, ns_soclcp_solver **out);
/* Gauss-Seidel sweeps over the cones, Newton's method on the natural map and, for singular M, the
 * proximal point method. z [n]: in, an initial guess; out, the solution or the best iterate. w [n]:
 * out. */
int ns_soclcp_solve(ns_soclcp_solver *s, const ns_soclcp *p, double *z, double *w, ns_outcome *out);
void ns_soclcp_destroy(ns_soclcp_solver *s); /* NULL-safe */

#endif
