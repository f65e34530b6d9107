/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/newmark_alpha.h"

#include "algebra/vector.h"
#include "base/grow.h"
#include "integrators/newmark_matrix.h"
#include "integrators/one_step.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct alpha {
  ns_one_step step; /* first: operations of the table are one_step.h's */
  ns_arena *mem;
  size_t n; /* ncoord */
  double alpha_m, alpha_f, beta, gamma;
  double *a;      /* of the method at the end of the last step [n] */
  double h;       /* a belongs to there + (alpha_m - alpha_f) h; 0: a is not known yet */
  double *a2, *r; /* a of the iterate; residual, then correction [n] */
  ns_newmark_matrix *S;
  double h_of_S; /* 0: it has no values */
  int fresh;     /* they are of this iterate */
} alpha;

/* ---- creation -------------------------------------------------------------------------------- */

static void destroy(void *self)
{
  alpha *o = self;
  if (!o) return;
  ns_newmark_matrix_destroy(o->S);
  ns_arena_destroy(o->mem);
}

static void choose(alpha *o)
{
  const ns_flow_problem *p = o->step.p;
  const ns_event_driven_options *e = p->options;
  double rho = e->rho_inf;
  o->step.length = fmin(isfinite(e->step) ? e->step : p->grid, e->max_step);
  if (e->newmark) {
    o->beta = e->beta;
    o->gamma = e->gamma;
    return;
  }
  o->alpha_m = (2 * rho - 1) / (rho + 1);
  o->alpha_f = rho / (rho + 1);
  o->gamma = 0.5 + o->alpha_f - o->alpha_m;
  o->beta = 0.25 * (0.5 + o->gamma) * (0.5 + o->gamma);
}

static const ns_one_step_method method;

static int get_memory(alpha *o, const ns_flow_problem *p)
{
  const ns_array want[] = {
      {&o->a, o->n, sizeof *o->a}, {&o->a2, o->n, sizeof *o->a2}, {&o->r, o->n, sizeof *o->r}};
  if (ns_arena_arrays(o->mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  return ns_one_step_init(&o->step, o->mem, p, &method);
}

static int create(ns_ctx *c, const ns_flow_problem *p, void **self)
{
  *self = NULL;
  if (p->ncoord == 0)
    return ns_fail(c, NS_MODEL,
                   "NewMarkAlphaOSI integrates positions and velocities, and the systems of this "
                   "model have none: expected <CVodeOSI/>");
  if (p->curved)
    return ns_fail(
        c, NS_MODEL,
        "NewMarkAlphaOSI integrates coordinates whose rates are the velocities, which quaternions "
        "of bodies in space do not satisfy: expected <CVodeOSI/> or <IDAOSI/>");
  alpha *o = *self = NS_ARENA_OBJECT(alpha, mem);
  if (!o) return ns_nomem(c, "NewMarkAlphaOSI");
  o->n = p->ncoord;
  int rc = get_memory(o, p) ? ns_nomem(c, "NewMarkAlphaOSI")
                            : ns_newmark_matrix_create(c, p, &o->S);
  if (!rc) {
    choose(o);
    return NS_OK;
  }
  destroy(o);
  *self = NULL;
  return rc;
}

/* ---- failures -------------------------------------------------------------------------------- */

static const char *place_of(const alpha *o, size_t i, char *buf)
{
  return ns_flow_at(o->step.p, i, buf);
}
static const char *unknown(const alpha *o, size_t i, char *buf, size_t size)
{
  return o->step.p->name(o->step.p->of, i, buf, size);
}

/* A function of the problem ended with rc at t: what cannot be evaluated ends a run of fixed steps.
 */
static int refused(ns_one_step *step, ns_ctx *c, int rc, double t, double h)
{
  const alpha *o = (const alpha *)step;
  char name[256], at[NS_FLOW_PLACE];
  if (rc < 0) return ns_flow_refused(c, rc, t);
  rc = o->step.p->blame ? o->step.p->blame(o->step.p->of, c, t, o->step.x2, h) : NS_OK;
  if (rc) return rc;
  return ns_fail(c, NS_NUMERIC,
                 "%sNewMarkAlphaOSI stopped at t = %.10g s with a step of %.3g s: accelerations "
                 "are not finite (%s); the results so far are kept; try a smaller step, or look "
                 "for a force that grows without bound there",
                 place_of(o, 0, at), t, h, unknown(o, 0, name, sizeof name));
}

static int singular(const alpha *o, ns_ctx *c, int pivot, double h)
{
  char name[256], at[NS_FLOW_PLACE];
  size_t i = o->n + (pivot > 0 ? (size_t)pivot - 1 : 0);
  return ns_fail(c, NS_NUMERIC,
                 "%sNewMarkAlphaOSI stopped at t = %.10g s with a step of %.3g s: the matrix of "
                 "the step is singular (no pivot for %s); the results so far are kept; try another "
                 "step, or look for a stiffness below zero there",
                 place_of(o, i, at), o->step.t1, h, unknown(o, i, name, sizeof name));
}

static int unsettled(const alpha *o, ns_ctx *c, double h, int passes, size_t worst, double share)
{
  char name[256], at[NS_FLOW_PLACE];
  return ns_fail(c, NS_NUMERIC,
                 "%sNewMarkAlphaOSI stopped at t = %.10g s with a step of %.3g s: Newton's method "
                 "does not converge in %d iterations (%s has the largest correction, %.2g times "
                 "the tolerance); the results so far are kept; try a smaller step, larger "
                 "tolerances, or look for a force that jumps there",
                 place_of(o, worst, at), o->step.t1, h, passes,
                 unknown(o, worst, name, sizeof name), share);
}

/* ---- the step -------------------------------------------------------------------------------- */

/* x2 := what a2 makes of the last node. */
static void place(alpha *o, double h)
{
  size_t n = o->n;
  const double *q = o->step.x1, *v = o->step.x1 + n;
  for (size_t i = 0; i < n; i++) {
    o->step.x2[i] = q[i] + h * v[i] + h * h * ((0.5 - o->beta) * o->a[i] + o->beta * o->a2[i]);
    o->step.x2[n + i] = v[i] + h * ((1 - o->gamma) * o->a[i] + o->gamma * o->a2[i]);
  }
}

/* r := -(what is left of the equation of a2). */
static void residual(alpha *o)
{
  size_t n = o->n;
  for (size_t i = 0; i < n; i++)
    o->r[i] = (1 - o->alpha_f) * o->step.f2[n + i] + o->alpha_f * o->step.f1[n + i] -
              (1 - o->alpha_m) * o->a2[i] - o->alpha_m * o->a[i];
}

static int factor(alpha *o, ns_ctx *c, double t, double h)
{
  double part = 1 - o->alpha_f, of_q = part * o->beta * h * h, of_v = part * o->gamma * h;
  int pivot, rc = ns_newmark_matrix_make(o->S, 1 - o->alpha_m, of_q, of_v, t, o->step.x2,
                                         o->step.f2, &o->step.work, &pivot);
  o->h_of_S = rc || pivot ? 0 : h;
  o->fresh = 1;
  if (rc) return refused(&o->step, c, rc, t, h);
  return pivot ? singular(o, c, pivot, h) : NS_OK;
}

/* The correction r of accelerations as one of q and v: the largest part of what is allowed. */
static double share_of(const alpha *o, double h, size_t *worst)
{
  const ns_event_driven_options *e = o->step.p->options;
  size_t n = o->n;
  double max = 0;
  for (size_t i = 0; i < n; i++) {
    double q = fabs(o->step.x2[i]), v = fabs(o->step.x2[n + i]), a = fabs(o->a[i]) + fabs(o->a2[i]);
    double whole = o->step.x1[i] + (o->step.p->origin ? o->step.p->origin[i] : 0);
    /* of the terms of q */
    double rounding = 32 * DBL_EPSILON * (fabs(whole) + h * (fabs(o->step.x1[n + i]) + h * a));
    double of_q = o->beta * h * h * fabs(o->r[i]) / (e->rtol * q + o->step.p->atol[i] + rounding);
    double of_v = o->gamma * h * fabs(o->r[i]) /
                  (e->rtol * v + o->step.p->atol[n + i] + rounding / h);
    double share = fmax(of_q, of_v);
    if (share > max || isnan(share)) {
      max = share;
      *worst = share == of_q ? i : n + i;
    }
    if (isnan(share)) break;
  }
  return max;
}

/* r := the correction of a2 there; *share of what is allowed. Where it shrinks slowly the matrix is
 * made anew. */
static int correct(alpha *o, ns_ctx *c, double t, double h, double last, size_t *worst,
                   double *share)
{
  int rc = o->h_of_S != h ? factor(o, c, t, h) : NS_OK;
  if (rc) return rc;
  ns_newmark_matrix_solve(o->S, o->r);
  *share = share_of(o, h, worst);
  if (*share <= fmax(1, 0.2 * last) || o->fresh) return NS_OK;
  rc = factor(o, c, t, h);
  if (rc) return rc;
  residual(o);
  ns_newmark_matrix_solve(o->S, o->r);
  *share = share_of(o, h, worst);
  return NS_OK;
}

/* a2, x2 and f2 at t = t1 + h. */
static int newton(alpha *o, ns_ctx *c, double t, double h)
{
  int passes = o->step.p->options->newton_max;
  size_t n = o->n, worst = 0;
  double share = INFINITY;
  memcpy(o->step.x2, o->step.x1, o->step.p->n * sizeof *o->step.x2);
  memcpy(o->a2, o->a, n * sizeof *o->a2);
  for (int pass = 0; pass < passes; pass++) {
    double last = share;
    place(o, h);
    int rc = ns_one_step_rate(&o->step, t, o->step.x2, o->step.f2);
    if (rc) return refused(&o->step, c, rc, t, h);
    residual(o);
    o->fresh = 0;
    rc = correct(o, c, t, h, last, &worst, &share);
    if (rc || share <= 1) return rc;
    ns_axpy(n, 1, o->r, o->a2);
  }
  o->step.work.convergence_failures++;
  return unsettled(o, c, h, passes, worst, share);
}

/* a for steps of length h: from q'' at t1 and, h before, what is known; at a restart by an
 * evaluation ahead. */
static int shift(alpha *o, ns_ctx *c, double h)
{
  double ahead = (o->alpha_f - o->alpha_m) * h, *q2 = o->step.f1 + o->n;
  size_t n = o->n;
  if (o->h > 0) {
    for (size_t i = 0; i < n && o->h != h; i++) o->a[i] = q2[i] + (o->a[i] - q2[i]) * h / o->h;
    o->h = h;
    return NS_OK;
  }
  o->h = h;
  memcpy(o->a, q2, n * sizeof *o->a);
  if (ahead == 0) return NS_OK;
  memcpy(o->step.x2, o->step.x1, o->step.p->n * sizeof *o->step.x2);
  /* no more: an acceleration that no step resolves is large */
  ns_axpy(2 * n, ahead, o->step.f1, o->step.x2);
  int rc = ns_one_step_rate(&o->step, o->step.t1 + ahead, o->step.x2, o->step.f2);
  for (size_t i = 0; i < n; i++) o->a[i] = 2 * q2[i] - o->step.f2[n + i];
  return rc ? refused(&o->step, c, rc, o->step.t1 + ahead, h) : NS_OK;
}

/* Beside q and v: the trapezoidal rule. */
static int step(ns_one_step *step, ns_ctx *c, double stop, double *t)
{
  alpha *o = (alpha *)step;
  double h = ns_one_step_next(step, stop, t), *a = o->a;
  int rc = shift(o, c, h);
  if (!rc) rc = newton(o, c, *t, h);
  if (rc) return rc;
  for (size_t i = 2 * o->n; i < step->p->n; i++)
    step->x2[i] = step->x1[i] + h / 2 * (step->f1[i] + step->f2[i]);
  o->a = o->a2;
  o->a2 = a;
  return NS_OK;
}

static const ns_one_step_method method = {.step = step, .refused = refused};

/* ---- flow ------------------------------------------------------------------------------------ */

static int restart(void *self, ns_ctx *c, double t, const double *x, const signed char *direction)
{
  alpha *o = self;
  o->h = o->h_of_S = 0;
  return ns_one_step_restart(self, c, t, x, direction);
}

static int uses_newton(const ns_event_driven_options *e) { return (void)e, 1; }
static int has_length(const ns_event_driven_options *e) { return (void)e, 1; }

const ns_flow_ops ns_newmark_alpha = {.name = "NewMarkAlphaOSI",
                                      .help = "generalised alpha method between events: fixed "
                                              "steps of order 2 that damp high frequencies",
                                      .create = create,
                                      .restart = restart,
                                      .advance = ns_one_step_advance,
                                      .fired = ns_one_step_fired,
                                      .dense = ns_one_step_dense,
                                      .span = ns_one_step_span,
                                      .work = ns_one_step_work,
                                      .destroy = destroy,
                                      .memory = &ns_one_step_memory,
                                      .newton = uses_newton,
                                      .fixed = has_length};
