/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/rigid_stepping.h"

#include "base/clock.h"
#include "model/laws/problem.h"
#include "model/systems/rigid_body.h"
#include "simulation/record/events.h"
#include "simulation/step/rigid_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation -------------------------------------------------------------------------------- */

void ns_rigid_parts_fini(ns_rigid_stepping *o)
{
  ns_rigid_projection_destroy(o->projection);
  ns_rigid_projection_destroy(o->recovery);
  ns_rigid_motion_destroy(o->motion);
  ns_rigid_rows_destroy(o->rows);
  ns_rigid_contacts_destroy(o->contacts);
  ns_rigid_problem_fini(&o->problem);
  ns_team_destroy(o->team);
}

static void destroy(void *self)
{
  ns_rigid_stepping *o = self;
  ns_multibody_destroy(o->solver);
  ns_rigid_parts_fini(o);
}

static int get_team(ns_rigid_stepping *o, ns_ctx *c)
{
  int threads = ns_team_possible(o->s.m->sim.osnsp.threads);
  if (threads > 1 && !(o->team = ns_team_create(threads))) return ns_nomem(c, "threads");
  return NS_OK;
}

/* As the integrator asks; also where shapes are taken apart at the start. */
static int get_projection(ns_rigid_stepping *o, ns_ctx *c)
{
  const ns_integrator_ops *i = ns_integrator_find(o->s.m->sim.integrator);
  o->projecting = i ? i->projecting : NS_PROJECT_NOT;
  if (o->projecting == NS_PROJECT_NOT && !o->s.m->contact.separate) return NS_OK;
  return ns_rigid_projection_create(c, o->motion, o->rows, o->contacts,
                                    o->projecting == NS_PROJECT_COMBINED ? NS_PROJECT_COMBINED
                                                                         : NS_PROJECT_DIRECT,
                                    &o->projection);
}

/* Projections take overlaps out themselves. */
static int get_recovery(ns_rigid_stepping *o, ns_ctx *c)
{
  if (!o->contacts || o->projecting != NS_PROJECT_NOT || !(o->s.m->contact.recover > 0))
    return NS_OK;
  int rc = ns_rigid_projection_create(c, o->motion, o->rows, o->contacts, NS_PROJECT_NOT,
                                      &o->recovery);
  /* nobody asks the problem about a settled step but for rows of interactions */
  if (!rc && !o->rows->nunits && !o->problem.compliant)
    ns_rigid_projection_take(o->recovery, &o->problem);
  return rc;
}

int ns_rigid_parts_init(ns_rigid_stepping *o, ns_ctx *c)
{
  const ns_model *m = o->s.m;
  o->history = (ns_contact_history){.m = m, .x = o->s.x, .fastest = ns_rigid_fastest, .of = o};
  int rc = ns_time_stepping_vectors(&o->s, c, m->nv, 3, (double **[]){&o->p, &o->bent, &o->turned});
  if (!rc)
    rc = ns_time_stepping_vectors(&o->s, c, m->nrows, 2,
                                  (double **[]){&o->history.before, &o->history.gap});
  if (!rc) rc = get_team(o, c);
  if (!rc) rc = ns_rigid_motion_create(c, m, o->team, &o->motion);
  if (!rc) rc = ns_rigid_rows_create(c, m, &o->rows);
  if (!rc) o->history.tension = o->rows->tension;
  if (!rc) ns_rigid_problem_init(&o->problem, m->nsystems, o->rows->dof, o->rows->further);
  if (!rc) rc = ns_rigid_contacts_create(c, m, o->team, &o->contacts);
  o->problem.compliant = !rc && o->contacts && ns_rigid_contacts_are_compliant(o->contacts);
  if (!rc && ns_rigid_problem_reserve(&o->problem, o->rows->nunits, o->rows->nrows))
    rc = ns_nomem(c, "the one-step problem of rigid bodies");
  if (!rc) rc = get_projection(o, c);
  return rc ? rc : get_recovery(o, c);
}

static int get_solver(ns_rigid_stepping *o, ns_ctx *c)
{
  const ns_problem_options *s = &o->s.m->sim.osnsp;
  ns_multibody_options opt = {.solver = s->solver,
                              .tol = s->tol,
                              .granular_tol = s->granular_tol,
                              .max_iterations = s->max_iterations,
                              .team = o->team,
                              .contact = ns_contact_solvers[s->contact],
                              .plugged = s->plugged};
  return ns_multibody_create(c, &opt, &o->solver);
}

static void describe(const ns_rigid_stepping *o, ns_plan *plan)
{
  const ns_simulation_options *s = &o->s.m->sim;
  int poses = o->s.m->nrows || o->contacts;
  *plan = (ns_plan){.strategy = ns_rigid_time_stepping.name,
                    .integrator = s->integrator,
                    .problem = poses ? ns_model_problem(o->s.m) : "none",
                    .solver = s->osnsp.solver,
                    .solver_note = poses ? "bodies and contacts in factored form"
                                         : "no interaction: nothing to solve",
                    .storage = poses ? "factored" : "none",
                    .rows = o->rows->nrows,
                    .nnz = (size_t)(2 * o->rows->dof) * o->s.m->nrows,
                    .systems_nonlinear = o->s.m->nsystems,
                    .linear = o->straight,
                    .state_bytes = o->s.x->bytes};
  for (int i = 0; i < o->s.m->nsystems; i++)
    plan->systems_differenced += ns_rigid_differenced(&o->s.m->systems[i]);
  plan->work_bytes = ns_arena_used(o->motion->mem) + ns_arena_used(o->rows->mem) +
                     ns_multibody_bytes(o->solver) + ns_rigid_problem_bytes(&o->problem) +
                     ns_rigid_contacts_bytes(o->contacts) +
                     ns_rigid_projection_bytes(o->projection) +
                     ns_rigid_projection_bytes(o->recovery);
}

static int fill(void *self, ns_ctx *c, ns_plan *plan)
{
  ns_rigid_stepping *o = self;
  int rc = ns_rigid_parts_init(o, c);
  if (!rc) rc = get_solver(o, c);
  if (rc) return rc;
  if (o->recovery) ns_rigid_projection_borrow(o->recovery, o->solver);
  o->straight = o->motion->one_pass && !o->rows->moving;
  o->s.unscaled = o->s.m->sim.ts.newton_absolute;
  o->s.may_stall = !o->s.unscaled;
  describe(o, plan);
  return NS_OK;
}

/* ---- the state from outside ------------------------------------------------------------------ */

/* Gaps that are loaded, as the state says. */
static void count_loaded(ns_rigid_stepping *o)
{
  o->history.loaded = 0;
  for (int a = 0; a < o->rows->nunits; a++)
    o->history.loaded += ns_rigid_has_gap(&o->rows->unit[a]) &&
                         o->s.x->mode[o->rows->unit[a].first] != NS_MODE_FREE;
}

/* Find the contacts between shapes of the next step from the state. */
static int find_contacts(ns_rigid_stepping *o, ns_ctx *c)
{
  return o->contacts ? ns_rigid_contacts_find(o->contacts, c, o->s.x->q, o->s.x->v, *o->s.x->t,
                                              o->s.h, &o->overlap)
                     : NS_OK;
}

int ns_rigid_begin_run(ns_rigid_stepping *o, ns_ctx *c)
{
  count_loaded(o);
  ns_rigid_rows_angles(o->rows, o->s.x, o->s.x->q);
  return find_contacts(o, c);
}

/* One projection of what overlaps, joints held. */
static int take_apart_once(ns_rigid_stepping *o, ns_ctx *c)
{
  ns_state *x = o->s.x;
  int n, moved;
  ns_rigid_projection_begin(o->projection);
  ns_rigid_touch *t = ns_rigid_contacts_list(o->contacts, &n);
  for (int i = 0; i < n; i++) t[i].active = t[i].gap < 0;
  ns_rigid_rows_moved(o->rows);
  int rc = ns_rigid_projection_apply(o->projection, c, x, *x->t, x->q, x->v, NULL, &moved);
  ns_rigid_rows_moved(o->rows);
  return rc ? rc : find_contacts(o, c);
}

int ns_rigid_take_apart(ns_rigid_stepping *o, ns_ctx *c)
{
  enum { ROUNDS = 50 }; /* moved bodies meet others */
  double before = o->overlap,
         enough = fmin(o->s.m->contact.overlap, o->s.m->sim.proj.unilateral_tol);
  int rc = NS_OK, rounds = 0;
  for (; o->overlap > enough && rounds < ROUNDS && !rc; rounds++) rc = take_apart_once(o, c);
  if (rc || !rounds) return rc;
  ns_note(c, "shapes that overlapped by up to %.3g m at the start were separated, to %.3g m",
          before, o->overlap);
  rc = ns_rigid_rows_eval(o->rows, c, o->s.x, *o->s.x->t, o->s.x->q, o->s.x->v, 1);
  if (rc) return rc;
  ns_rigid_rows_speeds(o->rows, o->s.x->v);
  memcpy(o->s.x->y, o->rows->y, o->s.m->nrows * sizeof *o->s.x->y);
  memcpy(o->s.x->ydot, o->rows->ydot, o->s.m->nrows * sizeof *o->s.x->ydot);
  return ns_rigid_motion_start(o->motion, c, o->s.x);
}

double ns_rigid_springs(const ns_rigid_stepping *o)
{
  if (!o->contacts) return 0;
  ns_elastic e = ns_rigid_contacts_elastic(o->contacts);
  return e.normal + e.across;
}

int ns_rigid_start_contacts(ns_rigid_stepping *o, ns_ctx *c, ns_certificate *cert, int first)
{
  int rc = ns_rigid_contacts_check_start(o->contacts, c, o->s.x->q);
  ns_rigid_contacts_bond(o->contacts);
  double springs = ns_rigid_springs(o);
  cert->potential += springs;
  if (first) cert->energy0 += springs;
  return rc;
}

static int start(void *self, ns_ctx *c)
{
  ns_rigid_stepping *o = self;
  int rc = ns_rigid_motion_start(o->motion, c, o->s.x);
  if (!rc) rc = ns_rigid_begin_run(o, c);
  if (rc || !o->contacts) return rc;
  if (o->s.m->contact.separate) rc = ns_rigid_take_apart(o, c);
  return rc ? rc : ns_rigid_start_contacts(o, c, o->s.x->cert, 1);
}

static int restart(void *self, ns_ctx *c, int set)
{
  ns_rigid_stepping *o = self;
  int rc = set ? find_contacts(o, c) : NS_OK;
  if (!rc) rc = ns_rigid_motion_start(o->motion, c, o->s.x);
  if (rc) return rc;
  o->s.x->cert->potential += ns_rigid_springs(o);
  if (set) ns_rigid_rows_angles(o->rows, o->s.x, o->s.x->q);
  return NS_OK;
}

int ns_rigid_take_laws(void *self, ns_ctx *c)
{
  ns_rigid_stepping *o = self;
  ns_laws_restitution(o->s.m, o->rows->restitution);
  return o->contacts ? ns_rigid_contacts_take_laws(o->contacts, c, o->s.x) : NS_OK;
}

double ns_rigid_clock(const ns_rigid_stepping *o)
{
  enum { CLOCKED = 100 }; /* contacts: the clock is read four times a step, 0.1 us */
  int n = 0;
  if (o->contacts) ns_rigid_contacts_list(o->contacts, &n);
  return n < CLOCKED ? 0 : ns_clock();
}

double ns_rigid_since(double start) { return start > 0 ? ns_clock() - start : 0; }

/* ---- the step -------------------------------------------------------------------------------- */

/* The first iterate stands: which contacts the forces of the step may close. */
static void forecast(ns_rigid_stepping *o)
{
  ns_rigid_rows_moved(o->rows);
  if (!o->contacts) return;
  ns_rigid_motion_loose(o->motion, o->motion->vfree);
  ns_rigid_contacts_forecast(o->contacts, o->s.x->q, o->s.x->v, o->motion->vfree);
}

/* Blocks of the units and contacts that take part, behind each other in the problem; whether
 * contacts follow their rolling. */
static int pose(ns_rigid_stepping *o, ns_ctx *c, int follow)
{
  int rc = ns_rigid_rows_pose(o->rows, c, o->s.x, o->s.h, &o->problem);
  if (!rc && o->contacts)
    rc = ns_rigid_contacts_pose(o->contacts, c, o->s.x->q, o->s.x->v, &o->problem);
  o->bonded = !rc && o->contacts && ns_rigid_contacts_load_bonds(o->contacts, o->s.h, &o->problem);
  o->complying = !rc && o->contacts &&
                 ns_rigid_contacts_comply(o->contacts, o->s.x->v, o->s.h, &o->problem);
  o->rolling = NS_ROLLING_NONE;
  o->foreseen = 0;
  if (!rc && o->contacts)
    o->rolling = ns_rigid_contacts_roll(o->contacts, &o->problem, o->s.x->v, o->s.h, follow);
  return rc;
}

/* Overlaps go out of the positions of the iterate. */
static int recover(ns_rigid_stepping *o, ns_ctx *c, const ns_time_stepping *of, int *moved)
{
  ns_rigid_motion *mo = o->motion;
  o->raised = 0;
  int rc = ns_rigid_settle(o, c, of);
  if (rc || !o->recovery) return rc;
  double before = ns_rigid_motion_potential(mo);
  rc = ns_rigid_projection_recover(o->recovery, c, mo->q, mo->v, o->s.h, moved);
  if (rc || !*moved) return rc;
  ns_rigid_rows_moved(o->rows);
  rc = ns_rigid_motion_moved(mo, c);
  o->raised = ns_rigid_motion_potential(mo) - before;
  return rc;
}

int ns_rigid_project(ns_rigid_stepping *o, ns_ctx *c, const ns_time_stepping *of, int *moved,
                     int *again)
{
  ns_rigid_motion *mo = o->motion;
  *moved = 0;
  if (o->projecting == NS_PROJECT_NOT) return recover(o, c, of, moved);
  int rc = ns_rigid_projection_apply(o->projection, c, o->s.x, mo->t1, mo->q, mo->v, &o->problem,
                                     moved);
  *again = !rc && o->projecting == NS_PROJECT_COMBINED &&
           ns_rigid_projection_join(o->projection, o->s.x);
  return rc;
}

/* Who takes part in the step; nothing where rounds decide. */
static void activate(ns_rigid_stepping *o)
{
  if (o->projecting == NS_PROJECT_COMBINED) return;
  if (o->projecting == NS_PROJECT_DIRECT) {
    ns_rigid_projection_activate(o->projection, o->s.x, o->s.h);
    return;
  }
  ns_rigid_rows_activate(o->rows, o->s.x, o->s.h);
  if (o->contacts) ns_rigid_contacts_activate(o->contacts, o->s.x->v, o->s.h, 0, -INFINITY);
}

int ns_rigid_begin(ns_rigid_stepping *o, ns_ctx *c, const ns_time_stepping *of)
{
  int combined = o->projecting == NS_PROJECT_COMBINED, follow = of->attempt <= NS_RIGID_FROM_ZERO;
  if (combined && follow && of->round == 0) ns_rigid_projection_begin(o->projection);
  forecast(o);
  activate(o);
  int rc = pose(o, c, follow);
  if (!o->problem.p.nblocks) memset(o->p, 0, o->s.m->nv * sizeof *o->p);
  return rc;
}

static int begin(void *self, ns_ctx *c)
{
  ns_rigid_stepping *o = self;
  int rc = ns_rigid_motion_begin(o->motion, c, o->s.x, o->s.t1, o->s.h);
  if (!rc) rc = ns_rigid_begin(o, c, &o->s);
  if (rc) return rc;
  o->s.one_pass = o->straight && o->rolling != NS_ROLLING_FOLLOWED && !o->complying;
  int rows_follow = o->rows->na || o->rolling; /* nobody else looks at the first q */
  if (o->motion->steady && rows_follow) ns_rigid_motion_place(o->motion);
  return NS_OK;
}

/* Where impulses are not unique, as of wheels of one axle that slip, passes may not come to
 * rest. Then they begin with none; then the step is made with rows of its begin, of first order; at
 * last with impulses that stay. */
static int retry(void *self)
{
  ns_rigid_stepping *o = self;
  int was = o->s.attempt;
  if (was == NS_RIGID_FOLLOW && o->rows->na) o->s.attempt = NS_RIGID_FROM_ZERO;
  else if (was <= NS_RIGID_FROM_ZERO && o->rolling == NS_ROLLING_FOLLOWED)
    o->s.attempt = NS_RIGID_BEGIN;
  else o->s.attempt = NS_RIGID_LAST;
  return was != NS_RIGID_LAST;
}

static int project(void *self, ns_ctx *c, int *again)
{
  ns_rigid_stepping *o = self;
  int moved = 0, rc = ns_rigid_project(o, c, &o->s, &moved, again);
  /* recover has called it */
  if (rc || !moved || o->projecting == NS_PROJECT_NOT) return rc;
  return ns_rigid_motion_moved(o->motion, c);
}

static int commit(void *self, ns_ctx *c, ns_recorder *rec)
{
  ns_rigid_stepping *o = self;
  (void)rec;
  int rc = ns_rigid_conclude(o, c, &o->s);
  return rc ? rc : ns_rigid_motion_commit(o->motion, c, o->s.x, o->p);
}

static int accept(void *self, ns_ctx *c, ns_recorder *rec)
{
  ns_rigid_stepping *o = self;
  o->s.x->report->penetration = ns_rigid_publish(o);
  return ns_rigid_report(o, c, rec);
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

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
  int rc = find_contacts(o, &c);
  if (!rc && o->contacts) rc = ns_rigid_contacts_restore(o->contacts, &c, b);
  if (rc) b->failed = rc;
}

const ns_contact_record *ns_rigid_records(const void *self, size_t *n)
{
  const ns_rigid_stepping *o = self;
  *n = 0;
  return o->contacts ? ns_rigid_contacts_records(o->contacts, n) : NULL;
}

static ns_shares shares(const void *self) { return ((const ns_rigid_stepping *)self)->shares; }

const ns_strategy_ops ns_rigid_time_stepping = {
    NS_TIME_STEPPING(ns_time_stepping_step),
    .help = "event-capturing: fixed steps, impacts inside them; rigid bodies",
    .family = NS_FAMILY_RIGID,
    .start = start,
    .contacts = ns_rigid_records,
    .shares = shares,
    .save = save,
    .restore = restore,
    .steps = &(const ns_step_ops){.size = sizeof(ns_rigid_stepping),
                                  .create = fill,
                                  .destroy = destroy,
                                  .restart = restart,
                                  .take_laws = ns_rigid_take_laws,
                                  .begin = begin,
                                  .solve = ns_rigid_solve,
                                  .advance = ns_rigid_advance,
                                  .unsolved = ns_rigid_unsolved,
                                  .diverged = ns_rigid_diverged,
                                  .retry = retry,
                                  .solved = ns_rigid_end,
                                  .project = project,
                                  .commit = commit,
                                  .accept = accept}};
