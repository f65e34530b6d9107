/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legacy_system.c -- dynamical systems of a SiconosModel file. */
#include "io/import/legacy.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const xmlNode *definitions(const ns_legacy *l)
{
  return ns_legacy_child(ns_legacy_child(l->root, "NSDS"), "DS_Definition");
}

static int is_system(const xmlNode *x) { return strcmp(ns_legacy_name(x), "DS_LMGC90") != 0; }

static void no_systems(ns_legacy *l, const xmlNode *where)
{
  if (!l->msg.c.nerrors)
    ns_legacy_fail(l, where ? where : l->root,
                   "contains no dynamical system, expected at least one in <DS_Definition>");
}

/* The number of coordinates, by the initial state. */
static int length_of(ns_legacy *l, const ns_legacy_system *s)
{
  const xmlNode *x = ns_legacy_child(s->node, "q0");
  ns_legacy_value v;
  if (!x) x = ns_legacy_child(s->node, "x0");
  if (!x) {
    ns_legacy_fail(l, s->node, "has no initial state, expected <%s>",
                   strncmp(s->kind->now, "First", 5) ? "q0" : "x0");
    return 0;
  }
  if (ns_legacy_read(l, x, 0, &v)) return 0;
  if (v.entry) return v.rows;
  ns_legacy_fail(l, x, "is a plug-in, expected numbers");
  return 0;
}

/* The numbers of --z for a system, NULL where there are none. */
static const char *given_z(const ns_legacy *l, const ns_legacy_system *s)
{
  for (int k = 0; k < l->opt->nz; k++) {
    const char *z = l->opt->z[k], *equals = strchr(z, '=');
    size_t n = equals ? (size_t)(equals - z) : 0;
    char number[16];
    snprintf(number, sizeof number, "%d", s->number);
    int named = (s->id && strlen(s->id) == n && !strncmp(z, s->id, n)) ||
                (strlen(number) == n && !strncmp(z, number, n));
    if (n && named) return equals + 1;
  }
  return NULL;
}

/* --z names systems that there are. */
static void check_given_z(ns_legacy *l)
{
  for (int k = 0; k < l->opt->nz; k++) {
    const char *z = l->opt->z[k], *equals = strchr(z, '=');
    int known = 0;
    for (int i = 0; i < l->nsystems && equals; i++)
      known = known || given_z(l, &l->system[i]) == equals + 1;
    if (!known || !equals[1] || strspn(equals + 1, "+-.0123456789eE,") != strlen(equals + 1))
      ns_fail(&l->msg.c, NS_USAGE,
              "--z '%.60s': expected SYSTEM=NUMBER,NUMBER,... with the name or number of a system",
              z);
  }
}

static void find_one(ns_legacy *l, const xmlNode *x, ns_legacy_system *s)
{
  const char *called = ns_legacy_called(l, x);
  *s = (ns_legacy_system){.node = x,
                          .kind = ns_legacy_find(ns_legacy_systems, called),
                          .number = ns_legacy_number(l, x),
                          .old_name = ns_legacy_label(l, x)};
  if (!s->kind) {
    ns_legacy_fail(l, x,
                   "is a dynamical system of type %.60s, which is unknown, expected a Lagrangian, "
                   "LagrangianLinearTI, FirstOrderLinear or FirstOrderNonLinear one",
                   called);
    return;
  }
  int position = (int)(s - l->system);
  for (int k = 0; k < position; k++)
    if (s->number > 0 && l->system[k].number == s->number)
      ns_legacy_fail(l, x, "has the number %d of an earlier one, expected each number once",
                     s->number);
  s->id = ns_legacy_id(l, x, s->old_name, "system", s->number > 0 ? s->number : position + 1);
  s->n = length_of(l, s);
}

void ns_legacy_find_systems(ns_legacy *l)
{
  const xmlNode *where = definitions(l);
  int n = 0, k = 0;
  for (const xmlNode *x = ns_legacy_first(where); x; x = ns_legacy_next(x)) n += is_system(x);
  if (!n) {
    no_systems(l, where);
    return;
  }
  l->system = ns_arena_zero(l->a, (size_t)n, sizeof *l->system);
  if (!l->system) {
    ns_nomem(&l->msg.c, "systems of the model");
    return;
  }
  for (const xmlNode *x = ns_legacy_first(where); x; x = ns_legacy_next(x)) {
    if (!is_system(x)) continue;
    find_one(l, x, &l->system[k]);
    l->nsystems = ++k;
  }
  check_given_z(l);
}

/* ---- lists of systems ------------------------------------------------------------------------ */

static int by_number(ns_legacy *l, const xmlNode *x, const char *word)
{
  char *end;
  long number = strtol(word, &end, 10);
  for (int k = 0; k < l->nsystems && !*end; k++)
    if (l->system[k].number == number) return k;
  for (int k = 0; k < l->nsystems; k++)
    if (!strcmp(l->system[k].old_name, word)) return k;
  ns_legacy_fail(
      l, x, "names the system %.60s, expected the number or name of one in <DS_Definition>", word);
  return -1;
}

typedef struct members {
  int *at, n; /* [nsystems] */
  int sorted; /* by number: all were named by it */
} members;

/* A system that is named once more stays one. 1: it was found. */
static int add(ns_legacy *l, const xmlNode *x, const char *word, members *m)
{
  int k = by_number(l, x, word);
  if (k < 0) return 0;
  for (int i = 0; i < m->n; i++)
    if (m->at[i] == k) return 1;
  m->at[m->n++] = k;
  return 1;
}

/* <DS number= interactsWithDS_Number=/>: a pair, or one with itself. */
static int add_pairs(ns_legacy *l, const xmlNode *list, members *m)
{
  int ok = 1;
  for (const xmlNode *k = ns_legacy_first(list); k; k = ns_legacy_next(k)) {
    const char *other = ns_legacy_attribute(l, k, "interactsWithDS_Number"),
               *name = ns_legacy_attribute(l, k, "number");
    if (strcmp(ns_legacy_name(k), "DS")) continue;
    ok = ok && add(l, k, *name ? name : ns_legacy_attribute(l, k, "Name"), m);
    if (*other && strcmp(other, "0")) ok = ok && add(l, k, other, m);
  }
  return ok;
}

/* Numbers or names in a text; vectorSize counts them in the forms that name by number. */
static int add_text(ns_legacy *l, const xmlNode *list, members *m)
{
  const char *size = ns_legacy_attribute(l, list, "vectorSize");
  char *copy = strdup(ns_legacy_text(l, list)), *p = copy, *word;
  int ok = copy != NULL, n = 0, numbers = 1;
  if (!copy) ns_nomem(&l->msg.c, "lists of systems");
  while (ok && (word = ns_legacy_token(&p))) {
    if (strspn(word, "0123456789") != strlen(word)) numbers = 0;
    ok = add(l, list, word, m);
    n++;
  }
  m->sorted = numbers;
  free(copy);
  if (ok && *size && numbers && atoi(size) != n) ok = !ns_legacy_miscount(l, list, n, atoi(size));
  return ok;
}

/* Fewer than some dozens: in the order of their numbers. */
static void sort(const ns_legacy *l, members *m)
{
  for (int i = 1; i < m->n; i++)
    for (int k = i; k > 0 && l->system[m->at[k - 1]].number > l->system[m->at[k]].number; k--) {
      int swap = m->at[k];
      m->at[k] = m->at[k - 1];
      m->at[k - 1] = swap;
    }
}

int ns_legacy_concerned(ns_legacy *l, const xmlNode *x, int **at, int *n)
{
  const xmlNode *list = ns_legacy_child(x, "DS_Concerned"),
                *inner = ns_legacy_child(list, "DSList indexList");
  members m = {.at = ns_arena_zero(l->a, (size_t)l->nsystems + 1, sizeof *m.at), .sorted = 1};
  *at = m.at;
  *n = 0;
  if (!m.at) return ns_nomem(&l->msg.c, "lists of systems");
  if (!list)
    return ns_legacy_fail(l, x,
                          "<DS_Concerned> is missing, expected one with the systems it acts on");
  int ok = 1, all = !strcmp(ns_legacy_attribute(l, list, "all"), "true");
  for (int k = 0; k < l->nsystems && all; k++) m.at[m.n++] = k;
  if (!all && ns_legacy_child(list, "DS")) ok = add_pairs(l, list, &m);
  else if (!all) ok = add_text(l, inner ? inner : list, &m);
  if (ok && !m.n)
    return ns_legacy_fail(l, list, "names no system, expected numbers or names, or all=\"true\"");
  if (m.sorted) sort(l, &m);
  *n = m.n;
  return ok ? NS_OK : NS_MODEL;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_z(ns_legacy *l, const ns_legacy_system *s)
{
  const char *given = given_z(l, s);
  int called = s->called || ns_legacy_calls_plugin(s->node);
  if (!given && called && !ns_legacy_child(s->node, "z")) given = "0";
  if (!given) return;
  fputs("      <z>", l->out);
  for (const char *p = given; *p; p++) fputc(strchr("+-.0123456789eE", *p) ? *p : ' ', l->out);
  fputs("</z>\n", l->out);
}

/* Hold the shape against the length of the state; NS_MODEL: reported. */
static int check_shape(ns_legacy *l, const xmlNode *x, const ns_legacy_slot *slot,
                       const ns_legacy_value *v, int n)
{
  int free_length = ns_legacy_has("u z q0 x0", slot->now), any_width = !strcmp(slot->now, "T");
  if (!v->entry || !n) return NS_OK;
  if (!slot->matrix && !free_length && v->rows != n)
    return ns_legacy_fail(l, x, "has %d %s, expected %d: one for each entry of the initial state",
                          v->rows, v->rows == 1 ? "entry" : "entries", n);
  if (slot->matrix && (v->rows != n || (v->cols != n && !any_width)))
    return ns_legacy_fail(l, x, "is %d x %d, expected %d x %d as the initial state requires",
                          v->rows, v->cols, n, any_width ? v->cols : n);
  return NS_OK;
}

static void write_value(ns_legacy *l, ns_legacy_system *s, const ns_legacy_slot *slot,
                        const xmlNode *x)
{
  ns_legacy_value v;
  const char *abi = "";
  if (ns_legacy_read(l, x, slot->matrix, &v) || check_shape(l, x, slot, &v, s->n)) return;
  if (v.plugin) abi = ns_legacy_abi(l, x, s->kind->now, slot->now, &v.plugin);
  if (!strcmp(slot->now, "z") && given_z(l, s)) return;
  ns_legacy_write(l, 3, slot->now, &v, abi, ns_legacy_has("q0 x0 z mass M", slot->now));
}

static void write_system(ns_legacy *l, ns_legacy_system *s)
{
  char taken[600];
  snprintf(taken, sizeof taken, "%s", ns_legacy_known);
  const char *size = ns_legacy_text(l, ns_legacy_child(s->node, "uSize"));
  fprintf(l->out, "    <%s id=\"%s\"", s->kind->now, s->id ? s->id : "");
  if (*size && ns_legacy_child(s->node, "u"))
    fprintf(l->out, " controlSize=\"%d\"",
            ns_legacy_count(l, ns_legacy_child(s->node, "uSize"), 1));
  int own_theta = s->theta != l->system[0].theta && !strncmp(s->kind->now, "Lagrangian", 10);
  if (own_theta) fprintf(l->out, " theta=\"%s\"", NS_IMPORT_DECIMAL_OF(s->theta));
  fputs(">\n", l->out);
  for (const ns_legacy_slot *slot = ns_legacy_system_slots; slot->of; slot++) {
    if (!ns_legacy_has(slot->of, s->kind->now)) continue;
    size_t used = strlen(taken);
    snprintf(taken + used, sizeof taken - used, " %s", slot->old);
    const xmlNode *x = ns_legacy_child(s->node, slot->old);
    if (x) write_value(l, s, slot, x);
    if (!strcmp(slot->now, "z")) write_z(l, s);
  }
  if (!strcmp(s->kind->now, "LagrangianLinearTIDS") && !ns_legacy_child(s->node, "Mass M"))
    ns_legacy_fail(l, s->node, "has no mass matrix, expected <Mass>");
  ns_legacy_leftover(l, s->node, taken);
  fprintf(l->out, "    </%s>\n", s->kind->now);
}

int ns_legacy_calls_plugin(const xmlNode *x)
{
  for (const xmlAttr *a = x->properties; a; a = a->next)
    if (strstr((const char *)a->name, "lugin")) return 1;
  for (const xmlNode *k = ns_legacy_first(x); k; k = ns_legacy_next(k))
    if (ns_legacy_calls_plugin(k)) return 1;
  return 0;
}

void ns_legacy_write_systems(ns_legacy *l)
{
  fputs("  <systems>\n", l->out);
  for (int k = 0; k < l->nsystems; k++)
    if (l->system[k].kind) write_system(l, &l->system[k]);
  fputs("  </systems>\n", l->out);
}
