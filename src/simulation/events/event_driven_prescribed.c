/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_prescribed.c -- coordinates J whose velocities are functions of time, v_j = V_j(t)
 * (<fixed>: 0).
 *
 * They are no unknowns of the mechanics: with M^-1 of the other coordinates, zero in rows J
 * (matrices.h), accelerations and velocities after a jump of V are
 *
 *   a = M^-1 (F - M A) + A,    v+ = v- - M^-1 M d + d,    in J: A = dV/dt, d = V - v-; else 0
 *
 * and no row pushes them. What does is the support, rows J of M a - F - H^T lambda, or of
 * M (v+ - v-) - H^T P at an event, whose work is that of a force. The flow integrates A, so that
 * its errors are judged there; velocities of the state are V itself. */
#include "algebra/vector.h"
#include "simulation/events/event_driven_modes.h"

#include <math.h>
#include <string.h>

/* ---- creation -------------------------------------------------------------------------------- */

int ns_ed_prescribed_create(event_driven *o, ns_ctx *c)
{
  const ns_model *m = o->s.m;
  ns_prescribed *p = &o->prescribed;
  size_t nv = m->nv, d = sizeof(double), max = (size_t)ns_model_count_held(m);
  unsigned char *held;
  const ns_array want[] = {{&p->pull, nv, d},
                           {&p->at, nv, d},
                           {&p->was, nv, d},
                           {&p->jump, nv, d},
                           {&p->rest, nv, d},
                           {&p->work, ns_model_targets_work(m), d},
                           {&p->dof, max, sizeof *p->dof},
                           {&p->impulse, max, d},
                           {&held, nv, 1}};
  if (!max) return NS_OK;
  if (ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want))
    return ns_nomem(c, "prescribed velocities");
  ns_model_mark_held(m, held);
  for (size_t i = 0; i < nv; i++)
    if (held[i]) p->dof[p->n++] = (int)i;
  for (int i = 0; i < m->nboundaries; i++) p->moves |= m->boundaries[i].value.how != NS_OP_ABSENT;
  return NS_OK;
}

/* ---- motion ---------------------------------------------------------------------------------- */

/* x := M^-1 (x - M y) + y for y in J alone; other entries of y are 0. */
static void solve_beside(event_driven *o, const double *y, double *x)
{
  const ns_prescribed *p = &o->prescribed;
  ns_matrices_multiply(o->s.matrices, -1, y, x);
  ns_matrices_solve(o->s.matrices, x);
  for (int i = 0; i < p->n; i++) x[p->dof[i]] += y[p->dof[i]];
}

int ns_ed_accelerate(event_driven *o, double t, int pushed)
{
  ns_prescribed *p = &o->prescribed;
  int rc = p->failed;
  if (p->n) memcpy(p->pull, o->a, o->s.m->nv * sizeof *o->a);
  if (!p->moves) ns_matrices_solve(o->s.matrices, o->a);
  else if (!rc) {
    rc = ns_model_target_rates(o->s.m, o->run.c, t, p->work, p->at);
    ns_ed_life_stay(o, p->at);
    solve_beside(o, p->at, o->a);
  }
  p->pushed = pushed;
  return rc;
}

/* p->rest := M a - F, less H^T lambda where that is not in F yet. */
static void find_rest(event_driven *o)
{
  const ns_prescribed *p = &o->prescribed;
  const ns_contacts *k = o->s.k;
  size_t nv = o->s.m->nv;
  for (size_t i = 0; i < nv; i++) p->rest[i] = -p->pull[i];
  ns_matrices_multiply(o->s.matrices, 1, o->a, p->rest);
  for (int i = 0; i < k->n && !p->pushed; i++)
    if (!ns_ed_is_compliant(o, k->active[i])) /* these are in F */
      ns_rows_add(&k->H, k->active[i], -o->force[k->active[i]], p->rest);
}

void ns_ed_support(event_driven *o)
{
  const ns_prescribed *p = &o->prescribed;
  if (!p->n) return;
  find_rest(o);
  for (int i = 0; i < p->n; i++) o->s.x->support[p->dof[i]] = p->rest[p->dof[i]];
}

double ns_ed_support_power(event_driven *o, const double *v)
{
  const ns_prescribed *p = &o->prescribed;
  double power = 0;
  if (!p->moves) return 0;
  find_rest(o);
  for (int i = 0; i < p->n; i++) power += p->rest[p->dof[i]] * v[p->dof[i]];
  return power;
}

void ns_ed_prescribe(event_driven *o, double t, double *v)
{
  ns_prescribed *p = &o->prescribed;
  if (!p->n || p->failed) return;
  p->failed = ns_model_targets(o->s.m, o->run.c, t, p->work, p->at);
  for (int i = 0; i < p->n && !p->failed; i++)
    if (!ns_ed_body_is_away(o, p->dof[i])) v[p->dof[i]] = p->at[p->dof[i]];
}

/* ---- events ---------------------------------------------------------------------------------- */

int ns_ed_velocities_jump(event_driven *o)
{
  static const double ROUNDING = 1e-12;
  ns_prescribed *p = &o->prescribed;
  const ns_state *x = o->s.x;
  int some = 0;
  if (!p->n) return 0;
  if (!p->failed) p->failed = ns_model_targets(o->s.m, o->run.c, *x->t, p->work, p->at);
  for (int i = 0; i < p->n && !p->failed; i++) {
    double target = p->at[p->dof[i]];
    double by = ns_ed_body_is_away(o, p->dof[i]) ? 0 : target - x->v[p->dof[i]];
    p->at[p->dof[i]] = by;
    some |= fabs(by) > o->opt->speed_tol + ROUNDING * fabs(target);
  }
  return some;
}

/* Impulses of the supports, M (v+ - v-) plus p->rest, - H^T P of the rows, with v- in p->was, and
 * their work. */
static void take_impulses(event_driven *o)
{
  ns_prescribed *p = &o->prescribed;
  const ns_state *x = o->s.x;
  double *change = p->was;
  ns_linear_sum(o->s.m->nv, x->v, -1, p->was, change);
  ns_matrices_multiply(o->s.matrices, 1, change, p->rest);
  for (int i = 0; i < p->n; i++) {
    int j = p->dof[i];
    p->impulse[i] += p->rest[j];
    x->cert->work_force += p->rest[j] * (x->v[j] - change[j] / 2);
  }
}

int ns_ed_take_velocities(event_driven *o)
{
  ns_prescribed *p = &o->prescribed;
  ns_state *x = o->s.x;
  size_t nv = o->s.m->nv, bytes = nv * sizeof(double);
  int rc = NS_OK;
  if (!p->n) return NS_OK;
  memset(p->jump, 0, bytes);
  memset(p->impulse, 0, (size_t)p->n * sizeof *p->impulse);
  p->jumped = ns_ed_velocities_jump(o);
  if (!p->jumped) return p->failed;
  if (ns_matrices_moving(o->s.matrices))
    rc = ns_matrices_move(o->s.matrices, o->run.c, *x->t, x->q, x->v, x->z);
  if (rc) return rc;
  solve_beside(o, p->at, p->jump);
  memcpy(p->was, x->v, bytes);
  ns_axpy(nv, 1, p->jump, x->v);
  memset(p->rest, 0, bytes);
  take_impulses(o);
  return ns_ed_rows(o, *x->t, x->q, x->v, o->gap, o->speed);
}

void ns_ed_before_impulses(event_driven *o)
{
  if (o->prescribed.n) memcpy(o->prescribed.was, o->s.x->v, o->s.m->nv * sizeof(double));
}

void ns_ed_after_impulses(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  double *rest = o->prescribed.rest;
  if (!o->prescribed.n) return;
  memset(rest, 0, o->s.m->nv * sizeof *rest);
  for (int i = 0; i < k->n; i++) ns_rows_add(&k->H, k->active[i], -k->z[i], rest);
  take_impulses(o);
}

/* The system of coordinate j of all, and which of its own. */
static const ns_system *system_of(const event_driven *o, int j, int *own)
{
  const ns_model *m = o->s.m;
  int s = 0;
  while (s + 1 < m->nsystems && (int)m->systems[s + 1].v <= j) s++;
  *own = j - (int)m->systems[s].v;
  return &m->systems[s];
}

int ns_ed_report_velocities(event_driven *o)
{
  const ns_prescribed *p = &o->prescribed;
  const ns_state *x = o->s.x;
  int rc = NS_OK;
  for (int i = 0; i < p->n && p->jumped && !rc; i++) {
    int j = p->dof[i], own;
    if (p->jump[j] == 0) continue;
    const ns_system *s = system_of(o, j, &own);
    ns_event e = {.t = *x->t,
                  .kind = NS_EVENT_VELOCITY,
                  .interaction = -1,
                  .row = own,
                  .before = x->v[j] - p->jump[j],
                  .after = x->v[j],
                  .impulse = p->impulse[i],
                  .of = s->at.id};
    rc = ns_event_run_report(&o->run, &e);
  }
  return rc;
}
