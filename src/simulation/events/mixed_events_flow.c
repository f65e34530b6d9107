/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unknowns of a model of several kinds: q and v of all, and behind them what the parts add. Each
 * part has its share, reads the others where they are, and takes the one flow for its own. */
#include "simulation/events/event_driven.h"
#include "simulation/events/event_driven_modes.h"
#include "simulation/events/mixed_events_parts.h"

#include "integrators/plugged_flow.h"
#include "model/check/diagnose.h"
#include "model/systems/mechanics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- shares of the unknowns ------------------------------------------------------------------ */

static int has_velocities(const mixed_share *s) { return s->problem->ncoord > 0; }

/* Where the unknowns of a part behind q and v begin in its own. */
size_t ns_mx_own_rest(const mixed_share *s)
{
  return s->part.model.nq + (has_velocities(s) ? s->part.model.nv : 0);
}

void ns_mx_take(const mixed_share *s, const double *x, double *own)
{
  const ns_model *m = &s->part.model;
  size_t rest = ns_mx_own_rest(s);
  size_t nq = ns_part_nq(&s->part);
  ns_part_take(nq, s->part.q, x, own);
  ns_part_take(s->part.nimages, s->part.q + nq, x + s->all->m->nq, own + nq);
  if (has_velocities(s)) ns_part_take(m->nv, s->part.v, x + s->all->m->nq, own + m->nq);
  memcpy(own + rest, x + s->rest, (s->problem->n - rest) * sizeof *own);
}

void ns_mx_give(const mixed_share *s, const double *own, double *x)
{
  const ns_model *m = &s->part.model;
  size_t rest = ns_mx_own_rest(s);
  ns_part_give(ns_part_nq(&s->part), s->part.q, own, x);
  if (has_velocities(s)) ns_part_give(m->nv, s->part.v, own + m->nq, x + s->all->m->nq);
  memcpy(x + s->rest, own + rest, (s->problem->n - rest) * sizeof *own);
}

/* ---- what one part reads of the other -------------------------------------------------------- */

/* First-order systems are at x, for mechanics. */
void ns_mx_place_first_order(mixed_events *o, const double *x)
{
  const ns_family_part *p = &o->order1.part;
  if (o->F) ns_part_give(ns_part_nq(p), p->q, x, o->q);
}

/* Mechanics is there, for first-order systems. */
static void anchor_mechanics(mixed_events *o, double t, const double *q, const double *v,
                             const double *a)
{
  const ns_model *m = &o->mechanics.part.model;
  o->at.t = t;
  memcpy(o->at.q, q, m->nq * sizeof *q);
  memcpy(o->at.v, v, m->nv * sizeof *v);
  memcpy(o->at.a, a, m->nv * sizeof *a);
}

/* The state, after ns_ed_output. */
void ns_mx_anchor_state(mixed_events *o)
{
  const ns_state *x = &o->mechanics.x;
  if (o->L) anchor_mechanics(o, *x->t, x->q, x->v, o->L->a);
  ns_mx_to_images(o);
}

static ns_others of_all(const mixed_events *o)
{
  return (ns_others){
      .q = o->q, .v = o->v, .z = o->x->z, .angle = o->L ? o->mechanics.x.angle : NULL};
}

ns_others ns_mx_read_by_mechanics(void *of, double t, const double *q, const double *v)
{
  mixed_share *s = of;
  mixed_events *o = s->all;
  (void)t;
  ns_part_give(s->part.model.nq, s->part.q, q, o->q);
  ns_part_give(s->part.model.nv, s->part.v, v, o->v);
  return of_all(o);
}

/* Mechanics at t by what is known of it: of velocities that first order has as states these are
 * those at x. Where it is asked what time alone moves at the state x of a time `about`, positions
 * go on from there with the velocities of that state, not with the mean of those since the anchor.
 */
static void move_mechanics(mixed_events *o, double t, const double *x)
{
  const ns_family_part *images = &o->order1.part;
  const ns_family_part *p = &o->mechanics.part;
  const mixed_anchor *k = &o->at;
  size_t nq = p->model.nq, nv = p->model.nv;
  double about = o->F && o->F->differencing ? o->F->about : t, dt = about - k->t, rest = t - about;
  memcpy(k->later, k->q, nq * sizeof *k->q);
  for (size_t i = 0; i < nv; i++) o->v[p->v[i]] = k->v[i] + dt * k->a[i];
  if (images->nimages) ns_mx_place_images(o, x);
  for (size_t i = 0; i < nv; i++) k->mean[i] = (k->v[i] + o->v[p->v[i]]) / 2;
  ns_mechanics_move(&p->model, dt, k->mean, k->later);
  if (rest != 0) {
    for (size_t i = 0; i < nv; i++) {
      k->mean[i] = o->v[p->v[i]] + rest / 2 * k->a[i];
      o->v[p->v[i]] += rest * k->a[i];
    }
    if (images->nimages) ns_mx_place_images(o, x);
    ns_mechanics_move(&p->model, rest, k->mean, k->later);
  }
  ns_part_give(nq, p->q, k->later, o->q);
}

ns_others ns_mx_read_by_first_order(void *of, double t, const double *x, const double *none)
{
  mixed_share *s = of;
  mixed_events *o = s->all;
  (void)none;
  ns_part_give(ns_part_nq(&s->part), s->part.q, x, o->q);
  if (o->L) move_mechanics(o, t, x);
  return of_all(o);
}

/* Unknowns of both parts from x; mechanics reads those of first order. */
static void share_out(mixed_events *o, const double *x)
{
  if (o->F) {
    ns_mx_take(&o->order1, x, o->order1.own);
    ns_mx_place_first_order(o, o->order1.own);
  }
  if (o->L) ns_mx_take(&o->mechanics, x, o->mechanics.own);
}

/* Mechanics has its rates: what reads it goes on from there. */
static void anchor_rates(mixed_events *o, double t)
{
  const mixed_share *s = &o->mechanics;
  size_t nq = s->part.model.nq;
  anchor_mechanics(o, t, ns_ed_positions(o->L, s->own), s->own + nq, s->rate + nq);
}

/* Where rows of first order act on mechanics its rates come with theirs. */
static int stand_together(mixed_events *o, double t)
{
  mixed_share *s = &o->mechanics;
  size_t nq = s->part.model.nq;
  memset(s->rate, 0, s->problem->n * sizeof *s->rate);
  anchor_mechanics(o, t, ns_ed_positions(o->L, s->own), s->own + nq, s->rate + nq);
  o->flows = 1;
  int rc = o->order1.problem->rate(o->F, t, o->order1.own, o->order1.rate);
  o->flows = 0;
  if (!rc) anchor_rates(o, t);
  return rc;
}

int ns_mx_stand(mixed_events *o, double t, const double *x)
{
  mixed_share *s = &o->mechanics;
  share_out(o, x);
  if (o->push) return stand_together(o, t);
  int rc = o->L ? s->problem->rate(o->L, t, s->own, s->rate) : NS_OK;
  if (!rc && o->L) anchor_rates(o, t);
  return rc;
}

int ns_mx_certify(void *of, int event)
{
  mixed_events *o = of;
  if (ns_mx_steps(o)) return NS_OK;
  int rc = ns_event_run_certify(&o->run, event);
  if (rc || !o->run.certificate) return rc;
  return ns_mx_stand(o, *o->x->t, o->run.unknown) < 0 ? NS_NUMERIC : NS_OK;
}

/* ---- the common flow ------------------------------------------------------------------------- */

/* ns_event_family.forces: those of mechanics. */
int ns_mx_forces(void *of, double t, const double *x, double *rate)
{
  mixed_events *o = of;
  mixed_share *s = &o->mechanics;
  if (!o->L) return NS_OK;
  memset(s->rate, 0, s->problem->n * sizeof *s->rate);
  share_out(o, x);
  int rc = ns_mechanics_events.forces(o->L, t, s->own, s->rate);
  ns_mx_give(s, s->rate, rate);
  return rc;
}

int ns_mx_sized(void *of, int *some)
{
  mixed_events *o = of;
  mixed_share *s = &o->mechanics;
  if (!o->L) return NS_OK;
  for (size_t i = 0; i < o->run.problem.n; i++) o->sight[i] = ns_event_sizes_of(&o->run.sizes, i);
  ns_mx_take(s, o->sight, s->rate);
  int rc = ns_ed_take_sizes(o->L, s->rate, some);
  o->run.problem.begins_stiff = s->problem->begins_stiff;
  return rc;
}

/* Rates of all, where mechanics has its own. */
static int gather_rates(mixed_events *o, double t, double *f)
{
  int rc = NS_OK;
  if (o->F && !o->push) rc = o->order1.problem->rate(o->F, t, o->order1.own, o->order1.rate);
  if (rc) return rc;
  memset(f, 0, o->run.problem.n * sizeof *f);
  if (o->L) ns_mx_give(&o->mechanics, o->mechanics.rate, f);
  if (o->F) ns_mx_give(&o->order1, o->order1.rate, f);
  return NS_OK;
}

static int rate(void *self, double t, const double *x, double *f)
{
  mixed_events *o = self;
  int rc = ns_mx_stand(o, t, x);
  return rc ? rc : gather_rates(o, t, f);
}

/* ns_flow_constraints: those of mechanics, while all moves. */
static int hold(void *self, double t, const double *x, size_t *rows, size_t *positions,
                double *lambda, double *f)
{
  mixed_events *o = self;
  mixed_share *s = &o->mechanics;
  share_out(o, x);
  int rc = o->L->constraints.hold(o->L, t, s->own, rows, positions, lambda, s->rate);
  if (rc || !*rows) return rc;
  anchor_rates(o, t);
  return gather_rates(o, t, f);
}

static int motion(void *self, double t, const double *x, const double *lambda, const double *mu,
                  double *f, double *y, double *ydot, double *yddot)
{
  mixed_events *o = self;
  mixed_share *s = &o->mechanics;
  share_out(o, x);
  int rc = o->L->constraints.motion(o->L, t, s->own, lambda, mu, s->rate, y, ydot, yddot);
  if (rc) return rc;
  anchor_rates(o, t);
  return gather_rates(o, t, f);
}

/* The state where both parts were last evaluated, for conditions of the user. */
static int user_roots(mixed_events *o, double t, double *g)
{
  ns_state *x = &o->run.trial;
  const ns_family_part *p = &o->order1.part;
  if (o->F) {
    const ns_motion *k = &o->F->at[0];
    ns_part_give(ns_part_nv(p), p->v, k->v, o->v);
    ns_part_give(ns_part_nv(p), p->v, k->r, x->p);
    ns_part_give(p->model.nrows, p->row, k->y, x->y);
    ns_part_give(p->model.nrows, p->row, k->lambda, x->lambda);
  }
  p = &o->mechanics.part;
  for (size_t r = 0; r < p->model.nrows && o->L; r++) {
    x->y[p->row[r]] = o->L->gap[r];
    x->ydot[p->row[r]] = o->L->speed[r];
    x->lambda[p->row[r]] = ns_ed_force(o->L, (int)r);
  }
  if (o->L) {
    ns_part_give(p->model.nq, p->q, o->at.q, o->q);
    ns_part_give(p->model.nv, p->v, o->at.v, o->v);
  }
  memcpy(x->q, o->q, o->m->nq * sizeof *x->q);
  memcpy(x->v, o->v, o->m->nv * sizeof *x->v);
  return ns_event_run_user_roots(&o->run, t, g);
}

/* Of both parts and of the user. */
int ns_mx_roots(void *self, double t, const double *x, double *g)
{
  mixed_events *o = self;
  int rc = ns_mx_stand(o, t, x);
  if (!rc && o->L) rc = ns_ed_roots(o->L, t, o->mechanics.own, g);
  double *of_rows = g + o->order1.first_root;
  /* rows that act on mechanics have moved with it */
  if (!rc && o->push) ns_sw_row_roots(o->F, o->order1.own, of_rows);
  else if (!rc && o->F) rc = ns_sw_roots(o->F, t, o->order1.own, of_rows);
  return rc || !o->run.nuser ? rc : user_roots(o, t, g + o->nparts);
}

static int roots(void *self, double t, const double *x, double *g)
{
  mixed_events *o = self;
  int rc = ns_event_run_roots(o, t, x, g);
  if (rc || !o->F || !o->F->run.dips.n) return rc;
  return ns_step_roots_apply(&o->F->run.dips, t, g + o->order1.first_root);
}

/* Of mechanics; what first order is has no friction. */
static int outdates(void *self, const double *x0, const double *x)
{
  mixed_events *o = self;
  const ns_family_part *p = &o->mechanics.part;
  double *v0 = o->leaps, *v = v0 + p->model.nv;
  ns_part_take(p->model.nv, p->v, x0 + o->m->nq, v0);
  ns_part_take(p->model.nv, p->v, x + o->m->nq, v);
  return ns_ed_friction_turned(o->L, v0, v);
}

static int inspect(void *self, double from, double to, double *root)
{
  mixed_events *o = self;
  return ns_ed_inspect(o->L, from, to, root);
}

/* Where both parts were evaluated last. */
int ns_mx_point(void *of, const double *x, const double **q, const double **v)
{
  const mixed_events *o = of;
  (void)x;
  *q = o->q;
  *v = o->v;
  return 1;
}

void ns_mx_flow_functions(mixed_events *o)
{
  ns_flow_problem *p = &o->run.problem;
  p->rate = rate;
  p->roots = roots;
  p->inspect = o->L ? inspect : NULL;
  if (o->L && o->mechanics.problem->outdates) p->outdates = outdates;
  if (o->L) {
    o->constraints = (ns_flow_constraints){
        .max = o->L->constraints.max, .hold = hold, .motion = motion};
    p->constraints = &o->constraints;
  }
  p->name = ns_event_run_name;
}

/* ---- what a part takes for its flow ---------------------------------------------------------- */

static int share_create(ns_ctx *c, const ns_flow_problem *p, void **self)
{
  const ns_event_run *r = p->of;
  mixed_share *s = r->host->of;
  (void)c;
  s->problem = p;
  *self = s;
  return NS_OK;
}

static int share_restart(void *self, ns_ctx *c, double t, const double *x,
                         const signed char *direction)
{
  mixed_share *s = self;
  (void)c, (void)t;
  memcpy(s->own, x, s->problem->n * sizeof *x);
  s->direction = direction;
  s->asks = 1;
  return NS_OK;
}

static const int *share_fired(const void *self)
{
  const mixed_share *s = self;
  return s->all->fired + s->first_root;
}

static int share_dense(void *self, ns_ctx *c, double t, int k, double *x)
{
  mixed_share *s = self;
  mixed_events *o = s->all;
  int rc = o->run.ops->dense(o->run.flow, c, t, k, o->sight);
  if (!rc) ns_mx_take(s, o->sight, x);
  if (rc || k) return rc;
  return ns_mx_stand(o, t, o->sight) < 0 ? NS_NUMERIC : NS_OK;
}

static void share_span(const void *self, double *from, double *to)
{
  const mixed_share *s = self;
  s->all->run.ops->span(s->all->run.flow, from, to);
}

static void share_work(const void *self, ns_flow_work *w)
{
  const mixed_share *s = self;
  *w = (ns_flow_work){0};
  if (s->all->run.flow) s->all->run.ops->work(s->all->run.flow, w);
}

static double share_first(const void *self)
{
  const mixed_share *s = self;
  const ns_event_run *r = &s->all->run;
  return r->flow && r->ops->first ? r->ops->first(r->flow) : 0;
}

static int share_keeps(const void *self)
{
  const ns_event_run *r = &((const mixed_share *)self)->all->run;
  return r->ops->keeps && r->ops->keeps(r->flow);
}

/* Of flows that are for mixtures, those of plug-ins alone may have steps of one length. */
static int share_is_fixed(const ns_event_driven_options *e)
{
  return e->plugged && ns_flow_is_fixed(&ns_plugged_flow, e);
}

static void share_destroy(void *self) { (void)self; /* the flow is that of all */ }

const ns_flow_ops ns_mx_share_ops = {.name = "CVodeOSI",
                                     .help = "a part of the flow of all systems",
                                     .create = share_create,
                                     .restart = share_restart,
                                     .fired = share_fired,
                                     .dense = share_dense,
                                     .span = share_span,
                                     .work = share_work,
                                     .destroy = share_destroy,
                                     .memory = &ns_memory_none,
                                     .keeps = share_keeps,
                                     .first = share_first,
                                     .fixed = share_is_fixed,
                                     .inspects = 1};

/* ---- the flow begins anew -------------------------------------------------------------------- */

/* Mechanics begins its share of the flow where it is. */
static int resume_mechanics(mixed_events *o)
{
  const ns_state *x = &o->mechanics.x;
  int rc = ns_ed_rows(o->L, *x->t, x->q, x->v, o->L->gap, o->L->speed);
  return rc ? rc : ns_ed_restart(o->L);
}

static int resume_first_order(mixed_events *o)
{
  int rc = ns_sw_output(o->F);
  return rc ? rc : ns_sw_restart(o->F);
}

/* The flow from the unknowns of both parts. */
int ns_mx_restart(mixed_events *o)
{
  const ns_family_part *p = &o->mechanics.part;
  ns_flow_problem *k = &o->run.problem;
  memset(o->run.unknown, 0, k->n * sizeof *o->run.unknown);
  if (o->L) {
    ns_mx_give(&o->mechanics, o->mechanics.own, o->run.unknown);
    ns_part_give(p->model.nq, p->q, o->L->origin, o->origin);
    memcpy(o->run.direction, o->mechanics.direction, (size_t)o->mechanics.problem->nroots);
    k->longest_first = o->mechanics.problem->longest_first;
    k->begins_stiff = o->mechanics.problem->begins_stiff;
    double finest = o->mechanics.problem->coarsest, max = finest > 0 ? finest : INFINITY;
    ns_mx_give(&o->mechanics, o->L->run.atol, o->run.atol);
    ns_mx_give(&o->mechanics, o->L->run.least, o->run.least);
    for (size_t i = 0; i < p->model.nq; i++) o->run.atol[p->q[i]] = fmin(o->L->run.atol[i], max);
  }
  if (o->F) {
    ns_mx_give(&o->order1, o->order1.own, o->run.unknown);
    ns_mx_give(&o->order1, o->F->run.atol, o->run.atol);
    memcpy(o->run.direction + o->order1.first_root, o->order1.direction,
           (size_t)o->order1.problem->nroots);
  }
  o->mechanics.asks = o->order1.asks = 0;
  return ns_event_run_restart(&o->run);
}

/* Both parts have done what they do: the flow goes on from there. */
int ns_mx_begin_flow(void *of)
{
  mixed_events *o = of;
  int rc = NS_OK;
  if (o->L && !o->mechanics.asks) rc = resume_mechanics(o);
  if (!rc && o->F && !o->order1.asks) rc = resume_first_order(o);
  return rc ? rc : ns_mx_restart(o);
}
