/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BallPlugin.c -- the smallest plug-in: the weight of a ball.
 *
 *   <LagrangianLinearTIDS id="ball" coordinates="x y phi">
 *     <q0>1 0 0</q0>
 *     <v0>0 0 0</v0>
 *     <mass diag="1 1 0.004"/>
 *     <fExt plugin="BallPlugin:ballFExt"/>
 *   </LagrangianLinearTIDS>
 *
 * Coordinate 0 is the height. What to look at:
 *   - fExt stands on the right hand side, so the weight has its minus sign here;
 *   - every entry is written, also the zeros: the array holds old values;
 *   - the user vector z, where the model gives one, changes mass and gravity without compiling.
 *
 * Beside a model, nssim compiles this file itself. By hand:
 *   cc -O2 -fPIC -shared -I<folder of nssim/plugin.h> -o BallPlugin.so BallPlugin.c */
#include <nssim/plugin.h>

NSSIM_PLUGIN("BallPlugin 1.0", NSSIM_PLUGIN_ABI);

/* Declared by its type: the compiler then checks the definition below. */
NSSIM_EXPORT nssim_fext ballFExt;

/* z = [m in kg, g in m/s^2], or empty: 1 kg, 9.81 m/s^2. */
void ballFExt(double t, unsigned int n, double *fExt, unsigned int nz, double *z)
{
  double m = nz > 0 ? z[0] : 1;
  double g = nz > 1 ? z[1] : 9.81;
  (void)t;
  for (unsigned int i = 0; i < n; i++) fExt[i] = 0;
  fExt[0] = -m * g;
}
