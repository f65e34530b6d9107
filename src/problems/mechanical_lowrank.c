/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/mechanical_lowrank.h"

#include "algebra/dense.h"
#include "algebra/pair.h"
#include "algebra/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROWS_MIN = 300, LIMIT = 420, PART = 3 };
/* A contact meets those of its two bodies: with a part s of W filled there are about 2/s bodies, of
 * six rows each. */
static const double RANK_BY_FILL = 12;
/* Of the diagonal: less than that is rounding; asymmetry likewise. */
static const double ROUNDING = 1e-13, ASYMMETRY = 1e-10;

static int limit_of(const ns_blocks *W) { return W->m / PART < LIMIT ? W->m / PART : LIMIT; }

static double entries(const ns_blocks *W)
{
  double n = 0;
  for (int a = 0; a < W->nb; a++)
    for (int b = W->row[a]; b < W->row[a + 1]; b++) n += W->dim[a] * W->dim[W->col[b]];
  return n;
}

int ns_lowrank_fits(const ns_blocks *W)
{
  double m = W->m;
  return W->m >= ROWS_MIN && RANK_BY_FILL * m * m <= 1.5 * limit_of(W) * entries(W);
}

ns_lowrank *ns_lowrank_create(ns_arena *mem, const ns_blocks *W)
{
  ns_lowrank *l = ns_arena_zero(mem, 1, sizeof *l);
  size_t m = (size_t)W->m, k = (size_t)limit_of(W), all = 0;
  if (!l) return NULL;
  l->m = W->m;
  l->limit = (int)k;
  if (!(l->at = ns_arena_zero(mem, (size_t)W->nb + 1, sizeof *l->at))) return NULL;
  for (int a = 0; a < W->nb; a++) {
    l->at[a] = all;
    all += (size_t)W->dim[a] * (size_t)W->dim[a];
  }
  l->at[W->nb] = all;
  size_t d = sizeof(double);
  const ns_array want[] = {{&l->L, m * k, d},
                           {&l->X, m * k, d},
                           {&l->S, k * k, d},
                           {&l->left, m, d},
                           {&l->A, all, d},
                           {&l->B, all, d},
                           {&l->D, all, d},
                           {&l->y, k, d},
                           {&l->x, m, d},
                           {&l->e, m, d},
                           {&l->piv, m, sizeof *l->piv},
                           {&l->spiv, k, sizeof *l->spiv}};
  return ns_arena_arrays(mem, want, sizeof want / sizeof *want) ? NULL : l;
}

double ns_lowrank_cost(const ns_lowrank *l)
{
  double m = l->m, k = l->rank;
  return m * k * k + k * k * k / 3;
}

/* ---- L --------------------------------------------------------------------------------------- */

static int is_symmetric(const ns_blocks *W)
{
  double max = 0, worst = 0;
  for (int a = 0; a < W->nb; a++)
    for (int b = W->row[a]; b < W->row[a + 1]; b++) {
      int j = W->col[b], d = W->dim[a], n = W->dim[j];
      const double *x = W->val + W->off[b], *y = ns_blocks_at(W, j, a);
      if (!y) return 0;
      for (int r = 0; r < d && j <= a; r++)
        for (int c = 0; c < n; c++) {
          max = fmax(max, fabs(x[r + c * d]));
          worst = fmax(worst, fabs(x[r + c * d] - y[c + r * n]));
        }
    }
  return worst <= ASYMMETRY * max;
}

/* Column i of W, which is its row, of block a. */
static void column(const ns_blocks *W, int a, int i, double *x)
{
  memset(x, 0, (size_t)W->m * sizeof *x);
  for (int b = W->row[a]; b < W->row[a + 1]; b++) {
    int j = W->col[b], d = W->dim[a];
    const double *w = W->val + W->off[b] + (i - W->first[a]);
    for (int c = 0; c < W->dim[j]; c++, w += d) x[W->first[j] + c] = *w;
  }
}

static int block_of(const ns_blocks *W, int i)
{
  int low = 0, high = W->nb - 1;
  while (low < high) {
    int mid = (low + high + 1) / 2;
    if (W->first[mid] <= i) low = mid;
    else high = mid - 1;
  }
  return low;
}

/* Column k of L, with row i as its pivot. */
static void add_column(ns_lowrank *l, const ns_blocks *W, int i, int k)
{
  size_t ld = (size_t)l->limit;
  const double *p = l->L + (size_t)i * ld;
  double root = sqrt(l->left[i]);
  column(W, block_of(W, i), i, l->x);
  for (int r = 0; r < W->m; r++) {
    double *row = l->L + (size_t)r * ld, v = (l->x[r] - ns_dot_pairs(k, row, p)) / root;
    if (r == i) v = root;
    row[k] = v;
    l->left[r] -= v * v;
  }
  l->left[i] = 0;
}

void ns_lowrank_factor(ns_lowrank *l, const ns_blocks *W)
{
  double largest = 0;
  l->rank = 0;
  if (!ns_lowrank_fits(W) || W->m > l->m || !is_symmetric(W)) return;
  for (int a = 0; a < W->nb; a++) {
    const double *D = ns_blocks_at(W, a, a);
    for (int i = 0; i < W->dim[a]; i++) {
      double d = D ? D[i + i * W->dim[a]] : 0;
      l->left[W->first[a] + i] = d;
      largest = fmax(largest, d);
    }
  }
  for (int k = 0; k <= l->limit; k++) {
    int best = 0;
    for (int i = 1; i < W->m; i++)
      if (l->left[i] > l->left[best]) best = i;
    if (!(l->left[best] > ROUNDING * largest)) {
      l->rank = k;
      return;
    }
    if (k < l->limit) add_column(l, W, best, k);
  }
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* D^-1 A L, a block at a time. */
static void scale_rows(ns_lowrank *l, const ns_blocks *W, int a)
{
  int d = W->dim[a], at = W->first[a], k = l->rank;
  const double *A = l->A + l->at[a];
  size_t ld = (size_t)l->limit;
  double T[64 * 64];
  memcpy(T, A, (size_t)(d * d) * sizeof *A);
  ns_dense_lu_solve(d, l->D + l->at[a], d, l->piv + at, d, T, d);
  for (int i = 0; i < d; i++) {
    double *x = l->X + (size_t)(at + i) * ld;
    memset(x, 0, (size_t)k * sizeof *x);
    for (int c = 0; c < d; c++) ns_axpy_pairs(k, T[i + c * d], l->L + (size_t)(at + c) * ld, x);
  }
}

/* S += L^T X over four rows, so that S is read and written a quarter as often. */
static void add_four(ns_lowrank *l, const int *row)
{
  int k = l->rank;
  size_t ld = (size_t)l->limit;
  const double *L[4], *X[4];
  for (int r = 0; r < 4; r++) {
    L[r] = l->L + (size_t)row[r] * ld;
    X[r] = l->X + (size_t)row[r] * ld;
  }
  for (int j = 0; j < k; j++) {
    double *restrict s = l->S + (size_t)j * (size_t)k;
    ns_pair f0 = {X[0][j], X[0][j]}, f1 = {X[1][j], X[1][j]}, f2 = {X[2][j], X[2][j]},
            f3 = {X[3][j], X[3][j]};
    int i = 0;
    for (; i + 1 < k; i += 2)
      ns_pair_put(ns_pair_at(s + i) + ((f0 * ns_pair_at(L[0] + i) + f1 * ns_pair_at(L[1] + i)) +
                                       (f2 * ns_pair_at(L[2] + i) + f3 * ns_pair_at(L[3] + i))),
                  s + i);
    if (i < k)
      s[i] += (X[0][j] * L[0][i] + X[1][j] * L[1][i]) + (X[2][j] * L[2][i] + X[3][j] * L[3][i]);
  }
}

static int is_zero(const ns_lowrank *l, const ns_blocks *W, int a)
{
  const double *A = l->A + l->at[a];
  for (int i = 0; i < W->dim[a] * W->dim[a]; i++)
    if (A[i] != 0) return 0;
  return 1;
}

static void set_matrix(ns_lowrank *l, const ns_blocks *W)
{
  int k = l->rank, row[4], n = 0;
  memset(l->S, 0, (size_t)k * (size_t)k * sizeof *l->S);
  for (int i = 0; i < k; i++) l->S[(size_t)i * ((size_t)k + 1)] = 1;
  for (int a = 0; a < W->nb; a++) {
    if (is_zero(l, W, a)) continue; /* it flies */
    scale_rows(l, W, a);
    for (int i = W->first[a]; i < W->first[a + 1]; i++) {
      row[n++] = i;
      if (n == 4) add_four(l, row);
      n %= 4;
    }
  }
  for (int r = 0; r < n; r++) { /* what is left over, one at a time */
    const double *L = l->L + (size_t)row[r] * (size_t)l->limit,
                 *X = l->X + (size_t)row[r] * (size_t)l->limit;
    for (int j = 0; j < k; j++) ns_axpy_pairs(k, X[j], L, l->S + (size_t)j * (size_t)k);
  }
}

int ns_lowrank_load(ns_lowrank *l, const ns_blocks *W, double shift)
{
  for (int a = 0; a < W->nb; a++) {
    int d = W->dim[a];
    const double *A = l->A + l->at[a], *B = l->B + l->at[a];
    double *D = l->D + l->at[a];
    ns_linear_sum((size_t)(d * d), B, shift, A, D);
    if (ns_dense_lu(d, D, d, l->piv + W->first[a])) return 0;
  }
  set_matrix(l, W);
  return ns_dense_lu(l->rank, l->S, l->rank, l->spiv) == 0;
}

/* y = L^T x; x += s L y. */
static void reduce(const ns_lowrank *l, int m, const double *x, double *y)
{
  memset(y, 0, (size_t)l->rank * sizeof *y);
  for (int i = 0; i < m; i++)
    if (x[i] != 0) ns_axpy_pairs(l->rank, x[i], l->L + (size_t)i * (size_t)l->limit, y);
}

static void expand(const ns_lowrank *l, int m, const double *y, double *x)
{
  for (int i = 0; i < m; i++) x[i] = ns_dot_pairs(l->rank, l->L + (size_t)i * (size_t)l->limit, y);
}

/* e = s e + A x, block by block. */
static void times_blocks(const ns_lowrank *l, const ns_blocks *W, const double *blocks, double s,
                         const double *x, double *e)
{
  for (int a = 0; a < W->nb; a++) {
    int d = W->dim[a], at = W->first[a];
    const double *A = blocks + l->at[a];
    for (int i = 0; i < d; i++) {
      double sum = s * e[at + i];
      for (int c = 0; c < d; c++) sum += A[i + c * d] * x[at + c];
      e[at + i] = sum;
    }
  }
}

static void solve_blocks(const ns_lowrank *l, const ns_blocks *W, double *x)
{
  for (int a = 0; a < W->nb; a++)
    ns_dense_lu_solve(W->dim[a], l->D + l->at[a], W->dim[a], l->piv + W->first[a], 1,
                      x + W->first[a], W->dim[a]);
}

/* e := (A W + B + shift A)^-1 e; x is scratch. */
static void solve_once(ns_lowrank *l, const ns_blocks *W, double *e, double *x)
{
  memcpy(x, e, (size_t)W->m * sizeof *e);
  solve_blocks(l, W, x);
  reduce(l, W->m, x, l->y);
  ns_dense_lu_solve(l->rank, l->S, l->rank, l->spiv, 1, l->y, l->rank);
  expand(l, W->m, l->y, x);
  ns_scale((size_t)W->m, -1, e);
  times_blocks(l, W, l->A, 1, x, e);
  solve_blocks(l, W, e);
  ns_scale((size_t)W->m, -1, e);
}

void ns_lowrank_solve(ns_lowrank *l, const ns_blocks *W, double shift, const double *F, double *d)
{
  size_t bytes = (size_t)W->m * sizeof *d;
  memcpy(d, F, bytes);
  ns_scale((size_t)W->m, -1, d);
  solve_once(l, W, d, l->x);
  reduce(l, W->m, d, l->y); /* what is left: F + (A W + B + shift A) d */
  expand(l, W->m, l->y, l->x);
  ns_axpy((size_t)W->m, shift, d, l->x);
  memcpy(l->e, F, bytes);
  times_blocks(l, W, l->A, 1, l->x, l->e);
  times_blocks(l, W, l->B, 1, d, l->e);
  solve_once(l, W, l->e, l->x);
  ns_axpy((size_t)W->m, -1, l->e, d);
}
