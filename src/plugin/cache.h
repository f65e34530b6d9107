/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cache.h -- the folder of compiled plug-ins.
 *
 * $NSSIM_CACHE_DIR, or $XDG_CACHE_HOME/nssim, or $HOME/.cache/nssim. It is created if it is
 * missing, accessible to the user only. Its libraries are run without further checks, so a folder
 * that belongs to someone else, or that others can write to, is an error. */
#ifndef NS_PLUGIN_CACHE_H
#define NS_PLUGIN_CACHE_H

#include "base/arena.h"
#include "base/context.h"

/* Path of the folder, allocated in a. NS_PLUGIN if there is none or it is not safe. */
int ns_cache_folder(ns_ctx *c, ns_arena *a, const char **folder);
/* 1 if a file of the cache exists, belongs to the user, and is writable for no one else. */
int ns_cache_has(const char *file);

#endif
