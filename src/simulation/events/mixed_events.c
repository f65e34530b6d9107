/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/mixed_events.h"

#include "model/measure.h"
#include "model/systems/mechanics.h"
#include "simulation/events/event_driven.h"
#include "simulation/events/mixed_events_parts.h"
#include "simulation/events/switching.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation -------------------------------------------------------------------------------- */

static void destroy_share(mixed_share *s)
{
  ns_event_run_destroy(s->run);
  ns_state_fini(&s->x);
  ns_family_part_destroy(&s->part);
}

static void fini(void *of)
{
  mixed_events *o = of;
  ns_hybrid_scheme_fini(&o->scheme);
  destroy_share(&o->mechanics);
  destroy_share(&o->order1);
}

/* The engine of a part, where the model has such systems. */
static int create_share(mixed_events *o, ns_ctx *c, int first_order, const ns_event_family *family,
                        mixed_share *s, void **engine)
{
  s->all = o;
  s->host = ns_mx_host(s);
  int rc = ns_family_part_create(c, o->m, first_order, &s->part);
  if (rc || s->part.model.nsystems == 0) return rc;
  s->host.row = s->part.row;
  s->host.interaction = s->part.interaction;
  rc = ns_state_create(c, &s->part.model, &s->x);
  if (!rc) rc = ns_event_run_create(c, family, &s->part.model, &s->x, &s->host, engine);
  s->run = *engine;
  if (rc) return rc;
  o->share[o->nshares++] = s;
  s->own = ns_arena_zero(o->run.mem, s->problem->n + 1, sizeof *s->own);
  s->rate = ns_arena_zero(o->run.mem, s->problem->n + 1, sizeof *s->rate);
  return s->own && s->rate ? NS_OK : ns_nomem(c, "event-driven simulation");
}

/* Where formulas of the parts read others. */
static int get_places(mixed_events *o, ns_ctx *c)
{
  size_t nq = o->m->nq, nv = o->m->nv, d = sizeof(double);
  const ns_array want[] = {
      {&o->q, nq, d},    {&o->v, nv, d},         {&o->ydot, o->m->nrows, d}, {&o->at.q, nq, d},
      {&o->at.v, nv, d}, {&o->at.a, nv, d},      {&o->at.later, nq, d},      {&o->at.mean, nv, d},
      {&o->zero, nv, d}, {&o->scattered, nv, d}, {&o->leaps, 2 * nv, d}};
  if (ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want))
    return ns_nomem(c, "event-driven simulation");
  memcpy(o->q, o->x->q, nq * d);
  memcpy(o->v, o->x->v, nv * d);
  o->at.t = *o->x->t;
  return NS_OK;
}

/* Rows of first order act on mechanics: the part tells. */
static int get_push(mixed_events *o, ns_ctx *c)
{
  ns_family_part p;
  int rc = ns_family_part_create(c, o->m, 1, &p);
  if (rc) return rc;
  if (p.nimages) {
    o->push = ns_arena_zero(o->run.mem, o->m->nv + 1, sizeof *o->push);
    o->pushed = ns_arena_zero(o->run.mem, o->m->nv + 1, sizeof *o->pushed);
    if (!o->push || !o->pushed) rc = ns_nomem(c, "event-driven simulation");
  }
  ns_family_part_destroy(&p);
  return rc;
}

/* Mechanics where it begins, at rest until it is known how it moves. */
static int place_start(mixed_events *o, ns_ctx *c)
{
  const ns_state *x = &o->mechanics.x;
  if (!o->L) return NS_OK;
  memcpy(o->at.q, x->q, o->mechanics.part.model.nq * sizeof *x->q);
  if (o->m->gaps && !(o->part_now = ns_arena_zero(o->run.mem, x->bytes, 1)))
    return ns_nomem(c, "event-driven simulation");
  return NS_OK;
}

/* Unknowns and roots of all from those of the parts. */
static void lay_out(mixed_events *o)
{
  ns_flow_problem *p = &o->run.problem;
  for (int k = 0; k < o->nshares; k++) {
    mixed_share *s = o->share[k];
    s->rest = p->n;
    s->first_root = p->nroots;
    p->n += s->problem->n - ns_mx_own_rest(s);
    p->nroots += s->problem->nroots;
  }
  o->nparts = p->nroots;
  o->run.first_user = o->run.first_within = p->nroots;
  p->nroots += o->run.nuser;
}

static int get_vectors(mixed_events *o)
{
  const ns_flow_problem *p = &o->run.problem;
  size_t d = sizeof(double);
  const ns_array want[] = {{&o->origin, o->m->nq, d},
                           {&o->sight, p->n, d},
                           {&o->kept, p->n, d},
                           {&o->fired, (size_t)o->nparts, sizeof *o->fired}};
  if (ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want) || ns_event_run_look(&o->run))
    return NS_NOMEM;
  for (size_t i = 0; i < p->n; i++) o->run.atol[i] = NS_FLOW_FREE;
  if (o->L) ns_mx_give(&o->mechanics, o->L->run.atol, o->run.atol);
  if (o->L) memcpy(o->run.passing, o->L->run.passing, (size_t)o->mechanics.problem->nroots);
  if (o->F) ns_mx_give(&o->order1, o->F->run.atol, o->run.atol);
  return NS_OK;
}

static void come(void *of, double t)
{
  mixed_events *o = of;
  *o->x->t = t;
  for (int k = 0; k < o->nshares; k++) {
    const mixed_share *s = o->share[k];
    ns_mx_take(s, o->run.unknown, s->run->unknown);
    s->run->family->come(s->run, t);
    ns_mx_give_motion(s);
  }
  size_t angles = ns_model_joint_angles(o->m);
  if (o->L) memcpy(o->x->angle, o->mechanics.x.angle, angles * sizeof *o->x->angle);
}

static int get_flow(mixed_events *o, ns_ctx *c)
{
  const ns_model *m = o->m;
  int rc = ns_event_run_problem(&o->run, c,
                                (ns_flow_problem){.n = m->nq + m->nv,
                                                  .options = &m->sim.ed,
                                                  .ncoord = m->nq,
                                                  .curved = ns_mechanics_any_curved(m)});
  if (rc) return rc;
  ns_mx_flow_functions(o);
  lay_out(o);
  if (get_vectors(o)) return ns_nomem(c, "event-driven simulation");
  o->run.problem.origin = o->origin;
  if (!o->L) o->run.problem.first_step = 1e-7 * m->sim.ts.h;
  return ns_event_run_flow(&o->run, c);
}

static int fill(void *of, ns_ctx *c)
{
  mixed_events *o = of;
  void *L = NULL, *F = NULL;
  o->m = o->run.m;
  o->x = o->run.x;
  int rc = get_places(o, c);
  if (!rc) rc = ns_event_run_init(&o->run, c);
  if (!rc) rc = get_push(o, c);
  if (!rc) rc = create_share(o, c, 0, &ns_mechanics_events, &o->mechanics, &L);
  o->L = L;
  size_t rates = L ? o->mechanics.problem->n : 0;
  if (!rc && !(o->trial_rate = ns_arena_zero(o->run.mem, rates + 1, sizeof(double))))
    rc = ns_nomem(c, "event-driven simulation");
  if (!rc) rc = place_start(o, c);
  if (!rc) rc = create_share(o, c, 1, &ns_switching, &o->order1, &F);
  o->F = F;
  if (!rc) rc = get_flow(o, c);
  if (!rc) rc = ns_mx_scheme_create(o, c);
  return rc ? rc : ns_mx_certificate_create(o, c);
}

static void describe(const void *of, ns_plan *plan)
{
  const ns_model *m = ((const mixed_events *)of)->m;
  *plan = (ns_plan){
      .problem = m->nrows ? "modes" : "none",
      .solver = m->sim.osnsp.solver,
      .solver_note = m->nrows ? "modes of contacts by their problem, of first order by search"
                              : "no interaction: nothing to solve",
      .storage = m->nrows ? "dense" : "none",
      .rows = (int)m->nrows,
      .nnz = m->nrows * m->nrows,
      .systems_nonlinear = m->nsystems,
      .state_bytes = ((const mixed_events *)of)->x->bytes};
}

/* ---- the run --------------------------------------------------------------------------------- */

static int start(void *of)
{
  mixed_events *o = of;
  int rc = NS_OK;
  ns_mx_hand_out(o);
  if (o->F) ns_mx_place_first_order(o, o->order1.x.q);
  if (o->L) rc = ns_mechanics_events.start(o->L);
  ns_mx_anchor_state(o);
  if (!rc && o->F) rc = ns_switching.start(o->F);
  if (!rc && o->F && o->L && (o->F->jump.made || o->push)) {
    ns_mx_place_first_order(o, o->order1.x.q);
    ns_mx_from_images(o);
    rc = ns_mechanics_events.start(o->L);
    ns_mx_anchor_state(o);
  }
  if (!rc) rc = ns_mx_begin_flow(o);
  if (!rc) rc = ns_mx_output(o);
  ns_mx_over(o);
  return rc;
}

static int watch(void *of, ns_ctx *c, const ns_watch *w)
{
  mixed_events *o = of;
  return o->L ? ns_mechanics_events.watch(o->L, c, w) : NS_OK;
}

/* Forces or inputs are others at the state: both parts look at it. */
static int reconsider(mixed_events *o, int rc)
{
  int mechanics = o->L && o->L->begun;
  if (!rc) rc = ns_mx_settle(o, mechanics, 1);
  return ns_event_run_close(&o->run, rc);
}

static int begin(void *of)
{
  mixed_events *o = of;
  int rc = NS_OK;
  ns_mx_synchronise(o);
  for (int k = 0; k < o->nshares && !rc; k++) {
    ns_event_run *run = o->share[k]->run;
    run->events = 0; /* of this step */
    rc = run->family->begin(run);
  }
  if (*o->x->step == 0) ns_event_run_anchor(&o->run); /* measures have begun since the start */
  return rc;
}

/* The event at t0. */
static int ready(void *of)
{
  mixed_events *o = of;
  if (!o->L || o->L->begun) return NS_OK;
  int rc = ns_event_run_open(&o->run);
  if (!rc) rc = ns_mx_settle(o, 1, 1);
  return ns_event_run_close(&o->run, rc);
}

static int sampling(void *of)
{
  mixed_events *o = of;
  int rc = ns_mx_certify(o, 1);
  if (rc || !o->L) return rc;
  ns_mx_hand_out(o);
  return ns_ed_sampling(o->L);
}

/* Offsets with user vectors are others. */
static int renew(mixed_events *o)
{
  ns_state *x = &o->mechanics.x;
  ns_mx_hand_out(o);
  if (!o->L) return NS_OK;
  return ns_contacts_positions(o->L->s.k, o->run.c, x, x->q, x->v, o->L->gap);
}

static int stretch(void *of, double t1, double due, double *end, ns_stretch *how)
{
  mixed_events *o = of;
  if (o->L) o->L->at_root = 0;
  return ns_mx_steps(o) ? ns_ed_hybrid_stretch(o->L, &o->run, t1, due, end, how) : NS_OK;
}

/* Steps have all of it already. */
static int output(void *of)
{
  mixed_events *o = of;
  if (!ns_mx_steps(o)) return ns_mx_output(o);
  ns_mx_collect_sums(o);
  return NS_OK;
}

static int lives(void *of)
{
  mixed_events *o = of;
  return o->L ? ns_ed_life_turn(o->L) : NS_OK;
}

/* Mechanics looks at what was set, then first order; both at what the other makes of it. */
static int take_in(mixed_events *o, int rc)
{
  int mechanics = 0;
  o->run.bare = 1;
  if (!rc && o->L) rc = ns_ed_changed(o->L);
  ns_mx_anchor_state(o);
  if (!rc && o->F) rc = ns_mx_decide_first_order(o, &mechanics);
  if (!rc) rc = ns_mx_settle(o, mechanics && o->L, 0);
  return ns_event_run_close(&o->run, rc);
}

/* The state was set from outside; what mechanics makes of it counts as work of forces. The event
 * begins with the state as it was set, whose energies mechanics has from then on. */
static int changed(void *of)
{
  mixed_events *o = of;
  ns_certificate *k = o->mechanics.x.cert;
  double before = o->L ? k->kinetic + k->potential : 0;
  int rc = renew(o);
  if (!rc && ns_mx_steps(o)) return ns_mx_steps_from(o); /* a memory of what they have met */
  if (!rc) rc = ns_event_run_open(&o->run);
  if (!rc && o->L) k->work_force += k->kinetic + k->potential - before;
  return take_in(o, rc);
}

static int sampled(void *of)
{
  mixed_events *o = of;
  int moved = 0, rc = NS_OK;
  ns_mx_hand_out(o);
  if (o->L) rc = ns_ed_sampled(o->L, &moved);
  if (!rc && ns_mx_steps(o)) return ns_mx_steps_from(o);
  if (!rc) rc = ns_event_run_open(&o->run);
  return moved ? take_in(o, rc) : reconsider(o, rc);
}

static int laws_at_row(mixed_events *o)
{
  int rc = o->L ? ns_ed_certify_row(o->L) : NS_OK;
  return rc || !o->F ? rc : ns_sw_certify_row(o->F);
}

/* Onto the constraints that the flow keeps, of which dense output knows to tolerance. */
static int polish(mixed_events *o)
{
  int rc = o->L ? ns_ed_polish(o->L) : NS_OK;
  return rc || !o->mechanics.asks ? rc : ns_mx_begin_flow(o);
}

/* A row of the grid; an impact at T, whose root is rounding beyond it; a law that a formula of time
 * has broken. */
static int show(void *of, double t1)
{
  mixed_events *o = of;
  if (ns_mx_steps(o)) { /* which has all of it already */
    ns_mx_collect_sums(o);
    return NS_OK;
  }
  int last = t1 >= o->m->sim.T, rc = ns_mx_certify(o, last);
  if (!rc) rc = polish(o);
  if (!rc) rc = ns_mx_output(o);
  int strikes = !rc && last && o->L && ns_ed_impact_at_end(o->L);
  int broken = !rc && o->F && ns_sw_broken(o->F) >= 0;
  if (strikes || broken) {
    rc = ns_event_run_open(&o->run);
    if (!rc) rc = ns_mx_settle(o, strikes, broken);
    rc = ns_event_run_close(&o->run, rc);
    if (!rc) rc = ns_mx_output(o);
  }
  return rc ? rc : laws_at_row(o);
}

static int mend(void *of)
{
  mixed_events *o = of;
  int rc = o->F && !ns_mx_steps(o) ? ns_sw_correct_drift(o->F) : NS_OK;
  if (rc || !o->order1.asks) return rc;
  ns_mx_place_first_order(o, o->order1.x.q);
  ns_mx_from_images(o);
  rc = ns_mx_begin_flow(o);
  if (!rc) ns_mx_collect(o);
  if (!rc) ns_event_run_anchor(&o->run);
  return rc;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

static int savable(const void *of)
{
  const mixed_events *o = of;
  return ns_hybrid_scheme_savable(&o->scheme) && (!o->L || ns_event_run_savable(o->L));
}

static void save(const void *of, ns_blob *b)
{
  const mixed_events *o = of;
  for (int k = 0; k < o->nshares; k++) {
    ns_blob_put(b, o->share[k]->x.block, o->share[k]->x.bytes);
    ns_event_run_save(o->share[k]->run, b);
  }
  if (o->push) ns_blob_put_reals(b, o->pushed, o->m->nv);
  if (o->scheme.ops) o->scheme.ops->save(o->scheme.self, b);
}

static void restore(void *of, ns_blob *b)
{
  mixed_events *o = of;
  for (int k = 0; k < o->nshares; k++) {
    ns_blob_get(b, o->share[k]->x.block, o->share[k]->x.bytes);
    ns_event_run_restore(o->share[k]->run, b);
  }
  if (o->push) ns_blob_get_reals(b, o->pushed, o->m->nv);
  if (o->scheme.ops) o->scheme.ops->restore(o->scheme.self, b);
}

static int resume(void *of)
{
  mixed_events *o = of;
  ns_mx_synchronise(o);
  return ns_mx_restart(o);
}

const ns_event_family ns_mixed_events = {.size = sizeof(mixed_events),
                                         .fill = fill,
                                         .fini = fini,
                                         .describe = describe,
                                         .start = start,
                                         .watch = watch,
                                         .savable = savable,
                                         .save = save,
                                         .restore = restore,
                                         .resume = resume,
                                         .begin = begin,
                                         .ready = ready,
                                         .sampling = sampling,
                                         .sampled = sampled,
                                         .stretch = stretch,
                                         .roots = ns_mx_roots,
                                         .point = ns_mx_point,
                                         .come = come,
                                         .root = ns_mx_root,
                                         .lives = lives,
                                         .certify = ns_mx_certify,
                                         .forces = ns_mx_forces,
                                         .sized = ns_mx_sized,
                                         .go_on = ns_mx_begin_flow,
                                         .decided = ns_mx_decided,
                                         .over = ns_mx_over,
                                         .output = output,
                                         .contacts = ns_mx_contacts,
                                         .changed = changed,
                                         .show = show,
                                         .mend = mend};
