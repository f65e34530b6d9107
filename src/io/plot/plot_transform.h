/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot_transform.h -- transformations of rows before they are drawn: spectra, Poincare sections,
 * histograms, quantiles. */
#ifndef NS_IO_PLOT_PLOT_TRANSFORM_H
#define NS_IO_PLOT_PLOT_TRANSFORM_H

#include "base/arena.h"
#include "base/context.h"

/* Amplitude spectrum of y over ascending t, s: a sine of amplitude A at one of the computed
 * frequencies gives the amplitude A. The mean is subtracted, and rows are weighted by a Hann window
 * (Harris 1978), scaled by 2, to reduce leakage. Rows that are not evenly spaced are interpolated
 * linearly at as many evenly spaced times. Up to 3 % of the rows are dropped at the end, so that
 * their number has no prime factor above 7. frequency, amplitude [*n]: Hz from 0 on; allocated in
 * a. NS_USAGE: fewer than 8 rows, or a value is not finite. */
int ns_plot_spectrum(ns_ctx *c, ns_arena *a, const double *t, const double *y, size_t rows,
                     double **frequency, double **amplitude, size_t *n);

/* Points of a section: point k is at row[k] + part[k], a fraction of the way to the next row.
 * Either t is t[0] plus a multiple of the period, or g crosses the value upwards. Allocated in
 * a. */
typedef struct ns_plot_places {
  size_t *row;
  double *part;
  size_t n;
} ns_plot_places;
int ns_plot_section_period(ns_ctx *c, ns_arena *a, const double *t, size_t rows, double period,
                           ns_plot_places *out);
int ns_plot_section_rise(ns_ctx *c, ns_arena *a, const double *g, size_t rows, double value,
                         ns_plot_places *out);

/* Number of bins of ascending values by Freedman & Diaconis (1981), 1 to 200. */
int ns_plot_bins(const double *sorted, size_t n);
/* Count the sorted values in each of `bins` equal intervals of their range; count [bins], edge
 * [bins + 1]. If all values are equal, the range is 10 % of the value, or 1. */
void ns_plot_histogram(const double *sorted, size_t n, int bins, double *edge, double *count);
/* Quantile p of sorted values, n >= 1, interpolated (Hyndman & Fan 1996, definition 7). */
double ns_plot_quantile(const double *sorted, size_t n, double p);
/* Copy the finite values of v in ascending order to out [n]; returns their number. */
size_t ns_plot_sort(const double *v, size_t n, double *out);

#endif
