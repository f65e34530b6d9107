/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contact_events.h -- modes and events of the rows of interactions after an accepted step
 * (events.h), of Lagrangian systems and of rigid bodies. Inlined, because small models spend much
 * of their time here. */
#ifndef NS_SIMULATION_STEP_CONTACT_EVENTS_H
#define NS_SIMULATION_STEP_CONTACT_EVENTS_H

#include "simulation/record/events.h"
#include "simulation/rows/contacts.h"
#include "simulation/step/stepper.h"

#include <math.h>
#include <string.h>

typedef struct ns_contact_history {
  const ns_model *m;
  ns_state *x;
  const ns_contacts *k; /* NULL: the rows are those of bodies */
  /* ydot of active rows at the beginning of the step [nrows]; memory of the driver */
  double *before;
  double *gap;           /* y of the same [nrows], where h is not 0; memory of the driver */
  double h;              /* of the step; 0: no gap bends, none can jump */
  const double *tension; /* of bonds, impulses [nrows]; NULL: none */
  size_t loaded;         /* rows whose mode is not free */
  double fast; /* max. speed of a row without contacts in this step; < 0: not computed yet */
  double (*fastest)(const void *of); /* computes it */
  const void *of;
} ns_contact_history;

static inline double ns_contact_history_fastest(const void *of)
{
  const ns_contacts *k = of;
  double fast = 0;
  for (int i = 0; i < k->n; i++) ns_keep_max(&fast, fabs(k->q[i]));
  return fast;
}

/* Set *o, with the memory `before`, to the rows of k. */
static inline void ns_contact_history_init(ns_contact_history *o, const ns_contacts *k, ns_state *x)
{
  *o = (ns_contact_history){.m = k->m,
                            .x = x,
                            .k = k,
                            .before = o->before,
                            .gap = o->gap,
                            .tension = k->tension,
                            .fastest = ns_contact_history_fastest,
                            .of = k};
}

/* Count the loaded rows of the state. */
static inline void ns_contact_history_begin(ns_contact_history *o)
{
  o->loaded = 0;
  for (int r = 0; r < o->k->nrows; r++)
    o->loaded += ns_has_events(o->k, r) && o->x->mode[r] != NS_MODE_FREE;
}

/* Store y and ydot before they are replaced by those of the end of the step. */
static inline void ns_contact_history_keep(ns_contact_history *o)
{
  const double *y = o->x->y, *ydot = o->x->ydot;
  const int *active = o->k->active;
  for (int i = 0, n = o->k->n; i < n; i++) o->before[active[i]] = ydot[active[i]];
  o->h = o->k->nmoving ? o->k->h : 0;
  for (int i = 0, n = o->h > 0 ? o->k->n : 0; i < n; i++) o->gap[active[i]] = y[active[i]];
}

/* Velocity of row r before the step for the detection of impacts, relative to the fastest row
 * without contacts. */
static inline double ns_contact_history_approach(ns_contact_history *o, int r, double free_speed)
{
  double before = o->before[r];
  if (!(o->x->lambda[r] > 0 && -before > fabs(free_speed - before))) return before;
  if (o->fast < 0) o->fast = o->fastest(o->of);
  return ns_events_approach(before, o->fast);
}

/* 1 if the gap of row r opened in the step by more than velocities at its ends and forces explain,
 * as where a formula of it jumps: gaps of lasting contacts on curves drift by O(h^3), with theta 1
 * by O(h^2). Forces are those on any row, since in a pile a row may feel them only by others. */
static inline int ns_contact_history_jumped(ns_contact_history *o, int r)
{
  double opened = o->h > 0 && o->x->y[r] > 0 ? o->x->y[r] - o->gap[r] : 0;
  if (!(opened > o->h * (fabs(o->before[r]) + fabs(o->x->ydot[r])))) return 0;
  if (o->fast < 0) o->fast = o->fastest(o->of);
  return opened > o->h * (fabs(o->before[r]) + fabs(o->x->ydot[r]) + o->fast);
}

/* 1 for most rows of a pile: a lasting contact without impact, nothing to be noted. */
static inline int ns_contact_history_lasts(ns_contact_history *o, int r, double free_speed)
{
  double before = o->before[r];
  return o->x->mode[r] == NS_MODE_LASTING && o->x->lambda[r] > 0 &&
         !(-before > fabs(free_speed - before)) && !ns_contact_history_jumped(o, r);
}

/* Mode and event of row r, of this interaction. */
static inline int ns_contact_history_row(ns_contact_history *o, ns_ctx *c, ns_recorder *rec,
                                         int interaction, int r, double free_speed)
{
  ns_state *x = o->x;
  double before = o->before[r];
  if (ns_contact_history_lasts(o, r, free_speed)) return NS_OK;
  double bond = o->tension ? o->tension[r] : 0; /* it lasts while the bond carries */
  int was = x->mode[r],
      kind = ns_events_mode(x, &x->mode[r], ns_contact_history_approach(o, r, free_speed),
                            x->ydot[r], x->lambda[r] + bond, free_speed);
  if (x->mode[r] == NS_MODE_LASTING && ns_contact_history_jumped(o, r)) x->mode[r] = NS_MODE_PARTED;
  o->loaded += (size_t)(x->mode[r] != NS_MODE_FREE) - (size_t)(was != NS_MODE_FREE);
  if (kind < 0 || !rec) return NS_OK;
  ns_event e = {.t = *x->t, .before = before, .after = x->ydot[r], .impulse = x->lambda[r]};
  ns_events_note(&e, was, x->mode[r]);
  return ns_events_report(rec, c, o->m, interaction, r, kind, &e);
}

/* Stick or slip of the unit whose normal is active row i. */
static inline int ns_contact_history_slide(const ns_contact_history *o, ns_ctx *c, ns_recorder *rec,
                                           int i)
{
  const ns_contacts *k = o->k;
  int r = k->active[i];
  ns_slipping slip = {.interaction = k->interaction[r],
                      .normal = r,
                      .slip = k->unit[k->unit_of[r]].rows - 1,
                      .impulse = k->z + i,
                      .tension = o->tension ? o->tension[r] : 0,
                      .speed = k->w + i,
                      .before = o->before,
                      .fastest = o->fastest,
                      .of = o->of};
  return ns_events_friction(rec, c, k->m, o->x, &slip);
}

/* A contact that is no longer active. */
static inline int ns_contact_history_left(ns_contact_history *o, ns_ctx *c, ns_recorder *rec,
                                          int interaction, int r, int friction)
{
  if (friction) o->x->mode[r + 1] = NS_SLIDE_UNKNOWN;
  return ns_contact_history_row(o, c, rec, interaction, r, 0);
}

/* Rows that are active, and rows that were loaded but are no longer active. */
static inline int ns_contact_history_events(ns_contact_history *o, ns_ctx *c, ns_recorder *rec)
{
  const ns_contacts *k = o->k;
  int rc = NS_OK, friction = k->problem == NS_CONTACT_MECHANICAL;
  size_t held = 0;
  o->fast = -1;
  for (int i = 0; i < k->n && !rc; i++) {
    int r = k->active[i];
    if (!k->plain && !ns_has_events(k, r)) continue;
    double free_speed = k->q[i] - k->restitution[r] * o->before[r];
    if (!ns_contact_history_lasts(o, r, free_speed))
      rc = ns_contact_history_row(o, c, rec, k->interaction[r], r, free_speed);
    held += o->x->mode[r] != NS_MODE_FREE;
    if (friction && !rc && k->unit[k->unit_of[r]].kind == NS_UNIT_FRICTION)
      rc = ns_contact_history_slide(o, c, rec, i);
  }
  for (int r = 0; held < o->loaded && r < k->nrows && !rc; r++)
    if (k->position[r] < 0 && o->x->mode[r] != NS_MODE_FREE && ns_has_events(k, r))
      rc = ns_contact_history_left(o, c, rec, k->interaction[r], r,
                                   k->unit[k->unit_of[r]].kind == NS_UNIT_FRICTION);
  return rc;
}

#endif
