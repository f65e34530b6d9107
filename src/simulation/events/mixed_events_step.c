/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accumulation="time-stepping" with systems of several kinds: Moreau-Jean and Euler-Moreau steps of
 * all of them, in one problem (theta_stepping.h), on the state of the run. Mechanics says when they
 * begin, what is an impact in them and when they end (event_driven_hybrid.c), on its part of the
 * state. Rows of first order switch at the ends of steps. */
#include "simulation/events/mixed_events_parts.h"

#include "model/law_values.h"
#include "simulation/record/events.h"
#include "simulation/step/theta_stepping.h"

#include <string.h>

int ns_mx_scheme_create(mixed_events *o, ns_ctx *c)
{
  if (!o->L || !o->L->hybrid.wanted) return NS_OK;
  return ns_hybrid_scheme_create(c, o->m, o->x, &ns_mixed_stepping, o->L->hybrid.longest,
                                 &o->scheme);
}

int ns_mx_steps_from(mixed_events *o)
{
  ns_law_values_forget(o->x, o->m);
  int rc = ns_hybrid_scheme_refresh(&o->scheme, o->run.c, o->x);
  if (!rc) ns_event_run_anchor(&o->run);
  return rc;
}

/* Modes of first order are those of the step: what has changed is told. */
static int switches(mixed_events *o)
{
  const ns_family_part *p = &o->order1.part;
  ns_state *own = &o->order1.x;
  int rc = NS_OK;
  for (int i = 0; i < p->model.ninteractions; i++)
    for (int k = 0; k < p->model.interactions[i].m && !rc; k++) {
      size_t r = p->model.interactions[i].row + (size_t)k, of_all = p->row[r];
      int was = own->mode[r], is = o->x->mode[of_all];
      ns_event e = {.t = *o->x->t,
                    .kind = NS_EVENT_SWITCH,
                    .interaction = p->interaction[i],
                    .row = k,
                    .before = own->lambda[r],
                    .after = o->x->lambda[of_all],
                    .was = ns_events_side_mode(was),
                    .is = ns_events_side_mode(is)};
      own->mode[r] = (unsigned char)is;
      own->lambda[r] = e.after;
      if (was != is && o->run.rec) rc = ns_recorder_event(o->run.rec, o->run.c, &e);
    }
  return rc;
}

/* Energies and works of the run, which are those of mechanics. */
static void keep_sums(mixed_events *o)
{
  ns_certificate *k = o->mechanics.x.cert;
  const ns_certificate *all = o->x->cert;
  k->kinetic = all->kinetic;
  k->potential = all->potential;
  k->work_force = all->work_force;
  k->work_contact = all->work_contact;
  k->work_friction = all->work_friction;
  k->work_driven = all->work_driven;
  ns_keep_max(&k->approach_max, all->approach_max);
}

int ns_mx_march(void *of, double t1, double h)
{
  mixed_share *s = of;
  mixed_events *o = s->all;
  const ns_family_part *p = &s->part;
  ns_state *x = o->x, *own = &s->x;
  size_t rows = p->model.nrows;
  ns_part_give(rows, p->row, own->lambda, x->lambda);
  int rc = ns_hybrid_scheme_step(&o->scheme, o->run.c, x, t1, h);
  if (rc) return rc;
  ns_mx_hand_out(o);
  memcpy(own->angle, x->angle, ns_model_joint_angles(o->m) * sizeof *x->angle);
  ns_part_take(rows, p->row, x->y, own->y);
  ns_part_take(rows, p->row, x->ydot, own->ydot);
  ns_part_take(rows, p->row, x->lambda, own->lambda);
  for (size_t r = 0; r < rows; r++) x->lambda[p->row[r]] /= h;
  keep_sums(o);
  return o->F ? switches(o) : NS_OK;
}

int ns_mx_leave(void *of)
{
  mixed_events *o = ((mixed_share *)of)->all;
  int jumped = 0, rc = NS_OK;
  memcpy(o->run.before, o->x->block, o->x->bytes);
  if (o->F) ns_mx_place_first_order(o, o->order1.x.q);
  if (o->push) { /* its multipliers are forces on mechanics */
    ns_mx_anchor_state(o);
    rc = ns_sw_output(o->F);
  }
  if (!rc) rc = ns_ed_hybrid_leave(o->L);
  ns_mx_anchor_state(o);
  if (!rc && o->F) rc = ns_mx_decide_first_order(o, &jumped);
  if (!rc) rc = ns_mx_settle(o, jumped, 0);
  return ns_event_run_close(&o->run, rc);
}
