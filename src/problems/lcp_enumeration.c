/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Enumeration of the 2^n supports, n <= 20: finds a solution whenever one is basic, whatever M is.
 *
 * First the support of the guess, then all in the order of their bit masks (bit i: row i), so the answer depends on the
 * problem and the guess alone. M_SS xi = -q_S by elimination with complete pivoting; where it is
 * singular but consistent the free unknowns are 0. Rows are scaled as in the residual. */
#include "problems/lcp_work.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MOST NS_LCP_ENUMERATION_MAX

struct ns_enumeration {
  double M[MOST * MOST], q[MOST], s[MOST]; /* scaled rows, column-major */
  double A[MOST * (MOST + 1)];             /* M_SS and the right-hand side, row-major */
  double x[MOST];
  int row[MOST], col[MOST];
};

int ns_enumeration_create(ns_lcp_work *k, ns_ctx *c, ns_enumeration **out)
{
  return ns_lcp_work_get(k, c, 1, sizeof **out, out);
}

static double *line(ns_enumeration *e, int i) { return e->A + (size_t)i * (MOST + 1); }

/* Bring the largest entry of the rest to (k,k); 0 where the rest is rounding. */
static int choose_pivot(ns_enumeration *e, int n, int k, double *largest)
{
  int pi = k, pj = k;
  double best = 0;
  for (int i = k; i < n; i++)
    for (int j = k; j < n; j++)
      if (fabs(line(e, i)[j]) > best) {
        best = fabs(line(e, i)[j]);
        pi = i;
        pj = j;
      }
  if (k == 0) *largest = best;
  if (!(best > 16 * n * DBL_EPSILON * *largest)) return 0;
  for (int j = 0; j <= MOST && pi != k; j++) {
    double t = line(e, k)[j];
    line(e, k)[j] = line(e, pi)[j];
    line(e, pi)[j] = t;
  }
  for (int i = 0; i < n && pj != k; i++) {
    double t = line(e, i)[k];
    line(e, i)[k] = line(e, i)[pj];
    line(e, i)[pj] = t;
  }
  int t = e->col[k];
  e->col[k] = e->col[pj];
  e->col[pj] = t;
  return 1;
}

/* xi of the support in `row`, n rows; x holds it by row of the support. */
static void eliminate(ns_enumeration *e, int n)
{
  int rank = 0;
  double largest = 0;
  for (; rank < n && choose_pivot(e, n, rank, &largest); rank++) {
    double *r = line(e, rank);
    for (int i = rank + 1; i < n; i++) {
      double *t = line(e, i), f = t[rank] / r[rank];
      for (int j = rank + 1; j < n; j++) t[j] -= f * r[j];
      t[MOST] -= f * r[MOST];
    }
  }
  for (int i = 0; i < n; i++) e->x[i] = 0;
  for (int i = rank - 1; i >= 0; i--) {
    double v = line(e, i)[MOST];
    for (int j = i + 1; j < rank; j++) v -= line(e, i)[j] * e->x[e->col[j]];
    e->x[e->col[i]] = v / line(e, i)[i];
  }
}

/* Solve on the support `mask`; 1 where signs and slacks are right within delta. z [n] */
static int fits(ns_enumeration *e, int n, unsigned mask, double delta, double *z)
{
  int ns = 0;
  for (int i = 0; i < n; i++)
    if (mask >> i & 1) e->row[ns++] = i;
  for (int a = 0; a < ns; a++) {
    double *t = line(e, a);
    for (int b = 0; b < ns; b++) t[b] = e->M[e->row[a] + e->row[b] * MOST];
    t[MOST] = -e->q[e->row[a]];
    e->col[a] = a;
  }
  eliminate(e, ns);
  for (int a = 0; a < ns; a++)
    if (!(e->x[a] >= -delta)) return 0;
  for (int i = 0; i < n; i++) {
    double w = e->q[i];
    for (int a = 0; a < ns; a++) w += e->M[i + e->row[a] * MOST] * e->x[a];
    if (!(mask >> i & 1 ? fabs(w) <= delta : w >= -delta)) return 0;
  }
  for (int i = 0; i < n; i++) z[i] = 0;
  for (int a = 0; a < ns; a++) z[e->row[a]] = e->x[a] > 0 ? e->x[a] : 0;
  return 1;
}

ns_outcome_kind ns_enumeration_run(ns_enumeration *e, ns_lcp_work *k, const ns_lcp *p, const int *row, const double *z,
                                   double *w, int *iterations, double *residual)
{
  int n = p->n;
  unsigned guess = 0;
  double qmax = 0;
  if (n > MOST) return NS_LIMIT;
  ns_lcp_fill(p, e->M, 1, MOST);
  ns_lcp_row_scales(p, e->s);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) e->M[i + j * MOST] /= e->s[i];
    e->q[i] = p->q[i] / e->s[i];
    qmax = fmax(qmax, fabs(e->q[i]));
    guess |= (unsigned)(z[i] > 0) << i;
  }
  double delta = 2 * k->opt.tol * (1 + qmax);
  for (unsigned m = 0; m <= 1u << n; m++) {
    if (ns_solve_over(p->watch)) return NS_LIMIT;
    unsigned mask = m == 0 ? guess : m - 1;
    if (m > 0 && mask == guess) continue;
    ++*iterations;
    if (fits(e, n, mask, delta, k->z) && ns_lcp_accept(k, p, row, w, residual)) return NS_SOLVED;
  }
  return NS_EXHAUSTED;
}

/* ---- as a solver of its own ---- */

typedef struct enumeration {
  ns_lcp_work *work;
  ns_enumeration *method;
} enumeration;

static void destroy(void *self)
{
  enumeration *s = self;
  if (s) ns_lcp_work_destroy(s->work);
}

static int create(ns_ctx *c, const ns_lcp_capacity *cap, const ns_lcp_options *opt, void **self)
{
  *self = NULL;
  ns_lcp_work *k = NULL;
  enumeration *s = NULL;
  if (cap->n > MOST)
    return ns_fail(c, NS_MODEL, "enumeration tries 2^n supports and takes at most %d unknowns; this problem has %d: use auto",
                   MOST, cap->n);
  int rc = ns_lcp_work_create(c, cap, opt, 1, &k);
  if (rc) return rc;
  if ((rc = ns_lcp_work_get(k, c, 1, sizeof *s, &s)) || (rc = ns_enumeration_create(k, c, &s->method))) {
    ns_lcp_work_destroy(k);
    return rc;
  }
  s->work = k;
  *self = s;
  return NS_OK;
}

static int solve(void *self, ns_ctx *c, const ns_lcp *p, const int *row, double *z, double *w, ns_outcome *out)
{
  enumeration *s = self;
  ns_lcp_work *k = s->work;
  int rc = ns_lcp_work_fits(k, c, p), iterations = 0;
  if (rc) return rc;
  double residual = INFINITY;
  ns_outcome_kind kind = NS_NOT_FINITE;
  if (ns_lcp_finite(p)) kind = ns_enumeration_run(s->method, k, p, row, z, w, &iterations, &residual);
  if (kind == NS_SOLVED) ns_lcp_solved(k, p, z, residual, iterations, "enumeration", out);
  else ns_lcp_failed(p, z, w, kind, iterations, "enumeration", out);
  return NS_OK;
}

const ns_lcp_solver_ops ns_lcp_enumerate = {
    .size = sizeof(ns_lcp_solver_ops),
    .name = "enumeration",
    .help = "all 2^n supports, at most 20 unknowns: any matrix, proves that there is no basic solution",
    .create = create,
    .solve = solve,
    .destroy = destroy,
    .memory = &ns_memory_none,
};
