/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/output.h"

#include "model/first_order.h"

#include <string.h>

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

size_t ns_interaction_output_work(const ns_interaction *it)
{
  return (size_t)it->nQ + (size_t)it->nZ + ns_relation_work(it);
}

int ns_interaction_output_first_order(const ns_model *m, ns_ctx *c, const ns_interaction *it, double t, const double *x,
                                      const double *z, const double *lambda, double *work, double *y)
{
  double *X = work, *Z = X + it->nQ, *rest = Z + it->nZ;
  ns_point p = {.t = t,  .n = it->nQ, .q = X, .nz = it->nZ, .z = Z, .index = it->index, .m = it->m,
                .lambda = lambda + it->row};
  for (int k = 0; k < it->nsystems; k++) {
    const ns_system *s = &m->systems[it->systems[k]];
    memcpy(X, x + s->q, (size_t)s->n * sizeof *X);
    if (s->nz) memcpy(Z, z + s->z, (size_t)s->nz * sizeof *Z);
    X += s->n, Z += s->nz;
  }
  return ns_relation_eval(it, c, &p, rest, y + it->row, NULL);
}
