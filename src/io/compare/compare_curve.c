/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/compare/compare_curve.h"

#include <math.h>

/* ---- the grid -------------------------------------------------------------------------------- */

/* The last row of A that is not after s, but of rows with one time the first where `before`. */
static size_t row_at(const ns_compare_grid *g, double s, double slack, size_t from, int before)
{
  size_t k = from;
  while (k + 1 < g->all_a && g->ta[k + 1] <= s + slack) {
    if (before && fabs(g->ta[k] - s) <= slack) break;
    k++;
  }
  return k;
}

void ns_compare_grid_place(ns_compare_grid *g, const ns_time_map *m, double slack)
{
  size_t k = 0;
  for (size_t i = 0; i < g->nb; i++) {
    double s = ns_time_map_to_a(m, g->tb[i]);
    int before = i + 1 < g->nb && g->tb[i + 1] - g->tb[i] <= slack;
    k = row_at(g, s, slack, k, before);
    g->at[i] = k;
    g->weight[i] = 0;
    if (k + 1 < g->all_a && s - g->ta[k] > slack)
      g->weight[i] = fmin(1, (s - g->ta[k]) / (g->ta[k + 1] - g->ta[k]));
  }
}

void ns_compare_grid_mark(ns_compare_grid *g, double t, double w)
{
  size_t low = 0, high = g->nb;
  while (low < high) { /* first row after t - w */
    size_t mid = low + (high - low) / 2;
    if (g->tb[mid] > t - w) high = mid;
    else low = mid + 1;
  }
  for (; low < g->nb && g->tb[low] < t + w; low++) g->near[low] = 1;
}

double ns_compare_at(const ns_compare_grid *g, const double *ya, size_t i)
{
  size_t k = g->at[i];
  double w = g->weight[i];
  return w == 0 ? ya[k] : (1 - w) * ya[k] + w * ya[k + 1];
}

/* The same for piecewise constant columns. */
static double held_at(const ns_compare_grid *g, const double *ya, size_t i)
{
  return ya[g->at[i] + (g->weight[i] > 0)];
}

double ns_curve_at(const double *t, const double *y, size_t n, double s, size_t *hint)
{
  if (n == 0 || !(s >= t[0] && s <= t[n - 1])) return NAN;
  size_t k = t[*hint] <= s ? *hint : 0;
  while (k + 1 < n && t[k + 1] <= s) k++;
  *hint = k;
  if (k + 1 == n || s == t[k]) return y[k];
  double w = (s - t[k]) / (t[k + 1] - t[k]);
  return (1 - w) * y[k] + w * y[k + 1];
}

/* ---- one value ------------------------------------------------------------------------------- */

static double scale_of(const double *y, size_t n)
{
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(y[i])) continue;
    low = fmin(low, y[i]);
    high = fmax(high, y[i]);
  }
  return low <= high ? fmax(high - low, fmax(fabs(low), fabs(high))) : 0;
}

static double ratio_of(double difference, double tolerance)
{
  if (difference == 0) return 0;
  return tolerance > 0 ? difference / tolerance : INFINITY;
}

static void note(ns_compare_quantity *q, const ns_compare_finding *f)
{
  if (f->ratio > 1 && (!q->differ++ || f->t < q->first.t)) q->first = *f;
  if (!q->worst.quantity || f->ratio > q->worst.ratio) q->worst = *f;
}

static void judge(ns_compare_quantity *q, double t, double a, double b, double tol)
{
  double d = fabs(a - b);
  ns_compare_finding f = {.kind = NS_COMPARE_VALUE,
                          .quantity = q->label,
                          .t = t,
                          .a = a,
                          .b = b,
                          .difference = d,
                          .tolerance = tol,
                          .ratio = ratio_of(d, tol)};
  q->rows++;
  note(q, &f);
}

/* Whatever is not finite differs, on whichever side, also where an event is near. */
static void judge_not_finite(ns_compare_quantity *q, double t, double a, double b)
{
  ns_compare_finding f = {.kind = NS_COMPARE_NAN,
                          .quantity = q->label,
                          .t = t,
                          .a = a,
                          .b = b,
                          .difference = NAN,
                          .tolerance = NAN,
                          .ratio = INFINITY};
  note(q, &f);
}

/* Rows of A that no row of B may have met; those of B are looked at one by one. */
static void find_not_finite(const ns_compare_grid *g, const double *ya, const double *yb,
                            ns_compare_quantity *q)
{
  size_t j = 0;
  for (size_t i = 0; i < g->nb; i++)
    if (!isfinite(yb[i])) judge_not_finite(q, g->tb[i], ns_compare_at(g, ya, i), yb[i]);
  for (size_t i = 0; i < g->na; i++) {
    if (isfinite(ya[i])) continue;
    while (j + 1 < g->nb && g->at[j] < i) j++; /* the row of B that is met first */
    if (isfinite(yb[j])) judge_not_finite(q, g->ta[i], ya[i], yb[j]);
  }
}

/* ---- columns --------------------------------------------------------------------------------- */

void ns_compare_rows(const ns_compare_grid *g, const double *ya, const double *yb,
                     const ns_compare_rule *r, ns_compare_quantity *q)
{
  double tol = r->atol + r->rtol * fmax(r->nominal, scale_of(yb, g->nb));
  find_not_finite(g, ya, yb, q);
  for (size_t i = 0; i < g->nb; i++) {
    double a = r->held ? held_at(g, ya, i) : ns_compare_at(g, ya, i);
    if (!isfinite(a) || !isfinite(yb[i])) continue;
    if (g->tb[i] > r->stop || (r->jumps && g->near[i]) || (r->exact_rows && g->weight[i] > 0))
      q->skipped++;
    else judge(q, g->tb[i], a, yb[i], tol);
  }
}

/* Sum of the impulses up to t. That of a step is spread evenly over the step; mean: y is that by
 * the time of the step. */
static double sum_to(const double *t, const double *y, size_t n, int mean, double s, size_t *k,
                     double *sum)
{
  for (; *k < n && t[*k] <= s; ++*k) {
    double step = *k ? t[*k] - t[*k - 1] : 0;
    *sum += mean ? y[*k] * step : y[*k];
  }
  if (*k == 0 || *k >= n) return *sum;
  double part = s - t[*k - 1];
  return *sum + y[*k] * (mean ? part : part / (t[*k] - t[*k - 1]));
}

/* Largest |sum| of B between safe times. */
static double sums_scale(const ns_compare_grid *g, const double *yb, int mean)
{
  size_t k = 0;
  double sum = 0, before = 0, scale = 0;
  for (size_t i = 0; i < g->nsafe; i++) {
    double now = sum_to(g->tb, yb, g->nb, mean, g->safe_b[i], &k, &sum);
    if (i) scale = fmax(scale, fabs(now - before));
    before = now;
  }
  return scale;
}

void ns_compare_sums(const ns_compare_grid *g, const double *ya, const double *yb,
                     const ns_compare_rule *r, ns_compare_quantity *q)
{
  size_t i = 0, j = 0;
  double a0 = 0, b0 = 0, sum_a = 0, sum_b = 0,
         tol = r->atol + r->rtol * fmax(r->nominal, sums_scale(g, yb, r->mean));
  find_not_finite(g, ya, yb, q);
  for (size_t k = 0; k < g->nsafe; k++) {
    double a = sum_to(g->ta, ya, g->all_a, r->mean, g->safe_a[k], &i, &sum_a);
    double b = sum_to(g->tb, yb, g->nb, r->mean, g->safe_b[k], &j, &sum_b);
    if (g->safe_b[k] > r->stop) break;
    if (k && isfinite(a) && isfinite(b)) judge(q, g->safe_b[k], a - a0, b - b0, tol);
    a0 = a;
    b0 = b;
  }
}
