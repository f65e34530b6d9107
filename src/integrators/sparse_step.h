/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse_step.h -- the step of all systems of a first-order model, linear and time-invariant, for a
 * driver that factors W: matrices over all unknowns, of which nothing but the entries that are
 * not zero is stored.
 *
 *   W x+ = b + h after r,   W = M - h theta A,
 *   b = M x_k + h (1-theta) f_k + h theta b+ + h before r_k */
#ifndef NS_INTEGRATORS_SPARSE_STEP_H
#define NS_INTEGRATORS_SPARSE_STEP_H

#include "algebra/blocks.h"
#include "model/model.h"
#include "model/state.h"

typedef struct ns_sparse_step {
  const ns_model *m;
  double theta, h;
  ns_blocks W, M, A; /* [nq x nq], every dim 1 */
  double *weight;    /* column sums of |W| + |M|: how x is rounded in the residual [nq] */
  double *b;         /* at the end of the step [nq] */
} ns_sparse_step;

/* Create in memory of a; NS_NOMEM, without a message. */
int ns_sparse_step_create(ns_sparse_step *o, ns_arena *a, const ns_model *m, double theta);
void ns_sparse_step_build(ns_sparse_step *o, double h); /* W of steps of length h */
/* b of the systems at t1. */
int ns_sparse_step_begin(ns_sparse_step *o, ns_ctx *c, const ns_state *x, double t1, double *work);
/* b of the equation; before [nq]: h before r_k. */
void ns_sparse_step_free(const ns_sparse_step *o, const double *x, const double *f,
                         const double *before, double *b);
void ns_sparse_step_field(const ns_sparse_step *o, const double *x, double *f); /* A x + b */
/* R = Mdx - h [theta f + (1-theta) f0] with Mdx = M (x - x0). */
void ns_sparse_step_residual(const ns_sparse_step *o, const double *x, const double *x0,
                             const double *f0, const double *f, double *Mdx, double *R);

#endif
