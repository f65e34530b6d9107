/* SPDX-License-Identifier: GPL-3.0-or-later */
/* symbols.h -- what a file is, and which functions it has, read from the ELF file itself: the
 * dynamic loader knows, but says neither. */
#ifndef NS_PLUGIN_SYMBOLS_H
#define NS_PLUGIN_SYMBOLS_H

#include <stddef.h>

/* Why the file cannot be a plug-in of this machine, to buf [n]; "" where nothing speaks against it.
 */
void ns_symbols_unfit(const char *path, char *buf, size_t n);

/* What to say where the file has no function `wanted`: the nearest name, the C++ name made of it,
 * or a list of what there is. Begins with "; " or is empty. */
void ns_symbols_hint(const char *path, const char *wanted, char *buf, size_t n);

#endif
