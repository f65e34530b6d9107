/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_plugin.c -- a block that a plug-in has (nssim/plugin.h, nssim_control). Memory: what the
 * plug-in keeps. */
#include "model/controls/control_kinds.h"

#include "base/guard.h"
#include "nssim/plugin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct plugged {
  const ns_control *k;
  const ns_operator *p, *y;
  char at[512];
  double *work, *in; /* of y, and y itself */
} plugged;

int ns_control_check_plugin(ns_ctx *c, const char *at, const ns_control *k)
{
  const nssim_control *t = k->plugin;
  const char *call = k->plugin_name;
  if (t->memory > NSSIM_CONTROL_MEMORY)
    return ns_fail(c, NS_PLUGIN,
                   "%s: plug-in \"%s\": its control stores %u numbers, expected at most %d", at,
                   call, t->memory, NSSIM_CONTROL_MEMORY);
  if (!t->sample)
    return ns_fail(c, NS_PLUGIN,
                   "%s: plug-in \"%s\": its control has no function sample, expected one", at,
                   call);
  return NS_OK;
}

static int prepare(const ns_model *m, ns_control *k, ns_ctx *c)
{
  (void)m;
  if (!k->plugin)
    return ns_control_fail(k, c, "has no plug-in, expected plugin=\"Library:function\"");
  k->nmemory = (int)k->plugin->memory;
  return NS_OK;
}

static void destroy(void *self)
{
  plugged *o = self;
  free(o->in);
}

static int create(void *self, ns_ctx *c, const ns_model *m, const ns_control *k, double *work)
{
  (void)m;
  plugged *o = self;
  *o = (plugged){
      .k = k, .p = ns_control_value(k, "p"), .y = ns_control_value(k, "y"), .work = work};
  ns_place_text(&k->at, o->at, sizeof o->at);
  o->in = calloc((size_t)o->y->rows + 1, sizeof *o->in);
  return o->in ? NS_OK : ns_nomem(c, "a control that is a plug-in");
}

static int sample(void *self, ns_ctx *c, const ns_sample *s, double *w)
{
  plugged *o = self;
  const nssim_control *t = o->k->plugin;
  unsigned np = (unsigned)o->p->rows, ny = (unsigned)o->y->rows, nw = (unsigned)o->k->nwrites;
  int rc = o->y->how ? ns_operator_eval(o->y, c, &s->p, o->work, o->in) : NS_OK;
  if (rc) return rc;
  for (unsigned j = 0; j < nw; j++) w[j] = s->p.z[o->k->writes[j]];
  ns_guard_enter_for(o->at, o->k->plugin_name);
  if (s->i == 0 && t->begin) t->begin(np, o->p->value, s->period, s->memory);
  t->sample(np, o->p->value, s->t, s->period, ny, o->in, nw, w, s->memory);
  ns_guard_leave();
  for (unsigned j = 0; j < nw; j++)
    if (!isfinite(w[j]))
      return ns_fail(c, NS_PLUGIN,
                     "%s: plug-in \"%s\" wrote %g to output [%u] at t = %.10g s, expected a finite "
                     "number",
                     o->at, o->k->plugin_name, w[j], j, s->t);
  return NS_OK;
}

const ns_control_kind ns_control_plugin = {.name = "PluginControl",
                                           .help = "functions in C with a state that nssim stores",
                                           .prepare = prepare,
                                           .size = sizeof(plugged),
                                           .create = create,
                                           .sample = sample,
                                           .destroy = destroy};
