/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/unreduced.h"

#include "algebra/vector.h"
#include "problems/avi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char sparse_newton[] = "sparse-newton";

/* A system of up to so many states, or a problem of so many rows, is a small dense matrix; above
 * it, a system whose entries fill less than a DENSITY-th of the matrix is sparse. Problems of up to
 * FALLBACK rows can afford the dense methods of "auto" where the sparse one finds nothing.
 * bench/ladder.xml: both kernels are equally fast at 5 cells, 10 states and 20 multipliers. */
enum { SMALL = 10, SMALL_ROWS = 30, DENSITY = 4, FALLBACK = 128 };

/* ---- when ------------------------------------------------------------------------------------ */

static size_t entries(const ns_operator *o)
{
  size_t n = 0, all = (size_t)o->rows * (size_t)(o->diagonal ? 1 : o->cols);
  if (o->how != NS_OP_CONSTANT) return 0;
  for (size_t i = 0; i < all; i++) n += o->value[i] != 0;
  return n;
}

static int large_and_sparse(const ns_model *m)
{
  int big = 0;
  double nnz = 0, full = 0;
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    if (!ns_first_order_is_lti(s)) return 0;
    big = s->n > big ? s->n : big;
    nnz += (double)(entries(&s->fo.A) + entries(&s->fo.M)) + s->n;
    full += (double)s->n * s->n;
  }
  return big > SMALL && nnz * DENSITY < full;
}

int ns_unreduced_suits(const ns_model *m, const ns_rate_ops *ops)
{
  const ns_problem_options *o = &m->sim.osnsp;
  if (!ops->sparse || o->storage == NS_STORAGE_DENSE || !ns_avi_solver_find(sparse_newton))
    return 0;
  if (strcmp(o->solver, "auto") != 0 && strcmp(o->solver, sparse_newton) != 0) return 0;
  for (int i = 0; i < m->ninteractions; i++)
    if (!(m->interactions[i].relation->flags & NS_REL_LINEAR) ||
        ns_law_is_polyhedron(m->interactions[i].law.ops))
      return 0;
  return m->nrows > 0 && m->nq + m->nrows > SMALL_ROWS && large_and_sparse(m);
}

const char *ns_unreduced_solver(const ns_model *m)
{
  return m->nq + m->nrows <= FALLBACK ? m->sim.osnsp.solver : sparse_newton;
}

/* ---- structure ------------------------------------------------------------------------------- */

/* B by entries of x: multipliers that act on each. */
static int transpose(const ns_unreduced *u, ns_rows *T)
{
  const ns_rows *B = &u->k->B;
  int n = u->k->nrows, nnz = B->ptr[n];
  T->ptr = calloc((size_t)u->nq + 2, sizeof *T->ptr);
  T->dof = malloc(((size_t)nnz + 1) * sizeof *T->dof);
  if (!T->ptr || !T->dof) return NS_NOMEM;
  for (int e = 0; e < nnz; e++) T->ptr[B->dof[e] + 2]++;
  for (int d = 2; d < u->nq + 2; d++) T->ptr[d] += T->ptr[d - 1];
  for (int r = 0; r < n; r++)
    for (int e = B->ptr[r]; e < B->ptr[r + 1]; e++) T->dof[T->ptr[B->dof[e] + 1]++] = r;
  return NS_OK;
}

/* Sort n columns and drop those that stand twice; how many are left. */
static int settle(int *col, int n)
{
  int kept = 0;
  qsort(col, (size_t)n, sizeof *col, ns_ascending);
  for (int i = 0; i < n; i++)
    if (!kept || col[kept - 1] != col[i]) col[kept++] = col[i];
  return kept;
}

static int columns_of_x(const ns_unreduced *u, const ns_blocks *W, const ns_rows *T, int i,
                        int *col)
{
  int n = 0;
  for (int b = W->row[i]; b < W->row[i + 1]; b++) col[n++] = W->col[b];
  col[n++] = i;
  for (int e = T->ptr[i]; e < T->ptr[i + 1]; e++) col[n++] = u->nq + T->dof[e];
  return settle(col, n);
}

static int columns_of_law(const ns_unreduced *u, int r, int *col)
{
  const ns_couplings *k = u->k;
  int n = 0;
  for (int e = k->C.ptr[r]; e < k->C.ptr[r + 1]; e++) col[n++] = k->C.dof[e];
  for (int e = k->D.ptr[r]; e < k->D.ptr[r + 1]; e++) col[n++] = u->nq + k->D.dof[e];
  col[n++] = u->nq + r;
  return settle(col, n);
}

static int build(ns_unreduced *u, const ns_blocks *W)
{
  const ns_couplings *k = u->k;
  ns_rows T = {0};
  int n = u->nq + k->nrows, rc = transpose(u, &T);
  size_t most = (size_t)W->row[u->nq] + (size_t)k->B.ptr[k->nrows] + (size_t)k->C.ptr[k->nrows] +
                (size_t)k->D.ptr[k->nrows] + (size_t)n;
  if (!rc && most > 1u << 30) rc = NS_NOMEM;
  if (!rc) rc = ns_rows_matrix(u->mem, n, most, &u->M);
  for (int i = 0; i < n && !rc; i++) {
    int *col = u->M.col + u->M.row[i];
    u->M.row[i + 1] = u->M.row[i] + (i < u->nq ? columns_of_x(u, W, &T, i, col)
                                               : columns_of_law(u, i - u->nq, col));
  }
  free(T.ptr);
  free(T.dof);
  return rc;
}

/* Where (i, j) stands. */
static int find(const ns_blocks *M, int i, int j)
{
  int a = M->row[i], b = M->row[i + 1] - 1;
  while (a < b) {
    int mid = (a + b) / 2;
    if (M->col[mid] < j) a = mid + 1;
    else b = mid;
  }
  return a;
}

static int places(ns_unreduced *u, const ns_blocks *W)
{
  const ns_couplings *k = u->k;
  int n = k->nrows, nq = u->nq;
  u->W_at = ns_arena_get(u->mem, (size_t)W->row[nq], sizeof *u->W_at);
  u->B_at = ns_arena_get(u->mem, (size_t)k->B.ptr[n], sizeof *u->B_at);
  u->C_at = ns_arena_get(u->mem, (size_t)k->C.ptr[n], sizeof *u->C_at);
  u->D_at = ns_arena_get(u->mem, (size_t)k->D.ptr[n], sizeof *u->D_at);
  u->diagonal = ns_arena_get(u->mem, (size_t)(nq + n), sizeof *u->diagonal);
  if (!u->W_at || !u->B_at || !u->C_at || !u->D_at || !u->diagonal) return NS_NOMEM;
  for (int i = 0; i < nq; i++)
    for (int b = W->row[i]; b < W->row[i + 1]; b++) u->W_at[b] = find(&u->M, i, W->col[b]);
  for (int r = 0; r < n; r++) {
    for (int e = k->B.ptr[r]; e < k->B.ptr[r + 1]; e++)
      u->B_at[e] = find(&u->M, k->B.dof[e], nq + r);
    for (int e = k->C.ptr[r]; e < k->C.ptr[r + 1]; e++)
      u->C_at[e] = find(&u->M, nq + r, k->C.dof[e]);
    for (int e = k->D.ptr[r]; e < k->D.ptr[r + 1]; e++)
      u->D_at[e] = find(&u->M, nq + r, nq + k->D.dof[e]);
  }
  for (int i = 0; i < nq + n; i++) u->diagonal[i] = find(&u->M, i, i);
  return NS_OK;
}

int ns_unreduced_create(ns_ctx *c, const ns_couplings *k, ns_unreduced **out)
{
  ns_unreduced *u = *out = calloc(1, sizeof *u);
  if (!u) return ns_nomem(c, "unreduced problem");
  double gain;
  *u = (ns_unreduced){.k = k, .ops = k->ops, .osi = k->osi, .nq = (int)k->m->nq};
  const ns_blocks *W = u->ops->matrix(u->osi, &gain);
  u->mem = ns_arena_create(0, 1);
  int rc = u->mem ? build(u, W) : NS_NOMEM;
  if (!rc) rc = places(u, W);
  if (!rc) return NS_OK;
  ns_unreduced_destroy(u);
  *out = NULL;
  return ns_nomem(c, "unreduced problem");
}

void ns_unreduced_destroy(ns_unreduced *u)
{
  if (!u) return;
  ns_arena_destroy(u->mem);
  free(u);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void clear(ns_unreduced *u)
{
  memset(u->M.val, 0, (size_t)u->M.row[u->M.nb] * sizeof *u->M.val);
}

void ns_unreduced_refresh(ns_unreduced *u, double where)
{
  const ns_couplings *k = u->k;
  double gain, *val = u->M.val;
  const ns_blocks *W = u->ops->matrix(u->osi, &gain);
  clear(u);
  for (int b = 0; b < W->row[u->nq]; b++) val[u->W_at[b]] += W->val[W->off[b]];
  for (int e = 0; e < k->B.ptr[k->nrows]; e++) val[u->B_at[e]] -= gain * k->B.val[e];
  for (int e = 0; e < k->C.ptr[k->nrows]; e++) val[u->C_at[e]] += where * k->C.val[e];
  for (int e = 0; e < k->D.ptr[k->nrows]; e++) val[u->D_at[e]] += k->D.val[e];
}

void ns_unreduced_static(ns_unreduced *u)
{
  const ns_couplings *k = u->k;
  clear(u);
  for (int i = 0; i < u->nq; i++) u->M.val[u->diagonal[i]] = 1;
  for (int r = 0; r < k->nrows; r++) {
    double most = 0;
    for (int e = k->D.ptr[r]; e < k->D.ptr[r + 1]; e++) {
      u->M.val[u->D_at[e]] += k->D.val[e];
      most = fmax(most, fabs(k->D.val[e]));
    }
    if (most == 0) u->M.val[u->diagonal[u->nq + r]] = 1;
  }
}

void ns_unreduced_q(const ns_unreduced *u, const double *xk, double *q)
{
  const ns_couplings *k = u->k;
  for (int r = 0; r < k->nrows; r++)
    q[u->nq + r] = k->offset[r] + (xk ? ns_rows_dot(&k->C, r, xk) : 0);
}
