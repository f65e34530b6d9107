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

static int output(void *of) { return ns_sw_keep(of); }
static int row(void *of, double side) { return ns_sw_row(of, side); }
static int changed(void *of) { return ns_sw_changed(of, 0); } /* the user's rows are around it */

static ns_user_driver driver(switching *o)
{
  return (ns_user_driver){.of = o, .rec = o->rec, .output = output, .row = row, .changed = changed};
}

int ns_sw_user_fired(switching *o)
{
  ns_user_driver d = driver(o);
  return ns_user_events_fired(o->user, o->c, &d, o->user_fired, &o->stopped);
}

int ns_sw_switch(switching *o)
{
  ns_user_driver d = driver(o);
  int rc = ns_sw_certify(o, 1);
  return rc ? rc : ns_branches_event(o->branches, o->c, &d, o->user, &o->stopped);
}

int ns_sw_user_due(switching *o)
{
  ns_user_driver d = driver(o);
  return ns_user_events_due(o->user, o->c, &d, &o->stopped);
}
