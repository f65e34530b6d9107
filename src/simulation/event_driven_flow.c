/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/event_driven_parts.h"

#include "model/lagrangian.h"
#include "model/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------------------- */

static int is_linear(const ns_interaction *it) { return (it->relation->flags & NS_REL_LINEAR) != 0; }

/* Rows of H, from first to last. */
static void linear_rows(const ns_contacts *k, int first, int last, const double *q, const double *v, double *restrict gap,
                        double *restrict speed)
{
  const ns_rows H = k->H;
  const double *offset = k->offset;
  for (int r = first; r < last; r++) {
    double y, ydot;
    ns_rows_dot_both(&H, r, q, v, &y, &ydot);
    gap[r] = offset[r] + y;
    speed[r] = ydot;
  }
}

int ns_ed_output_of(event_driven *o, const ns_interaction *it, double t, const double *q, const double *v, double *gap, double *speed)
{
  return ns_interaction_output(o->s.m, o->c, it, t, q, v, o->s.x->z, o->force, NULL, o->relation, gap, speed);
}

int ns_ed_rows(event_driven *o, double t, const double *q, const double *v, double *gap, double *speed)
{
  const ns_contacts *k = o->s.k;
  const ns_model *m = o->s.m;
  if (o->linear) {
    linear_rows(k, 0, k->nrows, q, v, gap, speed);
    return NS_OK;
  }
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    int rc = NS_OK, first = (int)it->row;
    if (is_linear(it)) linear_rows(k, first, first + it->m, q, v, gap, speed);
    else rc = ns_ed_output_of(o, it, t, q, v, gap, speed);
    if (!rc && !is_linear(it)) rc = ns_ed_check_finite(o, it, t, gap, speed);
    if (rc) return rc;
  }
  return NS_OK;
}

/* ---- motion ------------------------------------------------------------------------------------------------- */

int ns_ed_free(event_driven *o, double t, const double *q, const double *v)
{
  const ns_model *m = o->s.m;
  int rc = NS_OK;
  if (ns_matrices_moving(o->s.matrices)) rc = ns_matrices_move(o->s.matrices, o->c, t, q, v, o->s.x->z);
  memcpy(o->a, o->steady, m->nv * sizeof *o->a);
  for (int i = 0; i < o->nlively && !rc; i++) {
    const ns_system *s = &m->systems[o->lively[i]];
    ns_point p = ns_lagrangian_point(s, t, q, v, o->s.x->z);
    rc = ns_lagrangian_force(s, o->c, &p, o->work, o->a + s->q, o->gyr + s->q);
  }
  return rc;
}

double ns_ed_power(event_driven *o, const double *q, const double *v)
{
  const ns_model *m = o->s.m;
  double w = 0;
  for (int i = 0; i < o->nlively; i++) {
    const ns_system *s = &m->systems[o->lively[i]];
    size_t j0 = s->q, n = (size_t)s->n;
    memcpy(o->work, o->a + j0, n * sizeof *o->work);
    if (s->stiffness.how) ns_operator_gemv_add(1, &s->stiffness, q + j0, o->work);
    for (size_t j = 0; j < n; j++)
      w += v[j0 + j] * (o->work[j] + o->gyr[j0 + j] - (s->fext.how == NS_OP_CONSTANT ? s->fext.value[j] : 0));
  }
  return w;
}

static int select_for(event_driven *o, double t, double h, const double *q, const double *v)
{
  ns_contacts *k = o->s.k;
  ns_contacts_select(k, o->s.x, t, h, o->s.chosen);
  if (o->varying) o->s.changed |= NS_W_ITERATE;
  k->fresh = 0;
  return k->n ? ns_contacts_linearise(k, o->c, o->s.x, q, v) : NS_OK;
}

int ns_ed_select(event_driven *o, double t, const double *q, const double *v) { return select_for(o, t, 1, q, v); }

/* Bounds of impulses are those of forces by the length of the step: here next to nothing. */
static const double INSTANT = 1e-290;

int ns_ed_select_impulses(event_driven *o, double t, const double *q, const double *v)
{
  return select_for(o, t, o->rub.wanted ? INSTANT : 1, q, v);
}

void ns_ed_list(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  ns_equalities *e = &o->equal;
  for (int i = 0; i < e->n; i++) o->place[o->row[i]] = -1;
  e->n = 0;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    if (!o->held[r]) continue;
    o->place[r] = e->n;
    o->row[e->n++] = r;
  }
}

/* Matrix of the rows that hold, factored. */
static void factor(event_driven *o, const double *v)
{
  if (o->factored && !o->varying && !o->rub.turning) return;
  if (o->varying) o->s.changed |= NS_W_ITERATE;
  ns_contacts_assemble(o->s.k, o->s.x, v, o->s.changed);
  o->s.changed = 0;
  if (o->rub.wanted) ns_ed_friction_slopes(o, v);
  ns_acceleration_factor(&o->hold, o->s.k, &o->equal);
  o->factored = 1;
}

int ns_ed_hold(event_driven *o, double t, const double *q, const double *v)
{
  const ns_contacts *k = o->s.k;
  for (int u = 0; u < k->nunits; u++) o->s.chosen[u] = o->mode[u] != NS_ED_FREE;
  int rc = ns_ed_select(o, t, q, v);
  ns_ed_list(o);
  o->factored = 0;
  if (!rc && k->n) factor(o, v);
  return rc;
}

/* Forces of what holds and what rubs at (t, q, v), added to the accelerations. */
static int hold(event_driven *o, double t, const double *q, const double *v)
{
  ns_contacts *k = o->s.k;
  const ns_equalities *e = &o->equal;
  int rc = NS_OK;
  if (!k->plain) {
    k->t1 = t;
    k->fresh = 0;
    rc = ns_contacts_linearise(k, o->c, o->s.x, q, v);
    if (!rc && k->nmoving) rc = ns_contacts_bias(k, o->c, o->s.x, q, v, o->bias);
  }
  if (rc) return rc;
  factor(o, v);
  if (o->rub.wanted) ns_ed_friction_push(o, &k->G);
  for (int i = 0; i < e->n; i++) o->rhs[i] = -ns_rows_dot(&k->H, e->row[i], o->a) - o->bias[e->row[i]];
  ns_acceleration_solve(&o->hold, o->rhs);
  for (int i = 0; i < e->n; i++) {
    o->force[e->row[i]] = o->rhs[i];
    ns_ed_add_force(o, &k->G, e->row[i], o->rhs[i], o->a);
  }
  if (o->rub.wanted) ns_ed_friction_rub(o);
  return NS_OK;
}

static double drive(const event_driven *o)
{
  const ns_contacts *k = o->s.k;
  double w = 0;
  for (int i = 0; i < k->n; i++) w -= o->force[k->active[i]] * k->shift[k->active[i]];
  return w;
}

int ns_ed_finite(event_driven *o, const double *f)
{
  size_t n = o->s.m->nv;
  double sum = 0;
  o->bad = -1;
  for (size_t i = 0; i < n; i++) sum += 0 * f[n + i]; /* NaN where one is not finite */
  for (size_t i = 0; i < n && sum != 0; i++)
    if (!isfinite(f[n + i])) o->bad = (int)(n + i);
  return o->bad >= 0;
}

void ns_ed_works(const event_driven *o, const double *v, double *f)
{
  if (o->drive_at >= 0) f[o->drive_at] = drive(o);
  if (o->rub_at >= 0) f[o->rub_at] = ns_ed_friction_power(o, v);
  if (o->force_at >= 0) f[o->force_at] = ns_ed_friction_size(o);
}

int ns_ed_motion(event_driven *o, double t, const double *q, const double *v, double *f)
{
  size_t n = o->s.m->nv;
  int rc = ns_ed_free(o, t, q, v);
  if (rc) return rc;
  memcpy(f, v, n * sizeof *f);
  if (o->work_at >= 0) f[o->work_at] = ns_ed_power(o, q, v);
  ns_matrices_solve(o->s.matrices, o->a);
  if (o->s.k->n) rc = hold(o, t, q, v);
  if (rc) return rc;
  ns_ed_works(o, v, f);
  memcpy(f + n, o->a, n * sizeof *f);
  return ns_ed_finite(o, f);
}

int ns_ed_rate(void *self, double t, const double *x, double *f)
{
  event_driven *o = self;
  return ns_ed_motion(o, t, ns_ed_positions(o, x), x + o->s.m->nv, f);
}

int ns_ed_roots(void *self, double t, const double *x, double *g)
{
  event_driven *o = self;
  size_t rows = o->s.m->nrows;
  int rc = ns_ed_gaps(o, t, x, o->gap, o->speed);
  if (!rc && o->asks_forces) rc = ns_ed_rate(o, t, x, o->rate);
  if (!rc && o->nuser) rc = ns_ed_user_roots(o, t, x, g + 2 * rows);
  for (size_t r = 0; r < rows && !rc; r++) {
    if (!o->held[r]) {
      ns_ed_gap_roots(o, (int)r, g + r, g + rows + r);
      continue;
    }
    g[r] = o->direction[r] ? o->force[r] + o->slack[r] : 1;
    g[rows + r] = 1;
  }
  if (!rc && o->rub.wanted) ns_ed_friction_roots(o, g);
  g[o->drift_root] = ns_ed_drift_root(o);
  return rc;
}

const char *ns_ed_name(void *self, size_t i, char *buf, size_t size)
{
  const event_driven *o = self;
  const ns_model *m = o->s.m;
  char name[64];
  if (o->bad >= 0) i = (size_t)o->bad;
  if (i >= 2 * m->nv) return "the work of forces";
  size_t d = i % m->nv;
  int s = 0;
  while (s + 1 < m->nsystems && m->systems[s + 1].q <= d) s++;
  const ns_system *sys = &m->systems[s];
  snprintf(buf, size, "%s %s of %s", i < m->nv ? "coordinate" : "the velocity of",
           ns_system_coordinate(sys, (int)(d - sys->q), name, sizeof name), sys->at.id ? sys->at.id : sys->kind->name);
  return buf;
}

/* ---- flow ------------------------------------------------------------------------------------------------------ */

void ns_ed_pack(event_driven *o)
{
  size_t n = o->s.m->nv;
  const ns_state *x = o->s.x;
  for (size_t i = 0; i < n; i++) o->unknown[i] = x->q[i] - o->origin[i];
  memcpy(o->unknown + n, x->v, n * sizeof *x->v);
  if (o->work_at >= 0) o->unknown[o->work_at] = x->cert->work_force;
  if (o->drive_at >= 0) o->unknown[o->drive_at] = x->cert->work_driven;
  if (o->rub_at >= 0) o->unknown[o->rub_at] = x->cert->work_friction;
  if (o->force_at >= 0) o->unknown[o->force_at] = 0;
}

void ns_ed_unpack(event_driven *o, double t)
{
  size_t n = o->s.m->nv;
  ns_state *x = o->s.x;
  *x->t = t;
  memcpy(x->q, ns_ed_positions(o, o->unknown), n * sizeof *x->q);
  memcpy(x->v, o->unknown + n, n * sizeof *x->v);
  if (o->work_at >= 0) x->cert->work_force = o->unknown[o->work_at];
  if (o->drive_at >= 0) x->cert->work_driven = o->unknown[o->drive_at];
  if (o->rub_at >= 0) x->cert->work_friction = o->unknown[o->rub_at];
}

void ns_ed_look(event_driven *o)
{
  int some = o->rub.wanted && o->nuser;
  for (int i = 0; i < o->equal.n && !some; i++) some = o->nuser || o->direction[o->row[i]];
  o->asks_forces = some;
  o->gaps_move = 0;
  for (int r = 0; r < o->s.k->nrows; r++) o->gaps_move |= ns_ed_gap_moves(o, r);
}

int ns_ed_restart(event_driven *o)
{
  size_t rows = o->s.m->nrows;
  for (size_t r = 0; r < rows; r++) {
    int bilateral = !ns_ed_is_unilateral(o, (int)r);
    o->direction[r] = bilateral ? 0 : -1;
    o->direction[rows + r] = -1;
  }
  o->direction[o->drift_root] = -1;
  if (o->rub.wanted) ns_ed_friction_directions(o);
  for (int i = 0; i < o->nuser; i++) o->direction[2 * rows + (size_t)i] = (signed char)ns_user_events_direction(o->user, i);
  ns_ed_look(o);
  int rc = ns_ed_gaps_begin(o);
  if (rc) return rc;
  ns_ed_pack(o);
  rc = o->ops->restart(o->flow, o->c, *o->s.x->t, o->unknown, o->direction);
  if (!rc) ns_ed_certify_from(o);
  return rc;
}
