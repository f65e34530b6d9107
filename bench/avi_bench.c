/* SPDX-License-Identifier: GPL-3.0-or-later */
/* avi_bench -- time of the AVI solver "auto" on the published problems of tests/data, each the best
 * of several runs: from z = 0 with nothing kept, and from the solution with the factor kept (the
 * step of a simulation). Run from the top folder. Without arguments also the quickest of the
 * solvers that auto could have been, and how much longer it takes: at most 1.5 times as long, from
 * nothing. Arguments: names of solvers other than auto. */
#include "../tests/problems/avi_files.h"

#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Best time of one solve, ns; kept: from z as it is with a stamp. */
static double best_time(const ns_avi_solver_ops *ops, void *self, ns_avi p, int kept, double budget,
                        double *z, double *w, ns_outcome *o)
{
  ns_ctx c = {0};
  double best = INFINITY, begin = now();
  int calls = 1;
  p.stamp = kept ? 1 : 0;
  for (int r = 0; r < 2000 && (r < 5 || now() - begin < budget); r++) {
    double t = now();
    for (int k = 0; k < calls; k++) {
      if (!kept) memset(z, 0, (size_t)p.n * sizeof *z);
      if (ops->solve(self, &c, &p, NULL, z, w, o)) exit(1);
    }
    t = (now() - t) / calls;
    if (t < best) best = t;
    if (t * calls < 2e5) calls *= 2;
  }
  return best;
}

/* ns of a solver: of auto, of one that it is compared with */
static const double BUDGET = 3e8, SHORT = 1e7;

/* Time from nothing of one solver, ns; infinite where it does not take or solve the problem. */
static double time_cold(const ns_avi_solver_ops *ops, const ns_avi_capacity *cap, const ns_avi *p)
{
  double *z = calloc((size_t)p->n, sizeof *z), *w = calloc((size_t)p->n, sizeof *w),
         best = INFINITY;
  ns_ctx c = {0};
  void *self;
  ns_outcome o;
  if (!z || !w) exit(1);
  if (!ops->create(&c, cap, NULL, &self)) {
    if (!ops->solve(self, &c, p, NULL, z, w, &o) && o.kind == NS_SOLVED)
      best = best_time(ops, self, *p, 0, SHORT, z, w, &o);
    ops->destroy(self);
  }
  free(z);
  free(w);
  return best;
}

/* auto against each of the others. 1: it takes more than 1.5 times as long as the quickest. */
static int compare(const char *name)
{
  avi_data d = avi_read(name);
  ns_avi p = avi_of(&d);
  ns_avi_capacity cap = {.n = d.n, .nnz = (size_t)d.n * (size_t)d.n, .lb = d.lb, .ub = d.ub};
  double of_auto = time_cold(ns_avi_solvers[0], &cap, &p), best = INFINITY;
  const char *winner = "none";
  for (const ns_avi_solver_ops *const *k = ns_avi_solvers + 1; *k; k++) {
    double t = time_cold(*k, &cap, &p);
    if (t < best) best = t, winner = (*k)->name;
  }
  printf("%-36s auto %9.0f ns, quickest %9.0f ns (%s), %.2f times\n", name, of_auto, best, winner,
         of_auto / best);
  avi_free(&d);
  return of_auto > 1.5 * best;
}

static void time_problem(const char *solver, const char *name)
{
  avi_data d = avi_read(name);
  ns_avi p = avi_of(&d);
  ns_avi_capacity cap = {.n = d.n, .nnz = (size_t)d.n * (size_t)d.n, .lb = d.lb, .ub = d.ub};
  const ns_avi_solver_ops *ops = ns_avi_solver_find(solver);
  double *z = calloc((size_t)d.n, sizeof *z), *w = calloc((size_t)d.n, sizeof *w);
  ns_ctx c = {0};
  void *self;
  ns_outcome o, kept;
  if (!ops || !z || !w) exit(1);
  if (ops->create(&c, &cap, NULL, &self)) {
    printf("%-36s %s\n", name, c.msg);
  } else {
    double cold = best_time(ops, self, p, 0, BUDGET, z, w, &o);
    double warm = best_time(ops, self, p, 1, BUDGET, z, w, &kept);
    printf("%-36s n = %3d %11.0f ns %8.0f ns kept  %s, %d iterations, residual %.1e, %s\n", name,
           d.n, cold, warm, o.solver, o.iterations, o.residual, ns_outcome_text(o.kind));
    ops->destroy(self);
  }
  free(z);
  free(w);
  avi_free(&d);
}

int main(int argc, char **argv)
{
  static const char *const file[] = {
      "lcp/lcp_CPS_1.dat",
      "lcp/lcp_CPS_2.dat",
      "lcp/lcp_CPS_4.dat",
      "lcp/lcp_CPS_5.dat",
      "lcp/lcp_Pang_isolated_sol.dat",
      "lcp/lcp_deudeu.dat",
      "lcp/lcp_exp_murty.dat",
      "lcp/lcp_mmc.dat",
      "lcp/lcp_ortiz.dat",
      "lcp/lcp_trivial.dat",
      "problems/BuckConverter_mlcp.dat.gz",
      "problems/BuckFirstStep_mlcp.dat.gz",
      "problems/PDSym_mlcp.dat",
      "problems/PD_mlcp.dat",
      "problems/RCD_mlcp.dat",
      "problems/Rectangular_mlcp.dat",
      "problems/deltasigma_mlcp.dat.gz",
      "problems/deudeu_mlcp.dat",
      "problems/diodeBridge20_mlcp.dat.gz",
      "problems/diodeBridge_mlcp.dat",
      "problems/m2n1_mlcp.dat",
      "problems/relay2_mlcp.dat",
      "problems/relay1.dat",
      "problems/relay_2x2.dat",
      "problems/relay_simple2.dat",
      "problems/step_1x1.dat",
      "problems/step_2x2.dat",
  };
  int slow = 0;
  for (int a = argc > 1 ? 1 : 0; a < argc; a++)
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
      time_problem(a ? argv[a] : "auto", file[i]);
  for (size_t i = 0; argc < 2 && i < sizeof file / sizeof *file; i++) slow += compare(file[i]);
  if (argc < 2) printf("auto takes more than 1.5 times as long as the quickest: %d\n", slow);
  return 0;
}
