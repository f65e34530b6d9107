/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugged_flow.h -- flows by an integrator of a plug-in (nssim/plugin.h, nssim_integrator).
 *
 * The plug-in computes one step and an estimate e of its error; this file controls the steps. A
 * step is accepted if
 *
 *   max_i |e_i| / w_i <= 1,   w_i = rtol max(|x_i|, |x+_i|) + atol_i,
 *
 * and if the cubic between its ends, on which output and roots are computed, has the same accuracy.
 * Its error in the middle, h^4 |x''''| / 384, is h/3 times its defect at a quarter of the step,
 * |P'(t + h/4) - f(t + h/4, P(t + h/4))| = h^3 |x''''| / 128. The next length is h min(0.9
 * error^(-1/(p+1)), 0.9 cubic^(-1/4)) between h/5 and 5 h, the first one after a restart that of
 * [Hairer1993, II.4]. Methods without an estimate, and those for which the model gives a step, use
 * fixed steps.
 *
 * The plug-in is called under guard; its callbacks are not.
 *
 * [Hairer1993] Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, 2nd ed.,
 *              Springer, doi:10.1007/978-3-540-78862-1 */
#ifndef NS_INTEGRATORS_PLUGGED_FLOW_H
#define NS_INTEGRATORS_PLUGGED_FLOW_H

#include "base/guard.h"
#include "integrators/flow.h"

/* Check the functions of the nssim_integrator of a plug-in. NS_PLUGIN: it has no step. */
int ns_plugged_check_integrator(ns_ctx *c, const ns_plugged *p);
/* 1 if the method is implicit, for stiff motion. */
int ns_plugged_is_implicit(const ns_plugged *p);

extern const ns_flow_ops ns_plugged_flow;

#endif
