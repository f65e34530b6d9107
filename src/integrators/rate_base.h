/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rate_base.h -- private to the integrators of first-order systems: their common parts.
 *
 * Groups of systems that the tangents K couple; f at the beginning of a step; the rate x' = M^-1 (f
 * + r); the sentence for a state that is not finite.
 *
 * The state contains f(x_k, t_k). If a control has changed the user vectors z since then, f of the
 * systems that depend on them is evaluated again at t_k (the right-hand limit). */
#ifndef NS_INTEGRATORS_RATE_BASE_H
#define NS_INTEGRATORS_RATE_BASE_H

#include "algebra/sparse_factor.h"
#include "integrators/rate.h"

typedef enum rate_mass { MASS_IDENTITY, MASS_DIAGONAL, MASS_FULL, MASS_MOVING } rate_mass;

typedef struct rate_system {
  rate_mass mass;
  double *LU; /* FULL, and scratch of MOVING: factors of M [n x n] */
  int *piv;   /* [n] */
  int reads_z;
  int tangent; /* 1: some interaction of it has a K */
} rate_system;

typedef struct rate_base {
  const ns_model *m;
  ns_arena *mem;
  ns_rate_groups groups;
  rate_system *sys;  /* [nsystems] */
  const ns_state *x; /* at the begin of the step, borrowed until commit */
  double t1, h;
  const double *fk; /* f at t_k [nq] */
  double *fz;       /* [nq]: fk where z has changed */
  /* [nz]: z that x->f belongs to; z at the begin of the step, put back where the step fails */
  double *z, *zk;
  double *inverse; /* 1/M_ii of diagonal masses, 1 of the others [nq] */
  int diagonal;    /* every mass is diagonal or the identity */
  /* of all masses as one, or NULL: then full masses have factors of their own */
  ns_sparse_factor *sparse;
  double *work; /* for the functions of first_order.h, of any system */
  int reads_z;
} rate_base;

/* couple: systems with a K in common make a group. Allocates in o->mem, which it makes; on failure
 * call fini. */
int ns_rate_base_init(rate_base *o, ns_ctx *c, const ns_model *m, int couple);
/* Once, after it: factors of the full masses. M: all constant masses as one matrix of scalar rows
 * over nq unknowns, to be factored sparse where that goes without pivoting; NULL: each system its
 * own. */
int ns_rate_base_masses(rate_base *o, ns_ctx *c, const ns_blocks *M);
void ns_rate_base_fini(rate_base *o);

/* Of an integrator that begins with a rate_base and has no memory besides: the z that x->f belongs
 * to. */
extern const ns_memory ns_rate_base_memory;

/* v = M(t)^-1 (f + r); vectors [nq]. */
int ns_rate_base_rate(rate_base *o, ns_ctx *c, double t, const double *f, const double *r,
                      double *v);
/* f and v of the state x; a state that comes from a step has them. */
int ns_rate_base_start(rate_base *o, ns_ctx *c, ns_state *x);
/* Remember x, t1, h; fk. */
int ns_rate_base_begin(rate_base *o, ns_ctx *c, const ns_state *x, double t1, double h);
/* Write x and f at t1 with the input r to the state: q, f, p, v, *t, or fail and name what is not
 * finite. The rate is left in v [nq], scratch. */
int ns_rate_base_commit(rate_base *o, ns_ctx *c, ns_state *x, const double *q, const double *f,
                        const double *r, double *v);
/* User vectors, to which plug-ins may have written, as they were at the begin of the step: for a
 * step that fails. */
void ns_rate_base_put_back(const rate_base *o);
/* Put back, and name the first entry that is not finite. */
int ns_rate_base_blame(const rate_base *o, ns_ctx *c, const double *q, const double *f,
                       const double *v);
/* W of system s is singular in pivot 1..n of its coordinates; `what` says which matrix. */
int ns_rate_base_singular(const rate_base *o, ns_ctx *c, int s, int pivot, const char *what);

/* y += a A x, A [n x n] by columns; for matrices of a few rows. */
void ns_rate_gemv(int n, double a, const double *A, const double *x, double *y);
double ns_rate_norm(int n, const double *a);

#endif
