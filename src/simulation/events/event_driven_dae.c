/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/event_driven_modes.h"

#include "algebra/vector.h"
#include "model/systems/mechanics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which rows ------------------------------------------------------------------------------ */

/* Rows that hold and do not follow from others, those of positions first. */
static void choose(event_driven *o)
{
  const ns_acceleration *a = &o->hold;
  const int *columns = a->symmetric ? a->order : a->column;
  size_t n = 0;
  for (int positions = 1; positions >= 0; positions--) {
    size_t from = n;
    for (int i = 0; i < a->rank; i++)
      if (ns_ed_is_tangential(o, o->row[a->order[i]]) != positions)
        o->equation[n++] = o->row[a->order[i]];
    qsort(o->equation + from, n - from, sizeof *o->equation, ns_ascending);
    if (positions) o->positions = n;
  }
  for (size_t i = 0; i < n; i++) o->pushing[i] = o->row[columns[i]];
  qsort(o->pushing, n, sizeof *o->pushing, ns_ascending);
  o->equations = n;
  memset(o->asked, 0, (size_t)o->s.m->ninteractions);
  for (size_t i = 0; i < n; i++) o->asked[o->s.k->interaction[o->equation[i]]] = 1;
}

/* Forces of the rows that hold, without the stress between them, in their order; and back. */
static double *shared(event_driven *o)
{
  for (int i = 0; i < o->equal.n; i++) {
    int r = o->row[i];
    o->rhs[i] = o->force[r] - (o->stressed ? o->stress[r] : 0);
  }
  return o->rhs;
}

static void unshare(event_driven *o)
{
  for (int i = 0; i < o->equal.n; i++) {
    int r = o->row[i];
    o->force[r] = o->rhs[i] + (o->stressed ? o->stress[r] : 0);
  }
}

static int hold(void *self, double t, const double *x, size_t *rows, size_t *positions,
                double *lambda, double *f)
{
  event_driven *o = self;
  *rows = *positions = 0;
  if (!o->equal.n) return NS_OK;
  o->hold.limit = o->hold.max;
  int rc = ns_ed_rate(o, t, x, f);
  if (rc) return rc;
  choose(o);
  o->hold.limit = (int)o->equations;
  *rows = o->equations;
  *positions = o->positions;
  o->shares = ns_acceleration_is_shared(&o->hold);
  if (o->shares) {
    ns_acceleration_of_pivots(&o->hold, shared(o));
    unshare(o);
  }
  ns_gather(o->equations, o->force, o->pushing, lambda);
  return NS_OK;
}

/* ---- motion ---------------------------------------------------------------------------------- */

/* H, dh/dt and the accelerations without forces of contacts, not yet by the mass. */
static int linearise(event_driven *o, double t, const double *q, const double *v)
{
  ns_contacts *k = o->s.k;
  int rc = ns_ed_free(o, t, q, v);
  if (rc || k->plain) return rc;
  k->t1 = t;
  k->fresh = 0;
  return ns_contacts_linearise(k, o->run.c, o->s.x, q, v);
}

/* q' += T M^-1 H^T mu. */
static void shift_positions(event_driven *o, const double *v, const double *mu, double *f)
{
  size_t n = o->s.m->nv;
  double *d = o->gyr, max = ns_max_abs(o->positions, mu);
  if (max == 0) return;
  memset(d, 0, n * sizeof *d);
  for (size_t i = 0; i < o->positions; i++) ns_rows_add(&o->s.k->H, o->equation[i], mu[i], d);
  ns_matrices_solve(o->s.matrices, d);
  if (o->curved) {
    ns_axpy(n, 1, v, d);
    ns_mechanics_rate(o->s.m, o->trial_q, d, f); /* where accelerations were evaluated */
    return;
  }
  ns_axpy(n, 1, d, f);
}

/* Forces of contacts, added to those in o->a. */
static void push(event_driven *o, const double *v, const double *lambda)
{
  const ns_contacts *k = o->s.k;
  for (int i = 0; i < k->n; i++) o->force[k->active[i]] = 0;
  ns_scatter(o->equations, lambda, o->pushing, o->force);
  if (o->shares) {
    ns_ed_factor(o, v);
    ns_acceleration_share(&o->hold, shared(o));
    unshare(o);
  } else if (o->friction.turning) ns_ed_friction_slopes(o, v);
  if (o->friction.wanted) {
    ns_ed_friction_push(o, v, &k->H);
    ns_ed_friction_slide(o);
  }
  for (int i = 0; i < o->equal.n; i++)
    ns_ed_add_force(o, &k->H, o->row[i], o->force[o->row[i]], o->a);
}

static int accelerate(event_driven *o, double t, const double *x, const double *lambda, double *f)
{
  size_t n = o->s.m->nv, nq = o->s.m->nq;
  const double *v = x + nq;
  const double *q = ns_ed_positions(o, x);
  int rc = linearise(o, t, q, v);
  if (rc) return rc;
  if (o->work_at >= 0) f[o->work_at] = ns_ed_power(o, q, v);
  ns_ed_overlaps_at(o, x);
  rc = ns_ed_give_way(o, t, q, v);
  push(o, v, lambda);
  if (!rc) rc = ns_ed_accelerate(o, t, 1);
  ns_ed_overlaps_rates(o, f);
  ns_ed_overlaps_at(o, NULL);
  if (rc) return rc;
  if (o->prescribed.moves) f[o->work_at] += ns_ed_support_power(o, v);
  ns_ed_works(o, v, f);
  if (o->curved) ns_mechanics_rate(o->s.m, q, v, f);
  else memcpy(f, v, n * sizeof *f);
  memcpy(f + nq, o->a, n * sizeof *f);
  return ns_ed_finite(o, f, t, q, v);
}

static int motion(void *self, double t, const double *x, const double *lambda, const double *mu,
                  double *f, double *y, double *ydot, double *yddot)
{
  event_driven *o = self;
  const ns_contacts *k = o->s.k;
  const double *v = x + o->s.m->nq;
  int rc = accelerate(o, t, x, lambda, f);
  if (!rc && mu) shift_positions(o, v, mu, f);
  if (!rc) rc = ns_ed_gaps(o, t, x, o->asked, o->gap, o->speed);
  if (!rc && yddot && k->nmoving)
    rc = ns_contacts_bias(o->s.k, o->run.c, o->s.x, ns_ed_positions(o, x), v, o->bias);
  for (size_t i = 0; i < o->equations && !rc; i++) {
    int r = o->equation[i];
    if (i < o->positions) y[i] = o->gap[r];
    ydot[i] = o->speed[r];
    if (yddot) yddot[i] = ns_ed_acceleration_of(o, r);
  }
  return rc;
}

/* ---- rows of the grid ------------------------------------------------------------------------ */

/* How far dense output may be from the constraint r: ten times its tolerance. */
static double slack(const event_driven *o, int r)
{
  return 10 * (o->opt->rtol * ns_ed_reach(o, r) + o->opt->atol);
}

int ns_ed_polish(event_driven *o)
{
  ns_state *x = o->s.x;
  if (!o->run.ops->keeps || !o->run.ops->keeps(o->run.flow)) return NS_OK;
  int rc = ns_ed_rows(o, *x->t, x->q, x->v, o->gap, o->speed), far = 0;
  for (int i = 0; i < o->equal.n && !rc; i++)
    far |= !ns_ed_is_tangential(o, o->row[i]) &&
           fabs(o->gap[o->row[i]]) > fmax(o->opt->gap_tol, slack(o, o->row[i]));
  if (!rc) rc = ns_ed_project(o);
  return rc || !far ? rc : ns_ed_restart(o);
}

/* ---- creation -------------------------------------------------------------------------------- */

int ns_ed_dae_create(event_driven *o, ns_ctx *c)
{
  const ns_model *m = o->s.m;
  o->constraints = (ns_flow_constraints){
      .max = m->nrows < m->nv ? m->nrows : m->nv, .hold = hold, .motion = motion};
  o->run.problem.constraints = &o->constraints;
  const ns_array want[] = {{&o->equation, m->nrows, sizeof *o->equation},
                           {&o->pushing, m->nrows, sizeof *o->pushing},
                           {&o->asked, (size_t)m->ninteractions, sizeof *o->asked}};
  return ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want)
             ? ns_nomem(c, "constraints of the motion")
             : NS_OK;
}
