/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/rigid_contacts_parts.h"

#include "simulation/record/events.h"

#include <math.h>
#include <stdlib.h>

/* ---- modes go from list to list -------------------------------------------------------------- */

/* Of the pair of k, the first in the list that begins there; -1: none. */
static int successor(const ns_scene_contact *list, int n, const past *k)
{
  int low = 0, high = n;
  while (low < high) {
    int mid = low + (high - low) / 2;
    if (list[mid].a < k->a || (list[mid].a == k->a && list[mid].b < k->b)) low = mid + 1;
    else high = mid;
  }
  while (low < n && list[low].a == k->a && list[low].b == k->b && list[low].was >= 0) low++;
  return low < n && list[low].a == k->a && list[low].b == k->b ? low : -1;
}

/* Modes go where their contacts are in the new list. Of those that were loaded and are not in
 * it, another of the pair goes on, or they are released. */
void ns_rigid_contacts_move_modes(ns_rigid_contacts *o, const ns_scene_contact *list, int n)
{
  past *before = o->past;
  o->past = o->gone;
  o->gone = before;
  for (int i = 0; i < n; i++) {
    o->past[i] = (past){0};
    if (list[i].was < 0) continue;
    o->past[i] = before[list[i].was];
    before[list[i].was].mode = NS_MODE_FREE;
  }
  for (const past *k = before; k < before + o->n; k++) {
    if (k->mode == NS_MODE_FREE) continue;
    int i = successor(list, n, k);
    if (i >= 0 && o->past[i].mode == NS_MODE_FREE) {
      o->past[i].mode = k->mode;
      o->past[i].slide = k->slide;
    } else if (k->mode == NS_MODE_LASTING) {
      ns_event e = {.kind = NS_EVENT_RELEASE,
                    .interaction = -1,
                    .a = k->a,
                    .b = k->b,
                    .feature = k->feature,
                    .before = k->before,
                    .after = k->after};
      ns_events_note(&e, NS_MODE_LASTING, NS_MODE_FREE);
      o->event[o->nevents++] = e;
    }
  }
}

/* ---- what a step has done -------------------------------------------------------------------- */

/* What forces add to its normal velocity in a step, and the speeds v of its bodies. */
static double fast_of(const ns_rigid_contacts *o, const ns_rigid_touch *t, const double *v)
{
  double fast = t->speed - t->forecast;
  for (int e = 0; e < 2 && t->body[e] >= 0; e++) {
    const double *of = velocities_of(o, t->body[e], v);
    fast += fabs(of[0]) + fabs(of[1]) + (o->planar ? 0 : fabs(of[2]));
  }
  return fast;
}

/* Its normal velocity at the begin of the step, as an impact sees it. */
static double approach_of(const ns_rigid_contacts *o, const ns_rigid_touch *t, const ns_state *x)
{
  if (!(t->speed < 0)) return t->speed;
  return ns_events_approach(t->speed, fast_of(o, t, x->v));
}

static void count_impacts(const ns_rigid_contacts *o, const ns_rigid_problem *p,
                          const double *vfree, ns_state *x)
{
  for (int i = 0; i < o->n; i++) {
    const ns_rigid_touch *t = &o->touch[i];
    if (!t->active || law_of(o, t)->of.ops->compliant) continue;
    int at = p->row[t->block];
    ns_events_impact(x, approach_of(o, t, x), velocity_along(p, at), p->r[at],
                     ns_rigid_problem_speed(p, t->block, at, vfree));
  }
}

/* Velocities along its rows at the begin of the step, of bodies that move with v at q. */
static void row_speeds(const ns_rigid_contacts *o, const ns_rigid_touch *t, int rows,
                       const double *q, const double *v, double *u)
{
  double H[12 * ROWS];
  int dof = o->planar ? 3 : 6;
  meeting m = meeting_of(o, t);
  fill_rows(o, t, rows, q, m.point, m.normal, H);
  for (int i = 0; i < rows; i++) {
    u[i] = 0;
    for (int e = 0; e < 2 && t->body[e] >= 0; e++)
      for (int j = 0; j < dof; j++)
        u[i] += H[2 * dof * i + dof * e + j] * velocities_of(o, t->body[e], v)[j];
  }
}

static void keep_event(ns_rigid_contacts *o, const ns_rigid_touch *t, int kind, int row,
                       ns_event *e)
{
  e->kind = (ns_event_kind)kind;
  e->interaction = -1;
  e->row = row;
  e->a = t->a;
  e->b = t->b;
  e->feature = o->list[t - o->touch].touch.feature;
  o->event[o->nevents++] = *e;
}

/* A step as one contact has seen it. */
typedef struct seen {
  const ns_rigid_touch *t;
  int slip;
  const double *r, *u; /* of the one-step problem, zero where it took no part */
  double tension;      /* that a bond adds to the normal impulse in the law, N s */
  double free, after;  /* u_N without contact and at the end */
} seen;

/* Of several contacts of a body that could carry it the solution loads some, by turns: one that
 * lasts and is left out is released once it parts, which is faster than rounding of the
 * velocities. */
static int rests(const ns_rigid_contacts *o, const seen *k, const ns_state *x)
{
  static const double ROUNDING = 1e-9;
  if (o->past[k->t - o->touch].mode != NS_MODE_LASTING || k->r[0] > 0 || is_alone(o, k->t))
    return 0;
  return fabs(k->after) <= ROUNDING * fmax(x->cert->approach_max, k->t->speed - k->t->forecast);
}

static void normal_event(ns_rigid_contacts *o, const seen *k, ns_state *x)
{
  past *was = &o->past[k->t - o->touch];
  if (rests(o, k, x)) return;
  int before = was->mode, kind = ns_events_mode(x, &was->mode, approach_of(o, k->t, x), k->after,
                                                k->r[0] + k->tension, k->free);
  was->a = k->t->a;
  was->b = k->t->b;
  was->feature = o->list[k->t - o->touch].touch.feature;
  was->before = k->t->speed;
  was->after = k->after;
  if (kind < 0) return;
  ns_event e = {.before = k->t->speed, .after = k->after, .impulse = k->r[0]};
  ns_events_note(&e, before, was->mode);
  keep_event(o, k->t, kind, 0, &e);
}

static void slip_event(ns_rigid_contacts *o, const seen *k, const double *v, const ns_state *x)
{
  double before[ROWS], after[ROWS];
  past *was = &o->past[k->t - o->touch];
  int kind = ns_events_slide(&was->slide, law_now(o, k->t)->mu, k->slip, k->tension, k->r, k->u);
  if (kind < 0) return;
  ns_event e = {0};
  row_speeds(o, k->t, 1 + k->slip, x->q, x->v, before);
  row_speeds(o, k->t, 1 + k->slip, x->q, v, after);
  ns_events_slid(&e, kind, k->slip, k->r, before, after);
  if (kind == NS_EVENT_SLIP && ns_events_still_sticks(&e, fast_of(o, k->t, v), &was->slide)) return;
  keep_event(o, k->t, kind, 1, &e);
}

void ns_rigid_contacts_happened(ns_rigid_contacts *o, const ns_rigid_problem *p,
                                const double *vfree, const double *v, ns_state *x)
{
  static const double none[ROWS];
  o->nevents = 0;
  if (!o->told) {
    count_impacts(o, p, vfree, x);
    return;
  }
  for (int i = 0; i < o->n; i++) {
    seen k = {.t = &o->touch[i], .r = none, .u = none};
    if (!k.t->active && o->past[i].mode == NS_MODE_FREE) continue;
    if (law_of(o, k.t)->of.ops->compliant) continue; /* its force is continuous */
    k.slip = law_of(o, k.t)->slip;
    if (k.t->active) {
      int at = p->row[k.t->block];
      k.r = p->r + at;
      k.u = p->u + at;
      k.tension = o->memory ? o->lasting[i].pull : 0;
      k.free = ns_rigid_problem_speed(p, k.t->block, at, vfree);
      k.after = velocity_along(p, at);
    } else {
      row_speeds(o, k.t, 1, x->q, v, &k.after);
    }
    normal_event(o, &k, x);
    if (k.slip) slip_event(o, &k, v, x);
  }
}

ns_event *ns_rigid_contacts_events(ns_rigid_contacts *o, int *n)
{
  *n = o->nevents;
  return o->event;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

void ns_rigid_contacts_save_modes(const ns_rigid_contacts *o, ns_blob *b)
{
  for (int i = 0; i < o->n && o->told; i++) {
    ns_blob_put(b, &o->past[i].mode, 1);
    ns_blob_put(b, &o->past[i].slide, 1);
  }
}

void ns_rigid_contacts_restore_modes(ns_rigid_contacts *o, ns_blob *b)
{
  o->nevents = 0;
  for (int i = 0; i < o->n && o->told; i++) {
    o->past[i] = (past){0};
    ns_blob_get(b, &o->past[i].mode, 1);
    ns_blob_get(b, &o->past[i].slide, 1);
  }
}
