/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blob.h -- a growing stream of bytes, for checkpoints; items are read in the order in which they
 * were written.
 *
 * Each item contains its size, and reading it with another size is a failure: a stream of another
 * model, or of another program, is detected at the first item that differs. Failures persist
 * (failed is the first one), so that a sequence of puts or gets is checked once, at its end.
 * Numbers have the format of the machine, which is stated in the file
 * (io/results/checkpoint_file.h).
 *
 * ns_memory is a table of operations for data of an object of a run that pass from step to step and
 * are not in ns_state. Every scheme, driver and solver has one. Pure functions of the arguments
 * (factors kept by stamps, scales, scratch) are not saved, because they are computed again to the
 * same bits. */
#ifndef NS_BASE_BLOB_H
#define NS_BASE_BLOB_H

#include "base/context.h"

#include <stddef.h>

typedef struct ns_blob {
  unsigned char *bytes; /* owned */
  size_t n, capacity;   /* used, allocated */
  size_t at;            /* position of the next get */
  int failed;           /* NS_OK, NS_NOMEM, NS_NOINPUT (sizes differ, or end of the stream) */
} ns_blob;

void ns_blob_fini(ns_blob *b);  /* safe on a zeroed one; leaves a zeroed one */
void ns_blob_clear(ns_blob *b); /* empty it, keep the memory */

void ns_blob_put(ns_blob *b, const void *from, size_t bytes);
/* to [bytes] is written only if the item has this size. */
void ns_blob_get(ns_blob *b, void *to, size_t bytes);
/* The next item, borrowed from the stream, and its size; NULL after a failure. */
const void *ns_blob_next(ns_blob *b, size_t *bytes);

void ns_blob_put_reals(ns_blob *b, const double *x, size_t n);
void ns_blob_get_reals(ns_blob *b, double *x, size_t n);
/* List of the data of an object, written or (restore) read by ns_blob_pass. */
typedef struct ns_kept {
  void *at;
  size_t bytes;
} ns_kept;
void ns_blob_pass(ns_blob *b, int restore, const ns_kept *list, size_t n);

void ns_blob_put_text(ns_blob *b, const char *s);
/* Borrowed from the stream, NUL-terminated; "" after a failure. */
const char *ns_blob_next_text(ns_blob *b);

/* The first failure, with a message about `what`; NS_OK if there is none. */
int ns_blob_status(const ns_blob *b, ns_ctx *c, const char *what);

typedef struct ns_memory {
  void (*save)(const void *self, ns_blob *b);
  /* called for an object just created from the same model; reads what save wrote */
  void (*restore)(void *self, ns_blob *b);
} ns_memory;

/* For objects without such data. */
extern const ns_memory ns_memory_none;

#endif
