/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/integrator.h"
#include "integrators/moreau_jean.h"

#include <string.h>

const ns_integrator_ops *const ns_integrators[] = {&ns_moreau_jean, &ns_moreau_jean_global,
                                                   &ns_moreau_jean_direct, &ns_moreau_jean_combined,
                                                   NULL};

const ns_integrator_ops *ns_integrator_find(const char *name)
{
  for (int k = 0; ns_integrators[k]; k++)
    if (strcmp(ns_integrators[k]->name, name) == 0) return ns_integrators[k];
  return NULL;
}
