/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/initial_input.h"

#include <math.h>
#include <string.h>

/* q at fixed x: y = h + D (lambda+ - lambda). Rows without D have 1 on the diagonal and nothing
 * else. */
static void fill_q(ns_couplings *k, const ns_state *x, const double *lambda, double *q)
{
  ns_couplings_output(k, x->q, lambda, q);
  for (int r = 0; r < k->nrows; r++) {
    double most = 0, d = 0;
    for (int e = k->D.ptr[r]; e < k->D.ptr[r + 1]; e++) {
      most = fmax(most, fabs(k->D.val[e]));
      d += k->D.val[e] * lambda[k->D.dof[e]];
    }
    q[r] = most > 0 ? q[r] - d : 0;
  }
}

static int pass(ns_ctx *c, ns_couplings *k, ns_unreduced *u, ns_law_problem *p, const ns_state *x,
                double *lambda, ns_outcome *out)
{
  int changed = 0, head = p->rows.head;
  ns_relation_point at = {.t = *x->t, .x = x->q, .z = x->z, .lambda = lambda};
  int rc = ns_couplings_values(k, c, &at);
  if (!rc) rc = ns_couplings_tangents(k, c, &at, 1, &changed);
  if (rc) return rc;
  if (u) ns_unreduced_static(u);
  else ns_couplings_static(k);
  ns_row_problem_gather(&p->rows, NULL);
  fill_q(k, x, lambda, p->q + head);
  for (int i = 0; i < head; i++) {
    p->q[i] = -x->q[i];
    p->z[i] = x->q[i];
  }
  memcpy(p->z + head, lambda, (size_t)k->nrows * sizeof *lambda);
  return ns_law_problem_solve(p, c, out);
}

int ns_initial_input(ns_ctx *c, ns_couplings *k, ns_unreduced *u, ns_law_problem *p,
                     const ns_state *x, double *lambda)
{
  const ns_time_stepping_options *o = &k->m->sim.ts;
  ns_outcome out = {.kind = NS_SOLVED};
  for (int it = 0; it < o->newton_max; it++) {
    int rc = pass(c, k, u, p, x, lambda, &out);
    if (rc) return rc;
    if (out.kind != NS_SOLVED) break;
    double moved = 0, size = 0;
    for (int r = 0; r < k->nrows; r++) {
      moved = fmax(moved, fabs(p->z[p->rows.head + r] - lambda[r]));
      size = fmax(size, fabs(p->z[p->rows.head + r]));
      lambda[r] = p->z[p->rows.head + r];
    }
    if (k->linear || moved <= o->newton_atol + o->newton_rtol * size) return NS_OK;
  }
  memset(lambda, 0, (size_t)k->nrows * sizeof *lambda);
  ns_warn(c,
          "the laws at t0 have no solution that was found (%s): the input before the first step is "
          "set to 0",
          out.kind == NS_SOLVED ? "Newton's method did not converge" : ns_outcome_text(out.kind));
  return NS_OK;
}
