/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bead_column -- the loop that a person would write by hand for one model: the limit of speed.
 *
 * A column of n beads rests on the ground: bead i touches bead i - 1, all contacts active. One
 * Moreau-Jean step (theta = 1/2, e = 0, explicit forces; Jean 1999):
 *
 *   v_free = v + h g,   u = H v_free,   W p = -u  (W = H M^-1 H^T, tridiagonal),
 *   v+ = v_free + M^-1 H^T p,   q+ = q + h (v + v+) / 2,
 *
 * with the same tests a general program makes: which contacts are active (y + h/2 u <= 0, here
 * all), whether the impulses push (p >= 0). W is made and solved anew in each step by Thomas'
 * algorithm (an LDL^T without pivoting; W is positive definite).
 *
 * usage: bead_column [n...]; prints for each n: n, ns per step (median of 5), ns per bead. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double h = 1e-3, g = -9.81, R = 0.1;

typedef struct column {
  int n;
  double *w, *q, *v, *free, *p, *d, *y; /* [n] each; w = 1/mass */
} column;

/* Number of active contacts that push. */
static int step(column *c)
{
  int n = c->n, pushing = 0;
  const double *w = c->w;
  double *q = c->q, *v = c->v, *f = c->free, *p = c->p, *d = c->d, *y = c->y;

  for (int i = 0; i < n; i++) {
    f[i] = v[i] + h * g;
    y[i] = q[i] - (i ? q[i - 1] + 2 * R : R);
  }
  /* Forward: rows of W are (-w[i-1], w[i-1] + w[i], -w[i]). */
  for (int i = 0; i < n; i++) {
    double u = f[i] - (i ? f[i - 1] : 0), before = i ? v[i] - v[i - 1] : v[i];
    if (y[i] + 0.5 * h * before > 1e-9) return -1; /* open: not this program's case */
    double l = i ? -w[i - 1] / d[i - 1] : 0;
    d[i] = w[i] + (i ? w[i - 1] + l * w[i - 1] : 0);
    p[i] = -u - (i ? l * p[i - 1] : 0);
  }
  /* Back. */
  p[n - 1] /= d[n - 1];
  for (int i = n - 2; i >= 0; i--) p[i] = (p[i] + p[i + 1] * w[i]) / d[i];
  for (int i = 0; i < n; i++) {
    double after = f[i] + (p[i] - (i + 1 < n ? p[i + 1] : 0)) * w[i];
    pushing += p[i] >= 0;
    q[i] += 0.5 * h * (v[i] + after);
    v[i] = after;
  }
  return pushing;
}

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int measure(int n)
{
  double *store = calloc((size_t)n * 7, sizeof *store), times[5];
  if (!store) return 1;
  size_t k = (size_t)n;
  column c = {n,
              store,
              store + k,
              store + 2 * k,
              store + 3 * k,
              store + 4 * k,
              store + 5 * k,
              store + 6 * k};
  for (int i = 0; i < n; i++) {
    c.w[i] = 1;
    c.q[i] = R + 2 * R * i;
  }
  int steps = 4000000 / n < 10 ? 10 : 4000000 / n;
  for (int run = 0; run < 5; run++) {
    double begin = now();
    for (int i = 0; i < steps; i++)
      if (step(&c) != n) return fprintf(stderr, "bead_column: the column of %d moved\n", n), 1;
    times[run] = (now() - begin) / steps;
  }
  qsort(times, 5, sizeof *times, by_value);
  double error = 0; /* it rests: the top bead stays, the ground carries the weight */
  error += fabs(c.q[n - 1] - (R + 2 * R * (n - 1))) / c.q[n - 1];
  error += fabs(c.p[0] / (-g * h * n) - 1);
  if (error > 1e-6) return fprintf(stderr, "bead_column: wrong by %g\n", error), 1;
  printf("%d %.1f %.2f\n", n, times[2] * 1e9, times[2] * 1e9 / n);
  free(store);
  return 0;
}

int main(int argc, char **argv)
{
  static const int usual[] = {100, 1000, 100000};
  int failed = 0;
  if (argc < 2)
    for (int i = 0; i < 3; i++) failed |= measure(usual[i]);
  for (int i = 1; i < argc; i++) failed |= measure(atoi(argv[i]) > 0 ? atoi(argv[i]) : 1);
  return failed;
}
