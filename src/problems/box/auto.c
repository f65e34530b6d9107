/* SPDX-License-Identifier: GPL-3.0-or-later */
/* auto -- the default solver: the cheapest method that fits, the next one where it fails.
 *
 *   1. n = 1: in closed form. An LCP with q >= 0: z = 0. Sparse matrices of more than 24 rows with
 *      bounds: the sparse Newton-min; where it ends without a solution, and for up to 1000 rows,
 *      the methods below on the matrix in full.
 *   2. Dense, without a guess or a matrix that was kept: fewer than 32 unknowns of an LCP, up to
 *      six with bounds, a sweep or two of projected Gauss-Seidel where these settle it, then, for
 *      three (four with bounds) to six of them, Lemke. More unknowns of an LCP: a few sweeps,
 *      newton-min from the support that they show, and more sweeps, all the more where M is
 *      singular on it, as in degenerate problems.
 *   3. The state of the guess (in a simulation: of the step before), solved directly. The factor is
 *      kept between calls and used again while matrix and state stay the same.
 *   4. newton-min, guarded (block principal pivoting), from that state: dense Cholesky or LU for
 *      small or full matrices, sparse L D L^T or L D U for large sparse ones. With bounds and up to
 *      128 unknowns it gives up early. LCPs from 32 unknowns on: sweeps, as long as their rate
 *      promises an end soon.
 *   5. Lemke, LCPs up to 128 unknowns: also semidefinite and copositive-plus matrices, or a ray.
 *      With bounds, from the state of the guess first: of several solutions (comparators with
 *      positive feedback) the one that it leads to.
 *   6. Enumeration of the states, up to 4096 of them: any matrix.
 *   7. Interior points, of LCPs: semidefinite matrices of any size, redundant contacts; the support
 *      they show is finished by newton-min.
 *   8. Proximal points, with bounds up to 200 rows: semidefinite matrices with singular blocks.
 *   9. Fischer-Burmeister from the guess, from 0, from a Jacobi step and from 1, each clipped.
 *  10. Projected Gauss-Seidel, then newton-min from the state it has reached. LCPs up to 128
 *      unknowns: newton-min once more, with more patience.
 *  11. Lemke, LCPs from 129 to 1000 unknowns (any number where the problem came dense).
 *
 * Sparse matrices of more than 1000 unknowns never become dense. A result counts only when
 * ns_box_residual is within the tolerance; whatever found the state, z is computed on it by the
 * same direct solve, so the same state gives the same bytes. Where all fail, the guess stays, and
 * the kind says how: a ray (from Lemke) before all other endings. */
#include "problems/box/sparse.h"
#include "problems/box/work.h"

#include <limits.h>

/* Newton-min steps before Lemke is cheaper, up to NS_BOX_TINY unknowns of an LCP. */
#define NEWTON_TINY 2
#define NEWTON_LOOK 4    /* the same after sweeps */
#define NEWTON_SMALL 20  /* the same for more unknowns, or with bounds */
#define NEWTON_LARGE 40  /* the same before interior points are */
#define PATIENT 300      /* steps of the last resort */
#define LEMKE_FIRST 128  /* unknowns up to which Lemke comes early */
#define SWEEP_FIRST 32   /* unknowns from which sweeps cost less than a step of newton-min */
#define ENUMERATE 4096   /* states */
#define PROXIMAL_MAX 200 /* rows with bounds */
#define FISCHER_STEPS 100
#define SWEEPS 500

typedef struct automatic {
  ns_box_work *work;
  ns_newton *newton;
  ns_lemke *lemke;
  ns_interior *interior; /* NULL with bounds */
  ns_proximal *proximal;
  ns_fischer *fischer;
  double *start; /* [n] */
  void *sparse;  /* the sparse Newton-min; NULL: problems with bounds are written out in full */
} automatic;

/* One call: what the methods work on. */
typedef struct call {
  const ns_box *p;
  const int *row;
  const double *z; /* the guess */
  double *w;
  int iterations;
  double residual;
} call;

static void destroy(void *self)
{
  automatic *s = self;
  if (!s) return;
  ns_avi_sparse_newton.destroy(s->sparse);
  ns_fischer_destroy(s->fischer);
  ns_box_work_destroy(s->work);
}

/* Does the sparse solver take problems of this structure, and is it worth while? */
static int is_sparse(const ns_box_capacity *cap)
{
  int scalar = cap->structure && cap->n > NS_BOX_SPARSE_MIN;
  for (int i = 0; scalar && i < cap->structure->nb; i++) scalar = cap->structure->dim[i] == 1;
  return scalar;
}

static int create_methods(automatic *s, ns_ctx *c, const ns_box_capacity *cap,
                          const ns_lcp_options *opt)
{
  ns_box_work *k = s->work;
  const ns_array want[] = {{&s->start, (size_t)k->n, sizeof(double)}};
  int rc = NS_OK;
  if ((rc = ns_newton_create(k, c, &s->newton)) || (rc = ns_lemke_create(k, c, &s->lemke)) ||
      (rc = ns_proximal_create(k, c, cap, &s->proximal)) ||
      (rc = ns_fischer_create(k, c, cap, &s->fischer)) || (rc = NS_BOX_GET(k, c, want)))
    return rc;
  if (!k->boxed) return ns_interior_create(k, c, &s->interior);
  return is_sparse(cap) ? ns_avi_sparse_newton.create(c, cap, opt, &s->sparse) : NS_OK;
}

static int create(ns_ctx *c, const ns_box_capacity *cap, const ns_lcp_options *opt, void **self)
{
  ns_box_work *k = NULL;
  automatic *s = NULL;
  *self = NULL;
  int rc = ns_box_work_create(c, cap, opt, ns_box_is_boxed(cap), 1, &k);
  if (rc) return rc;
  const ns_array want[] = {{&s, 1, sizeof *s}};
  if ((rc = NS_BOX_GET(k, c, want))) {
    ns_box_work_destroy(k);
    return rc;
  }
  *s = (automatic){.work = k};
  if ((rc = create_methods(s, c, cap, opt))) destroy(s);
  else *self = s;
  return rc;
}

/* ---- the methods, each 0 (solved: k->z, w, residual) or how it ended ------------------------- */

static ns_outcome_kind verdict(ns_outcome_kind kind, int accepted)
{
  if (kind != NS_SOLVED) return kind;
  return accepted ? NS_SOLVED : NS_SINGULAR;
}

static ns_outcome_kind newton_from(automatic *s, call *t, const double *z, ns_newton_guard guard,
                                   int limit)
{
  ns_box_work *k = s->work;
  ns_outcome_kind e = ns_newton_run(s->newton, k, t->p, t->row, z, t->w, guard, limit,
                                    &t->iterations, &t->residual);
  return verdict(e, e == NS_SOLVED && ns_box_accept_direct(k, t->p, t->row, t->w, &t->residual));
}

static int newton_limit(const automatic *s, int n)
{
  if (s->work->boxed) return NEWTON_SMALL;
  if (n <= NS_BOX_TINY) return NEWTON_TINY;
  return n <= LEMKE_FIRST ? NEWTON_SMALL : NEWTON_LARGE;
}

static ns_outcome_kind by_newton(automatic *s, call *t)
{
  return newton_from(s, t, t->z, NS_NEWTON_GUARDED, newton_limit(s, t->p->n));
}

static ns_outcome_kind by_lemke(automatic *s, call *t)
{
  return ns_lemke_run(s->lemke, s->work, t->p, t->row, NULL, t->z, t->w, &t->iterations,
                      &t->residual);
}

/* Of several solutions the one that the guess leads to. */
static ns_outcome_kind by_lemke_from(automatic *s, call *t)
{
  return ns_lemke_run_from(s->lemke, s->work, t->p, t->row, t->z, t->w, &t->iterations,
                           &t->residual);
}

static ns_outcome_kind by_enumeration(automatic *s, call *t)
{
  if (!(ns_box_states(t->p->n, s->work->boxed ? t->p->lb : NULL, t->p->ub) <= ENUMERATE))
    return NS_LIMIT;
  return ns_enumeration_run(s->work, t->p, t->row, t->z, t->w, &t->iterations, &t->residual);
}

static ns_outcome_kind by_interior(automatic *s, call *t)
{
  ns_box_work *k = s->work;
  ns_outcome_kind e = ns_interior_run(s->interior, s->newton, k, t->p, t->row, t->w, &t->iterations,
                                      &t->residual);
  return verdict(e, e == NS_SOLVED && ns_box_accept(k, t->p, t->row, t->w, &t->residual));
}

static ns_outcome_kind by_proximal(automatic *s, call *t)
{
  if (s->work->boxed && t->p->n > PROXIMAL_MAX) return NS_LIMIT;
  return ns_proximal_run(s->proximal, s->newton, s->lemke, s->work, t->p, t->row, t->z, t->w,
                         newton_limit(s, LEMKE_FIRST + 1), &t->iterations, &t->residual);
}

/* The guess, 0, a Jacobi step, 1. */
static double fischer_start(int from, double guess, double jacobi)
{
  if (from == 0) return guess;
  if (from == 1) return 0;
  return from == 2 ? jacobi : 1;
}

static ns_outcome_kind by_fischer(automatic *s, call *t)
{
  ns_box_work *k = s->work;
  ns_outcome_kind e = NS_STATIONARY;
  ns_box_scales(k, t->p);
  for (int from = 0; from < 4; from++) {
    for (int i = 0; i < t->p->n; i++)
      s->start[i] = fischer_start(from, t->z[i], -t->p->q[i] * k->r[i]);
    e = ns_fischer_run(s->fischer, k, t->p, t->row, s->start, t->w, FISCHER_STEPS, &t->iterations);
    if (e == NS_SOLVED && ns_box_accept(k, t->p, t->row, t->w, &t->residual)) return NS_SOLVED;
  }
  return verdict(e, 0);
}

static ns_outcome_kind by_pgs(automatic *s, call *t)
{
  ns_box_work *k = s->work;
  ns_outcome_kind e = ns_pgs_run(k, t->p, t->z, t->w, SWEEPS, &t->iterations, &t->residual);
  if (e == NS_SINGULAR) return e;
  memcpy(s->start, k->z, (size_t)t->p->n * sizeof *s->start);
  if (e == NS_SOLVED && ns_box_accept(k, t->p, t->row, t->w, &t->residual)) return NS_SOLVED;
  return newton_from(s, t, s->start, NS_NEWTON_GUARDED, newton_limit(s, t->p->n));
}

static ns_outcome_kind trial_from(automatic *s, call *t, const double *z, ns_pgs_patience how)
{
  ns_box_work *k = s->work;
  ns_outcome_kind e = ns_pgs_trial(k, t->p, z, t->w, how, &t->iterations, &t->residual);
  if (e == NS_SOLVED && (how == NS_PGS_STUBBORN || t->residual <= NS_PGS_CLOSER * k->opt.tol))
    return e; /* no direct solve makes it better */
  return verdict(e, e == NS_SOLVED && ns_box_accept(k, t->p, t->row, t->w, &t->residual));
}

static ns_outcome_kind by_trial(automatic *s, call *t)
{
  return trial_from(s, t, t->z, NS_PGS_BY_RATE);
}

/* With all patience: finite for P-matrices, also where Lemke's many pivots have lost their
 * digits. */
static ns_outcome_kind by_patience(automatic *s, call *t)
{
  return newton_from(s, t, t->z, NS_NEWTON_PATIENT, PATIENT);
}

/* Which problems a method is for. */
enum { LCPS = 1, BOXES = 2, ALL = 3 };

static const struct {
  const char *name;
  int takes, min, max; /* LCPS, BOXES; unknowns */
  ns_outcome_kind (*run)(automatic *, call *);
} cascade[] = {
    {"newton-min", ALL, 0, INT_MAX, by_newton},
    {"pgs", LCPS, SWEEP_FIRST, INT_MAX, by_trial},
    {"lemke", LCPS, 0, LEMKE_FIRST, by_lemke},
    {"lemke", BOXES, 0, INT_MAX, by_lemke_from},
    {"lemke", BOXES, 0, INT_MAX, by_lemke},
    {"enumeration", ALL, 0, INT_MAX, by_enumeration},
    {"interior point", LCPS, 0, INT_MAX, by_interior},
    {"proximal points", ALL, 0, INT_MAX, by_proximal},
    {"fischer-burmeister", ALL, 0, INT_MAX, by_fischer},
    {"pgs", ALL, 0, INT_MAX, by_pgs},
    {"newton-min", LCPS, 2, LEMKE_FIRST, by_patience},
    {"lemke", LCPS, LEMKE_FIRST + 1, INT_MAX, by_lemke},
};

/* Of the table, and within the memory of the object. */
static int applies(const automatic *s, size_t i, const ns_box *p)
{
  if (!(cascade[i].takes & (s->work->boxed ? BOXES : LCPS))) return 0;
  if (p->n < cascade[i].min || p->n > cascade[i].max) return 0;
  int pivots = cascade[i].run == by_lemke || cascade[i].run == by_lemke_from;
  return !pivots || p->n <= s->work->ndense;
}

/* ---- without a guess ------------------------------------------------------------------------- */

/* Nothing is known of the solution: no guess, no factor that was kept. */
static int is_cold(const automatic *s, const ns_box *p, const double *z)
{
  int i = 0, boxed = s->work->boxed;
  if (p->stamp) return 0;
  while (i < p->n && (boxed ? z[i] == 0 : !(z[i] > 0))) i++;
  return i == p->n;
}

/* A few sweeps, newton-min from the support that they have reached as long as it is regular, more
 * sweeps: as many as it takes where it is singular, and then no further than is asked for, because
 * a direct solve would make another solution of it and not a better one. */
static const char *by_sweeps(automatic *s, call *t)
{
  ns_box_work *k = s->work;
  if (trial_from(s, t, t->z, NS_PGS_FEW) == NS_SOLVED) return "pgs";
  memcpy(s->start, k->z, (size_t)t->p->n * sizeof *s->start);
  ns_outcome_kind e = newton_from(s, t, s->start, NS_NEWTON_REGULAR, NEWTON_LOOK);
  if (e == NS_SOLVED) return "newton-min";
  int singular = e == NS_SINGULAR || ns_newton_is_singular(k);
  if (trial_from(s, t, s->start, singular ? NS_PGS_STUBBORN : NS_PGS_BY_RATE) == NS_SOLVED)
    return "pgs";
  return NULL;
}

/* Before the methods that want a guess; NULL: none of them. */
static const char *cold(automatic *s, call *t)
{
  const ns_box *p = t->p;
  int boxed = s->work->boxed;
  if (!boxed && p->n >= SWEEP_FIRST) return by_sweeps(s, t);
  if ((!boxed || p->n <= NS_BOX_TINY) && ns_pgs_settles(s->work, p, t->row, t->w, &t->residual)) {
    t->iterations = 1;
    return "pgs";
  }
  if ((boxed && p->n <= 3) || !ns_box_wants_pivots(p, t->z)) return NULL;
  return by_lemke(s, t) == NS_SOLVED ? "lemke" : NULL;
}

/* ---- one problem ----------------------------------------------------------------------------- */

/* n = 1: at lb, at ub or between; the same arithmetic as ns_box_residual. 0 where there is no
 * solution that way. */
static int closed_form(const ns_box_work *k, const ns_box *p, double *z, double *w, ns_outcome *out)
{
  double m = p->dense                ? *p->dense
             : p->blocks->row[1] > 0 ? *p->blocks->val
                                     : 0,
         q = *p->q, residual;
  if (!k->boxed) {
    if (!ns_lcp_one(m, q, k->opt.tol, z, w, &residual)) return 0;
  } else {
    double lb = *p->lb, ub = *p->ub, x = -q / m;
    int low = lb > -INFINITY && q + m * lb >= 0, high = ub < INFINITY && q + m * ub <= 0;
    if (low && high) x = *z >= ub ? ub : lb; /* both hold: where it was */
    else if (low) x = lb;
    else if (high) x = ub;
    if (!(x >= lb && x <= ub)) return 0;
    double y = q + m * x;
    ns_box_tally t = {0};
    ns_box_tally_row(&t, x, y, q, ns_box_reciprocal(fabs(m)), lb, ub);
    residual = ns_box_tally_end(&t);
    if (!(residual <= k->opt.tol)) return 0;
    *z = x;
    *w = y;
  }
  *out = (ns_outcome){.kind = NS_SOLVED, .residual = residual, .solver = "auto"};
  return 1;
}

/* Of an LCP: q >= 0. */
static int trivial(ns_box_work *k, call *t)
{
  int n = t->p->n;
  for (int i = 0; i < n; i++)
    if (!(t->p->q[i] >= 0)) return 0;
  memset(k->z, 0, (size_t)n * sizeof *k->z);
  t->residual = ns_box_work_residual(k, t->p, k->z, t->w);
  return t->residual <= k->opt.tol;
}

/* The solver that has found k->z; NULL: none, *how says how. */
static const char *found_by(automatic *s, call *t, ns_outcome_kind *how)
{
  if (!s->work->boxed && trivial(s->work, t)) return "auto";
  const char *solver = t->p->dense && is_cold(s, t->p, t->z) ? cold(s, t) : NULL;
  for (size_t i = 0; !solver && i < sizeof cascade / sizeof *cascade; i++) {
    if (!applies(s, i, t->p)) continue;
    ns_outcome_kind e = cascade[i].run(s, t);
    if (e == NS_SOLVED) solver = cascade[i].name;
    if (*how != NS_RAY) *how = e;
    if (i == 0 && !solver && !ns_box_finite(t->p)) break;
  }
  return solver;
}

static int solve(void *self, ns_ctx *c, const ns_box *p, const int *row, double *z, double *w,
                 ns_outcome *out)
{
  automatic *s = self;
  ns_box_work *k = s->work;
  if (p->n == 1 && closed_form(k, p, z, w, out)) return NS_OK;
  int rc = NS_OK;
  if (s->sparse && p->blocks && p->n > NS_BOX_SPARSE_MIN) {
    rc = ns_avi_sparse_newton.solve(s->sparse, c, p, row, z, w, out);
    if (rc || out->kind == NS_SOLVED || out->kind == NS_NOT_FINITE || p->n > k->ndense) return rc;
  }
  if ((rc = ns_box_work_fits(k, c, p))) return rc;
  const ns_box *view = ns_box_begin(k, p);
  call t = {.p = view, .row = row, .z = z, .w = w, .residual = INFINITY};
  ns_outcome_kind how = NS_LIMIT;
  const char *solver = found_by(s, &t, &how);
  if (solver) ns_box_solved(k, p, z, t.residual, t.iterations, solver, out);
  else ns_box_failed(p, z, w, how, t.iterations, "auto", out);
  return NS_OK;
}

const ns_box_solver_ops ns_box_auto = {
    .name = "auto",
    .help =
        "tries the support of the guess, then newton-min, Lemke and others, by size and structure",
    .create = create,
    .solve = solve,
    .destroy = destroy,
    .memory = &ns_memory_none,
};
