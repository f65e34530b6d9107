/* SPDX-License-Identifier: GPL-3.0-or-later */
/* avi_work.h -- what the solvers of the box AVI share: the direct solve on a state, and the end of a solve.
 * Private to src/problems.
 *
 * A state says of each row where z_i is: at its lower bound, at its upper one, or free (w_i = 0). Then
 * z_F = -M_FF^-1 (q_F + M_FA z_A). Whatever way a solver found the state, its answer is computed here, so that
 * answers on the same state are the same bytes. Problems whose capacity is an LCP never come here: they go to the LCP
 * solver of the same name. Sparse matrices are written out in full, up to NS_LCP_DENSE_MAX rows. */
#ifndef NS_PROBLEMS_AVI_WORK_H
#define NS_PROBLEMS_AVI_WORK_H

#include "base/arena.h"
#include "problems/avi.h"
#include "problems/lcp_work.h"

#include <string.h>

/* Rows from which "auto" gives problems with blocks to the sparse solver. */
#define NS_AVI_SPARSE_LEAST 24
/* Most states that are enumerated. */
#define NS_AVI_STATES_MAX (1 << 20)

enum { NS_AVI_LOWER = -1, NS_AVI_FREE = 0, NS_AVI_UPPER = 1 };

typedef struct ns_avi_work {
  ns_arena *arena; /* holds this and all it points to */
  ns_lcp_options opt;
  int n;           /* capacity */
  int ndense;      /* largest size of dense work */
  int symmetric;
  double *z;       /* candidate [n] */
  signed char *at; /* its state [n] */
  double *w, *x;   /* scratch [n] */

  /* The matrix of this call, or of the last one with the same stamp; see ns_avi_begin. */
  unsigned long stamp;
  int pn;
  const double *M; /* in full, leading dimension ld */
  int ld;
  double *full;    /* copy of sparse ones [ndense^2], NULL without a structure */
  double *r;       /* reciprocals of the row scales [n] */

  /* The factor of M_FF, rows scaled by powers of two, and the state it belongs to. */
  int factored, nf;
  int bad;          /* row at which the last factorisation failed, -1: none */
  signed char *fat; /* [n] */
  int *idx;         /* rows of F, ascending [ndense] */
  double *power;    /* their scales [ndense] */
  double *shift;    /* M_FA z_A [ndense] */
  double *F, *b;    /* nf x nf, right-hand side */
  int *piv;

  /* The same with complete pivoting, where M_FF is singular; it takes the place of the factor. See avi_rank.c. */
  int rank;
  int *col;         /* column that was brought to place j [ndense] */
  double *colpower; /* scales of the columns [ndense] */
} ns_avi_work;

/* Memory from a new arena; free with ns_avi_work_destroy. */
int ns_avi_work_create(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, ns_avi_work **out);
void ns_avi_work_destroy(ns_avi_work *k); /* NULL-safe */
/* n items from the arena into *(T **)p, or the failure in c. */
int ns_avi_work_get(ns_avi_work *k, ns_ctx *c, size_t n, size_t size, void *p);
/* Refuse a problem that the object was not made for. */
int ns_avi_work_fits(const ns_avi_work *k, ns_ctx *c, const ns_avi *p);

/* One row of the residual: r = 1/s (1 where the row is 0). With lb = 0, ub = inf the arithmetic of the LCP. */
static inline void ns_avi_tally_row(ns_lcp_tally *t, double z, double w, double q, double r, double lb, double ub)
{
  double v = w * r, below = z - lb, above = z - ub, b = fabs(q * r);
  double d = above > v ? above : v, a = fabs(below < d ? below : d);
  if (a > t->worst) t->worst = a;
  if (b > t->q) t->q = b;
  t->sum += fabs(z) + fabs(w);
}

static inline double ns_avi_reciprocal(double s) { return s > 1e-300 ? 1 / s : 1; }

/* Starts a call: M in full, row scales. What is kept from the last call stays where the stamp is the same. */
void ns_avi_begin(ns_avi_work *k, const ns_avi *p);
/* ns_avi_residual, to the bit, with the scales of ns_avi_begin. */
double ns_avi_residual_kept(const ns_avi_work *k, const ns_avi *p, const double *z, double *w);

/* State of z: at a bound, beyond it, or between. */
static inline signed char ns_avi_state(double z, double lb, double ub)
{
  return (signed char)(z <= lb ? NS_AVI_LOWER : z >= ub ? NS_AVI_UPPER : NS_AVI_FREE);
}

int ns_avi_finite(const ns_avi *p);
/* z into its bounds; a NaN goes to a finite one, or to 0. */
void ns_avi_clip(const ns_avi *p, double *z);

/* x = z on the state `at`, for the right-hand side q. 0, or not 0 where M_FF is singular to rounding. */
int ns_avi_direct(ns_avi_work *k, const ns_avi *p, const signed char *at, const double *q, double *x);
/* k->z on the state k->at, w and the residual; refined where it is near the tolerance but not within. 0, or not 0
 * where singular. */
int ns_avi_on_state(ns_avi_work *k, const ns_avi *p, double *w, double *residual);
/* After a failed one: a row that depends on others goes to a bound. 0: it has none. */
int ns_avi_drop(ns_avi_work *k, const ns_avi *p);

/* Can k->z be the answer? It is clipped and solved again on its own state; where that is singular or worse than the
 * tolerance it may stand as it is. On success (1) k->z and w [n] are the answer and *residual its residual. */
int ns_avi_accept(ns_avi_work *k, const ns_avi *p, double *w, double *residual);
/* The same without correction of singular states. */
int ns_avi_try(ns_avi_work *k, const ns_avi *p, double *w, double *residual);
/* The same for a k->z that ns_avi_on_state made on k->at, w and *residual being up to date. */
int ns_avi_accept_direct(ns_avi_work *k, const ns_avi *p, double *w, double *residual);

/* Endings. solved: z = k->z. failed: z stays, w and the residual are those of z. */
void ns_avi_solved(const ns_avi_work *k, const ns_avi *p, double *z, double residual, int iterations, const char *solver,
                   ns_outcome *out);
void ns_avi_failed(const ns_avi *p, const double *z, double *w, ns_outcome_kind kind, int iterations, const char *solver,
                   ns_outcome *out);

/* M_FF of any rank: factor, then z_F += d with M_FF d = -w_F as far as the rank goes, other unknowns unchanged. */
void ns_avi_factor_rank(ns_avi_work *k, const signed char *at);
void ns_avi_correct_rank(ns_avi_work *k, const double *w, double *z);

/* ---- objects: each is an LCP solver for LCPs, or the work and its method ---- */

/* A solver that is one method alone. */
typedef struct ns_avi_method {
  const char *name;
  const ns_lcp_solver_ops *lcp; /* of LCPs */
  int (*create)(ns_avi_work *k, ns_ctx *c, void **own); /* what it has of its own, in the arena of the work; NULL: nothing */
  /* k has begun with p. Where NS_SOLVED, k->z and w are accepted. */
  ns_outcome_kind (*run)(void *own, ns_avi_work *k, const ns_avi *p, const double *z, double *w, int *iterations, double *residual);
} ns_avi_method;

typedef struct ns_avi_object {
  const ns_lcp_solver_ops *lcp; /* NULL where the capacity is no LCP */
  void *lcp_self;
  ns_avi_work *work;            /* NULL where it is */
  const ns_avi_method *method;
  void *own;                    /* of the method */
} ns_avi_object;

/* Functions of the solver's table. */
int ns_avi_method_create(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, const ns_avi_method *m, void **self);
int ns_avi_method_solve(void *self, ns_ctx *c, const ns_avi *p, const int *row, double *z, double *w, ns_outcome *out);

/* A zeroed object of `size` bytes that begins with an ns_avi_object into *(T **)self; destroy with
 * ns_avi_object_destroy. */
int ns_avi_object_create(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, const ns_lcp_solver_ops *lcp,
                         size_t size, void *self);
void ns_avi_object_destroy(void *self); /* NULL-safe */

static inline int ns_avi_as_lcp(const ns_avi_object *o, ns_ctx *c, const ns_avi *p, const int *row, double *z, double *w,
                                ns_outcome *out)
{
  ns_lcp l = {.n = p->n, .dense = p->dense, .ld = p->ld, .blocks = p->blocks, .q = p->q, .stamp = p->stamp, .watch = p->watch};
  return o->lcp->solve(o->lcp_self, c, &l, row, z, w, out);
}

/* ---- the methods ----
 * Each leaves a candidate in k->z, adds to *iterations and says how it ended; NS_SOLVED means that the candidate
 * deserves ns_avi_accept, or where w and residual are arguments that it is within the tolerance. */

/* From the state of z; accept with ns_avi_accept_direct. */
typedef struct ns_avi_newton ns_avi_newton;
int ns_avi_newton_create(ns_avi_work *k, ns_ctx *c, ns_avi_newton **out);
ns_outcome_kind ns_avi_newton_run(ns_avi_newton *a, ns_avi_work *k, const ns_avi *p, const double *z, double *w,
                                  int guarded, int limit, int *iterations, double *residual);

typedef struct ns_avi_pivots ns_avi_pivots;
int ns_avi_lemke_create(ns_avi_work *k, ns_ctx *c, ns_avi_pivots **out);
/* cover [n]: which rows the artificial variable covers (others that begin below 0 as well); NULL: all. Accepted where
 * NS_SOLVED. */
ns_outcome_kind ns_avi_lemke_run(ns_avi_pivots *l, ns_avi_work *k, const ns_avi *p, const unsigned char *cover,
                                 const double *z, double *w, int *iterations, double *residual);

ns_outcome_kind ns_avi_pgs_run(ns_avi_work *k, const ns_avi *p, const double *z, double *w, int limit, int *iterations,
                               double *residual);

/* How many states the rows have together; accepted where NS_SOLVED. */
double ns_avi_states(int n, const double *lb, const double *ub);
ns_outcome_kind ns_avi_enumeration_run(ns_avi_work *k, const ns_avi *p, const double *z, double *w, int *iterations,
                                       double *residual);

typedef struct ns_avi_fischer ns_avi_fischer;
int ns_avi_fischer_create(ns_avi_work *k, ns_ctx *c, ns_avi_fischer **out);
ns_outcome_kind ns_avi_fischer_run(ns_avi_fischer *f, ns_avi_work *k, const ns_avi *p, const double *z, double *w, int limit,
                                   int *iterations);
/* Phi of a row at z, b = w / s, and its derivatives. */
double ns_avi_fischer_row(double z, double b, double lb, double ub, double *dz, double *db);

/* Accepted where NS_SOLVED. */
typedef struct ns_avi_proximal ns_avi_proximal;
int ns_avi_proximal_create(ns_avi_work *k, ns_ctx *c, ns_avi_proximal **out);
ns_outcome_kind ns_avi_proximal_run(ns_avi_proximal *s, ns_avi_newton *a, ns_avi_pivots *l, ns_avi_work *k, const ns_avi *p,
                                    const double *z, double *w, int *iterations, double *residual);

extern const ns_avi_solver_ops ns_avi_auto, ns_avi_lemke, ns_avi_newton_min, ns_avi_pgs, ns_avi_fischer_burmeister,
    ns_avi_enumerate;

#endif
