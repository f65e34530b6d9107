/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loader.h -- find, compile where needed, load and check plug-ins; only those the model names.
 *
 * "Lib:function" is looked for as Lib.so beside the model, as Lib.c there (compiled with cc into a
 * cache), and as Lib.so on the search path. "Lib.so:function" and "Lib.c:function" say which of
 * them; "sub/Lib:function" is looked for beside the model only. The folder of the model is data
 * from outside; naming a plug-in there is the user's act of trust, so no name leads out of it.
 *
 * One thread at a time may use an ns_plugins; the functions it gives may be called by all. */
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
/* Function of the spec for a signature; memory of `a`. `at`: place for messages (may be NULL),
 * `dir`: the model's folder ("" or NULL: the current one). NS_PLUGIN on a missing file, symbol,
 * compiler or a wrong ABI, each one sentence. A library that fails is tried once; each use of it is
 * an error. */
int ns_plugins_resolve(ns_plugins *p, ns_ctx *c, const char *at, const char *dir, const char *spec,
                       ns_signature sig, ns_arena *a, const ns_plugin_call **out);
/* Files loaded so far, for provenance: path k or NULL beyond the last. A library that was compiled
 * here comes as two files: the library in the cache, then its source. */
const char *ns_plugins_path(const ns_plugins *p, int k);
/* What is known of path k: its ABI and name, that it has no descriptor, or that it is a source. */
const char *ns_plugins_about(const ns_plugins *p, int k);

/* State that libraries keep in variables of their own (nssim/plugin.h): call these in the thread of
 * the run, inside ns_guard_run. A crash there is reported as that of "Lib:init" and so on. */

/* Before the first evaluation of a run. NS_PLUGIN when a library refuses. */
int ns_plugins_begin(const ns_plugins *p, ns_ctx *c);
/* Bytes that save writes; 0 where no library has a state. */
size_t ns_plugins_state_size(const ns_plugins *p);
void ns_plugins_save(const ns_plugins *p, void *block);
/* From a block that save wrote for the same libraries, loaded in the same order. */
int ns_plugins_restore(const ns_plugins *p, ns_ctx *c, const void *block);

#endif
