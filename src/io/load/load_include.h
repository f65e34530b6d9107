/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_include.h -- opens the documents of a model. */
#ifndef NS_IO_LOAD_LOAD_INCLUDE_H
#define NS_IO_LOAD_LOAD_INCLUDE_H

#include "io/load/load_tree.h"

enum { NS_INCLUDE_DEPTH = 16, NS_INCLUDES_MAX = 1000 };

/* A file that is being read, and the file that included it. */
typedef struct ns_opened {
  const char *shown, *real, *dir; /* real: NULL where the model is no file */
  const struct ns_opened *from;
  int depth;
} ns_opened;

/* The model itself; *root is NULL if it cannot be parsed (reported). */
int ns_include_first(ns_tree *t, const char *name, const char *text, size_t n, ns_opened *f,
                     xmlNode **root);
/* The file that <xi:include> e (document node x, in file f) names. */
int ns_include_open(ns_tree *t, const ns_elem *e, xmlNode *x, const ns_opened *f, ns_opened *other,
                    xmlNode **root);

#endif
