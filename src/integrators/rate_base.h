/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rate_base.h -- what integrators of first-order systems have in common: f at the beginning of a
 * step; the rate x' = M^-1 (f + r); the message for a state that is not finite.
 *
 * The state contains f(x_k, t_k). If a control has changed the user vectors z since then, f of the
 * systems that depend on them is evaluated again at t_k (the right-hand limit). */
#ifndef NS_INTEGRATORS_RATE_BASE_H
#define NS_INTEGRATORS_RATE_BASE_H

#include "algebra/sparse_factor.h"
#include "model/model.h"
#include "model/state.h"

typedef enum rate_mass { MASS_IDENTITY, MASS_DIAGONAL, MASS_FULL, MASS_MOVING } rate_mass;

typedef struct rate_system {
  rate_mass mass;
  double *LU; /* factors of M; FULL, and scratch for MOVING [n x n] */
  int *piv;   /* [n] */
  int reads_z;
} rate_system;

typedef struct rate_base {
  const ns_model *m;
  ns_arena *mem;
  rate_system *sys;    /* [nsystems] */
  const ns_state *x;   /* state at the beginning of the step, borrowed until commit */
  const double *q, *v; /* where masses are evaluated: of x, or set by the owner */
  double t1, h;
  const double *fk; /* f at t_k [nv] */
  double *fz;       /* f at t_k after a change of z [nv] */
  /* z: the user vectors used for x->f; zk: those at the beginning of the step, restored if it fails
   * [nz] */
  double *z, *zk;
  double *inverse; /* 1/M_ii of diagonal masses, 1 of the others [nv] */
  int diagonal;    /* every system is of first order, its mass diagonal or the identity */
  /* all masses as one sparse matrix; NULL: full masses have separate factors */
  ns_sparse_factor *sparse;
  double *work; /* for the functions of first_order.h, of any system */
  int reads_z;
} rate_base;

/* Creates o->mem and allocates from it; after a failure, too, call _fini. */
int ns_rate_base_init(rate_base *o, ns_ctx *c, const ns_model *m);
/* Factor the full masses; called once, after _init. M: all constant masses as one matrix of scalar
 * rows over nq unknowns, factored as a sparse matrix if that is possible without pivoting; NULL:
 * each system separately. */
int ns_rate_base_masses(rate_base *o, ns_ctx *c, const ns_blocks *M);
void ns_rate_base_fini(rate_base *o);

/* v = M(t)^-1 (f + r) of the systems of first order; vectors [nv]. */
int ns_rate_base_rate(rate_base *o, ns_ctx *c, double t, const double *f, const double *r,
                      double *v);
/* f and v of the initial state x; states at the end of a step have them already. */
int ns_rate_base_start(rate_base *o, ns_ctx *c, ns_state *x);
/* Store x, t1 and h, and set fk. */
int ns_rate_base_begin(rate_base *o, ns_ctx *c, const ns_state *x, double t1, double h);
/* Restore the user vectors, to which plug-ins may have written, to their values at the beginning of
 * the step; for a step that fails. */
void ns_rate_base_put_back(const rate_base *o);
/* Failure: a matrix of system s is singular at pivot 1..n of its coordinates; `what` names the
 * matrix. */
int ns_rate_base_singular(const rate_base *o, ns_ctx *c, int s, int pivot, const char *what);

#endif
