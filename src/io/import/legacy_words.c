/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legacy_words.c -- what the words of SiconosModel files are called today. */
#include "io/import/legacy.h"

#include <string.h>

const ns_legacy_word ns_legacy_systems[] = {
    {.old = "LagrangianLinearTIDS LagrangianTIDS", .now = "LagrangianLinearTIDS"},
    {.old = "LagrangianDS LagrangianNLDS", .now = "LagrangianDS"},
    {.old = "FirstOrderLinearDS LinearDS LinearSystemDS", .now = "FirstOrderLinearDS"},
    {.old = "FirstOrderLinearTIDS", .now = "FirstOrderLinearTIDS"},
    {.old = "FirstOrderNonLinearDS NonLinearDS NonLinearSystemDS DynamicalSystem",
     .now = "FirstOrderNonLinearDS"},
    {0},
};

const ns_legacy_word ns_legacy_relations[] = {
    {.old = "LagrangianLinearTIR LL LagrangianLinear LagrangianLinearRelation "
            "LagrangianRelation/Linear LagrangianRelation/LinearTI LagrangianRelation/LinearTIR",
     .now = "LagrangianLinearTIR"},
    {.old = "LagrangianScleronomousR LNL LagrangianNonLinear LagrangianNonLinearRelation "
            "LagrangianRelation LagrangianRelation/Scleronomous LagrangianRelation/scleronomic",
     .now = "LagrangianScleronomousR"},
    {.old = "LagrangianRheonomousR LagrangianRelation/Rheonomous LagrangianRelation/rhenomorous "
            "LagrangianRelation/rheonomous",
     .now = "LagrangianRheonomousR"},
    {.old =
         "LagrangianCompliantR LagrangianRelation/Compliant LagrangianRelation/scleronomic+lambda",
     .now = "LagrangianCompliantR"},
    {.old = "FirstOrderLinearTIR LTI LinearTimeInvariant LinearTimeInvariantRelation "
            "FirstOrderLinearTimeInvariantRelation FirstOrderRelation/LinearTI "
            "FirstOrderRelation/LinearTIR",
     .now = "FirstOrderLinearTIR"},
    {.old = "FirstOrderLinearR FirstOrderLinearRelation FirstOrderRelation/Linear "
            "FirstOrderRelation/LinearR",
     .now = "FirstOrderLinearR"},
    {.old = "FirstOrderR FirstOrderNonLinearR Relation FirstOrderRelation "
            "FirstOrderRelation/NonLinear FirstOrderRelation/NonLinearR",
     .now = "FirstOrderNonLinearR"},
    {.old = "FirstOrderType1R FirstOrderRelation/Type1 FirstOrderRelation/Type1R",
     .now = "FirstOrderType1R"},
    {0},
};

const ns_legacy_word ns_legacy_laws[] = {
    {.old = "NewtonImpactLaw NewtonImpactNSL NewtonImpactLawNSL",
     .now = "NewtonImpactNSL",
     .law = NS_LEGACY_IMPACT},
    {.old = "NewtonImpactFrictionLaw NewtonImpactFrictionNSL",
     .now = "NewtonImpactFrictionNSL",
     .law = NS_LEGACY_FRICTION},
    {.old = "ComplementarityCondition CCNSLaw ComplementarityConditionNSL "
            "ComplementarityConditionNSLaw",
     .now = "ComplementarityConditionNSL"},
    {.old = "Relay RelayNSLaw RelayNSL", .now = "RelayNSL"},
    {.old = "EqualityConditionNSL", .now = "EqualityConditionNSL"},
    {0},
};

/* By whom motion is integrated; now: "moreau" steps with a theta, "events" goes from event to
 * event, "hold" without a theta. */
const ns_legacy_word ns_legacy_integrators[] = {
    {.old = "Moreau MoreauOSI MoreauJeanOSI", .now = "moreau"},
    {.old = "LSODAR Lsodar LsodarOSI LSODAROSI", .now = "events"},
    {.old = "ZeroOrderHold ZeroOrderHoldOSI", .now = "hold"},
    {0},
};

const ns_legacy_word ns_legacy_problems[] = {
    {.old = "LCP", .now = "LCP"},
    {.old = "QP", .now = "LCP"},
    {.old = "CFD FrictionContact2D FrictionContact3D FrictionContact PrimalFrictionContact "
            "GlobalFrictionContact",
     .now = "FrictionContact"},
    {.old = "Relay", .now = "Relay"},
    {0},
};

#define LAGRANGIAN "LagrangianLinearTIDS LagrangianDS"
#define LINEAR "FirstOrderLinearDS FirstOrderLinearTIDS"
#define FIRST_ORDER LINEAR " FirstOrderNonLinearDS"

const ns_legacy_slot ns_legacy_system_slots[] = {
    {LAGRANGIAN, "q0", 0, "q0", 0},
    {LAGRANGIAN, "Velocity0", 0, "v0", 0},
    {FIRST_ORDER, "x0", 0, "x0", 0},
    {LAGRANGIAN " " FIRST_ORDER, "z", 0, "z", 0},
    {LAGRANGIAN, "Mass M", 0, "mass", 1},
    {"LagrangianLinearTIDS", "K", 0, "K", 1},
    {"LagrangianLinearTIDS", "C", 0, "C", 1},
    {"LagrangianDS", "FInt Fint", 0, "fInt", 0},
    {"LagrangianDS", "JacobianQFInt JacobianQFint", 0, "jacobianFIntq", 1},
    {"LagrangianDS", "JacobianVelocityFInt JacobianVelocityFint", 0, "jacobianFIntqDot", 1},
    {"LagrangianDS", "FGyr NNL QNLInertia", 0, "fGyr", 0},
    {"LagrangianDS", "JacobianQFGyr JacobianQNNL JacobianQQNLInertia", 0, "jacobianFGyrq", 1},
    {"LagrangianDS", "JacobianVelocityFGyr JacobianVelocityNNL JacobianVelocityQNLInertia", 0,
     "jacobianFGyrqDot", 1},
    {LAGRANGIAN, "FExt Fext", 0, "fExt", 0},
    {FIRST_ORDER, "M", 0, "M", 1},
    {LINEAR, "A", 0, "A", 1},
    {LINEAR, "b f", 0, "b", 0},
    {"FirstOrderNonLinearDS", "f F vectorField", 0, "f", 0},
    {"FirstOrderNonLinearDS", "Jacobianfx jacobianfx jacobianXF JacobianXF computeJacobianX", 0,
     "jacobianfx", 1},
    {FIRST_ORDER, "u", 0, "u", 0},
    {FIRST_ORDER, "T B E", 0, "T", 1},
    {0},
};

#define H_KINDS "LagrangianScleronomousR LagrangianRheonomousR LagrangianCompliantR"
#define H_LISTS "G jacobianH JacobianH"

const ns_legacy_slot ns_legacy_relation_slots[] = {
    {"LagrangianLinearTIR", "H C", 0, "H", 1},
    {"LagrangianLinearTIR", "b e", 0, "e", 0},
    {"LagrangianLinearTIR", "F", 0, "F", 1},
    {"LagrangianLinearTIR", "D", 0, "D", 1},
    {H_KINDS, "h computeOutput", 0, "h", 0},
    {H_KINDS, H_LISTS " Jacobianhq", 1, "H", 1},
    {"LagrangianScleronomousR", "JacobianDothq JacobianDotHq", 0, "HDot", 1},
    {"LagrangianRheonomousR", "hDot JacobianDoth", 0, "hDot", 0},
    {"LagrangianRheonomousR", H_LISTS, 2, "hDot", 0},
    {"LagrangianCompliantR", "Jacobianhlambda", 0, "D", 1},
    {"LagrangianCompliantR", H_LISTS, 2, "D", 1},
    {"FirstOrderLinearTIR FirstOrderLinearR", "C", 0, "C", 1},
    {"FirstOrderLinearTIR FirstOrderLinearR", "B E", 0, "B", 1},
    {"FirstOrderLinearTIR FirstOrderLinearR", "D", 0, "D", 1},
    {"FirstOrderLinearTIR FirstOrderLinearR", "F", 0, "F", 1},
    {"FirstOrderLinearTIR FirstOrderLinearR", "e", 0, "e", 0},
    {"FirstOrderLinearTIR FirstOrderLinearR", "a", 0, "a", 0},
    {"FirstOrderNonLinearR FirstOrderType1R", "h computeOutput", 0, "h", 0},
    {"FirstOrderNonLinearR FirstOrderType1R", "g computeInput", 0, "g", 0},
    {"FirstOrderNonLinearR FirstOrderType1R", "jacobianH JacobianH Jacobianhx", 1, "jachx", 1},
    {"FirstOrderNonLinearR", "jacobianH JacobianH", 2, "jachlambda", 1},
    {"FirstOrderNonLinearR", "Jacobianhlambda", 0, "jachlambda", 1},
    {"FirstOrderNonLinearR", "Jacobiangx", 0, "jacgx", 1},
    {"FirstOrderNonLinearR FirstOrderType1R", "jacobianG JacobianG Jacobianglambda", 1,
     "jacglambda", 1},
    {0},
};

const ns_legacy_slot ns_legacy_law_slots[] = {
    {"NewtonImpactNSL", "e", 0, "e", 0},
    {"NewtonImpactFrictionNSL", "en", 0, "en", 0},
    {"NewtonImpactFrictionNSL", "et", 0, "et", 0},
    {"NewtonImpactFrictionNSL", "mu", 0, "mu", 0},
    {"RelayNSL", "lb d", 0, "lb", 0},
    {"RelayNSL", "ub c", 0, "ub", 0},
    {0},
};

/* Words, then why they are left out. */
const char *const ns_legacy_ignored[] = {
    "StepsInMemory",
    "a history that has no effect",
    "n ndof uSize",
    "a size that follows from the values",
    "x xDot q Velocity R r Status y lambda xMemory xDotMemory qMemory VelocityMemory "
    "velocityMemory rMemory RMemory yMemory lambdaMemory Memory",
    "a saved state that has no effect",
    "W Interactions_Concerned Interaction_Concerned",
    "computed again",
    "BoundaryCondition",
    "a boundary condition without a boundary value problem",
    "DSInputOutput_Definition EqualityConstraint_Definition",
    "was never computed",
    "hMin hMax",
    "bounds that have no effect",
    NULL,
};

const char *const ns_legacy_known =
    "Id number Name size nInter DS_Concerned Interaction_Content Relation NS_Law";

int ns_legacy_has(const char *list, const char *word)
{
  size_t n = strlen(word);
  for (const char *p = list; n && (p = strstr(p, word)); p += n)
    if ((p == list || p[-1] == ' ') && (p[n] == ' ' || !p[n])) return 1;
  return 0;
}

const ns_legacy_word *ns_legacy_find(const ns_legacy_word *list, const char *old)
{
  for (; list->old; list++)
    if (ns_legacy_has(list->old, old)) return list;
  return NULL;
}
