/* SPDX-License-Identifier: GPL-3.0-or-later */
/* netlist_probe.c -- v(a,b) and i(R1) in formulas of a netlist.
 *
 * Lines put them down as the names v.a.b and i.R1, with the nodes and elements that they mean
 * outside of subcircuits; formulas read them as variables of NS_BANK_LAMBDA, in the order of
 * k->probe. Those of a netlist that is solved with this one begin with its id. */
#include "io/load/netlist.h"

#include "base/grow.h"
#include "base/text.h"

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

/* The probe that is called so, put down where it is the first. */
static int probe_named(ns_netlist *k, const char *who, const char *text, ns_netlist_probe p)
{
  int at = NS_NAMED_INDEX(ns_netlist_probe, name, k->probe, k->nprobes, text);
  if (at >= 0) return at;
  p.name = ns_arena_text(k->a, text);
  p.of[0] = ns_arena_text(k->a, p.of[0]);
  if (p.of[1] && !(p.of[1] = ns_arena_text(k->a, p.of[1]))) p.of[0] = NULL;
  p.who = ns_arena_text(k->a, who);
  p.line = k->here.line;
  at = p.name && p.of[0] && p.who ? ns_append(&k->probe, &k->nprobes, &p) : -1;
  if (at < 0) ns_nomem(&k->l->msg.c, "netlist");
  return at;
}

int ns_netlist_probe_add(ns_netlist *k, const char *who, int i, const char *a, const char *b)
{
  char text[2 * NS_NETLIST_NAME + 8];
  snprintf(text, sizeof text, "%c.%.64s%s%.64s", i ? 'i' : 'v', a, b ? "." : "", b ? b : "");
  return probe_named(
      k, who, text,
      (ns_netlist_probe){.kind = i ? NS_PROBE_CURRENT : NS_PROBE_NODES, .of = {a, b}, .in = k});
}

/* v.a, v.a.b, i.R1; node_a.v, R1.v, R1.i; v_C1, i_L1: what the name means, cut into words in place.
 * 0: nothing of a circuit. */
static int meant(char *s, ns_netlist_probe *p)
{
  char *dot = strchr(s, '.');
  int is_probe = dot == s + 1 && (*s == 'v' || *s == 'i'), is_state = !dot && s[0] && s[1] == '_';
  if (is_probe || (is_state && (*s == 'v' || *s == 'i'))) {
    p->kind = *s == 'i' ? NS_PROBE_CURRENT : is_state ? NS_PROBE_ELEMENT : NS_PROBE_NODES;
    p->of[0] = s + 2;
    char *b = strchr(s + 2, '.');
    if (b) *b++ = 0;
    p->of[1] = b;
    return s[2] && !(b && strchr(b, '.'));
  }
  if (!dot || (strcmp(dot, ".v") != 0 && strcmp(dot, ".i") != 0)) return 0;
  int node = !strncmp(s, "node_", 5) && dot[1] == 'v';
  *dot = 0;
  p->kind = node ? NS_PROBE_NODES : dot[1] == 'i' ? NS_PROBE_CURRENT : NS_PROBE_ELEMENT;
  p->of[0] = node ? s + 5 : s;
  return 1;
}

/* The netlist that a name begins with, and what is behind its id; NULL: none that this one is
 * solved with. */
static const ns_netlist *mate(const ns_netlist *k, char *text, char **rest)
{
  char *dot = strchr(text, '.');
  if (!dot) return NULL;
  for (int j = 0; j < k->nmates; j++) {
    const char *id = k->mates[j]->id;
    if (strlen(id) != (size_t)(dot - text) || strncmp(id, text, strlen(id)) != 0) continue;
    *rest = dot + 1;
    return k->mates[j];
  }
  return NULL;
}

/* The name at s as a probe; -1: out of memory, -2: it is none. */
static int add_name(ns_netlist *k, const char *who, const char *s, size_t n)
{
  char text[NS_ID_MAX + 3 * NS_NETLIST_NAME], words[sizeof text], *rest = words;
  ns_netlist_probe p = {.in = k};
  if (n >= sizeof text) return -2;
  memcpy(text, s, n);
  text[n] = 0;
  memcpy(words, text, n + 1);
  int own = n > 2 && (*s == 'v' || *s == 'i') && s[1] == '.';
  if (!own && !(p.in = mate(k, words, &rest))) return -2;
  if (meant(rest, &p)) return probe_named(k, who, text, p);
  if (own) return -2;
  const char *id = p.in->id;
  ns_netlist_fail(k,
                  "%.64s: \"%.80s\" is not a voltage or current of netlist %.60s, expected "
                  "%.60s.v(a), %.60s.v(a,b), %.60s.i(R1), or %.60s.node_a.v, %.60s.R1.i",
                  who, text, id, id, id, id, id, id);
  return -1;
}

int ns_netlist_probes(ns_netlist *k, const char *who, const char *text, size_t n,
                      ns_coordinate *name)
{
  int found = 0;
  for (size_t i = 0; i < n;) {
    size_t w = 0;
    while (i + w < n && (is_word(text[i + w]) || text[i + w] == '.')) w++;
    int named = w > 2 && memchr(text + i, '.', w) && !isdigit((unsigned char)text[i]);
    int j = named ? add_name(k, who, text + i, w) : -2, known = 0;
    i += w ? w : 1;
    if (j == -2) continue;
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
  qsort(name, (size_t)found, sizeof *name, ns_coordinate_order);
  return found;
}
