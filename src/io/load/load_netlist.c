/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_netlist.c -- <netlist>: its lines, wherever they stand, become a system and an interaction.
 *
 * Netlists that read nodes and elements of each other are put together as one circuit, whose
 * equations are solved at once (model/circuit/circuit_parts.c); each keeps a system of its own. */
#include "io/load/netlist.h"

#include "base/grow.h"
#include "model/user_event.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lines, and where they begin. */
static int get_text(ns_load *l, const ns_elem *e, ns_netlist *k, const char **text, int *line)
{
  const char *file = ns_elem_attr(e, "file"), *shown, *real;
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
  int rc = ns_files_read_named(&l->files, &l->msg.c, ns_elem_at(e, NULL).text, e->dir, file, &t,
                               &shown, &real);
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

/* Names in inputs=, their values at t0 in z=, their units. */
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
  if (!text) return ns_load_units(l, e, "inputUnits", 0, &k->input_unit);
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
  return ns_load_units(l, e, "inputUnits", k->ninputs, &k->input_unit);
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

/* ---- netlists that read each other ----------------------------------------------------------- */

typedef struct netlist {
  ns_elem *e;
  ns_netlist k;
  const char *text, *id, *devices;
  int line, bad; /* bad: reported */
  int with;      /* the first one that it is solved with, itself if that is the first */
} netlist;

/* One reads another: `state` of it alone, which needs no common equations. */
typedef struct reading {
  int by, of, state;
} reading;

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static int netlist_named(const netlist *n, int many, const char *id, size_t len)
{
  for (int i = 0; i < many; i++)
    if (n[i].id && !strncmp(n[i].id, id, len) && !n[i].id[len]) return i;
  return -1;
}

/* c.v_C1, or the input c.u, and not c.v(a), c.R1.i: s stands behind the dot. */
static int is_state(const char *s)
{
  while (is_word(*s)) s++;
  s += strspn(s, " \t");
  return *s != '.' && *s != '(';
}

/* What a text reads of others, to *list, malloced. -1: out of memory. */
static int find_readings(const netlist *n, int many, int by, reading **list, int *count)
{
  for (const char *s = n[by].text; s && *s; s++) {
    if (!isalpha((unsigned char)*s) || (s > n[by].text && (is_word(s[-1]) || s[-1] == '.')))
      continue;
    size_t len = 0;
    while (is_word(s[len])) len++;
    int of = s[len] == '.' && is_word(s[len + 1]) ? netlist_named(n, many, s, len) : -1;
    s += len - 1;
    if (of < 0 || of == by) continue;
    if (ns_append(list, count, (&(const reading){by, of, is_state(s + 2)})) < 0) return -1;
  }
  return 0;
}

static void join(netlist *n, int many, int a, int b)
{
  int to = n[a].with < n[b].with ? n[a].with : n[b].with, x = n[a].with, y = n[b].with;
  for (int i = 0; i < many; i++)
    if (n[i].with == x || n[i].with == y) n[i].with = to;
}

/* Which netlists are one circuit: those of which one reads what is no state of the other, or a
 * state of one that is made later. */
static int group(netlist *n, int many)
{
  reading *list = NULL;
  int count = 0, rc = 0;
  for (int i = 0; i < many; i++) n[i].with = i;
  for (int i = 0; i < many && many > 1 && !rc; i++) rc = find_readings(n, many, i, &list, &count);
  for (int changes = 1; changes && !rc;) {
    changes = 0;
    for (int k = 0; k < count; k++) {
      int a = n[list[k].by].with, b = n[list[k].of].with;
      if (a == b || (list[k].state && b < a)) continue;
      join(n, many, list[k].by, list[k].of);
      changes = 1;
    }
  }
  free(list);
  return rc;
}

/* ---- one circuit ----------------------------------------------------------------------------- */

/* The variables of a bank that f reads, each `by` further; < 0: out of memory. */
static ns_node shifted(ns_load *l, ns_graph *g, ns_node f, int bank, int many, int by)
{
  if (f < 0 || by == 0 || !many) return f;
  ns_node *to = ns_arena_get(l->scratch, (size_t)many, sizeof *to);
  for (int i = 0; to && i < many; i++) to[i] = ns_graph_variable(g, bank, i + by);
  return to ? ns_graph_replace(g, f, bank, to) : -1;
}

/* Where the parts of a netlist begin in the circuit of all. */
typedef struct offsets {
  int element, node, read, foreign, input;
} offsets;

static int at_node(int node, const offsets *o) { return node ? node + o->node : 0; }

static int add_element(ns_load *l, const ns_netlist *k, const ns_circuit_element *own,
                       const offsets *o, int part, ns_circuit_element *out)
{
  *out = *own;
  out->part = part;
  for (int j = 0; j < 4; j++) out->node[j] = at_node(own->node[j], o);
  for (int j = 0; j < 2; j++) out->shown[j] = at_node(own->shown[j], o);
  for (int j = 0; j < 2; j++)
    if (own->of[j] >= 0) out->of[j] += o->element;
  if (own->against > 0) out->against += o->element;
  if (own->control.holding > 0) out->control.hold += o->read;
  if (own->source < 0) return 0;
  out->source = shifted(l, k->g, out->source, NS_BANK_LAMBDA, k->nprobes, o->read);
  out->source = shifted(l, k->g, out->source, NS_BANK_FOREIGN, k->foreign.n, o->foreign);
  out->source = shifted(l, k->g, out->source, NS_BANK_Z, k->ninputs, o->input);
  return out->source < 0 ? -1 : 0;
}

/* Behind what the netlists before it have. */
static offsets offsets_of(const netlist *const *of, int part)
{
  offsets o = {0};
  for (int p = 0; p < part; p++) {
    const ns_netlist *k = &of[p]->k;
    o.element += k->n;
    o.node += k->nnodes ? k->nnodes - 1 : 0;
    o.read += k->nprobes;
    o.foreign += k->foreign.n;
    o.input += k->ninputs;
  }
  return o;
}

static int part_of(const netlist *const *of, const ns_netlist *k)
{
  int p = 0;
  while (&of[p]->k != k) p++;
  return p;
}

typedef struct joined {
  ns_circuit_element *element;
  ns_circuit_read *read;
  ns_foreign_variable *foreign;
  const char **node, **input, **input_unit;
  int *node_part;
  double *input0;
  ns_circuit_part *part;
} joined;

static int joined_memory(ns_load *l, const offsets *all, int parts, joined *c)
{
  const ns_array kept[] = {{&c->node, (size_t)all->node, sizeof *c->node},
                           {&c->input, (size_t)all->input, sizeof *c->input}};
  const ns_array want[] = {{&c->element, (size_t)all->element, sizeof *c->element},
                           {&c->read, (size_t)all->read, sizeof *c->read},
                           {&c->foreign, (size_t)all->foreign, sizeof *c->foreign},
                           {&c->node_part, (size_t)all->node, sizeof *c->node_part},
                           {&c->input0, (size_t)all->input, sizeof *c->input0},
                           {&c->input_unit, (size_t)all->input, sizeof *c->input_unit},
                           {&c->part, (size_t)parts, sizeof *c->part}};
  return ns_arena_arrays(l->m->arena, kept, sizeof kept / sizeof *kept) ||
                 ns_arena_arrays(l->scratch, want, sizeof want / sizeof *want)
             ? -1
             : 0;
}

static int join_part(ns_load *l, const netlist *const *of, int part, joined *c)
{
  const ns_netlist *k = &of[part]->k;
  const offsets o = offsets_of(of, part);
  for (int e = 0; e < k->n; e++)
    if (add_element(l, k, &k->element[e], &o, part, &c->element[o.element + e])) return -1;
  for (int j = 0; j < k->nprobes; j++) {
    const offsets in = offsets_of(of, part_of(of, k->probe[j].in));
    ns_circuit_read *r = &c->read[o.read + j];
    *r = k->read[j];
    if (r->element >= 0) r->element += in.element;
    for (int i = 0; i < 2; i++) r->node[i] = at_node(r->node[i], &in);
  }
  if (k->foreign.n)
    memcpy(c->foreign + o.foreign, k->foreign.of, (size_t)k->foreign.n * sizeof *c->foreign);
  c->node[0] = "0";
  for (int i = 1; i < k->nnodes; i++)
    c->node[o.node + i] = k->node[i], c->node_part[o.node + i] = part;
  for (int i = 0; i < k->ninputs; i++)
    c->input[o.input + i] = k->input[i], c->input0[o.input + i] = k->input0[i];
  if (k->input_unit)
    memcpy(c->input_unit + o.input, k->input_unit, (size_t)k->ninputs * sizeof *k->input_unit);
  const ns_elem *e = of[part]->e;
  c->part[part] = (ns_circuit_part){
      .at = {.file = e->file, .element = e->def->name, .id = of[part]->id, .line = e->line},
      .ninputs = k->ninputs};
  return 0;
}

static int assemble(ns_load *l, const netlist *const *of, int parts, double t0)
{
  const offsets all = offsets_of(of, parts);
  joined j = {0};
  int rc = joined_memory(l, &all, parts, &j);
  for (int p = 0; p < parts && !rc; p++) rc = join_part(l, of, p, &j);
  if (rc) return ns_nomem(&l->msg.c, "netlist");
  const ns_circuit c = {.at = j.part[0].at,
                        .part = j.part,
                        .nparts = parts,
                        .node_part = j.node_part,
                        .nnodes = all.node + 1,
                        .node = j.node,
                        .n = all.element,
                        .element = j.element,
                        .foreign = j.foreign,
                        .nforeign = all.foreign,
                        .read = j.read,
                        .nreads = all.read,
                        .input = j.input,
                        .input_unit = j.input_unit,
                        .input0 = j.input0,
                        .ninputs = all.input};
  int system = l->m->nsystems, interaction = l->m->ninteractions;
  rc = ns_circuit_assemble(l->m, &l->msg.c, of[0]->k.g, &c, of[0]->devices, t0);
  for (int p = 0; p < parts && !rc; p++) {
    rc = ns_load_id_add(l, of[p]->e, of[p]->id, 1, system + p);
    if (!rc && l->m->ninteractions > interaction)
      rc = ns_load_id_add(l, of[p]->e, of[p]->devices, 0, interaction);
  }
  return rc;
}

/* ---- all netlists ---------------------------------------------------------------------------- */

/* Lines and elements; NS_MODEL: reported. */
static int read_one(ns_load *l, netlist *n)
{
  int rc = get_inputs(l, n->e, &n->k);
  if (!rc) rc = ns_netlist_read(&n->k, n->text, n->line);
  return !rc && n->k.bad ? NS_MODEL : rc;
}

static int link_one(ns_load *l, netlist *n)
{
  int rc = ns_netlist_link(&n->k);
  if (!rc && !n->k.bad) rc = tie_floating(l, n->e, &n->k);
  return !rc && n->k.bad ? NS_MODEL : rc;
}

/* The netlists that are solved with n[first]: it is the first of them. */
static int load(ns_load *l, netlist *n, int many, int first, double t0)
{
  int parts = 0, bad = NS_OK;
  size_t members = 0;
  ns_mark mark = ns_arena_mark(l->scratch);
  for (int i = first; i < many; i++) members += n[i].with == first;
  const netlist **of = ns_arena_zero(l->scratch, members, sizeof *of);
  const ns_netlist **mates = ns_arena_zero(l->scratch, members, sizeof *mates);
  ns_arena *a = ns_arena_create(0, 1);
  ns_graph *g = a ? ns_graph_create(a) : NULL;
  if (!of || !mates || !g) bad = ns_nomem(&l->msg.c, "netlist");
  for (int i = first; i < many && bad != NS_NOMEM; i++) {
    if (n[i].with != first) continue;
    mates[parts] = &n[i].k;
    of[parts++] = &n[i];
  }
  for (int pass = 0; pass < 2 && bad != NS_NOMEM; pass++)
    for (int i = first; i < many && bad != NS_NOMEM; i++) {
      if (n[i].with != first) continue;
      n[i].k.g = g;
      n[i].k.mates = mates;
      n[i].k.nmates = parts;
      int rc = n[i].bad ? NS_MODEL : pass ? link_one(l, &n[i]) : read_one(l, &n[i]);
      if (rc) bad = rc;
      n[i].bad |= rc != NS_OK;
    }
  /* sources may be NaN for a parameter that has been reported */
  if (!bad) bad = l->nan_said ? NS_MODEL : assemble(l, of, parts, t0);
  for (int i = first; i < many; i++)
    if (n[i].with == first) ns_netlist_fini(&n[i].k);
  ns_arena_destroy(a);
  ns_arena_release(l->scratch, mark);
  if (bad) l->ids_unknown = 1;
  return bad == NS_NOMEM ? bad : NS_OK;
}

int ns_load_netlists(ns_load *l, ns_elem *const *e, int many, const ns_elem *simulation)
{
  double t0 = l->m->sim.t0;
  if (simulation && ns_load_attribute(l, simulation, "t0", NULL, &t0) == NS_NOMEM) return NS_NOMEM;
  ns_mark mark = ns_arena_mark(l->scratch);
  netlist *n = ns_arena_zero(l->scratch, (size_t)many, sizeof *n);
  int rc = n ? NS_OK : ns_nomem(&l->msg.c, "netlist");
  for (int i = 0; i < many && !rc; i++) {
    n[i].e = e[i];
    n[i].k = (ns_netlist){.l = l, .a = l->m->arena, .here = *e[i]};
    rc = get_text(l, e[i], &n[i].k, &n[i].text, &n[i].line);
    if (!rc) rc = make_ids(l, e[i], &n[i].id, &n[i].devices);
    n[i].k.id = n[i].id ? n[i].id : "";
    n[i].bad = rc != NS_OK;
    rc = rc == NS_NOMEM ? rc : NS_OK;
  }
  if (!rc && group(n, many)) rc = ns_nomem(&l->msg.c, "netlist");
  for (int i = 0; i < many && !rc; i++)
    if (n[i].with == i) rc = load(l, n, many, i, t0);
  ns_arena_release(l->scratch, mark);
  return rc;
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
  const char *owner = l->m->systems[o->system].at.id;
  char *id = ns_arena_format(l->m->arena, "%s.%s", owner, *o->id);
  if (!id) return ns_nomem(&l->msg.c, "netlists");
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
