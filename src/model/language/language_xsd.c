/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_xsd.c -- nssim.xsd from the language table.
 *
 * The schema describes models after their includes are put in place; XSD 1.0 cannot say that a
 * value is written in exactly one form, what formulas mean, or that ids are unique: nssim does.
 * Children may stand in any order: xs:all where each is an element, all orders written out where
 * one is a group. */
#include "model/language/language.h"

#include <string.h>

static void text(FILE *f, const char *s)
{
  for (; *s; s++) switch (*s) {
    case '<': fputs("&lt;", f); break;
    case '>': fputs("&gt;", f); break;
    case '&': fputs("&amp;", f); break;
    case '"': fputs("&quot;", f); break;
    default: fputc(*s, f);
    }
}

static void indent(FILE *f, int n) { fprintf(f, "%*s", 2 * n, ""); }

static void documentation(FILE *f, int in, const char *s)
{
  indent(f, in);
  fputs("<xs:annotation><xs:documentation>", f);
  text(f, s);
  fputs("</xs:documentation></xs:annotation>\n", f);
}

static const char *simple_type(const ns_lang_item *i)
{
  switch (i->type) {
  case NS_LANG_NAME: return "name";
  case NS_LANG_NAMES: return "names";
  case NS_LANG_ID: return "id";
  case NS_LANG_IDS: return "ids";
  case NS_LANG_INTEGER:
  case NS_LANG_REAL: return "formula";
  case NS_LANG_FILE:
  case NS_LANG_PATTERNS: return "filled";
  default: return "xs:string";
  }
}

static void enumeration(FILE *f, int in, const char *choices)
{
  indent(f, in);
  fputs("<xs:simpleType><xs:restriction base=\"xs:string\">\n", f);
  for (const char *p = choices; *p;) {
    size_t n = strcspn(p, " ");
    indent(f, in + 1);
    fprintf(f, "<xs:enumeration value=\"%.*s\"/>\n", (int)n, p);
    p += n + strspn(p + n, " ");
  }
  indent(f, in);
  fputs("</xs:restriction></xs:simpleType>\n", f);
}

static void attributes(FILE *f, int in, const ns_lang_item *i)
{
  for (; i && i->name; i++) {
    indent(f, in);
    fprintf(f, "<xs:attribute name=\"%s\"%s", i->name, i->required ? " use=\"required\"" : "");
    if (i->type != NS_LANG_ENUM) fprintf(f, " type=\"%s\"", simple_type(i));
    fputs(">\n", f);
    documentation(f, in + 1, i->help);
    if (i->type == NS_LANG_ENUM) enumeration(f, in + 1, i->choices);
    indent(f, in);
    fputs("</xs:attribute>\n", f);
  }
}

static void class_attribute(FILE *f, int in)
{
  indent(f, in);
  fputs("<xs:attribute name=\"class\" type=\"name\"/>\n", f);
}

/* A value with attributes of its own. */
static void extended(FILE *f, int in, const ns_lang_item *i)
{
  indent(f, in);
  fprintf(f, "<xs:complexType><xs:simpleContent><xs:extension base=\"value.%u\">\n", i->forms);
  attributes(f, in + 1, i->attributes);
  class_attribute(f, in + 1);
  indent(f, in);
  fputs("</xs:extension></xs:simpleContent></xs:complexType>\n", f);
}

static void value(FILE *f, int in, const ns_lang_item *i, int may_be_absent)
{
  indent(f, in);
  fprintf(f, "<xs:element name=\"%s\"", i->name);
  if (i->forms && !i->attributes) fprintf(f, " type=\"value.%u\"", i->forms);
  else if (!i->forms) fputs(" type=\"xs:string\"", f);
  fprintf(f, "%s>\n", may_be_absent ? " minOccurs=\"0\"" : "");
  documentation(f, in + 1, i->help);
  if (i->attributes) extended(f, in + 1, i);
  indent(f, in);
  fputs("</xs:element>\n", f);
}

/* ---- orders ---------------------------------------------------------------------------------- */

/* A child or value; one may come before the other in any order. */
typedef struct particle {
  const ns_lang_item *item;
  const ns_lang_child *child;
  int required;
} particle;
enum { PARTICLES_MAX = 24, ORDERED_MAX = 4 };

static int particles(const ns_lang_element *e, particle *p, int *groups, int *many)
{
  int n = 0;
  *groups = *many = 0;
  for (const ns_lang_item *i = e->values; i && i->name && n < PARTICLES_MAX; i++)
    p[n++] = (particle){.item = i, .required = i->required};
  for (const ns_lang_child *k = e->children; k && k->max && n < PARTICLES_MAX; k++) {
    p[n++] = (particle){.child = k, .required = k->min > 0};
    *groups += !k->name;
    *many += k->max == NS_LANG_MANY;
  }
  return n;
}

static void group_ref(FILE *f, int in, ns_lang_group g, const char *occurs)
{
  const ns_lang_element *d;
  indent(f, in);
  fprintf(f, "<xs:choice%s>\n", occurs);
  for (int k = 0; (d = ns_lang_at(k)); k++)
    if (d->group == g) {
      indent(f, in + 1);
      fprintf(f, "<xs:element name=\"%s\" type=\"type.%s\"/>\n", d->name, d->name);
    }
  indent(f, in);
  fputs("</xs:choice>\n", f);
}

static void one(FILE *f, int in, const particle *p, int may_be_absent)
{
  const char *occurs = may_be_absent ? " minOccurs=\"0\"" : "";
  if (p->item) {
    value(f, in, p->item, may_be_absent);
  } else if (p->child->name) {
    indent(f, in);
    fprintf(f, "<xs:element name=\"%s\" type=\"type.%s\"%s/>\n", p->child->name, p->child->name,
            occurs);
  } else {
    group_ref(f, in, p->child->group, occurs);
  }
}

/* All orders of the particles in p[0..n), each of which appears at most once. */
static void orders(FILE *f, int in, const particle *p, int n)
{
  if (n == 1) {
    one(f, in, p, !p->required);
    return;
  }
  int required = 0;
  for (int k = 0; k < n; k++) required |= p[k].required;
  indent(f, in);
  fprintf(f, "<xs:choice%s>\n", required ? "" : " minOccurs=\"0\"");
  for (int k = 0; k < n; k++) {
    particle rest[ORDERED_MAX];
    int m = 0;
    for (int i = 0; i < n; i++)
      if (i != k) rest[m++] = p[i];
    indent(f, in + 1);
    fputs("<xs:sequence>\n", f);
    one(f, in + 2, &p[k], 0);
    orders(f, in + 2, rest, m);
    indent(f, in + 1);
    fputs("</xs:sequence>\n", f);
  }
  indent(f, in);
  fputs("</xs:choice>\n", f);
}

/* Has to stand there, and only once. */
static int is_one(const particle *p)
{
  return p->required && !(p->child && p->child->max == NS_LANG_MANY);
}

static int holds_its_surroundings(const char *name)
{
  return !strcmp(name, "repeat") || !strcmp(name, "frame");
}

/* Any number of the children but `without`, includes among them. holder: the element whose <repeat>
 * this may be. What may stand there once is not counted: XSD 1.0 has no words for that beside
 * others that stand there often. */
static void list(FILE *f, int in, const ns_lang_element *holder, const particle *p, int n,
                 int without)
{
  indent(f, in);
  fputs("<xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n", f);
  for (int k = 0; k < n; k++) {
    const ns_lang_child *c = p[k].child;
    if (k == without || is_one(&p[k])) continue;
    if (c && c->name && holds_its_surroundings(c->name)) {
      indent(f, in + 1);
      fprintf(f, "<xs:element name=\"%s\" type=\"type.%s.%s\"/>\n", c->name, c->name, holder->name);
    } else {
      one(f, in + 1, &p[k], 0);
    }
  }
  indent(f, in + 1);
  fputs("<xs:any namespace=\"" NS_LANG_XINCLUDE "\" processContents=\"skip\"/>\n", f);
  indent(f, in);
  fputs("</xs:choice>\n", f);
}

/* The one that has to stand there, any number of others before and behind it, and of itself behind
 * it where it may stand there often. */
static void mixed(FILE *f, int in, const ns_lang_element *e, const particle *p, int n)
{
  int k = 0;
  while (k < n && !p[k].required) k++;
  if (k < n) {
    indent(f, in);
    fputs("<xs:sequence>\n", f);
    list(f, in + 1, e, p, n, k);
    one(f, in + 1, &p[k], 0);
  }
  list(f, k < n ? in + 1 : in, e, p, n, -1);
  if (k == n) return;
  indent(f, in);
  fputs("</xs:sequence>\n", f);
}

static int holds(const ns_lang_element *e, const char *name)
{
  for (const ns_lang_child *k = e->children; k && k->max; k++)
    if (k->name && !strcmp(k->name, name)) return 1;
  return 0;
}

static void content(FILE *f, const ns_lang_element *e)
{
  particle p[PARTICLES_MAX];
  int groups, many, n = particles(e, p, &groups, &many);
  if (n == 0) return;
  if (many) {
    mixed(f, 2, e, p, n);
  } else if (groups && n <= ORDERED_MAX) {
    orders(f, 2, p, n);
  } else {
    fputs("    <xs:all>\n", f);
    for (int k = 0; k < n; k++) one(f, 3, &p[k], !p[k].required);
    fputs("    </xs:all>\n", f);
  }
}

/* What may take defaults of a class. */
static int has_class(const ns_lang_element *e)
{
  return e->group < NS_LANG_STUDY && strcmp(e->name, "model") && strcmp(e->name, "defaults") &&
         !ns_lang_attribute(e, "class");
}

/* <repeat> or <frame> in e: what may stand in e, but for its values. */
static void inner_type(FILE *f, const ns_lang_element *e, const char *name)
{
  particle p[PARTICLES_MAX];
  int groups, many, n = particles(e, p, &groups, &many), values = 0;
  while (values < n && p[values].item) values++;
  fprintf(f, "\n  <xs:complexType name=\"type.%s.%s\">\n", name, e->name);
  list(f, 2, e, p + values, n - values, -1);
  attributes(f, 2, ns_lang_find(name)->attributes);
  class_attribute(f, 2);
  fputs("  </xs:complexType>\n", f);
}

static void complex_type(FILE *f, const ns_lang_element *e)
{
  fprintf(f, "\n  <xs:complexType name=\"type.%s\">\n", e->name);
  documentation(f, 2, e->help);
  if (e->content) fputs("    <xs:simpleContent><xs:extension base=\"xs:string\">\n", f);
  else content(f, e);
  if (!strcmp(e->name, "defaults")) /* any elements, with some of their attributes */
    fputs("    <xs:sequence><xs:any namespace=\"##targetNamespace\" processContents=\"skip\" "
          "minOccurs=\"0\" maxOccurs=\"unbounded\"/></xs:sequence>\n",
          f);
  attributes(f, e->content ? 3 : 2, e->attributes);
  if (has_class(e)) class_attribute(f, e->content ? 3 : 2);
  if (e->content) fputs("    </xs:extension></xs:simpleContent>\n", f);
  fputs("  </xs:complexType>\n", f);
  for (int k = 0; k < 2; k++)
    if (holds(e, k ? "frame" : "repeat")) inner_type(f, e, k ? "frame" : "repeat");
}

/* Types of values, one for each set of forms in use. */
static void value_types(FILE *f)
{
  for (unsigned forms = 1; forms < 2u << NS_LANG_FORM_ATTRIBUTES; forms++) {
    const ns_lang_element *e;
    int used = 0;
    for (int k = 0; (e = ns_lang_at(k)); k++)
      for (const ns_lang_item *i = e->values; i && i->name; i++) used |= i->forms == forms;
    if (!used) continue;
    fprintf(f,
            "\n  <xs:complexType name=\"value.%u\">\n    <xs:simpleContent><xs:extension "
            "base=\"xs:string\">\n",
            forms);
    for (int k = 0; k < NS_LANG_VALUE_ATTRIBUTES; k++)
      if (ns_lang_has_form(&(ns_lang_item){.forms = forms}, k))
        fprintf(f, "      <xs:attribute name=\"%s\" type=\"filled\"/>\n", ns_lang_form_names[k]);
    fputs("    </xs:extension></xs:simpleContent>\n  </xs:complexType>\n", f);
  }
}

void ns_lang_print_xsd(FILE *f)
{
  static const struct {
    const char *name, *pattern;
  } simple[] = {
      {"name", "[A-Za-z_][A-Za-z0-9_]*"},
      {"names", "\\s*[A-Za-z_][A-Za-z0-9_]*(\\s+[A-Za-z_][A-Za-z0-9_]*)*\\s*"},
      {"id", "([A-Za-z_]|\\{[^{}]+\\})([A-Za-z0-9_\\-]|\\{[^{}]+\\})*"},
      {"ids", "\\s*([A-Za-z0-9_\\-]|\\{[^{}]+\\})+(\\s+([A-Za-z0-9_\\-]|\\{[^{}]+\\})+)*\\s*"},
      {"formula", "\\s*[^\\s](.|\\s)*"},
      {"filled", "\\s*[^\\s](.|\\s)*"},
  };
  const ns_lang_element *e;
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<!-- SPDX-License-Identifier: GPL-3.0-or-later -->\n"
        "<!-- Printed by `nssim schema` from the language table; do not edit. -->\n"
        "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" xmlns=\"" NS_LANG_NAMESPACE "\"\n"
        "    targetNamespace=\"" NS_LANG_NAMESPACE "\" elementFormDefault=\"qualified\">\n",
        f);
  documentation(
      f, 1,
      "Models and studies of nssim, with includes put in place: xmllint --noout --xinclude "
      "--nofixup-base-uris --schema nssim.xsd model.xml. `nssim check` finds more.");
  fputs("\n  <xs:element name=\"model\" type=\"type.model\"/>\n"
        "  <xs:element name=\"study\" type=\"type.study\"/>\n\n",
        f);
  for (size_t k = 0; k < sizeof simple / sizeof *simple; k++)
    fprintf(f,
            "  <xs:simpleType name=\"%s\"><xs:restriction base=\"xs:string\"><xs:pattern "
            "value=\"%s\"/></xs:restriction></xs:simpleType>\n",
            simple[k].name, simple[k].pattern);
  value_types(f);
  for (int k = 0; (e = ns_lang_at(k)); k++)
    if (!holds_its_surroundings(e->name) && strcmp(e->name, "xi:include")) complex_type(f, e);
  fputs("</xs:schema>\n", f);
}
