/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Semismooth Newton on the Fischer-Burmeister function of a box with line search (Fischer 1992;
 * Billups 1995; De Luca, Facchinei & Kanzow 1996).
 *
 *   phi(a,b) = a + b - sqrt(a^2 + b^2),  b_i = w_i / s_i
 *   Phi_i = phi(z_i - lb_i, b_i),  -phi(ub_i - z_i, -b_i),  phi(z_i - lb_i, -phi(ub_i - z_i,
 *   -b_i)),  b_i
 *
 * for rows with a lower, an upper, both bounds, none. H = D_a + D_b S^-1 M, H d = -Phi; Psi =
 * |Phi|^2 / 2 must fall, if need be along its gradient H^T Phi. s_i is the largest entry of row i
 * (the measure of the residual).
 *
 * At a corner of phi both derivatives are those of the diagonal a = b > 0, an element of its
 * generalised gradient; in an LCP H is taken there in the limit along v = 1 on these rows, which is
 * an element of the B-subdifferential. Large sparse LCPs: the factors of H come from sparse_factor
 * (no pivoting: for a P-matrix M no pivot of H vanishes). */
#include "problems/box/work.h"

#include "algebra/dense.h"
#include "algebra/vector.h"

#define DEFAULT_LIMIT 200
#define PATIENCE 12 /* steps without a better residual than the best one */
#define CLOSE 1e3   /* times the tolerance: a candidate */

struct ns_fischer {
  double *H; /* [ndense^2] */
  int *piv;
  ns_sparse_factor *sparse;                  /* NULL without a structure */
  double *phi, *a, *b, *d, *g, *step, *best; /* [n]; best: iterate of the smallest residual */
};

int ns_fischer_create(ns_box_work *k, ns_ctx *c, const ns_box_capacity *cap, ns_fischer **out)
{
  ns_fischer own = {0}, *f = NULL;
  size_t n = (size_t)k->n, nd = (size_t)k->ndense, item = sizeof(double);
  const ns_array want[] = {{&f, 1, sizeof *f},      {&own.phi, n, item},
                           {&own.a, n, item},       {&own.b, n, item},
                           {&own.d, n, item},       {&own.g, n, item},
                           {&own.step, n, item},    {&own.best, n, item},
                           {&own.H, nd * nd, item}, {&own.piv, nd, sizeof(int)}};
  int rc = NS_BOX_GET(k, c, want);
  if (!rc && cap->structure && !k->boxed)
    rc = ns_sparse_factor_create(c, cap->structure, 0, &own.sparse);
  if (rc) return rc;
  *f = own;
  *out = f;
  return NS_OK;
}

void ns_fischer_destroy(ns_fischer *f)
{
  if (f) ns_sparse_factor_destroy(f->sparse);
}

/* phi with its derivatives, without cancellation where a + b > 0. */
static double phi(double a, double b, double *da, double *db)
{
  double r = hypot(a, b);
  *da = r > 0 ? 1 - a / r : 1 - sqrt(0.5);
  *db = r > 0 ? 1 - b / r : 1 - sqrt(0.5);
  return a + b > 0 ? 2 * a * b / (r + a + b) : a + b - r;
}

double ns_box_fischer_row(double z, double b, double lb, double ub, double *dz, double *db)
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
static double merit(ns_fischer *f, ns_box_work *k, const ns_box *p, const double *z, double *w)
{
  double sum = 0;
  ns_box_work_residual(k, p, z, w);
  ns_box_scales(k, p);
  for (int i = 0; i < p->n; i++) {
    f->phi[i] = ns_box_fischer_row(z[i], w[i] * k->r[i], ns_box_lower(k, p, i),
                                   ns_box_upper(k, p, i), &f->a[i], &f->b[i]);
    f->b[i] *= k->r[i];
    sum += f->phi[i] * f->phi[i];
  }
  return 0.5 * sum;
}

/* Of an LCP: the derivatives at its corners. */
static void limits_at_corners(ns_fischer *f, const ns_box_work *k, const ns_box *p, const double *z,
                              const double *w)
{
  int corners = 0;
  for (int i = 0; i < p->n; i++) {
    f->g[i] = z[i] == 0 && w[i] == 0;
    corners += f->g[i] > 0;
  }
  if (!corners || k->boxed) return;
  ns_box_times(p, 0, f->g, f->d);
  for (int i = 0; i < p->n; i++) {
    if (!(f->g[i] > 0)) continue;
    phi(1, f->d[i] * k->r[i], &f->a[i], &f->b[i]);
    f->b[i] *= k->r[i];
  }
}

/* d = -H^-1 Phi; not 0 where H is singular. */
static int newton_direction(ns_fischer *f, const ns_box_work *k, const ns_box *p, const int *row)
{
  int n = p->n, rc;
  for (int i = 0; i < n; i++) f->d[i] = -f->phi[i];
  if (p->blocks && n > k->small) {
    rc = ns_sparse_factor_numeric(f->sparse, p->blocks, row, NULL, f->b, f->a);
    if (!rc) ns_sparse_factor_solve(f->sparse, f->d);
    return rc;
  }
  size_t ld = (size_t)n;
  ns_box_fill(p, f->H, 1, ld);
  for (size_t j = 0; j < ld; j++) {
    for (size_t i = 0; i < ld; i++) f->H[i + j * ld] *= f->b[i];
    f->H[j + j * ld] += f->a[j];
  }
  rc = ns_dense_lu(n, f->H, n, f->piv);
  if (!rc) ns_dense_lu_solve(n, f->H, n, f->piv, 1, f->d, n);
  return rc;
}

/* g = H^T Phi = Da Phi + M^T Db Phi */
static void gradient(ns_fischer *f, const ns_box *p)
{
  for (int i = 0; i < p->n; i++) f->step[i] = f->b[i] * f->phi[i];
  ns_box_times(p, 1, f->step, f->g);
  for (int i = 0; i < p->n; i++) f->g[i] += f->a[i] * f->phi[i];
}

/* Step along d until Psi falls enough; 0 where it does not. */
static int search(ns_fischer *f, ns_box_work *k, const ns_box *p, double *z, double *w, double *psi,
                  double slope)
{
  for (double t = 1; t > 1e-13; t /= 2) {
    ns_linear_sum((size_t)p->n, z, t, f->d, f->step);
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
static int advance(ns_fischer *f, ns_box_work *k, const ns_box *p, const int *row, double *z,
                   double *w, double *psi)
{
  int n = p->n;
  limits_at_corners(f, k, p, z, w);
  int singular = newton_direction(f, k, p, row);
  gradient(f, p);
  double slope = ns_dot((size_t)n, f->g, f->d), dd = ns_dot((size_t)n, f->d, f->d);
  if (!singular && slope <= -1e-8 * pow(dd, 1.05)) {
    if (search(f, k, p, z, w, psi, slope)) return 1;
    if (!k->boxed) return 0;
  }
  for (int i = 0; i < n; i++) f->d[i] = -f->g[i];
  slope = -ns_dot((size_t)n, f->g, f->g);
  return slope < 0 && search(f, k, p, z, w, psi, slope);
}

/* The state that k->z points to. */
static void point(ns_box_work *k, const ns_box *p, const double *w)
{
  for (int i = 0; i < p->n; i++) {
    double to = k->z[i] - w[i] * k->r[i], lb = ns_box_lower(k, p, i), ub = ns_box_upper(k, p, i);
    if (to <= lb) k->z[i] = lb;
    else if (to >= ub) k->z[i] = ub;
  }
}

ns_outcome_kind ns_fischer_run(ns_fischer *f, ns_box_work *k, const ns_box *p, const int *row,
                               const double *z, double *w, int limit, int *iterations)
{
  int n = p->n, stuck = 0;
  size_t bytes = (size_t)n * sizeof *z;
  ns_outcome_kind kind = NS_LIMIT;
  memcpy(k->z, z, bytes);
  ns_box_clip(k, p, k->z);
  memcpy(f->best, k->z, bytes);
  double psi = merit(f, k, p, k->z, w), best = INFINITY;
  for (int it = 0; it < limit && stuck < PATIENCE && !ns_solve_over(p->watch); it++) {
    double r = ns_box_work_residual(k, p, k->z, w);
    stuck = r < best ? 0 : stuck + (best <= k->opt.tol);
    if (r < best) {
      best = r;
      memcpy(f->best, k->z, bytes);
    }
    if (r <= 0.01 * k->opt.tol || !isfinite(r)) break;
    ++*iterations;
    if (!advance(f, k, p, row, k->z, w, &psi)) {
      kind = NS_STATIONARY;
      break;
    }
  }
  memcpy(k->z, f->best, bytes);
  ns_box_work_residual(k, p, k->z, w);
  point(k, p, w);
  return best <= CLOSE * k->opt.tol ? NS_SOLVED : kind;
}

/* ---- as a solver of its own ------------------------------------------------------------------ */

static int create_own(ns_box_work *k, ns_ctx *c, const ns_box_capacity *cap, void **own)
{
  ns_fischer *f = NULL;
  int rc = ns_fischer_create(k, c, cap, &f);
  *own = f;
  return rc;
}

static void destroy_own(void *own) { ns_fischer_destroy(own); }

static ns_outcome_kind run(void *own, ns_box_work *k, const ns_box *p, const int *row,
                           const double *z, double *w, int *iterations, double *residual)
{
  int limit = k->opt.max_iterations;
  ns_outcome_kind kind = ns_fischer_run(own, k, p, row, z, w, limit > 0 ? limit : DEFAULT_LIMIT,
                                        iterations);
  if (kind != NS_SOLVED) return kind;
  return ns_box_accept(k, p, row, w, residual) ? NS_SOLVED : NS_STATIONARY;
}

static const ns_box_method method = {.name = "fischer-burmeister",
                                     .direct = 1,
                                     .create = create_own,
                                     .destroy = destroy_own,
                                     .run = run};

static int create(ns_ctx *c, const ns_box_capacity *cap, const ns_lcp_options *opt, void **self)
{
  return ns_box_method_create(c, cap, opt, &method, self);
}

const ns_box_solver_ops ns_box_fischer_burmeister = {
    .name = "fischer-burmeister",
    .help =
        "semismooth Newton on the Fischer-Burmeister function with line search; dense and sparse",
    .create = create,
    .solve = ns_box_method_solve,
    .destroy = ns_box_method_destroy,
    .memory = &ns_memory_none,
};
