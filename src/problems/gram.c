/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/gram.h"

#include "algebra/vector.h"
#include "problems/strip.h"

enum { LD = NS_GRAM_ROWS };

/* y -= f x in rows i .. n-1. */
static inline void subtract(int i, int n, double f, const double *restrict x, double *restrict y)
{
  for (; i + 1 < n; i += 2) ns_pair_add(y + i, -f, x + i);
  if (i < n) y[i] -= f * x[i];
}

/* Column c becomes that of L, and what it says leaves those after it. */
static void eliminate(int n, int c, double *A)
{
  double *L = A + c * LD, over = 1 / L[c];
  L[c] = over;
  for (int j = c + 1; j < n; j++) {
    double f = L[j] * over;
    if (f != 0) subtract(j, n, f, L, A + j * LD);
  }
  for (int i = c + 1; i < n; i++) L[i] *= over;
}

void ns_gram_factor(int n, double vanished, double *A)
{
  double min[NS_GRAM_ROWS];
  for (int c = 0; c < n; c++) min[c] = vanished * A[c + c * LD];
  for (int c = 0; c < n; c++) {
    double *pivot = A + c + c * LD;
    if (*pivot > min[c]) eliminate(n, c, A);
    else *pivot = 0;
  }
}

/* Rows and columns c < p of a symmetric matrix whose lower triangle is stored. */
static void swap_rows(int n, int c, int p, double *A)
{
  for (int j = 0; j < c; j++) ns_swap(A + c + j * LD, A + p + j * LD);
  for (int i = c + 1; i < p; i++) ns_swap(A + i + c * LD, A + p + i * LD);
  for (int i = p + 1; i < n; i++) ns_swap(A + i + c * LD, A + i + p * LD);
  ns_swap(A + c + c * LD, A + p + p * LD);
}

double ns_gram_factor_pivoted(int n, double vanished, double *A, int *order)
{
  double over[NS_GRAM_ROWS], left = 0;
  for (int c = 0; c < n; c++) {
    order[c] = c;
    over[c] = A[c + c * LD] > 0 ? 1 / A[c + c * LD] : 0;
  }
  for (int c = 0; c < n; c++) {
    int p = c;
    for (int i = c + 1; i < n; i++)
      if (A[i + i * LD] * over[i] > A[p + p * LD] * over[p]) p = i;
    double pivot = A[p + p * LD] * over[p];
    if (!(pivot > vanished)) {
      left = pivot > 0 ? pivot : 0;
      for (int i = c; i < n; i++) A[i + i * LD] = 0;
      break;
    }
    if (p != c) {
      int row = order[c];
      swap_rows(n, c, p, A);
      ns_swap(over + c, over + p);
      order[c] = order[p];
      order[p] = row;
    }
    eliminate(n, c, A);
  }
  return left;
}

void ns_gram_solve(int n, const double *A, double *b)
{
  for (int c = 0; c < n; c++) {
    const double *L = A + c * LD;
    if (L[c] != 0 && b[c] != 0) subtract(c + 1, n, b[c], L, b);
  }
  for (int c = n - 1; c >= 0; c--) {
    const double *L = A + c * LD;
    double s = b[c] * L[c];
    for (int i = c + 1; i < n && L[c] != 0; i++) s -= L[i] * b[i];
    b[c] = s;
  }
}
