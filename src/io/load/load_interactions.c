/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_interactions.c -- interactions: relation and law, each with its builder. */
#include "io/load/load_frame.h"
#include "io/load/load_job.h"

#include "base/text.h"
#include "model/check/check.h"

#include <string.h>

static const ns_load_builder *builder_of(const ns_elem *e)
{
  static const ns_load_builder *const tables[] = {ns_load_lagrangian, ns_load_relations,
                                                  ns_load_joints};
  for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
    for (const ns_load_builder *b = tables[k]; b->element; b++)
      if (!strcmp(b->element, e->name)) return b;
  const ns_law_ops *law = ns_law_find(e->name);
  return law ? &ns_load_laws[law->form] : NULL;
}

/* ---- interactions ---------------------------------------------------------------------------- */

typedef struct interaction_made {
  ns_template id;
  ns_refs systems;
  ns_elem *relation, *law;
  const ns_load_builder *of_relation, *of_law;
  ns_interaction proto;
} made;

/* A relation that is made of other interactions: 1 of joints, 2 of tendons, which may go over
 * joints; 0: of systems. */
static int refers(const ns_elem *relation)
{
  if (ns_lang_attribute(relation->def, "tendon")) return 2;
  return ns_lang_attribute(relation->def, "joint") || ns_lang_attribute(relation->def, "joints");
}

/* The same of whatever stands among interactions. */
static int level_of(const ns_elem *e)
{
  if (e->def->group == NS_LANG_FORCE) return ns_elem_attr(e, "joints") != NULL;
  return refers(ns_elem_group(e, NS_LANG_RELATION));
}

/* A joint has a point or an axis to be placed, or none; a formula of the world has not. */
static int check_frame(ns_load *l, const ns_elem *e, const ns_elem *relation)
{
  const ns_lang_element *d = relation->def;
  if (!l->frame || ns_lang_attribute(d, "collide") || refers(relation)) return NS_OK;
  return ns_elem_fail(
      &l->msg, e, NULL,
      "is in a <frame>, but a %s consists of formulas in world coordinates, expected a joint",
      d->name);
}

/* The kinds of relation and law, and whether they go together. */
static int make_kinds(ns_load *l, made *m)
{
  m->proto.relation = NS_NAMED_KIND(ns_relation_kind, ns_relation_kinds, m->relation->name);
  m->proto.law.ops = ns_law_find(m->law->name);
  char why[NS_CHECK_PAIR];
  return ns_check_pair(m->proto.relation, m->proto.law.ops, why)
             ? ns_elem_fail(&l->msg, m->law, NULL, "%s", why)
             : NS_OK;
}

/* Those of rows on joints are theirs. */
static int systems(ns_load *l, const ns_elem *e, const ns_indices *index, made *m)
{
  const char *text = ns_elem_attr(e, "systems");
  int of_joints = refers(m->relation);
  if (!of_joints && text && *text) return ns_refs_make(l, e, "systems", index, &m->systems);
  if (of_joints && !text) return NS_OK;
  if (of_joints)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "attribute systems is given, but the systems of a %s are those of its %s; remove it",
        m->relation->name, of_joints == 2 ? "tendon" : "joint");
  return ns_elem_missing(&l->msg, e, "systems");
}

static int unit(ns_load *l, const ns_elem *e, const char *attribute, const char **out)
{
  const char *const *one = NULL;
  int rc = ns_load_units(l, e, attribute, 1, &one);
  if (one) *out = *one;
  return rc;
}

static int make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  made *m = e->made = ns_arena_zero(l->scratch, 1, sizeof *m);
  if (!m) return ns_nomem(&l->msg.c, "an interaction");
  const char *id = ns_elem_attr(e, "id");
  m->proto.at = (ns_place){.file = e->file, .element = e->name, .line = e->line};
  m->relation = ns_elem_group(e, NS_LANG_RELATION);
  m->law = ns_elem_group(e, NS_LANG_LAW);
  ns_elem *const part[] = {m->relation, m->law};
  const ns_load_builder *const b[] = {m->of_relation = builder_of(m->relation),
                                      m->of_law = builder_of(m->law)};
  int bad = ns_template_make(l, e, "id", id, strlen(id), index, &m->id), rc = NS_OK;
  if (bad != NS_NOMEM) bad |= rc = systems(l, e, index, m);
  for (int k = 0; k < 2 && rc != NS_NOMEM; k++) {
    rc = !b[k] || part[k]->bad ? NS_MODEL : b[k]->make(l, part[k], index);
    bad |= rc;
  }
  if (rc != NS_NOMEM) bad |= make_kinds(l, m);
  if (rc != NS_NOMEM) bad |= rc = unit(l, e, "unit", &m->proto.unit);
  if (rc != NS_NOMEM) bad |= unit(l, e, "lambdaUnit", &m->proto.lambda_unit);
  return bad ? ns_load_failed(l) : NS_OK;
}

typedef struct family_words {
  const char *systems, *relation;
} family_words;

static const family_words *words(ns_family f)
{
  static const family_words of[] = {
      [NS_FAMILY_LAGRANGIAN] = {"mechanical", "<LagrangianLinearTIR> for mechanical ones"},
      [NS_FAMILY_FIRST_ORDER] = {"first-order", "<FirstOrderLinearTIR> for first-order ones"},
      [NS_FAMILY_RIGID] = {"rigid", "<NewtonEulerR> for rigid bodies"}};
  return &of[f];
}

/* Relation and systems are of one family; relations of first order may act on mechanics beside. */
static int check_family(ns_load *l, const made *m, const ns_interaction *it)
{
  ns_family wanted = ns_relation_family(it->relation);
  int both = 0; /* a relation of first order with mechanics among its systems */
  for (int i = 0; i < it->nsystems && wanted == NS_FAMILY_FIRST_ORDER; i++)
    both |= ns_system_is_first_order(&l->m->systems[it->systems[i]]);
  for (int i = 0; i < it->nsystems; i++) {
    const ns_system *s = &l->m->systems[it->systems[i]];
    ns_family f = ns_system_family(s);
    if (f != wanted && both && s->nq == s->n) continue;
    if (f != wanted && both)
      return ns_elem_fail(&l->msg, m->relation, it->at.id,
                          "acts on %s, a body in space, whose orientation has more coordinates "
                          "than velocities, expected systems with as many; use a <RigidBody2dDS>, "
                          "or a <LagrangianDS> that is connected to it by a spring or a formula",
                          s->at.id);
    if (f != wanted)
      return ns_elem_fail(&l->msg, m->relation, it->at.id,
                          "acts on %s, a %s, expected %s systems; use %s", s->at.id, s->kind->name,
                          words(wanted)->systems, words(f)->relation);
  }
  return NS_OK;
}

int ns_load_interaction(ns_load *l, ns_elem *e, const ns_indices *index)
{
  int rc = NS_OK;
  int level = level_of(e);
  if (level > l->referring) l->referring = level;
  if (level != l->refers) return NS_OK;
  if (e->def->group == NS_LANG_FORCE) return ns_load_force(l, e, index);
  if ((rc = check_frame(l, e, ns_elem_group(e, NS_LANG_RELATION)))) return rc;
  if (!e->made && (rc = make(l, e, index))) return rc;
  made *m = e->made;
  ns_interaction it = m->proto;
  if ((rc = ns_template_id(l, e, &m->id, index, &it.at.id))) return rc;
  if ((rc = ns_load_id_add(l, e, it.at.id, 0, l->m->ninteractions))) return rc;
  it.nsystems = m->systems.n;
  rc = l->refers ? ns_load_joint_systems(l, m->relation, index, it.at.id, &it)
                 : ns_refs_get(l, e, &m->systems, index, it.at.id, &it.systems, &it.nQ, &it.nZ);
  if (!rc) rc = check_family(l, m, &it);
  if (!rc) rc = m->of_relation->get(l, m->relation, index, it.at.id, &it);
  if (rc == NS_NOMEM) return rc;
  if (rc) it.m = 0;
  it.written = it.relation;
  int law = m->of_law->get(l, m->law, index, it.at.id, &it); /* in any case: its errors count too */
  if (rc || law) return rc ? rc : law;
  int k = ns_model_add_interaction(l->m, &l->msg.c, &it);
  return k < 0 ? NS_NOMEM : NS_OK;
}
