/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/newmark_alpha.h"

#include "integrators/bracket.h"
#include "integrators/newmark_matrix.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct alpha {
  const ns_flow_problem *p;
  size_t n; /* ncoord */
  double length, alpha_m, alpha_f, beta, gamma;
  /* the last step; t0 = t1 before the first one */
  double t0, t1;
  double *x0, *f0, *x1, *f1; /* x and x' at both ends [p->n] */
  double *a;                 /* of the method at t1 [n] */
  double h;                  /* a belongs to t1 + (alpha_m - alpha_f) h; 0: a is not known yet */
  double base;               /* the step is base + k h */
  long long k;
  /* the next one */
  /* x, x', a of the iterate [p->n, p->n, n]; residual, then correction [n] */
  double *x2, *f2, *a2, *r;
  ns_newmark_matrix *S;
  double h_of_S; /* 0: it has no values */
  int fresh;     /* they are of this iterate */
  /* roots */
  ns_bracket roots;
  double *x; /* where they are evaluated, scratch [p->n] */
  int begun; /* their search stands where the flow is */
  ns_flow_work work;
} alpha;

/* ---- creation -------------------------------------------------------------------------------- */

static void destroy(void *self)
{
  alpha *o = self;
  if (!o) return;
  double *all[] = {o->x0, o->f0, o->x1, o->f1, o->a, o->x2, o->f2, o->a2, o->r, o->x};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
  ns_bracket_fini(&o->roots);
  ns_newmark_matrix_destroy(o->S);
  free(o);
}

static void choose(alpha *o)
{
  const ns_event_driven_options *e = o->p->options;
  double rho = e->rho_inf;
  o->length = fmin(isfinite(e->step) ? e->step : o->p->grid, e->max_step);
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

static int dense(void *self, ns_ctx *c, double t, int k, double *x);

static int roots(void *self, double t, double *g)
{
  alpha *o = self;
  dense(o, NULL, t, 0, o->x);
  o->work.roots++;
  return o->p->roots(o->p->of, t, o->x, g);
}

static int get_memory(alpha *o)
{
  double **all[] = {&o->x0, &o->f0, &o->x1, &o->f1, &o->x2, &o->f2, &o->a, &o->a2, &o->r, &o->x};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (!(*all[k] = calloc(o->p->n + 1, sizeof **all[k]))) return NS_NOMEM;
  o->roots.of = o;
  o->roots.value = roots;
  return ns_bracket_init(&o->roots, o->p->nroots) ? NS_NOMEM : NS_OK;
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
        "NewMarkAlphaOSI integrates coordinates whose rates are the velocities, and the "
        "quaternions of bodies in space turn otherwise: expected <CVodeOSI/> or <IDAOSI/>");
  alpha *o = *self = calloc(1, sizeof *o);
  if (!o) return ns_nomem(c, "NewMarkAlphaOSI");
  o->p = p;
  o->n = p->ncoord;
  choose(o);
  int rc = get_memory(o) ? ns_nomem(c, "NewMarkAlphaOSI") : ns_newmark_matrix_create(c, p, &o->S);
  if (!rc) return NS_OK;
  destroy(o);
  *self = NULL;
  return rc;
}

/* ---- failures -------------------------------------------------------------------------------- */

static const char *place_of(const alpha *o, size_t i, char *buf)
{
  return ns_flow_at(o->p, i, buf);
}
static const char *unknown(const alpha *o, size_t i, char *buf, size_t size)
{
  return o->p->name(o->p->of, i, buf, size);
}

/* A function of the problem ended with rc at t: what cannot be evaluated ends a run of fixed steps.
 */
static int refused(const alpha *o, ns_ctx *c, int rc, double t, double h)
{
  char name[256], at[NS_FLOW_PLACE];
  if (rc < 0) return ns_flow_refused(c, rc, t);
  rc = o->p->blame ? o->p->blame(o->p->of, c, t, o->x2, h) : NS_OK;
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
                 place_of(o, i, at), o->t1, h, unknown(o, i, name, sizeof name));
}

static int unsettled(const alpha *o, ns_ctx *c, double h, int passes, size_t worst, double share)
{
  char name[256], at[NS_FLOW_PLACE];
  return ns_fail(c, NS_NUMERIC,
                 "%sNewMarkAlphaOSI stopped at t = %.10g s with a step of %.3g s: Newton's method "
                 "does not converge in %d iterations (%s has the largest correction, %.2g of what "
                 "is allowed); the results so far are kept; try a smaller step, larger tolerances, "
                 "or look for a force that jumps there",
                 place_of(o, worst, at), o->t1, h, passes, unknown(o, worst, name, sizeof name),
                 share);
}

/* ---- the step -------------------------------------------------------------------------------- */

static int rate(alpha *o, double t, const double *x, double *f)
{
  o->work.rates++;
  return o->p->rate(o->p->of, t, x, f);
}

/* x2 := what a2 makes of the last node. */
static void place(alpha *o, double h)
{
  size_t n = o->n;
  const double *q = o->x1, *v = o->x1 + n;
  for (size_t i = 0; i < n; i++) {
    o->x2[i] = q[i] + h * v[i] + h * h * ((0.5 - o->beta) * o->a[i] + o->beta * o->a2[i]);
    o->x2[n + i] = v[i] + h * ((1 - o->gamma) * o->a[i] + o->gamma * o->a2[i]);
  }
}

/* r := -(what is left of the equation of a2). */
static void residual(alpha *o)
{
  size_t n = o->n;
  for (size_t i = 0; i < n; i++)
    o->r[i] = (1 - o->alpha_f) * o->f2[n + i] + o->alpha_f * o->f1[n + i] -
              (1 - o->alpha_m) * o->a2[i] - o->alpha_m * o->a[i];
}

static int factor(alpha *o, ns_ctx *c, double t, double h)
{
  double part = 1 - o->alpha_f, of_q = part * o->beta * h * h, of_v = part * o->gamma * h;
  int pivot, rc = ns_newmark_matrix_make(o->S, 1 - o->alpha_m, of_q, of_v, t, o->x2, o->f2,
                                         &o->work, &pivot);
  o->h_of_S = rc || pivot ? 0 : h;
  o->fresh = 1;
  if (rc) return refused(o, c, rc, t, h);
  return pivot ? singular(o, c, pivot, h) : NS_OK;
}

/* The correction r of accelerations as one of q and v: the largest part of what is allowed. */
static double share_of(const alpha *o, double h, size_t *worst)
{
  const ns_event_driven_options *e = o->p->options;
  size_t n = o->n;
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    double q = fabs(o->x2[i]), v = fabs(o->x2[n + i]), a = fabs(o->a[i]) + fabs(o->a2[i]);
    double whole = o->x1[i] + (o->p->origin ? o->p->origin[i] : 0);
    /* of the terms of q */
    double rounding = 32 * DBL_EPSILON * (fabs(whole) + h * (fabs(o->x1[n + i]) + h * a));
    double of_q = o->beta * h * h * fabs(o->r[i]) / (e->rtol * q + o->p->atol[i] + rounding);
    double of_v = o->gamma * h * fabs(o->r[i]) / (e->rtol * v + o->p->atol[n + i] + rounding / h);
    double share = fmax(of_q, of_v);
    if (share > most || isnan(share)) {
      most = share;
      *worst = share == of_q ? i : n + i;
    }
    if (isnan(share)) break;
  }
  return most;
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
  int passes = o->p->options->newton_max;
  size_t n = o->n, worst = 0;
  double share = INFINITY;
  memcpy(o->x2, o->x1, o->p->n * sizeof *o->x2);
  memcpy(o->a2, o->a, n * sizeof *o->a2);
  for (int pass = 0; pass < passes; pass++) {
    double last = share;
    place(o, h);
    int rc = rate(o, t, o->x2, o->f2);
    if (rc) return refused(o, c, rc, t, h);
    residual(o);
    o->fresh = 0;
    rc = correct(o, c, t, h, last, &worst, &share);
    if (rc || share <= 1) return rc;
    for (size_t i = 0; i < n; i++) o->a2[i] += o->r[i];
  }
  o->work.convergence_failures++;
  return unsettled(o, c, h, passes, worst, share);
}

/* a for steps of length h: from q'' at t1 and, h before, what is known; at a restart by an
 * evaluation ahead. */
static int shift(alpha *o, ns_ctx *c, double h)
{
  double ahead = (o->alpha_f - o->alpha_m) * h, *q2 = o->f1 + o->n;
  size_t n = o->n;
  if (o->h > 0) {
    for (size_t i = 0; i < n && o->h != h; i++) o->a[i] = q2[i] + (o->a[i] - q2[i]) * h / o->h;
    o->h = h;
    return NS_OK;
  }
  o->h = h;
  memcpy(o->a, q2, n * sizeof *o->a);
  if (ahead == 0) return NS_OK;
  memcpy(o->x2, o->x1, o->p->n * sizeof *o->x2);
  /* no more: an acceleration that no step resolves is large */
  for (size_t i = 0; i < 2 * n; i++) o->x2[i] += ahead * o->f1[i];
  int rc = rate(o, o->t1 + ahead, o->x2, o->f2);
  for (size_t i = 0; i < n; i++) o->a[i] = 2 * q2[i] - o->f2[n + i];
  return rc ? refused(o, c, rc, o->t1 + ahead, h) : NS_OK;
}

static void swap(double **a, double **b)
{
  double *t = *a;
  *a = *b;
  *b = t;
}

/* Length of the next step and its end. What would be left before `stop` is added where it is
 * rounding. */
static double next(const alpha *o, double stop, double *t)
{
  double h = o->length;
  *t = o->base + (double)(o->k + 1) * h;
  if (*t < stop - 1e-6 * h) return h;
  *t = stop;
  h = stop - o->t1;
  return h;
}

static int step(alpha *o, ns_ctx *c, double stop)
{
  double t, h = next(o, stop, &t);
  size_t n = o->n;
  int rc = shift(o, c, h);
  if (!rc) rc = newton(o, c, t, h);
  if (rc) return rc;
  for (size_t i = 2 * n; i < o->p->n; i++) o->x2[i] = o->x1[i] + h / 2 * (o->f1[i] + o->f2[i]);
  o->t0 = o->t1;
  o->t1 = t;
  o->k++;
  if (t == stop) o->base = t, o->k = 0;
  o->work.steps++;
  swap(&o->x0, &o->x1);
  swap(&o->f0, &o->f1);
  swap(&o->x1, &o->x2);
  swap(&o->f1, &o->f2);
  swap(&o->a, &o->a2);
  return NS_OK;
}

/* ---- flow ------------------------------------------------------------------------------------ */

static int restart(void *self, ns_ctx *c, double t, const double *x, const signed char *direction)
{
  (void)c;
  alpha *o = self;
  if (direction && o->roots.n) memcpy(o->roots.direction, direction, (size_t)o->roots.n);
  memcpy(o->x1, x, o->p->n * sizeof *x);
  o->t0 = o->t1 = o->base = t;
  o->k = 0;
  o->h = o->h_of_S = 0;
  o->begun = 0;
  o->work.restarts++;
  return NS_OK;
}

/* x' and the functions of the roots at a restart. */
static int begin(alpha *o, ns_ctx *c)
{
  int rc = rate(o, o->t1, o->x1, o->f1);
  if (!rc) rc = ns_bracket_start(&o->roots, o->t1, NULL);
  o->begun = !rc;
  return rc ? refused(o, c, rc, o->t1, o->length) : NS_OK;
}

static int advance(void *self, ns_ctx *c, double end, double stop, double *t, double *x,
                   ns_flow_end *why)
{
  alpha *o = self;
  int root = 0, rc = o->begun ? NS_OK : begin(o, c);
  while (!rc && !root && o->roots.t < end) {
    if (o->roots.t >= o->t1) rc = step(o, c, stop);
    if (rc) break;
    rc = ns_bracket_search(&o->roots, fmin(end, o->t1), &root);
    if (rc) rc = refused(o, c, rc, o->roots.t, o->h);
    if (o->p->each_step && o->roots.t >= o->t1) break;
  }
  *t = o->begun ? o->roots.t : o->t1;
  *why = root ? NS_FLOW_ROOT : NS_FLOW_REACHED;
  dense(o, c, *t, 0, x);
  return rc;
}

static const int *fired(const void *self) { return ((const alpha *)self)->roots.fired; }

/* Weights of x0, h f0, x1, h f1 in derivative k of the cubic, times h^k. */
static void hermite(double s, int k, double *w)
{
  switch (k) {
  case 0:
    w[0] = (1 + 2 * s) * (1 - s) * (1 - s), w[1] = s * (1 - s) * (1 - s),
    w[2] = s * s * (3 - 2 * s), w[3] = s * s * (s - 1);
    break;
  case 1:
    w[0] = 6 * s * (s - 1), w[1] = (1 - s) * (1 - 3 * s), w[2] = -w[0], w[3] = s * (3 * s - 2);
    break;
  case 2: w[0] = 12 * s - 6, w[1] = 6 * s - 4, w[2] = -w[0], w[3] = 6 * s - 2; break;
  case 3: w[0] = 12, w[1] = 6, w[2] = -12, w[3] = 6; break;
  default: w[0] = w[1] = w[2] = w[3] = 0;
  }
}

/* At the ends to the bit, and around them by what x changes. */
static int dense(void *self, ns_ctx *c, double t, int k, double *x)
{
  (void)c;
  const alpha *o = self;
  double h = o->t1 - o->t0, w[4];
  if (h == 0) {
    memcpy(x, k ? o->f1 : o->x1, o->p->n * sizeof *x);
    return NS_OK;
  }
  hermite((t - o->t0) / h, k, w);
  double scale = pow(h, -k);
  for (size_t i = 0; i < o->p->n; i++) {
    double d = o->x1[i] - o->x0[i], slopes = h * (w[1] * o->f0[i] + w[3] * o->f1[i]);
    x[i] = k                       ? scale * (w[2] * d + slopes)
           : t - o->t0 < o->t1 - t ? o->x0[i] + (w[2] * d + slopes)
                                   : o->x1[i] + (slopes - w[0] * d);
  }
  return NS_OK;
}

static void span(const void *self, double *from, double *to)
{
  const alpha *o = self;
  *from = o->t0;
  *to = o->t1;
}

static void work(const void *self, ns_flow_work *w) { *w = ((const alpha *)self)->work; }

/* ---- checkpoints ----------------------------------------------------------------------------- */

static void save(const void *self, ns_blob *b)
{
  const alpha *o = self;
  ns_blob_put(b, &o->work, sizeof o->work);
}

static void restore(void *self, ns_blob *b)
{
  alpha *o = self;
  ns_blob_get(b, &o->work, sizeof o->work);
  o->work.restarts--; /* that is counted again */
}

static const ns_memory memory = {.save = save, .restore = restore};

static int uses_newton(const ns_event_driven_options *e) { return (void)e, 1; }

const ns_flow_ops ns_newmark_alpha = {.name = "NewMarkAlphaOSI",
                                      .help = "generalised alpha method between events: fixed "
                                              "steps of order 2 that damp high frequencies",
                                      .create = create,
                                      .restart = restart,
                                      .advance = advance,
                                      .fired = fired,
                                      .dense = dense,
                                      .span = span,
                                      .work = work,
                                      .destroy = destroy,
                                      .memory = &memory,
                                      .newton = uses_newton,
                                      .of_motion = 1};
