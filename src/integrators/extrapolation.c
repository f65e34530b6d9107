/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/extrapolation.h"

#include "algebra/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { K = NS_EXTRAPOLATION_COLUMNS };

int ns_extrapolation_init(ns_extrapolation *o, ns_arena *a)
{
  size_t n = o->n, matrix = n * n;
  o->J = ns_arena_zero(a, 2 * matrix + (2 * K + 3) * n + 1, sizeof *o->J);
  o->pivot = ns_arena_zero(a, n + 1, sizeof *o->pivot);
  if (!o->J || !o->pivot) return NS_NOMEM;
  o->A = o->J + matrix;
  o->table = o->A + matrix;
  o->x = o->table + 2 * K * n;
  o->f = o->x + n;
  o->scale = o->f + n;
  return NS_OK;
}

int ns_extrapolation_jacobian(ns_extrapolation *o, double t, const double *x, const double *f,
                              const double *small)
{
  size_t n = o->n;
  int rc = 0;
  memcpy(o->x, x, n * sizeof *x);
  for (size_t j = 0; j < n && !rc; j++) {
    o->scale[j] = fmax(fabs(x[j]), small[j]);
    o->x[j] = x[j] + sqrt(DBL_EPSILON) * o->scale[j];
    double step = o->x[j] - x[j]; /* as represented */
    rc = o->rate(o->of, t, o->x, o->f);
    for (size_t i = 0; i < n; i++) o->J[i + j * n] = (o->f[i] - f[i]) / step;
    o->x[j] = x[j];
  }
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++) o->J[i + j * n] *= o->scale[j] / o->scale[i];
  return rc;
}

/* m steps from x to T [n]. 1: the matrix is singular. */
static int march(ns_extrapolation *o, double t, double h, int m, const double *x, double *T)
{
  size_t n = o->n;
  double d = h / m;
  for (size_t i = 0; i < n * n; i++) o->A[i] = -d * o->J[i];
  for (size_t i = 0; i < n; i++) o->A[i + i * n] += 1;
  if (ns_dense_lu((int)n, o->A, (int)n, o->pivot)) return 1;
  memcpy(T, x, n * sizeof *T);
  for (int i = 1; i <= m; i++) {
    int rc = o->rate(o->of, t + i * d, T, o->f);
    if (rc) return rc;
    for (size_t j = 0; j < n; j++) o->f[j] *= d / o->scale[j];
    ns_dense_lu_solve((int)n, o->A, (int)n, o->pivot, 1, o->f, (int)n);
    for (size_t j = 0; j < n; j++) T[j] += o->scale[j] * o->f[j];
  }
  return 0;
}

/* Columns of row m from those of the row before. */
static void extrapolate(int m, size_t n, const double *before, double *row)
{
  for (int k = 1; k < m; k++) {
    double by = 1 / ((double)m / (m - k) - 1);
    for (size_t j = 0; j < n; j++)
      row[(size_t)k * n + j] = row[(size_t)(k - 1) * n + j] +
                               by *
                                   (row[(size_t)(k - 1) * n + j] - before[(size_t)(k - 1) * n + j]);
  }
}

int ns_extrapolation_step(ns_extrapolation *o, double t, double h, const double *x,
                          const double *weight, double *to, double *error)
{
  size_t n = o->n;
  double *row = o->table, *before = o->table + K * n, max = 0;
  *error = INFINITY;
  for (int m = 1; m <= K; m++) {
    double *last = row;
    row = before;
    before = last;
    int rc = march(o, t, h, m, x, row);
    if (rc) return rc > 0 ? 0 : rc;
    extrapolate(m, n, before, row);
  }
  const double *best = row + (K - 1) * n, *less = row + (K - 2) * n;
  for (size_t j = 0; j < n; j++) max = fmax(max, fabs(best[j] - less[j]) / weight[j]);
  memcpy(to, best, n * sizeof *to);
  if (isfinite(max)) *error = max;
  return 0;
}
