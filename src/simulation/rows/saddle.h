/* SPDX-License-Identifier: GPL-3.0-or-later */
/* saddle.h -- the matrix of a one-step problem in saddle-point form, with velocities or states u
 * and multipliers z as unknowns.
 *
 *   [ W   -g B ]   rows of u                 a: where relations are evaluated in the step
 *   [ a C   D  ]   rows of the laws
 *
 * W [n x n] is the iteration matrix; column r of B is the input of multiplier r, row r of C the
 * output of law r. The reduced form C W^-1 B is full although W is sparse; this form is as sparse
 * as the model. The structure is computed once, with all diagonal entries; values often. */
#ifndef NS_SIMULATION_ROWS_SADDLE_H
#define NS_SIMULATION_ROWS_SADDLE_H

#include "simulation/rows/rows.h"

typedef struct ns_saddle {
  /* by the owner, before create; borrowed */
  int n, nrows;         /* entries of u, laws */
  const ns_blocks *W;   /* scalar rows */
  const ns_rows *B, *C; /* over u [nrows] */
  const ns_rows *D;     /* over laws [nrows]; NULL: zero */
  /* made here */
  ns_blocks M;                    /* scalar rows: those of u, then those of the laws */
  int *W_at, *B_at, *C_at, *D_at; /* where their entries are in M.val */
  int *diagonal;                  /* of M [n + nrows] */
} ns_saddle;

/* NS_NOMEM without a message: out of memory, or more entries than M may have. */
int ns_saddle_create(ns_saddle *s, ns_arena *mem);
/* Set M from the current values of W, B, C, D; gain: g, where: a. */
void ns_saddle_fill(ns_saddle *s, double gain, double where);

#endif
