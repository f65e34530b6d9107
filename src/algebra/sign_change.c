/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/sign_change.h"

#include "base/status.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  NODES = NS_SIGN_NODES,
  PREDICT = 4,   /* of the nodes, the first */
  DIVIDE = 2,    /* where an interval is divided: the second inner node in time */
  DEPTH = 64,    /* intervals that wait */
  ROUGH = 16,    /* narrowest ones in a row that are not told: rounding */
  MAX = 1 << 17, /* intervals that say nothing */
};

static const double SURE = 4;         /* times E */
static const double TRUST = 1e-4;     /* of |P|: a larger E may be chance */
static const double NOISE = 1e-14;    /* of the largest value: rounding */
static const double STILL = 1.0 / 16; /* of `low` */
static const double FINE = 0x1p-36;   /* of the interval */

const double ns_sign_node[NODES] = {0, 0.3608, 0.6127, 1, 0.1315, 0.8684};
/* The same in the order of time. */
static const int IN_TIME[NODES] = {0, 4, 1, 2, 5, 3};

typedef struct point {
  double t, g;
} point;

typedef enum verdict { NONE, ONE, UNTOLD } verdict;

typedef struct search {
  const ns_sign_search *s;
  double sign, noise;
  double g[NODES]; /* in the order of use */
  int peaked;      /* it may have a peak between these */
} search;

/* Coefficients in Bernstein's basis of the polynomial through the values g, from Newton's form;
 * returns E. */
static double fit(const double *g, double *P)
{
  const double *x = ns_sign_node;
  double d[NODES], w[NODES] = {1}, miss = 0;
  memcpy(d, g, sizeof d);
  for (int k = 1; k < NODES; k++)
    for (int i = NODES - 1; i >= k; i--) d[i] = (d[i] - d[i - 1]) / (x[i] - x[i - k]);
  for (int i = PREDICT; i < NODES; i++) {
    double sum = d[PREDICT - 1];
    for (int k = PREDICT - 2; k >= 0; k--) sum = d[k] + (x[i] - x[k]) * sum;
    miss = fmax(miss, fabs(g[i] - sum));
  }
  /* w = (x - x[0]) .. (x - x[k-1]), and P the polynomial of degree k */
  P[0] = d[0];
  for (int k = 1; k < NODES; k++) {
    w[k] = P[k] = 0;
    for (int j = k; j >= 0; j--) {
      double right = (double)j / k, left = 1 - right;
      w[j] *= -x[k - 1] * left;
      P[j] *= left;
      if (j > 0) w[j] += (1 - x[k - 1]) * right * w[j - 1], P[j] += right * P[j - 1];
      P[j] += d[k] * w[j];
    }
  }
  return miss;
}

static int has_changed(const search *s, double g) { return s->sign * g < -s->s->low; }

/* g looks flat, or is by E no polynomial: it may have a peak between its values. */
static int may_have_peak(const search *s, double E)
{
  static const double ODD = 0.01;
  double min = INFINITY, max = -INFINITY;
  for (int j = 0; j < NODES; j++) min = fmin(min, s->g[j]), max = fmax(max, s->g[j]);
  double change = max - min;
  return change < NS_SIGN_FLAT * fmax(fabs(min), fabs(max)) || E > ODD * change;
}

/* The values differ by far less than what is not a change, and are not near one: g is at rest on
 * 0 but for rounding, with as many steps as the rounding has. */
static int is_still(const search *s)
{
  double low = s->s->low, min = INFINITY, max = -INFINITY;
  for (int j = 0; j < NODES; j++)
    min = fmin(min, s->sign * s->g[j]), max = fmax(max, s->sign * s->g[j]);
  return max - min <= STILL * low && min > -low / 2;
}

/* What the values of an interval tell; wide: of peaks, too. */
static verdict tell(search *s, int wide)
{
  double P[NODES], E = fit(s->g, P), min = INFINITY, max = 0, up = INFINITY, down = INFINITY;
  s->peaked = may_have_peak(s, E);
  if (wide && s->peaked) return UNTOLD;
  int changed = has_changed(s, s->g[PREDICT - 1]); /* at its end */
  for (int j = 0; j < NODES; j++) {
    min = fmin(min, s->sign * P[j]);
    max = fmax(max, fabs(P[j]));
    if (j > 0) up = fmin(up, P[j] - P[j - 1]), down = fmin(down, P[j - 1] - P[j]);
  }
  if (!isfinite(max)) return UNTOLD;
  if (is_still(s)) return NONE;
  if (max <= s->noise) return changed ? ONE : NONE;
  if (E > TRUST * max) return UNTOLD;
  if (min + s->s->low > SURE * E) return NONE;
  return fmax(up, down) > SURE * E ? (changed ? ONE : NONE) : UNTOLD;
}

/* Values between the ends a, b, whose values are there. */
static int sample(search *s, double a, double b)
{
  int rc = NS_OK;
  for (int j = 1; j < NODES && !rc; j++)
    if (j != PREDICT - 1) rc = s->s->value(s->s->of, a + ns_sign_node[j] * (b - a), &s->g[j]);
  return rc;
}

/* The first interval: how large g is, and its sign. 1: it has none. */
static int measure(search *s)
{
  double max = 0;
  for (int j = 0; j < NODES; j++) {
    double g = s->g[IN_TIME[j]];
    max = fmax(max, fabs(g));
    if (s->sign == 0 && g != 0) s->sign = g > 0 ? 1 : -1;
  }
  s->noise = NOISE * max;
  return s->sign == 0;
}

/* The first node that is on the other side. */
static int first_changed(const search *s)
{
  int j = 1;
  while (j < NODES && !has_changed(s, s->g[IN_TIME[j]])) j++;
  return j;
}

int ns_sign_change(const ns_sign_search *of, ns_sign_found *found, double *t, double *g,
                   ns_sign_told *told)
{
  search s = {.s = of, .sign = of->sign, .g = {of->ga}};
  point wait[DEPTH] = {{of->b, of->gb}}; /* right ends */
  double a = of->a, fine = fmax(FINE * (of->b - a), 256 * DBL_EPSILON * fmax(fabs(a), fabs(of->b)));
  double widest = of->widest > 0 ? of->widest : INFINITY;
  int top = 1, rough = 0, untold = 0;
  *found = NS_SIGN_KEPT;
  *told = NS_SIGN_DIVIDED;
  for (int part = 0; top > 0; part++) {
    double b = wait[top - 1].t;
    s.g[PREDICT - 1] = wait[top - 1].g;
    int rc = sample(&s, a, b);
    if (rc) *found = NS_SIGN_ROUGH;
    if (rc) return rc < 0 ? rc : NS_OK;
    if (part == 0 && measure(&s)) return NS_OK;
    int wide = b - a > widest;
    verdict v = tell(&s, wide);
    if (part == 0 && v != UNTOLD) *told = s.peaked ? NS_SIGN_PEAKED : NS_SIGN_RESOLVED;
    int narrow = b - a <= fine || top == DEPTH;
    rough = v != UNTOLD ? 0 : rough + narrow;
    if (rough > ROUGH) *found = NS_SIGN_ROUGH;
    if (rough > ROUGH) return NS_OK;
    if (v == UNTOLD && !narrow) {
      untold += !wide;
      if (untold == MAX) return NS_NUMERIC;
      wait[top].t = a + ns_sign_node[DIVIDE] * (b - a);
      wait[top++].g = s.g[DIVIDE];
      continue;
    }
    int j = v == NONE ? NODES : first_changed(&s);
    if (j < NODES) {
      int node = IN_TIME[j];
      *found = NS_SIGN_CHANGED;
      *t = node == PREDICT - 1 ? b : a + ns_sign_node[node] * (b - a);
      *g = s.g[node];
      return NS_OK;
    }
    s.g[0] = s.g[PREDICT - 1];
    a = b;
    top--;
  }
  return NS_OK;
}
