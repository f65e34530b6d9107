/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/bracket.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int ns_bracket_init(ns_bracket *b, ns_arena *mem, int n)
{
  size_t m = (size_t)n, d = sizeof(double);
  const ns_array want[] = {{&b->low, m, d},
                           {&b->high, m, d},
                           {&b->middle, m, d},
                           {&b->direction, m, 1},
                           {&b->fired, m, sizeof *b->fired}};
  b->n = n;
  return ns_arena_arrays(mem, want, sizeof want / sizeof *want);
}

/* The search goes on from t, where the functions are g. */
static void move(ns_bracket *b, double t, const double *g)
{
  b->t = t;
  memcpy(b->low, g, (size_t)b->n * sizeof *g);
}

int ns_bracket_start(ns_bracket *b, double t, const signed char *direction)
{
  b->t = t;
  b->at_root = 0;
  if (b->n == 0) return 0;
  if (direction) memcpy(b->direction, direction, (size_t)b->n);
  memset(b->fired, 0, (size_t)b->n * sizeof *b->fired);
  return b->value(b->of, t, b->low);
}

/* The root of function i between low and g: +1, -1; 0: none, as from a zero. */
static int crosses(const ns_bracket *b, int i, const double *g)
{
  int rises = b->low[i] < 0 && g[i] >= 0, falls = b->low[i] > 0 && g[i] <= 0;
  int sign = rises - falls;
  return sign * b->direction[i] >= 0 ? sign : 0;
}

/* The function with a root that a straight line has first; -1: there is none. */
static int first(const ns_bracket *b, const double *g)
{
  double max = -1;
  int at = -1;
  for (int i = 0; i < b->n; i++) {
    double past = crosses(b, i, g) ? fabs(g[i]) / (fabs(g[i]) + fabs(b->low[i])) : -1;
    if (past > max) max = past, at = i;
  }
  return at;
}

/* How close both ends of a bracket come. */
static double nearest(double low, double high)
{
  return 2 * DBL_EPSILON * fmax(fabs(low), fabs(high));
}

/* Where the rule of false position sees the root of function i; `weight` of its low end. Not closer
 * to an end than `margin`. */
static double guess(const ns_bracket *b, int i, double end, double weight, double margin)
{
  double low = weight * b->low[i], high = b->high[i], t = end - (end - b->t) * high / (high - low);
  if (!isfinite(t)) return b->t + (end - b->t) / 2;
  return fmin(fmax(t, b->t + margin), end - margin);
}

/* The search goes on in (t, end] or in (b->t, t]; how often the same end has moved: > 0 the upper,
 * < 0 the lower one. */
static int halve(ns_bracket *b, double t, double *end, int again)
{
  if (first(b, b->middle) < 0) {
    move(b, t, b->middle);
    return again < 0 ? again - 1 : -1;
  }
  memcpy(b->high, b->middle, (size_t)b->n * sizeof *b->high);
  *end = t;
  return again > 0 ? again + 1 : 1;
}

/* Shrink (b->t, *end], which holds a root; b->high is g at *end. Each time that one end moves
 * again, the other one counts half, and the next guess keeps further from the end that moves: where
 * that is the root to rounding, the bracket is closed by the other one. Three evaluations that do
 * not shrink it to a quarter are followed by a half. */
static int shrink(ns_bracket *b, double *end)
{
  double weight = 1, last[3] = {INFINITY, INFINITY, INFINITY}, width, tol;
  int rc = 0, again = 0, i;
  while ((width = *end - b->t) > (tol = nearest(b->t, *end)) && (i = first(b, b->high)) >= 0) {
    double margin = fmin(ldexp(tol, abs(again) > 1 ? 3 * abs(again) - 4 : -1), width / 2);
    double t = width > last[2] / 4 ? b->t + width / 2 : guess(b, i, *end, weight, margin);
    if (!(t > b->t && t < *end)) break;
    rc = b->value(b->of, t, b->middle);
    if (rc) break;
    memmove(last + 1, last, 2 * sizeof *last);
    last[0] = width;
    again = halve(b, t, end, again);
    if (abs(again) <= 1) weight = 1; /* Illinois: an end that stays loses weight */
    else weight = again > 1 ? weight / 2 : weight * 2;
  }
  return rc;
}

static int any_zero(const ns_bracket *b)
{
  for (int i = 0; i < b->n; i++)
    if (b->low[i] == 0) return 1;
  return 0;
}

/* Functions that are zero where the search begins: the sign with which they leave it, a moment
 * later. A root of others in this moment: *end is its end. */
static int leave(ns_bracket *b, double *end, int *root)
{
  double t = b->t + 50 * DBL_EPSILON * (fabs(b->t) + fabs(*end));
  if (!any_zero(b) || t >= *end) return 0;
  int rc = b->value(b->of, t, b->high);
  *root = !rc && first(b, b->high) >= 0;
  if (*root) *end = t;
  else if (!rc) move(b, t, b->high);
  return rc;
}

int ns_bracket_search(ns_bracket *b, double end, int *root)
{
  *root = 0;
  int rc = b->n && b->at_root ? b->value(b->of, b->t, b->low) : 0;
  b->at_root = 0;
  if (!rc && b->n) rc = leave(b, &end, root);
  if (!rc && b->n && !*root) {
    rc = b->value(b->of, end, b->high);
    *root = !rc && first(b, b->high) >= 0;
  }
  if (!rc && *root) rc = shrink(b, &end);
  if (rc) return rc;
  for (int i = 0; i < b->n && *root; i++) b->fired[i] = crosses(b, i, b->high);
  b->at_root = *root;
  move(b, end, b->high);
  return 0;
}
