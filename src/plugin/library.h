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
  const char *source;      /* what it was compiled from by us; NULL: it came as it is */
  void *handle;
  const char *about;      /* what it says of itself, for `nssim check` */
  nssim_plugin_info info; /* zeros where it has none, or in fields it does not know */
  const char *at_init, *at_save, *at_restore; /* "BallPlugin:init" ..., for the guard */
} ns_library;

/* Load path, check the descriptor. Its code runs here: a crash is an NS_PLUGIN, and *crashed.
 * Sentences without place or spec. l, in a: name, path and source are set. */
int ns_library_open(ns_ctx *c, ns_arena *a, ns_library *l, int *crashed);
void ns_library_close(ns_library *l);
/* A function that the file itself has. */
int ns_library_function(ns_ctx *c, const ns_library *l, const char *function, void (**fn)(void));

#endif
