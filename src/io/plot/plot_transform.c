/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plot/plot_transform.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_fft_real.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- spectra --------------------------------------------------------------------------------- */

/* Largest number up to n without a prime factor above 7: so the transform is fast. */
static size_t smooth_number(size_t n)
{
  for (;; n--) {
    size_t k = n;
    for (size_t p = 2; p <= 7; p++)
      while (k % p == 0) k /= p;
    if (k == 1) return n;
  }
}

static int is_even(const double *t, size_t n)
{
  double h = (t[n - 1] - t[0]) / (double)(n - 1);
  for (size_t i = 1; i < n; i++)
    if (fabs(t[i] - t[0] - (double)i * h) > 1e-3 * h) return 0;
  return 1;
}

/* y at even times; of two rows at one time, before and after an event, the later one counts. */
static void resample(const double *t, const double *y, size_t rows, size_t n, double *out)
{
  double h = (t[rows - 1] - t[0]) / (double)(n - 1);
  size_t k = 0;
  for (size_t i = 0; i < n; i++) {
    double at = t[0] + h * (double)i;
    while (k + 2 < rows && t[k + 1] <= at) k++;
    double span = t[k + 1] - t[k], part = span > 0 ? fmin(1, (at - t[k]) / span) : 1;
    out[i] = y[k] + part * (y[k + 1] - y[k]);
  }
}

static void take_off_mean_and_window(double *w, size_t n)
{
  double mean = 0;
  for (size_t i = 0; i < n; i++) mean += w[i] / (double)n;
  for (size_t i = 0; i < n; i++) /* the window has the mean 1/2: 2 times it keeps amplitudes */
    w[i] = (w[i] - mean) * (1 - cos(2 * M_PI * (double)i / (double)n));
}

static int transform(double *w, size_t n)
{
  gsl_error_handler_t *handler = gsl_set_error_handler_off();
  gsl_fft_real_wavetable *table = gsl_fft_real_wavetable_alloc(n);
  gsl_fft_real_workspace *work = gsl_fft_real_workspace_alloc(n);
  int rc = table && work ? gsl_fft_real_transform(w, 1, n, table, work) : GSL_ENOMEM;
  if (table) gsl_fft_real_wavetable_free(table);
  if (work) gsl_fft_real_workspace_free(work);
  gsl_set_error_handler(handler);
  return rc;
}

int ns_plot_spectrum(ns_ctx *c, ns_arena *a, const double *t, const double *y, size_t rows,
                     double **frequency, double **amplitude, size_t *n)
{
  for (size_t i = 0; i < rows; i++)
    if (!isfinite(y[i]))
      return ns_fail(c, NS_USAGE, "--spectrum: the value at t = %g s is not finite", t[i]);
  if (rows < 8 || !(t[rows - 1] > t[0]))
    return ns_fail(c, NS_USAGE, "--spectrum: %zu rows, expected at least 8 over a span of time",
                   rows);
  int even = is_even(t, rows);
  size_t m = smooth_number(rows);
  double *w = ns_arena_get(a, m, sizeof *w), span = t[rows - 1] - t[0];
  *n = m / 2 + 1;
  *frequency = ns_arena_get(a, *n, sizeof **frequency);
  *amplitude = ns_arena_get(a, *n, sizeof **amplitude);
  if (!w || !*frequency || !*amplitude) return ns_nomem(c, "spectrum");
  if (even) memcpy(w, y, m * sizeof *y);
  else resample(t, y, rows, m, w);
  double h = span / (double)((even ? rows : m) - 1);
  take_off_mean_and_window(w, m);
  if (transform(w, m)) return ns_nomem(c, "spectrum");
  /* half-complex: w[0], then real and imaginary parts in turn, at the end one of an even m */
  for (size_t k = 0; k < *n; k++) {
    double re = k ? w[2 * k - 1] : w[0], im = k && 2 * k < m ? w[2 * k] : 0;
    int single = k == 0 || 2 * k == m;
    (*frequency)[k] = (double)k / ((double)m * h);
    (*amplitude)[k] = (single ? 1 : 2) * hypot(re, im) / (double)m;
  }
  return NS_OK;
}

/* ---- sections -------------------------------------------------------------------------------- */

static int places_capacity(ns_ctx *c, ns_arena *a, size_t n, ns_plot_places *out)
{
  *out = (ns_plot_places){ns_arena_get(a, n, sizeof *out->row), ns_arena_get(a, n, sizeof(double)),
                          0};
  return out->row && out->part ? NS_OK : ns_nomem(c, "section");
}

int ns_plot_section_period(ns_ctx *c, ns_arena *a, const double *t, size_t rows, double period,
                           ns_plot_places *out)
{
  double span = rows ? t[rows - 1] - t[0] : 0, max = span / period + 2;
  if (!(max < 1e7))
    return ns_fail(c, NS_USAGE, "--section %g: %.0f periods in %g s, more than 10 million", period,
                   max, span);
  int rc = places_capacity(c, a, (size_t)max, out);
  size_t k = 0;
  for (size_t i = 0; !rc && rows > 1 && (double)i <= span / period * (1 + 1e-12); i++) {
    double at = t[0] + (double)i * period;
    while (k + 2 < rows && t[k + 1] <= at) k++;
    double step = t[k + 1] - t[k];
    out->row[out->n] = k;
    out->part[out->n++] = step > 0 ? fmin(1, (at - t[k]) / step) : 1;
  }
  return rc;
}

int ns_plot_section_rise(ns_ctx *c, ns_arena *a, const double *g, size_t rows, double value,
                         ns_plot_places *out)
{
  int rc = places_capacity(c, a, rows, out);
  for (size_t i = 0; !rc && i + 1 < rows; i++) {
    if (!(g[i] < value && g[i + 1] >= value)) continue; /* a NaN is on no side */
    out->row[out->n] = i;
    out->part[out->n++] = (value - g[i]) / (g[i + 1] - g[i]);
  }
  return rc;
}

/* ---- distributions --------------------------------------------------------------------------- */

static int by_value(const void *p, const void *q)
{
  double a = *(const double *)p, b = *(const double *)q;
  return (a > b) - (a < b);
}

size_t ns_plot_sort(const double *v, size_t n, double *out)
{
  size_t k = 0;
  for (size_t i = 0; i < n; i++)
    if (isfinite(v[i])) out[k++] = v[i];
  if (k) qsort(out, k, sizeof *out, by_value);
  return k;
}

double ns_plot_quantile(const double *sorted, size_t n, double p)
{
  return gsl_stats_quantile_from_sorted_data(sorted, 1, n, p);
}

int ns_plot_bins(const double *sorted, size_t n)
{
  if (n < 2) return 1;
  double middle = ns_plot_quantile(sorted, n, 0.75) - ns_plot_quantile(sorted, n, 0.25);
  double span = sorted[n - 1] - sorted[0], width = 2 * middle / cbrt((double)n);
  if (!(width > 0)) return (int)fmin(200, ceil(1 + log2((double)n))); /* Sturges, 1926 */
  return (int)fmin(200, fmax(1, ceil(span / width)));
}

void ns_plot_histogram(const double *sorted, size_t n, int bins, double *edge, double *count)
{
  double low = n ? sorted[0] : 0, high = n ? sorted[n - 1] : 1;
  if (!(high > low)) {
    double half = low != 0 ? 0.05 * fabs(low) : 0.5;
    low -= half;
    high += half;
  }
  for (int k = 0; k <= bins; k++) edge[k] = low + (high - low) * k / bins;
  for (int k = 0; k < bins; k++) count[k] = 0;
  for (size_t i = 0; i < n; i++) {
    int k = (int)((sorted[i] - low) / (high - low) * bins);
    count[k < 0 ? 0 : k >= bins ? bins - 1 : k]++;
  }
}
