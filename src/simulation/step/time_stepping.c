/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/time_stepping.h"

#include "model/law_values.h"
#include "simulation/step/failure.h"
#include "simulation/step/state_outputs.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What `newton` returns where there is another attempt. */
enum { AGAIN = 1 };

/* ---- creation -------------------------------------------------------------------------------- */

int ns_time_stepping_create(const ns_strategy_ops *ops, ns_ctx *c, const ns_model *m, ns_state *x,
                            ns_plan *plan, void **self)
{
  ns_time_stepping *o = *self = ns_arena_object(ops->steps->size, offsetof(ns_time_stepping, mem));
  if (!o) return ns_nomem(c, "time-stepping");
  *o = (ns_time_stepping){.mem = o->mem, .ops = ops->steps, .m = m, .x = x, .h = m->sim.ts.h};
  int rc = o->ops->create(o, c, plan);
  if (!rc) rc = ns_controls_create(c, m, &o->controls);
  if (!rc && o->controls)
    rc = ns_time_stepping_vectors(o, c, ns_state_outputs_work(m), 1, (double **[]){&o->work});
  if (!rc) plan->work_bytes += ns_controls_bytes(o->controls) + ns_arena_used(o->mem);
  if (!rc) return NS_OK;
  ns_time_stepping_destroy(o);
  *self = NULL;
  return rc;
}

int ns_time_stepping_vectors(ns_time_stepping *o, ns_ctx *c, size_t n, size_t count,
                             double **const *list)
{
  for (size_t i = 0; i < count; i++)
    if (!(*list[i] = ns_arena_zero(o->mem, n, sizeof(double)))) return ns_nomem(c, "time-stepping");
  return NS_OK;
}

int ns_time_stepping_over(ns_time_stepping *o, ns_ctx *c, ns_stepper *s, const char *scheme,
                          int laws, double b, double k, ns_plan *plan)
{
  o->stepper = s;
  int rc = ns_stepper_init(c, o->m, o->x, scheme, laws, b, k, s);
  if (rc) return rc;
  o->k = s->k;
  ns_stepper_describe(s, scheme, plan);
  return NS_OK;
}

void ns_time_stepping_destroy(void *self)
{
  ns_time_stepping *o = self;
  if (!o) return;
  ns_controls_destroy(o->controls);
  if (o->ops->destroy) o->ops->destroy(o);
  if (o->stepper) ns_stepper_fini(o->stepper);
  free(o->bounds);
  ns_arena_destroy(o->mem);
}

int ns_time_stepping_watch(void *self, ns_ctx *c, const ns_watch *w)
{
  ns_time_stepping *o = self;
  int rc = NS_OK;
  if (o->stepper) rc = ns_stepper_watch(o->stepper, c, w);
  else if (o->k) rc = ns_show_bounds(o->m, c, &o->bounds);
  if (!rc) o->w = w;
  return rc;
}

void ns_time_stepping_report(void *self)
{
  const ns_time_stepping *o = self;
  ns_contacts_report(o->k, o->x);
}

int ns_time_stepping_savable(const void *self)
{
  return ns_contacts_savable(((const ns_time_stepping *)self)->k);
}

/* ---- the state from outside ------------------------------------------------------------------ */

/* Forces of the state as it is; its energies to *now. */
static int restart(ns_time_stepping *o, ns_ctx *c, int set, ns_certificate *now)
{
  ns_certificate keep = *o->x->cert;
  int rc = o->ops->restart(o, c, set);
  *now = *o->x->cert;
  *o->x->cert = keep;
  return rc;
}

/* Controls act; gaps and forces are then those of the new z. */
static int sample(ns_time_stepping *o, ns_ctx *c)
{
  ns_certificate now;
  int acted, rc = ns_controls_sample(o->controls, c, o->x, &acted);
  if (!rc && acted) rc = ns_state_outputs(o->m, c, o->x, 1, o->work);
  return rc || !acted ? rc : restart(o, c, 0, &now);
}

int ns_time_stepping_changed(void *self, ns_ctx *c)
{
  ns_time_stepping *o = self;
  ns_certificate now, *k = o->x->cert;
  int rc = restart(o, c, 1, &now);
  if (rc) return rc;
  k->work_force += now.kinetic + now.potential - k->kinetic - k->potential;
  k->kinetic = now.kinetic;
  k->potential = now.potential;
  return NS_OK;
}

/* ---- passes of Newton's method --------------------------------------------------------------- */

/* Newton's equations hold to so many residuals of the one-step problem in them: impulses are not
 * known better. */
static double scaled(const ns_time_stepping *o, const ns_pass *p)
{
  enum { SLACK = 10 };
  if (o->unscaled) return p->residual;
  return p->residual / (1 + SLACK * p->out.residual / (o->m->sim.ts.newton_rtol + DBL_EPSILON));
}

static int pass(ns_time_stepping *o, ns_ctx *c, ns_pass *p)
{
  int rc = o->ops->solve(o, c, p);
  if (rc) return rc;
  if (p->out.kind != NS_SOLVED && !ns_accept_unsolved(c, o->m, o->x, &p->out))
    return o->ops->unsolved ? o->ops->unsolved(o, c, &p->out) : ns_unsolved(o->k, o->x, c, &p->out);
  rc = o->ops->advance(o, c, p);
  p->residual = scaled(o, p);
  o->report = (ns_step_report){.newton = p->number,
                               .newton_residual = p->residual,
                               .iterations = o->report.iterations + p->out.iterations,
                               .residual = p->out.residual,
                               .active = p->active,
                               .unsolved = p->out.kind != NS_SOLVED};
  return rc;
}

/* Impulses that solve the problem to its tolerance are not asked to change, and a body far smaller
 * than the largest may need better ones: passes that come no nearer ask for more. */
static double sharper(const ns_pass *p)
{
  static const double GAIN = 1e-2, MIN = 1e-14;
  return fmax(GAIN * p->out.residual, MIN);
}

static int diverged(ns_time_stepping *o, ns_ctx *c, double residual)
{
  ns_suspect w = {0};
  int rc = o->ops->diverged(o, c, residual, &w);
  return rc ? rc : ns_fail_newton(c, o->m, *o->x->t, residual, &w, o->m->sim.ts.newton_max);
}

static int newton(ns_time_stepping *o, ns_ctx *c)
{
  enum { STALLED = 8, IDLE = 4 };
  const ns_time_stepping_options *t = &o->m->sim.ts;
  double halved = INFINITY; /* the residual when it was last halved */
  ns_pass p = {.number = 0};
  o->report.iterations = 0;
  for (int idle = 0; p.number < t->newton_max; idle++) {
    p.number++;
    p.rested = p.stalled;
    p.stalled |= idle >= STALLED && o->may_stall;
    int rc = pass(o, c, &p);
    if (rc || o->one_pass || t->newton_linear || p.residual <= 1) return rc;
    if (isnan(p.residual)) break;
    if (idle >= IDLE) p.tol = sharper(&p);
    if (!(p.residual < halved / 2)) continue;
    halved = p.residual;
    idle = -1;
  }
  if (!isnan(p.residual) && o->ops->retry && o->ops->retry(o)) return AGAIN;
  if (!ns_accept_newton(c, o->m, o->x, p.residual)) return diverged(o, c, p.residual);
  o->report.unsolved = 1;
  return NS_OK;
}

/* ---- the step -------------------------------------------------------------------------------- */

static int velocities(ns_time_stepping *o, ns_ctx *c)
{
  int rc = AGAIN;
  for (o->attempt = 0; rc == AGAIN;) {
    rc = o->ops->begin(o, c);
    if (!rc) rc = newton(o, c);
  }
  if (!rc && o->ops->solved) o->ops->solved(o);
  return rc;
}

/* All of the step at once; after a failure z is that of the begin. */
static int make(ns_time_stepping *o, ns_ctx *c)
{
  double *z = o->stepper->kept;
  memcpy(z, o->x->z, o->m->nz * sizeof *z);
  o->report = (ns_step_report){.newton = 1};
  int rc = o->ops->make(o, c, &o->report);
  if (rc) memcpy(o->x->z, z, o->m->nz * sizeof *z);
  return rc;
}

/* Velocities, impulses and positions. Each round has one contact more at least, so they come to an
 * end. */
static int rounds(ns_time_stepping *o, ns_ctx *c)
{
  int rc = NS_OK, again = 1;
  for (o->round = 0; again && !rc; o->round++) {
    again = 0;
    rc = velocities(o, c);
    if (!rc && o->ops->project) rc = o->ops->project(o, c, &again);
  }
  return rc;
}

/* Parameters of laws that are formulas. */
static int renew_laws(ns_time_stepping *o, ns_ctx *c)
{
  int rc = ns_law_values_step(o->m, c, o->x, o->h);
  if (rc || o->ops->take_laws) return rc ? rc : o->ops->take_laws(o, c);
  ns_contacts_take_laws(o->k, o->h);
  return NS_OK;
}

static int move(ns_time_stepping *o, ns_ctx *c, ns_recorder *rec)
{
  int rc = o->controls ? sample(o, c) : NS_OK;
  if (!rc && o->m->values) rc = renew_laws(o, c);
  if (!rc) rc = o->ops->make ? make(o, c) : rounds(o, c);
  if (!rc) rc = o->ops->commit(o, c, rec);
  if (!rc) *o->x->report = o->report;
  else if (o->controls) ns_controls_undo(o->controls, o->x);
  return rc;
}

int ns_time_stepping_to(void *self, ns_ctx *c, ns_recorder *rec, double t1, double h)
{
  ns_time_stepping *o = self;
  ns_state *x = o->x;
  o->t1 = t1;
  o->h = h;
  o->recorded = rec && ns_contacts_recorded(o->m);
  int rc = move(o, c, rec);
  if (rc) return rc;
  *x->step += 1;
  rc = o->ops->accept(o, c, rec);
  ns_certify(x, x->report);
  return rc;
}

int ns_time_stepping_step(void *self, ns_ctx *c, ns_recorder *rec)
{
  const ns_time_stepping *o = self;
  double t1 = o->m->sim.t0 + (double)(*o->x->step + 1) * o->h;
  return ns_time_stepping_to(self, c, rec, t1, o->h);
}
