/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contact_bench -- nanoseconds of "auto" on the problems of a step with few rows, W and q new in
 * each call: one contact, three bodies held by four joints. Each the best of several runs, no guess
 * but zero. */
#include "problems/mechanical.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 15, VARIANTS = 16, ROWS = 40, BODIES = 4, DOF = 6 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double hash(unsigned k)
{
  k = (k ^ 61) ^ (k >> 16);
  k *= 9;
  k ^= k >> 4;
  k *= 0x27d4eb2d;
  k ^= k >> 15;
  return k * 0x1p-31 - 1;
}

/* Blocks, each on two of the bodies (the first one is fixed: no velocity). */
typedef struct scene {
  const char *name;
  int nb, dim[8], body[8][2];
  unsigned char kind[8];
  double lb, ub; /* of box rows */
  double push;   /* normal velocity of contacts */
  double slip;
} scene;

static const scene scenes[] = {
    {"one contact, sticks", 1, {3}, {{0, 1}}, {NS_BLOCK_FRICTION}, 0, 0, -1, 0.05},
    {"one contact, slides", 1, {3}, {{0, 1}}, {NS_BLOCK_FRICTION}, 0, 0, -1, 2},
    {"one contact, open", 1, {3}, {{0, 1}}, {NS_BLOCK_FRICTION}, 0, 0, 1, 1},
    {"one rolling contact, sticks", 1, {5}, {{0, 1}}, {NS_BLOCK_ROLLING}, 0, 0, -1, 0.02},
    {"one rolling contact, slides and rolls", 1, {5}, {{0, 1}}, {NS_BLOCK_ROLLING}, 0, 0, -1, 2},
    {"4 joints, 20 rows",
     4,
     {5, 5, 5, 5},
     {{0, 1}, {1, 2}, {2, 3}, {3, 0}},
     {1, 1, 1, 1},
     -INFINITY,
     INFINITY,
     0,
     1},
    {"4 joints, 18 rows, and 6 open limits",
     7,
     {5, 5, 5, 3, 2, 2, 2},
     {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 1}, {1, 2}, {2, 3}},
     {1, 1, 1, 1, 1, 1, 1},
     -INFINITY,
     INFINITY,
     0,
     1},
};

typedef struct problem {
  ns_mechanical p;
  ns_blocks W;
  int first[9], row[9], col[64];
  size_t off[64];
  double val[ROWS * ROWS], q[ROWS], H[ROWS][BODIES * DOF], mu[8], mu_r[8], lb[ROWS], ub[ROWS];
} problem;

/* Free velocities that joints can stop: H v. */
static double velocity(const double *H, double slip, unsigned k)
{
  double s = 0;
  for (int l = 0; l < BODIES * DOF; l++) s += H[l] * slip * hash(777 * k + (unsigned)l);
  return s;
}

static void fill_rows(const scene *s, unsigned k, problem *x)
{
  for (int a = 0, i = 0; a < s->nb; a++)
    for (int d = 0; d < s->dim[a]; d++, i++) {
      int contact = s->kind[a] != NS_BLOCK_BOX, limit = !contact && a >= 4;
      for (int e = 0; e < 2; e++)
        for (int j = 0; j < DOF && s->body[a][e]; j++)
          x->H[i][s->body[a][e] * DOF + j] = (contact && j == d) +
                                             0.3 * hash((unsigned)(i * 64 + e * 8 + j) + 4096 * k);
      x->q[i] = contact && d == 0 ? s->push
                : limit           ? 50
                : contact         ? s->slip * hash(777 * k + (unsigned)i)
                                  : velocity(x->H[i], s->slip, k);
      x->lb[i] = limit ? 0 : s->lb;
      x->ub[i] = limit ? INFINITY : s->ub;
    }
}

static void make(const scene *s, unsigned k, problem *x)
{
  size_t at = 0;
  *x = (problem){.W = {.nb = s->nb,
                       .first = x->first,
                       .row = x->row,
                       .col = x->col,
                       .off = x->off,
                       .val = x->val}};
  x->W.dim = (int *)(size_t)(const void *)s->dim;
  for (int a = 0; a < s->nb; a++) x->first[a + 1] = x->first[a] + s->dim[a];
  x->W.m = x->first[s->nb];
  fill_rows(s, k, x);
  for (int a = 0, n = 0; a < s->nb; a++) {
    for (int b = 0; b < s->nb; b++) {
      int meet = 0;
      for (int e = 0; e < 4; e++)
        meet |= s->body[a][e / 2] && s->body[a][e / 2] == s->body[b][e % 2];
      if (!meet) continue;
      x->col[n] = b;
      x->off[n++] = at;
      for (int j = x->first[b]; j < x->first[b + 1]; j++)
        for (int i = x->first[a]; i < x->first[a + 1]; i++, at++)
          for (int l = 0; l < BODIES * DOF; l++) x->val[at] += x->H[i][l] * x->H[j][l];
    }
    x->row[a + 1] = n;
    x->mu[a] = 0.5;
    x->mu_r[a] = 0.1;
  }
  x->p = (ns_mechanical){.W = &x->W,
                         .q = x->q,
                         .kind = s->kind,
                         .mu = x->mu,
                         .mu_rolling = x->mu_r,
                         .lb = x->lb,
                         .ub = x->ub};
}

static void measure(const scene *s)
{
  static problem x[VARIANTS];
  double r[ROWS], u[ROWS], best = INFINITY, worst = 0;
  ns_ctx c = {0};
  ns_outcome out = {.solver = "-"};
  void *self;
  int solved = 0, calls = 2000;
  for (unsigned k = 0; k < VARIANTS; k++) make(s, k, &x[k]);
  ns_mechanical_capacity cap = {.structure = &x[0].W, .kind = s->kind, .symmetric = 1};
  const ns_mechanical_solver_ops *ops = ns_mechanical_solver_find("auto");
  if (ops->create(&c, &cap, NULL, &self)) exit(70);
  for (int run = 0; run < RUNS; run++) {
    double begin = now();
    for (int k = 0; k < calls; k++) {
      memset(r, 0, (size_t)x->W.m * sizeof *r);
      ops->solve(self, &c, &x[k % VARIANTS].p, NULL, r, u, &out);
      solved += out.kind == NS_SOLVED;
      if (run == 0) worst = fmax(worst, out.residual);
    }
    best = fmin(best, (now() - begin) / calls);
  }
  printf("%-40s %8.0f ns  %-12s solved %5.1f %%, residual <= %.1e\n", s->name, best, out.solver,
         100.0 * solved / (RUNS * calls), worst);
  ops->destroy(self);
}

int main(void)
{
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) measure(&scenes[k]);
  return 0;
}
