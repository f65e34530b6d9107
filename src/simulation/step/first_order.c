/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/first_order.h"

#include "model/check/diagnose.h"
#include "model/law_values.h"
#include "model/laws/problem.h"
#include "simulation/record/law_events.h"
#include "simulation/rows/active_rows.h"
#include "simulation/rows/couplings.h"
#include "simulation/rows/step_problem.h"
#include "simulation/step/failure.h"
#include "simulation/step/initial_input.h"
#include "simulation/step/stepper.h"
#include "simulation/step/time_stepping.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct first_order {
  ns_time_stepping s;
  ns_theta *osi;
  ns_theta_view view;
  ns_couplings *k;
  ns_step_problem p;
  ns_active_rows *active; /* NULL: all rows always take part */
  int stale;              /* S is not that of the iterate: the rows that act did without */
  int systems_linear;
  double t_rel;         /* when relations are evaluated */
  double *xp;           /* x without the new multipliers; in saddle-point form b_u [nq] */
  double *xrel, *move;  /* where relations are evaluated; where * (change of x) [nq] */
  double *r;            /* input [nq] */
  double *lambda, *was; /* of the iterate, and of the one before [nrows] */
  double *y;            /* [nrows] */
} first_order;

/* ---- creation -------------------------------------------------------------------------------- */

static void destroy(void *self)
{
  first_order *o = self;
  ns_active_rows_destroy(o->active);
  ns_step_problem_fini(&o->p);
  ns_couplings_destroy(o->k);
  ns_theta_destroy(o->osi);
}

static int check_integrator(const first_order *o, ns_ctx *c)
{
  char at[512];
  const char *want = o->s.m->sim.integrator;
  for (const ns_theta_scheme *k = ns_theta_schemes; k->name; k++)
    if (!strcmp(k->name, want)) return NS_OK;
  return ns_fail(
      c, NS_MODEL,
      "%s: there is no integrator \"%s\" for first-order systems; `nssim list schemes` lists them",
      ns_place_text(&o->s.m->sim.at, at, sizeof at), want);
}

static int get_memory(first_order *o, ns_ctx *c)
{
  double **state[] = {&o->xp, &o->xrel, &o->move, &o->r}, **row[] = {&o->lambda, &o->was, &o->y};
  int rc = ns_time_stepping_vectors(&o->s, c, o->s.m->nq, sizeof state / sizeof *state, state);
  return rc ? rc : ns_time_stepping_vectors(&o->s, c, o->s.m->nrows, sizeof row / sizeof *row, row);
}

static const char *kernel(const first_order *o)
{
  if (o->p.head) return "saddle-point form, sparse: state and multipliers in one problem";
  if (o->s.m->nrows == 0) return "none";
  if (o->active) return "active rows: multipliers only";
  return o->p.p.dense ? "dense: multipliers only" : "block-sparse: multipliers only";
}

static void describe(const first_order *o, const ns_integrator_info *i, ns_plan *plan)
{
  size_t n = o->s.m->nrows;
  *plan = (ns_plan){.strategy = ns_first_order_stepping.name,
                    .integrator = o->s.m->sim.integrator,
                    .problem = n ? ns_model_problem(o->s.m) : "none",
                    .solver = o->p.head ? o->p.p.solver_name : o->s.m->sim.osnsp.solver,
                    .solver_note = n ? ns_step_problem_note(&o->p)
                                     : "no interaction: nothing to solve",
                    .storage = n == 0         ? "none"
                               : o->p.p.dense ? "dense"
                               : o->p.head    ? "sparse"
                                              : "block-sparse",
                    .rows = o->p.p.nrows,
                    .nnz = n ? (size_t)o->p.p.A->row[o->p.p.nrows] : 0,
                    .systems_diagonal = i->diagonal,
                    .systems_dense = i->dense,
                    .systems_nonlinear = i->nonlinear,
                    .systems_differenced = i->differenced,
                    .relations_differenced = o->k->differenced,
                    .linear = i->linear && o->k->linear,
                    .state_bytes = o->s.x->bytes,
                    .work_bytes = i->bytes + ns_couplings_bytes(o->k) +
                                  ns_step_problem_bytes(&o->p) + ns_active_rows_bytes(o->active),
                    .kernel = kernel(o)};
}

static int make(first_order *o, ns_ctx *c)
{
  const ns_model *m = o->s.m;
  int saddle = ns_step_problem_suits_saddle(m);
  int rc = saddle ? ns_theta_create_sparse(c, m, &o->osi)
                  : ns_theta_create(c, m, NULL, NULL, &o->osi);
  if (!rc) o->view = ns_theta_look(o->osi);
  if (!rc) rc = ns_couplings_create(c, m, &o->k);
  if (!rc) rc = ns_step_problem_relations(&o->p, c, o->k, o->osi, saddle);
  if (!rc) rc = ns_active_rows_create(c, m, o->k, &o->p, &o->active);
  if (!rc) rc = get_memory(o, c);
  return rc;
}

static int fill(void *self, ns_ctx *c, ns_plan *plan)
{
  first_order *o = self;
  ns_integrator_info info;
  int rc = check_integrator(o, c);
  if (!rc) rc = make(o, c);
  if (rc) return rc;
  ns_theta_info(o->osi, &info);
  o->systems_linear = info.linear;
  o->s.one_pass = info.linear && o->k->linear;
  o->s.unscaled = 1;
  describe(o, &info, plan);
  return NS_OK;
}

/* ---- the initial state ----------------------------------------------------------------------- */

/* Multipliers and input at t0, for schemes that read the input of the step before. */
static int begin_with_input(first_order *o, ns_ctx *c)
{
  const ns_euler_moreau_options *em = &o->s.m->sim.em;
  if (!(em->gamma < 1) || em->full || !o->s.m->nrows) return NS_OK;
  return ns_initial_input(c, o->k, o->s.x, o->s.x->lambda);
}

static int start(void *self, ns_ctx *c)
{
  first_order *o = self;
  ns_state *x = o->s.x;
  ns_relation_point at = {.t = *x->t, .x = x->q, .z = x->z, .lambda = x->lambda};
  int rc = ns_couplings_offsets(o->k, c, &at, 1), changed = 0;
  if (rc || *x->step > 0) return rc ? rc : ns_theta_start(o->osi, c, x, 0);
  rc = begin_with_input(o, c);
  if (!rc) rc = ns_couplings_values(o->k, c, &at);
  if (!rc) rc = ns_couplings_tangents(o->k, c, &at, 1, &changed);
  if (rc) return rc;
  ns_couplings_output(o->k, x->q, x->lambda, x->y);
  memset(o->move, 0, o->s.m->nq * sizeof *o->move);
  ns_couplings_input(o->k, x->lambda, x->lambda, o->move, x->p);
  return ns_theta_start(o->osi, c, x, 1);
}

/* As at the begin of a run: rates of the new state, with the input as it is. Steps see themselves
 * that z is another one. */
static int restart(void *self, ns_ctx *c, int set)
{
  first_order *o = self;
  if (!set) return NS_OK;
  ns_state *x = o->s.x;
  ns_relation_point at = {.t = *x->t, .x = x->q, .z = x->z, .lambda = x->lambda};
  long long step = *x->step;
  int rc = ns_couplings_offsets(o->k, c, &at, 1);
  *x->step = 0;
  if (!rc) rc = ns_theta_start(o->osi, c, x, 0);
  *x->step = step;
  return rc;
}

/* ---- one linearisation ----------------------------------------------------------------------- */

/* out = (1 - where) x_k + where x */
static const double *blend(const first_order *o, const double *x, double *out)
{
  double a = o->view.where, b = 1 - a;
  if (b == 0) return x;
  for (size_t i = 0; i < o->s.m->nq; i++) out[i] = b * o->s.x->q[i] + a * x[i];
  return out;
}

/* out = where (to - from) */
static void moved(const first_order *o, const double *from, const double *to, double *out)
{
  for (size_t i = 0; i < o->s.m->nq; i++) out[i] = o->view.where * (to[i] - from[i]);
}

static ns_relation_point relation_point(first_order *o)
{
  return (ns_relation_point){
      .t = o->t_rel, .x = blend(o, o->view.q, o->xrel), .z = o->s.x->z, .lambda = o->lambda};
}

/* The matrix of the problem. */
static int refresh(first_order *o, ns_ctx *c)
{
  int rc = ns_couplings_need(o->k, c, o->p.n, o->p.active);
  if (!rc) ns_step_problem_assemble(&o->p);
  o->stale = 0;
  return rc;
}

/* W, tangents, and the matrix of the problem where one of them has changed. */
static inline int linearise(first_order *o, ns_ctx *c, int first)
{
  int changed = 0, W = 0, rc = NS_OK;
  if (!o->k->constant) {
    ns_relation_point at = relation_point(o);
    rc = ns_couplings_tangents(o->k, c, &at, first, &changed);
  }
  if (!rc) rc = ns_theta_linearise(o->osi, c, o->k->K, o->k->nK, &W);
  if (!rc) ns_theta_free(o->osi, NULL, o->xp);
  if (o->active) o->stale = 1;
  if (rc || o->active || !(changed || W)) return rc;
  return refresh(o, c);
}

static inline void assemble(first_order *o)
{
  size_t nq = o->s.m->nq;
  if (o->p.head) {
    ns_step_problem_set_head(&o->p, o->xp, o->view.q);
    for (size_t i = 0; i < nq; i++) o->xp[i] = 0;
  } else if (!o->k->linear) {
    memset(o->r, 0, nq * sizeof *o->r);
    ns_couplings_surplus(o->k, o->lambda, o->r);
    ns_theta_push(o->osi, o->r, o->xp);
    moved(o, o->view.q, o->xp, o->move);
  }
  ns_couplings_q(o->k, blend(o, o->xp, o->xrel), o->move, o->lambda, o->p.b);
  memcpy(o->p.z, o->lambda, o->s.m->nrows * sizeof *o->lambda);
}

/* The next iterate from the solution. */
static inline void iterate(first_order *o)
{
  size_t n = o->s.m->nrows;
  const double *z = o->p.z, *next = o->xp;
  ns_step_problem_apply(&o->p, o->xp);
  if (!o->k->linear) {
    moved(o, o->view.q, next, o->move);
    memcpy(o->was, o->lambda, n * sizeof *o->was);
  }
  ns_theta_set(o->osi, next);
  memcpy(o->lambda, z, n * sizeof *z);
  ns_couplings_input(o->k, o->lambda, o->was, o->move, o->r);
}

/* ---- passes of Newton's method --------------------------------------------------------------- */

/* Where the iterate is. */
static ns_moment moment(const first_order *o)
{
  const ns_state *x = o->s.x;
  return (ns_moment){.from = *x->t,
                     .t = o->t_rel,
                     .q = o->view.q,
                     .v = x->v,
                     .z = x->z,
                     .lambda = o->lambda,
                     .q0 = x->q};
}

/* Where a problem is not finite: what makes it so, or the row that says so first. */
static int not_finite(const first_order *o, ns_ctx *c)
{
  char numbers[40];
  ns_moment at = moment(o);
  for (int r = 0; r < o->k->nrows; r++) {
    double q = o->p.b[r];
    if (isfinite(q)) continue;
    snprintf(numbers, sizeof numbers, "y = %g", q);
    return ns_fail_row(c, o->s.m, &at, (size_t)r, numbers);
  }
  return NS_OK;
}

static int unsolved(void *self, ns_ctx *c, const ns_outcome *out)
{
  const first_order *o = self;
  int rc = not_finite(o, c);
  if (rc) return rc;
  const ns_step_problem *p = &o->p;
  ns_suspect worst = {0};
  for (int r = 0; r < o->k->nrows; r++) {
    const ns_interaction *it = &o->s.m->interactions[o->k->interaction[r]];
    double part = p->p.solver.poly ? fabs(p->w[r])
                                   : ns_law_distance(p->z[r], p->w[r], p->lb[r], p->ub[r]);
    ns_suspect_row(&worst, it, r - (int)it->row, part);
  }
  ns_unsolved_problem said = {.problem = ns_model_problem(o->s.m),
                              .rows = p->p.nrows,
                              .t = *o->s.x->t,
                              .tolerance = o->s.m->sim.osnsp.tol,
                              .worst = worst.at,
                              .what = worst.what,
                              .fault = worst.fault,
                              .look_for = "laws that contradict each other",
                              .whose = ""};
  return ns_fail_unsolved(c, o->s.m, &said, out);
}

/* The rows that act alone. 1: they were enough. */
static inline int solve_active(first_order *o, ns_ctx *c, ns_outcome *out, int *rc)
{
  if (!o->active) return 0;
  *rc = ns_active_rows_solve(o->active, c, out);
  if (*rc) return 1;
  if (out->kind != NS_SOLVED) return 0;
  ns_shown shown = {.box = &o->active->avi, .guess = o->active->guess};
  if (o->s.w && o->active->n) o->s.w->problem(o->s.w->to, *o->s.x->step, *o->s.x->t, &shown, out);
  return 1;
}

static inline int solve_problem(first_order *o, ns_ctx *c, ns_outcome *out)
{
  int rc = NS_OK;
  if (solve_active(o, c, out, &rc)) return rc;
  if (o->stale) rc = refresh(o, c);
  return rc ? rc : ns_step_problem_solve(&o->p, c, o->s.x, o->s.w, out);
}

static int solve(void *self, ns_ctx *c, ns_pass *p)
{
  first_order *o = self;
  int rc = linearise(o, c, p->number == 1);
  if (rc) return rc;
  assemble(o);
  return solve_problem(o, c, &p->out);
}

/* h and g at the new iterate, and how far the linearisation is from them. */
static int advance(void *self, ns_ctx *c, ns_pass *p)
{
  first_order *o = self;
  int rc = NS_OK;
  double of_relations = 0;
  p->residual = 0;
  iterate(o);
  if (!o->k->linear) {
    ns_relation_point at = relation_point(o);
    rc = ns_couplings_values(o->k, c, &at);
    of_relations = ns_couplings_residual(o->k, &at, o->p.w);
  }
  if (!rc && !o->systems_linear) rc = ns_theta_residual(o->osi, c, NULL, o->r, &p->residual, NULL);
  if (of_relations > p->residual || isnan(of_relations)) p->residual = of_relations;
  return rc;
}

/* Newton's method has come to its end without an iterate that solves the step. */
static int diverged(void *self, ns_ctx *c, double residual)
{
  first_order *o = self;
  ns_moment at = moment(o);
  ns_suspect w = {0};
  double again;
  int rc = isnan(residual) ? ns_fail_function(c, o->s.m, &at) : NS_OK;
  if (!rc) rc = ns_fail_coordinate(c, o->s.m, &at);
  if (!rc && !o->systems_linear) rc = ns_theta_residual(o->osi, c, NULL, o->r, &again, &w);
  if (rc) return rc;
  ns_relation_point p = relation_point(o);
  if (!o->k->linear) ns_couplings_suspects(o->k, &p, o->p.w, &w);
  return ns_fail_newton(c, o->s.m, *o->s.x->t, residual, &w, o->s.m->sim.ts.newton_max);
}

/* ---- the step -------------------------------------------------------------------------------- */

static inline int begin(void *self, ns_ctx *c)
{
  first_order *o = self;
  int rc = ns_theta_begin(o->osi, c, o->s.x, o->s.t1, o->s.h); /* sees that z is another one */
  if (rc) return rc;
  o->t_rel = ns_theta_time(o->osi);
  memcpy(o->lambda, o->s.x->lambda, o->s.m->nrows * sizeof *o->lambda);
  if (!o->k->offset_varies && o->k->linear) return NS_OK;
  ns_relation_point at = relation_point(o);
  if (o->k->offset_varies) rc = ns_couplings_offsets(o->k, c, &at, 0);
  return rc || o->k->linear ? rc : ns_couplings_values(o->k, c, &at);
}

/* What rounding makes of multipliers in this problem. */
static double rounding_level(const void *self)
{
  const first_order *o = self;
  double level = o->stale ? ns_active_rows_level(o->active) : ns_step_problem_level(&o->p);
  return 64 * DBL_EPSILON * level;
}

/* Bounds of the step. */
static int renew_laws(void *self, ns_ctx *c)
{
  first_order *o = self;
  int rc = ns_law_values_step(o->s.m, c, o->s.x, o->s.h);
  ns_laws_bounds(o->s.m, 1, o->p.lb, o->p.ub);
  ns_row_problem_gather(&o->p.p, NULL);
  return rc;
}

/* y comes from the relations at the accepted iterate, while the state is still x_k. */
static inline int commit(void *self, ns_ctx *c, ns_recorder *rec)
{
  first_order *o = self;
  (void)rec;
  ns_couplings_output(o->k, blend(o, o->view.q, o->xrel), o->lambda, o->y);
  o->s.report.penetration = ns_row_problem_violation(&o->p.p, o->lambda, o->y);
  return ns_theta_commit(o->osi, c, o->s.x, NULL, o->r);
}

/* lambda of the step to the state; counts the rows that are not at a bound. Events to rec. */
static inline int accept(void *self, ns_ctx *c, ns_recorder *rec)
{
  first_order *o = self;
  ns_law_rows rows = {.n = o->k->nrows,
                      .interaction = o->k->interaction,
                      .lambda = o->lambda,
                      .lb = o->p.lb,
                      .ub = o->p.ub,
                      .level = rounding_level,
                      .of = o};
  memcpy(o->s.x->y, o->y, o->s.m->nrows * sizeof *o->s.x->y);
  int between, rc = ns_law_events(o->s.m, c, o->s.x, &rows, rec, &between);
  o->s.x->report->active = between;
  return rc;
}

/* Where one pass makes the step and nothing else has a say in it: the driver's step without its
 * questions. */
static int step(void *self, ns_ctx *c, ns_recorder *rec)
{
  first_order *o = self;
  const ns_model *m = o->s.m;
  ns_state *x = o->s.x;
  ns_outcome out;
  if (!o->s.one_pass || o->s.controls || m->values) return ns_time_stepping_step(self, c, rec);
  o->s.t1 = m->sim.t0 + (double)(*x->step + 1) * o->s.h;
  int rc = begin(o, c);
  if (!rc) rc = linearise(o, c, 1);
  if (rc) return rc;
  assemble(o);
  rc = solve_problem(o, c, &out);
  if (!rc && out.kind != NS_SOLVED && !ns_accept_unsolved(c, m, x, &out)) rc = unsolved(o, c, &out);
  if (rc) return rc;
  iterate(o);
  rc = commit(o, c, rec);
  if (rc) return rc;
  ns_step_report *r = x->report;
  r->newton = 1;
  r->newton_residual = 0;
  r->iterations = out.iterations;
  r->residual = out.residual;
  r->penetration = o->s.report.penetration;
  r->unsolved = out.kind != NS_SOLVED;
  *x->step += 1;
  rc = accept(o, c, rec);
  ns_certify_passes(x, r);
  return rc;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

static const ns_memory *solver_memory(const first_order *o)
{
  return ns_step_problem_memory(&o->p);
}

static int savable(const void *self)
{
  const first_order *o = self;
  return solver_memory(o) != NULL;
}

static void save(const void *self, ns_blob *b)
{
  const first_order *o = self;
  ns_blob_put_reals(b, o->k->offset, o->s.m->nrows);
  solver_memory(o)->save(o->p.p.solver.self, b);
  if (o->active) solver_memory(o)->save(o->active->solver.self, b);
  ns_theta_save(o->osi, b);
}

static void restore(void *self, ns_blob *b)
{
  first_order *o = self;
  ns_blob_get_reals(b, o->k->offset, o->s.m->nrows);
  solver_memory(o)->restore(o->p.p.solver.self, b);
  if (o->active) solver_memory(o)->restore(o->active->solver.self, b);
  ns_theta_restore(o->osi, b);
}

const ns_strategy_ops ns_first_order_stepping = {
    NS_TIME_STEPPING(step),
    .help = "fixed steps, laws at their end",
    .family = NS_FAMILY_FIRST_ORDER,
    .start = start,
    .savable = savable,
    .save = save,
    .restore = restore,
    .steps = &(const ns_step_ops){.size = sizeof(first_order),
                                  .create = fill,
                                  .destroy = destroy,
                                  .restart = restart,
                                  .renew_laws = renew_laws,
                                  .begin = begin,
                                  .solve = solve,
                                  .advance = advance,
                                  .unsolved = unsolved,
                                  .diverged = diverged,
                                  .commit = commit,
                                  .accept = accept}};
