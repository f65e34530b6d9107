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

/* Two of each row: y and nothing, or the distances of lambda from its bounds. */
int ns_sw_row_roots(switching *o, double t, const double *x, double *g)
{
  const ns_motion *p = &o->at[0];
  size_t n = o->m->nrows;
  int rc = ns_sw_motion(o, t, x, &o->at[0]);
  for (size_t k = 0; k < n && !rc; k++) {
    int r = (int)k, held = ns_sw_is_equality(o, r);
    double lower = p->lambda[k] - o->lb[k] + slack(o, r);
    g[k] = held ? isfinite(lower) ? lower : 1 : ns_sw_over(o, r) * p->y[k] + o->below[k];
    g[n + k] = held ? upper(o, r, x, p) : 1;
  }
  return rc;
}

/* Of the rows and of the user. */
static int all_roots(switching *o, double t, const double *x, double *g)
{
  int rc = ns_sw_row_roots(o, t, x, g);
  return rc || !o->run.nuser ? rc : ns_sw_user_roots(o, t, x, g + o->nsteady);
}

int ns_sw_look_within(void *self, double t, double *g)
{
  switching *o = self;
  double from, to;
  o->run.ops->span(o->run.flow, &from, &to);
  if (!(t >= from && t <= to)) return 1;
  int rc = o->run.ops->dense(o->run.flow, o->run.c, t, 0, o->within);
  return rc ? rc : all_roots(o, t, o->within, g);
}

int ns_sw_roots(void *self, double t, const double *x, double *g)
{
  switching *o = self;
  int rc = all_roots(o, t, x, g);
  return rc || !o->problem.nroots ? rc : ns_step_roots_apply(&o->dips, t, g);
}

static const ns_system *system_of(const switching *o, size_t *i)
{
  const ns_model *m = o->m;
  if (o->bad >= 0) *i = (size_t)o->bad;
  int s = 0;
  while (s + 1 < m->nsystems && m->systems[s + 1].q <= *i) s++;
  return &m->systems[s];
}

const char *ns_sw_name(void *self, size_t i, char *buf, size_t size)
{
  char name[64];
  const ns_system *s = system_of(self, &i);
  snprintf(buf, size, "component %s of %s",
           ns_system_coordinate(s, (int)(i - s->q), name, sizeof name),
           s->at.id ? s->at.id : s->kind->name);
  return buf;
}

const char *ns_sw_unknown_place(void *self, size_t i, char *buf)
{
  return ns_place_text(&system_of(self, &i)->at, buf, NS_FLOW_PLACE);
}

int ns_sw_blame(void *self, ns_ctx *c, double t, const double *x, double within)
{
  const switching *o = self;
  const ns_state *s = o->x;
  if (o->run.host) return o->run.host->blame(o->run.host->of);
  ns_moment at = {.from = *s->t,
                  .t = t,
                  .q = x ? x : s->q,
                  .v = s->v,
                  .z = s->z,
                  .lambda = s->lambda,
                  .q0 = s->q};
  int rc = ns_fail_function(c, o->m, &at);
  if (!rc && o->lapsed && fabs(o->bad_t - t) <= within) {
    at.t = o->bad_t;
    at.q = o->bad_x;
    at.lambda = o->bad_lambda;
    rc = ns_fail_function(c, o->m, &at);
  }
  at.t = t + within; /* roots were looked for there */
  return rc || within == 0 ? rc : ns_fail_function(c, o->m, &at);
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

int ns_sw_restart(switching *o)
{
  int rc = ns_sw_speed_sizes(o, *o->x->t, o->x->p, o->x->v);
  if (rc) return rc;
  for (int r = 0; r < o->k->nrows; r++) {
    double size = ns_sw_size(o, r, o->x->q, o->x->lambda);
    double min = (stays(o, r) ? 1 : BELOW) * o->opt->gap_tol + 16 * DBL_EPSILON * size;
    o->below[r] = min + 2 * fmax(0, -ns_sw_over(o, r) * o->x->y[r]);
  }
  return ns_sw_resume(o);
}

int ns_sw_resume(switching *o)
{
  size_t n = o->m->nrows;
  for (size_t r = 0; r < n; r++) {
    o->direction[r] = -1;
    o->direction[n + r] = -1;
  }
  memset(o->direction + o->nsteady, 0, (size_t)o->run.nuser);
  ns_sw_forget(o);
  ns_step_roots_forget(&o->dips);
  memcpy(o->unknown, o->x->q, o->m->nq * sizeof *o->unknown);
  o->unknown[o->m->nq] = 0;
  int rc = o->run.ops->restart(o->run.flow, o->run.c, *o->x->t, o->unknown, o->direction);
  if (!rc) ns_event_run_certify_from(&o->run);
  return rc;
}
