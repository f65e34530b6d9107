/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/switching_parts.h"

#include "model/check/diagnose.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int ns_sw_rate(void *self, double t, const double *x, double *f)
{
  switching *o = self;
  ns_motion *p = &o->at[0];
  int rc = ns_sw_motion(o, t, x, p);
  memcpy(f, p->v, o->m->nq * sizeof *f);
  if (o->timed || o->forced) f[o->m->nq] = rc ? 0 : ns_sw_moved_by_time(o, p);
  return rc;
}

/* How far lambda has to leave a bound: its rounding. */
static double slack(const switching *o, int r)
{
  double width = o->ub[r] - o->lb[r], size = o->search.force[r];
  return 1e-13 * (isfinite(width) ? width : size);
}

/* Times gapTolerance: how far y at least passes its surface, so that a y that began on it has a
 * root, too. */
static const double BELOW = 1e-4;

/* Distance of lambda from its upper bound; below 0 where y is not held: what depends on time has
 * jumped. */
static double upper(const switching *o, int r, const double *x, const ns_motion *p)
{
  double capacity = o->ub[r] - p->lambda[r] + slack(o, r);
  if (fabs(p->y[r]) > ns_sw_near(o, r, x, p->lambda)) return -1;
  return isfinite(capacity) ? capacity : 1;
}

/* Distance of lambda from its lower bound. */
static double lower(const switching *o, int r, const ns_motion *p)
{
  double capacity = p->lambda[r] - o->lb[r] + slack(o, r);
  return isfinite(capacity) ? capacity : 1;
}

/* Two of each row: y and nothing, or the distances of lambda from its bounds. */
void ns_sw_row_roots(const switching *o, const double *x, double *g)
{
  const ns_motion *p = &o->at[0];
  size_t n = o->m->nrows;
  for (size_t k = 0; k < n; k++) {
    int r = (int)k, held = ns_sw_is_equality(o, r);
    g[k] = held ? lower(o, r, p) : ns_sw_over(o, r) * p->y[k] + o->below[k];
    g[n + k] = held ? upper(o, r, x, p) : 1;
  }
}

int ns_sw_roots(void *self, double t, const double *x, double *g)
{
  switching *o = self;
  int rc = ns_sw_motion(o, t, x, &o->at[0]);
  if (!rc) ns_sw_row_roots(o, x, g);
  if (rc || !o->run.nuser) return rc;
  memcpy(o->run.trial.q, x, o->m->nq * sizeof *x);
  return ns_event_run_user_roots(&o->run, t, g + o->run.first_user);
}

int ns_sw_point(void *of, const double *x, const double **q, const double **v)
{
  (void)of, (void)v;
  *q = x ? x : *q;
  return x != NULL;
}

/* A row that is not held is at 0 and stays there, as the last contact of a cluster that others keep
 * together: errors of the integrator alone move its y, and would be roots for ever. */
static int stays(switching *o, int r)
{
  const ns_motion now = {.v = o->x->v};
  double zero = o->opt->speed_tol + ns_sw_slope_rounding(o, r);
  return !ns_sw_is_equality(o, r) && !o->direct[r] && fabs(o->x->y[r]) <= ns_sw_touch(o, r) &&
         fabs(ns_sw_slope(o, r, &now)) <= zero && ns_sw_depends(o, r);
}

int ns_sw_restart(void *of)
{
  switching *o = of;
  int rc = ns_sw_speed_sizes(o, *o->x->t, o->x->p, o->x->v);
  if (rc) return rc;
  for (int r = 0; r < o->k->nrows; r++) {
    double size = ns_sw_size(o, r, o->x->q, o->x->lambda);
    double min = (stays(o, r) ? 1 : BELOW) * o->opt->gap_tol + 16 * DBL_EPSILON * size;
    o->below[r] = min + 2 * fmax(0, -ns_sw_over(o, r) * o->x->y[r]);
  }
  ns_sw_begin_near(o);
  return ns_sw_resume(o);
}

int ns_sw_resume(switching *o)
{
  size_t n = o->m->nrows;
  for (size_t r = 0; r < n; r++) {
    o->run.direction[r] = -1;
    o->run.direction[n + r] = -1;
  }
  ns_sw_forget(o);
  memcpy(o->run.atol, o->atol, o->m->nq * sizeof *o->atol);
  memcpy(o->run.unknown, o->x->q, o->m->nq * sizeof *o->run.unknown);
  o->run.unknown[o->m->nq] = 0;
  return ns_event_run_restart(&o->run);
}
