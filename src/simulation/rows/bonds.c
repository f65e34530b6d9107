/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/bonds.h"

void ns_bonds_pull(const ns_model *m, const ns_state *x, double h, double *c)
{
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (it->law.ops->memory) c[it->row] = h * it->law.ops->tension(&it->law, x->bond + it->bond);
  }
}

void ns_bond_keep(const ns_nonsmooth_law *law, double r, double u, double c, double mobility,
                  double *memory)
{
  static const double ROUNDING = 1e-12; /* of the tension: what is carried beyond it */
  static const double NOTHING = 1e-5;   /* of the velocity by the tension */
  double pressed = r + c, least = ROUNDING * c;
  int opens = u > NOTHING * c * mobility;
  if (pressed <= least) pressed = opens ? 0 : least;
  law->ops->keep(law, pressed, memory);
}

void ns_bonds_keep(const ns_model *m, ns_state *x, const double *c, ns_bond_mobility *mobility,
                   const void *of)
{
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    size_t r = it->row;
    if (!(c[r] > 0)) continue;
    ns_bond_keep(&it->law, x->lambda[r], x->ydot[r], c[r], mobility(of, it), x->bond + it->bond);
  }
}
