/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanical_work.h -- common parts of the solvers of mechanical.h: the problem of one contact.
 * Private to src/problems. */
#ifndef NS_PROBLEMS_MECHANICAL_WORK_H
#define NS_PROBLEMS_MECHANICAL_WORK_H

#include "problems/mechanical.h"
#include "problems/row_error.h"

#include <float.h>
#include <math.h>

/* fmax without a function call; returns b if a is NaN. */
static inline double ns_larger(double a, double b) { return a > b ? a : b; }

static inline int ns_mechanical_is_friction(const ns_mechanical *p, int a)
{
  return !p->kind || p->kind[a] == NS_BLOCK_FRICTION;
}

static inline int ns_mechanical_is_rolling(const ns_mechanical *p, int a)
{
  return p->kind && p->kind[a] == NS_BLOCK_ROLLING;
}

static inline int ns_mechanical_is_ball(const ns_mechanical *p, int a)
{
  return p->kind && p->kind[a] == NS_BLOCK_BALL;
}

/* A residual below NS_ROUNDING, of the size of the terms of a sum, is accepted as
 * zero, but only up to NS_ROUNDING_LIMIT: an r so large that its rounding errors hide the required
 * velocities is not a solution. */
static const double NS_ROUNDING_LIMIT = 1e-6;
/* 1 if the residual e of r is <= tol, or within the rounding error of W r + q. */
int ns_mechanical_accepts(const ns_mechanical *p, double tol, double e, const double *r,
                          const double *u);

static inline double ns_mechanical_tolerance(const ns_mechanical *p,
                                             const ns_mechanical_options *opt)
{
  return p->tol > 0 ? p->tol : opt->tol;
}

/* |x_T|. hypot would dominate the time of a sweep; squares overflow only for impulses far outside
 * mechanics. */
static inline double ns_contact_slip(int d, const double *x)
{
  return d == 2 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
}

/* ns_mechanical_cone, for loops over contacts. */
static inline void ns_contact_project(int d, double mu, double *r)
{
  double t = ns_contact_slip(d, r);
  if (t <= mu * r[0] && r[0] >= 0) return; /* mu may be 0 */
  double n = mu * t <= -r[0] ? 0 : (r[0] + mu * t) / (1 + mu * mu);
  if (!(n > 0)) n = 0;
  double f = n > 0 ? mu * n / t : 0;
  r[0] = n;
  for (int k = 1; k < d; k++) r[k] *= f;
}

/* Squared natural-map defect of one contact, | r - P_K(r - u - g(u)) |^2. */
static inline double ns_contact_defect(int d, double mu, const double *u, const double *r)
{
  double z[3] = {0}, s = 0;
  for (int k = 0; k < d; k++) z[k] = r[k] - u[k];
  z[0] -= mu * ns_contact_slip(d, u);
  ns_contact_project(d, mu, z);
  for (int k = 0; k < d; k++) s += (r[k] - z[k]) * (r[k] - z[k]);
  return s;
}

/* ns_mechanical_residual for a given u = W r + q. */
double ns_mechanical_defect(const ns_mechanical *p, const double *r, const double *u);

/* Diagonal block of one contact, prepared once for each W. */
typedef struct ns_contact {
  double W[9]; /* [d x d] by columns */
  double mu;
  double over;         /* in the plane: 1 / det W; 0 if W is singular */
  double rho_n, rho_t; /* rho of the Alart-Curnier map: 1/W_NN, 1/largest eigenvalue of W_TT */
  double scale;        /* largest |W_ij|; 0: the impulse has no effect */
  double S[4];         /* in space: W_TT - W_TN W_NT / W_NN, by columns */
  double f[2];         /* in space: W_TN / W_NN */
} ns_contact;
/* Returns 0; -1 if W_NN is not positive or not finite, except for W = 0. */
int ns_contact_prepare(int d, const double *W, double mu, ns_contact *k);

/* Solve u = W r + q with Coulomb's law for one contact. r [d]: in, an initial guess; out, the
 * solution or the best approximation. Closed-form cases first: take-off, stick, slip (two branches
 * in the plane; in space the slip alpha of (S + alpha) r_T = -s is a root of a secular equation,
 * found by Newton's method from the left, with a bracket). If none applies, Newton's method on the
 * Alart-Curnier map and projections alternate. Returns the natural-map defect |.| / max(|q|, |r|,
 * |u|). */
double ns_contact_solve_plane(const ns_contact *k, const double *q, double *r);
double ns_contact_solve_space(const ns_contact *k, const double *q, double *r);
/* The iterative methods alone, with the same arguments. kind 0: Alart-Curnier, 1: Jean-Moreau. */
double ns_contact_newton(int d, const ns_contact *k, int kind, const double *q, double *r,
                         int limit);
double ns_contact_projection(int d, const ns_contact *k, const double *q, double *r, int limit,
                             double tol);
/* In space: Alart-Curnier, projections, Jean-Moreau, projections, until one converges. */
double ns_contact_by_turns(const ns_contact *k, const double *q, double *r);
/* The closed-form cases alone, as in sweeps; returns 1 if one of them applies. */
int ns_contact_cases_plane(const ns_contact *k, const double *q, double *r);
int ns_contact_cases_space(const ns_contact *k, const double *q, double *r);
/* The same in space, with the slip alpha from the quartic of Bonnefon & Daviet (2011), the smallest
 * root with r_N > 0. Returns 1 if it is found. */
int ns_contact_quartic(const ns_contact *k, const double *q, double *r);

/* Solve by one of ns_contact_solvers except "auto"; r is unchanged unless the result is better. */
void ns_contact_solve_by(const ns_contact_solver *by, int d, const ns_contact *k, const double *q,
                         double *r);
/* Natural map of r with rho = 1/W_NN, divided by max(|q|/W_NN, |r|, |u|/W_NN). */
double ns_contact_worth(int d, const ns_contact *k, const double *q, const double *r);

/* F of Alart & Curnier 1991 (kind 0: radius mu max(0, r_N - rho u_N)) or Jean & Moreau 1987 (kind
 * 1: mu max(0, r_N)) at (r, u), and A = dF/du, B = dF/dr [d x d] by columns; NULL: not computed.
 * Formulas of Acary, Bremond & Huber 2018, section 4. */
void ns_contact_map(int d, const ns_contact *k, int kind, const double *r, const double *u,
                    double *F, double *A, double *B);

/* The parts of this map. The part of the normal also clears A, B [d x d]. A disc has the rows at ..
 * at + n - 1, a radius of mu times the normal impulse, and the step rho. */
typedef struct ns_disc {
  int at, n;
  double mu, rho, rho_n;
} ns_disc;
void ns_contact_normal_map(int d, double rho_n, const double *r, const double *u, double *F,
                           double *A, double *B);
void ns_contact_disc_map(int d, const ns_disc *t, int kind, const double *r, const double *u,
                         double *F, double *A, double *B);

/* ns_mechanical_residual of the problem (W + alpha, q). */
double ns_mechanical_shifted(const ns_mechanical *p, const double *q, double alpha, const double *r,
                             double *u);

/* Sweeps of a solver object of ns_mechanical_nsgs: at most `limit`; fewer if their rate of
 * convergence predicts more than `patience` further ones (0: no such test). out->residual: in, the
 * residual of r. */
void ns_mechanical_sweeps(void *self, const ns_mechanical *p, const int *block, int limit,
                          int patience, double *r, double *u, ns_outcome *out);

/* Estimated cost of one sweep over W, in nanoseconds on a reference machine. */
double ns_mechanical_sweep_cost(const void *self, const ns_blocks *W);

/* Up to 12 rows, friction in the plane and boxes: exact, by enumeration of the cases of the laws.
 * Returns 1 if solved; otherwise r and u are unchanged. */
int ns_mechanical_cases(const ns_mechanical *p, double tol, double *r, double *u, ns_outcome *out);

/* Up to 48 rows, none of which slides: exact, by one linear system or a few, of any rank. Returns 1
 * if solved; otherwise r and u are unchanged. */
int ns_mechanical_equality(const ns_mechanical *p, double tol, double *r, double *u,
                           ns_outcome *out);

/* Up to 48 rows with equalities: sweeps over the contacts after elimination of the equalities.
 * Returns 1 if solved; otherwise r and u are unchanged. */
int ns_mechanical_joints(const ns_mechanical *p, double tol, double *r, double *u, ns_outcome *out);

/* Steps of a solver object of ns_mechanical_newton, _regular or _proximal, which have the same
 * type: at most `limit`; 0: the default. */
typedef enum ns_newton_kind {
  NS_NEWTON_PLAIN,
  NS_NEWTON_JEAN_MOREAU,
  NS_NEWTON_REGULAR,
  NS_NEWTON_PROXIMAL,
  NS_NEWTON_CONSTANT,
  NS_NEWTON_INTERIOR,
  NS_NEWTON_EVERYWHERE /* the same from more initial points */
} ns_newton_kind;
void ns_mechanical_steps(void *self, const ns_mechanical *p, const int *block, ns_newton_kind kind,
                         int limit, double *r, double *u, ns_outcome *out);
/* Called for each problem before ns_mechanical_steps. Returns 1 if W has a low rank, so that steps
 * are fast. */
int ns_mechanical_begin(void *self, const ns_mechanical *p);
/* Estimated cost of one step, in nanoseconds on a reference machine. */
double ns_mechanical_step_cost(const void *self);
/* Returns 1; or 0 with NS_USAGE if p exceeds the capacity of such an object. */
int ns_mechanical_fits(const void *self, ns_ctx *c, const ns_mechanical *p);

/* 1 if some block has the kind `what`. */
static inline int ns_mechanical_any(const ns_blocks *W, const unsigned char *kind,
                                    ns_block_kind what)
{
  if (!kind) return what == NS_BLOCK_FRICTION && W->nb > 0;
  int a = 0;
  while (a < W->nb && kind[a] != what) a++;
  return a < W->nb;
}

/* 1 if all blocks are friction in the plane. */
int ns_mechanical_is_planar(const ns_blocks *W, const unsigned char *kind);

extern const ns_mechanical_solver_ops ns_mechanical_auto, ns_mechanical_nsgs, ns_mechanical_newton,
    ns_mechanical_jean_moreau, ns_mechanical_regular, ns_mechanical_proximal,
    ns_mechanical_extragradient, ns_mechanical_admm, ns_mechanical_pivot, ns_mechanical_interior;

#endif
