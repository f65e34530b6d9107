/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/event_driven_parts.h"

#include "algebra/vector.h"
#include "model/lagrangian.h"
#include "simulation/events.h"

#include <math.h>
#include <string.h>

/* ---- the state ------------------------------------------------------------------------------------------ */

static void energies(event_driven *o)
{
  const ns_model *m = o->s.m;
  ns_state *x = o->s.x;
  double U = 0;
  memset(o->gyr, 0, m->nv * sizeof *o->gyr);
  ns_matrices_multiply(o->s.matrices, 1, x->v, o->gyr);
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    U += ns_operator_form(&s->stiffness, x->q + s->q, x->q + s->q) / 2;
    for (size_t j = 0; j < (size_t)s->n && s->fext.how == NS_OP_CONSTANT; j++) U -= s->fext.value[j] * x->q[s->q + j];
  }
  x->cert->kinetic = ns_dot(m->nv, x->v, o->gyr) / 2;
  x->cert->potential = U;
}

static int not_finite(event_driven *o)
{
  char name[256];
  return ns_fail(o->c, NS_NUMERIC, "the acceleration of %s is not finite at t = %.10g s; look for a division by zero or the root of a "
                 "negative number in its mass and forces there", ns_ed_name(o, (size_t)o->bad, name, sizeof name), *o->s.x->t);
}

static void work(event_driven *o)
{
  ns_flow_work w;
  o->ops->work(o->flow, &w);
  o->s.x->cert->flow_steps = (double)w.steps;
  o->s.x->cert->flow_evaluations = (double)w.rates;
}

int ns_ed_output(event_driven *o)
{
  ns_state *x = o->s.x;
  double deepest = 0;
  ns_ed_pack(o);
  int rc = ns_ed_rows(o, *x->t, x->q, x->v, x->y, x->ydot);
  if (!rc) rc = ns_ed_rate(o, *x->t, o->unknown, o->rate);
  if (rc > 0) rc = not_finite(o);
  if (rc) return rc;
  for (int r = 0; r < o->s.k->nrows; r++) {
    double y = ns_ed_is_unilateral(o, r) ? x->y[r] : -fabs(x->y[r]);
    x->lambda[r] = o->held[r] ? o->force[r] : 0;
    deepest = y < deepest ? y : deepest;
  }
  x->report->penetration = 0 - deepest;
  energies(o);
  work(o);
  return NS_OK;
}

int ns_ed_energy0(event_driven *o)
{
  ns_state *x = o->s.x;
  energies(o);
  x->cert->energy0 = x->cert->kinetic + x->cert->potential;
  return NS_OK;
}

/* ---- rows --------------------------------------------------------------------------------------------------- */

int ns_ed_row(event_driven *o, double side)
{
  const ns_contacts *k = o->s.k;
  ns_state *x = o->s.x;
  memset(x->p, 0, o->s.m->nv * sizeof *x->p);
  for (int r = 0; r < k->nrows; r++)
    if (x->lambda[r] != 0) ns_rows_add(&k->H, r, x->lambda[r], x->p);
  *x->side = side;
  int rc = ns_observables_eval(&o->observables, o->c, x), kept = ns_recorder_row(o->rec, o->c);
  *x->side = 0;
  return rc ? rc : kept;
}

/* The state before the event once more, for its row. */
static void exchange(event_driven *o)
{
  char *a = o->s.x->block, *b = o->before;
  for (size_t i = 0; i < o->s.x->bytes; i++) {
    char t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

static int both_rows(event_driven *o)
{
  exchange(o);
  int rc = ns_ed_row(o, 1);
  exchange(o);
  return rc ? rc : ns_ed_row(o, 2);
}

enum { ACCUMULATION = 3 }; /* so many impacts without rest before the last one are a series */

/* ---- events --------------------------------------------------------------------------------------------------- */

static int tell(event_driven *o, int r, ns_event_kind kind)
{
  const ns_state *x = o->s.x;
  int i = o->s.k->interaction[r];
  if (!o->rec) return NS_OK;
  ns_event e = {.t = *x->t, .kind = kind, .interaction = i, .row = r - (int)o->s.m->interactions[i].row,
                .before = o->speed_before[r], .after = x->ydot[r], .impulse = kind == NS_EVENT_IMPACT ? x->impulse[r] : 0,
                .lost = kind == NS_EVENT_IMPACT ? o->lost[r] : kind == NS_EVENT_ACCUMULATION ? o->removed[r] : 0,
                .was = o->held_before[r] ? NS_ROW_CLOSED : NS_ROW_FREE, .is = o->held[r] ? NS_ROW_CLOSED : NS_ROW_FREE};
  return ns_recorder_event(o->rec, o->c, &e);
}

/* The contact rests at the end of its series, or the run ends, as the model says. */
static int accumulated(event_driven *o, int r)
{
  char at[512];
  int rc = tell(o, r, NS_EVENT_ACCUMULATION);
  if (rc || o->opt->accumulation != NS_ACCUMULATION_STOP) return rc;
  return ns_fail(o->c, NS_NUMERIC, "%s: impacts accumulate at t = %.10g s: %d since the contact last rested, the last at %.3g m/s; the "
                 "results up to there are kept; accumulation=\"stick\" lets it rest and goes on",
                 ns_place_text(&o->s.m->interactions[o->s.k->interaction[r]].at, at, sizeof at), *o->s.x->t, o->flights[r],
                 -o->speed_before[r]);
}

static int tell_row(event_driven *o, int r)
{
  ns_state *x = o->s.x;
  int rc = NS_OK;
  if (x->impulse[r] > 0 && o->speed_before[r] < -o->opt->speed_tol) {
    ns_keep_max(&x->cert->approach_max, -o->speed_before[r]);
    x->cert->impacts++;
    rc = tell(o, r, NS_EVENT_IMPACT);
  }
  if (x->impulse[r] > 0) o->flights[r]++;
  if (!rc && o->removed[r] > 0 && o->flights[r] >= ACCUMULATION) rc = accumulated(o, r);
  if (o->held[r]) o->flights[r] = 0;
  if (!rc && o->held[r] && (!o->held_before[r] || !o->begun)) rc = tell(o, r, NS_EVENT_CONTACT);
  if (!rc && !o->held[r] && o->held_before[r]) rc = tell(o, r, NS_EVENT_RELEASE);
  x->mode[r] = o->held[r] ? NS_MODE_LASTING : NS_MODE_FREE;
  return rc;
}

static int changed(const event_driven *o)
{
  if (o->hybrid.settling) return 1;
  for (int r = 0; r < o->s.k->nrows; r++)
    if (o->s.x->impulse[r] != 0 || o->held[r] != o->held_before[r]) return 1;
  return 0;
}

int ns_ed_record(event_driven *o)
{
  ns_state *x = o->s.x;
  int rc = ns_ed_output(o), some = changed(o);
  if (rc) return rc;
  x->cert->events += some;
  ns_certify(x, x->report);
  x->cert->steps--; /* that counts the grid */
  if (some && o->rec) rc = both_rows(o);
  for (int r = 0; r < o->s.k->nrows && !rc; r++)
    if (ns_ed_is_unilateral(o, r)) rc = tell_row(o, r);
  return rc;
}
