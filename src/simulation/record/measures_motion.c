/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measures_motion.c -- what measures make of a smooth motion that can be shown at any moment.
 *
 * Each has a function of time that it needs to know: its formula, the square of that, or the margin
 * of its condition. The mean of it over a part of the motion is taken by Lobatto's rule with 4
 * points and by Kronrod's extension of that with 7 [Gander2000, section 4],
 *
 *   Q4 = (F0 + F6 + 5 (F2 + F4)) / 12
 *   Q7 = (77 (F0 + F6) + 432 (F1 + F5) + 625 (F2 + F4) + 672 F3) / 2940
 *
 * and the part is halved until D = |Q4 - Q7| / max |F|, that of the run so far, is so small that
 * D^(3/2), which is above the error of Q7, times the length of the part is the run's relative
 * tolerance of the motion's length. A corner of F, as of |v|, can lie where Q4 and Q7 agree by
 * chance: the same is asked of
 *
 *   E = (7 (F6 - F0) - 12 sqrt(3/2) (F5 - F1) + 5 sqrt(5) (F4 - F2)) / (7 * 9.394),
 *
 * 0 for polynomials of degree 4, as the former is for those of degree 5, with E^2: one of the two
 * sees it [Berntsen1991, null rules]. Corners of a formula are halved DEPTH times at most; what is
 * halved in one motion is bounded, too: where that is not enough, a warning says so. Differences as
 * small as absolute tolerances and rounding of the state make them say nothing, nor do those that a
 * function has between instants next to each other, as the voltage of a diode that conducts, which
 * is rounding: among them neither parts nor extremes are looked for. Integrals are those of Q7;
 * extremes are found between nodes by the golden section.
 *
 * Conditions and bands are followed from one change of their margin to the next (sign_change.h),
 * whatever the parts are; each change is located by bisection and secants. Samples are taken at
 * their times.
 *
 * [Gander2000] W. Gander, W. Gautschi, Adaptive quadrature - revisited, BIT 40 (2000) 84-101.
 * [Berntsen1991] J. Berntsen, T. O. Espelid, Error estimation in automatic quadrature routines, ACM
 * TOMS 17 (1991) 233-252. */
#include "algebra/vector.h"
#include "simulation/record/measures_parts.h"

#include "algebra/sign_change.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { NODES = NS_MEASURES_NODES, DEPTH = NS_MEASURES_DEPTH, HALVINGS = 1 << 16 };
enum { DEEP = 12, OFTEN = 8 }; /* of parts, changes in one motion: it may be rounding */
enum { CHANGES = 1 << 16 };    /* of a condition, in one motion */
enum { SIDE = 4 };             /* instants on each side of one */

/* of the part: linear in between, a change is wrong by its square */
static const double BRACKET = 1e-6;
static const double TIGHTEST = 1e-12;
static const double TRACE = 1e-300; /* for a margin of 0: beside other values it is nothing */

typedef struct motion {
  ns_measures *k;
  ns_ctx *c;
  const ns_passage *of;
  double allowed; /* error of Q7 times length, s */
  int halvings;   /* so many more */
  double from;    /* its begin, s */
  int of_parts;   /* some measure needs its parts */
  int has_inner;  /* all were read at the inner places of searches */
} motion;

/* ---- moments --------------------------------------------------------------------------------- */

static int show_state(const motion *w, double t)
{
  int rc = w->of->place(w->of->of, t);
  return rc || !w->k->observe ? rc : ns_observables_eval(w->k->o, w->c, w->k->x);
}

static int read_one(const motion *w, int i, double t, ns_reading *r)
{
  int rc = show_state(w, t);
  return rc ? rc : ns_measures_read(w->k, w->c, &w->k->m->measures[i], w->k->x, r);
}

static int read_all(const motion *w, double t, ns_reading *r)
{
  int rc = show_state(w, t);
  for (int i = 0; i < w->k->m->nmeasures && !rc; i++)
    rc = ns_measures_read(w->k, w->c, &w->k->m->measures[i], w->k->x, &r[i]);
  return rc;
}

/* It waits for its condition, or for the edge of its band. */
static int waits(const ns_measure *s)
{
  return s->when.value.how != NS_OP_ABSENT || s->kind->flags & NS_MEASURE_BAND;
}

/* It tells of its function between the nodes. */
static int is_of_parts(const ns_measure *s)
{
  return (s->kind->flags &
          (NS_MEASURE_INTEGRAL | NS_MEASURE_SQUARE | NS_MEASURE_MIN | NS_MEASURE_LARGEST)) != 0;
}

/* Above 0 on one side of what a measure waits for, below on the other. */
static double margin(const ns_measure *s, const ns_reading *r)
{
  double off = r->f - s->target;
  if (s->kind->flags & NS_MEASURE_BAND) return (s->band - off) * (s->band + off);
  if (r->margin == 0) return r->holds ? TRACE : -TRACE;
  return r->margin;
}

/* The function that a measure follows, at one moment. */
static double shown(const ns_measure *s, const ns_reading *r)
{
  if (waits(s)) return margin(s, r);
  return s->kind->flags & NS_MEASURE_SQUARE ? r->f * r->f : r->f;
}

/* Once for each measure. */
static void warn_of(const motion *w, int i, const char *what)
{
  const ns_measure *s = &w->k->m->measures[i];
  if (w->k->warned[i]) return;
  w->k->warned[i] = 1;
  ns_warn_at(w->c, &s->at,
             "%s too often to be resolved between two instants of the run, near t = %.6g; its "
             "value may be wrong; use a smaller h of <EventDriven>",
             what, *w->k->x->t);
}

/* Reading of measure i at node j of a part. */
static ns_reading *node(const motion *w, ns_reading *part, int j, int i)
{
  return part + (size_t)j * (size_t)w->k->m->nmeasures + i;
}

/* No moment of the part is in the window of measure i. */
static int is_outside(const motion *w, ns_reading *part, int i)
{
  const ns_measure *s = &w->k->m->measures[i];
  return node(w, part, NODES - 1, 0)->t <= s->from || node(w, part, 0, 0)->t >= s->until;
}

/* ---- rules ----------------------------------------------------------------------------------- */

static void take(const motion *w, ns_reading *part, int i,
                 double (*of)(const ns_measure *, const ns_reading *), double *value)
{
  for (int j = 0; j < NODES; j++) value[j] = of(&w->k->m->measures[i], node(w, part, j, i));
}

static double mean_by_kronrod(const double *f)
{
  double outer = 77 * (f[0] + f[6]) + 432 * (f[1] + f[5]);
  return (outer + 625 * (f[2] + f[4]) + 672 * f[3]) / 2940;
}

/* D: what is even about the middle. */
static double even_null_rule(const double *f)
{
  return (f[0] + f[6] + 5 * (f[2] + f[4])) / 12 - mean_by_kronrod(f);
}

/* E: what is odd about it. */
static double odd_null_rule(const double *f)
{
  /* 12 sqrt(3/2), 5 sqrt(5) */
  static const double W1 = 14.696938456699069, W2 = 11.180339887498949;
  return (7 * (f[6] - f[0]) - W1 * (f[5] - f[1]) + W2 * (f[4] - f[2])) / (7 * 9.394);
}

/* ---- rounding -------------------------------------------------------------------------------- */

/* How often function i turns back at instants so far apart around t, by at least half of their
 * differences. */
static int count_turns(const motion *w, int i, double t, double apart, int *turns,
                       double *amplitude)
{
  double f[2 * SIDE + 1], min = INFINITY, max = -INFINITY;
  for (int j = 0; j <= 2 * SIDE; j++) {
    ns_reading r;
    int rc = read_one(w, i, t + (j - SIDE) * apart, &r);
    if (rc) return rc;
    f[j] = shown(&w->k->m->measures[i], &r);
    min = fmin(min, f[j]), max = fmax(max, f[j]);
  }
  double last = f[0], way = 0;
  *amplitude = max - min;
  *turns = 0;
  for (int j = 1; j <= 2 * SIDE; j++) {
    if (!(fabs(f[j] - last) > *amplitude / 2)) continue;
    *turns += way * (f[j] - last) < 0;
    way = f[j] - last, last = f[j];
  }
  return NS_OK;
}

/* What function i is at instants next to each other around t: where it comes and goes among them,
 * such differences are faint. A function that is smooth there, or jumps once, does not. Where what
 * it is computed from has an extreme, rounding stays the same for a while: then it is looked for
 * among instants that are farther apart, where a smooth function may turn once. */
static int find_rounding(const motion *w, int i, double t)
{
  static const double WIDER = 8;
  double next = 4 * DBL_EPSILON * fmax(fabs(w->from), fabs(w->of->to));
  double widest = ldexp(w->of->to - w->from, -DEEP) / (2 * SIDE);
  for (double apart = next; apart == next || apart < widest; apart *= WIDER) {
    int turns, smooth = apart == next ? 0 : 1;
    double amplitude, at = fmin(fmax(t, w->from + SIDE * apart), w->of->to - SIDE * apart);
    if (at - SIDE * apart < w->from) return NS_OK;
    int rc = count_turns(w, i, at, apart, &turns, &amplitude);
    if (rc) return rc;
    if (turns <= smooth) continue;
    w->k->faint[i] = fmax(w->k->faint[i], 4 * amplitude);
    return NS_OK;
  }
  return NS_OK;
}

/* ---- conditions ------------------------------------------------------------------------------ */

static int changes(const ns_measure *s, const ns_reading *p, const ns_reading *r)
{
  int band = (s->kind->flags & NS_MEASURE_BAND) != 0;
  if (!band && p->holds == r->holds) return 0;
  double a = margin(s, p), b = margin(s, r);
  return (a > 0 && b < 0) || (a < 0 && b > 0);
}

/* A short piece of the way from lo to hi in which the margin changes its sign. */
static int isolate(const motion *w, int i, ns_reading *lo, ns_reading *hi)
{
  enum { MAX = 60 };
  const ns_measure *s = &w->k->m->measures[i];
  double enough = fmax(BRACKET * (hi->t - lo->t), 8 * DBL_EPSILON * fabs(hi->t));
  double a = margin(s, lo), b = margin(s, hi);
  for (int k = 0; hi->t - lo->t > enough && a != 0 && b != 0 && k < MAX; k++) {
    double share = k % 2 ? 0.5 : fmin(fmax(a / (a - b), 0.001), 0.999);
    ns_reading m;
    int rc = read_one(w, i, lo->t + share * (hi->t - lo->t), &m);
    if (rc) return rc;
    double at = margin(s, &m);
    if (isnan(at)) return NS_OK;
    int left = (at > 0) == (a > 0);
    *(left ? lo : hi) = m;
    *(left ? &a : &b) = at;
  }
  return NS_OK;
}

/* From p to r, between which the margin changes its sign once or not. */
static int show_piece(const motion *w, int i, const ns_reading *p, const ns_reading *r)
{
  const ns_measure *s = &w->k->m->measures[i];
  double *slot = w->k->x->measured + s->slots;
  ns_reading lo = *p, hi = *r;
  int rc = changes(s, p, r) ? isolate(w, i, &lo, &hi) : NS_OK;
  if (rc) return rc;
  if (lo.t > p->t) ns_measures_show(s, slot, p, &lo, 0);
  ns_measures_show(s, slot, &lo, &hi, 0);
  if (hi.t < r->t) ns_measures_show(s, slot, &hi, r, 0);
  return NS_OK;
}

typedef struct waiting {
  motion *w;
  int i; /* the measure */
} waiting;

/* Inner place j of a search that begins with the motion. */
static double inner_time(const motion *w, int j)
{
  return w->from + ns_sign_node[j] * (w->of->to - w->from);
}

/* All measures there at once, for the first that looks. */
static int read_inner(motion *w)
{
  int rc = NS_OK;
  for (int j = 1; j < NS_SIGN_NODES && !rc; j++)
    if (ns_sign_node[j] < 1) rc = read_all(w, inner_time(w, j), node(w, w->k->inner, j, 0));
  w->has_inner = 1;
  return rc;
}

static int margin_at(void *of, double t, double *g)
{
  const waiting *a = of;
  ns_reading r;
  int rc = NS_OK, known = 1;
  while (known < NS_SIGN_NODES && t != inner_time(a->w, known)) known++;
  if (known == NS_SIGN_NODES) rc = read_one(a->w, a->i, t, &r);
  else if (!a->w->has_inner) rc = read_inner(a->w);
  if (!rc && known < NS_SIGN_NODES) r = *node(a->w, a->w->k->inner, known, a->i);
  *g = rc ? NAN : margin(&a->w->k->m->measures[a->i], &r);
  return rc;
}

/* *r: the state behind the first change of the margin after p, before which there is no other; that
 * at the end of the motion where there is none. */
static int next_change(motion *w, int i, const ns_reading *p, const ns_reading *end, ns_reading *r)
{
  const ns_measure *s = &w->k->m->measures[i];
  waiting of = {w, i};
  ns_sign_search search = {.of = &of,
                           .value = margin_at,
                           .a = p->t,
                           .b = end->t,
                           .ga = margin(s, p),
                           .gb = margin(s, end),
                           .low = w->k->faint[i]};
  ns_sign_found found;
  ns_sign_told told;
  double t, g;
  int rc = ns_sign_change(&search, &found, &t, &g, &told);
  *r = *end;
  if (rc == NS_NUMERIC) warn_of(w, i, "its condition changes");
  if (rc == NS_NUMERIC) return NS_OK;
  return rc || found != NS_SIGN_CHANGED || !(t < end->t) ? rc : read_one(w, i, t, r);
}

/* By the nodes of the whole motion the margin is far from 0, smooth, and not so flat that it may
 * have a peak between them. */
static int is_far(const motion *w, int i)
{
  static const double FAR = 4, ODD = 0.01;
  double f[NODES], min = INFINITY, max = -INFINITY;
  if (!w->of_parts) return 0;
  take(w, w->k->node, i, margin, f);
  for (int j = 0; j < NODES; j++) min = fmin(min, f[j]), max = fmax(max, f[j]);
  double distance = fmax(min, -max), change = max - min;
  double odd = fmax(fabs(even_null_rule(f)), fabs(odd_null_rule(f)));
  return distance > FAR * change && change > NS_SIGN_FLAT * distance && odd < ODD * change;
}

/* The motion from change to change. */
static int show_waiting(motion *w, int i, const ns_reading *begin, const ns_reading *end)
{
  ns_reading p = *begin, r;
  int rc = NS_OK;
  if (is_far(w, i)) return show_piece(w, i, begin, end);
  for (int n = 0; p.t < end->t && !rc; n++, p = r) {
    r = *end;
    if (n == CHANGES) warn_of(w, i, "its condition changes");
    if (n < CHANGES) rc = next_change(w, i, &p, end, &r);
    if (!rc && n >= OFTEN) rc = find_rounding(w, i, r.t);
    if (!rc) rc = show_piece(w, i, &p, &r);
  }
  return rc;
}

/* ---- extremes -------------------------------------------------------------------------------- */

/* 1 for the largest value, -1 for the least. */
static double sense(const ns_measure *s) { return s->kind->flags & NS_MEASURE_LARGEST ? 1 : -1; }

/* Ratio of distances of nodes next to each other, at most: a slope that goes on to a corner between
 * the farther ones leads so much beyond the differences of values. */
static const double UNEVEN = 2.5;

/* Whether a value that differs by that much from those around may be the most so far. */
static int may_be_max(const ns_measure *s, const double *slot, double value, double apart)
{
  return slot[NS_SLOT_COUNT] == 0 || sense(s) * value + apart > sense(s) * slot[NS_SLOT_A];
}

/* *goes: from the end of a part to the node next to it, the function first goes beyond what it is
 * at the end, be it to a vertex or to a corner. */
static int goes_on(const motion *w, int i, const ns_reading *end, const ns_reading *next, int *goes)
{
  static const double BESIDE = 1e-3;
  ns_reading r;
  int rc = read_one(w, i, end->t + BESIDE * (next->t - end->t), &r);
  *goes = !rc && sense(&w->k->m->measures[i]) * (r.f - end->f) > 0;
  return rc;
}

/* The extreme between two moments, by the golden section: *best is where it is. */
static int climb(const motion *w, int i, double from, double to, ns_reading *best)
{
  enum { CUTS = 26 };
  static const double GOLDEN = 0.6180339887498949;
  double sign = sense(&w->k->m->measures[i]);
  ns_reading l, r;
  int rc = read_one(w, i, to - GOLDEN * (to - from), &l);
  if (!rc) rc = read_one(w, i, from + GOLDEN * (to - from), &r);
  for (int k = 0; k < CUTS && !rc; k++) {
    int left = sign * l.f > sign * r.f;
    *(left ? &to : &from) = left ? r.t : l.t;
    *(left ? &r : &l) = left ? l : r;
    double t = left ? to - GOLDEN * (to - from) : from + GOLDEN * (to - from);
    rc = read_one(w, i, t, left ? &l : &r);
  }
  *best = sign * l.f > sign * r.f ? l : r;
  return rc;
}

/* Of a measure that keeps the max: the extreme near node j of a part, if there is one. */
static int show_extreme(const motion *w, ns_reading *part, int j, int i)
{
  const ns_measure *s = &w->k->m->measures[i];
  double *slot = w->k->x->measured + s->slots;
  int before = j > 0 ? j - 1 : j, after = j < NODES - 1 ? j + 1 : j;
  int inside = before < j && j < after;
  const ns_reading *p = node(w, part, before, i), *r = node(w, part, after, i);
  const ns_reading *at = node(w, part, j, i), *third = node(w, part, j == 0 ? 2 : NODES - 3, i);
  double a = sense(s) * (at->f - p->f), b = sense(s) * (at->f - r->f);
  /* a vertex halfway to the next node is above an end that is hardly above that node */
  double apart = inside ? fmax(a, b) : fabs(at->f - third->f);
  if (!(a >= 0 && b >= 0) || !may_be_max(s, slot, at->f, UNEVEN * apart)) return NS_OK;
  if (apart <= w->k->faint[i] || is_outside(w, part, i)) return NS_OK;
  ns_reading best;
  int goes = 1, rc = inside ? NS_OK : goes_on(w, i, at, j == 0 ? r : p, &goes);
  if (rc || !goes) return rc;
  rc = climb(w, i, p->t, r->t, &best);
  if (!rc) ns_measures_show(s, slot, &best, &best, 0);
  return rc;
}

/* ---- a part of the motion -------------------------------------------------------------------- */

static int resolved(const motion *w, ns_reading *part, int i)
{
  double f[NODES], *slot = w->k->x->measured + w->k->m->measures[i].slots;
  if (!is_of_parts(&w->k->m->measures[i]) || is_outside(w, part, i)) return 1;
  double largest = slot[NS_SLOT_LARGEST];
  take(w, part, i, shown, f);
  largest = fmax(largest, ns_max_abs(NODES, f));
  if (!isfinite(largest) || largest == 0) return 1;
  slot[NS_SLOT_LARGEST] = largest;
  double d = fabs(even_null_rule(f)), e = fabs(odd_null_rule(f));
  if (d <= w->k->faint[i] && e <= w->k->faint[i]) return 1;
  d /= largest, e /= largest;
  double length = node(w, part, 6, 0)->t - node(w, part, 0, 0)->t;
  return !(d * sqrt(d) * length > w->allowed) && !(e * e * length > w->allowed);
}

/* The node at which the function is farthest from what it is at most of them. */
static const ns_reading *odd_one(const motion *w, ns_reading *part, int i)
{
  double f[NODES], sorted[NODES];
  int odd = 0;
  take(w, part, i, shown, f);
  for (int j = 0; j < NODES; j++) {
    int at = j;
    for (; at > 0 && sorted[at - 1] > f[j]; at--) sorted[at] = sorted[at - 1];
    sorted[at] = f[j];
  }
  double middle = sorted[NODES / 2];
  for (int j = 1; j < NODES; j++)
    if (fabs(f[j] - middle) > fabs(f[odd] - middle)) odd = j;
  return node(w, part, odd, i);
}

static double value_of(const ns_measure *s, const ns_reading *r)
{
  (void)s;
  return r->f;
}

static void show_integral(const motion *w, ns_reading *part, int i)
{
  const ns_measure *s = &w->k->m->measures[i];
  double *slot = w->k->x->measured + s->slots, f[NODES];
  const ns_reading *p = node(w, part, 0, i), *r = node(w, part, 6, i);
  ns_span span;
  if (!ns_measures_cut(s, p, r, r->t, &span)) return;
  if (span.a == p->t && span.b == r->t) {
    take(w, part, i, value_of, f);
    span.sum = 2 * mean_by_kronrod(f);
    for (int j = 0; j < NODES; j++) f[j] *= f[j];
    span.squares = 3 * mean_by_kronrod(f);
  }
  s->kind->span(s, slot, &span);
  slot[NS_SLOT_SEEN] += 1;
}

static int show_part(const motion *w, ns_reading *part, int i)
{
  const ns_measure *s = &w->k->m->measures[i];
  double *slot = w->k->x->measured + s->slots;
  int rc = NS_OK, extreme = s->kind->flags & (NS_MEASURE_MIN | NS_MEASURE_LARGEST);
  if (waits(s)) return NS_OK;
  if (s->kind->flags & (NS_MEASURE_INTEGRAL | NS_MEASURE_SQUARE)) {
    show_integral(w, part, i);
    return NS_OK;
  }
  for (int j = 1; j < NODES; j++)
    ns_measures_show(s, slot, node(w, part, j - 1, i), node(w, part, j, i), 0);
  for (int j = 0; j < NODES && !rc && extreme; j++) rc = show_extreme(w, part, j, i);
  return rc;
}

/* What is inside of a part whose ends stand in it. */
static int read_inside(const motion *w, ns_reading *part)
{
  static const double at[NODES] = {
      0, 0.09175170953613698, 0.27639320225002103, 0.5, 0.7236067977499790, 0.9082482904638630, 1};
  double a = node(w, part, 0, 0)->t, b = node(w, part, NODES - 1, 0)->t;
  int rc = NS_OK;
  for (int j = 1; j < NODES - 1 && !rc; j++)
    rc = read_all(w, a + at[j] * (b - a), node(w, part, j, 0));
  return rc;
}

static int show_from(motion *w, int depth);

/* The half from node `first` on. */
static int show_half(motion *w, int depth, int first)
{
  size_t n = (size_t)w->k->m->nmeasures;
  ns_reading *part = w->k->node + (size_t)depth * NODES * n, *half = part + NODES * n;
  memcpy(half, node(w, part, first, 0), n * sizeof *half);
  memcpy(node(w, half, NODES - 1, 0), node(w, part, first + NODES / 2, 0), n * sizeof *half);
  return show_from(w, depth + 1);
}

/* The part at this depth, its ends being known. */
static int show_from(motion *w, int depth)
{
  int n = w->k->m->nmeasures, all = 1;
  ns_reading *part = w->k->node + (size_t)depth * NODES * (size_t)n;
  int rc = read_inside(w, part);
  for (int i = 0; i < n && !rc; i++) {
    int enough = resolved(w, part, i);
    if (!enough && depth >= DEEP) {
      rc = find_rounding(w, i, odd_one(w, part, i)->t);
      enough = rc || resolved(w, part, i);
    }
    if (!enough && w->halvings == 0) warn_of(w, i, "its formula changes");
    all = all && enough;
  }
  if (!rc && !all && depth < DEPTH && w->halvings > 0) {
    w->halvings--;
    rc = show_half(w, depth, 0);
    return rc ? rc : show_half(w, depth, NODES / 2);
  }
  for (int i = 0; i < n && !rc; i++) rc = show_part(w, part, i);
  return rc;
}

/* The motion by its parts, where some measure needs them; the ends are enough to others. */
static int show_all(motion *w)
{
  int n = w->k->m->nmeasures;
  ns_reading *part = w->k->node;
  for (int i = 0; i < n; i++)
    w->of_parts |= is_of_parts(&w->k->m->measures[i]) && !is_outside(w, part, i);
  if (w->of_parts) return show_from(w, 0);
  for (int i = 0; i < n; i++) {
    const ns_measure *s = &w->k->m->measures[i];
    double *slot = w->k->x->measured + s->slots;
    if (!waits(s)) ns_measures_show(s, slot, node(w, part, 0, i), node(w, part, NODES - 1, i), 0);
  }
  return NS_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Formulas at its begin. What is held may be another than at the state that was shown last, and
 * before the first step it was not in force at all. */
static int begin_motion(const motion *w, double t0)
{
  const ns_model *m = w->k->m;
  int rc = w->k->held ? show_state(w, t0) : NS_OK;
  for (int i = 0; i < m->nmeasures && !rc; i++) {
    const ns_measure *s = &m->measures[i];
    double *slot = w->k->x->measured + s->slots;
    ns_reading last = ns_measures_recall(w->k, slot);
    w->k->node[i] = last;
    if (!s->held) continue;
    rc = ns_measures_read(w->k, w->c, s, w->k->x, &w->k->node[i]);
    w->k->node[i].t = t0;
    int first = slot[NS_SLOT_BEGUN] == 0;
    ns_measures_show(s, slot, first ? &w->k->node[i] : &last, &w->k->node[i], first);
    slot[NS_SLOT_BEGUN] = 1;
  }
  return rc;
}

/* x += a share of what is nothing to the integrator, of either sign: its absolute tolerance, and
 * rounding, wherever coordinates begin. */
static void shift(double share, double atol, size_t n, double *x)
{
  static const double ROUNDING = 64 * DBL_EPSILON;
  for (size_t i = 0; i < n; i++) {
    double error = share * (atol + ROUNDING * fabs(x[i]));
    x[i] += i % 2 ? -error : error;
  }
}

/* What such changes of positions, velocities and angles make of each function at the end of the
 * motion, where the state is that of `end`: apart [measure]. */
static int move_apart(const motion *w, const ns_reading *end, double share, double *apart)
{
  ns_measures *k = w->k;
  const ns_model *m = k->m;
  ns_state *x = k->x;
  const struct {
    double *of;
    size_t n;
  } part[] = {{x->q, m->nq}, {x->v, m->nv}, {x->angle, m->nangles}};
  double *kept = k->kept;
  int rc = NS_OK;
  for (int j = 0; j < 3; kept += part[j++].n) {
    memcpy(kept, part[j].of, part[j].n * sizeof *kept);
    shift(share, m->sim.ed.atol, part[j].n, part[j].of);
  }
  if (k->observe) rc = ns_observables_eval(k->o, w->c, x);
  for (int i = 0; i < m->nmeasures && !rc; i++) {
    ns_reading r;
    rc = ns_measures_read(k, w->c, &m->measures[i], x, &r);
    apart[i] = fabs(shown(&m->measures[i], &r) - shown(&m->measures[i], &end[i]));
    if (!isfinite(apart[i])) apart[i] = 0;
  }
  kept = k->kept;
  for (int j = 0; j < 3; kept += part[j++].n) memcpy(part[j].of, kept, part[j].n * sizeof *kept);
  return rc;
}

/* What is nothing to the integrator makes of a smooth function about half as much by halves. What
 * does not is a jump, as of a formula that is switched where the motion ends: it is no small part
 * of the function. */
static int find_faint(const motion *w, const ns_reading *begin, const ns_reading *end)
{
  static const double SMALL = 1e-3;
  double *by_all = w->k->faint, *by_half = w->k->half;
  int n = w->k->m->nmeasures, small = 1, rc = move_apart(w, end, 1, by_all);
  for (int i = 0; i < n && !rc; i++) {
    const ns_measure *s = &w->k->m->measures[i];
    small &= by_all[i] <= SMALL * fmax(fabs(shown(s, &begin[i])), fabs(shown(s, &end[i])));
  }
  if (rc || small) return rc;
  rc = move_apart(w, end, 0.5, by_half);
  for (int i = 0; i < n; i++) {
    int smooth = by_half[i] >= 0.1 * by_all[i] && by_half[i] <= 0.75 * by_all[i];
    if (!smooth) by_all[i] = 0;
  }
  return rc;
}

/* Measure i, but for what show_part does: what it waits for, and its samples. */
static int show_moments(motion *w, int i, const ns_reading *begin, const ns_reading *end)
{
  const ns_measure *s = &w->k->m->measures[i];
  double *slot = w->k->x->measured + s->slots, n, last;
  int rc = NS_OK;
  if (waits(s) && !is_outside(w, w->k->node, i)) rc = show_waiting(w, i, begin, end);
  if (!(s->every > 0)) return rc;
  for (ns_measures_due(s, slot, begin, end, 0, &n, &last); n <= last && !rc; n++) {
    double t = s->start + n * s->every;
    ns_reading r = *end;
    if (t < end->t) rc = read_one(w, i, t, &r);
    if (!rc) s->kind->tick(s, slot, t, r.f);
  }
  return rc;
}

int ns_measures_motion(ns_measures *k, ns_ctx *c, const ns_passage *p)
{
  double *head = k->x->measured, t0 = head[NS_MEASURED_TIME];
  double rtol = fmax(k->m->sim.ed.rtol, TIGHTEST);
  if (!(p->to > t0)) return p->place(p->of, p->to);
  motion w = {k, c, p, rtol * (p->to - t0), HALVINGS, t0, 0, 0};
  size_t n = (size_t)k->m->nmeasures;
  ns_reading *begin = k->node, *end = k->node + (NODES - 1) * n;
  int rc = begin_motion(&w, t0);
  if (!rc) rc = read_all(&w, p->to, end);
  if (!rc) rc = find_faint(&w, begin, end);
  if (!rc) rc = show_all(&w);
  for (size_t i = 0; i < n && !rc; i++) rc = show_moments(&w, (int)i, &begin[i], &end[i]);
  if (!rc) rc = show_state(&w, p->to);
  for (size_t i = 0; i < n && !rc; i++) rc = ns_measures_remember(k, c, (int)i, &end[i]);
  ns_measures_forget(k);
  if (k->held) ns_measures_keep(k);
  head[NS_MEASURED_TIME] = p->to;
  return rc;
}

/* The first moment after t at which a sample is due, where there are not too many of them. */
static double next_sample(const ns_measure *s, double t, double grid)
{
  enum { MANY = 100 };
  if (!(s->every * MANY >= grid)) return INFINITY;
  double n = fmax(floor((t - s->start) / s->every) + 1, 0);
  return s->start + n * s->every > t ? s->start + n * s->every : s->start + (n + 1) * s->every;
}

double ns_measures_next(const ns_measures *k, double t)
{
  double next = INFINITY;
  for (int i = 0; i < k->m->nmeasures; i++) {
    const ns_measure *s = &k->m->measures[i];
    if (s->from > t) next = fmin(next, s->from);
    if (s->until > t) next = fmin(next, s->until);
    next = fmin(next, next_sample(s, t, k->m->sim.ts.h));
  }
  return next;
}
