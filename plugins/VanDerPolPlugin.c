/* SPDX-License-Identifier: GPL-3.0-or-later */
/* VanDerPolPlugin.c -- a first-order system and a relation: van der Pol's oscillator with dry
 * friction.
 *
 *   x' = y
 *   y' = mu (1 - x^2) y - x + r,   r = c lambda,   lambda in -sgn(y)
 *
 *   <systems>
 *     <FirstOrderNonLinearDS id="oscillator" states="x y">
 *       <x0>2 0</x0>
 *       <z>1 0.1</z>
 *       <f plugin="VanDerPolPlugin:field"/>
 *       <jacobianfx plugin="VanDerPolPlugin:fieldByState"/>
 *     </FirstOrderNonLinearDS>
 *   </systems>
 *   <interactions>
 *     <interaction id="friction" systems="oscillator">
 *       <FirstOrderType1R>
 *         <h plugin="VanDerPolPlugin:slip"/>
 *         <g plugin="VanDerPolPlugin:friction"/>
 *         <jachx plugin="VanDerPolPlugin:slipByState"/>
 *         <jacglambda plugin="VanDerPolPlugin:frictionByLambda"/>
 *       </FirstOrderType1R>
 *       <RelayNSL size="1"/>
 *     </interaction>
 *   </interactions>
 *
 * What to look at:
 *   - f stands on the right hand side, as everything does in a first-order system;
 *   - z = [mu, c] comes from the model: no compiling for other numbers. A relation gets the z of
 *   all its
 *     systems, one after the other;
 *   - g writes the input of this interaction alone, zeros too; nssim adds those of all
 *   interactions; - size="1": how many rows h has, nssim cannot know from its code; - Jacobians are
 *   stored by columns, a row for each component. They may be left out: nssim then
 *     differences the functions, slower and less exact. */
#include <nssim/plugin.h>

NSSIM_PLUGIN("VanDerPolPlugin 1.0", NSSIM_PLUGIN_ABI);

NSSIM_EXPORT nssim_f field, fieldByState;
NSSIM_EXPORT nssim_h1 slip, slipByState;
NSSIM_EXPORT nssim_g1 friction, frictionByLambda;

static double mu(unsigned int nz, const double *z) { return nz > 0 ? z[0] : 1; }
static double c(unsigned int nz, const double *z) { return nz > 1 ? z[1] : 0; }

void field(double t, unsigned int n, const double *x, double *f, unsigned int nz, double *z)
{
  (void)t, (void)n;
  f[0] = x[1];
  f[1] = mu(nz, z) * (1 - x[0] * x[0]) * x[1] - x[0];
}

void fieldByState(double t, unsigned int n, const double *x, double *J, unsigned int nz, double *z)
{
  (void)t;
  J[0 + 0 * n] = 0;
  J[0 + 1 * n] = 1;
  J[1 + 0 * n] = -2 * mu(nz, z) * x[0] * x[1] - 1;
  J[1 + 1 * n] = mu(nz, z) * (1 - x[0] * x[0]);
}

void slip(unsigned int N, const double *X, unsigned int m, double *y, unsigned int nz, double *z)
{
  (void)N, (void)m, (void)nz, (void)z;
  y[0] = X[1];
}

void slipByState(unsigned int N, const double *X, unsigned int m, double *C, unsigned int nz,
                 double *z)
{
  (void)N, (void)X, (void)nz, (void)z;
  C[0 + 0 * m] = 0;
  C[0 + 1 * m] = 1;
}

void friction(unsigned int m, const double *lambda, unsigned int N, double *R, unsigned int nz,
              double *z)
{
  (void)m, (void)N;
  R[0] = 0;
  R[1] = c(nz, z) * lambda[0];
}

void frictionByLambda(unsigned int m, const double *lambda, unsigned int N, double *B,
                      unsigned int nz, double *z)
{
  (void)m, (void)lambda;
  B[0 + 0 * N] = 0;
  B[1 + 0 * N] = c(nz, z);
}
