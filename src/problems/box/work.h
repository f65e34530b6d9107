/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work.h -- what the solvers on a box share: the direct solve on a state, and the end of a solve.
 * Private to src/problems.
 *
 * A state says of each row where z_i is: at its lower bound, at its upper one, or free (w_i = 0).
 * Then
 *
 *   z_F = -M_FF^-1 (q_F + M_FA z_A)
 *
 * Whatever way a solver found the state, its answer is computed here, so that answers on the same
 * state are the same bytes. Of an LCP, whose rows are at 0 or free, no bound is read (boxed = 0).
 * Sparse matrices of LCPs are factored sparse where that pays, up to NS_BOX_DENSE_MAX rows as dense
 * ones else; those of other problems are written out in full. */
#ifndef NS_PROBLEMS_BOX_WORK_H
#define NS_PROBLEMS_BOX_WORK_H

#include "algebra/sparse_factor.h"
#include "base/arena.h"
#include "problems/box/box.h"
#include "problems/box/row.h"
#include "problems/box/sweep.h"

#include <stdint.h>
#include <string.h>

/* Most rows that are treated as dense where the capacity has a sparse structure. */
#define NS_BOX_DENSE_MAX 1000
/* The same where the sparse factors stay sparse. */
#define NS_BOX_DENSE_SMALL 8
/* Unknowns up to which pivoting costs little more than one step of newton-min. */
#define NS_BOX_TINY 6
/* Rows from which "auto" gives problems with bounds and blocks to the sparse solver. */
#define NS_BOX_SPARSE_LEAST 24
/* Most states that are enumerated: 20 rows of an LCP. */
#define NS_BOX_STATES_MAX (1 << 20)
#define NS_BOX_ENUMERATED 20

enum { NS_BOX_LOWER = -1, NS_BOX_FREE = 0, NS_BOX_UPPER = 1 };

typedef enum ns_box_factor {
  NS_BOX_NONE,
  NS_BOX_ONE,
  NS_BOX_CHOLESKY,
  NS_BOX_LU,
  NS_BOX_SPARSE
} ns_box_factor;

typedef struct ns_box_work {
  ns_arena *arena; /* holds this and all it points to */
  ns_lcp_options opt;
  int n;      /* capacity */
  int ndense; /* largest size of dense work */
  int small;  /* up to this size a block-sparse LCP is factored as a dense one */
  int symmetric, boxed;
  double *z;       /* candidate [n] */
  signed char *at; /* its state [n] */
  double *w, *x;   /* scratch [n] */
  double *add;     /* what is added to the diagonal in interior points; a candidate [n] */

  /* The problem of this call, or of the last one with the same stamp; see ns_box_begin. */
  unsigned long stamp;
  int pn;
  int is_full; /* the matrix is written out */
  ns_box view; /* the problem with that matrix */
  /* There; NULL without a structure [ndense^2, of LCPs that of NS_BOX_ENUMERATED rows]. */
  double *full;
  double *r; /* reciprocals of the row scales, where scaled [n] */
  int scaled;

  /* The factor of M_FF (+ diag(add)), and the state it belongs to. With bounds: rows scaled by
   * powers of two. */
  ns_box_factor kind;
  int nf, added;
  int bad;                  /* row at which the last factorisation failed, -1: unknown */
  signed char *fat;         /* [n] */
  unsigned char *mask;      /* of sparse factors: free rows [n] */
  int *idx;                 /* rows of F, ascending [n] */
  int *pos;                 /* inverse of idx, -1 elsewhere [n] */
  double *power;            /* scales of the rows [ndense] */
  double *shift;            /* M_FA z_A [ndense] */
  double *F, *b;            /* nf x nf [ndense^2], right-hand side [n] */
  int *piv;                 /* [ndense] */
  ns_sparse_factor *sparse; /* NULL without a structure */

  /* The same with complete pivoting, where M_FF is singular; it takes the place of the factor. See
   * rank.c. */
  int rank;
  int *col;         /* column that was brought to place j [ndense] */
  double *colpower; /* scales of the columns [ndense] */
} ns_box_work;

/* Memory from a new arena; free with ns_box_work_destroy. boxed: with bounds. direct = 0: no
 * ns_box_direct is wanted. */
int ns_box_work_create(ns_ctx *c, const ns_box_capacity *cap, const ns_lcp_options *opt, int boxed,
                       int direct, ns_box_work **out);
void ns_box_work_destroy(ns_box_work *k); /* NULL-safe */
/* What a part wants of the arena: `count` items into *(T **)at. */
typedef struct ns_box_want {
  void *at;
  size_t count, size;
} ns_box_want;
int ns_box_work_get(ns_box_work *k, ns_ctx *c, int wants, const ns_box_want *want);
#define NS_BOX_GET(k, c, want) ns_box_work_get(k, c, (int)(sizeof(want) / sizeof *(want)), want)
/* Refuse a problem that the object was not made for. */
int ns_box_work_fits(const ns_box_work *k, ns_ctx *c, const ns_box *p);

/* Starts a call: the problem, its matrix in full where it has blocks and bounds. What is kept from
 * the last call stays where the stamp is the same. */
const ns_box *ns_box_begin(ns_box_work *k, const ns_box *p);
/* ns_box_residual, to the bit, with the row scales of this call, which it finds on the way. */
double ns_box_work_residual(ns_box_work *k, const ns_box *p, const double *z, double *w);
/* The row scales into k->r where they are not there yet. */
void ns_box_scales(ns_box_work *k, const ns_box *p);
/* ns_box_residual of a dense problem: r_i = 1/s_i [n] are found on the way, or are known. */
double ns_box_residual_first(const ns_box *p, int boxed, double *r, const double *z, double *w);
double ns_box_residual_kept(const ns_box *p, int boxed, const double *r, const double *z,
                            double *w);

static inline double ns_box_lower(const ns_box_work *k, const ns_box *p, int i)
{
  return k->boxed ? p->lb[i] : 0;
}
static inline double ns_box_upper(const ns_box_work *k, const ns_box *p, int i)
{
  return k->boxed ? p->ub[i] : INFINITY;
}

/* State of z: at a bound, beyond it, or between. */
static inline signed char ns_box_state(double z, double lb, double ub)
{
  if (z <= lb) return NS_BOX_LOWER;
  return (signed char)(z >= ub ? NS_BOX_UPPER : NS_BOX_FREE);
}

/* Power of two near 1/x for x > 0; 1 for 0 and for what is not finite. */
static inline double ns_box_power(double x)
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
static inline double ns_box_larger(double a, double b) { return a > b ? a : b; }

/* Is the residual of z more than rounding? Where |z| is so large that M z has no digits left at the
 * size of the tolerance, a residual of 0 says nothing. */
int ns_box_credible(ns_box_work *k, const ns_box *p, const double *z);
/* Three to six unknowns, dense, no guess, no kept matrix, and a diagonal that is not the largest of
 * its row everywhere: newton-min is likely to miss what Lemke finds in a few pivots. */
int ns_box_wants_pivots(const ns_box *p, const double *z);
/* M in full, M_ij at M[i*di + j*dj]. */
void ns_box_fill(const ns_box *p, double *M, size_t di, size_t dj);
int ns_box_finite(const ns_box *p);
/* z into its bounds; a NaN goes to a finite one, or to 0. */
void ns_box_clip(const ns_box_work *k, const ns_box *p, double *z);
/* y = M x, or M^T x. */
void ns_box_times(const ns_box *p, int transposed, const double *x, double *y);
/* The state of z into `at`. */
void ns_box_state_of(const ns_box_work *k, const ns_box *p, const double *z, signed char *at);

/* x = z on the state `at`, for the right-hand side q and M + diag(add) (add NULL or k->add). Uses
 * the kept factor where matrix, state and add are those of the last call; fresh: not even then. 0,
 * or not 0 where M_FF is singular to rounding. */
int ns_box_direct(ns_box_work *k, const ns_box *p, const int *row, const signed char *at,
                  const double *q, const double *add, int fresh, double *x);
/* k->z on the state k->at, w and the residual; refined where it is near the tolerance but not
 * within. 0, or not 0 where singular. */
int ns_box_on_state(ns_box_work *k, const ns_box *p, const int *row, double *w, double *residual);
/* After a failed one: rows that depend on others go to a bound. Their number, 0: it cannot be
 * said. */
int ns_box_drop(ns_box_work *k, const ns_box *p, const int *row);
/* M_FF of any rank, of a dense matrix: factor, then z_F += d with M_FF d = -w_F as far as the rank
 * goes, other unknowns unchanged. */
void ns_box_factor_rank(ns_box_work *k, const ns_box *p, const signed char *at);
void ns_box_correct_rank(ns_box_work *k, const double *w, double *z);

/* Can k->z be the answer? It is clipped and solved again on its own state; where that is singular
 * or worse than the tolerance it may stand as it is, with bounds also corrected on its singular
 * state. On success (1) k->z and w [n] are the answer and *residual its residual. */
int ns_box_accept(ns_box_work *k, const ns_box *p, const int *row, double *w, double *residual);
/* The same without correction of singular states. */
int ns_box_try(ns_box_work *k, const ns_box *p, const int *row, double *w, double *residual);
/* The same for a k->z that ns_box_on_state made on k->at, w and *residual being up to date. */
int ns_box_accept_direct(ns_box_work *k, const ns_box *p, const int *row, double *w,
                         double *residual);

/* Endings. solved: z = k->z. failed: z stays, w and the residual are those of z. */
void ns_box_solved(const ns_box_work *k, const ns_box *p, double *z, double residual,
                   int iterations, const char *solver, ns_outcome *out);
void ns_box_failed(const ns_box *p, const double *z, double *w, ns_outcome_kind kind,
                   int iterations, const char *solver, ns_outcome *out);

/* ---- a solver that is one method alone ------------------------------------------------------- */

typedef struct ns_box_method {
  const char *name;
  int direct; /* it needs ns_box_direct */
  int any;    /* it looks itself whether the problem is finite, or does not mind */
  int (*create)(ns_box_work *k, ns_ctx *c, const ns_box_capacity *cap,
                void **own);  /* what it has of its own; NULL: nothing */
  void (*destroy)(void *own); /* NULL: all of it is in the arena of the work */
  int (*refuses)(const ns_box_work *k, ns_ctx *c, const ns_box *p); /* NULL: nothing */
  /* k has begun with p. Where NS_SOLVED, k->z and w are accepted. */
  ns_outcome_kind (*run)(void *own, ns_box_work *k, const ns_box *p, const int *row,
                         const double *z, double *w, int *iterations, double *residual);
} ns_box_method;

/* Functions of the solver's table. */
int ns_box_method_create(ns_ctx *c, const ns_box_capacity *cap, const ns_lcp_options *opt,
                         const ns_box_method *m, void **self);
int ns_box_method_solve(void *self, ns_ctx *c, const ns_box *p, const int *row, double *z,
                        double *w, ns_outcome *out);
void ns_box_method_destroy(void *self); /* NULL-safe */
/* Are there bounds other than those of an LCP? */
int ns_box_is_boxed(const ns_box_capacity *cap);

/* ---- the methods ----
 * Each leaves a candidate in k->z, adds to *iterations and says how it ended; NS_SOLVED means that
 * the candidate
 * deserves ns_box_accept, or where w and residual are arguments that it is within the tolerance. */

/* From the state of z; accept with ns_box_accept_direct. */
typedef struct ns_newton ns_newton;
typedef enum ns_newton_guard {
  NS_NEWTON_UNGUARDED,
  NS_NEWTON_GUARDED,
  NS_NEWTON_PATIENT,
  NS_NEWTON_REGULAR /* unguarded, and no further than a singular state */
} ns_newton_guard;
/* Is M_FF of the last step singular, to rounding, by the pivots of its factor? */
int ns_newton_is_singular(const ns_box_work *k);
int ns_newton_create(ns_box_work *k, ns_ctx *c, ns_newton **out);
ns_outcome_kind ns_newton_run(ns_newton *a, ns_box_work *k, const ns_box *p, const int *row,
                              const double *z, double *w, ns_newton_guard guard, int limit,
                              int *iterations, double *residual);

/* Accepted where NS_SOLVED. */
typedef struct ns_lemke ns_lemke;
int ns_lemke_create(ns_box_work *k, ns_ctx *c, ns_lemke **out);
/* cover [n]: which rows the artificial variable covers (others that begin below 0 as well); NULL:
 * all. */
ns_outcome_kind ns_lemke_run(ns_lemke *l, ns_box_work *k, const ns_box *p, const int *row,
                             const unsigned char *cover, const double *z, double *w,
                             int *iterations, double *residual);
/* The same from the state of z, with bounds: the artificial variable covers the rows that this
 * state does not meet. */
ns_outcome_kind ns_lemke_run_from(ns_lemke *l, ns_box_work *k, const ns_box *p, const int *row,
                                  const double *z, double *w, int *iterations, double *residual);

/* Proximal points z+ = solution for M + R, q - R z, each by newton-min of at most `limit` steps,
 * with bounds by Lemke where that fails; accepted where NS_SOLVED. */
typedef struct ns_proximal ns_proximal;
int ns_proximal_create(ns_box_work *k, ns_ctx *c, const ns_box_capacity *cap, ns_proximal **out);
ns_outcome_kind ns_proximal_run(ns_proximal *s, ns_newton *a, ns_lemke *l, ns_box_work *k,
                                const ns_box *p, const int *row, const double *z, double *w,
                                int limit, int *iterations, double *residual);

/* Of LCPs; k->z and w within the tolerance where NS_SOLVED; finishes with newton-min where it
 * can. */
typedef struct ns_interior ns_interior;
int ns_interior_create(ns_box_work *k, ns_ctx *c, ns_interior **out);
ns_outcome_kind ns_interior_run(ns_interior *t, ns_newton *a, ns_box_work *k, const ns_box *p,
                                const int *row, double *w, int *iterations, double *residual);

typedef struct ns_fischer ns_fischer;
int ns_fischer_create(ns_box_work *k, ns_ctx *c, const ns_box_capacity *cap, ns_fischer **out);
void ns_fischer_destroy(ns_fischer *f); /* NULL-safe */
ns_outcome_kind ns_fischer_run(ns_fischer *f, ns_box_work *k, const ns_box *p, const int *row,
                               const double *z, double *w, int limit, int *iterations);
/* Phi of a row at z, b = w / s, and its derivatives. */
double ns_box_fischer_row(double z, double b, double lb, double ub, double *dz, double *db);
/* Of an LCP, -Da and -Db of the Jacobian Da + Db M at (z, b); c = M v for v = 1 where z = b = 0
 * (read only there). */
void ns_fischer_diagonals(int n, const double *z, const double *b, const double *c, double *da,
                          double *db);

/* Until this part of the tolerance where the sweeps are that quick. */
#define NS_PGS_CLOSER 1e-3
/* Sweeps with steps along what they change, of LCPs: a few; as long as their rate promises an end
 * soon; or whatever their rate, as on degenerate problems with many solutions they stand still and
 * then end at once, and all else meets singular matrices. */
typedef enum ns_pgs_patience { NS_PGS_FEW, NS_PGS_BY_RATE, NS_PGS_STUBBORN } ns_pgs_patience;
ns_outcome_kind ns_pgs_trial(ns_box_work *k, const ns_box *p, const double *z, double *w,
                             ns_pgs_patience how, int *iterations, double *residual);
/* Dense, from z = 0: 1 where a sweep or two end at the solution, to rounding. */
int ns_pgs_settles(ns_box_work *k, const ns_box *p, const int *row, double *w, double *residual);
ns_outcome_kind ns_pgs_run(ns_box_work *k, const ns_box *p, const double *z, double *w, int limit,
                           int *iterations, double *residual);

/* How many states the rows have together (lb NULL: of an LCP); accepted where NS_SOLVED. */
double ns_box_states(int n, const double *lb, const double *ub);
ns_outcome_kind ns_enumeration_run(ns_box_work *k, const ns_box *p, const int *row, const double *z,
                                   double *w, int *iterations, double *residual);

extern const ns_box_solver_ops ns_box_auto, ns_box_lemke, ns_box_newton_min, ns_box_pgs,
    ns_box_fischer_burmeister, ns_box_enumerate;

#endif
