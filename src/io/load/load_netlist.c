/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_netlist.c -- <netlist>: its lines, wherever they stand, become a system and an interaction.
 */
#include "io/load/netlist.h"

#include "model/user_event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lines, and where they begin. */
static int get_text(ns_load *l, const ns_elem *e, ns_netlist *k, const char **text, int *line)
{
  const char *file = ns_elem_attr(e, "file"), *shown, *real;
  char at[NS_AT];
  ns_text t;
  if (e->bad) return NS_MODEL;
  if (file && *e->text)
    return ns_elem_fail(&l->msg, e, NULL,
                        "is given as text and as file, expected one of them; remove the other");
  if (!file && !*e->text)
    return ns_elem_fail(&l->msg, e, NULL,
                        "is empty, expected lines such as \"R1 a b 1e3\"; `nssim explain netlist` "
                        "shows an example");
  *text = e->text;
  *line = e->text_line;
  if (!file) return NS_OK;
  int rc = ns_files_read_named(&l->files, &l->msg.c, ns_elem_at(e, NULL, at, sizeof at), e->dir,
                               file, &t, &shown, &real);
  if (rc) return rc;
  if (strlen(t.text) != t.n)
    return ns_elem_fail(&l->msg, e, NULL, "%.200s contains a NUL byte, expected text", shown);
  k->here.file = shown;
  *text = t.text;
  *line = 1;
  return NS_OK;
}

/* Id of the system, and ID-devices. */
static int make_ids(ns_load *l, const ns_elem *e, const char **id, const char **devices)
{
  const ns_indices index = {0};
  ns_template t;
  char buf[NS_ID_MAX + 1], more[NS_ID_MAX + 16];
  const char *text = ns_elem_attr(e, "id");
  int rc = ns_template_make(l, e, "id", text, strlen(text), &index, &t);
  if (!rc) rc = ns_template_write(l, e, &t, &index, buf);
  if (rc) return rc;
  snprintf(more, sizeof more, "%s-devices", buf);
  *id = ns_arena_text(l->m->arena, buf);
  *devices = ns_arena_text(l->m->arena, more);
  return *id && *devices ? NS_OK : ns_nomem(&l->msg.c, "ids");
}

/* Names in inputs=, and their values at t0 in z=. */
static int get_inputs(ns_load *l, const ns_elem *e, ns_netlist *k)
{
  const ns_indices index = {0};
  const char *text = ns_elem_attr(e, "inputs");
  ns_scalar *value;
  int n, rc = ns_load_attribute_list(l, e, "z", &index, &value, &n);
  if (rc) return rc;
  if (!text && n)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "attribute z is given without inputs, whose values it contains, expected both");
  if (!text) return NS_OK;
  char *s = ns_arena_text(l->m->arena, text), *save;
  k->input = ns_arena_get(l->m->arena, NS_NETLIST_INPUTS, sizeof *k->input);
  k->input0 = ns_arena_zero(l->m->arena, NS_NETLIST_INPUTS, sizeof *k->input0);
  if (!s || !k->input || !k->input0) return ns_nomem(&l->msg.c, "inputs of a netlist");
  for (char *p = strtok_r(s, " \t\r\n", &save); p; p = strtok_r(NULL, " \t\r\n", &save)) {
    if (k->ninputs == NS_NETLIST_INPUTS)
      return ns_elem_fail(&l->msg, e, NULL,
                          "attribute inputs has more than %d names, expected fewer",
                          NS_NETLIST_INPUTS);
    if ((rc = ns_load_coordinate_check(l, e, &index, "input", p))) return rc;
    for (int j = 0; j < k->ninputs; j++)
      if (!strcmp(k->input[j], p))
        return ns_elem_fail(&l->msg, e, NULL,
                            "the input %s appears twice, expected different names", p);
    k->input[k->ninputs++] = p;
  }
  if (!k->ninputs)
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute inputs is empty, expected names; remove it or write \"u\"");
  if (n && n != k->ninputs)
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute z has %d number%s, expected %d, one for each input", n,
                        n == 1 ? "" : "s", k->ninputs);
  for (int j = 0; j < n; j++) k->input0[j] = ns_scalar_get(&value[j], &index);
  return NS_OK;
}

static int assemble(ns_load *l, const ns_elem *e, ns_netlist *k, const char *id,
                    const char *devices, double t0)
{
  ns_circuit c = {.at = {.file = e->file, .element = e->def->name, .id = id, .line = e->line},
                  .nnodes = k->nnodes,
                  .n = k->n,
                  .element = k->element,
                  .foreign = k->foreign.of,
                  .nforeign = k->foreign.n,
                  .read = k->read,
                  .nreads = k->nprobes,
                  .input = k->input,
                  .input0 = k->input0,
                  .ninputs = k->ninputs};
  c.node = ns_arena_copy(l->m->arena, k->node, (size_t)k->nnodes, sizeof *k->node);
  if (!c.node) return ns_nomem(&l->msg.c, "netlist");
  int system = l->m->nsystems, interaction = l->m->ninteractions;
  int rc = ns_circuit_assemble(l->m, &l->msg.c, k->g, &c, devices, t0);
  if (!rc) rc = ns_load_id_add(l, e, id, 1, system);
  if (!rc && l->m->ninteractions > interaction) rc = ns_load_id_add(l, e, devices, 0, interaction);
  return rc;
}

/* gmin: from one node of each floating set to ground. */
static int tie_floating(ns_load *l, const ns_elem *e, ns_netlist *k)
{
  double gmin = 0;
  int rc = ns_load_attribute(l, e, "gmin", NULL, &gmin);
  if (rc || gmin == 0) return rc;
  unsigned char *floats = ns_arena_zero(l->scratch, (size_t)k->nnodes + 1, 1);
  const ns_circuit c = {.nnodes = k->nnodes, .n = k->n, .element = k->element};
  if (!floats || ns_circuit_floating(&c, floats)) return ns_nomem(&l->msg.c, "netlist");
  for (int i = 1; i < k->nnodes && !rc; i++)
    if (floats[i]) rc = ns_netlist_tie(k, i, 1 / gmin);
  return rc;
}

static int load(ns_load *l, const ns_elem *e, ns_netlist *k, double t0)
{
  const char *text = NULL, *id, *devices;
  int line = 0, rc = get_text(l, e, k, &text, &line);
  if (!rc) rc = get_inputs(l, e, k);
  if (!rc) rc = make_ids(l, e, &id, &devices);
  if (!rc) rc = ns_netlist_read(k, text, line);
  if (!rc && !k->bad) rc = ns_netlist_link(k);
  if (!rc && !k->bad) rc = tie_floating(l, e, k);
  if (rc || k->bad) return rc ? rc : NS_MODEL;
  return assemble(l, e, k, id, devices, t0);
}

int ns_load_netlist(ns_load *l, ns_elem *e, const ns_elem *simulation)
{
  double t0 = l->m->sim.t0;
  if (simulation && ns_load_attribute(l, simulation, "t0", NULL, &t0) == NS_NOMEM) return NS_NOMEM;
  ns_mark mark = ns_arena_mark(l->scratch);
  ns_arena *a = ns_arena_create(0, 1);
  ns_netlist k = {.l = l, .a = l->m->arena, .here = *e, .g = a ? ns_graph_create(a) : NULL};
  int rc = k.g ? load(l, e, &k, t0) : ns_nomem(&l->msg.c, "netlist");
  ns_netlist_fini(&k);
  ns_arena_destroy(a);
  ns_arena_release(l->scratch, mark);
  if (rc) l->ids_unknown = 1;
  return rc == NS_NOMEM ? rc : NS_OK;
}

/* What is named after an element or node of a netlist. */
typedef struct named {
  const char **id;
  int system;
} named;

static int by_id(const void *a, const void *b)
{
  return strcmp(*((const named *)a)->id, *((const named *)b)->id);
}

/* R1 of the netlist d becomes d.R1. */
static int name_by_netlist(ns_load *l, const named *o)
{
  const char *netlist = l->m->systems[o->system].at.id;
  size_t n = strlen(netlist) + strlen(*o->id) + 2;
  char *id = ns_arena_get(l->m->arena, n, 1);
  if (!id) return ns_nomem(&l->msg.c, "netlists");
  snprintf(id, n, "%s.%s", netlist, *o->id);
  *o->id = id;
  return NS_OK;
}

static int tell_apart(ns_load *l, named *of, int n)
{
  int rc = NS_OK;
  qsort(of, (size_t)n, sizeof *of, by_id);
  for (int i = 0, j; i < n && !rc; i = j) {
    int several = 0;
    for (j = i; j < n && !strcmp(*of[j].id, *of[i].id); j++)
      several |= of[j].system != of[i].system;
    for (int k = j - 1; k >= i && several && !rc; k--) rc = name_by_netlist(l, &of[k]);
  }
  return rc;
}

int ns_load_netlists_named(ns_load *l, const ns_elem *e)
{
  ns_model *m = l->m;
  int n = 0, rc = NS_OK;
  named *of = malloc((size_t)(m->nobservables + m->nuser_events + 1) * sizeof *of);
  if (!of) return ns_nomem(&l->msg.c, "netlists");
  for (int k = 0; k < m->nobservables; k++)
    of[n++] = (named){&m->observables[k].id, m->observables[k].systems[0]};
  for (int k = 0; k < m->nuser_events; k++)
    of[n++] = (named){&m->user_events[k].id, m->user_events[k].when.systems[0]};
  if (l->nnetlists > 1) rc = tell_apart(l, of, n);
  free(of);
  for (int k = 0; k < m->nuser_events && !rc; k++) {
    m->user_events[k].at.id = m->user_events[k].id;
    rc = ns_load_id_add(l, e, m->user_events[k].id, 0, -1);
  }
  return rc == NS_NOMEM ? rc : NS_OK;
}
