/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claim.h -- files that a command reads and writes: never the same file for both, and none that
 * another process writes.
 *
 * A file is identified by its inode, so that links and other spellings of a path are the same file;
 * a file that does not exist yet by its folder and name, after following dangling links. A command
 * has an ns_claims in its context (ns_ctx.claims), in which everything read or written with that
 * context is looked up. Without it nothing is compared, but files are still locked.
 *
 * Locks are those of flock(2) on the output, taken before it is changed. They end with the process,
 * however it ends, and leave no files. On file systems without locks there are none. */
#ifndef NS_BASE_CLAIM_H
#define NS_BASE_CLAIM_H

#include "base/context.h"

typedef struct ns_claimed ns_claimed; /* a file that is read or written */

/* Zero it; fini frees its memory. */
typedef struct ns_claims {
  ns_claimed *list; /* [n], owned */
  int n;
} ns_claims;

void ns_claims_fini(ns_claims *f);

/* The command reads `path` ("-": standard input). `what` follows its name in messages, or replaces
 * it: "which the model is read from", "the problem". Both are copied. NS_NOMEM. */
int ns_claim_read(ns_ctx *c, const char *path, const char *what);
/* The command will write `path`; what: "the checkpoint". NS_NOCREATE if the file is read, or is
 * another output. Pipes, devices and "-" are not compared. */
int ns_claim_write(ns_ctx *c, const char *path, const char *what);
/* The same, without adding the file to the list, for one of many files. */
int ns_claim_check(ns_ctx *c, const char *path);

/* Open for writing; created if it does not exist (*made), not truncated. It must not be a file of
 * ns_claim_read, and is locked until the descriptor is closed. Models are never overwritten.
 * Returns the descriptor, or NS_NOCREATE. */
int ns_claim_open(ns_ctx *c, const char *path, int *made);
/* The same for an existing file: if it is missing, errno = ENOENT with NS_NOINPUT, without a
 * message. */
int ns_claim_open_existing(ns_ctx *c, const char *path);
/* The file to which path leads through links, with a suffix after its name: renaming a file to it
 * does not change the links. To be freed; NULL: out of memory. */
char *ns_claim_companion(const char *path, const char *suffix);
/* Rename the file to which path leads through links, if there is one, to its name and a suffix, and
 * replace an older file of that name. NS_NOCREATE. */
int ns_claim_set_aside(ns_ctx *c, const char *path, const char *suffix);
/* 1 where there is a file that it would replace; -1: out of memory. */
int ns_claim_is_aside(const char *path, const char *suffix);
/* 1 if the name leads to the open file; another process may have replaced it since. */
int ns_claim_leads_to(const char *path, int fd);
/* Lock an open file or folder: 1 if another process still has it locked after `patience`, s; 0: it
 * is ours, or on a file system without locks. A process that is being killed holds its locks until
 * it is gone, which a busy machine puts off. */
int ns_claim_is_locked(int fd, double patience);
/* The same for half a second. NS_NOCREATE if another process has locked it, "path: another process
 * writes it". */
int ns_claim_lock(ns_ctx *c, int fd, const char *path);

#endif
