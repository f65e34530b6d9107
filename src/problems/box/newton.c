/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Newton-min, or primal-dual active set (Aganagic 1984; Pang 1990; for boxes Hintermueller, Ito &
 * Kunisch 2003):
 *
 *   solve on a state; then free rows beyond a bound go to it, rows at lb with w < 0 and rows at ub
 *   with w > 0 become
 *   free; until the residual is small.
 *
 * Each step is one direct solve on a state, so this is the method for large sparse problems, and
 * the quick one where the guess is nearly right. Finite for M-matrices (Hintermueller, Ito &
 * Kunisch 2003); on other P-matrices the plain form can cycle from n = 3 on (Ben Gharbia & Gilbert
 * 2012): the states seen are remembered by a hash of 64 bits, and coming back to one ends the run.
 *
 * The guarded form, used by "auto", is block principal pivoting (Judice & Pires 1994): all rows
 * change sides as long as the number of wrong ones falls, with some patience; after that only the
 * last wrong row does (Murty 1974), until the number is below its best. That is finite for every
 * P-matrix. Where a pivoting method is at hand, up to SMALL rows and with bounds, it gives up there
 * instead, but for NS_NEWTON_PATIENT. Where a state is singular (redundant contacts) it goes on
 * with a basis of it. */
#include "problems/box/work.h"

#define PATIENCE 5
#define SMALL 128 /* rows of an LCP up to which the guarded form gives up early */
#define PATIENCE_SMALL 2
#define LARGE \
  64 /* rows with bounds from which it has no patience: a step costs as much as many pivots */
#define DEFAULT_LIMIT 200
#define SINGULAR 1e-10 /* pivots below this, of the largest, are rounding */

struct ns_newton {
  uint64_t *seen; /* hashes of the states visited [limit] */
  int limit;
};

int ns_newton_create(ns_box_work *k, ns_ctx *c, ns_newton **out)
{
  ns_newton *a = NULL;
  int limit = k->opt.max_iterations > 0 ? k->opt.max_iterations : DEFAULT_LIMIT;
  uint64_t *seen = NULL;
  const ns_array want[] = {{&a, 1, sizeof *a}, {&seen, (size_t)limit, sizeof *seen}};
  int rc = NS_BOX_GET(k, c, want);
  if (rc) return rc;
  *a = (ns_newton){.seen = seen, .limit = limit};
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

static int seen(ns_newton *a, int count, uint64_t h)
{
  for (int i = 0; i < count; i++)
    if (a->seen[i] == h) return 1;
  a->seen[count] = h;
  return 0;
}

/* Where row i should go. */
static inline signed char better(const ns_box_work *k, const ns_box *p, const double *w, int i)
{
  signed char at = k->at[i];
  double lb = ns_box_lower(k, p, i), ub = ns_box_upper(k, p, i);
  if (at != NS_BOX_FREE) return at * w[i] > 0 && lb < ub ? NS_BOX_FREE : at;
  if (k->z[i] < lb) return NS_BOX_LOWER;
  return (signed char)(k->z[i] > ub ? NS_BOX_UPPER : NS_BOX_FREE);
}

/* Rows on the wrong side, and the last of them. */
static int count_wrong(const ns_box_work *k, const ns_box *p, const double *w, int *last)
{
  int count = 0;
  for (int i = 0; i < p->n; i++)
    if (better(k, p, w, i) != k->at[i]) {
      count++;
      *last = i;
    }
  return count;
}

/* After a direct solve that ended so; guarded: with rows less where it is singular. 0, or
 * singular. */
static int drop_rows(ns_box_work *k, const ns_box *p, const int *row, double *w, int singular,
                     double *residual)
{
  for (int drop = 0; singular && drop < p->n && ns_box_drop(k, p, row); drop++)
    singular = ns_box_on_state(k, p, row, w, residual);
  return singular;
}

int ns_newton_is_singular(const ns_box_work *k)
{
  double min = INFINITY, max = 0;
  for (int i = 0; i < k->nf; i++) {
    double pivot = fabs(k->F[(size_t)i * ((size_t)k->nf + 1)]);
    min = fmin(min, pivot);
    max = fmax(max, pivot);
  }
  if (k->kind == NS_BOX_CHOLESKY) return min * min <= SINGULAR * max * max;
  return min <= SINGULAR * max;
}

/* On from a direct solve that was no solution, or singular. */
static ns_outcome_kind search(ns_newton *a, ns_box_work *k, const ns_box *p, const int *row,
                              double *w, ns_newton_guard guard, int limit, int singular,
                              int *iterations, double *residual)
{
  int n = p->n, best = n + 1, early = guard == NS_NEWTON_GUARDED && (k->boxed || n <= SMALL);
  int max = early ? PATIENCE_SMALL : PATIENCE,
      plain = guard == NS_NEWTON_UNGUARDED || guard == NS_NEWTON_REGULAR;
  if (k->boxed && n >= LARGE) max = 0;
  int patience = max;
  if (limit > a->limit && guard != NS_NEWTON_PATIENT) limit = a->limit;
  for (int it = 0;; singular = ns_box_on_state(k, p, row, w, residual)) {
    if (singular && (plain || drop_rows(k, p, row, w, singular, residual))) return NS_SINGULAR;
    if (*residual <= k->opt.tol) return NS_SOLVED;
    if (guard == NS_NEWTON_REGULAR && ns_newton_is_singular(k)) return NS_SINGULAR;
    if ((plain || early) && seen(a, it, hash(n, k->at))) return NS_LIMIT;
    int last = -1, count = count_wrong(k, p, w, &last);
    if (count == 0) return NS_SINGULAR; /* the right state, badly solved; or NaN */
    if (count < best) {
      best = count;
      patience = max;
    } else patience--;
    if (early && patience < 0) return NS_LIMIT;
    if (!plain && patience < 0) k->at[last] = better(k, p, w, last);
    else
      for (int i = 0; i < n; i++) k->at[i] = better(k, p, w, i);
    if (++it >= limit || ns_solve_over(p->watch)) return NS_LIMIT;
    ++*iterations;
  }
}

/* In a simulation the state of the guess is that of the solution in most steps. */
ns_outcome_kind ns_newton_run(ns_newton *a, ns_box_work *k, const ns_box *p, const int *row,
                              const double *z, double *w, ns_newton_guard guard, int limit,
                              int *iterations, double *residual)
{
  ns_box_state_of(k, p, z, k->at);
  if (ns_solve_over(p->watch)) return NS_LIMIT;
  ++*iterations;
  int singular = ns_box_on_state(k, p, row, w, residual);
  if (!singular && *residual <= k->opt.tol) return NS_SOLVED;
  return search(a, k, p, row, w, guard, limit, singular, iterations, residual);
}

/* ---- as a solver of its own: the plain form -------------------------------------------------- */

static int create_own(ns_box_work *k, ns_ctx *c, const ns_box_capacity *cap, void **own)
{
  (void)cap;
  ns_newton *a = NULL;
  int rc = ns_newton_create(k, c, &a);
  *own = a;
  return rc;
}

static ns_outcome_kind run(void *own, ns_box_work *k, const ns_box *p, const int *row,
                           const double *z, double *w, int *iterations, double *residual)
{
  ns_newton *a = own;
  ns_outcome_kind kind = ns_newton_run(a, k, p, row, z, w, NS_NEWTON_UNGUARDED, a->limit,
                                       iterations, residual);
  if (kind != NS_SOLVED) return kind;
  return ns_box_accept_direct(k, p, row, w, residual) ? NS_SOLVED : NS_SINGULAR;
}

static const ns_box_method method = {
    .name = "newton-min", .direct = 1, .any = 1, .create = create_own, .run = run};

static int create(ns_ctx *c, const ns_box_capacity *cap, const ns_lcp_options *opt, void **self)
{
  return ns_box_method_create(c, cap, opt, &method, self);
}

const ns_box_solver_ops ns_box_newton_min = {
    .name = "newton-min",
    .help = "primal-dual active set from the support of the guess; dense and sparse, may cycle, "
            "which it reports",
    .create = create,
    .solve = ns_box_method_solve,
    .destroy = ns_box_method_destroy,
    .memory = &ns_memory_none,
};
