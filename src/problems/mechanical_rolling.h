/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanical_rolling.h -- the problem of one contact with rolling friction. Private to
 * src/problems.
 *
 * r = (r_N, r_T, r_R) in K = { |r_T| <= mu r_N, |r_R| <= mu_r r_N }; the law of mechanical.h
 * separates into
 *
 *   0 <= u_N _|_ r_N >= 0,   -u_T in N_K(r_T),   -u_R in N_K(r_R)
 *
 * with K the disc of radius mu r_N for r_T and of radius mu_r r_N for r_R, because r . (u + g) is a
 * sum of three nonnegative terms. d = 5 rows in space, 3 in the plane: each disc has n = d / 2
 * rows. */
#ifndef NS_PROBLEMS_MECHANICAL_ROLLING_H
#define NS_PROBLEMS_MECHANICAL_ROLLING_H

#include "problems/mechanical.h"

#include <math.h>

enum { NS_ROLLING_ROWS = 5 };

/* _slip: |x_T|; _turn: |x_R|. */
static inline double ns_rolling_slip(int d, const double *x)
{
  return d == 3 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
}
static inline double ns_rolling_turn(int d, const double *x)
{
  return d == 3 ? fabs(x[2]) : sqrt(x[3] * x[3] + x[4] * x[4]);
}

/* The term g of u + g e_N, mu |u_T| + mu_r |u_R|. */
static inline double ns_rolling_lift(int d, double mu, double mu_r, const double *u)
{
  return mu * ns_rolling_slip(d, u) + mu_r * ns_rolling_turn(d, u);
}

/* Squared natural-map defect, | r - P_K(r - u - g e_N) |^2. */
double ns_rolling_defect(int d, double mu, double mu_r, const double *u, const double *r);

/* Parameters of the map of a contact: step lengths rho of N, T and R. */
typedef struct ns_rolling_steps {
  int d;
  double mu, mu_r, rho_n, rho_t, rho_r;
} ns_rolling_steps;

/* The map of Alart & Curnier (kind 0) or Jean & Moreau (1) with a second disc; otherwise as
 * ns_contact_map. A, B [d x d]. */
void ns_rolling_map(const ns_rolling_steps *k, int kind, const double *r, const double *u,
                    double *F, double *A, double *B);

/* Diagonal block of one contact, prepared once for each W. Internally N, T and R have units in
 * which their blocks of W are of the same size, r = unit x, and W is divided by W_NN, so that
 * moments and impulses can be compared. */
typedef struct ns_rolling {
  ns_rolling_steps steps; /* in the units of the problem */
  ns_rolling_steps own;   /* in internal units: all rho are 1 */
  double unit[NS_ROLLING_ROWS];
  double W[NS_ROLLING_ROWS * NS_ROLLING_ROWS]; /* [d x d] by columns, in internal units */
} ns_rolling;
/* Returns 0; -1 if W_NN is not positive or not finite. */
int ns_rolling_prepare(int d, const double *W, double mu, double mu_r, ns_rolling *k);

/* Solve u = W r + q and the law of one contact. r [d]: in, an initial guess; out, the solution, or
 * the best approximation, which is not worse than the guess. Take-off is tried first. Otherwise u_R
 * = -beta r_R with beta >= 0: for each beta, the rows of R can be eliminated, which leaves a
 * contact with friction, solved in closed form. If r_R for beta = 0 is within its disc, the body
 * does not roll; else beta is the root of |r_R| = mu_r r_N, kept in a bracket. If this fails,
 * Newton's method and projections follow. Returns the natural-map defect in internal units, | . | /
 * max(|q|, |r|, |u|). */
double ns_rolling_solve(const ns_rolling *k, const double *q, double *r);
/* The same within a sweep, with a lower accuracy: from a close guess, a thousandth of the defect of
 * the guess, which saves Newton steps that the next sweep would undo. */
double ns_rolling_sweep(const ns_rolling *k, const double *q, double *r);

#endif
