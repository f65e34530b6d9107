/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer.h -- private to writer*.c: an HDF5 output that is being written.
 *
 *   writer.c         a new file, rows, events, the end
 *   writer_resume.c  marks of checkpoints, and going on from one */
#ifndef NS_IO_HDF5_WRITER_H
#define NS_IO_HDF5_WRITER_H

#include "io/hdf5/contacts.h"
#include "io/hdf5/reserve.h"
#include "io/results/result_meta.h"
#include "simulation/record/sink.h"

enum { NS_H5_EVENT_CHUNK = 1024 };

/* Rows of a chunk of a table whose length is not known, for a run that hands over `batch` rows at
 * most (0: unknown): few where the whole run is that short, for a chunk has its size on the disk
 * however few rows it holds. Divides NS_H5_EVENT_CHUNK. */
hsize_t ns_h5_table_chunk(size_t batch);

typedef struct ns_h5_digest ns_h5_digest; /* digest.h */

typedef struct ns_h5_writer {
  char *path;
  hid_t file, events, event_type;
  hid_t *data; /* dataset of each channel [nchannels] */
  const ns_channel *channels;
  int nchannels;
  size_t ncols;
  ns_run_info info;
  hsize_t nrows, nevents;
  double *block; /* rows of one channel side by side; grows with what is handed over */
  size_t block_size;
  ns_h5_event_layout layout;
  char *event_rows; /* [NS_H5_EVENT_CHUNK x layout.size] */
  ns_h5_contacts contacts;
  ns_h5_reason reason;
  /* a checkpoint counts on this file: what changes its structure is done in a twin */
  int marked;
  ns_h5_digest *digest; /* of what stood there at the last mark; NULL: no mark yet */
  ns_reserve reserve;   /* for the structure of what was written since the last flush */
  int lock;             /* descriptor that holds the lock of the file (base/claim.h); -1: none */
  int made, failed;     /* the file did not exist before; code of the first failure */
} ns_h5_writer;

/* Memory; NULL: told in c. The file is not touched. */
ns_h5_writer *ns_h5_writer_new(ns_ctx *c, const char *path, const ns_run_info *info,
                               const ns_channel *channels, int nchannels, size_t ncols);
void ns_h5_writer_free(ns_h5_writer *w);
/* "path: what: reason", kept as the failure of the writer. */
int ns_h5_writer_fail(ns_h5_writer *w, ns_ctx *c, int rc, const char *what);
/* How the file is opened: nothing of its structure reaches the disk but by a flush. < 0 on failure.
 */
hid_t ns_h5_writer_access(const ns_h5_writer *w);
/* A new file at w->path with its head and datasets, flushed. Told in c where it fails, some of it
 * may be open then. */
int ns_h5_writer_fill(ns_h5_writer *w, ns_ctx *c);
/* The file at `path` with its datasets; how: H5F_ACC_.... < 0 on failure, some of it may be open
 * then. */
int ns_h5_writer_open(ns_h5_writer *w, const char *path, unsigned how);
/* Every handle of the file, after a flush: < 0 where that failed. */
int ns_h5_writer_close(ns_h5_writer *w);
/* Of its rows of events; < 0 on failure, the caller's to close. */
hid_t ns_h5_writer_event_type(const ns_h5_writer *w);
/* All that was handed over; < 0 on failure. */
int ns_h5_writer_flush(ns_h5_writer *w);

int ns_h5_writer_mark(void *self, ns_ctx *c, ns_blob *b);
int ns_h5_writer_resume(ns_ctx *c, const char *path, const ns_run_info *info,
                        const ns_channel *channels, int nchannels, size_t ncols, ns_blob *b,
                        void **self);

#endif
