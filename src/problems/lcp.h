/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lcp.h -- linear complementarity problem: its statement, its residual, its solvers.
 *
 *   w = M z + q,  0 <= w _|_ z >= 0      (Cottle, Pang & Stone 1992)
 *
 * A problem knows nothing of models: it is a matrix, a vector and their size. Its residual is
 * computed here, from z alone, whatever a solver says of itself. */
#ifndef NS_PROBLEMS_LCP_H
#define NS_PROBLEMS_LCP_H

#include "algebra/blocks.h"
#include "base/blob.h"
#include "base/context.h"
#include "problems/solve_watch.h"

typedef struct ns_lcp {
  int n;
  const double *dense;     /* M column-major, leading dimension ld; NULL where blocks is set */
  int ld;
  const ns_blocks *blocks; /* M block-sparse; NULL where dense is set */
  const double *q;         /* [n] */
  /* Equal, non-zero stamps of two problems given to one solver object say: same M, to the bit.
   * The solver may then use its factors again. 0: no promise. */
  unsigned long stamp;
  ns_solve_watch *watch; /* NULL: nobody looks on */
} ns_lcp;

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
  int iterations;     /* pivots, sweeps or Newton steps, all solvers tried together */
  double residual;    /* of the z returned, by ns_lcp_residual */
  const char *solver; /* what found it, static: a solver of the list, or a part of "auto" ("interior point") */
} ns_outcome;

/* Natural residual  max_i |min(z_i, w_i / s_i)| / (1 + max_i |q_i / s_i|),  s_i = max_j |M_ij| (1 where the
 * row is 0), w = M z + q recomputed here and stored in w [n]. A NaN in z gives +inf. */
double ns_lcp_residual(const ns_lcp *p, const double *z, double *w);

typedef struct ns_lcp_options {
  double tol;        /* accepted residual, see ns_lcp_residual; default 1e-10 */
  int max_iterations; /* 0: the solver's own default; in "auto" a bound for each of its parts that has one */
  double omega;      /* relaxation of projected Gauss-Seidel, (0, 2); default 1 */
} ns_lcp_options;
ns_lcp_options ns_lcp_defaults(void);

/* What a solver object must be ready for; all its memory is got at creation. */
typedef struct ns_lcp_capacity {
  int n;        /* largest size */
  size_t nnz;   /* most scalar entries of M in block-sparse form (n*n where dense) */
  /* Structure of the largest problem; every problem solved is a principal submatrix of it. NULL: dense.
   * Only structure (nb, dim, row, col) is read, at creation. Dense problems are then taken up to 1000 rows. */
  const ns_blocks *structure;
  int symmetric; /* M = M^T is promised: Cholesky-type factors may be used */
} ns_lcp_capacity;

typedef struct ns_lcp_solver_ops {
  size_t size;       /* sizeof *this where compiled: new fields go last */
  const char *name;  /* XML value: "lemke" */
  const char *help;  /* one line, for `nssim list solvers` and nssim-model(5) */
  /* opt NULL: the defaults. *self is NULL on failure. */
  int (*create)(ns_ctx *c, const ns_lcp_capacity *cap, const ns_lcp_options *opt, void **self);
  /* z [n]: in, a guess (its support z > 0 counts); out, the solution, or the guess where not
   * solved. w [n]: out, M z + q. row [n], ascending: which rows of the capacity's structure these are
   * (NULL: 0..n-1). Returns NS_OK with the outcome, or a failure. Does not allocate. */
  int (*solve)(void *self, ns_ctx *c, const ns_lcp *p, const int *row, double *z, double *w,
               ns_outcome *out);
  void (*destroy)(void *self); /* NULL-safe */
  const ns_memory *memory; /* what it remembers from call to call beyond pure functions of its arguments, base/blob.h */
} ns_lcp_solver_ops;

/* Registry, in the order of `nssim list solvers`; ends with NULL. "auto" comes first. */
extern const ns_lcp_solver_ops *const ns_lcp_solvers[];
/* NULL where there is none. */
const ns_lcp_solver_ops *ns_lcp_solver_find(const char *name);

#endif
