/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_signs.h -- multivalued signs that a block solves for at a sample:
 *
 *   w = M lambda + q,  lambda in [lb, ub],  lambda_i = lb_i where w_i > 0, ub_i where w_i < 0
 *
 * a small affine variational inequality on a box (problems/avi.h): with lb = -ub, lambda is in
 * -ub Sgn(w). */
#ifndef NS_MODEL_CONTROLS_CONTROL_SIGNS_H
#define NS_MODEL_CONTROLS_CONTROL_SIGNS_H

#include "model/controls/control.h"
#include "problems/avi.h"

typedef struct ns_signs {
  int n;
  double *M, *q, *lb, *ub; /* [n x n] by columns, [n]: the block's to fill in */
  double *lambda, *w;      /* [n] */
  const ns_avi_solver_ops *ops;
  void *solver;
} ns_signs;

/* Memory of `a`, zeros. NS_NOMEM, reported. */
int ns_signs_init(ns_signs *o, ns_ctx *c, ns_arena *a, int n);
/* Bounds are known; what solves it. */
int ns_signs_solver(ns_signs *o, ns_ctx *c, const ns_control *k);
/* lambda and w; nothing is kept from one sample to the next. NS_NUMERIC: it was not solved; names
 * control, time, and what is needed. */
int ns_signs_solve(ns_signs *o, ns_ctx *c, const ns_control *k, double t, const char *needed);
void ns_signs_fini(ns_signs *o);

#endif
