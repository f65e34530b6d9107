/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h -- printf into an arena, for paths and messages of the loader. */
#ifndef NS_PLUGIN_TEXT_H
#define NS_PLUGIN_TEXT_H

#include "base/arena.h"
#include "base/context.h"

/* Formatted text, allocated in a; NULL when out of memory. */
char *ns_plugin_text(ns_arena *a, const char *fmt, ...) NS_PRINTF(2, 3);
/* Append to the string in buf [n], cut at its end. */
void ns_plugin_append(char *buf, size_t n, const char *fmt, ...) NS_PRINTF(3, 4);

#endif
