/* SPDX-License-Identifier: GPL-3.0-or-later */
/* netlist_element.c -- one line of a netlist: name, nodes, value, options. */
#include "io/load/netlist.h"

#include "base/grow.h"
#include "base/suggest.h"
#include "expression/quote.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(item) ((item)->lost = 1)
#include <uthash.h>

typedef struct ns_netlist_name {
  const char *text;
  int k, line, lost;
  const char *of[2]; /* of an element: those that it names */
  UT_hash_handle hh;
} name;

static int nomem(ns_netlist *k) { return ns_nomem(&k->l->msg.c, "netlist"); }

static name *find(name *table, const char *s)
{
  name *x = NULL;
  HASH_FIND_STR(table, s, x);
  return x;
}

static name *add(ns_netlist *k, name **table, const char *s, int number)
{
  name *x = ns_arena_zero(k->a, 1, sizeof *x), *t = *table;
  if (!x || !(x->text = ns_arena_text(k->a, s))) return NULL;
  x->k = number;
  x->line = k->here.line;
  HASH_ADD_KEYPTR(hh, t, x->text, strlen(x->text), x);
  *table = t;
  return x->lost ? NULL : x;
}

void ns_netlist_fini(ns_netlist *k)
{
  HASH_CLEAR(hh, k->nodes);
  HASH_CLEAR(hh, k->names);
  NS_FREE(k->element, k->node, k->initial, k->probe, k->read);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* The next word to buf; 0: there is none. -1: it is too long or holds other characters (reported).
 */
static int next_word(ns_netlist *k, const char **s, char *buf, const char *what)
{
  const char *p = *s;
  while (isspace((unsigned char)*p)) p++;
  size_t n = strcspn(p, " \t\r\n");
  *s = p + n;
  if (n == 0) return 0;
  int good = n <= NS_NETLIST_NAME;
  for (size_t i = 0; i < n && good; i++)
    good = (unsigned char)p[i] < 128 && (isalnum((unsigned char)p[i]) || p[i] == '_');
  if (good) {
    memcpy(buf, p, n);
    buf[n] = 0;
    return 1;
  }
  ns_netlist_fail(k, "\"%s\" is not a name of %s, expected at most %d letters, digits and _",
                  ns_quote(p, n, 0).text, what, NS_NETLIST_NAME);
  return -1;
}

/* Number of a node; -1: reported or out of memory. */
static int node_number(ns_netlist *k, const char *s)
{
  const name *x = find(k->nodes, s);
  if (x) return x->k;
  if (ns_grow(&k->node, k->nnodes)) return nomem(k), -1;
  if (!(x = add(k, &k->nodes, s, k->nnodes))) return nomem(k), -1;
  k->node[k->nnodes] = x->text;
  return k->nnodes++;
}

static int unknown_kind(ns_netlist *k, const char *s)
{
  char letters[2 * NS_CIRCUIT_KINDS + 1];
  const char *remedy = "";
  for (int i = 0; i < NS_CIRCUIT_KINDS; i++)
    letters[2 * i] = ns_circuit_forms[i].letter, letters[2 * i + 1] = ' ';
  letters[2 * NS_CIRCUIT_KINDS - 1] = 0;
  switch (toupper((unsigned char)*s)) {
  case 'J': remedy = "; M is a transistor used as a switch"; break;
  case 'W': remedy = "; S is the switch, for currents too: S1 a b i(V1) on=2 off=1"; break;
  default: break;
  }
  return ns_netlist_fail(k, "%.64s: no element begins with %c, expected one of %s%s", s, *s,
                         letters, remedy);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* AC 1 */
static int is_foreign(ns_netlist *k, const char *who, const char *text, size_t n)
{
  static const char *const foreign[] = {"AC", "SFFM", "AM"};
  size_t w = 0;
  while (w < n && isalpha((unsigned char)text[w])) w++;
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
    if (strlen(foreign[i]) != w || strncmp(text, foreign[i], w)) continue;
    ns_netlist_fail(k,
                    "%.64s: %s is not allowed in an expression, expected a formula of t, DC, "
                    "SIN(...), PULSE(...), EXP(...) or PWL(...)",
                    who, foreign[i]);
    return 1;
  }
  return 0;
}

int ns_netlist_formula(ns_netlist *k, const char *who, const char *text, size_t n, unsigned banks,
                       ns_node *f)
{
  unsigned inputs = banks && k->ninputs ? 1u << NS_BANK_Z : 0;
  ns_load_scope s = {.n = 1,
                     .first_order = 1,
                     .uses = banks | inputs,
                     .suffixes = 1,
                     .foreign = banks ? &k->foreign : NULL};
  const ns_where at = {.e = &k->here};
  ns_coordinate known[NS_NETLIST_PROBES + NS_NETLIST_INPUTS];
  if (is_foreign(k, who, text, n)) return NS_MODEL;
  s.nsorted = ns_netlist_probes(k, who, text, n, known);
  if (s.nsorted < 0) return ns_load_failed(k->l);
  for (int j = 0; j < k->ninputs; j++)
    known[s.nsorted++] = (ns_coordinate){.name = k->input[j], .bank = NS_BANK_Z, .k = j, .v = -1};
  if (k->ninputs) qsort(known, (size_t)s.nsorted, sizeof *known, ns_coordinate_order);
  s.sorted = known;
  int rc = ns_load_formula(k->l, k->g, &s, &at, text, n, f);
  if (rc) k->bad = 1;
  if (rc || !*s.refused) return rc;
  return ns_netlist_fail(k, "%.64s: \"%s\" depends on %s, expected %s", who,
                         ns_quote(text, n, 0).text, s.refused,
                         banks ? "a formula of t, inputs, parameters and other systems"
                               : "a constant: numbers and parameters");
}

int ns_netlist_number(ns_netlist *k, const char *who, const char *text, size_t n, double *x)
{
  ns_node f;
  int rc = ns_netlist_formula(k, who, text, n, 0, &f);
  if (rc) return rc;
  if (!ns_graph_is_constant(k->g, f, x)) *x = NAN;
  if (isfinite(*x)) return NS_OK;
  if (isnan(*x) && k->l->nan_said) {
    k->bad = 1;
    return NS_MODEL;
  }
  return ns_netlist_fail(k, "%.64s: %.*s is %g, expected a finite number", who,
                         (int)(n < 80 ? n : 80), text, *x);
}

static size_t trimmed(const char *s, const char *end)
{
  while (end > s && isspace((unsigned char)end[-1])) end--;
  return (size_t)(end - s);
}

enum {
  TRANSISTORS = 1 << NS_CIRCUIT_M | 1 << NS_CIRCUIT_Q,
  DEVICES = 1 << NS_CIRCUIT_D | 1 << NS_CIRCUIT_Z | 1 << NS_CIRCUIT_S | TRANSISTORS
};

/* What stands behind the value, as ic=10. */
static const struct option {
  const char *key;
  unsigned kinds; /* bits of the elements that have it */
  size_t at;      /* in ns_circuit_element */
  double above;   /* values are finite and above it, or are it where it is `min` */
  int min;
  const char *expected;
} option_list[] = {
    {"ic", 1 << NS_CIRCUIT_C | 1 << NS_CIRCUIT_L, offsetof(ns_circuit_element, ic), -INFINITY, 0,
     ""},
    {"ic", 1 << NS_CIRCUIT_S, offsetof(ns_circuit_element, ic), 0, 1, "0, open, or 1, closed"},
    {"on", 1 << NS_CIRCUIT_S, offsetof(ns_circuit_element, control.above), -INFINITY, 0, ""},
    {"off", 1 << NS_CIRCUIT_S, offsetof(ns_circuit_element, control.below), -INFINITY, 0, ""},
    {"ih", 1 << NS_CIRCUIT_P, offsetof(ns_circuit_element, control.holding), 0, 0,
     "more than 0 A, the current below which it turns off"},
    {"triac", 1 << NS_CIRCUIT_P, offsetof(ns_circuit_element, forward), 0, 1, "0 or 1"},
    {"vf", 1 << NS_CIRCUIT_P, offsetof(ns_circuit_element, value), 0, 1, "0 V or more"},
    {"ron", 1 << NS_CIRCUIT_P, offsetof(ns_circuit_element, on), 0, 1, "0 ohm or more"},
    {"hyst", 1 << NS_CIRCUIT_O, offsetof(ns_circuit_element, on), 0, 0,
     "more than 0 V; omit it if there is no hysteresis"},
    {"vf", 1 << NS_CIRCUIT_D, offsetof(ns_circuit_element, value), 0, 1, "0 V or more"},
    {"vf", 1 << NS_CIRCUIT_Z | TRANSISTORS, offsetof(ns_circuit_element, forward), 0, 1,
     "0 V or more"},
    {"ron", DEVICES, offsetof(ns_circuit_element, on), 0, 1, "0 ohm or more"},
    {"roff", DEVICES | 1 << NS_CIRCUIT_P, offsetof(ns_circuit_element, leak), 0, 0,
     "more than 0 ohm; omit it if there is no leakage"},
    {"lo", 1 << NS_CIRCUIT_O, offsetof(ns_circuit_element, low), -INFINITY, 0, ""},
    {"hi", 1 << NS_CIRCUIT_O, offsetof(ns_circuit_element, high), -INFINITY, 0, ""},
    {"gain", 1 << NS_CIRCUIT_O, offsetof(ns_circuit_element, value), 0, 0,
     "more than 0; omit it if there is no bound"},
};
enum { OPTIONS = sizeof option_list / sizeof *option_list };

static const struct option *option_named(ns_circuit_kind kind, const char *key, size_t n)
{
  for (const struct option *o = option_list; o < option_list + OPTIONS; o++)
    if ((o->kinds >> kind & 1u) && strlen(o->key) == n && !strncasecmp(o->key, key, n)) return o;
  return NULL;
}

/* "ic=, vf=" of an element, or "none"; buf [100]. */
static const char *options_of(ns_circuit_kind kind, char *buf)
{
  size_t at = 0;
  for (const struct option *o = option_list; o < option_list + OPTIONS; o++)
    if (o->kinds >> kind & 1u)
      at += (size_t)snprintf(buf + at, 100 - at, "%s%s=", at ? ", " : "", o->key);
  return at ? buf : "none";
}

/* One option with its value text[0..n). */
static int option(ns_netlist *k, ns_circuit_element *e, const struct option *o, const char *text,
                  size_t n)
{
  double x, *to = (double *)(void *)((char *)e + o->at);
  int rc = ns_netlist_number(k, e->name, text, n, &x);
  if (rc) return rc;
  if (x < o->above || (x == o->above && !o->min))
    return ns_netlist_fail(k, "%.64s: %s is %.10g, expected %s", e->name, o->key, x, o->expected);
  *to = to == &e->leak ? 1 / x : x;
  e->has_ic |= to == &e->ic;
  e->control.keeps |= to == &e->control.above || to == &e->control.below;
  if (e->kind == NS_CIRCUIT_S && to == &e->ic && x != 0 && x != 1)
    return ns_netlist_fail(k, "%.64s: ic is %.10g, expected %s", e->name, x, o->expected);
  return NS_OK;
}

static int options(ns_netlist *k, ns_circuit_element *e, const char *at)
{
  char list[100];
  ns_netlist_pair p;
  while (ns_netlist_next_pair(&at, &p)) {
    const struct option *o = option_named(e->kind, p.key, p.n);
    if (!o)
      return ns_netlist_fail(k, "%.64s: unknown option %.*s=, expected %s", e->name,
                             (int)(p.n < 40 ? p.n : 40), p.key, options_of(e->kind, list));
    if (p.length == 0)
      return ns_netlist_fail(k, "%.64s: %s= has no value, expected a number", e->name, o->key);
    int rc = option(k, e, o, p.value, p.length);
    if (rc) return rc;
  }
  return NS_OK;
}

static int check_value(ns_netlist *k, const ns_circuit_element *e)
{
  static const struct {
    const char *what, *expected;
  } positive[NS_CIRCUIT_KINDS] = {
      [NS_CIRCUIT_R] = {"resistance", "a positive one; for a wire give both nodes the same name"},
      [NS_CIRCUIT_C] = {"capacitance", "a positive one"},
      [NS_CIRCUIT_L] = {"inductance", "a positive one"},
      [NS_CIRCUIT_Z] = {"Zener voltage", "a positive one"}};
  if (positive[e->kind].what && !(e->value > 0))
    return ns_netlist_fail(k, "%.64s: the %s is %.10g, expected %s", e->name,
                           positive[e->kind].what, e->value, positive[e->kind].expected);
  if (e->kind == NS_CIRCUIT_O && !(e->low < e->high))
    return ns_netlist_fail(k,
                           "%.64s: lo is %.10g V and hi %.10g V, expected lo below hi; swap them",
                           e->name, e->low, e->high);
  if (e->kind == NS_CIRCUIT_T && e->value == 0)
    return ns_netlist_fail(k, "%.64s: the ratio is 0, expected another number", e->name);
  if (e->kind == NS_CIRCUIT_K && !(fabs(e->value) <= 1))
    return ns_netlist_fail(k, "%.64s: the coupling is %.10g, expected a number from -1 to 1",
                           e->name, e->value);
  return NS_OK;
}

/* A plain number with the unit of something else, 10Ohm of a capacitor. */
static int check_unit(ns_netlist *k, const ns_circuit_element *e, const char *text, size_t n)
{
  static const char *const own[NS_CIRCUIT_KINDS] = {
      [NS_CIRCUIT_R] = "ohm", [NS_CIRCUIT_C] = "F", [NS_CIRCUIT_L] = "H",
      [NS_CIRCUIT_V] = "V",   [NS_CIRCUIT_I] = "A", [NS_CIRCUIT_Z] = "V",
      [NS_CIRCUIT_G] = "S",   [NS_CIRCUIT_Y] = "S", [NS_CIRCUIT_H] = "ohm"};
  /* long ones first */
  static const char *const unit[] = {"Ohms", "ohms", "Ohm", "ohm", "Hz", "F",
                                     "H",    "V",    "A",   "s",   "S",  "W"};
  size_t word = 0, i = 0;
  while (word < n && (isalnum((unsigned char)text[word]) || text[word] == '.')) word++;
  if (word < n || !own[e->kind] || !isdigit((unsigned char)*text)) return NS_OK;
  while (i < sizeof unit / sizeof *unit &&
         (n <= strlen(unit[i]) || memcmp(text + n - strlen(unit[i]), unit[i], strlen(unit[i]))))
    i++;
  if (i == sizeof unit / sizeof *unit) return NS_OK;
  int same = !strcmp(own[e->kind], "ohm") ? !strncasecmp(unit[i], "ohm", 3)
                                          : !strcmp(unit[i], own[e->kind]);
  return same ? NS_OK
              : ns_netlist_fail(k, "%.64s: %.*s has the unit %s, expected %s", e->name, (int)n,
                                text, unit[i], own[e->kind]);
}

enum { OF_CIRCUIT = 1u << NS_BANK_T | 1u << NS_BANK_LAMBDA };

/* B1 a b v=...: a source of that kind. */
static int read_behaviour(ns_netlist *k, ns_circuit_element *e, const char *text)
{
  const ns_circuit_form *form = &ns_circuit_forms[NS_CIRCUIT_B];
  const char *p = text + strspn(text, " \t");
  int letter = tolower((unsigned char)*p), voltage = letter == 'v';
  const char *eq = *p ? p + 1 + strspn(p + 1, " \t") : p;
  if ((!voltage && letter != 'i') || *eq != '=')
    return ns_netlist_fail(
        k, "%.64s: \"%.60s\" begins with neither v= nor i=, expected `%s`, such as `%s`", e->name,
        p, form->usage, form->example);
  eq += 1 + strspn(eq + 1, " \t");
  size_t n = trimmed(eq, eq + strlen(eq));
  e->kind = voltage ? NS_CIRCUIT_V : NS_CIRCUIT_I;
  if (n == 0)
    return ns_netlist_fail(k, "%.64s: the formula is missing, expected `%s`", e->name, form->usage);
  return ns_netlist_formula(k, e->name, eq, n, OF_CIRCUIT, &e->source);
}

/* Thresholds of a switch: one stands for both; none is a condition, or 0. */
static int check_thresholds(ns_netlist *k, ns_circuit_element *e)
{
  ns_circuit_control *c = &e->control;
  if (isnan(c->above)) c->above = isnan(c->below) ? 0 : c->below;
  if (isnan(c->below)) c->below = c->above;
  if (c->below <= c->above) return NS_OK;
  return ns_netlist_fail(k,
                         "%.64s: on is %.10g and off %.10g, expected off at most on: it closes "
                         "above on and opens below off; change the sign of the formula",
                         e->name, c->above, c->below);
}

/* The voltage of node a over b as a formula; < 0: out of memory. */
static ns_node voltage(ns_netlist *k, const char *who, int a, int b)
{
  int j = ns_netlist_probe_add(k, who, 0, k->node[a], k->node[b]);
  return j < 0 ? -1 : ns_graph_variable(k->g, NS_BANK_LAMBDA, j);
}

/* Closed where the gate is above its threshold: below it where that is negative, from source to
 * drain. */
static int make_transistor(ns_netlist *k, ns_circuit_element *e)
{
  int gate = e->node[1], source = e->node[2], turned = e->value < 0;
  e->node[1] = turned ? e->node[0] : source;
  e->node[0] = turned ? source : e->node[0];
  e->node[2] = gate;
  e->source = turned ? voltage(k, e->name, source, gate) : voltage(k, e->name, gate, source);
  e->control.above = e->control.below = fabs(e->value);
  return e->source < 0 ? nomem(k) : NS_OK;
}

/* A comparator with hysteresis is a source of two values. */
static int make_comparator(ns_netlist *k, ns_circuit_element *e)
{
  if (!isfinite(e->low) || !isfinite(e->high) || isfinite(e->value))
    return ns_netlist_fail(
        k,
        "%.64s: hyst= is given %s, expected only lo= and hi= with it: its output is one of the two",
        e->name, isfinite(e->value) ? "with gain=" : "without rails");
  e->kind = NS_CIRCUIT_V;
  e->two = 1;
  e->source = voltage(k, e->name, e->node[2], e->node[3]);
  e->control = (ns_circuit_control){.keeps = 1, .above = e->on / 2, .below = -e->on / 2};
  e->on = 0;
  return e->source < 0 ? nomem(k) : NS_OK;
}

static int read_value(ns_netlist *k, ns_circuit_element *e, const char *text)
{
  if (e->kind == NS_CIRCUIT_B) return read_behaviour(k, e, text);
  const ns_circuit_form *form = &ns_circuit_forms[e->kind];
  const char *after, *option = ns_netlist_option(text, &after);
  text += strspn(text, " \t");
  size_t n = trimmed(text, option ? option : text + strlen(text));
  int control = e->kind == NS_CIRCUIT_S || e->kind == NS_CIRCUIT_P, rc = NS_OK;
  int source = control || e->kind == NS_CIRCUIT_V || e->kind == NS_CIRCUIT_I;
  if (e->kind == NS_CIRCUIT_D || e->kind == NS_CIRCUIT_O) {
    if (n)
      return ns_netlist_fail(k, "%.64s: \"%.*s\" is superfluous, expected `%s`", e->name,
                             (int)(n < 60 ? n : 60), text, form->usage);
  } else if (n == 0)
    return ns_netlist_fail(k, "%.64s: the value is missing, expected `%s`, such as `%s`", e->name,
                           form->usage, form->example);
  else if (!source) rc = ns_netlist_number(k, e->name, text, n, &e->value);
  else if (control || !ns_netlist_source(k, e->name, text, n, &option, &e->source, &rc))
    rc = ns_netlist_formula(k, e->name, text, n, OF_CIRCUIT, &e->source);
  if (!rc) rc = check_unit(k, e, text, n);
  if (!rc && option) rc = options(k, e, option);
  if (!rc) rc = check_value(k, e);
  if (!rc && e->kind == NS_CIRCUIT_S) rc = check_thresholds(k, e);
  if (!rc && ns_circuit_forms[e->kind].nodes == 3) rc = make_transistor(k, e);
  if (!rc && e->kind == NS_CIRCUIT_O && e->on > 0) rc = make_comparator(k, e);
  return rc;
}

/* ---- elements -------------------------------------------------------------------------------- */

/* Whether a call has joined the ends of an element of its subcircuit: it then carries nothing that
 * others can see. Sources of voltage would be shorts, and are told. */
static int is_joined(const ns_netlist *k, const ns_circuit_element *e)
{
  return k->inside && e->node[0] == e->node[1] &&
         strchr("RCDZSMQIGF", ns_circuit_forms[e->kind].letter);
}

static int read_nodes(ns_netlist *k, ns_circuit_element *e, const char **s)
{
  const ns_circuit_form *form = &ns_circuit_forms[e->kind];
  char buf[NS_NETLIST_NAME + 1];
  for (int j = 0; j < form->nodes; j++) {
    int found = next_word(k, s, buf, "a node");
    if (found < 0) return NS_MODEL;
    if (!found)
      return ns_netlist_fail(k, "%.64s has %d node%s, expected %d: `%s`, such as `%s`", e->name, j,
                             j == 1 ? "" : "s", form->nodes, form->usage, form->example);
    if ((e->node[j] = node_number(k, buf)) < 0) return NS_NOMEM;
  }
  for (int j = 0; j + 1 < form->nodes; j += 2)
    if (e->node[j] == e->node[j + 1] && !is_joined(k, e) &&
        (j == 0 || e->kind == NS_CIRCUIT_T || e->kind == NS_CIRCUIT_Y))
      return ns_netlist_fail(k, "%.64s has both ends at node %.64s, expected two nodes", e->name,
                             k->node[e->node[j]]);
  return NS_OK;
}

static int read_others(ns_netlist *k, const ns_circuit_element *e, name *own, const char **s)
{
  const ns_circuit_form *form = &ns_circuit_forms[e->kind];
  char buf[NS_NETLIST_NAME + 1];
  for (int j = 0; j < form->of; j++) {
    int found = next_word(k, s, buf, "an element");
    if (found < 0) return NS_MODEL;
    if (!found)
      return ns_netlist_fail(k, "%.64s names no other element, expected `%s`, such as `%s`",
                             e->name, form->usage, form->example);
    if (!(own->of[j] = ns_arena_text(k->a, buf))) return nomem(k);
  }
  return NS_OK;
}

static int keep(ns_netlist *k, const ns_circuit_element *e)
{
  return ns_append(&k->element, &k->n, e) < 0 ? nomem(k) : NS_OK;
}

/* A part of element e that is not shown: its name is that of e with a mark and a letter. */
static int keep_part(ns_netlist *k, const ns_circuit_element *of, char letter,
                     ns_circuit_element part)
{
  char buf[NS_NETLIST_NAME + 4];
  snprintf(buf, sizeof buf, "%.64s~%c", of->name, letter);
  const name *own = add(k, &k->names, buf, k->n);
  if (!own) return nomem(k);
  part.name = own->text;
  part.hidden = 1;
  return keep(k, &part);
}

int ns_netlist_tie(ns_netlist *k, int node, double ohm)
{
  ns_circuit_element e = {.kind = NS_CIRCUIT_R,
                          .name = k->node[node],
                          .file = k->here.file,
                          .line = k->here.line,
                          .node = {node, 0},
                          .of = {-1, -1},
                          .source = -1,
                          .value = ohm};
  return keep_part(k, &e, 'g', e);
}

static int inner_node(ns_netlist *k, const ns_circuit_element *e, char letter)
{
  char buf[NS_NETLIST_NAME + 4];
  snprintf(buf, sizeof buf, "%.64s~%c", e->name, letter);
  return node_number(k, buf);
}

static int hold_current(ns_netlist *k, ns_circuit_element *e, const char *of)
{
  return (e->control.hold = ns_netlist_probe_add(k, e->name, 1, of, NULL)) < 0 ? NS_NOMEM : NS_OK;
}

/* A thyristor is a switch that its gate closes, and that opens where the gate is low and no current
 * flows, in series with a diode; a triac two of them, against each other. What leaks beside them is
 * no part of that current, which could never end otherwise. */
static int keep_thyristor(ns_netlist *k, const ns_circuit_element *e)
{
  int a = e->node[0], b = e->node[1], triac = e->forward > 0, middle = inner_node(k, e, 'm');
  int other = triac ? inner_node(k, e, 'n') : 0;
  char back[NS_NETLIST_NAME + 4];
  if (middle < 0 || other < 0) return NS_NOMEM;
  ns_circuit_element s = *e, d = *e, r = *e;
  s.leak = d.leak = r.leak = 0;
  r.kind = NS_CIRCUIT_R;
  r.source = -1;
  r.on = r.forward = 0;
  if (e->leak > 0) r.value = 1 / e->leak;
  s.kind = NS_CIRCUIT_S;
  s.value = s.on = s.forward = 0;
  s.shown[0] = a, s.shown[1] = b;
  s.node[1] = middle;
  s.control.keeps = 1;
  d.kind = NS_CIRCUIT_D;
  d.node[0] = middle;
  d.source = -1;
  s.against = triac ? k->n + 2 : 0;
  int rc = hold_current(k, &s, e->name);
  if (!rc) rc = keep(k, &s);
  if (!rc) rc = keep_part(k, e, 'd', d);
  if (!rc && !triac && e->leak > 0) rc = keep_part(k, e, 'r', r);
  if (rc || !triac) return rc;
  snprintf(back, sizeof back, "%.64s~b", e->name);
  rc = hold_current(k, &s, back);
  s.node[0] = b, s.node[1] = other;
  s.shown[0] = s.shown[1] = s.against = 0;
  d.node[0] = other, d.node[1] = a;
  if (!rc) rc = keep_part(k, e, 'b', s);
  if (!rc) rc = keep_part(k, e, 'e', d);
  return rc || !(e->leak > 0) ? rc : keep_part(k, e, 'r', r);
}

/* E1 a b v=...: a controlled source with a formula. */
static int is_formula(ns_circuit_kind kind, const char *s)
{
  static const unsigned controlled = 1u << NS_CIRCUIT_E | 1u << NS_CIRCUIT_F | 1u << NS_CIRCUIT_G |
                                     1u << NS_CIRCUIT_H;
  for (int j = 0; j < 2; j++) {
    s += strspn(s, " \t");
    s += strcspn(s, " \t");
  }
  return (controlled >> kind & 1u) && ns_netlist_formula_begins(s + strspn(s, " \t"));
}

int ns_netlist_element(ns_netlist *k, const char *text)
{
  char buf[NS_NETLIST_NAME + 1];
  ns_circuit_element e = {.kind = NS_CIRCUIT_KINDS,
                          .file = k->here.file,
                          .line = k->here.line,
                          .of = {-1, -1},
                          .source = -1,
                          .low = -INFINITY,
                          .high = INFINITY,
                          .control = {.above = NAN, .below = NAN}};
  if (next_word(k, &text, buf, "an element") <= 0) return NS_MODEL;
  for (int i = 0; i < NS_CIRCUIT_KINDS; i++)
    if (toupper((unsigned char)*buf) == ns_circuit_forms[i].letter) e.kind = (ns_circuit_kind)i;
  if (e.kind == NS_CIRCUIT_KINDS) return unknown_kind(k, buf);
  if (is_formula(e.kind, text)) e.kind = NS_CIRCUIT_B;
  if (e.kind == NS_CIRCUIT_O) e.value = INFINITY;
  if (e.kind == NS_CIRCUIT_P) e.control = (ns_circuit_control){.holding = NS_CIRCUIT_HOLDING};
  if (k->n == NS_NETLIST_MAX)
    return ns_netlist_fail(k, "this is element %d, expected at most %d in all", k->n + 1,
                           (int)NS_NETLIST_MAX);
  if (k->nnodes == 0 && node_number(k, "0") < 0) return NS_NOMEM;
  const name *before = find(k->names, buf);
  if (before)
    return ns_netlist_fail(
        k, "%s is already the name of an element (line %d), expected a new one; rename one%s", buf,
        before->line, before->line == k->here.line ? ": an index in braces" : "");
  e.name = buf;
  int rc = read_nodes(k, &e, &text);
  if (!rc && is_joined(k, &e)) return NS_OK;
  name *own = add(k, &k->names, buf, k->n);
  if (!own) return nomem(k);
  e.name = own->text;
  if (!rc) rc = read_others(k, &e, own, &text);
  if (!rc) rc = read_value(k, &e, text);
  if (!rc && e.kind == NS_CIRCUIT_P) return keep_thyristor(k, &e);
  return rc ? rc : keep(k, &e);
}

/* ---- links ----------------------------------------------------------------------------------- */

static int unknown_element(ns_netlist *k, const char *who, const char *what)
{
  int left = 3000;
  ns_suggest s = ns_suggest_for(what, strlen(what));
  for (const name *x = k->names; x && left-- > 0; x = x->hh.next) ns_suggest_offer(&s, x->text);
  if (s.best)
    return ns_netlist_fail(k, "%.64s: unknown element %.64s, did you mean %.64s?", who, what,
                           s.best);
  return ns_netlist_fail(k, "%.64s: unknown element %.64s, expected one of the netlist", who, what);
}

static int link_one(ns_netlist *k, ns_circuit_element *e, const char *what, int *of)
{
  const name *x = find(k->names, what);
  if (!x) return unknown_element(k, e->name, what);
  const ns_circuit_element *other = &k->element[x->k];
  if (e->kind == NS_CIRCUIT_K && other->kind != NS_CIRCUIT_L)
    return ns_netlist_fail(k, "%.64s couples %.64s, expected an inductor", e->name, what);
  if (other->kind == NS_CIRCUIT_K)
    return ns_netlist_fail(k, "%.64s: %.64s has no current, expected another element", e->name,
                           what);
  if (other == e)
    return ns_netlist_fail(k, "%.64s names itself, expected another element", e->name);
  *of = x->k;
  return NS_OK;
}

/* " of netlist c", where that is another one; buf [NS_ID_MAX + 20]. */
static const char *of_netlist(const ns_netlist *k, const ns_netlist *in, char *buf)
{
  snprintf(buf, NS_ID_MAX + 20, " of netlist %s", in->id);
  return in == k ? "" : buf;
}

static int unknown_node(ns_netlist *k, const ns_netlist_probe *p, const char *what)
{
  char of[NS_ID_MAX + 20];
  ns_suggest s = ns_suggest_for(what, strlen(what));
  for (int i = 0; i < p->in->nnodes && i < 3000; i++) ns_suggest_offer(&s, p->in->node[i]);
  return ns_netlist_fail(k,
                         "%.64s: the formula reads the voltage of node %.64s%s, to which no "
                         "element is connected, %s%.64s%s",
                         p->who, what, of_netlist(k, p->in, of),
                         s.best ? "did you mean " : "expected one of the netlist",
                         s.best ? s.best : "", s.best ? "?" : "");
}

/* The element that a probe names; NULL: reported. */
static const ns_circuit_element *probed(ns_netlist *k, const ns_netlist_probe *p, int *number)
{
  const name *x = find(p->in->names, p->of[0]);
  char of[NS_ID_MAX + 20];
  if (!x && p->in == k) unknown_element(k, p->who, p->of[0]);
  else if (!x)
    ns_netlist_fail(k, "%.64s: unknown element %.64s%s, expected one of that netlist", p->who,
                    p->of[0], of_netlist(k, p->in, of));
  if (!x) return NULL;
  *number = x->k;
  if (p->in->element[x->k].kind != NS_CIRCUIT_K) return &p->in->element[x->k];
  ns_netlist_fail(k, "%.64s: %.64s has no current, expected another element", p->who, p->of[0]);
  return NULL;
}

/* What formulas read. */
static int link_probes(ns_netlist *k)
{
  k->read = malloc(((size_t)k->nprobes + 1) * sizeof *k->read);
  if (!k->read) return nomem(k);
  for (int j = 0; j < k->nprobes; j++) {
    const ns_netlist_probe *p = &k->probe[j];
    ns_circuit_read *r = &k->read[j];
    int number;
    *r = (ns_circuit_read){.element = -1};
    k->here.line = p->line;
    const ns_circuit_element *e = p->kind == NS_PROBE_NODES ? NULL : probed(k, p, &number);
    if (e && p->kind == NS_PROBE_CURRENT) r->element = number;
    if (e && p->kind == NS_PROBE_ELEMENT)
      memcpy(r->node, e->shown[0] != e->shown[1] ? e->shown : e->node, sizeof r->node);
    for (int i = 0; i < 2 && p->kind == NS_PROBE_NODES && p->of[i]; i++) {
      const name *node = find(p->in->nodes, p->of[i]);
      if (node) r->node[i] = node->k;
      else unknown_node(k, p, p->of[i]);
    }
  }
  return NS_OK;
}

/* ---- .ic ------------------------------------------------------------------------------------- */

int ns_netlist_initial_add(ns_netlist *k, const char *key, size_t n, double value)
{
  if (n < 3 || (*key != 'v' && *key != 'i') || key[1] != '.' || memchr(key + 2, '.', n - 2))
    return ns_netlist_fail(k,
                           ".ic has \"%.*s\", expected v(NODE)=volt or i(INDUCTOR)=ampere, such as "
                           "`.ic v(a)=5 i(L1)=0.1`",
                           (int)(n < 60 ? n : 60), key);
  char *text = ns_arena_zero(k->a, n + 1, 1);
  const ns_netlist_initial p = {.name = text, .value = value, .line = k->here.line};
  if (!text || ns_append(&k->initial, &k->ninitial, &p) < 0) return nomem(k);
  memcpy(text, key, n);
  return NS_OK;
}

/* The entry of v(node), whose value is that; 0 V of ground. NULL: there is none. */
static ns_netlist_initial *initial_of(ns_netlist *k, int node)
{
  for (int j = 0; j < k->ninitial; j++)
    if (*k->initial[j].name == 'v' && !strcmp(k->initial[j].name + 2, k->node[node]))
      return &k->initial[j];
  return NULL;
}

/* A capacitor between nodes that have one begins with their difference, if it has no ic=. */
static void begin_capacitor(ns_netlist *k, ns_circuit_element *e)
{
  ns_netlist_initial *a = e->node[0] ? initial_of(k, e->node[0]) : NULL,
                     *b = e->node[1] ? initial_of(k, e->node[1]) : NULL;
  if ((e->node[0] && !a) || (e->node[1] && !b)) return;
  if (a) a->used = 1;
  if (b) b->used = 1;
  if (e->has_ic) return;
  e->ic = (a ? a->value : 0) - (b ? b->value : 0);
  e->has_ic = 1;
}

static void set_initial(ns_netlist *k)
{
  for (int j = 0; j < k->ninitial; j++) {
    ns_netlist_initial *p = &k->initial[j];
    const name *x = find(*p->name == 'v' ? k->nodes : k->names, p->name + 2);
    k->here.line = p->line;
    if (!x && *p->name == 'i') unknown_element(k, ".ic", p->name + 2);
    else if (!x)
      ns_netlist_fail(k, ".ic: unknown node %.64s, expected one of the netlist", p->name + 2);
    else if (*p->name == 'i' && k->element[x->k].kind != NS_CIRCUIT_L)
      ns_netlist_fail(k,
                      ".ic sets the current of %.64s, expected an inductor: the current of other "
                      "elements is not a state",
                      p->name + 2);
    else if (*p->name == 'i' && !k->element[x->k].has_ic)
      k->element[x->k].ic = p->value, k->element[x->k].has_ic = 1;
  }
  for (int i = 0; i < k->n && k->ninitial && !k->bad; i++)
    if (k->element[i].kind == NS_CIRCUIT_C) begin_capacitor(k, &k->element[i]);
  for (int j = 0; j < k->ninitial && !k->bad; j++)
    if (*k->initial[j].name == 'v' && !k->initial[j].used)
      ns_note(&k->l->msg.c,
              "%.200s:%d: .ic: v(%.64s) is not the voltage of a capacitor: a capacitor must "
              "connect it to node 0 or to another node of .ic",
              k->here.file, k->initial[j].line, k->initial[j].name + 2);
}

int ns_netlist_link(ns_netlist *k)
{
  set_initial(k);
  if (link_probes(k)) return NS_NOMEM;
  for (int i = 0; i < k->n && !ns_messages_full(&k->l->msg); i++) {
    ns_circuit_element *e = &k->element[i];
    int n = ns_circuit_forms[e->kind].of, rc = NS_OK;
    if (n == 0) continue;
    const name *own = find(k->names, e->name);
    k->here.line = e->line;
    for (int j = 0; j < n && !rc; j++) rc = link_one(k, e, own->of[j], &e->of[j]);
    if (!rc && n == 2 && e->of[0] == e->of[1])
      ns_netlist_fail(k, "%.64s couples %.64s with itself, expected two inductors", e->name,
                      own->of[0]);
  }
  return NS_OK;
}
