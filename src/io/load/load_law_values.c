/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_law_values.c -- parameters of laws: numbers, or formulas that a run evaluates
 * (model/law_values.h).
 *
 * What reads as a number of parameters and indices is one. Anything else is a formula of t, z and
 * the state of all systems of the model, whose names are looked for only then. */
#include "io/load/load_job.h"

#include "model/law_values.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Names of the whole model. */
static int scope_of_model(ns_load *l, const ns_indices *index, ns_load_scope *s)
{
  size_t n = (size_t)l->m->nsystems;
  int *all = ns_arena_get(l->scratch, n + 1, sizeof *all);
  if (!all) return ns_nomem(&l->msg.c, "names of a law");
  ns_model_order(l->m, all);
  int rc = ns_load_scope_stack(l, all, (int)n, s);
  s->index = index;
  s->law = 1;
  s->uses = 1u << NS_BANK_T | 1u << NS_BANK_Q | 1u << NS_BANK_V | 1u << NS_BANK_Z |
            1u << NS_BANK_LAW;
  return rc;
}

static int refused(ns_load *l, const ns_where *at, const ns_load_scope *s)
{
  return ns_fail(&l->msg.c, NS_MODEL,
                 "%s depends on %s, expected a formula of t, z, states, slip and approach",
                 ns_where_text(at).text, s->refused);
}

/* The range of the attribute as numbers. */
static void set_range(ns_law_formula *f, const ns_lang_item *i)
{
  char *end;
  f->range = i->range ? i->range : "(-inf, inf)";
  f->low = fmax(strtod(f->range + 1, &end), -DBL_MAX);
  f->high = fmin(strtod(end + 1, NULL), DBL_MAX);
  f->open = *f->range == '(' && f->low > -DBL_MAX;
}

static int add(ns_load *l, ns_load_scope *s, const ns_where *at, const char *text, size_t len,
               ns_law_formula *f)
{
  ns_node node;
  ns_operator *op = &f->value;
  ns_graph *g = ns_graph_create(l->graphs);
  int rc = g ? ns_load_formula(l, g, s, at, text, len, &node) : ns_nomem(&l->msg.c, "a law");
  if (!rc && *s->refused) rc = refused(l, at, s);
  if (rc) return rc;
  *op = (ns_operator){.rows = 1, .cols = 1};
  f->text = ns_arena_part(l->m->arena, text, len);
  if (!f->text) return ns_nomem(&l->msg.c, "a law");
  rc = ns_operator_compile(op, &l->msg.c, g, l->m->arena, &node, 1);
  return rc ? rc : ns_model_add_law_formula(l->m, &l->msg.c, f) < 0 ? NS_NOMEM : NS_OK;
}

int ns_load_law_value(ns_load *l, const ns_where *at, const char *text, size_t len,
                      const ns_indices *index, const ns_law_formula *into, ns_scalar *s, int *n)
{
  ns_load_scope scope;
  ns_law_formula f = *into;
  ns_messages told = l->msg;
  int rc = ns_scalar_make(l, at, text, len, index, s);
  if (rc != NS_MODEL) return rc;
  ns_messages_rewind(&l->msg, &told);
  ns_mark mark = ns_arena_mark(l->graphs);
  f.at = (ns_place){.file = at->e->file, .element = at->e->def->name, .line = at->e->line};
  f.attribute = at->attribute;
  set_range(&f, ns_elem_item(at->e, at->attribute));
  rc = scope_of_model(l, index, &scope);
  if (!rc) rc = add(l, &scope, at, text, len, &f);
  ns_arena_release(l->graphs, mark);
  *s = (ns_scalar){.value = f.open ? 1 : 0}; /* until the run evaluates it */
  if (!rc) ++*n;
  return rc;
}

int ns_load_law_speeds(const ns_load *l, const ns_nonsmooth_law *law)
{
  unsigned uses = 0;
  for (int k = 0; k < law->nformulas; k++) uses |= l->m->law_formulas[law->formula + k].value.uses;
  return uses >> NS_BANK_LAW & 1u;
}
