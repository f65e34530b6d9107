/* SPDX-License-Identifier: GPL-3.0-or-later */
/* friction.h -- Coulomb friction at contacts, reduced to them: its statement, its residual, its solvers.
 *
 *   u = W r + q,   K* contains u + mu |u_T| e_N  _|_  r in K,   K = product of { |r_T| <= mu r_N }
 *
 * (De Saxce & Feng 1998; Acary, Bremond & Huber 2018). Contacts lie one after the other, each with its normal first:
 * (N, T) in the plane (d = 2), (N, T1, T2) in space (d = 3). In mechanics r is an impulse in N s and u a velocity in
 * m/s. A problem knows nothing of models. */
#ifndef NS_PROBLEMS_FRICTION_H
#define NS_PROBLEMS_FRICTION_H

#include "problems/lcp.h"

typedef struct ns_friction {
  int d, nc;           /* 2 or 3; contacts */
  const ns_blocks *W;  /* block rows of d rows, one a contact; diagonal blocks are present */
  const double *q;     /* [d*nc] */
  const double *mu;    /* [nc], >= 0 */
  unsigned long stamp; /* as ns_lcp.stamp, of W and mu */
} ns_friction;

/* Projection of r [d] on the cone of one contact, in place. */
void ns_friction_project(int d, double mu, double *r);

/* Natural map with the De Saxce term, rho = 1; u recomputed here and stored in u [d*nc]:
 *   | r - P_K(r - u - g(u)) | / max(|q|, |r|, |u|),   g = mu |u_T| e_N, 2-norms,
 * not divided where the maximum is below rounding: the measure and the scaling of the published solvers. over_q (may
 * be NULL): the same over |q|, as the literature of 2018 prints it. A NaN in r gives +inf. */
double ns_friction_residual(const ns_friction *p, const double *r, double *u, double *over_q);

typedef struct ns_friction_options {
  double tol;         /* accepted ns_friction_residual; default 1e-8 */
  int max_iterations; /* 0: the solver's own default */
  double rho;         /* of methods that have one; 0: chosen by the solver */
  int threads;        /* of parallel sweeps; the bytes do not depend on it; default 1 */
} ns_friction_options;
ns_friction_options ns_friction_defaults(void);

typedef struct ns_friction_capacity {
  int d, nc;
  const ns_blocks *structure; /* of the largest W, read at creation; problems are principal parts of it */
  int symmetric;              /* W = W^T is promised */
} ns_friction_capacity;

typedef struct ns_friction_solver_ops {
  size_t size;      /* sizeof *this where compiled: new fields go last */
  const char *name; /* XML value: "nsgs" */
  const char *help; /* one line, for `nssim list solvers` */
  /* opt NULL: the defaults. *self is NULL on failure. */
  int (*create)(ns_ctx *c, const ns_friction_capacity *cap, const ns_friction_options *opt, void **self);
  /* r [d*nc]: in, a guess; out, the solution, or the best iterate where not solved: the outcome tells its residual.
   * u [d*nc]: out. contact [nc], ascending: which contacts of the capacity these are (NULL: the first ones). Does not
   * allocate. */
  int (*solve)(void *self, ns_ctx *c, const ns_friction *p, const int *contact, double *r, double *u, ns_outcome *out);
  void (*destroy)(void *self); /* NULL-safe */
} ns_friction_solver_ops;

/* Registry, in the order of `nssim list solvers`; ends with NULL. */
extern const ns_friction_solver_ops *const ns_friction_solvers[];
const ns_friction_solver_ops *ns_friction_solver_find(const char *name); /* NULL where there is none */

#endif
