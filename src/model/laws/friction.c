/* SPDX-License-Identifier: GPL-3.0-or-later */
/* friction.c -- Newton's impact law with Coulomb friction, alone and on the mean of the slip.
 *
 * The law of Fremond has friction act on (1 - theta) U_T,k + theta U_T. Cones know no scale, so it
 * is Newton's with e_t = (1 - theta)/theta (Acary & Collins-Craft 2023). */
#include "model/laws/laws.h"

#include "model/check/check_parts.h"

double ns_law_newton(const ns_nonsmooth_law *l, int r, int slip, double theta)
{
  (void)theta;
  if (r == 0) return l->e;
  return r <= slip ? l->et : 0;
}

static double fremond(const ns_nonsmooth_law *l, int r, int slip, double theta)
{
  if (r == 0) return l->e;
  return r <= slip && theta > 0 ? (1 - theta) / theta : 0;
}

void ns_law_check_friction(const ns_nonsmooth_law *l, const ns_place *at, ns_ctx *c)
{
  ns_law_check_fraction(
      at, c, "the coefficient of restitution en is %g, expected a number in [0, 1]", l->e);
  ns_law_check_fraction(
      at, c, "the coefficient of restitution et is %g, expected a number in [0, 1]", l->et);
  if (!(l->mu >= 0 && isfinite(l->mu)))
    ns_check_bad(c, at, "the coefficient of friction mu is %g, expected a finite number >= 0",
                 l->mu);
}

void ns_law_check_cone(const ns_nonsmooth_law *l, int m, const ns_place *at, ns_ctx *c)
{
  ns_law_check_friction(l, at, c);
  if (l->ops->mean_slip && l->et > 0)
    ns_check_bad(c, at,
                 "et is %g with the law of Fremond, expected 0: it acts on the mean velocity; use "
                 "<NewtonImpactFrictionNSL>",
                 l->et);
  if (!ns_law_takes_rows(l->ops, m))
    ns_check_bad(c, at,
                 "friction acts on a relation whose number of rows is %g, expected 2 or 3: the gap "
                 "and one or two directions of slip",
                 m);
}

static const ns_law_number numbers[] = {NS_LAW_FRICTION_NUMBERS, {0}};

const ns_law_ops ns_law_newton_friction = {
    .name = "NewtonImpactFrictionNSL",
    .help = "Newton's impact law and Coulomb friction in 2 or 3 rows, the normal first",
    .set = NS_SET_CONE,
    .impact = 1,
    .fits = NS_FIT_SLIP,
    .stands = NS_IN_FRICTION | NS_IN_ROLLING,
    .numbers = numbers,
    .restitution = ns_law_newton,
    .refuses = ns_law_refuses_impact,
    .check = ns_law_check_cone};

const ns_law_ops ns_law_fremond_friction = {.name = "FremondImpactFrictionNSL",
                                            .help = "the same on the mean velocity of the step",
                                            .set = NS_SET_CONE,
                                            .impact = 1,
                                            .mean_slip = 1,
                                            .fits = NS_FIT_SLIP,
                                            .stands = NS_IN_FRICTION | NS_IN_ROLLING,
                                            .numbers = numbers,
                                            .restitution = fremond,
                                            .refuses = ns_law_refuses_impact,
                                            .check = ns_law_check_cone};
