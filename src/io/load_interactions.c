/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_interactions.c -- interactions: relation and law, each with its builder. */
#include "io/load_job.h"
#include "io/values.h"

#include "expression/quote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- LagrangianLinearTIR ----------------------------------------------------------------------------- */

typedef struct linear_made {
  ns_value H, e, F;
} linear;

static int make_value(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index, int rows, int cols,
                      ns_value *v)
{
  ns_elem *k = ns_elem_value(e, name);
  char why[48];
  *v = (ns_value){.op = {.how = NS_OP_ABSENT, .rows = rows, .cols = cols}};
  if (!k) return NS_OK;
  if (k->bad) return NS_MODEL;
  snprintf(why, sizeof why, "m = %d, the number of rows of <H>", rows);
  ns_load_scope s = {.index = index};
  ns_wanted w = {.rows = rows, .cols = cols, .why = rows < 0 ? NULL : why};
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  int rc = g ? ns_value_make(l, k, g, &s, &w, v, NULL) : ns_nomem(&l->msg.c, "formulas of a relation");
  ns_arena_release(l->graphs, mark);
  return rc;
}

static int linear_make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  linear *m = e->made = ns_arena_zero(l->scratch, 1, sizeof *m);
  if (!m) return ns_nomem(&l->msg.c, "a relation");
  int bad = make_value(l, e, "H", index, -1, -1, &m->H), rc = NS_OK;
  int rows = bad ? -1 : m->H.op.rows;
  if (bad != NS_NOMEM) bad |= rc = make_value(l, e, "e", index, rows, 1, &m->e);
  if (rc != NS_NOMEM) bad |= make_value(l, e, "F", index, rows, -1, &m->F);
  return bad ? (l->msg.c.rc == NS_NOMEM ? NS_NOMEM : NS_MODEL) : NS_OK;
}

static int linear_get(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id, ns_interaction *it)
{
  const linear *m = e->made;
  ns_operator H, off, F;
  it->m = m->H.op.rows;
  const ns_elem *h = ns_elem_value(e, "H"), *f = ns_elem_value(e, "F");
  if (m->H.op.cols != it->nQ)
    return ns_elem_fail(&l->msg, h, id, "has %d column%s, expected nQ = %d: one for each coordinate of its %d system%s",
                        m->H.op.cols, m->H.op.cols == 1 ? "" : "s", it->nQ, it->nsystems, it->nsystems == 1 ? "" : "s");
  if (f && m->F.op.cols != it->nZ)
    return ns_elem_fail(&l->msg, f, id, "has %d column%s, expected %d: one for each entry of the user vectors <z> of its "
                        "systems", m->F.op.cols, m->F.op.cols == 1 ? "" : "s", it->nZ);
  int rc = ns_value_get(l, h, &m->H, index, id, &H);
  if (!rc) rc = ns_value_get(l, m->e.each ? ns_elem_value(e, "e") : e, &m->e, index, id, &off);
  if (!rc) rc = ns_value_get(l, f ? f : e, &m->F, index, id, &F);
  if (rc) return rc;
  it->H = H.value;
  it->e = off.value;
  it->F = F.value;
  return NS_OK;
}

/* ---- NewtonImpactNSL ---------------------------------------------------------------------------------- */

static int newton_make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  ns_scalar *s = e->made = ns_arena_zero(l->scratch, 1, sizeof *s);
  return s ? ns_load_attribute_make(l, e, "e", index, s) : ns_nomem(&l->msg.c, "a law");
}

static int newton_get(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id, ns_interaction *it)
{
  (void)id;
  it->restitution = ns_scalar_get(e->made, index);
  return ns_load_attribute_check(l, e, "e", it->restitution);
}

static const ns_load_builder mechanics[] = {
    {"LagrangianLinearTIR", linear_make, linear_get},
    {"NewtonImpactNSL", newton_make, newton_get},
    {0},
};

static const ns_load_builder *builder_of(const ns_elem *e)
{
  static const ns_load_builder *const tables[] = {mechanics, ns_load_relations, ns_load_laws};
  for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
    for (const ns_load_builder *b = tables[k]; b->element; b++)
      if (!strcmp(b->element, e->name)) return b;
  return NULL;
}

/* ---- interactions ----------------------------------------------------------------------------------------- */

typedef struct interaction_made {
  ns_template id;
  ns_refs systems;
  ns_elem *relation, *law;
  const ns_load_builder *of_relation, *of_law;
  ns_interaction proto;
} made;

/* The kinds of relation and law, and whether they go together. */
static int make_kinds(ns_load *l, made *m)
{
  for (int k = 0; ns_relation_kinds[k]; k++)
    if (!strcmp(ns_relation_kinds[k]->name, m->relation->name)) m->proto.relation = ns_relation_kinds[k];
  for (int k = 0; ns_law_kinds[k]; k++)
    if (!strcmp(ns_law_kinds[k]->name, m->law->name)) m->proto.law = ns_law_kinds[k];
  int contact = (m->proto.law->flags & NS_LAW_UNILATERAL) != 0;
  int first_order = (m->proto.relation->flags & NS_REL_FIRST_ORDER) != 0;
  if (contact && first_order)
    return ns_elem_fail(&l->msg, m->law, NULL, "is a law of mechanical contacts, expected one of first-order systems beside "
                        "<%s>; for y >= 0 take <ComplementarityConditionNSL/>", m->relation->name);
  if (!contact && !first_order)
    return ns_elem_fail(&l->msg, m->law, NULL, "is a law of first-order systems, expected one of mechanical contacts beside "
                        "<%s>: <NewtonImpactNSL e=\"0.9\"/>", m->relation->name);
  return NS_OK;
}

static int make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  made *m = e->made = ns_arena_zero(l->scratch, 1, sizeof *m);
  if (!m) return ns_nomem(&l->msg.c, "an interaction");
  const char *id = ns_elem_attr(e, "id");
  m->proto.at = (ns_place){.file = e->file, .element = e->def->name, .line = e->line};
  m->relation = ns_elem_group(e, NS_LANG_RELATION);
  m->law = ns_elem_group(e, NS_LANG_LAW);
  ns_elem *const part[] = {m->relation, m->law};
  const ns_load_builder *const b[] = {m->of_relation = builder_of(m->relation), m->of_law = builder_of(m->law)};
  int bad = ns_template_make(l, e, "id", id, strlen(id), index, &m->id), rc = NS_OK;
  if (bad != NS_NOMEM) bad |= rc = ns_refs_make(l, e, index, &m->systems);
  for (int k = 0; k < 2 && rc != NS_NOMEM; k++) {
    rc = !b[k] || part[k]->bad ? NS_MODEL : b[k]->make(l, part[k], index);
    bad |= rc;
  }
  if (rc != NS_NOMEM) bad |= make_kinds(l, m);
  return !bad ? NS_OK : l->msg.c.rc == NS_NOMEM ? NS_NOMEM : NS_MODEL;
}

/* Relation and systems are of one family. */
static int check_family(ns_load *l, const made *m, const ns_interaction *it)
{
  int first_order = (it->relation->flags & NS_REL_FIRST_ORDER) != 0;
  for (int i = 0; i < it->nsystems; i++) {
    const ns_system *s = &l->m->systems[it->systems[i]];
    if (((s->kind->flags & NS_SYS_FIRST_ORDER) != 0) == first_order) continue;
    return ns_elem_fail(&l->msg, m->relation, it->at.id, "acts on %s, a %s, expected %s systems; take %s", s->at.id, s->kind->name,
                        first_order ? "first-order" : "mechanical",
                        first_order ? "<LagrangianLinearTIR> for mechanical ones" : "<FirstOrderLinearTIR> for first-order ones");
  }
  return NS_OK;
}

int ns_load_interaction(ns_load *l, ns_elem *e, const ns_indices *index)
{
  char id[NS_ID_MAX + 1];
  int rc = NS_OK;
  if (!e->made && (rc = make(l, e, index))) return rc;
  made *m = e->made;
  ns_interaction it = m->proto;
  if ((rc = ns_template_write(l, e, &m->id, index, id))) return rc;
  if (!(it.at.id = ns_arena_text(l->m->arena, id))) return ns_nomem(&l->msg.c, "ids");
  if ((rc = ns_load_id_add(l, e, it.at.id, 0, l->m->ninteractions))) return rc;
  rc = ns_refs_get(l, e, &m->systems, index, it.at.id, &it.systems, &it.nQ, &it.nZ);
  it.nsystems = m->systems.n;
  if (!rc) rc = check_family(l, m, &it);
  if (!rc) rc = m->of_relation->get(l, m->relation, index, it.at.id, &it);
  if (rc == NS_NOMEM) return rc;
  if (rc) it.m = 0;
  int law = m->of_law->get(l, m->law, index, it.at.id, &it); /* in any case: its errors count too */
  if (rc || law) return rc ? rc : law;
  int k = ns_model_add_interaction(l->m, &l->msg.c, &it);
  return k < 0 ? NS_NOMEM : NS_OK;
}
