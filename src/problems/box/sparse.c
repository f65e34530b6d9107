/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Newton-min for box AVIs with a sparse matrix: each row is at its lower bound, free, or at its
 * upper bound.
 *
 *   solve  w_i = 0 (free),  z_i = bound (else);  then free rows beyond a bound go to it, and rows
 *   at a bound whose
 *   w has the wrong sign become free; until there are none
 *
 * (Aganagic 1984; Pang 1990; three sets: Facchinei & Pang 2003, sec. 9.2). It starts from the
 * guess: from one step of a circuit to the next few rows change, and the factors follow those alone
 * (algebra/sparse_lu.h). The first solve is for z, each later one for the change of z, whose
 * right-hand side is zero but in the rows that changed.
 *
 * Guards: all wrong rows change as long as their number falls, with some patience; after that only
 * the last does (Murty 1974; Judice & Pires 1994). A free row whose column depends on others
 * (redundant or opposed diodes) is put at a bound; one that has none (a node that nothing holds)
 * becomes soft: it is solved by proximal steps 0 = (M z + q)_i + R_i (z - z_k)_i,  R small
 * (Rockafellar 1976). Where that does not end, all rows are soft: no state of a monotone problem is
 * singular then; last, the states found so are tried without R. */
#include "problems/box/sparse.h"

#include "base/arena.h"
#include "problems/row_error.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define PATIENCE 5
#define LIMIT 100       /* Newton steps */
#define LAST_LIMIT 1000 /* the same with all rows soft: what follows is dearer */
#define POLISH 10       /* the same for what was found so */
/* Of the tolerance: what a row may be wrong by; and a row in the right state, which then is
 * refined. */
#define WRONG 0.01
#define REFINE 0.5
/* Of that: changes of z that are not followed any further. */
#define SMALL 1e-4
#define RHO 1e-7    /* of the largest entry of the row */
#define PROXIMAL 30 /* steps at most */
#define EASY 1e-4 /* of the tolerance: proximal steps go on up to there while each gains a digit */

typedef enum state { LOWER, FREE, UPPER } state;

typedef struct solver {
  ns_arena *arena; /* holds this and all it points to, but lu */
  ns_lcp_options opt;
  int n;
  ns_sparse_lu *lu;
  const int *place; /* of the factors, by row of the structure [n] */

  /* The matrix loaded. */
  unsigned long stamp;
  int pn;        /* its size */
  int *row, *at; /* of row i: its row of the structure, its place [n] */
  double *r,
      *scale;  /* 1 / max_j |M_ij|; what the factors want a right-hand side multiplied by [n] */
  double *add; /* R, of soft rows [n] */
  int *local;  /* inverse of row [n] */
  unsigned char *state, *soft; /* as they are in lu [n] */
  int nsoft;

  int kept;                   /* the states are those of the guess z, which was the last answer */
  double *z, *w, *ref, *best; /* candidate, M z + q, z_k, a solution by proximal steps [n] */
  double *b, *x;              /* right-hand side, solution: by place [n] */
  int clear;                  /* b is 0 */
  int *wrong;                 /* rows to change [n] */
  int *few;                   /* their places [n] */
  double qmax, delta, refine; /* max |q_i r_i|; what rows may be wrong by */
  double worst;               /* largest natural residual of a row of z, not divided by 1 + qmax */
  double own;                 /* largest error of a row in its own units (row_error.h) */
  int edge;                   /* free rows have z at a bound or beyond it */
} solver;

/* ---- statement ------------------------------------------------------------------------------- */

static int is_free(const ns_avi *p, int i) { return p->lb[i] == -INFINITY && p->ub[i] == INFINITY; }

static double bound(const ns_avi *p, int i, state s) { return s == LOWER ? p->lb[i] : p->ub[i]; }

static double clip(const ns_avi *p, int i, double z)
{
  return z < p->lb[i] ? p->lb[i] : z > p->ub[i] ? p->ub[i] : z;
}

static inline double row_times(const ns_blocks *A, int i, const double *z, double s)
{
  const double *a = A->val;
  const int *col = A->col;
  for (int k = A->row[i], end = A->row[i + 1]; k < end; k++) s += a[k] * z[col[k]];
  return s;
}

/* Natural residual of a row: z - proj(z - v), v = w/s. Its sign says where z should go. */
static inline double natural(const ns_avi *p, int i, double z, double v)
{
  double up = z - p->lb[i], down = z - p->ub[i], a = up < v ? up : v;
  return down > a ? down : a;
}

/* Error of a row between two bounds in its own units. */
static double own_error(const ns_avi *p, int i, const double *z, double w)
{
  const ns_blocks *A = p->blocks;
  double T = fabs(p->q[i]);
  for (int k = A->row[i]; k < A->row[i + 1]; k++) T += fabs(A->val[k] * z[A->col[k]]);
  return ns_row_error(z[i], w, p->lb[i], p->ub[i], T);
}

/* ns_avi_residual with the scales that are known here. */
static double residual(const solver *s, const ns_avi *p, const double *z, double *w)
{
  double worst = 0, own = 0, sum = 0;
  for (int i = 0; i < p->n; i++) {
    w[i] = row_times(p->blocks, i, z, p->q[i]);
    double a = fabs(natural(p, i, z[i], w[i] * s->r[i]));
    if (a > worst) worst = a;
    if (a > 0 && ns_row_is_between(p->lb[i], p->ub[i])) own = fmax(own, own_error(p, i, z, w[i]));
    sum += fabs(z[i]) + fabs(w[i]);
  }
  return sum <= DBL_MAX ? fmax(worst / (1 + s->qmax), own) : INFINITY;
}

/* ---- the matrix ------------------------------------------------------------------------------ */

/* 0, or 1: not finite. -1: not of the structure. */
static int load(solver *s, const ns_avi *p, const int *row)
{
  const ns_blocks *A = p->blocks;
  s->stamp = 0;
  s->kept = 0;
  double sum = 0;
  for (int k = 0; k < A->row[p->n]; k++) sum += fabs(A->val[k]);
  if (!(sum <= DBL_MAX)) return 1;
  if (ns_sparse_lu_load(s->lu, A, row)) return -1;
  s->pn = p->n;
  s->nsoft = 0;
  for (int i = 0; i < p->n; i++) {
    double max = 0;
    for (int k = A->row[i]; k < A->row[i + 1]; k++) max = fmax(max, fabs(A->val[k]));
    s->r[i] = max > 1e-300 ? 1 / max : 1;
    s->row[i] = row ? row[i] : i;
    s->local[s->row[i]] = i;
    s->soft[i] = 0;
    s->at[i] = s->place[s->row[i]];
    s->scale[i] = ns_sparse_lu_scale(s->lu, s->row[i]);
    s->add[i] = RHO / s->scale[i];
    s->state[i] = FREE;
  }
  s->stamp = p->stamp;
  return 0;
}

static int loaded(const solver *s, const ns_avi *p, const int *row)
{
  if (p->stamp == 0 || p->stamp != s->stamp || p->n != s->pn) return 0;
  if (!row) return s->pn == s->n;
  return !memcmp(row, s->row, (size_t)p->n * sizeof *row);
}

static void set_state(solver *s, int i, state to)
{
  if ((to == FREE) != (s->state[i] == FREE)) ns_sparse_lu_unit(s->lu, s->row[i], to != FREE);
  s->state[i] = (unsigned char)to;
}

static void state_of_guess(solver *s, const ns_avi *p, const double *z)
{
  for (int i = 0; i < p->n; i++) {
    state to = FREE;
    if (p->lb[i] > -INFINITY && z[i] <= p->lb[i]) to = LOWER;
    else if (p->ub[i] < INFINITY && z[i] >= p->ub[i]) to = UPPER;
    if (to == FREE && p->lb[i] == p->ub[i]) to = LOWER;
    if (to != s->state[i]) set_state(s, i, to);
  }
}

static void set_soft(solver *s, int i, int soft)
{
  if (s->soft[i] == soft) return;
  ns_sparse_lu_shift(s->lu, s->row[i], soft ? RHO : 0);
  s->soft[i] = (unsigned char)soft;
  s->nsoft += soft ? 1 : -1;
}

static void set_all_soft(solver *s, int soft)
{
  if (s->nsoft != (soft ? s->pn : 0))
    for (int i = 0; i < s->pn; i++) set_soft(s, i, soft);
}

/* Follow the states. Rows that depend on others go to a bound where they have one, else they become
 * soft; their number, or -1: it stays singular. */
static int follow(solver *s, const ns_avi *p)
{
  int changed = 0, rc;
  for (; (rc = ns_sparse_lu_update(s->lu)) != 0; changed++) {
    if (rc < 0) return -1;
    int i = s->local[rc - 1];
    if (s->state[i] != FREE || s->soft[i]) return -1;
    if (is_free(p, i)) set_soft(s, i, 1);
    else set_state(s, i, p->ub[i] - s->z[i] < s->z[i] - p->lb[i] ? UPPER : LOWER);
  }
  return changed;
}

/* ---- one linear system ----------------------------------------------------------------------- */

static double proximal_term(const solver *s, int i)
{
  return s->soft[i] ? s->add[i] * (s->z[i] - s->ref[i]) : 0;
}

static void solve_all(solver *s, const ns_avi *p)
{
  const int *at = s->at;
  double *restrict b = s->b, *restrict z = s->z;
  for (int i = 0; i < p->n; i++)
    b[at[i]] = s->state[i] == FREE ? -s->scale[i] * p->q[i] : bound(p, i, s->state[i]);
  for (int i = 0; s->nsoft && i < p->n; i++)
    if (s->soft[i] && s->state[i] == FREE) b[at[i]] += s->scale[i] * s->add[i] * s->ref[i];
  s->clear = 0;
  ns_sparse_lu_solve(s->lu, b, s->x);
  for (int i = 0; i < p->n; i++)
    z[i] = s->state[i] == FREE ? s->x[at[i]] : bound(p, i, s->state[i]);
}

static void clear(solver *s)
{
  if (!s->clear) memset(s->b, 0, (size_t)s->n * sizeof *s->b);
  s->clear = 1;
}

/* The change of z that follows from the rows that changed; w is up to date. */
static void solve_changes(solver *s, const ns_avi *p, int count)
{
  clear(s);
  for (int k = 0; k < count; k++) {
    int i = s->wrong[k];
    s->few[k] = s->at[i];
    s->b[s->at[i]] = s->state[i] == FREE ? -s->scale[i] * (s->w[i] + proximal_term(s, i))
                                         : bound(p, i, s->state[i]) - s->z[i];
  }
  ns_sparse_lu_solve_few(s->lu, s->few, count, SMALL * s->delta, s->b, s->x);
  for (int i = 0; i < p->n; i++)
    if (s->state[i] == FREE) s->z[i] += s->x[s->at[i]];
  for (int k = 0; k < count; k++)
    if (s->state[s->wrong[k]] != FREE)
      s->z[s->wrong[k]] = bound(p, s->wrong[k], s->state[s->wrong[k]]);
}

/* ---- the active set -------------------------------------------------------------------------- */

/* What z of row i may be beyond its bounds. */
static double reach(const solver *s, const ns_avi *p, int i)
{
  double Z = fmax(fabs(p->lb[i]), fabs(p->ub[i]));
  return fmin(s->delta, WRONG * s->opt.tol * Z);
}

/* Where row i, whose natural residual is more than rounding, should be. */
static state better(const solver *s, const ns_avi *p, int i)
{
  if (s->state[i] != FREE) return FREE;
  double d = ns_row_is_between(p->lb[i], p->ub[i]) ? reach(s, p, i) : s->delta;
  return s->z[i] < p->lb[i] - d ? LOWER : s->z[i] > p->ub[i] + d ? UPPER : FREE;
}

/* A row between two bounds whose natural residual v is small beside those of all rows: 1 if it is
 * wrong by its own size. */
static int is_wrong_itself(solver *s, const ns_avi *p, int i, double v, double w)
{
  if (s->nsoft || !(v > reach(s, p, i))) return 0;
  double e = own_error(p, i, s->z, w);
  if (e > s->own) s->own = e;
  return e > WRONG * s->opt.tol && better(s, p, i) != (state)s->state[i];
}

/* w and residual of z; lists the rows that are wrong, ascending. */
static int judge(solver *s, const ns_avi *p)
{
  const ns_avi a = *p;
  const double *z = s->z, *r = s->r, delta = s->delta;
  const unsigned char *at = s->state;
  int count = 0, edge = 0;
  double worst = 0, sum = 0, *restrict w = s->w;
  s->own = 0;
  for (int i = 0; i < a.n; i++) {
    double v = w[i] = row_times(a.blocks, i, z, a.q[i]);
    if (s->nsoft) v += proximal_term(s, i);
    v = fabs(natural(&a, i, z[i], v * r[i]));
    sum += v;
    worst = v > worst ? v : worst;
    if (at[i] == FREE) edge |= (z[i] <= a.lb[i]) | (z[i] >= a.ub[i]);
    if (v > delta && (v > s->refine || better(s, p, i) != (state)at[i])) s->wrong[count++] = i;
    else if (v > 0 && ns_row_is_between(a.lb[i], a.ub[i]) && is_wrong_itself(s, p, i, v, w[i]))
      s->wrong[count++] = i;
  }
  s->worst = sum <= DBL_MAX ? worst : INFINITY;
  s->edge = edge;
  return count;
}

/* From the states as they are to states of which none is wrong: NS_SOLVED. */
static ns_outcome_kind newton(solver *s, const ns_avi *p, int limit, int *iterations)
{
  int best = p->n + 1, patience = PATIENCE, count = 0;
  for (int it = 0; it < limit && !ns_solve_over(p->watch); it++) {
    ++*iterations;
    int changed = follow(s, p), all = it == 0 || changed || count == 0;
    if (changed < 0) return NS_SINGULAR;
    if (all) solve_all(s, p);
    else solve_changes(s, p, count);
    count = judge(s, p);
    if (count ==
        0) { /* changes of z carry the rounding of what z was on the way: once more, from nothing */
      if (all || (s->worst <= s->delta && s->own <= WRONG * s->opt.tol)) return NS_SOLVED;
      continue;
    }
    if (count < best) {
      best = count;
      patience = PATIENCE;
    } else if (--patience < 0) {
      s->wrong[0] = s->wrong[count - 1];
      count = 1;
    }
    for (int k = 0; k < count; k++) set_state(s, s->wrong[k], better(s, p, s->wrong[k]));
  }
  return NS_LIMIT;
}

/* z into its bounds; its residual. After judge. */
static double finish(solver *s, const ns_avi *p)
{
  if (!s->edge && !s->nsoft) return fmax(s->worst / (1 + s->qmax), s->own);
  for (int i = 0; i < p->n; i++) s->z[i] = clip(p, i, s->z[i]);
  return residual(s, p, s->z, s->w);
}

/* Newton, and proximal steps as long as rows are soft. */
static ns_outcome_kind iterate(solver *s, const ns_avi *p, int limit, int *iterations, double *res)
{
  ns_outcome_kind kind = NS_SOLVED;
  double before = INFINITY;
  for (int step = 0; kind == NS_SOLVED && step < PROXIMAL; step++, before = *res) {
    memcpy(s->ref, s->z, (size_t)p->n * sizeof *s->ref);
    kind = newton(s, p, limit, iterations);
    if (kind == NS_SINGULAR) return kind;
    *res = finish(s, p);
    int better_still = s->nsoft && kind == NS_SOLVED && *res > EASY * s->opt.tol &&
                       *res < 0.1 * before;
    if (*res <= s->opt.tol && !better_still) return NS_SOLVED;
    if (kind == NS_SOLVED && !s->nsoft) return NS_SINGULAR;
  }
  return NS_LIMIT;
}

/* All rows soft; what is found is replaced by an exact solution on the same states where there is
 * one. */
static ns_outcome_kind proximal(solver *s, const ns_avi *p, int limit, int *iterations, double *res)
{
  set_all_soft(s, 1);
  ns_outcome_kind kind = iterate(s, p, limit, iterations, res);
  if (kind != NS_SOLVED) return kind;
  double found = *res;
  memcpy(s->best, s->z, (size_t)p->n * sizeof *s->best);
  set_all_soft(s, 0);
  if (iterate(s, p, POLISH, iterations, res) == NS_SOLVED && *res <= found) return NS_SOLVED;
  memcpy(s->z, s->best, (size_t)p->n * sizeof *s->z);
  *res = residual(s, p, s->z, s->w);
  return NS_SOLVED;
}

static void start(solver *s, const ns_avi *p, const double *guess)
{
  for (int i = 0; i < p->n; i++) s->z[i] = clip(p, i, guess[i]);
  state_of_guess(s, p, s->z);
}

/* z of s, w and the residual: the solution. */
static ns_outcome_kind find(solver *s, const ns_avi *p, const double *guess, int *iterations,
                            double *res)
{
  int limit = s->opt.max_iterations;
  if (!s->kept || memcmp(guess, s->z, (size_t)p->n * sizeof *guess)) start(s, p, guess);
  s->kept = 0;
  set_all_soft(s, 0);
  ns_outcome_kind kind = iterate(s, p, limit > 0 ? limit : LIMIT, iterations, res);
  if (kind == NS_SOLVED) {
    s->kept = !s->edge && !s->nsoft;
    return kind;
  }
  start(s, p, guess);
  return proximal(s, p, limit > 0 ? limit : LAST_LIMIT, iterations, res);
}

/* ---- as a solver ----------------------------------------------------------------------------- */

static void destroy(void *self)
{
  solver *s = self;
  if (!s) return;
  ns_sparse_lu_destroy(s->lu);
  ns_arena_destroy(s->arena);
}

static int get_all(solver *s, ns_ctx *c, const ns_blocks *structure)
{
  size_t n = (size_t)s->n, d = sizeof(double), i = sizeof(int);
  const ns_array want[] = {{&s->r, n, d},   {&s->scale, n, d}, {&s->add, n, d},  {&s->z, n, d},
                           {&s->w, n, d},   {&s->ref, n, d},   {&s->best, n, d}, {&s->b, n, d},
                           {&s->x, n, d},   {&s->row, n, i},   {&s->at, n, i},   {&s->local, n, i},
                           {&s->few, n, i}, {&s->wrong, n, i}, {&s->soft, n, 1}, {&s->state, n, 1}};
  int rc = ns_sparse_lu_create(c, structure, &s->lu);
  if (rc) return rc;
  s->place = ns_sparse_lu_place(s->lu);
  if (!ns_arena_arrays(s->arena, want, sizeof want / sizeof *want)) return NS_OK;
  return ns_nomem(c, "AVI solver sparse-newton");
}

static int create(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, void **self)
{
  *self = NULL;
  const ns_blocks *A = cap->structure;
  if (!A)
    return ns_fail(
        c, NS_MODEL,
        "solver sparse-newton: the matrix is dense, expected a sparse one; use \"auto\"");
  for (int i = 0; i < A->nb; i++)
    if (A->dim[i] != 1)
      return ns_fail(c, NS_MODEL,
                     "solver sparse-newton: the matrix consists of blocks, expected scalar "
                     "entries; use \"auto\"");
  solver *s = NS_ARENA_OBJECT(solver, arena);
  if (!s) return ns_nomem(c, "AVI solver sparse-newton");
  s->opt = opt ? *opt : ns_lcp_defaults();
  s->n = A->nb;
  int rc = get_all(s, c, A);
  if (rc) destroy(s);
  else *self = s;
  return rc;
}

/* qmax and delta; 0: q is not finite. */
static int set_scales(solver *s, const ns_avi *p)
{
  double sum = 0, max = 0;
  for (int i = 0; i < p->n; i++) {
    double a = fabs(p->q[i] * s->r[i]);
    sum += a;
    if (a > max) max = a;
  }
  s->qmax = max;
  s->delta = WRONG * s->opt.tol * (1 + max);
  s->refine = REFINE * s->opt.tol * (1 + max);
  return sum <= DBL_MAX;
}

static int solve(void *self, ns_ctx *c, const ns_avi *p, const int *row, double *z, double *w,
                 ns_outcome *out)
{
  solver *s = self;
  int rc = 0, iterations = 0;
  double res = INFINITY;
  if (!p->blocks || p->n > s->n || (!row && p->n != s->n) || p->blocks->m != p->n ||
      p->blocks->nb != p->n)
    return ns_fail_below(
        c, NS_NUMERIC,
        "solver sparse-newton: a problem of %d rows given to a solver made for %d sparse ones",
        p->n, s->n);
  ns_outcome_kind kind = NS_NOT_FINITE;
  if (!loaded(s, p, row)) rc = load(s, p, row);
  if (rc < 0)
    return ns_fail_below(
        c, NS_NUMERIC,
        "solver sparse-newton: the matrix has entries outside the structure it was made for");
  if (rc == 0 && set_scales(s, p)) kind = find(s, p, z, &iterations, &res);
  if (kind == NS_SOLVED) {
    memcpy(z, s->z, (size_t)p->n * sizeof *z);
    memcpy(w, s->w, (size_t)p->n * sizeof *w);
  } else {
    res = residual(s, p, z, w);
    if (rc) res = INFINITY;
  }
  *out = (ns_outcome){
      .kind = kind, .iterations = iterations, .residual = res, .solver = "sparse-newton"};
  return NS_OK;
}

ns_sparse_lu_stats ns_avi_sparse_counts(const void *self)
{
  const solver *s = self;
  return ns_sparse_lu_counts(s->lu);
}

const ns_avi_solver_ops ns_avi_sparse_newton = {
    .name = "sparse-newton",
    .help = "active set with three states per row, starting from the guess; sparse factors, "
            "updated for rows that change",
    .create = create,
    .solve = solve,
    .destroy = destroy,
    .memory = &ns_memory_none,
};
