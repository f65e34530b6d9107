/* SPDX-License-Identifier: GPL-3.0-or-later */
/* auto -- the default solver of the box AVI: the cheapest method that fits, the next one where it fails.
 *
 *   0. Every row [0, inf): the LCP solver "auto".
 *   1. n = 1: in closed form. Sparse matrices of more than 24 rows: the sparse Newton-min; where it ends without a solution,
 *      and for up to 1000 rows, the methods below on the matrix in full.
 *      Four to six rows, dense, without a guess or a matrix that was kept: Lemke.
 *   2. The state of the guess (in a simulation: of the step before), solved directly. The factor is kept between calls
 *      and used again while stamp and state stay the same.
 *   3. newton-min with three sets, guarded, from that state.
 *   4. Lemke.
 *   5. Enumeration of the states, up to 4096 of them: any matrix.
 *   6. Proximal points, up to 200 rows: semidefinite matrices with singular blocks.
 *   7. Fischer-Burmeister from the guess, from 0, from a Jacobi step and from 1, each clipped into the box.
 *   8. Projected Gauss-Seidel, then newton-min from the state it has reached.
 *
 * A result counts only when ns_avi_residual is within the tolerance. Where all fail, the guess stays, and the
 * kind says how: a ray (from Lemke) before all other endings. */
#include "problems/avi_work.h"
#include "problems/avi_sparse.h"

#define NEWTON_STEPS 20
#define ENUMERATE 4096
#define PROXIMAL 200
#define FISCHER_STEPS 100
#define SWEEPS 500

typedef struct automatic {
  ns_avi_object base;
  ns_avi_newton *newton;
  ns_avi_pivots *lemke;
  ns_avi_proximal *proximal;
  ns_avi_fischer *fischer;
  double *start; /* [n] */
  double tol;
  const ns_avi_solver_ops *sparse; /* NULL: problems are written out in full */
  void *sparse_self;
} automatic;

/* One call: what the methods work on. */
typedef struct call {
  const ns_avi *p;
  const double *z; /* the guess */
  double *w;
  int iterations;
  double residual;
} call;

static void destroy(void *self)
{
  automatic *s = self;
  if (s && s->sparse) s->sparse->destroy(s->sparse_self);
  ns_avi_object_destroy(s);
}

/* Does the sparse solver take problems of this structure, and is it worth while? */
static int is_sparse(const ns_avi_capacity *cap)
{
  int scalar = cap->structure && cap->n > NS_AVI_SPARSE_LEAST;
  for (int i = 0; scalar && i < cap->structure->nb; i++) scalar = cap->structure->dim[i] == 1;
  return scalar;
}

static int create_methods(automatic *s, ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt)
{
  ns_avi_work *k = s->base.work;
  int rc = NS_OK;
  if ((rc = ns_avi_newton_create(k, c, &s->newton)) || (rc = ns_avi_lemke_create(k, c, &s->lemke)) ||
      (rc = ns_avi_proximal_create(k, c, &s->proximal)) || (rc = ns_avi_fischer_create(k, c, &s->fischer)) ||
      (rc = ns_avi_work_get(k, c, (size_t)k->n, sizeof(double), &s->start)))
    return rc;
  if (!is_sparse(cap)) return NS_OK;
  rc = ns_avi_sparse_newton.create(c, cap, opt, &s->sparse_self);
  if (!rc) s->sparse = &ns_avi_sparse_newton;
  return rc;
}

static int create(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, void **self)
{
  automatic *s = NULL;
  *self = NULL;
  int rc = ns_avi_object_create(c, cap, opt, &ns_lcp_auto, sizeof *s, &s);
  if (!rc && s->base.work && (rc = create_methods(s, c, cap, opt))) destroy(s);
  if (rc) return rc;
  s->tol = opt ? opt->tol : ns_lcp_defaults().tol;
  *self = s;
  return NS_OK;
}

static ns_outcome_kind verdict(ns_outcome_kind kind, int accepted)
{
  return kind != NS_SOLVED ? kind : accepted ? NS_SOLVED : NS_SINGULAR;
}

static ns_outcome_kind by_newton(automatic *s, call *t)
{
  ns_avi_work *k = s->base.work;
  ns_outcome_kind e = ns_avi_newton_run(s->newton, k, t->p, t->z, t->w, 1, NEWTON_STEPS, &t->iterations, &t->residual);
  return verdict(e, e == NS_SOLVED && ns_avi_accept_direct(k, t->p, t->w, &t->residual));
}

static ns_outcome_kind by_lemke(automatic *s, call *t)
{
  ns_avi_work *k = s->base.work;
  return ns_avi_lemke_run(s->lemke, k, t->p, NULL, t->z, t->w, &t->iterations, &t->residual);
}

static ns_outcome_kind by_enumeration(automatic *s, call *t)
{
  if (!(ns_avi_states(t->p->n, t->p->lb, t->p->ub) <= ENUMERATE)) return NS_LIMIT;
  return ns_avi_enumeration_run(s->base.work, t->p, t->z, t->w, &t->iterations, &t->residual);
}

static ns_outcome_kind by_proximal(automatic *s, call *t)
{
  if (t->p->n > PROXIMAL) return NS_LIMIT;
  return ns_avi_proximal_run(s->proximal, s->newton, s->lemke, s->base.work, t->p, t->z, t->w, &t->iterations,
                             &t->residual);
}

static ns_outcome_kind by_fischer(automatic *s, call *t)
{
  ns_avi_work *k = s->base.work;
  ns_outcome_kind e = NS_STATIONARY;
  for (int from = 0; from < 4; from++) {
    for (int i = 0; i < t->p->n; i++)
      s->start[i] = from == 0 ? t->z[i] : from == 1 ? 0 : from == 2 ? -t->p->q[i] * k->r[i] : 1;
    e = ns_avi_fischer_run(s->fischer, k, t->p, s->start, t->w, FISCHER_STEPS, &t->iterations);
    if (e == NS_SOLVED && ns_avi_accept(k, t->p, t->w, &t->residual)) return NS_SOLVED;
  }
  return verdict(e, 0);
}

static ns_outcome_kind by_pgs(automatic *s, call *t)
{
  ns_avi_work *k = s->base.work;
  ns_outcome_kind e = ns_avi_pgs_run(k, t->p, t->z, t->w, SWEEPS, &t->iterations, &t->residual);
  if (e == NS_SINGULAR) return e;
  memcpy(s->start, k->z, (size_t)t->p->n * sizeof *s->start);
  if (e == NS_SOLVED && ns_avi_accept(k, t->p, t->w, &t->residual)) return NS_SOLVED;
  e = ns_avi_newton_run(s->newton, k, t->p, s->start, t->w, 1, NEWTON_STEPS, &t->iterations, &t->residual);
  return verdict(e, e == NS_SOLVED && ns_avi_accept_direct(k, t->p, t->w, &t->residual));
}

static const struct {
  const char *name;
  ns_outcome_kind (*run)(automatic *, call *);
} cascade[] = {
    {"newton-min", by_newton},
    {"lemke", by_lemke},
    {"enumeration", by_enumeration},
    {"proximal points", by_proximal},
    {"fischer-burmeister", by_fischer},
    {"pgs", by_pgs},
};

/* n = 1: at lb, at ub or between; the same arithmetic as ns_avi_residual, and for an LCP as its solver. 0 where there is no
 * solution that way. */
static int closed_form(double tol, const ns_avi *p, double *z, double *w, ns_outcome *out)
{
  double m = p->dense ? *p->dense : p->blocks->row[1] > 0 ? *p->blocks->val : 0, q = *p->q, lb = *p->lb, ub = *p->ub;
  double x = -q / m;
  if (lb > -INFINITY && q + m * lb >= 0) x = lb;
  else if (ub < INFINITY && q + m * ub <= 0) x = ub;
  if (!(x >= lb && x <= ub)) return 0;
  double y = q + m * x;
  ns_lcp_tally t = {0, 0, 0};
  ns_avi_tally_row(&t, x, y, q, ns_avi_reciprocal(fabs(m)), lb, ub);
  double r = ns_lcp_tally_end(&t);
  if (!(r <= tol)) return 0;
  *z = x;
  *w = y;
  *out = (ns_outcome){.kind = NS_SOLVED, .residual = r, .solver = "auto"};
  return 1;
}

static int solve(void *self, ns_ctx *c, const ns_avi *p, const int *row, double *z, double *w, ns_outcome *out)
{
  automatic *s = self;
  ns_avi_work *k = s->base.work;
  if (p->n == 1 && closed_form(s->tol, p, z, w, out)) return NS_OK;
  if (!k) return ns_avi_as_lcp(&s->base, c, p, row, z, w, out);
  int rc = NS_OK;
  if (s->sparse && p->blocks && p->n > NS_AVI_SPARSE_LEAST) {
    rc = s->sparse->solve(s->sparse_self, c, p, row, z, w, out);
    if (rc || out->kind == NS_SOLVED || out->kind == NS_NOT_FINITE || p->n > k->ndense) return rc;
  }
  if ((rc = ns_avi_work_fits(k, c, p))) return rc;
  ns_avi_begin(k, p);
  call t = {.p = p, .z = z, .w = w, .residual = INFINITY};
  ns_outcome_kind how = NS_LIMIT;
  ns_lcp l = {.n = p->n, .dense = p->dense, .ld = p->ld, .q = p->q, .stamp = p->stamp, .watch = p->watch};
  if (p->n > 3 && ns_lcp_cold(&l, z) && by_lemke(s, &t) == NS_SOLVED) {
    ns_avi_solved(k, p, z, t.residual, t.iterations, "lemke", out);
    return NS_OK;
  }
  for (size_t i = 0; i < sizeof cascade / sizeof *cascade; i++) {
    ns_outcome_kind e = cascade[i].run(s, &t);
    if (e == NS_SOLVED) {
      ns_avi_solved(k, p, z, t.residual, t.iterations, cascade[i].name, out);
      return NS_OK;
    }
    if (how != NS_RAY) how = e;
    if (i == 0 && !ns_avi_finite(p)) break;
  }
  ns_avi_failed(p, z, w, how, t.iterations, "auto", out);
  return NS_OK;
}

const ns_avi_solver_ops ns_avi_auto = {
    .size = sizeof(ns_avi_solver_ops),
    .name = "auto",
    .help = "the state of the guess, then newton-min, Lemke and others as size and structure allow",
    .create = create,
    .solve = solve,
    .destroy = destroy,
    .memory = &ns_memory_none,
};
