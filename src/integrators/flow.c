/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/flow.h"

#include "integrators/cvode.h"
#include "integrators/ida.h"
#include "integrators/newmark_alpha.h"

#include <stdio.h>
#include <string.h>

const ns_flow_ops *const ns_flows[] = {&ns_cvode, &ns_ida, &ns_newmark_alpha, NULL};

const ns_flow_ops *ns_flow_find(const char *name)
{
  for (int k = 0; ns_flows[k]; k++)
    if (strcmp(ns_flows[k]->name, name) == 0) return ns_flows[k];
  return NULL;
}

int ns_flow_of_model(ns_ctx *c, const ns_model *m, const ns_flow_ops **ops)
{
  char at[512], names[256];
  size_t used = 0;
  *ops = ns_flow_find(m->sim.integrator);
  if (*ops) return NS_OK;
  for (int k = 0; ns_flows[k] && used < sizeof names; k++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s<%s/>", k == 0 ? "" : ns_flows[k + 1] ? ", " : " or ", ns_flows[k]->name);
  return ns_fail(c, NS_MODEL, "%s: <%s> has no integrator \"%s\", expected %s", ns_place_text(&m->sim.at, at, sizeof at), m->sim.strategy,
                 m->sim.integrator, names);
}
