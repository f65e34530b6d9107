/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse LU with rows that are switched: against a dense elimination with complete pivoting,
 * against itself made anew, and in the number of fronts it touches. */
#include "algebra/sparse_lu.h"
#include "problems/lcp_tools.h"

#define N 60
/* Rows of matrices whose fronts are eliminated by panels of pivots. */
#define LARGE 320

static int below(int n) { return (int)((uniform() + 1) / 2 * n); }

/* Rank of the n x n matrix K (destroyed), by complete pivoting. */
static int dense_rank(int n, double *K)
{
  for (int k = 0; k < n; k++) {
    int r = k, c = k;
    for (int j = k; j < n; j++)
      for (int i = k; i < n; i++)
        if (fabs(K[i + j * n]) > fabs(K[r + c * n])) {
          r = i;
          c = j;
        }
    if (fabs(K[r + c * n]) < 1e-9) return k;
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
    for (int i = k + 1; i < n; i++) {
      double l = K[i + k * n] / K[k + k * n];
      for (int j = k; j < n; j++) K[i + j * n] -= l * K[k + j * n];
    }
  }
  return n;
}

/* K of A and the unit rows; both column-major. */
static void dense_k(int n, const double *A, const unsigned char *unit, double *K)
{
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) K[i + j * n] = unit[i] ? i == j : A[i + j * n];
}

static ns_sparse_lu *lu_of(const ns_blocks *A)
{
  ns_ctx c = {0};
  ns_sparse_lu *f = NULL;
  ck_assert_int_eq(ns_sparse_lu_create(&c, A, &f), NS_OK);
  ck_assert_int_eq(ns_sparse_lu_load(f, A, NULL), 0);
  return f;
}

static void solve(ns_sparse_lu *f, int n, const unsigned char *unit, const double *b, double *x)
{
  const int *place = ns_sparse_lu_place(f);
  double p[LARGE], y[LARGE];
  for (int i = 0; i < n; i++)
    p[place[i]] = unit && unit[i] ? b[i] : b[i] * ns_sparse_lu_scale(f, i);
  ns_sparse_lu_solve(f, p, y);
  for (int i = 0; i < n; i++) x[i] = y[place[i]];
}

/* Largest |K x - b| over the size of what is summed. */
static double defect(int n, const double *K, const double *x, const double *b)
{
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double s = -b[i], size = fabs(b[i]) + DBL_MIN;
    for (int j = 0; j < n; j++) {
      s += K[i + j * n] * x[j];
      size += fabs(K[i + j * n] * x[j]);
    }
    worst = fmax(worst, fabs(s) / size);
  }
  return worst;
}

/* Small integers, few of them, most diagonals zero: many are singular, exactly. */
static void integers(int n, double density, double *A)
{
  for (int k = 0; k < n * n; k++) A[k] = uniform() + 1 < 2 * density ? below(7) - 3 : 0;
}

START_TEST(singular_or_solved)
{
  static double A[N * N], K[N * N], R[N * N], b[N], x[N];
  int singular = 0, solved = 0;
  for (int t = 0; t < 3000; t++) {
    int n = 1 + below(t % 3 ? 12 : N);
    unsigned char unit[N];
    integers(n, 2.5 / n, A);
    sparse s = sparse_of(n, A, n, NULL);
    ns_sparse_lu *f = lu_of(&s.A);
    for (int i = 0; i < n; i++) {
      unit[i] = uniform() < 0;
      ns_sparse_lu_unit(f, i, unit[i]);
      b[i] = uniform();
    }
    dense_k(n, A, unit, K);
    memcpy(R, K, sizeof R);
    int rank = dense_rank(n, R), rc = ns_sparse_lu_update(f);
    ck_assert_int_ge(rc, 0);
    ck_assert_msg((rank == n) == (rc == 0), "t = %d, n = %d: rank %d, rc %d", t, n, rank, rc);
    if (rc) singular++;
    else {
      solved++;
      solve(f, n, unit, b, x);
      double d = defect(n, K, x, b);
      ck_assert_msg(d < 1e-11, "t = %d, n = %d: %g", t, n, d);
    }
    ns_sparse_lu_destroy(f);
    sparse_free(&s);
  }
  ck_assert_int_gt(singular, 300);
  ck_assert_int_gt(solved, 300);
}
END_TEST

/* [G B; -B^T 0] with as many zero rows as fit: every pivot of the lower part has to come from
 * outside its row. */
START_TEST(saddle_points)
{
  static double A[N * N], b[N], x[N];
  for (int t = 0; t < 300; t++) {
    int n = N, m = 25;
    memset(A, 0, sizeof A);
    for (int i = 0; i < n - m; i++) {
      A[i + i * n] = 2 + uniform();
      if (i) A[i + (i - 1) * n] = A[i - 1 + i * n] = uniform() / 2;
    }
    for (int k = 0; k < m; k++) {
      int i = n - m + k;
      double v = 1 + uniform() / 2, u = uniform();
      A[k + i * n] = v;
      A[i + k * n] = -v;
      A[k + 9 + i * n] = u;
      A[i + (k + 9) * n] = -u;
    }
    sparse s = sparse_of(n, A, n, NULL);
    ns_sparse_lu *f = lu_of(&s.A);
    for (int i = 0; i < n; i++) b[i] = uniform();
    ck_assert_int_eq(ns_sparse_lu_update(f), 0);
    solve(f, n, NULL, b, x);
    ck_assert_double_lt(defect(n, A, x, b), 1e-12);
    ns_sparse_lu_destroy(f);
    sparse_free(&s);
  }
}
END_TEST

/* The same with fronts of some hundred columns, of which many are delayed, and with unit rows. */
START_TEST(fronts_of_many_panels)
{
  static double A[LARGE * LARGE], K[LARGE * LARGE], b[LARGE], x[LARGE];
  long delayed = 0;
  for (int t = 0; t < 12; t++) {
    int n = LARGE - below(100), m = n / 3;
    unsigned char unit[LARGE];
    memset(A, 0, sizeof A);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        if (i < n - m && j < n - m && (i == j || uniform() > 0.8))
          A[i + j * n] = (i == j ? 9 : 0) + uniform();
    for (int k = 0; k < m; k++)
      for (int e = 0; e < 4; e++) {
        int i = n - m + k, j = e ? below(n - m) : k;
        A[j + i * n] = e ? uniform() / 4 : 2;
        A[i + j * n] = -A[j + i * n];
      }
    sparse s = sparse_of(n, A, n, NULL);
    ns_sparse_lu *f = lu_of(&s.A);
    for (int i = 0; i < n; i++) {
      unit[i] = t % 2 && i >= m && i < n - m && uniform() > 0; /* K is regular */
      ns_sparse_lu_unit(f, i, unit[i]);
      b[i] = uniform();
    }
    dense_k(n, A, unit, K);
    ck_assert_int_eq(ns_sparse_lu_update(f), 0);
    solve(f, n, unit, b, x);
    double d = defect(n, K, x, b);
    ck_assert_msg(d < 1e-11, "t = %d: %g", t, d);
    delayed += ns_sparse_lu_counts(f).delayed;
    ns_sparse_lu_destroy(f);
    sparse_free(&s);
  }
  ck_assert_int_gt(delayed, 20);
}
END_TEST

START_TEST(the_way_there_does_not_matter)
{
  static double A[N * N], b[N], x[N], y[N];
  int total = 0;
  for (int t = 0; t < 40; t++) {
    int n = 30 + below(N - 30), solved = 0;
    unsigned char unit[N] = {0};
    memset(A, 0, sizeof A);
    for (int k = 0; k < n * n; k++) {
      if (uniform() + 1 < 8.0 / n) A[k] = uniform();
      if (k % (n + 1) == 0 && k % 5) A[k] = uniform();
    }
    sparse s = sparse_of(n, A, n, NULL);
    ns_sparse_lu *f = lu_of(&s.A);
    for (int k = 0; k < 200; k++) {
      int i = below(n);
      unit[i] ^= 1;
      ns_sparse_lu_unit(f, i, unit[i]);
      int rc = ns_sparse_lu_update(f);
      ns_sparse_lu *g = lu_of(&s.A);
      for (int j = 0; j < n; j++) {
        ns_sparse_lu_unit(g, j, unit[j]);
        b[j] = uniform();
      }
      ck_assert_int_eq(ns_sparse_lu_update(g), rc);
      if (rc == 0) {
        solved++;
        solve(f, n, unit, b, x);
        solve(g, n, unit, b, y);
        ck_assert_int_eq(memcmp(x, y, (size_t)n * sizeof *x), 0);
      }
      ns_sparse_lu_destroy(g);
    }
    total += solved;
    ns_sparse_lu_destroy(f);
    sparse_free(&s);
  }
  ck_assert_int_gt(total, 1000);
}
END_TEST

START_TEST(few_entries_of_b)
{
  static double A[N * N], b[N], x[N], y[N], p[N];
  for (int t = 0; t < 200; t++) {
    int n = N, at[3];
    memset(A, 0, sizeof A);
    memset(b, 0, sizeof b);
    memset(p, 0, sizeof p);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (abs(i - j) < 3) A[i + j * n] = i == j ? 8 : uniform();
    sparse s = sparse_of(n, A, n, NULL);
    ns_sparse_lu *f = lu_of(&s.A);
    const int *place = ns_sparse_lu_place(f);
    unsigned char unit[N] = {0};
    for (int i = 0; i < n; i += 4) ns_sparse_lu_unit(f, i, unit[i] = uniform() < 0);
    ck_assert_int_eq(ns_sparse_lu_update(f), 0);
    for (int k = 0; k < 3; k++) {
      int i = 20 * k + below(20);
      b[i] = uniform();
      p[place[i]] = unit[i] ? b[i] : b[i] * ns_sparse_lu_scale(f, i);
      at[k] = place[i];
    }
    solve(f, n, unit, b, x);
    ns_sparse_lu_solve_few(f, at, 3, 1e-12, p, y);
    int zeros = 0;
    for (int i = 0; i < n; i++) {
      ck_assert_double_eq(p[i], 0);
      ck_assert_double_eq_tol(y[place[i]], x[i], 2e-12);
      zeros += y[i] == 0;
    }
    ck_assert_int_gt(zeros, 0); /* something was left out */
    ns_sparse_lu_destroy(f);
    sparse_free(&s);
  }
}
END_TEST

START_TEST(a_switch_costs_the_logarithm)
{
  static const int size[] = {1000, 30000};
  int n = size[_i];
  sparse s = chain_of(n, 4, -1);
  ns_sparse_lu *f = lu_of(&s.A);
  ck_assert_int_eq(ns_sparse_lu_update(f), 0);
  for (int k = 0; k < 500; k++) {
    ns_sparse_lu_unit(f, below(n), k & 1);
    ck_assert_int_eq(ns_sparse_lu_update(f), 0);
  }
  ns_sparse_lu_stats c = ns_sparse_lu_counts(f);
  ck_assert_int_eq(c.full, 1);
  ck_assert_int_gt(c.partial, 100);
  /* up to two leaves, then one path */
  ck_assert_double_lt((double)c.computed / c.partial, 2 * log2(n));
  ck_assert_int_gt(c.fronts, n / 20);
  ns_sparse_lu_destroy(f);
  sparse_free(&s);
}
END_TEST

/* 100000 pairs of rows that nothing connects, then nothing at all; quadratic work would run into
 * the time limit. */
START_TEST(many_parts)
{
  int n = 200000;
  sparse s = chain_of(n, 4, -1);
  int k = 0;
  for (int i = 0; i < n; i++) {
    s.A.row[i] = k;
    for (int j = i & ~1; j <= (i | 1); j++) {
      s.A.col[k] = j;
      s.A.val[k] = i == j ? 2 : i & 1 ? 3 : 1;
      s.A.off[k] = (size_t)k;
      k++;
    }
  }
  s.A.row[n] = k;
  ns_sparse_lu *f = lu_of(&s.A);
  ck_assert_int_eq(ns_sparse_lu_update(f), 0);
  const int *place = ns_sparse_lu_place(f);
  double *b = calloc(2 * (size_t)n, sizeof *b), *x = b + n;
  for (int i = 0; i < n; i++) b[place[i]] = (i & 1 ? 5 : 3) * ns_sparse_lu_scale(f, i); /* x = 1 */
  ns_sparse_lu_solve(f, b, x);
  for (int i = 0; i < n; i++) ck_assert_double_eq_tol(x[i], 1, 1e-15);
  free(b);
  ns_sparse_lu_destroy(f);
  s.A.nb = s.A.m = 0;
  f = lu_of(&s.A);
  ck_assert_int_eq(ns_sparse_lu_update(f), 0);
  ns_sparse_lu_destroy(f);
  sparse_free(&s);
}
END_TEST

START_TEST(parts_of_the_structure)
{
  static double A[N * N], S[N * N], b[N], x[N];
  for (int t = 0; t < 100; t++) {
    int n = N, m = 0, row[N];
    memset(A, 0, sizeof A);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (abs(i - j) < 3 || i == n - 1 - j) A[i + j * n] = i == j ? 8 : uniform();
    sparse s = sparse_of(n, A, n, NULL);
    for (int i = 0; i < n; i++)
      if (uniform() < 0.3) row[m++] = i;
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) S[i + j * m] = A[row[i] + row[j] * n];
    sparse part = sparse_of(m, S, m, NULL);
    ns_sparse_lu *f = lu_of(&s.A);
    const int *place = ns_sparse_lu_place(f);
    ck_assert_int_eq(ns_sparse_lu_load(f, &part.A, row), 0);
    ck_assert_int_eq(ns_sparse_lu_update(f), 0);
    double p[N] = {0}, y[N];
    for (int i = 0; i < m; i++) {
      b[i] = uniform();
      p[place[row[i]]] = b[i] * ns_sparse_lu_scale(f, row[i]);
    }
    ns_sparse_lu_solve(f, p, y);
    for (int i = 0; i < m; i++) x[i] = y[place[row[i]]];
    ck_assert_double_lt(defect(m, S, x, b), 1e-13);
    ns_sparse_lu_destroy(f);
    sparse_free(&part);
    sparse_free(&s);
  }
}
END_TEST

/* Entries beyond the structure are refused; far scales of the rows do not count. */
START_TEST(what_is_loaded)
{
  static double A[N * N], B[N * N], b[N], x[N];
  int n = 20;
  memset(A, 0, sizeof A);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (abs(i - j) < 2) A[i + j * n] = (i == j ? 3 : uniform()) * pow(10, 15 * (i % 3 - 1));
  memcpy(B, A, sizeof B);
  B[7] = 1;
  sparse s = sparse_of(n, A, n, NULL), u = sparse_of(n, B, n, NULL);
  ns_sparse_lu *f = lu_of(&s.A);
  ck_assert_int_eq(ns_sparse_lu_update(f), 0);
  for (int i = 0; i < n; i++) b[i] = uniform();
  solve(f, n, NULL, b, x);
  ck_assert_double_lt(defect(n, A, x, b), 1e-14);
  ck_assert_int_eq(ns_sparse_lu_load(f, &u.A, NULL), -1);
  ns_sparse_lu_destroy(f);
  sparse_free(&u);
  sparse_free(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_test(t, singular_or_solved);
  tcase_add_test(t, saddle_points);
  tcase_add_test(t, fronts_of_many_panels);
  tcase_add_test(t, the_way_there_does_not_matter);
  tcase_add_test(t, few_entries_of_b);
  tcase_add_loop_test(t, a_switch_costs_the_logarithm, 0, 2);
  tcase_add_test(t, many_parts);
  tcase_add_test(t, parts_of_the_structure);
  tcase_add_test(t, what_is_loaded);
}

int main(void) { return suite_run("sparse_lu", fill); }
