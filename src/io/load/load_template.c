/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_template.c -- ids with indices in braces: bead{i+1}. */
#include "io/load/load_job.h"

#include "expression/quote.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int fail_at(ns_load *l, const ns_elem *e, const char *attribute, const char *text,
                   size_t len, const char *what)
{
  return ns_elem_fail(&l->msg, e, NULL, "attribute %s: \"%s\" %s", attribute,
                      ns_quote(text, len, 0).text, what);
}

int ns_template_make(ns_load *l, const ns_elem *e, const char *attribute, const char *text,
                     size_t len, const ns_indices *index, ns_template *t)
{
  const ns_where at = {.e = e, .attribute = attribute};
  int n = 0, rc = NS_OK;
  for (size_t i = 0; i < len; i++) n += text[i] == '{';
  const ns_array want[] = {{&t->literal, (size_t)n, sizeof *t->literal},
                           {&t->len, (size_t)n, sizeof *t->len},
                           {&t->expr, (size_t)n, sizeof *t->expr}};
  if (ns_arena_arrays(l->scratch, want, sizeof want / sizeof *want))
    return ns_nomem(&l->msg.c, "ids");
  t->nexpr = n;
  const char *p = text, *end = text + len;
  for (int i = 0; i <= n && !rc; i++) {
    const char *open = memchr(p, '{', (size_t)(end - p)), *stop = open ? open : end;
    if (memchr(p, '}', (size_t)(stop - p)))
      return fail_at(l, e, attribute, text, len, "has a } without {");
    t->literal[i] = p;
    t->len[i] = (size_t)(stop - p);
    if (!open) break;
    const char *close = memchr(open, '}', (size_t)(end - open));
    if (!close || memchr(open + 1, '{', (size_t)(close - open) - 1))
      return fail_at(l, e, attribute, text, len, "has a { without }");
    rc = ns_scalar_make(l, &at, open + 1, (size_t)(close - open) - 1, index, &t->expr[i]);
    p = close + 1;
  }
  return rc;
}

/* The id is well formed: begins with a letter or _, goes on with letters, digits, _ or -. */
static int is_id(const char *s)
{
  if (!isalpha((unsigned char)*s) && *s != '_') return 0;
  for (; *s; s++)
    if ((unsigned char)*s > 127 || (!isalnum((unsigned char)*s) && *s != '_' && *s != '-'))
      return 0;
  return 1;
}

/* Decimal digits of x at p, not ended; returns their number. Much faster than printf. */
static size_t put_integer(char *p, long x)
{
  char digit[24];
  size_t n = 0, k = 0;
  unsigned long u = x < 0 ? 0UL - (unsigned long)x : (unsigned long)x;
  do digit[n++] = (char)('0' + u % 10);
  while (u /= 10);
  if (x < 0) p[k++] = '-';
  while (n) p[k++] = digit[--n];
  return k;
}

int ns_template_write(ns_load *l, const ns_elem *e, const ns_template *t, const ns_indices *index,
                      char *buf)
{
  size_t n = 0;
  for (int i = 0; i <= t->nexpr; i++) {
    if (n + t->len[i] + 24 > NS_ID_MAX)
      return ns_elem_fail(&l->msg, e, NULL,
                          "the id \"%.40s...\" is too long, expected at most %d characters",
                          t->literal[0], NS_ID_MAX - 24);
    memcpy(buf + n, t->literal[i], t->len[i]);
    n += t->len[i];
    if (i == t->nexpr) break;
    double x = ns_scalar_get(&t->expr[i], index);
    if (isnan(x) && l->nan_said) return NS_MODEL;
    if (!(x == floor(x) && fabs(x) <= 1e15)) {
      buf[n] = 0;
      return ns_elem_fail(&l->msg, e, NULL,
                          "the braces after \"%s\" contain %.10g, expected a whole number", buf, x);
    }
    n += put_integer(buf + n, (long)x);
  }
  buf[n] = 0;
  if (is_id(buf)) return NS_OK;
  const char *advice = "";
  if (strchr(buf, ',')) advice = "; ids are separated by white space";
  else if (strpbrk(buf, "$[(<")) advice = "; an index of <repeat> is written in braces: ball{i}";
  return ns_elem_fail(
      &l->msg, e, NULL,
      "\"%s\" is not an id, expected a letter followed by letters, digits, _ or -%s",
      ns_quote(buf, n, 0).text, advice);
}

int ns_template_id(ns_load *l, const ns_elem *e, const ns_template *t, const ns_indices *index,
                   const char **id)
{
  char buf[NS_ID_MAX + 1];
  int rc = ns_template_write(l, e, t, index, buf);
  if (rc) return rc;
  return (*id = ns_arena_text(l->m->arena, buf)) ? NS_OK : ns_nomem(&l->msg.c, "ids");
}

int ns_indices_keep(ns_load *l, const ns_indices *index, const double **to)
{
  if (!index->n) return NS_OK;
  *to = ns_arena_copy(l->m->arena, index->value, (size_t)index->n, sizeof **to);
  return *to ? NS_OK : ns_nomem(&l->msg.c, "indices of <repeat>");
}
