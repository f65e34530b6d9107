/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse Newton-min for box AVIs: against enumeration of all states, and on ladders of diode
 * bridges. */
#include "../../bench/ladder.h"
#include "problems/box/sparse.h"
#include "problems/lcp_tools.h"

#define MAX 12

/* ---- an oracle: all states, each by dense elimination ---------------------------------------- */

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

/* Natural residual anew, in long double: that of all rows, and of those between two bounds by their
 * own size. */
static double oracle(int n, const double *M, const double *q, const double *lb, const double *ub,
                     const double *z)
{
  long double worst = 0, qmax = 0, own = 0;
  for (int i = 0; i < n; i++) {
    long double w = q[i], s = 0, T = fabsl(q[i]), Z = fmaxl(fabsl(lb[i]), fabsl(ub[i]));
    for (int j = 0; j < n; j++) {
      w += (long double)M[i + j * n] * z[j];
      T += fabsl((long double)M[i + j * n] * z[j]);
      s = fmaxl(s, fabsl(M[i + j * n]));
    }
    if (Z < INFINITY && T > 0) {
      long double e = fabsl(z[i] - fminl(fmaxl(z[i] - Z / T * w, lb[i]), ub[i]));
      if (e > 64 * DBL_EPSILON * Z) own = fmaxl(own, e / Z);
    }
    if (s == 0) s = 1;
    long double to = z[i] - w / s;
    if (to < lb[i]) to = lb[i];
    if (to > ub[i]) to = ub[i];
    worst = fmaxl(worst, fabsl(z[i] - to));
    qmax = fmaxl(qmax, fabsl(q[i] / s));
  }
  return (double)fmaxl(worst / (1 + qmax), own);
}

/* Some solution by trying all states; 0: found. */
static int enumerate(int n, const double *M, const double *q, const double *lb, const double *ub,
                     double *z)
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

/* ---- callers --------------------------------------------------------------------------------- */

static void *make_solver(const ns_blocks *A, const double *lb, const double *ub)
{
  ns_ctx c = {0};
  void *self = NULL;
  ns_avi_capacity cap = {
      .n = A->m, .nnz = (size_t)A->row[A->nb], .structure = A, .lb = lb, .ub = ub};
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
static void check_answer(const char *what, int n, const double *M, const ns_avi *p,
                         const double *guess, const double *z, const double *w,
                         const ns_outcome *out)
{
  if (out->kind != NS_SOLVED) {
    ck_assert_msg(!memcmp(z, guess, (size_t)n * sizeof *z), "%s: unsolved, but z is not the guess",
                  what);
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

/* ---- random problems ------------------------------------------------------------------------- */

/* Bounds of every kind. */
static void random_bounds(int n, double *lb, double *ub)
{
  for (int i = 0; i < n; i++) {
    int kind = below(5);
    lb[i] = kind == 0 || kind == 2 ? -INFINITY : kind == 1 ? 0 : -0.5 + uniform() / 2;
    ub[i] = kind == 0 || kind == 1 ? INFINITY
            : kind == 2            ? 0
            : kind == 3            ? lb[i] + 1 + uniform()
                                   : lb[i];
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
      guess[i] = isfinite(lb[i]) && below(2)   ? lo
                 : isfinite(ub[i]) && below(2) ? hi
                                               : lo + (hi - lo) * (uniform() + 1) / 2;
    }
    for (int i = 0; i < n; i++) {
      q[i] = lb[i] == ub[i]      ? uniform()
             : guess[i] == lb[i] ? below(2) * (uniform() + 1)
             : guess[i] == ub[i] ? -below(2) * (uniform() + 1)
                                 : 0;
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

/* Rows between bounds of 1e-14 to 1, from wrong bounds: each is right by its own size. */
START_TEST(bounds_of_any_size_are_reached)
{
  enum { ROWS = 40 };
  static double M[ROWS * ROWS];
  double q[ROWS], lb[ROWS], ub[ROWS], z[ROWS], w[ROWS];
  for (int trial = 0; trial < 100; trial++) {
    memset(M, 0, sizeof M);
    for (int i = 0; i < ROWS; i++) {
      M[i + i * ROWS] = 3 + uniform();
      if (i > 0) M[i + (i - 1) * ROWS] = uniform();
      if (i > 0) M[i - 1 + i * ROWS] = uniform();
      ub[i] = i % 4 ? INFINITY : pow(10, -7 * (uniform() + 1));
      lb[i] = i % 4 ? 0 : -ub[i];
      q[i] = uniform();
      z[i] = i % 4 ? 0 : copysign(ub[i], q[i]);
    }
    sparse s = sparse_of(ROWS, M, ROWS, NULL);
    void *self = make_solver(&s.A, lb, ub);
    ns_avi p = {.n = ROWS, .blocks = &s.A, .q = q, .lb = lb, .ub = ub};
    ns_outcome out = run_solver(self, &p, NULL, z, w);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    ck_assert_double_le(ns_avi_residual(&p, z, w), 1e-10);
    for (int i = 0; i < ROWS; i += 4)
      ck_assert_msg(fabs(w[i]) < 1e-9 || z[i] == -copysign(ub[i], w[i]),
                    "trial %d: z = %g of +-%g, w = %g", trial, z[i], ub[i], w[i]);
    ns_avi_sparse_newton.destroy(self);
    sparse_free(&s);
  }
}
END_TEST

/* ---- ladders --------------------------------------------------------------------------------- */

/* Diodes and resistor together draw v/R from their node: the ladder is a linear circuit. One step
 * of it, dense. */
static void linear_step(const ladder *d, double t, double *x)
{
  static double K[20 * 20], b[20], y[20];
  int n = 2 * d->cells;
  double a = d->h / 2, w = 2 * 3.14159265358979323846 * d->f;
  memset(K, 0, sizeof K);
  for (int k = 0; k < d->cells; k++) {
    int v = 2 * k, i = v + 1, on = k + 1 < d->cells;
    K[v + v * n] = d->C + d->h / d->R;
    K[v + i * n] = -a;
    if (on) K[v + (i + 2) * n] = a;
    b[v] = d->C * x[v] + a * (x[i] - (on ? x[i + 2] : 0));
    K[i + i * n] = d->L;
    K[i + v * n] = a;
    if (k > 0) K[i + (v - 2) * n] = -a;
    b[i] = d->L * x[i] +
           a * ((k > 0 ? x[v - 2] : d->U * (sin(w * t) + sin(w * (t + d->h)))) - x[v]);
  }
  ck_assert_int_eq(dense_solve(n, K, b, y), 0);
  memcpy(x, y, (size_t)n * sizeof *x);
}

/* The oracle of the residual, for CSR. */
static double sparse_oracle(const ns_avi *p, const double *z)
{
  long double worst = 0, qmax = 0;
  for (int i = 0; i < p->n; i++) {
    long double w = p->q[i], s = 0;
    for (int k = p->blocks->row[i]; k < p->blocks->row[i + 1]; k++) {
      w += (long double)p->blocks->val[k] * z[p->blocks->col[k]];
      s = fmaxl(s, fabsl(p->blocks->val[k]));
    }
    long double to = z[i] - w / s;
    if (to < p->lb[i]) to = p->lb[i];
    if (to > p->ub[i]) to = p->ub[i];
    worst = fmaxl(worst, fabsl(z[i] - to));
    qmax = fmaxl(qmax, fabsl(p->q[i] / s));
  }
  return (double)(worst / (1 + qmax));
}

/* 2000 steps: each solved to 1e-10, in fact to rounding; multipliers and states are those of the
 * closed form. */
START_TEST(ladders)
{
  static const int size[] = {1, 10, 100};
  int cells = size[_i];
  ladder d = ladder_of(cells, 1000);
  ns_avi p = ladder_avi(&d);
  void *self = make_solver(&d.A, d.lb, d.ub);
  double x[200];
  memcpy(x, d.z, 2 * (size_t)cells * sizeof *x);
  long iterations = 0;
  for (int k = 0; k < 2000; k++) {
    double t = d.t;
    ladder_next(&d);
    ns_outcome out = run_solver(self, &p, NULL, d.z, d.w);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    double r = sparse_oracle(&p, d.z);
    ck_assert_msg(r <= 1e-13, "step %d: %g", k, r);
    ck_assert_double_eq_tol(r, out.residual, 1e-14);
    iterations += out.iterations;
    for (int c = 0; c < cells; c++) {
      const double *l = d.z + 2 * cells + 4 * c;
      double v = d.z[2 * c], plus = v > 0 ? v : 0, minus = v < 0 ? -v : 0;
      ck_assert_double_eq_tol(l[0], plus, 1e-10);
      ck_assert_double_eq_tol(l[1], minus, 1e-10);
      ck_assert_double_eq_tol(l[2], plus / d.R, 1e-10);
      ck_assert_double_eq_tol(l[3], minus / d.R, 1e-10);
    }
    if (cells > 10) continue;
    linear_step(&d, t, x);
    for (int i = 0; i < 2 * cells; i++) ck_assert_double_eq_tol(d.z[i], x[i], 1e-11);
  }
  ck_assert_int_lt(iterations, 2 * 2000);
  ns_sparse_lu_stats f = ns_avi_sparse_counts(self);
  /* the diodes switched, and the factors followed at the price of a few paths */
  if (cells == 100) {
    ck_assert_int_gt(f.partial, 100);
    ck_assert_int_lt(f.full, 10);
    ck_assert_double_lt((double)f.computed, 15.0 * (double)f.partial);
  }
  ns_avi_sparse_newton.destroy(self);
  ladder_free(&d);
}
END_TEST

/* The answer depends on the problem and the guess, not on what the object solved before: a run that
 * is taken up with a new object goes on with the same bytes. */
START_TEST(same_bytes_with_a_new_object)
{
  ladder d = ladder_of(20, 1e4), e = ladder_of(20, 1e4);
  ns_avi p = ladder_avi(&d), q = ladder_avi(&e);
  void *self = make_solver(&d.A, d.lb, d.ub);
  for (int k = 0; k < 1000; k++) {
    ladder_next(&d);
    ladder_next(&e);
    void *other = make_solver(&e.A, e.lb, e.ub);
    ns_outcome a = run_solver(self, &p, NULL, d.z, d.w), b = run_solver(other, &q, NULL, e.z, e.w);
    ck_assert_int_eq(a.iterations, b.iterations);
    ck_assert_int_eq(memcmp(d.z, e.z, (size_t)d.n * sizeof *d.z), 0);
    ck_assert_int_eq(memcmp(d.w, e.w, (size_t)d.n * sizeof *d.w), 0);
    ns_avi_sparse_newton.destroy(other);
  }
  ns_avi_sparse_newton.destroy(self);
  ladder_free(&d);
  ladder_free(&e);
}
END_TEST

/* Every diode twice in parallel: multipliers are not unique, states singular; the voltages stay as
 * they were. */
START_TEST(redundant_diodes)
{
  enum { CELLS = 3, ONE = 6 * CELLS, N2 = 10 * CELLS };
  static double M[ONE * ONE], T[N2 * N2], q[N2], lb[N2], ub[N2], z[N2], w[N2];
  ladder d = ladder_of(CELLS, 1e4);
  ns_avi p = ladder_avi(&d);
  ns_blocks_dense(&d.A, M, ONE);
  for (int j = 0; j < N2; j++) /* rows and columns from ONE on: the bridges once more */
    for (int i = 0; i < N2; i++) {
      int a = i < ONE ? i : i - 4 * CELLS, b = j < ONE ? j : j - 4 * CELLS;
      T[i + j * N2] = M[a + b * ONE];
    }
  sparse s = sparse_of(N2, T, N2, NULL);
  for (int i = 0; i < N2; i++) {
    lb[i] = d.lb[i < ONE ? i : i - 4 * CELLS];
    ub[i] = INFINITY;
    z[i] = i < 2 * CELLS ? d.z[i] : 0;
  }
  ns_avi two = {.n = N2, .blocks = &s.A, .q = q, .lb = lb, .ub = ub, .stamp = 7};
  void *self = make_solver(&d.A, d.lb, d.ub), *other = make_solver(&s.A, lb, ub);
  for (int k = 0; k < 2000; k++) {
    ladder_next(&d);
    memcpy(q, d.q, 2 * CELLS * sizeof *q);
    run_solver(self, &p, NULL, d.z, d.w);
    ns_outcome out = run_solver(other, &two, NULL, z, w);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    ck_assert_double_le(sparse_oracle(&two, z), 1e-10);
    for (int i = 0; i < 2 * CELLS; i++) ck_assert_double_eq_tol(z[i], d.z[i], 1e-8);
  }
  ck_assert_int_le(ns_avi_sparse_counts(other).full, 2); /* no state had to be given up */
  ns_avi_sparse_newton.destroy(self);
  ns_avi_sparse_newton.destroy(other);
  sparse_free(&s);
  ladder_free(&d);
}
END_TEST

/* ---- grids of diodes ------------------------------------------------------------------------- */

enum { SIDE = 8, NODES = SIDE * SIDE, GRID = 3 * NODES };

/* Rows of a node: C v + h (sum of currents); of a diode from a to b: y = v_b - v_a >= 0 _|_ l >= 0.
 */
static int diode(double *M, int n, int a, int b, double h)
{
  M[a + n * GRID] = h;
  M[b + n * GRID] = -h;
  M[n + a * GRID] = -1;
  M[n + b * GRID] = 1;
  return n + 1;
}

/* A grid of nodes with diodes of random direction between neighbours, a fifth of them doubled. Some
 * nodes have no capacitor, most no resistor: their voltage is nobody's where their diodes are
 * blocked. Returns its size. */
static int grid(double *M, double *C, double h)
{
  int n = NODES;
  memset(M, 0, sizeof(double) * GRID * GRID);
  for (int i = 0; i < NODES; i++) {
    C[i] = uniform() < -0.2 ? 0 : 1e-6 * (1.5 + uniform());
    M[i + i * GRID] = C[i] + (uniform() < 0.6 ? 0 : h * 1e-3);
    int x = i % SIDE, y = i / SIDE, turn = uniform() < 0;
    if (x + 1 < SIDE) n = diode(M, n, turn ? i : i + 1, turn ? i + 1 : i, h);
    if (x + 1 < SIDE && uniform() < -0.6) n = diode(M, n, turn ? i : i + 1, turn ? i + 1 : i, h);
    turn = uniform() < 0;
    if (y + 1 < SIDE && uniform() < 0) n = diode(M, n, turn ? i : i + SIDE, turn ? i + SIDE : i, h);
  }
  return n;
}

/* Every step has a solution (currents enter only where there is a capacitor): it is found. */
START_TEST(floating_nodes)
{
  static double M[GRID * GRID], D[GRID * GRID], C[NODES], q[GRID], lb[GRID], ub[GRID], z[GRID],
      w[GRID], phase[NODES];
  double h = 1e-5;
  lcp_state = 100 + (uint64_t)_i;
  int n = grid(M, C, h);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) D[i + j * n] = M[i + j * GRID];
  sparse s = sparse_of(n, D, n, NULL);
  for (int i = 0; i < n; i++) {
    lb[i] = i < NODES ? -INFINITY : 0;
    ub[i] = INFINITY;
    q[i] = z[i] = 0;
    if (i < NODES) phase[i] = 4 * uniform();
  }
  void *self = make_solver(&s.A, lb, ub);
  ns_avi p = {.n = n, .blocks = &s.A, .q = q, .lb = lb, .ub = ub, .stamp = 1};
  for (int k = 0; k < 200; k++) {
    for (int i = 0; i < NODES; i++)
      q[i] = -C[i] * z[i] - (C[i] > 0 && i % 3 == 0 ? h * 0.01 * sin(0.06 * k + phase[i]) : 0);
    ns_outcome out = run_solver(self, &p, NULL, z, w);
    ck_assert_msg(out.kind == NS_SOLVED, "step %d: %s", k, ns_outcome_text(out.kind));
    ck_assert_double_le(sparse_oracle(&p, z), 1e-10);
  }
  ns_avi_sparse_newton.destroy(self);
  sparse_free(&s);
}
END_TEST

/* ---- the contract ---------------------------------------------------------------------------- */

START_TEST(principal_parts)
{
  static double M[40 * 40], S[40 * 40], q[40], lb[40], ub[40], z[40], w[40], y[40], guess[40] = {0};
  for (int t = 0; t < 200; t++) {
    int n = 40, m = 0, row[40];
    random_matrix(n, 60, 0.1, M);
    sparse s = sparse_of(n, M, n, NULL);
    random_bounds(n, lb, ub);
    void *self = make_solver(&s.A, lb, ub);
    for (int i = 0; i < n; i++)
      if (uniform() < 0.2) row[m++] = i;
    for (int j = 0; j < m; j++)
      for (int i = 0; i < m; i++) S[i + j * m] = M[row[i] + row[j] * n];
    sparse part = sparse_of(m, S, m, NULL);
    for (int i = 0; i < m; i++) {
      q[i] = uniform();
      lb[i] = lb[row[i]];
      ub[i] = ub[row[i]];
      z[i] = y[i] = 0;
    }
    ns_avi p = {.n = m, .blocks = &part.A, .q = q, .lb = lb, .ub = ub};
    ns_outcome out = run_solver(self, &p, row, z, w);
    ck_assert_int_eq(out.kind, NS_SOLVED);
    check_answer("part", m, S, &p, guess, z, w, &out);
    void *other = make_solver(&part.A, lb, ub);
    run_solver(other, &p, NULL, y, w);
    for (int i = 0; i < m; i++) ck_assert_double_eq_tol(z[i], y[i], 1e-9);
    ns_avi_sparse_newton.destroy(self);
    ns_avi_sparse_newton.destroy(other);
    sparse_free(&part);
    sparse_free(&s);
  }
}
END_TEST

/* Unsolvable, not finite: said, with the guess left as it was. Then the object works as before. */
START_TEST(honest_failures)
{
  double M[4] = {-1, 0, 0, 1}, q[2] = {-1, -1}, lb[2] = {0, 0}, ub[2] = {INFINITY, INFINITY},
         z[2] = {0.25, 3}, w[2];
  sparse s = sparse_of(2, M, 2, NULL);
  void *self = make_solver(&s.A, lb, ub);
  ns_avi p = {.n = 2, .blocks = &s.A, .q = q, .lb = lb, .ub = ub};
  double *entry = ns_blocks_at(&s.A, 0, 0);
  for (int k = 0; k < 5; k++) {
    *entry = k == 1 ? 0 : k == 2 ? NAN : k == 3 ? INFINITY : k == 4 ? 2 : -1;
    q[1] = k == 0 ? NAN : -1;
    ns_outcome out = run_solver(self, &p, NULL, z, w);
    ck_assert_int_eq(out.kind == NS_SOLVED, k == 4);
    if (k == 0 || k == 2 || k == 3) ck_assert_int_eq(out.kind, NS_NOT_FINITE);
    if (k == 4) break;
    ck_assert_double_gt(out.residual, 0.01);
    ck_assert_double_eq(z[0], 0.25);
    ck_assert_double_eq(z[1], 3);
  }
  ck_assert_double_eq(z[0], 0.5);
  ck_assert_double_eq(z[1], 1);
  ns_avi_sparse_newton.destroy(self);
  sparse_free(&s);
}
END_TEST

START_TEST(what_it_refuses)
{
  double M[4] = {1, 0, 0, 1}, z[2] = {0}, w[2], q[2] = {0}, lb[2] = {0}, ub[2] = {1, 1};
  ns_ctx c = {0};
  void *self = &c;
  ns_avi_capacity cap = {.n = 2, .lb = lb, .ub = ub};
  ck_assert_int_eq(ns_avi_sparse_newton.create(&c, &cap, NULL, &self), NS_MODEL);
  ck_assert_ptr_null(self);
  ck_assert_ptr_nonnull(strstr(c.msg, "auto"));
  int two = 2;
  sparse block = sparse_of(2, M, 1, &two), s = sparse_of(2, M, 2, NULL);
  cap.structure = &block.A;
  ck_assert_int_eq(ns_avi_sparse_newton.create(&c, &cap, NULL, &self), NS_MODEL);
  M[2] = 1;
  sparse more = sparse_of(2, M, 2, NULL);
  self = make_solver(&s.A, lb, ub);
  ns_avi p = {.n = 2, .blocks = &more.A, .q = q, .lb = lb, .ub = ub};
  ns_outcome out;
  ck_assert_int_eq(ns_avi_sparse_newton.solve(self, &c, &p, NULL, z, w, &out), NS_NUMERIC);
  p = (ns_avi){.n = 2, .dense = M, .ld = 2, .q = q, .lb = lb, .ub = ub};
  ck_assert_int_eq(ns_avi_sparse_newton.solve(self, &c, &p, NULL, z, w, &out), NS_NUMERIC);
  ns_avi_sparse_newton.destroy(self);
  ns_avi_sparse_newton.destroy(NULL);
  sparse_free(&block);
  sparse_free(&more);
  sparse_free(&s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_test(t, positive_definite_boxes);
  tcase_add_test(t, semidefinite_boxes);
  tcase_add_test(t, bounds_of_any_size_are_reached);
  tcase_add_loop_test(t, ladders, 0, 3);
  tcase_add_test(t, same_bytes_with_a_new_object);
  tcase_add_test(t, redundant_diodes);
  tcase_add_loop_test(t, floating_nodes, 0, 20);
  tcase_add_test(t, principal_parts);
  tcase_add_test(t, honest_failures);
  tcase_add_test(t, what_it_refuses);
}

int main(void) { return suite_run("avi_sparse", fill); }
