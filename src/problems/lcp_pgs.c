/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projected Gauss-Seidel, with relaxation projected SOR (Cryer 1971):
 *
 *   for each row i:  z_i = max(0, z_i - omega w_i / M_ii),  w with the newest z.
 *
 * Converges for symmetric positive definite M with 0 < omega < 2 and for strictly diagonally dominant
 * ones with omega <= 1, slowly where M is ill conditioned. Needs a positive diagonal. A sweep costs one product with M. The
 * residual is tested after each of the first sweeps, then at every tenth. */
#include "problems/lcp_work.h"

#include <math.h>
#include <string.h>

#define DEFAULT_LIMIT 10000

/* w = M z + q is kept up to date column by column; how many of them were added. */
static int sweep_dense(const ns_lcp *p, double omega, double *z, double *w)
{
  int added = 0;
  for (int i = 0; i < p->n; i++) {
    const double *m = p->dense + (size_t)i * (size_t)p->ld;
    double to = z[i] - omega * w[i] / m[i], d;
    to = to > 0 ? to : 0;
    d = to - z[i];
    z[i] = to;
    if (d == 0) continue;
    for (int j = 0; j < p->n; j++) w[j] += m[j] * d;
    added++;
  }
  return added;
}

/* Row r of block row i, times z. */
static double row_product(const ns_blocks *A, int i, int r, const double *z)
{
  double s = 0;
  int m = A->dim[i];
  for (int k = A->row[i]; k < A->row[i + 1]; k++) {
    int j = A->col[k];
    const double *b = A->val + A->off[k] + r, *x = z + A->first[j];
    for (int c = 0; c < A->dim[j]; c++, b += m) s += *b * x[c];
  }
  return s;
}

static void sweep_blocks(const ns_lcp *p, double omega, const double *diagonal, double *z)
{
  const ns_blocks *A = p->blocks;
  for (int i = 0; i < A->nb; i++)
    for (int r = 0; r < A->dim[i]; r++) {
      int at = A->first[i] + r;
      double to = z[at] - omega * (p->q[at] + row_product(A, i, r, z)) / diagonal[at];
      z[at] = to > 0 ? to : 0;
    }
}

static int diagonal_of(const ns_lcp *p, double *d)
{
  int positive = 1;
  if (p->blocks) {
    const ns_blocks *A = p->blocks;
    for (int i = 0; i < A->nb; i++) {
      const double *b = ns_blocks_at(A, i, i);
      for (int r = 0; r < A->dim[i]; r++) d[A->first[i] + r] = b ? b[r + r * A->dim[i]] : 0;
    }
  } else
    for (int i = 0; i < p->n; i++) d[i] = p->dense[(size_t)i + (size_t)i * (size_t)p->ld];
  for (int i = 0; i < p->n; i++) positive &= d[i] > 0;
  return positive;
}

ns_outcome_kind ns_pgs_run(ns_lcp_work *k, const ns_lcp *p, const double *z, double *w, int limit, int *iterations,
                           double *residual)
{
  for (int i = 0; i < p->n; i++) k->z[i] = z[i] > 0 ? z[i] : 0;
  if (!diagonal_of(p, k->b)) return NS_SINGULAR;
  *residual = ns_lcp_residual(p, k->z, w);
  for (int it = 1; it <= limit && !ns_solve_over(p->watch); it++) {
    ns_solve_see(p->watch, p->q, *residual, p->n, k->z);
    if (*residual <= k->opt.tol) return NS_SOLVED;
    if (!isfinite(*residual)) return NS_LIMIT;
    ++*iterations;
    if (p->dense) sweep_dense(p, k->opt.omega, k->z, w);
    else sweep_blocks(p, k->opt.omega, k->b, k->z);
    if (it < 20 || it % 10 == 0 || it == limit) *residual = ns_lcp_residual(p, k->z, w);
  }
  return *residual <= k->opt.tol ? NS_SOLVED : NS_LIMIT;
}

/* Sweeps that the rate from e0 to e in `count` of them foretells until tol. */
static double foretold(double e0, double e, int count, double tol)
{
  if (!(e < e0) || !(e > 0)) return INFINITY;
  return count * log(tol / e) / log(e / e0);
}

ns_outcome_kind ns_pgs_trial(ns_lcp_work *k, const ns_lcp *p, const double *z, double *w, int *iterations,
                             double *residual)
{
  enum { AT_A_TIME = 4, LEAST = 24 }; /* residuals; sweeps by which the rate is judged */
  double n = p->n, tol = NS_LCP_CLOSER * k->opt.tol;
  double budget = n * fmax(n, LEAST); /* columns; worth three steps of newton-min */
  for (int i = 0; i < p->n; i++) k->z[i] = z[i] > 0 ? z[i] : 0;
  if (!diagonal_of(p, k->b)) return NS_SINGULAR;
  double mark = *residual = ns_lcp_residual(p, k->z, w), since = budget;
  for (int it = AT_A_TIME; budget > 0 && isfinite(*residual) && !ns_solve_over(p->watch); it += AT_A_TIME) {
    double cost = n; /* of the residual */
    for (int sweep = 0; sweep < AT_A_TIME; sweep++) {
      if (p->dense) cost += sweep_dense(p, 1, k->z, w);
      else sweep_blocks(p, 1, k->b, k->z);
    }
    if (!p->dense) cost += AT_A_TIME * n;
    budget -= cost;
    *iterations += AT_A_TIME;
    *residual = ns_lcp_residual(p, k->z, w);
    ns_solve_see(p->watch, p->q, *residual, p->n, k->z);
    if (*residual <= tol) return NS_SOLVED;
    if (it % LEAST) continue;
    int cheap = since - budget < LEAST * n / 2; /* few rows move any more: these may take their time */
    if (!cheap && foretold(mark, *residual, 1, tol) * (since - budget) > 8 * budget) break;
    mark = *residual;
    since = budget;
  }
  return *residual <= k->opt.tol ? NS_SOLVED : NS_LIMIT;
}

typedef struct pgs {
  ns_lcp_work *work;
} pgs;

static void destroy(void *self)
{
  pgs *s = self;
  if (s) ns_lcp_work_destroy(s->work);
}

static int create(ns_ctx *c, const ns_lcp_capacity *cap, const ns_lcp_options *opt, void **self)
{
  *self = NULL;
  ns_lcp_work *k = NULL;
  pgs *s = NULL;
  if (opt && !(opt->omega > 0 && opt->omega < 2))
    return ns_fail(c, NS_MODEL, "pgs: omega is %g, it must lie between 0 and 2", opt->omega);
  int rc = ns_lcp_work_create(c, cap, opt, 0, &k);
  if (rc) return rc;
  if ((rc = ns_lcp_work_get(k, c, 1, sizeof *s, &s))) {
    ns_lcp_work_destroy(k);
    return rc;
  }
  s->work = k;
  *self = s;
  return NS_OK;
}

static int solve(void *self, ns_ctx *c, const ns_lcp *p, const int *row, double *z, double *w, ns_outcome *out)
{
  (void)row;
  pgs *s = self;
  ns_lcp_work *k = s->work;
  int rc = ns_lcp_work_fits(k, c, p), iterations = 0, limit = k->opt.max_iterations;
  if (rc) return rc;
  double residual = INFINITY;
  ns_outcome_kind kind = ns_pgs_run(k, p, z, w, limit > 0 ? limit : DEFAULT_LIMIT, &iterations, &residual);
  if (kind == NS_SOLVED) ns_lcp_solved(k, p, z, residual, iterations, "pgs", out);
  else ns_lcp_failed(p, z, w, kind, iterations, "pgs", out);
  return NS_OK;
}

const ns_lcp_solver_ops ns_lcp_pgs = {
    .size = sizeof(ns_lcp_solver_ops),
    .name = "pgs",
    .help = "projected Gauss-Seidel (omega = 1) or SOR; any size, accurate to its tolerance only",
    .create = create,
    .solve = solve,
    .destroy = destroy,
    .memory = &ns_memory_none,
};
