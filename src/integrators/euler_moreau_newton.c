/* SPDX-License-Identifier: GPL-3.0-or-later */
/* euler_moreau_newton.c -- groups of systems whose W may change.
 *
 *   R = M (x - x_k) - h theta f(x, t+) - h (1-theta) f_k,    W (xfree - x) = -R + h (1-gamma) r_k
 *
 * with W = M - h theta A - h gamma K of the whole group. In the full scheme R(x + gamma dx) brings
 * the same factor gamma before K. W is factored only where it differs from the one before: constant
 * parts cost a comparison. */
#include "integrators/euler_moreau_data.h"

#include "algebra/dense.h"
#include "model/systems/first_order.h"

#include <math.h>
#include <string.h>

static int get_memory(euler_moreau *o, newton_block *b)
{
  ns_arena *a = o->base.mem;
  const ns_rate_groups *gr = &o->base.groups;
  size_t n = (size_t)b->n;
  int ok = 1;
  double **square[] = {&b->W, &b->last, &b->LU};
  for (int k = 0; k < 3; k++) ok = (*square[k] = ns_arena_zero(a, n * n, sizeof(double))) && ok;
  b->weight = ns_arena_zero(a, n, sizeof(double));
  b->piv = ns_arena_zero(a, n, sizeof(int));
  for (int k = gr->first[b->g]; k < gr->first[b->g + 1]; k++) {
    const ns_system *s = &o->base.m->systems[gr->list[k]];
    if (!s->fo.M.how) continue;
    o->M[gr->list[k]] = ns_arena_zero(a, (size_t)s->n * (size_t)s->n, sizeof(double));
    ok = o->M[gr->list[k]] && ok;
  }
  return ok && b->weight && b->piv ? NS_OK : NS_NOMEM;
}

int ns_euler_newton_create(euler_moreau *o, ns_ctx *c)
{
  for (int g = 0; g < o->base.groups.n; g++) {
    if (o->newton_of[g] < 0) continue;
    newton_block *b = &o->newton[o->newton_of[g]];
    *b = (newton_block){.g = g, .n = o->base.groups.size[g]};
    int rc = get_memory(o, b) ? ns_nomem(c, "integrator") : ns_dense_prepare(c, b->n);
    if (rc) return rc;
  }
  return NS_OK;
}

/* ---- evaluation ------------------------------------------------------------------------------ */

/* y = M dx of system i. */
static void mass_product(const euler_moreau *o, int i, const double *dx, double *y)
{
  int n = o->base.m->systems[i].n;
  if (!o->M[i]) {
    memcpy(y, dx, (size_t)n * sizeof *y);
    return;
  }
  memset(y, 0, (size_t)n * sizeof *y);
  ns_rate_gemv(n, 1, o->M[i], dx, y);
}

static ns_point iterate_point(const euler_moreau *o, const ns_system *s)
{
  const ns_state *x = o->base.x;
  return ns_first_order_point(s, o->base.t1, o->x, x->v, x->z);
}

/* M, f1 and the residual without input of one system; M dx is left in tmp. M is taken at t_k +
 * theta h. */
static int evaluate(euler_moreau *o, ns_ctx *c, int i)
{
  const ns_system *s = &o->base.m->systems[i];
  ns_point p = iterate_point(o, s);
  double *R = o->R + s->q, *Mdx = o->tmp + s->q, *f1 = o->f1 + s->q, h = o->h, th = o->theta;
  const double *x0 = o->base.x->q + s->q, *fk = o->base.fk + s->q;
  p.t = *o->base.x->t + th * h;
  int rc = o->M[i] ? ns_first_order_mass(s, c, &p, o->base.work, o->M[i]) : NS_OK;
  p.t = o->base.t1;
  if (!rc) rc = ns_first_order_field(s, c, &p, o->base.work, f1);
  if (rc) return rc;
  for (int k = 0; k < s->n; k++) R[k] = p.q[k] - x0[k];
  mass_product(o, i, R, Mdx);
  for (int k = 0; k < s->n; k++) R[k] = Mdx[k] - h * (th * f1[k] + (1 - th) * fk[k]);
  return NS_OK;
}

int ns_euler_newton_evaluate(euler_moreau *o, ns_ctx *c)
{
  const ns_rate_groups *gr = &o->base.groups;
  int rc = NS_OK;
  for (int k = 0; k < o->nnewton; k++) {
    int g = o->newton[k].g;
    for (int i = gr->first[g]; i < gr->first[g + 1] && !rc; i++) rc = evaluate(o, c, gr->list[i]);
  }
  return rc;
}

/* ---- iteration matrix ------------------------------------------------------------------------ */

/* M - h theta A of system i, at (at, at) of the group's W; the Jacobian is written to scratch A
 * first. */
static int put_system(euler_moreau *o, ns_ctx *c, newton_block *b, int i, double *A)
{
  const ns_system *s = &o->base.m->systems[i];
  ns_point p = iterate_point(o, s);
  int n = s->n, ld = b->n, at = o->base.groups.at[i];
  double ht = o->h * o->theta;
  int rc = ht > 0 ? ns_first_order_jacobian(s, c, &p, o->base.work, A) : NS_OK;
  if (rc) return rc;
  for (int j = 0; j < n; j++) {
    double *w = b->W + (size_t)at + (size_t)(at + j) * (size_t)ld, *weight = &b->weight[at + j];
    *weight = 0;
    for (int k = 0; k < n; k++) {
      double M = o->M[i] ? o->M[i][k + j * n] : k == j;
      w[k] = ht > 0 ? M - ht * A[k + j * n] : M;
      *weight += fabs(M) + fabs(w[k]);
    }
  }
  return NS_OK;
}

static int is_zero(const double *a, int n)
{
  int i = 0;
  while (i < n && a[i] == 0) i++;
  return i == n;
}

/* W -= h gamma K; rows and columns of K go over the systems of the interaction. */
static void put_tangent(euler_moreau *o, const ns_rate_tangent *t)
{
  const ns_model *m = o->base.m;
  const ns_interaction *it = &m->interactions[t->interaction];
  if (is_zero(t->K, it->nQ * it->nQ)) return; /* most of those without a multiplier */
  newton_block *b = &o->newton[o->newton_of[o->base.groups.of[it->systems[0]]]];
  double hg = o->h * o->gamma;
  const double *K = t->K;
  for (int a = 0; a < it->nsystems; a++)
    for (int j = 0; j < m->systems[it->systems[a]].n; j++) {
      double *w = b->W + (size_t)(o->base.groups.at[it->systems[a]] + j) * (size_t)b->n;
      for (int e = 0; e < it->nsystems; e++)
        for (int i = 0; i < m->systems[it->systems[e]].n; i++)
          w[o->base.groups.at[it->systems[e]] + i] -= hg * *K++;
    }
}

/* The system that row k of a group belongs to; k becomes its row there. */
static int row_of(const ns_rate_groups *gr, int g, int *k)
{
  int i = gr->first[g];
  while (i + 1 < gr->first[g + 1] && gr->at[gr->list[i + 1]] <= *k) i++;
  *k -= gr->at[gr->list[i]];
  return gr->list[i];
}

static int factor(euler_moreau *o, ns_ctx *c, newton_block *b, int *changed)
{
  size_t bytes = (size_t)b->n * (size_t)b->n * sizeof(double);
  if (b->factored && !memcmp(b->W, b->last, bytes)) return NS_OK;
  memcpy(b->LU, b->W, bytes);
  b->factored = 0;
  int k = ns_dense_lu(b->n, b->LU, b->n, b->piv) - 1;
  if (k >= 0) {
    int s = row_of(&o->base.groups, b->g, &k);
    return ns_rate_base_singular(&o->base, c, s, k + 1,
                                 "the iteration matrix M - h theta df/dx - h gamma dR/dX");
  }
  memcpy(b->last, b->W, bytes);
  b->factored = *changed = 1;
  return NS_OK;
}

/* R must be finite before W makes a riddle of it. */
static int check_residual(euler_moreau *o, ns_ctx *c)
{
  const ns_rate_groups *gr = &o->base.groups;
  double sum = 0;
  for (int k = 0; k < o->nnewton; k++) {
    int g = o->newton[k].g;
    for (int i = gr->begin[g]; i < gr->begin[g + 1]; i++) sum += 0 * o->R[gr->entry[i]];
  }
  return sum == 0 ? NS_OK : ns_rate_base_blame(&o->base, c, o->x, o->f1, o->R);
}

int ns_euler_newton_linearise(euler_moreau *o, ns_ctx *c, const ns_rate_tangent *K, int nk,
                              int *changed)
{
  const ns_rate_groups *gr = &o->base.groups;
  int rc = check_residual(o, c);
  for (int k = 0; k < o->nnewton && !rc; k++) {
    newton_block *b = &o->newton[k];
    memset(b->W, 0, (size_t)b->n * (size_t)b->n * sizeof(double));
    for (int i = gr->first[b->g]; i < gr->first[b->g + 1] && !rc; i++)
      rc = put_system(o, c, b, gr->list[i], o->scratch);
  }
  for (int k = 0; k < nk && !rc; k++) put_tangent(o, &K[k]);
  for (int k = 0; k < o->nnewton && !rc; k++) rc = factor(o, c, &o->newton[k], changed);
  return rc;
}

/* ---- the step -------------------------------------------------------------------------------- */

void ns_euler_newton_free(euler_moreau *o, double *xfree)
{
  const ns_rate_groups *gr = &o->base.groups;
  double hk = euler_moreau_hk(o), *w = o->scratch;
  for (int k = 0; k < o->nnewton; k++) {
    const newton_block *b = &o->newton[k];
    const int *entry = gr->entry + gr->begin[b->g];
    for (int i = 0; i < b->n; i++) w[i] = hk * o->base.x->p[entry[i]] - o->R[entry[i]];
    ns_dense_lu_solve(b->n, b->LU, b->n, b->piv, 1, w, b->n);
    for (int i = 0; i < b->n; i++) xfree[entry[i]] = o->x[entry[i]] + w[i];
  }
}

double ns_euler_newton_residual(euler_moreau *o, const double *r, ns_suspect *w)
{
  const ns_rate_groups *gr = &o->base.groups;
  double worst = 0, hr = euler_moreau_hr(o), hk = euler_moreau_hk(o);
  for (int k = 0; k < o->nnewton; k++) {
    const newton_block *b = &o->newton[k];
    for (int j = gr->first[b->g]; j < gr->first[b->g + 1]; j++) {
      const ns_system *s = &o->base.m->systems[gr->list[j]];
      const double *weight = b->weight + gr->at[gr->list[j]];
      double rounding = 0, *R = o->v + s->q;
      for (int i = 0; i < s->n; i++) {
        size_t d = s->q + (size_t)i;
        R[i] = o->R[d] - hr * r[d] - hk * o->base.x->p[d];
        rounding += weight[i] * fabs(o->x[d]);
      }
      double e = ns_euler_scaled(o, s->n, R, o->tmp + s->q, o->f1 + s->q, r + s->q, rounding);
      if (!(e <= worst)) worst = e; /* a NaN stays */
      if (w) ns_suspect_system(w, s, e);
    }
  }
  return worst;
}
