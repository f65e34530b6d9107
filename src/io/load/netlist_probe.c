/* SPDX-License-Identifier: GPL-3.0-or-later */
/* netlist_probe.c -- v(a,b) and i(R1) in formulas of a netlist.
 *
 * Lines put them down as the names v.a.b and i.R1, with the nodes and elements that they mean
 * outside of subcircuits; formulas read them as variables of NS_BANK_LAMBDA, in the order of
 * k->probe. */
#include "io/load/netlist.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

size_t ns_netlist_probe_at(const char *s)
{
  int letter = tolower((unsigned char)*s), commas = 0;
  size_t n = 1 + strspn(s + 1, " \t");
  if ((letter != 'v' && letter != 'i') || s[n] != '(') return 0;
  for (n++; s[n] && s[n] != ')'; n++) {
    commas += s[n] == ',';
    if (!is_word(s[n]) && !strchr(" \t,{}+-*", s[n])) return 0;
  }
  return s[n] && commas <= (letter == 'v') ? n + 1 : 0;
}

static int grow(ns_netlist *k)
{
  int cap = k->cap_probes ? 2 * k->cap_probes : 16;
  ns_netlist_probe *p = realloc(k->probe, (size_t)cap * sizeof *p);
  if (!p) return -1;
  k->probe = p;
  k->cap_probes = cap;
  return 0;
}

int ns_netlist_probe_add(ns_netlist *k, const char *who, int i, const char *a, const char *b)
{
  char text[2 * NS_NETLIST_NAME + 8];
  snprintf(text, sizeof text, "%c.%.64s%s%.64s", i ? 'i' : 'v', a, b ? "." : "", b ? b : "");
  for (int j = 0; j < k->nprobes; j++)
    if (!strcmp(k->probe[j].name, text)) return j;
  if (k->nprobes == k->cap_probes && grow(k)) return ns_nomem(&k->l->msg.c, "netlist"), -1;
  ns_netlist_probe *p = &k->probe[k->nprobes];
  *p = (ns_netlist_probe){.name = ns_arena_text(k->a, text),
                          .of = {ns_arena_text(k->a, a), NULL},
                          .who = ns_arena_text(k->a, who),
                          .line = k->here.line};
  if (b) p->of[1] = ns_arena_text(k->a, b);
  if (!p->name || !p->of[0] || !p->who || (b && !p->of[1]))
    return ns_nomem(&k->l->msg.c, "netlist"), -1;
  return k->nprobes++;
}

/* The name at s as a probe; -1: out of memory. */
static int add_name(ns_netlist *k, const char *who, const char *s, size_t n)
{
  char text[3 * NS_NETLIST_NAME];
  if (n >= sizeof text) return -1;
  memcpy(text, s, n);
  text[n] = 0;
  char *b = strchr(text + 2, '.');
  if (b) *b++ = 0;
  return ns_netlist_probe_add(k, who, *text == 'i', text + 2, b);
}

static int by_name(const void *a, const void *b)
{
  return strcmp(((const ns_coordinate *)a)->name, ((const ns_coordinate *)b)->name);
}

int ns_netlist_probes(ns_netlist *k, const char *who, const char *text, size_t n,
                      ns_coordinate *name)
{
  int found = 0;
  for (size_t i = 0; i < n;) {
    size_t w = 0;
    while (i + w < n && (is_word(text[i + w]) || text[i + w] == '.')) w++;
    int is_probe = w > 2 && (text[i] == 'v' || text[i] == 'i') && text[i + 1] == '.';
    int j = is_probe ? add_name(k, who, text + i, w) : 0, known = 0;
    i += w ? w : 1;
    if (!is_probe) continue;
    if (j < 0) return -1;
    for (int f = 0; f < found; f++) known |= name[f].k == j;
    if (known) continue;
    if (found == NS_NETLIST_PROBES) {
      ns_netlist_fail(k,
                      "%.64s: the formula reads more than %d voltages and currents, expected fewer",
                      who, NS_NETLIST_PROBES);
      return -1;
    }
    name[found++] = (ns_coordinate){
        .name = k->probe[j].name, .bank = NS_BANK_LAMBDA, .k = j, .v = -1};
  }
  qsort(name, (size_t)found, sizeof *name, by_name);
  return found;
}
