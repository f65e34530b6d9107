/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_family.c -- what belongs together in a model: mechanics, or first-order systems. */
#include "model/check_parts.h"

#include "model/check.h"

#include <stdio.h>
#include <string.h>

static const char *family(int first_order) { return first_order ? "first-order" : "Lagrangian"; }

static const char *relations(int first_order)
{
  return first_order ? "<FirstOrderLinearTIR>, <FirstOrderLinearR>, <FirstOrderType1R>, <FirstOrderType2R> or "
                       "<FirstOrderNonLinearR>"
                     : "<LagrangianLinearTIR>, <LagrangianScleronomousR>, <LagrangianRheonomousR>, "
                       "<LagrangianCompliantLinearTIR> or <LagrangianCompliantR>";
}

static void check_systems(const ns_model *m, ns_ctx *c, int first_order)
{
  char at[PLACE];
  for (int i = 1; i < m->nsystems; i++) {
    int other = (m->systems[i].kind->flags & NS_SYS_FIRST_ORDER) != 0;
    if (other == first_order) continue;
    ns_fail(c, NS_MODEL, "%s: a %s system in a model whose first system is %s, expected one family of systems in a "
            "model; make two models of it", ns_place_text(&m->systems[i].at, at, sizeof at), family(other),
            family(first_order));
    return;
  }
}

/* Laws that hold for y itself, so that beside a rigid contact they would say nothing of impacts. */
static int is_of_position(const ns_law_kind *law)
{
  return !strcmp(law->name, "ComplementarityConditionNSL") || !strcmp(law->name, "MixedComplementarityConditionNSL");
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
  else if (is_of_position(law) && !compliant)
    text = "is a law of contacts that give way, expected one of rigid contacts beside <%s>: <NewtonImpactNSL e=\"0\"/>";
  if (text) snprintf(why, NS_CHECK_PAIR, text, relation->name);
  return text != NULL;
}

static void check_interaction(const ns_interaction *it, ns_ctx *c, int first_order)
{
  char at[PLACE], why[NS_CHECK_PAIR];
  ns_place_text(&it->at, at, sizeof at);
  if (((it->relation->flags & NS_REL_FIRST_ORDER) != 0) != first_order)
    ns_fail(c, NS_MODEL, "%s: the relation %s with %s systems, expected %s", at, it->relation->name,
            family(first_order), relations(first_order));
  else if (ns_check_pair(it->relation, it->law, why))
    ns_fail(c, NS_MODEL, "%s: the law %s %s", at, it->law->name, why);
}

/* ---- scheme and problem --------------------------------------------------------------------------------- */

static void check_integrator(const ns_model *m, ns_ctx *c, int first_order)
{
  static const struct { const char *name; int first_order; } known[] = {
      {"MoreauJeanOSI", 0}, {"MoreauJeanDirectProjectionOSI", 0}, {"MoreauJeanCombinedProjectionOSI", 0},
      {"SchatzmanPaoliOSI", 0}, {"D1MinusLinearOSI", 0}, {"NewMarkAlphaOSI", 0}, {"MoreauJeanGOSI", 0}, {"EulerMoreauOSI", 1}, {"ZeroOrderHoldOSI", 1}};
  char at[PLACE];
  const char *name = m->sim.integrator;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (!strcmp(known[k].name, name) && known[k].first_order != first_order)
      ns_fail(c, NS_MODEL, "%s: %s integrates %s systems and those of this model are %s, expected %s",
              ns_place_text(&m->sim.at, at, sizeof at), name, family(!first_order), family(first_order),
              m->sim.event_driven ? "<CVodeOSI/>" : first_order ? "<EulerMoreauOSI theta=\"1\"/>, or <ZeroOrderHoldOSI/> for linear ones"
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
      {"FrictionContact", "NewtonImpactFrictionNSL", "FremondImpactFrictionNSL", "NewtonImpactNSL"}};
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
      {"LCP", 1, 1}, {"MLCP", 1, 1}, {"Relay", 1, 1}, {"AVI", 1, 0}, {"FrictionContact", 0, 1}, {"GenericMechanical", 0, 1}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (!strcmp(known[k].name, problem)) return first_order ? known[k].first_order : known[k].mechanics;
  return 1;
}

/* The smallest one that takes all laws of the model. */
static const char *problem_for(const ns_model *m)
{
  static const char *const order[] = {"LCP", "MLCP", "Relay", "FrictionContact"};
  for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
    int i = 0;
    while (i < m->ninteractions && takes(order[k], m->interactions[i].law->name)) i++;
    if (i == m->ninteractions) return order[k];
  }
  return ns_model_first_order(m) ? "AVI" : "GenericMechanical";
}

static void check_problem(const ns_model *m, ns_ctx *c, int first_order)
{
  char at[PLACE];
  const char *p = m->sim.problem;
  if (!p) return;
  if (!is_problem_of(p, first_order)) {
    ns_fail(c, NS_MODEL, "%s: the one-step problem %s with %s systems, expected <%s/>",
            ns_place_text(&m->sim.at, at, sizeof at), p, family(first_order), problem_for(m));
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
  int before = c->nerrors, first_order = ns_model_first_order(m);
  if (m->nsystems == 0) return NS_OK;
  check_systems(m, c, first_order);
  for (int i = 0; i < m->ninteractions; i++) check_interaction(&m->interactions[i], c, first_order);
  check_multiple(m, c);
  if (c->nerrors == before) check_problem(m, c, first_order);
  check_integrator(m, c, first_order);
  return c->nerrors > before ? NS_MODEL : NS_OK;
}
