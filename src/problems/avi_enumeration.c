/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Enumeration of all states: 2 for a row with one bound, 3 for a row with two, 1 for a free or a fixed one; at most 2^20
 * together. Finds a solution whenever one is basic, whatever M is.
 *
 * First the state of the guess, then all in the order of their numbers (row 0 is the lowest digit), so the answer depends
 * on the problem and the guess alone. Each state is solved by elimination with complete pivoting; where it is singular but
 * consistent the unknowns beyond the rank are 0. */
#include "problems/avi_work.h"

#define FAR 1e3 /* times the tolerance: a candidate that is worth more work */

/* States of a row. */
static int choices(double lb, double ub)
{
  return lb == ub ? 1 : 1 + (lb > -INFINITY) + (ub < INFINITY);
}

double ns_avi_states(int n, const double *lb, const double *ub)
{
  double count = 1;
  for (int i = 0; i < n && count < 1e300; i++) count *= choices(lb[i], ub[i]);
  return count;
}

/* State number m into at. */
static void set_state(const ns_avi *p, long m, signed char *at)
{
  for (int i = 0; i < p->n; i++) {
    double lb = p->lb[i], ub = p->ub[i];
    int c = choices(lb, ub), digit = (int)(m % c);
    m /= c;
    if (lb == ub) at[i] = NS_AVI_LOWER;
    else if (digit == c - 1) at[i] = NS_AVI_FREE;
    else at[i] = digit == 0 && lb > -INFINITY ? NS_AVI_LOWER : NS_AVI_UPPER;
  }
}

/* k->z on the state k->at; 1 where it is near enough to a solution to be looked at. */
static int fits(ns_avi_work *k, const ns_avi *p, double *w)
{
  for (int i = 0; i < p->n; i++) k->z[i] = k->at[i] == NS_AVI_FREE ? 0 : k->at[i] < 0 ? p->lb[i] : p->ub[i];
  ns_avi_residual_kept(k, p, k->z, w);
  ns_avi_factor_rank(k, k->at);
  ns_avi_correct_rank(k, w, k->z);
  return ns_avi_residual_kept(k, p, k->z, w) <= FAR * k->opt.tol;
}

ns_outcome_kind ns_avi_enumeration_run(ns_avi_work *k, const ns_avi *p, const double *z, double *w, int *iterations,
                                       double *residual)
{
  double count = ns_avi_states(p->n, p->lb, p->ub);
  if (!(count <= NS_AVI_STATES_MAX)) return NS_LIMIT;
  for (long m = -1; m < (long)count; m++) {
    if (ns_solve_over(p->watch)) return NS_LIMIT;
    if (m >= 0) set_state(p, m, k->at);
    else
      for (int i = 0; i < p->n; i++) k->at[i] = ns_avi_state(z[i], p->lb[i], p->ub[i]);
    ++*iterations;
    if (fits(k, p, w) && ns_avi_accept(k, p, w, residual)) return NS_SOLVED;
  }
  return NS_EXHAUSTED;
}

/* ---- as a solver of its own ---- */

static ns_outcome_kind run(void *own, ns_avi_work *k, const ns_avi *p, const double *z, double *w, int *iterations, double *residual)
{
  (void)own;
  return ns_avi_finite(p) ? ns_avi_enumeration_run(k, p, z, w, iterations, residual) : NS_NOT_FINITE;
}

static const ns_avi_method method = {"enumeration", &ns_lcp_enumerate, NULL, run};

static int create(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, void **self)
{
  double count = cap->lb && cap->ub ? ns_avi_states(cap->n, cap->lb, cap->ub) : INFINITY;
  *self = NULL;
  if (!(count <= NS_AVI_STATES_MAX))
    return ns_fail(c, NS_MODEL,
                   "enumeration tries every state and takes at most %d; this problem of %d rows has %.3g: use auto",
                   NS_AVI_STATES_MAX, cap->n, count);
  return ns_avi_method_create(c, cap, opt, &method, self);
}

const ns_avi_solver_ops ns_avi_enumerate = {
    .size = sizeof(ns_avi_solver_ops),
    .name = "enumeration",
    .help = "every state, at most 2^20 of them: any matrix, proves that there is no basic solution",
    .create = create,
    .solve = ns_avi_method_solve,
    .destroy = ns_avi_object_destroy,
    .memory = &ns_memory_none,
};
