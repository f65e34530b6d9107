/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/vector.h"
#include "simulation/events/event_driven_modes.h"

#include "model/check/diagnose.h"
#include "model/relations/output.h"
#include "model/systems/mechanics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

static int is_linear(const ns_interaction *it)
{
  return (it->relation->flags & NS_REL_LINEAR) != 0;
}

void ns_ed_linear_rows(const event_driven *o, int first, int last, const double *offset,
                       const double *q, const double *v, double *restrict gap,
                       double *restrict speed)
{
  const ns_rows H = o->s.k->H;
  for (int r = first; r < last; r++) {
    double y, ydot;
    ns_rows_dot_both(&H, r, q, v, &y, &ydot);
    gap[r] = offset[r] + y;
    speed[r] = ydot;
  }
}

int ns_ed_output_of(event_driven *o, const ns_interaction *it, double t, const double *q,
                    const double *v, double *gap, double *speed)
{
  return ns_interaction_output(o->s.m, o->run.c, it, t, q, v, o->s.x->z, o->force, o->s.k->angle,
                               o->s.relation, gap, speed);
}

int ns_ed_rows(event_driven *o, double t, const double *q, const double *v, double *gap,
               double *speed)
{
  const ns_contacts *k = o->s.k;
  const ns_model *m = o->s.m;
  const ns_state *x = o->s.x;
  ns_moment at = {.from = *x->t, .t = t, .q = q, .v = v, .z = x->z, .lambda = o->force};
  if (o->linear) {
    ns_ed_linear_rows(o, 0, k->nrows, k->offset, q, v, gap, speed);
    return NS_OK;
  }
  double apart = 0;
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    int rc = NS_OK, first = (int)it->row;
    if (ns_ed_is_apart(o, i, q, &apart)) {
      for (int r = first; r < first + it->m; r++) gap[r] = r == first ? apart : 0, speed[r] = 0;
      continue;
    }
    if (is_linear(it)) ns_ed_linear_rows(o, first, first + it->m, k->offset, q, v, gap, speed);
    else rc = ns_ed_output_of(o, it, t, q, v, gap, speed);
    if (!rc && !is_linear(it)) rc = ns_ed_check_finite(o, it, &at, gap, speed);
    if (rc) return rc;
  }
  return NS_OK;
}

/* ---- motion ---------------------------------------------------------------------------------- */

int ns_ed_free(event_driven *o, double t, const double *q, const double *v)
{
  const ns_model *m = o->s.m;
  int rc = o->laws.wanted ? ns_ed_renew_laws(o, t, q, v) : NS_OK;
  o->friction.tries = t > o->friction.stepped_t;
  if (rc) return rc;
  if (ns_matrices_moving(o->s.matrices))
    rc = ns_matrices_move(o->s.matrices, o->run.c, t, q, v, o->s.x->z);
  memcpy(o->a, o->steady, m->nv * sizeof *o->a);
  ns_others *others = &o->others;
  if (o->run.host) *others = o->run.host->others(o->run.host->of, t, q, v);
  for (int i = 0; i < o->nlively && !rc; i++) {
    const ns_system *s = &m->systems[o->lively[i]];
    ns_point p = ns_system_point_among(s, t, q, v, o->s.x->z, *others);
    rc = ns_mechanics_force(s, o->run.c, &p, o->s.work, o->a + s->v, o->gyr + s->v);
  }
  const double *pushed = o->run.host ? o->run.host->pushed : NULL;
  if (pushed) ns_axpy(m->nv, 1, pushed, o->a);
  ns_ed_life_stay(o, o->a);
  if (rc || !o->drives) return rc;
  rc = ns_rigid_drives_add(o->drives, o->run.c, o->s.x, t, q, v, o->a);
  if (!rc) ns_rigid_drives_bend_armature(o->drives, o->a, o->gyr);
  return rc;
}

static double power_on_body(const event_driven *o, const ns_system *s, const double *v)
{
  double known[6], w = 0;
  ns_mechanics_known(s, known);
  for (int j = 0; j < s->n; j++)
    w += v[j] * (o->a[s->v + (size_t)j] + o->gyr[s->v + (size_t)j] - known[j]);
  return w;
}

double ns_ed_power(event_driven *o, const double *q, const double *v)
{
  const ns_model *m = o->s.m;
  double w = 0;
  for (int i = 0; i < o->nlively; i++) {
    const ns_system *s = &m->systems[o->lively[i]];
    size_t j0 = s->v, n = (size_t)s->n;
    if (ns_system_is_rigid(s)) {
      if (!ns_ed_is_away(o, o->lively[i])) w += power_on_body(o, s, v + j0);
      continue;
    }
    memcpy(o->s.work, o->a + j0, n * sizeof *o->s.work);
    if (s->stiffness.how) ns_operator_gemv_add(1, &s->stiffness, q + s->q, o->s.work);
    for (size_t j = 0; j < n; j++)
      w += v[j0 + j] *
           (o->s.work[j] + o->gyr[j0 + j] - (s->fext.how == NS_OP_CONSTANT ? s->fext.value[j] : 0));
  }
  return w;
}

static int select_for(event_driven *o, double t, double h, const double *q, const double *v)
{
  ns_contacts *k = o->s.k;
  ns_contacts_select(k, o->s.x, t, h, o->s.chosen);
  if (o->varying) o->s.changed |= NS_W_ITERATE;
  k->fresh = 0;
  int rc = ns_contacts_meet(k, o->run.c);
  return rc || !k->n ? rc : ns_contacts_linearise(k, o->run.c, o->s.x, q, v);
}

int ns_ed_select(event_driven *o, double t, const double *q, const double *v)
{
  return select_for(o, t, 1, q, v);
}

/* Bounds of impulses are those of forces by the length of the step: here next to nothing. */
static const double INSTANT = 1e-290;

int ns_ed_select_impulses(event_driven *o, double t, const double *q, const double *v)
{
  return select_for(o, t, o->friction.wanted ? INSTANT : 1, q, v);
}

int ns_ed_list(event_driven *o)
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
  int rc = ns_acceleration_reserve(o->run.c, &o->hold, e->n);
  return rc || !o->friction.wanted ? rc : ns_ed_leans_reserve(o);
}

void ns_ed_factor(event_driven *o, const double *v)
{
  if (o->factored && !o->varying && !o->friction.turning) return;
  if (o->varying) o->s.changed |= NS_W_ITERATE;
  ns_contacts_assemble(o->s.k, o->s.x, v, o->s.changed);
  o->s.changed = 0;
  if (o->friction.wanted) ns_ed_friction_slopes(o, v);
  ns_acceleration_factor(&o->hold, o->s.k, &o->equal);
  o->factored = 1;
  o->friction.leans_known = o->friction.straight_known = 0;
}

int ns_ed_hold_selected(event_driven *o, const double *v)
{
  int rc = ns_ed_list(o);
  o->factored = o->friction.leans_known = 0;
  o->hold.limit = o->hold.max;
  if (!rc && o->s.k->n) ns_ed_factor(o, v);
  return rc;
}

int ns_ed_hold(event_driven *o, double t, const double *q, const double *v)
{
  const ns_contacts *k = o->s.k;
  for (int u = 0; u < k->nunits; u++) o->s.chosen[u] = o->mode[u] != NS_ED_FREE;
  int rc = ns_ed_select(o, t, q, v);
  return rc ? rc : ns_ed_hold_selected(o, v);
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
    rc = ns_contacts_linearise(k, o->run.c, o->s.x, q, v);
    if (!rc && k->nmoving) rc = ns_contacts_bias(k, o->run.c, o->s.x, q, v, o->bias);
  }
  if (rc) return rc;
  ns_ed_factor(o, v);
  if (o->friction.wanted) ns_ed_friction_push(o, v, &k->G);
  for (int i = 0; i < e->n && o->stressed; i++)
    ns_ed_add_force(o, &k->G, e->row[i], o->stress[e->row[i]], o->a);
  for (int i = 0; i < e->n; i++)
    o->rhs[i] = -ns_rows_dot(&k->H, e->row[i], o->a) - o->bias[e->row[i]];
  ns_acceleration_solve(&o->hold, o->rhs);
  for (int i = 0; i < e->n; i++) {
    o->force[e->row[i]] = o->rhs[i] + (o->stressed ? o->stress[e->row[i]] : 0);
    ns_ed_add_force(o, &k->G, e->row[i], o->rhs[i], o->a);
  }
  if (o->friction.wanted) ns_ed_friction_slide(o);
  return NS_OK;
}

static double drive(const event_driven *o)
{
  const ns_contacts *k = o->s.k;
  double w = 0;
  for (int i = 0; i < k->n; i++) w -= o->force[k->active[i]] * k->shift[k->active[i]];
  return w;
}

int ns_ed_finite(event_driven *o, const double *f, double t, const double *q, const double *v)
{
  size_t n = o->s.m->nv, nq = o->s.m->nq;
  double sum = 0;
  o->run.bad = -1;
  for (size_t i = 0; i < n; i++) sum += 0 * f[nq + i]; /* NaN where one is not finite */
  for (size_t i = 0; i < n && sum != 0; i++)
    if (!isfinite(f[nq + i])) o->run.bad = (int)(nq + i);
  if (o->run.bad < 0) return 0;
  ns_event_run_lapse(&o->run, t, q, v, o->s.x->lambda);
  return 1;
}

int ns_ed_point(void *of, const double *x, const double **q, const double **v)
{
  event_driven *o = of;
  if (!x) return 0;
  *q = ns_ed_positions(o, x);
  *v = x + o->s.m->nq;
  return 1;
}

void ns_ed_works(const event_driven *o, const double *v, double *f)
{
  if (o->drive_at >= 0) f[o->drive_at] = drive(o);
  double normal = 0, friction = 0;
  if (o->overlaps.n) ns_ed_overlaps_power(o, v, &normal, &friction);
  if (o->friction_at >= 0) f[o->friction_at] = ns_ed_friction_power(o, v) + friction;
  if (o->force_at >= 0) f[o->force_at] = ns_ed_friction_size(o);
  if (o->spring_at >= 0) f[o->spring_at] = ns_ed_springs_power(o, v) + normal;
}

int ns_ed_motion(event_driven *o, double t, const double *q, const double *v, double *f)
{
  size_t n = o->s.m->nv, nq = o->s.m->nq;
  int rc = ns_ed_free(o, t, q, v);
  if (rc) return rc;
  if (o->curved) ns_mechanics_rate(o->s.m, q, v, f);
  else memcpy(f, v, n * sizeof *f);
  ns_ed_life_rest(o, f);
  if (o->work_at >= 0) f[o->work_at] = ns_ed_power(o, q, v);
  if (o->gives_way) rc = ns_ed_give_way(o, t, q, v);
  if (rc) return rc;
  rc = ns_ed_accelerate(o, t, 0);
  if (!rc && o->s.k->n) rc = hold(o, t, q, v);
  if (rc) return rc;
  if (o->overlaps.n) ns_ed_overlaps_rates(o, f);
  if (o->prescribed.moves) f[o->work_at] += ns_ed_support_power(o, v);
  ns_ed_works(o, v, f);
  memcpy(f + nq, o->a, n * sizeof *f);
  return ns_ed_finite(o, f, t, q, v);
}

int ns_ed_rate(void *self, double t, const double *x, double *f)
{
  event_driven *o = self;
  const double *v = x + o->s.m->nq;
  if (!o->overlaps.n) return ns_ed_motion(o, t, ns_ed_positions(o, x), v, f);
  ns_ed_overlaps_at(o, x);
  int rc = ns_ed_motion(o, t, ns_ed_positions(o, x), v, f);
  ns_ed_overlaps_at(o, NULL);
  return rc;
}

/* Of the user, where the rows and the motion were just evaluated. */
static int user_roots(event_driven *o, double t, const double *x, double *g)
{
  const ns_model *m = o->s.m;
  ns_state *u = &o->run.trial;
  memcpy(u->q, ns_ed_positions(o, x), m->nq * sizeof *x);
  memcpy(u->v, x + m->nq, m->nv * sizeof *x);
  for (size_t r = 0; r < m->nrows; r++) {
    u->y[r] = o->gap[r];
    u->ydot[r] = o->speed[r];
    u->lambda[r] = ns_ed_force(o, (int)r) - ns_ed_tension(o, (int)r);
  }
  u->p = o->s.x->p;
  return ns_event_run_user_roots(&o->run, t, g);
}

static double normal_root(const event_driven *o, size_t r)
{
  return o->force[r] + fmax(o->slack[r], NS_ED_ABOVE_ZERO);
}

int ns_ed_roots(void *self, double t, const double *x, double *g)
{
  event_driven *o = self;
  size_t rows = o->s.m->nrows;
  int rc = ns_ed_gaps(o, t, x, NULL, o->gap, o->speed);
  if (!rc && o->laws.wanted) rc = ns_ed_renew_laws(o, t, ns_ed_positions(o, x), x + o->s.m->nq);
  if (!rc && o->asks_forces) rc = ns_ed_rate(o, t, x, o->rate);
  if (!rc && o->asks_forces && o->friction.wanted) ns_ed_share_loads(o);
  if (!rc && o->run.nuser) rc = user_roots(o, t, x, g + 2 * rows);
  memcpy(g, o->life.ones, 2 * rows * sizeof *g);
  for (int a = 0; a < o->life.nthere && !rc; a++) {
    const ns_interaction *it = &o->s.m->interactions[o->life.there[a]];
    for (size_t r = it->row; r < it->row + (size_t)it->m; r++)
      if (!o->held[r]) ns_ed_gap_roots(o, (int)r, g + r, g + rows + r);
      else if (o->run.direction[r]) g[r] = normal_root(o, r);
  }
  if (!rc && o->friction.wanted) ns_ed_friction_roots(o, g);
  if (!rc && o->springs.n) ns_ed_springs_roots(o, g);
  if (!rc && o->overlaps.n) rc = ns_ed_overlaps_roots(o, t, x, g);
  for (int a = 0; a < o->life.nthere && !rc; a++) {
    const ns_interaction *it = &o->s.m->interactions[o->life.there[a]];
    ns_axpy((size_t)it->m, 1, o->below + it->row, g + it->row);
    ns_axpy((size_t)it->m, 1, o->below + rows + it->row, g + rows + it->row);
  }
  if (!rc && o->friction.wanted) ns_ed_friction_skip_wedged(o, g);
  g[o->drift_root] = ns_ed_drift_root(o);
  ns_ed_regions_roots(o, x, g);
  ns_ed_near_roots(o, x, g);
  return rc;
}

const char *ns_ed_name(void *self, size_t i, char *buf, size_t size)
{
  const event_driven *o = self;
  int across = (int)i - o->overlaps.first;
  if (o->run.bad < 0 && across >= 0 && across < o->overlaps.n * o->overlaps.width)
    return "the slip of a compliant contact";
  return ns_event_run_name(self, i, buf, size);
}

/* ---- flow ------------------------------------------------------------------------------------ */

double ns_ed_reach(const event_driven *o, int r)
{
  const ns_rows *H = &o->s.k->H;
  const ns_model *m = o->s.m;
  const ns_interaction *it = &m->interactions[o->s.k->interaction[r]];
  double s = 0;
  if (!o->curved) return ns_rows_size(H, r, o->s.x->q);
  for (int e = H->ptr[r]; e < H->ptr[r + 1]; e++)
    for (int j = 0; j < it->nsystems; j++) {
      const ns_system *b = &m->systems[it->systems[j]];
      int i = H->dof[e] - (int)b->v;
      if (i >= 0 && i < b->n)
        s += fabs(H->val[e]) * (i < 3 ? fabs(o->s.x->q[b->q + (size_t)i]) : 1);
    }
  return s;
}

/* Compute angles of joints, including full turns, from the state. */
static void update_angles(event_driven *o)
{
  if (o->s.m->nangles) ns_joint_angles(o->s.m, o->s.x->q, o->s.relation, o->s.x->angle);
}

void ns_ed_pack(event_driven *o)
{
  size_t n = o->s.m->nv, nq = o->s.m->nq;
  const ns_state *x = o->s.x;
  ns_linear_sum(nq, x->q, -1, o->origin, o->run.unknown);
  memcpy(o->run.unknown + nq, x->v, n * sizeof *x->v);
  if (o->work_at >= 0) o->run.unknown[o->work_at] = x->cert->work_force;
  if (o->drive_at >= 0) o->run.unknown[o->drive_at] = x->cert->work_driven;
  if (o->friction_at >= 0)
    o->run.unknown[o->friction_at] = x->cert->work_friction - ns_ed_overlaps_across(o);
  if (o->force_at >= 0) o->run.unknown[o->force_at] = 0;
  if (o->spring_at >= 0) o->run.unknown[o->spring_at] = x->cert->work_contact;
  size_t springs = (size_t)(o->overlaps.n * o->overlaps.width) * sizeof(double);
  if (springs) memcpy(o->run.unknown + o->overlaps.first, o->overlaps.spring, springs);
}

void ns_ed_unpack(event_driven *o, double t)
{
  size_t n = o->s.m->nv, nq = o->s.m->nq;
  ns_state *x = o->s.x;
  *x->t = t;
  memcpy(x->q, ns_ed_positions(o, o->run.unknown), nq * sizeof *x->q);
  memcpy(x->v, o->run.unknown + nq, n * sizeof *x->v);
  ns_ed_prescribe(o, t, x->v);
  update_angles(o);
  if (o->work_at >= 0) x->cert->work_force = o->run.unknown[o->work_at];
  if (o->drive_at >= 0) x->cert->work_driven = o->run.unknown[o->drive_at];
  if (o->spring_at >= 0) x->cert->work_contact = o->run.unknown[o->spring_at];
  size_t springs = (size_t)(o->overlaps.n * o->overlaps.width) * sizeof(double);
  if (springs) memcpy(o->overlaps.spring, o->run.unknown + o->overlaps.first, springs);
  if (o->friction_at >= 0)
    x->cert->work_friction = o->run.unknown[o->friction_at] + ns_ed_overlaps_across(o);
}

void ns_ed_look(event_driven *o)
{
  int some = ns_ed_overlaps_query(o) || ((o->friction.wanted || o->overlaps.n) && o->run.nuser);
  for (int i = 0; i < o->equal.n && !some; i++) some = o->run.nuser || o->run.direction[o->row[i]];
  o->asks_forces = some;
  if (o->friction.wanted) ns_ed_friction_forget(o);
  o->gaps_move = 0;
  for (int r = 0; r < o->s.k->nrows; r++) o->gaps_move |= ns_ed_gap_moves(o, r);
}

/* The force of a contact that holds and pulls from the beginning, by what the event leaves
 * undecided, is looked for as far below zero again: the drift that a long flow has taken on, and
 * that the event takes out, changes the forces of edges that are about to meet in a corner. */
static int begin_forces(event_driven *o)
{
  int rc = NS_OK;
  if (o->friction.wanted) rc = ns_ed_friction_begin(o);
  else if (o->asks_forces) rc = ns_ed_rate(o, *o->s.x->t, o->run.unknown, o->rate);
  for (int i = 0; i < o->equal.n; i++) {
    size_t r = (size_t)o->equal.row[i];
    if (!rc && o->asks_forces && ns_ed_is_unilateral(o, (int)r))
      o->below[r] = ns_ed_lead(normal_root(o, r), 0, 0);
  }
  return rc < 0 ? rc : NS_OK;
}

int ns_ed_begin_roots(event_driven *o)
{
  ns_ed_regions_begin(o);
  ns_ed_look(o);
  int rc = ns_ed_gaps_begin(o);
  if (rc) return rc;
  memset(o->below, 0, 2 * o->s.m->nrows * sizeof *o->below);
  ns_ed_springs_begin(o);
  ns_ed_pack(o);
  rc = ns_ed_overlaps_begin(o);
  return rc ? rc : begin_forces(o);
}

int ns_ed_restart(void *of)
{
  event_driven *o = of;
  size_t rows = o->s.m->nrows;
  for (size_t r = 0; r < rows; r++) {
    int bilateral = !ns_ed_is_unilateral(o, (int)r);
    o->run.direction[r] = bilateral ? 0 : -1;
    o->run.direction[rows + r] = -1;
  }
  o->run.direction[o->drift_root] = -1;
  if (o->friction.wanted) ns_ed_friction_directions(o);
  if (o->near.root >= 0) o->run.direction[o->near.root] = -1;
  int rc = ns_ed_begin_roots(o);
  if (o->friction.wanted && ns_ed_slow_is_unknown(o)) ns_event_run_whole(&o->run)->sizes.asked = 1;
  o->run.problem.begins_stiff = o->friction.wanted && ns_ed_friction_is_stiff(o);
  return rc ? rc : ns_event_run_restart(&o->run);
}
