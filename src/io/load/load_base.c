/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_base.c -- one tree, many models: what a make leaves in the tree is taken back before the
 * next. */
#include "io/load/load_settings.h"
#include "io/load/xml.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

struct ns_base {
  ns_load l;
  ns_arena *lasts; /* of file names, and the text of the model */
  const char *xml;
  ns_mark after_tree[2]; /* of l.nodes, lasts */
  size_t bytes;
  int nsources;
};

static int read_tree(ns_base *b, const char *path, const ns_text *text)
{
  ns_load *l = &b->l;
  int rc = ns_tree_read(&l->tree, path, text->text, text->n);
  if (rc || !l->tree.root) return rc ? rc : NS_MODEL;
  ns_load_check_systems(l);
  if (l->msg.c.nerrors) return NS_MODEL;
  b->xml = ns_tree_dump(&l->tree, b->lasts);
  return b->xml ? NS_OK : ns_nomem(&l->msg.c, "text of the model");
}

int ns_base_create(ns_ctx *c, const char *path, const ns_load_options *opt, ns_base **out)
{
  ns_xml_watch w;
  ns_text text;
  ns_base *b = *out = NS_ARENA_OBJECT(ns_base, lasts);
  if (!b) return ns_nomem(c, "model");
  int rc = ns_load_init(&b->l, c, path, opt, b->lasts, &text, 1);
  ns_xml_watch_begin(&w);
  if (!rc) rc = read_tree(b, b->l.name, &text);
  if (ns_xml_watch_end(&w) && !rc) rc = ns_nomem(&b->l.msg.c, "XML document");
  int told = ns_messages_flush(&b->l.msg);
  if (told) rc = told;
  if (rc) {
    ns_base_destroy(b);
    *out = NULL;
    return rc;
  }
  b->after_tree[0] = ns_arena_mark(b->l.nodes);
  b->after_tree[1] = ns_arena_mark(b->lasts);
  b->bytes = b->l.files.bytes;
  b->nsources = b->l.files.nsources;
  return NS_OK;
}

void ns_base_destroy(ns_base *b)
{
  if (!b) return;
  ns_load_fini(&b->l);
  ns_arena_destroy(b->lasts);
}

/* What builders keep with elements. */
static void forget(ns_elem *e)
{
  e->made = NULL;
  e->bad = 0;
  for (ns_elem *d = e->first; d; d = d->next) forget(d);
}

static void rewind_base(ns_base *b, ns_ctx *c)
{
  ns_load *l = &b->l;
  ns_load_unset(l);
  ns_arena_release(l->nodes, b->after_tree[0]);
  ns_arena_release(b->lasts, b->after_tree[1]);
  l->files.bytes = b->bytes;
  l->files.nsources = b->nsources;
  forget(l->tree.root);
  l->visits = l->instances = l->entries = 0;
  l->shapes.n = l->shapes.nmaterials = l->shapes.nlayers = 0;
  l->spent = l->nan_said = l->ids_unknown = l->names_unknown = 0;
  l->kept = NULL; /* of the scratch */
  l->nnetlists = l->has_blocks = l->referring = 0;
  l->dimensioned = l->contradictions = 0;
  ns_messages_init(&l->msg, c);
}

int ns_base_make(ns_base *b, ns_ctx *c, const ns_load_options *opt, ns_plugins *plugins,
                 ns_model **out)
{
  ns_load *l = &b->l;
  *out = NULL;
  rewind_base(b, c);
  ns_mark scratch = ns_arena_mark(l->scratch), ids = ns_arena_mark(l->ids);
  l->opt = opt;
  l->plugins = plugins;
  l->m = ns_model_create(c);
  if (!l->m) return NS_NOMEM;
  int rc = ns_load_build(l);
  if (!rc) rc = ns_load_keep_sources(l);
  l->m->xml = b->xml;
  int told = ns_messages_flush(&l->msg);
  ns_load_parameters_fini(l);
  ns_load_ids_fini(l);
  ns_load_declared_fini(l);
  ns_arena_release(l->scratch, scratch);
  ns_arena_release(l->ids, ids);
  ns_model *m = l->m;
  l->m = NULL;
  return ns_load_hand_over(c, told ? told : rc, m, out);
}

int ns_base_has_option(const ns_base *b, const char *name, ns_base_found *found)
{
  ns_setting to;
  ns_suggest s = ns_suggest_for(name, strlen(name));
  int has = ns_setting_find(b->l.tree.root, name, &to, &s, found->why, sizeof found->why);
  found->suggest = s.best;
  found->values = has ? ns_setting_takes(&to) : NS_SETTING_NUMBERS;
  return has;
}

double ns_base_option(const ns_base *b, const ns_model *m, const char *name)
{
  char why[NS_AT];
  ns_setting to;
  double x = NAN;
  int has = ns_setting_find(b->l.tree.root, name, &to, NULL, why, sizeof why);
  const char *attribute = has ? ns_setting_attribute(&to) : NULL;
  if (attribute && to.e->def && !ns_load_option_value(&m->sim, to.e, attribute, &x)) x = NAN;
  return x;
}
