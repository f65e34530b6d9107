/* SPDX-License-Identifier: GPL-3.0-or-later */
/* newmark_matrix.h -- the matrix of Newton's method on accelerations,
 *
 *   S = a 1 - b da/dq - c da/dv   [ncoord x ncoord]
 *
 * of a problem x = (q, v, rest), x' = (v, a(t, q, v), ...), factored. Dense, or sparse with the
 * structure of the problem's Jacobian (algebra/sparse_lu.h); if the problem has no Jacobian the
 * matrix is dense and computed by finite differences of the rates, column by column. All memory is
 * allocated at creation. */
#ifndef NS_INTEGRATORS_NEWMARK_MATRIX_H
#define NS_INTEGRATORS_NEWMARK_MATRIX_H

#include "integrators/flow.h"

typedef struct ns_newmark_matrix ns_newmark_matrix;

/* Sparse or dense as chosen by p->options->linear. p outlives *out. */
int ns_newmark_matrix_create(ns_ctx *c, const ns_flow_problem *p, ns_newmark_matrix **out);
void ns_newmark_matrix_destroy(ns_newmark_matrix *S); /* NULL-safe */
/* Compute and factor S at (t, x), where the rates are f; adds the evaluations to w. Returns 0 or
 * the code of the problem's functions. *pivot: 0, or i + 1 if S is singular in coordinate i. */
int ns_newmark_matrix_make(ns_newmark_matrix *S, double a, double b, double c, double t,
                           const double *x, const double *f, ns_flow_work *w, int *pivot);
/* r := S^-1 r [ncoord]. */
void ns_newmark_matrix_solve(ns_newmark_matrix *S, double *r);

#endif
