/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/linear_step.h"

#include "algebra/dense.h"
#include "algebra/expm.h"
#include "algebra/vector.h"
#include "integrators/rate_base.h"
#include "model/systems/first_order.h"

#include <math.h>
#include <string.h>

size_t ns_linear_step_work(const ns_system *s, int hold)
{
  size_t n = (size_t)s->n;
  return ns_first_order_work(s) + (hold ? 4 * n * n + n : 0);
}

/* ---- creation -------------------------------------------------------------------------------- */

static int get_common(ns_linear_step *o, ns_arena *a)
{
  size_t n = (size_t)o->s->n;
  o->timed = o->s->fo.b.how > NS_OP_CONSTANT;
  o->P = ns_arena_zero(a, n * n, sizeof(double));
  o->w = ns_arena_zero(a, n, sizeof(double));
  if (!o->P || !o->w) return NS_NOMEM;
  if (o->s->fo.b.how == NS_OP_CONSTANT) memcpy(o->w, o->s->fo.b.value, n * sizeof(double));
  return NS_OK;
}

int ns_linear_step_euler(ns_linear_step *o, ns_arena *a, const ns_system *s, double theta,
                         double before)
{
  size_t n = (size_t)s->n;
  *o = (ns_linear_step){.s = s, .theta = theta, .before = before, .keep = 1};
  if (get_common(o, a)) return NS_NOMEM;
  int steady = !o->timed && before == 0;
  const ns_array want[] = {{&o->LU, n * n, sizeof(double)},
                           {&o->piv, n, sizeof(int)},
                           {&o->weight, n, sizeof(double)},
                           {&o->b, n, sizeof(double)},
                           {&o->g, n, sizeof(double)}};
  if (ns_arena_arrays(a, want, sizeof want / sizeof *want)) return NS_NOMEM;
  if (!steady && !(o->G = ns_arena_zero(a, n * n, sizeof(double)))) return NS_NOMEM;
  memcpy(o->b, o->w, n * sizeof *o->b);
  return NS_OK;
}

int ns_linear_step_hold(ns_linear_step *o, ns_arena *a, const ns_system *s)
{
  size_t n = (size_t)s->n;
  *o = (ns_linear_step){.s = s, .hold = 1, .control = *s};
  o->moving = s->fo.A.how > NS_OP_CONSTANT || s->fo.M.how > NS_OP_CONSTANT;
  o->control.fo.A = o->control.fo.b = (ns_operator){0};
  o->G = ns_arena_zero(a, n * n, sizeof(double));
  o->piv = ns_arena_zero(a, n, sizeof(int));
  if (get_common(o, a) || !o->G || !o->piv) return NS_NOMEM;
  return o->moving && !(o->way = ns_propagator_create(a, s)) ? NS_NOMEM : NS_OK;
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* P, G and g by columns, from the factors of W; P has A. */
static void multiply_out(ns_linear_step *o)
{
  int n = o->s->n;
  size_t nn = (size_t)n * (size_t)n;
  ns_scale(nn, o->h, o->P);
  ns_dense_lu_solve(n, o->LU, n, o->piv, n, o->P, n);
  for (int i = 0; i < n; i++) o->g[i] = o->h * o->b[i];
  ns_dense_lu_solve(n, o->LU, n, o->piv, 1, o->g, n);
  if (!o->G) return;
  memset(o->G, 0, nn * sizeof *o->G);
  for (size_t i = 0; i < nn; i += (size_t)n + 1) o->G[i] = o->h;
  ns_dense_lu_solve(n, o->LU, n, o->piv, n, o->G, n);
}

static int build_euler(ns_linear_step *o, ns_ctx *c, double *work, int *pivot)
{
  const ns_system *s = o->s;
  ns_point p = {.n = s->n, .nz = s->nz, .index = s->index};
  int n = s->n, rc = ns_first_order_mass(s, c, &p, work, o->LU);
  if (!rc) rc = ns_first_order_jacobian(s, c, &p, work, o->P);
  if (rc) return rc;
  for (int j = 0; j < n; j++) {
    double *w = o->LU + (size_t)j * (size_t)n, *a = o->P + (size_t)j * (size_t)n;
    o->weight[j] = 0;
    for (int i = 0; i < n; i++) {
      o->weight[j] += fabs(w[i]);
      w[i] -= o->h * o->theta * a[i];
      o->weight[j] += fabs(w[i]);
    }
  }
  *pivot = ns_dense_lu(n, o->LU, n, o->piv);
  if (*pivot) return NS_NUMERIC;
  multiply_out(o);
  return NS_OK;
}

/* P and keep from Phi (in P), Gamma and A. */
static void choose_form(ns_linear_step *o, const double *A, double size)
{
  int n = o->s->n;
  o->keep = size < 1;
  if (size >= 1) return;
  memset(o->P, 0, (size_t)n * (size_t)n * sizeof *o->P);
  for (int j = 0; j < n; j++) ns_gemv(n, n, 1, o->G, A + j * n, o->P + j * n);
}

/* B := M^-1 B [n x n], with the factors of M where there is one. */
static void divide(const ns_linear_step *o, const double *LU, const int *piv, double *B)
{
  int n = o->s->n;
  if (o->s->fo.M.how) ns_dense_lu_solve(n, LU, n, piv, n, B, n);
}

static int build_hold(ns_linear_step *o, ns_ctx *c, double *work, int *pivot)
{
  const ns_operator *opA = &o->s->fo.A;
  int n = o->s->n, *piv = o->piv;
  size_t nn = (size_t)n * (size_t)n;
  double *A = work, *S = A + nn, *Psi = S + nn, *LU = Psi + nn, *rest = LU + nn;
  ns_point p = {.n = n, .nz = o->s->nz, .index = o->s->index};
  int rc = NS_OK;
  memset(A, 0, nn * sizeof *A);
  if (opA->how) rc = ns_operator_eval(opA, c, &p, rest, A);
  if (!rc && o->s->fo.M.how) rc = ns_first_order_mass(o->s, c, &p, rest, LU);
  if (!rc && o->s->fo.M.how) *pivot = ns_dense_lu(n, LU, n, piv);
  if (rc || *pivot) return rc ? rc : NS_NUMERIC;
  memcpy(S, A, nn * sizeof *S);
  divide(o, LU, piv, S);
  double size = o->h * ns_norm1((size_t)n, S);
  rc = ns_expm_hold(c, n, S, o->h, o->P, Psi);
  if (rc) return rc;
  /* Gamma = Psi M^-1 */
  memset(S, 0, nn * sizeof *S);
  for (size_t i = 0; i < (size_t)n; i++) S[i + i * (size_t)n] = 1;
  divide(o, LU, piv, S);
  memset(o->G, 0, nn * sizeof *o->G);
  for (int j = 0; j < n; j++) ns_gemv(n, n, 1, Psi, S + j * n, o->G + j * n);
  choose_form(o, A, size);
  return NS_OK;
}

int ns_linear_step_build(ns_linear_step *o, ns_ctx *c, double h, double *work, int *pivot)
{
  if (h == o->h) return NS_OK;
  o->h = h;
  int rc = ns_dense_prepare(c, 2 * o->s->n);
  if (rc || o->moving) return rc;
  rc = o->hold ? build_hold(o, c, work, pivot) : build_euler(o, c, work, pivot);
  if (rc) o->h = 0;
  return rc;
}

/* ---- the step -------------------------------------------------------------------------------- */

/* w = b in the middle of the step + T u at its begin. */
static int hold_inputs(ns_linear_step *o, ns_ctx *c, const ns_point *p, double *work)
{
  const ns_system *s = o->s;
  double *b = work, *rest = work + s->n;
  int rc = NS_OK;
  if (!o->timed && !s->fo.u.how) return NS_OK; /* as it was created */
  if (s->fo.u.how) rc = ns_first_order_field(&o->control, c, p, rest, o->w);
  else memset(o->w, 0, (size_t)s->n * sizeof *o->w);
  if (rc || !s->fo.b.how) return rc;
  ns_point middle = *p;
  middle.t += o->h / 2;
  rc = ns_operator_eval(&s->fo.b, c, &middle, rest, b);
  ns_axpy((size_t)s->n, 1, b, o->w);
  return rc;
}

static int begin_hold(ns_linear_step *o, ns_ctx *c, const ns_point *p, double *work, int *changed,
                      int *pivot)
{
  int rc = hold_inputs(o, c, p, work);
  if (rc || !o->moving) return rc;
  *changed = 1;
  return ns_propagator_run(o->way, c, *p, p->t, o->h, o->P, o->G, pivot);
}

int ns_linear_step_begin(ns_linear_step *o, ns_ctx *c, const ns_point *p, const double *f,
                         const double *r, double *work, int *changed, int *pivot)
{
  if (o->hold) return begin_hold(o, c, p, work, changed, pivot);
  if (!o->G) return NS_OK;
  int n = o->s->n, rc = o->timed ? ns_operator_eval(&o->s->fo.b, c, p, work, o->b) : NS_OK;
  double th = o->theta;
  for (int i = 0; i < n; i++) o->w[i] = (1 - th) * f[i] + th * o->b[i] + o->before * r[i];
  return rc;
}

/* out = b + A x. Inlined with a constant n its loops vanish. */
static inline __attribute__((always_inline)) void affine_n(int n, const double *restrict A,
                                                           const double *restrict b,
                                                           const double *restrict x,
                                                           double *restrict out)
{
  memcpy(out, b, (size_t)n * sizeof *b);
  ns_gemv(n, n, 1, A, x, out);
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

void ns_linear_step_free(const ns_linear_step *o, const double *x, double *xfree)
{
  int n = o->s->n;
  if (!o->G) {
    affine(n, o->P, o->g, x, xfree);
  } else {
    double share = o->hold ? 1 : o->theta;
    memset(xfree, 0, (size_t)n * sizeof *xfree);
    ns_gemv(n, n, 1, o->G, o->w, xfree);
    if (share > 0) ns_gemv(n, n, share, o->P, x, xfree);
  }
  if (o->keep != 0) ns_axpy((size_t)n, 1, x, xfree);
}

void ns_linear_step_gain(const ns_linear_step *o, int nrhs, double *B, double *work)
{
  int n = o->s->n;
  if (!o->hold) {
    ns_dense_lu_solve(n, o->LU, n, o->piv, nrhs, B, n);
    return;
  }
  for (int k = 0; k < nrhs; k++, B += n) {
    for (int i = 0; i < n; i++) work[i] = B[i] / o->h;
    memset(B, 0, (size_t)n * sizeof *B);
    ns_gemv(n, n, 1, o->G, work, B);
  }
}

void ns_linear_step_field(const ns_linear_step *o, const double *x, double *f)
{
  const ns_operator *A = &o->s->fo.A;
  int n = o->s->n;
  if (A->how && !A->diagonal) {
    affine(n, A->value, o->b, x, f);
    return;
  }
  memcpy(f, o->b, (size_t)n * sizeof *f);
  ns_operator_gemv_add(1, A, x, f);
}

double ns_linear_step_residual(const ns_linear_step *o, const double *x, const double *x0,
                               const double *f0, const double *f, double *Mdx, double *R)
{
  const ns_operator *M = &o->s->fo.M;
  double size = 0;
  for (int i = 0; i < o->s->n; i++) {
    R[i] = x[i] - x0[i];
    Mdx[i] = M->how ? 0 : R[i];
    size += o->weight[i] * fabs(x[i]);
  }
  ns_operator_gemv_add(1, M, R, Mdx);
  for (int i = 0; i < o->s->n; i++)
    R[i] = Mdx[i] - o->h * (o->theta * f[i] + (1 - o->theta) * f0[i]);
  return size;
}
