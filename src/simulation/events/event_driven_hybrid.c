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
 * An impulse P on a row is an impact where most of what it does, D_rr P, is to turn the approach
 * back, (1 + e) |ydot|, and else it carries what rests there. Forces lambda of rows of the output
 * are impulses by the length of their step. Conditions of the user are looked at after each step
 * and bring the events back. */
#include "simulation/events/event_driven_parts.h"

#include "model/law_values.h"
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

/* ---- creation -------------------------------------------------------------------------------- */

static int refuse(const event_driven *o, ns_ctx *c)
{
  char at[512];
  if (o->overlaps.n)
    return ns_fail(c, NS_MODEL,
                   "%s: accumulation=\"time-stepping\" with CompliantFrictionNSL, whose springs "
                   "cannot be passed back from time-stepping; expected accumulation=\"stick\"",
                   ns_place_text(&o->s.m->sim.at, at, sizeof at));
  if (o->nbonds)
    return ns_fail(c, NS_MODEL,
                   "%s: accumulation=\"time-stepping\" with bonds, whose state cannot be passed "
                   "back from time-stepping; expected accumulation=\"stick\"",
                   ns_place_text(&o->s.m->sim.at, at, sizeof at));
  if (!o->marching.wanted) return NS_OK;
  return ns_fail(
      c, NS_MODEL,
      "%s: accumulation=\"time-stepping\" with MultipleImpactNSL, whose impacts time-stepping does "
      "not support; expected NewtonImpactNSL, or accumulation=\"stick\"",
      ns_place_text(&o->s.m->sim.at, at, sizeof at));
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
  y->model = *m;
  y->model.ncontrols = 0; /* the run samples them */
  y->model.sim.strategy = ns_lagrangian_stepping.name;
  y->model.sim.integrator = "MoreauJeanOSI";
  y->model.sim.ts.h = y->longest;
  y->last = ns_arena_zero(o->mem, m->nrows + 1, sizeof *y->last);
  y->taken = ns_arena_zero(o->mem, m->nrows + 1, sizeof *y->taken);
  y->calm = ns_arena_zero(o->mem, m->nrows + 1, sizeof *y->calm);
  y->flown = ns_arena_zero(o->mem, m->nrows + 1, sizeof *y->flown);
  y->was = ns_arena_zero(o->mem, m->nrows + 1, sizeof *y->was);
  y->margin = ns_arena_zero(o->mem, 2 * (size_t)o->run.nuser + 1, sizeof *y->margin);
  if (!y->last || !y->taken || !y->calm || !y->flown || !y->was || !y->margin)
    return ns_nomem(c, "time-stepping between events");
  for (size_t r = 0; r < m->nrows; r++) y->last[r] = -INFINITY;
  int rigid = ns_model_family(m) == NS_FAMILY_RIGID;
  y->ops = rigid ? &ns_rigid_time_stepping : &ns_lagrangian_stepping;
  y->model.contact.nshapes = 0; /* their contacts are interactions */
  ns_plan plan;
  return y->ops->create(c, &y->model, o->s.x, &plan, &y->scheme);
}

void ns_ed_hybrid_fini(event_driven *o)
{
  if (o->hybrid.ops) o->hybrid.ops->destroy(o->hybrid.scheme);
}

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

int ns_ed_hybrid_refresh(event_driven *o)
{
  ns_certificate keep = *o->s.x->cert;
  int rc = o->hybrid.ops->start(o->hybrid.scheme, o->run.c);
  *o->s.x->cert = keep;
  return rc;
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
  ns_ed_regions_free(o);
  ns_law_values_forget(o->s.x, o->s.m);
  int rc = ns_ed_hybrid_refresh(o);
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
  return P > 0 && before < -o->opt->speed_tol && ns_ed_diagonal(o->s.k, r) * P <= TURNS * turned;
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
  return ns_ed_tell(o, &e);
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
  return o->run.rec ? tell(o, r, before, P) : NS_OK;
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

/* Conditions of the user that became true, or false, in the step. */
static int conditions(event_driven *o)
{
  const double *was = o->hybrid.margin, *is = was + o->run.nuser;
  int some = 0;
  for (int i = 0; i < o->run.nuser; i++) {
    int d = ns_user_events_direction(o->run.user, i), rises = was[i] < 0 && is[i] >= 0,
        falls = was[i] > 0 && is[i] <= 0;
    o->run.user_fired[i] = (unsigned char)((rises && d >= 0) || (falls && d <= 0));
    some |= o->run.user_fired[i];
  }
  return some;
}

static int margins(event_driven *o, double *g)
{
  return o->run.nuser ? ns_user_events_roots(o->run.user, o->run.c, o->s.x, g) : NS_OK;
}

/* One step of the scheme; impulses of x->lambda and back to forces. */
static int march(event_driven *o, double t1, int *calm)
{
  ns_hybrid *y = &o->hybrid;
  ns_state *x = o->s.x;
  size_t rows = o->s.m->nrows;
  long long step = *x->step;
  for (size_t r = 0; r < rows; r++) x->lambda[r] *= y->h;
  memcpy(o->speed, x->ydot, rows * sizeof *o->speed);
  long long impacts = x->cert->impacts;
  int rc = ns_time_stepping_to(y->scheme, o->run.c, NULL, t1, y->h);
  if (!rc) {
    x->cert->steps--;           /* that counts the grid */
    x->cert->impacts = impacts; /* by the rule here */
    rc = look_around(o, calm);
  }
  *x->step = step;
  for (size_t r = 0; r < rows; r++) x->lambda[r] /= y->h;
  return rc;
}

int ns_ed_hybrid_advance(event_driven *o, double end)
{
  ns_hybrid *y = &o->hybrid;
  double t = *o->s.x->t, n = divide(y, end - t);
  int calm = 0, asked = 0, rc = margins(o, y->margin);
  if (!rc) rc = march(o, n > 1 ? t + y->h : end, &calm);
  if (!rc) rc = margins(o, y->margin + o->run.nuser);
  if (!rc && o->run.rec) rc = ns_recorder_state(o->run.rec, o->run.c);
  if (!rc) asked = conditions(o);
  if (!rc && (calm || asked)) rc = ns_ed_hybrid_leave(o);
  return rc || !asked ? rc : ns_event_run_fired(&o->run);
}

/* ---- back to events -------------------------------------------------------------------------- */

int ns_ed_hybrid_leave(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  ns_state *x = o->s.x;
  memcpy(o->hybrid.was, o->mode, (size_t)k->nunits);
  for (int u = 0; u < k->nunits; u++) ns_ed_guess(o, u, is_at_rest(&o->hybrid, k->unit[u].first));
  o->hybrid.active = 0;
  o->hybrid.settling = 1;
  int rc = ns_ed_free(o, *x->t, x->q, x->v);
  if (!rc) rc = ns_ed_hold(o, *x->t, x->q, x->v);
  if (!rc) rc = ns_ed_event(o);
  o->hybrid.settling = 0;
  return rc;
}

int ns_ed_hybrid_settle(event_driven *o)
{
  ns_state *x = o->s.x;
  ns_certificate *k = x->cert;
  size_t rows = o->s.m->nrows;
  double energy = k->kinetic + k->potential, n = 0;
  memcpy(o->mode_before, o->hybrid.was, (size_t)o->s.k->nunits);
  int rc = ns_ed_project(o);
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
                          {y->flown, rows}};
  ns_blob_pass(b, restore, list, sizeof list / sizeof *list);
}

void ns_ed_hybrid_save(const event_driven *o, ns_blob *b)
{
  if (!o->hybrid.wanted) return;
  pass((ns_hybrid *)&o->hybrid, o->s.m->nrows, b, 0);
  o->hybrid.ops->memory->save(o->hybrid.scheme, b);
}

void ns_ed_hybrid_restore(event_driven *o, ns_blob *b)
{
  if (!o->hybrid.wanted) return;
  pass(&o->hybrid, o->s.m->nrows, b, 1);
  o->hybrid.ops->memory->restore(o->hybrid.scheme, b);
}

int ns_ed_hybrid_savable(const event_driven *o)
{
  const ns_hybrid *y = &o->hybrid;
  return !y->wanted || !y->ops->savable || y->ops->savable(y->scheme);
}
