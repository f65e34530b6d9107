/* SPDX-License-Identifier: GPL-3.0-or-later */
/* euler_moreau_linear.c -- systems with constant M and A.
 *
 * W xfree = (M + h (1-theta) A) x + ... is solved for xfree - x: W + h A = M + h (1-theta) A, so
 * that xfree = x + h W^-1 (A x + ...): what has been multiplied out is rounded relative to the
 * increment, not to x. */
#include "integrators/euler_moreau_data.h"

#include "algebra/dense.h"
#include "model/systems/first_order.h"

#include <float.h>
#include <math.h>
#include <string.h>

static int get_memory(euler_moreau *o, linear_block *b)
{
  ns_arena *a = o->base.mem;
  size_t n = (size_t)b->n;
  b->P = ns_arena_zero(a, n * n, sizeof(double));
  b->LU = ns_arena_zero(a, n * n, sizeof(double));
  b->g = ns_arena_zero(a, n, sizeof(double));
  b->weight = ns_arena_zero(a, n, sizeof(double));
  b->piv = ns_arena_zero(a, n, sizeof(int));
  if (!b->steady) b->G = ns_arena_zero(a, n * n, sizeof(double));
  return b->P && b->LU && b->g && b->weight && b->piv && (b->steady || b->G) ? NS_OK : NS_NOMEM;
}

int ns_euler_linear_create(euler_moreau *o, ns_ctx *c)
{
  const ns_model *m = o->base.m;
  for (int g = 0; g < o->base.groups.n; g++) {
    if (o->linear_of[g] < 0) continue;
    int i = o->base.groups.list[o->base.groups.first[g]];
    const ns_system *s = &m->systems[i];
    linear_block *b = &o->linear[o->linear_of[g]];
    *b = (linear_block){.s = i, .n = s->n, .at = s->q, .timed = s->fo.b.how > NS_OP_CONSTANT};
    if (s->fo.A.how && !s->fo.A.diagonal) b->A = s->fo.A.value;
    o->ntimed += b->timed;
    b->steady = !b->timed && (o->full || o->gamma == 1);
    if (s->fo.b.how == NS_OP_CONSTANT)
      memcpy(o->b1 + s->q, s->fo.b.value, (size_t)s->n * sizeof(double));
    if (o->unreduced) continue;
    int rc = get_memory(o, b) ? ns_nomem(c, "integrator") : ns_dense_prepare(c, b->n);
    if (rc) return rc;
  }
  return NS_OK;
}

/* P and G by columns, from the factors. */
static void multiply_out(euler_moreau *o, linear_block *b, const ns_system *s)
{
  int n = b->n;
  size_t nn = (size_t)n * (size_t)n;
  for (size_t i = 0; i < nn; i++) b->P[i] *= o->h;
  ns_dense_lu_solve(n, b->LU, n, b->piv, n, b->P, n);
  if (s->fo.b.how == NS_OP_CONSTANT) {
    for (int i = 0; i < n; i++) b->g[i] = o->h * s->fo.b.value[i];
    ns_dense_lu_solve(n, b->LU, n, b->piv, 1, b->g, n);
  }
  if (!b->G) return;
  memset(b->G, 0, nn * sizeof(double));
  for (size_t i = 0; i < nn; i += (size_t)n + 1) b->G[i] = o->h;
  ns_dense_lu_solve(n, b->LU, n, b->piv, n, b->G, n);
}

static int build(euler_moreau *o, ns_ctx *c, linear_block *b)
{
  const ns_system *s = &o->base.m->systems[b->s];
  ns_point p = {.n = s->n, .nz = s->nz, .index = s->index};
  int n = b->n, rc = ns_first_order_mass(s, c, &p, o->base.work, b->LU);
  if (!rc) rc = ns_first_order_jacobian(s, c, &p, o->base.work, b->P);
  if (rc) return rc;
  for (int j = 0; j < n; j++) {
    double *w = b->LU + (size_t)j * (size_t)n, *a = b->P + (size_t)j * (size_t)n;
    b->weight[j] = 0;
    for (int i = 0; i < n; i++) {
      b->weight[j] += fabs(w[i]);
      w[i] -= o->h * o->theta * a[i];
      b->weight[j] += fabs(w[i]);
    }
  }
  int pivot = ns_dense_lu(n, b->LU, n, b->piv);
  if (pivot)
    return ns_rate_base_singular(&o->base, c, b->s, pivot, "the iteration matrix M - h theta A");
  multiply_out(o, b, s);
  return NS_OK;
}

int ns_euler_linear_build(euler_moreau *o, ns_ctx *c)
{
  int rc = NS_OK;
  for (int k = 0; k < o->nlinear && !rc; k++) rc = build(o, c, &o->linear[k]);
  return rc;
}

int ns_euler_linear_begin(euler_moreau *o, ns_ctx *c)
{
  const ns_state *x = o->base.x;
  int rc = NS_OK;
  for (int k = 0; k < o->nlinear && o->ntimed && !rc; k++) {
    const linear_block *b = &o->linear[k];
    if (!b->timed) continue;
    const ns_system *s = &o->base.m->systems[b->s];
    ns_point p = ns_first_order_point(s, o->base.t1, x->q, x->v, x->z);
    rc = ns_operator_eval(&s->fo.b, c, &p, o->base.work, o->b1 + b->at);
  }
  return rc;
}

/* out = b + A x. Inlined with a constant n its loops vanish. */
static inline __attribute__((always_inline)) void affine_n(int n, const double *restrict A,
                                                           const double *restrict b,
                                                           const double *restrict x,
                                                           double *restrict out)
{
  for (int i = 0; i < n; i++) out[i] = b[i];
  for (int j = 0; j < n; j++, A += n)
    for (int i = 0; i < n; i++) out[i] += A[i] * x[j];
}

static inline void affine(int n, const double *A, const double *b, const double *x, double *out)
{
  switch (n) {
  case 1: *out = *b + *A * *x; break;
  case 2: affine_n(2, A, b, x, out); break;
  case 3: affine_n(3, A, b, x, out); break;
  case 4: affine_n(4, A, b, x, out); break;
  default: affine_n(n, A, b, x, out); break;
  }
}

static void general_free(const euler_moreau *o, const linear_block *b, const double *x, double *out)
{
  int n = b->n;
  double th = o->theta, *w = o->tmp + b->at, a = o->full ? 0 : 1 - o->gamma;
  const double *fk = o->base.fk + b->at, *b1 = o->b1 + b->at, *rk = o->base.x->p + b->at;
  for (int i = 0; i < n; i++) w[i] = (1 - th) * fk[i] + th * b1[i] + a * rk[i];
  memset(out, 0, (size_t)n * sizeof *out);
  ns_rate_gemv(n, 1, b->G, w, out);
  if (th > 0) ns_rate_gemv(n, th, b->P, x, out);
  for (int i = 0; i < n; i++) out[i] += x[i];
}

void ns_euler_linear_free(const euler_moreau *o, double *xfree)
{
  const double *x = o->base.x->q;
  for (int k = 0; k < o->nlinear; k++) {
    const linear_block *b = &o->linear[k];
    double *out = xfree + b->at;
    if (!b->steady) {
      general_free(o, b, x + b->at, out);
      continue;
    }
    affine(b->n, b->P, b->g, x + b->at, out);
    for (int i = 0; i < b->n; i++) out[i] += x[b->at + (size_t)i];
  }
}

void ns_euler_linear_field(euler_moreau *o)
{
  for (int k = 0; k < o->nlinear; k++) {
    const linear_block *b = &o->linear[k];
    double *f = o->f1 + b->at;
    if (b->A) {
      affine(b->n, b->A, o->b1 + b->at, o->x + b->at, f);
      continue;
    }
    for (int i = 0; i < b->n; i++) f[i] = o->b1[b->at + (size_t)i];
    ns_operator_gemv_add(1, &o->base.m->systems[b->s].fo.A, o->x + b->at, f);
  }
}

double ns_euler_linear_residual(euler_moreau *o, const double *r, ns_suspect *w)
{
  double worst = 0, h = o->h, th = o->theta, hr = euler_moreau_hr(o), hk = euler_moreau_hk(o);
  for (int k = 0; k < o->nlinear; k++) {
    const linear_block *b = &o->linear[k];
    const ns_operator *M = &o->base.m->systems[b->s].fo.M;
    size_t at = b->at;
    double *Mdx = o->tmp + at, *R = o->R + at, rounding = 0;
    const double *x = o->x + at, *x0 = o->base.x->q + at;
    for (int i = 0; i < b->n; i++) {
      R[i] = x[i] - x0[i];
      Mdx[i] = M->how ? 0 : R[i];
      rounding += b->weight[i] * fabs(x[i]);
    }
    ns_operator_gemv_add(1, M, R, Mdx);
    for (int i = 0; i < b->n; i++) {
      size_t d = at + (size_t)i;
      R[i] = Mdx[i] - h * (th * o->f1[d] + (1 - th) * o->base.fk[d]) - hr * r[d] -
             hk * o->base.x->p[d];
    }
    double e = ns_euler_scaled(o, b->n, R, Mdx, o->f1 + at, r + at, rounding);
    if (!(e <= worst)) worst = e; /* a NaN stays */
    if (w) ns_suspect_system(w, &o->base.m->systems[b->s], e);
  }
  return worst;
}
