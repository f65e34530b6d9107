/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rigid_stepping.h"

#include "model/laws/problem.h"
#include "model/rigid_body.h"
#include "simulation/events.h"
#include "simulation/rigid_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- creation ---------------------------------------------------------------------------------------------------------- */

void ns_rigid_parts_fini(ns_rigid_stepping *o)
{
  ns_rigid_projection_destroy(o->projection);
  ns_rigid_motion_destroy(o->motion);
  ns_rigid_rows_destroy(o->rows);
  ns_rigid_contacts_destroy(o->contacts);
  ns_rigid_problem_fini(&o->problem);
  ns_team_destroy(o->team);
  free(o->p);
  free(o->bent);
  free(o->turned);
  free(o->before);
}

static void destroy(void *self)
{
  ns_rigid_stepping *o = self;
  if (!o) return;
  ns_multibody_destroy(o->solver);
  ns_controls_destroy(o->controls);
  ns_rigid_parts_fini(o);
  ns_arena_destroy(o->shown);
  free(o);
}

static int get_team(ns_rigid_stepping *o, ns_ctx *c)
{
  int threads = ns_team_possible(o->m->sim.osnsp.threads);
  if (threads > 1 && !(o->team = ns_team_create(threads))) return ns_nomem(c, "threads");
  return NS_OK;
}

/* As the integrator asks; also where shapes are taken apart at the start. */
static int get_projection(ns_rigid_stepping *o, ns_ctx *c)
{
  const ns_integrator_ops *i = ns_integrator_find(o->m->sim.integrator);
  o->projecting = i ? i->projecting : NS_PROJECT_NOT;
  if (o->projecting == NS_PROJECT_NOT && !o->m->contact.separate) return NS_OK;
  return ns_rigid_projection_create(c, o->motion, o->rows, o->contacts, o->projecting == NS_PROJECT_COMBINED, &o->projection);
}

int ns_rigid_parts_init(ns_rigid_stepping *o, ns_ctx *c, const ns_model *m, ns_state *x)
{
  *o = (ns_rigid_stepping){.m = m, .x = x, .h = m->sim.ts.h};
  o->p = calloc(m->nv + 1, sizeof *o->p);
  o->bent = calloc(m->nv + 1, sizeof *o->bent);
  o->turned = calloc(m->nv + 1, sizeof *o->turned);
  o->before = calloc(m->nrows + 1, sizeof *o->before);
  int rc = o->p && o->bent && o->turned && o->before ? NS_OK : ns_nomem(c, "time-stepping of rigid bodies");
  if (!rc) rc = get_team(o, c);
  if (!rc) rc = ns_rigid_motion_create(c, m, o->team, &o->motion);
  if (!rc) rc = ns_rigid_rows_create(c, m, &o->rows);
  if (!rc) ns_rigid_problem_init(&o->problem, m->nsystems, o->rows->dof, o->rows->wide);
  if (!rc) rc = ns_rigid_contacts_create(c, m, o->team, &o->contacts);
  o->problem.compliant = !rc && o->contacts && ns_rigid_contacts_are_compliant(o->contacts);
  return rc ? rc : get_projection(o, c);
}

static int get_solver(ns_rigid_stepping *o, ns_ctx *c)
{
  const ns_problem_options *s = &o->m->sim.osnsp;
  ns_multibody_options opt = {.solver = s->solver, .tol = s->tol, .granular_tol = s->granular_tol, .max_iterations = s->max_iterations, .team = o->team,
                              .contact = ns_contact_solvers[s->contact]};
  return ns_multibody_create(c, &opt, &o->solver);
}

static void describe(const ns_rigid_stepping *o, ns_plan *plan)
{
  const ns_simulation_options *s = &o->m->sim;
  int poses = o->m->nrows || o->contacts;
  *plan = (ns_plan){.strategy = ns_rigid_time_stepping.name,
                    .integrator = s->integrator,
                    .problem = poses ? ns_model_problem(o->m) : "none",
                    .solver = s->osnsp.solver,
                    .solver_note = poses ? "bodies and contacts in factored form" : "no interaction: nothing to solve",
                    .storage = poses ? "factored" : "none",
                    .rows = o->rows->nrows,
                    .nnz = (size_t)(2 * o->rows->dof) * o->m->nrows,
                    .systems_nonlinear = o->m->nsystems,
                    .linear = o->one_pass,
                    .state_bytes = o->x->bytes};
  for (int i = 0; i < o->m->nsystems; i++) plan->systems_differenced += ns_rigid_differenced(&o->m->systems[i]);
  plan->work_bytes = ns_arena_used(o->motion->mem) + ns_arena_used(o->rows->mem) + ns_multibody_bytes(o->solver) +
                     ns_rigid_problem_bytes(&o->problem) + ns_rigid_contacts_bytes(o->contacts) +
                     ns_rigid_projection_bytes(o->projection) + ns_controls_bytes(o->controls);
}

static int create(ns_ctx *c, const ns_model *m, ns_state *x, ns_plan *plan, void **self)
{
  ns_rigid_stepping *o = *self = calloc(1, sizeof *o);
  if (!o) return ns_nomem(c, "time-stepping of rigid bodies");
  int rc = ns_rigid_parts_init(o, c, m, x);
  if (!rc) rc = get_solver(o, c);
  if (!rc) rc = ns_controls_create(c, m, &o->controls);
  if (rc) {
    destroy(o);
    *self = NULL;
    return rc;
  }
  o->one_pass = o->motion->one_pass && !o->rows->moving;
  describe(o, plan);
  return NS_OK;
}

/* ---- the state from outside ------------------------------------------------------------------------------------------------ */

/* Gaps that are loaded, as the state says. */
static void count_loaded(ns_rigid_stepping *o)
{
  o->loaded = 0;
  for (int a = 0; a < o->rows->nunits; a++)
    o->loaded += ns_rigid_has_gap(&o->rows->unit[a]) && o->x->mode[o->rows->unit[a].first] != NS_MODE_FREE;
}

int ns_rigid_find_contacts(ns_rigid_stepping *o, ns_ctx *c)
{
  return o->contacts ? ns_rigid_contacts_find(o->contacts, c, o->x->q, o->x->v, o->h, &o->overlap) : NS_OK;
}

int ns_rigid_begin_run(ns_rigid_stepping *o, ns_ctx *c)
{
  count_loaded(o);
  ns_rigid_rows_angles(o->rows, o->x, o->x->q);
  return ns_rigid_find_contacts(o, c);
}

/* One projection of what overlaps, joints held. */
static int take_apart_once(ns_rigid_stepping *o, ns_ctx *c)
{
  ns_state *x = o->x;
  int n, moved;
  ns_rigid_projection_begin(o->projection);
  ns_rigid_touch *t = ns_rigid_contacts_list(o->contacts, &n);
  for (int i = 0; i < n; i++) t[i].active = t[i].gap < 0;
  ns_rigid_rows_moved(o->rows);
  int rc = ns_rigid_projection_apply(o->projection, c, x, *x->t, x->q, x->v, NULL, &moved);
  ns_rigid_rows_moved(o->rows);
  return rc ? rc : ns_rigid_find_contacts(o, c);
}

int ns_rigid_take_apart(ns_rigid_stepping *o, ns_ctx *c)
{
  enum { ROUNDS = 50 }; /* moved bodies meet others */
  double before = o->overlap, enough = fmin(o->m->contact.overlap, o->m->sim.proj.unilateral_tol);
  int rc = NS_OK, rounds = 0;
  for (; o->overlap > enough && rounds < ROUNDS && !rc; rounds++) rc = take_apart_once(o, c);
  if (rc || !rounds) return rc;
  ns_note(c, "shapes that overlapped by up to %.3g m at the start were taken apart, to %.3g m", before, o->overlap);
  rc = ns_rigid_rows_eval(o->rows, c, o->x, *o->x->t, o->x->q, o->x->v, 1);
  if (rc) return rc;
  ns_rigid_rows_speeds(o->rows, o->x->v);
  memcpy(o->x->y, o->rows->y, o->m->nrows * sizeof *o->x->y);
  memcpy(o->x->ydot, o->rows->ydot, o->m->nrows * sizeof *o->x->ydot);
  return ns_rigid_motion_start(o->motion, c, o->x);
}

static int start(void *self, ns_ctx *c)
{
  ns_rigid_stepping *o = self;
  int rc = ns_rigid_motion_start(o->motion, c, o->x);
  if (!rc) rc = ns_rigid_begin_run(o, c);
  if (rc || !o->contacts) return rc;
  if (o->m->contact.separate) rc = ns_rigid_take_apart(o, c);
  if (!rc) rc = ns_rigid_contacts_check_start(o->contacts, c);
  ns_rigid_contacts_bond(o->contacts);
  ns_elastic springs = ns_rigid_contacts_elastic(o->contacts);
  o->x->cert->potential += springs.normal + springs.across;
  o->x->cert->energy0 += springs.normal + springs.across;
  return rc;
}

/* Forces of another z; energies are left. */
static int restart(ns_rigid_stepping *o, ns_ctx *c, double *kinetic, double *potential)
{
  ns_certificate keep = *o->x->cert;
  int rc = ns_rigid_motion_start(o->motion, c, o->x);
  *kinetic = o->x->cert->kinetic;
  *potential = o->x->cert->potential;
  *o->x->cert = keep;
  if (!o->contacts) return rc;
  ns_elastic springs = ns_rigid_contacts_elastic(o->contacts);
  *potential += springs.normal + springs.across;
  return rc;
}

static int sample(ns_rigid_stepping *o, ns_ctx *c)
{
  double kinetic, potential;
  int acted, rc = ns_controls_sample(o->controls, c, o->x, &acted);
  return rc || !acted ? rc : restart(o, c, &kinetic, &potential);
}

static int changed(void *self, ns_ctx *c)
{
  ns_rigid_stepping *o = self;
  double kinetic, potential;
  ns_certificate *k = o->x->cert;
  int rc = ns_rigid_find_contacts(o, c);
  if (!rc) rc = restart(o, c, &kinetic, &potential);
  if (rc) return rc;
  k->work_force += kinetic + potential - k->kinetic - k->potential;
  k->kinetic = kinetic;
  k->potential = potential;
  ns_rigid_rows_angles(o->rows, o->x, o->x->q);
  return NS_OK;
}

double ns_rigid_clock(const ns_rigid_stepping *o)
{
  enum { CLOCKED = 100 }; /* contacts: the clock is read four times a step, 0.1 us */
  struct timespec t;
  int n = 0;
  if (o->contacts) ns_rigid_contacts_list(o->contacts, &n);
  if (n < CLOCKED) return 0;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the step ---------------------------------------------------------------------------------------------------------------- */

void ns_rigid_forecast(ns_rigid_stepping *o)
{
  ns_rigid_rows_moved(o->rows);
  if (!o->contacts) return;
  ns_rigid_motion_loose(o->motion, o->motion->vfree);
  ns_rigid_contacts_forecast(o->contacts, o->x->q, o->x->v, o->motion->vfree);
}

static int begin(ns_rigid_stepping *o, ns_ctx *c, double t1)
{
  int rc = ns_rigid_motion_begin(o->motion, c, o->x, t1, o->h);
  if (!rc) ns_rigid_forecast(o);
  return rc;
}

int ns_rigid_pose(ns_rigid_stepping *o, ns_ctx *c, int follow)
{
  int rc = ns_rigid_rows_pose(o->rows, c, o->x, o->h, &o->problem);
  if (!rc && o->contacts) rc = ns_rigid_contacts_pose(o->contacts, c, o->x->q, o->x->v, &o->problem);
  o->bonded = !rc && o->contacts && ns_rigid_contacts_load_bonds(o->contacts, o->h, &o->problem);
  o->complying = !rc && o->contacts && ns_rigid_contacts_comply(o->contacts, o->x->v, o->h, &o->problem);
  o->rolling = NS_ROLLING_NONE;
  o->foreseen = 0;
  if (!rc && o->contacts)
    o->rolling = ns_rigid_contacts_roll(o->contacts, &o->problem, o->x->v, o->h, follow);
  return rc;
}

/* Velocities and impulses with those who take part. */
static int attempt(ns_rigid_stepping *o, ns_ctx *c, ns_rigid_try try)
{
  int rc = ns_rigid_pose(o, c, try == NS_RIGID_FOLLOW);
  int rows_follow = o->rows->na || o->rolling; /* nobody else looks at the first q */
  if (!rc && o->motion->steady && rows_follow) ns_rigid_motion_place(o->motion);
  return rc ? rc : ns_rigid_newton(o, c, try, o->x->report);
}

/* Where impulses are not unique, as of wheels of one axle that slip, passes may not come to
 * rest. Then the step is made with rows of its begin, of first order; at last with impulses that
 * stay. */
static int velocities(ns_rigid_stepping *o, ns_ctx *c)
{
  int rc = attempt(o, c, NS_RIGID_FOLLOW);
  for (ns_rigid_try try = o->rolling == NS_ROLLING_FOLLOWED ? NS_RIGID_BEGIN : NS_RIGID_LAST;
       rc == NS_RIGID_AGAIN; try = NS_RIGID_LAST) {
    rc = begin(o, c, o->motion->t1);
    if (!rc) rc = attempt(o, c, try);
  }
  return rc;
}

int ns_rigid_project(ns_rigid_stepping *o, ns_ctx *c, int *moved)
{
  ns_rigid_motion *mo = o->motion;
  return ns_rigid_projection_apply(o->projection, c, o->x, mo->t1, mo->q, mo->v, &o->problem, moved);
}

/* Positions of the iterate to their constraints, and what depends on them. */
static int project(ns_rigid_stepping *o, ns_ctx *c)
{
  int moved, rc = ns_rigid_project(o, c, &moved);
  return rc || !moved ? rc : ns_rigid_motion_moved(o->motion, c);
}

void ns_rigid_activate(ns_rigid_stepping *o)
{
  if (o->projecting == NS_PROJECT_COMBINED) return;
  if (o->projecting == NS_PROJECT_DIRECT) {
    ns_rigid_projection_activate(o->projection, o->x, o->h);
    return;
  }
  ns_rigid_rows_activate(o->rows, o->x, o->h);
  if (o->contacts) ns_rigid_contacts_activate(o->contacts, o->x->v, o->h, 0, -INFINITY);
}

/* Rounds until no contact joins. Each adds one at least, so they come to an end. */
static int combined(ns_rigid_stepping *o, ns_ctx *c, double t1)
{
  ns_rigid_projection_begin(o->projection);
  for (;;) {
    int rc = velocities(o, c);
    if (!rc) rc = project(o, c);
    if (rc || !ns_rigid_projection_join(o->projection, o->x)) return rc;
    if ((rc = begin(o, c, t1))) return rc;
  }
}

/* Velocities, impulses and positions of the step to t1. */
static int move(ns_rigid_stepping *o, ns_ctx *c, double t1)
{
  int direct = o->projecting == NS_PROJECT_DIRECT, rc = begin(o, c, t1);
  if (rc) return rc;
  if (o->projecting == NS_PROJECT_COMBINED) return combined(o, c, t1);
  ns_rigid_activate(o);
  rc = velocities(o, c);
  return rc || !direct ? rc : project(o, c);
}

int ns_rigid_time_stepping_to(void *self, ns_ctx *c, ns_recorder *rec, double t1, double h)
{
  ns_rigid_stepping *o = self;
  o->h = h;
  int rc = o->controls ? sample(o, c) : NS_OK;
  if (!rc && o->m->values) rc = ns_rigid_rows_renew_laws(o->rows, c, o->x, o->h);
  if (!rc && o->m->values && o->contacts) rc = ns_rigid_contacts_renew_laws(o->contacts, c, o->x);
  if (!rc) rc = move(o, c, t1);
  if (!rc) rc = ns_rigid_accept(o, c, rec);
  if (rc && o->controls) ns_controls_undo(o->controls, o->x);
  return rc;
}

static int step(void *self, ns_ctx *c, ns_recorder *rec)
{
  const ns_rigid_stepping *o = self;
  return ns_rigid_time_stepping_to(self, c, rec, o->m->sim.t0 + (double)(*o->x->step + 1) * o->h, o->h);
}

static void report(void *self) { (void)self; }

static int watch(void *self, ns_ctx *c, const ns_watch *w)
{
  ns_rigid_stepping *o = self;
  if (w && !o->shown && !(o->shown = ns_arena_create(0, 1))) return ns_nomem(c, "problems to be shown");
  o->w = w;
  return NS_OK;
}

/* ---- checkpoints --------------------------------------------------------------------------------------------------------------- */

static void save(const void *self, ns_blob *b)
{
  const ns_rigid_stepping *o = self;
  if (o->contacts) ns_rigid_contacts_save(o->contacts, b);
}

static void restore(void *self, ns_blob *b)
{
  ns_rigid_stepping *o = self;
  ns_ctx c = {0};
  count_loaded(o);
  int rc = ns_rigid_find_contacts(o, &c);
  if (!rc && o->contacts) rc = ns_rigid_contacts_restore(o->contacts, &c, b);
  if (rc) b->failed = rc;
}

static const ns_contact_record *contacts(const void *self, size_t *n)
{
  const ns_rigid_stepping *o = self;
  *n = 0;
  return o->contacts ? ns_rigid_contacts_records(o->contacts, n) : NULL;
}

static ns_shares shares(const void *self) { return ((const ns_rigid_stepping *)self)->shares; }

static const ns_memory memory = {.save = save, .restore = restore};

const ns_strategy_ops ns_rigid_time_stepping = {.size = sizeof ns_rigid_time_stepping,
                                                .name = "TimeStepping",
                                                .help = "event-capturing: steps of one length, impacts inside them; rigid bodies",
                                                .family = NS_FAMILY_RIGID,
                                                .create = create,
                                                .start = start,
                                                .step = step,
                                                .report = report,
                                                .destroy = destroy,
                                                .changed = changed,
                                                .watch = watch,
                                                .memory = &memory,
                                                .contacts = contacts,
                                                .shares = shares};
