/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/zero_order_hold.h"

#include "algebra/dense.h"
#include "algebra/expm.h"
#include "algebra/vector.h"
#include "integrators/propagator.h"
#include "integrators/rate_base.h"
#include "model/systems/first_order.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* xfree = keep x + P x + Gamma w, w = b + T u. Small steps take keep = 1 and P = Phi - I = Gamma A,
 * which is rounded relative to the increment; else keep = 0 and P = Phi, so that what has decayed
 * stays decayed. */
typedef struct hold_block {
  int s, n;
  size_t at;
  int moving; /* M or A of time: refreshed in each step */
  int timed;  /* b of time */
  double keep;
  double *P, *Gamma; /* [n x n] */
  double *w;         /* [n] */
  ns_system control; /* the system without A and b: its field is T u */
  propagator *way;   /* moving */
} hold_block;

typedef struct hold {
  rate_base base; /* first */
  double h;
  int dirty;
  double atol, rtol;
  hold_block *of; /* [nsystems] */
  double *x, *f1, *xfree, *v;
  double *column, *square; /* scratch of the largest system: [n], [3 n^2] */
} hold;

/* ---- propagators ----------------------------------------------------------------------------- */

/* P and keep from Phi (in P), Gamma and A. */
static void choose_form(hold_block *b, const double *A, double size)
{
  b->keep = size < 1;
  if (size >= 1) return;
  int n = b->n;
  memset(b->P, 0, (size_t)n * (size_t)n * sizeof *b->P);
  for (int j = 0; j < n; j++) ns_rate_gemv(n, 1, b->Gamma, A + j * n, b->P + j * n);
}

/* B := M^-1 B of system k with constant M, B [n x n]. */
static void divide(const rate_base *o, int k, double *B)
{
  const rate_system *s = &o->sys[k];
  int n = o->m->systems[k].n;
  const double *inverse = o->inverse + o->m->systems[k].q;
  for (int j = 0; j < n && s->mass == MASS_DIAGONAL; j++)
    for (int i = 0; i < n; i++) B[i + j * n] *= inverse[i];
  if (s->mass == MASS_FULL) ns_dense_lu_solve(n, s->LU, n, s->piv, n, B, n);
}

/* Gamma = Psi M^-1; I: scratch. */
static void close_gamma(const rate_base *o, hold_block *b, const double *Psi, double *I)
{
  size_t n = (size_t)b->n, nn = n * n;
  memset(I, 0, nn * sizeof *I);
  for (size_t i = 0; i < n; i++) I[i + i * n] = 1;
  divide(o, b->s, I);
  memset(b->Gamma, 0, nn * sizeof *I);
  for (size_t j = 0; j < n; j++) ns_rate_gemv(b->n, 1, Psi, I + j * n, b->Gamma + j * n);
}

/* Constant M and A. ns_expm_hold allocates: at creation, and where a step has another length than
 * the model says. */
static int build(hold *o, ns_ctx *c, hold_block *b, double h)
{
  const ns_operator *opA = &o->base.m->systems[b->s].fo.A;
  int n = b->n;
  size_t nn = (size_t)n * (size_t)n;
  double *A = o->square, *S = A + nn, *Psi = S + nn;
  memset(A, 0, nn * sizeof *A);
  int rc = opA->how ? ns_operator_eval(opA, c, &(ns_point){.n = n}, o->base.work, A) : NS_OK;
  memcpy(S, A, nn * sizeof *S);
  divide(&o->base, b->s, S);
  double size = h * ns_norm1((size_t)n, S);
  if (!rc) rc = ns_expm_hold(c, n, S, h, b->P, Psi);
  if (rc) return rc;
  close_gamma(&o->base, b, Psi, S);
  choose_form(b, A, size);
  return NS_OK;
}

/* Of this step, for M or A of time. */
static int refresh(hold *o, ns_ctx *c, hold_block *b)
{
  const ns_state *x = o->base.x;
  ns_point p = ns_first_order_point(&o->base.m->systems[b->s], *x->t, x->q, x->v, x->z);
  int pivot = 0, rc = ns_propagator_run(b->way, c, p, *x->t, o->h, b->P, b->Gamma, &pivot);
  return pivot ? ns_rate_base_singular(&o->base, c, b->s, pivot, "the matrix M") : rc;
}

/* ---- creation -------------------------------------------------------------------------------- */

static int make_block(hold *o, ns_ctx *c, int i)
{
  const ns_system *s = &o->base.m->systems[i];
  ns_arena *a = o->base.mem;
  hold_block *b = &o->of[i];
  size_t n = (size_t)s->n;
  *b = (hold_block){.s = i, .n = s->n, .at = s->q, .control = *s};
  b->moving = s->fo.A.how > NS_OP_CONSTANT || s->fo.M.how > NS_OP_CONSTANT;
  b->timed = s->fo.b.how > NS_OP_CONSTANT;
  b->control.fo.A = b->control.fo.b = (ns_operator){0};
  b->P = ns_arena_zero(a, n * n, sizeof(double));
  b->Gamma = ns_arena_zero(a, n * n, sizeof(double));
  b->w = ns_arena_zero(a, n, sizeof(double));
  if (b->w && s->fo.b.how == NS_OP_CONSTANT) memcpy(b->w, s->fo.b.value, n * sizeof(double));
  if (b->moving) b->way = ns_propagator_create(a, s);
  if (!b->P || !b->Gamma || !b->w || (b->moving && !b->way)) return ns_nomem(c, "integrator");
  return ns_dense_prepare(c, 2 * s->n);
}

static int get_memory(hold *o, ns_ctx *c)
{
  const ns_model *m = o->base.m;
  ns_arena *a = o->base.mem;
  size_t big = 1;
  for (int i = 0; i < m->nsystems; i++)
    if ((size_t)m->systems[i].n > big) big = (size_t)m->systems[i].n;
  double **vec[] = {&o->x, &o->f1, &o->xfree, &o->v};
  int ok = 1;
  for (size_t k = 0; k < sizeof vec / sizeof *vec; k++)
    ok = (*vec[k] = ns_arena_zero(a, m->nq, sizeof(double))) && ok;
  o->of = ns_arena_zero(a, (size_t)m->nsystems, sizeof *o->of);
  o->column = ns_arena_zero(a, big, sizeof(double));
  o->square = ns_arena_zero(a, 3 * big * big, sizeof(double));
  if (!ok || !o->of || !o->column || !o->square) return ns_nomem(c, "integrator");
  int rc = NS_OK;
  for (int i = 0; i < m->nsystems && !rc; i++) rc = make_block(o, c, i);
  return rc;
}

static int build_all(hold *o, ns_ctx *c, double h)
{
  int rc = NS_OK;
  o->h = h;
  o->dirty = 1;
  for (int i = 0; i < o->base.m->nsystems && !rc; i++)
    if (!o->of[i].moving) rc = build(o, c, &o->of[i], h);
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
  if (!rc) rc = get_memory(o, c);
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

/* w = b in the middle of the step + T u at its begin. */
static int hold_inputs(hold *o, ns_ctx *c, hold_block *b)
{
  const ns_system *s = &o->base.m->systems[b->s];
  const ns_state *x = o->base.x;
  if (!b->timed && !s->fo.u.how) return NS_OK; /* as make_block left it */
  ns_point p = ns_first_order_point(s, *x->t, x->q, x->v, x->z);
  int rc = NS_OK;
  if (s->fo.u.how) rc = ns_first_order_field(&b->control, c, &p, o->base.work, b->w);
  else memset(b->w, 0, (size_t)b->n * sizeof *b->w);
  if (rc || !s->fo.b.how) return rc;
  p.t = *x->t + o->h / 2;
  rc = ns_operator_eval(&s->fo.b, c, &p, o->base.work, o->column);
  for (int i = 0; i < b->n; i++) b->w[i] += o->column[i];
  return rc;
}

static int begin(void *self, ns_ctx *c, const ns_state *x, double t1, double h)
{
  hold *o = self;
  int rc = ns_rate_base_begin(&o->base, c, x, t1, h);
  if (!rc && h != o->h) rc = build_all(o, c, h);
  for (int i = 0; i < o->base.m->nsystems && !rc; i++) {
    hold_block *b = &o->of[i];
    rc = hold_inputs(o, c, b);
    if (!b->moving || rc) continue;
    rc = refresh(o, c, b);
    o->dirty = 1;
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
  const double *q = o->base.x->q;
  (void)c;
  for (int k = 0; k < o->base.m->nsystems; k++) {
    const hold_block *b = &o->of[k];
    double *out = o->xfree + b->at;
    memset(out, 0, (size_t)b->n * sizeof *out);
    ns_rate_gemv(b->n, 1, b->Gamma, b->w, out);
    ns_rate_gemv(b->n, 1, b->P, q + b->at, out);
    for (int i = 0; i < b->n; i++) out[i] += b->keep * q[b->at + (size_t)i];
  }
  memcpy(xfree, o->xfree, o->base.m->nq * sizeof *xfree);
  return NS_OK;
}

static void gain(const void *self, int g, int nrhs, double *B)
{
  const hold *o = self;
  const hold_block *b = &o->of[o->base.groups.list[o->base.groups.first[g]]];
  size_t bytes = (size_t)b->n * sizeof *B;
  for (int k = 0; k < nrhs; k++, B += b->n) {
    memcpy(o->column, B, bytes);
    memset(B, 0, bytes);
    ns_rate_gemv(b->n, 1, b->Gamma, o->column, B);
  }
}

/* R = x - xfree - Gamma r, in the units of x; scale |xfree - x_k| + |Gamma r|. */
static int residual(void *self, ns_ctx *c, const double *r, double *out, ns_suspect *w)
{
  hold *o = self;
  (void)c;
  *out = 0;
  for (int k = 0; k < o->base.m->nsystems; k++) {
    const hold_block *b = &o->of[k];
    double *R = o->v + b->at, *in = o->column, move = 0, most = 0;
    memset(in, 0, (size_t)b->n * sizeof *in);
    ns_rate_gemv(b->n, 1, b->Gamma, r + b->at, in);
    for (int i = 0; i < b->n; i++) {
      size_t d = b->at + (size_t)i;
      R[i] = o->x[d] - o->xfree[d] - in[i];
      move += fabs(o->xfree[d] - o->base.x->q[d]);
      most += fabs(o->x[d]) + fabs(o->base.x->q[d]);
    }
    double scale = o->atol + o->rtol * (move + ns_rate_norm(b->n, in)) + 16 * DBL_EPSILON * most;
    double e = ns_rate_norm(b->n, R) / scale;
    if (!(e <= *out)) *out = e; /* a NaN stays */
    if (w) ns_suspect_system(w, &o->base.m->systems[b->s], e);
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
