/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switching_dips.c -- roots that come in pairs within one step of the integrator.
 *
 * The integrator compares the signs of root functions at the ends of its steps, which may be long:
 * where a function g comes below 0 and above it again within one of them nothing would be seen.
 * (Roots of the slope of g find such dips, too, but the slope is all rounding where a motion comes
 * to rest, and has roots for ever.) Here what the integrator sees is
 *
 *   G(t) = g(t) up to the place s of a dip, min(g(s), g(t)) from there on
 *
 * with s in the present step and g(s) < 0,
 *
 * which has a sign change, and as its first root that of g. A dip is looked for only where it may
 * be: with the curvature k of g, by the last three points at which the integrator has looked, a
 * parabola that is positive at both ends of a step of length d comes at most k d^2/8 below them.
 * There one more point is taken, in the middle, and then those that successive parabolas propose
 * (Brent 1973, ch. 5). */
#include "simulation/events/switching_parts.h"

#include <math.h>
#include <string.h>

enum { PARABOLAS = 6 };          /* most points of one dip */
static const double CAUTION = 8; /* times the depth by three points, for that is an estimate */

int ns_sw_dips_create(switching *o)
{
  ns_sw_steps *d = &o->dips;
  size_t n = (size_t)o->problem.nroots + 1;
  for (int k = 0; k < NS_SW_LOOKS; k++)
    if (!(d->g[k] = ns_arena_zero(o->mem, n, sizeof(double)))) return NS_NOMEM;
  d->bottom = ns_arena_zero(o->mem, n, sizeof *d->bottom);
  d->where = ns_arena_zero(o->mem, n, sizeof *d->where);
  d->middle = ns_arena_zero(o->mem, n, sizeof *d->middle);
  d->trial = ns_arena_zero(o->mem, n, sizeof *d->trial);
  d->x = ns_arena_zero(o->mem, o->m->nq + 2, sizeof *d->x);
  return d->bottom && d->where && d->middle && d->trial && d->x ? NS_OK : NS_NOMEM;
}

void ns_sw_dips_forget(switching *o) { o->dips.looks = 0; }

/* How far a function with the values g at the times t comes below both ends of a step, at most, by
 * its curvature there; times descend. */
static double depth_by(const double *t, const double *g, double step)
{
  double early = (g[1] - g[2]) / (t[1] - t[2]), late = (g[0] - g[1]) / (t[0] - t[1]);
  double curvature = 2 * fabs(late - early) / (t[0] - t[2]);
  return CAUTION * curvature * step * step / 8;
}

/* How far below the ends of the last step root k may have been. */
static double depth(const ns_sw_steps *d, int k)
{
  if (d->looks < NS_SW_LOOKS) return INFINITY;
  const double g[] = {d->g[0][k], d->g[1][k], d->g[2][k]};
  return depth_by(d->t, g, d->t[0] - d->t[1]);
}

/* The same, now that the middle of the step is known: where the three points before tell little, as
 * behind a restart, most rows are seen to be far from 0. */
static int still_may_dip(const ns_sw_steps *d, int k)
{
  double step = d->t[0] - d->t[1];
  const double t[] = {d->t[0], d->t[0] - step / 2, d->t[1]};
  const double g[] = {d->g[0][k], d->middle[k], d->g[1][k]};
  return fmin(g[1], fmin(g[0], g[2])) < depth_by(t, g, step);
}

/* Both ends are above 0, and a dip below it is not excluded. */
static int may_dip(const ns_sw_steps *d, int k)
{
  double low = fmin(d->g[0][k], d->g[1][k]);
  int varies = d->g[0][k] != d->g[1][k] || d->looks < NS_SW_LOOKS || d->g[2][k] != d->g[1][k];
  return low > 0 && varies && low < depth(d, k);
}

/* Root functions at a time within the last step. > 0: not to be had there. */
static int look(switching *o, double t, double *g)
{
  double from, to;
  o->run.ops->span(o->run.flow, &from, &to);
  if (!(t >= from && t <= to)) return 1;
  int rc = o->run.ops->dense(o->run.flow, o->run.c, t, 0, o->dips.x);
  return rc ? rc : ns_sw_row_roots(o, t, o->dips.x, g);
}

/* Lowest point of the parabola through three, where it has one; times ascend. */
static double vertex(const double *t, const double *g)
{
  double a = (g[1] - g[0]) / (t[1] - t[0]), b = (g[2] - g[1]) / (t[2] - t[1]);
  double curvature = (b - a) / (t[2] - t[0]);
  return curvature > 0 ? (t[0] + t[1]) / 2 - a / (2 * curvature) : NAN;
}

/* A point beside the middle one: three around the lower of both remain. */
static void narrow(double *t, double *g, double at, double value)
{
  int right = at > t[1], lower = value < g[1];
  int end = right == lower ? 0 : 2; /* the end that goes */
  double middle_t = lower ? at : t[1], middle_g = lower ? value : g[1];
  t[end] = lower ? t[1] : at, g[end] = lower ? g[1] : value;
  t[1] = middle_t, g[1] = middle_g;
}

/* Root k from the ends and the middle of a step to a point below 0, if there is one. */
static int search(switching *o, int k)
{
  ns_sw_steps *d = &o->dips;
  double t[3] = {d->t[1], (d->t[0] + d->t[1]) / 2, d->t[0]};
  double g[3] = {d->g[1][k], d->middle[k], d->g[0][k]};
  for (int i = 0; i < PARABOLAS && g[1] >= 0; i++) {
    double at = vertex(t, g), apart = 1e-6 * (t[2] - t[0]);
    if (!(at > t[0] + apart && at < t[2] - apart) || fabs(at - t[1]) < apart) return NS_OK;
    int rc = look(o, at, d->trial);
    if (rc) return rc < 0 ? rc : NS_OK;
    narrow(t, g, at, d->trial[k]);
  }
  if (g[1] < 0) d->where[k] = t[1], d->bottom[k] = g[1];
  return NS_OK;
}

/* The step that has just been made. */
static int search_all(switching *o)
{
  ns_sw_steps *d = &o->dips;
  int sampled = 0, rc = NS_OK;
  for (int k = 0; k < o->nsteady; k++) d->where[k] = INFINITY;
  for (int k = 0; k < o->nsteady && d->looks > 1 && !rc; k++) {
    if (!may_dip(d, k)) continue;
    if (!sampled) rc = look(o, (d->t[0] + d->t[1]) / 2, d->middle);
    sampled = 1;
    if (!rc && still_may_dip(d, k)) rc = search(o, k);
  }
  return rc < 0 ? rc : NS_OK;
}

/* A new end of a step becomes the last of the points. */
static void push(ns_sw_steps *d, double t, const double *g, int n)
{
  double *oldest = d->g[NS_SW_LOOKS - 1];
  for (int k = NS_SW_LOOKS - 1; k > 0; k--) d->g[k] = d->g[k - 1], d->t[k] = d->t[k - 1];
  memcpy(oldest, g, (size_t)n * sizeof *g);
  d->g[0] = oldest;
  d->t[0] = t;
  if (d->looks < NS_SW_LOOKS) d->looks++;
}

int ns_sw_dips(switching *o, double t, double *g)
{
  ns_sw_steps *d = &o->dips;
  int rc = NS_OK;
  if (d->looks == 0 || t > d->t[0]) {
    push(d, t, g, o->nsteady);
    rc = search_all(o);
  }
  for (int k = 0; k < o->nsteady && d->looks > 1; k++)
    if (t >= d->where[k] && d->bottom[k] < g[k]) g[k] = d->bottom[k];
  return rc;
}
