/* SPDX-License-Identifier: GPL-3.0-or-later */
/* box.c -- laws whose multipliers have bounds row by row: complementarity, equalities, relays. */
#include "model/laws/laws.h"

#include "model/check/check_parts.h"

static const char *refuses_rigid(const ns_relation_kind *relation)
{
  if (relation->flags & (NS_REL_FIRST_ORDER | NS_REL_COMPLIANT)) return NULL;
  return "is a law of compliant contacts, expected a law of rigid contacts with <%s>: "
         "<NewtonImpactNSL e=\"0\"/>";
}

void ns_law_check_bounds(const ns_nonsmooth_law *l, int m, const ns_place *at, ns_ctx *c)
{
  for (int r = 0; r < m; r++) {
    double lb = l->lb[r], ub = l->ub[r];
    if (lb <= ub && lb < INFINITY && ub > -INFINITY) continue;
    ns_fail_at(c, NS_MODEL, at,
               "the bounds of lambda[%d] are [%g, %g], expected lb <= ub, lb below inf and ub "
               "above -inf; swap or correct them",
               r, lb, ub);
  }
}

const ns_law_ops ns_law_complementarity = {.name = "ComplementarityConditionNSL",
                                           .help = "0 <= y _|_ lambda >= 0",
                                           .set = NS_SET_ROWS,
                                           .form = NS_FORM_BOUNDS,
                                           .stands = NS_IN_LCP | NS_IN_MLCP | NS_IN_RELAY,
                                           .ub = INFINITY,
                                           .refuses = refuses_rigid,
                                           .check = ns_law_check_bounds};

const ns_law_ops ns_law_mixed = {
    .name = "MixedComplementarityConditionNSL",
    .help = "y = 0 in the first rows, 0 <= y _|_ lambda >= 0 in the others",
    .set = NS_SET_ROWS,
    .form = NS_FORM_BOUNDS,
    .stands = NS_IN_MLCP | NS_IN_RELAY,
    .ub = INFINITY,
    .refuses = refuses_rigid,
    .check = ns_law_check_bounds};

const ns_law_ops ns_law_equality = {.name = "EqualityConditionNSL",
                                    .help = "y = 0, lambda free",
                                    .set = NS_SET_ROWS,
                                    .form = NS_FORM_BOUNDS,
                                    .fits = NS_FIT_CONSTRAINT,
                                    .stands = NS_IN_MLCP | NS_IN_RELAY,
                                    .lb = -INFINITY,
                                    .ub = INFINITY,
                                    .check = ns_law_check_bounds};

const ns_law_ops ns_law_relay = {
    .name = "RelayNSL",
    .help = "y > 0: lambda = lb, y < 0: lambda = ub, y = 0: lambda in [lb, ub]",
    .set = NS_SET_ROWS,
    .form = NS_FORM_BOUNDS,
    .fits = NS_FIT_TORQUE,
    .stands = NS_IN_RELAY,
    .lb = -1,
    .ub = 1,
    .check = ns_law_check_bounds};

const ns_law_ops *ns_law_mixes(int equalities, int m)
{
  if (equalities == 0) return &ns_law_complementarity;
  return equalities == m ? &ns_law_equality : &ns_law_mixed;
}

const ns_law_ops *ns_law_between_bounds(void) { return &ns_law_relay; }
