/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_unknown.h -- names that the language does not have, or not there: what was meant, what other
 * programs call it, and what is expected. Private to load_tree.c. */
#ifndef NS_IO_LOAD_LOAD_UNKNOWN_H
#define NS_IO_LOAD_LOAD_UNKNOWN_H

#include "io/load/load_include.h"
#include "io/load/load_tree.h"

/* The element that decides what may stand inside e: <repeat> and <frame> hold what their
 * surroundings hold. */
const ns_lang_element *ns_elem_container(const ns_elem *e);
/* Names of the attributes that e may have: k = 0, 1, ...; NULL beyond the last. */
const char *ns_elem_attribute_name(const ns_elem *e, int k);
/* Report an attribute that e may not have. Returns the one that was meant, NULL where nobody knows.
 */
const char *ns_tree_unknown_attribute(ns_tree *t, const ns_elem *e, const char *name);
/* The same of an element in parent. */
const char *ns_tree_unexpected(ns_tree *t, ns_elem *parent, const xmlNode *x, const ns_opened *f);

#endif
