/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lcp_tools.h -- random problems, an oracle and callers for the LCP tests. */
#ifndef NS_TESTS_LCP_TOOLS_H
#define NS_TESTS_LCP_TOOLS_H

#include "problems/lcp.h"
#include "support/suite.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t lcp_state = 1;
static inline double uniform(void) /* [-1, 1) */
{
  lcp_state = lcp_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)(lcp_state >> 11) / 4503599627370496.0 - 1;
}

static inline ns_lcp dense_lcp(int n, const double *M, const double *q)
{
  return (ns_lcp){.n = n, .dense = M, .ld = n, .q = q};
}

/* A solver object that fails the test where it cannot be made. */
typedef struct object {
  const ns_lcp_solver_ops *ops;
  void *self;
} object;

static inline object make(const char *solver, int n, const ns_blocks *structure, int symmetric,
                          const ns_lcp_options *opt)
{
  ns_ctx c = {0};
  object o = {.ops = ns_lcp_solver_find(solver)};
  ck_assert_ptr_nonnull(o.ops);
  ns_lcp_capacity cap = {
      .n = n, .nnz = (size_t)n * (size_t)n, .structure = structure, .symmetric = symmetric};
  int rc = o.ops->create(&c, &cap, opt, &o.self);
  ck_assert_msg(rc == NS_OK, "%s: %s", solver, c.msg);
  return o;
}

static inline ns_outcome run(object o, const ns_lcp *p, const int *row, double *z, double *w)
{
  ns_ctx c = {0};
  ns_outcome out = {.kind = NS_LIMIT, .residual = INFINITY};
  int rc = o.ops->solve(o.self, &c, p, row, z, w, &out);
  ck_assert_msg(rc == NS_OK, "%s: %s", o.ops->name, c.msg);
  return out;
}

/* One solve with a new object; z in: guess. */
static inline ns_outcome solve_once(const char *solver, const ns_lcp *p, int symmetric, double *z,
                                    double *w)
{
  object o = make(solver, p->n, p->blocks, symmetric, NULL);
  ns_outcome out = run(o, p, NULL, z, w);
  o.ops->destroy(o.self);
  return out;
}

/* Natural residual written out anew, in long double: the oracle of ns_lcp_residual. */
static inline double oracle_residual(int n, const double *M, const double *q, const double *z)
{
  long double worst = 0, qmax = 0, max = 0, own = 0;
  for (int i = 0; i < n; i++) max = fmaxl(max, fabsl(q[i]));
  for (int i = 0; i < n; i++) {
    long double w = q[i], s = 0, terms = fabsl(q[i]) + 1e-8L * max;
    for (int j = 0; j < n; j++) {
      w += (long double)M[i + j * n] * z[j];
      terms += fabsl((long double)M[i + j * n] * z[j]);
      s = fmaxl(s, fabsl(M[i + j * n]));
    }
    if (s == 0) s = 1;
    long double part = fabsl(fminl(z[i], w / s));
    worst = fmaxl(worst, part);
    qmax = fmaxl(qmax, fabsl(q[i] / s));
    if (part > 0) own = fmaxl(own, part / (fabsl(z[i]) + terms / s));
  }
  return (double)fmaxl(worst / (1 + qmax), 1e-6L * own);
}

/* An answer is either within the tolerance, with z >= 0 and w = M z + q, or says that it is none
 * and leaves z. */
static inline void check_claim(const char *what, int n, const double *M, const double *q,
                               const double *guess, const double *z, const double *w,
                               const ns_outcome *out)
{
  if (out->kind != NS_SOLVED) {
    ck_assert_msg(!memcmp(z, guess, (size_t)n * sizeof *z), "%s: unsolved, but z is not the guess",
                  what);
    return;
  }
  double r = oracle_residual(n, M, q, z);
  ck_assert_msg(r <= 1.001e-10, "%s: claims %g, has %g", what, out->residual, r);
  ck_assert_double_eq_tol(out->residual, r, 1e-14);
  for (int i = 0; i < n; i++) {
    double s = q[i], size = fabs(q[i]);
    for (int j = 0; j < n; j++) {
      s += M[i + j * n] * z[j];
      size += fabs(M[i + j * n] * z[j]);
    }
    ck_assert_double_ge(z[i], 0);
    ck_assert_double_eq_tol(w[i], s, 2 * n * DBL_EPSILON * size + DBL_MIN);
  }
}

/* A block-sparse matrix with its own memory. */
typedef struct sparse {
  ns_blocks A;
  int *ints;
} sparse;

/* From a dense n x n matrix, blocks of the sizes in dim (NULL: all 1); zero blocks are left out
 * except on the diagonal. */
static inline sparse sparse_of(int n, const double *M, int nb, const int *dim)
{
  size_t m = (size_t)(nb + 1), all = (size_t)nb * (size_t)nb;
  sparse s = {.ints = calloc(3 * m + all, sizeof(int))};
  s.A = (ns_blocks){.nb = nb,
                    .m = n,
                    .dim = s.ints,
                    .first = s.ints + m,
                    .row = s.ints + 2 * m,
                    .col = s.ints + 3 * m};
  s.A.off = calloc(all + 1, sizeof(size_t));
  s.A.val = calloc((size_t)n * (size_t)n + 1, sizeof(double));
  int k = 0;
  size_t at = 0;
  for (int i = 0; i < nb; i++) {
    s.A.dim[i] = dim ? dim[i] : 1;
    s.A.first[i + 1] = s.A.first[i] + s.A.dim[i];
  }
  for (int i = 0; i < nb; i++) {
    for (int j = 0; j < nb; j++) {
      size_t start = at;
      int zero = i != j;
      for (int c = s.A.first[j]; c < s.A.first[j + 1]; c++)
        for (int r = s.A.first[i]; r < s.A.first[i + 1]; r++) {
          s.A.val[at++] = M[r + c * n];
          if (M[r + c * n] != 0) zero = 0;
        }
      if (zero) at = start;
      else {
        s.A.off[k] = start;
        s.A.col[k++] = j;
      }
    }
    s.A.row[i + 1] = k;
  }
  return s;
}

static inline void sparse_free(sparse *s)
{
  free(s->ints);
  free(s->A.off);
  free(s->A.val);
}

/* A tridiagonal matrix of size n, d on the diagonal, e beside it. */
static inline sparse chain_of(int n, double d, double e)
{
  size_t m = (size_t)n + 1;
  sparse s = {.ints = calloc(6 * m, sizeof(int))};
  s.A = (ns_blocks){.nb = n,
                    .m = n,
                    .dim = s.ints,
                    .first = s.ints + m,
                    .row = s.ints + 2 * m,
                    .col = s.ints + 3 * m};
  s.A.off = calloc(3 * m, sizeof(size_t));
  s.A.val = calloc(3 * m, sizeof(double));
  int k = 0;
  for (int i = 0; i < n; i++) {
    s.A.dim[i] = 1;
    s.A.first[i + 1] = i + 1;
    for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++) {
      s.A.col[k] = j;
      s.A.off[k] = (size_t)k;
      s.A.val[k++] = i == j ? d : e;
    }
    s.A.row[i + 1] = k;
  }
  return s;
}

/* M = G G^T / n + skew * S + shift * I, G [n x rank]. */
static inline void semidefinite(int n, int rank, double skew, double shift, double *M)
{
  double G[64 * 64];
  for (int i = 0; i < n * rank; i++) G[i] = uniform();
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++) {
      double a = i == j ? shift : 0, s = i == j ? 0 : skew * uniform();
      for (int k = 0; k < rank; k++) a += G[i + k * n] * G[j + k * n] / n;
      M[i + j * n] = a + s;
      M[j + i * n] = a - s;
    }
}

#endif
