/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/timestepping.h"

#include "model/laws/problem.h"
#include "simulation/contact_events.h"
#include "simulation/controls.h"
#include "simulation/projection.h"
#include "simulation/failure.h"
#include "simulation/stepper.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Newton's equations hold to so many residuals of the one-step problem in them. */
enum { SLACK = 10 };

typedef struct time_stepping {
  const ns_model *m;
  ns_state *x;
  const ns_integrator_ops *ops;
  void *osi;
  ns_contacts *k;
  ns_controls *controls; /* NULL: none */
  ns_projection *projection; /* NULL: none */
  double h;
  const double *q; /* position of the iterate, the integrator's; NULL where no row asks for it */
  int linear, one_pass, newton_max;
  int plain; /* linear, plain rows, no supports, no controls, no projection: the short ways */
  int steady, warm; /* plain, and the motion is steady: the shortest one, after a step that was none */
  ns_steady_motion motion;
  ns_contact_history history;
  const ns_watch *w; /* NULL: nobody looks at problems */
  double *bounds;    /* [0, inf) for it [2 nrows] */
} time_stepping;

static void destroy(void *self)
{
  time_stepping *o = self;
  if (!o) return;
  ns_projection_destroy(o->projection);
  ns_contacts_destroy(o->k);
  ns_controls_destroy(o->controls);
  if (o->ops) o->ops->destroy(o->osi);
  free(o->history.before);
  free(o->bounds);
  free(o);
}

static void describe(const time_stepping *o, const ns_integrator_info *i, ns_plan *plan)
{
  const ns_contacts *k = o->k;
  const ns_simulation_options *s = &o->m->sim;
  *plan = (ns_plan){.strategy = ns_time_stepping.name,
                    .integrator = o->ops->name,
                    .problem = k->nrows ? ns_model_problem(o->m) : "none",
                    .solver = s->osnsp.solver,
                    .solver_note = ns_solver_note(k),
                    .storage = k->nrows == 0 ? "none" : k->unreduced ? "unreduced" : k->dense ? "dense" : "block-sparse",
                    .rows = k->nrows,
                    .nnz = ns_contacts_entries(k),
                    .systems_diagonal = i->diagonal,
                    .systems_dense = i->dense,
                    .systems_sparse = i->sparse,
                    .systems_nonlinear = i->nonlinear,
                    .systems_differenced = i->differenced,
                    .linear = o->one_pass,
                    .state_bytes = o->x->bytes,
                    .work_bytes = i->bytes + ns_contacts_bytes(k) + ns_controls_bytes(o->controls) + ns_projection_bytes(o->projection) +
                                  o->m->nrows * sizeof(double)};
}

static int create(ns_ctx *c, const ns_model *m, ns_state *x, ns_plan *plan, void **self)
{
  time_stepping *o = *self = calloc(1, sizeof *o);
  if (!o) return ns_nomem(c, "time-stepping");
  *o = (time_stepping){.m = m, .x = x, .h = m->sim.ts.h, .newton_max = m->sim.ts.newton_max};
  ns_integrator_info info;
  int rc = NS_OK;
  if (!(o->history.before = calloc(m->nrows + 1, sizeof(double))))
    rc = ns_nomem(c, "time-stepping");
  if (!rc && !(o->ops = ns_integrator_find(m->sim.integrator))) {
    char at[512];
    rc = ns_fail(c, NS_MODEL, "%s: there is no integrator \"%s\"; `nssim list schemes` names them",
                 ns_place_text(&m->sim.at, at, sizeof at), m->sim.integrator);
  }
  if (!rc) rc = o->ops->create(c, m, &o->osi);
  if (!rc) {
    o->ops->info(o->osi, &info);
    rc = ns_contacts_create(c, m, o->ops, o->osi, info.symmetric, &o->k);
  }
  if (!rc) {
    o->linear = info.linear && !o->k->nmoving;
    o->one_pass = o->linear || m->sim.ts.newton_linear;
  }
  if (!rc && o->ops->projecting != NS_PROJECT_NOT)
    rc = ns_projection_create(c, o->k, o->osi, o->ops->projecting == NS_PROJECT_COMBINED, &o->projection);
  if (!rc) rc = ns_controls_create(c, m, &o->controls);
  if (rc) {
    destroy(o);
    *self = NULL;
    return rc;
  }
  o->history.k = o->k;
  o->history.x = x;
  o->plain = o->linear && o->k->plain && !m->nboundaries && !o->controls && !o->projection && !m->values;
  o->steady = o->plain && o->ops->steady && o->ops->steady(o->osi, &o->motion);
  describe(o, &info, plan);
  return NS_OK;
}

static void begin_run(time_stepping *o)
{
  o->warm = 0;
  memset(o->x->p, 0, o->m->nv * sizeof *o->x->p);
  ns_contact_history_begin(&o->history);
}

static int start(void *self, ns_ctx *c)
{
  time_stepping *o = self;
  begin_run(o);
  return o->ops->start(o->osi, c, o->x);
}

/* Controls act; the forces that the state carries over are then those of the new z. */
static int sample(time_stepping *o, ns_ctx *c)
{
  int acted, rc = ns_controls_sample(o->controls, c, o->x, &acted);
  if (rc || !acted) return rc;
  ns_certificate keep = *o->x->cert;
  rc = o->ops->start(o->osi, c, o->x);
  *o->x->cert = keep;
  return rc;
}

static int changed(void *self, ns_ctx *c)
{
  time_stepping *o = self;
  o->warm = 0;
  ns_certificate *k = o->x->cert, was = *k;
  int rc = o->ops->start(o->osi, c, o->x);
  double kinetic = k->kinetic, potential = k->potential;
  *k = was;
  if (rc) return rc;
  k->work_force += kinetic + potential - k->kinetic - k->potential;
  k->kinetic = kinetic;
  k->potential = potential;
  return NS_OK;
}

/* ---- Newton loop -------------------------------------------------------------------------------- */

/* Impulses that led to the iterate, and how far it is from the solution: of the equations of motion, and of relations
 * whose rows have moved with it. */
static int advance(time_stepping *o, ns_ctx *c, const double *q, const double *v, double *residual)
{
  double moved = 0;
  if (!o->linear || o->m->nboundaries) ns_contacts_impulse(o->k, o->x->p);
  int rc = o->ops->iterate(o->osi, c, o->x->p, residual);
  if (o->m->sim.ts.newton_absolute) o->k->fresh = 0;
  else if (!rc && o->k->nmoving) rc = ns_contacts_settled(o->k, c, o->x, q, v, o->x->p, &moved);
  if (!(moved <= *residual)) *residual = moved;
  return rc;
}

/* Linear systems and plain rows: one pass is the solution, and nothing is asked of it. */
static int solve_plain(time_stepping *o, ns_ctx *c, ns_step_report *report)
{
  double residual, *v = o->ops->velocity(o->osi);
  int changed = 0, rc = o->ops->vfree(o->osi, c, &changed);
  ns_outcome out;
  if (rc) return rc;
  ns_contacts_assemble(o->k, o->x, v, changed);
  rc = ns_contacts_solve(o->k, c, &out);
  if (rc) return rc;
  if (out.kind != NS_SOLVED && !ns_accept_unsolved(c, o->m, o->x, &out)) return ns_unsolved(o->k, o->x, c, &out);
  ns_contacts_apply(o->k, v);
  report->newton = 1;
  report->newton_residual = 0;
  report->unsolved = out.kind != NS_SOLVED;
  report->iterations = out.iterations;
  report->residual = out.residual;
  report->active = o->k->n;
  return o->ops->iterate(o->osi, c, o->x->p, &residual);
}

/* Newton's method has come to its end without an iterate that solves the step. */
static int diverged(time_stepping *o, ns_ctx *c, double residual)
{
  const ns_state *x = o->x;
  const double *v = o->ops->velocity(o->osi);
  ns_suspect w = {0};
  if (isnan(residual)) {
    ns_moment at = {.from = *x->t, .t = *x->t + o->h, .q = o->q ? o->q : x->q, .v = v, .z = x->z, .q0 = x->q, .v0 = x->v};
    int rc = ns_fail_function(c, o->m, &at);
    if (!rc) rc = ns_fail_coordinate(c, o->m, &at);
    if (rc) return rc;
  }
  if (o->ops->suspects) o->ops->suspects(o->osi, x->p, &w);
  if (o->k->nmoving && !o->m->sim.ts.newton_absolute) ns_contacts_suspects(o->k, x->p, &w);
  return ns_fail_newton(c, o->m, *x->t, residual, &w, o->newton_max);
}

static int newton(time_stepping *o, ns_ctx *c, ns_step_report *report)
{
  if (o->plain && !o->w) return solve_plain(o, c, report);
  double residual = 0, *v = o->ops->velocity(o->osi);
  const double *q = o->q = o->k->nmoving || o->k->compliant ? o->ops->predict(o->osi) : NULL;
  int iterations = 0;
  ns_outcome out;
  for (int it = 1; it <= o->newton_max; it++) {
    int changed = 0, rc = q ? ns_contacts_follow(o->k, c, o->x, q, v) : NS_OK;
    if (!rc) rc = o->ops->vfree(o->osi, c, &changed);
    if (rc) return rc;
    ns_contacts_assemble(o->k, o->x, v, changed);
    if (o->w) ns_show_guess(o->k, o->bounds);
    rc = ns_contacts_solve(o->k, c, &out);
    if (rc) return rc;
    if (o->w) ns_show_problem(o->k, o->x, o->w, o->bounds, &out);
    if (out.kind != NS_SOLVED && !ns_accept_unsolved(c, o->m, o->x, &out)) return ns_unsolved(o->k, o->x, c, &out);
    iterations += out.iterations;
    ns_contacts_apply(o->k, v);
    rc = advance(o, c, q, v, &residual);
    if (rc) return rc;
    if (!o->m->sim.ts.newton_absolute) /* impulses are not known better */
      residual /= 1 + SLACK * out.residual / (o->m->sim.ts.newton_rtol + DBL_EPSILON);
    *report = (ns_step_report){.newton = it,
                               .newton_residual = residual,
                               .iterations = iterations,
                               .residual = out.residual,
                               .active = o->k->n,
                               .unsolved = out.kind != NS_SOLVED};
    if (o->one_pass || residual <= 1) return NS_OK;
    if (isnan(residual)) break;
  }
  if (!ns_accept_newton(c, o->m, o->x, residual)) return diverged(o, c, residual);
  report->unsolved = 1;
  return NS_OK;
}

/* ---- projection ------------------------------------------------------------------------------------ */

/* Positions of the iterate to their constraints, and what depends on them. */
static int project(time_stepping *o, ns_ctx *c)
{
  int moved;
  int rc = ns_projection_apply(o->projection, c, o->x, o->ops->position(o->osi), o->ops->velocity(o->osi), &moved);
  return rc || !moved ? rc : o->ops->moved(o->osi, c);
}

/* Rounds until no contact joins the set. Each adds one at least, so they come to an end. */
static int combined(time_stepping *o, ns_ctx *c, double t1)
{
  ns_projection_begin(o->projection, o->x, t1, o->h);
  for (;;) {
    int rc = newton(o, c, o->x->report);
    if (!rc) rc = project(o, c);
    if (rc || !ns_projection_join(o->projection, o->x)) return rc;
    rc = o->ops->begin(o->osi, c, o->x, t1, o->h);
    if (rc) return rc;
  }
}

static int projected(time_stepping *o, ns_ctx *c, double t1)
{
  if (o->ops->projecting == NS_PROJECT_COMBINED) return combined(o, c, t1);
  ns_projection_activate(o->projection, o->x, t1, o->h);
  int rc = newton(o, c, o->x->report);
  return rc ? rc : project(o, c);
}

/* ---- accept ---------------------------------------------------------------------------------------- */

/* What follows from a step whose state is accepted. */
static inline int accepted(time_stepping *o, ns_ctx *c, ns_recorder *rec)
{
  ns_state *x = o->x;
  const ns_contacts *k = o->k;
  ns_contact_history_keep(&o->history);
  int rc = ns_contacts_output(o->k, c, x);
  if (rc) return rc;
  if (!k->plain) ns_contacts_work(k, x);
  *x->step += 1;
  ns_certify(x, x->report);
  return k->n || o->history.loaded ? ns_contact_history_events(&o->history, c, rec) : NS_OK;
}

static int step_plain(time_stepping *o, ns_ctx *c, double t1)
{
  ns_state *x = o->x;
  int rc = o->ops->begin(o->osi, c, x, t1, o->h);
  if (rc) return rc;
  ns_contacts_activate(o->k, x, t1, o->h);
  rc = newton(o, c, x->report);
  return rc ? rc : o->ops->commit(o->osi, c, x);
}

static inline int act(time_stepping *o, ns_ctx *c, double *v, ns_step_report *report)
{
  ns_outcome out;
  int rc = ns_contacts_act(o->k, c, o->x, v, &out);
  if (rc) return rc;
  if (out.kind != NS_SOLVED) {
    if (!ns_accept_unsolved(c, o->m, o->x, &out)) return ns_unsolved(o->k, o->x, c, &out);
    ns_contacts_apply(o->k, v);
  }
  report->iterations = out.iterations;
  report->residual = out.residual;
  report->active = o->k->n;
  report->unsolved = out.kind != NS_SOLVED;
  return NS_OK;
}

/* A steady motion: what begin, vfree, iterate and commit do to it, in the same order, without them. */
static int step_steady(time_stepping *o, ns_ctx *c, double t1)
{
  ns_state *x = o->x;
  const ns_steady_motion *s = &o->motion;
  const double *gain = s->gain, *mass = s->mass, *force = s->force, h = o->h, a = h * o->m->sim.mj.theta;
  const double b = h * (1 - o->m->sim.mj.theta);
  double *restrict v = s->v, *restrict q = s->q, *restrict v0 = x->v, *restrict q0 = x->q, T = 0, U = 0;
  size_t n = o->m->nv;
  for (size_t i = 0; i < n; i++) v[i] = v0[i] + gain[i];
  ns_contacts_activate(o->k, x, t1, h);
  *x->report = (ns_step_report){.newton = 1};
  int rc = o->k->n ? act(o, c, v, x->report) : NS_OK;
  if (rc) return rc;
  for (size_t i = 0; i < n; i++) {
    q[i] = q0[i] + (a * v[i] + b * v0[i]);
    T += mass[i] * v[i] * v[i];
    U -= force[i] * q[i];
  }
  if (!isfinite(T / 2 + U)) { /* the sentence */
    rc = o->ops->begin(o->osi, c, x, t1, h);
    return rc ? rc : o->ops->commit(o->osi, c, x);
  }
  x->cert->kinetic = T / 2;
  x->cert->potential = U;
  for (size_t i = 0; i < n; i++) {
    q0[i] = q[i];
    v0[i] = v[i];
  }
  *x->t = t1;
  return NS_OK;
}

static int step_any(time_stepping *o, ns_ctx *c, double t1)
{
  ns_state *x = o->x;
  int rc = o->controls ? sample(o, c) : NS_OK;
  if (!rc && o->m->values) rc = ns_contacts_renew_laws(o->k, c, x, o->h);
  if (!rc) rc = o->ops->begin(o->osi, c, x, t1, o->h);
  if (!rc && o->projection) rc = projected(o, c, t1);
  else if (!rc) {
    ns_contacts_activate(o->k, x, t1, o->h);
    rc = newton(o, c, x->report);
  }
  if (!rc && o->k->nmoving) rc = ns_contacts_foresee(o->k, c, x, o->q, o->ops->velocity(o->osi));
  if (!rc && !o->k->plain) ns_contacts_before(o->k, x);
  if (!rc) rc = o->ops->commit(o->osi, c, x);
  if (rc && o->controls) ns_controls_undo(o->controls, x);
  return rc;
}

int ns_time_stepping_to(void *self, ns_ctx *c, ns_recorder *rec, double t1, double h)
{
  time_stepping *o = self;
  int steady = o->steady && o->warm && h == o->h && !o->w; /* its gain is that of the last h */
  o->h = h;
  int rc = steady ? step_steady(o, c, t1) : o->plain ? step_plain(o, c, t1) : step_any(o, c, t1);
  o->warm = !rc;
  return rc ? rc : accepted(o, c, rec);
}

static int step(void *self, ns_ctx *c, ns_recorder *rec)
{
  const time_stepping *o = self;
  return ns_time_stepping_to(self, c, rec, o->m->sim.t0 + (double)(*o->x->step + 1) * o->h, o->h);
}

static void report(void *self)
{
  time_stepping *o = self;
  ns_contacts_report(o->k, o->x);
}

static int watch(void *self, ns_ctx *c, const ns_watch *w)
{
  time_stepping *o = self;
  int rc = ns_show_bounds(o->m, c, &o->bounds);
  if (!rc) o->w = w;
  return rc;
}

/* ---- checkpoints -------------------------------------------------------------------------------------- */

static int savable(const void *self)
{
  const time_stepping *o = self;
  return o->ops->memory && ns_contacts_savable(o->k);
}

static void save(const void *self, ns_blob *b)
{
  const time_stepping *o = self;
  ns_blob_put_reals(b, o->history.before, o->m->nrows);
  ns_contacts_save(o->k, b);
  o->ops->memory->save(o->osi, b);
}

static void restore(void *self, ns_blob *b)
{
  time_stepping *o = self;
  begin_run(o);
  ns_blob_get_reals(b, o->history.before, o->m->nrows);
  ns_contacts_restore(o->k, b);
  o->ops->memory->restore(o->osi, b);
}

static const ns_memory memory = {.save = save, .restore = restore};

const ns_strategy_ops ns_time_stepping = {.size = sizeof ns_time_stepping,
                                          .name = "TimeStepping",
                                          .help = "event-capturing: steps of one length, impacts inside them",
                                          .create = create,
                                          .start = start,
                                          .step = step,
                                          .report = report,
                                          .destroy = destroy,
                                          .changed = changed,
                                          .watch = watch,
                                          .memory = &memory,
                                          .savable = savable};
