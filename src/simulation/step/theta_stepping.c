/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/theta_stepping.h"

#include "simulation/step/failure.h"
#include "simulation/step/theta_parts.h"

#include <math.h>
#include <string.h>

typedef ns_theta_stepping stepping;

/* Parts of the short step below, in which they have few instructions. Some have the argument
 * `brief`: 1 there, where first-order systems are alone and one pass makes the step; what that
 * excludes is not asked. */
#define ns_in_step inline __attribute__((always_inline))

/* ---- one linearisation ----------------------------------------------------------------------- */

/* Positions and states where relations are evaluated. */
static ns_in_step const double *x_of_relations(const stepping *o)
{
  double a = o->view.where;
  if (a == 1) return o->view.q;
  for (size_t i = 0; i < o->s.m->nq; i++) o->at_x[i] = (1 - a) * o->s.x->q[i] + a * o->view.q[i];
  return o->at_x;
}

ns_relation_point ns_th_at_iterate(const stepping *o)
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
    ns_relation_point at = ns_th_at_iterate(o);
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
  ns_relation_point at = ns_th_at_iterate(o);
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

/* Rows of mechanics do not follow the iterate: the impulses of a part of a pass are that part of
 * its impulses, and so are inputs and outputs of relations. */
static int may_shorten(const stepping *o)
{
  return !o->nread && !o->bodies && !o->k->nmoving && !o->k->compliant;
}

static void keep_from(stepping *o)
{
  memcpy(o->from, o->u, o->s.m->nv * sizeof *o->from);
  memcpy(o->impulse_from, o->impulse, o->s.m->nv * sizeof *o->impulse);
  memcpy(o->lambda_from, o->lambda, (size_t)o->nF * sizeof *o->lambda);
  memcpy(o->w_from, o->w_last, (size_t)o->nF * sizeof *o->w_from);
  ns_couplings_keep_input(o->f);
}

/* Half of the way back to where the pass came from. */
static int go_half_back(stepping *o, ns_ctx *c, double *residual)
{
  for (size_t i = 0; i < o->s.m->nv; i++) {
    o->free[i] = (o->u[i] + o->from[i]) / 2;
    o->impulse[i] = (o->impulse[i] + o->impulse_from[i]) / 2;
  }
  for (int r = 0; r < o->nF; r++) {
    o->lambda[r] = (o->lambda[r] + o->lambda_from[r]) / 2;
    o->p.w[o->nL + r] = (o->p.w[o->nL + r] + o->w_from[r]) / 2;
  }
  if (!o->alone) memcpy(o->unknowns, o->free, o->s.m->nv * sizeof *o->free);
  ns_theta_set(o->osi, o->free);
  ns_couplings_halve_input(o->f, o->lambda, o->input);
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
  memcpy(o->w_last, o->p.w + o->nL, (size_t)o->nF * sizeof *o->w_last);
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
  ns_relation_point at = ns_th_at_iterate(o);
  if (o->f->offset_varies) rc = ns_couplings_offsets(o->f, c, &at, 0);
  return rc || linear ? rc : ns_couplings_values(o->f, c, &at);
}

static int begin(void *self, ns_ctx *c) { return begin_step(self, c, 0); }

/* Positions of bodies to their constraints. */
static int project(void *self, ns_ctx *c, int *again)
{
  stepping *o = self;
  int moved = 0, rc = o->bodies ? ns_rigid_project(o->bodies, c, &o->s, &moved, again) : NS_OK;
  if (!rc && moved) ns_theta_moved(o->osi);
  return rc;
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
static ns_in_step int commit_step(stepping *o, ns_ctx *c, int brief)
{
  ns_state *x = o->s.x;
  int moves = !brief && o->k->nmoving, works = !brief && !o->alone && !o->k->plain,
      rc = moves ? ns_contacts_foresee(o->k, c, x, o->view.q, o->view.v) : NS_OK;
  if (!rc && works) ns_contacts_before(o->k, x);
  if (!rc) ns_couplings_output(o->f, x_of_relations(o), o->lambda, o->y);
  if (brief || o->alone)
    o->s.report.penetration = ns_row_problem_violation(&o->p.p, o->lambda, o->y);
  if (!rc && !brief && o->bodies) rc = ns_rigid_conclude(o->bodies, c, &o->s);
  return rc ? rc : ns_theta_commit(o->osi, c, x, o->impulse, o->input);
}

static int commit(void *self, ns_ctx *c, ns_recorder *rec)
{
  (void)rec;
  return commit_step(self, c, 0);
}

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
  if (!rc && out.kind != NS_SOLVED && !ns_accept_unsolved(c, m, x, &out))
    rc = ns_th_unsolved(o, c, &out);
  if (rc) return rc;
  iterate(o, 1);
  rc = commit_step(o, c, 1);
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

/* ---- operations ------------------------------------------------------------------------------ */

static const ns_contact_record *contact_records(const void *self, size_t *n)
{
  const stepping *o = self;
  *n = 0;
  return o->bodies ? ns_rigid_records(o->bodies, n) : NULL;
}

static const ns_step_ops steps = {.size = sizeof(stepping),
                                  .create = ns_th_create,
                                  .destroy = ns_th_destroy,
                                  .restart = ns_th_restart,
                                  .take_laws = take_laws,
                                  .begin = begin,
                                  .solve = solve,
                                  .advance = advance,
                                  .unsolved = ns_th_unsolved,
                                  .diverged = ns_th_diverged,
                                  .retry = retry,
                                  .solved = solved,
                                  .project = project,
                                  .commit = commit,
                                  .accept = accept};

const ns_strategy_ops ns_first_order_stepping = {
    NS_TIME_STEPPING(step),          .help = "fixed steps, laws at their end",
    .family = NS_FAMILY_FIRST_ORDER, .start = ns_th_start,
    .savable = ns_th_savable,        .save = ns_th_save,
    .restore = ns_th_restore,        .steps = &steps};

const ns_strategy_ops ns_mixed_stepping = {
    NS_TIME_STEPPING(ns_time_stepping_step),
    .help = "event-capturing: fixed steps, impacts inside them; systems of several kinds",
    .family = NS_FAMILY_MIXED,
    .start = ns_th_start,
    .contacts = contact_records,
    .savable = ns_th_savable,
    .save = ns_th_save,
    .restore = ns_th_restore,
    .steps = &steps};
