/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanical_rolling.h -- one contact with rolling friction, on its own. Private to src/problems.
 *
 * r = (r_N, r_T, r_R) in K = { |r_T| <= mu r_N, |r_R| <= mu_r r_N }; the law of mechanical.h falls
 * apart into
 *
 *   0 <= u_N _|_ r_N >= 0,   -u_T normal to the disc of radius mu r_N at r_T,   -u_R normal to that
 *                            of mu_r r_N at r_R
 *
 * because r . (u + g) is a sum of three terms, none of them negative in K and K*. d = 5 rows in
 * space, 3 in the plane: discs of n = d / 2 rows each. */
#ifndef NS_PROBLEMS_MECHANICAL_ROLLING_H
#define NS_PROBLEMS_MECHANICAL_ROLLING_H

#include "problems/mechanical.h"

#include <math.h>

enum { NS_ROLLING_ROWS = 5 };

/* |x_T| and |x_R|. */
static inline double ns_rolling_slip(int d, const double *x)
{
  return d == 3 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
}
static inline double ns_rolling_turn(int d, const double *x)
{
  return d == 3 ? fabs(x[2]) : sqrt(x[3] * x[3] + x[4] * x[4]);
}

/* g of u + g e_N, mu |u_T| + mu_r |u_R|. */
static inline double ns_rolling_lift(int d, double mu, double mu_r, const double *u)
{
  return mu * ns_rolling_slip(d, u) + mu_r * ns_rolling_turn(d, u);
}

/* Squared natural-map defect, | r - P_K(r - u - g e_N) |^2. */
double ns_rolling_defect(int d, double mu, double mu_r, const double *u, const double *r);

/* What the map of a contact needs: steps of N, T and R. */
typedef struct ns_rolling_steps {
  int d;
  double mu, mu_r, rho_n, rho_t, rho_r;
} ns_rolling_steps;

/* The map of Alart & Curnier (kind 0) or Jean & Moreau (1) with a second disc; otherwise as
 * ns_contact_map. A, B [d x d]. */
void ns_rolling_map(const ns_rolling_steps *k, int kind, const double *r, const double *u,
                    double *F, double *A, double *B);

/* Diagonal block of one contact, prepared once for a W. Within, N, T and R have units in which
 * their parts of W are alike, r = unit x, and W is over W_NN: moments and impulses can be compared.
 */
typedef struct ns_rolling {
  ns_rolling_steps steps; /* as the problem has them */
  ns_rolling_steps own;   /* in these units: all rho are 1 */
  double unit[NS_ROLLING_ROWS];
  double W[NS_ROLLING_ROWS * NS_ROLLING_ROWS]; /* [d x d] by columns, in these units */
} ns_rolling;
/* 0; -1 where W_NN is not positive (or not finite). */
int ns_rolling_prepare(int d, const double *W, double mu, double mu_r, ns_rolling *k);

/* Solve u = W r + q with the law for one contact. r [d]: in, a guess; out, a solution, or the best
 * try, which is no worse than the guess. Take-off first; else u_R = -beta r_R with beta >= 0, so
 * that for each beta the rows of R drop out and what is left is a contact with friction, solved by
 * its exact cases; beta = 0 where r_R is then within its disc (the body does not roll), else the
 * root of |r_R| = mu_r r_N, kept in a bracket. Where that fails, Newton and projections that keep
 * the best. Returns the natural-map defect in the units above, | . | / max(|q|, |r|, |u|). */
double ns_rolling_solve(const ns_rolling *k, const double *q, double *r);
/* The same within a sweep, which asks for less: from a guess close by, what is worth a thousandth
 * of what that was worth, so that steps of Newton are left out that the next sweep would undo. */
double ns_rolling_sweep(const ns_rolling *k, const double *q, double *r);

#endif
