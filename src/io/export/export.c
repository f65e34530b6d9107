/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/export/export.h"

#include "io/export/export_gather.h"
#include "io/results/event_columns.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which rows and columns ------------------------------------------------------------------ */

/* Whether row i is one of each `every`, counted from `first`, or the last. */
static int is_asked(size_t i, size_t first, size_t last, size_t every)
{
  return i == last || every < 2 || (i - first) % every == 0;
}

static int no_rows(ns_ctx *c, const ns_result *r, const double *t, size_t n)
{
  if (!n) return NS_OK;
  return ns_fail(c, NS_USAGE, "%s: no rows between --from and --to; it has t = %g s to %g s",
                 ns_result_path(r), t[0], t[n - 1]);
}

int ns_export_rows(ns_ctx *c, ns_result *r, const ns_export_options *o, ns_arena *a, size_t **rows,
                   size_t *n)
{
  ns_column time;
  size_t all = ns_result_get_meta(r)->nrows, first = 0, end = all;
  double *t = ns_arena_get(a, all, sizeof *t);
  *rows = ns_arena_get(a, all, sizeof **rows);
  *n = 0;
  if (!t || !*rows) return ns_nomem(c, "rows to export");
  int rc = ns_result_find(r, c, "time", &time);
  if (!rc) rc = ns_result_read(r, c, &time, t);
  if (rc) return rc;
  while (first < all && t[first] < o->from) first++;
  while (end > first && t[end - 1] > o->to) end--;
  for (size_t i = first; i < end; i++)
    if (is_asked(i, first, end - 1, o->every)) (*rows)[(*n)++] = i;
  return *n ? NS_OK : no_rows(c, r, t, all);
}

/* The columns that are asked for, each once: time, then those of each pattern in the order of the
 * file. */
typedef struct choice {
  const ns_result_meta *m;
  ns_column *cols; /* [m->ncols] */
  int n;
  char *taken; /* [m->ncols] */
} choice;

static void take(choice *x, const ns_column *cols, int n)
{
  for (int k = 0; k < n; k++) {
    char *taken = &x->taken[x->m->channels[cols[k].channel].col + (size_t)cols[k].component];
    if (!*taken) x->cols[x->n++] = cols[k];
    *taken = 1;
  }
}

/* As ns_result_match; an id alone means all its quantities. */
static int match(ns_ctx *c, ns_result *r, const char *pattern, ns_arena *a, ns_column **cols,
                 int *n)
{
  ns_ctx quiet = {0};
  char all[512];
  snprintf(all, sizeof all, "%.500s.*", pattern);
  if (!strpbrk(pattern, ".*?") && ns_result_match(r, &quiet, pattern, a, cols, n) == NS_USAGE) {
    quiet = (ns_ctx){0};
    if (ns_result_match(r, &quiet, all, a, cols, n) == NS_OK) return NS_OK;
  }
  return ns_result_match(r, c, pattern, a, cols, n);
}

static int choose_columns(ns_ctx *c, ns_result *r, const ns_export_options *o, ns_arena *a,
                          ns_column **cols, int *n)
{
  static const char *const everything[] = {"*"};
  const ns_result_meta *m = ns_result_get_meta(r);
  choice x = {m, ns_arena_get(a, m->ncols, sizeof *x.cols), 0, ns_arena_zero(a, m->ncols, 1)};
  ns_column time, *some;
  if (!x.cols || !x.taken) return ns_nomem(c, "columns to export");
  int k, rc = ns_result_find(r, c, "time", &time);
  if (!rc) take(&x, &time, 1);
  for (int i = 0; i < (o->n ? o->n : 1) && !rc; i++) {
    rc = match(c, r, o->n ? o->quantities[i] : everything[0], a, &some, &k);
    if (!rc) take(&x, some, k);
  }
  *cols = x.cols;
  *n = x.n;
  return rc;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void put_number(double x, FILE *f)
{
  char s[NS_NUMBER_SIZE];
  fwrite(s, 1, ns_number_format(x, s), f);
}

/* A field of CSV (RFC 4180). */
static void put_field(const char *s, FILE *f)
{
  if (!strpbrk(s, ",\"\r\n")) {
    fputs(s, f);
    return;
  }
  fputc('"', f);
  for (; *s; s++) {
    if (*s == '"') fputc('"', f);
    fputc(*s, f);
  }
  fputc('"', f);
}

static int put_table(ns_ctx *c, ns_result *r, const ns_column *cols, int ncols, const size_t *rows,
                     size_t nrows, FILE *f)
{
  size_t n = ns_result_get_meta(r)->nrows;
  double *x = malloc((n * (size_t)ncols + 1) * sizeof *x);
  if (!x) return ns_nomem(c, "columns to export");
  int rc = NS_OK;
  for (int k = 0; k < ncols && !rc; k++) { /* the first is the time */
    double *column = x + n * (size_t)k;
    rc = ns_result_read(r, c, &cols[k], column);
    if (!rc) ns_export_gather(ns_result_get_meta(r), &cols[k], x, rows, nrows, column);
    if (k && !rc) fputc(',', f);
    if (!rc) put_field(cols[k].label, f);
  }
  if (!rc) fputc('\n', f);
  for (size_t i = 0; i < nrows && !rc; i++) {
    for (int k = 0; k < ncols; k++) {
      if (k) fputc(',', f);
      put_number(x[rows[i] + n * (size_t)k], f);
    }
    fputc('\n', f);
  }
  free(x);
  return rc;
}

/* An event in the span that the options ask for. */
static int in_span(const ns_result_event *e, const ns_export_options *o)
{
  return !(e->t < o->from) && !(e->t > o->to);
}

static int put_events(ns_ctx *c, ns_result *r, const ns_export_options *o, FILE *f)
{
  const ns_result_event *e;
  size_t n = ns_result_get_meta(r)->nevents;
  int rc = ns_result_events(r, c, &e);
  if (rc) return rc;
  for (int k = 0; k < NS_EVENT_COLUMNS; k++)
    fprintf(f, "%s%s", k ? "," : "", ns_event_columns[k].name);
  fputc('\n', f);
  for (; n; n--, e++) {
    if (!in_span(e, o)) continue;
    for (int k = 0; k < NS_EVENT_COLUMNS; k++) {
      char buf[NS_NUMBER_SIZE];
      if (k) fputc(',', f);
      put_field(ns_event_field(&ns_event_columns[k], e, buf), f);
    }
    fputc('\n', f);
  }
  return NS_OK;
}

static void put_measured(const ns_measured *x, const char *name, double value, double time, FILE *f)
{
  put_field(name, f);
  fprintf(f, ",%s,", x->kind);
  put_field(x->unit ? x->unit : "", f);
  fputc(',', f);
  put_number(value, f);
  fputc(',', f);
  put_number(time, f);
  fputc(',', f);
  put_field(x->why ? x->why : "", f);
  fputc('\n', f);
}

/* Values and times of the samples of measure k, to be freed; NULL: out of memory. */
static double *samples(ns_ctx *c, const ns_result_meta *m, int k, const ns_measured *x)
{
  double *v = malloc((2 * (size_t)x->samples + 1) * sizeof *v);
  if (v) ns_result_measure_samples(m, k, v, v + x->samples);
  else ns_nomem(c, "samples to export");
  return v;
}

static int put_samples(ns_ctx *c, const ns_result_meta *m, int k, const ns_measured *x, FILE *f)
{
  char name[512];
  double *v = samples(c, m, k, x);
  if (!v) return NS_NOMEM;
  for (int i = 0; i < x->samples; i++) {
    snprintf(name, sizeof name, "%.480s[%d]", x->id, i);
    put_measured(x, name, v[i], v[x->samples + i], f);
  }
  free(v);
  return NS_OK;
}

static int put_measures(ns_ctx *c, const ns_result_meta *m, FILE *f)
{
  ns_measured x;
  int rc = NS_OK;
  fputs("measure,kind,unit,value,time,undefined\n", f);
  for (int k = 0; k < m->nmeasures && !rc; k++) {
    ns_result_measure_get(m, k, &x);
    if (x.samples < 0) put_measured(&x, x.id, x.value, x.time, f);
    else rc = put_samples(c, m, k, &x, f);
  }
  return rc;
}

static int csv_rows(ns_ctx *c, ns_result *r, const ns_export_options *o, ns_arena *a, FILE *f)
{
  ns_column *cols;
  size_t *rows, nrows;
  int ncols, rc = choose_columns(c, r, o, a, &cols, &ncols);
  if (!rc) rc = ns_export_rows(c, r, o, a, &rows, &nrows);
  return rc ? rc : put_table(c, r, cols, ncols, rows, nrows, f);
}

int ns_export_csv(ns_ctx *c, ns_result *r, const ns_export_options *o, FILE *f)
{
  if (o->what == NS_EXPORT_EVENTS) return put_events(c, r, o, f);
  if (o->what == NS_EXPORT_MEASURES) return put_measures(c, ns_result_get_meta(r), f);
  ns_arena *a = ns_arena_create(0, 1);
  if (!a) return ns_nomem(c, "columns to export");
  int rc = csv_rows(c, r, o, a, f);
  ns_arena_destroy(a);
  return rc;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Members of one object, one a line: a whole result as one tree would need ten times its memory. */
typedef struct page {
  ns_ctx *c;
  FILE *f;
  int members, depth;
  int rc; /* the first failure; nothing is written after it */
} page;

static int dump(const char *s, size_t n, void *to) { return fwrite(s, 1, n, to) == n ? 0 : -1; }

/* The value is consumed; NULL: out of memory. A failed write is its stream's to tell. */
static void put_value(page *p, json_t *value)
{
  if (!value && !p->rc) p->rc = ns_nomem(p->c, "JSON");
  if (!p->rc)
    json_dump_callback(value, dump, p->f, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
  json_decref(value);
}

/* Text that is not UTF-8 becomes null. */
static json_t *text(const char *s)
{
  json_t *v = s ? json_string(s) : NULL;
  return v ? v : json_null();
}

static void put_key(page *p, const char *key)
{
  json_t *k = json_string(key);
  fprintf(p->f, "%s%*s", p->members++ ? ",\n" : "\n", p->depth, "");
  put_value(p, k ? k : json_string("(not UTF-8)"));
  fputc(':', p->f);
}

static void put_member(page *p, const char *key, json_t *value)
{
  put_key(p, key);
  put_value(p, value);
}

static void begin_object(page *p, const char *key)
{
  put_key(p, key);
  fputc('{', p->f);
  p->members = 0;
  p->depth++;
}

static void end_object(page *p)
{
  p->depth--;
  fprintf(p->f, "\n%*s}", p->depth, "");
  p->members = 1;
}

static json_t *number(double x) { return isfinite(x) ? json_real(x) : json_null(); }

/* To a list of a column; it is not kept where memory ends. */
static void append(page *p, json_t *list, json_t *value)
{
  if (json_array_append_new(list, value) != 0 && !p->rc) p->rc = ns_nomem(p->c, "JSON");
}

/* How each goes from row to row (course.h). */
static void json_kinds(page *p, const ns_result_meta *m, const ns_column *cols, int ncols)
{
  begin_object(p, "kinds");
  for (int k = 0; k < ncols; k++)
    put_member(p, cols[k].label, text(ns_course_text(m->channels[cols[k].channel].course)));
  end_object(p);
}

static int json_columns(page *p, ns_result *r, const ns_export_options *o, ns_arena *a)
{
  ns_column *cols;
  size_t *rows, n;
  int ncols, rc = choose_columns(p->c, r, o, a, &cols, &ncols);
  if (!rc) rc = ns_export_rows(p->c, r, o, a, &rows, &n);
  if (rc) return rc;
  const ns_result_meta *m = ns_result_get_meta(r);
  double *x = ns_arena_get(a, m->nrows, sizeof *x), *t = ns_arena_get(a, m->nrows, sizeof *t);
  if (!x || !t) return ns_nomem(p->c, "columns to export");
  rc = ns_result_read(r, p->c, &cols[0], t);
  begin_object(p, "units");
  for (int k = 0; k < ncols; k++) put_member(p, cols[k].label, text(cols[k].unit));
  end_object(p);
  if (m->format) json_kinds(p, m, cols, ncols);
  begin_object(p, "columns");
  for (int k = 0; k < ncols && !rc && !p->rc; k++) {
    json_t *list = json_array();
    rc = ns_result_read(r, p->c, &cols[k], x);
    if (!rc) ns_export_gather(m, &cols[k], t, rows, n, x);
    for (size_t i = 0; i < n && !rc && !p->rc; i++) append(p, list, number(x[rows[i]]));
    put_member(p, cols[k].label, list);
  }
  end_object(p);
  return rc;
}

static json_t *event_value(const ns_event_column *col, const ns_result_event *e)
{
  const void *at = (const char *)e + col->at;
  char buf[NS_NUMBER_SIZE];
  if (col->form == NS_COLUMN_REAL) return number(*(const double *)at);
  if (col->form == NS_COLUMN_INT) return json_integer(*(const int *)at);
  return text(ns_event_field(col, e, buf));
}

static int json_events(page *p, ns_result *r, const ns_export_options *o)
{
  const ns_result_event *e;
  size_t n = ns_result_get_meta(r)->nevents;
  int rc = ns_result_events(r, p->c, &e);
  if (rc) return rc;
  begin_object(p, "events");
  for (int k = 0; k < NS_EVENT_COLUMNS; k++) {
    json_t *list = json_array();
    for (size_t i = 0; i < n && !p->rc; i++)
      if (in_span(&e[i], o)) append(p, list, event_value(&ns_event_columns[k], &e[i]));
    put_member(p, ns_event_columns[k].name, list);
  }
  end_object(p);
  return NS_OK;
}

static json_t *measured(page *p, const ns_result_meta *m, int k, const ns_measured *x)
{
  if (x->samples < 0) return number(x->value);
  double *v = samples(p->c, m, k, x);
  json_t *list = v ? json_array() : NULL;
  for (int i = 0; i < x->samples && list; i++) append(p, list, number(v[i]));
  free(v);
  return list;
}

static void json_measures(page *p, const ns_result_meta *m)
{
  ns_measured x;
  begin_object(p, "measures");
  for (int k = 0; k < m->nmeasures; k++) {
    ns_result_measure_get(m, k, &x);
    put_member(p, x.id, measured(p, m, k, &x));
  }
  end_object(p);
}

int ns_export_json(ns_ctx *c, ns_result *r, const ns_export_options *o, FILE *f)
{
  const ns_result_meta *m = ns_result_get_meta(r);
  page p = {.c = c, .f = f, .depth = 1};
  int all = o->what == NS_EXPORT_ALL, rc = NS_OK;
  ns_arena *a = ns_arena_create(0, 1);
  if (!a) return ns_nomem(c, "columns to export");
  fputc('{', f);
  put_member(&p, "model", text(m->name));
  put_member(&p, "title", text(m->title));
  put_member(&p, "status", text(m->provenance.status));
  if (o->what == NS_EXPORT_ROWS || all) rc = json_columns(&p, r, o, a);
  if (!rc && (o->what == NS_EXPORT_EVENTS || (all && m->format))) rc = json_events(&p, r, o);
  if (!rc && (o->what == NS_EXPORT_MEASURES || (all && m->nmeasures))) json_measures(&p, m);
  fputs("\n}\n", f);
  ns_arena_destroy(a);
  return rc ? rc : p.rc;
}
