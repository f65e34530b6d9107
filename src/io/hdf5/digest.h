/* SPDX-License-Identifier: GPL-3.0-or-later */
/* digest.h -- digest of an HDF5 output, which shows whether a file is unchanged since a checkpoint.
 *
 * There is one sum for each dataset of rows, for events and for contacts. Each covers all rows up
 * to a position and is continued from there, so that every row is read only once. A further sum
 * covers what does not grow: names, shapes, the model and all attributes except those written at
 * the end of a run. */
#ifndef NS_IO_HDF5_DIGEST_H
#define NS_IO_HDF5_DIGEST_H

#include "io/hdf5/writer.h"

#include <nettle/sha2.h>

/* Number of rows of each table. */
typedef struct ns_h5_extent {
  uint64_t rows, events, contacts, contact_rows;
} ns_h5_extent;

/* Create sums [nchannels] and their positions, in memory shared with child processes
 * (base/child.h); NULL: out of memory. */
ns_h5_digest *ns_h5_digest_create(int nchannels);
void ns_h5_digest_destroy(ns_h5_digest *d); /* NULL-safe */
/* Discard the sum of what does not grow, because it was rewritten. */
void ns_h5_digest_forget_fixed(ns_h5_digest *d);

/* A dataset, with the type of its rows in memory. */
typedef struct ns_h5_table {
  hid_t set, type;
  int rank, ncol;
  size_t size; /* bytes of a row */
} ns_h5_table;

/* Table k of a file in the order of the digest, and its number of rows in n; 0: there are no
 * more. */
int ns_h5_table_of(const ns_h5_writer *w, const ns_h5_extent *n, int k, ns_h5_table *t,
                   uint64_t *rows);

/* Continue the sums to the extent n, and compute the digest of all. The file must be open and have
 * at least these rows. < 0: it cannot be read, or out of memory. */
int ns_h5_digest_to(ns_h5_writer *w, const ns_h5_extent *n,
                    unsigned char digest[SHA256_DIGEST_SIZE]);

#endif
