/* SPDX-License-Identifier: GPL-3.0-or-later */
/* friction_bench -- solvers of friction problems against problems.
 *
 *   friction_bench [-s SOLVER,...] [-t TOLERANCE] [-l SECONDS] [-w SECONDS] FILE|FOLDER...
 *
 * prints a row for each problem (a file that the reader takes, its family by its name or folder)
 * and solver: time of the solve call (best of several within -l; of a global problem with its
 * reduction), iterations, residual as the problem computes it from what was returned, and whether
 * the solver's word differs from it. Each runs in a process of its own, for -w seconds of the
 * processor at most (10); auto, and those that are not much slower than the quickest, several times
 * in turns, as the speed of a machine that is shared changes. At the end a table of solvers against
 * problems, where there are several of them, with what auto takes by the quickest of the others: at
 * most 1.5 times as long.
 *
 *   friction_bench --pile N [sweeps]
 *
 * sweeps over a planar pile with some N contacts on 1 and 2 threads: cost of a contact and sweep,
 * the rate at which their bytes are read beside that of reading alone, from the caches and from
 * memory, a digest of r. Then, without the word "sweeps", to 1e-4 by auto. */
#include "base/arena.h"
#include "bench.h"
#include "io/problemfile/problem_file.h"

#include <dirent.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REPEATS = 100000 }; /* at most, of one solve */
enum { ROUNDS = 6 };       /* of solvers in turns */
/* s that a clock can tell; those that take so many times the least */
static const double BATCH = 5e-5, CLOSE = 4;

/* ---- files ----------------------------------------------------------------------------------- */

typedef struct task {
  const char *solvers; /* "auto,nsgs"; NULL: all */
  double tol, most;    /* seconds to spend on repeats */
  unsigned limit;      /* seconds for one solver and problem */
} task;

typedef struct result {
  double seconds, claimed, residual;
  ns_outcome out;
  int rc;
  char why[160]; /* not taken */
} result;

enum { SOLVERS = 32, PROBLEMS = 1000 };
typedef struct table {
  int n;
  char name[PROBLEMS][40];
  const char *cell[PROBLEMS][SOLVERS]; /* NULL: the time */
  double seconds[PROBLEMS][SOLVERS];
} table;

/* A few at least, as long as they are not slow: the first one is cold, another may have been put
 * off. */
static int more(int k, double spent, const task *plan)
{
  return k == 0 || spent < plan->most || (k < 10 && spent < 1) ? k < REPEATS : 0;
}

static int local(ns_ctx *c, const ns_mechanical *p, const ns_mechanical_solver_ops *ops,
                 const task *plan, result *best)
{
  size_t m = (size_t)p->W->m;
  double *r = need(m, sizeof *r), *u = need(m, sizeof *u), spent = 0;
  ns_mechanical_options opt = ns_mechanical_defaults();
  ns_mechanical_capacity cap = {.structure = p->W, .kind = p->kind};
  void *s = NULL;
  opt.tol = plan->tol;
  int rc = ops->create(c, &cap, &opt, &s), batch = 1;
  best->seconds = INFINITY;
  for (int k = 0; more(k, spent, plan) && !rc; k++) {
    double begin = now();
    for (int i = 0; i < batch && !rc; i++) {
      memset(r, 0, m * sizeof *r);
      rc = ops->solve(s, c, p, NULL, r, u, &best->out);
    }
    double took = now() - begin;
    spent += took;
    best->seconds = fmin(best->seconds, took / batch);
    if (took < BATCH) batch *= 2;
  }
  best->residual = ns_mechanical_residual(p, r, u, NULL);
  ops->destroy(s);
  free(r), free(u);
  return rc;
}

static int global(ns_ctx *c, const ns_global *p, const ns_mechanical_solver_ops *ops,
                  const task *plan, result *best)
{
  size_t m = (size_t)p->m, n = (size_t)p->M->m;
  double *r = need(m, sizeof *r), *u = need(m, sizeof *u), *v = need(n, sizeof *v),
         *work = need(n, sizeof *work), spent = 0;
  ns_mechanical_options opt = ns_mechanical_defaults();
  int rc = NS_OK;
  opt.tol = plan->tol;
  best->seconds = INFINITY;
  for (int k = 0; more(k, spent, plan) && !rc; k++) {
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

/* In a process of its own. 0: no time left, or worse. */
static int apart(const ns_problem *p, const ns_mechanical_solver_ops *ops, const task *plan,
                 result *x)
{
  int ends[2];
  if (pipe(ends)) exit(71);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    ns_ctx c = {0};
    const struct rlimit limit = {plan->limit, plan->limit};
    setrlimit(RLIMIT_CPU, &limit);
    x->rc = p->family->form == NS_PROBLEM_GLOBAL ? global(&c, &p->global, ops, plan, x)
                                                 : local(&c, &p->mechanical, ops, plan, x);
    snprintf(x->why, sizeof x->why, "%.150s", c.msg);
    _exit(write(ends[1], x, sizeof *x) != (ssize_t)sizeof *x);
  }
  close(ends[1]);
  /* strings of solvers are where they are here */
  int done = child > 0 && read(ends[0], x, sizeof *x) == (ssize_t)sizeof *x;
  close(ends[0]);
  if (child > 0) waitpid(child, NULL, 0);
  return done;
}

/* Auto, and solvers that are close to the quickest, once more. */
static void again(const ns_problem *p, const task *plan, table *all)
{
  const char **cell = all->cell[all->n];
  double *seconds = all->seconds[all->n], least = INFINITY;
  for (int k = 0; ns_mechanical_solvers[k] && k < SOLVERS; k++)
    if (!cell[k]) least = fmin(least, seconds[k]);
  for (int k = 0; ns_mechanical_solvers[k] && k < SOLVERS; k++) {
    const ns_mechanical_solver_ops *ops = ns_mechanical_solvers[k];
    result x = {0};
    if (cell[k] || (seconds[k] > CLOSE * least && strcmp(ops->name, "auto") != 0)) continue;
    if (apart(p, ops, plan, &x) && !x.rc) seconds[k] = fmin(seconds[k], x.seconds);
  }
}

static void bench(const char *path, const task *plan, table *all)
{
  ns_ctx c = {0};
  ns_problem *p;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  if (ns_problem_read(&c, path, NULL, &p)) {
    fprintf(stderr, "%s\n", c.msg);
    return;
  }
  if (p->family->form >= NS_PROBLEM_MECHANICAL && all->n < PROBLEMS) {
    snprintf(all->name[all->n], sizeof all->name[0], "%.39s", name);
    for (int k = 0; ns_mechanical_solvers[k] && k < SOLVERS; k++) {
      const ns_mechanical_solver_ops *ops = ns_mechanical_solvers[k];
      result x = {0};
      const char **cell = &all->cell[all->n][k];
      *cell = "";
      if (!listed(plan->solvers, ops->name)) continue;
      printf("%-44s %-4s %5d %-14s ", name, p->family->name, p->n, ops->name);
      int done = apart(p, ops, plan, &x), solved = x.residual <= plan->tol;
      int false_claim = done && !x.rc && (x.out.kind == NS_SOLVED) != solved;
      *cell = !done ? "timeout" : x.rc ? "" : false_claim ? "FALSE" : solved ? NULL : "-";
      all->seconds[all->n][k] = x.seconds;
      if (!done) printf("timeout\n");
      else if (x.rc) printf("%s\n", x.why);
      else
        printf("%-8s %-12s %7d %10.3g s %9.2g%s\n", solved ? "solved" : "-", x.out.solver,
               x.out.iterations, x.seconds, x.residual, false_claim ? "  FALSE CLAIM" : "");
    }
    for (int round = 1; round < ROUNDS; round++) again(p, plan, all);
    all->n++;
  }
  ns_problem_destroy(p);
}

/* What auto takes, by the quickest of the others; 0: it was not timed, or they were not. */
static double ratio(const table *all, int i)
{
  double best = INFINITY, automatic = 0;
  for (int k = 0; ns_mechanical_solvers[k]; k++) {
    if (all->cell[i][k]) continue;
    if (!strcmp(ns_mechanical_solvers[k]->name, "auto")) automatic = all->seconds[i][k];
    else best = fmin(best, all->seconds[i][k]);
  }
  return best < INFINITY ? automatic / best : 0;
}

static void print_table(const table *all, const task *plan)
{
  int slow = 0;
  printf("\nseconds to %g; -: says that it is not solved, timeout: after %u s, FALSE: the word "
         "differs from the residual\n%-40s",
         plan->tol, plan->limit, "");
  for (int k = 0; ns_mechanical_solvers[k]; k++)
    if (listed(plan->solvers, ns_mechanical_solvers[k]->name))
      printf(" %9.9s", ns_mechanical_solvers[k]->name);
  printf(" auto/best");
  for (int i = 0; i < all->n; i++) {
    printf("\n%-40s", all->name[i]);
    for (int k = 0; ns_mechanical_solvers[k]; k++) {
      if (!listed(plan->solvers, ns_mechanical_solvers[k]->name)) continue;
      if (all->cell[i][k]) printf(" %9s", all->cell[i][k]);
      else printf(" %9.2g", all->seconds[i][k]);
    }
    double r = ratio(all, i);
    slow += r > 1.5;
    if (r > 0) printf(" %9.2f", r);
  }
  printf("\nauto takes more than 1.5 times as long as the quickest: %d of %d\n", slow, all->n);
}

static int by_name(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void walk(const char *path, const task *plan, table *all)
{
  struct stat st;
  DIR *d = stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? opendir(path) : NULL;
  if (!d) {
    bench(path, plan, all);
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
    walk(list[k], plan, all);
    free(list[k]);
  }
  free(list);
}

/* ---- a pile ---------------------------------------------------------------------------------- */

/* Discs in a box of the plane, row upon row in hexagonal order, a step after they were let go:
 * contacts with the neighbours, the floor and the walls; mu = 0.4. Radius 1, mass 1, masses vary by
 * a tenth. */
typedef struct pile {
  ns_global g;
  ns_blocks M;
  double *q, *b, *mu, *val;
  int *row, *col, *dim, *first, nnz;
} pile;

/* Direction n of a contact at a disc, which the other side pushes along it: rows N and T, entries
 * of one body. */
static void touch(pile *p, int row, int body, double nx, double ny, double sign)
{
  const double H[2][3] = {{nx, ny, 0}, {-ny, nx, -1}};
  for (int j = 0; j < 3; j++) {
    double x = j < 2 ? sign * H[row][j] : -1;
    if (row == 0 && j == 2) continue;
    p->col[p->nnz] = 3 * body + j;
    p->val[p->nnz++] = x;
  }
}

static void contact(pile *p, int a, int b, double nx, double ny)
{
  for (int row = 0; row < 2; row++) {
    touch(p, row, a, nx, ny, 1);
    if (b >= 0) touch(p, row, b, nx, ny, -1);
    p->row[++p->g.m] = p->nnz;
  }
  p->dim[p->g.nb] = 2;
  p->mu[p->g.nb++] = 0.4;
  p->first[p->g.nb] = p->g.m;
}

static pile pile_of(int contacts)
{
  int side = (int)sqrt(contacts / 3.0) + 1, bodies = side * side, most = 3 * bodies + 3 * side;
  size_t n = 3 * (size_t)bodies, m = 2 * (size_t)most;
  pile p = {.q = need(n, 8),
            .b = need(m, 8),
            .mu = need(m, 8),
            .val = need(6 * m, 8),
            .row = need(m + 1, sizeof(int)),
            .col = need(6 * m, sizeof(int)),
            .dim = need(m, sizeof(int)),
            .first = need(m + 1, sizeof(int))};
  p.M = (ns_blocks){.nb = (int)n,
                    .m = (int)n,
                    .dim = need(n, sizeof(int)),
                    .first = need(n + 1, sizeof(int)),
                    .row = need(n + 1, sizeof(int)),
                    .col = need(n, sizeof(int)),
                    .off = need(n, sizeof(size_t)),
                    .val = need(n, 8)};
  for (size_t i = 0; i < n; i++) {
    double mass = 1 + 0.1 * sin((double)(i / 3));
    p.M.dim[i] = 1;
    p.M.first[i + 1] = p.M.row[i + 1] = (int)i + 1;
    p.M.col[i] = (int)i;
    p.M.off[i] = i;
    p.M.val[i] = i % 3 == 2 ? 0.5 * mass : mass;
    if (i % 3 == 1) p.q[i] = -9.81e-3 * mass;
  }
  const double c = 0.5, s = sqrt(0.75);
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      int a = y * side + x, shift = y & 1;
      if (y == 0) contact(&p, a, -1, 0, 1);
      if (x == 0 && !shift) contact(&p, a, -1, 1, 0);
      if (x + 1 == side && shift) contact(&p, a, -1, -1, 0);
      if (x) contact(&p, a, a - 1, 1, 0);
      if (y && x - 1 + shift >= 0) contact(&p, a, a - side - 1 + shift, c, s);
      if (y && x + shift < side) contact(&p, a, a - side + shift, -c, s);
    }
  p.g.q = p.q;
  p.g.b = p.b;
  p.g.mu = p.mu;
  p.g.row = p.row;
  p.g.col = p.col;
  p.g.val = p.val;
  p.g.dim = p.dim;
  p.g.first = p.first;
  return p;
}

typedef double lanes __attribute__((vector_size(16)));

static double sum_of(const lanes *x, size_t n)
{
  lanes s[8] = {{0}};
  for (size_t i = 0; i + 8 <= n; i += 8)
    for (size_t k = 0; k < 8; k++) s[k] += x[i + k];
  s[0] += s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
  return s[0][0] + s[0][1];
}

/* Bytes a second when one thread reads so many, again and again: what caches keep of them counts.
 */
static double reading(size_t bytes)
{
  size_t n = bytes / sizeof(lanes);
  lanes *x = aligned_alloc(sizeof *x, (n + 1) * sizeof *x);
  double best = INFINITY, s = 0;
  if (!x) exit(71);
  memset(x, 1, n * sizeof *x);
  for (int k = 0; k < 10; k++) {
    double begin = now();
    s += sum_of(x, n);
    best = fmin(best, now() - begin);
  }
  if (s == 1) puts("");
  free(x);
  return (double)bytes / best;
}

static unsigned long long digest(const double *x, size_t n)
{
  unsigned long long h = 1469598103934665603u;
  const unsigned char *b = (const unsigned char *)x;
  for (size_t i = 0; i < n * sizeof *x; i++) h = (h ^ b[i]) * 1099511628211u;
  return h;
}

/* Sweeps of one solver object: its best time for FEW and for MANY of them. nsgs looks at the
 * residual at the 316th and the 474th sweep and at its last one, so the difference of the two is
 * the time of sweeps alone. */
enum { FEW = 475, MANY = 710 };
typedef struct sweeper {
  void *solver[2];
  double best[2];
  unsigned long long r;
} sweeper;

static int get_sweeper(ns_ctx *c, const ns_blocks *W, int threads, sweeper *s)
{
  ns_mechanical_capacity cap = {.structure = W};
  int rc = NS_OK;
  for (int k = 0; k < 2 && !rc; k++) {
    ns_mechanical_options opt = {
        .tol = 1e-300, .max_iterations = k ? MANY : FEW, .threads = threads};
    s->best[k] = INFINITY;
    rc = ns_mechanical_solver_find("nsgs")->create(c, &cap, &opt, &s->solver[k]);
  }
  return rc;
}

static void time_sweeper(ns_ctx *c, const ns_mechanical *p, double *r, double *u, sweeper *s)
{
  size_t m = (size_t)p->W->m;
  ns_outcome out = {0};
  for (int k = 0; k < 2; k++) {
    memset(r, 0, m * sizeof *r);
    double begin = now();
    ns_mechanical_solver_find("nsgs")->solve(s->solver[k], c, p, NULL, r, u, &out);
    s->best[k] = fmin(s->best[k], now() - begin);
  }
  s->r = digest(r, m);
}

static int sweep_times(ns_ctx *c, const ns_mechanical *p, double bytes, double *r, double *u)
{
  enum { RUNS = 10, MEMORY = 1 << 28 };
  sweeper s[2];
  double rate = 0, memory = reading(MEMORY), sweep[2];
  for (int t = 0; t < 2; t++)
    if (get_sweeper(c, p->W, t + 1, &s[t])) return 70;
  for (int k = 0; k < RUNS; k++) {
    rate = fmax(rate, reading((size_t)bytes));
    for (int t = 0; t < 2; t++) time_sweeper(c, p, r, u, &s[t]);
  }
  printf(
      "  a sweep reads %.3g MB; one thread reads so many at %.3g GB/s, from memory at %.3g GB/s\n",
      bytes * 1e-6, rate * 1e-9, memory * 1e-9);
  for (int t = 0; t < 2; t++) {
    sweep[t] = (s[t].best[1] - s[t].best[0]) / (MANY - FEW);
    printf("  %d thread%s  %5.1f ns a contact and sweep, %5.2f GB/s, %.2f of that of memory, "
           "speed-up %.2f; with residuals %5.1f ns, %.2f; r %016llx\n",
           t + 1, t ? "s" : " ", 1e9 * sweep[t] / p->W->nb, 1e-9 * bytes / sweep[t],
           bytes / sweep[t] / memory, sweep[0] / sweep[t], 1e9 * s[t].best[1] / MANY / p->W->nb,
           s[0].best[1] / s[t].best[1], s[t].r);
    for (int k = 0; k < 2; k++) ns_mechanical_solver_find("nsgs")->destroy(s[t].solver[k]);
  }
  return 0;
}

static int piled(int contacts, int sweeps_alone)
{
  ns_ctx c = {0};
  pile p = pile_of(contacts);
  p.g.M = &p.M;
  ns_global_solver *s;
  double begin = now();
  if (ns_global_create(&c, &p.g, ns_mechanical_solver_find("nsgs"), NULL, &s))
    return fprintf(stderr, "%s\n", c.msg), 70;
  const ns_mechanical *q = ns_global_reduced(s);
  const ns_blocks *W = q->W;
  size_t blocks = (size_t)W->row[W->nb], m = (size_t)W->m;
  printf("pile: %d contacts, %d bodies, %zu blocks, reduced in %.3g s\n", W->nb, p.M.m / 3, blocks,
         now() - begin);
  /* off-diagonal blocks and their columns; of a contact q, r, mu and its cases of sticking and slip
   */
  double bytes = (double)(blocks - (size_t)W->nb) * (4 * 8 + 4) + (double)m * 2 * 8 +
                 (double)W->nb * (9 * 8 + 4);
  double *r = need(m, 8), *u = need(m, 8);
  if (sweep_times(&c, q, bytes, r, u)) return fprintf(stderr, "%s\n", c.msg), 70;
  /* to the end, cold and from the solution of a problem close by */
  for (int k = 0; k < 2 && !sweeps_alone; k++) {
    ns_mechanical_options opt = ns_mechanical_defaults();
    ns_mechanical_capacity cap = {.structure = W};
    const ns_mechanical_solver_ops *ops = ns_mechanical_solver_find("auto");
    void *o;
    ns_outcome out = {0};
    ns_mechanical close = *q;
    double *other = need(m, 8);
    opt.tol = 1e-4;
    if (ops->create(&c, &cap, &opt, &o)) return fprintf(stderr, "%s\n", c.msg), 70;
    memset(r, 0, m * sizeof *r);
    for (size_t i = 0; i < m; i++) other[i] = q->q[i] * (1 + 1e-3 * sin((double)i));
    close.q = other;
    if (k) ops->solve(o, &c, &close, NULL, r, u, &out);
    begin = now();
    ops->solve(o, &c, q, NULL, r, u, &out);
    printf("  auto to 1e-4, %s: %s, %d iterations of %s, %.3g s, residual %.3g\n",
           k ? "from the last step" : "from zero", ns_outcome_text(out.kind), out.iterations,
           out.solver, now() - begin, out.residual);
    ops->destroy(o);
    free(other);
  }
  ns_global_destroy(s);
  return 0;
}

int main(int argc, char **argv)
{
  if (argc >= 3 && !strcmp(argv[1], "--pile")) return piled(atoi(argv[2]), argc > 3);
  task plan = {.tol = 1e-8, .most = 0.3, .limit = 10};
  table *all = need(1, sizeof *all);
  int k = 1;
  for (; k + 1 < argc && argv[k][0] == '-'; k += 2) {
    if (!strcmp(argv[k], "-s")) plan.solvers = argv[k + 1];
    else if (!strcmp(argv[k], "-t")) plan.tol = atof(argv[k + 1]);
    else if (!strcmp(argv[k], "-l")) plan.most = atof(argv[k + 1]);
    else if (!strcmp(argv[k], "-w")) plan.limit = (unsigned)atoi(argv[k + 1]);
    else break;
  }
  for (; k < argc; k++) walk(argv[k], &plan, all);
  if (all->n > 1) print_table(all, &plan);
  free(all);
  return 0;
}
