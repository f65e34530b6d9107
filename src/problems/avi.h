/* SPDX-License-Identifier: GPL-3.0-or-later */
/* avi.h -- affine variational inequality on a box: its statement, its residual, its solvers.
 *
 *   w = M z + q,  -w in N_[lb,ub](z):   z_i = lb_i => w_i >= 0,  z_i = ub_i => w_i <= 0,  else w_i = 0
 *
 * (Facchinei & Pang 2003, ch. 1). Bounds may be infinite, so that one statement holds them all:
 *
 *   LCP    lb = 0, ub = inf          MLCP   free rows (-inf, inf) are its equalities w_i = 0
 *   relay  lb, ub finite             linear equations: all rows free
 *
 * lb_i = ub_i fixes z_i. A problem knows nothing of models; its residual is computed here, from z alone. */
#ifndef NS_PROBLEMS_AVI_H
#define NS_PROBLEMS_AVI_H

#include "problems/lcp.h"

typedef struct ns_avi {
  int n;
  const double *dense;     /* M column-major, leading dimension ld; NULL where blocks is set */
  int ld;
  const ns_blocks *blocks; /* M sparse (every dim 1: CSR); NULL where dense is set */
  const double *q;         /* [n] */
  const double *lb, *ub;   /* [n], lb <= ub; -INFINITY and INFINITY are allowed */
  /* Equal, non-zero stamps of two problems given to one solver object say: same M, lb, ub to the bit.
   * The solver may then use its factors again. 0: no promise. */
  unsigned long stamp;
  ns_solve_watch *watch; /* NULL: nobody looks on */
} ns_avi;

/* Natural residual  max_i |z_i - proj_[lb_i,ub_i](z_i - w_i/s_i)| / (1 + max_i |q_i/s_i|),
 * s_i = max_j |M_ij| (1 where the row is 0); w = M z + q recomputed here and stored in w [n]. A NaN in z gives
 * +inf. For an LCP it is ns_lcp_residual, to the bit. */
double ns_avi_residual(const ns_avi *p, const double *z, double *w);

/* What kind of problem the bounds make of it. */
typedef enum ns_avi_class {
  NS_AVI_LINEAR, /* no row has a bound */
  NS_AVI_LCP,    /* every row is [0, inf) */
  NS_AVI_MLCP,   /* rows [0, inf) and free rows */
  NS_AVI_BOX     /* anything else */
} ns_avi_class;
ns_avi_class ns_avi_classify(int n, const double *lb, const double *ub);

typedef struct ns_avi_capacity {
  int n;                 /* size; problems are of this size, or principal parts of it (row, below) */
  size_t nnz;            /* most scalar entries of M where sparse (n*n where dense) */
  const ns_blocks *structure; /* of the sparse M, read at creation; NULL: dense */
  const double *lb, *ub; /* [n] bounds of every problem to come, up to a common factor > 0 of each row; finiteness
                          * and sign are read at creation */
  int symmetric;         /* M = M^T is promised */
} ns_avi_capacity;

typedef struct ns_avi_solver_ops {
  size_t size;      /* sizeof *this where compiled: new fields go last */
  const char *name; /* XML value: "lemke" */
  const char *help; /* one line, for `nssim list solvers` and nssim-model(5) */
  /* opt NULL: ns_lcp_defaults(). *self is NULL on failure. A solver that cannot take the class of problem or its
   * storage says so here: NS_MODEL, one sentence that names one that can. */
  int (*create)(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, void **self);
  /* z [n]: in, a guess (at lb, at ub or between them counts); out, the solution, or the guess where not solved.
   * w [n]: out, M z + q. row [n], ascending: which rows of the capacity these are (NULL: all of them).
   * Returns NS_OK with the outcome, or a failure. Does not allocate. */
  int (*solve)(void *self, ns_ctx *c, const ns_avi *p, const int *row, double *z, double *w, ns_outcome *out);
  void (*destroy)(void *self); /* NULL-safe */
  const ns_memory *memory; /* what it remembers from call to call beyond pure functions of its arguments, base/blob.h */
} ns_avi_solver_ops;

/* Registry, in the order of `nssim list solvers`; ends with NULL. "auto" comes first. */
extern const ns_avi_solver_ops *const ns_avi_solvers[];
/* NULL where there is none. */
const ns_avi_solver_ops *ns_avi_solver_find(const char *name);

#endif
