/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.h -- finds the file of a plug-in by its name. */
#ifndef NS_PLUGIN_SEARCH_H
#define NS_PLUGIN_SEARCH_H

#include "base/arena.h"
#include "base/context.h"

typedef struct ns_search {
  const char *dir;           /* the model's folder, not empty */
  const char *const *search; /* further folders [nsearch] */
  int nsearch;
} ns_search;

/* Check that a name does not lead out of the model's folder. NS_PLUGIN, with advice, if it does. */
int ns_search_allowed(ns_ctx *c, const char *name);
/* File of an allowed name, its path allocated in a; *source: it has to be compiled. If there is
 * none, the failure lists the places that were searched and suggests a similar name. */
int ns_search_find(ns_ctx *c, ns_arena *a, const ns_search *s, const char *name, const char **path,
                   int *source);

#endif
