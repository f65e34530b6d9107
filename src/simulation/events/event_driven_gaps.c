/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_gaps.c -- gaps between two events: the coordinates of the flow, and the phase that
 * each gap is in.
 *
 * The coordinates of a flow are displacements u = q - q0 from the positions q0 of the event that it
 * began with. So neither the weights of errors nor the rounding of a small gap know where the
 * origin of coordinates is. Gaps of linear relations are y = y0 + H u, y0 that of the flow before
 * at its root; others are what their formulas give.
 *
 * A contact that is open is in one of two phases, and has the roots of that phase alone:
 *
 *   departs   from contact. Before y can be zero again ydot falls through zero (Rolle): the top of
 *             the flight, after which it is
 *   above     y falls to zero: the gap closes. ydot rises to velocityTolerance: just after its
 *             minimum, so that two roots of y in one step are not missed; what comes to rest above
 *             the surface has no roots by rounding
 *
 * So the rounding of y and ydot right after an event closes nothing. The root of a departing gap
 * lies a little below zero, where rounding does not reach: a gap that begins to sink at once has
 * it, too. A departing gap of no height whose acceleration opens it has not turned: errors of the
 * flow have; one whose acceleration does not has come back to contact.
 *
 * The top of a flight that will be high by v^2/(2 |yddot|) is nothing but the end of a phase. Where
 * steps are looked at, the first that ends behind it does for it; in a step with the landing in it
 * max(y, ydot) has that root alone.
 *
 * A flow from which a gap departs begins with a step much shorter than the flight, tau = 2
 * ydot/|yddot|, and its errors stay much less than the height of it, whatever tolerances say: a
 * flight that is not resolved has its root anywhere.
 *
 * What holds drifts from its constraint by the tolerance of the flow: too far, and that is a root,
 * too (ns_ed_correct_drift). Flows of fixed steps drift by more than tolerances in each of them and
 * are put back after rows of the grid, by which their steps go. */
#include "simulation/events/event_driven_modes.h"

#include "model/relations/output.h"
#include "model/systems/mechanics.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* by gapTolerance: a gap that may have to do with rounding */
static const double CLOSE = 10;
/* by gapTolerance: a gap whose phase has nothing to do with rounding */
static const double HIGH = 1e3;
/* by velocityTolerance: how far ydot falls at the top of a flight */
static const double BELOW_ZERO = 5e-4;
static const double FIRST = 0.02;    /* by the flight: first step of a departure */
static const double RESOLVED = 1e-3; /* by its height: errors of positions */

/* ---- coordinates ----------------------------------------------------------------------------- */

const double *ns_ed_positions(event_driven *o, const double *x)
{
  for (size_t i = 0; i < o->s.m->nq; i++) o->trial_q[i] = o->origin[i] + x[i];
  if (o->curved) ns_mechanics_normalise(o->s.m, o->trial_q);
  return o->trial_q;
}

int ns_ed_gaps(event_driven *o, double t, const double *x, const unsigned char *asked, double *gap,
               double *speed)
{
  const ns_model *m = o->s.m;
  const double *v = x + m->nq, *q = o->linear ? NULL : ns_ed_positions(o, x);
  if (o->linear) {
    ns_ed_linear_rows(o, 0, o->s.k->nrows, o->gap0, x, v, gap, speed);
    return NS_OK;
  }
  ns_ed_far_look(o, t, q, v);
  for (int a = 0; a < o->life.nthere; a++) {
    int i = o->life.there[a];
    const ns_interaction *it = &m->interactions[i];
    int first = (int)it->row, rc = NS_OK;
    if (asked && !asked[i]) continue;
    if (ns_ed_is_far(o, i)) {
      for (int r = first; r < first + it->m; r++) {
        gap[r] = o->gap0[r];
        speed[r] = o->far.speed[r];
      }
      continue;
    }
    if (it->relation->flags & NS_REL_LINEAR)
      ns_ed_linear_rows(o, first, first + it->m, o->gap0, x, v, gap, speed);
    else rc = ns_ed_output_of(o, it, t, q, v, gap, speed);
    for (int r = first; r < first + it->m && !rc; r++)
      rc = !isfinite(gap[r]) || !isfinite(speed[r]);
    if (rc) return rc;
  }
  return NS_OK;
}

/* ---- the flow begins ------------------------------------------------------------------------- */

double ns_ed_gap_rounding(const event_driven *o, int r)
{
  return NS_ED_ULPS * DBL_EPSILON * (fabs(o->s.k->offset[r]) + ns_ed_reach(o, r));
}

double ns_ed_gap_instant(const event_driven *o, double speed)
{
  return NS_ED_ULPS * DBL_EPSILON * fabs(*o->s.x->t * speed);
}

/* The gap that a flow begins with: at a root that of the flow before, which goes on, unless
 * positions have been changed since; else that of the positions, where rounding of their terms is
 * zero. */
static double first_gap(const event_driven *o, int r)
{
  double rounding = ns_ed_gap_rounding(o, r);
  double expected = o->at_root ? o->gap_at_root[r] : 0;
  return fabs(o->gap[r] - expected) <= rounding ? expected : o->gap[r];
}

static void begin_gap(event_driven *o, int r)
{
  o->gap0[r] = first_gap(o, r);
  o->departs[r] = 0;
  if (!ns_ed_is_unilateral(o, r) || o->held[r]) return;
  o->departs[r] = o->gap0[r] <= CLOSE * o->opt->gap_tol && o->speed[r] >= -o->opt->speed_tol;
  o->lead[r] = BELOW_ZERO * o->opt->speed_tol - fmin(0, o->speed[r]);
}

/* By what a gap counts among lengths: one of rotations of bodies alone is in rad, and no smaller
 * where bodies are small. */
static double as_length(const event_driven *o, int r)
{
  const ns_model *m = o->s.m;
  const ns_interaction *it = &m->interactions[o->s.k->interaction[r]];
  const ns_rows *H = &o->s.k->H;
  if (!o->curved || o->opt->gap_tol == m->sim.ed.gap_tol) return 1;
  for (int e = H->ptr[r]; e < H->ptr[r + 1]; e++)
    for (int j = 0; j < it->nsystems; j++) {
      const ns_system *b = &m->systems[it->systems[j]];
      int i = H->dof[e] - (int)b->v;
      if (i < 0 || i >= b->n || H->val[e] == 0) continue;
      if (i < ns_system_translations(b)) return 1;
    }
  return o->opt->gap_tol / m->sim.ed.gap_tol;
}

double ns_ed_drifted(const event_driven *o, const double *y)
{
  double max = 0;
  for (int i = 0; i < o->equal.n; i++) {
    int r = o->row[i];
    if (!ns_ed_is_tangential(o, r)) max = fmax(max, fabs(y[r]) * as_length(o, r));
  }
  return max;
}

/* How far what holds may drift: beyond what it begins with and the rounding of its positions. */
static void begin_drift(event_driven *o)
{
  double max = ns_ed_drifted(o, o->gap), reach = 0;
  for (int i = 0; i < o->equal.n; i++) {
    int r = o->row[i];
    if (!ns_ed_is_tangential(o, r)) reach = fmax(reach, ns_ed_reach(o, r) * as_length(o, r));
  }
  o->drift = fmax(o->opt->gap_tol, fmax(4 * max, NS_ED_ULPS * DBL_EPSILON * reach));
}

/* s: over which ydot is differenced, about a first step, where there has been one: these may
 * have become so short that times of the run do not tell them, and rounding of ydot is all that
 * changes. */
static double difference(const event_driven *o, double first)
{
  static const double LONG = 1e-6, SHORT = 1e-9, TOLD = 1e4 * DBL_EPSILON; /* of the run; of t */
  double length = o->s.m->sim.T - o->s.m->sim.t0,
         min = fmax(SHORT * length, TOLD * fabs(*o->s.x->t));
  return first > 0 ? fmax(first, min) : LONG * length;
}

/* yddot of gap r along the motion that o->a is the acceleration of, by a difference where its
 * relation is not linear. */
static int second_derivatives(event_driven *o, double *yddot)
{
  const ns_contacts *k = o->s.k;
  const ns_state *x = o->s.x;
  size_t n = o->s.m->nv, nq = o->s.m->nq;
  double *q = o->trial_q, *v = o->trial_v, *y = o->rhs;
  int rc = ns_ed_motion(o, *x->t, x->q, x->v, o->rate);
  if (rc) return rc < 0 ? rc : NS_OK;
  if (o->linear) {
    for (int r = 0; r < k->nrows; r++) yddot[r] = ns_rows_dot(&k->H, r, o->rate + nq);
    return NS_OK;
  }
  double first = o->run.ops->first ? o->run.ops->first(o->run.flow) : 0, d = difference(o, first);
  if (o->curved) {
    for (size_t i = 0; i < n; i++) v[i] = x->v[i] + d / 2 * o->rate[nq + i];
    memcpy(q, x->q, nq * sizeof *q);
    ns_mechanics_move(o->s.m, d, v, q);
  }
  for (size_t i = 0; i < n && !o->curved; i++)
    q[i] = x->q[i] + d * (x->v[i] + d / 2 * o->rate[n + i]);
  for (size_t i = 0; i < n; i++) v[i] = x->v[i] + d * o->rate[nq + i];
  rc = ns_ed_rows(o, *x->t + d, q, v, y, yddot);
  for (int r = 0; r < k->nrows; r++) yddot[r] = (yddot[r] - o->speed[r]) / d;
  return rc;
}

/* How finely the flow begins, by the shortest and the lowest flight of the gaps that depart. */
static int resolve_flights(event_driven *o)
{
  int some = 0, rc = NS_OK;
  double shortest = INFINITY, lowest = INFINITY, *yddot = o->yddot;
  for (int r = 0; r < o->s.k->nrows; r++) some |= o->departs[r] && o->speed[r] > o->opt->speed_tol;
  if (some) rc = second_derivatives(o, yddot);
  for (int r = 0; r < o->s.k->nrows && some && !rc; r++) {
    double v = o->speed[r], a = -yddot[r];
    if (!o->departs[r] || !(v > o->opt->speed_tol) || !(a > 0)) continue;
    shortest = fmin(shortest, 2 * v / a);
    lowest = fmin(lowest, v * v / (2 * a));
    if (o->run.ops->inspects && v * v / (2 * a) > 4 * HIGH * o->opt->gap_tol)
      o->departs[r] = NS_ED_DEPARTS_HIGH;
  }
  o->run.problem.longest_first = isfinite(shortest)
                                     ? fmax(FIRST * shortest, 2 * o->run.problem.min_step)
                                     : 0;
  o->run.problem.coarsest = isfinite(lowest) ? RESOLVED * lowest : 0;
  return rc;
}

/* What rounding makes of ydot of a gap that departs at rest: positions move by less than their last
 * place at first, while velocities change. Where a gap depends on positions by a curve, what the
 * motion along it makes of ydot is then missing, which may be all that opens the gap. */
static int round_departures(event_driven *o)
{
  const ns_model *m = o->s.m;
  const ns_state *x = o->s.x;
  double *q = o->trial_q, *v = o->trial_v, *y = o->rhs, *ydot = o->yddot;
  int some = 0;
  for (int r = 0; r < o->s.k->nrows; r++) some |= o->departs[r] && o->speed[r] <= o->opt->speed_tol;
  if (o->linear || !some) return NS_OK;
  memcpy(q, x->q, m->nq * sizeof *q);
  memset(v, 0, m->nv * sizeof *v);
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *b = &m->systems[i];
    for (int j = 0; j < (b->nq == b->n ? b->n : 3); j++)
      v[b->v + (size_t)j] = copysign(NS_ED_ULPS * DBL_EPSILON * x->q[b->q + (size_t)j],
                                     x->v[b->v + (size_t)j]);
  }
  ns_mechanics_move(m, 1, v, q);
  int rc = ns_ed_rows(o, *x->t, q, x->v, y, ydot);
  for (int r = 0; r < o->s.k->nrows && !rc; r++)
    if (o->departs[r]) o->lead[r] = fmax(o->lead[r], fabs(ydot[r] - o->speed[r]));
  return rc;
}

void ns_ed_gaps_place(event_driven *o)
{
  const double *q = o->s.x->q;
  size_t n = o->s.m->nq;
  memcpy(o->origin, q, n * sizeof *q);
  ns_ed_tolerances_place(o);
  ns_ed_far_place(o);
}

int ns_ed_gaps_begin(event_driven *o)
{
  const ns_state *x = o->s.x;
  int rc = ns_ed_rows(o, *x->t, x->q, x->v, o->gap, o->speed);
  if (rc) return rc;
  ns_ed_gaps_place(o);
  for (int r = 0; r < o->s.k->nrows; r++) begin_gap(o, r);
  if (o->far.may) memcpy(o->far.speed, o->speed, o->s.m->nrows * sizeof *o->speed);
  o->at_root = o->inspection.known = o->inspection.found = 0;
  o->inspection.inside = INFINITY;
  begin_drift(o);
  rc = round_departures(o);
  return rc ? rc : resolve_flights(o);
}

/* ---- roots ----------------------------------------------------------------------------------- */

/* ydot of a departing gap, zero a little behind the top. */
static double rising(const event_driven *o, int r) { return o->speed[r] + o->lead[r]; }

void ns_ed_gap_roots(const event_driven *o, int r, double *g, double *more)
{
  double rises = rising(o, r);
  switch (o->departs[r]) {
  case NS_ED_ABOVE:
    *g = o->gap[r];
    *more = o->opt->speed_tol - o->speed[r];
    return;
  case NS_ED_DEPARTS:
    *g = 1;
    *more = rises;
    return;
  default: *g = rises > o->gap[r] ? rises : o->gap[r]; *more = 1;
  }
}

void ns_ed_gaps_stepped(event_driven *o)
{
  for (int r = 0; r < o->s.k->nrows; r++) {
    int passed = o->departs[r] == NS_ED_DEPARTS_HIGH && rising(o, r) < 0 &&
                 o->gap[r] > HIGH * o->opt->gap_tol;
    if (passed) o->departs[r] = NS_ED_ABOVE;
  }
}

double ns_ed_drift_root(const event_driven *o)
{
  return ns_flow_is_fixed(o->run.ops, o->opt) ? 1 : o->drift - ns_ed_drifted(o, o->gap);
}

/* A departing gap at its root. 1: it is back in contact. *below: by tolerances that do not resolve
 * its flight it is far below zero. */
static int comes_back(event_driven *o, int r, const double *yddot, int *below)
{
  if (fabs(o->gap[r]) <= CLOSE * o->opt->gap_tol && yddot[r] > 0) return 0;
  o->departs[r] = 0;
  if (o->gap[r] < -CLOSE * o->opt->gap_tol) {
    ns_ed_set(o, ns_ed_unit(o, r), NS_ED_CLOSED);
    *below = 1;
  }
  return o->gap[r] <= 0;
}

static int any_turns_low(const event_driven *o, const int *fired)
{
  int rows = o->s.k->nrows;
  for (int r = 0; r < rows; r++)
    if (o->departs[r] && fired[rows + r] && o->gap[r] <= CLOSE * o->opt->gap_tol) return 1;
  return 0;
}

int ns_ed_gaps_fired(event_driven *o, const int *fired, int *some)
{
  int rows = o->s.k->nrows;
  int below = 0, rc = any_turns_low(o, fired) ? second_derivatives(o, o->yddot) : NS_OK;
  for (int r = 0; r < rows; r++) {
    if (!ns_ed_is_unilateral(o, r)) continue;
    if (o->held[r]) o->opening[r] = fired[r] != 0;
    else if (o->departs[r] == NS_ED_DEPARTS)
      o->closing[r] = fired[rows + r] && comes_back(o, r, o->yddot, &below);
    else o->closing[r] = fired[r] || (fired[rows + r] && o->gap[r] <= o->opt->gap_tol);
    *some |= o->opening[r] || o->closing[r];
  }
  return rc || !below ? rc : ns_ed_project(o);
}

/* ---- looking back ---------------------------------------------------------------------------- */

/* A gap has its minimum below zero, and both its roots in one step; or integrators have found its
 * root to 100 units in the last place of t, and it moves further in that time than tolerances
 * allow: the time of the first root, by bisection. */
static int closed_before(event_driven *o, int r, double from, double *t)
{
  double lo = from, hi = *t;
  int rc = NS_OK;
  while (!rc && hi - lo > DBL_EPSILON * fmax(fabs(lo), fabs(hi))) {
    double mid = lo + (hi - lo) / 2;
    rc = o->run.ops->dense(o->run.flow, o->run.c, mid, 0, o->rate);
    if (!rc) rc = ns_ed_gaps(o, mid, o->rate, NULL, o->gap, o->speed);
    if (o->gap[r] > 0) lo = mid;
    else hi = mid;
  }
  *t = hi;
  return rc;
}

static int falls_to_contact(const event_driven *o, int r)
{
  return ns_ed_is_unilateral(o, r) && !o->held[r] && o->departs[r] != NS_ED_DEPARTS;
}

int ns_ed_look_back(event_driven *o, double since, double *t)
{
  const int *fired = ns_ed_fired(o);
  int rows = o->s.k->nrows, first = -1, rc = NS_OK;
  double from, to, event = *t;
  o->run.ops->span(o->run.flow, &from, &to);
  for (int r = 0; r < rows && !rc; r++) {
    double at = event, y = o->s.x->y[r]; /* at the present root */
    int apart = ns_ed_is_overlap(o, r) && !ns_ed_overlap_lasts(o, o->s.k->interaction[r]);
    int above = falls_to_contact(o, r), fell = fired[rows + r] || (above && fired[r]);
    if ((!apart && !above) || !fell || y >= -o->opt->gap_tol) continue;
    rc = closed_before(o, r, fmax(from, since), &at);
    if (at < *t || first < 0) first = r, *t = at;
  }
  if (rc || first < 0) return rc;
  rc = o->run.ops->dense(o->run.flow, o->run.c, *t, 0, o->run.unknown);
  ns_ed_unpack(o, *t);
  if (!rc) rc = ns_ed_gaps(o, *t, o->run.unknown, NULL, o->gap, o->speed);
  if (!rc && o->run.host) rc = o->run.host->moved(o->run.host->of, *t);
  memset(o->opening, 0, (size_t)rows);
  memset(o->closing, 0, (size_t)rows);
  for (int r = 0; r < rows; r++)
    o->closing[r] = r == first ||
                    (fired[r] && falls_to_contact(o, r) &&
                     o->gap[r] <= o->opt->gap_tol + ns_ed_gap_instant(o, o->speed[r]));
  return rc;
}
