/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/flow.h"

#include "integrators/cvode.h"
#include "integrators/ida.h"
#include "integrators/newmark_alpha.h"

#include <string.h>

const ns_flow_ops *const ns_flows[] = {&ns_cvode, &ns_ida, &ns_newmark_alpha, NULL};

const ns_flow_ops *ns_flow_find(const char *name)
{
  for (int k = 0; ns_flows[k]; k++)
    if (strcmp(ns_flows[k]->name, name) == 0) return ns_flows[k];
  return NULL;
}
