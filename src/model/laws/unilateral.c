/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unilateral.c -- Newton's impact law, row by row. */
#include "model/laws/laws.h"

#include "model/check/check_parts.h"

const char *ns_law_refuses_impact(const ns_relation_kind *relation)
{
  if (relation->flags & NS_REL_FIRST_ORDER)
    return "is a law of mechanical contacts, expected a law of first-order systems with <%s>; for "
           "y >= 0 use <ComplementarityConditionNSL/>";
  if (relation->flags & NS_REL_COMPLIANT)
    return "is a law of impacts, expected <ComplementarityConditionNSL/> with <%s>, whose contact "
           "is compliant";
  return NULL;
}

void ns_law_check_fraction(const ns_place *at, ns_ctx *c, const char *fmt, double e)
{
  if (!(e >= 0 && e <= 1)) ns_check_bad(c, at, fmt, e);
}

void ns_law_check_impact(const ns_nonsmooth_law *l, int m, const ns_place *at, ns_ctx *c)
{
  (void)m;
  ns_law_check_fraction(at, c, "the coefficient of restitution is %g, expected a number in [0, 1]",
                        l->e);
}

double ns_law_newton_rows(const ns_nonsmooth_law *l, int r, int slip, double theta)
{
  (void)r;
  (void)slip;
  (void)theta;
  return l->e;
}

static const ns_law_number numbers[] = {{"e", "e", NULL, 0, offsetof(ns_nonsmooth_law, e)}, {0}};

const ns_law_ops ns_law_newton_impact = {
    .name = "NewtonImpactNSL",
    .help = "0 <= ydot+ + e ydot- _|_ lambda >= 0 while in contact, 0 <= e <= 1",
    .set = NS_SET_ROWS,
    .impact = 1,
    .fits = NS_FIT_STOP,
    .stands = NS_IN_LCP | NS_IN_MLCP | NS_IN_RELAY | NS_IN_FRICTION | NS_IN_ROLLING,
    .numbers = numbers,
    .restitution = ns_law_newton_rows,
    .refuses = ns_law_refuses_impact,
    .check = ns_law_check_impact};
