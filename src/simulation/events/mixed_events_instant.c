/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens at an instant, in which order (mixed_events.h). */
#include "simulation/events/mixed_events_parts.h"

#include "model/law_values.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 8 }; /* of the parts at one instant, one after the other */

/* ---- what parts leave to all ----------------------------------------------------------------- */

/* Formulas that jump see the state as the part has left it. */
static int part_jumped(void *of)
{
  mixed_share *s = of;
  mixed_events *o = s->all;
  if (!o->run.branches) return NS_OK;
  ns_mx_give_motion(s);
  return ns_branches_jumped(o->run.branches, o->run.c);
}

/* Formulas of laws read the whole model, whose laws are renewed; the part takes its own. */
static int part_laws(void *of, double t, const double *q, const double *v, const double *ydot)
{
  mixed_share *s = of;
  mixed_events *o = s->all;
  ns_family_part *p = &s->part;
  if (s == &o->mechanics) ns_mx_read_by_mechanics(s, t, q, v);
  else ns_mx_read_by_first_order(s, t, q, NULL);
  ns_part_give(p->model.nrows, p->row, ydot, o->ydot);
  int rc = ns_law_values_at(o->m, o->run.c, t, o->q, o->v, o->x->z, o->ydot);
  for (int i = 0; i < p->model.ninteractions && !rc; i++) {
    const ns_nonsmooth_law *law = &o->m->interactions[p->interaction[i]].law;
    if (law->nformulas) p->model.interactions[i].law = *law;
  }
  return rc;
}

/* A root of mechanics is behind another one: all goes back to that. */
static int part_moved(void *of, double t)
{
  mixed_events *o = ((mixed_share *)of)->all;
  int rc = o->run.ops->dense(o->run.flow, o->run.c, t, 0, o->run.unknown);
  *o->x->t = t;
  memset(o->fired, 0, (size_t)o->nparts * sizeof *o->fired);
  if (o->F) {
    ns_mx_take(&o->order1, o->run.unknown, o->F->run.unknown);
    o->order1.run->family->come(o->F, t);
  }
  return rc ? rc : ns_event_run_open(&o->run);
}

static void part_changed(void *of)
{
  mixed_share *s = of;
  mixed_events *o = s->all;
  o->some = o->changed = 1;
  if (s != &o->mechanics) return;
  for (size_t r = 0; r < s->part.model.nrows; r++) o->x->impulse[s->part.row[r]] += s->x.impulse[r];
}

ns_event_host ns_mx_host(mixed_share *s)
{
  int mechanics = s == &s->all->mechanics;
  return (ns_event_host){.of = s,
                         .run = &s->all->run,
                         .ops = &ns_mx_share_ops,
                         .others = mechanics ? ns_mx_read_by_mechanics : ns_mx_read_by_first_order,
                         .laws = s->all->m->values ? part_laws : NULL,
                         .pushed = mechanics ? s->all->push : NULL,
                         .responds_alike = ns_mx_responds_alike,
                         .push = ns_mx_push,
                         .strike = ns_mx_strike,
                         .jumped = part_jumped,
                         .moved = part_moved,
                         .changed = part_changed,
                         .march = ns_mx_march,
                         .leave = ns_mx_leave};
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Mechanics is to be looked at again after what first order has done: forces on it are others. */
static int acts_anew(mixed_events *o)
{
  int moved = ns_mx_from_images(o), pushed = ns_mx_pushes_anew(o);
  return o->F->jump.made || moved || pushed;
}

/* Modes of first order at the state; *jumped: that is another one from then on. */
int ns_mx_decide_first_order(mixed_events *o, int *jumped)
{
  int rc = ns_event_run_keep(o->F);
  if (!rc) rc = ns_sw_changed(o->F, 1);
  ns_mx_place_first_order(o, o->order1.x.q);
  *jumped = !rc && acts_anew(o);
  return rc;
}

static int do_not_settle(mixed_events *o)
{
  return ns_fail_at(
      o->run.c, NS_NUMERIC, &o->m->sim.at,
      "at t = %.10g s jumps of first-order systems and forces on mechanics change each other "
      "more than %d times; the results so far are kept; look for couplings that reverse each "
      "other's effect",
      *o->x->t, (int)ROUNDS);
}

/* What is left to do where mechanics (its forces are others), or first order (what it reads is
 * another) are to be looked at. Where neither has changed a mode or jumped in the last round,
 * forces and velocities differ by rounding: at rest, or where a current begins, they are nothing
 * else. */
int ns_mx_settle(mixed_events *o, int mechanics, int first_order)
{
  int rc = NS_OK;
  for (int round = 0; !rc && (mechanics || first_order); round++) {
    if (round == ROUNDS) return o->changed ? do_not_settle(o) : NS_OK;
    o->changed = 0;
    if (mechanics && o->L) rc = ns_ed_event(o->L);
    ns_mx_anchor_state(o);
    first_order |= mechanics;
    mechanics = 0;
    if (!rc && first_order && o->F) rc = ns_mx_decide_first_order(o, &mechanics);
    first_order = 0;
    mechanics = mechanics && o->L;
  }
  return rc;
}

/* Events are counted by the parts. */
int ns_mx_decided(void *of, int *some)
{
  mixed_events *o = of;
  ns_mx_collect(o);
  ns_event_run_count(&o->run, 0);
  *some = o->some;
  return NS_OK;
}

void ns_mx_over(void *of)
{
  mixed_events *o = of;
  memset(o->x->impulse, 0, o->m->nrows * sizeof *o->x->impulse);
  o->some = 0;
}

/* Roots of the first-order rows, for an event in which others have a part, too. */
static void note_fired(mixed_events *o)
{
  const int *fired = o->fired + o->order1.first_root;
  int rows = o->F->k->nrows;
  for (int r = 0; r < rows; r++) o->F->fired[r] = fired[r] || fired[rows + r];
}

static int any(const int *fired, int n)
{
  for (int i = 0; i < n; i++)
    if (fired[i]) return 1;
  return 0;
}

/* Mechanics at its roots, and what follows for first order; `own`: that has roots, too. */
static int mechanics_root(mixed_events *o, double since, double t, int own)
{
  int jumped = 0, rc = o->mechanics.run->family->root(o->L, since, t);
  ns_mx_anchor_state(o);
  int happened = o->mechanics.asks;
  if (rc || !o->F || !(happened || own)) return rc;
  own = any(o->fired + o->order1.first_root, o->order1.problem->nroots);
  if (own) note_fired(o);
  rc = ns_mx_decide_first_order(o, &jumped);
  return rc ? rc : ns_mx_settle(o, jumped, 0);
}

static int first_order_root(mixed_events *o, double since, double t)
{
  int rc = o->order1.run->family->root(o->F, since, t);
  ns_mx_place_first_order(o, o->order1.x.q);
  return rc ? rc : ns_mx_settle(o, acts_anew(o) && o->L, 0);
}

/* Whose root it is. A root that the inspection of mechanics has found is of nobody else. */
static void sort_roots(mixed_events *o, int *mechanics, int *first_order)
{
  const int *fired = o->run.ops->fired(o->run.flow);
  int found = o->L && o->L->inspection.found, nL = o->L ? o->mechanics.problem->nroots : 0;
  memset(o->fired, 0, (size_t)o->nparts * sizeof *o->fired);
  if (!found) memcpy(o->fired, fired, (size_t)o->nparts * sizeof *o->fired);
  *mechanics = found || any(o->fired, nL);
  *first_order = any(o->fired + nL, o->nparts - nL);
}

int ns_mx_root(void *of, double since, double t)
{
  mixed_events *o = of;
  int mechanics, first_order;
  sort_roots(o, &mechanics, &first_order);
  int found = o->L && o->L->inspection.found;
  int users = !found && ns_event_run_note(&o->run, t, o->run.ops->fired(o->run.flow));
  int rc = ns_event_run_open(&o->run);
  if (!rc && (first_order || users)) rc = ns_mx_certify(o, 1);
  if (!rc && mechanics) rc = mechanics_root(o, since, t, first_order);
  else if (!rc && first_order) rc = first_order_root(o, since, t);
  if (o->L) o->L->inspection.found = 0;
  if (!rc && (o->mechanics.asks || o->order1.asks)) rc = ns_event_run_close(&o->run, rc);
  if (!rc && ns_mx_steps(o)) rc = ns_mx_steps_from(o);
  return rc || !users ? rc : ns_event_run_fired(&o->run);
}
