/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which method solves what. */
#include "problems/mechanical_work.h"
#include "problems/multibody_augmented.h"
#include "problems/multibody_work.h"
#include "problems/resting.h"

#include "base/suggest.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AUTO, SWEEPS, AUGMENTED, REDUCED };

struct ns_multibody_solver {
  ns_multibody_options opt;
  double tol; /* of the problem in hand */
  int way;
  const ns_mechanical_solver_ops *ops; /* of reduced problems */
  ns_mechanical_options inner;
  ns_reduced *reduced;
  ns_augmented *augmented, *local; /* of a whole part, of some of its blocks */
  ns_solve_watch watch;            /* what a call has done, and may do */
  /* scratch of a call: one piece, as large as any call so far needed; of a lender its own, as the
   * call begins */
  ns_arena *mem;
  size_t capacity;
  ns_multibody_solver *lender; /* NULL: none */
  const char *method;          /* used last, NULL: nothing yet */
  int swept;                   /* it was not on a reduced problem */
  char *used;                  /* [USED] */
};

enum { USED = 64, CAPACITY = 16384 };

void ns_multibody_destroy(ns_multibody_solver *s)
{
  if (!s) return;
  ns_reduced_destroy(s->reduced);
  ns_augmented_destroy(s->augmented);
  ns_augmented_destroy(s->local);
  if (!s->lender) ns_arena_destroy(s->mem);
  free(s->used);
  free(s);
}

static int unknown(ns_ctx *c, const char *name)
{
  ns_suggest near = ns_suggest_for(name, strlen(name));
  for (int k = 0; ns_multibody_solvers[k]; k++)
    ns_suggest_offer(&near, ns_multibody_solvers[k]->name);
  for (int k = 0; ns_mechanical_solvers[k]; k++)
    ns_suggest_offer(&near, ns_mechanical_solvers[k]->name);
  if (near.best)
    return ns_fail(c, NS_USAGE,
                   "unknown solver '%s' of contacts between bodies, did you mean '%s'?", name,
                   near.best);
  return ns_fail(c, NS_USAGE,
                 "unknown solver '%s' of contacts between bodies; `nssim list solvers` lists them",
                 name);
}

/* AUTO, SWEEPS, AUGMENTED or REDUCED; the last by auto or by the solver that is named, *ops. */
static int way_of(const char *name, const ns_mechanical_solver_ops **ops)
{
  int way = !strcmp(name, "auto")        ? AUTO
            : !strcmp(name, "nsgs")      ? SWEEPS
            : !strcmp(name, "augmented") ? AUGMENTED
                                         : REDUCED;
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
    *s = (ns_multibody_solver){.opt = opt, .way = way, .ops = ops, .capacity = CAPACITY};
    s->inner = ns_mechanical_defaults();
    s->inner.max_iterations = opt.max_iterations;
    s->inner.contact = opt.contact;
    s->inner.plugged = opt.plugged;
    s->inner.tol = opt.tol;
    s->reduced = ns_reduced_create();
    s->augmented = ns_augmented_create();
    s->local = ns_augmented_create();
    s->mem = ns_arena_create(CAPACITY, 1);
    s->used = calloc(USED, 1);
  }
  if (!s || !s->reduced || !s->augmented || !s->local || !s->mem || !s->used) {
    ns_multibody_destroy(s);
    return ns_nomem(c, "solver of contacts between bodies");
  }
  *out = s;
  return NS_OK;
}

void ns_multibody_borrow(ns_multibody_solver *s, ns_multibody_solver *lender)
{
  if (!s->lender) ns_arena_destroy(s->mem);
  s->lender = lender;
  s->mem = NULL;
  s->capacity = 0;
}

/* All of the scratch in one piece: a call that was given more than one makes the next one begin
 * with enough. */
static int begin(ns_multibody_solver *s, ns_ctx *c)
{
  ns_multibody_solver *owner = s->lender ? s->lender : s;
  size_t peak = ns_arena_peak(owner->mem);
  if (peak > owner->capacity) {
    ns_arena *more = ns_arena_create(peak + peak / 16, 1);
    if (!more) return ns_nomem(c, "contacts between bodies");
    ns_arena_destroy(owner->mem);
    owner->mem = more;
    owner->capacity = peak + peak / 16;
  }
  s->mem = owner->mem;
  return NS_OK;
}

/* ---- one part -------------------------------------------------------------------------------- */

/* Up to so many rows a part is multiplied out at once, and what comes out is exact to rounding;
 * eliminated, where all but one block are equalities. Sweeps: a bound for all, by what a block more
 * or less costs. */
enum { FEW_ROWS = 60, SWEEPS_MIN = 500, SWEEPS_MAX = 10000, VISITS = 50000000 };
/* Newton on bodies: sweeps that are tried before, of up to USUAL blocks; beyond, a factorisation
 * costs the square of it. Most blocks that are factored, for the memory; most factorisations. */
enum { PATIENCE = 300, JOINT_PATIENCE = 200, USUAL = 1000, MAX_FACTORED = 6000, FACTORS = 20000 };
/* Factorisations after which the reduced problem has its turn; 9 of 10 problems take fewer; more of
 * them where these came near. Sums over the rows of W of the squares of their entries, which a
 * factorisation of W costs at min: up to the first Newton's method is quick on it (a pile of 500
 * disks: 3e5; 0.3 ms a step), up to the second the whole cascade ends in a minute or so. Rows that
 * are looked at for a contradiction. */
enum { FACTORS_FEW = 40, FACTORS_FIRST = 200, FACTORS_MORE = 2000, MAX_CHECKED = 400 };
static const double REDUCED_QUICK = 4e6, REDUCED_MAX = 4e8;
/* Work in ns of some machine, after which what has been reached is the answer: of a call (half a
 * minute to a minute), of a part while that is not used up, of a part in any case, of few rows
 * before another method; and of a contact in a sweep: of a ball, of a disk half of it. */
static const double ALLOWED = 90e9, ALLOWED_PART = 2e9, ALLOWED_MIN = 1e7, BRIEF = 5e6, VISIT = 10;

/* Rows of a part that must be reduced up to which its solution is exact. */
enum { CASES_ROWS = 12 };

/* A part in hand. */
typedef struct task {
  ns_multibody_solver *s;
  ns_ctx *c;
  const ns_multibody *p;
  ns_multibody_part part;
  int *number, rows;
  double tol, *r;
  /* the velocities that r gives, and scratch, until a method has changed r; else NULL */
  double *v, *u;
  int again; /* the first answer had too large a residual */
  int large; /* factors of the part would take gigabytes */
  /* sweeps: how many more; those after which what is left is looked at, 0: never */
  int left, patience;
  int swept;              /* the last method was sweeps */
  double *best, min;      /* the best iterate so far [rows] and its residual; best NULL: not kept */
  ns_augmented_path path; /* of the first run of Newton's method; centre NULL: not kept */
  ns_outcome out;
} task;

static int max_sweeps(const task *t)
{
  int max = VISITS / t->part.n, limit = t->s->opt.max_iterations;
  return limit ? limit : max < SWEEPS_MIN ? SWEEPS_MIN : max > SWEEPS_MAX ? SWEEPS_MAX : max;
}

/* At rest the impulses of the last step are those of the next one: no sweeps are laid out for them.
 */
static int is_solved_by_guess(task *t)
{
  int is_solved = t->v && ns_multibody_is_solved(t->p, t->part, t->tol, t->r, t->v, t->u);
  t->v = NULL;
  if (is_solved) t->out = (ns_outcome){.kind = NS_SOLVED, .solver = "nsgs"};
  return is_solved;
}

static int sweeps(task *t)
{
  ns_multibody_solver *s = t->s;
  ns_nsgs_limits limits = {.tol = t->tol,
                           .limit = t->left,
                           .patience = t->patience,
                           .watch = &s->watch,
                           .contact = s->opt.contact};
  t->swept = 1;
  if (is_solved_by_guess(t)) return NS_OK;
  int rc = ns_nsgs_solve(t->c, &limits, s->opt.team, t->p, t->part, t->number, s->mem, t->r,
                         &t->out);
  t->left -= t->out.iterations;
  ns_solve_afford(&s->watch, VISIT * t->part.n * t->out.iterations);
  return rc;
}

static int reduced_by(task *t, const ns_mechanical_solver_ops *ops)
{
  ns_multibody_solver *s = t->s;
  ns_mechanical_options opt = s->inner;
  opt.tol = t->tol;
  t->swept = 0;
  return ns_reduced_solve(s->reduced, t->c, ops, &opt, &s->watch, t->p, t->part, t->number, s->mem,
                          t->r, &t->out);
}

static int reduced(task *t) { return reduced_by(t, t->s->ops); }
static int reduced_regular(task *t) { return reduced_by(t, &ns_mechanical_regular); }
static int reduced_interior(task *t) { return reduced_by(t, &ns_mechanical_interior); }

/* The rows of the part from `all` to `some`, or back. */
static void copy_rows(const task *t, double *all, double *some, int back)
{
  const ns_multibody *p = t->p;
  for (int k = 0; k < t->part.n; k++) {
    int a = t->part.block[k];
    size_t d = (size_t)ns_multibody_dim(p, a);
    memcpy(back ? all + p->row[a] : some, back ? some : all + p->row[a], d * sizeof *all);
    some += d;
  }
}

/* A method from r = 0, as `nssim solve` begins: a good iterate of other methods is often a bad
 * start of Newton's. The better of the two is kept. */
static int from_zero(task *t, int (*method)(task *t))
{
  double min = t->out.residual, *best = ns_arena_get(t->s->mem, (size_t)t->rows, sizeof *best);
  double *zero = ns_arena_zero(t->s->mem, (size_t)t->rows, sizeof *zero);
  if (!best || !zero) return ns_nomem(t->c, "contacts between bodies");
  copy_rows(t, t->r, best, 0);
  copy_rows(t, t->r, zero, 1);
  int rc = method(t);
  if (rc || t->out.kind == NS_SOLVED || t->out.residual < min) return rc;
  copy_rows(t, t->r, best, 1);
  t->out.residual = min;
  return NS_OK;
}

static int reduced_from_zero(task *t) { return from_zero(t, reduced); }
static int regular_from_zero(task *t) { return from_zero(t, reduced_regular); }

/* Rows of the part that meet each body of the problem, scratch; NULL: out of memory. */
static int *rows_by_body(const task *t)
{
  const ns_multibody *p = t->p;
  int *rows = ns_arena_zero(t->s->mem, (size_t)p->nbodies, sizeof *rows);
  for (int k = 0; rows && k < t->part.n; k++)
    for (int side = 0; side < ns_multibody_sides(p); side++) {
      int a = t->part.block[k], body = ns_multibody_body(p, a, side);
      if (body >= 0 && t->number[body] != NS_BODY_FIXED) rows[body] += ns_multibody_dim(p, a);
    }
  return rows;
}

/* Blocks of a heap of balls whose factorisation costs as much: it goes by bodies, and bricks have
 * many contacts between two of them. INT_MAX: out of memory. */
static int blocks_as_of_balls(const task *t)
{
  static const double OF_A_BALL = 2.5;
  ns_mark mark = ns_arena_mark(t->s->mem);
  const int *rows = rows_by_body(t);
  int bodies = 0;
  if (!rows) return INT_MAX;
  for (int i = 0; i < t->p->nbodies; i++) bodies += rows[i] > 0;
  ns_arena_release(t->s->mem, mark);
  return (int)fmin(t->part.n, OF_A_BALL * bodies);
}

/* Sum over the rows of W of the squares of their entries; INFINITY: out of memory. */
static double reduced_work(const task *t)
{
  ns_mark mark = ns_arena_mark(t->s->mem);
  const int *rows = rows_by_body(t);
  double sum = 0;
  if (!rows) return INFINITY;
  for (int k = 0; k < t->part.n; k++) {
    int a = t->part.block[k];
    double entries = 0;
    for (int side = 0; side < ns_multibody_sides(t->p); side++) {
      int body = ns_multibody_body(t->p, a, side);
      if (body >= 0) entries += rows[body];
    }
    sum += ns_multibody_dim(t->p, a) * entries * entries;
  }
  ns_arena_release(t->s->mem, mark);
  return sum;
}

/* balls: blocks_as_of_balls. */
static int is_large(const task *t, int balls)
{
  return balls > MAX_FACTORED && reduced_work(t) > REDUCED_QUICK;
}

/* Equalities, one contact beside them at max: *done where they agree; where they contradict each
 * other, others find what is nearest. */
static int direct(task *t, int *done)
{
  double remainder;
  *done = 0;
  if (t->again || t->s->opt.contact || !ns_multibody_is_direct(t->p, t->part)) return NS_OK;
  if (!ns_multibody_direct(t->p, t->part, t->number, t->s->mem, t->r, &remainder))
    return ns_nomem(t->c, "joints");
  *done = remainder <= t->tol;
  t->swept = 0;
  t->out = (ns_outcome){.kind = NS_SOLVED, .iterations = 1, .solver = "elimination"};
  return NS_OK;
}

static int augmented_along(task *t, int factorisations, ns_augmented_path *path)
{
  ns_multibody_solver *s = t->s;
  int limit = s->opt.max_iterations ? s->opt.max_iterations : factorisations;
  t->swept = 1;
  return ns_augmented_solve(s->augmented, t->c, t->tol, limit, !t->large, &s->watch, t->p, t->part,
                            t->number, s->mem, path, t->r, &t->out);
}

static int augmented(task *t) { return augmented_along(t, FACTORS, NULL); }
static int augmented_briefly(task *t) { return augmented_along(t, FACTORS_FEW, &t->path); }
static int augmented_first(task *t) { return augmented_along(t, FACTORS_FIRST, &t->path); }
static int augmented_again(task *t) { return augmented_along(t, FACTORS_FIRST, NULL); }

/* What augmented_first began, to its end: a new start, even from a better iterate, chooses another
 * sigma and loses the way that it has come. Where that was at its end, from the best iterate. */
static int augmented_on(task *t)
{
  if (!(t->path.sigma > 0)) copy_rows(t, t->r, t->best, 1);
  return augmented_along(t, FACTORS, &t->path);
}

static int augmented_more(task *t) { return augmented_along(t, FACTORS_MORE, &t->path); }

/* Interior points, where Newton's method from the guess has not ended: r is where they do. */
static int interior(task *t)
{
  enum { STEPS_INSIDE = 60 };
  ns_multibody_solver *s = t->s;
  int limit = s->opt.max_iterations ? s->opt.max_iterations : STEPS_INSIDE;
  t->swept = 1;
  return ns_interior_solve(s->augmented, t->c, t->tol, 0, limit, &s->watch, t->p, t->part,
                           t->number, s->mem, t->r, &t->out);
}

/* Sweeps that have to promise an end before Newton is tried: those that cost as much. */
static int patience_of(const task *t, int balls)
{
  double more = (double)balls / USUAL, dense = (double)balls / t->part.n;
  return ns_multibody_has_joints(t->p, t->part) ? JOINT_PATIENCE
         : more <= 1                            ? PATIENCE
                     : (int)fmin(fmax(PATIENCE * more * more * dense, PATIENCE), SWEEPS_MAX);
}

/* What the method left is rounding of the impulses: no other one can do more. */
static int finish(task *t)
{
  ns_outcome *out = &t->out;
  if (out->kind == NS_SOLVED || !(out->residual <= NS_ROUNDING_LIMIT)) return NS_OK;
  double *work = ns_arena_get(t->s->mem, ns_multibody_nvelocities(t->p), sizeof *work);
  if (!work) return ns_nomem(t->c, "contacts between bodies");
  if (ns_multibody_is_rounding(t->p, t->part, out->residual, t->r, NULL, work))
    out->kind = NS_SOLVED;
  return NS_OK;
}

/* A further method where those before it did not solve the part; their iterations count, and where
 * it only runs out of them, what they said of the problem. Its scratch is given back. */
static int then(task *t, int (*method)(task *t))
{
  ns_outcome before = t->out;
  if (before.kind == NS_SOLVED || before.kind == NS_INFEASIBLE || ns_solve_over(&t->s->watch))
    return NS_OK;
  ns_mark mark = ns_arena_mark(t->s->mem);
  int rc = method(t);
  if (t->best && t->out.residual < t->min) {
    copy_rows(t, t->r, t->best, 0);
    t->min = t->out.residual;
  }
  if (t->out.kind == NS_LIMIT && before.kind != NS_LIMIT) {
    t->out.kind = before.kind;
    t->out.solver = before.solver;
  }
  t->out.iterations += before.iterations;
  if (!rc) rc = finish(t);
  ns_arena_release(t->s->mem, mark);
  return rc;
}

/* Whether there is a solution at all; where there is none, nothing else is tried. */
static int feasibility(task *t)
{
  int infeasible = 0;
  if (t->rows > MAX_CHECKED || t->out.kind == NS_SOLVED) return NS_OK;
  ns_mark mark = ns_arena_mark(t->s->mem);
  int rc = ns_reduced_infeasible(t->c, t->tol, t->p, t->part, t->number, t->s->mem, NULL,
                                 &infeasible);
  ns_arena_release(t->s->mem, mark);
  if (infeasible) t->out.kind = NS_INFEASIBLE;
  return rc;
}

/* The cascade of mechanical.h as far as its quick methods. */
static int reduced_briefly(task *t)
{
  ns_solve_watch *w = &t->s->watch;
  double allowed = w->allowed;
  w->allowed = fmin(allowed, w->done + BRIEF);
  int rc = reduced(t);
  w->allowed = allowed;
  w->over = w->done > allowed; /* signals and times are seen again */
  return rc;
}

/* Bodies that were at rest move now: of several solutions one may be at rest (resting.h). */
static int leaves_rest(const task *t, double *v)
{
  const ns_multibody *p = t->p;
  if (!p->start) return 0;
  ns_multibody_move_part(p, t->part, t->r, v);
  return ns_leave_rest(ns_multibody_speed(p, t->part, p->vfree),
                       ns_multibody_speed(p, t->part, p->start), ns_multibody_speed(p, t->part, v));
}

/* Few digits are wanted, of a problem in space. */
static int is_rough(const ns_multibody_solver *s, const ns_multibody *p)
{
  static const double WIDE = 1e-6;
  return s->way == AUTO && s->tol > WIDE && p->dof == 6;
}

/* Contacts of few rows, where few digits are wanted: some sweeps, to two digits more than that,
 * which take a quarter of the time of Newton's method: it looks long for one of the many solutions
 * of boxes on each other. Else r is the guess as before. */
static int sweeps_few(task *t)
{
  enum { SWEEPS_FEW = 100 };
  static const double FINER = 0.01;
  double tol = t->tol, *v = t->v;
  int left = t->left;
  if (!is_rough(t->s, t->p) || ns_multibody_has_joints(t->p, t->part)) return NS_OK;
  double *guess = ns_arena_get(t->s->mem, (size_t)t->rows, sizeof *guess);
  if (!guess) return ns_nomem(t->c, "contacts between bodies");
  copy_rows(t, t->r, guess, 0);
  t->tol = fmin(tol, FINER * t->s->tol);
  t->left = left < SWEEPS_FEW ? left : SWEEPS_FEW;
  int rc = then(t, sweeps);
  t->left = left;
  t->tol = tol;
  if (rc || (t->out.kind == NS_SOLVED && !leaves_rest(t, v))) return rc;
  copy_rows(t, t->r, guess, 1);
  t->out = (ns_outcome){.kind = NS_LIMIT};
  return NS_OK;
}

/* Few rows: the cascade of mechanical.h, and Newton on the bodies before its last resorts. */
static int automatic_few(task *t)
{
  int rc = sweeps_few(t);
  if (!rc) rc = then(t, reduced_briefly);
  if (!rc) rc = then(t, augmented_again);
  if (!rc) rc = then(t, reduced);
  return rc ? rc : then(t, augmented);
}

/* Where the first method has not solved the part: memory of the best iterate, which is its own so
 * far, and of the way of Newton's method. */
static int get_best(task *t)
{
  t->best = ns_arena_get(t->s->mem, (size_t)t->rows, sizeof *t->best);
  t->path.centre = ns_arena_get(t->s->mem, (size_t)t->rows, sizeof *t->path.centre);
  if (!t->best || !t->path.centre) return ns_nomem(t->c, "contacts between bodies");
  t->min = t->out.residual < INFINITY ? t->out.residual : INFINITY;
  copy_rows(t, t->r, t->best, 0);
  return NS_OK;
}

/* What has been reached is the best iterate of all methods. */
static void give_best(task *t)
{
  if (t->out.kind == NS_SOLVED || !(t->min < INFINITY)) return;
  copy_rows(t, t->r, t->best, 1);
  t->out.residual = t->min;
}

/* Contacts of grains, without joints, as many as usual for so many grains. */
static int is_grains(const task *t, int balls)
{
  static const double DENSE = 1.2; /* times as many */
  return t->part.n <= DENSE * balls && !ns_multibody_has_joints(t->p, t->part);
}

/* Balls in space, up to three contacts each, without joints, that sweeps have brought near. A
 * factorisation costs what 500 of their sweeps cost (1300 contacts of 588 spheres: 12 to 18 ms and
 * 28 us), and Newton's method takes 15 to 200 of them. In the plane it is cheap; joints and bricks
 * make sweeps crawl. */
static int is_swept_on(const task *t, int balls)
{
  static const double CLOSE = 12;
  return t->p->dof == 6 && t->out.residual <= CLOSE * t->tol && is_grains(t, balls);
}

/* Sweeps from the best iterate, without the momentum of those before, which stops them short of the
 * tolerance; as many as a run of Newton's method costs, whatever they promise. */
static int sweeps_on(task *t)
{
  enum { FACTORS_USUAL = 20 };
  int patience = t->patience, left = t->left, max = (int)fmin(left, FACTORS_USUAL * patience);
  t->left = max;
  t->patience = 0;
  int rc = sweeps(t);
  t->left += left - max;
  t->patience = patience;
  return rc;
}

/* Newton's method around the worst blocks, and sweeps that spread what it leaves, as long as a
 * round is worth it. Of spheres a round costs what four factorisations of the whole part cost:
 * where earlier sweeps have used up theirs it has its own, but for a limit of the user. */
static int worst_first(task *t)
{
  enum { ROUNDS = 20, SWEEPS_A_ROUND = 1000 };
  static const double WORTH = 0.8;
  int rc = NS_OK, patience = t->patience, worth = 1, done = 0, all = t->left,
      limit = t->s->opt.max_iterations ? all : ROUNDS * SWEEPS_A_ROUND;
  t->patience = 0;
  for (int k = 0; !rc && k < ROUNDS && worth && limit > 0 && !ns_solve_over(&t->s->watch); k++) {
    double before = t->out.residual;
    ns_mark mark = ns_arena_mark(t->s->mem);
    rc = ns_local_solve(t->s->local, t->c, t->tol, &t->s->watch, t->p, t->part, t->number,
                        t->s->mem, t->r, &t->out);
    ns_arena_release(t->s->mem, mark);
    done += t->out.iterations;
    t->left = limit < SWEEPS_A_ROUND ? limit : SWEEPS_A_ROUND;
    if (!rc) rc = sweeps(t);
    ns_arena_release(t->s->mem, mark);
    done += t->out.iterations;
    limit -= t->out.iterations;
    worth = t->out.kind != NS_SOLVED && t->out.residual <= WORTH * before;
  }
  t->out.iterations = done;
  t->patience = patience;
  t->left = t->s->opt.max_iterations ? limit : all;
  return rc;
}

/* Of disks: where that does not end it, what follows begins where the sweeps before it came. */
static int worst_only(task *t)
{
  double before = t->out.residual, *start = ns_arena_get(t->s->mem, (size_t)t->rows, sizeof *start);
  if (!start) return ns_nomem(t->c, "contacts between bodies");
  copy_rows(t, t->r, start, 0);
  int rc = worst_first(t);
  if (rc || t->out.kind == NS_SOLVED) return rc;
  copy_rows(t, t->r, start, 1);
  t->out.residual = before;
  return NS_OK;
}

/* Newton on the bodies came near and has steps left: what ends it costs less than the cascade. */
static int is_newton_near(const task *t)
{
  static const double NEAR = 1e3;
  return t->path.sigma > 0 && t->out.residual <= NEAR * t->tol;
}

/* Sweeps as long as they promise an end, of grains with Newton's method around the worst contacts,
 * of spheres in turns with that on all bodies (of disks that is cheap, and turns lose the way that
 * it has come), then Newton on the bodies, and on the contacts where that is quick; then all there
 * is, in the order of its cost, the cascade of mechanical.h last. A stack of ten boxes takes 3 ms
 * by 1000 sweeps and 45 ms by the cascade; across joints sweeps crawl. Of large parts nothing is
 * factored: of 25,314 contacts of 10,000 spheres the factors of the cascade took 3 GB. */
static int automatic_many(task *t)
{
  enum { TURNS = 4 };
  int balls = blocks_as_of_balls(t), factored = balls <= MAX_FACTORED;
  t->patience = patience_of(t, balls);
  int rc = then(t, sweeps);
  if (!rc && t->left > 0 && is_swept_on(t, balls)) rc = then(t, sweeps_on);
  int grains = factored && is_grains(t, balls);
  if (!rc && grains) rc = then(t, t->p->dof == 6 ? worst_first : worst_only);
  if (rc || t->out.kind == NS_SOLVED) return rc;
  if ((rc = get_best(t))) return rc;
  double work = reduced_work(t);
  rc = feasibility(t);
  int large = t->large = is_large(t, balls);
  if (large) t->patience = 0; /* what comes costs more than all sweeps */
  if (!rc && large && t->left > 0) rc = then(t, sweeps);
  for (int k = 0; !rc && k < TURNS && grains && t->p->dof == 6; k++) {
    rc = then(t, augmented_briefly);
    if (!rc) rc = then(t, worst_first);
  }
  if (!rc && (factored || large)) rc = then(t, augmented_first);
  if (!rc && factored && is_newton_near(t)) rc = then(t, augmented_more);
  if (!rc && factored) rc = then(t, interior);
  int start = t->out.residual <= t->min; /* interior points came nearest */
  if (!rc && factored && work <= REDUCED_QUICK) rc = then(t, reduced_regular);
  else if (!rc && factored && start) rc = then(t, augmented_again);
  if (!rc && work <= REDUCED_QUICK) rc = then(t, regular_from_zero);
  if (!rc && work <= REDUCED_QUICK) rc = then(t, reduced_interior);
  if (!rc && work <= REDUCED_QUICK) rc = then(t, reduced_from_zero);
  if (!rc && (factored || large)) rc = then(t, augmented_on);
  t->patience = 0;
  if (!rc && t->left > 0) rc = then(t, sweeps);
  if (!rc && !large && work <= REDUCED_MAX) rc = then(t, reduced);
  if (!rc && !large && work > REDUCED_QUICK && work <= REDUCED_MAX) rc = then(t, reduced_from_zero);
  give_best(t);
  return rc;
}

static int rows_of(const ns_multibody *p, ns_multibody_part part)
{
  int rows = 0;
  for (int k = 0; k < part.n; k++) rows += ns_multibody_dim(p, part.block[k]);
  return rows;
}

/* All parts as one problem: the path of Newton's method is another one. Contacts of bodies that do
 * not move have no say in it. */
static int together(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p, double tol, double *r,
                    ns_outcome *out)
{
  task t = {.s = s, .c = c, .p = p, .r = r, .tol = tol, .out = *out};
  int *block = ns_arena_get(s->mem, (size_t)p->nblocks, sizeof *block);
  t.number = ns_arena_get(s->mem, (size_t)p->nbodies + 1, sizeof *t.number);
  if (!block || !t.number) return ns_nomem(c, "contacts between bodies");
  ns_multibody_movers(p, t.number);
  t.part = (ns_multibody_part){.n = 0, .block = block};
  for (int a = 0; a < p->nblocks; a++)
    if (ns_multibody_moves(p, t.number, a)) block[t.part.n++] = a;
  t.rows = rows_of(p, t.part);
  int rc = reduced_work(&t) <= REDUCED_QUICK ? then(&t, reduced_from_zero) : NS_OK;
  *out = t.out;
  return rc;
}

/* Blocks of more than two bodies, and compliant ones: on the contacts, from the guess and from
 * zero. */
static int automatic_reduced(task *t)
{
  t->out = (ns_outcome){.kind = NS_LIMIT};
  int rc = then(t, reduced);
  if (!rc) rc = feasibility(t);
  if (!rc) rc = then(t, reduced_from_zero);
  return rc || !t->p->groups ? rc : then(t, reduced_interior);
}

static int must_be_reduced(const task *t)
{
  const char *name = t->s->opt.solver;
  if (t->p->further)
    return ns_fail(t->c, NS_MODEL,
                   "solver '%s' supports rows of two bodies, but the model has an interaction of "
                   "more; use solver 'auto' or 'reduced'",
                   name);
  if (t->p->groups)
    return ns_fail(t->c, NS_MODEL,
                   "solver '%s' does not support stiff forces between bodies, which the model has; "
                   "use solver 'auto' or 'reduced'",
                   name);
  if (t->p->balls)
    return ns_fail(t->c, NS_MODEL,
                   "solver '%s' does not support friction with norm=\"euclidean\", which the model "
                   "has; use solver 'auto' or 'reduced'",
                   name);
  return ns_fail(t->c, NS_MODEL,
                 "solver '%s' supports only rigid contacts, but the model has compliant ones; use "
                 "solver 'auto' or 'reduced'",
                 name);
}

static int automatic(task *t)
{
  if (ns_multibody_wants_reduction(t->p, t->part)) return automatic_reduced(t);
  int done, rc = direct(t, &done);
  if (rc || done) return rc;
  t->out = (ns_outcome){.kind = NS_LIMIT};
  return t->rows <= FEW_ROWS ? automatic_few(t) : automatic_many(t);
}

/* One block has cases, which are not asked again where they are all there is. */
static int has_cases(const ns_multibody_solver *s, int blocks, int again)
{
  return blocks == 1 && !again && s->way != REDUCED && !s->opt.contact;
}

/* No impulse, where rounding alone asks for one; and no less is asked of the others than rounding
 * allows. */
static int is_idle(task *t)
{
  if (ns_multibody_is_loaded(t->p, t->part, t->tol)) return 0;
  ns_multibody_idle idle = ns_multibody_without_impulse(t->p, t->part);
  if (idle.q > 0) t->tol = fmax(t->tol, idle.rounding / idle.q);
  if (idle.defect > idle.rounding) return 0;
  for (int k = 0; k < t->part.n; k++) {
    int a = t->part.block[k];
    memset(t->r + t->p->row[a], 0, (size_t)ns_multibody_dim(t->p, a) * sizeof *t->r);
  }
  return 1;
}

static int one(task *t)
{
  ns_multibody_solver *s = t->s;
  t->out = (ns_outcome){.kind = NS_SOLVED, .iterations = 1, .solver = "cases"};
  if (is_idle(t)) return NS_OK;
  if (has_cases(s, t->part.n, t->again && t->p->nblocks == 1) &&
      ns_multibody_single(t->p, t->part.block[0], t->r))
    return NS_OK;
  t->rows = rows_of(t->p, t->part);
  if ((s->way == SWEEPS || s->way == AUGMENTED) && ns_multibody_wants_reduction(t->p, t->part))
    return must_be_reduced(t);
  ns_mark mark = ns_arena_mark(s->mem);
  t->left = max_sweeps(t);
  if (s->way == AUGMENTED) t->large = is_large(t, blocks_as_of_balls(t));
  int rc = s->way == SWEEPS      ? sweeps(t)
           : s->way == AUGMENTED ? augmented(t)
           : s->way == REDUCED   ? reduced(t)
                                 : automatic(t);
  ns_arena_release(s->mem, mark);
  return rc;
}

/* ---- all parts ------------------------------------------------------------------------------- */

/* The largest part tells its solver, the slowest the iterations, the first that is not solved why.
 */
static void collect(const task *t, int *max, ns_outcome *out)
{
  if (t->part.n > *max) {
    *max = t->part.n;
    out->solver = t->out.solver;
    t->s->swept = t->swept;
  }
  if (t->out.iterations > out->iterations) out->iterations = t->out.iterations;
  if (out->kind == NS_SOLVED) out->kind = t->out.kind;
}

static int rolls(const ns_multibody *p, ns_multibody_part part)
{
  for (int k = 0; k < part.n; k++)
    if (p->kind[part.block[k]] == NS_BLOCK_ROLLING) return 1;
  return 0;
}

/* Whether what solves a part ends at the tolerance, not at rounding. */
static int is_swept(const ns_multibody_solver *s, const ns_multibody *p, ns_multibody_part part)
{
  if (part.n == 1) return 0;
  if (ns_multibody_wants_reduction(p, part) || rolls(p, part)) return rows_of(p, part) > CASES_ROWS;
  return s->way == SWEEPS || s->way == AUGMENTED || (s->way == AUTO && rows_of(p, part) > FEW_ROWS);
}

/* What the parts may leave, so that | . | / max(|q|, |r|, |u|) of all is within the tolerance: the
 * squares of their maxima add up to at most three times that of all. What is exact has its share
 * for nothing. */
static double share_of(int parts, int swept, int itself)
{
  /* the residual of all has other rounding: beside velocities of 1 m/s, impulses of 1e-3 know 1e-12
   */
  if (parts == 1) return 0.9;
  return !itself ? 0.05 : swept > 1 ? 0.5 : 0.95;
}

/* What n of the blocks that are left may do: a part that is not solved leaves the others theirs. */
static void allow(ns_solve_watch *w, int n, int blocks)
{
  double left = fmax(ALLOWED - w->done, 0), share = left * n / blocks;
  w->over = 0;
  w->allowed = w->done + fmax(fmax(share, fmin(left, ALLOWED_PART)), ALLOWED_MIN);
}

/* NS_STOPPED where the run is to end and the problem is not solved; a limit of work is no such end.
 */
static int give_up(const ns_multibody_solver *s, ns_ctx *c, const ns_outcome *out)
{
  ns_solve_watch w = s->watch;
  w.over = 0;
  if (out->kind == NS_SOLVED || !ns_solve_over(&w)) return NS_OK;
  return ns_fail(c, NS_STOPPED, "stopped in a one-step problem, as requested");
}

static int parts(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p, double tol, double *r,
                 double *v, double *u, ns_outcome *out)
{
  static const int first = 0;
  ns_multibody_parts all;
  int max = 0, swept = 0, left = p->nblocks, again = tol < s->tol, rc = NS_OK;
  *out = (ns_outcome){.kind = NS_SOLVED, .solver = "cases"};
  s->swept = 0;
  if (p->nblocks == 0) return NS_OK;
  if (p->nblocks == 1) {
    task alone = {.s = s, .c = c, .p = p, .part = {1, &first}, .r = r, .tol = tol};
    out->iterations = 1;
    if (is_idle(&alone) || (has_cases(s, 1, again) && ns_multibody_single(p, 0, r))) return NS_OK;
  }
  if (!ns_multibody_split(p, s->mem, &all)) return ns_nomem(c, "contacts between bodies");
  for (int k = 0; k < all.n; k++) swept += is_swept(s, p, ns_multibody_part_of(&all, k));
  int used = swept || is_rough(s, p); /* v */
  if (used) ns_multibody_velocities(p, r, v);
  for (int k = 0; k < all.n && !rc; k++) {
    task t = {.s = s,
              .c = c,
              .p = p,
              .part = ns_multibody_part_of(&all, k),
              .number = all.body,
              .r = r,
              .v = used ? v : NULL,
              .u = u,
              .again = again};
    t.tol = tol * share_of(all.n, swept, is_swept(s, p, t.part));
    allow(&s->watch, t.part.n, left);
    left -= t.part.n;
    rc = one(&t);
    if (!rc) rc = give_up(s, c, &t.out);
    collect(&t, &max, out);
  }
  return rc;
}

/* The residual; lists of bodies are worth it where there are several to use them. */
static int audit(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p, const double *r,
                 double *v, double *u, double *residual)
{
  enum { LISTED = 500 };
  ns_multibody_pushes by;
  int listed = ns_team_size(s->opt.team) > 1 && p->nblocks >= LISTED && !p->further;
  ns_mark mark = ns_arena_mark(s->mem);
  if (listed && !ns_multibody_list_pushes(p, s->mem, &by))
    return ns_nomem(c, "contacts between bodies");
  *residual = ns_multibody_residual_by(p, s->opt.team, listed ? &by : NULL, r, v, u, NULL);
  ns_arena_release(s->mem, mark);
  return NS_OK;
}

/* A residual above the tolerance that is rounding of the data is none. */
static int forgive(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p, const double *r,
                   const double *u, ns_outcome *out)
{
  ns_mark mark = ns_arena_mark(s->mem);
  double *work = ns_arena_get(s->mem, ns_multibody_nvelocities(p), sizeof *work);
  if (!work) return ns_nomem(c, "contacts between bodies");
  if (ns_multibody_is_rounding(p, (ns_multibody_part){.n = p->nblocks}, out->residual, r, u, work))
    out->residual = 0;
  ns_arena_release(s->mem, mark);
  return NS_OK;
}

/* Where the parts were not solved one by one. */
static int last(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p, double *r, double *v,
                double *u, ns_outcome *out)
{
  ns_outcome_kind kind = out->kind;
  ns_mark mark = ns_arena_mark(s->mem);
  out->kind = NS_LIMIT;
  int rc = together(s, c, p, 0.9 * s->tol, r, out);
  ns_arena_release(s->mem, mark);
  if (!rc) rc = give_up(s, c, out);
  if (out->kind == NS_LIMIT) out->kind = kind;
  return rc ? rc : audit(s, c, p, r, v, u, &out->residual);
}

/* What the methods measure differs from the residual by rounding: where that decides, once more for
 * less. */
int ns_multibody_solve(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p, double *r,
                       double *v, double *u, ns_outcome *out)
{
  enum { TRIES = 3 };
  double accepted = ns_multibody_tolerance(s, p), tol = accepted;
  if (p->tol > 0 && p->tol < tol) tol = p->tol;
  s->tol = tol;
  int rc = begin(s, c), done = 0;
  s->watch = (ns_solve_watch){.until = INFINITY, .allowed = ALLOWED};
  if (c->stop) s->watch.signal = c->stop->signal;
  if (c->stop && c->stop->until > 0) s->watch.until = c->stop->until;
  if (rc) return rc;
  for (int k = 0; k < TRIES; k++, tol /= 4) {
    ns_mark mark = ns_arena_mark(s->mem);
    rc = parts(s, c, p, tol, r, v, u, out);
    ns_arena_release(s->mem, mark);
    if (rc) return rc;
    done += out->iterations;
    if ((rc = audit(s, c, p, r, v, u, &out->residual))) return rc;
    if (out->residual > s->tol && (rc = forgive(s, c, p, r, u, out))) return rc;
    if (out->residual <= s->tol || out->kind != NS_SOLVED) break;
  }
  if (out->residual > s->tol && out->kind != NS_INFEASIBLE && s->way == AUTO && p->nblocks > 1 &&
      (rc = last(s, c, p, r, v, u, out)))
    return rc;
  out->iterations = done;
  if (out->residual <= accepted) out->kind = NS_SOLVED;
  else if (out->kind == NS_SOLVED) out->kind = NS_LIMIT;
  s->method = out->solver;
  return NS_OK;
}

double ns_multibody_tolerance(const ns_multibody_solver *s, const ns_multibody *p)
{
  return s->opt.granular_tol > 0 && ns_mechanical_is_granular(p->nblocks, p->kind)
             ? s->opt.granular_tol
             : s->opt.tol;
}

int ns_multibody_conflict(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p,
                          unsigned char *block)
{
  ns_multibody_parts all;
  if (s->lender) s->mem = s->lender->mem;
  ns_mark mark = ns_arena_mark(s->mem);
  int any = 0,
      rc = ns_multibody_split(p, s->mem, &all) ? NS_OK : ns_nomem(c, "contacts between bodies");
  memset(block, 0, (size_t)p->nblocks);
  for (int k = 0; !rc && k < all.n; k++) {
    int infeasible;
    ns_multibody_part part = ns_multibody_part_of(&all, k);
    if (rows_of(p, part) > MAX_CHECKED) continue;
    rc = ns_reduced_infeasible(c, s->tol, p, part, all.body, s->mem, block, &infeasible);
    any |= infeasible;
  }
  ns_arena_release(s->mem, mark);
  return any;
}

const char *ns_multibody_used(const ns_multibody_solver *s)
{
  snprintf(s->used, USED, "%s%s", s->swept ? "" : "reduced: ", s->method ? s->method : "nothing");
  return s->used;
}

size_t ns_multibody_bytes(const ns_multibody_solver *s)
{
  return sizeof *s + USED + s->capacity + ns_reduced_bytes(s->reduced) +
         ns_augmented_bytes(s->augmented) + ns_augmented_bytes(s->local);
}
