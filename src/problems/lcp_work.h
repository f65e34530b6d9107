/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lcp_work.h -- what the LCP solvers share: the direct solve on a support, and the end of a solve.
 * Private to src/problems.
 *
 * A support S is a set of rows with w_S = 0, z elsewhere 0; then z_S = -M_SS^-1 q_S. Whatever
 * way a solver found S, its answer is computed here, so that answers on the same support are the
 * same bytes. */
#ifndef NS_PROBLEMS_LCP_WORK_H
#define NS_PROBLEMS_LCP_WORK_H

#include "algebra/sparse_factor.h"
#include "base/arena.h"
#include "problems/lcp.h"

/* Most rows that are treated as dense where the capacity has a sparse structure. */
#define NS_LCP_DENSE_MAX 1000
/* The same where the sparse factors stay sparse. */
#define NS_LCP_DENSE_SMALL 16

typedef enum ns_lcp_factor { NS_LCP_NONE, NS_LCP_CHOLESKY, NS_LCP_LU, NS_LCP_SPARSE } ns_lcp_factor;

typedef struct ns_lcp_work {
  ns_arena *arena; /* holds this and all it points to */
  ns_lcp_options opt;
  int n;          /* capacity */
  int ndense;     /* largest size of dense work */
  int symmetric;
  int small;      /* up to this size a block-sparse problem is factored as a dense one */
  double *z;      /* candidate [n] */
  double *w;      /* scratch [n] */
  unsigned char *in; /* support of the candidate [n] */

  /* The factor of M_SS + shift*I, and what it belongs to. */
  ns_lcp_factor kind;
  unsigned long stamp;
  int pn;              /* size of its problem */
  int ns;              /* rows in its support */
  double shift;
  unsigned char *fin;  /* its support [n] */
  int *idx;            /* rows of its support, ascending [n] */
  int *pos;            /* inverse of idx, -1 elsewhere [n] */
  double *F;           /* dense factor, ns x ns [ndense^2] */
  double *b;           /* right-hand side [n] */
  int *piv;            /* [ndense] */
  ns_sparse_factor *sparse; /* NULL without a structure */
} ns_lcp_work;

/* Memory from a new arena; free with ns_lcp_work_destroy. */
int ns_lcp_work_create(ns_ctx *c, const ns_lcp_capacity *cap, const ns_lcp_options *opt, ns_lcp_work **out);
void ns_lcp_work_destroy(ns_lcp_work *k); /* NULL-safe */
/* n items from the arena, or the failure in c. */
int ns_lcp_work_get(ns_lcp_work *k, ns_ctx *c, size_t n, size_t size, void *p);

/* Refuse a problem that the object was not made for. */
int ns_lcp_work_fits(const ns_lcp_work *k, ns_ctx *c, const ns_lcp *p);
/* Support {z > 0} into in; returns its size. */
int ns_lcp_support(int n, const double *z, unsigned char *in);
/* x = -(M_SS + shift I)^-1 q_S on the support, 0 elsewhere; uses the kept factor where stamp, support and
 * shift are those of the last call. 0, or > 0 where M_SS is singular to rounding. */
int ns_lcp_direct(ns_lcp_work *k, const ns_lcp *p, const int *row, const unsigned char *in, double shift,
                  const double *q, double *x);
/* M in full, M_ij at M[i*di + j*dj]. */
void ns_lcp_fill(const ns_lcp *p, double *M, size_t di, size_t dj);
int ns_lcp_finite(const ns_lcp *p);

/* Can k->z be the answer? It is clipped at 0 and solved again on its own support; where that is
 * singular or worse than the tolerance it may stand as it is. On success (1) k->z and w [n] are
 * the answer and *residual its residual. */
int ns_lcp_accept(ns_lcp_work *k, const ns_lcp *p, const int *row, double *w, double *residual);
/* The same for a k->z that ns_lcp_direct made on k->in, w and *residual being up to date. */
int ns_lcp_accept_direct(ns_lcp_work *k, const ns_lcp *p, const int *row, double *w, double *residual);

/* Endings. solved: z = k->z. failed: z stays, w and the residual are those of z. */
void ns_lcp_solved(const ns_lcp_work *k, const ns_lcp *p, double *z, double residual, int iterations, const char *solver,
                   ns_outcome *out);
void ns_lcp_failed(const ns_lcp *p, const double *z, double *w, ns_outcome_kind kind, int iterations, const char *solver,
                   ns_outcome *out);

/* The methods. Each leaves a candidate in k->z, adds to *iterations and says how it ended; NS_SOLVED means "try
 * ns_lcp_accept". */
typedef struct ns_lemke ns_lemke;
int ns_lemke_create(ns_lcp_work *k, ns_ctx *c, ns_lemke **out);
ns_outcome_kind ns_lemke_run(ns_lemke *l, ns_lcp_work *k, const ns_lcp *p, int *iterations);

extern const ns_lcp_solver_ops ns_lcp_auto, ns_lcp_lemke;

#endif
