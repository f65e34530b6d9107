/* SPDX-License-Identifier: GPL-3.0-or-later */
/* auto -- the default solver of mechanical problems: cheap and robust first, accurate where that
 * stalls.
 *
 *   0. One contact, or few rows in the plane: the cases of the laws, exact. Few rows from r = 0:
 *   sweeps, where a few are exact or a contact
 *      slides.
 *      Few rows of which none slides: a linear system; few rows with equalities: sweeps over the
 *      others.
 *   1. The guess, or r = 0, where either is a solution; r = 0 before 0. where few digits are
 *   wanted.
 *   2. Equalities or relays among few rows: Newton, a few steps, regularised first, because such
 *   problems are all but linear and sweeps over coupled equalities crawl. Where contacts lie in
 *   what joints hold already, plain steps end at impulses without bounds.
 *   3. Gauss-Seidel, for as long as its rate promises an end before Newton steps would have one, by
 *   their
 *      costs (a step is 10 to 200 sweeps on the public problems; the estimate comes from the tree
 *      of the factorisation).
 *   4. Newton from there: full rank, as far as no two contacts of many say that there is none. Few
 *   equalities that
 *      contradict each other: no more.
 *   5. Regularised Newton: from an iterate that sweeps have brought near as many steps as interior
 *   points would need, from
 *      far ten where the tolerance is wide, else none.
 *      Interior points, and regularised Newton from where they end; then that from the guess,
 *      and proximal points: redundant contacts. From r = 0, too, few rows before that, because a
 *      good iterate of another method is a bad start where the solutions are many. Contacts of few
 *      bodies (mechanical_lowrank.h) go from 3. to 5.
 *   6. What else there is: pivots for few contacts in the plane, proximal points from r = 0, from
 *      the guess and with a constant alpha, other ways of interior points, Gauss-Seidel for as long
 *      as it gets anywhere. One of 200 random problems with many redundant contacts comes here, no
 *      public one does.
 *
 * Each starts from the best iterate so far, and the best is what comes back. (Acary, Bremond &
 * Huber 2018, section 6, find no solver that wins everywhere, and Gauss-Seidel ahead at 1e-4,
 * Newton at 1e-8; so did the bench on their problems.) */
#include "algebra/vector.h"
#include "problems/feasible.h"
#include "problems/mechanical_rolling.h"
#include "problems/mechanical_work.h"
#include "problems/resting.h"

#include "algebra/dense.h"
#include "base/arena.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SMALL_ROWS = 60, FEW_ROWS = 200, PIVOT_CONTACTS = 64 };
/* Sweeps: how many more are waited for in 3., by size; at the end as many as VISITS to contacts
 * allow. */
enum {
  SWEEPS_FIRST = 2,
  PATIENCE_SMALL = 20,
  PATIENCE_FULL = 50,
  PATIENCE = 100,
  PATIENCE_MAX = 10000,
  SWEEPS_LAST = 20000,
  SWEEPS_MAX = 400000,
  VISITS = 20000000
};
/* Steps of Newton: those that 3. reckons with, and for contacts of one body; in 2. and in 5. from
 * far, in 5. from near, which is what interior points need, in 4., of proximal points, with a
 * constant alpha. */
enum {
  STEPS_EXPECTED = 25,
  STEPS_EXPECTED_FULL = 10,
  STEPS_FIRST = 10,
  STEPS_NEAR = 25,
  STEPS = 40,
  OUTER = 60,
  STEPS_CONSTANT = 400
};
static const double PLANAR_MORE = 2.5; /* times the patience, see patience_of */
static const double WIDE = 1e-6;       /* tolerances above are no wish for digits */
static const double VANISHED = 1e-12;  /* a pivot of W, by its largest diagonal entry */
/* from a residual below this regular steps find the end more often than not */
static const double NEAR = 1e-3;
static const double STALLED = 1e-4;   /* of a residual above: what is left of it where they stall */
static const double STANDING = 0.999; /* what is left of it where the last sweeps stand still */
static const double ROUNDING = 1e-14; /* a residual below this is no more than that */

typedef struct automatic {
  ns_arena *mem;
  ns_mechanical_options opt;
  void *sweeps, *newton; /* of the latter all Newton-like ones share the object */
  void *pivot;           /* few contacts in the plane; else NULL */
  ns_resting *resting;   /* of up to NS_RESTING_ROWS rows; else NULL */
  int named;             /* the options name a solver of one contact: no cases before it */
  double *best, *guess;  /* iterates [m] */
} automatic;

static void destroy(void *self)
{
  automatic *s = self;
  if (!s) return;
  ns_mechanical_nsgs.destroy(s->sweeps);
  ns_mechanical_newton.destroy(s->newton);
  ns_mechanical_pivot.destroy(s->pivot);
  ns_resting_destroy(s->resting);
  ns_arena_destroy(s->mem);
}

static int create(ns_ctx *c, const ns_mechanical_capacity *cap, const ns_mechanical_options *opt,
                  void **self)
{
  automatic *s = NS_ARENA_OBJECT(automatic, mem);
  *self = NULL;
  if (!s) return ns_nomem(c, "solver of mechanical problems");
  *s = (automatic){.mem = s->mem, .opt = opt ? *opt : ns_mechanical_defaults()};
  s->named = s->opt.contact && s->opt.contact->solve;
  s->best = ns_arena_zero(s->mem, (size_t)cap->structure->m + 1, sizeof *s->best);
  s->guess = ns_arena_zero(s->mem, (size_t)cap->structure->m + 1, sizeof *s->guess);
  int rc = s->best && s->guess ? NS_OK : ns_nomem(c, "solver of mechanical problems");
  if (!rc) rc = ns_mechanical_nsgs.create(c, cap, &s->opt, &s->sweeps);
  if (!rc) rc = ns_mechanical_newton.create(c, cap, &s->opt, &s->newton);
  if (!rc && cap->structure->nb <= PIVOT_CONTACTS &&
      ns_mechanical_is_planar(cap->structure, cap->kind))
    rc = ns_mechanical_pivot.create(c, cap, &s->opt, &s->pivot);
  if (!rc && cap->structure->m <= NS_RESTING_ROWS)
    rc = ns_resting_create(c, cap->structure->m, &s->opt, &s->resting);
  if (rc) destroy(s);
  else *self = s;
  return rc;
}

/* ---- one problem ----------------------------------------------------------------------------- */

typedef struct attempt {
  automatic *s;
  const ns_mechanical *p;
  const int *block;
  double *r, *u;
  ns_outcome *out;
  double min; /* residual of s->best */
  int iterations;
} attempt;

/* What a part left is counted; the best so far is kept and is where the next part starts. 1 where
 * solved. */
static int settle(attempt *t)
{
  size_t bytes = (size_t)t->p->W->m * sizeof *t->r;
  t->iterations += t->out->iterations;
  t->out->iterations = t->iterations;
  double tol = ns_mechanical_tolerance(t->p, &t->s->opt);
  if (ns_mechanical_accepts(t->p, tol, t->out->residual, t->r, t->u)) t->out->kind = NS_SOLVED;
  if (t->out->kind == NS_SOLVED) return 1;
  if (t->out->residual < t->min) {
    t->min = t->out->residual;
    memcpy(t->s->best, t->r, bytes);
  } else {
    memcpy(t->r, t->s->best, bytes);
    t->out->residual = t->min;
  }
  return 0;
}

static int max(const automatic *s, int own)
{
  return s->opt.max_iterations ? s->opt.max_iterations : own;
}

static int sweeps(attempt *t, int limit, int patience)
{
  t->out->residual = t->min;
  ns_mechanical_sweeps(t->s->sweeps, t->p, t->block, max(t->s, limit), patience, t->r, t->u,
                       t->out);
  return settle(t);
}

static int steps(attempt *t, ns_newton_kind kind, int limit)
{
  ns_mechanical_steps(t->s->newton, t->p, t->block, kind, max(t->s, limit), t->r, t->u, t->out);
  return settle(t);
}

static int from_guess(attempt *t, ns_newton_kind kind, int limit)
{
  memcpy(t->r, t->s->guess, (size_t)t->p->W->m * sizeof *t->r);
  return steps(t, kind, limit);
}

static int from_zero(attempt *t, ns_newton_kind kind, int limit)
{
  memset(t->r, 0, (size_t)t->p->W->m * sizeof *t->r);
  return steps(t, kind, limit);
}

static int is_contact(const ns_mechanical *p, int a)
{
  return ns_mechanical_is_friction(p, a) || ns_mechanical_is_rolling(p, a);
}

/* The same as an LCP; its error is not that of the solver where the problem has no such form. */
static int pivots(attempt *t)
{
  ns_ctx c = {0};
  automatic *s = t->s;
  if (!s->pivot || !ns_mechanical_is_planar(t->p->W, t->p->kind)) return 0;
  if (ns_mechanical_pivot.solve(s->pivot, &c, t->p, t->block, t->r, t->u, t->out)) return 0;
  return settle(t);
}

/* Does a contact know of a quarter of the others and more, as on one body? Sweeps crawl then, and
 * Newton ends in few steps. */
static int is_full(const ns_blocks *W) { return 4LL * W->row[W->nb] > (long long)W->nb * W->nb; }

/* Sweeps that cost as much as the Newton steps that would take their place. In the plane a sweep
 * takes less than its estimate, the more of them there are; to few digits they end as foretold. */
static int patience_of(const attempt *t)
{
  const ns_blocks *W = t->p->W;
  if (W->m <= SMALL_ROWS) return PATIENCE_SMALL;
  int full = is_full(W);
  double steps_cost = (full ? STEPS_EXPECTED_FULL : STEPS_EXPECTED) *
                      ns_mechanical_step_cost(t->s->newton);
  if (ns_mechanical_tolerance(t->p, &t->s->opt) > WIDE && ns_mechanical_is_planar(W, t->p->kind))
    steps_cost *= PLANAR_MORE;
  return (int)fmin(
      fmax(steps_cost / ns_mechanical_sweep_cost(t->s->sweeps, W), full ? PATIENCE_FULL : PATIENCE),
      PATIENCE_MAX);
}

/* The last sweeps: by what a contact more or less costs. */
static int last_of(int contacts)
{
  if (contacts > VISITS / SWEEPS_LAST) return SWEEPS_LAST;
  return contacts > VISITS / SWEEPS_MAX ? VISITS / contacts : SWEEPS_MAX;
}

/* Contacts of few bodies: W is of low rank, so that plain steps are none, but the others cost
 * little. From r = 0 before the iterate of sweeps: where solutions are many a good one is a bad
 * start. */
static int parts_of_few(attempt *t, int patience)
{
  if (sweeps(t, 2 * patience, patience)) return 1;
  if (from_zero(t, NS_NEWTON_REGULAR, 0)) return 1;
  if (steps(t, NS_NEWTON_INTERIOR, 0)) return 1;
  if (steps(t, NS_NEWTON_REGULAR, 0)) return 1;
  if (steps(t, NS_NEWTON_PROXIMAL, OUTER) || from_zero(t, NS_NEWTON_PROXIMAL, OUTER)) return 1;
  if (from_zero(t, NS_NEWTON_CONSTANT, STEPS_CONSTANT / 10)) return 1;
  return sweeps(t, (int)fmin(last_of(t->p->W->nb), 20.0 * patience), 0);
}

/* Regular steps from what sweeps have reached. From far they bring some digits, and stall: none
 * where more are asked for. */
static int steps_from_sweeps(attempt *t)
{
  if (t->min <= NEAR) return steps(t, NS_NEWTON_REGULAR, STEPS_NEAR);
  return STALLED * t->min <= ns_mechanical_tolerance(t->p, &t->s->opt) &&
         steps(t, NS_NEWTON_REGULAR, STEPS_FIRST);
}

static int sticks(const ns_mechanical *p, int a, const double *r)
{
  return ns_mechanical_is_friction(p, a) && p->W->dim[a] == 3 && r[0] > 0 &&
         ns_contact_slip(3, r) < p->mu[a] * r[0];
}

/* W of contacts e and a, both in space, has a pivot that is none. */
static int is_singular_pair(const ns_blocks *W, int e, int a)
{
  enum { N = 6 };
  const int of[] = {e, a};
  double A[N * N], b[N] = {0}, big = 0;
  for (int k = 0; k < 4; k++) {
    const double *B = ns_blocks_at(W, of[k % 2], of[k / 2]);
    for (int j = 0; j < 9; j++) A[k % 2 * 3 + j % 3 + (k / 2 * 3 + j / 3) * N] = B ? B[j] : 0;
  }
  for (int i = 0; i < N; i++) big = fmax(big, A[i + i * N]);
  return !ns_dense_eliminate(N, A, N, VANISHED * big, b);
}

/* Two contacts of the same two bodies hold them along the line between their points twice: where
 * both stick, plain steps have a singular matrix, and need not try; of few rows they often end all
 * the same, by rounding of pivots. Such contacts are coupled with the same others; the first few
 * pairs that look like it are enough. */
static int holds_twice(const ns_mechanical *p, const double *r)
{
  enum { PAIRS = 4 };
  const ns_blocks *W = p->W;
  int pairs = 0;
  for (int a = 0; a < W->nb; a++) {
    int from = W->row[a], n = W->row[a + 1] - from;
    if (!sticks(p, a, r + W->first[a])) continue;
    for (int k = from; k < from + n && W->col[k] < a; k++) {
      int e = W->col[k];
      if (W->row[e + 1] - W->row[e] != n ||
          memcmp(W->col + W->row[e], W->col + from, (size_t)n * sizeof *W->col) != 0)
        continue;
      if (!sticks(p, e, r + W->first[e])) continue;
      if (is_singular_pair(W, e, a)) return 1;
      if (++pairs == PAIRS) return 0;
    }
  }
  return 0;
}

/* The last sweeps, for as long as they get anywhere: where as many as SWEEPS_LAST leave all of a
 * residual, there is often no solution, as of an impact that friction wedges. */
static int sweeps_to_the_end(attempt *t)
{
  double before;
  int left = last_of(t->p->W->nb);
  if (t->s->opt.max_iterations) return sweeps(t, left, 0);
  do {
    before = t->min;
    if (sweeps(t, left < SWEEPS_LAST ? left : SWEEPS_LAST, 0)) return 1;
    left -= SWEEPS_LAST;
  } while (left > 0 && t->min < STANDING * before);
  return 0;
}

static int parts(attempt *t)
{
  const ns_mechanical *p = t->p;
  int few = ns_mechanical_begin(t->s->newton, p), small = p->W->m <= SMALL_ROWS,
      patience = patience_of(t);
  if (few) return parts_of_few(t, patience);
  if (small && p->kind && !p->plain && steps(t, NS_NEWTON_REGULAR, STEPS_NEAR)) return 1;
  if (small && p->kind && steps(t, NS_NEWTON_PLAIN, STEPS_FIRST)) return 1;
  if (sweeps(t, 2 * patience, patience)) return 1;
  if (ns_mechanical_infeasible(p, ns_mechanical_tolerance(p, &t->s->opt), NULL)) {
    t->out->kind = NS_INFEASIBLE;
    return 0;
  }
  int full_rank = p->W->m <= FEW_ROWS || !holds_twice(p, t->r);
  if (full_rank && steps(t, NS_NEWTON_PLAIN, STEPS)) return 1;
  if (ns_mechanical_contradiction(p, ns_mechanical_tolerance(p, &t->s->opt)) > 0) {
    t->out->kind = NS_SINGULAR;
    return 0;
  }
  if (steps_from_sweeps(t)) return 1;
  if (steps(t, NS_NEWTON_INTERIOR, 0)) return 1;
  int few_rows = p->W->m <= FEW_ROWS;
  if (few_rows && from_zero(t, NS_NEWTON_REGULAR, 0)) return 1;
  if (steps(t, NS_NEWTON_REGULAR, 0)) return 1;
  if (!few_rows && from_zero(t, NS_NEWTON_REGULAR, 0)) return 1;
  if (steps(t, NS_NEWTON_PROXIMAL, OUTER)) return 1;
  if (pivots(t)) return 1;
  if (from_zero(t, NS_NEWTON_PROXIMAL, OUTER) || from_zero(t, NS_NEWTON_CONSTANT, STEPS_CONSTANT))
    return 1;
  if (steps(t, NS_NEWTON_REGULAR, 0) || steps(t, NS_NEWTON_PROXIMAL, OUTER)) return 1;
  if (from_guess(t, NS_NEWTON_PROXIMAL, OUTER) || steps(t, NS_NEWTON_EVERYWHERE, 0)) return 1;
  return sweeps_to_the_end(t);
}

static int friction_alone(const ns_mechanical *p, double *x)
{
  ns_contact k;
  int d = p->W->m;
  if (ns_contact_prepare(d, p->W->val + p->W->off[0], p->mu[0], &k)) return 0;
  return d == 2 ? ns_contact_cases_plane(&k, p->q, x) : ns_contact_cases_space(&k, p->q, x);
}

static int rolling_alone(const ns_mechanical *p, double *x)
{
  ns_rolling k;
  if (ns_rolling_prepare(p->W->m, p->W->val + p->W->off[0], p->mu[0], p->mu_rolling[0], &k))
    return 0;
  return ns_rolling_solve(&k, p->q, x) <= DBL_MAX;
}

/* One contact: exact. 1 where solved; else r is as before. */
static int single(const ns_mechanical *p, double tol, double *r, double *u, ns_outcome *out)
{
  double x[NS_ROLLING_ROWS] = {0};
  int d = p->W->m;
  if (p->W->nb != 1 || !is_contact(p, 0) ||
      !(ns_mechanical_is_friction(p, 0) ? friction_alone(p, x) : rolling_alone(p, x)))
    return 0;
  double e = ns_mechanical_residual(p, x, u, NULL);
  if (!ns_mechanical_accepts(p, tol, e, x, u)) return 0;
  memcpy(r, x, (size_t)d * sizeof *r);
  *out = (ns_outcome){.kind = NS_SOLVED, .iterations = 1, .residual = e, .solver = "cases"};
  return 1;
}

static int is_zero(const double *r, size_t n)
{
  size_t i = 0;
  while (i < n && r[i] == 0) i++;
  return i == n;
}

/* Does a contact slide at r? */
static int slides(const ns_mechanical *p, const double *r)
{
  for (int a = 0; a < p->W->nb; a++) {
    const double *x = r + p->W->first[a];
    double tangential = 0;
    for (int i = 1; i < p->W->dim[a]; i++) tangential = hypot(tangential, x[i]);
    if (x[0] > 0 && tangential >= p->mu[a] * x[0] * (1 - 1e-6)) return 1;
  }
  return 0;
}

/* Is a normal impulse nothing but rounding? One that is open carries 0, which other methods tell.
 */
static int is_blurred(const ns_mechanical *p, const double *r)
{
  double max = 0;
  int blurred = 0;
  max = fmax(max, ns_max_abs((size_t)p->W->m, r));
  for (int a = 0; a < p->W->nb; a++) {
    double normal = fabs(r[p->W->first[a]]);
    blurred |= normal > 0 && normal <= ROUNDING * max;
  }
  return blurred;
}

/* Sweeps from r = 0, in space: a few that end at the solution to rounding, as contacts that hardly
 * know of each other do; and more where there are only contacts of friction, and one slides, so
 * that no linear system has the answer. Else r = 0 as before. */
static int settles(automatic *s, const ns_mechanical *p, const int *block, double *r, double *u,
                   ns_outcome *out)
{
  size_t m = (size_t)p->W->m;
  if (p->W->nb < 2 || m > SMALL_ROWS || !is_zero(r, m) || ns_mechanical_is_planar(p->W, p->kind))
    return 0;
  if (ns_mechanical_any(p->W, p->kind, NS_BLOCK_BOX)) return 0; /* held at once */
  out->residual = INFINITY;
  if (p->kind) ns_mechanical_sweeps(s->sweeps, p, block, SWEEPS_FIRST, 0, r, u, out);
  else ns_mechanical_sweeps(s->sweeps, p, block, 2 * PATIENCE_SMALL, PATIENCE_SMALL, r, u, out);
  int answers = out->residual <= ROUNDING || (!p->kind && slides(p, r));
  if (out->kind == NS_SOLVED && answers && !is_blurred(p, r)) return 1;
  memset(r, 0, m * sizeof *r);
  return 0;
}

/* Few rows. */
static int at_once(automatic *s, const ns_mechanical *p, const int *block, double *r, double *u,
                   ns_outcome *out)
{
  double tol = ns_mechanical_tolerance(p, &s->opt);
  return single(p, tol, r, u, out) || ns_mechanical_cases(p, tol, r, u, out) ||
         settles(s, p, block, r, u, out) || ns_mechanical_equality(p, tol, r, u, out) ||
         ns_mechanical_joints(p, tol, r, u, out);
}

/* r as it is, where few digits are wanted and those of the exact cases are not worth their time. */
static int suffices(const ns_mechanical *p, double tol, double *r, double *u, ns_outcome *out)
{
  double e = ns_mechanical_residual(p, r, u, NULL);
  *out = (ns_outcome){.kind = e <= tol ? NS_SOLVED : NS_LIMIT, .residual = e, .solver = "auto"};
  return out->kind == NS_SOLVED;
}

/* Any solution, or the best iterate. */
static void find(automatic *s, const ns_mechanical *p, const int *block, double *r, double *u,
                 ns_outcome *out)
{
  size_t m = (size_t)p->W->m, bytes = m * sizeof *r;
  double tol = ns_mechanical_tolerance(p, &s->opt), e;
  if (tol > WIDE && is_zero(r, m) && suffices(p, tol, r, u, out)) return;
  if (!s->named && at_once(s, p, block, r, u, out)) return;
  e = ns_mechanical_residual(p, r, u, NULL);
  *out = (ns_outcome){.kind = e <= tol ? NS_SOLVED : NS_LIMIT, .residual = e, .solver = "auto"};
  if (out->kind != NS_SOLVED && !is_zero(r, m)) {
    memset(s->best, 0, bytes);
    if (ns_mechanical_residual(p, s->best, u, NULL) <= tol) {
      memset(r, 0, bytes);
      out->residual = ns_mechanical_residual(p, r, u, NULL);
      out->kind = NS_SOLVED;
    }
  }
  if (out->kind == NS_SOLVED) return;
  attempt t = {.s = s, .p = p, .block = block, .r = r, .u = u, .out = out, .min = e};
  memcpy(s->best, r, bytes);
  memcpy(s->guess, r, bytes);
  if (parts(&t)) return;
  out->residual = ns_mechanical_residual(p, r, u, NULL);
  out->solver = "auto";
}

static int solve(void *self, ns_ctx *c, const ns_mechanical *p, const int *block, double *r,
                 double *u, ns_outcome *out)
{
  automatic *s = self;
  if (!ns_mechanical_fits(s->newton, c, p)) return NS_USAGE;
  ns_resting_begin(s->resting, p, r);
  find(s, p, block, r, u, out);
  ns_resting_prefer(s->resting, p, ns_mechanical_tolerance(p, &s->opt), r, u, out);
  return NS_OK;
}

const ns_mechanical_solver_ops ns_mechanical_auto = {
    .name = "auto",
    .help = "Gauss-Seidel, then Newton (plain, regularised, proximal), until one converges",
    .create = create,
    .solve = solve,
    .destroy = destroy,
    .memory = &ns_memory_none,
    .sweeps = 1};
