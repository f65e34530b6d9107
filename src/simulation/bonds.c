/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/bonds.h"

void ns_bonds_pull(const ns_model *m, const ns_state *x, double h, double *c)
{
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (it->law.ops->memory) c[it->row] = h * it->law.ops->tension(&it->law, x->bond + it->bond);
  }
}

/* What is carried beyond the tension c, less than this part of it, is rounding. */
static const double ROUNDING = 1e-12;

void ns_bonds_keep(const ns_model *m, ns_state *x, const double *c)
{
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    double pull = c[it->row], pressed = x->lambda[it->row] + pull;
    if (!(pull > 0)) continue;
    it->law.ops->keep(&it->law, pressed > ROUNDING * pull ? pressed : 0, x->bond + it->bond);
  }
}
