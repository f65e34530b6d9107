/* SPDX-License-Identifier: GPL-3.0-or-later */
/* split.c -- the entries of a vector or matrix text.
 *
 * One pass. At depth 0, ',' ends an entry and ';' a row; white space ends an entry unless an
 * operator next to it needs what is on its other side. Of '-', '+' and '!', which may also begin a
 * value, white space on both sides makes an operator: "a - b" is one entry, "a -b" two. */
#include "expression/expression.h"
#include "expression/quote.h"

#include <limits.h>
#include <string.h>

typedef struct splitter {
  ns_ctx *c;
  const char *at, *text, *p;
  int (*entry)(void *to, int row, int col, const char *text, size_t len);
  void *to;
  int row, col, cols;
} splitter;

static int is_space(char ch) { return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r'; }

static const char *skip_space(const char *p)
{
  while (is_space(*p)) p++;
  return p;
}

/* Whether the last character of an entry waits for more. */
static int open_ended(char last) { return last && strchr("+-*/^<>=&|?:!", last); }

/* Whether p (after white space, after a value) goes on with the entry. */
static int joins(const char *p)
{
  if (*p == '+' || *p == '-') return p[1] == '\0' || is_space(p[1]);
  if (*p == '!') return p[1] == '=';
  return *p && strchr("*/^<>=&|?:)]", *p);
}

/* The end of the entry that begins at p, white space behind it left out. */
static const char *entry_end(const char *p)
{
  const char *end = p;
  for (int depth = 0; *p;) {
    if (is_space(*p)) {
      const char *next = skip_space(p);
      if (!depth && end > p - 1 && !open_ended(end[-1]) && !joins(next)) break;
      p = next;
      continue;
    }
    if (!depth && (*p == ',' || *p == ';')) break;
    if ((*p == '(' || *p == '[') && depth < INT_MAX) depth++;
    if ((*p == ')' || *p == ']') && depth) depth--;
    end = ++p;
  }
  return end;
}

static int fail_at(const splitter *s, const char *p, const char *what)
{
  const char *from = skip_space(s->text);
  size_t at = p > from ? (size_t)(p - from) : 0;
  return ns_fail(s->c, NS_MODEL, "%s: in \"%s\", column %zu: %s", s->at,
                 ns_quote(from, strlen(from), at).text, at + 1, what);
}

static int end_row(splitter *s)
{
  if (s->row && s->col != s->cols)
    return ns_fail(s->c, NS_MODEL,
                   "%s: row %d has %d entries and row 1 has %d, expected the same number in all "
                   "rows",
                   s->at, s->row + 1, s->col, s->cols);
  s->cols = s->col;
  s->col = 0;
  s->row++;
  return NS_OK;
}

static int one_entry(splitter *s)
{
  const char *end = entry_end(s->p);
  if (end == s->p) return fail_at(s, s->p, "an empty entry, expected a formula");
  int rc = s->entry(s->to, s->row, s->col, s->p, (size_t)(end - s->p));
  if (rc) return rc;
  if (s->col == INT_MAX || s->row == INT_MAX) return fail_at(s, s->p, "too many entries");
  s->col++;
  s->p = skip_space(end);
  return NS_OK;
}

int ns_split_entries(ns_ctx *c, const char *at, const char *text,
                     int (*entry)(void *to, int row, int col, const char *text, size_t len),
                     void *to, int *rows, int *cols)
{
  splitter s = {.c = c, .at = at, .text = text, .p = skip_space(text), .entry = entry, .to = to};
  int rc = NS_OK;
  while (*s.p && rc == NS_OK) {
    if ((rc = one_entry(&s)) != NS_OK) break;
    if (*s.p == ',') {
      s.p = skip_space(s.p + 1);
      if (!*s.p) rc = fail_at(&s, s.p, "found the end after \",\", expected a formula");
    } else if (*s.p == ';') {
      s.p = skip_space(s.p + 1);
      rc = end_row(&s);
    }
  }
  if (rc == NS_OK && s.col) rc = end_row(&s);
  *rows = s.row;
  *cols = s.cols;
  return rc;
}
