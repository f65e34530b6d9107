/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/gap_parts.h"

#include "collision/touch_cylinder.h"

#include <math.h>

/* Sine of the tilt of a cap: up to FLAT it lies flat on a plane, below KNOWN it has no lowest point
 * that is known. */
static const double FLAT = NS_RIM_LEANS;
static const double KNOWN = 1e-9;
static const double TURN = 6.28318530717958647692;

/* Sine of the tilt of the caps of a over the plane b, in the direction *r that they lean in, of
 * unit length, across the axis. */
static double tilt_of(const ns_placed *a, const ns_placed *b, double *r)
{
  const double *axis = a->R + 6, *normal = b->R + 6;
  ns_axpy3(normal, -ns_dot3(normal, axis), axis, r);
  return ns_unit3(r);
}

/* Where the fixed points of a rim begin, as a part of NS_RIM_BACK: the middle of a side at its
 * lowest point, where one is known. A cap that comes to lie flat has been on that one, and in a
 * plane of motion comes down on the one across. */
static int rim_begins(const ns_placed *a, const ns_placed *b)
{
  double r[3];
  if (tilt_of(a, b, r) < KNOWN) return 0;
  double turn = atan2(-ns_dot3(a->R + 3, r), -ns_dot3(a->R, r)) / TURN;
  return (int)(NS_RIM_BACK * (turn - floor(turn))) % NS_RIM_BACK;
}

void ns_rim_point(const ns_placed *a, const ns_placed *b, int which, int region, double *x)
{
  const ns_shape *s = a->shape;
  int cap = which < 2 ? which : (which - 2) / NS_RIM_POINTS;
  double corner = ((which - 2) % NS_RIM_POINTS + 0.5) / NS_RIM_POINTS +
                  region / (double)NS_RIM_BACK;
  double down[3], radius = s->radius / cos(TURN / (2 * NS_RIM_POINTS));
  ns_axpy3(a->at, (cap ? 1 : -1) * s->half[2], a->R + 6, x);
  if (which < 2) {
    if (tilt_of(a, b, down) >= KNOWN) ns_axpy3(x, -s->radius, down, x);
    return;
  }
  ns_axpy3(x, radius * cos(TURN * corner), a->R, x);
  ns_axpy3(x, radius * sin(TURN * corner), a->R + 3, x);
}

int ns_rim_region(const ns_placed *a, const ns_placed *b, int which, int was)
{
  double r[3];
  int flat = tilt_of(a, b, r) < FLAT;
  if (which < 2) return flat ? NS_RIM_BACK : 0;
  if (!flat) return NS_RIM_BACK;
  if (was < 0 || was == NS_RIM_BACK) return rim_begins(a, b);
  return was;
}

double ns_rim_clearance(const ns_placed *a, const ns_placed *b, int which, int region)
{
  double r[3], over = a->shape->radius * (tilt_of(a, b, r) - FLAT);
  if (region == NS_RIM_BACK) return INFINITY;
  return which < 2 ? over : -over;
}

/* The lowest point lies from the centre of its cap along -r, r the part of n across the axis. */
void ns_rim_rate(const ns_meeting *m, const ns_twist *of, const double *n, const double *n_rate,
                 double *rate)
{
  const double *axis = m->first->R + 6;
  double axis_rate[3], r[3], change[3];
  ns_cross3(of->w, axis, axis_rate);
  ns_axpy3(n, -ns_dot3(n, axis), axis, r);
  double across = ns_unit3(r);
  if (across < KNOWN) return; /* the centre of the cap stands in for it */
  ns_axpy3(n_rate, -(ns_dot3(n_rate, axis) + ns_dot3(n, axis_rate)), axis, change);
  ns_axpy3(change, -ns_dot3(n, axis), axis_rate, change);
  ns_without3(r, change);
  ns_axpy3(rate, -m->first->shape->radius / across, change, rate);
  /* the centre of the cap in place of the point on the rim */
  double arm[3], turn[3];
  for (int i = 0; i < 3; i++) arm[i] = m->first->shape->radius * r[i];
  ns_cross3(of->w, arm, turn);
  ns_axpy3(rate, 1, turn, rate);
}
