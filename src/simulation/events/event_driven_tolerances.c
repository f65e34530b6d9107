/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_tolerances.c -- absolute tolerances of the unknowns of a flow.
 *
 * Those that the model does not give follow the size of its motion: lengths and speeds of gaps at
 * t0, or of bodies by the forces at t0; coordinates and velocities also their own (event_sizes.h).
 *
 * So does velocityTolerance of each disc of friction, by the velocities that its slip is made of:
 * where it slides these are sizes of a motion, where it is held they are rounding.
 *
 * None of these is less than some units in the last place of what its unknown is computed from: a
 * step that is measured by less is measured by rounding, and so short that it gets nowhere. With
 * u = 16 DBL_EPSILON, of each flow from where it begins,
 *
 *   coordinates            u |q|, in addition, also to a tolerance that is given
 *   velocities of bodies   u V
 *   spins of bodies        u V/r about an axis with the moment of inertia m r^2
 *
 * with V the speed of a body by its kinetic energy, 1/2 m V^2, and by the work of its forces over
 * its length: what turns a body are differences of such forces and velocities at its contacts. A
 * component that is zero is known no better than that. */
#include "algebra/rotation.h"
#include "algebra/vector.h"
#include "model/systems/mechanics.h"
#include "simulation/events/event_driven_modes.h"
#include "simulation/events/event_queue.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- by the size of the motion --------------------------------------------------------------- */

/* A gap that is closed but for rounding, or does not change but for it, says nothing of sizes: m,
 * m/s; and in parts of the terms that it is the sum of, which are written with nine digits or so.
 * No motion is smaller than PART of these: tolerances for it would be rounding of positions. */
static const double NIL = 1e-12, ROUNDED = 1e-9, PART = 1e-4;

/* How far the shape of side j of a gap reaches from the position of its body; 0: it has none. */
static double reach_of(const ns_model *m, int interaction, int j)
{
  const ns_interaction *it = &m->interactions[interaction];
  if (!m->gaps || interaction < m->gaps->first) return 0;
  return ns_norm3(it->gap.at[j]) + it->gap.shape[j]->reach;
}

/* The terms of a gap at t0, of its row, positions and shapes, and those of its velocity: the sums
 * of their absolute values. Of bodies what they are turned by is no position, and a normal is
 * rounded, too: they count by the lengths of both. */
static void terms(const event_driven *o, int r, double *gap, double *speed)
{
  const ns_model *m = o->s.m;
  const ns_interaction *it = &m->interactions[o->s.k->interaction[r]];
  const ns_rows *H = &o->s.k->H;
  *gap = *speed = 0;
  for (int e = H->ptr[r]; e < H->ptr[r + 1]; e++) *speed += fabs(H->val[e] * o->s.x->v[H->dof[e]]);
  for (int k = 0; k < it->nsystems; k++) {
    const ns_system *s = &m->systems[it->systems[k]];
    const double *q = o->s.x->q + s->q;
    int rigid = ns_system_is_rigid(s);
    size_t n = (size_t)ns_system_translations(s);
    double sum = 0, along = 0;
    for (int e = H->ptr[r]; e < H->ptr[r + 1]; e++) {
      size_t i = (size_t)H->dof[e] - s->v;
      if ((size_t)H->dof[e] < s->v || i >= n) continue;
      sum += fabs(H->val[e] * q[i]);
      along = hypot(along, H->val[e]);
    }
    *gap += rigid ? along * (ns_norm(n, q) + reach_of(m, o->s.k->interaction[r], k)) : sum;
  }
}

/* What gaps that are closed do not say: how fast bodies with shapes become over their own length by
 * the forces at t0, m/s, and the energy that they have then, J. */
static int sizes_of_bodies(event_driven *o, ns_ctx *c, double *fast)
{
  const ns_model *m = o->s.m;
  const ns_state *x = o->s.x;
  int rc = NS_OK, seen = -1;
  *fast = 0;
  for (int i = m->gaps ? m->gaps->first : m->ninteractions; i < m->ninteractions; i++)
    for (int j = 0; j < m->interactions[i].nsystems && !rc; j++) {
      const ns_interaction *it = &m->interactions[i];
      const ns_system *s = &m->systems[it->systems[j]];
      double F[6], gyr[6], size = reach_of(m, i, j);
      if (it->systems[j] == seen) continue;
      seen = it->systems[j];
      ns_point p = ns_system_point_among(s, *x->t, x->q, x->v, x->z, o->others);
      rc = ns_mechanics_force(s, c, &p, o->s.work, F, gyr);
      double push = ns_system_is_planar(s) ? hypot(F[0], F[1]) : ns_norm3(F);
      double becomes = sqrt(push / s->rigid.mass * size);
      o->becomes[it->systems[j]] = becomes;
      *fast = fmax(*fast, becomes);
      o->energy = fmax(o->energy, push * size);
    }
  return rc;
}

/* Sizes of the motion, by the gaps at the start and the length of the run: m, m/s; 0: not known.
 * o->untold: no gap told any. */
static int sizes(event_driven *o, ns_ctx *c, double *small, double *large, double *fast)
{
  ns_state *x = o->s.x;
  int rc = NS_OK;
  for (int i = 0; i < o->s.m->ninteractions && !rc; i++) {
    const ns_interaction *it = &o->s.m->interactions[i];
    int r = (int)it->row;
    if (o->s.k->moves[r] && !ns_ed_is_compliant(o, r))
      rc = ns_contacts_linearise_alone(o->s.k, c, it, *x->t, x->q, x->v, x->z);
  }
  double held = 0; /* how far joints are from where they would have no terms */
  *small = *fast = 0;
  *large = INFINITY;
  for (int r = 0; r < o->s.k->nrows; r++) {
    double y = fabs(x->y[r]), v = fabs(x->ydot[r]), gap, speed;
    if (!ns_ed_is_unilateral(o, r) && !ns_ed_is_joint(o, r)) continue;
    terms(o, r, &gap, &speed);
    if (ns_ed_is_joint(o, r)) {
      held = fmax(held, gap);
      continue;
    }
    if (y > fmax(NIL, ROUNDED * gap)) {
      *small = fmax(*small, fmax(y, PART * gap));
      *large = fmin(*large, y);
    }
    if (v > fmax(NIL, ROUNDED * speed)) *fast = fmax(*fast, v);
  }
  o->untold = *small == 0 && *fast == 0;
  if (*small == 0) *small = held;
  *fast = fmax(*fast, *small / (o->s.m->sim.T - o->s.m->sim.t0));
  return rc;
}

/* Tolerances that the model does not give are for motions of a cm to a km, and of 5 cm/s to 50 m/s,
 * beyond which the integrator knows no velocity to velocityTolerance: by how much they are others.
 */
static const double SHORT = 1e-2, LONG = 1e3, SLOW = 5e-2, FAST = 50;
static const double LARGE = 1e3; /* J */

static double scale_of(double max, double min, double lower, double upper)
{
  if (max > 0 && max < lower) return max / lower;
  return isfinite(min) && min > upper ? min / upper : 1;
}

int ns_ed_tolerances_choose(event_driven *o, ns_ctx *c)
{
  const ns_event_driven_options *e = &o->s.m->sim.ed;
  double small, large, fast;
  o->becomes = ns_arena_zero(o->run.mem, (size_t)o->s.m->nsystems + 1, sizeof *o->becomes);
  if (!o->becomes) return ns_nomem(c, "event-driven simulation");
  int rc = sizes(o, c, &small, &large, &fast);
  double becomes = 0;
  if (!rc && !o->run.host) rc = sizes_of_bodies(o, c, &becomes);
  if (becomes > FAST) fast = fmax(fast, becomes);
  double length = scale_of(small, large, SHORT, LONG), speed = scale_of(fast, fast, SLOW, FAST);
  o->own = *e;
  o->own.gap_tol = ns_event_unless_given(e->gap_tol, e->given.gap_tol, length);
  o->own.speed_tol = ns_event_unless_given(e->speed_tol, e->given.speed_tol, speed);
  o->own.rest_speed = ns_event_unless_given(e->rest_speed, e->given.rest_speed, fmax(1, speed));
  o->rest_by_series = !e->given.rest_speed;
  o->own.atol = ns_event_unless_given(e->atol, e->given.atol, length);
  o->atol_speed = ns_event_unless_given(e->atol, e->given.atol, speed);
  o->atol_spin = ns_event_unless_given(e->atol, e->given.atol, speed / length);
  o->atol_work = ns_event_unless_given(e->atol, e->given.atol, length * fmin(1, speed));
  o->opt = &o->own;
  return rc;
}

/* Rotations of bodies have no length: a quaternion is not finer because its body is small. */
void ns_ed_tolerances_begin(event_driven *o)
{
  const ns_model *m = o->s.m;
  for (size_t i = 0; i < m->nq; i++) o->atol_at[i] = o->opt->atol;
  for (size_t i = m->nq; i < m->nq + m->nv; i++) o->atol_at[i] = o->atol_speed;
  for (int k = 0; k < m->nsystems; k++) {
    const ns_system *s = &m->systems[k];
    int shifts = ns_system_translations(s);
    if (!ns_system_is_rigid(s)) continue;
    for (int i = shifts; i < s->nq; i++) o->atol_at[s->q + (size_t)i] = m->sim.ed.atol;
    for (int i = shifts; i < s->n; i++) o->atol_at[m->nq + s->v + (size_t)i] = o->atol_spin;
  }
  memcpy(o->run.atol, o->atol_at, (m->nq + m->nv) * sizeof *o->run.atol);
}

/* Tolerances of works that the model does not give are for energies of up to 1 kJ: power that
 * begins at once, as that of a damped contact or of friction, is not resolved within a rounding of
 * more. */
void ns_ed_tolerances_of_works(event_driven *o)
{
  const ns_event_driven_options *e = &o->s.m->sim.ed;
  const int at[] = {o->work_at, o->drive_at, o->friction_at, o->spring_at};
  double scale = fmax(fabs(o->s.x->cert->energy0), o->energy) / LARGE;
  if (!(scale > 1)) return;
  for (size_t i = 0; i < sizeof at / sizeof *at; i++)
    if (at[i] >= 0 && o->run.atol[at[i]] < NS_FLOW_FREE)
      o->run.atol[at[i]] = fmax(o->run.atol[at[i]],
                                ns_event_unless_given(e->atol, e->given.atol, scale));
}

/* ---- not less than rounding ------------------------------------------------------------------ */

/* Tolerances of the velocities v of a body. */
static void place_body(const event_driven *o, int i, const double *v, double *least)
{
  const ns_system *s = &o->s.m->systems[i];
  const ns_rigid_body *b = &s->rigid;
  int shifts = ns_system_translations(s), turns = s->n - shifts;
  const double *spin = v + shifts;
  double sum = o->becomes[i] * o->becomes[i];
  for (int j = 0; j < shifts; j++) sum += v[j] * v[j];
  for (int j = 0; j < turns; j++)
    for (int k = 0; k < turns; k++) sum += spin[j] * b->inertia[j + turns * k] * spin[k] / b->mass;
  double speed = NS_ED_ULPS * DBL_EPSILON * sqrt(sum);
  for (int j = 0; j < shifts; j++) least[j] = speed;
  for (int j = 0; j < turns; j++) {
    double radius = sqrt(b->inertia[j + turns * j] / b->mass);
    least[shifts + j] = speed / radius;
  }
}

void ns_ed_tolerances_place(event_driven *o)
{
  const ns_model *m = o->s.m;
  double *atol = o->run.atol, *least = o->run.least;
  for (size_t i = 0; i < m->nq; i++) {
    least[i] = NS_ED_ULPS * DBL_EPSILON * fabs(o->s.x->q[i]);
    atol[i] = o->atol_at[i] + least[i];
  }
  for (int i = 0; i < m->nsystems; i++) {
    size_t v = m->systems[i].v;
    if (ns_system_is_rigid(&m->systems[i]) && !m->sim.ed.given.atol)
      place_body(o, i, o->s.x->v + v, least + m->nq + v);
  }
  for (size_t i = m->nq; i < m->nq + m->nv; i++) atol[i] = fmax(o->atol_at[i], least[i]);
}

/* ---- speeds that count as none --------------------------------------------------------------- */

/* Of a disc, by the sizes of the velocities that it is made of, m/s; 0: not known. */
static double speed_of(const event_driven *o, int disc)
{
  const ns_contacts *k = o->s.k;
  double most = 0;
  for (int r = ns_ed_disc_first(o, disc); r < ns_ed_disc_end(o, disc); r++) {
    double sum = fabs(k->shift[r]);
    for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++)
      sum += fabs(k->H.val[e]) * o->fastest_of[k->H.dof[e]];
    most = fmax(most, sum);
  }
  return most;
}

/* Velocities of now are sizes, too, of groups as those of event_sizes.h: where these have moved, as
 * contacts leave rounding of impulses, or `begin`. */
static void take_speeds(event_driven *o, int begin)
{
  static const double LEAST = 1e-12; /* what joints make of rates at t0 is rounding */
  const ns_model *m = o->s.m;
  double largest = ns_max_abs(m->nv, o->s.x->v);
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    size_t n = (size_t)s->n, to, shifts = (size_t)ns_system_translations(s);
    for (size_t from = 0; from < n; from = to) {
      double *of = o->fastest_of + s->v;
      to = from < shifts ? shifts : n;
      double now = ns_max_abs(to - from, o->s.x->v + s->v + from);
      for (size_t j = from; j < to; j++)
        if (of[j] > 0 || (begin && now > LEAST * largest)) of[j] = fmax(of[j], now);
    }
  }
}

/* Those of now; 1: some are others. Numbers near DBL_MIN have no digits that could tell a slip from
 * none. */
static int choose_slow(event_driven *o)
{
  static const double MIN = DBL_MIN / DBL_EPSILON;
  const ns_event_driven_options *e = &o->s.m->sim.ed;
  int some = 0;
  for (int u = 0; u < o->s.k->nunits; u++)
    for (int d = u; d >= 0 && ns_ed_is_tangential(o, ns_ed_disc_end(o, d) - 1);
         d = ns_ed_next_disc(o, d)) {
      double speed = speed_of(o, d), slow = o->opt->speed_tol;
      if (speed > 0 && !e->given.speed_tol)
        slow = fmin(slow, fmax(e->speed_tol * speed / SLOW, MIN));
      some |= slow != o->friction.slow[d];
      o->friction.slow[d] = slow;
    }
  return some;
}

void ns_ed_slow_begin(event_driven *o)
{
  take_speeds(o, 1);
  choose_slow(o);
}

void ns_ed_slow_choose(event_driven *o)
{
  take_speeds(o, 0);
  choose_slow(o);
}

/* What is held has rounding alone for a velocity, which says nothing of sizes. */
static int slides(const event_driven *o, int disc)
{
  return o->mode[disc] == NS_ED_SLIP && !o->friction.kept[disc];
}

int ns_ed_slow_is_unknown(const event_driven *o)
{
  const ns_contacts *k = o->s.k;
  for (int a = 0; a < k->na; a++)
    for (int d = k->active_unit[a]; d >= 0; d = ns_ed_next_disc(o, d))
      if (slides(o, d) && o->mode_before[d] != NS_ED_SLIP && speed_of(o, d) == 0) return 1;
  return 0;
}

/* Sizes of the velocities of discs that slide. */
static void take_slips(event_driven *o, const double *of_v)
{
  const ns_contacts *k = o->s.k;
  for (int a = 0; a < k->na; a++)
    for (int d = k->active_unit[a]; d >= 0; d = ns_ed_next_disc(o, d))
      for (int r = ns_ed_disc_first(o, d); r < ns_ed_disc_end(o, d) && slides(o, d); r++)
        for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++)
          ns_keep_max(o->fastest_of + k->H.dof[e], of_v[k->H.dof[e]]);
}

/* Sizes of gaps that open and of their velocities, by those of the unknowns [nq + nv], where these
 * are known: m, m/s. Of bodies positions alone count; what is held has rounding alone. */
static void sizes_of_gaps(const event_driven *o, const double *of, double *length, double *speed)
{
  const ns_contacts *k = o->s.k;
  const ns_model *m = o->s.m;
  *length = *speed = 0;
  for (int r = 0; r < k->nrows; r++) {
    const ns_interaction *it = &m->interactions[k->interaction[r]];
    double y = 0, v = 0;
    int opens = ns_ed_is_unilateral(o, r) && !o->held[r];
    for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1] && opens; e++)
      for (int j = 0; j < it->nsystems; j++) {
        const ns_system *s = &m->systems[it->systems[j]];
        int at = k->H.dof[e] - (int)s->v;
        if (at < 0 || at >= ns_system_translations(s)) continue;
        y += fabs(k->H.val[e]) * of[s->q + (size_t)at];
        v += fabs(k->H.val[e]) * of[m->nq + (size_t)k->H.dof[e]];
      }
    *length = fmax(*length, y);
    *speed = fmax(*speed, v);
  }
}

/* Where contacts are closed at t0 they tell no sizes: those of the motion tell them. 1: tolerances
 * are others than before. */
static int choose_of_gaps(event_driven *o, const double *of)
{
  const ns_event_driven_options *e = &o->s.m->sim.ed;
  double length, speed, gap_tol = o->own.gap_tol, speed_tol = o->own.speed_tol;
  if (!o->untold) return 0;
  sizes_of_gaps(o, of, &length, &speed);
  if (length > 0)
    o->own.gap_tol = ns_event_unless_given(e->gap_tol, e->given.gap_tol,
                                           scale_of(length, 0, SHORT, INFINITY));
  if (speed > 0)
    o->own.speed_tol = ns_event_unless_given(e->speed_tol, e->given.speed_tol,
                                             scale_of(speed, 0, SLOW, INFINITY));
  return o->own.gap_tol != gap_tol || o->own.speed_tol != speed_tol;
}

int ns_ed_take_sizes(event_driven *o, const double *of, int *some)
{
  int wanted = o->friction.wanted, gaps = choose_of_gaps(o, of), discs;
  o->factored = 0; /* directions of friction stood while sizes were looked for */
  if (wanted) take_slips(o, of + o->s.m->nq);
  discs = wanted && choose_slow(o);
  if (!gaps && !discs) return NS_OK;
  *some = 1;
  int rc = ns_ed_gaps(o, *o->s.x->t, o->run.unknown, NULL, o->gap, o->speed);
  if (wanted) ns_ed_friction_freeze(o);
  if (!rc && wanted) ns_ed_friction_keep(o);
  if (!rc) rc = ns_ed_begin_roots(o);
  o->run.problem.begins_stiff = wanted && ns_ed_friction_is_stiff(o);
  return rc < 0 ? rc : NS_OK;
}

int ns_ed_sized(void *of, int *some)
{
  event_driven *o = of;
  for (size_t i = 0; i < o->s.m->nq + o->s.m->nv; i++)
    o->rate[i] = ns_event_sizes_of(&o->run.sizes, i);
  return ns_ed_take_sizes(o, o->rate, some);
}

/* ---- what accelerations are sums of ---------------------------------------------------------- */

/* Those of forces, and of what the forces of rows that hold balance: where a hinge is held by its
 * friction, the centre of its body has accelerations that are rounding of those of its rotation. */
int ns_ed_forces(void *of, double t, const double *x, double *rate)
{
  event_driven *o = of;
  const ns_model *m = o->s.m;
  const ns_contacts *k = o->s.k;
  int rc = ns_ed_free(o, t, ns_ed_positions(o, x), x + m->nq);
  if (rc) return rc;
  for (size_t i = 0; i < m->nv; i++) o->a[i] = fabs(o->a[i]);
  for (int i = 0; i < o->equal.n; i++) {
    int r = o->row[i];
    for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++)
      o->a[k->H.dof[e]] += fabs(k->H.val[e] * o->force[r]);
  }
  ns_matrices_solve(o->s.matrices, o->a);
  for (size_t i = 0; i < m->nv; i++) rate[m->nq + i] = fmax(rate[m->nq + i], fabs(o->a[i]));
  for (int i = 0; i < o->equal.n; i++) {
    int r = o->row[i];
    double d = ns_ed_diagonal(k, r), a = d > 0 ? ns_rows_size(&k->H, r, o->a) / d : 0;
    for (int e = k->G.ptr[r]; e < k->G.ptr[r + 1]; e++) {
      double *most = rate + m->nq + k->G.dof[e];
      *most = fmax(*most, fabs(k->G.val[e]) * a);
    }
  }
  return NS_OK;
}
