/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which method solves what. */
#include "problems/multibody_augmented.h"
#include "problems/multibody_work.h"

#include "base/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AUTO, SWEEPS, AUGMENTED, REDUCED };

struct ns_multibody_solver {
  ns_multibody_options opt;
  int way;
  const ns_mechanical_solver_ops *ops; /* of reduced problems */
  ns_mechanical_options inner;
  ns_reduced *reduced;
  ns_augmented *augmented;
  ns_arena *mem; /* scratch of a call: one piece, as large as any call so far needed */
  size_t room;
  const char *method; /* used last, NULL: nothing yet */
  int swept;          /* it was not on a reduced problem */
  char *used;         /* [USED] */
};

enum { USED = 64, ROOM = 16384 };

void ns_multibody_destroy(ns_multibody_solver *s)
{
  if (!s) return;
  ns_reduced_destroy(s->reduced);
  ns_augmented_destroy(s->augmented);
  ns_arena_destroy(s->mem);
  free(s->used);
  free(s);
}

static int unknown(ns_ctx *c, const char *name)
{
  ns_suggest near;
  ns_suggest_init(&near, name, strlen(name));
  for (int k = 0; ns_multibody_solvers[k]; k++) ns_suggest_offer(&near, ns_multibody_solvers[k]->name);
  for (int k = 0; ns_mechanical_solvers[k]; k++) ns_suggest_offer(&near, ns_mechanical_solvers[k]->name);
  if (near.best) return ns_fail(c, NS_USAGE, "no solver of contacts between bodies is called '%s': did you mean '%s'?", name, near.best);
  return ns_fail(c, NS_USAGE, "no solver of contacts between bodies is called '%s': `nssim list solvers` names them", name);
}

/* AUTO, SWEEPS, AUGMENTED or REDUCED; the last by auto or by the solver that is named, *ops. */
static int way_of(const char *name, const ns_mechanical_solver_ops **ops)
{
  int way = !strcmp(name, "auto") ? AUTO : !strcmp(name, "nsgs") ? SWEEPS : !strcmp(name, "augmented") ? AUGMENTED : REDUCED;
  *ops = ns_mechanical_solver_find(way == REDUCED && strcmp(name, "reduced") != 0 ? name : "auto");
  return way;
}

int ns_multibody_create(ns_ctx *c, const ns_multibody_options *o, ns_multibody_solver **out)
{
  ns_multibody_options opt = o ? *o : (ns_multibody_options){0};
  if (!opt.solver) opt.solver = "auto";
  if (!(opt.tol > 0)) opt.tol = ns_mechanical_defaults().tol;
  if (opt.contact && !opt.contact->solve) opt.contact = NULL;
  const ns_mechanical_solver_ops *ops;
  int way = way_of(opt.solver, &ops);
  *out = NULL;
  if (!ops) return unknown(c, opt.solver);
  ns_multibody_solver *s = calloc(1, sizeof *s);
  if (s) {
    *s = (ns_multibody_solver){.opt = opt, .way = way, .ops = ops, .room = ROOM};
    s->inner = ns_mechanical_defaults();
    s->inner.max_iterations = opt.max_iterations;
    s->inner.contact = opt.contact;
    s->inner.tol = opt.tol;
    s->reduced = ns_reduced_create();
    s->augmented = ns_augmented_create();
    s->mem = ns_arena_create(ROOM, 1);
    s->used = calloc(USED, 1);
  }
  if (!s || !s->reduced || !s->augmented || !s->mem || !s->used) {
    ns_multibody_destroy(s);
    return ns_nomem(c, "solver of contacts between bodies");
  }
  *out = s;
  return NS_OK;
}

/* All of the scratch in one piece: a call that was given more than one makes the next one begin with enough. */
static int begin(ns_multibody_solver *s, ns_ctx *c)
{
  size_t peak = ns_arena_peak(s->mem);
  if (peak <= s->room) return NS_OK;
  ns_arena *more = ns_arena_create(peak + peak / 16, 1);
  if (!more) return ns_nomem(c, "contacts between bodies");
  ns_arena_destroy(s->mem);
  s->mem = more;
  s->room = peak + peak / 16;
  return NS_OK;
}

/* ---- one part ------------------------------------------------------------------------------------------------------------ */

/* Up to so many rows a part is multiplied out at once, and what comes out is exact to rounding; eliminated, where all but one block
 * are equalities; multiplied out where sweeps do not end. Sweeps: a bound for all, by what a block more or less costs. */
enum { FEW_ROWS = 60, MANY_ROWS = 400, SWEEPS_LEAST = 500, SWEEPS_MOST = 10000, VISITS = 50000000 };
/* Newton on bodies: sweeps that are tried before, of up to USUAL blocks; beyond, a factorisation costs the square of it. Most blocks,
 * for its memory; most factorisations. */
enum { PATIENCE = 300, JOINT_PATIENCE = 200, USUAL = 1000, MOST_FACTORED = 6000, FACTORS = 2000 };

/* A part in hand. */
typedef struct task {
  ns_multibody_solver *s;
  ns_ctx *c;
  const ns_multibody *p;
  ns_multibody_part part;
  int *number, rows;
  double tol, *r;
  int again; /* the first answer had too large a residual */
  int left, patience; /* sweeps: how many more; those after which what is left is looked at, 0: never */
  int swept; /* the last method was sweeps */
  ns_outcome out;
} task;

static int most_sweeps(const task *t)
{
  int most = VISITS / t->part.n, limit = t->s->opt.max_iterations;
  return limit ? limit : most < SWEEPS_LEAST ? SWEEPS_LEAST : most > SWEEPS_MOST ? SWEEPS_MOST : most;
}

static int sweeps(task *t)
{
  ns_multibody_solver *s = t->s;
  ns_nsgs_limits limits = {.tol = t->tol, .limit = t->left, .patience = t->patience, .contact = s->opt.contact};
  t->swept = 1;
  int rc = ns_nsgs_solve(t->c, &limits, s->opt.team, t->p, t->part, t->number, s->mem, t->r, &t->out);
  t->left -= t->out.iterations;
  return rc;
}

static int reduced(task *t)
{
  ns_multibody_solver *s = t->s;
  ns_mechanical_options opt = s->inner;
  opt.tol = t->tol;
  t->swept = 0;
  return ns_reduced_solve(s->reduced, t->c, s->ops, &opt, t->p, t->part, t->number, s->mem, t->r, &t->out);
}

/* Equalities, one contact beside them at most: *done where they agree; where they contradict each other, others find what is nearest. */
static int direct(task *t, int *done)
{
  double odds;
  *done = 0;
  if (t->again || t->s->opt.contact || !ns_multibody_is_direct(t->p, t->part)) return NS_OK;
  if (!ns_multibody_direct(t->p, t->part, t->number, t->s->mem, t->r, &odds)) return ns_nomem(t->c, "joints");
  *done = odds <= t->tol;
  t->swept = 0;
  t->out = (ns_outcome){.kind = NS_SOLVED, .iterations = 1, .solver = "elimination"};
  return NS_OK;
}

/* An equality in the part. */
static int has_joints(const task *t)
{
  const ns_multibody *p = t->p;
  for (int k = 0; k < t->part.n; k++) {
    int a = t->part.block[k], i = p->row[a];
    if (p->kind[a] == NS_BLOCK_BOX && p->lb[i] == -INFINITY && p->ub[i] == INFINITY) return 1;
  }
  return 0;
}

static int augmented(task *t)
{
  ns_multibody_solver *s = t->s;
  t->swept = 1;
  return ns_augmented_solve(s->augmented, t->c, t->tol, s->opt.max_iterations ? s->opt.max_iterations : FACTORS, t->p, t->part, t->number,
                            s->mem, t->r, &t->out);
}

/* Sweeps that have to promise an end before Newton is tried. */
static int patience_of(const task *t)
{
  double more = (double)t->part.n / USUAL;
  return has_joints(t) ? JOINT_PATIENCE : more <= 1 ? PATIENCE : (int)fmin(PATIENCE * more * more, SWEEPS_MOST);
}

/* A further method where those before it did not solve the part; their iterations count, and where it only runs out of them, what they
 * said of the problem. */
static int then(task *t, int (*method)(task *t))
{
  ns_outcome before = t->out;
  if (before.kind == NS_SOLVED) return NS_OK;
  int rc = method(t);
  if (t->out.kind == NS_LIMIT && before.kind != NS_LIMIT) {
    t->out.kind = before.kind;
    t->out.solver = before.solver;
  }
  t->out.iterations += before.iterations;
  return rc;
}

/* Sweeps as long as they promise an end, then Newton on the bodies; where that fails, the sweeps that are left, and the cascade of
 * mechanical.h if that is in reach: few rows begin with it. A stack of ten boxes takes 3 ms by 1000 sweeps and 45 ms by the
 * cascade; across joints sweeps crawl. */
static int automatic(task *t)
{
  int done, few = t->rows <= FEW_ROWS, rc = direct(t, &done);
  if (rc || done) return rc;
  t->out = (ns_outcome){.kind = NS_LIMIT};
  t->patience = patience_of(t);
  rc = then(t, few ? reduced : sweeps);
  if (!rc && t->part.n <= MOST_FACTORED) rc = then(t, augmented);
  t->patience = 0;
  if (!rc && !few && t->left > 0) rc = then(t, sweeps);
  return rc || few || t->rows > MANY_ROWS ? rc : then(t, reduced);
}

static int rows_of(const ns_multibody *p, ns_multibody_part part)
{
  int rows = 0;
  for (int k = 0; k < part.n; k++) rows += ns_multibody_dim(p, part.block[k]);
  return rows;
}

/* One block has cases, which are not asked again where they are all there is. */
static int has_cases(const ns_multibody_solver *s, int blocks, int again)
{
  return blocks == 1 && !again && s->way != REDUCED && !s->opt.contact;
}

static int one(task *t)
{
  ns_multibody_solver *s = t->s;
  t->out = (ns_outcome){.kind = NS_SOLVED, .iterations = 1, .solver = "cases"};
  if (has_cases(s, t->part.n, t->again && t->p->nblocks == 1) && ns_multibody_single(t->p, t->part.block[0], t->r)) return NS_OK;
  t->rows = rows_of(t->p, t->part);
  ns_mark mark = ns_arena_mark(s->mem);
  t->left = most_sweeps(t);
  int rc = s->way == SWEEPS ? sweeps(t) : s->way == AUGMENTED ? augmented(t) : s->way == REDUCED ? reduced(t) : automatic(t);
  ns_arena_release(s->mem, mark);
  return rc;
}

/* ---- all parts --------------------------------------------------------------------------------------------------------------- */

/* The largest part tells its solver, the slowest the iterations, the first that is not solved why. */
static void collect(const task *t, int *most, ns_outcome *out)
{
  if (t->part.n > *most) {
    *most = t->part.n;
    out->solver = t->out.solver;
    t->s->swept = t->swept;
  }
  if (t->out.iterations > out->iterations) out->iterations = t->out.iterations;
  if (out->kind == NS_SOLVED) out->kind = t->out.kind;
}

static int is_swept(const ns_multibody_solver *s, const ns_multibody *p, ns_multibody_part part)
{
  return part.n > 1 && (s->way == SWEEPS || s->way == AUGMENTED || (s->way == AUTO && rows_of(p, part) > FEW_ROWS));
}

/* What the parts may leave, so that | . | / max(|q|, |r|, |u|) of all is within the tolerance: the squares of their maxima add up to
 * at most three times that of all. What is exact has its share for nothing. */
static double share_of(int parts, int swept, int itself)
{
  if (parts == 1) return 0.9; /* the residual of all has other rounding: beside velocities of 1 m/s, impulses of 1e-3 know 1e-12 */
  return !itself ? 0.05 : swept > 1 ? 0.5 : 0.95;
}

static int parts(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p, double tol, double *r, ns_outcome *out)
{
  ns_multibody_parts all;
  int most = 0, swept = 0, again = tol < s->opt.tol, rc = NS_OK;
  *out = (ns_outcome){.kind = NS_SOLVED, .solver = "cases"};
  s->swept = 0;
  if (p->nblocks == 0) return NS_OK;
  if (has_cases(s, p->nblocks, again) && ns_multibody_single(p, 0, r)) {
    out->iterations = 1;
    return NS_OK;
  }
  if (!ns_multibody_split(p, s->mem, &all)) return ns_nomem(c, "contacts between bodies");
  for (int k = 0; k < all.n; k++) swept += is_swept(s, p, ns_multibody_part_of(&all, k));
  for (int k = 0; k < all.n && !rc; k++) {
    task t = {.s = s, .c = c, .p = p, .part = ns_multibody_part_of(&all, k), .number = all.body, .r = r, .again = again};
    t.tol = tol * share_of(all.n, swept, is_swept(s, p, t.part));
    rc = one(&t);
    collect(&t, &most, out);
  }
  return rc;
}

/* The residual; lists of bodies are worth it where there are several to use them. */
static int audit(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p, const double *r, double *v, double *u, double *residual)
{
  enum { LISTED = 500 };
  ns_multibody_pushes by;
  int listed = ns_team_size(s->opt.team) > 1 && p->nblocks >= LISTED;
  ns_mark mark = ns_arena_mark(s->mem);
  if (listed && !ns_multibody_list_pushes(p, s->mem, &by)) return ns_nomem(c, "contacts between bodies");
  *residual = ns_multibody_residual_by(p, s->opt.team, listed ? &by : NULL, r, v, u, NULL);
  ns_arena_release(s->mem, mark);
  return NS_OK;
}

/* What the methods measure differs from the residual by rounding: where that decides, once more for less. */
int ns_multibody_solve(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p, double *r, double *v, double *u, ns_outcome *out)
{
  enum { TRIES = 3 };
  double tol = s->opt.tol;
  int rc = begin(s, c), done = 0;
  if (rc) return rc;
  for (int k = 0; k < TRIES; k++, tol /= 4) {
    ns_mark mark = ns_arena_mark(s->mem);
    rc = parts(s, c, p, tol, r, out);
    ns_arena_release(s->mem, mark);
    if (rc) return rc;
    done += out->iterations;
    if ((rc = audit(s, c, p, r, v, u, &out->residual))) return rc;
    if (out->residual <= s->opt.tol || out->kind != NS_SOLVED) break;
  }
  out->iterations = done;
  if (out->residual <= s->opt.tol) out->kind = NS_SOLVED;
  else if (out->kind == NS_SOLVED) out->kind = NS_LIMIT;
  s->method = out->solver;
  return NS_OK;
}

const char *ns_multibody_used(const ns_multibody_solver *s)
{
  snprintf(s->used, USED, "%s%s", s->swept ? "" : "reduced: ", s->method ? s->method : "nothing");
  return s->used;
}

size_t ns_multibody_bytes(const ns_multibody_solver *s) { return sizeof *s + USED + s->room + ns_reduced_bytes(s->reduced) + ns_augmented_bytes(s->augmented); }
