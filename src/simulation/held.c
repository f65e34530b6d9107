/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/held.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

static const double SINGULAR = 1e-11; /* pivots below it, rows having 1 as their largest entry, are rounding */

int ns_held_init(ns_held *h, ns_arena *a, int n)
{
  size_t k = (size_t)n;
  *h = (ns_held){.n = n,
                 .A = ns_arena_zero(a, k * k, sizeof(double)),
                 .scale = ns_arena_zero(a, k, sizeof(double)),
                 .row = ns_arena_zero(a, k, sizeof(int)),
                 .col = ns_arena_zero(a, k, sizeof(int)),
                 .work = ns_arena_zero(a, k, sizeof(double))};
  return h->A && h->scale && h->row && h->col && h->work ? NS_OK : NS_NOMEM;
}

static double *at(const ns_held *h, int i, int j) { return h->A + (size_t)i + (size_t)j * (size_t)h->n; }

static void scale_rows(ns_held *h)
{
  for (int i = 0; i < h->n; i++) {
    double most = 0;
    for (int j = 0; j < h->n; j++) most = fmax(most, fabs(*at(h, i, j)));
    h->scale[i] = most > 0 ? 1 / most : 1;
    for (int j = 0; j < h->n; j++) *at(h, i, j) *= h->scale[i];
    h->row[i] = h->col[i] = i;
  }
}

/* The largest entry of the rest to the diagonal k; its size. */
static double choose(ns_held *h, int k)
{
  int n = h->n, r = k, c = k;
  for (int j = k; j < n; j++)
    for (int i = k; i < n; i++)
      if (fabs(*at(h, i, j)) > fabs(*at(h, r, c))) r = i, c = j;
  for (int j = 0; j < n && r != k; j++) {
    double t = *at(h, r, j);
    *at(h, r, j) = *at(h, k, j);
    *at(h, k, j) = t;
  }
  for (int i = 0; i < n && c != k; i++) {
    double t = *at(h, i, c);
    *at(h, i, c) = *at(h, i, k);
    *at(h, i, k) = t;
  }
  int t = h->row[k];
  h->row[k] = h->row[r], h->row[r] = t;
  t = h->col[k];
  h->col[k] = h->col[c], h->col[c] = t;
  return fabs(*at(h, k, k));
}

void ns_held_factor(ns_held *h)
{
  scale_rows(h);
  for (h->rank = 0; h->rank < h->n; h->rank++) {
    int k = h->rank;
    if (!(choose(h, k) > SINGULAR)) return;
    for (int i = k + 1; i < h->n; i++) {
      double f = *at(h, i, k) /= *at(h, k, k);
      for (int j = k + 1; j < h->n && f != 0; j++) *at(h, i, j) -= f * *at(h, k, j);
    }
  }
}

void ns_held_solve(const ns_held *h, double *b)
{
  int n = h->n, rank = h->rank;
  double *y = h->work;
  for (int i = 0; i < rank; i++) {
    y[i] = b[h->row[i]] * h->scale[h->row[i]];
    for (int j = 0; j < i; j++) y[i] -= *at(h, i, j) * y[j];
  }
  memset(b, 0, (size_t)n * sizeof *b);
  for (int i = rank - 1; i >= 0; i--) {
    for (int j = i + 1; j < rank; j++) y[i] -= *at(h, i, j) * y[j];
    y[i] /= *at(h, i, i);
    b[h->col[i]] = y[i];
  }
}
