/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/stepper.h"
#include "simulation/switching_parts.h"

#include <math.h>
#include <string.h>

const char *ns_sw_place(const switching *o, int r, char *buf)
{
  return ns_place_text(&o->m->interactions[o->k->interaction[r]].at, buf, 512);
}

/* ---- the state ------------------------------------------------------------------------------------------ */

static int not_finite(switching *o)
{
  char name[256];
  if (o->bad < 0)
    return ns_fail(o->c, NS_NUMERIC, "Newton's method for the multipliers that hold rows of y at 0 does not converge at t = %.10g s; look "
                   "for relations whose lambda does not act on y there", *o->x->t);
  return ns_fail(o->c, NS_NUMERIC, "the rate of %s is not finite at t = %.10g s; look for a division by zero or the root of a negative "
                 "number in its right-hand side there", ns_sw_name(o, (size_t)o->bad, name, sizeof name), *o->x->t);
}

/* max |lambda - proj(lambda - y)|. */
static double violation(const switching *o)
{
  double most = 0;
  for (int r = 0; r < o->k->nrows; r++) {
    double l = o->x->lambda[r], to = fmin(fmax(l - o->x->y[r], o->lb[r]), o->ub[r]);
    most = fmax(most, fabs(l - to));
  }
  return most;
}

int ns_sw_output(switching *o)
{
  ns_state *x = o->x;
  size_t n = o->m->nq, rows = o->m->nrows;
  const ns_motion *p = &o->at[0];
  int held = 0, rc = ns_sw_motion(o, *x->t, x->q, &o->at[0]);
  if (rc) return rc > 0 ? not_finite(o) : rc;
  memcpy(x->y, p->y, rows * sizeof *x->y);
  memcpy(x->lambda, p->lambda, rows * sizeof *x->lambda);
  memcpy(x->p, p->r, n * sizeof *x->p);
  memcpy(x->v, p->v, n * sizeof *x->v);
  memcpy(x->f, o->f, n * sizeof *x->f);
  for (size_t r = 0; r < rows; r++) held += ns_sw_is_held(o, (int)r);
  ns_flow_work w;
  o->ops->work(o->flow, &w);
  x->cert->flow_steps = (double)w.steps;
  x->cert->flow_evaluations = (double)w.rates;
  *x->report = (ns_step_report){.active = held, .penetration = violation(o)};
  return NS_OK;
}

/* ---- rows --------------------------------------------------------------------------------------------------- */

static int row(switching *o, double side)
{
  ns_state *x = o->x;
  *x->side = side;
  int rc = ns_observables_eval(&o->observables, o->c, x), kept = ns_recorder_row(o->rec, o->c);
  *x->side = 0;
  return rc ? rc : kept;
}

/* The state before the event once more, for its row. */
static void exchange(switching *o)
{
  char *a = o->x->block, *b = o->before;
  for (size_t i = 0; i < o->x->bytes; i++) {
    char t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

static int both_rows(switching *o)
{
  exchange(o);
  int rc = row(o, 1);
  exchange(o);
  return rc ? rc : row(o, 2);
}

/* ---- events --------------------------------------------------------------------------------------------------- */

/* What the state before the event had there. */
static const double *before(const switching *o, const double *of)
{
  return (const double *)(const void *)((const char *)o->before + ((const char *)of - (const char *)o->x->block));
}

static int tell(switching *o, int r, ns_event_kind kind)
{
  const ns_state *x = o->x;
  int i = o->k->interaction[r];
  if (!o->rec) return NS_OK;
  ns_event e = {.t = *x->t, .kind = kind, .interaction = i, .row = r - (int)o->m->interactions[i].row,
                .before = before(o, x->lambda)[r], .after = x->lambda[r],
                .was = ns_events_side_mode(o->search.was[r]), .is = ns_events_side_mode(x->mode[r])};
  if (o->search.was[r] == NS_SIDE_UNKNOWN) e.was = e.is;
  return ns_recorder_event(o->rec, o->c, &e);
}

/* Several motions went on from here. */
static int tell_branch(switching *o)
{
  enum { TOLD = 5 };
  char at[512];
  int n = o->search.branches, r = o->search.nrows ? o->search.row[0] : 0, i = o->k->interaction[r];
  if (++o->choices <= TOLD)
    ns_warn(o->c, "%s: %s%d motions go on from t = %.10g s, expected one: its law drives y away from 0 on both sides; taken is the one "
            "that changes the fewest rows, row %d being at its %s from there%s", ns_sw_place(o, r, at),
            n >= NS_SW_BRANCHES ? "at least " : "", n, *o->x->t, r - (int)o->m->interactions[i].row,
            ns_row_mode_text(ns_events_side_mode(o->x->mode[r])), o->choices == TOLD ? "; further ones stand in the table of events alone" : "");
  return tell(o, r, NS_EVENT_BRANCH);
}

int ns_sw_record(switching *o)
{
  ns_state *x = o->x;
  int rc = ns_sw_output(o), some = 0;
  for (int r = 0; r < o->k->nrows; r++) some |= x->mode[r] != o->search.was[r] && o->search.was[r] != NS_SIDE_UNKNOWN;
  if (rc) return rc;
  x->cert->events += some;
  ns_certify(x, x->report);
  x->cert->steps--; /* that counts the grid */
  if (some && o->rec) rc = both_rows(o);
  for (int r = 0; r < o->k->nrows && !rc; r++) {
    if (x->mode[r] == o->search.was[r] || o->search.was[r] == NS_SIDE_UNKNOWN) continue;
    x->cert->impacts++;
    rc = tell(o, r, o->ending[r] ? NS_EVENT_ACCUMULATION : NS_EVENT_SWITCH);
  }
  return rc || o->search.branches < 2 ? rc : tell_branch(o);
}
