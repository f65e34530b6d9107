/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projected Gauss-Seidel, with relaxation projected SOR, on a box (Cryer 1971):
 *
 *   for each row i:  z_i = proj_[lb_i,ub_i](z_i - omega w_i / M_ii),  w with the newest z.
 *
 * As lcp_pgs.c; free rows are not projected. Needs M_ii > 0 where there is a bound and M_ii != 0 elsewhere. */
#include "problems/avi_work.h"

#define DEFAULT_LIMIT 10000

static int diagonal_fits(const ns_avi_work *k, const ns_avi *p)
{
  for (int i = 0; i < p->n; i++) {
    double d = k->M[(size_t)i * ((size_t)k->ld + 1)];
    int none = p->lb[i] == -INFINITY && p->ub[i] == INFINITY;
    if (!(d > 0) && !(none && d != 0) && p->lb[i] < p->ub[i]) return 0;
  }
  return 1;
}

/* w = M z + q is kept up to date column by column. */
static void sweep(const ns_avi_work *k, const ns_avi *p, double *z, double *w)
{
  for (int i = 0; i < p->n; i++) {
    if (p->lb[i] == p->ub[i]) continue;
    const double *m = k->M + (size_t)i * (size_t)k->ld;
    double to = z[i] - k->opt.omega * w[i] / m[i], d;
    to = to > p->lb[i] ? to : p->lb[i];
    to = to < p->ub[i] ? to : p->ub[i];
    d = to - z[i];
    z[i] = to;
    if (d == 0) continue;
    for (int j = 0; j < p->n; j++) w[j] += m[j] * d;
  }
}

ns_outcome_kind ns_avi_pgs_run(ns_avi_work *k, const ns_avi *p, const double *z, double *w, int limit, int *iterations,
                               double *residual)
{
  memcpy(k->z, z, (size_t)p->n * sizeof *z);
  ns_avi_clip(p, k->z);
  if (!diagonal_fits(k, p)) return NS_SINGULAR;
  *residual = ns_avi_residual_kept(k, p, k->z, w);
  for (int it = 1; it <= limit && !ns_solve_over(p->watch); it++) {
    if (*residual <= k->opt.tol) return NS_SOLVED;
    if (!isfinite(*residual)) return NS_LIMIT;
    ++*iterations;
    sweep(k, p, k->z, w);
    if (it < 20 || it % 10 == 0 || it == limit) *residual = ns_avi_residual_kept(k, p, k->z, w);
  }
  return *residual <= k->opt.tol ? NS_SOLVED : NS_LIMIT;
}

/* ---- as a solver of its own ---- */

static ns_outcome_kind run(void *own, ns_avi_work *k, const ns_avi *p, const double *z, double *w, int *iterations, double *residual)
{
  int limit = k->opt.max_iterations;
  (void)own;
  return ns_avi_pgs_run(k, p, z, w, limit > 0 ? limit : DEFAULT_LIMIT, iterations, residual);
}

static const ns_avi_method method = {"pgs", &ns_lcp_pgs, NULL, run};

static int create(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, void **self)
{
  *self = NULL;
  if (opt && !(opt->omega > 0 && opt->omega < 2))
    return ns_fail(c, NS_MODEL, "pgs: omega is %g, it must lie between 0 and 2", opt->omega);
  return ns_avi_method_create(c, cap, opt, &method, self);
}

const ns_avi_solver_ops ns_avi_pgs = {
    .size = sizeof(ns_avi_solver_ops),
    .name = "pgs",
    .help = "projected Gauss-Seidel (omega = 1) or SOR; accurate to its tolerance only",
    .create = create,
    .solve = ns_avi_method_solve,
    .destroy = ns_avi_object_destroy,
    .memory = &ns_memory_none,
};
