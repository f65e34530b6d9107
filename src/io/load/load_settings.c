/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_settings.c -- NAME=VALUE and PATH=VALUE from outside, put into the tree before anything is
 * made of it.
 *
 *   NAME   an attribute of <simulation> or of what is in it, the first that has it: T, h, solver;
 *          Element.name where two have it: LCP.tolerance; "scheme" is the integrator itself, by the
 *          name of another one
 *   PATH   STEP/STEP/...@ATTRIBUTE, or without @ATTRIBUTE the text of the last one: #ball/q0,
 *          walls/#floor@e
 *   STEP   ELEMENT, #ID, ELEMENT#ID, any of them with [N]; the first step is looked for everywhere,
 *          the others among the children of the one before
 *
 * The document follows, so that the text kept with a result is that of what ran. What is changed is
 * remembered: a tree of which many models are made (load_base.c) is taken back to what its file
 * says. */
#include "io/load/load_settings.h"

#include "expression/quote.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An element as it was before it was changed for the first time. */
struct ns_load_change {
  ns_elem *e;
  ns_elem before;
  struct ns_load_change *next;
};

static int same(const char *name, const char *s, size_t n)
{
  return strlen(name) == n && !memcmp(name, s, n);
}

/* ---- positions in ns_elem.attr --------------------------------------------------------------- */

/* What is in <defaults> is meant where a path names them: defaults/Sphere@radius. */
static int is_defaults(const ns_elem *e) { return e->def && !strcmp(e->name, "defaults"); }

/* A value among them, of which only attributes that are no form of its text are given. */
static int is_default_value(const ns_elem *e)
{
  return e->value && e->parent && is_defaults(e->parent);
}

/* Name of attribute k of e, NULL where e may not have it. */
static const char *attribute_name(const ns_elem *e, int k)
{
  if (e->def) return e->def->attributes[k].name;
  if (k >= NS_LANG_VALUE_ATTRIBUTES) return e->value->attributes[k - NS_LANG_VALUE_ATTRIBUTES].name;
  return ns_lang_has_form(e->value, k) && !is_default_value(e) ? ns_lang_form_names[k] : NULL;
}

static const char *first_attribute(const ns_elem *e)
{
  const char *name = NULL;
  for (int k = 0; k < ns_elem_attributes(e) && !name; k++) name = attribute_name(e, k);
  return name ? name : "NAME";
}

static int attribute_find(const ns_elem *e, const char *name, size_t len)
{
  for (int k = 0; k < ns_elem_attributes(e); k++) {
    const char *known = attribute_name(e, k);
    if (known && same(known, name, len)) return k;
  }
  return -1;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char SCHEME[] = "scheme";

/* e and what is in it; the first that has the attribute. */
static ns_elem *find_name(ns_elem *e, const char *element, size_t nelement, const char *name,
                          size_t len, int *k, ns_suggest *s)
{
  if (!e->def) return NULL;
  for (int i = 0; s && i < ns_elem_attributes(e); i++) ns_suggest_offer(s, attribute_name(e, i));
  if (!element || same(e->name, element, nelement)) {
    *k = attribute_find(e, name, len);
    if (*k >= 0) return e;
  }
  for (ns_elem *d = e->first; d; d = d->next) {
    ns_elem *found = find_name(d, element, nelement, name, len, k, s);
    if (found) return found;
  }
  return NULL;
}

static ns_elem *find_scheme(ns_elem *simulation)
{
  ns_elem *strategy = ns_elem_group(simulation, NS_LANG_STRATEGY);
  for (ns_elem *e = strategy ? strategy->first : NULL; e; e = e->next)
    if (ns_elem_is_integrator(e)) return e;
  return NULL;
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* ELEMENT#ID[N] of a path; lengths 0 where a part is not written. */
typedef struct step {
  const char *name, *id;
  size_t nname, nid;
  long n; /* 0: the only one */
  const char *end;
} step;

/* What a path has been found to be wrong in: a sentence to go behind its name. */
typedef struct fault {
  char text[600];
} fault;

/* An id may hold {expressions} of a <repeat>, with any character in them. */
static size_t id_length(const char *s, size_t n)
{
  size_t k = 0;
  for (int depth = 0; k < n; k++) {
    if (s[k] == '{') depth++;
    else if (s[k] == '}') depth--;
    else if (!depth && strchr("/@[", s[k])) break;
  }
  return k;
}

static int read_step(const char *s, const char *end, step *t, fault *f)
{
  *t = (step){.name = s, .end = end};
  t->nname = 0;
  while (s + t->nname < end && !strchr("#/@[", s[t->nname])) t->nname++;
  s += t->nname;
  if (s < end && *s == '#') {
    t->id = s + 1;
    t->nid = id_length(t->id, (size_t)(end - t->id));
    s = t->id + t->nid;
  }
  if (s < end && *s == '[') {
    char *stop;
    t->n = strtol(s + 1, &stop, 10);
    if (t->n < 1 || stop >= end || *stop != ']') {
      snprintf(f->text, sizeof f->text, "expected [N] with a number from 1, such as [2]");
      return -1;
    }
    s = stop + 1;
  }
  if ((!t->nname && !t->nid) || (s < end && *s != '/')) {
    snprintf(
        f->text, sizeof f->text,
        "expected steps ELEMENT, #ID or ELEMENT#ID with [N] where there are several, separated by "
        "/, with @ATTRIBUTE after the last, such as #ball/q0 or simulation/TimeStepping@h");
    return -1;
  }
  t->end = s;
  return 0;
}

/* Its id, or the name of what has a name instead. */
static const char *id_of(const ns_elem *e)
{
  if (!e->def || !e->parent) return NULL; /* the name of the model is none */
  const char *id = ns_elem_attr(e, "id");
  return id ? id : ns_elem_attr(e, "name");
}

static int fits(const ns_elem *e, const step *t)
{
  const char *id = t->nid ? id_of(e) : NULL;
  return (!t->nname || same(e->name, t->name, t->nname)) &&
         (!t->nid || (id && same(id, t->id, t->nid)));
}

/* What fits below e, at any depth or among its children: *found is number t->n, or the first;
 * *second behind it. */
static void count_fits(ns_elem *e, const step *t, int deep, long *count, ns_elem **found,
                       ns_elem **second)
{
  for (ns_elem *d = e->first; d; d = d->next) {
    if (fits(d, t)) {
      ++*count;
      if (*count == (t->n ? t->n : 1)) *found = d;
      if (*count == 2) *second = d;
    }
    if (deep && !is_defaults(d)) count_fits(d, t, 1, count, found, second);
  }
}

static void offer_names(const ns_elem *e, const step *t, int deep, ns_suggest *s, const char **best)
{
  for (const ns_elem *d = e->first; d; d = d->next) {
    const char *id = id_of(d), *before = s->best;
    if (t->nid && id && (!t->nname || same(d->name, t->name, t->nname))) ns_suggest_offer(s, id);
    else if (!t->nid) ns_suggest_offer(s, d->name);
    if (s->best != before) *best = d->name;
    if (deep && !is_defaults(d)) offer_names(d, t, 1, s, best);
  }
}

/* Whether something below e has that id. */
static int has_id(const ns_elem *e, const char *id, size_t n, int deep)
{
  for (const ns_elem *d = e->first; d; d = d->next) {
    const char *own = id_of(d);
    if ((own && same(own, id, n)) || (deep && has_id(d, id, n, 1))) return 1;
  }
  return 0;
}

/* 1 where id, of a <repeat>, becomes the one of t for some index: b{i} for b2. */
static int becomes(const char *id, const step *t)
{
  const char *open = strchr(id, '{'), *shut = open ? strchr(open, '}') : NULL;
  if (!shut || strchr(shut, '{')) return 0;
  size_t before = (size_t)(open - id), after = strlen(shut + 1), index = t->nid - before - after;
  if (t->nid <= before + after || memcmp(id, t->id, before) != 0) return 0;
  return strspn(t->id + before, "0123456789") >= index &&
         !memcmp(shut + 1, t->id + t->nid - after, after);
}

/* The id of a <repeat> that becomes that of t; NULL: none. */
static const char *repeated_id(const ns_elem *e, const step *t, int deep)
{
  for (const ns_elem *d = e->first; d; d = d->next) {
    const char *id = id_of(d), *below = NULL;
    if (id && becomes(id, t)) return id;
    if (deep) below = repeated_id(d, t, 1);
    if (below) return below;
  }
  return NULL;
}

/* The path with its step replaced: "did you mean #ball/q0?" */
static void near_step(const char *path, const step *t, const char *end, const char *name,
                      const char *id, fault *f)
{
  snprintf(f->text, sizeof f->text, "the model has no %.*s there, did you mean %.*s%s%s%s%.*s?",
           (int)(t->end - t->name), t->name, (int)(t->name - path), path, name ? name : "",
           id ? "#" : "", id ? id : "", (int)(end - t->end), t->end);
}

static void no_step(ns_elem *e, const char *path, const step *t, const char *end, int deep,
                    fault *f)
{
  const char *of = NULL, *word = t->nid ? t->id : t->name;
  ns_suggest s = ns_suggest_for(word, t->nid ? t->nid : t->nname);
  offer_names(e, t, deep, &s, &of);
  const char *repeated = t->nid ? repeated_id(e, t, deep) : NULL;
  int written = !deep && !t->nid && attribute_find(e, t->name, t->nname) >= 0;
  if (written) /* h for @h */
    snprintf(f->text, sizeof f->text, "%.*s is an attribute, did you mean %.*s@%.*s?",
             (int)t->nname, t->name, (int)(t->name - 1 - path), path, (int)t->nname, t->name);
  else if (!deep && !t->nid && e->def && ns_lang_item_find(e->def->values, word) && t->end == end)
    snprintf(f->text, sizeof f->text,
             "<%.*s> is allowed in <%s>, but the file contains none to change; write it there",
             (int)t->nname, t->name, e->name);
  else if (!t->nid && has_id(e, t->name, t->nname, deep))
    snprintf(f->text, sizeof f->text, "%.*s is an id, did you mean %.*s#%.*s?", (int)t->nname,
             t->name, (int)(t->name - path), path, (int)(end - t->name), t->name);
  else if (repeated)
    snprintf(f->text, sizeof f->text,
             "%.*s is generated by a <repeat>, whose elements change together, did you mean "
             "%.*s#%s%.*s?",
             (int)t->nid, t->id, (int)(t->id - 1 - path), path, repeated, (int)(end - t->end),
             t->end);
  else if (s.best && t->nid) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)t->nname, t->name);
    near_step(path, t, end, name, s.best, f);
  } else if (s.best) near_step(path, t, end, s.best, NULL, f);
  else
    snprintf(f->text, sizeof f->text, "the model has no %.*s%s%.*s", (int)(t->end - t->name),
             t->name, t->name > path ? " in " : "", t->name > path ? (int)(t->name - 1 - path) : 0,
             path);
}

/* The child, or anything below, that a step means. */
static ns_elem *take_step(ns_elem *e, const char *path, const step *t, const char *end, int deep,
                          fault *f)
{
  ns_elem *found = NULL, *second = NULL;
  long count = 0;
  count_fits(e, t, deep, &count, &found, &second);
  if (!count) no_step(e, path, t, end, deep, f);
  else if (t->n > count)
    snprintf(f->text, sizeof f->text, "the model has %ld of %.*s, expected [N] up to that", count,
             (int)(t->end - t->name), t->name);
  else if (!t->n && count > 1) {
    const char *id = id_of(found);
    snprintf(
        f->text, sizeof f->text,
        "%ld elements match (lines %d and %d%s), expected one; write %.*s%s%s%s%.*s for the first",
        count, found->line, second->line, count > 2 ? ", ..." : "", (int)(t->end - path), path,
        !t->nid && id ? "#" : "", !t->nid && id ? id : "", t->nid || !id ? "[1]" : "",
        (int)(end - t->end), t->end);
    return NULL;
  }
  return found;
}

/* "as h, id, ..." */
static void no_attribute(const ns_elem *e, const char *path, const char *at, size_t len, fault *f)
{
  char list[200] = "";
  size_t n = 0;
  if (ns_elem_value(e, at)) {
    snprintf(f->text, sizeof f->text, "%s is an element, not an attribute; did you mean %.*s/%s?",
             at, (int)(at - 1 - path), path, at);
    return;
  }
  ns_suggest s = ns_suggest_for(at, len);
  for (int k = 0; k < ns_elem_attributes(e); k++) {
    const char *known = attribute_name(e, k);
    if (!known) continue;
    ns_suggest_offer(&s, known);
    if (n < sizeof list)
      n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", *list ? ", " : "", known);
  }
  if (s.best)
    snprintf(f->text, sizeof f->text, "<%s> has no attribute %s, did you mean %.*s@%s?", e->name,
             at, (int)(at - 1 - path), path, s.best);
  else
    snprintf(f->text, sizeof f->text, "<%s> has no attribute %s, expected %s%s", e->name, at,
             *list ? "one of: " : "none", list);
}

/* path[0..len). */
static int find_path(ns_elem *root, const char *path, size_t len, ns_setting *out, fault *f)
{
  const char *at = NULL, *s = path, *end = path + len;
  ns_elem *e = NULL;
  for (const char *p = path; p < end;) { /* the last @ outside an id */
    size_t n = id_length(p, (size_t)(end - p));
    p += n;
    if (p < end && *p == '@') at = p;
    p++;
  }
  const char *steps_end = at ? at : end;
  while (s < steps_end && *s == '/') s++;
  if (s == steps_end) e = root; /* @name: of the model itself */
  while (s < steps_end) {
    step t;
    if (read_step(s, steps_end, &t, f)) return 0;
    int first = !e;
    if (first && fits(root, &t) && !t.n) e = root;
    else if (!(e = take_step(first ? root : e, path, &t, end, first, f))) return 0;
    s = t.end + (t.end < steps_end);
  }
  *out = (ns_setting){.e = e, .k = NS_SETTING_TEXT};
  if (!at) {
    if (e->def ? e->def->content != NULL : !is_default_value(e)) return 1;
    snprintf(f->text, sizeof f->text,
             "<%s> contains no text, expected an attribute of it: %.*s@%s=", e->name, (int)len,
             path, first_attribute(e));
    return 0;
  }
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)(end - at - 1), at + 1);
  out->k = attribute_find(e, name, strlen(name));
  if (out->k >= 0) return 1;
  no_attribute(e, path, at + 1, (size_t)(end - at - 1), f);
  return 0;
}

/* ---- both ------------------------------------------------------------------------------------ */

static int is_path(const char *name, size_t len)
{
  for (size_t k = 0; k < len; k++)
    if (strchr("/@#[", name[k])) return 1;
  return 0;
}

static int find(ns_elem *root, const char *name, size_t len, ns_setting *out, ns_suggest *s,
                fault *f)
{
  if (is_path(name, len)) return find_path(root, name, len, out, f);
  ns_elem *simulation = ns_elem_child(root, "simulation");
  const char *dot = memchr(name, '.', len);
  size_t skip = dot ? (size_t)(dot - name) + 1 : 0;
  if (!simulation) return 0;
  out->e = find_name(simulation, dot ? name : NULL, dot ? skip - 1 : 0, name + skip, len - skip,
                     &out->k, s);
  if (s) ns_suggest_offer(s, SCHEME);
  if (out->e || !same(SCHEME, name, len)) return out->e != NULL;
  *out = (ns_setting){.e = find_scheme(simulation), .k = NS_SETTING_SCHEME};
  return out->e != NULL;
}

int ns_setting_find(const ns_elem *root, const char *name, ns_setting *out, ns_suggest *s,
                    char *why, size_t size)
{
  fault f = {""};
  int found = find((ns_elem *)(uintptr_t)root, name, strlen(name), out, s, &f);
  if (!found) snprintf(why, size, "%s", f.text);
  return found;
}

ns_setting_values ns_setting_takes(const ns_setting *s)
{
  if (s->k == NS_SETTING_SCHEME) return NS_SETTING_WORDS;
  const ns_lang_item *i = s->k >= 0 ? ns_elem_item(s->e, attribute_name(s->e, s->k)) : s->e->value;
  if (!i) return NS_SETTING_ANY;
  switch (i->type) {
  case NS_LANG_REAL:
  case NS_LANG_INTEGER: return NS_SETTING_NUMBERS;
  case NS_LANG_TEXT:
  case NS_LANG_VECTOR:
  case NS_LANG_MATRIX: return NS_SETTING_ANY;
  default: return NS_SETTING_WORDS;
  }
}

const char *ns_setting_attribute(const ns_setting *s)
{
  return s->k < 0 ? NULL : attribute_name(s->e, s->k);
}

/* ---- changing -------------------------------------------------------------------------------- */

/* Remember e; its attributes become a copy of its own. */
static int remember(ns_load *l, ns_elem *e, int n)
{
  struct ns_load_change *c = ns_arena_get(l->nodes, 1, sizeof *c);
  const char **attr = ns_arena_zero(l->nodes, (size_t)n, sizeof *attr);
  if (!c || !attr) return ns_nomem(&l->msg.c, "settings");
  *c = (struct ns_load_change){.e = e, .before = *e, .next = l->changes};
  l->changes = c;
  memcpy(attr, e->attr, (size_t)ns_elem_attributes(e) * sizeof *attr);
  e->attr = attr;
  return NS_OK;
}

void ns_load_unset(ns_load *l)
{
  for (struct ns_load_change *c = l->changes; c; c = c->next) { /* the newest first */
    c->e->def = c->before.def;
    c->e->name = c->before.name;
    c->e->attr = c->before.attr;
    c->e->text = c->before.text;
  }
  l->changes = NULL;
}

/* A vector is written in one form; the other one is named. */
static const char *other_form(const ns_elem *e, int k)
{
  if (!e->value || !e->value->forms || k >= NS_LANG_FORM_ATTRIBUTES) return NULL;
  if (k >= 0 && *e->text) return "text";
  for (int i = 0; i < NS_LANG_FORM_ATTRIBUTES; i++)
    if (i != k && e->attr[i]) return ns_lang_form_names[i];
  return NULL;
}

/* Attribute k of default d was `old`: elements below x that had it from there, or from the default
 * of all where d is of a class, take it as it is now. Texts are shared, so where one is from is
 * seen by its address. */
static int pass_on(ns_load *l, ns_elem *x, const ns_elem *d, int k, const char *old)
{
  const ns_elem *common = d->class_name ? ns_tree_default(&l->tree, d, NULL) : NULL;
  for (ns_elem *e = x->first; e; e = e->next) {
    if (e == l->tree.defaults) continue;
    int meant = ns_elem_is_like(e, d) &&
                (!d->class_name || (e->class_name && !strcmp(e->class_name, d->class_name)));
    int own = meant ? ns_elem_position(e, d, k) : -1;
    if (own >= 0 && (e->attr[own] == old || (common && e->attr[own] == common->attr[k]))) {
      if (remember(l, e, ns_elem_attributes(e) + 1)) return NS_NOMEM;
      ((const char **)(uintptr_t)e->attr)[own] = d->attr[k];
    }
    if (pass_on(l, e, d, k, old)) return NS_NOMEM;
  }
  return NS_OK;
}

static int change_item(ns_load *l, const ns_setting *s, const char *setting, size_t len,
                       const char *value)
{
  ns_elem *e = s->e;
  const char *other = other_form(e, s->k);
  if (other) {
    const char *sign = s->k >= 0 ? memrchr(setting, '@', len) : NULL;
    int n = (int)(sign ? (size_t)(sign - setting) : len), as_text = !strcmp(other, "text");
    return ns_fail(&l->msg.c, NS_USAGE, "%s: %s is given as %s, did you mean %.*s%s%s?",
                   ns_quote(setting, len, 0).text, ns_elem_at(e, NULL).text, other, n, setting,
                   as_text ? "" : "@", as_text ? "" : other);
  }
  const char *old = s->k >= 0 ? e->attr[s->k] : NULL;
  if (remember(l, e, ns_elem_attributes(e) + 1)) return NS_NOMEM;
  if (s->k >= 0) ((const char **)(uintptr_t)e->attr)[s->k] = value;
  else e->text = value;
  int is_default = s->k >= 0 && e->parent && e->parent == l->tree.defaults;
  if (is_default && pass_on(l, l->tree.root, e, s->k, old)) return NS_NOMEM;
  if (l->tree.dumped) return NS_OK; /* its text is that of the file, kept before */
  if (s->k >= 0)
    return xmlSetProp(e->node, (const xmlChar *)attribute_name(e, s->k), (const xmlChar *)value)
               ? NS_OK
               : ns_nomem(&l->msg.c, "settings");
  xmlNodeSetContent(e->node, NULL);
  xmlNodeAddContent(e->node, (const xmlChar *)value);
  return NS_OK;
}

/* Another integrator in the place of e; attributes that both know stay. */
static int change_scheme(ns_load *l, ns_elem *e, const char *value)
{
  const ns_lang_element *def = ns_lang_find(value);
  if (!def || def->group != e->def->group || !ns_lang_allows(e->parent->def, def)) {
    const ns_lang_element *d;
    ns_suggest s = ns_suggest_for(value, strlen(value));
    for (int k = 0; (d = ns_lang_at(k)); k++)
      if (d->group == e->def->group && ns_lang_allows(e->parent->def, d))
        ns_suggest_offer(&s, d->name);
    return ns_fail(&l->msg.c, NS_USAGE, "scheme=%s: expected an integrator of <%s>%s%s%s",
                   ns_quoted(value).text, e->parent->name,
                   s.best ? ", did you mean " : "; `nssim explain ",
                   s.best ? s.best : e->parent->name, s.best ? "?" : "` lists them");
  }
  const ns_elem before = *e;
  int n = 0;
  for (const ns_lang_item *i = def->attributes; i && i->name; i++) n++;
  if (remember(l, e, n + ns_elem_attributes(e) + 1)) return NS_NOMEM;
  const char **attr = (const char **)(uintptr_t)e->attr;
  memset(attr, 0, (size_t)(n + ns_elem_attributes(e)) * sizeof *attr);
  for (int k = 0; k < n; k++) {
    int from = attribute_find(&before, def->attributes[k].name, strlen(def->attributes[k].name));
    if (from >= 0) attr[k] = before.attr[from];
  }
  for (int k = 0; !l->tree.dumped && k < ns_elem_attributes(&before);
       k++) /* while e->node is of that element */
    if (before.attr[k] && !ns_lang_item_find(def->attributes, attribute_name(&before, k)))
      xmlUnsetProp(e->node, (const xmlChar *)attribute_name(&before, k));
  e->def = def;
  e->name = def->name;
  if (!l->tree.dumped) xmlNodeSetName(e->node, (const xmlChar *)def->name);
  return NS_OK;
}

static const char *after_blanks(const char *s)
{
  while (isspace((unsigned char)*s)) s++;
  return s;
}

/* Length of the name in "name =VALUE". */
static size_t name_length(const char *setting)
{
  size_t len = strcspn(setting, "=");
  while (len && isspace((unsigned char)setting[len - 1])) len--;
  return len;
}

/* 1: the model has that parameter; else its names, the first ones, have been offered. */
static int offer_parameters(const ns_elem *root, const char *name, size_t len, ns_suggest *s)
{
  enum { OFFERED = 300 };
  const ns_elem *all = root ? ns_elem_child(root, "parameters") : NULL;
  int n = 0;
  for (const ns_elem *e = all ? all->first : NULL; e; e = e->next) {
    const char *known = !strcmp(e->name, "parameter") || !strcmp(e->name, "vector")
                            ? ns_elem_attr(e, "name")
                            : NULL;
    if (!known) continue;
    if (same(known, name, len)) return 1;
    if (s && n++ < OFFERED) ns_suggest_offer(s, known);
  }
  return 0;
}

/* "ball.mass" for "#ball/mass": f gets the path that is meant, or how paths begin, where the name
 * begins with an id. */
static void meant_path(ns_elem *root, const char *name, fault *f)
{
  size_t n = strcspn(name, ".");
  const char *rest = name[n] ? name + n + 1 : "";
  if (!root || !n || !has_id(root, name, n, 1)) return;
  for (const char *join = "/@"; *join && *rest && !*f->text; join++) {
    char path[512];
    ns_setting to = {0};
    fault none = {""};
    int length = snprintf(path, sizeof path, "#%.*s%c%s", (int)n, name, *join, rest);
    ns_suggest unused = ns_suggest_for(path, (size_t)length);
    if (length < (int)sizeof path && find(root, path, (size_t)length, &to, &unused, &none))
      snprintf(f->text, sizeof f->text, "is not a path, did you mean %s?", path);
  }
  if (!*f->text)
    snprintf(f->text, sizeof f->text,
             "%.*s is an id, expected a path: #%.*s/ELEMENT for an element in it, #%.*s@ATTRIBUTE "
             "for an attribute",
             (int)n, name, (int)n, name, (int)n, name);
}

/* k[1]: an entry of a parameter that is a vector, or a number. */
static void meant_entry(ns_elem *root, const char *name, fault *f)
{
  const ns_elem *all = root ? ns_elem_child(root, "parameters") : NULL;
  size_t n = strcspn(name, "[");
  if (!name[n] || !offer_parameters(root, name, n, NULL)) return;
  for (const ns_elem *e = all->first; e; e = e->next) {
    const char *known = strcmp(e->name, "vector") ? NULL : ns_elem_attr(e, "name");
    if (!known || !same(known, name, n)) continue;
    snprintf(f->text, sizeof f->text,
             "%.*s is a vector and is set as a whole, expected -p %.*s=\"VALUES\", now \"%.120s\"",
             (int)n, name, (int)n, name,
             ns_elem_attr(e, "values") ? ns_elem_attr(e, "values") : "");
    return;
  }
  snprintf(f->text, sizeof f->text, "%.*s is one number, expected -p %.*s=VALUE", (int)n, name,
           (int)n, name);
}

static int set(ns_load *l, const char *setting)
{
  setting = after_blanks(setting);
  const char *eq = strchrnul(setting, '=');
  char name[512];
  ns_setting to = {0};
  fault f = {""};
  size_t len = name_length(setting);
  ns_quotation quoted = ns_quote(setting, len, 0);
  if (!*eq || !*after_blanks(eq + 1))
    return ns_fail(&l->msg.c, NS_USAGE, "%s: no value, expected NAME=VALUE or PATH=VALUE",
                   quoted.text);
  if (len >= sizeof name)
    return ns_fail(&l->msg.c, NS_USAGE, "%s: longer than %zu bytes, expected a path", quoted.text,
                   sizeof name - 1);
  snprintf(name, sizeof name, "%.*s", (int)len, setting);
  ns_suggest s = ns_suggest_for(name, len);
  meant_entry(l->tree.root, name, &f);
  if (*f.text) return ns_fail(&l->msg.c, NS_USAGE, "%s: %s", quoted.text, f.text);
  if (find(l->tree.root, name, len, &to, &s, &f)) {
    const char *value = ns_arena_text(l->nodes, after_blanks(eq + 1));
    if (!value) return ns_nomem(&l->msg.c, "settings");
    return to.k == NS_SETTING_SCHEME ? change_scheme(l, to.e, value)
                                     : change_item(l, &to, setting, len, value);
  }
  if (*f.text) return ns_fail(&l->msg.c, NS_USAGE, "%s: %s", quoted.text, f.text);
  if (!offer_parameters(l->tree.root, name, len, NULL)) meant_path(l->tree.root, name, &f);
  if (*f.text) return ns_fail(&l->msg.c, NS_USAGE, "%s: %s", quoted.text, f.text);
  if (offer_parameters(l->tree.root, name, len, &s))
    return ns_fail(&l->msg.c, NS_USAGE, "%s is a parameter, expected -p %s=VALUE", quoted.text,
                   quoted.text);
  return ns_fail(&l->msg.c, NS_USAGE, "the model has no parameter or option %s to be set%s%s%s",
                 quoted.text, s.best ? ", did you mean " : "; `nssim check` lists them",
                 s.best ? s.best : "", s.best ? "?" : "");
}

int ns_load_settings(ns_load *l)
{
  const ns_load_options *o = l->opt;
  int rc = NS_OK;
  for (int k = 0; o && k < o->noption && rc != NS_NOMEM; k++) rc = set(l, o->option[k]);
  for (int k = 0; o && k < o->nset && rc != NS_NOMEM; k++) {
    const char *name = after_blanks(o->set[k]);
    if (!offer_parameters(l->tree.root, name, name_length(name), NULL)) rc = set(l, o->set[k]);
  }
  return rc == NS_NOMEM ? rc : NS_OK;
}
