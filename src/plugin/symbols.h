/* SPDX-License-Identifier: GPL-3.0-or-later */
/* symbols.h -- type and functions of a library, read from the ELF file itself, because the dynamic
 * loader does not report them. */
#ifndef NS_PLUGIN_SYMBOLS_H
#define NS_PLUGIN_SYMBOLS_H

#include <stddef.h>

/* Write to buf [n] why the file cannot be a plug-in on this machine; "" if no reason is found. */
void ns_symbols_unfit(const char *path, char *buf, size_t n);

/* Addition to the message that the file has no function `wanted`: the nearest name, the C++ name
 * made of it, or a list of its functions. Begins with "; " or is empty. */
void ns_symbols_hint(const char *path, const char *wanted, char *buf, size_t n);

#endif
