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

void ns_tokens_fail(ns_tokens *t, const char *fmt, ...)
{
  char text[768];
  NS_FORMAT(text, fmt);
  if (!t->rc) t->rc = ns_fail(t->c, NS_MODEL, "%s:%d: %s", t->file, t->line, text);
}

void ns_tokens_expected(ns_tokens *t, const char *fmt, ...)
{
  char text[384];
  NS_FORMAT(text, fmt);
  if (!t->len) ns_tokens_fail(t, "the file ends, expected %s", text);
  else ns_tokens_fail(t, "found \"%s\", expected %s", ns_quote(t->word, t->len, 0).text, text);
}

void *ns_tokens_get(ns_tokens *t, size_t n, size_t size)
{
  void *x = t->rc ? NULL : ns_arena_zero(t->arena, n + 1, size);
  if (!x && !t->rc) t->rc = ns_nomem(t->c, "problem");
  return x;
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

int ns_tokens_integer(ns_tokens *t, long long min, long long max, const char *what)
{
  int x = (int)min;
  if (t->rc) return x;
  ns_tokens_next(t);
  if (ns_tokens_as_integer(t->word, t->len, min, max, &x)) return x;
  if (min == max) ns_tokens_expected(t, "%lld, %s", min, what);
  else if (max == 2147483647) ns_tokens_expected(t, "%s: a whole number from %lld", what, min);
  else ns_tokens_expected(t, "%s: a whole number from %lld to %lld", what, min, max);
  return x;
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
static void no_real(ns_tokens *t, int infinite, const char *what)
{
  ns_tokens_expected(t, "%s: a %snumber%s", what, infinite ? "" : "finite ",
                     infinite ? ", inf or -inf" : "");
}

double ns_tokens_real(ns_tokens *t, const char *what)
{
  double x = 0;
  if (t->rc) return 0;
  ns_tokens_next(t);
  if (!real(t, 0, &x)) no_real(t, 0, what);
  return x;
}

void ns_tokens_reals(ns_tokens *t, size_t n, int infinite, double *x, const char *what)
{
  char place[160];
  for (size_t i = 0; i < n && !t->rc; i++) {
    ns_tokens_next(t);
    if (real(t, infinite, &x[i])) continue;
    snprintf(place, sizeof place, "number %zu of the %zu of %s", i + 1, n, what);
    no_real(t, infinite, place);
  }
}

const double *ns_tokens_vector(ns_tokens *t, size_t n, int infinite, const char *what)
{
  ns_tokens_capacity(t, n, 1, what);
  double *x = ns_tokens_get(t, n, sizeof *x);
  ns_tokens_reals(t, n, infinite, x, what);
  return x;
}

void ns_tokens_capacity(ns_tokens *t, size_t rows, size_t cols, const char *what)
{
  size_t capacity = (size_t)(t->end - t->p) / 2;
  if (!rows || cols <= capacity / rows) return;
  char size[48];
  if (cols == 1) snprintf(size, sizeof size, "%zu", rows);
  else snprintf(size, sizeof size, "%zu x %zu", rows, cols);
  ns_tokens_fail(t,
                 "the rest of the file can contain at most %zu numbers, expected the %s of %s; the "
                 "file is truncated, or belongs to a different family",
                 capacity, size, what);
}
