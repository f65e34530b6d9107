/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/root_dips.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

enum { PARABOLAS = 6 };          /* most points of one dip */
static const double CAUTION = 8; /* times the depth by three points, for that is an estimate */

int ns_root_dips_init(ns_root_dips *d, ns_arena *mem)
{
  size_t n = (size_t)d->n + 1;
  for (int k = 0; k < NS_ROOT_LOOKS; k++)
    if (!(d->g[k] = ns_arena_zero(mem, n, sizeof(double)))) return NS_NOMEM;
  d->bottom = ns_arena_zero(mem, n, sizeof *d->bottom);
  d->where = ns_arena_zero(mem, n, sizeof *d->where);
  d->middle = ns_arena_zero(mem, n, sizeof *d->middle);
  d->trial = ns_arena_zero(mem, n, sizeof *d->trial);
  return d->bottom && d->where && d->middle && d->trial ? NS_OK : NS_NOMEM;
}

/* How far a function with the values g at the times t comes below both ends of a step, at most, by
 * its curvature there; times descend. */
static double depth_by(const double *t, const double *g, double step)
{
  double early = (g[1] - g[2]) / (t[1] - t[2]), late = (g[0] - g[1]) / (t[0] - t[1]);
  double curvature = 2 * fabs(late - early) / (t[0] - t[2]);
  return CAUTION * curvature * step * step / 8;
}

/* On which side of 0 function k is where the last step begins, as far as that has a say. */
static double side_of(const ns_root_dips *d, int k)
{
  return k >= d->either && d->g[1][k] < 0 ? -1 : 1;
}

/* How far below the ends of the last step root k may have been. */
static double depth(const ns_root_dips *d, int k)
{
  if (d->looks < NS_ROOT_LOOKS) return INFINITY;
  const double g[] = {d->g[0][k], d->g[1][k], d->g[2][k]};
  return depth_by(d->t, g, d->t[0] - d->t[1]);
}

/* The same, now that the middle of the step is known: where the three points before tell little, as
 * behind a restart, most rows are seen to be far from 0. */
static int still_may_dip(const ns_root_dips *d, int k)
{
  double step = d->t[0] - d->t[1];
  const double t[] = {d->t[0], d->t[0] - step / 2, d->t[1]};
  const double s = side_of(d, k), g[] = {s * d->g[0][k], s * d->middle[k], s * d->g[1][k]};
  return fmin(g[1], fmin(g[0], g[2])) < depth_by(t, g, step);
}

/* Both ends are above 0, and a dip below it is not excluded. */
static int may_dip(const ns_root_dips *d, int k)
{
  double s = side_of(d, k), low = fmin(s * d->g[0][k], s * d->g[1][k]);
  int varies = d->g[0][k] != d->g[1][k] || d->looks < NS_ROOT_LOOKS || d->g[2][k] != d->g[1][k];
  return low > 0 && varies && low < depth(d, k);
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
static int search(ns_root_dips *d, int k)
{
  double t[3] = {d->t[1], (d->t[0] + d->t[1]) / 2, d->t[0]};
  double s = side_of(d, k), g[3] = {s * d->g[1][k], s * d->middle[k], s * d->g[0][k]};
  double low = d->shallow ? -d->shallow[k] : 0;
  for (int i = 0; i < PARABOLAS && g[1] >= low; i++) {
    double at = vertex(t, g), apart = 1e-6 * (t[2] - t[0]);
    if (!(at > t[0] + apart && at < t[2] - apart) || fabs(at - t[1]) < apart) return NS_OK;
    int rc = d->look(d->of, at, d->trial);
    if (rc) return rc < 0 ? rc : NS_OK;
    narrow(t, g, at, s * d->trial[k]);
  }
  if (g[1] < low) d->where[k] = t[1], d->bottom[k] = s * g[1];
  return NS_OK;
}

/* The step that has just been made. */
static int search_all(ns_root_dips *d)
{
  int sampled = 0, rc = NS_OK;
  for (int k = 0; k < d->n; k++) d->where[k] = INFINITY;
  for (int k = 0; k < d->n && d->looks > 1 && !rc; k++) {
    if (!may_dip(d, k)) continue;
    if (!sampled) rc = d->look(d->of, (d->t[0] + d->t[1]) / 2, d->middle);
    sampled = 1;
    if (!rc && still_may_dip(d, k)) rc = search(d, k);
  }
  return rc < 0 ? rc : NS_OK;
}

/* A new end of a step becomes the last of the points. */
static void push(ns_root_dips *d, double t, const double *g)
{
  double *oldest = d->g[NS_ROOT_LOOKS - 1];
  for (int k = NS_ROOT_LOOKS - 1; k > 0; k--) d->g[k] = d->g[k - 1], d->t[k] = d->t[k - 1];
  memcpy(oldest, g, (size_t)d->n * sizeof *g);
  d->g[0] = oldest;
  d->t[0] = t;
  if (d->looks < NS_ROOT_LOOKS) d->looks++;
}

void ns_root_dips_met(ns_root_dips *d, const int *fired)
{
  for (int k = 0; k < d->n; k++)
    if (fired[k]) d->where[k] = INFINITY;
}

int ns_root_dips_apply(ns_root_dips *d, double t, double *g)
{
  int rc = NS_OK;
  if (d->looks == 0 || t > d->t[0]) {
    push(d, t, g);
    rc = search_all(d);
  }
  for (int k = 0; k < d->n && d->looks > 1; k++) {
    double s = side_of(d, k);
    if (t >= d->where[k] && s * d->bottom[k] < s * g[k]) g[k] = d->bottom[k];
  }
  return rc;
}
