/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_contact_laws.c -- laws whose parameters are numbers in attributes. */
#include "io/load/load_job.h"

#include "base/guard.h"
#include "model/law_values.h"
#include "nssim/plugin.h"

#include <string.h>

typedef struct law_made {
  int size;               /* rows as said, 0: not said */
  int formula, nformulas; /* of the model's list */
  const ns_law_ops *ops;
  ns_scalar number[]; /* in the order of the law's list */
} law;

static int is_given(const ns_elem *e, const ns_law_number *n)
{
  return ns_elem_attr(e, n->attribute) != NULL;
}

/* A plug-in gives its table. */
typedef struct giving {
  const ns_plugin_call *call;
  const ns_plugin_kind *kind;
  const void *table;
} giving;

static int give_guarded(void *arg)
{
  giving *g = arg;
  ns_guard_enter_for(g->call->at, g->call->name);
  g->table = g->kind->call(g->call->fn);
  ns_guard_leave();
  return NS_OK;
}

/* What a table of any kind begins with. */
typedef struct table_head {
  unsigned int abi, size;
} table_head;

static int check_table(ns_ctx *c, const ns_plugged *p, const ns_plugin_kind *kind)
{
  const char *noun = strchr(kind->name, ' ') + 1;
  table_head head;
  if (!p->table)
    return ns_fail(c, NS_PLUGIN, "%s: plug-in \"%s\": returned NULL, expected the table of %s",
                   p->at, p->call, kind->name);
  memcpy(&head, p->table, sizeof head);
  if (head.abi == NSSIM_PLUGIN_ABI && head.size >= kind->size) return NS_OK;
  if (head.abi == NSSIM_PLUGIN_ABI)
    return ns_fail(c, NS_PLUGIN,
                   "%s: plug-in \"%s\": returned a table of %u bytes, expected %s of %zu bytes: it "
                   "is another table, or compiled with an older nssim/plugin.h; return one that %s "
                   "of this nssim fills in",
                   p->at, p->call, head.size, kind->name, kind->size, kind->fill);
  return ns_fail(
      c, NS_PLUGIN,
      "%s: plug-in \"%s\": its %s has plug-in ABI %u and %u bytes, this nssim has ABI %d "
      "and %zu bytes: compile it again with the nssim/plugin.h of this nssim, whose %s "
      "fills in both",
      p->at, p->call, noun, head.abi, head.size, NSSIM_PLUGIN_ABI, kind->size, kind->fill);
}

int ns_load_plugin_table(ns_load *l, const ns_elem *e, const char *spec, const ns_plugin_kind *kind,
                         const ns_plugged **out)
{
  giving g = {.kind = kind};
  *out = NULL;
  if (!spec) return NS_OK;
  ns_elem_place at = ns_elem_at(e, NULL);
  if (!l->plugins)
    return ns_fail(&l->msg.c, NS_PLUGIN,
                   "%s: names a plug-in, but plug-ins are not loaded here, expected %s", at.text,
                   kind->otherwise);
  l->m->uses_plugins = 1;
  int rc = ns_plugins_resolve(l->plugins, &l->msg.c, at.text, l->files.dir, spec, NS_SIGNATURES,
                              l->m->arena, &g.call);
  if (!rc) rc = ns_guard_run(&l->msg.c, give_guarded, &g);
  if (rc) return rc;
  ns_plugged p = {g.table, g.call->name, ns_arena_text(l->m->arena, at.text)};
  *out = p.at ? ns_arena_copy(l->m->arena, &p, 1, sizeof p) : NULL;
  return *out ? check_table(&l->msg.c, *out, kind) : ns_nomem(&l->msg.c, "a plug-in");
}

static const void *call_law(void (*fn)(void)) { return ((nssim_law_of *)fn)(); }

/* The law that the element names. */
static int table_of(ns_load *l, const ns_elem *e, const ns_law_ops **out)
{
  static const ns_plugin_kind kind = {"a law", "NSSIM_LAW", sizeof(nssim_law), call_law,
                                      "<CohesiveFrictionNSL>"};
  const ns_law_ops *ops = *out = ns_law_find(e->name);
  const ns_plugged *p;
  int rc = ns_load_plugin_table(l, e, ops->plugged ? ns_elem_attr(e, "plugin") : NULL, &kind, &p);
  return rc || !p ? rc : ns_law_of_plugin(&l->msg.c, l->m->arena, p, out);
}

int ns_numbers_make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  const ns_law_number *n = ns_law_find(e->name)->numbers;
  size_t count = 0;
  double size = 0;
  while (n[count].attribute) count++;
  law *k = e->made = ns_arena_zero(l->scratch, 1, sizeof *k + count * sizeof *k->number);
  if (!k) return ns_nomem(&l->msg.c, "a law");
  int bad = table_of(l, e, &k->ops);
  if (ns_lang_attribute(e->def, "size")) bad |= ns_load_attribute(l, e, "size", NULL, &size);
  k->size = (int)size; /* in range of the attribute */
  k->formula = l->m->nlaw_formulas;
  for (size_t i = 0; i < count; i++) {
    const char *text = ns_elem_attr(e, n[i].attribute);
    ns_where at = {.e = e, .attribute = n[i].attribute};
    ns_law_formula f = {.at_number = n[i].at};
    if (text)
      bad |= ns_load_law_value(l, &at, text, strlen(text), index, &f, &k->number[i], &k->nformulas);
  }
  return bad ? ns_load_failed(l) : NS_OK;
}

/* As many rows as the relation has, and as the law can use. */
static int check_rows(ns_load *l, const ns_elem *e, const char *id, const ns_law_ops *ops, int size,
                      int m)
{
  const char *expected = ops->set == NS_SET_ROLLING
                             ? "expected 5, or 3 in the plane: the gap, directions of slip and of "
                               "rolling; use <NewtonEuler5DR>, or <contacts>"
                             : "expected 2 or 3: the gap and one or two directions of slip; give H "
                               "a row for each of them";
  const char *alone = ops->set != NS_SET_ROLLING && m == 1
                          ? "; friction alone, under a known normal force N, is <RelayNSL "
                            "lb=\"-mu*N\" ub=\"mu*N\"/>"
                          : "";
  if (m && !ns_law_takes_rows(ops, m))
    return ns_elem_fail(&l->msg, e, id, "acts on a relation with %d row%s, %s%s", m,
                        m == 1 ? "" : "s", expected, alone);
  if (m && size && size != m)
    return ns_elem_fail(&l->msg, e, id,
                        "attribute size is %d, expected %d, the rows of the relation", size, m);
  return NS_OK;
}

int ns_numbers_get(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id,
                   ns_interaction *it)
{
  const law *k = e->made;
  const ns_law_ops *ops = it->law.ops = k->ops;
  int rc = check_rows(l, e, id, ops, k->size, it->m);
  it->law.formula = k->formula;
  it->law.nformulas = k->nformulas;
  if (!rc && it->m > 1 && !ns_law_has_cone(ops) && ns_load_law_speeds(l, &it->law))
    rc = ns_elem_fail(
        &l->msg, e, id,
        "has a formula of slip or approach, but acts on %d rows with different values, expected a "
        "contact with friction, or one row; write an interaction for each row",
        it->m);
  for (int i = 0; ops->numbers[i].attribute && !rc; i++) {
    const ns_law_number *n = &ops->numbers[i];
    int given = is_given(e, n);
    double x = given ? ns_scalar_get(&k->number[i], index) : n->initial;
    if (given) rc = ns_load_attribute_check(l, e, n->attribute, x);
    memcpy((char *)&it->law + n->at, &x, sizeof x);
  }
  return rc;
}

int ns_numbers_rows(const ns_elem *e) { return ((const law *)e->made)->size; }
