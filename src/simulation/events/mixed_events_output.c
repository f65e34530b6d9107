/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One state of two, and what results and the certificate take of it. */
#include "simulation/events/event_driven.h"
#include "simulation/events/mixed_events_parts.h"

#include <string.h>

/* ---- one state of two ------------------------------------------------------------------------ */

/* Time and the number of the step, for both parts, and who hears of failures. */
void ns_mx_synchronise(mixed_events *o)
{
  for (int k = 0; k < o->nshares; k++) {
    *o->share[k]->x.t = *o->x->t;
    *o->share[k]->x.step = *o->x->step;
    o->share[k]->run->c = o->run.c;
  }
}

/* The parts have what was set from outside. */
void ns_mx_hand_out(mixed_events *o)
{
  ns_mx_synchronise(o);
  for (int k = 0; k < o->nshares; k++) {
    mixed_share *s = o->share[k];
    const ns_family_part *p = &s->part;
    ns_part_take(ns_part_nq(p), p->q, o->x->q, s->x.q);
    ns_part_take(ns_part_nv(p), p->v, o->x->v, s->x.v);
    ns_part_take(p->model.nz, p->z, o->x->z, s->x.z);
  }
  ns_mx_to_images(o);
}

void ns_mx_give_motion(const mixed_share *s)
{
  const ns_family_part *p = &s->part;
  ns_part_give(ns_part_nq(p), p->q, s->x.q, s->all->x->q);
  ns_part_give(ns_part_nv(p), p->v, s->x.v, s->all->x->v);
}

static void collect_share(const mixed_share *s)
{
  const ns_family_part *p = &s->part;
  const ns_state *from = &s->x;
  ns_state *x = s->all->x;
  ns_mx_give_motion(s);
  ns_part_give(ns_part_nv(p), p->v, from->f, x->f);
  ns_part_give(ns_part_nv(p), p->v, from->p, x->p);
  if (from->support) ns_part_give(ns_part_nv(p), p->v, from->support, x->support);
  ns_part_give(p->model.nrows, p->row, from->y, x->y);
  ns_part_give(p->model.nrows, p->row, from->lambda, x->lambda);
  for (size_t r = 0; r < p->model.nrows; r++) x->mode[p->row[r]] = from->mode[r];
}

/* Sums that a part keeps. Energies are those of mechanics. */
void ns_mx_collect_sums(mixed_events *o)
{
  ns_certificate *k = o->x->cert;
  const ns_certificate *a = o->L ? o->mechanics.x.cert : NULL;
  const ns_certificate *b = o->F ? o->order1.x.cert : NULL;
  k->events = (a ? a->events : 0) + (b ? b->events : 0);
  k->impacts = (a ? a->impacts : 0) + (b ? b->impacts : 0);
  if (a) {
    k->energy0 = a->energy0;
    k->kinetic = a->kinetic;
    k->potential = a->potential;
    k->work_force = a->work_force;
    k->work_contact = a->work_contact;
    k->work_friction = a->work_friction;
    k->work_driven = a->work_driven;
    k->approach_max = a->approach_max;
  }
  ns_event_run_count_work(&o->run);
}

/* The state of the run from those of the parts, as these were output last. */
void ns_mx_collect(mixed_events *o)
{
  ns_state *x = o->x;
  if (o->L) {
    const ns_state *a = &o->mechanics.x;
    ns_mechanics_events.report(o->L);
    collect_share(&o->mechanics);
    ns_part_give(o->mechanics.part.model.nrows, o->mechanics.part.row, a->ydot, x->ydot);
    memcpy(x->angle, a->angle, ns_model_joint_angles(o->m) * sizeof *x->angle);
  }
  if (o->F) collect_share(&o->order1);
  ns_mx_collect_sums(o);
  *x->report = o->L ? *o->mechanics.x.report : *o->order1.x.report;
  if (o->L && o->F) x->report->active += o->order1.x.report->active;
}

/* All that follows from the state, of both parts: without saying anything of gaps to come, which
 * the unknowns of mechanics know better than its positions. */
int ns_mx_output(mixed_events *o)
{
  int rc = NS_OK;
  ns_mx_synchronise(o);
  if (o->F) ns_mx_place_first_order(o, o->order1.x.q);
  if (o->push) { /* its multipliers are forces on mechanics */
    ns_mx_anchor_state(o);
    rc = ns_sw_output(o->F);
  }
  if (!rc && o->L) {
    double *own = o->L->run.unknown;
    size_t bytes = o->mechanics.problem->n * sizeof *own;
    memcpy(o->kept, own, bytes);
    *o->mechanics.x.report = (ns_step_report){0};
    rc = ns_ed_output(o->L);
    memcpy(own, o->kept, bytes);
    ns_mx_anchor_state(o);
  }
  if (!rc && o->F && !o->push) rc = ns_sw_output(o->F);
  if (!rc) ns_mx_collect(o);
  return rc;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Contacts between shapes, which mechanics knows, in the state of all, which may be one before that
 * of the part. */
const ns_contact_record *ns_mx_contacts(void *of, size_t *n)
{
  mixed_events *o = of;
  const ns_family_part *p = &o->mechanics.part;
  ns_state *own = &o->mechanics.x;
  const ns_state *x = o->x;
  if (!o->m->gaps) return NULL;
  memcpy(o->part_now, own->block, own->bytes);
  ns_part_take(p->model.nq, p->q, x->q, own->q);
  ns_part_take(p->model.nv, p->v, x->v, own->v);
  ns_part_take(p->model.nrows, p->row, x->ydot, own->ydot);
  ns_part_take(p->model.nrows, p->row, x->lambda, own->lambda);
  ns_part_take(p->model.nrows, p->row, x->impulse, own->impulse);
  const ns_contact_record *list = ns_ed_contacts(o->L, n);
  memcpy(own->block, o->part_now, own->bytes);
  return list;
}

/* ---- certificate ----------------------------------------------------------------------------- */

static void passed(void *self, const double *x)
{
  mixed_events *o = self;
  ns_mx_take(&o->mechanics, x, o->mechanics.own);
  ns_ed_passed(o->L, o->mechanics.own);
}

static int laws(void *self, double t, const double *x, double error, ns_breach *worst)
{
  mixed_events *o = self;
  ns_breach of_first_order = {0};
  int rc = NS_OK;
  if (o->L) ns_mx_take(&o->mechanics, x, o->mechanics.own);
  if (o->F) ns_mx_take(&o->order1, x, o->order1.own);
  if (o->push) rc = ns_mx_stand(o, t, x) < 0 ? NS_NUMERIC : NS_OK;
  if (!rc && o->L) rc = ns_ed_laws(o->L, t, o->mechanics.own, error, worst);
  if (!rc && o->F) rc = ns_sw_laws(o->F, t, o->order1.own, error, &of_first_order);
  if (o->L) worst->row = ns_event_run_row(o->mechanics.run, worst->row);
  if (o->F) of_first_order.row = ns_event_run_row(o->order1.run, of_first_order.row);
  if (of_first_order.by > worst->by) *worst = of_first_order;
  return rc;
}

int ns_mx_certificate_create(mixed_events *o, ns_ctx *c)
{
  size_t motion = o->m->nq + o->m->nv;
  if (o->L) motion += (size_t)(o->L->overlaps.n * o->L->overlaps.width);
  ns_certified what = {.judged = motion, .laws = laws, .passed = o->L ? passed : NULL};
  if (o->L) what.angle = o->L->s.x->angle;
  int rc = ns_event_run_certified(&o->run, c, what);
  if (o->L) o->L->run.certificate = o->run.certificate;
  if (o->F) o->F->run.certificate = o->run.certificate;
  return rc;
}
