/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/rigid_contacts_parts.h"

#include "model/systems/rigid_body.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A turn in a step, rad, that changes rows by less than any tolerance. */
static const double STILL = 1e-9;

int ns_rigid_contacts_get_rolling(ns_rigid_contacts *o)
{
  if (!(ns_rows_gamma(&o->m->sim.mj) < 1)) return NS_OK;
  for (int i = 0; i < o->m->contact.nshapes; i++) o->rims |= has_rim(&o->m->contact, i);
  o->rolling = calloc(ROLLING, sizeof *o->rolling);
  return o->rolling ? NS_OK : NS_NOMEM;
}

/* How fast a body turns, rad/s. */
static double spin_of(const ns_rigid_contacts *o, int body, const double *v)
{
  if (body < 0) return 0;
  const double *u = velocities_of(o, body, v);
  return o->planar ? fabs(u[2]) : ns_norm3(u + 3);
}

int ns_rigid_contacts_turns(const ns_rigid_contacts *o, const ns_rigid_touch *t, const double *v,
                            double h)
{
  return h * (spin_of(o, t->body[0], v) + spin_of(o, t->body[1], v)) >= STILL;
}

static void begin_rolling(const ns_rigid_contacts *o, int i, const ns_rigid_problem *p, rolling *k)
{
  int block = o->touch[i].block, at = p->row[block], rows = p->row[block + 1] - at;
  size_t width = 2 * (size_t)p->p.dof;
  k->touch = i, k->rows = rows, k->lost = k->known = k->filled = 0;
  memcpy(k->begin, p->H + width * (size_t)at, width * (size_t)rows * sizeof *k->begin);
  memcpy(k->restitution, p->b + at, (size_t)rows * sizeof *k->restitution);
}

ns_rolling ns_rigid_contacts_roll(ns_rigid_contacts *o, const ns_rigid_problem *p, const double *v,
                                  double h, int follow)
{
  o->nrolling = 0;
  if (!o->rolling) return NS_ROLLING_NONE;
  if (o->rims && !follow) return NS_ROLLING_NONE;
  int n = 0;
  for (int i = 0; i < o->n; i++) {
    const ns_rigid_touch *t = &o->touch[i];
    if (!t->active || !may_roll(o, t) || !(p->r[p->row[t->block]] > 0)) continue;
    if (!ns_rigid_contacts_turns(o, t, v, h)) continue;
    if (n == ROLLING) return NS_ROLLING_NONE;
    begin_rolling(o, i, p, &o->rolling[n++]);
  }
  o->nrolling = n;
  if (!n) return NS_ROLLING_NONE;
  return o->rims ? NS_ROLLING_FOLLOWED : NS_ROLLING_FORESEEN;
}

/* Where its two shapes meet, bodies being at q; `nearby` may have it of the contact before, `last`.
 * 0: they do not meet there as they did at the begin. */
static int rows_at(ns_rigid_contacts *o, const rolling *k, const ns_rigid_touch *last,
                   const double *q, double *H)
{
  const ns_rigid_touch *t = &o->touch[k->touch];
  uint64_t feature = o->list[k->touch].touch.feature;
  if (!last || last->a != t->a || last->b != t->b) {
    o->nearby.count = 0;
    o->nearby.near = &o->list[k->touch].touch;
    ns_scene_touch(o->scene, t->a, t->b, q, fmax(t->gap, 0) + o->min / 2, &o->nearby);
  }
  for (int i = 0; i < o->nearby.count; i++) {
    if (o->nearby.at[i].feature != feature) continue;
    meeting m = meeting_at(t, &o->nearby.at[i]);
    fill_rows(o, t, k->rows, q, m.point, m.normal, H);
    return 1;
  }
  return 0;
}

/* Rows of those that are to be found at this iterate. */
static void rows_of_all(ns_rigid_contacts *o, const double *q, int end)
{
  const ns_rigid_touch *last = NULL;
  for (rolling *k = o->rolling; k < o->rolling + o->nrolling; k++) {
    if (k->lost || (k->known && !o->rims)) continue;
    k->lost = !rows_at(o, k, last, q, end ? k->end : k->push);
    last = &o->touch[k->touch];
  }
}

int ns_rigid_contacts_roll_rows(ns_rigid_contacts *o, ns_ctx *c, const double *within,
                                const double *q)
{
  rows_of_all(o, within, 0);
  rows_of_all(o, q, 1);
  for (rolling *k = o->rolling; k < o->rolling + o->nrolling; k++) {
    k->known = 1;
    if (!k->lost) continue;
    memcpy(k->push, k->begin, sizeof k->push);
    memcpy(k->end, k->begin, sizeof k->end);
  }
  return o->nearby.failed ? ns_nomem(c, "contacts between shapes") : NS_OK;
}

/* Its row times v of its bodies; *size: the sum of the terms. */
static double speed_along(const ns_rigid_contacts *o, const ns_rigid_touch *t, const double *row,
                          const double *v, double *size)
{
  int dof = o->planar ? 3 : 6;
  double s = 0;
  *size = 0;
  for (int side = 0; side < 2 && t->body[side] >= 0; side++) {
    const double *u = v + dof * t->body[side];
    for (int j = 0; j < dof; j++) {
      double term = row[dof * side + j] * u[j];
      s += term;
      *size += fabs(term);
    }
  }
  return s;
}

void ns_rigid_contacts_roll_fill(ns_rigid_contacts *o, const double *v, ns_rigid_problem *p)
{
  for (rolling *k = o->rolling; k < o->rolling + o->nrolling; k++) {
    const ns_rigid_touch *t = &o->touch[k->touch];
    int at = p->row[t->block], width = 2 * p->p.dof;
    if (k->filled && !o->rims) continue;
    memcpy(p->H + width * at, k->push, (size_t)(width * k->rows) * sizeof *k->push);
    for (int i = 0; i < k->rows; i++) {
      double size, end = speed_along(o, t, k->end + width * i, v, &size),
                   push = speed_along(o, t, k->push + width * i, v, &size), turn = end - push;
      /* rows that depend on each other would contradict each other in what is rounding */
      if (fabs(turn) <= 16 * DBL_EPSILON * size) turn = 0;
      p->b[at + i] = k->restitution[i] + turn;
    }
    k->filled = 1;
  }
}

/* Largest sum of the terms of a row: as the normal turns it takes from the others, so that they
 * have one size. */
static double contact_speed(const ns_rigid_contacts *o, const rolling *k, const double *v)
{
  double largest = 0, size;
  for (int i = 0; i < k->rows; i++) {
    speed_along(o, &o->touch[k->touch], k->end + (o->planar ? 6 : 12) * i, v, &size);
    largest = fmax(largest, size);
  }
  return largest;
}

double ns_rigid_contacts_roll_change(const ns_rigid_contacts *o, const double *v,
                                     const ns_rigid_problem *p, double *impulse)
{
  const ns_time_stepping_options *opt = &o->m->sim.ts;
  double worst = 0;
  if (!o->rims) return 0;
  for (const rolling *k = o->rolling; k < o->rolling + o->nrolling; k++) {
    const ns_rigid_touch *t = &o->touch[k->touch];
    int at = p->row[t->block], dof = p->p.dof;
    double rtol = opt->newton_rtol + 16 * DBL_EPSILON;
    double radius = ns_rigid_radius(&o->m->systems[t->body[0]]);
    double tolerance = opt->newton_atol * fmin(1, radius) + rtol * contact_speed(o, k, v);
    for (int i = 0; i < k->rows; i++) {
      double size, w = k->restitution[i] + speed_along(o, t, k->end + 2 * dof * i, v, &size);
      worst = fmax(worst, fabs(w - p->u[at + i]) / tolerance);
      const double *is = k->push + 2 * dof * i, *was = p->H + 2 * dof * (at + i);
      for (int j = 0; j < (t->body[1] < 0 ? dof : 2 * dof); j++)
        impulse[dof * t->body[j / dof] + j % dof] += p->r[at + i] * (is[j] - was[j]);
    }
  }
  return worst;
}

void ns_rigid_contacts_roll_end(const ns_rigid_contacts *o, ns_rigid_problem *p)
{
  for (const rolling *k = o->rolling; k < o->rolling + o->nrolling; k++)
    memcpy(p->b + p->row[o->touch[k->touch].block], k->restitution, (size_t)k->rows * sizeof *p->b);
}
