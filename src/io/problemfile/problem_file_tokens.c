/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/problemfile/problem_file_tokens.h"

#include "base/grow.h"
#include "expression/quote.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ns_tokens_init(ns_tokens *t, ns_ctx *c, ns_arena *a, const char *file, const char *text,
                   size_t n)
{
  *t = (ns_tokens){.c = c,
                   .arena = a,
                   .file = file,
                   .p = text,
                   .end = text + n,
                   .word = text,
                   .line = 1,
                   .next_line = 1,
                   .posix = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
  return t->posix ? NS_OK : ns_nomem(c, "numbers of a file");
}

void ns_tokens_fini(ns_tokens *t)
{
  if (t->posix) freelocale(t->posix);
  t->posix = (locale_t)0;
}

static int is_space(char k) { return k == ' ' || (k >= '\t' && k <= '\r'); }

int ns_tokens_next(ns_tokens *t)
{
  const char *p = t->p;
  for (; p < t->end && is_space(*p); p++) t->next_line += *p == '\n';
  t->word = p;
  while (p < t->end && !is_space(*p)) p++;
  t->len = (size_t)(p - t->word);
  t->p = p;
  t->line = t->next_line;
  return t->len != 0;
}

int ns_tokens_word(ns_tokens *t, const char *is)
{
  ns_tokens look = *t;
  if (!ns_tokens_next(&look) || look.len != strlen(is) || memcmp(look.word, is, look.len) != 0)
    return 0;
  *t = look;
  return 1;
}

void ns_tokens_skip_line(ns_tokens *t)
{
  const char *stop = memchr(t->p, '\n', (size_t)(t->end - t->p));
  t->p = stop ? stop : t->end;
}

int ns_tokens_fail(const ns_tokens *t, const char *fmt, ...)
{
  char text[768];
  NS_FORMAT(text, fmt);
  return ns_fail(t->c, NS_MODEL, "%s:%d: %s", t->file, t->line, text);
}

int ns_tokens_expected(const ns_tokens *t, const char *fmt, ...)
{
  char text[384];
  NS_FORMAT(text, fmt);
  if (!t->len) return ns_tokens_fail(t, "the file ends, expected %s", text);
  return ns_tokens_fail(t, "found \"%s\", expected %s", ns_quote(t->word, t->len, 0).text, text);
}

int ns_tokens_as_integer(const char *s, size_t len, long long min, long long max, int *x)
{
  char buf[24], *end;
  if (!len || len >= sizeof buf) return 0;
  memcpy(buf, s, len);
  buf[len] = 0;
  if (strspn(buf, "0123456789+-") != len) return 0;
  long long v = strtoll(buf, &end, 10);
  if (*end || v < min || v > max) return 0;
  *x = (int)v;
  return 1;
}

int ns_tokens_integer(ns_tokens *t, long long min, long long max, int *x, const char *what)
{
  ns_tokens_next(t);
  if (ns_tokens_as_integer(t->word, t->len, min, max, x)) return NS_OK;
  if (min == max) return ns_tokens_expected(t, "%lld, %s", min, what);
  if (max == 2147483647) return ns_tokens_expected(t, "%s: a whole number from %lld", what, min);
  return ns_tokens_expected(t, "%s: a whole number from %lld to %lld", what, min, max);
}

/* The word as a number; 0 where it is none, or not finite and not an infinity that is spelt out. */
static int real(const ns_tokens *t, int infinite, double *x)
{
  char *end;
  const char *s = t->word;
  size_t sign = t->len && (*s == '-' || *s == '+');
  if (infinite && t->len == sign + 3 && !memcmp(s + sign, "inf", 3)) {
    *x = *s == '-' ? -INFINITY : INFINITY;
    return 1;
  }
  if (!t->len || strspn(s, "0123456789+-.eE") < t->len) return 0; /* not hexadecimal, nan */
  *x = strtod_l(s, &end, t->posix);
  return end == s + t->len && isfinite(*x);
}

/* Why the word is no number, in the words of what. */
static int no_real(const ns_tokens *t, int infinite, const char *what)
{
  return ns_tokens_expected(t, "%s: a %snumber%s", what, infinite ? "" : "finite ",
                            infinite ? ", inf or -inf" : "");
}

int ns_tokens_real(ns_tokens *t, double *x, const char *what)
{
  ns_tokens_next(t);
  return real(t, 0, x) ? NS_OK : no_real(t, 0, what);
}

int ns_tokens_reals(ns_tokens *t, size_t n, int infinite, double *x, const char *what)
{
  char place[160];
  for (size_t i = 0; i < n; i++) {
    ns_tokens_next(t);
    if (real(t, infinite, &x[i])) continue;
    snprintf(place, sizeof place, "number %zu of the %zu of %s", i + 1, n, what);
    return no_real(t, infinite, place);
  }
  return NS_OK;
}

int ns_tokens_vector(ns_tokens *t, size_t n, int infinite, const double **x, const char *what)
{
  int rc = ns_tokens_capacity(t, n, 1, what);
  if (rc) return rc;
  double *v = ns_arena_get(t->arena, n, sizeof *v);
  if (!v) return ns_nomem(t->c, "numbers of a problem");
  *x = v;
  return ns_tokens_reals(t, n, infinite, v, what);
}

int ns_tokens_capacity(const ns_tokens *t, size_t rows, size_t cols, const char *what)
{
  size_t capacity = (size_t)(t->end - t->p) / 2;
  if (!rows || cols <= capacity / rows) return NS_OK;
  char size[48];
  if (cols == 1) snprintf(size, sizeof size, "%zu", rows);
  else snprintf(size, sizeof size, "%zu x %zu", rows, cols);
  return ns_tokens_fail(t,
                        "the rest of the file can contain at most %zu numbers, expected the %s of "
                        "%s; the file is truncated, or belongs to a different family",
                        capacity, size, what);
}
