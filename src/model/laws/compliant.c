/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compliant.c -- shapes that give way where they touch: a spring and a damper along the normal, a
 * spring that slips across it.
 *
 *   f_N = max(0, K d^eta + C d^(eta-1) d')                  d: overlap, d' its rate
 *   f_T = -(Kt d^(eta-1) s + Ct d^(eta-1) s'),  |f_T| <= mu f_N
 *
 * eta = 1: a linear spring and dashpot; eta = 3/2: spheres of Hertz (1882) with K = (4/3) E*
 * R*^(1/2), the damping that of viscoelastic spheres (Kuwabara & Kono 1987; Brilliantov, Spahn,
 * Hertzsch & Poeschel 1996), Kt as of Mindlin (1949). s is the elongation of the tangential spring
 * of Cundall & Strack (1979): it follows the slip, and stops where friction is at its bound. It is
 * the memory of the law; how steps use it: simulation/rows/rigid_contacts_memory.c. */
#include "model/laws/laws.h"

#include "model/check/check_parts.h"

static const char *refuses(const ns_relation_kind *relation)
{
  (void)relation;
  return "needs the overlap of shapes, which <%s> does not have, expected it in <contacts>; a "
         "compliant row is a <LagrangianCompliantR> with <ComplementarityConditionNSL/>";
}

static void check_positive(double x, const char *fmt, const ns_place *at, ns_ctx *c)
{
  if (!(x >= 0 && isfinite(x))) ns_check_bad(c, at, fmt, x);
}

static void check(const ns_nonsmooth_law *l, int m, const ns_place *at, ns_ctx *c)
{
  (void)m;
  if (!(l->stiffness > 0 && isfinite(l->stiffness)))
    ns_check_bad(c, at, "the stiffness K is %g N/m^eta, expected a finite number > 0",
                 l->stiffness);
  if (!(l->exponent >= 1 && isfinite(l->exponent)))
    ns_check_bad(c, at, "the exponent eta is %g, expected a finite number >= 1", l->exponent);
  check_positive(l->damping, "the damping C is %g, expected a finite number >= 0", at, c);
  check_positive(l->slip_stiffness, "the stiffness Kt is %g, expected a finite number >= 0", at, c);
  check_positive(l->slip_damping, "the damping Ct is %g, expected a finite number >= 0", at, c);
  check_positive(l->mu, "the coefficient of friction mu is %g, expected a finite number >= 0", at,
                 c);
}

static const ns_law_number numbers[] = {
    {"K", "K", "N/m^eta", 1, offsetof(ns_nonsmooth_law, stiffness)},
    {"eta", "eta", NULL, 1, offsetof(ns_nonsmooth_law, exponent)},
    {"C", "C", "N s/m^eta", 0, offsetof(ns_nonsmooth_law, damping)},
    {"Kt", "Kt", "N/m^eta", 0, offsetof(ns_nonsmooth_law, slip_stiffness)},
    {"Ct", "Ct", "N s/m^eta", 0, offsetof(ns_nonsmooth_law, slip_damping)},
    {"mu", "mu", NULL, 0, offsetof(ns_nonsmooth_law, mu)},
    {0}};

const ns_law_ops ns_law_compliant_friction = {
    .name = "CompliantFrictionNSL",
    .help = "compliant contact: a spring and a damper, linear or of Hertz, and a tangential spring "
            "that slips",
    .set = NS_SET_CONE,
    .impact = 1,
    .compliant = 1,
    .stands = NS_IN_FRICTION | NS_IN_ROLLING,
    .numbers = numbers,
    .refuses = refuses,
    .check = check};
