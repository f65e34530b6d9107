/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Newton-min with three sets (primal-dual active set; Aganagic 1984, Pang 1990; for boxes Hintermueller, Ito & Kunisch
 * 2003):
 *
 *   solve on a state; then free rows beyond a bound go to it, rows at lb with w < 0 and rows at ub with w > 0 become
 *   free; until the residual is small.
 *
 * Plain, it can cycle: the states seen are remembered by a hash, and coming back to one ends the run. Guarded, as in
 * "auto", it goes on as long as the number of wrong rows falls, with some patience, and where M_FF is singular with a row
 * less. */
#include "problems/avi_work.h"

#define PATIENCE 2 /* steps that may pass without fewer wrong rows */
#define LARGE 64   /* rows from which none may: a step costs as much as many pivots */
#define DEFAULT_LIMIT 200

struct ns_avi_newton {
  uint64_t *seen; /* hashes of the states visited [limit] */
  int limit;
};

int ns_avi_newton_create(ns_avi_work *k, ns_ctx *c, ns_avi_newton **out)
{
  ns_avi_newton *a = NULL;
  int rc = ns_avi_work_get(k, c, 1, sizeof *a, &a);
  if (rc) return rc;
  a->limit = k->opt.max_iterations > 0 ? k->opt.max_iterations : DEFAULT_LIMIT;
  if ((rc = ns_avi_work_get(k, c, (size_t)a->limit, sizeof *a->seen, &a->seen))) return rc;
  *out = a;
  return NS_OK;
}

/* The sum over the rows of a number that belongs to the row and where it is (splitmix64). */
static uint64_t hash(int n, const signed char *at)
{
  uint64_t h = 0;
  for (int i = 0; i < n; i++) {
    uint64_t x = (3 * (uint64_t)i + (uint64_t)(at[i] + 2)) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    h += x ^ (x >> 31);
  }
  return h;
}

static int seen(ns_avi_newton *a, int count, uint64_t h)
{
  for (int i = 0; i < count; i++)
    if (a->seen[i] == h) return 1;
  a->seen[count] = h;
  return 0;
}

/* Where row i should go. */
static signed char better(const ns_avi *p, const signed char *at, const double *z, const double *w, int i)
{
  if (at[i] == NS_AVI_FREE)
    return (signed char)(z[i] < p->lb[i] ? NS_AVI_LOWER : z[i] > p->ub[i] ? NS_AVI_UPPER : NS_AVI_FREE);
  if (at[i] * w[i] > 0 && p->lb[i] < p->ub[i]) return NS_AVI_FREE;
  return at[i];
}

ns_outcome_kind ns_avi_newton_run(ns_avi_newton *a, ns_avi_work *k, const ns_avi *p, const double *z, double *w,
                                  int guarded, int limit, int *iterations, double *residual)
{
  int n = p->n, best = n + 1, most = n < LARGE ? PATIENCE : 0, patience = most;
  if (limit > a->limit) limit = a->limit;
  for (int i = 0; i < n; i++) k->at[i] = ns_avi_state(z[i], p->lb[i], p->ub[i]);
  for (int it = 0; it < limit && !ns_solve_over(p->watch); it++) {
    ++*iterations;
    int singular = ns_avi_on_state(k, p, w, residual);
    for (int drop = 0; singular && guarded && drop < n && ns_avi_drop(k, p); drop++)
      singular = ns_avi_on_state(k, p, w, residual);
    if (singular) return NS_SINGULAR;
    if (*residual <= k->opt.tol) return NS_SOLVED;
    if (seen(a, it, hash(n, k->at))) return NS_LIMIT;
    int count = 0;
    for (int i = 0; i < n; i++) count += better(p, k->at, k->z, w, i) != k->at[i];
    if (count == 0) return NS_SINGULAR; /* the right state, badly solved; or NaN */
    if (count < best) {
      best = count;
      patience = most;
    } else patience--;
    if (guarded && patience < 0) return NS_LIMIT;
    for (int i = 0; i < n; i++) k->at[i] = better(p, k->at, k->z, w, i);
  }
  return NS_LIMIT;
}

/* ---- as a solver of its own: the plain form ---- */

static int create_own(ns_avi_work *k, ns_ctx *c, void **own)
{
  ns_avi_newton *a = NULL;
  int rc = ns_avi_newton_create(k, c, &a);
  *own = a;
  return rc;
}

static ns_outcome_kind run(void *own, ns_avi_work *k, const ns_avi *p, const double *z, double *w, int *iterations, double *residual)
{
  ns_avi_newton *a = own;
  ns_outcome_kind kind = ns_avi_newton_run(a, k, p, z, w, 0, a->limit, iterations, residual);
  if (kind != NS_SOLVED) return kind;
  return ns_avi_accept_direct(k, p, w, residual) ? NS_SOLVED : NS_SINGULAR;
}

static const ns_avi_method method = {"newton-min", &ns_lcp_newton_min, create_own, run};

static int create(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, void **self)
{
  return ns_avi_method_create(c, cap, opt, &method, self);
}

const ns_avi_solver_ops ns_avi_newton_min = {
    .size = sizeof(ns_avi_solver_ops),
    .name = "newton-min",
    .help = "primal-dual active set with three sets from the state of the guess; may cycle (it then says so)",
    .create = create,
    .solve = ns_avi_method_solve,
    .destroy = ns_avi_object_destroy,
    .memory = &ns_memory_none,
};
