/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loader.h -- finds, compiles if necessary, loads and checks the plug-ins that a model names.
 *
 * "Lib:function" is looked for as Lib.so next to the model, then as Lib.c there (compiled with cc
 * into a cache), then as Lib.so on the search path. "Lib.so:function" and "Lib.c:function" select
 * one of them; "sub/Lib:function" is looked for next to the model only. The folder of the model is
 * untrusted data, and the user trusts it by naming a plug-in there; names that lead out of it are
 * therefore errors.
 *
 * Only one thread at a time may use an ns_plugins. The functions it returns may be called by
 * all. */
#ifndef NS_PLUGIN_LOADER_H
#define NS_PLUGIN_LOADER_H

#include "base/arena.h"
#include "base/context.h"
#include "model/operator.h"

typedef struct ns_plugins ns_plugins;

/* search: folders searched after the model's own [n] (copied); NULL when out of memory. */
ns_plugins *ns_plugins_create(ns_ctx *c, const char *const *search, int n);
/* Unload all libraries; their functions must no longer be called. NULL-safe. */
void ns_plugins_destroy(ns_plugins *p);
/* The function of a spec with a signature, allocated in `a`. `at`: place for messages (may be
 * NULL); `dir`: the model's folder ("" or NULL: the current one). NS_PLUGIN for a missing file,
 * symbol or compiler, or a wrong ABI, with one message each. A library that fails is tried only
 * once, and each use of it is an error. */
int ns_plugins_resolve(ns_plugins *p, ns_ctx *c, const char *at, const char *dir, const char *spec,
                       ns_signature sig, ns_arena *a, const ns_plugin_call **out);
/* Path k of the files loaded so far, for provenance; NULL beyond the last. A library that nssim
 * compiled has two entries: the library in the cache, then its source. */
const char *ns_plugins_path(const ns_plugins *p, int k);
/* Description of path k: its ABI and name, that it has no descriptor, or that it is a source. */
const char *ns_plugins_about(const ns_plugins *p, int k);

/* State that libraries store in their own variables (nssim/plugin.h). Call these functions in the
 * thread of the run, inside ns_guard_run; a crash is reported as one of "Lib:init" and so on. */

/* Call before the first evaluation of a run. NS_PLUGIN if a library reports an error. */
int ns_plugins_begin(const ns_plugins *p, ns_ctx *c);
/* Number of bytes that save writes; 0 if no library has a state. */
size_t ns_plugins_state_size(const ns_plugins *p);
void ns_plugins_save(const ns_plugins *p, void *block);
/* Restore from a block that save wrote for the same libraries, loaded in the same order. */
int ns_plugins_restore(const ns_plugins *p, ns_ctx *c, const void *block);

#endif
