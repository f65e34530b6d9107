/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claim.h -- what a command reads and what it writes: never one file for both, never one that
 * another process writes.
 *
 * A file is its inode, so links and other spellings of a path are the same file; one that is not
 * there yet is a name in a folder, where links that lead nowhere were followed. A command keeps an
 * ns_claims and hangs it into its context (ns_ctx.claims): whatever is read or written with that
 * context is then looked up in it. Without one, nothing is compared, but files are locked all the
 * same.
 *
 * Locks are those of flock(2) on the output itself, taken before a byte of it is touched: they end
 * with the process that holds them, however it ends, and leave nothing behind. Where the file
 * system has none, there are none. */
#ifndef NS_BASE_CLAIM_H
#define NS_BASE_CLAIM_H

#include "base/context.h"

typedef struct ns_claimed ns_claimed; /* one that is read or written */

/* Zero it; fini frees its memory. */
typedef struct ns_claims {
  ns_claimed *list; /* [n of cap], owned */
  int n, cap;
} ns_claims;

void ns_claims_fini(ns_claims *f);

/* The command reads `path` ("-": standard input). `what` is "which ..." behind its name, or stands
 * for it: "which the model is read from", "the problem". Both are copied. NS_NOMEM. */
int ns_claim_read(ns_ctx *c, const char *path, const char *what);
/* The command will write `path`, and it is `what`: "the checkpoint". NS_NOCREATE where that is
 * read, or is another of its outputs. Pipes, devices and "-" are not compared. */
int ns_claim_write(ns_ctx *c, const char *path, const char *what);
/* The same for one of many that is not kept in the list. */
int ns_claim_check(ns_ctx *c, const char *path);

/* Open for writing, made where it is not there (*made), not emptied; it is no file of
 * ns_claim_read, and locked until the descriptor is closed. A model is never written over. The
 * descriptor, or NS_NOCREATE. */
int ns_claim_open(ns_ctx *c, const char *path, int *made);
/* The same of a file that has to be there: a missing one is told by errno = ENOENT with NS_NOINPUT,
 * without a message. */
int ns_claim_open_existing(ns_ctx *c, const char *path);
/* The file that path leads to over links, with a suffix behind its name: what is renamed to it
 * leaves the links as they are. To be freed; NULL: out of memory. */
char *ns_claim_beside(const char *path, const char *suffix);
/* Lock an open file or folder: NS_NOCREATE where another process holds it, "path: another process
 * writes it". */
int ns_claim_lock(ns_ctx *c, int fd, const char *path);

#endif
