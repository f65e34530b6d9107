/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_signs.h -- multivalued sign functions that a block solves for at a sample:
 *
 *   w = M lambda + q,  lambda in [lb, ub],  lambda_i = lb_i where w_i > 0, ub_i where w_i < 0
 *
 * a small affine variational inequality on a box (problems/avi.h): with lb = -ub, lambda is in -ub
 * Sgn(w). */
#ifndef NS_MODEL_CONTROLS_CONTROL_SIGNS_H
#define NS_MODEL_CONTROLS_CONTROL_SIGNS_H

#include "model/controls/control.h"
#include "problems/avi.h"

typedef struct ns_signs {
  int n;
  double *M, *q, *lb, *ub; /* set by the block [n x n] by columns, [n] */
  double *lambda, *w;      /* [n] */
  const ns_avi_solver_ops *ops;
  void *solver;
} ns_signs;

/* Allocate zeroed memory from `a`. NS_NOMEM, reported. */
int ns_signs_init(ns_signs *o, ns_ctx *c, ns_arena *a, int n);
/* Choose the solver; called after the bounds are set. */
int ns_signs_solver(ns_signs *o, ns_ctx *c, const ns_control *k);
/* Solve for lambda and w; no data pass from sample to sample. NS_NUMERIC if it is not solved; the
 * message names control and time, and `needed`, the condition for a solution. */
int ns_signs_solve(ns_signs *o, ns_ctx *c, const ns_control *k, double t, const char *needed);
void ns_signs_fini(ns_signs *o);

#endif
