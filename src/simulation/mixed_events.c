/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/mixed_events.h"

#include "model/diagnose.h"
#include "model/family_part.h"
#include "model/measure.h"
#include "model/mechanics.h"
#include "simulation/event_driven.h"
#include "simulation/event_driven_parts.h"
#include "simulation/event_queue.h"
#include "simulation/switching_parts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 8 }; /* of the parts at one instant, one after the other */

typedef struct mixed_events mixed_events;

/* A part: its engine, on its own state, and its share of the common flow. */
typedef struct share {
  ns_event_host host;
  mixed_events *all;
  ns_family_part part;
  ns_state x;
  ns_event_run *run; /* the engine, which begins with it; NULL: there are no such systems */
  const ns_flow_problem *problem;
  size_t rest;                  /* where its unknowns behind q and v begin in those of all */
  int first_root;               /* of its own among those of all */
  const signed char *direction; /* of them, as it wants the flow to begin */
  double *own, *rate;           /* its unknowns where the flow is looked at, their rates [problem->n] */
  int asks;                     /* it wants the flow to begin anew */
} share;

/* Mechanics where it was last looked at: it goes on from there with constant accelerations. */
typedef struct anchor {
  double t;
  double *q, *v, *a;    /* [nq], [nv], [nv] of the part */
  double *later, *mean; /* scratch: positions [nq], velocities [nv] */
} anchor;

struct mixed_events {
  ns_event_run run; /* first */
  const ns_model *m;
  ns_state *x;
  ns_arena *mem;
  share mechanics, order1; /* second order; first order */
  event_driven *L;         /* their engines; NULL: there are no such systems */
  switching *F;
  anchor at;
  double *q, *v; /* of all systems, where a part is evaluated [nq], [nv] */
  ns_flow_problem problem;
  double *unknown, *atol, *origin, *sight, *kept; /* [problem.n]; origin [nq] */
  signed char *direction;                         /* [problem.nroots] */
  int *fired;                                     /* of the parts, at the root in hand [nparts] */
  int nparts;                                     /* roots of both parts */
  ns_observables observables;
  ns_controls *controls; /* NULL: none */
  ns_event_certificate *certificate;
  void *before;  /* the state before the event in hand [x->bytes] */
  void *part_now; /* scratch: a state of mechanics; NULL: without contacts between shapes */
  int some;      /* the event has changed something */
  int rows;      /* its rows are recorded here */
  ns_state trial; /* where conditions of the user are evaluated */
  double trial_t;
};

/* ---- shares of the unknowns ------------------------------------------------------------------ */

static int has_velocities(const share *s) { return s->problem->ncoord > 0; }

/* Where the unknowns of a part behind q and v begin in its own. */
static size_t own_rest(const share *s)
{
  return s->part.model.nq + (has_velocities(s) ? s->part.model.nv : 0);
}

static void take(const share *s, const double *x, double *own)
{
  const ns_model *m = &s->part.model;
  size_t rest = own_rest(s);
  ns_part_take(m->nq, s->part.q, x, own);
  if (has_velocities(s)) ns_part_take(m->nv, s->part.v, x + s->all->m->nq, own + m->nq);
  memcpy(own + rest, x + s->rest, (s->problem->n - rest) * sizeof *own);
}

static void give(const share *s, const double *own, double *x)
{
  const ns_model *m = &s->part.model;
  size_t rest = own_rest(s);
  ns_part_give(m->nq, s->part.q, own, x);
  if (has_velocities(s)) ns_part_give(m->nv, s->part.v, own + m->nq, x + s->all->m->nq);
  memcpy(x + s->rest, own + rest, (s->problem->n - rest) * sizeof *own);
}

/* ---- what one part reads of the other -------------------------------------------------------- */

/* First-order systems are at x, for mechanics. */
static void place_first_order(mixed_events *o, const double *x)
{
  const ns_family_part *p = &o->order1.part;
  if (o->F) ns_part_give(p->model.nq, p->q, x, o->q);
}

/* Mechanics is there, for first-order systems. */
static void anchor_mechanics(mixed_events *o, double t, const double *q, const double *v,
                             const double *a)
{
  const ns_model *m = &o->mechanics.part.model;
  o->at.t = t;
  memcpy(o->at.q, q, m->nq * sizeof *q);
  memcpy(o->at.v, v, m->nv * sizeof *v);
  memcpy(o->at.a, a, m->nv * sizeof *a);
}

/* The state, after ns_ed_output. */
static void anchor_state(mixed_events *o)
{
  const ns_state *x = &o->mechanics.x;
  if (o->L) anchor_mechanics(o, *x->t, x->q, x->v, o->L->a);
}

static ns_others of_all(const mixed_events *o)
{
  return (ns_others){
      .q = o->q, .v = o->v, .z = o->x->z, .angle = o->L ? o->mechanics.x.angle : NULL};
}

static ns_others read_by_mechanics(void *of, double t, const double *q, const double *v)
{
  share *s = of;
  mixed_events *o = s->all;
  (void)t;
  ns_part_give(s->part.model.nq, s->part.q, q, o->q);
  ns_part_give(s->part.model.nv, s->part.v, v, o->v);
  return of_all(o);
}

/* Mechanics at t by what is known of it. */
static void move_mechanics(mixed_events *o, double t)
{
  const ns_family_part *p = &o->mechanics.part;
  const anchor *k = &o->at;
  size_t nq = p->model.nq, nv = p->model.nv;
  double dt = t - k->t;
  memcpy(k->later, k->q, nq * sizeof *k->q);
  for (size_t i = 0; i < nv; i++) k->mean[i] = k->v[i] + dt / 2 * k->a[i];
  ns_mechanics_move(&p->model, dt, k->mean, k->later);
  ns_part_give(nq, p->q, k->later, o->q);
  for (size_t i = 0; i < nv; i++) o->v[p->v[i]] = k->v[i] + dt * k->a[i];
}

static ns_others read_by_first_order(void *of, double t, const double *x, const double *none)
{
  share *s = of;
  mixed_events *o = s->all;
  (void)none;
  ns_part_give(s->part.model.nq, s->part.q, x, o->q);
  if (o->L) move_mechanics(o, t);
  return of_all(o);
}

/* Both parts at the unknowns x: mechanics, whose rates are known from then on, and what reads it. */
static int stand(mixed_events *o, double t, const double *x)
{
  share *s = &o->mechanics;
  if (o->F) {
    take(&o->order1, x, o->order1.own);
    place_first_order(o, o->order1.own);
  }
  if (!o->L) return NS_OK;
  take(s, x, s->own);
  int rc = s->problem->rate(o->L, t, s->own, s->rate);
  if (rc) return rc;
  size_t nq = s->part.model.nq;
  anchor_mechanics(o, t, ns_ed_positions(o->L, s->own), s->own + nq, s->rate + nq);
  return NS_OK;
}

/* ---- the common flow ------------------------------------------------------------------------- */

static int rate(void *self, double t, const double *x, double *f)
{
  mixed_events *o = self;
  int rc = stand(o, t, x);
  memset(f, 0, o->problem.n * sizeof *f);
  if (!rc && o->F) rc = o->order1.problem->rate(o->F, t, o->order1.own, o->order1.rate);
  if (rc) return rc;
  if (o->L) give(&o->mechanics, o->mechanics.rate, f);
  if (o->F) give(&o->order1, o->order1.rate, f);
  return NS_OK;
}

/* The state where both parts were last evaluated, for conditions of the user. */
static int user_roots(mixed_events *o, double t, double *g)
{
  ns_state *x = &o->trial;
  const ns_family_part *p = &o->order1.part;
  o->trial_t = t;
  if (o->F) {
    const ns_motion *k = &o->F->at[0];
    ns_part_give(p->model.nv, p->v, k->v, o->v);
    ns_part_give(p->model.nv, p->v, k->r, x->p);
    ns_part_give(p->model.nrows, p->row, k->y, x->y);
    ns_part_give(p->model.nrows, p->row, k->lambda, x->lambda);
  }
  p = &o->mechanics.part;
  for (size_t r = 0; r < p->model.nrows && o->L; r++) {
    x->y[p->row[r]] = o->L->gap[r];
    x->ydot[p->row[r]] = o->L->speed[r];
    x->lambda[p->row[r]] = ns_ed_force(o->L, (int)r);
  }
  if (o->L) {
    ns_part_give(p->model.nq, p->q, o->at.q, o->q);
    ns_part_give(p->model.nv, p->v, o->at.v, o->v);
  }
  memcpy(x->q, o->q, o->m->nq * sizeof *x->q);
  memcpy(x->v, o->v, o->m->nv * sizeof *x->v);
  return ns_user_events_roots(o->run.user, o->run.c, x, g);
}

static int roots(void *self, double t, const double *x, double *g)
{
  mixed_events *o = self;
  double *of_first_order = g + o->order1.first_root;
  int rc = stand(o, t, x);
  if (!rc && o->L) rc = o->mechanics.problem->roots(o->L, t, o->mechanics.own, g);
  if (!rc && o->F) rc = ns_sw_row_roots(o->F, t, o->order1.own, of_first_order);
  if (!rc && o->run.nuser) rc = user_roots(o, t, g + o->nparts);
  return rc || !o->F || !o->F->nsteady ? rc : ns_sw_dips(o->F, t, of_first_order);
}

static int inspect(void *self, double from, double to, double *root)
{
  mixed_events *o = self;
  return ns_ed_inspect(o->L, from, to, root);
}

/* Unknown i of all as one of mechanics; other unknowns have no part in what it names. */
static const ns_system *system_of(const mixed_events *o, size_t i, int *coordinate)
{
  const ns_model *m = o->m;
  int of_v = i >= m->nq;
  if (of_v) i -= m->nq;
  for (int k = 0; k < m->nsystems; k++) {
    const ns_system *s = &m->systems[k];
    size_t first = of_v ? s->v : s->q, n = (size_t)(of_v ? s->n : s->nq);
    if (i < first || i >= first + n) continue;
    *coordinate = (int)(i - first);
    return s;
  }
  return NULL;
}

static const char *name(void *self, size_t i, char *buf, size_t size)
{
  const mixed_events *o = self;
  char coordinate[64];
  int k = 0;
  const ns_system *s = system_of(o, i, &k);
  if (!s) return "the work of forces";
  snprintf(buf, size, "%s %s of %s", i < o->m->nq ? "coordinate" : "the velocity of",
           ns_system_coordinate(s, k, coordinate, sizeof coordinate),
           s->at.id ? s->at.id : s->kind->name);
  return buf;
}

static const char *place(void *self, size_t i, char *buf)
{
  const mixed_events *o = self;
  int k;
  const ns_system *s = system_of(o, i, &k);
  return ns_place_text(s ? &s->at : &o->m->sim.at, buf, NS_FLOW_PLACE);
}

/* What is not finite at the state, or where both parts were evaluated last. */
static int blame_at(const mixed_events *o, ns_ctx *c, double t)
{
  const ns_state *x = o->x;
  ns_moment at = {.from = *x->t, .t = t, .q = x->q, .v = x->v, .z = x->z, .lambda = x->lambda,
                  .q0 = x->q, .v0 = x->v};
  int rc = ns_fail_function(c, o->m, &at);
  at.q = o->q;
  at.v = o->v;
  return rc ? rc : ns_fail_function(c, o->m, &at);
}

static int blame(void *self, ns_ctx *c, double t, const double *x, double within)
{
  int rc = blame_at(self, c, t);
  (void)x;
  return rc || within == 0 ? rc : blame_at(self, c, t + within);
}

/* ---- what a part takes for its flow ---------------------------------------------------------- */

static int share_create(ns_ctx *c, const ns_flow_problem *p, void **self)
{
  const ns_event_run *r = p->of;
  share *s = r->host->of;
  (void)c;
  s->problem = p;
  *self = s;
  return NS_OK;
}

static int share_restart(void *self, ns_ctx *c, double t, const double *x,
                         const signed char *direction)
{
  share *s = self;
  (void)c, (void)t;
  memcpy(s->own, x, s->problem->n * sizeof *x);
  s->direction = direction;
  s->asks = 1;
  return NS_OK;
}

static const int *share_fired(const void *self)
{
  const share *s = self;
  return s->all->fired + s->first_root;
}

static int share_dense(void *self, ns_ctx *c, double t, int k, double *x)
{
  share *s = self;
  mixed_events *o = s->all;
  int rc = o->run.ops->dense(o->run.flow, c, t, k, o->sight);
  if (!rc) take(s, o->sight, x);
  if (rc || k) return rc;
  return stand(o, t, o->sight) < 0 ? NS_NUMERIC : NS_OK;
}

static void share_span(const void *self, double *from, double *to)
{
  const share *s = self;
  s->all->run.ops->span(s->all->run.flow, from, to);
}

static void share_work(const void *self, ns_flow_work *w)
{
  const share *s = self;
  *w = (ns_flow_work){0};
  if (s->all->run.flow) s->all->run.ops->work(s->all->run.flow, w);
}

static double share_first(const void *self)
{
  const share *s = self;
  const ns_event_run *r = &s->all->run;
  return r->flow && r->ops->first ? r->ops->first(r->flow) : 0;
}

static void share_destroy(void *self) { (void)self; /* the flow is that of all */ }

static const ns_flow_ops share_ops = {.size = sizeof share_ops,
                                      .name = "CVodeOSI",
                                      .help = "a share of the flow of all systems",
                                      .create = share_create,
                                      .restart = share_restart,
                                      .fired = share_fired,
                                      .dense = share_dense,
                                      .span = share_span,
                                      .work = share_work,
                                      .destroy = share_destroy,
                                      .memory = &ns_memory_none,
                                      .first = share_first,
                                      .inspects = 1};

/* ---- one state of two ------------------------------------------------------------------------ */

/* Time and the number of the step, for both parts, and who hears of failures. */
static void synchronise(mixed_events *o)
{
  share *const of[] = {&o->mechanics, &o->order1};
  for (int k = 0; k < 2; k++) {
    if (!of[k]->run) continue;
    *of[k]->x.t = *o->x->t;
    *of[k]->x.step = *o->x->step;
    of[k]->run->c = o->run.c;
  }
}

/* The parts have what was set from outside. */
static void hand_out(mixed_events *o)
{
  share *const of[] = {&o->mechanics, &o->order1};
  synchronise(o);
  for (int k = 0; k < 2; k++) {
    const ns_family_part *p = &of[k]->part;
    if (!of[k]->run) continue;
    ns_part_take(p->model.nq, p->q, o->x->q, of[k]->x.q);
    ns_part_take(p->model.nv, p->v, o->x->v, of[k]->x.v);
    ns_part_take(p->model.nz, p->z, o->x->z, of[k]->x.z);
  }
}

static void collect_share(mixed_events *o, const share *s)
{
  const ns_family_part *p = &s->part;
  const ns_state *from = &s->x;
  ns_state *x = o->x;
  ns_part_give(p->model.nq, p->q, from->q, x->q);
  ns_part_give(p->model.nv, p->v, from->v, x->v);
  ns_part_give(p->model.nv, p->v, from->f, x->f);
  ns_part_give(p->model.nv, p->v, from->p, x->p);
  ns_part_give(p->model.nrows, p->row, from->y, x->y);
  ns_part_give(p->model.nrows, p->row, from->lambda, x->lambda);
  for (size_t r = 0; r < p->model.nrows; r++) x->mode[p->row[r]] = from->mode[r];
}

/* Sums that a part keeps. Energies are those of mechanics. */
static void collect_sums(mixed_events *o)
{
  ns_certificate *k = o->x->cert;
  const ns_certificate *a = o->L ? o->mechanics.x.cert : NULL;
  const ns_certificate *b = o->F ? o->order1.x.cert : NULL;
  ns_flow_work w;
  k->events = (a ? a->events : 0) + (b ? b->events : 0);
  k->impacts = (a ? a->impacts : 0) + (b ? b->impacts : 0);
  if (a) {
    k->energy0 = a->energy0;
    k->kinetic = a->kinetic;
    k->potential = a->potential;
    k->work_force = a->work_force;
    k->work_contact = a->work_contact;
    k->work_friction = a->work_friction;
    k->work_driven = a->work_driven;
    k->approach_max = a->approach_max;
  }
  o->run.ops->work(o->run.flow, &w);
  k->flow_steps = (double)w.steps;
  k->flow_evaluations = (double)w.rates;
}

/* The state of the run from those of the parts, as these were output last. */
static void collect(mixed_events *o)
{
  ns_state *x = o->x;
  if (o->L) {
    const ns_contacts *k = o->L->s.k;
    ns_state *a = &o->mechanics.x;
    memset(a->p, 0, o->mechanics.part.model.nv * sizeof *a->p);
    for (int r = 0; r < k->nrows; r++)
      if (a->lambda[r] != 0) ns_rows_add(&k->H, r, a->lambda[r], a->p);
    collect_share(o, &o->mechanics);
    ns_part_give(o->mechanics.part.model.nrows, o->mechanics.part.row, a->ydot, x->ydot);
    memcpy(x->angle, a->angle, ns_model_joint_angles(o->m) * sizeof *x->angle);
  }
  if (o->F) collect_share(o, &o->order1);
  collect_sums(o);
  *x->report = o->L ? *o->mechanics.x.report : *o->order1.x.report;
  if (o->L && o->F) x->report->active += o->order1.x.report->active;
}

/* All that follows from the state, of both parts: without saying anything of gaps to come, which
 * the unknowns of mechanics know better than its positions. */
static int output_parts(mixed_events *o)
{
  int rc = NS_OK;
  synchronise(o);
  if (o->F) place_first_order(o, o->order1.x.q);
  if (o->L) {
    double *own = o->L->unknown;
    size_t bytes = o->mechanics.problem->n * sizeof *own;
    memcpy(o->kept, own, bytes);
    *o->mechanics.x.report = (ns_step_report){0};
    rc = ns_ed_output(o->L);
    memcpy(own, o->kept, bytes);
    anchor_state(o);
  }
  if (!rc && o->F) rc = ns_sw_output(o->F);
  if (!rc) collect(o);
  return rc;
}

/* ---- what parts leave to all ----------------------------------------------------------------- */

static int certify(void *self, int event)
{
  mixed_events *o = self;
  ns_flow_work w;
  if (!o->certificate) return NS_OK;
  o->run.ops->work(o->run.flow, &w);
  return ns_event_certificate_check(o->certificate, o->run.c, *o->x->t, o->unknown, w.rates, event);
}

static int part_certify(void *of, int event) { return certify(((share *)of)->all, event); }

/* Formulas that jump see the state as the part has left it. */
static int part_jumped(void *of)
{
  share *s = of;
  mixed_events *o = s->all;
  if (!o->run.branches) return NS_OK;
  ns_part_give(s->part.model.nq, s->part.q, s->x.q, o->x->q);
  ns_part_give(s->part.model.nv, s->part.v, s->x.v, o->x->v);
  return ns_branches_jumped(o->run.branches, o->run.c);
}

static int begin_event(mixed_events *o);

/* A root of mechanics is behind another one: all goes back to that. */
static int part_moved(void *of, double t)
{
  mixed_events *o = ((share *)of)->all;
  int rc = o->run.ops->dense(o->run.flow, o->run.c, t, 0, o->unknown);
  *o->x->t = t;
  memset(o->fired, 0, (size_t)o->nparts * sizeof *o->fired);
  if (o->F) {
    take(&o->order1, o->unknown, o->F->unknown);
    o->order1.run->family->come(o->F, t);
  }
  return rc ? rc : begin_event(o);
}

static void part_changed(void *of)
{
  share *s = of;
  mixed_events *o = s->all;
  o->some = 1;
  if (s != &o->mechanics) return;
  for (size_t r = 0; r < s->part.model.nrows; r++)
    o->x->impulse[s->part.row[r]] += s->x.impulse[r];
}

static int part_tell(void *of, const ns_event *e)
{
  share *s = of;
  mixed_events *o = s->all;
  ns_event mine = *e;
  if (e->interaction >= 0) mine.interaction = s->part.interaction[e->interaction];
  return o->run.rec ? ns_recorder_event(o->run.rec, o->run.c, &mine) : NS_OK;
}

static int part_blame(void *of)
{
  const mixed_events *o = ((share *)of)->all;
  return blame_at(o, o->run.c, *o->x->t);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Contacts between shapes, which mechanics knows, in the state of all: that may be one before it. */
static int record_contacts(mixed_events *o)
{
  const ns_family_part *p = &o->mechanics.part;
  ns_state *own = &o->mechanics.x;
  const ns_state *x = o->x;
  size_t n;
  memcpy(o->part_now, own->block, own->bytes);
  ns_part_take(p->model.nq, p->q, x->q, own->q);
  ns_part_take(p->model.nv, p->v, x->v, own->v);
  ns_part_take(p->model.nrows, p->row, x->ydot, own->ydot);
  ns_part_take(p->model.nrows, p->row, x->lambda, own->lambda);
  ns_part_take(p->model.nrows, p->row, x->impulse, own->impulse);
  const ns_contact_record *list = ns_ed_contacts(o->L, &n);
  int rc = ns_recorder_contacts(o->run.rec, o->run.c, list, n);
  memcpy(own->block, o->part_now, own->bytes);
  return rc;
}

static int record_row(mixed_events *o, double side)
{
  ns_state *x = o->x;
  *x->side = side;
  int rc = ns_observables_eval(&o->observables, o->run.c, x);
  int kept = o->m->gaps ? record_contacts(o) : NS_OK;
  if (!kept) kept = ns_recorder_row(o->run.rec, o->run.c);
  *x->side = 0;
  return rc ? rc : kept;
}

static void exchange(mixed_events *o)
{
  char *a = o->x->block, *b = o->before;
  for (size_t i = 0; i < o->x->bytes; i++) {
    char t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

static int both_rows(mixed_events *o)
{
  exchange(o);
  int rc = record_row(o, 1);
  exchange(o);
  return rc ? rc : record_row(o, 2);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* The state before an event, as it is now. */
static int begin_event(mixed_events *o)
{
  int rc = output_parts(o);
  memset(o->x->impulse, 0, o->m->nrows * sizeof *o->x->impulse);
  o->some = 0;
  o->rows = 1;
  memcpy(o->before, o->x->block, o->x->bytes);
  return rc || !o->run.rec ? rc : ns_recorder_state(o->run.rec, o->run.c);
}

/* Modes of first order at the state; *jumped: that is another one from then on. */
static int decide_first_order(mixed_events *o, int *jumped)
{
  int rc = ns_sw_keep(o->F);
  if (!rc) rc = ns_sw_changed(o->F, 1);
  place_first_order(o, o->order1.x.q);
  *jumped = !rc && o->F->jump.made;
  return rc;
}

static int do_not_settle(mixed_events *o)
{
  char at[NS_FLOW_PLACE];
  return ns_fail(o->run.c, NS_NUMERIC,
                 "%s: at t = %.10g s jumps of first-order systems and forces on mechanics change each "
                 "other %d times without end; the results so far are kept; look for couplings that "
                 "undo each other", ns_place_text(&o->m->sim.at, at, sizeof at), *o->x->t, (int)ROUNDS);
}

/* What is left to do where mechanics (its forces are others), or first order (what it reads is
 * another) are to be looked at. */
static int settle(mixed_events *o, int mechanics, int first_order)
{
  int rc = NS_OK;
  for (int round = 0; !rc && (mechanics || first_order); round++) {
    if (round == ROUNDS) return do_not_settle(o);
    if (mechanics && o->L) rc = ns_ed_event(o->L);
    anchor_state(o);
    first_order |= mechanics;
    mechanics = 0;
    if (!rc && first_order && o->F) rc = decide_first_order(o, &mechanics);
    first_order = 0;
    mechanics = mechanics && o->L;
  }
  return rc;
}

/* Mechanics begins its share of the flow where it is. */
static int resume_mechanics(mixed_events *o)
{
  const ns_state *x = &o->mechanics.x;
  int rc = ns_ed_rows(o->L, *x->t, x->q, x->v, o->L->gap, o->L->speed);
  return rc ? rc : ns_ed_restart(o->L);
}

static int resume_first_order(mixed_events *o)
{
  int rc = ns_sw_output(o->F);
  return rc ? rc : ns_sw_restart(o->F);
}

/* The flow from the unknowns of both parts. */
static int restart(mixed_events *o)
{
  const ns_family_part *p = &o->mechanics.part;
  ns_flow_problem *k = &o->problem;
  int user = o->nparts;
  memset(o->unknown, 0, k->n * sizeof *o->unknown);
  if (o->L) {
    give(&o->mechanics, o->mechanics.own, o->unknown);
    ns_part_give(p->model.nq, p->q, o->L->origin, o->origin);
    memcpy(o->direction, o->mechanics.direction, (size_t)o->mechanics.problem->nroots);
    k->longest_first = o->mechanics.problem->longest_first;
    double finest = o->mechanics.problem->coarsest, most = finest > 0 ? finest : INFINITY;
    for (size_t i = 0; i < p->model.nq; i++) o->atol[p->q[i]] = fmin(o->L->atol[i], most);
  }
  if (o->F) {
    give(&o->order1, o->order1.own, o->unknown);
    memcpy(o->direction + o->order1.first_root, o->order1.direction,
           (size_t)o->order1.problem->nroots);
  }
  for (int i = 0; i < o->run.nuser; i++)
    o->direction[user + i] = (signed char)ns_user_events_direction(o->run.user, i);
  o->mechanics.asks = o->order1.asks = 0;
  int rc = o->run.ops->restart(o->run.flow, o->run.c, *o->x->t, o->unknown, o->direction);
  ns_flow_work w;
  o->run.ops->work(o->run.flow, &w);
  if (!rc) ns_event_certificate_begin(o->certificate, *o->x->t, o->unknown, w.rates);
  return rc;
}

/* Both parts have done what they do: the flow goes on from there. */
static int begin_flow(mixed_events *o)
{
  int rc = NS_OK;
  if (o->L && !o->mechanics.asks) rc = resume_mechanics(o);
  if (!rc && o->F && !o->order1.asks) rc = resume_first_order(o);
  return rc ? rc : restart(o);
}

/* Rows of both sides, where something has changed. */
static int record(mixed_events *o)
{
  ns_state *x = o->x;
  int rc = NS_OK;
  collect(o);
  ns_certify(x, x->report);
  x->cert->steps--; /* that counts the grid */
  if (o->some && o->rows && o->run.rec) rc = both_rows(o);
  if (!rc && o->run.rec) rc = ns_recorder_state(o->run.rec, o->run.c);
  memset(x->impulse, 0, o->m->nrows * sizeof *x->impulse);
  return rc;
}

static int end_event(mixed_events *o, int rc)
{
  if (!rc) rc = begin_flow(o);
  if (!rc) rc = record(o);
  if (!rc) ns_event_run_anchor(&o->run);
  return rc;
}

/* Roots of the first-order rows, for an event in which others have a part, too. */
static void note_fired(mixed_events *o)
{
  const int *fired = o->fired + o->order1.first_root;
  int rows = o->F->k->nrows;
  for (int r = 0; r < rows; r++) o->F->fired[r] = fired[r] || fired[rows + r];
}

static int any(const int *fired, int n)
{
  for (int i = 0; i < n; i++)
    if (fired[i]) return 1;
  return 0;
}

/* Mechanics at its roots, and what follows for first order; `own`: that has roots, too. */
static int mechanics_root(mixed_events *o, double since, double t, int own)
{
  int jumped = 0, rc = o->mechanics.run->family->root(o->L, since, t);
  anchor_state(o);
  int happened = o->mechanics.asks;
  if (rc || !o->F || !(happened || own)) return rc;
  own = any(o->fired + o->order1.first_root, o->order1.problem->nroots);
  if (own) note_fired(o);
  rc = decide_first_order(o, &jumped);
  return rc ? rc : settle(o, jumped, 0);
}

static int first_order_root(mixed_events *o, double since, double t)
{
  int rc = o->order1.run->family->root(o->F, since, t);
  place_first_order(o, o->order1.x.q);
  return rc ? rc : settle(o, o->F->jump.made && o->L, 0);
}

/* Whose root it is. A root that the inspection of mechanics has found is of nobody else. */
static void sort_roots(mixed_events *o, int *mechanics, int *first_order)
{
  const int *fired = o->run.ops->fired(o->run.flow);
  int found = o->L && o->L->inspection.found, nL = o->L ? o->mechanics.problem->nroots : 0;
  memset(o->fired, 0, (size_t)o->nparts * sizeof *o->fired);
  if (!found) memcpy(o->fired, fired, (size_t)o->nparts * sizeof *o->fired);
  *mechanics = found || any(o->fired, nL);
  *first_order = any(o->fired + nL, o->nparts - nL);
}

static int root(void *of, double since, double t)
{
  mixed_events *o = of;
  int mechanics, first_order;
  sort_roots(o, &mechanics, &first_order);
  int found = o->L && o->L->inspection.found;
  int users = !found && ns_event_run_note(&o->run, o->run.ops->fired(o->run.flow) + o->nparts);
  int rc = begin_event(o);
  if (!rc && (first_order || users)) rc = certify(o, 1);
  if (!rc && mechanics) rc = mechanics_root(o, since, t, first_order);
  else if (!rc && first_order) rc = first_order_root(o, since, t);
  if (o->L) o->L->inspection.found = 0;
  int anew = o->mechanics.asks || o->order1.asks;
  if (!rc && anew) rc = end_event(o, rc);
  if (rc || !users) return rc;
  rc = ns_event_run_fired(&o->run);
  if (!rc && anew) ns_event_run_anchor(&o->run); /* with what the user's events keep */
  return rc;
}

/* Forces or inputs are others at the state: both parts look at it. */
static int reconsider(mixed_events *o, int rc)
{
  int mechanics = o->L && o->L->begun;
  if (!rc) rc = settle(o, mechanics, 1);
  return end_event(o, rc);
}

/* ---- operations of the run ------------------------------------------------------------------- */

static void come(void *of, double t)
{
  mixed_events *o = of;
  share *const part[] = {&o->mechanics, &o->order1};
  *o->x->t = t;
  for (int k = 0; k < 2; k++) {
    share *s = part[k];
    if (!s->run) continue;
    take(s, o->unknown, s->run->unknown);
    s->run->family->come(s->run, t);
    ns_part_give(s->part.model.nq, s->part.q, s->x.q, o->x->q);
    ns_part_give(s->part.model.nv, s->part.v, s->x.v, o->x->v);
  }
  if (o->L) memcpy(o->x->angle, o->mechanics.x.angle, ns_model_joint_angles(o->m) * sizeof *o->x->angle);
}

static int begin(void *of)
{
  mixed_events *o = of;
  int rc = NS_OK;
  synchronise(o);
  if (o->L) rc = o->mechanics.run->family->begin(o->L);
  if (!rc && o->F) rc = o->order1.run->family->begin(o->F);
  if (*o->x->step == 0) ns_event_run_anchor(&o->run); /* measures have begun since the start */
  return rc;
}

/* The event at t0. */
static int ready(void *of)
{
  mixed_events *o = of;
  if (!o->L || o->L->begun) return NS_OK;
  int rc = begin_event(o);
  if (!rc) rc = settle(o, 1, 1);
  return end_event(o, rc);
}

static int sampling(void *of) { return certify(of, 1); }

/* Offsets with user vectors are others. */
static int renew(mixed_events *o)
{
  ns_state *x = &o->mechanics.x;
  hand_out(o);
  if (!o->L) return NS_OK;
  return ns_contacts_positions(o->L->s.k, o->run.c, x, x->q, x->v, o->L->gap);
}

static int sampled(void *of)
{
  mixed_events *o = of;
  int rc = renew(o);
  if (!rc) rc = begin_event(o);
  return reconsider(o, rc);
}

static int stretch(void *of, double t1, double due, double *end, ns_stretch *how)
{
  mixed_events *o = of;
  (void)t1, (void)due, (void)end, (void)how;
  if (o->L) o->L->at_root = 0;
  return NS_OK;
}

static int output(void *of) { return output_parts(of); }
static int row(void *of, double side) { return record_row(of, side); }

/* The state was set from outside; what mechanics makes of it counts as work of forces. */
static int changed_state(void *of)
{
  mixed_events *o = of;
  int mechanics = 0, rc = renew(o);
  if (!rc) rc = begin_event(o);
  o->rows = 0; /* the user's are around it */
  if (!rc && o->L) rc = ns_ed_changed(o->L);
  anchor_state(o);
  if (!rc && o->F) rc = decide_first_order(o, &mechanics);
  if (!rc) rc = settle(o, mechanics && o->L, 0);
  return end_event(o, rc);
}

static int laws_at_row(mixed_events *o)
{
  int rc = o->L ? ns_ed_certify_row(o->L) : NS_OK;
  return rc || !o->F ? rc : ns_sw_certify_row(o->F);
}

/* A row of the grid; an impact at T, whose root is rounding beyond it; a law that a formula of time
 * has broken. */
static int show(void *of, double t1)
{
  mixed_events *o = of;
  int last = t1 >= o->m->sim.T, rc = certify(o, last);
  if (!rc) rc = output_parts(o);
  int strikes = !rc && last && o->L && ns_ed_impact_at_end(o->L);
  int broken = !rc && o->F && ns_sw_broken(o->F) >= 0;
  if (strikes || broken) {
    rc = begin_event(o);
    if (!rc) rc = settle(o, strikes, broken);
    rc = end_event(o, rc);
    if (!rc) rc = output_parts(o);
  }
  return rc ? rc : laws_at_row(o);
}

static int mend(void *of)
{
  mixed_events *o = of;
  int rc = o->F ? ns_sw_mend(o->F) : NS_OK;
  if (rc || !o->order1.asks) return rc;
  place_first_order(o, o->order1.x.q);
  rc = begin_flow(o);
  if (!rc) collect(o);
  if (!rc) ns_event_run_anchor(&o->run);
  return rc;
}

static const ns_event_family mixed = {.begin = begin,
                                      .ready = ready,
                                      .sampling = sampling,
                                      .sampled = sampled,
                                      .stretch = stretch,
                                      .come = come,
                                      .root = root,
                                      .certify = certify,
                                      .output = output,
                                      .row = row,
                                      .changed = changed_state,
                                      .show = show,
                                      .mend = mend};

/* ---- certificate ----------------------------------------------------------------------------- */

static int laws(void *self, double t, const double *x, double error, ns_breach *worst)
{
  mixed_events *o = self;
  ns_breach of_first_order = {0};
  int rc = NS_OK;
  if (o->L) take(&o->mechanics, x, o->mechanics.own);
  if (o->F) take(&o->order1, x, o->order1.own);
  if (o->L) rc = ns_ed_laws(o->L, t, o->mechanics.own, error, worst);
  if (!rc && o->F) rc = ns_sw_laws(o->F, t, o->order1.own, error, &of_first_order);
  if (o->L) worst->row = ns_event_run_row(o->mechanics.run, worst->row);
  if (o->F) of_first_order.row = ns_event_run_row(o->order1.run, of_first_order.row);
  if (of_first_order.by > worst->by) *worst = of_first_order;
  return rc;
}

static const char *place_of_row(void *of, int r, char *buf)
{
  const ns_model *m = ((mixed_events *)of)->m;
  const ns_place *at = &m->sim.at;
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    int mine = r >= (int)it->row && r < (int)it->row + it->m;
    if (mine) at = &it->at;
  }
  return ns_place_text(at, buf, NS_FLOW_PLACE);
}

static int create_certificate(mixed_events *o, ns_ctx *c)
{
  ns_certified what = {.of = o,
                       .flow = ns_branches_problem(o->run.branches, &o->problem),
                       .judged = o->m->nq + o->m->nv + (o->L ? (size_t)(o->L->overlaps.n * o->L->overlaps.width) : 0),
                       .to = o->x->cert,
                       .laws = laws,
                       .place = place_of_row};
  int rc = ns_event_certificate_create(c, &what, &o->certificate);
  if (rc || !o->certificate) return rc;
  if (o->L) o->L->certified.by = o->certificate;
  if (o->F) o->F->certified.by = o->certificate;
  return ns_event_certificate_schedule(o->certificate, c, o->m, o->x);
}

/* ---- creation -------------------------------------------------------------------------------- */

static void destroy_share(share *s, const ns_strategy_ops *ops)
{
  if (s->run) ops->destroy(s->run);
  ns_state_fini(&s->x);
  ns_family_part_destroy(&s->part);
}

static void destroy(void *self)
{
  mixed_events *o = self;
  if (!o) return;
  if (o->run.ops && o->run.flow) o->run.ops->destroy(o->run.flow);
  ns_event_certificate_destroy(o->certificate);
  destroy_share(&o->mechanics, &ns_event_driven);
  destroy_share(&o->order1, &ns_switching);
  ns_branches_destroy(o->run.branches);
  ns_observables_fini(&o->observables);
  ns_controls_destroy(o->controls);
  ns_arena_destroy(o->mem);
  free(o);
}

typedef int create_engine(ns_ctx *c, const ns_model *m, ns_state *x, const ns_event_host *host,
                          ns_plan *plan, void **self);

/* The engine of a part, where the model has such systems; its plan is forgotten. */
static int create_share(mixed_events *o, ns_ctx *c, int first_order, create_engine *make, share *s,
                        void **engine)
{
  ns_plan plan;
  s->all = o;
  s->host = (ns_event_host){.of = s, .ops = &share_ops,
                            .others = first_order ? read_by_first_order : read_by_mechanics,
                            .certify = part_certify, .jumped = part_jumped, .moved = part_moved,
                            .changed = part_changed, .tell = part_tell, .blame = part_blame};
  int rc = ns_family_part_create(c, o->m, first_order, &s->part);
  if (rc || s->part.model.nsystems == 0) return rc;
  s->host.row = s->part.row;
  rc = ns_state_create(c, &s->part.model, &s->x);
  if (!rc) rc = make(c, &s->part.model, &s->x, &s->host, &plan, engine);
  s->run = *engine;
  if (rc) return rc;
  s->own = ns_arena_zero(o->mem, s->problem->n + 1, sizeof *s->own);
  s->rate = ns_arena_zero(o->mem, s->problem->n + 1, sizeof *s->rate);
  return s->own && s->rate ? NS_OK : ns_nomem(c, "event-driven simulation");
}

/* Where formulas of the parts read others. */
static int get_places(mixed_events *o, ns_ctx *c)
{
  size_t nq = o->m->nq, nv = o->m->nv, d = sizeof(double);
  o->q = ns_arena_zero(o->mem, nq + 1, d);
  o->v = ns_arena_zero(o->mem, nv + 1, d);
  o->at.q = ns_arena_zero(o->mem, nq + 1, d);
  o->at.v = ns_arena_zero(o->mem, nv + 1, d);
  o->at.a = ns_arena_zero(o->mem, nv + 1, d);
  o->at.later = ns_arena_zero(o->mem, nq + 1, d);
  o->at.mean = ns_arena_zero(o->mem, nv + 1, d);
  o->before = ns_arena_zero(o->mem, o->x->bytes, 1);
  if (!o->q || !o->v || !o->at.q || !o->at.v || !o->at.a || !o->at.later || !o->at.mean || !o->before)
    return ns_nomem(c, "event-driven simulation");
  memcpy(o->q, o->x->q, nq * d);
  memcpy(o->v, o->x->v, nv * d);
  o->at.t = *o->x->t;
  return NS_OK;
}

/* Mechanics where it begins, at rest until it is known how it moves. */
static int place_start(mixed_events *o, ns_ctx *c)
{
  const ns_state *x = &o->mechanics.x;
  if (!o->L) return NS_OK;
  memcpy(o->at.q, x->q, o->mechanics.part.model.nq * sizeof *x->q);
  if (o->m->gaps && !(o->part_now = ns_arena_zero(o->mem, x->bytes, 1)))
    return ns_nomem(c, "event-driven simulation");
  return NS_OK;
}

static int get_trial(mixed_events *o)
{
  const ns_model *m = o->m;
  ns_state *x = &o->trial;
  *x = *o->x;
  x->t = &o->trial_t;
  double **own[] = {&x->q, &x->v, &x->p, &x->y, &x->ydot, &x->lambda, &x->observable};
  const size_t length[] = {m->nq, m->nv, m->nv, m->nrows, m->nrows, m->nrows, (size_t)m->nobservables};
  for (size_t k = 0; k < sizeof own / sizeof *own; k++)
    if (!(*own[k] = ns_arena_zero(o->mem, length[k] + 1, sizeof(double)))) return NS_NOMEM;
  return NS_OK;
}

/* Unknowns and roots of all from those of the parts. */
static void lay_out(mixed_events *o)
{
  ns_flow_problem *p = &o->problem;
  share *const part[] = {&o->mechanics, &o->order1};
  p->n = o->m->nq + o->m->nv;
  for (int k = 0; k < 2; k++) {
    share *s = part[k];
    s->rest = p->n;
    s->first_root = p->nroots;
    if (!s->run) continue;
    p->n += s->problem->n - own_rest(s);
    p->nroots += s->problem->nroots;
  }
  o->nparts = p->nroots;
  for (int k = 0; k < o->m->nuser_events; k++)
    o->run.nuser += o->m->user_events[k].when.value.how != NS_OP_ABSENT;
  p->nroots += o->run.nuser;
}

static int get_vectors(mixed_events *o)
{
  const ns_flow_problem *p = &o->problem;
  size_t d = sizeof(double), nuser = (size_t)o->m->nuser_events;
  o->unknown = ns_arena_zero(o->mem, p->n + 1, d);
  o->atol = ns_arena_zero(o->mem, p->n + 1, d);
  o->origin = ns_arena_zero(o->mem, o->m->nq + 1, d);
  o->sight = ns_arena_zero(o->mem, p->n + 1, d);
  o->kept = ns_arena_zero(o->mem, p->n + 1, d);
  o->direction = ns_arena_zero(o->mem, (size_t)p->nroots + 1, 1);
  o->fired = ns_arena_zero(o->mem, (size_t)o->nparts + 1, sizeof *o->fired);
  o->run.user_fired = ns_arena_zero(o->mem, nuser + 1, 1);
  if (!o->unknown || !o->atol || !o->origin || !o->sight || !o->kept) return NS_NOMEM;
  if (!o->direction || !o->fired || !o->run.user_fired) return NS_NOMEM;
  for (size_t i = 0; i < p->n; i++) o->atol[i] = NS_FLOW_FREE;
  if (o->L) give(&o->mechanics, o->L->atol, o->atol);
  if (o->F) give(&o->order1, o->F->atol, o->atol);
  o->run.unknown = o->unknown;
  return get_trial(o);
}

static int show_at(void *of, double t)
{
  come(of, t);
  return output_parts(of);
}

static int get_flow(mixed_events *o, ns_ctx *c)
{
  const ns_model *m = o->m;
  o->problem = (ns_flow_problem){.of = o,
                                 .options = &m->sim.ed,
                                 .grid = m->sim.ts.h,
                                 .min_step = DBL_EPSILON / 4 * fmax(fabs(m->sim.t0), fabs(m->sim.T)),
                                 .rate = rate,
                                 .roots = roots,
                                 .inspect = o->L ? inspect : NULL,
                                 .name = name,
                                 .place = place,
                                 .blame = blame,
                                 .ncoord = m->nq,
                                 .curved = ns_mechanics_any_curved(m),
                                 .each_step = ns_measures_of_motion(m) || m->nangles};
  lay_out(o);
  if (get_vectors(o)) return ns_nomem(c, "event-driven simulation");
  o->problem.atol = o->atol;
  o->problem.origin = o->origin;
  if (!o->L) o->problem.first_step = 1e-7 * m->sim.ts.h;
  int rc = ns_event_run_flow(&o->run, c, o->x, &o->problem);
  if (rc) return rc;
  const ns_flow_problem *p = ns_branches_problem(o->run.branches, &o->problem);
  o->run.passage = (ns_flow_passage){.ops = o->run.ops,
                                     .flow = o->run.flow,
                                     .problem = p,
                                     .sliding = p != &o->problem,
                                     .x = o->unknown,
                                     .show = show_at,
                                     .of = o};
  return ns_flow_passage_init(&o->run.passage, o->mem) ? ns_nomem(c, "event-driven simulation") : NS_OK;
}

static int fill(mixed_events *o, ns_ctx *c)
{
  void *L = NULL, *F = NULL;
  int rc = (o->mem = ns_arena_create(0, 1)) ? NS_OK : ns_nomem(c, "event-driven simulation");
  if (!rc) rc = get_places(o, c);
  if (!rc) rc = ns_observables_create(c, o->m, &o->observables);
  if (!rc) rc = ns_controls_create(c, o->m, &o->controls);
  o->run.controls = o->controls;
  if (!rc) rc = create_share(o, c, 0, ns_ed_create, &o->mechanics, &L);
  o->L = L;
  if (!rc) rc = place_start(o, c);
  if (!rc) rc = create_share(o, c, 1, ns_sw_create, &o->order1, &F);
  o->F = F;
  if (!rc) rc = get_flow(o, c);
  return rc ? rc : create_certificate(o, c);
}

static void describe(const mixed_events *o, ns_plan *plan)
{
  const ns_model *m = o->m;
  *plan = (ns_plan){.strategy = ns_mixed_events.name,
                    .integrator = o->run.ops->name,
                    .problem = m->nrows ? "modes" : "none",
                    .solver = m->sim.osnsp.solver,
                    .solver_note = m->nrows ? "modes of contacts by their problem, of first order by search"
                                            : "no interaction: nothing to solve",
                    .storage = m->nrows ? "dense" : "none",
                    .rows = (int)m->nrows,
                    .nnz = m->nrows * m->nrows,
                    .systems_nonlinear = m->nsystems,
                    .state_bytes = o->x->bytes,
                    .work_bytes = ns_arena_used(o->mem)};
}

static int create(ns_ctx *c, const ns_model *m, ns_state *x, ns_plan *plan, void **self)
{
  mixed_events *o = *self = calloc(1, sizeof *o);
  if (!o) return ns_nomem(c, "event-driven simulation");
  o->m = m;
  o->x = x;
  o->run = (ns_event_run){.family = &mixed, .m = m, .x = x, .c = c, .sampled = -1};
  int rc = fill(o, c);
  if (rc) {
    destroy(o);
    *self = NULL;
    return rc;
  }
  describe(o, plan);
  return NS_OK;
}

/* ---- the run --------------------------------------------------------------------------------- */

static int start(void *self, ns_ctx *c)
{
  mixed_events *o = self;
  int rc = NS_OK;
  o->run.c = c;
  o->run.rec = NULL;
  hand_out(o);
  if (o->F) place_first_order(o, o->order1.x.q);
  if (o->L) rc = ns_event_driven.start(o->L, c);
  anchor_state(o);
  if (!rc && o->F) rc = ns_switching.start(o->F, c);
  if (!rc && o->F && o->L && o->F->jump.made) {
    place_first_order(o, o->order1.x.q);
    rc = ns_event_driven.start(o->L, c);
    anchor_state(o);
  }
  if (!rc) rc = begin_flow(o);
  if (!rc) rc = output_parts(o);
  memset(o->x->impulse, 0, o->m->nrows * sizeof *o->x->impulse);
  if (!rc) ns_event_run_anchor(&o->run);
  return rc;
}

static void report(void *self) { (void)self; /* all is up to date */ }

static int changed(void *self, ns_ctx *c)
{
  mixed_events *o = self;
  o->run.c = c;
  return changed_state(o);
}

static const ns_contact_record *contacts(const void *self, size_t *n)
{
  const mixed_events *o = self;
  *n = 0;
  return o->L ? ns_event_driven.contacts(o->L, n) : NULL;
}

static int watch(void *self, ns_ctx *c, const ns_watch *w)
{
  mixed_events *o = self;
  return o->L ? ns_event_driven.watch(o->L, c, w) : NS_OK;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

static int savable(const void *self)
{
  const mixed_events *o = self;
  return o->run.ops->memory && (!o->L || ns_event_driven.savable(o->L));
}

static void save_share(const share *s, const ns_strategy_ops *ops, ns_blob *b)
{
  if (!s->run) return;
  ns_blob_put(b, s->x.block, s->x.bytes);
  ops->memory->save(s->run, b);
}

static void save(const void *self, ns_blob *b)
{
  const mixed_events *o = self;
  ns_blob_put(b, &o->run.sampled, sizeof o->run.sampled);
  save_share(&o->mechanics, &ns_event_driven, b);
  save_share(&o->order1, &ns_switching, b);
  ns_event_certificate_save(o->certificate, b);
  o->run.ops->memory->save(o->run.flow, b);
}

static void restore_share(share *s, const ns_strategy_ops *ops, ns_blob *b)
{
  if (!s->run) return;
  ns_blob_get(b, s->x.block, s->x.bytes);
  ops->memory->restore(s->run, b);
}

static void restore(void *self, ns_blob *b)
{
  mixed_events *o = self;
  ns_ctx quiet = {0};
  o->run.c = &quiet;
  if (o->L) o->mechanics.run->c = &quiet;
  ns_blob_get(b, &o->run.sampled, sizeof o->run.sampled);
  restore_share(&o->mechanics, &ns_event_driven, b);
  if (o->F) o->order1.run->c = &quiet;
  restore_share(&o->order1, &ns_switching, b);
  ns_event_certificate_restore(o->certificate, b);
  o->run.ops->memory->restore(o->run.flow, b);
  synchronise(o);
  if (!b->failed && restart(o)) b->failed = NS_NOINPUT;
  o->run.c = NULL;
  synchronise(o);
}

static const ns_memory memory = {.save = save, .restore = restore};

const ns_strategy_ops ns_mixed_events = {
    .size = sizeof ns_mixed_events,
    .name = "EventDriven",
    .help = "smooth motion between events, whose times are found as roots; systems of several kinds",
    .create = create,
    .start = start,
    .step = ns_event_run_step,
    .report = report,
    .destroy = destroy,
    .family = NS_FAMILY_MIXED,
    .changed = changed,
    .watch = watch,
    .contacts = contacts,
    .user_events = ns_event_run_own,
    .memory = &memory,
    .savable = savable,
    .anchored = ns_event_run_anchored};
