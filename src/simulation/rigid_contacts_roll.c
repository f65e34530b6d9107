/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rigid_contacts_parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A turn in a step, rad, that changes rows by less than any tolerance. */
static const double STILL = 1e-9;

int ns_rigid_contacts_get_rolling(ns_rigid_contacts *o)
{
  int rim = 0;
  for (int i = 0; i < o->m->contact.nshapes && !rim; i++) rim = has_rim(&o->m->contact, i);
  if (!rim || o->planar || !(o->m->sim.mj.theta < 1)) return NS_OK;
  o->rolling = calloc(ROLLING, sizeof *o->rolling);
  return o->rolling ? NS_OK : NS_NOMEM;
}

/* How far a body turns in a step, rad. */
static double turn_of(const ns_rigid_contacts *o, int body, const double *v, double h)
{
  return body < 0 ? 0 : h * ns_norm3(v + o->m->systems[body].v + 3);
}

static void begin_rolling(const ns_rigid_contacts *o, int i, const ns_rigid_problem *p, rolling *k)
{
  int block = o->touch[i].block, at = p->row[block], rows = p->row[block + 1] - at;
  size_t width = 2 * (size_t)p->p.dof;
  *k = (rolling){.touch = i, .rows = rows};
  memcpy(k->begin, p->H + width * (size_t)at, width * (size_t)rows * sizeof *k->begin);
  memcpy(k->restitution, p->b + at, (size_t)rows * sizeof *k->restitution);
}

int ns_rigid_contacts_roll(ns_rigid_contacts *o, const ns_rigid_problem *p, const double *v,
                           double h)
{
  o->nrolling = 0;
  if (!o->rolling) return 0;
  int n = 0;
  for (int i = 0; i < o->n; i++) {
    const ns_rigid_touch *t = &o->touch[i];
    if (!t->active || !may_roll(o, t) || !(p->r[p->row[t->block]] > 0)) continue;
    if (turn_of(o, t->body[0], v, h) + turn_of(o, t->body[1], v, h) < STILL) continue;
    if (n == ROLLING) return 0;
    begin_rolling(o, i, p, &o->rolling[n++]);
  }
  o->nrolling = n;
  return n > 0;
}

/* Its rows, bodies being at q. 0: the two do not meet there as they did at the begin. */
static int rows_at(ns_rigid_contacts *o, const rolling *k, const double *q, double *H)
{
  const ns_rigid_touch *t = &o->touch[k->touch];
  uint64_t feature = o->list[k->touch].touch.feature;
  o->nearby.count = 0;
  ns_scene_touch(o->scene, t->a, t->b, q, fmax(t->gap, 0) + o->least / 2, &o->nearby);
  for (int i = 0; i < o->nearby.count; i++) {
    if (o->nearby.at[i].feature != feature) continue;
    meeting m = meeting_at(t, &o->nearby.at[i]);
    fill_rows(o, t, k->rows, q, m.point, m.normal, H);
    return 1;
  }
  return 0;
}

int ns_rigid_contacts_roll_rows(ns_rigid_contacts *o, ns_ctx *c, const double *within,
                                const double *q)
{
  for (rolling *k = o->rolling; k < o->rolling + o->nrolling; k++) {
    k->lost = k->lost || !rows_at(o, k, within, k->push) || !rows_at(o, k, q, k->end);
    if (!k->lost) continue;
    memcpy(k->push, k->begin, sizeof k->push);
    memcpy(k->end, k->begin, sizeof k->end);
  }
  return o->nearby.failed ? ns_nomem(c, "contacts between shapes") : NS_OK;
}

/* Its row i times v of its bodies; *size: the sum of the terms. */
static double speed_along(const ns_rigid_touch *t, const double *row, const double *v, double *size)
{
  double s = 0;
  *size = 0;
  for (int j = 0; j < (t->body[1] < 0 ? 6 : 12); j++) {
    double term = row[j] * v[6 * t->body[j / 6] + j % 6];
    s += term;
    *size += fabs(term);
  }
  return s;
}

void ns_rigid_contacts_roll_fill(ns_rigid_contacts *o, const double *v, ns_rigid_problem *p)
{
  for (const rolling *k = o->rolling; k < o->rolling + o->nrolling; k++) {
    const ns_rigid_touch *t = &o->touch[k->touch];
    int at = p->row[t->block];
    memcpy(p->H + 12 * (size_t)at, k->push, 12 * (size_t)k->rows * sizeof *k->push);
    for (int i = 0; i < k->rows; i++) {
      double size, end = speed_along(t, k->end + 12 * i, v, &size),
                   push = speed_along(t, k->push + 12 * i, v, &size);
      p->b[at + i] = k->restitution[i] + (end - push);
    }
  }
}

/* Largest sum of the terms of a row: as the normal turns it takes from the others, so that they have one size. */
static double contact_speed(const ns_rigid_touch *t, const rolling *k, const double *v)
{
  double largest = 0, size;
  for (int i = 0; i < k->rows; i++) {
    speed_along(t, k->end + 12 * i, v, &size);
    largest = fmax(largest, size);
  }
  return largest;
}

double ns_rigid_contacts_roll_change(const ns_rigid_contacts *o, const double *v,
                                     const ns_rigid_problem *p, double *impulse)
{
  const ns_time_stepping_options *opt = &o->m->sim.ts;
  double worst = 0;
  for (const rolling *k = o->rolling; k < o->rolling + o->nrolling; k++) {
    const ns_rigid_touch *t = &o->touch[k->touch];
    int at = p->row[t->block];
    double rtol = opt->newton_rtol + 16 * DBL_EPSILON;
    double tolerance = opt->newton_atol + rtol * contact_speed(t, k, v);
    for (int i = 0; i < k->rows; i++) {
      double size, w = k->restitution[i] + speed_along(t, k->end + 12 * i, v, &size);
      worst = fmax(worst, fabs(w - p->u[at + i]) / tolerance);
      const double *is = k->push + 12 * i, *was = p->H + 12 * (size_t)(at + i);
      for (int j = 0; j < (t->body[1] < 0 ? 6 : 12); j++)
        impulse[6 * t->body[j / 6] + j % 6] += p->r[at + i] * (is[j] - was[j]);
    }
  }
  return worst;
}

void ns_rigid_contacts_roll_end(const ns_rigid_contacts *o, ns_rigid_problem *p)
{
  for (const rolling *k = o->rolling; k < o->rolling + o->nrolling; k++)
    memcpy(p->b + p->row[o->touch[k->touch].block], k->restitution, (size_t)k->rows * sizeof *p->b);
}
