/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_table.c -- <repeat table="bodies.csv">: a line of names, then numbers. */
#include "io/load/load_job.h"
#include "io/load/values.h"

#include "expression/quote.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int ns_load_column(ns_load *l, ns_table *r, const char *index, const char *name, size_t len)
{
  char *s = ns_arena_format(l->scratch, "%s.%.*s", index, (int)len, name);
  if (!s) return ns_nomem(&l->msg.c, "columns of a table");
  r->name[r->cols] = s;
  r->column[r->cols++] = s + strlen(index) + 1;
  return NS_OK;
}

int ns_load_column_check(ns_load *l, const ns_elem *e, const char *shown, const ns_table *r,
                         const char *name, size_t len)
{
  const char *wrong = ns_load_bad_name(name, len);
  ns_quotation quoted = ns_quote(name, len, 0);
  if (wrong)
    return ns_elem_fail(&l->msg, e, NULL, "column %d of %s: the name \"%s\" %s", r->cols + 1, shown,
                        quoted.text, wrong);
  for (int k = 0; k < r->cols; k++)
    if (!strncmp(r->column[k], name, len) && !r->column[k][len])
      return ns_elem_fail(&l->msg, e, NULL, "%s has two columns %s, expected different names",
                          shown, quoted.text);
  if (r->cols == NS_REPEAT_COLUMNS)
    return ns_elem_fail(&l->msg, e, NULL, "%s has more than %d columns, expected fewer", shown,
                        NS_REPEAT_COLUMNS);
  return NS_OK;
}

static int is_separator(char c) { return c == ',' || isspace((unsigned char)c); }

/* Names in the line [p, end). */
static int header(ns_load *l, const ns_elem *e, const char *shown, const char *p, const char *end,
                  ns_table *r)
{
  int rc = NS_OK;
  while (p < end && !rc) {
    const char *begin = p;
    while (p < end && !is_separator(*p)) p++;
    if (p > begin) rc = ns_load_column_check(l, e, shown, r, begin, (size_t)(p - begin));
    if (p > begin && !rc)
      rc = ns_load_column(l, r, ns_elem_attr(e, "index"), begin, (size_t)(p - begin));
    while (p < end && is_separator(*p)) p++;
  }
  return rc;
}

const char *ns_load_first_line(const char *p, const char *end, const char **stop)
{
  for (; p < end; p = *stop + (*stop < end)) {
    if (!(*stop = memchr(p, '\n', (size_t)(end - p)))) *stop = end;
    while (p < *stop && isspace((unsigned char)*p)) p++;
    if (p < *stop && *p != '#') return p;
  }
  return NULL;
}

/* Rows of numbers in text [n] of a file, to r; *cols of them. */
static int read_rows(ns_load *l, const ns_elem *e, const char *shown, const char *text, size_t n,
                     int *cols, ns_table *r)
{
  double *value = NULL;
  int rows = 0;
  int rc = ns_values_parse_file(&l->msg.c, ns_elem_at(e, NULL).text, shown, text, n, &value, &rows,
                                cols);
  if (!rc &&
      !(r->value = ns_arena_copy(l->scratch, value, (size_t)rows * (size_t)*cols, sizeof *value)))
    rc = ns_nomem(&l->msg.c, "a table");
  r->n = rows;
  free(value);
  return rc;
}

/* Rows of a file that has no names; they are those of columns=. */
static int read_unnamed(ns_load *l, const ns_elem *e, const char *shown, const ns_text *text,
                        ns_table *r)
{
  int cols, rc = read_rows(l, e, shown, text->text, text->n, &cols, r);
  return rc ? rc : ns_load_given_columns(l, e, shown, cols, r);
}

static int read_text(ns_load *l, const ns_elem *e, ns_table *r)
{
  const char *shown, *real, *stop;
  ns_text text;
  int cols = 0;
  ns_elem_place at = ns_elem_at(e, NULL);
  int rc = ns_files_read_named(&l->files, &l->msg.c, at.text, e->dir, ns_elem_attr(e, "table"),
                               &text, &shown, &real);
  if (rc) return rc;
  if (text.n > 8 && !memcmp(text.text, "\211HDF", 4))
    return ns_elem_fail(&l->msg, e, NULL,
                        "%s is an HDF5 file, expected dataset=\"...\" with a path in it, or "
                        "select=\"*\" for the systems of a result",
                        shown);
  if (ns_values_is_matrix_market(text.text, text.n)) return read_unnamed(l, e, shown, &text, r);
  if (ns_elem_attr(e, "columns"))
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute columns is given, but the first line of %s names its columns; "
                        "remove it",
                        shown);
  const char *end = text.text + text.n, *line = ns_load_first_line(text.text, end, &stop);
  if (!line)
    return ns_elem_fail(&l->msg, e, NULL,
                        "%s is empty, expected a line of names, then rows of numbers", shown);
  rc = header(l, e, shown, line, stop, r);
  if (!rc) rc = read_rows(l, e, shown, stop, (size_t)(end - stop), &cols, r);
  if (!rc && cols != r->cols)
    rc = ns_elem_fail(&l->msg, e, NULL,
                      "%s has %d columns of numbers and %d names, expected a name for each", shown,
                      cols, r->cols);
  return rc;
}

/* Attributes of one kind of file beside another. */
static int misplaced(ns_load *l, const ns_elem *e)
{
  const char *dataset = ns_elem_attr(e, "dataset"), *select = ns_elem_attr(e, "select");
  if (dataset && select)
    return ns_elem_fail(&l->msg, e, NULL,
                        "attributes dataset and select are given, expected one of them: a dataset "
                        "of an HDF5 file, or the systems of a result");
  if (select && ns_elem_attr(e, "columns"))
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute columns is given together with select, whose columns have "
                        "names; remove it");
  if (!select && ns_elem_attr(e, "time"))
    return ns_elem_fail(
        &l->msg, e, NULL,
        "attribute time is given without select, expected select=\"*\" or another pattern of ids");
  return NS_OK;
}

int ns_load_table(ns_load *l, const ns_elem *e, ns_table *r)
{
  const char *shown, *real, *dataset = ns_elem_attr(e, "dataset");
  int rc = misplaced(l, e);
  *r = (ns_table){0};
  if (rc) return rc;
  if (!dataset && !ns_elem_attr(e, "select")) return read_text(l, e, r);
  ns_elem_place at = ns_elem_at(e, NULL);
  rc = ns_files_find_named(&l->files, &l->msg.c, at.text, e->dir, ns_elem_attr(e, "table"), &shown,
                           &real);
  if (rc) return rc;
  return dataset ? ns_load_dataset(l, e, shown, real, r) : ns_load_states(l, e, shown, real, r);
}
