/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/newmark_matrix.h"

#include "algebra/dense.h"
#include "algebra/sparse_lu.h"
#include "base/grow.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where nobody chooses, matrices of so many rows of which at most 1/4 is filled are sparse
 * (bench/flow_bench). */
enum { SPARSE_FROM = 20, SPARSE_PART = 4 };

struct ns_newmark_matrix {
  const ns_flow_problem *p;
  ns_arena *mem;
  int n;         /* ncoord */
  double *value; /* of the Jacobian, NULL: there is none */
  double *S;     /* dense [n x n], or NULL */
  int *pivot;
  ns_blocks A; /* sparse */
  int *place;  /* of an entry of the Jacobian in A.val, -1: no acceleration */
  ns_sparse_lu *lu;
  double *b, *x;     /* of its solve [n] */
  double *moved, *f; /* differences [p->n] */
};

/* ---- sparse ---------------------------------------------------------------------------------- */

/* Entries of S by columns, while its structure is made. */
typedef struct sketch {
  int *ptr, *row; /* [n+1], [entries of the Jacobian at most] */
  int *next;      /* of each row [n+1] */
} sketch;

/* Row of S of entry e of the Jacobian; n: none, it is of q' = v or of the rest. */
static int row_of(const ns_newmark_matrix *o, int e, int end)
{
  int i = e < end ? o->p->structure.row[e] - o->n : o->n;
  return i < o->n ? i : o->n;
}

/* Columns of da/dq and of da/dv into one. */
static void merge(ns_newmark_matrix *o, sketch *k)
{
  const int *ptr = o->p->structure.ptr;
  int n = o->n, at = 0;
  for (int j = 0; j < n; j++) {
    int e = ptr[j], f = ptr[n + j], e1 = ptr[j + 1], f1 = ptr[n + j + 1];
    k->ptr[j] = at;
    while (e < e1 || f < f1) {
      int r = row_of(o, e, e1), s = row_of(o, f, f1), i = r < s ? r : s,
          here = i >= 0 && i < n ? at : -1;
      if (r == i && e < e1) o->place[e++] = here;
      if (s == i && f < f1) o->place[f++] = here;
      if (here >= 0) k->row[at++] = i;
    }
  }
  k->ptr[n] = at;
}

static int get_blocks(ns_newmark_matrix *o, size_t nnz)
{
  size_t n = (size_t)o->n + 1;
  if (ns_blocks_scalar(o->mem, o->n, nnz, &o->A)) return NS_NOMEM;
  o->b = ns_arena_zero(o->mem, n, sizeof *o->b);
  o->x = ns_arena_zero(o->mem, n, sizeof *o->x);
  return o->b && o->x ? NS_OK : NS_NOMEM;
}

/* From columns to rows. */
static void transpose(ns_newmark_matrix *o, sketch *k)
{
  int n = o->n, *moved = k->row; /* where an entry went, in the place of its row */
  for (int e = 0; e < k->ptr[n]; e++) o->A.row[k->row[e] + 1]++;
  for (int i = 0; i < n; i++) {
    o->A.row[i + 1] += o->A.row[i];
    k->next[i] = o->A.row[i];
  }
  for (int j = 0; j < n; j++)
    for (int e = k->ptr[j]; e < k->ptr[j + 1]; e++) {
      int to = k->next[k->row[e]]++;
      o->A.col[to] = j;
      moved[e] = to;
    }
  for (int e = 0; e < o->p->structure.ptr[2 * n]; e++)
    if (o->place[e] >= 0) o->place[e] = moved[o->place[e]];
}

static int is_sparse(const ns_newmark_matrix *o, size_t nnz)
{
  ns_flow_linear linear = o->p->options->linear;
  if (linear != NS_FLOW_AUTO) return linear == NS_FLOW_KLU;
  return o->n >= SPARSE_FROM && nnz * SPARSE_PART <= (size_t)o->n * (size_t)o->n;
}

static int get_sparse(ns_newmark_matrix *o)
{
  size_t n = (size_t)o->n, max = (size_t)o->p->structure.ptr[o->p->n] + 1;
  sketch k = {.ptr = calloc(n + 1, sizeof *k.ptr),
              .row = calloc(max, sizeof *k.row),
              .next = calloc(n + 1, sizeof *k.next)};
  o->place = ns_arena_zero(o->mem, max, sizeof *o->place);
  int rc = k.ptr && k.row && k.next && o->place ? NS_OK : NS_NOMEM;
  if (!rc) merge(o, &k);
  if (!rc && is_sparse(o, (size_t)k.ptr[n])) {
    rc = get_blocks(o, (size_t)k.ptr[n]);
    if (!rc) transpose(o, &k);
  }
  NS_FREE(k.ptr, k.row, k.next);
  return rc;
}

/* ---- creation -------------------------------------------------------------------------------- */

static int get_memory(ns_newmark_matrix *o)
{
  size_t n = (size_t)o->n;
  if (o->p->jacobian) {
    o->value = ns_arena_zero(o->mem, (size_t)o->p->structure.ptr[o->p->n] + 1, sizeof *o->value);
    if (!o->value || get_sparse(o)) return NS_NOMEM;
    if (o->A.nb) return NS_OK;
  } else {
    o->moved = ns_arena_zero(o->mem, o->p->n + 1, sizeof *o->moved);
    o->f = ns_arena_zero(o->mem, o->p->n + 1, sizeof *o->f);
    if (!o->moved || !o->f) return NS_NOMEM;
  }
  o->S = ns_arena_zero(o->mem, n * n + 1, sizeof *o->S);
  o->pivot = ns_arena_zero(o->mem, n + 1, sizeof *o->pivot);
  return o->S && o->pivot ? NS_OK : NS_NOMEM;
}

int ns_newmark_matrix_create(ns_ctx *c, const ns_flow_problem *p, ns_newmark_matrix **out)
{
  ns_newmark_matrix *o = *out = NS_ARENA_OBJECT(ns_newmark_matrix, mem);
  if (!o) return ns_nomem(c, "matrix of a step");
  *o = (ns_newmark_matrix){.p = p, .n = (int)p->ncoord, .mem = o->mem};
  int rc = get_memory(o) ? ns_nomem(c, "matrix of a step") : NS_OK;
  if (!rc) rc = o->S ? ns_dense_prepare(c, o->n) : ns_sparse_lu_create(c, &o->A, &o->lu);
  if (!rc) return NS_OK;
  ns_newmark_matrix_destroy(o);
  *out = NULL;
  return rc;
}

void ns_newmark_matrix_destroy(ns_newmark_matrix *o)
{
  if (!o) return;
  ns_sparse_lu_destroy(o->lu);
  ns_arena_destroy(o->mem);
}

/* ---- values ---------------------------------------------------------------------------------- */

static int load_sparse(ns_newmark_matrix *o, double a, double b, double c)
{
  const int *ptr = o->p->structure.ptr;
  int n = o->n;
  memset(o->A.val, 0, (size_t)o->A.row[n] * sizeof *o->A.val);
  for (int j = 0; j < 2 * n; j++)
    for (int e = ptr[j]; e < ptr[j + 1]; e++)
      if (o->place[e] >= 0) o->A.val[o->place[e]] -= (j < n ? b : c) * o->value[e];
  for (int i = 0; i < n; i++) *ns_blocks_at(&o->A, i, i) += a;
  ns_sparse_lu_load(o->lu, &o->A, NULL);
  return ns_sparse_lu_update(o->lu);
}

static int load_dense(ns_newmark_matrix *o, double a, double b, double c)
{
  const ns_flow_structure *s = &o->p->structure;
  int n = o->n;
  memset(o->S, 0, (size_t)n * (size_t)n * sizeof *o->S);
  for (int j = 0; j < 2 * n; j++)
    for (int e = s->ptr[j]; e < s->ptr[j + 1]; e++) {
      int i = s->row[e] - n;
      if (i >= 0 && i < n) o->S[i + j % n * n] -= (j < n ? b : c) * o->value[e];
    }
  for (int i = 0; i < n; i++) o->S[i + i * n] += a;
  return ns_dense_lu(n, o->S, n, o->pivot);
}

/* The same by forward differences along (b, c): the way an acceleration moves q and v. */
static int load_differences(ns_newmark_matrix *o, double a, double b, double c, double t,
                            const double *x, const double *f, ns_flow_work *w, int *pivot)
{
  int n = o->n, rc = 0;
  memcpy(o->moved, x, o->p->n * sizeof *x);
  for (int j = 0; j < n && !rc; j++) {
    double of_q = b / fmax(1, fabs(x[j])), of_v = c / fmax(1, fabs(x[n + j]));
    double d = sqrt(DBL_EPSILON) / fmax(fabs(of_q), fabs(of_v));
    o->moved[j] += b * d;
    o->moved[n + j] += c * d;
    rc = o->p->rate(o->p->of, t, o->moved, o->f);
    w->rates++;
    w->jacobian_rates++;
    for (int i = 0; i < n; i++) o->S[i + j * n] = (i == j ? a : 0) - (o->f[n + i] - f[n + i]) / d;
    o->moved[j] = x[j];
    o->moved[n + j] = x[n + j];
  }
  if (!rc) *pivot = ns_dense_lu(n, o->S, n, o->pivot);
  return rc;
}

int ns_newmark_matrix_make(ns_newmark_matrix *o, double a, double b, double c, double t,
                           const double *x, const double *f, ns_flow_work *w, int *pivot)
{
  long long rates = 0;
  *pivot = 0;
  w->jacobians++;
  if (!o->value) return load_differences(o, a, b, c, t, x, f, w, pivot);
  int rc = o->p->jacobian(o->p->of, t, x, o->value, &rates);
  w->rates += rates;
  w->jacobian_rates += rates;
  if (rc) return rc;
  *pivot = o->S ? load_dense(o, a, b, c) : load_sparse(o, a, b, c);
  return 0;
}

void ns_newmark_matrix_solve(ns_newmark_matrix *o, double *r)
{
  int n = o->n;
  if (o->S) ns_dense_lu_solve(n, o->S, n, o->pivot, 1, r, n);
  else ns_sparse_lu_apply(o->lu, o->b, o->x, r);
}
