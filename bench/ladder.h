/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ladder.h -- LC ladder with a diode bridge and its resistor at every node, as the box AVI of one
 * step, unreduced.
 *
 *   L i_k' = v_{k-1} - v_k,   C v_k' = i_k - i_{k+1} - l3 + l4,   v_{-1} = U sin(2 pi f t)
 *   y1 = (l1 + l2)/R - l3,  y2 = (l1 + l2)/R - l4,  y3 = l1 - v_k,  y4 = l2 + v_k,   0 <= y _|_ l
 *                           >= 0
 *
 * (bridge: y1, y2 currents of two diodes and l1, l2 minus their voltages; y3, y4 voltages of the
 * others and l3, l4 their currents). Implicit midpoint for the states, multipliers at the end of
 * the step. Rows: v, i of each cell, then l1..l4 of each cell. */
#ifndef NS_BENCH_LADDER_H
#define NS_BENCH_LADDER_H

#include "problems/avi.h"

#include <math.h>
#include <stdlib.h>

typedef struct ladder {
  int cells, n;
  double L, C, R, U, f, h, t;
  ns_blocks A;
  double *q, *lb, *ub, *z, *w; /* [n]; z: v, i, l now */
  void *memory;
} ladder;

static inline void ladder_entry(ladder *d, int *k, int col, double v)
{
  d->A.col[*k] = col;
  d->A.val[(*k)++] = v;
}

/* Rows of cell k in the order of columns. */
static inline void ladder_state_rows(ladder *d, int k, int *e)
{
  int v = 2 * k, i = v + 1, l = 2 * d->cells + 4 * k;
  double a = d->h / 2;
  ladder_entry(d, e, v, d->C);
  ladder_entry(d, e, i, -a);
  if (k + 1 < d->cells) ladder_entry(d, e, i + 2, a);
  ladder_entry(d, e, l + 2, d->h);
  ladder_entry(d, e, l + 3, -d->h);
  d->A.row[v + 1] = *e;
  if (k > 0) ladder_entry(d, e, v - 2, -a);
  ladder_entry(d, e, v, a);
  ladder_entry(d, e, i, d->L);
  d->A.row[i + 1] = *e;
}

static inline void ladder_bridge_rows(ladder *d, int k, int *e)
{
  int v = 2 * k, l = 2 * d->cells + 4 * k;
  for (int j = 0; j < 2; j++) {
    ladder_entry(d, e, l, 1 / d->R);
    ladder_entry(d, e, l + 1, 1 / d->R);
    ladder_entry(d, e, l + 2 + j, -1);
    d->A.row[l + j + 1] = *e;
  }
  for (int j = 0; j < 2; j++) {
    ladder_entry(d, e, v, j ? 1 : -1);
    ladder_entry(d, e, l + j, 1);
    d->A.row[l + 3 + j] = *e;
  }
}

/* A wave runs along it from the start: every cell switches. Exits without memory. */
static inline ladder ladder_of(int cells, double R)
{
  int n = 6 * cells, room = 20 * cells;
  ladder d = {.cells = cells, .n = n, .L = 1e-2, .C = 1e-6, .R = R, .U = 10, .f = 937, .h = 1e-6};
  size_t ints = (size_t)(3 * (n + 1) + room), doubles = (size_t)(5 * n + room);
  double *m = calloc(1,
                     doubles * sizeof(double) + (size_t)room * sizeof(size_t) + ints * sizeof(int));
  if (!m) exit(71);
  d.memory = m;
  d.q = m;
  d.lb = d.q + n;
  d.ub = d.lb + n;
  d.z = d.ub + n;
  d.w = d.z + n;
  d.A = (ns_blocks){.nb = n, .m = n, .val = d.w + n};
  d.A.off = (size_t *)(d.A.val + room);
  d.A.dim = (int *)(d.A.off + room);
  d.A.first = d.A.dim + n + 1;
  d.A.row = d.A.first + n + 1;
  d.A.col = d.A.row + n + 1;
  int e = 0;
  for (int k = 0; k < cells; k++) ladder_state_rows(&d, k, &e);
  for (int k = 0; k < cells; k++) ladder_bridge_rows(&d, k, &e);
  for (int k = 0; k < e; k++) d.A.off[k] = (size_t)k;
  double turn = 2 * 3.14159265358979323846 * d.f * sqrt(d.L * d.C);
  for (int i = 0; i < n; i++) {
    d.A.dim[i] = 1;
    d.A.first[i + 1] = i + 1;
    d.lb[i] = i < 2 * cells ? -INFINITY : 0;
    d.ub[i] = INFINITY;
  }
  for (int k = 0; k < cells; k++) {
    d.z[2 * k] = -d.U * sin(turn * (k + 1));
    d.z[2 * k + 1] = -d.U * sqrt(d.C / d.L) * sin(turn * (k + 0.5));
  }
  return d;
}

static inline void ladder_free(ladder *d) { free(d->memory); }

/* q of the next step from z, and the time. */
static inline void ladder_next(ladder *d)
{
  double a = d->h / 2, two_pi_f = 2 * 3.14159265358979323846 * d->f;
  double source = d->U * (sin(two_pi_f * d->t) + sin(two_pi_f * (d->t + d->h)));
  const double *x = d->z;
  for (int k = 0; k < d->cells; k++) {
    int v = 2 * k, i = v + 1;
    double on = k + 1 < d->cells ? x[i + 2] : 0;
    d->q[v] = -(d->C * x[v] + a * (x[i] - on));
    d->q[i] = -(d->L * x[i] + a * ((k > 0 ? x[v - 2] : source) - x[v]));
  }
  d->t += d->h;
}

/* The same problem for a solver. */
static inline ns_avi ladder_avi(const ladder *d)
{
  return (ns_avi){.n = d->n, .blocks = &d->A, .q = d->q, .lb = d->lb, .ub = d->ub, .stamp = 1};
}

#endif
