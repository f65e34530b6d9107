/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interior points, predictor and corrector (Mehrotra 1992; for LCPs Wright 1997, ch. 8).
 *
 *   Newton on  w = M z + q,  z_i w_i = sigma mu  with z, w > 0:
 *   (M + W/Z) dz = -r - w + (sigma mu - dz_a dw_a) / z,   r = M z + q - w,   dw = M dz + r
 *
 * Some twenty to forty factorisations for a semidefinite M of any size, where newton-min may move a
 * front by one row a step, and for redundant contacts, which get even shares. Part of "auto", not a
 * solver of its own: where the support shows itself, newton-min finishes. */
#include "algebra/vector.h"
#include "problems/box/work.h"

#define LIMIT 100
#define FLOOR 1e-11  /* least W/Z, of the largest entry of the row: keeps singular M factorable */
#define REGULAR 1e-9 /* added for the size of the start, of the largest entry of the row */
#define FINISH 8     /* newton-min steps from a support that shows */

struct ns_interior {
  double *z, *w, *dz, *dw, *r, *rhs, *mz; /* [n] */
  signed char *all;                       /* every row free [n] */
};

int ns_interior_create(ns_box_work *k, ns_ctx *c, ns_interior **out)
{
  ns_interior own = {0}, *t = NULL;
  size_t n = (size_t)k->n, item = sizeof(double);
  const ns_array want[] = {{&t, 1, sizeof *t},  {&own.z, n, item},  {&own.w, n, item},
                           {&own.dz, n, item},  {&own.dw, n, item}, {&own.r, n, item},
                           {&own.rhs, n, item}, {&own.mz, n, item}, {&own.all, n, 1}};
  int rc = NS_BOX_GET(k, c, want);
  if (rc) return rc;
  memset(own.all, NS_BOX_FREE, n);
  *t = own;
  *out = t;
  return NS_OK;
}

/* Start: all z alike and as large as z without constraints can be expected to be, w of the size of
 * q in the units of its row. Too small a start makes tiny steps. */
static int start(ns_interior *t, ns_box_work *k, const ns_box *p, const int *row)
{
  int n = p->n;
  double size = 0, max = 0;
  for (int i = 0; i < n; i++) {
    size = fmax(size, fabs(p->q[i]) * k->r[i]);
    k->add[i] = REGULAR / k->r[i];
  }
  if (ns_box_direct(k, p, row, t->all, p->q, k->add, 1, t->dz)) return 0;
  max = fmax(max, ns_max_abs((size_t)n, t->dz));
  for (int i = 0; i < n; i++) {
    t->z[i] = fmax(size, max);
    t->w[i] = size / k->r[i];
  }
  return 1;
}

static double gap(const ns_interior *t, int n)
{
  double mu = ns_dot((size_t)n, t->z, t->w);
  return mu / n;
}

/* Longest step that keeps z, w >= 0, at most 1 / 0.99. */
static double longest(const ns_interior *t, int n)
{
  double a = 1 / 0.99;
  for (int i = 0; i < n; i++) {
    if (t->z[i] + a * t->dz[i] < 0) a = -t->z[i] / t->dz[i];
    if (t->w[i] + a * t->dw[i] < 0) a = -t->w[i] / t->dw[i];
  }
  return a;
}

/* dz, dw for a target sigma mu; second: with the products of the step before (the predictor's).
 * Uses the factor that is there where second. */
static int direction(ns_interior *t, ns_box_work *k, const ns_box *p, const int *row, double target,
                     int second)
{
  int n = p->n;
  for (int i = 0; i < n; i++) {
    double v = target - (second ? t->dz[i] * t->dw[i] : 0);
    t->rhs[i] = t->r[i] + t->w[i] - v / t->z[i];
  }
  if (ns_box_direct(k, p, row, t->all, t->rhs, k->add, !second, t->dz)) return 1;
  ns_box_times(p, 0, t->dz, t->dw);
  ns_axpy((size_t)n, 1, t->r, t->dw);
  return 0;
}

/* One predictor and corrector; 0 where it stalls. */
static int step(ns_interior *t, ns_box_work *k, const ns_box *p, const int *row)
{
  int n = p->n;
  double mu = gap(t, n);
  ns_box_times(p, 0, t->z, t->mz);
  for (int i = 0; i < n; i++) {
    t->r[i] = t->mz[i] + p->q[i] - t->w[i];
    k->add[i] = fmax(t->w[i] / t->z[i], FLOOR / k->r[i]);
  }
  if (direction(t, k, p, row, 0, 0)) return 0;
  double a = fmin(1, longest(t, n)), ahead = 0;
  for (int i = 0; i < n; i++) ahead += (t->z[i] + a * t->dz[i]) * (t->w[i] + a * t->dw[i]);
  double sigma = pow(ahead / n / mu, 3);
  if (direction(t, k, p, row, sigma * mu, 1)) return 0;
  a = 0.99 * longest(t, n);
  if (!(a > 1e-10)) return 0;
  for (int i = 0; i < n; i++) {
    t->z[i] += a * t->dz[i];
    t->w[i] += a * t->dw[i];
  }
  return 1;
}

/* The candidate: z where it outweighs w, else 0. Its residual. */
static double candidate(const ns_interior *t, ns_box_work *k, const ns_box *p, double *w)
{
  for (int i = 0; i < p->n; i++) k->z[i] = t->z[i] > t->w[i] * k->r[i] ? t->z[i] : 0;
  return ns_box_work_residual(k, p, k->z, w);
}

ns_outcome_kind ns_interior_run(ns_interior *t, ns_newton *a, ns_box_work *k, const ns_box *p,
                                const int *row, double *w, int *iterations, double *residual)
{
  double near = 1e-4; /* residual at which the support is tried */
  ns_box_scales(k, p);
  if (!start(t, k, p, row)) return NS_SINGULAR;
  for (int it = 0; it < LIMIT && !ns_solve_over(p->watch); it++) {
    *residual = candidate(t, k, p, w);
    if (*residual <= near || it == LIMIT - 1) {
      memcpy(t->rhs, k->z, (size_t)p->n * sizeof *k->z);
      if (ns_newton_run(a, k, p, row, t->rhs, w, NS_NEWTON_GUARDED, FINISH, iterations, residual) ==
              NS_SOLVED &&
          ns_box_accept_direct(k, p, row, w, residual))
        return NS_SOLVED;
      memcpy(k->z, t->rhs, (size_t)p->n * sizeof *k->z);
      *residual = ns_box_work_residual(k, p, k->z, w);
      if (*residual <= k->opt.tol) return NS_SOLVED;
      near = 1e-2 * *residual;
    }
    ++*iterations;
    if (!isfinite(*residual) || !step(t, k, p, row)) return NS_LIMIT;
  }
  return NS_LIMIT;
}
