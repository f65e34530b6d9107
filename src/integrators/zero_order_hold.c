/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/zero_order_hold.h"

#include "integrators/linear_step.h"
#include "integrators/rate_base.h"
#include "model/systems/first_order.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct hold {
  rate_base base; /* first */
  double h;
  int dirty;
  double atol, rtol;
  ns_linear_step *of; /* [nsystems] */
  double *x, *f1, *xfree, *v;
  double *column, *work; /* scratch of the largest system: [n]; of its step */
} hold;

/* ---- creation -------------------------------------------------------------------------------- */

static int get_memory(hold *o)
{
  const ns_model *m = o->base.m;
  ns_arena *a = o->base.mem;
  size_t big = 1, work = 1;
  for (int i = 0; i < m->nsystems; i++) {
    size_t w = ns_linear_step_work(&m->systems[i], 1);
    if ((size_t)m->systems[i].n > big) big = (size_t)m->systems[i].n;
    if (w > work) work = w;
  }
  double **vec[] = {&o->x, &o->f1, &o->xfree, &o->v};
  int ok = 1;
  for (size_t k = 0; k < sizeof vec / sizeof *vec; k++)
    ok = (*vec[k] = ns_arena_zero(a, m->nq, sizeof(double))) && ok;
  o->of = ns_arena_zero(a, (size_t)m->nsystems, sizeof *o->of);
  o->column = ns_arena_zero(a, big, sizeof(double));
  o->work = ns_arena_zero(a, work, sizeof(double));
  if (!ok || !o->of || !o->column || !o->work) return NS_NOMEM;
  for (int i = 0; i < m->nsystems; i++)
    if (ns_linear_step_hold(&o->of[i], a, &m->systems[i])) return NS_NOMEM;
  return NS_OK;
}

static int build_all(hold *o, ns_ctx *c, double h)
{
  int rc = NS_OK, pivot = 0;
  o->h = h;
  o->dirty = 1;
  for (int i = 0; i < o->base.m->nsystems && !rc; i++) {
    rc = ns_linear_step_build(&o->of[i], c, h, o->work, &pivot);
    if (pivot) rc = ns_rate_base_singular(&o->base, c, i, pivot, "the matrix M");
  }
  if (rc) o->h = 0; /* built for none */
  return rc;
}

static void destroy(void *self)
{
  hold *o = self;
  if (!o) return;
  ns_rate_base_fini(&o->base);
  free(o);
}

static int create(ns_ctx *c, const ns_model *m, int unreduced, void **self)
{
  hold *o = *self = calloc(1, sizeof *o);
  (void)unreduced; /* .sparse = 0 */
  if (!o) return ns_nomem(c, "integrator");
  o->atol = m->sim.ts.newton_atol;
  o->rtol = m->sim.ts.newton_rtol;
  int rc = ns_rate_base_init(&o->base, c, m, 0);
  if (!rc) rc = ns_rate_base_masses(&o->base, c, NULL);
  if (!rc && get_memory(o)) rc = ns_nomem(c, "integrator");
  if (!rc) rc = build_all(o, c, m->sim.ts.h);
  if (rc) {
    destroy(o);
    *self = NULL;
  }
  return rc;
}

static void info(const void *self, ns_integrator_info *out)
{
  const hold *o = self;
  *out = (ns_integrator_info){.linear = 1, .bytes = ns_arena_used(o->base.mem)};
  for (int i = 0; i < o->base.m->nsystems; i++) {
    out->dense += !o->of[i].moving;
    out->nonlinear += o->of[i].moving;
  }
}

static const ns_rate_groups *groups(const void *self) { return &((const hold *)self)->base.groups; }

/* ---- the step -------------------------------------------------------------------------------- */

static int start(void *self, ns_ctx *c, ns_state *x)
{
  hold *o = self;
  o->dirty = 1;
  return ns_rate_base_start(&o->base, c, x);
}

static int begin(void *self, ns_ctx *c, const ns_state *x, double t1, double h)
{
  hold *o = self;
  int rc = ns_rate_base_begin(&o->base, c, x, t1, h);
  if (!rc && h != o->h) rc = build_all(o, c, h);
  for (int i = 0; i < o->base.m->nsystems && !rc; i++) {
    const ns_system *s = &o->base.m->systems[i];
    ns_point p = ns_first_order_point(s, *x->t, x->q, x->v, x->z);
    int pivot = 0;
    rc = ns_linear_step_begin(&o->of[i], c, &p, t1, NULL, NULL, o->work, &o->dirty, &pivot);
    if (pivot) rc = ns_rate_base_singular(&o->base, c, i, pivot, "the matrix M");
  }
  memcpy(o->x, x->q, o->base.m->nq * sizeof(double));
  return rc;
}

static ns_rate_point point(const void *self)
{
  return (ns_rate_point){((const hold *)self)->base.t1, 1};
}

static double *iterate(void *self) { return ((hold *)self)->x; }

static int linearise(void *self, ns_ctx *c, const ns_rate_tangent *K, int nk, int *changed)
{
  hold *o = self;
  (void)c, (void)K, (void)nk; /* linear relations have none */
  *changed = o->dirty;
  o->dirty = 0;
  return NS_OK;
}

static int free_state(void *self, ns_ctx *c, double *xfree)
{
  hold *o = self;
  const ns_model *m = o->base.m;
  (void)c;
  for (int k = 0; k < m->nsystems; k++)
    ns_linear_step_free(&o->of[k], o->base.x->q + m->systems[k].q, o->xfree + m->systems[k].q);
  memcpy(xfree, o->xfree, m->nq * sizeof *xfree);
  return NS_OK;
}

static void gain(const void *self, int g, int nrhs, double *B)
{
  const hold *o = self;
  const ns_linear_step *k = &o->of[o->base.groups.list[o->base.groups.first[g]]];
  for (int i = 0; i < k->s->n * nrhs; i++) B[i] *= o->h;
  ns_linear_step_gain(k, nrhs, B, o->work);
}

/* R = x - xfree - Gamma r, in the units of x; scale |xfree - x_k| + |Gamma r|. */
static int residual(void *self, ns_ctx *c, const double *r, double *out, ns_suspect *w)
{
  hold *o = self;
  (void)c;
  *out = 0;
  for (int k = 0; k < o->base.m->nsystems; k++) {
    const ns_linear_step *b = &o->of[k];
    int n = b->s->n;
    double *R = o->v + b->s->q, *in = o->column, move = 0, most = 0;
    memset(in, 0, (size_t)n * sizeof *in);
    ns_rate_gemv(n, 1, b->G, r + b->s->q, in);
    for (int i = 0; i < n; i++) {
      size_t d = b->s->q + (size_t)i;
      R[i] = o->x[d] - o->xfree[d] - in[i];
      move += fabs(o->xfree[d] - o->base.x->q[d]);
      most += fabs(o->x[d]) + fabs(o->base.x->q[d]);
    }
    double scale = o->atol + o->rtol * (move + ns_rate_norm(n, in)) + 16 * DBL_EPSILON * most;
    double e = ns_rate_norm(n, R) / scale;
    if (!(e <= *out)) *out = e; /* a NaN stays */
    if (w) ns_suspect_system(w, b->s, e);
  }
  return NS_OK;
}

static int commit(void *self, ns_ctx *c, ns_state *x, const double *r)
{
  hold *o = self;
  int rc = NS_OK;
  for (int k = 0; k < o->base.m->nsystems && !rc; k++) {
    const ns_system *s = &o->base.m->systems[k];
    ns_point p = ns_first_order_point(s, o->base.t1, o->x, x->v, x->z);
    rc = ns_first_order_field(s, c, &p, o->base.work, o->f1 + s->q);
  }
  if (rc) ns_rate_base_put_back(&o->base);
  return rc ? rc : ns_rate_base_commit(&o->base, c, x, o->x, o->f1, r, o->v);
}

const ns_rate_ops ns_zero_order_hold = {
    .name = "ZeroOrderHoldOSI",
    .help = "exact motion of linear first-order systems, inputs constant over each step",
    .order = 2,
    .create = create,
    .info = info,
    .groups = groups,
    .start = start,
    .begin = begin,
    .point = point,
    .iterate = iterate,
    .linearise = linearise,
    .free = free_state,
    .gain = gain,
    .residual = residual,
    .commit = commit,
    .destroy = destroy,
    .memory = &ns_rate_base_memory};
