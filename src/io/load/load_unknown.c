/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/load/load_unknown.h"

#include "base/suggest.h"
#include "expression/quote.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define TEXT(x) ((const char *)(x))

const ns_lang_element *ns_elem_container(const ns_elem *e)
{
  while (e->parent && (!strcmp(e->name, "repeat") || !strcmp(e->name, "frame"))) e = e->parent;
  return e->def;
}

/* ---- attributes ------------------------------------------------------------------------------ */

const char *ns_elem_attribute_name(const ns_elem *e, int k)
{
  if (e->value) {
    for (int i = 0; i < NS_LANG_VALUE_ATTRIBUTES; i++)
      if (ns_lang_has_form(e->value, i) && k-- == 0) return ns_lang_form_names[i];
    return e->value->attributes ? e->value->attributes[k].name : NULL;
  }
  return e->def->attributes ? e->def->attributes[k].name : NULL;
}

/* What is an attribute elsewhere: the name of a value of e, or of an attribute of an element that e
 * may contain. 1 if it is one of these and reported. */
static int misplaced_attribute(ns_tree *t, const ns_elem *e, const char *name)
{
  const ns_lang_element *child;
  enum { FEW_OWNERS = 2 };
  char list[128] = "";
  size_t n = 0;
  int owners = 0;
  if (e->value) return 0;
  if (ns_lang_value(e->def, name)) {
    ns_elem_fail(t->msg, e, NULL, "unknown attribute %s, which is an element: <%s>...</%s>", name,
                 name, name);
    return 1;
  }
  for (int k = 0; (child = ns_lang_at(k)); k++)
    if (ns_lang_allows(e->def, child) && ns_lang_attribute(child, name) && ++owners <= FEW_OWNERS)
      n += (size_t)snprintf(list + n, sizeof list - n, "%s<%s>", n ? ", " : "", child->name);
  if (owners == 0 || owners > FEW_OWNERS) return 0; /* id is an attribute of most elements */
  ns_elem_fail(t->msg, e, NULL, "unknown attribute %s, which is an attribute of %s", name, list);
  return 1;
}

/* Words of other programs and of textbooks, what they are called here, and how that differs. */
static const struct {
  const char *word, *name, *note;
} synonyms[] = {{"ball", "Sphere", ""},
                {"diameter", "radius", "half the diameter"},
                {"d", "radius", "half the diameter"},
                {"halfSize", "size", "the whole lengths of the edges"},
                {"half_extents", "size", "the whole lengths of the edges"},
                {"halfExtents", "size", "the whole lengths of the edges"},
                {"half", "size", "the whole lengths of the edges"},
                {"extents", "size", ""},
                {"dimensions", "size", ""},
                {"width", "size", "lengths of the edges along x, y and z"},
                {"height", "size", "lengths of the edges along x, y and z"},
                {"depth", "size", "lengths of the edges along x, y and z"},
                {"length", "size", "lengths of the edges along x, y and z"},
                {"offset", "at", "a point of it"},
                {"position", "at", ""},
                {"pos", "at", ""},
                {"origin", "at", ""},
                {"center", "at", ""},
                {"centre", "at", ""},
                {"xyz", "at", ""},
                {"pos", "q0", ""},
                {"torque", "mExt", ""},
                {"moment", "mExt", ""},
                {"couple", "mExt", ""},
                {"cor", "e", ""},
                {"cor", "en", ""},
                {"bounce", "e", ""},
                {"bounciness", "e", ""},
                {"elasticity", "e", ""},
                {"mu_s", "mu", "one coefficient for stick and slip"},
                {"mu_k", "mu", "one coefficient for stick and slip"},
                {"mu_d", "mu", "one coefficient for stick and slip"},
                {"timestep", "h", ""},
                {"time_step", "h", ""},
                {"deltat", "h", ""},
                {"stoptime", "T", ""},
                {"endtime", "T", ""},
                {"end_time", "T", ""},
                {"tmax", "T", ""},
                {"t_max", "T", ""},
                {"starttime", "t0", ""},
                {"name", "id", ""},
                {"x0", "q0", ""},
                {"xinit", "x0", ""},
                {"init", "q0", ""},
                {"initial", "q0", ""},
                {"speed", "v0", ""},
                {"cube", "Box", ""},
                {"brick", "Box", ""},
                {"ground", "Plane", ""},
                {"floor", "Plane", ""},
                {"gravity", "fExt", ""},
                {"force", "fExt", ""},
                {"weight", "mass", ""},
                {"position", "q0", ""},
                {"velocity", "v0", ""},
                {"stiffness", "K", ""},
                {"damping", "C", ""},
                {"spring", "K", ""},
                {"damper", "C", ""},
                {"body", "NewtonEulerDS", ""},
                {"rigidbody", "NewtonEulerDS", ""},
                {"hinge", "PivotJointR", ""},
                {"revolute", "PivotJointR", ""},
                {"slider", "PrismaticJointR", ""},
                {"r", "radius", ""},
                {"height", "length", ""},
                {"friction", "mu", ""},
                {"restitution", "e", ""},
                {"restitution", "en", ""},
                {"e", "en", ""},
                {"dt", "h", ""},
                {"step", "h", ""},
                {"duration", "T", ""},
                {"tend", "T", ""},
                {"t_end", "T", ""}};

/* What to add to "did you mean NAME", "" where word and name mean the same. */
static const char *note_of(const char *word, const char *name)
{
  for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
    if (!strcasecmp(synonyms[i].word, word) && !strcmp(synonyms[i].name, name))
      return synonyms[i].note;
  return "";
}

/* Offer a name, first of all where the word means the same. */
static void offer(ns_suggest *s, const char *name)
{
  for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++) {
    if (strcasecmp(synonyms[i].word, s->name) != 0 || strcmp(synonyms[i].name, name) != 0) continue;
    s->best = name;
    s->distance = 0;
    return;
  }
  ns_suggest_offer(s, name);
}

const char *ns_tree_unknown_attribute(ns_tree *t, const ns_elem *e, const char *name)
{
  char list[256] = "";
  size_t n = 0;
  const char *known;
  if (misplaced_attribute(t, e, name)) return NULL;
  ns_suggest s = ns_suggest_for(name, strlen(name));
  for (int k = 0; (known = ns_elem_attribute_name(e, k)); k++) {
    offer(&s, known);
    if (n < sizeof list)
      n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", k ? ", " : "", known);
  }
  ns_quotation quoted = ns_quoted(name);
  const char *note = s.best ? note_of(name, s.best) : "";
  if (s.best)
    ns_elem_fail(t->msg, e, NULL, "unknown attribute %s, did you mean %s%s%s?", quoted.text, s.best,
                 *note ? ", " : "", note);
  else if (n)
    ns_elem_fail(t->msg, e, NULL, "unknown attribute %s, expected one of: %s", quoted.text, list);
  else ns_elem_fail(t->msg, e, NULL, "unknown attribute %s, expected none", quoted.text);
  return s.best;
}

/* ---- elements -------------------------------------------------------------------------------- */

/* "a law (<NewtonImpactNSL>)"; returns what snprintf does. */
static int print_group(char *buf, size_t size, ns_lang_group group)
{
  const char *text = ns_lang_group_text(group);
  const ns_lang_element *d;
  int n = snprintf(buf, size, "%s %s (", strchr("aei", *text) ? "an" : "a", text), first = 1;
  for (int k = 0; (d = ns_lang_at(k)); k++) {
    if (d->group != group) continue;
    size_t at = (size_t)n < size ? (size_t)n : size;
    n += snprintf(buf + at, size - at, "%s<%s>", first ? "" : ", ", d->name);
    first = 0;
  }
  size_t at = (size_t)n < size ? (size_t)n : size;
  return n + snprintf(buf + at, size - at, ")");
}

/* The one of a group that may stand in it is there. */
static int is_there(const ns_elem *parent, const ns_lang_child *k)
{
  return !k->name && k->max == 1 && ns_elem_group(parent, k->group);
}

/* All that may stand there is too much for a message: groups by their names. */
static const char *expected_groups(const ns_elem *parent, const ns_lang_element *d, char *buf,
                                   size_t size)
{
  size_t n = 0;
  *buf = 0;
  for (const ns_lang_child *k = d->children; k && k->max && n < size; k++) {
    if (is_there(parent, k)) continue;
    const char *text = k->name ? k->name : ns_lang_group_text(k->group),
               *article = strchr("aei", *text) ? "an" : "a";
    if (k->name) n += (size_t)snprintf(buf + n, size - n, "%s<%s>", n ? ", " : "", text);
    else n += (size_t)snprintf(buf + n, size - n, "%s%s %s", n ? ", " : "", article, text);
  }
  if (n < size) snprintf(buf + n, size - n, "; `nssim explain %s` lists them", d->name);
  return buf;
}

/* What may stand in a container, for messages. */
static const char *expected_inside(const ns_elem *parent, const ns_lang_element *d, char *buf,
                                   size_t size)
{
  size_t n = 0;
  *buf = 0;
  for (const ns_lang_item *i = d->values; i && i->name && n < size; i++)
    n += (size_t)snprintf(buf + n, size - n, "%s<%s>", n ? ", " : "", i->name);
  for (const ns_lang_child *k = d->children; k && k->max && n < size; k++) {
    if (is_there(parent, k)) continue;
    n += (size_t)snprintf(buf + n, size - n, "%s", n ? ", " : "");
    if (n >= size) break;
    n += (size_t)(k->name ? snprintf(buf + n, size - n, "<%s>", k->name)
                          : print_group(buf + n, size - n, k->group));
  }
  if (n >= size) return expected_groups(parent, d, buf, size);
  if (!*buf) snprintf(buf, size, "nothing");
  return buf;
}

/* Whether leaving out letters of `whole` gives a name of five letters or more, with the first four
 * of both the same. */
static int is_shortened(const char *name, const char *whole)
{
  if (strlen(name) < 5 || strncmp(name, whole, 4)) return 0;
  for (; *whole && *name; whole++) name += *name == *whole;
  return !*name;
}

static const char *suggest_inside(const ns_lang_element *d, const char *name)
{
  const ns_lang_element *e;
  ns_suggest s = ns_suggest_for(name, strlen(name));
  for (const ns_lang_item *i = d->values; i && i->name; i++) offer(&s, i->name);
  for (int k = 0; (e = ns_lang_at(k)); k++)
    if (ns_lang_allows(d, e)) offer(&s, e->name);
  if (s.best) return s.best;
  const char *longer = NULL; /* EqualityNSL for EqualityConditionNSL: letters of it are left out */
  for (int k = 0; (e = ns_lang_at(k)); k++)
    if (ns_lang_allows(d, e) && is_shortened(name, e->name) &&
        (!longer || strlen(e->name) < strlen(longer)))
      longer = e->name;
  return longer;
}

/* What the word of another program is called here; "" where that is not known. */
static const char *called_here(const char *word, char *buf, size_t size)
{
  *buf = 0;
  for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms && !*buf; i++)
    if (!strcasecmp(synonyms[i].word, word))
      snprintf(buf, size, "; nssim calls it %s: `nssim explain %s`", synonyms[i].name,
               synonyms[i].name);
  return buf;
}

/* "; it belongs in <model>", where the name may stand in one or two elements, else "". */
static const char *where_allowed(const char *name, char *buf, size_t size)
{
  enum { FEW = 2 };
  const ns_lang_element *e, *d = ns_lang_find(name);
  size_t n = 0;
  int owners = 0;
  *buf = 0;
  for (int k = 0; (e = ns_lang_at(k)); k++) {
    if (!(d && ns_lang_allows(e, d)) && !ns_lang_value(e, name)) continue;
    if (++owners > FEW || n >= size) return "";
    n += (size_t)snprintf(buf + n, size - n, "%s<%s>", n ? " or " : "; it belongs in ", e->name);
  }
  return owners ? buf : called_here(name, buf, size);
}

/* Internal forces in a system whose forces are matrices: those on the right, which are named much
 * alike, have the other sign. */
static int is_internal_force(const ns_lang_element *d, const char *name)
{
  return (!strcasecmp(name, "fInt") || !strcasecmp(name, "fGyr")) && ns_lang_value(d, "K") &&
         ns_lang_value(d, "C");
}

const char *ns_tree_unexpected(ns_tree *t, ns_elem *parent, const xmlNode *x, const ns_opened *f)
{
  char expected[500], where[96];
  const ns_lang_element *d = ns_elem_container(parent);
  int internal = is_internal_force(d, TEXT(x->name));
  const char *near = internal ? NULL : suggest_inside(d, TEXT(x->name));
  long line = xmlGetLineNo((xmlNode *)(uintptr_t)x);
  ns_quotation name = ns_quoted(TEXT(x->name));
  if (internal)
    ns_fail(&t->msg->c, NS_MODEL,
            "%.200s:%ld: <%s> is not allowed in <%s>, whose internal force is C v + K q, on the "
            "left and with the sign of <fInt>: write the matrices <K> and <C>, or describe the "
            "system as a <LagrangianDS> with this <%s>; not as <fExt>, which has the other sign",
            f->shown, line, name.text, d->name, name.text);
  else if (near)
    ns_fail(&t->msg->c, NS_MODEL, "%.200s:%ld: unknown element <%s> in <%s>, did you mean <%s>?",
            f->shown, line, name.text, d->name, near);
  else
    ns_fail(&t->msg->c, NS_MODEL, "%.200s:%ld: <%s> is not allowed in <%s>, expected %s%s",
            f->shown, line, name.text, d->name,
            expected_inside(parent, d, expected, sizeof expected),
            where_allowed(TEXT(x->name), where, sizeof where));
  if (!near && !parent->stranger) parent->stranger = NS_ELEM_UNKNOWN;
  return near;
}
