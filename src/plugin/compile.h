/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compile.h -- compiles a source such as Lib.c to a shared library in the cache.
 *
 * Two files in the cache describe a compilation. `<key>.d` lists the files that the source
 * includes, as reported by the compiler (without system headers). key is the SHA-256 of the
 * compiler's file, size and date, its arguments and the path of the source. `<stem>-<digest>.so` is
 * the result. digest is the SHA-256 of key and of every file in the list. A second load therefore
 * only reads and hashes the sources and starts no compiler, and a change in any of them is
 * detected. Files are created by rename, so that simultaneous runs do not conflict. */
#ifndef NS_PLUGIN_COMPILE_H
#define NS_PLUGIN_COMPILE_H

#include "base/arena.h"
#include "base/context.h"

/* Compile `source`; *library is the path of the result, allocated in a. The compiler is $CC (words
 * separated by blanks) or cc, started without a shell. Its messages are part of the failure
 * (NS_PLUGIN), or of a warning if it succeeds. */
int ns_compile(ns_ctx *c, ns_arena *a, const char *source, const char **library);

#endif
