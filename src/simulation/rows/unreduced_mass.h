/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unreduced_mass.h -- W = M + a C + a^2 K of linear systems, a = h theta, entry by entry. */
#ifndef NS_SIMULATION_ROWS_UNREDUCED_MASS_H
#define NS_SIMULATION_ROWS_UNREDUCED_MASS_H

#include "model/model.h"

static inline double ns_unreduced_mass(const ns_system *s, double a, int i, int j)
{
  double w = s->mass.how ? ns_operator_entry(&s->mass, i, j) : i == j;
  if (s->damping.how) w += a * ns_operator_entry(&s->damping, i, j);
  if (s->stiffness.how) w += a * a * ns_operator_entry(&s->stiffness, i, j);
  return w;
}

/* A zero of M, C and K, whatever a; never on the diagonal. */
static inline int ns_unreduced_zero(const ns_system *s, int i, int j)
{
  return i != j && (!s->mass.how || ns_operator_entry(&s->mass, i, j) == 0) &&
         (!s->damping.how || ns_operator_entry(&s->damping, i, j) == 0) &&
         (!s->stiffness.how || ns_operator_entry(&s->stiffness, i, j) == 0);
}

static inline size_t ns_unreduced_entries(const ns_system *s)
{
  size_t n = 0;
  for (int j = 0; j < s->n; j++)
    for (int i = 0; i < s->n; i++) n += !ns_unreduced_zero(s, i, j);
  return n;
}

#endif
