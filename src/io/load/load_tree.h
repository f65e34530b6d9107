/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_tree.h -- the elements of a model, held against the language table.
 *
 * Built from the documents of all its files, includes put in their place. What the table does not
 * allow has been reported and left out; `bad` tells that something required is missing. */
#ifndef NS_IO_LOAD_LOAD_TREE_H
#define NS_IO_LOAD_LOAD_TREE_H

#include "io/load/load_files.h"
#include "io/load/load_messages.h"
#include "model/language/language.h"

#include <libxml/tree.h>

typedef struct ns_elem {
  const ns_lang_element *def; /* NULL for a value: */
  const ns_lang_item *value;  /* <q0>, <H>, <title>, ... */
  const char *name, *file;    /* file: as shown in messages */
  const char *class_name;     /* class=, which of <defaults> it takes; NULL: none */
  const char *dir;            /* its folder, for file= */
  int line, depth;
  const char *const *attr; /* texts by position in def->attributes (a value: in ns_lang_form_names,
                              then in value->attributes); NULL where absent */
  /* of a value or of an element that holds text, trimmed, "" where none */
  const char *text;
  int text_line; /* where it begins */
  struct ns_elem *parent, *first, *last, *next;
  int bad; /* required parts are missing or wrong */
  enum {
    NS_ELEM_UNKNOWN = 1,
    NS_ELEM_FILE
  } stranger;    /* a child was left out: nobody knows it, or
its file could not be read; 0: none was */
  xmlNode *node; /* in its document, until ns_tree_dump */
  void *made;    /* object that its builder created (load_job.h) */
} ns_elem;
enum { NS_ELEM_DEPTH = 40 }; /* elements in each other, over all files */

typedef struct ns_tree {
  ns_messages *msg;
  ns_files *files;
  ns_arena *arena;   /* of the elements; file names: of files->arena */
  const char *name;  /* of the root element, "model" where NULL */
  ns_elem *root;     /* NULL: no model could be read */
  ns_elem *defaults; /* <defaults>, whose attributes elements without them have taken; NULL: none */
  /* documents [ndocs], the model first; include[k] is the element that doc[k] replaces */
  xmlDoc **doc;
  xmlNode **include;
  int ndocs, cap;
  long nelements; /* made so far */
  int dumped;     /* nodes of elements are not to be touched any more */
} ns_tree;

/* Parse and check. Errors are in t->msg; returns NS_NOMEM or NS_OK. ns_tree_fini in any case. */
int ns_tree_read(ns_tree *t, const char *name, const char *text, size_t n);
/* Text of the document with includes resolved; of `a`. Destroys the documents. NULL: out of memory.
 */
const char *ns_tree_dump(ns_tree *t, ns_arena *a);
void ns_tree_fini(ns_tree *t);

/* Row of an attribute in the table, those of the forms of a value apart; NULL: it may not have it.
 */
const ns_lang_item *ns_elem_item(const ns_elem *e, const char *name);
/* Whether e takes attributes of the element d of <defaults>: both are the same element, or values
 * of the same name. */
int ns_elem_is_like(const ns_elem *e, const ns_elem *d);
/* Position in e->attr of what is attribute k of d, an element like e; -1: e may not have it. */
int ns_elem_position(const ns_elem *e, const ns_elem *d, int k);
/* The element of <defaults> for elements like e of a class, or of none (class NULL); NULL: there is
 * none. */
const ns_elem *ns_tree_default(const ns_tree *t, const ns_elem *e, const char *class_name);
/* Text of an attribute, NULL where absent. */
const char *ns_elem_attr(const ns_elem *e, const char *name);
/* Its own value child, NULL where absent. */
ns_elem *ns_elem_value(const ns_elem *e, const char *name);
/* First child with this element name or group, NULL where absent. */
ns_elem *ns_elem_child(const ns_elem *e, const char *name);
ns_elem *ns_elem_group(const ns_elem *e, ns_lang_group g);

/* `file:line: <element id="x">`, of a value `file:line: <q0> of <element id="x">`. id NULL: the one
 * written in the file. To buf, cut at n; returns buf. */
const char *ns_elem_at(const ns_elem *e, const char *id, char *buf, size_t n);
enum { NS_AT = 400 }; /* enough for buf */
/* Report that an attribute is missing or empty; rc. */
int ns_elem_missing(ns_messages *m, const ns_elem *e, const char *name);
/* Report an error at an element; rc. */
int ns_elem_fail(ns_messages *m, const ns_elem *e, const char *id, const char *fmt, ...)
    NS_PRINTF(4, 5);

#endif
