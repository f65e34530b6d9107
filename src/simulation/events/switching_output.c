/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/switching_parts.h"
#include "simulation/step/stepper.h"

#include <math.h>
#include <string.h>

const char *ns_sw_fault(const switching *o, int r)
{
  const ns_interaction *it = &o->m->interactions[o->k->interaction[r]];
  return it->row_faults ? it->row_faults[r - (int)it->row] : NULL;
}

/* ---- the state ------------------------------------------------------------------------------- */

/* Newton's method for the multipliers has not ended; they depend on each other: the first row is
 * named. */
static int multipliers_diverged(switching *o)
{
  int first = o->held.n ? o->holds[0] : -1;
  const ns_place *place = first < 0 ? &o->m->sim.at
                                    : &o->m->interactions[o->k->interaction[first]].at;
  return ns_fail_at(o->run.c, NS_NUMERIC, place,
                    "Newton's method for the multipliers that keep rows of y at 0 does not "
                    "converge at t = %.10g s, this row is among them; the results so far are kept; "
                    "look for relations whose lambda does not affect y there",
                    *o->x->t);
}

static int not_finite(switching *o)
{
  char name[256], at[NS_FLOW_PLACE];
  int rc = ns_event_run_blame(o, o->run.c, *o->x->t, NULL, 0);
  if (rc) return rc;
  if (o->run.bad < 0) return multipliers_diverged(o);
  return ns_fail(
      o->run.c, NS_NUMERIC,
      "%s: the rate of %s is not finite at t = %.10g s; the results so far are kept; look for a "
      "division by zero or the root of a negative number in its right-hand side there",
      ns_event_run_unknown_place(&o->run, (size_t)o->run.bad, at),
      ns_event_run_name(&o->run, (size_t)o->run.bad, name, sizeof name), *o->x->t);
}

/* |lambda - proj(lambda - y)| of a row. */
static double violation(const switching *o, int r)
{
  double l = o->x->lambda[r], to = fmin(fmax(l - o->x->y[r], o->lb[r]), o->ub[r]);
  return fabs(l - to);
}

int ns_sw_broken(const switching *o)
{
  const ns_state *x = o->x;
  int worst = -1;
  double max = 1;
  for (int r = 0; r < o->k->nrows; r++) {
    double by = (ns_sw_is_equality(o, r) ? fabs(x->y[r]) : violation(o, r)) /
                ns_sw_near(o, r, x->q, x->lambda);
    if (by > max) max = by, worst = r;
  }
  return worst;
}

int ns_sw_output(switching *o)
{
  ns_state *x = o->x;
  size_t n = o->m->nq, rows = o->m->nrows;
  const ns_motion *p = &o->at[0];
  double extent = 0, max = 0;
  int held = 0, rc = ns_sw_motion(o, *x->t, x->q, &o->at[0]);
  if (rc) return rc > 0 ? not_finite(o) : rc;
  memcpy(x->y, p->y, rows * sizeof *x->y);
  memcpy(x->lambda, p->lambda, rows * sizeof *x->lambda);
  memcpy(x->p, p->r, n * sizeof *x->p);
  memcpy(x->v, p->v, n * sizeof *x->v);
  memcpy(x->f, o->f, n * sizeof *x->f);
  for (size_t r = 0; r < rows; r++) {
    held += ns_sw_is_equality(o, (int)r);
    ns_keep_max(&max, violation(o, (int)r));
  }
  for (size_t i = 0; i < n; i++) extent += fabs(x->q[i]);
  ns_keep_max(&o->extent, extent);
  ns_event_run_count_work(&o->run);
  *x->report = (ns_step_report){.active = held, .penetration = max};
  return NS_OK;
}

/* ---- events ---------------------------------------------------------------------------------- */

static int tell(switching *o, int r, ns_event_kind kind)
{
  const ns_state *x = o->x;
  int i = o->k->interaction[r], is = x->mode[r],
      was = o->begun && !o->untold ? o->search.was[r] : is;
  if (!o->run.rec && !o->run.host) return NS_OK;
  ns_event e = {.t = *x->t,
                .kind = kind,
                .interaction = i,
                .row = r - (int)o->m->interactions[i].row,
                .before = (was == is ? x->lambda : ns_event_run_before(&o->run, x->lambda))[r],
                .after = x->lambda[r],
                .was = ns_events_side_mode(was),
                .is = ns_events_side_mode(is)};
  return ns_event_run_report(&o->run, &e);
}

int ns_sw_report_branch(switching *o) { return tell(o, o->search.told, NS_EVENT_BRANCH); }

/* Several motions went on from here. */
static void warn(switching *o)
{
  enum { TOLD = 5 };
  const ns_sw_search *s = &o->search;
  char at[512];
  int r = s->told;
  if (++o->choices > TOLD) return;
  ns_warn(
      o->run.c,
      "%s: %s%d motions continue from t = %.10g s, expected one: its law drives y away from 0 on "
      "both sides; the one that changes the fewest rows is used, with row %d %s from there%s",
      ns_event_run_place(&o->run, r, at), s->branches >= NS_SW_BRANCHES ? "at least " : "",
      s->branches, *o->x->t, r - (int)o->m->interactions[o->k->interaction[r]].row,
      ns_row_mode_text(ns_events_side_mode(o->x->mode[r])),
      o->choices == TOLD ? "; further ones are only in the table of events" : "");
}

/* Impulses of a jump; y before and after it. */
static int tell_jump(switching *o)
{
  const ns_sw_problem *j = &o->jump;
  int rc = NS_OK;
  for (int k = 0; k < j->n && !rc; k++) {
    int r = j->row[k], i = o->k->interaction[r];
    if (j->p[k] == 0) continue;
    ns_event e = {.t = *o->x->t,
                  .kind = NS_EVENT_IMPACT,
                  .interaction = i,
                  .row = r - (int)o->m->interactions[i].row,
                  .before = o->outside[r],
                  .after = o->x->y[r],
                  .impulse = j->p[k],
                  .was = ns_events_side_mode(o->search.was[r]),
                  .is = ns_events_side_mode(o->x->mode[r])};
    rc = ns_event_run_report(&o->run, &e);
  }
  return rc;
}

/* Jumps, switches, and which of several motions is taken. */
int ns_sw_tell(void *of)
{
  switching *o = of;
  ns_state *x = o->x;
  int rc = o->jump.made ? tell_jump(o) : NS_OK;
  for (int r = 0; r < o->k->nrows && !rc; r++) {
    if (!o->begun || x->mode[r] == o->search.was[r]) continue;
    x->cert->impacts++;
    rc = tell(o, r, o->ending[r] ? NS_EVENT_ACCUMULATION : NS_EVENT_SWITCH);
  }
  if (rc || o->search.branches < 2) return rc;
  warn(o);
  o->untold = !o->begun;
  return o->begun ? ns_sw_report_branch(o) : NS_OK;
}

int ns_sw_decided(void *of, int *some)
{
  switching *o = of;
  int rc = ns_sw_output(o);
  *some = o->begun && o->jump.made;
  for (int r = 0; r < o->k->nrows; r++) *some |= o->begun && o->x->mode[r] != o->search.was[r];
  if (!rc) rc = ns_sw_certify_event(o);
  if (!rc && o->begun) rc = ns_sw_certify_row(o);
  if (!rc) ns_event_run_count(&o->run, *some);
  return rc;
}
