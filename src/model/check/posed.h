/* SPDX-License-Identifier: GPL-3.0-or-later */
/* posed.h -- relative degrees and well-posedness of a first-order model at its initial state.
 *
 * With all systems and interactions put together and linearised at (t0, x0, lambda = 0),
 *
 *   x' = A x + B lambda,  y = C x + D lambda,      Markov parameters  H_0 = D,  H_r = C A^(r-1) B
 *
 * the relative degree of row j is the first r with a non-zero row j of H_r (Isidori 1995, ch. 5).
 * Of degree 0 and 1 the Euler-Moreau scheme is consistent; beyond, the multiplier would have to be
 * a distribution (Acary, Brogliato & Goeleven 2008). It is a diagnosis: no scheme uses it.
 *
 * The matrix of the one-step problem, D + h gamma C (M - h theta A)^-1 B, is classified after its
 * equality rows are eliminated: positive definite and P-matrices have one solution for every state
 * (Cottle, Pang & Stone 1992, 3.3.7). */
#ifndef NS_MODEL_CHECK_POSED_H
#define NS_MODEL_CHECK_POSED_H

#include "model/model.h"

typedef enum ns_posed_class {
  NS_POSED_NONE,         /* no rows with a bound */
  NS_POSED_DEFINITE,     /* positive definite: one solution */
  NS_POSED_P,            /* P-matrix: one solution */
  NS_POSED_SEMIDEFINITE, /* solvable where feasible, multipliers may not be unique */
  NS_POSED_OTHER,        /* none of these: no solution or several are possible */
  NS_POSED_EQUALITIES,   /* the equality rows alone are singular */
  NS_POSED_UNKNOWN       /* too many rows to say */
} ns_posed_class;
/* A sentence without its subject: "positive definite: one solution in every step". */
const char *ns_posed_text(ns_posed_class k);

enum { NS_POSED_NO_DEGREE = -1 }; /* lambda does not act on y at all */

typedef struct ns_posed {
  ns_arena *mem;
  int n;       /* rows; 0 where it was not done (see known) */
  int known;   /* 0: the model is too large or not of first order */
  int *degree; /* [n] */
  double *y0;  /* [n] output at (t0, x0, lambda = 0) */
  /* 1: y0 contradicts the law and no multiplier of this instant can help: the state jumps [n] */
  unsigned char *jumps;
  int singular_D; /* 1: D is not zero, but singular */
  ns_posed_class problem;
} ns_posed;

/* A failure is one of memory or of a plug-in. */
int ns_posed_create(ns_ctx *c, const ns_model *m, ns_posed **p);
void ns_posed_destroy(ns_posed *p); /* NULL-safe */
/* Tell in c, as warnings with their place: rows of degree two or more, inconsistent initial values.
 * At most five each. */
void ns_posed_warn(const ns_posed *p, const ns_model *m, ns_ctx *c);

#endif
