/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_runs.h -- for tests: what a run recorded of rigid bodies and joints. */
#ifndef TESTS_SUPPORT_RIGID_RUNS_H
#define TESTS_SUPPORT_RIGID_RUNS_H

#include "algebra/rotation.h"
#include "algebra/vector.h"
#include "model/relations/rigid_relation.h"
#include "support/mechanics.h"

/* Coordinates q [7] and velocities v [6] of a body in a row. */
static inline void body_at(const run *r, size_t row, const char *id, double *q, double *v)
{
  static const char *const name[] = {"x",   "y",   "z",   "p0",      "p1",      "p2",     "p3",
                                     "v_x", "v_y", "v_z", "Omega_x", "Omega_y", "Omega_z"};
  for (int i = 0; i < 13; i++) {
    char label[128];
    snprintf(label, sizeof label, "%s.%s", id, name[i]);
    *(i < 7 ? q + i : v + i - 7) = run_at(r, row, label);
  }
}

/* The first row at which a column is no longer on the side of `value` on which it began. */
static inline size_t row_where(const run *r, const char *label, double value)
{
  int side = run_at(r, 0, label) > value;
  for (size_t k = 1; k < r->got.nrows; k++)
    if ((run_at(r, k, label) > value) != side) return k;
  ck_abort_msg("%s does not pass %g", label, value);
  return 0;
}

/* Where between rows k-1 and k it is at `value`, as a straight line. */
static inline double part_of_step(const run *r, size_t k, const char *label, double value)
{
  double a = run_at(r, k - 1, label), b = run_at(r, k, label);
  return (value - a) / (b - a);
}

/* max |y| over the rows of a joint and the run. */
static inline double joint_error(const run *r, const char *id, int m)
{
  double worst = 0;
  for (int j = 0; j < m; j++) {
    char label[128];
    snprintf(label, sizeof label, "%s.y[%d]", id, j);
    for (size_t k = 0; k < r->got.nrows; k++) worst = fmax(worst, fabs(run_at(r, k, label)));
  }
  return worst;
}

/* Rank of A [m x n] by rows, by elimination with complete pivoting; A is destroyed. */
static inline int rank_of(double *A, int m, int n)
{
  double first = 0;
  for (int k = 0; k < m && k < n; k++) {
    int p = k, q = k;
    for (int i = k; i < m; i++)
      for (int j = k; j < n; j++)
        if (fabs(A[i * n + j]) > fabs(A[p * n + q])) p = i, q = j;
    double pivot = A[p * n + q];
    if (k == 0) first = fabs(pivot);
    if (fabs(pivot) <= 1e-10 * first) return k;
    for (int j = 0; j < n; j++) {
      double x = A[k * n + j];
      A[k * n + j] = A[p * n + j];
      A[p * n + j] = x;
    }
    for (int i = 0; i < m; i++) {
      double x = A[i * n + k];
      A[i * n + k] = A[i * n + q];
      A[i * n + q] = x;
    }
    for (int i = k + 1; i < m; i++)
      for (int j = n - 1; j >= k; j--) A[i * n + j] -= A[i * n + k] / pivot * A[k * n + j];
  }
  return m < n ? m : n;
}

#endif
