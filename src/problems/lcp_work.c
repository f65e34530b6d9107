/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/lcp_work.h"

#include "algebra/dense.h"

#include <math.h>
#include <string.h>

/* ---- memory ---- */

int ns_lcp_work_get(ns_lcp_work *k, ns_ctx *c, size_t n, size_t size, void *p)
{
  void *m = ns_arena_get(k->arena, n, size);
  memcpy(p, &m, sizeof m);
  return m ? NS_OK : ns_nomem(c, "LCP solver");
}

static int get_vectors(ns_lcp_work *k, ns_ctx *c)
{
  double **vector[] = {&k->z, &k->w, &k->x, &k->s, &k->add, &k->b, &k->r};
  size_t n = (size_t)k->n;
  int rc = NS_OK;
  for (size_t i = 0; i < sizeof vector / sizeof *vector && !rc; i++)
    rc = ns_lcp_work_get(k, c, n, sizeof(double), vector[i]);
  return rc ? rc : ns_lcp_work_get(k, c, n, 1, &k->in);
}

/* What ns_lcp_direct needs. */
static int get_factors(ns_lcp_work *k, ns_ctx *c, const ns_lcp_capacity *cap)
{
  size_t n = (size_t)k->n, nd = (size_t)k->ndense;
  int rc = NS_OK;
  if ((rc = ns_lcp_work_get(k, c, n, 1, &k->fin)) || (rc = ns_lcp_work_get(k, c, n, sizeof(int), &k->idx)) ||
      (rc = ns_lcp_work_get(k, c, n, sizeof(int), &k->pos)) || (rc = ns_lcp_work_get(k, c, nd, sizeof(int), &k->piv)) ||
      (rc = ns_lcp_work_get(k, c, nd * nd, sizeof(double), &k->F)))
    return rc;
  k->small = k->ndense;
  if (!cap->structure) return NS_OK;
  if ((rc = ns_sparse_factor_create(c, cap->structure, cap->symmetric, &k->sparse))) return rc;
  double full = 0.5 * (double)k->n * (double)k->n;
  if ((double)ns_sparse_factor_fill(k->sparse) < 0.3 * full) k->small = NS_LCP_DENSE_SMALL;
  return NS_OK;
}

int ns_lcp_work_create(ns_ctx *c, const ns_lcp_capacity *cap, const ns_lcp_options *opt, int direct, ns_lcp_work **out)
{
  *out = NULL;
  ns_arena *a = ns_arena_create(0, 1);
  ns_lcp_work *k = a ? ns_arena_zero(a, 1, sizeof *k) : NULL;
  if (!k) {
    ns_arena_destroy(a);
    return ns_nomem(c, "LCP solver");
  }
  *k = (ns_lcp_work){.arena = a, .opt = opt ? *opt : ns_lcp_defaults(), .n = cap->n, .ndense = cap->n};
  k->symmetric = cap->symmetric;
  if (direct && cap->structure && k->ndense > NS_LCP_DENSE_MAX) k->ndense = NS_LCP_DENSE_MAX;
  int rc = get_vectors(k, c);
  if (!rc && direct) rc = get_factors(k, c, cap);
  if (rc) ns_lcp_work_destroy(k);
  else *out = k;
  return rc;
}

void ns_lcp_work_destroy(ns_lcp_work *k)
{
  if (!k) return;
  ns_sparse_factor_destroy(k->sparse);
  ns_arena_destroy(k->arena);
}

int ns_lcp_work_fits(const ns_lcp_work *k, ns_ctx *c, const ns_lcp *p)
{
  if (p->n > k->n) return ns_fail(c, NS_NUMERIC, "LCP of size %d given to a solver made for %d", p->n, k->n);
  if (p->n > k->ndense && p->dense)
    return ns_fail(c, NS_NUMERIC, "dense LCP of size %d given to a solver made for sparse ones (dense up to %d)", p->n,
                   k->ndense);
  return NS_OK;
}

/* ---- the problem as numbers ---- */

int ns_lcp_support(int n, const double *z, unsigned char *in)
{
  int ns = 0;
  for (int i = 0; i < n; i++) ns += in[i] = z[i] > 0;
  return ns;
}

int ns_lcp_cold(const ns_lcp *p, const double *z)
{
  int n = p->n;
  if (p->stamp || !p->dense || n < 3 || n > NS_LCP_TINY) return 0;
  for (int i = 0; i < n; i++)
    if (z[i] != 0) return 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (!(fabs(p->dense[i + j * p->ld]) <= p->dense[i + i * p->ld])) return 1;
  return 0;
}

void ns_lcp_fill(const ns_lcp *p, double *M, size_t di, size_t dj)
{
  size_t n = (size_t)p->n;
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++) M[i * di + j * dj] = p->dense ? p->dense[i + j * (size_t)p->ld] : 0;
  const ns_blocks *A = p->blocks;
  for (int i = 0; A && i < A->nb; i++)
    for (int k = A->row[i]; k < A->row[i + 1]; k++) {
      const double *b = A->val + A->off[k];
      for (int c = A->first[A->col[k]]; c < A->first[A->col[k] + 1]; c++)
        for (int r = A->first[i]; r < A->first[i + 1]; r++) M[(size_t)r * di + (size_t)c * dj] = *b++;
    }
}

void ns_lcp_row_scales(const ns_lcp *p, double *s)
{
  const ns_blocks *A = p->blocks;
  memset(s, 0, (size_t)p->n * sizeof *s);
  for (int j = 0; p->dense && j < p->n; j++)
    for (int i = 0; i < p->n; i++) s[i] = fmax(s[i], fabs(p->dense[(size_t)i + (size_t)j * (size_t)p->ld]));
  for (int i = 0; A && i < A->nb; i++)
    for (int k = A->row[i]; k < A->row[i + 1]; k++) {
      const double *b = A->val + A->off[k];
      for (int c = 0; c < A->dim[A->col[k]]; c++)
        for (int r = A->first[i]; r < A->first[i + 1]; r++) s[r] = fmax(s[r], fabs(*b++));
    }
  for (int i = 0; i < p->n; i++)
    if (!(s[i] > 1e-300)) s[i] = 1;
}

void ns_lcp_times(const ns_lcp *p, int transposed, const double *x, double *y)
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

int ns_lcp_finite(const ns_lcp *p)
{
  if (!finite_all(p->q, (size_t)p->n)) return 0;
  for (int j = 0; p->dense && j < p->n; j++)
    if (!finite_all(p->dense + (size_t)j * (size_t)p->ld, (size_t)p->n)) return 0;
  const ns_blocks *A = p->blocks;
  for (int i = 0; A && i < A->nb; i++)
    for (int k = A->row[i]; k < A->row[i + 1]; k++)
      if (!finite_all(A->val + A->off[k], (size_t)A->dim[i] * (size_t)A->dim[A->col[k]])) return 0;
  return 1;
}

/* Row i: sum_j |M_ij z_j|, and the largest |M_ij|. */
static double row_size(const ns_lcp *p, int i, const double *z, double *s)
{
  double sum = 0;
  *s = 0;
  for (int j = 0; j < p->n; j++) {
    double m = fabs(p->dense[(size_t)i + (size_t)j * (size_t)p->ld]);
    sum += m * fabs(z[j]);
    *s = m > *s ? m : *s;
  }
  return sum;
}

/* The same for row r of block row b. */
static double block_row_size(const ns_lcp *p, int b, int r, const double *z, double *s)
{
  const ns_blocks *A = p->blocks;
  double sum = 0;
  *s = 0;
  for (int k = A->row[b]; k < A->row[b + 1]; k++)
    for (int c = 0; c < A->dim[A->col[k]]; c++) {
      double m = fabs(A->val[A->off[k] + (size_t)(r + c * A->dim[b])]);
      sum += m * fabs(z[A->first[A->col[k]] + c]);
      *s = m > *s ? m : *s;
    }
  return sum;
}

static void worst_row(double sum, double s, double q, double *size, double *qmax)
{
  double r = s > 1e-300 ? 1 / s : 1;
  *size = fmax(*size, sum * r);
  *qmax = fmax(*qmax, fabs(q) * r);
}

int ns_lcp_credible(const ns_lcp *p, const double *z, double tol)
{
  double most = 0, size = 0, qmax = 0, s;
  for (int i = 0; i < p->n; i++) most = fabs(z[i]) > most ? fabs(z[i]) : most;
  if (p->n * most * DBL_EPSILON <= 0.1 * tol) return 1;
  if (p->dense)
    for (int i = 0; i < p->n; i++) {
      double sum = row_size(p, i, z, &s);
      worst_row(sum, s, p->q[i], &size, &qmax);
    }
  for (int b = 0; p->blocks && b < p->blocks->nb; b++)
    for (int r = 0; r < p->blocks->dim[b]; r++) {
      double sum = block_row_size(p, b, r, z, &s);
      worst_row(sum, s, p->q[p->blocks->first[b] + r], &size, &qmax);
    }
  return size * DBL_EPSILON <= tol * (1 + qmax);
}

/* ---- direct solve on a support ---- */

static void gather_dense(const ns_lcp_work *k, const ns_lcp *p)
{
  int ns = k->ns;
  const int *idx = k->idx;
  double *F = k->F;
  for (int b = 0; ns == p->n && b < ns; b++, F += ns)
    memcpy(F, p->dense + (size_t)b * (size_t)p->ld, (size_t)ns * sizeof *F);
  if (ns == p->n) return;
  for (int b = 0; b < ns; b++, F += ns) {
    const double *m = p->dense + (size_t)idx[b] * (size_t)p->ld;
    for (int a = 0; a < ns; a++) F[a] = m[idx[a]];
  }
}

static void gather_blocks(const ns_lcp_work *k, const ns_lcp *p, const unsigned char *in)
{
  const ns_blocks *A = p->blocks;
  size_t ns = (size_t)k->ns;
  int a = 0;
  for (int i = 0; i < p->n; i++) k->pos[i] = in[i] ? a++ : -1;
  memset(k->F, 0, ns * ns * sizeof *k->F);
  for (int i = 0; i < A->nb; i++)
    for (int e = A->row[i]; e < A->row[i + 1]; e++) {
      const double *b = A->val + A->off[e];
      int j = A->col[e];
      for (int c = A->first[j]; c < A->first[j + 1]; c++, b += A->dim[i]) {
        if (k->pos[c] < 0) continue;
        double *to = k->F + (size_t)k->pos[c] * ns;
        for (int r = 0; r < A->dim[i]; r++)
          if (k->pos[A->first[i] + r] >= 0) to[k->pos[A->first[i] + r]] = b[r];
      }
    }
}

static void gather(ns_lcp_work *k, const ns_lcp *p, const unsigned char *in, const double *add)
{
  if (p->dense) gather_dense(k, p);
  else gather_blocks(k, p, in);
  for (int a = 0; add && a < k->ns; a++) k->F[(size_t)a * ((size_t)k->ns + 1)] += add[k->idx[a]];
}

/* One row is divided by, not multiplied with a reciprocal: 49/49 is 1, and the same as the closed form of n = 1. */
static int factor_dense(ns_lcp_work *k, const ns_lcp *p, const unsigned char *in, const double *add)
{
  if (k->ns == 1) {
    gather(k, p, in, add);
    k->kind = NS_LCP_ONE;
    return !(k->F[0] != 0);
  }
  if (k->symmetric) {
    gather(k, p, in, add);
    if (ns_dense_cholesky(k->ns, k->F, k->ns) == 0) {
      k->kind = NS_LCP_CHOLESKY;
      return 0;
    }
  }
  gather(k, p, in, add); /* indefinite, or singular: LU tells */
  int rc = ns_dense_lu(k->ns, k->F, k->ns, k->piv);
  if (!rc) k->kind = NS_LCP_LU;
  return rc;
}

static int factor(ns_lcp_work *k, const ns_lcp *p, const int *row, const unsigned char *in, const double *add)
{
  int rc = 0;
  k->kind = NS_LCP_NONE;
  if (p->blocks && p->n > k->small) {
    k->kind = NS_LCP_SPARSE;
    rc = ns_sparse_factor_numeric(k->sparse, p->blocks, row, in, NULL, add);
  } else {
    int ns = 0;
    for (int i = 0; i < p->n; i++) {
      k->idx[ns] = i;
      ns += in[i];
    }
    k->ns = ns;
    rc = factor_dense(k, p, in, add);
  }
  if (rc) {
    k->bad = rc < 1 ? -1 : k->kind == NS_LCP_SPARSE ? rc - 1 : k->idx[rc - 1];
    k->kind = NS_LCP_NONE;
    return rc;
  }
  memcpy(k->fin, in, (size_t)p->n);
  k->stamp = p->stamp;
  k->pn = p->n;
  k->added = add != NULL;
  return 0;
}

static int kept(const ns_lcp_work *k, const ns_lcp *p, const unsigned char *in, const double *add)
{
  return k->kind != NS_LCP_NONE && p->stamp && p->stamp == k->stamp && p->n == k->pn && k->added == (add != NULL) &&
         !memcmp(in, k->fin, (size_t)p->n);
}

static void solve_factored(ns_lcp_work *k, const ns_lcp *p, const unsigned char *in, const double *q, double *x)
{
  if (k->kind == NS_LCP_SPARSE) {
    for (int i = 0; i < p->n; i++) x[i] = in[i] ? -q[i] : 0;
    ns_sparse_factor_solve(k->sparse, x);
    return;
  }
  int ns = k->ns;
  for (int a = 0; a < ns; a++) k->b[a] = -q[k->idx[a]];
  if (k->kind == NS_LCP_ONE) k->b[0] /= k->F[0];
  else if (k->kind == NS_LCP_CHOLESKY) ns_dense_cholesky_solve(ns, k->F, ns, 1, k->b, ns);
  else ns_dense_lu_solve(ns, k->F, ns, k->piv, 1, k->b, ns);
  for (int i = 0; i < p->n; i++) x[i] = 0;
  for (int a = 0; a < ns; a++) x[k->idx[a]] = k->b[a];
}

int ns_lcp_direct(ns_lcp_work *k, const ns_lcp *p, const int *row, const unsigned char *in, const double *q,
                  const double *add, double *x)
{
  return ns_lcp_direct_again(k, p, row, in, q, add, !kept(k, p, in, add), x);
}

int ns_lcp_direct_again(ns_lcp_work *k, const ns_lcp *p, const int *row, const unsigned char *in, const double *q,
                        const double *add, int fresh, double *x)
{
  int rc = fresh ? factor(k, p, row, in, add) : 0;
  if (!rc) solve_factored(k, p, in, q, x);
  return rc;
}

int ns_lcp_drop(ns_lcp_work *k, const ns_lcp *p, const int *row)
{
  if (p->blocks && p->n > k->small) {
    int count = ns_sparse_factor_drop(k->sparse, p->blocks, row, k->in);
    return count > 0 ? count : 0;
  }
  if (k->bad < 0) return 0;
  k->in[k->bad] = 0;
  return 1;
}

static double work_residual(ns_lcp_work *k, const ns_lcp *p, const double *z, double *w)
{
  if (!p->dense || !k->begun) return ns_lcp_residual(p, z, w);
  if (k->begun == 2) return ns_lcp_residual_kept(p, k->r, z, w);
  k->begun = 2;
  return ns_lcp_residual_first(p, k->r, z, w);
}

double ns_lcp_work_residual(ns_lcp_work *k, const ns_lcp *p, const double *z, double *w)
{
  double residual = work_residual(k, p, z, w);
  ns_solve_see(p->watch, p->q, residual, p->n, z);
  return residual;
}

int ns_lcp_on_support(ns_lcp_work *k, const ns_lcp *p, const int *row, double *w, double *residual)
{
  if (ns_lcp_direct(k, p, row, k->in, p->q, NULL, k->z)) return 1;
  *residual = ns_lcp_work_residual(k, p, k->z, w);
  for (int round = 0; round < 3 && *residual > k->opt.tol && *residual < 1e-6; round++) {
    double before = *residual;
    solve_factored(k, p, k->in, w, k->x);
    for (int i = 0; i < p->n; i++) k->z[i] += k->x[i];
    *residual = ns_lcp_work_residual(k, p, k->z, w);
    if (*residual > 0.5 * before) break;
  }
  return *residual <= k->opt.tol && !ns_lcp_credible(p, k->z, k->opt.tol);
}

/* ---- endings ---- */

static int all_positive(int n, const double *z, const unsigned char *in)
{
  int ok = 1;
  for (int i = 0; i < n; i++) ok &= !in[i] | (z[i] > 0);
  return ok;
}

static void clip(int n, double *z)
{
  for (int i = 0; i < n; i++)
    if (z[i] <= 0) z[i] = 0;
}

int ns_lcp_accept_direct(ns_lcp_work *k, const ns_lcp *p, const int *row, double *w, double *residual)
{
  for (int round = 0; *residual <= k->opt.tol; round++) {
    if (all_positive(p->n, k->z, k->in)) return 1;
    clip(p->n, k->z);
    memcpy(k->w, k->z, (size_t)p->n * sizeof *k->z);
    ns_lcp_support(p->n, k->z, k->in);
    if (round < 8 && !ns_lcp_on_support(k, p, row, w, residual) && *residual <= k->opt.tol) continue;
    memcpy(k->z, k->w, (size_t)p->n * sizeof *k->z);
    *residual = ns_lcp_work_residual(k, p, k->z, w);
    return *residual <= k->opt.tol && ns_lcp_credible(p, k->z, k->opt.tol);
  }
  return 0;
}

int ns_lcp_accept(ns_lcp_work *k, const ns_lcp *p, const int *row, double *w, double *residual)
{
  size_t bytes = (size_t)p->n * sizeof *k->z;
  clip(p->n, k->z);
  ns_lcp_support(p->n, k->z, k->in);
  memcpy(k->w, k->z, bytes);
  if (!ns_lcp_on_support(k, p, row, w, residual) && *residual <= k->opt.tol)
    return ns_lcp_accept_direct(k, p, row, w, residual);
  memcpy(k->z, k->w, bytes);
  *residual = ns_lcp_work_residual(k, p, k->z, w);
  return *residual <= k->opt.tol && ns_lcp_credible(p, k->z, k->opt.tol);
}

void ns_lcp_solved(const ns_lcp_work *k, const ns_lcp *p, double *z, double residual, int iterations,
                   const char *solver, ns_outcome *out)
{
  memcpy(z, k->z, (size_t)p->n * sizeof *z);
  *out = (ns_outcome){.kind = NS_SOLVED, .iterations = iterations, .residual = residual, .solver = solver};
}

void ns_lcp_failed(const ns_lcp *p, const double *z, double *w, ns_outcome_kind kind, int iterations,
                   const char *solver, ns_outcome *out)
{
  if (!ns_lcp_finite(p)) kind = NS_NOT_FINITE;
  *out = (ns_outcome){.kind = kind, .iterations = iterations, .residual = ns_lcp_residual(p, z, w), .solver = solver};
}
