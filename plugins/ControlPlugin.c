/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A control of its own with a state: an integral that leaks, which forgets what was long ago.
 *
 *     <control id="own" systems="plant" period="0.01" writes="u">
 *       <PluginControl plugin="ControlPlugin:leaky"><p>0.5 2</p><y>1 - level</y></PluginControl>
 *     </control>
 *
 * p: time constant of the leak, s, and gain. It keeps one number, which nssim holds: each control
 * has its own, and a checkpoint has it too. */
#include <nssim/plugin.h>

#include <math.h>

NSSIM_PLUGIN("ControlPlugin", NSSIM_PLUGIN_ABI);

/* x' = y - x/p0, u = p1 x: exact for a y that is held. */
static void sample(unsigned int np, const double *p, double t, double period, unsigned int ny,
                   const double *y, unsigned int nw, double *w, double *x)
{
  double keep = exp(-period / p[0]);
  (void)np, (void)t, (void)ny, (void)nw;
  w[0] = p[1] * *x;
  *x = keep * *x + p[0] * (1 - keep) * y[0];
}

NSSIM_EXPORT nssim_control_of leaky;
const nssim_control *leaky(void)
{
  static const nssim_control control = NSSIM_CONTROL(1, 0, sample);
  return &control;
}
