/* SPDX-License-Identifier: GPL-3.0-or-later */
/* global.h -- friction problems in saddle-point form, with velocities and impulses as unknowns, and
 * their reduction to the contacts.
 *
 *   M v = q + H r,   u = H^T v + b,   and in each block (u, r) a law of mechanical.h
 *
 * M is the mass matrix (with stiffness and damping if the step is implicit), H contains the
 * directions of the contacts, b the velocities that do not depend on v (Acary, Bremond & Huber
 * 2018, section 2.3). Elimination of v gives the problem in reduced form
 *
 *   W = H^T M^-1 H,   q_loc = H^T M^-1 q + b .
 *
 * M is block diagonal by bodies, the connected components of its graph: small blocks are factored
 * as dense matrices, large ones (flexible bodies) as sparse matrices. W couples the contacts of
 * each body. */
#ifndef NS_PROBLEMS_GLOBAL_H
#define NS_PROBLEMS_GLOBAL_H

#include "problems/mechanical.h"

typedef struct ns_global {
  const ns_blocks *M; /* [n x n], every dim 1; its diagonal need not be stored */
  const double *q;    /* [n] */
  /* H^T by rows [m x n]: row i, a component of a contact, has the entries row[i] .. row[i+1]-1 */
  const int *row, *col; /* [m+1], [row[m]] */
  const double *val;
  const double *b; /* [m] */
  /* blocks of the contacts, as in ns_mechanical */
  int nb, m;
  const int *dim, *first; /* [nb], [nb+1] */
  const unsigned char *kind;
  const double *mu, *mu_rolling, *lb, *ub;
  ns_solve_watch *watch; /* NULL: no limits */
} ns_global;

/* Residual used for the published solvers,
 *
 *   | M v - H r - q | / max(|q|, |M v|, |H r|)  +  | natural map, rho = 1 | / max(|u|, |r|)
 *
 * with u = H^T v + b computed here and stored in u [m]; 2-norms; a denominator below sqrt(rounding)
 * is replaced by 1. It is at least (|u_e| / max(|b|, |u|))^2 for the equalities e, as in
 * ns_mechanical_residual, and the errors of rows between two bounds, where the unit of u_i is
 * |b_i| + |H^T| |v| of the row. work [n]. If v or r contains a NaN the result is +inf. */
double ns_global_residual(const ns_global *p, const double *v, const double *r, double *u,
                          double *work);

/* u = H^T v + b. */
void ns_global_velocities(const ns_global *p, const double *v, double *u);

typedef struct ns_global_solver ns_global_solver;

/* Create a solver for p, whose structure and values are read: M is factored and W computed. ops:
 * the solver of the reduced problem. Errors: NS_NOMEM; NS_NUMERIC (M is singular). */
int ns_global_create(ns_ctx *c, const ns_global *p, const ns_mechanical_solver_ops *ops,
                     const ns_mechanical_options *opt, ns_global_solver **out);
void ns_global_destroy(ns_global_solver *s); /* NULL-safe */
/* The reduced problem, borrowed. */
const ns_mechanical *ns_global_reduced(const ns_global_solver *s);
/* r [m]: in, an initial guess; out, the solution or the best iterate. u [m], v [n]: out. The
 * residual of the outcome is ns_global_residual. Does not allocate. */
int ns_global_solve(ns_global_solver *s, ns_ctx *c, double *r, double *u, double *v,
                    ns_outcome *out);

#endif
