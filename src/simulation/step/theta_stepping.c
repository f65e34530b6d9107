/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/theta_stepping.h"

#include "base/grow.h"
#include "model/foreign.h"
#include "model/laws/problem.h"
#include "simulation/step/failure.h"
#include "simulation/step/initial_input.h"
#include "simulation/step/theta_parts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef ns_theta_stepping stepping;

/* Parts of the short step below, in which they have few instructions. Some have the argument
 * `brief`: 1 there, where first-order systems are alone and one pass makes the step; what that
 * excludes is not asked. */
#define ns_in_step inline __attribute__((always_inline))

/* ---- creation -------------------------------------------------------------------------------- */

static void destroy(void *self)
{
  stepping *o = self;
  ns_active_rows_destroy(o->active);
  ns_step_problem_fini(&o->p);
  ns_contacts_destroy(o->k);
  ns_couplings_destroy(o->f);
  ns_theta_destroy(o->osi);
  if (o->bodies) ns_rigid_parts_fini(o->bodies);
  NS_FREE(o->bodies, o->slot, o->block_row, o->takes_part);
}

static int get_vectors(stepping *o, ns_ctx *c)
{
  size_t nv = o->s.m->nv, nF = (size_t)o->nF;
  double **vec[] = {&o->unknowns, &o->free,  &o->impulse, &o->input, &o->move,
                    &o->bent,     &o->moved, &o->at_free, &o->from,  &o->impulse_from},
         **relation[] = {&o->lambda, &o->was, &o->y, &o->offset, &o->lambda_from};
  int rc = ns_time_stepping_vectors(&o->s, c, nv, sizeof vec / sizeof *vec, vec);
  if (!rc) rc = ns_time_stepping_vectors(&o->s, c, o->s.m->nq, 1, (double **[]){&o->at_x});
  if (!rc)
    rc = ns_time_stepping_vectors(&o->s, c, nF, sizeof relation / sizeof *relation, relation);
  if (!rc)
    rc = ns_time_stepping_vectors(&o->s, c, (size_t)o->nL, 1, (double **[]){&o->history.before});
  if (rc) return rc;
  o->second = ns_arena_zero(o->s.mem, nv + 1, 1);
  o->C_end = ns_arena_zero(o->s.mem, nF + 1, sizeof *o->C_end);
  if (!o->second || !o->C_end) return ns_nomem(c, "time-stepping");
  for (int i = 0; i < o->s.m->nsystems; i++) {
    const ns_system *s = &o->s.m->systems[i];
    int second = !ns_system_is_first_order(s) && s->nq == s->n;
    memset(o->second + s->v, second, (size_t)s->n);
  }
  return NS_OK;
}

/* The rigid bodies, where there are some. */
static int get_bodies(stepping *o, ns_ctx *c)
{
  int rc = ns_part_bodies(o->s.m, c, o->s.mem, &o->part);
  if (rc || !o->part.nsystems) return rc;
  o->part_x = ns_part_state(&o->part, o->s.x);
  if (!(o->bodies = calloc(1, sizeof *o->bodies))) return ns_nomem(c, "rigid bodies");
  o->bodies->s = (ns_time_stepping){.m = &o->part, .x = &o->part_x, .mem = o->s.mem, .h = o->s.h};
  rc = ns_rigid_parts_init(o->bodies, c);
  o->slot_of = ns_arena_zero(o->s.mem, (size_t)o->part.nsystems, sizeof *o->slot_of);
  return rc || o->slot_of ? rc : ns_nomem(c, "rigid bodies");
}

/* Something may be solved in a step. */
static int poses(const stepping *o) { return o->p.nrows || (o->bodies && o->bodies->contacts); }

static const char *problem_of(const stepping *o)
{
  if (!poses(o)) return "none";
  if (o->alone || o->s.m->sim.problem) return ns_model_problem(o->s.m);
  return o->bodies && o->bodies->contacts ? "GenericMechanical" : ns_step_problem_name(&o->p);
}

static size_t work_bytes(const stepping *o)
{
  size_t n = ns_theta_bytes(o->osi) + ns_contacts_bytes(o->k) + ns_couplings_bytes(o->f) +
             ns_step_problem_bytes(&o->p) + ns_active_rows_bytes(o->active);
  const ns_rigid_stepping *b = o->bodies;
  if (b) n += ns_arena_used(b->motion->mem) + ns_arena_used(b->rows->mem);
  if (b) n += ns_rigid_projection_bytes(b->projection);
  return b ? n + ns_rigid_problem_bytes(&b->problem) + ns_rigid_contacts_bytes(b->contacts) : n;
}

static const char *storage_of(const stepping *o)
{
  if (!poses(o)) return "none";
  if (o->p.p.dense) return "dense";
  return o->p.head ? "sparse" : "block-sparse";
}

/* How first-order systems alone are solved. */
static const char *kernel(const stepping *o)
{
  if (!o->alone) return NULL;
  if (o->p.head) return "saddle-point form, sparse: state and multipliers in one problem";
  if (!poses(o)) return "none";
  if (o->active) return "active rows: multipliers only";
  return o->p.p.dense ? "dense: multipliers only" : "block-sparse: multipliers only";
}

static const char *note_of(const stepping *o)
{
  if (!poses(o)) return "no interaction: nothing to solve";
  return o->alone ? ns_step_problem_note(&o->p) : "rows of all systems in one problem";
}

static void describe(const stepping *o, ns_plan *plan)
{
  const ns_simulation_options *s = &o->s.m->sim;
  ns_integrator_info i;
  ns_theta_info(o->osi, &i);
  *plan = (ns_plan){.strategy = ns_mixed_stepping.name,
                    .integrator = o->s.m->schemes ? o->s.m->schemes : s->integrator,
                    .problem = problem_of(o),
                    .solver = o->p.head ? o->p.p.solver_name : s->osnsp.solver,
                    .solver_note = note_of(o),
                    .storage = storage_of(o),
                    .rows = o->p.p.nrows,
                    .nnz = o->p.nrows ? (size_t)o->p.p.A->row[o->p.p.nrows] : 0,
                    .systems_dense = o->alone ? i.dense : 0,
                    .systems_nonlinear = o->alone ? i.nonlinear : o->s.m->nsystems,
                    .systems_differenced = o->alone ? i.differenced : 0,
                    .relations_differenced = o->alone ? o->f->differenced : 0,
                    .linear = i.linear && o->f->linear && !o->nread,
                    .state_bytes = o->s.x->bytes,
                    .work_bytes = work_bytes(o),
                    .kernel = kernel(o)};
}

/* Of models of first order: others name one for each kind. */
static int check_integrator(const stepping *o, ns_ctx *c)
{
  const char *want = o->s.m->sim.integrator;
  for (const ns_theta_scheme *k = ns_theta_schemes; k->name; k++)
    if (!o->alone || !strcmp(k->name, want)) return NS_OK;
  return ns_fail_at(
      c, NS_MODEL, &o->s.m->sim.at,
      "there is no integrator \"%s\" for first-order systems; `nssim list schemes` lists them",
      want);
}

static int get_integrator(stepping *o, ns_ctx *c)
{
  ns_rigid_motion *motion = o->bodies ? o->bodies->motion : NULL;
  int rc = o->alone && ns_step_problem_suits_saddle(o->s.m)
               ? ns_theta_create_sparse(c, o->s.m, &o->osi)
               : ns_theta_create(c, o->s.m, motion, &o->part_x, &o->osi);
  if (rc) return rc;
  o->view = ns_theta_look(o->osi);
  o->u = o->alone ? o->view.q : o->unknowns;
  return NS_OK;
}

static double rounding_level(const void *self);

/* Rows of first order, with the bounds of their multipliers. */
static ns_law_rows laws_of(const stepping *o)
{
  return (ns_law_rows){.n = o->nF,
                       .first = o->nL,
                       .interaction = o->f->interaction,
                       .lambda = o->lambda,
                       .lb = o->whole ? o->p.lb : o->was,
                       .ub = o->whole ? o->p.ub : o->offset,
                       .level = rounding_level,
                       .of = o};
}

static int fill(void *self, ns_ctx *c, ns_plan *plan)
{
  stepping *o = self;
  o->alone = ns_model_is_first_order(o->s.m);
  int rc = check_integrator(o, c);
  if (!rc) rc = ns_th_views(o, c);
  if (!rc) rc = get_vectors(o, c);
  if (!rc && !o->alone) rc = get_bodies(o, c);
  if (!rc) rc = get_integrator(o, c);
  o->whole = o->nL == 0 && !o->bodies;
  o->unit = o->whole ? 1 : o->s.h;
  if (!rc) rc = ns_contacts_create(c, &o->mechanics, NULL, NULL, 0, &o->k);
  if (!rc) rc = ns_couplings_create(c, &o->relations, &o->f);
  if (!rc) rc = ns_th_make_problem(o, c);
  if (rc) return rc;
  if (o->alone && o->f->linear) o->lambda = o->p.z; /* nothing asks what it was before a pass */
  o->laws = laws_of(o);
  o->follows = !o->alone || !o->f->linear;
  o->s.may_stall = o->bodies != NULL;
  o->s.unscaled = o->whole;
  o->s.one_pass = o->whole && o->view.linear && o->f->linear && !o->nread;
  ns_contact_history_init(&o->history, o->k, o->s.x);
  describe(o, plan);
  return NS_OK;
}

/* ---- the state from outside ------------------------------------------------------------------ */

/* Relations at the state, with its multipliers. */
static ns_relation_point at_state(const stepping *o)
{
  const ns_state *x = o->s.x;
  return (ns_relation_point){.t = *x->t,
                             .x = x->q,
                             .z = x->z,
                             .lambda = x->lambda + o->nL,
                             .others = {x->q, x->v, x->z, x->angle}};
}

/* Some system of first order takes the input of the step before, too. */
static int takes_last_input(const stepping *o)
{
  int some = 0;
  for (size_t i = 0; i < o->s.m->nv; i++) some |= o->view.after[i] < 1;
  return some && o->nF;
}

/* Inputs and outputs of relations at t0, to the state. */
static void begin_inputs(stepping *o)
{
  ns_state *x = o->s.x;
  const double *lambda = x->lambda + o->nL;
  memset(o->move, 0, o->s.m->nv * sizeof *o->move);
  ns_couplings_output(o->f, x->q, lambda, x->y + o->nL);
  ns_couplings_input(o->f, lambda, lambda, o->move, o->input);
  for (int i = 0; i < o->s.m->nsystems; i++) {
    const ns_system *s = &o->s.m->systems[i];
    if (ns_system_is_first_order(s))
      memcpy(x->p + s->v, o->input + s->v, (size_t)s->n * sizeof *x->p);
  }
}

/* Relations of first order at the state; at t0 with multipliers and inputs of their own. */
static int start_relations(stepping *o, ns_ctx *c, int first)
{
  ns_state *x = o->s.x;
  ns_relation_point at = at_state(o);
  int changed = 0, rc = ns_couplings_offsets(o->f, c, &at, 1);
  if (!rc && first && takes_last_input(o)) rc = ns_initial_input(c, o->f, x, x->lambda + o->nL);
  if (!rc) rc = ns_couplings_values(o->f, c, &at);
  if (!rc) rc = ns_couplings_tangents(o->f, c, &at, 1, &changed);
  if (!rc && first) begin_inputs(o);
  return rc;
}

/* Contacts between shapes at the state: overlaps may be taken apart, bonds and springs begin. */
static int start_contacts(stepping *o, ns_ctx *c, int first)
{
  ns_state *x = o->s.x;
  int rc = NS_OK;
  if (o->s.m->contact.separate) {
    rc = ns_rigid_take_apart(o->bodies, c);
    if (!rc) rc = ns_theta_start(o->osi, c, x, first);
  }
  return rc ? rc : ns_rigid_start_contacts(o->bodies, c, x->cert, first);
}

/* What follows from the state, at the start of a run and where it is resumed. */
static int begin_run(stepping *o, ns_ctx *c, int first)
{
  ns_contact_history_begin(&o->history);
  memset(o->impulse, 0, o->s.m->nv * sizeof *o->impulse);
  int rc = start_relations(o, c, first);
  if (!rc) rc = ns_theta_start(o->osi, c, o->s.x, first);
  return rc || !o->bodies ? rc : ns_rigid_begin_run(o->bodies, c);
}

static int start(void *self, ns_ctx *c)
{
  stepping *o = self;
  int first = *o->s.x->step == 0, rc = begin_run(o, c, first);
  return rc || !o->bodies || !o->bodies->contacts ? rc : start_contacts(o, c, first);
}

static int restart(void *self, ns_ctx *c, int set)
{
  stepping *o = self;
  ns_relation_point at = at_state(o);
  if (o->alone && !set) return NS_OK; /* steps see themselves that z is another one */
  int rc = set && o->bodies ? ns_rigid_begin_run(o->bodies, c) : NS_OK;
  long long step = *o->s.x->step;
  if (set) *o->s.x->step = 0; /* rates of the new state, as at the begin of a run */
  if (!rc) rc = ns_theta_start(o->osi, c, o->s.x, 0);
  *o->s.x->step = step;
  if (!rc && o->bodies) o->s.x->cert->potential += ns_rigid_springs(o->bodies);
  return rc || !set ? rc : ns_couplings_offsets(o->f, c, &at, 1);
}

/* ---- one linearisation ----------------------------------------------------------------------- */

/* Positions and states where relations are evaluated. */
static ns_in_step const double *x_of_relations(const stepping *o)
{
  double a = o->view.where;
  if (a == 1) return o->view.q;
  for (size_t i = 0; i < o->s.m->nq; i++) o->at_x[i] = (1 - a) * o->s.x->q[i] + a * o->view.q[i];
  return o->at_x;
}

static ns_relation_point at_iterate(const stepping *o)
{
  const ns_state *x = o->s.x;
  const double *at = x_of_relations(o);
  return (ns_relation_point){.t = ns_theta_time(o->osi),
                             .x = at,
                             .z = x->z,
                             .lambda = o->lambda,
                             .others = {at, o->view.v, x->z, x->angle}};
}

/* u_free += W^-1 h after sum (g - B lambda) of nonlinear inputs. */
static void push(stepping *o)
{
  memset(o->input, 0, o->s.m->nv * sizeof *o->input);
  ns_couplings_surplus(o->f, o->lambda, o->input);
  ns_theta_push(o->osi, o->input, o->free);
}

/* Rows of bodies at the iterate; what bends them by the impulses of the pass before, or as it was.
 */
static int linearise_bodies(stepping *o, ns_ctx *c, int as_it_was)
{
  ns_rigid_stepping *b = o->bodies;
  int rc = ns_rigid_eval_rows(b, c);
  if (rc) return rc;
  ns_rigid_fill(b);
  ns_rigid_bend(b, as_it_was);
  memcpy(o->bent + o->part.part_v, b->bent, o->part.nv * sizeof *b->bent);
  return NS_OK;
}

/* Rows of mechanics that follow the iterate. */
static int linearise_mechanics(stepping *o, ns_ctx *c)
{
  if (!o->k->nmoving && !o->k->compliant) return NS_OK;
  return ns_contacts_follow(o->k, c, o->s.x, o->view.q, o->view.v);
}

/* Rows, matrices and u_free of the iterate. */
static ns_in_step int linearise(stepping *o, ns_ctx *c, int first, int stalled, int brief)
{
  /* Only a matrix of relations alone, for steps of one length, may stay as it is. */
  int changed = !o->whole || o->nread || o->active || o->h != o->s.h;
  int relations_vary = !o->f->constant || o->nread;
  ns_rigid_stepping *bodies = brief ? NULL : o->bodies;
  int rc = !brief && o->nL ? linearise_mechanics(o, c) : NS_OK;
  if (!rc && relations_vary) {
    ns_relation_point at = at_iterate(o);
    rc = ns_couplings_tangents(o->f, c, &at, first, &changed);
    if (!rc) ns_th_derive_readers(o, &at);
  }
  if (!rc) rc = ns_theta_linearise(o->osi, c, o->f->K, o->f->nK, &changed);
  if (!rc && bodies) rc = linearise_bodies(o, c, stalled);
  if (rc) return rc;
  o->stale |= changed;
  o->h = o->s.h;

  /* The motion without the multipliers of this pass, which bodies have as their vfree. */
  ns_theta_free(o->osi, bodies ? o->bent : NULL, o->free);
  if (!brief && !o->f->linear) push(o);
  if (bodies) memcpy(bodies->motion->vfree, o->free + o->part.part_v, o->part.nv * sizeof *o->free);
  return NS_OK;
}

/* The next iterate from the solution, and what led to it. */
static ns_in_step void iterate(stepping *o, int brief)
{
  size_t bytes = (size_t)o->nF * sizeof *o->lambda;
  if (!brief && !o->f->linear) memcpy(o->was, o->lambda, bytes);
  if (!brief && !o->alone) ns_th_take_solution(o);
  else if (!brief && o->lambda != o->p.z) memcpy(o->lambda, o->p.z, bytes);
  ns_step_problem_apply(&o->p, o->free);
  if (!brief && o->follows) ns_th_move(o, o->free);
  if (!brief && !o->alone) memcpy(o->unknowns, o->free, o->s.m->nv * sizeof *o->free);
  ns_theta_set(o->osi, o->free);
  if (!brief && o->nL) ns_contacts_impulse(o->k, o->impulse);
  if (!brief && o->bodies) {
    memcpy(o->impulse + o->part.part_v, o->bodies->p, o->part.nv * sizeof *o->impulse);
    ns_rigid_rows_moved(o->bodies->rows);
  }
  ns_couplings_input(o->f, o->lambda, o->was, o->moved, o->input);
}

/* ---- passes of Newton's method --------------------------------------------------------------- */

static void worsen(double *residual, double a)
{
  if (!(a <= *residual)) *residual = a; /* a NaN stays */
}

/* Offset of row r, which reads other systems, after the move, by the linearisation; *size: of the
 * terms of the row, in its unit. */
static double expected_offset(const stepping *o, int r, double *size)
{
  int k = r - o->nL;
  double offset = o->offset[k];
  *size = fabs(o->f->offset[k]) + fabs(o->p.w[r]) + ns_rows_size(&o->p.H, r, o->free);
  for (int j = o->C_end[k]; j < o->p.H.ptr[r + 1]; j++)
    offset += o->p.H.val[j] * o->move[o->p.H.dof[j]];
  return offset;
}

/* Offsets at the new iterate, and how far they are from what the linearisation said. */
static int judge_offsets(stepping *o, ns_ctx *c, const ns_relation_point *at, double *residual)
{
  const ns_time_stepping_options *t = &o->s.m->sim.ts;
  memcpy(o->offset, o->f->offset, (size_t)o->nF * sizeof *o->offset);
  int rc = o->f->offset_varies ? ns_couplings_offsets(o->f, c, at, 0) : NS_OK;
  for (int i = 0; i < o->nread && !rc; i++)
    for (int e = 0; o->read[i].linear && e < o->read[i].m; e++) {
      int r = o->read[i].row + e;
      double size, expected = expected_offset(o, r, &size),
                   wrong = fabs(o->f->offset[r - o->nL] - expected);
      worsen(residual, wrong / (t->newton_atol + t->newton_rtol * size));
    }
  return rc;
}

/* How far the iterate is from the equations: of motion, of rows that moved with it, of relations.
 * */
static int judge(stepping *o, ns_ctx *c, int unique, double *residual)
{
  double moved = 0;
  ns_relation_point at = at_iterate(o);
  *residual = 0;
  int rc = o->view.linear
               ? NS_OK
               : ns_theta_residual(o->osi, c, o->impulse, o->input, unique, residual, NULL);
  if (!rc && o->k->nmoving)
    rc = ns_contacts_settled(o->k, c, o->s.x, o->view.q, o->view.v, o->impulse, &moved);
  worsen(residual, moved);
  if (!rc && o->bodies && ns_rigid_rows_move(o->bodies)) {
    rc = ns_rigid_eval_rows(o->bodies, c);
    if (!rc) worsen(residual, ns_rigid_unsettled(o->bodies, unique));
  }
  if (!rc && o->nread) rc = judge_offsets(o, c, &at, residual);
  if (rc || o->f->linear) return rc;
  rc = ns_couplings_values(o->f, c, &at);
  worsen(residual, ns_couplings_residual(o->f, &at, o->p.w + o->nL));
  return rc;
}

/* The interaction of a row of the problem; NULL: of a contact between shapes. */
static const ns_interaction *interaction_of(const stepping *o, int r)
{
  if (r < o->nL) return &o->s.m->interactions[o->k->interaction[r]];
  if (r < o->nL + o->nF) return &o->s.m->interactions[o->f->interaction[r - o->nL]];
  const ns_rigid_rows *R = o->bodies->rows;
  for (int a = 0; a < R->nunits; a++) {
    int at = r - o->nL - o->nF - R->unit[a].first;
    if (at >= 0 && at < R->unit[a].rows) return &o->s.m->interactions[R->unit[a].interaction];
  }
  return NULL;
}

static ns_moment moment(const stepping *o)
{
  const ns_state *x = o->s.x;
  return (ns_moment){.from = *x->t,
                     .t = ns_theta_time(o->osi),
                     .q = o->view.q,
                     .v = o->view.v,
                     .z = x->z,
                     .lambda = o->alone ? o->lambda : x->lambda,
                     .q0 = x->q,
                     .v0 = x->v};
}

/* Its row has bounds, or a polyhedron; no friction. */
static int is_box(const stepping *o, int r)
{
  return o->alone || o->p.unit[o->p.unit_of[r]].block == NS_BLOCK_BOX;
}

static double distance_of(const stepping *o, int r)
{
  const ns_step_problem *p = &o->p;
  return p->p.solver.poly ? fabs(p->w[r]) : ns_law_distance(p->z[r], p->w[r], p->lb[r], p->ub[r]);
}

/* Who takes part in the problem, and which row is worst. */
static int list_involved(const stepping *o, ns_ctx *c, ns_involved *who, ns_suspect *worst)
{
  const ns_step_problem *p = &o->p;
  ns_moment at = moment(o);
  char numbers[40];
  for (int i = 0; i < p->n; i++) {
    int r = p->active[i];
    const ns_interaction *it = interaction_of(o, r);
    snprintf(numbers, sizeof numbers, "y = %g", p->b[r]);
    if (!isfinite(p->b[r]) && it) return ns_fail_row(c, o->s.m, &at, (size_t)r, numbers);
    if (!isfinite(p->b[r])) return ns_fail_not_finite(c, o->s.m, &at);
    if (it) ns_involved_add(who, o->s.m, (int)(it - o->s.m->interactions));
    if (it && is_box(o, r)) ns_suspect_row(worst, it, r - (int)it->row, distance_of(o, r));
  }
  int blocks = o->bodies ? o->bodies->problem.p.nblocks : 0;
  for (int k = o->bodies ? o->bodies->rows->na : 0; k < blocks; k++)
    ns_rigid_involve(o->bodies, k, who);
  return NS_OK;
}

static int unsolved(void *self, ns_ctx *c, const ns_outcome *out)
{
  const stepping *o = self;
  ns_suspect worst = {0};
  ns_involved who = {0};
  int rc = list_involved(o, c, &who, &worst);
  if (rc) return rc;
  ns_unsolved_problem said = {.problem = o->alone ? ns_model_problem(o->s.m)
                                                  : ns_step_problem_name(&o->p),
                              .rows = o->p.head + o->p.n,
                              .t = *o->s.x->t,
                              .tolerance = o->s.m->sim.osnsp.tol,
                              .worst = worst.at,
                              .what = worst.what,
                              .fault = worst.fault,
                              .whose = o->alone ? "" : who.text,
                              .look_for = o->alone ? "laws that contradict each other"
                                                   : "laws that contradict each other: "};
  return ns_fail_unsolved(c, o->s.m, &said, out);
}

/* Newton's method has not come to an end. */
static int diverged(void *self, ns_ctx *c, double residual, ns_suspect *w)
{
  stepping *o = self;
  double again;
  ns_moment at = moment(o);
  ns_relation_point p = at_iterate(o);
  int rc = isnan(residual) ? ns_fail_not_finite(c, o->s.m, &at) : NS_OK;
  if (!rc && !o->view.linear) rc = ns_theta_residual(o->osi, c, o->impulse, o->input, 1, &again, w);
  if (rc) return rc;
  if (o->k->nmoving) ns_contacts_suspects(o->k, o->impulse, w);
  if (o->bodies && o->bodies->rows->moving) ns_rigid_suspects(o->bodies, w);
  if (!o->f->linear) ns_couplings_suspects(o->f, &p, o->p.w + o->nL, w);
  return NS_OK;
}

/* The rows that act alone. 1: they were enough. */
static int solve_active(stepping *o, ns_ctx *c, ns_outcome *out, int *rc)
{
  *rc = ns_active_rows_solve(o->active, c, out);
  if (*rc) return 1;
  if (out->kind != NS_SOLVED) return 0;
  ns_shown shown = {.box = &o->active->avi, .guess = o->active->guess};
  if (o->s.w && o->active->n) o->s.w->problem(o->s.w->to, *o->s.x->step, *o->s.x->t, &shown, out);
  return 1;
}

static inline int solve_problem(stepping *o, ns_ctx *c, ns_outcome *out)
{
  int rc = ns_th_assemble(o, c);
  if (rc || (o->active && solve_active(o, c, out, &rc))) return rc;
  rc = o->stale ? ns_th_matrix(o, c) : NS_OK;
  return rc ? rc : ns_step_problem_solve(&o->p, c, o->s.x, o->s.w, out);
}

static int solve(void *self, ns_ctx *c, ns_pass *p)
{
  stepping *o = self;
  int rc = linearise(o, c, p->number == 1, p->rested, 0);
  o->p.p.tol = p->tol;
  return rc ? rc : solve_problem(o, c, &p->out);
}

/* Of ns_time_stepping.attempt, without bodies. */
enum { SHORTENED = 1 };

/* Rows do not follow the iterate, so that impulses and inputs of a part of a pass are that part of
 * theirs. */
static int may_shorten(const stepping *o)
{
  return o->f->linear && !o->nread && !o->bodies && !o->k->nmoving && !o->k->compliant;
}

static void keep_from(stepping *o)
{
  memcpy(o->from, o->u, o->s.m->nv * sizeof *o->from);
  memcpy(o->impulse_from, o->impulse, o->s.m->nv * sizeof *o->impulse);
  memcpy(o->lambda_from, o->lambda, (size_t)o->nF * sizeof *o->lambda);
}

/* Half of the way back to where the pass came from. */
static int go_half_back(stepping *o, ns_ctx *c, double *residual)
{
  for (size_t i = 0; i < o->s.m->nv; i++) {
    o->free[i] = (o->u[i] + o->from[i]) / 2;
    o->impulse[i] = (o->impulse[i] + o->impulse_from[i]) / 2;
  }
  for (int r = 0; r < o->nF; r++) o->lambda[r] = (o->lambda[r] + o->lambda_from[r]) / 2;
  if (!o->alone) memcpy(o->unknowns, o->free, o->s.m->nv * sizeof *o->free);
  ns_theta_set(o->osi, o->free);
  ns_couplings_input(o->f, o->lambda, o->was, o->moved, o->input);
  return judge(o, c, 1, residual);
}

/* A pass whose length is halved until the residual falls by a quarter of what it would fall by in a
 * linear problem (backtracking; Nocedal & Wright 2006, 3.1): by less, passes go to and fro about a
 * root with hardly any gain. Laws hold only after a full one, so that another pass follows one that
 * was shortened. Where it does not fall, and no rows act, the iterate is a solution if rounding of
 * the state makes the rest of its residual. */
static int search(stepping *o, ns_ctx *c, ns_pass *p)
{
  enum { HALVINGS = 100 }; /* of roots the solution may be tiny */
  const double NOT_YET = 2, GAIN = 0.25;
  int rc = NS_OK, halved = 0;
  keep_from(o);
  if (p->number == 1) o->from_residual = INFINITY;
  iterate(o, 0);
  rc = judge(o, c, 1, &p->residual);
  while (!rc && halved < HALVINGS && !(p->residual <= 1) &&
         !(p->residual <= (1 - ldexp(GAIN, -halved)) * o->from_residual)) {
    rc = go_half_back(o, c, &p->residual);
    halved++;
  }
  o->from_residual = p->residual;
  if (!rc && halved == HALVINGS && o->p.n == 0)
    rc = ns_theta_residual_to_rounding(o->osi, c, o->u, o->free, o->impulse, o->input,
                                       &p->residual);
  if (halved && o->p.n && p->residual <= 1) p->residual = NOT_YET;
  return rc;
}

static int advance(void *self, ns_ctx *c, ns_pass *p)
{
  stepping *o = self;
  p->active = o->p.n;
  p->residual = 0;
  if (may_shorten(o) && o->s.attempt == SHORTENED) return search(o, c, p);
  iterate(o, 0);
  return o->s.one_pass ? NS_OK : judge(o, c, !p->stalled, &p->residual);
}

/* Full passes may go to and fro, as about x = 0 in x' = -sqrt(x), a tank that runs
 * empty. Where impulses are not unique, as of wheels of one axle that slip, passes may not come to
 * rest: then the step is made with the rows of its begin. */
static int retry(void *self)
{
  stepping *o = self;
  if (may_shorten(o)) {
    int again = o->s.attempt == 0;
    o->s.attempt = SHORTENED;
    return again;
  }
  o->s.attempt = NS_RIGID_BEGIN;
  return o->bodies && o->bodies->rolling == NS_ROLLING_FOLLOWED;
}

static void solved(void *self)
{
  stepping *o = self;
  if (o->bodies) ns_rigid_end(o->bodies);
}

/* ---- the step -------------------------------------------------------------------------------- */

/* Laws of the step, in the views too. */
static int take_laws(void *self, ns_ctx *c)
{
  stepping *o = self;
  if (!o->alone) {
    ns_part_renew_laws(o->s.m, &o->mechanics);
    ns_part_renew_laws(o->s.m, &o->relations);
    ns_contacts_take_laws(o->k, o->s.h);
  }
  ns_th_take_laws(o);
  if (!o->bodies) return NS_OK;
  ns_part_renew_laws(o->s.m, &o->part);
  return ns_rigid_take_laws(o->bodies, c);
}

/* Unknowns of the first iterate, and the rows of mechanics that take part. */
static int begin_kinds(stepping *o, ns_ctx *c)
{
  const ns_state *x = o->s.x;
  for (int i = 0; i < o->s.m->nsystems; i++) {
    const ns_system *s = &o->s.m->systems[i];
    int second = !ns_system_is_first_order(s);
    memcpy(o->unknowns + s->v, second ? x->v + s->v : x->q + s->q, (size_t)s->n * sizeof *o->u);
  }
  if (o->nL) ns_contacts_activate(o->k, x, o->s.t1, o->s.h);
  int rc = o->bodies ? ns_rigid_begin(o->bodies, c, &o->s) : NS_OK;
  return rc ? rc : ns_th_select(o, c);
}

/* The first iterate, and who takes part. */
static ns_in_step int begin_step(stepping *o, ns_ctx *c, int brief)
{
  int rc = ns_theta_begin(o->osi, c, o->s.x, o->s.t1, o->s.h); /* sees that z is another one */
  if (rc) return rc;
  memcpy(o->lambda, o->s.x->lambda + o->nL, (size_t)o->nF * sizeof *o->lambda);
  if (!brief && !o->alone) rc = begin_kinds(o, c);
  int linear = brief || o->f->linear;
  if (rc || (!o->f->offset_varies && linear)) return rc;
  ns_relation_point at = at_iterate(o);
  if (o->f->offset_varies) rc = ns_couplings_offsets(o->f, c, &at, 0);
  return rc || linear ? rc : ns_couplings_values(o->f, c, &at);
}

static int begin(void *self, ns_ctx *c) { return begin_step(self, c, 0); }

/* Positions of bodies to their constraints. */
static int project(void *self, ns_ctx *c, int *again)
{
  stepping *o = self;
  int moved = 0, rc = o->bodies ? ns_rigid_project(o->bodies, c, &moved, again) : NS_OK;
  if (!rc && moved) ns_theta_moved(o->osi);
  return rc;
}

/* What rounding makes of multipliers in this problem. */
static double rounding_level(const void *self)
{
  const stepping *o = self;
  double max = 0;
  if (o->active && o->stale) return 64 * DBL_EPSILON * ns_active_rows_level(o->active);
  if (o->whole) return 64 * DBL_EPSILON * ns_step_problem_level(&o->p);
  for (int i = 0; i < o->p.n; i++) {
    int r = o->p.active[i];
    if (r >= o->nL) max = fmax(max, fabs(o->p.b[r]) * o->p.scale[r] * o->p.scale[r] / o->s.h);
  }
  return 64 * DBL_EPSILON * max;
}

/* Events of multipliers; `active` of models of first order counts those that are not at a bound. */
static inline int events(stepping *o, ns_ctx *c, ns_recorder *rec)
{
  for (int e = 0; e < o->nF && !o->whole; e++) { /* of multipliers, not of impulses */
    o->was[e] = o->p.lb[o->nL + e] / o->unit;
    o->offset[e] = o->p.ub[o->nL + e] / o->unit;
  }
  int between, rc = ns_law_events(o->s.m, c, o->s.x, &o->laws, rec, &between);
  if (o->alone) o->s.x->report->active = between;
  return rc;
}

static int accept_mechanics(stepping *o, ns_ctx *c, ns_recorder *rec)
{
  ns_state *x = o->s.x;
  ns_contact_history_keep(&o->history);
  int rc = ns_contacts_output(o->k, c, x);
  if (rc) return rc;
  if (!o->k->plain) ns_contacts_work(o->k, x);
  double deepest = o->bodies ? ns_rigid_publish(o->bodies) : 0;
  x->report->penetration = fmax(x->report->penetration, deepest);
  if (o->bodies) rc = ns_rigid_report(o->bodies, c, rec);
  if (rc) return rc;
  return o->k->n || o->history.loaded ? ns_contact_history_events(&o->history, c, rec) : NS_OK;
}

static ns_in_step int accept_step(stepping *o, ns_ctx *c, ns_recorder *rec, int brief)
{
  memcpy(o->s.x->y + o->nL, o->y, (size_t)o->nF * sizeof *o->y);
  int rc = brief || o->alone ? NS_OK : accept_mechanics(o, c, rec);
  int law = events(o, c, rec);
  return rc ? rc : law;
}

static int accept(void *self, ns_ctx *c, ns_recorder *rec) { return accept_step(self, c, rec, 0); }

/* What depends on the iterate goes first: y comes from the relations at the accepted iterate, while
 * the state is still x_k. */
static ns_in_step int commit_step(stepping *o, ns_ctx *c, ns_recorder *rec, int brief)
{
  ns_state *x = o->s.x;
  int moves = !brief && o->k->nmoving, works = !brief && !o->alone && !o->k->plain,
      rc = moves ? ns_contacts_foresee(o->k, c, x, o->view.q, o->view.v) : NS_OK;
  if (!rc && works) ns_contacts_before(o->k, x);
  if (!rc) ns_couplings_output(o->f, x_of_relations(o), o->lambda, o->y);
  if (brief || o->alone)
    o->s.report.penetration = ns_row_problem_violation(&o->p.p, o->lambda, o->y);
  if (!rc && !brief && o->bodies)
    rc = ns_rigid_conclude(o->bodies, c, rec && ns_contacts_recorded(o->s.m));
  return rc ? rc : ns_theta_commit(o->osi, c, x, o->impulse, o->input);
}

static int commit(void *self, ns_ctx *c, ns_recorder *rec) { return commit_step(self, c, rec, 0); }

/* Where one pass makes the step and nothing else has a say in it: the driver's step without its
 * questions. */
static int step(void *self, ns_ctx *c, ns_recorder *rec)
{
  stepping *o = self;
  const ns_model *m = o->s.m;
  ns_state *x = o->s.x;
  ns_outcome out;
  if (!o->alone || !o->s.one_pass || o->s.controls || m->values)
    return ns_time_stepping_step(self, c, rec);
  o->s.t1 = m->sim.t0 + (double)(*x->step + 1) * o->s.h;
  int rc = begin_step(o, c, 1);
  if (!rc) rc = linearise(o, c, 1, 0, 1);
  if (!rc) rc = solve_problem(o, c, &out);
  if (!rc && out.kind != NS_SOLVED && !ns_accept_unsolved(c, m, x, &out)) rc = unsolved(o, c, &out);
  if (rc) return rc;
  iterate(o, 1);
  rc = commit_step(o, c, rec, 1);
  if (rc) return rc;
  ns_step_report *r = x->report;
  r->newton = 1;
  r->newton_residual = 0;
  r->iterations = out.iterations;
  r->residual = out.residual;
  r->penetration = o->s.report.penetration;
  r->unsolved = out.kind != NS_SOLVED;
  *x->step += 1;
  rc = accept_step(o, c, rec, 1);
  ns_certify_passes(x, r);
  return rc;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

static int savable(const void *self)
{
  return ns_step_problem_memory(&((const stepping *)self)->p) != NULL;
}

static void save(const void *self, ns_blob *b)
{
  const stepping *o = self;
  ns_blob_put_reals(b, o->history.before, (size_t)o->nL);
  ns_blob_put_reals(b, o->f->offset, (size_t)o->nF);
  ns_contacts_save(o->k, b);
  if (o->bodies) ns_th_save_slots(o, b);
  if (o->bodies && o->bodies->contacts) ns_rigid_contacts_save(o->bodies->contacts, b);
  ns_theta_save(o->osi, b);
  ns_step_problem_memory(&o->p)->save(o->p.p.solver.self, b);
  if (o->active) ns_step_problem_memory(&o->p)->save(o->active->solver.self, b);
}

static int restore_bodies(stepping *o, ns_ctx *c, ns_blob *b)
{
  int rc = ns_th_restore_slots(o, c, b);
  if (rc || !o->bodies->contacts) return rc;
  return ns_rigid_contacts_restore(o->bodies->contacts, c, b);
}

/* What follows from the state, which stays as it was saved: where a run starts, quaternions become
 * unit ones and energies are set. */
static int follow_state(stepping *o, ns_ctx *c)
{
  ns_state *x = o->s.x;
  void *kept = malloc(x->bytes);
  if (!kept) return ns_nomem(c, "checkpoint");
  memcpy(kept, x->block, x->bytes);
  int rc = begin_run(o, c, *x->step == 0);
  memcpy(x->block, kept, x->bytes);
  free(kept);
  return rc;
}

static void restore(void *self, ns_blob *b)
{
  stepping *o = self;
  ns_ctx c = {0};
  int rc = o->alone ? NS_OK : follow_state(o, &c);
  ns_blob_get_reals(b, o->history.before, (size_t)o->nL);
  ns_blob_get_reals(b, o->f->offset, (size_t)o->nF);
  ns_contacts_restore(o->k, b);
  if (!rc && o->bodies) rc = restore_bodies(o, &c, b);
  ns_theta_restore(o->osi, b);
  if (rc) b->failed = rc;
  else ns_step_problem_memory(&o->p)->restore(o->p.p.solver.self, b);
  if (!rc && o->active) ns_step_problem_memory(&o->p)->restore(o->active->solver.self, b);
}

static const ns_contact_record *contact_records(const void *self, size_t *n)
{
  const stepping *o = self;
  *n = 0;
  return o->bodies ? ns_rigid_records(o->bodies, n) : NULL;
}

static const ns_step_ops steps = {.size = sizeof(stepping),
                                  .create = fill,
                                  .destroy = destroy,
                                  .restart = restart,
                                  .take_laws = take_laws,
                                  .begin = begin,
                                  .solve = solve,
                                  .advance = advance,
                                  .unsolved = unsolved,
                                  .diverged = diverged,
                                  .retry = retry,
                                  .solved = solved,
                                  .project = project,
                                  .commit = commit,
                                  .accept = accept};

const ns_strategy_ops ns_first_order_stepping = {NS_TIME_STEPPING(step),
                                                 .help = "fixed steps, laws at their end",
                                                 .family = NS_FAMILY_FIRST_ORDER,
                                                 .start = start,
                                                 .savable = savable,
                                                 .save = save,
                                                 .restore = restore,
                                                 .steps = &steps};

const ns_strategy_ops ns_mixed_stepping = {
    NS_TIME_STEPPING(ns_time_stepping_step),
    .help = "event-capturing: fixed steps, impacts inside them; systems of several kinds",
    .family = NS_FAMILY_MIXED,
    .start = start,
    .contacts = contact_records,
    .savable = savable,
    .save = save,
    .restore = restore,
    .steps = &steps};
