/* SPDX-License-Identifier: GPL-3.0-or-later */
/* textfile.h -- a text output with a buffer; every failure ends in one sentence with the reason.
 *
 * After a failure nothing more is written, so that one full disk gives one message. */
#ifndef NS_IO_TEXTFILE_H
#define NS_IO_TEXTFILE_H

#include "base/blob.h"
#include "base/context.h"

#include <stddef.h>

typedef struct ns_textfile {
  char *path;    /* owned; for messages */
  char *buf;     /* owned */
  size_t n;      /* buffered bytes */
  int fd;        /* -1: not open */
  int ours;      /* a file; 0: standard output, by a descriptor of its own */
  int made;      /* the file did not exist before */
  int failed;
} ns_textfile;

/* Open for writing without touching what is there; "-" is standard output. NS_NOCREATE. */
int ns_textfile_open(ns_ctx *c, const char *path, ns_textfile *f);
/* Drop the old content, once all files of an output are open. */
int ns_textfile_truncate(ns_textfile *f, ns_ctx *c);
/* n bytes of s; buffered. NS_OUTPUT. */
int ns_textfile_put(ns_textfile *f, ns_ctx *c, const char *s, size_t n);
int ns_textfile_puts(ns_textfile *f, ns_ctx *c, const char *s);
/* A field of CSV (RFC 4180), quoted where it has to be. */
int ns_textfile_put_field(ns_textfile *f, ns_ctx *c, const char *s);
int ns_textfile_put_number(ns_textfile *f, ns_ctx *c, double x);
int ns_textfile_flush(ns_textfile *f, ns_ctx *c);
/* Flush, close, free. Safe on a zeroed struct with fd = -1. */
int ns_textfile_close(ns_textfile *f, ns_ctx *c);
/* Close without writing; remove the file if it was made by us. */
void ns_textfile_abandon(ns_textfile *f);

/* ---- going on with what an earlier run left (checkpoints) ----
 * A mark is the length of the file and a digest of its beginning and of its last megabyte. */

/* All that was put is on the disk after this; the mark goes to b. NS_OUTPUT; NS_USAGE: it is no regular file. */
int ns_textfile_mark(ns_textfile *f, ns_ctx *c, ns_blob *b);
/* Is the file at path one that began as the next mark of b says? Its length there to *size. NS_NOINPUT: no. */
int ns_textfile_check(ns_ctx *c, const char *path, ns_blob *b, unsigned long long *size);
/* Open it, drop what stands behind `size`, write on from there. NS_NOCREATE. */
int ns_textfile_resume(ns_ctx *c, const char *path, unsigned long long size, ns_textfile *f);

#endif
