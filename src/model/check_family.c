/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_family.c -- what belongs together in a model: Lagrangian mechanics, first-order systems, or rigid bodies. */
#include "model/check_parts.h"

#include "model/check.h"
#include "model/rigid_relation.h"

#include <stdio.h>
#include <string.h>

/* What is said of a family. */
static const struct { const char *name, *relations, *scheme; } families[] = {
    [NS_FAMILY_LAGRANGIAN] = {"Lagrangian", "<LagrangianLinearTIR>, <LagrangianScleronomousR>, <LagrangianRheonomousR>, "
                              "<LagrangianCompliantLinearTIR> or <LagrangianCompliantR>", "<MoreauJeanOSI theta=\"0.5\"/>"},
    [NS_FAMILY_FIRST_ORDER] = {"first-order", "<FirstOrderLinearTIR>, <FirstOrderLinearR>, <FirstOrderType1R>, <FirstOrderType2R> "
                               "or <FirstOrderNonLinearR>",
                               "<EulerMoreauOSI theta=\"1\"/>, or <ZeroOrderHoldOSI/> for linear ones"},
    [NS_FAMILY_RIGID] = {"rigid", "<NewtonEuler1DR>, <NewtonEuler3DR>, <NewtonEuler5DR>, <NewtonEulerR> or a joint as <PivotJointR>",
                         "<MoreauJeanOSI theta=\"0.5\"/>"}};

static void check_systems(const ns_model *m, ns_ctx *c, ns_family family)
{
  char at[PLACE];
  for (int i = 1; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    ns_place_text(&s->at, at, sizeof at);
    if (ns_system_family(s) != family)
      ns_fail(c, NS_MODEL, "%s: a %s system in a model whose first system is %s, expected one family of systems in a "
              "model; make two models of it", at, families[ns_system_family(s)].name, families[family].name);
    else if (ns_system_is_planar(s) != ns_system_is_planar(&m->systems[0]))
      ns_fail(c, NS_MODEL, "%s: a %s in a model whose first body is a %s, expected all bodies in the plane or all in space; "
              "describe this one as a <%s> too", at, s->kind->name, m->systems[0].kind->name, m->systems[0].kind->name);
    else continue;
    return;
  }
}

/* Laws that hold for y itself, so that beside a rigid contact they would say nothing of impacts. */
static int is_of_position(const ns_law_kind *law)
{
  return !strcmp(law->name, "ComplementarityConditionNSL") || !strcmp(law->name, "MixedComplementarityConditionNSL");
}

/* Laws of a relation that acts as joint, stop, friction of a joint, coupler or contact point; NULL: no such relation. */
static const char *const *laws_of(const ns_relation_kind *relation)
{
  static const char *const equality[] = {"EqualityConditionNSL", NULL}, *const impact[] = {"NewtonImpactNSL", NULL},
                    *const relay[] = {"RelayNSL", NULL}, *const one[] = {"NewtonImpactNSL", "EqualityConditionNSL", NULL},
                    *const slip[] = {"NewtonImpactFrictionNSL", "FremondImpactFrictionNSL", NULL},
                    *const rolling[] = {"NewtonImpactRollingFrictionNSL", NULL};
  static const struct { const char *relation; const char *const *laws; } list[] = {
      {"JointStopR", impact}, {"JointFrictionR", relay}, {"CouplerJointR", equality},
      {"NewtonEuler1DR", one}, {"NewtonEuler3DR", slip}, {"NewtonEuler5DR", rolling}};
  if (relation->flags & NS_REL_JOINT) return equality;
  for (size_t k = 0; k < sizeof list / sizeof *list; k++)
    if (!strcmp(list[k].relation, relation->name)) return list[k].laws;
  return NULL;
}

/* The law does not fit a relation that has a list of laws. */
static int is_other_law(const ns_relation_kind *relation, const ns_law_kind *law, char *why)
{
  const char *const *laws = laws_of(relation);
  if (!laws) return 0;
  for (int k = 0; laws[k]; k++)
    if (!strcmp(laws[k], law->name)) return 0;
  snprintf(why, NS_CHECK_PAIR, "says nothing that <%s> can act on, expected <%s> beside it%s%s%s", relation->name, laws[0],
           laws[1] ? ", or <" : "", laws[1] ? laws[1] : "", laws[1] ? ">" : "");
  return 1;
}

int ns_check_pair(const ns_relation_kind *relation, const ns_law_kind *law, char *why)
{
  int contact = (law->flags & (NS_LAW_UNILATERAL | NS_LAW_FRICTION)) != 0;
  int compliant = (relation->flags & NS_REL_COMPLIANT) != 0;
  const char *text = NULL;
  if (is_other_law(relation, law, why)) return 1;
  if (relation->flags & NS_REL_FIRST_ORDER) {
    if (contact) text = "is a law of mechanical contacts, expected one of first-order systems beside <%s>; for y >= 0 take "
                        "<ComplementarityConditionNSL/>";
  } else if (law->flags & NS_LAW_POLYHEDRON || !strcmp(law->name, "PiecewiseLinearNSL"))
    text = "is a law of first-order systems, expected one of mechanical contacts beside <%s>: <NewtonImpactNSL e=\"0.9\"/>";
  else if (contact && compliant)
    text = "is a law of impacts, expected <ComplementarityConditionNSL/> beside <%s>, whose contact gives way";
  else if (is_of_position(law) && !compliant)
    text = "is a law of contacts that give way, expected one of rigid contacts beside <%s>: <NewtonImpactNSL e=\"0\"/>";
  else if (law->flags & NS_LAW_ROLLING && !(relation->flags & NS_REL_RIGID))
    text = "acts on relative angular velocities too, which <%s> does not have, expected it beside <NewtonEuler5DR> of rigid bodies";
  if (text) snprintf(why, NS_CHECK_PAIR, text, relation->name);
  return text != NULL;
}

static void check_interaction(const ns_model *m, const ns_interaction *it, ns_ctx *c, ns_family family)
{
  char at[PLACE], why[NS_CHECK_PAIR];
  ns_place_text(&it->at, at, sizeof at);
  if (ns_relation_family(it->relation) != family)
    ns_fail(c, NS_MODEL, "%s: the relation %s with %s systems, expected %s", at, it->relation->name, families[family].name,
            families[family].relations);
  else if (it->relation->flags & NS_REL_JOINT && ns_system_is_planar(&m->systems[0]) && !ns_planar_joint_rows(it->joint.kind))
    ns_fail(c, NS_MODEL, "%s: the relation %s between bodies in the plane, expected bodies in space; in the plane a joint is a "
            "PivotJointR, a PrismaticJointR or a FixedJointR", at, it->relation->name);
  else if (ns_check_pair(it->relation, it->law, why))
    ns_fail(c, NS_MODEL, "%s: the law %s %s", at, it->law->name, why);
}

/* ---- scheme and problem --------------------------------------------------------------------------------- */

/* Families that an integrator steps, as bits. */
static unsigned families_of(const char *integrator)
{
  enum { LAGRANGIAN = 1 << NS_FAMILY_LAGRANGIAN, FIRST_ORDER = 1 << NS_FAMILY_FIRST_ORDER, RIGID = 1 << NS_FAMILY_RIGID };
  static const struct { const char *name; unsigned families; } known[] = {
      {"MoreauJeanOSI", LAGRANGIAN | RIGID}, {"MoreauJeanDirectProjectionOSI", LAGRANGIAN | RIGID},
      {"MoreauJeanCombinedProjectionOSI", LAGRANGIAN | RIGID}, {"SchatzmanPaoliOSI", LAGRANGIAN}, {"D1MinusLinearOSI", LAGRANGIAN},
      {"NewMarkAlphaOSI", LAGRANGIAN}, {"MoreauJeanGOSI", LAGRANGIAN}, {"EulerMoreauOSI", FIRST_ORDER},
      {"ZeroOrderHoldOSI", FIRST_ORDER}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (!strcmp(known[k].name, integrator)) return known[k].families;
  return LAGRANGIAN | FIRST_ORDER; /* of event-driven runs */
}

static void check_integrator(const ns_model *m, ns_ctx *c, ns_family family)
{
  char at[PLACE];
  const char *name = m->sim.integrator;
  unsigned can = families_of(name);
  ns_place_text(&m->sim.at, at, sizeof at);
  if (family == NS_FAMILY_RIGID && m->sim.event_driven)
    ns_fail(c, NS_MODEL, "%s: <EventDriven> with rigid systems, expected <TimeStepping> with %s", at, families[family].scheme);
  else if (!(can >> family & 1u))
    ns_fail(c, NS_MODEL, "%s: %s integrates %s systems and those of this model are %s, expected %s", at, name,
            families[can >> NS_FAMILY_LAGRANGIAN & 1u ? NS_FAMILY_LAGRANGIAN : NS_FAMILY_FIRST_ORDER].name, families[family].name,
            m->sim.event_driven ? "<CVodeOSI/>" : families[family].scheme);
}

/* Laws that a one-step problem takes. */
static int takes(const char *problem, const char *law)
{
  enum { LAWS = 7 };
  static const char *const list[][LAWS] = {
      {"LCP", "NewtonImpactNSL", "MultipleImpactNSL", "ComplementarityConditionNSL"},
      {"MLCP", "NewtonImpactNSL", "MultipleImpactNSL", "ComplementarityConditionNSL", "MixedComplementarityConditionNSL", "EqualityConditionNSL"},
      {"Relay", "RelayNSL", "NewtonImpactNSL", "ComplementarityConditionNSL", "MixedComplementarityConditionNSL",
       "EqualityConditionNSL", "PiecewiseLinearNSL"},
      {"FrictionContact", "NewtonImpactFrictionNSL", "FremondImpactFrictionNSL", "NewtonImpactNSL"},
      {"RollingFrictionContact", "NewtonImpactRollingFrictionNSL", "NewtonImpactFrictionNSL", "FremondImpactFrictionNSL",
       "NewtonImpactNSL"}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    if (strcmp(list[k][0], problem)) continue;
    for (int j = 1; j < LAWS && list[k][j]; j++)
      if (!strcmp(list[k][j], law)) return 1;
    return 0;
  }
  return 1; /* AVI takes all laws of first order, GenericMechanical all of mechanics; other names are the strategy's to refuse */
}

static int is_problem_of(const char *problem, int first_order)
{
  static const struct { const char *name; int first_order, mechanics; } known[] = {
      {"LCP", 1, 1}, {"MLCP", 1, 1}, {"Relay", 1, 1}, {"AVI", 1, 0}, {"FrictionContact", 0, 1},
      {"RollingFrictionContact", 0, 1}, {"GenericMechanical", 0, 1}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (!strcmp(known[k].name, problem)) return first_order ? known[k].first_order : known[k].mechanics;
  return 1;
}

/* The smallest one that takes all laws of the model. */
static const char *problem_for(const ns_model *m)
{
  static const char *const order[] = {"LCP", "MLCP", "Relay", "FrictionContact", "RollingFrictionContact"};
  for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
    int i = 0;
    while (i < m->ninteractions && takes(order[k], m->interactions[i].law->name)) i++;
    if (i == m->ninteractions) return order[k];
  }
  return ns_model_first_order(m) ? "AVI" : "GenericMechanical";
}

static void check_problem(const ns_model *m, ns_ctx *c, ns_family family)
{
  char at[PLACE];
  const char *p = m->sim.problem;
  if (!p) return;
  if (!is_problem_of(p, family == NS_FAMILY_FIRST_ORDER)) {
    ns_fail(c, NS_MODEL, "%s: the one-step problem %s with %s systems, expected <%s/>",
            ns_place_text(&m->sim.at, at, sizeof at), p, families[family].name, problem_for(m));
    return;
  }
  for (int i = 0; i < m->ninteractions; i++) {
    if (takes(p, m->interactions[i].law->name)) continue;
    ns_fail(c, NS_MODEL, "%s: the one-step problem %s does not take the law %s, expected <%s/>; without such an element "
            "the laws of the model choose it", ns_place_text(&m->interactions[i].at, at, sizeof at), p,
            m->interactions[i].law->name, problem_for(m));
    return;
  }
}

/* Multiple impacts are solved at their instant, all contacts at once. */
static void check_multiple(const ns_model *m, ns_ctx *c)
{
  char at[PLACE];
  int other = -1, multiple = -1;
  for (int i = 0; i < m->ninteractions; i++) {
    if (m->interactions[i].law->flags & NS_LAW_MULTIPLE) multiple = i;
    else if (strcmp(m->interactions[i].law->name, "EqualityConditionNSL")) other = i;
  }
  if (multiple < 0) return;
  ns_place_text(&m->interactions[multiple].at, at, sizeof at);
  if (!m->sim.event_driven)
    ns_fail(c, NS_MODEL, "%s: the law MultipleImpactNSL in a run of <%s>, expected <EventDriven>; <NewtonImpactNSL e=\"...\"/> is "
            "one for both", at, m->sim.strategy);
  else if (other >= 0)
    ns_fail(c, NS_MODEL, "%s: the law MultipleImpactNSL beside %s of another contact, expected it in all contacts; constraints "
            "may have <EqualityConditionNSL/>", at, m->interactions[other].law->name);
}

int ns_check_family(const ns_model *m, ns_ctx *c)
{
  int before = c->nerrors;
  ns_family family = ns_model_family(m);
  if (m->nsystems == 0) return NS_OK;
  check_systems(m, c, family);
  for (int i = 0; i < m->ninteractions; i++) check_interaction(m, &m->interactions[i], c, family);
  check_multiple(m, c);
  if (c->nerrors == before) check_problem(m, c, family);
  check_integrator(m, c, family);
  return c->nerrors > before ? NS_MODEL : NS_OK;
}
