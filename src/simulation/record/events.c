/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/record/events.h"

#include <math.h>

static const double NEGLIGIBLE = 1e-9;

/* It approached faster than forces of the step made it, and no longer does. */
static int turned_back(const ns_state *x, double before, double after, double free_speed)
{
  int approached = -before > fabs(free_speed - before) &&
                   -before > NEGLIGIBLE * x->cert->approach_max;
  return approached && after > before / 2;
}

int ns_events_impact(ns_state *x, double before, double after, double impulse, double free_speed)
{
  if (!(impulse > 0) || !turned_back(x, before, after, free_speed)) return 0;
  if (-before > x->cert->approach_max) x->cert->approach_max = -before;
  x->cert->impacts++;
  return 1;
}

int ns_events_mode(ns_state *x, unsigned char *mode, double before, double after, double impulse,
                   double free_speed)
{
  unsigned char was = *mode;
  if (!(impulse > 0)) {
    *mode = NS_MODE_FREE;
    return was == NS_MODE_LASTING || was == NS_MODE_PARTED ? NS_EVENT_RELEASE : -1;
  }
  if (ns_events_impact(x, before, after, impulse, free_speed)) {
    *mode = NS_MODE_LOADED;
    return NS_EVENT_IMPACT;
  }
  *mode = was == NS_MODE_FREE ? NS_MODE_LOADED : NS_MODE_LASTING;
  return was == NS_MODE_LOADED ? NS_EVENT_CONTACT : -1;
}

int ns_events_row(ns_state *x, int row, ns_event *e, double free_speed)
{
  int was = x->mode[row];
  int kind = ns_events_mode(x, &x->mode[row], e->before, e->after, e->impulse, free_speed);
  ns_events_note(e, was, x->mode[row]);
  return kind;
}

int ns_events_report(ns_recorder *rec, ns_ctx *c, const ns_model *m, int interaction, int r,
                     int kind, ns_event *e)
{
  e->kind = (ns_event_kind)kind;
  e->interaction = interaction;
  e->row = r - (int)m->interactions[interaction].row;
  return ns_recorder_event(rec, c, e);
}

/* ---- friction -------------------------------------------------------------------------------- */

/* After a step with the impulse normal > 0 and mu > 0: it slides where the impulse of friction,
 * `friction` long, is at the cone within 1e-6 and the solution of the one-step problem moves along
 * the plane. Updates *mode; NS_EVENT_STICK, NS_EVENT_SLIP or -1. */
static int slide(unsigned char *mode, double mu, double normal, double friction, double moves)
{
  static const double NEAR = 1e-6;
  unsigned char was = *mode;
  if (friction >= (1 - NEAR) * mu * normal && moves > 0) {
    *mode = NS_SLIDE_SLIP;
    return was == NS_SLIDE_STICK ? NS_EVENT_SLIP : -1;
  }
  *mode = was == NS_SLIDE_SLIP ? NS_SLIDE_PAUSE : NS_SLIDE_STICK;
  return was == NS_SLIDE_PAUSE ? NS_EVENT_STICK : -1;
}

/* Length of the rows of slip behind the normal; of one: with its sign. Velocities and impulses of
 * mechanics have squares that do not overflow, so that hypot, which takes as long as the rest, is
 * not needed. */
static double along(const double *x, int slip)
{
  return slip == 1 ? x[1] : sqrt(x[1] * x[1] + x[2] * x[2]);
}

int ns_events_slide(unsigned char *mode, double mu, int slip, double tension, const double *impulse,
                    const double *speed)
{
  double normal = impulse[0] + tension;
  if (normal > 0 && mu > 0)
    return slide(mode, mu, normal, fabs(along(impulse, slip)), fabs(along(speed, slip)));
  *mode = NS_SLIDE_UNKNOWN;
  return -1;
}

void ns_events_slid(ns_event *e, int kind, int slip, const double *impulse, const double *before,
                    const double *after)
{
  e->before = along(before, slip);
  e->after = along(after, slip);
  e->impulse = along(impulse, slip);
  e->is = kind == NS_EVENT_STICK ? NS_ROW_STICK : NS_ROW_SLIP;
  e->was = kind == NS_EVENT_STICK ? NS_ROW_SLIP : NS_ROW_STICK;
  for (int a = 1; a <= slip; a++) e->lost -= impulse[a] * (before[a] + after[a]) / 2;
}

int ns_events_still_sticks(const ns_event *e, double fast, unsigned char *mode)
{
  int none = fabs(e->after) <= NEGLIGIBLE * fast;
  if (none) *mode = NS_SLIDE_STICK;
  return none;
}

int ns_events_friction(ns_recorder *rec, ns_ctx *c, const ns_model *m, ns_state *x,
                       const ns_slipping *k)
{
  unsigned char *mode = &x->mode[k->normal + 1];
  int kind = ns_events_slide(mode, ns_law_mu(&m->interactions[k->interaction].law), k->slip,
                             k->tension, k->impulse, k->speed);
  if (kind < 0) return NS_OK;
  ns_event e = {.t = *x->t};
  ns_events_slid(&e, kind, k->slip, k->impulse, k->before + k->normal, x->ydot + k->normal);
  if (kind == NS_EVENT_SLIP && ns_events_still_sticks(&e, k->fastest(k->of), mode)) return NS_OK;
  if (!rec) return NS_OK;
  return ns_events_report(rec, c, m, k->interaction, k->normal + 1, kind, &e);
}

/* ---- births and deaths ----------------------------------------------------------------------- */

static int life_event(ns_recorder *rec, ns_ctx *c, const ns_life *l, ns_event e, double from,
                      double to)
{
  int was = ns_life_holds(l, from), is = ns_life_holds(l, to);
  e.kind = is ? NS_EVENT_BIRTH : NS_EVENT_DEATH;
  return was == is ? NS_OK : ns_recorder_event(rec, c, &e);
}

int ns_events_of_lives(ns_recorder *rec, ns_ctx *c, const ns_model *m, double t, double from,
                       double to)
{
  int rc = NS_OK;
  for (int i = 0; i < m->nsystems && !rc; i++) {
    ns_event e = {.t = t, .interaction = -1, .row = i, .of = m->systems[i].at.id};
    rc = life_event(rec, c, ns_system_life(&m->systems[i]), e, from, to);
  }
  for (int i = 0; i < m->contact.nshapes && !rc; i++) {
    ns_event e = {.t = t, .interaction = -1, .row = i, .of = m->contact.shape[i].id};
    rc = life_event(rec, c, m->contact.shape[i].life, e, from, to);
  }
  return rc;
}
