/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/multibody_augmented.h"

#include "algebra/sparse_lu.h"
#include "algebra/vector.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* sigma, and what it is multiplied by where Newton converges in up to QUICK steps, and where it
 * does not. A step that is no worse than GROW times the last one is a step. Contacts with many more
 * rows than velocities wander long before they come near a solution (of 40 random problems one
 * took 5300 factorisations): STALL of them that do not halve the residual are the end. */
enum { OUTER = 10000, STALL = 3000, INNER = 40, QUICK = 15, HALVINGS = 12 };
static const double FIRST = 1e-3, DOWN = 0.5, UP = 5, MIN = 1e-9, MAX = 1e3, GROW = 4;
/* From a guess that is near, as long as Newton converges. */
enum { INNER_NEAR = 12 };
static const double FIRST_NEAR = 1e-4, DOWN_NEAR = 0.1;

struct ns_augmented {
  ns_sparse_lu *lu;
  ns_blocks structure; /* of the factors */
  ns_arena *mem;
};

/* A point of Newton's method: y, and what follows from it. */
typedef struct point {
  double *y, *phi, *u, *r; /* phi = y - L^T R(u) */
  double size;             /* |phi| */
} point;

typedef struct run {
  ns_augmented_part s;
  ns_sparse_lu *lu; /* NULL: not factored */
  point now, next;
  double *centre, *over, *best; /* [rows] */
  double *dy, *b;               /* [nv]; not factored: b [ns_augmented_krylov_room] */
  double tol, sigma, last;      /* last: the residual of r_k */
  double aim;                   /* at most tol: what is asked while it comes quickly */
  int factors, limit;
  ns_solve_watch *watch;
  int near; /* the guess was, and Newton converges from it */
} run;

/* ---- factors --------------------------------------------------------------------------------- */

ns_augmented *ns_augmented_create(void) { return calloc(1, sizeof(ns_augmented)); }

static void release(ns_augmented *s)
{
  ns_sparse_lu_destroy(s->lu);
  ns_arena_destroy(s->mem);
  *s = (ns_augmented){0};
}

void ns_augmented_destroy(ns_augmented *s)
{
  if (s) release(s);
  free(s);
}

size_t ns_augmented_bytes(const ns_augmented *s)
{
  return sizeof *s + (s->mem ? ns_arena_used(s->mem) : 0) + (s->lu ? ns_sparse_lu_bytes(s->lu) : 0);
}

static int same(const ns_blocks *A, const ns_blocks *B)
{
  size_t n = (size_t)B->nb;
  return A->nb == B->nb && !memcmp(A->row, B->row, (n + 1) * sizeof *B->row) &&
         !memcmp(A->col, B->col, (size_t)B->row[n] * sizeof *B->col);
}

static int analyse(ns_augmented *s, ns_ctx *c, const ns_blocks *J)
{
  release(s);
  s->mem = ns_arena_create(0, 1);
  if (!s->mem) return ns_nomem(c, "Newton's method on bodies");
  s->structure = (ns_blocks){.nb = J->nb, .m = J->m};
  s->structure.row = ns_arena_copy(s->mem, J->row, (size_t)J->nb + 1, sizeof *J->row);
  s->structure.col = ns_arena_copy(s->mem, J->col, (size_t)J->row[J->nb], sizeof *J->col);
  int rc = s->structure.row && s->structure.col ? ns_sparse_lu_create(c, J, &s->lu)
                                                : ns_nomem(c, "Newton's method on bodies");
  if (rc) release(s);
  return rc;
}

int ns_augmented_prepare(ns_augmented *s, ns_ctx *c, const ns_blocks *J, ns_sparse_lu **lu)
{
  int rc = s->lu && same(&s->structure, J) ? NS_OK : analyse(s, c, J);
  *lu = s->lu;
  return rc;
}

void ns_augmented_solve_matrix(ns_sparse_lu *lu, int n, const double *b, double *work, double *x)
{
  const int *place = ns_sparse_lu_place(lu);
  for (int i = 0; i < n; i++) work[place[i]] = b[i] * ns_sparse_lu_scale(lu, i);
  ns_sparse_lu_solve(lu, work, x);
  ns_gather((size_t)n, x, place, work);
  memcpy(x, work, (size_t)n * sizeof *x);
}

/* ---- Newton ---------------------------------------------------------------------------------- */

/* What follows from y. */
static void evaluate(const run *w, point *x)
{
  const ns_augmented_part *s = &w->s;
  ns_augmented_velocities(s, x->y, x->u);
  ns_augmented_laws(s, w->over, w->centre, x->u, x->r);
  ns_augmented_push(s, x->r, x->phi);
  ns_linear_sum((size_t)s->nv, x->y, -1, x->phi, x->phi);
  x->size = ns_norm((size_t)s->nv, x->phi);
}

double ns_augmented_work(const ns_augmented_part *s, const ns_sparse_lu *lu)
{
  static const double OF_A_ROW = 300; /* its share of the matrix and of a step */
  return ns_sparse_lu_cost(lu) + OF_A_ROW * s->rows;
}

static int by_factors(run *w, const double *phi)
{
  if (ns_sparse_lu_load(w->lu, &w->s.J, NULL) || ns_sparse_lu_update(w->lu)) return 0;
  ns_augmented_solve_matrix(w->lu, w->s.nv, phi, w->b, w->dy);
  return 1;
}

/* As exact as pays: a tenth of |phi| is left. */
static int by_products(run *w, const double *phi)
{
  enum { PRODUCTS = 2000 };
  static const double LEFT = 0.1, OF_AN_ENTRY = 4; /* ns, of two products */
  int steps = ns_augmented_krylov(&w->s, phi, LEFT, PRODUCTS, w->b, w->dy);
  return steps && ns_solve_afford(w->watch, OF_AN_ENTRY * steps * w->s.J.row[w->s.nv]);
}

/* dy from J at a point. 0 where J is singular, or more work than is allowed. */
static int direction(run *w, const point *x)
{
  if (w->lu && !ns_solve_afford(w->watch, ns_augmented_work(&w->s, w->lu))) return 0;
  ns_augmented_matrix(&w->s, w->over, w->centre, x->u);
  w->factors++;
  if (!(w->lu ? by_factors : by_products)(w, x->phi)) return 0;
  ns_scale((size_t)w->s.nv, -1, w->dy);
  return 1;
}

/* The first of dy, dy/2, ... that makes |phi| less. */
static int step(run *w)
{
  double t = 1;
  for (int k = 0; k < HALVINGS; k++, t /= 2) {
    ns_linear_sum((size_t)w->s.nv, w->now.y, t, w->dy, w->next.y);
    evaluate(w, &w->next);
    if (w->next.size <= (1 - 1e-4 * t) * w->now.size) {
      point x = w->now;
      w->now = w->next;
      w->next = x;
      return 1;
    }
  }
  return 0;
}

/* What is left of phi changes velocities by K phi: is that a part of the residual that is accepted?
 */
static int is_enough(run *w)
{
  const ns_augmented_part *s = &w->s;
  size_t m = (size_t)s->rows;
  double *d = w->next.u,
         scale = fmax(ns_norm(m, s->q), fmax(ns_norm(m, w->now.u), ns_norm(m, w->now.r)));
  ns_augmented_velocities(s, w->now.phi, d);
  ns_axpy(m, -1, s->q, d);
  return ns_norm(m, d) <= 0.1 * w->aim * scale;
}

/* What is left of phi is no more than what the rounding of u makes of it, over alpha. */
static int is_rounding(const run *w)
{
  double s = 0;
  for (int i = 0; i < w->s.rows; i++) {
    double d = w->over[i] * (fabs(w->s.q[i]) + fabs(w->now.u[i]));
    s += d * d * w->s.own[i];
  }
  return w->now.size <= 64 * DBL_EPSILON * sqrt(s);
}

/* r = R(u) at the solution of this proximal step; the steps it took, -1: not found, r is on the way
 * there. */
static int newton(run *w)
{
  int steps = 0, max = w->near ? INNER_NEAR : INNER;
  ns_augmented_push(&w->s, w->centre, w->now.y);
  evaluate(w, &w->now);
  while (!is_enough(w)) {
    if (steps++ < max && w->factors < w->limit && direction(w, &w->now) && step(w)) continue;
    return is_rounding(w) ? steps : -1;
  }
  return steps;
}

/* ---- proximal steps -------------------------------------------------------------------------- */

static void set_alpha(run *w)
{
  for (int i = 0; i < w->s.rows; i++)
    w->over[i] = w->s.own[i] > 0 ? 1 / (w->sigma * w->s.own[i]) : 0;
}

/* Of r, with the velocities that it makes. */
static double residual(run *w, const double *r)
{
  ns_augmented_push(&w->s, r, w->next.y);
  ns_augmented_velocities(&w->s, w->next.y, w->next.u);
  return ns_augmented_residual(&w->s, r, w->next.u);
}

/* r_k := r, if its residual e lets it; what that makes of sigma. */
static int move(run *w, int steps, double e)
{
  int moves = e <= (steps < 0 ? 1 : GROW) * w->last;
  if (moves) {
    memcpy(w->centre, w->now.r, (size_t)w->s.rows * sizeof *w->centre);
    w->last = e;
  }
  if (!moves && w->sigma >= MAX) return 0;
  if (!moves || steps < 0) w->sigma = fmin(fmax(w->sigma * UP, w->near ? FIRST : 0), MAX);
  else if (steps <= QUICK) w->sigma = fmax(w->sigma * (w->near ? DOWN_NEAR : DOWN), MIN);
  if (!moves || steps < 0) w->near = 0;
  return 1;
}

/* What the steps of a scene at rest leave undone adds up, in the slowest of its modes, until each
 * of them needs Newton: so near to the solution it is done by far, and many steps have nothing to
 * do. */
static void take_aim(run *w)
{
  static const double FAR = 1e-3, ROUNDING = 1e-13;
  w->near = w->last <= NS_NEAR * w->tol;
  w->sigma = w->near ? FIRST_NEAR : FIRST;
  w->aim = w->near ? fmin(fmax(FAR * w->tol, ROUNDING), w->tol) : w->tol;
}

/* The least residual, whose r is `best`. Beyond tol it goes on as long as that is quick. */
static double iterate(run *w, ns_augmented_path *path)
{
  size_t bytes = (size_t)w->s.rows * sizeof(double);
  int goes_on = path && path->sigma > 0;
  if (goes_on) memcpy(w->centre, path->centre, bytes);
  double min = w->last = residual(w, w->centre), mark = min;
  int quick = 1, marked = 0;
  take_aim(w);
  if (goes_on) {
    w->sigma = path->sigma;
    w->near = path->near;
  }
  memcpy(w->best, w->centre, bytes);
  for (int k = 0; k < OUTER && min > (quick ? w->aim : w->tol) && w->factors < w->limit &&
                  w->factors - marked < STALL && !ns_solve_over(w->watch);
       k++) {
    set_alpha(w);
    int steps = newton(w);
    double e = residual(w, w->now.r);
    quick = steps >= 0 && steps <= QUICK && e < min / 2;
    if (e < min) memcpy(w->best, w->now.r, bytes);
    min = fmin(min, e);
    if (min < 0.5 * mark) {
      mark = min;
      marked = w->factors;
    }
    if (steps < 0 && w->factors >= w->limit) break; /* interrupted, which says nothing of sigma */
    if (!move(w, steps, e)) {
      w->sigma = 0;
      break;
    }
  }
  if (path) {
    memcpy(path->centre, w->centre, bytes);
    path->sigma = w->sigma;
    path->near = w->near;
  }
  return min;
}

static int get(ns_arena *a, int factored, run *w)
{
  size_t m = (size_t)w->s.rows, n = (size_t)w->s.nv, d = sizeof(double),
         room = factored ? n : ns_augmented_krylov_room(&w->s);
  const ns_array want[] = {{&w->centre, m, d}, {&w->over, m, d},     {&w->best, m, d},
                           {&w->now.u, m, d},  {&w->now.r, m, d},    {&w->next.u, m, d},
                           {&w->next.r, m, d}, {&w->now.y, n, d},    {&w->now.phi, n, d},
                           {&w->next.y, n, d}, {&w->next.phi, n, d}, {&w->dy, n, d},
                           {&w->b, room, d}};
  return !ns_arena_arrays(a, want, sizeof want / sizeof *want);
}

int ns_augmented_solve(ns_augmented *s, ns_ctx *c, double tol, int limit, int factored,
                       ns_solve_watch *watch, const ns_multibody *p, ns_multibody_part part,
                       int *number, ns_arena *a, ns_augmented_path *path, double *r,
                       ns_outcome *out)
{
  run w = {.tol = tol, .limit = limit, .watch = watch};
  if (!ns_augmented_load(p, part, number, a, &w.s) || !get(a, factored, &w))
    return ns_nomem(c, "Newton's method on bodies");
  int rc = w.s.nv && factored ? ns_augmented_prepare(s, c, &w.s.J, &w.lu) : NS_OK;
  if (rc) return rc;
  ns_augmented_copy(&w.s, w.centre, r, 0);
  double e = iterate(&w, path);
  ns_augmented_copy(&w.s, w.best, r, 1);
  *out = (ns_outcome){.kind = e <= tol ? NS_SOLVED : NS_LIMIT,
                      .iterations = w.factors,
                      .residual = e,
                      .solver = "augmented"};
  return NS_OK;
}
