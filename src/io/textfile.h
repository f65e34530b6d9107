/* SPDX-License-Identifier: GPL-3.0-or-later */
/* textfile.h -- a text output with a buffer; every failure ends in one sentence with the reason.
 *
 * After a failure nothing more is written, so that one full disk gives one message. */
#ifndef NS_IO_TEXTFILE_H
#define NS_IO_TEXTFILE_H

#include "base/blob.h"
#include "base/context.h"

#include <nettle/sha2.h>
#include <stddef.h>

typedef struct ns_textfile {
  char *path; /* owned; for messages */
  char *buf;  /* owned */
  size_t n;   /* buffered bytes */
  int fd;     /* -1: not open */
  int ours;   /* a file; 0: standard output, by a descriptor of its own */
  int made;   /* the file did not exist before */
  int failed;
  unsigned long long marked; /* bytes of the last mark, whose digest is: */
  struct sha256_ctx digest;
} ns_textfile;

/* Memory alone, nothing is opened: fd = -1. NS_NOMEM: abandon it all the same. */
int ns_textfile_init(ns_ctx *c, const char *path, ns_textfile *f);
/* Open for writing without touching what is there, locked (base/claim.h); "-" is standard output.
 * NS_NOCREATE. */
int ns_textfile_open(ns_ctx *c, const char *path, ns_textfile *f);
/* Drop the old content, once all files of an output are open. */
int ns_textfile_truncate(ns_textfile *f, ns_ctx *c);
/* n bytes of s; buffered. NS_OUTPUT. */
int ns_textfile_put(ns_textfile *f, ns_ctx *c, const char *s, size_t n);
int ns_textfile_puts(ns_textfile *f, ns_ctx *c, const char *s);
/* A field of CSV (RFC 4180), quoted where it has to be. */
int ns_textfile_put_field(ns_textfile *f, ns_ctx *c, const char *s);
int ns_textfile_put_number(ns_textfile *f, ns_ctx *c, double x);
/* A line of n numbers, separated by commas. */
int ns_textfile_put_row(ns_textfile *f, ns_ctx *c, const double *x, size_t n);
int ns_textfile_flush(ns_textfile *f, ns_ctx *c);
/* Flush, close, free. Safe on a zeroed struct with fd = -1. */
int ns_textfile_close(ns_textfile *f, ns_ctx *c);
/* Close without writing; remove the file if it was made by us. */
void ns_textfile_abandon(ns_textfile *f);

/* ---- going on with what an earlier run left (checkpoints) ----
 * A mark is the length of the file and a digest of all of it; that of the next one goes on where
 * the last one ended. */

/* All that was put is on the disk after this; the mark goes to b. NS_OUTPUT; NS_USAGE: it is no
 * regular file. */
int ns_textfile_mark(ns_textfile *f, ns_ctx *c, ns_blob *b);
/* Open the file at path, locked, and see that it began as the next mark of b says; nothing is
 * changed. NS_NOINPUT: it did not; NS_NOCREATE. f is then as ns_textfile_abandon leaves it. */
int ns_textfile_resume(ns_ctx *c, const char *path, ns_blob *b, ns_textfile *f);
/* Drop what stands behind that mark, write on from there. NS_NOCREATE. */
int ns_textfile_cut(ns_textfile *f, ns_ctx *c);

#endif
