/* SPDX-License-Identifier: GPL-3.0-or-later */
/* avi_tools.h -- an oracle and callers for the AVI tests. */
#ifndef NS_TESTS_AVI_TOOLS_H
#define NS_TESTS_AVI_TOOLS_H

#include "problems/avi_files.h"
#include "problems/lcp_tools.h"

/* ---- callers --------------------------------------------------------------------------------- */

/* Solver k of those that take dense problems, NULL beyond them: the sparse one stands last and has
 * tests of its own. */
static inline const ns_avi_solver_ops *avi_dense(int k)
{
  const ns_avi_solver_ops *s = ns_avi_solvers[k];
  return s && strcmp(s->name, "sparse-newton") ? s : NULL;
}

typedef struct avi_object {
  const ns_avi_solver_ops *ops;
  void *self;
} avi_object;

static inline avi_object avi_make(const char *solver, const ns_avi *p, int symmetric,
                                  const ns_lcp_options *opt)
{
  ns_ctx c = {0};
  avi_object o = {.ops = ns_avi_solver_find(solver)};
  ck_assert_msg(o.ops != NULL, "%s", solver);
  ns_avi_capacity cap = {.n = p->n,
                         .nnz = (size_t)p->n * (size_t)p->n,
                         .structure = p->blocks,
                         .lb = p->lb,
                         .ub = p->ub,
                         .symmetric = symmetric};
  int rc = o.ops->create(&c, &cap, opt, &o.self);
  ck_assert_msg(rc == NS_OK, "%s: %s", solver, c.msg);
  return o;
}

static inline ns_outcome avi_run(avi_object o, const ns_avi *p, double *z, double *w)
{
  ns_ctx c = {0};
  ns_outcome out = {.kind = NS_LIMIT, .residual = INFINITY};
  int rc = o.ops->solve(o.self, &c, p, NULL, z, w, &out);
  ck_assert_msg(rc == NS_OK, "%s: %s", o.ops->name, c.msg);
  return out;
}

/* One solve with a new object; z in: guess. */
static inline ns_outcome avi_once(const char *solver, const ns_avi *p, int symmetric, double *z,
                                  double *w)
{
  avi_object o = avi_make(solver, p, symmetric, NULL);
  ns_outcome out = avi_run(o, p, z, w);
  o.ops->destroy(o.self);
  return out;
}

/* Natural residual written out anew, in long double: the oracle of ns_avi_residual. What rounding
 * leaves of a row between two bounds counts for nothing. */
static inline double avi_oracle(const avi_data *d, const double *z)
{
  long double worst = 0, qmax = 0, max = 0, own = 0, between = 0;
  int n = d->n;
  for (int i = 0; i < n; i++) max = fmaxl(max, fabsl(d->q[i]));
  for (int i = 0; i < n; i++) {
    long double w = d->q[i], s = 0, terms = fabsl(d->q[i]) + 1e-8L * max;
    for (int j = 0; j < n; j++) {
      w += (long double)d->M[i + j * n] * z[j];
      terms += fabsl((long double)d->M[i + j * n] * z[j]);
      s = fmaxl(s, fabsl(d->M[i + j * n]));
    }
    if (s == 0) s = 1;
    long double to = z[i] - w / s;
    to = fminl(fmaxl(to, d->lb[i]), d->ub[i]);
    worst = fmaxl(worst, fabsl(z[i] - to));
    qmax = fmaxl(qmax, fabsl(d->q[i] / s));
    if (z[i] != to) own = fmaxl(own, fabsl(z[i] - to) / (fabsl(z[i]) + terms / s));
    long double Z = fmaxl(fabsl(d->lb[i]), fabsl(d->ub[i])), T = terms - 1e-8L * max;
    if (!(d->ub[i] - d->lb[i] < INFINITY) || !(T > 0)) continue;
    long double e = fabsl(z[i] - fminl(fmaxl(z[i] - Z / T * w, d->lb[i]), d->ub[i]));
    if (e > 64 * DBL_EPSILON * Z) between = fmaxl(between, e / Z);
  }
  return (double)fmaxl(fmaxl(worst / (1 + qmax), 1e-6L * own), between);
}

/* An answer is either within the tolerance and the bounds, with w = M z + q, or says that it is
 * none and leaves z. */
static inline void avi_check(const char *what, const avi_data *d, const double *guess,
                             const double *z, const double *w, const ns_outcome *out)
{
  int n = d->n;
  if (out->kind != NS_SOLVED) {
    ck_assert_msg(!memcmp(z, guess, (size_t)n * sizeof *z), "%s: unsolved, but z is not the guess",
                  what);
    return;
  }
  double r = avi_oracle(d, z);
  ck_assert_msg(r <= 1.01e-10, "%s: claims %g, has %g", what, out->residual, r);
  ck_assert_double_eq_tol(out->residual, r, 1e-12);
  for (int i = 0; i < n; i++) {
    double s = d->q[i], size = fabs(d->q[i]);
    for (int j = 0; j < n; j++) {
      s += d->M[i + j * n] * z[j];
      size += fabs(d->M[i + j * n] * z[j]);
    }
    ck_assert_double_ge(z[i], d->lb[i]);
    ck_assert_double_le(z[i], d->ub[i]);
    ck_assert_double_eq_tol(w[i], s, 2 * n * DBL_EPSILON * size + DBL_MIN);
  }
}

#endif
