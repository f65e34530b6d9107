/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/plot/plot_curve.h"

#include <math.h>
#include <string.h>

static size_t count(const char *keep, size_t n)
{
  size_t k = 0;
  for (size_t i = 0; i < n; i++) k += (size_t)keep[i];
  return k;
}

/* One bin: rows [a, b). */
static void keep_bin(const double *y, size_t a, size_t b, char *keep)
{
  size_t low = a, high = a;
  for (size_t i = a; i < b; i++) {
    if (isnan(y[i])) { /* a gap in the curve begins or ends here */
      keep[i] = 1;
      if (i > a) keep[i - 1] = 1;
      if (i + 1 < b) keep[i + 1] = 1;
    }
    if (y[i] < y[low] || isnan(y[low])) low = i;
    if (y[i] > y[high] || isnan(y[high])) high = i;
  }
  keep[a] = keep[low] = keep[high] = keep[b - 1] = 1;
}

size_t ns_plot_thin_function(const double *t, const double *y, size_t n, size_t bins, char *keep)
{
  memset(keep, n <= 4 * bins, n);
  if (n <= 4 * bins) return n;
  double width = (t[n - 1] - t[0]) / (double)bins;
  for (size_t a = 0, b; a < n; a = b) {
    double end = t[0] + width * (floor((t[a] - t[0]) / width) + 1);
    for (b = a + 1; b < n && t[b] < end; b++) continue;
    keep_bin(y, a, b, keep);
  }
  return count(keep, n);
}

/* Part of [0, bins] that `at` is in; -1 before the first, bins behind the last. */
static long part_of(double at, size_t bins)
{
  if (at < 0) return -1;
  if (at > (double)bins) return (long)bins;
  return (long)at;
}

size_t ns_plot_thin_peaks(const double *t, const double *y, size_t n, double from, double to,
                          int log_axis, size_t bins, char *keep)
{
  double a = log_axis ? log(from) : from, b = log_axis ? log(to) : to;
  long last = -2; /* the part of `high`, where the greatest so far is */
  size_t high = 0;
  memset(keep, 0, n);
  for (size_t i = 0; i < n; i++) {
    double at = ((log_axis ? log(t[i]) : t[i]) - a) / (b - a) * (double)bins;
    long part = part_of(at, bins);
    if (part == last && !(y[i] > y[high]) && part >= 0) continue;
    if (part != last && last >= -1) keep[high] = 1;
    if (part != last || part < (long)bins) high = i;
    last = part;
  }
  if (n) keep[high] = 1;
  return count(keep, n);
}

static double span(const double *x, size_t n)
{
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < n; i++) {
    low = fmin(low, x[i]);
    high = fmax(high, x[i]);
  }
  return high > low ? high - low : 1;
}

size_t ns_plot_thin_path(const double *x, const double *y, size_t n, double part, char *keep)
{
  double sx = part / span(x, n), sy = part / span(y, n);
  size_t last = 0;
  memset(keep, 0, n);
  for (size_t i = 0; i < n; i++) {
    double dx = sx * (x[i] - x[last]), dy = sy * (y[i] - y[last]);
    if (i && i + 1 < n && dx * dx + dy * dy < 1) continue; /* a NaN is kept */
    keep[i] = 1;
    last = i;
  }
  return count(keep, n);
}

size_t ns_plot_thin_evenly(size_t n, size_t max, char *keep)
{
  size_t step = max ? (n + max - 1) / max : 1;
  for (size_t i = 0; i < n; i++) keep[i] = i % (step ? step : 1) == 0 || i + 1 == n;
  return count(keep, n);
}
