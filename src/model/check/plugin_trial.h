/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin_trial.h -- the first call of functions whose arguments the model only claims to know.
 *
 * A wrong abi= (plugin_form.h) makes a function take a size for an address: it crashes, writes over
 * what it was to read, or elsewhere. So each such function is called once in a process of its own,
 * at t0 and the initial state. It has to return, with finite numbers, having changed nothing but
 * its result and z. */
#ifndef NS_MODEL_CHECK_PLUGIN_TRIAL_H
#define NS_MODEL_CHECK_PLUGIN_TRIAL_H

#include "model/model.h"

/* NS_PLUGIN for each function that fails; the model and this process are untouched. */
int ns_try_old_plugins(const ns_model *m, ns_ctx *c);

#endif
