/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_family.c -- what belongs together in a model: Lagrangian mechanics, first-order systems, or
 * rigid bodies. */
#include "model/check/check_parts.h"

#include "expression/freeze.h"
#include "model/check/check.h"
#include "model/law_values.h"
#include "model/laws/problem.h"
#include "model/relations/rigid_relation.h"
#include "model/relations/shape_gaps.h"

#include <stdio.h>
#include <string.h>

/* What is said of a family. */
static const struct {
  const char *name, *relations, *scheme;
} families[] = {[NS_FAMILY_LAGRANGIAN] =
                    {"Lagrangian",
                     "<LagrangianLinearTIR>, <LagrangianScleronomousR>, <LagrangianRheonomousR>, "
                     "<LagrangianCompliantLinearTIR> or <LagrangianCompliantR>",
                     "<MoreauJeanOSI theta=\"0.5\"/>"},
                [NS_FAMILY_FIRST_ORDER] =
                    {"first-order",
                     "<FirstOrderLinearTIR>, <FirstOrderLinearR>, <FirstOrderType1R>, "
                     "<FirstOrderType2R> or <FirstOrderNonLinearR>",
                     "<EulerMoreauOSI theta=\"1\"/>, or <ZeroOrderHoldOSI/> for linear ones"},
                [NS_FAMILY_RIGID] = {"rigid",
                                     "<NewtonEuler1DR>, <NewtonEuler3DR>, <NewtonEuler5DR>, "
                                     "<NewtonEulerR> or a joint as <PivotJointR>",
                                     "<MoreauJeanOSI theta=\"0.5\"/>"}};

static void check_systems(const ns_model *m, ns_ctx *c, ns_family family)
{
  for (int i = 1; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    if (ns_system_family(s) != family)
      ns_fail_at(c, NS_MODEL, &s->at,
                 "a %s system in a model whose first system is %s, expected one family of systems "
                 "in a model; split it into two models",
                 families[ns_system_family(s)].name, families[family].name);
    else if (ns_system_is_planar(s) != ns_system_is_planar(&m->systems[0]))
      ns_fail_at(c, NS_MODEL, &s->at,
                 "a %s in a model whose first body is a %s, expected all bodies in the plane or "
                 "all in space; describe this one as a <%s> too",
                 s->kind->name, m->systems[0].kind->name, m->systems[0].kind->name);
    else continue;
    return;
  }
}

/* The relation has a use of its own, which the law says nothing to. */
static int is_other_law(const ns_relation_kind *relation, const ns_law_ops *law, char *why)
{
  const char *fit[2] = {NULL, NULL};
  int n = 0;
  if (!relation->laws || relation->laws & law->fits) return 0;
  for (int k = 0; ns_law_kinds[k] && n < 2; k++)
    if (ns_law_kinds[k]->fits & relation->laws) fit[n++] = ns_law_kinds[k]->name;
  snprintf(why, NS_CHECK_PAIR, "does not apply to <%s>, expected <%s>%s%s%s", relation->name,
           fit[0], n > 1 ? ", or <" : "", n > 1 ? fit[1] : "", n > 1 ? ">" : "");
  return 1;
}

int ns_check_pair(const ns_relation_kind *relation, const ns_law_ops *law, char *why)
{
  if (is_other_law(relation, law, why)) return 1;
  const char *text = law->refuses ? law->refuses(relation) : NULL;
  if (text) snprintf(why, NS_CHECK_PAIR, text, relation->name);
  return text != NULL;
}

static void check_interaction(const ns_model *m, const ns_interaction *it, ns_ctx *c,
                              ns_family family)
{
  char why[NS_CHECK_PAIR];
  if (family != NS_FAMILY_MIXED && ns_relation_family(it->relation) != family)
    ns_fail_at(c, NS_MODEL, &it->at, "the relation %s with %s systems, expected %s",
               it->relation->name, families[family].name, families[family].relations);
  else if (it->relation->flags & NS_REL_JOINT && ns_system_is_planar(&m->systems[it->systems[0]]) &&
           !ns_planar_joint_rows(it->joint.kind))
    ns_fail_at(c, NS_MODEL, &it->at,
               "the relation %s between bodies in the plane, expected bodies in space; in the "
               "plane a joint is a PivotJointR, a PrismaticJointR or a FixedJointR",
               it->relation->name);
  else if (ns_check_pair(it->relation, it->law.ops, why))
    ns_fail_at(c, NS_MODEL, &it->at, "the law %s %s", it->law.ops->name, why);
}

/* ---- scheme and problem ---------------------------------------------------------------------- */

/* Families that an integrator steps, as bits. */
static unsigned families_of(const char *integrator)
{
  enum {
    LAGRANGIAN = 1 << NS_FAMILY_LAGRANGIAN,
    FIRST_ORDER = 1 << NS_FAMILY_FIRST_ORDER,
    RIGID = 1 << NS_FAMILY_RIGID
  };
  static const struct {
    const char *name;
    unsigned families;
  } known[] = {{"MoreauJeanOSI", LAGRANGIAN | RIGID},
               {"MoreauJeanDirectProjectionOSI", LAGRANGIAN | RIGID},
               {"MoreauJeanCombinedProjectionOSI", LAGRANGIAN | RIGID},
               {"SchatzmanPaoliOSI", LAGRANGIAN | RIGID},
               {"D1MinusLinearOSI", LAGRANGIAN | RIGID},
               {"NewMarkAlphaOSI", LAGRANGIAN | RIGID},
               {"MoreauJeanGOSI", LAGRANGIAN | RIGID},
               {"EulerMoreauOSI", FIRST_ORDER},
               {"ZeroOrderHoldOSI", FIRST_ORDER}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (!strcmp(known[k].name, integrator)) return known[k].families;
  return LAGRANGIAN | FIRST_ORDER | RIGID; /* of event-driven runs */
}

/* Why an integrator does not step bodies in space; NULL: it does. */
static const char *why_no_bodies(const ns_model *m, const char *integrator, ns_family family)
{
  if (family != NS_FAMILY_RIGID || ns_system_is_planar(&m->systems[0])) return NULL;
  if (strcmp(integrator, "SchatzmanPaoliOSI") != 0) return NULL;
  return ", whose orientations are quaternions: its velocities are differences of positions, as of "
         "bodies in the plane";
}

static void check_integrator(const ns_model *m, ns_ctx *c, ns_family family)
{
  const char *name = m->sim.integrator, *why = why_no_bodies(m, name, family);
  unsigned can = families_of(name);
  if (m->sim.event_driven) ns_shape_gaps_check(m, c);
  if (why || !(can >> family & 1u))
    ns_fail_at(
        c, NS_MODEL, &m->sim.at,
        "%s integrates %s systems and those of this model are %s%s, expected %s", name,
        families[can >> NS_FAMILY_LAGRANGIAN & 1u ? NS_FAMILY_LAGRANGIAN : NS_FAMILY_FIRST_ORDER]
            .name,
        families[family].name, why ? why : "",
        m->sim.event_driven ? "<CVodeOSI/>" : families[family].scheme);
}

/* D1-minus and Schatzman-Paoli have contacts of interactions alone: those between shapes move along
 * them, and what is born and dies has no others. */
static void check_shapes(const ns_model *m, ns_ctx *c)
{
  int some = 0, mortal = ns_model_is_mortal(m);
  for (int i = 0; i < m->contact.nmaterials * m->contact.nmaterials && m->contact.nshapes; i++)
    some |= m->contact.law[i].ops != NULL;
  const char *name = m->sim.integrator;
  int alone = !strcmp(name, "D1MinusLinearOSI") || !strcmp(name, "SchatzmanPaoliOSI");
  if ((!some && !mortal) || !alone) return;
  ns_fail_at(c, NS_MODEL, &m->sim.at,
             "%s with %s, expected bodies that touch by an <interaction> with "
             "NewtonEuler1DR, whose points are given; MoreauJeanOSI supports them",
             name, some ? "<contacts> between shapes" : "a birth or a death of bodies");
}

static void check_problem(const ns_model *m, ns_ctx *c, ns_family family)
{
  const char *p = m->sim.problem;
  if (!p) return;
  if (!ns_problem_is_of(p, family == NS_FAMILY_FIRST_ORDER)) {
    ns_fail_at(c, NS_MODEL, &m->sim.at, "the one-step problem %s with %s systems, expected <%s/>",
               p, families[family].name, ns_laws_problem(m));
    return;
  }
  for (int i = 0; i < m->ninteractions; i++) {
    if (ns_problem_takes(p, m->interactions[i].law.ops)) continue;
    ns_fail_at(c, NS_MODEL, &m->interactions[i].at,
               "the one-step problem %s does not support the law %s, expected <%s/>; without such "
               "an element nssim selects the problem from the laws",
               p, m->interactions[i].law.ops->name, ns_laws_problem(m));
    return;
  }
}

/* The law of the first interaction, or of the first two materials, that has formula k. */
static const ns_nonsmooth_law *law_with(const ns_model *m, int k)
{
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (k < it->law.formula || k >= it->law.formula + it->law.nformulas) continue;
    return &it->law;
  }
  for (int i = 0; i < m->contact.nmaterials * m->contact.nmaterials; i++) {
    const ns_nonsmooth_law *l = &m->contact.law[i];
    if (k >= l->formula && k < l->formula + l->nformulas) return l;
  }
  return NULL;
}

/* What an event-driven run cannot take formula k of a law for; NULL: it can. */
static const char *forbids(const ns_model *m, int k)
{
  const ns_law_formula *f = &m->law_formulas[k];
  int jumps = f->value.how == NS_OP_TAPE &&
              !ns_tape_is_smooth_in(f->value.formula->tape, NS_BANK_LAW);
  const ns_nonsmooth_law *l = law_with(m, k);
  if (jumps)
    return "with a corner or a jump in the speed of this contact, which sliding would cross "
           "repeatedly, expected a smooth one, such as a + b*exp(-slip/c)";
  if (l && l->ops->compliant && l->mu > 0 && !(l->slip_damping > 0))
    return "of a contact whose friction is only a spring: at its bound it slides at the rate of "
           "that bound, which is unknown for a formula, expected a number, or Ct > 0";
  return NULL;
}

/* Modes of event-driven runs hold laws whose parameters change smoothly. */
static void check_formulas(const ns_model *m, ns_ctx *c)
{
  for (int k = 0; k < m->nlaw_formulas && m->sim.event_driven; k++) {
    const ns_law_formula *f = &m->law_formulas[k];
    const char *why = forbids(m, k);
    if (!why) continue;
    ns_fail_at(c, NS_MODEL, &f->at, "<EventDriven> with attribute %s = %s %s; use <TimeStepping>",
               f->attribute, f->text, why);
    return;
  }
}

/* Contacts that give way: where steps know how. */
static void check_shape_laws(const ns_model *m, ns_ctx *c)
{
  const ns_contact_model *k = &m->contact;
  const ns_law_ops *compliant = NULL;
  for (int i = 0; i < k->nmaterials * k->nmaterials && k->nshapes; i++)
    if (k->law[i].ops && k->law[i].ops->compliant) compliant = k->law[i].ops;
  if (!compliant || m->sim.event_driven) return;
  const ns_integrator_use *u = ns_model_integrator(m, ns_model_body(m));
  const char *name = u ? u->name : m->sim.integrator;
  double theta = u ? u->mj.theta : m->sim.mj.theta;
  if (k->separate || (strcmp(name, "MoreauJeanOSI") && strcmp(name, "MoreauJeanGOSI")))
    ns_fail_at(c, NS_MODEL, &m->sim.at,
               "%s with the law %s, expected <MoreauJeanOSI> without separate: the force of a "
               "compliant contact follows from its overlap, which a projection removes",
               k->separate ? "separate=\"true\"" : name, compliant->name);
  else if (!(theta > 0))
    ns_fail_at(
        c, NS_MODEL, &m->sim.at,
        "theta = %g with the law %s, expected theta > 0: its force is evaluated at t + theta h",
        theta, compliant->name);
}

/* Bodies of a mixed model: all in the plane or all in space, with one integrator, in contact as
 * they are. */
static void check_bodies_together(const ns_model *m, ns_ctx *c)
{
  const ns_system *first = ns_model_body(m);
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    if (!ns_system_is_rigid(s)) continue;
    if (ns_system_is_planar(s) != ns_system_is_planar(first)) {
      ns_fail_at(c, NS_MODEL, &s->at,
                 "a %s in a model whose first body is a %s, expected all bodies in the plane or "
                 "all in space; describe this one as a <%s> too",
                 s->kind->name, first->kind->name, first->kind->name);
      return;
    }
    if (s->integrator == first->integrator) continue;
    ns_fail_at(
        c, NS_MODEL, &s->at,
        "its integrator is not that of the first body, expected one <MoreauJeanOSI> for all "
        "rigid bodies, whose contacts it solves together; name the body in systems= of that one");
    return;
  }
  if (first && m->contact.separate && m->sim.event_driven)
    ns_fail_at(
        c, NS_MODEL, &m->sim.at,
        "<contacts> separate overlapping bodies at the start in a model with systems of "
        "other kinds, expected bodies that do not overlap; run the bodies alone for one step "
        "and start from its last state by <repeat table=\"...\" select=\"*\">");
}

/* Something holds mechanics, by forces that IDA has among its unknowns. */
static int is_constrained(const ns_model *m)
{
  for (int i = 0; i < m->ninteractions; i++)
    if (!ns_interaction_is_first_order(&m->interactions[i])) return 1;
  return m->contact.law != NULL || ns_model_count_held(m) > 0;
}

/* A relation of first order that acts on mechanics, or reads it in its own formula. */
static void check_acts(const ns_model *m, const ns_interaction *it, ns_ctx *c)
{
  int acts = 0, reads = 0;
  for (int k = 0; k < it->nsystems; k++)
    acts |= !ns_system_is_first_order(&m->systems[it->systems[k]]);
  const ns_foreign *f = ns_operator_foreign(&it->fo.h);
  for (int k = 0; f && k < f->n; k++) {
    const ns_foreign_variable *v = &f->of[k];
    reads |= v->of != NS_OF_SYSTEM || !ns_system_is_first_order(&m->systems[v->system]);
  }
  if (strcmp(m->sim.integrator, "IDAOSI") || !(acts || (reads && is_constrained(m)))) return;
  ns_fail_at(
      c, NS_MODEL, &it->at,
      "a relation of first order over mechanics with <IDAOSI>, expected <CVodeOSI>: forces of "
      "constraints are unknowns of IDA, and the multipliers of this row follow from accelerations, "
      "which depend on these forces");
}

/* Systems of several kinds in an event-driven run. */
static void check_mixed_events(const ns_model *m, ns_ctx *c)
{
  ns_shape_gaps_check(m, c);
  if (!strcmp(m->sim.integrator, "NewMarkAlphaOSI"))
    ns_fail_at(c, NS_MODEL, &m->sim.at,
               "%s with systems of several kinds, expected <CVodeOSI/> or <IDAOSI/>: its steps "
               "integrate positions and velocities, which first-order states are not",
               m->sim.integrator);
  for (int i = 0; i < m->ninteractions; i++)
    if (ns_interaction_is_first_order(&m->interactions[i])) check_acts(m, &m->interactions[i], c);
}

/* Relations are evaluated at one instant of a step. */
static void check_full(const ns_model *m, const ns_integrator_use *u, ns_ctx *c)
{
  const ns_system *other = NULL;
  for (int i = 0; i < m->nsystems && u->em.full && !other; i++) {
    const ns_system *s = &m->systems[i];
    const ns_integrator_use *by = ns_model_integrator(m, s);
    if (!by->em.full || by->em.gamma != u->em.gamma || strcmp(by->name, u->name)) other = s;
  }
  if (other)
    ns_fail_at(
        c, NS_MODEL, &u->at,
        "formulation=\"full\" evaluates relations at t + %g h, and %s is not integrated in "
        "this way, expected formulation=\"standard\", or all systems of first order, with this "
        "gamma",
        u->em.gamma, other->at.id);
}

/* A relation that acts on mechanics gives an impulse of the step, at its end. */
static void check_gamma(const ns_model *m, const ns_interaction *it, ns_ctx *c)
{
  const ns_integrator_use *mean = NULL;
  int mechanics = 0;
  for (int k = 0; k < it->nsystems; k++) {
    const ns_system *s = &m->systems[it->systems[k]];
    const ns_integrator_use *u = ns_model_integrator(m, s);
    if (!ns_system_is_first_order(s)) mechanics = 1;
    else if (!strcmp(u->name, "EulerMoreauOSI") && u->em.gamma != 1) mean = u;
  }
  if (!mechanics || !mean) return;
  ns_fail_at(
      c, NS_MODEL, &it->at,
      "acts on mechanics, too, and <EulerMoreauOSI gamma=\"%g\"> integrates one of its "
      "systems, expected gamma=\"1\" for that system: on mechanics an input is the impulse of "
      "the whole step, at its end",
      mean->em.gamma);
}

/* Systems of several kinds: what the common step takes. */
static void check_mixed(const ns_model *m, ns_ctx *c)
{
  static const char *const known[] = {"MoreauJeanOSI", "EulerMoreauOSI", "ZeroOrderHoldOSI",
                                      /* rigid bodies alone are its systems */
                                      "MoreauJeanDirectProjectionOSI",
                                      "MoreauJeanCombinedProjectionOSI"};
  check_bodies_together(m, c);
  if (m->sim.event_driven) check_mixed_events(m, c);
  for (int k = 0; k < m->nintegrators && !m->sim.event_driven; k++) {
    const ns_integrator_use *u = &m->integrators[k];
    int found = 0;
    for (size_t j = 0; j < sizeof known / sizeof *known; j++) found |= !strcmp(u->name, known[j]);
    if (!found)
      ns_fail_at(c, NS_MODEL, &u->at,
                 "integrates together with other integrators or coupled systems, expected "
                 "<MoreauJeanOSI/>, <EulerMoreauOSI/> or <ZeroOrderHoldOSI/>, for rigid bodies "
                 "<MoreauJeanDirectProjectionOSI/> or <MoreauJeanCombinedProjectionOSI/> too");
    if (!strcmp(u->name, "EulerMoreauOSI")) check_full(m, u, c);
  }
  for (int i = 0; i < m->ninteractions && !m->sim.event_driven; i++)
    if (ns_interaction_is_first_order(&m->interactions[i])) check_gamma(m, &m->interactions[i], c);
}

/* The laws of contacts, of interactions and between shapes: one whose impacts are those of all
 * contacts at once, and one of another kind; NULL: there is none. */
typedef struct marching_laws {
  const ns_law_ops *march, *other;
  ns_place at; /* of the former */
} marching_laws;

static void note_law(marching_laws *l, const ns_nonsmooth_law *law, const ns_place *at)
{
  if (!law->ops || law->ops->fits & NS_FIT_CONSTRAINT) return;
  if (!law->ops->march) {
    l->other = law->ops;
    return;
  }
  l->march = law->ops;
  l->at = *at;
}

/* Impacts of all contacts at once are solved at their instant. */
static void check_march(const ns_model *m, ns_ctx *c)
{
  marching_laws l = {0};
  ns_place shapes = {.file = m->sim.at.file, .element = "contacts", .line = m->sim.at.line};
  if (m->contact.nshapes) shapes.line = m->contact.shape[0].line;
  for (int i = 0; i < m->contact.nmaterials * m->contact.nmaterials && m->contact.nshapes; i++)
    note_law(&l, &m->contact.law[i], &shapes);
  for (int i = 0; i < m->ninteractions; i++)
    note_law(&l, &m->interactions[i].law, &m->interactions[i].at);
  if (!l.march) return;
  if (!m->sim.event_driven)
    ns_fail_at(c, NS_MODEL, &l.at,
               "the law %s with <%s>, expected <EventDriven>; <NewtonImpactNSL e=\"...\"/> works "
               "with both",
               l.march->name, m->sim.strategy);
  else if (l.other)
    ns_fail_at(c, NS_MODEL, &l.at,
               "the law %s with %s at another contact, expected it in all contacts; constraints "
               "may have <EqualityConditionNSL/>",
               l.march->name, l.other->name);
}

int ns_check_family(const ns_model *m, ns_ctx *c)
{
  int before = c->nerrors;
  ns_family family = ns_model_family(m);
  if (m->nsystems == 0) return NS_OK;
  if (family == NS_FAMILY_MIXED) check_mixed(m, c);
  else check_systems(m, c, family);
  for (int i = 0; i < m->ninteractions; i++) check_interaction(m, &m->interactions[i], c, family);
  check_march(m, c);
  check_formulas(m, c);
  check_shape_laws(m, c);
  if (family == NS_FAMILY_MIXED) return c->nerrors > before ? NS_MODEL : NS_OK;
  if (c->nerrors == before) check_problem(m, c, family);
  check_integrator(m, c, family);
  check_shapes(m, c);
  return c->nerrors > before ? NS_MODEL : NS_OK;
}
