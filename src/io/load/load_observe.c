/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_observe.c -- <observe>: formulas that are recorded beside the state; and what other formulas
 * of a run share with it. */
#include "io/load/load_dimensions.h"

#include "base/suggest.h"
#include "expression/quote.h"

#include <string.h>

/* Index of the interaction that it names, -1: none; NS_MODEL where there is no such one. */
static int find_interaction(ns_load *l, const ns_elem *e, int *k)
{
  const char *id = ns_elem_attr(e, "interaction");
  *k = -1;
  if (!id) return NS_OK;
  ns_suggest s = ns_suggest_for(id, strlen(id));
  for (int i = 0; i < l->m->ninteractions; i++) {
    const char *known = l->m->interactions[i].at.id;
    if (!strcmp(known, id)) {
      *k = i;
      return NS_OK;
    }
    if (i < 3000) ns_suggest_offer(&s, known);
  }
  if (l->msg.c.nerrors) return NS_MODEL; /* it may be one that could not be made */
  ns_quotation quoted = ns_quoted(id);
  return s.best ? ns_elem_fail(&l->msg, e, NULL, "unknown interaction %s, did you mean %s?",
                               quoted.text, s.best)
                : ns_elem_fail(&l->msg, e, NULL,
                               "unknown interaction %s, expected the id of one in <interactions>",
                               quoted.text);
}

/* Its systems: those it names, those of its interaction, or all. */
static int find_systems(ns_load *l, const ns_elem *e, ns_observable *o)
{
  const ns_indices index = {0};
  ns_refs refs;
  int nQ, nZ, rc = NS_OK;
  if (ns_elem_attr(e, "systems")) {
    rc = ns_refs_make(l, e, "systems", &index, &refs);
    o->nsystems = refs.n;
    return rc ? rc : ns_refs_get(l, e, &refs, &index, NULL, &o->systems, &nQ, &nZ);
  }
  if (o->interaction >= 0) {
    o->systems = l->m->interactions[o->interaction].systems;
    o->nsystems = l->m->interactions[o->interaction].nsystems;
    return NS_OK;
  }
  int *all = ns_arena_get(l->m->arena, (size_t)l->m->nsystems, sizeof *all);
  if (!all) return ns_nomem(&l->msg.c, "observables");
  ns_model_order(l->m, all);
  o->systems = all;
  o->nsystems = l->m->nsystems;
  o->whole = 1;
  return NS_OK;
}

int ns_load_reader(ns_load *l, const ns_elem *e, ns_observable *o)
{
  int rc = find_interaction(l, e, &o->interaction);
  return rc ? rc : find_systems(l, e, o);
}

/* Its multipliers, and of a joint its free coordinates. */
static void read_interaction(const ns_load *l, int k, ns_load_scope *s)
{
  const ns_interaction *it = &l->m->interactions[k];
  s->m = it->m;
  s->interaction = k;
  if (!(it->relation->flags & NS_REL_JOINT)) return;
  s->joint = it;
  ns_load_joint_place(l, k, &s->joint_at, &s->joint_rate);
}

/* What an element says of the number it gives, where that is in the unit of its formula: not a
 * count, a time or an integral. */
static const char *unit_of_formula(const ns_where *at)
{
  static const char *const kinds[] = {"max", "min", "mean", "rms", "sample", "sum"};
  if (!at->e || !at->e->def) return NULL;
  if (!strcmp(at->e->name, "memory"))
    return at->attribute && !strcmp(at->attribute, "of") ? ns_elem_attr(at->e, "unit") : NULL;
  if (at->attribute) return NULL;
  if (!strcmp(at->e->name, "observe")) return ns_elem_attr(at->e, "unit");
  const char *kind = strcmp(at->e->name, "measure") ? NULL : ns_elem_attr(at->e, "kind");
  for (size_t k = 0; kind && k < sizeof kinds / sizeof *kinds; k++)
    if (!strcmp(kinds[k], kind)) return ns_elem_attr(at->e, "unit");
  return NULL;
}

/* Whether the element of a formula selects events, whose numbers the formula can read. */
static int selects_events(const ns_elem *e)
{
  return e && e->def && ns_lang_attribute(e->def, "event") && ns_elem_attr(e, "event");
}

int ns_load_reading(ns_load *l, const ns_where *at, const char *text, int condition,
                    ns_observable *o)
{
  ns_load_scope s;
  ns_node f[2];
  ns_operator *op = &o->value;
  int n = condition ? 2 : 1, rc = ns_load_scope_stack(l, o->systems, o->nsystems, &s);
  if (rc) return rc;
  s.uses = ~0u;
  s.observables = 1;
  s.event = selects_events(at->e);
  const ns_expected expected = {.unit = condition ? NULL : unit_of_formula(at)};
  s.expected = &expected;
  if (o->interaction >= 0) read_interaction(l, o->interaction, &s);
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  const char *unit = NULL;
  rc = g ? ns_load_formula(l, g, &s, at, text, strlen(text), f)
         : ns_nomem(&l->msg.c, "formulas that a run reads");
  if (!rc && !condition && !o->unit)
    unit = ns_load_unit_of(&s, g, f[0], at->e && at->e->def && !strcmp(at->e->name, "measure"));
  if (!rc && condition) ns_graph_condition(g, f[0], &f[0], &f[1]);
  if (unit) o->unit = unit;
  *op = (ns_operator){.rows = n, .cols = 1};
  if (!rc) rc = ns_operator_compile(op, &l->msg.c, g, l->m->arena, f, n);
  ns_arena_release(l->graphs, mark);
  return rc;
}

int ns_load_text(ns_load *l, const ns_elem *e, const char *attribute, const char **out)
{
  const char *s = ns_elem_attr(e, attribute);
  *out = s ? ns_arena_text(l->m->arena, s) : NULL;
  return s && !*out ? ns_nomem(&l->msg.c, "texts of the model") : NS_OK;
}

int ns_load_own_id(ns_load *l, const ns_elem *e, const char *otherwise, const char **out)
{
  const ns_indices index = {0};
  ns_template t;
  const char *given = ns_elem_attr(e, "id"), *text = given ? given : otherwise;
  int rc = ns_template_make(l, e, "id", text, strlen(text), &index, &t);
  if (!rc) rc = ns_template_id(l, e, &t, &index, out);
  return rc ? rc : ns_load_id_add(l, e, *out, 0, -1);
}

int ns_load_every(ns_load *l, const ns_elem *e, double *every)
{
  double min = 1e-9 * (l->m->sim.T - l->m->sim.t0);
  int rc = ns_load_attribute(l, e, "every", NULL, every);
  if (rc || !ns_elem_attr(e, "every") || !(*every < min)) return rc;
  return ns_elem_fail(&l->msg, e, NULL,
                      "attribute every is %.10g, expected at least 1e-9 of the run, %.3g", *every,
                      min);
}

int ns_load_observe(ns_load *l, ns_elem *e)
{
  ns_observable o = {.at = {.file = e->file, .element = e->def->name, .line = e->line},
                     .group = "observables",
                     .name = "value"};
  if (e->bad) return NS_MODEL;
  if (!*e->text) return ns_elem_fail(&l->msg, e, NULL, "is empty, expected a formula, such as x^2");
  int rc = ns_load_own_id(l, e, NULL, &o.id);
  o.at.id = o.id;
  if (!rc) rc = ns_load_text(l, e, "unit", &o.unit);
  if (!rc) rc = ns_load_text(l, e, "help", &o.help);
  if (!rc) rc = ns_load_reader(l, e, &o);
  if (!rc) rc = ns_load_reading(l, &(ns_where){.e = e}, e->text, 0, &o);
  e->bad |= rc == NS_MODEL; /* who reads it need not say so again */
  if (rc) return rc;
  return ns_model_add_observable(l->m, &l->msg.c, &o) < 0 ? NS_NOMEM : NS_OK;
}
