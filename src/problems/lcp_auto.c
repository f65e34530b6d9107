/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/lcp_work.h"

#include <math.h>

typedef struct automatic {
  ns_lcp_work *work;
  ns_lemke *lemke;
} automatic;

static void destroy(void *self)
{
  automatic *s = self;
  if (s) ns_lcp_work_destroy(s->work);
}

static int create(ns_ctx *c, const ns_lcp_capacity *cap, const ns_lcp_options *opt, void **self)
{
  *self = NULL;
  ns_lcp_work *k = NULL;
  automatic *s = NULL;
  int rc = ns_lcp_work_create(c, cap, opt, &k);
  if (rc) return rc;
  if ((rc = ns_lcp_work_get(k, c, 1, sizeof *s, &s)) || (rc = ns_lemke_create(k, c, &s->lemke))) {
    ns_lcp_work_destroy(k);
    return rc;
  }
  s->work = k;
  *self = s;
  return NS_OK;
}

static int solve(void *self, ns_ctx *c, const ns_lcp *p, const int *row, double *z, double *w, ns_outcome *out)
{
  automatic *s = self;
  ns_lcp_work *k = s->work;
  int rc = ns_lcp_work_fits(k, c, p), iterations = 0;
  if (rc) return rc;
  double residual = INFINITY;
  ns_lcp_support(p->n, z, k->in);
  if (!ns_lcp_direct(k, p, row, k->in, 0, p->q, k->z)) {
    residual = ns_lcp_residual(p, k->z, w);
    if (ns_lcp_accept_direct(k, p, row, w, &residual)) {
      ns_lcp_solved(k, p, z, residual, 1, "support", out);
      return NS_OK;
    }
  }
  ns_outcome_kind kind = p->n > k->ndense     ? NS_LIMIT
                         : !ns_lcp_finite(p) ? NS_NOT_FINITE
                                             : ns_lemke_run(s->lemke, k, p, &iterations);
  if (kind == NS_SOLVED && ns_lcp_accept(k, p, row, w, &residual))
    ns_lcp_solved(k, p, z, residual, iterations, "lemke", out);
  else
    ns_lcp_failed(p, z, w, kind == NS_SOLVED ? NS_SINGULAR : kind, iterations, "auto", out);
  return NS_OK;
}

const ns_lcp_solver_ops ns_lcp_auto = {
    .size = sizeof(ns_lcp_solver_ops),
    .name = "auto",
    .help = "support of the guess, then what fits the size and structure",
    .create = create,
    .solve = solve,
    .destroy = destroy,
};
