/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values_file.c -- tables of numbers: file="stiffness.csv". */
#include "io/load/values.h"

#include "expression/quote.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct table {
  ns_ctx *c;
  const char *at, *shown;
  locale_t posix; /* numbers have a decimal point whatever the user's locale */
  double *value;
  size_t n, cap;
  int rows, cols, line;
} table;

static int add(table *t, double x)
{
  if (t->n == t->cap) {
    size_t cap = t->cap ? 2 * t->cap : 64;
    double *p = realloc(t->value, cap * sizeof *p);
    if (!p) return ns_nomem(t->c, "numbers of a file");
    t->value = p;
    t->cap = cap;
  }
  t->value[t->n++] = x;
  return NS_OK;
}

/* The number that makes up the whole of s[0..n). */
static int number(table *t, const char *s, size_t n)
{
  char buf[64], quoted[NS_QUOTE_BYTES], *end;
  if (n < sizeof buf) {
    memcpy(buf, s, n);
    buf[n] = 0;
    int decimal = strspn(buf, "0123456789+-.eE") == n; /* not hexadecimal, nan, inf */
    double x = decimal ? strtod_l(buf, &end, t->posix) : 0;
    if (decimal && end == buf + n && end > buf && isfinite(x)) return add(t, x);
  }
  ns_quote(quoted, s, n, 0);
  return ns_fail(t->c, NS_MODEL,
                 "%s: %s:%d: \"%s\" is not a number, expected finite numbers separated by white "
                 "space or commas",
                 t->at, t->shown, t->line, quoted);
}

/* Entries between p and end; commas part them, white space too. */
static int row(table *t, const char *p, const char *end)
{
  size_t before = t->n;
  int comma = 0, rc = NS_OK;
  while (p < end && !rc) {
    if (isspace((unsigned char)*p)) {
      p++;
      continue;
    }
    const char *begin = p;
    while (p < end && *p != ',' && !isspace((unsigned char)*p)) p++;
    if (p > begin) {
      rc = number(t, begin, (size_t)(p - begin));
      comma = 0;
      while (p < end && isspace((unsigned char)*p)) p++;
    }
    if (p < end && *p == ',') {
      if (comma || p == begin)
        return ns_fail(t->c, NS_MODEL, "%s: %s:%d: an entry is empty, expected a number", t->at,
                       t->shown, t->line);
      comma = 1;
      p++;
    }
  }
  if (rc || t->n == before) return rc;
  if (comma)
    return ns_fail(t->c, NS_MODEL, "%s: %s:%d: the line ends with a comma, expected a number",
                   t->at, t->shown, t->line);
  if (t->n - before > NS_ENTRIES_MAX || t->rows == NS_ENTRIES_MAX)
    return ns_fail(t->c, NS_MODEL, "%s: %s has more than %d entries, expected fewer", t->at,
                   t->shown, (int)NS_ENTRIES_MAX);
  int cols = (int)(t->n - before);
  if (t->rows++ && cols != t->cols)
    return ns_fail(t->c, NS_MODEL,
                   "%s: %s:%d: the row has %d entr%s, expected %d as in the rows above", t->at,
                   t->shown, t->line, cols, cols == 1 ? "y" : "ies", t->cols);
  t->cols = cols;
  return NS_OK;
}

int ns_values_parse_file(ns_ctx *c, const char *at, const char *shown, const char *text, size_t n,
                         double **value, int *rows, int *cols)
{
  table t = {.c = c, .at = at, .shown = shown, .posix = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
  const char *p = text, *end = text + n;
  int rc = t.posix ? NS_OK : ns_nomem(c, "numbers of a file");
  while (p < end && !rc) {
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    if (!stop) stop = end;
    const char *first = p;
    while (first < stop && isspace((unsigned char)*first)) first++;
    t.line++;
    if (first < stop && *first != '#') rc = row(&t, first, stop);
    p = stop + (stop < end);
  }
  if (t.posix) freelocale(t.posix);
  if (!rc && t.n == 0)
    rc = ns_fail(c, NS_MODEL, "%s: %s contains no numbers, expected a table of them", at, shown);
  *value = t.value;
  *rows = t.rows;
  *cols = t.cols;
  return rc;
}
