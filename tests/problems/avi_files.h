/* SPDX-License-Identifier: GPL-3.0-or-later */
/* avi_files.h -- readers of the published problems, for tests and bench. */
#ifndef NS_TESTS_AVI_FILES_H
#define NS_TESTS_AVI_FILES_H

#include "problems/avi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A problem with its own memory. */
typedef struct avi_data {
  int n;
  double *M, *q, *lb, *ub;
} avi_data;

static inline avi_data avi_alloc(int n)
{
  size_t m = (size_t)n + 1;
  return (avi_data){.n = n,
                    .M = calloc(m * m, sizeof(double)),
                    .q = calloc(m, sizeof(double)),
                    .lb = calloc(m, sizeof(double)),
                    .ub = calloc(m, sizeof(double))};
}

static inline void avi_free(avi_data *d) { free(d->M), free(d->q), free(d->lb), free(d->ub); }

static inline ns_avi avi_of(const avi_data *d)
{
  return (ns_avi){.n = d->n, .dense = d->M, .ld = d->n, .q = d->q, .lb = d->lb, .ub = d->ub};
}

static inline void avi_need(int ok, const char *what)
{
  if (ok) return;
  fprintf(stderr, "not found or not as expected: %s (run from the top folder)\n", what);
  exit(1);
}

/* ---- files, see tests/data/problems/README.md ------------------------------------------------ */

static inline FILE *avi_open(const char *name)
{
  char path[300];
  snprintf(path, sizeof path, strstr(name, ".gz") ? "gunzip -c tests/data/%s" : "tests/data/%s",
           name);
  FILE *f = strstr(name, ".gz") ? popen(path, "r") : fopen(path, "r");
  avi_need(f != NULL, path);
  return f;
}

static inline int avi_integer(FILE *f)
{
  int v = -1;
  avi_need(fscanf(f, "%d", &v) == 1, "a number of the file");
  return v;
}

static inline double avi_number(FILE *f)
{
  double v = NAN;
  avi_need(fscanf(f, "%lf", &v) == 1, "a number of the file");
  return v;
}

static inline void avi_numbers(FILE *f, int n, double *x)
{
  for (int i = 0; i < n; i++) x[i] = avi_number(f);
}

/* A dense matrix, by columns; its sizes where asked for. */
static inline void avi_matrix(FILE *f, double *M, int capacity)
{
  avi_need(avi_integer(f) == 0, "a number of the file");
  int rows = avi_integer(f), cols = avi_integer(f);
  avi_need(avi_integer(f) == rows, "a number of the file");
  avi_need(avi_integer(f) == cols, "a number of the file");
  avi_need(rows * cols <= capacity, "the size of the matrix");
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

/* The second record where there is one, else the first: they agree but in one file, whose first one
 * is not square. */
static inline avi_data avi_read_mlcp(FILE *f)
{
  int first = avi_integer(f), second = avi_integer(f), n = avi_integer(f), m = avi_integer(f),
      s = n + m;
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
  avi_data d = strstr(name, "mlcp")   ? avi_read_mlcp(f)
               : strstr(name, "lcp_") ? avi_read_lcp(f)
                                      : avi_read_relay(f);
  if (strstr(name, ".gz")) pclose(f);
  else fclose(f);
  return d;
}

#endif
