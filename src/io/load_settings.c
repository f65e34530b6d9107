/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_settings.c -- options of the simulation that come from outside: attributes put into the tree. */
#include "io/load_job.h"

#include "expression/quote.h"

#include <stdint.h>
#include <string.h>

/* Only numbers can be set. */
static int is_number(const ns_lang_item *i) { return i->type == NS_LANG_REAL || i->type == NS_LANG_INTEGER; }

static int position(const ns_elem *e, const char *name, size_t len)
{
  for (int k = 0; e->def->attributes && e->def->attributes[k].name; k++) {
    const ns_lang_item *i = &e->def->attributes[k];
    if (is_number(i) && strlen(i->name) == len && !memcmp(i->name, name, len)) return k;
  }
  return -1;
}

/* e and what is in it; the first that has the attribute. */
static ns_elem *search(ns_elem *e, const char *element, size_t nelement, const char *name, size_t len, int *k, ns_suggest *s)
{
  if (!e->def) return NULL;
  for (const ns_lang_item *i = e->def->attributes; s && i && i->name; i++)
    if (is_number(i)) ns_suggest_offer(s, i->name);
  if (!element || (strlen(e->name) == nelement && !memcmp(e->name, element, nelement))) {
    *k = position(e, name, len);
    if (*k >= 0) return e;
  }
  for (ns_elem *d = e->first; d; d = d->next) {
    ns_elem *found = search(d, element, nelement, name, len, k, s);
    if (found) return found;
  }
  return NULL;
}

ns_elem *ns_load_setting(const ns_elem *root, const char *name, size_t len, int *k, ns_suggest *s)
{
  ns_elem *simulation = ns_elem_child(root, "simulation");
  const char *dot = memchr(name, '.', len);
  if (!simulation) return NULL;
  size_t skip = dot ? (size_t)(dot - name) + 1 : 0;
  return search(simulation, dot ? name : NULL, dot ? skip - 1 : 0, name + skip, len - skip, k, s);
}

static int set(ns_load *l, const char *setting)
{
  const char *eq = strchrnul(setting, '=');
  char quoted[NS_QUOTE_BYTES];
  ns_suggest s;
  int k;
  size_t len = (size_t)(eq - setting);
  ns_suggest_init(&s, setting, len);
  ns_elem *e = *eq ? ns_load_setting(l->tree.root, setting, len, &k, &s) : NULL;
  if (e) {
    const char **attr = (const char **)(uintptr_t)e->attr;
    attr[k] = ns_arena_text(l->nodes, eq + 1);
    return attr[k] ? NS_OK : ns_nomem(&l->msg.c, "options of the simulation");
  }
  ns_quote(quoted, setting, len, 0);
  return ns_fail(&l->msg.c, NS_USAGE, "<simulation> has no number %s to be set%s%s", quoted, s.best ? ", did you mean " : "",
                 s.best ? s.best : "");
}

int ns_load_settings(ns_load *l)
{
  for (int k = 0; l->opt && k < l->opt->noption; k++)
    if (set(l, l->opt->option[k]) == NS_NOMEM) return NS_NOMEM;
  return NS_OK;
}
