/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contacts whose laws remember: bonds that bear a tension, springs that give way.
 *
 * A compliant contact (model/laws/compliant.c) is a block of the one-step problem as any other,
 * with a compliance D. With u the velocity of a row, u_theta = theta u_k+1 + (1-theta) u_k, the
 * overlap theta of the way through the step is d = d_k - theta h u_theta, and the normal impulse h
 * f(d, -u_theta), linearised at the iterate with s = -df/du_theta, holds where
 *
 *   0 <= u_k+1 + b + D r  _|_  r >= 0,   D = 1/(h theta s),   b = -u_k+1 - D h f   of the iterate:
 *
 * exact in one pass for eta = 1, and it never pulls. Across the normal the spring has the length
 * z_k + theta h (u_theta - w) where w is the slip; with S = theta h kt + ct its impulse is r = -h
 * (kt z_k + S (u_theta - w)), so that
 *
 *   w/theta = u_k+1 + ((1-theta) u_k + kt z_k/S)/theta + D r,   D = 1/(h theta S),   z_k+1 = z_k -
 *       (r + h kt z_k)/S,
 *
 * and w and r obey Coulomb's law: the cone of friction, as it is. For theta = 1/2 and eta = 1 this
 * is the midpoint rule, which keeps the energy of the springs while nothing slips. */
#include "simulation/rows/rigid_contacts_parts.h"

#include "algebra/rotation.h"
#include "algebra/vector.h"
#include "simulation/rows/bonds.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *kept_of(const ns_rigid_contacts *o, const ns_rigid_touch *t)
{
  return o->kept + (size_t)o->memory * (size_t)(t - o->touch);
}

static lasting *lasting_of(const ns_rigid_contacts *o, const ns_rigid_touch *t)
{
  return &o->lasting[t - o->touch];
}

static int is_compliant(const ns_rigid_contacts *o, const ns_rigid_touch *t)
{
  return law_of(o, t)->of.ops->compliant;
}

/* ---- bonds ----------------------------------------------------------------------------------- */

void ns_rigid_contacts_bond(ns_rigid_contacts *o)
{
  for (int i = 0; i < o->n && o->memory; i++) {
    const ns_rigid_touch *t = &o->touch[i];
    const ns_nonsmooth_law *law = &law_of(o, t)->of;
    memset(kept_of(o, t), 0, (size_t)o->memory * sizeof(double));
    if (law->ops->memory) law->ops->begin(law, t->gap, kept_of(o, t));
  }
}

double ns_rigid_contacts_tension(const ns_rigid_contacts *o, const ns_rigid_touch *t)
{
  const ns_nonsmooth_law *law = &law_now(o, t)->of;
  return law->ops->memory ? law->ops->tension(law, kept_of(o, t)) : 0;
}

int ns_rigid_contacts_load_bonds(ns_rigid_contacts *o, double h, ns_rigid_problem *p)
{
  int some = 0;
  for (int i = 0; i < o->n && o->memory; i++) {
    const ns_rigid_touch *t = &o->touch[i];
    lasting *k = lasting_of(o, t);
    k->pull = t->active ? h * ns_rigid_contacts_tension(o, t) : 0;
    if (!(k->pull > 0)) continue;
    p->r[p->row[t->block]] += k->pull;
    some = 1;
  }
  return some;
}

void ns_rigid_contacts_pull(const ns_rigid_contacts *o, const ns_rigid_problem *p, double *impulse)
{
  size_t dof = (size_t)p->p.dof;
  for (int i = 0; i < o->n; i++) {
    const ns_rigid_touch *t = &o->touch[i];
    double pull = o->lasting[i].pull;
    if (!t->active || !(pull > 0)) continue;
    const double *row = p->H + 2 * dof * (size_t)p->row[t->block];
    for (int e = 0; e < 2 && t->body[e] >= 0; e++, row += dof)
      for (size_t j = 0; j < dof; j++) impulse[dof * (size_t)t->body[e] + j] -= row[j] * pull;
  }
}

void ns_rigid_contacts_settle(const ns_rigid_contacts *o, ns_rigid_problem *p)
{
  for (int i = 0; i < o->n; i++)
    if (o->touch[i].active) p->r[p->row[o->touch[i].block]] -= o->lasting[i].pull;
}

int ns_rigid_contacts_are_compliant(const ns_rigid_contacts *o) { return o->compliant; }

/* ---- springs: as a step begins --------------------------------------------------------------- */

/* Tangents of its rows. */
static void tangents(const ns_rigid_contacts *o, const double *normal, double *t1, double *t2)
{
  if (!o->planar) {
    ns_tangents3(normal, t1, t2);
    return;
  }
  t1[0] = -normal[1], t1[1] = normal[0], t1[2] = 0;
  memset(t2, 0, 3 * sizeof *t2);
}

/* Rate at which a body turns about the normal, rad/s. */
static double turn_about(const ns_rigid_contacts *o, int body, const double *normal,
                         const double *v)
{
  double w[3];
  if (body < 0) return 0;
  ns_mul3(o->pose[1 + body].R, v + o->m->systems[body].v + 3, w);
  return ns_dot3(w, normal);
}

/* The spring that it keeps, in the world, as components along the tangents of now: turned about the
 * normal with the mean of both bodies, laid into the plane, its length kept (Luding 2008). */
static void lay_spring(const ns_rigid_contacts *o, const ns_rigid_touch *t, const double *normal,
                       const double *v, double h, double *spring)
{
  const double *kept = kept_of(o, t);
  double t1[3], t2[3], turned[3], across[3];
  spring[1] = 0;
  if (o->planar) {
    spring[0] = kept[0];
    return;
  }
  double angle = h * (turn_about(o, t->body[0], normal, v) + turn_about(o, t->body[1], normal, v)) /
                 2;
  double length = ns_norm3(kept);
  tangents(o, normal, t1, t2);
  ns_cross3(normal, kept, across);
  for (int i = 0; i < 3; i++) turned[i] = cos(angle) * kept[i] + sin(angle) * across[i];
  spring[0] = ns_dot3(turned, t1);
  spring[1] = ns_dot3(turned, t2);
  double flat = hypot(spring[0], spring[1]);
  if (!(flat > 0)) return;
  spring[0] *= length / flat;
  spring[1] *= length / flat;
}

static void begin_some(void *data, int from, int to)
{
  const task *k = data;
  const ns_rigid_contacts *o = k->o;
  for (const ns_rigid_touch *t = o->touch + from; t < o->touch + to; t++) {
    if (!t->active || !is_compliant(o, t)) continue;
    int at = k->p->row[t->block], rows = k->p->row[t->block + 1] - at;
    lasting *s = lasting_of(o, t);
    for (int i = 0; i < rows; i++) s->u0[i] = ns_rigid_problem_speed(k->p, t->block, at + i, k->v);
    lay_spring(o, t, meeting_of(o, t).normal, k->v, o->h, s->spring);
  }
}

int ns_rigid_contacts_comply(ns_rigid_contacts *o, const double *v, double h,
                             const ns_rigid_problem *p)
{
  o->h = h;
  o->springs = 0;
  for (int i = 0; i < o->n && o->compliant; i++)
    if (o->touch[i].active && is_compliant(o, &o->touch[i])) {
      int linear = law_now(o, &o->touch[i])->of.exponent == 1;
      o->springs |= linear ? SPRINGS : SPRINGS | SPRINGS_BEND;
    }
  if (o->springs) ns_team_each(o->team, o->n, MANY, begin_some, &(task){.o = o, .v = v, .p = p});
  return (o->springs & SPRINGS_BEND) != 0;
}

/* ---- springs: rows at an iterate ------------------------------------------------------------- */

/* A force of the normal by its velocity, and how it falls with it. */
typedef struct normal_force {
  double force, slope; /* N; -df/du > 0, N s/m */
} normal_force;

/* At u_theta. Near an overlap of 0 the force is steep and, for eta < 2, concave: Newton's method
 * that comes from there does not pass the solution, and one that has passed it, or begins with
 * bodies that are apart, goes on from the tangent at a small overlap, whose force falls below zero.
 */
static normal_force force_of(const ns_nonsmooth_law *law, double overlap, double by, double u)
{
  static const double SMALL = 1e-3; /* of the overlap by the motion of a step */
  double K = law->stiffness, C = law->damping, eta = law->exponent;
  if (eta == 1) return (normal_force){.force = K * (overlap - by * u) - C * u, .slope = by * K + C};
  double min = SMALL * (fabs(overlap) + by * fabs(u)) + DBL_MIN, d = fmax(overlap - by * u, min);
  double power = pow(d, eta - 1), at = (overlap - d) / by; /* the velocity of that overlap */
  double slope = (by * eta * K + C) * power, bend = by * C * (eta - 1) * power / d * at;
  slope = fmax(slope - bend, slope / 2);
  return (normal_force){.force = power * (K * d - C * at) - slope * (u - at), .slope = slope};
}

/* Stiffness and damping across the normal, at this overlap. */
static void across_of(const ns_nonsmooth_law *law, double overlap, double *kt, double *ct)
{
  double power = 1;
  if (law->exponent != 1) power = overlap > 0 ? pow(overlap, law->exponent - 1) : 0;
  *kt = law->slip_stiffness * power;
  *ct = law->slip_damping * power;
}

/* b and D of its rows at the velocities u of the iterate; *mu: 0 where it has neither spring nor
 * damper across the normal. */
static void rows_at(const ns_rigid_contacts *o, const ns_rigid_touch *t, int rows, const double *u,
                    lasting *s, double *b, double *D, double *mu)
{
  const ns_nonsmooth_law *law = &law_now(o, t)->of;
  double theta = o->m->sim.mj.theta, h = o->h, by = theta * h;
  double overlap = -ns_rigid_contacts_gap_before(o, t);
  double u_theta = theta * u[0] + (1 - theta) * s->u0[0];
  normal_force f = force_of(law, overlap, by, u_theta);
  D[0] = 1 / (h * theta * f.slope);
  b[0] = -u[0] - D[0] * h * f.force;
  across_of(law, overlap - by * u_theta, &s->kt, &s->ct);
  double S = by * s->kt + s->ct;
  *mu = S > 0 ? law->mu : 0;
  for (int i = 1; i < rows; i++) {
    D[i] = S > 0 ? 1 / (h * theta * S) : 1;
    b[i] = S > 0 ? ((1 - theta) * s->u0[i] + s->kt * s->spring[i - 1] / S) / theta : 0;
  }
}

static void fill_some(void *data, int from, int to)
{
  const task *k = data;
  const ns_rigid_contacts *o = k->o;
  for (const ns_rigid_touch *t = o->touch + from; t < o->touch + to; t++) {
    if (!t->active || !is_compliant(o, t)) continue;
    const ns_rigid_problem *p = k->p;
    int at = p->row[t->block], rows = p->row[t->block + 1] - at;
    double u[ROWS];
    for (int i = 0; i < rows; i++) u[i] = ns_rigid_problem_speed(p, t->block, at + i, k->v);
    double mu;
    rows_at(o, t, rows, u, lasting_of(o, t), p->b + at, p->D + at, &mu);
    if (p->kind[t->block] != NS_BLOCK_BOX) p->mu[t->block] = mu;
  }
}

void ns_rigid_contacts_comply_fill(ns_rigid_contacts *o, const double *v, const ns_rigid_problem *p)
{
  if (o->springs) ns_team_each(o->team, o->n, MANY, fill_some, &(task){.o = o, .v = v, .p = p});
}

double ns_rigid_contacts_comply_change(const ns_rigid_contacts *o, const double *v,
                                       const ns_rigid_problem *p)
{
  const ns_time_stepping_options *opt = &o->m->sim.ts;
  double worst = 0, rtol = opt->newton_rtol + 16 * DBL_EPSILON;
  for (int k = 0; k < o->n && o->springs & SPRINGS_BEND; k++) {
    const ns_rigid_touch *t = &o->touch[k];
    if (!t->active || !is_compliant(o, t)) continue;
    int at = p->row[t->block], rows = p->row[t->block + 1] - at;
    double u[ROWS], b[ROWS], D[ROWS], mu;
    lasting s = *lasting_of(o, t);
    for (int i = 0; i < rows; i++) u[i] = ns_rigid_problem_speed(p, t->block, at + i, v);
    rows_at(o, t, rows, u, &s, b, D, &mu);
    for (int i = 0; i < rows && p->r[at] > 0; i++) {
      double r = p->r[at + i], change = b[i] - p->b[at + i] + (D[i] - p->D[at + i]) * r;
      double size = fabs(u[i]) + fabs(b[i]) + fabs(D[i] * r);
      worst = fmax(worst, fabs(change) / (opt->newton_atol + rtol * size));
    }
  }
  return worst;
}

/* ---- what is remembered ---------------------------------------------------------------------- */

static void keep_spring(const ns_rigid_contacts *o, const ns_rigid_touch *t, const lasting *s,
                        const ns_rigid_problem *p)
{
  int at = p->row[t->block], rows = p->row[t->block + 1] - at;
  double S = o->m->sim.mj.theta * o->h * s->kt + s->ct, z[2] = {0}, t1[3], t2[3],
         *kept = kept_of(o, t);
  for (int i = 1; i < rows && p->r[at] > 0 && S > 0; i++)
    z[i - 1] = s->spring[i - 1] - (p->r[at + i] + o->h * s->kt * s->spring[i - 1]) / S;
  if (o->planar) {
    kept[0] = z[0];
    return;
  }
  tangents(o, meeting_of(o, t).normal, t1, t2);
  for (int i = 0; i < 3; i++) kept[i] = z[0] * t1[i] + z[1] * t2[i];
}

static void keep_bond(const ns_rigid_contacts *o, const ns_rigid_touch *t,
                      const ns_rigid_problem *p)
{
  int row = p->row[t->block];
  double mass = o->m->systems[t->body[0]].rigid.mass;
  ns_bond_keep(&law_now(o, t)->of, p->r[row], velocity_along(p, row), lasting_of(o, t)->pull,
               1 / mass, kept_of(o, t));
}

void ns_rigid_contacts_remember(ns_rigid_contacts *o, const ns_rigid_problem *p)
{
  for (int i = 0; i < o->n && o->memory; i++) {
    const ns_rigid_touch *t = &o->touch[i];
    const ns_nonsmooth_law *law = &law_now(o, t)->of;
    double *kept = kept_of(o, t), pull = o->lasting[i].pull;
    if (law->ops->compliant && t->active) keep_spring(o, t, &o->lasting[i], p);
    else if (law->ops->compliant) memset(kept, 0, (size_t)o->memory * sizeof *kept);
    else if (t->active && pull > 0) keep_bond(o, t, p);
  }
}

ns_elastic ns_rigid_contacts_elastic(const ns_rigid_contacts *o)
{
  ns_elastic sum = {0};
  for (int i = 0; i < o->n && o->compliant; i++) {
    const ns_rigid_touch *t = &o->touch[i];
    const ns_nonsmooth_law *law = &law_of(o, t)->of;
    double overlap = -ns_rigid_contacts_gap_before(o, t), kt, ct, zz = 0;
    if (!law->ops->compliant || !(overlap > 0)) continue;
    across_of(law, overlap, &kt, &ct);
    for (int k = 0; k < (o->planar ? 1 : 3); k++) zz += kept_of(o, t)[k] * kept_of(o, t)[k];
    sum.normal += law->stiffness * pow(overlap, law->exponent + 1) / (law->exponent + 1);
    sum.across += kt * zz / 2;
  }
  return sum;
}
