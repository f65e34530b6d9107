/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Semismooth Newton on the Fischer-Burmeister function with line search (Fischer 1992; De Luca, Facchinei &
 * Kanzow 1996).
 *
 *   phi(a,b) = sqrt(a^2 + b^2) - a - b,  Phi_i = phi(z_i, b_i),  Psi = |Phi|^2 / 2,  b_i = w_i / s_i
 *   H = D_a + D_b S^-1 M,  H d = -Phi;  descent is enforced with the gradient H^T Phi.
 *
 * s_i is the largest entry of row i (the measure of the residual). Where z_i = b_i = 0, H is taken in the limit
 * along v = 1 on these rows, which is an element of the B-subdifferential. Large sparse problems: the
 * factors of H come from sparse_factor (no pivoting: for a P-matrix M no pivot of H vanishes). */
#include "problems/lcp_work.h"

#include "algebra/dense.h"
#include "algebra/vector.h"

#include <math.h>
#include <string.h>

#define DEFAULT_LIMIT 200
#define PATIENCE 12 /* steps without a better residual than the best one */

struct ns_fischer {
  double *H;   /* [ndense^2] */
  int *piv;    /* [ndense] */
  ns_sparse_factor *sparse; /* NULL without a structure */
  double *s, *w, *phi, *a, *b, *d, *g, *try; /* [n] */
  double *best; /* iterate of the smallest residual [n] */
};

int ns_fischer_create(ns_lcp_work *k, ns_ctx *c, const ns_lcp_capacity *cap, ns_fischer **out)
{
  ns_fischer *f = NULL;
  size_t n = (size_t)k->n, nd = (size_t)k->ndense;
  int rc = ns_lcp_work_get(k, c, 1, sizeof *f, &f);
  if (rc) return rc;
  memset(f, 0, sizeof *f);
  double **vector[] = {&f->s, &f->w, &f->phi, &f->a, &f->b, &f->d, &f->g, &f->try, &f->best};
  for (size_t i = 0; i < sizeof vector / sizeof *vector && !rc; i++)
    rc = ns_lcp_work_get(k, c, n, sizeof(double), vector[i]);
  if (rc || (rc = ns_lcp_work_get(k, c, nd * nd, sizeof(double), &f->H)) ||
      (rc = ns_lcp_work_get(k, c, nd, sizeof(int), &f->piv)))
    return rc;
  if (cap->structure && (rc = ns_sparse_factor_create(c, cap->structure, 0, &f->sparse))) return rc;
  *out = f;
  return NS_OK;
}

void ns_fischer_destroy(ns_fischer *f)
{
  if (f) ns_sparse_factor_destroy(f->sparse);
}

/* sqrt(a^2+b^2) - a - b without cancellation where a + b > 0. */
static double phi(double a, double b)
{
  double r = hypot(a, b);
  return a + b > 0 ? (r + a + b > 0 ? -2 * a * b / (r + a + b) : 0) : r - a - b;
}

void ns_fischer_diagonals(int n, const double *z, const double *b, const double *c, double *da, double *db)
{
  for (int i = 0; i < n; i++) {
    double x = z[i], y = b[i];
    if (x == 0 && y == 0) {
      x = 1;
      y = c[i];
    }
    double r = hypot(x, y);
    da[i] = x / r - 1;
    db[i] = y / r - 1;
  }
}

/* Phi and Psi at z; w = M z + q, b = w / s. */
static double merit(const ns_fischer *f, const ns_lcp *p, const double *z, double *w, double *out)
{
  double sum = 0;
  ns_lcp_residual(p, z, w);
  for (int i = 0; i < p->n; i++) {
    out[i] = phi(z[i], w[i] / f->s[i]);
    sum += out[i] * out[i];
  }
  return 0.5 * sum;
}

/* Da, Db (the latter over s) at z. */
static void linearise(ns_fischer *f, const ns_lcp *p, const double *z)
{
  int n = p->n, corner = 0;
  for (int i = 0; i < n; i++) {
    f->g[i] = f->w[i] / f->s[i];
    f->a[i] = z[i] == 0 && f->w[i] == 0;
    corner |= f->a[i] > 0;
  }
  if (corner) {
    ns_lcp_times(p, 0, f->a, f->d);
    for (int i = 0; i < n; i++) f->d[i] /= f->s[i];
  }
  ns_fischer_diagonals(n, z, f->g, f->d, f->a, f->b);
  for (int i = 0; i < n; i++) f->b[i] /= f->s[i];
}

/* d = -H^-1 Phi; 0, or > 0 where H is singular. */
static int newton_direction(ns_fischer *f, ns_lcp_work *k, const ns_lcp *p, const int *row)
{
  int n = p->n;
  for (int i = 0; i < n; i++) f->d[i] = -f->phi[i];
  if (p->blocks && n > k->small) {
    int rc = ns_sparse_factor_numeric(f->sparse, p->blocks, row, NULL, f->b, f->a);
    if (!rc) ns_sparse_factor_solve(f->sparse, f->d);
    return rc;
  }
  size_t ld = (size_t)n;
  ns_lcp_fill(p, f->H, 1, ld);
  for (size_t j = 0; j < ld; j++) {
    for (size_t i = 0; i < ld; i++) f->H[i + j * ld] *= f->b[i];
    f->H[j + j * ld] += f->a[j];
  }
  int rc = ns_dense_lu(n, f->H, n, f->piv);
  if (!rc) ns_dense_lu_solve(n, f->H, n, f->piv, 1, f->d, n);
  return rc;
}

/* g = H^T Phi = Da Phi + M^T Db Phi */
static void gradient(ns_fischer *f, const ns_lcp *p)
{
  for (int i = 0; i < p->n; i++) f->try[i] = f->b[i] * f->phi[i];
  ns_lcp_times(p, 1, f->try, f->g);
  for (int i = 0; i < p->n; i++) f->g[i] += f->a[i] * f->phi[i];
}

/* Step along d until Psi falls enough; 0 where it does not. */
static int search(ns_fischer *f, const ns_lcp *p, double *z, double *psi, double slope)
{
  for (double t = 1; t > 1e-13; t /= 2) {
    for (int i = 0; i < p->n; i++) f->try[i] = z[i] + t * f->d[i];
    double next = merit(f, p, f->try, f->w, f->phi);
    if (next <= *psi + 1e-4 * t * slope && next < *psi) {
      memcpy(z, f->try, (size_t)p->n * sizeof *z);
      *psi = next;
      return 1;
    }
  }
  *psi = merit(f, p, z, f->w, f->phi);
  return 0;
}

/* One step from z; 0 at a stationary point. */
static int step(ns_fischer *f, ns_lcp_work *k, const ns_lcp *p, const int *row, double *z, double *psi)
{
  int n = p->n;
  linearise(f, p, z);
  int singular = newton_direction(f, k, p, row);
  gradient(f, p);
  double slope = ns_dot((size_t)n, f->g, f->d), dd = ns_dot((size_t)n, f->d, f->d);
  if (singular || !(slope <= -1e-8 * pow(dd, 1.05))) {
    for (int i = 0; i < n; i++) f->d[i] = -f->g[i];
    slope = -ns_dot((size_t)n, f->g, f->g);
  }
  if (slope < 0 && search(f, p, z, psi, slope)) return 1;
  return 0;
}

ns_outcome_kind ns_fischer_run(ns_fischer *f, ns_lcp_work *k, const ns_lcp *p, const int *row, const double *z, int limit,
                               int *iterations)
{
  int n = p->n, stuck = 0;
  size_t bytes = (size_t)n * sizeof *z;
  ns_outcome_kind kind = NS_LIMIT;
  for (int i = 0; i < n; i++) f->best[i] = k->z[i] = z[i] > 0 ? z[i] : 0;
  ns_lcp_row_scales(p, f->s);
  double psi = merit(f, p, k->z, f->w, f->phi), best = INFINITY;
  for (int it = 0; it < limit && stuck < PATIENCE && !ns_solve_over(p->watch); it++) {
    double r = ns_lcp_residual(p, k->z, f->w);
    ns_solve_see(p->watch, p->q, r, n, k->z);
    stuck = r < best ? 0 : stuck + (best <= k->opt.tol);
    if (r < best) {
      best = r;
      memcpy(f->best, k->z, bytes);
    }
    if (r <= 0.01 * k->opt.tol || !isfinite(r)) break;
    ++*iterations;
    if (!step(f, k, p, row, k->z, &psi)) {
      kind = NS_STATIONARY;
      break;
    }
  }
  memcpy(k->z, f->best, bytes);
  ns_lcp_residual(p, k->z, f->w);
  for (int i = 0; i < n; i++)
    if (!(k->z[i] > f->w[i] / f->s[i])) k->z[i] = 0; /* the support it points to */
  return best <= 1e3 * k->opt.tol ? NS_SOLVED : kind;
}

/* ---- as a solver of its own ---- */

typedef struct fischer {
  ns_lcp_work *work;
  ns_fischer *method;
} fischer;

static void destroy(void *self)
{
  fischer *s = self;
  if (!s) return;
  ns_fischer_destroy(s->method);
  ns_lcp_work_destroy(s->work);
}

static int create(ns_ctx *c, const ns_lcp_capacity *cap, const ns_lcp_options *opt, void **self)
{
  *self = NULL;
  ns_lcp_work *k = NULL;
  fischer *s = NULL;
  int rc = ns_lcp_work_create(c, cap, opt, 1, &k);
  if (rc) return rc;
  if ((rc = ns_lcp_work_get(k, c, 1, sizeof *s, &s)) || (rc = ns_fischer_create(k, c, cap, &s->method))) {
    ns_lcp_work_destroy(k);
    return rc;
  }
  s->work = k;
  *self = s;
  return NS_OK;
}

static int solve(void *self, ns_ctx *c, const ns_lcp *p, const int *row, double *z, double *w, ns_outcome *out)
{
  fischer *s = self;
  ns_lcp_work *k = s->work;
  int rc = ns_lcp_work_fits(k, c, p), iterations = 0, limit = k->opt.max_iterations;
  if (rc) return rc;
  double residual = INFINITY;
  ns_outcome_kind kind = ns_lcp_finite(p) ? ns_fischer_run(s->method, k, p, row, z, limit > 0 ? limit : DEFAULT_LIMIT,
                                                           &iterations)
                                          : NS_NOT_FINITE;
  if (kind == NS_SOLVED && ns_lcp_accept(k, p, row, w, &residual))
    ns_lcp_solved(k, p, z, residual, iterations, "fischer-burmeister", out);
  else ns_lcp_failed(p, z, w, kind == NS_SOLVED ? NS_STATIONARY : kind, iterations, "fischer-burmeister", out);
  return NS_OK;
}

const ns_lcp_solver_ops ns_lcp_fischer_burmeister = {
    .size = sizeof(ns_lcp_solver_ops),
    .name = "fischer-burmeister",
    .help = "semismooth Newton on the Fischer-Burmeister function with line search; dense and sparse",
    .create = create,
    .solve = solve,
    .destroy = destroy,
    .memory = &ns_memory_none,
};
