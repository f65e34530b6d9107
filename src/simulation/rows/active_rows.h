/* SPDX-License-Identifier: GPL-3.0-or-later */
/* active_rows.h -- rows of first-order systems take part in the one-step problem where they act.
 *
 * Of many rows 0 <= w _|_ z >= 0, as of a crowd in which every pair may touch, few act at a time.
 * The problem of all rows, w = S z + q with S = D + where C G (couplings.h), is solved as one of
 * the rows A that act:
 *
 *   w_A = S_AA z_A + q_A in its law,   z = 0 on the other rows,
 *   w_r = q_r + where C_r G_A z_A + D_rA z_A >= 0   on each of them
 *
 * A row whose w is negative joins A, and the smaller problem is solved again. A only grows, so this
 * ends, and what it ends with solves the problem of all rows: nothing is neglected. A begins with
 * the rows that are not one-sided and those with a multiplier in the guess. G and S are formed for
 * A alone; the cost is that of the rows that act (an active set over constraints, Fletcher 1987,
 * ch. 10).
 *
 * Where A outgrows its capacity, or the smaller problem has no solution, the caller solves the
 * problem of all rows. Nothing but `create` allocates. */
#ifndef NS_SIMULATION_ROWS_ACTIVE_ROWS_H
#define NS_SIMULATION_ROWS_ACTIVE_ROWS_H

#include "simulation/rows/couplings.h"
#include "simulation/rows/law_problem.h"

typedef struct ns_active_rows {
  ns_couplings *k;         /* borrowed */
  const ns_law_problem *p; /* problem of all rows; borrowed */
  ns_arena *mem;
  int capacity;                /* rows of A, at most */
  int always;                  /* rows that are not one-sided; the first of A */
  int n, *row;                 /* A [capacity] */
  int *place;                  /* of each row in A, -1: not there [nrows] */
  int formed;                  /* rows of A that G and S stand for */
  double *S;                   /* S_AA by columns [n x n], leading dimension `capacity`*/
  double *q, *z, *w, *lb, *ub; /* of A [capacity] */
  double *guess;               /* where the problem that is shown began [capacity] */
  double *move;                /* where G_A z_A [nq]; zero between calls */
  ns_avi avi;                  /* the problem of A */
  ns_row_solver solver;
} ns_active_rows;

/* *out NULL without failure: the model has too few one-sided rows, a constant S, which is kept, or
 * asks for a storage of the problem of all rows. */
int ns_active_rows_create(ns_ctx *c, const ns_model *m, ns_couplings *k, const ns_law_problem *p,
                          ns_active_rows **out);
void ns_active_rows_destroy(ns_active_rows *a); /* NULL-safe */
size_t ns_active_rows_bytes(const ns_active_rows *a);

/* From q and the guess z of the problem of all rows to its z and w [nrows]. out->kind is NS_LIMIT
 * where A outgrows its capacity; z is the guess then, as where the problem of A has no solution. */
int ns_active_rows_solve(ns_active_rows *a, ns_ctx *c, double where, ns_outcome *out);

/* max |q_r / s_r| over A, s_r = max_j |S_rj|: the size of multipliers, of which rounding is a part.
 */
double ns_active_rows_level(const ns_active_rows *a);

#endif
