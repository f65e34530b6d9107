/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/language/language.h"

#include "base/suggest.h"
#include "model/language/language_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ns_lang_form_names[NS_LANG_VALUE_ATTRIBUTES] = {"diag", "file", "plugin",
                                                                  "band", "abi",  "dataset"};

int ns_lang_has_form(const ns_lang_item *value, int k)
{
  unsigned form = 2u << k;
  if (k == NS_LANG_ABI) form = NS_LANG_FORM_PLUGIN;
  if (k == NS_LANG_DATASET) form = NS_LANG_FORM_FILE;
  return (value->forms & form) != 0;
}

const char *ns_lang_group_text(ns_lang_group g)
{
  static const char *const text[NS_LANG_GROUPS] = {"model part",
                                                   "system",
                                                   "relation",
                                                   "law",
                                                   "force between bodies",
                                                   "shape",
                                                   "strategy",
                                                   "integrator",
                                                   "integrator of smooth motion",
                                                   "one-step problem",
                                                   "control",
                                                   "output",
                                                   "study part",
                                                   "axis",
                                                   "distribution"};
  return g < NS_LANG_GROUPS ? text[g] : "element";
}

const char *ns_lang_type_text(ns_lang_type t)
{
  static const char *const text[NS_LANG_TYPES] = {"text",     "name",    "names",  "id",
                                                  "ids",      "integer", "real",   "word",
                                                  "patterns", "file",    "vector", "matrix"};
  return t < NS_LANG_TYPES ? text[t] : "text";
}

static const ns_lang_element *const tables[] = {
    ns_lang_parts,        ns_lang_mechanics,   ns_lang_rigid,   ns_lang_joints,  ns_lang_forces,
    ns_lang_shapes,       ns_lang_first_order, ns_lang_circuit, ns_lang_control, ns_lang_measures,
    ns_lang_event_driven, ns_lang_schemes,     ns_lang_study};
enum { NTABLES = sizeof tables / sizeof *tables };

const ns_lang_element *ns_lang_at(int k)
{
  for (int i = 0; i < NTABLES; i++)
    for (const ns_lang_element *e = tables[i]; e->name; e++)
      if (k-- == 0) return e;
  return NULL;
}

const ns_lang_element *ns_lang_find(const char *name)
{
  for (int i = 0; i < NTABLES; i++)
    for (const ns_lang_element *e = tables[i]; e->name; e++)
      if (!strcmp(e->name, name)) return e;
  return NULL;
}

const ns_lang_item *ns_lang_item_find(const ns_lang_item *i, const char *name)
{
  for (; i && i->name; i++)
    if (!strcmp(i->name, name)) return i;
  return NULL;
}

const ns_lang_item *ns_lang_attribute(const ns_lang_element *e, const char *name)
{
  return ns_lang_item_find(e->attributes, name);
}

const ns_lang_item *ns_lang_value(const ns_lang_element *e, const char *name)
{
  return ns_lang_item_find(e->values, name);
}

const ns_lang_child *ns_lang_allows(const ns_lang_element *e, const ns_lang_element *child)
{
  for (const ns_lang_child *k = e->children; k && k->max; k++)
    if (k->name ? !strcmp(k->name, child->name) : k->group == child->group) return k;
  return NULL;
}

const char *ns_lang_suggest(const char *name)
{
  const ns_lang_element *e;
  ns_suggest s = ns_suggest_for(name, strlen(name));
  for (int k = 0; (e = ns_lang_at(k)); k++) ns_suggest_offer(&s, e->name);
  /* Names end with what they are, as NewtonImpactNSL: many write but the beginning. */
  for (int k = 0; !s.best && s.len > 5 && (e = ns_lang_at(k)); k++)
    if (ns_edit_distance(name, s.len, e->name, strnlen(e->name, s.len + 1)) <= 2) s.best = e->name;
  return s.best;
}

int ns_lang_in_range(const char *range, double x)
{
  char *end;
  if (!range) return isfinite(x);
  double low = strtod(range + 1, &end);
  if (*range == '(' ? !(x > low) : !(x >= low)) return 0;
  double high = strtod(end + strspn(end, ", "), &end);
  return *end == ')' ? x < high : x <= high;
}

const char *ns_lang_shape(const ns_lang_item *i, char *buf, size_t size)
{
  if (i->cols) snprintf(buf, size, "matrix of %s x %s", i->rows, i->cols);
  else if (i->rows) snprintf(buf, size, "vector of %s", i->rows);
  else snprintf(buf, size, "%s", ns_lang_type_text(i->type));
  return buf;
}

const char *ns_lang_uses(const ns_lang_item *i, char *buf, size_t size)
{
  static const char *const text[2][NS_BANKS] = {{[NS_BANK_T] = "t",
                                                 [NS_BANK_Q] = "q",
                                                 [NS_BANK_V] = "v",
                                                 [NS_BANK_Z] = "z",
                                                 [NS_BANK_LAMBDA] = "lambda",
                                                 [NS_BANK_JOINT] = "coordinates between the bodies",
                                                 [NS_BANK_LAW] = "slip, approach",
                                                 [NS_BANK_EVENT] = "event"},
                                                {[NS_BANK_T] = "t",
                                                 [NS_BANK_Q] = "x",
                                                 [NS_BANK_V] = "xdot",
                                                 [NS_BANK_Z] = "z",
                                                 [NS_BANK_LAMBDA] = "lambda"}};
  const char *const *name = text[i->first_order != 0];
  size_t n = 0;
  if (size) *buf = 0;
  for (int b = 0; b < NS_BANKS; b++)
    if (name[b] && (i->uses & 1u << b) && n < size)
      n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? ", " : "", name[b]);
  return buf;
}
