/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cohesive.c -- Newton's impact law and Coulomb friction with a bond that breaks for good.
 *
 * While the bond is intact the contact bears a tension of up to sigma, 0 <= U_N _|_ r_N + h sigma
 * >= 0, and friction is that of r_N + h sigma: the cone of Coulomb, moved along its axis (cohesion
 * as an intensity of adhesion that is 1 or 0: Fremond 1987, Raous, Cangemi & Cocou 1999). Where it
 * carries sigma and can no more it is broken: beta, what the law keeps, goes from 1 to 0. */
#include "model/laws/laws.h"

#include "model/check/check_parts.h"

static void begin(const ns_nonsmooth_law *l, double gap, double *beta)
{
  static const double CLOSED = 1e-9; /* m */
  (void)l;
  *beta = gap <= CLOSED;
}

static double tension(const ns_nonsmooth_law *l, const double *beta) { return *beta * l->cohesion; }

static void keep(const ns_nonsmooth_law *l, double pressed, double *beta)
{
  (void)l;
  if (!(pressed > 0)) *beta = 0;
}

static void check(const ns_nonsmooth_law *l, int m, const ns_place *at, ns_ctx *c)
{
  ns_law_check_cone(l, m, at, c);
  if (!(l->cohesion >= 0 && isfinite(l->cohesion)))
    ns_check_bad(c, at, "the tension sigma is %g N, expected a finite force >= 0", l->cohesion);
}

static const ns_law_number numbers[] = {
    NS_LAW_FRICTION_NUMBERS, {"sigma", "sigma", "N", 0, offsetof(ns_nonsmooth_law, cohesion)}, {0}};

const ns_law_ops ns_law_cohesive_friction = {
    .name = "CohesiveFrictionNSL",
    .help = "Newton's impact law and Coulomb friction with a bond of tension sigma that breaks "
            "permanently",
    .set = NS_SET_CONE,
    .impact = 1,
    .fits = NS_FIT_SLIP,
    .stands = NS_IN_FRICTION | NS_IN_ROLLING,
    .numbers = numbers,
    .restitution = ns_law_newton,
    .refuses = ns_law_refuses_impact,
    .memory = 1,
    .begin = begin,
    .tension = tension,
    .keep = keep,
    .check = check};
