/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timestepping.h -- event-capturing time-stepping: steps of one length, impacts inside them.
 *
 * A step from t_k to t_k+1 = t0 + (k+1) h (Acary & Brogliato 2008, ch. 10):
 *   1. index set I_1 from y_k + gamma h ydot_k, fixed for the step
 *   2. Newton loop: free velocity, one-step problem on I_1, velocity, residual
 *   3. accept: state, outputs, events, certificate
 *
 * The loop ends when for every system
 *   ||R - p|| <= newtonTolerance + newtonRelativeTolerance (||p|| + h ||F||)    (2-norms, N s)
 * and the rounding of R, with R the residual of the equations of motion and p the contact impulse; one pass where
 * all systems are linear. A loop or a one-step problem that does not converge is a failure,
 * never a result. */
#ifndef NS_SIMULATION_TIMESTEPPING_H
#define NS_SIMULATION_TIMESTEPPING_H

#include "simulation/strategy.h"

extern const ns_strategy_ops ns_time_stepping;

/* Its step for drivers that have a grid of their own (event_driven_hybrid.c): from the state to t1, h long; h may differ from that
 * of the step before. */
int ns_time_stepping_to(void *self, ns_ctx *c, ns_recorder *rec, double t1, double h);

#endif
