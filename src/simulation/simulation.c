/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/simulation.h"

#include "base/clock.h"
#include "simulation/events/branches.h"
#include "simulation/events/event_run.h"
#include "simulation/record/measures.h"
#include "simulation/simulation_data.h"
#include "simulation/step/d1_minus.h"
#include "simulation/step/lagrangian_stepping.h"
#include "simulation/step/rigid_stepping.h"
#include "simulation/step/schatzman_paoli.h"
#include "simulation/step/theta_stepping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const ns_strategy_ops *const ns_strategies[] = {
    &ns_lagrangian_stepping, &ns_schatzman_paoli, &ns_d1_minus,     &ns_first_order_stepping,
    &ns_rigid_time_stepping, &ns_mixed_stepping,  &ns_event_driven, NULL};

/* Steps to reach T; T within a millionth of a step of the grid counts as on it. */
static long long steps_to_end(const ns_simulation_options *o)
{
  double n = (o->T - o->t0) / o->ts.h;
  return (long long)ceil(n - 1e-6);
}

/* Event-driven runs are for all systems, D1-minus and Schatzman-Paoli for all of mechanics. */
static int is_for(const ns_strategy_ops *o, ns_family family)
{
  int mechanics = o == &ns_d1_minus || o == &ns_schatzman_paoli;
  if (o == &ns_event_driven) return 1;
  return o->family == family || (mechanics && family == NS_FAMILY_RIGID);
}

static int find_strategy(ns_ctx *c, ns_simulation *s)
{
  static const char *const of[] = {[NS_FAMILY_LAGRANGIAN] = "",
                                   [NS_FAMILY_FIRST_ORDER] = " for first-order systems",
                                   [NS_FAMILY_RIGID] = " for rigid bodies",
                                   [NS_FAMILY_MIXED] = " for systems of several kinds"};
  const char *want = s->m->sim.strategy;
  ns_family family = ns_model_family(s->m);
  for (int k = 0; ns_strategies[k]; k++) {
    const ns_strategy_ops *o = ns_strategies[k];
    if (strcmp(o->name, want) != 0 || !is_for(o, family)) continue;
    if (o->integrator ? strcmp(o->integrator, s->m->sim.integrator) == 0 : !s->ops) s->ops = o;
  }
  if (s->ops) return NS_OK;
  return ns_fail_at(c, NS_MODEL, &s->m->sim.at,
                    "there is no strategy \"%s\"%s; `nssim list schemes` lists them", want,
                    of[family]);
}

/* What events of the user set must be something that the scheme can go on from. */
static int check_sets(ns_ctx *c, const ns_simulation *s)
{
  for (int k = 0; k < s->m->nuser_events; k++) {
    const ns_user_event *e = &s->m->user_events[k];
    for (int i = 0; i < e->nsets; i++) {
      if (s->ops->changed && (e->sets[i].bank == NS_BANK_Z || !s->m->sim.two_steps)) continue;
      return ns_fail_at(c, NS_MODEL, &e->at,
                        "%s cannot continue from positions and velocities that an event sets, "
                        "expected only entries of z; use another integrator",
                        s->m->sim.integrator);
    }
  }
  return NS_OK;
}

/* Event-driven runs take formulas that are smooth between events. */
static int freeze(ns_ctx *c, ns_simulation *s)
{
  if (!s->m->sim.event_driven) return NS_OK;
  int rc = ns_frozen_create(c, s->m, &s->frozen);
  if (rc || !s->frozen) return rc;
  s->m = &s->frozen->model;
  return ns_branches_prepare(c, s->frozen);
}

/* Event-driven runs take contacts between shapes as interactions. */
static int lay_out_contacts(ns_ctx *c, ns_simulation *s)
{
  if (!s->m->sim.event_driven) return NS_OK;
  int rc = ns_shape_gaps_create(c, s->m, &s->gaps);
  if (s->gaps) s->m = &s->gaps->model;
  return rc;
}

/* Branches are part of the state from now on. */
static void attach(ns_simulation *s)
{
  if (!s->frozen) return;
  memcpy(s->x.branch, s->frozen->none, 3 * s->frozen->nswitches * sizeof *s->x.branch);
  ns_frozen_attach(s->frozen, s->x.branch);
}

/* Laws of the run's own, where some have parameters that are formulas. */
static int vary(ns_ctx *c, ns_simulation *s)
{
  ns_model *own = s->gaps ? &s->gaps->model : NULL;
  if (s->frozen) own = &s->frozen->model; /* which is of that */
  int rc = ns_law_values_create(c, s->m, own, &s->x, &s->values);
  if (s->values) s->m = ns_law_values_model(s->values);
  return rc;
}

static int make(ns_ctx *c, ns_simulation *s)
{
  int rc = find_strategy(c, s);
  if (!rc) rc = lay_out_contacts(c, s);
  if (!rc) rc = freeze(c, s);
  if (!rc) rc = ns_state_create(c, s->m, &s->x);
  if (!rc) attach(s);
  if (!rc) rc = vary(c, s);
  const ns_model *m = s->m;
  if (!rc) rc = ns_observables_create(c, m, &s->observables);
  if (!rc) rc = ns_measures_create(c, m, &s->observables, &s->x, &s->measures);
  if (!rc) rc = ns_user_events_create(c, m, &s->observables, &s->x, &s->user);
  if (!rc && s->measures) rc = ns_recorder_tap(c, &s->tap);
  if (!rc) rc = check_sets(c, s);
  return rc ? rc : s->ops->create(s->ops, c, m, &s->x, &s->plan, &s->self);
}

int ns_simulation_create(ns_ctx *c, const ns_model *m, ns_simulation **out)
{
  const char *outer = c->within;
  ns_alive(c, "preparing the run", 0, 0);
  ns_simulation *s = *out = calloc(1, sizeof *s);
  if (!s) return ns_nomem(c, "simulation");
  s->m = m;
  c->within = ns_place_text(&m->sim.at, s->place, sizeof s->place);
  int rc = make(c, s);
  c->within = outer;
  if (rc) {
    ns_simulation_destroy(s);
    *out = NULL;
    return rc;
  }
  if (s->user && s->ops->user_events) s->ops->user_events(s->self, s->user);
  s->plan.steps = steps_to_end(&s->m->sim);
  s->plan.replays = s->ops->anchored != NULL;
  return NS_OK;
}

void ns_simulation_destroy(ns_simulation *s)
{
  if (!s) return;
  if (s->ops) s->ops->destroy(s->self);
  ns_recorder_close(s->tap, NULL, NULL);
  ns_user_events_destroy(s->user);
  ns_measures_destroy(s->measures);
  ns_observables_fini(&s->observables);
  ns_law_values_destroy(s->values);
  ns_state_fini(&s->x);
  ns_frozen_destroy(s->frozen);
  ns_shape_gaps_destroy(s->gaps);
  ns_blob_fini(&s->anchor);
  free(s->block);
  free(s);
}

const ns_plan *ns_simulation_plan(const ns_simulation *s) { return &s->plan; }
const ns_state *ns_simulation_state(const ns_simulation *s) { return &s->x; }
const ns_frozen *ns_simulation_frozen(const ns_simulation *s) { return s->frozen; }
int ns_simulation_warn(ns_simulation *s, ns_ctx *c)
{
  return s->user ? ns_user_events_warn(s->user, c) : NS_OK;
}
ns_shares ns_simulation_shares(const ns_simulation *s)
{
  return s->ops->shares ? s->ops->shares(s->self) : (ns_shares){0};
}

/* ---- run ------------------------------------------------------------------------------------- */

/* When to look at the clock: every so many steps, adapted so that it is about every 50 ms. */
typedef struct pace {
  long long next, last_step, stride;
  double last; /* ns_clock, s */
} pace;

static pace begin_pace(const ns_simulation *s, const ns_watch *w)
{
  return (pace){.next = w->progress || w->due ? *s->x.step + 1 : -1,
                .last_step = *s->x.step,
                .stride = 1,
                .last = ns_clock()};
}

static void next_look(const ns_simulation *s, pace *p)
{
  double now = ns_clock(), dt = now - p->last,
         ideal = dt > 0 ? 0.05 / dt * (double)(*s->x.step - p->last_step) : 2e6;
  double twice = 2 * (double)p->stride;
  p->stride = (long long)fmin(fmax(1, ideal), fmin(twice, 1e6));
  p->last_step = *s->x.step;
  p->next = *s->x.step + p->stride;
  p->last = now;
}

static ns_due look(const ns_simulation *s, const ns_watch *w, pace *p)
{
  next_look(s, p);
  if (w->progress) w->progress(w->to, &s->x, (double)*s->x.step / (double)s->plan.steps);
  return w->due ? w->due(w->to) : NS_DUE_NOTHING;
}

/* The next multiple of checkpoint_every after now. */
static double next_checkpoint(const ns_simulation *s, const ns_watch *w)
{
  double t0 = s->m->sim.t0, every = w->checkpoint ? w->checkpoint_every : 0, h = s->m->sim.ts.h;
  if (!(every > 0)) return INFINITY;
  return t0 + (floor((*s->x.t - t0 + 1e-6 * h) / every) + 1) * every - 1e-6 * h;
}

static int stopped(const ns_simulation *s, ns_ctx *c)
{
  return ns_fail(
      c, NS_STOPPED,
      "stopped at t = %.10g s, step %lld of %lld, as requested; the results so far are complete",
      *s->x.t, *s->x.step, s->plan.steps);
}

static int record_contacts(ns_simulation *s, ns_ctx *c, ns_recorder *rec)
{
  size_t n = 0;
  const ns_contact_record *k = s->ops->contacts ? s->ops->contacts(s->self, &n) : NULL;
  return k ? ns_recorder_contacts(rec, c, k, n) : NS_OK;
}

/* What a row that stands for several steps is to be told of each. */
static int gather_step(ns_simulation *s, ns_ctx *c, ns_recorder *rec)
{
  size_t n = 0;
  if (ns_recorder_gathers(rec) && s->ops->report) s->ops->report(s->self);
  ns_recorder_step(rec);
  if (ns_recorder_every(rec) == 1 || !s->ops->contacts) return NS_OK;
  const ns_contact_record *k = s->ops->contacts(s->self, &n);
  return k ? ns_recorder_contacts_step(rec, c, k, n) : NS_OK;
}

static int record(ns_simulation *s, ns_ctx *c, ns_recorder *rec)
{
  if (s->ops->report) s->ops->report(s->self);
  int rc = ns_observables_eval(&s->observables, c, &s->x), more = record_contacts(s, c, rec),
      row = ns_recorder_row(rec, c);
  if (!rc) rc = more;
  return rc ? rc : row; /* the row is kept in any case */
}

/* After events of the user: what follows from what they set, and another look at it. */
static int settle(ns_simulation *s, ns_ctx *c, const ns_user_outcome *o)
{
  int rc = o->changed ? ns_user_events_outputs(s->user, c) : NS_OK;
  if (o->changed) ns_law_values_forget(&s->x, s->m);
  if (!rc && o->changed) rc = s->ops->changed(s->self, c);
  return !rc && o->happened && s->measures ? ns_measures_state(s->measures, c) : rc;
}

int ns_simulation_advance(ns_simulation *s, ns_ctx *c, ns_recorder *heard, ns_user_outcome *o)
{
  *o = (ns_user_outcome){0};
  int rc = s->ops->step(s->self, c, heard);
  if (!rc && s->measures) rc = ns_measures_state(s->measures, c);
  if (rc || !s->user) return rc;
  if (!s->ops->user_events) rc = ns_user_events_step(s->user, c, heard, o);
  o->stop = ns_user_events_stopped(s->m, &s->x, NULL) != NULL;
  return rc ? rc : settle(s, c, o);
}

/* The row of the step, if it has one of its own or one that an event asks for. */
static int record_step(ns_simulation *s, ns_ctx *c, ns_recorder *rec, const ns_user_outcome *o,
                       long long *row)
{
  int due = *s->x.step == *row, asked = o->row && !o->stop && *s->x.step < s->plan.steps;
  int rc = gather_step(s, c, rec);
  if (rc) return rc;
  if (due) *row += ns_recorder_every(rec);
  return due || asked ? record(s, c, rec) : NS_OK;
}

static int loop(ns_simulation *s, ns_ctx *c, ns_recorder *rec, const ns_watch *w)
{
  ns_recorder *heard = rec ? rec : s->tap;
  int every = rec ? ns_recorder_every(rec) : 1, rc = NS_OK;
  long long row = (*s->x.step / every + 1) * every, from = *s->x.step;
  pace p = begin_pace(s, w);
  double checkpoint = next_checkpoint(s, w);
  while (*s->x.step < s->plan.steps) {
    if (w->stop && *w->stop) return stopped(s, c);
    if (w->max_steps && *s->x.step - from >= w->max_steps) return stopped(s, c);
    ns_user_outcome o;
    if ((rc = ns_simulation_advance(s, c, heard, &o)) < 0) return rc;
    if (rec && (rc = record_step(s, c, rec, &o, &row))) return rc;
    if (o.stop) break;
    ns_due due = *s->x.step == p.next ? look(s, w, &p) : NS_DUE_NOTHING;
    if (due == NS_DUE_STOP && *s->x.step < s->plan.steps) return stopped(s, c);
    if (due != NS_DUE_CHECKPOINT && !(*s->x.t >= checkpoint)) continue;
    if (w->checkpoint && (rc = w->checkpoint(w->to, c, NS_CHECKPOINT_DUE))) return rc;
    checkpoint = next_checkpoint(s, w);
  }
  return NS_OK;
}

static int hear(void *to, ns_ctx *c, const ns_event *e)
{
  const ns_simulation *s = to;
  return ns_measures_event(s->measures, c, e);
}

static int show(void *to, ns_ctx *c)
{
  const ns_simulation *s = to;
  return ns_measures_state(s->measures, c);
}

static int passage(void *to, ns_ctx *c, const ns_passage *p)
{
  const ns_simulation *s = to;
  return ns_measures_motion(s->measures, c, p);
}

static double next_shown(const void *to, double t)
{
  const ns_simulation *s = to;
  return ns_measures_next(s->measures, t);
}

void ns_simulation_listen(ns_simulation *s, ns_recorder *heard)
{
  if (s->measures) ns_recorder_listen(heard, &(ns_listener){hear, show, passage, next_shown, s});
}

/* Events and measures at the initial state. */
static int begin(ns_simulation *s, ns_ctx *c, ns_recorder *rec)
{
  ns_recorder *heard = rec ? rec : s->tap;
  ns_user_outcome o = {0};
  ns_simulation_listen(s, heard);
  int rc = s->user && !s->restored ? ns_user_events_warn(s->user, c) : NS_OK;
  if (!rc) rc = ns_measures_begin(s->measures, c);
  if (!rc) rc = ns_user_events_begin(s->user, c, heard, &o);
  return rc ? rc : settle(s, c, &o);
}

/* A watcher of an earlier call is gone. */
static int watch_problems(ns_simulation *s, ns_ctx *c, const ns_watch *w)
{
  int on = w && w->problem;
  if (!on && !s->watched) return NS_OK;
  s->watched = on;
  return s->ops->watch(s->self, c, on ? w : NULL);
}

static int start(ns_simulation *s, ns_ctx *c)
{
  if (s->started) return NS_OK;
  int rc = s->ops->start(s->self, c);
  s->started = !rc;
  return rc;
}

static int run(ns_simulation *s, ns_ctx *c, ns_recorder *rec, const ns_watch *w)
{
  int rc = start(s, c);
  if (!rc) rc = watch_problems(s, c, w);
  if (rc) return rc;
  rc = begin(s, c, rec);
  if (!rc && rec && *s->x.step == 0 && !s->restored) rc = record(s, c, rec);
  if (!rc && !ns_user_events_stopped(s->m, &s->x, NULL)) rc = loop(s, c, rec, w);
  if (w->checkpoint && (rc == NS_OK || rc == NS_STOPPED)) {
    int saved = w->checkpoint(w->to, c, rc ? NS_CHECKPOINT_STOP : NS_CHECKPOINT_END);
    if (saved) rc = saved;
  }
  /* the last good state, if it is not in the file yet */
  long long every = rec ? ns_recorder_every(rec) : 1;
  if (rec && rc != NS_OUTPUT && *s->x.step % every != 0) {
    int rc2 = record(s, c, rec);
    if (!rc) rc = rc2;
  }
  return rc;
}

/* The state in the midst of a run is that at the begin of a step, whose calls of plug-ins cannot be
 * taken back: those whose data are saved would see them again. */
static int may_abandon_steps(const ns_simulation *s) { return s->ops->steps && !s->outside; }

int ns_simulation_run(ns_simulation *s, ns_ctx *c, ns_recorder *rec, const ns_watch *w)
{
  static const ns_watch nobody = {0};
  const char *outer = c->within;
  if (!w) w = &nobody;
  const ns_stop stop = {w->stop, w->until};
  c->within = s->place;
  c->stop = may_abandon_steps(s) ? &stop : NULL;
  int rc = run(s, c, rec, w);
  c->within = outer;
  c->stop = NULL;
  return rc;
}
