/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lcp_bench -- nanoseconds of the LCP solver "auto" and of the factorisation below it, each the
 * best of several runs. Tridiagonal matrices: 2 on the diagonal (a little more), -1 beside it. */
#include "algebra/sparse_factor.h"
#include "problems/lcp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void *need(size_t n, size_t size)
{
  void *p = calloc(n + 1, size);
  if (!p) exit(71);
  return p;
}

typedef struct chain {
  ns_blocks A;
  double *dense, *q, *z, *w;
} chain;

static chain chain_of(int n)
{
  size_t m = (size_t)n;
  chain h = {.A = {.nb = n, .m = n}};
  h.A.dim = need(m, sizeof(int));
  h.A.first = need(m + 1, sizeof(int));
  h.A.row = need(m + 1, sizeof(int));
  h.A.col = need(3 * m, sizeof(int));
  h.A.off = need(3 * m, sizeof(size_t));
  h.A.val = need(3 * m, sizeof(double));
  h.q = need(m, sizeof(double));
  h.z = need(m, sizeof(double));
  h.w = need(m, sizeof(double));
  h.dense = n <= 64 ? need(m * m, sizeof(double)) : NULL;
  int k = 0;
  for (int i = 0; i < n; i++) {
    h.A.dim[i] = 1;
    h.A.first[i] = h.A.row[i] = i == 0 ? 0 : h.A.row[i];
    h.A.first[i] = i;
    for (int j = i - 1; j <= i + 1; j++) {
      if (j < 0 || j >= n) continue;
      h.A.col[k] = j;
      h.A.off[k] = (size_t)k;
      h.A.val[k] = i == j ? 2.01 : -1;
      if (h.dense) h.dense[i + j * n] = h.A.val[k];
      k++;
    }
    h.A.row[i + 1] = k;
    h.q[i] = -1 + 0.9 * sin(i);
  }
  h.A.first[n] = n;
  return h;
}

static void chain_free(chain *h)
{
  free(h->A.dim), free(h->A.first), free(h->A.row), free(h->A.col), free(h->A.off), free(h->A.val);
  free(h->dense), free(h->q), free(h->z), free(h->w);
}

typedef enum mode { KEPT, STAMP, SUPPORT } mode;

/* Best time of one solve. SUPPORT: two rows change sides at each call. */
static double time_auto(chain *h, int dense, mode how)
{
  int n = h->A.m, calls = n < 100 ? 20000 : 2000000 / n + 1;
  ns_ctx c = {0};
  ns_lcp_capacity cap = {
      .n = n, .nnz = (size_t)(3 * n), .structure = dense ? NULL : &h->A, .symmetric = 1};
  void *self;
  if (ns_lcp_solvers[0]->create(&c, &cap, NULL, &self)) exit(1);
  ns_lcp p = {.n = n, .q = h->q, .stamp = 1};
  if (dense) p.dense = h->dense, p.ld = n;
  else p.blocks = &h->A;
  double best = INFINITY;
  for (int r = 0; r < 15; r++) {
    double t = now();
    for (int k = 0; k < calls; k++) {
      ns_outcome o;
      if (how != KEPT) p.stamp++;
      if (how == SUPPORT) {
        h->q[n - 1] = k % 2 ? 1e4 * n : -1;
        h->q[n / 2] = k % 2 ? -1 : 1e4 * n;
      }
      ns_lcp_solvers[0]->solve(self, &c, &p, NULL, h->z, h->w, &o);
      if (o.kind != NS_SOLVED) {
        printf("unsolved: %s %g\n", ns_outcome_text(o.kind), o.residual);
        exit(1);
      }
    }
    t = (now() - t) / calls;
    if (t < best) best = t;
  }
  ns_lcp_solvers[0]->destroy(self);
  return best;
}

static void time_factor(chain *h)
{
  int n = h->A.m, calls = 2000000 / n + 1;
  ns_ctx c = {0};
  ns_sparse_factor *f;
  if (ns_sparse_factor_create(&c, &h->A, 1, &f)) exit(1);
  double numeric = INFINITY, solve = INFINITY;
  for (int r = 0; r < 7; r++) {
    double t = now();
    for (int k = 0; k < calls; k++)
      if (ns_sparse_factor_numeric(f, &h->A, NULL, NULL, NULL, NULL)) exit(1);
    t = (now() - t) / calls;
    if (t < numeric) numeric = t;
    t = now();
    for (int k = 0; k < calls; k++) ns_sparse_factor_solve(f, h->z);
    t = (now() - t) / calls;
    if (t < solve) solve = t;
  }
  memset(h->z, 0, (size_t)n * sizeof *h->z);
  printf("n = %6d factor %6.1f ns/row, solve %5.1f ns/row\n", n, numeric / n, solve / n);
  ns_sparse_factor_destroy(f);
}

int main(void)
{
  static const int small[] = {1, 2, 3, 10, 16, 17, 24, 32, 64},
                   large[] = {100, 1000, 10000, 100000};
  printf("auto, ns a solve: factor kept / new M / new M and support\n");
  for (size_t i = 0; i < sizeof small / sizeof *small; i++)
    for (int dense = 1; dense >= 0; dense--) {
      chain h = chain_of(small[i]);
      double a = time_auto(&h, dense, KEPT), b = time_auto(&h, dense, STAMP),
             d = time_auto(&h, dense, SUPPORT);
      printf("n = %6d %-6s %8.0f %8.0f %8.0f\n", small[i], dense ? "dense" : "blocks", a, b, d);
      chain_free(&h);
    }
  printf("auto, ns a row: factor kept / new M / new M and support\n");
  for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
    chain h = chain_of(large[i]);
    double n = large[i], a = time_auto(&h, 0, KEPT), b = time_auto(&h, 0, STAMP),
           d = time_auto(&h, 0, SUPPORT);
    printf("n = %6.0f        %8.1f %8.1f %8.1f\n", n, a / n, b / n, d / n);
    chain_free(&h);
  }
  for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
    chain h = chain_of(large[i]);
    time_factor(&h);
    chain_free(&h);
  }
  return 0;
}
