/* SPDX-License-Identifier: GPL-3.0-or-later */
/* auto -- the default solver of the box AVI: the cheapest method that fits, the next one where it fails.
 *
 *   0. Every row [0, inf): the LCP solver "auto".
 *   1. n = 1: in closed form.
 *   2. The state of the guess (in a simulation: of the step before), solved directly. The factor is kept between calls
 *      and used again while stamp and state stay the same.
 *   3. newton-min with three sets, guarded, from that state.
 *   4. Lemke.
 *
 * A result counts only when ns_avi_residual is within the tolerance. Where all fail, the guess stays, and the
 * kind says how: a ray (from Lemke) before all other endings. */
#include "problems/avi_work.h"

#define NEWTON_STEPS 20

typedef struct automatic {
  ns_avi_object base;
  ns_avi_newton *newton;
  ns_avi_pivots *lemke;
} automatic;

/* One call: what the methods work on. */
typedef struct call {
  const ns_avi *p;
  const double *z; /* the guess */
  double *w;
  int iterations;
  double residual;
} call;

static int create(ns_ctx *c, const ns_avi_capacity *cap, const ns_lcp_options *opt, void **self)
{
  automatic *s = NULL;
  *self = NULL;
  int rc = ns_avi_object_create(c, cap, opt, &ns_lcp_auto, sizeof *s, &s);
  ns_avi_work *k = rc ? NULL : s->base.work;
  if (k && ((rc = ns_avi_newton_create(k, c, &s->newton)) || (rc = ns_avi_lemke_create(k, c, &s->lemke))))
    ns_avi_object_destroy(s);
  if (!rc) *self = s;
  return rc;
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
  return ns_avi_lemke_run(s->lemke, k, t->p, t->z, t->w, &t->iterations, &t->residual);
}

static const struct {
  const char *name;
  ns_outcome_kind (*run)(automatic *, call *);
} cascade[] = {
    {"newton-min", by_newton},
    {"lemke", by_lemke},
};

/* n = 1: at lb, at ub or between; the same arithmetic as ns_avi_residual. 0 where there is no solution that way. */
static int closed_form(const ns_avi_work *k, const ns_avi *p, double *z, double *w, ns_outcome *out)
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
  if (!(r <= k->opt.tol)) return 0;
  *z = x;
  *w = y;
  *out = (ns_outcome){.kind = NS_SOLVED, .residual = r, .solver = "auto"};
  return 1;
}

static int solve(void *self, ns_ctx *c, const ns_avi *p, const int *row, double *z, double *w, ns_outcome *out)
{
  automatic *s = self;
  ns_avi_work *k = s->base.work;
  if (!k) return ns_avi_as_lcp(&s->base, c, p, row, z, w, out);
  if (p->n == 1 && closed_form(k, p, z, w, out)) return NS_OK;
  int rc = ns_avi_work_fits(k, c, p);
  if (rc) return rc;
  ns_avi_begin(k, p);
  call t = {.p = p, .z = z, .w = w, .residual = INFINITY};
  ns_outcome_kind how = NS_LIMIT;
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
    .destroy = ns_avi_object_destroy,
};
