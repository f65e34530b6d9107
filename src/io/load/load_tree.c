/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_tree.c -- from documents to the tree of elements: what may stand where. */
#include "io/load/load_tree.h"

#include "base/suggest.h"
#include "expression/quote.h"
#include "io/load/load_include.h"
#include "io/load/load_unknown.h"
#include "io/load/xml.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define TEXT(x) ((const char *)(x))
#define TEXT_MAX ((size_t)10 << 20) /* libxml2 has this bound too, but not for a text in one line */

static int is_blank(const char *s)
{
  while (isspace((unsigned char)*s)) s++;
  return !*s;
}

static ns_elem *new_elem(ns_tree *t, const xmlNode *x, const ns_opened *f, ns_elem *parent)
{
  ns_elem *e = ns_arena_zero(t->arena, 1, sizeof *e);
  if (!e) {
    ns_nomem(&t->msg->c, "elements of the model");
    return NULL;
  }
  e->name = TEXT(x->name);
  e->file = f->shown;
  e->dir = f->dir;
  e->line = (int)xmlGetLineNo((xmlNode *)(uintptr_t)x);
  e->node = (xmlNode *)(uintptr_t)x;
  e->parent = parent;
  e->depth = parent ? parent->depth + 1 : 0;
  e->text = "";
  if (++t->nelements % 256 == 0) ns_alive(&t->msg->c, "checking the elements", t->nelements, 0);
  return e;
}

static void link_child(ns_elem *parent, ns_elem *e)
{
  if (parent->last) parent->last->next = e;
  else parent->first = e;
  parent->last = e;
}

/* ---- attributes ------------------------------------------------------------------------------ */

static const char *attribute_text(ns_tree *t, const xmlAttr *a)
{
  if (!a->children) return "";
  xmlChar *s = xmlNodeListGetString(a->doc, a->children, 1);
  const char *copy = s ? ns_arena_text(t->arena, TEXT(s)) : NULL;
  xmlFree(s);
  if (!copy) ns_nomem(&t->msg->c, "attributes of the model");
  return copy;
}

/* Position of an attribute in e->attr, -1 where e may not have it. */
static int attribute_position(const ns_elem *e, const char *name)
{
  const char *known;
  for (int k = 0; (known = ns_elem_attribute_name(e, k)); k++) {
    if (strcmp(known, name)) continue;
    if (!e->value) return k;
    for (int i = 0; i < NS_LANG_VALUE_ATTRIBUTES; i++)
      if (!strcmp(ns_lang_form_names[i], name)) return i;
    return NS_LANG_VALUE_ATTRIBUTES +
           (int)(ns_lang_item_find(e->value->attributes, name) - e->value->attributes);
  }
  return -1;
}

static int is_schema_hint(const xmlAttr *a)
{
  return a->ns && !strcmp(TEXT(a->ns->href), "http://www.w3.org/2001/XMLSchema-instance");
}

/* "a number" */
static const char *expected_text(const ns_lang_item *i)
{
  static const char *const text[NS_LANG_TYPES] = {
      "a text",   "a name",           "names",    "an id",  "ids",      "a whole number",
      "a number", "one of its words", "patterns", "a path", "a vector", "a matrix"};
  return text[i->type];
}

int ns_elem_missing(ns_messages *m, const ns_elem *e, const char *name)
{
  const ns_lang_item *i = ns_elem_item(e, name);
  return ns_elem_fail(
      m, e, NULL, "attribute %s is %s, expected %s: %s; write for instance %s=\"%s\"", i->name,
      ns_elem_attr(e, name) ? "empty" : "missing", expected_text(i), i->help, i->name, i->example);
}

/* mistyped: bit k for attributes that an unknown one was taken for; that has been reported. */
static void missing_attributes(ns_tree *t, ns_elem *e, unsigned long mistyped)
{
  for (const ns_lang_item *i = e->def->attributes; i && i->name; i++) {
    const char *s = e->attr[i - e->def->attributes];
    if (!i->required || (s && !is_blank(s))) continue;
    e->bad = 1;
    if (mistyped & 1ul << (i - e->def->attributes)) continue;
    ns_elem_missing(t->msg, e, i->name);
  }
}

/* ---- defaults -------------------------------------------------------------------------------- */

int ns_elem_is_like(const ns_elem *e, const ns_elem *d)
{
  return e->def || d->def ? e->def == d->def : !strcmp(e->name, d->name);
}

int ns_elem_position(const ns_elem *e, const ns_elem *d, int k)
{
  if (e->def || e->value == d->value || k < NS_LANG_VALUE_ATTRIBUTES) return k;
  const char *name = d->value->attributes[k - NS_LANG_VALUE_ATTRIBUTES].name;
  const ns_lang_item *i = ns_lang_item_find(e->value->attributes, name);
  return i ? NS_LANG_VALUE_ATTRIBUTES + (int)(i - e->value->attributes) : -1;
}

const ns_elem *ns_tree_default(const ns_tree *t, const ns_elem *e, const char *class_name)
{
  for (const ns_elem *d = t->defaults ? t->defaults->first : NULL; d; d = d->next) {
    int same = class_name ? d->class_name && !strcmp(d->class_name, class_name) : !d->class_name;
    if (same && ns_elem_is_like(e, d)) return d;
  }
  return NULL;
}

static int is_default(const ns_tree *t, const ns_elem *e)
{
  return t->defaults && e->parent == t->defaults;
}

/* class= may stand at any element of a model, of values at those that may have defaults. */
static int is_class(const ns_elem *e, const xmlAttr *a)
{
  int may = e->def ? e->parent && e->def->group < NS_LANG_STUDY : e->value->attributes != NULL;
  return may && !a->ns && !strcmp(TEXT(a->name), "class");
}

static void unknown_class(ns_tree *t, ns_elem *e)
{
  size_t n = strlen(e->class_name);
  ns_quotation quoted = ns_quote(e->class_name, n, 0);
  ns_suggest s = ns_suggest_for(e->class_name, n);
  for (const ns_elem *d = t->defaults ? t->defaults->first : NULL; d; d = d->next)
    if (d->class_name && ns_elem_is_like(e, d)) ns_suggest_offer(&s, d->class_name);
  e->bad = 1;
  if (s.best)
    ns_elem_fail(t->msg, e, NULL, "unknown class %s, did you mean %s?", quoted.text, s.best);
  else
    ns_elem_fail(t->msg, e, NULL,
                 "unknown class %s, expected one that <defaults> has for this element: <%s "
                 "class=\"%s\" .../>",
                 quoted.text, e->name, quoted.text);
}

int ns_elem_is_integrator(const ns_elem *e)
{
  return e->def && (e->def->group == NS_LANG_INTEGRATOR || e->def->group == NS_LANG_FLOW);
}

int ns_elem_attributes(const ns_elem *e)
{
  const ns_lang_item *own = e->def ? e->def->attributes : e->value->attributes;
  int n = e->def ? 0 : NS_LANG_VALUE_ATTRIBUTES;
  for (; own && own->name; own++) n++;
  return n;
}

/* What e does not say itself its class does, else the default of all elements like it. */
static void apply_defaults(ns_tree *t, ns_elem *e, const char **attr)
{
  const ns_elem *from[2] = {e->class_name ? ns_tree_default(t, e, e->class_name) : NULL,
                            ns_tree_default(t, e, NULL)};
  if (e->class_name && !from[0]) unknown_class(t, e);
  for (int i = 0; i < 2; i++)
    for (int k = 0; from[i] && k < ns_elem_attributes(from[i]); k++) {
      int to = ns_elem_position(e, from[i], k);
      if (to >= 0 && !attr[to]) attr[to] = from[i]->attr[k];
    }
}

static int read_attributes(ns_tree *t, ns_elem *e, const xmlNode *x)
{
  const char **attr = ns_arena_zero(t->arena, (size_t)ns_elem_attributes(e), sizeof *attr);
  if (!attr) return ns_nomem(&t->msg->c, "attributes of the model");
  e->attr = attr;
  unsigned long mistyped = 0;
  for (const xmlAttr *a = x->properties; a; a = a->next) {
    if (is_schema_hint(a)) continue;
    if (is_class(e, a)) {
      if (!(e->class_name = attribute_text(t, a))) return NS_NOMEM;
      continue;
    }
    int k = a->ns ? -1 : attribute_position(e, TEXT(a->name));
    if (k < 0) {
      const char *meant = ns_tree_unknown_attribute(t, e, TEXT(a->name));
      if (meant) mistyped |= 1ul << attribute_position(e, meant);
    } else if (!(attr[k] = attribute_text(t, a))) return NS_NOMEM;
  }
  if (is_default(t, e)) return NS_OK;
  int takes = e->def || e->value->attributes;
  if (takes && (t->defaults || e->class_name)) apply_defaults(t, e, attr);
  if (e->def) missing_attributes(t, e, mistyped);
  return NS_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

static size_t count_lines(const char *s)
{
  size_t n = 0;
  while ((s = strchr(s, '\n'))) n++, s++;
  return n;
}

/* What a piece of the inside of an element adds to its text, to p where that is not NULL; its
 * length. A comment leaves its ends of lines where they count. */
static size_t piece_of_text(const ns_elem *e, const xmlNode *k, char *p)
{
  int comment = k->type == XML_COMMENT_NODE && !e->value;
  if (!k->content || (!comment && k->type != XML_TEXT_NODE && k->type != XML_CDATA_SECTION_NODE))
    return 0;
  size_t n = comment ? count_lines(TEXT(k->content)) : strlen(TEXT(k->content));
  if (p && comment) memset(p, '\n', n);
  if (p && !comment) memcpy(p, k->content, n);
  return n;
}

/* Join the text inside x, without white space at its ends. */
static int read_text(ns_tree *t, ns_elem *e, const xmlNode *x)
{
  size_t n = 0;
  for (const xmlNode *k = x->children; k; k = k->next) {
    if (k->type == XML_ELEMENT_NODE) {
      ns_elem_fail(t->msg, e, NULL, "<%.40s> is not allowed here, expected text alone",
                   TEXT(k->name));
      e->bad = 1;
    }
    n += piece_of_text(e, k, NULL);
  }
  if (n > TEXT_MAX) {
    ns_elem_fail(t->msg, e, NULL,
                 "contains a text of %zu MB, expected at most %zu; keep large matrices in files",
                 n >> 20, TEXT_MAX >> 20);
    e->bad = 1;
    return NS_OK;
  }
  char *s = ns_arena_get(t->arena, n + 1, 1), *p = s;
  if (!s) return ns_nomem(&t->msg->c, "texts of the model");
  for (const xmlNode *k = x->children; k; k = k->next) p += piece_of_text(e, k, p);
  while (p > s && isspace((unsigned char)p[-1])) p--;
  *p = 0;
  e->text_line = e->line;
  for (; isspace((unsigned char)*s); s++) e->text_line += *s == '\n';
  e->text = s;
  return NS_OK;
}

/* A vector or matrix is written in exactly one form. */
static void check_forms(ns_tree *t, ns_elem *e)
{
  const char *found[1 + NS_LANG_FORM_ATTRIBUTES];
  int n = 0;
  if (!e->value->forms || e->bad) return;
  if (*e->text) found[n++] = "text";
  for (int k = 0; k < NS_LANG_FORM_ATTRIBUTES; k++)
    if (e->attr[k]) found[n++] = ns_lang_form_names[k];
  if (n == 1) return;
  e->bad = 1;
  char shape[64];
  if (n > 1)
    ns_elem_fail(t->msg, e, NULL,
                 "is given as %s and as %s, expected one of them; remove the other", found[0],
                 found[1]);
  else
    ns_elem_fail(t->msg, e, NULL, "is empty, expected a %s; write its entries, or remove <%s>",
                 ns_lang_shape(e->value, shape, sizeof shape), e->name);
}

static int read_value(ns_tree *t, const xmlNode *x, const ns_opened *f, ns_elem *parent,
                      const ns_lang_item *item)
{
  ns_elem *e = new_elem(t, x, f, parent);
  if (!e) return NS_NOMEM;
  e->value = item;
  e->name = item->name;
  int rc = read_attributes(t, e, x);
  if (!rc) rc = read_text(t, e, x);
  if (rc) return rc;
  const ns_elem *before = ns_elem_value(parent, e->name);
  if (before) {
    ns_elem_fail(t->msg, e, NULL, "is given a second time (first at line %d), expected once",
                 before->line);
    return NS_OK;
  }
  check_forms(t, e);
  link_child(parent, e);
  return NS_OK;
}

/* ---- elements -------------------------------------------------------------------------------- */

/* Whether the namespace is ours; else report. */
static int right_namespace(ns_tree *t, const xmlNode *x, const ns_opened *f)
{
  const char *found = x->ns ? TEXT(x->ns->href) : NULL;
  long line = xmlGetLineNo((xmlNode *)(uintptr_t)x);
  if (found && !strcmp(found, NS_LANG_NAMESPACE)) return 1;
  ns_quotation name = ns_quoted(TEXT(x->name));
  if (!found) {
    ns_fail(&t->msg->c, NS_MODEL,
            "%.200s:%ld: <%s> is in no namespace, expected " NS_LANG_NAMESPACE
            "; write <%s xmlns=\"" NS_LANG_NAMESPACE "\">",
            f->shown, line, name.text, name.text);
    return 0;
  }
  ns_fail(&t->msg->c, NS_MODEL,
          "%.200s:%ld: <%s> is in the namespace %s, expected " NS_LANG_NAMESPACE, f->shown, line,
          name.text, ns_quoted(found).text);
  return 0;
}

/* The name of an element that may stand in e and takes many of these; NULL: there is none. */
static const char *taker_of(const ns_elem *e, const char *name)
{
  for (const ns_lang_child *k = e->def ? e->def->children : NULL; k && k->max; k++) {
    const ns_lang_element *d = k->name ? ns_lang_find(k->name) : NULL;
    for (const ns_lang_child *c = d ? d->children : NULL; c && c->max; c++)
      if (c->name && !strcmp(c->name, name) && c->max == NS_LANG_MANY) return k->name;
  }
  return NULL;
}

/* One more child of the row's kind may stand in parent; else report. */
static int fits(ns_tree *t, const ns_elem *parent, const ns_elem *e, const ns_lang_child *row)
{
  if (row->max == NS_LANG_MANY) return 1;
  const ns_elem *before = row->name ? ns_elem_child(parent, row->name)
                                    : ns_elem_group(parent, row->group);
  if (!before) return 1;
  const char *taker = row->name ? taker_of(parent, row->name) : NULL;
  char remedy[100] = "";
  if (taker)
    snprintf(remedy, sizeof remedy, "; move them into <%.40s>, which takes several", taker);
  ns_elem_fail(t->msg, e, NULL, "is the second %s in <%s> (first: <%s> at line %d), expected one%s",
               row->name ? "one" : ns_lang_group_text(row->group), parent->name, before->name,
               before->line, remedy);
  return 0;
}

/* What a first model takes of a group, where the list alone leaves its author with the choice. */
static const char *first_choice(ns_lang_group group)
{
  switch (group) {
  case NS_LANG_INTEGRATOR:
    return "; write <MoreauJeanOSI/> for mechanics, <EulerMoreauOSI/> for circuits and other "
           "first-order systems";
  case NS_LANG_FLOW: return "; write <CVodeOSI/> if in doubt";
  default: return "";
  }
}

static void missing_children(ns_tree *t, ns_elem *e)
{
  for (const ns_lang_item *i = e->def->values; i && i->name; i++)
    if (i->required && !ns_elem_value(e, i->name)) {
      ns_elem_fail(t->msg, e, NULL,
                   "<%s> is missing, expected %s: %s; write for instance <%s>%s</%s>", i->name,
                   expected_text(i), i->help, i->name, i->example, i->name);
      e->bad = 1;
    }
  for (const ns_lang_child *k = e->def->children; k && k->max; k++) {
    if (!k->min || (k->name ? ns_elem_child(e, k->name) : ns_elem_group(e, k->group))) continue;
    if (k->name && e->stranger != NS_ELEM_FILE)
      ns_elem_fail(t->msg, e, NULL,
                   "<%s> is missing, expected one; `nssim explain %s` shows an example", k->name,
                   k->name);
    else if (!k->name && !e->stranger) { /* else that one was meant to be it, and is reported */
      char list[500] = "";
      size_t n = 0;
      const ns_lang_element *d;
      for (int i = 0; (d = ns_lang_at(i)); i++)
        if (d->group == k->group && n < sizeof list)
          n += (size_t)snprintf(list + n, sizeof list - n, "%s<%s>", n ? ", " : "", d->name);
      ns_elem_fail(t->msg, e, NULL, "the %s is missing, expected one of: %s%s",
                   ns_lang_group_text(k->group), list, first_choice(k->group));
    }
    e->bad = 1;
  }
}

static int read_children(ns_tree *t, const xmlNode *x, const ns_opened *f, ns_elem *e);
static int has_text(ns_tree *t, const ns_elem *e, const xmlNode *x);

/* An element has defaults where it has attributes; the model has none, a name is of one element,
 * and what is another form of the text of a value has none, as the text. */
static int check_default(ns_tree *t, const ns_elem *e, const xmlNode *x)
{
  const char *class = e->class_name;
  const ns_elem *before = ns_tree_default(t, e, class);
  if (class && (!*class || strpbrk(class, " \t\r\n")))
    return ns_elem_fail(t->msg, e, NULL,
                        "attribute class is \"%.80s\", expected one name, as elements give it; "
                        "write a default for each class",
                        class);
  if (before)
    return ns_elem_fail(
        t->msg, e, NULL,
        "is the second default of this element%s (first: line %d), expected one; merge them",
        class ? " and class" : "", before->line);
  for (int k = 0; k < 2; k++) {
    const char *name = k ? "name" : "id";
    if (e->def && ns_lang_attribute(e->def, name) && ns_elem_attr(e, name))
      return ns_elem_fail(
          t->msg, e, NULL,
          "attribute %s names one element, expected it on that element and not in <defaults>",
          name);
  }
  for (int k = 0; e->value && k < NS_LANG_VALUE_ATTRIBUTES; k++)
    if (e->attr[k])
      return ns_elem_fail(t->msg, e, NULL,
                          "attribute %s stands for the text of <%s>, which has no default; write "
                          "it where <%s> is",
                          ns_lang_form_names[k], e->name, e->name);
  for (const xmlNode *k = x->children; k; k = k->next)
    if (k->type == XML_ELEMENT_NODE)
      return ns_elem_fail(t->msg, e, NULL,
                          "contains <%.40s>, expected only attributes in <defaults>",
                          TEXT(k->name));
  return has_text(t, e, x) ? NS_MODEL : NS_OK;
}

/* The value of that name which knows the most attributes, those of its forms apart; NULL: none has
 * any. <motor> is one of several elements, and a default of it is for all. */
static const ns_lang_item *value_of_defaults(const char *name)
{
  const ns_lang_element *e;
  const ns_lang_item *found = NULL;
  int max = 0;
  for (int k = 0; (e = ns_lang_at(k)) && e->group < NS_LANG_STUDY; k++) {
    const ns_lang_item *i = ns_lang_value(e, name);
    int n = i ? ns_elem_attributes(&(ns_elem){.value = i}) - NS_LANG_VALUE_ATTRIBUTES : 0;
    if (n > max) found = i;
    if (n > max) max = n;
  }
  return found;
}

/* Whether some element has a value of that name. */
static int is_value(const char *name)
{
  const ns_lang_element *e;
  for (int k = 0; (e = ns_lang_at(k)) && e->group < NS_LANG_STUDY; k++)
    if (ns_lang_value(e, name)) return 1;
  return 0;
}

static int unknown_default(ns_tree *t, const xmlNode *x, const ns_opened *f)
{
  const char *near = is_value(TEXT(x->name)) ? NULL : ns_lang_suggest(TEXT(x->name));
  long line = xmlGetLineNo((xmlNode *)(uintptr_t)x);
  ns_quotation name = ns_quoted(TEXT(x->name));
  if (near && strcmp(near, TEXT(x->name)))
    return ns_fail(&t->msg->c, NS_MODEL,
                   "%.200s:%ld: unknown element <%s> in <defaults>, did you mean <%s>?", f->shown,
                   line, name.text, near);
  if (is_value(TEXT(x->name)))
    return ns_fail(
        &t->msg->c, NS_MODEL,
        "%.200s:%ld: <%s> has no default, because its attributes, if any, only stand for "
        "its text; use a parameter of the model in its text instead",
        f->shown, line, name.text);
  return ns_fail(&t->msg->c, NS_MODEL,
                 "%.200s:%ld: <%s> is not allowed in <defaults>, expected an element of models "
                 "that has attributes",
                 f->shown, line, name.text);
}

static int read_default(ns_tree *t, const xmlNode *x, const ns_opened *f, ns_elem *parent)
{
  if (!right_namespace(t, x, f)) return NS_OK;
  const ns_lang_element *def = ns_lang_find(TEXT(x->name));
  int usable = def && def->attributes && def->group < NS_LANG_STUDY && strcmp(def->name, "model") &&
               strcmp(def->name, "xi:include");
  const ns_lang_item *value = usable ? NULL : value_of_defaults(TEXT(x->name));
  if (!usable && !value) {
    unknown_default(t, x, f);
    return NS_OK;
  }
  ns_elem *e = new_elem(t, x, f, parent);
  if (!e) return NS_NOMEM;
  e->def = usable ? def : NULL;
  e->value = value;
  e->name = usable ? def->name : value->name;
  int rc = read_attributes(t, e, x);
  if (!rc && !check_default(t, e, x)) link_child(parent, e);
  return rc;
}

static int read_defaults(ns_tree *t, const xmlNode *x, const ns_opened *f, ns_elem *e)
{
  int rc = NS_OK;
  if (!t->defaults) t->defaults = e;
  for (const xmlNode *k = x->children; k && !rc; k = k->next)
    if (k->type == XML_ELEMENT_NODE) rc = read_default(t, k, f, e);
  if (!rc) has_text(t, e, x);
  return rc;
}

/* Attributes and children of e, which is known to be allowed where it stands. */
static int read_element(ns_tree *t, const xmlNode *x, const ns_opened *f, ns_elem *e,
                        const ns_lang_element *def)
{
  e->def = def;
  e->name = def->name;
  int rc = read_attributes(t, e, x);
  if (e->depth > NS_ELEM_DEPTH) {
    ns_elem_fail(t->msg, e, NULL, "is nested more than %d deep, expected fewer levels",
                 NS_ELEM_DEPTH);
    return rc;
  }
  if (!rc && !strcmp(def->name, "defaults")) return read_defaults(t, x, f, e);
  if (!rc) rc = def->content ? read_text(t, e, x) : read_children(t, x, f, e);
  if (!rc) missing_children(t, e);
  return rc;
}

static int is_include(const xmlNode *x)
{
  return x->ns && !strcmp(TEXT(x->ns->href), NS_LANG_XINCLUDE) && !strcmp(TEXT(x->name), "include");
}

static int read_child(ns_tree *t, xmlNode *x, const ns_opened *f, ns_elem *parent);

/* What stands in the other file takes the place of <xi:include>. */
static int read_include(ns_tree *t, xmlNode *x, const ns_opened *f, ns_elem *parent)
{
  ns_opened other;
  xmlNode *root = NULL;
  ns_elem *e = new_elem(t, x, f, parent);
  if (!e) return NS_NOMEM;
  e->def = ns_lang_find("xi:include");
  e->name = e->def->name;
  int rc = read_attributes(t, e, x);
  if (rc || e->bad) return rc;
  for (const xmlNode *k = x->children; k; k = k->next)
    if (k->type == XML_ELEMENT_NODE)
      ns_elem_fail(t->msg, e, NULL,
                   "<%.40s> is not allowed here: there is no fallback, expected nothing",
                   TEXT(k->name));
  const char *parse = ns_elem_attr(e, "parse");
  if (parse && strcmp(parse, "xml")) {
    ns_elem_fail(t->msg, e, NULL, "attribute parse is %s, expected xml", ns_quoted(parse).text);
    return NS_OK;
  }
  rc = ns_include_open(t, e, x, f, &other, &root);
  if (!root) parent->stranger = NS_ELEM_FILE;
  return rc || !root ? (rc == NS_NOMEM ? rc : NS_OK) : read_child(t, root, &other, parent);
}

/* One that has been reported, read as the one that was meant: its own errors are told too, and
 * nothing refers to what is not there. */
static int read_mistyped(ns_tree *t, const xmlNode *x, const ns_opened *f, ns_elem *parent,
                         const char *meant)
{
  const ns_lang_element *d = ns_elem_container(parent), *def = ns_lang_find(meant);
  const ns_lang_item *value = parent->def == d ? ns_lang_value(d, meant) : NULL;
  if (value) return ns_elem_value(parent, meant) ? NS_OK : read_value(t, x, f, parent, value);
  const ns_lang_child *row = def ? ns_lang_allows(d, def) : NULL;
  int one = row && row->max != NS_LANG_MANY;
  if (!row ||
      (one && (row->name ? ns_elem_child(parent, row->name) : ns_elem_group(parent, row->group))))
    return NS_OK;
  ns_elem *e = new_elem(t, x, f, parent);
  if (!e) return NS_NOMEM;
  link_child(parent, e);
  return read_element(t, x, f, e, def);
}

static int read_child(ns_tree *t, xmlNode *x, const ns_opened *f, ns_elem *parent)
{
  if (is_include(x)) return read_include(t, x, f, parent);
  if (!right_namespace(t, x, f)) return NS_OK;
  const ns_lang_element *d = ns_elem_container(parent), *def = ns_lang_find(TEXT(x->name));
  const ns_lang_item *value = parent->def == d ? ns_lang_value(d, TEXT(x->name)) : NULL;
  if (value) return read_value(t, x, f, parent, value);
  const ns_lang_child *row = def ? ns_lang_allows(d, def) : NULL;
  if (!row) {
    const char *meant = ns_tree_unexpected(t, parent, x, f);
    return meant ? read_mistyped(t, x, f, parent, meant) : NS_OK;
  }
  ns_elem *e = new_elem(t, x, f, parent);
  if (!e) return NS_NOMEM;
  int rc = read_element(t, x, f, e, def);
  if (!rc && fits(t, parent, e, row)) link_child(parent, e);
  return rc;
}

/* Text where elements alone may stand; told. */
static int has_text(ns_tree *t, const ns_elem *e, const xmlNode *x)
{
  for (const xmlNode *k = x->children; k; k = k->next) {
    if (!k->content || (k->type != XML_TEXT_NODE && k->type != XML_CDATA_SECTION_NODE)) continue;
    if (is_blank(TEXT(k->content))) continue;
    const char *s = TEXT(k->content);
    while (isspace((unsigned char)*s)) s++;
    size_t n = strlen(s);
    while (n && isspace((unsigned char)s[n - 1])) n--;
    return ns_elem_fail(t->msg, e, NULL, "the text \"%s\" is not allowed here, expected only %s%s",
                        ns_quote(s, n, 0).text, is_default(t, e) ? "attributes" : "elements",
                        *s == '#' || *s == '%' || (*s == '/' && (s[1] == '/' || s[1] == '*'))
                            ? "; write comments as <!-- ... -->"
                            : "");
  }
  return 0;
}

/* <defaults> of a model are read before all that takes them, wherever they stand. */
static int read_children(ns_tree *t, const xmlNode *x, const ns_opened *f, ns_elem *e)
{
  int rc = NS_OK;
  xmlNode *first = NULL;
  for (xmlNode *k = e->parent ? NULL : x->children; k && !first; k = k->next)
    if (k->type == XML_ELEMENT_NODE && !strcmp(TEXT(k->name), "defaults")) first = k;
  if (first) rc = read_child(t, first, f, e);
  for (xmlNode *k = x->children; k && !rc && !ns_messages_full(t->msg); k = k->next)
    if (k->type == XML_ELEMENT_NODE && k != first) rc = read_child(t, k, f, e);
  has_text(t, e, x);
  return rc;
}

/* A file of the other language. */
static const char *other_root(const char *found)
{
  if (!strcmp(found, "study")) return "; a study is run by `nssim sweep`";
  return strcmp(found, "model") ? "" : "; name the model in a study: <study model=\"FILE\">";
}

int ns_tree_read(ns_tree *t, const char *name, const char *text, size_t n)
{
  ns_opened f;
  xmlNode *root = NULL;
  const char *want = t->name ? t->name : "model";
  int rc = ns_include_first(t, name, text, n, &f, &root);
  if (rc || !root) return rc == NS_NOMEM ? rc : NS_OK;
  if (strcmp(TEXT(root->name), want) && !is_include(root)) {
    ns_fail(&t->msg->c, NS_MODEL,
            "%.200s:%ld: the root element is <%s>, expected <%s xmlns=\"" NS_LANG_NAMESPACE "\">%s",
            f.shown, xmlGetLineNo(root), ns_quoted(TEXT(root->name)).text, want,
            other_root(TEXT(root->name)));
    return NS_OK;
  }
  if (!right_namespace(t, root, &f)) return NS_OK;
  ns_elem *e = new_elem(t, root, &f, NULL);
  if (!e) return NS_NOMEM;
  rc = read_element(t, root, &f, e, ns_lang_find(want));
  t->root = e;
  return rc;
}
