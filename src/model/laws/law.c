/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law.c -- the laws there are, and what follows from their tables. */
#include "model/laws/laws.h"

#include "base/text.h"
#include "model/law_values.h"

#include <string.h>

const ns_law_ops *const ns_law_kinds[] = {&ns_law_newton_impact,
                                          &ns_law_newton_friction,
                                          &ns_law_rolling_friction,
                                          &ns_law_fremond_friction,
                                          &ns_law_cohesive_friction,
                                          &ns_law_compliant_friction,
                                          &ns_law_multiple_impact,
                                          &ns_law_complementarity,
                                          &ns_law_mixed,
                                          &ns_law_equality,
                                          &ns_law_relay,
                                          &ns_law_normal_cone,
                                          &ns_law_piecewise,
                                          &ns_law_plugged,
                                          NULL};

const ns_law_ops *ns_law_find(const char *name)
{
  return NS_NAMED_KIND(ns_law_ops, ns_law_kinds, name);
}

int ns_law_slip(const ns_law_ops *o, int m)
{
  if (!ns_law_has_cone(o)) return 0;
  return o->set == NS_SET_ROLLING ? (m - 1) / 2 : m - 1;
}

int ns_law_takes_rows(const ns_law_ops *o, int m)
{
  if (!ns_law_has_cone(o)) return 1;
  return m == 3 || m == (o->set == NS_SET_ROLLING ? 5 : 2);
}

int ns_law_shape_rows(const ns_nonsmooth_law *l, const ns_law_formula *formulas, int planar)
{
  int slip = planar ? 1 : 2, rubs = l->mu > 0, rolls = l->mu_rolling > 0;
  for (int k = l->formula; k < l->formula + l->nformulas; k++) {
    rubs |= formulas[k].at_number == offsetof(ns_nonsmooth_law, mu);
    rolls |= formulas[k].at_number == offsetof(ns_nonsmooth_law, mu_rolling);
  }
  if (!rubs) return 1;
  return rolls ? 1 + 2 * slip : 1 + slip;
}

int ns_law_is_equality(const ns_nonsmooth_law *l, int m)
{
  int r = 0;
  while (r < m && ns_law_is_free(l, r)) r++;
  return r == m;
}

ns_law_role ns_law_role_of(const ns_nonsmooth_law *l, int m)
{
  if (ns_law_is_unilateral(l->ops)) return NS_ROLE_UNILATERAL;
  if (l->ops->mean_slip || l->ops->memory || l->ops->compliant) return NS_ROLE_NONE;
  if (ns_law_has_cone(l->ops)) return NS_ROLE_FRICTION;
  if (ns_law_is_equality(l, m)) return NS_ROLE_BILATERAL;
  int r = 0;
  while (r < m && l->forces && !ns_law_is_free(l, r)) r++;
  return r == m ? NS_ROLE_RELAY : NS_ROLE_NONE;
}

int ns_law_same(const ns_nonsmooth_law *x, const ns_nonsmooth_law *y)
{
  if (x->ops != y->ops || x->nformulas != y->nformulas ||
      (x->nformulas && x->formula != y->formula))
    return 0;
  for (const ns_law_number *n = x->ops->numbers; n && n->attribute; n++)
    if (ns_law_get(x, n) != ns_law_get(y, n)) return 0;
  return 1;
}
