/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/schatzman_paoli.h"

#include "algebra/vector.h"
#include "model/relations/output.h"
#include "model/systems/lagrangian.h"
#include "model/systems/mechanics.h"
#include "simulation/record/events.h"
#include "simulation/step/failure.h"
#include "simulation/step/stepper.h"
#include "simulation/step/time_stepping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct schatzman_paoli {
  ns_time_stepping step;
  ns_stepper s;
  double theta, gap;  /* gap: what y0 counts as closed */
  double *q, *v;      /* new [nv] */
  double *f, *r;      /* F at the end, right-hand side [nv] */
  double *a, *b;      /* differences [nv] */
  double *y0, *yfree; /* y(q-), y(q_free) [nrows] */
  /* rows that are not linear: q_free and the points of their laws [nv], (1 + e) y there, y and bias
   * of all rows [nrows]; work of the contacts in the step */
  double *free, *point, *law, *of_rows;
  double contact;
  double *y, *rhs;          /* y(q) at the begin; of the problem [nrows] */
  double *before, *impulse; /* of impacts that are half done: in the state [nrows] */
} schatzman_paoli;

static int get_memory(schatzman_paoli *o, ns_ctx *c)
{
  const ns_model *m = o->s.m;
  double **vec[] = {&o->q, &o->v, &o->f, &o->r, &o->a, &o->b, &o->free, &o->point},
         **row[] = {&o->y0, &o->yfree, &o->y, &o->rhs, &o->law, &o->of_rows};
  int rc = ns_time_stepping_vectors(&o->step, c, m->nv, sizeof vec / sizeof *vec, vec);
  return rc ? rc : ns_time_stepping_vectors(&o->step, c, m->nrows, sizeof row / sizeof *row, row);
}

/* M, C, K are constant, and other forces do not depend on the state. */
static int is_linear(const ns_system *s)
{
  if (!ns_system_is_rigid(s)) return ns_lagrangian_is_linear(s);
  return !s->rigid.fext_in_body && !s->rigid.fint.how && !s->rigid.mint.how;
}

static const ns_place *between_bodies(const ns_model *m)
{
  if (m->nforces) return &m->forces[0].at;
  for (int i = 0; i < m->ninteractions; i++)
    if (m->interactions[i].relation->flags & NS_REL_JOINT && m->interactions[i].drive)
      return &m->interactions[i].at;
  return NULL;
}

/* Linear systems, and relations that do not move by themselves. */
static int refuse(const ns_model *m, ns_ctx *c)
{
  const ns_place *force = between_bodies(m);
  for (int i = 0; i < m->nsystems; i++)
    if (!is_linear(&m->systems[i]))
      return ns_fail_at(c, NS_MODEL, &m->systems[i].at,
                        "its mass or forces depend on the state, expected constant M, C, K for "
                        "SchatzmanPaoliOSI; MoreauJeanOSI supports all systems");
  if (force)
    return ns_fail_at(c, NS_MODEL, force,
                      "its force depends on the state, expected bodies without forces between "
                      "them for SchatzmanPaoliOSI; MoreauJeanOSI supports all forces");
  for (int i = 0; i < m->ninteractions; i++)
    if (ns_interaction_is_driven(&m->interactions[i]))
      return ns_fail_at(c, NS_MODEL, &m->interactions[i].at,
                        "its relation depends on time, expected a relation of positions alone for "
                        "SchatzmanPaoliOSI, whose law is of positions at two times; MoreauJeanOSI "
                        "supports all relations");
  return NS_OK;
}

static int fill(void *self, ns_ctx *c, ns_plan *plan)
{
  schatzman_paoli *o = self;
  const ns_model *m = o->step.m;
  double h = o->step.h, th = o->theta = m->sim.mj.theta;
  int rc = refuse(m, c);
  if (!rc)
    rc = ns_time_stepping_over(&o->step, c, &o->s, "SchatzmanPaoliOSI", NS_STEPS_EQUALITIES,
                               h * th / 2, h * h * th, plan);
  o->before = o->step.x->previous + m->nq;
  o->impulse = o->before + m->nrows;
  return rc ? rc : get_memory(o, c);
}

/* ---- forces and energies --------------------------------------------------------------------- */

static int external(schatzman_paoli *o, ns_ctx *c, double t, double *f)
{
  const ns_model *m = o->s.m;
  int rc = NS_OK;
  for (int i = 0; i < m->nsystems && !rc; i++) {
    const ns_system *s = &m->systems[i];
    ns_point p = ns_system_point(s, t, o->s.x->q, o->s.x->v, o->s.x->z);
    if (ns_system_is_rigid(s)) rc = ns_mechanics_force(s, c, &p, o->s.work, f + s->q, o->b + s->q);
    else rc = ns_operator_eval(&s->fext, c, &p, o->s.work, f + s->q);
  }
  return rc;
}

/* y += a A x, A = C or K of all systems. */
static void multiply(const ns_model *m, int damping, double a, const double *x, double *y)
{
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    const ns_operator *A = damping ? &s->damping : &s->stiffness;
    if (!ns_system_is_rigid(s) && A->how) ns_operator_gemv_add(a, A, x + s->q, y + s->q);
  }
}

/* Energies of the half step from q to q1 (schatzman_paoli.h). */
static void energies(schatzman_paoli *o, const double *q, const double *q1, double *kinetic,
                     double *potential)
{
  const ns_model *m = o->s.m;
  size_t n = m->nv;
  for (size_t i = 0; i < n; i++) o->a[i] = (q1[i] - q[i]) / o->s.h;
  memset(o->b, 0, n * sizeof *o->b);
  ns_matrices_multiply(o->s.matrices, 1, o->a, o->b);
  *kinetic = ns_dot(n, o->a, o->b) / 2;
  memset(o->b, 0, n * sizeof *o->b);
  multiply(m, 0, 1, q1, o->b);
  *potential = ns_dot(n, o->b, q) / 2;
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    ns_mechanics_known(s, o->a + s->q);
    for (size_t j = s->q; j < s->q + (size_t)s->n; j++)
      if (o->a[j] != 0) *potential -= o->a[j] * (q[j] + q1[j]) / 2;
  }
}

/* Work of damping and of forces that are not constant: along (q+ - q-)/2 = h v+. */
static double work(schatzman_paoli *o)
{
  const ns_model *m = o->s.m;
  const ns_state *x = o->s.x;
  double th = o->theta, w = 0;
  for (size_t i = 0; i < m->nv; i++) o->a[i] = th * o->v[i] + (1 - th) * x->v[i];
  memset(o->b, 0, m->nv * sizeof *o->b);
  multiply(m, 1, -1, o->a, o->b);
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    double *known = o->a;
    ns_mechanics_known(s, known + s->q);
    for (size_t j = s->q; j < s->q + (size_t)s->n; j++)
      if (o->f[j] != known[j] || x->f[j] != known[j])
        o->b[j] += th * o->f[j] + (1 - th) * x->f[j] - known[j];
  }
  w = ns_dot(m->nv, o->b, o->v) * o->s.h;
  return w;
}

/* ---- rows that are not linear ---------------------------------------------------------------- */

/* H of the rows at the points (q + e q-)/(1 + e) of their laws, and (1 + e) y there; as H is read
 * before the first step, where q- is not known yet, that is q. */
static int look(schatzman_paoli *o, ns_ctx *c, const double *q)
{
  const ns_model *m = o->s.m;
  ns_contacts *k = o->s.k;
  ns_state *x = o->s.x;
  const double *before = q == x->q ? q : x->previous;
  double e = NAN;
  int rc = NS_OK;
  for (int i = 0; i < m->ninteractions && !rc; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (it->m == 0) continue;
    double own = k->restitution[it->row];
    if (own != e) { /* most have the same */
      e = own;
      for (size_t j = 0; j < m->nv; j++) o->point[j] = (q[j] + e * before[j]) / (1 + e);
      rc = ns_contacts_positions(k, c, x, o->point, x->v, o->of_rows);
    }
    for (size_t r = it->row; r < it->row + (size_t)it->m; r++) o->law[r] = (1 + e) * o->of_rows[r];
    if (!rc && k->moves[it->row])
      rc = ns_contacts_linearise_alone(k, c, it, k->t1, o->point, x->v, x->z);
  }
  return rc;
}

/* ---- start ----------------------------------------------------------------------------------- */

/* Acceleration at t0 into o->a: W^-1 (F - C v - K q) with the forces of closed contacts, which
 * differs from that of M by O(h). */
static int acceleration(schatzman_paoli *o, ns_ctx *c)
{
  ns_stepper *s = &o->s;
  ns_contacts *k = s->k;
  ns_state *x = s->x;
  ns_step_report report = {0};
  memcpy(o->a, x->f, s->m->nv * sizeof *o->a);
  multiply(s->m, 1, -1, x->v, o->a);
  multiply(s->m, 0, -1, x->q, o->a);
  ns_matrices_solve(s->matrices, o->a);
  for (int u = 0; u < k->nunits; u++) {
    int r = k->unit[u].first;
    s->chosen[u] = x->y[r] <= 1e-12 && x->ydot[r] <= 1e-12;
  }
  ns_contacts_select(k, x, *x->t, s->h, s->chosen);
  int rc = k->nmoving ? look(o, c, x->q) : NS_OK;
  if (!rc) rc = ns_contacts_bias(k, c, x, x->q, x->v, o->of_rows);
  if (rc) return rc;
  for (int i = 0; i < k->n; i++) {
    o->rhs[i] = ns_rows_dot(&k->H, k->active[i], o->a) + o->of_rows[k->active[i]];
    k->z[i] = 0;
  }
  rc = k->n ? ns_stepper_solve(s, c, o->rhs, &report) : NS_OK;
  if (!rc) ns_contacts_apply(k, o->a);
  return rc;
}

static int first_position(schatzman_paoli *o, ns_ctx *c)
{
  ns_stepper *s = &o->s;
  ns_state *x = s->x;
  double h = s->h;
  int second = s->m->sim.sp_start == NS_SP_ACCELERATION, rc = second ? acceleration(o, c) : NS_OK;
  for (size_t i = 0; i < s->m->nv; i++)
    x->previous[i] = x->q[i] - h * x->v[i] + (second ? h * h / 2 * o->a[i] : 0);
  energies(o, x->previous, x->q, &x->cert->kinetic, &x->cert->potential);
  x->cert->energy0 = x->cert->kinetic + x->cert->potential;
  return rc;
}

static int start(void *self, ns_ctx *c)
{
  schatzman_paoli *o = self;
  ns_state *x = o->s.x;
  memset(x->p, 0, o->s.m->nv * sizeof *x->p);
  int rc = external(o, c, *x->t, x->f);
  if (!rc && *x->step == 0) rc = first_position(o, c);
  memset(o->s.chosen, 1, (size_t)o->s.k->nunits);
  return rc;
}

/* Forces; of positions and velocities the scheme has its own, ns_simulation_create refuses to
 * change them. */
static int restart(void *self, ns_ctx *c, int set)
{
  schatzman_paoli *o = self;
  (void)set;
  return external(o, c, *o->s.x->t, o->s.x->f);
}

/* ---- the step -------------------------------------------------------------------------------- */

static void free_position(schatzman_paoli *o)
{
  const ns_stepper *s = &o->s;
  const ns_state *x = s->x;
  size_t n = s->m->nv;
  double h = s->h, th = o->theta, *r = o->r;
  for (size_t i = 0; i < n; i++) {
    r[i] = h * h * (th * o->f[i] + (1 - th) * x->f[i]);
    o->a[i] = x->q[i] - x->previous[i];
    o->b[i] = th * o->a[i] / (2 * h) + (1 - th) * x->v[i];
  }
  ns_matrices_multiply(s->matrices, 1, o->a, r);
  multiply(s->m, 1, -h * h, o->b, r);
  multiply(s->m, 0, -h * h, x->q, r);
  ns_matrices_solve(s->matrices, r);
  ns_linear_sum(n, x->q, 1, r, o->q);
}

/* The position q_free + h W^-1 H^T P of the impulses of rows as they are linearised at o->q; most:
 * its largest change, within what is left of Newton's method. */
static int correct(schatzman_paoli *o, ns_ctx *c, ns_step_report *report, double *max)
{
  static const double CLOSE = 1e-12;
  ns_contacts *k = o->s.k;
  size_t n = o->s.m->nv;
  double h = o->s.h, size = 0;
  ns_linear_sum(n, o->free, -1, o->q, o->b);
  for (int i = 0; i < k->n; i++)
    o->rhs[i] = (o->law[k->active[i]] + ns_rows_dot(&k->H, k->active[i], o->b)) / h;
  int rc = ns_stepper_solve(&o->s, c, o->rhs, report);
  if (rc) return rc;
  memset(o->a, 0, n * sizeof *o->a);
  ns_contacts_apply(k, o->a);
  *max = 0;
  for (size_t i = 0; i < n; i++) {
    double q = o->free[i] + h * o->a[i];
    *max = fmax(*max, fabs(q - o->q[i]));
    size = fmax(size, fabs(q));
    o->q[i] = q;
  }
  *max /= CLOSE * size > 0 ? CLOSE * size : 1;
  return NS_OK;
}

/* Newton's method for rows that are not linear. */
static int iterate(schatzman_paoli *o, ns_ctx *c, ns_step_report *report)
{
  const ns_contacts *k = o->s.k;
  double max = INFINITY;
  int rc = NS_OK, passes = 0, limit = o->s.m->sim.ts.newton_max;
  memcpy(o->free, o->q, o->s.m->nv * sizeof *o->free);
  for (; !rc && max > 1 && passes < limit; passes++) {
    rc = look(o, c, o->q);
    if (!rc) rc = correct(o, c, report, &max);
  }
  if (rc || max <= 1) return rc;
  ns_suspect w = {.part = 0};
  for (int i = 0; i < k->n; i++)
    if (k->z[i] != 0)
      ns_suspect_row(&w, &o->s.m->interactions[k->interaction[k->active[i]]], -1, max);
  return ns_fail_newton(c, o->s.m, *o->s.x->t, max, &w, passes);
}

/* (y(q_free) + e y(q-))/h: the unknown is an impulse then. */
static int contact(schatzman_paoli *o, ns_ctx *c, ns_step_report *report)
{
  ns_stepper *s = &o->s;
  ns_contacts *k = s->k;
  ns_state *x = s->x;
  double h = s->h;
  int rc = ns_contacts_positions(k, c, x, x->previous, x->v, o->y0);
  if (!rc) rc = ns_contacts_positions(k, c, x, o->q, x->v, o->yfree);
  if (rc || !k->n) return rc;
  if (k->nmoving) return iterate(o, c, report);
  for (int i = 0; i < k->n; i++)
    o->rhs[i] = (o->yfree[k->active[i]] + k->restitution[k->active[i]] * o->y0[k->active[i]]) / h;
  rc = ns_stepper_solve(s, c, o->rhs, report);
  if (rc) return rc;
  memset(o->a, 0, s->m->nv * sizeof *o->a);
  ns_contacts_apply(k, o->a);
  ns_axpy(s->m->nv, h, o->a, o->q);
  return NS_OK;
}

/* An impact begins in one step and ends in the next: it is kept until then. */
static int row_event(schatzman_paoli *o, ns_ctx *c, ns_recorder *rec, int r)
{
  ns_state *x = o->s.x;
  double h = o->s.h, P = x->lambda[r], before = (o->y[r] - o->y0[r]) / h,
         after = (x->y[r] - o->y[r]) / h;
  double gain = (o->yfree[r] - o->y[r]) / h - before;
  int half = o->impulse[r] > 0;
  if (!half && P > 0 && x->mode[r] == NS_MODE_FREE && before < 0) {
    o->impulse[r] = P;
    o->before[r] = before;
    return NS_OK;
  }
  ns_event e = {.t = *x->t,
                .before = half ? o->before[r] : before,
                .after = after,
                .impulse = P + o->impulse[r]};
  o->impulse[r] = 0;
  int kind = ns_events_row(x, r, &e, e.before + gain);
  return kind < 0 || !rec ? NS_OK
                          : ns_events_report(rec, c, o->s.m, o->s.k->interaction[r], r, kind, &e);
}

static int events(schatzman_paoli *o, ns_ctx *c, ns_recorder *rec)
{
  const ns_state *x = o->s.x;
  int rc = NS_OK;
  for (int r = 0; r < o->s.k->nrows && !rc; r++)
    if (ns_has_events(o->s.k, r) &&
        (x->lambda[r] > 0 || x->mode[r] != NS_MODE_FREE || o->impulse[r] > 0))
      rc = row_event(o, c, rec, r);
  return rc;
}

static int make(void *self, ns_ctx *c, ns_step_report *report)
{
  schatzman_paoli *o = self;
  ns_stepper *s = &o->s;
  ns_state *x = s->x;
  int rc = external(o, c, o->step.t1, o->f);
  if (rc) return rc;
  free_position(o);
  ns_contacts_select(s->k, x, o->step.t1, s->h, s->chosen);
  rc = contact(o, c, report);
  for (size_t i = 0; i < s->m->nv && !rc; i++) o->v[i] = (o->q[i] - x->previous[i]) / (2 * s->h);
  if (!rc) rc = ns_stepper_finite(s, c, o->q, o->v);
  o->contact = 0;
  for (int i = 0; i < s->k->n && s->k->nmoving && !rc; i++)
    o->contact += s->k->z[i] * ns_rows_dot(&s->k->H, s->k->active[i], o->v);
  return !rc && s->k->nmoving ? ns_contacts_foresee(s->k, c, x, o->q, o->v) : rc;
}

static int commit(void *self, ns_ctx *c, ns_recorder *rec)
{
  schatzman_paoli *o = self;
  ns_state *x = o->s.x;
  size_t bytes = o->s.m->nv * sizeof(double);
  (void)c, (void)rec;
  memcpy(o->y, x->y, o->s.m->nrows * sizeof *o->y);
  x->cert->work_force += work(o);
  energies(o, x->q, o->q, &x->cert->kinetic, &x->cert->potential);
  memcpy(x->previous, x->q, bytes);
  memcpy(x->q, o->q, bytes);
  memcpy(x->v, o->v, bytes);
  memcpy(x->f, o->f, bytes);
  *x->t = o->step.t1;
  if (o->s.m->nangles) ns_joint_angles(o->s.m, x->q, o->s.relation, x->angle);
  return NS_OK;
}

static int accept(void *self, ns_ctx *c, ns_recorder *rec)
{
  schatzman_paoli *o = self;
  ns_state *x = o->s.x;
  const ns_contacts *k = o->s.k;
  double contacts = x->cert->work_contact;
  int rc = ns_contacts_output(o->s.k, c, x);
  if (k->nmoving) contacts += o->contact;
  else
    for (int i = 0; i < k->n; i++) contacts += k->z[i] * x->ydot[k->active[i]];
  x->cert->work_contact = contacts;
  return rc ? rc : events(o, c, rec);
}

static void save(const void *self, ns_blob *b)
{
  ns_stepper_save(&((const schatzman_paoli *)self)->s, b);
}

static void restore(void *self, ns_blob *b)
{
  schatzman_paoli *o = self;
  memset(o->s.chosen, 1, (size_t)o->s.k->nunits);
  ns_stepper_restore(&o->s, b);
}

const ns_strategy_ops ns_schatzman_paoli = {
    NS_TIME_STEPPING(ns_time_stepping_step),
    .help = "position-level scheme of Paoli and Schatzman, M, C, K constant",
    .integrator = "SchatzmanPaoliOSI",
    .start = start,
    .report = ns_time_stepping_report,
    .savable = ns_time_stepping_savable,
    .save = save,
    .restore = restore,
    .steps = &(const ns_step_ops){.size = sizeof(schatzman_paoli),
                                  .create = fill,
                                  .restart = restart,
                                  .make = make,
                                  .commit = commit,
                                  .accept = accept}};
