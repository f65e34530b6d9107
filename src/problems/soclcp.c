/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Natural map F(z) = z - P_K(z - w/s), w = M z + q. Its Jacobian is I - V (I - M/s), V that of the
 * projection, a block a cone. */
#include "problems/soclcp.h"

#include "algebra/dense.h"
#include "algebra/vector.h"
#include "base/arena.h"
#include "problems/box/row.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SWEEPS = 200, STEPS = 60, OUTER = 80, INNER = 25, CUTS = 12 };

struct ns_soclcp_solver {
  ns_arena *mem;
  ns_lcp_options opt;
  int n;
  double *J; /* [n x n] */
  double *V; /* Jacobian of the projection of one cone, by columns [n x n] */
  double *F, *d, *x, *u, *best, *centre, *shifted; /* [n] */
  int *piv;                                        /* [n] */
  /* of the call */
  const ns_soclcp *p;
  double s;     /* max |M_ij| */
  double alpha; /* M + alpha is solved, with the right-hand side below */
  const double *q;
  int iterations;
};

/* ---- the cone -------------------------------------------------------------------------------- */

static double norm(int n, const double *x)
{
  double big = ns_max_abs((size_t)n, x), sum = 0;
  if (!(big > 0) || !(big <= DBL_MAX)) return big;
  for (int i = 0; i < n; i++) sum += (x[i] / big) * (x[i] / big);
  return big * sqrt(sum);
}

/* Project x [d] onto the cone, in place. */
static void project_cone(int d, double tau, double *x)
{
  double t = norm(d - 1, x + 1);
  if (x[0] >= 0 && t <= tau * x[0]) return;
  double n = tau * t <= -x[0] ? 0 : (x[0] + tau * t) / (1 + tau * tau);
  double f = t > 0 ? tau * n / t : 0;
  x[0] = n;
  ns_scale((size_t)(d - 1), f, x + 1);
}

/* Jacobian of the projection at x, V [d x d] by columns. */
static void jacobian_of_cone(int d, double tau, const double *x, double *V)
{
  double t = norm(d - 1, x + 1), n = (x[0] + tau * t) / (1 + tau * tau);
  int inside = x[0] >= 0 && t <= tau * x[0], outside = !inside && tau * t <= -x[0];
  memset(V, 0, (size_t)d * (size_t)d * sizeof *V);
  for (int i = 0; i < d && inside; i++) V[i + i * d] = 1;
  if (inside || outside || !(t > 0)) {
    if (!inside && !outside) V[0] = 1;
    return;
  }
  V[0] = 1 / (1 + tau * tau);
  for (int i = 1; i < d; i++) {
    double e = x[i] / t;
    V[i] = V[i * d] = tau * e / (1 + tau * tau);
    V[i + i * d] += tau * n / t;
    for (int j = 1; j < d; j++)
      V[i + j * d] += e * (x[j] / t) * (tau * tau / (1 + tau * tau) - tau * n / t);
  }
}

/* ---- residuals ------------------------------------------------------------------------------- */

static double largest(const ns_soclcp *p)
{
  double s = 0;
  for (size_t i = 0, n = (size_t)p->n; i < n * n; i++) s = fmax(s, fabs(p->M[i]));
  return s > 0 ? s : 1;
}

static void product(const ns_soclcp *p, const double *q, double alpha, const double *z, double *w)
{
  ns_linear_sum((size_t)p->n, q, alpha, z, w);
  for (int j = 0; j < p->n; j++) {
    const double *m = p->M + (size_t)j * (size_t)p->n;
    if (z[j] == 0) continue;
    ns_axpy((size_t)p->n, z[j], m, w);
  }
}

/* x = P_K(z - w/s) */
static void project(const ns_soclcp *p, double s, const double *z, const double *w, double *x)
{
  for (int i = 0; i < p->n; i++) x[i] = z[i] - w[i] / s;
  for (int a = 0; a < p->nc; a++)
    project_cone(p->first[a + 1] - p->first[a], p->tau[a], x + p->first[a]);
}

/* |z - P_K(z - w/s)|, a cone at a time, so that nothing is allocated. */
static double natural(const ns_soclcp *p, double s, const double *z, const double *w)
{
  double sum = 0;
  for (int a = 0; a < p->nc; a++) {
    int at = p->first[a], d = p->first[a + 1] - at;
    double t = 0, v = 0, x0 = z[at] - w[at] / s;
    for (int i = at + 1; i < at + d; i++) t = hypot(t, z[i] - w[i] / s);
    int inside = x0 >= 0 && t <= p->tau[a] * x0, outside = p->tau[a] * t <= -x0;
    double n = outside ? 0 : (x0 + p->tau[a] * t) / (1 + p->tau[a] * p->tau[a]);
    double f = t > 0 ? p->tau[a] * n / t : 0;
    if (inside) n = x0, f = 1;
    v = z[at] - n;
    sum += v * v;
    for (int i = at + 1; i < at + d; i++) {
      v = z[i] - f * (z[i] - w[i] / s);
      sum += v * v;
    }
  }
  return sqrt(sum);
}

/* What residuals are divided by. */
static double size_of(const ns_soclcp *p, double s, const double *z)
{
  double q = norm(p->n, p->q) / s;
  return ns_residual_unit(q + norm(p->n, z)) + q;
}

static double relative(const ns_soclcp *p, double s, const double *z, const double *w)
{
  double e = natural(p, s, z, w);
  if (e > 0) e /= size_of(p, s, z);
  return e <= DBL_MAX ? e : INFINITY;
}

double ns_soclcp_residual(const ns_soclcp *p, const double *z, double *w)
{
  product(p, p->q, 0, z, w);
  return relative(p, largest(p), z, w);
}

/* ---- the object ------------------------------------------------------------------------------ */

int ns_soclcp_create(ns_ctx *c, int n, const ns_lcp_options *opt, ns_soclcp_solver **out)
{
  size_t m = (size_t)n, d = sizeof(double);
  ns_soclcp_solver *s = NS_ARENA_OBJECT(ns_soclcp_solver, mem);
  *out = NULL;
  if (!s) return ns_nomem(c, "solver on cones");
  *s = (ns_soclcp_solver){.mem = s->mem, .n = n, .opt = opt ? *opt : ns_lcp_defaults()};
  const ns_array want[] = {{&s->F, m, d},       {&s->d, m, d},
                           {&s->x, m, d},       {&s->u, m, d},
                           {&s->best, m, d},    {&s->centre, m, d},
                           {&s->shifted, m, d}, {&s->J, m * m, d},
                           {&s->V, m * m, d},   {&s->piv, m, sizeof(int)}};
  int rc = ns_arena_arrays(s->mem, want, sizeof want / sizeof *want)
               ? ns_nomem(c, "solver on cones")
               : ns_dense_prepare(c, n);
  if (rc) ns_soclcp_destroy(s);
  else *out = s;
  return rc;
}

void ns_soclcp_destroy(ns_soclcp_solver *s)
{
  if (s) ns_arena_destroy(s->mem);
}

/* ---- Gauss-Seidel ---------------------------------------------------------------------------- */

/* Bound of the eigenvalues of a diagonal block: a step of its inverse makes no step too long. */
static double block_size(const ns_soclcp *p, int a)
{
  double max = 0;
  for (int i = p->first[a]; i < p->first[a + 1]; i++) {
    double sum = 0;
    for (int j = p->first[a]; j < p->first[a + 1]; j++)
      sum += fabs(p->M[(size_t)i + (size_t)j * (size_t)p->n]);
    max = fmax(max, sum);
  }
  return max;
}

/* w is kept up to date. */
static void sweep(ns_soclcp_solver *s, double *z, double *w)
{
  const ns_soclcp *p = s->p;
  for (int a = 0; a < p->nc; a++) {
    int at = p->first[a], d = p->first[a + 1] - at;
    double size = block_size(p, a);
    if (!(size > 0)) continue;
    for (int i = 0; i < d; i++) s->x[i] = z[at + i] - w[at + i] / size;
    project_cone(d, p->tau[a], s->x);
    for (int i = 0; i < d; i++) {
      double change = s->x[i] - z[at + i];
      const double *m = p->M + (size_t)(at + i) * (size_t)p->n;
      z[at + i] = s->x[i];
      if (change != 0) ns_axpy((size_t)p->n, change, m, w);
    }
  }
}

static double by_sweeps(ns_soclcp_solver *s, double *z, double *w, int limit)
{
  const ns_soclcp *p = s->p;
  double e = ns_soclcp_residual(p, z, w), mark = e;
  for (int it = 1; it <= limit && e > s->opt.tol && !ns_solve_over(p->watch); it++) {
    sweep(s, z, w);
    s->iterations++;
    e = relative(p, s->s, z, w);
    if (it % 20) continue;
    if (!(e < 0.1 * mark)) break; /* Newton is quicker */
    mark = e;
  }
  return ns_soclcp_residual(p, z, w);
}

/* ---- Newton ---------------------------------------------------------------------------------- */

/* I - V (I - (M + alpha)/s), to J. */
static void set_jacobian(ns_soclcp_solver *s, const double *z, const double *w)
{
  const ns_soclcp *p = s->p;
  size_t n = (size_t)p->n;
  for (size_t i = 0; i < n; i++) s->x[i] = z[i] - w[i] / s->s;
  for (int a = 0; a < p->nc; a++) {
    int at = p->first[a], d = p->first[a + 1] - at;
    jacobian_of_cone(d, p->tau[a], s->x + at, s->V);
    for (size_t j = 0; j < n; j++) {
      const double *m = p->M + j * n + at;
      double *J = s->J + j * n + at;
      for (int i = 0; i < d; i++) {
        double sum = (size_t)(at + i) == j;
        for (int k = 0; k < d; k++) {
          double unit = (size_t)(at + k) == j;
          sum -= s->V[i + k * d] * (unit - (m[k] + s->alpha * unit) / s->s);
        }
        J[i] = sum;
      }
    }
  }
}

/* Direction of Newton's method to d; shifts of the diagonal where the matrix is singular. */
static int direction(ns_soclcp_solver *s, const double *z, const double *w)
{
  int n = s->p->n;
  project(s->p, s->s, z, w, s->F);
  ns_linear_sum((size_t)n, z, -1, s->F, s->F);
  for (double shift = 0; shift<1; shift = shift> 0 ? 1e4 * shift : 1e-12) {
    double sum = 0;
    set_jacobian(s, z, w);
    for (int i = 0; i < n; i++) s->J[(size_t)i * ((size_t)n + 1)] += shift;
    for (int i = 0; i < n; i++) s->d[i] = -s->F[i];
    if (ns_dense_lu(n, s->J, n, s->piv)) continue;
    ns_dense_lu_solve(n, s->J, n, s->piv, 1, s->d, n);
    for (int i = 0; i < n; i++) sum += fabs(s->d[i]);
    if (sum <= 1e12 * (1 + norm(n, z) + norm(n, s->F))) return 1;
  }
  return 0;
}

/* Steps from z until the natural map of the shifted problem is below `tol`; z and w are the best
 * iterate. */
static double newton(ns_soclcp_solver *s, double *z, double *w, double tol, int limit)
{
  const ns_soclcp *p = s->p;
  size_t bytes = (size_t)p->n * sizeof *z;
  product(p, s->q, s->alpha, z, w);
  double now = natural(p, s->s, z, w), min = now;
  memcpy(s->best, z, bytes);
  for (int it = 0, stall = 0; it < limit && min > tol && stall < 8 && !ns_solve_over(p->watch);
       it++) {
    double t = 1, next = INFINITY;
    s->iterations++;
    if (!direction(s, z, w)) break;
    for (int cut = 0; cut < CUTS; cut++, t /= 2) {
      ns_linear_sum((size_t)p->n, z, t, s->d, s->u);
      product(p, s->q, s->alpha, s->u, w);
      next = natural(p, s->s, s->u, w);
      if (next <= (1 - 0.1 * t) * now) break;
    }
    if (!(next <= DBL_MAX)) break;
    memcpy(z, s->u, bytes);
    now = next;
    stall = now < 0.9 * min ? 0 : stall + 1;
    if (now < min) {
      min = now;
      memcpy(s->best, z, bytes);
    }
  }
  memcpy(z, s->best, bytes);
  product(p, s->q, s->alpha, z, w);
  return min;
}

/* z+ solves (M + alpha, q - alpha z), with an alpha that falls while these are solved. */
static double proximal(ns_soclcp_solver *s, double *z, double *w)
{
  const ns_soclcp *p = s->p;
  size_t bytes = (size_t)p->n * sizeof *z;
  double size = size_of(p, s->s, z), e = ns_soclcp_residual(p, z, w), push = 0.1;
  s->q = s->shifted;
  for (int k = 0; k < OUTER && e > s->opt.tol && !ns_solve_over(p->watch); k++) {
    memcpy(s->centre, z, bytes);
    s->alpha = s->s * push;
    ns_linear_sum((size_t)p->n, p->q, -s->alpha, z, s->shifted);
    newton(s, z, w, 0.1 * fmax(e * fmin(1, push), 0.1 * s->opt.tol) * size, INNER);
    double next = ns_soclcp_residual(p, z, w);
    if (next < e) {
      push = fmax(push / 3, 1e-10);
      e = next;
    } else {
      memcpy(z, s->centre, bytes);
      push *= 10;
      if (push > 1e3) break;
    }
  }
  s->alpha = 0;
  s->q = p->q;
  return ns_soclcp_residual(p, z, w);
}

/* ---- all of it ------------------------------------------------------------------------------- */

int ns_soclcp_solve(ns_soclcp_solver *s, const ns_soclcp *p, double *z, double *w, ns_outcome *out)
{
  double e;
  s->p = p;
  s->q = p->q;
  s->s = largest(p);
  s->alpha = 0;
  s->iterations = 0;
  int limit = s->opt.max_iterations;
  out->solver = "gauss-seidel";
  e = by_sweeps(s, z, w, limit > 0 ? limit : SWEEPS);
  if (!(e <= s->opt.tol)) {
    out->solver = "newton";
    newton(s, z, w, 0.1 * s->opt.tol * size_of(p, s->s, z), limit > 0 ? limit : STEPS);
    e = ns_soclcp_residual(p, z, w);
  }
  if (!(e <= s->opt.tol)) {
    out->solver = "proximal";
    e = proximal(s, z, w);
  }
  out->kind = e <= s->opt.tol ? NS_SOLVED : e <= DBL_MAX ? NS_LIMIT : NS_NOT_FINITE;
  if (out->kind != NS_SOLVED) out->solver = "auto";
  out->iterations = s->iterations;
  out->residual = e;
  return NS_OK;
}
