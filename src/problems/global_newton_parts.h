/* SPDX-License-Identifier: GPL-3.0-or-later */
/* global_newton_parts.h -- private to global_newton*.c.
 *
 *   global_newton.c          iterates: Newton, ADMM, the best iterate
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
  int *cross;  /* of each entry of H^T: index of the transposed entry in S [row[m]] */
  /* of each entry of H^T: offset from the first column of its block's rows [row[m]] */
  int *place;
  double *loaded;          /* values of S used for the factors lu [nnz] */
  unsigned char *is, *was; /* active blocks of S and of lu [nb] */
  /* fresh: S has the values of M and H; factored: lu has the factors of `loaded` */
  int fresh, factored;
  ns_contact *k;          /* friction blocks, with H_a^T diag(M)^-1 H_a for W_aa [nb] */
  double *rho;            /* of box rows [m] */
  double *F, *G;          /* [m] */
  double *r, *u, *v;      /* iterate [m], [m], [n] */
  double *r1, *u1, *v1;   /* the next one */
  double *rt, *ut;        /* trial [m] */
  double *best, *fastest; /* r and v with the smallest residual [m], [n] */
  double *z;              /* ADMM: velocities in their cone [m] */
  double *rhs, *b, *x;    /* [n + m]; by places */
  double *work;           /* [n] */
  double alpha;           /* of Jacobians in this solve */
  double min;             /* residual of `best` */
  int iterations;
  ns_sparse_lu *lu;
};

static inline int ns_global_is_friction(const ns_global *p, int a)
{
  return !p->kind || p->kind[a] == NS_BLOCK_FRICTION;
}

/* Memory and structure. Failures: those of ns_global_newton_create. */
int ns_global_newton_build(ns_global_newton *s, ns_ctx *c);
/* Set M, -H and the data of the maps. 0: the impulse of some contact has no effect. */
int ns_global_newton_refresh(ns_global_newton *s);
/* Set the rows of block a: A H^T and B [d x d] by columns. */
void ns_global_newton_put(ns_global_newton *s, int a, const double *A, const double *B);
/* Factor S for the active blocks. Returns 0; the number of a column that depends on others; or
 * -1. */
int ns_global_newton_factor(ns_global_newton *s);
/* (v, r) = S^-1 rhs. */
void ns_global_newton_backsolve(ns_global_newton *s, double *v, double *r);

#endif
