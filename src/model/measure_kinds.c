/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure_kinds.c -- the kinds of measures: what each makes of spans and ticks (measure.h). */
#include "model/measure.h"

#include <math.h>
#include <string.h>

enum {
  VALUE = NS_SLOT_VALUE,
  HOLDS = NS_SLOT_HOLDS,
  SEEN = NS_SLOT_SEEN,
  COUNT = NS_SLOT_COUNT,
  A = NS_SLOT_A,
  B = NS_SLOT_B,
  C = NS_SLOT_C,
  BAD = NS_SLOT_BAD
};

static double undefined(const char **why, const char *reason)
{
  *why = reason;
  return NAN;
}

/* What makes the number of any kind undefined; NULL: nothing. */
static const char *unusable(const double *s)
{
  if (s[SEEN] == 0) return "its window was not reached";
  return s[BAD] != 0 ? "its formula was not a number at some time" : NULL;
}

static void spoil(double *s, double f)
{
  if (isnan(f)) s[BAD] = 1;
}

/* ---- of a formula: final, min, max, mean, rms, integral -------------------------------------- */

static void final_span(const ns_measure *m, double *s, const ns_span *p)
{
  (void)m;
  s[A] = p->fb;
  s[B] = p->b;
}

static double at_time(const ns_measure *m, const double *s, const char **why, double *time)
{
  (void)m;
  if ((*why = unusable(s))) return NAN;
  *time = s[B];
  return s[A];
}

/* `final` tells of one state: an earlier NaN does not matter. */
static double final_value(const ns_measure *m, const double *s, const char **why, double *time)
{
  (void)m;
  if (s[SEEN] == 0) return undefined(why, "its window was not reached");
  *time = s[B];
  return isnan(s[A]) ? undefined(why, "its formula was not a number") : s[A];
}

static void take_extreme(double *s, double sign, double f, double t)
{
  spoil(s, f);
  if (s[COUNT] != 0 && !(sign * f > sign * s[A])) return;
  s[COUNT] = 1;
  s[A] = f;
  s[B] = t;
}

static void min_span(const ns_measure *m, double *s, const ns_span *p)
{
  (void)m;
  take_extreme(s, -1, p->fa, p->a);
  take_extreme(s, -1, p->fb, p->b);
}

static void max_span(const ns_measure *m, double *s, const ns_span *p)
{
  (void)m;
  take_extreme(s, 1, p->fa, p->a);
  take_extreme(s, 1, p->fb, p->b);
}

/* A: sum; B: time; C: what the last addition to A lost (Neumaier 1974). */
static void add(double *s, double x)
{
  double sum = s[A] + x;
  s[C] += fabs(s[A]) >= fabs(x) ? (s[A] - sum) + x : (x - sum) + s[A];
  s[A] = sum;
}

static void integral_span(const ns_measure *m, double *s, const ns_span *p)
{
  (void)m;
  spoil(s, p->fb + p->sum);
  if (p->b > p->a) add(s, 0.5 * (p->b - p->a) * p->sum);
  s[B] += p->b - p->a;
}

static void square_span(const ns_measure *m, double *s, const ns_span *p)
{
  (void)m;
  spoil(s, p->fb + p->squares);
  if (p->b > p->a) add(s, (p->b - p->a) / 3 * p->squares);
  s[B] += p->b - p->a;
}

static double integral_value(const ns_measure *m, const double *s, const char **why, double *time)
{
  (void)m, (void)time;
  return (*why = unusable(s)) ? NAN : s[A] + s[C];
}

static double mean_value(const ns_measure *m, const double *s, const char **why, double *time)
{
  double sum = integral_value(m, s, why, time);
  if (!*why && !(s[B] > 0)) return undefined(why, "no time passed in its window");
  return sum / s[B];
}

static double rms_value(const ns_measure *m, const double *s, const char **why, double *time)
{
  return sqrt(mean_value(m, s, why, time));
}

/* ---- settling -------------------------------------------------------------------------------- */

static int outside(const ns_measure *m, double f) { return !(fabs(f - m->target) <= m->band); }

/* A: when it was last outside; HOLDS: it is outside now; COUNT: it was. */
static void settling_span(const ns_measure *m, double *s, const ns_span *p)
{
  spoil(s, p->fb);
  int was = outside(m, p->fa), is = outside(m, p->fb);
  if (s[COUNT] == 0 && s[SEEN] == 0) s[A] = p->a;
  s[COUNT] = is;
  if (is) {
    s[A] = p->b;
  } else if (was) {
    double level = m->target + (p->fa > m->target ? m->band : -m->band);
    s[A] = p->b > p->a ? p->a + (level - p->fa) / (p->fb - p->fa) * (p->b - p->a) : p->b;
  }
}

static double settling_value(const ns_measure *m, const double *s, const char **why, double *time)
{
  (void)m, (void)time;
  if ((*why = unusable(s))) return NAN;
  return s[COUNT] != 0 ? undefined(why, "it was outside the band at the end") : s[A];
}

/* ---- moments: count, first, last, period ----------------------------------------------------- */

static void count_tick(const ns_measure *m, double *s, double t, double f)
{
  (void)m, (void)f;
  s[COUNT] += 1;
  s[B] = t;
}

static double count_value(const ns_measure *m, const double *s, const char **why, double *time)
{
  (void)m, (void)time;
  return (*why = unusable(s)) ? NAN : s[COUNT];
}

static void first_span(const ns_measure *m, double *s, const ns_span *p)
{
  if (m->listens || s[COUNT] != 0 || !(p->ha || p->hb)) return;
  s[COUNT] = 1;
  s[A] = p->ha ? p->a : p->switched;
}

static void first_tick(const ns_measure *m, double *s, double t, double f)
{
  (void)f;
  if (!m->listens || s[COUNT] != 0) return;
  s[COUNT] = 1;
  s[A] = t;
}

static void last_span(const ns_measure *m, double *s, const ns_span *p)
{
  if (m->listens || !(p->ha || p->hb)) return;
  s[COUNT] = 1;
  s[A] = p->hb ? p->b : p->switched;
}

static void last_tick(const ns_measure *m, double *s, double t, double f)
{
  (void)f;
  if (!m->listens) return;
  s[COUNT] = 1;
  s[A] = t;
}

static double moment_value(const ns_measure *m, const double *s, const char **why, double *time)
{
  (void)time;
  if ((*why = unusable(s))) return NAN;
  if (s[COUNT] == 0)
    return undefined(why, m->listens ? "no such event" : "its condition was never true");
  return s[A];
}

/* A, B: the first and the last tick; C: the one before the last. */
static void period_tick(const ns_measure *m, double *s, double t, double f)
{
  (void)m, (void)f;
  if (s[COUNT] == 0) s[A] = t;
  s[C] = s[COUNT] != 0 ? s[B] : t;
  s[B] = t;
  s[COUNT] += 1;
}

static double period_value(const ns_measure *m, const double *s, const char **why, double *time)
{
  (void)time;
  if ((*why = unusable(s))) return NAN;
  if (s[COUNT] < 2)
    return undefined(why, m->listens ? "fewer than two events"
                                     : "its condition became true fewer than two times");
  return m->last ? s[B] - s[C] : (s[B] - s[A]) / (s[COUNT] - 1);
}

/* A, C: as `add` has them. */
static void sum_tick(const ns_measure *m, double *s, double t, double f)
{
  (void)m;
  spoil(s, f);
  add(s, f);
  s[COUNT] += 1;
  s[B] = t;
}

/* ---- shares of time -------------------------------------------------------------------------- */

static void share_span(const ns_measure *m, double *s, const ns_span *p)
{
  (void)m;
  s[B] += p->b - p->a;
  if (p->ha && p->hb) s[A] += p->b - p->a;
  else if (p->ha) s[A] += p->switched - p->a;
  else if (p->hb) s[A] += p->b - p->switched;
}

static double share_value(const ns_measure *m, const double *s, const char **why, double *time)
{
  (void)m, (void)time;
  if ((*why = unusable(s))) return NAN;
  return s[B] > 0 ? fmin(s[A] / s[B], 1) : undefined(why, "no time passed in its window");
}

/* ---- samples --------------------------------------------------------------------------------- */

static void sample_tick(const ns_measure *m, double *s, double t, double f)
{
  size_t i = (size_t)fmod(s[COUNT], m->keep);
  s[NS_SLOTS + i] = f;
  s[NS_SLOTS + (size_t)m->keep + i] = t;
  s[COUNT] += 1;
  s[A] = f;
  s[B] = t;
}

static double sample_value(const ns_measure *m, const double *s, const char **why, double *time)
{
  if (s[SEEN] == 0) return undefined(why, "its window was not reached");
  return s[COUNT] == 0 ? undefined(why, "no sample was taken") : final_value(m, s, why, time);
}

/* ---- registry -------------------------------------------------------------------------------- */

enum { MOMENTS = NS_MEASURE_CONDITION | NS_MEASURE_EVENT };

static const ns_measure_kind final_kind = {
    "final", "value at the end", NULL, NS_MEASURE_VALUE, final_span, NULL, final_value};
static const ns_measure_kind min_kind = {
    "min", "smallest value", NULL, NS_MEASURE_VALUE | NS_MEASURE_MIN, min_span, NULL, at_time};
static const ns_measure_kind max_kind = {
    "max", "largest value", NULL, NS_MEASURE_VALUE | NS_MEASURE_LARGEST, max_span, NULL, at_time};
static const ns_measure_kind mean_kind = {
    "mean", "mean over time", NULL, NS_MEASURE_VALUE | NS_MEASURE_INTEGRAL, integral_span,
    NULL,   mean_value};
static const ns_measure_kind rms_kind = {"rms",       "root of the mean square over time",
                                         NULL,        NS_MEASURE_VALUE | NS_MEASURE_SQUARE,
                                         square_span, NULL,
                                         rms_value};
static const ns_measure_kind integral_kind = {
    "integral", "integral over time", NULL, NS_MEASURE_VALUE | NS_MEASURE_INTEGRAL, integral_span,
    NULL,       integral_value};
static const ns_measure_kind settling_kind = {
    "settling",    "last time at which the value was further than band from target",
    "s",           NS_MEASURE_VALUE | NS_MEASURE_BAND,
    settling_span, NULL,
    settling_value};
static const ns_measure_kind count_kind = {
    "count",    "number of events, or of instants at which a condition became true",
    "1",        MOMENTS,
    NULL,       count_tick,
    count_value};
static const ns_measure_kind sum_kind = {
    "sum",         "sum of values at events, or at instants at which a condition became true",
    NULL,          NS_MEASURE_VALUE | MOMENTS,
    NULL,          sum_tick,
    integral_value};
static const ns_measure_kind first_kind = {
    "first",     "first time of an event, or at which a condition was true",
    "s",         MOMENTS,
    first_span,  first_tick,
    moment_value};
static const ns_measure_kind last_kind = {
    "last",      "last time of an event, or at which a condition was true",
    "s",         MOMENTS,
    last_span,   last_tick,
    moment_value};
static const ns_measure_kind period_kind = {
    "period",    "time between events, or between instants at which a condition becomes true",
    "s",         MOMENTS | NS_MEASURE_TAKE,
    NULL,        period_tick,
    period_value};
static const ns_measure_kind fraction_kind = {
    "fraction", "fraction of time in which a condition is true",
    "1",        NS_MEASURE_CONDITION,
    share_span, NULL,
    share_value};
static const ns_measure_kind sliding_kind = {
    "sliding",  "fraction of time in which a contact with friction slides",
    "1",        NS_MEASURE_SLIDING,
    share_span, NULL,
    share_value};
static const ns_measure_kind sample_kind = {
    "sample",
    "last values at events, at instants at which a condition becomes true, or at a fixed interval",
    NULL,
    NS_MEASURE_VALUE | MOMENTS | NS_MEASURE_EVERY | NS_MEASURE_KEEP,
    NULL,
    sample_tick,
    sample_value};

const ns_measure_kind *const ns_measure_kinds[] = {
    &final_kind,    &min_kind,     &max_kind,    &mean_kind, &rms_kind,      &integral_kind,
    &count_kind,    &sum_kind,     &first_kind,  &last_kind, &settling_kind, &period_kind,
    &fraction_kind, &sliding_kind, &sample_kind, NULL};
