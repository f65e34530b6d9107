/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/euler_moreau.h"

#include "algebra/dense.h"
#include "integrators/euler_moreau_data.h"
#include "model/systems/first_order.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation -------------------------------------------------------------------------------- */

/* Which kernel for which group. */
static int classify(euler_moreau *o)
{
  const ns_rate_groups *gr = &o->base.groups;
  ns_arena *a = o->base.mem;
  o->newton_of = ns_arena_get(a, (size_t)gr->n, sizeof(int));
  o->linear_of = ns_arena_get(a, (size_t)gr->n, sizeof(int));
  if (!o->newton_of || !o->linear_of) return NS_NOMEM;
  for (int g = 0; g < gr->n; g++) {
    int s = gr->list[gr->first[g]], alone = gr->first[g + 1] == gr->first[g] + 1;
    int linear = alone && !o->base.sys[s].tangent && ns_first_order_is_lti(&o->base.m->systems[s]);
    o->linear_of[g] = linear ? o->nlinear++ : -1;
    o->newton_of[g] = linear ? -1 : o->nnewton++;
  }
  o->linear = ns_arena_zero(a, (size_t)o->nlinear, sizeof *o->linear);
  o->newton = ns_arena_zero(a, (size_t)o->nnewton, sizeof *o->newton);
  return o->linear && o->newton ? NS_OK : NS_NOMEM;
}

/* Of the Jacobian of one system, or a vector of one group; of the step of a linear one. */
static size_t scratch_size(const euler_moreau *o)
{
  size_t most = 1;
  for (int i = 0; i < o->base.m->nsystems && o->nlinear && !o->unreduced; i++) {
    size_t work = ns_linear_step_work(&o->base.m->systems[i], 0);
    if (work > most) most = work;
  }
  for (int g = 0; g < o->base.groups.n; g++) {
    if (o->newton_of[g] < 0) continue;
    if ((size_t)o->base.groups.size[g] > most) most = (size_t)o->base.groups.size[g];
    for (int k = o->base.groups.first[g]; k < o->base.groups.first[g + 1]; k++) {
      size_t n = (size_t)o->base.m->systems[o->base.groups.list[k]].n;
      if (n * n > most) most = n * n;
    }
  }
  return most;
}

static int get_memory(euler_moreau *o)
{
  ns_arena *a = o->base.mem;
  size_t nq = o->base.m->nq;
  double **vec[] = {&o->x, &o->f1, &o->b1, &o->R, &o->v, &o->tmp};
  int ok = 1;
  for (size_t k = 0; k < sizeof vec / sizeof *vec; k++)
    ok = (*vec[k] = ns_arena_zero(a, nq, sizeof(double))) && ok;
  o->M = ns_arena_zero(a, (size_t)o->base.m->nsystems, sizeof *o->M);
  o->scratch = ns_arena_zero(a, scratch_size(o), sizeof(double));
  return ok && o->M && o->scratch ? NS_OK : NS_NOMEM;
}

static int create_linear(euler_moreau *o)
{
  const ns_rate_groups *gr = &o->base.groups;
  double before = o->full ? 0 : 1 - o->gamma;
  int rc = NS_OK;
  for (int g = 0; g < gr->n && !rc && !o->unreduced; g++) {
    const ns_system *s = &o->base.m->systems[gr->list[gr->first[g]]];
    if (o->linear_of[g] < 0) continue;
    rc = ns_linear_step_euler(&o->linear[o->linear_of[g]], o->base.mem, s, o->theta, before);
  }
  return rc;
}

static void destroy(void *self)
{
  euler_moreau *o = self;
  if (!o) return;
  ns_rate_base_fini(&o->base);
  free(o);
}

static int fill(euler_moreau *o, ns_ctx *c, const ns_model *m, int unreduced)
{
  int rc = ns_rate_base_init(&o->base, c, m, 1);
  if (rc) return rc;
  o->theta = m->sim.em.theta;
  o->gamma = m->sim.em.gamma;
  o->full = m->sim.em.full;
  o->atol = m->sim.ts.newton_atol;
  o->rtol = m->sim.ts.newton_rtol;
  o->unreduced = unreduced;
  if (classify(o) || get_memory(o) || create_linear(o)) return ns_nomem(c, "integrator");
  if (unreduced && o->nnewton)
    return ns_fail(c, NS_MODEL,
                   "the one-step problem in saddle-point form requires linear time-invariant "
                   "systems and relations without dR/dX; remove storage=");
  rc = ns_euler_newton_create(o, c);
  if (!rc && unreduced) rc = ns_euler_sparse_create(o, c);
  return rc ? rc : ns_rate_base_masses(&o->base, c, unreduced ? &o->sparse.M : NULL);
}

static int create(ns_ctx *c, const ns_model *m, int unreduced, void **self)
{
  euler_moreau *o = *self = calloc(1, sizeof *o);
  if (!o) return ns_nomem(c, "integrator");
  int rc = fill(o, c, m, unreduced);
  if (rc) {
    destroy(o);
    *self = NULL;
  }
  return rc;
}

static void info(const void *self, ns_integrator_info *out)
{
  const euler_moreau *o = self;
  const ns_model *m = o->base.m;
  *out = (ns_integrator_info){
      .linear = 1, .symmetric = o->nnewton == 0, .bytes = ns_arena_used(o->base.mem)};
  out->dense = o->nlinear;
  for (int i = 0; i < m->nsystems; i++) {
    out->linear = out->linear && ns_first_order_is_linear(&m->systems[i]);
    out->differenced += ns_first_order_differenced(&m->systems[i]);
    out->nonlinear += o->linear_of[o->base.groups.of[i]] < 0;
    if (out->symmetric)
      out->symmetric = ns_operator_is_symmetric(&m->systems[i].fo.M) &&
                       ns_operator_is_symmetric(&m->systems[i].fo.A);
  }
}

static const ns_rate_groups *groups(const void *self)
{
  return &((const euler_moreau *)self)->base.groups;
}

/* ---- the step -------------------------------------------------------------------------------- */

static int start(void *self, ns_ctx *c, ns_state *x)
{
  euler_moreau *o = self;
  o->h = 0;
  return ns_rate_base_start(&o->base, c, x);
}

static int build_linear(euler_moreau *o, ns_ctx *c)
{
  int rc = NS_OK, pivot = 0;
  for (int k = 0; k < o->nlinear && !rc; k++) {
    ns_linear_step *b = &o->linear[k];
    rc = ns_linear_step_build(b, c, o->h, o->scratch, &pivot);
    if (pivot)
      return ns_rate_base_singular(&o->base, c, (int)(b->s - o->base.m->systems), pivot,
                                   "the iteration matrix M - h theta A");
  }
  return rc;
}

static int build(euler_moreau *o, ns_ctx *c, double h)
{
  o->h = h;
  o->dirty = 1;
  int rc = o->unreduced ? ns_euler_sparse_build(o) : build_linear(o, c);
  if (rc) o->h = 0; /* built for none */
  return rc;
}

/* Inputs of the step of linear systems; those that have none are steady. */
static int begin_linear(euler_moreau *o, ns_ctx *c, const ns_state *x)
{
  int rc = NS_OK, none = 0;
  for (int k = 0; k < o->nlinear && !rc; k++) {
    ns_linear_step *b = &o->linear[k];
    const ns_system *s = b->s;
    if (!b->G) continue;
    ns_point p = ns_first_order_point(s, *x->t, x->q, x->v, x->z);
    rc = ns_linear_step_begin(b, c, &p, o->base.t1, o->base.fk + s->q, x->p + s->q, o->scratch,
                              &none, &none);
  }
  return rc;
}

/* f1, and what depends on it, at the iterate. */
static int evaluate(euler_moreau *o, ns_ctx *c)
{
  if (o->fresh) return NS_OK;
  o->fresh = 1;
  if (o->unreduced) {
    ns_euler_sparse_field(o);
    return NS_OK;
  }
  for (int k = 0; k < o->nlinear; k++)
    ns_linear_step_field(&o->linear[k], o->x + o->linear[k].s->q, o->f1 + o->linear[k].s->q);
  int rc = o->nnewton ? ns_euler_newton_evaluate(o, c) : NS_OK;
  if (rc) ns_rate_base_put_back(&o->base);
  return rc;
}

static int begin(void *self, ns_ctx *c, const ns_state *x, double t1, double h)
{
  euler_moreau *o = self;
  int rc = ns_rate_base_begin(&o->base, c, x, t1, h);
  if (!rc && h != o->h) rc = build(o, c, h);
  if (!rc) rc = o->unreduced ? ns_euler_sparse_begin(o, c) : begin_linear(o, c, x);
  memcpy(o->x, x->q, o->base.m->nq * sizeof(double));
  o->fresh = 0;
  return rc;
}

static ns_rate_point point(const void *self)
{
  const euler_moreau *o = self;
  if (!o->full) return (ns_rate_point){o->base.t1, 1};
  return (ns_rate_point){*o->base.x->t + o->gamma * o->h, o->gamma};
}

static double *iterate(void *self) { return ((euler_moreau *)self)->x; }

static int linearise(void *self, ns_ctx *c, const ns_rate_tangent *K, int nk, int *changed)
{
  euler_moreau *o = self;
  *changed = o->dirty;
  o->dirty = 0;
  if (!o->nnewton) return NS_OK;
  int rc = evaluate(o, c);
  return rc ? rc : ns_euler_newton_linearise(o, c, K, nk, changed);
}

/* The driver writes the iterate next. */
static int free_state(void *self, ns_ctx *c, double *xfree)
{
  euler_moreau *o = self;
  (void)c;
  o->fresh = 0;
  if (o->unreduced) {
    ns_euler_sparse_free(o, xfree);
    return NS_OK;
  }
  for (int k = 0; k < o->nlinear; k++)
    ns_linear_step_free(&o->linear[k], o->base.x->q + o->linear[k].s->q, xfree + o->linear[k].s->q);
  if (o->nnewton) ns_euler_newton_free(o, xfree);
  return NS_OK;
}

static void gain(const void *self, int g, int nrhs, double *B)
{
  const euler_moreau *o = self;
  size_t n = (size_t)o->base.groups.size[g];
  double hr = euler_moreau_hr(o);
  for (size_t i = 0; i < n * (size_t)nrhs; i++) B[i] *= hr;
  if (o->linear_of[g] >= 0) {
    ns_linear_step_gain(&o->linear[o->linear_of[g]], nrhs, B, o->scratch);
  } else {
    const newton_block *b = &o->newton[o->newton_of[g]];
    ns_dense_lu_solve(b->n, b->LU, b->n, b->piv, nrhs, B, b->n);
  }
}

static const ns_blocks *matrix(const void *self, double *input_gain)
{
  const euler_moreau *o = self;
  *input_gain = euler_moreau_hr(o);
  return &o->sparse.W;
}

/* ---- residual -------------------------------------------------------------------------------- */

double ns_euler_scaled(const euler_moreau *o, int n, const double *R, const double *Mdx,
                       const double *f, const double *r, double rounding)
{
  double scale = ns_rate_norm(n, Mdx) + o->h * (ns_rate_norm(n, f) + ns_rate_norm(n, r));
  return ns_rate_norm(n, R) / (o->atol + o->rtol * scale + 16 * DBL_EPSILON * rounding);
}

static double residual_linear(euler_moreau *o, const double *r, ns_suspect *w)
{
  double worst = 0, hr = euler_moreau_hr(o), hk = euler_moreau_hk(o);
  for (int k = 0; k < o->nlinear; k++) {
    const ns_linear_step *b = &o->linear[k];
    size_t at = b->s->q;
    double *R = o->R + at;
    double rounding = ns_linear_step_residual(b, o->x + at, o->base.x->q + at, o->base.fk + at,
                                              o->f1 + at, o->tmp + at, R);
    for (int i = 0; i < b->s->n; i++)
      R[i] -= hr * r[at + (size_t)i] + hk * o->base.x->p[at + (size_t)i];
    double e = ns_euler_scaled(o, b->s->n, R, o->tmp + at, o->f1 + at, r + at, rounding);
    if (!(e <= worst)) worst = e; /* a NaN stays */
    if (w) ns_suspect_system(w, b->s, e);
  }
  return worst;
}

static int residual(void *self, ns_ctx *c, const double *r, double *out, ns_suspect *w)
{
  euler_moreau *o = self;
  o->fresh = 0;
  int rc = evaluate(o, c);
  if (rc) return rc;
  if (o->unreduced) {
    *out = ns_euler_sparse_residual(o, r, w);
    return NS_OK;
  }
  double a = residual_linear(o, r, w), b = ns_euler_newton_residual(o, r, w);
  *out = a > b || isnan(a) ? a : b;
  return NS_OK;
}

static int commit(void *self, ns_ctx *c, ns_state *x, const double *r)
{
  euler_moreau *o = self;
  int rc = evaluate(o, c);
  return rc ? rc : ns_rate_base_commit(&o->base, c, x, o->x, o->f1, r, o->v);
}

const ns_rate_ops ns_euler_moreau = {
    .name = "EulerMoreauOSI",
    .help = "Euler-Moreau theta-gamma scheme for first-order systems, inputs and laws implicit",
    .order = 1,
    .create = create,
    .sparse = 1,
    .info = info,
    .groups = groups,
    .start = start,
    .begin = begin,
    .point = point,
    .iterate = iterate,
    .linearise = linearise,
    .free = free_state,
    .gain = gain,
    .matrix = matrix,
    .residual = residual,
    .commit = commit,
    .destroy = destroy,
    .memory = &ns_rate_base_memory};
