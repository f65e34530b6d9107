/* SPDX-License-Identifier: GPL-3.0-or-later */
/* global_newton_parts.h -- private to global_newton*.c.
 *
 *   global_newton.c          iterates: Newton, ADMM, what is kept
 *   global_newton_matrix.c   the matrix of both and its factors */
#ifndef NS_PROBLEMS_GLOBAL_NEWTON_PARTS_H
#define NS_PROBLEMS_GLOBAL_NEWTON_PARTS_H

#include "algebra/sparse_lu.h"
#include "base/arena.h"
#include "problems/global_newton.h"
#include "problems/mechanical_work.h"

/* Rows of a block. */
enum { NS_GLOBAL_ROWS = 3 };

struct ns_global_newton {
  ns_arena *mem;
  const ns_global *p;
  double tol;
  int n, m, limit;
  ns_blocks S; /* rows of v, then rows of r: scalar [n + m] */
  int *cross;  /* entry of H^T: where its mirror stands in S [row[m]] */
  /* entry of H^T: how far from the first column of its block's rows [row[m]] */
  int *place;
  double *loaded;          /* values of S that lu has [nnz] */
  unsigned char *is, *was; /* blocks that take part: in S, in lu [nb] */
  int fresh, factored;     /* values of M and H stand in S; loaded are those of lu, and factored */
  ns_contact *k;           /* friction blocks, with H_a^T diag(M)^-1 H_a for W_aa [nb] */
  double *rho;             /* of box rows [m] */
  double *F, *G;           /* [m] */
  double *r, *u, *v;       /* iterate [m], [m], [n] */
  double *r1, *u1, *v1;    /* the next one */
  double *rt, *ut;         /* trial [m] */
  double *best, *fastest;  /* r and v of the least residual [m], [n] */
  double *z;               /* ADMM: velocities in their cone [m] */
  double *rhs, *b, *x;     /* [n + m]; by places */
  double *work;            /* [n] */
  double alpha;            /* of Jacobians in this solve */
  double least;            /* residual of the best */
  int iterations;
  ns_sparse_lu *lu;
};

static inline int ns_global_is_friction(const ns_global *p, int a)
{
  return !p->kind || p->kind[a] == NS_BLOCK_FRICTION;
}

/* Memory and structure. Failures: those of ns_global_newton_create. */
int ns_global_newton_build(ns_global_newton *s, ns_ctx *c);
/* M, -H and what the maps need. 0: a contact pushes nothing. */
int ns_global_newton_refresh(ns_global_newton *s);
/* Rows of block a: A H^T and B [d x d] by columns. */
void ns_global_newton_put(ns_global_newton *s, int a, const double *A, const double *B);
/* Bring the factors to S and the blocks that take part. 0; or the number of a column that depends
 * on others, or -1. */
int ns_global_newton_factor(ns_global_newton *s);
/* (v, r) = S^-1 rhs. */
void ns_global_newton_backsolve(ns_global_newton *s, double *v, double *r);

#endif
