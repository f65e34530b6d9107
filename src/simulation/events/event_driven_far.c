/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_far.c -- contacts between shapes that are far from each other, of which a model of
 * many bodies has a few for each that is near.
 *
 * Since the flow began at t0 no point of a body i has moved by more than
 *
 *   d_i = max(2 |t - t0| max(s_i(t0), s_i(t)), |x - x0| + R |turn|),   s_i = |v| + R |omega|
 *
 * R from its origin to the farthest point of its shapes. The first is a guess of the way, with a 2
 * for accelerations that come and go; the second, at least the distance from where a point was,
 * holds for a body on a spring, too, which was fast in between. A gap that was larger than
 * d_a + d_b is open yet, and stands for what it was at t0 with its rate: so its roots have the
 * signs that they had, and a gap that comes near has those of what it is by then. Distances change
 * no faster than that (they are 1-Lipschitz). The many gaps of two shapes with edges are others
 * from region to region, but none of them is closed while boxes around the shapes are apart: theirs
 * is the distance of these at t0, of all gaps of a pair at once. Where rows of a state are
 * computed, the gaps of such a pair stand for that distance, at rest. */
#include "collision/gap.h"
#include "collision/shape.h"
#include "model/relations/output.h"
#include "model/relations/rigid_relation.h"
#include "simulation/events/event_driven_modes.h"

#include <math.h>
#include <string.h>

enum { COORDINATES = 2 * 7 }; /* of two bodies */

static const double HIGH = 1e3; /* by gapTolerance: what is nearer is looked at */

/* Speed of the fastest point of the shapes of system i, at most. */
static double fastest(const event_driven *o, int i, const double *v)
{
  const ns_system *s = &o->s.m->systems[i];
  double R = o->far.radius[i], moves, turns;
  v += s->v;
  if (ns_system_is_planar(s)) {
    moves = hypot(v[0], v[1]);
    turns = fabs(v[2]);
  } else {
    moves = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    turns = sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5]);
  }
  return turns > 0 ? moves + R * turns : moves;
}

/* Distance of a point of the shapes of system i from where it was when the flow began, at most. A
 * turn by a changes a quaternion by 2 sin(a/4), and moves a point by R times 2 sin(a/2). */
static double distance(const event_driven *o, int i, const double *q)
{
  const ns_system *s = &o->s.m->systems[i];
  const double *was = o->origin + s->q;
  double R = o->far.radius[i], same = 0, turned = 0;
  q += s->q;
  if (ns_system_is_planar(s))
    return hypot(q[0] - was[0], q[1] - was[1]) + R * fmin(2, fabs(q[2] - was[2]));
  for (int k = 3; k < 7; k++) {
    same += (q[k] - was[k]) * (q[k] - was[k]);
    turned += (q[k] + was[k]) * (q[k] + was[k]);
  }
  double x[3] = {q[0] - was[0], q[1] - was[1], q[2] - was[2]};
  return ns_norm3(x) + 2 * R * sqrt(fmin(same, turned));
}

static void note_gap(event_driven *o, int i, const ns_shape_gaps *g)
{
  const ns_interaction *it = &o->s.m->interactions[i];
  ns_ed_far *f = &o->far;
  int k = i - g->first, new = k == 0 || memcmp(g->pair[k], g->pair[k - 1], sizeof *g->pair) != 0;
  if (new) f->first[f->npairs++] = k;
  f->first[f->npairs] = k + 1;
  f->pair[k] = f->npairs - 1;
  f->may[i] = !g->bends[k] && !g->sharp[k] && !g->lasts[k];
  for (int j = 0; j < it->nsystems; j++) {
    double *R = &o->far.radius[it->systems[j]];
    *R = fmax(*R, ns_norm3(it->gap.at[j]) + it->gap.shape[j]->reach);
  }
}

int ns_ed_far_create(event_driven *o, ns_ctx *c)
{
  const ns_model *m = o->s.m;
  ns_ed_far *f = &o->far;
  size_t n = (size_t)m->nsystems, d = sizeof(double), gaps = m->gaps ? (size_t)m->gaps->n : 0;
  const ns_array want[] = {{&f->may, (size_t)m->ninteractions, 1},
                           {&f->first, gaps, sizeof(int)},
                           {&f->pair, gaps, sizeof(int)},
                           {&f->apart, gaps, d},
                           {&f->away, gaps, 1},
                           {&f->radius, n, d},
                           {&f->fastest, n, d},
                           {&f->path, n, d},
                           {&f->speed, m->nrows, d}};
  if (!m->gaps) return NS_OK;
  if (ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want))
    return ns_nomem(c, "event-driven simulation");
  for (int k = 0; k < m->gaps->n; k++) note_gap(o, m->gaps->first + k, m->gaps);
  return NS_OK;
}

static const ns_interaction *first_of_pair(const event_driven *o, int p)
{
  return &o->s.m->interactions[o->s.m->gaps->first + o->far.first[p]];
}

void ns_ed_far_place(event_driven *o)
{
  ns_ed_far *f = &o->far;
  double Q[COORDINATES];
  f->from = *o->s.x->t;
  for (int p = 0; p < f->npairs; p++) {
    const ns_interaction *it = first_of_pair(o, p);
    ns_interaction_gather(o->s.m, it, o->s.x->q, NULL, NULL, Q, NULL, NULL);
    f->apart[p] = ns_shape_gap_apart(it, Q);
  }
  for (int i = 0; f->may && i < o->s.m->nsystems; i++)
    f->fastest[i] = f->radius[i] > 0 ? fastest(o, i, o->s.x->v) : 0;
}

/* How far its bodies have moved towards each other, at most. */
static double way_of(const event_driven *o, const ns_interaction *it)
{
  const double *path = o->far.path;
  return it->nsystems > 1 ? path[it->systems[0]] + path[it->systems[1]] : path[it->systems[0]];
}

void ns_ed_far_look(event_driven *o, double t, const double *q, const double *v)
{
  ns_ed_far *f = &o->far;
  double time = 2 * fabs(t - f->from);
  for (int i = 0; f->may && i < o->s.m->nsystems; i++)
    f->path[i] = f->radius[i] > 0
                     ? fmax(time * fmax(f->fastest[i], fastest(o, i, v)), distance(o, i, q))
                     : 0;
  for (int a = 0; a < o->life.nthere && f->npairs; a++) {
    int k = o->life.there[a] - o->s.m->gaps->first, p = k < 0 ? -1 : f->pair[k];
    if (p >= 0 && f->first[p] == k)
      f->away[p] = f->apart[p] > way_of(o, first_of_pair(o, p)) + HIGH * o->opt->gap_tol;
  }
}

int ns_ed_is_apart(const event_driven *o, int i, const double *q, double *apart)
{
  const ns_ed_far *f = &o->far;
  double Q[COORDINATES];
  int k = f->first ? i - o->s.m->gaps->first : -1;
  if (k < 0) return 0;
  int p = f->pair[k];
  const ns_interaction *it = &o->s.m->interactions[i];
  if (k == f->first[p] && f->first[p + 1] > k + 1) {
    ns_interaction_gather(o->s.m, it, q, NULL, NULL, Q, NULL, NULL);
    *apart = ns_shape_gap_apart(it, Q);
  } else if (k == f->first[p]) *apart = 0;
  return *apart > HIGH * o->opt->gap_tol && o->mode[o->s.k->unit_of[it->row]] == NS_ED_FREE &&
         !ns_ed_overlap_lasts(o, i);
}

/* A gap of no parts (event_driven_near.c), or of shapes that do not exist (event_driven_life.c). */
static int is_none(const event_driven *o, int i)
{
  const ns_shape_gaps *g = o->s.m->gaps;
  return g && i >= g->first && o->s.m->interactions[i].gap.which == NS_NO_GAP;
}

int ns_ed_is_far(const event_driven *o, int i)
{
  const ns_ed_far *f = &o->far;
  if (is_none(o, i)) return 1;
  if (!f->may || i < o->s.m->gaps->first) return 0;
  const ns_interaction *it = &o->s.m->interactions[i];
  int away = f->away[f->pair[i - o->s.m->gaps->first]];
  if (!away && !f->may[i]) return 0;
  size_t r = it->row;
  if (o->mode[o->s.k->unit_of[r]] != NS_ED_FREE || ns_ed_overlap_lasts(o, i)) return 0;
  return away || o->gap0[r] > way_of(o, it) + HIGH * o->opt->gap_tol;
}
