/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vector.h -- sums over vectors in the order of entries; n = 0 is allowed. */
#ifndef NS_ALGEBRA_VECTOR_H
#define NS_ALGEBRA_VECTOR_H

#include <math.h>
#include <stddef.h>

static inline double ns_dot(size_t n, const double *x, const double *y)
{
  double s = 0;
  for (size_t i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}

/* 2-norm. */
static inline double ns_norm(size_t n, const double *x) { return sqrt(ns_dot(n, x, x)); }

/* Largest column sum of |A|, A [n x n] by columns; a NaN stays. */
static inline double ns_norm1(size_t n, const double *A)
{
  double max = 0;
  for (size_t j = 0; j < n; j++) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += fabs(A[i + j * n]);
    if (!(sum <= max)) max = sum;
  }
  return max;
}

/* For qsort of int, ascending. */
static inline int ns_ascending(const void *a, const void *b)
{
  return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

#endif
