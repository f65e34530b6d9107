/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_defaults.c -- what <defaults> gave to which elements, for `nssim check`. */
#include "io/load/load_job.h"

/* 1 where e has attribute k from the element d of <defaults>: its text is the same object. */
static int took(const ns_elem *e, const ns_elem *d, int k)
{
  int own = ns_elem_is_like(e, d) ? ns_elem_position(e, d, k) : -1;
  return own >= 0 && e->attr[own] == d->attr[k];
}

/* Elements below e that took attribute k from d; their lines to line [NS_DEFAULT_LINES], the last
 * one where they are more. */
static void count_below(const ns_elem *e, const ns_elem *d, int k, int *n, int *line)
{
  for (const ns_elem *x = e->first; x; x = x->next) {
    if (x->parent == d->parent) continue;
    if (took(x, d, k)) {
      line[*n < NS_DEFAULT_LINES ? *n : NS_DEFAULT_LINES - 1] = x->line;
      ++*n;
    }
    count_below(x, d, k, n, line);
  }
}

/* Attributes that may have a default: of an element all, of a value those besides its forms. */
static const ns_lang_item *attributes(const ns_elem *d)
{
  return d->def ? d->def->attributes : d->value->attributes;
}

/* Position of the first of these in d->attr. */
static int first(const ns_elem *d) { return d->def ? 0 : NS_LANG_VALUE_ATTRIBUTES; }

static int note(ns_load *l, const ns_elem *d, int k, ns_default *to)
{
  ns_arena *a = l->m->arena;
  *to = (ns_default){.element = d->name, .attribute = attributes(d)[k - first(d)].name};
  count_below(l->tree.root, d, k, &to->count, to->line);
  to->value = ns_arena_text(a, d->attr[k]);
  if (d->class_name) to->class_name = ns_arena_text(a, d->class_name);
  return to->value && (to->class_name || !d->class_name) ? NS_OK : ns_nomem(&l->msg.c, "defaults");
}

int ns_load_note_defaults(ns_load *l)
{
  const ns_elem *all = l->tree.defaults;
  ns_default *list = NULL;
  int n = 0, rc = NS_OK;
  for (int pass = 0; pass < 2 && !rc; pass++) {
    if (pass && !(list = ns_arena_get(l->m->arena, (size_t)n + 1, sizeof *list)))
      return ns_nomem(&l->msg.c, "defaults");
    n = 0;
    for (const ns_elem *d = all ? all->first : NULL; d && !rc; d = d->next)
      for (int k = first(d); attributes(d)[k - first(d)].name && !rc; k++) {
        if (!d->attr[k]) continue;
        if (list) rc = note(l, d, k, &list[n]);
        n++;
      }
  }
  l->m->defaults = list;
  l->m->ndefaults = n;
  return rc;
}
