/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_life.c -- bodies and shapes that exist for a part of an event-driven run.
 *
 * Births and deaths are events at known times. A gap of two shapes of which one does not exist is
 * NS_NO_GAP (collision/gap.h): it is open and stays so, in the flow, in its certificate and in
 * time-stepping through impacts that accumulate alike. A body that does not exist keeps its
 * position and its velocity, and no force acts on it. A contact that loses one of its bodies is
 * open at once; what a compliant one has stored is lost, as work of forces (ns_ed_changed), and so
 * is its bond. One that gets its bodies is met as at t0, without a bond: they may touch, and it may
 * be an impact, but they must not overlap. */
#include "simulation/events/event_driven_modes.h"

#include "algebra/vector.h"
#include "model/relations/output.h"
#include "model/relations/rigid_relation.h"
#include "simulation/events/event_queue.h"

#include <string.h>

static int count(const event_driven *o) { return o->s.m->gaps ? o->s.m->gaps->n : 0; }

static double now(const event_driven *o)
{
  double t = *o->s.x->t;
  return t + ns_event_resolution(&o->s.m->sim, t);
}

static void bodies(event_driven *o)
{
  const ns_model *m = o->s.m;
  for (int i = 0; i < m->nsystems; i++)
    o->life.away[i] = !ns_life_holds(ns_system_life(&m->systems[i]), now(o));
}

static int pair_exists(const event_driven *o, int gap)
{
  const int *pair = o->s.m->gaps->pair[gap];
  return ns_model_shape_exists(o->s.m, pair[0], now(o)) &&
         ns_model_shape_exists(o->s.m, pair[1], now(o));
}

/* 1: the contact of this gap had a mode or a force. */
static int open_contact(event_driven *o, int gap)
{
  size_t r = o->s.m->interactions[o->s.m->gaps->first + gap].row;
  int u = ns_ed_unit(o, (int)r), held = o->mode[u] != NS_ED_FREE;
  ns_ed_set(o, u, NS_ED_FREE);
  ns_ed_overlap_ends(o, o->s.m->gaps->first + gap);
  o->flights[r] = 0, o->fastest[r] = 0;
  return held;
}

/* What gap i is from now on; those of near parts are found by event_driven_near.c. */
static void give(event_driven *o, int i, int gone)
{
  o->life.gone[i] = (unsigned char)gone;
  if (gone) ns_ed_bond_ends(o, o->s.m->gaps->first + i);
  if (gone) ns_shape_gaps_give(o->s.m, i, NS_NO_GAP);
  else if (o->life.which[i] != NS_NO_GAP) ns_shape_gaps_give(o->s.m, i, o->life.which[i]);
}

static void list(event_driven *o)
{
  ns_ed_life *l = &o->life;
  l->nthere = 0;
  for (int i = 0; i < o->s.m->ninteractions; i++)
    if (!ns_ed_is_gone(o, i)) l->there[l->nthere++] = i;
}

int ns_ed_life_create(event_driven *o, ns_ctx *c)
{
  const ns_model *m = o->s.m;
  size_t n = (size_t)count(o);
  const ns_array roots[] = {{&o->life.there, (size_t)m->ninteractions, sizeof(int)},
                            {&o->life.ones, 2 * m->nrows, sizeof(double)}};
  if (ns_arena_arrays(o->run.mem, roots, 2)) return ns_nomem(c, "event-driven simulation");
  ns_fill(2 * m->nrows, 1, o->life.ones);
  list(o);
  const ns_array want[] = {{&o->life.away, (size_t)m->nsystems, 1},
                           {&o->life.gone, n, 1},
                           {&o->life.comes, n, 1},
                           {&o->life.which, n, sizeof *o->life.which}};
  if (!ns_model_is_mortal(m)) return NS_OK;
  if (ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want))
    return ns_nomem(c, "births and deaths");
  for (int i = 0; i < count(o); i++)
    o->life.which[i] = m->interactions[m->gaps->first + i].gap.which;
  for (int k = 0; n && k < m->gaps->nnear; k++) /* found when they are near */
    ns_fill_ints((size_t)m->gaps->near[k].n, NS_NO_GAP, o->life.which + m->gaps->near[k].first);
  bodies(o);
  for (int i = 0; i < count(o); i++)
    if (!pair_exists(o, i)) give(o, i, 1);
  list(o);
  return NS_OK;
}

void ns_ed_life_save(const event_driven *o, ns_blob *b)
{
  if (!o->life.away) return;
  ns_blob_put(b, o->life.away, (size_t)o->s.m->nsystems);
  ns_blob_put(b, o->life.gone, (size_t)count(o));
}

void ns_ed_life_restore(event_driven *o, ns_blob *b)
{
  if (!o->life.away) return;
  ns_blob_get(b, o->life.away, (size_t)o->s.m->nsystems);
  ns_blob_get(b, o->life.gone, (size_t)count(o));
  for (int i = 0; i < count(o) && !b->failed; i++) give(o, i, o->life.gone[i] != 0);
  list(o);
}

static int is_old(const void *of, int a, int b)
{
  const event_driven *o = of;
  const ns_shape_gaps *g = o->s.m->gaps;
  for (int i = 0; i < g->n; i++)
    if (o->life.comes[i] && g->pair[i][0] == a && g->pair[i][1] == b) return 0;
  return 1;
}

int ns_ed_life_turn(void *of)
{
  event_driven *o = of;
  const ns_state *x = o->s.x;
  int opened = 0, changed = 0, rc = NS_OK;
  bodies(o);
  ns_ed_prescribe(o, *x->t, x->v);
  if (!count(o)) return NS_OK;
  for (int i = 0; i < count(o); i++) {
    int gone = !pair_exists(o, i);
    o->life.comes[i] = !gone && o->life.gone[i];
    if (gone && !o->life.gone[i]) opened |= open_contact(o, i);
    if (gone != o->life.gone[i]) give(o, i, gone);
  }
  list(o);
  rc = ns_ed_near_born(o, &changed);
  if (!rc) rc = ns_shapes_check_inside(o->s.m, o->run.c, x->q, now(o), is_old, o);
  if (rc || !opened || o->hybrid.active) return rc;
  rc = ns_ed_free(o, *x->t, x->q, x->v);
  return rc ? rc : ns_ed_hold(o, *x->t, x->q, x->v);
}

static int is_marked(const event_driven *o, const unsigned char *mark, int interaction)
{
  int gap = o->s.m->gaps ? interaction - o->s.m->gaps->first : -1;
  return o->life.away && gap >= 0 && mark[gap];
}

int ns_ed_is_gone(const event_driven *o, int interaction)
{
  return is_marked(o, o->life.gone, interaction);
}

int ns_ed_comes(const event_driven *o, int interaction)
{
  return is_marked(o, o->life.comes, interaction);
}

int ns_ed_body_is_away(const event_driven *o, int j)
{
  const ns_model *m = o->s.m;
  int away = 0;
  for (int i = 0; o->life.away && i < m->nsystems; i++) {
    size_t v = m->systems[i].v, end = v + (size_t)m->systems[i].n;
    away |= o->life.away[i] && v <= (size_t)j && (size_t)j < end;
  }
  return away;
}

void ns_ed_life_stay(const event_driven *o, double *of_v)
{
  const ns_model *m = o->s.m;
  for (int i = 0; o->life.away && i < m->nsystems; i++)
    if (o->life.away[i]) memset(of_v + m->systems[i].v, 0, (size_t)m->systems[i].n * sizeof *of_v);
}

void ns_ed_life_rest(const event_driven *o, double *of_q)
{
  const ns_model *m = o->s.m;
  for (int i = 0; o->life.away && i < m->nsystems; i++)
    if (o->life.away[i]) memset(of_q + m->systems[i].q, 0, (size_t)m->systems[i].nq * sizeof *of_q);
}
