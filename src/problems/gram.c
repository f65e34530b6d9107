/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/gram.h"

#include "problems/strip.h"

enum { LD = NS_GRAM_ROWS };

/* y -= f x in rows i .. n-1. */
static inline void subtract(int i, int n, double f, const double *restrict x, double *restrict y)
{
  for (; i + 1 < n; i += 2) ns_pair_add(y + i, -f, x + i);
  if (i < n) y[i] -= f * x[i];
}

void ns_gram_factor(int n, double vanished, double *A)
{
  double least[NS_GRAM_ROWS];
  for (int c = 0; c < n; c++) least[c] = vanished * A[c + c * LD];
  for (int c = 0; c < n; c++) {
    double *L = A + c * LD, over = L[c] > least[c] ? 1 / L[c] : 0;
    L[c] = over;
    if (over == 0) continue;
    for (int j = c + 1; j < n; j++) {
      double f = L[j] * over;
      if (f != 0) subtract(j, n, f, L, A + j * LD);
    }
    for (int i = c + 1; i < n; i++) L[i] *= over;
  }
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
