/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.c -- a law of contact that a plug-in has (nssim/plugin.h, nssim_law): the cone of Coulomb,
 * moved along its axis by a tension that the plug-in makes of what each contact keeps. In every
 * place that the laws with memory of this folder have. */
#include "model/laws/laws.h"

#include "base/guard.h"
#include "model/check/check_parts.h"
#include "nssim/plugin.h"

/* The table of one plug-in: that of this file, with its memory. */
typedef struct plugged_law {
  ns_law_ops ops; /* first: found from ns_nonsmooth_law.ops */
  const nssim_law *table;
  const ns_plugged *from;
} plugged_law;

static const plugged_law *plugged(const ns_nonsmooth_law *l)
{
  return (const plugged_law *)(const void *)l->ops;
}

static void begin(const ns_nonsmooth_law *l, double gap, double *memory)
{
  const plugged_law *p = plugged(l);
  ns_guard_enter_for(p->from->at, p->from->call);
  p->table->begin(l->more, gap, memory);
  ns_guard_leave();
}

static double tension(const ns_nonsmooth_law *l, const double *memory)
{
  const plugged_law *p = plugged(l);
  ns_guard_enter_for(p->from->at, p->from->call);
  double x = ns_guard_number(p->table->tension(l->more, memory), "the tension of a contact");
  ns_guard_leave();
  return x > 0 ? x : 0;
}

static void keep(const ns_nonsmooth_law *l, double pressed, double *memory)
{
  const plugged_law *p = plugged(l);
  ns_guard_enter_for(p->from->at, p->from->call);
  p->table->keep(l->more, pressed, memory);
  ns_guard_leave();
}

static const ns_law_number numbers[] = {NS_LAW_FRICTION_NUMBERS,
                                        {"p1", "p1", NULL, 0, offsetof(ns_nonsmooth_law, more[0])},
                                        {"p2", "p2", NULL, 0, offsetof(ns_nonsmooth_law, more[1])},
                                        {"p3", "p3", NULL, 0, offsetof(ns_nonsmooth_law, more[2])},
                                        {"p4", "p4", NULL, 0, offsetof(ns_nonsmooth_law, more[3])},
                                        {0}};

const ns_law_ops ns_law_plugged = {
    .name = "PluginNSL",
    .help = "Newton's impact law and Coulomb friction with a tension computed by a plug-in",
    .set = NS_SET_CONE,
    .impact = 1,
    .plugged = 1,
    .fits = NS_FIT_SLIP,
    .stands = NS_IN_FRICTION | NS_IN_ROLLING,
    .numbers = numbers,
    .restitution = ns_law_newton,
    .refuses = ns_law_refuses_impact,
    .memory = 1, /* of a plug-in as many as it says */
    .begin = begin,
    .tension = tension,
    .keep = keep,
    .check = ns_law_check_cone};

int ns_law_of_plugin(ns_ctx *c, ns_arena *a, const ns_plugged *from, const ns_law_ops **out)
{
  const nssim_law *table = from->table;
  if (table->memory < 1 || table->memory > NSSIM_LAW_MEMORY)
    return ns_fail(c, NS_PLUGIN,
                   "%s: plug-in \"%s\": its law stores %u numbers per contact, expected 1 to %d",
                   from->at, from->call, table->memory, NSSIM_LAW_MEMORY);
  const char *missing = !table->begin     ? "begin"
                        : !table->tension ? "tension"
                        : !table->keep    ? "keep"
                                          : NULL;
  if (missing)
    return ns_fail(c, NS_PLUGIN,
                   "%s: plug-in \"%s\": its law has no function %s, expected begin, tension and "
                   "keep",
                   from->at, from->call, missing);
  plugged_law *p = ns_arena_get(a, 1, sizeof *p);
  if (!p) return ns_nomem(c, "a law");
  *p = (plugged_law){.ops = ns_law_plugged, .table = table, .from = from};
  p->ops.memory = (int)table->memory;
  *out = &p->ops;
  return NS_OK;
}
