/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/schatzman_paoli.h"

#include "algebra/vector.h"
#include "model/systems/lagrangian.h"
#include "simulation/record/events.h"
#include "simulation/step/stepper.h"
#include "simulation/step/time_stepping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct schatzman_paoli {
  ns_time_stepping step;
  ns_stepper s;
  double theta, gap; /* gap: what y0 counts as closed */
  ns_arena *mem;
  double *q, *v;            /* new [nv] */
  double *f, *r;            /* F at the end, right-hand side [nv] */
  double *a, *b;            /* differences [nv] */
  double *y0, *yfree;       /* y(q-), y(q_free) [nrows] */
  double *y, *rhs;          /* y(q) at the begin; of the problem [nrows] */
  double *work, *kept;      /* of forces; user vectors [nz] */
  double *before, *impulse; /* of impacts that are half done: in the state [nrows] */
} schatzman_paoli;

static void destroy(void *self)
{
  schatzman_paoli *o = self;
  ns_stepper_fini(&o->s);
  ns_arena_destroy(o->mem);
}

static int get_memory(schatzman_paoli *o)
{
  const ns_model *m = o->s.m;
  double **vec[] = {&o->q, &o->v, &o->f, &o->r, &o->a, &o->b},
         **row[] = {&o->y0, &o->yfree, &o->y, &o->rhs};
  int ok = (o->work = ns_arena_zero(o->mem, ns_lagrangian_work_most(m), sizeof(double))) != NULL;
  ok = (o->kept = ns_arena_zero(o->mem, m->nz, sizeof(double))) && ok;
  for (size_t k = 0; k < sizeof vec / sizeof *vec; k++)
    ok = (*vec[k] = ns_arena_zero(o->mem, m->nv, sizeof(double))) && ok;
  for (size_t k = 0; k < sizeof row / sizeof *row; k++)
    ok = (*row[k] = ns_arena_zero(o->mem, m->nrows, sizeof(double))) && ok;
  return ok ? NS_OK : NS_NOMEM;
}

/* Linear systems and relations only. */
static int refuse(const ns_model *m, ns_ctx *c)
{
  char at[512];
  for (int i = 0; i < m->nsystems; i++)
    if (!ns_lagrangian_is_linear(&m->systems[i]))
      return ns_fail(c, NS_MODEL,
                     "%s: its mass or forces depend on the state, expected constant M, C, K for "
                     "SchatzmanPaoliOSI; MoreauJeanOSI supports all systems",
                     ns_place_text(&m->systems[i].at, at, sizeof at));
  for (int i = 0; i < m->ninteractions; i++)
    if (!(m->interactions[i].relation->flags & NS_REL_LINEAR))
      return ns_fail(c, NS_MODEL,
                     "%s: its relation is not linear, expected LagrangianLinearTIR for "
                     "SchatzmanPaoliOSI; MoreauJeanOSI supports all relations",
                     ns_place_text(&m->interactions[i].at, at, sizeof at));
  return NS_OK;
}

static int fill(void *self, ns_ctx *c, ns_plan *plan)
{
  schatzman_paoli *o = self;
  const ns_model *m = o->step.m;
  double h = o->step.h, th = o->theta = m->sim.mj.theta;
  int rc = refuse(m, c);
  if (!rc)
    rc = ns_stepper_init(c, m, o->step.x, "SchatzmanPaoliOSI", NS_STEPS_EQUALITIES, h * th / 2,
                         h * h * th, &o->s);
  if (!rc && (!(o->mem = ns_arena_create(0, 1)) || get_memory(o)))
    rc = ns_nomem(c, "time-stepping");
  if (rc) return rc;
  o->before = o->step.x->previous + m->nq;
  o->impulse = o->before + m->nrows;
  ns_stepper_describe(&o->s, "SchatzmanPaoliOSI", ns_arena_used(o->mem), plan);
  return NS_OK;
}

/* ---- forces and energies --------------------------------------------------------------------- */

static int external(schatzman_paoli *o, ns_ctx *c, double t, double *f)
{
  const ns_model *m = o->s.m;
  int rc = NS_OK;
  for (int i = 0; i < m->nsystems && !rc; i++) {
    const ns_system *s = &m->systems[i];
    ns_point p = ns_lagrangian_point(s, t, o->s.x->q, o->s.x->v, o->s.x->z);
    rc = ns_operator_eval(&s->fext, c, &p, o->work, f + s->q);
  }
  return rc;
}

/* y += a A x, A = C or K of all systems. */
static void multiply(const ns_model *m, int damping, double a, const double *x, double *y)
{
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    const ns_operator *A = damping ? &s->damping : &s->stiffness;
    if (A->how) ns_operator_gemv_add(a, A, x + s->q, y + s->q);
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
    for (size_t j = 0; j < (size_t)s->n && s->fext.how == NS_OP_CONSTANT; j++)
      *potential -= s->fext.value[j] * (q[s->q + j] + q1[s->q + j]) / 2;
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
    for (size_t j = s->q; j < s->q + (size_t)s->n && s->fext.how > NS_OP_CONSTANT; j++)
      o->b[j] += th * o->f[j] + (1 - th) * x->f[j];
  }
  w = ns_dot(m->nv, o->b, o->v) * o->s.h;
  return w;
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
  for (int i = 0; i < k->n; i++) {
    o->rhs[i] = ns_rows_dot(&k->H, k->active[i], o->a);
    k->z[i] = 0;
  }
  int rc = k->n ? ns_stepper_solve(s, c, o->rhs, &report) : NS_OK;
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

static int renew_laws(void *self, ns_ctx *c)
{
  schatzman_paoli *o = self;
  return ns_contacts_renew_laws(o->s.k, c, o->s.x, o->s.h);
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
  for (size_t i = 0; i < n; i++) o->q[i] = x->q[i] + r[i];
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
  for (int i = 0; i < k->n; i++)
    o->rhs[i] = (o->yfree[k->active[i]] + k->restitution[k->active[i]] * o->y0[k->active[i]]) / h;
  rc = ns_stepper_solve(s, c, o->rhs, report);
  if (rc) return rc;
  memset(o->a, 0, s->m->nv * sizeof *o->a);
  ns_contacts_apply(k, o->a);
  for (size_t i = 0; i < s->m->nv; i++) o->q[i] += h * o->a[i];
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
                          : ns_events_tell(rec, c, o->s.m, o->s.k->interaction[r], r, kind, &e);
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

static int begin(void *self, ns_ctx *c)
{
  schatzman_paoli *o = self;
  memcpy(o->kept, o->s.x->z, o->s.m->nz * sizeof *o->kept);
  return external(o, c, o->step.t1, o->f);
}

/* All of the step is one pass. */
static int solve(void *self, ns_ctx *c, ns_pass *p)
{
  schatzman_paoli *o = self;
  ns_stepper *s = &o->s;
  ns_state *x = s->x;
  ns_step_report report = {0};
  free_position(o);
  ns_contacts_select(s->k, x, o->step.t1, s->h, s->chosen);
  int rc = contact(o, c, &report);
  for (size_t i = 0; i < s->m->nv && !rc; i++) o->v[i] = (o->q[i] - x->previous[i]) / (2 * s->h);
  if (!rc) rc = ns_stepper_finite(s, c, o->q, o->v);
  if (rc) memcpy(x->z, o->kept, s->m->nz * sizeof *o->kept);
  p->out = (ns_outcome){
      .kind = NS_SOLVED, .iterations = (int)report.iterations, .residual = report.residual};
  p->active = (int)report.active;
  return rc;
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
  return NS_OK;
}

static int accept(void *self, ns_ctx *c, ns_recorder *rec)
{
  schatzman_paoli *o = self;
  ns_state *x = o->s.x;
  const ns_contacts *k = o->s.k;
  double contacts = x->cert->work_contact;
  int rc = ns_contacts_output(o->s.k, c, x);
  for (int i = 0; i < k->n; i++) contacts += k->z[i] * x->ydot[k->active[i]];
  x->cert->work_contact = contacts;
  return rc ? rc : events(o, c, rec);
}

static void report(void *self)
{
  schatzman_paoli *o = self;
  ns_contacts_report(o->s.k, o->s.x);
}

static int watch(void *self, ns_ctx *c, const ns_watch *w)
{
  return ns_stepper_watch(&((schatzman_paoli *)self)->s, c, w);
}

static int savable(const void *self)
{
  return ns_stepper_savable(&((const schatzman_paoli *)self)->s);
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

static const ns_memory memory = {.save = save, .restore = restore};

static const ns_step_ops steps = {.size = sizeof(schatzman_paoli),
                                  .create = fill,
                                  .destroy = destroy,
                                  .restart = restart,
                                  .renew_laws = renew_laws,
                                  .begin = begin,
                                  .solve = solve,
                                  .commit = commit,
                                  .accept = accept,
                                  .watch = watch};

static int create(ns_ctx *c, const ns_model *m, ns_state *x, ns_plan *plan, void **self)
{
  return ns_time_stepping_create(c, m, x, plan, &steps, self);
}

const ns_strategy_ops ns_schatzman_paoli = {
    NS_TIME_STEPPING(ns_time_stepping_step),
    .help = "position-level scheme of Paoli and Schatzman for linear systems",
    .create = create,
    .start = start,
    .report = report,
    .integrator = "SchatzmanPaoliOSI",
    .memory = &memory,
    .savable = savable};
