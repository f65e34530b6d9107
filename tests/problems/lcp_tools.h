/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lcp_tools.h -- random problems, an oracle and a caller for the LCP tests. */
#ifndef NS_TESTS_LCP_TOOLS_H
#define NS_TESTS_LCP_TOOLS_H

#include "problems/lcp.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t lcp_state = 1;
static inline double uniform(void) /* [-1, 1) */
{
  lcp_state = lcp_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)(lcp_state >> 11) / 4503599627370496.0 - 1;
}

static inline ns_lcp dense_lcp(int n, const double *M, const double *q)
{
  return (ns_lcp){.n = n, .dense = M, .ld = n, .q = q};
}

/* One solve with a new object; z in: guess. */
static inline ns_outcome solve_once(const char *solver, const ns_lcp *p, int symmetric, double *z, double *w)
{
  ns_ctx c = {0};
  const ns_lcp_solver_ops *ops = ns_lcp_solver_find(solver);
  ck_assert_ptr_nonnull(ops);
  ns_lcp_capacity cap = {.n = p->n, .nnz = (size_t)p->n * (size_t)p->n, .structure = p->blocks, .symmetric = symmetric};
  void *self = NULL;
  ns_outcome out = {.kind = NS_LIMIT, .residual = INFINITY};
  int rc = ops->create(&c, &cap, NULL, &self);
  ck_assert_msg(rc == NS_OK, "%s: %s", solver, c.msg);
  rc = ops->solve(self, &c, p, NULL, z, w, &out);
  ck_assert_msg(rc == NS_OK, "%s: %s", solver, c.msg);
  ops->destroy(self);
  return out;
}

/* Natural residual written out anew, in long double: the oracle of ns_lcp_residual. */
static inline double oracle_residual(int n, const double *M, const double *q, const double *z)
{
  long double worst = 0, qmax = 0;
  for (int i = 0; i < n; i++) {
    long double w = q[i], s = 0;
    for (int j = 0; j < n; j++) {
      w += (long double)M[i + j * n] * z[j];
      s = fmaxl(s, fabsl(M[i + j * n]));
    }
    if (s == 0) s = 1;
    worst = fmaxl(worst, fabsl(fminl(z[i], w / s)));
    qmax = fmaxl(qmax, fabsl(q[i] / s));
  }
  return (double)(worst / (1 + qmax));
}

#endif
