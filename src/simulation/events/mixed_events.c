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

static void destroy_share(mixed_share *s, const ns_strategy_ops *ops)
{
  if (s->run) ops->destroy(s->run);
  ns_state_fini(&s->x);
  ns_family_part_destroy(&s->part);
}

static void destroy(void *self)
{
  mixed_events *o = self;
  if (!o) return;
  ns_event_run_fini(&o->run);
  ns_hybrid_scheme_fini(&o->scheme);
  destroy_share(&o->mechanics, &ns_event_driven);
  destroy_share(&o->order1, &ns_switching);
  ns_arena_destroy(o->mem);
  free(o);
}

typedef int create_engine(ns_ctx *c, const ns_model *m, ns_state *x, const ns_event_host *host,
                          ns_plan *plan, void **self);

/* The engine of a part, where the model has such systems; its plan is forgotten. */
static int create_share(mixed_events *o, ns_ctx *c, int first_order, create_engine *make,
                        mixed_share *s, void **engine)
{
  ns_plan plan;
  s->all = o;
  s->host = ns_mx_host(s);
  int rc = ns_family_part_create(c, o->m, first_order, &s->part);
  if (rc || s->part.model.nsystems == 0) return rc;
  s->host.row = s->part.row;
  rc = ns_state_create(c, &s->part.model, &s->x);
  if (!rc) rc = make(c, &s->part.model, &s->x, &s->host, &plan, engine);
  s->run = *engine;
  if (rc) return rc;
  s->own = ns_arena_zero(o->mem, s->problem->n + 1, sizeof *s->own);
  s->rate = ns_arena_zero(o->mem, s->problem->n + 1, sizeof *s->rate);
  return s->own && s->rate ? NS_OK : ns_nomem(c, "event-driven simulation");
}

/* Where formulas of the parts read others. */
static int get_places(mixed_events *o, ns_ctx *c)
{
  size_t nq = o->m->nq, nv = o->m->nv, d = sizeof(double);
  o->q = ns_arena_zero(o->mem, nq + 1, d);
  o->v = ns_arena_zero(o->mem, nv + 1, d);
  o->ydot = ns_arena_zero(o->mem, o->m->nrows + 1, d);
  o->at.q = ns_arena_zero(o->mem, nq + 1, d);
  o->at.v = ns_arena_zero(o->mem, nv + 1, d);
  o->at.a = ns_arena_zero(o->mem, nv + 1, d);
  o->at.later = ns_arena_zero(o->mem, nq + 1, d);
  o->at.mean = ns_arena_zero(o->mem, nv + 1, d);
  o->before = ns_arena_zero(o->mem, o->x->bytes, 1);
  const mixed_anchor *k = &o->at;
  int anchored = k->q && k->v && k->a && k->later && k->mean;
  o->zero = ns_arena_zero(o->mem, nv + 1, d);
  o->scattered = ns_arena_zero(o->mem, nv + 1, d);
  o->leaps = ns_arena_zero(o->mem, 2 * nv + 1, d);
  if (!o->q || !o->v || !o->ydot || !anchored || !o->before || !o->zero || !o->scattered ||
      !o->leaps)
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
    o->push = ns_arena_zero(o->mem, o->m->nv + 1, sizeof *o->push);
    o->pushed = ns_arena_zero(o->mem, o->m->nv + 1, sizeof *o->pushed);
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
  if (o->m->gaps && !(o->part_now = ns_arena_zero(o->mem, x->bytes, 1)))
    return ns_nomem(c, "event-driven simulation");
  return NS_OK;
}

static int get_trial(mixed_events *o)
{
  const ns_model *m = o->m;
  ns_state *x = &o->trial;
  *x = *o->x;
  x->t = &o->trial_t;
  double **own[] = {&x->q, &x->v, &x->p, &x->y, &x->ydot, &x->lambda, &x->observable};
  const size_t rows = m->nrows;
  const size_t length[] = {m->nq, m->nv, m->nv, rows, rows, rows, (size_t)m->nobservables};
  for (size_t k = 0; k < sizeof own / sizeof *own; k++)
    if (!(*own[k] = ns_arena_zero(o->mem, length[k] + 1, sizeof(double)))) return NS_NOMEM;
  return NS_OK;
}

/* Unknowns and roots of all from those of the parts. */
static void lay_out(mixed_events *o)
{
  ns_flow_problem *p = &o->problem;
  mixed_share *const part[] = {&o->mechanics, &o->order1};
  p->n = o->m->nq + o->m->nv;
  for (int k = 0; k < 2; k++) {
    mixed_share *s = part[k];
    s->rest = p->n;
    s->first_root = p->nroots;
    if (!s->run) continue;
    p->n += s->problem->n - ns_mx_own_rest(s);
    p->nroots += s->problem->nroots;
  }
  o->nparts = p->nroots;
  o->run.nuser = ns_event_run_conditions(o->m);
  p->nroots += o->run.nuser;
}

static int get_vectors(mixed_events *o)
{
  const ns_flow_problem *p = &o->problem;
  size_t d = sizeof(double), nuser = (size_t)o->m->nuser_events;
  o->unknown = ns_arena_zero(o->mem, p->n + 1, d);
  o->atol = ns_arena_zero(o->mem, p->n + 1, d);
  o->origin = ns_arena_zero(o->mem, o->m->nq + 1, d);
  o->sight = ns_arena_zero(o->mem, p->n + 1, d);
  o->kept = ns_arena_zero(o->mem, p->n + 1, d);
  o->direction = ns_arena_zero(o->mem, (size_t)p->nroots + 1, 1);
  o->fired = ns_arena_zero(o->mem, (size_t)o->nparts + 1, sizeof *o->fired);
  o->run.user_fired = ns_arena_zero(o->mem, nuser + 1, 1);
  if (!o->unknown || !o->atol || !o->origin || !o->sight || !o->kept) return NS_NOMEM;
  if (!o->direction || !o->fired || !o->run.user_fired) return NS_NOMEM;
  o->within = ns_arena_zero(o->mem, p->n + 1, d);
  o->within_roots = ns_arena_zero(o->mem, (size_t)p->nroots + 1, d);
  unsigned char *bends = ns_arena_zero(o->mem, nuser + 1, 1);
  if (!bends || !o->within || !o->within_roots) return NS_NOMEM;
  if (ns_event_run_bends(o->m, bends)) return NS_NOMEM;
  o->dips = (ns_step_roots){.of = o,
                            .look = ns_mx_look_within,
                            .bends = bends,
                            .n = o->run.nuser,
                            .widest = o->m->sim.ts.h};
  if (ns_step_roots_init(&o->dips, o->mem)) return NS_NOMEM;
  for (size_t i = 0; i < p->n; i++) o->atol[i] = NS_FLOW_FREE;
  if (o->L) ns_mx_give(&o->mechanics, o->L->atol, o->atol);
  if (o->F) ns_mx_give(&o->order1, o->F->atol, o->atol);
  o->run.unknown = o->unknown;
  return get_trial(o);
}

static int show_at(void *of, double t)
{
  ns_mx_family.come(of, t);
  return ns_mx_output(of);
}

static int get_flow(mixed_events *o, ns_ctx *c)
{
  const ns_model *m = o->m;
  double latest = fmax(fabs(m->sim.t0), fabs(m->sim.T));
  o->problem = (ns_flow_problem){.options = &m->sim.ed,
                                 .grid = m->sim.ts.h,
                                 .min_step = DBL_EPSILON / 4 * latest,
                                 .ncoord = m->nq,
                                 .curved = ns_mechanics_any_curved(m),
                                 .each_step = ns_measures_of_motion(m) || m->nangles};
  ns_mx_flow_functions(o);
  lay_out(o);
  int rc = ns_event_stride(c, m, &o->problem.stride);
  if (rc) return rc;
  if (get_vectors(o)) return ns_nomem(c, "event-driven simulation");
  o->problem.atol = o->atol;
  o->problem.origin = o->origin;
  if (!o->L) o->problem.first_step = 1e-7 * m->sim.ts.h;
  return ns_event_run_flow(&o->run, c, &o->problem, o->mem, show_at);
}

static int fill(mixed_events *o, ns_ctx *c)
{
  void *L = NULL, *F = NULL;
  int rc = (o->mem = ns_arena_create(0, 1)) ? NS_OK : ns_nomem(c, "event-driven simulation");
  if (!rc) rc = get_places(o, c);
  if (!rc) rc = ns_event_run_init(&o->run, c);
  if (!rc) rc = get_push(o, c);
  if (!rc) rc = create_share(o, c, 0, ns_ed_create, &o->mechanics, &L);
  o->L = L;
  size_t rates = L ? o->mechanics.problem->n : 0;
  if (!rc && !(o->trial_rate = ns_arena_zero(o->mem, rates + 1, sizeof(double))))
    rc = ns_nomem(c, "event-driven simulation");
  if (!rc) rc = place_start(o, c);
  if (!rc) rc = create_share(o, c, 1, ns_sw_create, &o->order1, &F);
  o->F = F;
  if (!rc) rc = get_flow(o, c);
  if (!rc) rc = ns_mx_scheme_create(o, c);
  return rc ? rc : ns_mx_certificate_create(o, c);
}

static void describe(const mixed_events *o, ns_plan *plan)
{
  const ns_model *m = o->m;
  *plan = (ns_plan){
      .strategy = ns_mixed_events.name,
      .integrator = o->run.ops->name,
      .problem = m->nrows ? "modes" : "none",
      .solver = m->sim.osnsp.solver,
      .solver_note = m->nrows ? "modes of contacts by their problem, of first order by search"
                              : "no interaction: nothing to solve",
      .storage = m->nrows ? "dense" : "none",
      .rows = (int)m->nrows,
      .nnz = m->nrows * m->nrows,
      .systems_nonlinear = m->nsystems,
      .state_bytes = o->x->bytes,
      .work_bytes = ns_arena_used(o->mem)};
}

static int create(ns_ctx *c, const ns_model *m, ns_state *x, ns_plan *plan, void **self)
{
  mixed_events *o = *self = calloc(1, sizeof *o);
  if (!o) return ns_nomem(c, "event-driven simulation");
  o->m = m;
  o->x = x;
  o->run = (ns_event_run){.family = &ns_mx_family, .m = m, .x = x, .c = c, .sampled = -INFINITY};
  int rc = fill(o, c);
  if (rc) {
    destroy(o);
    *self = NULL;
    return rc;
  }
  describe(o, plan);
  return NS_OK;
}

/* ---- the run --------------------------------------------------------------------------------- */

static int start(void *self, ns_ctx *c)
{
  mixed_events *o = self;
  int rc = NS_OK;
  o->run.c = c;
  o->run.rec = NULL;
  ns_mx_hand_out(o);
  if (o->F) ns_mx_place_first_order(o, o->order1.x.q);
  if (o->L) rc = ns_event_driven.start(o->L, c);
  ns_mx_anchor_state(o);
  if (!rc && o->F) rc = ns_switching.start(o->F, c);
  if (!rc && o->F && o->L && (o->F->jump.made || o->push)) {
    ns_mx_place_first_order(o, o->order1.x.q);
    ns_mx_from_images(o);
    rc = ns_event_driven.start(o->L, c);
    ns_mx_anchor_state(o);
  }
  if (!rc) rc = ns_mx_begin_flow(o);
  if (!rc) rc = ns_mx_output(o);
  memset(o->x->impulse, 0, o->m->nrows * sizeof *o->x->impulse);
  if (!rc) ns_event_run_anchor(&o->run);
  return rc;
}

static void report(void *self) { (void)self; /* all is up to date */ }

static int changed(void *self, ns_ctx *c)
{
  mixed_events *o = self;
  o->run.c = c;
  return ns_mx_changed(o);
}

static const ns_contact_record *contacts(const void *self, size_t *n)
{
  const mixed_events *o = self;
  *n = 0;
  return o->L ? ns_event_driven.contacts(o->L, n) : NULL;
}

static int watch(void *self, ns_ctx *c, const ns_watch *w)
{
  mixed_events *o = self;
  return o->L ? ns_event_driven.watch(o->L, c, w) : NS_OK;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

static int savable(const void *self)
{
  const mixed_events *o = self;
  return o->run.ops->memory && ns_hybrid_scheme_savable(&o->scheme) &&
         (!o->L || ns_event_driven.savable(o->L));
}

static void save_share(const mixed_share *s, const ns_strategy_ops *ops, ns_blob *b)
{
  if (!s->run) return;
  ns_blob_put(b, s->x.block, s->x.bytes);
  ops->memory->save(s->run, b);
}

static void save(const void *self, ns_blob *b)
{
  const mixed_events *o = self;
  save_share(&o->mechanics, &ns_event_driven, b);
  save_share(&o->order1, &ns_switching, b);
  if (o->push) ns_blob_put_reals(b, o->pushed, o->m->nv);
  if (o->scheme.ops) o->scheme.ops->memory->save(o->scheme.self, b);
  ns_event_run_save(&o->run, b);
}

static void restore_share(mixed_share *s, const ns_strategy_ops *ops, ns_blob *b)
{
  if (!s->run) return;
  ns_blob_get(b, s->x.block, s->x.bytes);
  ops->memory->restore(s->run, b);
}

static void restore(void *self, ns_blob *b)
{
  mixed_events *o = self;
  ns_ctx quiet = {0};
  o->run.c = &quiet;
  if (o->L) o->mechanics.run->c = &quiet;
  restore_share(&o->mechanics, &ns_event_driven, b);
  if (o->F) o->order1.run->c = &quiet;
  restore_share(&o->order1, &ns_switching, b);
  if (o->push) ns_blob_get_reals(b, o->pushed, o->m->nv);
  if (o->scheme.ops) o->scheme.ops->memory->restore(o->scheme.self, b);
  ns_event_run_restore(&o->run, b);
  ns_mx_synchronise(o);
  if (!b->failed && ns_mx_restart(o)) b->failed = NS_NOINPUT;
  o->run.c = NULL;
  ns_mx_synchronise(o);
}

static const ns_memory memory = {.save = save, .restore = restore};

const ns_strategy_ops ns_mixed_events = {
    .name = "EventDriven",
    .help = "smooth motion between events, which are located as roots; systems of several kinds",
    .create = create,
    .start = start,
    .step = ns_event_run_step,
    .report = report,
    .destroy = destroy,
    .family = NS_FAMILY_MIXED,
    .changed = changed,
    .watch = watch,
    .contacts = contacts,
    .user_events = ns_event_run_own,
    .memory = &memory,
    .savable = savable,
    .anchored = ns_event_run_anchored};
