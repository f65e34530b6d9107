/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_hybrid.c -- accumulation="time-stepping": impacts that follow each other too fast
 * for events.
 *
 * Impacts of a contact accumulate where the last of its flights was shorter than FLIGHT steps of
 * hybridStep, or where there are more than maxEvents of them. From there Moreau-Jean steps
 * (time_stepping.h), which do not care how many impacts they have in them, take the whole model on,
 * on the same state, until each contact either has been at rest for REST steps or has flown for
 * longer than any flight that accumulates. Then what rests is put back to y = ydot = 0 as an event,
 * and the flow begins anew. The contact rests at its time to O(h).
 *
 * Of a run of systems of several kinds, mechanics is a part: these steps are the host's, of all
 * systems (mixed_events_step.c); when they begin and end, and what is an impact, is said here.
 *
 * An impulse P on a row is an impact where most of what it does, D_rr P, is to turn the approach
 * back, (1 + e) |ydot|, and else it carries what rests there. Forces lambda of rows of the output
 * are impulses by the length of their step. Conditions of the user are looked at after each step
 * and bring the events back. */
#include "algebra/vector.h"
#include "simulation/events/event_driven_modes.h"

#include "model/law_values.h"
#include "simulation/events/event_queue.h"
#include "simulation/record/events.h"
#include "simulation/step/lagrangian_stepping.h"
#include "simulation/step/rigid_stepping.h"
#include "simulation/step/time_stepping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES = 3 }; /* so many impacts without rest are a series */
enum { FLIGHT = 8 }; /* steps, of a flight that accumulates */
enum { FLIES = 10 }; /* steps without an impulse, and */
enum { REST = 3 };   /* steps without an impact after which events can go on */
enum { TURNS = 3 };  /* D_rr P of an impact by what turns it back, at most */
enum { STEPS = 10 }; /* of the grid, where there is no hybridStep */

/* ---- the scheme ------------------------------------------------------------------------------ */

int ns_hybrid_scheme_create(ns_ctx *c, const ns_model *m, ns_state *x, const ns_strategy_ops *ops,
                            double h, ns_hybrid_scheme *s)
{
  ns_plan plan;
  s->ops = ops;
  s->model = *m;
  s->model.ncontrols = 0;       /* the run samples them */
  s->model.contact.nshapes = 0; /* their contacts are interactions */
  s->model.sim.strategy = ns_lagrangian_stepping.name;
  s->model.sim.integrator = "MoreauJeanOSI";
  s->model.sim.ts.h = h;
  return ops->create(ops, c, &s->model, x, &plan, &s->self);
}

void ns_hybrid_scheme_fini(ns_hybrid_scheme *s)
{
  if (s->ops) s->ops->destroy(s->self);
}

int ns_hybrid_scheme_refresh(const ns_hybrid_scheme *s, ns_ctx *c, ns_state *x)
{
  ns_certificate keep = *x->cert;
  int rc = s->ops->start(s->self, c);
  *x->cert = keep;
  return rc;
}

int ns_hybrid_scheme_step(const ns_hybrid_scheme *s, ns_ctx *c, ns_state *x, double t1, double h)
{
  long long step = *x->step, steps = x->cert->steps, impacts = x->cert->impacts;
  int rc = ns_time_stepping_to(s->self, c, NULL, t1, h);
  *x->step = step;
  x->cert->steps = steps;
  x->cert->impacts = impacts;
  return rc;
}

int ns_hybrid_scheme_savable(const ns_hybrid_scheme *s)
{
  return !s->ops || !s->ops->savable || s->ops->savable(s->self);
}

/* ---- creation -------------------------------------------------------------------------------- */

static int refuse(const event_driven *o, ns_ctx *c)
{
  if (o->overlaps.n)
    return ns_fail_at(c, NS_MODEL, &o->s.m->sim.at,
                      "accumulation=\"time-stepping\" with CompliantFrictionNSL, whose springs "
                      "cannot be passed back from time-stepping; expected accumulation=\"stick\"");
  if (o->nbonds)
    return ns_fail_at(c, NS_MODEL, &o->s.m->sim.at,
                      "accumulation=\"time-stepping\" with bonds, whose state cannot be passed "
                      "back from time-stepping; expected accumulation=\"stick\"");
  if (!o->marching.wanted) return NS_OK;
  return ns_fail_at(
      c, NS_MODEL, &o->s.m->sim.at,
      "accumulation=\"time-stepping\" with MultipleImpactNSL, whose impacts time-stepping does "
      "not support; expected NewtonImpactNSL, or accumulation=\"stick\"");
}

int ns_ed_hybrid_create(event_driven *o, ns_ctx *c)
{
  const ns_model *m = o->s.m;
  ns_hybrid *y = &o->hybrid;
  if (o->opt->accumulation != NS_ACCUMULATION_STEP) return NS_OK;
  int rc = refuse(o, c);
  if (rc) return rc;
  y->wanted = 1;
  y->longest = o->opt->hybrid_step > 0 ? o->opt->hybrid_step : m->sim.ts.h / STEPS;
  /* the run does not know yet how many of them have conditions */
  size_t nuser = (size_t)(o->run.host ? o->run.host->run->m : m)->nuser_events;
  const ns_array want[] = {
      {&y->last, m->nrows, sizeof *y->last},        {&y->taken, m->nrows, sizeof *y->taken},
      {&y->calm, m->nrows, sizeof *y->calm},        {&y->flown, m->nrows, sizeof *y->flown},
      {&y->was, 2 * m->nrows, sizeof *y->was},      {&y->margin, 2 * nuser, sizeof *y->margin},
      {&y->mobility, m->nrows, sizeof *y->mobility}};
  if (ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want))
    return ns_nomem(c, "time-stepping between events");
  ns_fill(m->nrows, -INFINITY, y->last);
  if (o->run.host) return NS_OK;
  int rigid = ns_model_family(m) == NS_FAMILY_RIGID;
  const ns_strategy_ops *ops = rigid ? &ns_rigid_time_stepping : &ns_lagrangian_stepping;
  return ns_hybrid_scheme_create(c, m, o->s.x, ops, y->longest, &y->scheme);
}

void ns_ed_hybrid_fini(event_driven *o) { ns_hybrid_scheme_fini(&o->hybrid.scheme); }

/* ---- begin ----------------------------------------------------------------------------------- */

int ns_ed_hybrid_due(event_driven *o)
{
  ns_hybrid *y = &o->hybrid;
  double t = *o->s.x->t;
  int due = 0;
  for (int r = 0; r < o->s.k->nrows && y->wanted; r++) {
    if (!o->closing[r]) continue;
    due |= o->flights[r] + 1 >= SERIES && t - y->last[r] < FLIGHT * y->longest;
    y->last[r] = t;
  }
  return due;
}

int ns_ed_hybrid_begin(event_driven *o)
{
  ns_hybrid *y = &o->hybrid;
  size_t rows = o->s.m->nrows;
  y->active = 1;
  y->h = 0;
  memset(y->taken, 0, rows * sizeof *y->taken);
  memset(y->calm, 0, rows * sizeof *y->calm);
  memset(y->flown, 0, rows * sizeof *y->flown);
  for (size_t r = 0; r < rows; r++) y->mobility[r] = ns_ed_diagonal(o->s.k, (int)r);
  ns_ed_regions_free(o);
  ns_law_values_forget(o->s.x, o->s.m);
  if (o->run.host) return NS_OK; /* which does the rest once all is settled */
  int rc = ns_hybrid_scheme_refresh(&y->scheme, o->run.c, o->s.x);
  if (!rc) ns_event_run_anchor(&o->run);
  return rc;
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* Equal steps to `end`: how many, of length y->h, which stays where it fits. */
static double divide(ns_hybrid *y, double left)
{
  double n = fmax(1, ceil(left / y->longest - 1e-6));
  if (fabs(n * y->h - left) > 1e-9 * y->h) y->h = left / n;
  return n;
}

static int is_impact(const event_driven *o, int r, double before, double P)
{
  double turned = -(1 + o->s.k->restitution[r]) * before;
  return P > 0 && before < -o->opt->speed_tol && o->hybrid.mobility[r] * P <= TURNS * turned;
}

static int tell(event_driven *o, int r, double before, double P)
{
  const ns_state *x = o->s.x;
  int i = o->s.k->interaction[r], mode = o->held[r] ? NS_ROW_CLOSED : NS_ROW_FREE;
  ns_event e = {.t = *x->t,
                .kind = NS_EVENT_IMPACT,
                .interaction = i,
                .row = r - (int)o->s.m->interactions[i].row,
                .before = before,
                .after = x->ydot[r],
                .impulse = P};
  ns_events_note(&e, mode, mode);
  return ns_ed_report(o, &e);
}

/* What a contact did in the step. */
static int look(event_driven *o, int r, double before)
{
  ns_hybrid *y = &o->hybrid;
  ns_state *x = o->s.x;
  double P = x->lambda[r];
  int impact = is_impact(o, r, before, P);
  y->flown[r] = P > 0 ? 0 : y->flown[r] + y->h;
  y->calm[r] = impact ? 0 : y->calm[r] + y->h;
  o->flights[r] += impact;
  x->cert->impacts += impact;
  if (!impact) return NS_OK;
  ns_keep_max(&x->cert->approach_max, -before);
  return o->run.rec || o->run.host ? tell(o, r, before, P) : NS_OK;
}

/* It has been loaded in this step or the last one, and there was no impact for some time; it has
 * not been loaded for some time. */
static int is_at_rest(const ns_hybrid *y, int r)
{
  return y->flown[r] < 1.5 * y->longest && y->calm[r] > (REST - 0.5) * y->longest;
}
static int flies(const ns_hybrid *y, int r) { return y->flown[r] > (FLIES - 0.5) * y->longest; }

/* The contacts after a step; o->speed: ydot before it. *calm: each of them flies or is at rest. */
static int look_around(event_driven *o, int *calm)
{
  ns_hybrid *y = &o->hybrid;
  const ns_state *x = o->s.x;
  int rc = NS_OK;
  *calm = 1;
  for (int r = 0; r < o->s.k->nrows && !rc; r++) {
    y->taken[r] -= x->lambda[r] * (o->speed[r] + x->ydot[r]) / 2;
    if (!ns_has_events(o->s.k, r)) continue;
    rc = look(o, r, o->speed[r]);
    *calm = *calm && (flies(y, r) || is_at_rest(y, r));
  }
  return rc;
}

/* Conditions of the user that became true, or false, in the step. Those of memories of events hold
 * at once, and do not end it. */
static int conditions(const ns_hybrid *y, const ns_event_run *all)
{
  const double *was = y->margin, *is = was + all->nuser;
  int some = 0;
  for (int i = 0; i < all->nuser; i++) {
    all->user_fired[i] = 0;
    if (all->m->user_events[ns_user_events_of_root(all->user, i)].level) continue;
    int rises = was[i] < 0 && is[i] >= 0, falls = was[i] > 0 && is[i] <= 0,
        did = rises || falls ? ns_user_events_changed(all->user, i, rises, 0) : 0;
    some |= all->user_fired[i] = (unsigned char)did;
  }
  return some;
}

static int margins(const ns_event_run *all, double *g)
{
  return all->nuser ? ns_user_events_roots(all->user, all->c, all->x, g) : NS_OK;
}

/* One step of the scheme; impulses of x->lambda and back to forces. */
static int march(event_driven *o, double t1, int *calm)
{
  ns_hybrid *y = &o->hybrid;
  const ns_event_host *host = o->run.host;
  ns_state *x = o->s.x;
  size_t rows = o->s.m->nrows;
  int other = 0, rc = ns_ed_near_look(o, NS_ED_NEAR_ENOUGH, &other);
  if (rc) return rc;
  ns_scale(rows, y->h, x->lambda);
  memcpy(o->speed, x->ydot, rows * sizeof *o->speed);
  rc = host ? host->march(host->of, t1, y->h)
            : ns_hybrid_scheme_step(&y->scheme, o->run.c, x, t1, y->h);
  if (!rc) rc = look_around(o, calm);
  ns_divide(rows, y->h, x->lambda);
  return rc;
}

static int leave(event_driven *o)
{
  const ns_event_host *host = o->run.host;
  return host ? host->leave(host->of) : ns_ed_hybrid_leave(o);
}

static int advance(event_driven *o, ns_event_run *all, double end)
{
  ns_hybrid *y = &o->hybrid;
  double t = *o->s.x->t, n = divide(y, end - t);
  int calm = 0, asked = 0, rc = margins(all, y->margin);
  if (!rc) rc = march(o, n > 1 ? t + y->h : end, &calm);
  if (!rc) rc = margins(all, y->margin + all->nuser);
  if (!rc && all->rec) rc = ns_recorder_state(all->rec, all->c);
  if (!rc) asked = conditions(y, all);
  if (!rc && (calm || asked)) rc = leave(o);
  if (!rc && asked) rc = ns_event_run_mark(all);
  return rc || !asked ? rc : ns_event_run_fired(all);
}

/* Time-stepping stands in for the flow, up to known times as that does. */
int ns_ed_hybrid_stretch(event_driven *o, ns_event_run *all, double t1, double due, double *end,
                         ns_stretch *how)
{
  double known = ns_branches_next(all->branches), *t = all->x->t;
  *end = fmin(*end, known);
  *how = NS_STRETCH_DONE;
  int rc = advance(o, all, *end);
  /* its steps go over what jumps with the state */
  if (!rc) rc = ns_branches_jumped(all->branches, all->c);
  if (rc || all->stopped || !ns_event_same(&all->m->sim, *t, *end)) return rc;
  if (fmin(due, known) <= t1 && o->hybrid.active) rc = leave(o);
  if (!rc && known <= *end) {
    *t = *end;
    return ns_event_run_switch(all);
  }
  *how = NS_STRETCH_AT_END;
  return rc;
}

/* ---- back to events -------------------------------------------------------------------------- */

int ns_ed_hybrid_leave(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  ns_state *x = o->s.x;
  memcpy(o->hybrid.was, o->mode, 2 * (size_t)k->nunits);
  for (int u = 0; u < k->nunits; u++) ns_ed_guess(o, u, is_at_rest(&o->hybrid, k->unit[u].first));
  o->hybrid.active = 0;
  o->hybrid.settling = 1;
  int rc = ns_ed_free(o, *x->t, x->q, x->v);
  if (!rc) rc = ns_ed_hold(o, *x->t, x->q, x->v);
  if (!rc) rc = ns_ed_event(o);
  o->hybrid.settling = 0;
  return rc;
}

/* Positions of contacts that are not at rest, and that steps have left inside, onto their surface:
 * they leave it there, or strike it. */
static int put_out(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  const ns_state *x = o->s.x;
  int some = 0, rc = ns_ed_rows(o, *x->t, x->q, x->v, o->gap, o->speed);
  for (int u = 0; u < k->nunits && !rc; u++) {
    int r = k->unit[u].first;
    if (!ns_ed_is_unilateral(o, r) || o->held[r] || !(o->gap[r] < 0)) continue;
    ns_ed_set(o, u, NS_ED_CLOSED);
    some = 1;
  }
  if (some) rc = ns_ed_project_positions(o);
  for (int u = 0; u < k->nunits && some; u++)
    if (ns_ed_is_unilateral(o, k->unit[u].first) && !is_at_rest(&o->hybrid, k->unit[u].first))
      ns_ed_set(o, u, NS_ED_FREE);
  return rc;
}

int ns_ed_hybrid_settle(event_driven *o)
{
  ns_state *x = o->s.x;
  ns_certificate *k = x->cert;
  size_t rows = o->s.m->nrows;
  double energy = k->kinetic + k->potential, n = 0;
  memcpy(o->mode_before, o->hybrid.was, 2 * (size_t)o->s.k->nunits);
  int rc = put_out(o);
  if (!rc) rc = ns_ed_project(o);
  if (!rc) rc = ns_ed_output(o);
  if (rc) return rc;
  memcpy(o->gap, x->y, rows * sizeof *o->gap);
  memcpy(o->speed, x->ydot, rows * sizeof *o->speed);
  double change = k->kinetic + k->potential - energy; /* by the contacts that are put back, alike */
  k->work_contact += change;
  for (int r = 0; r < o->s.k->nrows; r++) n += o->held[r] && ns_has_events(o->s.k, r);
  for (int r = 0; r < o->s.k->nrows; r++)
    if (o->held[r] && ns_has_events(o->s.k, r)) o->removed[r] = o->hybrid.taken[r] - change / n;
  return NS_OK;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

static void pass(ns_hybrid *y, size_t nrows, ns_blob *b, int restore)
{
  size_t rows = nrows * sizeof(double);
  const ns_kept list[] = {{&y->active, sizeof y->active},
                          {&y->h, sizeof y->h},
                          {y->last, rows},
                          {y->taken, rows},
                          {y->calm, rows},
                          {y->flown, rows},
                          {y->mobility, rows}};
  ns_blob_pass(b, restore, list, sizeof list / sizeof *list);
}

void ns_ed_hybrid_save(const event_driven *o, ns_blob *b)
{
  if (!o->hybrid.wanted) return;
  pass((ns_hybrid *)&o->hybrid, o->s.m->nrows, b, 0);
  if (o->hybrid.scheme.ops) o->hybrid.scheme.ops->save(o->hybrid.scheme.self, b);
}

void ns_ed_hybrid_restore(event_driven *o, ns_blob *b)
{
  if (!o->hybrid.wanted) return;
  pass(&o->hybrid, o->s.m->nrows, b, 1);
  if (o->hybrid.scheme.ops) o->hybrid.scheme.ops->restore(o->hybrid.scheme.self, b);
}

int ns_ed_hybrid_savable(const event_driven *o)
{
  return ns_hybrid_scheme_savable(&o->hybrid.scheme);
}
