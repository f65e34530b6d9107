/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/singular.h"

#include "algebra/vector.h"

#include "base/status.h"

#include <math.h>

/* pivots below it, rows having 1 as their largest entry, are rounding */
static const double SINGULAR = 1e-11;

int ns_singular_init(ns_singular *h, ns_arena *a, int n)
{
  size_t k = (size_t)n;
  *h = (ns_singular){.n = n,
                     .A = ns_arena_zero(a, k * k, sizeof(double)),
                     .scale = ns_arena_zero(a, k, sizeof(double)),
                     .unit = ns_arena_zero(a, k, sizeof(double)),
                     .row = ns_arena_zero(a, k, sizeof(int)),
                     .col = ns_arena_zero(a, k, sizeof(int)),
                     .work = ns_arena_zero(a, k, sizeof(double))};
  return h->A && h->scale && h->unit && h->row && h->col && h->work ? NS_OK : NS_NOMEM;
}

static double *at(const ns_singular *h, int i, int j)
{
  return h->A + (size_t)i + (size_t)j * (size_t)h->n;
}

/* Rows, then columns, are divided by their largest entry. */
static void scale(ns_singular *h)
{
  int n = h->n;
  for (int i = 0; i < n; i++) {
    double max = 0;
    for (int j = 0; j < n; j++) max = fmax(max, fabs(*at(h, i, j)));
    h->scale[i] = max > 0 ? 1 / max : 1;
    for (int j = 0; j < n; j++) *at(h, i, j) *= h->scale[i];
    h->row[i] = h->col[i] = i;
  }
  for (int j = 0; j < n; j++) {
    double max = 0;
    for (int i = 0; i < n; i++) max = fmax(max, fabs(*at(h, i, j)));
    h->unit[j] = max > 0 ? 1 / max : 0;
    for (int i = 0; i < n; i++) *at(h, i, j) *= h->unit[j];
  }
}

/* The largest entry of the rest to the diagonal k; its size. */
static double choose(ns_singular *h, int k)
{
  int n = h->n, r = k, c = k;
  for (int j = k; j < n; j++)
    for (int i = k; i < n; i++)
      if (fabs(*at(h, i, j)) > fabs(*at(h, r, c))) r = i, c = j;
  for (int j = 0; j < n && r != k; j++) ns_swap(at(h, r, j), at(h, k, j));
  for (int i = 0; i < n && c != k; i++) {
    ns_swap(at(h, i, c), at(h, i, k));
  }
  ns_swap_ints(&h->row[k], &h->row[r]);
  ns_swap_ints(&h->col[k], &h->col[c]);
  return fabs(*at(h, k, k));
}

/* T = U11^-1 U12 in the place of U12: of the unknowns z beyond the rank, those before it are c - T
 * z. */
static void eliminate_rest(ns_singular *h)
{
  int n = h->n, rank = h->rank;
  for (int j = rank; j < n; j++)
    for (int i = rank - 1; i >= 0; i--) {
      for (int k = i + 1; k < rank; k++) *at(h, i, j) -= *at(h, i, k) * *at(h, k, j);
      *at(h, i, j) /= *at(h, i, i);
    }
}

/* The factor of Cholesky of I + T^T T in the place of what is left of A: normal equations of the
 * shortest solution. */
static void factor_rest(ns_singular *h)
{
  int n = h->n, rank = h->rank;
  for (int j = rank; j < n; j++)
    for (int i = j; i < n; i++) {
      double sum = i == j;
      for (int k = 0; k < rank; k++) sum += *at(h, k, i) * *at(h, k, j);
      for (int k = rank; k < j; k++) sum -= *at(h, i, k) * *at(h, j, k);
      *at(h, i, j) = i == j ? sqrt(sum) : sum / *at(h, j, j);
    }
}

static void eliminate(ns_singular *h)
{
  for (h->rank = 0; h->rank < h->n; h->rank++) {
    int k = h->rank;
    if (!(choose(h, k) > SINGULAR)) return;
    for (int i = k + 1; i < h->n; i++) {
      double f = *at(h, i, k) /= *at(h, k, k);
      for (int j = k + 1; j < h->n && f != 0; j++) *at(h, i, j) -= f * *at(h, k, j);
    }
  }
}

void ns_singular_factor(ns_singular *h)
{
  scale(h);
  eliminate(h);
  eliminate_rest(h);
  factor_rest(h);
}

/* The unknowns beyond the rank, of those before it being y - T z: y [n] begins with theirs. */
static void solve_rest(const ns_singular *h, double *y)
{
  int n = h->n, rank = h->rank;
  for (int i = rank; i < n; i++) {
    y[i] = 0;
    for (int k = 0; k < rank; k++) y[i] += *at(h, k, i) * y[k];
    for (int k = rank; k < i; k++) y[i] -= *at(h, i, k) * y[k];
    y[i] /= *at(h, i, i);
  }
  for (int i = n - 1; i >= rank; i--) {
    for (int k = i + 1; k < n; k++) y[i] -= *at(h, k, i) * y[k];
    y[i] /= *at(h, i, i);
  }
  for (int i = 0; i < rank; i++)
    for (int k = rank; k < n; k++) y[i] -= *at(h, i, k) * y[k];
}

void ns_singular_solve(const ns_singular *h, double *b)
{
  int n = h->n, rank = h->rank;
  double *y = h->work;
  for (int i = 0; i < rank; i++) {
    y[i] = b[h->row[i]] * h->scale[h->row[i]];
    for (int j = 0; j < i; j++) y[i] -= *at(h, i, j) * y[j];
  }
  for (int i = rank - 1; i >= 0; i--) {
    for (int j = i + 1; j < rank; j++) y[i] -= *at(h, i, j) * y[j];
    y[i] /= *at(h, i, i);
  }
  solve_rest(h, y);
  for (int i = 0; i < n; i++) b[h->col[i]] = y[i] * h->unit[h->col[i]];
}
