/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/vector.h"
#include "simulation/events/branches_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TOGETHER = 256 }; /* switches that slide or are decided at one instant */

/* ---- views ----------------------------------------------------------------------------------- */

/* Views of the copy z with branches in block [3 n]; scratch in mem. */
static int view_init(ns_branch_view *w, const ns_frozen *z, double *block, const double *user,
                     ns_arena *mem)
{
  size_t n = z->nswitches, outputs = n;
  for (int i = 0; i < z->nowners; i++) {
    size_t own = (size_t)ns_tape_outputs(z->owner[i].of->slope);
    outputs = own > outputs ? own : outputs;
  }
  *w = (ns_branch_view){.z = z,
                        .value = block,
                        .side = block + n,
                        .due = block + 2 * n,
                        .user = user,
                        .T = z->model.sim.T};
  const ns_array want[] = {{&w->bank, z->bank, sizeof *w->bank},
                           {&w->work, z->work, sizeof *w->work},
                           {&w->out, 3 * (outputs + 1), sizeof *w->out},
                           {&w->owner, n, sizeof *w->owner},
                           {&w->lost, n, sizeof *w->lost}};
  if (ns_arena_arrays(mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  ns_fill(n, INFINITY, w->lost);
  w->low = w->out + outputs + 1;
  w->high = w->low + outputs + 1;
  for (int i = 0; i < z->nowners; i++)
    for (int k = 0; k < z->owner[i].of->n; k++) w->owner[z->owner[i].first + (size_t)k] = i;
  return NS_OK;
}

/* Branch of a switch by the value of its sigma. */
static void by_value(ns_branch_view *w, size_t k, double sigma)
{
  if (isnan(sigma)) return;
  w->value[k] = ns_branch_switch(w, k)->kind == NS_SWITCH_STAIRS ? floor(sigma) : sigma > 0;
  w->side[k] = w->value[k] > 0 ? NS_BRANCH_UPPER : NS_BRANCH_LOWER;
}

/* ---- before there is a state ----------------------------------------------------------------- */

typedef struct start {
  ns_arena *mem;
  double *q, *v, *z;
} start;

static int begin(const ns_model *m, start *s)
{
  const ns_array want[] = {
      {&s->q, m->nq, sizeof *s->q}, {&s->v, m->nv, sizeof *s->v}, {&s->z, m->nz, sizeof *s->z}};
  if (ns_arena_arrays(s->mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  ns_state_initial(m, s->q, s->v, s->z);
  return NS_OK;
}

/* Branches at t0: sigma of some may read branches of others. */
static int prepare(ns_branch_view *w, ns_ctx *c, const start *s, double t0)
{
  for (int pass = 0; pass < 3; pass++) {
    ns_branch_settle(w, t0, pass == 0);
    for (int i = 0; i < w->z->nowners; i++) {
      const ns_frozen_owner *o = &w->z->owner[i];
      ns_branch_sigma(w, o, t0, s->q, s->v);
      for (int k = 0; k < o->of->n; k++)
        if (!o->of->item[k].known) by_value(w, o->first + (size_t)k, w->out[k]);
    }
  }
  ns_branch_schedule(w, t0, 1);
  int rc = ns_branch_listed(w, c, t0);
  /* what is due at t0 has happened */
  for (int pass = 0; pass < 4 && !rc; pass++) ns_branch_turn(w, t0);
  return rc;
}

int ns_branches_prepare(ns_ctx *c, ns_frozen *z)
{
  start s = {.mem = ns_arena_create(0, 1)};
  ns_branch_view w;
  int rc = s.mem && !begin(&z->model, &s) && !view_init(&w, z, z->none, s.z, s.mem)
               ? NS_OK
               : ns_nomem(c, "branches of formulas");
  if (!rc) rc = prepare(&w, c, &s, z->model.sim.t0);
  ns_arena_destroy(s.mem);
  return rc;
}

static double earliest(const ns_branch_view *w, size_t *who)
{
  double first = INFINITY;
  for (size_t k = 0; k < w->z->nswitches; k++)
    if (w->due[k] < first) {
      first = w->due[k];
      *who = k;
    }
  return first;
}

int ns_branches_times(ns_ctx *c, const ns_frozen *z, int (*visit)(void *to, double t, int k),
                      void *to)
{
  size_t n = z->nswitches, k = 0;
  start s = {.mem = ns_arena_create(0, 1)};
  double *block = s.mem ? ns_arena_zero(s.mem, 3 * n + 1, sizeof *block) : NULL;
  ns_branch_view w;
  int rc = block && !begin(&z->model, &s) && !view_init(&w, z, block, s.z, s.mem)
               ? NS_OK
               : ns_nomem(c, "branches of formulas");
  if (!rc) {
    rc = prepare(&w, c, &s, z->model.sim.t0);
    for (double t; !rc && (t = earliest(&w, &k)) <= w.T;) {
      rc = ns_branch_listed(&w, c, t);
      if (!rc) rc = visit(to, t, (int)k);
      ns_branch_turn(&w, t);
    }
  }
  ns_arena_destroy(s.mem);
  return rc;
}

/* ---- creation -------------------------------------------------------------------------------- */

static int get_memory(ns_branches *b)
{
  size_t n = b->n, many = (size_t)b->many, d = sizeof(double), users = (size_t)b->m->nuser_events;
  const ns_array want[] = {{&b->state, n, sizeof(int)},
                           {&b->pending, n, 1},
                           {&b->unsided, n, 1},
                           {&b->leaves, n, 1},
                           {&b->base, n, d},
                           {&b->below, n, d},
                           {&b->sigma, n, d},
                           {&b->slope, n, d},
                           {&b->size, n, d},
                           {&b->was, n, d},
                           {&b->was_side, n, d},
                           {&b->before, n, d},
                           {&b->kept, n, d},
                           {&b->aside, n, d},
                           {&b->slides, n, sizeof(int)},
                           {&b->J, many * many, d},
                           {&b->s0, many, d},
                           {&b->alpha, many, d},
                           {&b->set, many, sizeof(int)},
                           {&b->margin, 2 * users, d},
                           {&b->seen, b->m->nz, d},
                           {&b->fired, users, 1}};
  if (ns_arena_arrays(b->mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  int rc = view_init(&b->w, b->m->frozen, b->x->branch, b->x->z, b->mem);
  b->w.angle = b->x->angle;
  return rc;
}

static int count_of_state(const ns_frozen *z)
{
  int n = 0;
  for (int i = 0; i < z->nowners; i++)
    for (int k = 0; k < z->owner[i].of->n; k++) n += !z->owner[i].of->item[k].known;
  return n;
}

int ns_branches_create(ns_ctx *c, const ns_model *m, ns_state *x, ns_branches **out)
{
  *out = NULL;
  if (!m->frozen) return NS_OK;
  ns_branches *b = NS_ARENA_OBJECT(ns_branches, mem);
  if (!b) return ns_nomem(c, "branches of formulas");
  int nstate = count_of_state(m->frozen);
  *b = (ns_branches){.mem = b->mem,
                     .m = m,
                     .x = x,
                     .n = m->nbranches,
                     .many = nstate < MAX_TOGETHER ? nstate : MAX_TOGETHER};
  if (get_memory(b)) {
    ns_branches_destroy(b);
    return ns_nomem(c, "branches of formulas");
  }
  for (size_t k = 0; k < b->n; k++)
    if (!ns_branch_switch(&b->w, k)->known) b->state[b->nstate++] = (int)k;
  *out = b;
  return NS_OK;
}

void ns_branches_destroy(ns_branches *b)
{
  if (b) ns_arena_destroy(b->mem);
}

/* ---- while it runs --------------------------------------------------------------------------- */

double ns_branches_next(const ns_branches *b)
{
  size_t who;
  return b ? earliest(&b->w, &who) : INFINITY;
}

int ns_branches_undecided(const ns_branches *b) { return b->npending > 0; }

int ns_branches_too_many(ns_branches *b, ns_ctx *c)
{
  b->c = c;
  return ns_branch_too_many(b);
}

/* The unknowns of the flow as the state has them; others than positions and velocities stay. */
static void take_state(ns_branches *b)
{
  const ns_state *x = b->x;
  for (size_t i = 0; i < b->m->nq; i++)
    b->at[i] = x->q[i] - (b->problem.origin ? b->problem.origin[i] : 0);
  if (b->problem.ncoord) memcpy(b->at + b->problem.ncoord, x->v, b->m->nv * sizeof *x->v);
  if (b->m->nz) memcpy(b->seen, x->z, b->m->nz * sizeof *x->z);
  b->t = *x->t;
}

/* sigma of switch k has come from `old` to the present one without passing what is between. */
static void jump(ns_branches *b, size_t k, double old)
{
  double sigma = b->sigma[k], noise = ns_branch_noise(b, k, b->at);
  if (sigma == old || isnan(sigma)) return;
  int stairs = ns_branch_switch(&b->w, k)->kind == NS_SWITCH_STAIRS,
      slides = b->w.side[k] == NS_BRANCH_SLIDES;
  double level = stairs && slides ? b->base[k] + 1 : 0;
  if (fabs(sigma - level) > noise || (stairs && !slides)) {
    by_value(&b->w, k, sigma);
    b->npending -= b->pending[k];
    b->pending[k] = b->leaves[k] = 0;
  } else if (fabs(old - level) > noise && !b->pending[k]) {
    b->pending[k] = 1;
    b->npending++;
  }
}

/* Sides of what has jumped from b->before, which becomes sigma as it is now; known switches first,
 * which user vectors or other branches may have moved. 1: some sides are others, and sigma of those
 * that read them may have jumped in turn. */
static int follow_jumps(ns_branches *b)
{
  int moved = ns_branch_settle(&b->w, b->t, 0);
  ns_branch_look(b, b->t, b->at, NULL);
  for (int i = 0; i < b->nstate; i++) {
    size_t k = (size_t)b->state[i];
    double side = b->w.side[k], value = b->w.value[k];
    jump(b, k, b->before[k]);
    moved |= b->w.side[k] != side || (b->w.value[k] != value && side != NS_BRANCH_SLIDES);
  }
  memcpy(b->before, b->sigma, b->n * sizeof *b->before);
  return moved;
}

/* Jumps that follow from each other, at most so many in a row. */
static int rounds(const ns_branches *b) { return 2 * b->nstate + 8; }

int ns_branches_jumped(ns_branches *b, ns_ctx *c)
{
  if (!b || !b->at) return NS_OK;
  b->c = c;
  if (b->nstate) {
    b->w.user = b->seen;
    ns_branch_look(b, *b->x->t, b->at, NULL);
    b->w.user = b->x->z;
    memcpy(b->before, b->sigma, b->n * sizeof *b->before);
    take_state(b);
    for (int k = rounds(b); k > 0 && follow_jumps(b);) k--;
    ns_branch_list_slides(b);
  } else ns_branch_settle(&b->w, *b->x->t, 0);
  ns_branch_schedule(&b->w, *b->x->t, 0);
  return NS_OK;
}

void ns_branch_begin(ns_branches *b)
{
  take_state(b);
  ns_branch_look(b, b->t, b->at, NULL);
  for (int i = 0; i < b->nstate; i++) {
    size_t k = (size_t)b->state[i];
    int on = ns_branch_switch(&b->w, k)->kind != NS_SWITCH_STAIRS &&
             fabs(b->sigma[k]) <= ns_branch_noise(b, k, b->at);
    b->pending[k] = b->unsided[k] = (unsigned char)on;
    b->npending += on;
  }
}

/* ---- events ---------------------------------------------------------------------------------- */

static int margins(ns_branches *b, ns_user_events *u, double *g)
{
  return u ? ns_user_events_roots(u, b->c, b->x, g) : NS_OK;
}

/* Conditions that have jumped with the branches. */
static int fire(ns_branches *b, const ns_user_driver *d, ns_user_events *u, int *stopped)
{
  int n = u ? ns_user_events_nroots(u) : 0, some = 0;
  for (int i = 0; i < n; i++) {
    int held = b->margin[i] > 0, holds = b->margin[n + i] > 0,
        did = held != holds ? ns_user_events_changed(u, i, holds, 0) : 0;
    some |= b->fired[i] = (unsigned char)did;
  }
  return some ? ns_user_events_fired(u, b->c, d, b->fired, stopped) : NS_OK;
}

static ns_row_mode mode_of(const ns_branches *b, size_t k, double side)
{
  if (side == NS_BRANCH_SLIDES) return NS_ROW_BETWEEN;
  if (ns_branch_switch(&b->w, k)->kind == NS_SWITCH_STAIRS) return NS_ROW_FREE;
  return side == NS_BRANCH_UPPER ? NS_ROW_UPPER : NS_ROW_LOWER;
}

/* Of the element of the formula; one of a system that has none of its own, as a prescribed
 * velocity, has that of the system. */
static const char *id_of(const ns_branches *b, size_t k)
{
  const ns_frozen_owner *o = ns_branch_owner(&b->w, k);
  if (o->at->id || o->nsystems != 1) return o->at->id;
  return b->w.z->model.systems[o->systems[0]].at.id;
}

static int tell(ns_branches *b, ns_recorder *rec)
{
  int rc = NS_OK;
  for (size_t k = 0; k < b->n && !rc; k++) {
    if (b->w.side[k] == b->was_side[k] &&
        (b->w.value[k] == b->was[k] || b->w.side[k] == NS_BRANCH_SLIDES))
      continue;
    ns_event e = {.t = *b->x->t,
                  .kind = NS_EVENT_FORMULA,
                  .interaction = -1,
                  .row = (int)k,
                  .before = b->was[k],
                  .after = b->w.value[k],
                  .was = mode_of(b, k, b->was_side[k]),
                  .is = mode_of(b, k, b->w.side[k]),
                  .of = id_of(b, k)};
    rc = ns_recorder_event(rec, b->c, &e);
  }
  return rc;
}

/* Branches of the state are decided; sigma of those that read them, or others that have changed,
 * may have jumped with them: these, too, until no side changes. */
static int change_of_state(ns_branches *b)
{
  int decided = 0, rc = NS_OK;
  for (int left = rounds(b); b->nstate && !rc; left--) {
    if (left == 0) return ns_branch_restless(b);
    int moved = follow_jumps(b);
    if (b->npending || (b->nslides && !decided)) rc = ns_branch_decide(b);
    else if (!moved) break;
    decided = 1;
  }
  return rc;
}

/* Branches after the state and the time of b. */
static int change(ns_branches *b)
{
  double t = *b->x->t;
  int due = ns_branch_is_due(ns_branches_next(b), t), rc = NS_OK;
  if (due) rc = ns_branch_listed(&b->w, b->c, t);
  if (rc) return rc;
  memcpy(b->before, b->sigma, b->n * sizeof *b->before);
  if (due) ns_branch_turn(&b->w, t);
  rc = change_of_state(b);
  if (!rc && b->nstate) ns_branch_schedule(&b->w, t, 0);
  return rc;
}

int ns_branches_event(ns_branches *b, ns_ctx *c, const ns_user_driver *d, ns_user_events *u,
                      int *stopped)
{
  int n = u ? ns_user_events_nroots(u) : 0;
  b->c = c;
  b->t = *b->x->t;
  int rc = d->output(d->of);
  if (!rc && b->nstate) ns_branch_look(b, b->t, b->at, NULL);
  if (!rc) rc = margins(b, u, b->margin);
  if (!rc && d->rec) rc = ns_recorder_state(d->rec, c);
  if (!rc && d->rec) rc = d->row(d->of, 1);
  memcpy(b->was, b->w.value, b->n * sizeof *b->was);
  memcpy(b->was_side, b->w.side, b->n * sizeof *b->was_side);
  if (!rc) rc = change(b);
  if (!rc) rc = d->changed(d->of);
  if (!rc && d->rec) rc = tell(b, d->rec);
  if (!rc && d->rec) rc = ns_recorder_state(d->rec, c);
  if (!rc && d->rec) rc = d->row(d->of, 2);
  if (!rc) rc = margins(b, u, b->margin + n);
  return rc ? rc : fire(b, d, u, stopped);
}
