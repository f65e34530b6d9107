/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study_xml.c -- from the elements of a study to its table of runs.
 *
 * The tree is that of a model file (io/load/load_tree.h), so are the rules on files and the
 * messages. An axis becomes a block: some columns and their cells by rows; grids and zips put
 * blocks together. */
#include "expression/quote.h"
#include "io/load/load_job.h"
#include "io/load/xml.h"
#include "study/points.h"
#include "study/reader.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows of an axis; memory of the reader's scratch. */
typedef struct block {
  long long n;
  int ncols;
  const int *col;           /* of the study [ncols] */
  const ns_elem *const *by; /* who varies it [ncols] */
  ns_study_cell *cell;      /* [n x ncols] by rows */
} block;

typedef struct xml_reader {
  ns_study_reader *r;
  ns_load *l; /* of the study: messages, files, tree */
} xml_reader;

static ns_messages *messages(xml_reader *x) { return &x->l->msg; }

static int block_alloc(xml_reader *x, const ns_elem *e, long long n, int ncols, block *b)
{
  if (n > NS_STUDY_RUNS_MAX || n * (ncols > 1 ? ncols : 1) > NS_STUDY_CELLS_MAX)
    return ns_elem_fail(messages(x), e, NULL,
                        "makes %lld runs, expected at most %d (and %d numbers in all)", n,
                        NS_STUDY_RUNS_MAX, NS_STUDY_CELLS_MAX);
  *b = (block){.n = n, .ncols = ncols};
  const ns_array want[] = {{&b->col, (size_t)ncols, sizeof *b->col},
                           {&b->by, (size_t)ncols, sizeof *b->by},
                           {&b->cell, (size_t)n * (size_t)ncols, sizeof *b->cell}};
  return ns_arena_arrays(x->l->nodes, want, sizeof want / sizeof *want)
             ? ns_nomem(&messages(x)->c, "runs of the study")
             : NS_OK;
}

static void block_column(block *b, int k, int col, const ns_elem *e)
{
  ((int *)(uintptr_t)b->col)[k] = col;
  ((const ns_elem **)(uintptr_t)b->by)[k] = e;
}

/* ---- names and numbers ----------------------------------------------------------------------- */

static int column_of(xml_reader *x, const ns_elem *e, int *col)
{
  *col = ns_study_add_column(x->r, &messages(x)->c, ns_elem_at(e, NULL).text,
                             ns_elem_attr(e, "name"));
  return *col < 0 ? *col : NS_OK;
}

/* The element that varies the parameter name[0..len). */
static const ns_elem *varies(const ns_elem *e, const char *name, size_t len)
{
  if (!e->def) return NULL;
  const char *own = ns_elem_attr(e, "name");
  if (own && e->parent && strcmp(e->name, "override") && strlen(own) == len &&
      !memcmp(own, name, len))
    return e;
  for (const ns_elem *d = e->first; d; d = d->next) {
    const ns_elem *found = varies(d, name, len);
    if (found) return found;
  }
  return NULL;
}

/* A number of a study is one number: what varies cannot stand in it. */
static int check_names(xml_reader *x, const ns_elem *e, const char *text)
{
  for (const char *p = text; *p;) {
    const char *begin = p;
    while (isalnum((unsigned char)*p) || *p == '_') p++;
    if (p == begin) {
      p++;
      continue;
    }
    const ns_elem *v = isdigit((unsigned char)*begin)
                           ? NULL
                           : varies(x->l->tree.root, begin, (size_t)(p - begin));
    if (v && *p != '(')
      return ns_elem_fail(
          messages(x), e, NULL,
          "\"%.80s\" uses %.*s, which varies (%s:%d); use <override> for dependent values", text,
          (int)(p - begin), begin, v->file, v->line);
  }
  return NS_OK;
}

static int number(xml_reader *x, const ns_elem *e, const char *name, double *value)
{
  const char *text = ns_elem_attr(e, name);
  if (!text) return NS_OK;
  int rc = check_names(x, e, text);
  return rc ? rc : ns_load_attribute(x->l, e, name, NULL, value);
}

static int is_log(xml_reader *x, const ns_elem *e, int *log_scale)
{
  int k = ns_load_word(x->l, e, "scale", 0);
  *log_scale = k == 1;
  return k < 0 ? NS_MODEL : NS_OK;
}

/* ---- lists and ranges ------------------------------------------------------------------------ */

/* Values that are words, parted as numbers are. */
static int read_words(xml_reader *x, const ns_elem *e, int col, block *b)
{
  static const char between[] = " \t\r\n,";
  const char *text = ns_elem_attr(e, "values");
  long long n = 0;
  int rc;
  for (const char *p = text + strspn(text, between); *p; p += strspn(p, between))
    n++, p += strcspn(p, between);
  if (!n) return ns_elem_missing(messages(x), e, "values");
  if ((rc = block_alloc(x, e, n, 1, b))) return rc;
  block_column(b, 0, col, e);
  n = 0;
  for (const char *p = text + strspn(text, between); *p; p += strspn(p, between)) {
    size_t len = strcspn(p, between);
    char *word = ns_arena_part(x->r->s->arena, p, len);
    if (!word) return ns_nomem(&messages(x)->c, "runs of the study");
    b->cell[n++] = ns_study_cell_of(word);
    p += len;
  }
  return NS_OK;
}

static int read_list(xml_reader *x, const ns_elem *e, block *b)
{
  ns_scalar *s;
  int n, col, rc;
  if ((rc = column_of(x, e, &col))) return rc;
  if (x->r->column[col].values != NS_SETTING_NUMBERS) return read_words(x, e, col, b);
  if ((rc = check_names(x, e, ns_elem_attr(e, "values")))) return rc;
  if ((rc = ns_load_attribute_list(x->l, e, "values", NULL, &s, &n))) return rc;
  if ((rc = block_alloc(x, e, n, 1, b))) return rc;
  block_column(b, 0, col, e);
  for (int k = 0; k < n; k++) {
    double v = ns_scalar_get(&s[k], NULL);
    if (!isfinite(v))
      return ns_elem_fail(messages(x), e, NULL,
                          "value %d of values is %g, expected a finite number", k + 1, v);
    b->cell[k] = (ns_study_cell){.value = v};
  }
  return NS_OK;
}

/* A column of what has numbers alone. */
static int number_column_of(xml_reader *x, const ns_elem *e, int *col)
{
  int rc = column_of(x, e, col);
  if (rc || x->r->column[*col].values != NS_SETTING_WORDS) return rc;
  return ns_elem_fail(
      messages(x), e, NULL,
      "%s has words as values, expected <list name=\"%s\" values=\"...\"/> or an <override>",
      ns_elem_attr(e, "name"), ns_elem_attr(e, "name"));
}

static int same_sign(xml_reader *x, const ns_elem *e, double from, double to)
{
  if (from * to > 0) return NS_OK;
  return ns_elem_fail(
      messages(x), e, NULL,
      "goes from %g to %g, expected two nonzero numbers of the same sign, for scale=\"log\"", from,
      to);
}

/* Value at fraction s of the way; ends are exact. */
static double between(double from, double to, double s, int log_scale)
{
  if (s <= 0) return from;
  if (s >= 1) return to;
  return log_scale ? from * pow(to / from, s) : from + s * (to - from);
}

static int read_range(xml_reader *x, const ns_elem *e, block *b)
{
  double from = 0, to = 0, count = 0;
  int log_scale, col, rc = number_column_of(x, e, &col);
  if (!rc) rc = number(x, e, "from", &from);
  if (!rc) rc = number(x, e, "to", &to);
  if (!rc) rc = number(x, e, "count", &count);
  if (!rc) rc = is_log(x, e, &log_scale);
  if (!rc && log_scale) rc = same_sign(x, e, from, to);
  if (!rc) rc = block_alloc(x, e, (long long)count, 1, b);
  if (rc) return rc;
  block_column(b, 0, col, e);
  for (long long k = 0; k < b->n; k++)
    b->cell[k].text = NULL,
    b->cell[k].value = between(from, to, (double)k / (count - 1), log_scale);
  return NS_OK;
}

static int read_override(xml_reader *x, const ns_elem *e, block *b)
{
  int col, rc = column_of(x, e, &col);
  if (!rc) rc = block_alloc(x, e, 1, 1, b);
  if (rc) return rc;
  block_column(b, 0, col, e);
  b->cell[0] = (ns_study_cell){.text = ns_arena_text(x->r->s->arena, ns_elem_attr(e, "value")),
                               .value = NAN};
  return b->cell[0].text ? NS_OK : ns_nomem(&messages(x)->c, "runs of the study");
}

/* ---- random points --------------------------------------------------------------------------- */

/* From a number in (0, 1) to a value. */
typedef struct distribution {
  enum { UNIFORM, NORMAL, LOGNORMAL } kind;
  double a, b;      /* from, to; mean, deviation; median, deviation */
  double low, high; /* probabilities between which a normal one is cut */
  int log_scale;
} distribution;

static double quantile(const distribution *d, double u)
{
  if (d->kind == UNIFORM) return between(d->a, d->b, u, d->log_scale);
  double z = ns_points_normal_quantile(d->low + u * (d->high - d->low));
  return d->kind == NORMAL ? d->a + d->b * z : d->a * exp(d->b * z);
}

static int read_normal(xml_reader *x, const ns_elem *e, distribution *d)
{
  double from = -INFINITY, to = INFINITY;
  d->kind = NORMAL;
  int rc = number(x, e, "mean", &d->a);
  if (!rc) rc = number(x, e, "deviation", &d->b);
  if (!rc) rc = number(x, e, "from", &from);
  if (!rc) rc = number(x, e, "to", &to);
  if (rc) return rc;
  d->low = ns_points_normal_probability((from - d->a) / d->b);
  d->high = ns_points_normal_probability((to - d->a) / d->b);
  if (d->high - d->low > 1e-6) return NS_OK;
  return ns_elem_fail(
      messages(x), e, NULL,
      "is truncated to [%g, %g], which contains less than a millionth of the distribution; "
      "expected a wider interval",
      from, to);
}

static int read_distribution(xml_reader *x, const ns_elem *e, distribution *d)
{
  int rc;
  *d = (distribution){.high = 1};
  if (!strcmp(e->name, "normal")) return read_normal(x, e, d);
  if (!strcmp(e->name, "lognormal")) {
    d->kind = LOGNORMAL;
    rc = number(x, e, "median", &d->a);
    return rc ? rc : number(x, e, "deviation", &d->b);
  }
  if ((rc = is_log(x, e, &d->log_scale))) return rc;
  if ((rc = number(x, e, "from", &d->a))) return rc;
  if ((rc = number(x, e, "to", &d->b))) return rc;
  return d->log_scale ? same_sign(x, e, d->a, d->b) : NS_OK;
}

static int points_kind(const char *element)
{
  static const char *const name[] = {[NS_POINTS_RANDOM] = "random",
                                     [NS_POINTS_LATIN] = "latinHypercube",
                                     [NS_POINTS_SOBOL] = "sobol",
                                     [NS_POINTS_HALTON] = "halton"};
  for (size_t k = 0; k < sizeof name / sizeof *name; k++)
    if (!strcmp(name[k], element)) return (int)k;
  return -1;
}

static int fill_points(xml_reader *x, ns_points_kind kind, const distribution *d, double seed,
                       double skip, block *b)
{
  double *u = malloc((size_t)b->n * (size_t)b->ncols * sizeof *u);
  int rc = u ? ns_points_make(&messages(x)->c, kind, b->ncols, (long)b->n, (unsigned long)seed,
                              (long)skip, u)
             : ns_nomem(&messages(x)->c, "points of the study");
  for (size_t i = 0; !rc && i < (size_t)b->n * (size_t)b->ncols; i++)
    b->cell[i] = (ns_study_cell){.value = quantile(&d[i % (size_t)b->ncols], u[i])};
  free(u);
  return rc;
}

static int read_points(xml_reader *x, const ns_elem *e, block *b)
{
  ns_points_kind kind = (ns_points_kind)points_kind(e->name);
  double count = 0, seed = 1, skip = 0;
  int dim = 0, rc = number(x, e, "count", &count), k = 0;
  if (!rc && ns_lang_attribute(e->def, "seed")) rc = number(x, e, "seed", &seed);
  if (!rc && ns_lang_attribute(e->def, "skip")) rc = number(x, e, "skip", &skip);
  for (const ns_elem *i = e->first; i; i = i->next) dim += i->def != NULL;
  if (!rc && dim > ns_points_dimensions(kind))
    rc = ns_elem_fail(messages(x), e, NULL,
                      "has %d dimensions, expected at most %d; use <latinHypercube> for more", dim,
                      ns_points_dimensions(kind));
  if (!rc) rc = block_alloc(x, e, (long long)count, dim, b);
  distribution *d = rc ? NULL : ns_arena_get(x->l->nodes, (size_t)dim, sizeof *d);
  if (!rc && !d) rc = ns_nomem(&messages(x)->c, "distributions of the study");
  for (const ns_elem *i = e->first; i && rc != NS_NOMEM; i = i->next) {
    int col, bad = number_column_of(x, i, &col);
    if (!bad && !rc) bad = read_distribution(x, i, &d[k]);
    if (!bad && !rc) block_column(b, k++, col, i);
    if (!rc) rc = bad;
  }
  return rc ? rc : fill_points(x, kind, d, seed, skip, b);
}

/* ---- blocks of blocks ------------------------------------------------------------------------ */

static int read_axis(xml_reader *x, const ns_elem *e, block *b);

/* Children of e, [*n]; all are read, so that all errors are told. */
static int read_children(xml_reader *x, const ns_elem *e, block **out, int *n)
{
  int max = 0, rc = NS_OK;
  *n = 0;
  for (const ns_elem *i = e->first; i; i = i->next) max += i->def != NULL;
  *out = ns_arena_zero(x->l->nodes, (size_t)max, sizeof **out);
  if (!*out) return ns_nomem(&messages(x)->c, "study");
  for (const ns_elem *i = e->first; i && rc != NS_NOMEM; i = i->next) {
    if (!i->def) continue;
    int bad = i->bad ? NS_MODEL : read_axis(x, i, &(*out)[*n]);
    if (!bad) ++*n;
    if (!rc || bad == NS_NOMEM) rc = bad;
  }
  return rc;
}

/* Columns of all children side by side; each may be varied once. */
static int join_columns(xml_reader *x, const ns_elem *e, const block *child, int n, long long rows,
                        block *b)
{
  int ncols = 0, at = 0, rc;
  for (int k = 0; k < n; k++) ncols += child[k].ncols;
  if ((rc = block_alloc(x, e, rows, ncols, b))) return rc;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < child[k].ncols; i++, at++) {
      for (int j = 0; j < at; j++)
        if (b->col[j] == child[k].col[i])
          return ns_elem_fail(messages(x), child[k].by[i], NULL,
                              "gives %s a value a second time (first at line %d), expected once",
                              x->r->column[b->col[j]].name, b->by[j]->line);
      block_column(b, at, child[k].col[i], child[k].by[i]);
    }
  return NS_OK;
}

/* Row r of the joint block is row at[k] of each child. */
static void join_row(const block *child, int n, const long long *at, long long r, block *b)
{
  ns_study_cell *to = b->cell + (size_t)r * (size_t)b->ncols;
  for (int k = 0; k < n; k++) {
    memcpy(to, child[k].cell + (size_t)at[k] * (size_t)child[k].ncols,
           (size_t)child[k].ncols * sizeof *to);
    to += child[k].ncols;
  }
}

static int read_grid(xml_reader *x, const ns_elem *e, block *b)
{
  block *child;
  int n, rc = read_children(x, e, &child, &n);
  long long rows = 1;
  if (rc) return rc;
  for (int k = 0; k < n && rows <= NS_STUDY_RUNS_MAX; k++) rows *= child[k].n;
  if ((rc = join_columns(x, e, child, n, rows, b))) return rc;
  long long *at = ns_arena_zero(x->l->nodes, (size_t)n, sizeof *at);
  if (!at) return ns_nomem(&messages(x)->c, "runs of the study");
  for (long long r = 0; r < rows; r++) {
    join_row(child, n, at, r, b);
    for (int k = n - 1; k >= 0 && ++at[k] == child[k].n; k--) at[k] = 0;
  }
  return NS_OK;
}

static int read_zip(xml_reader *x, const ns_elem *e, block *b)
{
  block *child;
  int n, rc = read_children(x, e, &child, &n);
  long long rows = 1;
  const block *first = NULL;
  for (int k = 0; k < n && !rc; k++) { /* an <override> goes with all rows */
    if (child[k].ncols == 1 && !strcmp(child[k].by[0]->name, "override")) continue;
    if (!first) first = &child[k], rows = first->n;
    if (child[k].n != rows)
      rc = ns_elem_fail(
          messages(x), e, NULL,
          "contains axes of %lld and of %lld points, expected the same number in each", rows,
          child[k].n);
  }
  if (!rc) rc = join_columns(x, e, child, n, rows, b);
  long long *at = rc ? NULL : ns_arena_zero(x->l->nodes, (size_t)n, sizeof *at);
  if (rc || !at) return rc ? rc : ns_nomem(&messages(x)->c, "runs of the study");
  for (long long r = 0; r < rows; r++) {
    for (int k = 0; k < n; k++) at[k] = child[k].n == rows ? r : 0;
    join_row(child, n, at, r, b);
  }
  return NS_OK;
}

static int read_axis(xml_reader *x, const ns_elem *e, block *b)
{
  static const struct {
    const char *element;
    int (*read)(xml_reader *, const ns_elem *, block *);
  } readers[] = {{"override", read_override},
                 {"list", read_list},
                 {"range", read_range},
                 {"grid", read_grid},
                 {"zip", read_zip}};
  for (size_t k = 0; k < sizeof readers / sizeof *readers; k++)
    if (!strcmp(readers[k].element, e->name)) return readers[k].read(x, e, b);
  return read_points(x, e, b);
}

/* ---- the study ------------------------------------------------------------------------------- */

/* An <override> of the study itself. */
static int goes_with_all(const block *b)
{
  return !strcmp(b->by[0]->name, "override") && !b->by[0]->parent->parent;
}

/* Blocks one after the other; overrides of the study go with each, but what the block says of the
 * same name wins. */
static int stack(xml_reader *x, const block *child, int n)
{
  ns_study *s = x->r->s;
  long long runs = 0;
  for (int k = 0; k < n; k++) runs += goes_with_all(&child[k]) ? 0 : child[k].n;
  if (runs > NS_STUDY_RUNS_MAX || runs * s->ncolumns > NS_STUDY_CELLS_MAX)
    return ns_elem_fail(messages(x), x->l->tree.root, NULL,
                        "makes %lld runs of %d numbers, expected at most %d runs and %d numbers",
                        runs, s->ncolumns, NS_STUDY_RUNS_MAX, NS_STUDY_CELLS_MAX);
  ns_study_cell *cell = ns_arena_get(s->arena, (size_t)runs * (size_t)s->ncolumns, sizeof *cell),
                *row = cell;
  if (!cell) return ns_nomem(&messages(x)->c, "runs of the study");
  s->cell = cell;
  s->nruns = runs;
  for (int k = 0; k < n; k++) {
    if (goes_with_all(&child[k])) continue;
    for (long long r = 0; r < child[k].n; r++, row += s->ncolumns) {
      for (int i = 0; i < s->ncolumns; i++) row[i] = (ns_study_cell){.value = NAN};
      for (int j = 0; j < n; j++)
        if (goes_with_all(&child[j])) row[child[j].col[0]] = child[j].cell[0];
      for (int i = 0; i < child[k].ncols; i++)
        row[child[k].col[i]] = child[k].cell[(size_t)r * (size_t)child[k].ncols + (size_t)i];
    }
  }
  return NS_OK;
}

/* Path of the model, seen from here. It is read here for the rule on folders alone. */
static int find_model(xml_reader *x)
{
  ns_elem *root = x->l->tree.root;
  ns_text text;
  const char *shown, *real;
  int rc = ns_files_read_named(&x->l->files, &messages(x)->c, ns_elem_at(root, NULL).text,
                               root->dir, ns_elem_attr(root, "model"), &text, &shown, &real);
  if (rc) return rc;
  x->r->s->model = ns_arena_text(x->r->s->arena, shown);
  return x->r->s->model ? NS_OK : ns_nomem(&messages(x)->c, "path of the model");
}

/* Errors of the model go to those of the study, but what was wrong with the study is no fault of
 * the model. */
static int make_model(xml_reader *x, const char *const *set, int n)
{
  ns_ctx *c = &messages(x)->c, own = {.report = c->report, .to = c->to};
  int rc = ns_study_open_model(x->r, &own, set, n, NULL, 0);
  if (rc && !c->rc) c->rc = rc;
  c->nerrors += own.nerrors;
  return rc;
}

/* <override> elements of the study as NAME=VALUE, those of parameters alone: what numbers of the
 * study know. */
static int open_model(xml_reader *x)
{
  const char **set;
  int n = 0, rc = make_model(x, NULL, 0);
  if (rc) return rc;
  for (const ns_elem *e = x->l->tree.root->first; e; e = e->next)
    n += e->def && !strcmp(e->name, "override");
  set = ns_arena_zero(x->l->nodes, (size_t)n, sizeof *set);
  if (!set) return ns_nomem(&messages(x)->c, "study");
  n = 0;
  for (const ns_elem *e = x->l->tree.root->first; e; e = e->next) {
    if (!e->def || strcmp(e->name, "override") || e->bad ||
        !ns_study_parameter(x->r, ns_elem_attr(e, "name")))
      continue;
    const char *name = ns_elem_attr(e, "name"), *value = ns_elem_attr(e, "value");
    if (!(set[n++] = ns_arena_format(x->l->nodes, "%s=%s", name, value)))
      return ns_nomem(&messages(x)->c, "study");
  }
  return n ? make_model(x, set, n) : NS_OK;
}

static int publish_parameters(xml_reader *x)
{
  const ns_model *m = x->r->model;
  for (int k = 0; k < m->nparameters; k++) {
    int rc = ns_load_parameter_put(x->l, m->parameters[k].name, m->parameters[k].value);
    if (rc) return rc;
  }
  return NS_OK;
}

static int texts(xml_reader *x)
{
  const ns_elem *root = x->l->tree.root, *title = ns_elem_value(root, "title");
  const char *name = ns_elem_attr(root, "name");
  ns_study *s = x->r->s;
  if (name) s->name = ns_arena_text(s->arena, name);
  if (title) s->title = ns_arena_text(s->arena, title->text);
  return s->name && s->title ? NS_OK : ns_nomem(&messages(x)->c, "title of the study");
}

static int passes(xml_reader *x, const ns_text *text)
{
  block *child;
  int n, rc = ns_tree_read(&x->l->tree, x->r->s->path, text->text, text->n);
  if (rc || !x->l->tree.root || x->l->tree.root->bad) return rc ? rc : NS_MODEL;
  if ((rc = texts(x))) return rc;
  if ((rc = find_model(x))) return rc;
  if ((rc = open_model(x))) return rc;
  if ((rc = publish_parameters(x))) return rc;
  rc = read_children(x, x->l->tree.root, &child, &n);
  if (rc || messages(x)->c.nerrors) return rc ? rc : NS_MODEL;
  return stack(x, child, n);
}

int ns_study_read_xml(ns_study_reader *r, ns_ctx *c)
{
  ns_xml_watch w;
  ns_text text;
  const ns_load_options load = {.allow_include = r->o->allow_include, .nallow = r->o->nallow};
  ns_load *l = calloc(1, sizeof *l);
  if (!l) return ns_nomem(c, "study");
  xml_reader x = {.r = r, .l = l};
  int rc = r->o->model
               ? ns_fail(c, NS_USAGE,
                         "--model applies only to studies that are tables; %s contains its model",
                         r->s->path)
               : NS_OK;
  if (!rc) rc = ns_load_init(l, c, r->s->path, &load, r->s->arena, &text, 1);
  l->tree.name = "study";
  ns_xml_watch_begin(&w);
  if (!rc) rc = passes(&x, &text);
  if (ns_xml_watch_end(&w) && !rc) rc = ns_nomem(&l->msg.c, "XML document");
  int told = ns_messages_flush(&l->msg);
  ns_load_fini(l);
  free(l);
  return told ? told : rc;
}
