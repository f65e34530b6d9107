/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer.h -- private to writer*.c: an HDF5 output that is being written.
 *
 *   writer.c         a new file, rows, events, the end
 *   writer_resume.c  marks of checkpoints, and resuming from one */
#ifndef NS_IO_HDF5_WRITER_H
#define NS_IO_HDF5_WRITER_H

#include "io/hdf5/contacts.h"
#include "io/hdf5/reserve.h"
#include "io/results/result_meta.h"
#include "simulation/record/sink.h"

enum { NS_H5_EVENT_CHUNK = 1024 };

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
  double *block; /* rows of one channel, contiguous; grows with the rows delivered */
  size_t block_size;
  size_t event_idlen, event_size; /* bytes of an id with its NUL, and of a row of /events */
  char *event_rows;               /* [NS_H5_EVENT_CHUNK x event_size] */
  char *event_id;                 /* scratch [event_idlen] */
  ns_h5_contacts contacts;
  ns_h5_reason reason;
  int aside;            /* a file that is no output yet: written without a journal */
  int marked;           /* a checkpoint depends on this file: flushes wait for the disk */
  ns_h5_digest *digest; /* digest of the content at the last mark; NULL: no mark yet */
  ns_reserve reserve;   /* space for the structure of what was written since the last flush */
  int lock;             /* descriptor with the lock of the file (base/claim.h); -1: none */
  int made, failed;     /* the file did not exist before; code of the first failure */
} ns_h5_writer;

/* Allocate memory; NULL: failed, reported in c. The file is not touched. */
ns_h5_writer *ns_h5_writer_new(ns_ctx *c, const char *path, const ns_run_info *info,
                               const ns_channel *channels, int nchannels, size_t ncols);
void ns_h5_writer_free(ns_h5_writer *w);
/* Report "path: what: reason", and store it as the failure of the writer. */
int ns_h5_writer_fail(ns_h5_writer *w, ns_ctx *c, int rc, const char *what);
/* File access properties: the structure reaches the disk only by a flush. < 0 on failure. */
hid_t ns_h5_writer_access(const ns_h5_writer *w);
/* Create the file at w->path with its head and datasets, and flush it. Failures are reported in c;
 * handles may then still be open. */
int ns_h5_writer_fill(ns_h5_writer *w, ns_ctx *c);
/* Flush, then close every handle of the file; < 0 if the flush failed. */
int ns_h5_writer_close(ns_h5_writer *w);
/* Type of the rows of events, closed by the caller; < 0 on failure. */
hid_t ns_h5_writer_event_type(const ns_h5_writer *w);
/* Flush all data delivered so far; < 0 on failure. */
int ns_h5_writer_flush(ns_h5_writer *w);

int ns_h5_writer_mark(void *self, ns_ctx *c, ns_blob *b);
int ns_h5_writer_resume(ns_ctx *c, const char *path, const ns_run_info *info,
                        const ns_channel *channels, int nchannels, size_t ncols, ns_blob *b,
                        void **self);

#endif
