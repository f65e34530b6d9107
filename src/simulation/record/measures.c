/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/record/measures_parts.h"

#include "algebra/sign_change.h"
#include "model/course.h"
#include "model/user_event.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

int ns_measures_count(const ns_model *m) { return m->nmeasures; }

void ns_measures_get(const ns_model *m, const ns_state *x, int k, ns_measured *out)
{
  const ns_measure *s = &m->measures[k];
  const double *slot = x->measured + s->slots;
  *out = (ns_measured){.id = s->id,
                       .kind = s->kind->name,
                       .unit = s->unit,
                       .help = s->help,
                       .time = NAN,
                       .samples = -1};
  out->value = s->kind->value(s, slot, &out->why, &out->time);
  if (out->why) out->time = NAN;
  if (s->keep) out->samples = (int)fmin(slot[NS_SLOT_COUNT], s->keep);
}

void ns_measures_samples(const ns_model *m, const ns_state *x, int k, double *value, double *time)
{
  const ns_measure *s = &m->measures[k];
  const double *slot = x->measured + s->slots, *ring = slot + NS_SLOTS;
  long long count = (long long)slot[NS_SLOT_COUNT], n = count < s->keep ? count : s->keep;
  for (long long i = 0; i < n; i++) {
    long long at = (count - n + i) % s->keep;
    if (value) value[i] = ring[at];
    if (time) time[i] = ring[s->keep + at];
  }
}

/* ---- creation -------------------------------------------------------------------------------- */

static int reads_observables(const ns_measure *s)
{
  return ((s->of.value.uses | s->when.value.uses) >> NS_BANK_OBSERVABLE & 1u) != 0;
}

static int ensure_capacity(ns_measures *k, ns_ctx *c, size_t n)
{
  ns_heard *heard = realloc(k->heard, n * sizeof *heard);
  if (!heard) return ns_nomem(c, "events that measures read");
  k->heard = heard;
  k->cap = n;
  return NS_OK;
}

/* Events between two states, of all measures that read their numbers; 0: none does. Each row of an
 * interaction, event of the user, body and shape has two at most in a step; at an instant of an
 * event-driven run impacts may follow each other. Only contacts between shapes can be more. */
static size_t heard_at_once(const ns_model *m)
{
  size_t reading = 0, sources = m->nrows + (size_t)m->nuser_events + (size_t)m->nsystems +
                                (size_t)m->contact.nshapes;
  for (int k = 0; k < m->nmeasures; k++) reading += m->measures[k].of_event != 0;
  return reading * (2 * sources + 1024);
}

int ns_measures_create(ns_ctx *c, const ns_model *m, const ns_observables *o, ns_state *x,
                       ns_measures **out)
{
  ns_measures *s = *out = NULL;
  if (!m->nmeasures) return NS_OK;
  if (!(s = NS_ARENA_OBJECT(ns_measures, mem))) return ns_nomem(c, "measures");
  *s = (ns_measures){.mem = s->mem, .m = m, .o = o, .x = x, .of_event = *o};
  size_t n = (size_t)m->nmeasures, depth = NS_MEASURES_DEPTH + 1;
  const ns_array want[] = {{&s->observable, (size_t)m->nobservables, sizeof *s->observable},
                           {&s->node, n * NS_MEASURES_NODES * depth, sizeof *s->node},
                           {&s->inner, n * NS_SIGN_NODES, sizeof *s->inner},
                           {&s->faint, n, sizeof *s->faint},
                           {&s->half, n, sizeof *s->half},
                           {&s->kept, m->nq + m->nv + m->nangles, sizeof *s->kept},
                           {&s->warned, n, 1}};
  int rc = ns_arena_arrays(s->mem, want, sizeof want / sizeof *want) ? ns_nomem(c, "measures")
                                                                     : NS_OK;
  if (!rc && heard_at_once(m)) rc = ensure_capacity(s, c, heard_at_once(m));
  if (rc) {
    ns_measures_destroy(s);
    return rc;
  }
  for (int k = 0; k < m->nmeasures; k++) {
    s->observe |= reads_observables(&m->measures[k]);
    s->held |= m->measures[k].held;
  }
  *out = s;
  return NS_OK;
}

void ns_measures_destroy(ns_measures *s)
{
  if (!s) return;
  free(s->heard);
  ns_arena_destroy(s->mem);
}

/* ---- a state --------------------------------------------------------------------------------- */

/* Whether friction slides: the impulse is on the boundary of its cone, and the contact moves along.
 */
static int slides(const ns_model *m, const ns_state *x, int interaction)
{
  const ns_interaction *it = &m->interactions[interaction];
  const double *l = x->lambda + it->row, *u = x->ydot + it->row;
  double pull = 0, slip = 0;
  for (int r = 1; r < it->m; r++) {
    pull = hypot(pull, l[r]);
    slip = hypot(slip, u[r]);
  }
  return l[0] > 0 && pull >= (1 - 1e-6) * ns_law_mu(&it->law) * l[0] && slip > 1e-9;
}

int ns_measures_read(const ns_measures *k, ns_ctx *c, const ns_measure *s, const ns_state *x,
                     ns_reading *r)
{
  double condition[2] = {0, 0};
  int rc = NS_OK;
  *r = (ns_reading){.t = *x->t};
  int has_value = s->of.value.how != NS_OP_ABSENT && !s->of_event;
  if (has_value) rc = ns_observables_value(k->o, c, &s->of, x, &r->f);
  if (!rc && s->when.value.how != NS_OP_ABSENT)
    rc = ns_observables_value(k->o, c, &s->when, x, condition);
  if (s->kind->flags & NS_MEASURE_SLIDING) condition[0] = slides(k->m, x, s->interaction);
  r->holds = condition[0] != 0;
  r->margin = condition[1];
  return rc;
}

static double between(const ns_reading *p, const ns_reading *r, double t)
{
  if (t >= r->t) return r->f;
  return t <= p->t ? p->f : p->f + (t - p->t) / (r->t - p->t) * (r->f - p->f);
}

/* When the condition changed between two states: at the zero of its margin, else at the second. */
static double change(const ns_reading *p, const ns_reading *r)
{
  double a = p->margin, b = r->margin;
  if (!(r->t > p->t) || !((a <= 0 && b >= 0) || (a >= 0 && b <= 0)) || a == b) return r->t;
  return p->t + a / (a - b) * (r->t - p->t);
}

/* A moment of the window: after its begin, so that windows that follow each other share none. */
static int within(const ns_measure *s, double t)
{
  double rounding = 16 * DBL_EPSILON * fabs(t);
  return t > s->from + (isfinite(s->from) ? rounding : 0) && t <= s->until + rounding;
}

static void tick(const ns_measure *s, double *slot, double t, double f)
{
  if (!within(s, t) || !s->kind->tick) return;
  s->kind->tick(s, slot, t, f);
}

void ns_measures_due(const ns_measure *s, double *slot, const ns_reading *p, const ns_reading *r,
                     int first, double *n, double *last)
{
  double slack = 1e-9 * s->every, end = (r->t < s->until ? r->t : s->until) + slack,
         begin = first ? r->t - slack : p->t + slack;
  *n = fmax(ceil((begin - s->start) / s->every), 0);
  *last = floor((end - s->start) / s->every);
  if (*last - *n < s->keep) return;
  slot[NS_SLOT_COUNT] += *last - *n - s->keep + 1;
  *n = *last - s->keep + 1;
}

/* Samples of a way that is linear. */
static void strobe(const ns_measure *s, double *slot, const ns_reading *p, const ns_reading *r,
                   int first)
{
  double n, last;
  for (ns_measures_due(s, slot, p, r, first, &n, &last); n <= last; n++)
    s->kind->tick(s, slot, s->start + n * s->every, between(p, r, s->start + n * s->every));
}

/* Of a span whose formula is linear. */
static void sums_of_line(ns_span *w)
{
  w->sum = w->fa + w->fb;
  w->squares = w->fa * w->fa + w->fa * w->fb + w->fb * w->fb;
}

/* The part of the way from p to r that is in the window; when: the condition changed. 0: none of it
 * is. */
int ns_measures_cut(const ns_measure *s, const ns_reading *p, const ns_reading *r, double when,
                    ns_span *w)
{
  double a = p->t > s->from ? p->t : s->from, b = r->t < s->until ? r->t : s->until;
  int jump = !(r->t > p->t);
  if (!(b > a) && !(jump && b == a)) return 0;
  *w = (ns_span){.a = a,
                 .b = b,
                 .fa = a == p->t ? p->f : between(p, r, a),
                 .fb = b == r->t ? r->f : between(p, r, b),
                 .ha = p->holds,
                 .hb = r->holds,
                 .switched = when < a   ? a
                             : when < b ? when
                                        : b};
  sums_of_line(w);
  if (!jump && p->holds != r->holds) {
    w->ha = a >= when ? r->holds : p->holds;
    w->hb = b >= when ? r->holds : p->holds;
  }
  return 1;
}

/* The whole way from p to r is in the window, and nothing changes on it: what nearly all are. */
static int is_plain(const ns_measure *s, const ns_reading *p, const ns_reading *r)
{
  return p->t < r->t && p->t >= s->from && r->t <= s->until && p->holds == r->holds;
}

void ns_measures_show(const ns_measure *s, double *slot, const ns_reading *p, const ns_reading *r,
                      int first)
{
  ns_span w;
  double when = r->t;
  if (is_plain(s, p, r)) {
    w = (ns_span){.a = p->t,
                  .b = r->t,
                  .fa = p->f,
                  .fb = r->f,
                  .ha = p->holds,
                  .hb = r->holds,
                  .switched = r->t};
    sums_of_line(&w);
  } else {
    if (p->holds != r->holds) when = change(p, r);
    if (!ns_measures_cut(s, p, r, when, &w)) return;
  }
  /* the impulse is that of the step */
  if (s->kind->flags & NS_MEASURE_SLIDING) w.ha = w.hb = r->holds;
  if (s->kind->span) s->kind->span(s, slot, &w);
  slot[NS_SLOT_SEEN] += 1;
  if (!first && !p->holds && r->holds && s->when.value.how != NS_OP_ABSENT)
    tick(s, slot, when, between(p, r, when));
}

/* What a measure keeps of the state before. */
ns_reading ns_measures_recall(const ns_measures *k, const double *slot)
{
  return (ns_reading){k->x->measured[NS_MEASURED_TIME], slot[NS_SLOT_VALUE], slot[NS_SLOT_MARGIN],
                      slot[NS_SLOT_HOLDS] != 0};
}

/* A measure that reads held quantities: where time went on, they changed at the begin of the step,
 * before anything moved; before the first step they were not in force. p: the state before with
 * what the step held; *began: of the span from p on. */
static int step_begins(const ns_measures *k, ns_ctx *c, const ns_measure *s, double *slot,
                       ns_reading *p, int *began)
{
  ns_reading left = ns_measures_recall(k, slot);
  int rc = ns_measures_read(k, c, s, &k->was, p);
  if (rc) return rc;
  *began = slot[NS_SLOT_BEGUN] == 0;
  ns_measures_show(s, slot, *began ? p : &left, p, *began);
  slot[NS_SLOT_BEGUN] = 1;
  return NS_OK;
}

/* Events whose numbers the formula reads: each with the state after all of them. */
static int count_heard(ns_measures *k, ns_ctx *c, int i)
{
  const ns_measure *s = &k->m->measures[i];
  int rc = NS_OK;
  for (size_t j = 0; j < k->nheard && !rc; j++) {
    const ns_heard *h = &k->heard[j];
    double f;
    if (h->k != i) continue;
    k->of_event.event = h->number;
    rc = ns_observables_value(&k->of_event, c, &s->of, k->x, &f);
    if (!rc) tick(s, k->x->measured + s->slots, h->t, f);
  }
  return rc;
}

int ns_measures_remember(ns_measures *k, ns_ctx *c, int i, const ns_reading *r)
{
  const ns_measure *s = &k->m->measures[i];
  double *slot = k->x->measured + s->slots;
  int rc = s->of_event ? count_heard(k, c, i) : NS_OK;
  for (; slot[NS_SLOT_PENDING] > 0; slot[NS_SLOT_PENDING] -= 1)
    tick(s, slot, slot[NS_SLOT_PENDING_T], r->f);
  slot[NS_SLOT_VALUE] = r->f;
  slot[NS_SLOT_MARGIN] = r->margin;
  slot[NS_SLOT_HOLDS] = r->holds;
  return rc;
}

void ns_measures_forget(ns_measures *k) { k->nheard = 0; }

static int look(ns_measures *k, ns_ctx *c, int i, int first)
{
  const ns_measure *s = &k->m->measures[i];
  double *slot = k->x->measured + s->slots;
  int moved = !first && *k->x->t > k->x->measured[NS_MEASURED_TIME];
  int began = first;
  ns_reading r, p;
  int rc = ns_measures_read(k, c, s, k->x, &r);
  if (rc) return rc;
  p = first ? r : ns_measures_recall(k, slot);
  if (s->held && moved && (rc = step_begins(k, c, s, slot, &p, &began))) return rc;
  if (!s->held || slot[NS_SLOT_BEGUN] != 0) ns_measures_show(s, slot, &p, &r, first);
  if (s->every > 0) strobe(s, slot, &p, &r, first);
  return ns_measures_remember(k, c, i, &r);
}

/* ---- the state before ------------------------------------------------------------------------ */

/* The state before: where its parts are kept. */
typedef struct past {
  double *q, *v, *lambda, *angle, *rate;
} past;

static past kept_state(const ns_measures *k)
{
  past p = {.q = k->x->measured + k->m->measured_past};
  p.v = p.q + k->m->nq;
  p.lambda = p.v + k->m->nv;
  p.angle = p.lambda + k->m->nrows;
  p.rate = p.angle + k->m->nangles;
  return p;
}

/* The state now, with what moves as it was in the state before. */
static int look_back(ns_measures *k, ns_ctx *c)
{
  past p = kept_state(k);
  k->was = *k->x;
  k->was.t = k->x->measured + NS_MEASURED_TIME;
  k->was.q = p.q;
  k->was.v = p.v;
  if (ns_course_of_multipliers(k->m) == NS_COURSE_CONTINUOUS) k->was.lambda = p.lambda;
  k->was.angle = p.angle;
  k->was.rate = p.rate;
  k->was.observable = k->observable;
  return k->observe ? ns_observables_eval(k->o, c, &k->was) : NS_OK;
}

void ns_measures_keep(const ns_measures *k)
{
  past p = kept_state(k);
  memcpy(p.q, k->x->q, k->m->nq * sizeof *p.q);
  memcpy(p.v, k->x->v, k->m->nv * sizeof *p.v);
  memcpy(p.lambda, k->x->lambda, k->m->nrows * sizeof *p.lambda);
  memcpy(p.angle, k->x->angle, k->m->nangles * sizeof *p.angle);
}

int ns_measures_begin(ns_measures *k, ns_ctx *c)
{
  return k && k->x->measured[NS_MEASURED_BEGUN] == 0 ? ns_measures_state(k, c) : NS_OK;
}

int ns_measures_state(ns_measures *k, ns_ctx *c)
{
  double *head = k->x->measured;
  int rc = k->held && head[NS_MEASURED_BEGUN] != 0 ? look_back(k, c) : NS_OK;
  if (!rc && k->observe) rc = ns_observables_eval(k->o, c, k->x);
  for (int i = 0; i < k->m->nmeasures && !rc; i++) rc = look(k, c, i, head[NS_MEASURED_BEGUN] == 0);
  ns_measures_forget(k);
  if (k->held) ns_measures_keep(k);
  head[NS_MEASURED_TIME] = *k->x->t;
  head[NS_MEASURED_BEGUN] = 1;
  return rc;
}

/* Of any event: those of the motion, which time-stepping has too. */
static int is_any(const ns_model *m, const ns_event *e)
{
  return e->kind != NS_EVENT_FORMULA &&
         !(e->kind == NS_EVENT_USER && m->user_events[e->row].resets_memory);
}

static int is_wanted(const ns_model *m, const ns_measure *s, const ns_event *e)
{
  if (!s->listens || (s->interaction >= 0 && e->interaction != s->interaction)) return 0;
  if (s->user) return e->kind == NS_EVENT_USER && e->row == s->event;
  if (e->kind == NS_EVENT_USER && !is_any(m, e)) return 0;
  return s->event < 0 ? is_any(m, e) : (int)e->kind == s->event;
}

static int hear(ns_measures *k, ns_ctx *c, int i, const ns_event *e)
{
  if (k->nheard == k->cap && ensure_capacity(k, c, 2 * k->cap)) return NS_NOMEM;
  k->heard[k->nheard++] = (ns_heard){.k = i,
                                     .t = e->t,
                                     .number = {[NS_OF_EVENT_BEFORE] = e->before,
                                                [NS_OF_EVENT_AFTER] = e->after,
                                                [NS_OF_EVENT_IMPULSE] = e->impulse,
                                                [NS_OF_EVENT_LOST] = e->lost}};
  return NS_OK;
}

int ns_measures_event(ns_measures *k, ns_ctx *c, const ns_event *e)
{
  int rc = NS_OK;
  for (int i = 0; i < k->m->nmeasures && !rc; i++) {
    const ns_measure *s = &k->m->measures[i];
    double *slot = k->x->measured + s->slots;
    if (!is_wanted(k->m, s, e)) continue;
    if (s->of_event) {
      rc = hear(k, c, i, e);
      continue;
    }
    if (s->of.value.how == NS_OP_ABSENT) {
      tick(s, slot, e->t, 0);
      continue;
    }
    slot[NS_SLOT_PENDING] += 1;
    slot[NS_SLOT_PENDING_T] = e->t;
  }
  return rc;
}
