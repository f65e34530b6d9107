/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multibody_augmented.h -- for problems on which sweeps do not converge: the augmented Lagrangian
 * method, with Newton's method on the velocities of the bodies. Private to src/problems.
 *
 * With u = q + K y and y = L^T r as in multibody_sweep.h, a proximal step from r_k (Rockafellar
 * 1976) is the problem with u replaced by u + alpha (r - r_k), alpha diagonal. For given y, each
 * block is solved in closed form: r_N = max(0, r_kN - u_N / alpha_N); r_T and r_R are projections
 * of r_k - u / alpha onto discs of radius mu r_N; boxes are solved row by row. With this solution r
 * = R(u), the remaining equation is
 *
 *   y - L^T R(q + K y) = 0,     Newton:  (1 + L^T G K) dy = L^T R - y,
 *                               G = -dR/du in each block
 *
 * (semismooth, Qi & Sun 1993; for convex laws the method of Zhao, Sun & Toh 2010). The matrix has
 * one block per body and per pair of touching bodies, independent of the number and the rank of the
 * contacts between them: bricks, with four times as many rows as velocities, cost no more than
 * balls. Steps are damped until | y - L^T R | decreases. alpha = sigma W_ii; sigma decreases if
 * Newton's method converges and increases if it does not; r_k is updated only if the residual does
 * not grow.
 *
 * Measured on steps that 300 sweeps do not solve to 1e-8: falling dominoes, 20 to 40 factorisations
 * of 0.05 ms; a collapsing tower of 32 bricks with 394 contacts, usually 40 of 0.8 ms, in 1 of 50
 * steps 500 to 2000; grains of an hourglass with 950 contacts, 40 of 3 ms. The solvers of
 * mechanical.h took 0.1 s for the first and 11 to 100 s for the second, if they converged. */
#ifndef NS_PROBLEMS_MULTIBODY_AUGMENTED_H
#define NS_PROBLEMS_MULTIBODY_AUGMENTED_H

#include "algebra/sparse_lu.h"
#include "problems/multibody_work.h"

/* A part of a problem in the layout of this method: rows in the order of the part's blocks, bodies
 * numbered in the order in which blocks act on them, without those that do not move. */
typedef struct ns_augmented_part {
  const ns_multibody *p;
  ns_multibody_part part;
  int dof, rows, nbodies, nv; /* nv = dof nbodies */
  int *first;                 /* row of each block [n + 1] */
  int *body;                  /* [2 n]; -1: no moving body */
  double *K, *L;              /* [rows][2 dof] */
  double *q, *own;            /* q; W_ii, for the rows of one disc the largest [rows] */
  ns_blocks J;                /* 1 + L^T G K, every dim 1 [nv x nv] */
  /* index at which the columns of body f begin in rows of J of body e, block k: [4 k + 2 e + f] */
  int *at;
} ns_augmented_part;

/* Set *s from a part of p, in memory of `a`. number [nbodies of p]: in and out, -1 or NS_BODY_FIXED
 * (scratch). Returns 0 if out of memory. */
int ns_augmented_load(const ns_multibody *p, ns_multibody_part part, int *number, ns_arena *a,
                      ns_augmented_part *s);
/* u = q + K y; y = L^T r. u, r [rows], y [nv] */
void ns_augmented_velocities(const ns_augmented_part *s, const double *y, double *u);
void ns_augmented_push(const ns_augmented_part *s, const double *r, double *y);
/* _laws: r = R(u) with over = 1/alpha and centre = r_k. _matrix: J at u. */
void ns_augmented_laws(const ns_augmented_part *s, const double *over, const double *centre,
                       const double *u, double *r);
void ns_augmented_matrix(ns_augmented_part *s, const double *over, const double *centre,
                         const double *u);
/* J for given blocks of G by columns, that of block k from at[k]. */
void ns_augmented_matrix_of(ns_augmented_part *s, const size_t *at, const double *G);
/* Copy r of the problem to the rows of the part; back = 1: to the problem. */
void ns_augmented_copy(const ns_augmented_part *s, double *part, double *r, int back);
/* Natural map of r for a given u; equal to ns_multibody_residual to rounding. If r or u contains a
 * NaN the result is +inf. */
double ns_augmented_residual(const ns_augmented_part *s, const double *r, const double *u);

/* Factors of J for one structure, kept from call to call. */
typedef struct ns_augmented ns_augmented;
ns_augmented *ns_augmented_create(void);    /* NULL: out of memory */
void ns_augmented_destroy(ns_augmented *s); /* NULL-safe */
size_t ns_augmented_bytes(const ns_augmented *s);
/* Provide the factorisation object for J, analysed again if the structure of J has changed; s keeps
 * ownership of *lu. */
int ns_augmented_prepare(ns_augmented *s, ns_ctx *c, const ns_blocks *J, ns_sparse_lu **lu);
/* x = J^-1 b; work [n] */
void ns_augmented_solve_matrix(ns_sparse_lu *lu, int n, const double *b, double *work, double *x);
/* The same without factors: |b - J x| <= tol |b|, or after `limit` steps of two products with J.
 * Returns the steps, 0: x is not set. room [_krylov_room] */
size_t ns_augmented_krylov_room(const ns_augmented_part *s);
int ns_augmented_krylov(const ns_augmented_part *s, const double *b, double tol, int limit,
                        double *room, double *x);
/* Where the proximal steps of a call ended: r_k and sigma. */
typedef struct ns_augmented_path {
  double *centre; /* [rows] */
  double sigma;   /* 0: nothing yet, or no step is left */
  int near;       /* the guess was near, and Newton converges from it */
} ns_augmented_path;
/* Solve a part by at most `limit` factorisations, or if not `factored`, steps without factors, and
 * as many as the watch allows (NULL: any number). r [nrows of p]: in and out, only rows of the
 * part; if not solved, the best iterate. path: out, where the steps ended; in, if sigma > 0, they
 * go on from there instead of r; NULL: neither. Scratch in `a`; number as above. */
int ns_augmented_solve(ns_augmented *s, ns_ctx *c, double tol, int limit, int factored,
                       ns_solve_watch *watch, const ns_multibody *p, ns_multibody_part part,
                       int *number, ns_arena *a, ns_augmented_path *path, double *r,
                       ns_outcome *out);
/* The same of the worst blocks of a part and their neighbours alone, to much less than tol, with
 * the impulses of all others as they are; where that fails, the best iterate. */
int ns_local_solve(ns_augmented *s, ns_ctx *c, double tol, ns_solve_watch *watch,
                   const ns_multibody *p, ns_multibody_part part, int *number, ns_arena *a,
                   double *r, ns_outcome *out);
/* The same by the interior-point method (central_path.h) from initial point number `way`; r is not
 * read. */
int ns_interior_solve(ns_augmented *s, ns_ctx *c, double tol, int way, int limit,
                      ns_solve_watch *watch, const ns_multibody *p, ns_multibody_part part,
                      int *number, ns_arena *a, double *r, ns_outcome *out);
/* Estimated cost of a factorisation, in nanoseconds on a reference machine. */
double ns_augmented_work(const ns_augmented_part *s, const ns_sparse_lu *lu);

#endif
