/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/lagrangian_stepping.h"

#include "algebra/vector.h"
#include "model/laws/problem.h"
#include "simulation/rows/projection.h"
#include "simulation/step/contact_events.h"
#include "simulation/step/failure.h"
#include "simulation/step/stepper.h"
#include "simulation/step/time_stepping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct lagrangian {
  ns_time_stepping s;
  const ns_integrator_ops *ops;
  void *osi;
  ns_projection *projection; /* NULL: none */
  const double *q; /* position of the iterate, the integrator's; NULL where no row asks for it */
  int linear;
  int brief; /* linear, rigid rows, no supports, no controls, no projection: the short ways */
  /* so, with plain rows, and the motion is steady: the shortest one, after a step that was none */
  int steady, warm;
  ns_steady_motion motion;
  ns_contact_history history;
} lagrangian;

static void destroy(void *self)
{
  lagrangian *o = self;
  ns_projection_destroy(o->projection);
  ns_contacts_destroy(o->s.k);
  if (o->ops) o->ops->destroy(o->osi);
}

static int find_integrator(lagrangian *o, ns_ctx *c)
{
  const ns_simulation_options *s = &o->s.m->sim;
  if ((o->ops = ns_integrator_find(s->integrator))) return NS_OK;
  return ns_fail_at(c, NS_MODEL, &s->at,
                    "there is no integrator \"%s\"; `nssim list schemes` lists them",
                    s->integrator);
}

static int fill(void *self, ns_ctx *c, ns_plan *plan)
{
  lagrangian *o = self;
  const ns_model *m = o->s.m;
  ns_integrator_info info;
  int rc = ns_time_stepping_vectors(&o->s, c, m->nrows, 2,
                                    (double **[]){&o->history.before, &o->history.gap});
  if (!rc) rc = find_integrator(o, c);
  if (!rc) rc = o->ops->create(c, m, &o->osi);
  if (rc) return rc;
  o->ops->info(o->osi, &info);
  rc = ns_contacts_create(c, m, o->ops, o->osi, info.symmetric, &o->s.k);
  if (!rc && o->ops->projecting != NS_PROJECT_NOT)
    rc = ns_projection_create(c, o->s.k, o->osi, o->ops->projecting == NS_PROJECT_COMBINED,
                              &o->projection);
  if (rc) return rc;
  o->linear = info.linear && !o->s.k->nmoving;
  o->s.k->p.start = o->s.x->ydot;
  o->s.one_pass = o->linear || m->sim.ts.newton_linear;
  o->s.unscaled = m->sim.ts.newton_absolute;
  ns_contact_history_init(&o->history, o->s.k, o->s.x);
  o->brief = o->linear && !o->s.k->compliant && !m->nboundaries && !m->ncontrols &&
             !o->projection && !m->values;
  o->steady = o->brief && o->s.k->plain && o->ops->steady && o->ops->steady(o->osi, &o->motion);
  ns_contacts_describe(o->s.k, o->s.x, o->ops->name, &info, plan);
  plan->linear = o->s.one_pass;
  plan->work_bytes += ns_projection_bytes(o->projection);
  return NS_OK;
}

static void begin_run(lagrangian *o)
{
  o->warm = 0;
  memset(o->s.x->p, 0, o->s.m->nv * sizeof *o->s.x->p);
  ns_contact_history_begin(&o->history);
}

static int start(void *self, ns_ctx *c)
{
  lagrangian *o = self;
  begin_run(o);
  return o->ops->start(o->osi, c, o->s.x);
}

static int restart(void *self, ns_ctx *c, int set)
{
  lagrangian *o = self;
  if (set) o->warm = 0;
  return o->ops->start(o->osi, c, o->s.x);
}

/* ---- passes of Newton's method --------------------------------------------------------------- */

static int begin(void *self, ns_ctx *c)
{
  lagrangian *o = self;
  ns_state *x = o->s.x;
  double t1 = o->s.t1, h = o->s.h;
  int rc = o->ops->begin(o->osi, c, x, t1, h);
  if (rc) return rc;
  if (!o->projection) ns_contacts_activate(o->s.k, x, t1, h);
  else if (o->ops->projecting == NS_PROJECT_DIRECT) ns_projection_activate(o->projection, x, t1, h);
  else if (o->s.round == 0) ns_projection_begin(o->projection, x, t1, h);
  o->q = o->s.k->nmoving || o->s.k->compliant ? o->ops->predict(o->osi) : NULL;
  return NS_OK;
}

static int solve(void *self, ns_ctx *c, ns_pass *p)
{
  lagrangian *o = self;
  double *v = o->ops->velocity(o->osi);
  int changed = 0, rc = o->q ? ns_contacts_follow(o->s.k, c, o->s.x, o->q, v) : NS_OK;
  if (!rc) rc = o->ops->vfree(o->osi, c, &changed);
  if (rc) return rc;
  ns_contacts_assemble(o->s.k, o->s.x, v, changed);
  o->s.k->p.tol = p->tol;
  return ns_solve_shown(o->s.k, c, o->s.x, o->s.w, o->s.bounds, &p->out);
}

/* Impulses that led to the iterate, and how far it is from the solution: of the equations of
 * motion, and of relations whose rows have moved with it. */
static int advance(void *self, ns_ctx *c, ns_pass *p)
{
  lagrangian *o = self;
  ns_state *x = o->s.x;
  double moved = 0, *v = o->ops->velocity(o->osi);
  ns_contacts_apply(o->s.k, v);
  p->active = o->s.k->n;
  if (!o->linear || o->s.m->nboundaries) ns_contacts_impulse(o->s.k, x->p);
  int rc = o->ops->iterate(o->osi, c, x->p, &p->residual);
  if (o->s.unscaled) o->s.k->fresh = 0;
  else if (!rc && o->s.k->nmoving) rc = ns_contacts_settled(o->s.k, c, x, o->q, v, x->p, &moved);
  if (!(moved <= p->residual)) p->residual = moved;
  return rc;
}

/* Newton's method has come to its end without an iterate that solves the step. */
static int diverged(void *self, ns_ctx *c, double residual, ns_suspect *w)
{
  lagrangian *o = self;
  const ns_state *x = o->s.x;
  const double *v = o->ops->velocity(o->osi);
  if (isnan(residual)) {
    ns_moment at = {.from = *x->t,
                    .t = o->s.t1,
                    .q = o->q ? o->q : x->q,
                    .v = v,
                    .z = x->z,
                    .q0 = x->q,
                    .v0 = x->v};
    int rc = ns_fail_function(c, o->s.m, &at);
    if (!rc) rc = ns_fail_coordinate(c, o->s.m, &at);
    if (rc) return rc;
  }
  if (o->ops->suspects) o->ops->suspects(o->osi, x->p, w);
  if (o->s.k->nmoving && !o->s.unscaled) ns_contacts_suspects(o->s.k, x->p, w);
  return NS_OK;
}

/* Positions of the iterate to their constraints, and what depends on them. */
static int project(void *self, ns_ctx *c, int *again)
{
  lagrangian *o = self;
  int moved;
  if (!o->projection) return NS_OK;
  int rc = ns_projection_apply(o->projection, c, o->s.x, o->ops->position(o->osi),
                               o->ops->velocity(o->osi), &moved);
  if (!rc && moved) rc = o->ops->moved(o->osi, c);
  *again = !rc && o->ops->projecting == NS_PROJECT_COMBINED &&
           ns_projection_join(o->projection, o->s.x);
  return rc;
}

/* ---- accept ---------------------------------------------------------------------------------- */

static int commit(void *self, ns_ctx *c, ns_recorder *rec)
{
  lagrangian *o = self;
  (void)rec;
  int rc = o->s.k->nmoving ? ns_contacts_foresee(o->s.k, c, o->s.x, o->q, o->ops->velocity(o->osi))
                           : NS_OK;
  if (!rc && !o->s.k->plain) ns_contacts_before(o->s.k, o->s.x);
  return rc ? rc : o->ops->commit(o->osi, c, o->s.x);
}

static inline int accepted(lagrangian *o, ns_ctx *c, ns_recorder *rec)
{
  const ns_contacts *k = o->s.k;
  ns_contact_history_keep(&o->history);
  int rc = ns_contacts_output(o->s.k, c, o->s.x);
  if (rc) return rc;
  if (!k->plain) ns_contacts_work(k, o->s.x);
  return k->n || o->history.loaded ? ns_contact_history_events(&o->history, c, rec) : NS_OK;
}

static int accept(void *self, ns_ctx *c, ns_recorder *rec) { return accepted(self, c, rec); }

/* ---- short ways ------------------------------------------------------------------------------ */

/* Linear systems: one pass is the solution, and nothing is asked of it. */
static int step_linear(lagrangian *o, ns_ctx *c)
{
  ns_state *x = o->s.x;
  double residual, *v = o->ops->velocity(o->osi);
  int changed = 0, rc = o->ops->begin(o->osi, c, x, o->s.t1, o->s.h);
  ns_outcome out;
  if (rc) return rc;
  ns_contacts_activate(o->s.k, x, o->s.t1, o->s.h);
  rc = o->ops->vfree(o->osi, c, &changed);
  if (rc) return rc;
  ns_contacts_assemble(o->s.k, x, v, changed);
  rc = ns_contacts_solve(o->s.k, c, &out);
  if (rc) return rc;
  if (out.kind != NS_SOLVED && !ns_accept_unsolved(c, o->s.m, x, &out))
    return ns_unsolved(o->s.k, x, c, &out);
  ns_contacts_apply(o->s.k, v);
  rc = o->ops->iterate(o->osi, c, x->p, &residual);
  if (!rc && !o->s.k->plain) ns_contacts_before(o->s.k, x);
  if (!rc) rc = o->ops->commit(o->osi, c, x);
  if (rc) return rc;
  *x->report = (ns_step_report){.newton = 1,
                                .iterations = out.iterations,
                                .residual = out.residual,
                                .active = o->s.k->n,
                                .unsolved = out.kind != NS_SOLVED};
  return NS_OK;
}

static inline int act(lagrangian *o, ns_ctx *c, double *v, ns_step_report *report)
{
  ns_outcome out;
  int rc = ns_contacts_act(o->s.k, c, o->s.x, v, &out);
  if (rc) return rc;
  if (out.kind != NS_SOLVED) {
    if (!ns_accept_unsolved(c, o->s.m, o->s.x, &out)) return ns_unsolved(o->s.k, o->s.x, c, &out);
    ns_contacts_apply(o->s.k, v);
  }
  report->iterations = out.iterations;
  report->residual = out.residual;
  report->active = o->s.k->n;
  report->unsolved = out.kind != NS_SOLVED;
  return NS_OK;
}

/* A steady motion: what begin, vfree, iterate and commit do to it, in the same order, without them.
 */
static int step_steady(lagrangian *o, ns_ctx *c)
{
  ns_state *x = o->s.x;
  const ns_steady_motion *s = &o->motion;
  const double *gain = s->gain, *mass = s->mass, *force = s->force, h = o->s.h,
               a = h * o->s.m->sim.mj.theta;
  const double b = h * (1 - o->s.m->sim.mj.theta);
  double *restrict v = s->v, *restrict q = s->q, *restrict v0 = x->v, *restrict q0 = x->q, T = 0,
                   U = 0;
  size_t n = o->s.m->nv;
  ns_linear_sum(n, v0, 1, gain, v);
  ns_contacts_activate(o->s.k, x, o->s.t1, h);
  *x->report = (ns_step_report){.newton = 1};
  int rc = o->s.k->n ? act(o, c, v, x->report) : NS_OK;
  if (rc) return rc;
  for (size_t i = 0; i < n; i++) {
    q[i] = q0[i] + (a * v[i] + b * v0[i]);
    T += mass[i] * v[i] * v[i];
    U -= force[i] * q[i];
  }
  if (!isfinite(T / 2 + U)) { /* the sentence */
    rc = o->ops->begin(o->osi, c, x, o->s.t1, h);
    return rc ? rc : o->ops->commit(o->osi, c, x);
  }
  x->cert->kinetic = T / 2;
  x->cert->potential = U;
  for (size_t i = 0; i < n; i++) {
    q0[i] = q[i];
    v0[i] = v[i];
  }
  *x->t = o->s.t1;
  return NS_OK;
}

/* All of a step where there is a short way that shows nothing. */
static int step(void *self, ns_ctx *c, ns_recorder *rec)
{
  lagrangian *o = self;
  ns_state *x = o->s.x;
  if (!o->brief || o->s.w) return ns_time_stepping_step(o, c, rec);
  o->s.t1 = o->s.m->sim.t0 + (double)(*x->step + 1) * o->s.h;
  int rc = o->steady && o->warm ? step_steady(o, c) : step_linear(o, c);
  o->warm = !rc;
  if (rc) return rc;
  *x->step += 1;
  rc = accepted(o, c, rec);
  ns_certify(x, x->report);
  return rc;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

static int savable(const void *self)
{
  const lagrangian *o = self;
  return o->ops->memory && ns_contacts_savable(o->s.k);
}

static void save(const void *self, ns_blob *b)
{
  const lagrangian *o = self;
  ns_blob_put_reals(b, o->history.before, o->s.m->nrows);
  ns_contacts_save(o->s.k, b);
  o->ops->memory->save(o->osi, b);
}

static void restore(void *self, ns_blob *b)
{
  lagrangian *o = self;
  begin_run(o);
  ns_blob_get_reals(b, o->history.before, o->s.m->nrows);
  ns_contacts_restore(o->s.k, b);
  o->ops->memory->restore(o->osi, b);
}

const ns_strategy_ops ns_lagrangian_stepping = {
    NS_TIME_STEPPING(step),
    .help = "event-capturing: fixed steps, impacts inside them",
    .start = start,
    .report = ns_time_stepping_report,
    .savable = savable,
    .save = save,
    .restore = restore,
    .steps = &(const ns_step_ops){.size = sizeof(lagrangian),
                                  .create = fill,
                                  .destroy = destroy,
                                  .restart = restart,
                                  .begin = begin,
                                  .solve = solve,
                                  .advance = advance,
                                  .diverged = diverged,
                                  .project = project,
                                  .commit = commit,
                                  .accept = accept}};
