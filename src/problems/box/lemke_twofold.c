/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lemke's method with twice the digits, where those of a double do not decide a tie.
 *
 * Each entry is an unevaluated sum of two doubles (Dekker 1971), about 31 digits. Data of few
 * digits, whose bases have determinants below 1e10, are pivoted as in exact arithmetic: equal
 * ratios come out equal to 1e-29, others differ by more than 1e-20. So the lexicographic rule
 * holds, and a degenerate problem ends. A pivot costs some twenty times that of doubles. */
#include "problems/box/lemke.h"

#include <math.h>

static const double TIE = 1e-24, PIVOT = 1e-24;

typedef struct twofold {
  double hi, lo;
} twofold;

static inline twofold renormalised(double hi, double lo)
{
  double s = hi + lo;
  return (twofold){s, lo - (s - hi)};
}

static inline twofold sum(twofold x, twofold y)
{
  double s = x.hi + y.hi, b = s - x.hi;
  double e = (x.hi - (s - b)) + (y.hi - b);
  return renormalised(s, e + (x.lo + y.lo));
}

static inline twofold product_of(double a, double b)
{
  double t = 134217729 * a, ah = t - (t - a), al = a - ah;
  double u = 134217729 * b, bh = u - (u - b), bl = b - bh;
  double p = a * b;
  return (twofold){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static inline twofold product(twofold x, twofold y)
{
  twofold p = product_of(x.hi, y.hi);
  return renormalised(p.hi, p.lo + (x.hi * y.lo + x.lo * y.hi));
}

static inline twofold negative(twofold x) { return (twofold){-x.hi, -x.lo}; }

static twofold quotient(twofold x, twofold y)
{
  double q = x.hi / y.hi;
  twofold r = sum(x, negative(product(y, (twofold){q, 0})));
  double q1 = r.hi / y.hi;
  r = sum(r, negative(product(y, (twofold){q1, 0})));
  return sum(renormalised(q, q1), (twofold){r.hi / y.hi, 0});
}

/* -1, 0, 1: x below, equal to, above y, as far as rounding tells. */
static int compared(twofold x, twofold y, double size)
{
  double d = sum(x, negative(y)).hi;
  if (fabs(d) <= TIE * size) return 0;
  return d < 0 ? -1 : 1;
}

static twofold entry(const ns_lemke *l, int i, int j)
{
  size_t at = (size_t)i * (size_t)l->ld + (size_t)j;
  return (twofold){l->T[at], l->low[at]};
}

static void put(ns_lemke *l, int i, int j, twofold x)
{
  size_t at = (size_t)i * (size_t)l->ld + (size_t)j;
  l->T[at] = x.hi;
  l->low[at] = x.lo;
}

static void pivot(ns_lemke *l, int r, int c)
{
  int n = l->n, cols = n + 2;
  twofold one = {1, 0}, f = quotient(one, entry(l, r, c));
  for (int j = 0; j < cols; j++) put(l, r, j, negative(product(entry(l, r, j), f)));
  put(l, r, c, f);
  for (int i = 0; i < n; i++) {
    twofold a = entry(l, i, c);
    if (i == r || a.hi == 0) continue;
    put(l, i, c, (twofold){0, 0});
    for (int j = 0; j < cols; j++) {
      twofold p = entry(l, r, j);
      if (p.hi != 0) put(l, i, j, sum(entry(l, i, j), product(a, p)));
    }
  }
  ns_lemke_exchange(l, r, c);
}

/* Entry (i, j) of the inverse of the basis. */
static twofold inverse(const ns_lemke *l, int i, int j)
{
  int at = l->where[j];
  if (at >= 0) return (twofold){at == i, 0};
  return negative(entry(l, i, -1 - at));
}

/* Is row i, divided by -T(i,c), lexicographically below row k? Their ratios are equal. Rounding is
 * by the largest entries, not by those compared: where these are zero they are nothing but
 * rounding. */
static int below(const ns_lemke *l, int i, int k, int c)
{
  twofold di = negative(entry(l, i, c)), dk = negative(entry(l, k, c));
  double size = ns_lemke_inverse_size(l, i) / di.hi + ns_lemke_inverse_size(l, k) / dk.hi;
  for (int j = 0; j < l->n; j++) {
    twofold a = quotient(inverse(l, i, j), di), b = quotient(inverse(l, k, j), dk);
    int order = compared(a, b, size);
    if (order) return order < 0;
  }
  return 0;
}

static ns_lemke_block blocking(ns_lemke *l, int c)
{
  int n = l->n, best = -1;
  double max = 0;
  twofold ratio = {0, 0};
  for (int i = 0; i < n; i++) max = fmax(max, fabs(entry(l, i, c).hi));
  for (int i = 0; i < n; i++) {
    twofold a = negative(entry(l, i, c));
    if (!(a.hi > PIVOT * max)) continue;
    twofold v = quotient(entry(l, i, n + 1), a);
    int order = best < 0 ? -1 : compared(v, ratio, 1 + fabs(ratio.hi));
    if (order > 0) continue;
    if (order == 0 && l->basic[best] == 2 * n) continue; /* a tie: z0 leaves if it can */
    if (order == 0 && l->basic[i] != 2 * n && !below(l, i, best, c)) continue;
    best = i;
    ratio = v;
  }
  return (ns_lemke_block){.row = best < 0 ? -2 : best, .d = 1};
}

const ns_lemke_digits ns_lemke_twofold = {.pivot = pivot, .blocking = blocking};
