/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_tree.h -- the elements of a model, checked against the language table.
 *
 * The tree is built from the documents of all files of a model, with includes replaced by their
 * contents. What the table does not allow is reported and left out; `bad` is set where a required
 * part is missing. */
#ifndef NS_IO_LOAD_LOAD_TREE_H
#define NS_IO_LOAD_LOAD_TREE_H

#include "io/load/load_files.h"
#include "io/load/load_messages.h"
#include "model/language/language.h"

#include <libxml/tree.h>

typedef struct ns_elem {
  const ns_lang_element *def; /* NULL for a value (below) */
  const ns_lang_item *value;  /* <q0>, <H>, <title>, ... */
  const char *name, *file;    /* file: as shown in messages */
  const char *class_name;     /* class=, which selects the <defaults>; NULL: none */
  const char *dir;            /* folder of its file, for file= */
  int line, depth;
  /* texts by position in def->attributes (for a value: in ns_lang_form_names, then in
   * value->attributes); NULL where absent */
  const char *const *attr;
  /* text of a value or of an element with text, trimmed; "" if there is none */
  const char *text;
  int text_line; /* line in which the text begins */
  struct ns_elem *parent, *first, *last, *next;
  int bad; /* required parts are missing or wrong */
  enum {
    NS_ELEM_UNKNOWN = 1,
    NS_ELEM_FILE
  } stranger;    /* a child was left out: unknown, or its file unreadable; 0: none */
  xmlNode *node; /* in its document, until ns_tree_dump */
  void *made;    /* object that its builder created (load_job.h) */
} ns_elem;
enum { NS_ELEM_DEPTH = 40 }; /* elements in each other, over all files */

typedef struct ns_tree {
  ns_messages *msg;
  ns_files *files;
  ns_arena *arena;  /* of the elements; file names: of files->arena */
  const char *name; /* of the root element, "model" where NULL */
  ns_elem *root;    /* NULL: no model could be read */
  /* <defaults>, whose attributes are used by elements that lack them; NULL: none */
  ns_elem *defaults;
  /* documents [ndocs], the model first; include[k] is the element that doc[k] replaces */
  xmlDoc **doc;
  xmlNode **include;
  int ndocs;
  long nelements; /* made so far */
  int dumped;     /* nodes of elements must no longer be used */
} ns_tree;

/* Parse and check. Errors are in t->msg; returns NS_NOMEM or NS_OK. Call ns_tree_fini in any
 * case. */
int ns_tree_read(ns_tree *t, const char *name, const char *text, size_t n);
/* Text of the document with includes resolved, allocated in `a`. Destroys the documents. NULL: out
 * of memory. */
const char *ns_tree_dump(ns_tree *t, ns_arena *a);
void ns_tree_fini(ns_tree *t);

/* Row of an attribute in the table, except for attributes of the forms of a value; NULL: the
 * element has no such attribute. */
const ns_lang_item *ns_elem_item(const ns_elem *e, const char *name);
/* 1 if e takes attributes of the element d of <defaults>: both have the same element name, or are
 * values of the same name. */
int ns_elem_is_like(const ns_elem *e, const ns_elem *d);
/* It is an integrator of <TimeStepping> or <EventDriven>. */
int ns_elem_is_integrator(const ns_elem *e);
/* Length of e->attr. */
int ns_elem_attributes(const ns_elem *e);
/* Position in e->attr of attribute k of d, an element like e; -1: e has no such attribute. */
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
 * written in the file. */
enum { NS_AT = 400 };
typedef struct ns_elem_place {
  char text[NS_AT];
} ns_elem_place;
ns_elem_place ns_elem_at(const ns_elem *e, const char *id);
/* Report that an attribute is missing or empty; returns the error code. */
int ns_elem_missing(ns_messages *m, const ns_elem *e, const char *name);
/* Report an error at an element; returns the error code. */
int ns_elem_fail(ns_messages *m, const ns_elem *e, const char *id, const char *fmt, ...)
    NS_PRINTF(4, 5);

#endif
