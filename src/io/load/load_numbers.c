/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_numbers.c -- numbers in attributes: one, a row of them, a matrix; compiled once, evaluated
 * at each visit, and checked against the language table. */
#include "io/load/load_dimensions.h"

#include "expression/quote.h"
#include "model/law_values.h"

#include <math.h>
#include <string.h>

/* The range of an attribute lets infinities in. */
static int may_be_infinite(const ns_lang_item *i)
{
  return i && i->range && strstr(i->range, "inf]");
}

/* Of an attribute; of the value of a parameter the one beside it. */
static const char *unit_of(const ns_where *at)
{
  if (!at->e || !at->attribute) return NULL;
  if (!strcmp(at->e->name, "parameter") || !strcmp(at->e->name, "vector"))
    return ns_elem_attr(at->e, "unit");
  const ns_lang_item *i = ns_elem_item(at->e, at->attribute);
  return i ? i->unit : NULL;
}

int ns_scalar_make(ns_load *l, const ns_where *at, const char *text, size_t len,
                   const ns_indices *index, ns_scalar *out)
{
  ns_load_scope s = {.index = index,
                     .infinite = at->e && at->attribute &&
                                 may_be_infinite(ns_elem_item(at->e, at->attribute))};
  const ns_expected expected = {.unit = l->has_units ? unit_of(at) : NULL};
  ns_node f;
  *out = (ns_scalar){.value = NAN};
  s.expected = &expected;
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  int rc = g ? ns_load_formula(l, g, &s, at, text, len, &f) : ns_nomem(&l->msg.c, "a formula");
  if (!rc && !ns_graph_is_constant(g, f, &out->value)) {
    rc = ns_tape_compile(g, &l->msg.c, l->scratch, &f, 1, &out->tape);
    if (!rc && !(out->work = ns_arena_get(l->scratch, ns_tape_work(out->tape), sizeof(double))))
      rc = ns_nomem(&l->msg.c, "a formula");
  }
  ns_arena_release(l->graphs, mark);
  return rc;
}

double ns_scalar_get(const ns_scalar *s, const ns_indices *index)
{
  if (!s->tape) return s->value;
  const double *bank[NS_BANKS] = {[NS_BANK_INDEX] = index->value};
  double x;
  ns_tape_eval(s->tape, bank, s->work, &x);
  return x;
}

int ns_load_attribute_check(ns_load *l, const ns_elem *e, const char *name, double x)
{
  const ns_lang_item *i = ns_elem_item(e, name);
  const char *what = i->type == NS_LANG_INTEGER ? "a whole number" : "a number";
  int whole = i->type != NS_LANG_INTEGER || (x == floor(x) && fabs(x) <= 2147483647);
  if ((isfinite(x) || (!isnan(x) && may_be_infinite(i))) && whole && ns_lang_in_range(i->range, x))
    return NS_OK;
  if (isnan(x) && l->nan_said) return NS_MODEL;
  if (i->range)
    return ns_elem_fail(&l->msg, e, NULL, "attribute %s is %.10g, expected %s in %s: %s", name, x,
                        what, i->range, i->help);
  return ns_elem_fail(&l->msg, e, NULL, "attribute %s is %.10g, expected %s%s: %s", name, x,
                      i->type == NS_LANG_INTEGER ? "" : "a finite number",
                      i->type == NS_LANG_INTEGER ? what : "", i->help);
}

int ns_load_attribute_make(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                           ns_scalar *s)
{
  const char *text = ns_elem_attr(e, name);
  return ns_scalar_make(l, &(ns_where){.e = e, .attribute = name}, text, strlen(text), index, s);
}

typedef struct lister {
  ns_load *l;
  const ns_where *at;
  const ns_indices *index;
  /* entries may be formulas of the run, put down as this; NULL: they may not */
  ns_law_formula *law;
  int *formulas;
  ns_scalar *s;
  int n, cap;
} lister;

static int on_entry(void *to, int row, int col, const char *text, size_t len)
{
  lister *k = to;
  (void)row, (void)col;
  if (k->n >= k->cap) return NS_OK;
  ns_scalar *s = &k->s[k->n++];
  if (!k->law) return ns_scalar_make(k->l, k->at, text, len, k->index, s);
  k->law->row = k->n - 1;
  return ns_load_law_value(k->l, k->at, text, len, k->index, k->law, s, k->formulas);
}

int ns_load_attribute_list(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                           ns_scalar **s, int *n)
{
  return ns_load_bounds_list(l, e, name, index, NULL, s, n, NULL);
}

/* Entries of the attribute to k, whose l, at and index are there, and memory for them. */
static int list_entries(lister *k, int *rows, int *cols)
{
  const char *text = ns_elem_attr(k->at->e, k->at->attribute);
  ns_load *l = k->l;
  ns_ctx quiet = {0};
  k->cap = (int)(strlen(text) / 2 + 1);
  if (!(k->s = ns_arena_get(l->scratch, (size_t)k->cap, sizeof *k->s)))
    return ns_nomem(&l->msg.c, "numbers of an attribute");
  int rc = ns_split_entries(&quiet, "", text, on_entry, k, rows, cols);
  if (quiet.rc)
    return ns_fail(&l->msg.c, quiet.rc, "%s%s",
                   quiet.rc == NS_NOMEM ? "" : ns_where_text(k->at).text, quiet.msg);
  return rc;
}

int ns_load_attribute_rows(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                           ns_scalar **s, int *n, int *cols)
{
  const ns_where at = {.e = e, .attribute = name};
  lister k = {.l = l, .at = &at, .index = index};
  int rows, rc;
  *n = *cols = 0;
  *s = NULL;
  if (!ns_elem_attr(e, name)) return NS_OK;
  if ((rc = list_entries(&k, &rows, cols))) return rc;
  if (k.n == 0)
    return ns_elem_fail(&l->msg, e, NULL, "attribute %s has no number, expected at least one",
                        name);
  *s = k.s;
  *n = k.n;
  return NS_OK;
}

int ns_load_bounds_list(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                        ns_law_formula *law, ns_scalar **s, int *n, int *formulas)
{
  const ns_where at = {.e = e, .attribute = name};
  lister k = {.l = l, .at = &at, .index = index, .law = law, .formulas = formulas};
  int rows, cols, rc;
  *n = 0;
  *s = NULL;
  if (!ns_elem_attr(e, name)) return NS_OK;
  if ((rc = list_entries(&k, &rows, &cols))) return rc;
  if (k.n == 0 || (rows != 1 && cols != 1))
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute %s is %d x %d, expected one number or a row of them%s", name,
                        rows, cols, k.n ? ": one after the other, without semicolons" : "");
  *s = k.s;
  *n = k.n;
  return NS_OK;
}

int ns_load_attribute(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                      double *out)
{
  const char *text = ns_elem_attr(e, name), *word = ns_elem_item(e, name)->word;
  if (!text || (word && !strcmp(text, word))) return NS_OK;
  ns_scalar s;
  int rc = ns_load_attribute_make(l, e, name, index, &s);
  double x = rc ? 0 : ns_scalar_get(&s, index);
  if (!rc) rc = ns_load_attribute_check(l, e, name, x);
  if (!rc) *out = x;
  return rc;
}
