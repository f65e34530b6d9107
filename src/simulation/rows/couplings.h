/* SPDX-License-Identifier: GPL-3.0-or-later */
/* couplings.h -- relations of first-order systems, linearised and assembled over all interactions.
 *
 * At the iterate (x, lambda), with x_rel = (1 - where) x_k + where x (theta.h):
 *
 *   C, D [rows of y], B [columns of lambda] of all interactions are sparse rows
 *
 * A linear relation has y = C x_rel + D lambda + offset, offset = e + F z, and R = B lambda. For a
 * nonlinear relation the values h and g at the iterate are stored with the tangents. Constants are
 * evaluated once, at creation; other values when they are needed.
 *
 * In a part of a model (family_part.h) a relation may read and act on other systems: velocities of
 * mechanical systems, which are states in the part, and states of other circuits by name. C has
 * additional columns for these after those of X; other variables that it reads, such as positions,
 * affect y like time.
 *
 * For a relation whose g is zero for zero multipliers (rests_at_zero), only h and C are evaluated
 * while its multipliers are zero, because g and K are then zero; with active sets (active_rows.h)
 * its B is evaluated only when its gain is needed. */
#ifndef NS_SIMULATION_ROWS_COUPLINGS_H
#define NS_SIMULATION_ROWS_COUPLINGS_H

#include "integrators/theta.h"
#include "model/systems/first_order.h"
#include "simulation/rows/rows.h"

/* Point at which relations are evaluated; x is x_rel. */
typedef struct ns_relation_point {
  double t;
  const double *x;      /* [nq] */
  double *z;            /* [nz] */
  const double *lambda; /* [nrows] */
  /* variables of all systems, for formulas that read them; all NULL: as at t0 */
  ns_others others;
} ns_relation_point;

/* Dependence of y on a state that its relation reads by name. */
typedef struct ns_coupling_read {
  int variable; /* index in those of op */
  int dof;      /* index of the state in the model's x; this is column nQ + its index in C */
  size_t rate;  /* variables of joints and lines: entry of v of the whole model that is set to 1 */
} ns_coupling_read;

/* One interaction. Matrices by columns. */
typedef struct ns_coupling {
  const ns_interaction *it;
  int linear; /* 1: linear relation; h and g are not used */
  int offset_varies;
  unsigned varying; /* NS_RELATION_...: tangents that are present and not constant */
  int *dof;         /* index of each stacked column in the model's x [nQ] */
  int *state;       /* the same of columns of C; -1: no state [nQ + nreads] */
  /* nreads: states read by name; images: 1 if some of its systems are images */
  int nreads, images;
  ns_coupling_read *read;    /* [nreads] */
  const ns_operator *reader; /* the operator that reads them; NULL: none */
  double *C, *D, *B, *K;     /* NULL where zero */
  double *h, *g;             /* at the iterate [m], [nQ]; nonlinear */
  double *R;                 /* input of this interaction from the linearisation [nQ]; nonlinear */
  double *R_from;            /* R that ns_couplings_keep_input remembers [nQ] */
  double *X, *Z;             /* stacked [nQ], [nZ]; for more than one system */
  int rests_at_zero;         /* 1: g and K are zero if lambda is */
  int B_is_old; /* 1: B does not belong to the iterate: lambda is zero, and B was not needed */
} ns_coupling;

typedef struct ns_couplings {
  const ns_model *m;
  ns_arena *mem;
  int nrows;
  ns_coupling *of;         /* [m->ninteractions] */
  int *interaction;        /* of each row [nrows] */
  ns_rows C, D, B;         /* [nrows]; D over lambda, the others over x */
  int *C_at, *D_at, *B_at; /* index of each entry in the C, D, B of its interaction */
  double *offset;          /* of linear relations [nrows] */
  int linear;              /* 1: every relation is linear */
  int constant;            /* 1: every tangent is constant */
  int offset_varies;
  int differenced;    /* interactions with a tangent by finite differences */
  ns_rate_tangent *K; /* [nK] */
  int nK;
  ns_relation_point at; /* point of the tangents, at which B may be evaluated later; x is at_x */
  double *at_x;         /* [nq]; NULL: all tangents are evaluated at once */
  double *one; /* zero except for one velocity of 1 [nv of the whole model]; NULL: no reads */
  double *work, *scratch; /* of relations; tangents before they are compared, or stacked values */
} ns_couplings;

int ns_couplings_create(ns_ctx *c, const ns_model *m, ns_couplings **k);
void ns_couplings_destroy(ns_couplings *k); /* NULL-safe */
size_t ns_couplings_bytes(const ns_couplings *k);

/* The point of interaction i, in scratch that the next call overwrites. */
ns_point ns_couplings_point(const ns_couplings *k, int i, const ns_relation_point *p);
/* Update offsets of linear relations: all if `first`, otherwise those that vary. */
int ns_couplings_offsets(ns_couplings *k, ns_ctx *c, const ns_relation_point *p, int first);
/* Update tangents that vary: of all interactions if `first`, otherwise of the nonlinear ones.
 * *changed |= 1 if a value has changed. */
int ns_couplings_tangents(ns_couplings *k, ns_ctx *c, const ns_relation_point *p, int first,
                          int *changed);
/* h and g of the nonlinear relations. */
int ns_couplings_values(ns_couplings *k, ns_ctx *c, const ns_relation_point *p);
/* From now on, B is evaluated only when it is needed; lambda of the tangents must not change until
 * then. NS_NOMEM, without a message. */
int ns_couplings_defer(ns_couplings *k);
/* Evaluate B of these n rows where it waits for it. */
int ns_couplings_need(ns_couplings *k, ns_ctx *c, int n, const int *rows);

/* r += sum (g - B lambda) of the nonlinear relations. */
void ns_couplings_surplus(const ns_couplings *k, const double *lambda, double *r);
/* q of the one-step problem: xq = (1 - where) x_k + where x_p for linear relations, move = where
 * (x_p - x) for the others (not read where there are none). */
void ns_couplings_q(const ns_couplings *k, const double *xq, const double *move,
                    const double *lambda, double *q);
/* r [nv] = sum of inputs: B lambda, and of nonlinear relations R = g + B (lambda - was) + K move.
 */
void ns_couplings_input(ns_couplings *k, const double *lambda, const double *was,
                        const double *move, double *r);
/* Remember the inputs of nonlinear relations; with lambda half way back, r, and they, are half way
 * back to what was remembered. */
void ns_couplings_keep_input(ns_couplings *k);
void ns_couplings_halve_input(ns_couplings *k, const double *lambda, double *r);
/* y from the accepted state; h of nonlinear relations being up to date. */
void ns_couplings_output(const ns_couplings *k, const double *x, const double *lambda, double *y);
/* Residual of the nonlinear relations, after ns_couplings_values at the new iterate: max over
 * interactions of |w - h| / (atol + rtol (1 + |w|)) and |R - g| / (atol + rtol (1 + |R|)), 2-norms,
 * with an allowance for rounding. */
double ns_couplings_residual(const ns_couplings *k, const ns_relation_point *p, const double *w);
/* The contribution of each of them to the residual. */
void ns_couplings_suspects(const ns_couplings *k, const ns_relation_point *p, const double *w,
                           ns_suspect *suspect);

#endif
