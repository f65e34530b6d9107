/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loader.h -- find, compile where needed, load and check plug-ins; only those the model names.
 *
 * "Lib:function" is looked for as Lib.so (or Lib.c, compiled with cc into a cache) beside the model, then
 * on the search path. The folder of the model is data from outside; naming a plug-in there is
 * the user's act of trust. */
#ifndef NS_PLUGIN_LOADER_H
#define NS_PLUGIN_LOADER_H

#include "base/arena.h"
#include "base/context.h"
#include "model/operator.h"

typedef struct ns_plugins ns_plugins;

/* search: folders after the model's own [n] (copied); NULL when out of memory. */
ns_plugins *ns_plugins_create(ns_ctx *c, const char *const *search, int n);
/* Unloads; no function of theirs may be called any more. NULL-safe. */
void ns_plugins_destroy(ns_plugins *p);
/* Function of the spec for a signature; memory of `a`. `at`: place for messages, `dir`: the model's folder.
 * NS_PLUGIN on a missing file, symbol, compiler or a wrong ABI, each one sentence. */
int ns_plugins_resolve(ns_plugins *p, ns_ctx *c, const char *at, const char *dir, const char *spec,
                       ns_signature sig, ns_arena *a, const ns_plugin_call **out);
/* Files loaded so far, for provenance: path k or NULL beyond the last. */
const char *ns_plugins_path(const ns_plugins *p, int k);

#endif
