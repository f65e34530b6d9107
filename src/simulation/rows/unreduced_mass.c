/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/unreduced_mass.h"

#include "model/systems/lagrangian.h"
#include "simulation/rows/rows.h"

int ns_unreduced_mass_create(ns_arena *mem, const ns_model *m, ns_blocks *W)
{
  size_t entries = 0;
  int at = 0;
  for (int k = 0; k < m->nsystems; k++) entries += ns_lagrangian_entries(&m->systems[k]);
  if (entries > NS_ROWS_PAIRS || ns_blocks_scalar(mem, (int)m->nv, entries, W)) return NS_NOMEM;
  for (int k = 0; k < m->nsystems; k++) {
    const ns_system *s = &m->systems[k];
    for (int i = 0; i < s->n; i++) {
      for (int j = 0; j < s->n; j++)
        if (ns_lagrangian_couples(s, i, j)) W->col[at++] = (int)s->q + j;
      W->row[s->q + (size_t)i + 1] = at;
    }
  }
  return NS_OK;
}

void ns_unreduced_mass_fill(const ns_model *m, double h, ns_blocks *W)
{
  double a = h * m->sim.mj.theta;
  for (int k = 0; k < m->nsystems; k++) {
    const ns_system *s = &m->systems[k];
    for (int i = 0; i < s->n; i++)
      for (int d = (int)s->q + i, e = W->row[d]; e < W->row[d + 1]; e++)
        W->val[e] = ns_lagrangian_entry(s, a, a * a, i, W->col[e] - (int)s->q);
  }
}
