/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switching_tolerances.c -- tolerances that the model does not give.
 *
 * They are for states and y of about their unit. Where states and y are less than a hundredth of
 * it, or y' less than 1e-4, they are in proportion to sizes, at t0 and with T the length of a run,
 *
 *   of x'    the largest |M^-1 f|_i + sum_r |M^-1 B_r|_i L_r of a system
 *   of x     the largest |x_i| of a system, T times that of x' if it is larger
 *   of y     |y| at lambda = 0 + its range by t + sum_i |C_i| times that of x_i
 *   of y'    the same over T, sum_i |C_i| times that of x'_i if it is larger
 *
 * f at times over the run where formulas depend on time. L_r is the larger bound of lambda_r, or
 * without one what changes a y, or y' where it is in none, by its size. Each system has
 * its own absoluteTolerance; for gapTolerance and velocityTolerance the largest row counts.
 * INFINITY: not known, as of a system at rest that others will move. */
#include "simulation/events/event_queue.h"
#include "simulation/events/switching_parts.h"

#include <math.h>
#include <string.h>

static const double SMALL = 1e-2, SLOW = 1e-4;
static const double LONG = 1e5;     /* s */
static const double ALTERED = 1e-9; /* f that so small a part of what it is made of alters is 0 */

/* M^-1 f at (t, x), to v. */
static int rate_at(switching *o, double t, const double *x, double *v)
{
  int rc = ns_sw_field(o, t, x);
  return rc ? rc : ns_rate_base_rate(&o->base, o->run.c, *o->x->t, o->f, o->zero, v);
}

/* rate := max(rate, |M^-1 f|) at x(t0) and t; a sum that is 0 but for rounding says nothing. */
static int add_field(switching *o, double t, double *rate, double *scratch)
{
  size_t n = o->m->nq;
  double length = o->m->sim.T - o->m->sim.t0, *v = scratch, *near = v + n, *x = near + n;
  for (size_t i = 0; i < n; i++) x[i] = o->x->q[i] * (1 + ALTERED * (double)(i + 1) / (double)n);
  int rc = rate_at(o, t, o->x->q, v);
  if (!rc) rc = rate_at(o, t + ALTERED * length, x, near);
  for (size_t i = 0; i < n && !rc; i++)
    if (fabs(v[i]) > fabs(near[i] - v[i])) rate[i] = fmax(rate[i], fabs(v[i]));
  return rc < 0 ? rc : NS_OK;
}

/* Of x' by fields, component by component. */
static int fields(switching *o, double *rate, double *scratch)
{
  enum { TIMES = 32 };
  const double t0 = *o->x->t, length = o->m->sim.T - t0;
  int rc = NS_OK;
  memset(rate, 0, o->m->nq * sizeof *rate);
  for (int k = 0; k < (o->driven ? TIMES : 1) && !rc; k++)
    rc = add_field(o, t0 + length * k / TIMES, rate, scratch);
  return rc;
}

/* Of x' and x, the same for all components of a system. */
static void spread(const switching *o, double *rate, double *size)
{
  const ns_model *m = o->m;
  for (int k = 0; k < m->nsystems; k++) {
    const ns_system *s = &m->systems[k];
    size_t n = (size_t)s->n;
    double fast = ns_max_abs(n, rate + s->q);
    double max = fmax(ns_max_abs(n, o->x->q + s->q), (m->sim.T - m->sim.t0) * fast);
    ns_fill(n, fast, rate + s->q);
    ns_fill(n, max > 0 ? max : INFINITY, size + s->q);
  }
}

/* The sum of the terms of C_r a. */
static double along(const ns_rows *C, int r, const double *a)
{
  double sum = 0;
  for (int e = C->ptr[r]; e < C->ptr[r + 1]; e++)
    if (C->val[e] != 0) sum += fabs(C->val[e]) * a[C->dof[e]];
  return sum;
}

/* L_r of rows without bounds that change a y: by the largest of these; -1 of the others. fixed: y
 * but for what states do; vectors [nrows] */
static void balance(const switching *o, const double *fixed, const double *size, double *L)
{
  const ns_rows *D = &o->k->D;
  ns_fill((size_t)o->k->nrows, -1, L);
  for (int i = 0; i < o->k->nrows; i++) {
    double large = fixed[i] + along(&o->k->C, i, size);
    for (int e = D->ptr[i]; e < D->ptr[i + 1]; e++)
      if (D->val[e] != 0) L[D->dof[e]] = fmax(L[D->dof[e]], large / fabs(D->val[e]));
  }
}

/* L_r of any row, whose response is o->b. */
static double multiplier(const switching *o, int r, const double *L, const double *rate)
{
  double bound = fmax(fabs(o->lb[r]), fabs(o->ub[r])), slope = fabs(ns_rows_dot(&o->k->C, r, o->b));
  if (isfinite(bound)) return bound;
  return L[r] >= 0 ? L[r] : slope > 0 ? along(&o->k->C, r, rate) / slope : INFINITY;
}

/* Add what multipliers do to rates; with_bounds: of those with bounds, else of the others. */
static int push(switching *o, int with_bounds, const double *fixed, double *rate, double *size)
{
  double *L = o->step;
  int rc = NS_OK;
  if (!with_bounds) balance(o, fixed, size, L);
  for (int r = 0; r < o->k->nrows && !rc; r++) {
    if ((isfinite(o->lb[r]) && isfinite(o->ub[r])) != with_bounds) continue;
    rc = ns_sw_response(o, *o->x->t, o->x->q, r);
    double most = rc ? 0 : multiplier(o, r, L, rate);
    for (size_t i = 0; i < o->m->nq && !rc; i++)
      if (o->b[i] != 0) rate[i] += fabs(o->b[i]) * most;
  }
  if (!rc) spread(o, rate, size);
  return rc;
}

/* Of y but for what states do. */
static int rows(switching *o, double *fixed)
{
  const ns_relation_point p = {.t = *o->x->t, .x = o->x->q, .z = o->x->z, .lambda = o->still};
  int rc = ns_couplings_offsets(o->k, o->run.c, &p, 1);
  if (!rc) rc = ns_sw_rows_at(o, p.t, fixed);
  for (int r = 0; r < o->k->nrows && !rc; r++) fixed[r] = fabs(fixed[r]) + o->range[r];
  return rc;
}

/* Of states, to o->sizes, and of the largest y and y'. > 0: they cannot be evaluated at t0. */
static int sizes(switching *o, double *y, double *slope)
{
  double *rate = o->times, *size = o->sizes, *fixed = o->rhs;
  double length = o->m->sim.T - o->m->sim.t0;
  int rc = fields(o, rate, rate + o->m->nq);
  if (!rc) rc = rows(o, fixed);
  if (!rc) rc = push(o, 1, fixed, rate, size);
  if (!rc) rc = push(o, 0, fixed, rate, size);
  *y = *slope = 0;
  for (int r = 0; r < o->k->nrows && !rc; r++) {
    double large = fixed[r] + along(&o->k->C, r, size);
    *y = fmax(*y, large);
    *slope = fmax(*slope, fmax(large / length, along(&o->k->C, r, rate)));
  }
  return rc;
}

static double scale_of(double size, double below) { return size < below ? size : 1; }

int ns_sw_tolerances(switching *o)
{
  const ns_event_driven_options *e = &o->m->sim.ed;
  const size_t n = o->m->nq;
  double *size = o->sizes, y, slope;
  int rc = sizes(o, &y, &slope);
  if (rc) ns_fill(n, INFINITY, size);
  if (rc || !(y > 0)) y = slope = INFINITY;
  for (size_t i = 0; i < n; i++)
    o->atol[i] = ns_event_unless_given(e->atol, e->given.atol, scale_of(size[i], SMALL));
  /* rates of a motion that takes years are small in their unit: those that count as 0 move a row by
   * 1e-3 of it in a run that is longer than a day */
  double years = LONG / (o->m->sim.T - o->m->sim.t0);
  o->own.gap_tol = ns_event_unless_given(e->gap_tol, e->given.gap_tol, scale_of(y, SMALL));
  o->own.speed_tol = ns_event_unless_given(e->speed_tol, e->given.speed_tol,
                                           fmin(1, fmin(years, scale_of(slope, SLOW))));
  return rc < 0 ? rc : NS_OK;
}
