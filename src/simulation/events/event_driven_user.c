/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/event_driven_parts.h"

#include <math.h>
#include <string.h>

/* ---- roots ----------------------------------------------------------------------------------- */

/* Of the user, at t within the last step of the flow (ns_step_roots.look). */
static int look_within(void *of, double t, double *g)
{
  event_driven *o = of;
  ns_user_trial *u = &o->trial;
  double from, to;
  o->run.ops->span(o->run.flow, &from, &to);
  if (!(t >= from && t <= to)) return 1;
  int rc = o->run.ops->dense(o->run.flow, o->run.c, t, 0, u->within);
  if (!rc) rc = ns_ed_all_roots(o, t, u->within, u->roots);
  memcpy(g, u->roots + 2 * o->s.m->nrows, (size_t)o->run.nuser * sizeof *g);
  return rc;
}

int ns_ed_user_create(event_driven *o, ns_ctx *c)
{
  const ns_state *x = o->s.x;
  const ns_model *m = o->s.m;
  size_t rows = m->nrows;
  ns_user_trial *u = &o->trial;
  u->x = *x;
  double **own[] = {&u->x.q, &u->x.v, &u->x.y, &u->x.ydot, &u->x.lambda, &u->x.observable};
  const size_t length[] = {m->nq, m->nv, rows, rows, rows, (size_t)m->nobservables};
  u->x.t = &u->t;
  for (size_t k = 0; k < sizeof own / sizeof *own; k++)
    if (!(*own[k] = ns_arena_zero(o->run.mem, length[k] + 1, sizeof(double))))
      return ns_nomem(c, "events of the user");
  u->within = ns_arena_zero(o->run.mem, o->problem.n + 1, sizeof *u->within);
  u->roots = ns_arena_zero(o->run.mem, (size_t)o->problem.nroots + 1, sizeof *u->roots);
  unsigned char *bends = ns_arena_zero(o->run.mem, (size_t)o->run.nuser + 1, 1);
  if (!u->within || !u->roots || !bends) return ns_nomem(c, "events of the user");
  if (ns_event_run_bends(m, bends)) return ns_nomem(c, "events of the user");
  o->dips = (ns_step_roots){
      .of = o, .look = look_within, .bends = bends, .n = o->run.nuser, .widest = m->sim.ts.h};
  return ns_step_roots_init(&o->dips, o->run.mem) ? ns_nomem(c, "events of the user") : NS_OK;
}

int ns_ed_user_roots(event_driven *o, double t, const double *x, double *g)
{
  const ns_model *m = o->s.m;
  ns_user_trial *u = &o->trial;
  u->t = t;
  memcpy(u->x.q, ns_ed_positions(o, x), m->nq * sizeof *x);
  memcpy(u->x.v, x + m->nq, m->nv * sizeof *x);
  for (size_t r = 0; r < m->nrows; r++) {
    u->x.y[r] = o->gap[r];
    u->x.ydot[r] = o->speed[r];
    u->x.lambda[r] = ns_ed_force(o, (int)r) - ns_ed_tension(o, (int)r);
  }
  return ns_user_events_roots(o->run.user, o->run.c, &u->x, g);
}

/* ---- what happens ---------------------------------------------------------------------------- */

int ns_ed_changed(event_driven *o)
{
  ns_state *x = o->s.x;
  ns_certificate *k = x->cert;
  double before = k->kinetic + k->potential;
  /* offsets with user vectors */
  int rc = ns_contacts_positions(o->s.k, o->run.c, x, x->q, x->v, o->gap);
  if (!rc) rc = ns_ed_output(o);
  if (!rc) rc = ns_ed_check_changed(o);
  if (rc) return rc;
  k->work_force += k->kinetic + k->potential - before;
  o->set = 1;
  if (o->begun) rc = ns_ed_event(o);
  o->set = 0;
  return rc;
}
