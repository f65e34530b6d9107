/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_inspect.c -- roots that come in pairs within one step of the flow, where the signs
 * at its ends do not tell: a force that vanishes and comes back. (Conditions of the user:
 * step_roots.h.)
 *
 * A function that changes, from one end of a step to the other and as the step before it would have
 * it go on, by less than it is away from zero has none. Else it is looked at in between, and where
 * the parabola through three values next to each other has its extremum (Esposito & Kumar 2007,
 * doi:10.1145/1225275.1225277, on missed events). Gaps of linear relations have roots at their
 * minima, and need none of this; those that time or a curved surface moves change faster than the
 * motion that the steps follow. */
#include "simulation/events/event_driven_modes.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  PARTS = 8,    /* of a step that is looked at */
  STRIDES = 256 /* of a run: the longest of what is looked at where gaps move */
};

int ns_ed_inspect_create(event_driven *o)
{
  ns_inspection *s = &o->inspection;
  size_t n = (size_t)o->run.problem.nroots, d = sizeof(double);
  const ns_array want[] = {
      {&s->before, n, sizeof *s->before}, {&s->start, n, sizeof *s->start},
      {&s->end, n, sizeof *s->end},       {&s->value, (n + 1) * (PARTS + 1), d},
      {&s->trial, n, sizeof *s->trial},   {&s->x, o->run.problem.n, d},
      {&s->fired, n, sizeof *s->fired}};
  if (ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  o->run.problem.inspect = ns_ed_inspect;
  return NS_OK;
}

const int *ns_ed_fired(const event_driven *o)
{
  return o->inspection.found ? o->inspection.fired : o->run.ops->fired(o->run.flow);
}

static int value(event_driven *o, double t, double *g)
{
  int rc = o->run.ops->dense(o->run.flow, o->run.c, t, 0, o->inspection.x);
  return rc ? rc : ns_event_run_roots(o, t, o->inspection.x, g);
}

static int is_of_user(const event_driven *o, int i)
{
  return i >= 2 * o->s.k->nrows && i < o->drift_root;
}

/* Functions of forces and of gaps whose relation is not linear; the others are found by their signs
 * and those of their slopes. */
static int is_watched(const event_driven *o, int i)
{
  int rows = o->s.k->nrows;
  if (i >= 2 * rows) return 0;
  return o->held[i % rows] || ns_ed_gap_moves(o, i % rows) || ns_ed_is_compliant(o, i % rows);
}

/* The way in which a function leaves the sign that it has at the start is one that is looked for.
 */
static int counts(const event_driven *o, int i, double at_start)
{
  return at_start != 0 && (at_start > 0 ? -1 : 1) * o->run.direction[i] >= 0;
}

/* It may have been zero in between. Signs at the ends of a step are the flow's to see; of what is
 * left of one after a root in it, they are told here. */
static int is_suspicious(const event_driven *o, int i, double ratio)
{
  const ns_inspection *s = &o->inspection;
  double a = s->start[i], b = s->end[i];
  if (!counts(o, i, a)) return 0;
  if (a * b <= 0) return s->rest || s->inside_step;
  if (!is_watched(o, i)) return 0;
  if (s->rest) return 1;
  return fmin(fabs(a), fabs(b)) <= fabs(b - a) + ratio * (1 + ratio) * fabs(a - s->before[i]);
}

/* Place of the extremum of the parabola through y(-1), y(0), y(1), within (-1, 1). */
static double extremum(const double *y, int stride)
{
  double slope = (y[2 * stride] - y[0]) / 2, bend = y[2 * stride] - 2 * y[stride] + y[0];
  double at = bend != 0 ? -slope / bend : 0;
  return fmax(-0.99, fmin(0.99, at));
}

/* A time in (from, to) at which function i has another sign than at the start; 0: none is seen. */
static int sees(event_driven *o, int i, double from, double to, double *t)
{
  const ns_inspection *s = &o->inspection;
  int n = o->run.problem.nroots, nearest = 1;
  double part = (to - from) / PARTS, sign = s->start[i] > 0 ? 1 : -1;
  for (int k = 1; k <= PARTS; k++) {
    *t = k < PARTS ? from + k * part : to;
    if (sign * s->value[i + k * n] <= 0) return k < PARTS || s->rest || s->inside_step;
    if (k < PARTS && sign * s->value[i + k * n] < sign * s->value[i + nearest * n]) nearest = k;
  }
  *t = from + (nearest + extremum(s->value + i + (nearest - 1) * n, n)) * part;
  return value(o, *t, s->trial) == 0 && sign * s->trial[i] <= 0;
}

/* The first time at which it has, by bisection. */
static int isolate(event_driven *o, int i, double from, double *t)
{
  const ns_inspection *s = &o->inspection;
  double lo = from, hi = *t;
  int rc = NS_OK;
  while (!rc && hi - lo > 4 * DBL_EPSILON * fmax(fabs(lo), fabs(hi))) {
    double mid = lo + (hi - lo) / 2;
    rc = value(o, mid, s->trial);
    if (s->trial[i] * s->start[i] > 0) lo = mid;
    else hi = mid;
  }
  *t = hi;
  return rc;
}

static int sample(event_driven *o, double from, double to)
{
  ns_inspection *s = &o->inspection;
  size_t n = (size_t)o->run.problem.nroots;
  int rc = NS_OK;
  memcpy(s->value, s->start, n * sizeof(double));
  memcpy(s->value + PARTS * n, s->end, n * sizeof(double));
  for (size_t k = 1; k < PARTS && !rc; k++)
    rc = value(o, from + (double)k * (to - from) / PARTS, s->value + k * n);
  return rc;
}

/* The first root that is seen between. */
static int search(event_driven *o, double from, double to, double ratio, double *root)
{
  ns_inspection *s = &o->inspection;
  int sampled = 0, rc = NS_OK;
  double first = INFINITY;
  for (int i = 0; i < o->run.problem.nroots && !rc; i++) {
    double t;
    if (is_of_user(o, i) || !is_suspicious(o, i, ratio)) continue;
    if (!sampled) rc = sample(o, from, to);
    sampled = 1;
    if (rc || !sees(o, i, from, to, &t)) continue;
    rc = isolate(o, i, from, &t);
    if (!rc && t < first) {
      memset(s->fired, 0, (size_t)o->run.problem.nroots * sizeof *s->fired);
      s->fired[i] = s->start[i] > 0 ? -1 : 1;
      first = t;
    }
  }
  *root = first;
  return rc < 0 ? rc : NS_OK;
}

/* From `from`, where the functions are those of s->start, to `to`. */
static int inspect_part(event_driven *o, double from, double to, double *root)
{
  ns_inspection *s = &o->inspection;
  size_t bytes = (size_t)o->run.problem.nroots * sizeof(double);
  s->rest = from == s->inside;
  int rc = value(o, to, s->end);
  if (rc) return rc;
  if (o->friction.wanted) ns_ed_friction_stepped(o, to);
  double ratio = s->known && s->length > 0 ? (to - from) / s->length : 0;
  rc = search(o, from, to, ratio, root);
  if (rc) return rc;
  s->found = isfinite(*root);
  s->inside = *root;
  s->known = !s->found;
  s->length = to - from;
  memcpy(s->before, s->start, bytes);
  memcpy(s->start, s->end, bytes);
  return NS_OK;
}

/* Parts of a step that are looked at one after the other: of a gap that time or a curved surface
 * moves a step says nothing, as the motion that it follows may be free, and the step as long as the
 * run. */
static double part_count(const event_driven *o, double length)
{
  const ns_simulation_options *run = &o->s.m->sim;
  return o->gaps_move ? fmax(1, ceil(length / (run->T - run->t0) * STRIDES)) : 1;
}

/* A function that is exactly 0 at the root that was found has the sign with which it goes on. */
static void leave_root(event_driven *o)
{
  static const double TRACE = 1e-150; /* its products with other values are not 0 */
  ns_inspection *s = &o->inspection;
  for (int i = 0; i < o->run.problem.nroots; i++)
    if (s->start[i] == 0 && s->fired[i]) s->start[i] = s->fired[i] * TRACE;
}

int ns_ed_inspect(void *self, double from, double to, double *root)
{
  event_driven *o = self;
  ns_inspection *s = &o->inspection;
  size_t bytes = (size_t)o->run.problem.nroots * sizeof(double);
  ns_ed_gaps_stepped(o);
  if (!o->asks_forces && !o->gaps_move && !o->friction.turning && !o->springs.n && !o->overlaps.n)
    return 0;
  int rc = s->known ? NS_OK : value(o, from, s->start);
  if (from == s->inside) leave_root(o);
  if (!s->known) memcpy(s->before, s->start, bytes);
  double parts = part_count(o, to - from), at = from;
  s->found = 0;
  for (double k = 1; k <= parts && !rc && !s->found; k++) {
    double next = k < parts ? from + k * (to - from) / parts : to;
    s->inside_step = k < parts;
    rc = inspect_part(o, at, next, root);
    at = next;
  }
  if (rc) return rc < 0 ? rc : 0;
  return s->found;
}
