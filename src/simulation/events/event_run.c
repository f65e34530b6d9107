/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/event_run.h"

#include "model/check/diagnose.h"
#include "model/measure.h"
#include "simulation/events/event_driven.h"
#include "simulation/events/event_queue.h"
#include "simulation/events/mixed_events.h"
#include "simulation/events/switching.h"
#include "simulation/record/events.h"
#include "simulation/step/stepper.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation -------------------------------------------------------------------------------- */

void ns_event_run_destroy(void *self)
{
  ns_event_run *r = self;
  if (!r) return;
  if (r->flow) r->ops->destroy(r->flow);
  if (!r->host) ns_event_certificate_destroy(r->certificate);
  ns_branches_destroy(r->branches);
  ns_observables_fini(&r->observables);
  ns_controls_destroy(r->controls);
  r->family->fini(r);
  ns_arena_destroy(r->mem);
}

int ns_event_run_create(ns_ctx *c, const ns_event_family *family, const ns_model *m, ns_state *x,
                        const ns_event_host *host, void **self)
{
  ns_event_run *r = *self = ns_arena_object(family->size, offsetof(ns_event_run, mem));
  if (!r) return ns_nomem(c, "event-driven simulation");
  *r = (ns_event_run){.family = family,
                      .host = host,
                      .m = m,
                      .x = x,
                      .c = c,
                      .bad = -1,
                      .sampled = -INFINITY,
                      .lived = host || !family->lives || !ns_model_is_mortal(m)
                                   ? INFINITY
                                   : m->sim.t0 + ns_event_resolution(&m->sim, m->sim.t0),
                      .mem = r->mem,
                      .before = ns_arena_zero(r->mem, x->bytes, 1)};
  int rc = r->before ? family->fill(r, c) : ns_nomem(c, "event-driven simulation");
  if (!rc) return NS_OK;
  ns_event_run_destroy(r);
  *self = NULL;
  return rc;
}

int ns_event_run_init(ns_event_run *r, ns_ctx *c)
{
  int rc = ns_observables_create(c, r->m, &r->observables);
  return rc || r->host ? rc : ns_controls_create(c, r->m, &r->controls);
}

/* Conditions of the user that are roots. */
static int count_conditions(const ns_model *m)
{
  int n = 0;
  for (int k = 0; k < m->nuser_events; k++) n += m->user_events[k].when.value.how != NS_OP_ABSENT;
  return n;
}

/* Which of them bend (step_roots.h). */
static int find_bends(const ns_model *m, unsigned char *bends)
{
  enum { MARGIN = 1 };
  int rc = NS_OK;
  for (int k = 0; k < m->nuser_events && !rc; k++) {
    const ns_operator *f = &m->user_events[k].when.value;
    if (f->how == NS_OP_ABSENT) continue;
    *bends = f->how != NS_OP_CONSTANT;
    if (f->how == NS_OP_TAPE) rc = ns_root_bends(m, f->formula->tape, f->uses, MARGIN, bends);
    bends++;
  }
  return rc;
}

/* ---- the flow and its roots ------------------------------------------------------------------ */

void ns_event_run_count_work(ns_event_run *r)
{
  ns_flow_work w;
  r->ops->work(r->flow, &w);
  r->x->cert->flow_steps = (double)w.steps;
  r->x->cert->flow_evaluations = (double)w.rates;
}

/* Evaluations of the integrator so far. */
static long long rates(const ns_event_run *r)
{
  ns_flow_work w;
  r->ops->work(r->flow, &w);
  return w.rates;
}

int ns_event_run_problem(ns_event_run *r, ns_ctx *c, ns_flow_problem p)
{
  const ns_simulation_options *s = &r->m->sim;
  p.of = r;
  p.roots = ns_event_run_roots;
  p.place = ns_event_run_unknown_place;
  p.blame = ns_event_run_blame;
  p.grid = s->ts.h;
  p.min_step = DBL_EPSILON / 4 * fmax(fabs(s->t0), fabs(s->T));
  p.each_step = ns_measures_of_motion(r->m) || r->m->nangles;
  r->problem = p;
  r->nuser = count_conditions(r->m);
  return ns_event_stride(c, r->m, &r->problem.stride);
}

int ns_event_run_user_roots(ns_event_run *r, double t, double *g)
{
  r->trial_t = t;
  int rc = r->anew ? ns_user_events_begin_flow(r->user, r->c, &r->trial) : NS_OK;
  r->anew = r->anew && rc;
  return rc ? rc : ns_user_events_roots(r->user, r->c, &r->trial, g);
}

static int look_within(void *of, double t, double *g)
{
  ns_event_run *r = of;
  double from, to;
  r->ops->span(r->flow, &from, &to);
  if (!(t >= from && t <= to)) return 1;
  int rc = r->ops->dense(r->flow, r->c, t, 0, r->within);
  if (!rc) rc = r->family->roots(r, t, r->within, r->within_roots);
  memcpy(g, r->within_roots + r->first_within, (size_t)r->dips.n * sizeof *g);
  return rc;
}

int ns_event_run_roots(void *self, double t, const double *x, double *g)
{
  ns_event_run *r = self;
  int rc = r->family->roots(r, t, x, g);
  return rc || !r->dips.n ? rc : ns_step_roots_apply(&r->dips, t, g + r->first_within);
}

/* A state with vectors of its own, all else being that of the run. */
static int get_trial(ns_event_run *r)
{
  const ns_model *m = r->m;
  ns_state *x = &r->trial;
  *x = *r->x;
  x->t = &r->trial_t;
  double **own[] = {&x->q, &x->v, &x->p, &x->y, &x->ydot, &x->lambda, &x->observable};
  const size_t rows = m->nrows;
  const size_t length[] = {m->nq, m->nv, m->nv, rows, rows, rows, (size_t)m->nobservables};
  for (size_t k = 0; k < sizeof own / sizeof *own && r->nuser; k++)
    if (!(*own[k] = ns_arena_zero(r->mem, length[k] + 1, sizeof(double)))) return NS_NOMEM;
  return NS_OK;
}

int ns_event_run_look(ns_event_run *r)
{
  size_t nroots = (size_t)r->problem.nroots, unknowns = r->problem.n + 1, d = sizeof(double);
  int n = r->first_user + r->nuser - r->first_within, either = r->first_user - r->first_within;
  unsigned char *bends;
  const ns_array want[] = {{&r->unknown, unknowns, d},
                           {&r->atol, unknowns, d},
                           {&r->least, unknowns, d},
                           {&r->direction, nroots, 1},
                           {&r->passing, nroots, 1},
                           {&r->bad_q, r->m->nq + r->m->nv + r->m->nrows, d},
                           {&r->user_fired, (size_t)r->nuser, 1},
                           {&r->within, unknowns, d},
                           {&r->within_roots, nroots, d},
                           {&bends, (size_t)n, 1}};
  if (ns_arena_arrays(r->mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  r->problem.atol = r->atol;
  r->bad_v = r->bad_q + r->m->nq;
  r->bad_lambda = r->bad_v + r->m->nv;
  if (get_trial(r) || find_bends(r->m, bends + either)) return NS_NOMEM;
  r->dips = (ns_step_roots){.of = r,
                            .look = look_within,
                            .bends = bends,
                            .n = n,
                            .either = either,
                            .widest = r->m->sim.ts.h};
  return ns_step_roots_init(&r->dips, r->mem);
}

/* The flow begins with other tolerances if sizes are small. Sides of conditions are not decided
 * here: what jumps at this instant is looked for before the flow goes. */
static int look_for_sizes(ns_event_run *r)
{
  int anew = r->anew, some = 0;
  r->anew = 0;
  r->looking = 1;
  int rc = ns_event_sizes_look(&r->sizes, *r->x->t, r->unknown);
  r->looking = 0;
  r->anew = anew;
  ns_step_roots_forget(&r->dips);
  ns_branches_forget(r->branches);
  if (!rc && r->family->sized) rc = r->family->sized(r, &some);
  some |= !rc && ns_event_sizes_apply(&r->sizes, r->least, r->atol);
  if (rc || !some) return rc;
  return r->ops->restart(r->flow, r->c, *r->x->t, r->unknown, r->direction);
}

int ns_event_run_restart(ns_event_run *r)
{
  memset(r->direction + r->first_user, 0, (size_t)r->nuser);
  ns_step_roots_forget(&r->dips);
  r->anew = 1;
  int known = r->host || ns_event_sizes_are_known(&r->sizes, *r->x->t, r->unknown);
  if (!r->host && known) ns_event_sizes_apply(&r->sizes, r->least, r->atol);
  int rc = r->ops->restart(r->flow, r->c, *r->x->t, r->unknown, r->direction);
  if (!rc && !known) rc = look_for_sizes(r);
  if (rc || r->host || !r->certificate) return rc;
  ns_event_certificate_begin(r->certificate, *r->x->t, r->unknown, rates(r));
  return NS_OK;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* The system of unknown i, of its velocities or not, and which of its coordinates; NULL: it is none
 * of a system. */
static const ns_system *system_of(const ns_event_run *r, size_t i, int *of_v, int *coordinate)
{
  const ns_model *m = r->m;
  if (r->bad >= 0) i = (size_t)r->bad;
  *of_v = i >= m->nq;
  if (*of_v && !r->problem.ncoord) return NULL;
  if (*of_v) i -= m->nq;
  for (int k = 0; k < m->nsystems; k++) {
    const ns_system *s = &m->systems[k];
    size_t first = *of_v ? s->v : s->q, n = (size_t)(*of_v ? s->n : s->nq);
    *coordinate = (int)(i - first);
    if (i >= first && i < first + n) return s;
  }
  return NULL;
}

const char *ns_event_run_name(void *run, size_t i, char *buf, size_t size)
{
  const ns_event_run *r = run;
  char coordinate[64];
  int of_v, k;
  const ns_system *s = system_of(r, i, &of_v, &k);
  if (!s) return r->problem.ncoord ? "the work of forces" : "what depends on time";
  const char *what = of_v ? "the velocity of" : "coordinate";
  if (ns_system_is_first_order(s)) what = "component";
  snprintf(buf, size, "%s %s of %s", what,
           ns_system_coordinate(s, k, coordinate, sizeof coordinate),
           s->at.id ? s->at.id : s->kind->name);
  return buf;
}

const char *ns_event_run_unknown_place(void *run, size_t i, char *buf)
{
  const ns_event_run *r = run;
  int of_v, k;
  const ns_system *s = system_of(r, i, &of_v, &k);
  return ns_place_text(s ? &s->at : &r->m->sim.at, buf, NS_FLOW_PLACE);
}

const char *ns_event_run_place(const void *run, int row, char *buf)
{
  const ns_model *m = ((const ns_event_run *)run)->m;
  const ns_interaction *it = NULL;
  for (int i = 0; i < m->ninteractions && !it; i++) {
    int k = row - (int)m->interactions[i].row;
    if (k >= 0 && k < m->interactions[i].m) it = &m->interactions[i];
  }
  ns_place_text(it ? &it->at : &m->sim.at, buf, NS_FLOW_PLACE);
  const char *device = it && it->row_names ? it->row_names[row - (int)it->row] : NULL;
  size_t used = strlen(buf);
  if (device) snprintf(buf + used, NS_FLOW_PLACE - used, ": %.60s", device);
  return buf;
}

void ns_event_run_lapse(ns_event_run *r, double t, const double *q, const double *v,
                        const double *lambda)
{
  r->lapsed = 1;
  r->bad_t = t;
  memcpy(r->bad_q, q, r->m->nq * sizeof *q);
  memcpy(r->bad_v, v, r->m->nv * sizeof *v);
  memcpy(r->bad_lambda, lambda, r->m->nrows * sizeof *lambda);
}

int ns_event_run_blame(void *run, ns_ctx *c, double t, const double *x, double within)
{
  ns_event_run *r = run;
  if (r->host) return ns_event_run_blame(r->host->run, c, t, NULL, 0);
  const ns_state *s = r->x;
  ns_moment at = {.from = *s->t,
                  .t = t,
                  .q = s->q,
                  .v = s->v,
                  .z = s->z,
                  .lambda = s->lambda,
                  .q0 = s->q,
                  .v0 = s->v};
  int rc = x ? NS_OK : ns_fail_function(c, r->m, &at);
  if (!rc && r->family->point(r, x, &at.q, &at.v)) rc = ns_fail_function(c, r->m, &at);
  if (!rc && r->lapsed && fabs(r->bad_t - t) <= within) {
    at.t = r->bad_t;
    at.q = r->bad_q;
    at.v = r->bad_v;
    at.lambda = r->bad_lambda;
    rc = ns_fail_function(c, r->m, &at);
  }
  at.t = t + within; /* roots were looked for there */
  return rc || within == 0 ? rc : ns_fail_function(c, r->m, &at);
}

/* ---- what a part leaves to its host ---------------------------------------------------------- */

/* The state from the unknowns, for measures. */
static int show_unknowns(void *of, double t)
{
  ns_event_run *r = of;
  r->family->come(r, t);
  return r->family->output(r);
}

int ns_event_run_flow(ns_event_run *r, ns_ctx *c)
{
  const ns_flow_problem *p = &r->problem;
  int rc = NS_OK;
  if (r->host) {
    r->ops = r->host->ops;
    rc = r->ops->create(c, p, &r->flow);
  } else {
    if (!r->ops) rc = ns_flow_of_model(c, r->m, &r->ops);
    if (!rc) rc = ns_branches_create(c, r->m, r->x, &r->branches);
    if (!rc) rc = ns_branches_flow(r->branches, c, p, &r->ops, &r->flow);
  }
  if (rc) return rc;
  const ns_flow_problem *all = ns_branches_problem(r->branches, p);
  r->passage = (ns_flow_passage){.ops = r->ops,
                                 .flow = r->flow,
                                 .problem = all,
                                 .sliding = all != p,
                                 .listened = ns_measures_of_motion(r->m),
                                 .forces = ns_measures_of_forces(r->m, all != p),
                                 .x = r->unknown,
                                 .show = show_unknowns,
                                 .come = r->family->come,
                                 .of = r};
  r->sizes.of = r;
  r->sizes.forces = r->family->forces;
  r->sizes.passing = r->passing;
  r->sizes.nevents = p->nroots;
  if (!r->host && ns_event_sizes_init(&r->sizes, r->mem, r->m, all))
    return ns_nomem(c, "event-driven simulation");
  return ns_flow_passage_init(&r->passage, r->mem) ? ns_nomem(c, "event-driven simulation") : NS_OK;
}

int ns_event_run_jumped(ns_event_run *r)
{
  return r->host ? r->host->jumped(r->host->of) : ns_branches_jumped(r->branches, r->c);
}

int ns_event_run_report(ns_event_run *r, const ns_event *e)
{
  if (r->host) {
    ns_event mine = *e;
    if (e->interaction >= 0) mine.interaction = r->host->interaction[e->interaction];
    return ns_event_run_report(r->host->run, &mine);
  }
  return r->rec ? ns_recorder_event(r->rec, r->c, e) : NS_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const ns_contact_record *listed(const void *self, size_t *n)
{
  ns_event_run *r = (ns_event_run *)self; /* the list is its scratch */
  *n = 0;
  return r->family->contacts ? r->family->contacts(r, n) : NULL;
}

/* Record a row of the state on the given `side` of an event, with observables and contacts. */
static int record_row(void *run, double side)
{
  ns_event_run *r = run;
  ns_state *x = r->x;
  if (r->family->report) r->family->report(r);
  *x->side = side;
  int rc = ns_observables_eval(&r->observables, r->c, x);
  size_t n = 0;
  const ns_contact_record *list = listed(r, &n);
  int kept = list ? ns_recorder_contacts(r->rec, r->c, list, n) : NS_OK;
  if (!kept) kept = ns_recorder_row(r->rec, r->c);
  *x->side = 0;
  return rc ? rc : kept;
}

int ns_event_run_keep(void *run)
{
  ns_event_run *r = run;
  int rc = r->family->output(r);
  memcpy(r->before, r->x->block, r->x->bytes);
  return rc;
}

int ns_event_run_open(ns_event_run *r)
{
  int rc = ns_event_run_keep(r);
  return rc || !r->rec ? rc : ns_recorder_state(r->rec, r->c);
}

const double *ns_event_run_before(const ns_event_run *r, const double *of)
{
  const char *at = (const char *)r->before + ((const char *)of - (const char *)r->x->block);
  return (const double *)(const void *)at;
}

void ns_event_run_count(ns_event_run *r, int some)
{
  r->x->cert->events += some;
  ns_certify(r->x, r->x->report);
  r->x->cert->steps--; /* that counts the grid */
  if (some && r->host) r->host->changed(r->host->of);
}

/* What stands in a and b. */
static void exchange(void *a, void *b, size_t bytes)
{
  unsigned char *p = a, *q = b, t[512];
  for (size_t n; bytes > 0; bytes -= n, p += n, q += n) {
    n = bytes < sizeof t ? bytes : sizeof t;
    memcpy(t, p, n);
    memcpy(p, q, n);
    memcpy(q, t, n);
  }
}

static int both_rows(ns_event_run *r)
{
  exchange(r->x->block, r->before, r->x->bytes);
  int rc = record_row(r, 1);
  exchange(r->x->block, r->before, r->x->bytes);
  return rc ? rc : record_row(r, 2);
}

/* The state after an event goes to listeners, so that rows contain their results; then the rows
 * before and after it. */
static int pass(ns_event_run *r, int rows)
{
  if (!r->rec) return NS_OK;
  int rc = ns_recorder_state(r->rec, r->c);
  int kept = rows ? both_rows(r) : NS_OK;
  return rc ? rc : kept;
}

static int conclude(ns_event_run *r)
{
  const ns_event_family *f = r->family;
  int some = 0, rc = f->go_on(r);
  if (!rc) rc = f->decided(r, &some);
  if (rc) return rc;
  rc = f->tell ? f->tell(r) : NS_OK;
  int kept = pass(r, some && !r->bare);
  return rc ? rc : kept; /* a run that ends with it has its rows */
}

int ns_event_run_close(ns_event_run *r, int rc)
{
  if (!rc) rc = conclude(r);
  r->family->over(r);
  r->bare = 0;
  if (!rc) ns_event_run_anchor(r);
  return rc;
}

/* ---- the certificate ------------------------------------------------------------------------- */

int ns_event_run_certified(ns_event_run *r, ns_ctx *c, ns_certified what)
{
  if (r->host) {
    r->certificate = r->host->run->certificate;
    return NS_OK;
  }
  what.of = r;
  what.flow = ns_branches_problem(r->branches, &r->problem);
  what.to = r->x->cert;
  what.fixed = ns_flow_is_fixed(r->ops, &r->m->sim.ed);
  what.place = ns_event_run_place;
  what.nangles = what.passed ? r->m->nangles : 0;
  if (!what.angle) what.angle = r->x->angle;
  int rc = ns_event_certificate_create(c, &what, &r->certificate);
  return rc ? rc : ns_event_certificate_schedule(r->certificate, c, r->m, r->x);
}

int ns_event_run_certify(void *run, int event)
{
  const ns_event_run *r = run;
  if (!r->certificate) return NS_OK;
  if (r->host) return r->host->run->family->certify(r->host->run, event);
  return ns_event_certificate_check(r->certificate, r->c, *r->x->t, r->unknown, rates(r), event);
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

int ns_event_run_savable(const void *self)
{
  const ns_event_run *r = self;
  return r->ops->memory && (!r->family->savable || r->family->savable(r));
}

void ns_event_run_save(const void *self, ns_blob *b)
{
  const ns_event_run *r = self;
  r->family->save(r, b);
  ns_blob_put(b, &r->sampled, sizeof r->sampled);
  ns_blob_put(b, &r->lived, sizeof r->lived);
  if (!r->host) ns_event_sizes_save(&r->sizes, b);
  if (!r->host) ns_event_certificate_save(r->certificate, b);
  r->ops->memory->save(r->flow, b);
}

void ns_event_run_restore(void *self, ns_blob *b)
{
  ns_event_run *r = self;
  ns_ctx quiet = {0};
  r->c = &quiet;
  r->family->restore(r, b);
  ns_blob_get(b, &r->sampled, sizeof r->sampled);
  ns_blob_get(b, &r->lived, sizeof r->lived);
  if (!r->host) ns_event_sizes_restore(&r->sizes, b);
  if (!r->host) ns_event_certificate_restore(r->certificate, b);
  r->ops->memory->restore(r->flow, b);
  if (!b->failed && r->family->resume(r)) b->failed = NS_NOINPUT;
  r->c = NULL;
}

/* ---- events of the user ---------------------------------------------------------------------- */

static ns_user_driver driver(ns_event_run *r)
{
  const ns_event_family *f = r->family;
  return (ns_user_driver){.of = r,
                          .rec = r->rec,
                          .output = ns_event_run_keep,
                          .row = record_row,
                          .changed = f->changed};
}

/* Conditions that come to exactly 0 at a root of others, from below in the step that led there, are
 * of the same instant: a flow may meet their roots a few roundings later. */
static void note_met(ns_event_run *r)
{
  static const double NONE = 1e-290; /* roots that stand for an exact 0 are smaller */
  const ns_step_roots *d = &r->dips;
  const double *before = d->g[1] + (r->first_user - r->first_within);
  for (int i = 0; i < r->nuser && d->looks > 1; i++)
    if (!r->user_fired[i] && before[i] < -NONE && ns_user_events_meets(r->user, r->c, i))
      r->user_fired[i] = NS_USER_MEETS;
}

int ns_event_run_note(ns_event_run *r, double t, const int *fired)
{
  int some = 0;
  ns_step_roots_met(&r->dips, t, fired + r->first_within);
  fired += r->first_user;
  for (int i = 0; i < r->nuser; i++) {
    int did = fired[i] ? ns_user_events_changed(r->user, i, fired[i] > 0, 1) : 0;
    some |= r->user_fired[i] = (unsigned char)did;
  }
  if (some) note_met(r);
  return some;
}

int ns_event_run_fired(ns_event_run *r)
{
  ns_user_driver d = driver(r);
  int rc = ns_user_events_fired(r->user, r->c, &d, r->user_fired, &r->stopped);
  if (!rc && r->anew) ns_event_run_anchor(r); /* with what they keep: it is not met again */
  return rc;
}

int ns_event_run_mark(ns_event_run *r)
{
  if (!r->nuser || r->marked) return NS_OK;
  int rc = ns_event_run_keep(r);
  r->marked = 1;
  return rc ? rc : ns_user_events_mark(r->user, r->c);
}

int ns_event_run_switch(ns_event_run *r)
{
  ns_user_driver d = driver(r);
  if (ns_branches_undecided(r->branches) && ++r->jumps > r->m->sim.ed.max_events)
    return ns_branches_too_many(r->branches, r->c);
  int rc = ns_event_run_mark(r);
  if (!rc) rc = r->family->certify(r, 1);
  r->switching = 1;
  if (!rc) rc = ns_branches_event(r->branches, r->c, &d, r->user, &r->stopped);
  if (!rc) ns_event_run_anchor(r); /* once more: those who listen have heard of it now */
  r->switching = 0;
  return rc;
}

/* Those that are scheduled for the time of the state, which is all that is one with it. */
static int due(ns_event_run *r)
{
  ns_user_driver d = driver(r);
  double t = *r->x->t;
  int rc = r->family->certify(r, 1);
  if (rc) return rc;
  return ns_user_events_due(r->user, r->c, &d, t + ns_event_resolution(&r->m->sim, t), &r->stopped);
}

/* Those that hold whatever happened, and those whose condition has jumped. */
static int now(ns_event_run *r)
{
  ns_user_driver d = driver(r);
  int marked = r->marked, happened = 0;
  r->marked = 0;
  if (!r->user) return NS_OK;
  int rc = ns_user_events_now(r->user, r->c, &d, marked, &happened, &r->stopped);
  if (!rc && happened) ns_event_run_anchor(r); /* the flow was restarted there: with their counts */
  return rc;
}

/* ---- births and deaths ----------------------------------------------------------------------- */

/* The next one, not before t. */
static double next_life(const ns_event_run *r, double t)
{
  return r->lived < INFINITY ? fmax(ns_model_next_life(r->m, r->lived), t) : INFINITY;
}

/* Those at the time of the state, with rows before and after them. */
static int live(ns_event_run *r)
{
  const ns_event_family *f = r->family;
  double t = *r->x->t, since = r->lived, until = t + ns_event_resolution(&r->m->sim, t);
  int rc = f->certify(r, 1);
  if (!rc) rc = ns_event_run_keep(r);
  if (!rc && r->rec) rc = record_row(r, 1);
  r->lived = until;
  if (!rc) rc = f->lives(r);
  if (!rc && r->rec) rc = ns_events_of_lives(r->rec, r->c, r->m, t, since, until);
  if (!rc) rc = f->changed(r);
  if (!rc && r->rec) rc = record_row(r, 2);
  if (!rc) ns_event_run_anchor(r);
  return rc;
}

/* ---- the step -------------------------------------------------------------------------------- */

/* The flow to `end`, or to what it meets before. */
static int travel(ns_event_run *r, double end, double t1, ns_flow_end *why)
{
  const ns_simulation_options *s = &r->m->sim;
  double since = *r->x->t, t = since, stop = r->controls ? t1 : fmax(t1, s->T);
  *why = NS_FLOW_REACHED;
  if (ns_event_same(s, t, end)) return NS_OK;
  int rc = r->ops->advance(r->flow, r->c, end, stop, &t, r->unknown, why);
  r->family->come(r, t);
  return rc ? rc : ns_flow_passed(&r->passage, r->c, r->rec, since, t);
}

/* From the state to t1, or to the next event before it, which is dealt with. */
static int advance(ns_event_run *r, double t1)
{
  const ns_event_family *f = r->family;
  double since = *r->x->t;
  double next_user = r->user ? ns_user_events_next(r->user, NULL) : INFINITY,
         lives_at = next_life(r, since), known = fmin(next_user, lives_at), end = fmin(t1, known);
  ns_flow_end why = NS_FLOW_REACHED;
  ns_stretch how = NS_STRETCH_FLOW;
  int rc = f->stretch ? f->stretch(r, t1, known, &end, &how) : NS_OK;
  if (rc || how == NS_STRETCH_DONE) return rc;
  if (how == NS_STRETCH_FLOW) {
    end = fmin(end, ns_flow_passage_next(&r->passage, r->rec, since));
    rc = travel(r, end, t1, &why);
  }
  int at_end = ns_event_same(&r->m->sim, *r->x->t, end);
  double until = at_end ? end + ns_event_resolution(&r->m->sim, end) : -INFINITY;
  int scheduled = known <= until;
  if (!rc && (why != NS_FLOW_REACHED || scheduled)) rc = ns_event_run_mark(r);
  if (rc) return rc;
  if (why == NS_FLOW_SWITCH) return ns_event_run_switch(r);
  if (why == NS_FLOW_ROOT) return f->root(r, since, *r->x->t);
  if (!at_end) return NS_OK; /* a step of the flow has ended */
  *r->x->t = end;
  if (lives_at <= until) rc = live(r);
  return !rc && next_user <= until ? due(r) : rc;
}

/* Controls act, once at a time, also where a checkpoint was taken there. */
static int sample(ns_event_run *r)
{
  int acted;
  if (!r->controls || r->sampled >= *r->x->t) return NS_OK;
  int rc = ns_event_run_mark(r);
  if (!rc) rc = r->family->sampling(r);
  if (!rc) rc = ns_controls_sample(r->controls, r->c, r->x, &acted);
  if (rc) return rc;
  r->sampled = *r->x->t;
  return acted ? r->family->sampled(r) : NS_OK;
}

/* To t1, or to what comes before it: an event, a time at which controls act, the end of a step of
 * the flow. */
static int proceed(ns_event_run *r, double t1)
{
  const ns_simulation_options *s = &r->m->sim;
  ns_state *x = r->x;
  double acts = ns_controls_next(r->controls, *x->t);
  double stop = acts < t1 && !ns_event_same(s, acts, t1) ? acts : t1;
  int rc = advance(r, stop);
  int at_control = stop < t1 && !r->stopped && ns_event_same(s, *x->t, stop);
  if (!rc && at_control) {
    *x->t = stop;
    rc = sample(r);
  }
  return rc || r->stopped ? rc : now(r);
}

static int step(void *self, ns_ctx *c, ns_recorder *rec)
{
  ns_event_run *r = self;
  const ns_event_family *f = r->family;
  const ns_simulation_options *s = &r->m->sim;
  ns_state *x = r->x;
  double t1 = ns_event_grid(s, *x->step + 1);
  r->c = c;
  r->rec = rec;
  r->events = r->jumps = r->marked = 0;
  int rc = f->begin(r);
  if (!rc && ns_event_same(s, *x->t, ns_event_grid(s, *x->step))) rc = sample(r);
  if (!rc && f->ready) rc = f->ready(r);
  if (!rc) rc = now(r);
  while (!rc && !r->stopped && !ns_event_same(s, *x->t, t1)) rc = proceed(r, t1);
  if (rc || r->stopped) return rc;
  *x->t = t1;
  rc = f->show(r, t1);
  if (rc) return rc;
  *x->step += 1;
  ns_certify(x, x->report);
  return f->mend(r);
}

/* ---- the strategy ---------------------------------------------------------------------------- */

static const ns_event_family *family_of(const ns_model *m)
{
  ns_family family = ns_model_family(m);
  if (family == NS_FAMILY_FIRST_ORDER) return &ns_switching;
  return family == NS_FAMILY_MIXED ? &ns_mixed_events : &ns_mechanics_events;
}

static int create(const ns_strategy_ops *ops, ns_ctx *c, const ns_model *m, ns_state *x,
                  ns_plan *plan, void **self)
{
  int rc = ns_event_run_create(c, family_of(m), m, x, NULL, self);
  if (rc) return rc;
  ns_event_run *r = *self;
  r->family->describe(r, plan);
  plan->strategy = ops->name;
  plan->integrator = r->ops->name;
  plan->work_bytes += ns_arena_used(r->mem) + ns_controls_bytes(r->controls);
  return NS_OK;
}

static int start(void *self, ns_ctx *c)
{
  ns_event_run *r = self;
  r->c = c;
  r->rec = NULL;
  int rc = r->family->start(r);
  if (!rc) ns_event_run_anchor(r);
  return rc;
}

static void report(void *self)
{
  ns_event_run *r = self;
  if (r->family->report) r->family->report(r);
}

static int changed(void *self, ns_ctx *c)
{
  ns_event_run *r = self;
  r->c = c;
  if (r->user) ns_user_events_forget(r->user);
  return r->family->changed(r);
}

static int watch(void *self, ns_ctx *c, const ns_watch *w)
{
  ns_event_run *r = self;
  return r->family->watch ? r->family->watch(r, c, w) : NS_OK;
}

static void own(void *self, ns_user_events *u) { ((ns_event_run *)self)->user = u; }

static void anchored(void *self, void (*take)(void *to), void *to)
{
  ns_event_run *r = self;
  r->take = take;
  r->take_to = to;
}

const ns_strategy_ops ns_event_driven = {
    .name = "EventDriven",
    .help = "smooth motion between events, which are located as roots",
    .create = create,
    .start = start,
    .step = step,
    .report = report,
    .destroy = ns_event_run_destroy,
    .watch = watch,
    .contacts = listed,
    .changed = changed,
    .user_events = own,
    .save = ns_event_run_save,
    .restore = ns_event_run_restore,
    .savable = ns_event_run_savable,
    .anchored = anchored};
