/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/event_driven.h"

#include "model/lagrangian.h"
#include "model/output.h"
#include "simulation/event_driven_parts.h"
#include "simulation/event_queue.h"
#include "simulation/events.h"
#include "simulation/timestepping.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation ------------------------------------------------------------------------------------------- */

static void destroy(void *self)
{
  event_driven *o = self;
  if (!o) return;
  if (o->ops) o->ops->destroy(o->flow);
  ns_branches_destroy(o->branches);
  ns_observables_fini(&o->observables);
  ns_acceleration_fini(&o->hold);
  ns_ed_friction_fini(o);
  ns_ed_hybrid_fini(o);
  ns_event_certificate_destroy(o->certified.by);
  ns_stepper_fini(&o->s);
  ns_arena_destroy(o->mem);
  free(o);
}

/* Forces that work without a potential that is known. */
static int has_work(const ns_model *m)
{
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    if (s->fext.how > NS_OP_CONSTANT || s->fint.how || s->damping.how) return 1;
  }
  return 0;
}

static int is_driven(const ns_model *m)
{
  for (int i = 0; i < m->ninteractions; i++)
    if (ns_interaction_is_driven(&m->interactions[i])) return 1;
  return 0;
}

static int is_steady(const ns_system *s)
{
  return s->mass.how <= NS_OP_CONSTANT && s->fext.how <= NS_OP_CONSTANT && !s->fint.how && !s->fgyr.how && !s->damping.how &&
         !s->stiffness.how;
}

/* What of the model does not depend on the state. */
static void note_constants(event_driven *o)
{
  const ns_model *m = o->s.m;
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    if (!is_steady(s)) o->lively[o->nlively++] = i;
    else if (s->fext.how) memcpy(o->steady + s->q, s->fext.value, (size_t)s->n * sizeof *o->steady);
  }
  o->linear = 1;
  for (int i = 0; i < m->ninteractions; i++) o->linear = o->linear && m->interactions[i].relation->flags & NS_REL_LINEAR;
}

static int get_memory(event_driven *o)
{
  const ns_model *m = o->s.m;
  size_t nv = m->nv, rows = m->nrows, n = o->problem.n, d = sizeof(double), relation = 0;
  for (int i = 0; i < m->ninteractions; i++) {
    size_t w = ns_interaction_output_work(&m->interactions[i]);
    relation = w > relation ? w : relation;
  }
  const struct {
    void *to;
    size_t count, size;
  } want[] = {{&o->unknown, n, d}, {&o->atol, n, d}, {&o->rate, n, d}, {&o->a, nv, d}, {&o->gyr, nv, d}, {&o->gap, rows, d},
              {&o->speed, rows, d}, {&o->force, rows, d}, {&o->bias, rows, d}, {&o->slack, rows, d}, {&o->rhs, rows, d},
              {&o->relation, relation, d}, {&o->work, ns_lagrangian_work_most(m), d}, {&o->mode, rows, 1}, {&o->held, rows, 1}, {&o->slope, rows, d},
              {&o->closing, rows, 1}, {&o->opening, rows, 1}, {&o->direction, 2 * rows + (size_t)m->nuser_events + 1, 1},
              {&o->origin, nv, d}, {&o->trial_q, nv, d}, {&o->trial_v, nv, d}, {&o->gap0, rows, d}, {&o->gap_at_root, rows, d}, {&o->lead, rows, d}, {&o->yddot, rows, d}, {&o->departs, rows, 1},
              {&o->user_fired, (size_t)m->nuser_events, 1}, {&o->before, o->s.x->bytes, 1},
              {&o->speed_before, rows, d}, {&o->lost, rows, d}, {&o->removed, rows, d}, {&o->mode_before, rows, 1}, {&o->row, rows, sizeof(int)}, {&o->place, rows, sizeof(int)},
              {&o->flights, rows, sizeof(int)}, {&o->fastest, rows, d}, {&o->steady, nv, d}, {&o->lively, (size_t)m->nsystems, sizeof(int)}};
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    void *p = ns_arena_zero(o->mem, want[i].count + 1, want[i].size);
    if (!p) return NS_NOMEM;
    memcpy(want[i].to, &p, sizeof p);
  }
  for (size_t r = 0; r < rows; r++) o->place[r] = -1;
  note_constants(o);
  o->equal = (ns_equalities){.row = o->row, .place = o->place};
  return NS_OK;
}

static const double ROUGHLY = 1e-6; /* of the logarithm of forces: seen is enough */

static int any_unilateral(const event_driven *o)
{
  for (int r = 0; r < o->s.k->nrows; r++)
    if (ns_ed_is_unilateral(o, r)) return 1;
  return 0;
}

static int get_flow(event_driven *o, ns_ctx *c)
{
  const ns_model *m = o->s.m;
  size_t n = m->nv;
  o->problem = (ns_flow_problem){.of = o, .n = 2 * n, .nroots = 2 * (int)m->nrows, .options = o->opt, .rate = ns_ed_rate,
                                 .roots = ns_ed_roots, .name = ns_ed_name};
  for (int k = 0; k < m->nuser_events; k++) o->nuser += m->user_events[k].when.value.how != NS_OP_ABSENT;
  o->drift_root = o->problem.nroots + o->nuser;
  o->problem.nroots = o->drift_root + 1;
  o->work_at = has_work(m) ? (int)o->problem.n++ : -1;
  o->drive_at = is_driven(m) ? (int)o->problem.n++ : -1;
  o->rub.wanted = ns_ed_friction_wanted(o);
  o->rub_at = o->rub.wanted ? (int)o->problem.n++ : -1;
  o->force_at = o->rub.wanted || any_unilateral(o) ? (int)o->problem.n++ : -1;
  if (get_memory(o) || ns_ed_inspect_create(o) || ns_ed_dae_create(o, c)) return ns_nomem(c, "event-driven simulation");
  for (size_t i = 0; i < o->problem.n; i++) o->atol[i] = i < n ? o->opt->atol : i < 2 * n || o->rub.wanted ? o->atol_speed : NS_FLOW_FREE;
  if (o->force_at >= 0) o->atol[o->force_at] = ROUGHLY * fmin(1, m->sim.T - m->sim.t0);
  o->problem.atol = o->atol;
  o->problem.min_step = DBL_EPSILON / 4 * fmax(fabs(m->sim.t0), fabs(m->sim.T));
  o->problem.grid = m->sim.ts.h;
  o->problem.ncoord = n;
  o->problem.origin = o->origin;
  int rc = ns_flow_of_model(c, m, &o->ops);
  if (!rc && o->ops->newton && o->ops->newton(o->opt)) rc = ns_ed_jacobian_create(o, c);
  if (!rc) rc = ns_branches_create(c, m, o->s.x, &o->branches);
  if (o->branches && o->work_at >= 0) o->atol[o->work_at] = o->opt->atol; /* restarts leave it too rough */
  return rc ? rc : ns_branches_flow(o->branches, c, &o->problem, &o->ops, &o->flow);
}

static void describe(const event_driven *o, ns_plan *plan)
{
  ns_stepper_describe(&o->s, o->ops->name, ns_arena_used(o->mem), plan);
  plan->strategy = ns_event_driven.name;
}

/* The state at t0 obeys the constraints of positions; velocities are the first event's to mend. */
static int check_start(const event_driven *o, ns_ctx *c)
{
  const ns_state *x = o->s.x;
  char at[512];
  for (int r = 0; r < o->s.k->nrows; r++) {
    const ns_interaction *it = &o->s.m->interactions[o->s.k->interaction[r]];
    int one_sided = ns_ed_is_unilateral(o, r);
    if (ns_ed_rubs(o, r) || (one_sided ? x->y[r] >= -o->opt->gap_tol : fabs(x->y[r]) <= o->opt->gap_tol)) continue;
    ns_place_text(&it->at, at, sizeof at);
    if (one_sided)
      return ns_fail(c, NS_MODEL, "%s: its systems overlap by %.6g m at t0, expected a gap of at least %.3g m for an event-driven "
                     "run; move them apart by that much, or give <EventDriven> a larger gapTolerance", at, -x->y[r],
                     -o->opt->gap_tol);
    return ns_fail(c, NS_MODEL, "%s: row %d of the constraint is %.6g at t0, expected 0 within %.3g for an event-driven run; "
                   "mend the initial position or the relation, or give <EventDriven> a larger gapTolerance", at,
                   r - (int)it->row, x->y[r], o->opt->gap_tol);
  }
  return NS_OK;
}

static const double NIL = 1e-12; /* m, m/s: a gap that is closed but for rounding says nothing of sizes */

/* Sizes of the motion, by the gaps at the start and the length of the run: m, m/s; 0: not known. */
static void sizes(const event_driven *o, double *small, double *large, double *fast)
{
  const ns_state *x = o->s.x;
  *small = *fast = 0;
  *large = INFINITY;
  for (int r = 0; r < o->s.k->nrows; r++) {
    if (!ns_ed_is_unilateral(o, r)) continue;
    double y = fabs(x->y[r]), v = fabs(x->ydot[r]);
    if (y > NIL) {
      *small = fmax(*small, y);
      *large = fmin(*large, y);
    }
    if (v > NIL) *fast = fmax(*fast, v);
  }
  *fast = fmax(*fast, *small / (o->s.m->sim.T - o->s.m->sim.t0));
}

/* Tolerances that the model does not give are for motions of a cm to a km, and of 5 cm/s to 1 km/s: by how much they are others. */
static const double SHORT = 1e-2, SLOW = 5e-2, MOST = 1e3;

static double scale_of(double most, double least, double lower)
{
  if (most > 0 && most < lower) return most / lower;
  return isfinite(least) && least > MOST ? least / MOST : 1;
}

static double unless_given(double value, double initial, double scale) { return value == initial ? scale * value : value; }

static void choose_tolerances(event_driven *o)
{
  const ns_event_driven_options *e = &o->s.m->sim.ed;
  double small, large, fast;
  sizes(o, &small, &large, &fast);
  double length = scale_of(small, large, SHORT), speed = scale_of(fast, fast, SLOW);
  o->own = *e;
  o->own.gap_tol = unless_given(e->gap_tol, 1e-10, length);
  o->own.speed_tol = unless_given(e->speed_tol, 1e-8, speed);
  o->own.rest_speed = unless_given(e->rest_speed, 1e-6, fmax(1, speed));
  o->rest_by_series = e->rest_speed == 1e-6;
  o->own.atol = unless_given(e->atol, 1e-12, length);
  o->atol_speed = unless_given(e->atol, 1e-12, speed);
  o->opt = &o->own;
}

static int create(ns_ctx *c, const ns_model *m, ns_state *x, ns_plan *plan, void **self)
{
  event_driven *o = *self = calloc(1, sizeof *o);
  if (!o) return ns_nomem(c, "event-driven simulation");
  o->opt = &m->sim.ed;
  o->bad = -1;
  o->sampled = -1;
  int rc = ns_stepper_init(c, m, x, "EventDriven", NS_STEPS_EQUALITIES | NS_STEPS_FRICTION, 0, 0, &o->s);
  if (!rc && !(o->mem = ns_arena_create(0, 1))) rc = ns_nomem(c, "event-driven simulation");
  if (!rc) rc = ns_observables_create(c, m, &o->observables);
  if (!rc) rc = ns_acceleration_create(c, m, &o->hold);
  if (!rc) choose_tolerances(o);
  if (!rc) rc = check_start(o, c);
  if (!rc) ns_ed_check_speeds(o, c);
  if (!rc) rc = get_flow(o, c);
  if (!rc) rc = ns_ed_multiple_create(o, c);
  if (!rc) rc = ns_ed_friction_create(o, c);
  if (!rc && m->nuser_events) rc = ns_ed_user_create(o, c);
  if (!rc) rc = ns_ed_hybrid_create(o, c);
  if (!rc) rc = ns_ed_certificate_create(o, c);
  if (rc) {
    destroy(o);
    *self = NULL;
    return rc;
  }
  o->varying = o->s.k->nmoving || ns_matrices_moving(o->s.matrices);
  describe(o, plan);
  return NS_OK;
}

static void own(void *self, ns_user_events *u) { ((event_driven *)self)->user = u; }

/* ---- start --------------------------------------------------------------------------------------------------- */

/* Modes without an impact, for the forces of the first row; the event at t0 itself is the first step's. */
static int start(void *self, ns_ctx *c)
{
  event_driven *o = self;
  ns_state *x = o->s.x;
  const ns_contacts *k = o->s.k;
  o->c = c;
  for (int u = 0; u < k->nunits; u++) ns_ed_guess(o, u, x->mode[k->unit[u].first] == NS_MODE_LASTING);
  double *none = o->gap; /* offsets of linear relations with user vectors are refreshed on the way */
  int rc = ns_contacts_positions(o->s.k, c, x, x->q, x->v, none);
  if (!rc) rc = ns_ed_free(o, *x->t, x->q, x->v);
  if (!rc) rc = ns_ed_hold(o, *x->t, x->q, x->v);
  if (!rc && *x->step == 0) rc = ns_ed_energy0(o);
  o->begun = 0;
  o->rec = NULL;
  if (!rc) rc = ns_ed_output(o);
  o->starting = 1;
  if (!rc && *x->step == 0 && !ns_ed_impact_at_start(o)) rc = ns_ed_event(o);
  o->starting = 0;
  if (!rc && o->take) o->take(o->take_to);
  return rc;
}

/* ---- the step ------------------------------------------------------------------------------------------------------ */

/* A root that is no event: a gap turns, or what holds has drifted. */
static int pass_by(event_driven *o)
{
  const int *fired = ns_ed_fired(o);
  o->turns++;
  return fired[o->drift_root] ? ns_ed_put_back(o) : NS_OK;
}

/* Whose root it is. *contacts: something happens to them, at t. */
static int classify(event_driven *o, double since, double *t, int *contacts)
{
  ns_state *x = o->s.x;
  const int *fired = ns_ed_fired(o);
  size_t rows = o->s.m->nrows;
  *contacts = 0;
  for (int i = 0; i < o->nuser; i++) o->user_fired[i] = fired[2 * rows + (size_t)i] != 0;
  int rc = ns_ed_gaps(o, *t, o->unknown, o->gap, o->speed);
  if (rc > 0) return ns_ed_rows(o, *t, x->q, x->v, o->gap, o->speed); /* which says so */
  memcpy(x->y, o->gap, rows * sizeof *x->y);
  if (!rc) rc = ns_ed_gaps_fired(o, fired, contacts);
  if (!rc && o->rub.wanted) *contacts = ns_ed_friction_fired(o, fired) || *contacts;
  if (!rc && *contacts) rc = ns_ed_look_back(o, since, t);
  o->at_root = 1;
  memcpy(o->gap_at_root, o->gap, rows * sizeof *o->gap);
  return rc || !*contacts ? rc : ns_ed_check_root(o);
}

static int any(const unsigned char *of, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (of[i]) return 1;
  return 0;
}

/* A root of the flow: what happens to the contacts, then what the user asks for. */
static int root(event_driven *o, double since, double t, int *events)
{
  int series = 0, contacts, rc = classify(o, since, &t, &contacts);
  if (rc) return rc;
  if (contacts) series = ns_ed_hybrid_due(o);
  int happens = contacts || any(o->user_fired, (size_t)o->nuser);
  *events += happens;
  if (*events > o->opt->max_events || o->turns > o->opt->max_events) {
    if (!o->hybrid.wanted) return ns_ed_too_many(o);
    series = 1;
  }
  rc = ns_ed_certify(o, happens);
  if (!rc) rc = contacts ? ns_ed_event(o) : pass_by(o);
  if (!rc && o->nuser) rc = ns_ed_user_fired(o);
  if (rc || !series || o->stopped) return rc;
  *events = o->turns = 0;
  return ns_ed_hybrid_begin(o);
}

/* From the state to t1, or to the next event before it, which is dealt with. */
static int advance(event_driven *o, ns_ctx *c, double t1, int *events)
{
  const ns_simulation_options *s = &o->s.m->sim;
  ns_state *x = o->s.x;
  double t = *x->t, since = t, due = o->user ? ns_user_events_next(o->user, NULL) : INFINITY, end = fmin(t1, due);
  ns_flow_end why = NS_FLOW_REACHED;
  int rc = NS_OK;
  o->at_root = 0;
  if (o->hybrid.active) {
    double known = ns_branches_next(o->branches);
    end = fmin(end, known);
    rc = ns_ed_hybrid_advance(o, end);
    if (!rc) rc = ns_branches_jumped(o->branches, c); /* its steps go over what jumps with the state */
    if (rc || o->stopped || !ns_event_same(s, *x->t, end)) return rc;
    if (fmin(due, known) <= t1 && o->hybrid.active) rc = ns_ed_hybrid_leave(o);
    if (!rc && known <= end) {
      *x->t = end;
      return ns_ed_switch(o);
    }
  } else if (!ns_event_same(s, t, end)) {
    rc = o->ops->advance(o->flow, c, end, o->s.controls ? t1 : fmax(t1, s->T), &t, o->unknown, &why);
    ns_ed_unpack(o, t);
  }
  if (rc) return rc;
  if (why == NS_FLOW_SWITCH) return ns_ed_switch(o);
  if (why == NS_FLOW_ROOT) {
    rc = root(o, since, t, events);
    o->inspection.found = 0;
    return rc;
  }
  *x->t = end;
  if (due > t1) return NS_OK;
  rc = ns_ed_certify(o, 1);
  return rc ? rc : ns_ed_user_due(o);
}

/* Controls act: forces are others from now on. */
static int sample(event_driven *o, ns_ctx *c)
{
  if (o->sampled == *o->s.x->step) return NS_OK; /* before the checkpoint in the midst of this step */
  ns_ed_pack(o);
  if (o->begun && ns_ed_certify(o, 1)) return NS_NUMERIC;
  int acted, rc = ns_controls_sample(o->s.controls, c, o->s.x, &acted);
  if (!rc) o->sampled = *o->s.x->step;
  if (rc || !acted) return rc;
  rc = ns_contacts_positions(o->s.k, c, o->s.x, o->s.x->q, o->s.x->v, o->gap);
  if (rc || !o->begun) return rc;
  return o->hybrid.active ? ns_ed_hybrid_refresh(o) : ns_ed_event(o);
}

/* An impact that falls on T, whose root is rounding beyond it. */
static int strike_at_end(event_driven *o)
{
  if (o->hybrid.active) return NS_OK;
  int rc = ns_ed_output(o);
  return rc || !ns_ed_impact_at_end(o) ? rc : ns_ed_event(o);
}

/* What a row of the grid shows; time-stepping has it already. */
static int show(event_driven *o)
{
  if (o->hybrid.active) return NS_OK;
  *o->s.x->report = (ns_step_report){0};
  return ns_ed_output(o);
}

static int step(void *self, ns_ctx *c, ns_recorder *rec)
{
  event_driven *o = self;
  ns_state *x = o->s.x;
  const ns_simulation_options *s = &o->s.m->sim;
  double t1 = ns_event_grid(s, *x->step + 1);
  int rc = NS_OK, events = 0;
  o->c = c;
  o->rec = rec;
  o->turns = 0;
  if (o->s.controls) rc = sample(o, c);
  if (!rc && !o->begun) rc = ns_ed_event(o); /* at t0 */
  while (!rc && !o->stopped && !ns_event_same(s, *x->t, t1)) rc = advance(o, c, t1, &events);
  if (rc || o->stopped) return rc;
  *x->t = t1;
  if (t1 >= s->T) rc = strike_at_end(o);
  if (!rc && !o->hybrid.active) rc = ns_ed_polish(o);
  ns_ed_pack(o);
  if (!rc) rc = ns_ed_certify(o, t1 >= s->T);
  if (!rc) rc = show(o);
  if (!rc) rc = ns_ed_certify_row(o);
  if (rc) return rc;
  *x->step += 1;
  ns_certify(x, x->report);
  return o->hybrid.active || !o->ops->of_motion ? NS_OK : ns_ed_mend(o);
}

static void report(void *self)
{
  event_driven *o = self;
  ns_state *x = o->s.x;
  if (o->hybrid.active) {
    ns_time_stepping.report(o->hybrid.scheme);
    return;
  }
  memset(x->p, 0, o->s.m->nv * sizeof *x->p);
  for (int r = 0; r < o->s.k->nrows; r++)
    if (x->lambda[r] != 0) ns_rows_add(&o->s.k->H, r, x->lambda[r], x->p);
}

static int changed(void *self, ns_ctx *c)
{
  event_driven *o = self;
  o->c = c;
  return ns_ed_changed(o);
}

static int watch(void *self, ns_ctx *c, const ns_watch *w) { return ns_stepper_watch(&((event_driven *)self)->s, c, w); }

/* ---- checkpoints ---------------------------------------------------------------------------------------------------- */

static void anchored(void *self, void (*take)(void *to), void *to)
{
  event_driven *o = self;
  o->take = take;
  o->take_to = to;
}

static int savable(const void *self)
{
  const event_driven *o = self;
  return o->ops->memory && ns_stepper_savable(&o->s) && ns_ed_hybrid_savable(o);
}

/* The mode, and what the flow was restarted with. */
static void save(const void *self, ns_blob *b)
{
  const event_driven *o = self;
  size_t rows = o->s.m->nrows;
  ns_blob_put(b, &o->begun, sizeof o->begun);
  ns_blob_put(b, &o->events, sizeof o->events);
  ns_blob_put(b, &o->sampled, sizeof o->sampled);
  ns_blob_put(b, o->mode, rows);
  if (o->rub.wanted) {
    ns_blob_put(b, &o->rub.warned, sizeof o->rub.warned);
    ns_blob_put_reals(b, o->rub.toward, rows);
    ns_blob_put(b, o->rub.frozen, rows);
  }
  ns_blob_put(b, o->direction, (size_t)o->problem.nroots);
  ns_blob_put_reals(b, o->gap0, rows);
  ns_blob_put_reals(b, o->lead, rows);
  ns_blob_put(b, o->departs, rows);
  ns_blob_put_reals(b, &o->drift, 1);
  ns_blob_put_reals(b, &o->problem.longest_first, 1);
  ns_blob_put_reals(b, &o->problem.coarsest, 1);
  ns_blob_put(b, o->flights, rows * sizeof *o->flights);
  ns_blob_put_reals(b, o->fastest, rows);
  ns_blob_put_reals(b, o->slack, rows);
  ns_stepper_save(&o->s, b);
  ns_event_certificate_save(o->certified.by, b);
  ns_blob_put_reals(b, &o->certified.energy, 1);
  ns_ed_hybrid_save(o, b);
  o->ops->memory->save(o->flow, b);
}

static void restore(void *self, ns_blob *b)
{
  event_driven *o = self;
  size_t rows = o->s.m->nrows;
  ns_ctx quiet = {0};
  ns_blob_get(b, &o->begun, sizeof o->begun);
  ns_blob_get(b, &o->events, sizeof o->events);
  ns_blob_get(b, &o->sampled, sizeof o->sampled);
  ns_blob_get(b, o->mode, rows);
  if (o->rub.wanted) {
    ns_blob_get(b, &o->rub.warned, sizeof o->rub.warned);
    ns_blob_get_reals(b, o->rub.toward, rows);
    ns_blob_get(b, o->rub.frozen, rows);
  }
  ns_blob_get(b, o->direction, (size_t)o->problem.nroots);
  ns_blob_get_reals(b, o->gap0, rows);
  ns_blob_get_reals(b, o->lead, rows);
  ns_blob_get(b, o->departs, rows);
  ns_blob_get_reals(b, &o->drift, 1);
  ns_blob_get_reals(b, &o->problem.longest_first, 1);
  ns_blob_get_reals(b, &o->problem.coarsest, 1);
  ns_blob_get(b, o->flights, rows * sizeof *o->flights);
  ns_blob_get_reals(b, o->fastest, rows);
  ns_blob_get_reals(b, o->slack, rows);
  ns_stepper_restore(&o->s, b);
  ns_event_certificate_restore(o->certified.by, b);
  ns_blob_get_reals(b, &o->certified.energy, 1);
  ns_ed_hybrid_restore(o, b);
  o->ops->memory->restore(o->flow, b);
  if (b->failed) return;
  for (int u = 0; u < o->s.k->nunits; u++) {
    ns_ed_set(o, u, (ns_ed_mode)o->mode[u]);
    o->s.chosen[u] = o->mode[u] != NS_ED_FREE;
  }
  ns_contacts_select(o->s.k, o->s.x, *o->s.x->t, 1, o->s.chosen);
  ns_ed_list(o);
  o->factored = 0; /* when it is needed */
  ns_ed_look(o);
  ns_ed_gaps_place(o);
  ns_ed_pack(o);
  if (o->ops->restart(o->flow, &quiet, *o->s.x->t, o->unknown, o->direction)) b->failed = NS_NOINPUT;
  else ns_ed_certify_from(o);
}

static const ns_memory memory = {.save = save, .restore = restore};

const ns_strategy_ops ns_event_driven = {.size = sizeof ns_event_driven,
                                         .name = "EventDriven",
                                         .help = "smooth motion between events, whose times are found as roots",
                                         .create = create,
                                         .start = start,
                                         .step = step,
                                         .report = report,
                                         .destroy = destroy,
                                         .watch = watch,
                                         .changed = changed,
                                         .user_events = own,
                                         .memory = &memory,
                                         .savable = savable,
                                         .anchored = anchored};
