/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law_problem.h -- the one-step problem of first-order systems: matrix of the step, laws of the
 * model.
 *
 *   w = M z + q,  -w in N_K(z)
 *
 * K follows from the laws of all interactions: a box (problems/avi.h), or a polyhedron
 * (problems/polyhedral.h) if one law is a polyhedron; finite bounds of boxes are then rows of it.
 * The first `head` rows are free: in saddle-point form they contain the state. */
#ifndef NS_SIMULATION_ROWS_LAW_PROBLEM_H
#define NS_SIMULATION_ROWS_LAW_PROBLEM_H

#include "model/model.h"
#include "problems/polyhedral.h"
#include "simulation/rows/row_problem.h"
#include "simulation/simulation.h"

typedef struct ns_law_problem {
  const ns_model *m;
  ns_arena *mem;
  /* total number of rows; number of free rows before those of the laws */
  int n, head;
  const ns_blocks *S;          /* the matrix, scalar rows; borrowed */
  int dense;                   /* storage */
  double *full;                /* dense matrix [n x n] */
  double *q, *z, *w, *lb, *ub; /* [n] */
  double *guess;               /* initial guess of the current problem, for dumps [n] */
  ns_avi avi;
  unsigned long gathered; /* number of gathers, for stamps */
  ns_row_solver solver;
  /* if a law is a polyhedron */
  ns_polyhedral_solver *poly;
  ns_polyhedral statement;
  double *H, *k, *mu; /* [p x n], [p], [p] */
} ns_law_problem;

/* S: the structure is read now, values at each gather; head: rows before those of the laws. Errors:
 * NS_MODEL. */
int ns_law_problem_create(ns_ctx *c, const ns_model *m, int head, const ns_blocks *S,
                          const char *solver, ns_law_problem **k);
void ns_law_problem_destroy(ns_law_problem *k); /* NULL-safe */
size_t ns_law_problem_bytes(const ns_law_problem *k);
const char *ns_law_problem_solver_note(const ns_law_problem *k);

/* The values of S have changed. */
void ns_law_problem_gather(ns_law_problem *k);
/* Solve: from k->q and the guess k->z, k->z and k->w. */
int ns_law_problem_solve(ns_law_problem *k, ns_ctx *c, ns_outcome *out);
/* Violation of the laws by lambda and y [nrows]: max over rows of |lambda - proj_[lb,ub](lambda -
 * y)|; for a polyhedron the larger of |y - N^T mu| and |min(mu, N lambda - k)|, rows. */
double ns_law_problem_violation(const ns_law_problem *k, const double *y, const double *lambda);

#endif
