/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot_transform.h -- what is made of rows before they are drawn: spectra, Poincare sections,
 * histograms, quantiles. */
#ifndef NS_IO_PLOT_PLOT_TRANSFORM_H
#define NS_IO_PLOT_PLOT_TRANSFORM_H

#include "base/arena.h"
#include "base/context.h"

/* Amplitudes of the oscillations in y over ascending t, s: of a sine of amplitude A whose frequency
 * is one of those computed the amplitude there is A. The mean is taken off, and the rows are
 * weighted by a Hann window (Harris, 1978), times 2, so that the ends leak little. Rows that are
 * not evenly spaced are interpolated linearly at as many even times; up to 3 % of them are left out
 * at the end, so that their number has no prime factor above 7. frequency, amplitude [*n]: Hz from
 * 0 on; memory of a. NS_USAGE: fewer than 8 rows, or a value is not finite. */
int ns_plot_spectrum(ns_ctx *c, ns_arena *a, const double *t, const double *y, size_t rows,
                     double **frequency, double **amplitude, size_t *n);

/* Where rows lie on the section: place k stands for row[k] + part[k] of the way to the next row.
 * Either t is a multiple of the period after t[0], or g rises through the value. Room for `rows`
 * places, or for those of the period; memory of a. */
typedef struct ns_plot_places {
  size_t *row;
  double *part;
  size_t n;
} ns_plot_places;
int ns_plot_section_period(ns_ctx *c, ns_arena *a, const double *t, size_t rows, double period,
                           ns_plot_places *out);
int ns_plot_section_rise(ns_ctx *c, ns_arena *a, const double *g, size_t rows, double value,
                         ns_plot_places *out);

/* Bins of ascending values: their number by Freedman and Diaconis (1981), 1 to 200. */
int ns_plot_bins(const double *sorted, size_t n);
/* How many of the sorted values lie in each of `bins` equal parts of their span; count [bins], edge
 * [bins + 1]. Of one value alone the span is taken as 10 % of it, or 1. */
void ns_plot_histogram(const double *sorted, size_t n, int bins, double *edge, double *count);
/* The part p of sorted values, n >= 1, interpolated (Hyndman and Fan, 1996, definition 7). */
double ns_plot_quantile(const double *sorted, size_t n, double p);
/* Finite values of v, ascending, into out [n]; their number. */
size_t ns_plot_sort(const double *v, size_t n, double *out);

#endif
