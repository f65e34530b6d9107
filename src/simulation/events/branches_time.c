/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/branches_parts.h"

#include <float.h>
#include <math.h>

enum {
  TRIES = 200000, /* intervals looked at for one zero */
  DOUBT = 500     /* after so many of them: does the function vanish? */
};

/* ---- values ---------------------------------------------------------------------------------- */

static void banks(const ns_branch_view *w, const ns_frozen_owner *o, const ns_point *p,
                  const double *bank[NS_BANKS])
{
  for (int k = 0; k < NS_BANKS; k++) bank[k] = NULL;
  bank[NS_BANK_T] = &p->t;
  bank[NS_BANK_Q] = p->q;
  bank[NS_BANK_V] = p->v;
  bank[NS_BANK_Z] = p->z;
  bank[NS_BANK_FOREIGN] = p->z + p->nz;
  bank[NS_BANK_JOINT] = p->angle;
  bank[NS_BANK_INDEX] = p->index;
  bank[NS_BANK_BRANCH] = w->value + o->first;
}

static ns_point point(const ns_branch_view *w, const ns_frozen_owner *o, double t, const double *q,
                      const double *v)
{
  return ns_frozen_point(w->z, o, t, q, v, w->user, w->angle, w->bank);
}

void ns_branch_sigma(const ns_branch_view *w, const ns_frozen_owner *o, double t, const double *q,
                     const double *v)
{
  const double *bank[NS_BANKS];
  ns_point p = point(w, o, t, q, v);
  banks(w, o, &p, bank);
  ns_tape_eval(o->of->sigma, bank, w->work, w->out);
}

void ns_branch_slope(const ns_branch_view *w, const ns_frozen_owner *o, double t, const double *q,
                     const double *v)
{
  const double *bank[NS_BANKS];
  ns_point p = point(w, o, t, q, v);
  banks(w, o, &p, bank);
  ns_tape_eval(o->of->slope, bank, w->work, w->out);
}

/* sigma and d sigma/dt of a function of t. */
static double sigma_at(const ns_branch_view *w, size_t k, double t)
{
  const ns_frozen_owner *o = ns_branch_owner(w, k);
  ns_branch_sigma(w, o, t, NULL, NULL);
  return w->out[k - o->first];
}

static double slope_at(const ns_branch_view *w, size_t k, double t)
{
  ns_branch_slope(w, ns_branch_owner(w, k), t, NULL, NULL);
  return w->out[ns_branch_switch(w, k)->slope];
}

/* Bounds of sigma or its derivatives of an owner while t is in [t0, t1], to w->low and w->high. */
static void bounds(const ns_branch_view *w, const ns_frozen_owner *o, const ns_tape *tape,
                   double t0, double t1)
{
  const double *lo[NS_BANKS], *hi[NS_BANKS];
  ns_point p = point(w, o, t0, NULL, NULL);
  banks(w, o, &p, lo);
  banks(w, o, &p, hi);
  hi[NS_BANK_T] = &t1;
  ns_tape_bounds(tape, lo, hi, w->work, w->low, w->high);
}

/* What times of this run are told apart by, around t. */
static double resolution(const ns_branch_view *w, double t)
{
  return 4 * DBL_EPSILON * fmax(fabs(t), w->T - w->z->model.sim.t0);
}

/* 1: as far as rounding tells, sigma is 0 at t: not what underflow left of a number. */
static int is_nil(const ns_branch_view *w, size_t k, double t)
{
  const ns_frozen_owner *o = ns_branch_owner(w, k);
  bounds(w, o, o->of->sigma, t, t);
  double low = w->low[k - o->first], high = w->high[k - o->first];
  if (!isfinite(low) || !isfinite(high) || low > 0 || high < 0) return 0;
  return (low == 0 && high == 0) || high - low >= DBL_MIN;
}

/* 1: sigma is 0 all the time from a to b, as that of max(f, min(f, g)) is while f < g. Between
 * events it is an analytic function of t, which is 0 at many points, dense at a too, where it is 0
 * everywhere. */
static int vanishes(const ns_branch_view *w, size_t k, double a, double b)
{
  static const double GOLDEN = 0.6180339887498949;
  enum { SPREAD = 32, NEAR = 32 };
  if (!(a < b)) return 0;
  for (int i = 1; i <= SPREAD; i++)
    if (!is_nil(w, k, a + (b - a) * fmod(i * GOLDEN, 1))) return 0;
  for (int i = 1; i <= NEAR; i++)
    if (!is_nil(w, k, a + ldexp(GOLDEN * (b - a), -i))) return 0;
  return 1;
}

/* ---- branches of functions of t -------------------------------------------------------------- */

/* The sign of sigma just after t, where neither it nor its slope tell: as intervals that begin
 * ever later say. 0: none does. */
static int sign_after(const ns_branch_view *w, size_t k, double t)
{
  static const double FAR = 1e-3; /* of the run */
  const ns_frozen_owner *o = ns_branch_owner(w, k);
  double span = w->T - w->z->model.sim.t0;
  for (double d = 16 * resolution(w, t); d < FAR * span; d *= 2) {
    bounds(w, o, o->of->sigma, t + d, t + 2 * d);
    if (w->low[k - o->first] > 0) return 1;
    if (w->high[k - o->first] < 0) return -1;
  }
  return 0;
}

/* 1: switch k has changed. What sigma is at t as far as rounding tells; where that is nothing,
 * its slope decides, or what comes then; what stays 0 is what its comparison says. */
static int settle_one(const ns_branch_view *w, size_t k, double t)
{
  const ns_frozen_owner *o = ns_branch_owner(w, k);
  double slope = slope_at(w, k, t), ulps = 2 * DBL_EPSILON * fabs(t), value;
  bounds(w, o, o->of->sigma, t - ulps, t + ulps);
  double low = w->low[k - o->first], high = w->high[k - o->first];
  if (!isfinite(low) || !isfinite(high)) low = high = sigma_at(w, k, t);
  if (isnan(low)) return 0;
  if (ns_branch_switch(w, k)->kind == NS_SWITCH_STAIRS) {
    value = floor(high);
    if (value > low && slope < 0) value -= 1;
  } else if (low > 0 || high < 0) value = low > 0;
  else {
    int after = isfinite(slope) && slope != 0 ? 0 : sign_after(w, k, t);
    if (isfinite(slope) && slope != 0) after = slope > 0 ? 1 : -1;
    if (after) value = after > 0;
    else value = vanishes(w, k, t, w->T) ? ns_branch_switch(w, k)->nil : w->value[k] > 0;
  }
  if (value == w->value[k]) return 0;
  w->value[k] = value;
  w->side[k] = value > 0 ? NS_BRANCH_UPPER : NS_BRANCH_LOWER;
  return 1;
}

int ns_branch_settle(const ns_branch_view *w, double t, int all)
{
  int some = 0, changed = 1;
  for (size_t pass = 0; changed && pass <= w->z->nswitches + 1; pass++) {
    changed = 0;
    for (size_t k = 0; k < w->z->nswitches; k++) {
      const ns_frozen_switch *s = ns_branch_switch(w, k);
      if (s->known && (s->depends || (all && pass == 0))) changed |= settle_one(w, k, t);
    }
    some |= changed;
  }
  return some;
}

/* ---- the next zero --------------------------------------------------------------------------- */

/* Zero of b + a t from which the switch leaves its branch. */
static double affine_zero(const ns_branch_view *w, size_t k)
{
  const ns_frozen_switch *s = ns_branch_switch(w, k);
  double a = slope_at(w, k, 0), b = sigma_at(w, k, 0), B = w->value[k];
  if (a == 0) return INFINITY;
  if (s->kind == NS_SWITCH_STAIRS) return a > 0 ? (B + 1 - b) / a : (B - b) / a;
  return (a > 0) == (B > 0) ? INFINITY : -b / a;
}

/* The function that falls through 0 where the branch ends: sign sigma + shift. */
typedef struct falling {
  size_t k;
  double sign, shift;
} falling;

static double falling_at(const ns_branch_view *w, const falling *g, double t)
{
  return g->sign * sigma_at(w, g->k, t) + g->shift;
}

/* What intervals tell of it in [a, b]: -1 it has no falling zero there, 1 it falls all the way,
 * 0 nothing. Slopes tell of what is bounded: a pole changes the sign of what rises on both of
 * its sides. */
static int tell(const ns_branch_view *w, const falling *g, double a, double b)
{
  const ns_frozen_owner *o = ns_branch_owner(w, g->k);
  size_t i = g->k - o->first;
  int s = ns_branch_switch(w, g->k)->slope;
  bounds(w, o, o->of->sigma, a, b);
  double min = g->sign > 0 ? w->low[i] : -w->high[i], max = g->sign > 0 ? w->high[i] : -w->low[i];
  if (min + g->shift > 0 || max + g->shift < 0) return -1;
  if (!isfinite(min) || !isfinite(max)) return 0;
  bounds(w, o, o->of->slope, a, b);
  if (g->sign > 0 ? w->low[s] > 0 : w->high[s] < 0) return -1;
  return g->sign > 0 ? w->high[s] < 0 : w->low[s] > 0;
}

/* Of g, which is above 0 at a and not at b, or falls. */
static double bisect(const ns_branch_view *w, const falling *g, double a, double b)
{
  while (b - a > 2 * DBL_EPSILON * fmax(fabs(a), fabs(b))) {
    double mid = a + (b - a) / 2;
    if (mid <= a || mid >= b) break;
    if (falling_at(w, g, mid) > 0) a = mid;
    else b = mid;
  }
  return b;
}

/* What is 0 at t, to rounding, rises again: that is no zero from which a branch ends. */
static int touches(const ns_branch_view *w, const falling *g, double t)
{
  return g->shift == 0 && sign_after(w, g->k, t) * g->sign > 0;
}

/* The first falling zero in (a, T], or from where on it cannot be told, which is noted. Halves
 * are looked at from left to right; ends is the stack of right ends. */
static double first_zero(const ns_branch_view *w, const falling *g, double a, double T)
{
  double ends[80];
  int top = 0;
  ends[top++] = T;
  for (int tries = 0; top > 0 && tries < TRIES; tries++) {
    double b = ends[top - 1];
    if (tries == DOUBT && g->shift == 0 && vanishes(w, g->k, a, T)) return INFINITY;
    int told = tell(w, g, a, b),
        small = b - a <= resolution(w, fmax(fabs(a), fabs(b))) || top == 80;
    if (told == 0 && !small) {
      ends[top++] = a + (b - a) / 2;
      continue;
    }
    double end = told >= 0 ? falling_at(w, g, b) : 1;
    if (end < 0 || (end == 0 && told > 0 && !touches(w, g, b))) return bisect(w, g, a, b);
    a = b;
    top--;
  }
  if (top > 0) w->lost[g->k] = a;
  return top > 0 ? a : INFINITY;
}

static double any_zero(const ns_branch_view *w, size_t k, double t)
{
  double B = w->value[k];
  if (ns_branch_switch(w, k)->kind != NS_SWITCH_STAIRS)
    return first_zero(w, &(falling){.k = k, .sign = B > 0 ? 1 : -1}, t, w->T);
  double up = first_zero(w, &(falling){.k = k, .sign = -1, .shift = B + 1}, t, w->T);
  double down = first_zero(w, &(falling){.k = k, .sign = 1, .shift = -B}, t, fmin(up, w->T));
  return fmin(up, down);
}

int ns_branch_listed(const ns_branch_view *w, ns_ctx *c, double t)
{
  size_t k = 0;
  while (k < w->z->nswitches && !(w->lost[k] <= w->due[k] && ns_branch_is_due(w->lost[k], t))) k++;
  if (k == w->z->nswitches) return NS_OK;
  return ns_fail_at(c, NS_NUMERIC, ns_branch_owner(w, k)->at,
                    "the times at which %s = 0 cannot be listed from t = %.10g s on: they are too "
                    "many, too close together, or everywhere; write a formula with fewer jumps, or "
                    "use <TimeStepping>, which samples it",
                    ns_branch_switch(w, k)->text, w->lost[k]);
}

/* The next time after t at which known switch k leaves its branch, +inf: never. */
static double next_change(const ns_branch_view *w, size_t k, double t)
{
  double due = INFINITY;
  w->lost[k] = INFINITY;
  if (ns_branch_switch(w, k)->affine) due = affine_zero(w, k);
  else if (t < w->T) due = any_zero(w, k, t);
  return isnan(due) ? INFINITY : due;
}

void ns_branch_schedule(const ns_branch_view *w, double t, int all)
{
  for (size_t k = 0; k < w->z->nswitches; k++) {
    const ns_frozen_switch *s = ns_branch_switch(w, k);
    if (!s->known) w->due[k] = INFINITY;
    else if (all || s->depends) w->due[k] = next_change(w, k, t);
  }
}

/* ---- known times ----------------------------------------------------------------------------- */

/* Switch k, which is due at t, to its next branch. */
static void turn(const ns_branch_view *w, size_t k, double t)
{
  if (ns_branch_switch(w, k)->kind == NS_SWITCH_STAIRS) {
    w->value[k] += slope_at(w, k, t) < 0 ? -1 : 1;
    return;
  }
  w->value[k] = w->value[k] > 0 ? 0 : 1;
  w->side[k] = w->value[k] > 0 ? NS_BRANCH_UPPER : NS_BRANCH_LOWER;
}

void ns_branch_turn(const ns_branch_view *w, double t)
{
  size_t n = w->z->nswitches;
  for (size_t k = 0; k < n; k++) /* all of them, before any has turned */
    if (ns_branch_is_due(w->due[k], t)) w->due[k] = -INFINITY;
  for (size_t k = 0; k < n; k++)
    if (w->due[k] == -INFINITY) turn(w, k, t);
  ns_branch_settle(w, t, 0);
  for (size_t k = 0; k < n; k++) {
    const ns_frozen_switch *s = ns_branch_switch(w, k);
    if (s->known && (w->due[k] == -INFINITY || s->depends)) w->due[k] = next_change(w, k, t);
  }
}
