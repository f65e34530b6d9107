/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse Newton-min for box AVIs: against enumeration of all states, and on ladders of diode bridges. */
#include "../../bench/ladder.h"
#include "problems/avi_sparse.h"
#include "problems/lcp_tools.h"

#define MAX 12

/* ---- an oracle: all states, each by dense elimination ---- */

/* x = K^-1 b, complete pivoting; 0, or 1 where singular. K, b destroyed. */
static int dense_solve(int n, double *K, double *b, double *x)
{
  int col[6 * 20];
  for (int j = 0; j < n; j++) col[j] = j;
  for (int k = 0; k < n; k++) {
    int r = k, c = k;
    for (int j = k; j < n; j++)
      for (int i = k; i < n; i++)
        if (fabs(K[i + j * n]) > fabs(K[r + c * n])) {
          r = i;
          c = j;
        }
    if (fabs(K[r + c * n]) < 1e-12) return 1;
    for (int j = 0; j < n; j++) {
      double v = K[k + j * n];
      K[k + j * n] = K[r + j * n];
      K[r + j * n] = v;
    }
    for (int i = 0; i < n; i++) {
      double v = K[i + k * n];
      K[i + k * n] = K[i + c * n];
      K[i + c * n] = v;
    }
    double v = b[k];
    b[k] = b[r];
    b[r] = v;
    int w = col[k];
    col[k] = col[c];
    col[c] = w;
    for (int i = k + 1; i < n; i++) {
      double l = K[i + k * n] / K[k + k * n];
      for (int j = k; j < n; j++) K[i + j * n] -= l * K[k + j * n];
      b[i] -= l * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    double s = b[k];
    for (int j = k + 1; j < n; j++) s -= K[k + j * n] * x[col[j]];
    x[col[k]] = s / K[k + k * n];
  }
  return 0;
}

/* Natural residual anew, in long double. */
static double oracle(int n, const double *M, const double *q, const double *lb, const double *ub, const double *z)
{
  long double worst = 0, qmax = 0;
  for (int i = 0; i < n; i++) {
    long double w = q[i], s = 0;
    for (int j = 0; j < n; j++) {
      w += (long double)M[i + j * n] * z[j];
      s = fmaxl(s, fabsl(M[i + j * n]));
    }
    if (s == 0) s = 1;
    long double to = z[i] - w / s;
    if (to < lb[i]) to = lb[i];
    if (to > ub[i]) to = ub[i];
    worst = fmaxl(worst, fabsl(z[i] - to));
    qmax = fmaxl(qmax, fabsl(q[i] / s));
  }
  return (double)(worst / (1 + qmax));
}

/* Some solution by trying all states; 0: found. */
static int enumerate(int n, const double *M, const double *q, const double *lb, const double *ub, double *z)
{
  static double K[MAX * MAX], b[MAX];
  int states = 1;
  for (int i = 0; i < n; i++) states *= 3;
  for (int s = 0; s < states; s++) {
    int possible = 1, code = s;
    for (int i = 0; i < n && possible; i++, code /= 3) {
      double at = code % 3 == 1 ? lb[i] : ub[i];
      if (code % 3 && !isfinite(at)) possible = 0;
      for (int j = 0; j < n; j++) K[i + j * n] = code % 3 ? i == j : M[i + j * n];
      b[i] = code % 3 ? at : -q[i];
    }
    if (possible && !dense_solve(n, K, b, z) && oracle(n, M, q, lb, ub, z) < 1e-12) return 0;
  }
  return 1;
}

/* ---- callers ---- */

static void *make_solver(const ns_blocks *A, const double *lb, const double *ub)
{
  ns_ctx c = {0};
  void *self = NULL;
  ns_avi_capacity cap = {.n = A->m, .nnz = (size_t)A->row[A->nb], .structure = A, .lb = lb, .ub = ub};
  ck_assert_msg(ns_avi_sparse_newton.create(&c, &cap, NULL, &self) == NS_OK, "%s", c.msg);
  return self;
}

static ns_outcome run_solver(void *self, const ns_avi *p, const int *row, double *z, double *w)
{
  ns_ctx c = {0};
  ns_outcome out;
  ck_assert_msg(ns_avi_sparse_newton.solve(self, &c, p, row, z, w, &out) == NS_OK, "%s", c.msg);
  return out;
}

static int below(int n) { return (int)((uniform() + 1) / 2 * n); }

/* What is claimed is so: solved within the bounds, or the guess untouched. */
static void check_answer(const char *what, int n, const double *M, const ns_avi *p, const double *guess, const double *z,
                         const double *w, const ns_outcome *out)
{
  if (out->kind != NS_SOLVED) {
    ck_assert_msg(!memcmp(z, guess, (size_t)n * sizeof *z), "%s: unsolved, but z is not the guess", what);
    return;
  }
  double r = oracle(n, M, p->q, p->lb, p->ub, z);
  ck_assert_msg(r <= 1.001e-10, "%s: claims %g, has %g", what, out->residual, r);
  ck_assert_double_eq_tol(out->residual, r, 1e-14);
  for (int i = 0; i < n; i++) {
    double s = p->q[i], size = fabs(s);
    for (int j = 0; j < n; j++) {
      s += M[i + j * n] * z[j];
      size += fabs(M[i + j * n] * z[j]);
    }
    ck_assert(z[i] >= p->lb[i] && z[i] <= p->ub[i]);
    ck_assert_double_eq_tol(w[i], s, 2 * n * DBL_EPSILON * size + DBL_MIN);
  }
}

/* ---- random problems ---- */

/* Bounds of every kind. */
static void random_bounds(int n, double *lb, double *ub)
{
  for (int i = 0; i < n; i++) {
    int kind = below(5);
    lb[i] = kind == 0 || kind == 2 ? -INFINITY : kind == 1 ? 0 : -0.5 + uniform() / 2;
    ub[i] = kind == 0 || kind == 1 ? INFINITY : kind == 2 ? 0 : kind == 3 ? lb[i] + 1 + uniform() : lb[i];
  }
}

/* Sparse positive semidefinite plus skew, with `shift` on the diagonal. */
static void random_matrix(int n, int terms, double shift, double *M)
{
  memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
  for (int k = 0; k < terms; k++) {
    int i = below(n), j = below(n);
    double a = uniform(), b = uniform(), s = uniform();
    M[i + i * n] += a * a;
    if (i == j) continue;
    M[j + j * n] += b * b;
    M[i + j * n] += a * b + s;
    M[j + i * n] += a * b - s;
  }
  for (int i = 0; i < n; i++) M[i + i * n] += shift;
}

/* One solution exists: it is found, from any guess, with the object of the problem before. */
START_TEST(positive_definite_boxes)
{
  static double M[MAX * MAX], q[MAX], lb[MAX], ub[MAX], z[MAX], y[MAX], w[MAX], guess[MAX];
  for (int t = 0; t < 300; t++) {
    int n = 1 + below(7);
    random_matrix(n, 2 * n, 0.05, M);
    sparse s = sparse_of(n, M, n, NULL);
    random_bounds(n, lb, ub);
    void *self = make_solver(&s.A, lb, ub);
    ns_avi p = {.n = n, .blocks = &s.A, .q = q, .lb = lb, .ub = ub, .stamp = 1};
    for (int k = 0; k < 5; k++) {
      for (int i = 0; i < n; i++) {
        q[i] = 2 * uniform();
        if (k != 2) z[i] = 2 * uniform();
        guess[i] = z[i];
      }
      ns_outcome out = run_solver(self, &p, NULL, z, w);
      check_answer("definite", n, M, &p, guess, z, w, &out);
      ck_assert_int_eq(out.kind, NS_SOLVED);
      ck_assert_int_eq(enumerate(n, M, q, lb, ub, y), 0);
      for (int i = 0; i < n; i++) ck_assert_double_eq_tol(z[i], y[i], 1e-8);
    }
    ns_avi_sparse_newton.destroy(self);
    sparse_free(&s);
  }
}
END_TEST

/* Zero diagonals, redundant and opposed rows: solvable by construction, and then solved. */
START_TEST(semidefinite_boxes)
{
  static double M[64 * 64], q[64], lb[64], ub[64], z[64], w[64], guess[64];
  int unsolved = 0;
  for (int t = 0; t < 2000; t++) {
    int n = 2 + below(t % 2 ? 10 : 62);
    random_matrix(n, n, 0, M);
    if (t % 3 == 0 && n > 3) /* row 1 is row 0 once more */
      for (int k = 0; k < 2; k++)
        for (int j = 0; j < n; j++) {
          if (k) M[j + n] = M[j];
          else M[1 + j * n] = M[j * n];
        }
    sparse s = sparse_of(n, M, n, NULL);
    random_bounds(n, lb, ub);
    for (int i = 0; i < n; i++) { /* w and a solution, then q */
      double lo = isfinite(lb[i]) ? lb[i] : -2, hi = isfinite(ub[i]) ? ub[i] : lo + 4;
      guess[i] = isfinite(lb[i]) && below(2) ? lo : isfinite(ub[i]) && below(2) ? hi : lo + (hi - lo) * (uniform() + 1) / 2;
    }
    for (int i = 0; i < n; i++) {
      q[i] = lb[i] == ub[i] ? uniform() : guess[i] == lb[i] ? below(2) * (uniform() + 1) : guess[i] == ub[i] ? -below(2) * (uniform() + 1) : 0;
      for (int j = 0; j < n; j++) q[i] -= M[i + j * n] * guess[j];
    }
    for (int i = 0; i < n; i++) z[i] = guess[i] = 0;
    void *self = make_solver(&s.A, lb, ub);
    ns_avi p = {.n = n, .blocks = &s.A, .q = q, .lb = lb, .ub = ub};
    ns_outcome out = run_solver(self, &p, NULL, z, w);
    check_answer("semidefinite", n, M, &p, guess, z, w, &out);
    unsolved += out.kind != NS_SOLVED;
    ns_avi_sparse_newton.destroy(self);
    sparse_free(&s);
  }
  ck_assert_int_eq(unsolved, 0);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_test(t, positive_definite_boxes);
  tcase_add_test(t, semidefinite_boxes);
}

int main(void) { return suite_run("avi_sparse", fill); }
