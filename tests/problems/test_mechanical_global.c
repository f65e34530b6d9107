/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Global friction problems: the reduction against dense algebra, rigid and flexible bodies,
 * equalities, a singular M. */
#include "algebra/dense.h"
#include "problems/global.h"
#include "problems/mechanical_tools.h"
#include "support/suite.h"

#include <check.h>

enum { MAX = 200 };

/* bodies of `size` rows each, M full in each (or banded where large), contacts between neighbours
 * in the list. */
typedef struct world {
  ns_global g;
  ns_blocks M;
  double val[MAX * MAX], dense[MAX * MAX], H[MAX * MAX], q[MAX], b[MAX], mu[MAX], hval[MAX * MAX],
      lb[MAX], ub[MAX];
  int dim[MAX], first[MAX + 1], row[MAX + 1], col[MAX * MAX], hrow[MAX + 1], hcol[MAX * MAX],
      cdim[MAX], cfirst[MAX + 1];
  size_t off[MAX * MAX];
  unsigned char kind[MAX];
} world;

static world w;

static void fill_mass(int n, int size, int unsymmetric)
{
  int at = 0;
  memset(w.dense, 0, sizeof w.dense);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      if (i / size != j / size || (size > 10 && i - j > 3)) continue;
      double x = i == j ? 8 + uniform() : signedu();
      w.dense[i + j * n] = x;
      w.dense[j + i * n] = i != j && unsymmetric ? x + 0.3 * signedu() : x;
    }
  w.M = (ns_blocks){.nb = n,
                    .m = n,
                    .dim = w.dim,
                    .first = w.first,
                    .row = w.row,
                    .col = w.col,
                    .off = w.off,
                    .val = w.val};
  for (int i = 0; i < n; i++) {
    w.dim[i] = 1;
    w.first[i] = i;
    w.row[i] = at;
    for (int j = 0; j < n; j++)
      if (w.dense[i + j * n] != 0) {
        w.col[at] = j;
        w.off[at] = (size_t)at;
        w.val[at++] = w.dense[i + j * n];
      }
    w.q[i] = signedu();
  }
  w.first[n] = n;
  w.row[n] = at;
}

/* Contact a between bodies a and a + 1 (mod), 4 entries in each; the last `equalities` blocks are
 * equalities of one row. */
static void fill_contacts(int n, int size, int d, int nc, int equalities)
{
  int bodies = n / size, at = 0, m = 0;
  memset(w.H, 0, sizeof w.H);
  for (int a = 0; a < nc + equalities; a++) {
    w.cdim[a] = a < nc ? d : 1;
    w.kind[a] = a < nc ? NS_BLOCK_FRICTION : NS_BLOCK_BOX;
    w.mu[a] = a < nc ? 0.2 + 0.5 * uniform() : 0;
    w.cfirst[a] = m;
    for (int i = 0; i < w.cdim[a]; i++, m++) {
      w.hrow[m] = at;
      w.b[m] = i == 0 && a < nc ? -uniform() : 0.1 * signedu();
      w.lb[m] = -INFINITY;
      w.ub[m] = INFINITY;
      for (int s = 0; s < 2 && (s == 0 || bodies > 1); s++)
        for (int k = 0; k < 4; k++) {
          int j = ((a + s) % bodies) * size + (5 * a + 3 * k + i) % size;
          double x = signedu();
          w.hcol[at] = j;
          w.hval[at++] = x;
          w.H[j + m * n] += x;
        }
    }
  }
  w.cfirst[nc + equalities] = m;
  w.hrow[m] = at;
  w.g = (ns_global){.M = &w.M,
                    .q = w.q,
                    .row = w.hrow,
                    .col = w.hcol,
                    .val = w.hval,
                    .b = w.b,
                    .nb = nc + equalities,
                    .m = m,
                    .dim = w.cdim,
                    .first = w.cfirst,
                    .kind = equalities ? w.kind : NULL,
                    .mu = w.mu,
                    .lb = w.lb,
                    .ub = w.ub};
}

/* W and q of the reduced problem, by one dense factor of M. */
static void compare(const ns_mechanical *p, int n)
{
  static double LU[MAX * MAX], X[MAX * MAX], W[MAX * MAX], v[MAX];
  static int piv[MAX];
  int m = w.g.m;
  memcpy(LU, w.dense, sizeof LU);
  memcpy(X, w.H, sizeof X);
  memcpy(v, w.q, sizeof v);
  ck_assert_int_eq(ns_dense_lu(n, LU, n, piv), 0);
  ns_dense_lu_solve(n, LU, n, piv, m, X, n);
  ns_dense_lu_solve(n, LU, n, piv, 1, v, n);
  memset(W, 0, sizeof W);
  ns_blocks_dense(p->W, W, m);
  for (int i = 0; i < m; i++) {
    double q = w.b[i];
    for (int k = 0; k < n; k++) q += w.H[k + i * n] * v[k];
    ck_assert_double_eq_tol(p->q[i], q, 1e-13);
    for (int j = 0; j < m; j++) {
      double s = 0;
      for (int k = 0; k < n; k++) s += w.H[k + i * n] * X[k + j * n];
      ck_assert_double_eq_tol(W[i + j * m], s, 1e-13);
    }
  }
}

START_TEST(reduction)
{
  static const struct {
    int n, size, unsymmetric, d, nc, equalities;
  } rows[] = {{6, 6, 0, 3, 1, 0},     {36, 6, 0, 3, 9, 0},   {36, 6, 1, 3, 9, 0},
              {30, 3, 0, 2, 12, 0},   {30, 3, 0, 2, 8, 3},   {140, 70, 0, 3, 10, 0},
              {140, 70, 1, 3, 10, 0}, {192, 64, 1, 2, 6, 2}, {150, 50, 0, 2, 0, 0}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    ns_ctx c = {0};
    ns_global_solver *s;
    ns_outcome out;
    fill_mass(rows[k].n, rows[k].size, rows[k].unsymmetric);
    fill_contacts(rows[k].n, rows[k].size, rows[k].d, rows[k].nc, rows[k].equalities);
    ck_assert_msg(ns_global_create(&c, &w.g, ns_mechanical_solver_find("auto"), NULL, &s) == NS_OK,
                  "%s", c.msg);
    compare(ns_global_reduced(s), rows[k].n);
    double r[MAX] = {0}, u[MAX], v[MAX], work[MAX];
    ck_assert_int_eq(ns_global_solve(s, &c, r, u, v, &out), NS_OK);
    ck_assert_msg(out.kind == NS_SOLVED && out.residual <= 1e-8, "row %zu: %s, %g", k,
                  ns_outcome_text(out.kind), out.residual);
    ck_assert(ns_global_residual(&w.g, v, r, u, work) == out.residual);
    v[0] += 1e-3; /* the dynamics count */
    ck_assert_double_ge(ns_global_residual(&w.g, v, r, u, work), 1e-5);
    ns_global_destroy(s);
  }
}
END_TEST

START_TEST(singular_mass)
{
  static const int size[] = {6, 60};
  for (int k = 0; k < 2; k++)
    for (int unsymmetric = 0; unsymmetric < 2; unsymmetric++) {
      ns_ctx c = {0};
      ns_global_solver *s;
      fill_mass(60, size[k], unsymmetric);
      for (int e = w.row[4]; e < w.row[5]; e++) w.val[e] = 0;
      for (int i = 0; i < 60; i++)
        for (int e = w.row[i]; e < w.row[i + 1]; e++)
          if (w.col[e] == 4) w.val[e] = 0;
      fill_contacts(60, size[k], 3, 2, 0);
      ck_assert_int_eq(ns_global_create(&c, &w.g, ns_mechanical_solver_find("nsgs"), NULL, &s),
                       NS_NUMERIC);
      ck_assert_ptr_null(s);
      ck_assert_msg(strstr(c.msg, "row 4") != NULL, "%s", c.msg);
    }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, reduction);
  tcase_add_test(t, singular_mass);
}

int main(void) { return suite_run("mechanical_global", fill); }
