/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/switching_parts.h"

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
  return ns_user_events_roots(o->run.user, o->run.c, &trial, g);
}
