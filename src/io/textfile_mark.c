/* SPDX-License-Identifier: GPL-3.0-or-later */
/* textfile_mark.c -- find the place again where a checkpoint left a text output. */
#include "io/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 1 << 16, TAIL = 1 << 20, PIECE = 1 << 14 };

typedef struct mark {
  unsigned long long size;
  unsigned char digest[SHA256_DIGEST_SIZE];
} mark;

/* Bytes [from, to) of the file; 0, or -1 with errno (0: it is shorter). */
static int digest_range(struct sha256_ctx *h, int fd, unsigned long long from, unsigned long long to)
{
  unsigned char piece[PIECE];
  while (from < to) {
    size_t want = to - from < PIECE ? (size_t)(to - from) : PIECE;
    ssize_t n = pread(fd, piece, want, (off_t)from);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = 0;
    if (n <= 0) return -1;
    sha256_update(h, (size_t)n, piece);
    from += (unsigned long long)n;
  }
  return 0;
}

static int digest(int fd, mark *m)
{
  struct sha256_ctx h;
  sha256_init(&h);
  unsigned long long head = m->size < HEAD ? m->size : HEAD, tail = m->size < TAIL ? m->size : TAIL;
  if (digest_range(&h, fd, 0, head) || digest_range(&h, fd, m->size - tail, m->size)) return -1;
  sha256_digest(&h, sizeof m->digest, m->digest);
  return 0;
}

int ns_textfile_mark(ns_textfile *f, ns_ctx *c, ns_blob *b)
{
  struct stat st;
  mark m = {0};
  int rc = ns_textfile_flush(f, c);
  if (rc) return rc;
  if (!f->ours || fstat(f->fd, &st) != 0 || !S_ISREG(st.st_mode))
    return ns_fail(c, NS_USAGE, "%s: not a file, so a run into it cannot be resumed; expected a name such as out.csv",
                   f->ours ? f->path : "standard output");
  m.size = (unsigned long long)st.st_size;
  int fd = open(f->path, O_RDONLY | O_CLOEXEC), bad = fd < 0 || digest(fd, &m) || fsync(f->fd) != 0;
  if (bad) rc = ns_fail(c, NS_OUTPUT, "%s: cannot read it for a checkpoint: %s", f->path, strerror(errno));
  if (fd >= 0) close(fd);
  f->failed = rc;
  ns_blob_put(b, &m.size, sizeof m.size);
  ns_blob_put(b, m.digest, sizeof m.digest);
  return rc;
}

static int other(ns_ctx *c, const char *path, const char *why)
{
  return ns_fail(c, NS_NOINPUT, "%s: %s, expected the output that belongs to the checkpoint; put it back, or remove the "
                 "checkpoint to begin anew", path, why);
}

int ns_textfile_check(ns_ctx *c, const char *path, ns_blob *b, unsigned long long *size)
{
  struct stat st;
  mark want = {0}, have;
  ns_blob_get(b, &want.size, sizeof want.size);
  ns_blob_get(b, want.digest, sizeof want.digest);
  int rc = ns_blob_status(b, c, path);
  if (rc) return rc;
  *size = want.size;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return other(c, path, strerror(errno));
  have = want;
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) rc = other(c, path, "it is not a file");
  else if ((unsigned long long)st.st_size < want.size) rc = other(c, path, "it is shorter than at the checkpoint");
  else if (digest(fd, &have)) rc = other(c, path, errno ? strerror(errno) : "it has become shorter");
  else if (memcmp(have.digest, want.digest, sizeof have.digest) != 0) rc = other(c, path, "it has another content than at the checkpoint");
  close(fd);
  return rc;
}

int ns_textfile_resume(ns_ctx *c, const char *path, unsigned long long size, ns_textfile *f)
{
  int rc = ns_textfile_open(c, path, f);
  if (rc) return rc;
  if (ftruncate(f->fd, (off_t)size) == 0 && lseek(f->fd, 0, SEEK_END) == (off_t)size) return NS_OK;
  rc = ns_fail(c, NS_NOCREATE, "%s: cannot go back to the checkpoint: %s", path, strerror(errno));
  ns_textfile_abandon(f);
  return rc;
}
