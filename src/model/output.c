/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/output.h"

#include "model/lagrangian.h"

#include <string.h>

void ns_interaction_output(const ns_model *m, const ns_interaction *it, const double *q,
                           const double *v, const double *z, double *y, double *ydot)
{
  double *yi = y + it->row, *ui = ydot + it->row;
  int col = 0, zcol = 0;
  for (int r = 0; r < it->m; r++) {
    yi[r] = it->e ? it->e[r] : 0;
    ui[r] = 0;
  }
  for (int k = 0; k < it->nsystems; k++) {
    const ns_system *s = &m->systems[it->systems[k]];
    const double *H = it->H + (size_t)col * (size_t)it->m;
    ns_gemv_add(1, H, it->m, s->n, q + s->q, yi);
    ns_gemv_add(1, H, it->m, s->n, v + s->q, ui);
    if (it->F)
      ns_gemv_add(1, it->F + (size_t)zcol * (size_t)it->m, it->m, s->nz, z + s->z, yi);
    col += s->n;
    zcol += s->nz;
  }
}
