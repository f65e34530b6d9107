/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanical.h -- one-step problems of mechanics in reduced form, with friction, unilateral
 * contacts, equalities and relays as blocks of one matrix: statement, residual, solvers.
 *
 *   u = W r + q,  and in each block one of
 *
 *   friction     K* contains u + mu |u_T| e_N  _|_  r in K = { |r_T| <= mu r_N }
 *                (De Saxce & Feng 1998)
 *   rolling      K* contains u + (mu |u_T| + mu_r |u_R|) e_N  _|_  r in
 *                K = { |r_T| <= mu r_N, |r_R| <= mu_r r_N }, r = (r_N, r_T, r_R): u_R relative
 *                angular velocities, r_R moments (Acary & Bourrier 2021)
 *   box          -u in N_[lb,ub](r), row by row: unilateral [0, inf), relay,
 *                equality (-inf, inf)
 *   ball         -u in N_B(r), B = { |r| <= ub of its first row }: isotropic dry friction
 *
 * (Acary, Bremond & Huber 2018; with friction blocks alone this is the friction-contact problem,
 * with all kinds the generic mechanical one). A friction block has 2 rows (N, T) or 3 (N, T1, T2),
 * a rolling one 3 (N, T, R) or 5 (N, T1, T2, R1, R2), the normal first. In mechanics r is an
 * impulse in N s and u a velocity in m/s. A problem does not refer to a model. */
#ifndef NS_PROBLEMS_MECHANICAL_H
#define NS_PROBLEMS_MECHANICAL_H

#include "problems/lcp.h"

typedef enum ns_block_kind {
  NS_BLOCK_FRICTION,
  NS_BLOCK_BOX,
  NS_BLOCK_ROLLING,
  NS_BLOCK_BALL
} ns_block_kind;

enum { NS_BALL_ROWS = 6 }; /* max. number of rows of a ball */

typedef struct ns_mechanical {
  /* all diagonal blocks are present; friction blocks have 2 or 3 rows, rolling ones 3 or 5, box
   * blocks any number, balls up to 6 */
  const ns_blocks *W;
  const double *q; /* [W->m] */
  /* ns_block_kind of each block [W->nb]; NULL: friction everywhere */
  const unsigned char *kind;
  const double *mu; /* of friction and rolling blocks, >= 0 [W->nb] */
  /* of rolling blocks, >= 0, m [W->nb]; NULL if there are none */
  const double *mu_rolling;
  /* bounds of the rows of box blocks, and -radius, radius of the rows of balls [W->m]; NULL if
   * there are none */
  const double *lb, *ub;
  unsigned long stamp; /* as ns_lcp.stamp, of W, mu, lb, ub */
  /* accepted residual of this problem; 0: tol of the solver's options */
  double tol;
  int plain; /* see ns_multibody.plain */
  /* u at the beginning of the step [W->m]: of several solutions "auto" prefers one at rest where
   * that is small (resting.h); NULL: not known */
  const double *start;
  ns_solve_watch *watch; /* NULL: no limits */
} ns_mechanical;

/* Project r [d] onto the friction cone, and onto that of a rolling block, in place. */
void ns_mechanical_cone(int d, double mu, double *r);
void ns_mechanical_rolling_cone(int d, double mu, double mu_rolling, double *r);

/* Natural map with the De Saxce term, rho = 1, in the measure and scaling used for the published
 * solvers:
 *
 *   | r - P_K(r - u - g(u)) | / max(|q|, |r|, |u|),   g = mu |u_T| e_N, 2-norms
 *
 * P is the projection onto cones and boxes; u = W r + q is computed here and stored in u [W->m]. A
 * maximum below rounding is not divided by. The result is bounded below by two terms: | eps W_ii
 * r_i | / max(|q|, |u|), the rounding error of an r with a large part in the null space of W; and
 * (|e_b| / max(|q|, |u|))^2 for the natural map e_b of the rows of boxes, |u| of equalities,
 * because an unbounded r would hide that they are inconsistent, or beyond their bounds; where |r|
 * is above 1e4 max(|q|, |u|), contacts with friction that approach are among these; and by the
 * error of each row between two bounds, and of each ball, in its own units (row_error.h), because
 * dry friction that is small beside |q|, |r| or |u| counts for nothing in the natural map. over_q
 * (may be NULL): the natural map over |q|. If r contains a NaN the result is +inf. */
double ns_mechanical_residual(const ns_mechanical *p, const double *r, double *u, double *over_q);

/* Units. The natural map adds r (N s, or N m s) and u (m/s, or rad/s), which is meaningless for a
 * mote of dust with W = 1e12/kg, for a ship, or for joints of a mechanism in km, whose rows of
 * rotation have W = 1e11. Callers therefore scale all rows, s u = (s W s) (r/s) + s q, if some W_ii
 * is far from 1, by more than a factor of 2^14: then the squares of all u and r are energies, and
 * tolerances mean the same in any units of length and mass. One s for rows of a law together
 * changes no law; bounds are divided by s, mu_rolling is multiplied by s of the normal over that of
 * the moments.
 * _units: s [rows] of a block, given its W_ii in s: the power of 2, free of rounding, that brings
 * the first W_ii of rows that have one s near 1. Returns 1 if one of them is far from 1.
 * _together: how many rows from row i of a block on have one s, where i is the first of such. */
int ns_mechanical_units(int kind, int rows, double *s);
static inline int ns_mechanical_is_far(double w)
{
  return (w > 0 && w < 0x1p-14) || (w >= 0x1p15 && w < INFINITY);
}
int ns_mechanical_together(int kind, int rows, int i);

/* Inconsistency of linearly dependent equalities: max |u_i| that no r can remove, for a W that is a
 * Gram matrix. 0 if they are consistent within sqrt(tol) of the largest |q_i|, if W_ee is not
 * symmetric, or above 48 rows. */
double ns_mechanical_contradiction(const ns_mechanical *p, double tol);

/* Number of contacts with friction above which a scene is granular: the default tolerance is then
 * larger than for mechanisms. */
enum { NS_GRANULAR = 200 };
/* kind [n], NULL: friction everywhere. */
int ns_mechanical_is_granular(int n, const unsigned char *kind);

/* Solver of one contact in a Gauss-Seidel sweep, with the impulses of the others fixed. */
struct ns_contact;
typedef struct ns_contact_solver {
  const char *name; /* XML value: "quartic" */
  const char *help; /* one line */
  /* r [d]: in, an initial guess; out, an approximate solution. NULL for "auto": closed-form cases
   * first, iterations if none of them applies. */
  void (*solve)(int d, const struct ns_contact *k, const double *q, double *r);
} ns_contact_solver;

/* Registry, in the order of the choices of contactSolver; ends with NULL. */
extern const ns_contact_solver *const ns_contact_solvers[];
const ns_contact_solver *ns_contact_solver_find(const char *name); /* NULL if there is none */

typedef struct ns_mechanical_options {
  double tol;         /* accepted ns_mechanical_residual; default 1e-8 */
  int max_iterations; /* 0: the solver's default */
  double rho;         /* augmentation parameter of methods that have one; 0: chosen by the solver */
  int threads;        /* threads of parallel sweeps, which do not change the result; default 1 */
  const ns_contact_solver *contact; /* solver of one contact in a sweep; NULL: auto */
  /* the solver, if its name is that of a plug-in (plugged.h) */
  const struct ns_plugged *plugged;
} ns_mechanical_options;
ns_mechanical_options ns_mechanical_defaults(void);

typedef struct ns_mechanical_capacity {
  /* largest W: nb, m, dim, row and col are read at creation. Problems are principal submatrices of
   * it */
  const ns_blocks *structure;
  const unsigned char *kind; /* [structure->nb]; NULL: friction */
  int symmetric;             /* 1: W = W^T for all problems */
} ns_mechanical_capacity;

typedef struct ns_mechanical_solver_ops {
  const char *name; /* XML value: "nsgs" */
  const char *help; /* one line, for `nssim list solvers` */
  /* opt NULL: the defaults. *self is NULL on failure. */
  int (*create)(ns_ctx *c, const ns_mechanical_capacity *cap, const ns_mechanical_options *opt,
                void **self);
  /* r [W->m]: in, an initial guess; out, the solution or, if not solved, the best iterate, whose
   * residual is in *out. u [W->m]: out. block [W->nb], ascending: the blocks of the capacity that
   * the problem consists of (NULL: the first ones). Does not allocate. */
  int (*solve)(void *self, ns_ctx *c, const ns_mechanical *p, const int *block, double *r,
               double *u, ns_outcome *out);
  void (*destroy)(void *self); /* NULL-safe */
  /* data kept from call to call that are not pure functions of the arguments; see base/blob.h */
  const ns_memory *memory;
  int sweeps; /* 1: it uses sweeps, and thus options->contact */
} ns_mechanical_solver_ops;

/* Registry, in the order of `nssim list solvers`; ends with NULL. */
extern const ns_mechanical_solver_ops *const ns_mechanical_solvers[];
/* NULL if there is none */
const ns_mechanical_solver_ops *ns_mechanical_solver_find(const char *name);

#endif
