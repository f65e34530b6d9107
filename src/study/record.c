/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/record.h"

#include "io/number.h"

#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUM = 16, HEAD = 1 + SUM }; /* digits; bytes in front of the first field's tab */

void ns_record_begin(ns_record *r)
{
  r->n = 0;
  r->lost = 0;
  ns_buffer_put(r, "\n0000000000000000", HEAD);
}

void ns_record_fini(ns_record *r) { free(r->s); }

static void escaped(ns_record *r, const char *s)
{
  for (; *s; s++) {
    size_t n = strcspn(s, "\t\n\\");
    ns_buffer_put(r, s, n);
    s += n;
    if (!*s) return;
    ns_buffer_put(r, *s == '\t' ? "\\t" : *s == '\n' ? "\\n" : "\\\\", 2);
  }
}

void ns_record_text(ns_record *r, const char *s)
{
  ns_buffer_put(r, "\t", 1);
  escaped(r, s);
}

void ns_record_number(ns_record *r, double x)
{
  char buf[NS_NUMBER_SIZE];
  ns_buffer_put(r, "\t", 1);
  ns_buffer_put(r, buf, ns_number_format(x, buf));
}

void ns_record_integer(ns_record *r, long long x)
{
  char buf[32];
  snprintf(buf, sizeof buf, "%lld", x);
  ns_record_text(r, buf);
}

static void put_number(ns_record *r, double x)
{
  char buf[NS_NUMBER_SIZE];
  ns_buffer_put(r, buf, ns_number_format(x, buf));
}

void ns_record_value(ns_record *r, const char *name, double x)
{
  ns_record_text(r, name);
  ns_buffer_put(r, "=", 1);
  put_number(r, x);
}

void ns_record_array(ns_record *r, const char *name, const double *x, size_t n)
{
  ns_record_text(r, name);
  ns_buffer_put(r, "=[", 2);
  for (size_t k = 0; k < n; k++) {
    if (k) ns_buffer_put(r, ",", 1);
    put_number(r, x[k]);
  }
}

static void sum_of(const char *s, size_t n, char out[SUM + 1])
{
  struct sha256_ctx h;
  uint8_t sum[SUM / 2];
  static const char digit[] = "0123456789abcdef";
  sha256_init(&h);
  sha256_update(&h, n, (const uint8_t *)s);
  sha256_digest(&h, sizeof sum, sum);
  for (size_t i = 0; i < sizeof sum; i++) {
    out[2 * i] = digit[sum[i] >> 4];
    out[2 * i + 1] = digit[sum[i] & 15];
  }
  out[SUM] = 0;
}

int ns_record_seal(ns_record *r)
{
  char sum[SUM + 1];
  if (r->lost || r->n < HEAD) return 0;
  sum_of(r->s + HEAD, r->n - HEAD, sum);
  memcpy(r->s + 1, sum, SUM);
  return 1;
}

const char *ns_record_next(const char *text, size_t n, size_t *pos, const char **end, long *damaged)
{
  while (*pos < n) {
    const char *s = text + *pos, *stop = memchr(s, '\n', n - *pos);
    size_t len = stop ? (size_t)(stop - s) : n - *pos;
    char sum[SUM + 1];
    *pos += len + (stop != NULL);
    if (len == 0) continue;
    if (len > SUM && s[SUM] == '\t') {
      sum_of(s + SUM, len - SUM, sum);
      *end = s + len;
      if (!memcmp(sum, s, SUM)) return s + SUM + 1;
    }
    if (damaged) ++*damaged;
  }
  return NULL;
}

size_t ns_record_field(const char *s, const char *end, const char **next)
{
  const char *tab = memchr(s, '\t', (size_t)(end - s));
  *next = tab ? tab + 1 : NULL;
  return (size_t)((tab ? tab : end) - s);
}

const char *ns_record_unescape(const char *s, size_t n, char *buf, size_t size)
{
  size_t k = 0;
  for (size_t i = 0; i < n && k + 1 < size; i++) {
    char x = s[i];
    if (x == '\\' && i + 1 < n) {
      x = s[++i];
      x = x == 't' ? '\t' : x == 'n' ? '\n' : x;
    }
    buf[k++] = x;
  }
  if (size) buf[k] = 0;
  return buf;
}
