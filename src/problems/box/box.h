/* SPDX-License-Identifier: GPL-3.0-or-later */
/* box.h -- linear complementarity on a box: the statement, its residual, its solvers.
 *
 *   w = M z + q,  -w in N_[lb,ub](z):   z_i = lb_i => w_i >= 0,  z_i = ub_i => w_i <= 0,  else w_i
 *   = 0
 *
 * the affine variational inequality of a box (Facchinei & Pang 2003, ch. 1). Bounds may be
 * infinite, so that one statement covers several problems:
 *
 *   LCP    lb = 0, ub = inf: 0 <= w _|_ z >= 0 (Cottle, Pang & Stone 1992)
 *   MLCP   free rows (-inf, inf) are its equalities w_i = 0
 *   relay  lb, ub finite             linear equations: all rows free
 *
 * lb_i = ub_i fixes z_i. Without bounds (lb = ub = NULL) it is an LCP; callers with such rows only
 * call ns_lcp, others ns_avi. A problem does not refer to a model; its residual is computed here
 * from z only, independent of the solver. */
#ifndef NS_PROBLEMS_BOX_BOX_H
#define NS_PROBLEMS_BOX_BOX_H

#include "algebra/blocks.h"
#include "base/blob.h"
#include "base/context.h"
#include "problems/solve_watch.h"

typedef struct ns_box {
  int n;
  const double *dense; /* M column-major, leading dimension ld; NULL where blocks is set */
  int ld;
  const ns_blocks *blocks; /* M block-sparse (every dim 1: CSR); NULL where dense is set */
  const double *q;         /* [n] */
  const double *lb, *ub;   /* [n], lb <= ub; -INFINITY and INFINITY are allowed; NULL: [0, inf) */
  /* Equal, non-zero stamps of two problems given to one solver object say: same M, lb, ub to the
   * bit. The solver may then use its factors again. 0: no promise. */
  unsigned long stamp;
  ns_solve_watch *watch; /* NULL: nobody looks on */
} ns_box, ns_lcp, ns_avi;

/* How a solve ended; a solver at its limit is a result, not an error. */
typedef enum ns_outcome_kind {
  NS_SOLVED,
  NS_LIMIT,      /* iteration limit reached */
  NS_RAY,        /* secondary ray: unsolvable where M is copositive-plus, else unknown */
  NS_SINGULAR,   /* zero diagonal or singular block */
  NS_STATIONARY, /* merit function at a local minimum that is no solution */
  NS_NOT_FINITE, /* a NaN or an infinity in M or q */
  NS_EXHAUSTED,  /* every support was tried, none is a solution */
  NS_INFEASIBLE  /* rows contradict each other whatever acts: no velocities fulfil them all */
} ns_outcome_kind;
const char *ns_outcome_text(ns_outcome_kind k);

typedef struct ns_outcome {
  ns_outcome_kind kind;
  int iterations;  /* pivots, sweeps or Newton steps, all solvers tried together */
  double residual; /* of the z returned, by ns_box_residual */
  /* What found it, static: a solver of the list, or a part of "auto" ("interior point"). */
  const char *solver;
} ns_outcome;

/* Natural residual  max_i |z_i - proj_[lb_i,ub_i](z_i - w_i/s_i)| / (c + max_i |q_i/s_i|), s_i =
 * max_j |M_ij| (1 where the row is 0); w = M z + q recomputed here and stored in w [n]. c is 1, or
 * 1e6 times sum |z_i| + max |q_i/s_i| where that is less: impulses of a system in micrometres and
 * milligrams are not nothing. A NaN in z gives +inf. The same, to the bit, whether the bounds of an
 * LCP are given or not. */
double ns_box_residual(const ns_box *p, const double *z, double *w);
#define ns_lcp_residual ns_box_residual
#define ns_avi_residual ns_box_residual

/* What kind of problem the bounds make of it. */
typedef enum ns_avi_class {
  NS_AVI_LINEAR, /* no row has a bound */
  NS_AVI_LCP,    /* every row is [0, inf) */
  NS_AVI_MLCP,   /* rows [0, inf) and free rows */
  NS_AVI_BOX     /* anything else */
} ns_avi_class;
ns_avi_class ns_avi_classify(int n, const double *lb, const double *ub);

typedef struct ns_lcp_options {
  double tol;         /* accepted residual, see ns_box_residual; default 1e-10 */
  int max_iterations; /* 0: the solver's own default; in "auto" of each of its parts */
  double omega;       /* relaxation of projected Gauss-Seidel, (0, 2); default 1 */
  const struct ns_plugged_solver *plugged; /* of the solver with a plug-in's name (plugged.h) */
} ns_lcp_options;
ns_lcp_options ns_lcp_defaults(void);

/* What a solver object must be ready for; all its memory is got at creation. */
typedef struct ns_box_capacity {
  int n;      /* size; problems are of this size, or principal parts of it (row, below) */
  size_t nnz; /* most scalar entries of M in block-sparse form (n*n where dense) */
  /* Structure of the largest problem. NULL: dense. Only structure (nb, dim, row, col) is read, at
   * creation. Dense problems are then taken up to 1000 rows. */
  const ns_blocks *structure;
  const double *lb, *ub; /* [n] bounds of every problem to come, up to a common factor > 0 of each
                          * row; finiteness and sign are read at creation. NULL: LCPs */
  int varies;            /* bounds: those of every problem to come are others */
  int symmetric;         /* M = M^T is promised: Cholesky-type factors may be used */
} ns_box_capacity, ns_lcp_capacity, ns_avi_capacity;

typedef struct ns_box_solver_ops {
  const char *name; /* XML value: "lemke" */
  const char *help; /* one line, for `nssim list solvers` and nssim-model(5) */
  /* opt NULL: the defaults. *self is NULL on failure. A solver that cannot take the class of
   * problem or its storage says so here: NS_MODEL, one sentence that names one that can. */
  int (*create)(ns_ctx *c, const ns_box_capacity *cap, const ns_lcp_options *opt, void **self);
  /* z [n]: in, a guess (at lb, at ub or between them counts); out, the solution, or the guess where
   * not solved. w [n]: out, M z + q. row [n], ascending: which rows of the capacity these are
   * (NULL: 0..n-1). Returns NS_OK with the outcome, or a failure. Does not allocate. */
  int (*solve)(void *self, ns_ctx *c, const ns_box *p, const int *row, double *z, double *w,
               ns_outcome *out);
  void (*destroy)(void *self); /* NULL-safe */
  /* What it remembers from call to call beyond pure functions of its arguments, base/blob.h. */
  const ns_memory *memory;
} ns_box_solver_ops, ns_lcp_solver_ops, ns_avi_solver_ops;

/* Registries, in the order of `nssim list solvers`; each ends with NULL, "auto" comes first. Those
 * that take LCPs, and all. */
extern const ns_box_solver_ops *const ns_lcp_solvers[], *const ns_avi_solvers[];
/* NULL where there is none. */
const ns_box_solver_ops *ns_lcp_solver_find(const char *name);
const ns_box_solver_ops *ns_avi_solver_find(const char *name);

#endif
