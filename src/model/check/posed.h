/* SPDX-License-Identifier: GPL-3.0-or-later */
/* posed.h -- relative degrees and well-posedness of a first-order model at its initial state.
 *
 * The model with all its systems and interactions is linearised at (t0, x0, lambda = 0):
 *
 *   x' = A x + B lambda,  y = C x + D lambda,  Markov parameters  H_0 = D,  H_r = C A^(r-1) B
 *
 * The relative degree of row j is the smallest r for which row j of H_r is not zero (Isidori 1995,
 * ch. 5). The Euler-Moreau scheme is consistent for degrees 0 and 1; for higher degrees the
 * multiplier is a distribution (Acary, Brogliato & Goeleven 2008). The result is a diagnosis, used
 * by no scheme.
 *
 * The matrix of the one-step problem, D + h gamma C (M - h theta A)^-1 B, is classified after
 * elimination of its equality rows: with a positive definite matrix or a P-matrix the problem has
 * exactly one solution for every state (Cottle, Pang & Stone 1992, 3.3.7). */
#ifndef NS_MODEL_CHECK_POSED_H
#define NS_MODEL_CHECK_POSED_H

#include "model/model.h"

typedef enum ns_posed_class {
  NS_POSED_NONE,         /* no rows with a bound */
  NS_POSED_DEFINITE,     /* positive definite: one solution */
  NS_POSED_P,            /* P-matrix: one solution */
  NS_POSED_SEMIDEFINITE, /* solvable if feasible; multipliers may not be unique */
  NS_POSED_OTHER,        /* none of these: no solution or several are possible */
  NS_POSED_EQUALITIES,   /* the equality rows are singular */
  NS_POSED_UNKNOWN       /* too many rows to decide */
} ns_posed_class;
/* Text without its subject: "positive definite: one solution in every step". */
const char *ns_posed_text(ns_posed_class k);

enum { NS_POSED_NO_DEGREE = -1 }; /* lambda does not affect y */

typedef struct ns_posed {
  ns_arena *mem;
  int n;       /* rows; 0 if there is no diagnosis (see known) */
  int known;   /* 0: the model is too large or not of first order */
  int *degree; /* [n] */
  double *y0;  /* [n] output at (t0, x0, lambda = 0) */
  /* 1: y0 violates the law for any multiplier: the state jumps at t0 [n] */
  unsigned char *jumps;
  int singular_D; /* 1: D is nonzero and singular */
  ns_posed_class problem;
} ns_posed;

/* Fails only for lack of memory or by a plug-in. */
int ns_posed_create(ns_ctx *c, const ns_model *m, ns_posed **p);
void ns_posed_destroy(ns_posed *p); /* NULL-safe */
/* Add warnings with their places to c: rows of degree two or more, inconsistent initial values; at
 * most five of each. */
void ns_posed_warn(const ns_posed *p, const ns_model *m, ns_ctx *c);

#endif
