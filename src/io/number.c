/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The 17 digits are D = round(x 10^p) with 10^16 <= D < 10^17. Powers of ten up to 10^27 are exact
 * in 64 bits (5^27 < 2^63), so x 10^p in long double has the relative error 2^-64 of one
 * operation, 2^-7 at most in units of D for two of them. Unless the fraction lies within 2^-6 of
 * 1/2 the rounding is therefore certain; the few other values go through snprintf. */
#include "io/number.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const long double ten[] = {
  1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
  1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
enum { EXACT = 27 };

/* |x| 10^p, |p| <= 2*EXACT */
static long double scale(long double x, int p)
{
  int n = p < 0 ? -p : p, a = n > EXACT ? EXACT : n, b = n - a;
  x = p < 0 ? x / ten[a] : x * ten[a];
  if (!b) return x;
  return p < 0 ? x / ten[b] : x * ten[b];
}

/* D and the decimal exponent of x > 0; 0 where it is not certain. */
static int digits17(double x, uint64_t *D, int *exp10)
{
  if (LDBL_MANT_DIG < 64) return 0;
  int e;
  frexp(x, &e);
  int k = (int)floor((e - 1) * 0.30102999566398120);
  if (k < -36 || k > 40) return 0;
  long double y = scale((long double)x, 16 - k);
  if (y >= 1e17L) y = scale((long double)x, 16 - ++k);
  uint64_t d = (uint64_t)y;
  long double f = y - (long double)d;
  if (f > 0.5L - 0x1p-6L && f < 0.5L + 0x1p-6L) return 0;
  if (f > 0.5L) d++;
  if (y < 1e16L || d >= 100000000000000000u) return 0; /* at a power of ten */
  *D = d;
  *exp10 = k;
  return 1;
}

static void put_digits(uint64_t D, char s[17])
{
  uint32_t low = (uint32_t)(D % 100000000u), high = (uint32_t)(D / 100000000u % 100000000u);
  s[0] = (char)('0' + D / 10000000000000000u);
  for (int i = 8; i > 0; i--, low /= 10, high /= 10) {
    s[i] = (char)('0' + high % 10);
    s[8 + i] = (char)('0' + low % 10);
  }
}

/* Layout of %g: fixed point for exponents in [-4, 17), no zeros at the end. */
static size_t lay_out(const char d[17], int k, char *buf)
{
  char *o = buf;
  int n = 17;
  while (n > 1 && d[n - 1] == '0') n--;
  if (k < -4 || k >= 17) {
    *o++ = d[0];
    if (n > 1) *o++ = '.';
    for (int i = 1; i < n; i++) *o++ = d[i];
    *o++ = 'e';
    *o++ = k < 0 ? '-' : '+';
    *o++ = (char)('0' + abs(k) / 10); /* |k| <= 41 here */
    *o++ = (char)('0' + abs(k) % 10);
    *o = 0;
    return (size_t)(o - buf);
  }
  if (k < 0) {
    *o++ = '0';
    *o++ = '.';
    for (int i = -1; i > k; i--) *o++ = '0';
  }
  for (int i = 0; i < n || i <= k; i++) {
    if (k >= 0 && i == k + 1) *o++ = '.';
    *o++ = i < n ? d[i] : '0';
  }
  *o = 0;
  return (size_t)(o - buf);
}

/* printf in whatever locale: its decimal point, if it is not one, becomes one. */
static size_t by_printf(double x, char *buf)
{
  int n = snprintf(buf, NS_NUMBER_SIZE, "%.17g", x);
  for (int i = 0; i < n; i++) {
    if (buf[i] != ',' && (unsigned char)buf[i] < 0x80) continue;
    int tail = i;
    while (tail < n && (buf[tail] == ',' || (unsigned char)buf[tail] >= 0x80)) tail++;
    buf[i] = '.';
    memmove(buf + i + 1, buf + tail, (size_t)(n - tail) + 1);
    return (size_t)(n - (tail - i - 1));
  }
  return (size_t)n;
}

size_t ns_number_format(double x, char buf[NS_NUMBER_SIZE])
{
  uint64_t D;
  int k;
  if (x == 0) return strlen(strcpy(buf, signbit(x) ? "-0" : "0"));
  if (!isfinite(x) || !digits17(fabs(x), &D, &k)) return by_printf(x, buf);
  char d[17];
  put_digits(D, d);
  size_t sign = x < 0;
  if (sign) buf[0] = '-';
  return sign + lay_out(d, k, buf + sign);
}
