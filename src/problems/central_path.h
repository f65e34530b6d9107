/* SPDX-License-Identifier: GPL-3.0-or-later */
/* central_path.h -- a primal-dual interior-point method for the laws of contact, with the scaling
 * of Nesterov & Todd (1997). Private to src/problems.
 *
 * The law of each block is written as complementarity conditions x o z = 0 on second-order cones L
 * = { |x_T| <= x_0 }:
 *
 *   a bound, a normal   x = u, z = r - lb   or   x = -u, z = ub - r      a half-line each
 *   a disc of friction  x = (lambda, u_T),   z = (mu r_N, r_T)           rolling has two
 *
 * where lambda = |u_T| is an additional unknown (in the plane that is the problem of Stewart &
 * Trinkle 1996). Equalities have no cone. x and z stay inside L, and the defect rho = x - x(u) goes
 * to zero together with the products. A step is that of Newton's method for x = x(u), x o z = sigma
 * mean(x^T z) e, with Mehrotra's predictor and corrector (1992). With V, V z = V^-1 x = l, it is
 *
 *   du + V^2 dz = V g + rho,   l o g = sigma mean(x^T z) e - l o l
 *
 * in the rows of each cone except that of lambda. This is A du + B dr = -F with block diagonal A
 * and B, or (A W + B) dr = -F. The caller factors this matrix, in reduced or in saddle-point form.
 * W may have any rank. sigma mean(x^T z) is bounded below in proportion to rho, because the path
 * ends if products vanish before rho does.
 *
 * Published problems of contact, in the plane and in space, take 11 to 36 steps to 1e-8. With
 * friction the path may reverse: steps then become short, and the iterate is used as initial guess
 * of other methods. Of the steps of a column of 500 disks, 815 contacts, on which sweeps and
 * Newton's method from the guess end above 1e-4, half are solved in 30 to 60 steps and nine of ten
 * of the rest by Newton's method from there. */
#ifndef NS_PROBLEMS_CENTRAL_PATH_H
#define NS_PROBLEMS_CENTRAL_PATH_H

#include "base/arena.h"
#include "problems/mechanical_law.h"

/* The problem u = q + W r, as functions of the caller. */
typedef struct ns_central_system {
  void *self;
  void (*velocities)(void *self, const double *r, double *u);
  double (*residual)(void *self, const double *r, const double *u);
  /* factor A W + B for the current A and B; 0: singular */
  int (*factor)(void *self);
  void (*solve)(void *self, const double *F, double *d); /* d = -(A W + B)^-1 F */
} ns_central_system;

enum { NS_CONE = 3 }; /* max. number of entries of a cone */

/* One cone and its iterate. */
typedef struct ns_cone {
  int block, n;     /* n: entries; 1, a half-line, to 3 */
  int row[NS_CONE]; /* of u and r; of a disc the normal first */
  double factor;    /* z_0 = factor (r - bound): mu, or the sign of a half-line */
  double bound;
  double x[NS_CONE], dx[NS_CONE], z[NS_CONE], dz[NS_CONE];
  double beta, w[NS_CONE], l[NS_CONE]; /* V = beta (2 v v^T - J), V^2 = beta^2 (2 w w^T - J) */
  double g[NS_CONE];
} ns_cone;

typedef struct ns_central {
  /* set by the caller */
  int nb, rows;
  const int *first;      /* rows of block k: first[k] .. first[k + 1] - 1 [nb + 1] */
  const ns_law *law;     /* [nb] */
  const double *q, *own; /* own: W_ii [rows] */
  const size_t *at;      /* first entry of each block in A and B */
  double *A, *B;         /* [d x d] each, by columns; A is diagonal, 0 or 1 */
  /* set by ns_central_get and _solve */
  int ncones;
  ns_cone *cone;          /* [2 rows] */
  double *r, *dr, *u, *F; /* [rows] */
} ns_central;

/* Allocate the memory in `a`. 0: out of memory. */
int ns_central_get(ns_central *o, ns_arena *a);
/* Iterate until the residual is within tol, for at most `limit` steps. way: 0, 1, ... chooses the
 * initial point in the cones. r [rows]: out, the best iterate. */
void ns_central_solve(ns_central *o, const ns_central_system *s, int way, double tol, int limit,
                      ns_solve_watch *watch, double *r, ns_outcome *out);

#endif
