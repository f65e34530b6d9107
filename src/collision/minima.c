/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/minima.h"

#include <math.h>

enum {
  PARTS = 8, /* of an interval in which there may be several minima */
  ITERATIONS = 60
};

typedef struct search {
  ns_slope *slope;
  void *self;
  ns_minimum *found;
  int n;
} search;

static void add(search *s, double low, double below, double high, double above)
{
  if (s->n < NS_MINIMA) s->found[s->n++] = (ns_minimum){low, high, below, above};
}

/* Whether the slope rises at an angle, where it is g. */
static int rises(search *s, double angle, double g)
{
  static const double STEP = 1e-6; /* rad */
  return s->slope(s->self, angle + STEP) > g;
}

/* Of three slopes in equal steps whether the middle one is small beside what it changes by. */
static int is_near_zero(const double *g) { return fabs(g[1]) <= fabs(g[2] - g[0]); }

/* Between two angles where the slope has one sign and comes nearer to zero from both: where it has
 * the other sign there is a minimum on one side of that, a maximum on the other (golden section).
 */
static void look_for_dip(search *s, double low, double below, double high, double above)
{
  static const double GOLDEN = 0.61803398874989485, CLOSE = 1e-9; /* rad */
  double sign = below < 0 ? -1 : 1, from = low, to = high;
  double a = to - GOLDEN * (to - from), b = from + GOLDEN * (to - from);
  double at_a = sign * s->slope(s->self, a), at_b = sign * s->slope(s->self, b);
  while (at_a > 0 && at_b > 0 && to - from > CLOSE) {
    if (at_a < at_b) {
      to = b, b = a, at_b = at_a;
      a = to - GOLDEN * (to - from);
      at_a = sign * s->slope(s->self, a);
    } else {
      from = a, a = b, at_a = at_b;
      b = from + GOLDEN * (to - from);
      at_b = sign * s->slope(s->self, b);
    }
  }
  double dip = at_a < at_b ? a : b, least = at_a < at_b ? at_a : at_b;
  if (least > 0) return;
  if (sign > 0) add(s, dip, sign * least, high, above);
  else add(s, low, below, dip, sign * least);
}

/* Between the middle ones of four slopes in equal steps: a minimum where they rise through zero, or
 * one next to a maximum where they come near it. */
static void look_between(search *s, double low, double high, const double *g)
{
  double sign = g[1] < 0 ? -1 : 1;
  if (g[1] < 0 && g[2] >= 0) add(s, low, g[1], high, g[2]);
  if ((g[1] < 0) != (g[2] < 0) || (!is_near_zero(g) && !is_near_zero(g + 1))) return;
  if (rises(s, low, g[1]) == (sign < 0) && rises(s, high, g[2]) == (sign > 0))
    look_for_dip(s, low, g[1], high, g[2]);
}

/* The same in parts. Where there is a single minimum after all it is in the whole. */
static void look_closely(search *s, double low, double high, const double *g)
{
  double round[PARTS + 3], *part = round + 1, step = (high - low) / PARTS;
  int before = s->n;
  for (int i = 1; i < PARTS; i++) part[i] = s->slope(s->self, low + i * step);
  part[-1] = g[0], part[0] = g[1], part[PARTS] = g[2], part[PARTS + 1] = g[3];
  for (int i = 0; i < PARTS; i++)
    look_between(s, low + i * step, low + (i + 1) * step, part + i - 1);
  if (s->n != before + 1 || !(g[1] < 0 && g[2] >= 0)) return;
  s->n = before;
  add(s, low, g[1], high, g[2]);
}

/* Four slopes in a row are so near to zero, by the largest of all, that two minima and the maximum
 * between them may be there: as a cubic function of the angle. */
static int is_flat(const double *g, double largest)
{
  static const double FLAT = 0.15;
  double max = 0;
  for (int i = 0; i < 4; i++) max = fmax(max, fabs(g[i]));
  return max < FLAT * largest;
}

int ns_minima_round(ns_slope *slope, void *self, int samples, ns_minimum *m)
{
  const double turn = 6.28318530717958647692;
  search s = {.slope = slope, .self = self, .found = m};
  double round[NS_MINIMA_SAMPLES + 3], *g = round + 1, largest = 0;
  for (int i = 0; i < samples; i++) {
    g[i] = slope(self, turn * i / samples);
    largest = fmax(largest, fabs(g[i]));
  }
  g[-1] = g[samples - 1], g[samples] = g[0], g[samples + 1] = g[1];
  for (int i = 0; i < samples; i++) {
    const double *at = g + i - 1;
    (is_flat(at, largest) ? look_closely : look_between)(&s, turn * i / samples,
                                                         turn * (i + 1) / samples, at);
  }
  return s.n;
}

void ns_minimum_go_to(ns_slope *slope, void *self, const ns_minimum *m)
{
  double low = m->low, high = m->high, below = m->below, above = m->above;
  int last = 0;
  for (int i = 0; i < ITERATIONS; i++) {
    double at = i > ITERATIONS / 2 ? (low + high) / 2
                                   : low - (high - low) * below / (above - below);
    int is_between = at > low && at < high; /* else the nearer end is it, up to rounding */
    double g = slope(self, fmax(low, fmin(at, high)));
    int side = g > 0 ? 1 : -1;
    if (g == 0 || !is_between) return;
    if (g > 0) high = at, above = g;
    else low = at, below = g;
    if (side == last && g > 0) below /= 2;
    if (side == last && g < 0) above /= 2;
    last = side;
  }
}
