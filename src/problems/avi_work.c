/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/avi_work.h"

#include "algebra/dense.h"
#include "problems/strip.h"

#include <stdlib.h>
#include <string.h>

#define NEAR 1e-3 /* residual of a candidate that is worth a correction */

/* ---- memory ---- */

int ns_avi_work_get(ns_avi_work *k, ns_ctx *c, size_t n, size_t size, void *p)
{
  void *m = ns_arena_get(k->arena, n, size);
  memcpy(p, &m, sizeof m);
  return m ? NS_OK : ns_nomem(c, "AVI solver");
}

static int get_all(ns_avi_work *k, ns_ctx *c, int sparse)
{
  size_t n = (size_t)k->n, nd = (size_t)k->ndense;
  const struct {
    void *at;
    size_t count, size;
  } want[] = {
      {&k->z, n, sizeof(double)},     {&k->w, n, sizeof(double)},    {&k->x, n, sizeof(double)},
      {&k->r, n, sizeof(double)},     {&k->power, nd, sizeof(double)}, {&k->shift, nd, sizeof(double)},
      {&k->b, nd, sizeof(double)},    {&k->idx, nd, sizeof(int)},    {&k->piv, nd, sizeof(int)},
      {&k->F, nd * nd, sizeof(double)}, {&k->at, n, 1},              {&k->fat, n, 1},
      {&k->full, sparse ? nd * nd : 0, sizeof(double)}, {&k->col, nd, sizeof(int)},
      {&k->colpower, nd, sizeof(double)},
  };
  int rc = NS_OK;
  for (size_t i = 0; i < sizeof want / sizeof *want && !rc; i++)
    rc = ns_avi_work_get(k, c, want[i].count, want[i].size, want[i].at);
  return rc ? rc : ns_dense_prepare(c, k->ndense);
}

int ns_avi_work_create(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, ns_avi_work **out)
{
  *out = NULL;
  ns_arena *a = ns_arena_create(0, 1);
  ns_avi_work *k = a ? ns_arena_zero(a, 1, sizeof *k) : NULL;
  if (!k) {
    ns_arena_destroy(a);
    return ns_nomem(c, "AVI solver");
  }
  *k = (ns_avi_work){.arena = a, .opt = opt ? *opt : ns_lcp_defaults(), .n = cap->n, .ndense = cap->n};
  k->symmetric = cap->symmetric;
  if (cap->structure && k->ndense > NS_LCP_DENSE_MAX) k->ndense = NS_LCP_DENSE_MAX;
  int rc = get_all(k, c, cap->structure != NULL);
  if (rc) ns_avi_work_destroy(k);
  else *out = k;
  return rc;
}

void ns_avi_work_destroy(ns_avi_work *k)
{
  if (k) ns_arena_destroy(k->arena);
}

int ns_avi_work_fits(const ns_avi_work *k, ns_ctx *c, const ns_avi *p)
{
  if (p->n > k->n) return ns_fail(c, NS_NUMERIC, "AVI of size %d given to a solver made for %d", p->n, k->n);
  if (p->n > k->ndense)
    return ns_fail(c, NS_NUMERIC,
                   "AVI of size %d: this solver is dense, at most %d rows where M is sparse; use solver=\"auto\"", p->n,
                   k->ndense);
  if (p->blocks && !k->full)
    return ns_fail(c, NS_NUMERIC, "sparse AVI of size %d given to a solver made for dense ones", p->n);
  return NS_OK;
}

/* ---- objects ---- */

static int is_lcp(const ns_avi_capacity *cap)
{
  return cap->lb && cap->ub && ns_avi_classify(cap->n, cap->lb, cap->ub) == NS_AVI_LCP;
}

static int create_lcp(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, ns_avi_object *o)
{
  ns_lcp_capacity l = {.n = cap->n, .nnz = cap->nnz, .structure = cap->structure, .symmetric = cap->symmetric};
  return o->lcp->create(c, &l, opt, &o->lcp_self);
}

int ns_avi_object_create(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, const ns_lcp_solver_ops *lcp,
                         size_t size, void *self)
{
  ns_avi_object *o = calloc(1, size);
  memcpy(self, &(void *){NULL}, sizeof(void *));
  if (!o) return ns_nomem(c, "AVI solver");
  int rc;
  if (is_lcp(cap)) {
    o->lcp = lcp;
    rc = create_lcp(c, cap, opt, o);
  } else rc = ns_avi_work_create(c, cap, opt, &o->work);
  if (rc) free(o);
  else memcpy(self, &o, sizeof o);
  return rc;
}

void ns_avi_object_destroy(void *self)
{
  ns_avi_object *o = self;
  if (!o) return;
  if (o->lcp) o->lcp->destroy(o->lcp_self);
  ns_avi_work_destroy(o->work);
  free(o);
}

int ns_avi_method_create(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, const ns_avi_method *m, void **self)
{
  ns_avi_object *o = NULL;
  *self = NULL;
  int rc = ns_avi_object_create(c, cap, opt, m->lcp, sizeof *o, &o);
  if (rc) return rc;
  o->method = m;
  if (o->work && m->create && (rc = m->create(o->work, c, &o->own))) ns_avi_object_destroy(o);
  else *self = o;
  return rc;
}

int ns_avi_method_solve(void *self, ns_ctx *c, const ns_avi *p, const int *row, double *z, double *w, ns_outcome *out)
{
  ns_avi_object *o = self;
  ns_avi_work *k = o->work;
  if (!k) return ns_avi_as_lcp(o, c, p, row, z, w, out);
  int rc = ns_avi_work_fits(k, c, p), iterations = 0;
  if (rc) return rc;
  double residual = INFINITY;
  ns_avi_begin(k, p);
  ns_outcome_kind kind = o->method->run(o->own, k, p, z, w, &iterations, &residual);
  if (kind == NS_SOLVED) ns_avi_solved(k, p, z, residual, iterations, o->method->name, out);
  else ns_avi_failed(p, z, w, kind, iterations, o->method->name, out);
  return NS_OK;
}

/* ---- the problem as numbers ---- */

static void find_scales(ns_avi_work *k, int n)
{
  for (int i = 0; i < n; i++) k->r[i] = 0;
  for (int j = 0; j < n; j++) {
    const double *m = k->M + (size_t)j * (size_t)k->ld;
    for (int i = 0; i < n; i++) {
      double a = fabs(m[i]);
      k->r[i] = k->r[i] > a ? k->r[i] : a;
    }
  }
  for (int i = 0; i < n; i++) k->r[i] = ns_avi_reciprocal(k->r[i]);
}

void ns_avi_begin(ns_avi_work *k, const ns_avi *p)
{
  int same = p->stamp && p->stamp == k->stamp && p->n == k->pn && (p->dense || k->M == k->full);
  k->M = p->dense ? p->dense : k->full;
  k->ld = p->dense ? p->ld : p->n;
  if (same) return;
  k->stamp = p->stamp;
  k->pn = p->n;
  k->factored = 0;
  if (p->blocks) ns_blocks_dense(p->blocks, k->full, k->ld);
  find_scales(k, p->n);
}

/* `count` rows from row i on, a strip that stays in registers. */
static inline __attribute__((always_inline)) void strip(ns_lcp_tally *t, const ns_avi_work *k, const ns_avi *p, int i, int count, const double *z,
                         double *w)
{
  double y[8];
  ns_strip(count, p->n, k->M + i, k->ld, p->q + i, z, y, NULL);
  for (int a = 0; a < count; a++) {
    w[i + a] = y[a];
    ns_avi_tally_row(t, z[i + a], y[a], p->q[i + a], k->r[i + a], p->lb[i + a], p->ub[i + a]);
  }
}

static double kept_residual(const ns_avi_work *k, const ns_avi *p, const double *z, double *w)
{
  ns_lcp_tally t = {0, 0, 0};
  int i = 0;
  for (; i + 8 <= p->n; i += 8) strip(&t, k, p, i, 8, z, w);
  if (p->n - i >= 4) {
    strip(&t, k, p, i, 4, z, w);
    i += 4;
  }
  if (p->n - i == 3) strip(&t, k, p, i, 3, z, w);
  else if (p->n - i == 2) strip(&t, k, p, i, 2, z, w);
  else if (p->n - i == 1) strip(&t, k, p, i, 1, z, w);
  return ns_lcp_tally_end(&t);
}

double ns_avi_residual_kept(const ns_avi_work *k, const ns_avi *p, const double *z, double *w)
{
  double residual = kept_residual(k, p, z, w);
  ns_solve_see(p->watch, p->q, residual, p->n, z);
  return residual;
}

int ns_avi_finite(const ns_avi *p)
{
  ns_lcp l = {.n = p->n, .dense = p->dense, .ld = p->ld, .blocks = p->blocks, .q = p->q};
  for (int i = 0; i < p->n; i++)
    if (!(p->lb[i] <= p->ub[i]) || p->lb[i] == INFINITY || p->ub[i] == -INFINITY) return 0;
  return ns_lcp_finite(&l);
}

void ns_avi_clip(const ns_avi *p, double *z)
{
  for (int i = 0; i < p->n; i++) {
    double v = z[i] == z[i] ? z[i] : 0;
    v = v > p->lb[i] ? v : p->lb[i];
    z[i] = v < p->ub[i] ? v : p->ub[i];
  }
}

/* ---- direct solve on a state ---- */

static double bound_of(const ns_avi *p, int at, int i) { return at < 0 ? p->lb[i] : p->ub[i]; }

/* F and power: rows and columns of the state's free rows. One row is divided by as it is: 49/49 is 1. */
static void gather(ns_avi_work *k)
{
  int nf = k->nf;
  double *F = k->F;
  for (int a = 0; a < nf; a++) k->power[a] = nf > 1 ? 1 / ns_lcp_power(k->r[k->idx[a]]) : 1;
  for (int b = 0; b < nf; b++, F += nf) {
    const double *m = k->M + (size_t)k->idx[b] * (size_t)k->ld;
    for (int a = 0; a < nf; a++) F[a] = k->power[a] * m[k->idx[a]];
  }
}

static void find_shift(ns_avi_work *k, const ns_avi *p, const signed char *at)
{
  for (int a = 0; a < k->nf; a++) k->shift[a] = 0;
  for (int j = 0; j < p->n; j++) {
    double v = at[j] ? bound_of(p, at[j], j) : 0;
    if (v == 0) continue;
    const double *m = k->M + (size_t)j * (size_t)k->ld;
    for (int a = 0; a < k->nf; a++) k->shift[a] += m[k->idx[a]] * v;
  }
}

static int factor(ns_avi_work *k, const ns_avi *p, const signed char *at)
{
  int nf = 0;
  for (int i = 0; i < p->n; i++) {
    k->idx[nf] = i;
    nf += at[i] == NS_AVI_FREE;
  }
  k->nf = nf;
  k->factored = 0;
  gather(k);
  int bad = nf == 1 ? !(k->F[0] != 0) : ns_dense_lu(nf, k->F, nf, k->piv);
  k->bad = bad ? k->idx[bad - 1] : -1;
  if (bad) return 1;
  find_shift(k, p, at);
  memcpy(k->fat, at, (size_t)p->n);
  k->factored = 1;
  return 0;
}

/* b = -M_FF^-1 b */
static void solve_factored(ns_avi_work *k)
{
  int nf = k->nf;
  if (nf == 1) {
    k->b[0] = -k->b[0] / k->F[0];
    return;
  }
  for (int a = 0; a < nf; a++) k->b[a] *= -k->power[a];
  ns_dense_lu_solve(nf, k->F, nf, k->piv, 1, k->b, nf);
}

int ns_avi_direct(ns_avi_work *k, const ns_avi *p, const signed char *at, const double *q, double *x)
{
  if ((!k->factored || memcmp(at, k->fat, (size_t)p->n) != 0) && factor(k, p, at)) return 1;
  for (int a = 0; a < k->nf; a++) k->b[a] = q[k->idx[a]] + k->shift[a];
  solve_factored(k);
  for (int i = 0; i < p->n; i++) x[i] = bound_of(p, at[i], i);
  for (int a = 0; a < k->nf; a++) x[k->idx[a]] = k->b[a];
  return 0;
}

static void refine(ns_avi_work *k, const double *w)
{
  for (int a = 0; a < k->nf; a++) k->b[a] = w[k->idx[a]];
  solve_factored(k);
  for (int a = 0; a < k->nf; a++) k->z[k->idx[a]] += k->b[a];
}

/* Within the tolerance, and by more than rounding. */
static int within(const ns_avi_work *k, const ns_avi *p, double residual)
{
  ns_lcp l = {.n = p->n, .dense = k->M, .ld = k->ld, .q = p->q};
  return residual <= k->opt.tol && ns_lcp_credible(&l, k->z, k->opt.tol);
}

int ns_avi_on_state(ns_avi_work *k, const ns_avi *p, double *w, double *residual)
{
  if (ns_avi_direct(k, p, k->at, p->q, k->z)) return 1;
  *residual = ns_avi_residual_kept(k, p, k->z, w);
  for (int round = 0; round < 3 && *residual > k->opt.tol && *residual < 1e-6; round++) {
    double before = *residual;
    refine(k, w);
    *residual = ns_avi_residual_kept(k, p, k->z, w);
    if (*residual > 0.5 * before) break;
  }
  return *residual <= k->opt.tol && !within(k, p, *residual);
}

int ns_avi_drop(ns_avi_work *k, const ns_avi *p)
{
  int i = k->bad;
  if (i < 0 || (p->lb[i] == -INFINITY && p->ub[i] == INFINITY)) return 0;
  k->at[i] = p->lb[i] > -INFINITY ? NS_AVI_LOWER : NS_AVI_UPPER;
  return 1;
}

/* ---- endings ---- */

static int state_of(const ns_avi *p, const double *z, signed char *at)
{
  int changes = 0;
  for (int i = 0; i < p->n; i++) {
    signed char s = ns_avi_state(z[i], p->lb[i], p->ub[i]);
    changes |= s != at[i];
    at[i] = s;
  }
  return changes;
}

/* Is k->at the state of k->z? A row whose bounds are equal may be called either. */
static int own_state(const ns_avi_work *k, const ns_avi *p)
{
  int same = 1;
  for (int i = 0; i < p->n; i++)
    same &= (k->at[i] != NS_AVI_FREE) | ((k->z[i] > p->lb[i]) & (k->z[i] < p->ub[i]));
  return same;
}

int ns_avi_accept_direct(ns_avi_work *k, const ns_avi *p, double *w, double *residual)
{
  for (int round = 0; *residual <= k->opt.tol; round++) {
    if (own_state(k, p)) return 1;
    ns_avi_clip(p, k->z);
    memcpy(k->w, k->z, (size_t)p->n * sizeof *k->z);
    state_of(p, k->z, k->at);
    if (round < 8 && !ns_avi_on_state(k, p, w, residual) && *residual <= k->opt.tol) continue;
    memcpy(k->z, k->w, (size_t)p->n * sizeof *k->z);
    *residual = ns_avi_residual_kept(k, p, k->z, w);
    return within(k, p, *residual);
  }
  return 0;
}

int ns_avi_try(ns_avi_work *k, const ns_avi *p, double *w, double *residual)
{
  size_t bytes = (size_t)p->n * sizeof *k->z;
  ns_avi_clip(p, k->z);
  state_of(p, k->z, k->at);
  memcpy(k->x, k->z, bytes);
  if (!ns_avi_on_state(k, p, w, residual) && *residual <= k->opt.tol && ns_avi_accept_direct(k, p, w, residual)) return 1;
  memcpy(k->z, k->x, bytes);
  *residual = ns_avi_residual_kept(k, p, k->z, w);
  return within(k, p, *residual);
}

/* The candidate corrected where M_FF is singular: by any z_F that makes w_F = 0. */
static int correct(ns_avi_work *k, const ns_avi *p, double *w, double *residual)
{
  state_of(p, k->z, k->at);
  ns_avi_factor_rank(k, k->at);
  for (int round = 0; round < 3; round++) {
    double before = *residual;
    ns_avi_correct_rank(k, w, k->z);
    ns_avi_clip(p, k->z);
    *residual = ns_avi_residual_kept(k, p, k->z, w);
    if (within(k, p, *residual)) return 1;
    if (!(*residual < 0.5 * before)) return 0;
  }
  return 0;
}

int ns_avi_accept(ns_avi_work *k, const ns_avi *p, double *w, double *residual)
{
  return ns_avi_try(k, p, w, residual) || (*residual <= NEAR && correct(k, p, w, residual));
}

void ns_avi_solved(const ns_avi_work *k, const ns_avi *p, double *z, double residual, int iterations, const char *solver,
                   ns_outcome *out)
{
  for (int i = 0; i < p->n; i++) z[i] = k->z[i];
  *out = (ns_outcome){.kind = NS_SOLVED, .iterations = iterations, .residual = residual, .solver = solver};
}

void ns_avi_failed(const ns_avi *p, const double *z, double *w, ns_outcome_kind kind, int iterations, const char *solver,
                   ns_outcome *out)
{
  if (!ns_avi_finite(p)) kind = NS_NOT_FINITE;
  *out = (ns_outcome){.kind = kind, .iterations = iterations, .residual = ns_avi_residual(p, z, w), .solver = solver};
}
