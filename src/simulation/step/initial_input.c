/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/initial_input.h"

#include "simulation/rows/step_problem.h"

#include <math.h>
#include <string.h>

/* Rows without dynamics: D alone. */
typedef struct static_rows {
  ns_couplings *k;
  ns_step_problem p;
} static_rows;

/* Matrix and q at fixed x: y = h + D (lambda+ - lambda). Rows without D have 1 on the diagonal and
 * nothing else. */
static void fill(static_rows *o, const ns_state *x, const double *lambda)
{
  const ns_couplings *k = o->k;
  ns_blocks *A = &o->p.delassus.A;
  double *q = o->p.b;
  ns_couplings_output(k, x->q, lambda, q);
  for (int r = 0; r < k->nrows; r++) {
    double max = 0, d = 0;
    for (int e = k->D.ptr[r]; e < k->D.ptr[r + 1]; e++) {
      max = fmax(max, fabs(k->D.val[e]));
      d += k->D.val[e] * lambda[k->D.dof[e]];
    }
    q[r] = max > 0 ? q[r] - d : 0;
    ns_delassus_row(&o->p.delassus, r, 0, NULL);
    for (int b = A->row[r]; b < A->row[r + 1] && max == 0; b++)
      if (A->col[b] == r) A->val[b] = 1;
  }
}

static int pass(static_rows *o, ns_ctx *c, const ns_relation_point *at, const ns_state *x,
                ns_outcome *out)
{
  int changed = 0, rc = ns_couplings_values(o->k, c, at);
  if (!rc) rc = ns_couplings_tangents(o->k, c, at, 1, &changed);
  if (rc) return rc;
  fill(o, x, at->lambda);
  ns_row_problem_gather(&o->p.p, NULL);
  memcpy(o->p.z, at->lambda, (size_t)o->k->nrows * sizeof *o->p.z);
  return ns_step_problem_solve(&o->p, c, x, NULL, out);
}

static int iterate(static_rows *o, ns_ctx *c, const ns_relation_point *at, const ns_state *x,
                   double *lambda)
{
  const ns_time_stepping_options *opt = &o->k->m->sim.ts;
  ns_outcome out = {.kind = NS_SOLVED};
  for (int it = 0; it < opt->newton_max; it++) {
    int rc = pass(o, c, at, x, &out);
    if (rc) return rc;
    if (out.kind != NS_SOLVED) break;
    double moved = 0, size = 0;
    for (int r = 0; r < o->k->nrows; r++) {
      moved = fmax(moved, fabs(o->p.z[r] - lambda[r]));
      size = fmax(size, fabs(o->p.z[r]));
      lambda[r] = o->p.z[r];
    }
    if (o->k->linear || moved <= opt->newton_atol + opt->newton_rtol * size) return NS_OK;
  }
  memset(lambda, 0, (size_t)o->k->nrows * sizeof *lambda);
  ns_warn(c,
          "the laws at t0 have no solution that was found (%s): the input before the first step is "
          "set to 0",
          out.kind == NS_SOLVED ? "Newton's method did not converge" : ns_outcome_text(out.kind));
  return NS_OK;
}

int ns_initial_input(ns_ctx *c, ns_couplings *k, const ns_state *x, double *lambda)
{
  static_rows o = {.k = k};
  ns_relation_point at = {
      .t = *x->t, .x = x->q, .z = x->z, .lambda = lambda, .others = {x->q, x->v, x->z, x->angle}};
  int rc = ns_step_problem_relations(&o.p, c, k, NULL, 0);
  if (!rc) rc = iterate(&o, c, &at, x, lambda);
  ns_step_problem_fini(&o.p);
  return rc;
}
