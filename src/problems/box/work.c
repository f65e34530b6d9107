/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/box/work.h"

#include "algebra/dense.h"
#include "algebra/vector.h"

#include <stdlib.h>
#include <string.h>

#define NEAR 1e-3 /* residual of a candidate that is worth a correction */

/* ---- memory ---------------------------------------------------------------------------------- */

int ns_box_work_get(ns_box_work *k, ns_ctx *c, const ns_array *want, size_t count)
{
  if (!ns_arena_arrays(k->arena, want, count)) return NS_OK;
  return ns_nomem(c, k->boxed ? "AVI solver" : "LCP solver");
}

/* What ns_box_direct needs. */
static int get_factors(ns_box_work *k, ns_ctx *c, const ns_box_capacity *cap)
{
  size_t n = (size_t)k->n, nd = (size_t)k->ndense,
         few = nd < NS_BOX_ENUMERATED ? nd : NS_BOX_ENUMERATED;
  size_t ranked = k->boxed ? nd : few, full = cap->structure ? ranked : 0;
  const ns_array want[] = {
      {&k->fat, n, 1},
      {&k->mask, n, 1},
      {&k->idx, n, sizeof(int)},
      {&k->pos, n, sizeof(int)},
      {&k->piv, nd, sizeof(int)},
      {&k->col, ranked, sizeof(int)},
      {&k->F, nd * nd, sizeof(double)},
      {&k->full, full * full, sizeof(double)},
      {&k->power, nd, sizeof(double)},
      {&k->colpower, ranked, sizeof(double)},
      {&k->shift, nd, sizeof(double)},
  };
  int rc = NS_BOX_GET(k, c, want);
  if (rc || k->boxed) return rc ? rc : ns_dense_prepare(c, k->ndense);
  k->small = k->ndense;
  if (!cap->structure) return NS_OK;
  if ((rc = ns_sparse_factor_create(c, cap->structure, cap->symmetric, &k->sparse))) return rc;
  double entries = 0.5 * (double)k->n * (double)k->n;
  if ((double)ns_sparse_factor_fill(k->sparse) < 0.3 * entries) k->small = NS_BOX_DENSE_SMALL;
  return NS_OK;
}

int ns_box_work_create(ns_ctx *c, const ns_box_capacity *cap, const ns_lcp_options *opt, int boxed,
                       int direct, ns_box_work **out)
{
  *out = NULL;
  ns_box_work *k = NS_ARENA_OBJECT(ns_box_work, arena);
  if (!k) return ns_nomem(c, boxed ? "AVI solver" : "LCP solver");
  *k = (ns_box_work){
      .arena = k->arena, .opt = opt ? *opt : ns_lcp_defaults(), .n = cap->n, .ndense = cap->n};
  k->symmetric = cap->symmetric;
  k->boxed = boxed;
  if (direct && cap->structure && k->ndense > NS_BOX_DENSE_MAX) k->ndense = NS_BOX_DENSE_MAX;
  size_t n = (size_t)k->n, item = sizeof(double);
  const ns_array want[] = {{&k->z, n, item},   {&k->w, n, item}, {&k->x, n, item}, {&k->r, n, item},
                           {&k->add, n, item}, {&k->b, n, item}, {&k->at, n, 1}};
  int rc = NS_BOX_GET(k, c, want);
  if (!rc && direct) rc = get_factors(k, c, cap);
  if (rc) ns_box_work_destroy(k);
  else *out = k;
  return rc;
}

void ns_box_work_destroy(ns_box_work *k)
{
  if (!k) return;
  ns_sparse_factor_destroy(k->sparse);
  ns_arena_destroy(k->arena);
}

int ns_box_work_fits(const ns_box_work *k, ns_ctx *c, const ns_box *p)
{
  const char *kind = k->boxed ? "AVI" : "LCP";
  if (p->n > k->n)
    return ns_fail_below(c, NS_NUMERIC, "%s of size %d given to a solver made for %d", kind, p->n,
                         k->n);
  if (p->n > k->ndense && k->boxed)
    return ns_fail_below(c, NS_NUMERIC,
                         "AVI of size %d: this solver is dense, at most %d rows where M is sparse; "
                         "use solver=\"auto\"",
                         p->n, k->ndense);
  if (p->n > k->ndense && p->dense)
    return ns_fail_below(
        c, NS_NUMERIC,
        "dense LCP of size %d given to a solver made for sparse ones (dense up to %d)", p->n,
        k->ndense);
  if (p->blocks && k->boxed && !k->full)
    return ns_fail_below(c, NS_NUMERIC,
                         "sparse AVI of size %d given to a solver made for dense ones", p->n);
  return NS_OK;
}

/* ---- a solver that is one method alone ------------------------------------------------------- */

typedef struct object {
  ns_box_work *work;
  const ns_box_method *method;
  void *own;
} object;

int ns_box_is_boxed(const ns_box_capacity *cap)
{
  if (cap->varies) return 1;
  return cap->lb && cap->ub && ns_avi_classify(cap->n, cap->lb, cap->ub) != NS_AVI_LCP;
}

void ns_box_method_destroy(void *self)
{
  object *o = self;
  if (!o) return;
  if (o->method->destroy) o->method->destroy(o->own);
  ns_box_work_destroy(o->work);
}

int ns_box_method_create(ns_ctx *c, const ns_box_capacity *cap, const ns_lcp_options *opt,
                         const ns_box_method *m, void **self)
{
  ns_box_work *k = NULL;
  object *o = NULL;
  *self = NULL;
  int rc = ns_box_work_create(c, cap, opt, ns_box_is_boxed(cap), m->direct, &k);
  if (rc) return rc;
  const ns_array want[] = {{&o, 1, sizeof *o}};
  if ((rc = NS_BOX_GET(k, c, want))) {
    ns_box_work_destroy(k);
    return rc;
  }
  *o = (object){.work = k, .method = m};
  if (m->create && (rc = m->create(k, c, cap, &o->own))) ns_box_method_destroy(o);
  else *self = o;
  return rc;
}

int ns_box_method_solve(void *self, ns_ctx *c, const ns_box *p, const int *row, double *z,
                        double *w, ns_outcome *out)
{
  object *o = self;
  const ns_box_method *m = o->method;
  ns_box_work *k = o->work;
  int rc = ns_box_work_fits(k, c, p), iterations = 0;
  if (!rc && m->refuses) rc = m->refuses(k, c, p);
  if (rc) return rc;
  double residual = INFINITY;
  const ns_box *view = ns_box_begin(k, p);
  ns_outcome_kind kind = NS_NOT_FINITE;
  if (m->any || ns_box_finite(p)) kind = m->run(o->own, k, view, row, z, w, &iterations, &residual);
  if (kind == NS_SOLVED) ns_box_solved(k, p, z, residual, iterations, m->name, out);
  else ns_box_failed(p, z, w, kind, iterations, m->name, out);
  return NS_OK;
}

/* ---- the problem as numbers ------------------------------------------------------------------ */

/* The problem with its matrix written out. */
static const ns_box *in_full(ns_box_work *k, const ns_box *p)
{
  k->view = *p;
  k->view.blocks = NULL;
  k->view.dense = k->full;
  k->view.ld = p->n;
  return &k->view;
}

const ns_box *ns_box_begin(ns_box_work *k, const ns_box *p)
{
  int full = k->boxed && p->blocks;
  const ns_box *view = full ? in_full(k, p) : p;
  if (p->stamp && p->stamp == k->stamp && p->n == k->pn && full <= k->is_full) return view;
  k->stamp = p->stamp;
  k->pn = p->n;
  k->kind = NS_BOX_NONE;
  k->scaled = 0;
  k->is_full = full;
  if (full) ns_blocks_dense(p->blocks, k->full, p->n);
  return view;
}

int ns_box_wants_pivots(const ns_box *p, const double *z)
{
  int n = p->n;
  if (p->stamp || !p->dense || n < 3 || n > NS_BOX_TINY) return 0;
  for (int i = 0; i < n; i++)
    if (z[i] != 0) return 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (!(fabs(p->dense[i + j * p->ld]) <= p->dense[i + i * p->ld])) return 1;
  return 0;
}

void ns_box_fill(const ns_box *p, double *M, size_t di, size_t dj)
{
  size_t n = (size_t)p->n;
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++)
      M[i * di + j * dj] = p->dense ? p->dense[i + j * (size_t)p->ld] : 0;
  const ns_blocks *A = p->blocks;
  for (int i = 0; A && i < A->nb; i++)
    for (int k = A->row[i]; k < A->row[i + 1]; k++) {
      const double *b = A->val + A->off[k];
      for (int c = A->first[A->col[k]]; c < A->first[A->col[k] + 1]; c++)
        for (int r = A->first[i]; r < A->first[i + 1]; r++)
          M[(size_t)r * di + (size_t)c * dj] = *b++;
    }
}

/* sum[i] = sum_j |M_ij| |z_j| or, where z is NULL, max_j |M_ij|. */
static void row_sizes(const ns_box *p, const double *z, double *sum)
{
  const ns_blocks *A = p->blocks;
  memset(sum, 0, (size_t)p->n * sizeof *sum);
  for (int j = 0; p->dense && j < p->n; j++) {
    const double *m = p->dense + (size_t)j * (size_t)p->ld;
    for (int i = 0; i < p->n; i++)
      sum[i] = z ? sum[i] + fabs(m[i] * z[j]) : ns_box_larger(sum[i], fabs(m[i]));
  }
  for (int i = 0; A && i < A->nb; i++)
    for (int k = A->row[i]; k < A->row[i + 1]; k++) {
      const double *b = A->val + A->off[k];
      for (int c = A->first[A->col[k]]; c < A->first[A->col[k] + 1]; c++)
        for (int r = A->first[i]; r < A->first[i + 1]; r++, b++)
          sum[r] = z ? sum[r] + fabs(*b * z[c]) : ns_box_larger(sum[r], fabs(*b));
    }
}

void ns_box_scales(ns_box_work *k, const ns_box *p)
{
  if (k->scaled) return;
  row_sizes(p, NULL, k->r);
  for (int i = 0; i < p->n; i++) k->r[i] = ns_box_reciprocal(k->r[i]);
  k->scaled = 1;
}

static double work_residual(ns_box_work *k, const ns_box *p, const double *z, double *w)
{
  if (!p->dense) return ns_box_residual(p, z, w);
  if (k->scaled) return ns_box_residual_kept(p, k->boxed, k->r, z, w);
  k->scaled = 1;
  return ns_box_residual_first(p, k->boxed, k->r, z, w);
}

double ns_box_work_residual(ns_box_work *k, const ns_box *p, const double *z, double *w)
{
  double residual = work_residual(k, p, z, w);
  ns_solve_see(p->watch, p->q, residual, p->n, z);
  return residual;
}

void ns_box_times(const ns_box *p, int transposed, const double *x, double *y)
{
  memset(y, 0, (size_t)p->n * sizeof *y);
  if (p->blocks) {
    (transposed ? ns_blocks_gemv_t : ns_blocks_gemv)(1, p->blocks, x, y);
    return;
  }
  for (int j = 0; j < p->n; j++) {
    const double *m = p->dense + (size_t)j * (size_t)p->ld;
    double sum = 0;
    for (int i = 0; i < p->n; i++) {
      if (transposed) sum += m[i] * x[i];
      else y[i] += m[i] * x[j];
    }
    if (transposed) y[j] = sum;
  }
}

/* 0 * x is 0 where x is finite, else NaN. */
static int finite_all(const double *x, size_t n)
{
  double s = 0;
  for (size_t i = 0; i < n; i++) s += 0 * x[i];
  return s == 0;
}

int ns_box_finite(const ns_box *p)
{
  if (!finite_all(p->q, (size_t)p->n)) return 0;
  for (int i = 0; p->lb && i < p->n; i++)
    if (!(p->lb[i] <= p->ub[i]) || p->lb[i] == INFINITY || p->ub[i] == -INFINITY) return 0;
  for (int j = 0; p->dense && j < p->n; j++)
    if (!finite_all(p->dense + (size_t)j * (size_t)p->ld, (size_t)p->n)) return 0;
  const ns_blocks *A = p->blocks;
  for (int i = 0; A && i < A->nb; i++)
    for (int k = A->row[i]; k < A->row[i + 1]; k++)
      if (!finite_all(A->val + A->off[k], (size_t)A->dim[i] * (size_t)A->dim[A->col[k]])) return 0;
  return 1;
}

/* d [n] with all d_i |M_ij| d_j of a dense M that are not 0 as near to 1 as squares of their
 * logarithms can be (Curtis & Reid 1972, with one scale for row and column): units of z and w in
 * which currents of kA and voltages of mV are numbers near 1. */
static void balance(const ns_box *p, double *d)
{
  int n = p->n;
  memset(d, 0, (size_t)n * sizeof *d);
  for (int round = 0; round < 12; round++)
    for (int i = 0; i < n; i++) {
      double sum = 0, count = 0;
      for (int j = 0; j < n; j++) {
        double m = fabs(p->dense[i + j * p->ld]), times = i == j ? 2 : 1;
        if (m == 0) continue;
        sum += times * (log2(m) + (i == j ? 0 : d[j]));
        count += times * times;
      }
      if (count > 0) d[i] = -sum / count;
    }
  for (int i = 0; i < n; i++) d[i] = exp2(d[i]);
}

/* What rounding leaves of M z, in units 1/r of w, is within the tolerance of `least` + max |q|. */
static int has_digits(const ns_box_work *k, const ns_box *p, const double *terms, const double *r,
                      double least)
{
  double size = 0, qmax = 0;
  for (int i = 0; i < p->n; i++) {
    size = fmax(size, terms[i] * r[i]);
    qmax = fmax(qmax, fabs(p->q[i]) * r[i]);
  }
  return size * DBL_EPSILON <= k->opt.tol * (least + qmax);
}

/* 1 unless |z| is so large that M z has no significant digits at the size of the tolerance, be it
 * in the units of the residual or in those that M itself suggests: a residual of 0 then means
 * nothing. */
static int is_credible(ns_box_work *k, const ns_box *p, const double *z)
{
  double max = 0;
  for (int i = 0; i < p->n; i++) max = ns_box_larger(fabs(z[i]), max);
  if (p->n * max * DBL_EPSILON <= 0.1 * k->opt.tol) return 1;
  ns_box_scales(k, p);
  row_sizes(p, z, k->b);
  if (has_digits(k, p, k->b, k->r, 1)) return 1;
  if (!p->dense) return 0;
  balance(p, k->x);
  return has_digits(k, p, k->b, k->x, 0);
}

static double clipped(double z, double lb, double ub)
{
  double v = z == z ? z : 0;
  v = v > lb ? v : lb;
  return v < ub ? v : ub;
}

void ns_box_clip(const ns_box_work *k, const ns_box *p, double *z)
{
  int n = p->n;
  const double *lb = p->lb, *ub = p->ub;
  for (int i = 0; i < n && k->boxed; i++) z[i] = clipped(z[i], lb[i], ub[i]);
  for (int i = 0; i < n && !k->boxed; i++) z[i] = z[i] > 0 ? z[i] : 0;
}

void ns_box_state_of(const ns_box_work *k, const ns_box *p, const double *z, signed char *at)
{
  int n = p->n;
  if (k->boxed)
    for (int i = 0; i < n; i++) at[i] = ns_box_state(z[i], p->lb[i], p->ub[i]);
  else
    for (int i = 0; i < n; i++) at[i] = ns_box_state(z[i], 0, INFINITY);
}

/* ---- direct solve on a state ----------------------------------------------------------------- */

static void gather_dense(const ns_box_work *k, const ns_box *p)
{
  int nf = k->nf;
  const int *idx = k->idx;
  double *F = k->F;
  for (int b = 0; nf == p->n && b < nf; b++, F += nf)
    memcpy(F, p->dense + (size_t)b * (size_t)p->ld, (size_t)nf * sizeof *F);
  if (nf == p->n) return;
  for (int b = 0; b < nf; b++, F += nf) {
    const double *m = p->dense + (size_t)idx[b] * (size_t)p->ld;
    ns_gather((size_t)nf, m, idx, F);
  }
}

static void gather_blocks(const ns_box_work *k, const ns_box *p, const signed char *at)
{
  const ns_blocks *A = p->blocks;
  size_t nf = (size_t)k->nf;
  int a = 0;
  for (int i = 0; i < p->n; i++) k->pos[i] = at[i] == NS_BOX_FREE ? a++ : -1;
  memset(k->F, 0, nf * nf * sizeof *k->F);
  for (int i = 0; i < A->nb; i++)
    for (int e = A->row[i]; e < A->row[i + 1]; e++) {
      const double *b = A->val + A->off[e];
      int j = A->col[e];
      for (int c = A->first[j]; c < A->first[j + 1]; c++, b += A->dim[i]) {
        if (k->pos[c] < 0) continue;
        double *to = k->F + (size_t)k->pos[c] * nf;
        for (int r = 0; r < A->dim[i]; r++)
          if (k->pos[A->first[i] + r] >= 0) to[k->pos[A->first[i] + r]] = b[r];
      }
    }
}

static void gather_scaled(ns_box_work *k, const ns_box *p)
{
  int nf = k->nf;
  const int *idx = k->idx;
  double *restrict F = k->F, *restrict power = k->power;
  ns_box_scales(k, p);
  for (int a = 0; a < nf; a++) power[a] = nf > 1 ? 1 / ns_box_power(k->r[idx[a]]) : 1;
  for (int b = 0; b < nf; b++, F += nf) {
    const double *m = p->dense + (size_t)idx[b] * (size_t)p->ld;
    for (int a = 0; a < nf; a++) F[a] = power[a] * m[idx[a]];
  }
}

/* With bounds rows are scaled; one row is divided by as it is: 49/49 is 1. */
static void gather(ns_box_work *k, const ns_box *p, const signed char *at, const double *add)
{
  size_t nf = (size_t)k->nf;
  if (k->boxed) gather_scaled(k, p);
  else if (p->dense) gather_dense(k, p);
  else gather_blocks(k, p, at);
  for (size_t a = 0; add && a < nf; a++)
    k->F[a * (nf + 1)] += add[k->idx[a]] * (k->boxed ? k->power[a] : 1);
}

/* One row is divided by, not multiplied with a reciprocal: 49/49 is 1, and the same as the closed
 * form of n = 1. */
static int factor_dense(ns_box_work *k, const ns_box *p, const signed char *at, const double *add)
{
  gather(k, p, at, add);
  if (k->nf == 1) {
    k->kind = NS_BOX_ONE;
    return !(k->F[0] != 0);
  }
  if (k->symmetric && !k->boxed) {
    if (ns_dense_cholesky(k->nf, k->F, k->nf) == 0) {
      k->kind = NS_BOX_CHOLESKY;
      return 0;
    }
    gather(k, p, at, add); /* indefinite, or singular: LU tells */
  }
  int rc = ns_dense_lu(k->nf, k->F, k->nf, k->piv);
  if (!rc) k->kind = NS_BOX_LU;
  return rc;
}

static double bound_of(const ns_box *p, int at, int i) { return at < 0 ? p->lb[i] : p->ub[i]; }

static void find_shift(ns_box_work *k, const ns_box *p, const signed char *at)
{
  memset(k->shift, 0, (size_t)k->nf * sizeof *k->shift);
  for (int j = 0; j < p->n; j++) {
    double v = at[j] ? bound_of(p, at[j], j) : 0;
    if (v == 0) continue;
    const double *m = p->dense + (size_t)j * (size_t)p->ld;
    for (int a = 0; a < k->nf; a++) k->shift[a] += m[k->idx[a]] * v;
  }
}

static int is_sparse(const ns_box_work *k, const ns_box *p) { return p->blocks && p->n > k->small; }

static int factor_sparse(ns_box_work *k, const ns_box *p, const int *row, const signed char *at,
                         const double *add)
{
  for (int i = 0; i < p->n; i++) k->mask[i] = at[i] == NS_BOX_FREE;
  k->kind = NS_BOX_SPARSE;
  return ns_sparse_factor_numeric(k->sparse, p->blocks, row, k->mask, NULL, add);
}

static int factor(ns_box_work *k, const ns_box *p, const int *row, const signed char *at,
                  const double *add)
{
  int nf = 0, rc, sparse = is_sparse(k, p);
  k->kind = NS_BOX_NONE;
  for (int i = 0; i < p->n && !sparse; i++) {
    k->idx[nf] = i;
    nf += at[i] == NS_BOX_FREE;
  }
  k->nf = nf;
  if (sparse) rc = factor_sparse(k, p, row, at, add);
  else rc = factor_dense(k, p, at, add);
  k->bad = -1;
  if (rc) {
    if (rc > 0) k->bad = sparse ? rc - 1 : k->idx[rc - 1];
    k->kind = NS_BOX_NONE;
    return rc;
  }
  if (k->boxed) find_shift(k, p, at);
  memcpy(k->fat, at, (size_t)p->n);
  k->added = add != NULL;
  return 0;
}

/* b = M_FF^-1 b, of dense factors; b carries the scales of its rows. */
static void solve_factored(ns_box_work *k)
{
  int nf = k->nf;
  if (k->kind == NS_BOX_ONE) k->b[0] /= k->F[0];
  else if (k->kind == NS_BOX_CHOLESKY) ns_dense_cholesky_solve(nf, k->F, nf, 1, k->b, nf);
  else ns_dense_lu_solve(nf, k->F, nf, k->piv, 1, k->b, nf);
}

/* k->b of the free rows, or of a sparse factor x: -M_FF^-1 (v_F + shift_F). */
static void solve_free(ns_box_work *k, const ns_box *p, const double *v, int shifted, double *x)
{
  if (k->kind == NS_BOX_SPARSE) {
    for (int i = 0; i < p->n; i++) x[i] = k->fat[i] == NS_BOX_FREE ? -v[i] : 0;
    ns_sparse_factor_solve(k->sparse, x);
    return;
  }
  int nf = k->nf;
  const int *idx = k->idx;
  const double *shift = k->shift, *power = k->power;
  double *restrict b = k->b;
  if (!k->boxed)
    for (int a = 0; a < nf; a++) b[a] = -v[idx[a]];
  else if (shifted)
    for (int a = 0; a < nf; a++) b[a] = -power[a] * (v[idx[a]] + shift[a]);
  else
    for (int a = 0; a < nf; a++) b[a] = -power[a] * v[idx[a]];
  solve_factored(k);
}

int ns_box_direct(ns_box_work *k, const ns_box *p, const int *row, const signed char *at,
                  const double *q, const double *add, int fresh, double *x)
{
  int kept = !fresh && k->kind != NS_BOX_NONE && k->added == (add != NULL) &&
             !memcmp(at, k->fat, (size_t)p->n);
  int rc = kept ? 0 : factor(k, p, row, at, add);
  if (rc) return rc;
  solve_free(k, p, q, 1, x);
  if (k->kind == NS_BOX_SPARSE) return 0;
  int n = p->n, nf = k->nf;
  const int *idx = k->idx;
  const double *b = k->b;
  if (!k->boxed) memset(x, 0, (size_t)n * sizeof *x);
  else if (nf < n)
    for (int i = 0; i < n; i++) x[i] = bound_of(p, at[i], i);
  ns_scatter((size_t)nf, b, idx, x);
  return 0;
}

static void refine(ns_box_work *k, const ns_box *p, const double *w)
{
  solve_free(k, p, w, 0, k->x);
  for (int i = 0; k->kind == NS_BOX_SPARSE && i < p->n; i++) k->z[i] += k->x[i];
  for (int a = 0; k->kind != NS_BOX_SPARSE && a < k->nf; a++) k->z[k->idx[a]] += k->b[a];
}

/* Within the tolerance, and by more than rounding. */
static int within(ns_box_work *k, const ns_box *p, double residual)
{
  return residual <= k->opt.tol && is_credible(k, p, k->z);
}

int ns_box_on_state(ns_box_work *k, const ns_box *p, const int *row, double *w, double *residual)
{
  if (ns_box_direct(k, p, row, k->at, p->q, NULL, 0, k->z)) return 1;
  *residual = ns_box_work_residual(k, p, k->z, w);
  for (int round = 0; round < 3 && *residual > k->opt.tol && *residual < 1e-6; round++) {
    double before = *residual;
    refine(k, p, w);
    *residual = ns_box_work_residual(k, p, k->z, w);
    if (*residual > 0.5 * before) break;
  }
  return *residual <= k->opt.tol && !within(k, p, *residual);
}

int ns_box_drop(ns_box_work *k, const ns_box *p, const int *row)
{
  if (is_sparse(k, p)) {
    for (int i = 0; i < p->n; i++) k->mask[i] = k->at[i] == NS_BOX_FREE;
    int count = ns_sparse_factor_drop(k->sparse, p->blocks, row, k->mask);
    for (int i = 0; i < p->n; i++) k->at[i] = k->mask[i] ? NS_BOX_FREE : NS_BOX_LOWER;
    return count > 0 ? count : 0;
  }
  int i = k->bad;
  if (i < 0 || (ns_box_lower(k, p, i) == -INFINITY && ns_box_upper(k, p, i) == INFINITY)) return 0;
  k->at[i] = ns_box_lower(k, p, i) > -INFINITY ? NS_BOX_LOWER : NS_BOX_UPPER;
  return 1;
}

/* ---- endings --------------------------------------------------------------------------------- */

/* Is k->at the state of k->z? A row whose bounds are equal may be called either. */
static int own_state(const ns_box_work *k, const ns_box *p)
{
  const signed char *at = k->at;
  const double *z = k->z, *lb = p->lb, *ub = p->ub;
  int same = 1, n = p->n;
  if (k->boxed)
    for (int i = 0; i < n; i++) same &= (at[i] != NS_BOX_FREE) | ((z[i] > lb[i]) & (z[i] < ub[i]));
  else
    for (int i = 0; i < n; i++) same &= (at[i] != NS_BOX_FREE) | (z[i] > 0);
  return same;
}

int ns_box_accept_direct(ns_box_work *k, const ns_box *p, const int *row, double *w,
                         double *residual)
{
  for (int round = 0; *residual <= k->opt.tol; round++) {
    if (own_state(k, p)) return 1;
    ns_box_clip(k, p, k->z);
    memcpy(k->w, k->z, (size_t)p->n * sizeof *k->z);
    ns_box_state_of(k, p, k->z, k->at);
    if (round < 8 && !ns_box_on_state(k, p, row, w, residual) && *residual <= k->opt.tol) continue;
    memcpy(k->z, k->w, (size_t)p->n * sizeof *k->z);
    *residual = ns_box_work_residual(k, p, k->z, w);
    return within(k, p, *residual);
  }
  return 0;
}

int ns_box_try(ns_box_work *k, const ns_box *p, const int *row, double *w, double *residual)
{
  size_t bytes = (size_t)p->n * sizeof *k->z;
  ns_box_clip(k, p, k->z);
  ns_box_state_of(k, p, k->z, k->at);
  memcpy(k->add, k->z, bytes); /* nothing is added in what follows */
  if (!ns_box_on_state(k, p, row, w, residual) && *residual <= k->opt.tol &&
      ns_box_accept_direct(k, p, row, w, residual))
    return 1;
  memcpy(k->z, k->add, bytes);
  *residual = ns_box_work_residual(k, p, k->z, w);
  return within(k, p, *residual);
}

/* The candidate corrected where M_FF is singular: by any z_F that makes w_F = 0. */
static int correct(ns_box_work *k, const ns_box *p, double *w, double *residual)
{
  ns_box_state_of(k, p, k->z, k->at);
  ns_box_factor_rank(k, p, k->at);
  for (int round = 0; round < 3; round++) {
    double before = *residual;
    ns_box_correct_rank(k, w, k->z);
    ns_box_clip(k, p, k->z);
    *residual = ns_box_work_residual(k, p, k->z, w);
    if (within(k, p, *residual)) return 1;
    if (!(*residual < 0.5 * before)) return 0;
  }
  return 0;
}

int ns_box_accept(ns_box_work *k, const ns_box *p, const int *row, double *w, double *residual)
{
  if (ns_box_try(k, p, row, w, residual)) return 1;
  return k->boxed && *residual <= NEAR && correct(k, p, w, residual);
}

void ns_box_solved(const ns_box_work *k, const ns_box *p, double *z, double residual,
                   int iterations, const char *solver, ns_outcome *out)
{
  memcpy(z, k->z, (size_t)p->n * sizeof *z);
  *out = (ns_outcome){
      .kind = NS_SOLVED, .iterations = iterations, .residual = residual, .solver = solver};
}

void ns_box_failed(const ns_box *p, const double *z, double *w, ns_outcome_kind kind,
                   int iterations, const char *solver, ns_outcome *out)
{
  if (!ns_box_finite(p)) kind = NS_NOT_FINITE;
  *out = (ns_outcome){.kind = kind,
                      .iterations = iterations,
                      .residual = ns_box_residual(p, z, w),
                      .solver = solver};
}
