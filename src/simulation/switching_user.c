/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/switching_parts.h"

#include <string.h>

/* A state at the point that the flow tries: all else is that of the run. */
int ns_sw_user_roots(switching *o, double t, const double *x, double *g)
{
  ns_motion *p = &o->at[0];
  ns_state trial = *o->x;
  memcpy(p->x, x, o->m->nq * sizeof *x);
  trial.t = &t;
  trial.q = p->x;
  trial.v = p->v;
  trial.p = p->r;
  trial.y = p->y;
  trial.lambda = p->lambda;
  trial.observable = o->observed;
  return ns_user_events_roots(o->user, o->c, &trial, g);
}

/* Event k of the model at t, the time of the state. */
static int happen(switching *o, int k, double t)
{
  ns_user_outcome out = {0};
  int rc = ns_sw_output(o), both = o->m->user_events[k].nsets > 0 && o->rec;
  if (!rc && o->rec) rc = ns_recorder_state(o->rec, o->c);
  if (!rc && both) rc = ns_sw_row(o, 1);
  if (!rc) rc = ns_user_events_happened(o->user, o->c, o->rec, k, t, &out);
  if (!rc && out.changed) rc = ns_sw_changed(o);
  if (!rc && both) rc = ns_sw_row(o, 2);
  else if (!rc && (out.row || out.stop) && o->rec) rc = ns_sw_row(o, 0);
  o->stopped |= out.stop;
  return rc;
}

int ns_sw_user_fired(switching *o)
{
  double t = *o->x->t;
  int rc = NS_OK;
  for (int i = 0; i < o->nuser && !rc && !o->stopped; i++) {
    int k = ns_user_events_of_root(o->user, i);
    const ns_user_event *e = &o->m->user_events[k];
    if (o->user_fired[i] && t >= e->from && t <= e->until) rc = happen(o, k, t);
  }
  return rc;
}

int ns_sw_user_due(switching *o)
{
  int rc = NS_OK, k;
  for (double t; !rc && !o->stopped && (t = ns_user_events_next(o->user, &k)) <= *o->x->t;) rc = happen(o, k, t);
  return rc;
}
