/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multibody_augmented.h -- what sweeps do not end on: the method of multipliers, with Newton's
 * method on the velocities of the bodies. Private to src/problems.
 *
 * With u = q + K y and y = L^T r as in multibody_sweep.h, a proximal step from r_k (Rockafellar
 * 1976) is the problem with u + alpha (r - r_k) for u, alpha diagonal. Given y, each block of it is
 * solved in closed form: r_N = max(0, r_kN - u_N / alpha_N), r_T and r_R those of r_k - u / alpha
 * on discs of the radius mu r_N, boxes row by row. Call that r = R(u): what is left is
 *
 *   y - L^T R(q + K y) = 0,     Newton:  (1 + L^T G K) dy = L^T R - y,   G = -dR/du  in each block
 *
 * (semismooth, Qi & Sun 1993; for convex laws the method of Zhao, Sun & Toh 2010). The matrix has a
 * block for each body and for each pair of bodies that touch, however many contacts there are
 * between them and whatever rank they have: bricks with four times as many rows as velocities cost
 * no more than balls. A step is damped until | y - L^T R | goes down. alpha = sigma W_ii; sigma
 * goes down where Newton converges and up where it does not; r_k moves only where the residual does
 * not grow.
 *
 * Steps that sweeps do not solve, to 1e-8 after 300 of them: falling dominoes, 20 to 40
 * factorisations of 0.05 ms; a tower of 32 bricks with 394 contacts that collapses, 40 of 0.8 ms,
 * as a rule; in 1 of 50 such steps 500 to 2000; grains of an hourglass, 950 contacts, 40 of 3 ms.
 * The cascade of mechanical.h took 0.1 s for the first and 11 to 100 s for the second, if it found
 * an end. */
#ifndef NS_PROBLEMS_MULTIBODY_AUGMENTED_H
#define NS_PROBLEMS_MULTIBODY_AUGMENTED_H

#include "algebra/sparse_lu.h"
#include "problems/multibody_work.h"

/* A part laid out for it. Rows in the order of the part's blocks; bodies numbered as they are met,
 * those that do not move left out. */
typedef struct ns_augmented_part {
  const ns_multibody *p;
  ns_multibody_part part;
  int dof, rows, nbodies, nv; /* nv = dof nbodies */
  int *first;                 /* row of each block [n + 1] */
  int *body;                  /* [2 n]; -1: none that moves */
  double *K, *L;              /* [rows][2 dof] */
  double *q, *own;            /* [rows]; W_ii, in rows of one disc the larger one */
  ns_blocks J;                /* 1 + L^T G K, every dim 1 [nv x nv] */
  /* where the columns of body f begin in rows of J of body e, block k: [4 k + 2 e + f] */
  int *at;
} ns_augmented_part;

/* number [nbodies of p]: -1 or NS_BODY_FIXED, out as in. 0: out of memory. */
int ns_augmented_load(const ns_multibody *p, ns_multibody_part part, int *number, ns_arena *a,
                      ns_augmented_part *s);
/* u = q + K y; y = L^T r. u, r [rows], y [nv] */
void ns_augmented_velocities(const ns_augmented_part *s, const double *y, double *u);
void ns_augmented_push(const ns_augmented_part *s, const double *r, double *y);
/* r = R(u) with over = 1/alpha; J at that u. */
void ns_augmented_laws(const ns_augmented_part *s, const double *over, const double *centre,
                       const double *u, double *r);
void ns_augmented_matrix(ns_augmented_part *s, const double *over, const double *centre,
                         const double *u);
/* J for blocks of G by columns, that of block k from at[k]. */
void ns_augmented_matrix_of(ns_augmented_part *s, const size_t *at, const double *G);
/* Between r of the problem and rows of the part; back: to the problem. */
void ns_augmented_copy(const ns_augmented_part *s, double *part, double *r, int back);
/* Natural map of r with that u, as ns_multibody_residual has it but for rounding; a NaN gives +inf.
 */
double ns_augmented_residual(const ns_augmented_part *s, const double *r, const double *u);

/* Factors for one structure, kept from call to call. */
typedef struct ns_augmented ns_augmented;
ns_augmented *ns_augmented_create(void);    /* NULL: out of memory */
void ns_augmented_destroy(ns_augmented *s); /* NULL-safe */
size_t ns_augmented_bytes(const ns_augmented *s);
/* Those for J, analysed anew where its structure has changed; they stay with s. */
int ns_augmented_prepare(ns_augmented *s, ns_ctx *c, const ns_blocks *J, ns_sparse_lu **lu);
/* x = J^-1 b by them; work [n] */
void ns_augmented_solve_matrix(ns_sparse_lu *lu, int n, const double *b, double *work, double *x);
/* At most `limit` factorisations, and as many as the watch allows (NULL: any number). r [nrows of
 * p] in and out, rows of the part alone: the best iterate where not solved. Scratch in `a`; number
 * as above. */
int ns_augmented_solve(ns_augmented *s, ns_ctx *c, double tol, int limit, ns_solve_watch *watch,
                       const ns_multibody *p, ns_multibody_part part, int *number, ns_arena *a,
                       double *r, ns_outcome *out);
/* The same by interior points, the way-th way (central_path.h): r is not read. */
int ns_interior_solve(ns_augmented *s, ns_ctx *c, double tol, int way, int limit,
                      ns_solve_watch *watch, const ns_multibody *p, ns_multibody_part part,
                      int *number, ns_arena *a, double *r, ns_outcome *out);
/* Work of a factorisation, ns of some machine. */
double ns_augmented_work(const ns_augmented_part *s, const ns_sparse_lu *lu);

#endif
