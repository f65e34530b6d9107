/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/expm.h"

#include "algebra/dense.h"
#include "algebra/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* C = A B, all [n x n]; C is neither of them. */
static void multiply(size_t n, const double *A, const double *B, double *C)
{
  memset(C, 0, n * n * sizeof *C);
  for (size_t j = 0; j < n; j++)
    for (size_t k = 0; k < n; k++) {
      double b = B[k + j * n];
      for (size_t i = 0; b != 0 && i < n; i++) C[i + j * n] += A[i + k * n] * b;
    }
}

/* out = c0 I + c2 A2 + c4 A4 + c6 A6 */
static void combine(size_t n, const double *c, const double *A2, const double *A4, const double *A6,
                    double *out)
{
  for (size_t i = 0; i < n * n; i++) out[i] = c[1] * A2[i] + c[2] * A4[i] + c[3] * A6[i];
  for (size_t i = 0; i < n; i++) out[i + i * n] += c[0];
}

/* r(A) = (V - U)^-1 (V + U) with U odd, V even in A; coefficients divided by the one of I, so that
 * exp(0) = I and a nilpotent A give what they should to the bit. w: 6 matrices of scratch; the
 * result is in A. */
static int pade(int size, double *A, double *w, int *piv)
{
  static const double b[14] = {64764752532480000.,
                               32382376266240000.,
                               7771770303897600.,
                               1187353796428800.,
                               129060195264000.,
                               10559470521600.,
                               670442572800.,
                               33522128640.,
                               1323241920.,
                               40840800.,
                               960960.,
                               16380.,
                               182.,
                               1.};
  size_t n = (size_t)size, nn = n * n;
  double *A2 = w, *A4 = w + nn, *A6 = w + 2 * nn, *U = w + 3 * nn, *V = w + 4 * nn, *T = w + 5 * nn,
         c[14];
  for (int k = 0; k < 14; k++) c[k] = b[k] / b[0];
  multiply(n, A, A, A2);
  multiply(n, A2, A2, A4);
  multiply(n, A2, A4, A6);
  combine(n, (double[]){0, c[9], c[11], c[13]}, A2, A4, A6, T);
  multiply(n, A6, T, V);
  combine(n, (double[]){c[1], c[3], c[5], c[7]}, A2, A4, A6, T);
  ns_axpy(nn, 1, V, T);
  multiply(n, A, T, U);
  combine(n, (double[]){0, c[8], c[10], c[12]}, A2, A4, A6, T);
  multiply(n, A6, T, V);
  combine(n, (double[]){c[0], c[2], c[4], c[6]}, A2, A4, A6, T);
  for (size_t i = 0; i < nn; i++) {
    double v = V[i] + T[i];
    A[i] = v + U[i];
    T[i] = v - U[i];
  }
  if (ns_dense_lu(size, T, size, piv)) return -1;
  ns_dense_lu_solve(size, T, size, piv, size, A, size);
  return 0;
}

static int not_finite(ns_ctx *c, double norm)
{
  return ns_fail_below(c, NS_NUMERIC,
                       "the exponential of a matrix of norm %g is not finite, expected a smaller "
                       "one; use a shorter step or period",
                       norm);
}

int ns_expm(ns_ctx *c, int n, const double *A, double *E)
{
  /* largest norm at which the approximant is exact to rounding */
  static const double theta = 5.371920351148152;
  size_t nn = (size_t)n * (size_t)n;
  double norm = ns_norm1((size_t)n, A);
  int rc = ns_dense_prepare(c, n);
  if (rc) return rc;
  if (!isfinite(norm)) return not_finite(c, norm);
  double *w = malloc((6 * nn + 1) * sizeof *w);
  int *piv = malloc(((size_t)n + 1) * sizeof *piv), s = 0;
  if (w && piv) {
    while (ldexp(norm, -s) > theta) s++;
    for (size_t i = 0; i < nn; i++) E[i] = ldexp(A[i], -s);
    int bad = pade(n, E, w, piv);
    for (; s > 0 && !bad; s--) {
      multiply((size_t)n, E, E, w);
      memcpy(E, w, nn * sizeof *E);
    }
    for (size_t i = 0; i < nn && !bad; i++) bad = !isfinite(E[i]);
    if (bad) rc = not_finite(c, norm);
  } else rc = ns_nomem(c, "exponential of a matrix");
  free(w);
  free(piv);
  return rc;
}

int ns_expm_hold(ns_ctx *c, int n, const double *A, double h, double *Phi, double *Psi)
{
  size_t m = (size_t)n, N = 2 * m;
  double *E = calloc(N * N + 1, sizeof *E);
  if (!E) return ns_nomem(c, "exponential of a matrix");
  for (size_t j = 0; j < m; j++) {
    for (size_t i = 0; i < m; i++) E[i + j * N] = h * A[i + j * m];
    E[j + (m + j) * N] = h;
  }
  int rc = ns_expm(c, 2 * n, E, E);
  for (size_t j = 0; j < m && !rc; j++) {
    memcpy(Phi + j * m, E + j * N, m * sizeof *E);
    memcpy(Psi + j * m, E + (m + j) * N, m * sizeof *E);
  }
  free(E);
  return rc;
}
