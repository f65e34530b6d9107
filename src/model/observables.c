/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/observables.h"

#include "base/grow.h"
#include "model/measure.h"
#include "model/owned.h"
#include "model/relations/output.h"
#include "model/systems/rigid_force.h"
#include "model/user_event.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Scratch for one of them. */
static void count(const ns_model *m, const ns_observable *b, size_t *work, size_t *bank)
{
  size_t w = ns_operator_work(&b->value), n = 0;
  for (int i = 0; i < b->nsystems; i++) {
    const ns_system *s = &m->systems[b->systems[i]];
    n += (size_t)s->nq + (size_t)s->n + (size_t)s->nz;
  }
  if (w > *work) *work = w;
  if (n > *bank) *bank = n;
}

int ns_observables_create(ns_ctx *c, const ns_model *m, ns_observables *o)
{
  size_t work = 0, bank = 0;
  *o = (ns_observables){.m = m};
  for (int k = 0; k < m->nobservables; k++) count(m, &m->observables[k], &work, &bank);
  for (int k = 0; k < m->nmeasures; k++) {
    count(m, &m->measures[k].of, &work, &bank);
    count(m, &m->measures[k].when, &work, &bank);
  }
  for (int k = 0; k < m->nuser_events; k++) {
    const ns_user_event *e = &m->user_events[k];
    count(m, &e->when, &work, &bank);
    for (int i = 0; i < e->nsets; i++) count(m, &e->sets[i].to, &work, &bank);
  }
  if (m->nforces && !(o->force = malloc((ns_body_force_work(m) + 1) * sizeof *o->force)))
    return ns_nomem(c, "forces between bodies");
  if (m->nobservables + m->nmeasures + m->nuser_events == 0) return NS_OK;
  o->work = malloc((work + 1) * sizeof *o->work);
  o->bank = malloc((bank + 1) * sizeof *o->bank);
  if (o->work && o->bank) return NS_OK;
  ns_observables_fini(o);
  return ns_nomem(c, "observables");
}

void ns_observables_fini(ns_observables *o)
{
  NS_FREE(o->work, o->bank, o->force);
  *o = (ns_observables){0};
}

/* Its systems' parts of the state, one after the other. */
static void gather(const ns_observables *o, const ns_observable *b, const ns_state *x, ns_point *p)
{
  const ns_model *m = o->m;
  int nv = 0;
  for (int i = 0; i < b->nsystems; i++) {
    p->n += m->systems[b->systems[i]].nq;
    nv += m->systems[b->systems[i]].n;
    p->nz += m->systems[b->systems[i]].nz;
  }
  double *q = o->bank, *v = q + p->n, *z = v + nv;
  p->q = q, p->v = v, p->z = z;
  for (int i = 0; i < b->nsystems; i++) {
    const ns_system *s = &m->systems[b->systems[i]];
    if (b->nsystems == 1) {
      p->q = x->q + s->q, p->v = x->v + s->v;
    } else {
      memcpy(q, x->q + s->q, (size_t)s->nq * sizeof *q);
      memcpy(v, x->v + s->v, (size_t)s->n * sizeof *v);
      q += s->nq, v += s->n;
    }
    if (s->nz) memcpy(z, x->z + s->z, (size_t)s->nz * sizeof *z); /* a plug-in may write to it */
    z += s->nz;
  }
}

/* Where its formula reads: the state itself for one system and for all, copies of their parts for
 * several. */
static ns_point point(const ns_observables *o, const ns_observable *b, const ns_state *x)
{
  const ns_model *m = o->m;
  ns_point p = {.t = *x->t,
                .index = b->index,
                .observable = x->observable,
                .angle = x->angle,
                .model_q = x->q,
                .model_v = x->v,
                .model_z = x->z,
                .model_angle = x->angle,
                .event = o->event};
  p.m = (int)m->nrows;
  p.lambda = x->lambda;
  if (b->interaction >= 0) {
    p.m = m->interactions[b->interaction].m;
    p.lambda += m->interactions[b->interaction].row;
  }
  if (!b->whole || b->value.how == NS_OP_PLUGIN) {
    gather(o, b, x, &p);
    return p;
  }
  p.n = (int)m->nq;
  p.nz = (int)m->nz;
  p.q = x->q, p.v = x->v, p.z = x->z;
  return p;
}

/* Rates of joints; length, rate, force and power of forces, which are functions of the state. */
static int measure_between(const ns_observables *o, ns_ctx *c, const ns_state *x)
{
  ns_joint_rates(o->m, x->q, x->v, x->rate);
  return ns_body_force_show(o->m, c, *x->t, x->q, x->v, x->z, o->force, x->angle, x->rate);
}

/* For the names of variables in a sentence. */
typedef struct reader {
  const ns_model *m;
  const ns_observable *b;
} reader;

static void name_variable(void *to, int bank, int index, char *buf, size_t size)
{
  const reader *r = to;
  if (bank == NS_BANK_FOREIGN)
    ns_foreign_text(r->m, &ns_operator_foreign(&r->b->value)->of[index], buf, size);
  else ns_variable_text(r->m, r->b->systems, r->b->nsystems, bank, index, buf, size);
}

/* A table ends the run that reads it outside of its rows, unless its outside= says what it is
 * there; other formulas may be no numbers, as a quotient while both are 0. */
static int check_tables(const ns_observables *o, ns_ctx *c, const ns_observable *b,
                        const ns_point *p, const double *out)
{
  enum { PLACE = 512 };
  ns_culprit k;
  reader r = {o->m, b};
  for (int i = 0; i < b->value.rows; i++) {
    if (!isnan(out[i])) continue;
    if (ns_operator_outside(&b->value, p, i, name_variable, &r, o->work, &k))
      return ns_nomem(c, "a sentence");
    if (k.is_outside)
      return ns_fail_at(c, NS_NUMERIC, &b->at,
                        "its formula is not a number at t = %.10g s: %s is nan; the last good "
                        "state is kept; give the table rows there, or outside=\"hold\"",
                        p->t, k.text);
  }
  return NS_OK;
}

int ns_observables_value(const ns_observables *o, ns_ctx *c, const ns_observable *b,
                         const ns_state *x, double *out)
{
  ns_point p = point(o, b, x);
  int rc = b->value.uses >> NS_BANK_JOINT & 1u ? measure_between(o, c, x) : NS_OK;
  if (!rc) rc = ns_operator_eval(&b->value, c, &p, o->work, out);
  return rc ? rc : check_tables(o, c, b, &p, out);
}

/* What the formula of an integral adds from the last state that its measure saw to this one, as
 * measures take it: a line. */
static int part_of_span(const ns_observables *o, ns_ctx *c, const ns_measure *s, const ns_state *x,
                        double *part)
{
  const double *slot = x->measured + s->slots;
  double before = x->measured[NS_MEASURED_TIME], span = *x->t - before, f;
  *part = 0;
  if (x->measured[NS_MEASURED_BEGUN] == 0 || !(span > 0)) return NS_OK;
  int rc = ns_observables_value(o, c, &s->of, x, &f);
  double a = fmax(before, s->from), b = fmin(*x->t, s->until),
         slope = (f - slot[NS_SLOT_VALUE]) / span;
  if (!rc && b > a) *part = (b - a) * (slot[NS_SLOT_VALUE] + slope * ((a + b) / 2 - before));
  return rc;
}

/* A measure as it stands. Before its first moment the last one was at the start, and its number is
 * 0; where its formula was no number, it is none either. */
static int running(const ns_observables *o, ns_ctx *c, const ns_observable *b, const ns_state *x,
                   double *out)
{
  const ns_measure *s = &o->m->measures[b->running - 1];
  const double *slot = x->measured + s->slots;
  double time, part = 0, last = slot[NS_SLOT_COUNT] > 0 ? slot[NS_SLOT_B] : o->m->sim.t0;
  const char *why = NULL;
  int rc = s->kind->flags & NS_MEASURE_INTEGRAL ? part_of_span(o, c, s, x, &part) : NS_OK;
  double value = s->kind->value(s, slot, &why, &time);
  if (why && slot[NS_SLOT_COUNT] == 0 && slot[NS_SLOT_BAD] == 0) value = 0;
  if (b->give == NS_RUNNING_SINCE) *out = *x->t - last;
  else if (b->give == NS_RUNNING_TIME) *out = last;
  else if (b->give == NS_RUNNING_COUNT) *out = slot[NS_SLOT_COUNT];
  else *out = value + part;
  return rc;
}

int ns_observables_eval(const ns_observables *o, ns_ctx *c, const ns_state *x)
{
  int rc = o->m->nangles ? measure_between(o, c, x) : NS_OK;
  for (int k = 0; k < o->m->nobservables && !rc; k++) {
    const ns_observable *b = &o->m->observables[k];
    rc = b->running ? running(o, c, b, x, &x->observable[k])
                    : ns_observables_value(o, c, b, x, &x->observable[k]);
  }
  return rc;
}
