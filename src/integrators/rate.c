/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/rate.h"

#include "integrators/euler_moreau.h"
#include "integrators/zero_order_hold.h"

#include <string.h>

const ns_rate_ops *const ns_rate_integrators[] = {&ns_euler_moreau, &ns_zero_order_hold, NULL};

const ns_rate_ops *ns_rate_integrator_find(const char *name)
{
  for (int k = 0; ns_rate_integrators[k]; k++)
    if (!strcmp(ns_rate_integrators[k]->name, name)) return ns_rate_integrators[k];
  return NULL;
}
