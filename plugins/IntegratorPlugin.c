/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integrators between events: an explicit method whose error nssim keeps within tolerances, and an
 * implicit one with steps of one length.
 *
 *     <PluginOSI plugin="IntegratorPlugin:dormand_prince" relativeTolerance="1e-8"/>
 *     <PluginOSI plugin="IntegratorPlugin:implicit_midpoint" step="1e-3"/> */
#include <nssim/plugin.h>

#include <math.h>
#include <string.h>

NSSIM_PLUGIN("IntegratorPlugin", NSSIM_PLUGIN_ABI);

/* ---- Dormand and Prince, order 5, with an error of order 4 --------------------------------------
 *
 * Dormand & Prince 1980, J. Comput. Appl. Math. 6:19-26, doi:10.1016/0771-050X(80)90013-3 */

enum { STAGES = 7 };

static const double A[STAGES][STAGES - 1] = {
    {0},
    {1 / 5.0},
    {3 / 40.0, 9 / 40.0},
    {44 / 45.0, -56 / 15.0, 32 / 9.0},
    {19372 / 6561.0, -25360 / 2187.0, 64448 / 6561.0, -212 / 729.0},
    {9017 / 3168.0, -355 / 33.0, 46732 / 5247.0, 49 / 176.0, -5103 / 18656.0},
    {35 / 384.0, 0, 500 / 1113.0, 125 / 192.0, -2187 / 6784.0, 11 / 84.0}};
static const double C[STAGES] = {0, 1 / 5.0, 3 / 10.0, 4 / 5.0, 8 / 9.0, 1, 1};
/* weights of order 5 less those of order 4 */
static const double E[STAGES] = {71 / 57600.0,      0,          -71 / 16695.0, 71 / 1920.0,
                                 -17253 / 339200.0, 22 / 525.0, -1 / 40.0};

static size_t explicit_scratch(unsigned int n) { return (size_t)STAGES * n; }

static int explicit_step(const nssim_motion *m, double t, double h, const double *x,
                         const double *f, double *to, double *error, double *k)
{
  unsigned int n = m->n;
  memcpy(k, f, n * sizeof *k);
  for (int s = 1; s < STAGES; s++) {
    for (unsigned int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j < s; j++) sum += A[s][j] * k[(size_t)j * n + i];
      to[i] = x[i] + h * sum;
    }
    if (m->rate(m, t + C[s] * h, to, k + (size_t)s * n)) return 1;
  }
  for (unsigned int i = 0; i < n; i++)
    for (int s = 0; s < STAGES; s++) error[i] += h * E[s] * k[(size_t)s * n + i];
  return 0;
}

NSSIM_EXPORT nssim_integrator_of dormand_prince;
const nssim_integrator *dormand_prince(void)
{
  static const nssim_integrator method = NSSIM_INTEGRATOR(4, 0, explicit_scratch, explicit_step);
  return &method;
}

/* ---- the implicit midpoint rule -----------------------------------------------------------------
 *
 * x+ = x + h f(t + h/2, (x + x+)/2), order 2; it keeps quadratic invariants (Hairer, Lubich &
 * Wanner 2006, IV.2). Newton's method on the midpoint y,  y - x - h/2 f(t + h/2, y) = 0. */

enum { PASSES = 20 };

static size_t midpoint_scratch(unsigned int n) { return (size_t)n * n + n; }

/* A r = b in place, by Gauss with pivots; A [n x n] by columns. */
static int solve(unsigned int n, double *a, double *b)
{
  for (unsigned int k = 0; k < n; k++) {
    unsigned int p = k;
    for (unsigned int i = k + 1; i < n; i++)
      if (fabs(a[i + (size_t)k * n]) > fabs(a[p + (size_t)k * n])) p = i;
    if (a[p + (size_t)k * n] == 0) return 1;
    for (unsigned int j = k; j < n && p != k; j++) {
      double swap = a[k + (size_t)j * n];
      a[k + (size_t)j * n] = a[p + (size_t)j * n];
      a[p + (size_t)j * n] = swap;
    }
    double swap = b[k];
    b[k] = b[p];
    b[p] = swap;
    for (unsigned int i = k + 1; i < n; i++) {
      double l = a[i + (size_t)k * n] / a[k + (size_t)k * n];
      if (l == 0) continue;
      for (unsigned int j = k + 1; j < n; j++) a[i + (size_t)j * n] -= l * a[k + (size_t)j * n];
      b[i] -= l * b[k];
    }
  }
  for (unsigned int k = n; k-- > 0;) {
    for (unsigned int j = k + 1; j < n; j++) b[k] -= a[k + (size_t)j * n] * b[j];
    b[k] /= a[k + (size_t)k * n];
  }
  return 0;
}

static int midpoint_step(const nssim_motion *m, double t, double h, const double *x,
                         const double *f, double *to, double *error, double *scratch)
{
  unsigned int n = m->n;
  double *J = scratch, *r = scratch + (size_t)n * n, *y = to, size = INFINITY;
  (void)error; /* there is no estimate */
  for (unsigned int i = 0; i < n; i++) y[i] = x[i] + h / 2 * f[i];
  for (int pass = 0; pass < PASSES && !(size <= 1e-3); pass++) {
    if (m->rate(m, t + h / 2, y, r) || m->jacobian(m, t + h / 2, y, J)) return 1;
    for (unsigned int i = 0; i < n; i++) r[i] = x[i] + h / 2 * r[i] - y[i];
    for (size_t k = 0; k < (size_t)n * n; k++) J[k] *= -h / 2;
    for (unsigned int i = 0; i < n; i++) J[i + (size_t)i * n] += 1;
    if (solve(n, J, r)) return 1;
    size = 0;
    for (unsigned int i = 0; i < n; i++) {
      y[i] += r[i];
      size = fmax(size, fabs(r[i]) / m->weight[i]);
    }
  }
  for (unsigned int i = 0; i < n; i++) to[i] = 2 * y[i] - x[i];
  return !(size <= 1e-3);
}

NSSIM_EXPORT nssim_integrator_of implicit_midpoint;
const nssim_integrator *implicit_midpoint(void)
{
  static const nssim_integrator method = NSSIM_INTEGRATOR(0, 1, midpoint_scratch, midpoint_step);
  return &method;
}
