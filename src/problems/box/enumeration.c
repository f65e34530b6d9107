/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Enumeration of all states: 2 for a row with one bound, 3 for a row with two, 1 for a free or a
 * fixed one; at most 2^20 together. Finds a solution whenever one is basic, whatever M is.
 *
 * First the state of the guess, then all in the order of their numbers (row 0 is the lowest digit),
 * so the answer depends on the problem and the guess alone. Each state is solved by elimination
 * with complete pivoting; where it is singular but consistent the unknowns beyond the rank are
 * 0. */
#include "problems/box/work.h"

#define FAR 1e3 /* times the tolerance: a candidate that is worth more work */

/* States of a row. */
static int choices(double lb, double ub)
{
  return lb == ub ? 1 : 1 + (lb > -INFINITY) + (ub < INFINITY);
}

double ns_box_states(int n, const double *lb, const double *ub)
{
  double count = 1;
  for (int i = 0; i < n && count < 1e300; i++) count *= lb ? choices(lb[i], ub[i]) : 2;
  return count;
}

/* State number m into at. */
static void set_state(ns_box_work *k, const ns_box *p, long m)
{
  for (int i = 0; i < p->n; i++) {
    double lb = ns_box_lower(k, p, i), ub = ns_box_upper(k, p, i);
    int c = choices(lb, ub), digit = (int)(m % c);
    m /= c;
    if (lb == ub) k->at[i] = NS_BOX_LOWER;
    else if (digit == c - 1) k->at[i] = NS_BOX_FREE;
    else k->at[i] = digit == 0 && lb > -INFINITY ? NS_BOX_LOWER : NS_BOX_UPPER;
  }
}

/* k->z on the state k->at; 1 where it is near enough to a solution to be looked at. */
static int fits(ns_box_work *k, const ns_box *p, double *w)
{
  for (int i = 0; i < p->n; i++) {
    double lb = ns_box_lower(k, p, i), ub = ns_box_upper(k, p, i);
    k->z[i] = k->at[i] < 0 ? lb : ub;
    if (k->at[i] == NS_BOX_FREE) k->z[i] = 0;
  }
  ns_box_work_residual(k, p, k->z, w);
  ns_box_factor_rank(k, p, k->at);
  ns_box_correct_rank(k, w, k->z);
  return ns_box_work_residual(k, p, k->z, w) <= FAR * k->opt.tol;
}

ns_outcome_kind ns_enumeration_run(ns_box_work *k, const ns_box *p, const int *row, const double *z,
                                   double *w, int *iterations, double *residual)
{
  double count = ns_box_states(p->n, k->boxed ? p->lb : NULL, p->ub);
  if (!(count <= NS_BOX_STATES_MAX)) return NS_LIMIT;
  ns_box whole = *p;
  if (p->blocks) {
    ns_blocks_dense(p->blocks, k->full, p->n);
    whole = (ns_box){.n = p->n,
                     .dense = k->full,
                     .ld = p->n,
                     .q = p->q,
                     .lb = p->lb,
                     .ub = p->ub,
                     .apart = p->apart,
                     .watch = p->watch};
    k->kind = NS_BOX_NONE;
  }
  for (long m = -1; m < (long)count; m++) {
    if (ns_solve_over(p->watch)) return NS_LIMIT;
    if (m >= 0) set_state(k, p, m);
    else ns_box_state_of(k, p, z, k->at);
    ++*iterations;
    if (fits(k, &whole, w) && ns_box_accept(k, &whole, row, w, residual)) return NS_SOLVED;
  }
  return NS_EXHAUSTED;
}

/* ---- as a solver of its own ------------------------------------------------------------------ */

static ns_outcome_kind run(void *own, ns_box_work *k, const ns_box *p, const int *row,
                           const double *z, double *w, int *iterations, double *residual)
{
  (void)own;
  return ns_enumeration_run(k, p, row, z, w, iterations, residual);
}

static const ns_box_method method = {.name = "enumeration", .direct = 1, .run = run};

static int create(ns_ctx *c, const ns_box_capacity *cap, const ns_lcp_options *opt, void **self)
{
  double count = ns_box_states(cap->n, cap->lb, cap->ub);
  *self = NULL;
  if (count <= NS_BOX_STATES_MAX) return ns_box_method_create(c, cap, opt, &method, self);
  return ns_fail(c, NS_MODEL,
                 "enumeration tries every state, at most %d, those of %d rows of an LCP; this "
                 "problem of %d rows has %.3g: use auto",
                 NS_BOX_STATES_MAX, NS_BOX_ENUMERATED, cap->n, count);
}

const ns_box_solver_ops ns_box_enumerate = {
    .name = "enumeration",
    .help = "all 2^n supports of at most 20 unknowns: any matrix; can prove that no basic solution "
            "exists",
    .create = create,
    .solve = ns_box_method_solve,
    .destroy = ns_box_method_destroy,
    .memory = &ns_memory_none,
};
