/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/event_driven_modes.h"

#include <math.h>

/* ---- rows ------------------------------------------------------------------------------------ */

static const char *place(const event_driven *o, int r, char *buf, size_t n)
{
  return ns_place_text(&o->s.m->interactions[o->s.k->interaction[r]].at, buf, n);
}

int ns_ed_check_finite(event_driven *o, const ns_interaction *it, const ns_moment *at,
                       const double *gap, const double *speed)
{
  for (size_t r = it->row; r < it->row + (size_t)it->m; r++) {
    double bad = isfinite(gap[r]) ? speed[r] : gap[r];
    if (isfinite(bad)) continue;
    int rc = ns_fail_function(o->run.c, o->s.m, at);
    if (rc) return rc;
    return ns_fail_at(o->run.c, NS_NUMERIC, &it->at,
                      "its %s[%zu] is %s at t = %.10g s, expected a number; the results so far "
                      "are kept; correct the relation, which must also be defined slightly beyond "
                      "contact, for the time of contact",
                      isfinite(gap[r]) ? "ydot" : "y", r - it->row,
                      isnan(bad) ? "not a number" : "infinite", at->t);
  }
  return NS_OK;
}

static int gap_jumps(event_driven *o, int r, double gap, double t)
{
  char at[512];
  return ns_fail(
      o->run.c, NS_NUMERIC,
      "%s: its gap jumps to %.6g m at t = %.10g s, expected it to decrease to 0 smoothly; the "
      "results so far are kept; make the relation continuous in time and position",
      place(o, r, at, sizeof at), gap, t);
}

int ns_ed_check_root(event_driven *o)
{
  const ns_simulation_options *s = &o->s.m->sim;
  double t = *o->s.x->t, late = 1e-12 * fmax(s->T - s->t0, fabs(t)); /* rounding of the time */
  for (int r = 0; r < o->s.k->nrows; r++) {
    if (!ns_ed_is_unilateral(o, r) || !o->closing[r]) continue;
    if (o->gap[r] < -NS_ED_JUMP * o->opt->gap_tol - late * fabs(o->speed[r]))
      return gap_jumps(o, r, o->gap[r], t);
  }
  return NS_OK;
}

static int born_inside(const event_driven *o, int r)
{
  char at[512];
  return ns_fail(o->run.c, NS_NUMERIC,
                 "%s: its shapes overlap by %.6g m as one of them is born at t = %.10g s, expected "
                 "a gap; the results so far are kept; change the birth or the initial position",
                 place(o, r, at, sizeof at), -o->s.x->y[r], *o->s.x->t);
}

int ns_ed_check_changed(event_driven *o)
{
  const ns_state *x = o->s.x;
  double max = NS_ED_JUMP * o->opt->gap_tol;
  char at[512];
  for (int r = 0; r < o->s.k->nrows; r++) {
    if (ns_ed_is_tangential(o, r) || ns_ed_is_compliant(o, r)) continue;
    if (ns_ed_is_unilateral(o, r) ? x->y[r] >= -max : fabs(x->y[r]) <= max) continue;
    if (o->run.switching && ns_ed_is_unilateral(o, r)) return gap_jumps(o, r, x->y[r], *x->t);
    if (ns_ed_comes(o, o->s.k->interaction[r])) return born_inside(o, r);
    return ns_fail(o->run.c, NS_NUMERIC,
                   "%s: its y[%d] is %.6g after an event or a control acted at t = %.10g s, "
                   "expected %s; the results so far are kept; set positions that satisfy it",
                   place(o, r, at, sizeof at),
                   r - (int)o->s.m->interactions[o->s.k->interaction[r]].row, x->y[r], *x->t,
                   ns_ed_is_unilateral(o, r) ? "a gap" : "0");
  }
  return NS_OK;
}

/* ---- roots without end ----------------------------------------------------------------------- */

static int chatters(event_driven *o, int r)
{
  char at[512];
  return ns_fail(o->run.c, NS_NUMERIC,
                 "%s: more than %d events between two points of the grid, the last at t = %.17g s "
                 "with a velocity of %.3g m/s: contacts chatter; raise restSpeed (%.3g m/s), or "
                 "maxEvents if so many are expected",
                 place(o, r, at, sizeof at), o->opt->max_events, *o->s.x->t, o->speed[r],
                 o->opt->rest_speed);
}

static int repeats(event_driven *o, const ns_user_event *e)
{
  return ns_fail_at(
      o->run.c, NS_NUMERIC, &e->at,
      "more than %d events between two points of the grid, this one the last at t = "
      "%.17g s: its <set> triggers it again; change its condition, or raise maxEvents "
      "of <EventDriven> if so many are expected",
      o->opt->max_events, *o->s.x->t);
}

static int jumps(event_driven *o, int r)
{
  char at[512];
  return ns_fail(
      o->run.c, NS_NUMERIC,
      "%s: its gap changes direction more than %d times between two points of the grid, the last "
      "at t = %.17g s: a force seems to jump with the velocity; write friction as a law, "
      "<NewtonImpactFrictionNSL> or <RelayNSL>, or raise maxEvents if the motion is that fast",
      place(o, r, at, sizeof at), o->opt->max_events, *o->s.x->t);
}

int ns_ed_too_many(event_driven *o)
{
  const int *fired = ns_ed_fired(o);
  int n = o->s.k->nrows, r = 0;
  for (int k = 0; k < n; k++)
    if (o->closing[k] || o->opening[k]) return chatters(o, k);
  for (int i = 0; i < o->run.nuser; i++)
    if (o->run.user_fired[i])
      return repeats(o, &o->s.m->user_events[ns_user_events_of_root(o->run.user, i)]);
  while (r + 1 < n && !fired[n + r]) r++;
  return o->flights[r] > 0 ? chatters(o, r) : jumps(o, r); /* tops of flights are roots, too */
}

void ns_ed_check_speeds(event_driven *o, ns_ctx *c)
{
  const ns_state *x = o->s.x;
  char at[512];
  for (int r = 0; r < o->s.k->nrows; r++)
    if (ns_ed_is_joint(o, r) && fabs(x->ydot[r]) > o->opt->speed_tol)
      ns_warn(c,
              "%s: row %d of the constraint changes at the rate %.6g at t0, expected 0 within "
              "%.3g; an impulse at t0 enforces it",
              place(o, r, at, sizeof at), r - (int)o->s.m->interactions[o->s.k->interaction[r]].row,
              x->ydot[r], o->opt->speed_tol);
}
