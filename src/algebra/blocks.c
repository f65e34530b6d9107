/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/blocks.h"

#include "base/status.h"

#include <string.h>

int ns_blocks_scalar(ns_arena *a, int n, size_t nnz, ns_blocks *A)
{
  size_t rows = (size_t)n + 1, entries = nnz + 1;
  *A = (ns_blocks){.nb = n, .m = n};
  const ns_array want[] = {{&A->dim, rows, sizeof *A->dim},    {&A->first, rows, sizeof *A->first},
                           {&A->row, rows, sizeof *A->row},    {&A->col, entries, sizeof *A->col},
                           {&A->off, entries, sizeof *A->off}, {&A->val, entries, sizeof *A->val}};
  if (ns_arena_arrays(a, want, sizeof want / sizeof *want)) return NS_NOMEM;
  for (int i = 0; i <= n; i++) {
    A->dim[i] = 1;
    A->first[i] = i;
  }
  for (size_t e = 0; e < entries; e++) A->off[e] = e;
  return NS_OK;
}

/* Every block 1 x 1: rows of a CSR matrix. */
static void gemv_scalar(double a, const ns_blocks *A, int from, int to, const double *x, double *y)
{
  for (int i = from; i < to; i++) {
    double s = 0;
    for (int k = A->row[i]; k < A->row[i + 1]; k++) s += A->val[k] * x[A->col[k]];
    y[i] += a * s;
  }
}

/* y += a*B*x, B [m x n] */
static void gemv_block(double a, int m, int n, const double *B, const double *x, double *y)
{
  for (int j = 0; j < n; j++, B += m) {
    double f = a * x[j];
    for (int i = 0; i < m; i++) y[i] += B[i] * f;
  }
}

/* Contacts with friction in the plane and in space: 2 and 3 rows held in registers. */
static void gemv_block2(double a, int n, const double *B, const double *x, double *y)
{
  double y0 = y[0], y1 = y[1];
  for (int j = 0; j < n; j++, B += 2) {
    double f = a * x[j];
    y0 += B[0] * f;
    y1 += B[1] * f;
  }
  y[0] = y0;
  y[1] = y1;
}

static void gemv_block3(double a, int n, const double *B, const double *x, double *y)
{
  double y0 = y[0], y1 = y[1], y2 = y[2];
  for (int j = 0; j < n; j++, B += 3) {
    double f = a * x[j];
    y0 += B[0] * f;
    y1 += B[1] * f;
    y2 += B[2] * f;
  }
  y[0] = y0;
  y[1] = y1;
  y[2] = y2;
}

void ns_blocks_gemv(double a, const ns_blocks *A, const double *x, double *y)
{
  ns_blocks_gemv_part(a, A, 0, A->nb, x, y);
}

void ns_blocks_gemv_part(double a, const ns_blocks *A, int from, int to, const double *x, double *y)
{
  if (A->nb == A->m) {
    gemv_scalar(a, A, from, to, x, y);
    return;
  }
  for (int i = from; i < to; i++) {
    int m = A->dim[i];
    double *yi = y + A->first[i];
    for (int k = A->row[i]; k < A->row[i + 1]; k++) {
      int j = A->col[k], n = A->dim[j];
      const double *B = A->val + A->off[k], *xj = x + A->first[j];
      if (m == 3) gemv_block3(a, n, B, xj, yi);
      else if (m == 2) gemv_block2(a, n, B, xj, yi);
      else gemv_block(a, m, n, B, xj, yi);
    }
  }
}

void ns_blocks_gemv_t(double a, const ns_blocks *A, const double *x, double *y)
{
  for (int i = 0; i < A->nb; i++) {
    int m = A->dim[i];
    const double *xi = x + A->first[i];
    for (int k = A->row[i]; k < A->row[i + 1]; k++) {
      int j = A->col[k], n = A->dim[j];
      const double *B = A->val + A->off[k];
      double *yj = y + A->first[j];
      for (int c = 0; c < n; c++, B += m) {
        double s = 0;
        for (int r = 0; r < m; r++) s += B[r] * xi[r];
        yj[c] += a * s;
      }
    }
  }
}

double *ns_blocks_at(const ns_blocks *A, int i, int j)
{
  int lo = A->row[i], hi = A->row[i + 1];
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (A->col[mid] < j) lo = mid + 1;
    else hi = mid;
  }
  return lo < A->row[i + 1] && A->col[lo] == j ? A->val + A->off[lo] : NULL;
}

void ns_blocks_dense(const ns_blocks *A, double *dense, int ld)
{
  for (int j = 0; j < A->m; j++)
    memset(dense + (size_t)j * (size_t)ld, 0, (size_t)A->m * sizeof *dense);
  for (int i = 0; i < A->nb; i++)
    for (int k = A->row[i]; k < A->row[i + 1]; k++) {
      int m = A->dim[i], j = A->col[k];
      const double *B = A->val + A->off[k];
      for (int c = 0; c < A->dim[j]; c++, B += m)
        memcpy(dense + (size_t)(A->first[j] + c) * (size_t)ld + A->first[i], B,
               (size_t)m * sizeof *B);
    }
}

size_t ns_blocks_entries(const ns_blocks *A)
{
  size_t n = 0;
  for (int i = 0; i < A->nb; i++)
    for (int k = A->row[i]; k < A->row[i + 1]; k++)
      n += (size_t)A->dim[i] * (size_t)A->dim[A->col[k]];
  return n;
}
