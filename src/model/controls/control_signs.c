/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/controls/control_signs.h"

#include <math.h>

int ns_signs_init(ns_signs *o, ns_ctx *c, ns_arena *a, int n)
{
  size_t l = (size_t)n, d = sizeof(double);
  *o = (ns_signs){.n = n};
  const ns_array want[] = {{&o->M, l * l, d}, {&o->q, l, d},      {&o->lb, l, d},
                           {&o->ub, l, d},    {&o->lambda, l, d}, {&o->w, l, d}};
  if (!ns_arena_arrays(a, want, sizeof want / sizeof *want)) return NS_OK;
  return ns_nomem(c, "a control with relays");
}

int ns_signs_solver(ns_signs *o, ns_ctx *c, const ns_control *k)
{
  const ns_avi_capacity cap = {
      .n = o->n, .nnz = (size_t)o->n * (size_t)o->n, .lb = o->lb, .ub = o->ub};
  ns_lcp_options opt = ns_lcp_defaults();
  opt.tol = 1e-14; /* a few relays: w is zero to rounding, not to a tolerance */
  if (!(o->ops = ns_avi_solver_find("auto")))
    return ns_control_fail(k, c, "there is no solver for relays, expected \"auto\"");
  return o->ops->create(c, &cap, &opt, &o->solver);
}

int ns_signs_solve(ns_signs *o, ns_ctx *c, const ns_control *k, double t, const char *needed)
{
  const ns_avi avi = {
      .n = o->n, .dense = o->M, .ld = o->n, .q = o->q, .lb = o->lb, .ub = o->ub, .stamp = 1};
  ns_outcome out;
  /* not the last solution: a restarted run would have another guess */
  for (int i = 0; i < o->n; i++) o->lambda[i] = fmin(fmax(0, o->lb[i]), o->ub[i]);
  int rc = o->ops->solve(o->solver, c, &avi, NULL, o->lambda, o->w, &out);
  if (rc || out.kind == NS_SOLVED) return rc;
  return ns_fail_at(
      c, NS_NUMERIC, &k->at,
      "its problem of %d relay%s at t = %.10g s was not solved: %s (%s, residual %.3g); %s", o->n,
      o->n == 1 ? "" : "s", t, ns_outcome_text(out.kind), out.solver, out.residual, needed);
}

void ns_signs_fini(ns_signs *o)
{
  if (o->solver) o->ops->destroy(o->solver);
  o->solver = NULL;
}
