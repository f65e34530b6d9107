/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/first_order.h"

#include "model/diagnose.h"
#include "model/law_values.h"
#include "model/laws/problem.h"
#include "simulation/active_rows.h"
#include "simulation/controls.h"
#include "simulation/couplings.h"
#include "simulation/failure.h"
#include "simulation/initial_input.h"
#include "simulation/law_events.h"
#include "simulation/law_problem.h"
#include "simulation/unreduced.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct first_order {
  const ns_model *m;
  ns_state *x;
  const ns_rate_ops *ops;
  void *osi;
  ns_couplings *k;
  ns_unreduced *u;      /* NULL: reduced problem */
  ns_law_problem *p;
  ns_active_rows *active; /* NULL: all rows always take part */
  int stale;              /* S is not that of the iterate: the rows that act did without */
  ns_controls *controls; /* NULL: none */
  double h;
  int one_pass, newton_max;
  int systems_linear;
  ns_rate_point at;     /* of the step */
  double *iterate;      /* the integrator's [nq] */
  double *xp;           /* x without the new multipliers [nq]; unreduced: b */
  double *xrel, *move;  /* where relations are evaluated; where * (change of x) [nq] */
  double *r;            /* input [nq] */
  double *lambda, *was; /* of the iterate, and of the one before [nrows] */
  double *y;            /* [nrows] */
  const ns_watch *w;    /* NULL: nobody looks at problems */
} first_order;

/* ---- creation ------------------------------------------------------------------------------------ */

static void destroy(void *self)
{
  first_order *o = self;
  if (!o) return;
  ns_active_rows_destroy(o->active);
  ns_law_problem_destroy(o->p);
  ns_unreduced_destroy(o->u);
  ns_couplings_destroy(o->k);
  ns_controls_destroy(o->controls);
  if (o->ops) o->ops->destroy(o->osi);
  free(o->xp);
  free(o);
}

static int find_integrator(first_order *o, ns_ctx *c)
{
  char at[512];
  const char *want = o->m->sim.integrator;
  o->ops = ns_rate_integrator_find(want);
  if (o->ops) return NS_OK;
  return ns_fail(c, NS_MODEL, "%s: there is no integrator \"%s\" for first-order systems; "
                 "`nssim list schemes` names them", ns_place_text(&o->m->sim.at, at, sizeof at), want);
}

static int get_memory(first_order *o, ns_ctx *c)
{
  size_t nq = o->m->nq, n = o->m->nrows;
  o->xp = calloc(4 * nq + 3 * n + 1, sizeof *o->xp);
  if (!o->xp) return ns_nomem(c, "time-stepping");
  o->xrel = o->xp + nq;
  o->move = o->xrel + nq;
  o->r = o->move + nq;
  o->lambda = o->r + nq;
  o->was = o->lambda + n;
  o->y = o->was + n;
  return NS_OK;
}

static const char *kernel(const first_order *o)
{
  if (o->u) return "unreduced sparse: state and multipliers in one problem";
  if (o->m->nrows == 0) return "none";
  if (o->active) return "rows that act: multipliers alone";
  return o->p->dense ? "dense: multipliers alone" : "block-sparse: multipliers alone";
}

static void describe(const first_order *o, const ns_integrator_info *i, ns_plan *plan)
{
  size_t n = o->m->nrows;
  *plan = (ns_plan){.strategy = ns_first_order_stepping.name,
                    .integrator = o->ops->name,
                    .problem = n ? ns_model_problem(o->m) : "none",
                    .solver = o->u ? ns_unreduced_solver(o->m) : o->m->sim.osnsp.solver,
                    .solver_note = n ? ns_law_problem_solver_note(o->p) : "no interaction: nothing to solve",
                    .storage = n == 0 ? "none" : o->p->dense ? "dense" : o->u ? "sparse" : "block-sparse",
                    .rows = o->p->n,
                    .nnz = n ? (size_t)o->p->S->row[o->p->n] : 0,
                    .systems_diagonal = i->diagonal,
                    .systems_dense = i->dense,
                    .systems_nonlinear = i->nonlinear,
                    .systems_differenced = i->differenced,
                    .relations_differenced = o->k->differenced,
                    .linear = i->linear && o->k->linear,
                    .state_bytes = o->x->bytes,
                    .work_bytes = i->bytes + ns_couplings_bytes(o->k) + ns_law_problem_bytes(o->p) +
                                  ns_active_rows_bytes(o->active) +
                                  ns_controls_bytes(o->controls) +
                                  (4 * o->m->nq + 3 * n) * sizeof(double),
                    .kernel = kernel(o)};
}

static int fill(first_order *o, ns_ctx *c)
{
  const ns_model *m = o->m;
  int unreduced = ns_unreduced_suits(m, o->ops);
  int rc = o->ops->create(c, m, unreduced, &o->osi);
  if (!rc) rc = ns_couplings_create(c, m, o->ops, o->osi, !unreduced, &o->k);
  if (!rc && unreduced) rc = ns_unreduced_create(c, o->k, &o->u);
  if (!rc && unreduced) rc = ns_law_problem_create(c, m, (int)m->nq, &o->u->M, ns_unreduced_solver(m), &o->p);
  if (!rc && !unreduced) rc = ns_law_problem_create(c, m, 0, &o->k->S, m->sim.osnsp.solver, &o->p);
  if (!rc) rc = ns_active_rows_create(c, m, o->k, o->p, &o->active);
  if (!rc) rc = ns_controls_create(c, m, &o->controls);
  if (!rc) rc = get_memory(o, c);
  return rc;
}

static int create(ns_ctx *c, const ns_model *m, ns_state *x, ns_plan *plan, void **self)
{
  first_order *o = *self = calloc(1, sizeof *o);
  if (!o) return ns_nomem(c, "time-stepping");
  *o = (first_order){.m = m, .x = x, .h = m->sim.ts.h, .newton_max = m->sim.ts.newton_max};
  ns_integrator_info info;
  int rc = find_integrator(o, c);
  if (!rc) rc = fill(o, c);
  if (rc) {
    destroy(o);
    *self = NULL;
    return rc;
  }
  o->ops->info(o->osi, &info);
  o->systems_linear = info.linear;
  o->one_pass = (info.linear && o->k->linear) || m->sim.ts.newton_linear;
  o->iterate = o->ops->iterate(o->osi);
  describe(o, &info, plan);
  return NS_OK;
}

/* ---- the initial state ------------------------------------------------------------------------------ */

/* Multipliers and input at t0, for schemes that read the input of the step before. */
static int begin_with_input(first_order *o, ns_ctx *c)
{
  const ns_euler_moreau_options *em = &o->m->sim.em;
  if (!(em->gamma < 1) || em->full || !o->m->nrows) return NS_OK;
  return ns_initial_input(c, o->k, o->u, o->p, o->x, o->x->lambda);
}

static int start(void *self, ns_ctx *c)
{
  first_order *o = self;
  ns_state *x = o->x;
  ns_relation_point at = {.t = *x->t, .x = x->q, .z = x->z, .lambda = x->lambda};
  int rc = ns_couplings_offsets(o->k, c, &at, 1), changed = 0;
  if (rc || *x->step > 0) return rc ? rc : o->ops->start(o->osi, c, x);
  rc = begin_with_input(o, c);
  if (!rc) rc = ns_couplings_values(o->k, c, &at);
  if (!rc) rc = ns_couplings_tangents(o->k, c, &at, 1, &changed);
  if (rc) return rc;
  ns_couplings_output(o->k, x->q, x->lambda, x->y);
  memset(o->move, 0, o->m->nq * sizeof *o->move);
  ns_couplings_input(o->k, x->lambda, x->lambda, o->move, x->p);
  return o->ops->start(o->osi, c, x);
}

/* As at the begin of a run: rates of the new state, with the input as it is. */
static int changed(void *self, ns_ctx *c)
{
  first_order *o = self;
  ns_state *x = o->x;
  ns_relation_point at = {.t = *x->t, .x = x->q, .z = x->z, .lambda = x->lambda};
  long long step = *x->step;
  int rc = ns_couplings_offsets(o->k, c, &at, 1);
  *x->step = 0;
  if (!rc) rc = o->ops->start(o->osi, c, x);
  *x->step = step;
  return rc;
}

/* ---- one linearisation --------------------------------------------------------------------------------- */

/* out = (1 - where) x_k + where x */
static const double *blend(const first_order *o, const double *x, double *out)
{
  double a = o->at.where, b = 1 - a;
  if (b == 0) return x;
  for (size_t i = 0; i < o->m->nq; i++) out[i] = b * o->x->q[i] + a * x[i];
  return out;
}

/* out = where (to - from) */
static void moved(const first_order *o, const double *from, const double *to, double *out)
{
  for (size_t i = 0; i < o->m->nq; i++) out[i] = o->at.where * (to[i] - from[i]);
}

static ns_relation_point relation_point(first_order *o)
{
  return (ns_relation_point){.t = o->at.t, .x = blend(o, o->iterate, o->xrel), .z = o->x->z, .lambda = o->lambda};
}

/* The matrix of the problem. */
static int refresh(first_order *o, ns_ctx *c)
{
  int rc = NS_OK;
  if (o->u) ns_unreduced_refresh(o->u, o->at.where);
  else rc = ns_couplings_refresh(o->k, c, o->at.where);
  ns_law_problem_gather(o->p);
  o->stale = 0;
  return rc;
}

/* W, tangents, and the matrix of the problem where one of them has changed. */
static int linearise(first_order *o, ns_ctx *c, int first)
{
  int changed = 0, W = 0, rc = NS_OK;
  if (!o->k->constant) {
    ns_relation_point at = relation_point(o);
    rc = ns_couplings_tangents(o->k, c, &at, first, &changed);
  }
  if (!rc) rc = o->ops->linearise(o->osi, c, o->k->K, o->k->nK, &W);
  if (!rc) rc = o->ops->free(o->osi, c, o->xp);
  if (o->active) o->stale = 1;
  if (rc || o->active || !(changed || W)) return rc;
  return refresh(o, c);
}

static void pose(first_order *o)
{
  size_t nq = o->m->nq;
  double *guess = o->p->z + o->p->head;
  if (o->u) {
    for (size_t i = 0; i < nq; i++) o->p->q[i] = -o->xp[i];
    memcpy(o->p->z, o->iterate, nq * sizeof(double));
    const double *xk = o->x->q;
    if (o->at.where != 1)
      for (size_t i = 0; i < nq; i++) o->move[i] = (1 - o->at.where) * xk[i];
    ns_unreduced_q(o->u, o->at.where != 1 ? o->move : NULL, o->p->q);
  } else {
    if (!o->k->linear) {
      ns_couplings_push(o->k, o->lambda, o->xp);
      moved(o, o->iterate, o->xp, o->move);
    }
    ns_couplings_q(o->k, blend(o, o->xp, o->xrel), o->move, o->lambda, o->p->q);
  }
  memcpy(guess, o->lambda, o->m->nrows * sizeof *guess);
}

/* The next iterate from the solution. */
static void advance(first_order *o)
{
  size_t nq = o->m->nq, n = o->m->nrows;
  const double *z = o->p->z + o->p->head, *next = o->u ? o->p->z : o->xp;
  if (!o->u) ns_couplings_apply(o->k, z, o->xp);
  if (!o->k->linear) {
    moved(o, o->iterate, next, o->move);
    memcpy(o->was, o->lambda, n * sizeof *o->was);
  }
  memcpy(o->iterate, next, nq * sizeof *next);
  memcpy(o->lambda, z, n * sizeof *z);
  ns_couplings_input(o->k, o->lambda, o->was, o->move, o->r);
}

/* ---- Newton loop ------------------------------------------------------------------------------------------ */

/* Where the iterate is. */
static ns_moment moment(const first_order *o)
{
  const ns_state *x = o->x;
  return (ns_moment){.from = *x->t, .t = o->at.t, .q = o->iterate, .v = x->v, .z = x->z, .lambda = o->lambda, .q0 = x->q};
}

/* Where a problem is not finite: what makes it so, or the row that says so first. */
static int not_finite(const first_order *o, ns_ctx *c)
{
  char numbers[40];
  ns_moment at = moment(o);
  for (int r = 0; r < o->k->nrows; r++) {
    double q = o->p->q[o->p->head + r];
    if (isfinite(q)) continue;
    snprintf(numbers, sizeof numbers, "y = %g", q);
    return ns_fail_row(c, o->m, &at, (size_t)r, numbers);
  }
  return NS_OK;
}

static int unsolved(const first_order *o, ns_ctx *c, const ns_outcome *out)
{
  int rc = not_finite(o, c);
  if (rc) return rc;
  const ns_law_problem *law = o->p;
  ns_suspect worst = {0};
  for (int r = 0; r < o->k->nrows; r++) {
    int i = law->head + r;
    const ns_interaction *it = &o->m->interactions[o->k->interaction[r]];
    double part = law->poly ? fabs(law->w[i]) : ns_law_distance(law->z[i], law->w[i], law->lb[i], law->ub[i]);
    ns_suspect_row(&worst, it, r - (int)it->row, part);
  }
  ns_unsolved_problem p = {.problem = ns_model_problem(o->m), .rows = law->n, .t = *o->x->t, .tolerance = o->m->sim.osnsp.tol,
                           .worst = worst.at, .what = worst.what, .look_for = "laws that contradict each other", .whose = ""};
  return ns_fail_unsolved(c, o->m, &p, out);
}

/* h and g at the new iterate, and how far the linearisation is from them. */
static int judge(first_order *o, ns_ctx *c, double *residual)
{
  int rc = NS_OK;
  double of_relations = 0;
  *residual = 0;
  if (!o->k->linear) {
    ns_relation_point at = relation_point(o);
    rc = ns_couplings_values(o->k, c, &at);
    of_relations = ns_couplings_residual(o->k, &at, o->p->w + o->p->head);
  }
  if (!rc && !o->systems_linear) rc = o->ops->residual(o->osi, c, o->r, residual, NULL);
  if (of_relations > *residual || isnan(of_relations)) *residual = of_relations;
  return rc;
}

/* The rows that act alone. 1: they were enough. */
static int solve_active(first_order *o, ns_ctx *c, ns_outcome *out, int *rc)
{
  if (!o->active) return 0;
  *rc = ns_active_rows_solve(o->active, c, o->at.where, out);
  if (*rc) return 1;
  if (out->kind != NS_SOLVED) return 0;
  ns_shown shown = {.box = &o->active->avi, .guess = o->active->guess};
  if (o->w && o->active->n) o->w->problem(o->w->to, *o->x->step, *o->x->t, &shown, out);
  return 1;
}

/* The problem to who looks at problems. */
static void show(const first_order *o, const ns_outcome *out)
{
  const ns_law_problem *p = o->p;
  ns_shown shown = {.box = p->poly ? NULL : &p->avi, .polyhedron = p->poly ? &p->statement : NULL, .guess = p->guess};
  if (p->n) o->w->problem(o->w->to, *o->x->step, *o->x->t, &shown, out);
}

static int solve(first_order *o, ns_ctx *c, ns_outcome *out)
{
  int rc = NS_OK;
  if (solve_active(o, c, out, &rc)) return rc;
  if (o->stale) rc = refresh(o, c);
  if (rc) return rc;
  if (o->w) memcpy(o->p->guess, o->p->z, (size_t)o->p->n * sizeof *o->p->guess);
  rc = ns_law_problem_solve(o->p, c, out);
  if (rc) return rc;
  if (o->w) show(o, out);
  if (out->kind == NS_SOLVED || ns_accept_unsolved(c, o->m, o->x, out)) return NS_OK;
  return unsolved(o, c, out);
}

/* Newton's method has come to its end without an iterate that solves the step. */
static int diverged(first_order *o, ns_ctx *c, double residual)
{
  ns_moment at = moment(o);
  ns_suspect w = {0};
  double again;
  int rc = isnan(residual) ? ns_fail_function(c, o->m, &at) : NS_OK;
  if (!rc) rc = ns_fail_coordinate(c, o->m, &at);
  if (!rc && !o->systems_linear) rc = o->ops->residual(o->osi, c, o->r, &again, &w);
  if (rc) return rc;
  ns_relation_point p = relation_point(o);
  if (!o->k->linear) ns_couplings_suspects(o->k, &p, o->p->w + o->p->head, &w);
  return ns_fail_newton(c, o->m, *o->x->t, residual, &w, o->newton_max);
}

static int newton(first_order *o, ns_ctx *c, ns_step_report *report)
{
  double residual = 0;
  int iterations = 0, rc = NS_OK;
  ns_outcome out;
  if (!o->k->linear) {
    ns_relation_point at = relation_point(o);
    rc = ns_couplings_values(o->k, c, &at);
  }
  for (int it = 1; it <= o->newton_max && !rc; it++) {
    rc = linearise(o, c, it == 1);
    if (rc) return rc;
    pose(o);
    rc = solve(o, c, &out);
    if (rc) return rc;
    iterations += out.iterations;
    advance(o);
    rc = judge(o, c, &residual);
    if (rc) return rc;
    *report = (ns_step_report){.newton = it,
                               .newton_residual = residual,
                               .iterations = iterations,
                               .residual = out.residual,
                               .unsolved = out.kind != NS_SOLVED};
    if (o->one_pass || residual <= 1) return NS_OK;
    if (isnan(residual)) break;
  }
  if (rc) return rc;
  if (!ns_accept_newton(c, o->m, o->x, residual)) return diverged(o, c, residual);
  report->unsolved = 1;
  return NS_OK;
}

/* ---- accept -------------------------------------------------------------------------------------------------- */

static void keep_max(double *most, double a)
{
  if (a > *most) *most = a;
}

static void count_max(int *most, int a)
{
  if (a > *most) *most = a;
}

static void certify(ns_state *x, const ns_step_report *r)
{
  ns_certificate *k = x->cert;
  int newton = (int)r->newton, iterations = (int)r->iterations;
  k->steps++;
  k->newton += newton;
  k->solver += iterations;
  k->unsolved += r->unsolved;
  count_max(&k->newton_max, newton);
  count_max(&k->solver_max, iterations);
  count_max(&k->active_max, (int)r->active);
  keep_max(&k->residual_max, r->residual);
  keep_max(&k->newton_residual_max, r->newton_residual);
  keep_max(&k->penetration_max, r->penetration);
}

/* What rounding makes of multipliers in this problem: max |q_i / s_i|, s_i = max_j |M_ij|, times some eps. */
static double rounding_level(const first_order *o)
{
  const ns_blocks *S = o->p->S;
  double most = 0;
  if (o->stale) return 64 * DBL_EPSILON * ns_active_rows_level(o->active);
  for (int i = o->p->head; i < o->p->n; i++) {
    double s = 0;
    for (int b = S->row[i]; b < S->row[i + 1]; b++) s = fmax(s, fabs(S->val[b]));
    if (s > 0) most = fmax(most, fabs(o->p->q[i] / s));
  }
  return 64 * DBL_EPSILON * most;
}

static double level_of(const void *self) { return rounding_level(self); }

/* lambda of the step to the state; counts the rows that are not at a bound. Events to rec. */
static int settle(first_order *o, ns_ctx *c, ns_recorder *rec)
{
  ns_law_rows rows = {.n = o->k->nrows, .interaction = o->k->interaction, .lambda = o->lambda, .lb = o->p->lb + o->p->head,
                      .ub = o->p->ub + o->p->head, .level = level_of, .of = o};
  int between, rc = ns_law_events(o->m, c, o->x, &rows, rec, &between);
  o->x->report->active = between;
  return rc;
}

/* y of the accepted iterate, from the relations themselves; while the state is still x_k. */
static void output(first_order *o, ns_step_report *r)
{
  ns_couplings_output(o->k, blend(o, o->iterate, o->xrel), o->lambda, o->y);
  r->penetration = ns_law_problem_violation(o->p, o->y, o->lambda);
}

/* The step failed: what controls wrote before it goes back. */
static int undone(first_order *o, int rc)
{
  if (o->controls) ns_controls_undo(o->controls, o->x);
  return rc;
}

/* Bounds of the step. */
static int renew_laws(first_order *o, ns_ctx *c)
{
  ns_law_problem *p = o->p;
  int rc = ns_law_values_step(o->m, c, o->x, o->h);
  ns_laws_bounds(o->m, 1, p->lb + p->head, p->ub + p->head);
  ns_law_problem_gather(p);
  return rc;
}

static int step(void *self, ns_ctx *c, ns_recorder *rec)
{
  first_order *o = self;
  ns_state *x = o->x;
  double t1 = o->m->sim.t0 + (double)(*x->step + 1) * o->h;
  int acted, rc = o->controls ? ns_controls_sample(o->controls, c, x, &acted) : NS_OK;
  if (!rc && o->m->values) rc = renew_laws(o, c);
  if (!rc) rc = o->ops->begin(o->osi, c, x, t1, o->h); /* sees that z is another one */
  if (rc) return undone(o, rc);
  o->at = o->ops->point(o->osi);
  memcpy(o->lambda, x->lambda, o->m->nrows * sizeof *o->lambda);
  if (o->k->offset_varies) {
    ns_relation_point at = relation_point(o);
    rc = ns_couplings_offsets(o->k, c, &at, 0);
  }
  ns_step_report report = {0};
  if (!rc) rc = newton(o, c, &report);
  if (!rc) output(o, &report);
  if (!rc) rc = o->ops->commit(o->osi, c, x, o->r);
  if (rc) return undone(o, rc);
  *x->report = report;
  memcpy(x->y, o->y, o->m->nrows * sizeof *x->y);
  *x->step += 1;
  rc = settle(o, c, rec);
  certify(x, x->report);
  return rc;
}

static void report(void *self) { (void)self; /* p is up to date */ }

static int watch(void *self, ns_ctx *c, const ns_watch *w)
{
  first_order *o = self;
  (void)c;
  o->w = w;
  return NS_OK;
}

/* ---- checkpoints --------------------------------------------------------------------------------------------- */

/* Polyhedra have one solver, which keeps nothing. */
static const ns_memory *solver_memory(const first_order *o) { return o->p->poly ? &ns_memory_none : o->p->solver_ops->memory; }

static int savable(const void *self)
{
  const first_order *o = self;
  return o->ops->memory && solver_memory(o);
}

static void save(const void *self, ns_blob *b)
{
  const first_order *o = self;
  ns_blob_put_reals(b, o->k->offset, o->m->nrows);
  solver_memory(o)->save(o->p->solver, b);
  if (o->active) solver_memory(o)->save(o->active->solver, b);
  o->ops->memory->save(o->osi, b);
}

static void restore(void *self, ns_blob *b)
{
  first_order *o = self;
  ns_blob_get_reals(b, o->k->offset, o->m->nrows);
  solver_memory(o)->restore(o->p->solver, b);
  if (o->active) solver_memory(o)->restore(o->active->solver, b);
  o->ops->memory->restore(o->osi, b);
}

static const ns_memory memory = {.save = save, .restore = restore};

const ns_strategy_ops ns_first_order_stepping = {.size = sizeof ns_first_order_stepping,
                                                 .name = "TimeStepping",
                                                 .help = "steps of one length, laws at their end",
                                                 .create = create,
                                                 .start = start,
                                                 .step = step,
                                                 .report = report,
                                                 .destroy = destroy,
                                                 .family = NS_FAMILY_FIRST_ORDER,
                                                 .changed = changed,
                                                 .watch = watch,
                                                 .memory = &memory,
                                                 .savable = savable};
