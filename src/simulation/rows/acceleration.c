/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/acceleration.h"

#include "algebra/dense.h"
#include "algebra/vector.h"
#include "base/grow.h"
#include "base/sets.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 512 }; /* rows of a model that need no more memory later, when they hold */

int ns_acceleration_create(ns_ctx *c, const ns_model *m, ns_acceleration *a)
{
  size_t n = m->nrows, d = sizeof(double), whole = sizeof(int);
  *a = (ns_acceleration){.max = (int)n, .limit = (int)n};
  const ns_array want[] = {
      {&a->work, 2 * n, d},        {&a->size, 2 * n, d},       {&a->rhs, n, d},
      {&a->order, 2 * n, whole},   {&a->column, 2 * n, whole}, {&a->pivot, n, whole},
      {&a->basis_order, n, whole}, {&a->member, n, whole},     {&a->first, n, whole},
      {&a->of, n, whole},          {&a->place, n, whole}};
  a->mem = ns_arena_create(0, 1);
  if (a->mem && !ns_arena_arrays(a->mem, want, sizeof want / sizeof *want))
    return ns_acceleration_reserve(c, a, n < FIRST ? (int)n : FIRST);
  ns_acceleration_fini(a);
  return ns_nomem(c, "accelerations of closed contacts");
}

int ns_acceleration_reserve(ns_ctx *c, ns_acceleration *a, int n)
{
  enum { MAX = 46340 }; /* n^2 is an int */
  if (n <= a->room) return NS_OK;
  int more = n + n / 8 + 8 < MAX ? n + n / 8 + 8 : n;
  size_t nn = (size_t)more * (size_t)more, d = sizeof(double);
  const ns_array want[] = {{&a->L, nn, d},
                           {&a->G, nn, d},
                           {&a->UUt, nn, d},
                           {&a->D, nn, d},
                           {&a->basis, nn, d},
                           {&a->S, nn, d},
                           {&a->block, (size_t)more, sizeof *a}};
  if (n > MAX || ns_resize_arrays(want, sizeof want / sizeof *want))
    return ns_nomem(c, "accelerations of closed contacts");
  a->room = more;
  return ns_dense_prepare(c, more);
}

void ns_acceleration_fini(ns_acceleration *a)
{
  double *const grown[] = {a->L, a->G, a->UUt, a->D, a->basis, a->S};
  for (size_t i = 0; i < sizeof grown / sizeof *grown; i++) free(grown[i]);
  free(a->block);
  ns_arena_destroy(a->mem);
  *a = (ns_acceleration){0};
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The equality that takes column c of D: itself, or of slip its normal; -1: none. */
static int column_of(const ns_contacts *k, const ns_equalities *e, const double *slope, int c)
{
  if (e->place[c] >= 0) return e->place[c];
  return slope && slope[c] != 0 ? e->place[k->unit[k->unit_of[c]].first] : -1;
}

/* Rows by the islands that D connects, to a->of; their number. */
static int number_blocks(ns_acceleration *a, const ns_contacts *k, const ns_equalities *e)
{
  int blocks = 0, *number = a->place;
  ns_sets_begin(a->member, e->n);
  for (int i = 0; i < e->n; i++) {
    number[i] = -1;
    if (a->limit < a->max && !a->symmetric) ns_sets_join(a->member, 0, i);
    for (int b = k->D.row[e->row[i]]; b < k->D.row[e->row[i] + 1]; b++) {
      int j = column_of(k, e, e->slope, k->D.col[b]);
      if (j >= 0) ns_sets_join(a->member, i, j);
    }
  }
  for (int i = 0; i < e->n; i++) {
    int root = ns_sets_root(a->member, i);
    if (number[root] < 0) number[root] = blocks++;
    a->of[i] = number[root];
  }
  return blocks;
}

/* Block p of n rows, which stand from `first` on; `at`: where its squares begin. */
static ns_acceleration view(const ns_acceleration *a, int n, int first, size_t at)
{
  int more = a->max + 1; /* behind the lists of all rows */
  return (ns_acceleration){.max = n,
                           .limit = a->limit < a->max ? a->limit : n,
                           .n = n,
                           .symmetric = a->symmetric,
                           .L = a->L + at,
                           .G = a->G + at,
                           .UUt = a->UUt + at,
                           .D = a->D + at,
                           .basis = a->basis + at,
                           .S = a->S + at,
                           .work = a->work + 2 * first,
                           .size = a->size + more + first,
                           .order = a->order + more + first,
                           .column = a->column + more + first,
                           .pivot = a->pivot + first,
                           .basis_order = a->basis_order + first,
                           .member = a->member + first,
                           .rhs = a->rhs + first};
}

static void split(ns_acceleration *a, const ns_contacts *k, const ns_equalities *e)
{
  size_t at = 0;
  a->nblocks = number_blocks(a, k, e);
  memset(a->first, 0, ((size_t)a->nblocks + 1) * sizeof *a->first);
  for (int i = 0; i < e->n; i++) a->place[i] = a->first[a->of[i] + 1]++;
  ns_prefix_sums((size_t)a->nblocks, a->first);
  for (int i = 0; i < e->n; i++) a->member[a->first[a->of[i]] + a->place[i]] = i;
  for (int p = 0; p < a->nblocks; p++) {
    int n = a->first[p + 1] - a->first[p];
    a->block[p] = view(a, n, a->first[p], at);
    at += (size_t)n * (size_t)n;
  }
}

/* D of a block into A, dense: columns of slip go to their normals. */
static void gather(const ns_acceleration *all, const ns_acceleration *a, const ns_contacts *k,
                   const ns_equalities *e, const double *slope, double *A)
{
  int n = a->n;
  memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
  for (int i = 0; i < n; i++) {
    int r = e->row[a->member[i]];
    for (int b = k->D.row[r]; b < k->D.row[r + 1]; b++) {
      int c = k->D.col[b], j = column_of(k, e, slope, c);
      if (j < 0) continue;
      double value = e->place[c] >= 0 ? k->D.val[b] : slope[c] * k->D.val[b];
      A[i + all->place[j] * n] += value;
    }
  }
}

static void find_sizes(ns_acceleration *a, const double *A)
{
  for (int i = 0; i < a->n; i++) {
    double d = fabs(A[i + i * a->n]);
    a->size[i] = d > 0 ? sqrt(d) : 1;
  }
}

/* What of its pivot a row that follows from others leaves, relative: rows a millionth of a radian
 * apart do, as those of a mechanism near a dead point. */
static double rounding(int n) { return 1024 * n * DBL_EPSILON; }

/* ---- symmetric ------------------------------------------------------------------------------- */

/* Swap rows and columns i < j of a symmetric matrix of which the lower triangle counts; its columns
 * before `done` are of L. */
static void swap(int n, double *A, int *order, int i, int j)
{
  ns_swap_ints(&order[i], &order[j]);
  for (int k = 0; k < i; k++) ns_swap(&A[i + k * n], &A[j + k * n]);
  ns_swap(&A[i + i * n], &A[j + j * n]);
  for (int k = i + 1; k < j; k++) ns_swap(&A[k + i * n], &A[j + k * n]);
  for (int k = j + 1; k < n; k++) ns_swap(&A[k + i * n], &A[k + j * n]);
}

/* A column of L; the rest of the matrix is what it leaves. */
static void eliminate(int n, double *A, int i)
{
  double d = A[i + i * n] = sqrt(A[i + i * n]);
  for (int k = i + 1; k < n; k++) A[k + i * n] /= d;
  for (int j = i + 1; j < n; j++) {
    double f = A[j + i * n];
    if (f == 0) continue;
    for (int k = j; k < n; k++) A[k + j * n] -= f * A[k + i * n];
  }
}

/* What is left of the diagonal at place j, by what it was. */
static double left(const ns_acceleration *a, const double *A, const int *order, int j)
{
  double size = a->size[order[j]];
  return A[j + j * a->n] / (size * size);
}

/* The row at place j does not yield to others, whose pivots may be larger. */
static int goes_first(const ns_acceleration *a, const double *A, const int *order, int j)
{
  static const double CLEAR = 1e-6; /* of its pivot is left */
  return a->size[order[j]] > 0 && left(a, A, order, j) > CLEAR;
}

static int is_better(const ns_acceleration *a, const double *A, const int *order, int j, int p)
{
  int goes = goes_first(a, A, order, j), other = goes_first(a, A, order, p);
  return goes == other ? left(a, A, order, j) > left(a, A, order, p) : goes;
}

/* Its Cholesky factor: with the largest pivots, until what is left is rounding. Rows of lengths
 * and of angles, of light and of heavy bodies have pivots of other units: each is measured by its
 * own. Those whose size is negative yield to the others. The rank. */
static int factor_pivoted(const ns_acceleration *a, double *A, int *order)
{
  int n = a->n, i;
  for (i = 0; i < n; i++) {
    int p = -1;
    for (int j = i; j < n; j++)
      if (left(a, A, order, j) > rounding(n) && (p < 0 || is_better(a, A, order, j, p))) p = j;
    if (p < 0) break;
    if (p != i) swap(n, A, order, i, p);
    eliminate(n, A, i);
  }
  return i;
}

/* Rows below the first `rank` of L := W = L2 L1^-1, and the factor of I + W^T W. */
static void find_followers(ns_acceleration *a)
{
  int n = a->n, r = a->rank;
  for (int i = r; i < n; i++)
    for (int j = r; j-- > 0;) {
      double *w = a->L + i + j * n;
      for (int k = j + 1; k < r; k++) *w -= a->L[i + k * n] * a->L[k + j * n];
      *w /= a->L[j + j * n];
    }
  for (int j = 0; j < r; j++)
    for (int k = j; k < r; k++) {
      double sum = j == k;
      for (int i = r; i < n; i++) sum += a->L[i + j * n] * a->L[i + k * n];
      a->G[k + j * r] = sum;
    }
  ns_dense_cholesky(r, a->G, r);
}

/* x := L1^-1 x, then L1^-T x, L1 the first `rank` rows of L. */
static void solve_pivots(const ns_acceleration *a, double *x)
{
  int n = a->n, r = a->rank;
  const double *L = a->L;
  for (int j = 0; j < r; j++) {
    x[j] /= L[j + j * n];
    for (int i = j + 1; i < r; i++) x[i] -= L[i + j * n] * x[j];
  }
  for (int j = r; j-- > 0;) {
    for (int i = j + 1; i < r; i++) x[j] -= L[i + j * n] * x[i];
    x[j] /= L[j + j * n];
  }
}

/* x := the forces of minimum norm. */
static void solve_symmetric(const ns_acceleration *a, double *x)
{
  int n = a->n, r = a->rank;
  solve_pivots(a, x);
  if (r == n) return;
  ns_dense_cholesky_solve(r, a->G, r, 1, x, r);
  for (int i = r; i < n; i++) {
    x[i] = 0;
    for (int j = 0; j < r; j++) x[i] += a->L[i + j * n] * x[j];
  }
}

/* ---- not symmetric --------------------------------------------------------------------------- */

/* The largest entry of what is left, by the sizes of its row and column, to (i, i); how large. */
static double pivot(ns_acceleration *a, int i)
{
  int n = a->n, row = i, col = i;
  double *A = a->L, max = 0;
  for (int j = i; j < n; j++)
    for (int k = i; k < n; k++) {
      double x = fabs(A[k + j * n]) / (a->size[a->order[k]] * a->size[a->column[j]]);
      if (x > max) max = x, row = k, col = j;
    }
  for (int j = 0; j < n && row != i; j++) ns_swap(&A[i + j * n], &A[row + j * n]);
  for (int k = 0; k < n && col != i; k++) ns_swap(&A[k + i * n], &A[k + col * n]);
  ns_swap_ints(&a->order[i], &a->order[row]);
  ns_swap_ints(&a->column[i], &a->column[col]);
  return max;
}

/* Entries of L (unit diagonal) and of U. */
static double lower(const ns_acceleration *a, int i, int j)
{
  return i == j ? 1 : i > j ? a->L[i + j * a->n] : 0;
}
static double upper(const ns_acceleration *a, int i, int j)
{
  return i <= j ? a->L[i + j * a->n] : 0;
}

/* S = D' L0, of D the rows of the pivots of L0. 0: it is singular, or its rank another one. */
static int factor_elastic(ns_acceleration *a)
{
  int n = a->n, r = factor_pivoted(a, a->basis, a->basis_order);
  if (r != a->rank) return 0;
  for (int j = 0; j < r; j++)
    for (int i = 0; i < r; i++) {
      double sum = 0;
      for (int k = j; k < n; k++)
        sum += a->D[a->basis_order[i] + a->basis_order[k] * n] * a->basis[k + j * n];
      a->S[i + j * r] = sum;
    }
  return ns_dense_lu(r, a->S, r, a->pivot) == 0;
}

/* b := z; x is free for use. */
static void solve_elastic(const ns_acceleration *a, double *b, double *x)
{
  int n = a->n, r = a->rank;
  ns_gather((size_t)r, b, a->basis_order, x);
  ns_dense_lu_solve(r, a->S, r, a->pivot, 1, x, r);
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j <= i && j < r; j++) sum += a->basis[i + j * n] * x[j];
    b[a->basis_order[i]] = sum;
  }
}

/* L^T L and U U^T, factored. */
static void products(ns_acceleration *a)
{
  int n = a->n, r = a->rank;
  for (int i = 0; i < r; i++)
    for (int j = i; j < r; j++) {
      double l = 0, u = 0;
      for (int k = j; k < n; k++) {
        l += lower(a, k, i) * lower(a, k, j);
        u += upper(a, i, k) * upper(a, j, k);
      }
      a->G[j + i * r] = l;
      a->UUt[j + i * r] = u;
    }
  ns_dense_cholesky(r, a->G, r);
  ns_dense_cholesky(r, a->UUt, r);
}

static void factor_sliding(ns_acceleration *a)
{
  int n = a->n, i;
  double *A = a->L, max = 0;
  for (i = 0; i < n && i < a->limit; i++) {
    double p = pivot(a, i);
    if (i == 0) max = p;
    if (!(p > rounding(n) * max)) break;
    for (int k = i + 1; k < n; k++) {
      double f = A[k + i * n] /= A[i + i * n];
      for (int j = i + 1; j < n && f != 0; j++) A[k + j * n] -= f * A[i + j * n];
    }
  }
  a->rank = i;
  if (i < n) products(a);
}

/* x := U^-1 L^-1 x. */
static void solve_full_sliding(const ns_acceleration *a, double *x)
{
  int n = a->n;
  for (int j = 0; j < n; j++)
    for (int i = j + 1; i < n; i++) x[i] -= a->L[i + j * n] * x[j];
  for (int j = n; j-- > 0;) {
    x[j] /= a->L[j + j * n];
    ns_axpy((size_t)j, -x[j], a->L + j * n, x);
  }
}

/* x := U^T b. */
static void apply_transposed(const ns_acceleration *a, const double *b, double *x)
{
  for (int i = 0; i < a->n; i++) {
    x[i] = 0;
    for (int j = 0; j <= i && j < a->rank; j++) x[i] += upper(a, j, i) * b[j];
  }
}

/* x := U^T (U U^T)^-1 (L^T L)^-1 L^T x; b is free for use. */
static void solve_min_sliding(const ns_acceleration *a, double *x, double *b)
{
  int n = a->n, r = a->rank;
  for (int j = 0; j < r; j++) {
    b[j] = 0;
    for (int i = j; i < n; i++) b[j] += lower(a, i, j) * x[i];
  }
  ns_dense_cholesky_solve(r, a->G, r, 1, b, r);
  ns_dense_cholesky_solve(r, a->UUt, r, 1, b, r);
  apply_transposed(a, b, x);
}

int ns_acceleration_is_shared(const ns_acceleration *a) { return !a->symmetric && a->rank < a->n; }

double ns_acceleration_entry(const ns_acceleration *a, int i, int j)
{
  const ns_acceleration *p = &a->block[a->of[i]];
  return a->of[i] == a->of[j] ? p->D[a->place[i] + a->place[j] * p->n] : 0;
}

/* x of all rows, block by block: that of a block by f. */
static void by_blocks(const ns_acceleration *a, double *x,
                      void (*f)(const ns_acceleration *block, double *x))
{
  for (int p = 0; p < a->nblocks; p++) {
    const ns_acceleration *k = &a->block[p];
    ns_gather((size_t)k->n, x, k->member, k->rhs);
    f(k, k->rhs);
    ns_scatter((size_t)k->n, k->rhs, k->member, x);
  }
}

/* b := U Q^T z [rank]; x: scratch [n]. */
static void apply_upper(const ns_acceleration *a, const double *z, double *x, double *b)
{
  ns_gather((size_t)a->n, z, a->column, x);
  for (int j = 0; j < a->rank; j++) {
    b[j] = 0;
    for (int i = j; i < a->n; i++) b[j] += upper(a, j, i) * x[i];
  }
}

static void share_block(const ns_acceleration *a, double *z)
{
  int n = a->n, r = a->rank;
  double *x = a->work, *b = a->work + a->max;
  if (a->elastic) {
    memset(x, 0, (size_t)n * sizeof *x);
    ns_gemv(n, n, 1, a->D, z, x);
    memcpy(z, x, (size_t)n * sizeof *z);
    solve_elastic(a, z, x);
    return;
  }
  apply_upper(a, z, x, b);
  ns_dense_cholesky_solve(r, a->UUt, r, 1, b, r);
  apply_transposed(a, b, x);
  ns_scatter((size_t)n, x, a->column, z);
}

void ns_acceleration_share(const ns_acceleration *a, double *z) { by_blocks(a, z, share_block); }

static void pivots_of_block(const ns_acceleration *a, double *z)
{
  int n = a->n, r = a->rank;
  double *x = a->work, *b = a->work + a->max;
  apply_upper(a, z, x, b);
  for (int j = r; j-- > 0;) {
    b[j] /= upper(a, j, j);
    for (int i = 0; i < j; i++) b[i] -= upper(a, i, j) * b[j];
  }
  for (int i = 0; i < n; i++) z[a->column[i]] = i < r ? b[i] : 0;
}

void ns_acceleration_of_pivots(const ns_acceleration *a, double *z)
{
  by_blocks(a, z, pivots_of_block);
}

/* ---- both ------------------------------------------------------------------------------------ */

/* Rows that stick yield where rows depend on each other: what drives them, by joints, goes on, and
 * the velocity of what sticks says so. */
static void factor_friction_last(const ns_acceleration *all, ns_acceleration *a,
                                 const ns_contacts *k, const ns_equalities *e)
{
  int n = a->n, sticks = 0, follows = 0;
  for (int i = 0; i < n; i++) {
    int yields = ns_contacts_is_tangential(k, e->row[a->member[a->order[i]]]);
    sticks |= yields && i < a->rank;
    follows |= !yields && i >= a->rank;
  }
  if (!sticks || !follows) return;
  for (int i = 0; i < n; i++) {
    a->order[i] = i;
    if (ns_contacts_is_tangential(k, e->row[a->member[i]])) a->size[i] = -a->size[i];
  }
  gather(all, a, k, e, NULL, a->L);
  a->rank = factor_pivoted(a, a->L, a->order);
  for (int i = 0; i < n; i++) a->size[i] = fabs(a->size[i]);
}

static void factor_block(const ns_acceleration *all, ns_acceleration *a, const ns_contacts *k,
                         const ns_equalities *e)
{
  int n = a->n;
  for (int i = 0; i < n; i++) a->order[i] = a->column[i] = a->basis_order[i] = i;
  gather(all, a, k, e, e->slope, a->L);
  find_sizes(a, a->L);
  if (a->symmetric) a->rank = factor_pivoted(a, a->L, a->order);
  else factor_sliding(a);
  if (a->symmetric && a->rank < n) factor_friction_last(all, a, k, e);
  if (a->symmetric && a->rank < n) find_followers(a);
  if (all->nblocks == 1 && a->rank == n) return;
  gather(all, a, k, e, e->slope, a->D);
  if (a->symmetric || a->rank == n || a->rank == 0) return;
  gather(all, a, k, e, NULL, a->basis);
  find_sizes(a, a->basis);
  a->elastic = factor_elastic(a);
}

/* What is of all rows: pivots of all blocks first. */
static void collect(ns_acceleration *a)
{
  int at = 0, behind = 0;
  a->rank = 0;
  for (int p = 0; p < a->nblocks; p++) a->rank += a->block[p].rank;
  behind = a->rank;
  for (int p = 0; p < a->nblocks; p++) {
    const ns_acceleration *k = &a->block[p];
    for (int i = 0; i < k->n; i++) {
      int to = i < k->rank ? at++ : behind++;
      a->order[to] = k->member[k->order[i]];
      a->column[to] = k->member[k->column[i]];
      a->size[k->member[i]] = k->size[i];
    }
  }
}

void ns_acceleration_factor(ns_acceleration *a, const ns_contacts *k, const ns_equalities *e)
{
  a->n = e->n;
  a->symmetric = !e->slope;
  split(a, k, e);
  for (int p = 0; p < a->nblocks; p++) factor_block(a, &a->block[p], k, e);
  collect(a);
}

static void solve_block(const ns_acceleration *a, double *b)
{
  int n = a->n;
  const int *back = a->symmetric ? a->order : a->column;
  double *x = a->work;
  if (a->elastic) {
    solve_elastic(a, b, x);
    return;
  }
  ns_gather((size_t)n, b, a->order, x);
  if (a->symmetric) solve_symmetric(a, x);
  else if (a->rank == n) solve_full_sliding(a, x);
  else solve_min_sliding(a, x, b);
  ns_scatter((size_t)n, x, back, b);
}

void ns_acceleration_solve(const ns_acceleration *a, double *b) { by_blocks(a, b, solve_block); }

/* What the best forces of the rows that hold leave of a unit force along r. */
int ns_acceleration_follows(const ns_acceleration *a, const ns_contacts *k, const ns_equalities *e,
                            int r, double *x)
{
  static const double SOLVED = 16; /* rounding of a solution by that of the factors */
  int first = k->D.row[r], end = k->D.row[r + 1];
  double size = 0, rest;
  memset(x, 0, (size_t)e->n * sizeof *x);
  for (int b = first; b < end; b++) {
    int c = k->D.col[b];
    if (e->place[c] >= 0) x[e->place[c]] = k->D.val[b];
    if (c == r) size = k->D.val[b];
  }
  if (!e->n || !(size > 0)) return 0;
  ns_acceleration_solve(a, x);
  rest = size;
  for (int b = first; b < end; b++) {
    int c = k->D.col[b];
    if (e->place[c] >= 0) rest -= k->D.val[b] * x[e->place[c]];
    else if (e->slope && e->slope[c] != 0)
      rest -= e->slope[c] * k->D.val[b] * x[e->place[k->unit[k->unit_of[c]].first]];
  }
  return fabs(rest) <= SOLVED * rounding(e->n) * size;
}
