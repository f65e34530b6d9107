/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_family.c -- what belongs together in a model: mechanics, or first-order systems. */
#include "model/check_parts.h"

#include <string.h>

static const char *family(int first_order) { return first_order ? "first-order" : "Lagrangian"; }

static const char *relations(int first_order)
{
  return first_order ? "<FirstOrderLinearTIR>, <FirstOrderLinearR>, <FirstOrderType1R>, <FirstOrderType2R> or "
                       "<FirstOrderNonLinearR>"
                     : "<LagrangianLinearTIR>";
}

static const char *laws(int first_order)
{
  return first_order ? "<ComplementarityConditionNSL>, <MixedComplementarityConditionNSL>, <EqualityConditionNSL>, "
                       "<RelayNSL>, <PiecewiseLinearNSL> or <NormalConeNSL>"
                     : "<NewtonImpactNSL>";
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

static void check_interaction(const ns_interaction *it, ns_ctx *c, int first_order)
{
  char at[PLACE];
  ns_place_text(&it->at, at, sizeof at);
  if (((it->relation->flags & NS_REL_FIRST_ORDER) != 0) != first_order)
    ns_fail(c, NS_MODEL, "%s: the relation %s with %s systems, expected %s", at, it->relation->name,
            family(first_order), relations(first_order));
  if ((it->law->flags & (NS_LAW_BOX | NS_LAW_POLYHEDRON) ? 1 : 0) != first_order)
    ns_fail(c, NS_MODEL, "%s: the law %s with %s systems, expected %s", at, it->law->name, family(first_order),
            laws(first_order));
}

/* ---- scheme and problem --------------------------------------------------------------------------------- */

static void check_integrator(const ns_model *m, ns_ctx *c, int first_order)
{
  static const struct { const char *name; int first_order; } known[] = {
      {"MoreauJeanOSI", 0}, {"MoreauJeanDirectProjectionOSI", 0}, {"MoreauJeanCombinedProjectionOSI", 0},
      {"EulerMoreauOSI", 1}, {"ZeroOrderHoldOSI", 1}};
  char at[PLACE];
  const char *name = m->sim.integrator;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (!strcmp(known[k].name, name) && known[k].first_order != first_order)
      ns_fail(c, NS_MODEL, "%s: %s integrates %s systems and those of this model are %s, expected %s",
              ns_place_text(&m->sim.at, at, sizeof at), name, family(!first_order), family(first_order),
              first_order ? "<EulerMoreauOSI theta=\"1\"/>, or <ZeroOrderHoldOSI/> for linear ones"
                          : "<MoreauJeanOSI theta=\"0.5\"/>");
}

/* Laws that a one-step problem takes. */
static int takes(const char *problem, const char *law)
{
  static const char *const list[][6] = {
      {"LCP", "NewtonImpactNSL", "ComplementarityConditionNSL"},
      {"MLCP", "ComplementarityConditionNSL", "MixedComplementarityConditionNSL", "EqualityConditionNSL"},
      {"Relay", "RelayNSL", "ComplementarityConditionNSL", "MixedComplementarityConditionNSL", "EqualityConditionNSL",
       "PiecewiseLinearNSL"}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    if (strcmp(list[k][0], problem)) continue;
    for (int j = 1; j < 6 && list[k][j]; j++)
      if (!strcmp(list[k][j], law)) return 1;
    return 0;
  }
  return 1; /* AVI takes all laws of first order, other names are the strategy's to refuse */
}

/* The smallest one that takes all laws of the model. */
static const char *problem_for(const ns_model *m)
{
  static const char *const order[] = {"LCP", "MLCP", "Relay"};
  for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
    int i = 0;
    while (i < m->ninteractions && takes(order[k], m->interactions[i].law->name)) i++;
    if (i == m->ninteractions) return order[k];
  }
  return "AVI";
}

static void check_problem(const ns_model *m, ns_ctx *c, int first_order)
{
  char at[PLACE];
  const char *p = m->sim.problem;
  if (!p) return;
  if (!first_order && strcmp(p, "LCP")) {
    ns_fail(c, NS_MODEL, "%s: the one-step problem %s with Lagrangian systems, expected <LCP/>",
            ns_place_text(&m->sim.at, at, sizeof at), p);
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

int ns_check_family(const ns_model *m, ns_ctx *c)
{
  int before = c->nerrors, first_order = ns_model_first_order(m);
  if (m->nsystems == 0) return NS_OK;
  check_systems(m, c, first_order);
  for (int i = 0; i < m->ninteractions; i++) check_interaction(&m->interactions[i], c, first_order);
  if (c->nerrors == before) check_problem(m, c, first_order);
  check_integrator(m, c, first_order);
  return c->nerrors > before ? NS_MODEL : NS_OK;
}
