/* SPDX-License-Identifier: GPL-3.0-or-later */
/* textfile.h -- a buffered text output. Every failure is reported once, with its reason.
 *
 * After a failure nothing more is written, so that a full disk gives one message. */
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
  unsigned long long marked; /* number of bytes at the last mark, with this digest: */
  struct sha256_ctx digest;
} ns_textfile;

/* Allocate memory only; nothing is opened (fd = -1). After NS_NOMEM, still call
 * ns_textfile_abandon. */
int ns_textfile_init(ns_ctx *c, const char *path, ns_textfile *f);
/* Open for writing without changing the content, and lock it (base/claim.h); "-" is standard
 * output. NS_NOCREATE. */
int ns_textfile_open(ns_ctx *c, const char *path, ns_textfile *f);
/* Delete the old content; call it once all files of an output are open. */
int ns_textfile_truncate(ns_textfile *f, ns_ctx *c);
/* Write n bytes of s, buffered. NS_OUTPUT. */
int ns_textfile_put(ns_textfile *f, ns_ctx *c, const char *s, size_t n);
int ns_textfile_puts(ns_textfile *f, ns_ctx *c, const char *s);
/* Write a field of CSV (RFC 4180), quoted if necessary. */
int ns_textfile_put_field(ns_textfile *f, ns_ctx *c, const char *s);
int ns_textfile_put_number(ns_textfile *f, ns_ctx *c, double x);
/* Write a line of n numbers separated by commas. */
int ns_textfile_put_row(ns_textfile *f, ns_ctx *c, const double *x, size_t n);
int ns_textfile_flush(ns_textfile *f, ns_ctx *c);
/* Flush, close, free. Safe on a zeroed struct with fd = -1. */
int ns_textfile_close(ns_textfile *f, ns_ctx *c);
/* Close without writing; remove the file if it did not exist before. */
void ns_textfile_abandon(ns_textfile *f);

/* ---- resuming the output of an earlier run (checkpoints) ---- */
/* A mark is the length of the file and a digest of its content. The digest of the next mark is
 * continued from the last one. */

/* Flush all data to disk and store the mark in b. NS_OUTPUT; NS_USAGE: not a regular file. */
int ns_textfile_mark(ns_textfile *f, ns_ctx *c, ns_blob *b);
/* Open the file at path, lock it, and check that its beginning agrees with the next mark of b;
 * nothing is changed. NS_NOINPUT: it does not agree; NS_NOCREATE. f is then as after
 * ns_textfile_abandon. */
int ns_textfile_resume(ns_ctx *c, const char *path, ns_blob *b, ns_textfile *f);
/* Delete the content after that mark and continue writing there. NS_NOCREATE. */
int ns_textfile_cut(ns_textfile *f, ns_ctx *c);

#endif
