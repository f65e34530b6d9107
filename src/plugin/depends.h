/* SPDX-License-Identifier: GPL-3.0-or-later */
/* depends.h -- the list of files that a compiler writes with -MMD, and its digest. */
#ifndef NS_PLUGIN_DEPENDS_H
#define NS_PLUGIN_DEPENDS_H

#include <nettle/sha2.h>
#include <stddef.h>
#include <time.h>

#define NS_DIGEST_HEX (2 * SHA256_DIGEST_SIZE + 1)

/* Write the digest in lower-case hexadecimal and reset h. */
void ns_digest_hex(struct sha256_ctx *h, char hex[NS_DIGEST_HEX]);
/* Hash a text including its final 0, so that the boundary between two texts counts. */
void ns_digest_text(struct sha256_ctx *h, const char *s);
/* Hash path and content of every file in the list `file`. Returns 0 or -1. */
int ns_digest_depends(struct sha256_ctx *h, const char *file, const struct timespec *since,
                      int *changed);

#endif
