/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_family.c -- what belongs together in a model: Lagrangian mechanics, rigid bodies, or first-order systems. */
#include "model/check_parts.h"

#include "model/check.h"

#include <stdio.h>
#include <string.h>

static const char *text_of(ns_family f)
{
  static const char *const text[] = {"Lagrangian", "first-order", "rigid"};
  return text[f];
}

static const char *relations(ns_family f)
{
  static const char *const text[] = {
      "<LagrangianLinearTIR>, <LagrangianScleronomousR>, <LagrangianRheonomousR>, <LagrangianCompliantLinearTIR> or "
      "<LagrangianCompliantR>",
      "<FirstOrderLinearTIR>, <FirstOrderLinearR>, <FirstOrderType1R>, <FirstOrderType2R> or <FirstOrderNonLinearR>",
      "<NewtonEulerR>, a contact of points or a joint"};
  return text[f];
}

/* One family in a model; of rigid bodies all in space, or all in the plane. */
static void check_systems(const ns_model *m, ns_ctx *c, ns_family family)
{
  char at[PLACE];
  for (int i = 1; i < m->nsystems; i++) {
    ns_family other = ns_system_family(&m->systems[i]);
    ns_place_text(&m->systems[i].at, at, sizeof at);
    if (other != family)
      ns_fail(c, NS_MODEL, "%s: a %s system in a model whose first system is %s, expected one family of systems in a model; make two "
              "models of it", at, text_of(other), text_of(family));
    else if (family == NS_FAMILY_RIGID && m->systems[i].kind != m->systems[0].kind)
      ns_fail(c, NS_MODEL, "%s: a %s in a model whose first system is a %s, expected bodies all in space or all in the plane; make two "
              "models of it", at, m->systems[i].kind->name, m->systems[0].kind->name);
    else
      continue;
    return;
  }
}

/* Laws that hold for y itself, so that beside a rigid contact they would say nothing of impacts. */
static int is_of_position(const ns_law_kind *law)
{
  return !strcmp(law->name, "ComplementarityConditionNSL") || !strcmp(law->name, "MixedComplementarityConditionNSL");
}

static int is(const ns_law_kind *law, const char *name) { return !strcmp(law->name, name); }

/* Why a law cannot stand beside a joint or what is on its axis, NULL: it can. */
static const char *beside_joint(const ns_relation_kind *relation, const ns_law_kind *law)
{
  if (!strcmp(relation->name, "JointStopR"))
    return is(law, "NewtonImpactNSL") ? NULL : "is no law of a stop, expected <NewtonImpactNSL e=\"0\"/> beside <%s>";
  if (!strcmp(relation->name, "JointFrictionR"))
    return is(law, "RelayNSL") ? NULL : "is no law of dry friction on an axis, expected <RelayNSL lb=\"-tau\" ub=\"tau\"/> beside <%s>";
  return is(law, "EqualityConditionNSL") ? NULL : "is no law of a joint, expected <EqualityConditionNSL/> beside <%s>";
}

/* Rows of a contact point are those of one law. */
static const char *beside_point(const ns_relation_kind *relation, const ns_law_kind *law)
{
  if (strchr(relation->name, '1'))
    return is(law, "NewtonImpactNSL") || is(law, "EqualityConditionNSL")
               ? NULL : "is no law of a gap alone, expected <NewtonImpactNSL e=\"0\"/> beside <%s>";
  if (strchr(relation->name, '3'))
    return is(law, "NewtonImpactFrictionNSL") || is(law, "FremondImpactFrictionNSL")
               ? NULL : "is no law of friction, expected <NewtonImpactFrictionNSL en=\"0\" mu=\"0.3\"/> beside <%s>";
  return is(law, "NewtonImpactRollingFrictionNSL")
             ? NULL : "is no law of rolling friction, expected <NewtonImpactRollingFrictionNSL en=\"0\" mu=\"0.3\" muRolling=\"0.01\"/> beside <%s>";
}

int ns_check_pair(const ns_relation_kind *relation, const ns_law_kind *law, char *why)
{
  int contact = (law->flags & (NS_LAW_UNILATERAL | NS_LAW_FRICTION)) != 0;
  int compliant = (relation->flags & NS_REL_COMPLIANT) != 0;
  const char *text = NULL;
  if (relation->flags & NS_REL_FIRST_ORDER) {
    if (contact) text = "is a law of mechanical contacts, expected one of first-order systems beside <%s>; for y >= 0 take "
                        "<ComplementarityConditionNSL/>";
  } else if (law->flags & NS_LAW_POLYHEDRON || !strcmp(law->name, "PiecewiseLinearNSL"))
    text = "is a law of first-order systems, expected one of mechanical contacts beside <%s>: <NewtonImpactNSL e=\"0.9\"/>";
  else if (contact && compliant)
    text = "is a law of impacts, expected <ComplementarityConditionNSL/> beside <%s>, whose contact gives way";
  else if (relation->flags & (NS_REL_JOINT | NS_REL_AXIS))
    text = beside_joint(relation, law);
  else if (relation->flags & NS_REL_POINT)
    text = beside_point(relation, law);
  else if (is_of_position(law) && !compliant)
    text = "is a law of contacts that give way, expected one of rigid contacts beside <%s>: <NewtonImpactNSL e=\"0\"/>";
  if (text) snprintf(why, NS_CHECK_PAIR, text, relation->name);
  return text != NULL;
}

static void check_interaction(const ns_interaction *it, ns_ctx *c, ns_family family)
{
  char at[PLACE], why[NS_CHECK_PAIR];
  ns_place_text(&it->at, at, sizeof at);
  if (ns_relation_family(it->relation) != family)
    ns_fail(c, NS_MODEL, "%s: the relation %s with %s systems, expected %s", at, it->relation->name, text_of(family), relations(family));
  else if (ns_check_pair(it->relation, it->law, why))
    ns_fail(c, NS_MODEL, "%s: the law %s %s", at, it->law->name, why);
}

/* ---- scheme and problem --------------------------------------------------------------------------------- */

enum { LAGRANGIAN = 1 << NS_FAMILY_LAGRANGIAN, FIRST_ORDER = 1 << NS_FAMILY_FIRST_ORDER, RIGID = 1 << NS_FAMILY_RIGID };

/* "Lagrangian", "Lagrangian and rigid" */
static const char *texts_of(unsigned families)
{
  return families == LAGRANGIAN ? "Lagrangian" : families == FIRST_ORDER ? "first-order" : families == RIGID ? "rigid"
         : families == (LAGRANGIAN | RIGID) ? "Lagrangian and rigid" : "other";
}

static void check_integrator(const ns_model *m, ns_ctx *c, ns_family family)
{
  static const struct { const char *name; unsigned families; } known[] = {
      {"MoreauJeanOSI", LAGRANGIAN | RIGID}, {"MoreauJeanDirectProjectionOSI", LAGRANGIAN | RIGID},
      {"MoreauJeanCombinedProjectionOSI", LAGRANGIAN | RIGID}, {"SchatzmanPaoliOSI", LAGRANGIAN}, {"D1MinusLinearOSI", LAGRANGIAN},
      {"NewMarkAlphaOSI", LAGRANGIAN}, {"MoreauJeanGOSI", LAGRANGIAN}, {"EulerMoreauOSI", FIRST_ORDER}, {"ZeroOrderHoldOSI", FIRST_ORDER}};
  char at[PLACE];
  const char *name = m->sim.integrator;
  ns_place_text(&m->sim.at, at, sizeof at);
  if (m->sim.event_driven && family == NS_FAMILY_RIGID) {
    ns_fail(c, NS_MODEL, "%s: <%s> with rigid bodies, expected <TimeStepping>", at, m->sim.strategy);
    return;
  }
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (!strcmp(known[k].name, name) && !(known[k].families & 1u << family))
      ns_fail(c, NS_MODEL, "%s: %s integrates %s systems and those of this model are %s, expected %s", at, name,
              texts_of(known[k].families), text_of(family),
              m->sim.event_driven ? "<CVodeOSI/>"
              : family == NS_FAMILY_FIRST_ORDER ? "<EulerMoreauOSI theta=\"1\"/>, or <ZeroOrderHoldOSI/> for linear ones"
                                                : "<MoreauJeanOSI theta=\"0.5\"/>");
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

static int is_problem_of(const char *problem, ns_family family)
{
  static const struct { const char *name; unsigned families; } known[] = {
      {"LCP", LAGRANGIAN | FIRST_ORDER | RIGID}, {"MLCP", LAGRANGIAN | FIRST_ORDER | RIGID}, {"Relay", LAGRANGIAN | FIRST_ORDER | RIGID},
      {"AVI", FIRST_ORDER}, {"FrictionContact", LAGRANGIAN | RIGID}, {"RollingFrictionContact", LAGRANGIAN | RIGID},
      {"GenericMechanical", LAGRANGIAN | RIGID}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (!strcmp(known[k].name, problem)) return (known[k].families & 1u << family) != 0;
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
  if (!is_problem_of(p, family)) {
    ns_fail(c, NS_MODEL, "%s: the one-step problem %s with %s systems, expected <%s/>",
            ns_place_text(&m->sim.at, at, sizeof at), p, text_of(family), problem_for(m));
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
  for (int i = 0; i < m->ninteractions; i++) check_interaction(&m->interactions[i], c, family);
  check_multiple(m, c);
  if (c->nerrors == before) check_problem(m, c, family);
  check_integrator(m, c, family);
  return c->nerrors > before ? NS_MODEL : NS_OK;
}
