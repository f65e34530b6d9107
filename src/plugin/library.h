/* SPDX-License-Identifier: GPL-3.0-or-later */
/* library.h -- one loaded plug-in file: its descriptor and its functions. */
#ifndef NS_PLUGIN_LIBRARY_H
#define NS_PLUGIN_LIBRARY_H

#include "base/arena.h"
#include "base/context.h"
#include "nssim/plugin.h"

typedef struct ns_library {
  struct ns_library *next; /* in the order of loading */
  const char *name;        /* "BallPlugin", for messages */
  const char *path;        /* the file */
  /* source from which nssim compiled it; NULL: it was found as a library */
  const char *source;
  void *handle;
  const char *about;      /* its description, for `nssim check` */
  nssim_plugin_info info; /* zeros if it has none, and in fields beyond its size */
  const char *at_init, *at_save, *at_restore; /* "BallPlugin:init" ..., for the guard */
} ns_library;

/* Load the library at l->path and check its descriptor. This runs code of the library: a crash
 * there gives NS_PLUGIN and sets *crashed. Messages contain neither place nor spec. name, path and
 * source of l must be set; other strings are allocated in a. */
int ns_library_open(ns_ctx *c, ns_arena *a, ns_library *l, int *crashed);
void ns_library_close(ns_library *l);
/* Find a function defined in the file itself. */
int ns_library_function(ns_ctx *c, const ns_library *l, const char *function, void (**fn)(void));

#endif
