/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry.h -- inside of ns_plugins: what was asked for, and what was loaded for it. */
#ifndef NS_PLUGIN_REGISTRY_H
#define NS_PLUGIN_REGISTRY_H

#include "plugin/library.h"
#include "plugin/loader.h"

/* "Lib" of a spec, for one model's folder, and what came of it: a library or a sentence. */
typedef struct ns_plugin_request {
  struct ns_plugin_request *next;
  const char *name, *dir;
  ns_library *library;
  const char *failure;
} ns_plugin_request;

/* Models name a handful of libraries: lists. */
struct ns_plugins {
  ns_arena *a; /* owns all below */
  int nsearch;
  const char *const *search; /* [nsearch] */
  ns_plugin_request *requests;
  ns_library *libraries; /* in the order of loading, which is that of the model */
  int crashed;           /* in code that runs at loading: the dynamic loader is not to be trusted */
};

#endif
