/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/stepper.h"

#include "algebra/vector.h"
#include "base/grow.h"
#include "model/check/diagnose.h"
#include "model/laws/problem.h"
#include "model/relations/output.h"
#include "model/systems/lagrangian.h"
#include "model/systems/mechanics.h"
#include "model/systems/rigid_body.h"
#include "simulation/step/failure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages and plan ----------------------------------------------------------------------- */

/* The first active row whose free velocity is not a number. */
static int not_finite(const ns_contacts *k, const ns_state *x, ns_ctx *c, int i)
{
  char numbers[80];
  ns_moment at = {.from = *x->t,
                  .t = k->t1,
                  .q = k->linearised_at ? k->linearised_at : x->q,
                  .v = x->v,
                  .z = x->z,
                  .lambda = x->lambda,
                  .q0 = x->q,
                  .v0 = x->v};
  snprintf(numbers, sizeof numbers, "free velocity %g", k->q[i]);
  return ns_fail_row(c, k->m, &at, (size_t)k->active[i], numbers);
}

/* How far active row i is from its law, of what scale z and w have. */
static double distance_of(const ns_contacts *k, int i)
{
  int r = k->active[i];
  if (k->problem == NS_CONTACT_AVI) return ns_law_distance(k->z[i], k->w[i], k->lb[r], k->ub[r]);
  /* of friction: the normal */
  return k->unit[k->unit_of[r]].first == r ? ns_law_distance(k->z[i], k->w[i], 0, INFINITY) : 0;
}

/* 1 where the problem is solved without rebounds (failure.h). */
static int is_wedged(ns_contacts *k, const ns_state *x, ns_ctx *c)
{
  size_t n = (size_t)k->n;
  if (k->problem != NS_CONTACT_MECHANICAL || k->unreduced) return 0;
  double *q = calloc(3 * n + 1, sizeof *q);
  ns_outcome out = {.kind = NS_NOT_FINITE};
  int rebounds = 0;
  if (!q) return 0;
  memcpy(q, k->q, n * sizeof *q);
  for (size_t i = 0; i < n; i++) {
    int r = k->active[i];
    const ns_unit *u = &k->unit[k->unit_of[r]];
    double back = u->kind == NS_UNIT_FRICTION && r == u->first ? k->restitution[r] * x->ydot[r] : 0;
    rebounds |= back < 0;
    q[i] -= fmin(back, 0);
  }
  int rc = rebounds ? ns_contacts_solve_other(k, c, q, q + n, q + 2 * n, &out) : 0;
  free(q);
  return rebounds && !rc && out.kind == NS_SOLVED;
}

int ns_unsolved(ns_contacts *k, const ns_state *x, ns_ctx *c, const ns_outcome *out)
{
  char what[32] = "";
  int worst = 0;
  for (int i = 0; i < k->n && out->kind == NS_NOT_FINITE; i++)
    if (!isfinite(k->q[i])) return not_finite(k, x, c, i);
  ns_involved w = {0};
  for (int i = 0; i < k->n; i++) {
    ns_involved_add(&w, k->m, k->interaction[k->active[i]]);
    if (distance_of(k, i) > distance_of(k, worst)) worst = i;
  }
  const ns_interaction *it = &k->m->interactions[k->interaction[k->active[worst]]];
  if (it->m > 1) snprintf(what, sizeof what, "row %d", k->active[worst] - (int)it->row);
  ns_unsolved_problem p = {.problem = ns_model_problem(k->m),
                           .rows = k->n,
                           .t = *x->t,
                           .worst = &it->at,
                           .what = what,
                           .tolerance = k->p.mech.tol > 0 ? k->p.mech.tol : k->m->sim.osnsp.tol,
                           .look_for = "contacts that contradict each other: ",
                           .whose = w.text};
  if (is_wedged(k, x, c)) p.look_for = ns_is_wedged;
  return ns_fail_unsolved(c, k->m, &p, out);
}

static void show_problem(const ns_contacts *k, const ns_state *x, const ns_watch *w,
                         const double *bounds, const ns_outcome *out)
{
  ns_shown shown = {.guess = bounds + 2 * k->m->nrows};
  ns_box box = k->p.box;
  if (k->problem == NS_CONTACT_LCP) { /* who looks at problems sees its bounds */
    box.lb = bounds;
    box.ub = bounds + k->m->nrows;
  }
  if (k->unreduced) {
    shown.global = ns_unreduced_contacts_global(k->unreduced);
    shown.box = ns_unreduced_contacts_boxes(k->unreduced, &shown.guess);
  } else if (k->problem == NS_CONTACT_MECHANICAL) {
    shown.mechanical = &k->p.mech;
  } else {
    shown.box = &box;
  }
  if (k->n) w->problem(w->to, *x->step, *x->t, &shown, out);
}

int ns_solve_shown(ns_contacts *k, ns_ctx *c, const ns_state *x, const ns_watch *w, double *bounds,
                   ns_outcome *out)
{
  if (w) memcpy(bounds + 2 * k->m->nrows, k->z, (size_t)k->n * sizeof *bounds);
  int rc = ns_contacts_solve(k, c, out);
  if (!rc && w) show_problem(k, x, w, bounds, out);
  return rc;
}

int ns_show_bounds(const ns_model *m, ns_ctx *c, double **bounds)
{
  size_t n = m->nrows;
  if (!*bounds && !(*bounds = calloc(3 * n + 1, sizeof **bounds)))
    return ns_nomem(c, "bounds of shown problems");
  ns_fill(n, INFINITY, (*bounds) + n);
  return NS_OK;
}

static const char *solver_note(const ns_contacts *k)
{
  const ns_row_solver *s = &k->p.solver;
  if (k->nrows == 0) return "no interaction: nothing to solve";
  if (k->unreduced) return ns_unreduced_contacts_note(k->unreduced);
  if (s->mechanical || strcmp(ns_row_solver_name(s), "auto") != 0) return ns_row_solver_help(s);
  if (k->nrows == 1) return "one row, in closed form";
  return k->p.dense ? "last support, then dense pivoting (Lemke)"
                    : "last support, then sparse active set (Newton-min)";
}

void ns_contacts_describe(const ns_contacts *k, const ns_state *x, const char *integrator,
                          const ns_integrator_info *i, ns_plan *plan)
{
  *plan = (ns_plan){.strategy = "TimeStepping",
                    .integrator = integrator,
                    .problem = k->nrows ? ns_model_problem(k->m) : "none",
                    .solver = k->m->sim.osnsp.solver,
                    .solver_note = solver_note(k),
                    .storage = k->nrows == 0  ? "none"
                               : k->unreduced ? "unreduced"
                               : k->p.dense   ? "dense"
                                              : "block-sparse",
                    .rows = k->nrows,
                    .nnz = ns_contacts_entries(k),
                    .systems_diagonal = i->diagonal,
                    .systems_dense = i->dense,
                    .systems_sparse = i->sparse,
                    .systems_nonlinear = i->nonlinear,
                    .systems_differenced = i->differenced,
                    .state_bytes = x->bytes,
                    .work_bytes = i->bytes + ns_contacts_bytes(k)};
}

/* ---- contacts over matrices ------------------------------------------------------------------ */

static int has_rule(const ns_interaction *it, int laws)
{
  if (it->relation->flags & NS_REL_COMPLIANT)
    return laws & NS_STEPS_COMPLIANT && it->relation->flags & NS_REL_LINEAR &&
           ns_law_is_box(it->law.ops);
  if (it->law.ops->compliant) return (laws & NS_STEPS_COMPLIANT) != 0;
  if (it->law.ops->memory) return laws & NS_STEPS_FRICTION && !it->law.ops->plugged;
  switch (ns_law_role_of(&it->law, it->m)) {
  case NS_ROLE_NONE: break;
  case NS_ROLE_UNILATERAL: return 1;
  case NS_ROLE_BILATERAL: return (laws & NS_STEPS_EQUALITIES) != 0;
  case NS_ROLE_FRICTION:
  case NS_ROLE_RELAY: return (laws & NS_STEPS_FRICTION) != 0;
  }
  return 0;
}

static const char *rules(int laws)
{
  if (laws & NS_STEPS_FRICTION)
    return "NewtonImpactNSL, NewtonImpactFrictionNSL, EqualityConditionNSL or RelayNSL with bounds "
           "of forces, of which one of each row is finite, or LagrangianCompliantLinearTIR with a "
           "law of single rows";
  return laws & NS_STEPS_EQUALITIES ? "NewtonImpactNSL or EqualityConditionNSL" : "NewtonImpactNSL";
}

/* Why a law that time-stepping has is none of a motion between events; NULL: it is one. */
static const char *only_of_steps(const ns_nonsmooth_law *l)
{
  const ns_law_ops *o = l->ops;
  if (o->plugged)
    return "its variables are updated by the impulses of fixed steps, which event-driven runs do "
           "not have; use <TimeStepping>, or <CohesiveFrictionNSL>";
  if (o->mean_slip)
    return "its friction acts on the mean velocity of a step, which has no limit for short steps; "
           "use <TimeStepping>, or <NewtonImpactFrictionNSL>";
  return NULL;
}

static int refuse(const ns_model *m, ns_ctx *c, const char *scheme, int laws)
{
  for (int i = 0; i < m->nboundaries; i++) {
    const ns_boundary *b = &m->boundaries[i];
    if (laws & NS_STEPS_PRESCRIBED) break;
    return ns_fail_at(c, NS_MODEL, &b->at,
                      "%s does not support prescribed velocities, expected MoreauJeanOSI, or an "
                      "<interaction> with <EqualityConditionNSL> that keeps the coordinate",
                      scheme);
  }
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    const char *why = laws & NS_STEPS_FRICTION ? only_of_steps(&it->law) : NULL;
    if (why)
      return ns_fail_at(c, NS_MODEL, &it->at,
                        "%s with %s, expected a law of forces and instantaneous impacts: %s",
                        scheme, it->law.ops->name, why);
    if (!has_rule(it, laws))
      return ns_fail_at(
          c, NS_MODEL, &it->at,
          "%s does not support %s with %s, expected %s; MoreauJeanOSI supports all laws", scheme,
          it->law.ops->name, it->relation->name, rules(laws));
  }
  return NS_OK;
}

int ns_stepper_init(ns_ctx *c, const ns_model *m, ns_state *x, const char *scheme, int laws,
                    double b, double k, ns_stepper *s)
{
  ns_integrator_info info;
  *s = (ns_stepper){.m = m, .x = x, .h = m->sim.ts.h, .changed = NS_W_CONSTANT | NS_W_ITERATE};
  int rc = refuse(m, c, scheme, laws);
  if (!rc) rc = ns_matrices_create(c, m, b, k, &s->matrices);
  if (rc) return rc;
  ns_matrices_info(s->matrices, &info);
  rc = ns_contacts_create(c, m, &ns_matrices_ops, s->matrices, info.symmetric, &s->k);
  if (!rc && m->nangles) s->k->angle = x->angle;
  if (rc) return rc;
  size_t relation = ns_output_work_max(m) + 1, work = ns_mechanics_work_max(m);
  s->relation = calloc(relation + work + m->nz, sizeof *s->relation);
  if (!s->relation || !(s->chosen = calloc(m->nrows + 1, 1))) return ns_nomem(c, scheme);
  s->work = s->relation + relation;
  s->kept = s->work + work;
  return NS_OK;
}

void ns_stepper_fini(ns_stepper *s)
{
  ns_contacts_destroy(s->k);
  ns_matrices_destroy(s->matrices);
  NS_FREE(s->bounds, s->chosen, s->relation);
}

void ns_stepper_describe(const ns_stepper *s, const char *integrator, ns_plan *plan)
{
  ns_integrator_info i;
  ns_matrices_info(s->matrices, &i);
  ns_contacts_describe(s->k, s->x, integrator, &i, plan);
  plan->linear = 1;
}

void ns_stepper_save(const ns_stepper *s, ns_blob *b)
{
  ns_contacts_save(s->k, b);
  ns_matrices_save(s->matrices, b);
}

void ns_stepper_restore(ns_stepper *s, ns_blob *b)
{
  memset(s->x->p, 0, s->m->nv * sizeof *s->x->p);
  ns_contacts_restore(s->k, b);
  ns_matrices_restore(s->matrices, b);
}

int ns_stepper_watch(ns_stepper *s, ns_ctx *c, const ns_watch *w)
{
  int rc = ns_show_bounds(s->m, c, &s->bounds);
  if (!rc) s->w = w;
  return rc;
}

int ns_stepper_solve(ns_stepper *s, ns_ctx *c, const double *rhs, ns_step_report *report)
{
  ns_contacts *k = s->k;
  ns_outcome out;
  ns_contacts_assemble(k, s->x, s->x->v, s->changed);
  s->changed = 0;
  memcpy(k->q, rhs, (size_t)k->n * sizeof *rhs);
  int rc = ns_solve_shown(k, c, s->x, s->w, s->bounds, &out);
  if (rc) return rc;
  if (out.kind != NS_SOLVED) return ns_unsolved(k, s->x, c, &out);
  report->iterations += out.iterations;
  report->residual = fmax(report->residual, out.residual);
  report->active = fmax(report->active, k->n);
  return NS_OK;
}

int ns_stepper_finite(const ns_stepper *s, ns_ctx *c, const double *q, const double *v)
{
  const ns_state *x = s->x;
  double sum = 0;
  /* NaN where one is not finite */
  for (size_t i = 0; i < s->m->nv; i++) sum += 0 * v[i];
  for (size_t i = 0; i < s->m->nq; i++) sum += 0 * q[i];
  if (sum == 0) return NS_OK;
  return ns_fail_not_finite(c, s->m,
                            &(ns_moment){.from = *x->t,
                                         .t = *x->t + s->h,
                                         .q = q,
                                         .v = v,
                                         .z = x->z,
                                         .lambda = x->lambda,
                                         .q0 = x->q,
                                         .v0 = x->v});
}
