/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/event_driven_parts.h"

#include <math.h>
#include <string.h>

/* ---- roots ------------------------------------------------------------------------------------------------ */

int ns_ed_user_create(event_driven *o, ns_ctx *c)
{
  const ns_state *x = o->s.x;
  const ns_model *m = o->s.m;
  size_t n = m->nv, rows = m->nrows;
  ns_user_trial *u = &o->trial;
  u->x = *x;
  double **own[] = {&u->x.q, &u->x.v, &u->x.y, &u->x.ydot, &u->x.lambda, &u->x.observable};
  const size_t length[] = {n, n, rows, rows, rows, (size_t)m->nobservables};
  u->x.t = &u->t;
  for (size_t k = 0; k < sizeof own / sizeof *own; k++)
    if (!(*own[k] = ns_arena_zero(o->mem, length[k] + 1, sizeof(double)))) return ns_nomem(c, "events of the user");
  return NS_OK;
}

int ns_ed_user_roots(event_driven *o, double t, const double *x, double *g)
{
  const ns_model *m = o->s.m;
  ns_user_trial *u = &o->trial;
  u->t = t;
  memcpy(u->x.q, x, m->nv * sizeof *x);
  memcpy(u->x.v, x + m->nv, m->nv * sizeof *x);
  for (size_t r = 0; r < m->nrows; r++) {
    u->x.y[r] = o->gap[r];
    u->x.ydot[r] = o->speed[r];
    u->x.lambda[r] = ns_ed_force(o, (int)r);
  }
  return ns_user_events_roots(o->user, o->c, &u->x, g);
}

/* ---- what happens -------------------------------------------------------------------------------------------- */

int ns_ed_changed(event_driven *o)
{
  ns_state *x = o->s.x;
  ns_certificate *k = x->cert;
  double before = k->kinetic + k->potential;
  int rc = ns_contacts_positions(o->s.k, o->c, x, x->q, x->v, o->gap); /* offsets with user vectors */
  if (!rc) rc = ns_ed_output(o);
  if (!rc) rc = ns_ed_check_changed(o);
  if (rc) return rc;
  k->work_force += k->kinetic + k->potential - before;
  o->set = 1;
  if (o->begun) rc = ns_ed_event(o);
  o->set = 0;
  return rc;
}

/* Event k of the model at t, the time of the state. */
static int happen(event_driven *o, int k, double t)
{
  const ns_user_event *e = &o->s.m->user_events[k];
  ns_user_outcome out = {0};
  int rc = ns_ed_output(o), both = e->nsets > 0 && o->rec;
  if (!rc && both) rc = ns_ed_row(o, 1);
  if (!rc) rc = ns_user_events_happened(o->user, o->c, o->rec, k, t, &out);
  if (!rc && out.changed) rc = ns_ed_changed(o);
  if (!rc && both) rc = ns_ed_row(o, 2);
  else if (!rc && (out.row || out.stop) && o->rec) rc = ns_ed_row(o, 0);
  o->stopped |= out.stop;
  return rc;
}

static int in_time(const ns_user_event *e, double t) { return t >= e->from && t <= e->until; }

/* Those whose root the flow found; it was noted before the contacts had theirs. */
int ns_ed_user_fired(event_driven *o)
{
  double t = *o->s.x->t;
  int rc = NS_OK;
  for (int i = 0; i < o->nuser && !rc && !o->stopped; i++) {
    int k = ns_user_events_of_root(o->user, i);
    if (o->user_fired[i] && in_time(&o->s.m->user_events[k], t)) rc = happen(o, k, t);
  }
  return rc;
}

/* Those that are scheduled for this time. */
int ns_ed_user_due(event_driven *o)
{
  int rc = NS_OK, k;
  for (double t; !rc && !o->stopped && (t = ns_user_events_next(o->user, &k)) <= *o->s.x->t;) rc = happen(o, k, t);
  return rc;
}
