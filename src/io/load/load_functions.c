/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_functions.c -- functions of the model: <function>, a formula of arguments, and <table>,
 * numbers between which is interpolated. A formula that calls one gets its nodes, as if it stood
 * there: derivatives, events and checks of formulas need to know nothing of it.
 *
 * A function knows those that are written before it, so that none can call itself. */
#include "base/grow.h"
#include "io/load/load_job.h"
#include "io/load/values.h"

#include "expression/interpolant.h"
#include "expression/quote.h"
#include "io/hdf5_module.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ns_load_function {
  const char *name;
  int narguments;
  const char *argument[NS_ARGUMENTS_MAX]; /* of a formula */
  const char *formula;                    /* NULL: it is a table */
  const ns_interpolant *table;
  const char *xunit[2], *unit; /* of a table, as written; NULL: nobody says */
  const ns_elem *e;
  const struct ns_load_function *before; /* the one written before it, NULL: none */
} function;

static const function *find(const function *last, const char *name, size_t len)
{
  const function *f = last;
  while (f && (strncmp(f->name, name, len) || f->name[len])) f = f->before;
  return f;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* What names mean in a function: its arguments, parameters, and functions before it. */
typedef struct inside {
  const ns_load *l;
  const function *of;
  const ns_node *argument;       /* NULL: variables of bank 0, to try the formula */
  const ns_load_units_of *units; /* NULL: values are asked for */
  int *entries;                  /* of the vector whose entry is not there; NULL: nobody asks */
} inside;

static ns_node call(const ns_load *l, const function *f, ns_graph *g, const ns_node *argument,
                    const ns_load_units_of *units, ns_ctx *c);

static ns_name lookup(const void *self, const char *name, size_t len, int subscript)
{
  const inside *in = self;
  const function *f = in->of;
  for (int k = 0; k < f->narguments && subscript < 0; k++) {
    if (strncmp(f->argument[k], name, len) || f->argument[k][len]) continue;
    if (!in->argument) return (ns_name){.kind = NS_NAME_VARIABLE, .bank = 0, .index = k};
    return (ns_name){.kind = NS_NAME_NODE, .node = in->argument[k]};
  }
  int n = 0;
  const double *p = subscript < 0 ? ns_load_parameter(in->l, name, len)
                                  : ns_load_vector(in->l, name, len, &n);
  if (p && subscript >= 0 && n > 0) {
    if (subscript >= n && in->entries) *in->entries = n;
    p = subscript < n ? p + subscript : NULL;
  }
  if (p && in->units) return in->units->parameter(in->units->to, name, len);
  return p ? (ns_name){.kind = NS_NAME_CONSTANT, .value = *p} : (ns_name){.kind = NS_NAME_UNKNOWN};
}

static const char *suggest(const void *self, const char *name, size_t len)
{
  const inside *in = self;
  const char *known;
  if (in->entries && *in->entries) return NULL;
  ns_suggest s = ns_suggest_for(name, len);
  for (int k = 0; k < in->of->narguments; k++) ns_suggest_offer(&s, in->of->argument[k]);
  for (int k = 0; k < 300 && (known = ns_load_parameter_name(in->l, k)); k++)
    ns_suggest_offer(&s, known);
  return s.best;
}

static int arguments_inside(const void *self, const char *name, size_t len)
{
  const inside *in = self;
  const function *f = find(in->of->before, name, len);
  return f ? f->narguments : 0;
}

static ns_node call_inside(const void *self, ns_graph *g, const char *name, size_t len,
                           const ns_node *argument)
{
  const inside *in = self;
  ns_ctx quiet = {0};
  return call(in->l, find(in->of->before, name, len), g, argument, in->units, &quiet);
}

static ns_node entry_inside(const void *self, ns_graph *g, const char *name, size_t len,
                            ns_node subscript)
{
  const inside *in = self;
  if (!in->units) return ns_load_vector_entry(in->l, g, name, len, subscript);
  int n = 0;
  const double *p = ns_load_vector(in->l, name, len, &n);
  const ns_name first = p ? in->units->parameter(in->units->to, name, len) : (ns_name){0};
  return p && first.kind == NS_NAME_VARIABLE ? ns_graph_variable(g, first.bank, first.index)
                                             : NS_NO_VECTOR;
}

static const char *name_before(const function *f, int k)
{
  while (f && k-- > 0) f = f->before;
  return f ? f->name : NULL;
}

static const char *offer_inside(const void *self, int k)
{
  return name_before(((const inside *)self)->of->before, k);
}

/* The value of f; < 0: out of memory, or a fault in c, which has been met before. */
static ns_node call(const ns_load *l, const function *f, ns_graph *g, const ns_node *argument,
                    const ns_load_units_of *units, ns_ctx *c)
{
  if (f->table && units) return units->table(units->to, g, f->name, f->xunit, f->unit, argument);
  if (f->table) return ns_interpolant_node(f->table, g, argument);
  const inside in = {.l = l, .of = f, .argument = argument, .units = units};
  const ns_scope scope = {.lookup = lookup,
                          .suggest = suggest,
                          .self = &in,
                          .arguments = arguments_inside,
                          .call = call_inside,
                          .entry = entry_inside,
                          .offer = offer_inside};
  ns_node value = -1;
  return ns_graph_parse(g, c, "", f->formula, strlen(f->formula), &scope, &value) == NS_OK ? value
                                                                                           : -1;
}

int ns_load_function_arguments(const ns_load *l, const char *name, size_t len)
{
  const function *f = find(l->functions, name, len);
  return f ? f->narguments : 0;
}

ns_node ns_load_function_units(const ns_load *l, ns_graph *g, const char *name, size_t len,
                               const ns_node *argument, const ns_load_units_of *units)
{
  ns_ctx quiet = {0};
  return call(l, find(l->functions, name, len), g, argument, units, &quiet);
}

ns_node ns_load_function_call(const ns_load *l, ns_graph *g, const char *name, size_t len,
                              const ns_node *argument)
{
  return ns_load_function_units(l, g, name, len, argument, NULL);
}

const char *ns_load_function_name(const ns_load *l, int k) { return name_before(l->functions, k); }

/* ---- <function> ------------------------------------------------------------------------------ */

/* Words of a text: their number; to word [max], of l->scratch. -1: out of memory. */
static int words(ns_load *l, const char *text, const char **word, int max)
{
  int n = 0;
  for (const char *p = text; *p; n++) {
    while (isspace((unsigned char)*p)) p++;
    size_t len = strcspn(p, " \t\r\n");
    if (!len) break;
    if (n < max && !(word[n] = ns_arena_part(l->scratch, p, len))) return -1;
    p += len;
  }
  return n;
}

static int take_arguments(ns_load *l, const ns_elem *e, function *f)
{
  f->narguments = words(l, ns_elem_attr(e, "of"), f->argument, NS_ARGUMENTS_MAX);
  if (f->narguments < 0) return ns_nomem(&l->msg.c, "functions");
  if (f->narguments == 0 || f->narguments > NS_ARGUMENTS_MAX)
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute of has %d names, expected 1 to %d: those of its arguments",
                        f->narguments, NS_ARGUMENTS_MAX);
  for (int k = 0; k < f->narguments; k++) {
    const char *a = f->argument[k], *wrong = strcmp(a, "t") ? ns_load_bad_name(a, strlen(a)) : NULL;
    ns_quotation quoted = ns_quoted(a);
    if (wrong)
      return ns_elem_fail(&l->msg, e, NULL, "attribute of: the name \"%s\" %s", quoted.text, wrong);
    for (int i = 0; i < k; i++)
      if (!strcmp(f->argument[i], a))
        return ns_elem_fail(&l->msg, e, NULL,
                            "attribute of has the name \"%s\" twice, expected different ones",
                            quoted.text);
  }
  return NS_OK;
}

/* Whether e is the table or function that the sentence does not know. */
static int declares_unknown(const ns_elem *e, const char *sentence)
{
  const char *name = strstr(sentence, "unknown function \"");
  int is_table = !strcmp(e->name, "table"), is_function = !strcmp(e->name, "function");
  const char *own = is_table || is_function ? ns_elem_attr(e, is_table ? "id" : "name") : NULL;
  if (!name || !own) return 0;
  name += strlen("unknown function \"");
  size_t n = strcspn(name, "\""), size = strlen(own);
  if (n < size || strncmp(name, own, size) != 0) return 0;
  return n == size || (is_table && name[size] == '_');
}

int ns_load_calls_faulty(const ns_load *l, const char *sentence, const ns_elem *until)
{
  const ns_elem *all = l->tree.root ? ns_elem_child(l->tree.root, "parameters") : NULL;
  for (const ns_elem *e = all && l->functions_unknown ? all->first : NULL; e && e != until;
       e = e->next)
    if (declares_unknown(e, sentence)) return 1;
  return 0;
}

/* The unknown function of the sentence is declared behind e. */
static int calls_later(const ns_elem *e, const char *sentence)
{
  for (const ns_elem *k = e->next; k; k = k->next)
    if (declares_unknown(k, sentence)) return 1;
  return 0;
}

/* The formula is read once with variables as arguments: its faults are those of the function, not
 * of who calls it. */
static int try_formula(ns_load *l, const ns_elem *e, const function *f)
{
  int entries = 0;
  const inside in = {.l = l, .of = f, .entries = &entries};
  const ns_scope scope = {.lookup = lookup,
                          .suggest = suggest,
                          .self = &in,
                          .arguments = arguments_inside,
                          .call = call_inside,
                          .entry = entry_inside,
                          .offer = offer_inside};
  ns_ctx quiet = {0};
  ns_node value;
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  int rc = g ? ns_graph_parse(g, &quiet, "", f->formula, strlen(f->formula), &scope, &value)
             : NS_NOMEM;
  ns_arena_release(l->graphs, mark);
  if (!rc) return NS_OK;
  if (rc == NS_NOMEM) return ns_nomem(&l->msg.c, "functions");
  if (entries)
    return ns_fail(&l->msg.c, rc, "%s%s; the last entry of that <vector> is [%d]",
                   ns_elem_at(e, NULL).text, quiet.msg, entries - 1);
  if (ns_load_calls_faulty(l, quiet.msg, e)) return rc;
  if (calls_later(e, quiet.msg))
    return ns_fail(&l->msg.c, rc, "%s%s; it is declared after this function: move it before it",
                   ns_elem_at(e, NULL).text, quiet.msg);
  const char *advice = strstr(quiet.msg, "unknown name") && !strstr(quiet.msg, "did you mean")
                           ? "; a function may use only its arguments and parameters: pass other "
                             "variables as arguments"
                           : "";
  return ns_fail(&l->msg.c, rc, "%s%s%s", ns_elem_at(e, NULL).text, quiet.msg, advice);
}

static int make_function(ns_load *l, const ns_elem *e, function *f)
{
  f->formula = e->text;
  int rc = take_arguments(l, e, f);
  return rc ? rc : try_formula(l, e, f);
}

/* ---- numbers of a <table> -------------------------------------------------------------------- */

/* Rows of numbers and the names of their columns. */
typedef struct numbers {
  const char *shown; /* file, for messages; NULL: the model */
  long n;
  int cols;
  const char **label; /* [cols]; NULL: none */
  double *value;      /* [n x cols] by rows, malloced */
  ns_result *result;  /* its columns are read when they are known; NULL: value has them */
} numbers;

typedef struct lister {
  ns_load *l;
  const ns_elem *e;
  double *value;
  int n;
} lister;

static int on_number(void *to, int row, int col, const char *text, size_t len)
{
  lister *k = to;
  ns_scalar s;
  (void)row, (void)col;
  if (ns_grow(&k->value, k->n)) return ns_nomem(&k->l->msg.c, "numbers of a table");
  int rc = ns_scalar_make(k->l, &(ns_where){.e = k->e, .attribute = "points"}, text, len, NULL, &s);
  k->value[k->n++] = rc ? NAN : s.value;
  return rc;
}

/* points="0 0; 1 2", of parameters. */
static int listed(ns_load *l, const ns_elem *e, numbers *t)
{
  const ns_where at = {.e = e, .attribute = "points"};
  ns_ctx quiet = {0};
  lister k = {.l = l, .e = e};
  int rows,
      rc = ns_split_entries(&quiet, "", ns_elem_attr(e, "points"), on_number, &k, &rows, &t->cols);
  t->value = k.value;
  t->n = rows;
  if (!quiet.rc) return rc;
  return ns_fail(&l->msg.c, quiet.rc, "%s%s", quiet.rc == NS_NOMEM ? "" : ns_where_text(&at).text,
                 quiet.msg);
}

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Names in the line [p, end), which may be quoted; parted by commas where there is one, else by
 * blanks. NS_NOMEM. */
static int header(ns_load *l, const char *p, const char *end, numbers *t)
{
  int comma = memchr(p, ',', (size_t)(end - p)) != NULL;
  t->label = ns_arena_get(l->scratch, (size_t)(end - p) + 1, sizeof *t->label);
  if (!t->label) return ns_nomem(&l->msg.c, "names of a table");
  while (p < end) {
    while (p < end && is_blank(*p)) p++;
    const char *begin = p;
    while (p < end && (comma ? *p != ',' : !is_blank(*p))) p++;
    const char *stop = p;
    while (stop > begin && is_blank(stop[-1])) stop--;
    if (stop - begin > 1 && *begin == '"' && stop[-1] == '"') begin++, stop--;
    char *name = ns_arena_part(l->scratch, begin, (size_t)(stop - begin));
    if (!name) return ns_nomem(&l->msg.c, "names of a table");
    if (comma || stop > begin) t->label[t->cols++] = name;
    p += p < end;
  }
  return NS_OK;
}

static int begins_with_number(const char *p, const char *end)
{
  return p < end && (isdigit((unsigned char)*p) || strchr("+-.", *p));
}

static int read_text(ns_load *l, const ns_elem *e, const ns_text *text, numbers *t)
{
  const char *end = text->text + text->n, *stop, *line = ns_load_first_line(text->text, end, &stop);
  int rows, cols, rc = NS_OK;
  if (!line)
    return ns_elem_fail(&l->msg, e, NULL, "%s is empty, expected rows of numbers", t->shown);
  if (begins_with_number(line, stop) || ns_values_is_matrix_market(text->text, text->n))
    stop = line;
  else rc = header(l, line, stop, t);
  if (!rc)
    rc = ns_values_parse_file(&l->msg.c, ns_elem_at(e, NULL).text, t->shown, stop,
                              (size_t)(end - stop), &t->value, &rows, &cols);
  if (rc) return rc;
  if (t->label && t->cols != cols)
    return ns_elem_fail(&l->msg, e, NULL,
                        "%s has %d columns of numbers and %d names, expected a name for each",
                        t->shown, cols, t->cols);
  t->n = rows;
  t->cols = cols;
  return NS_OK;
}

static int read_dataset(ns_load *l, const ns_elem *e, const char *real, numbers *t)
{
  ns_hdf5_dataset d;
  int rc = ns_load_hdf5(l, e, real, &d);
  if (rc) return rc;
  size_t size = d.rows * (size_t)d.cols;
  t->n = (long)d.rows;
  t->cols = d.cols;
  if (d.name && !(t->label = ns_arena_copy(l->scratch, d.name, (size_t)d.cols, sizeof *d.name)))
    return ns_nomem(&l->msg.c, "a table");
  if (!(t->value = malloc((size + 1) * sizeof *t->value))) return ns_nomem(&l->msg.c, "a table");
  if (size) memcpy(t->value, d.value, size * sizeof *t->value);
  return NS_OK;
}

/* The result of a run: its columns are those of its rows. */
static int open_result(ns_load *l, const ns_elem *e, const char *real, numbers *t)
{
  ns_ctx quiet = {0};
  int rc = ns_result_open(&quiet, real, &t->result);
  if (rc == NS_NOMEM) return ns_nomem(&l->msg.c, "a result");
  if (rc || !ns_result_get_meta(t->result)->format)
    return ns_elem_fail(&l->msg, e, NULL,
                        "%s is an HDF5 file but not a result of nssim run, expected "
                        "dataset=\"...\" with the path of a dataset",
                        t->shown);
  t->n = (long)ns_result_get_meta(t->result)->nrows;
  return NS_OK;
}

static int read_file(ns_load *l, const ns_elem *e, numbers *t)
{
  const char *real, *name = ns_elem_attr(e, "file");
  ns_text text;
  ns_elem_place at = ns_elem_at(e, NULL);
  if (ns_elem_attr(e, "dataset")) {
    int rc = ns_files_find_named(&l->files, &l->msg.c, at.text, e->dir, name, &t->shown, &real);
    return rc ? rc : read_dataset(l, e, real, t);
  }
  size_t len = strlen(name);
  int hdf5 = (len > 3 && !strcmp(name + len - 3, ".h5")) ||
             (len > 5 && !strcmp(name + len - 5, ".hdf5"));
  int rc = hdf5 ? ns_files_find_named(&l->files, &l->msg.c, at.text, e->dir, name, &t->shown, &real)
                : ns_files_read_named(&l->files, &l->msg.c, at.text, e->dir, name, &text, &t->shown,
                                      &real);
  if (rc) return rc;
  if (hdf5) return open_result(l, e, real, t);
  if (text.n > 8 && !memcmp(text.text, "\211HDF", 4))
    return ns_elem_fail(
        &l->msg, e, NULL,
        "%s is an HDF5 file, expected a name that ends with .h5, or dataset=\"...\"", t->shown);
  return read_text(l, e, &text, t);
}

static int points_or_file(ns_load *l, const ns_elem *e, numbers *t)
{
  const char *file = ns_elem_attr(e, "file"), *points = ns_elem_attr(e, "points");
  if (file && points)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "attributes points and file are given, expected one of them; remove the other");
  if (!file && !points)
    return ns_elem_fail(&l->msg, e, NULL, "has no numbers, expected points=\"0 0; 1 2\" or file=");
  if (!file && ns_elem_attr(e, "dataset"))
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute dataset is given without file, expected the file that holds it");
  return file ? read_file(l, e, t) : listed(l, e, t);
}

/* What column_number says of a name that is no column, or several. */
enum { UNKNOWN = -1, AMBIGUOUS = -2 };

static int unknown_column(ns_load *l, const ns_elem *e, const char *attribute, const char *name,
                          int found, const numbers *t)
{
  char near[80] = "";
  ns_suggest s = ns_suggest_for(name, strlen(name));
  for (int k = 0; t->label && k < t->cols; k++) ns_suggest_offer(&s, t->label[k]);
  if (found == AMBIGUOUS)
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute %s: several columns of %s are called \"%.80s\", expected one; "
                        "give its number, 1 to %d",
                        attribute, t->shown, name, t->cols);
  if (s.best) snprintf(near, sizeof near, ", did you mean \"%.40s\"?", s.best);
  return ns_elem_fail(&l->msg, e, NULL,
                      "attribute %s: \"%s\" is not a column of %s, expected %s 1 to %d%s",
                      attribute, ns_quoted(name).text, t->shown ? t->shown : "points",
                      t->label ? "one of its names or a number" : "a number", t->cols, near);
}

static int column_number(const numbers *t, const char *name)
{
  int found = UNKNOWN;
  for (int k = 0; t->label && k < t->cols; k++)
    if (!strcmp(t->label[k], name)) found = found == UNKNOWN ? k : AMBIGUOUS;
  if (found != UNKNOWN) return found;
  if (!*name || strspn(name, "0123456789") != strlen(name)) return UNKNOWN;
  long k = strtol(name, NULL, 10);
  return k >= 1 && k <= t->cols ? (int)k - 1 : UNKNOWN;
}

/* Values of the column `name`, or of column `initial` where that is NULL, in SI; out [t->n]. */
static int column(ns_load *l, const ns_elem *e, const char *attribute, const char *name,
                  int initial, const char *unit, const numbers *t, double *out)
{
  double zero = 0, one = 1;
  ns_column c;
  if (t->result && !name)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "attribute %s is missing, expected the name of a column of %s; `nssim info` lists them",
        attribute, t->shown);
  if (t->result) {
    int rc = ns_result_find(t->result, &l->msg.c, name, &c);
    if (!rc) rc = ns_result_read(t->result, &l->msg.c, &c, out);
    if (rc) return rc;
  } else {
    int k = name ? column_number(t, name) : initial;
    if (k < 0 || k >= t->cols)
      return unknown_column(l, e, attribute, name ? name : initial ? "2" : "1", k, t);
    for (long i = 0; i < t->n; i++) out[i] = t->value[i * t->cols + k];
  }
  if (unit && !ns_units_is_si(&l->units, unit)) {
    ns_elem_place at = ns_elem_at(e, NULL);
    int rc = ns_units_to_si(&l->units, &l->msg.c, at.text, unit, 0, &zero);
    if (!rc) rc = ns_units_to_si(&l->units, &l->msg.c, at.text, unit, 1, &one);
    if (rc) return rc;
    for (long i = 0; i < t->n; i++) out[i] = zero + (one - zero) * out[i];
  }
  for (long i = 0; i < t->n; i++)
    if (!isfinite(out[i]))
      return ns_elem_fail(&l->msg, e, NULL, "row %ld of %s is %g, expected finite numbers", i + 1,
                          t->shown ? t->shown : "points", out[i]);
  return NS_OK;
}

/* ---- <table> --------------------------------------------------------------------------------- */

/* A column of values and its unit, and what is between and outside of the rows; NULL: the column
 * behind the arguments, in SI. */
typedef struct values {
  const char *name, *unit;
  ns_interpolation how;
  ns_outside outside;
} values;

static int take_words(ns_load *l, const ns_elem *e, values *v)
{
  int i = ns_load_word(l, e, "interpolation", NS_INTERPOLATION_LINEAR),
      o = ns_load_word(l, e, "outside", NS_OUTSIDE_ERROR);
  if (i < 0 || o < 0) return NS_MODEL;
  v->how = (ns_interpolation)i;
  v->outside = (ns_outside)o;
  return NS_OK;
}

static int make_curve(ns_load *l, const ns_elem *e, const numbers *t, const char *name,
                      const values *of, double *x, double *y, function *f)
{
  int rc = column(l, e, "x", name, 0, f->xunit[0], t, x);
  if (!rc) rc = column(l, e, "y", of->name, 1, of->unit, t, y);
  if (rc) return rc;
  if (t->n < 2)
    return ns_elem_fail(&l->msg, e, NULL, "has %ld row%s, expected at least two", t->n,
                        t->n == 1 ? "" : "s");
  for (long i = 1; i < t->n; i++)
    if (!(x[i] > x[i - 1]))
      return ns_elem_fail(&l->msg, e, NULL,
                          "x of row %ld is %.10g, expected more than in the previous row, %.10g: "
                          "sort the rows by x, one row per x",
                          i + 1, x[i], x[i - 1]);
  if (!isfinite(x[t->n - 1] - x[0]))
    return ns_elem_fail(&l->msg, e, NULL, "x ranges from %g to %g, expected a finite range", x[0],
                        x[t->n - 1]);
  int smooth = of->how != NS_INTERPOLATION_STEP;
  if (of->outside == NS_OUTSIDE_PERIODIC && smooth && y[0] != y[t->n - 1])
    return ns_elem_fail(&l->msg, e, NULL,
                        "begins with y = %.10g and ends with %.10g, expected the same value at "
                        "both ends of a period",
                        y[0], y[t->n - 1]);
  f->table = ns_interpolant_create(l->m->arena, f->name, of->how, of->outside, (int)t->n, x, y);
  return f->table ? NS_OK : ns_nomem(&l->msg.c, "a table");
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* The different numbers of x [n] to out, ascending; their number. */
static int different(const double *x, long n, double *out)
{
  int m = 0;
  memcpy(out, x, (size_t)n * sizeof *x);
  qsort(out, (size_t)n, sizeof *out, ascending);
  for (long i = 0; i < n; i++)
    if (!m || out[i] > out[m - 1]) out[m++] = out[i];
  return m;
}

static long place_of(const double *x, const double *axis, int n)
{
  return (const double *)bsearch(x, axis, (size_t)n, sizeof *axis, ascending) - axis;
}

/* Rows of two arguments and a value: a full grid, in any order. room [7 n]. */
static int make_surface(ns_load *l, const ns_elem *e, const numbers *t, const char *const *name,
                        const values *of, double *capacity, function *f)
{
  double *x = capacity, *y = x + t->n, *z = y + t->n, *ax = z + t->n, *ay = ax + t->n,
         *value = ay + t->n, *seen = value + t->n;
  if (of->how == NS_INTERPOLATION_PCHIP || of->outside == NS_OUTSIDE_PERIODIC)
    return ns_elem_fail(&l->msg, e, NULL,
                        "%s applies to functions of one argument, expected step, linear or cubic, "
                        "and not periodic, for two",
                        of->how == NS_INTERPOLATION_PCHIP ? "pchip" : "periodic");
  int rc = column(l, e, "x", name[0], 0, f->xunit[0], t, x);
  if (!rc) rc = column(l, e, "x", name[1], 1, f->xunit[1], t, y);
  if (!rc) rc = column(l, e, "y", of->name, 2, of->unit, t, z);
  if (rc) return rc;
  int nx = different(x, t->n, ax), ny = different(y, t->n, ay);
  if (nx < 2 || ny < 2 || (long)nx * ny != t->n)
    return ns_elem_fail(&l->msg, e, NULL,
                        "has %ld rows with %d different %s and %d different %s, expected a row for "
                        "each pair of at least two of both",
                        t->n, nx, name[0], ny, name[1]);
  memset(seen, 0, (size_t)t->n * sizeof *seen);
  for (long i = 0; i < t->n; i++) {
    long at = place_of(&x[i], ax, nx) * ny + place_of(&y[i], ay, ny);
    if (seen[at] > 0)
      return ns_elem_fail(
          &l->msg, e, NULL,
          "row %ld repeats the pair %.10g, %.10g of row %.0f, expected each pair once", i + 1, x[i],
          y[i], seen[at]);
    seen[at] = (double)i + 1;
    value[at] = z[i];
  }
  f->table = ns_interpolant_create_2d(l->m->arena, f->name, of->how, of->outside, nx, ax, ny, ay,
                                      value);
  return f->table ? NS_OK : ns_nomem(&l->msg.c, "a table");
}

static int is_label(const numbers *t, const char *text)
{
  ns_column c;
  ns_ctx quiet = {0};
  return t->result ? ns_result_lookup(t->result, &quiet, text, &c)
                   : column_number(t, text) != UNKNOWN;
}

static int check_name(ns_load *l, const ns_elem *e, const char *attribute, const char *name)
{
  const char *wrong = ns_load_bad_name(name, strlen(name));
  const function *other = find(l->functions, name, strlen(name));
  const ns_elem *parameter = ns_load_parameter_elem(l, name, strlen(name));
  ns_quotation quoted = ns_quoted(name);
  if (wrong)
    return ns_elem_fail(&l->msg, e, NULL, "attribute %s: the name \"%s\" %s", attribute,
                        quoted.text, wrong);
  if (other || parameter) {
    const ns_elem *first = other ? other->e : parameter;
    return ns_elem_fail(
        &l->msg, e, NULL,
        "has the name \"%s\", which the %s at %s:%d has too, expected a different name",
        quoted.text, first->name, first->file, first->line);
  }
  return NS_OK;
}

enum { TABLE_COLUMNS = 64 }; /* of values of one table */

/* xUnit= of one argument, or of each of two: one for both, or one for each. */
static int take_argument_units(ns_load *l, const ns_elem *e, int arguments, const char *unit[2])
{
  const char *text = ns_elem_attr(e, "xUnit");
  unit[0] = text;
  if (!text || arguments == 1) return NS_OK;
  int n = words(l, text, unit, 2);
  if (n < 0) return ns_nomem(&l->msg.c, "a table");
  if (n == 0 || n > 2)
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute xUnit has %d units for two arguments, expected one for both, or "
                        "one for each; N*m, not N m",
                        n);
  if (n == 1) unit[1] = unit[0];
  return NS_OK;
}

/* Functions of a table: one by its id, or one for each of several columns of values, ID_NAME. */
static int make_functions(ns_load *l, const ns_elem *e, const numbers *t,
                          const char *const *argument, int arguments, double *capacity)
{
  const char *y = ns_elem_attr(e, "y"), *unit = ns_elem_attr(e, "yUnit"),
             *id = ns_elem_attr(e, "id"), *name[TABLE_COLUMNS], *units[TABLE_COLUMNS];
  int single = !y || is_label(t, y), n = single ? 1 : words(l, y, name, TABLE_COLUMNS), nunits = 0,
      rc = NS_OK;
  if (n < 0 || (n > 1 && unit && (nunits = words(l, unit, units, TABLE_COLUMNS)) < 0))
    return ns_nomem(&l->msg.c, "a table");
  if (n > TABLE_COLUMNS)
    return ns_elem_fail(&l->msg, e, NULL, "attribute y names %d columns, expected at most %d", n,
                        (int)TABLE_COLUMNS);
  if (nunits > 1 && nunits != n)
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute yUnit has %d units for %d columns, expected one for all, or one "
                        "for each; N*m, not N m",
                        nunits, n);
  const char *xunit[2] = {NULL};
  values of;
  if ((rc = take_words(l, e, &of)) || (rc = take_argument_units(l, e, arguments, xunit))) return rc;
  for (int k = 0; k < n && !rc; k++) {
    of.name = n == 1 ? y : name[k];
    of.unit = nunits > 1 ? units[k] : unit;
    function *f = ns_arena_zero(l->scratch, 1, sizeof *f);
    char *own = ns_arena_format(l->m->arena, "%s%s%s", id, n > 1 ? "_" : "", n > 1 ? name[k] : "");
    if (!f || !own) return ns_nomem(&l->msg.c, "a table");
    *f = (function){.name = own,
                    .narguments = arguments,
                    .xunit = {xunit[0], xunit[1]},
                    .unit = of.unit,
                    .e = e,
                    .before = l->functions};
    rc = check_name(l, e, n > 1 ? "y" : "id", own);
    if (!rc)
      rc = arguments == 2 ? make_surface(l, e, t, argument, &of, capacity, f)
                          : make_curve(l, e, t, argument[0], &of, capacity, capacity + t->n, f);
    if (!rc) l->functions = f;
  }
  return rc;
}

static int make_table(ns_load *l, const ns_elem *e)
{
  numbers t = {0};
  const char *x = ns_elem_attr(e, "x"), *word[2] = {x, NULL};
  double *capacity = NULL;
  int rc = points_or_file(l, e, &t), n = 1;
  if (!rc && t.n > NS_ENTRIES_MAX)
    rc = ns_elem_fail(&l->msg, e, NULL, "has %ld rows, expected at most %d", t.n,
                      (int)NS_ENTRIES_MAX);
  if (!rc && x && !is_label(&t, x) && (n = words(l, x, word, 2)) < 0)
    rc = ns_nomem(&l->msg.c, "a table");
  if (!rc && n > 2)
    rc = ns_elem_fail(&l->msg, e, NULL, "attribute x names %d columns, expected one or two", n);
  if (n != 2) word[0] = x;
  if (!rc && !(capacity = malloc((7 * (size_t)t.n + 1) * sizeof *capacity)))
    rc = ns_nomem(&l->msg.c, "a table");
  if (!rc) rc = make_functions(l, e, &t, word, n, capacity);
  free(capacity);
  free(t.value);
  ns_result_close(t.result);
  return rc;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int add(ns_load *l, const ns_elem *e, int is_table)
{
  const char *attribute = is_table ? "id" : "name", *name = ns_elem_attr(e, attribute);
  function *f = is_table ? NULL : ns_arena_zero(l->scratch, 1, sizeof *f);
  if (!f && !is_table) return ns_nomem(&l->msg.c, "functions");
  if (!name) return NS_OK; /* reported */
  if (e->bad || check_name(l, e, attribute, name)) {
    l->functions_unknown = 1;
    return NS_OK;
  }
  if (f) *f = (function){.name = name, .e = e, .before = l->functions};
  int rc = f ? make_function(l, e, f) : make_table(l, e);
  if (f && !rc) l->functions = f;
  l->functions_unknown |= rc != NS_OK;
  return rc == NS_NOMEM ? rc : NS_OK;
}

int ns_load_functions(ns_load *l)
{
  const ns_elem *all = l->tree.root ? ns_elem_child(l->tree.root, "parameters") : NULL;
  int rc = NS_OK;
  l->functions = NULL;
  l->functions_unknown = 0;
  for (const ns_elem *e = all ? all->first : NULL; e && !rc && !ns_messages_full(&l->msg);
       e = e->next) {
    int is_table = !strcmp(e->name, "table");
    if (is_table || !strcmp(e->name, "function")) rc = add(l, e, is_table);
  }
  return rc;
}
