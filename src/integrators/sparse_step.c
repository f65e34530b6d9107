/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/sparse_step.h"

#include "algebra/vector.h"
#include "model/systems/first_order.h"

#include <math.h>
#include <string.h>

/* Which of the three matrices. */
typedef enum part { PART_M, PART_A, PART_W } part;

/* Entry (i, j) of system s belongs to the pattern. The diagonal of W always does. */
static int present(const ns_system *s, part p, int i, int j)
{
  if (p == PART_W && i == j) return 1;
  return (p != PART_A && ns_operator_entry_or(&s->fo.M, i, j, i == j) != 0) ||
         (p != PART_M && ns_operator_entry_or(&s->fo.A, i, j, 0) != 0);
}

static size_t count(const ns_model *m, part p)
{
  size_t n = 0;
  for (int k = 0; k < m->nsystems; k++)
    for (int j = 0; j < m->systems[k].n; j++)
      for (int i = 0; i < m->systems[k].n; i++) n += (size_t)present(&m->systems[k], p, i, j);
  return n;
}

static int make(ns_arena *a, const ns_model *m, part p, ns_blocks *B)
{
  int n = 0;
  if (ns_blocks_scalar(a, (int)m->nq, count(m, p), B)) return NS_NOMEM;
  for (int k = 0; k < m->nsystems; k++) {
    const ns_system *s = &m->systems[k];
    for (int i = 0; i < s->n; i++) {
      for (int j = 0; j < s->n; j++)
        if (present(s, p, i, j)) {
          B->col[n] = (int)s->q + j;
          B->val[n++] = p == PART_A ? ns_operator_entry_or(&s->fo.A, i, j, 0)
                                    : ns_operator_entry_or(&s->fo.M, i, j, i == j);
        }
      B->row[s->q + (size_t)i + 1] = n;
    }
  }
  return NS_OK;
}

int ns_sparse_step_create(ns_sparse_step *o, ns_arena *a, const ns_model *m, double theta)
{
  *o = (ns_sparse_step){.m = m, .theta = theta};
  o->weight = ns_arena_zero(a, m->nq, sizeof(double));
  o->b = ns_arena_zero(a, m->nq, sizeof(double));
  if (!o->weight || !o->b || make(a, m, PART_M, &o->M) || make(a, m, PART_A, &o->A) ||
      make(a, m, PART_W, &o->W))
    return NS_NOMEM;
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    if (s->fo.b.how == NS_OP_CONSTANT)
      memcpy(o->b + s->q, s->fo.b.value, (size_t)s->n * sizeof *o->b);
  }
  return NS_OK;
}

/* Both patterns are ascending in a row, and A's and M's are parts of W's. */
void ns_sparse_step_build(ns_sparse_step *k, double h)
{
  k->h = h;
  memset(k->weight, 0, (size_t)k->W.m * sizeof(double));
  for (int i = 0; i < k->W.m; i++) {
    int a = k->A.row[i], ea = k->A.row[i + 1], e = k->M.row[i], ee = k->M.row[i + 1];
    for (int p = k->W.row[i]; p < k->W.row[i + 1]; p++) {
      int j = k->W.col[p];
      double M = 0, A = 0;
      if (e < ee && k->M.col[e] == j) M = k->M.val[e++];
      if (a < ea && k->A.col[a] == j) A = k->A.val[a++];
      k->W.val[p] = M - h * k->theta * A;
      k->weight[j] += fabs(M) + fabs(k->W.val[p]);
    }
  }
}

int ns_sparse_step_begin(ns_sparse_step *o, ns_ctx *c, const ns_state *x, double t1, double *work)
{
  int rc = NS_OK;
  for (int i = 0; i < o->m->nsystems && !rc; i++) {
    const ns_system *s = &o->m->systems[i];
    ns_point p = ns_system_point(s, t1, x->q, x->v, x->z);
    if (s->fo.b.how > NS_OP_CONSTANT) rc = ns_operator_eval(&s->fo.b, c, &p, work, o->b + s->q);
  }
  return rc;
}

void ns_sparse_step_free(const ns_sparse_step *o, const double *x, const double *f,
                         const double *before, double *b)
{
  double a = o->h * (1 - o->theta), e = o->h * o->theta;
  for (size_t i = 0; i < o->m->nq; i++) b[i] = a * f[i] + e * o->b[i] + before[i];
  ns_blocks_gemv(1, &o->M, x, b);
}

void ns_sparse_step_field(const ns_sparse_step *o, const double *x, double *f)
{
  memcpy(f, o->b, o->m->nq * sizeof *f);
  ns_blocks_gemv(1, &o->A, x, f);
}

void ns_sparse_step_residual(const ns_sparse_step *o, const double *x, const double *x0,
                             const double *f0, const double *f, double *Mdx, double *R)
{
  size_t n = o->m->nq;
  ns_linear_sum(n, x, -1, x0, R);
  memset(Mdx, 0, n * sizeof *Mdx);
  ns_blocks_gemv(1, &o->M, R, Mdx);
  for (size_t i = 0; i < n; i++) R[i] = Mdx[i] - o->h * (o->theta * f[i] + (1 - o->theta) * f0[i]);
}
