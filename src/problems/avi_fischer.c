/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Semismooth Newton on the Fischer-Burmeister function of a box with line search (Billups 1995; De Luca, Facchinei &
 * Kanzow 1996).
 *
 *   phi(a,b) = a + b - sqrt(a^2 + b^2),  b_i = w_i / s_i
 *   Phi_i = phi(z_i - lb_i, b_i),  -phi(ub_i - z_i, -b_i),  phi(z_i - lb_i, -phi(ub_i - z_i, -b_i)),  b_i
 *
 * for rows with a lower, an upper, both bounds, none. H = D_a + D_b S^-1 M, H d = -Phi; Psi = |Phi|^2 / 2 must fall, if
 * need be along its gradient H^T Phi. At a corner of phi both derivatives are those of the diagonal a = b > 0, an
 * element of its generalised gradient. */
#include "problems/avi_work.h"

#include "algebra/dense.h"
#include "algebra/vector.h"

#define DEFAULT_LIMIT 200
#define PATIENCE 12 /* steps without a better residual than the best one */
#define CLOSE 1e3   /* times the tolerance: a candidate */

struct ns_avi_fischer {
  double *H;  /* [ndense^2] */
  int *piv;
  double *phi, *a, *b, *d, *g, *step, *best; /* [ndense]; best: iterate of the smallest residual */
};

int ns_avi_fischer_create(ns_avi_work *k, ns_ctx *c, ns_avi_fischer **out)
{
  ns_avi_fischer *f = NULL;
  size_t n = (size_t)k->ndense;
  int rc = ns_avi_work_get(k, c, 1, sizeof *f, &f);
  if (rc) return rc;
  double **vector[] = {&f->phi, &f->a, &f->b, &f->d, &f->g, &f->step, &f->best};
  for (size_t i = 0; i < sizeof vector / sizeof *vector && !rc; i++)
    rc = ns_avi_work_get(k, c, n, sizeof(double), vector[i]);
  if (rc || (rc = ns_avi_work_get(k, c, n * n, sizeof(double), &f->H)) ||
      (rc = ns_avi_work_get(k, c, n, sizeof(int), &f->piv)))
    return rc;
  *out = f;
  return NS_OK;
}

/* phi with its derivatives, without cancellation where a + b > 0. */
static double phi(double a, double b, double *da, double *db)
{
  double r = hypot(a, b);
  *da = r > 0 ? 1 - a / r : 1 - sqrt(0.5);
  *db = r > 0 ? 1 - b / r : 1 - sqrt(0.5);
  return a + b > 0 ? 2 * a * b / (r + a + b) : a + b - r;
}

double ns_avi_fischer_row(double z, double b, double lb, double ub, double *dz, double *db)
{
  double e, g, value;
  if (lb == ub) {
    *dz = 1;
    *db = 0;
    return z - lb;
  }
  if (ub == INFINITY && lb == -INFINITY) {
    *dz = 0;
    *db = 1;
    return b;
  }
  if (ub == INFINITY) return phi(z - lb, b, dz, db);
  value = -phi(ub - z, -b, &e, &g);
  if (lb == -INFINITY) {
    *dz = e;
    *db = g;
    return value;
  }
  value = phi(z - lb, value, dz, db);
  *dz += *db * e;
  *db *= g;
  return value;
}

/* Phi, its derivatives and Psi at z. */
static double merit(ns_avi_fischer *f, const ns_avi_work *k, const ns_avi *p, const double *z, double *w)
{
  double sum = 0;
  ns_avi_residual_kept(k, p, z, w);
  for (int i = 0; i < p->n; i++) {
    f->phi[i] = ns_avi_fischer_row(z[i], w[i] * k->r[i], p->lb[i], p->ub[i], &f->a[i], &f->b[i]);
    f->b[i] *= k->r[i];
    sum += f->phi[i] * f->phi[i];
  }
  return 0.5 * sum;
}

/* d = -H^-1 Phi and g = H^T Phi; not 0 where H is singular. */
static int directions(ns_avi_fischer *f, const ns_avi_work *k, int n)
{
  size_t ld = (size_t)n;
  for (size_t j = 0; j < ld; j++) {
    const double *m = k->M + j * (size_t)k->ld;
    double g = f->a[j] * f->phi[j];
    for (size_t i = 0; i < ld; i++) {
      f->H[i + j * ld] = f->b[i] * m[i];
      g += f->phi[i] * f->b[i] * m[i];
    }
    f->H[j + j * ld] += f->a[j];
    f->g[j] = g;
    f->d[j] = -f->phi[j];
  }
  int rc = ns_dense_lu(n, f->H, n, f->piv);
  if (!rc) ns_dense_lu_solve(n, f->H, n, f->piv, 1, f->d, n);
  return rc;
}

/* Step along d until Psi falls enough; 0 where it does not. */
static int search(ns_avi_fischer *f, const ns_avi_work *k, const ns_avi *p, double *z, double *w, double *psi, double slope)
{
  for (double t = 1; t > 1e-13; t /= 2) {
    for (int i = 0; i < p->n; i++) f->step[i] = z[i] + t * f->d[i];
    double next = merit(f, k, p, f->step, w);
    if (next <= *psi + 1e-4 * t * slope && next < *psi) {
      memcpy(z, f->step, (size_t)p->n * sizeof *z);
      *psi = next;
      return 1;
    }
  }
  *psi = merit(f, k, p, z, w);
  return 0;
}

/* One step from z; 0 at a stationary point. */
static int advance(ns_avi_fischer *f, const ns_avi_work *k, const ns_avi *p, double *z, double *w, double *psi)
{
  int n = p->n, singular = directions(f, k, n);
  double slope = ns_dot((size_t)n, f->g, f->d), dd = ns_dot((size_t)n, f->d, f->d);
  if (!singular && slope <= -1e-8 * pow(dd, 1.05) && search(f, k, p, z, w, psi, slope)) return 1;
  for (int i = 0; i < n; i++) f->d[i] = -f->g[i];
  slope = -ns_dot((size_t)n, f->g, f->g);
  return slope < 0 && search(f, k, p, z, w, psi, slope);
}

ns_outcome_kind ns_avi_fischer_run(ns_avi_fischer *f, ns_avi_work *k, const ns_avi *p, const double *z, double *w, int limit,
                                   int *iterations)
{
  int n = p->n, stuck = 0;
  size_t bytes = (size_t)n * sizeof *z;
  ns_outcome_kind kind = NS_LIMIT;
  memcpy(k->z, z, bytes);
  ns_avi_clip(p, k->z);
  memcpy(f->best, k->z, bytes);
  double psi = merit(f, k, p, k->z, w), best = INFINITY;
  for (int it = 0; it < limit && stuck < PATIENCE && !ns_solve_over(p->watch); it++) {
    double r = ns_avi_residual_kept(k, p, k->z, w);
    stuck = r < best ? 0 : stuck + (best <= k->opt.tol);
    if (r < best) {
      best = r;
      memcpy(f->best, k->z, bytes);
    }
    if (r <= 0.01 * k->opt.tol || !isfinite(r)) break;
    ++*iterations;
    if (!advance(f, k, p, k->z, w, &psi)) {
      kind = NS_STATIONARY;
      break;
    }
  }
  memcpy(k->z, f->best, bytes);
  ns_avi_residual_kept(k, p, k->z, w);
  for (int i = 0; i < n; i++) { /* the state it points to */
    double to = k->z[i] - w[i] * k->r[i];
    if (to <= p->lb[i]) k->z[i] = p->lb[i];
    else if (to >= p->ub[i]) k->z[i] = p->ub[i];
  }
  return best <= CLOSE * k->opt.tol ? NS_SOLVED : kind;
}

/* ---- as a solver of its own ---- */

static int create_own(ns_avi_work *k, ns_ctx *c, void **own)
{
  ns_avi_fischer *a = NULL;
  int rc = ns_avi_fischer_create(k, c, &a);
  *own = a;
  return rc;
}

static ns_outcome_kind run(void *own, ns_avi_work *k, const ns_avi *p, const double *z, double *w, int *iterations, double *residual)
{
  int limit = k->opt.max_iterations;
  if (!ns_avi_finite(p)) return NS_NOT_FINITE;
  ns_outcome_kind kind = ns_avi_fischer_run(own, k, p, z, w, limit > 0 ? limit : DEFAULT_LIMIT, iterations);
  if (kind != NS_SOLVED) return kind;
  return ns_avi_accept(k, p, w, residual) ? NS_SOLVED : NS_STATIONARY;
}

static const ns_avi_method method = {"fischer-burmeister", &ns_lcp_fischer_burmeister, create_own, run};

static int create(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, void **self)
{
  return ns_avi_method_create(c, cap, opt, &method, self);
}

const ns_avi_solver_ops ns_avi_fischer_burmeister = {
    .size = sizeof(ns_avi_solver_ops),
    .name = "fischer-burmeister",
    .help = "semismooth Newton on the Fischer-Burmeister function of the box, with line search",
    .create = create,
    .solve = ns_avi_method_solve,
    .destroy = ns_avi_object_destroy,
    .memory = &ns_memory_none,
};
