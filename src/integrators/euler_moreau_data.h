/* SPDX-License-Identifier: GPL-3.0-or-later */
/* euler_moreau_data.h -- private to euler_moreau*.c: the scheme's data and its three kernels. */
#ifndef NS_INTEGRATORS_EULER_MOREAU_DATA_H
#define NS_INTEGRATORS_EULER_MOREAU_DATA_H

#include "integrators/linear_step.h"
#include "integrators/rate_base.h"

/* A group whose W may change. */
typedef struct newton_block {
  int g, n;
  double *W, *last; /* current W, and the W that LU has the factors of [n x n] */
  double *LU;
  int *piv;
  double *weight; /* as in ns_linear_step, over the vector of the group [n] */
  int factored;
} newton_block;

/* All systems, linear and time-invariant, as rows of sparse matrices over nq unknowns. */
typedef struct sparse_kernel {
  ns_blocks W, M, A;
  double *weight; /* [nq] */
} sparse_kernel;

typedef struct euler_moreau {
  rate_base base; /* first */
  double theta, gamma, atol, rtol, h;
  int full, unreduced;
  int dirty;              /* 1: W of linear systems was rebuilt since the last linearise */
  int fresh;              /* 1: f1 is f at the iterate */
  ns_linear_step *linear; /* systems with constant matrices that form a group alone */
  newton_block *newton;
  int nlinear, nnewton;
  int *newton_of; /* [groups], -1: linear */
  int *linear_of; /* [groups], -1: newton */
  sparse_kernel sparse;
  /* [nq] */
  double *x, *f1; /* the iterate, and f there at t1 */
  double *b1;     /* unreduced: b at t1 */
  double *R;      /* newton: residual without input */
  double *v, *tmp;
  double *scratch; /* as large as the largest Jacobian and the longest group */
  /* newton: M at t_k + theta h of each system [n x n]; NULL: M is the identity, or the system is
   * linear */
  double **M;
} euler_moreau;

/* Factors of the input in the step, hr r+ + hk r_k, in s. */
static inline double euler_moreau_hr(const euler_moreau *o)
{
  return o->full ? o->h : o->h * o->gamma;
}
static inline double euler_moreau_hk(const euler_moreau *o)
{
  return o->full ? 0 : o->h * (1 - o->gamma);
}

/* ---- newton kernel --------------------------------------------------------------------------- */
int ns_euler_newton_create(euler_moreau *o, ns_ctx *c);
int ns_euler_newton_evaluate(euler_moreau *o, ns_ctx *c); /* M, f1, R at the iterate */
int ns_euler_newton_linearise(euler_moreau *o, ns_ctx *c, const ns_rate_tangent *K, int nk,
                              int *changed);
void ns_euler_newton_free(euler_moreau *o, double *xfree);
double ns_euler_newton_residual(euler_moreau *o, const double *r, ns_suspect *w);

/* ---- unreduced kernel ------------------------------------------------------------------------ */
int ns_euler_sparse_create(euler_moreau *o, ns_ctx *c);
int ns_euler_sparse_build(euler_moreau *o);
int ns_euler_sparse_begin(euler_moreau *o, ns_ctx *c); /* b at t1 */
void ns_euler_sparse_free(const euler_moreau *o, double *b);
void ns_euler_sparse_field(euler_moreau *o);
double ns_euler_sparse_residual(euler_moreau *o, const double *r, ns_suspect *w);

/* |R|_2 / (atol + rtol (|M dx| + |h f| + |h r|) + rounding), all vectors [n]. */
double ns_euler_scaled(const euler_moreau *o, int n, const double *R, const double *Mdx,
                       const double *f, const double *r, double rounding);

#endif
