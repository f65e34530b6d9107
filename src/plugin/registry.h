/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry.h -- private parts of ns_plugins: requested names and loaded libraries. */
#ifndef NS_PLUGIN_REGISTRY_H
#define NS_PLUGIN_REGISTRY_H

#include "plugin/library.h"
#include "plugin/loader.h"

/* "Lib" of a spec, for the folder of a model, and its result: a library or a message. */
typedef struct ns_plugin_request {
  struct ns_plugin_request *next;
  const char *name, *dir;
  ns_library *library;
  const char *failure;
} ns_plugin_request;

/* Models name few libraries, so that lists suffice. */
struct ns_plugins {
  ns_arena *a; /* owns all below */
  int nsearch;
  const char *const *search; /* [nsearch] */
  ns_plugin_request *requests;
  ns_library *libraries; /* in the order of loading, which is that of the model */
  /* a library crashed while it was loaded, so the dynamic loader may be damaged */
  int crashed;
};

#endif
