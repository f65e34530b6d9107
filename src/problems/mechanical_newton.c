/* SPDX-License-Identifier: GPL-3.0-or-later */
/* newton -- nonsmooth Newton on all blocks together (Alart & Curnier 1991), and the proximal point
 * around it.
 *
 * F(r) stacks the Alart-Curnier map of each friction block and r - P(r - rho u) of each box row;
 * with A = dF/du and B = dF/dr block by block, a step solves (A W + B) d = -F. Full rank W: a few
 * steps, quadratic. For W of deficient rank the Jacobian is singular or nearly so; there the
 * proximal point method (Rockafellar 1976)
 *
 *   r_k+1 solves the problem of (W + alpha, q - alpha r_k),   alpha = sigma err (largest W_ii),
 *
 * keeps it regular and still ends at a solution of the problem itself (Acary, Bremond & Huber 2018,
 * section 4.5).
 *
 * regular is between them: alpha = sigma err (largest W_ii) stands in the Jacobian alone, F is that
 * of the problem, so that every step moves the centre; with the map of Jean & Moreau, whose disc
 * does not move with u. Where one sigma stalls the next one goes on. Measured on the public
 * problems it needs a fifth of the factorisations of the proximal points, and where it stalls they
 * go on. */
#include "algebra/vector.h"
#include "problems/central_path.h"
#include "problems/mechanical_ball.h"
#include "problems/mechanical_lowrank.h"
#include "problems/mechanical_rolling.h"
#include "problems/mechanical_work.h"

#include "algebra/dense.h"
#include "algebra/sparse_lu.h"
#include "base/arena.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to so many rows a dense factor is quicker than the bookkeeping of a sparse one. */
enum {
  DENSE_ROWS = 60,
  STEPS = 100,
  INNER = 30,
  OUTER = 60,
  CUTS = 8,
  STALL = 20,
  STALL_SPARSE = 8
};

typedef struct newton {
  ns_arena *mem;
  ns_mechanical_options opt;
  int nb, m;
  ns_contact *k;       /* [nb] */
  ns_rolling *rolling; /* [nb]; NULL where the capacity has none */
  double *rho;         /* of box rows [m] */
  double *F, *G, *d, *trial, *best, *u, *qa, *centre, *start; /* [m] */
  double *J;                                                  /* dense [m*m], or NULL */
  int *piv;
  double *val;         /* J in the entries of W: blocks as in W [values of W] */
  ns_sparse_lu *lu;    /* NULL where dense */
  ns_blocks S;         /* J as scalar rows */
  int *srow;           /* which scalar rows of the capacity [m] */
  const int *first;    /* of the blocks of the capacity [nb+1] */
  unsigned long stamp; /* of what k was prepared for */
  size_t *at;          /* of each block in A, B [nb+1] */
  double *A, *B;       /* of a step, blocks by columns; those of low where there is one */
  ns_central central;  /* interior points */
  ns_law *law;         /* [nb] */
  double *own;         /* W_ii [m] */
  ns_lowrank *low;     /* NULL: the structure is not that of few bodies */
} newton;

static void destroy(void *self)
{
  newton *s = self;
  if (!s) return;
  ns_sparse_lu_destroy(s->lu);
  ns_arena_destroy(s->mem);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Scalar rows of the structure of W, columns ascending because blocks are. */
static void scalar_structure(const ns_blocks *W, ns_blocks *S)
{
  int at = 0;
  S->nb = S->m = W->m;
  for (int a = 0; a < W->nb; a++)
    for (int i = 0; i < W->dim[a]; i++) {
      S->row[W->first[a] + i] = at;
      for (int b = W->row[a]; b < W->row[a + 1]; b++)
        for (int j = 0; j < W->dim[W->col[b]]; j++) S->col[at++] = W->first[W->col[b]] + j;
    }
  S->row[W->m] = at;
}

static int get_scalar(newton *s, const ns_blocks *W)
{
  size_t nnz = ns_blocks_entries(W), m = (size_t)W->m;
  ns_blocks *S = &s->S;
  if (nnz > 0x7fffffff) return 0;
  s->srow = ns_arena_get(s->mem, m + 1, sizeof *s->srow);
  if (!s->srow || ns_blocks_scalar(s->mem, W->m, nnz, S)) return 0;
  scalar_structure(W, S);
  return 1;
}

/* Where blocks of a step stand. */
static void place_blocks(newton *s, const ns_blocks *W)
{
  s->at[0] = 0;
  for (int a = 0; a < W->nb; a++) s->at[a + 1] = s->at[a] + (size_t)W->dim[a] * (size_t)W->dim[a];
}

static int get_blocks(newton *s, const ns_blocks *W)
{
  s->at = s->low ? s->low->at : ns_arena_get(s->mem, (size_t)W->nb + 1, sizeof *s->at);
  if (!s->at) return 0;
  place_blocks(s, W);
  size_t all = s->at[W->nb] + 1;
  s->A = s->low ? s->low->A : ns_arena_get(s->mem, all, sizeof *s->A);
  s->B = s->low ? s->low->B : ns_arena_get(s->mem, all, sizeof *s->B);
  s->law = ns_arena_get(s->mem, (size_t)W->nb + 1, sizeof *s->law);
  s->own = ns_arena_get(s->mem, (size_t)W->m + 1, sizeof *s->own);
  s->central = (ns_central){
      .rows = W->m, .law = s->law, .own = s->own, .at = s->at, .A = s->A, .B = s->B};
  return s->A && s->B && s->law && s->own && ns_central_get(&s->central, s->mem);
}

static int get(newton *s, const ns_blocks *W, const unsigned char *kind)
{
  size_t m = (size_t)W->m + 1, nb = (size_t)W->nb + 1, d = sizeof(double);
  const ns_array want[] = {{&s->rho, m, d},
                           {&s->F, m, d},
                           {&s->G, m, d},
                           {&s->d, m, d},
                           {&s->trial, m, d},
                           {&s->best, m, d},
                           {&s->u, m, d},
                           {&s->qa, m, d},
                           {&s->centre, m, d},
                           {&s->start, m, d},
                           {&s->k, nb, sizeof *s->k},
                           {&s->piv, m, sizeof *s->piv},
                           {&s->val, ns_blocks_entries(W), d}};
  s->first = ns_arena_copy(s->mem, W->first, nb, sizeof *s->first);
  if (!s->first || ns_arena_arrays(s->mem, want, sizeof want / sizeof *want)) return 0;
  if (ns_mechanical_any(W, kind, NS_BLOCK_ROLLING) &&
      !(s->rolling = ns_arena_zero(s->mem, nb, sizeof *s->rolling)))
    return 0;
  if (ns_lowrank_fits(W) && !(s->low = ns_lowrank_create(s->mem, W))) return 0;
  if (!get_blocks(s, W)) return 0;
  if (W->m <= DENSE_ROWS) return (s->J = ns_arena_zero(s->mem, m * m, sizeof *s->J)) != NULL;
  return get_scalar(s, W);
}

static int create(ns_ctx *c, const ns_mechanical_capacity *cap, const ns_mechanical_options *opt,
                  void **self)
{
  newton *s = NS_ARENA_OBJECT(newton, mem);
  *self = NULL;
  if (!s) return ns_nomem(c, "nonsmooth Newton");
  *s = (newton){.mem = s->mem,
                .opt = opt ? *opt : ns_mechanical_defaults(),
                .nb = cap->structure->nb,
                .m = cap->structure->m};
  int rc = get(s, cap->structure, cap->kind) ? NS_OK : ns_nomem(c, "nonsmooth Newton");
  if (!rc) rc = s->J ? ns_dense_prepare(c, s->m) : ns_sparse_lu_create(c, &s->S, &s->lu);
  if (rc) {
    destroy(s);
    return rc;
  }
  *self = s;
  return NS_OK;
}

/* ---- one problem ----------------------------------------------------------------------------- */

typedef struct call {
  newton *s;
  const ns_mechanical *p;
  const int *block;
  const double *q;   /* p->q, or shifted by the proximal term */
  double alpha;      /* added to the diagonal of W */
  int map;           /* 0: Alart-Curnier, 1: Jean-Moreau */
  double sigma, big; /* of regular: 0 for none; largest diagonal entry of W */
  int stall;         /* steps without half the residual that end a run */
  double regular;    /* added to the diagonal of W in the Jacobian */
  int iterations;
} call;

static int prepare_contact(newton *s, const ns_mechanical *p, int a, const double *B, double alpha)
{
  int d = p->W->dim[a];
  double local[NS_ROLLING_ROWS * NS_ROLLING_ROWS];
  memcpy(local, B, (size_t)(d * d) * sizeof *B);
  for (int i = 0; i < d; i++) local[i + i * d] += alpha;
  if (ns_mechanical_is_friction(p, a)) return ns_contact_prepare(d, local, p->mu[a], &s->k[a]) == 0;
  return s->rolling &&
         ns_rolling_prepare(d, local, p->mu[a], p->mu_rolling[a], &s->rolling[a]) == 0;
}

static int prepare(newton *s, const ns_mechanical *p, double alpha)
{
  if (p->stamp && p->stamp == s->stamp && alpha == 0) return 1;
  s->stamp = 0;
  for (int a = 0; a < p->W->nb; a++) {
    const double *B = ns_blocks_at(p->W, a, a);
    int d = p->W->dim[a];
    if (!B) return 0;
    if (ns_mechanical_is_friction(p, a) || ns_mechanical_is_rolling(p, a)) {
      if (!prepare_contact(s, p, a, B, alpha)) return 0;
      continue;
    }
    double max = 0;
    for (int i = 0; i < d; i++) {
      double w = B[i + i * d] + alpha;
      max = ns_larger(w, max);
      s->rho[p->W->first[a] + i] = w > 0 ? 1 / w : 1;
    }
    /* a ball has one step for all directions */
    if (ns_mechanical_is_ball(p, a)) s->rho[p->W->first[a]] = max > 0 ? 1 / max : 1;
  }
  if (alpha == 0) s->stamp = p->stamp;
  return 1;
}

static void velocities(const call *t, const double *r, double *u)
{
  size_t m = (size_t)t->p->W->m;
  ns_linear_sum(m, t->q, t->alpha, r, u);
  ns_blocks_gemv(1, t->p->W, r, u);
}

/* F at (r, u); with J not NULL also A, B of block a as [d*d] each. */
static void map_block(const call *t, int a, const double *r, const double *u, double *F, double *A,
                      double *B)
{
  const newton *s = t->s;
  int at = t->p->W->first[a], d = t->p->W->dim[a];
  if (ns_mechanical_is_friction(t->p, a)) {
    ns_contact_map(d, &s->k[a], t->map, r + at, u + at, F + at, A, B);
    return;
  }
  if (ns_mechanical_is_rolling(t->p, a)) {
    ns_rolling_map(&s->rolling[a].steps, t->map, r + at, u + at, F + at, A, B);
    return;
  }
  if (ns_mechanical_is_ball(t->p, a)) {
    ns_ball_map(d, t->p->ub[at], s->rho[at], r + at, u + at, F + at, A, B);
    return;
  }
  for (int i = 0; i < d; i++) {
    double rho = s->rho[at + i], y = r[at + i] - rho * u[at + i], lb = t->p->lb[at + i],
           ub = t->p->ub[at + i];
    int inside = y > lb && y < ub;
    F[at + i] = inside ? rho * u[at + i] : r[at + i] - (y <= lb ? lb : ub);
    if (!A) continue;
    for (int j = 0; j < d; j++) A[i + j * d] = B[i + j * d] = 0;
    A[i + i * d] = inside ? rho : 0;
    B[i + i * d] = inside ? 0 : 1;
  }
}

static double merit(const call *t, const double *r, double *F)
{
  const ns_blocks *W = t->p->W;
  double s = 0;
  velocities(t, r, t->s->u);
  for (int a = 0; a < W->nb; a++) map_block(t, a, r, t->s->u, F, NULL, NULL);
  for (int i = 0; i < W->m; i++) s += F[i] * F[i];
  return s;
}

/* A, B and F at r. */
static void linearise(const call *t, const double *r)
{
  const newton *s = t->s;
  for (int a = 0; a < t->p->W->nb; a++)
    map_block(t, a, r, s->u, s->F, s->A + s->at[a], s->B + s->at[a]);
}

/* Blocks of A (W + shift) + B, where those of W stand. */
static void jacobian(const call *t, double shift)
{
  const ns_blocks *W = t->p->W;
  for (int a = 0; a < W->nb; a++) {
    const double *A = t->s->A + t->s->at[a], *B = t->s->B + t->s->at[a];
    int d = W->dim[a];
    for (int b = W->row[a]; b < W->row[a + 1]; b++) {
      const double *w = W->val + W->off[b];
      double *J = t->s->val + W->off[b];
      int n = W->dim[W->col[b]], own = W->col[b] == a;
      for (int j = 0; j < n; j++)
        for (int i = 0; i < d; i++) {
          double x = own ? B[i + j * d] + shift * A[i + j * d] : 0;
          for (int l = 0; l < d; l++) x += A[i + l * d] * w[l + j * d];
          J[i + j * d] = x;
        }
    }
  }
}

static int factor_dense(const call *t)
{
  const ns_blocks *W = t->p->W;
  int m = W->m;
  double *J = t->s->J;
  memset(J, 0, (size_t)m * (size_t)m * sizeof *J);
  for (int a = 0; a < W->nb; a++)
    for (int b = W->row[a]; b < W->row[a + 1]; b++) {
      int d = W->dim[a], n = W->dim[W->col[b]], at = W->first[a] + W->first[W->col[b]] * m;
      for (int j = 0; j < n; j++)
        for (int i = 0; i < d; i++) J[at + i + j * m] = t->s->val[W->off[b] + (size_t)(i + j * d)];
    }
  return ns_dense_lu(m, J, m, t->s->piv) == 0;
}

static int factor_sparse(const call *t)
{
  newton *s = t->s;
  const ns_blocks *W = t->p->W;
  size_t at = 0;
  scalar_structure(W, &s->S);
  for (int a = 0; a < W->nb; a++)
    for (int i = 0; i < W->dim[a]; i++) {
      int from = t->block ? s->first[t->block[a]] : W->first[a];
      s->srow[W->first[a] + i] = from + i;
      for (int b = W->row[a]; b < W->row[a + 1]; b++)
        for (int j = 0; j < W->dim[W->col[b]]; j++)
          s->S.val[at++] = s->val[W->off[b] + (size_t)(i + j * W->dim[a])];
    }
  return ns_sparse_lu_load(s->lu, &s->S, s->srow) == 0 && ns_sparse_lu_update(s->lu) == 0;
}

/* of the largest diagonal entry: of few bodies W is singular for certain */
static const double MIN_SHIFT = 1e-12;

static double shift_of(const call *t)
{
  double shift = t->alpha + t->regular;
  return t->s->low && t->s->low->rank ? fmax(shift, MIN_SHIFT * t->big) : shift;
}

/* Factors of A (W + shift) + B. 0 where singular, or more work than is allowed. */
static int factor(const call *t)
{
  newton *s = t->s;
  if (!ns_solve_afford(t->p->watch, ns_mechanical_step_cost(s))) return 0;
  double shift = shift_of(t);
  if (s->low && s->low->rank) return ns_lowrank_load(s->low, t->p->W, shift);
  jacobian(t, shift);
  return s->J ? factor_dense(t) : factor_sparse(t);
}

static void solve_sparse(newton *s, int m, const double *F, double *d)
{
  const int *place = ns_sparse_lu_place(s->lu);
  memset(s->trial, 0, (size_t)s->m * sizeof *s->trial);
  memset(s->G, 0, (size_t)s->m * sizeof *s->G);
  for (int i = 0; i < m; i++) {
    int row = s->srow[i];
    s->G[place[row]] = -F[i] * ns_sparse_lu_scale(s->lu, row);
  }
  ns_sparse_lu_solve(s->lu, s->G, s->trial);
  for (int i = 0; i < m; i++) d[i] = s->trial[place[s->srow[i]]];
}

/* d = -(A (W + shift) + B)^-1 F */
static void solve_factored(const call *t, const double *F, double *d)
{
  newton *s = t->s;
  int m = t->p->W->m;
  if (s->low && s->low->rank) {
    ns_lowrank_solve(s->low, t->p->W, shift_of(t), F, d);
    return;
  }
  if (!s->J) {
    solve_sparse(s, m, F, d);
    return;
  }
  for (int i = 0; i < m; i++) d[i] = -F[i];
  ns_dense_lu_solve(m, s->J, m, s->piv, 1, d, m);
}

/* d = -(A W + B)^-1 F at r; 0 where singular. */
static int direction(const call *t, const double *r)
{
  newton *s = t->s;
  double sum = 0;
  linearise(t, r);
  if (!factor(t)) return 0;
  solve_factored(t, s->F, s->d);
  for (int i = 0; i < t->p->W->m; i++) sum += fabs(s->d[i]);
  return sum <= DBL_MAX;
}

/* Newton steps from r until the residual of the problem with (q, alpha) is within tol. r keeps the
 * best iterate by that residual, which is returned; u: scratch. */
static double run(call *t, double *r, double *u, double tol, int limit, ns_outcome_kind *kind)
{
  newton *s = t->s;
  size_t m = (size_t)t->p->W->m, bytes = m * sizeof *r;
  double e = ns_mechanical_shifted(t->p, t->q, t->alpha, r, u), min = e;
  *kind = e <= tol ? NS_SOLVED : NS_LIMIT;
  memcpy(s->best, r, bytes);
  double now = merit(t, r, s->F), mark = e;
  for (int it = 0, marked = 0; it < limit && *kind == NS_LIMIT && !ns_solve_over(t->p->watch);
       it++) {
    t->iterations++;
    velocities(t, r, s->u);
    t->regular = t->sigma * fmin(e, 1) * t->big;
    if (!direction(t, r)) {
      *kind = NS_SINGULAR;
      break;
    }
    double step = 1, next = INFINITY, first = INFINITY;
    for (int cut = 0; cut < CUTS; cut++, step /= 2) {
      ns_linear_sum(m, r, step, s->d, s->trial);
      next = merit(t, s->trial, s->G);
      if (cut == 0) first = next;
      if (next <= (1 - 0.2 * step) * now) break;
    }
    /* nothing helps: the full step */
    if (!(next <= (1 - 0.2 * step) * now) && first <= 1e4 * now) {
      ns_linear_sum(m, r, 1, s->d, s->trial);
      next = merit(t, s->trial, s->G);
    }
    if (!(next <= DBL_MAX)) {
      *kind = NS_NOT_FINITE;
      break;
    }
    memcpy(r, s->trial, bytes);
    now = next;
    e = ns_mechanical_shifted(t->p, t->q, t->alpha, r, u);
    if (e < min) {
      min = e;
      memcpy(s->best, r, bytes);
    }
    if (e <= tol) *kind = NS_SOLVED;
    if (min < 0.5 * mark) {
      mark = min;
      marked = it;
    } else if (*kind == NS_LIMIT && it - marked >= t->stall) {
      *kind = NS_STATIONARY;
    }
  }
  memcpy(r, s->best, bytes);
  return min;
}

/* ---- methods --------------------------------------------------------------------------------- */

static double largest_diagonal(const ns_mechanical *p)
{
  double big = 0;
  for (int a = 0; a < p->W->nb; a++) {
    const double *B = ns_blocks_at(p->W, a, a);
    for (int i = 0; B && i < p->W->dim[a]; i++) big = fmax(big, fabs(B[i + i * p->W->dim[a]]));
  }
  return big;
}

static void plain(call *t, double *r, double *u, double tol, int limit, ns_outcome *out)
{
  if (t->p->W->m > DENSE_ROWS) t->stall = STALL_SPARSE;
  run(t, r, u, tol, limit ? limit : STEPS, &out->kind);
}

static int has_ball(const ns_mechanical *p)
{
  return p->kind && ns_mechanical_any(p->W, p->kind, NS_BLOCK_BALL);
}

/* Friction in space and nothing else. */
static int in_space(const ns_mechanical *p)
{
  for (int a = 0; a < p->W->nb; a++)
    if (!(ns_mechanical_is_friction(p, a) ? p->W->dim[a] == 3 : ns_mechanical_is_rolling(p, a)))
      return 0;
  return 1;
}

static void regular(call *t, double *r, double *u, double tol, int limit, ns_outcome *out)
{
  static const double sigmas[2][3] = {{0.1, 1, 0.3}, {1, 0.1, 0.3}};
  static const int stalls[2][3] = {{80, 40, 40}, {40, 20, 20}};
  const int space = in_space(t->p);
  limit = t->iterations + (limit ? limit : 4 * STEPS);
  for (int k = 0;
       k < 3 && out->kind != NS_SOLVED && t->iterations < limit && !ns_solve_over(t->p->watch);
       k++) {
    t->sigma = sigmas[space][k];
    t->stall = stalls[space][k];
    run(t, r, u, tol, limit - t->iterations, &out->kind);
  }
}

static void proximal(call *t, double *r, double *u, double tol, int limit, ns_outcome *out)
{
  newton *s = t->s;
  const ns_mechanical *p = t->p;
  size_t m = (size_t)p->W->m;
  double big = largest_diagonal(p), push = 5, e = ns_mechanical_residual(p, r, u, NULL);
  out->kind = e <= tol ? NS_SOLVED : NS_LIMIT;
  t->q = s->qa;
  for (int k = 0; k < (limit ? limit : OUTER) && out->kind == NS_LIMIT && !ns_solve_over(p->watch);
       k++) {
    ns_outcome_kind inner;
    t->alpha = push * fmin(e, 1) * big;
    memcpy(s->centre, r, m * sizeof *r);
    ns_linear_sum(m, p->q, -t->alpha, r, s->qa);
    if (!prepare(s, p, t->alpha)) break;
    run(t, r, u, fmax(e / 10, tol / 10), INNER, &inner);
    double next = ns_mechanical_residual(p, r, u, NULL);
    if (next <= tol) out->kind = NS_SOLVED;
    if (next < e) {
      e = next;
      push = inner == NS_SOLVED ? fmax(push / 2, 1e-3) : push * 2;
    } else {
      memcpy(r, s->centre, m * sizeof *r);
      push *= 10;
      if (push > 1e12) out->kind = NS_STATIONARY;
    }
  }
}

/* Proximal points with a constant alpha, whatever the residual does in between: slow, but from
 * other sides. Each alpha begins at the r given; the best iterate of all comes back. */
static void constant(call *t, double *r, double *u, double tol, int limit, ns_outcome *out)
{
  static const double alphas[] = {1e-3, 1e-2, 1e-4};
  newton *s = t->s;
  const ns_mechanical *p = t->p;
  size_t m = (size_t)p->W->m, bytes = m * sizeof *r;
  double big = largest_diagonal(p), first = ns_mechanical_residual(p, r, u, NULL), min = first;
  memcpy(s->start, r, bytes);
  memcpy(s->centre, r, bytes);
  t->q = s->qa;
  for (int a = 0; a < 3 && out->kind != NS_SOLVED; a++) {
    out->kind = NS_LIMIT;
    t->alpha = alphas[a] * big;
    memcpy(r, s->start, bytes);
    double e = first;
    for (int k = 0;
         k < (limit ? limit : OUTER) && out->kind == NS_LIMIT && !ns_solve_over(p->watch); k++) {
      ns_outcome_kind inner;
      ns_linear_sum(m, p->q, -t->alpha, r, s->qa);
      if (!prepare(s, p, t->alpha)) break;
      run(t, r, u, fmax(e, tol) / 10, INNER, &inner);
      double next = ns_mechanical_residual(p, r, u, NULL);
      if (inner != NS_SOLVED && !(next < e)) out->kind = NS_STATIONARY;
      if ((e = next) < min) {
        min = e;
        memcpy(s->centre, r, bytes);
      }
      if (e <= tol) out->kind = NS_SOLVED;
    }
  }
  memcpy(r, s->centre, bytes);
}

/* ---- interior points: the same factors ------------------------------------------------------- */

static void central_velocities(void *self, const double *r, double *u) { velocities(self, r, u); }

static double central_residual(void *self, const double *r, const double *u)
{
  const call *t = self;
  return ns_mechanical_defect(t->p, r, u);
}

static int central_factor(void *self) { return factor(self); }
static void central_solve(void *self, const double *F, double *d) { solve_factored(self, F, d); }

static void set_central(const call *t)
{
  newton *s = t->s;
  const ns_blocks *W = t->p->W;
  s->central.nb = W->nb;
  s->central.rows = W->m;
  s->central.first = W->first;
  s->central.q = t->p->q;
  for (int a = 0; a < W->nb; a++) {
    const double *D = ns_blocks_at(W, a, a);
    s->law[a] = ns_law_of(t->p, a);
    for (int i = 0, d = W->dim[a]; i < d; i++) s->own[W->first[a] + i] = D[i + i * d];
  }
}

enum { QUICK = 3, WAYS = 24 };

/* From outside inwards: where interior points end without a solution, they are a start of regular
 * steps, and of proximal points where many ways are gone and rows are few. Each way begins
 * elsewhere; the best iterate of all comes back. */
static void come_in(call *t, int ways, double *r, double *u, double tol, int limit, ns_outcome *out)
{
  enum { INSIDE = 80, FEW_ROWS = 200 };
  newton *s = t->s;
  const ns_mechanical *p = t->p;
  size_t bytes = (size_t)p->W->m * sizeof *r;
  ns_central_system system = {t, central_velocities, central_residual, central_factor,
                              central_solve};
  double min = ns_mechanical_residual(p, r, u, NULL);
  set_central(t);
  memcpy(s->start, r, bytes);
  out->kind = min <= tol ? NS_SOLVED : NS_LIMIT;
  for (int k = 0; k < ways && out->kind != NS_SOLVED && !ns_solve_over(p->watch); k++) {
    int left = limit ? limit - t->iterations : INT_MAX;
    if (left <= 0) break;
    t->regular = 0;
    ns_central_solve(&s->central, &system, k, tol, left < INSIDE ? left : INSIDE, p->watch, r, out);
    t->iterations += out->iterations;
    left -= out->iterations;
    if (out->kind != NS_SOLVED && left > 0) regular(t, r, u, tol, limit ? left : 0, out);
    if (out->kind != NS_SOLVED && ways > QUICK && !limit && p->W->m <= FEW_ROWS) {
      proximal(t, r, u, tol, 0, out);
      t->q = p->q;
      t->alpha = 0;
      if (out->kind != NS_SOLVED && !prepare(s, p, 0)) break;
    }
    double e = ns_mechanical_residual(p, r, u, NULL);
    if (e < min) memcpy(s->start, r, bytes);
    min = fmin(e, min);
  }
  memcpy(r, s->start, bytes);
}

static void interior(call *t, double *r, double *u, double tol, int limit, ns_outcome *out)
{
  if (has_ball(t->p)) return; /* it has barriers of boxes and cones alone */
  come_in(t, QUICK, r, u, tol, limit, out);
}

/* One way of three ends with a solution where the problem is hard. */
static void everywhere(call *t, double *r, double *u, double tol, int limit, ns_outcome *out)
{
  if (has_ball(t->p)) return;
  come_in(t, WAYS, r, u, tol, limit, out);
}

/* ---- solver tables --------------------------------------------------------------------------- */

double ns_mechanical_step_cost(const void *self)
{
  const newton *s = self;
  if (s->low && s->low->rank) return ns_lowrank_cost(s->low);
  return s->lu ? ns_sparse_lu_cost(s->lu) : 0.5 * pow(s->m, 3);
}

int ns_mechanical_begin(void *self, const ns_mechanical *p)
{
  newton *s = self;
  if (!s->low) return 0;
  ns_lowrank_factor(s->low, p->W);
  return s->low->rank > 0;
}

int ns_mechanical_fits(const void *self, ns_ctx *c, const ns_mechanical *p)
{
  const newton *s = self;
  if (p->W->nb <= s->nb && p->W->m <= s->m) return 1;
  ns_fail(c, NS_USAGE, "mechanical problem of %d rows, expected at most %d", p->W->m, s->m);
  return 0;
}

void ns_mechanical_steps(void *self, const ns_mechanical *p, const int *block, ns_newton_kind kind,
                         int limit, double *r, double *u, ns_outcome *out)
{
  static const struct {
    const char *name;
    int map;
    void (*steps)(call *t, double *r, double *u, double tol, int limit, ns_outcome *out);
  } method[] = {{"newton", 0, plain},       {"jean-moreau", 1, plain}, {"regular", 1, regular},
                {"proximal", 0, proximal},  {"proximal", 0, constant}, {"interior", 0, interior},
                {"interior", 0, everywhere}};
  newton *s = self;
  call t = {.s = s,
            .p = p,
            .block = block,
            .q = p->q,
            .map = method[kind].map,
            .stall = STALL,
            .big = largest_diagonal(p)};
  *out = (ns_outcome){.kind = NS_SINGULAR, .solver = method[kind].name};
  place_blocks(s, p->W);
  if (prepare(s, p, 0))
    method[kind].steps(&t, r, u, ns_mechanical_tolerance(p, &s->opt), limit, out);
  out->iterations = t.iterations;
  out->residual = ns_mechanical_residual(p, r, u, NULL);
}

static int solve(void *self, ns_ctx *c, const ns_mechanical *p, const int *block,
                 ns_newton_kind kind, double *r, double *u, ns_outcome *out)
{
  newton *s = self;
  if (!ns_mechanical_fits(s, c, p)) return NS_USAGE;
  if (kind >= NS_NEWTON_INTERIOR && has_ball(p))
    return ns_fail(c, NS_MODEL,
                   "solver interior: supports boxes and cones, not norm=\"euclidean\"; expected "
                   "solver \"auto\"");
  ns_mechanical_begin(s, p);
  ns_mechanical_steps(s, p, block, kind, s->opt.max_iterations, r, u, out);
  return NS_OK;
}

#define SOLVER(name_, kind_, text_, help_) \
  static int solve_##name_(void *self, ns_ctx *c, const ns_mechanical *p, const int *block, \
                           double *r, double *u, ns_outcome *out) \
  { \
    return solve(self, c, p, block, kind_, r, u, out); \
  } \
  const ns_mechanical_solver_ops ns_mechanical_##name_ = {.name = text_, \
                                                          .help = help_, \
                                                          .create = create, \
                                                          .solve = solve_##name_, \
                                                          .destroy = destroy, \
                                                          .memory = &ns_memory_none};
SOLVER(newton, NS_NEWTON_PLAIN, "newton",
       "nonsmooth Newton on all contacts together: full rank, high accuracy")
SOLVER(jean_moreau, NS_NEWTON_JEAN_MOREAU, "jean-moreau",
       "the same with the friction disc of the last normal impulse")
SOLVER(regular, NS_NEWTON_REGULAR, "regular",
       "nonsmooth Newton with a regularised Jacobian: redundant contacts")
SOLVER(proximal, NS_NEWTON_PROXIMAL, "proximal",
       "proximal points, each by newton: redundant contacts, high accuracy")
SOLVER(interior, NS_NEWTON_EVERYWHERE, "interior",
       "interior points, then regular from their result: any rank, few steps, independent of the "
       "guess")
