/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot_curve.h -- reduces the points of a curve to those that a picture can show. */
#ifndef NS_IO_PLOT_PLOT_CURVE_H
#define NS_IO_PLOT_PLOT_CURVE_H

#include <stddef.h>

/* Mark the points to keep of a curve over ascending t: the first, minimum, maximum and last of each
 * of `bins` equal intervals, and the neighbours of NaN. keep [n]: 0 or 1. Returns the number
 * kept. */
size_t ns_plot_thin_function(const double *t, const double *y, size_t n, size_t bins, char *keep);
/* Keep the maximum of each of `bins` equal intervals of [from, to], or with `log` of intervals of
 * equal ratio. Used for spectra, which fall by orders of magnitude between their peaks. Points
 * outside the range are dropped except for the nearest. */
size_t ns_plot_thin_peaks(const double *t, const double *y, size_t n, double from, double to,
                          int log, size_t bins, char *keep);
/* The same for a path in the plane: points closer to the last point kept than 1/`part` of the
 * extent are dropped. */
size_t ns_plot_thin_path(const double *x, const double *y, size_t n, double part, char *keep);
/* Keep at most `max` points, evenly spaced. */
size_t ns_plot_thin_evenly(size_t n, size_t max, char *keep);

#endif
