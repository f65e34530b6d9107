/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study_csv.c -- a study that is a table (RFC 4180): names in the first line, a run in each further
 * one. */
#include "base/grow.h"
#include "io/load/load_files.h"
#include "study/reader.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 10000 };

typedef struct table {
  ns_study_reader *r;
  ns_ctx *c;
  const char *p; /* next character */
  int line;
  int *col; /* column of the study for each of the table; malloced [ncols] */
  int ncols;
  ns_study_cell *cell; /* malloced [cap x s->ncolumns] */
  long long cap;
} table;

/* The next field, without blanks at its ends, to memory of the study; *last: it ends its line. */
static int field(table *t, const char **out, int *last)
{
  const char *p = t->p + strspn(t->p, " \t");
  size_t max = strcspn(p, "\n") + 1, n = 0;
  int quoted = *p == '"', line = t->line;
  if (quoted) max = strlen(p) + 1;
  char *s = quoted ? malloc(max) : NULL, *kept;
  if (quoted && !s) return ns_nomem(t->c, "study");
  if (quoted) {
    for (p++; *p && (*p != '"' || p[1] == '"'); p++) {
      if (*p == '"') p++;
      t->line += *p == '\n';
      s[n++] = *p;
    }
    if (!*p) {
      free(s);
      return ns_fail(t->c, NS_MODEL, "%s:%d: a quote is not closed, expected another \"",
                     t->r->s->path, line);
    }
    p++;
    p += strspn(p, " \t");
  } else {
    n = strcspn(p, ",\r\n");
  }
  const char *from = quoted ? s : p;
  if (!quoted) p += n;
  while (n && isspace((unsigned char)from[n - 1])) n--;
  kept = ns_arena_part(t->r->s->arena, from, n);
  free(s);
  if (!kept) return ns_nomem(t->c, "study");
  *out = kept;
  if (*p == '\r') p++;
  if (*p && *p != ',' && *p != '\n')
    return ns_fail(t->c, NS_MODEL,
                   "%s:%d: text follows a quoted cell, expected a comma or the end of the line",
                   t->r->s->path, line);
  *last = *p != ',';
  if (*p == '\n') t->line++;
  t->p = *p ? p + 1 : p;
  return NS_OK;
}

/* Lines without cells, and comments. */
static void skip_blank_lines(table *t)
{
  for (;;) {
    const char *p = t->p + strspn(t->p, " \t\r");
    if (*p == '#') p += strcspn(p, "\n");
    if (*p && *p != '\n') return;
    t->line += *p == '\n';
    t->p = *p ? p + 1 : p;
    if (!*t->p) return;
  }
}

static int add_name(table *t, const char *name)
{
  char at[300];
  snprintf(at, sizeof at, "%.200s:%d", t->r->s->path, t->line);
  int k = ns_study_add_column(t->r, t->c, at, name);
  if (k < 0) return k;
  for (int i = 0; i < t->ncols; i++)
    if (t->col[i] == k)
      return ns_fail(t->c, NS_MODEL, "%s:%d: %s names two columns, expected one", t->r->s->path,
                     t->line, name);
  if (t->ncols == COLUMNS_MAX)
    return ns_fail(t->c, NS_MODEL, "%s: more than %d columns", t->r->s->path, COLUMNS_MAX);
  return ns_append(&t->col, &t->ncols, &k) < 0 ? ns_nomem(t->c, "study") : NS_OK;
}

/* All unknown names are told. */
static int read_names(table *t)
{
  int last = 0, rc = NS_OK, begin = t->line;
  while (!last) {
    const char *name;
    int bad = field(t, &name, &last);
    int after = t->line;
    if (bad) return bad;
    t->line = begin;
    if (!*name)
      bad = ns_fail(t->c, NS_MODEL,
                    "%s:%d: a column has no name, expected the name of the quantity that it varies",
                    t->r->s->path, begin);
    else bad = add_name(t, name);
    t->line = after;
    if (!rc || bad == NS_NOMEM) rc = bad;
    if (rc == NS_NOMEM) return rc;
  }
  return rc;
}

static int grow(table *t)
{
  size_t width = (size_t)t->r->s->ncolumns;
  if (t->r->s->nruns < t->cap) return NS_OK;
  long long cap = t->cap ? 2 * t->cap : 64;
  if (cap > 2LL * NS_STUDY_RUNS_MAX || cap * (long long)width > 2LL * NS_STUDY_CELLS_MAX)
    return ns_fail(t->c, NS_MODEL, "%s: more than %d runs, or %d cells", t->r->s->path,
                   NS_STUDY_RUNS_MAX, NS_STUDY_CELLS_MAX);
  ns_study_cell *more = realloc(t->cell, (size_t)cap * width * sizeof *more);
  if (!more) return ns_nomem(t->c, "runs of the study");
  t->cell = more;
  t->cap = cap;
  return NS_OK;
}

static int read_row(table *t)
{
  ns_study *s = t->r->s;
  int n = 0, last = 0, line = t->line, rc = grow(t);
  if (rc) return rc;
  ns_study_cell *row = t->cell + (size_t)s->nruns * (size_t)s->ncolumns;
  for (int k = 0; k < s->ncolumns; k++) row[k] = (ns_study_cell){.value = NAN};
  for (; !last; n++) {
    const char *text;
    if ((rc = field(t, &text, &last))) return rc;
    if (n < t->ncols) row[t->col[n]] = ns_study_cell_of(text);
  }
  if (n != t->ncols)
    return ns_fail(t->c, NS_MODEL, "%s:%d: %d cells, expected %d as in the first line", s->path,
                   line, n, t->ncols);
  s->nruns++;
  return NS_OK;
}

static int read_table(table *t, const ns_text *text)
{
  ns_study *s = t->r->s;
  int rc;
  if (memchr(text->text, 0, text->n))
    return ns_fail(t->c, NS_MODEL, "%s: the file is not a text, expected a table", s->path);
  t->p = text->n >= 3 && !memcmp(text->text, "\xef\xbb\xbf", 3) ? text->text + 3 : text->text;
  skip_blank_lines(t);
  if (!*t->p)
    return ns_fail(t->c, NS_MODEL, "%s: the table is empty, expected names in its first line",
                   s->path);
  if ((rc = read_names(t))) return rc;
  for (skip_blank_lines(t); *t->p && !rc; skip_blank_lines(t)) rc = read_row(t);
  if (!rc && !s->nruns)
    rc = ns_fail(t->c, NS_MODEL,
                 "%s: the table has no line after its names, expected one run per line", s->path);
  if (!rc && !(s->cell = ns_arena_copy(s->arena, t->cell, (size_t)s->nruns * (size_t)s->ncolumns,
                                       sizeof *s->cell)))
    rc = ns_nomem(t->c, "runs of the study");
  return rc;
}

int ns_study_read_csv(ns_study_reader *r, ns_ctx *c)
{
  ns_study *s = r->s;
  ns_text text;
  table t = {.r = r, .c = c, .line = 1};
  ns_arena *scratch = ns_arena_create(0, 1);
  ns_files f = {.arena = s->arena, .scratch = scratch};
  if (!r->o->model) {
    ns_arena_destroy(scratch);
    return ns_fail(c, NS_USAGE, "%s: a table does not contain the model; give it with --model FILE",
                   s->path);
  }
  int rc = scratch ? ns_files_init(&f, c, s->path, NULL, 0) : ns_nomem(c, "study");
  if (!rc && !(s->model = ns_arena_text(s->arena, r->o->model))) rc = ns_nomem(c, "study");
  if (!rc) rc = ns_files_read_model(&f, c, s->path, &text);
  if (!rc) rc = ns_study_open_model(r, c, NULL, 0, NULL, 0);
  if (!rc) rc = read_table(&t, &text);
  ns_files_fini(&f);
  ns_arena_destroy(scratch);
  free(t.col);
  free(t.cell);
  return rc;
}
