/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/rigid_parts.h"

#include "model/check/diagnose.h"
#include "simulation/record/events.h"
#include "simulation/rows/bonds.h"
#include "simulation/step/stepper.h"

#include <string.h>

/* ---- work of impulses ------------------------------------------------------------------------ */

/* Mean of both ends of a step of the velocity along a row between up to n bodies. */
static double mean_speed(const ns_rigid_stepping *o, int n, const int *body, const double *row)
{
  int dof = o->rows->dof;
  double s = 0;
  for (int k = 0; k < n && body[k] >= 0; k++, row += dof) {
    const double *before = o->s.x->v + body[k] * dof, *after = o->motion->v + body[k] * dof;
    for (int j = 0; j < dof; j++) s += row[j] * (before[j] + after[j]);
  }
  return s / 2;
}

/* Rows of block k from `rubs` on are friction: their part of the work, P (v_k + v_k+1)/2 along the
 * rows that push. */
static double friction_of(const ns_rigid_stepping *o, int k, int rubs)
{
  const ns_rigid_problem *P = &o->problem;
  const ns_rigid_unit *u = k < o->rows->na ? &o->rows->unit[o->rows->active[k]] : NULL;
  size_t width = 2 * (size_t)o->rows->dof;
  double s = 0;
  for (int i = P->row[k] + rubs; i < P->row[k + 1]; i++) {
    if (P->r[i] == 0) continue;
    const double *row = P->H + width * (size_t)i;
    if (u) row = ns_rigid_rows_push(o->rows, u->interaction, u->first + i - P->row[k]);
    s += P->r[i] * mean_speed(o, 2, P->body + 2 * k, row);
    if (!u || !P->further) continue;
    const double *row2 = ns_rigid_rows_push2(o->rows, u->interaction, u->first + i - P->row[k]);
    s += P->r[i] * mean_speed(o, P->further, P->body2 + P->further * k, row2);
  }
  return s;
}

/* What moves an obstacle does P dh/dt. */
static void add_drive(const ns_rigid_stepping *o, int k, int rubs, const double *drive,
                      ns_rigid_work_done *w)
{
  const ns_rigid_problem *P = &o->problem;
  for (int i = 0; i < P->row[k + 1] - P->row[k]; i++) {
    double e = drive[i] == 0 ? 0 : P->r[P->row[k] + i] * drive[i];
    *(i < rubs ? &w->contact : &w->friction) += e;
    w->driven -= e;
  }
}

/* Of all impulses, less that of friction, is the work of contacts. */
static ns_rigid_work_done work_of(const ns_rigid_stepping *o)
{
  ns_rigid_work_done w = {0};
  double all = 0;
  for (size_t i = 0; i < o->s.m->nv && o->problem.p.nblocks; i++)
    all += o->p[i] * (o->s.x->v[i] + o->motion->v[i]) / 2;
  for (int k = 0; k < o->problem.p.nblocks; k++) {
    const ns_rigid_unit *u = k < o->rows->na ? &o->rows->unit[o->rows->active[k]] : NULL;
    int rubs = !u || u->kind == NS_UNIT_FRICTION                                    ? 1
               : ns_interaction_has_friction(&o->s.m->interactions[u->interaction]) ? 0
                                                                                    : u->rows;
    double friction = friction_of(o, k, rubs);
    w.friction += friction;
    all -= friction;
    if (u) add_drive(o, k, rubs, o->rows->shift + u->first, &w);
  }
  w.contact += all + o->raised;
  return w;
}

/* ---- events ---------------------------------------------------------------------------------- */

double ns_rigid_fastest(const void *self)
{
  const ns_rigid_stepping *o = self;
  const ns_rigid_problem *P = &o->problem;
  double fast = 0;
  for (int k = 0; k < P->p.nblocks; k++)
    for (int i = P->row[k]; i < P->row[k + 1]; i++)
      ns_keep_max(&fast, fabs(ns_rigid_problem_speed(P, k, i, o->motion->vfree)));
  return fast;
}

/* Does the friction of active unit k stick or slip? */
static int slide_event(ns_rigid_stepping *o, ns_ctx *c, ns_recorder *rec, int k)
{
  const ns_rigid_unit *u = &o->rows->unit[o->rows->active[k]];
  const ns_rigid_problem *P = &o->problem;
  ns_slipping rubs = {.interaction = u->interaction,
                      .normal = u->first,
                      .slip = u->slip,
                      .impulse = P->r + P->row[k],
                      .tension = o->history.tension ? o->history.tension[u->first] : 0,
                      .speed = P->u + P->row[k],
                      .before = o->history.before,
                      .fastest = ns_rigid_fastest,
                      .of = o};
  return ns_events_friction(rec, c, o->s.m, o->s.x, &rubs);
}

/* Active gaps, and those that were loaded but are no longer active. */
static int events(ns_rigid_stepping *o, ns_ctx *c, ns_recorder *rec)
{
  const ns_rigid_rows *R = o->rows;
  const ns_rigid_problem *P = &o->problem;
  ns_contact_history *past = &o->history;
  int rc = NS_OK, next = 0;
  past->fast = -1;
  for (int a = 0; a < R->nunits && !rc; a++) {
    const ns_rigid_unit *u = &R->unit[a];
    int active = next < R->na && R->active[next] == a, k = active ? next++ : -1;
    if (!ns_rigid_has_gap(u)) continue;
    int friction = u->kind == NS_UNIT_FRICTION && u->rows > 1;
    if (active) {
      double shift = P->b[P->row[k]] - R->restitution[u->first] * past->before[u->first];
      double speed = ns_rigid_problem_speed(P, k, P->row[k], o->motion->vfree) + shift;
      rc = ns_contact_history_row(past, c, rec, u->interaction, u->first, speed);
      if (friction && !rc) rc = slide_event(o, c, rec, k);
    } else if (past->loaded && o->s.x->mode[u->first] != NS_MODE_FREE)
      rc = ns_contact_history_left(past, c, rec, u->interaction, u->first, friction);
  }
  return rc;
}

/* ---- accept ---------------------------------------------------------------------------------- */

static int not_finite(const ns_rigid_stepping *o, ns_ctx *c)
{
  const ns_rigid_motion *mo = o->motion;
  const ns_state *x = o->s.x;
  char numbers[80];
  size_t r = 0;
  while (r + 1 < o->s.m->nrows && isfinite(o->rows->y[r]) && isfinite(o->rows->ydot[r])) r++;
  snprintf(numbers, sizeof numbers, "y = %g, ydot = %g", o->rows->y[r], o->rows->ydot[r]);
  return ns_fail_row(c, o->s.m,
                     &(ns_moment){.from = *x->t,
                                  .t = mo->t1,
                                  .q = mo->q,
                                  .v = mo->v,
                                  .z = x->z,
                                  .q0 = x->q,
                                  .v0 = x->v,
                                  .angle = x->angle},
                     r, numbers);
}

/* Otherwise a body has the better sentence. */
static int velocities_are_finite(const ns_rigid_motion *mo)
{
  for (size_t i = 0; i < mo->m->nv; i++)
    if (!isfinite(mo->v[i])) return 0;
  return 1;
}

/* Rows at the iterate, the end of the step. */
static int foresee(ns_rigid_stepping *o, ns_ctx *c)
{
  ns_rigid_motion *mo = o->motion;
  int rc = ns_rigid_rows_eval(o->rows, c, o->s.x, mo->t1, mo->q, mo->v, 1);
  if (rc) return rc;
  ns_rigid_rows_speeds(o->rows, mo->v);
  double all = 0;
  for (size_t r = 0; r < o->s.m->nrows; r++) all += fabs(o->rows->y[r]) + fabs(o->rows->ydot[r]);
  return isfinite(all) || !velocities_are_finite(mo) ? NS_OK : not_finite(o, c);
}

static double mobility(const void *of, const ns_interaction *it)
{
  const ns_model *m = of;
  return 1 / m->systems[it->systems[0]].rigid.mass;
}

/* y, ydot and lambda; the deepest gap. */
static double outputs(ns_rigid_stepping *o)
{
  const ns_rigid_rows *R = o->rows;
  const ns_rigid_problem *P = &o->problem;
  ns_state *x = o->s.x;
  double deepest = 0;
  o->history.h = o->motion->h;
  memcpy(o->history.gap, x->y, o->s.m->nrows * sizeof *x->y);
  memcpy(o->history.before, x->ydot, o->s.m->nrows * sizeof *x->ydot);
  memcpy(x->y, R->y, o->s.m->nrows * sizeof *x->y);
  memset(x->lambda, 0, o->s.m->nrows * sizeof *x->lambda);
  memcpy(x->ydot, R->ydot, o->s.m->nrows * sizeof *x->ydot);
  for (int k = 0; k < R->na; k++) {
    const ns_rigid_unit *u = &R->unit[R->active[k]];
    memcpy(x->lambda + u->first, P->r + P->row[k], (size_t)u->rows * sizeof *x->lambda);
  }
  if (o->s.m->nbonds) ns_bonds_keep(o->s.m, x, o->rows->tension, mobility, o->s.m);
  for (int a = 0; a < R->nunits; a++)
    if (ns_rigid_has_gap(&R->unit[a])) ns_keep_max(&deepest, -x->y[R->unit[a].first]);
  return deepest;
}

/* Recovery of overlaps has the memory of the problem afterwards, but where there are rows of
 * interactions, whose work is that along the rows at the end. */
int ns_rigid_settle(ns_rigid_stepping *o, ns_ctx *c, const ns_time_stepping *of)
{
  const ns_rigid_motion *mo = o->motion;
  int rc = NS_OK;
  o->impacts = o->s.x->cert->impacts;
  o->approach_max = o->s.x->cert->approach_max;
  o->elastic = (ns_elastic){0};
  if (o->contacts) {
    o->elastic = ns_rigid_contacts_elastic(o->contacts);
    ns_rigid_contacts_happened(o->contacts, &o->problem, mo->vfree, mo->v, o->s.x);
    rc = ns_rigid_contacts_keep(o->contacts, c, &o->problem, of->recorded);
  }
  if (!o->rows->nunits) o->work = work_of(o);
  return rc;
}

/* The list of contacts between shapes of the next step. */
static int contacts(ns_rigid_stepping *o, ns_ctx *c)
{
  const ns_rigid_motion *mo = o->motion;
  if (!o->contacts) return NS_OK;
  int rc = ns_rigid_contacts_inside(o->contacts, c, mo->t1, mo->q);
  if (rc) return rc;
  ns_rigid_contacts_keep_gaps(o->contacts, mo->q);
  double start = ns_rigid_clock(o);
  rc = ns_rigid_contacts_find(o->contacts, c, mo->q, mo->v, mo->t1, o->s.h, &o->overlap);
  o->shares.collision += ns_rigid_since(start);
  return rc;
}

/* What happened at them, once the step has been accepted. */
static int contact_events(const ns_rigid_stepping *o, ns_ctx *c, ns_recorder *rec)
{
  int n = 0, rc = NS_OK;
  ns_event *e = o->contacts && rec ? ns_rigid_contacts_events(o->contacts, &n) : NULL;
  for (int i = 0; i < n && !rc; i++) {
    e[i].t = *o->s.x->t;
    rc = ns_recorder_event(rec, c, &e[i]);
  }
  return rc;
}

int ns_rigid_conclude(ns_rigid_stepping *o, ns_ctx *c, const ns_time_stepping *of)
{
  int rc = o->projecting == NS_PROJECT_NOT ? NS_OK : ns_rigid_settle(o, c, of);
  if (!rc) rc = foresee(o, c);
  if (!rc) rc = contacts(o, c);
  if (rc) { /* the last good state is kept */
    o->s.x->cert->impacts = o->impacts;
    o->s.x->cert->approach_max = o->approach_max;
    return rc;
  }
  ns_elastic after = {0}, before = o->elastic;
  if (o->contacts) after = ns_rigid_contacts_elastic(o->contacts);
  if (o->rows->nunits) o->work = work_of(o);
  else o->work.contact += o->raised;
  o->work.contact += after.normal - before.normal;
  o->work.friction += after.across - before.across;
  o->work.potential = after.normal + after.across;
  return NS_OK;
}

double ns_rigid_publish(ns_rigid_stepping *o)
{
  ns_state *x = o->s.x;
  x->cert->potential += o->work.potential;
  x->cert->work_contact += o->work.contact;
  x->cert->work_friction += o->work.friction;
  x->cert->work_driven += o->work.driven;
  memcpy(x->p, o->p, o->s.m->nv * sizeof *x->p);
  double deepest = fmax(outputs(o), o->contacts ? o->overlap : 0);
  ns_rigid_rows_angles(o->rows, x, x->q);
  return deepest;
}

int ns_rigid_report(ns_rigid_stepping *o, ns_ctx *c, ns_recorder *rec)
{
  double t = *o->s.x->t, h = o->motion->h;
  int rc = NS_OK;
  if (rec && (o->motion->away || o->s.m->contact.mortal))
    rc = ns_events_of_lives(rec, c, o->s.m, t, ns_life_step_end(t - h, h), ns_life_step_end(t, h));
  if (!rc) rc = events(o, c, rec);
  return rc ? rc : contact_events(o, c, rec);
}
