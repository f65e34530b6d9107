/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writer_resume.c -- find the place again where a checkpoint left an HDF5 output.
 *
 * A mark is the number of rows, events and contacts and a digest of all that is in the file
 * (digest.h). To go on, that is checked while the file is open for reading alone; then what stood
 * there at the mark is copied into a new file, which takes its place: rows and their order
 * are those of the old one, the structure around them is sound by its making.
 *
 * A file that was changed or damaged since may do anything to the library, crash it too. So all of
 * this is done by a child (base/child.h): only where it comes to its end does its file take the
 * place of the old one. */
#include "algebra/vector.h"
#include "base/child.h"
#include "base/claim.h"
#include "io/hdf5/digest.h"
#include "io/hdf5/head.h"
#include "io/hdf5/journal.h"
#include "io/hdf5/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 20 }; /* bytes copied at once, about */

typedef struct mark {
  ns_h5_extent n;
  unsigned char digest[SHA256_DIGEST_SIZE];
} mark;

int ns_h5_writer_mark(void *self, ns_ctx *c, ns_blob *b)
{
  ns_h5_writer *w = self;
  mark m = {.n = {.rows = w->nrows, .events = w->nevents}};
  if (w->failed) return w->failed;
  if (!w->digest && !(w->digest = ns_h5_digest_create(w->nchannels)))
    return w->failed = ns_nomem(c, "digests of an output");
  ns_h5_listen(&w->reason);
  w->marked = 1;
  if (ns_h5_writer_flush(w) < 0) return ns_h5_writer_fail(w, c, NS_OUTPUT, "cannot write");
  m.n.contacts = w->contacts.n;
  m.n.contact_rows = w->contacts.nrows;
  if (ns_h5_digest_to(w, &m.n, m.digest) < 0)
    return ns_h5_writer_fail(w, c, NS_OUTPUT, "cannot read it for a checkpoint");
  ns_blob_put(b, &m.n, sizeof m.n);
  ns_blob_put(b, m.digest, sizeof m.digest);
  return NS_OK;
}

/* ---- going on -------------------------------------------------------------------------------- */

/* Open the file at `path` with its datasets; how: H5F_ACC_.... < 0 on failure; handles may then
 * still be open. */
static int open_file(ns_h5_writer *w, const char *path, unsigned how)
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
  ns_h5_close(fapl, dapl);
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
  int fits = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
             H5Sget_simple_extent_dims(space, size, NULL) == rank && size[0] >= n &&
             size[1] == (hsize_t)ncol;
  ns_h5_close(space);
  return fits;
}

static int other(const ns_h5_writer *w, ns_ctx *c, const char *why)
{
  return ns_fail(c, NS_NOINPUT, "%s: %s, expected the output that belongs to the checkpoint",
                 w->path, why);
}

/* Nothing is cut shorter than it was, or has another form. */
static int check_sizes(ns_h5_writer *w, ns_ctx *c, const ns_h5_extent *n)
{
  char why[512];
  const ns_h5_contacts *k = &w->contacts;
  for (int i = 0; i < w->nchannels; i++) {
    const ns_channel *ch = &w->channels[i];
    if (is_long(w->data[i], ch->vector ? 2 : 1, ch->ncol, n->rows)) continue;
    snprintf(why, sizeof why, "/%s is shorter than at the checkpoint, or has a different width",
             ch->path);
    return other(w, c, why);
  }
  if (!is_long(w->events, 1, 1, n->events))
    return other(w, c, "/events is shorter than at the checkpoint");
  if (k->buf && (!is_long(k->data, 1, 1, n->contacts) || !is_long(k->rows, 1, 1, n->contact_rows)))
    return other(w, c, "/contacts is shorter than at the checkpoint");
  return NS_OK;
}

static int check(ns_h5_writer *w, ns_ctx *c, const mark *want)
{
  unsigned char digest[SHA256_DIGEST_SIZE];
  char why[512];
  if (open_file(w, w->path, H5F_ACC_RDONLY) < 0) {
    snprintf(why, sizeof why, "it cannot be opened (%s)",
             w->reason.text[0] ? w->reason.text : "it has other datasets");
    return other(w, c, why);
  }
  int rc = check_sizes(w, c, &want->n);
  if (rc) return rc;
  if (ns_h5_digest_to(w, &want->n, digest) < 0) return other(w, c, "it cannot be read to its end");
  if (memcmp(digest, want->digest, sizeof digest) != 0)
    return other(w, c, "its content differs from that at the checkpoint");
  return NS_OK;
}

typedef struct going_back {
  ns_h5_writer *w;
  const mark *m;
  const char *twin; /* PATH.new */
} going_back;

/* What the library says is of the file; what the system says, of the disk. */
static int cannot_cut(ns_h5_writer *w, ns_ctx *c)
{
  char why[512];
  if (strncmp(w->reason.text, "HDF5:", 5) != 0)
    return ns_h5_writer_fail(w, c, NS_OUTPUT, "cannot go back to the checkpoint");
  snprintf(why, sizeof why, "it is damaged (%s)", w->reason.text);
  return other(w, c, why);
}

/* Rows [0, n) of one dataset behind those of another, of which there are none. Whole chunks at
 * once: they are not cached. */
static int copy_rows(const ns_h5_writer *w, const ns_h5_table *from, const ns_h5_table *to,
                     uint64_t n)
{
  uint64_t chunk = w->info.batch > NS_H5_EVENT_CHUNK ? w->info.batch : NS_H5_EVENT_CHUNK;
  uint64_t max = chunk * (PIECE / (chunk * from->size) + 1), at = 0;
  if (!n) return 0;
  void *piece = calloc(max < n ? max : n, from->size);
  int rc = piece ? 0 : -1;
  while (rc >= 0 && at < n) {
    uint64_t k = n - at < max ? n - at : max;
    rc = ns_h5_read_rows(from->set, from->type, from->rank, from->ncol, at, k, piece);
    if (rc >= 0) rc = ns_h5_append(to->set, to->type, to->rank, to->ncol, at, k, piece);
    at += k;
  }
  free(piece);
  return rc;
}

static int copy_tables(const ns_h5_writer *w, const ns_h5_writer *to, const ns_h5_extent *n)
{
  ns_h5_table a, b;
  uint64_t rows;
  int rc = 0;
  for (int k = 0; rc >= 0 && ns_h5_table_of(w, n, k, &a, &rows); k++) {
    ns_h5_table_of(to, n, k, &b, &rows);
    rc = copy_rows(w, &a, &b, rows);
  }
  return rc;
}

/* The new file, which is a run of its own but for where it comes from. */
static int copy_all(ns_h5_writer *w, ns_h5_writer *to, ns_ctx *c, const ns_h5_extent *n)
{
  if (open_file(w, w->path, H5F_ACC_RDONLY) < 0) return cannot_cut(w, c);
  ns_h5_listen(&to->reason);
  int rc = ns_h5_writer_fill(to, c);
  if (!rc && (copy_tables(w, to, n) < 0 || ns_h5_copy_origin(w->file, to->file) < 0 ||
              ns_h5_writer_flush(to) < 0))
    rc = cannot_cut(to, c);
  if (ns_h5_writer_close(to) < 0 && !rc) rc = cannot_cut(to, c);
  ns_h5_writer_close(w);
  return rc;
}

/* What the child does: check, and copy. */
static int try(void *arg, ns_ctx *c)
{
  going_back *g = arg;
  ns_h5_writer *w = g->w;
  ns_h5_listen(&w->reason);
  int rc = check(w, c, g->m);
  ns_h5_writer_close(w);
  if (rc) return rc;
  ns_h5_writer *to = ns_h5_writer_new(c, g->twin, &w->info, w->channels, w->nchannels, w->ncols);
  if (!to) return NS_NOMEM;
  to->aside = 1;
  rc = copy_all(w, to, c, &g->m->n);
  if (rc) unlink(g->twin);
  return rc; /* and the process ends */
}

/* Seconds of the processor that no sound file of this size takes. */
static unsigned limit_of(const char *path)
{
  struct stat st;
  return 10 + (unsigned)(stat(path, &st) == 0 ? st.st_size >> 22 : 0);
}

/* Flush the copy to the disk and replace the file by it, whose lock becomes *lock. < 0: failed, see
 * errno; the copy is removed. */
static int replace(const char *path, const char *twin, int *lock)
{
  int fd = open(twin, O_RDWR | O_CLOEXEC), bad = fd < 0 || fsync(fd) != 0, e = errno;
  if (!bad && flock(fd, LOCK_EX | LOCK_NB) != 0) errno = 0; /* a file system without locks */
  char *real = bad ? NULL : ns_claim_companion(path, "");
  if (!bad && (!real || rename(twin, real) != 0)) bad = 1, e = errno;
  free(real);
  if (!bad) {
    if (*lock >= 0) close(*lock);
    *lock = fd;
    return 0;
  }
  if (fd >= 0) close(fd);
  unlink(twin);
  errno = e;
  return -1;
}

static int take_place(ns_h5_writer *w, ns_ctx *c, const char *twin)
{
  if (replace(w->path, twin, &w->lock) < 0)
    return w->failed = ns_fail(c, NS_OUTPUT, "%s: cannot go back to the checkpoint: %s", w->path,
                               strerror(errno));
  ns_h5_listen(&w->reason);
  if (open_file(w, w->path, H5F_ACC_RDWR) < 0)
    return ns_h5_writer_fail(w, c, NS_OUTPUT, "cannot go back to the checkpoint");
  return NS_OK;
}

static int go_back(ns_h5_writer *w, ns_ctx *c, const mark *m)
{
  char *twin = ns_claim_companion(w->path, ".new");
  if (!twin) return ns_nomem(c, "HDF5 output");
  unlink(twin);
  going_back g = {.w = w, .m = m, .twin = twin};
  int rc = ns_child_run(c, try, &g, limit_of(w->path));
  if (rc == NS_RETRY) rc = other(w, c, "it is damaged: reading it crashed or did not end");
  if (!rc) rc = take_place(w, c, twin);
  else unlink(twin);
  free(twin);
  ns_h5_digest_forget_fixed(w->digest); /* paths may have changed */
  w->nrows = m->n.rows;
  w->nevents = m->n.events;
  w->contacts.n = m->n.contacts;
  w->contacts.nrows = m->n.contact_rows;
  return rc;
}

/* The file is there, ours to write, and locked. */
static int take(ns_h5_writer *w, ns_ctx *c)
{
  if (access(w->path, R_OK | W_OK) != 0) return other(w, c, strerror(errno));
  w->lock = ns_claim_open_existing(c, w->path);
  if (w->lock == NS_NOINPUT && !c->rc) return other(w, c, strerror(ENOENT));
  if (w->lock < 0) return w->lock;
  if (ns_h5_journal_replay(w->path) == 0) return NS_OK;
  return ns_fail(c, NS_OUTPUT, "%s: cannot be completed by its journal: %s", w->path,
                 strerror(errno));
}

int ns_h5_writer_resume(ns_ctx *c, const char *path, const ns_run_info *info,
                        const ns_channel *channels, int nchannels, size_t ncols, ns_blob *b,
                        void **self)
{
  mark m;
  *self = NULL;
  ns_blob_get(b, &m.n, sizeof m.n);
  ns_blob_get(b, m.digest, sizeof m.digest);
  int rc = ns_blob_status(b, c, path);
  if (!rc) rc = ns_h5_start(c);
  if (rc) return rc;
  ns_h5_writer *w = ns_h5_writer_new(c, path, info, channels, nchannels, ncols);
  if (!w) return NS_NOMEM;
  ns_h5_listen(&w->reason);
  w->event_type = ns_h5_writer_event_type(w);
  w->digest = ns_h5_digest_create(w->nchannels);
  rc = w->event_type < 0 || !w->digest ? ns_nomem(c, "HDF5 output") : take(w, c);
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
