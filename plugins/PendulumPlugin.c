/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PendulumPlugin.c -- a nonlinear system in full: the planar double pendulum.
 *
 * Point masses m1, m2 on massless rods l1, l2; q0, q1 are the angles of the rods from the vertical,
 * both absolute; v0, v1 their rates. With d = q0 - q1, from Lagrange's equations:
 *
 *   M(q)       = [ (m1 + m2) l1^2        m2 l1 l2 cos d ]      kg m^2
 *                [ m2 l1 l2 cos d        m2 l2^2        ]
 *   fGyr(q, v) = [  m2 l1 l2 sin d v1^2 ]                      N m, terms quadratic in v
 *                [ -m2 l1 l2 sin d v0^2 ]
 *   fInt(q, v) = [ (m1 + m2) g l1 sin q0 + c (2 v0 - v1) ]     N m, weight and friction in
 *                [ m2 g l2 sin q1 + c (v1 - v0)          ]     the two joints
 *
 *   M(q) dv/dt + fGyr(q, v) + fInt(q, v) = p
 *
 *   <LagrangianDS id="pendulum" coordinates="upper lower">
 *     <q0>2 2</q0>
 *     <v0>0 0</v0>
 *     <mass plugin="PendulumPlugin:mass"/>
 *     <fGyr plugin="PendulumPlugin:fGyr"/>
 *     <fInt plugin="PendulumPlugin:fInt"/>
 *     <jacobianFIntq plugin="PendulumPlugin:jacobianFIntq"/>
 *     <jacobianFIntqDot plugin="PendulumPlugin:jacobianFIntqDot"/>
 *     <jacobianFGyrq plugin="PendulumPlugin:jacobianFGyrq"/>
 *     <jacobianFGyrqDot plugin="PendulumPlugin:jacobianFGyrqDot"/>
 *   </LagrangianDS>
 *
 * What to look at:
 *   - fGyr and fInt stand on the left hand side: gravity, which depends on q, is in fInt and has
 *     the sign of a restoring force;
 *   - matrices are stored by columns: entry of row i, column j at [i + j*n];
 *   - a Jacobian has a row for each component, a column for each coordinate. They may be left
 *     out: nssim then differences the functions, slower and less exact;
 *   - no function remembers anything from one call to the next, so they may be called in any order
 *     and by several threads. */
#include <nssim/plugin.h>

#include <math.h>

NSSIM_PLUGIN("PendulumPlugin 1.0", NSSIM_PLUGIN_ABI);

NSSIM_EXPORT nssim_mass mass;
NSSIM_EXPORT nssim_fgyr fGyr, jacobianFGyrq, jacobianFGyrqDot;
NSSIM_EXPORT nssim_fint fInt, jacobianFIntq, jacobianFIntqDot;

static const double m1 = 1.0, m2 = 0.5; /* kg */
static const double l1 = 1.0, l2 = 0.8; /* m */
static const double g = 9.81;           /* m/s^2 */
static const double c = 0.0;            /* N m s */

/* Entry of row i, column j. */
#define AT(a, i, j) (a)[(i) + (j) * 2]

void mass(unsigned int n, const double *q, double *M, unsigned int nz, double *z)
{
  double coupling = m2 * l1 * l2 * cos(q[0] - q[1]);
  (void)n, (void)nz, (void)z;
  AT(M, 0, 0) = (m1 + m2) * l1 * l1;
  AT(M, 1, 0) = coupling;
  AT(M, 0, 1) = coupling;
  AT(M, 1, 1) = m2 * l2 * l2;
}

void fGyr(unsigned int n, const double *q, const double *v, double *out, unsigned int nz, double *z)
{
  double s = m2 * l1 * l2 * sin(q[0] - q[1]);
  (void)n, (void)nz, (void)z;
  out[0] = s * v[1] * v[1];
  out[1] = -s * v[0] * v[0];
}

void jacobianFGyrq(unsigned int n, const double *q, const double *v, double *J, unsigned int nz,
                   double *z)
{
  double k = m2 * l1 * l2 * cos(q[0] - q[1]); /* d s / d q0 = - d s / d q1 */
  (void)n, (void)nz, (void)z;
  AT(J, 0, 0) = k * v[1] * v[1];
  AT(J, 0, 1) = -k * v[1] * v[1];
  AT(J, 1, 0) = -k * v[0] * v[0];
  AT(J, 1, 1) = k * v[0] * v[0];
}

void jacobianFGyrqDot(unsigned int n, const double *q, const double *v, double *J, unsigned int nz,
                      double *z)
{
  double s = m2 * l1 * l2 * sin(q[0] - q[1]);
  (void)n, (void)nz, (void)z;
  AT(J, 0, 0) = 0;
  AT(J, 0, 1) = 2 * s * v[1];
  AT(J, 1, 0) = -2 * s * v[0];
  AT(J, 1, 1) = 0;
}

void fInt(double t, unsigned int n, const double *q, const double *v, double *out, unsigned int nz,
          double *z)
{
  (void)t, (void)n, (void)nz, (void)z;
  out[0] = (m1 + m2) * g * l1 * sin(q[0]) + c * (2 * v[0] - v[1]);
  out[1] = m2 * g * l2 * sin(q[1]) + c * (v[1] - v[0]);
}

void jacobianFIntq(double t, unsigned int n, const double *q, const double *v, double *J,
                   unsigned int nz, double *z)
{
  (void)t, (void)n, (void)v, (void)nz, (void)z;
  AT(J, 0, 0) = (m1 + m2) * g * l1 * cos(q[0]);
  AT(J, 0, 1) = 0;
  AT(J, 1, 0) = 0;
  AT(J, 1, 1) = m2 * g * l2 * cos(q[1]);
}

void jacobianFIntqDot(double t, unsigned int n, const double *q, const double *v, double *J,
                      unsigned int nz, double *z)
{
  (void)t, (void)n, (void)q, (void)v, (void)nz, (void)z;
  AT(J, 0, 0) = 2 * c;
  AT(J, 0, 1) = -c;
  AT(J, 1, 0) = -c;
  AT(J, 1, 1) = c;
}
