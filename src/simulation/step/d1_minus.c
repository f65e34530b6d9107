/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/d1_minus.h"

#include "algebra/vector.h"
#include "integrators/rigid_drives.h"
#include "model/relations/output.h"
#include "model/systems/mechanics.h"
#include "simulation/record/events.h"
#include "simulation/step/stepper.h"
#include "simulation/step/time_stepping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct d1_minus {
  ns_time_stepping step;
  ns_stepper s;
  int velocity; /* the variant */
  double tol;
  double *q, *v;   /* q+ [nq], v1 and then v- and v+ [nv] */
  double *a0, *a1; /* M^-1 F at the begin and at the end [nv] */
  double *c0, *c1; /* M^-1 H^T times the impulses of both halves, per half step [nv] */
  /* gyroscopic forces; forces that work without a known potential at both ends [nv] */
  double *gyr, *w0, *w1;
  double *mean;            /* (v + v1)/2, then (v + v-)/2: forces work along it [nv] */
  double *push;            /* scratch [nv] */
  double *y, *u, *bias;    /* gaps and velocities at the end, bias of accelerations [nrows] */
  double *rhs, *total;     /* of a problem; impulse of the step [nrows] */
  double *before, *gain;   /* for events [nrows] */
  double contact, driven;  /* works of the step */
  ns_rigid_drives *drives; /* forces between bodies; NULL: none */
} d1_minus;

static int get_memory(d1_minus *o, ns_ctx *c)
{
  const ns_model *m = o->s.m;
  double **vec[] = {&o->v,   &o->a0, &o->a1, &o->c0,   &o->c1,
                    &o->gyr, &o->w0, &o->w1, &o->push, &o->mean};
  double **row[] = {&o->y, &o->u, &o->bias, &o->rhs, &o->total, &o->before, &o->gain};
  int rc = ns_time_stepping_vectors(&o->step, c, m->nq, 1, (double **[]){&o->q});
  if (!rc) rc = ns_time_stepping_vectors(&o->step, c, m->nv, sizeof vec / sizeof *vec, vec);
  return rc ? rc : ns_time_stepping_vectors(&o->step, c, m->nrows, sizeof row / sizeof *row, row);
}

static int fill(void *self, ns_ctx *c, ns_plan *plan)
{
  d1_minus *o = self;
  const ns_model *m = o->step.m;
  o->velocity = m->sim.d1 == NS_D1_VELOCITY;
  o->tol = m->sim.d1_tol;
  int rc = ns_time_stepping_over(&o->step, c, &o->s, "D1MinusLinearOSI", 0, 0, 0, plan);
  if (!rc) rc = get_memory(o, c);
  if (!rc) rc = ns_rigid_drives_create(c, m, o->step.mem, &o->drives);
  return rc;
}

/* ---- smooth dynamics ------------------------------------------------------------------------- */

/* a = M^-1 F(t, q, v), and the forces that work without a known potential. */
static int accelerate(d1_minus *o, ns_ctx *c, double t, const double *q, const double *v, double *a,
                      double *w)
{
  const ns_model *m = o->s.m;
  int rc = NS_OK;
  for (int i = 0; i < m->nsystems && !rc; i++) {
    const ns_system *s = &m->systems[i];
    ns_point p = ns_system_point(s, t, q, v, o->s.x->z);
    rc = ns_mechanics_force(s, c, &p, o->s.work, a + s->v, o->gyr + s->v);
  }
  if (!rc && o->drives) {
    rc = ns_rigid_drives_add(o->drives, c, o->s.x, t, q, v, a);
    if (!rc) ns_rigid_drives_bend_armature(o->drives, a, o->gyr);
  }
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    ns_mechanics_known(s, w + s->v);
    for (size_t j = s->v; j < s->v + (size_t)s->n; j++) w[j] = a[j] + o->gyr[j] - w[j];
    if (!ns_system_is_rigid(s) && s->stiffness.how)
      ns_operator_gemv_add(1, &s->stiffness, q + s->q, w + s->v);
  }
  ns_matrices_solve(o->s.matrices, a);
  return rc;
}

static void energies(d1_minus *o, ns_state *x)
{
  const ns_model *m = o->s.m;
  double T = 0, U = 0;
  memset(o->push, 0, m->nv * sizeof *o->push);
  ns_matrices_multiply(o->s.matrices, 1, x->v, o->push);
  for (size_t i = 0; i < m->nv; i++) T += x->v[i] * o->push[i] / 2;
  for (int i = 0; i < m->nsystems; i++)
    U += ns_mechanics_potential(&m->systems[i], x->q + m->systems[i].q);
  x->cert->kinetic = T;
  x->cert->potential = U;
}

static int move(d1_minus *o, ns_ctx *c, double t, const double *q, const double *v)
{
  if (!ns_matrices_moving(o->s.matrices)) return NS_OK;
  o->s.changed |= NS_W_ITERATE;
  return ns_matrices_move(o->s.matrices, c, t, q, v, o->s.x->z);
}

static int start(void *self, ns_ctx *c)
{
  d1_minus *o = self;
  ns_state *x = o->s.x;
  memset(x->p, 0, o->s.m->nv * sizeof *x->p);
  int rc = move(o, c, *x->t, x->q, x->v);
  if (rc || *x->step > 0) return rc;
  energies(o, x);
  x->cert->energy0 = x->cert->kinetic + x->cert->potential;
  return NS_OK;
}

static int restart(void *self, ns_ctx *c, int set)
{
  d1_minus *o = self;
  ns_state *x = o->s.x;
  int rc = move(o, c, *x->t, x->q, x->v);
  if (!rc && set) energies(o, x);
  return rc;
}

/* ---- contacts -------------------------------------------------------------------------------- */

/* Make the chosen units the active set at t, and their rows those of (q, v). */
static int make_active(d1_minus *o, ns_ctx *c, double t, const double *q, const double *v)
{
  ns_contacts *k = o->s.k;
  ns_contacts_select(k, o->s.x, t, o->s.h, o->s.chosen);
  return k->n ? ns_contacts_linearise(k, c, o->s.x, q, v) : NS_OK;
}

/* The work of an impulse P in row r while the velocity goes from a to b, and what an obstacle that
 * moves adds to it. */
static void count(d1_minus *o, int r, double P, const double *a, const double *b)
{
  const ns_contacts *k = o->s.k;
  o->contact += P * ((ns_rows_dot(&k->H, r, a) + ns_rows_dot(&k->H, r, b)) / 2 + k->shift[r]);
  o->driven -= P * k->shift[r];
}

/* Solve for the active rows with rhs as it stands; add M^-1 H^T z to `to`, and f z to the impulse
 * of the step. */
static int act(d1_minus *o, ns_ctx *c, ns_step_report *report, double f, double *to)
{
  ns_contacts *k = o->s.k;
  if (!k->n) return NS_OK;
  memset(k->z, 0, (size_t)k->n * sizeof *k->z);
  int rc = ns_stepper_solve(&o->s, c, o->rhs, report);
  if (rc) return rc;
  ns_contacts_apply(k, to);
  for (int i = 0; i < k->n; i++) o->total[k->active[i]] += f * k->z[i];
  return NS_OK;
}

/* Forces on the active rows from the acceleration a at (q, v): M^-1 H^T l into to. */
static int forces(d1_minus *o, ns_ctx *c, ns_step_report *report, const double *q, const double *v,
                  const double *a, double *to)
{
  ns_contacts *k = o->s.k;
  int rc = ns_contacts_bias(k, c, o->s.x, q, v, o->bias);
  for (int i = 0; i < k->n; i++)
    o->rhs[i] = ns_rows_dot(&k->H, k->active[i], a) + o->bias[k->active[i]];
  return rc ? rc : act(o, c, report, o->s.h / 2, to);
}

/* Step 1: c0 = M^-1 H^T l. */
static int first_half(d1_minus *o, ns_ctx *c, ns_step_report *report)
{
  ns_contacts *k = o->s.k;
  const ns_state *x = o->s.x;
  double h = o->s.h;
  size_t n = o->s.m->nv;
  memset(o->c0, 0, n * sizeof *o->c0);
  for (int u = 0; u < k->nunits; u++) {
    int r = k->unit[u].first;
    o->s.chosen[u] = x->y[r] <= o->tol && (o->velocity || x->ydot[r] <= o->tol);
  }
  if (!o->velocity) {
    int rc = make_active(o, c, *x->t, x->q, x->v);
    return rc || !k->n ? rc : forces(o, c, report, x->q, x->v, o->a0, o->c0);
  }
  for (size_t i = 0; i < n; i++)
    o->push[i] = (x->v[i] + h * o->a0[i]) / h; /* so that the unknown is a force */
  memcpy(o->q, x->q, o->s.m->nq * sizeof *o->q);
  ns_mechanics_move(o->s.m, h, x->v, o->q);
  int rc = make_active(o, c, *x->t + h, o->q, x->v);
  for (int i = 0; i < k->n; i++)
    o->rhs[i] = ns_rows_dot(&k->H, k->active[i], o->push) + k->shift[k->active[i]] / h;
  return rc ? rc : act(o, c, report, h / 2, o->c0);
}

/* What is closed at the end: all of it, or what takes forces there: it was closed at the begin too,
 * and does not open. */
static void choose_closed(d1_minus *o, int forces_too)
{
  const ns_contacts *k = o->s.k;
  for (int u = 0; u < k->nunits; u++) {
    int r = k->unit[u].first;
    int stays = o->s.x->y[r] <= o->tol && (o->velocity || o->u[r] <= o->tol);
    o->s.chosen[u] = o->y[r] <= o->tol && (!forces_too || stays);
  }
}

static void speeds(d1_minus *o, const double *v)
{
  const ns_contacts *k = o->s.k;
  for (int i = 0; i < k->n; i++)
    o->u[k->active[i]] = ns_rows_dot(&k->H, k->active[i], v) + k->shift[k->active[i]];
}

/* Step 3: c1 = M^-1 H^T l-. v is v1. */
static int second_half(d1_minus *o, ns_ctx *c, double t1, ns_step_report *report)
{
  ns_contacts *k = o->s.k;
  const ns_state *x = o->s.x;
  double h = o->s.h;
  memset(o->c1, 0, o->s.m->nv * sizeof *o->c1);
  speeds(o, o->v);
  choose_closed(o, 1);
  ns_contacts_select(k, x, t1, h, o->s.chosen);
  if (!k->n) return NS_OK;
  if (!o->velocity) return forces(o, c, report, o->q, o->v, o->a1, o->c1);
  for (size_t i = 0; i < o->s.m->nv; i++)
    o->push[i] = 2 * x->v[i] / h + o->a0[i] + o->c0[i] + o->a1[i];
  for (int i = 0; i < k->n; i++)
    o->rhs[i] = ns_rows_dot(&k->H, k->active[i], o->push) + 2 * k->shift[k->active[i]] / h;
  return act(o, c, report, h / 2, o->c1);
}

/* Step 4, on all that is closed: v is v-, and then v+. */
static int impact(d1_minus *o, ns_ctx *c, double t1, ns_step_report *report)
{
  ns_contacts *k = o->s.k;
  choose_closed(o, 0);
  ns_contacts_select(k, o->s.x, t1, o->s.h, o->s.chosen);
  speeds(o, o->v);
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    o->rhs[i] = (1 + k->restitution[r]) * o->u[r];
    o->before[r] = o->u[r];
    o->gain[r] = o->s.h * ns_rows_dot(&k->H, r, o->a1);
  }
  memcpy(o->push, o->v, o->s.m->nv * sizeof *o->v);
  for (size_t i = 0; i < o->s.m->nv; i++) o->mean[i] = (o->s.x->v[i] + o->v[i]) / 2;
  int rc = act(o, c, report, 1, o->v);
  if (rc) return rc;
  for (int i = 0; i < k->n; i++) count(o, k->active[i], k->z[i], o->push, o->v);
  return NS_OK;
}

/* ---- the step -------------------------------------------------------------------------------- */

static int move_state(d1_minus *o, ns_ctx *c, double t1, ns_step_report *report)
{
  ns_contacts *k = o->s.k;
  const ns_state *x = o->s.x;
  size_t n = o->s.m->nv;
  double h = o->s.h;
  o->contact = o->driven = 0;
  memset(o->total, 0, o->s.m->nrows * sizeof *o->total);
  int rc = accelerate(o, c, *x->t, x->q, x->v, o->a0, o->w0);
  if (!rc) rc = first_half(o, c, report);
  if (rc) return rc;
  for (size_t i = 0; i < n; i++) {
    o->v[i] = x->v[i] + h * (o->a0[i] + o->c0[i]);
    o->mean[i] = (x->v[i] + o->v[i]) / 2;
  }
  memcpy(o->q, x->q, o->s.m->nq * sizeof *o->q);
  ns_mechanics_move(o->s.m, h, o->mean, o->q);
  rc = ns_stepper_finite(&o->s, c, o->q, o->v);
  if (!rc) rc = move(o, c, t1, o->q, o->v);
  if (!rc) rc = accelerate(o, c, t1, o->q, o->v, o->a1, o->w1);
  memset(o->s.chosen, 0, (size_t)k->nunits);
  ns_contacts_select(k, x, t1, h, o->s.chosen);
  if (!rc) rc = ns_contacts_positions(k, c, x, o->q, o->v, o->y);
  choose_closed(o, 0);
  if (!rc) rc = make_active(o, c, t1, o->q, o->v);
  if (!rc) rc = second_half(o, c, t1, report);
  if (rc) return rc;
  for (size_t i = 0; i < n; i++)
    o->v[i] = x->v[i] + h / 2 * (o->a0[i] + o->c0[i] + o->a1[i] + o->c1[i]);
  for (int r = 0; r < k->nrows; r++)
    if (o->total[r] != 0) count(o, r, o->total[r], x->v, o->v);
  rc = impact(o, c, t1, report);
  return rc ? rc : ns_stepper_finite(&o->s, c, o->q, o->v);
}

static int row_event(d1_minus *o, ns_ctx *c, ns_recorder *rec, int r)
{
  ns_state *x = o->s.x;
  ns_event e = {.t = *x->t, .before = o->before[r], .after = x->ydot[r], .impulse = x->lambda[r]};
  int kind = ns_events_row(x, r, &e, e.before + o->gain[r]);
  return kind < 0 || !rec ? NS_OK
                          : ns_events_report(rec, c, o->s.m, o->s.k->interaction[r], r, kind, &e);
}

/* What was loaded, also where it has opened, with the impulses of the step; gaps and velocities at
 * its end, so that what fails there leaves the state as it is. */
static int outlook(d1_minus *o, ns_ctx *c, double t1)
{
  const ns_state *x = o->s.x;
  ns_contacts *k = o->s.k;
  for (int u = 0; u < k->nunits; u++) {
    int r = k->unit[u].first;
    o->s.chosen[u] = o->total[r] > 0 || o->y[r] <= o->tol;
    if (o->y[r] > o->tol) o->before[r] = o->gain[r] = 0;
  }
  ns_contacts_select(k, x, t1, o->s.h, o->s.chosen);
  ns_gather((size_t)k->n, o->total, k->active, k->z);
  return k->nmoving ? ns_contacts_foresee(k, c, x, o->q, o->v) : NS_OK;
}

static int make(void *self, ns_ctx *c, ns_step_report *report)
{
  d1_minus *o = self;
  int rc = move_state(o, c, o->step.t1, report);
  return rc ? rc : outlook(o, c, o->step.t1);
}

static int commit(void *self, ns_ctx *c, ns_recorder *rec)
{
  d1_minus *o = self;
  ns_state *x = o->s.x;
  size_t n = o->s.m->nv;
  double w = 0;
  (void)c, (void)rec;
  x->cert->work_driven += o->driven;
  for (size_t i = 0; i < n; i++) w += (o->w0[i] + o->w1[i]) * o->mean[i] / 2;
  x->cert->work_force += o->s.h * w;
  memcpy(x->q, o->q, o->s.m->nq * sizeof *x->q);
  memcpy(x->v, o->v, n * sizeof *x->v);
  *x->t = o->step.t1;
  if (o->s.m->nangles) ns_joint_angles(o->s.m, x->q, o->s.relation, x->angle);
  energies(o, x);
  return NS_OK;
}

static int accept(void *self, ns_ctx *c, ns_recorder *rec)
{
  d1_minus *o = self;
  ns_state *x = o->s.x;
  double contacts = x->cert->work_contact + o->contact;
  int rc = ns_contacts_output(o->s.k, c, x);
  x->cert->work_contact = contacts;
  for (int r = 0; r < o->s.k->nrows && !rc; r++)
    if (x->lambda[r] > 0 || x->mode[r] != NS_MODE_FREE) rc = row_event(o, c, rec, r);
  return rc;
}

static void save(const void *self, ns_blob *b)
{
  const d1_minus *o = self;
  ns_blob_put_reals(b, o->before, o->s.m->nrows);
  ns_blob_put_reals(b, o->gain, o->s.m->nrows);
  ns_stepper_save(&o->s, b);
}

static void restore(void *self, ns_blob *b)
{
  d1_minus *o = self;
  ns_blob_get_reals(b, o->before, o->s.m->nrows);
  ns_blob_get_reals(b, o->gain, o->s.m->nrows);
  ns_stepper_restore(&o->s, b);
}

const ns_strategy_ops ns_d1_minus = {
    NS_TIME_STEPPING(ns_time_stepping_step),
    .help = "half-explicit scheme of second order away from impacts",
    .integrator = "D1MinusLinearOSI",
    .start = start,
    .report = ns_time_stepping_report,
    .savable = ns_time_stepping_savable,
    .save = save,
    .restore = restore,
    .steps = &(const ns_step_ops){.size = sizeof(d1_minus),
                                  .create = fill,
                                  .restart = restart,
                                  .make = make,
                                  .commit = commit,
                                  .accept = accept}};
