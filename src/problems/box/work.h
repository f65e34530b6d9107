/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work.h -- what the solvers on a box share: the direct solve on a state, and the end of a solve.
 * Private to src/problems.
 *
 * The state of a row says whether z_i is at its lower bound, at its upper bound, or free (w_i = 0).
 * With F the free rows and A the others,
 *
 *   z_F = -M_FF^-1 (q_F + M_FA z_A)
 *
 * All solvers compute their final z here, so that equal states give equal bytes. For LCPs, whose
 * rows are at 0 or free, no bounds are read (boxed = 0). Sparse matrices of LCPs are factored as
 * sparse matrices if that is faster, otherwise, up to NS_BOX_DENSE_MAX rows, as dense ones; those
 * of other problems are expanded to dense matrices. */
#ifndef NS_PROBLEMS_BOX_WORK_H
#define NS_PROBLEMS_BOX_WORK_H

#include "algebra/sparse_factor.h"
#include "base/arena.h"
#include "problems/box/box.h"
#include "problems/box/row.h"
#include "problems/box/sweep.h"

#include <stdint.h>
#include <string.h>

/* Max. number of rows treated as dense if the capacity has a sparse structure. */
#define NS_BOX_DENSE_MAX 1000
/* The same if the sparse factors remain sparse. */
#define NS_BOX_DENSE_SMALL 8
/* Max. number of unknowns for which pivoting costs little more than one step of newton-min. */
#define NS_BOX_TINY 6
/* Min. number of rows for which "auto" uses the sparse solver, for problems with bounds and a
 * block-sparse matrix. */
#define NS_BOX_SPARSE_MIN 24
/* Max. number of states that are enumerated: 20 rows of an LCP. */
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
  ns_arena *arena; /* contains this object and everything it points to */
  ns_lcp_options opt;
  int n;      /* capacity */
  int ndense; /* largest size of dense work */
  int small;  /* max. size of a block-sparse LCP that is factored as a dense one */
  int symmetric, boxed;
  double *z;       /* candidate [n] */
  signed char *at; /* its state [n] */
  double *w, *x;   /* scratch [n] */
  double *add;     /* added to the diagonal by interior-point methods; a candidate [n] */

  /* The problem of this call, or of the last call with the same stamp; see ns_box_begin. */
  unsigned long stamp;
  int pn;
  int is_full; /* 1: `full` contains the matrix */
  ns_box view; /* the problem with that matrix */
  /* The matrix in dense form; NULL without a structure [ndense^2; for LCPs NS_BOX_ENUMERATED^2]. */
  double *full;
  double *r; /* reciprocals of the row scales, where scaled [n] */
  int scaled;

  /* The factor of M_FF (+ diag(add)) and its state. With bounds, rows are scaled by powers of
   * two. */
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

  /* Factor with complete pivoting, used instead if M_FF is singular. See rank.c. */
  int rank;
  int *col;         /* column moved to position j [ndense] */
  double *colpower; /* scales of the columns [ndense] */
} ns_box_work;

/* Create in a new arena; free with ns_box_work_destroy. boxed: with bounds. direct = 0:
 * ns_box_direct will not be called. */
int ns_box_work_create(ns_ctx *c, const ns_box_capacity *cap, const ns_lcp_options *opt, int boxed,
                       int direct, ns_box_work **out);
void ns_box_work_destroy(ns_box_work *k); /* NULL-safe */
/* Memory of a method in the arena. */
int ns_box_work_get(ns_box_work *k, ns_ctx *c, const ns_array *want, size_t count);
#define NS_BOX_GET(k, c, want) ns_box_work_get(k, c, want, sizeof(want) / sizeof *(want))
/* Fails if the problem exceeds the capacity of the object. */
int ns_box_work_fits(const ns_box_work *k, ns_ctx *c, const ns_box *p);

/* Begin a call with problem p: its matrix becomes dense if it has blocks and bounds. Data of the
 * last call are kept if the stamp is the same. */
const ns_box *ns_box_begin(ns_box_work *k, const ns_box *p);
/* Equal to ns_box_residual to the bit; also computes the row scales of this call. */
double ns_box_work_residual(ns_box_work *k, const ns_box *p, const double *z, double *w);
/* Compute the row scales k->r unless they are known. */
void ns_box_scales(ns_box_work *k, const ns_box *p);
/* ns_box_residual of a dense problem with r_i = 1/s_i [n]: _first computes r, _kept reads it. */
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

/* State of z: at or beyond a bound, or between them. */
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

/* fmax without a function call; returns b if a is NaN. */
static inline double ns_box_larger(double a, double b) { return a > b ? a : b; }

/* 1 for three to six unknowns if M is dense and new, there is no guess, and some diagonal entry is
 * not the largest of its row: newton-min then often fails, and Lemke's method takes only a few
 * pivots. */
int ns_box_wants_pivots(const ns_box *p, const double *z);
/* Write the full matrix, M_ij to M[i*di + j*dj]. */
void ns_box_fill(const ns_box *p, double *M, size_t di, size_t dj);
int ns_box_finite(const ns_box *p);
/* Project z onto its bounds; a NaN is replaced by a finite bound, or by 0. */
void ns_box_clip(const ns_box_work *k, const ns_box *p, double *z);
/* y = M x, or M^T x. */
void ns_box_times(const ns_box *p, int transposed, const double *x, double *y);
/* Write the state of z to `at`. */
void ns_box_state_of(const ns_box_work *k, const ns_box *p, const double *z, signed char *at);

/* x := z on the state `at` for the right-hand side q and M + diag(add) (add: NULL or k->add).
 * Reuses the factor if matrix, state and add are those of the last call, unless fresh = 1. Returns
 * 0, or another value if M_FF is singular to rounding. */
int ns_box_direct(ns_box_work *k, const ns_box *p, const int *row, const signed char *at,
                  const double *q, const double *add, int fresh, double *x);
/* Compute k->z on the state k->at, w and the residual, with iterative refinement if the residual is
 * slightly above the tolerance. Returns 0, or another value if M_FF is singular. */
int ns_box_on_state(ns_box_work *k, const ns_box *p, const int *row, double *w, double *residual);
/* After a failure of ns_box_direct: move rows that depend on others to a bound. Returns their
 * number; 0 if it cannot be determined. */
int ns_box_drop(ns_box_work *k, const ns_box *p, const int *row);
/* Dense M_FF of any rank: _factor_rank factors it; _correct_rank does z_F += d, where M_FF d = -w_F
 * up to the rank, with the other unknowns unchanged. */
void ns_box_factor_rank(ns_box_work *k, const ns_box *p, const signed char *at);
void ns_box_correct_rank(ns_box_work *k, const double *w, double *z);

/* Try to accept k->z: it is projected onto its bounds and solved again on its own state. If that is
 * singular or worse than the tolerance, k->z is accepted as it is if its residual permits; with
 * bounds it is also corrected on its singular state. Returns 1 on success: k->z and w [n] are the
 * answer, *residual its residual. */
int ns_box_accept(ns_box_work *k, const ns_box *p, const int *row, double *w, double *residual);
/* The same without correction of singular states. */
int ns_box_try(ns_box_work *k, const ns_box *p, const int *row, double *w, double *residual);
/* The same for a k->z computed by ns_box_on_state on k->at, with w and *residual up to date. */
int ns_box_accept_direct(ns_box_work *k, const ns_box *p, const int *row, double *w,
                         double *residual);

/* End of a solve. _solved: z = k->z. _failed: z is unchanged, w and the residual are those of z. */
void ns_box_solved(const ns_box_work *k, const ns_box *p, double *z, double residual,
                   int iterations, const char *solver, ns_outcome *out);
void ns_box_failed(const ns_box *p, const double *z, double *w, ns_outcome_kind kind,
                   int iterations, const char *solver, ns_outcome *out);

/* ---- a solver that is one method alone ------------------------------------------------------- */

typedef struct ns_box_method {
  const char *name;
  int direct; /* 1: the method calls ns_box_direct */
  int any;    /* 1: the method checks itself whether the problem is finite, or need not check */
  int (*create)(ns_box_work *k, ns_ctx *c, const ns_box_capacity *cap,
                void **own);  /* creates the method's own data; NULL: none */
  void (*destroy)(void *own); /* NULL: all data are in the arena of the work */
  int (*refuses)(const ns_box_work *k, ns_ctx *c, const ns_box *p); /* NULL: nothing */
  /* Called after ns_box_begin. NS_SOLVED: k->z and w have been accepted. */
  ns_outcome_kind (*run)(void *own, ns_box_work *k, const ns_box *p, const int *row,
                         const double *z, double *w, int *iterations, double *residual);
} ns_box_method;

/* Functions of the solver's table. */
int ns_box_method_create(ns_ctx *c, const ns_box_capacity *cap, const ns_lcp_options *opt,
                         const ns_box_method *m, void **self);
int ns_box_method_solve(void *self, ns_ctx *c, const ns_box *p, const int *row, double *z,
                        double *w, ns_outcome *out);
void ns_box_method_destroy(void *self); /* NULL-safe */
/* 1 if there are bounds other than those of an LCP. */
int ns_box_is_boxed(const ns_box_capacity *cap);

/* ---- the methods ---- */
/* Each leaves a candidate in k->z, adds to *iterations, and returns how it ended. NS_SOLVED means
 * that ns_box_accept should try the candidate or, for functions with the arguments w and residual,
 * that it is within the tolerance. */

/* Newton-min from the state of z; accept with ns_box_accept_direct. */
typedef struct ns_newton ns_newton;
typedef enum ns_newton_guard {
  NS_NEWTON_UNGUARDED,
  NS_NEWTON_GUARDED,
  NS_NEWTON_PATIENT,
  NS_NEWTON_REGULAR /* unguarded, ends at a singular state */
} ns_newton_guard;
/* 1 if M_FF of the last step is singular to rounding, by the pivots of its factor. */
int ns_newton_is_singular(const ns_box_work *k);
int ns_newton_create(ns_box_work *k, ns_ctx *c, ns_newton **out);
ns_outcome_kind ns_newton_run(ns_newton *a, ns_box_work *k, const ns_box *p, const int *row,
                              const double *z, double *w, ns_newton_guard guard, int limit,
                              int *iterations, double *residual);

/* Lemke's method. NS_SOLVED: accepted. */
typedef struct ns_lemke ns_lemke;
int ns_lemke_create(ns_box_work *k, ns_ctx *c, ns_lemke **out);
/* cover [n]: 1 for rows covered by the artificial variable, in addition to those that begin below
 * 0; NULL: all rows. */
ns_outcome_kind ns_lemke_run(ns_lemke *l, ns_box_work *k, const ns_box *p, const int *row,
                             const unsigned char *cover, const double *z, double *w,
                             int *iterations, double *residual);
/* The same from the state of z, with bounds; the artificial variable covers the rows that violate
 * this state. */
ns_outcome_kind ns_lemke_run_from(ns_lemke *l, ns_box_work *k, const ns_box *p, const int *row,
                                  const double *z, double *w, int *iterations, double *residual);

/* Proximal point method: z+ solves the problem with M + R and q - R z, by at most `limit` steps of
 * newton-min or, with bounds, by Lemke's method if that fails. NS_SOLVED: accepted. */
typedef struct ns_proximal ns_proximal;
int ns_proximal_create(ns_box_work *k, ns_ctx *c, const ns_box_capacity *cap, ns_proximal **out);
ns_outcome_kind ns_proximal_run(ns_proximal *s, ns_newton *a, ns_lemke *l, ns_box_work *k,
                                const ns_box *p, const int *row, const double *z, double *w,
                                int limit, int *iterations, double *residual);

/* Interior-point method for LCPs, finished by newton-min if possible. NS_SOLVED: k->z and w are
 * within the tolerance. */
typedef struct ns_interior ns_interior;
int ns_interior_create(ns_box_work *k, ns_ctx *c, ns_interior **out);
ns_outcome_kind ns_interior_run(ns_interior *t, ns_newton *a, ns_box_work *k, const ns_box *p,
                                const int *row, double *w, int *iterations, double *residual);

typedef struct ns_fischer ns_fischer;
int ns_fischer_create(ns_box_work *k, ns_ctx *c, const ns_box_capacity *cap, ns_fischer **out);
void ns_fischer_destroy(ns_fischer *f); /* NULL-safe */
ns_outcome_kind ns_fischer_run(ns_fischer *f, ns_box_work *k, const ns_box *p, const int *row,
                               const double *z, double *w, int limit, int *iterations);
/* The Fischer-Burmeister function of a row at z, b = w / s, and its derivatives. */
double ns_box_fischer_row(double z, double b, double lb, double ub, double *dz, double *db);

/* Factor of the tolerance down to which fast sweeps continue. */
#define NS_PGS_CLOSER 1e-3
/* Sweeps for LCPs, with a line search along the change of a sweep. FEW: a few sweeps. BY_RATE: as
 * long as their rate predicts convergence soon. STUBBORN: at any rate; on degenerate problems with
 * many solutions sweeps can stagnate and then converge suddenly, while all other methods meet
 * singular matrices. */
typedef enum ns_pgs_patience { NS_PGS_FEW, NS_PGS_BY_RATE, NS_PGS_STUBBORN } ns_pgs_patience;
ns_outcome_kind ns_pgs_trial(ns_box_work *k, const ns_box *p, const double *z, double *w,
                             ns_pgs_patience how, int *iterations, double *residual);
/* Dense matrices, from z = 0: returns 1 if one or two sweeps solve the problem to rounding. */
int ns_pgs_settles(ns_box_work *k, const ns_box *p, const int *row, double *w, double *residual);
ns_outcome_kind ns_pgs_run(ns_box_work *k, const ns_box *p, const double *z, double *w, int limit,
                           int *iterations, double *residual);

/* Number of states of all rows together (lb NULL: of an LCP). */
double ns_box_states(int n, const double *lb, const double *ub);
/* Enumeration of these states. NS_SOLVED: accepted. */
ns_outcome_kind ns_enumeration_run(ns_box_work *k, const ns_box *p, const int *row, const double *z,
                                   double *w, int *iterations, double *residual);

extern const ns_box_solver_ops ns_box_auto, ns_box_lemke, ns_box_newton_min, ns_box_pgs,
    ns_box_fischer_burmeister, ns_box_enumerate;

#endif
