/* SPDX-License-Identifier: GPL-3.0-or-later */
/* avi_tools.h -- files, random bounds, an oracle and callers for the AVI tests. */
#ifndef NS_TESTS_AVI_TOOLS_H
#define NS_TESTS_AVI_TOOLS_H

#include "problems/avi.h"
#include "problems/lcp_tools.h"

#include <stdio.h>

/* A problem with its own memory. */
typedef struct avi_data {
  int n;
  double *M, *q, *lb, *ub;
} avi_data;

static inline avi_data avi_alloc(int n)
{
  size_t m = (size_t)n + 1;
  return (avi_data){.n = n, .M = calloc(m * m, sizeof(double)), .q = calloc(m, sizeof(double)),
                    .lb = calloc(m, sizeof(double)), .ub = calloc(m, sizeof(double))};
}

static inline void avi_free(avi_data *d)
{
  free(d->M), free(d->q), free(d->lb), free(d->ub);
}

static inline ns_avi avi_of(const avi_data *d)
{
  return (ns_avi){.n = d->n, .dense = d->M, .ld = d->n, .q = d->q, .lb = d->lb, .ub = d->ub};
}

/* ---- files, see tests/data/problems/README.md ---- */

static inline FILE *avi_open(const char *name)
{
  char path[300];
  snprintf(path, sizeof path, strstr(name, ".gz") ? "gunzip -c tests/data/%s" : "tests/data/%s", name);
  FILE *f = strstr(name, ".gz") ? popen(path, "r") : fopen(path, "r");
  ck_assert_msg(f != NULL, "%s: not found; run from the top folder", path);
  return f;
}

static inline int avi_integer(FILE *f)
{
  int v = -1;
  ck_assert_int_eq(fscanf(f, "%d", &v), 1);
  return v;
}

static inline double avi_number(FILE *f)
{
  double v = NAN;
  ck_assert_int_eq(fscanf(f, "%lf", &v), 1);
  return v;
}

static inline void avi_numbers(FILE *f, int n, double *x)
{
  for (int i = 0; i < n; i++) x[i] = avi_number(f);
}

/* A dense matrix, by columns; its sizes where asked for. */
static inline void avi_matrix(FILE *f, double *M, int room)
{
  ck_assert_int_eq(avi_integer(f), 0);
  int rows = avi_integer(f), cols = avi_integer(f);
  ck_assert_int_eq(avi_integer(f), rows);
  ck_assert_int_eq(avi_integer(f), cols);
  ck_assert_int_le(rows * cols, room);
  avi_numbers(f, rows * cols, M);
}

static inline avi_data avi_read_relay(FILE *f)
{
  int n = avi_integer(f);
  avi_data d = avi_alloc(n);
  avi_matrix(f, d.M, n * n);
  avi_numbers(f, n, d.q);
  avi_numbers(f, n, d.lb);
  avi_numbers(f, n, d.ub);
  return d;
}

/* Rows and columns from (i, j) of M, written by rows. */
static inline void avi_part(FILE *f, avi_data *d, int i, int j, int rows, int cols)
{
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < cols; c++) d->M[i + r + (j + c) * d->n] = avi_number(f);
}

/* The second record where there is one, else the first: they agree but in one file, whose first one is not square. */
static inline avi_data avi_read_mlcp(FILE *f)
{
  int first = avi_integer(f), second = avi_integer(f), n = avi_integer(f), m = avi_integer(f), s = n + m;
  avi_data d = avi_alloc(s);
  double *M = calloc((size_t)(s + 1) * (size_t)(s + 1), sizeof *M);
  for (int i = 0; i < s; i++) d.lb[i] = i < n ? -INFINITY : 0;
  for (int i = 0; i < s; i++) d.ub[i] = INFINITY;
  if (first) {
    int *end = calloc((size_t)s + 1, sizeof *end), blocks = -1;
    do end[++blocks] = avi_integer(f);
    while (end[blocks] < s);
    for (int b = 0; b < blocks; b++)
      for (int i = avi_integer(f), r = end[b]; r < end[b + 1]; r++) d.lb[r] = i ? 0 : -INFINITY;
    avi_matrix(f, M, (s + 1) * (s + 1));
    memcpy(d.M, M, (size_t)s * (size_t)s * sizeof *M);
    avi_numbers(f, s, d.q);
    free(end);
  }
  free(M);
  if (second) {
    for (int i = 0; i < s; i++) d.lb[i] = i < n ? -INFINITY : 0;
    avi_part(f, &d, 0, 0, n, n);
    avi_part(f, &d, n, n, m, m);
    avi_part(f, &d, 0, n, n, m);
    avi_part(f, &d, n, 0, m, n);
    avi_numbers(f, s, d.q);
  }
  return d;
}

static inline avi_data avi_read_lcp(FILE *f)
{
  int n = avi_integer(f);
  avi_data d = avi_alloc(n);
  avi_matrix(f, d.M, n * n);
  avi_numbers(f, n, d.q);
  for (int i = 0; i < n; i++) d.ub[i] = INFINITY;
  return d;
}

static inline avi_data avi_read(const char *name)
{
  FILE *f = avi_open(name);
  avi_data d = strstr(name, "mlcp") ? avi_read_mlcp(f) : strstr(name, "lcp_") ? avi_read_lcp(f) : avi_read_relay(f);
  if (strstr(name, ".gz")) pclose(f);
  else fclose(f);
  return d;
}

/* ---- callers ---- */

typedef struct avi_object {
  const ns_avi_solver_ops *ops;
  void *self;
} avi_object;

static inline avi_object avi_make(const char *solver, const ns_avi *p, int symmetric, const ns_lcp_options *opt)
{
  ns_ctx c = {0};
  avi_object o = {.ops = ns_avi_solver_find(solver)};
  ck_assert_msg(o.ops != NULL, "%s", solver);
  ns_avi_capacity cap = {.n = p->n, .nnz = (size_t)p->n * (size_t)p->n, .structure = p->blocks, .lb = p->lb, .ub = p->ub,
                         .symmetric = symmetric};
  int rc = o.ops->create(&c, &cap, opt, &o.self);
  ck_assert_msg(rc == NS_OK, "%s: %s", solver, c.msg);
  return o;
}

static inline ns_outcome avi_run(avi_object o, const ns_avi *p, double *z, double *w)
{
  ns_ctx c = {0};
  ns_outcome out = {.kind = NS_LIMIT, .residual = INFINITY};
  int rc = o.ops->solve(o.self, &c, p, NULL, z, w, &out);
  ck_assert_msg(rc == NS_OK, "%s: %s", o.ops->name, c.msg);
  return out;
}

/* One solve with a new object; z in: guess. */
static inline ns_outcome avi_once(const char *solver, const ns_avi *p, int symmetric, double *z, double *w)
{
  avi_object o = avi_make(solver, p, symmetric, NULL);
  ns_outcome out = avi_run(o, p, z, w);
  o.ops->destroy(o.self);
  return out;
}

/* Natural residual written out anew, in long double: the oracle of ns_avi_residual. */
static inline double avi_oracle(const avi_data *d, const double *z)
{
  long double worst = 0, qmax = 0;
  int n = d->n;
  for (int i = 0; i < n; i++) {
    long double w = d->q[i], s = 0;
    for (int j = 0; j < n; j++) {
      w += (long double)d->M[i + j * n] * z[j];
      s = fmaxl(s, fabsl(d->M[i + j * n]));
    }
    if (s == 0) s = 1;
    long double to = z[i] - w / s;
    to = fminl(fmaxl(to, d->lb[i]), d->ub[i]);
    worst = fmaxl(worst, fabsl(z[i] - to));
    qmax = fmaxl(qmax, fabsl(d->q[i] / s));
  }
  return (double)(worst / (1 + qmax));
}

/* An answer is either within the tolerance and the bounds, with w = M z + q, or says that it is none and leaves z. */
static inline void avi_check(const char *what, const avi_data *d, const double *guess, const double *z, const double *w,
                             const ns_outcome *out)
{
  int n = d->n;
  if (out->kind != NS_SOLVED) {
    ck_assert_msg(!memcmp(z, guess, (size_t)n * sizeof *z), "%s: unsolved, but z is not the guess", what);
    return;
  }
  double r = avi_oracle(d, z);
  ck_assert_msg(r <= 1.01e-10, "%s: claims %g, has %g", what, out->residual, r);
  ck_assert_double_eq_tol(out->residual, r, 1e-12);
  for (int i = 0; i < n; i++) {
    double s = d->q[i], size = fabs(d->q[i]);
    for (int j = 0; j < n; j++) {
      s += d->M[i + j * n] * z[j];
      size += fabs(d->M[i + j * n] * z[j]);
    }
    ck_assert_double_ge(z[i], d->lb[i]);
    ck_assert_double_le(z[i], d->ub[i]);
    ck_assert_double_eq_tol(w[i], s, 2 * n * DBL_EPSILON * size + DBL_MIN);
  }
}

#endif
