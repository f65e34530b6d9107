/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_solve.c -- nssim solve: one problem of a file, alone. */
#include "base/claim.h"
#include "base/clock.h"
#include "base/suggest.h"
#include "base/team.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/job.h"
#include "cli/signals.h"
#include "cli/solve_report.h"
#include "io/problemfile/fclib.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ROWS = 20 };

/* Where the solution goes, by the suffix of its file. */
typedef struct writer {
  const char *suffix;
  int (*write)(ns_ctx *c, const char *path, const ns_problem_solution *s);
} writer;

typedef struct solve {
  ns_ctx c;
  const char *path, *output, *copy;
  const writer *writer;
  const ns_problem_family *family;  /* NULL: by the name */
  const char *solver;               /* NULL: auto */
  const ns_contact_solver *contact; /* NULL: not given */
  double tolerance;                 /* 0: the family's own */
  long long max_iterations, threads;
  int json;
  ns_problem *problem;
  double *z, *w, *mu, *v; /* in the problem's arena */
  double max_wall;        /* s; 0: no limit */
  ns_solve_watch watch;
  ns_outcome out;
  double seconds;
  int printed; /* the answer */
} solve;

/* ---- output ---------------------------------------------------------------------------------- */

/* One page; a write that failed or memory that ended is told. */
static int put_page(ns_ctx *c, const char *name, ns_json j, FILE *f)
{
  errno = 0;
  if (ns_json_page(j, 17, f) == 0 && fflush(f) == 0) return NS_OK;
  return errno ? ns_fail(c, NS_OUTPUT, "%s: cannot write: %s", name, strerror(errno))
               : ns_nomem(c, "JSON");
}

static int write_json(ns_ctx *c, const char *path, const ns_problem_solution *s)
{
  int made, fd = ns_claim_open(c, path, &made);
  if (fd < 0) return fd;
  FILE *f = ftruncate(fd, 0) == 0 || errno == EINVAL ? fdopen(fd, "w") : NULL;
  if (!f) {
    close(fd);
    return ns_fail(c, NS_NOCREATE, "%s: cannot create: %s", path, strerror(errno));
  }
  int rc = put_page(c, path, ns_solve_json(s), f);
  if (fclose(f) != 0 && !rc)
    rc = ns_fail(c, NS_OUTPUT, "%s: cannot write: %s", path, strerror(errno));
  return rc;
}

static const writer writers[] = {
    {".json", write_json},
    {".h5", ns_problem_solution_hdf5},
    {".hdf5", ns_problem_solution_hdf5},
    {".txt", ns_problem_solution_text},
    {0},
};

static const writer *find_writer(const char *path)
{
  size_t n = strlen(path);
  for (const writer *w = writers; w->suffix; w++) {
    size_t k = strlen(w->suffix);
    if (n > k && !strcmp(path + n - k, w->suffix)) return w;
  }
  return NULL;
}

/* ---- options --------------------------------------------------------------------------------- */

enum {
  KEY_FAMILY = 0x200,
  KEY_SOLVER,
  KEY_CONTACT,
  KEY_TOLERANCE,
  KEY_MAX_ITERATIONS,
  KEY_THREADS,
  KEY_MAX_WALL,
  KEY_COPY,
  KEY_JSON
};

static const struct argp_option options[] = {
    {"family", KEY_FAMILY, "FAMILY", 0,
     "Family of the problem: lcp, mlcp, relay, avi, soclcp, fc2d, fc3d, gfc, rfc2d, rfc3d, grfc, "
     "gmp (default: by the name of the file or its folder)",
     0},
    {"solver", KEY_SOLVER, "NAME", 0, "Solver, one of nssim list solvers (default auto)", 0},
    {"contact-solver", KEY_CONTACT, "NAME", 0,
     "Local solver for one contact in the sweeps of nsgs and auto: auto, quartic, alart-curnier, "
     "jean-moreau, projection",
     0},
    {"tolerance", KEY_TOLERANCE, "T", 0, "Accepted residual (default 1e-10, with friction 1e-8)",
     0},
    {"max-iterations", KEY_MAX_ITERATIONS, "N", 0,
     "Maximum number of iterations (default: that of the solver)", 0},
    {"threads", KEY_THREADS, "N", 0,
     "Threads of sweeps over many contacts (default 1); the result is the same", 0},
    {"max-wall", KEY_MAX_WALL, "TIME", 0,
     "Stop after this wall-clock time, in s or with a unit (2min, 1h), with the best iterate and "
     "status 75",
     0},
    {"output", 'o', "PATH", 0, "Write the solution to PATH, by its suffix as .json, .h5 or .txt",
     0},
    {"copy", KEY_COPY, "PATH", 0,
     "Write the problem to PATH: as text, or for .hdf5 as FCLIB with its solution", 0},
    {"json", KEY_JSON, 0, 0, "Print a JSON object with the solution, also after an error", 0},
    {0},
};

static const char doc[] =
    "Solve one problem from a file, as written by --dump-problems: an LCP, an MLCP, a relay "
    "problem, an affine variational inequality, complementarity on second-order cones, or contacts "
    "with friction and rolling friction. Exit status 0: solved, 70: not solved, 75: stopped by "
    "--max-wall or a signal.\n\n"
    "Examples:\n"
    "  nssim solve lcp-step00000012.dat\n"
    "  nssim solve problem.dat --family relay --solver lemke -o solution.json\n"
    "  nssim solve mlcp.dat --json | jq .z\n"
    "  nssim solve contacts.hdf5 --tolerance 1e-4\n"
    "\vA problem is solved only if the residual, computed from the solution, is within the "
    "tolerance. If a limit or a signal (Ctrl-C) ends the search, the best iterate and its residual "
    "are printed and written. The formats are in man 5 nssim-problem; - reads standard input.";

/* The name of an option was compared with all that there are. */
static int refuse_name(struct argp_state *state, const char *option, const char *name,
                       const ns_suggest *s, const char *list)
{
  if (s->best)
    ns_console_refuse(state, "--%s '%s': no such solver; did you mean '%s'?", option, name,
                      s->best);
  ns_console_refuse(state, "--%s '%s': no such solver; `nssim %s` lists them", option, name, list);
  return EINVAL;
}

static int unknown_solver(struct argp_state *state, const char *name)
{
  ns_suggest s = ns_suggest_for(name, strlen(name));
  for (const ns_avi_solver_ops *const *k = ns_avi_solvers; *k; k++)
    ns_suggest_offer(&s, (*k)->name);
  for (const ns_mechanical_solver_ops *const *k = ns_mechanical_solvers; *k; k++)
    ns_suggest_offer(&s, (*k)->name);
  return refuse_name(state, "solver", name, &s, "list solvers");
}

static int unknown_contact_solver(struct argp_state *state, const char *name)
{
  ns_suggest s = ns_suggest_for(name, strlen(name));
  for (const ns_contact_solver *const *k = ns_contact_solvers; *k; k++)
    ns_suggest_offer(&s, (*k)->name);
  return refuse_name(state, "contact-solver", name, &s, "solve --help");
}

static const ns_console_target targets[] = {
    {KEY_JSON, NS_CONSOLE_FLAG, offsetof(solve, json), NULL, 0},
    {KEY_COPY, NS_CONSOLE_TEXT, offsetof(solve, copy), NULL, 0},
    {KEY_MAX_ITERATIONS, NS_CONSOLE_WHOLE, offsetof(solve, max_iterations), "--max-iterations",
     INT_MAX},
    {KEY_THREADS, NS_CONSOLE_WHOLE, offsetof(solve, threads), "--threads", NS_TEAM_MAX},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  solve *o = state->input;
  switch (key) {
  case KEY_FAMILY:
    if (!(o->family = ns_problem_family_find(arg)))
      ns_console_refuse(state, "--family '%s': expected " NS_PROBLEM_FAMILIES, arg);
    return 0;
  case KEY_SOLVER:
    o->solver = arg;
    return ns_avi_solver_find(arg) || ns_mechanical_solver_find(arg) ? 0
                                                                     : unknown_solver(state, arg);
  case KEY_CONTACT:
    return (o->contact = ns_contact_solver_find(arg)) ? 0 : unknown_contact_solver(state, arg);
  case KEY_TOLERANCE:
    if (!ns_console_real(arg, &o->tolerance) || o->tolerance <= 0)
      ns_console_refuse(state, "--tolerance '%s': expected a number above 0, such as 1e-8", arg);
    return 0;
  case KEY_MAX_WALL:
    if (!ns_console_duration_of(arg, &o->max_wall))
      ns_console_refuse(state, "--max-wall '%s': expected a time, such as 60, 2min or 1h", arg);
    return 0;
  case 'o':
    o->output = arg;
    if (!(o->writer = find_writer(arg)))
      ns_console_refuse(state, "-o '%s': expected a name that ends in .json, .h5 or .txt", arg);
    return 0;
  case ARGP_KEY_ARG:
  case ARGP_KEY_NO_ARGS:
    return ns_console_file(state, key, arg, "a problem such as lcp.dat", &o->path);
  default: return ns_console_store(targets, key, arg, state);
  }
}

static const struct argp solve_argp = {options, parse_option, "FILE", doc, 0, 0, 0};

/* ---- solving --------------------------------------------------------------------------------- */

static double *zeros(solve *o, int n)
{
  double *x = ns_arena_zero(o->problem->arena, (size_t)n, sizeof *x);
  if (!x) ns_nomem(&o->c, "solution");
  return x;
}

static ns_lcp_options lcp_options(solve *o)
{
  ns_lcp_options p = ns_lcp_defaults();
  p.max_iterations = (int)o->max_iterations;
  if (!(o->tolerance > 0)) o->tolerance = p.tol;
  p.tol = o->tolerance;
  return p;
}

static ns_mechanical_options mechanical_options(solve *o)
{
  ns_mechanical_options p = ns_mechanical_defaults();
  p.max_iterations = (int)o->max_iterations;
  if (o->threads) p.threads = (int)o->threads;
  p.contact = o->contact;
  if (!(o->tolerance > 0)) o->tolerance = p.tol;
  p.tol = o->tolerance;
  return p;
}

/* A solver by its name that is not of this kind of problem. */
static int wrong_solver(solve *o, const char *kind)
{
  return ns_fail(&o->c, NS_USAGE,
                 "--solver %s: does not solve problems %s; `nssim list solvers` shows which do",
                 o->solver, kind);
}

/* NULL: refused. */
static const ns_mechanical_solver_ops *mechanical_solver(solve *o)
{
  const ns_mechanical_solver_ops *s = ns_mechanical_solver_find(o->solver ? o->solver : "auto");
  if (!s) wrong_solver(o, "with friction");
  else if (o->contact && !s->sweeps)
    ns_fail(&o->c, NS_USAGE,
            "--contact-solver %s: selects how nsgs and auto sweep over contacts, which solver %s "
            "does not do; remove one of them",
            o->contact->name, s->name);
  else return s;
  return NULL;
}

/* A solver that does not take such problems: the choice is wrong, not the file. */
static int choice(solve *o, int rc)
{
  if (rc == NS_MODEL && o->solver) o->c.rc = NS_USAGE;
  return rc;
}

/* The clock of what is reported runs while a solver works, not while it gets its memory and
 * libraries. */
static void begin(solve *o)
{
  o->seconds = ns_clock();
  o->watch.until = o->max_wall > 0 ? o->seconds + o->max_wall : INFINITY;
}

static void finish(solve *o) { o->seconds = ns_clock() - o->seconds; }

/* The iterates of the problem with right-hand side q [n] are looked at: what they are is in
 * o->watch. */
static int observe(solve *o, const double *q, size_t n)
{
  o->watch.q = q;
  o->watch.residual = INFINITY;
  o->watch.best = ns_arena_zero(o->problem->arena, n + 1, sizeof *o->watch.best);
  return o->watch.best ? NS_OK : ns_nomem(&o->c, "solution");
}

/* The best iterate to z [n] and mu [m] where the solver has given back the guess. */
static void take_best(solve *o, double *z, size_t n, double *mu, size_t m)
{
  if (o->out.kind == NS_SOLVED || !(o->watch.residual < o->out.residual)) return;
  memcpy(z, o->watch.best, n * sizeof *z);
  if (m) memcpy(mu, o->watch.best + n, m * sizeof *mu);
}

static int solve_box(solve *o)
{
  ns_avi *p = &o->problem->box;
  size_t n = (size_t)p->n, nnz = n * n;
  for (size_t i = 0; i < n && !o->problem->guess; i++) o->z[i] = fmin(fmax(0, p->lb[i]), p->ub[i]);
  if (p->blocks) {
    const ns_blocks *b = p->blocks;
    nnz = 0;
    for (int i = 0; i < b->nb; i++)
      for (int k = b->row[i]; k < b->row[i + 1]; k++)
        nnz += (size_t)b->dim[i] * (size_t)b->dim[b->col[k]];
  }
  ns_avi_capacity cap = {.n = p->n, .nnz = nnz, .structure = p->blocks, .lb = p->lb, .ub = p->ub};
  const ns_avi_solver_ops *s = ns_avi_solver_find(o->solver ? o->solver : "auto");
  void *self = NULL;
  ns_lcp_options opt = lcp_options(o);
  if (!s) return wrong_solver(o, "on boxes");
  if (observe(o, p->q, n)) return o->c.rc;
  p->watch = &o->watch;
  int rc = choice(o, s->create(&o->c, &cap, &opt, &self));
  begin(o);
  if (!rc) rc = s->solve(self, &o->c, p, NULL, o->z, o->w, &o->out);
  finish(o);
  s->destroy(self);
  if (rc) return rc;
  take_best(o, o->z, n, NULL, 0);
  o->out.residual = ns_avi_residual(p, o->z, o->w);
  return NS_OK;
}

static int solve_polyhedron(solve *o)
{
  ns_polyhedral *p = &o->problem->polyhedron;
  if (o->solver && strcmp(o->solver, "auto") != 0)
    return ns_fail(&o->c, NS_USAGE,
                   "--solver %s: solves problems on boxes, expected auto for one on a polyhedron",
                   o->solver);
  if (!(o->mu = zeros(o, p->p))) return o->c.rc;
  ns_polyhedral_solver *s = NULL;
  ns_lcp_options opt = lcp_options(o);
  if (o->problem->guess) ns_polyhedral_guess(p, o->z, o->mu);
  if (observe(o, p->q, (size_t)(p->n + p->p))) return o->c.rc;
  p->watch = &o->watch;
  int rc = ns_polyhedral_create(&o->c, p->n, p->p, &opt, &s);
  begin(o);
  if (!rc) rc = ns_polyhedral_solve(s, &o->c, p, o->z, o->mu, o->w, &o->out);
  finish(o);
  ns_polyhedral_destroy(s);
  if (rc) return rc;
  take_best(o, o->z, (size_t)p->n, o->mu, (size_t)p->p);
  o->out.residual = ns_polyhedral_residual(p, o->z, o->mu, o->w);
  return NS_OK;
}

static int solve_cones(solve *o)
{
  ns_soclcp *p = &o->problem->cones;
  if (o->solver && strcmp(o->solver, "auto") != 0)
    return ns_fail(&o->c, NS_USAGE,
                   "--solver %s: expected auto for a problem on second-order cones", o->solver);
  ns_soclcp_solver *s = NULL;
  ns_lcp_options opt = lcp_options(o);
  int rc = ns_soclcp_create(&o->c, p->n, &opt, &s);
  p->watch = &o->watch;
  begin(o);
  if (!rc) rc = ns_soclcp_solve(s, p, o->z, o->w, &o->out);
  finish(o);
  ns_soclcp_destroy(s);
  return rc;
}

static int solve_mechanical(solve *o)
{
  ns_mechanical *p = &o->problem->mechanical;
  ns_mechanical_capacity cap = {.structure = p->W, .kind = p->kind};
  ns_mechanical_options opt = mechanical_options(o);
  const ns_mechanical_solver_ops *s = mechanical_solver(o);
  void *self = NULL;
  if (!s) return o->c.rc;
  p->watch = &o->watch;
  int rc = choice(o, s->create(&o->c, &cap, &opt, &self));
  begin(o);
  if (!rc) rc = s->solve(self, &o->c, p, NULL, o->z, o->w, &o->out);
  finish(o);
  s->destroy(self);
  if (!rc) o->out.residual = ns_mechanical_residual(p, o->z, o->w, NULL);
  return rc;
}

static int solve_global(solve *o)
{
  ns_global *p = &o->problem->global;
  ns_mechanical_options opt = mechanical_options(o);
  const ns_mechanical_solver_ops *ops = mechanical_solver(o);
  ns_global_solver *s = NULL;
  double *work = zeros(o, p->M->m);
  if (!ops || !work || !(o->v = zeros(o, p->M->m))) return o->c.rc;
  p->watch = &o->watch;
  begin(o); /* the reduction is part of the work */
  int rc = choice(o, ns_global_create(&o->c, p, ops, &opt, &s));
  if (!rc) rc = ns_global_solve(s, &o->c, o->z, o->w, o->v, &o->out);
  finish(o);
  ns_global_destroy(s);
  if (!rc) o->out.residual = ns_global_residual(p, o->v, o->z, o->w, work);
  return rc;
}

/* From the guess of the file, or zero, brought within the bounds. */
static int solve_form(solve *o)
{
  int n = o->problem->n;
  if (!(o->z = zeros(o, n)) || !(o->w = zeros(o, n))) return o->c.rc;
  if (o->problem->guess) memcpy(o->z, o->problem->guess, (size_t)n * sizeof *o->z);
  static int (*const by_form[])(solve *) = {[NS_PROBLEM_BOX] = solve_box,
                                            [NS_PROBLEM_POLYHEDRON] = solve_polyhedron,
                                            [NS_PROBLEM_CONES] = solve_cones,
                                            [NS_PROBLEM_MECHANICAL] = solve_mechanical,
                                            [NS_PROBLEM_GLOBAL] = solve_global};
  if (o->contact && o->problem->family->form < NS_PROBLEM_MECHANICAL)
    return ns_fail(&o->c, NS_USAGE,
                   "--contact-solver %s: the problem is a %s problem, expected one with friction; "
                   "remove the option",
                   o->contact->name, o->problem->family->title);
  return by_form[o->problem->family->form](o);
}

/* Worth to be shown: the search was ended by a limit, not by a proof that it is useless. */
static int is_iterate(const solve *o) { return o->watch.over || o->out.kind == NS_LIMIT; }

static ns_problem_solution solution(const solve *o, const char *why)
{
  int solved = !*why, shown = solved || is_iterate(o);
  return (ns_problem_solution){.file = strcmp(o->path, "-") ? o->path : "standard input",
                               .problem = o->problem,
                               .solved = solved,
                               .status = solved  ? "solved"
                                         : shown ? "not solved, the best iterate"
                                                 : "not solved",
                               .message = why,
                               .solver = o->out.solver,
                               .iterations = o->out.iterations,
                               .residual = o->out.residual,
                               .tolerance = o->tolerance,
                               .seconds = o->seconds,
                               .nmu = o->mu ? o->problem->polyhedron.p : 0,
                               .z = shown ? o->z : NULL,
                               .w = shown ? o->w : NULL,
                               .mu = shown ? o->mu : NULL,
                               .nv = o->v ? o->problem->global.M->m : 0,
                               .v = shown ? o->v : NULL};
}

static void why_stopped(const solve *o, char *why, size_t n)
{
  int signal = *ns_signals_caught();
  char by[64];
  if (signal) snprintf(by, sizeof by, "signal %d (%s)", signal, strsignal(signal));
  else snprintf(by, sizeof by, "--max-wall of %g s", o->max_wall);
  snprintf(why, n,
           "ended by %s after %.3g s; the best iterate has a residual of %.3g, tolerance %g; it is "
           "not known whether there is a solution",
           by, o->seconds, o->out.residual, o->tolerance);
}

static int report(solve *o)
{
  char why[512] = "";
  int solved = o->out.kind == NS_SOLVED && o->out.residual <= o->tolerance;
  if (!solved && o->watch.over) why_stopped(o, why, sizeof why);
  else if (!solved) ns_solve_why(o->problem, &o->out, o->tolerance, why, sizeof why);
  ns_problem_solution s = solution(o, why);
  int rc = o->json ? put_page(&o->c, "standard output", ns_solve_json(&s), stdout) : NS_OK;
  if (!o->json) ns_solve_print(&s, MAX_ROWS, stdout);
  fflush(stdout);
  if (!rc && o->writer) rc = o->writer->write(&o->c, o->output, &s);
  o->printed = 1;
  if (rc) return rc;
  if (s.solved) return NS_OK;
  return ns_fail(&o->c, o->watch.over ? NS_STOPPED : NS_NUMERIC, "%s: not solved: %s", s.file, why);
}

/* Solved or not: a problem is worth keeping. */
static void copy(solve *o, int solved)
{
  ns_ctx c = ns_cli_context();
  c.claims = o->c.claims;
  int fclib = ns_ends_in(o->copy, ".hdf5") || ns_ends_in(o->copy, ".h5");
  int rc = fclib
               ? ns_fclib_write(&c, o->copy, o->problem, o->path, solved ? o->z : NULL, o->w, o->v)
               : ns_problem_write(&c, o->copy, o->problem, o->path);
  if (rc) ns_fail(&o->c, rc, "%s", c.msg);
}

static void run(solve *o)
{
  if (ns_claim_read(&o->c, o->path, "the problem")) return;
  if (o->copy && ns_claim_write(&o->c, o->copy, "the copy of the problem")) return;
  if (o->output && ns_claim_write(&o->c, o->output, "the solution")) return;
  if (ns_problem_read(&o->c, o->path, o->family, &o->problem)) return;
  if (solve_form(o)) return;
  int rc = report(o);
  if (o->copy && rc != NS_OUTPUT) copy(o, rc == NS_OK);
}

/* What failed before there was an answer, as JSON. */
static void print_failure(const char *problem, const char *message, int exit_status)
{
  ns_json j = ns_json_of(NS_JSON_TEXT("problem", problem), NS_JSON_FLAG("solved", 0),
                         NS_JSON_TEXT("status", "failed"), NS_JSON_TEXT("message", message),
                         NS_JSON_INTEGER("exit", exit_status));
  ns_json_page(j, 17, stdout);
}

static int wants_json(int argc, char **argv)
{
  for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++)
    if (!strcmp(argv[k], "--json")) return 1;
  return 0;
}

/* argp ends the program where options are wrong. usage: 1 while they are parsed; freed here, at the
 * end of the program. */
static void at_exit(int status, void *usage)
{
  if (*(int *)usage && status) print_failure(NULL, "wrong options, see standard error", status);
  free(usage);
}

static int parse(solve *o, int argc, char **argv)
{
  int *usage = malloc(sizeof *usage);
  if (!usage || on_exit(at_exit, usage)) {
    free(usage);
    ns_nomem(&o->c, "command line");
    return ns_cli_exit(&o->c);
  }
  *usage = wants_json(argc, argv);
  int status = ns_console_parse(&solve_argp, argc, argv, o);
  if (!status) *usage = 0;
  return status;
}

int ns_cmd_solve(int argc, char **argv)
{
  solve o = {.c = ns_cli_context()};
  int status = parse(&o, argc, argv);
  if (status) return status;
  ns_signals_install();
  o.watch.signal = ns_signals_caught();
  ns_claims claims = {0};
  o.c.claims = &claims;
  run(&o);
  ns_claims_fini(&claims);
  status = ns_cli_exit(&o.c);
  if (o.json && !o.printed && status) print_failure(o.path, o.c.msg, status);
  ns_problem_destroy(o.problem);
  return status;
}
