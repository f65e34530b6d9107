/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanical.h -- one-step problems of mechanics, reduced to the contacts: friction, unilateral
 * contacts, equalities and relays as blocks of one matrix. Its statement, its residual, its
 * solvers.
 *
 *   u = W r + q,  and in each block one of
 *
 *   friction     K* contains u + mu |u_T| e_N  _|_  r in K = { |r_T| <= mu r_N }    (De Saxce &
 *                Feng 1998)
 *   rolling      K* contains u + (mu |u_T| + mu_r |u_R|) e_N  _|_  r in K = { |r_T| <= mu r_N,
 *                |r_R| <= mu_r r_N },
 *                r = (r_N, r_T, r_R): u_R relative angular velocities, r_R moments
 *                    (Acary & Bourrier 2021)
 *   box          -u in N_[lb,ub](r), row by row: unilateral [0, inf), relay, equality (-inf, inf)
 *   ball         -u in N_B(r), B = { |r| <= ub of its first row }: dry friction in all directions
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

enum { NS_BALL_ROWS = 6 }; /* of a ball at most */

typedef struct ns_mechanical {
  const ns_blocks *W; /* diagonal blocks are present; friction blocks have 2 or 3 rows, rolling ones
                       * 3 or 5, box blocks any number, balls up to 6 */
  const double *q;    /* [W->m] */
  /* ns_block_kind of each block [W->nb]; NULL: friction everywhere */
  const unsigned char *kind;
  const double *mu; /* of friction and rolling blocks, >= 0 [W->nb] */
  /* of rolling blocks, >= 0, m [W->nb]; NULL where there is none */
  const double *mu_rolling;
  /* of the rows of box blocks and balls, of these -radius and radius [W->m]; NULL where there is
   * none */
  const double *lb, *ub;
  unsigned long stamp; /* as ns_lcp.stamp, of W, mu, lb, ub */
  /* accepted residual of this problem; 0: that of the solver's options */
  double tol;
  int plain;             /* as ns_multibody.plain */
  ns_solve_watch *watch; /* NULL: nobody looks on */
} ns_mechanical;

/* Projection of r [d] on the friction cone, and on that of a rolling block, in place. */
void ns_mechanical_cone(int d, double mu, double *r);
void ns_mechanical_rolling_cone(int d, double mu, double mu_rolling, double *r);

/* Natural map with the De Saxce term, rho = 1; u recomputed here and stored in u [W->m]:
 *   | r - P_K(r - u - g(u)) | / max(|q|, |r|, |u|),   g = mu |u_T| e_N, 2-norms, P also the
 *       projection on the boxes,
 * not divided where the maximum is below rounding: the measure and the scaling of the published
 * solvers. It is no less than | eps W_ii r_i | / max(|q|, |u|), what rounding leaves of an r with a
 * large part that W does not see; and than (|u_e| / max(|q|, |u|))^2 of the equalities: where these
 * contradict each other, an r without bounds would drown that in its own size. over_q (may be
 * NULL): the natural map over |q|. A NaN in r gives +inf. */
double ns_mechanical_residual(const ns_mechanical *p, const double *r, double *u, double *over_q);

/* The natural map compares r with u, N s with m/s: it says nothing of impulses of a mote of dust,
 * whose W is 1e12/kg, and nothing of velocities of a ship. So a caller gives a block impulses and
 * velocities in units of its own, s u = (s W s) (r/s) + s q, with one s for all of its rows, which
 * changes no law; bounds are over s. This is s for a block whose largest W_ii is w: a power of 2,
 * which rounds nothing, that brings w near 1; 1 where w is within 2^14 of that, as a tolerance is
 * worth something there. */
double ns_mechanical_unit(double w);

/* What equalities that follow from others leave open whatever r is, max |u_i|, for a W that is a
 * Gram matrix: they contradict each other. Nothing (0) where they do not by more than sqrt(tol) of
 * the largest |q_i|, where W_ee is not symmetric, or above 48 rows. */
double ns_mechanical_contradiction(const ns_mechanical *p, double tol);

/* Granular scenes have more contacts with friction than this: their users ask for less than for a
 * mechanism. */
enum { NS_GRANULAR = 200 };
/* kind [n], NULL: friction everywhere. */
int ns_mechanical_is_granular(int n, const unsigned char *kind);

/* How a sweep of Gauss-Seidel solves one contact, the others held. */
struct ns_contact;
typedef struct ns_contact_solver {
  const char *name; /* XML value: "quartic" */
  const char *help; /* one line */
  /* r [d]: in, a guess; out, a try. NULL, "auto": the exact cases first, iterations where none of
   * them fits. */
  void (*solve)(int d, const struct ns_contact *k, const double *q, double *r);
} ns_contact_solver;

/* Registry, in the order of the choices of contactSolver; ends with NULL. */
extern const ns_contact_solver *const ns_contact_solvers[];
const ns_contact_solver *ns_contact_solver_find(const char *name); /* NULL where there is none */

typedef struct ns_mechanical_options {
  double tol;         /* accepted ns_mechanical_residual; default 1e-8 */
  int max_iterations; /* 0: the solver's own default */
  double rho;         /* of methods that have one; 0: chosen by the solver */
  int threads;        /* of parallel sweeps; the bytes do not depend on it; default 1 */
  const ns_contact_solver *contact;        /* of one contact in a sweep; NULL: auto */
  const struct ns_plugged_solver *plugged; /* of the solver with a plug-in's name (plugged.h) */
} ns_mechanical_options;
ns_mechanical_options ns_mechanical_defaults(void);

typedef struct ns_mechanical_capacity {
  /* of the largest W: nb, m, dim, row, col, read at creation. Problems are principal parts of it */
  const ns_blocks *structure;
  const unsigned char *kind; /* [structure->nb]; NULL: friction */
  int symmetric;             /* W = W^T is promised */
} ns_mechanical_capacity;

typedef struct ns_mechanical_solver_ops {
  const char *name; /* XML value: "nsgs" */
  const char *help; /* one line, for `nssim list solvers` */
  /* opt NULL: the defaults. *self is NULL on failure. */
  int (*create)(ns_ctx *c, const ns_mechanical_capacity *cap, const ns_mechanical_options *opt,
                void **self);
  /* r [W->m]: in, a guess; out, the solution, or the best iterate where not solved: the outcome
   * tells its residual. u [W->m]: out. block [W->nb], ascending: which blocks of the capacity these
   * are (NULL: the first ones). Does not allocate. */
  int (*solve)(void *self, ns_ctx *c, const ns_mechanical *p, const int *block, double *r,
               double *u, ns_outcome *out);
  void (*destroy)(void *self); /* NULL-safe */
  /* what it remembers from call to call beyond pure functions of its arguments, base/blob.h */
  const ns_memory *memory;
  int sweeps; /* it has sweeps, in which the options' solver of one contact counts */
} ns_mechanical_solver_ops;

/* Registry, in the order of `nssim list solvers`; ends with NULL. */
extern const ns_mechanical_solver_ops *const ns_mechanical_solvers[];
/* NULL where there is none */
const ns_mechanical_solver_ops *ns_mechanical_solver_find(const char *name);

#endif
