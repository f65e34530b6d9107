/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds.c -- a tape on intervals. Each result is rounded outwards by what the function itself may
 * be off by: 4 units in the last place. */
#include "expression/freeze.h"
#include "expression/op.h"
#include "expression/tape.h"

#include <float.h>
#include <math.h>

typedef struct interval {
  double lo, hi;
} interval;

static const interval ALL = {-INFINITY, INFINITY};

static interval outwards(double lo, double hi)
{
  if (!(lo <= hi)) return ALL; /* NaN, too */
  return (interval){lo - 4 * DBL_EPSILON * fabs(lo) - DBL_MIN,
                    hi + 4 * DBL_EPSILON * fabs(hi) + DBL_MIN};
}

static int is_point(interval a) { return a.lo == a.hi; }
static int holds_zero(interval a) { return a.lo <= 0 && a.hi >= 0; }

static interval add(interval a, interval b) { return outwards(a.lo + b.lo, a.hi + b.hi); }
static interval subtract(interval a, interval b) { return outwards(a.lo - b.hi, a.hi - b.lo); }

/* 0 inf = 0: the factor 0 makes the product 0. */
static double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

static interval multiply(interval a, interval b)
{
  double p = times(a.lo, b.lo), q = times(a.lo, b.hi), r = times(a.hi, b.lo), s = times(a.hi, b.hi);
  return outwards(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

static interval divide(interval a, interval b)
{
  if (holds_zero(b)) return ALL;
  return multiply(a, outwards(1 / b.hi, 1 / b.lo));
}

static const double PI = 3.14159265358979323846;

/* cos of an interval: extremes at the ends and at multiples of pi. */
static interval cosine(interval a)
{
  const double pi = PI;
  double lo, hi;
  if (!(a.hi - a.lo < 2 * pi) || fabs(a.lo) > 1e9 || fabs(a.hi) > 1e9) return (interval){-1, 1};
  lo = fmin(cos(a.lo), cos(a.hi));
  hi = fmax(cos(a.lo), cos(a.hi));
  double slack = 1e-15 * (1 + fabs(a.lo) + fabs(a.hi));
  for (double k = ceil((a.lo - slack) / pi); k * pi <= a.hi + slack; k++) {
    if (fmod(k, 2) == 0) hi = 1;
    else lo = -1;
  }
  return outwards(fmax(lo - slack, -1), fmin(hi + slack, 1));
}

static interval sine(interval a)
{
  const double half_pi = 1.57079632679489661923;
  return cosine((interval){a.lo - half_pi, a.hi - half_pi});
}

static interval absolute(interval a)
{
  double max = fmax(fabs(a.lo), fabs(a.hi));
  return (interval){holds_zero(a) ? 0 : fmin(fabs(a.lo), fabs(a.hi)), max};
}

/* Between two poles it grows. */
static interval tangent(interval a)
{
  return holds_zero(cosine(a)) ? ALL : outwards(tan(a.lo), tan(a.hi));
}

/* f at the corners of a box, between whose least and largest all of its values are. */
static interval at_corners(double (*f)(double, double), interval a, interval b)
{
  double p = f(a.lo, b.lo), q = f(a.lo, b.hi), r = f(a.hi, b.lo), s = f(a.hi, b.hi);
  if (isnan(p + q + r + s)) return ALL;
  return outwards(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

/* The angle of (b, a), which jumps behind the origin: as what has a pole it has no bounds there. */
static interval angle(interval a, interval b)
{
  return b.lo <= 0 && holds_zero(a) ? ALL : at_corners(atan2, a, b);
}

/* The slope of position() where a lies within one piece: elsewhere it is positive. */
static interval slope(interval a, double handle)
{
  int one = floor(ns_lookup_position(handle, a.lo)) == floor(ns_lookup_position(handle, a.hi));
  if (!one) return (interval){0, INFINITY};
  double p = ns_lookup_slope(handle, a.lo), q = ns_lookup_slope(handle, a.hi);
  return outwards(fmin(p, q), fmax(p, q));
}

/* What of a is where a function has values: rounding outwards has led beyond that. */
static interval within(interval a, double lo, double hi)
{
  return (interval){fmin(fmax(a.lo, lo), hi), fmax(fmin(a.hi, hi), lo)};
}

static interval domain(ns_op op, interval a)
{
  switch (op) {
  case NS_OP_SQRT:
  case NS_OP_LOG:
  case NS_OP_LOG10: return within(a, 0, INFINITY);
  case NS_OP_ASIN:
  case NS_OP_ACOS: return within(a, -1, 1);
  default: return a;
  }
}

static interval power(interval a, interval b)
{
  if (a.lo > 0 || (a.lo == 0 && b.lo > 0)) return at_corners(pow, a, b);
  if (!is_point(b) || b.lo != floor(b.lo) || (b.lo <= 0 && holds_zero(a))) return ALL;
  return at_corners(pow, fmod(b.lo, 2) == 0 ? absolute(a) : a, b);
}

/* Functions that grow. */
static int grows(ns_op op)
{
  switch (op) {
  case NS_OP_ATAN:
  case NS_OP_SINH:
  case NS_OP_TANH:
  case NS_OP_EXP:
  case NS_OP_LOG:
  case NS_OP_LOG10:
  case NS_OP_SQRT:
  case NS_OP_CBRT:
  case NS_OP_ERF:
  case NS_OP_ASIN:
  case NS_OP_FLOOR:
  case NS_OP_CEIL: return 1;
  default: return 0;
  }
}

static interval of_two(ns_op op, interval a, interval b)
{
  switch (op) {
  case NS_OP_ADD: return add(a, b);
  case NS_OP_SUB: return subtract(a, b);
  case NS_OP_MUL:
  case NS_OP_CHAIN: return multiply(a, b);
  case NS_OP_DIV: return divide(a, b);
  case NS_OP_MIN: return (interval){fmin(a.lo, b.lo), fmin(a.hi, b.hi)};
  case NS_OP_MAX: return (interval){fmax(a.lo, b.lo), fmax(a.hi, b.hi)};
  case NS_OP_HYPOT:
    a = absolute(a), b = absolute(b);
    return outwards(hypot(a.lo, b.lo), hypot(a.hi, b.hi));
  case NS_OP_ATAN2: return angle(a, b);
  case NS_OP_POW: return power(a, b);
  case NS_OP_POSITION:
    return outwards(ns_lookup_position(b.lo, a.lo), ns_lookup_position(b.lo, a.hi));
  case NS_OP_SLOPE: return slope(a, b.lo);
  case NS_OP_PIECE:
    return (interval){floor(ns_lookup_position(b.lo, a.lo)), floor(ns_lookup_position(b.lo, a.hi))};
  default: return ALL;
  }
}

static interval evaluate(const ns_instruction *i, const interval *w)
{
  ns_op op = ns_op_base(i->op);
  interval a = w[i->a], b = w[i->b], c = w[i->c];
  int n = ns_op_arity(op);
  if ((n < 1 || is_point(a)) && (n < 2 || is_point(b)) && (n < 3 || is_point(c))) {
    double v = ns_op_apply(op, a.lo, b.lo, c.lo);
    return outwards(v, v);
  }
  if (n == 1 && a.hi >= domain(op, a).lo && a.lo <= domain(op, a).hi) a = domain(op, a);
  switch (op) {
  case NS_OP_NEG: return (interval){-a.hi, -a.lo};
  case NS_OP_SIN: return sine(a);
  case NS_OP_COS: return cosine(a);
  case NS_OP_COSH: a = absolute(a); return outwards(cosh(a.lo), cosh(a.hi));
  case NS_OP_TAN: return tangent(a);
  case NS_OP_ACOS: return outwards(acos(a.hi), acos(a.lo));
  case NS_OP_ABS: return absolute(a);
  case NS_OP_MULADD: return add(multiply(a, b), c);
  case NS_OP_MULSUB: return subtract(multiply(a, b), c);
  case NS_OP_SUBMUL: return subtract(c, multiply(a, b));
  case NS_OP_MIX: return add(c, multiply(a, subtract(b, c)));
  default: break;
  }
  if (grows(op)) return outwards(ns_op_apply(op, a.lo, 0, 0), ns_op_apply(op, a.hi, 0, 0));
  return n == 2 ? of_two(op, a, b) : ALL;
}

void ns_tape_bounds(const ns_tape *t, const double *const *lo, const double *const *hi,
                    double *work, double *low, double *high)
{
  interval *w = (interval *)(void *)work, *to = w;
  for (int i = 0; i < t->nvariables; i++) {
    const ns_source *v = &t->variable[i];
    *to++ = (interval){lo[v->bank][v->index], hi[v->bank][v->index]};
  }
  for (int i = 0; i < t->nconstants; i++) *to++ = (interval){t->constant[i], t->constant[i]};
  for (const ns_instruction *i = t->code; i->op != NS_OP_END; i++) {
    if (i->op != NS_OP_SINCOS) {
      *to = evaluate(i, w);
      to++;
      continue;
    }
    interval a = w[i->a];
    *to++ = sine(a);
    *to++ = cosine(a);
  }
  for (int k = 0; k < t->noutputs; k++) {
    low[k] = w[t->output[k]].lo;
    high[k] = w[t->output[k]].hi;
  }
}
