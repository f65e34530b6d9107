/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/output.h"

/* y += A x, A [m x n] by columns. */
static void add_product(const double *A, int m, int n, const double *x, double *y)
{
  for (int j = 0; j < n; j++, A += m)
    for (int i = 0; i < m; i++) y[i] += A[i] * x[j];
}

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
    add_product(H, it->m, s->n, q + s->q, yi);
    add_product(H, it->m, s->n, v + s->q, ui);
    if (it->F)
      add_product(it->F + (size_t)zcol * (size_t)it->m, it->m, s->nz, z + s->z, yi);
    col += s->n;
    zcol += s->nz;
  }
}
