/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moreau_jean_sparse.c -- large linear systems whose matrices are mostly zero: a bar or a net of
 * thousands of elements as one system. W is factored once as sparse rows, and no step touches a
 * zero.
 *
 * A symmetric W (M positive, and what h theta C + h^2 theta^2 K adds to it) needs no pivoting;
 * another is factored with it. */
#include "algebra/dense.h"
#include "integrators/moreau_jean_data.h"
#include "model/systems/lagrangian.h"

#include <string.h>

/* A system of up to so many coordinates is a small dense matrix; above it, one whose entries fill
 * less than a DENSITY-th of the matrix is sparse, if its factor fills less than a DENSITY-th of the
 * triangle: an entry of a dense matrix costs a third of a sparse one's. A chain of 25 is 2 times
 * faster by sparse rows, of 100 10 times. */
enum { SMALL = NS_DENSE_SMALL, DENSITY = 4 };

static int is_sparse(const ns_system *s)
{
  return s->n > SMALL && ns_lagrangian_entries(s) * DENSITY < (size_t)s->n * (size_t)s->n;
}

/* Rows of A without their zeros. */
static int copy(ns_arena *a, const ns_operator *A, int n, int identity, ns_blocks *B)
{
  size_t nnz = 0;
  int at = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) nnz += ns_operator_entry_or(A, i, j, identity && i == j) != 0;
  if (ns_blocks_scalar(a, n, nnz, B)) return NS_NOMEM;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double x = ns_operator_entry_or(A, i, j, identity && i == j);
      if (x == 0) continue;
      B->col[at] = j;
      B->val[at++] = x;
    }
    B->row[i + 1] = at;
  }
  return NS_OK;
}

void ns_moreau_jean_sparse_end(sparse_system *p)
{
  if (!p) return;
  ns_sparse_factor_destroy(p->f);
  ns_sparse_lu_destroy(p->lu);
}

/* Memory of the factors; b->sparse stays NULL where a dense factor is smaller. */
static int get_factor(ns_ctx *c, block *b, sparse_system *p, size_t n)
{
  int rc = b->symmetric ? ns_sparse_factor_create(c, &p->W, 1, &p->f)
                        : ns_sparse_lu_create(c, &p->W, &p->lu);
  if (rc) return rc;
  b->sparse = p;
  if (!p->f || ns_sparse_factor_fill(p->f) * DENSITY < n * n / 2) return NS_OK;
  ns_moreau_jean_sparse_end(p);
  b->sparse = NULL;
  return NS_OK;
}

int ns_moreau_jean_sparse(moreau_jean *o, ns_ctx *c, block *b)
{
  const ns_system *s = &o->m->systems[b->s];
  if (!is_sparse(s)) return NS_OK;
  sparse_system *p = ns_arena_zero(o->mem, 1, sizeof *p);
  int n = s->n, at = 0;
  if (!p || copy(o->mem, &s->mass, n, 1, &p->M) || copy(o->mem, &s->damping, n, 0, &p->C) ||
      copy(o->mem, &s->stiffness, n, 0, &p->K) ||
      ns_blocks_scalar(o->mem, n, ns_lagrangian_entries(s), &p->W))
    return ns_nomem(c, "matrices of a sparse system");
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      if (ns_lagrangian_couples(s, i, j)) p->W.col[at++] = j;
    p->W.row[i + 1] = at;
  }
  p->b = ns_arena_zero(o->mem, (size_t)n, sizeof *p->b);
  p->x = ns_arena_zero(o->mem, (size_t)n, sizeof *p->x);
  if (!p->b || !p->x) return ns_nomem(c, "matrices of a sparse system");
  return get_factor(c, b, p, (size_t)n);
}

/* Row i of W += f times that of A, whose columns are among its own. */
static void add_row(ns_blocks *W, int i, double f, const ns_blocks *A)
{
  int w = W->row[i];
  for (int e = A->row[i]; e < A->row[i + 1]; e++) {
    while (W->col[w] != A->col[e]) w++;
    W->val[w] += f * A->val[e];
  }
}

/* Columns of prescribed velocities are kept, and become unit rows and columns
 * (moreau_jean_boundary.c). */
static void hold(moreau_jean *o, block *b)
{
  const ns_system *s = &o->m->systems[b->s];
  ns_blocks *W = &b->sparse->W;
  memset(b->column, 0, (size_t)s->n * (size_t)b->nheld * sizeof *b->column);
  for (int i = 0; i < s->n; i++)
    for (int e = W->row[i]; e < W->row[i + 1]; e++) {
      int j = W->col[e], held = o->is_held[s->q + (size_t)i];
      for (int k = 0; k < b->nheld; k++)
        if ((size_t)o->held[b->held + k] == s->q + (size_t)j) {
          b->column[i + k * s->n] = W->val[e];
          held = 1;
        }
      if (held) W->val[e] = i == j;
    }
}

int ns_moreau_jean_sparse_build(moreau_jean *o, block *b, double a, double k)
{
  sparse_system *p = b->sparse;
  memset(p->W.val, 0, (size_t)p->W.row[p->W.nb] * sizeof *p->W.val);
  for (int i = 0; i < p->W.nb; i++) {
    add_row(&p->W, i, 1, &p->M);
    add_row(&p->W, i, a, &p->C);
    add_row(&p->W, i, k, &p->K);
  }
  if (b->nheld) hold(o, b);
  int pivot = p->f ? ns_sparse_factor_numeric(p->f, &p->W, NULL, NULL, NULL, NULL)
                   : ns_sparse_lu_load(p->lu, &p->W, NULL);
  if (!pivot && p->lu) pivot = ns_sparse_lu_update(p->lu);
  return pivot < 0 ? 1 : pivot;
}

void ns_moreau_jean_sparse_solve(const sparse_system *p, double *x)
{
  if (p->f) ns_sparse_factor_solve(p->f, x);
  else ns_sparse_lu_apply(p->lu, p->b, p->x, x);
}

double ns_moreau_jean_sparse_form(const ns_blocks *A, const double *x, const double *y)
{
  double sum = 0;
  if (A->row[A->nb] == 0) return 0;
  for (int i = 0; i < A->nb; i++) {
    double s = 0;
    for (int e = A->row[i]; e < A->row[i + 1]; e++) s += A->val[e] * y[A->col[e]];
    sum += x[i] * s;
  }
  return sum;
}
