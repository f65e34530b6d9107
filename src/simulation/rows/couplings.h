/* SPDX-License-Identifier: GPL-3.0-or-later */
/* couplings.h -- relations of first-order systems, linearised and assembled over all interactions.
 *
 * At the iterate (x, lambda), with x_rel = (1 - where) x_k + where x (rate.h):
 *
 *   C, D [rows of y], B [columns of lambda] of all interactions are sparse rows; G = Gain B, group
 *   by group
 *   S = D + where C G                      the matrix of the one-step problem, rows that meet in it
 *       known beforehand
 *
 * A linear relation has y = C x_rel + D lambda + offset, offset = e + F z, and R = B lambda. Of a
 * nonlinear one the values h and g at the iterate are kept beside the tangents. What is constant is
 * evaluated once, at creation; what varies is evaluated where asked for, and S is computed anew
 * only if W or a tangent is another than before.
 *
 * In a part of a model (family_part.h) a relation may read and act on systems that are not its own:
 * velocities of mechanics, which are states there, and states of other circuits by their names. C
 * has columns of these, too, behind those of X; what is read beside them, as positions, moves y as
 * time does.
 *
 * A relation whose g is zero without multipliers (rests_at_zero) costs h and C alone as long as it
 * has none: g and K are zero then, and where only some rows take part (active_rows.h) its B waits
 * until its G is asked for. */
#ifndef NS_SIMULATION_ROWS_COUPLINGS_H
#define NS_SIMULATION_ROWS_COUPLINGS_H

#include "integrators/rate.h"
#include "model/systems/first_order.h"
#include "simulation/rows/rows.h"

/* Where relations are evaluated. x is x_rel. */
typedef struct ns_relation_point {
  double t;
  const double *x;      /* [nq] */
  double *z;            /* [nz] */
  const double *lambda; /* [nrows] */
  ns_others others;     /* of all systems, for what reads them; all NULL: as at t0 */
} ns_relation_point;

enum { NS_COUPLINGS_GAINS = 16 }; /* columns of G at a time */

/* How y follows a state that its relation reads by name. */
typedef struct ns_coupling_read {
  int variable; /* of op->foreign */
  int dof;      /* which entry of the model's x it follows; this is column nQ + its place in C */
  size_t rate;  /* of variables between bodies: entry of v of the whole model that is 1 here */
} ns_coupling_read;

/* One interaction. Matrices by columns. */
typedef struct ns_coupling {
  const ns_interaction *it;
  int linear; /* relation; its h and g are not used */
  int offset_varies;
  unsigned varying;          /* NS_RELATION_...: tangents that are present and not constant */
  int *dof;                  /* of each stacked column, in the model's x [nQ] */
  int *state;                /* the same of columns of C; -1: no state [nQ + nreads] */
  int nreads, images;        /* states that are read by name; some of its systems are images */
  ns_coupling_read *read;    /* [nreads] */
  const ns_operator *reader; /* the operator that reads them; NULL: none does */
  double *C, *D, *B, *K;     /* NULL where zero */
  double *h, *g;             /* at the iterate [m], [nQ]; nonlinear */
  double *R;                 /* input of this interaction by the linearisation [nQ]; nonlinear */
  double *X, *Z;             /* stacked [nQ], [nZ]; of more than one system */
  int rests_at_zero;         /* g and K are zero where lambda is */
  int B_is_old; /* B is not that of the iterate: lambda is zero, and nobody has asked */
} ns_coupling;

typedef struct ns_couplings {
  const ns_model *m;
  const ns_rate_ops *ops;
  const void *osi;
  const ns_rate_groups *groups;
  ns_arena *mem;
  int nrows;
  ns_coupling *of;  /* [m->ninteractions] */
  int *interaction; /* of each row [nrows] */
  /* [nrows]; D over lambda, the others over x; G is empty where there is no gain */
  ns_rows C, D, B, G;
  int *C_at, *D_at, *B_at; /* where an entry stands in the C, D, B of its interaction */
  int *D_in_S;             /* where an entry of D stands in S */
  ns_blocks S;             /* scalar rows; not where there is no gain */
  double *offset;          /* of linear relations [nrows] */
  int linear;              /* every relation is */
  int constant;            /* every tangent is */
  int offset_varies;
  int differenced;    /* interactions with a tangent by finite differences */
  ns_rate_tangent *K; /* [nK] */
  int nK;
  unsigned char *pushed; /* groups that a nonlinear g acts on [groups->n] */
  ns_relation_point at;  /* of the tangents, where B is evaluated later; x is at_x */
  double *at_x;          /* [nq]; NULL: all tangents are evaluated at once */
  double *scatter;       /* [nq] zero between uses */
  double *one;    /* zero but where a velocity is 1 [nv of the whole model]; NULL: no reads */
  double *vector; /* of the largest group [size x NS_COUPLINGS_GAINS] */
  double *work, *scratch; /* of relations; tangents before they are compared, or stacked values */
} ns_couplings;

/* gain = 0: without groups, G and S (the unreduced kernel). */
int ns_couplings_create(ns_ctx *c, const ns_model *m, const ns_rate_ops *ops, const void *osi,
                        int gain, ns_couplings **k);
void ns_couplings_destroy(ns_couplings *k); /* NULL-safe */
size_t ns_couplings_bytes(const ns_couplings *k);

/* Where interaction i is evaluated; in scratch of its own, until the next of them. */
ns_point ns_couplings_point(const ns_couplings *k, int i, const ns_relation_point *p);
/* Offsets of linear relations: of all where first, otherwise of those that vary. */
int ns_couplings_offsets(ns_couplings *k, ns_ctx *c, const ns_relation_point *p, int first);
/* Tangents that vary: of all interactions where first, of the nonlinear ones otherwise. *changed |=
 * 1 where a value is another than before. */
int ns_couplings_tangents(ns_couplings *k, ns_ctx *c, const ns_relation_point *p, int first,
                          int *changed);
/* h and g of the nonlinear relations. */
int ns_couplings_values(ns_couplings *k, ns_ctx *c, const ns_relation_point *p);
/* From now on B is evaluated as late as that; lambda of the tangents stays as it is until then.
 * NS_NOMEM, no text. */
int ns_couplings_defer(ns_couplings *k);
/* G and S for the W of now; G of some rows alone. */
int ns_couplings_refresh(ns_couplings *k, ns_ctx *c, double where);
int ns_couplings_refresh_rows(ns_couplings *k, ns_ctx *c, int n, const int *rows);
/* S = D alone, with 1 on the diagonal of rows of D that are zero. */
void ns_couplings_static(ns_couplings *k);

/* x += Gain sum (g - B lambda) of the nonlinear relations. */
void ns_couplings_push(ns_couplings *k, const double *lambda, double *x);
/* The same sum without the gain, added to r. */
void ns_couplings_surplus(const ns_couplings *k, const double *lambda, double *r);
/* q of the one-step problem: xq = (1 - where) x_k + where x_p for linear relations, move = where
 * (x_p - x) for the others (not read where there are none). */
void ns_couplings_q(const ns_couplings *k, const double *xq, const double *move,
                    const double *lambda, double *q);
/* x += G lambda. */
void ns_couplings_apply(const ns_couplings *k, const double *lambda, double *x);
/* r [nv] = sum of inputs: B lambda, and of nonlinear relations R = g + B (lambda - was) + K move.
 */
void ns_couplings_input(ns_couplings *k, const double *lambda, const double *was,
                        const double *move, double *r);
/* y from the accepted state; h of nonlinear relations being up to date. */
void ns_couplings_output(const ns_couplings *k, const double *x, const double *lambda, double *y);
/* Of the nonlinear relations, after ns_couplings_values at the new iterate: max over interactions
 * of |w - h| / (atol + rtol (1 + |w|)) and |R - g| / (atol + rtol (1 + |R|)), 2-norms, rounding
 * allowed for. */
double ns_couplings_residual(const ns_couplings *k, const ns_relation_point *p, const double *w);
/* The part of each of them in it. */
void ns_couplings_suspects(const ns_couplings *k, const ns_relation_point *p, const double *w,
                           ns_suspect *suspect);

#endif
