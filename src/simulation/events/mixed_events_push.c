/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of first order whose multipliers act on mechanics.
 *
 *   y = h(t, q, v, x, lambda),   M v' = F + H^T r + B lambda,   -y in N_[lb,ub](lambda)
 *
 * First order sees the velocities v that its rows read or act on as states of its own, the images
 * of mechanics (family_part.h): how y and lambda follow from each other, what holds y at 0, which
 * modes go on and what a jump does is then decided as of any first-order row. Their rates are asked
 * of mechanics, which moves under the forces B lambda with its contacts as they are: in a mode v'
 * is affine in these. Modes of mechanics are decided with the multipliers as they are, those of
 * first order with the contacts as they are, one after the other until neither changes: together
 * they obey all laws then. */
#include "algebra/vector.h"
#include "simulation/events/mixed_events_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double ROUNDING = 64 * DBL_EPSILON; /* of velocities */

static size_t first_image(const mixed_events *o) { return ns_part_nq(&o->order1.part); }

/* ---- images ---------------------------------------------------------------------------------- */

void ns_mx_place_images(mixed_events *o, const double *x)
{
  const ns_family_part *p = &o->order1.part;
  for (size_t i = ns_part_nq(p); i < p->model.nq; i++) o->v[p->q[i]] = x[i];
}

void ns_mx_to_images(mixed_events *o)
{
  const ns_family_part *p = &o->order1.part, *of = &o->mechanics.part;
  if (!o->push) return;
  ns_part_give(of->model.nv, of->v, o->mechanics.x.v, o->v);
  for (size_t i = ns_part_nq(p); i < p->model.nq; i++) o->order1.x.q[i] = o->v[p->q[i]];
}

int ns_mx_from_images(mixed_events *o)
{
  const ns_family_part *of = &o->mechanics.part;
  ns_state *x = &o->mechanics.x;
  double size = 0, max = 0;
  if (!o->push) return 0;
  ns_part_give(of->model.nv, of->v, x->v, o->v);
  ns_mx_place_images(o, o->order1.x.q);
  for (size_t i = 0; i < of->model.nv; i++) {
    double v = o->v[of->v[i]];
    size = fmax(size, fabs(v));
    max = fmax(max, fabs(v - x->v[i]));
  }
  if (!(max > ROUNDING * size)) return 0; /* what projections onto held rows leave has no end */
  ns_part_take(of->model.nv, of->v, o->v, x->v);
  return 1;
}

/* ---- forces ---------------------------------------------------------------------------------- */

int ns_mx_pushes_anew(mixed_events *o)
{
  static const double SAME = 1e-9;
  double size = 0, max = 0;
  size_t n = o->mechanics.part.model.nv;
  for (size_t i = 0; i < n && o->push; i++) {
    size = fmax(size, fmax(fabs(o->push[i]), fabs(o->pushed[i])));
    max = fmax(max, fabs(o->push[i] - o->pushed[i]));
  }
  if (o->push) memcpy(o->pushed, o->push, n * sizeof *o->push);
  return max > SAME * size;
}

/* Forces on images to those on mechanics. */
static void set_push(mixed_events *o, const double *force)
{
  const ns_family_part *p = &o->order1.part, *of = &o->mechanics.part;
  double *all = o->scattered;
  ns_part_give(of->model.nv, of->v, o->zero, all);
  for (size_t i = 0; i < p->nimages; i++) all[p->q[first_image(o) + i]] = force[i];
  ns_part_take(of->model.nv, of->v, all, o->push);
}

int ns_mx_push(void *of, double t, const double *x, const double *force, double *rate)
{
  mixed_share *s = of;
  mixed_events *o = s->all;
  mixed_share *mechanics = &o->mechanics;
  const ns_model *m = &mechanics->part.model;
  const ns_family_part *p = &s->part;
  double *f = o->flows ? mechanics->rate : o->trial_rate;
  int rc;
  set_push(o, force);
  ns_mx_read_by_first_order(of, t, x, NULL);
  if (o->flows && t == o->at.t) rc = mechanics->problem->rate(o->L, t, mechanics->own, f);
  else {
    ns_part_take(m->nq, mechanics->part.q, o->q, o->at.later);
    ns_part_take(m->nv, mechanics->part.v, o->v, o->at.mean);
    rc = ns_ed_motion(o->L, t, o->at.later, o->at.mean, f);
  }
  if (rc) return rc;
  ns_part_give(m->nv, mechanics->part.v, f + m->nq, o->scattered);
  for (size_t i = 0; i < p->nimages; i++) rate[i] = o->scattered[p->q[first_image(o) + i]];
  return NS_OK;
}

int ns_mx_responds_alike(void *of)
{
  const event_driven *L = ((mixed_share *)of)->all->L;
  return !L->varying && !L->drives && !L->s.k->n;
}

/* ---- impulses -------------------------------------------------------------------------------- */

static int is_blocked(const mixed_events *o)
{
  return ns_fail_at(
      o->run.c, NS_NUMERIC, &o->m->sim.at,
      "at t = %.10g s a first-order row contradicts its law and would apply an "
      "impulse to bodies with contacts or joints, expected such an impulse only on free "
      "bodies; the results so far are kept; give the row a resistance or an inductance, "
      "so that its output follows its multiplier, or use <TimeStepping>",
      *o->x->t);
}

int ns_mx_strike(void *of, double t, const double *x, const double *impulse, double *jump)
{
  mixed_share *s = of;
  mixed_events *o = s->all;
  const ns_family_part *p = &s->part;
  size_t n = p->nimages;
  double *with = o->leaps, *without = with + n;
  if (o->L->s.k->n > 0) return is_blocked(o);
  int rc = ns_mx_push(of, t, x, impulse, with);
  if (!rc) rc = ns_mx_push(of, t, x, o->zero, without);
  ns_linear_sum(n, with, -1, without, jump);
  return rc;
}
