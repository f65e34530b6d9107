/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theta_state.c -- what follows from the state at the begin of a run, where it is set from outside,
 * and where a checkpoint is resumed. */
#include "simulation/step/theta_parts.h"

#include "simulation/step/initial_input.h"

#include <stdlib.h>
#include <string.h>

typedef ns_theta_stepping stepping;

/* ---- begin ----------------------------------------------------------------------------------- */

/* Relations at the state, with its multipliers. */
static ns_relation_point at_state(const stepping *o)
{
  const ns_state *x = o->s.x;
  return (ns_relation_point){.t = *x->t,
                             .x = x->q,
                             .z = x->z,
                             .lambda = x->lambda + o->nL,
                             .others = {x->q, x->v, x->z, x->angle}};
}

/* Some system of first order takes the input of the step before, too. */
static int takes_last_input(const stepping *o)
{
  int some = 0;
  for (size_t i = 0; i < o->s.m->nv; i++) some |= o->view.after[i] < 1;
  return some && o->nF;
}

/* Inputs and outputs of relations at t0, to the state. */
static void begin_inputs(stepping *o)
{
  ns_state *x = o->s.x;
  const double *lambda = x->lambda + o->nL;
  memset(o->move, 0, o->s.m->nv * sizeof *o->move);
  ns_couplings_output(o->f, x->q, lambda, x->y + o->nL);
  ns_couplings_input(o->f, lambda, lambda, o->move, o->input);
  for (int i = 0; i < o->s.m->nsystems; i++) {
    const ns_system *s = &o->s.m->systems[i];
    if (ns_system_is_first_order(s))
      memcpy(x->p + s->v, o->input + s->v, (size_t)s->n * sizeof *x->p);
  }
}

/* Relations of first order at the state; at t0 with multipliers and inputs of their own. */
static int start_relations(stepping *o, ns_ctx *c, int first)
{
  ns_state *x = o->s.x;
  ns_relation_point at = at_state(o);
  int changed = 0, rc = ns_couplings_offsets(o->f, c, &at, 1);
  if (!rc && first && takes_last_input(o)) rc = ns_initial_input(c, o->f, x, x->lambda + o->nL);
  if (!rc) rc = ns_couplings_values(o->f, c, &at);
  if (!rc) rc = ns_couplings_tangents(o->f, c, &at, 1, &changed);
  if (!rc && first) begin_inputs(o);
  return rc;
}

/* Contacts between shapes at the state: overlaps may be taken apart, bonds and springs begin. */
static int start_contacts(stepping *o, ns_ctx *c, int first)
{
  ns_state *x = o->s.x;
  int rc = NS_OK;
  if (o->s.m->contact.separate) {
    rc = ns_rigid_take_apart(o->bodies, c);
    if (!rc) rc = ns_theta_start(o->osi, c, x, first);
  }
  return rc ? rc : ns_rigid_start_contacts(o->bodies, c, x->cert, first);
}

/* What follows from the state, at the start of a run and where it is resumed. */
static int begin_run(stepping *o, ns_ctx *c, int first)
{
  ns_contact_history_begin(&o->history);
  memset(o->impulse, 0, o->s.m->nv * sizeof *o->impulse);
  int rc = start_relations(o, c, first);
  if (!rc) rc = ns_theta_start(o->osi, c, o->s.x, first);
  return rc || !o->bodies ? rc : ns_rigid_begin_run(o->bodies, c);
}

int ns_th_start(void *self, ns_ctx *c)
{
  stepping *o = self;
  int first = *o->s.x->step == 0, rc = begin_run(o, c, first);
  return rc || !o->bodies || !o->bodies->contacts ? rc : start_contacts(o, c, first);
}

int ns_th_restart(void *self, ns_ctx *c, int set)
{
  stepping *o = self;
  ns_relation_point at = at_state(o);
  if (o->alone && !set) return NS_OK; /* steps see themselves that z is another one */
  int rc = set && o->bodies ? ns_rigid_begin_run(o->bodies, c) : NS_OK;
  long long step = *o->s.x->step;
  if (set) *o->s.x->step = 0; /* rates of the new state, as at the begin of a run */
  if (!rc) rc = ns_theta_start(o->osi, c, o->s.x, 0);
  *o->s.x->step = step;
  if (!rc && o->bodies) o->s.x->cert->potential += ns_rigid_springs(o->bodies);
  return rc || !set ? rc : ns_couplings_offsets(o->f, c, &at, 1);
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

int ns_th_savable(const void *self)
{
  return ns_step_problem_memory(&((const stepping *)self)->p) != NULL;
}

void ns_th_save(const void *self, ns_blob *b)
{
  const stepping *o = self;
  ns_blob_put_reals(b, o->history.before, (size_t)o->nL);
  ns_blob_put_reals(b, o->f->offset, (size_t)o->nF);
  ns_contacts_save(o->k, b);
  if (o->bodies) ns_th_save_slots(o, b);
  if (o->bodies && o->bodies->contacts) ns_rigid_contacts_save(o->bodies->contacts, b);
  ns_theta_save(o->osi, b);
  ns_step_problem_memory(&o->p)->save(o->p.p.solver.self, b);
  if (o->active) ns_step_problem_memory(&o->p)->save(o->active->solver.self, b);
}

static int restore_bodies(stepping *o, ns_ctx *c, ns_blob *b)
{
  int rc = ns_th_restore_slots(o, c, b);
  if (rc || !o->bodies->contacts) return rc;
  return ns_rigid_contacts_restore(o->bodies->contacts, c, b);
}

/* What follows from the state, which stays as it was saved: where a run starts, quaternions become
 * unit ones and energies are set. */
static int follow_state(stepping *o, ns_ctx *c)
{
  ns_state *x = o->s.x;
  void *kept = malloc(x->bytes);
  if (!kept) return ns_nomem(c, "checkpoint");
  memcpy(kept, x->block, x->bytes);
  int rc = begin_run(o, c, *x->step == 0);
  memcpy(x->block, kept, x->bytes);
  free(kept);
  return rc;
}

void ns_th_restore(void *self, ns_blob *b)
{
  stepping *o = self;
  ns_ctx c = {0};
  int rc = o->alone ? NS_OK : follow_state(o, &c);
  ns_blob_get_reals(b, o->history.before, (size_t)o->nL);
  ns_blob_get_reals(b, o->f->offset, (size_t)o->nF);
  ns_contacts_restore(o->k, b);
  if (!rc && o->bodies) rc = restore_bodies(o, &c, b);
  ns_theta_restore(o->osi, b);
  if (rc) b->failed = rc;
  else ns_step_problem_memory(&o->p)->restore(o->p.p.solver.self, b);
  if (!rc && o->active) ns_step_problem_memory(&o->p)->restore(o->active->solver.self, b);
}
