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
#include "problems/lcp_one.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Most rows that are treated as dense where the capacity has a sparse structure. */
#define NS_LCP_DENSE_MAX 1000
/* The same where the sparse factors stay sparse. */
#define NS_LCP_DENSE_SMALL 8
/* Unknowns up to which pivoting costs little more than one step of newton-min. */
#define NS_LCP_TINY 6
/* Most unknowns whose supports are enumerated. */
#define NS_LCP_ENUMERATION_MAX 20

typedef enum ns_lcp_factor { NS_LCP_NONE, NS_LCP_ONE, NS_LCP_CHOLESKY, NS_LCP_LU, NS_LCP_SPARSE } ns_lcp_factor;

typedef struct ns_lcp_work {
  ns_arena *arena;   /* holds this and all it points to */
  ns_lcp_options opt;
  int n;             /* capacity */
  int ndense;        /* largest size of dense work */
  int small;         /* up to this size a block-sparse problem is factored as a dense one */
  int symmetric;
  double *z;         /* candidate [n] */
  unsigned char *in; /* its support [n] */
  double *w, *x;     /* scratch [n] */
  double *s, *add;   /* row scales and what is added to the diagonal in proximal steps [n] */

  double *r;         /* reciprocals of the row scales of a dense problem, see ns_lcp_begin [n] */
  unsigned long rstamp;
  int rn;            /* size of its problem */
  int begun;         /* 0: nobody calls ns_lcp_begin, r is not used; 1: r is to be found; 2: it is known */

  /* The factor of M_SS (+ diag(add)), and what it belongs to. */
  ns_lcp_factor kind;
  unsigned long stamp;
  int pn;                  /* size of its problem */
  int ns;                  /* rows in its support */
  int added;               /* with add */
  int bad;                 /* row at which the last factorisation failed, -1: unknown */
  unsigned char *fin;      /* its support [n] */
  int *idx;                /* rows of its support, ascending [n] */
  int *pos;                /* inverse of idx, -1 elsewhere [n] */
  double *F;               /* dense factor, ns x ns [ndense^2] */
  double *b;               /* right-hand side [n] */
  int *piv;                /* [ndense] */
  ns_sparse_factor *sparse; /* NULL without a structure */
} ns_lcp_work;

/* Memory from a new arena; free with ns_lcp_work_destroy. direct = 0: no ns_lcp_direct is wanted. */
int ns_lcp_work_create(ns_ctx *c, const ns_lcp_capacity *cap, const ns_lcp_options *opt, int direct, ns_lcp_work **out);
void ns_lcp_work_destroy(ns_lcp_work *k); /* NULL-safe */
/* n items from the arena into *(T **)p, or the failure in c. */
int ns_lcp_work_get(ns_lcp_work *k, ns_ctx *c, size_t n, size_t size, void *p);
/* Starts a call whose residuals may share row scales; those of the last call stay where the stamp is the same. */
static inline void ns_lcp_begin(ns_lcp_work *k, const ns_lcp *p)
{
  if (k->begun == 2 && p->stamp && p->stamp == k->rstamp && p->n == k->rn) return;
  k->rstamp = p->stamp;
  k->rn = p->n;
  k->begun = 1;
}
/* ns_lcp_residual with them. */
double ns_lcp_work_residual(ns_lcp_work *k, const ns_lcp *p, const double *z, double *w);
/* Refuse a problem that the object was not made for. */
int ns_lcp_work_fits(const ns_lcp_work *k, ns_ctx *c, const ns_lcp *p);

/* Power of two near 1/x for x > 0; 1 for 0 and for what is not finite. */
static inline double ns_lcp_power(double x)
{
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  int e = (int)(u >> 52); /* with the sign: a negative x is as good as 0 */
  if (e == 0 || e >= 0x7ff) return 1;
  e = e < 45 ? 2000 : e > 2000 ? 45 : 2045 - e;
  u = (uint64_t)e << 52;
  memcpy(&x, &u, sizeof x);
  return x;
}

/* fmax without a call; a NaN in a is lost. */
static inline double ns_lcp_larger(double a, double b) { return a > b ? a : b; }

/* q + (M z)_at of a row in block row i, by columns ascending; *s = max_j |M_at,j|. */
static inline double ns_lcp_block_row(const ns_blocks *A, int i, int at, double q, const double *z, double *s)
{
  int m = A->dim[i];
  *s = 0;
  for (int k = A->row[i]; k < A->row[i + 1]; k++) {
    const double *b = A->val + A->off[k] + (at - A->first[i]), *x = z + A->first[A->col[k]];
    for (int c = 0; c < A->dim[A->col[k]]; c++, b += m) {
      double a = fabs(*b);
      q += *b * x[c];
      *s = *s > a ? *s : a;
    }
  }
  return q;
}

/* ns_lcp_residual, to the bit, of a dense problem: r_i = 1/s_i [n] are found on the way, or are known. */
double ns_lcp_residual_first(const ns_lcp *p, double *r, const double *z, double *w);
double ns_lcp_residual_kept(const ns_lcp *p, const double *r, const double *z, double *w);

/* Is the residual of z more than rounding? Where |z| is so large that M z has no digits left at the size of the tolerance, a
 * residual of 0 says nothing. */
int ns_lcp_credible(const ns_lcp *p, const double *z, double tol);

/* Support {z > 0} into in; returns its size. */
int ns_lcp_support(int n, const double *z, unsigned char *in);
/* Three to six unknowns, dense, no guess, no kept matrix, and a diagonal that is not the largest of its row everywhere:
 * newton-min is likely to miss what Lemke finds in a few pivots. */
int ns_lcp_cold(const ns_lcp *p, const double *z);
/* M in full, M_ij at M[i*di + j*dj]. */
void ns_lcp_fill(const ns_lcp *p, double *M, size_t di, size_t dj);
/* s_i = max_j |M_ij|, 1 where the row is 0 [n]. */
void ns_lcp_row_scales(const ns_lcp *p, double *s);
int ns_lcp_finite(const ns_lcp *p);

/* x = -(M_SS + diag(add_S))^-1 q_S on the support, 0 elsewhere; add NULL or k->add. Uses the kept factor where stamp,
 * support and add are those of the last call. 0, or not 0 where the matrix is singular to rounding. */
int ns_lcp_direct(ns_lcp_work *k, const ns_lcp *p, const int *row, const unsigned char *in, const double *q,
                  const double *add, double *x);

/* k->z on the support k->in, w and the residual; refined where it is near the tolerance but not within. 0, or not 0
 * where singular. */
int ns_lcp_on_support(ns_lcp_work *k, const ns_lcp *p, const int *row, double *w, double *residual);
/* After a failed one: take rows out of k->in that depend on others. Their number, 0: it cannot be said. */
int ns_lcp_drop(ns_lcp_work *k, const ns_lcp *p, const int *row);
/* ns_lcp_direct with an add that may have changed: fresh = 1 factors anew, 0 uses the factor of the last call. */
int ns_lcp_direct_again(ns_lcp_work *k, const ns_lcp *p, const int *row, const unsigned char *in, const double *q,
                        const double *add, int fresh, double *x);
/* y = M x, or M^T x. */
void ns_lcp_times(const ns_lcp *p, int transposed, const double *x, double *y);

/* Can k->z be the answer? It is clipped at 0 and solved again on its own support; where that is
 * singular or worse than the tolerance it may stand as it is. On success (1) k->z and w [n] are
 * the answer and *residual its residual. */
int ns_lcp_accept(ns_lcp_work *k, const ns_lcp *p, const int *row, double *w, double *residual);
/* The same for a k->z that ns_lcp_on_support made on k->in, w and *residual being up to date. */
int ns_lcp_accept_direct(ns_lcp_work *k, const ns_lcp *p, const int *row, double *w, double *residual);

/* Endings. solved: z = k->z. failed: z stays, w and the residual are those of z. */
void ns_lcp_solved(const ns_lcp_work *k, const ns_lcp *p, double *z, double residual, int iterations, const char *solver,
                   ns_outcome *out);
void ns_lcp_failed(const ns_lcp *p, const double *z, double *w, ns_outcome_kind kind, int iterations, const char *solver,
                   ns_outcome *out);

/* The methods. Each leaves a candidate in k->z, adds to *iterations and says how it ended; NS_SOLVED means that the
 * candidate deserves ns_lcp_accept, or where w and residual are arguments that it is within the tolerance. */
typedef struct ns_lemke ns_lemke;
int ns_lemke_create(ns_lcp_work *k, ns_ctx *c, ns_lemke **out);
ns_outcome_kind ns_lemke_run(ns_lemke *l, ns_lcp_work *k, const ns_lcp *p, int *iterations);

/* From the support of z; accept with ns_lcp_accept_direct. guarded: see lcp_newton.c. */
typedef struct ns_newton ns_newton;
int ns_newton_create(ns_lcp_work *k, ns_ctx *c, ns_newton **out);
ns_outcome_kind ns_newton_run(ns_newton *a, ns_lcp_work *k, const ns_lcp *p, const int *row, const double *z, double *w,
                              int guarded, int limit, int *iterations, double *residual);
/* Proximal points z+ = LCP(M + R, q - R z), each by guarded newton-min of at most `limit` steps. */
ns_outcome_kind ns_proximal_run(ns_lcp_work *k, const ns_lcp *p, const int *row, const double *z, double *w, int limit,
                                int *iterations, double *residual);

/* k->z and w within the tolerance where NS_SOLVED; finishes with newton-min where it can. */
typedef struct ns_interior ns_interior;
int ns_interior_create(ns_lcp_work *k, ns_ctx *c, ns_interior **out);
ns_outcome_kind ns_interior_run(ns_interior *t, ns_newton *a, ns_lcp_work *k, const ns_lcp *p, const int *row, double *w,
                                int *iterations, double *residual);

typedef struct ns_fischer ns_fischer;
int ns_fischer_create(ns_lcp_work *k, ns_ctx *c, const ns_lcp_capacity *cap, ns_fischer **out);
void ns_fischer_destroy(ns_fischer *f); /* NULL-safe */
ns_outcome_kind ns_fischer_run(ns_fischer *f, ns_lcp_work *k, const ns_lcp *p, const int *row, const double *z, int limit,
                               int *iterations);
/* Da, Db of the Jacobian Da + Db M at (z, b); c = M v for v = 1 where z = b = 0 (read only there). */
void ns_fischer_diagonals(int n, const double *z, const double *b, const double *c, double *da, double *db);

/* Until this part of the tolerance where the sweeps are that quick. */
#define NS_LCP_CLOSER 1e-3
/* A few sweeps, as long as their rate promises an end soon: degenerate problems with many solutions on which all else
 * meets singular matrices. */
ns_outcome_kind ns_pgs_trial(ns_lcp_work *k, const ns_lcp *p, const double *z, double *w, int *iterations,
                             double *residual);
ns_outcome_kind ns_pgs_run(ns_lcp_work *k, const ns_lcp *p, const double *z, double *w, int limit, int *iterations,
                           double *residual);

typedef struct ns_enumeration ns_enumeration;
int ns_enumeration_create(ns_lcp_work *k, ns_ctx *c, ns_enumeration **out);
ns_outcome_kind ns_enumeration_run(ns_enumeration *e, ns_lcp_work *k, const ns_lcp *p, const int *row, const double *z,
                                   double *w, int *iterations, double *residual);

extern const ns_lcp_solver_ops ns_lcp_auto, ns_lcp_lemke, ns_lcp_newton_min, ns_lcp_pgs, ns_lcp_fischer_burmeister,
    ns_lcp_enumerate;

#endif
