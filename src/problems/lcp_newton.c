/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Newton-min, or primal-dual active set (Aganagic 1984; Pang 1990):
 *
 *   solve on S; then S = rows of S with z_i > 0 and other rows with w_i < 0; until the residual is small.
 *
 * Each step is one direct solve on a support, so this is the method for large sparse problems, and the quick one where
 * the guess is nearly right. Finite for M-matrices (Hintermueller, Ito & Kunisch 2003); on other
 * P-matrices the plain form can cycle from n = 3 on (Ben Gharbia & Gilbert 2012): the supports seen are
 * remembered by a hash of 64 bits, and coming back to one ends the run.
 *
 * The guarded form, used by "auto", is block principal pivoting (Judice & Pires 1994): all rows change sides
 * as long as the number of wrong ones falls, with some patience; after that only the last wrong row does
 * (Murty 1974), until the number is below its best. That is finite for every P-matrix; up to SMALL rows, where pivoting
 * is cheap, it gives up there instead, but for guarded = 2. Where a support is singular (redundant contacts) it goes on
 * with a basis of it. */
#include "problems/lcp_work.h"

#include <math.h>
#include <string.h>

#define PATIENCE 5
#define SMALL 128         /* rows up to which a pivoting method is at hand: the guarded form then gives up early */
#define PATIENCE_SMALL 2
#define DEFAULT_LIMIT 200

struct ns_newton {
  uint64_t *seen; /* hashes of the supports visited [limit] */
  int limit;
};

int ns_newton_create(ns_lcp_work *k, ns_ctx *c, ns_newton **out)
{
  ns_newton *a = NULL;
  int rc = ns_lcp_work_get(k, c, 1, sizeof *a, &a);
  if (rc) return rc;
  a->limit = k->opt.max_iterations > 0 ? k->opt.max_iterations : DEFAULT_LIMIT;
  if ((rc = ns_lcp_work_get(k, c, (size_t)a->limit, sizeof *a->seen, &a->seen))) return rc;
  *out = a;
  return NS_OK;
}

/* The sum over the rows of S of a number that belongs to the row (splitmix64). */
static uint64_t hash(int n, const unsigned char *in)
{
  uint64_t h = 0;
  for (int i = 0; i < n; i++) {
    uint64_t x = ((uint64_t)i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    h += in[i] ? x ^ (x >> 31) : 0;
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

static int wrong(const unsigned char *in, const double *z, const double *w, int i) { return in[i] ? z[i] < 0 : w[i] < 0; }

/* Rows on the wrong side, and the last of them. */
static int count_wrong(int n, const unsigned char *in, const double *z, const double *w, int *last)
{
  int count = 0;
  for (int i = 0; i < n; i++)
    if (wrong(in, z, w, i)) {
      count++;
      *last = i;
    }
  return count;
}

ns_outcome_kind ns_newton_run(ns_newton *a, ns_lcp_work *k, const ns_lcp *p, const int *row, const double *z, double *w,
                              int guarded, int limit, int *iterations, double *residual)
{
  int n = p->n, best = n + 1, small = guarded == 1 && n <= SMALL, most = small ? PATIENCE_SMALL : PATIENCE, patience = most;
  if (limit > a->limit && guarded < 2) limit = a->limit;
  ns_lcp_support(n, z, k->in);
  for (int it = 0; it < limit && !ns_solve_over(p->watch); it++) {
    ++*iterations;
    int singular = ns_lcp_on_support(k, p, row, w, residual);
    for (int drop = 0; singular && guarded && drop < n && ns_lcp_drop(k, p, row); drop++)
      singular = ns_lcp_on_support(k, p, row, w, residual);
    if (singular) return NS_SINGULAR;
    if (*residual <= k->opt.tol) return NS_SOLVED;
    if ((!guarded || small) && seen(a, it, hash(n, k->in))) return NS_LIMIT;
    int last = -1, count = count_wrong(n, k->in, k->z, w, &last);
    if (count == 0) return NS_SINGULAR; /* the right support, badly solved; or NaN */
    if (count < best) {
      best = count;
      patience = most;
    } else patience--;
    if (small && patience < 0) return NS_LIMIT;
    if (guarded && patience < 0) k->in[last] ^= 1;
    else
      for (int i = 0; i < n; i++) k->in[i] ^= (unsigned char)wrong(k->in, k->z, w, i);
  }
  return NS_LIMIT;
}

/* ---- proximal steps for semidefinite matrices ---- */

#define RHO 1e-7   /* of the largest entry of the row */
#define PROXIMAL 30 /* steps at most */

/* Rows on the wrong side by more than rounding: delta in units of z. */
static int far_wrong(const ns_lcp_work *k, int i, double wi, double delta)
{
  return k->in[i] ? k->x[i] < -delta : wi < -delta * k->s[i];
}

/* x: LCP(M + R, q - R z), R = diag(add), by guarded newton-min on k->in. */
static int proximal_step(ns_lcp_work *k, const ns_lcp *p, const int *row, double *w, double delta, int limit,
                         int *iterations)
{
  int n = p->n, best = n + 1, patience = PATIENCE;
  for (int it = 0; it < limit && !ns_solve_over(p->watch); it++) {
    ++*iterations;
    for (int i = 0; i < n; i++) k->w[i] = p->q[i] - k->add[i] * k->z[i];
    if (ns_lcp_direct(k, p, row, k->in, k->w, k->add, k->x)) return 1;
    ns_lcp_residual(p, k->x, w);
    int count = 0, last = 0;
    for (int i = 0; i < n; i++) {
      k->w[i] = w[i] + k->add[i] * (k->x[i] - k->z[i]);
      if (far_wrong(k, i, k->w[i], delta)) {
        count++;
        last = i;
      }
    }
    if (count == 0) return 0;
    if (count < best) {
      best = count;
      patience = PATIENCE;
    } else patience--;
    if (patience < 0) k->in[last] ^= 1;
    else
      for (int i = 0; i < n; i++) k->in[i] ^= (unsigned char)far_wrong(k, i, k->w[i], delta);
  }
  return 1;
}

ns_outcome_kind ns_proximal_run(ns_lcp_work *k, const ns_lcp *p, const int *row, const double *z, double *w, int limit,
                                int *iterations, double *residual)
{
  int n = p->n;
  double qmax = 0;
  ns_lcp_row_scales(p, k->s);
  for (int i = 0; i < n; i++) {
    k->add[i] = RHO * k->s[i];
    qmax = fmax(qmax, fabs(p->q[i]) / k->s[i]);
    k->z[i] = z[i] > 0 ? z[i] : 0;
  }
  double delta = 0.1 * k->opt.tol * (1 + qmax);
  ns_lcp_support(n, k->z, k->in);
  for (int step = 0; step < PROXIMAL; step++) {
    if (proximal_step(k, p, row, w, delta, limit, iterations)) return NS_LIMIT;
    for (int i = 0; i < n; i++) k->z[i] = k->x[i] > 0 ? k->x[i] : 0;
    *residual = ns_lcp_residual(p, k->z, w);
    if (*residual <= k->opt.tol) return NS_SOLVED;
  }
  return NS_LIMIT;
}

/* ---- as a solver of its own: the plain form ---- */

typedef struct newton {
  ns_lcp_work *work;
  ns_newton *method;
} newton;

static void destroy(void *self)
{
  newton *s = self;
  if (s) ns_lcp_work_destroy(s->work);
}

static int create(ns_ctx *c, const ns_lcp_capacity *cap, const ns_lcp_options *opt, void **self)
{
  *self = NULL;
  ns_lcp_work *k = NULL;
  newton *s = NULL;
  int rc = ns_lcp_work_create(c, cap, opt, 1, &k);
  if (rc) return rc;
  if ((rc = ns_lcp_work_get(k, c, 1, sizeof *s, &s)) || (rc = ns_newton_create(k, c, &s->method))) {
    ns_lcp_work_destroy(k);
    return rc;
  }
  s->work = k;
  *self = s;
  return NS_OK;
}

static int solve(void *self, ns_ctx *c, const ns_lcp *p, const int *row, double *z, double *w, ns_outcome *out)
{
  newton *s = self;
  ns_lcp_work *k = s->work;
  int rc = ns_lcp_work_fits(k, c, p), iterations = 0;
  if (rc) return rc;
  double residual = INFINITY;
  ns_outcome_kind kind = ns_newton_run(s->method, k, p, row, z, w, 0, s->method->limit, &iterations, &residual);
  if (kind == NS_SOLVED && ns_lcp_accept_direct(k, p, row, w, &residual))
    ns_lcp_solved(k, p, z, residual, iterations, "newton-min", out);
  else ns_lcp_failed(p, z, w, kind == NS_SOLVED ? NS_SINGULAR : kind, iterations, "newton-min", out);
  return NS_OK;
}

const ns_lcp_solver_ops ns_lcp_newton_min = {
    .size = sizeof(ns_lcp_solver_ops),
    .name = "newton-min",
    .help = "primal-dual active set from the support of the guess; dense and sparse, may cycle (it then says so)",
    .create = create,
    .solve = solve,
    .destroy = destroy,
    .memory = &ns_memory_none,
};
