/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/difference.h"

#include <string.h>

int ns_difference_is_needed(const ns_operator *f, const ns_operator *df, ns_bank bank)
{
  return f->how == NS_OP_PLUGIN && df->how == NS_OP_ABSENT && ns_operator_uses(f, bank);
}

int ns_difference_of_operator(const void *of, ns_ctx *c, const ns_point *p, double *work,
                              double *out)
{
  return ns_operator_eval(of, c, p, work, out);
}

size_t ns_difference_work(int rows, int cols) { return 2 * (size_t)rows + (size_t)cols; }

int ns_difference_add(const ns_difference *d, ns_ctx *c, const ns_point *p, double *work, double *J)
{
  double *x = work, *up = x + d->cols, *down = up + d->rows, *rest = down + d->rows;
  ns_point at = *p;
  const double **moved = d->bank == NS_BANK_Q ? &at.q : d->bank == NS_BANK_V ? &at.v : &at.lambda;
  int rc = NS_OK;
  memcpy(x, *moved, (size_t)d->cols * sizeof *x);
  *moved = x;
  for (int j = 0; j < d->cols && !rc; j++, J += d->rows) {
    double xj = x[j], step = ns_difference_step(xj);
    x[j] = xj + step;
    double hi = x[j];
    rc = d->f(d->of, c, &at, rest, up);
    x[j] = xj - step;
    double width = hi - x[j]; /* as represented, not as asked for */
    if (!rc) rc = d->f(d->of, c, &at, rest, down);
    x[j] = xj;
    for (int i = 0; i < d->rows && !rc; i++) J[i] += (up[i] - down[i]) / width;
  }
  return rc;
}
