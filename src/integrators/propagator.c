/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/propagator.h"

#include "algebra/dense.h"
#include "algebra/vector.h"
#include "model/systems/first_order.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 8, PARTS = 100000 };
static const double TOLERANCE = 1e-13;

/* Y = [Phi, Gamma], [n x 2n] by columns. */
struct propagator {
  const ns_system *s;
  size_t n, size;         /* size = 2 n^2 */
  double *Y, *T[COLUMNS]; /* start of a part; extrapolation tableau, its last row */
  double *a, *b, *F;      /* of the midpoint rule */
  double *A, *M, *work;
  int *piv;
  ns_point p;
  int pivot;
};

propagator *ns_propagator_create(ns_arena *arena, const ns_system *s)
{
  propagator *k = ns_arena_zero(arena, 1, sizeof *k);
  if (!k) return NULL;
  size_t n = (size_t)s->n;
  *k = (propagator){.s = s, .n = n, .size = 2 * n * n};
  const ns_array want[] = {{&k->Y, k->size, sizeof(double)},
                           {&k->a, k->size, sizeof(double)},
                           {&k->b, k->size, sizeof(double)},
                           {&k->F, k->size, sizeof(double)},
                           {&k->A, n * n, sizeof(double)},
                           {&k->M, n * n, sizeof(double)},
                           {&k->work, ns_first_order_work(s), sizeof(double)},
                           {&k->piv, n, sizeof(int)}};
  if (ns_arena_arrays(arena, want, sizeof want / sizeof *want)) return NULL;
  for (int i = 0; i < COLUMNS; i++)
    if (!(k->T[i] = ns_arena_zero(arena, k->size, sizeof(double)))) return NULL;
  return k;
}

/* F = M(t)^-1 (A(t) Y + [0, I]) */
static int slope(propagator *k, ns_ctx *c, double t, const double *Y)
{
  size_t n = k->n;
  k->p.t = t;
  memset(k->A, 0, n * n * sizeof *k->A);
  int rc = k->s->fo.A.how ? ns_operator_eval(&k->s->fo.A, c, &k->p, k->work, k->A) : NS_OK;
  if (rc) return rc;
  memset(k->F, 0, k->size * sizeof *k->F);
  for (size_t j = 0; j < 2 * n; j++) {
    double *F = k->F + j * n;
    if (j >= n) F[j - n] = 1;
    for (size_t e = 0; e < n; e++)
      for (size_t i = 0; i < n; i++) F[i] += k->A[i + e * n] * Y[e + j * n];
  }
  if (!k->s->fo.M.how) return NS_OK;
  rc = ns_first_order_mass(k->s, c, &k->p, k->work, k->M);
  if (rc) return rc;
  k->pivot = ns_dense_lu((int)n, k->M, (int)n, k->piv);
  if (k->pivot) return NS_NUMERIC;
  ns_dense_lu_solve((int)n, k->M, (int)n, k->piv, 2 * (int)n, k->F, (int)n);
  return NS_OK;
}

/* Gragg's rule over [t, t+H] in m parts (even), from Y to out. */
static int midpoint(propagator *k, ns_ctx *c, double t, double H, int m, double *out)
{
  double g = H / m, *a = k->a, *b = k->b;
  int rc = slope(k, c, t, k->Y);
  if (rc) return rc;
  memcpy(a, k->Y, k->size * sizeof *a);
  ns_linear_sum(k->size, a, g, k->F, b);
  for (int e = 1; e < m; e++) {
    if ((rc = slope(k, c, t + e * g, b))) return rc;
    ns_axpy(k->size, 2 * g, k->F, a);
    double *swap = a;
    a = b, b = swap;
  }
  memcpy(out, b, k->size * sizeof *out);
  return NS_OK;
}

/* Neville's scheme in (H/m)^2, rows m = 2, 4, 6, ...; T[j] is column j of the last row. The change
 * of the best value relative to the largest entry, of Phi and Gamma alone, whichever is larger. */
static double extrapolate(propagator *k, int row)
{
  double change[2] = {0, 0}, big[2] = {0, 0};
  for (size_t i = 0; i < k->size; i++) {
    int part = i >= k->n * k->n;
    double old = k->T[0][i], v = k->a[i]; /* a: new first column */
    k->T[0][i] = v;
    for (int j = 1; j <= row; j++) {
      double ratio = (double)(row + 1) / (row + 1 - j), next = v + (v - old) / (ratio * ratio - 1);
      old = k->T[j][i];
      k->T[j][i] = next;
      if (j == row) change[part] = fmax(change[part], fabs(next - v));
      v = next;
    }
    big[part] = fmax(big[part], fabs(v));
    if (!isfinite(v)) change[part] = INFINITY;
  }
  return fmax(change[0] / big[0], change[1] / big[1]);
}

/* One part [t, t+H] from Y; *rows: how many it took, COLUMNS + 1 where it did not converge (Y is
 * then as before). */
static int part(propagator *k, ns_ctx *c, double t, double H, int *rows)
{
  for (int row = 0; row < COLUMNS; row++) {
    int rc = midpoint(k, c, t, H, 2 * (row + 1), k->F);
    if (rc) return rc;
    memcpy(k->a, k->F, k->size * sizeof *k->a);
    double change = extrapolate(k, row);
    if (row == 0 || !(change <= TOLERANCE)) continue;
    memcpy(k->Y, k->T[row], k->size * sizeof *k->Y);
    *rows = row + 1;
    return NS_OK;
  }
  *rows = COLUMNS + 1;
  return NS_OK;
}

int ns_propagator_run(propagator *k, ns_ctx *c, ns_point p, double t, double h, double *Phi,
                      double *Gamma, int *pivot)
{
  size_t nn = k->n * k->n;
  double done = 0, H = h;
  k->p = p;
  k->pivot = 0;
  memset(k->Y, 0, k->size * sizeof *k->Y);
  for (size_t i = 0; i < k->n; i++) k->Y[i + i * k->n] = 1;
  for (int parts = 0; done < h; parts++) {
    int rows, rc = part(k, c, t + done, H, &rows);
    *pivot = k->pivot;
    if (rc) return rc;
    if (parts == PARTS || !(H > 1e-12 * h))
      return ns_fail_below(c, NS_NUMERIC,
                           "the zero-order hold did not converge to %g for A(t) in the step from t "
                           "= %.10g s; use a smaller h, or look for poles of A(t)",
                           TOLERANCE, t);
    if (rows > COLUMNS) {
      H /= 4;
      continue;
    }
    done += H;
    if (rows < COLUMNS - 2) H *= 2;
    if (h - done < 1e-14 * h) break;
    if (H > h - done) H = h - done;
  }
  memcpy(Phi, k->Y, nn * sizeof *Phi);
  memcpy(Gamma, k->Y + nn, nn * sizeof *Gamma);
  return NS_OK;
}
