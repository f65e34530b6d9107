/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pair.h -- two doubles in a vector register, and short sums with them. */
#ifndef NS_ALGEBRA_PAIR_H
#define NS_ALGEBRA_PAIR_H

#include <string.h>

typedef double ns_pair __attribute__((vector_size(16)));

static inline ns_pair ns_pair_at(const double *m)
{
  ns_pair p;
  memcpy(&p, m, sizeof p);
  return p;
}

static inline void ns_pair_put(ns_pair p, double *m) { memcpy(m, &p, sizeof p); }

/* x . y [n], with separate sums of even and odd terms: twice as fast as ns_dot, with different
 * rounding. */
static inline double ns_dot_pairs(int n, const double *x, const double *y)
{
  ns_pair s = {0, 0};
  int i = 0;
  for (; i + 1 < n; i += 2) s += ns_pair_at(x + i) * ns_pair_at(y + i);
  return s[0] + s[1] + (i < n ? x[i] * y[i] : 0);
}

/* y[0..1] += a x[0..1] */
static inline void ns_pair_add(double *y, double a, const double *x)
{
  const ns_pair f = {a, a};
  ns_pair_put(ns_pair_at(y) + f * ns_pair_at(x), y);
}

/* y += a x [n] */
static inline void ns_axpy_pairs(int n, double a, const double *x, double *y)
{
  int i = 0;
  for (; i + 1 < n; i += 2) ns_pair_add(y + i, a, x + i);
  if (i < n) y[i] += a * x[i];
}

/* y = A x, A [6 x 6] by columns; x and y do not overlap. */
static inline void ns_mul6(const double *A, const double *x, double *y)
{
  ns_pair a = {0, 0}, b = a, c = a;
  for (int j = 0; j < 6; j++, A += 6) {
    const ns_pair f = {x[j], x[j]};
    a += ns_pair_at(A) * f;
    b += ns_pair_at(A + 2) * f;
    c += ns_pair_at(A + 4) * f;
  }
  ns_pair_put(a, y);
  ns_pair_put(b, y + 2);
  ns_pair_put(c, y + 4);
}

#endif
