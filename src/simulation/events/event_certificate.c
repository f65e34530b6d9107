/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/event_certificate.h"

#include "algebra/dense.h"
#include "base/arena.h"
#include "base/grow.h"
#include "integrators/dormand_prince.h"
#include "integrators/extrapolation.h"
#include "model/owned.h"
#include "simulation/events/branches.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  STEP = NS_DORMAND_PRINCE_STAGES + 1, /* evaluations for a step and the point that it ends at */
  SHARE = 5,                           /* evaluations of the integrator for each of them */
  TRIES = 6,                           /* steps of an interval, those that are made again counted */
  /* the same where little was spent so far, as at a force that jumps */
  MORE = 120,
  MATRIX = NS_DENSE_SMALL, /* most unknowns of a dense Jacobian */
  /* evaluations that are little whatever the integrator needed */
  GRANT = 3000,
  STRIDES = GRANT / STEP, /* of a run: what a force that comes and goes is seen by */
  /* steps of the implicit method: an interval that is not stiff */
  FEW = 3,
  LONGER = 8, /* times: a stiff interval */
  /* steps in a row made again behind a good one: no smooth motion */
  COLLAPSE = 6,
  FAR = 10, /* times the evaluations of the integrator */
  /* steps that an interval is travelled in anew before it is found wrong, at least */
  SHORT = 50,
  CAREFUL = 20 * SHORT /* the same, at most */
};
static const double LITTLE = 1; /* of the integrator's evaluations */
/* of an interval: its first step, which may be shorter the next time */
static const double MIN = 0.05;
/* defect in weights: what local errors within tolerance grow to */
static const double ALLOWED = 1e4;
/* of an interval: what errors within tolerance shift the time of a steep motion by */
static const double AHEAD = 1e-3;
static const double LATE = 200 * DBL_EPSILON;  /* of time and interval: roots are found within it */
static const double SPECK = 1e4 * DBL_EPSILON; /* of time: an interval that is one step */
static const double OWN = 10;                  /* error of the method itself, in weights */
static const double OWN_CAREFUL = 0.01;        /* the same before an interval is found wrong */

struct ns_event_certificate {
  ns_certified what;
  ns_dormand_prince method;
  /* where the former fails for an implicit flow; n = 0: too many unknowns */
  ns_extrapolation stiff;
  int is_stiff; /* it did in this interval or the one before */
  /* that a step may be where an interval is travelled anew, s; 0: it is not */
  double longest;
  double accepts; /* error of a step, in weights */
  ns_arena *mem;
  int running;                /* an interval has begun */
  double t0;                  /* where, s */
  long long rates;            /* evaluations of the integrator then */
  double length;              /* that a step had last, s; 0: none yet */
  double first, last;         /* s: rates are evaluated within them */
  double *own;                /* known times that are its own; NULL: they are borrowed */
  const double *known;        /* times at which formulas change [nknown] */
  size_t nknown, ahead;       /* the first that does not come before the present interval */
  double *x0;                 /* state there [n] */
  double *at, *next;          /* where the method is, and the next point [n] */
  double *weight;             /* [n] */
  double *small;              /* that differences for a Jacobian are taken by at x = 0 [n] */
  double *angle0, *angle_now; /* at t0, and those of the run [nangles] */
};

/* ---- creation -------------------------------------------------------------------------------- */

void ns_event_certificate_destroy(ns_event_certificate *o)
{
  if (!o) return;
  free(o->own);
  ns_arena_destroy(o->mem);
}

static int is_implicit(const ns_event_certificate *o)
{
  return o->what.flow->options->method != NS_FLOW_ADAMS || o->what.fixed;
}

static int get_memory(ns_event_certificate *o)
{
  size_t n = o->what.flow->n;
  double **const to[] = {&o->x0, &o->at, &o->next, &o->weight, &o->small, &o->method.point};
  for (size_t i = 0; i < sizeof to / sizeof *to; i++)
    if (!(*to[i] = ns_arena_zero(o->mem, n + 1, sizeof **to[i]))) return NS_NOMEM;
  o->angle0 = ns_arena_zero(o->mem, 2 * o->what.nangles + 1, sizeof *o->angle0);
  if (!o->angle0) return NS_NOMEM;
  o->angle_now = o->angle0 + o->what.nangles;
  o->method.k = ns_arena_zero(o->mem, NS_DORMAND_PRINCE_STAGES * n + 1, sizeof *o->method.k);
  if (!o->method.k) return NS_NOMEM;
  o->stiff.n = is_implicit(o) && n <= MATRIX ? n : 0;
  return o->stiff.n ? ns_extrapolation_init(&o->stiff, o->mem) : NS_OK;
}

/* At both ends formulas of time may jump, of which one side is that of the interval. */
static int rate(void *self, double t, const double *x, double *f)
{
  const ns_event_certificate *o = self;
  o->what.to->certificate_rates++;
  return o->what.flow->rate(o->what.flow->of, fmin(fmax(t, o->first), o->last), x, f);
}

int ns_event_certificate_create(ns_ctx *c, const ns_certified *what, ns_event_certificate **self)
{
  *self = NULL;
  if (what->flow->options->certificate == NS_CERTIFICATE_OFF) return NS_OK;
  ns_event_certificate *o = NS_ARENA_OBJECT(ns_event_certificate, mem);
  if (!o) return ns_nomem(c, "certificate");
  o->what = *what;
  o->accepts = OWN;
  if (get_memory(o)) {
    ns_event_certificate_destroy(o);
    return ns_nomem(c, "certificate");
  }
  o->method.of = o;
  o->method.n = what->flow->n;
  o->method.rate = o->stiff.rate = rate;
  o->stiff.of = o;
  *self = o;
  return NS_OK;
}

/* ---- what is told ---------------------------------------------------------------------------- */

static void keep_max(double *max, double x)
{
  if (x > *max) *max = x;
}

static int broken(ns_event_certificate *o, ns_ctx *c, double t, const ns_breach *b,
                  const char *when)
{
  char at[512];
  const char *whose = o->what.place(o->what.of, b->row, at);
  return ns_fail(c, NS_NUMERIC,
                 "%s: the certificate does not hold: %s t = %.10g s %s %.4g %s, %.2g times the "
                 "tolerances; the results up to there are kept; use smaller tolerances or, if this "
                 "is intended, certificate=\"off\"",
                 whose, when, t, b->what, b->value, b->unit, b->by);
}

int ns_event_certificate_laws(ns_event_certificate *o, ns_ctx *c, double t, const ns_breach *b)
{
  if (!o) return NS_OK;
  keep_max(&o->what.to->law_breach, b->by);
  return b->by > 1 ? broken(o, c, t, b, "at") : NS_OK;
}

int ns_event_certificate_event(ns_event_certificate *o, ns_ctx *c, double t, const ns_breach *b)
{
  if (!o) return NS_OK;
  keep_max(&o->what.to->event_breach, b->by);
  return b->by > 1 ? broken(o, c, t, b, "in the event at") : NS_OK;
}

static int departed(ns_event_certificate *o, ns_ctx *c, double t, const double *x, size_t i,
                    double by)
{
  char name[256], place[NS_FLOW_PLACE];
  const ns_flow_problem *p = o->what.flow;
  return ns_fail(c, NS_NUMERIC,
                 "%sthe certificate does not hold: from t = %.10g s to %.10g s %s has reached "
                 "%.10g, but its equations give %.10g, a difference of %.2g times the tolerances; "
                 "the results up to there are kept; look for forces or inputs that jump or are "
                 "short, and set a maxStep or smaller tolerances",
                 ns_flow_at(p, i, place), o->t0, t, p->name(p->of, i, name, sizeof name), x[i],
                 o->at[i], by);
}

/* ---- an interval ----------------------------------------------------------------------------- */

/* As fmax, which is a call. */
static double larger(double a, double b) { return a > b || isnan(b) ? a : b; }

/* Weights of an interval to x at t, where its rate began with k; the larger of what they were at
 * points before. */
static void weigh(ns_event_certificate *o, double length, const double *x)
{
  const ns_flow_problem *p = o->what.flow;
  double rtol = p->options->rtol;
  for (size_t i = 0; i < p->n; i++) {
    /* by the rounding of t */
    double rate = fabs(o->method.k[i]), blurred = DBL_EPSILON * fabs(o->t0) * rate;
    double w = p->atol[i] + rtol * (larger(fabs(x[i]), fabs(o->at[i])) + length * rate) + blurred;
    o->weight[i] = larger(o->weight[i], i < o->what.judged ? w : NS_FLOW_FREE);
  }
}

/* What the method may have made of its own tolerance. */
static double own_error(const ns_event_certificate *o)
{
  double max = 0;
  for (size_t i = 0; i < o->what.judged; i++)
    if (o->weight[i] > max) max = o->weight[i];
  return OWN * TRIES * max;
}

/* The rate at o->at, the first of the method's, and the laws there; at an event one of them is at
 * an end. */
static int look(ns_event_certificate *o, ns_ctx *c, double t, int laws)
{
  ns_breach b = {0};
  if (o->what.nangles) o->what.passed(o->what.of, o->at);
  int rc = rate(o, t, o->at, o->method.k);
  if (!rc) weigh(o, 0, o->at); /* the state that an interval begins with has its errors, too */
  if (!rc && laws) rc = o->what.laws(o->what.of, t, o->at, own_error(o), &b);
  return rc ? rc : ns_event_certificate_laws(o, c, t, &b);
}

static int has_spent_little(const ns_event_certificate *o, long long rates)
{
  return o->what.to->certificate_rates < GRANT + LITTLE * (double)rates;
}

/* How an interval was travelled. */
typedef struct trip {
  double end;
  int max, event;  /* steps it may take; whether it ends at an event */
  double stride;   /* that a step may be, s */
  int came, steps; /* it got there; steps that it took, those made again counted */
  /* steps in a row that were made again: now, the most behind one that was good */
  int row, longest;
} trip;

/* Of each unknown: what is small beside it in a step of length h, so that differences by it are not
 * rounding: below the absolute tolerance by the relative one, x is as near to zero as it can be
 * known. */
static void size_of_differences(ns_event_certificate *o, double h)
{
  static const double FREE = 1e-8; /* rates do not depend on it */
  const ns_flow_problem *p = o->what.flow;
  for (size_t i = 0; i < p->n; i++)
    o->small[i] = p->atol[i] < NS_FLOW_FREE
                      ? larger(p->atol[i] / p->options->rtol, h * fabs(o->method.k[i]))
                      : FREE;
}

/* A step by the method of this interval; *order: of its error. */
static int step_by(ns_event_certificate *o, double t, double h, double *order, double *error)
{
  if (!o->is_stiff) {
    *order = NS_DORMAND_PRINCE_ORDER;
    return ns_dormand_prince_step(&o->method, t, h, o->at, o->weight, o->next, error);
  }
  *order = NS_EXTRAPOLATION_COLUMNS;
  size_of_differences(o, h);
  int rc = ns_extrapolation_jacobian(&o->stiff, t, o->at, o->method.k, o->small);
  return rc ? rc : ns_extrapolation_step(&o->stiff, t, h, o->at, o->weight, o->next, error);
}

/* One step of length h from t, or a shorter one the next time. */
static int advance(ns_event_certificate *o, ns_ctx *c, trip *p, double *t, double *h)
{
  double left = p->end - *t, error = INFINITY, order;
  if (*h > 0.99 * left) *h = left;
  int last = *h == left, rc = step_by(o, *t, *h, &order, &error);
  if (rc < 0) return rc;
  error = rc ? INFINITY : error / o->accepts;
  if (error > 1) {
    p->row++;
    if (*t > o->t0 && p->row > p->longest) p->longest = p->row;
    *h *= fmax(0.1, 0.9 * pow(error, -1 / order));
    return NS_OK;
  }
  p->row = 0;
  *t = last ? p->end : *t + *h;
  memcpy(o->at, o->next, o->method.n * sizeof *o->at);
  *h *= error > 0 ? fmin(5, 0.9 * pow(error, -1 / order)) : 5;
  *h = fmin(*h, p->stride);
  return look(o, c, *t, !p->event || !last);
}

/* Step by step, laws at each. */
static int travel(ns_event_certificate *o, ns_ctx *c, const double *x, trip *p)
{
  double t = o->t0, whole = p->end - t, h = fmin(fmax(o->length, MIN * whole), whole);
  h = fmin(h, p->stride);
  if (o->longest > 0) h = o->longest;
  if (whole <= SPECK * fabs(p->end)) h = whole; /* parts of it would be lost in the rounding of t */
  /* what ends as soon as it begins has no inside, but the time that its event is known to */
  int rc = look(o, c, t, !p->event || o->first < o->last);
  for (int i = 0; i < p->max && !rc && t < p->end; i++) {
    weigh(o, p->end - o->t0, x);
    rc = advance(o, c, p, &t, &h);
    p->steps = i + 1;
  }
  p->came = !rc && t >= p->end;
  o->length = h;
  return rc;
}

/* Time by which the state is best on the path of the method, s. */
static double lead(const ns_event_certificate *o, double length, const double *x)
{
  double along = 0, size = 0;
  for (size_t i = 0; i < o->what.judged; i++) {
    double rate = o->method.k[i] / o->weight[i];
    along += (x[i] - o->at[i]) / o->weight[i] * rate;
    size += rate * rate;
  }
  double max = AHEAD * length;
  return size > 0 ? fmax(-max, fmin(along / size, max)) : 0;
}

/* How far the state is from what the method has come to, in what is allowed; *worst: in which
 * unknown. */
static double defect(ns_event_certificate *o, double t, const double *x, size_t *worst)
{
  double max = 0;
  *worst = 0;
  weigh(o, t - o->t0, x);
  int path = o->what.is_steep && o->what.is_steep(o->what.of);
  double dt = path ? lead(o, t - o->t0, x) : 0;
  for (size_t i = 0; i < o->what.judged; i++) {
    double by = fabs(x[i] - o->at[i] - dt * o->method.k[i]) / (ALLOWED * o->weight[i]);
    if (by > max) max = by, *worst = i;
  }
  return max;
}

static int try(ns_event_certificate *o, ns_ctx *c, const double *x, trip *p);

/* The interval anew, by short steps whose errors are at most `own` weights. */
static int travel_finely(ns_event_certificate *o, ns_ctx *c, const double *x, double own, trip *p)
{
  double length = o->length;
  o->longest = o->length = p->stride = (p->end - o->t0) / SHORT;
  o->accepts = own;
  p->max = CAREFUL;
  int rc = try(o, c, x, p);
  o->longest = 0;
  o->accepts = OWN;
  o->length = fmin(length, o->length);
  return rc;
}

/* The state against what the method has come to. A step of the method that is as long as what moves
 * the systems may be far off though its two rules agree, by chance: so nothing is found wrong
 * before short steps and a stricter tolerance have come to the same, or where rates are too noisy
 * for that, short steps alone. */
static int compare(ns_event_certificate *o, ns_ctx *c, double t, const double *x, int event)
{
  size_t worst;
  double max = defect(o, t, x, &worst);
  int rc = 0, doubtful = max > 1 && !o->what.fixed;
  trip again = {.end = t, .event = event};
  if (doubtful) rc = travel_finely(o, c, x, OWN_CAREFUL, &again);
  if (doubtful && rc >= 0 && !again.came) rc = travel_finely(o, c, x, OWN, &again);
  if (rc < 0) return rc;
  if (again.came) max = defect(o, t, x, &worst);
  keep_max(&o->what.to->motion_defect, max);
  o->what.to->checked += t - o->t0;
  return max > 1 && !o->what.fixed ? departed(o, c, t, x, worst, max) : NS_OK;
}

/* The integrator has passed over what the method cannot pass: a stiff motion, where it is implicit;
 * else a jump. */
static int passed_over(const ns_event_certificate *o, const trip *p, double spent, long long rates)
{
  return p->max >= MORE && (p->longest >= COLLAPSE || !is_implicit(o)) &&
         spent > FAR * (double)rates;
}

/* The state at its end is that at its begin, within what an interval may be wrong by: so short a
 * one, as the last before a contact stops that slides, says nothing. */
static int stands_still(const ns_event_certificate *o, const double *x)
{
  const ns_flow_problem *p = o->what.flow;
  for (size_t i = 0; i < o->what.judged; i++) {
    double w = p->atol[i] + p->options->rtol * fmax(fabs(x[i]), fabs(o->x0[i]));
    if (fabs(x[i] - o->x0[i]) > ALLOWED * w) return 0;
  }
  return 1;
}

static int tell_passed_over(const ns_event_certificate *o, ns_ctx *c, double t, const double *x,
                            long long rates, double spent)
{
  char at[NS_FLOW_PLACE];
  int rc = ns_flow_blame(o->what.flow, c, t,
                         x); /* it may have ended where a formula is not finite */
  if (rc) return rc;
  return ns_fail(c, NS_NUMERIC,
                 "%s: the certificate does not hold: the integrator went from t = %.10g s to %.10g "
                 "s with %lld evaluations, too few for the %.0f needed to resolve it: a force or "
                 "an input jumps there; the results up to there are kept; give a maxStep",
                 o->what.place(o->what.of, -1, at), o->t0, t, rates, spent);
}

/* Once more, with laws as they come on the way. */
static int try(ns_event_certificate *o, ns_ctx *c, const double *x, trip *p)
{
  if (o->what.nangles) memcpy(o->what.angle, o->angle0, o->what.nangles * sizeof *o->angle0);
  memset(o->weight, 0, o->method.n * sizeof *o->weight);
  memcpy(o->at, o->x0, o->method.n * sizeof *o->at);
  return travel(o, c, x, p);
}

/* Where little was spent so far a step is no longer than a part of the run: an integrator of a
 * motion without forces has steps as long as it, and so would this method, by its error, and
 * neither would see a force that comes and goes within them. */
static trip plan(const ns_event_certificate *o, double t, long long rates, int event)
{
  trip p = {.end = t, .max = TRIES, .event = event, .stride = INFINITY};
  if (!has_spent_little(o, rates)) return p;
  p.max = MORE;
  if (o->what.flow->stride > 0 && !o->what.fixed) {
    p.stride = o->what.flow->stride;
    p.max += (int)ceil(fmin((t - o->t0) / o->what.flow->stride, STRIDES));
  }
  return p;
}

static int check(ns_event_certificate *o, ns_ctx *c, double t, const double *x, long long rates,
                 int event)
{
  trip p = plan(o, t, rates, event);
  int little = has_spent_little(o, rates);
  double before = o->what.to->certificate_rates;
  o->first = o->t0 + LATE * (fabs(t) + t - o->t0);
  o->last = fmax(o->first, t - LATE * (fabs(t) + t - o->t0));
  int was_stiff = o->is_stiff, rc = try(o, c, x, &p);
  if (rc >= 0 && !p.came && !was_stiff && p.longest < COLLAPSE && o->stiff.n && little) {
    o->is_stiff = 1;
    o->length = 0;
    rc = try(o, c, x, &p);
  }
  if (was_stiff && p.came && p.steps < FEW) o->is_stiff = 0; /* perhaps no longer */
  if (rc < 0) return rc;
  if (p.came) return compare(o, c, t, x, event);
  if (stands_still(o, x)) return NS_OK;
  double spent = o->what.to->certificate_rates - before;
  return passed_over(o, &p, spent, rates - o->rates)
             ? tell_passed_over(o, c, t, x, rates - o->rates, spent)
             : NS_OK;
}

int ns_event_stride(ns_ctx *c, const ns_model *m, double *stride)
{
  int moves = ns_motion_has_formulas(m);
  *stride = moves > 0 ? (m->sim.T - m->sim.t0) / STRIDES : 0;
  return moves < 0 ? ns_nomem(c, "certificate") : NS_OK;
}

void ns_event_certificate_known(ns_event_certificate *o, const double *times, size_t n)
{
  if (!o) return;
  o->known = times;
  o->nknown = n;
}

/* Times as they come, of switches that nothing but t moves. */
typedef struct schedule {
  const ns_frozen *z;
  double *t;
  size_t n;
} schedule;

static int moves_by_time_alone(const ns_frozen *z, size_t k)
{
  for (int i = 0; i < z->nowners; i++) {
    const ns_frozen_owner *w = &z->owner[i];
    if (k >= w->first && k < w->first + (size_t)w->of->n) return !w->of->item[k - w->first].depends;
  }
  return 0;
}

static int take(void *to, double t, int k)
{
  enum { MAX = 1 << 20 };
  schedule *s = to;
  if (!moves_by_time_alone(s->z, (size_t)k)) return 0;
  if (ns_grow(&s->t, s->n)) return NS_NOMEM;
  s->t[s->n++] = t;
  return s->n == MAX;
}

int ns_event_certificate_schedule(ns_event_certificate *o, ns_ctx *c, const ns_model *m,
                                  const ns_state *x)
{
  ns_frozen *z = (ns_frozen *)m->frozen; /* its formulas read other branches for a moment */
  if (!o || !z) return NS_OK;
  schedule s = {.z = z};
  int rc = ns_branches_times(c, z, take, &s);
  ns_frozen_attach(z, x->branch);
  free(o->own);
  o->own = s.t;
  ns_event_certificate_known(o, s.t, s.n);
  if (rc > 0) return NS_OK;
  return rc == NS_NOMEM ? ns_nomem(c, "certificate") : rc;
}

/* No known time lies inside the interval to t. */
static int covered(ns_event_certificate *o, ns_ctx *c, double t)
{
  double near = LATE * fmax(fabs(o->t0), fabs(t));
  while (o->ahead < o->nknown && o->known[o->ahead] <= o->t0 + near) o->ahead++;
  if (o->ahead == o->nknown || o->known[o->ahead] >= t - near) return NS_OK;
  char at[NS_FLOW_PLACE];
  return ns_fail(c, NS_NUMERIC,
                 "%s: the certificate does not hold: a formula of time jumps or has a corner at t "
                 "= %.17g s, but the run has no event there: it integrated from t = %.10g s to "
                 "%.10g s without interruption; the results up to there are kept",
                 o->what.place(o->what.of, -1, at), o->known[o->ahead], o->t0, t);
}

void ns_event_certificate_begin(ns_event_certificate *o, double t, const double *x, long long rates)
{
  if (!o) return;
  o->running = 1;
  o->t0 = t;
  o->rates = rates;
  memcpy(o->x0, x, o->method.n * sizeof *x);
  if (o->what.nangles) memcpy(o->angle0, o->what.angle, o->what.nangles * sizeof *o->angle0);
}

int ns_event_certificate_check(ns_event_certificate *o, ns_ctx *c, double t, const double *x,
                               long long rates, int event)
{
  if (!o || !o->running || t <= o->t0) return NS_OK;
  if (covered(o, c, t)) return NS_NUMERIC;
  if (o->what.flow->options->certificate == NS_CERTIFICATE_LAWS) return NS_OK;
  if (!event && rates - o->rates < SHARE * STEP * (o->is_stiff ? LONGER : 1)) return NS_OK;
  size_t angles = o->what.nangles * sizeof *o->angle0;
  if (angles) memcpy(o->angle_now, o->what.angle, angles);
  int rc = check(o, c, t, x, rates, event);
  if (angles) memcpy(o->what.angle, o->angle_now, angles);
  if (!rc) ns_event_certificate_begin(o, t, x, rates);
  return rc;
}

/* ---- checkpoints: what was learned of its steps ---------------------------------------------- */

void ns_event_certificate_save(const ns_event_certificate *o, ns_blob *b)
{
  if (!o) return;
  ns_blob_put_reals(b, &o->length, 1);
  ns_blob_put(b, &o->is_stiff, sizeof o->is_stiff);
}

void ns_event_certificate_restore(ns_event_certificate *o, ns_blob *b)
{
  if (!o) return;
  ns_blob_get_reals(b, &o->length, 1);
  ns_blob_get(b, &o->is_stiff, sizeof o->is_stiff);
  o->ahead = 0; /* of the restored time */
}
