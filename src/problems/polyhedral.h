/* SPDX-License-Identifier: GPL-3.0-or-later */
/* polyhedral.h -- affine variational inequality on a polyhedron P = { z : H z >= k }.
 *
 *   w = M z + q,  w^T (s - z) >= 0 for all s in P,
 *   that is  w = H^T mu,  0 <= mu _|_ H z - k >= 0
 *
 * (Facchinei & Pang 2003, ch. 1; Cao & Ferris 1996). Entries of z with a zero column in H are free:
 * w = 0. */
#ifndef NS_PROBLEMS_POLYHEDRAL_H
#define NS_PROBLEMS_POLYHEDRAL_H

#include "problems/lcp.h"

typedef struct ns_polyhedral {
  int n, p;              /* unknowns, rows of H */
  const double *M;       /* [n x n] by columns */
  const double *q;       /* [n] */
  const double *H;       /* [p x n] by columns */
  const double *k;       /* [p] */
  ns_solve_watch *watch; /* NULL: no limits */
} ns_polyhedral;

/* The larger of |w - H^T mu| (rows scaled by s_i = max_j |M_ij|) and |min(mu_j, (H z - k)_j /
 * t_j)|, t_j = max_i |H_ji|, over c + max |q_i/s_i| + max |k_j/t_j|; c is 1, or 1e6 times the sum
 * of these and max |z_i| if that is less (box.h). w [n] is stored. The multipliers mu [p] from the
 * solver certify z; the residual is computed here. */
double ns_polyhedral_residual(const ns_polyhedral *p, const double *z, const double *mu, double *w);

typedef struct ns_polyhedral_solver ns_polyhedral_solver;
/* Create a solver for up to n unknowns and p rows; allocates all memory. opt NULL: defaults. */
int ns_polyhedral_create(ns_ctx *c, int n, int p, const ns_lcp_options *opt,
                         ns_polyhedral_solver **out);
/* z [n], mu [p]: in, an initial guess; out, the solution, or the guess if not solved. */
int ns_polyhedral_solve(ns_polyhedral_solver *s, ns_ctx *c, const ns_polyhedral *p, double *z,
                        double *mu, double *w, ns_outcome *out);
/* Initial guess of mu from a guess of z: 1 for rows with equality, otherwise 0. */
void ns_polyhedral_guess(const ns_polyhedral *p, const double *z, double *mu);
void ns_polyhedral_destroy(ns_polyhedral_solver *s); /* NULL-safe */

#endif
