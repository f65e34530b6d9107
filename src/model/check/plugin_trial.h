/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin_trial.h -- trial call of functions whose argument list is stated by the model only.
 *
 * With a wrong abi= (plugin_form.h), a function takes a size for an address: it crashes, or
 * overwrites its arguments or other memory. Therefore each such function is called once in a
 * separate process, at t0 and the initial state. It must return finite numbers, and change only its
 * result and z. */
#ifndef NS_MODEL_CHECK_PLUGIN_TRIAL_H
#define NS_MODEL_CHECK_PLUGIN_TRIAL_H

#include "model/model.h"

/* NS_PLUGIN for each function that fails; the model and this process are unchanged. */
int ns_try_old_plugins(const ns_model *m, ns_ctx *c);

#endif
