/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rolling.c -- Newton's impact law with Coulomb friction and rolling friction. */
#include "model/laws/laws.h"

#include "model/check/check_parts.h"

static const char *refuses(const ns_relation_kind *relation)
{
  const char *why = ns_law_refuses_impact(relation);
  if (why || relation->flags & NS_REL_RIGID) return why;
  return "acts on relative angular velocities too, which <%s> does not have, expected it with "
         "<NewtonEuler5DR> of rigid bodies";
}

static void check(const ns_nonsmooth_law *l, int m, const ns_place *at, ns_ctx *c)
{
  ns_law_check_friction(l, at, c);
  if (!(l->mu_rolling >= 0 && isfinite(l->mu_rolling)))
    ns_check_bad(
        c, at,
        "the coefficient of rolling friction muRolling is %g m, expected a finite length >= 0",
        l->mu_rolling);
  if (!ns_law_takes_rows(l->ops, m))
    ns_check_bad(
        c, at,
        "rolling friction acts on a relation whose number of rows is %g, expected 3 in the plane "
        "or 5: the gap, directions of slip, and as many directions of relative rolling",
        m);
}
static const ns_law_number numbers[] = {
    NS_LAW_FRICTION_NUMBERS,
    {"muRolling", "mu_rolling", "m", 0, offsetof(ns_nonsmooth_law, mu_rolling)},
    {0}};

const ns_law_ops ns_law_rolling_friction = {
    .name = "NewtonImpactRollingFrictionNSL",
    .help = "the same and rolling friction, 3 rows in the plane or 5",
    .set = NS_SET_ROLLING,
    .impact = 1,
    .fits = NS_FIT_ROLLING,
    .stands = NS_IN_ROLLING,
    .numbers = numbers,
    .restitution = ns_law_newton,
    .refuses = refuses,
    .check = check};
