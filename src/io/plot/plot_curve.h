/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot_curve.h -- points of a curve, as many as a picture can show. */
#ifndef NS_IO_PLOT_PLOT_CURVE_H
#define NS_IO_PLOT_PLOT_CURVE_H

#include <stddef.h>

/* Mark the points to keep of a curve over ascending t: of each of `bins` equal parts of the span
 * the first, least, greatest and last, and the neighbours of NaN. keep [n]: 0 or 1. Number kept. */
size_t ns_plot_thin_function(const double *t, const double *y, size_t n, size_t bins, char *keep);
/* The greatest of each of `bins` equal parts of [from, to], or with `log` of parts of equal ratio,
 * as spectra are drawn: between their peaks they fall by orders of magnitude from point to point.
 * Points out of the range are dropped but for the nearest. */
size_t ns_plot_thin_peaks(const double *t, const double *y, size_t n, double from, double to,
                          int log, size_t bins, char *keep);
/* The same for a path in the plane: points that are less than a `part`-th of the extent away from
 * the last one kept are dropped. */
size_t ns_plot_thin_path(const double *x, const double *y, size_t n, double part, char *keep);
/* Evenly, so that at most `most` stay. */
size_t ns_plot_thin_evenly(size_t n, size_t most, char *keep);

#endif
