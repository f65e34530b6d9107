/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strip.h -- a few rows of a dense matrix times a vector, two rows in a register. Private to
 * src/problems.
 *
 * Sums are computed in the order of the columns, so that results equal those of a scalar loop to
 * the bit. */
#ifndef NS_PROBLEMS_STRIP_H
#define NS_PROBLEMS_STRIP_H

#include "algebra/pair.h"

typedef long long ns_pair_mask __attribute__((vector_size(16)));

/* max(s, |m|) by entries; |m| if either is NaN. */
static inline ns_pair ns_pair_larger(ns_pair s, ns_pair m)
{
  const ns_pair_mask all = {0x7fffffffffffffff, 0x7fffffffffffffff};
  ns_pair_mask a = (ns_pair_mask)m & all, greater = s > (ns_pair)a;
  return (ns_pair)((greater & (ns_pair_mask)s) | (~greater & a));
}

/* y = q + M z and, unless s is NULL, s = max_j |M_ij|, for `count` rows (a constant <= 8) and n
 * columns. */
static inline __attribute__((always_inline)) void ns_strip(int count, int n, const double *m,
                                                           int ld, const double *q, const double *z,
                                                           double *y, double *s)
{
  ns_pair a0 = {0, 0}, a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
  double c = count & 1 ? q[count - 1] : 0, d = 0;
  if (count > 1) a0 = ns_pair_at(q);
  if (count > 3) a1 = ns_pair_at(q + 2);
  if (count > 5) a2 = ns_pair_at(q + 4);
  if (count > 7) a3 = ns_pair_at(q + 6);
  for (int j = 0; j < n; j++, m += ld) {
    ns_pair f = {z[j], z[j]};
    if (count > 1) a0 += ns_pair_at(m) * f;
    if (count > 3) a1 += ns_pair_at(m + 2) * f;
    if (count > 5) a2 += ns_pair_at(m + 4) * f;
    if (count > 7) a3 += ns_pair_at(m + 6) * f;
    if (count & 1) c += m[count - 1] * z[j];
    if (!s) continue;
    if (count > 1) b0 = ns_pair_larger(b0, ns_pair_at(m));
    if (count > 3) b1 = ns_pair_larger(b1, ns_pair_at(m + 2));
    if (count > 5) b2 = ns_pair_larger(b2, ns_pair_at(m + 4));
    if (count > 7) b3 = ns_pair_larger(b3, ns_pair_at(m + 6));
    if (count & 1) {
      double v = m[count - 1] < 0 ? -m[count - 1] : m[count - 1];
      d = d > v ? d : v;
    }
  }
  const ns_pair a[4] = {a0, a1, a2, a3}, b[4] = {b0, b1, b2, b3};
  memcpy(y, a, (size_t)(count & ~1) * sizeof *y);
  if (count & 1) y[count - 1] = c;
  if (!s) return;
  memcpy(s, b, (size_t)(count & ~1) * sizeof *s);
  if (count & 1) s[count - 1] = d;
}

#endif
