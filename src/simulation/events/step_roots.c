/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/step_roots.h"

#include "algebra/vector.h"
#include "base/status.h"
#include "expression/freeze.h"

#include <math.h>
#include <string.h>

enum { PARABOLAS = 6 };          /* most points of one dip */
static const double CAUTION = 8; /* times the depth by three points, for that is an estimate */

int ns_root_bends(const ns_model *m, const ns_tape *f, unsigned banks, int output,
                  unsigned char *bends)
{
  const unsigned fixed = 1u << NS_BANK_Z | 1u << NS_BANK_INDEX | 1u << NS_BANK_BRANCH;
  unsigned linear = fixed | 1u << NS_BANK_T | 1u << NS_BANK_Q;
  if (!ns_model_has_rates(m)) linear |= 1u << NS_BANK_V;
  *bends = 1;
  if (banks & ~linear) return NS_OK;
  int affine = ns_tape_is_affine(f, fixed, output);
  if (affine > 0) *bends = 0;
  return affine < 0 ? NS_NOMEM : NS_OK;
}

int ns_step_roots_init(ns_step_roots *d, ns_arena *mem)
{
  size_t n = (size_t)d->n, size = sizeof(double);
  const ns_array want[] = {
      {&d->bottom, n, size}, {&d->where, n, size},           {&d->middle, n, size},
      {&d->trial, n, size},  {&d->told, n, sizeof *d->told}, {&d->rough, n, 1},
      {&d->met, n, 1}};
  for (int k = 0; k < NS_ROOT_LOOKS; k++)
    if (!(d->g[k] = ns_arena_zero(mem, n + 1, size))) return NS_NOMEM;
  for (int k = 0; k < NS_ROOT_INNER; k++)
    if (!(d->inner[k] = ns_arena_zero(mem, n + 1, size))) return NS_NOMEM;
  return ns_arena_arrays(mem, want, sizeof want / sizeof *want);
}

void ns_step_roots_forget(ns_step_roots *d)
{
  d->looks = 0;
  for (int k = 0; k < d->n; k++) d->rough[k] = 0, d->told[k] = 0, d->met[k] = 0;
}

/* ---- a motion's own curvature ---------------------------------------------------------------- */

/* How far a function with the values g at the times t comes below both ends of a step, at most, by
 * its curvature there; times descend. */
static double depth_by(const double *t, const double *g, double step)
{
  double early = (g[1] - g[2]) / (t[1] - t[2]), late = (g[0] - g[1]) / (t[0] - t[1]);
  double curvature = 2 * fabs(late - early) / (t[0] - t[2]);
  return CAUTION * curvature * step * step / 8;
}

/* On which side of 0 function k is where the last step begins, as far as that has a say. */
static double side_of(const ns_step_roots *d, int k)
{
  return k >= d->either && d->g[1][k] < 0 ? -1 : 1;
}

/* How far below the ends of the last step root k may have been. */
static double depth(const ns_step_roots *d, int k)
{
  if (d->looks < NS_ROOT_LOOKS) return INFINITY;
  const double g[] = {d->g[0][k], d->g[1][k], d->g[2][k]};
  return depth_by(d->t, g, d->t[0] - d->t[1]);
}

/* The same, now that the middle of the step is known: where the three points before tell little, as
 * behind a restart, most rows are seen to be far from 0. */
static int still_may_dip(const ns_step_roots *d, int k)
{
  double step = d->t[0] - d->t[1];
  const double t[] = {d->t[0], d->t[0] - step / 2, d->t[1]};
  const double s = side_of(d, k), g[] = {s * d->g[0][k], s * d->middle[k], s * d->g[1][k]};
  return fmin(g[1], fmin(g[0], g[2])) < depth_by(t, g, step);
}

/* Both ends are above 0, and a dip below it is not excluded. */
static int may_dip(const ns_step_roots *d, int k)
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
static int search(ns_step_roots *d, int k)
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

/* ---- functions that bend --------------------------------------------------------------------- */

/* All functions at the inner points of the step, once for all that bend. */
static int sample(ns_step_roots *d)
{
  int rc = NS_OK;
  for (int j = 0, i = 0; j < NS_SIGN_NODES && !rc && !d->sampled; j++) {
    double part = ns_sign_node[j];
    if (part == 0 || part == 1) continue;
    d->inner_t[i] = d->t[1] + part * (d->t[0] - d->t[1]);
    rc = d->look(d->of, d->inner_t[i], d->inner[i]);
    i++;
  }
  d->sampled = !rc;
  return rc;
}

static int value(void *of, double t, double *g)
{
  ns_step_roots *d = of;
  for (int i = 0; i < NS_ROOT_INNER; i++)
    if (t == d->inner_t[i]) return *g = d->inner[i][d->of_trial], NS_OK;
  int rc = d->look(d->of, t, d->trial);
  *g = d->trial[d->of_trial];
  return rc;
}

static const double LONGER = 2;  /* than a step that was told, so that one is known by it */
static const double NEAR = 0.25; /* of `widest`: within that a function has no unseen peak */

static int bends(const ns_step_roots *d, int k) { return d->bends && d->bends[k] && !d->rough[k]; }

/* Function k from t, where it is g and has this sign, to the end of the step. */
static int search_bent(ns_step_roots *d, int k, double t, double g, double sign)
{
  ns_sign_found found;
  ns_sign_told told;
  ns_sign_search s = {.of = d,
                      .value = value,
                      .a = t,
                      .b = d->t[0],
                      .ga = g,
                      .gb = d->g[0][k],
                      .sign = sign,
                      .low = d->shallow ? d->shallow[k] : 0,
                      .widest = d->widest};
  d->of_trial = k;
  int rc = sample(d);
  if (rc > 0) d->where[k] = INFINITY; /* there are no values */
  if (rc) return rc > 0 ? NS_OK : rc;
  rc = ns_sign_change(&s, &found, &d->where[k], &d->bottom[k], &told);
  if (rc) return rc;
  d->told[k] = told == NS_SIGN_DIVIDED ? 0 : d->t[0] - t;
  if (told == NS_SIGN_PEAKED) d->told[k] = fmin(d->told[k], NEAR / LONGER * d->widest);
  if (found != NS_SIGN_CHANGED) d->where[k] = INFINITY;
  if (found == NS_SIGN_ROUGH) d->rough[k] = 1;
  return NS_OK;
}

/* A step that is not much longer than one that was told, and whose curvature keeps g away from 0:
 * a function that oscillated within it would have shown before. One that is flat, or was where it
 * was told, may have peaks, on whose foot the end of a step may be: it is known only where steps
 * are as short as the distance of the values of a longer one. */
static int is_known(const ns_step_roots *d, int k)
{
  double change = fabs(d->g[0][k] - d->g[1][k]);
  int is_flat = change < NS_SIGN_FLAT * fabs(d->g[1][k]);
  if (is_flat && d->t[0] - d->t[1] > NEAR * d->widest) return 0;
  double s = side_of(d, k), low = fmin(s * d->g[0][k], s * d->g[1][k]);
  return d->t[0] - d->t[1] <= LONGER * d->told[k] && low > depth(d, k);
}

/* Function k, which bends, in the step that has just been made. It begins with the sign of g, where
 * that is 0 with the first that it takes. */
static int follow(ns_step_roots *d, int k)
{
  double g = d->g[1][k], sign = (g > 0) - (g < 0);
  if (!isfinite(g) || (g <= 0 && k < d->either) || is_known(d, k)) return NS_OK;
  return search_bent(d, k, d->t[1], g, sign);
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* The step that has just been made. */
static int search_all(ns_step_roots *d)
{
  int halved = 0, rc = NS_OK;
  d->sampled = 0;
  ns_fill((size_t)d->n, INFINITY, d->where);
  for (int k = 0; k < d->n && d->looks > 1 && !rc; k++) {
    if (bends(d, k)) rc = follow(d, k);
    if (rc || bends(d, k) || !may_dip(d, k)) continue;
    if (!halved) rc = d->look(d->of, (d->t[0] + d->t[1]) / 2, d->middle);
    halved = 1;
    if (!rc && still_may_dip(d, k)) rc = search(d, k);
  }
  return rc < 0 ? rc : NS_OK;
}

/* A new end of a step becomes the last of the points. */
static void push(ns_step_roots *d, double t, const double *g)
{
  double *oldest = d->g[NS_ROOT_LOOKS - 1];
  for (int k = NS_ROOT_LOOKS - 1; k > 0; k--) d->g[k] = d->g[k - 1], d->t[k] = d->t[k - 1];
  memcpy(oldest, g, (size_t)d->n * sizeof *g);
  d->g[0] = oldest;
  d->t[0] = t;
  if (d->looks < NS_ROOT_LOOKS) d->looks++;
}

void ns_step_roots_met(ns_step_roots *d, double t, const int *fired)
{
  for (int k = 0; k < d->n; k++) {
    if (!fired[k]) continue;
    d->where[k] = INFINITY;
    d->met[k] = fired[k] > 0 ? 1 : -1;
    d->met_t = t;
  }
}

/* What is left of the step behind a root: there was no restart. */
static int search_rest(ns_step_roots *d)
{
  int rc = NS_OK;
  for (int k = 0; k < d->n && !rc; k++) {
    double sign = d->met[k];
    d->met[k] = 0;
    if (sign != 0 && bends(d, k) && d->met_t < d->t[0]) rc = search_bent(d, k, d->met_t, 0, sign);
  }
  return rc;
}

int ns_step_roots_apply(ns_step_roots *d, double t, double *g)
{
  int rc = d->looks > 1 ? search_rest(d) : NS_OK;
  if (!rc && (d->looks == 0 || t > d->t[0])) {
    push(d, t, g);
    rc = search_all(d);
  }
  for (int k = 0; k < d->n && d->looks > 1; k++) {
    double s = side_of(d, k);
    if (t >= d->where[k] && (bends(d, k) || s * d->bottom[k] < s * g[k])) g[k] = d->bottom[k];
  }
  return rc;
}
