/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slope.h -- order of convergence from errors at several step lengths. */
#ifndef TESTS_SUPPORT_SLOPE_H
#define TESTS_SUPPORT_SLOPE_H

#include <math.h>

/* Slope of log(error) over log(h), least squares. */
static inline double slope(const double *h, const double *err, int n)
{
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < n; i++) {
    double x = log(h[i]), y = log(err[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

#endif
