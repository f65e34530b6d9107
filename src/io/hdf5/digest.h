/* SPDX-License-Identifier: GPL-3.0-or-later */
/* digest.h -- what an HDF5 output holds, in one number: whether a file is still what it was at a
 * checkpoint.
 *
 * A sum for each dataset of rows, for events and contacts, each over all rows up to a place, so
 * that the next one goes on where the last one ended: every row is read once. Then one sum of what
 * does not grow: names, shapes, the model and all attributes, but for what a run writes at its end.
 */
#ifndef NS_IO_HDF5_DIGEST_H
#define NS_IO_HDF5_DIGEST_H

#include "io/hdf5/writer.h"

#include <nettle/sha2.h>

/* How much there is of each. */
typedef struct ns_h5_extent {
  uint64_t rows, events, contacts, contact_rows;
} ns_h5_extent;

/* Sums [w->nchannels] and their places, in memory that a child shares (base/child.h); NULL when
 * there is none. */
ns_h5_digest *ns_h5_digest_create(int nchannels);
void ns_h5_digest_destroy(ns_h5_digest *d); /* NULL-safe */
/* What does not grow was written anew: its sum begins anew, too. */
void ns_h5_digest_forget_fixed(ns_h5_digest *d);

/* Rows of a dataset as they are in memory. */
typedef struct ns_h5_table {
  hid_t set, type;
  int rank, ncol;
  size_t size; /* bytes of a row */
} ns_h5_table;

/* Table k of a file, and how many rows of it are in n; 0: there are no more. The order is that of
 * the digest. */
int ns_h5_table_of(const ns_h5_writer *w, const ns_h5_extent *n, int k, ns_h5_table *t,
                   uint64_t *rows);

/* Go on to `n`, and the digest of all; the file is open and has so much. < 0: it cannot be read, or
 * no memory. */
int ns_h5_digest_to(ns_h5_writer *w, const ns_h5_extent *n,
                    unsigned char digest[SHA256_DIGEST_SIZE]);

#endif
