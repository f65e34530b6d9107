/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/keys.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BITS = 11, BUCKETS = 1 << BITS, KEY_BITS = 64 };

/* One pass over `BITS` bits from `shift` on; 0: all keys have the same there, nothing is done. */
static int pass(size_t n, int shift, const ns_keyed *x, ns_keyed *to)
{
  size_t at[BUCKETS] = {0}, next = 0;
  for (size_t i = 0; i < n; i++) at[x[i].key >> shift & (BUCKETS - 1)]++;
  if (at[x[0].key >> shift & (BUCKETS - 1)] == n) return 0;
  for (int k = 0; k < BUCKETS; k++) {
    size_t many = at[k];
    at[k] = next;
    next += many;
  }
  for (size_t i = 0; i < n; i++) to[at[x[i].key >> shift & (BUCKETS - 1)]++] = x[i];
  return 1;
}

void ns_keys_sort(size_t n, ns_keyed *x, ns_keyed *work)
{
  ns_keyed *from = x, *to = work;
  for (int shift = 0; n > 1 && shift < KEY_BITS; shift += BITS)
    if (pass(n, shift, from, to)) {
      ns_keyed *swap = from;
      from = to;
      to = swap;
    }
  if (from != x) memcpy(x, from, n * sizeof *x);
}

/* Bits of x, `axes` apart. */
static uint64_t spread(int axes, uint64_t x)
{
  if (axes == 2) {
    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x << 2) & 0x3333333333333333;
    return (x | x << 1) & 0x5555555555555555;
  }
  x = (x | x << 32) & 0x001f00000000ffff;
  x = (x | x << 16) & 0x001f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

void ns_keys_of_points(size_t n, int axes, const double *at, size_t stride, ns_keyed *x)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY},
         extent = 0;
  double cells = (double)((1u << (axes == 2 ? 31 : 21)) - 1);
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < axes; k++) {
      double c = at[stride * i + (size_t)k];
      if (!(fabs(c) <= DBL_MAX)) continue;
      low[k] = c < low[k] ? c : low[k];
      high[k] = c > high[k] ? c : high[k];
    }
  for (int k = 0; k < axes; k++) extent = fmax(extent, high[k] - low[k]);
  double by = extent > 0 ? cells / extent : 0;
  for (size_t i = 0; i < n; i++) {
    x[i] = (ns_keyed){.index = (int)i};
    for (int k = 0; k < axes; k++) {
      double c = (at[stride * i + (size_t)k] - low[k]) * by;
      c = c > 0 && c <= cells ? c : 0;
      x[i].key |= spread(axes, (uint64_t)c) << k;
    }
  }
}
