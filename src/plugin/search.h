/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.h -- the file of a plug-in's name. */
#ifndef NS_PLUGIN_SEARCH_H
#define NS_PLUGIN_SEARCH_H

#include "base/arena.h"
#include "base/context.h"

typedef struct ns_search {
  const char *dir;           /* the model's folder, not empty */
  const char *const *search; /* further folders [nsearch] */
  int nsearch;
} ns_search;

/* Whether a name stays inside the model's folder. NS_PLUGIN and the remedy where not. */
int ns_search_allowed(ns_ctx *c, const char *name);
/* File for an allowed name, in a; *source: it is to be compiled. Where there is none, the failure
 * lists the places, and a name like it. */
int ns_search_find(ns_ctx *c, ns_arena *a, const ns_search *s, const char *name, const char **path,
                   int *source);

#endif
