/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law_problem.h -- the one-step problem of first-order systems: matrix of the step, laws of the
 * model, all rows at once.
 *
 *   w = M z + q,  -w in N_K(z)
 *
 * K follows from the laws of all interactions: a box or a polyhedron (row_problem.h). The first
 * `head` rows are free: in saddle-point form they contain the state. */
#ifndef NS_SIMULATION_ROWS_LAW_PROBLEM_H
#define NS_SIMULATION_ROWS_LAW_PROBLEM_H

#include "simulation/rows/row_problem.h"

typedef struct ns_law_problem {
  ns_row_problem rows; /* all of them; rows.A: the matrix */
  ns_arena *mem;
  double *q, *z, *w, *lb, *ub; /* [rows.nrows] */
  double *guess;               /* initial guess of the current problem, for dumps [rows.nrows] */
} ns_law_problem;

/* S: scalar rows, borrowed; the structure is read now, values at each gather; head: rows before
 * those of the laws. Errors: NS_MODEL. */
int ns_law_problem_create(ns_ctx *c, const ns_model *m, int head, const ns_blocks *S,
                          const char *solver, ns_law_problem **k);
void ns_law_problem_destroy(ns_law_problem *k); /* NULL-safe */
size_t ns_law_problem_bytes(const ns_law_problem *k);
const char *ns_law_problem_solver_note(const ns_law_problem *k);
/* Solve: from k->q and the guess k->z, k->z and k->w. */
int ns_law_problem_solve(ns_law_problem *k, ns_ctx *c, ns_outcome *out);

#endif
