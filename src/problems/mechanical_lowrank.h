/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanical_lowrank.h -- Newton steps for contacts of few bodies, W = L L^T with L [m x k], k well
 * below m.
 *
 * A step of mechanical_newton.c solves (A W + B + shift A) d = -F with blocks A, B. With D = B +
 * shift A, block by block,
 *
 *   (I + L^T D^-1 A L) y = -L^T D^-1 F,   d = -D^-1 (F + A L y)                  (Sherman, Morrison
 * & Woodbury)
 *
 * which costs m k^2 instead of m^3: hundreds of contacts on a few bodies, each of which meets
 * dozens. L is the Cholesky factor with complete pivoting, ended where what is left is rounding.
 * Private to src/problems. */
#ifndef NS_PROBLEMS_MECHANICAL_LOWRANK_H
#define NS_PROBLEMS_MECHANICAL_LOWRANK_H

#include "base/arena.h"
#include "problems/mechanical.h"

typedef struct ns_lowrank {
  int m, limit;      /* rows of the capacity; largest rank */
  int rank;          /* of the problem at hand; 0: not low, nothing below counts */
  double *L, *X;     /* rows of L and of D^-1 A L, limit apart [m * limit] */
  double *S;         /* [limit^2] by columns */
  double *left;      /* what is left of the diagonal [m] */
  double *A, *B, *D; /* blocks as map_block makes them; factors of D [entries] */
  size_t *at;        /* of each block in A, B, D [nb+1] */
  int *piv, *spiv;   /* [m], [limit] */
  double *y, *x, *e; /* [limit], [m], [m] */
} ns_lowrank;

/* Is W, by its structure, dense enough to be of few bodies, and large enough to make it worth
 * while? */
int ns_lowrank_fits(const ns_blocks *W);
/* Memory for problems of that structure. NULL: there is none. */
ns_lowrank *ns_lowrank_create(ns_arena *mem, const ns_blocks *W);
/* l->rank of W; 0 where it is above the limit, or W is not symmetric. */
void ns_lowrank_factor(ns_lowrank *l, const ns_blocks *W);
/* Factors for l->A, l->B. 0: singular. */
int ns_lowrank_load(ns_lowrank *l, const ns_blocks *W, double shift);
/* d = -(A W + B + shift A)^-1 F, refined once. */
void ns_lowrank_solve(ns_lowrank *l, const ns_blocks *W, double shift, const double *F, double *d);
/* Estimate of a step, in nanoseconds of some machine. */
double ns_lowrank_cost(const ns_lowrank *l);

#endif
