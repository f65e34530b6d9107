/* SPDX-License-Identifier: GPL-3.0-or-later */
/* state_outputs.h -- y and ydot of a state that was written from outside: by user events, or by
 * controls where relations read inputs. */
#ifndef NS_SIMULATION_STEP_STATE_OUTPUTS_H
#define NS_SIMULATION_STEP_STATE_OUTPUTS_H

#include "model/state.h"

#include <stddef.h>

/* Doubles of scratch. */
size_t ns_state_outputs_work(const ns_model *m);
/* y and ydot of x from its q, v, z and lambda: of all interactions or, with inputs, of those of
 * mechanics that can read z. A lasting contact that is open from now on is no longer held in the
 * next step. Failures: those of plug-ins. */
int ns_state_outputs(const ns_model *m, ns_ctx *c, ns_state *x, int inputs, double *work);

#endif
