/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/load/load_made.h"

#include <stdarg.h>

char *ns_load_made_text(ns_load *l, const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  char *s = ns_arena_vformat(l->scratch, format, ap);
  va_end(ap);
  if (!s) ns_nomem(&l->msg.c, "a block");
  return s;
}

ns_elem *ns_load_made_value(ns_load *l, ns_elem *parent, const char *name, const char *text)
{
  ns_elem *v = ns_arena_zero(l->scratch, 1, sizeof *v);
  const ns_lang_item *item = ns_lang_value(parent->def, name);
  size_t more = 0;
  while (item->attributes && item->attributes[more].name) more++;
  const char **attr = ns_arena_zero(l->scratch, NS_LANG_VALUE_ATTRIBUTES + more, sizeof *attr);
  if (!v || !attr || !text) return NULL;
  *v = (ns_elem){.value = item,
                 .name = item->name,
                 .file = parent->file,
                 .dir = parent->dir,
                 .line = parent->line,
                 .depth = parent->depth + 1,
                 .attr = attr,
                 .text = text,
                 .text_line = parent->line,
                 .parent = parent};
  if (parent->last) parent->last->next = v;
  else parent->first = v;
  parent->last = v;
  return v;
}

ns_elem *ns_load_made_element(ns_load *l, const ns_elem *e, const char *kind,
                              const ns_load_setting *g)
{
  const ns_lang_element *def = ns_lang_find(kind);
  size_t n = 0;
  while (def->attributes && def->attributes[n].name) n++;
  ns_elem *s = ns_arena_zero(l->nodes, 1, sizeof *s); /* ids refer to it */
  const char **attr = ns_arena_zero(l->scratch, n + 1, sizeof *attr);
  if (!s || !attr) {
    ns_nomem(&l->msg.c, "a block");
    return NULL;
  }
  for (; g->attribute; g++) attr[ns_lang_attribute(def, g->attribute) - def->attributes] = g->text;
  *s = (ns_elem){.def = def,
                 .name = e->name,
                 .file = e->file,
                 .dir = e->dir,
                 .line = e->line,
                 .depth = e->depth,
                 .attr = attr,
                 .text = "",
                 .parent = e->parent};
  return s;
}

ns_elem *ns_load_made_system(ns_load *l, const ns_elem *e, const char *id, const char *states,
                             const char *inputs, const char *x0, const char *f)
{
  const ns_load_setting own[] = {{"id", id}, {"states", states}, {"inputs", inputs}, {NULL, NULL}};
  ns_elem *s = x0 && f ? ns_load_made_element(l, e, "FirstOrderNonLinearDS", own) : NULL;
  if (!s) return NULL;
  if (ns_load_made_value(l, s, "x0", x0) && ns_load_made_value(l, s, "f", f)) return s;
  ns_nomem(&l->msg.c, "a block");
  return NULL;
}
