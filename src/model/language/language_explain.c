/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_explain.c -- `nssim explain` from the language table, as text and as JSON. */
#include "model/language/language.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

void ns_lang_print_overview(FILE *f)
{
  const ns_lang_element *e;
  for (int g = 0; g < NS_LANG_GROUPS; g++) {
    fprintf(f, "%s%s\n", g ? "\n" : "", ns_lang_group_text((ns_lang_group)g));
    for (int k = 0; (e = ns_lang_at(k)); k++)
      if ((int)e->group == g) fprintf(f, "  %-32s %s\n", e->name, e->help);
  }
  fputs("\n`nssim explain ELEMENT` describes an element, `nssim explain ELEMENT.ATTRIBUTE` an "
        "attribute.\n",
        f);
}

/* s, folded at 78 columns behind `in` blanks. Lines of s that begin with a blank stay as they are.
 */
static void folded(FILE *f, int in, const char *s)
{
  int col = 0;
  while (*s) {
    if (*s == '\n' || (*s == ' ' && (col == 0))) {
      const char *end = *s == '\n' ? s : s + strcspn(s, "\n");
      if (end > s) fprintf(f, "%*s%.*s", in, "", (int)(end - s), s);
      fputc('\n', f);
      s = *end ? end + 1 : end;
      col = 0;
      continue;
    }
    int n = (int)strcspn(s, " \n");
    if (col && in + col + 1 + n > 78) {
      fputc('\n', f);
      col = 0;
    }
    if (col) fputc(' ', f), col++;
    else fprintf(f, "%*s", in, "");
    fprintf(f, "%.*s", n, s);
    col += n;
    s += n;
    if (*s == ' ') s++;
    if (*s == '\n') {
      fputc('\n', f);
      col = 0;
      s++;
    }
  }
  if (col) fputc('\n', f);
}

static void item_details(FILE *f, const ns_lang_item *i)
{
  char buf[64];
  fprintf(f, "      %s", ns_lang_shape(i, buf, sizeof buf));
  if (i->choices) fprintf(f, ", one of: %s", i->choices);
  if (i->range) fprintf(f, " in %s", i->range);
  if (i->word) fprintf(f, ", or %s", i->word);
  if (i->unit) fprintf(f, ", unit %s", i->unit);
  if (i->required) fputs(", required", f);
  else if (i->initial && *i->initial) fprintf(f, ", default %s", i->initial);
  fputc('\n', f);
  if (!i->forms) return;
  fputs("      written as ", f);
  fputs(i->forms & NS_LANG_FORM_TEXT ? "text" : "", f);
  for (int k = 0; k < NS_LANG_FORM_ATTRIBUTES; k++)
    if (i->forms & 2u << k) fprintf(f, ", %s=", ns_lang_form_names[k]);
  ns_lang_uses(i, buf, sizeof buf);
  fprintf(f, "; formulas of %s%sparameters and indices\n", buf, *buf ? ", " : "");
}

static void one_item(FILE *f, const ns_lang_item *i, int value)
{
  fprintf(f, "  %s%s%s\n", value ? "<" : "", i->name, value ? ">" : "");
  folded(f, 6, i->help);
  item_details(f, i);
  for (const ns_lang_item *a = i->attributes; a && a->name; a++) {
    fprintf(f, "      %s=\n", a->name);
    folded(f, 10, a->help);
    fputs("    ", f);
    item_details(f, a);
  }
}

static void stands_in(FILE *f, const ns_lang_element *e)
{
  const ns_lang_element *d;
  int n = 0;
  for (int k = 0; (d = ns_lang_at(k)); k++)
    if (ns_lang_allows(d, e)) fprintf(f, "%s<%s>", n++ ? ", " : "\nAllowed in ", d->name);
  if (n) fputs(".\n", f);
}

static void holds(FILE *f, const ns_lang_element *e)
{
  if (!e->children) return;
  fputs("\nContains\n", f);
  for (const ns_lang_child *k = e->children; k->max; k++) {
    const ns_lang_element *d;
    fprintf(f, "  %s ", k->max == NS_LANG_MANY ? "any number of" : k->min ? "one" : "at most one");
    if (k->name) {
      fprintf(f, "<%s>\n", k->name);
      continue;
    }
    fprintf(f, "%s:", ns_lang_group_text(k->group));
    for (int i = 0; (d = ns_lang_at(i)); i++)
      if (d->group == k->group) fprintf(f, " <%s>", d->name);
    fputc('\n', f);
  }
}

void ns_lang_print_element(FILE *f, const ns_lang_element *e, const ns_lang_item *item)
{
  if (item) {
    int value = item->forms || ns_lang_value(e, item->name) == item;
    fprintf(f, "<%s>\n", e->name);
    one_item(f, item, value);
    return;
  }
  fprintf(f, "<%s>, %s\n\n", e->name, ns_lang_group_text(e->group));
  folded(f, 0, e->help);
  if (e->text) {
    fputc('\n', f);
    folded(f, 0, e->text);
  }
  if (e->more) {
    fputc('\n', f);
    folded(f, 0, e->more);
  }
  stands_in(f, e);
  if (e->attributes) fputs("\nAttributes\n", f);
  for (const ns_lang_item *i = e->attributes; i && i->name; i++) one_item(f, i, 0);
  if (e->values) fputs("\nValues\n", f);
  for (const ns_lang_item *i = e->values; i && i->name; i++) one_item(f, i, 1);
  if (e->content) {
    fputs("\nText\n", f);
    one_item(f, e->content, 0);
  }
  holds(f, e);
  if (!e->example) return;
  fputs("\nExample\n", f);
  for (const char *s = e->example; *s;) {
    size_t n = strcspn(s, "\n");
    fprintf(f, "  %.*s\n", (int)n, s);
    s += n + (s[n] == '\n');
  }
}

/* ---- an attribute without its element -------------------------------------------------------- */

/* The attribute or value of this name; NULL: it has none. */
static const ns_lang_item *item_named(const ns_lang_element *e, const char *name)
{
  const ns_lang_item *i = ns_lang_attribute(e, name);
  return i ? i : ns_lang_value(e, name);
}

static int same_text(const char *a, const char *b)
{
  if (!a || !b) return a == b;
  return !strcmp(a, b);
}

static int same_item(const ns_lang_item *a, const ns_lang_item *b)
{
  return a && b && same_text(a->help, b->help) && same_text(a->initial, b->initial) &&
         same_text(a->choices, b->choices) && same_text(a->range, b->range) &&
         a->required == b->required && a->forms == b->forms;
}

/* 1: an element before number k has the same one. */
static int is_explained(int k, const ns_lang_item *item)
{
  for (int j = 0; j < k; j++)
    if (same_item(item_named(ns_lang_at(j), item->name), item)) return 1;
  return 0;
}

int ns_lang_print_items(FILE *f, const char *name)
{
  const ns_lang_element *e, *d;
  int n = 0, printed = 0;
  for (int k = 0; (e = ns_lang_at(k)); k++) n += item_named(e, name) != NULL;
  if (n > 1) fprintf(f, "%d elements have %s.\n\n", n, name);
  for (int k = 0; (e = ns_lang_at(k)); k++) {
    const ns_lang_item *item = item_named(e, name);
    if (!item || is_explained(k, item)) continue;
    int col = fprintf(f, "%s<%s>", printed++ ? "\n" : "", e->name);
    for (int j = k + 1; (d = ns_lang_at(j)); j++) {
      if (!same_item(item_named(d, name), item)) continue;
      int fits = col + (int)strlen(d->name) < 74;
      col = fits ? col : 0;
      col += fprintf(f, fits ? ", <%s>" : ",\n<%s>", d->name);
    }
    fputc('\n', f);
    one_item(f, item, item->forms || ns_lang_value(e, name) == item);
  }
  return n;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *text_or_null(const char *s) { return s ? json_string(s) : json_null(); }

/* The words of s. */
static json_t *words(const char *s)
{
  json_t *a = json_array();
  while (s && *s) {
    size_t n = strcspn(s, " ,");
    if (json_array_append_new(a, json_stringn(s, n))) break;
    s += n + strspn(s + n, " ,");
  }
  return a;
}

static json_t *items_json(const ns_lang_item *i);

static json_t *item_json(const ns_lang_item *i)
{
  char uses[64];
  json_t *forms = json_array();
  if (i->forms & NS_LANG_FORM_TEXT) json_array_append_new(forms, json_string("text"));
  for (int k = 0; k < NS_LANG_FORM_ATTRIBUTES; k++)
    if (i->forms & 2u << k) json_array_append_new(forms, json_string(ns_lang_form_names[k]));
  json_t *j = json_pack(
      "{s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o}", "name", i->name, "type",
      ns_lang_type_text(i->type), "required", i->required, "default", text_or_null(i->initial),
      "range", text_or_null(i->range), "choices", words(i->choices), "word", text_or_null(i->word),
      "unit", text_or_null(i->unit), "help", i->help, "rows", text_or_null(i->rows), "columns",
      text_or_null(i->cols), "forms", forms, "depends", words(ns_lang_uses(i, uses, sizeof uses)));
  if (i->attributes) json_object_set_new(j, "attributes", items_json(i->attributes));
  return j;
}

static json_t *items_json(const ns_lang_item *i)
{
  json_t *a = json_array();
  for (; i && i->name; i++) json_array_append_new(a, item_json(i));
  return a;
}

static json_t *children_json(const ns_lang_child *k)
{
  json_t *a = json_array();
  for (; k && k->max; k++)
    json_array_append_new(
        a, json_pack("{s:o, s:o, s:i, s:o}", "element", text_or_null(k->name), "group",
                     k->name ? json_null() : json_string(ns_lang_group_text(k->group)), "min",
                     k->min, "max", k->max == NS_LANG_MANY ? json_null() : json_integer(k->max)));
  return a;
}

static json_t *whole_text(const ns_lang_element *e)
{
  return e->more ? json_sprintf("%s\n\n%s", e->text, e->more) : text_or_null(e->text);
}

static json_t *element_json(const ns_lang_element *e)
{
  return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "name", e->name, "group",
                   ns_lang_group_text(e->group), "help", e->help, "text", whole_text(e), "example",
                   text_or_null(e->example), "attributes", items_json(e->attributes), "values",
                   items_json(e->values), "content",
                   e->content ? item_json(e->content) : json_null(), "children",
                   children_json(e->children));
}

int ns_lang_print_json(FILE *f, const ns_lang_element *e, const ns_lang_item *item)
{
  json_t *j = item ? item_json(item) : e ? element_json(e) : json_array();
  const ns_lang_element *d;
  for (int k = 0; !e && (d = ns_lang_at(k)); k++) json_array_append_new(j, element_json(d));
  char *s = j ? json_dumps(j, JSON_INDENT(2)) : NULL;
  json_decref(j);
  if (!s) return -1;
  fputs(s, f);
  fputc('\n', f);
  free(s);
  return 0;
}
