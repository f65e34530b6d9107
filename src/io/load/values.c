/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/load/values.h"

#include "base/grow.h"
#include "base/text.h"
#include "io/load/load_dimensions.h"

#include "expression/quote.h"
#include "model/plugin_form.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- shapes ---------------------------------------------------------------------------------- */

/* The number of entries of a vector that is written as a row or a column; -1: it is a matrix. */
static int vector_length(int rows, int cols)
{
  return rows == 1 ? cols : cols == 1 || rows * (long)cols == 0 ? rows : -1;
}

static int too_large(ns_load *l, const ns_elem *e, int m, int n)
{
  return ns_elem_fail(
      &l->msg, e, NULL,
      "%d x %d entries are more than %d, expected a smaller matrix; split the system", m, n,
      (int)NS_ENTRIES_MAX);
}

/* "1,5" stands in it. */
static int has_comma(const char *s)
{
  for (const char *p = strchr(s, ','); p; p = strchr(p + 1, ','))
    if (p > s && isdigit((unsigned char)p[-1]) && isdigit((unsigned char)p[1])) return 1;
  return 0;
}

/* Why there may be more entries than expected: a sentence's end, "" if that is not known. */
static const char *too_many(ns_load *l, const ns_elem *e, char *buf, size_t size)
{
  char advice[120];
  if (has_comma(e->text)) return "; a comma separates entries, the decimal sign is a point";
  if (ns_load_unit_advice(l, e, e->text, strlen(e->text), NULL, advice, sizeof advice)) {
    snprintf(buf, size, "; %s", advice);
    return buf;
  }
  for (const char *p = e->text; *p; p++)
    if (isspace((unsigned char)*p) && isalpha((unsigned char)p[1]))
      return "; white space separates entries: in a formula write * for a product";
  return "";
}

/* A square matrix whose text may be meant as its diagonal. */
static int may_be_diagonal(const ns_elem *e, const ns_wanted *w, int rows, int cols)
{
  int diag = ns_word_index(ns_lang_form_names, NS_LANG_VALUE_ATTRIBUTES, "diag");
  return w->rows == w->cols && rows == 1 && (cols == 1 || cols == w->cols) &&
         !ns_elem_attr(e, "file") && ns_lang_has_form(e->value, diag);
}

/* Hold what was found against what is wanted; the shape of the operator to v. */
static int check_shape(ns_load *l, const ns_elem *e, const ns_wanted *w, int diag, int rows,
                       int cols, ns_value *v)
{
  const char *why = w->why ? w->why : "";
  char buf[128];
  int matrix = e->value->cols != NULL;
  if (!matrix || diag) {
    int n = vector_length(rows, cols);
    if (n < 0)
      return ns_elem_fail(&l->msg, e, NULL, "is a %d x %d matrix, expected a vector%s%s", rows,
                          cols, *why ? ": " : "", why);
    if (w->rows >= 0 && n != w->rows)
      return ns_elem_fail(&l->msg, e, NULL, "has %d entr%s, expected %d%s%s%s", n,
                          n == 1 ? "y" : "ies", w->rows, *why ? ": " : "", why,
                          n > w->rows ? too_many(l, e, buf, sizeof buf) : "");
    v->op.rows = n;
    v->op.cols = diag || w->diagonal ? n : 1;
    v->op.diagonal = v->op.cols == n && w->compact && (diag || w->diagonal);
    if (!v->op.diagonal && v->op.cols == n && (long)n * n > NS_ENTRIES_MAX)
      return too_large(l, e, n, n);
    return NS_OK;
  }
  if ((w->rows >= 0 && rows != w->rows) || (w->cols >= 0 && cols != w->cols)) {
    char wr[16] = "any", wc[16] = "any";
    if (w->rows >= 0) snprintf(wr, sizeof wr, "%d", w->rows);
    if (w->cols >= 0) snprintf(wc, sizeof wc, "%d", w->cols);
    int turned = rows != cols && rows == w->cols && cols == w->rows;
    const char *advice = turned ? "; rows are separated by semicolons" : "";
    char diagonal[96];
    if (may_be_diagonal(e, w, rows, cols)) {
      snprintf(diagonal, sizeof diagonal, "; for a diagonal matrix write <%s diag=\"...\"/>",
               e->name);
      advice = diagonal;
    }
    return ns_elem_fail(&l->msg, e, NULL, "is %d x %d, expected %s x %s%s%s%s", rows, cols, wr, wc,
                        *why ? ": " : "", why, advice);
  }
  v->op.rows = rows;
  v->op.cols = cols;
  return NS_OK;
}

double *ns_value_capacity(ns_load *l, const ns_elem *e, const ns_operator *op)
{
  long n = (long)op->rows * (op->diagonal ? 1 : op->cols);
  double *p = NULL;
  l->entries += n;
  if (l->entries > NS_ENTRIES_EACH * l->max)
    ns_elem_fail(&l->msg, e, NULL,
                 "the values of the model have more than %ld entries, expected fewer; smaller "
                 "systems have smaller matrices",
                 NS_ENTRIES_EACH * l->max);
  else if (!(p = ns_arena_zero(l->m->arena, (size_t)n, sizeof *p)))
    ns_nomem(&l->msg.c, "values of the model");
  return p;
}

/* ---- formulas -------------------------------------------------------------------------------- */

typedef struct collector {
  ns_load *l;
  const ns_elem *e;
  ns_graph *g;
  ns_load_scope *s;
  ns_node *node;
  size_t n;
  int bad;   /* entries that are no formulas */
  int fills; /* entries that are "..." */
  int total; /* n of "...(n)", else -1 */
} collector;

enum { FILL = -2 }; /* the node of an entry "..." */

/* What to do about a value that depends on too much. */
static const char *remedy_of(const ns_elem *e, int state)
{
  static const struct {
    const char *element, *value;
    int state;
    const char *text;
  } list[] = {
      {"NewtonEulerR", NULL, 0, "; a gap does not depend on velocities"},
      {"NewtonEulerDS", NULL, 1,
       "; a force that depends on the state belongs in <fInt> or <mInt>, with the sign changed"},
      {"RigidBody2dDS", NULL, 1,
       "; a force that depends on the state belongs in <fInt> or <mInt>, with the sign changed"},
      {NULL, "fExt", 1,
       "; a force that depends on the state belongs in <fInt> of a LagrangianDS, with the sign "
       "changed"},
      {"LagrangianLinearTIDS", NULL, 1, "; a LagrangianDS supports variable forces and masses"},
      {"FirstOrderLinearTIDS", NULL, 0,
       "; a FirstOrderLinearDS supports formulas of t and z, a FirstOrderNonLinearDS also of the "
       "state"},
      {"FirstOrderLinearDS", NULL, 1, "; a FirstOrderNonLinearDS supports formulas of the state"},
      {"FirstOrderNonLinearDS", "M", 1, "; where M depends on the state, divide <f> by it"},
      {"FirstOrderLinearTIR", NULL, 0,
       "; a FirstOrderLinearR supports formulas of t and z, a FirstOrderNonLinearR also of the "
       "state"},
      {"FirstOrderLinearR", NULL, 1, "; use a FirstOrderNonLinearR for what depends on the state"},
      {"FirstOrderType1R", "h", 1, "; use a FirstOrderType2R"},
      {"FirstOrderType1R", NULL, 1, "; use a FirstOrderNonLinearR"},
      {"FirstOrderType2R", NULL, 1, "; use a FirstOrderNonLinearR"},
      {"LagrangianScleronomousR", "HDot", 0, ""},
      {"LagrangianScleronomousR", NULL, 0,
       "; a LagrangianRheonomousR supports formulas of t, a LagrangianCompliantR formulas of "
       "lambda"},
      {"LagrangianRheonomousR", NULL, 1,
       "; a LagrangianCompliantR supports formulas of lambda; a gap does not depend on v"}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++)
    if ((!list[k].element || !strcmp(list[k].element, e->parent->name)) &&
        (!list[k].value || !strcmp(list[k].value, e->name)) && list[k].state <= state)
      return list[k].text;
  return "";
}

/* The formula uses a variable that it may not. */
static int refused(collector *k)
{
  const ns_lang_item *i = k->e->value;
  char may[64];
  int state = strcmp(k->s->refused, "t") != 0;
  const char *name = k->s->refused;
  if (k->l->msg.c.rc && ns_load_parameter(k->l, name, strlen(name)))
    return NS_MODEL; /* it has been reported that a coordinate has the name of a parameter */
  ns_lang_uses(i, may, sizeof may);
  const char *remedy = remedy_of(k->e, state);
  return ns_elem_fail(&k->l->msg, k->e, NULL, "depends on %s, expected %s%s%s%s", name,
                      *may ? "a formula of " : "a constant: numbers, parameters and indices", may,
                      *may ? ", parameters and indices only" : "", remedy);
}

static int is_fill(const char *text, size_t len) { return len >= 3 && !memcmp(text, "...", 3); }

/* "..." or "...(n)". */
static int fill_entry(collector *k, const char *text, size_t len, ns_node *f)
{
  double x;
  ns_node n;
  *f = FILL;
  k->fills++;
  if (len == 3) return NS_OK;
  int rc = ns_load_formula(k->l, k->g, k->s, &(ns_where){.e = k->e}, text + 3, len - 3, &n);
  if (rc || *k->s->refused) return rc;
  if (text[3] != '(' || !ns_graph_is_constant(k->g, n, &x) ||
      !(x >= 1 && x <= (double)NS_ENTRIES_MAX) || x != floor(x))
    return ns_elem_fail(&k->l->msg, k->e, NULL,
                        "\"%.*s\" does not give the number of entries, expected ...(n), where n is "
                        "a whole number of at least 1 or a formula of parameters",
                        (int)(len < 40 ? len : 40), text);
  k->total = (int)x;
  return NS_OK;
}

static int on_entry(void *to, int row, int col, const char *text, size_t len)
{
  collector *k = to;
  ns_expected expected;
  k->s->expected = k->l->has_units && k->l->opt && k->l->opt->units
                       ? ns_load_expected(k->s, k->e, row, col, &expected)
                       : NULL;
  if (ns_grow(&k->node, k->n)) return ns_nomem(&k->l->msg.c, "entries of a value");
  ns_node f = -1;
  int rc = is_fill(text, len)
               ? fill_entry(k, text, len, &f)
               : ns_load_formula(k->l, k->g, k->s, &(ns_where){.e = k->e}, text, len, &f);
  k->s->expected = NULL;
  if (!rc && *k->s->refused) rc = refused(k);
  if (rc) k->bad++;
  if (rc == NS_NOMEM || ns_messages_full(&k->l->msg)) return rc ? rc : NS_MODEL;
  k->node[k->n++] = f;
  return NS_OK;
}

/* One row with its "..." replaced by what stands before it. from [cols], to [total]. */
static int fill_row(ns_load *l, const ns_elem *e, const ns_node *from, int cols, ns_node *to,
                    int total)
{
  int at = -1, n = 0;
  for (int j = 0; j < cols; j++) {
    if (from[j] != FILL) continue;
    if (at >= 0) return ns_elem_fail(&l->msg, e, NULL, "has ... twice in a row, expected it once");
    at = j;
  }
  if (at <= 0)
    return ns_elem_fail(
        &l->msg, e, NULL,
        at ? "has ... in one row and not in another, expected it in each, or not at all"
           : "has ... as its first entry, expected one before it, which it repeats");
  while (n < at) to[n] = from[n], n++;
  for (; n < total - (cols - 1 - at); n++) to[n] = from[at - 1];
  for (int j = at + 1; j < cols; j++) to[n++] = from[j];
  return NS_OK;
}

/* Replace "..." in rows that are wanted to have `length` entries, -1: not known. */
static int fill(ns_load *l, const ns_elem *e, collector *k, int length, ns_nodes *out)
{
  int cols = out->cols, rc = NS_OK, total = k->total < 0 ? length : k->total;
  if (total < 0)
    return ns_elem_fail(&l->msg, e, NULL,
                        "has ..., but nothing else determines its length, expected ...(n) with the "
                        "number of entries");
  /* too many already: said where shapes are held against each other */
  total = total < cols - 1 ? cols - 1 : total;
  if ((long)out->rows * total > NS_ENTRIES_MAX) return too_large(l, e, out->rows, total);
  ns_node *to = malloc((size_t)out->rows * (size_t)(total + 1) * sizeof *to);
  if (!to) return ns_nomem(&l->msg.c, "entries of a value");
  for (int i = 0; i < out->rows && !rc; i++)
    rc = fill_row(l, e, out->node + (size_t)i * (size_t)cols, cols, to + (size_t)i * (size_t)total,
                  total);
  free(out->node);
  out->node = to;
  out->cols = total;
  return rc;
}

/* Parse all entries; nodes by rows. length: of a row, where "..." has to know it, else -1. */
static int collect(ns_load *l, const ns_elem *e, ns_graph *g, ns_load_scope *s, const char *text,
                   int length, ns_nodes *out)
{
  ns_ctx quiet = {0};
  collector k = {.l = l, .e = e, .g = g, .s = s, .total = -1};
  int rc = ns_split_entries(&quiet, "", text, on_entry, &k, &out->rows, &out->cols);
  out->node = k.node;
  if (quiet.rc)
    return ns_fail(&l->msg.c, quiet.rc, "%s%s",
                   quiet.rc == NS_NOMEM ? "" : ns_elem_at(e, NULL).text, quiet.msg);
  if (!rc && k.n == 0)
    return ns_elem_fail(&l->msg, e, NULL, "has no entries, expected numbers or formulas");
  if (!rc && !k.bad && k.fills) rc = fill(l, e, &k, length, out);
  return rc ? rc : k.bad ? NS_MODEL : NS_OK;
}

/* One diagonal, `above` the main one, of out [n x n]. */
static int collect_diagonal(ns_load *l, const ns_elem *e, ns_graph *g, ns_load_scope *s,
                            const char *text, int above, ns_nodes *out)
{
  ns_nodes d = {0};
  int n = out->rows, len = n - abs(above);
  int rc = collect(l, e, g, s, text, len, &d);
  if (!rc && (d.rows != 1 || d.cols != len))
    rc = ns_elem_fail(&l->msg, e, NULL,
                      "has a diagonal of %d entries, %d from the main one, expected %d: the matrix "
                      "is %d x %d; ... repeats an entry as often as needed",
                      d.cols, abs(above), len, n, n);
  for (int i = 0; i < len && !rc; i++) {
    int row = above < 0 ? i - above : i, col = above < 0 ? i : i + above;
    out->node[(size_t)row * (size_t)n + (size_t)col] = d.node[i];
  }
  free(d.node);
  return rc;
}

/* A matrix [n x n] by the diagonals about the main one, from below to above, parted by semicolons.
 */
static int collect_band(ns_load *l, const ns_elem *e, ns_graph *g, ns_load_scope *s,
                        const char *band, int n, ns_nodes *out)
{
  int count = 1, rc = NS_OK;
  for (const char *p = band; *p; p++) count += *p == ';';
  if (n < 0)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "is given by its diagonals, but nothing else determines its size, expected all rows");
  if (count % 2 == 0 || count / 2 >= n)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "has %d diagonals, expected an odd number, at most %d: the main one in the middle", count,
        n > 0 ? 2 * n - 1 : 1);
  if ((long)n * n > NS_ENTRIES_MAX) return too_large(l, e, n, n);
  size_t all = (size_t)n * (size_t)n;
  ns_node zero = ns_graph_constant(g, 0);
  char *copy = strdup(band), *text = copy;
  *out = (ns_nodes){.rows = n, .cols = n, .node = malloc(all * sizeof *out->node)};
  if (!out->node || !copy || zero < 0) rc = ns_nomem(&l->msg.c, "entries of a value");
  for (size_t i = 0; i < all && !rc; i++) out->node[i] = zero;
  for (int k = 0; k < count && !rc; k++) {
    size_t len = strcspn(text, ";");
    text[len] = '\0';
    rc = collect_diagonal(l, e, g, s, text, k - count / 2, out);
    text += len + 1;
  }
  free(copy);
  return rc;
}

static int all_constant(const ns_graph *g, const ns_node *node, size_t n)
{
  double x;
  for (size_t i = 0; i < n; i++)
    if (!ns_graph_is_constant(g, node[i], &x)) return 0;
  return 1;
}

/* Numbers have no place for NaN and infinity. value: by columns. */
static int check_finite(ns_load *l, const ns_elem *e, const char *id, const ns_operator *op,
                        const double *value)
{
  size_t rows = (size_t)op->rows, n = rows * (op->diagonal ? 1 : (size_t)op->cols);
  for (size_t i = 0; i < n; i++) {
    if (isfinite(value[i])) continue;
    if (isnan(value[i]) && l->nan_said) return NS_MODEL;
    if (op->cols == 1 || op->diagonal)
      return ns_elem_fail(&l->msg, e, id, "entry %zu is %g, expected a finite number", i + 1,
                          value[i]);
    return ns_elem_fail(&l->msg, e, id, "row %zu, column %zu is %g, expected a finite number",
                        i % rows + 1, i / rows + 1, value[i]);
  }
  return NS_OK;
}

static int make_constant(ns_load *l, const ns_elem *e, const ns_graph *g, const ns_nodes *in,
                         int diag, ns_value *v)
{
  size_t rows = (size_t)v->op.rows, cols = (size_t)v->op.cols;
  double *value = ns_value_capacity(l, e, &v->op);
  if (!value) return ns_load_failed(l);
  size_t step = v->op.diagonal ? 1 : 1 + rows; /* from one diagonal entry to the next */
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < (diag ? 1 : cols); j++)
      ns_graph_is_constant(g, in->node[diag ? i : i * cols + j],
                           &value[diag ? i * step : i + j * rows]);
  v->op.how = NS_OP_CONSTANT;
  v->op.value = value;
  return check_finite(l, e, NULL, &v->op, value);
}

/* out: nodes by columns. A tape for each instance, or for the run. */
static int make_tape(ns_load *l, const ns_graph *g, const ns_node *out, ns_value *v)
{
  size_t n = (size_t)v->op.rows * (size_t)v->op.cols;
  const ns_tape *tape;
  for (int b = 0; b < NS_BANKS; b++)
    for (size_t i = 0; i < n && !(v->op.uses & 1u << b); i++)
      if (ns_graph_uses(g, out[i], b)) v->op.uses |= 1u << b;
  int each = v->op.uses == 1u << NS_BANK_INDEX;
  int rc = ns_tape_compile(g, &l->msg.c, each ? l->scratch : l->m->arena, out, (int)n, &tape);
  if (rc) return rc;
  if (each) {
    v->each = tape;
    v->work = ns_arena_get(l->scratch, ns_tape_work(tape), sizeof(double));
    v->op.how = NS_OP_CONSTANT;
    v->op.uses = 0;
    return v->work ? NS_OK : ns_nomem(&l->msg.c, "values of the model");
  }
  return ns_operator_set_formula(&v->op, l->m->arena, (ns_formula){.tape = tape})
             ? ns_nomem(&l->msg.c, "values of the model")
             : NS_OK;
}

static int make_formulas(ns_load *l, const ns_elem *e, ns_graph *g, const ns_nodes *in, int diag,
                         ns_value *v)
{
  size_t rows = (size_t)v->op.rows, cols = (size_t)v->op.cols;
  if (all_constant(g, in->node, diag ? rows : rows * cols))
    return make_constant(l, e, g, in, diag, v);
  if (v->op.diagonal && (long)rows * (long)rows > NS_ENTRIES_MAX)
    return too_large(l, e, (int)rows, (int)rows);
  v->op.diagonal = 0; /* a tape writes every entry */
  ns_node zero = ns_graph_constant(g, 0), *out = malloc(rows * cols * sizeof *out);
  if (!out || zero < 0) {
    free(out);
    return ns_nomem(&l->msg.c, "values of the model");
  }
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < cols; j++)
      out[i + j * rows] = diag ? (i == j ? in->node[i] : zero) : in->node[i * cols + j];
  int rc = make_tape(l, g, out, v);
  free(out);
  return rc;
}

/* ---- the other forms ------------------------------------------------------------------------- */

static int make_file(ns_load *l, const ns_elem *e, const ns_wanted *w, ns_value *v)
{
  const char *shown;
  double *value, *kept;
  int rows, cols, rc = ns_load_matrix(l, e, &value, &rows, &cols, &shown);
  if (!rc) rc = check_shape(l, e, w, 0, rows, cols, v);
  if (rc) {
    free(value);
    return rc;
  }
  size_t nr = (size_t)v->op.rows, nc = (size_t)v->op.cols;
  kept = ns_value_capacity(l, e, &v->op);
  size_t step = v->op.diagonal ? 1 : 1 + nr;
  for (size_t i = 0; kept && i < nr; i++)
    for (size_t j = 0; j < (w->diagonal ? 1 : nc); j++)
      kept[w->diagonal ? i * step : i + j * nr] = value[w->diagonal ? i : i * nc + j];
  free(value);
  v->op.how = NS_OP_CONSTANT;
  v->op.value = kept;
  return kept ? NS_OK : ns_load_failed(l);
}

/* The function has the arguments of an earlier time. */
static int make_old(ns_load *l, const ns_elem *e, const char *abi, ns_value *v)
{
  ns_plugin_call *call = ns_arena_copy(l->m->arena, v->op.plugin, 1, sizeof *call);
  if (!call) return ns_nomem(&l->msg.c, "plug-in");
  call->old = ns_plugin_form_of(e->value->signature, abi);
  v->op.plugin = call;
  if (call->old) return NS_OK;
  if (!ns_plugin_form_is_window(abi))
    return ns_elem_fail(
        &l->msg, e, NULL,
        "abi=\"%.40s\", expected one of %s; nssim-plugin(7) has their lists of arguments", abi,
        ns_plugin_windows);
  return ns_elem_fail(
      &l->msg, e, NULL,
      "abi=\"%s\", but this function did not exist then, expected a later one of %s", abi,
      ns_plugin_windows);
}

static int make_plugin(ns_load *l, const ns_elem *e, const char *spec, const ns_wanted *w,
                       ns_value *v)
{
  enum {
    T = 1 << NS_BANK_T,
    Q = 1 << NS_BANK_Q,
    V = 1 << NS_BANK_V,
    Z = 1 << NS_BANK_Z,
    L = 1 << NS_BANK_LAMBDA
  };
  static const unsigned uses[NS_SIGNATURES] = {[NS_SIG_MASS] = Q | Z,
                                               [NS_SIG_FINT] = T | Q | V | Z,
                                               [NS_SIG_FGYR] = Q | V | Z,
                                               [NS_SIG_FEXT] = T | Z,
                                               [NS_SIG_F] = T | Q | Z,
                                               [NS_SIG_A] = T | Z,
                                               [NS_SIG_U] = T | Q | V | Z,
                                               [NS_SIG_T] = Q | Z,
                                               [NS_SIG_HG] = T | Q | Z | L,
                                               [NS_SIG_G] = T | Q | Z | L,
                                               [NS_SIG_B] = T | Z,
                                               [NS_SIG_DF] = T | Z,
                                               [NS_SIG_H1] = Q | Z,
                                               [NS_SIG_G1] = L | Z,
                                               [NS_SIG_H2] = Q | L,
                                               [NS_SIG_JH2] = Q | L,
                                               [NS_SIG_G2] = L,
                                               [NS_SIG_JG2] = L,
                                               [NS_SIG_LHDOT] = Q | V | Z,
                                               [NS_SIG_LRHEO] = T | Q | Z,
                                               [NS_SIG_LCOMP] = Q | L | Z,
                                               [NS_SIG_BC] = T,
                                               [NS_SIG_BODY_FEXT] = T | Z,
                                               [NS_SIG_BODY_FINT] = T | Q | V | Z};
  ns_elem_place at = ns_elem_at(e, NULL);
  if (!l->plugins)
    return ns_fail(&l->msg.c, NS_PLUGIN,
                   "%s: names a plug-in, but plug-ins are not loaded here, expected a formula",
                   at.text);
  /* M gets x, but is no function of it */
  unsigned may = e->value->first_order ? e->value->uses : ~0u;
  v->op = (ns_operator){.how = NS_OP_PLUGIN,
                        .rows = w->rows,
                        .cols = w->cols,
                        .uses = uses[e->value->signature] & may};
  l->m->uses_plugins = 1;
  int rc = ns_plugins_resolve(l->plugins, &l->msg.c, at.text, l->files.dir, spec,
                              e->value->signature, l->m->arena, &v->op.plugin);
  const char *abi = ns_elem_attr(e, "abi");
  return rc || !abi ? rc : make_old(l, e, abi, v);
}

static int count_entry(void *to, int row, int col, const char *text, size_t len)
{
  (void)row, (void)col;
  ++*(int *)to;
  return is_fill(text, len) ? NS_MODEL : NS_OK;
}

int ns_value_count(const ns_elem *e)
{
  ns_ctx quiet = {0};
  int n = 0, rows, cols;
  if (ns_elem_attr(e, "file") || ns_elem_attr(e, "plugin") || ns_elem_attr(e, "band")) return -1;
  int rc = ns_split_entries(&quiet, "", e->text, count_entry, &n, &rows, &cols);
  return !rc && !quiet.rc && n > 0 && vector_length(rows, cols) == n ? n : -1;
}

int ns_value_make(ns_load *l, const ns_elem *e, ns_graph *g, ns_load_scope *s, const ns_wanted *w,
                  ns_value *v, ns_nodes *nodes)
{
  const char *diag = ns_elem_attr(e, "diag"), *file = ns_elem_attr(e, "file"),
             *plugin = ns_elem_attr(e, "plugin");
  const char *band = ns_elem_attr(e, "band");
  ns_nodes in = {0};
  *v = (ns_value){0};
  if (file) return make_file(l, e, w, v);
  if (ns_elem_attr(e, "dataset"))
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute dataset is given without file, expected file=\"...\" with the "
                        "name of an HDF5 file");
  if (plugin) return make_plugin(l, e, plugin, w, v);
  s->uses = e->value->uses;
  if (s->observables)
    s->uses |= 1u << NS_BANK_LAMBDA | 1u << NS_BANK_JOINT | 1u << NS_BANK_OBSERVABLE;
  int length = e->value->cols && !diag ? w->cols : w->rows;
  int rc = band ? collect_band(l, e, g, s, band, w->rows, &in)
                : collect(l, e, g, s, diag ? diag : e->text, length, &in);
  if (!rc) rc = check_shape(l, e, w, diag != NULL, in.rows, in.cols, v);
  if (!rc) rc = make_formulas(l, e, g, &in, diag || w->diagonal, v);
  if (!rc && nodes) *nodes = in;
  else free(in.node);
  return rc;
}

int ns_value_of_nodes(ns_load *l, const ns_elem *e, ns_graph *g, const ns_nodes *nodes, ns_value *v)
{
  *v = (ns_value){.op = {.rows = nodes->rows, .cols = nodes->cols}};
  return make_formulas(l, e, g, nodes, 0, v);
}

int ns_value_constant(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                      const ns_wanted *w, ns_value *v)
{
  ns_elem *k = ns_elem_value(e, name);
  ns_load_scope s = {.index = index};
  *v = (ns_value){.op = {.how = NS_OP_ABSENT, .rows = w->rows, .cols = w->cols}};
  if (!k) return NS_OK;
  if (k->bad) return NS_MODEL;
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  int rc = g ? ns_value_make(l, k, g, &s, w, v, NULL) : ns_nomem(&l->msg.c, "values of the model");
  ns_arena_release(l->graphs, mark);
  return rc;
}

int ns_value_derive(ns_load *l, const ns_elem *e, ns_graph *g, const ns_nodes *f, int bank, int n,
                    ns_value *v)
{
  int m = f->rows * f->cols;
  size_t rows = (size_t)m, cols = (size_t)n;
  *v = (ns_value){.op = {.rows = m, .cols = n}};
  if (!f->node) return NS_OK;
  if ((long)m * n > NS_ENTRIES_MAX) return too_large(l, e, m, n);
  int *used = malloc(cols * sizeof *used), found = 0;
  if (!used) return ns_nomem(&l->msg.c, "Jacobians of the model");
  found = ns_graph_variables(g, f->node, m, bank, used, n);
  if (found <= 0) {
    free(used);
    return found < 0 ? ns_nomem(&l->msg.c, "Jacobians of the model") : NS_OK;
  }
  int rc = NS_OK, nonzero = 0;
  ns_node zero = ns_graph_constant(g, 0), *out = malloc(rows * cols * sizeof *out);
  for (size_t i = 0; out && i < rows * cols; i++) out[i] = zero;
  for (int k = 0; out && k < found; k++)
    for (size_t i = 0; i < rows; i++) {
      double x;
      ns_node d = out[i + (size_t)used[k] * rows] = ns_graph_diff(g, f->node[i], bank, used[k]);
      if (d < 0) rc = NS_NOMEM;
      else if (!ns_graph_is_constant(g, d, &x) || x != 0) nonzero = 1;
    }
  if (!out || zero < 0 || rc) rc = ns_nomem(&l->msg.c, "Jacobians of the model");
  if (!rc && nonzero && all_constant(g, out, rows * cols)) {
    double *value = ns_value_capacity(l, e, &v->op);
    for (size_t i = 0; value && i < rows * cols; i++) ns_graph_is_constant(g, out[i], &value[i]);
    v->op.how = NS_OP_CONSTANT;
    v->op.value = value;
    if (!value) rc = ns_load_failed(l);
  } else if (!rc && nonzero) rc = make_tape(l, g, out, v);
  free(out);
  free(used);
  return rc;
}

/* d/dt of f along Q' = V, t' = 1. */
static ns_node along(ns_graph *g, ns_node f, int n)
{
  ns_node s = ns_graph_diff(g, f, NS_BANK_T, 0);
  for (int k = 0; k < n; k++) {
    ns_node d = ns_graph_diff(g, f, NS_BANK_Q, k);
    s = ns_graph_add(g, s, ns_graph_multiply(g, d, ns_graph_variable(g, NS_BANK_V, k)));
  }
  return s;
}

int ns_value_derive_flow(ns_load *l, const ns_elem *e, ns_graph *g, const ns_nodes *f, int n,
                         ns_value *v)
{
  size_t m = (size_t)(f->rows * f->cols);
  *v = (ns_value){.op = {.rows = (int)m, .cols = 1}};
  if (!f->node) return NS_OK;
  ns_node *out = malloc(m * sizeof *out);
  if (!out) return ns_nomem(&l->msg.c, "second derivatives of the model");
  for (size_t i = 0; i < m; i++) out[i] = along(g, along(g, f->node[i], n), n);
  int rc = NS_OK;
  if (all_constant(g, out, m)) { /* also where it is zero: absent means to be differenced */
    double *value = ns_value_capacity(l, e, &v->op);
    for (size_t i = 0; value && i < m; i++) ns_graph_is_constant(g, out[i], &value[i]);
    v->op.how = NS_OP_CONSTANT;
    v->op.value = value;
    if (!value) rc = ns_load_failed(l);
  } else rc = make_tape(l, g, out, v);
  free(out);
  return rc;
}

int ns_value_get(ns_load *l, const ns_elem *e, const ns_value *v, const ns_indices *index,
                 const char *id, ns_operator *op)
{
  *op = v->op;
  if (!v->each) return NS_OK;
  const double *bank[NS_BANKS] = {[NS_BANK_INDEX] = index->value};
  double *value = ns_value_capacity(l, e, op);
  if (!value) return ns_load_failed(l);
  ns_tape_eval(v->each, bank, v->work, value);
  op->value = value;
  return check_finite(l, e, id, op, value);
}
