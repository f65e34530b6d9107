/* SPDX-License-Identifier: GPL-3.0-or-later */
/* friction_bench -- solvers of friction problems against problems.
 *
 *   friction_bench [-s SOLVER,...] [-t TOLERANCE] [-l SECONDS] FILE|FOLDER...
 *
 * prints a row for each problem and solver: time of the solve call (best of several; of a global problem with its reduction),
 * iterations, residual as the problem computes it from what was returned, and whether the solver's word differs from it.
 *
 *   friction_bench --pile N
 *
 * solves a planar pile with some N contacts by sweeps on 1, 2, 4 threads: cost of a contact and sweep, and which part of what
 * the memory can deliver that is. */
#include "base/arena.h"
#include "io/problem_file.h"

#include <dirent.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *need(size_t n, size_t size)
{
  void *p = calloc(n + 1, size);
  if (!p) exit(71);
  return p;
}

/* ---- files -------------------------------------------------------------------------------------------- */

typedef struct task {
  const char *solvers; /* "auto,nsgs"; NULL: all */
  double tol, most;    /* seconds to spend on repeats */
} task;

typedef struct row {
  double seconds, claimed, residual;
  ns_outcome out;
} row;

static int local(ns_ctx *c, const ns_mechanical *p, const ns_mechanical_solver_ops *ops, const task *plan, row *best)
{
  size_t m = (size_t)p->W->m;
  double *r = need(m, sizeof *r), *u = need(m, sizeof *u), spent = 0;
  ns_mechanical_options opt = ns_mechanical_defaults();
  ns_mechanical_capacity cap = {.structure = p->W, .kind = p->kind};
  void *s = NULL;
  opt.tol = plan->tol;
  int rc = ops->create(c, &cap, &opt, &s);
  best->seconds = INFINITY;
  for (int k = 0; k < 1000 && !rc && (k == 0 || spent < plan->most); k++) {
    memset(r, 0, m * sizeof *r);
    double begin = now();
    rc = ops->solve(s, c, p, NULL, r, u, &best->out);
    double took = now() - begin;
    spent += took;
    best->seconds = fmin(best->seconds, took);
  }
  best->residual = ns_mechanical_residual(p, r, u, NULL);
  ops->destroy(s);
  free(r), free(u);
  return rc;
}

static int global(ns_ctx *c, const ns_global *p, const ns_mechanical_solver_ops *ops, const task *plan, row *best)
{
  size_t m = (size_t)p->m, n = (size_t)p->M->m;
  double *r = need(m, sizeof *r), *u = need(m, sizeof *u), *v = need(n, sizeof *v), *work = need(n, sizeof *work), spent = 0;
  ns_mechanical_options opt = ns_mechanical_defaults();
  int rc = NS_OK;
  opt.tol = plan->tol;
  best->seconds = INFINITY;
  for (int k = 0; k < 1000 && !rc && (k == 0 || spent < plan->most); k++) {
    ns_global_solver *s = NULL;
    memset(r, 0, m * sizeof *r);
    double begin = now();
    rc = ns_global_create(c, p, ops, &opt, &s);
    if (!rc) rc = ns_global_solve(s, c, r, u, v, &best->out);
    double took = now() - begin;
    ns_global_destroy(s);
    spent += took;
    best->seconds = fmin(best->seconds, took);
  }
  best->residual = ns_global_residual(p, v, r, u, work);
  free(r), free(u), free(v), free(work);
  return rc;
}

static int listed(const char *list, const char *name)
{
  size_t n = strlen(name);
  for (const char *s = list; s; s = strchr(s, ','), s = s ? s + 1 : s)
    if (!strncmp(s, name, n) && (s[n] == ',' || !s[n])) return 1;
  return !list;
}

static void bench(const char *path, const task *plan)
{
  ns_ctx c = {0};
  ns_problem *p;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  if (ns_problem_read(&c, path, NULL, &p)) {
    fprintf(stderr, "%s\n", c.msg);
    return;
  }
  for (int k = 0; ns_mechanical_solvers[k]; k++) {
    const ns_mechanical_solver_ops *ops = ns_mechanical_solvers[k];
    row x = {0};
    if (!listed(plan->solvers, ops->name) || p->family->form < NS_PROBLEM_MECHANICAL) continue;
    int rc = p->family->form == NS_PROBLEM_GLOBAL ? global(&c, &p->global, ops, plan, &x) : local(&c, &p->mechanical, ops, plan, &x);
    if (rc) {
      printf("%-44s %-4s %5d %-14s %s\n", name, p->family->name, p->n, ops->name, c.msg);
      c = (ns_ctx){0};
      continue;
    }
    int false_claim = x.out.kind == NS_SOLVED && !(x.residual <= plan->tol);
    printf("%-44s %-4s %5d %-14s %-8s %-12s %7d %10.3g s %9.2g%s\n", name, p->family->name, p->n, ops->name,
           x.residual <= plan->tol ? "solved" : "-", x.out.solver, x.out.iterations, x.seconds, x.residual,
           false_claim ? "  FALSE CLAIM" : "");
    fflush(stdout);
  }
  ns_problem_destroy(p);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void walk(const char *path, const task *plan)
{
  struct stat st;
  DIR *d = stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? opendir(path) : NULL;
  if (!d) {
    bench(path, plan);
    return;
  }
  char **list = need(10000, sizeof *list);
  size_t n = 0;
  for (struct dirent *e; (e = readdir(d)) && n < 10000;) {
    if (e->d_name[0] == '.') continue;
    size_t size = strlen(path) + strlen(e->d_name) + 2;
    list[n] = need(size, 1);
    snprintf(list[n++], size, "%s/%s", path, e->d_name);
  }
  closedir(d);
  qsort(list, n, sizeof *list, by_name);
  for (size_t k = 0; k < n; k++) {
    walk(list[k], plan);
    free(list[k]);
  }
  free(list);
}

int main(int argc, char **argv)
{
  task plan = {.tol = 1e-8, .most = 0.3};
  int k = 1;
  for (; k + 1 < argc && argv[k][0] == '-'; k += 2) {
    if (!strcmp(argv[k], "-s")) plan.solvers = argv[k + 1];
    else if (!strcmp(argv[k], "-t")) plan.tol = atof(argv[k + 1]);
    else if (!strcmp(argv[k], "-l")) plan.most = atof(argv[k + 1]);
    else break;
  }
  for (; k < argc; k++) walk(argv[k], &plan);
  return 0;
}
