/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/user_events.h"

#include "algebra/rotation.h"
#include "simulation/step/state_outputs.h"

#include <float.h>
#include <math.h>

struct ns_user_events {
  ns_arena *mem; /* of this and of its vectors */
  const ns_model *m;
  const ns_observables *o;
  ns_state *x;
  int nroots, observe;    /* observe: some formula reads observables */
  int *root;              /* event of each root [nroots] */
  double *due;            /* time of each event in the step that is looked at, +inf: none [n] */
  double *value;          /* what sets write [most of one event] */
  double *work;           /* of ns_state_outputs */
  double *margin;         /* of the condition of each event when it was marked last [n] */
  unsigned char *met;     /* a root of the condition was met at this instant [n] */
  unsigned char *due_now; /* the condition has changed without one, and is not executed yet [n] */
  unsigned char *acts;    /* events that act together at the time of the state [n] */
  unsigned char *early;   /* levels that acted last where their margin was exactly 0 [n] */
};

/* ---- of any state ---------------------------------------------------------------------------- */

const ns_user_event *ns_user_events_stopped(const ns_model *m, const ns_state *x, double *t)
{
  if (!m->nuser_events || x->user[NS_USER_STOPPED] == 0) return NULL;
  if (t) *t = x->user[NS_USER_STOPPED_T];
  return &m->user_events[(int)x->user[NS_USER_STOPPED] - 1];
}

long long ns_user_events_count(const ns_model *m, const ns_state *x, int k)
{
  return (long long)x->user[m->user_events[k].slots + NS_USER_COUNT];
}

/* ---- creation -------------------------------------------------------------------------------- */

static int reads_observables(const ns_observable *o)
{
  return (o->value.uses >> NS_BANK_OBSERVABLE & 1u) != 0;
}

int ns_user_events_create(ns_ctx *c, const ns_model *m, const ns_observables *o, ns_state *x,
                          ns_user_events **out)
{
  ns_user_events *u = *out = NULL;
  size_t n = (size_t)m->nuser_events, max = 0;
  if (!n) return NS_OK;
  if (!(u = NS_ARENA_OBJECT(ns_user_events, mem))) return ns_nomem(c, "events of the user");
  *u = (ns_user_events){.mem = u->mem, .m = m, .o = o, .x = x};
  for (int k = 0; k < m->nuser_events; k++) {
    const ns_user_event *e = &m->user_events[k];
    u->observe |= reads_observables(&e->when);
    for (int i = 0; i < e->nsets; i++) u->observe |= reads_observables(&e->sets[i].to);
    if ((size_t)e->nsets > max) max = (size_t)e->nsets;
  }
  size_t work = ns_state_outputs_work(m);
  const ns_array want[] = {{&u->root, n, sizeof *u->root},       {&u->due, n, sizeof *u->due},
                           {&u->margin, n, sizeof *u->margin},   {&u->value, max, sizeof *u->value},
                           {&u->work, work, sizeof *u->work},    {&u->met, n, sizeof *u->met},
                           {&u->due_now, n, sizeof *u->due_now}, {&u->acts, n, sizeof *u->acts},
                           {&u->early, n, sizeof *u->early}};
  if (ns_arena_arrays(u->mem, want, sizeof want / sizeof *want)) {
    ns_user_events_destroy(u);
    return ns_nomem(c, "events of the user");
  }
  for (int k = 0; k < m->nuser_events; k++)
    if (m->user_events[k].when.value.how != NS_OP_ABSENT) u->root[u->nroots++] = k;
  *out = u;
  return NS_OK;
}

void ns_user_events_destroy(ns_user_events *u)
{
  if (u) ns_arena_destroy(u->mem);
}

static double *slots(const ns_user_events *u, int k)
{
  return u->x->user + u->m->user_events[k].slots;
}

/* ---- roots ----------------------------------------------------------------------------------- */

int ns_user_events_nroots(const ns_user_events *u) { return u->nroots; }
int ns_user_events_of_root(const ns_user_events *u, int i) { return u->root[i]; }
int ns_user_events_direction(const ns_user_events *u, int i)
{
  return u->m->user_events[u->root[i]].direction;
}

static int observe(const ns_user_events *u, ns_ctx *c, const ns_state *x)
{
  return u->observe ? ns_observables_eval(u->o, c, x) : NS_OK;
}

static const double TRACE = 1e-300; /* for 0: beside other values it is nothing */

/* ns_state.user[NS_USER_BEGUN] in a run that locates roots: whether the sides of conditions are
 * known, as they are from the first look of a flow on. */
enum { SIDES_UNKNOWN = 1, SIDES_KNOWN };

void ns_user_events_forget(ns_user_events *u)
{
  if (u->x->user[NS_USER_BEGUN] != 0) u->x->user[NS_USER_BEGUN] = SIDES_UNKNOWN;
}

/* Whether the condition of event k holds at x, and its margin. Where that is none of numbers, a
 * branch of a formula has decided it (FAR of expression/condition.c), not the formula, which at the
 * corner of a branch may be on the other side by rounding. */
static int condition_at(const ns_user_events *u, ns_ctx *c, int k, const ns_state *x,
                        double condition[2])
{
  static const double DECIDED = 1e99;
  int rc = ns_observables_value(u->o, c, &u->m->user_events[k].when, x, condition);
  if (!rc && fabs(condition[1]) > DECIDED) condition[0] = condition[1] > 0;
  return rc;
}

/* How much of the margin of event k may be rounding where it is seen on the other side than its
 * condition is known to be on: as much as when it was last seen there. */
static double rounding(const ns_user_events *u, int k)
{
  const double *s = slots(u, k), zero = u->m->sim.ed.gap_tol;
  int other = (s[NS_USER_MARGIN] > 0) != (s[NS_USER_HOLDS] != 0);
  return other ? fmax(zero, 2 * fabs(s[NS_USER_MARGIN])) : zero;
}

/* The flow sees the condition of event k on the side of 0 that is known, from which it has yet to
 * go where only rounding has taken it to the other one. */
static void hold_side(ns_user_events *u, int k, const double condition[2])
{
  double *s = slots(u, k), rest = fabs(condition[1]), side = s[NS_USER_HOLDS] != 0 ? 1 : -1;
  int other = (condition[0] != 0) != (side > 0), is_rounding = rest <= rounding(u, k);
  s[NS_USER_SHIFT] = other && is_rounding ? side * fmax(2 * rest, TRACE) : 0;
  if (other && !is_rounding) s[NS_USER_HOLDS] = side < 0;
}

/* That of a level is looked at whenever others may have changed it, and keeps what its last root
 * left. */
int ns_user_events_begin_flow(ns_user_events *u, ns_ctx *c, const ns_state *x)
{
  double *begun = &u->x->user[NS_USER_BEGUN], condition[2];
  int rc = observe(u, c, x);
  for (int i = 0; i < u->nroots && !rc; i++) {
    const ns_user_event *e = &u->m->user_events[u->root[i]];
    if (e->level) continue;
    rc = condition_at(u, c, u->root[i], x, condition);
    if (*begun == SIDES_UNKNOWN) slots(u, u->root[i])[NS_USER_HOLDS] = condition[0] != 0;
    if (!rc) hold_side(u, u->root[i], condition);
  }
  if (*begun == SIDES_UNKNOWN && !rc) *begun = SIDES_KNOWN;
  return rc;
}

int ns_user_events_roots(const ns_user_events *u, ns_ctx *c, const ns_state *x, double *g)
{
  int rc = observe(u, c, x);
  for (int i = 0; i < u->nroots && !rc; i++) {
    double condition[2];
    rc = ns_observables_value(u->o, c, &u->m->user_events[u->root[i]].when, x, condition);
    g[i] = condition[1] + slots(u, u->root[i])[NS_USER_SHIFT];
    /* A margin of 0 is on the side of what holds: integrators do not go on from exact zeros. */
    if (g[i] == 0) g[i] = condition[0] != 0 ? TRACE : -TRACE;
  }
  return rc;
}

int ns_user_events_changed(ns_user_events *u, int i, int rises, int is_root)
{
  const ns_user_event *e = &u->m->user_events[u->root[i]];
  double *s = slots(u, u->root[i]);
  int changed = s[NS_USER_HOLDS] != rises;
  s[NS_USER_HOLDS] = rises;
  u->margin[u->root[i]] = 0; /* that of the mark is one of the other side */
  u->met[u->root[i]] = (unsigned char)is_root;
  if (!(changed || e->level) || e->direction == (rises ? -1 : 1)) return 0;
  return rises ? NS_USER_RISES : NS_USER_FALLS;
}

/* ---- schedules ------------------------------------------------------------------------------- */

/* Scheduled time number n of an event, +inf beyond the last. */
static double scheduled(const ns_user_event *e, double n)
{
  double t = INFINITY;
  if (n < e->ntimes) t = e->times[(int)n];
  else if (e->every > 0) t = e->start + n * e->every;
  return t <= e->until + 16 * DBL_EPSILON * fabs(t) ? t : INFINITY;
}

/* Scheduled times before t. */
static double over(const ns_user_event *e, double t)
{
  int n = 0;
  if (e->every > 0) return fmax(ceil((t - e->start) / e->every), 0);
  while (n < e->ntimes && e->times[n] < t) n++;
  return n;
}

double ns_user_events_next(const ns_user_events *u, int *event)
{
  double first = INFINITY;
  for (int k = 0; k < u->m->nuser_events; k++) {
    const ns_user_event *e = &u->m->user_events[k];
    double t = e->when.value.how == NS_OP_ABSENT ? scheduled(e, slots(u, k)[NS_USER_TURN])
                                                 : INFINITY;
    if (!(t < first)) continue;
    first = t;
    if (event) *event = k;
  }
  return first;
}

/* ---- what happens ---------------------------------------------------------------------------- */

static double *target(const ns_state *x, const ns_user_set *s)
{
  double *const bank = s->bank == NS_BANK_Q ? x->q : s->bank == NS_BANK_V ? x->v : x->z;
  return bank + s->entry;
}

/* The body to whose quaternion a <set> writes; NULL: to none. */
static const ns_system *turned(const ns_model *m, const ns_user_set *s)
{
  for (int i = 0; i < m->nsystems && s->bank == NS_BANK_Q; i++) {
    const ns_system *b = &m->systems[i];
    if (b->nq != b->n && s->entry >= b->q + 3 && s->entry < b->q + 7) return b;
  }
  return NULL;
}

/* That quaternion after all that e sets, p [4]: of norm 1. NS_NUMERIC where it has no direction. */
static int orientation(const ns_user_events *u, ns_ctx *c, const ns_user_event *e,
                       const ns_system *b, double t, double *p)
{
  memcpy(p, u->x->q + b->q + 3, 4 * sizeof *p);
  for (int i = 0; i < e->nsets; i++)
    if (turned(u->m, &e->sets[i]) == b) p[e->sets[i].entry - b->q - 3] = u->value[i];
  double norm = ns_quaternion_norm(p);
  if (!(norm > 1e-6 && norm < 1e6))
    return ns_fail_at(c, NS_NUMERIC, &e->at,
                      "its <set> makes the quaternion of %s (%g, %g, %g, %g) at t = %.10g s, "
                      "expected a nonzero one; set all of p0 to p3; the last good state is kept",
                      b->at.id, p[0], p[1], p[2], p[3], t);
  ns_quaternion_unit(p);
  return NS_OK;
}

/* Entries of a quaternion are values of the whole one, which gets norm 1: the first <set> of it
 * writes all. */
static int set_one(ns_user_events *u, ns_ctx *c, const ns_user_event *e, int i, double t, int write)
{
  double p[4];
  const ns_system *b = turned(u->m, &e->sets[i]);
  for (int k = 0; b && k < i; k++)
    if (turned(u->m, &e->sets[k]) == b) return NS_OK;
  int rc = b ? orientation(u, c, e, b, t, p) : NS_OK;
  if (rc || !write) return rc;
  if (b) memcpy(u->x->q + b->q + 3, p, sizeof p);
  else *target(u->x, &e->sets[i]) = u->value[i];
  return NS_OK;
}

static int set_state(ns_user_events *u, ns_ctx *c, const ns_user_event *e, double t,
                     ns_user_outcome *out)
{
  int rc = e->nsets ? observe(u, c, u->x) : NS_OK;
  for (int i = 0; i < e->nsets && !rc; i++) {
    rc = ns_observables_value(u->o, c, &e->sets[i].to, u->x, &u->value[i]);
    if (!rc && !isfinite(u->value[i]))
      rc = ns_fail_at(c, NS_NUMERIC, &e->at,
                      "the value that <set> number %d writes at t = %.10g s is %g, expected a "
                      "finite one; the last good state is kept",
                      i + 1, t, u->value[i]);
  }
  for (int i = 0; i < e->nsets && !rc; i++) rc = set_one(u, c, e, i, t, 0);
  if (rc) return rc;
  for (int i = 0; i < e->nsets; i++) {
    set_one(u, c, e, i, t, 1);
    out->changed |= 1u << e->sets[i].bank;
  }
  return NS_OK;
}

int ns_user_events_outputs(ns_user_events *u, ns_ctx *c)
{
  return ns_state_outputs(u->m, c, u->x, 0, u->work);
}

static int look(const ns_user_events *u, ns_ctx *c, int k, double condition[2])
{
  const ns_user_event *e = &u->m->user_events[k];
  condition[0] = condition[1] = 0;
  return e->when.value.how == NS_OP_ABSENT ? NS_OK : condition_at(u, c, k, u->x, condition);
}

int ns_user_events_happened(ns_user_events *u, ns_ctx *c, ns_recorder *rec, int k, double t,
                            ns_user_outcome *out)
{
  const ns_user_event *e = &u->m->user_events[k];
  double *s = slots(u, k), condition[2];
  int rc = set_state(u, c, e, t, out);
  if (rc) return rc;
  s[NS_USER_COUNT] += 1;
  s[NS_USER_LAST] = t;
  if (e->when.value.how == NS_OP_ABSENT) s[NS_USER_TURN] += 1;
  out->happened++;
  out->row |= e->record == NS_USER_RECORD_ROW;
  if (e->stop && u->x->user[NS_USER_STOPPED] == 0) {
    u->x->user[NS_USER_STOPPED] = k + 1;
    u->x->user[NS_USER_STOPPED_T] = t;
    out->stop = 1;
  }
  /* its own condition as it left it: it happens again when that changes again */
  rc = look(u, c, k, condition);
  s[NS_USER_HOLDS] = condition[0] != 0;
  s[NS_USER_MARGIN] = condition[1];
  u->due_now[k] = 0;
  ns_event ev = {.t = t, .kind = NS_EVENT_USER, .interaction = -1, .row = k};
  if (!rc && rec) rc = ns_recorder_event(rec, c, &ev);
  return rc;
}

/* ---- at their times -------------------------------------------------------------------------- */

static int reads_multipliers(const ns_observable *o)
{
  return reads_observables(o) || (o->value.uses >> NS_BANK_LAMBDA & 1u) != 0;
}

/* Event k, which was to act at the instant, still is after those that acted before it there. What a
 * condition reads of multipliers is not known until the motion has been decided. */
static int still_acts(const ns_user_events *u, ns_ctx *c, int k, int *acts)
{
  const ns_user_event *e = &u->m->user_events[k];
  double condition[2];
  int rc = look(u, c, k, condition), holds = condition[0] != 0;
  int wanted = e->level || slots(u, k)[NS_USER_HOLDS] != 0;
  *acts = !reads_multipliers(&e->when) && holds == wanted;
  return rc;
}

/* The events in u->acts at the time of the state, in the order of the model, none after one that
 * stops the run; *happened: their number. `again`: those whose condition others of them change do
 * not act. */
static int act(ns_user_events *u, ns_ctx *c, const ns_user_driver *d, int again, int *happened,
               ns_user_outcome *out)
{
  int rc = NS_OK, first = 1, acts = 1;
  for (int k = 0; k < u->m->nuser_events && !rc && !out->stop; k++) {
    if (!u->acts[k]) continue;
    if (again && !first) rc = still_acts(u, c, k, &acts);
    if (!rc && acts) rc = ns_user_events_happened(u, c, d->rec, k, *u->x->t, out);
    first = 0;
  }
  *happened = out->happened;
  return rc;
}

/* Events of one instant act together: the motion goes on from what all of them have set, as two
 * switches that change over leave a current its path. They are seen before and after, with a row of
 * each side where one sets something. */
static int happen_together(ns_user_events *u, ns_ctx *c, const ns_user_driver *d, int again,
                           int *happened, int *stopped)
{
  ns_user_outcome out = {0};
  int rc = d->output(d->of), both = 0;
  for (int k = 0; k < u->m->nuser_events && d->rec; k++)
    both |= u->acts[k] && u->m->user_events[k].nsets > 0;
  if (!rc && d->rec) rc = ns_recorder_state(d->rec, c);
  if (!rc && both) rc = d->row(d->of, 1);
  if (!rc) rc = act(u, c, d, again, happened, &out);
  if (!rc && out.changed) rc = d->changed(d->of); /* which shows the state after them */
  else if (!rc && d->rec) rc = ns_recorder_state(d->rec, c);
  if (!rc && both) rc = d->row(d->of, 2);
  else if (!rc && (out.row || out.stop) && d->rec) rc = d->row(d->of, 0);
  *stopped |= out.stop;
  return rc;
}

/* ---- at a jump ------------------------------------------------------------------------------- */

static int can_jump(const ns_user_event *e)
{
  return e->when.value.how != NS_OP_ABSENT && !e->level;
}

int ns_user_events_mark(ns_user_events *u, ns_ctx *c)
{
  double condition[2];
  int rc = observe(u, c, u->x);
  for (int k = 0; k < u->m->nuser_events && !rc; k++) {
    if (!can_jump(&u->m->user_events[k])) continue;
    rc = look(u, c, k, condition);
    if (u->x->user[NS_USER_BEGUN] == SIDES_UNKNOWN) slots(u, k)[NS_USER_HOLDS] = condition[0] != 0;
    slots(u, k)[NS_USER_MARGIN] = u->margin[k] = condition[1];
    u->due_now[k] = 0;
  }
  return rc;
}

/* Margins of the condition of event k that are 0 but for rounding: within the tolerance of gaps,
 * and as far from 0 as at a root of it at this instant. */
static double least(const ns_user_events *u, int k)
{
  double zero = u->m->sim.ed.gap_tol;
  return u->met[k] ? fmax(zero, 2 * fabs(u->margin[k])) : zero;
}

/* Conditions that are on another side than they are known to be on, with no root: those that count
 * are due. A margin that stays that close to 0 is 0 on both sides: rounding has changed its
 * sign. */
static int find_jumps(ns_user_events *u, ns_ctx *c)
{
  double t = *u->x->t, condition[2];
  int rc = observe(u, c, u->x);
  for (int k = 0; k < u->m->nuser_events && !rc; k++) {
    const ns_user_event *e = &u->m->user_events[k];
    if (!can_jump(e)) continue;
    rc = look(u, c, k, condition);
    double *s = slots(u, k), size = fmax(fabs(condition[1]), fabs(u->margin[k]));
    int holds = condition[0] != 0;
    if (rc || holds == s[NS_USER_HOLDS] || size <= least(u, k)) continue;
    u->due_now[k] = e->direction != (holds ? -1 : 1) && t >= e->from && t <= e->until;
    s[NS_USER_HOLDS] = holds;
    s[NS_USER_MARGIN] = u->margin[k] = condition[1];
    u->met[k] = 0;
  }
  return rc;
}

/* Level k holds where its margin is exactly 0, at the instant at which its opposite acted there:
 * the margin goes on to that side. */
static int is_left(const ns_user_events *u, int k, const double condition[2])
{
  const ns_user_set *own = u->m->user_events[k].sets;
  int left = 0;
  for (int j = 0; j < u->m->nuser_events && condition[1] == 0; j++) {
    const ns_user_set *set = u->m->user_events[j].sets;
    left |= u->early[j] && slots(u, j)[NS_USER_LAST] == *u->x->t && set->bank == own->bank &&
            set->entry == own->entry;
  }
  return left;
}

/* The events that are to happen at the state, to u->acts: levels that hold; where there are none
 * and conditions are marked, those whose condition has jumped. *first: of the model, -1: none. */
static int find_now(ns_user_events *u, ns_ctx *c, int marked, int *first)
{
  double condition[2];
  int n = u->m->nuser_events, rc = observe(u, c, u->x);
  *first = -1;
  for (int k = 0; k < n; k++) u->acts[k] = 0;
  for (int k = 0; k < n && !rc; k++) {
    const ns_user_event *e = &u->m->user_events[k];
    if (!e->level) continue;
    rc = look(u, c, k, condition);
    u->acts[k] = condition[0] != 0 && !is_left(u, k, condition);
    if (u->acts[k] && *first < 0) *first = k;
  }
  if (rc || *first >= 0 || !marked) return rc;
  rc = find_jumps(u, c);
  for (int k = n - 1; k >= 0; k--)
    if ((u->acts[k] = u->due_now[k])) *first = k;
  return rc;
}

enum { ROUNDS = 100 };

int ns_user_events_now(ns_user_events *u, ns_ctx *c, const ns_user_driver *d, int marked,
                       int *happened, int *stopped)
{
  int rc = NS_OK, any = marked, k = -1, count, n = u->m->nuser_events;
  *happened = 0;
  for (int i = 0; i < n; i++) any |= u->m->user_events[i].level;
  while (any && !rc && !*stopped) {
    rc = d->output(d->of);
    if (!rc) rc = find_now(u, c, marked, &k);
    if (rc || k < 0) break;
    if (*happened >= ROUNDS + n)
      return ns_fail_at(
          c, NS_NUMERIC, &u->m->user_events[k].at,
          "at t = %.10g s %s, and others with it, have happened %d times: each undoes "
          "the other, expected a state that triggers neither; use different thresholds, of "
          "switches on= above off=; the last good state is kept",
          *u->x->t, u->m->user_events[k].id, *happened);
    rc = happen_together(u, c, d, 1, &count, stopped);
    *happened += count;
  }
  for (int i = 0; i < n; i++) u->met[i] = 0;
  return rc;
}

/* After event k, whose condition rose or fell at a root: rounding can leave it on the side from
 * which it came, and it would happen again. A margin of more than that is no rounding: the event,
 * or a jump, has changed it. */
static int keep_side(ns_user_events *u, ns_ctx *c, int k, int did)
{
  double condition[2], *s = slots(u, k);
  int rc = observe(u, c, u->x);
  if (!rc) rc = look(u, c, k, condition);
  if (rc) return rc;
  if (fabs(condition[1]) <= least(u, k)) s[NS_USER_HOLDS] = did != NS_USER_FALLS;
  hold_side(u, k, condition);
  return NS_OK;
}

int ns_user_events_meets(const ns_user_events *u, ns_ctx *c, int i)
{
  const ns_user_event *e = &u->m->user_events[u->root[i]];
  double condition[2];
  if (!e->level || reads_multipliers(&e->when) || look(u, c, u->root[i], condition)) return 0;
  return condition[0] == 0 && condition[1] == 0;
}

int ns_user_events_fired(ns_user_events *u, ns_ctx *c, const ns_user_driver *d,
                         const unsigned char *fired, int *stopped)
{
  double t = *u->x->t;
  int rc = NS_OK, any = 0, count;
  for (int k = 0; k < u->m->nuser_events; k++) u->acts[k] = u->early[k] = 0;
  for (int i = 0; i < u->nroots; i++) {
    const ns_user_event *e = &u->m->user_events[u->root[i]];
    any |= u->acts[u->root[i]] = fired[i] && t >= e->from && t <= e->until;
    u->early[u->root[i]] = fired[i] == NS_USER_MEETS;
  }
  if (any) rc = happen_together(u, c, d, 0, &count, stopped);
  for (int i = 0; i < u->nroots && !rc && !*stopped; i++)
    if (u->acts[u->root[i]]) rc = keep_side(u, c, u->root[i], fired[i]);
  return rc;
}

int ns_user_events_due(ns_user_events *u, ns_ctx *c, const ns_user_driver *d, double until,
                       int *stopped)
{
  int rc = NS_OK, count;
  while (!rc && !*stopped && ns_user_events_next(u, NULL) <= until) {
    for (int k = 0; k < u->m->nuser_events; k++) {
      const ns_user_event *e = &u->m->user_events[k];
      u->acts[k] = e->when.value.how == NS_OP_ABSENT &&
                   scheduled(e, slots(u, k)[NS_USER_TURN]) <= until;
    }
    rc = happen_together(u, c, d, 0, &count, stopped);
  }
  return rc;
}

/* ---- on a grid ------------------------------------------------------------------------------- */

/* Time at which a margin is zero that goes linearly from a at t0 to b at t1; t1 where it keeps its
 * sign, or is zero all the way. */
static double zero_of_margin(double t0, double a, double t1, double b)
{
  int keeps_sign = !(a <= 0 && b >= 0) && !(a >= 0 && b <= 0);
  if (keeps_sign || a == b) return t1;
  return t0 + a / (a - b) * (t1 - t0);
}

static int is_in_window(const ns_user_event *e, double t) { return t >= e->from && t <= e->until; }

/* When the condition of event k changed between the last state and this one, +inf: it did not, or
 * the other way. */
static double changed_at(const ns_user_event *e, const double *s, double t0, double t1,
                         const double condition[2])
{
  int held = s[NS_USER_HOLDS] != 0, holds = condition[0] != 0;
  if (held == holds || e->direction == (held ? 1 : -1)) return INFINITY;
  double t = zero_of_margin(t0, s[NS_USER_MARGIN], t1, condition[1]);
  return is_in_window(e, t) ? t : INFINITY;
}

/* Due times of all events between the last state and this one; conditions of this one are kept. */
static int find_due(ns_user_events *u, ns_ctx *c)
{
  double t0 = u->x->user[NS_USER_TIME], t1 = *u->x->t, condition[2];
  int rc = u->nroots ? observe(u, c, u->x) : NS_OK;
  for (int k = 0; k < u->m->nuser_events && !rc; k++) {
    const ns_user_event *e = &u->m->user_events[k];
    double *s = slots(u, k);
    rc = look(u, c, k, condition);
    u->due[k] = e->when.value.how == NS_OP_ABSENT ? scheduled(e, s[NS_USER_TURN])
                                                  : changed_at(e, s, t0, t1, condition);
    s[NS_USER_HOLDS] = condition[0] != 0;
    s[NS_USER_MARGIN] = condition[1];
  }
  return rc;
}

/* The event that is due first, -1: none until t. */
static int first_due(const ns_user_events *u, double t)
{
  int first = -1;
  for (int k = 0; k < u->m->nuser_events; k++)
    if (u->due[k] <= t && (first < 0 || u->due[k] < u->due[first])) first = k;
  return first;
}

/* All that are due, in order; none after one that stops the run. */
static int happen(ns_user_events *u, ns_ctx *c, ns_recorder *rec, ns_user_outcome *out)
{
  double t = *u->x->t, until = t + 1e-9 * u->m->sim.ts.h;
  int k, rc = NS_OK;
  while (!rc && !out->stop && (k = first_due(u, until)) >= 0) {
    const ns_user_event *e = &u->m->user_events[k];
    rc = ns_user_events_happened(u, c, rec, k, u->due[k], out);
    u->due[k] = e->when.value.how == NS_OP_ABSENT ? scheduled(e, slots(u, k)[NS_USER_TURN])
                                                  : INFINITY;
  }
  u->x->user[NS_USER_TIME] = t;
  return rc;
}

int ns_user_events_step(ns_user_events *u, ns_ctx *c, ns_recorder *rec, ns_user_outcome *out)
{
  int rc = find_due(u, c);
  return rc ? rc : happen(u, c, rec, out);
}

int ns_user_events_warn(ns_user_events *u, ns_ctx *c)
{
  double condition[2];
  int rc = u->x->user[NS_USER_BEGUN] == 0 && u->nroots ? observe(u, c, u->x) : NS_OK;
  for (int i = 0; i < u->nroots && !rc && u->x->user[NS_USER_BEGUN] == 0; i++) {
    const ns_user_event *e = &u->m->user_events[u->root[i]];
    rc = look(u, c, u->root[i], condition);
    if (rc || e->stop || e->level || e->resets_memory || e->direction != 1 || condition[0] == 0 ||
        *u->x->t < e->from)
      continue;
    ns_warn_at(
        c, &e->at,
        "its condition is already true at t0, which does not trigger it; it occurs when "
        "the condition becomes true again; start from the state that it sets, or add an event "
        "at=\"%.10g\"",
        *u->x->t);
  }
  return rc;
}

/* Multipliers of the start are not known yet: a level that reads them acts after the first step. */
static int acts_at_start(const ns_user_event *e)
{
  return e->level && !(e->when.value.uses >> NS_BANK_LAMBDA & 1u);
}

/* When event e is due at the start t, where its condition is known. */
static double due_at_start(const ns_user_event *e, double turn, double t, int holds)
{
  if (e->when.value.how == NS_OP_ABSENT) return scheduled(e, turn);
  int acts = (e->stop || acts_at_start(e)) && e->direction >= 0;
  return acts && holds && is_in_window(e, t) ? t : INFINITY;
}

/* Nothing is scheduled before the run, and what a condition was then is what it is now. */
int ns_user_events_begin(ns_user_events *u, ns_ctx *c, ns_recorder *rec, ns_user_outcome *out)
{
  if (!u || u->x->user[NS_USER_BEGUN] != 0) return NS_OK;
  double t = *u->x->t, slack = 1e-9 * u->m->sim.ts.h, condition[2];
  int rc = observe(u, c, u->x);
  for (int k = 0; k < u->m->nuser_events && !rc; k++) {
    const ns_user_event *e = &u->m->user_events[k];
    double *s = slots(u, k);
    rc = look(u, c, k, condition);
    s[NS_USER_TURN] = over(e, t - slack);
    u->due[k] = due_at_start(e, s[NS_USER_TURN], t, condition[0] != 0);
    s[NS_USER_HOLDS] = condition[0] != 0 && !e->level;
    s[NS_USER_MARGIN] = condition[1];
  }
  u->x->user[NS_USER_BEGUN] = 1;
  return rc ? rc : happen(u, c, rec, out);
}
