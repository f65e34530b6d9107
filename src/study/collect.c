/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/collect.h"

#include "io/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(item) ((item)->lost = 1)
#include <uthash.h>

typedef struct named {
  ns_run_column k;
  int lost;
  UT_hash_handle hh;
} named;

typedef struct collector {
  ns_ctx *c;
  const ns_manifest *m;
  const ns_journal *j;
  ns_arena *a;
  named *columns; /* in the order of the table */
  double *value;
  size_t width;
} collector;

static named *find(const collector *x, const char *name, size_t n)
{
  named *k = NULL;
  HASH_FIND(hh, x->columns, name, n, k);
  return k;
}

static named *add(collector *x, const char *name, size_t n)
{
  named *k = ns_arena_zero(x->a, 1, sizeof *k);
  char *copy = ns_arena_part(x->a, name, n);
  if (!k || !copy) return NULL;
  k->k = (ns_run_column){.name = copy, .n = 1};
  HASH_ADD_KEYPTR(hh, x->columns, copy, n, k);
  return k->lost ? NULL : k;
}

/* A column of what runs give, with its unit. */
static named *add_result(collector *x, const char *name, size_t n)
{
  const ns_study *s = x->m->study;
  named *k = add(x, name, n);
  for (int i = 0; k && i < s->nunits && !k->k.unit; i++)
    if (!strcmp(s->unit[i].name, k->k.name)) k->k.unit = s->unit[i].unit;
  return k;
}

/* Text of a cell of a column, NULL where it is empty. */
static const char *cell_text(const ns_study *s, long long run, int column, char *number)
{
  return ns_study_cell_text(&s->cell[(size_t)run * (size_t)s->ncolumns + (size_t)column], number);
}

static int word_position(const ns_run_column *k, const char *text)
{
  int i = 0;
  while (i < k->nwords && strcmp(k->word[i], text)) i++;
  return i;
}

/* Words of a column in the order of their first runs; none where all its cells are numbers. */
static int list_words(collector *x, int column, ns_run_column *k)
{
  const ns_study *s = x->m->study;
  char number[NS_NUMBER_SIZE];
  int some = 0, cap = 0;
  const char **list = NULL;
  for (long long r = 0; r < s->nruns && !some; r++)
    some = s->cell[(size_t)r * (size_t)s->ncolumns + (size_t)column].text != NULL;
  for (long long r = 0; some && r < s->nruns; r++) {
    const char *text = cell_text(s, r, column, number);
    if (!text || (list && word_position(k, text) < k->nwords)) continue;
    if (k->nwords == cap) {
      const char **more = ns_arena_get(x->a, (size_t)(cap = 2 * cap + 8), sizeof *more);
      if (!more) return ns_nomem(x->c, "table of results");
      if (list) memcpy(more, list, (size_t)k->nwords * sizeof *more);
      k->word = list = more;
    }
    if (!(list[k->nwords] = ns_arena_text(x->a, text))) return ns_nomem(x->c, "table of results");
    k->nwords++;
  }
  return NS_OK;
}

/* Columns of the study first. */
static int add_varied(collector *x)
{
  const ns_study *s = x->m->study;
  for (int i = 0; i < s->ncolumns; i++) {
    named *k = add(x, s->column[i].name, strlen(s->column[i].name));
    if (!k) return ns_nomem(x->c, "table of results");
    k->k.varied = 1;
    k->k.unit = s->column[i].unit;
    int rc = s->column[i].values == NS_SETTING_NUMBERS ? NS_OK : list_words(x, i, &k->k);
    if (rc) return rc;
  }
  return NS_OK;
}

/* ---- the values of a record ------------------------------------------------------------------ */

typedef int visit(collector *x, long long run, const char *name, size_t n, const char *values,
                  const char *end);

/* Each "name=x,x" of a run. */
static int each(collector *x, long long run, const ns_outcome_of_run *o, visit *f)
{
  const char *next;
  int rc = NS_OK;
  for (const char *s = o->values; s && !rc; s = next) {
    size_t n = ns_record_field(s, o->end, &next);
    const char *eq = memrchr(s, '=', n);
    if (eq) rc = f(x, run, s, (size_t)(eq - s), eq + 1, s + n);
  }
  return rc;
}

/* Of "x" or "[x,x,...". */
static size_t count_values(const char *s, const char *end, int *array)
{
  *array = s < end && *s == '[';
  s += *array;
  size_t n = s < end;
  for (; s < end; s++) n += *s == ',';
  return n;
}

static int note_column(collector *x, long long run, const char *name, size_t n, const char *values,
                       const char *end)
{
  int array;
  size_t count = count_values(values, end, &array);
  named *k = find(x, name, n);
  (void)run;
  if (!k && !(k = add_result(x, name, n))) return ns_nomem(x->c, "table of results");
  if (count > k->k.n) k->k.n = count;
  k->k.array |= array;
  return NS_OK;
}

static int put_values(collector *x, long long run, const char *name, size_t n, const char *values,
                      const char *end)
{
  const named *k = find(x, name, n);
  double *to = x->value + (size_t)run * x->width + k->k.at;
  for (const char *s = values + (values < end && *values == '['); s < end;) {
    char *stop;
    *to++ = strtod(s, &stop); /* a comma or the end of the field stops it */
    s = stop + 1;
  }
  return NS_OK;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void put_varied(collector *x, long long run)
{
  const ns_study *s = x->m->study;
  const ns_study_cell *row = s->cell + (size_t)run * (size_t)s->ncolumns;
  const named *k = x->columns; /* those of the study come first */
  char number[NS_NUMBER_SIZE];
  for (int i = 0; i < s->ncolumns; i++, k = k->hh.next) {
    const char *text = cell_text(s, run, i, number);
    double *to = &x->value[(size_t)run * x->width + (size_t)i];
    if (k->k.nwords && text) *to = word_position(&k->k, text);
    else if (k->k.nwords) *to = NAN;
    else *to = text ? row[i].value : s->column[i].initial;
  }
}

static int fill(collector *x, ns_run_table *t)
{
  const ns_study *s = x->m->study;
  const char **key = ns_arena_get(x->a, (size_t)s->nruns, sizeof *key);
  signed char *status = ns_arena_get(x->a, (size_t)s->nruns, sizeof *status);
  size_t n = (size_t)s->nruns * x->width;
  x->value = malloc((n ? n : 1) * sizeof *x->value);
  if (!key || !status || !x->value) return ns_nomem(x->c, "table of results");
  for (size_t i = 0; i < n; i++) x->value[i] = NAN;
  for (long long k = 0; k < s->nruns; k++) {
    const ns_outcome_of_run *o = ns_journal_find(x->j, x->m->key[k]);
    key[k] = x->m->key[k];
    status[k] = (signed char)(!o ? NS_RUN_MISSING : o->failed ? NS_RUN_FAILED : NS_RUN_COMPLETE);
    put_varied(x, k);
    if (o) each(x, k, o, put_values);
  }
  t->key = key;
  t->status = status;
  t->value = x->value;
  return NS_OK;
}

static int list_columns(collector *x, ns_run_table *t)
{
  int n = (int)HASH_COUNT(x->columns), i = 0;
  ns_run_column *list = ns_arena_get(x->a, (size_t)n, sizeof *list);
  if (!list) return ns_nomem(x->c, "table of results");
  for (named *k = x->columns; k; k = k->hh.next) {
    k->k.at = x->width;
    x->width += k->k.n;
    list[i++] = k->k;
  }
  t->column = list;
  t->ncolumns = n;
  t->width = x->width;
  return NS_OK;
}

/* Fill the table. It is allocated in a, except for t->value, which is malloced and freed by the
 * caller. NS_NOMEM. */
static int collect_table(ns_ctx *c, const ns_manifest *m, const ns_journal *j, ns_arena *a,
                         ns_run_table *t)
{
  const ns_study *s = m->study;
  collector x = {.c = c, .m = m, .j = j, .a = a};
  *t = (ns_run_table){.study = s->path,
                      .model = s->model,
                      .title = s->title,
                      .model_key = s->model_key,
                      .nruns = s->nruns};
  int rc = add_varied(&x);
  for (long long k = 0; k < s->nruns && !rc; k++) {
    const ns_outcome_of_run *o = ns_journal_find(j, m->key[k]);
    if (o) rc = each(&x, k, o, note_column);
  }
  if (!rc) rc = list_columns(&x, t);
  if (!rc) rc = fill(&x, t);
  HASH_CLEAR(hh, x.columns);
  if (rc) {
    free(x.value);
    t->value = NULL;
  }
  return rc;
}

int ns_collect_write(ns_ctx *c, const char *dir, const ns_manifest *m, const ns_journal *j)
{
  char path[4096];
  ns_run_table t;
  ns_arena *a = ns_arena_create(0, 1);
  if (!a) return ns_nomem(c, "table of results");
  int rc = collect_table(c, m, j, a, &t);
  snprintf(path, sizeof path, "%s/measures.csv", dir);
  if (!rc) rc = ns_run_table_csv(c, path, &t);
  snprintf(path, sizeof path, "%s/measures.h5", dir);
  if (!rc) rc = ns_run_table_h5(c, path, &t);
  free((void *)(uintptr_t)t.value);
  ns_arena_destroy(a);
  return rc;
}
