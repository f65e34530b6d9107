/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One step of a ladder of diode bridges (ladder.h), unreduced: time in the solver alone.
 * `ladder_bench [CELLS]` */
#include "ladder.h"
#include "problems/box/sparse.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct totals {
  long switches, iterations, unsolved;
  double worst;
} totals;

static int run(int cells, int steps, double R)
{
  ns_ctx c = {0};
  ladder d = ladder_of(cells, R);
  ns_avi p = ladder_avi(&d);
  ns_avi_capacity cap = {
      .n = d.n, .nnz = (size_t)d.A.row[d.n], .structure = &d.A, .lb = d.lb, .ub = d.ub};
  void *self;
  double *time = malloc((size_t)steps * sizeof *time);
  char *on = calloc((size_t)d.n, 1);
  if (!time || !on || ns_avi_sparse_newton.create(&c, &cap, NULL, &self)) {
    fprintf(stderr, "%s\n", c.msg);
    return 1;
  }
  totals sum = {0};
  double mean = 0;
  for (int k = 0; k < steps; k++) {
    ns_outcome out;
    ladder_next(&d);
    double t = now();
    if (ns_avi_sparse_newton.solve(self, &c, &p, NULL, d.z, d.w, &out)) return 1;
    time[k] = now() - t;
    mean += time[k] / steps;
    sum.iterations += out.iterations;
    sum.unsolved += out.kind != NS_SOLVED;
    if (out.residual > sum.worst) sum.worst = out.residual;
    for (int i = 2 * cells; i < d.n; i++) {
      char now_on = d.z[i] > 0;
      if (k > 0 && now_on != on[i]) sum.switches++;
      on[i] = now_on;
    }
  }
  qsort(time, (size_t)steps, sizeof *time, ascending);
  ns_sparse_lu_stats f = ns_avi_sparse_counts(self);
  double renewed[101];
  p.stamp = 0; /* as where the matrix changes with time */
  for (int k = 0; k < 101; k++) {
    ns_outcome out;
    ladder_next(&d);
    renewed[k] = now();
    if (ns_avi_sparse_newton.solve(self, &c, &p, NULL, d.z, d.w, &out)) return 1;
    renewed[k] = now() - renewed[k];
  }
  qsort(renewed, 101, sizeof *renewed, ascending);
  printf("%5d %8.2f %8.2f %8.2f %7.3f   %6.2f %6.2f %6ld %7.3f %7.2f %6.2f  %7.1e %ld  %8.2f\n",
         cells, time[steps / 2] * 1e6, mean * 1e6, time[steps - 1 - steps / 100] * 1e6,
         mean * 1e6 / cells, (double)sum.switches / steps, (double)sum.iterations / steps, f.full,
         (double)f.partial / steps, f.partial ? (double)f.computed / (double)f.partial : 0,
         (double)f.delayed / steps, sum.worst, sum.unsolved, renewed[50] * 1e6);
  ns_avi_sparse_newton.destroy(self);
  ladder_free(&d);
  free(time);
  free(on);
  return 0;
}

int main(int argc, char **argv)
{
  static const int cells[] = {1, 10, 100, 1000};
  int one = argc > 1 ? atoi(argv[1]) : 0;
  printf("us a step: median, mean, 99 %%; us a cell; a step: switches, iterations; full factors; a "
         "step: partial ones, with fronts, delays; residual, unsolved; us a step where the matrix "
         "is new\n");
  for (size_t k = 0; k < sizeof cells / sizeof *cells; k++)
    if ((!one || one == cells[k]) && run(cells[k], cells[k] == 1000 ? 2000 : 20000, 1e4)) return 1;
  if (one > 0 && one != 1 && one != 10 && one != 100 && one != 1000) return run(one, 5000, 1e4);
  return 0;
}
