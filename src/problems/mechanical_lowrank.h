/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanical_lowrank.h -- Newton steps for contacts of few bodies, W = L L^T with L [m x k], k much
 * smaller than m.
 *
 * A step of mechanical_newton.c solves (A W + B + shift A) d = -F with blocks A, B. With D = B +
 * shift A, block by block,
 *
 *   (I + L^T D^-1 A L) y = -L^T D^-1 F,   d = -D^-1 (F + A L y)
 *
 * (Sherman, Morrison & Woodbury), which costs m k^2 operations instead of m^3, for hundreds of
 * contacts on a few bodies. L is the Cholesky factor with complete pivoting, which ends when the
 * remainder is rounding. Private to src/problems. */
#ifndef NS_PROBLEMS_MECHANICAL_LOWRANK_H
#define NS_PROBLEMS_MECHANICAL_LOWRANK_H

#include "base/arena.h"
#include "problems/mechanical.h"

typedef struct ns_lowrank {
  int m, limit;  /* rows of the capacity; max. rank */
  int rank;      /* rank of the current problem; 0: too large, the fields below are unused */
  double *L, *X; /* rows of L and of D^-1 A L, limit apart [m * limit] */
  double *S;     /* [limit^2] by columns */
  double *left;  /* remaining diagonal of the factorisation [m] */
  /* blocks of the map (map_block of mechanical_newton.c); factors of D [entries] */
  double *A, *B, *D;
  size_t *at;        /* first entry of each block in A, B, D [nb+1] */
  int *piv, *spiv;   /* [m], [limit] */
  double *y, *x, *e; /* [limit], [m], [m] */
} ns_lowrank;

/* 1 if the structure of W suggests contacts of few bodies, and W is large enough for a gain. */
int ns_lowrank_fits(const ns_blocks *W);
/* Allocate memory for problems with the structure of W. NULL: out of memory. */
ns_lowrank *ns_lowrank_create(ns_arena *mem, const ns_blocks *W);
/* Factor W and set l->rank; 0 if the rank exceeds the limit or W is not symmetric. */
void ns_lowrank_factor(ns_lowrank *l, const ns_blocks *W);
/* Factor the matrix with l->A, l->B. Returns 0 if it is singular. */
int ns_lowrank_load(ns_lowrank *l, const ns_blocks *W, double shift);
/* d = -(A W + B + shift A)^-1 F, with one step of iterative refinement. */
void ns_lowrank_solve(ns_lowrank *l, const ns_blocks *W, double shift, const double *F, double *d);
/* Estimated cost of a step, in nanoseconds on a reference machine. */
double ns_lowrank_cost(const ns_lowrank *l);

#endif
