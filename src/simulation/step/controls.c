/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/controls.h"

#include "model/controls/control.h"
#include "model/observables.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct block {
  const ns_control *k;
  void *self;
  size_t *target; /* of each entry written, in z [nwrites] */
  int jumps;      /* one of its formulas jumps with t, or has a corner */
} block;

struct ns_controls {
  const ns_model *m;
  ns_arena *mem;
  int n;
  block *block;
  double *q, *v, *z, *held, *w; /* gathered for one block; held: Z before the instant */
  double *work;                 /* of a condition */
  int reads_run;                /* some block reads these: */
  ns_observables observables;
  double *z0, *memory0; /* the state before the instant [nz], [nmemory] */
  long long at;         /* the step of that instant, -1: none */
  int on_grid;          /* the state is where a step begins */
};

static size_t larger(size_t a, int b) { return (size_t)b > a ? (size_t)b : a; }

static int get_memory(ns_controls *o)
{
  const ns_model *m = o->m;
  size_t nQ = 1, nZ = 1, nw = 1, work = 1;
  for (int i = 0; i < o->n; i++) {
    nQ = larger(nQ, m->controls[i].nQ);
    nZ = larger(nZ, m->controls[i].nZ);
    nw = larger(nw, m->controls[i].nwrites);
    work = larger(ns_operator_work(&m->controls[i].when), (int)work);
    o->reads_run |= ns_control_reads_run(&m->controls[i]);
  }
  const size_t d = sizeof(double);
  const ns_array want[] = {{&o->q, nQ, d},
                           {&o->v, nQ, d},
                           {&o->z, nZ, d},
                           {&o->held, nZ, d},
                           {&o->w, nw, d},
                           {&o->work, work, d},
                           {&o->z0, m->nz, d},
                           {&o->memory0, m->nmemory, d},
                           {&o->block, (size_t)o->n, sizeof *o->block}};
  return ns_arena_arrays(o->mem, want, sizeof want / sizeof *want);
}

static int make_block(ns_controls *o, ns_ctx *c, int i)
{
  const ns_control *k = o->block[i].k = &o->m->controls[i];
  size_t *target = o->block[i].target = ns_arena_get(o->mem, (size_t)k->nwrites, sizeof *target);
  if (!target) return ns_nomem(c, "controls");
  for (int j = 0; j < k->nwrites; j++) target[j] = ns_control_target(o->m, k, k->writes[j]);
  o->block[i].jumps = ns_control_jumps(k);
  return ns_control_begin(c, o->m, k, &o->block[i].self);
}

int ns_controls_create(ns_ctx *c, const ns_model *m, ns_controls **out)
{
  *out = NULL;
  if (!m->ncontrols) return NS_OK;
  ns_controls *o = NS_ARENA_OBJECT(ns_controls, mem);
  if (!o) return ns_nomem(c, "controls");
  *o = (ns_controls){.m = m, .n = m->ncontrols, .at = -1, .mem = o->mem};
  int rc = get_memory(o) ? ns_nomem(c, "controls") : NS_OK;
  if (!rc && o->reads_run) rc = ns_observables_create(c, m, &o->observables);
  for (int i = 0; i < o->n && !rc; i++) rc = make_block(o, c, i);
  if (rc) ns_controls_destroy(o);
  else *out = o;
  return rc;
}

void ns_controls_destroy(ns_controls *o)
{
  if (!o) return;
  for (int i = 0; o->block && i < o->n; i++) ns_control_end(o->block[i].k, o->block[i].self);
  ns_observables_fini(&o->observables);
  ns_arena_destroy(o->mem);
}

size_t ns_controls_bytes(const ns_controls *o) { return o ? ns_arena_used(o->mem) : 0; }

/* Whether a block acts at the state: its sample number in *i. Time-stepping: the number of the step
 * is the first one at the time of the sample or after it; event-driven: that time has come. */
static int is_due(const ns_controls *o, const ns_control *k, const ns_state *x, long long *i)
{
  const ns_simulation_options *s = &o->m->sim;
  long long since = *x->step - k->first;
  if (k->every) {
    *i = since / k->every;
    return since >= 0 && since % k->every == 0 && (!s->event_driven || o->on_grid);
  }
  double behind = *x->t - s->t0 - k->offset,
         n = s->event_driven ? round(behind / k->period) : floor(behind / k->period + 1e-9);
  double late = behind - n * k->period; /* the state is so long behind the sample */
  *i = (long long)n;
  if (n < 0) return 0;
  return s->event_driven ? fabs(late) <= 1e-9 * fmin(s->ts.h, k->period)
                         : late < (1 - 1e-9) * s->ts.h;
}

double ns_controls_next(const ns_controls *o, double t)
{
  double first = INFINITY;
  for (int j = 0; o && j < o->n; j++) {
    const ns_control *k = o->block[j].k;
    if (k->every) continue;
    double t0 = o->m->sim.t0 + k->offset;
    double i = fmax(floor((t - t0) / k->period), 0), next = t0 + i * k->period;
    while (next <= t + 1e-9 * fmin(o->m->sim.ts.h, k->period)) next = t0 + ++i * k->period;
    first = fmin(first, next);
  }
  return first;
}

/* The time of sample `number` for formulas. For those that jump with t it is that of the sample,
 * which may be behind the state by the tolerance of instants, and so much later that a jump written
 * for the same instant has happened. In numbers 3 * 0.3 < 0.9: step(t - 0.9) would be seen a period
 * late by samples every 0.3 s, but in time where the grid has a point at 9 * 0.1. */
static double instant(const ns_controls *o, const block *b, const ns_state *x, long long number)
{
  const ns_control *k = b->k;
  const ns_simulation_options *s = &o->m->sim;
  if (!b->jumps) return *x->t;
  double at = k->every ? *x->t : s->t0 + k->offset + (double)number * k->period;
  double t = fmax(*x->t, at);
  return t + 4 * DBL_EPSILON * fmax(fabs(t), s->T - s->t0);
}

/* What the block sees. */
static ns_sample look(ns_controls *o, const block *b, const ns_state *x, long long number)
{
  const ns_control *k = b->k;
  size_t q = 0, v = 0, z = 0;
  for (int i = 0; i < k->nsystems; i++) {
    const ns_system *s = &o->m->systems[k->systems[i]];
    size_t nq = (size_t)s->nq, nv = (size_t)s->n, nz = (size_t)s->nz;
    memcpy(o->q + q, x->q + s->q, nq * sizeof(double));
    memcpy(o->v + v, x->v + s->v, nv * sizeof(double));
    if (nz) memcpy(o->z + z, x->z + s->z, nz * sizeof(double));
    if (nz) memcpy(o->held + z, o->z0 + s->z, nz * sizeof(double));
    q += nq;
    v += nv;
    z += nz;
  }
  double *memory = x->memory + k->memory;
  const ns_point p = {.t = instant(o, b, x, number),
                      .n = k->nQ,
                      .q = o->q,
                      .v = o->v,
                      .nz = k->nZ,
                      .z = o->z,
                      .index = k->index,
                      .m = (int)o->m->nrows,
                      .lambda = x->lambda,
                      .observable = x->observable,
                      .angle = x->angle,
                      .model_q = x->q,
                      .model_v = x->v,
                      .model_z = x->z,
                      .model_angle = x->angle};
  return (ns_sample){.i = k->gated ? (long long)memory[k->nmemory - 1] : number,
                     .t = *x->t,
                     .period = k->period,
                     .p = p,
                     .held = o->held,
                     .memory = memory};
}

/* Whether it acts at this sample. */
static int is_on(const ns_controls *o, const ns_control *k, ns_ctx *c, const ns_sample *s, int *on)
{
  double slack = 1e-9 * o->m->sim.ts.h, condition[2];
  *on = s->t >= k->from - slack && s->t <= k->until + slack;
  if (!*on || k->when.how == NS_OP_ABSENT) return NS_OK;
  int rc = ns_operator_eval(&k->when, c, &s->p, o->work, condition);
  *on = condition[0] != 0;
  return rc;
}

static int not_finite(const ns_controls *o, const block *b, ns_ctx *c, const ns_sample *s, int j,
                      double w)
{
  char name[64];
  return ns_fail_at(c, NS_NUMERIC, &b->k->at,
                    "wrote %g to %s at t = %.10g s, expected a finite number; the last good state "
                    "is kept; check its formulas there",
                    isnan(w) ? (double)NAN : w,
                    ns_control_entry(o->m, b->k, b->k->writes[j], name, sizeof name), s->t);
}

static int act(ns_controls *o, const block *b, ns_ctx *c, ns_state *x, long long i)
{
  const ns_control *k = b->k;
  ns_sample s = look(o, b, x, i);
  int on = 1, rc = k->gated ? is_on(o, k, c, &s, &on) : NS_OK;
  if (rc || (!on && isnan(k->otherwise))) return rc;
  for (int j = 0; j < k->nwrites && !on; j++) o->w[j] = k->otherwise;
  if (on) rc = k->kind->sample(b->self, c, &s, o->w);
  if (on && k->gated) s.memory[k->nmemory - 1] += 1;
  for (int j = 0; j < b->k->nwrites && !rc; j++)
    if (!isfinite(o->w[j])) rc = not_finite(o, b, c, &s, j, o->w[j]);
  for (int j = 0; j < b->k->nwrites && !rc; j++) x->z[b->target[j]] = o->w[j];
  return rc;
}

static void keep(ns_controls *o, const ns_state *x)
{
  memcpy(o->z0, x->z, o->m->nz * sizeof *o->z0);
  if (o->m->nmemory) memcpy(o->memory0, x->memory, o->m->nmemory * sizeof *o->memory0);
  o->at = *x->step;
}

int ns_controls_sample(ns_controls *o, ns_ctx *c, ns_state *x, int *acted)
{
  int rc = NS_OK;
  double grid = o->m->sim.t0 + (double)*x->step * o->m->sim.ts.h;
  o->on_grid = fabs(*x->t - grid) <= 1e-9 * o->m->sim.ts.h;
  *acted = 0;
  for (int i = 0; i < o->n && !rc; i++) {
    const block *b = &o->block[i];
    long long number;
    if (!is_due(o, b->k, x, &number)) continue;
    if (!*acted) keep(o, x);
    if (!*acted && o->reads_run) rc = ns_observables_eval(&o->observables, c, x);
    *acted = 1;
    if (!rc) rc = act(o, b, c, x, number);
  }
  if (rc) ns_controls_undo(o, x);
  return rc;
}

void ns_controls_undo(ns_controls *o, ns_state *x)
{
  if (o->at != *x->step) return;
  memcpy(x->z, o->z0, o->m->nz * sizeof *o->z0);
  if (o->m->nmemory) memcpy(x->memory, o->memory0, o->m->nmemory * sizeof *o->memory0);
  o->at = -1;
}
