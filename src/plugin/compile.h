/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compile.h -- from Lib.c to a shared library in the cache.
 *
 * Two files in the cache remember a compilation. `<key>.d` lists what the source includes, as the
 * compiler told (system headers left out); key is the SHA-256 of the compiler's file, size and
 * date, its arguments and the path of the source. `<stem>-<digest>.so` is the result; digest is the
 * SHA-256 of key and of every file in the list. So a second load reads and hashes the sources and
 * starts no compiler, and a change in any of them is seen. Files appear by rename: runs may meet.
 */
#ifndef NS_PLUGIN_COMPILE_H
#define NS_PLUGIN_COMPILE_H

#include "base/arena.h"
#include "base/context.h"

/* Library made of `source`, in a. The compiler is $CC (words apart by blanks) or cc; no shell. What
 * it complains about is in the failure (NS_PLUGIN), or a warning where it compiles nevertheless. */
int ns_compile(ns_ctx *c, ns_arena *a, const char *source, const char **library);

#endif
