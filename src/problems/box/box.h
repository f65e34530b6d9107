/* SPDX-License-Identifier: GPL-3.0-or-later */
/* box.h -- linear complementarity on a box: the statement, its residual, its solvers.
 *
 *   w = M z + q,  -w in N_[lb,ub](z):
 *   z_i = lb_i => w_i >= 0,  z_i = ub_i => w_i <= 0,  else w_i = 0
 *
 * the affine variational inequality of a box (Facchinei & Pang 2003, ch. 1). Bounds may be
 * infinite, so that one statement covers several problems:
 *
 *   LCP    lb = 0, ub = inf: 0 <= w _|_ z >= 0 (Cottle, Pang & Stone 1992)
 *   MLCP   free rows (-inf, inf) are its equalities w_i = 0
 *   relay  lb, ub finite             linear equations: all rows free
 *
 * lb_i = ub_i fixes z_i. Without bounds (lb = ub = NULL) the problem is an LCP. ns_lcp and ns_avi
 * are other names of ns_box, for callers whose problems are all LCPs or have bounds. A problem does
 * not refer to a model. Its residual is computed here from z only, whichever solver found z. */
#ifndef NS_PROBLEMS_BOX_BOX_H
#define NS_PROBLEMS_BOX_BOX_H

#include "algebra/blocks.h"
#include "base/blob.h"
#include "base/context.h"
#include "problems/solve_watch.h"

typedef struct ns_box {
  int n;
  const double *dense; /* M by columns, leading dimension ld; NULL if blocks is set */
  int ld;
  const ns_blocks *blocks; /* M block-sparse (every dim 1: CSR); NULL if dense is set */
  const double *q;         /* [n] */
  const double *lb, *ub;   /* [n], lb <= ub; -INFINITY and INFINITY are allowed; NULL: [0, inf) */
  /* If two problems given to one solver object have the same nonzero stamp, their M, lb and ub are
   * equal to the bit, and the solver may reuse its factors. 0: no such promise. */
  unsigned long stamp;
  /* 1: rows that no entry of M couples, directly or through others, are problems of their own, with
   * sizes of their own: circuits of one netlist. Not so where q of all rows comes from one motion,
   * whose rounding is in each of them. */
  int apart;
  ns_solve_watch *watch; /* NULL: no limits */
} ns_box, ns_lcp, ns_avi;

/* How a solve ended. Reaching a limit is a result, not an error. */
typedef enum ns_outcome_kind {
  NS_SOLVED,
  NS_LIMIT,      /* iteration limit reached */
  NS_RAY,        /* secondary ray: unsolvable where M is copositive-plus, else unknown */
  NS_SINGULAR,   /* zero diagonal or singular block */
  NS_STATIONARY, /* merit function at a local minimum that is no solution */
  NS_NOT_FINITE, /* a NaN or an infinity in M or q */
  NS_EXHAUSTED,  /* every support was tried, none is a solution */
  NS_INFEASIBLE, /* rows are inconsistent: no velocities satisfy all of them */
  NS_GAVE_UP,    /* a plug-in reported a failure */
  NS_REFUTED     /* a plug-in reported success, but its residual is too large */
} ns_outcome_kind;
const char *ns_outcome_text(ns_outcome_kind k);

typedef struct ns_outcome {
  ns_outcome_kind kind;
  int iterations;  /* pivots, sweeps or Newton steps of all solvers that were tried */
  double residual; /* ns_box_residual of the z returned */
  /* Static name of the method that found z: a solver of the list, or a part of "auto" ("interior
   * point"). */
  const char *solver;
} ns_outcome;

/* Natural residual
 *
 *   max_i |z_i - proj_[lb_i,ub_i](z_i - w_i/s_i)| / (c + max_i |q_i/s_i|),   s_i = max_j |M_ij|
 *
 * (s_i = 1 if the row is 0), with w = M z + q computed here and stored in w [n]. c = min(1, 1e6
 * (sum |z_i| + max |q_i/s_i|)), so that problems whose unknowns are very small in SI units are not
 * considered solved by z = 0. Nor is a row whose unknown is very small beside those of other rows,
 * as of a light body beside a heavy one, or of a moment beside a force: the residual is at least
 *
 *   1e-6 max_i |z_i - proj(z_i - w_i/s_i)| / (|z_i| + t_i/s_i),
 *     t_i = |q_i| + sum_j |M_ij z_j| + 1e-8 max |q|
 *
 * where 1e-8 max |q| is what rounding leaves in a row, and at least
 *
 *   max_i | z_i/Z_i - proj(z_i/Z_i - w_i/T_i) |,
 *     Z_i = max(|lb_i|, |ub_i|),  T_i = |q_i| + sum_j |M_ij z_j|
 *
 * of the rows between two finite bounds (row_error.h), and, of problems of up to 512 rows whose
 * parts stand apart, the first of these of each part alone. Sizes below DBL_MIN count as DBL_MIN,
 * since such numbers have lost digits. If z contains a NaN the result is +inf. For an LCP it is the
 * same to the bit whether the bounds are given or not. */
double ns_box_residual(const ns_box *p, const double *z, double *w);
#define ns_lcp_residual ns_box_residual
#define ns_avi_residual ns_box_residual

/* Class of the problem, from its bounds. */
typedef enum ns_avi_class {
  NS_AVI_LINEAR, /* no row has a bound */
  NS_AVI_LCP,    /* every row is [0, inf) */
  NS_AVI_MLCP,   /* rows [0, inf) and free rows */
  NS_AVI_BOX     /* anything else */
} ns_avi_class;
ns_avi_class ns_avi_classify(int n, const double *lb, const double *ub);

typedef struct ns_lcp_options {
  double tol; /* accepted residual, see ns_box_residual; default 1e-10 */
  /* 0: the solver's default; for "auto", the limit of each method that it tries */
  int max_iterations;
  double omega; /* relaxation of projected Gauss-Seidel, (0, 2); default 1 */
  /* the solver, if its name is that of a plug-in (plugged.h) */
  const struct ns_plugged *plugged;
} ns_lcp_options;
ns_lcp_options ns_lcp_defaults(void);

/* Largest problem that a solver object has to solve; all memory is allocated at creation. */
typedef struct ns_box_capacity {
  /* size; problems have this size, or are principal submatrices of it (argument row of `solve`) */
  int n;
  size_t nnz; /* max. number of scalar entries of M in block-sparse form (n*n if dense) */
  /* Structure of the largest problem; NULL: dense. Only nb, dim, row and col are read, at creation.
   * Dense problems are then accepted up to 1000 rows. */
  const ns_blocks *structure;
  /* bounds of all problems, up to a factor > 0 per row; their finiteness and sign are read at
   * creation [n]. NULL: LCPs */
  const double *lb, *ub;
  int varies;    /* 1: the bounds may differ from problem to problem */
  int symmetric; /* 1: M = M^T for all problems; the solver may use Cholesky factors */
} ns_box_capacity, ns_lcp_capacity, ns_avi_capacity;

typedef struct ns_box_solver_ops {
  const char *name; /* XML value: "lemke" */
  const char *help; /* one line, for `nssim list solvers` and nssim-model(5) */
  /* opt NULL: the defaults. *self is NULL on failure. NS_MODEL: the solver does not support this
   * class of problem or its storage; the message names one that does. */
  int (*create)(ns_ctx *c, const ns_box_capacity *cap, const ns_lcp_options *opt, void **self);
  /* z [n]: in, an initial guess, of which solvers may use only whether z_i is at lb, at ub or
   * between; out, the solution, or the guess if not solved. w [n]: out, M z + q. row [n],
   * ascending: the rows of the capacity that the problem consists of (NULL: 0..n-1). Returns NS_OK
   * with the outcome, or an error. Does not allocate. */
  int (*solve)(void *self, ns_ctx *c, const ns_box *p, const int *row, double *z, double *w,
               ns_outcome *out);
  void (*destroy)(void *self); /* NULL-safe */
  /* Data kept from call to call that are not pure functions of the arguments; see base/blob.h. */
  const ns_memory *memory;
} ns_box_solver_ops, ns_lcp_solver_ops, ns_avi_solver_ops;

/* Registries in the order of `nssim list solvers`: solvers of LCPs, and all solvers. Each begins
 * with "auto" and ends with NULL. */
extern const ns_box_solver_ops *const ns_lcp_solvers[], *const ns_avi_solvers[];
/* NULL if there is none. */
const ns_box_solver_ops *ns_lcp_solver_find(const char *name);
const ns_box_solver_ops *ns_avi_solver_find(const char *name);

#endif
