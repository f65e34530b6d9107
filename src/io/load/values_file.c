/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values_file.c -- tables of numbers: file="stiffness.csv", and matrices in MatrixMarket format. */
#include "io/load/values.h"

#include "base/grow.h"
#include "expression/quote.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct table {
  ns_ctx *c;
  const char *at, *shown;
  locale_t posix; /* numbers have a decimal point whatever the user's locale */
  double *value;
  size_t n;
  int rows, cols, line;
} table;

static int add(table *t, double x)
{
  if (ns_grow(&t->value, t->n)) return ns_nomem(t->c, "numbers of a file");
  t->value[t->n++] = x;
  return NS_OK;
}

/* The number that makes up the whole of s[0..n). */
static int number(table *t, const char *s, size_t n)
{
  char buf[64], *end;
  if (n < sizeof buf) {
    memcpy(buf, s, n);
    buf[n] = 0;
    int decimal = strspn(buf, "0123456789+-.eE") == n; /* not hexadecimal, nan, inf */
    double x = decimal ? strtod_l(buf, &end, t->posix) : 0;
    if (decimal && end == buf + n && end > buf && isfinite(x)) return add(t, x);
  }
  return ns_fail(t->c, NS_MODEL,
                 "%s: %s:%d: \"%s\" is not a number, expected finite numbers separated by white "
                 "space or commas",
                 t->at, t->shown, t->line, ns_quote(s, n, 0).text);
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

/* ---- MatrixMarket ---------------------------------------------------------------------------- */

static const char banner[] = "%%MatrixMarket";

int ns_values_is_matrix_market(const char *text, size_t n)
{
  return n > sizeof banner && !strncasecmp(text, banner, sizeof banner - 1);
}

/* How entries are mirrored about the diagonal. */
typedef enum mirror { GENERAL, SYMMETRIC, SKEW } mirror;

typedef struct market {
  table t;                 /* numbers of the current line */
  const char *p, *end;     /* what is left */
  int coordinate, pattern; /* entries with their places; and without values */
  mirror mirror;
  int rows, cols;
  double *value; /* [rows x cols] by rows */
  char *given;   /* [rows x cols] */
} market;

static int bad_market(const market *m, const char *what)
{
  return ns_fail(m->t.c, NS_MODEL, "%s: %s:%d: %s", m->t.at, m->t.shown, m->t.line, what);
}

/* %%MatrixMarket matrix coordinate|array FIELD SYMMETRY */
static int read_banner(market *m)
{
  static const char *const field[] = {"real", "integer", "double", "pattern"},
                           *const symmetry[] = {"general", "symmetric", "skew-symmetric"};
  char line[128], object[16], format[16], kind[16], sym[24];
  const char *stop = memchr(m->p, '\n', (size_t)(m->end - m->p));
  size_t n = (size_t)((stop ? stop : m->end) - m->p);
  int of = -1, how = -1;
  m->t.line = 1;
  snprintf(line, sizeof line, "%.*s", (int)n, m->p);
  m->p += n + (stop != NULL);
  if (sscanf(line + sizeof banner - 1, "%15s %15s %15s %23s", object, format, kind, sym) != 4)
    return bad_market(m, "the first line has too few words, expected %%MatrixMarket matrix "
                         "coordinate real general, or other words of that format");
  for (int k = 0; k < 4; k++)
    if (!strcasecmp(kind, field[k])) of = k;
  for (int k = 0; k < 3; k++)
    if (!strcasecmp(sym, symmetry[k])) how = k;
  m->coordinate = !strcasecmp(format, "coordinate");
  m->pattern = of == 3;
  m->mirror = how < 0 ? GENERAL : (mirror)how;
  if (strcasecmp(object, "matrix") || (!m->coordinate && strcasecmp(format, "array")))
    return bad_market(m, "the matrix is in an unknown format, expected coordinate or array");
  if (of < 0 || how < 0 || (m->pattern && !m->coordinate))
    return bad_market(m, "these entries are not supported, expected real, integer or (in "
                         "coordinate format) pattern, and general, symmetric or skew-symmetric");
  return NS_OK;
}

/* The numbers of the next line that has some, in m->t.value, *n of them; 0 at the end. */
static int next_line(market *m, int *n)
{
  *n = 0;
  while (m->p < m->end && !*n) {
    const char *stop = memchr(m->p, '\n', (size_t)(m->end - m->p));
    if (!stop) stop = m->end;
    m->t.n = 0;
    m->t.rows = 0;
    m->t.line++;
    if (*m->p != '%') {
      int rc = row(&m->t, m->p, stop);
      if (rc) return rc;
      *n = (int)m->t.n;
    }
    m->p = stop + (stop < m->end);
  }
  return NS_OK;
}

static int is_count(double x, double max) { return x >= 1 && x <= max && x == floor(x); }

static int place(market *m, double i1, double j1, double x)
{
  if (!is_count(i1, m->rows) || !is_count(j1, m->cols))
    return bad_market(m, "the entry lies outside of the matrix, expected one of its rows and "
                         "columns, counted from 1");
  size_t i = (size_t)i1 - 1, j = (size_t)j1 - 1, n = (size_t)m->cols;
  if (m->given[i * n + j]) return bad_market(m, "the entry is given twice, expected it once");
  m->given[i * n + j] = 1;
  m->value[i * n + j] = x;
  if (m->mirror == GENERAL) return NS_OK;
  if (i < j || (i == j && m->mirror == SKEW))
    return bad_market(m, m->mirror == SKEW
                             ? "the entry is not below the diagonal, expected only entries below "
                               "it in a skew-symmetric matrix"
                             : "the entry is above the diagonal, expected only entries on or below "
                               "it in a symmetric matrix");
  m->value[j * n + i] = m->mirror == SKEW ? -x : x;
  return NS_OK;
}

/* Number of entries of an array that mirrors them: those on or below the diagonal. */
static double array_entries(const market *m)
{
  double n = m->rows;
  if (m->mirror == GENERAL) return n * m->cols;
  return n * (n + (m->mirror == SKEW ? -1 : 1)) / 2;
}

static int read_size(market *m, double *entries)
{
  int n, rc = next_line(m, &n);
  const double *x = m->t.value;
  if (rc) return rc;
  if (n != 2 + m->coordinate || !is_count(x[0], NS_ENTRIES_MAX) || !is_count(x[1], NS_ENTRIES_MAX))
    return bad_market(m, m->coordinate
                             ? "expected three numbers: rows, columns and entries of the matrix"
                             : "expected two numbers: rows and columns of the matrix");
  if (x[0] * x[1] > NS_ENTRIES_MAX)
    return ns_fail(m->t.c, NS_MODEL, "%s: %s has more than %d entries, expected fewer", m->t.at,
                   m->t.shown, (int)NS_ENTRIES_MAX);
  m->rows = (int)x[0];
  m->cols = (int)x[1];
  if (m->mirror != GENERAL && m->rows != m->cols)
    return bad_market(m, "the matrix is not square, expected a square one, because the first line "
                         "states a symmetry");
  *entries = m->coordinate ? x[2] : array_entries(m);
  size_t size = (size_t)m->rows * (size_t)m->cols;
  m->value = calloc(size, sizeof *m->value);
  m->given = calloc(size, 1);
  return m->value && m->given ? NS_OK : ns_nomem(m->t.c, "numbers of a file");
}

/* The place of entry k of an array: by columns, what is mirrored left out. */
static void next_place(const market *m, int *i, int *j)
{
  if (++*i <= m->rows) return;
  ++*j;
  *i = 1;
  if (m->mirror != GENERAL) *i = *j + (m->mirror == SKEW);
}

static int read_entries(market *m, double entries)
{
  int i = 1 + (m->mirror == SKEW), j = 1, n, rc = NS_OK, wanted = 1;
  if (m->coordinate) wanted = m->pattern ? 2 : 3;
  double k = 0;
  for (; k < entries && !rc; k++) {
    const double *x;
    if ((rc = next_line(m, &n))) break;
    x = m->t.value;
    if (!n) return bad_market(m, "the file ends here, expected more entries, as its sizes state");
    if (n != wanted)
      return bad_market(m, m->coordinate ? "expected row, column and value of an entry (of a "
                                           "pattern, the first two)"
                                         : "expected one entry");
    if (m->coordinate) rc = place(m, x[0], x[1], m->pattern ? 1 : x[2]);
    else {
      rc = place(m, i, j, x[0]);
      next_place(m, &i, &j);
    }
  }
  if (rc || (rc = next_line(m, &n))) return rc;
  return n ? bad_market(m, "expected no more entries, as the sizes of the file state") : NS_OK;
}

static int parse_market(market *m)
{
  double entries = 0;
  int rc = read_banner(m);
  if (!rc) rc = read_size(m, &entries);
  return rc ? rc : read_entries(m, entries);
}

/* ---- any ------------------------------------------------------------------------------------- */

int ns_values_parse_file(ns_ctx *c, const char *at, const char *shown, const char *text, size_t n,
                         double **value, int *rows, int *cols)
{
  table t = {.c = c, .at = at, .shown = shown, .posix = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
  const char *p = text, *end = text + n;
  int rc = t.posix ? NS_OK : ns_nomem(c, "numbers of a file");
  if (!rc && ns_values_is_matrix_market(text, n)) {
    market m = {.t = t, .p = text, .end = end};
    rc = parse_market(&m);
    free(m.given);
    free(m.t.value);
    freelocale(t.posix);
    *value = m.value;
    *rows = m.rows;
    *cols = m.cols;
    return rc;
  }
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
