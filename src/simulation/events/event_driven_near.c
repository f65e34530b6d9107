/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_near.c -- gaps of a body and a mesh, of which those of near parts have rows
 * (model/relations/shape_gaps.h).
 *
 * Parts of the body and the mesh that have no row were farther from each other than a margin. So
 * they cannot touch before some point of the body has moved on the mesh by that: this is a root, at
 * which rows are given to what is near then, and the flow begins anew. It is no event: what has a
 * row is the same gap before and after. */
#include "simulation/events/event_driven_modes.h"

#include "model/relations/rigid_relation.h"

#include <math.h>
#include <string.h>

static const double FAR = 0.9; /* by the margin: where the root is */

enum { COORDINATES = 2 * 7 };

static int count(const event_driven *o) { return o->s.m->gaps ? o->s.m->gaps->nnear : 0; }

static const ns_interaction *gap_of(const event_driven *o, int i)
{
  return &o->s.m->interactions[o->s.m->gaps->first + i];
}

int ns_ed_near_create(event_driven *o, ns_ctx *c)
{
  o->near.root = -1;
  if (!count(o)) return NS_OK;
  size_t n = (size_t)o->s.m->gaps->n;
  o->near.root = o->run.problem.nroots++;
  o->near.was = ns_arena_zero(o->run.mem, n, sizeof *o->near.was);
  o->near.stays = ns_arena_zero(o->run.mem, n, 1);
  return o->near.was && o->near.stays ? NS_OK : ns_nomem(c, "contacts between shapes");
}

/* Coordinates of the bodies of near gaps k, those of the model being q. */
static void gather(const event_driven *o, int k, const double *q, double *Q)
{
  const ns_interaction *it = gap_of(o, o->s.m->gaps->near[k].first);
  for (int j = 0; j < it->nsystems; j++) {
    const ns_system *s = &o->s.m->systems[it->systems[j]];
    memcpy(Q, q + s->q, (size_t)s->nq * sizeof *Q);
    Q += s->nq;
  }
}

/* It touches, or something happens to it at this event. */
static int is_busy(const event_driven *o, const ns_interaction *it)
{
  size_t r = it->row;
  const ns_state *x = o->s.x;
  return o->mode[ns_ed_unit(o, (int)r)] != NS_ED_FREE || x->impulse[r] != 0 || x->lambda[r] != 0 ||
         o->closing[r] || o->opening[r];
}

static int renew(event_driven *o, int k, const double *Q, int *changed)
{
  const ns_near_gaps *g = &o->s.m->gaps->near[k];
  for (int i = g->first; i < g->first + g->n; i++) {
    o->near.was[i] = gap_of(o, i)->gap.which;
    o->near.stays[i] = (unsigned char)is_busy(o, gap_of(o, i));
  }
  int rc = ns_shape_gaps_renew(o->s.m, o->run.c, k, Q, o->near.stays, changed);
  for (int i = g->first; i < g->first + g->n; i++) {
    const ns_interaction *it = gap_of(o, i);
    for (size_t r = it->row; it->gap.which != o->near.was[i] && r < it->row + (size_t)it->m; r++)
      o->flights[r] = 0, o->fastest[r] = 0;
  }
  return rc;
}

static int is_gone(const event_driven *o, int k)
{
  return ns_ed_is_gone(o, o->s.m->gaps->first + o->s.m->gaps->near[k].first);
}

int ns_ed_near_born(event_driven *o, int *changed)
{
  double Q[COORDINATES];
  int rc = NS_OK;
  for (int k = 0; k < count(o) && !rc; k++) {
    if (!o->life.comes[o->s.m->gaps->near[k].first]) continue;
    gather(o, k, o->s.x->q, Q);
    rc = ns_shape_gaps_renew(o->s.m, o->run.c, k, Q, NULL, changed);
  }
  return rc;
}

int ns_ed_near_look(event_driven *o, double part, int *changed)
{
  double Q[COORDINATES];
  int rc = NS_OK;
  for (int k = 0; k < count(o) && !rc; k++) {
    if (is_gone(o, k)) continue;
    gather(o, k, o->s.x->q, Q);
    if (ns_shape_gaps_moved(o->s.m, k, Q) > part) rc = renew(o, k, Q, changed);
  }
  return rc;
}

void ns_ed_near_roots(event_driven *o, const double *x, double *g)
{
  double Q[COORDINATES], max = 0;
  if (!count(o)) return;
  const double *q = ns_ed_positions(o, x);
  for (int k = 0; k < count(o); k++) {
    if (is_gone(o, k)) continue;
    gather(o, k, q, Q);
    max = fmax(max, ns_shape_gaps_moved(o->s.m, k, Q));
  }
  g[o->near.root] = FAR - max;
}

int ns_ed_near_fired(const event_driven *o, const int *fired)
{
  return o->near.root >= 0 && fired[o->near.root];
}

int ns_ed_near_renew(event_driven *o)
{
  int changed = 0, rc = ns_ed_certify(o, 1);
  if (!rc) rc = ns_ed_near_look(o, FAR / 2, &changed);
  return rc ? rc : ns_ed_restart(o);
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

void ns_ed_near_save(const event_driven *o, ns_blob *b)
{
  for (int k = 0; k < count(o); k++) {
    const ns_near_gaps *g = &o->s.m->gaps->near[k];
    for (int i = g->first; i < g->first + g->n; i++)
      ns_blob_put(b, &gap_of(o, i)->gap.which, sizeof(int));
    ns_blob_put_reals(b, &g->margin, 1);
    ns_blob_put_reals(b, g->c, 3);
    ns_blob_put_reals(b, g->R, 9);
  }
}

void ns_ed_near_restore(event_driven *o, ns_blob *b)
{
  for (int k = 0; k < count(o); k++) {
    ns_near_gaps *g = &o->s.m->gaps->near[k];
    for (int i = g->first; i < g->first + g->n; i++) {
      int which = NS_NO_GAP;
      ns_blob_get(b, &which, sizeof which);
      if (!b->failed) ns_shape_gaps_give(o->s.m, i, which);
    }
    ns_blob_get_reals(b, &g->margin, 1);
    ns_blob_get_reals(b, g->c, 3);
    ns_blob_get_reals(b, g->R, 9);
  }
}
