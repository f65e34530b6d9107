/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inflate.h -- what zlib compressed (Deutsch & Gailly 1996, RFC 1950; Deutsch 1996, RFC 1951). */
#ifndef NS_IO_IMPORT_INFLATE_H
#define NS_IO_IMPORT_INFLATE_H

#include <stddef.h>

/* n bytes of a zlib stream to exactly m bytes. 0: they are no such stream, whatever they are. */
int ns_inflate(const unsigned char *from, size_t n, unsigned char *to, size_t m);

#endif
