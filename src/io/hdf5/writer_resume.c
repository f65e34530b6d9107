/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer_resume.c -- find the place again where a checkpoint left an HDF5 output.
 *
 * A mark is the number of rows, events and contacts and a digest of the last rows of every dataset. To go on, all of that is checked
 * while the file is open for reading alone; then datasets are cut back to the mark and what only a finished file has is removed, in
 * a twin of the file (twin.h). */
#include "io/hdf5/head.h"
#include "io/hdf5/twin.h"
#include "io/hdf5/writer.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAST = 64 }; /* rows in the digest */

typedef struct mark {
  uint64_t rows, events, contacts, contact_rows;
  unsigned char digest[SHA256_DIGEST_SIZE];
} mark;

static int digest_contacts(const ns_h5_contacts *k, const mark *m, struct sha256_ctx *h)
{
  ns_h5_contact last[LAST];
  uint64_t n = m->contacts < LAST ? m->contacts : LAST;
  if (!k->buf) return 0;
  memset(last, 0, sizeof last);
  int rc = ns_h5_read_rows(k->data, k->type, 1, 1, m->contacts - n, n, last);
  if (rc >= 0) sha256_update(h, (size_t)n * sizeof *last, (const unsigned char *)last);
  return rc;
}

static int digest(const ns_h5_writer *w, mark *m)
{
  struct sha256_ctx h;
  hsize_t rows = m->rows < LAST ? m->rows : LAST, events = m->events < LAST ? m->events : LAST;
  size_t most = LAST * w->layout.size, wide = LAST * sizeof(double);
  for (int i = 0; i < w->nchannels; i++)
    if ((size_t)w->channels[i].ncol * wide > most) most = (size_t)w->channels[i].ncol * wide;
  unsigned char *buf = malloc(most);
  int rc = buf ? 0 : -1;
  sha256_init(&h);
  for (int i = 0; i < w->nchannels && rc >= 0; i++) {
    const ns_channel *ch = &w->channels[i];
    rc = ns_h5_read_rows(w->data[i], H5T_NATIVE_DOUBLE, ch->vector ? 2 : 1, ch->ncol, m->rows - rows, rows, buf);
    if (rc >= 0) sha256_update(&h, (size_t)rows * (size_t)ch->ncol * sizeof(double), buf);
  }
  if (rc >= 0) rc = ns_h5_read_rows(w->events, w->event_type, 1, 1, m->events - events, events, buf);
  if (rc >= 0) sha256_update(&h, (size_t)events * w->layout.size, buf);
  if (rc >= 0) rc = digest_contacts(&w->contacts, m, &h);
  sha256_digest(&h, sizeof m->digest, m->digest);
  free(buf);
  return rc;
}

int ns_h5_writer_mark(void *self, ns_ctx *c, ns_blob *b)
{
  ns_h5_writer *w = self;
  void *fd;
  mark m = {.rows = w->nrows, .events = w->nevents};
  if (w->failed) return w->failed;
  ns_h5_listen(&w->reason);
  if (ns_h5_writer_flush(w) < 0 || H5Fget_vfd_handle(w->file, H5P_DEFAULT, &fd) < 0)
    return ns_h5_writer_fail(w, c, NS_OUTPUT, "cannot write");
  if (fsync(*(int *)fd) != 0) {
    w->failed = NS_OUTPUT;
    return ns_fail(c, NS_OUTPUT, "%s: cannot write: %s", w->path, strerror(errno));
  }
  m.contacts = w->contacts.n;
  m.contact_rows = w->contacts.nrows;
  if (digest(w, &m) < 0) return ns_h5_writer_fail(w, c, NS_OUTPUT, "cannot read it for a checkpoint");
  ns_blob_put(b, &m.rows, sizeof m.rows);
  ns_blob_put(b, &m.events, sizeof m.events);
  ns_blob_put(b, &m.contacts, sizeof m.contacts);
  ns_blob_put(b, &m.contact_rows, sizeof m.contact_rows);
  ns_blob_put(b, m.digest, sizeof m.digest);
  w->marked = 1;
  return NS_OK;
}

/* ---- going on ------------------------------------------------------------------------------------------- */

int ns_h5_writer_open(ns_h5_writer *w, const char *path, unsigned how)
{
  hid_t fapl = ns_h5_writer_access(w), dapl = H5Pcreate(H5P_DATASET_ACCESS);
  w->file = fapl < 0 ? -1 : H5Fopen(path, how, fapl);
  int rc = w->file < 0 || dapl < 0 || H5Pset_chunk_cache(dapl, 1, 0, 1) < 0 ? -1 : 0;
  for (int i = 0; i < w->nchannels && rc >= 0; i++) {
    w->data[i] = H5Dopen2(w->file, w->channels[i].path, dapl);
    if (w->data[i] < 0) rc = -1;
  }
  if (rc >= 0 && (w->events = H5Dopen2(w->file, "events", H5P_DEFAULT)) < 0) rc = -1;
  if (rc >= 0) rc = ns_h5_contacts_open(&w->contacts, w->file);
  if (fapl >= 0) H5Pclose(fapl);
  if (dapl >= 0) H5Pclose(dapl);
  return rc;
}

/* H5F_CLOSE_STRONG closes what is left. */
int ns_h5_writer_close(ns_h5_writer *w)
{
  int rc = w->file >= 0 ? H5Fclose(w->file) : 0;
  w->file = w->events = -1;
  ns_h5_contacts_forget(&w->contacts);
  for (int i = 0; i < w->nchannels; i++) w->data[i] = -1;
  return rc < 0 ? -1 : 0;
}

/* At least n rows of ncol columns. */
static int is_long(hid_t d, int rank, int ncol, hsize_t n)
{
  hsize_t size[2] = {0, (hsize_t)ncol};
  hid_t space = H5Dget_space(d);
  int fits = space >= 0 && H5Sget_simple_extent_ndims(space) == rank && H5Sget_simple_extent_dims(space, size, NULL) == rank &&
             size[0] >= n && size[1] == (hsize_t)ncol;
  if (space >= 0) H5Sclose(space);
  return fits;
}

static int other(const ns_h5_writer *w, ns_ctx *c, const char *why)
{
  return ns_fail(c, NS_NOINPUT, "%s: %s, expected the output that belongs to the checkpoint; put it back, or remove the "
                 "checkpoint to begin anew", w->path, why);
}

static int check(ns_h5_writer *w, ns_ctx *c, const mark *want)
{
  mark have = *want;
  char why[512];
  if (access(w->path, R_OK | W_OK) != 0) return other(w, c, strerror(errno));
  if (ns_h5_writer_open(w, w->path, H5F_ACC_RDONLY) < 0) {
    snprintf(why, sizeof why, "it cannot be opened (%s)", w->reason.text[0] ? w->reason.text : "it has other datasets");
    return other(w, c, why);
  }
  for (int i = 0; i < w->nchannels; i++)
    if (!is_long(w->data[i], w->channels[i].vector ? 2 : 1, w->channels[i].ncol, want->rows)) {
      snprintf(why, sizeof why, "/%s is shorter than at the checkpoint, or has another width", w->channels[i].path);
      return other(w, c, why);
    }
  if (!is_long(w->events, 1, 1, want->events)) return other(w, c, "/events is shorter than at the checkpoint");
  if (w->contacts.buf && (!is_long(w->contacts.data, 1, 1, want->contacts) || !is_long(w->contacts.rows, 1, 1, want->contact_rows)))
    return other(w, c, "/contacts is shorter than at the checkpoint");
  if (digest(w, &have) < 0) return other(w, c, "its last rows cannot be read");
  if (memcmp(have.digest, want->digest, sizeof have.digest) != 0)
    return other(w, c, "its last rows have another content than at the checkpoint");
  return NS_OK;
}

static int cut(ns_h5_writer *w, const char *path, const mark *m)
{
  int rc = ns_h5_writer_open(w, path, H5F_ACC_RDWR);
  for (int i = 0; i < w->nchannels && rc >= 0; i++) {
    hsize_t size[2] = {m->rows, (hsize_t)w->channels[i].ncol};
    rc = H5Dset_extent(w->data[i], size);
  }
  hsize_t events = m->events;
  if (rc >= 0) rc = H5Dset_extent(w->events, &events);
  if (rc >= 0) rc = ns_h5_contacts_cut(&w->contacts, m->contacts, m->contact_rows);
  if (rc >= 0) rc = ns_h5_forget_tail(w->file, w->info.model->sim.T);
  if (rc >= 0) rc = ns_h5_writer_flush(w);
  w->nrows = m->rows;
  w->nevents = m->events;
  return rc;
}

/* Where there is no room for a twin the file itself is cut. */
static int go_back(ns_h5_writer *w, ns_ctx *c, const mark *m)
{
  char *twin = ns_twin_make(w->path);
  int rc = cut(w, twin ? twin : w->path, m);
  if (twin && rc >= 0) rc = ns_h5_writer_close(w);
  if (twin && rc >= 0) rc = ns_twin_replace(w->path, twin);
  if (twin && rc >= 0) rc = ns_h5_writer_open(w, w->path, H5F_ACC_RDWR);
  free(twin);
  return rc < 0 ? ns_h5_writer_fail(w, c, NS_OUTPUT, "cannot go back to the checkpoint") : NS_OK;
}

int ns_h5_writer_resume(ns_ctx *c, const char *path, const ns_run_info *info, const ns_channel *channels, int nchannels,
                        size_t ncols, ns_blob *b, void **self)
{
  mark m;
  *self = NULL;
  ns_blob_get(b, &m.rows, sizeof m.rows);
  ns_blob_get(b, &m.events, sizeof m.events);
  ns_blob_get(b, &m.contacts, sizeof m.contacts);
  ns_blob_get(b, &m.contact_rows, sizeof m.contact_rows);
  ns_blob_get(b, m.digest, sizeof m.digest);
  int rc = ns_blob_status(b, c, path);
  if (!rc) rc = ns_h5_start(c);
  if (rc) return rc;
  ns_h5_writer *w = ns_h5_writer_new(c, path, info, channels, nchannels, ncols);
  if (!w) return NS_NOMEM;
  ns_h5_listen(&w->reason);
  w->event_type = ns_h5_writer_event_type(w);
  rc = w->event_type < 0 ? ns_nomem(c, "HDF5 output") : check(w, c, &m);
  ns_h5_writer_close(w);
  if (!rc) rc = go_back(w, c, &m);
  w->marked = 1;
  if (!rc) {
    *self = w;
    return NS_OK;
  }
  ns_h5_writer_close(w);
  if (w->event_type >= 0) H5Tclose(w->event_type);
  ns_h5_writer_free(w);
  return rc;
}
