/* SPDX-License-Identifier: GPL-3.0-or-later */
/* laws.h -- private to the laws: their tables and common functions. */
#ifndef NS_MODEL_LAWS_LAWS_H
#define NS_MODEL_LAWS_LAWS_H

#include "model/laws/law.h"

extern const ns_law_ops ns_law_newton_impact, ns_law_newton_friction, ns_law_rolling_friction,
    ns_law_fremond_friction, ns_law_multiple_impact, ns_law_complementarity, ns_law_mixed,
    ns_law_equality, ns_law_relay, ns_law_normal_cone, ns_law_piecewise, ns_law_cohesive_friction,
    ns_law_compliant_friction, ns_law_plugged;
/* NormalConeNSL with the multipliers of its faces as further rows (law_rows.h). */
extern const ns_law_ops ns_law_normal_cone_rows;

/* Numbers of friction: en, et, mu. */
#define NS_LAW_FRICTION_NUMBERS \
  {"en", "en", NULL, 0, offsetof(ns_nonsmooth_law, e)}, {"et", "et", NULL, 0, \
    offsetof(ns_nonsmooth_law, et)}, \
      {"mu", "mu", NULL, 0, offsetof(ns_nonsmooth_law, mu)}

/* `refuses` of impact laws: not for first-order or compliant relations. */
const char *ns_law_refuses_impact(const struct ns_relation_kind *relation);
/* Check that a coefficient of restitution is in [0, 1]; fmt has one %g. */
void ns_law_check_fraction(const struct ns_place *at, ns_ctx *c, const char *fmt, double e);
void ns_law_check_impact(const ns_nonsmooth_law *l, int m, const struct ns_place *at, ns_ctx *c);
/* Restitution e, the same for each row. */
double ns_law_newton_rows(const ns_nonsmooth_law *l, int r, int slip, double theta);
/* Check en, et and mu. */
void ns_law_check_friction(const ns_nonsmooth_law *l, const struct ns_place *at, ns_ctx *c);
/* Also check that the number of rows is possible with friction. */
void ns_law_check_cone(const ns_nonsmooth_law *l, int m, const struct ns_place *at, ns_ctx *c);
/* Newton's law of the gap and of the slip. */
double ns_law_newton(const ns_nonsmooth_law *l, int r, int slip, double theta);
/* Check that lb <= ub, lb < inf and ub > -inf in each row. */
void ns_law_check_bounds(const ns_nonsmooth_law *l, int m, const struct ns_place *at, ns_ctx *c);

#endif
