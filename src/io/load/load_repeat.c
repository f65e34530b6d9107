/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_repeat.c -- visit the children of an element, those inside <repeat> for each index. */
#include "io/load/load_frame.h"

#include "expression/quote.h"

#include <math.h>
#include <string.h>

typedef struct range {
  int bad, has_rows;
  ns_scalar from, to, step;
  ns_table rows; /* of a table or packing; then the index is 1, 2, ... */
} range;

/* The index must be a new name. */
static int check_index(ns_load *l, const ns_elem *e, const ns_indices *outer)
{
  const char *name = ns_elem_attr(e, "index"), *wrong = ns_load_bad_name(name, strlen(name));
  ns_quotation quoted = ns_quoted(name);
  if (wrong) return ns_elem_fail(&l->msg, e, NULL, "the index \"%s\" %s", quoted.text, wrong);
  const ns_elem *p = ns_load_parameter_elem(l, name, strlen(name));
  if (p)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "the index %s has the name of a parameter (%s:%d), expected a new name; rename one",
        quoted.text, p->file, p->line);
  for (int k = 0; k < outer->n; k++)
    if (!strcmp(outer->name[k], name))
      return ns_elem_fail(&l->msg, e, NULL,
                          "the index %s is that of a <repeat> around it, expected a new name",
                          quoted.text);
  if (outer->depth == NS_REPEAT_DEPTH)
    return ns_elem_fail(&l->msg, e, NULL,
                        "is nested more than %d deep, expected fewer <repeat> in <repeat>",
                        NS_REPEAT_DEPTH);
  return NS_OK;
}

static int make_steps(ns_load *l, const ns_elem *e, const ns_indices *outer, range *r)
{
  static const char *const needed[] = {"from", "to"};
  int missing = NS_OK;
  for (int k = 0; k < 2; k++) {
    const char *text = ns_elem_attr(e, needed[k]);
    if (!text || !*text) missing = ns_elem_missing(&l->msg, e, needed[k]);
  }
  if (missing) return missing;
  int rc = ns_load_attribute_make(l, e, "from", outer, &r->from), bad = rc;
  if (rc != NS_NOMEM) bad |= rc = ns_load_attribute_make(l, e, "to", outer, &r->to);
  if (rc != NS_NOMEM && ns_elem_attr(e, "step"))
    bad |= rc = ns_load_attribute_make(l, e, "step", outer, &r->step);
  return ns_load_verdict(rc, bad);
}

/* One source of values, and none of the attributes of another. */
static int make_values(ns_load *l, const ns_elem *e, const ns_indices *outer, range *r)
{
  static const char *const of_steps[] = {"from", "to", "step"},
                           *const of_packing[] = {"count",   "low",    "high",  "radius",
                                                  "spacing", "jitter", "sizes", "seed"},
                           *const of_table[] = {"dataset", "columns", "select", "time"};
  const char *table = ns_elem_attr(e, "table"), *packing = ns_elem_attr(e, "packing");
  if (packing && ns_load_choice(l, e, ns_elem_item(e, "packing"), packing) < 0) return NS_MODEL;
  if (packing && !strcmp(packing, "none")) packing = NULL;
  if (table && packing)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "attributes table and packing are given, expected one of them; remove the other");
  for (size_t k = 0; (table || packing) && k < sizeof of_steps / sizeof *of_steps; k++)
    if (ns_elem_attr(e, of_steps[k]))
      return ns_elem_fail(
          &l->msg, e, NULL,
          "attribute %s is given together with %s, whose rows are counted from 1; remove it",
          of_steps[k], table ? "table" : "packing");
  if (!packing && !table && ns_elem_attr(e, "count"))
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute count is given without a packing, expected from=\"1\" "
                        "to=\"%s\", or packing=\"grid\" or packing=\"random\"",
                        ns_elem_attr(e, "count"));
  for (size_t k = 0; !packing && k < sizeof of_packing / sizeof *of_packing; k++)
    if (ns_elem_attr(e, of_packing[k]))
      return ns_elem_fail(&l->msg, e, NULL,
                          "attribute %s is given without a packing, expected packing=\"grid\" or "
                          "packing=\"random\"",
                          of_packing[k]);
  for (size_t k = 0; !table && k < sizeof of_table / sizeof *of_table; k++)
    if (ns_elem_attr(e, of_table[k]))
      return ns_elem_fail(
          &l->msg, e, NULL,
          "attribute %s is given without a table, expected table=\"...\" with the name of a file",
          of_table[k]);
  r->has_rows = table || packing;
  int rc = table     ? ns_load_table(l, e, &r->rows)
           : packing ? ns_load_packing(l, e, &r->rows)
                     : make_steps(l, e, outer, r);
  if (!rc && outer->n + r->rows.cols >= NS_REPEAT_NAMES)
    rc = ns_elem_fail(
        &l->msg, e, NULL,
        "is the %dth name of indices and columns around an element, expected at most %d",
        NS_REPEAT_NAMES + 1, NS_REPEAT_NAMES);
  return rc;
}

static int make_range(ns_load *l, ns_elem *e, const ns_indices *outer)
{
  range *r = e->made = ns_arena_zero(l->scratch, 1, sizeof *r);
  if (!r) return ns_nomem(&l->msg.c, "a <repeat>");
  int rc = NS_OK, bad = e->bad || check_index(l, e, outer);
  r->step.value = 1;
  if (!bad) bad = rc = make_values(l, e, outer, r);
  r->bad = bad != 0;
  return rc == NS_NOMEM ? rc : NS_OK;
}

/* Number of values, < 0 where the range is none (reported). */
static long count(ns_load *l, const ns_elem *e, range *r, const ns_indices *outer, double *from,
                  double *step)
{
  *from = *step = 1;
  if (r->has_rows) return r->rows.n;
  double to = ns_scalar_get(&r->to, outer);
  *from = ns_scalar_get(&r->from, outer);
  *step = ns_scalar_get(&r->step, outer);
  int rc = ns_load_attribute_check(l, e, "from", *from);
  if (!rc) rc = ns_load_attribute_check(l, e, "to", to);
  if (!rc) rc = ns_load_attribute_check(l, e, "step", *step);
  if (!rc && *step == 0)
    rc = ns_elem_fail(&l->msg, e, NULL,
                      "attribute step is 0, expected a distance; remove it for 1");
  if (rc) return -1;
  double n = floor((to - *from) / *step) + 1; /* exact: whole numbers below 2^32 */
  return n < 0 ? 0 : (long)n;
}

static int walk(ns_load *l, ns_elem *e, ns_visit *visit, ns_indices *index);

/* What an element outside of <repeat> is made of is not needed again: a model that is written out
 * for 10^5 systems needs the memory of one. But its formulas may have declared all systems
 * (load_foreign.c), a walk of its own that made the ranges which this one is yet to come to. */
static int visit_one(ns_load *l, ns_elem *e, ns_visit *visit, const ns_indices *index)
{
  ns_mark mark = ns_arena_mark(l->scratch);
  int had_declared = l->has_declared;
  int rc = visit(l, e, index);
  if (!index->n && l->has_declared == had_declared) ns_arena_release(l->scratch, mark);
  if (rc && rc != NS_NOMEM) {
    e->bad = 1;
    rc = NS_OK;
  }
  return rc;
}

static void too_many(ns_load *l, const ns_elem *e)
{
  l->ids_unknown = 1;
  ns_elem_fail(&l->msg, e, NULL, "makes more than %ld systems and interactions, expected fewer",
               l->max);
}

/* Systems or interactions that e makes at each turn without further <repeat>. */
static long makes(const ns_elem *e)
{
  long n = 0;
  for (const ns_elem *k = e->first; k; k = k->next)
    n += k->def && strcmp(k->name, "repeat") && strcmp(k->name, "frame");
  return n;
}

/* Names of its index and columns. */
static void enter(const ns_elem *e, const range *r, ns_indices *index)
{
  index->depth++;
  index->column[index->n] = NULL;
  index->name[index->n++] = ns_elem_attr(e, "index");
  for (int k = 0; k < r->rows.cols; k++) {
    index->column[index->n] = r->rows.column[k];
    index->name[index->n++] = r->rows.name[k];
  }
}

static int walk_repeat(ns_load *l, ns_elem *e, ns_visit *visit, ns_indices *index)
{
  range *r = e->made;
  int rc = NS_OK;
  double from, step;
  if (l->visits++ >= 4 * l->max) { /* also an empty one takes time */
    if (!l->spent) too_many(l, e);
    l->spent = 1;
    return NS_OK;
  }
  if (!r && (rc = make_range(l, e, index))) return rc;
  r = e->made;
  long n = r->bad ? -1 : count(l, e, r, index, &from, &step);
  if (n < 0) {
    r->bad = l->ids_unknown = 1;
    return NS_OK;
  }
  if (n > 4 * l->max - l->visits || (makes(e) && n > (l->max - l->instances) / makes(e))) {
    r->bad = 1;
    too_many(l, e);
    return NS_OK;
  }
  l->visits += n;
  int at = index->n;
  enter(e, r, index);
  for (long k = 0; k < n && !rc && !l->spent && !ns_messages_full(&l->msg); k++) {
    index->value[at] = from + step * (double)k;
    if (r->has_rows)
      memcpy(index->value + at + 1, r->rows.value + k * r->rows.cols,
             (size_t)r->rows.cols * sizeof *index->value);
    rc = walk(l, e, visit, index);
  }
  index->n = at;
  index->depth--;
  return rc;
}

/* What it holds, placed in it. */
static int walk_frame(ns_load *l, ns_elem *e, ns_visit *visit, ns_indices *index)
{
  const ns_load_frame *around = l->frame;
  ns_load_frame f;
  int rc = ns_load_frame_get(l, e, index, &f);
  if (rc) {
    l->ids_unknown = 1;
    return rc == NS_NOMEM ? rc : NS_OK;
  }
  l->frame = &f;
  rc = walk(l, e, visit, index);
  l->frame = around;
  return rc;
}

/* Most elements are told apart by their first letter. */
static int is_element(const ns_elem *e, const char *name)
{
  return *e->name == *name && !strcmp(e->name, name);
}

static int walk(ns_load *l, ns_elem *e, ns_visit *visit, ns_indices *index)
{
  int rc = NS_OK;
  if (e->stranger) l->ids_unknown = 1;
  for (ns_elem *k = e->first; k && !rc && !l->spent && !ns_messages_full(&l->msg); k = k->next) {
    if (!k->def) continue;
    if (is_element(k, "repeat")) {
      rc = walk_repeat(l, k, visit, index);
      continue;
    }
    if (k->bad) {
      l->ids_unknown = 1;
      continue;
    }
    if (is_element(k, "frame")) {
      rc = walk_frame(l, k, visit, index);
      continue;
    }
    if (l->instances == l->max) {
      too_many(l, k);
      return NS_OK;
    }
    if (++l->instances % 64 == 0)
      ns_alive(&l->msg.c, "making systems and interactions", l->instances, 0);
    rc = visit_one(l, k, visit, index);
  }
  return rc;
}

int ns_load_walk(ns_load *l, ns_elem *e, ns_visit *visit)
{
  ns_indices index = {0};
  return walk(l, e, visit, &index);
}
