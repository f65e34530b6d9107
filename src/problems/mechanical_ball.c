/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/mechanical_ball.h"

#include "algebra/dense.h"
#include "algebra/vector.h"
#include "problems/mechanical_work.h"

#include <string.h>

void ns_ball_project(int d, double radius, double *r)
{
  double n = ns_norm((size_t)d, r);
  if (n <= radius) return;
  for (int i = 0; i < d; i++) r[i] *= radius / n;
}

/* r = -(W + alpha)^-1 q; 0 where singular. */
static int at_slip(int d, const double *W, double alpha, double min, const double *q, double *r)
{
  double A[NS_BALL_ROWS * NS_BALL_ROWS];
  memcpy(A, W, (size_t)(d * d) * sizeof *A);
  for (int i = 0; i < d; i++) {
    A[i + i * d] += alpha;
    r[i] = -q[i];
  }
  return ns_dense_eliminate(d, A, d, min, r);
}

/* psi = radius/|r| - 1 < 0 left of the slip, and its slope by dr/dalpha = -(W + alpha)^-1 r: nearly
 * linear in alpha. 0 where singular. */
static int secular(int d, const double *W, double alpha, double min, double radius, const double *r,
                   double *psi, double *slope)
{
  double turned[NS_BALL_ROWS], n = ns_norm((size_t)d, r), s = 0;
  if (!(n > 0) || !at_slip(d, W, alpha, min, r, turned)) return 0;
  for (int i = 0; i < d; i++) s += r[i] * turned[i];
  *psi = radius / n - 1;
  *slope = -radius * s / (n * n * n);
  return 1;
}

/* Where W is singular to rounding |r| jumps: brought to the sphere, r obeys the law all the same.
 */
static int holds(int d, const double *W, double scale, double radius, const double *q, double *r)
{
  double u[NS_BALL_ROWS], F[NS_BALL_ROWS];
  ns_ball_project(d, radius, r);
  for (int i = 0; i < d; i++) {
    u[i] = q[i];
    for (int j = 0; j < d; j++) u[i] += W[i + j * d] * r[j];
  }
  ns_ball_map(d, radius, 1 / scale, r, u, F, NULL, NULL);
  return ns_norm((size_t)d, F) <= 1e-10 * (radius + ns_norm((size_t)d, q) / scale);
}

/* Newton from the left, in a bracket. */
static int find_slip(int d, const double *W, double scale, double radius, const double *q,
                     double *r)
{
  enum { NEWTON = 60 };
  /* above what rounding makes of eigenvalues that are none */
  double alpha = 32 * d * DBL_EPSILON * scale, min = alpha * DBL_EPSILON, left = alpha,
         right = INFINITY, psi, slope;
  for (int it = 0; it < NEWTON; it++) {
    if (!at_slip(d, W, alpha, min, q, r) || !secular(d, W, alpha, min, radius, r, &psi, &slope))
      return 0;
    /* inside at once: it sticks, to rounding of a W that is singular */
    if (fabs(psi) <= 4 * DBL_EPSILON || (it == 0 && psi > 0)) return 1;
    if (psi < 0) left = alpha;
    else right = alpha;
    double next = slope > 0 ? alpha - psi / slope : INFINITY;
    if (!(next > left && next < right)) {
      if (right < INFINITY) next = (left + right) / 2;
      else next = 4 * (left + scale);
    }
    if (next == alpha) break;
    alpha = next;
  }
  return holds(d, W, scale, radius, q, r);
}

int ns_ball_solve(int d, const double *W, double radius, const double *q, double *r)
{
  double x[NS_BALL_ROWS] = {0}, scale = 0;
  for (int i = 0; i < d * d; i++) scale = ns_larger(fabs(W[i]), scale);
  if (!(scale > 0)) return 0;
  int known = at_slip(d, W, 0, 16 * DBL_EPSILON * scale, q, x);
  int moves = radius > 0 && ns_norm((size_t)d, q) > 0;
  if (!moves) memset(x, 0, sizeof x);
  else if (!(known && ns_norm((size_t)d, x) <= radius) && !find_slip(d, W, scale, radius, q, x))
    return 0;
  memcpy(r, x, (size_t)d * sizeof *r);
  return 1;
}

void ns_ball_map(int d, double radius, double rho, const double *r, const double *u, double *F,
                 double *A, double *B)
{
  double z[NS_BALL_ROWS] = {0};
  for (int i = 0; i < d; i++) z[i] = r[i] - rho * u[i];
  double n = ns_norm((size_t)d, z), shrink = n > radius ? radius / n : 1;
  for (int i = 0; i < d; i++) F[i] = n > radius ? r[i] - shrink * z[i] : rho * u[i];
  if (!A) return;
  for (int j = 0; j < d; j++)
    for (int i = 0; i < d; i++) {
      /* dP/dz: the identity inside, beyond the sphere what is across z, shrunk */
      double across = n > radius ? shrink * ((i == j) - z[i] * z[j] / (n * n)) : (i == j);
      A[i + j * d] = rho * across;
      B[i + j * d] = (i == j) - across;
    }
}
