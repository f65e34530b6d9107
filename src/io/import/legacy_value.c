/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legacy_value.c -- elements, numbers and files of a SiconosModel file. */
#include "io/import/legacy.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TEXT(s) ((const char *)(s))

enum { MAX_BYTES = 1 << 26 }; /* of a file of values */

/* ---- elements -------------------------------------------------------------------------------- */

const char *ns_legacy_name(const xmlNode *x) { return TEXT(x->name); }

static const xmlNode *element_from(const xmlNode *x)
{
  while (x && x->type != XML_ELEMENT_NODE) x = x->next;
  return x;
}

const xmlNode *ns_legacy_first(const xmlNode *x) { return x ? element_from(x->children) : NULL; }

const xmlNode *ns_legacy_next(const xmlNode *x) { return element_from(x->next); }

const xmlNode *ns_legacy_child(const xmlNode *x, const char *names)
{
  const xmlNode *k = ns_legacy_first(x);
  while (k && !ns_legacy_has(names, ns_legacy_name(k))) k = ns_legacy_next(k);
  return k;
}

/* A copy of s without white space at its ends; "" for NULL and where there is no memory, which is
 * reported. */
static const char *trimmed(ns_legacy *l, const char *s)
{
  if (!s) return "";
  while (isspace((unsigned char)*s)) s++;
  size_t n = strlen(s);
  while (n && isspace((unsigned char)s[n - 1])) n--;
  const char *copy = ns_arena_part(l->a, s, n);
  if (!copy) ns_nomem(&l->msg.c, "texts of the model");
  return copy ? copy : "";
}

const char *ns_legacy_attribute(ns_legacy *l, const xmlNode *x, const char *name)
{
  xmlChar *s = xmlGetNoNsProp((xmlNode *)(uintptr_t)x, BAD_CAST name);
  const char *copy = trimmed(l, TEXT(s));
  xmlFree(s);
  return copy;
}

const char *ns_legacy_text(ns_legacy *l, const xmlNode *x)
{
  xmlChar *s = x ? xmlNodeGetContent((xmlNode *)(uintptr_t)x) : NULL;
  const char *copy = trimmed(l, TEXT(s));
  xmlFree(s);
  return copy;
}

const char *ns_legacy_called(ns_legacy *l, const xmlNode *x)
{
  static const char generic[] =
      "DS Relation NS_Law OneStepIntegrator OneStepNSProblem BoundaryCondition";
  const char *name = ns_legacy_name(x), *type = ns_legacy_attribute(l, x, "type");
  int qualified = !strcmp(name, "LagrangianRelation") || !strcmp(name, "FirstOrderRelation");
  if (!*type) return name;
  if (!qualified) return ns_legacy_has(generic, name) ? type : name;
  const char *both = ns_arena_format(l->a, "%s/%s", name, type);
  if (!both) ns_nomem(&l->msg.c, "texts of the model");
  return both ? both : name;
}

int ns_legacy_number(ns_legacy *l, const xmlNode *x)
{
  const char *s = ns_legacy_attribute(l, x, "number");
  char *end;
  if (!*s) return -1;
  errno = 0;
  long k = strtol(s, &end, 10);
  if (!errno && !*end && k > 0 && k < INT_MAX) return (int)k;
  ns_legacy_fail(l, x, "number=\"%.40s\", expected a positive whole number", s);
  return -1;
}

const char *ns_legacy_label(ns_legacy *l, const xmlNode *x)
{
  const char *name = ns_legacy_attribute(l, x, "Name");
  if (!*name) name = ns_legacy_attribute(l, x, "Id");
  return *name ? name : ns_legacy_text(l, ns_legacy_child(x, "Id"));
}

void ns_legacy_leftover(ns_legacy *l, const xmlNode *x, const char *taken)
{
  for (const xmlNode *k = ns_legacy_first(x); k; k = ns_legacy_next(k)) {
    const char *name = ns_legacy_name(k);
    if (ns_legacy_has(taken, name)) continue;
    const char *const *row = ns_legacy_ignored;
    while (*row && !ns_legacy_has(*row, name)) row += 2;
    if (*row) ns_legacy_note_at(l, k, "<%.60s> is ignored: %s", name, row[1]);
    else ns_legacy_warn(l, k, "<%.60s> is ignored: it is unknown", name);
  }
}

/* ---- numbers --------------------------------------------------------------------------------- */

char *ns_legacy_token(char **p)
{
  char *s = *p;
  while (isspace((unsigned char)*s)) s++;
  if (!*s) return NULL;
  char *end = s;
  while (*end && !isspace((unsigned char)*end)) end++;
  *p = *end ? end + 1 : end;
  *end = 0;
  return s;
}

/* 1: the whole word is one finite decimal number. */
static int is_number(const char *s, double *x)
{
  char *end;
  if (strspn(s, "+-.0123456789eE") != strlen(s)) return 0;
  *x = strtod(s, &end);
  return end != s && !*end && isfinite(*x);
}

double ns_legacy_real(ns_legacy *l, const xmlNode *x)
{
  double v = NAN;
  if (!x) return v;
  const char *s = ns_legacy_text(l, x);
  if (is_number(s, &v)) return v;
  ns_legacy_fail(l, x,
                 *s ? "is \"%.40s\", expected one number" : "is empty%.0s, expected one number", s);
  return NAN;
}

int ns_legacy_count(ns_legacy *l, const xmlNode *x, int otherwise)
{
  if (!x) return otherwise;
  double v = ns_legacy_real(l, x);
  if (isnan(v) || (v >= 1 && v <= NS_LEGACY_ENTRIES && v == floor(v)))
    return isnan(v) ? otherwise : (int)v;
  ns_legacy_fail(l, x, "is %g, expected a whole number from 1 to %d", v, (int)NS_LEGACY_ENTRIES);
  return otherwise;
}

/* A size in an attribute: -1 where there is none, -2 where it was reported. */
static int size_of(ns_legacy *l, const xmlNode *x, const char *name)
{
  const char *s = ns_legacy_attribute(l, x, name);
  char *end;
  if (!*s) return -1;
  errno = 0;
  long k = strtol(s, &end, 10);
  if (!errno && !*end && k >= 0 && k <= NS_LEGACY_ENTRIES) return (int)k;
  ns_legacy_fail(l, x, "%s=\"%.40s\", expected a whole number up to %d", name, s,
                 (int)NS_LEGACY_ENTRIES);
  return -2;
}

/* All numbers of a text, in the arena: their count, or -1 (reported). */
static int numbers(ns_legacy *l, const xmlNode *x, const char *text, double **out)
{
  char *copy = strdup(text), *p = copy, *word;
  size_t n = 0, max = strlen(text) / 2 + 1;
  *out = ns_arena_get(l->a, max, sizeof **out);
  if (!copy || !*out) {
    free(copy);
    ns_nomem(&l->msg.c, "values of the model");
    return -1;
  }
  while ((word = ns_legacy_token(&p)) && n <= NS_LEGACY_ENTRIES) {
    if (is_number(word, &(*out)[n])) {
      n++;
      continue;
    }
    ns_legacy_fail(l, x, "entry %zu is \"%.40s\", expected a number", n + 1, word);
    free(copy);
    return -1;
  }
  free(copy);
  if (n <= NS_LEGACY_ENTRIES) return (int)n;
  ns_legacy_fail(l, x, "has more than %d entries, expected fewer", (int)NS_LEGACY_ENTRIES);
  return -1;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Text of the file at dir/name, NULL where there is none that is regular and not too large.
 * malloced. */
static char *slurp(const char *dir, const char *name)
{
  char path[PATH_MAX];
  struct stat st;
  int n = snprintf(path, sizeof path, "%s/%s", dir, name);
  if (n < 0 || (size_t)n >= sizeof path || stat(path, &st) || !S_ISREG(st.st_mode) ||
      st.st_size > MAX_BYTES)
    return NULL;
  FILE *f = fopen(path, "r");
  char *text = f ? malloc((size_t)st.st_size + 1) : NULL;
  size_t got = text ? fread(text, 1, (size_t)st.st_size, f) : 0;
  if (text) text[got] = 0;
  if (f) fclose(f);
  return text;
}

/* Old paths are relative to the folder the program was started in: there, in the folder of the
 * model, by their last part in it. A name that climbs is looked for by its last part alone. */
static char *find_file(ns_legacy *l, const char *name)
{
  const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
  int inside = *name != '/' && !strstr(name, "..");
  char *text = inside ? slurp(".", name) : NULL;
  if (!text && inside) text = slurp(l->dir, name);
  return text ? text : slurp(l->dir, base);
}

/* The last rows * cols numbers of a file: what stands before them are sizes, whose form changed. A
 * matrix says its own. */
static int read_file(ns_legacy *l, const xmlNode *x, const char *name, int matrix,
                     ns_legacy_value *v)
{
  double *all;
  char *text = find_file(l, name);
  if (!text)
    return ns_legacy_fail(l, x,
                          "the folder of the model does not contain the file \"%.200s\", with or "
                          "without its path, expected a file of numbers",
                          name);
  int n = numbers(l, x, text, &all), head = matrix ? 2 : 1;
  free(text);
  if (n < 0) return NS_MODEL;
  if (n < head)
    return ns_legacy_fail(l, x, "the file \"%.200s\" has %d numbers, expected its size first", name,
                          n);
  if (!matrix && n > 1 && all[0] == 1 && all[1] == n - 2)
    head = 2; /* the number of vectors, then their size */
  double rows = all[matrix ? 0 : head - 1], cols = matrix ? all[1] : 1;
  if (!(rows >= 1 && cols >= 1 && rows == floor(rows) && cols == floor(cols)) ||
      rows * cols != n - head)
    return ns_legacy_fail(l, x,
                          "the file \"%.200s\" has %d numbers after the size %g x %g, expected as "
                          "many as the size requires",
                          name, n - head, rows, cols);
  *v = (ns_legacy_value){.rows = (int)rows, .cols = (int)cols, .entry = all + head};
  return NS_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

int ns_legacy_miscount(ns_legacy *l, const xmlNode *x, int n, int want)
{
  const char *entries = n == 1 ? "entry" : "entries";
  if (!l->opt->recover)
    return ns_legacy_fail(
        l, x, "has %d %s, expected %d as vectorSize states; --recover accepts them as they are", n,
        entries, want);
  ns_legacy_warn(l, x, "<%s> has %d %s, not the %d of vectorSize", ns_legacy_name(x), n, entries,
                 want);
  return NS_OK;
}

static int read_vector(ns_legacy *l, const xmlNode *x, ns_legacy_value *v)
{
  int want = size_of(l, x, "vectorSize"),
      by_number = *ns_legacy_attribute(l, x->parent, "number") != 0;
  int n = want == -2 ? -1 : numbers(l, x, ns_legacy_text(l, x), &v->entry);
  if (n < 0) return NS_MODEL;
  v->rows = n;
  v->cols = 1;
  if (want >= 0 && want != n && by_number && ns_legacy_miscount(l, x, n, want)) return NS_MODEL;
  if (want >= 0 && want != n && !by_number)
    ns_legacy_note_at(l, x, "<%s> has %d entries, not the %d of vectorSize", ns_legacy_name(x), n,
                      want);
  if (!n) return ns_legacy_fail(l, x, "is empty, expected numbers");
  return NS_OK;
}

/* Row i of the matrix from <row>. */
static int read_row(ns_legacy *l, const xmlNode *row, int i, ns_legacy_value *v)
{
  double *entry;
  int n = numbers(l, row, ns_legacy_text(l, row), &entry);
  if (n < 0) return NS_MODEL;
  if (n != v->cols)
    return ns_legacy_fail(l, row,
                          "row %d of <%s> has %d numbers, expected %d as matrixColSize states",
                          i + 1, ns_legacy_name(row->parent), n, v->cols);
  memcpy(v->entry + (size_t)i * (size_t)n, entry, (size_t)n * sizeof *entry);
  return NS_OK;
}

static int read_rows(ns_legacy *l, const xmlNode *x, ns_legacy_value *v)
{
  int rows = size_of(l, x, "matrixRowSize"), cols = size_of(l, x, "matrixColSize"), rc = NS_OK,
      i = 0;
  if (rows == -2 || cols == -2) return NS_MODEL;
  if (rows < 1 || cols < 1 || (long)rows * cols > NS_LEGACY_ENTRIES)
    return ns_legacy_fail(
        l, x, "is %d x %d, expected matrixRowSize and matrixColSize from 1, or a plug-in or a file",
        rows < 0 ? 0 : rows, cols < 0 ? 0 : cols);
  *v = (ns_legacy_value){.rows = rows,
                         .cols = cols,
                         .entry = ns_arena_zero(l->a, (size_t)rows * (size_t)cols, sizeof(double))};
  if (!v->entry) return ns_nomem(&l->msg.c, "values of the model");
  for (const xmlNode *k = ns_legacy_child(x, "row"); k && i < rows && !rc; k = ns_legacy_next(k))
    if (!strcmp(ns_legacy_name(k), "row")) rc = read_row(l, k, i++, v);
  if (!rc && i < rows)
    ns_legacy_note_at(l, x, "<%s> gives %d of its %d rows: the others are zero", ns_legacy_name(x),
                      i, rows);
  return rc;
}

int ns_legacy_read(ns_legacy *l, const xmlNode *x, int matrix, ns_legacy_value *v)
{
  static const char *const plugins[] = {"plugin", "vectorPlugin", "matrixPlugin"};
  const char *file = ns_legacy_attribute(l, x, "vectorFile"), *spec = "";
  *v = (ns_legacy_value){0};
  if (!*file) file = ns_legacy_attribute(l, x, "matrixFile");
  for (int k = 0; k < 3 && !*spec; k++) spec = ns_legacy_attribute(l, x, plugins[k]);
  if (*spec && *file)
    return ns_legacy_fail(l, x, "names a plug-in and a file, expected one of them");
  if (*spec) {
    const char *colon = strchr(spec, ':');
    if (!colon || colon == spec || !colon[1] || strpbrk(spec, " \t\r\n"))
      return ns_legacy_fail(
          l, x, "the plug-in is \"%.80s\", expected Library:function without blanks", spec);
    v->plugin = spec;
    return NS_OK;
  }
  int rc, by_rows = matrix && (ns_legacy_first(x) || *ns_legacy_attribute(l, x, "matrixRowSize"));
  if (*file) rc = read_file(l, x, file, matrix, v);
  else rc = by_rows ? read_rows(l, x, v) : read_vector(l, x, v);
  v->matrix = matrix;
  return rc;
}

/* ---- writing --------------------------------------------------------------------------------- */

static int is_zero(const ns_legacy_value *v)
{
  for (size_t k = 0; k < (size_t)v->rows * (size_t)v->cols; k++)
    if (v->entry[k] != 0) return 0;
  return 1;
}

/* Square of more than one row, and zero beside its diagonal. */
static int is_diagonal(const ns_legacy_value *v)
{
  size_t n = (size_t)v->cols;
  if (v->rows != v->cols || v->rows < 2) return 0;
  for (size_t k = 0; k < n * n; k++)
    if (k / n != k % n && v->entry[k] != 0) return 0;
  return 1;
}

void ns_legacy_write(ns_legacy *l, int depth, const char *now, const ns_legacy_value *v,
                     const char *abi, int keep)
{
  if (!v->plugin && !keep && is_zero(v)) return;
  fprintf(l->out, "%*s<%s", 2 * depth, "", now);
  if (v->plugin) {
    fputs(" plugin=\"", l->out);
    ns_import_put_xml(l->out, v->plugin);
    fprintf(l->out, "\" abi=\"%s\"/>\n", abi);
    return;
  }
  size_t cols = (size_t)v->cols, n = (size_t)v->rows * cols;
  int diagonal = is_diagonal(v) && ns_legacy_has("mass K C D A M", now);
  fputs(diagonal ? " diag=\"" : ">", l->out);
  for (size_t k = 0; k < n; k += diagonal ? cols + 1 : 1) {
    const char *apart = v->matrix && !diagonal && k % cols == 0 ? "; " : " ";
    fprintf(l->out, "%s%s", k ? apart : "", NS_IMPORT_DECIMAL_OF(v->entry[k]));
  }
  if (diagonal) fputs("\"/>\n", l->out);
  else fprintf(l->out, "</%s>\n", now);
}
