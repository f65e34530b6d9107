/* SPDX-License-Identifier: GPL-3.0-or-later */
/* active_rows.h -- active-set solution of one-step problems with many unilateral first-order rows.
 *
 * Of many rows 0 <= w _|_ z >= 0, as in a crowd in which any pair may touch, only few have z > 0 at
 * a time. The problem of all rows, w = S z + q with S = D + where C G (step_problem.h), is replaced
 * by that of a set A of active rows:
 *
 *   w_A = S_AA z_A + q_A in its law,   z = 0 on the other rows,
 *   w_r = q_r + where C_r G_A z_A + D_rA z_A >= 0   on each of them
 *
 * A row with negative w is added to A, and the smaller problem is solved again. A only grows, so
 * this ends, with a solution of the problem of all rows. Initially A contains the rows that are not
 * unilateral and those with a nonzero guess. G and S are formed only for A, so the cost is that of
 * the active rows (an active-set method for constraints, Fletcher 1987, ch. 10).
 *
 * If A exceeds its capacity, or the smaller problem has no solution, the caller solves the problem
 * of all rows. Only `create` allocates. */
#ifndef NS_SIMULATION_ROWS_ACTIVE_ROWS_H
#define NS_SIMULATION_ROWS_ACTIVE_ROWS_H

#include "simulation/rows/couplings.h"
#include "simulation/rows/step_problem.h"

typedef struct ns_active_rows {
  ns_couplings *k;    /* borrowed */
  ns_step_problem *p; /* problem of all rows; borrowed */
  ns_arena *mem;
  int capacity;                /* max. number of rows of A */
  int always;                  /* number of rows that are not unilateral, the first of A */
  int n, *row;                 /* A [capacity] */
  int *place;                  /* index of each row in A; -1: not in A [nrows] */
  int formed;                  /* number of rows of A for which G and S are formed */
  double *S;                   /* S_AA by columns [n x n], leading dimension `capacity`*/
  double *q, *z, *w, *lb, *ub; /* of A [capacity] */
  double *guess;               /* initial guess of the current problem, for dumps [capacity] */
  double *move;                /* where G_A z_A [nq]; zero between calls */
  ns_avi avi;                  /* the problem of A */
  ns_row_solver solver;
} ns_active_rows;

/* Create; *out NULL without failure: the model has too few unilateral rows, a constant S (which is
 * stored), or a user option for the storage of the problem of all rows. */
int ns_active_rows_create(ns_ctx *c, const ns_model *m, ns_couplings *k, ns_step_problem *p,
                          ns_active_rows **out);
void ns_active_rows_destroy(ns_active_rows *a); /* NULL-safe */
size_t ns_active_rows_bytes(const ns_active_rows *a);

/* Solve: from q and the guess z of the problem of all rows, z and w [nrows]. out->kind is NS_LIMIT
 * if A exceeds its capacity; z is then the guess, as when the problem of A has no solution. */
int ns_active_rows_solve(ns_active_rows *a, ns_ctx *c, ns_outcome *out);

/* max |q_r / s_r| over A, s_r = max_j |S_rj|: the size of multipliers, as scale of their rounding
 * errors. */
double ns_active_rows_level(const ns_active_rows *a);

#endif
