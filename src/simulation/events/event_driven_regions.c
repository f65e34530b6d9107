/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_regions.c -- contacts between shapes (model/relations/shape_gaps.h): where on a
 * shape they are, and what results say of them.
 *
 * The gap of a round shape and one with edges has second derivatives within each region about that
 * shape alone (collision/gap.h), and yddot of a contact that is closed needs them. So its region is
 * frozen in the flow, as modes are; where the contact comes to the end of the region is a root, and
 * an event: no impulse, but another curvature, and so another force. Gaps that are open have the
 * nearest point, whichever region that is in: roots of y ask for first derivatives alone.
 *
 * A corner of a polygon that leaves the side of another at its end is open from there on; the
 * corner that it has passed is closed where it lies on a side, as its gap says at that event.
 *
 * At an event the region is that a little ahead of the motion, so that the one which has been left
 * is not come back to; the root of the next is as far beyond its end as the contact is there. */
#include "simulation/events/event_driven_modes.h"

#include "model/relations/output.h"
#include "model/relations/rigid_relation.h"

#include <math.h>
#include <string.h>

static const double AHEAD =
    100; /* by gapTolerance: what a contact moves until it certainly is in another region */

static const ns_interaction *gap_of(const event_driven *o, int i)
{
  return &o->s.m->interactions[o->s.m->gaps->first + i];
}

static int count(const event_driven *o) { return o->s.m->gaps ? o->s.m->gaps->n : 0; }

static int is_closed(const event_driven *o, int i)
{
  return o->mode[ns_ed_unit(o, (int)gap_of(o, i)->row)] != NS_ED_FREE ||
         ns_ed_overlap_lasts(o, o->s.m->gaps->first + i);
}

int ns_ed_regions_create(event_driven *o, ns_ctx *c)
{
  int n = count(o);
  o->regions.root = o->run.problem.nroots;
  o->run.problem.nroots += n;
  if (!n) return NS_OK;
  o->regions.lead = ns_arena_zero(o->run.mem, (size_t)n, sizeof *o->regions.lead);
  o->regions.record = ns_arena_zero(o->run.mem, (size_t)n, sizeof *o->regions.record);
  o->regions.turns = ns_arena_zero(o->run.mem, (size_t)n, sizeof *o->regions.turns);
  return o->regions.lead && o->regions.record && o->regions.turns
             ? NS_OK
             : ns_nomem(c, "contacts between shapes");
}

/* ---- in the flow ----------------------------------------------------------------------------- */

enum { BODIES = 2, COORDINATES = 7 * BODIES };

/* Coordinates of its bodies, those of the model being q. */
static void gather(const event_driven *o, const ns_interaction *it, const double *q, double *Q)
{
  ns_interaction_gather(o->s.m, it, q, NULL, NULL, Q, NULL, NULL);
}

/* Its bodies, as far on as the contact moves by AHEAD. */
static void go_ahead(const event_driven *o, const ns_interaction *it, double *Q)
{
  const ns_state *x = o->s.x;
  double fastest = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0, at = 0; k < it->nsystems; k++) {
      const ns_system *s = &o->s.m->systems[it->systems[k]];
      const double *v = x->v + s->v;
      double step = fastest > 0 ? AHEAD * o->opt->gap_tol / fastest : 0, *q = Q + at;
      at += s->nq;
      for (int j = 0; j < s->n && pass == 0; j++) fastest = fmax(fastest, fabs(v[j]));
      for (int j = 0; j < 3 && pass == 1; j++) q[j] += step * v[j];
      if (pass == 1 && s->nq != s->n)
        ns_quaternion_turn(q + 3, (double[]){step * v[3], step * v[4], step * v[5]});
    }
}

int ns_ed_region_turns(event_driven *o, int interaction)
{
  double Q[COORDINATES];
  const ns_interaction *it = &o->s.m->interactions[interaction];
  int i = interaction - o->s.m->gaps->first, *region = &o->s.m->gaps->region[i], was = *region;
  if (!o->s.m->gaps->bends[i]) return 0;
  gather(o, it, o->s.x->q, Q);
  go_ahead(o, it, Q);
  *region = ns_shape_gap_region(it, Q);
  return was != *region;
}

int ns_ed_regions_choose(event_driven *o)
{
  int changed = 0;
  for (int i = 0; i < count(o); i++) {
    const ns_interaction *it = gap_of(o, i);
    int was = o->s.m->gaps->region[i];
    if (it->law.ops->compliant) continue;        /* these look at what they store */
    if (o->s.x->impulse[it->row] != 0) continue; /* that is along its normal */
    if (!ns_ed_region_turns(o, o->s.m->gaps->first + i)) continue;
    changed = 1;
    if (was < 0 || !is_closed(o, i)) continue;
    o->regions.turned = o->regions.turns[i] = 1;
    if (o->s.m->gaps->sharp[i]) ns_ed_set(o, ns_ed_unit(o, (int)it->row), NS_ED_FREE);
  }
  return changed;
}

void ns_ed_regions_chosen(event_driven *o)
{
  for (int i = 0; i < count(o); i++) {
    size_t r = gap_of(o, i)->row;
    if (o->s.m->gaps->sharp[i] && o->gap[r] > AHEAD * o->opt->gap_tol) o->closing[r] = 0;
  }
}

void ns_ed_regions_begin(event_driven *o)
{
  double Q[COORDINATES];
  for (int i = 0; i < count(o); i++) {
    const ns_interaction *it = gap_of(o, i);
    int *region = &o->s.m->gaps->region[i];
    o->run.direction[o->regions.root + i] = -1;
    o->regions.lead[i] = 0;
    if (!o->s.m->gaps->bends[i]) continue;
    if (!is_closed(o, i) && !o->s.m->gaps->lasts[i]) *region = -1;
    if (*region < 0) continue;
    gather(o, it, o->s.x->q, Q);
    o->regions.lead[i] = o->opt->gap_tol + fmax(0, -ns_shape_gap_clearance(it, Q));
  }
}

void ns_ed_regions_free(event_driven *o)
{
  for (int i = 0; i < count(o); i++)
    if (o->s.m->gaps->bends[i]) o->s.m->gaps->region[i] = -1;
}

void ns_ed_regions_roots(event_driven *o, const double *x, double *g)
{
  double Q[COORDINATES];
  const double *q = count(o) ? ns_ed_positions(o, x) : NULL;
  if (count(o)) memcpy(g + o->regions.root, o->life.ones, (size_t)count(o) * sizeof *g);
  for (int a = 0; a < o->life.nthere; a++) {
    int i = count(o) ? o->life.there[a] - o->s.m->gaps->first : -1;
    if (i < 0 || o->regions.lead[i] == 0) continue;
    gather(o, gap_of(o, i), q, Q);
    g[o->regions.root + i] = ns_shape_gap_clearance(gap_of(o, i), Q) + o->regions.lead[i];
  }
}

void ns_ed_regions_struck(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  ns_state *x = o->s.x;
  for (int i = 0; i < count(o); i++) {
    int r = (int)gap_of(o, i)->row;
    if (x->impulse[r] == 0 || is_closed(o, i) || !o->s.m->gaps->bends[i]) continue;
    for (int end = r + gap_of(o, i)->m; r < end; r++)
      x->ydot[r] = ns_rows_dot(&k->H, r, x->v) + k->shift[r];
  }
}

void ns_ed_regions_over(event_driven *o)
{
  if (o->regions.turned) memset(o->regions.turns, 0, (size_t)count(o));
  o->regions.turned = 0;
}

int ns_ed_regions_fired(const event_driven *o, const int *fired)
{
  for (int i = 0; i < count(o); i++)
    if (fired[o->regions.root + i]) return 1;
  return 0;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Names say first what of shape a it is. */
static uint64_t in_order(uint64_t feature, int swapped)
{
  /* corners and rims of the first and the second; edges of both */
  static const uint64_t turned[] = {0, 2, 1, 3, 5, 4};
  uint64_t kind = feature >> 60, one = feature >> 30 & 0x3fffffff, other = feature & 0x3fffffff;
  if (!swapped || kind == 0) return feature;
  return turned[kind] << 60 | other << 30 | one;
}

static void name_event(const event_driven *o, ns_event *e)
{
  const ns_shape_gaps *g = o->s.m->gaps;
  double Q[COORDINATES];
  ns_touch t = {.feature = 0};
  int i = e->interaction - g->first;
  gather(o, gap_of(o, i), o->s.x->q, Q);
  ns_shape_gap_touch(gap_of(o, i), Q, &t);
  e->interaction = -1;
  e->a = g->pair[i][0];
  e->b = g->pair[i][1];
  e->feature = in_order(t.feature, g->swapped[i]);
}

int ns_ed_report(event_driven *o, ns_event *e)
{
  int between_shapes = o->s.m->gaps && e->interaction >= o->s.m->gaps->first;
  if (between_shapes && !ns_contacts_have_events(o->s.m)) return NS_OK;
  if (between_shapes) name_event(o, e);
  return ns_event_run_report(&o->run, e);
}

static void record(const event_driven *o, int i, ns_contact_record *k)
{
  const ns_interaction *it = gap_of(o, i);
  const ns_shape_gaps *g = o->s.m->gaps;
  const ns_state *x = o->s.x;
  double Q[COORDINATES], sign = g->swapped[i] ? -1 : 1;
  int planar = it->nQ == it->nV;
  ns_touch t = {.gap = 0};
  gather(o, it, x->q, Q);
  ns_shape_gap_touch(it, Q, &t);
  *k = (ns_contact_record){.a = g->pair[i][0], .b = g->pair[i][1], .gap = t.gap};
  ns_shape_gap_point(it, &t, k->point);
  for (int j = 0; j < 3; j++) k->normal[j] = sign * t.n[j];
  ns_contact_in_world(planar, t.n, it->m, x->ydot + it->row, sign, k->velocity);
  ns_contact_in_world(planar, t.n, it->m, x->impulse + it->row, sign, k->impulse);
  ns_contact_in_world(planar, t.n, it->m, x->lambda + it->row, sign, k->force);
}

const ns_contact_record *ns_ed_contacts(event_driven *o, size_t *n)
{
  const ns_state *x = o->s.x;
  *n = 0;
  for (int i = 0; i < count(o); i++) {
    size_t r = gap_of(o, i)->row;
    if (x->lambda[r] != 0 || x->impulse[r] != 0) record(o, i, &o->regions.record[(*n)++]);
  }
  return o->regions.record;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

void ns_ed_regions_save(const event_driven *o, ns_blob *b)
{
  if (!count(o)) return;
  ns_blob_put(b, o->s.m->gaps->region, (size_t)count(o) * sizeof(int));
  ns_blob_put_reals(b, o->regions.lead, (size_t)count(o));
}

void ns_ed_regions_restore(event_driven *o, ns_blob *b)
{
  if (!count(o)) return;
  ns_blob_get(b, o->s.m->gaps->region, (size_t)count(o) * sizeof(int));
  ns_blob_get_reals(b, o->regions.lead, (size_t)count(o));
}
