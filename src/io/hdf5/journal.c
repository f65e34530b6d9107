/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hdf5/journal.h"

#include "base/claim.h"
#include "base/grow.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

static const char MAGIC[8] = {'n', 's', 's', 'i', 'm', 'j', 'n', 'l'};
enum { FORMAT = 1 };
#define ORDER 0x01020304u

typedef struct head {
  char magic[8];
  uint32_t order, format;
  uint64_t size;   /* of the file once all is in place */
  uint64_t n;      /* stretches */
  uint64_t nbytes; /* of all of them */
} head;

/* Bytes of the file; in memory they follow those of the one before. */
typedef struct stretch {
  uint64_t at, n;
} stretch;

/* A journal in memory: as in the file. */
typedef struct image {
  unsigned char *all; /* owned [size of room] */
  size_t size, capacity;
  head *h;
  stretch *list;            /* ascending, disjoint [h->n] */
  unsigned char *new, *old; /* [h->nbytes] each */
} image;

/* A write that waits for the commit. Later ones overwrite earlier ones. */
typedef struct pending {
  stretch s;
  size_t from; /* of its bytes here */
  uint64_t to; /* and among those of the journal */
  size_t order;
} pending;

typedef struct driver {
  H5FD_t pub; /* first: the part of the library */
  int fd, log;
  dev_t device;
  ino_t inode;
  char *log_path;
  int rewrites, sync, reading, resize, abandoned;
  haddr_t eoa, eof; /* end of what is allocated; of what the library takes for the file */
  haddr_t end;      /* of the file at the last commit: nothing refers to what lies behind it */
  pending *list;    /* [n of cap] */
  size_t n, cap;
  unsigned char *bytes; /* [nbytes of room] */
  size_t nbytes, capacity;
  image log_image; /* of the last commit; its memory is used again */
} driver;

/* Of the file access properties. */
typedef struct choice {
  int rewrites, overlay;
} choice;

/* ---- bytes of files -------------------------------------------------------------------------- */

static int put_all(int fd, const void *from, size_t n, uint64_t at)
{
  const unsigned char *p = from;
  while (n) {
    ssize_t k = pwrite(fd, p, n, (off_t)at);
    if (k < 0 && errno == EINTR) continue;
    if (k == 0) errno = ENOSPC;
    if (k <= 0) return -1;
    p += k;
    at += (uint64_t)k;
    n -= (size_t)k;
  }
  return 0;
}

/* What is behind the end of the file reads as zero. */
static int get_all(int fd, void *to, size_t n, uint64_t at)
{
  unsigned char *p = to;
  while (n) {
    ssize_t k = pread(fd, p, n, (off_t)at);
    if (k < 0 && errno == EINTR) continue;
    if (k < 0) return -1;
    if (k == 0) memset(p, 0, n);
    if (k == 0) return 0;
    p += k;
    at += (uint64_t)k;
    n -= (size_t)k;
  }
  return 0;
}

/* Room for at least n items; a factor, so that it grows seldom. */
static int grow(void **p, size_t *cap, size_t n, size_t size)
{
  if (n <= *cap) return 0;
  size_t more = n + n / 2 + 64;
  void *q = realloc(*p, more * size);
  if (!q) return -1;
  *p = q;
  *cap = more;
  return 0;
}

/* ---- images ---------------------------------------------------------------------------------- */

/* Where the parts are; 0 if the sizes of the head do not fit. */
static int find_parts(image *m)
{
  m->h = (head *)m->all;
  if (m->size < sizeof *m->h + SHA256_DIGEST_SIZE) return 0;
  size_t left = m->size - sizeof *m->h - SHA256_DIGEST_SIZE;
  if (m->h->n > left / sizeof *m->list) return 0;
  left -= m->h->n * sizeof *m->list;
  if (m->h->nbytes > left / 2) return 0;
  m->list = (stretch *)(m->all + sizeof *m->h);
  m->new = (unsigned char *)(m->list + m->h->n);
  m->old = m->new + m->h->nbytes;
  return 1;
}

static size_t size_of(const head *h)
{
  return sizeof *h + h->n * sizeof(stretch) + 2 * h->nbytes + SHA256_DIGEST_SIZE;
}

static void sum_of(const image *m, unsigned char digest[SHA256_DIGEST_SIZE])
{
  struct sha256_ctx sum;
  sha256_init(&sum);
  sha256_update(&sum, size_of(m->h) - SHA256_DIGEST_SIZE, m->all);
  sha256_digest(&sum, SHA256_DIGEST_SIZE, digest);
}

/* Written to its end. */
static int is_whole(image *m)
{
  unsigned char digest[SHA256_DIGEST_SIZE];
  if (m->size < sizeof *m->h || !find_parts(m) || memcmp(m->h->magic, MAGIC, sizeof MAGIC) != 0 ||
      m->h->order != ORDER || m->h->format != FORMAT)
    return 0;
  sum_of(m, digest);
  return memcmp(digest, m->old + m->h->nbytes, sizeof digest) == 0;
}

/* Every byte of the file is as before or as after the commit. 1, 0; < 0: cannot be read. */
static int is_of(const image *m, int fd)
{
  unsigned char *now = malloc(m->h->nbytes + 1);
  size_t at = 0;
  int rc = now ? 1 : -1;
  for (uint64_t i = 0; i < m->h->n && rc == 1; i++) {
    const stretch *s = &m->list[i];
    if (s->n > m->h->nbytes - at) rc = 0;
    else if (get_all(fd, now, (size_t)s->n, s->at) < 0) rc = -1;
    for (size_t k = 0; rc == 1 && k < s->n; k++)
      if (now[k] != m->new[at + k] && now[k] != m->old[at + k]) rc = 0;
    at += (size_t)s->n;
  }
  free(now);
  return rc;
}

/* The journal at path for the file fd: 1 if there is a valid one; < 0: failed, see errno. */
static int load(const char *path, int fd, image *m)
{
  struct stat st;
  int log = open(path, O_RDONLY | O_CLOEXEC), rc = 0;
  if (log < 0) return errno == ENOENT ? 0 : -1;
  if (fstat(log, &st) != 0) rc = -1;
  else if (S_ISREG(st.st_mode) && st.st_size > 0) {
    m->size = (size_t)st.st_size;
    rc = grow((void **)&m->all, &m->capacity, m->size, 1) < 0 ||
                 get_all(log, m->all, m->size, 0) < 0
             ? -1
             : is_whole(m);
  }
  close(log);
  return rc == 1 ? is_of(m, fd) : rc;
}

/* All stretches to the file. */
static int apply(const image *m, int fd)
{
  const unsigned char *from = m->new;
  for (uint64_t i = 0; i < m->h->n; from += m->list[i++].n)
    if (put_all(fd, from, (size_t)m->list[i].n, m->list[i].at) < 0) return -1;
  return 0;
}

/* ---- what waits for a commit ----------------------------------------------------------------- */

static int keep(driver *d, haddr_t at, size_t n, const void *bytes)
{
  if (grow((void **)&d->list, &d->cap, d->n + 1, sizeof *d->list) < 0 ||
      grow((void **)&d->bytes, &d->capacity, d->nbytes + n, 1) < 0)
    return -1;
  memcpy(d->bytes + d->nbytes, bytes, n);
  d->list[d->n] = (pending){.s = {at, n}, .from = d->nbytes, .order = d->n};
  d->n++;
  d->nbytes += n;
  return 0;
}

static int by_place(const void *a, const void *b)
{
  const pending *x = a, *y = b;
  if (x->s.at != y->s.at) return x->s.at < y->s.at ? -1 : 1;
  return x->order < y->order ? -1 : 1;
}

static int by_order(const void *a, const void *b)
{
  const pending *x = a, *y = b;
  return x->order < y->order ? -1 : 1;
}

/* Stretches that overlap or touch become one, in order; each write learns where its bytes begin
 * among those of all stretches. d->list is in the order of places. Counts go to h, stretches to
 * list, unless that is NULL. */
static void unite(driver *d, head *h, stretch *list)
{
  stretch last = {0, 0};
  uint64_t begin = 0; /* of the bytes of the last one */
  h->n = h->nbytes = 0;
  for (size_t i = 0; i < d->n; i++) {
    pending *p = &d->list[i];
    uint64_t end = p->s.at + p->s.n;
    if (!h->n || p->s.at > last.at + last.n) {
      begin = h->nbytes;
      last = (stretch){p->s.at, 0};
      h->n++;
    }
    if (end > last.at + last.n) last.n = end - last.at;
    p->to = begin + (p->s.at - last.at);
    h->nbytes = begin + last.n;
    if (list) list[h->n - 1] = last;
  }
}

/* The image of all that waits. < 0: out of memory, or the file cannot be read. */
static int make_image(driver *d, image *m)
{
  head h = {.order = ORDER, .format = FORMAT, .size = d->eoa};
  memcpy(h.magic, MAGIC, sizeof MAGIC);
  qsort(d->list, d->n, sizeof *d->list, by_place);
  unite(d, &h, NULL);
  m->size = size_of(&h);
  if (grow((void **)&m->all, &m->capacity, m->size, 1) < 0) return -1;
  memcpy(m->all, &h, sizeof h);
  find_parts(m);
  unite(d, m->h, m->list);
  qsort(d->list, d->n, sizeof *d->list, by_order);
  for (size_t i = 0; i < d->n; i++)
    memcpy(m->new + d->list[i].to, d->bytes + d->list[i].from, (size_t)d->list[i].s.n);
  unsigned char *old = m->old;
  for (uint64_t i = 0; i < h.n; old += m->list[i++].n)
    if (get_all(d->fd, old, (size_t)m->list[i].n, m->list[i].at) < 0) return -1;
  sum_of(m, old);
  return 0;
}

/* ---- commit ---------------------------------------------------------------------------------- */

/* The disk has a place for all stretches, so that it does not become full amid them. Some file
 * systems cannot say. */
static int reserve(const driver *d, const image *m)
{
  for (uint64_t i = 0; i < m->h->n; i++)
    if (fallocate(d->fd, FALLOC_FL_KEEP_SIZE, (off_t)m->list[i].at, (off_t)m->list[i].n) != 0 &&
        (errno == ENOSPC || errno == EDQUOT))
      return -1;
  return 0;
}

static int write_log(driver *d, const image *m)
{
  if (d->log < 0) d->log = open(d->log_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (d->log < 0) return -1;
  if (put_all(d->log, m->all, m->size, 0) == 0 && (!d->sync || fsync(d->log) == 0)) return 0;
  int e = errno; /* a part of it is none, and gives its place on the disk back */
  if (ftruncate(d->log, 0) != 0) e = errno;
  errno = e;
  return -1;
}

static int set_size(const driver *d, int larger)
{
  struct stat st;
  if (fstat(d->fd, &st) != 0) return -1;
  int differs = larger ? (haddr_t)st.st_size < d->eoa : (haddr_t)st.st_size > d->eoa;
  return differs ? ftruncate(d->fd, (off_t)d->eoa) : 0;
}

static int commit(driver *d)
{
  image *m = &d->log_image;
  if (d->abandoned) return 0;
  if (d->sync && fsync(d->fd) != 0) return -1;
  if (d->resize && set_size(d, 1) < 0) return -1;
  if (d->n) {
    if (make_image(d, m) < 0 || reserve(d, m) < 0 || write_log(d, m) < 0) return -1;
    if (apply(m, d->fd) < 0) return -1;
    d->n = d->nbytes = 0;
  }
  if (d->resize && set_size(d, 0) < 0) return -1;
  if (d->resize) d->end = d->eof = d->eoa;
  d->resize = 0;
  return 0;
}

/* ---- driver ---------------------------------------------------------------------------------- */

/* In the words of the library's own driver, which h5.c looks for. */
static void push(hid_t major, hid_t minor, const char *what)
{
  H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, major, minor,
           "%s: error message = '%s'", what, strerror(errno));
}

static herr_t failed(const char *what)
{
  if (errno == ENOMEM) push(H5E_RESOURCE, H5E_NOSPACE, what);
  else push(H5E_IO, H5E_WRITEERROR, what);
  return -1;
}

static void destroy(driver *d)
{
  if (d->fd >= 0) close(d->fd);
  if (d->log >= 0) close(d->log);
  NS_FREE(d->log_path, d->list, d->bytes, d->log_image.all);
}

/* What a journal says is read as if it had been written. */
static int overlay(driver *d)
{
  image *m = &d->log_image;
  size_t at = 0;
  int rc = load(d->log_path, d->fd, m);
  if (rc <= 0) return rc;
  for (uint64_t i = 0; i < m->h->n; at += (size_t)m->list[i++].n)
    if (keep(d, m->list[i].at, (size_t)m->list[i].n, m->new + at) < 0) return -1;
  if (d->eof < m->h->size) d->eof = m->h->size;
  return 0;
}

static int open_at(driver *d, const char *name, unsigned flags, const choice *how)
{
  struct stat st;
  int to = flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY;
  if (flags & H5F_ACC_TRUNC) to |= O_TRUNC;
  if (flags & H5F_ACC_CREAT) to |= O_CREAT;
  if (flags & H5F_ACC_EXCL) to |= O_EXCL;
  if ((d->fd = open(name, to | O_CLOEXEC, 0666)) < 0 || fstat(d->fd, &st) != 0) return -1;
  d->device = st.st_dev;
  d->inode = st.st_ino;
  d->eof = d->end = (haddr_t)st.st_size;
  d->rewrites = how->rewrites;
  d->reading = how->overlay;
  errno = ENOMEM;
  if (!(d->log_path = ns_claim_companion(name, ".journal"))) return -1;
  return d->reading ? overlay(d) : 0;
}

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t fapl, haddr_t max)
{
  const choice *how = H5Pget_driver_info(fapl);
  /* Of the library's memory: after a failure the library keeps it, and so the memory stays. */
  driver *d = how ? H5allocate_memory(sizeof *d, 1) : NULL;
  (void)max;
  if (!d) return NULL;
  d->fd = d->log = -1;
  if (open_at(d, name, flags, how) == 0) return &d->pub;
  if (errno == ENOMEM) push(H5E_RESOURCE, H5E_NOSPACE, "unable to open file");
  else push(H5E_FILE, H5E_CANTOPENFILE, "unable to open file");
  destroy(d);
  H5free_memory(d);
  return NULL;
}

static herr_t driver_close(H5FD_t *f)
{
  driver *d = (driver *)f;
  int rc = !d->reading && (d->n || d->resize) ? commit(d) : 0;
  if (!rc && d->sync && !d->abandoned) rc = fsync(d->fd);
  if (rc) failed("file write failed");
  destroy(d);
  H5free_memory(d);
  return rc ? -1 : 0;
}

static int driver_cmp(const H5FD_t *f, const H5FD_t *g)
{
  const driver *a = (const driver *)f, *b = (const driver *)g;
  if (a->device != b->device) return a->device < b->device ? -1 : 1;
  if (a->inode != b->inode) return a->inode < b->inode ? -1 : 1;
  return 0;
}

static herr_t driver_query(const H5FD_t *f, unsigned long *flags)
{
  (void)f;
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *f, H5FD_mem_t type)
{
  (void)type;
  return ((const driver *)f)->eoa;
}

static herr_t driver_set_eoa(H5FD_t *f, H5FD_mem_t type, haddr_t at)
{
  (void)type;
  ((driver *)f)->eoa = at;
  return 0;
}

static haddr_t driver_get_eof(const H5FD_t *f, H5FD_mem_t type)
{
  (void)type;
  return ((const driver *)f)->eof;
}

/* By it the functions below find the driver of a file. */
static herr_t driver_get_handle(H5FD_t *f, hid_t fapl, void **handle)
{
  (void)fapl;
  *handle = f;
  return 0;
}

static herr_t driver_read(H5FD_t *f, H5FD_mem_t type, hid_t dxpl, haddr_t at, size_t n, void *to)
{
  const driver *d = (const driver *)f;
  (void)type;
  (void)dxpl;
  if (get_all(d->fd, to, n, at) < 0) {
    push(H5E_IO, H5E_READERROR, "file read failed");
    return -1;
  }
  for (size_t i = 0; i < d->n; i++) {
    const pending *p = &d->list[i];
    uint64_t from = p->s.at > at ? p->s.at : at, end = p->s.at + p->s.n;
    if (end > at + n) end = at + n;
    if (from >= end) continue;
    memcpy((unsigned char *)to + (from - at), d->bytes + p->from + (from - p->s.at),
           (size_t)(end - from));
  }
  return 0;
}

static herr_t driver_write(H5FD_t *f, H5FD_mem_t type, hid_t dxpl, haddr_t at, size_t n,
                           const void *from)
{
  driver *d = (driver *)f;
  int is_new = at >= d->end || (type == H5FD_MEM_DRAW && !d->rewrites);
  (void)dxpl;
  if (d->abandoned) return 0;
  if (at + n > d->eof) d->eof = at + n;
  if (is_new && put_all(d->fd, from, n, at) < 0) return failed("file write failed");
  if (!is_new && keep(d, at, n, from) < 0) return failed("file write failed");
  return 0;
}

/* The size of the file is part of the commit. */
static herr_t driver_truncate(H5FD_t *f, hid_t dxpl, hbool_t closing)
{
  driver *d = (driver *)f;
  (void)dxpl;
  (void)closing;
  d->resize = 1;
  d->eof = d->eoa;
  return 0;
}

static const H5FD_class_t class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)(H5_VFD_RESERVED + 45),
#endif
    .name = "nssim-journal",
    .maxaddr = ((haddr_t)1 << (8 * sizeof(off_t) - 1)) - 1,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(choice),
    .open = driver_open,
    .close = driver_close,
    .cmp = driver_cmp,
    .query = driver_query,
    .get_eoa = driver_get_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_get_eof,
    .get_handle = driver_get_handle,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY};

/* ---- for the writer and the reader ----------------------------------------------------------- */

static int use(hid_t fapl, choice how)
{
  hid_t id = H5FDregister(&class);
  int rc = id < 0 || H5Pset_driver(fapl, id, &how) < 0 ? -1 : 0;
  if (id >= 0) H5FDunregister(id); /* the properties keep it */
  return rc;
}

int ns_h5_journal_write_by(hid_t fapl, int rewrites)
{
  return use(fapl, (choice){.rewrites = rewrites});
}

int ns_h5_journal_read_by(hid_t fapl, const char *path)
{
  char *log = ns_claim_companion(path, ".journal");
  int is = log && access(log, R_OK) == 0;
  free(log);
  return is ? use(fapl, (choice){.overlay = 1}) : 0;
}

static driver *driver_of(hid_t file)
{
  void *handle;
  return H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 ? NULL : handle;
}

haddr_t ns_h5_journal_end(hid_t file)
{
  const driver *d = driver_of(file);
  return d ? d->eoa : 0;
}

int ns_h5_journal_commit(hid_t file, int sync)
{
  driver *d = driver_of(file);
  if (!d) return -1;
  d->sync = sync;
  d->resize = 1;
  return commit(d);
}

void ns_h5_journal_abandon(hid_t file)
{
  driver *d = driver_of(file);
  if (!d) return;
  destroy(d);
  d->fd = d->log = -1;
  d->log_path = NULL;
  d->list = NULL;
  d->bytes = NULL;
  d->log_image = (image){0};
  d->n = d->cap = d->nbytes = d->capacity = 0;
  d->abandoned = 1;
}

int ns_h5_journal_replay(const char *path)
{
  char *log = ns_claim_companion(path, ".journal");
  image m = {0};
  int fd = log ? open(path, O_RDWR | O_CLOEXEC) : -1, rc = log ? 0 : -1;
  if (fd >= 0) rc = load(log, fd, &m);
  if (rc == 1) rc = apply(&m, fd) < 0 || fsync(fd) != 0 ? -1 : 0;
  if (rc == 0 && fd >= 0) unlink(log);
  int e = errno;
  if (fd >= 0) close(fd);
  free(m.all);
  free(log);
  errno = e;
  return rc;
}

void ns_h5_journal_remove(const char *path)
{
  char *log = ns_claim_companion(path, ".journal");
  if (log) unlink(log);
  free(log);
}
