/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/flow.h"

#include "base/text.h"
#include "integrators/cvode.h"
#include "integrators/ida.h"
#include "integrators/newmark_alpha.h"
#include "integrators/plugged_flow.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const ns_flow_ops *const ns_flows[] = {&ns_cvode, &ns_ida, &ns_newmark_alpha, &ns_plugged_flow,
                                       NULL};

const ns_flow_ops *ns_flow_find(const char *name)
{
  return NS_NAMED_KIND(ns_flow_ops, ns_flows, name);
}

int ns_flow_of_model(ns_ctx *c, const ns_model *m, const ns_flow_ops **ops)
{
  char names[256];
  size_t used = 0;
  *ops = ns_flow_find(m->sim.integrator);
  if (*ops) return NS_OK;
  for (int k = 0; ns_flows[k] && used < sizeof names; k++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s<%s/>",
                             k == 0            ? ""
                             : ns_flows[k + 1] ? ", "
                                               : " or ",
                             ns_flows[k]->name);
  return ns_fail_at(c, NS_MODEL, &m->sim.at, "<%s> has no integrator \"%s\", expected %s",
                    m->sim.strategy, m->sim.integrator, names);
}

double ns_flow_longest_step(const ns_flow_problem *p, int looks)
{
  int blind = p->each_step && !looks && p->grid > 0;
  double longest = p->options->max_step;
  if (p->stride > 0) longest = fmin(longest, p->stride);
  return blind ? fmin(longest, p->grid) : longest;
}

double ns_flow_coarsest(const ns_flow_problem *p, size_t i)
{
  double rounding = p->origin ? 16 * DBL_EPSILON * fabs(p->origin[i]) : 0;
  return fmax(rounding, p->coarsest);
}

void ns_flow_work_add(ns_flow_work *w, const ns_flow_work *more)
{
  w->steps += more->steps;
  w->rates += more->rates;
  w->roots += more->roots;
  w->restarts += more->restarts;
  w->error_failures += more->error_failures;
  w->convergence_failures += more->convergence_failures;
  w->jacobians += more->jacobians;
  w->jacobian_rates += more->jacobian_rates;
}

int ns_flow_refused(ns_ctx *c, int rc, double t)
{
  return c->rc ? rc
               : ns_fail_below(c, NS_NUMERIC, "a function of the motion failed at t = %.10g s", t);
}

const char *ns_flow_at(const ns_flow_problem *p, size_t i, char *buf)
{
  *buf = '\0';
  if (!p->place) return buf;
  p->place(p->of, i, buf);
  size_t n = strlen(buf);
  snprintf(buf + n, NS_FLOW_PLACE - n, ": ");
  return buf;
}

int ns_flow_blame(const ns_flow_problem *p, ns_ctx *c, double t, const double *x)
{
  static const double NEAR = 1e-3; /* of the grid: steps that shrink end close to what stops them */
  double within = fmax(NEAR * p->grid, 1e-12 * fabs(t));
  return p->blame ? p->blame(p->of, c, t, x, within) : NS_OK;
}

int ns_flow_cannot(const ns_flow_problem *p, ns_ctx *c, const char *integrator, const char *does,
                   double t, const double *x)
{
  char at[NS_FLOW_PLACE];
  int rc = ns_flow_blame(p, c, t, x);
  if (rc) return rc;
  return ns_fail(c, NS_NUMERIC,
                 "%s%s %s at t = %.10g s: accelerations or rates are not finite; the results so "
                 "far are kept; look for a division by zero or the root of a negative number there",
                 ns_flow_at(p, 0, at), integrator, does, t);
}

int ns_flow_is_fixed(const ns_flow_ops *ops, const ns_event_driven_options *e)
{
  return ops->fixed && ops->fixed(e);
}

size_t ns_flow_worst(const ns_flow_problem *p, const double *error, const double *weight,
                     double *share)
{
  size_t at = 0;
  *share = 0;
  for (size_t i = 0; i < p->n && !isnan(*share); i++) {
    double s = p->atol[i] < NS_FLOW_FREE ? fabs(error[i] * weight[i]) : 0;
    if (s <= *share) continue;
    *share = s;
    at = i;
  }
  return at;
}
