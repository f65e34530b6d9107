/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/global_newton_parts.h"

#include "algebra/vector.h"

#include <stdlib.h>
#include <string.h>

/* ---- structure ------------------------------------------------------------------------------- */

/* Columns of the velocities of a block's rows, ascending, each once; their number. */
static int columns_of(const ns_global *p, int a, int *list)
{
  int first = p->first[a], d = p->dim[a], n = 0, k = 0;
  for (int e = p->row[first]; e < p->row[first + d]; e++) list[n++] = p->col[e];
  qsort(list, (size_t)n, sizeof *list, ns_ascending);
  for (int i = 0; i < n; i++)
    if (i == 0 || list[i] != list[i - 1]) list[k++] = list[i];
  return k;
}

static int find(const int *list, int n, int j)
{
  int low = 0, high = n - 1;
  while (low < high) {
    int mid = (low + high) / 2;
    if (list[mid] < j) low = mid + 1;
    else high = mid;
  }
  return low;
}

static size_t entries(const ns_global *p, int *list)
{
  size_t n = (size_t)p->M->row[p->M->m] + (size_t)p->row[p->m];
  for (int a = 0; a < p->nb; a++)
    n += (size_t)p->dim[a] * (size_t)(columns_of(p, a, list) + p->dim[a]);
  return n;
}

/* Rows of v: those of M, then the contacts that push there; next [n]: work. */
static void velocity_rows(ns_global_newton *s, int *next)
{
  const ns_global *p = s->p;
  ns_blocks *S = &s->S;
  memset(next, 0, (size_t)s->n * sizeof *next);
  for (int e = 0; e < p->row[s->m]; e++) next[p->col[e]]++;
  for (int i = 0, at = 0; i < s->n; i++) {
    for (int e = p->M->row[i]; e < p->M->row[i + 1]; e++) S->col[at++] = p->M->col[e];
    int count = next[i];
    next[i] = at;
    S->row[i + 1] = at += count;
  }
  for (int r = 0; r < s->m; r++)
    for (int e = p->row[r]; e < p->row[r + 1]; e++) {
      S->col[next[p->col[e]]] = s->n + r;
      s->cross[e] = next[p->col[e]]++;
    }
}

static void contact_rows(ns_global_newton *s, int *list)
{
  const ns_global *p = s->p;
  ns_blocks *S = &s->S;
  int at = S->row[s->n];
  for (int a = 0; a < p->nb; a++) {
    int first = p->first[a], d = p->dim[a], n = columns_of(p, a, list);
    for (int e = p->row[first]; e < p->row[first + d]; e++) s->place[e] = find(list, n, p->col[e]);
    for (int i = 0; i < d; i++) {
      memcpy(S->col + at, list, (size_t)n * sizeof *list);
      at += n;
      for (int j = 0; j < d; j++) S->col[at++] = s->n + first + j;
      S->row[s->n + first + i + 1] = at;
    }
  }
}

static int get(ns_global_newton *s, size_t nnz)
{
  size_t n = (size_t)s->n, m = (size_t)s->m, nb = (size_t)s->p->nb, H = (size_t)s->p->row[s->m],
         d = sizeof(double);
  const ns_array want[] = {{&s->rho, m, d},
                           {&s->F, m, d},
                           {&s->G, m, d},
                           {&s->r, m, d},
                           {&s->u, m, d},
                           {&s->r1, m, d},
                           {&s->u1, m, d},
                           {&s->rt, m, d},
                           {&s->ut, m, d},
                           {&s->best, m, d},
                           {&s->z, m, d},
                           {&s->v, n, d},
                           {&s->v1, n, d},
                           {&s->fastest, n, d},
                           {&s->work, n, d},
                           {&s->rhs, n + m, d},
                           {&s->b, n + m, d},
                           {&s->x, n + m, d},
                           {&s->cross, H, sizeof(int)},
                           {&s->place, H, sizeof(int)},
                           {&s->loaded, nnz, d},
                           {&s->k, nb, sizeof *s->k},
                           {&s->is, nb, 1},
                           {&s->was, nb, 1}};
  return !ns_blocks_scalar(s->mem, s->n + s->m, nnz, &s->S) &&
         !ns_arena_arrays(s->mem, want, sizeof want / sizeof *want);
}

/* list [max(n, row[m]) + 1]: work. */
static int build(ns_global_newton *s, ns_ctx *c, int *list)
{
  for (int a = 0; a < s->p->nb; a++)
    if (s->p->kind && s->p->kind[a] == NS_BLOCK_ROLLING)
      return ns_fail_below(
          c, NS_NUMERIC,
          "global friction problem: block %d has rolling friction, which is not supported in this "
          "form; expected friction or bounds, or the problem reduced to its contacts",
          a);
    else if (s->p->dim[a] > (ns_global_is_friction(s->p, a) ? NS_GLOBAL_ROWS : 1))
      return ns_fail_below(c, NS_NUMERIC,
                           "global friction problem: block %d has %d rows, expected 1 in a box and "
                           "at most %d with friction",
                           a, s->p->dim[a], NS_GLOBAL_ROWS);
  size_t nnz = entries(s->p, list);
  if (nnz > 0x7ffffff0)
    return ns_fail_below(
        c, NS_NUMERIC, "global friction problem: its matrix has %zu entries, expected at most 2^31",
        nnz);
  if (!get(s, nnz)) return ns_nomem(c, "global friction problem");
  velocity_rows(s, list);
  contact_rows(s, list);
  return ns_sparse_lu_create(c, &s->S, &s->lu);
}

int ns_global_newton_build(ns_global_newton *s, ns_ctx *c)
{
  size_t max = (size_t)(s->n > s->p->row[s->m] ? s->n : s->p->row[s->m]);
  int *list = malloc((max + 1) * sizeof *list),
      rc = list ? build(s, c, list) : ns_nomem(c, "global friction problem");
  free(list);
  return rc;
}

/* ---- values ---------------------------------------------------------------------------------- */

static double diagonal(const ns_global *p, int i)
{
  for (int e = p->M->row[i]; e < p->M->row[i + 1]; e++)
    if (p->M->col[e] == i) return p->M->val[p->M->off[e]];
  return 0;
}

/* H_i^T diag(M)^-1 H_j: the size of W, not its value. */
static double meet(const ns_global_newton *s, int i, int j)
{
  const ns_global *p = s->p;
  double w = 0;
  for (int e = p->row[j]; e < p->row[j + 1]; e++) s->work[p->col[e]] = p->val[e];
  for (int e = p->row[i]; e < p->row[i + 1]; e++)
    w += p->val[e] * s->work[p->col[e]] / diagonal(p, p->col[e]);
  for (int e = p->row[j]; e < p->row[j + 1]; e++) s->work[p->col[e]] = 0;
  return w;
}

static int prepare(ns_global_newton *s, int a)
{
  const ns_global *p = s->p;
  int first = p->first[a], d = p->dim[a];
  double W[NS_GLOBAL_ROWS * NS_GLOBAL_ROWS];
  for (int i = 0; i < d && !ns_global_is_friction(p, a); i++) {
    double w = meet(s, first + i, first + i);
    s->rho[first + i] = w > 0 ? 1 / w : 1;
  }
  if (!ns_global_is_friction(p, a)) return 1;
  for (int j = 0; j < d; j++)
    for (int i = 0; i < d; i++) W[i + j * d] = meet(s, first + i, first + j);
  return ns_contact_prepare(d, W, p->mu[a], &s->k[a]) == 0;
}

int ns_global_newton_refresh(ns_global_newton *s)
{
  const ns_global *p = s->p;
  int ok = 1;
  for (int i = 0; i < s->n; i++)
    for (int e = p->M->row[i], at = s->S.row[i]; e < p->M->row[i + 1]; e++)
      s->S.val[at++] = p->M->val[p->M->off[e]];
  for (int e = 0; e < p->row[s->m]; e++) s->S.val[s->cross[e]] = -p->val[e];
  memset(s->work, 0, (size_t)s->n * sizeof *s->work);
  for (int a = 0; a < p->nb && ok; a++) ok = prepare(s, a);
  s->fresh = ok;
  return ok;
}

void ns_global_newton_put(ns_global_newton *s, int a, const double *A, const double *B)
{
  const ns_global *p = s->p;
  int first = p->first[a], d = p->dim[a];
  for (int i = 0; i < d; i++) {
    int at = s->S.row[s->n + first + i], end = s->S.row[s->n + first + i + 1];
    memset(s->S.val + at, 0, (size_t)(end - at - d) * sizeof *s->S.val);
    for (int j = 0; j < d; j++) {
      double f = A[i + j * d];
      for (int e = p->row[first + j]; e < p->row[first + j + 1] && f != 0; e++)
        s->S.val[at + s->place[e]] += f * p->val[e];
      s->S.val[end - d + j] = B[i + j * d];
    }
  }
}

int ns_global_newton_factor(ns_global_newton *s)
{
  const ns_global *p = s->p;
  size_t bytes = (size_t)s->S.row[s->S.nb] * sizeof *s->S.val, nb = (size_t)p->nb;
  if (s->factored && !memcmp(s->loaded, s->S.val, bytes) && !memcmp(s->is, s->was, nb)) return 0;
  memcpy(s->loaded, s->S.val, bytes);
  memcpy(s->was, s->is, nb);
  s->factored = 0;
  if (ns_sparse_lu_load(s->lu, &s->S, NULL)) return -1;
  for (int a = 0; a < p->nb; a++)
    for (int i = 0; i < p->dim[a] && !s->is[a]; i++)
      ns_sparse_lu_unit(s->lu, s->n + p->first[a] + i, 1);
  int bad = ns_sparse_lu_update(s->lu);
  s->factored = bad == 0;
  return bad;
}

void ns_global_newton_backsolve(ns_global_newton *s, double *v, double *r)
{
  const int *place = ns_sparse_lu_place(s->lu);
  for (int i = 0; i < s->n + s->m; i++) s->b[place[i]] = s->rhs[i] * ns_sparse_lu_scale(s->lu, i);
  for (int a = 0; a < s->p->nb; a++)
    for (int i = s->p->first[a]; i < s->p->first[a + 1] && !s->is[a]; i++)
      s->b[place[s->n + i]] = 0;
  ns_sparse_lu_solve(s->lu, s->b, s->x);
  ns_gather((size_t)s->n, s->x, place, v);
  for (int i = 0; i < s->m; i++) r[i] = s->x[place[s->n + i]];
}
