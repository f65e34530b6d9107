/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blob.h -- a stream of bytes that grows, for checkpoints: what is put is got back in the same
 * order.
 *
 * Each item carries its size, and an item that is asked for with another size is a failure: a
 * stream of another model, or of another program, is noticed at the first item that differs.
 * Failures stay (failed is the first one), so that a sequence of puts or gets is checked once, at
 * its end. Numbers are those of the machine; the file around it says which
 * (io/results/checkpoint_file.h).
 *
 * ns_memory is the operations table of what an object of a run remembers from step to step and
 * ns_state does not hold. Every scheme, driver and solver names one; what is a pure function of its
 * arguments (factors kept by stamps, scales, scratch) is no memory: it is rebuilt to the same bits.
 */
#ifndef NS_BASE_BLOB_H
#define NS_BASE_BLOB_H

#include "base/context.h"

#include <stddef.h>

typedef struct ns_blob {
  unsigned char *bytes; /* owned */
  size_t n, room;       /* used, allocated */
  size_t at;            /* where the next get reads */
  int failed;           /* NS_OK, NS_NOMEM, NS_NOINPUT (sizes differ, or the end was met) */
} ns_blob;

void ns_blob_fini(ns_blob *b);  /* safe on a zeroed one; leaves a zeroed one */
void ns_blob_clear(ns_blob *b); /* empty, the memory stays */

void ns_blob_put(ns_blob *b, const void *from, size_t bytes);
/* to [bytes] is written only where the item has this size. */
void ns_blob_get(ns_blob *b, void *to, size_t bytes);
/* The next item where it stands in the stream, and its size; NULL after a failure. */
const void *ns_blob_next(ns_blob *b, size_t *bytes);

void ns_blob_put_reals(ns_blob *b, const double *x, size_t n);
void ns_blob_get_reals(ns_blob *b, double *x, size_t n);
/* What an object keeps as a list, the same both ways: put, or (restore) got. */
typedef struct ns_kept {
  void *at;
  size_t bytes;
} ns_kept;
void ns_blob_pass(ns_blob *b, int restore, const ns_kept *list, size_t n);

void ns_blob_put_text(ns_blob *b, const char *s);
/* Borrowed from the stream, NUL-terminated; "" after a failure. */
const char *ns_blob_next_text(ns_blob *b);

/* The failure so far as a sentence about `what`; NS_OK where there is none. */
int ns_blob_status(const ns_blob *b, ns_ctx *c, const char *what);

typedef struct ns_memory {
  void (*save)(const void *self, ns_blob *b);
  /* of an object just created from the same model; reads what save wrote */
  void (*restore)(void *self, ns_blob *b);
} ns_memory;

/* For objects without any. */
extern const ns_memory ns_memory_none;

#endif
