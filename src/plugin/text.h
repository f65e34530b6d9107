/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h -- messages of the loader that get longer. */
#ifndef NS_PLUGIN_TEXT_H
#define NS_PLUGIN_TEXT_H

#include "base/context.h"

#include <stddef.h>

/* Append to the string in buf [n], cut at its end. */
void ns_plugin_append(char *buf, size_t n, const char *fmt, ...) NS_PRINTF(3, 4);

#endif
