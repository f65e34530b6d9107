/* SPDX-License-Identifier: GPL-3.0-or-later */
/* auto -- the default solver: the cheapest method that fits, the next one where it fails.
 *
 *   1. n = 1: in closed form. q >= 0: z = 0. Three to six unknowns, dense, without a guess or a matrix that was kept: Lemke.
 *   2. The support of the guess (in a simulation: of the step before), solved directly. The factor
 *      is kept between calls and used again while matrix and support stay the same.
 *   3. newton-min, guarded (block principal pivoting), from that support: dense Cholesky or LU for
 *      small or full matrices, sparse L D L^T or L D U for large sparse ones. Up to 128 unknowns it gives up early.
 *      From 32 unknowns on, and of dense matrices without a guess before newton-min: a few sweeps of projected Gauss-Seidel, as long as their
 *      rate promises an end soon.
 *   4. Lemke, up to 128 unknowns: also semidefinite and copositive-plus matrices, or a ray.
 *   5. Enumeration of the supports, up to 12 unknowns: any matrix.
 *   6. Interior points: semidefinite matrices of any size, redundant contacts; the support they show is finished
 *      by newton-min.
 *   7. Proximal newton-min: LCP(M + R, q - R z) with a small diagonal R, again until the residual of the
 *      problem itself is met.
 *   8. Fischer-Burmeister from the guess, from 0, from max(0, -q/s) and from 1.
 *   9. Projected Gauss-Seidel, then newton-min from the support it has reached.
 *      Up to 128 unknowns: newton-min once more, with more patience.
 *  10. Lemke, from 129 to 1000 unknowns (any number where the problem came dense).
 *
 * Sparse matrices of more than 1000 unknowns never become dense. A result counts only when
 * ns_lcp_residual is within the tolerance; whatever found the support, z is computed on it by
 * the same direct solve, so the same support gives the same bytes. Where all fail, the guess stays, and the kind
 * says how: a ray (from Lemke) before all other endings. */
#include "problems/lcp_work.h"

#include <limits.h>
#include <string.h>

#define TINY NS_LCP_TINY
#define NEWTON_TINY 2     /* newton-min steps before Lemke is cheaper, up to TINY unknowns */
#define NEWTON_SMALL 20   /* the same for more */
#define NEWTON_LARGE 40   /* the same before interior points are */
#define PATIENT 300  /* steps of the last resort */
#define LEMKE_FIRST 128   /* unknowns up to which Lemke comes early */
#define SWEEP_FIRST 32    /* unknowns from which sweeps cost less than a step of newton-min */
#define ENUMERATE 12
#define FISCHER_STEPS 100
#define SWEEPS 500

typedef struct automatic {
  ns_lcp_work *work;
  ns_newton *newton;
  ns_lemke *lemke;
  ns_enumeration *enumeration;
  ns_interior *interior;
  ns_fischer *fischer;
  double *start; /* [n] */
} automatic;

/* One call: what the methods work on. */
typedef struct call {
  const ns_lcp *p;
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
  ns_fischer_destroy(s->fischer);
  ns_lcp_work_destroy(s->work);
}

static int create_methods(automatic *s, ns_ctx *c, const ns_lcp_capacity *cap)
{
  ns_lcp_work *k = s->work;
  int rc = NS_OK;
  if ((rc = ns_newton_create(k, c, &s->newton)) || (rc = ns_lemke_create(k, c, &s->lemke)) ||
      (rc = ns_enumeration_create(k, c, &s->enumeration)) || (rc = ns_interior_create(k, c, &s->interior)) ||
      (rc = ns_lcp_work_get(k, c, (size_t)k->n, sizeof(double), &s->start)))
    return rc;
  return ns_fischer_create(k, c, cap, &s->fischer);
}

static int create(ns_ctx *c, const ns_lcp_capacity *cap, const ns_lcp_options *opt, void **self)
{
  *self = NULL;
  ns_lcp_work *k = NULL;
  automatic *s = NULL;
  int rc = ns_lcp_work_create(c, cap, opt, 1, &k);
  if (rc) return rc;
  if ((rc = ns_lcp_work_get(k, c, 1, sizeof *s, &s))) {
    ns_lcp_work_destroy(k);
    return rc;
  }
  *s = (automatic){.work = k};
  if ((rc = create_methods(s, c, cap))) destroy(s);
  else *self = s;
  return rc;
}

/* ---- the methods, each 0 (solved: k->z, w, residual) or how it ended ---- */

static ns_outcome_kind verdict(ns_outcome_kind kind, int accepted)
{
  return kind != NS_SOLVED ? kind : accepted ? NS_SOLVED : NS_SINGULAR;
}

static ns_outcome_kind newton_from(automatic *s, call *t, const double *z)
{
  ns_lcp_work *k = s->work;
  int n = t->p->n, limit = n <= TINY ? NEWTON_TINY : n <= LEMKE_FIRST ? NEWTON_SMALL : NEWTON_LARGE;
  ns_outcome_kind e = ns_newton_run(s->newton, k, t->p, t->row, z, t->w, 1, limit, &t->iterations, &t->residual);
  return verdict(e, e == NS_SOLVED && ns_lcp_accept_direct(k, t->p, t->row, t->w, &t->residual));
}

static ns_outcome_kind by_newton(automatic *s, call *t) { return newton_from(s, t, t->z); }

static ns_outcome_kind by_lemke(automatic *s, call *t)
{
  ns_outcome_kind e = ns_lemke_run(s->lemke, s->work, t->p, &t->iterations);
  return verdict(e, e == NS_SOLVED && ns_lcp_accept(s->work, t->p, t->row, t->w, &t->residual));
}

static ns_outcome_kind by_enumeration(automatic *s, call *t)
{
  return ns_enumeration_run(s->enumeration, s->work, t->p, t->row, t->z, t->w, &t->iterations, &t->residual);
}

static ns_outcome_kind by_interior(automatic *s, call *t)
{
  ns_lcp_work *k = s->work;
  ns_outcome_kind e =
      ns_interior_run(s->interior, s->newton, k, t->p, t->row, t->w, &t->iterations, &t->residual);
  return verdict(e, e == NS_SOLVED && ns_lcp_accept(k, t->p, t->row, t->w, &t->residual));
}

static ns_outcome_kind by_proximal(automatic *s, call *t)
{
  ns_outcome_kind e =
      ns_proximal_run(s->work, t->p, t->row, t->z, t->w, NEWTON_LARGE, &t->iterations, &t->residual);
  return verdict(e, e == NS_SOLVED && ns_lcp_accept(s->work, t->p, t->row, t->w, &t->residual));
}

static ns_outcome_kind by_fischer(automatic *s, call *t)
{
  ns_lcp_work *k = s->work;
  ns_outcome_kind e = NS_STATIONARY;
  ns_lcp_row_scales(t->p, k->s);
  for (int from = 0; from < 4; from++) {
    for (int i = 0; i < t->p->n; i++)
      s->start[i] = from == 0 ? t->z[i] : from == 1 ? 0 : from == 2 ? fmax(0, -t->p->q[i] / k->s[i]) : 1;
    e = ns_fischer_run(s->fischer, k, t->p, t->row, s->start, FISCHER_STEPS, &t->iterations);
    if (e == NS_SOLVED && ns_lcp_accept(k, t->p, t->row, t->w, &t->residual)) return NS_SOLVED;
  }
  return verdict(e, 0);
}

static ns_outcome_kind by_pgs(automatic *s, call *t)
{
  ns_lcp_work *k = s->work;
  ns_outcome_kind e = ns_pgs_run(k, t->p, t->z, t->w, SWEEPS, &t->iterations, &t->residual);
  if (e == NS_SINGULAR) return e;
  memcpy(s->start, k->z, (size_t)t->p->n * sizeof *s->start);
  if (e == NS_SOLVED && ns_lcp_accept(k, t->p, t->row, t->w, &t->residual)) return NS_SOLVED;
  return newton_from(s, t, s->start);
}

static ns_outcome_kind by_trial(automatic *s, call *t)
{
  ns_lcp_work *k = s->work;
  ns_outcome_kind e = ns_pgs_trial(k, t->p, t->z, t->w, &t->iterations, &t->residual);
  if (e == NS_SOLVED && t->residual <= NS_LCP_CLOSER * k->opt.tol) return e; /* no direct solve makes it better */
  return verdict(e, e == NS_SOLVED && ns_lcp_accept(k, t->p, t->row, t->w, &t->residual));
}

/* Nothing is known of the solution: no guess, no factor that was kept. */
static int is_cold(const ns_lcp *p, const double *z)
{
  int i = 0;
  while (i < p->n && !(z[i] > 0)) i++;
  return i == p->n && !p->stamp;
}

/* With all patience: finite for P-matrices, also where Lemke's many pivots have lost their digits. */
static ns_outcome_kind by_patience(automatic *s, call *t)
{
  ns_lcp_work *k = s->work;
  ns_outcome_kind e = ns_newton_run(s->newton, k, t->p, t->row, t->z, t->w, 2, PATIENT, &t->iterations, &t->residual);
  return verdict(e, e == NS_SOLVED && ns_lcp_accept_direct(k, t->p, t->row, t->w, &t->residual));
}

static const struct {
  const char *name;
  int least, most; /* unknowns */
  ns_outcome_kind (*run)(automatic *, call *);
} cascade[] = {
    {"newton-min", 0, INT_MAX, by_newton},
    {"pgs", SWEEP_FIRST, INT_MAX, by_trial},
    {"lemke", 0, LEMKE_FIRST, by_lemke},
    {"enumeration", 0, ENUMERATE, by_enumeration},
    {"interior point", 0, INT_MAX, by_interior},
    {"proximal newton-min", 0, INT_MAX, by_proximal},
    {"fischer-burmeister", 0, INT_MAX, by_fischer},
    {"pgs", 0, INT_MAX, by_pgs},
    {"newton-min", 2, LEMKE_FIRST, by_patience},
    {"lemke", LEMKE_FIRST + 1, INT_MAX, by_lemke},
};

/* ---- the quick endings ---- */

static int closed_form(const ns_lcp_work *k, const ns_lcp *p, double *z, double *w, ns_outcome *out)
{
  double m = p->dense ? *p->dense : p->blocks->row[1] > 0 ? *p->blocks->val : 0, residual;
  if (!ns_lcp_one(m, *p->q, k->opt.tol, z, w, &residual)) return 0;
  *out = (ns_outcome){.kind = NS_SOLVED, .residual = residual, .solver = "auto"};
  return 1;
}

static int trivial(ns_lcp_work *k, call *t)
{
  int n = t->p->n;
  for (int i = 0; i < n; i++)
    if (!(t->p->q[i] >= 0)) return 0;
  for (int i = 0; i < n; i++) k->z[i] = 0;
  t->residual = ns_lcp_work_residual(k, t->p, k->z, t->w);
  return t->residual <= k->opt.tol;
}

static int solve(void *self, ns_ctx *c, const ns_lcp *p, const int *row, double *z, double *w, ns_outcome *out)
{
  automatic *s = self;
  ns_lcp_work *k = s->work;
  if (p->n == 1 && closed_form(k, p, z, w, out)) return NS_OK;
  int rc = ns_lcp_work_fits(k, c, p);
  if (rc) return rc;
  ns_lcp_begin(k, p);
  call t = {.p = p, .row = row, .z = z, .w = w, .residual = INFINITY};
  ns_outcome_kind how = NS_LIMIT;
  if (trivial(k, &t)) {
    ns_lcp_solved(k, p, z, t.residual, 0, "auto", out);
    return NS_OK;
  }
  if (ns_lcp_cold(p, z) && by_lemke(s, &t) == NS_SOLVED) {
    ns_lcp_solved(k, p, z, t.residual, t.iterations, "lemke", out);
    return NS_OK;
  }
  if (p->n >= SWEEP_FIRST && p->dense && is_cold(p, z) && by_trial(s, &t) == NS_SOLVED) {
    ns_lcp_solved(k, p, z, t.residual, t.iterations, "pgs", out);
    return NS_OK;
  }
  for (size_t i = 0; i < sizeof cascade / sizeof *cascade; i++) {
    if (p->n < cascade[i].least || p->n > cascade[i].most) continue;
    if (cascade[i].run == by_lemke && p->n > k->ndense) continue;
    ns_outcome_kind e = cascade[i].run(s, &t);
    if (e == NS_SOLVED) {
      ns_lcp_solved(k, p, z, t.residual, t.iterations, cascade[i].name, out);
      return NS_OK;
    }
    if (how != NS_RAY) how = e;
    if (i == 0 && !ns_lcp_finite(p)) break;
  }
  ns_lcp_failed(p, z, w, how, t.iterations, "auto", out);
  return NS_OK;
}

const ns_lcp_solver_ops ns_lcp_auto = {
    .size = sizeof(ns_lcp_solver_ops),
    .name = "auto",
    .help = "the support of the guess, then newton-min, Lemke and others as size and structure allow",
    .create = create,
    .solve = solve,
    .destroy = destroy,
    .memory = &ns_memory_none,
};
