/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/bonds.h"

void ns_bonds_pull(const ns_model *m, const ns_state *x, double h, double *c)
{
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (it->law.ops->memory) c[it->row] = h * it->law.ops->tension(&it->law, x->bond + it->bond);
  }
}

void ns_bond_keep(const ns_nonsmooth_law *law, double r, double c, double *memory)
{
  static const double ROUNDING = 1e-12; /* of the tension: what is carried beyond it */
  double pressed = r + c;
  law->ops->keep(law, pressed > ROUNDING * c ? pressed : 0, memory);
}

void ns_bonds_keep(const ns_model *m, ns_state *x, const double *c)
{
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (c[it->row] > 0) ns_bond_keep(&it->law, x->lambda[it->row], c[it->row], x->bond + it->bond);
  }
}
