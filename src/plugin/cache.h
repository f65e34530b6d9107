/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cache.h -- the folder that keeps compiled plug-ins.
 *
 * $NSSIM_CACHE_DIR, or $XDG_CACHE_HOME/nssim, or $HOME/.cache/nssim; made where it is missing, for
 * the user alone. What lies there is run without a question, so a folder that belongs to someone
 * else or that others can write to is refused. */
#ifndef NS_PLUGIN_CACHE_H
#define NS_PLUGIN_CACHE_H

#include "base/arena.h"
#include "base/context.h"

/* Its path, in a. NS_PLUGIN when there is none or it is not safe. */
int ns_cache_folder(ns_ctx *c, ns_arena *a, const char **folder);
/* Whether a file of the cache is there, ours, and writable for no one else. */
int ns_cache_has(const char *file);

#endif
