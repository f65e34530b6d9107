/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/event_driven.h"

#include "algebra/vector.h"
#include "model/measure.h"
#include "model/relations/output.h"
#include "model/systems/mechanics.h"
#include "simulation/events/event_driven_modes.h"
#include "simulation/events/event_queue.h"
#include "simulation/record/events.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation -------------------------------------------------------------------------------- */

static void fini(void *of)
{
  event_driven *o = of;
  ns_acceleration_fini(&o->hold);
  ns_ed_friction_fini(o);
  ns_ed_multiple_fini(o);
  ns_ed_hybrid_fini(o);
  ns_stepper_fini(&o->s);
}

/* Forces that work without a potential that is known. */
static int has_work(const ns_model *m)
{
  for (int i = 0; i < m->nsystems; i++)
    if (ns_mechanics_has_work(&m->systems[i])) return 1;
  return 0;
}

static int is_driven(const ns_model *m)
{
  for (int i = 0; i < m->ninteractions; i++)
    if (ns_interaction_is_driven(&m->interactions[i])) return 1;
  return 0;
}

static int is_pushed(const event_driven *o) { return o->run.host && o->run.host->pushed; }

/* What of the model does not depend on the state. */
static void note_constants(event_driven *o)
{
  const ns_model *m = o->s.m;
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    int lively = !ns_mechanics_is_steady(s) || ns_mechanics_has_work(s) ||
                 ns_rigid_drives_on(o->drives, i) || is_pushed(o);
    if (lively) o->lively[o->nlively++] = i;
    else ns_mechanics_constant(s, o->steady + s->v);
  }
  o->linear = 1;
  for (int i = 0; i < m->ninteractions; i++)
    o->linear = o->linear && m->interactions[i].relation->flags & NS_REL_LINEAR;
}

static int get_memory(event_driven *o)
{
  const ns_model *m = o->s.m;
  size_t nq = m->nq, nv = m->nv, rows = m->nrows, n = o->run.problem.n, d = sizeof(double);
  const ns_array want[] = {{&o->atol_at, nq + nv, d},
                           {&o->fastest_of, nv, d},
                           {&o->rate, n, d},
                           {&o->a, nv, d},
                           {&o->gyr, nv, d},
                           {&o->gap, rows, d},
                           {&o->speed, rows, d},
                           {&o->force, rows, d},
                           {&o->bias, rows, d},
                           {&o->slack, rows, d},
                           {&o->good, rows, d},
                           {&o->stress, rows, d},
                           {&o->rhs, rows, d},
                           {&o->mode, 2 * rows, 1},
                           {&o->held, rows, 1},
                           {&o->slope, rows, d},
                           {&o->closing, rows, 1},
                           {&o->opening, rows, 1},
                           {&o->origin, nq, d},
                           {&o->trial_q, nq, d},
                           {&o->trial_v, nv, d},
                           {&o->turned, o->curved ? nv : 0, d},
                           {&o->gap0, rows, d},
                           {&o->gap_at_root, rows, d},
                           {&o->gap_sampling, rows, d},
                           {&o->lead, rows, d},
                           {&o->below, 2 * rows, d},
                           {&o->yddot, rows, d},
                           {&o->departs, rows, 1},
                           {&o->speed_before, rows, d},
                           {&o->lost, rows, d},
                           {&o->removed, rows, d},
                           {&o->mode_before, 2 * rows, 1},
                           {&o->row, rows, sizeof(int)},
                           {&o->place, rows, sizeof(int)},
                           {&o->flights, rows, sizeof(int)},
                           {&o->fastest, rows, d},
                           {&o->steady, nv, d},
                           {&o->island, 2 * (size_t)m->nsystems, sizeof(int)},
                           {&o->lively, (size_t)m->nsystems, sizeof(int)}};
  if (ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  ns_fill_ints(rows, -1, o->place);
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

static int any_turns(const event_driven *o)
{
  for (int u = 0; u < o->s.k->nunits; u++)
    if (ns_ed_friction_turns(o, u)) return 1;
  return 0;
}

static int get_flow(event_driven *o, ns_ctx *c)
{
  const ns_model *m = o->s.m;
  size_t nq = m->nq, n = nq + m->nv;
  o->curved = ns_mechanics_any_curved(m);
  int rc = ns_event_run_problem(&o->run, c,
                                (ns_flow_problem){.n = n,
                                                  .ncoord = nq,
                                                  .curved = o->curved,
                                                  .options = o->opt,
                                                  .rate = ns_ed_rate,
                                                  .name = ns_ed_name});
  o->run.first_user = o->run.first_within = 2 * (int)m->nrows;
  o->drift_root = o->run.first_user + o->run.nuser;
  o->run.problem.nroots = o->drift_root + 1;
  if (!rc) rc = ns_ed_regions_create(o, c);
  if (!rc) rc = ns_ed_near_create(o, c);
  if (!rc) rc = ns_ed_far_create(o, c);
  if (rc) return rc;
  ns_ed_overlaps_number(o);
  int works = has_work(m) || o->drives || is_pushed(o) || o->prescribed.moves;
  o->work_at = works ? (int)o->run.problem.n++ : -1;
  o->drive_at = is_driven(m) ? (int)o->run.problem.n++ : -1;
  o->friction.wanted = ns_ed_friction_wanted(o);
  o->friction_at = o->friction.wanted || o->overlaps.n ? (int)o->run.problem.n++ : -1;
  o->spring_at = ns_ed_springs_count(o) || o->overlaps.n ? (int)o->run.problem.n++ : -1;
  o->force_at = o->friction.wanted || any_unilateral(o) ? (int)o->run.problem.n++ : -1;
  if (get_memory(o) || ns_event_run_look(&o->run) || ns_ed_inspect_create(o) ||
      ns_ed_dae_create(o, c))
    return ns_nomem(c, "event-driven simulation");
  for (size_t i = 0; i < o->run.problem.n; i++)
    o->run.atol[i] = i < n || o->friction.wanted ? o->atol_speed : NS_FLOW_FREE;
  ns_ed_tolerances_begin(o);
  memset(o->run.passing + o->drift_root, 1, (size_t)(o->run.problem.nroots - o->drift_root));
  if (o->spring_at >= 0) o->run.atol[o->spring_at] = o->atol_work;
  if (o->overlaps.n) o->run.atol[o->friction_at] = o->atol_work;
  if (o->force_at >= 0) o->run.atol[o->force_at] = ROUGHLY * fmin(1, m->sim.T - m->sim.t0);
  for (int i = 0; i < o->overlaps.n * o->overlaps.width; i++)
    o->run.atol[o->overlaps.first + i] = o->opt->atol;
  o->run.problem.origin = o->origin;
  if (!o->run.host) rc = ns_flow_of_model(c, m, &o->run.ops);
  int newton = !rc && !o->run.host && o->run.ops->newton && o->run.ops->newton(o->opt);
  if (newton && o->spring_at < 0 && ns_ed_jacobian_fits(m)) rc = ns_ed_jacobian_create(o, c);
  else o->run.problem.parts = ns_ed_parts;
  if (any_turns(o)) o->run.problem.outdates = ns_ed_jacobian_outdates;
  if (!rc) rc = ns_event_run_flow(&o->run, c);
  /* restarts leave it too rough, and motion that is prescribed asks for no short steps */
  if ((o->run.branches || o->prescribed.moves) && o->work_at >= 0)
    o->run.atol[o->work_at] = o->opt->atol;
  return rc;
}

static void describe(const void *of, ns_plan *plan)
{
  const event_driven *o = of;
  ns_stepper_describe(&o->s, o->run.ops->name, plan);
}

/* The state at t0 obeys the constraints of positions; velocities are the first event's to mend. */
static int check_start(const event_driven *o, ns_ctx *c)
{
  const ns_state *x = o->s.x;
  for (int r = 0; r < o->s.k->nrows; r++) {
    const ns_interaction *it = &o->s.m->interactions[o->s.k->interaction[r]];
    int one_sided = ns_ed_is_unilateral(o, r);
    double max = o->opt->gap_tol + ns_ed_gap_rounding(o, r);
    if (ns_ed_is_tangential(o, r) || ns_ed_is_compliant(o, r) ||
        ns_ed_is_gone(o, o->s.k->interaction[r]) ||
        (one_sided ? x->y[r] >= -max : fabs(x->y[r]) <= max))
      continue;
    if (one_sided)
      return ns_fail_at(
          c, NS_MODEL, &it->at,
          "its systems overlap by %.6g m at t0, expected a gap of at least %.3g m "
          "for an event-driven run; move them apart by that much, or give <EventDriven> "
          "a larger gapTolerance",
          -x->y[r], -o->opt->gap_tol);
    return ns_fail_at(c, NS_MODEL, &it->at,
                      "row %d of the constraint is %.6g at t0, expected 0 within %.3g for an "
                      "event-driven run; correct the initial position or the relation, or give "
                      "<EventDriven> a larger gapTolerance",
                      r - (int)it->row, x->y[r], o->opt->gap_tol);
  }
  return ns_shapes_check_inside(o->s.m, c, x->q, *x->t, NULL, NULL);
}

static int fill(void *of, ns_ctx *c)
{
  event_driven *o = of;
  const ns_model *m = o->run.m;
  o->opt = &m->sim.ed;
  int rc = ns_stepper_init(c, m, o->run.x, "EventDriven",
                           NS_STEPS_EQUALITIES | NS_STEPS_FRICTION | NS_STEPS_COMPLIANT |
                               NS_STEPS_PRESCRIBED,
                           0, 0, &o->s);
  if (!rc) rc = ns_acceleration_create(c, m, &o->hold);
  if (!rc) rc = ns_ed_tolerances_choose(o, c);
  if (!rc) rc = ns_event_run_init(&o->run, c);
  if (!rc) rc = ns_ed_life_create(o, c);
  if (!rc) rc = check_start(o, c);
  if (!rc) ns_ed_check_speeds(o, c);
  if (!rc) rc = ns_ed_springs_create(o, c);
  if (!rc) rc = ns_ed_overlaps_create(o, c);
  if (!rc) rc = ns_ed_laws_create(o, c);
  if (!rc) rc = ns_ed_bonds_create(o, c);
  if (!rc) rc = ns_ed_prescribed_create(o, c);
  o->gives_way = o->springs.n > 0 || o->overlaps.n > 0 || o->nbonds > 0;
  if (!rc) rc = ns_rigid_drives_create(c, m, o->run.mem, &o->drives);
  if (!rc && o->run.host) ns_rigid_drives_read(o->drives, &o->others);
  if (!rc) rc = get_flow(o, c);
  if (!rc) rc = ns_ed_multiple_create(o, c);
  if (!rc) rc = ns_ed_friction_create(o, c);
  if (!rc) rc = ns_ed_hybrid_create(o, c);
  if (rc) return rc;
  o->varying = o->s.k->nmoving || ns_matrices_moving(o->s.matrices);
  return ns_ed_certificate_create(o, c);
}

/* ---- start ----------------------------------------------------------------------------------- */

/* Modes without an impact, for the forces of the first row; the event at t0 itself is the first
 * step's. */
static int start(void *of)
{
  event_driven *o = of;
  ns_state *x = o->s.x;
  const ns_contacts *k = o->s.k;
  for (int u = 0; u < k->nunits; u++)
    ns_ed_guess(o, u, x->mode[k->unit[u].first] == NS_MODE_LASTING);
  /* offsets of linear relations with user vectors are refreshed on the way */
  double *none = o->gap;
  int rc = ns_contacts_positions(o->s.k, o->run.c, x, x->q, x->v, none);
  if (!rc) rc = ns_ed_springs_decide(o);
  if (!rc) rc = ns_ed_overlaps_decide(o);
  if (!rc) rc = ns_ed_free(o, *x->t, x->q, x->v);
  if (!rc) rc = ns_ed_hold(o, *x->t, x->q, x->v);
  if (!rc && *x->step == 0) rc = ns_ed_energy0(o);
  ns_ed_tolerances_of_works(o);
  o->begun = 0;
  if (!rc) rc = ns_ed_output(o);
  o->starting = 1;
  if (!rc && *x->step == 0 && !ns_ed_impact_at_start(o)) rc = ns_ed_event(o);
  o->starting = 0;
  return rc;
}

/* ---- the step -------------------------------------------------------------------------------- */

/* A root that is no event: a gap turns, what holds has drifted, or other parts are near. */
static int pass_by(event_driven *o)
{
  const int *fired = ns_ed_fired(o);
  o->turns++;
  if (ns_ed_near_fired(o, fired)) return ns_ed_near_renew(o);
  return fired[o->drift_root] ? ns_ed_put_back(o) : NS_OK;
}

/* Whose root it is. *contacts: something happens to them, at t. */
static int classify(event_driven *o, double since, double *t, int *contacts)
{
  ns_state *x = o->s.x;
  const int *fired = ns_ed_fired(o);
  size_t rows = o->s.m->nrows;
  *contacts = 0;
  int rc = ns_ed_gaps(o, *t, o->run.unknown, NULL, o->gap, o->speed);
  if (rc > 0) return ns_ed_rows(o, *t, x->q, x->v, o->gap, o->speed); /* which says so */
  memcpy(x->y, o->gap, rows * sizeof *x->y);
  if (!rc) rc = ns_ed_gaps_fired(o, fired, contacts);
  if (!rc && o->friction.wanted) *contacts = ns_ed_friction_fired(o, fired) || *contacts;
  if (!rc) *contacts = ns_ed_springs_fired(o, fired) || *contacts;
  if (!rc) *contacts = ns_ed_overlaps_fired(o, fired) || *contacts;
  if (!rc) *contacts = ns_ed_regions_fired(o, fired) || *contacts;
  if (!rc && *contacts) rc = ns_ed_look_back(o, since, t);
  o->at_root = 1;
  memcpy(o->gap_at_root, o->gap, rows * sizeof *o->gap);
  return rc || !*contacts ? rc : ns_ed_check_root(o);
}

/* What happens to the contacts, then what the user asks for. */
static int meet(event_driven *o, double since, double t)
{
  ns_event_run *r = &o->run;
  int users = ns_event_run_note(r, t, ns_ed_fired(o)); /* before an event is moved back */
  int series = 0, contacts, rc = classify(o, since, &t, &contacts);
  if (rc) return rc;
  if (contacts) series = ns_ed_hybrid_due(o);
  r->events += contacts || users;
  if (r->events > o->opt->max_events || o->turns > o->opt->max_events) {
    if (!o->hybrid.wanted) return ns_ed_too_many(o);
    series = 1;
  }
  rc = ns_ed_certify(o, contacts || users);
  if (!rc) rc = contacts ? ns_ed_event(o) : pass_by(o);
  if (!rc && r->nuser) rc = ns_event_run_fired(r);
  if (rc || !series || r->stopped) return rc;
  r->events = o->turns = 0;
  return ns_ed_hybrid_begin(o);
}

static int root(void *of, double since, double t)
{
  event_driven *o = of;
  int rc = meet(o, since, t);
  o->inspection.found = 0;
  return rc;
}

static int stretch(void *of, double t1, double due, double *end, ns_stretch *how)
{
  event_driven *o = of;
  o->at_root = 0;
  return o->hybrid.active ? ns_ed_hybrid_stretch(o, &o->run, t1, due, end, how) : NS_OK;
}

int ns_ed_sampling(event_driven *o)
{
  const ns_state *x = o->s.x;
  return ns_contacts_positions(o->s.k, o->run.c, x, x->q, x->v, o->gap_sampling);
}

int ns_ed_sampled(event_driven *o, int *moved)
{
  const ns_state *x = o->s.x;
  int rc = ns_contacts_positions(o->s.k, o->run.c, x, x->q, x->v, o->gap);
  *moved = memcmp(o->gap, o->gap_sampling, o->s.m->nrows * sizeof *o->gap) != 0;
  return rc || !*moved ? rc : ns_ed_output(o); /* energies, which inputs do not change */
}

static int sampling(void *of)
{
  event_driven *o = of;
  ns_ed_pack(o);
  int rc = o->begun ? ns_ed_certify(o, 1) : NS_OK;
  return rc ? rc : ns_ed_sampling(o);
}

/* Forces are others from now on, and gaps of relations that read inputs: as where these are set. */
static int sampled(void *of)
{
  event_driven *o = of;
  int moved, rc = ns_ed_sampled(o, &moved);
  if (rc || (!o->begun && !moved)) return rc;
  if (o->hybrid.active) return ns_hybrid_scheme_refresh(&o->hybrid.scheme, o->run.c, o->s.x);
  return moved ? ns_ed_changed(o) : ns_ed_event(o);
}

/* An impact that falls on T, whose root is rounding beyond it. */
static int strike_at_end(event_driven *o)
{
  if (o->hybrid.active) return NS_OK;
  int rc = ns_ed_output(o);
  return rc || !ns_ed_impact_at_end(o) ? rc : ns_ed_event(o);
}

static int begin(void *of)
{
  ((event_driven *)of)->turns = 0;
  return NS_OK;
}

/* The event at t0. */
static int ready(void *of) { return ((event_driven *)of)->begun ? NS_OK : ns_ed_event(of); }

/* What a row of the grid shows; time-stepping has it already. */
static int show(void *of, double t1)
{
  event_driven *o = of;
  int rc = t1 >= o->s.m->sim.T ? strike_at_end(o) : NS_OK, stepping = o->hybrid.active;
  if (!rc && !stepping) rc = ns_ed_polish(o);
  ns_ed_pack(o);
  if (!rc) rc = ns_ed_certify(o, t1 >= o->s.m->sim.T);
  if (!rc && !stepping) {
    *o->s.x->report = (ns_step_report){0};
    rc = ns_ed_output(o);
  }
  return rc ? rc : ns_ed_certify_row(o);
}

static int mend(void *of)
{
  event_driven *o = of;
  return o->hybrid.active || !ns_flow_is_fixed(o->run.ops, o->opt) ? NS_OK : ns_ed_correct_drift(o);
}

/* The state was set from outside; what that does to energies is work of forces. */
int ns_ed_changed(void *of)
{
  event_driven *o = of;
  ns_state *x = o->s.x;
  ns_certificate *k = x->cert;
  double before = k->kinetic + k->potential;
  /* offsets with user vectors */
  int rc = ns_contacts_positions(o->s.k, o->run.c, x, x->q, x->v, o->gap);
  if (!rc) rc = ns_ed_output(o);
  if (!rc) rc = ns_ed_check_changed(o);
  if (rc) return rc;
  k->work_force += k->kinetic + k->potential - before;
  o->set = 1; /* before the first event: until that */
  return o->begun ? ns_ed_event(o) : NS_OK;
}

static void come(void *of, double t) { ns_ed_unpack(of, t); }
static int certify(void *of, int event) { return ns_ed_certify(of, event); }
static int output(void *of) { return ns_ed_output(of); }

static void report(void *self)
{
  event_driven *o = self;
  ns_state *x = o->s.x;
  const ns_hybrid_scheme *scheme = &o->hybrid.scheme;
  if (o->hybrid.active && scheme->ops) {
    if (scheme->ops->report) scheme->ops->report(scheme->self);
    return;
  }
  memset(x->p, 0, o->s.m->nv * sizeof *x->p);
  for (int r = 0; r < o->s.k->nrows; r++)
    if (x->lambda[r] != 0) ns_rows_add(&o->s.k->H, r, x->lambda[r], x->p);
}

static const ns_contact_record *contacts(void *of, size_t *n)
{
  event_driven *o = of;
  return o->s.m->gaps ? ns_ed_contacts(o, n) : NULL;
}

static int watch(void *of, ns_ctx *c, const ns_watch *w)
{
  return ns_stepper_watch(&((event_driven *)of)->s, c, w);
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

static int savable(const void *of)
{
  const event_driven *o = of;
  return ns_stepper_savable(&o->s) && ns_ed_hybrid_savable(o);
}

/* The mode, and what the flow was restarted with. */
static void pass(event_driven *o, ns_blob *b, int restore)
{
  size_t rows = o->s.m->nrows, d = sizeof(double), friction = o->friction.wanted ? rows : 0,
         springs = o->springs.n ? rows : 0;
  const ns_kept list[] = {{&o->begun, sizeof o->begun},
                          {&o->events, sizeof o->events},
                          {o->mode, 2 * rows},
                          {o->fastest_of, o->s.m->nv * d},
                          {&o->own.gap_tol, d},
                          {&o->own.speed_tol, d},
                          {o->friction.slow, 2 * friction * d},
                          {&o->friction.warned, sizeof o->friction.warned},
                          {o->friction.toward, friction * d},
                          {o->friction.frozen, 2 * friction},
                          {o->friction.kept, 2 * friction},
                          {o->springs.side, springs},
                          {o->run.direction, (size_t)o->run.problem.nroots},
                          {o->gap0, rows * d},
                          {o->lead, rows * d},
                          {o->below, 2 * rows * d},
                          {o->departs, rows},
                          {&o->drift, d},
                          {&o->run.problem.longest_first, d},
                          {&o->run.problem.begins_stiff, sizeof o->run.problem.begins_stiff},
                          {&o->run.problem.coarsest, d},
                          {o->fastest, rows * d},
                          {o->flights, rows * sizeof *o->flights},
                          {o->slack, rows * d},
                          {o->stress, rows * d},
                          {&o->stressed, sizeof o->stressed},
                          {o->far.speed, o->far.may ? rows * d : 0},
                          {&o->certified.energy, d}};
  ns_blob_pass(b, restore, list, sizeof list / sizeof *list);
}

static void save(const void *of, ns_blob *b)
{
  const event_driven *o = of;
  pass((event_driven *)o, b, 0);
  ns_ed_overlaps_save(o, b);
  ns_ed_life_save(o, b);
  ns_ed_near_save(o, b);
  ns_ed_regions_save(o, b);
  ns_stepper_save(&o->s, b);
  ns_ed_hybrid_save(o, b);
}

static void restore(void *of, ns_blob *b)
{
  event_driven *o = of;
  pass(o, b, 1);
  ns_ed_overlaps_restore(o, b);
  ns_ed_life_restore(o, b);
  ns_ed_near_restore(o, b);
  ns_ed_regions_restore(o, b);
  ns_stepper_restore(&o->s, b);
  ns_ed_hybrid_restore(o, b);
}

static int resume(void *of)
{
  event_driven *o = of;
  ns_ed_tolerances_of_works(o);
  for (int u = 0; u < o->s.k->nunits; u++) {
    ns_ed_set(o, u, (ns_ed_mode)o->mode[u]);
    o->s.chosen[u] = o->mode[u] != NS_ED_FREE;
  }
  ns_contacts_select(o->s.k, o->s.x, *o->s.x->t, 1, o->s.chosen);
  int rc = ns_contacts_meet(o->s.k, o->run.c);
  if (!rc) rc = ns_ed_list(o);
  if (rc) return rc;
  o->factored = 0; /* when it is needed */
  ns_ed_look(o);
  ns_ed_gaps_place(o);
  ns_ed_pack(o);
  return ns_event_run_restart(&o->run);
}

const ns_event_family ns_mechanics_events = {.size = sizeof(event_driven),
                                             .fill = fill,
                                             .fini = fini,
                                             .describe = describe,
                                             .start = start,
                                             .watch = watch,
                                             .savable = savable,
                                             .save = save,
                                             .restore = restore,
                                             .resume = resume,
                                             .forces = ns_ed_forces,
                                             .sized = ns_ed_sized,
                                             .begin = begin,
                                             .ready = ready,
                                             .sampling = sampling,
                                             .sampled = sampled,
                                             .stretch = stretch,
                                             .roots = ns_ed_roots,
                                             .point = ns_ed_point,
                                             .come = come,
                                             .root = root,
                                             .lives = ns_ed_life_turn,
                                             .certify = certify,
                                             .go_on = ns_ed_restart,
                                             .decided = ns_ed_decided,
                                             .tell = ns_ed_tell,
                                             .over = ns_ed_over,
                                             .output = output,
                                             .report = report,
                                             .contacts = contacts,
                                             .changed = ns_ed_changed,
                                             .show = show,
                                             .mend = mend};
