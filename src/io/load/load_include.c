/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/load/load_include.h"

#include "base/grow.h"
#include "expression/quote.h"
#include "io/load/xml.h"

#include <libxml/uri.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Keep a document until the tree is done. Takes d over, also on failure. */
static int keep(ns_tree *t, xmlDoc *d, xmlNode *include)
{
  if (ns_grow(&t->doc, t->ndocs) || ns_grow(&t->include, t->ndocs)) {
    xmlFreeDoc(d);
    return ns_nomem(&t->msg->c, "documents of the model");
  }
  t->doc[t->ndocs] = d;
  t->include[t->ndocs++] = include;
  return NS_OK;
}

static int parse(ns_tree *t, const char *shown, const char *text, size_t n, xmlNode *include,
                 xmlNode **root)
{
  xmlDoc *d = NULL;
  int rc = ns_xml_parse(&t->msg->c, shown, text, n, t->name ? t->name : "model", &d);
  if (!rc) rc = keep(t, d, include);
  if (!rc) *root = xmlDocGetRootElement(d);
  return rc;
}

int ns_include_first(ns_tree *t, const char *name, const char *text, size_t n, ns_opened *f,
                     xmlNode **root)
{
  *f = (ns_opened){.shown = ns_arena_text(t->files->arena, name), .dir = t->files->dir};
  char *real = realpath(name, NULL);
  if (real) f->real = ns_arena_text(t->arena, real);
  if (!f->shown || (real && !f->real)) {
    free(real);
    return ns_nomem(&t->msg->c, "name of the model");
  }
  free(real);
  return parse(t, f->shown, text, n, NULL, root);
}

static int has_scheme(const char *href)
{
  size_t n = strspn(href, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
  return n > 1 && href[n] == ':';
}

int ns_include_open(ns_tree *t, const ns_elem *e, xmlNode *x, const ns_opened *f, ns_opened *other,
                    xmlNode **root)
{
  const char *href = ns_elem_attr(e, "href");
  ns_quotation quoted = ns_quoted(href);
  if (has_scheme(href) || strchr(href, '#'))
    return ns_elem_fail(t->msg, e, NULL,
                        "attribute href is %s, expected the path of a complete local file",
                        quoted.text);
  if (f->depth == NS_INCLUDE_DEPTH)
    return ns_elem_fail(t->msg, e, NULL, "includes are nested more than %d deep, expected fewer",
                        NS_INCLUDE_DEPTH);
  if (t->ndocs > NS_INCLUDES_MAX)
    return ns_elem_fail(t->msg, e, NULL, "is include number %d, expected at most %d; use <repeat>",
                        t->ndocs, NS_INCLUDES_MAX);
  ns_text text;
  char *plain = xmlURIUnescapeString(href, 0, NULL); /* href is a URI: %20 is a blank */
  if (!plain) return ns_nomem(&t->msg->c, "path of an include");
  *other = (ns_opened){.from = f, .depth = f->depth + 1};
  int rc = ns_files_read_named(t->files, &t->msg->c, ns_elem_at(e, NULL).text, f->dir, plain, &text,
                               &other->shown, &other->real);
  xmlFree(plain);
  if (rc) return rc;
  for (const ns_opened *k = f; k; k = k->from)
    if (k->real && !strcmp(k->real, other->real))
      return ns_elem_fail(
          t->msg, e, NULL,
          "includes %s, which is already being included: remove the circular include", quoted.text);
  if (!(other->dir = ns_files_dir(t->files->arena, other->shown)))
    return ns_nomem(&t->msg->c, "path of an include");
  return parse(t, other->shown, text.text, text.n, x, root);
}

/* ---- the document as a whole ----------------------------------------------------------------- */

/* Put copies of the included roots in the place of the includes, innermost first. */
static int resolve(ns_tree *t)
{
  for (int k = t->ndocs - 1; k > 0; k--) {
    xmlNode *copy = xmlDocCopyNode(xmlDocGetRootElement(t->doc[k]), t->include[k]->doc, 1);
    if (!copy) return 0;
    xmlNode *old = xmlReplaceNode(t->include[k], copy);
    if (old) xmlFreeNode(old);
    xmlFreeDoc(t->doc[k]);
    t->ndocs = k;
  }
  return 1;
}

const char *ns_tree_dump(ns_tree *t, ns_arena *a)
{
  xmlChar *s = NULL;
  int n = 0;
  t->dumped = 1;
  if (t->ndocs < 1 || !resolve(t)) return NULL;
  xmlDocDumpMemoryEnc(t->doc[0], &s, &n, "UTF-8");
  while (n > 0 && s[n - 1] == '\n') n--;
  int whole = s && n > 0 && s[n - 1] == '>'; /* for want of memory the text may be cut */
  const char *copy = whole ? ns_arena_text(a, (const char *)s) : NULL;
  xmlFree(s);
  return copy;
}

void ns_tree_fini(ns_tree *t)
{
  for (int k = 0; k < t->ndocs; k++) xmlFreeDoc(t->doc[k]);
  free(t->doc);
  free(t->include);
}
