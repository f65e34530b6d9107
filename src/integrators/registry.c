/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/integrator.h"
#include "integrators/moreau_jean.h"

#include "base/text.h"

#include <string.h>

const ns_integrator_ops *const ns_integrators[] = {&ns_moreau_jean, &ns_moreau_jean_global,
                                                   &ns_moreau_jean_direct, &ns_moreau_jean_combined,
                                                   NULL};

const ns_integrator_ops *ns_integrator_find(const char *name)
{
  return NS_NAMED_KIND(ns_integrator_ops, ns_integrators, name);
}
