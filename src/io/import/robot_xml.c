/* SPDX-License-Identifier: GPL-3.0-or-later */
/* robot_xml.c -- elements, attributes and numbers of files of robots; what nobody has looked at is
 * told.
 *
 * Formats of robots have more words than any reader knows, and files have words of no format. So
 * each node that a reader looks at is marked, and what is not marked at the end is told: nothing is
 * dropped in silence. The file is from outside: no DOCTYPE, numbers finite. */
#include "io/import/robot.h"

#include "base/grow.h"
#include "io/load/xml.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const char known; /* what _private of a node points to that has been looked at */

/* libxml2 has no const. */
static void *mark(void) { return (void *)(uintptr_t)&known; }

static void look_at(const xmlNode *x) { ((xmlNode *)(uintptr_t)x)->_private = mark(); }

const char *ns_robot_element(const xmlNode *x) { return (const char *)x->name; }

int ns_robot_nomem(ns_robot *r) { return ns_nomem(&r->msg.c, "the robot"); }

/* ---- messages -------------------------------------------------------------------------------- */

/* The file that x was written in: that of the include around it, or the model's. */
static const char *file_of(const ns_robot *r, const xmlNode *x)
{
  for (const xmlNode *k = x; k; k = k->parent)
    for (int i = 0; i < r->nincluded; i++)
      if (r->included[i].node == k) return r->included[i].shown;
  return r->source->path;
}

int ns_robot_fail(ns_robot *r, const xmlNode *x, const char *fmt, ...)
{
  char what[600];
  NS_FORMAT(what, fmt);
  if (!x) return ns_fail(&r->msg.c, NS_MODEL, "%.200s: %s", file_of(r, x), what);
  xmlChar *name = xmlGetNoNsProp((xmlNode *)(uintptr_t)x, (const xmlChar *)"name");
  char named[100] = "";
  if (name) snprintf(named, sizeof named, " name=\"%.80s\"", (const char *)name);
  xmlFree(name);
  return ns_fail(&r->msg.c, NS_MODEL, "%.200s:%ld: <%.40s%s>: %s", file_of(r, x),
                 xmlGetLineNo((xmlNode *)(uintptr_t)x), ns_robot_element(x), named, what);
}

static void keep_note(ns_robot *r, const xmlNode *x, const char *text)
{
  char line[40] = "";
  int own = x && file_of(r, x) == r->source->path;
  if (x)
    snprintf(line, sizeof line, "%s%ld", own ? "" : "included ",
             xmlGetLineNo((xmlNode *)(uintptr_t)x));
  ns_import_add_note(&r->text, x ? line : NULL, text);
}

void ns_robot_lost(ns_robot *r, const xmlNode *x, const char *fmt, ...)
{
  char what[600];
  NS_FORMAT(what, fmt);
  keep_note(r, x, what);
}

static void look_at_all(const xmlNode *x)
{
  look_at(x);
  for (xmlAttr *a = x->properties; a; a = a->next) a->_private = mark();
  for (const xmlNode *k = ns_robot_first(x); k; k = ns_robot_next(k)) look_at_all(k);
}

void ns_robot_left_out(ns_robot *r, const xmlNode *x, const char *fmt, ...)
{
  char what[600];
  NS_FORMAT(what, fmt);
  look_at_all(x);
  keep_note(r, x, what);
}

/* ---- documents ------------------------------------------------------------------------------- */

static int parse(ns_robot *r, const char *shown, const char *text, size_t n, const char *root,
                 xmlNode **x)
{
  xmlDoc *d = NULL;
  if (ns_grow(&r->doc, r->ndocs)) return ns_robot_nomem(r);
  int rc = ns_xml_parse(&r->msg.c, shown, text, n, root, &d);
  if (rc) return rc;
  r->doc[r->ndocs++] = d;
  *x = xmlDocGetRootElement(d);
  look_at(*x);
  return NS_OK;
}

int ns_robot_parse(ns_robot *r, const char *root, const xmlNode **x)
{
  xmlNode *found = NULL;
  int rc = parse(r, r->source->path, r->source->text, r->source->n, root, &found);
  *x = found;
  return rc;
}

/* What stands in the file of <include> x takes its place; *next: what is to be looked at after it.
 */
static int include(ns_robot *r, xmlNode *x, xmlNode **next)
{
  char at[300];
  ns_text text;
  const char *shown, *real, *name = ns_robot_attribute(r, x, "file");
  xmlNode *root = NULL;
  if (!name)
    return ns_robot_fail(r, x, "attribute file is missing, expected the file to be included");
  if (r->nincluded == NS_ROBOT_INCLUDES)
    return ns_robot_fail(r, x, "is include number %d, expected fewer; do files include each other?",
                         r->nincluded + 1);
  snprintf(at, sizeof at, "%.200s:%ld: <include>", file_of(r, x), xmlGetLineNo(x));
  int rc = ns_files_read_named(&r->files, &r->msg.c, at, r->files.dir, name, &text, &shown, &real);
  if (!rc) rc = parse(r, shown, text.text, text.n, "mujoco", &root);
  if (rc) return rc;
  *next = x->next;
  int first = 1;
  for (xmlNode *of = root->children; of; of = of->next) {
    if (of->type != XML_ELEMENT_NODE) continue;
    /* names belong to documents: a node cannot move to another one */
    xmlNode *k = xmlDocCopyNode(of, x->doc, 1);
    if (!k || !xmlAddPrevSibling(x, k)) return ns_robot_nomem(r);
    if (r->nincluded == NS_ROBOT_INCLUDES)
      return ns_robot_fail(r, x, "contains more than %d elements, expected fewer",
                           NS_ROBOT_INCLUDES);
    r->included[r->nincluded].node = k;
    r->included[r->nincluded++].shown = shown;
    if (first) *next = k;
    first = 0;
  }
  xmlUnlinkNode(x);
  xmlFreeNode(x);
  return NS_OK;
}

int ns_robot_include(ns_robot *r, const xmlNode *root)
{
  int rc = NS_OK;
  for (xmlNode *k = root->children, *next; k && !rc; k = next) {
    next = k->next;
    if (k->type != XML_ELEMENT_NODE) continue;
    if (!strcmp(ns_robot_element(k), "include")) rc = include(r, k, &next);
    else rc = ns_robot_include(r, k);
  }
  return rc;
}

static const xmlNode *element_from(const xmlNode *x)
{
  while (x && x->type != XML_ELEMENT_NODE) x = x->next;
  return x;
}

const xmlNode *ns_robot_first(const xmlNode *x) { return x ? element_from(x->children) : NULL; }

const xmlNode *ns_robot_next(const xmlNode *x) { return element_from(x->next); }

int ns_robot_is(const xmlNode *x, const char *name)
{
  if (strcmp(ns_robot_element(x), name)) return 0;
  look_at(x);
  return 1;
}

const xmlNode *ns_robot_child(const xmlNode *x, const char *name)
{
  for (const xmlNode *k = ns_robot_first(x); k; k = ns_robot_next(k))
    if (ns_robot_is(k, name)) return k;
  return NULL;
}

const char *ns_robot_attribute(ns_robot *r, const xmlNode *x, const char *name)
{
  for (xmlAttr *a = x ? x->properties : NULL; a; a = a->next) {
    if (strcmp((const char *)a->name, name)) continue;
    a->_private = mark();
    xmlChar *s = xmlNodeListGetString(a->doc, a->children, 1);
    const char *copy = ns_arena_text(r->a, s ? (const char *)s : "");
    xmlFree(s);
    if (!copy) ns_robot_nomem(r);
    return copy;
  }
  return NULL;
}

/* ---- numbers --------------------------------------------------------------------------------- */

int ns_robot_numbers(ns_robot *r, const xmlNode *x, const char *name, const char *text, int max,
                     double *v)
{
  const double limit = 1e30; /* what is beyond it is a mistake, and its square would be no number */
  const char *p = text;
  int n = 0;
  for (p += strspn(p, " \t\r\n"); *p; p += strspn(p, " \t\r\n")) {
    char *end;
    double value = strtod(p, &end);
    if (end == p || (*end && !isspace((unsigned char)*end))) {
      ns_robot_fail(r, x, "attribute %s is \"%.60s\", expected numbers%s", name, text,
                    strchr(text, '$') ? "; run xacro first, which replaces ${...}" : "");
      return -1;
    }
    if (!(fabs(value) <= limit)) {
      ns_robot_fail(r, x, "attribute %s is \"%.60s\", expected numbers below %g", name, text,
                    limit);
      return -1;
    }
    if (n == max) {
      ns_robot_fail(r, x, "attribute %s is \"%.60s\", expected at most %d number%s", name, text,
                    max, max == 1 ? "" : "s");
      return -1;
    }
    v[n++] = value;
    p = end;
  }
  return n;
}

int ns_robot_vector(ns_robot *r, const xmlNode *x, const char *name, int n, double *v)
{
  const char *text = ns_robot_attribute(r, x, name);
  double found[16];
  if (!text) return 0;
  int count = ns_robot_numbers(r, x, name, text, n, found);
  if (count >= 0 && count < n) {
    ns_robot_fail(r, x, "attribute %s is \"%.60s\", expected %d number%s", name, text, n,
                  n == 1 ? "" : "s");
    return -1;
  }
  if (count < 0) return -1;
  memcpy(v, found, (size_t)n * sizeof *v);
  return 1;
}

/* ---- files of meshes ------------------------------------------------------------------------- */

static int is_there(const ns_robot *r, const char *path)
{
  char whole[1200];
  struct stat st;
  if (*path == '/') snprintf(whole, sizeof whole, "%s", path);
  else snprintf(whole, sizeof whole, "%.500s/%.600s", r->files.dir, path);
  return !stat(whole, &st) && S_ISREG(st.st_mode);
}

/* package://P/a/b.stl: the folder P, or what is in it, lies beside the file or in a folder around
 * it. */
static int find_package(const ns_robot *r, const char *path, char *out, size_t size)
{
  const char *inside = strchr(path, '/');
  char up[40] = "";
  for (int k = 0; k <= 6; k++) {
    snprintf(out, size, "%s%.600s", up, path);
    if (is_there(r, out)) return 1;
    if (inside) snprintf(out, size, "%s%.600s", up, inside + 1);
    if (inside && is_there(r, out)) return 1;
    strcat(up, "../");
  }
  return 0;
}

static int ends_with(const char *s, const char *end)
{
  size_t n = strlen(s), m = strlen(end);
  return n > m && !strcasecmp(s + n - m, end);
}

int ns_robot_mesh_file(ns_robot *r, const xmlNode *x, const char *name, const char **file)
{
  char path[700];
  const char *scheme = strstr(name, "://");
  *file = NULL;
  if (!ends_with(name, ".stl") && !ends_with(name, ".obj")) {
    ns_robot_lost(
        r, x, "a mesh file that is neither .stl nor .obj is ignored; convert it to one of these");
    return NS_OK;
  }
  int found = 0;
  if (scheme && !strncmp(name, "file://", 7)) found = is_there(r, name + 7);
  else if (scheme) found = find_package(r, scheme + 3, path, sizeof path);
  else found = is_there(r, name);
  if (!found) {
    ns_robot_lost(r, x, "the file of a mesh does not exist, and the mesh is ignored: %.200s", name);
    return NS_OK;
  }
  if (!scheme) snprintf(path, sizeof path, "%.600s", name);
  else if (!strncmp(name, "file://", 7)) snprintf(path, sizeof path, "%.600s", name + 7);
  if (*path == '/' || strstr(path, "../"))
    ns_robot_lost(r, x,
                  "mesh files are outside of the folder: nssim needs --allow-include DIR for them");
  *file = ns_arena_text(r->a, path);
  return *file ? NS_OK : ns_robot_nomem(r);
}

/* ---- what is left ---------------------------------------------------------------------------- */

int ns_robot_has(const char *list, const char *word)
{
  size_t n = strlen(word);
  for (const char *p = list; (p = strstr(p, word)); p += n)
    if ((p == list || p[-1] == ' ') && (!p[n] || p[n] == ' ')) return 1;
  return 0;
}

void ns_robot_unread(ns_robot *r, const xmlNode *x, const char *drawing, const char *harmless)
{
  if (ns_robot_has(drawing, ns_robot_element(x))) {
    ns_robot_lost(r, x, "<%.40s> is ignored: it is only for rendering", ns_robot_element(x));
    return;
  }
  if (x->_private != &known) {
    ns_robot_lost(r, x, "<%.40s> is ignored", ns_robot_element(x));
    return;
  }
  for (const xmlAttr *a = x->properties; a; a = a->next)
    if (a->_private != &known && !ns_robot_has(harmless, (const char *)a->name))
      ns_robot_lost(r, x, "attribute %.40s of <%.40s> is ignored", (const char *)a->name,
                    ns_robot_element(x));
  for (const xmlNode *k = ns_robot_first(x); k; k = ns_robot_next(k))
    ns_robot_unread(r, k, drawing, harmless);
}

int ns_robot_begins(const ns_import_source *s, const char *root)
{
  const char *p = s->text, *end = s->text + s->n;
  size_t n = strlen(root);
  for (;;) {
    /* a byte order mark, too */
    while (p < end && (isspace((unsigned char)*p) || (unsigned char)*p >= 0xBB)) p++;
    const char *stop = NULL;
    if (!strncmp(p, "<!--", 4)) stop = "-->";
    else if (!strncmp(p, "<?", 2)) stop = "?>";
    /* a DOCTYPE, which the parser refuses */
    else if (!strncmp(p, "<!", 2)) stop = p[strcspn(p, "[>")] == '[' ? "]>" : ">";
    if (!stop) break;
    const char *to = strstr(p, stop);
    if (!to) return 0;
    p = to + strlen(stop);
  }
  return *p == '<' && !strncmp(p + 1, root, n) && !isalnum((unsigned char)p[1 + n]) &&
         p[1 + n] != '_';
}
