/* SPDX-License-Identifier: GPL-3.0-or-later */
/* depends.h -- the list of files that a compiler writes with -MMD, and their digest. */
#ifndef NS_PLUGIN_DEPENDS_H
#define NS_PLUGIN_DEPENDS_H

#include <nettle/sha2.h>
#include <stddef.h>
#include <time.h>

#define NS_DIGEST_HEX (2 * SHA256_DIGEST_SIZE + 1)

/* Lower-case hexadecimal of the digest; h begins anew. */
void ns_digest_hex(struct sha256_ctx *h, char hex[NS_DIGEST_HEX]);
/* Text with its final 0, so that two texts do not run together. */
void ns_digest_text(struct sha256_ctx *h, const char *s);
/* Path and content. 0, or -1 when it cannot be read. since: set *changed when the file was written
 * later; both may be NULL. */
int ns_digest_file(struct sha256_ctx *h, const char *path, const struct timespec *since,
                   int *changed);
/* Path and content of every file in the list `file`. 0 or -1. */
int ns_digest_depends(struct sha256_ctx *h, const char *file, const struct timespec *since,
                      int *changed);

#endif
