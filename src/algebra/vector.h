/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vector.h -- operations on vectors, sums in the order of entries; n = 0 is allowed. Results may be
 * one of the arguments, but not overlap it otherwise. */
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

/* *max := max(*max, a) and s within [low, high], as fmax and fmin, which are calls. A NaN a is left
 * out, a NaN s stays. */
static inline void ns_keep_max(double *max, double a)
{
  if (a > *max) *max = a;
}
static inline double ns_clamp(double s, double low, double high)
{
  return s < low ? low : s > high ? high : s;
}

/* max_i |x_i|; 0 of nothing. A NaN is left out. */
static inline double ns_max_abs(size_t n, const double *x)
{
  double max = 0;
  for (size_t i = 0; i < n; i++) ns_keep_max(&max, fabs(x[i]));
  return max;
}

/* x := value. */
static inline void ns_fill(size_t n, double value, double *x)
{
  for (size_t i = 0; i < n; i++) x[i] = value;
}
static inline void ns_fill_ints(size_t n, int value, int *x)
{
  for (size_t i = 0; i < n; i++) x[i] = value;
}

/* x := a x. */
static inline void ns_scale(size_t n, double a, double *x)
{
  for (size_t i = 0; i < n; i++) x[i] *= a;
}

/* x := x / d, which is not a product with 1/d to the bit. */
static inline void ns_divide(size_t n, double d, double *x)
{
  for (size_t i = 0; i < n; i++) x[i] /= d;
}

/* y := y + a x. */
static inline void ns_axpy(size_t n, double a, const double *x, double *y)
{
  for (size_t i = 0; i < n; i++) y[i] += a * x[i];
}

/* z := x + a y. */
static inline void ns_linear_sum(size_t n, const double *x, double a, const double *y, double *z)
{
  for (size_t i = 0; i < n; i++) z[i] = x[i] + a * y[i];
}

/* y := y + a A x, A [rows x cols] by columns; NULL: zero. */
static inline void ns_gemv(int rows, int cols, double a, const double *A, const double *x,
                           double *y)
{
  for (int j = 0; A && j < cols; j++, A += rows) ns_axpy((size_t)rows, a * x[j], A, y);
}

/* y_i := x_at(i), and y_at(i) := x_i. */
static inline void ns_gather(size_t n, const double *x, const int *at, double *y)
{
  for (size_t i = 0; i < n; i++) y[i] = x[at[i]];
}
static inline void ns_scatter(size_t n, const double *x, const int *at, double *y)
{
  for (size_t i = 0; i < n; i++) y[at[i]] = x[i];
}

/* Counts in first[1..n] to the indices behind them: first[k] += first[k - 1]. */
static inline void ns_prefix_sums(size_t n, int *first)
{
  for (size_t k = 0; k < n; k++) first[k + 1] += first[k];
}

static inline void ns_swap(double *a, double *b)
{
  double t = *a;
  *a = *b;
  *b = t;
}

static inline void ns_swap_ints(int *a, int *b)
{
  int t = *a;
  *a = *b;
  *b = t;
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
