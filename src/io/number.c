/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The 17 digits are D = round(x 10^p), 10^16 <= D < 10^17, in integers: with x = m 2^e that is m
 * 5^p 2^(e+p), or m 2^(e-n) / 5^n where n = -p > 0. Powers of five up to 5^27 fit 64 bits, so that
 * 128 bits hold the product of m with one of them, and 192 bits that with two. Nothing is lost, and
 * a tie goes to the even digit as printf has it. */
#include "io/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIVES = 27, MIN_EXP10 = -37, MAX_EXP10 = 42 };
#define TEN16 10000000000000000u
#define TEN17 100000000000000000u

/* The 17 digits of a number, d 10^(exp10 - 16), and where they stand. */
typedef struct decimal {
  uint64_t digits;
  int exp10;
} decimal;

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

static const uint64_t five[FIVES + 1] = {1u,
                                         5u,
                                         25u,
                                         125u,
                                         625u,
                                         3125u,
                                         15625u,
                                         78125u,
                                         390625u,
                                         1953125u,
                                         9765625u,
                                         48828125u,
                                         244140625u,
                                         1220703125u,
                                         6103515625u,
                                         30517578125u,
                                         152587890625u,
                                         762939453125u,
                                         3814697265625u,
                                         19073486328125u,
                                         95367431640625u,
                                         476837158203125u,
                                         2384185791015625u,
                                         11920928955078125u,
                                         59604644775390625u,
                                         298023223876953125u,
                                         1490116119384765625u,
                                         7450580596923828125u};

/* a / 2^shift to the nearest integer, ties to even; shift < 128. `more`: a is a little larger than
 * it says. */
static uint64_t shift_right(wide a, int shift, int more)
{
  if (shift <= 0) return (uint64_t)(a << -shift);
  wide rest = a & (((wide)1 << shift) - 1), half = (wide)1 << (shift - 1);
  uint64_t whole = (uint64_t)(a >> shift);
  int tie_up = more || (whole & 1);
  return whole + (rest > half || (rest == half && tie_up));
}

/* m 5^p 2^(e+p) */
static uint64_t multiplied(uint64_t m, int e, int p)
{
  if (p <= FIVES) return shift_right((wide)m * five[p], -(e + p), 0);
  enum { DROP = 56 }; /* bits of the product that shift_right need not see */
  wide a = (wide)m * five[FIVES], low = (wide)(uint64_t)a * five[p - FIVES];
  wide high = (wide)(uint64_t)(a >> 64) * five[p - FIVES] + (uint64_t)(low >> 64);
  uint64_t last = (uint64_t)low;
  int more = (last << (64 - DROP)) != 0;
  return shift_right((high << (64 - DROP)) | (last >> DROP), -(e + p) - DROP, more);
}

/* m 2^(e-n) / 5^n */
static uint64_t divided(uint64_t m, int e, int n)
{
  wide a = (wide)m << (e - n);
  uint64_t whole = (uint64_t)(a / five[n]), twice = 2 * (uint64_t)(a % five[n]);
  return whole + (twice > five[n] || (twice == five[n] && (whole & 1)));
}

static uint64_t scaled(uint64_t m, int e, int p)
{
  return p >= 0 ? multiplied(m, e, p) : divided(m, e, -p);
}

/* Of x > 0; 0 where x is too large or too small for it. */
static int digits17(double x, decimal *out)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  int binary = (int)(bits >> 52) - 1023;
  uint64_t m = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  int k = (binary * 78913) >> 18; /* floor(binary log10 2): the exponent, or one less */
  if (k < MIN_EXP10 || k >= MAX_EXP10) return 0;
  uint64_t D = scaled(m, binary - 52, 16 - k);
  if (D >= TEN17) D = scaled(m, binary - 52, 16 - ++k);
  if (D == TEN17) *out = (decimal){TEN16, k + 1}; /* 9.99... is 10 */
  else *out = (decimal){D, k};
  return 1;
}
#else
static int digits17(double x, decimal *out) { return (void)x, (void)out, 0; }
#endif

/* The eight digits of a < 10^8, two at a time. */
static void put8(uint32_t a, char *s)
{
  static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233"
                              "34353637383940414243444546474849505152535455565758596061626364656667"
                              "6869707172737475767778798081828384858687888990919293949596979899";
  uint32_t high = a / 10000, low = a % 10000;
  memcpy(s, pairs + 2 * (high / 100), 2);
  memcpy(s + 2, pairs + 2 * (high % 100), 2);
  memcpy(s + 4, pairs + 2 * (low / 100), 2);
  memcpy(s + 6, pairs + 2 * (low % 100), 2);
}

enum { DIGITS = 17, PADDED = DIGITS + 16 }; /* copies of a fixed size read beyond the digits */

/* Returns how many are left without the zeros at the end. */
static int put_digits(uint64_t D, char s[PADDED])
{
  uint64_t high = D / 100000000u;
  uint32_t low = (uint32_t)(D % 100000000u);
  s[0] = (char)('0' + high / 100000000u);
  put8((uint32_t)(high % 100000000u), s + 1);
  put8(low, s + 9);
  int n = low ? DIGITS : DIGITS - 8;
  while (n > 1 && s[n - 1] == '0') n--;
  return n;
}

/* n digits as d.ddde-05 */
static size_t lay_out_scientific(const char d[PADDED], int n, int k, char *buf)
{
  char *o = buf;
  *o++ = d[0];
  if (n > 1) {
    *o++ = '.';
    memcpy(o, d + 1, DIGITS - 1);
    o += n - 1;
  }
  *o++ = 'e';
  *o++ = k < 0 ? '-' : '+';
  *o++ = (char)('0' + abs(k) / 10); /* |k| <= MAX_EXP10 */
  *o++ = (char)('0' + abs(k) % 10);
  *o = 0;
  return (size_t)(o - buf);
}

/* Layout of %g: fixed point for exponents in [-4, 17), no zeros at the end. */
static size_t lay_out(const char d[PADDED], int n, int k, char *buf)
{
  if (k < -4 || k >= DIGITS) return lay_out_scientific(d, n, k, buf);
  if (k < 0) {
    memcpy(buf, "0.0000", 6);
    memcpy(buf + 1 - k, d, DIGITS);
    buf[1 - k + n] = 0;
    return (size_t)(1 - k + n);
  }
  memcpy(buf, d, DIGITS); /* zeros before the point stand in d, too */
  int before = k + 1, length = before;
  if (n > before) {
    buf[before] = '.';
    memcpy(buf + before + 1, d + before, DIGITS - 1);
    length = n + 1;
  }
  buf[length] = 0;
  return (size_t)length;
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

static size_t put_zero(int negative, char *buf)
{
  memcpy(buf, negative ? "-0" : "0", (size_t)negative + 2);
  return (size_t)negative + 1;
}

size_t ns_number_format(double x, char buf[NS_NUMBER_SIZE])
{
  decimal a;
  size_t sign = signbit(x) != 0;
  if (x == 0) return put_zero((int)sign, buf);
  if (!isfinite(x) || !digits17(fabs(x), &a)) return by_printf(x, buf);
  char d[PADDED];
  int n = put_digits(a.digits, d);
  buf[0] = '-';
  return sign + lay_out(d, n, a.exp10, buf + sign);
}
