/* SPDX-License-Identifier: GPL-3.0-or-later */
/* euler_moreau_sparse.c -- the unreduced kernel: W and the right-hand side of  W x+ = b + hr r+,
 *
 *   b = M x_k + h (1-theta) f_k + h theta b+ + h (1-gamma) r_k
 *
 * All systems are linear and time-invariant. Nothing of the size of a matrix is formed but its
 * non-zero entries. */
#include "integrators/euler_moreau_data.h"

#include "model/systems/first_order.h"

#include <math.h>
#include <string.h>

static double entry(const ns_operator *o, int i, int j, int identity)
{
  return o->how ? ns_operator_entry(o, i, j) : identity && i == j;
}

/* Which of the three matrices. */
typedef enum part { PART_M, PART_A, PART_W } part;

/* Entry (i, j) of system s belongs to the pattern. The diagonal of W always does. */
static int present(const ns_system *s, part p, int i, int j)
{
  if (p == PART_W && i == j) return 1;
  return (p != PART_A && entry(&s->fo.M, i, j, 1) != 0) ||
         (p != PART_M && entry(&s->fo.A, i, j, 0) != 0);
}

static size_t count(const ns_model *m, part p)
{
  size_t n = 0;
  for (int k = 0; k < m->nsystems; k++)
    for (int j = 0; j < m->systems[k].n; j++)
      for (int i = 0; i < m->systems[k].n; i++) n += (size_t)present(&m->systems[k], p, i, j);
  return n;
}

static int make(euler_moreau *o, part p, ns_blocks *B)
{
  const ns_model *m = o->base.m;
  size_t nq = m->nq, nnz = count(m, p);
  B->nb = B->m = (int)nq;
  B->dim = ns_arena_get(o->base.mem, nq, sizeof(int));
  B->first = ns_arena_get(o->base.mem, nq + 1, sizeof(int));
  B->row = ns_arena_zero(o->base.mem, nq + 1, sizeof(int));
  B->col = ns_arena_get(o->base.mem, nnz, sizeof(int));
  B->off = ns_arena_get(o->base.mem, nnz + 1, sizeof(size_t));
  B->val = ns_arena_zero(o->base.mem, nnz, sizeof(double));
  if (!B->dim || !B->first || !B->row || !B->col || !B->off || !B->val) return NS_NOMEM;
  int n = 0;
  for (int k = 0; k < m->nsystems; k++) {
    const ns_system *s = &m->systems[k];
    for (int i = 0; i < s->n; i++) {
      for (int j = 0; j < s->n; j++)
        if (present(s, p, i, j)) {
          B->col[n] = (int)s->q + j;
          B->val[n++] = p == PART_A ? entry(&s->fo.A, i, j, 0) : entry(&s->fo.M, i, j, 1);
        }
      B->row[s->q + (size_t)i + 1] = n;
    }
  }
  for (int i = 0; i < (int)nq; i++) B->dim[i] = 1, B->first[i] = i;
  B->first[nq] = (int)nq;
  for (size_t k = 0; k <= nnz; k++) B->off[k] = k;
  return NS_OK;
}

int ns_euler_sparse_create(euler_moreau *o, ns_ctx *c)
{
  sparse_kernel *k = &o->sparse;
  k->weight = ns_arena_zero(o->base.mem, o->base.m->nq, sizeof(double));
  if (!k->weight || make(o, PART_M, &k->M) || make(o, PART_A, &k->A) || make(o, PART_W, &k->W))
    return ns_nomem(c, "integrator");
  for (int i = 0; i < o->base.m->nsystems; i++) {
    const ns_system *s = &o->base.m->systems[i];
    if (s->fo.b.how == NS_OP_CONSTANT)
      memcpy(o->b1 + s->q, s->fo.b.value, (size_t)s->n * sizeof *o->b1);
  }
  return NS_OK;
}

/* Both patterns are ascending in a row, and A's and M's are parts of W's. */
int ns_euler_sparse_build(euler_moreau *o)
{
  sparse_kernel *k = &o->sparse;
  memset(k->weight, 0, (size_t)k->W.m * sizeof(double));
  for (int i = 0; i < k->W.m; i++) {
    int a = k->A.row[i], ea = k->A.row[i + 1], e = k->M.row[i], ee = k->M.row[i + 1];
    for (int p = k->W.row[i]; p < k->W.row[i + 1]; p++) {
      int j = k->W.col[p];
      double M = 0, A = 0;
      if (e < ee && k->M.col[e] == j) M = k->M.val[e++];
      if (a < ea && k->A.col[a] == j) A = k->A.val[a++];
      k->W.val[p] = M - o->h * o->theta * A;
      k->weight[j] += fabs(M) + fabs(k->W.val[p]);
    }
  }
  return NS_OK;
}

int ns_euler_sparse_begin(euler_moreau *o, ns_ctx *c)
{
  const ns_state *x = o->base.x;
  int rc = NS_OK;
  for (int i = 0; i < o->base.m->nsystems && !rc; i++) {
    const ns_system *s = &o->base.m->systems[i];
    ns_point p = ns_first_order_point(s, o->base.t1, x->q, x->v, x->z);
    if (s->fo.b.how > NS_OP_CONSTANT)
      rc = ns_operator_eval(&s->fo.b, c, &p, o->base.work, o->b1 + s->q);
  }
  return rc;
}

void ns_euler_sparse_free(const euler_moreau *o, double *b)
{
  const double *fk = o->base.fk, *rk = o->base.x->p;
  double a = o->h * (1 - o->theta), e = o->h * o->theta, hk = euler_moreau_hk(o);
  for (size_t i = 0; i < o->base.m->nq; i++) b[i] = a * fk[i] + e * o->b1[i] + hk * rk[i];
  ns_blocks_gemv(1, &o->sparse.M, o->base.x->q, b);
}

void ns_euler_sparse_field(euler_moreau *o)
{
  memcpy(o->f1, o->b1, o->base.m->nq * sizeof(double));
  ns_blocks_gemv(1, &o->sparse.A, o->x, o->f1);
}

double ns_euler_sparse_residual(euler_moreau *o, const double *r, ns_suspect *w)
{
  double worst = 0, h = o->h, th = o->theta, hr = euler_moreau_hr(o), hk = euler_moreau_hk(o);
  const ns_model *m = o->base.m;
  const double *x0 = o->base.x->q, *fk = o->base.fk, *rk = o->base.x->p;
  for (size_t i = 0; i < m->nq; i++) o->v[i] = o->x[i] - x0[i];
  memset(o->tmp, 0, m->nq * sizeof(double));
  ns_blocks_gemv(1, &o->sparse.M, o->v, o->tmp);
  for (int k = 0; k < m->nsystems; k++) {
    const ns_system *s = &m->systems[k];
    double rounding = 0;
    for (size_t i = s->q; i < s->q + (size_t)s->n; i++) {
      o->R[i] = o->tmp[i] - h * (th * o->f1[i] + (1 - th) * fk[i]) - hr * r[i] - hk * rk[i];
      rounding += o->sparse.weight[i] * fabs(o->x[i]);
    }
    double e = ns_euler_scaled(o, s->n, o->R + s->q, o->tmp + s->q, o->f1 + s->q, r + s->q,
                               rounding);
    if (!(e <= worst)) worst = e; /* a NaN stays */
    if (w) ns_suspect_system(w, s, e);
  }
  return worst;
}
