/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_elem.c -- look at elements of a tree. */
#include "io/load/load_tree.h"

#include "base/grow.h"

#include <stdio.h>
#include <string.h>

const ns_lang_item *ns_elem_item(const ns_elem *e, const char *name)
{
  return ns_lang_item_find(e->value ? e->value->attributes : e->def->attributes, name);
}

const char *ns_elem_attr(const ns_elem *e, const char *name)
{
  for (int k = 0; e->value && k < NS_LANG_VALUE_ATTRIBUTES; k++)
    if (!strcmp(ns_lang_form_names[k], name)) return e->attr[k];
  const ns_lang_item *i = ns_elem_item(e, name);
  if (!i) return NULL;
  return e->value ? e->attr[NS_LANG_VALUE_ATTRIBUTES + (i - e->value->attributes)]
                  : e->attr[i - e->def->attributes];
}

ns_elem *ns_elem_value(const ns_elem *e, const char *name)
{
  for (ns_elem *k = e->first; k; k = k->next)
    if (k->value && !strcmp(k->name, name)) return k;
  return NULL;
}

ns_elem *ns_elem_child(const ns_elem *e, const char *name)
{
  for (ns_elem *k = e->first; k; k = k->next)
    if (k->def && !strcmp(k->name, name)) return k;
  return NULL;
}

ns_elem *ns_elem_group(const ns_elem *e, ns_lang_group g)
{
  for (ns_elem *k = e->first; k; k = k->next)
    if (k->def && k->def->group == g) return k;
  return NULL;
}

ns_elem_place ns_elem_at(const ns_elem *e, const char *id)
{
  ns_elem_place p;
  const ns_elem *owner = e->value && e->parent ? e->parent : e;
  char value[64] = "", name[96] = "";
  int has_id = owner->def && ns_lang_attribute(owner->def, "id");
  int named = owner->def &&
              (!strcmp(owner->name, "parameter") || !strcmp(owner->name, "function") ||
               owner->def->group >= NS_LANG_STUDY);
  const char *shown = id || !has_id ? id : ns_elem_attr(owner, "id");
  if (e->value) snprintf(value, sizeof value, "<%.40s> of ", e->name);
  if (shown && *shown)
    snprintf(name, sizeof name, has_id ? " id=\"%.80s\"" : "> of \"%.80s\"", shown);
  if (named && ns_elem_attr(owner, "name"))
    snprintf(name, sizeof name, " name=\"%.60s\">", ns_elem_attr(owner, "name"));
  const char *close = *name && !has_id ? "" : ">";
  snprintf(p.text, sizeof p.text, "%.200s:%d: %s<%.40s%s%s", e->file, e->line, value, owner->name,
           name, close);
  for (char *s = p.text; (s = strpbrk(s, "\r\n\t"));) *s = ' '; /* an id may hold &#10; */
  return p;
}

int ns_elem_fail(ns_messages *m, const ns_elem *e, const char *id, const char *fmt, ...)
{
  char what[700];
  NS_FORMAT(what, fmt);
  return ns_fail(&m->c, NS_MODEL, "%s: %s", ns_elem_at(e, id).text, what);
}
